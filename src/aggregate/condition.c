/* condition.c - the table of conditions, and stretches of time that join. */
#include "aggregate/condition.h"
#include "model/metric.h"

#define NO_METRIC SMI_METRIC_COUNT
#define SMI_CONDITION(id, rule, mean, ...)                                                             \
    [SMI_CONDITION_##                                                                                  \
        id] = {rule,                                                                                   \
               mean,                                                                                   \
               sizeof((struct smi_condition_term[]){__VA_ARGS__}) / sizeof(struct smi_condition_term), \
               {__VA_ARGS__}},
const struct smi_condition smi_conditions[SMI_CONDITIONS] = {
#include "aggregate/condition.def"
};

struct smi_stretch smi_stretch_longer(struct smi_stretch a, struct smi_stretch b)
{
    return b.ms > a.ms ? b : a;
}

void smi_stretches_end(struct smi_stretches *s)
{
    s->broken = true;
    s->last.ms = 0;
}

struct smi_stretch smi_stretches_join(struct smi_stretches *a, const struct smi_stretches *b, int64_t bridge)
{
    struct smi_stretch across = b->first;
    int64_t unknown = a->last.ms && b->first.ms && bridge >= 0 ? b->first.begin_ms - a->last.to_ms : 0;
    if (unknown > bridge && unknown) {
        smi_stretches_end(a);
        unknown = 0;
    }
    a->from_ms = a->n ? a->from_ms : b->from_ms;
    a->n += b->n - (a->last.ms && b->first.ms);
    a->ms += b->ms + unknown;
    if (a->last.ms) {
        across = a->last;
        across.ms += b->first.ms + unknown;
        across.known_ms += b->first.ms ? b->first.known_ms : 0;
        across.area += b->first.ms ? b->first.area : 0;
        across.to_ms = b->first.ms ? b->first.to_ms : a->last.to_ms;
    }
    a->longest = smi_stretch_longer(smi_stretch_longer(a->longest, across), b->longest);
    if (!a->broken)
        a->first = across;
    a->last = b->broken ? b->last : across;
    a->broken |= b->broken;
    return across;
}

void smi_stretches_extend(struct smi_stretches *s, int64_t dt, int64_t from_ms, int64_t end_ms, smi_i128 area,
                          int64_t bridge)
{
    const struct smi_stretch one = {dt, from_ms, end_ms, end_ms - dt, dt, area};
    const struct smi_stretches b = {1, dt, from_ms, one, one, one, false};
    smi_stretches_join(s, &b, bridge);
}

int64_t smi_condition_limit(const struct smi_condition_term *t, int64_t of)
{
    enum { ALL = 100000000 };
    static const int64_t round[] = {[SMI_AT_LEAST] = ALL - 1, [SMI_BELOW] = -1, [SMI_AT_MOST] = 0};
    if (t->of == SMI_METRIC_COUNT)
        return t->limit;
    if (of <= 0) /* a limit that is not set: nothing fits */
        return t->side == SMI_AT_LEAST ? INT64_MAX : INT64_MIN;
    return (int64_t)(((smi_i128)t->limit * of + round[t->side]) / ALL);
}

bool smi_condition_holds(const struct smi_condition *c, int64_t (*reading)(const void *of, unsigned metric),
                         const void *of)
{
    bool holds = true;
    for (const struct smi_condition_term *t = c->term; t < c->term + c->terms && holds; t++) {
        const int64_t v = reading(of, t->metric), whole = t->of == SMI_METRIC_COUNT ? 0 : reading(of, t->of),
                      limit = smi_condition_limit(t, whole);
        holds = v != INT64_MIN && whole != INT64_MIN && (t->side == SMI_AT_LEAST ? v >= limit : v <= limit);
    }
    return holds;
}
