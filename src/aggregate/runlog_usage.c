#include "aggregate/runlog_usage.h"

#include <string.h>

static const int64_t most = INT64_C(1) << 60; /* what tells of more tells nothing */

/* The number of a key of the event's data; false: there is none. */
static bool number(const struct smi_mark *m, const char *key, int64_t *micro)
{
    for (unsigned i = 0; i < m->fields; i++)
        if (m->field[i].in_data && m->field[i].number && smi_text_is(m->field[i].key, key)) {
            *micro = m->field[i].micro;
            return *micro >= 0 && *micro <= most;
        }
    return false;
}

static void raise(struct smi_tracked *t, unsigned i, int64_t v)
{
    if (!(t->has >> i & 1) || v > t->max[i])
        t->max[i] = v;
    t->has |= 1u << i;
}

static void take_max(struct smi_tracked *t, const struct smi_field *f)
{
    static const char front[] = "max_";
    const size_t n = sizeof front - 1;
    struct smi_text key = f->key;
    if (!f->in_data || !f->number || f->micro < 0 || f->micro > most || key.n <= n || memcmp(key.p, front, n) != 0)
        return;
    key = (struct smi_text){key.p + n, key.n - n};
    if (smi_text_is(key, "rss_mib")) /* all of it has as much as one of it */
        raise(t, SMI_TREE_RAM - SMI_TREE_CPU, f->micro);
    for (unsigned i = 0; i < SMI_TRACKED_METRICS; i++)
        if (smi_text_is(key, smi_metrics[SMI_TREE_CPU + i].key))
            raise(t, i, f->micro);
}

void smi_tracked_take(struct smi_tracked *t, const struct smi_mark *m)
{
    static const char *const keys[SMI_TRACKED_PARTS] = {"cpu_s", "cpu_main_s", "cpu_children_s"};
    int64_t span = 0, cpu[SMI_TRACKED_PARTS] = {0};
    bool all = number(m, "seconds", &span) && span > 0;
    for (unsigned i = 0; i < m->fields; i++)
        take_max(t, &m->field[i]);
    for (int i = 0; i < SMI_TRACKED_PARTS && all; i++)
        all = number(m, keys[i], &cpu[i]);
    if (all)
        smi_tracked_merge(t, &(struct smi_tracked){.span_us = span, .cpu_us = {cpu[0], cpu[1], cpu[2]}});
}

static int64_t sum(int64_t a, int64_t b)
{
    return a > most - b ? most : a + b;
}

void smi_tracked_merge(struct smi_tracked *a, const struct smi_tracked *b)
{
    for (unsigned i = 0; i < SMI_TRACKED_METRICS; i++)
        if (b->has >> i & 1)
            raise(a, i, b->max[i]);
    a->span_us = sum(a->span_us, b->span_us);
    for (int i = 0; i < SMI_TRACKED_PARTS; i++)
        a->cpu_us[i] = sum(a->cpu_us[i], b->cpu_us[i]);
}
