/* command.h - what a tracked command used (smilog run), as rows that every output loops over: no output knows
 * their metrics. */
#ifndef SMI_SUMMARY_COMMAND_H
#define SMI_SUMMARY_COMMAND_H

#include "summary/summary.h"

enum smi_command_part { SMI_COMMAND_ALL, SMI_COMMAND_MAIN, SMI_COMMAND_DESCENDANTS, SMI_COMMAND_PARTS };

struct smi_command_use {
    const char *what;
    const char *unit;              /* beside the metric's own: "of a core"; or NULL */
    bool mean;                     /* its mean says something; else its largest value does */
    bool brief;                    /* stands in a row that tells of all */
    int metric[SMI_COMMAND_PARTS]; /* -1: nobody measures that */
};
extern const struct smi_command_use smi_command_uses[];
enum { SMI_COMMAND_USES = 7 };

struct smi_command_figures {
    bool there; /* one of them */
    struct smi_value mean, max;
};

/* What a run says of it: as its tracker told at the end, of the whole time; else as the samples are. A mean
 * that is not told, and a maximum that they exceed, are theirs. */
struct smi_command_figures smi_command_figures(const struct smi_summary *s, const struct smi_command_use *u,
                                               enum smi_command_part part);
/* Was its command tracked? */
bool smi_command_is_tracked(const struct smi_summary *s);
/* Is a metric of a tracked command? And none that stands for the whole of it? */
bool smi_command_is_metric(unsigned metric);
bool smi_command_is_detail(unsigned metric);

#endif
