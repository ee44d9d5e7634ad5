/* tui_panels.c - what stands under the GPUs: five minutes and the whole run, host, phases, events, monitors.
 */
#include "live/tui_private.h"

#include <string.h>

/* ---- figures ---- */

enum {
    LEAST = 60 /* seconds, to say something of memory */,
    LABEL = 17,
    MEAN = 10,
    NEXT = 6,
    WHOLE_GAP = 6,
    WHOLE_MEAN = 14
};

static void put_figures(struct smi_tui_frame *d, int x, int y, const struct smi_machine_figures *f,
                        int64_t unit, const int digits[2])
{
    const int64_t v[] = {f->mean, f->p95, f->max};
    for (int i = 0; i < 3; i++)
        smi_tui_right(d, x + i * NEXT, y, SMI_STYLE_PLAIN,
                      f->n ? smi_fmt_ratio(&d->g, v[i], unit, digits[i > 0]) : "-");
}

/* "PSI cpu 2 %, io 0 %": what tasks waited for, as much of it as has room in so many columns; NULL: nothing.
 */
static const char *put_pressure(struct smi_tui_frame *d, bool brief, int room)
{
    static const struct {
        unsigned metric;
        const char *name;
    } of[] = {{SMI_PSI_CPU, "cpu"}, {SMI_PSI_MEM, "memory"}, {SMI_PSI_IO, "io"}};
    const char *text = NULL, *longer;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const struct smi_machine_reading *r = smi_machine_reading_of(d->n, &d->n->host, of[i].metric);
        if (!r || (brief && of[i].metric == SMI_PSI_MEM))
            continue;
        longer = smi_fmt(&d->g, "%s%s %s %%", text ? smi_fmt(&d->g, "%s, ", text) : "PSI ", of[i].name,
                         smi_fmt_ratio(&d->g, r->v, 1000000, 0));
        text = (int)strlen(longer) <= room ? longer : text;
    }
    return text;
}

/* Memory that stands within 1 % of its most in 90 % of the last five minutes is held, and perhaps not used
 * (numbers.md, vram.reserved). */
static bool is_reserved(struct smi_tui_frame *d, const struct smi_live_gpu *b)
{
    int64_t mean[SMI_HISTORY_FINE], most = 0;
    size_t near = 0, n = smi_history_means(&b->ring[SMI_HISTORY_FB_USED], d->n->t_ms,
                                           SMI_HISTORY_FINE * SMI_HISTORY_FINE_MS, mean, SMI_HISTORY_FINE);
    for (size_t i = 0; i < n; i++)
        most = mean[i] > most ? mean[i] : most;
    for (size_t i = 0; i < n; i++)
        near += mean[i] >= most - most / 100;
    return most > 0 && n >= LEAST && near * 10 >= n * 9;
}

void smi_tui_figures(struct smi_tui_frame *d, int y)
{
    static const struct {
        const char *label;
        enum smi_history_slot slot;
        int64_t unit;
        int digits[2]; /* of the mean, of the others */
    } row[] = {{"GPU %", SMI_HISTORY_UTIL, 1000000, {1, 0}},
               {"VRAM GiB, a GPU", SMI_HISTORY_FB_USED, (int64_t)1024 * 1000000, {1, 1}},
               {"power W, a GPU", SMI_HISTORY_POWER, 1000000, {0, 0}},
               {"CPU % usr", SMI_HISTORY_CPU, 1000000, {1, 1}}};
    int at = LABEL + MEAN, whole = at + 2 * NEXT + WHOLE_GAP + WHOLE_MEAN;
    const char *wait = put_pressure(d, true, d->c->width - whole - 2 * NEXT - 2);
    size_t k = 0, reserved = 0;
    for (size_t i = 0; i < d->n->gpus; i++)
        if (d->n->gpu[i]->mine) {
            reserved += is_reserved(d, d->n->gpu[i]);
            k++;
        }
    smi_tui_right(d, at, y, SMI_BOLD, "5 MIN mean");
    smi_tui_right(d, whole, y, SMI_BOLD, "WHOLE RUN mean");
    for (int i = 0; i < 2; i++) {
        smi_tui_right(d, (i ? whole : at) + NEXT, y, SMI_BOLD, "p95");
        smi_tui_right(d, (i ? whole : at) + 2 * NEXT, y, SMI_BOLD, "max");
    }
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct smi_live_gpu *of = row[i].slot == SMI_HISTORY_CPU ? &d->n->host : NULL;
        struct smi_machine_figures five, run;
        if (smi_machine_window(d->n, of, row[i].slot, &five) ||
            smi_machine_whole_run(d->n, of, smi_history_metric[row[i].slot], &run)) {
            d->g.failed = true;
            return;
        }
        if (!run.n && !five.n) /* nothing tells of it */
            continue;
        smi_tui_text(d, 0, ++y, LABEL, SMI_STYLE_PLAIN, row[i].label);
        put_figures(d, at, y, &five, row[i].unit, row[i].digits);
        put_figures(d, whole, y, &run, row[i].unit, row[i].digits);
        if (row[i].slot == SMI_HISTORY_FB_USED && k && reserved == k)
            smi_tui_text(d, whole + 2 * NEXT + 2, y, d->c->width, SMI_STYLE_PLAIN, "reserved");
        if (wait && of)
            smi_tui_text(d, whole + 2 * NEXT + 2, y, d->c->width, SMI_STYLE_PLAIN, wait);
    }
}

