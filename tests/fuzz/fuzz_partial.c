/* fuzz_partial.c - any bytes as a partial summary; what is taken is built, and written down again. */
#include "partial/partial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* What is read from a text that we wrote must read and write again. (Counts beyond 32 bits may move between the two
 * places that hold them, so the texts can differ in length.) */
static void round_trip(const struct smi_run *run, const struct smi_options *o)
{
    struct smi_buf once = {0}, twice = {0};
    struct smi_partials again = {0};
    struct smi_err err = {0};
    if (smi_partial_put(&once, run, o, NULL))
        abort();
    if (smi_partial_get(&again, once.p, once.n, "once", NULL, &err) || again.runs != 1) {
        fprintf(stderr, "fuzz: our own partial is refused: %s\n%.2000s\n", err.text, once.p);
        abort();
    }
    if (smi_partial_put(&twice, again.run[0], o, NULL))
        abort();
    smi_partials_fini(&again);
    smi_buf_fini(&once);
    smi_buf_fini(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smi_partials p = {0};
    struct smi_options o = {.idle_below = 1000000};
    struct smi_err err = {0};
    char *text = malloc(size + 1); /* a document is lent with a NUL behind it, as in cmd/merge.c */
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    if (smi_partial_get(&p, text, size, "fuzz", NULL, &err) == 0) {
        if (p.has_idle)
            o.idle_below = p.idle_below;
        for (size_t i = 0; i < p.runs; i++) {
            struct smi_summary s = {0};
            round_trip(p.run[i], &o);
            if (smi_run_build(&s, p.run[i], &o, &err) && err.code == 0)
                abort();
            smi_summary_fini(&s);
        }
    } else if (!err.text[0]) {
        fprintf(stderr, "fuzz: refused without a sentence\n");
        abort();
    }
    smi_partials_fini(&p);
    free(text);
    return 0;
}

/* Half of the time one number, word or text of the document gives way to another: the rest stays JSON. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    static const char *const words[] = {"0",
                                        "-1",
                                        "1",
                                        "2",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "8796093022207",
                                        "8796093022208",
                                        "1000000",
                                        "4096",
                                        "1e3",
                                        "0.5",
                                        "null",
                                        "true",
                                        "false",
                                        "\"\"",
                                        "\"170141183460469231731687303715884105727\"",
                                        "[]",
                                        "{}",
                                        "\"gpu_util_pct\"",
                                        "\"power_w\"",
                                        "\"dmon\"",
                                        "\"2\""};
    const char *word = words[(seed >> 1) % (sizeof words / sizeof *words)];
    size_t n = strlen(word), begin, end;
    if (seed & 1 || size < 2)
        return LLVMFuzzerMutate(data, size, max);
    begin = (seed >> 6) % size;
    while (begin < size && !strchr("-0123456789tfn\"[{", data[begin] ? data[begin] : ' '))
        begin++;
    for (end = begin; end < size && !strchr(",:]} \n", data[end] ? data[end] : ' ');)
        end++;
    if (begin == end || size - (end - begin) + n > max)
        return LLVMFuzzerMutate(data, size, max);
    memmove(data + begin + n, data + end, size - end);
    memcpy(data + begin, word, n);
    return size - (end - begin) + n;
}
