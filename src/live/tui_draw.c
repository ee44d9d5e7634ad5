/* tui_draw.c - the lines on top, what stands below the GPUs, the pages, and how lines are shared out. */
#include "live/tui.h"

#include <limits.h>
#include <stdio.h>

/* ---- text ---- */

const char *smi_tui_safe(struct smi_tui_frame *d, const char *text)
{
    const char *safe = smi_fmt_sentence(&d->g, text);
    struct smi_buf b = {0};
    if (d->look.utf8)
        return safe;
    for (size_t n; *safe; safe += n) {
        n = smi_text_utf8(safe, strnlen(safe, 4));
        if (n == 1)
            smi_buf_char(&b, *safe);
        else if (strncmp(safe, "\u00b0", n) != 0)
            smi_buf_char(&b, '?');
    }
    return smi_buf_keep(&b, &d->g.arena);
}

int smi_tui_width(struct smi_tui_frame *d, const char *text)
{
    return smi_text_width(smi_tui_safe(d, text));
}

void smi_tui_put(struct smi_tui_frame *d, int gap, int end, enum smi_style style, const char *text)
{
    struct smi_text_arena *g = &d->g;
    gap = gap > 0 ? gap : 0;
    const int room = (end < d->look.width ? end : d->look.width) - g->column - gap;
    text = room > 0 ? smi_fmt_middle(g, smi_tui_safe(d, text), room, room) : "";
    if (!*text)
        return;
    smi_buf_fmt(g->to, "%*s", gap, "");
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, style);
    smi_buf_str(g->to, text);
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    g->column += gap + smi_text_width(text);
}

void smi_tui_next(struct smi_tui_frame *d)
{
    smi_wrap_newline(&d->g);
    d->lines++;
}

void smi_tui_line(struct smi_tui_frame *d, const struct smi_tui_segment *part, size_t n)
{
    int keep = INT_MAX;
    for (;;) {
        int sum = 0, top = 0;
        for (size_t i = 0; i < n; i++) {
            if (!part[i].text || part[i].rank > keep)
                continue;
            sum += (sum ? part[i].gap : 0) + smi_tui_width(d, part[i].text);
            top = part[i].rank > top ? part[i].rank : top;
        }
        if (sum <= d->look.width || top == 0)
            break;
        keep = top - 1;
    }
    for (size_t i = 0; i < n; i++)
        if (part[i].text && part[i].rank <= keep)
            smi_tui_put(d, d->g.column ? part[i].gap : 0, INT_MAX, part[i].style, part[i].text);
    smi_tui_next(d);
}

/* A line of one text. */
static void put_line(struct smi_tui_frame *d, enum smi_style style, const char *text)
{
    smi_tui_line(d, &(struct smi_tui_segment){text, style, 0, 0}, 1);
}

/* Puts the parts as far as there is room up to column `end`, the first in any case, and how many more there
 * are, between these two texts. */
static void put_list(struct smi_tui_frame *d, const struct smi_tui_segment *part, size_t n, int end,
                     const char *before, const char *behind)
{
    for (size_t i = 0; i < n; i++) {
        const char *rest = smi_fmt(&d->g, "%s%zu%s", before, n - i, behind),
                   *more = i + 1 < n ? smi_fmt(&d->g, "%s%zu%s", before, n - i - 1, behind) : "";
        const int room = end - d->g.column - part[i].gap, after = (int)strlen(more);
        const bool fits = smi_tui_width(d, part[i].text) + after <= room;
        const bool none = !fits && i && d->g.column + (int)strlen(rest) <= end;
        if (!none)
            smi_tui_put(d, part[i].gap, fits || room <= after + 8 ? end : end - after, part[i].style,
                        part[i].text);
        if (!fits) {
            smi_tui_put(d, 0, end, SMI_STYLE_PLAIN, none ? rest : more);
            return;
        }
    }
}

/* There are so many lines from now on: those behind them go, and what is missing is empty. */
static void set_lines(struct smi_tui_frame *d, int lines)
{
    const char *p;
    while (d->lines < lines)
        smi_tui_next(d);
    p = d->g.to->p;
    for (int y = 0; y < lines; y++)
        p = strchr(p, '\n') + 1;
    if (p)
        d->g.to->p[d->g.to->n = (size_t)(p - d->g.to->p)] = 0;
    d->lines = lines;
}

