#include "live/alert_conditions.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum {
    WINDOW_MS = 300000,
    THERMAL_LEAST = 60000, /* readings of a minute, before a share of time is said */
    HOLDS_MIB = 1024       /* memory worth a word */
};

typedef struct smi_alert_condition words;
typedef bool check_fn(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w);

static int64_t used_mib(const struct smi_machine *n, const struct smi_live_gpu *b)
{
    const struct smi_machine_reading *r = smi_machine_reading_of(n, b, SMI_FB_USED);
    return r ? r->v : -1;
}

static void append_gib(char *to, int64_t micro_mib)
{
    smi_text_write_fixed(to, (smi_i128)micro_mib / 1024, 1);
}

static bool is_lost(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    (void)n;
    (void)limit;
    snprintf(w->text, sizeof w->text, "GPU %d lost: it has fallen off the bus", b->index);
    snprintf(w->note, sizeof w->note, "LOST");
    return b->state == SMI_GPU_LOST;
}

static bool is_stale(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    int64_t age = smi_machine_age(n, b) / 1000;
    (void)limit;
    snprintf(w->text, sizeof w->text, "GPU %d: no reading for %lld s", b->index, (long long)age);
    snprintf(w->note, sizeof w->note, "reading %lld s old", (long long)age);
    return b->state == SMI_GPU_STALE;
}

static bool is_idle(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    char span[SMI_CLOCK_TEXT], gib[SMI_MICRO_TEXT];
    int64_t ms = n->t_ms - b->idle_from_ms, mib = used_mib(n, b);
    if (!b->idle || b->state != SMI_GPU_OK || ms < limit / 1000)
        return false;
    w->value = ms * 1000;
    w->from_ms = b->idle_from_ms;
    smi_clock_write_span(span, ms);
    snprintf(w->note, sizeof w->note, "idle %.40s", span);
    if (mib >= (int64_t)HOLDS_MIB * 1000000) {
        append_gib(gib, mib);
        snprintf(w->text, sizeof w->text, "GPU %d idle %s, holds %s GiB", b->index, span, gib);
    } else {
        snprintf(w->text, sizeof w->text, "GPU %d idle %s", b->index, span);
    }
    return true;
}

static bool is_hot(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    struct smi_history_sum s = {0};
    char temp[24] = "";
    const struct smi_machine_reading *c = smi_machine_reading_of(n, b, SMI_TEMP_GPU);
    int64_t known_ms;
    int pct;
    smi_history_sum(&b->ring[SMI_HISTORY_THERMAL], n->t_ms, WINDOW_MS, &s);
    known_ms = s.n * b->pitch_ms < WINDOW_MS ? s.n * b->pitch_ms : WINDOW_MS; /* readings stand for so long */
    if (b->state != SMI_GPU_OK || known_ms < THERMAL_LEAST || s.sum / s.n * 100 < limit)
        return false;
    w->value = s.sum / s.n * 100;
    pct = (int)(w->value / 1000000);
    if (c)
        snprintf(temp, sizeof temp,
                 " %lld \xc2\xb0"
                 "C,",
                 (long long)(c->v / 1000000));
    snprintf(w->text, sizeof w->text, "GPU %d%s thermal slowdown %d %% of %d min", b->index, temp, pct,
             (int)((known_ms + 30000) / 60000));
    snprintf(w->note, sizeof w->note, "thermal %d %%", pct);
    return true;
}

static bool is_full(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    const struct smi_machine_reading *total = smi_machine_reading_of(n, b, SMI_FB_TOTAL);
    int64_t used = used_mib(n, b);
    char gib[SMI_MICRO_TEXT];
    if (!total || total->v <= 0 || (smi_i128)used * 100000000 < (smi_i128)total->v * limit)
        return false;
    w->value = (int64_t)((smi_i128)used * 100000000 / total->v);
    append_gib(gib, total->v - used);
    snprintf(w->text, sizeof w->text, "GPU %d: memory nearly full, %s GiB free", b->index, gib);
    snprintf(w->note, sizeof w->note, "%.30s GiB free", gib);
    return true;
}

/* A leak runs full; a reserved pool stands. */
static bool is_growing(const struct smi_machine *n, const struct smi_live_gpu *b, int64_t limit, words *w)
{
    enum { CELLS = 6 };
    int64_t cell[CELLS];
    char gib[SMI_MICRO_TEXT];
    if (n->t_ms - n->first_ms < SMI_HISTORY_HOUR_MS)
        return false;
    smi_machine_sparkline(n, b, SMI_HISTORY_FB_USED, SMI_HISTORY_HOUR_MS, cell, CELLS);
    w->value = INT64_MAX;
    for (int i = 0; i < CELLS; i++) {
        if (cell[i] == SMI_NO_READING || (i && cell[i] - cell[i - 1] < limit))
            return false;
        if (i && cell[i] - cell[i - 1] < w->value)
            w->value = cell[i] - cell[i - 1];
    }
    append_gib(gib, cell[CELLS - 1] - cell[0]);
    snprintf(w->text, sizeof w->text, "GPU %d: memory grows, %s GiB more in an hour", b->index, gib);
    snprintf(w->note, sizeof w->note, "+%.30s GiB an hour", gib);
    return true;
}

static bool is_dead(const struct smi_live_source *s, words *w)
{
    snprintf(w->text, sizeof w->text, "monitor %.50s %s%s%.70s", s->name,
             s->state == SMI_SOURCE_DOWN ? "is down" : "is silent", *s->why ? ": " : "", s->why);
    *w->note = 0;
    return s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
}

/* The last two parts of a log's path tell which one it is. */
static const char *last_path_parts(const char *name)
{
    const char *at = name + strlen(name);
    for (int slashes = 0; at > name && slashes < 2; slashes += *at == '/')
        at--;
    return *at == '/' ? at + 1 : at;
}

/* A log of the job itself says that it has failed. */
static bool is_failed(const struct smi_live_source *s, words *w)
{
    const struct smi_runlog *log = s->part ? &s->part->log : NULL;
    if (!log || !log->failed)
        return false;
    snprintf(w->text, sizeof w->text, "%.60s: failed%s%.70s", last_path_parts(s->name),
             log->reason ? ": " : "", log->reason ? log->reason : "");
    *w->note = 0;
    return true;
}

static check_fn *const checks[SMI_ALERT_RULES] = {
    [SMI_ALERT_LOST] = is_lost, [SMI_ALERT_MEMORY] = is_full, [SMI_ALERT_THERMAL] = is_hot,
    [SMI_ALERT_IDLE] = is_idle, [SMI_ALERT_STALE] = is_stale, [SMI_ALERT_GROWTH] = is_growing,
};

bool smi_alert_check_condition(const struct smi_alert_rule *r, enum smi_alert_rule_id id,
                               const struct smi_machine *n, size_t place, struct smi_alert_condition *w)
{
    w->from_ms = SMI_NO_READING;
    if (r->off)
        return false;
    if (r->of_source)
        return id == SMI_ALERT_FAILED ? is_failed(n->source[place], w) : is_dead(n->source[place], w);
    return n->gpu[place]->mine &&
           checks[id](n, n->gpu[place], r->limit, w); /* others' GPUs are others' concern */
}