void smi_tui_host(struct smi_tui_frame *d, int y)
{
    const struct smi_machine_reading *usr = smi_machine_reading_of(d->n, &d->n->host, SMI_CPU_USR),
                                     *ram = smi_machine_reading_of(d->n, &d->n->host, SMI_RAM_PCT);
    const struct smi_tui_segment part[] = {
        {"host", SMI_STYLE_PLAIN, 0, 0},
        {usr ? smi_fmt(&d->g, "CPU %s %% usr", smi_fmt_ratio(&d->g, usr->v, 1000000, 0)) : NULL,
         SMI_STYLE_PLAIN, 4, 1},
        {ram ? smi_fmt(&d->g, "RAM %s %%", smi_fmt_ratio(&d->g, ram->v, 1000000, 0)) : NULL, SMI_STYLE_PLAIN,
         3, 2},
        {put_pressure(d, false, d->c->width), SMI_STYLE_PLAIN, 3, 3},
        {!usr && !ram ? "no reading" : NULL, SMI_GREY, 4, 1},
    };
    smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
}

/* ---- what happened ---- */

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
void smi_tui_phase(struct smi_tui_frame *d, int y)
{
    const struct smi_machine *n = d->n;
    const struct smi_machine_phase *p = &n->phase[0];
    int x = smi_tui_text(d, 0, y, d->c->width, SMI_STYLE_PLAIN, "phase");
    x = smi_tui_text(d, x + 3, y, d->c->width, SMI_BOLD, p->name);
    x = smi_tui_text(
        d, x + 1, y, d->c->width, SMI_STYLE_PLAIN,
        p->times > 1
            ? smi_fmt(&d->g, "ended %s, %lld times %s in all", smi_tui_clock(d, p->end_ms),
                      (long long)p->times, smi_fmt_time(&d->g, p->ms))
            : smi_fmt(&d->g, "ended %s after %s", smi_tui_clock(d, p->end_ms), smi_fmt_time(&d->g, p->ms)));
    for (size_t i = 1; i < n->phases; i++) {
        const char *text = smi_fmt(&d->g, "%s %s", n->phase[i].name, smi_fmt_time(&d->g, n->phase[i].ms));
        const char *lead = i == 1 ? "     before: " : ", ";
        if (x + (int)strlen(lead) + smi_canvas_width(d->c, text) + 4 > d->c->width) {
            smi_tui_text(d, x, y, d->c->width, SMI_STYLE_PLAIN,
                         i == 1 ? "" : smi_fmt(&d->g, ", %s", smi_fmt_ellipsis(&d->g)));
            return;
        }
        x = smi_tui_text(d, x, y, d->c->width, SMI_STYLE_PLAIN, lead);
        x = smi_tui_text(d, x, y, d->c->width, SMI_STYLE_PLAIN, text);
    }
}

int smi_tui_events(struct smi_tui_frame *d, int y, int lines, int skip)
{
    const struct smi_machine *n = d->n;
    int64_t oldest = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
    int used = 0;
    for (int64_t i = n->events - 1 - skip; i >= oldest && used < lines; i--, used++) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        enum smi_style style = e->kind == SMI_EVENT_ERROR  ? SMI_RED
                               : e->kind == SMI_EVENT_WARN ? SMI_YELLOW
                                                           : SMI_STYLE_PLAIN;
        int x = smi_tui_text(d, 0, y + used, d->c->width, SMI_STYLE_PLAIN, smi_tui_clock(d, e->t_ms));
        smi_tui_text(d, x + 2, y + used, d->c->width, style, smi_event_kinds[e->kind]);
        smi_tui_text(d, x + 9, y + used, d->c->width, SMI_STYLE_PLAIN, e->text);
    }
    return used;
}

/* ---- monitors ---- */

static const char *name_of(struct smi_tui_frame *d, const struct smi_live_source *s)
{
    const char *slash = strrchr(s->name, '/');
    if (strcmp(s->name, "cpu") == 0)
        return "CPU";
    return smi_fmt_middle(&d->g, slash && slash[1] ? slash + 1 : s->name, 24, 12);
}