enum smi_style smi_tui_grave_style(bool grave)
{
    return grave ? SMI_RED : SMI_YELLOW;
}

/* ---- pages ---- */

static void tui_help(struct smi_tui_frame *d, int lines)
{
    static const struct {
        const char *key, *text;
    } help[] = {
        {"p", "freeze the display; recording continues"},
        {"space", "pause or continue a replay"},
        {"s", "sort GPUs by index, use, VRAM, power, temperature, or alerts first"},
        {"g", "one GPU: graphs, throttle reasons, processes; arrows or 0-9: another GPU"},
        {"w", "time range: the last minute, 10 minutes, hour, or the whole run"},
        {"a", "all alerts and events"},
        {"/", "show only GPUs whose number, name or note contains a text; esc: all"},
        {"e", "put a mark into the recording; asks for its name"},
        {"arrows", "scroll if there are more GPUs than lines"},
        {"q", "quit, as ctrl-C does; the recording is closed properly"},
        {"", ""},
        {"!", "something is wasted or broken; the alert line explains it"},
        {"yellow", "paid for but not used, or slowed down"},
        {"red", "broken or lost"},
        {"grey", "old or unknown; a value is never shown as newer than it is"},
        {"-", "no reading"},
    };
    int k = (int)(sizeof help / sizeof *help), from = d->v->scroll;
    d->v->scroll_most = k > lines ? k - lines : 0;
    for (int i = from; i < k && i - from < lines; i++) {
        smi_tui_put(d, 0, INT_MAX, SMI_BOLD, help[i].key);
        smi_tui_put(d, 8 - d->g.column, INT_MAX, SMI_STYLE_PLAIN, help[i].text);
        smi_tui_next(d);
    }
}

/* The last events, newest first; skip: so many newer ones. */
static void tui_events(struct smi_tui_frame *d, int lines, int skip)
{
    const struct smi_machine *n = d->n;
    int64_t oldest = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
    for (int64_t i = n->events - 1 - skip; i >= oldest && lines > 0; i--, lines--) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        const enum smi_style style = e->kind == SMI_EVENT_ERROR  ? SMI_RED
                                     : e->kind == SMI_EVENT_WARN ? SMI_YELLOW
                                                                 : SMI_STYLE_PLAIN;
        const char *kind = smi_event_kinds[e->kind];
        const struct smi_tui_segment part[] = {{smi_machine_clock(&d->g, n, e->t_ms), SMI_STYLE_PLAIN, 0, 0},
                                               {kind, style, 2, 0},
                                               {e->text, SMI_STYLE_PLAIN, 7 - (int)strlen(kind), 0}};
        smi_tui_line(d, part, 3);
    }
}

static void tui_alerts(struct smi_tui_frame *d, int lines)
{
    const struct smi_machine *n = d->n;
    const int end = d->lines + lines,
              all = (int)n->alerts + 2 +
                    (int)(n->events < SMI_MACHINE_EVENTS_MAX ? n->events : SMI_MACHINE_EVENTS_MAX);
    int i;
    d->v->scroll_most = all > lines ? all - lines : 0;
    for (i = d->v->scroll; i < (int)n->alerts && d->lines < end; i++) {
        const struct smi_alert *a = &n->alert[i];
        const struct smi_tui_segment part[] = {
            {smi_machine_clock(&d->g, n, a->from_ms), SMI_STYLE_PLAIN, 0, 0},
            {a->text, smi_tui_grave_style(a->grave), 2, 0}};
        smi_tui_line(d, part, 2);
    }
    if (n->alerts == 0 && d->v->scroll == 0 && d->lines < end)
        put_line(d, SMI_STYLE_PLAIN, "no rule holds");
    if (i <= (int)n->alerts && d->lines < end - 1) {
        smi_tui_next(d);
        put_line(d, SMI_BOLD, "WHAT HAPPENED");
    }
    tui_events(d, end - d->lines, d->v->scroll > (int)n->alerts + 2 ? d->v->scroll - (int)n->alerts - 2 : 0);
}

/* ---- the last line ---- */

