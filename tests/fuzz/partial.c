/* partial.c - any bytes as partial summaries, one a line; what is taken is built. By their
 * bytes, some inputs are also written down and read again, and others go through a queue of partials. */
#include "fuzz.h"

#include "summary/findings.h"
#include "summary/merge_queue.h"
#include "sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS = 8 };

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* What is read from a text that we wrote must read and write again. (Counts beyond 32 bits may move between
 * the two places that hold them, so the texts can differ in length.) */
static void round_trip(const struct smi_run *run, const struct smi_options *o, struct smi_err *err)
{
    struct smi_buf once = {0}, twice = {0};
    struct smi_partials again = {0};
    smi_partial_write(&once, run, o);
    if (smi_partial_read(&again, once.p, once.n, "once", err) || again.runs != 1) {
        fprintf(stderr, "%s\n%.2000s\n", err->text, once.p);
        fuzz_stop("our own partial is refused");
    }
    smi_partial_write(&twice, again.run[0], o);
    smi_partials_fini(&again);
    smi_buf_fini(&once);
    smi_buf_fini(&twice);
}

static int use(struct smi_partials *p, bool twice, struct smi_err *err)
{
    struct smi_options o = {.idle_below = 1000000};
    for (size_t i = 0; i < p->runs; i++) {
        struct smi_summary s = {0};
        int rc;
        if (twice)
            round_trip(p->run[i], &o, err);
        rc = smi_run_build(&s, p->run[i], &o, err);
        smi_summary_fini(&s);
        if (rc)
            return rc;
    }
    return 0;
}

/* Reads and builds the documents of the text; twice: and writes and reads them again in between. */
static int read_all(const char *text, size_t size, bool twice, struct smi_err *err)
{
    struct smi_partials p = {0};
    int rc = 0;
    for (size_t i = 0, n; i < DOCUMENTS && size && rc == 0; i++, text += n, size -= n) {
        const char *lf = memchr(text, '\n', size);
        n = lf && i + 1 < DOCUMENTS ? (size_t)(lf + 1 - text) : size;
        rc = smi_partial_read(&p, text, n, "fuzz", err);
    }
    if (rc == 0)
        rc = use(&p, twice, err);
    smi_partials_fini(&p);
    return rc;
}

/* The same by way of a pile: its beginning is looked at apart, and what is taken is given out as another
 * run's. The sum is made right, as nobody guesses it. */
static void pile_up(const char *text, size_t size)
{
    const char *end = size ? memrchr(text, ',', size) : NULL;
    struct smi_options o = {.idle_below = 1000000};
    struct smi_merge_queue p = {0};
    struct smi_buf copy = {0};
    struct smi_sweep s;
    struct smi_err err = {0};
    struct smi_buf doc = {0};
    smi_buf_add(&doc, text, end > text ? (size_t)(end - text) - 1 : size);
    smi_partial_close(&doc, 0);
    if (smi_merge_queue_add(&p, doc.p, doc.n, "fuzz", 1, &err) == 0) {
        p.as = "another";
        if (smi_merge_queue_add(&p, doc.p, doc.n, "fuzz", 2, &err) == 0 &&
            smi_merge_queue_copy(&p, 1, &copy, &err) == 0 && copy.n)
            smi_merge_queue_add(&p, copy.p, copy.n, "fuzz", 3, &err);
        if (smi_sweep_merge_queue(&s, &p, &o, &err) == 0)
            smi_sweep_fini(&s);
    }
    smi_buf_fini(&copy);
    smi_buf_fini(&doc);
    smi_merge_queue_fini(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t way = fuzz_hash(data, size) % 16;
    struct smi_err err = {0};
    char *text = malloc(size + 1); /* a document is lent with a NUL behind it, as in cli/command_merge.c */
    int rc;
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    fuzz_json_pool(way > 2);
    rc = read_all(text, size, way < 4, &err);
    if (rc && !err.text[0])
        fuzz_stop("refused without a sentence");
    if (way >= 12)
        pile_up(text, size);
    free(text);
    return 0;
}

/* Half of the time one letter of the document gives way to another: the rest stays as it was. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    const size_t front = sizeof "{\"schema\": \"" SMI_PARTIAL_SCHEMA "\", \"body\": \"" - 1;
    if (seed & 1 || size <= front)
        return LLVMFuzzerMutate(data, size, max);
    data[front + (seed >> 7) % (size - front)] = (uint8_t)((seed & 2 ? '0' : ']') + (seed >> 2) % 32);
    return size;
}
