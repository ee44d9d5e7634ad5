/* read_runs.c - what the commands over runs do: words to settings, paths to runs, runs to the way out. */
#include "cli/settings.h"
#include "sweep/reread.h"
#include "export/stored.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int smi_explain_no_input(const char *const *path, size_t n, const struct smi_settings *set,
                         struct smi_err *err)
{
    const char *others = n == 1 ? "" : " and the other paths";
    size_t i = 0;
    while (i < n && (strcmp(path[i], "-") == 0 || access(path[i], F_OK) == 0))
        i++;
    if (set->look.quiet && i < n) /* else that was said */
        return smi_err_set(err, SMI_EFORMAT, "no usable log in %.300s%s%.2s%.300s: %s", path[0], others,
                           n == 1 ? "" : ": ", n == 1 ? "" : path[i], strerror(errno));
    return smi_err_set(err, SMI_EFORMAT, "no usable log in %.300s%s", path[0], others);
}

int smi_fail_no_input(const char *const *path, size_t n, const struct smi_settings *set)
{
    struct smi_err err = {0};
    if (set->input_format)
        smi_err_set(&err, SMI_EFORMAT, "no line of the format %s (--input-format) in %.300s%s",
                    set->input_format, path[0], n == 1 ? "" : " and the other paths");
    smi_explain_no_input(path, n, set, &err);
    return smi_fail_reading(&err);
}

/* ---- what is stored ---- */

bool smi_is_stored_path(const char *path)
{
    return smi_stored_has_prefix(path) || (strcmp(path, "-") == 0 && smi_side_kind(path) == SMI_SIDE_PARTIAL);
}

/* How logs are read was decided when the partial summaries were made of them. */
static int check_options(const struct smi_settings *set, const char *path, struct smi_err *err)
{
    struct smi_settings logs = *set, defaults;
    struct smi_buf given = {0};
    int rc = 0;
    smi_settings_init(&defaults);
    logs.d.follow_links = false; /* to directories of partial summaries, too */
    smi_opt_write_given(&given, "i", &logs, &defaults);
    smi_buf_char(&given, 0);
    if (given.n > 1)
        rc = smi_err_set(err, SMI_EUSAGE,
                         "%.200s holds partial summaries; give these options when you make them:%.200s", path,
                         given.p);
    smi_buf_fini(&given);
    return rc;
}

/* What was typed: the places that it means, in the heap and borrowed from s; or NULL, and the sweep of its
 * logs in s. */
static int find_places(struct smi_sweep *s, const char *const *path, size_t n, struct smi_settings *set,
                       const char ***place, size_t *places, struct smi_err *err)
{
    const char **word = smi_mem_new(2 * n, sizeof *word), **all = NULL;
    size_t named = 0, found = 0;
    int rc = 0;
    for (size_t i = 0; i < n; i++) /* those that are places, and behind all of them the others */
        if (smi_is_stored_path(path[i]))
            word[named++] = path[i];
        else
            word[n + i - named] = path[i];
    set->d.stored = true;
    memset(s, 0, sizeof *s);
    if (named < n)
        rc = smi_sweep_read(s, named ? word + n : path, n - named, &set->d, &set->o, err);
    found = rc ? 0 : s->nstored;
    if (!rc && named && named < n && !found)
        rc = smi_err_set(err, SMI_EUSAGE,
                         "%.200s is a stored sweep, and %.200s is not: give them apart, or make "
                         "partial summaries of the logs too (smilog summarize --partial)",
                         word[0], word[n]);
    if (!rc && named + found)
        all = smi_mem_new(named + found, sizeof *all);
    for (size_t i = 0; all && i < named + found; i++)
        all[i] = i < named ? word[i] : s->stored[i - named];
    smi_mem_free(word);
    *place = all;
    *places = named + found;
    if (!rc && all)
        rc = set->sides ? 0 : check_options(set, all[0], err);
    if (!rc && all)
        rc = smi_settings_check_overwrite(set, all, *places, err);
    return rc;
}