static void prompt_text(struct smi_tui_frame *d)
{
    const bool filter = d->v->asks == SMI_VIEW_PROMPT_FILTER, narrow = d->look.width < SMI_TUI_NARROW;
    const char *typed = smi_tui_safe(d, d->v->typed);
    smi_tui_put(d, 0, INT_MAX, SMI_BOLD,
                filter   ? narrow ? "/" : "filter (a GPU's number, name or remark): "
                : narrow ? "mark: "
                         : "mark (a word for the record): ");
    typed = smi_fmt_middle(&d->g, typed, d->look.width - d->g.column - 1, 0);
    smi_tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN, typed);
    smi_tui_put(d, 0, INT_MAX, SMI_BOLD, "_");
    smi_tui_next(d);
}

static void key_hints(struct smi_tui_frame *d)
{
    bool wide = d->look.width >= SMI_TUI_MIDDLE;
    const char *window = smi_fmt(&d->g, wide ? "w window %s" : "w %s", smi_view_window[d->v->window].key);
    const char *sort = d->v->sort ? smi_fmt(&d->g, "s by %s", smi_view_sort[d->v->sort]) : "s sort";
    const char *filter =
        *d->v->filter ? smi_fmt(&d->g, "/ %s", smi_fmt_middle(&d->g, d->v->filter, 16, 12)) : "/ filter";
    const struct smi_tui_segment main[] = {
        {"? help", SMI_GREY, 0, 1},
        {"p pause", SMI_GREY, 2, 6},
        {d->a->space ? "space hold" : NULL, SMI_GREY, 2, 3},
        {sort, SMI_GREY, 2, 8},
        {wide ? "g GPU detail" : "g GPU", SMI_GREY, 2, 4},
        {window, SMI_GREY, 2, 5},
        {"a alerts", SMI_GREY, 2, 2},
        {filter, SMI_GREY, 2, 7},
        {d->a->no_marks ? NULL : "e mark", SMI_GREY, 2, 9},
        {"q quit", SMI_GREY, 2, 0},
    };
    const struct smi_tui_segment other[] = {
        {"esc back", SMI_GREY, 0, 1},
        {d->v->page == SMI_VIEW_GPU ? "arrows, 0-9 other GPUs" : NULL, SMI_GREY, 2, 2},
        {d->v->page == SMI_VIEW_GPU ? window : NULL, SMI_GREY, 2, 3},
        {"q quit", SMI_GREY, 2, 0},
    };
    if (d->v->page == SMI_VIEW_MAIN)
        smi_tui_line(d, main, sizeof main / sizeof *main);
    else
        smi_tui_line(d, other, sizeof other / sizeof *other);
}

/* ---- figures: five minutes and the whole run ---- */

/* "PSI cpu 2 %, io 0 %": what tasks waited for, as much of it as has room in so many columns; NULL: nothing.
 */
static const char *pressure_text(struct smi_tui_frame *d, bool brief, int room)
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

static void figure_line(struct smi_tui_frame *d, enum smi_style style, const char *label,
                        const char *const figure[SMI_FIGURES], const char *more)
{
    static const int end[SMI_FIGURES] = {27, 33, 39, 59, 65, 71}; /* of the columns */
    smi_tui_put(d, 0, INT_MAX, style, label);
    for (int c = 0; c < SMI_FIGURES && end[c] <= d->look.width; c++) {
        const int gap = end[c] - d->g.column - (int)strlen(figure[c]);
        smi_tui_put(d, gap > 0 ? gap : 1, INT_MAX, style, figure[c]);
    }
    smi_tui_put(d, 2, INT_MAX, style, more);
    smi_tui_next(d);
}

