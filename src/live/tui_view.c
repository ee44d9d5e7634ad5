/* tui_view.c - what somebody has chosen to look at, and the keys that change it. */
#include "live/tui.h"

#include <stdio.h>
#include <strings.h>

const struct smi_view_window smi_view_window[SMI_VIEW_WINDOWS] = {{"10m", "LAST 10 MIN", 600000},
                                                                  {"1h", "LAST HOUR", 3600000},
                                                                  {"run", "WHOLE RUN", 0},
                                                                  {"1m", "LAST 1 MIN", 60000}};
const char *const smi_view_sort[SMI_VIEW_SORTS] = {"index", "use", "VRAM", "power", "temperature", "alerts"};

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
    } else if (key == 127 || key == 8) {
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

/* The GPU whose number was typed, if there is one. */
static bool choose_gpu(struct smi_view *v, const struct smi_machine *n)
{
    for (size_t i = 0; i < n->gpus; i++)
        if (n->gpu[i]->index == v->number && n->gpu[i]->mine) {
            v->gpu = i;
            return true;
        }
    return false;
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
    v->number = 10 * v->number + key - '0';
    if (v->number >= 10 && choose_gpu(v, n))
        return true;
    v->number = key - '0';
    if (!choose_gpu(v, n))
        snprintf(v->said, sizeof v->said, "there is no GPU %c", key);
    return true;
}

/* ---- all keys ---- */

static void open_page(struct smi_view *v, enum smi_view_page page)
{
    v->page = v->page == page ? SMI_VIEW_MAIN : page;
    v->scroll = 0;
}

enum smi_view_action smi_view_key(struct smi_view *v, int key, const struct smi_machine *n,
                                  const char *no_marks)
{
    if (key == SMI_TUI_KEY_RESIZE)
        return SMI_VIEW_DRAW;
    if (v->asks)
        return type_key(v, key);
    if (v->paused && key != 'p' && key != 'q' && key != 'Q' && key != 3)
        return SMI_VIEW_NOTHING;
    *v->said = 0;
    v->number = key >= '0' && key <= '9' ? v->number : 0;
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
        open_page(v, SMI_VIEW_GPU);
        break;
    case 'a':
        open_page(v, SMI_VIEW_ALERTS);
        break;
    case '/':
        open_page(v, SMI_VIEW_MAIN);
        open_prompt(v, SMI_VIEW_PROMPT_FILTER);
        break;
    case 'e':
        if (no_marks)
            snprintf(v->said, sizeof v->said, "%s", no_marks);
        else
            open_prompt(v, SMI_VIEW_PROMPT_MARK);
        break;
    default:
        return move_key(v, key, n) ? SMI_VIEW_DRAW : SMI_VIEW_NOTHING;
    }
    return SMI_VIEW_DRAW;
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

/* Is it the GPU's number, or a piece of what is known of it? */
static bool has_word(struct smi_tui_frame *d, size_t gpu, struct smi_text word)
{
    const struct smi_live_gpu *b = d->n->gpu[gpu];
    const char *const of[] = {b->name, b->uuid, b->bus, b->label, smi_machine_remark(&d->g, d->n, gpu)};
    char piece[SMI_VIEW_TYPED];
    int64_t number;
    if (smi_text_parse_micro(word, &number) == 0)
        return number == (int64_t)b->index * 1000000;
    smi_text_copy(piece, sizeof piece, word);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i] && strcasestr(of[i], piece))
            return true;
    return false;
}

static bool passes_filter(struct smi_tui_frame *d, size_t gpu)
{
    bool any = false;
    for (const char *p = d->v->filter + strspn(d->v->filter, " ,"); *p; p += strspn(p, " ,")) {
        const struct smi_text word = {p, strcspn(p, " ,")};
        if (has_word(d, gpu, word))
            return true;
        any = true;
        p += word.n;
    }
    return !any;
}

/* Until another one is chosen, the first window grows with the run: as many minutes as that has lasted, but
 * at least a minute, and so many that there are sixty readings. */
static int64_t grown_window(const struct smi_tui_frame *d)
{
    static const int64_t minutes[] = {1, 2, 3, 5};
    const int64_t chosen = smi_view_window[d->v->window].ms;
    int64_t least = d->n->timed && !d->v->window ? d->n->t_ms - d->n->first_ms : INT64_MAX;
    for (size_t i = 0; i < d->n->gpus; i++)
        least = d->n->gpu[i]->pitch_ms * 60 > least ? d->n->gpu[i]->pitch_ms * 60 : least;
    for (size_t i = 0; i < sizeof minutes / sizeof *minutes; i++)
        if (minutes[i] * 60000 >= least)
            return minutes[i] * 60000;
    return chosen;
}

void smi_tui_order(struct smi_tui_frame *d, bool first)
{
    d->window_ms = grown_window(d);
    d->gpus = d->mine = 0;
    for (size_t i = 0; i < d->n->gpus; i++) {
        d->mine += d->n->gpu[i]->mine;
        if (d->n->gpu[i]->mine && passes_filter(d, i))
            d->place[d->gpus++] = i;
    }
    if (d->v->sort)
        order_by(d->n, d->v->sort, d->place, d->gpus);
    if (first)
        order_by(d->n, SMI_VIEW_SORTS - 1, d->place, d->gpus);
}
