/* tui_draw.c - the lines on top, what stands below the GPUs, the pages, and how lines are shared out. */
#include "live/tui.h"

#include <stdio.h>

void smi_canvas_size(struct smi_canvas *c, int width, int height, bool utf8)
{
    c->width = width < 1 ? 1 : width > SMI_CANVAS_MOST ? SMI_CANVAS_MOST : width;
    c->height = height < 1 ? 1 : height > SMI_CANVAS_MOST ? SMI_CANVAS_MOST : height;
    c->utf8 = utf8;
    smi_mem_reserve(&c->line, &c->cap, (size_t)c->height, sizeof *c->line);
    for (int y = 0; y < c->height; y++)
        smi_canvas_clear(c, y);
}

void smi_canvas_fini(struct smi_canvas *c)
{
    for (size_t y = 0; y < c->cap; y++)
        smi_buf_fini(&c->line[y].text);
    smi_mem_free(c->line);
    *c = (struct smi_canvas){0};
}

void smi_canvas_clear(struct smi_canvas *c, int y)
{
    struct smi_buf text = c->line[y].text;
    smi_buf_clear(&text);
    c->line[y] = (struct smi_canvas_line){.text = text};
}

void smi_canvas_line_put(const struct smi_canvas *c, int y, bool color, struct smi_buf *to)
{
    const struct smi_canvas_line *l = &c->line[y];
    for (size_t i = 0; i < l->text.n; i++)
        if (!color && l->text.p[i] == '\033')
            i += strcspn(l->text.p + i, "m");
        else
            smi_buf_char(to, l->text.p[i]);
    smi_buf_str(to, color && l->style != SMI_STYLE_PLAIN ? "\033[0m\n" : "\n");
}

/* The next character of *text as it may be shown, into piece (SMI_CANVAS_CHARACTER bytes). Returns its
 * columns. */
static int next_character(const struct smi_canvas *c, const char **text, char *piece)
{
    size_t len = smi_text_utf8(*text, strnlen(*text, 4));
    int hidden = len ? smi_text_unprintable(*text, len) : (unsigned char)**text;
    *piece = 0;
    if (len == 0 || hidden >= 0) {
        snprintf(piece, SMI_CANVAS_CHARACTER, "\\x%02X", (unsigned)hidden);
        *text += len ? len : 1;
        return (int)strlen(piece);
    }
    memcpy(piece, *text, len);
    piece[len] = 0;
    *text += len;
    if (len == 1 || c->utf8)
        return smi_text_width(piece);
    strcpy(piece, strcmp(piece, "\u00b0") == 0 ? "" : "?");
    return (int)strlen(piece);
}

int smi_canvas_put(struct smi_canvas *c, int x, int y, enum smi_style style, const char *text)
{
    const struct smi_render_options look = {.color = true};
    char piece[SMI_CANVAS_CHARACTER];
    struct smi_canvas_line *l = y >= 0 && y < c->height ? &c->line[y] : NULL;
    struct smi_text_arena g = {.to = l ? &l->text : NULL, .look = &look};
    while (l && *text) {
        int columns = next_character(c, &text, piece);
        if (columns == 0 && x == l->end && x > 0 && l->combined + strlen(piece) < SMI_CANVAS_CHARACTER) {
            l->combined += strlen(piece);
            smi_buf_str(&l->text, piece); /* it combines with the last character */
        }
        if (x + columns > c->width)
            return c->width;
        if (columns && x >= l->end && *piece != ' ') {
            smi_buf_fmt(&l->text, "%*s", x - l->end, "");
            if (style != l->style && l->style != SMI_STYLE_PLAIN)
                smi_wrap_style(&g, SMI_STYLE_PLAIN);
            if (style != l->style && style != SMI_STYLE_PLAIN)
                smi_wrap_style(&g, style);
            smi_buf_str(&l->text, piece);
            l->style = style;
            l->end = x + columns;
            l->combined = 0;
        }
        x += columns;
    }
    return x;
}