/* A line for each, and their head. */
static void tui_figures(struct smi_tui_frame *d)
{
    static const char *const heads[SMI_FIGURES] = {"5 MIN mean",     "p95", "max",
                                                   "WHOLE RUN mean", "p95", "max"};
    const char *wait = pressure_text(d, true, d->look.width - 73);
    struct smi_figure_row row[SMI_FIGURE_ROWS];
    size_t rows = smi_machine_figure_rows(&d->g, d->n, row);
    figure_line(d, SMI_BOLD, "", heads, "");
    for (size_t i = 0; i < rows; i++)
        figure_line(d, SMI_STYLE_PLAIN, row[i].label, row[i].figure, wait && row[i].of_host ? wait : "");
}

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void tui_phase(struct smi_tui_frame *d)
{
    const struct smi_machine_phase *p = d->n->phase;
    struct smi_tui_segment part[SMI_MACHINE_PHASES] = {{.gap = 1}};
    const char *ended = smi_machine_clock(&d->g, d->n, p->end_ms), *ms = smi_fmt_time(&d->g, p->ms);
    part->text = p->times > 1
                     ? smi_fmt(&d->g, "ended %s, %lld times %s in all", ended, (long long)p->times, ms)
                     : smi_fmt(&d->g, "ended %s after %s", ended, ms);
    for (size_t i = 1; i < d->n->phases; i++)
        part[i].text = smi_fmt(&d->g, "%s%s %s", i == 1 ? "     before: " : ", ", p[i].name,
                               smi_fmt_time(&d->g, p[i].ms));
    smi_tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN, "phase");
    smi_tui_put(d, 3, INT_MAX, SMI_BOLD, p->name);
    put_list(d, part, d->n->phases, d->look.width, ", +", " more");
    smi_tui_next(d);
}

/* ---- monitors ---- */

static const char *state_of(struct smi_tui_frame *d, const struct smi_live_source *s)
{
    const char *name = smi_file_name(s->name);
    const char *text =
        strcmp(s->name, "cpu") == 0 ? "CPU" : smi_fmt_middle(&d->g, *name ? name : s->name, 24, 12);
    if (s->state == SMI_SOURCE_READING)
        return s->interval_ms && (s->format < 0 || smi_format_infos[s->format].rows)
                   ? smi_fmt(&d->g, "%s %s s", text, smi_fmt_ratio(&d->g, s->interval_ms, 1000, 1))
                   : text;
    return smi_fmt(&d->g, "%s %s%s%s%s", text, smi_source_states[s->state], *s->why ? " (" : "",
                   smi_fmt_middle(&d->g, s->why, 36, 34), *s->why ? ")" : "");
}

static bool is_bad(const struct smi_live_source *s)
{
    return s->state == SMI_SOURCE_DOWN || s->state == SMI_SOURCE_SILENT;
}

/* Monitors: the bad ones first, in red; then the others, as far as there is room. */
static void tui_sources(struct smi_tui_frame *d)
{
    const struct smi_machine *n = d->n;
    struct smi_tui_segment *part = smi_arena_new(&d->g.arena, n->sources + 1, sizeof *part);
    const char *ended = smi_machine_ended(&d->g, n);
    size_t ok = 0, all = 0;
    for (int bad = 1; bad >= 0; bad--)
        for (size_t i = 0; i < n->sources; i++) {
            if (is_bad(n->source[i]) != bad || n->source[i]->state == SMI_SOURCE_ENDED)
                continue;
            ok += n->source[i]->state == SMI_SOURCE_READING;
            part[all] =
                (struct smi_tui_segment){smi_fmt(&d->g, "%s%s", all ? ", " : "", state_of(d, n->source[i])),
                                         bad ? SMI_RED : SMI_STYLE_PLAIN, 0, 0};
            all++;
        }
    if (!ended || all)
        smi_tui_put(d, 0, INT_MAX, SMI_STYLE_PLAIN,
                    smi_fmt(&d->g, ok < all ? "%s: " : "%s ok: ", d->a->sources));
    put_list(d, part, all, d->look.width, ", +", " more");
    if (ended)
        smi_tui_put(d, 0, INT_MAX, all ? SMI_GREY : SMI_STYLE_PLAIN,
                    smi_fmt(&d->g, all ? "; %s" : "%s", ended));
    smi_tui_next(d);
}

