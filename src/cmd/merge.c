/* merge.c - partial summaries to one. All or nothing: a sum with a part missing would look like a result. */
#include "cmd/settings.h"

#include "base/file.h"
#include "partial/partial.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const struct smi_opt *const opts[] = {smi_opts_output, smi_opts_which, smi_opts_ask, smi_opts_choice, NULL};

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_merge = {
    .name = "merge",
    .args = "[OPTION]... FILE...",
    .help = "Partial summaries of the same runs, or of different ones, as one sweep.",
    .examples = "  smilog summarize --partial part1/ -o 1.partial    on one machine\n"
                "  smilog summarize --partial part2/ -o 2.partial    on another\n"
                "  smilog merge 1.partial 2.partial                  as if it had been one\n"
                "  smilog merge --run all --json *.partial           all parts are of one run\n",
    .opts = opts,
    .run = run,
};

/* One file of documents, a line each, of any length. */
struct input {
    const char *name;
    const char *run; /* --run, or NULL */
    struct smi_buf line;
};

static int take_line(struct smi_partials *p, struct input *in, struct smi_err *err)
{
    int rc = in->line.failed ? smi_err_nomem(err) : 0;
    if (!rc && in->line.n)
        rc = smi_partial_get(p, in->line.p, in->line.n, in->name, in->run, err);
    smi_buf_clear(&in->line);
    return rc;
}

static int take_piece(struct smi_partials *p, struct input *in, const char *at, size_t n, struct smi_err *err)
{
    for (const char *end = at + n, *lf; at < end; at = lf + 1) {
        lf = memchr(at, '\n', (size_t)(end - at));
        smi_buf_add(&in->line, at, (size_t)((lf ? lf : end) - at));
        if (!lf)
            break;
        if (take_line(p, in, err))
            return -1;
    }
    return 0;
}

static int take_file(struct smi_partials *p, const char *path, const char *run_name, struct smi_err *err)
{
    struct input in = {.name = strcmp(path, "-") == 0 ? "standard input" : path, .run = run_name};
    struct smi_file_info info;
    char piece[65536];
    ssize_t n = 0;
    size_t all = 0;
    int fd = smi_file_open(AT_FDCWD, path, true, &info, err), rc = fd < 0 ? -1 : 0;
    for (; !rc && (n = smi_file_read(fd, piece, sizeof piece, in.name, err)) > 0; all += (size_t)n)
        rc = take_piece(p, &in, piece, (size_t)n, err);
    if (!rc)
        rc = n < 0 ? -1 : take_line(p, &in, err);
    if (!rc && !all)
        rc = smi_err_set(err, SMI_EFORMAT, "%.300s: is empty, and no partial summary", in.name);
    if (fd >= 0)
        close(fd);
    smi_buf_fini(&in.line);
    return rc;
}

static int merge(int n, char **path, const struct smi_settings *set)
{
    struct smi_partials p = {0};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = 0, doubt;
    for (int i = 0; i < n && !rc; i++)
        rc = take_file(&p, path[i], set->d.run, &err);
    rc = rc ? rc : smi_sweep_merge(&s, &p, &set->o, &err);
    smi_partials_fini(&p);
    if (rc) {
        smi_fail(&err, NULL);
        return err.code == SMI_ENOMEM ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
    }
    doubt = smi_warn(&s, set);
    rc = smi_emit(&s, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

static int run(int argc, char **argv)
{
    struct smi_settings set;
    struct smi_buf help = {0};
    struct smi_err err = {0};
    int rc;
    smi_settings_init(&set);
    rc = smi_opt_parse(&smi_cmd_merge, &argc, argv, &set, &err);
    if (!rc && argc < 2)
        rc = smi_err_set(&err, SMI_EUSAGE, "merge wants the files to merge");
    if (rc > 0) {
        smi_opt_help(&help, &smi_cmd_merge);
        rc = smi_say(&help);
    } else if (rc || smi_settings_check(&set, &err)) {
        rc = smi_fail(&err, "merge");
    } else {
        rc = merge(argc - 1, argv + 1, &set);
    }
    smi_settings_fini(&set);
    return rc;
}
