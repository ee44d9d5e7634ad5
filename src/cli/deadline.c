/* deadline.c - --timeout and --exit-zero */
#include "cli/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIECE = 1 << 14 };

/* What a child prints, until its end or that of the time. Returns 1 in time, 0 not, -1 with err. */
static int read_child_output(int from, struct smi_buf *to, int64_t until_ms, struct smi_err *err)
{
    struct pollfd wait = {.fd = from, .events = POLLIN};
    char piece[PIECE];
    for (int64_t now = smi_clock_now_ms(); now < until_ms; now = smi_clock_now_ms()) {
        const int64_t left = until_ms - now;
        ssize_t n;
        n = poll(&wait, 1, left < INT_MAX ? (int)left : INT_MAX);
        if (n < 0 && errno != EINTR)
            return smi_err_set(err, SMI_EIO, "poll: %s", strerror(errno));
        if (n <= 0)
            continue;
        n = smi_file_read(from, piece, sizeof piece, "a pipe", err);
        if (n <= 0)
            return n < 0 ? -1 : 1;
        smi_buf_add(to, piece, (size_t)n);
    }
    return 0;
}

/* It may have closed its output, and go on. */
static bool wait_for_child(pid_t child, int *status, int64_t until_ms)
{
    pid_t got;
    while ((got = waitpid(child, status, WNOHANG)) == 0 && smi_clock_now_ms() < until_ms)
        poll(NULL, 0, 2);
    return got == child || (got < 0 && errno != EINTR);
}

/* Hands on what was printed, and returns the status; or says that there was no time. */
static int finish_child(pid_t child, int from, int64_t until_ms, const struct smi_settings *set)
{
    struct smi_buf out = {0};
    struct smi_err err = {0};
    int status = 0, rc = read_child_output(from, &out, until_ms, &err);
    if (rc > 0 && !wait_for_child(child, &status, until_ms))
        rc = 0;
    if (rc > 0 && !WIFEXITED(status))
        rc = smi_err_set(&err, SMI_EIO, "ended by signal %d", WTERMSIG(status));
    if (rc > 0) {
        rc = smi_file_write(STDOUT_FILENO, out.p, out.n, "standard output", &err) ? smi_fail(&err, NULL)
                                                                                  : WEXITSTATUS(status);
    } else if (rc < 0) {
        rc = smi_fail(&err, NULL);
    } else { /* if it hangs in the system, nobody can wait for it */
        kill(child, SIGKILL);
        smi_err_set(&err, SMI_EIO, "not done in %lld.%03lld s (--timeout)",
                    (long long)(set->timeout / 1000000), (long long)(set->timeout / 1000 % 1000));
        smi_fail(&err, NULL);
        rc = SMI_EXIT_NOTHING;
    }
    smi_buf_fini(&out);
    return rc;
}

static int run_in_child(smi_run_command_fn *go, const char *const *path, size_t n, struct smi_settings *set)
{
    int64_t until_ms = smi_clock_now_ms() + set->timeout / 1000;
    struct smi_err err = {0};
    int to[2], rc;
    pid_t child;
    if (pipe2(to, O_CLOEXEC)) {
        smi_err_set(&err, SMI_EIO, "cannot make a pipe: %s", strerror(errno));
        return smi_fail(&err, NULL);
    }
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(to[0]);
        if (dup2(to[1], STDOUT_FILENO) < 0)
            _exit(SMI_EXIT_OUTPUT);
        close(to[1]);
        _exit(go(path, n, set));
    }
    close(to[1]);
    if (child < 0) {
        smi_err_set(&err, SMI_EIO, "cannot start a process: %s", strerror(errno));
        rc = smi_fail(&err, NULL);
    } else {
        rc = finish_child(child, to[0], until_ms, set);
    }
    close(to[0]);
    return rc;
}

int smi_run_with_deadline(smi_run_command_fn *go, const char *const *path, size_t n, struct smi_settings *set)
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
