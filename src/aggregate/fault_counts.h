/* fault_counts.h - what went wrong in one input, as its cells and messages tell: how often, first and last
 * time. Parts join exactly: a message has no time of its own, and takes that of the row before it, which an
 * earlier part may hold. */
#ifndef SMI_AGGREGATE_FAULT_COUNTS_H
#define SMI_AGGREGATE_FAULT_COUNTS_H

#include "base/err.h"
#include "model/line_account.h"
#include "model/sample.h"

/* SMI_FAULTS_MAX: of one log; all others of a kind are one, of no GPU in particular. */
enum { SMI_FAULT_BUS_MAX = 20, SMI_FAULTS_MAX = 256 };

struct smi_fault_count {
    int id;                      /* an smi_fault_id */
    int who;                     /* device number, or -1 */
    int64_t code;                /* of an XID or a recovery action; else 0 */
    char bus[SMI_FAULT_BUS_MAX]; /* the GPU that a message names, or "" */
    int64_t n;                   /* rows or lines that told it */
    bool open;                   /* the first of them came before any row with a time */
    bool timed;                  /* some of them did not: */
    int64_t first_ms, last_ms;   /* in the order of the log */
};

/* Zero-initialise. */
struct smi_fault_list {
    struct smi_fault_count *list;
    size_t n, cap;
};

/* One more of the fault that a mark tells, at t_ms if timed. Returns 0, or -1 with err (memory). */
int smi_faults_add(struct smi_fault_list *l, const struct smi_mark *m, bool timed, int64_t t_ms);
/* A row with this time came before the whole list: those that were open are at that time. */
void smi_faults_set_open_time(struct smi_fault_list *l, int64_t t_ms);
/* Adds f, about device `who`, which comes after all of l. Same returns. */
int smi_faults_join(struct smi_fault_list *l, const struct smi_fault_count *f, int who);
void smi_faults_fini(struct smi_fault_list *l);

#endif
