#include "live/serve_state.h"

#include "live/alert.h"
#include "base/clock.h"
#include "live/output_lines.h"
#include "live/serve_state_private.h"

#include <string.h>

static const int64_t gib = (int64_t)1024 * 1000000;

/* ---- pieces ---- */

static const struct smi_machine_reading *reading_or_null(const struct smi_serve_state_page *p,
                                                         const struct smi_live_gpu *b, unsigned metric)
{
    return b->state == SMI_GPU_LOST ? NULL : smi_machine_reading_of(p->n, b, metric);
}

static const char *put_metric(struct smi_serve_state_page *p, const struct smi_machine_reading *r,
                              int64_t unit, int digits)
{
    return r ? smi_fmt_ratio(&p->g, r->v, unit, digits) : "-";
}

/* "70.4/80": of something there is. */
static const char *put_of_total(struct smi_serve_state_page *p, const struct smi_machine_reading *r,
                                const struct smi_machine_reading *of, int64_t unit, int digits)
{
    return r && of ? smi_fmt(&p->g, "%s/%s", put_metric(p, r, unit, digits), put_metric(p, of, unit, 0))
                   : put_metric(p, r, unit, digits);
}

/* "14:32:07" on the clock of the logs. */
const char *smi_serve_state_clock(struct smi_serve_state_page *p, int64_t t_ms)
{
    char stamp[SMI_CLOCK_TEXT];
    smi_clock_write(stamp, t_ms + (int64_t)p->n->o.offset_s * 1000, false);
    return smi_fmt(&p->g, "%.8s", stamp + 11);
}

const char *smi_serve_state_span(struct smi_serve_state_page *p, int64_t ms)
{
    char text[SMI_CLOCK_TEXT];
    smi_clock_write_span(text, ms);
    return smi_fmt(&p->g, "%s", text);
}

void smi_serve_state_safe(struct smi_serve_state_page *p, const char *key, const char *text)
{
    smi_json_key_str(&p->j, key, text ? smi_fmt_safe(&p->g, text) : NULL);
}

/* A sum over the job's GPUs that tell it. Returns how many do. */
static int64_t sum_readings(const struct smi_serve_state_page *p, unsigned metric, int64_t *out)
{
    int64_t some = 0;
    *out = 0;
    for (size_t i = 0; i < p->n->gpus; i++) {
        const struct smi_machine_reading *r =
            p->n->gpu[i]->mine ? reading_or_null(p, p->n->gpu[i], metric) : NULL;
        *out += r ? r->v : 0;
        some += r != NULL;
    }
    return some;
}

/* ---- the head ---- */

/* "8 x H100 80GB HBM3", or of several kinds how many there are. */
static const char *gpu_models(struct smi_serve_state_page *p)
{
    const char *name = NULL;
    size_t k = 0;
    bool same = true;
    for (size_t i = 0; i < p->n->gpus; i++) {
        const struct smi_live_gpu *b = p->n->gpu[i];
        if (!b->mine)
            continue;
        same = same && b->name && (k == 0 || strcmp(b->name, name) == 0);
        name = b->name;
        k++;
    }
    if (k == 0)
        return "no GPU";
    if (!same)
        return k == 1 ? "1 GPU" : smi_fmt(&p->g, "%zu GPUs", k);
    if (strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    return smi_fmt(&p->g, "%zu x %s", k, smi_fmt_safe(&p->g, name));
}

static void put_head(struct smi_serve_state_page *p)
{
    char zone[SMI_CLOCK_TEXT];
    int64_t every = p->o->interval_ms;
    smi_clock_write_zone(zone, p->n->o.offset_s);
    smi_json_key_str(&p->j, "title", p->o->what);
    smi_serve_state_safe(p, "host", p->o->host);
    smi_json_key_str(&p->j, "models", gpu_models(p));
    smi_json_key_str(&p->j, "every",
                     smi_fmt(&p->g, "every %s s", smi_fmt_ratio(&p->g, every, 1000, every % 1000 ? 1 : 0)));
    smi_json_key_str(&p->j, "time", p->n->timed ? smi_serve_state_clock(p, p->n->t_ms) : NULL);
    smi_json_key_str(&p->j, "zone", smi_fmt(&p->g, "UTC%s", zone));
    smi_serve_state_safe(p, "recording", p->o->run);
    smi_json_key_str(&p->j, "span",
                     p->n->timed ? smi_serve_state_span(p, p->n->t_ms - p->n->first_ms) : NULL);
    smi_json_key(&p->j, "interval_s");
    smi_json_micro(&p->j, (smi_i128)every * 1000);
}

static void put_total_pair(struct smi_serve_state_page *p, const char *label, const char *value)
{
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "value", value);
    smi_json_key_str(&p->j, "label", label);
    smi_json_close(&p->j, '}');
}

