/* tui_view.c - what the screen shows, and the session of keys and turns around it. */
#include "live/tui.h"
#include "base/clock.h"
#include "live/host.h"
#include "live/watch.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    DRAW_MOST_MS = 1000, /* the clock in the first line goes on */
    DRAW_LEAST_MS = 200,
    EAGER_MS = 3000, /* at the beginning much is new */
    COST_MS = 5000,
    KEYS = 64, /* at once */
    DEAF = 100 /* times that it says there are keys, and there are none: its other end is closed */
};

struct smi_tui_session {
    struct smi_watch *w;
    struct smi_term term;
    struct smi_canvas canvas;
    struct smi_view view;
    int64_t draw_ms, begun_ms; /* draws next */
    int64_t cost_ms, cost_us;  /* when our use was looked at, and what it was then */
    int deaf;
    bool again, quit;          /* something was pressed; to quit, or the terminal is gone */
    struct smi_machine *still; /* what there was when it was paused, or NULL */
    struct smi_tui_info about; /* the same */
};

/* ---- what we cost ---- */

static int64_t used_us(void)
{
    struct rusage r;
    if (getrusage(RUSAGE_SELF, &r))
        return -1;
    return (int64_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000000 + r.ru_utime.tv_usec +
           r.ru_stime.tv_usec;
}

static void measure_own_cost(struct smi_tui_session *s, int64_t now_ms)
{
    char room[128];
    struct smi_text statm;
    int64_t us = used_us(), span = now_ms - s->cost_ms, pages;
    if (span < (s->w->about.cpu_micro < 0 ? COST_MS / 5 : COST_MS))
        return;
    s->w->about.cpu_micro = us >= 0 && s->cost_us >= 0 ? (us - s->cost_us) * 1000 / span : -1;
    statm = smi_cgroup_read_file("/proc/self/statm", room, sizeof room);
    smi_text_word(&statm);
    s->w->about.memory_kib = smi_text_parse_micro(smi_text_word(&statm), &pages)
                                 ? -1
                                 : pages / 1000000 * (sysconf(_SC_PAGESIZE) / 1024);
    s->cost_ms = now_ms;
    s->cost_us = us;
}

/* ---- open and close ---- */

struct smi_tui_session *smi_tui_session_open(struct smi_watch *w)
{
    struct smi_tui_session *s;
    struct smi_err err = {0};
    if (w->lines || !smi_term_available())
        return NULL;
    s = smi_mem_new(1, sizeof *s);
    s->w = w;
    if (smi_term_open(&s->term, &w->streams.out, w->look.color, w->look.utf8, &err)) {
        struct smi_buf b = {0};
        smi_buf_str(&b, "smilog: ");
        smi_buf_safe(&b, smi_text_of(err.text)); /* $TERM may be anything */
        smi_buf_str(&b, ": a line an interval, as with --plain\n");
        smi_live_print_message(&w->streams, &b);
        smi_mem_free(s);
        return NULL;
    }
    smi_view_init(&s->view);
    w->about.no_marks = w->no_marks != NULL;
    w->about.color = s->term.color;
    w->about.cpu_micro = w->about.memory_kib = -1;
    s->begun_ms = s->cost_ms = s->draw_ms = smi_clock_now_ms();
    s->cost_us = used_us();
    return s;
}

void smi_tui_session_close(struct smi_tui_session *s)
{
    if (!s)
        return;
    smi_term_close(&s->term);
    smi_canvas_fini(&s->canvas);
    smi_machine_free(s->still);
    smi_mem_free(s);
}

/* ---- going on ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_tui_session *s = self;
    smi_loop_watch(l, s->deaf < DEAF ? s->term.fd : -1);
    if (!smi_writer_pending(&s->w->streams.out)) /* else once the terminal has taken the last frame */
        smi_loop_wake(l, s->draw_ms);
}

void smi_tui_session_note(struct smi_tui_session *s, const char *note)
{
    s->w->about.note = note;
    s->draw_ms = 0;
}

