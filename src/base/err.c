/* err.c - errors, and signals in words */
#include "base/err.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

int smi_err_set(struct smi_err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err || err->code)
        return -1;
    err->code = code;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return -1;
}

#define NAME(signal) [signal] = #signal
static const char *const names[] = {
    NAME(SIGHUP),    NAME(SIGINT),  NAME(SIGQUIT), NAME(SIGILL),  NAME(SIGTRAP),   NAME(SIGABRT),
    NAME(SIGBUS),    NAME(SIGFPE),  NAME(SIGKILL), NAME(SIGUSR1), NAME(SIGSEGV),   NAME(SIGUSR2),
    NAME(SIGPIPE),   NAME(SIGALRM), NAME(SIGTERM), NAME(SIGCHLD), NAME(SIGCONT),   NAME(SIGSTOP),
    NAME(SIGTSTP),   NAME(SIGTTIN), NAME(SIGTTOU), NAME(SIGURG),  NAME(SIGXCPU),   NAME(SIGXFSZ),
    NAME(SIGPROF),   NAME(SIGIO),   NAME(SIGPWR),  NAME(SIGSYS),  NAME(SIGVTALRM), NAME(SIGWINCH),
#ifdef SIGSTKFLT
    NAME(SIGSTKFLT),
#endif
};

const char *smi_signal_name(int n)
{
    return n > 0 && n < (int)(sizeof names / sizeof *names) ? names[n] : NULL;
}

const char *smi_exit_text(char to[SMI_EXIT_TEXT], int64_t code)
{
    const char *name = code > 128 && code < 256 ? smi_signal_name((int)code - 128) : NULL;
    if (name)
        snprintf(to, SMI_EXIT_TEXT, "killed by %s", name);
    else
        snprintf(to, SMI_EXIT_TEXT, "exit status %" PRId64, code);
    return to;
}
