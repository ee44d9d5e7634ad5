#include "live/tui_session.h"

#include "base/clock.h"
#include "live/tui_terminal.h"

#include <stdio.h>
#include <string.h>
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
    struct smi_tui_session_opts o;
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

static int64_t resident_kib(void)
{
    FILE *f = fopen("/proc/self/statm", "re");
    char text[128] = "";
    struct smi_text t;
    int64_t pages;
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    t = (struct smi_text){text, n};
    smi_text_word(&t);
    if (smi_text_parse_micro(smi_text_word(&t), &pages))
        return -1;
    return pages / 1000000 * (sysconf(_SC_PAGESIZE) / 1024);
}

static void measure_own_cost(struct smi_tui_session *s, int64_t now_ms)
{
    int64_t us = used_us(), span = now_ms - s->cost_ms;
    if (span < (s->o.about.cpu_micro < 0 ? COST_MS / 5 : COST_MS))
        return;
    s->o.about.cpu_micro = us >= 0 && s->cost_us >= 0 ? (us - s->cost_us) * 1000 / span : -1;
    s->o.about.memory_kib = resident_kib();
    s->cost_ms = now_ms;
    s->cost_us = us;
}

/* ---- open and close ---- */

struct smi_tui_session *smi_tui_session_open(const struct smi_tui_session_opts *o)
{
    struct smi_tui_session *s;
    struct smi_err err = {0};
    if (o->lines || !smi_term_available())
        return NULL;
    s = smi_mem_new(1, sizeof *s);
    if (!s)
        return NULL;
    s->o = *o;
    if (smi_term_open(&s->term, &o->streams->out, o->look.color, o->look.utf8, &err)) {
        struct smi_buf b = {0};
        smi_buf_str(&b, "smilog: ");
        smi_buf_safe(&b, smi_text_of(err.text)); /* $TERM may be anything */
        smi_buf_str(&b, ": a line an interval, as with --plain\n");
        smi_live_print_message(o->streams, &b);
        smi_mem_free(s);
        return NULL;
    }
    smi_view_init(&s->view);
    s->o.about.no_marks = s->o.no_marks != NULL;
    s->o.about.color = s->term.color;
    s->o.about.cpu_micro = s->o.about.memory_kib = -1;
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
    if (!smi_writer_pending(&s->o.streams->out)) /* else once the terminal has taken the last frame */
        smi_loop_wake(l, s->draw_ms);
}

void smi_tui_session_note(struct smi_tui_session *s, const char *note)
{
    s->o.about.note = note;
    s->draw_ms = 0;
}

/* A picture that stands still is made of what there was when it was paused. */
static int draw_tui(struct smi_tui_session *s, const struct smi_machine *n, struct smi_err *err)
{
    if (smi_canvas_size(&s->canvas, s->term.width, s->term.height, s->term.utf8, err) ||
        smi_tui_frame(&s->canvas, s->still ? s->still : n, s->still ? &s->about : &s->o.about, &s->view, err))
        return -1;
    return smi_term_draw(&s->term, &s->canvas, err);
}

/* p was pressed, perhaps. */
static void freeze_view(struct smi_tui_session *s, const struct smi_machine *n)
{
    struct smi_err err = {0};
    if (s->view.paused == (s->still != NULL))
        return;
    smi_machine_free(s->still);
    s->still = s->view.paused ? smi_machine_snapshot(n, &err) : NULL;
    s->about = s->o.about;
    if (s->view.paused && !s->still) {
        s->view.paused = false;
        snprintf(s->view.said, sizeof s->view.said, "no pause: %.100s", err.text);
    }
}

static void handle_key(struct smi_tui_session *s, int key)
{
    const struct smi_machine *n = s->o.machine;
    s->again = true;
    switch (smi_view_key(&s->view, key, s->still ? s->still : n, s->o.no_marks)) {
    case SMI_VIEW_QUIT:
        s->quit = true;
        return;
    case SMI_VIEW_MARK:
        s->o.mark(s->o.self, s->view.typed);
        break;
    case SMI_VIEW_HOLD:
        if (s->o.hold)
            s->o.hold(s->o.self);
        break;
    default:
        break;
    }
    freeze_view(s, n);
}

static void read_keys(struct smi_tui_session *s, int ready)
{
    int key;
    for (int i = 0; i < KEYS && !s->quit && (key = smi_term_key(&s->term)); i++) {
        s->deaf = 0;
        handle_key(s, key);
    }
    if ((ready & POLLIN) && !s->again)
        s->deaf++;
    s->quit |= (ready & (POLLHUP | POLLERR | POLLNVAL)) != 0; /* nobody looks any more */
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_tui_session *s = self;
    int64_t step = s->o.about.interval_ms;
    if (!isatty(STDERR_FILENO))
        smi_live_print_events(s->o.streams, s->o.machine, s->o.told);
    *s->o.told = s->o.machine->events; /* the screen has a list of them */
    read_keys(s, smi_loop_ready(l, s->term.fd));
    if (s->quit || smi_writer_pending(&s->o.streams->out) || (!s->again && l->now_ms < s->draw_ms))
        return 0;
    s->again = false;
    step = step && step < DRAW_MOST_MS ? step : DRAW_MOST_MS;
    if (l->now_ms - s->begun_ms < EAGER_MS || step < DRAW_LEAST_MS)
        step = DRAW_LEAST_MS;
    s->draw_ms = l->now_ms + step;
    measure_own_cost(s, l->now_ms);
    return draw_tui(s, s->o.machine, err);
}

struct smi_loop_source smi_tui_session_source(struct smi_tui_session *s)
{
    return (struct smi_loop_source){s, prepare, run};
}

bool smi_tui_session_has_quit(const struct smi_tui_session *s)
{
    return s && s->quit;
}
