#include "alert/alert.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define gpu false
#define source true
#define SMI_LIVE_RULE(id, key, grave, about, on_s, off_s, word, over) \
    [SMI_LIVE_##id] = {key, grave, about, (on_s)*1000, (off_s)*1000, word, over},
const struct smi_live_rule smi_live_rules[SMI_LIVE_RULES] = {
#include "alert/live.def"
};
#undef SMI_LIVE_RULE
#undef gpu
#undef source

enum {
    IDLE_MS = 300000, /* as the findings: nothing of less than five minutes */
    WINDOW_MS = 300000,
    THERMAL_LEAST = 60000 /* readings of a minute, before a share of time is said */
};
static const int64_t thermal_share = 250000, full_share = 980000; /* millionths */

/* Text and note of a condition that holds. */
struct words {
    char text[SMI_NOW_TEXT], note[48];
};

static int64_t used_mib(const struct smi_now *n, const struct smi_now_body *b)
{
    const struct smi_now_reading *r = smi_now_get(n, b, SMI_FB_USED);
    return r ? r->v : -1;
}

static void put_gib(char *to, int64_t micro_mib)
{
    smi_text_put_fixed(to, (smi_i128)micro_mib / 1024, 1);
}

static bool is_lost(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    (void)n;
    snprintf(w->text, sizeof w->text, "GPU %d lost: it has fallen off the bus", b->index);
    snprintf(w->note, sizeof w->note, "LOST");
    return b->state == SMI_NOW_LOST;
}

static bool is_stale(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    int64_t age = smi_now_age(n, b) / 1000;
    snprintf(w->text, sizeof w->text, "GPU %d: no reading for %lld s", b->index, (long long)age);
    snprintf(w->note, sizeof w->note, "reading %lld s old", (long long)age);
    return b->state == SMI_NOW_OLD;
}

static bool is_idle(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    char span[SMI_CLOCK_TEXT], gib[SMI_MICRO_TEXT];
    int64_t ms = n->t_ms - b->idle_from_ms, mib = used_mib(n, b);
    if (!b->idle || b->state != SMI_NOW_OK || !b->mine || ms < IDLE_MS)
        return false;
    smi_clock_put_span(span, ms);
    snprintf(w->note, sizeof w->note, "idle %.40s", span);
    if (mib >= 1024000000) {
        put_gib(gib, mib);
        snprintf(w->text, sizeof w->text, "GPU %d idle %s, holds %s GiB", b->index, span, gib);
    } else {
        snprintf(w->text, sizeof w->text, "GPU %d idle %s", b->index, span);
    }
    return true;
}

static bool is_hot(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    struct smi_ring_sum s = {0};
    char temp[24] = "";
    const struct smi_now_reading *c = smi_now_get(n, b, SMI_TEMP_GPU);
    int pct;
    smi_ring_sum(&b->ring[SMI_NOW_THERMAL], n->t_ms, WINDOW_MS, &s);
    if (s.n == 0 || b->state != SMI_NOW_OK || n->t_ms - n->first_ms < THERMAL_LEAST ||
        s.sum / s.n < thermal_share)
        return false;
    pct = (int)(s.sum / s.n / 10000);
    if (c)
        snprintf(temp, sizeof temp,
                 " %lld \xc2\xb0"
                 "C,",
                 (long long)(c->v / 1000000));
    snprintf(w->text, sizeof w->text, "GPU %d%s thermal slowdown %d %% of 5 min", b->index, temp, pct);
    snprintf(w->note, sizeof w->note, "thermal %d %%", pct);
    return true;
}

static bool is_full(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    const struct smi_now_reading *total = smi_now_get(n, b, SMI_FB_TOTAL);
    int64_t used = used_mib(n, b);
    char gib[SMI_MICRO_TEXT];
    if (!total || total->v <= 0 || used < (int64_t)((smi_i128)total->v * full_share / 1000000))
        return false;
    put_gib(gib, total->v - used);
    snprintf(w->text, sizeof w->text, "GPU %d: memory nearly full, %s GiB free", b->index, gib);
    snprintf(w->note, sizeof w->note, "%.30s GiB free", gib);
    return true;
}

/* Memory that has grown in each of the last six stretches of ten minutes: a leak runs full; a reserved pool
 * stands. */
static bool is_growing(const struct smi_now *n, const struct smi_now_body *b, struct words *w)
{
    enum { CELLS = 6 };
    int64_t cell[CELLS];
    char gib[SMI_MICRO_TEXT];
    if (n->t_ms - n->first_ms < SMI_RING_HOUR_MS)
        return false;
    smi_now_spark(n, b, SMI_NOW_FB_USED, SMI_RING_HOUR_MS, cell, CELLS);
    for (int i = 0; i < CELLS; i++)
        if (cell[i] == SMI_NO_READING || (i && cell[i] - cell[i - 1] < 16000000)) /* 16 MiB */
            return false;
    put_gib(gib, cell[CELLS - 1] - cell[0]);
    snprintf(w->text, sizeof w->text, "GPU %d: memory grows, %s GiB more in an hour", b->index, gib);
    snprintf(w->note, sizeof w->note, "+%.30s GiB an hour", gib);
    return true;
}

typedef bool check_fn(const struct smi_now *n, const struct smi_now_body *b, struct words *w);
static check_fn *const checks[SMI_LIVE_RULES] = {
    [SMI_LIVE_LOST] = is_lost, [SMI_LIVE_MEMORY] = is_full, [SMI_LIVE_THERMAL] = is_hot,
    [SMI_LIVE_IDLE] = is_idle, [SMI_LIVE_STALE] = is_stale, [SMI_LIVE_GROWTH] = is_growing,
};

static bool is_dead(const struct smi_now_source *s, struct words *w)
{
    snprintf(w->text, sizeof w->text, "monitor %.50s %s%s%.70s", s->name,
             s->state == SMI_NOW_DOWN ? "is down" : "is silent", *s->why ? ": " : "", s->why);
    *w->note = 0;
    return s->state == SMI_NOW_DOWN || s->state == SMI_NOW_SILENT;
}

/* ---- the list ---- */

static int put(struct smi_now *n, int rule, int place, int64_t from_ms, const struct words *w,
               struct smi_err *err)
{
    struct smi_now_alert *a;
    if (smi_mem_reserve(&n->alert, &n->alerts_cap, n->alerts + 1, sizeof *n->alert))
        return smi_err_nomem(err);
    a = &n->alert[n->alerts++];
    *a = (struct smi_now_alert){
        .rule = rule, .gpu = -1, .source = -1, .grave = smi_live_rules[rule].grave, .from_ms = from_ms};
    *(smi_live_rules[rule].of_source ? &a->source : &a->gpu) = place;
    memcpy(a->text, w->text, sizeof a->text);
    memcpy(a->note, w->note, sizeof a->note);
    return 0;
}

/* What a rule that holds, or does not, of one thing makes of its memory. */
static int judge(struct smi_alerts *a, struct smi_now *n, int rule, int place, bool holds,
                 const struct words *w, smi_alert_fn *fn, void *self, struct smi_err *err)
{
    const struct smi_live_rule *r = &smi_live_rules[rule];
    size_t id = r->of_source ? (size_t)place : n->gpu[place]->id;
    struct smi_alert_memory *m = &a->memory[(size_t)rule * a->width + id];
    char subject[SMI_NOW_TEXT], span[SMI_CLOCK_TEXT], over[2 * SMI_NOW_TEXT];
    struct smi_alert_change c = {r, holds, r->of_source ? -1 : n->gpu[place]->index, subject, w->text};
    if (holds != m->pending) {
        m->pending = holds;
        m->since_ms = n->mono_ms;
        m->began_ms = holds && !m->on ? n->t_ms : m->began_ms;
    }
    if (r->of_source)
        snprintf(subject, sizeof subject, "%s", n->source[place]->name);
    else
        snprintf(subject, sizeof subject, "GPU %d", n->gpu[place]->index);
    if (holds != m->on && n->mono_ms - m->since_ms >= (holds ? r->on_ms : r->off_ms)) {
        m->on = holds;
        if (holds) {
            smi_now_say(n, r->grave ? SMI_NOW_ERROR : SMI_NOW_WARN, "%s", w->text);
        } else {
            smi_clock_put_span(span, n->t_ms - m->began_ms);
            snprintf(over, sizeof over, "%s %s after %s", subject, r->over, span);
            c.text = over;
            smi_now_say(n, SMI_NOW_GOOD, "%s", over);
        }
        if (fn)
            fn(self, &c);
    }
    return m->on && holds ? put(n, rule, place, m->began_ms, w, err) : 0;
}

static int gravest_first(const void *a, const void *b)
{
    const struct smi_now_alert *x = a, *y = b;
    if (x->grave != y->grave)
        return x->grave ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule - y->rule;
    return x->gpu - y->gpu;
}

/* Room for every GPU and source there is. */
static int make_room(struct smi_alerts *a, const struct smi_now *n, struct smi_err *err)
{
    size_t width = n->gpus > n->sources ? n->gpus : n->sources;
    struct smi_alerts wide = {.width = width};
    if (width <= a->width)
        return 0;
    if (smi_mem_reserve(&wide.memory, &wide.cap, width * SMI_LIVE_RULES, sizeof *wide.memory))
        return smi_err_nomem(err);
    for (size_t r = 0; r < SMI_LIVE_RULES && a->width; r++)
        memcpy(wide.memory + r * width, a->memory + r * a->width, a->width * sizeof *a->memory);
    smi_mem_free(a->memory);
    *a = wide;
    return 0;
}

int smi_alerts_look(struct smi_alerts *a, struct smi_now *n, smi_alert_fn *fn, void *self,
                    struct smi_err *err)
{
    struct words w;
    if (make_room(a, n, err))
        return -1;
    n->alerts = 0;
    for (int r = 0; r < SMI_LIVE_RULES; r++) {
        size_t things = smi_live_rules[r].of_source ? n->sources : n->gpus;
        for (size_t i = 0; i < things; i++) {
            bool holds =
                smi_live_rules[r].of_source ? is_dead(n->source[i], &w) : checks[r](n, n->gpu[i], &w);
            if (judge(a, n, r, (int)i, holds, &w, fn, self, err))
                return -1;
        }
    }
    if (n->alerts > 1)
        qsort(n->alert, n->alerts, sizeof *n->alert, gravest_first);
    return 0;
}

void smi_alerts_fini(struct smi_alerts *a)
{
    smi_mem_free(a->memory);
    *a = (struct smi_alerts){0};
}
