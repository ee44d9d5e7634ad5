/* phases.h - the phases of a run (docs/numbers.md §7): names, counts, spans, and which of them hold at an
 * instant.
 */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/text.h"

/* SPANS once they are joined; ROOM: collected before they have to be, of a log that is not in the order of
 * time. */
enum {
    SMI_PHASE_NAMES = 4096,
    SMI_PHASE_SPANS = 1000000,
    SMI_PHASE_SPANS_UNJOINED = 2 * SMI_PHASE_SPANS,
    SMI_PHASE_CELLS = 16 << 20
};

static inline int64_t smi_us_to_ms(int64_t us) /* rounded down */
{
    return us / 1000 - (us % 1000 < 0);
}

/* Makes a range, which is none yet unless *some, one that holds this one, too. */
static inline void smi_widen(bool *some, int64_t *first, int64_t *last, int64_t from, int64_t to)
{
    *first = *some && *first < from ? *first : from;
    *last = *some && *last > to ? *last : to;
    *some = true;
}

/* Covers (from_us, to_us]. */
struct smi_span {
    int64_t from_us, to_us;
};

struct smi_phase {
    char *name;
    size_t name_n;
    int64_t count;
    int64_t span_us;  /* added up over its occurrences, at most 2^53 */
    int64_t first_us; /* earliest start */
    struct smi_span *span;
    size_t spans, cap;
};

/* Zero-initialise. Spans are collected first, those of a name that touch as one where they come in their
 * order; smi_phases_index makes the look-up. */
struct smi_phases {
    struct smi_phase *phase;
    size_t n, cap;
    struct smi_map map;
    size_t spans;    /* of all */
    bool tangled;    /* spans of one name touch or are not in their order */
    bool over;       /* a limit was passed: no summaries, counts and seconds only, and no spans are kept */
    int64_t unnamed; /* phases past SMI_PHASE_NAMES, in none of the names */
    /* The index: between cut[i] (inclusive) and cut[i + 1] the phases active[from[i]] ... active[from[i + 1]
     * - 1] hold. */
    int64_t *cut;
    uint32_t *from;
    uint16_t *active;
    size_t cuts;
};

void smi_phases_add(struct smi_phases *p, struct smi_text name, int64_t t_us, int64_t span_us);
/* Adds a span of phase number `name`, without counting it. */
void smi_phases_span(struct smi_phases *p, int64_t from_us, int64_t to_us, uint32_t name);
/* The number of a name, or -1. */
int smi_phases_find(const struct smi_phases *p, struct smi_text name);
/* Is any of its time between two times, the first of which counts? */
bool smi_phases_overlap(const struct smi_phases *p, int64_t first_us, int64_t last_us);
void smi_phases_merge(struct smi_phases *a, const struct smi_phases *b);
/* Joins spans of one name where they touch: then p->over is known. After the last add or merge, where no row
 * is looked up. */
void smi_phases_join(struct smi_phases *p);
/* The same, and makes the look-up. */
void smi_phases_index(struct smi_phases *p);
/* The phases that hold at t: their numbers, borrowed. *hint (any value) is where the last look-up ended. */
size_t smi_phases_at(const struct smi_phases *p, int64_t t_us, size_t *hint, const uint16_t **active);
/* The first microsecond behind t, at which others may hold; INT64_MAX: never. hint: as smi_phases_at left it
 * for t. */
int64_t smi_phases_until(const struct smi_phases *p, int64_t t_us, size_t hint);
void smi_phases_fini(struct smi_phases *p);