static void handle_key(struct smi_tui_session *s, int key)
{
    const struct smi_machine *n = s->w->now;
    s->again = true;
    switch (smi_view_key(&s->view, key, s->still ? s->still : n, s->w->no_marks)) {
    case SMI_VIEW_QUIT:
        s->quit = true;
        return;
    case SMI_VIEW_MARK:
        s->w->mark(s->w->self, s->view.typed);
        break;
    case SMI_VIEW_HOLD:
        if (s->w->hold)
            s->w->hold(s->w->self);
        break;
    default:
        break;
    }
    if (s->view.paused == (s->still != NULL))
        return;
    smi_machine_free(s->still); /* p was pressed */
    s->still = s->view.paused ? smi_machine_snapshot(n) : NULL;
    s->about = s->w->about;
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_tui_session *s = self;
    int64_t step = s->w->about.interval_ms;
    int key, ready = smi_loop_ready(l, s->term.fd);
    if (!isatty(STDERR_FILENO))
        smi_live_print_events(&s->w->streams, s->w->now, &s->w->told);
    s->w->told = s->w->now->events; /* the screen has a list of them */
    for (int i = 0; i < KEYS && !s->quit && (key = smi_term_key(&s->term)); i++) {
        s->deaf = 0;
        handle_key(s, key);
    }
    s->deaf += (ready & POLLIN) && !s->again;
    s->quit |= (ready & (POLLHUP | POLLERR | POLLNVAL)) != 0; /* nobody looks any more */
    if (s->quit || smi_writer_pending(&s->w->streams.out) || (!s->again && l->now_ms < s->draw_ms))
        return 0;
    s->again = false;
    step = step && step < DRAW_MOST_MS ? step : DRAW_MOST_MS;
    if (l->now_ms - s->begun_ms < EAGER_MS || step < DRAW_LEAST_MS)
        step = DRAW_LEAST_MS;
    s->draw_ms = l->now_ms + step;
    measure_own_cost(s, l->now_ms);
    smi_canvas_size(&s->canvas, s->term.width, s->term.height, s->term.utf8);
    /* what stands still is what there was when it was paused */
    smi_tui_frame(&s->canvas, s->still ? s->still : s->w->now, s->still ? &s->about : &s->w->about, &s->view);
    return smi_term_draw(&s->term, &s->canvas, err);
}

struct smi_loop_source smi_tui_session_source(struct smi_tui_session *s)
{
    return (struct smi_loop_source){s, prepare, run};
}

bool smi_tui_session_has_quit(const struct smi_tui_session *s)
{
    return s && s->quit;
}

const struct smi_view_window smi_view_window[SMI_VIEW_WINDOWS] = {{"1m", "LAST 1 MIN", 60000},
                                                                  {"10m", "LAST 10 MIN", 600000},
                                                                  {"1h", "LAST HOUR", 3600000},
                                                                  {"run", "WHOLE RUN", 0}};
const char *const smi_view_sort[SMI_VIEW_SORTS] = {"index", "use", "VRAM", "power", "temperature", "alerts"};

void smi_view_init(struct smi_view *v)
{
    *v = (struct smi_view){.window = 1};
}

/* ---- a question ---- */

static enum smi_view_action type_key(struct smi_view *v, int key)
{
    size_t n = strlen(v->typed);
    if (key == SMI_TUI_KEY_ENTER || key == '\n' || key == '\r') {
        const bool mark = v->asks == SMI_VIEW_PROMPT_MARK;
        v->asks = SMI_VIEW_PROMPT_NONE;
        if (mark)
            return *v->typed ? SMI_VIEW_MARK : SMI_VIEW_DRAW;
        strcpy(v->filter, v->typed);
        v->scroll = 0;
    } else if (key == SMI_TUI_KEY_ESCAPE) {
        if (v->asks == SMI_VIEW_PROMPT_FILTER)
            *v->filter = 0;
        v->asks = SMI_VIEW_PROMPT_NONE;
    } else if (key == SMI_TUI_KEY_ERASE || key == 127 || key == 8) {
        while (n && ((unsigned char)v->typed[--n] & 0xC0) == 0x80)
            ;
        v->typed[n] = 0;
    } else if (key == 21) { /* ctrl-U */
        *v->typed = 0;
    } else if (key >= ' ' && key < 256 && n + 1 < sizeof v->typed) {
        v->typed[n] = (char)key;
        v->typed[n + 1] = 0;
    }
    return SMI_VIEW_DRAW;
}