int smi_canvas_width(const struct smi_canvas *c, const char *text)
{
    char piece[SMI_CANVAS_CHARACTER];
    int sum = 0;
    while (*text)
        sum += next_character(c, &text, piece);
    return sum;
}

static void tui_help(struct smi_tui_frame *d, int y, int lines)
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
        smi_tui_text(d, 0, y + i - from, 8, SMI_BOLD, help[i].key);
        smi_tui_put(d, 8, y + i - from, SMI_STYLE_PLAIN, help[i].text);
    }
}

/* The last events, newest first; skip: so many newer ones. Returns how many lines were used. */
static int tui_events(struct smi_tui_frame *d, int y, int lines, int skip)
{
    const struct smi_machine *n = d->n;
    int64_t oldest = n->events > SMI_MACHINE_EVENTS_MAX ? n->events - SMI_MACHINE_EVENTS_MAX : 0;
    int used = 0;
    for (int64_t i = n->events - 1 - skip; i >= oldest && used < lines; i--, used++) {
        const struct smi_event *e = &n->event[i % SMI_MACHINE_EVENTS_MAX];
        enum smi_style style = e->kind == SMI_EVENT_ERROR  ? SMI_RED
                               : e->kind == SMI_EVENT_WARN ? SMI_YELLOW
                                                           : SMI_STYLE_PLAIN;
        int x = smi_tui_put(d, 0, y + used, SMI_STYLE_PLAIN, smi_machine_clock(&d->g, d->n, e->t_ms));
        smi_tui_put(d, x + 2, y + used, style, smi_event_kinds[e->kind]);
        smi_tui_put(d, x + 9, y + used, SMI_STYLE_PLAIN, e->text);
    }
    return used;
}

static void tui_alerts(struct smi_tui_frame *d, int y, int lines)
{
    const struct smi_machine *n = d->n;
    int all = (int)n->alerts + 2 +
              (int)(n->events < SMI_MACHINE_EVENTS_MAX ? n->events : SMI_MACHINE_EVENTS_MAX),
        end = y + lines, i;
    d->v->scroll_most = all > lines ? all - lines : 0;
    for (i = d->v->scroll; i < (int)n->alerts && y < end; i++, y++) {
        const struct smi_alert *a = &n->alert[i];
        int x = smi_tui_put(d, 0, y, SMI_STYLE_PLAIN, smi_machine_clock(&d->g, d->n, a->from_ms));
        smi_tui_put(d, x + 2, y, smi_tui_grave_style(a->grave), a->text);
    }
    if (n->alerts == 0 && d->v->scroll == 0 && y < end)
        smi_tui_put(d, 0, y++, SMI_STYLE_PLAIN, "no rule holds");
    if (i <= (int)n->alerts && y < end - 1) {
        y++;
        smi_tui_put(d, 0, y++, SMI_BOLD, "WHAT HAPPENED");
    }
    tui_events(d, y, end - y, d->v->scroll > (int)n->alerts + 2 ? d->v->scroll - (int)n->alerts - 2 : 0);
}

/* ---- the last line ---- */

static void prompt_text(struct smi_tui_frame *d, int y)
{
    bool filter = d->v->asks == SMI_VIEW_PROMPT_FILTER;
    const char *question =
        filter ? "filter (a GPU's number, name or remark): " : "mark (a word for the record): ";
    int x;
    if (d->c->width < SMI_TUI_NARROW)
        question = filter ? "/" : "mark: ";
    x = smi_tui_put(d, 0, y, SMI_BOLD, question);
    x = smi_canvas_put(d->c, x, y, SMI_STYLE_PLAIN,
                       smi_fmt_middle(&d->g, smi_fmt_sentence(&d->g, d->v->typed), d->c->width - x - 1, 0));
    smi_canvas_put(d->c, x, y, SMI_BOLD, "_");
}

