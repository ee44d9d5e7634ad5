/* signal_name.h - the end of a process in words. */
#ifndef SMI_BASE_SIGNAL_NAME_H
#define SMI_BASE_SIGNAL_NAME_H

#include <stdint.h>

enum { SMI_EXIT_TEXT = 40 };

/* "SIGTERM"; NULL: the signal has no name of its own. */
const char *smi_signal_name(int n);
/* Writes "exit status 3", or "killed by SIGKILL" for 137: a shell reports 128 + N after signal N. Returns to.
 */
const char *smi_exit_text(char to[SMI_EXIT_TEXT], int64_t code);

#endif
