#include "live/machine_text.h"

#include "base/clock.h"

#include <string.h>

const char *const smi_gpu_states[] = {"ok", "stale", "lost"};
const char *const smi_source_states[] = {"starting", "ok", "silent", "down", "ended"};

const struct smi_machine_reading *smi_machine_shown(const struct smi_machine *n, const struct smi_live_gpu *b,
                                                    unsigned metric)
{
    return b->state == SMI_GPU_LOST ? NULL : smi_machine_reading_of(n, b, metric);
}

int64_t smi_machine_sum(const struct smi_machine *n, unsigned metric, int64_t *sum)
{
    int64_t some = 0;
    *sum = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_machine_reading *r =
            n->gpu[i]->mine ? smi_machine_shown(n, n->gpu[i], metric) : NULL;
        *sum += r ? r->v : 0;
        some += r != NULL;
    }
    return some;
}

const char *smi_machine_clock(struct smi_text_arena *g, const struct smi_machine *n, int64_t t_ms)
{
    char stamp[SMI_CLOCK_TEXT];
    smi_clock_write(stamp, t_ms + (int64_t)n->o.offset_s * 1000, false);
    return n->timed ? smi_fmt(g, "%.8s", stamp + 11) : "--:--:--";
}

const char *smi_machine_value(struct smi_text_arena *g, const struct smi_machine_reading *r, int64_t unit,
                              int digits)
{
    return r ? smi_fmt_ratio(g, r->v, unit, digits) : "-";
}

const char *smi_machine_value_of(struct smi_text_arena *g, const struct smi_machine_reading *r,
                                 const struct smi_machine_reading *whole, int64_t unit, int digits)
{
    const char *text = smi_machine_value(g, r, unit, digits);
    return r && whole ? smi_fmt(g, "%s/%s", text, smi_machine_value(g, whole, unit, 0)) : text;
}

const char *smi_machine_sum_of(struct smi_text_arena *g, const struct smi_machine *n, unsigned metric,
                               unsigned whole, int64_t unit, int digits, const char *word)
{
    int64_t v, of, k = smi_machine_sum(n, metric, &v);
    const char *text;
    if (k == 0)
        return NULL;
    text = smi_fmt_ratio(g, v, unit, digits);
    if (smi_machine_sum(n, whole, &of) == k) /* of the same GPUs */
        text = smi_fmt(g, "%s/%s", text, smi_fmt_ratio(g, of, unit, digits));
    return smi_fmt(g, "%s %s", text, word);
}

const char *smi_machine_use(struct smi_text_arena *g, const struct smi_machine *n)
{
    int64_t v, k = smi_machine_sum(n, SMI_GPU_UTIL, &v);
    return k ? smi_fmt(g, "%s %%", smi_fmt_ratio(g, v, (smi_i128)k * 1000000, 1)) : NULL;
}

const char *smi_machine_models(struct smi_text_arena *g, const struct smi_machine *n)
{
    const char *name = NULL;
    size_t k = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        if (!n->gpu[i]->mine)
            continue;
        if (k++ == 0)
            name = n->gpu[i]->name;
        else if (!name || !n->gpu[i]->name || strcmp(name, n->gpu[i]->name) != 0)
            name = NULL;
    }
    if (n->more_gpus)
        return smi_fmt(g, "%zu GPUs and more", k);
    if (k == 0)
        return n->gpus ? "no GPU of its own" : "no GPU";
    if (!name)
        return k == 1 ? "1 GPU" : smi_fmt(g, "%zu GPUs", k);
    return smi_fmt(g, "%zu x %s", k, strncmp(name, "NVIDIA ", 7) == 0 ? name + 7 : name);
}

const char *smi_machine_ended(struct smi_text_arena *g, const struct smi_machine *n)
{
    size_t ended = 0;
    int64_t age = INT64_MAX;
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        if (s->state != SMI_SOURCE_ENDED)
            continue;
        ended++;
        age = n->mono_ms - s->seen_mono_ms < age ? n->mono_ms - s->seen_mono_ms : age;
    }
    return ended == 0   ? NULL
           : ended == 1 ? smi_fmt(g, "1 log has ended, %s ago", smi_fmt_time(g, age))
                        : smi_fmt(g, "%zu logs have ended, the last one %s ago", ended, smi_fmt_time(g, age));
}

const char *smi_machine_remark(struct smi_text_arena *g, const struct smi_machine *n, size_t gpu)
{
    const struct smi_live_gpu *b = n->gpu[gpu];
    int64_t age = smi_machine_age(n, b);
    const char *text = "";
    if (b->state == SMI_GPU_LOST)
        return b->index >= 0 ? "LOST" : smi_fmt(g, "LOST: %s", b->label);
    if (b->state == SMI_GPU_STALE)
        return age < 100000 ? smi_fmt(g, "reading %lld s old", (long long)(age / 1000))
                            : smi_fmt(g, "reading %s old", smi_fmt_time(g, age));
    for (size_t i = 0; i < n->alerts; i++)
        if (n->alert[i].gpu == (int)gpu && *n->alert[i].note)
            text = *text ? smi_fmt(g, "%s, %s", text, n->alert[i].note) : n->alert[i].note;
    return text;
}
