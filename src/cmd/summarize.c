/* summarize.c - paths to runs to numbers; and what all commands over runs do. */
#include "cmd/settings.h"

#include "base/clock.h"
#include "base/file.h"

#include <string.h>
#include <unistd.h>

static const struct smi_opt *const opts[] = {
    smi_opts_output, smi_opts_which, smi_opts_ask, smi_opts_choice, smi_opts_input, smi_opts_partial, NULL,
};

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_summarize = {
    .name = "summarize",
    .args = "[OPTION]... [PATH]...",
    .help = "What each run used, which part of it was wasted, and what was odd in its logs.",
    .examples = "  smilog summarize                          the runs below this directory\n"
                "  smilog summarize -v out/lr=0.1/seed3      one run in full\n"
                "  smilog summarize out/ -o runs.csv         a row a run, for a spreadsheet\n"
                "  smilog summarize --json hw_metrics.csv    everything about one log\n"
                "  smilog summarize --where 'idle_pct > 10 and param.lr < 0.1' --sort -idle_pct\n"
                "  smilog summarize --group-by param.lr --columns gpu_util_mean_pct,energy_wh\n"
                "  nvidia-smi --query-gpu=timestamp,utilization.gpu --format=csv |\n"
                "      smilog summarize -\n",
    .opts = opts,
    .run = run,
};

int smi_nothing(const char *const *path, size_t n, const struct smi_settings *set)
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

int smi_read_and_emit(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_again again = {path, n, &set->d, &set->o};
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
    s.again = &again;
    set->d.progress = NULL;
    doubt = smi_warn(&s, set);
    rc = s.usable ? smi_emit(&s, set) : smi_nothing(path, n, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

enum { PIECE = 1 << 16 /* bytes that are written at once */ };

/* Where documents go. */
struct stream {
    struct smi_file_out file;
    const char *name;
    struct smi_buf held; /* before the first usable input all, as a stream cannot take them back; then those at hand */
};

static int flush(struct stream *out, struct smi_err *err)
{
    int rc = out->held.failed ? smi_err_nomem(err)
                              : smi_file_put(out->file.fd, out->held.p, out->held.n, out->name, err);
    smi_buf_clear(&out->held);
    return rc;
}

static int put(void *self, const struct smi_buf *document, bool usable, struct smi_err *err)
{
    struct stream *out = self;
    if (document->n)
        smi_buf_add(&out->held, document->p, document->n);
    return out->held.failed || (usable && out->held.n >= PIECE) ? flush(out, err) : 0;
}

/* Each run goes out as soon as it is its turn. */
static int in_order(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct stream out = {.name = set->output ? set->output : "-"};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_file_create(&out.file, out.name, &err), doubt;
    int64_t usable;
    if (rc)
        return smi_fail(&err, NULL);
    if (strcmp(out.name, "-") == 0)
        out.name = "standard output";
    if (!set->partial && !set->quiet && !isatty(out.file.fd)) /* the lines would go through that of the progress */
        set->d.progress = smi_progress;
    set->d.self = &p;
    if (smi_sweep_documents(&s, path, n, &set->d, &set->o, put, &out, &err) ||
        (s.usable && flush(&out, &err)))
        rc = -1;
    rc |= smi_file_close(&out.file, !rc && s.usable, &err);
    smi_progress_end(&p);
    smi_buf_fini(&out.held);
    doubt = rc ? smi_fail(&err, NULL) : smi_warn(&s, set);
    usable = rc ? 1 : s.usable;
    smi_sweep_fini(&s);
    return usable ? doubt : smi_nothing(path, n, set);
}

/* The command as it was typed. */
static void note_command(struct smi_buf *to, int argc, char **argv)
{
    smi_buf_str(to, "smilog");
    for (int i = 0; i < argc; i++) {
        smi_buf_char(to, ' ');
        smi_opt_word(to, argv[i], strlen(argv[i]));
    }
}

int smi_over_runs(const struct smi_cmd *cmd, int argc, char **argv, bool pages, smi_go_fn *go)
{
    static const char *const here[] = {"."};
    struct smi_settings set;
    struct smi_buf help = {0};
    struct smi_err err = {0};
    const char *const *path;
    int rc;
    smi_settings_init(&set);
    set.pages = pages;
    note_command(&set.command, argc, argv);
    rc = smi_opt_parse(cmd, &argc, argv, &set, &err);
    path = argc < 2 ? here : (const char *const *)argv + 1;
    for (int i = 1; !rc && i < argc; i++)
        if (!*argv[i])
            rc = smi_err_set(&err, SMI_EUSAGE, "a PATH is empty: a variable that is not set?");
    if (rc > 0) {
        smi_opt_help(&help, cmd);
        rc = smi_say(&help);
    } else if (rc || smi_settings_check(&set, &err)) {
        rc = smi_fail(&err, cmd->name);
    } else {
        rc = go(path, argc < 2 ? 1 : (size_t)argc - 1, &set);
    }
    smi_settings_fini(&set);
    return rc;
}

static int go(const char *const *path, size_t n, struct smi_settings *set)
{
    bool lines = set->partial || (set->writer->lines && !smi_ask_any(&set->ask));
    return (lines ? in_order : smi_read_and_emit)(path, n, set);
}

static int run(int argc, char **argv)
{
    return smi_over_runs(&smi_cmd_summarize, argc, argv, false, go);
}