static void open_prompt(struct smi_view *v, enum smi_view_prompt what)
{
    v->asks = what;
    *v->typed = 0;
}

/* ---- moving ---- */

/* The next of my GPUs in this direction; the first one if it was none of mine. */
static void step_gpu(struct smi_view *v, const struct smi_machine *n, int by)
{
    for (size_t i = 0, at = v->gpu; i < n->gpus; i++) {
        at = by > 0 ? (at + 1) % n->gpus : (at + n->gpus - 1) % n->gpus;
        if (n->gpu[at]->mine) {
            v->gpu = at;
            return;
        }
    }
}

static bool move_key(struct smi_view *v, int key, const struct smi_machine *n)
{
    static const struct {
        int key, lines, gpus;
    } moves[] = {{SMI_TUI_KEY_UP, -1, -1},
                 {SMI_TUI_KEY_DOWN, 1, 1},
                 {'k', -1, -1},
                 {'j', 1, 1},
                 {SMI_TUI_KEY_LEFT, -1, -1},
                 {SMI_TUI_KEY_RIGHT, 1, 1},
                 {SMI_TUI_KEY_PAGE_UP, -10, -1},
                 {SMI_TUI_KEY_PAGE_DOWN, 10, 1},
                 {SMI_TUI_KEY_HOME, -100000, 0},
                 {SMI_TUI_KEY_END, 100000, 0}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        if (moves[i].key != key)
            continue;
        if (v->page == SMI_VIEW_GPU && moves[i].gpus) {
            step_gpu(v, n, moves[i].gpus);
            return true;
        }
        v->scroll += moves[i].lines;
        v->scroll = v->scroll > v->scroll_most ? v->scroll_most : v->scroll;
        v->scroll = v->scroll < 0 ? 0 : v->scroll;
        return true;
    }
    if (v->page != SMI_VIEW_GPU || key < '0' || key > '9')
        return false;
    snprintf(v->said, sizeof v->said, "there is no GPU %c", key);
    for (size_t i = 0; i < n->gpus && *v->said; i++)
        if (n->gpu[i]->index == key - '0' && n->gpu[i]->mine) {
            v->gpu = i;
            *v->said = 0;
        }
    return true;
}

/* ---- all keys ---- */

static void open_page(struct smi_view *v, enum smi_view_page page)
{
    v->page = v->page == page ? SMI_VIEW_MAIN : page;
    v->scroll = 0;
}

static enum smi_view_action act_on_key(struct smi_view *v, int key, const struct smi_machine *n,
                                       const char *no_marks)
{
    switch (key) {
    case 'q':
    case 'Q':
    case 3:
        return SMI_VIEW_QUIT;
    case ' ':
        return SMI_VIEW_HOLD;
    case 'p':
        v->paused = !v->paused;
        break;
    case '?':
    case 'h':
        open_page(v, SMI_VIEW_HELP);
        break;
    case SMI_TUI_KEY_ESCAPE:
        if (v->page == SMI_VIEW_MAIN)
            *v->filter = 0;
        else
            open_page(v, SMI_VIEW_MAIN);
        break;
    case 's':
        v->sort = (v->sort + 1) % SMI_VIEW_SORTS;
        snprintf(v->said, sizeof v->said, "GPUs by %s", smi_view_sort[v->sort]);
        break;
    case 'w':
        v->window = (v->window + 1) % SMI_VIEW_WINDOWS;
        break;
    case 'g':
        if (v->page != SMI_VIEW_GPU && n->gpus == 0) {
            snprintf(v->said, sizeof v->said, "no GPU has been seen yet");
            break;
        }
        if (v->page != SMI_VIEW_GPU && (v->gpu >= n->gpus || !n->gpu[v->gpu]->mine)) {
            v->gpu = n->gpus - 1;
            step_gpu(v, n, 1);
        }
        v->scroll = v->page == SMI_VIEW_GPU ? 0 : v->scroll;
        v->page = v->page == SMI_VIEW_GPU ? SMI_VIEW_MAIN : SMI_VIEW_GPU;
        break;
    case 'a':
        open_page(v, SMI_VIEW_ALERTS);
        break;
    case '/':
        open_page(v, SMI_VIEW_MAIN);
        v->page = SMI_VIEW_MAIN;
        open_prompt(v, SMI_VIEW_PROMPT_FILTER);
        break;
    case 'e':
        if (v->paused)
            snprintf(v->said, sizeof v->said, "paused: a mark is of this moment; p goes on");
        else if (no_marks)
            snprintf(v->said, sizeof v->said, "%s", no_marks);
        else
            open_prompt(v, SMI_VIEW_PROMPT_MARK);
        break;
    default:
        return move_key(v, key, n) ? SMI_VIEW_DRAW : SMI_VIEW_NOTHING;
    }
    return SMI_VIEW_DRAW;
}