/* Logs, unless some word is a place, or is found to hold partial summaries. */
static int read_runs_or_stored(struct smi_sweep *s, const char *const *path, size_t n,
                               struct smi_settings *set, struct smi_err *err)
{
    struct smi_sweep all;
    const char **place = NULL;
    size_t places = 0;
    int rc = find_places(s, path, n, set, &place, &places, err);
    if (!rc && place)
        rc = smi_stored_read(&all, place, places, set->d.run, &set->o, NULL, NULL, err);
    if (!rc && place) { /* they may be of s */
        smi_sweep_fini(s);
        *s = all;
        smi_sweep_title(s, path, n);
    }
    if (rc)
        smi_sweep_fini(s);
    smi_mem_free(place);
    return rc;
}

/* The same, to partial summaries again. */
static int merge_stored_runs(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_sweep s;
    struct smi_err err = {0};
    const char **place = NULL;
    size_t places = 0;
    int rc = find_places(&s, path, n, set, &place, &places, &err);
    if (rc)
        rc = smi_fail_reading(&err);
    else
        rc = place ? smi_merge_partials(place, places, set) : smi_fail_no_input(path, n, set);
    smi_sweep_fini(&s);
    smi_mem_free(place);
    return rc;
}

int smi_read_runs(struct smi_sweep *s, const char *const *path, size_t n, struct smi_settings *set,
                  struct smi_err *err)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    int rc;
    set->d.progress = set->look.quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = read_runs_or_stored(s, path, n, set, err);
    smi_progress_end(&p);
    set->d.progress = NULL;
    return rc;
}

int smi_fail_reading(const struct smi_err *err)
{
    smi_fail(err, NULL);
    return err->code == SMI_EUSAGE ? SMI_EXIT_USAGE : SMI_EXIT_NOTHING;
}

int smi_read_and_write(const char *const *path, size_t n, struct smi_settings *set)
{
    struct smi_reread again = {path, n, &set->d, &set->o};
    struct smi_progress p = {.again = true};
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc, doubt;
    if (set->partial)
        return merge_stored_runs(path, n, set);
    if (smi_read_runs(&s, path, n, set, &err))
        return smi_fail_reading(&err);
    s.again = s.nstored ? NULL : &again;
    doubt = smi_print_warnings(&s, set);
    p.start_ms = smi_clock_now_ms();
    set->d.progress = set->look.quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = s.usable ? smi_write_result(&s, set) : smi_fail_no_input(path, n, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

/* ---- --timeout and --exit-zero: for epilogs of batch systems, where a status other than 0 or a file system
 * that hangs takes a machine out of service ---- */

/* Whether the other end of the pipe is closed in time, as the child's is when it ends. */
static bool wait_for_end(int pipe_end, int64_t until_ms)
{
    struct pollfd end = {.fd = pipe_end};
    int n = -1;
    while (n < 0) { /* again after a signal */
        const int64_t left = until_ms - smi_clock_now_ms();
        const struct timespec wait = {left / 1000, left % 1000 * 1000000};
        n = left > 0 ? ppoll(&end, 1, &wait, NULL) : 0;
    }
    return n > 0;
}

/* Hands on all that is in the file. Returns 0, or -1 with err. */
static int copy_output(int from, struct smi_err *err)
{
    enum { PIECE = 1 << 14 };
    char piece[PIECE];
    ssize_t n;
    for (int64_t at = 0; (n = smi_file_read_at(from, piece, PIECE, at, "the output", err)) > 0; at += n)
        if (smi_file_write(STDOUT_FILENO, piece, (size_t)n, "standard output", err))
            return -1;
    return (int)n;
}

static int run_in_child(smi_run_command_fn *go, const char *const *path, size_t n, struct smi_settings *set)
{
    const int64_t until_ms = smi_clock_now_ms() + set->timeout / 1000;
    const int out = memfd_create("output", MFD_CLOEXEC);
    struct smi_err err = {0};
    int status = 0, rc = SMI_EXIT_NOTHING, end[2] = {-1, -1};
    signal(SIGCHLD, SIG_DFL); /* ignored, nobody could be waited for */
    const pid_t child = out < 0 || pipe2(end, O_CLOEXEC) ? -1 : fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(dup2(out, STDOUT_FILENO) < 0 ? SMI_EXIT_OUTPUT : go(path, n, set));
    }
    if (child > 0)
        close(end[1]);
    if (child < 0) {
        smi_err_set(&err, SMI_EIO, "cannot start a process: %s", strerror(errno));
        rc = smi_fail(&err, NULL);
    } else if (!wait_for_end(end[0], until_ms)) {
        kill(child, SIGKILL); /* if it hangs in the system, nobody can wait for it */
        smi_err_set(&err, SMI_EIO, "not done in %lld.%03lld s (--timeout)",
                    (long long)(set->timeout / 1000000), (long long)(set->timeout / 1000 % 1000));
        smi_fail(&err, NULL);
    } else if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
        smi_err_set(&err, SMI_EIO, "ended by signal %d", WTERMSIG(status));
        rc = smi_fail(&err, NULL);
    } else {
        rc = copy_output(out, &err) ? smi_fail(&err, NULL) : WEXITSTATUS(status);
    }
    close(end[0]);
    close(out);
    return rc;
}

