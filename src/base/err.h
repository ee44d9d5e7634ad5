/* err.h - the error value: a code for programs, one sentence for people. The first error wins. */
#pragma once

#include <stdint.h>

/* ---- the end of a process in words ---- */

enum { SMI_EXIT_TEXT = 40 };

/* Writes "exit status 3", or "killed by SIGKILL" for 137: a shell reports 128 + N after signal N. Returns to.
 */
const char *smi_exit_text(char to[SMI_EXIT_TEXT], int64_t code);

enum smi_code {
    SMI_OK = 0,
    SMI_EIO,        /* the operating system said no: text names the path and the reason */
    SMI_ELIMIT = 3, /* a named limit was passed */
    SMI_EUSAGE,     /* the caller asked for something that does not exist */
    SMI_EFORMAT     /* the bytes are not what they have to be */
};

struct smi_err {
    int code;       /* an smi_code; 0 while nothing has gone wrong */
    char text[480]; /* UTF-8, no newline */
};

/* Fills err unless it already holds an error; err may be NULL. Always returns -1, so that
 * `return smi_err_set(...)` reads well. */
int smi_err_set(struct smi_err *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
