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
    v->paused &= key == 'p'; /* any key goes on */
    *v->said = *v->typed = 0;
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
        v->asks = SMI_VIEW_PROMPT_FILTER;
        break;
    case 'e':
        if (no_marks)
            snprintf(v->said, sizeof v->said, "%s", no_marks);
        else
            v->asks = SMI_VIEW_PROMPT_MARK;
        break;
    default:
        return move_key(v, key, n) ? SMI_VIEW_DRAW : SMI_VIEW_NOTHING;
    }
    return SMI_VIEW_DRAW;
}