/* Does `go`, and returns its smi_exit. With set->timeout that is done by a child, whose standard output is
 * handed on as a whole when it is over; if it is not in time it is killed, nothing of its output is used, a
 * sentence says so, and the status is SMI_EXIT_NOTHING. With set->exit_zero there is a line of `--format
 * line` in any case. */
static int run_with_deadline(smi_run_command_fn *go, const char *const *path, size_t n,
                             struct smi_settings *set)
{
    static const char *const line[] = {"{\"v\":1,\"ngpu\":0,\"state\":\"no-data\"}\n",
                                       "{\"v\":1,\"ngpu\":0,\"state\":\"no-data\",\"note\":\"timeout\"}\n"};
    int64_t begin_ms = smi_clock_now_ms();
    struct smi_buf b = {0};
    int rc = set->timeout ? run_in_child(go, path, n, set) : go(path, n, set);
    if (set->exit_zero && rc == SMI_EXIT_NOTHING && set->writer && strcmp(set->writer->name, "line") == 0) {
        /* one line always, even without data, because callers parse it */
        smi_buf_str(&b, line[set->timeout && smi_clock_now_ms() - begin_ms >= set->timeout / 1000]);
        smi_write_text(&b, set);
    }
    return rc;
}

/* ---- the frame of a command over runs ---- */

int smi_run_command(const struct smi_cmd *cmd, int argc, char **argv, struct smi_settings *set,
                    smi_check_command_fn *check, smi_run_command_fn *go)
{
    static const char *const here[] = {"."};
    struct stat in;
    struct smi_err err = {0};
    const char *const *path;
    size_t n;
    int rc;
    /* The command as it was typed. */
    smi_buf_str(&set->command, "smilog");
    for (int i = 0; i < argc; i++) {
        smi_buf_char(&set->command, ' ');
        smi_opt_quote(&set->command, argv[i], strlen(argv[i]));
    }
    rc = smi_opt_begin(cmd, &argc, argv, set);
    path = (const char *const *)argv + 1;
    n = (size_t)argc - 1;
    for (size_t i = 0; rc < 0 && i < n && !err.code; i++)
        if (!*path[i])
            smi_err_set(&err, SMI_EUSAGE, "a PATH is empty: a variable that is not set?");
    if (rc < 0 && (err.code || (check ? check(set, path, n, &err) : smi_settings_check(set, &err)) ||
                   smi_settings_check_overwrite(set, path, n, &err) ||
                   (cmd != &smi_commands[SMI_COMMAND_MERGE] && smi_query_check(&set->ask, &err))))
        rc = smi_fail(&err, cmd->name);
    if (rc < 0 && !n && !set->look.quiet && fstat(0, &in) == 0 && S_ISFIFO(in.st_mode))
        fprintf(
            stderr,
            "smilog: standard input is not read, but the logs below this directory: smilog %s - reads it\n",
            cmd->name);
    if (rc < 0)
        rc = run_with_deadline(go, n ? path : here, n ? n : 1, set);
    smi_settings_fini(set);
    return rc;
}