/* "561/637 GiB": a sum, and of what. */
static void put_total_of(struct smi_serve_state_page *p, const char *label, const unsigned metric[2],
                         int64_t unit, const char *word)
{
    int64_t v, of, k = sum_readings(p, metric[0], &v);
    int digits = unit == gib ? 0 : 2;
    const char *text;
    if (k == 0)
        return;
    text = smi_fmt_ratio(&p->g, v, unit, digits);
    if (sum_readings(p, metric[1], &of) == k) /* of the same GPUs */
        text = smi_fmt(&p->g, "%s/%s", text, smi_fmt_ratio(&p->g, of, unit, digits));
    put_total_pair(p, label, smi_fmt(&p->g, "%s %s", text, word));
}

static void put_totals(struct smi_serve_state_page *p)
{
    const struct smi_machine_reading *cpu = smi_machine_reading_of(p->n, &p->n->host, SMI_CPU_USR);
    struct smi_machine_totals all;
    int64_t v, k = sum_readings(p, SMI_GPU_UTIL, &v);
    smi_machine_totals(p->n, &all);
    smi_json_key(&p->j, "totals");
    smi_json_open(&p->j, '[');
    if (k)
        put_total_pair(p, "GPU use",
                       smi_fmt(&p->g, "%s %%", smi_fmt_ratio(&p->g, v, (smi_i128)k * 1000000, 1)));
    put_total_of(p, "memory", (const unsigned[]){SMI_FB_USED, SMI_FB_TOTAL}, gib, "GiB");
    put_total_of(p, "power", (const unsigned[]){SMI_POWER, SMI_POWER_LIMIT}, 1000000000, "kW");
    if (all.has_energy)
        put_total_pair(p, "energy", smi_fmt_energy(&p->g, (struct smi_value){all.energy_mwh * 1000, true}));
    if (all.known_ms)
        put_total_pair(p, "idle", smi_fmt(&p->g, "%s GPU-h", smi_fmt_hours(&p->g, all.idle_ms)));
    if (cpu)
        put_total_pair(p, "CPU", smi_fmt(&p->g, "%s %%", put_metric(p, cpu, 1000000, 0)));
    smi_json_close(&p->j, ']');
}

static void put_alerts(struct smi_serve_state_page *p)
{
    smi_json_key(&p->j, "alerts");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->alerts; i++) {
        const struct smi_alert *a = &p->n->alert[i];
        smi_json_open(&p->j, '{');
        smi_json_key_bool(&p->j, "grave", a->grave);
        smi_serve_state_safe(p, "text", a->text);
        smi_json_key_str(&p->j, "since", p->n->timed ? smi_serve_state_clock(p, a->from_ms) : NULL);
        smi_json_close(&p->j, '}');
    }
    smi_json_close(&p->j, ']');
}

/* ---- the GPUs ---- */

/* What of a row an alert rests on; NULL: nothing in it. */
static const char *const mark_of[SMI_ALERT_RULES] = {[SMI_ALERT_IDLE] = "now",
                                                     [SMI_ALERT_MEMORY] = "vram",
                                                     [SMI_ALERT_GROWTH] = "vram",
                                                     [SMI_ALERT_THERMAL] = "temp"};

static const char *put_remark(struct smi_serve_state_page *p, size_t gpu)
{
    const struct smi_live_gpu *b = p->n->gpu[gpu];
    const char *text = "";
    if (b->state == SMI_GPU_LOST)
        return "LOST";
    for (size_t i = 0; i < p->n->alerts; i++)
        if (p->n->alert[i].gpu == (int)gpu && *p->n->alert[i].note)
            text = smi_fmt(&p->g, "%s%s%s", text, *text ? ", " : "", p->n->alert[i].note);
    if (!*text && b->state == SMI_GPU_STALE)
        text = smi_fmt(&p->g, "reading %lld s old", (long long)(smi_machine_age(p->n, b) / 1000));
    return text;
}

/* What of a row alerts of this weight, or of any, rest on. */
static void put_marks(struct smi_serve_state_page *p, const char *key, size_t gpu, bool grave_only)
{
    smi_json_key(&p->j, key);
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->alerts; i++) {
        const struct smi_alert *a = &p->n->alert[i];
        if (a->gpu == (int)gpu && mark_of[a->rule] && (a->grave || !grave_only))
            smi_json_str(&p->j, mark_of[a->rule]);
    }
    smi_json_close(&p->j, ']');
}

