/* job_start.c - fork and exec: the command begins as if the shell had started it. */
#include "process/job_private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXEC_MS = 1000, NOT_RUN = 126, NOT_FOUND = 127 };

static int exec_error_status(int why)
{
    return why == ENOENT || why == ENOTDIR ? NOT_FOUND : NOT_RUN;
}

/* Of us now, from /proc/self/statm: "2571 1286 1071 ..." in pages, the second is what is resident; 0: not
 * known. */
static int64_t resident_kib(void)
{
    char text[128];
    int64_t pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    for (const char *p = strchr(text, ' '); p && p[1] >= '0' && p[1] <= '9'; p++)
        pages = 10 * pages + (p[1] - '0');
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Between fork and exec. */
__attribute__((noreturn)) static void become(const struct smi_job *j, char *const *argv, int told)
{
    smi_job_child_signals(&j->before);
    execvp(argv[0], argv);
    int why = errno;
    if (write(told, &why, sizeof why) < 0)
        _exit(NOT_RUN);
    _exit(exec_error_status(why));
}

/* What exec said: 0 if it went well, or is not known within EXEC_MS. */
static int wait_for_exec(int *told)
{
    struct pollfd p = {.fd = *told, .events = POLLIN};
    int why = 0, ready;
    do
        ready = poll(&p, 1, EXEC_MS);
    while (ready < 0 && errno == EINTR);
    if (ready <= 0)
        return 0; /* it stays open: that the answer comes late is not to end the child by SIGPIPE */
    if (read(*told, &why, sizeof why) != (ssize_t)sizeof why)
        why = 0;
    close(*told);
    *told = -1;
    return why;
}

static int start_error(const char *what, int why, int *status, struct smi_err *err)
{
    *status = exec_error_status(why);
    if (why == ENOENT && strchr(what, '/') && access(what, F_OK) == 0) {
        *status = NOT_RUN;
        return smi_err_set(err, SMI_EIO, "cannot run %s: the interpreter that it names is not there", what);
    }
    if (why == ENOENT && !strchr(what, '/'))
        return smi_err_set(err, SMI_EIO, "cannot run %s: command not found", what);
    return smi_err_set(err, SMI_EIO, "cannot run %s: %s", what, strerror(why));
}

int smi_job_start(struct smi_job *j, char *const *argv, int *status, struct smi_err *err)
{
    int told[2];
    *status = NOT_RUN;
    if (pipe2(told, O_CLOEXEC))
        return smi_err_set(err, SMI_EIO, "cannot run %s: %s", argv[0], strerror(errno));
    j->image_kib = resident_kib();
    j->pid = fork();
    int why = errno;
    if (j->pid == 0)
        become(j, argv, told[1]);
    close(told[1]);
    j->told = told[0];
    if (j->pid > 0) {
        why = wait_for_exec(&j->told);
        if (!why)
            return 0;
        waitpid(j->pid, NULL, 0); /* it is at its exit */
    }
    j->pid = 0;
    return start_error(argv[0], why, status, err);
}