enum smi_view_action smi_view_key(struct smi_view *v, int key, const struct smi_machine *n,
                                  const char *no_marks)
{
    if (key == SMI_TUI_KEY_RESIZE)
        return SMI_VIEW_DRAW;
    if (v->asks)
        return type_key(v, key);
    *v->said = 0;
    return act_on_key(v, key, n, no_marks);
}

/* ---- which GPUs, and in which order ---- */

/* What a GPU is ordered by: larger first. */
static int64_t sort_weight(const struct smi_machine *n, size_t gpu, int sort)
{
    static const int metric[SMI_VIEW_SORTS] = {-1, SMI_GPU_UTIL, SMI_FB_USED, SMI_POWER, SMI_TEMP_GPU, -1};
    const struct smi_machine_reading *r =
        metric[sort] >= 0 ? smi_machine_reading_of(n, n->gpu[gpu], (unsigned)metric[sort]) : NULL;
    int64_t alerts = 0;
    if (metric[sort] >= 0)
        return r ? r->v : -1;
    for (size_t i = 0; i < n->alerts; i++)
        alerts += n->alert[i].gpu == (int)gpu ? 1 + 1000 * n->alert[i].grave : 0;
    return alerts;
}

/* By insertion: those that are equal stay in their order. */
static void order_by(const struct smi_machine *n, int sort, size_t *place, size_t k)
{
    int64_t w[SMI_MACHINE_GPUS_MAX];
    for (size_t i = 0; i < k; i++) {
        size_t at = place[i], to = i;
        int64_t own = sort_weight(n, at, sort);
        for (; to > 0 && w[to - 1] < own; to--) {
            w[to] = w[to - 1];
            place[to] = place[to - 1];
        }
        w[to] = own;
        place[to] = at;
    }
}

static bool gpu_has_text(const char *text, struct smi_text word)
{
    for (; text && *text; text++)
        if (strncasecmp(text, word.p, word.n) == 0)
            return true;
    return false;
}

static bool has_word(const struct smi_machine *n, size_t gpu, struct smi_text word)
{
    static const char *const states[] = {"", "old", "lost"};
    const struct smi_live_gpu *b = n->gpu[gpu];
    int64_t number;
    if (smi_text_parse_micro(word, &number) == 0)
        return number == (int64_t)b->index * 1000000;
    for (size_t i = 0; i < n->alerts; i++)
        if (n->alert[i].gpu == (int)gpu && gpu_has_text(n->alert[i].note, word))
            return true;
    return gpu_has_text(b->name, word) || gpu_has_text(b->uuid, word) || gpu_has_text(b->bus, word) ||
           gpu_has_text(b->label, word) || gpu_has_text(states[b->state], word);
}

static bool passes_filter(const struct smi_view *v, const struct smi_machine *n, size_t gpu)
{
    const char *p = v->filter;
    bool any = false;
    while (*p) {
        struct smi_text word = {p, strcspn(p, " ,")};
        p += word.n + (p[word.n] != 0);
        if (word.n && has_word(n, gpu, word))
            return true;
        any |= word.n > 0;
    }
    return !any;
}

size_t smi_view_order(const struct smi_view *v, const struct smi_machine *n, bool first,
                      size_t place[SMI_MACHINE_GPUS_MAX], size_t *mine)
{
    size_t k = 0;
    *mine = 0;
    for (size_t i = 0; i < n->gpus; i++) {
        if (!n->gpu[i]->mine)
            continue;
        ++*mine;
        if (passes_filter(v, n, i))
            place[k++] = i;
    }
    if (v->sort)
        order_by(n, v->sort, place, k);
    if (first)
        order_by(n, SMI_VIEW_SORTS - 1, place, k);
    return k;
}