static void key_hints(struct smi_tui_frame *d, int y)
{
    bool wide = d->c->width >= SMI_TUI_MIDDLE;
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
        smi_tui_put_segments(d, y, main, sizeof main / sizeof *main);
    else
        smi_tui_put_segments(d, y, other, sizeof other / sizeof *other);
}

/* what stands under the GPUs: five minutes and the whole run, host, phases, events, monitors.
 */

/* ---- figures ---- */

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

/* Five minutes and the whole run: five lines. */
static void tui_figures(struct smi_tui_frame *d, int y)
{
    static const char *const heads[SMI_FIGURES] = {"5 MIN mean",     "p95", "max",
                                                   "WHOLE RUN mean", "p95", "max"};
    static const int end[SMI_FIGURES] = {27, 33, 39, 59, 65, 71}; /* of the columns */
    const char *wait = pressure_text(d, true, d->c->width - end[SMI_FIGURES - 1] - 2);
    struct smi_figure_row row[SMI_FIGURE_ROWS];
    size_t rows = smi_machine_figure_rows(&d->g, d->n, row);
    for (int c = 0; c < SMI_FIGURES; c++)
        smi_tui_right(d, end[c], y, SMI_BOLD, heads[c]);
    for (size_t i = 0; i < rows; i++) {
        smi_tui_put(d, 0, ++y, SMI_STYLE_PLAIN, row[i].label);
        for (int c = 0; c < SMI_FIGURES; c++)
            smi_tui_right(d, end[c], y, SMI_STYLE_PLAIN, row[i].figure[c]);
        if (wait && row[i].of_host)
            smi_tui_put(d, end[SMI_FIGURES - 1] + 2, y, SMI_STYLE_PLAIN, wait);
    }
}

/* ---- what happened ---- */

/* RunLogs write a phase when it ends: the last one that did, and those before it. */
static void tui_phase(struct smi_tui_frame *d, int y)
{
    const struct smi_machine *n = d->n;
    const struct smi_machine_phase *p = &n->phase[0];
    int x = smi_tui_put(d, 0, y, SMI_STYLE_PLAIN, "phase");
    x = smi_tui_put(d, x + 3, y, SMI_BOLD, p->name);
    x = smi_tui_put(d, x + 1, y, SMI_STYLE_PLAIN,
                    p->times > 1
                        ? smi_fmt(&d->g, "ended %s, %lld times %s in all",
                                  smi_machine_clock(&d->g, d->n, p->end_ms), (long long)p->times,
                                  smi_fmt_time(&d->g, p->ms))
                        : smi_fmt(&d->g, "ended %s after %s", smi_machine_clock(&d->g, d->n, p->end_ms),
                                  smi_fmt_time(&d->g, p->ms)));
    for (size_t i = 1; i < n->phases; i++) {
        const char *text = smi_fmt(&d->g, "%s %s", n->phase[i].name, smi_fmt_time(&d->g, n->phase[i].ms));
        const char *lead = i == 1 ? "     before: " : ", ";
        if (x + (int)strlen(lead) + smi_canvas_width(d->c, text) + 4 > d->c->width) {
            smi_tui_put(d, x, y, SMI_STYLE_PLAIN,
                        i == 1 ? "" : smi_fmt(&d->g, ", %s", smi_fmt_ellipsis(&d->g)));
            return;
        }
        x = smi_tui_put(d, x, y, SMI_STYLE_PLAIN, lead);
        x = smi_tui_put(d, x, y, SMI_STYLE_PLAIN, text);
    }
}

/* ---- monitors ---- */

