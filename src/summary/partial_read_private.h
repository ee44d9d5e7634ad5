/* partial_read_private.h - what the two rooms that read partials back share: checked values. Not installed.
 */
#ifndef SMI_SUMMARY_PARTIAL_READ_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_READ_PRIVATE_H

#include "summary/partial.h"

#include <jansson.h>

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
#define SMI_PARTIAL_INT_MAX ((int64_t)1 << 53)
/* Microseconds from 1970 to the year 9999, and as far back. */
#define SMI_PARTIAL_US_MAX ((int64_t)1 << 58)
#define SMI_PARTIAL_DAY_MS ((int64_t)86400000)

/* The document that is read; the first thing wrong stops it. */
struct smi_partial_reader {
    struct smi_run *run;
    const char *name;
    struct smi_err *err;
    uint32_t doc;  /* its number, from 1, among those of the run */
    size_t number; /* the same in its file; 0: not known */
    bool bad;
};

/* The partial is broken: `what` names the place. Only the first word counts. */
void smi_partial_read_fail(struct smi_partial_reader *g, const char *what);
void *smi_partial_read_nomem(struct smi_partial_reader *g);
/* smi_mem_reserve; false if there is no memory. */
bool smi_partial_read_reserve(struct smi_partial_reader *g, void *p, size_t *cap, size_t n, size_t size);

/* An integer of at most 2^53 either way; 0 and wrong if it is none. */
int64_t smi_partial_read_int(struct smi_partial_reader *g, const json_t *v);
/* An instant in microseconds. */
int64_t smi_partial_read_us(struct smi_partial_reader *g, const json_t *v);
/* A reading: of a counter it may be larger. */
int64_t smi_partial_read_reading(struct smi_partial_reader *g, const json_t *v);
int64_t smi_partial_read_key_int(struct smi_partial_reader *g, const json_t *o, const char *key);
int64_t smi_partial_read_key_count(struct smi_partial_reader *g, const json_t *o,
                                   const char *key); /* not negative */
bool smi_partial_read_key_bool(const json_t *o, const char *key);
smi_i128 smi_partial_read_wide(struct smi_partial_reader *g, const json_t *v);
/* As smi_partial_write_text wrote it, fresh; NULL for null. */
char *smi_partial_read_text(struct smi_partial_reader *g, const json_t *v);
int smi_partial_read_metric(struct smi_partial_reader *g,
                            const char *key); /* -1 and wrong if it is not known */

void smi_partial_read_counts(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c);
/* Counts of times between readings: all longer than nothing. */
void smi_partial_read_intervals(struct smi_partial_reader *g, const json_t *o, struct smi_counts *c);
/* A fresh track of part p, or NULL for null. */
struct smi_device_stats *smi_partial_read_device(struct smi_partial_reader *g, const json_t *o,
                                                 struct smi_input_stats *p);

/* The run of a document, made if it is new; NULL with g->bad set without memory, or where it cannot be told.
 */
struct smi_run *smi_partial_read_run(struct smi_partial_reader *g, struct smi_partials *p, const char *name,
                                     const json_t *doc);
/* The run's parameters, problems and doubts. joined: by --run, which makes one run of parts with different
 * parameters. */
void smi_partial_read_words(struct smi_partial_reader *g, const json_t *doc, bool joined);
/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
void smi_partial_read_zone(struct smi_partial_reader *g, const json_t *doc, bool first);
/* The same for parts that a zone's name has put on its standard time, and parts that stand as they were. */
void smi_partial_check_clock(struct smi_partial_reader *g);
/* The processes of part p, whose devices are known. */
void smi_partial_read_processes(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p);
/* The faults of part p, whose devices are known. */
void smi_partial_read_errors(struct smi_partial_reader *g, const json_t *o, struct smi_input_stats *p);
void smi_partial_read_run_log(struct smi_partial_reader *g, const json_t *o, struct smi_runlog *l);

#endif
