/* source.h - what kind of log an input is, and on which base its times stand. */
#ifndef SMI_SAMPLE_SOURCE_H
#define SMI_SAMPLE_SOURCE_H

/* On which base the times of an input stand. */
enum smi_base {
    SMI_BASE_NONE,  /* no times */
    SMI_BASE_LOCAL, /* local time without a zone: nvidia-smi */
    SMI_BASE_UTC,
    SMI_BASE_DAY    /* time of day without a date: dmon -o T */
};

/* Order = which format feeds a metric when several have it (numbers.md §5). */
enum smi_format_id { SMI_FMT_QUERY, SMI_FMT_DMON, SMI_FMT_CPU, SMI_FMT_RUNLOG, SMI_FMT_COUNT };

/* Their names, as inputs[].format and --input-format say them. */
extern const char *const smi_source_names[SMI_FMT_COUNT];

#endif