static const char *state_of(struct smi_tui_frame *d, const struct smi_live_source *s)
{
    const char *slash = strrchr(s->name, '/');
    const char *text = strcmp(s->name, "cpu") == 0
                           ? "CPU"
                           : smi_fmt_middle(&d->g, slash && slash[1] ? slash + 1 : s->name, 24, 12);
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

/* The bad ones first, in red; then the others, as far as there is room. */
static int put_sources(struct smi_tui_frame *d, int y, int room)
{
    const struct smi_machine *n = d->n;
    size_t bad = 0, ok = 0, all = 0, left;
    const char *ended = smi_machine_ended(&d->g, n);
    int x;
    for (size_t i = 0; i < n->sources; i++) {
        bad += is_bad(n->source[i]);
        ok += n->source[i]->state == SMI_SOURCE_READING;
        all += n->source[i]->state != SMI_SOURCE_ENDED;
    }
    left = all;
    if (ended && all == 0)
        return smi_tui_text(d, 0, y, room, SMI_STYLE_PLAIN, ended);
    x = smi_tui_text(d, 0, y, room, SMI_STYLE_PLAIN,
                     ok < all ? smi_fmt(&d->g, "%s: ", d->a->sources)
                              : smi_fmt(&d->g, "%s ok: ", d->a->sources));
    for (int pass = bad ? 0 : 1; pass < 2; pass++)
        for (size_t i = 0; i < n->sources; i++) {
            const char *text;
            int last = left > 1 ? 10 : 0; /* for "+12 more" */
            if (is_bad(n->source[i]) != (pass == 0) || n->source[i]->state == SMI_SOURCE_ENDED)
                continue;
            text = smi_fmt(&d->g, "%s%s", left < all ? ", " : "", state_of(d, n->source[i]));
            if (x + smi_canvas_width(d->c, text) + last > room && left < all)
                return smi_tui_text(d, x, y, room - x, SMI_STYLE_PLAIN, smi_fmt(&d->g, ", +%zu more", left));
            x = smi_tui_text(d, x, y, room - x - last, pass ? SMI_STYLE_PLAIN : SMI_RED, text);
            left--;
        }
    if (ended)
        x = smi_tui_text(d, x, y, room - x, SMI_GREY, smi_fmt(&d->g, "; %s", ended));
    return x;
}

/* Our own use: in as few words as have to do. */
static const char *own_use_text(struct smi_tui_frame *d)
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

/* ---- no GPUs ---- */

/* Instead of GPUs: why there are none, and what to do. Returns how many lines were used. */
static int tui_no_gpus(struct smi_tui_frame *d, int y, int lines)
{
    const struct smi_machine *n = d->n;
    int from = y;
    if (d->mine) {
        smi_tui_put(d, 0, y, SMI_STYLE_PLAIN,
                    smi_fmt(&d->g, "no GPU of %zu is, or says, \"%s\" (esc: all)", d->mine, d->v->filter));
        return 2;
    }
    smi_tui_put(d, 0, y++, SMI_BOLD,
                n->gpus ? "no GPU here is the job's own (CUDA_VISIBLE_DEVICES); --gpus all shows them"
                        : "no reading of a GPU so far");
    for (size_t i = 0; i < n->sources && y - from < lines - 1 && !n->gpus; i++) {
        const struct smi_live_source *s = n->source[i];
        if (s->format == SMI_FMT_CPU)
            continue;
        smi_tui_put(d, 2, y++, is_bad(s) ? SMI_RED : SMI_STYLE_PLAIN,
                    smi_fmt(&d->g, "%-6s %s%s%s", s->name,
                            s->state == SMI_SOURCE_READING ? "reads, but has shown no GPU"
                                                           : smi_source_states[s->state],
                            *s->why ? ": " : "", s->why));
    }
    if (d->a->hint && y - from < lines)
        smi_tui_put(d, 0, y++, SMI_GREY, d->a->hint);
    return y - from + 1;
}

/* the lines on top, the last line, and how a picture's lines are shared out. */

/* ---- text ---- */

int smi_tui_put_segments(struct smi_tui_frame *d, int y, const struct smi_tui_segment *part, size_t n)
{
    int keep = 100, width = d->c->width, x = 0;
    for (;;) {
        int sum = 0, top = 0;
        for (size_t i = 0; i < n; i++) {
            if (!part[i].text || part[i].rank > keep)
                continue;
            sum += (sum ? part[i].gap : 0) + smi_canvas_width(d->c, part[i].text);
            top = part[i].rank > top ? part[i].rank : top;
        }
        if (sum <= width || top == 0)
            break;
        keep = top - 1;
    }
    for (size_t i = 0; i < n; i++)
        if (part[i].text && part[i].rank <= keep)
            x = smi_tui_text(d, x + (x ? part[i].gap : 0), y, width, part[i].style, part[i].text);
    return x;
}

int smi_tui_text(struct smi_tui_frame *d, int x, int y, int width, enum smi_style style, const char *text)
{
    const int room = (x + width < d->c->width ? x + width : d->c->width) - x;
    const char *safe = room > 0 ? smi_fmt_middle(&d->g, smi_fmt_sentence(&d->g, text), room, room) : "";
    return smi_canvas_put(d->c, x, y, style, safe);
}

int smi_tui_put(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text)
{
    return smi_tui_text(d, x, y, d->c->width, style, text);
}

void smi_tui_right(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text)
{
    smi_canvas_put(d->c, x - smi_canvas_width(d->c, text), y, style, text);
}

enum smi_style smi_tui_grave_style(bool grave)
{
    return grave ? SMI_RED : SMI_YELLOW;
}

/* ---- the lines on top ---- */

void smi_tui_head(struct smi_tui_frame *d, int y)
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
    smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
}

