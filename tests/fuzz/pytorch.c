/* pytorch.c - any bytes as a usage_log.txt of PyTorch CI: however they are cut, the same documents are
 * written or none, and each is a line of JSON. */
#include "fuzz.h"

#include "export/pytorch.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { FILES = 2, MOST = 1 << 22 };

static char dir[64];
static const char *const collection[FILES] = {"util_metadata", "util_timeseries"};
static const char *const file[FILES] = {"metadata", "time_series"};

static void leave(void)
{
    char command[sizeof dir + 16];
    snprintf(command, sizeof command, "rm -r %s", dir);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", dir);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    snprintf(dir, sizeof dir, "%s/fuzz_pytorch.XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(dir))
        fuzz_stop("no directory to write to");
    atexit(leave);
    return 0;
}

struct got {
    int rc;
    struct smi_err err;
    int64_t lines, rows;
    char *text[FILES]; /* the documents, or NULL */
    size_t n[FILES];
};

static struct smi_pytorch_job job_of(void)
{
    return (struct smi_pytorch_job){.dir = dir,
                                    .repo = "a/b",
                                    .workflow_id = 1,
                                    .job_id = 2,
                                    .run_attempt = 3,
                                    .workflow_name = smi_text_of("w"),
                                    .job_name = smi_text_of("j"),
                                    .created_at = 4};
}

/* Takes the document away. */
static void fetch(struct got *g, int which)
{
    struct smi_pytorch_job job = job_of();
    struct smi_buf path = {0};
    gzFile in;
    int n;
    smi_pytorch_path(&path, &job, collection[which], file[which]);
    in = gzopen(path.p, "rb");
    if (in) {
        g->text[which] = malloc(MOST);
        n = gzread(in, g->text[which], MOST);
        if (n < 0 || n == MOST || gzclose(in) != Z_OK)
            fuzz_stop("what was written is no gzip data");
        g->n[which] = (size_t)n;
        unlink(path.p);
    }
    smi_buf_fini(&path);
}

/* All bytes, the first `cut` and then pieces of as many; 0: at once. */
static struct got run(const char *p, size_t n, size_t cut)
{
    struct got g = {0};
    struct smi_account account = {0};
    struct smi_pytorch_job job = job_of();
    struct smi_pytorch_documents *d = smi_pytorch_documents_open(&job, &account);
    size_t step = cut ? cut : n ? n : 1;
    for (size_t at = 0; !g.rc && at < n; at += step)
        g.rc = smi_pytorch_documents_feed(d, p + at, n - at < step ? n - at : step, &g.err);
    if (!g.rc)
        g.rc = smi_pytorch_documents_end(d, &g.err);
    smi_pytorch_documents_free(d);
    g.lines = account.lines;
    g.rows = account.rows;
    smi_account_fini(&account);
    return g;
}

static void fini(struct got *g)
{
    for (int i = 0; i < FILES; i++)
        free(g->text[i]);
}

/* One line of JSON a record, and one of the job. */
static void check(const struct got *g)
{
    for (int i = 0; i < FILES; i++) {
        const char *p = g->text[i], *end = p + g->n[i], *lf;
        int64_t lines = 0;
        if (!g->text[i])
            fuzz_stop("a document is missing");
        for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1, lines++) {
            json_error_t why;
            json_t *line = json_loadb(p, (size_t)(lf - p), JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &why);
            for (const char *c = p; c < lf; c++)
                if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
                    fuzz_stop("a document is not ASCII");
            if (!line && !strstr(why.text, "surrogate") && !strstr(why.text, "nvalid Unicode") &&
                !strstr(why.text, "overflow") && !memmem(p, (size_t)(lf - p), "NaN", 3) &&
                !memmem(p, (size_t)(lf - p), "Infinity", 8)) {
                fprintf(stderr, "%s: %.*s\n", why.text, (int)(lf - p), p);
                fuzz_stop("a document is no JSON");
            }
            json_decref(line);
        }
        if (p != end || lines != (i ? g->rows : 1))
            fuzz_stop("a document has other lines than records");
    }
}

static void compare(const struct got *a, const struct got *b)
{
    if (a->rc != b->rc || a->err.code != b->err.code ||
        (!a->rc && (a->lines != b->lines || a->rows != b->rows)))
        fuzz_stop("cut in pieces, the log says something else");
    for (int i = 0; i < FILES; i++)
        if (a->n[i] != b->n[i] || (a->n[i] && memcmp(a->text[i], b->text[i], a->n[i]) != 0))
            fuzz_stop("cut in pieces, the log gives other documents");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t hash = fuzz_hash(data, size);
    struct got whole, pieces;
    fuzz_json_pool(hash % 16 != 0);
    whole = run((const char *)data, size, 0);
    if (whole.rc && !whole.err.text[0])
        fuzz_stop("refused without a sentence");
    for (int i = 0; i < FILES; i++)
        fetch(&whole, i);
    if (!whole.rc)
        check(&whole);
    else if (whole.text[0] || whole.text[1])
        fuzz_stop("refused, and something was written");
    pieces = run((const char *)data, size, size ? 1 + (hash >> 8) % size : 0);
    for (int i = 0; i < FILES; i++)
        fetch(&pieces, i);
    compare(&whole, &pieces);
    fini(&pieces);
    fini(&whole);
    return 0;
}
