/* html_data_groups.c - the runs that share a value of a parameter: their sums, for the bars and the dots
 * (screens.md §9.2, 7). */
#include "report/html_data.h"
#include "report/run_groups.h"

#include <string.h>

enum { GROUPINGS = 6 };

/* {"v": "0.1", "n": 4, "ms": [used, failed, unused, start, stall, end, unknown],
 *  "t": [GPU %, idle %, VRAM GiB, GPU-h, wasted h, failed]} */
static void append_group(struct smi_html_page *h, struct smi_run_group *p)
{
    struct smi_text_arena *g = &h->g;
    const struct smi_total *t = &p->sum;
    smi_total_close(&p->sum);
    smi_buf_str(g->to, "{\"v\":");
    smi_html_add_json_name(h, p->value);
    smi_html_fmt(h, ",\"n\":%lld,\"ms\":[%lld", (long long)t->runs,
                 (long long)(t->covered_ms - smi_wasted_ms(&t->waste) - p->unknown_ms));
    for (int id = 0; id < 5; id++)
        smi_html_fmt(h, ",%lld", (long long)smi_waste_part(&t->waste, id));
    smi_html_fmt(h, ",%lld],\"t\":[\"%s\",\"%s\",\"%s\",\"%s\",", (long long)p->unknown_ms,
                 smi_fmt_mean(g, &t->block, SMI_FIG_UTIL), smi_fmt_value(g, t->idle_pct, 1),
                 smi_fmt_gib(g, p->vram),
                 t->gpu_hours.has ? smi_fmt_ratio(g, t->covered_ms, 3600000, 2) : "-");
    smi_html_add_json(h, smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste)
                             ? smi_fmt_hours(g, smi_wasted_ms(&t->waste))
                             : "-");
    smi_html_fmt(h, ",\"%lld\"]}", (long long)t->failed);
}

/* wanted: it was asked for, so a value may be of one run alone. */
static bool append_grouping(struct smi_html_page *h, const char *key, bool wanted, bool first)
{
    const char **value;
    size_t n = wanted ? smi_param_values(&h->g, key, &value) : smi_param_group_values(&h->g, key, &value);
    struct smi_run_group *group;
    if (n < 2 || n > SMI_GROUP_VALUES_MAX)
        return false;
    group = smi_run_groups(&h->g, key, value, n);
    if (!group)
        return false;
    smi_buf_str(h->g.to, first ? "{\"key\":" : ",\n{\"key\":");
    smi_html_add_json_name(h, key);
    smi_buf_str(h->g.to, ",\"of\":[");
    for (size_t i = 0; i < n; i++) {
        smi_buf_str(h->g.to, i ? "," : "");
        append_group(h, &group[i]);
    }
    smi_buf_str(h->g.to, "]}");
    return true;
}

/* The place of a column in --group-by, from 0; -1: it is not asked for. */
static int is_requested(const struct smi_html_page *h, const char *key)
{
    const char *by = h->g.look->group_by;
    size_t n = strlen(key);
    for (int place = 0; by; place++) {
        const char *word = strncmp(by, "param.", 6) == 0 ? by + 6 : by;
        if (strncmp(word, key, n) == 0 && (!word[n] || word[n] == ','))
            return place;
        by = strchr(by, ',');
        by = by ? by + 1 : NULL;
    }
    return -1;
}

/* What was asked for first, in its order; repeats last: they are no group that says much. */
void smi_html_data_groups(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t columns = s->nvarying + s->njoined;
    int n = 0;
    smi_buf_str(h->g.to, "[");
    for (int place = 0; place < GROUPINGS; place++)
        for (size_t i = 0; i < columns; i++) {
            const char *key = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying];
            if (is_requested(h, key) == place)
                n += append_grouping(h, key, true, n == 0);
        }
    for (int repeats = 0; repeats < 2; repeats++)
        for (size_t i = 0; i < s->nvarying && n < GROUPINGS; i++)
            if (is_requested(h, s->varying[i]) < 0 && smi_param_is_repeat(s->varying[i]) == (repeats > 0))
                n += append_grouping(h, s->varying[i], false, n == 0);
    smi_buf_str(h->g.to, "]");
    smi_html_forget(h);
}
