/* warnings.h - the voice on standard error while and after runs are read: progress, and what was odd. */
#ifndef SMI_CLI_WARNINGS_H
#define SMI_CLI_WARNINGS_H

#include "cli/settings.h"

#include <pthread.h>

/* Tells on standard error what was odd; returns SMI_EXIT_WARNING if anything was, and --strict; else
 * SMI_EXIT_NOTHING if a PATH could not be opened. */
int smi_print_warnings(const struct smi_sweep *s, const struct smi_settings *set);
/* A progress line on standard error, if that is a terminal, from the second second on. For d.progress;
 * d.self. While one log is read nobody calls: then a thread tells how much was read. */
struct smi_progress {
    int64_t start_ms, last_ms;
    bool again;                     /* the runs are read a second time */
    bool shown, watched, over, off; /* off: nobody looks at a terminal */
    size_t done, all;               /* what was printed last */
    pthread_t watcher;
    pthread_mutex_t lock;
    pthread_cond_t ended;
};
void smi_progress(void *self, size_t done, size_t all);
/* Takes the line away. */
void smi_progress_end(struct smi_progress *p);

#endif