/* Since when the sparkline is of an idle or slowed GPU; INT64_MAX: it is not. */
static int64_t waste_from(const struct smi_serve_state_page *p, size_t gpu)
{
    int64_t from_ms = INT64_MAX;
    for (size_t i = 0; i < p->n->alerts; i++) {
        const struct smi_alert *a = &p->n->alert[i];
        bool waste = a->rule == SMI_ALERT_IDLE || a->rule == SMI_ALERT_THERMAL;
        if (a->gpu == (int)gpu && waste && a->from_ms < from_ms)
            from_ms = a->from_ms;
    }
    return from_ms;
}

static void put_spark(struct smi_serve_state_page *p, const struct smi_live_gpu *b, int64_t from_ms)
{
    int64_t v[SMI_SERVE_STATE_CELLS], step = SMI_SERVE_STATE_SPAN_MS / SMI_SERVE_STATE_CELLS;
    int64_t last = p->n->t_ms - p->n->t_ms % step + step, first = last - SMI_SERVE_STATE_SPAN_MS;
    smi_machine_sparkline(p->n, b, SMI_HISTORY_UTIL, SMI_SERVE_STATE_SPAN_MS, v, SMI_SERVE_STATE_CELLS);
    smi_json_key(&p->j, "spark");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < SMI_SERVE_STATE_CELLS; i++)
        if (v[i] == SMI_NO_READING)
            smi_json_null(&p->j);
        else
            smi_json_int(&p->j, (v[i] + 500000) / 1000000);
    smi_json_close(&p->j, ']');
    smi_json_key(&p->j, "from");
    if (from_ms > last)
        smi_json_null(&p->j);
    else
        smi_json_int(&p->j, from_ms < first ? 0 : (from_ms - first) / step);
}

static void put_gpu(struct smi_serve_state_page *p, size_t gpu)
{
    static const char *const states[] = {"ok", "stale", "lost"};
    const struct smi_live_gpu *b = p->n->gpu[gpu];
    const struct smi_machine_reading *util = reading_or_null(p, b, SMI_GPU_UTIL);
    smi_json_open(&p->j, '{');
    smi_json_key_str(&p->j, "gpu", b->index >= 0 ? smi_fmt(&p->g, "%d", b->index) : "-");
    smi_json_key_str(&p->j, "state", states[b->state]);
    smi_serve_state_safe(p, "name", b->name);
    smi_json_key(&p->j, "use");
    if (util)
        smi_json_micro(&p->j, util->v);
    else
        smi_json_null(&p->j);
    smi_json_key_str(&p->j, "now", util ? smi_fmt(&p->g, "%s %%", put_metric(p, util, 1000000, 0)) : "-");
    smi_json_key_str(
        &p->j, "vram",
        put_of_total(p, reading_or_null(p, b, SMI_FB_USED), reading_or_null(p, b, SMI_FB_TOTAL), gib, 1));
    smi_json_key_str(&p->j, "power",
                     put_of_total(p, reading_or_null(p, b, SMI_POWER), reading_or_null(p, b, SMI_POWER_LIMIT),
                                  1000000, 0));
    smi_json_key_str(&p->j, "temp", put_metric(p, reading_or_null(p, b, SMI_TEMP_GPU), 1000000, 0));
    smi_json_key_str(&p->j, "clock", put_metric(p, reading_or_null(p, b, SMI_CLK_SM), 1000000, 0));
    smi_serve_state_safe(p, "remark", put_remark(p, gpu));
    put_marks(p, "marks", gpu, false);
    put_marks(p, "grave", gpu, true);
    put_spark(p, b, waste_from(p, gpu));
    smi_json_close(&p->j, '}');
}

static void put_gpus(struct smi_serve_state_page *p)
{
    smi_json_key(&p->j, "gpus");
    smi_json_open(&p->j, '[');
    for (size_t i = 0; i < p->n->gpus; i++)
        if (p->n->gpu[i]->mine)
            put_gpu(p, i);
    smi_json_close(&p->j, ']');
}

int smi_serve_state_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o)
{
    const struct smi_render_options look = {.utf8 = true};
    struct smi_serve_state_page p = {.g = {.to = to, .look = &look}, .n = n, .o = o};
    smi_json_begin(&p.j, to);
    smi_json_open(&p.j, '{');
    smi_machine_json_put(&p.j, n);
    smi_json_key(&p.j, "page");
    smi_json_open(&p.j, '{');
    put_head(&p);
    put_totals(&p);
    put_alerts(&p);
    put_gpus(&p);
    smi_serve_state_past(&p);
    smi_json_close(&p.j, '}');
    smi_json_close(&p.j, '}');
    return smi_text_arena_end(&p.g, NULL) || to->failed ? -1 : 0;
}