/* Instead of GPUs: why there are none, and what to do. */
static void tui_no_gpus(struct smi_tui_frame *d, int lines)
{
    const struct smi_machine *n = d->n;
    const int end = d->lines + lines;
    if (d->mine) {
        put_line(d, SMI_STYLE_PLAIN,
                 smi_fmt(&d->g, "no GPU of %zu is, or says, \"%s\" (esc: all)", d->mine, d->v->filter));
        smi_tui_next(d);
        return;
    }
    put_line(d, SMI_BOLD,
             n->gpus ? "no GPU here is the job's own (CUDA_VISIBLE_DEVICES); --gpus all shows them"
                     : "no reading of a GPU so far");
    for (size_t i = 0; i < n->sources && d->lines < end - 1 && !n->gpus; i++) {
        const struct smi_live_source *s = n->source[i];
        if (s->format == SMI_FMT_CPU)
            continue;
        smi_tui_put(d, 2, INT_MAX, is_bad(s) ? SMI_RED : SMI_STYLE_PLAIN,
                    smi_fmt(&d->g, "%-6s %s%s%s", s->name,
                            s->state == SMI_SOURCE_READING ? "reads, but has shown no GPU"
                                                           : smi_source_states[s->state],
                            *s->why ? ": " : "", s->why));
        smi_tui_next(d);
    }
    if (d->a->hint && d->lines < end)
        put_line(d, SMI_GREY, d->a->hint);
    smi_tui_next(d);
}

/* ---- the lines on top ---- */

void smi_tui_head(struct smi_tui_frame *d)
{
    const struct smi_tui_info *a = d->a;
    const int minutes = d->n->o.offset_s / 60, of = minutes < 0 ? -minutes : minutes;
    const int64_t s = d->n->timed ? (d->n->t_ms - d->n->first_ms) / 1000 : 0;
    const char *zone = !of ? "UTC" : smi_fmt(&d->g, "UTC%c%d", minutes < 0 ? '-' : '+', of / 60),
               *dir = a->recording; /* "UTC+2", "UTC+5:30", "UTC" */
    const char *every =
        a->interval_ms ? smi_fmt(&d->g, "every %s s",
                                 smi_fmt_ratio(&d->g, a->interval_ms, 1000, a->interval_ms % 1000 ? 2 : 0))
                       : NULL;
    const struct smi_tui_segment part[] = {
        {a->what, SMI_BOLD, 0, 0},
        {a->host && *a->host ? smi_fmt_middle(&d->g, a->host, 24, 12) : NULL, SMI_STYLE_PLAIN, 2, 4},
        {smi_machine_models(&d->g, d->n), SMI_STYLE_PLAIN, 2, 3},
        {every, SMI_STYLE_PLAIN, 2, 6},
        {d->n->timed ? smi_machine_clock(&d->g, d->n, d->n->t_ms) : NULL, SMI_STYLE_PLAIN, 2, 1},
        {!d->n->timed ? NULL
         : of % 60    ? smi_fmt(&d->g, "%s:%02d", zone, of % 60)
                      : zone,
         SMI_STYLE_PLAIN, 1, 5},
        {d->v->paused ? "PAUSED" : NULL, SMI_BOLD, 2, 0},
        {a->note, SMI_BOLD, 2, 0},
        {!dir ? NULL
              : smi_fmt(&d->g, "recording %s%s %02lld:%02lld:%02lld", smi_fmt_middle(&d->g, dir, 40, 12),
                        dir[strlen(dir) - (*dir != 0)] == '/' ? "" : "/", (long long)(s / 3600),
                        (long long)(s / 60 % 60), (long long)(s % 60)),
         SMI_STYLE_PLAIN, 3, 2},
    };
    smi_tui_line(d, part, sizeof part / sizeof *part);
}

/* Always there: the eye goes there first. As many alerts as have room, and how many more there are. */
static void alert_line(struct smi_tui_frame *d)
{
    const struct smi_machine *n = d->n;
    struct smi_tui_segment *part = smi_arena_new(&d->g.arena, n->alerts + 1, sizeof *part);
    const bool grave = n->alerts && n->alert[0].grave;
    const char *sign = grave && !d->a->color ? "!!" : d->look.utf8 ? "\u25b2" : "!";
    smi_tui_put(d, 0, INT_MAX, n->alerts ? smi_tui_grave_style(grave) : SMI_BOLD,
                n->alerts ? smi_fmt(&d->g, "%s %zu ALERT%s", sign, n->alerts, n->alerts == 1 ? "" : "S")
                          : "no alerts");
    for (size_t i = 0; i < n->alerts; i++)
        part[i] =
            (struct smi_tui_segment){n->alert[i].text, smi_tui_grave_style(n->alert[i].grave), i ? 4 : 3, 0};
    put_list(d, part, n->alerts, d->look.width, "  +", " (a)");
    smi_tui_next(d);
}

