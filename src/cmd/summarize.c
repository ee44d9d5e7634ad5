/* summarize.c - paths to runs to numbers. */
#include "cmd/settings.h"

#include "base/clock.h"
#include "base/file.h"

#include <string.h>

static const struct smi_opt *const opts[] = {smi_opts_output, smi_opts_choice, smi_opts_input, NULL};

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_summarize = {
    .name = "summarize",
    .args = "[OPTION]... [PATH]...",
    .help = "What each run used, which part of it was wasted, and what was odd in its logs.",
    .examples = "  smilog summarize                          the runs below this directory\n"
                "  smilog summarize -v out/lr=0.1/seed3      one run in full\n"
                "  smilog summarize out/ -o runs.csv         a row a run, for a spreadsheet\n"
                "  smilog summarize --json hw_metrics.csv    everything about one log\n"
                "  nvidia-smi --query-gpu=timestamp,utilization.gpu --format=csv |\n"
                "      smilog summarize -\n",
    .opts = opts,
    .run = run,
};

/* The error, as the last line that is read. */
static int nothing(const char *const *path, size_t n, const struct smi_settings *set)
{
    struct smi_err err = {0};
    if (set->input_format)
        smi_err_set(&err, SMI_EFORMAT, "no line of the format %s (--input-format) in %.300s%s", set->input_format,
                    path[0], n == 1 ? "" : " and the other paths");
    smi_err_set(&err, SMI_EFORMAT, n == 1 ? "no usable log in %.300s" : "no usable log in %.300s and the other paths",
                path[0]);
    smi_fail(&err, NULL);
    return SMI_EXIT_NOTHING;
}

static int summarize(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc, doubt;
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = smi_sweep_read(&s, path, n, &set->d, &set->o, &err);
    smi_progress_end(&p);
    if (rc)
        return smi_fail(&err, NULL);
    doubt = smi_warn(&s, set);
    rc = s.usable ? smi_emit(&s, set) : nothing(path, n, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

struct partial_out {
    struct smi_file_out file;
    const char *name;
    struct smi_buf held; /* documents before the first usable input: a stream cannot take them back */
};

static int put(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct partial_out *out = self;
    if (!usable) {
        smi_buf_add(&out->held, document->p, document->n);
        return out->held.failed ? smi_err_nomem(err) : 0;
    }
    if (out->held.n && smi_file_put(out->file.fd, out->held.p, out->held.n, out->name, err))
        return -1;
    smi_buf_clear(&out->held);
    return smi_file_put(out->file.fd, document->p, document->n, out->name, err);
}

static int write_partials(const char *const *path, size_t n, struct smi_settings *set)
{
    struct partial_out out = {.name = set->output ? set->output : "-"};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_file_create(&out.file, out.name, &err), doubt;
    int64_t usable;
    if (rc)
        return smi_fail(&err, NULL);
    rc = smi_sweep_partials(&s, path, n, &set->d, &set->o, put, &out, &err);
    rc |= smi_file_close(&out.file, !rc && s.usable, &err);
    smi_buf_fini(&out.held);
    if (rc)
        return smi_fail(&err, NULL);
    doubt = smi_warn(&s, set);
    usable = s.usable;
    smi_sweep_fini(&s);
    return usable ? doubt : nothing(path, n, set);
}

static int run(int argc, char **argv)
{
    static const char *const here[] = {"."};
    struct smi_settings set;
    struct smi_buf help = {0};
    struct smi_err err = {0};
    const char *const *path;
    int rc;
    smi_settings_init(&set);
    rc = smi_opt_parse(&smi_cmd_summarize, &argc, argv, &set, &err);
    path = argc < 2 ? here : (const char *const *)argv + 1;
    for (int i = 1; !rc && i < argc; i++)
        if (!*argv[i])
            rc = smi_err_set(&err, SMI_EUSAGE, "a PATH is empty: a variable that is not set?");
    if (rc > 0) {
        smi_opt_help(&help, &smi_cmd_summarize);
        rc = smi_say(&help);
    } else if (rc || smi_settings_check(&set, &err)) {
        rc = smi_fail(&err, "summarize");
    } else {
        rc = (set.partial ? write_partials : summarize)(path, argc < 2 ? 1 : (size_t)argc - 1, &set);
    }
    smi_settings_fini(&set);
    return rc;
}
