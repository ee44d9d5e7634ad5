/* format_info.h - what kind of log an input is, and on which base its times stand. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* On which base the times of an input stand. */
enum smi_time_base {
    SMI_TIME_BASE_NONE,  /* no times */
    SMI_TIME_BASE_LOCAL, /* local time without a zone: nvidia-smi */
    SMI_TIME_BASE_UTC,
    SMI_TIME_BASE_DAY,     /* time of day without a date: dmon -o T; from here on nothing tells the date */
    SMI_TIME_BASE_ELAPSED, /* since a beginning whose time is not known */
    SMI_TIME_BASES
};

#define SMI_FORMAT(id, reader, rank, name, base, flags, help) SMI_FMT_##id,
enum smi_format_id {
#include "model/format.def"
    SMI_FMT_COUNT
};
#undef SMI_FORMAT

/* Most formats have none: they have readings of GPUs (perhaps of the machine too), and their lines depend on
 * those above them. */
enum smi_format_flags {
    SMI_FORMAT_NO_GPU = 1,    /* it does not speak of GPUs */
    SMI_FORMAT_NO_ROWS = 2,   /* it has no readings */
    SMI_FORMAT_PROCESSES = 4, /* its rows are about processes: what it says of a GPU is added up from them */
    SMI_FORMAT_MARKS = 8,  /* it has phases or events: they are read before the rows of any log of the run */
    SMI_FORMAT_PIECES = 16 /* it can be read in pieces */
};

/* What is known of a format before its first byte is read. */
struct smi_format_info {
    const char *name, *help; /* name: as inputs[].format and --input-format say it */
    enum smi_time_base base; /* UTC; LOCAL: local or a time of day; NONE: each log tells by its content */
    bool gpu, rows, procs, marks, whole; /* see enum smi_format_flags; whole: never read in pieces */
    uint8_t rank;                        /* lines are shown to the formats in this order */
};

extern const struct smi_format_info smi_format_infos[SMI_FMT_COUNT];