/* With a word before it. */
static const char *with_word(struct smi_tui_frame *d, const char *word, const char *text)
{
    return text ? smi_fmt(&d->g, "%s%s", word, text) : NULL;
}

void smi_tui_sums(struct smi_tui_frame *d)
{
    const bool narrow = d->look.width < SMI_TUI_MIDDLE;
    const int gap = narrow ? 2 : 3;
    const char *text[SMI_TOTALS];
    smi_machine_total_texts(&d->g, d->n, text);
    const struct smi_tui_segment part[] = {
        {d->mine > 1 ? "all GPUs"
         : d->mine   ? "GPU"
                     : NULL,
         SMI_BOLD, 0, 0},
        {text[SMI_TOTAL_USE], SMI_BOLD, narrow ? 2 : 5, 0},
        {text[SMI_TOTAL_MEMORY], SMI_BOLD, gap, 1},
        {text[SMI_TOTAL_POWER], SMI_BOLD, gap, 2},
        {with_word(d, narrow ? "" : "energy ", text[SMI_TOTAL_ENERGY]), SMI_BOLD, gap, 4},
        {with_word(d, "idle ", text[SMI_TOTAL_IDLE]), SMI_BOLD, gap, 3},
        {with_word(d, "CPU ", text[SMI_TOTAL_CPU]), SMI_BOLD, gap, 5},
    };
    smi_tui_line(d, part, sizeof part / sizeof *part);
}

static void tui_host(struct smi_tui_frame *d)
{
    const struct smi_machine_reading *cpu = smi_machine_reading_of(d->n, &d->n->host, SMI_CPU_PCT),
                                     *ram = smi_machine_reading_of(d->n, &d->n->host, SMI_RAM_PCT);
    const struct smi_tui_segment part[] = {
        {"host", SMI_STYLE_PLAIN, 0, 0},
        {cpu ? smi_fmt(&d->g, "CPU %s %%", smi_fmt_ratio(&d->g, cpu->v, 1000000, 0)) : NULL, SMI_STYLE_PLAIN,
         4, 1},
        {ram ? smi_fmt(&d->g, "RAM %s %%", smi_fmt_ratio(&d->g, ram->v, 1000000, 0)) : NULL, SMI_STYLE_PLAIN,
         3, 2},
        {pressure_text(d, false, d->look.width), SMI_STYLE_PLAIN, 3, 3},
        {!cpu && !ram ? "no reading" : NULL, SMI_GREY, 4, 1},
    };
    smi_tui_line(d, part, sizeof part / sizeof *part);
}

/* ---- sharing out the lines ---- */

enum { FIGURES = 5, EVENTS = 5, GRAPHS_LEAST = 10, GRAPHS_GOOD = 13, GRAPHS_FROM = 22, GRAPHS_MOST = 34 };

/* Takes k lines of *rest if they are there. */
static bool take_line(int *rest, int k)
{
    if (*rest < k)
        return false;
    *rest -= k;
    return true;
}

/* What there is to say goes in this order where lines are scarce: the 5-minute table, old events, the
 * monitors, the host; GPUs never. One GPU has graphs in the place of the table. */
