/* pytorch.c - any bytes as a usage_log.txt of PyTorch CI: documents are made, each a line of JSON, or it is
 * refused in a sentence. */
#include "fuzz.h"

#include "aggregate/row_spool.h"
#include "export/pytorch.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static struct smi_buf kept[SMI_PYTORCH_KINDS];

/* One line of JSON a record, and one of the job. */
static void check(enum smi_pytorch_kind kind, uint64_t want)
{
    const char *p = kept[kind].p, *end = p + kept[kind].n, *lf;
    uint64_t lines = 0;
    for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1, lines++) {
        json_error_t why;
        json_t *line = json_loadb(p, (size_t)(lf - p), JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL, &why);
        if (!line && !strstr(why.text, "surrogate") && !strstr(why.text, "nvalid Unicode") &&
            !strstr(why.text, "overflow")) {
            fprintf(stderr, "%s: %.*s\n", why.text, (int)(lf - p), p);
            fuzz_stop("a document is no JSON");
        }
        json_decref(line);
    }
    if (p != end || lines != want)
        fuzz_stop("there are other documents than records");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct smi_pytorch_job job = {.repo = "a/b", .workflow_name = "w", .job_name = "j"};
    struct smi_pytorch_documents made = {.job = &job};
    struct smi_spill_file scratch = {0};
    struct smi_row_spool *tape = smi_row_spool_new(&scratch);
    const struct smi_summary summary = {.run = "r"};
    const struct smi_input_stats part = {.path = (char[]){"usage_log.txt"}, .tape = tape};
    const struct smi_export_input in = {.path = part.path, .part = &part};
    const struct smi_export_run run = {.summary = &summary, .input = &in, .inputs = 1};
    struct smi_target_out done = {0};
    struct smi_buf say = {0};
    struct smi_err err = {0};
    int rc;
    fuzz_json_pool(fuzz_hash(data, size) % 16 != 0);
    tape->text.of = &scratch;
    if (smi_block_list_add(&tape->text, (const char *)data, size, &err))
        fuzz_stop("no room");
    rc = smi_pytorch_make(&made, &run, 0, 0, &say, &done, &err);
    if (rc && !err.text[0])
        fuzz_stop("refused without a sentence");
    for (int i = 0; i < SMI_PYTORCH_KINDS; i++) {
        struct smi_block_list_cursor at = {.of = &made.of[i]};
        for (; smi_block_list_more(&at, &err) > 0; at.n = 0)
            smi_buf_add(&kept[i], at.p, at.n);
        smi_block_list_cursor_fini(&at);
    }
    smi_pytorch_documents_fini(&made);
    if (!rc) {
        check(SMI_PYTORCH_SERIES, done.rows);
        check(SMI_PYTORCH_METADATA, 1);
    }
    for (int i = 0; i < SMI_PYTORCH_KINDS; i++)
        smi_buf_fini(&kept[i]);
    smi_buf_fini(&say);
    smi_row_spool_free(tape);
    smi_spill_file_fini(&scratch);
    return 0;
}
