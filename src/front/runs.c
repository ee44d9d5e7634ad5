/* runs.c - what the commands over runs do: words to settings, paths to runs, runs to the way out. */
#include "front/runs.h"

#include "again/again.h"
#include "base/clock.h"
#include "front/emit.h"
#include "front/say.h"
#include "front/warn.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int smi_nothing_in(const char *const *path, size_t n, const struct smi_settings *set, struct smi_err *err)
{
    const char *others = n == 1 ? "" : " and the other paths";
    size_t i = 0;
    while (i < n && (strcmp(path[i], "-") == 0 || access(path[i], F_OK) == 0))
        i++;
    if (set->quiet && i < n) /* else that was said */
        return smi_err_set(err, SMI_EFORMAT, "no usable log in %.300s%s%.2s%.300s: %s", path[0], others,
                           n == 1 ? "" : ": ", n == 1 ? "" : path[i], strerror(errno));
    return smi_err_set(err, SMI_EFORMAT, "no usable log in %.300s%s", path[0], others);
}

int smi_nothing(const char *const *path, size_t n, const struct smi_settings *set)
{
    struct smi_err err = {0};
    if (set->input_format)
        smi_err_set(&err, SMI_EFORMAT, "no line of the format %s (--input-format) in %.300s%s", set->input_format,
                    path[0], n == 1 ? "" : " and the other paths");
    smi_nothing_in(path, n, set, &err);
    smi_fail(&err, NULL);
    return SMI_EXIT_NOTHING;
}

int smi_read_runs(struct smi_sweep *s, const char *const *path, size_t n, struct smi_settings *set,
                  struct smi_err *err)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    int rc;
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = smi_sweep_read(s, path, n, &set->d, &set->o, err);
    smi_progress_end(&p);
    set->d.progress = NULL;
    return rc;
}

int smi_read_and_emit(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_again again = {path, n, &set->d, &set->o};
    struct smi_progress p = {.again = true};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc, doubt;
    if (smi_read_runs(&s, path, n, set, &err))
        return smi_fail(&err, NULL);
    s.again = &again;
    doubt = smi_warn(&s, set);
    p.start_ms = smi_clock_now_ms();
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = s.usable ? smi_emit(&s, set) : smi_nothing(path, n, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
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
    } else if (rc || smi_settings_check(&set, &err) ||
               smi_settings_guard(&set, path, argc < 2 ? 1 : (size_t)argc - 1, &err)) {
        rc = smi_fail(&err, cmd->name);
    } else {
        rc = go(path, argc < 2 ? 1 : (size_t)argc - 1, &set);
    }
    smi_settings_fini(&set);
    return rc;
}