static void draw_main_page(struct smi_tui_frame *d, int end)
{
    const struct smi_machine *n = d->n;
    const int lines = end - d->lines, gpus = (int)d->gpus,
              most = n->events < EVENTS ? (int)n->events : EVENTS;
    const bool alone = d->mine == 1 && gpus == 1 && lines >= GRAPHS_LEAST + 2 && d->look.width >= 40,
               table = gpus && !alone;
    int rest = lines, rows = gpus, remarks = table ? smi_tui_remark_lines(d) : 0,
        graphs = lines >= GRAPHS_FROM ? GRAPHS_GOOD : GRAPHS_LEAST, figures = 0, events = 0,
        blanks = 0 /* above events, figures, GPUs, and monitors */, y;
    bool host = false, sources = false, phase = false;
    if (table && !take_line(&rest, 1 + gpus)) {
        remarks = rest <= 4 ? 0 : remarks > 1 ? 1 : remarks;
        rows = rest - 1 - remarks > 1 ? rest - 1 - remarks : 1;
        smi_tui_order(d, true);
    } else {
        remarks = remarks > rest ? rest : remarks;
        rest -= remarks + (alone ? graphs : 0);
        host = n->host.seen && take_line(&rest, 1);
        sources = take_line(&rest, 1);
        phase = n->phases > 0;
        if (d->mine && rest + host >= FIGURES + most + phase + 1) { /* and a blank */
            figures = FIGURES;
            rest += host - FIGURES;
            host = false;
        }
        phase = phase && take_line(&rest, 1);
        events = rest > most ? most : rest > 1 ? rest - 1 : 0;
        rest -= events;
        blanks = rest < 4 ? rest : 4;
        rest -= blanks;
        if (alone) /* what is left, in thirds */
            graphs += (rest > GRAPHS_MOST - graphs ? GRAPHS_MOST - graphs : rest) / 3 * 3;
        else /* as many older ones as there is room */
            events += n->events - events < rest ? (int)(n->events - events) : rest;
    }
    d->v->scroll_most = gpus - rows;
    d->v->scroll = d->v->scroll > d->v->scroll_most ? d->v->scroll_most : d->v->scroll;
    set_lines(d, d->lines + (blanks > 2));
    y = d->lines + (alone ? graphs : 1 + rows + remarks);
    if (alone)
        smi_tui_gpu(d, graphs, d->place[0], false);
    else if (table)
        smi_tui_table(d, rows);
    else
        tui_no_gpus(d, end - d->lines);
    smi_tui_remarks(d, remarks, false);
    if (gpus)
        set_lines(d, y);
    y = d->lines + ((figures || host) && blanks > 1);
    set_lines(d, y);
    if (figures)
        tui_figures(d);
    else if (host)
        tui_host(d);
    set_lines(d, y + figures + host + ((phase || events) && blanks > 0));
    if (phase)
        tui_phase(d);
    end -= sources;
    tui_events(d, events < end - d->lines ? events : end - d->lines, 0);
    set_lines(d, end);
    if (sources)
        tui_sources(d);
}

/* What is asked for, said, or which keys there are. */
static void draw_last_line(struct smi_tui_frame *d)
{
    if (d->v->asks)
        prompt_text(d);
    else if (*d->v->said)
        put_line(d, SMI_BOLD, d->v->said);
    else if (d->v->paused)
        put_line(d, SMI_BOLD,
                 d->a->recording ? "paused: p goes on, q quits; the recording goes on meanwhile"
                                 : "paused: p goes on, q quits");
    else
        key_hints(d);
}

/* Tiny terminals: the alert line goes last. */
void smi_tui_frame(struct smi_buf *to, int width, int height, bool utf8, const struct smi_machine *n,
                   const struct smi_tui_info *a, struct smi_view *v)
{
    const int h = height < 1 ? 1 : height > SMI_TUI_MOST ? SMI_TUI_MOST : height, end = h - (h >= 6);
    struct smi_buf lines = {0};
    struct smi_tui_frame d = {.n = n, .a = a, .v = v, .look = {.utf8 = utf8, .color = true}};
    d.look.width = width < 1 ? 1 : width > SMI_TUI_MOST ? SMI_TUI_MOST : width;
    d.g.look = &d.look;
    d.g.to = &lines;
    if (v->page == SMI_VIEW_GPU && v->gpu >= n->gpus)
        v->page = SMI_VIEW_MAIN;
    smi_tui_order(&d, false);
    if (h >= 3)
        smi_tui_head(&d);
    alert_line(&d);
    if (h >= 5)
        smi_tui_sums(&d);
    if (v->page != SMI_VIEW_MAIN && h > 20)
        smi_tui_next(&d);
    if (v->page == SMI_VIEW_HELP)
        tui_help(&d, end - d.lines);
    else if (v->page == SMI_VIEW_ALERTS)
        tui_alerts(&d, end - d.lines);
    else if (v->page == SMI_VIEW_GPU)
        smi_tui_gpu(&d, end - d.lines, v->gpu, true);
    else
        draw_main_page(&d, end);
    set_lines(&d, h - (h >= 6 || v->asks || *v->said));
    if (d.lines < h)
        draw_last_line(&d);
    smi_buf_add(to, lines.p, lines.n);
    smi_buf_fini(&lines);
    smi_arena_fini(&d.g.arena);
}
