#include "aggregate/runlog_usage.h"

#include <string.h>

static const int64_t most = INT64_C(1) << 60; /* what tells of more tells nothing */

/* The number of a key of the event's data; false: there is none. */
static bool read_number(const struct smi_mark *m, const char *key, int64_t *micro)
{
    for (unsigned i = 0; i < m->fields; i++)
        if (m->field[i].in_data && m->field[i].number && smi_text_is(m->field[i].key, key)) {
            *micro = m->field[i].micro;
            return *micro >= 0 && *micro <= most;
        }
    return false;
}

static void raise_max(struct smi_runlog_usage *t, unsigned i, int64_t v)
{
    if (!(t->has >> i & 1) || v > t->max[i])
        t->max[i] = v;
    t->has |= 1u << i;
}

static void read_max(struct smi_runlog_usage *t, const struct smi_field *f)
{
    static const char front[] = "max_";
    const size_t n = sizeof front - 1;
    struct smi_text key = f->key;
    if (!f->in_data || !f->number || f->micro < 0 || f->micro > most || key.n <= n ||
        memcmp(key.p, front, n) != 0)
        return;
    key = (struct smi_text){key.p + n, key.n - n};
    if (smi_text_is(key, "rss_mib")) /* all of it has as much as one of it */
        raise_max(t, SMI_TREE_RAM - SMI_TREE_CPU, f->micro);
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (smi_text_is(key, smi_metrics[SMI_TREE_CPU + i].key))
            raise_max(t, i, f->micro);
}

void smi_runlog_usage_add(struct smi_runlog_usage *t, const struct smi_mark *m)
{
    static const char *const keys[SMI_RUNLOG_USAGE_PARTS] = {"cpu_s", "cpu_main_s", "cpu_children_s"};
    int64_t span = 0, cpu[SMI_RUNLOG_USAGE_PARTS] = {0};
    bool all = read_number(m, "seconds", &span) && span > 0;
    for (unsigned i = 0; i < m->fields; i++)
        read_max(t, &m->field[i]);
    for (int i = 0; i < SMI_RUNLOG_USAGE_PARTS && all; i++)
        all = read_number(m, keys[i], &cpu[i]);
    if (all)
        smi_runlog_usage_merge(
            t, &(struct smi_runlog_usage){.span_us = span, .cpu_us = {cpu[0], cpu[1], cpu[2]}});
}

static int64_t add_capped(int64_t a, int64_t b)
{
    return a > most - b ? most : a + b;
}

void smi_runlog_usage_merge(struct smi_runlog_usage *a, const struct smi_runlog_usage *b)
{
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++)
        if (b->has >> i & 1)
            raise_max(a, i, b->max[i]);
    a->span_us = add_capped(a->span_us, b->span_us);
    for (int i = 0; i < SMI_RUNLOG_USAGE_PARTS; i++)
        a->cpu_us[i] = add_capped(a->cpu_us[i], b->cpu_us[i]);
}