/* Always there: the eye goes there first. */
static void alert_line(struct smi_tui_frame *d, int y)
{
    const struct smi_machine *n = d->n;
    bool grave = n->alerts && n->alert[0].grave;
    int x, width = d->c->width;
    const char *sign = grave && !d->a->color ? "!!" : d->c->utf8 ? "\u25b2" : "!";
    if (n->alerts == 0) {
        smi_tui_text(d, 0, y, width, SMI_BOLD, "no alerts");
        return;
    }
    x = smi_tui_text(d, 0, y, width, smi_tui_grave_style(grave),
                     smi_fmt(&d->g, "%s %zu ALERT%s", sign, n->alerts, n->alerts == 1 ? "" : "S"));
    for (size_t i = 0; i < n->alerts; i++) {
        const char *more = i + 1 < n->alerts ? smi_fmt(&d->g, "+%zu (a)", n->alerts - i - 1) : "";
        const char *rest = smi_fmt(&d->g, "+%zu (a)", n->alerts - i);
        int gap = i ? 4 : 3, room = width - x - gap, after = *more ? 2 + (int)strlen(more) : 0;
        bool last = smi_canvas_width(d->c, n->alert[i].text) + after > room;
        if (last && i && x + 2 + (int)strlen(rest) <= width) {
            smi_tui_text(d, x + 2, y, width, SMI_STYLE_PLAIN, rest);
            return;
        }
        x = smi_tui_text(d, x + gap, y, last && room > after + 8 ? room - after : room,
                         smi_tui_grave_style(n->alert[i].grave), n->alert[i].text);
        if (last) {
            smi_tui_text(d, x + 2, y, width, SMI_STYLE_PLAIN, more);
            return;
        }
    }
}

/* With a word before it. */
static const char *with_word(struct smi_tui_frame *d, const char *word, const char *text)
{
    return text ? smi_fmt(&d->g, "%s%s", word, text) : NULL;
}

void smi_tui_sums(struct smi_tui_frame *d, int y)
{
    const bool narrow = d->c->width < SMI_TUI_MIDDLE;
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
    smi_tui_put_segments(d, y, part, sizeof part / sizeof *part);
}

/* ---- sharing out the lines ---- */

