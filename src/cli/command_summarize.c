/* command_summarize.c - paths to runs to numbers. */
#include "base/clock.h"
#include "cli/deadline.h"
#include "cli/read_runs.h"
#include "cli/option.h"
#include "cli/warnings.h"
#include "export/text_file.h"
#include "summary/merge_queue.h"

#include <unistd.h>

static const struct smi_opt *const opts[] = {
    smi_opts_output, smi_opts_filter,  smi_opts_query, smi_opts_summary,
    smi_opts_input,  smi_opts_partial, smi_opts_batch, NULL,
};

static int run_summarize(int argc, char **argv);

const struct smi_cmd smi_cmd_summarize = {
    .name = "summarize",
    .args = "[OPTION]... [PATH]...",
    .takes = "FILE",
    .brief = "Summarize runs: GPU use, waste, data problems",
    .opts = opts,
    .run = run_summarize,
};

/* Where documents go: before the first usable input all are held, as a stream cannot take them back. */
struct stream {
    struct smi_text_file file;
    bool partial;               /* they are partial summaries, */
    struct smi_partial_end end; /* and this is theirs */
};

static int write_partial_document(void *self, const struct smi_buf *document, bool usable,
                                  struct smi_err *err)
{
    struct stream *out = self;
    if (document->n && out->partial)
        smi_partial_end_add(&out->end, document->p, document->n);
    if (document->n)
        smi_buf_add(&out->file.text, document->p, document->n);
    return usable || out->file.text.failed ? smi_text_file_flush(&out->file, err) : 0;
}

/* Each run goes out as soon as it is its turn. */
static int write_partials_in_order(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct stream out = {.partial = set->partial};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_text_file_open(&out.file, set->output ? set->output : "-", &err), doubt;
    int64_t usable;
    bool stored;
    if (rc)
        return smi_fail(&err, NULL);
    if (!set->partial && !set->quiet &&
        !isatty(out.file.file.fd)) /* the lines would go through that of the progress */
        set->d.progress = smi_progress;
    set->d.self = &p;
    set->d.stored = true;
    if (smi_sweep_documents(&s, path, n, &set->d, &set->o, write_partial_document, &out, &err))
        rc = -1;
    if (!rc && set->partial)
        smi_partial_write_end(&out.file.text, &out.end);
    rc |= smi_text_file_close(&out.file, !rc && s.usable, &err);
    smi_progress_end(&p);
    stored = !rc && s.nstored;
    if (rc)
        doubt = err.code == SMI_EFORMAT ? smi_fail_reading(&err, NULL) : smi_fail(&err, NULL);
    else
        doubt = stored ? 0 : smi_print_warnings(&s, set);
    usable = rc ? 1 : s.usable;
    smi_sweep_fini(&s);
    if (stored)
        return smi_read_and_write(path, n, set);
    return usable ? doubt : smi_fail_no_input(path, n, set);
}

static int summarize_paths(const char *const *path, size_t n, struct smi_settings *set)
{
    bool lines = set->partial || (set->writer->lines && !smi_query_any(&set->ask));
    for (size_t i = 0; i < n; i++)
        lines = lines && !smi_is_stored_path(path[i]);
    return (lines ? write_partials_in_order : smi_read_and_write)(path, n, set);
}

static int run_summarize(int argc, char **argv)
{
    bool zero = smi_has_exit_zero(argc, argv); /* before the words are moved */
    struct smi_settings set;
    int rc;
    smi_settings_init(&set);
    rc = smi_run_command(&smi_cmd_summarize, argc, argv, &set, NULL, summarize_paths);
    return zero ? SMI_EXIT_OK : rc;
}