int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd,
                  int *doubt)
{
    static const char *const tables[] = {"gpus", "phases", "findings"};
    const enum smi_side_kind kind = smi_side_kind(path);
    struct smi_err err = {0};
    int rc;
    /* a JSON holds what one row says of a run: of the other tables it would answer with nothing */
    for (int i = 0; i < 3 && kind == SMI_SIDE_JSON && set->ask.where; i++)
        if (strcasestr(set->ask.where, tables[i]))
            smi_err_set(&err, SMI_EUSAGE, "--where: %.200s is JSON, and has no table %s: give the logs", path,
                        tables[i]);
    if (err.code)
        return smi_fail(&err, cmd);
    set->sides = true;
    if (smi_side_is_json(path) ? smi_side_read(s, path, &err) : smi_read_runs(s, &path, 1, set, &err))
        return smi_fail_reading(&err);
    *doubt |= smi_print_warnings(s, set);
    rc = smi_choose_runs(s, set);
    if (rc || (s->usable && s->n))
        return rc;
    if (s->all)
        smi_err_set(&err, SMI_EFORMAT, "no run of %.300s is what was asked for", path);
    smi_explain_no_input(&path, 1, set, &err);
    return smi_fail_reading(&err);
}

void smi_warn_one_run(const char *a, const char *b, const struct smi_sweep *of_a,
                      const struct smi_sweep *of_b, const struct smi_settings *set)
{
    struct smi_buf text = {0};
    if (set->look.quiet ||
        !smi_sides_are_one_run((const char *const[]){a, b}, (const struct smi_sweep *[]){of_a, of_b}))
        return;
    smi_buf_str(&text, "smilog: warning: ");
    smi_buf_name(&text, smi_text_of(a));
    smi_buf_str(&text, " and ");
    smi_buf_name(&text, smi_text_of(b));
    smi_buf_str(&text, " are logs of one run, compared with itself; --run-per file compares the files\n");
    smi_tell(&text);
}

/* Of the sweep nothing but its doubts is wanted: with a text, summaries are brief (smi_run_store_move). */
static void discard_warnings(struct smi_buf *to, const struct smi_summary *s)
{
    (void)to;
    (void)s;
}

int smi_merge_partials(const char *const *place, size_t n, const struct smi_settings *set)
{
    struct smi_document_file to = {.documents = 0};
    struct smi_options o = set->o;
    struct smi_sweep s;
    struct smi_err err = {0};
    int rc = smi_text_file_open(&to.file, set->output ? set->output : "-", &err), doubt = 0;
    bool read;
    if (rc)
        return smi_fail(&err, NULL);
    o.text = discard_warnings;
    rc = smi_stored_read(&s, place, n, set->d.run, &o, smi_document_put, &to, &err);
    read = !rc;
    rc |= smi_text_file_close(&to.file, !rc, &err);
    if (read) {
        doubt = smi_print_warnings(&s, set);
        smi_sweep_fini(&s);
    }
    if (rc)
        smi_fail(&err, NULL);
    return !rc ? doubt : read || to.failed ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
}

int smi_write_run_summary(const char *dir, struct smi_err *err)
{
    struct smi_settings set;
    struct smi_sweep s = {0};
    struct smi_buf b = {0}, path = {0};
    struct smi_render_options look;
    int rc;
    smi_settings_init(&set);
    set.json = true;
    rc = smi_settings_check(&set, err) || smi_sweep_read(&s, &dir, 1, &set.d, &set.o, err);
    if (rc == 0) {
        look = smi_render_options_of(&set);
        smi_write_json(&b, &s, &look);
        smi_buf_fmt(&path, "%s/summary.json", dir);
        rc = smi_text_file_put(path.p, &b, err);
    }
    smi_sweep_fini(&s);
    smi_buf_fini(&b);
    smi_buf_fini(&path);
    smi_settings_fini(&set);
    /* Beside a job that needs the memory: what reading all logs took goes back to the system. */
    malloc_trim(0);
    return rc ? -1 : 0;
}