/* How many lines each part of the screen gets. */
struct plan {
    int top;                     /* lines above, with the blank under them */
    int rows, remarks;           /* GPUs; lines under their table */
    bool powers, graphs;         /* a line of power for each; one GPU: graphs in the place of its table */
    bool figures, host, sources; /* the 5-minute table; or the line of the host; of the monitors */
    bool phase;
    int events;
    int blanks; /* so many can be had: above events, figures, GPUs, and monitors */
};

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
 * monitors, the host; GPUs never. */
static void share_lines(const struct smi_tui_frame *d, struct plan *p, int lines)
{
    int rest = lines, most = d->n->events < EVENTS ? (int)d->n->events : EVENTS, gpus = (int)d->gpus, least,
        graphs;
    bool table = gpus > 0 && !p->graphs;
    if (table && !take_line(&rest, 1 + gpus)) {
        p->remarks = p->remarks > 1 && rest > 4 ? 1 : rest > 4 ? p->remarks : 0;
        p->rows = rest - 1 - p->remarks > 1 ? rest - 1 - p->remarks : 1;
        return;
    }
    p->rows = gpus;
    p->remarks = p->remarks > rest ? rest : p->remarks;
    rest -= p->remarks;
    graphs = lines >= GRAPHS_FROM ? GRAPHS_GOOD : GRAPHS_LEAST;
    if (p->graphs)
        take_line(&rest, graphs);
    p->host = d->n->host.seen && take_line(&rest, 1);
    p->sources = take_line(&rest, 1);
    p->phase = d->n->phases > 0;
    least = most + p->phase + 1; /* and a blank */
    if (d->mine && rest + p->host >= FIGURES + least) {
        p->figures = true;
        rest += p->host - FIGURES;
        p->host = false;
    }
    p->phase = p->phase && take_line(&rest, 1);
    p->events = rest > most ? most : rest > 1 ? rest - 1 : 0;
    p->events = p->events > most ? most : p->events;
    rest -= p->events;
    p->powers = table && gpus <= 8 && d->c->height >= SMI_TUI_TALL && take_line(&rest, gpus);
    p->blanks = rest < 4 ? rest : 4;
    rest -= p->blanks;
    if (p->graphs) /* what is left, in thirds */
        p->rows = graphs + (rest > GRAPHS_MOST - graphs ? GRAPHS_MOST - graphs : rest) / 3 * 3;
    else /* as many older ones as there is room */
        p->events += d->n->events - p->events < rest ? (int)(d->n->events - p->events) : rest;
}

/* From y to the line before `end`. */
static void draw_below(struct smi_tui_frame *d, const struct plan *p, int y, int end)
{
    int bottom = end - p->sources;
    if (p->sources) {
        const char *own = own_use_text(d);
        int w = own ? smi_canvas_width(d->c, own) : 0,
            x = put_sources(d, bottom, d->c->width - (own ? w + 3 : 0));
        if (own)
            smi_tui_text(d, x + 5 + w <= d->c->width ? x + 5 : d->c->width - w, bottom, w, SMI_STYLE_PLAIN,
                         own);
    }
    y += (p->figures || p->host) && p->blanks > 1;
    if (p->figures) {
        tui_figures(d, y);
        y += FIGURES;
    } else if (p->host) {
        const struct smi_machine_reading *cpu = smi_machine_reading_of(d->n, &d->n->host, SMI_CPU_PCT),
                                         *ram = smi_machine_reading_of(d->n, &d->n->host, SMI_RAM_PCT);
        const struct smi_tui_segment part[] = {
            {"host", SMI_STYLE_PLAIN, 0, 0},
            {cpu ? smi_fmt(&d->g, "CPU %s %%", smi_fmt_ratio(&d->g, cpu->v, 1000000, 0)) : NULL,
             SMI_STYLE_PLAIN, 4, 1},
            {ram ? smi_fmt(&d->g, "RAM %s %%", smi_fmt_ratio(&d->g, ram->v, 1000000, 0)) : NULL,
             SMI_STYLE_PLAIN, 3, 2},
            {pressure_text(d, false, d->c->width), SMI_STYLE_PLAIN, 3, 3},
            {!cpu && !ram ? "no reading" : NULL, SMI_GREY, 4, 1},
        };
        smi_tui_put_segments(d, y++, part, sizeof part / sizeof *part);
    }
    y += (p->phase || p->events) && p->blanks > 0;
    if (p->phase)
        tui_phase(d, y++);
    tui_events(d, y, p->events < bottom - y ? p->events : bottom - y, 0);
}

