/* cpu_ticks.h - the first line of /proc/stat, and what two of them say: the one rule for logs and for the
 * machine itself.
 *
 *     cpu  60683 0 14574 189323 863 0 329 330 0 0
 *
 * user nice system idle [iowait irq softirq steal guest guest_nice] in ticks since boot; kernels
 * before 2.6.33 print fewer. guest is in user already, and guest_nice in nice: only the first eight add up.
 * Source: proc_stat(5). */
#pragma once

#include "formats/column.h"

enum { SMI_CPU_TICKS = 8 };

struct smi_cpu_ticks {
    int64_t of[SMI_CPU_TICKS]; /* what a kernel does not print is 0 */
};

/* Shares of all CPUs' time between two lines, in millionths of a percent. */
struct smi_cpu_shares {
    int64_t usr, idle;    /* usr: nice included; idle: without waiting for disks */
    int64_t busy, iowait; /* busy: neither idle nor waiting */
};

/* Whether line is such a line: "cpu" and at least four numbers. */
bool smi_cpu_ticks_read(struct smi_text line, struct smi_cpu_ticks *ticks);
/* Is this word the name of a single CPU, "cpu12"? */
bool smi_cpu_ticks_is_cpu(struct smi_text word);
/* Counters may step back (iowait is not reliable, CPUs go away): a difference below 0 is taken for 0. Returns
 * false if no time has passed. */
bool smi_cpu_ticks_shares(const struct smi_cpu_ticks *before, const struct smi_cpu_ticks *now,
                          struct smi_cpu_shares *s);
