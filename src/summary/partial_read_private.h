/* partial_read_private.h - what the two rooms that read partials back share: checked values. Not installed. */
#ifndef SMI_SUMMARY_PARTIAL_READ_PRIVATE_H
#define SMI_SUMMARY_PARTIAL_READ_PRIVATE_H

#include "summary/partial.h"

#include <jansson.h>

/* Nothing that is counted or timed comes near it, and sums of many partials stay inside 64 bits. */
#define SMI_GET_MOST ((int64_t)1 << 53)
/* Microseconds from 1970 to the year 9999, and as far back. */
#define SMI_GET_FAR ((int64_t)1 << 58)
#define SMI_GET_DAY ((int64_t)86400000)

/* The document that is read; the first thing wrong stops it. */
struct smi_get {
    struct smi_run *run;
    const char *name;
    struct smi_err *err;
    uint32_t doc; /* its number, from 1, among those of the run */
    size_t number; /* the same in its file; 0: not known */
    bool bad;
};

/* The partial is broken: `what` names the place. Only the first word counts. */
void smi_get_wrong(struct smi_get *g, const char *what);
void *smi_get_nomem(struct smi_get *g);
/* smi_mem_reserve; false if there is no memory. */
bool smi_get_room(struct smi_get *g, void *p, size_t *cap, size_t n, size_t size);

/* An integer of at most 2^53 either way; 0 and wrong if it is none. */
int64_t smi_get_int(struct smi_get *g, const json_t *v);
/* An instant in microseconds. */
int64_t smi_get_us(struct smi_get *g, const json_t *v);
/* A reading: of a counter it may be larger. */
int64_t smi_get_reading(struct smi_get *g, const json_t *v);
int64_t smi_get_key_int(struct smi_get *g, const json_t *o, const char *key);
int64_t smi_get_key_count(struct smi_get *g, const json_t *o, const char *key); /* not negative */
bool smi_get_key_bool(const json_t *o, const char *key);
smi_i128 smi_get_wide(struct smi_get *g, const json_t *v);
/* As smi_put_text wrote it, fresh; NULL for null. */
char *smi_get_text(struct smi_get *g, const json_t *v);
int smi_get_metric(struct smi_get *g, const char *key); /* -1 and wrong if it is not known */

void smi_get_counts(struct smi_get *g, const json_t *o, struct smi_counts *c);
/* Counts of times between readings: all longer than nothing. */
void smi_get_intervals(struct smi_get *g, const json_t *o, struct smi_counts *c);
/* A fresh track of part p, or NULL for null. */
struct smi_track *smi_get_track(struct smi_get *g, const json_t *o, struct smi_part *p);

/* The run of a document, made if it is new; NULL with g->bad set without memory, or where it cannot be told. */
struct smi_run *smi_get_run(struct smi_get *g, struct smi_partials *p, const char *name, const json_t *doc);
/* The run's parameters, problems and doubts. joined: by --run, which makes one run of parts with different
 * parameters. */
void smi_get_words(struct smi_get *g, const json_t *doc, bool joined);
/* The zone is the run's, not the part's: parts that were joined by different ones cannot be merged. */
void smi_get_zone(struct smi_get *g, const json_t *doc, bool first);
/* The same for parts that a zone's name has put on its standard time, and parts that stand as they were. */
void smi_get_one_clock(struct smi_get *g);
/* The processes of part p, whose devices are known. */
void smi_get_procs(struct smi_get *g, const json_t *o, struct smi_part *p);
/* The faults of part p, whose devices are known. */
void smi_get_faults(struct smi_get *g, const json_t *o, struct smi_part *p);
void smi_get_runlog(struct smi_get *g, const json_t *o, struct smi_runlog *l);

#endif