static void draw_main_page(struct smi_tui_frame *d, int y, int end)
{
    struct plan p = {.graphs =
                         d->mine == 1 && d->gpus == 1 && end - y >= GRAPHS_LEAST + 2 && d->c->width >= 40};
    smi_tui_order(d, false);
    p.remarks = d->gpus && !p.graphs ? smi_tui_remark_lines(d) : 0;
    share_lines(d, &p, end - y);
    if (d->gpus && !p.graphs && p.rows < (int)d->gpus)
        smi_tui_order(d, true);
    d->v->scroll_most = p.graphs ? 0 : (int)d->gpus - p.rows;
    d->v->scroll = d->v->scroll > d->v->scroll_most ? d->v->scroll_most : d->v->scroll;
    y += p.blanks > 2;
    if (d->gpus == 0) {
        y += tui_no_gpus(d, y, end - y);
    } else if (p.graphs) {
        smi_tui_gpu(d, y, p.rows, d->place[0], false);
        y += p.rows;
    } else {
        smi_tui_table(d, y, p.rows, p.powers);
        y += 1 + p.rows * (1 + p.powers);
        smi_tui_remarks(d, y, p.remarks);
        y += p.remarks;
    }
    draw_below(d, &p, y, end);
}

/* Tiny terminals: the alert line goes last. */
static void draw_page(struct smi_tui_frame *d)
{
    int h = d->c->height, y = 0, end = h - (h >= 6);
    if (h >= 3)
        smi_tui_head(d, y++);
    alert_line(d, y++);
    if (h >= 5)
        smi_tui_sums(d, y++);
    switch (d->v->page) {
    case SMI_VIEW_HELP:
        tui_help(d, y + (h > 20), end - y - (h > 20));
        break;
    case SMI_VIEW_ALERTS:
        tui_alerts(d, y + (h > 20), end - y - (h > 20));
        break;
    case SMI_VIEW_GPU:
        smi_tui_gpu(d, y + (h > 20), end - y - (h > 20), d->v->gpu, true);
        break;
    default:
        draw_main_page(d, y, end);
    }
    if (h < 6 && !d->v->asks && !*d->v->said)
        return;
    smi_canvas_clear(d->c, h - 1); /* the last line: what is asked for, said, or which keys there are */
    if (d->v->asks)
        prompt_text(d, h - 1);
    else if (*d->v->said)
        smi_tui_put(d, 0, h - 1, SMI_BOLD, d->v->said);
    else if (d->v->paused)
        smi_tui_put(d, 0, h - 1, SMI_BOLD,
                    d->a->recording ? "paused: p goes on, q quits; the recording goes on meanwhile"
                                    : "paused: p goes on, q quits");
    else
        key_hints(d, h - 1);
}

void smi_tui_frame(struct smi_canvas *c, const struct smi_machine *n, const struct smi_tui_info *a,
                   struct smi_view *v)
{
    struct smi_tui_frame d = {
        .c = c, .n = n, .a = a, .v = v, .look = {.width = c->width, .utf8 = c->utf8, .color = true}};
    d.g.look = &d.look;
    if (v->page == SMI_VIEW_GPU && v->gpu >= n->gpus)
        v->page = SMI_VIEW_MAIN;
    smi_tui_order(&d, false);
    draw_page(&d);
    smi_arena_fini(&d.g.arena);
}
