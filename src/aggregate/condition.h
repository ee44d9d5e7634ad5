/* condition.h - when a state of a GPU held: stretches of time, which join exactly where parts of a log meet.
 * A row of condition.def each. */
#pragma once

#include "base/int128.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SMI_CONDITION_BREAK_MS = 150000, /* a longer interval, or unknown time, ends a stretch of a condition */
    SMI_BRIDGE_ALL = -1              /* as unknown time: however long it is, it is no part of it */
};

/* Time without a break: so long, from this time on, up to that; ms 0: none. */
struct smi_stretch {
    int64_t ms, from_ms, to_ms;
    int64_t begin_ms; /* of its first interval */
    int64_t known_ms; /* without what lies between */
    smi_i128 area;    /* sum of the kept metric * known ms, in millionths */
};

/* All of it. An interval has the state of the reading at its end. Time that goes back ends a stretch. Time of
 * which nothing is known, as of rows without a metric, is part of it if it is at most `bridge` ms, and else
 * ends it. */
struct smi_stretches {
    int64_t n, ms;              /* how many, and the time of all */
    int64_t from_ms;            /* of the first of all */
    struct smi_stretch first;   /* that at the very beginning, before anything ended it, */
    struct smi_stretch last;    /* that which may go on, */
    struct smi_stretch longest; /* of equals the first */
    bool broken;                /* something ended the first one, or stood in its place */
};

/* The stretch goes on for dt ms, up to end_ms, or begins: then it counts from from_ms on. area: the sum of
 * the kept metric * ms in it. */
void smi_stretches_extend(struct smi_stretches *s, int64_t dt, int64_t from_ms, int64_t end_ms, smi_i128 area,
                          int64_t bridge);
/* None goes on past this point. */
void smi_stretches_end(struct smi_stretches *s);
/* Appends those of b, which comes after a. Returns the one that goes on from the end of a into b. */
struct smi_stretch smi_stretches_join(struct smi_stretches *a, const struct smi_stretches *b, int64_t bridge);
struct smi_stretch smi_stretch_longer(struct smi_stretch a, struct smi_stretch b); /* of equals a */

enum smi_condition_id {
#define SMI_CONDITION(id, rule, mean, ...) SMI_CONDITION_##id,
#include "aggregate/condition.def"
    SMI_CONDITIONS,                                    /* all of them; */
    SMI_CONDITION_COUNT = SMI_CONDITION_IDLE,          /* those that are followed through logs; */
    SMI_CONDITION_HANG_FIRST = SMI_CONDITION_HANG_210, /* those that do not ask for a power limit, */
    SMI_CONDITION_HANG_LAST = SMI_CONDITION_HANG_60    /* each a part of the one before */
};

enum { SMI_CONDITION_TERMS = 2 };
enum smi_condition_side { SMI_AT_LEAST, SMI_AT_MOST, SMI_BELOW };

struct smi_condition {
    const char *rule; /* that reports it, or "" */
    uint16_t mean;    /* the metric whose mean is kept, or SMI_METRIC_COUNT */
    unsigned terms;
    struct smi_condition_term {
        uint16_t metric;
        enum smi_condition_side side;
        int64_t limit; /* millionths; of % of the reading of `of` if there is one */
        uint16_t of;   /* SMI_METRIC_COUNT: none */
    } term[SMI_CONDITION_TERMS];
};
extern const struct smi_condition smi_conditions[SMI_CONDITIONS];

/* The limit of a term whose `of` reads so much, as the largest (smallest, of AT_LEAST) reading that fits. */
int64_t smi_condition_limit(const struct smi_condition_term *t, int64_t of);
/* Does it hold of single readings? reading: the one of a metric in millionths; INT64_MIN: there is none. */
bool smi_condition_holds(const struct smi_condition *c, int64_t (*reading)(const void *of, unsigned metric),
                         const void *of);
