/* condition.h - when a state of a GPU held: stretches of time, which join exactly where parts of a log meet.
 * A row of condition.def each. */
#ifndef SMI_AGGREGATE_CONDITION_H
#define SMI_AGGREGATE_CONDITION_H

#include "base/int128.h"

#include <stdbool.h>
#include <stdint.h>

struct smi_sample;

/* Time without a break: so long, from this time on, up to that; ms 0: none. */
struct smi_stretch {
    int64_t ms, from_ms, to_ms;
};

/* All of it. An interval has the state of the reading at its end; where nothing is known, a stretch goes on;
 * an interval above SMI_IDLE_BREAK_MS, and time that goes back, end it. */
struct smi_stretches {
    int64_t n, ms;              /* how many, and the time of all */
    struct smi_stretch first;   /* that at the very beginning, before anything ended it, */
    struct smi_stretch last;    /* that which may go on, */
    struct smi_stretch longest; /* of equals the first */
    bool broken;                /* something ended the first one, or stood in its place */
    smi_i128 area;              /* sum of the kept metric * ms, in millionths; 0 of a condition without */
};

/* The stretch goes on for dt ms, up to end_ms, or begins: at from_ms. */
void smi_stretches_extend(struct smi_stretches *s, int64_t dt, int64_t from_ms, int64_t end_ms);
/* None goes on past this point. */
void smi_stretches_end(struct smi_stretches *s);
/* Appends those of b, which comes after a. */
void smi_stretches_join(struct smi_stretches *a, const struct smi_stretches *b);
/* That which goes on from the end of a into b. */
struct smi_stretch smi_stretch_across(const struct smi_stretches *a, const struct smi_stretches *b);
struct smi_stretch smi_stretch_longer(struct smi_stretch a, struct smi_stretch b); /* of equals a */

enum smi_condition_id {
#define SMI_CONDITION(id, name, mean, ...) SMI_CONDITION_##id,
#include "aggregate/condition.def"
    SMI_CONDITION_COUNT
};

enum { SMI_CONDITION_TERMS = 2 };
enum smi_condition_side { SMI_AT_LEAST, SMI_AT_MOST, SMI_BELOW };

struct smi_condition {
    uint16_t mean; /* the metric whose mean is kept, or SMI_METRIC_COUNT */
    unsigned terms;
    struct smi_condition_term {
        uint16_t metric;
        enum smi_condition_side side;
        int64_t limit; /* millionths; or % of the reading of `of` */
        uint16_t of;   /* SMI_METRIC_COUNT: none */
    } term[SMI_CONDITION_TERMS];
};
extern const struct smi_condition smi_conditions[SMI_CONDITION_COUNT];

/* The limit of a term whose `of` reads so much, as the largest (smallest, of AT_LEAST) reading that fits. */
int64_t smi_condition_limit(const struct smi_condition_term *t, int64_t of);

/* The conditions of one row, a bit each: of which all metrics are read, which of these hold. */
struct smi_row_conditions {
    uint32_t known, on;
};
struct smi_row_conditions smi_conditions_of(const struct smi_sample *s);
/* The reading of the row whose mean is kept with a condition; 0 of one without. */
int64_t smi_conditions_mean(int condition, const struct smi_sample *s);

#endif