static const char *state_of(struct smi_tui_frame *d, const struct smi_live_source *s)
{
    static const char *const words[] = {"starting", "", "silent", "down"};
    const char *text = name_of(d, s);
    if (s->state == SMI_SOURCE_READING)
        return s->interval_ms && (s->format < 0 || smi_format_infos[s->format].rows)
                   ? smi_fmt(&d->g, "%s %s s", text, smi_fmt_ratio(&d->g, s->interval_ms, 1000, 1))
                   : text;
    return smi_fmt(&d->g, "%s %s%s%s%s", text, words[s->state], *s->why ? " (" : "",
                   smi_fmt_middle(&d->g, s->why, 36, 34), *s->why ? ")" : "");
}

static bool is_bad(const struct smi_live_source *s)
{
    return s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
}

/* The bad ones first, in red; then the others, as far as there is room. */
static int put_sources(struct smi_tui_frame *d, int y, int room)
{
    const struct smi_machine *n = d->n;
    size_t bad = 0, ok = 0, left;
    int x;
    for (size_t i = 0; i < n->sources; i++)
        bad += is_bad(n->source[i]);
    for (size_t i = 0; i < n->sources; i++)
        ok += n->source[i]->state == SMI_SOURCE_READING;
    left = n->sources;
    x = smi_tui_text(d, 0, y, room, SMI_STYLE_PLAIN,
                     ok < n->sources ? smi_fmt(&d->g, "%s: ", d->a->sources)
                                     : smi_fmt(&d->g, "%s ok: ", d->a->sources));
    for (int pass = bad ? 0 : 1; pass < 2; pass++)
        for (size_t i = 0; i < n->sources; i++) {
            const char *text;
            int last = left > 1 ? 10 : 0; /* for "+12 more" */
            if (is_bad(n->source[i]) != (pass == 0))
                continue;
            text = smi_fmt(&d->g, "%s%s", left < n->sources ? ", " : "", state_of(d, n->source[i]));
            if (x + smi_canvas_width(d->c, text) + last > room && left < n->sources)
                return smi_tui_text(d, x, y, room - x, SMI_STYLE_PLAIN, smi_fmt(&d->g, ", +%zu more", left));
            x = smi_tui_text(d, x, y, room - x - last, pass ? SMI_STYLE_PLAIN : SMI_RED, text);
            left--;
        }
    return x;
}

/* Our own use: in as few words as have to do. */
static const char *put_own_use(struct smi_tui_frame *d)
{
    const struct smi_tui_info *a = d->a;
    int all = smi_canvas_width(d->c, a->sources) + 5;
    bool brief = d->c->width < SMI_TUI_MIDDLE;
    if (a->cpu_micro < 0 || a->memory_kib < 0 || d->n->sources == 0 || d->c->width < SMI_TUI_NARROW)
        return NULL;
    for (size_t i = 0; i < d->n->sources && !brief; i++) {
        all += smi_canvas_width(d->c, state_of(d, d->n->source[i])) + 2;
        brief = all + 45 > d->c->width;
    }
    return smi_fmt(&d->g, brief ? "smilog %s %%, %s MiB" : "smilog uses %s %% of a core, %s MiB",
                   smi_fmt_ratio(&d->g, a->cpu_micro, 10000, 1),
                   smi_fmt_ratio(&d->g, a->memory_kib, 1024, 1));
}

void smi_tui_sources(struct smi_tui_frame *d, int y)
{
    const char *own = put_own_use(d);
    int w = own ? smi_canvas_width(d->c, own) : 0, x = put_sources(d, y, d->c->width - (own ? w + 3 : 0));
    if (own)
        smi_tui_text(d, x + 5 + w <= d->c->width ? x + 5 : d->c->width - w, y, w, SMI_STYLE_PLAIN, own);
}

/* ---- no GPUs ---- */

int smi_tui_no_gpus(struct smi_tui_frame *d, int y, int lines)
{
    static const char *const words[] = {"starting", "reads, but has shown no GPU", "silent", "down"};
    const struct smi_machine *n = d->n;
    int from = y;
    if (d->mine) {
        smi_tui_text(d, 0, y, d->c->width, SMI_STYLE_PLAIN,
                     smi_fmt(&d->g, "no GPU of %zu is, or says, \"%s\" (esc: all)", d->mine, d->v->filter));
        return 2;
    }
    smi_tui_text(d, 0, y++, d->c->width, SMI_BOLD,
                 n->gpus ? "no GPU here is the job's own (CUDA_VISIBLE_DEVICES); --gpus all shows them"
                         : "no reading of a GPU so far");
    for (size_t i = 0; i < n->sources && y - from < lines - 1 && !n->gpus; i++) {
        const struct smi_live_source *s = n->source[i];
        bool bad = s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
        if (s->format == SMI_FMT_CPU)
            continue;
        smi_tui_text(d, 2, y++, d->c->width, bad ? SMI_RED : SMI_STYLE_PLAIN,
                     smi_fmt(&d->g, "%-6s %s%s%s", s->name, words[s->state], *s->why ? ": " : "", s->why));
    }
    if (d->a->hint && y - from < lines)
        smi_tui_text(d, 0, y++, d->c->width, SMI_GREY, d->a->hint);
    return y - from + 1;
}
