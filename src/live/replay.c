/* replay.c - a run that is over, played again: each row of its logs goes to smi_machine when its printed time
 * has come, so that the screen, lines and alerts see what they would have seen. */
#include "formats/file_group.h"
#include "live/watch.h"
#include "sweep/read_run.h"

#include <fcntl.h>
#include <unistd.h>

enum {
    REPLAY_LOGS = 256,
    MONO_MS = 1000,        /* where the clock of the run begins */
    REPLAY_TICK_MS = 1000, /* between rows without times, where no log has any */
    ONCE_STEP_MS = 5000,   /* how often alerts are looked at where nobody watches */
    CATCH_UP = 64,         /* ticks at most before keys are read */
    QUIET_MS = 60000, /* of the run: so long silence is played, so that who waits for it sees it; then, */
    FAR_MS = 120000,  /* if the next row is more than so long to wait for, */
    FAR_TICKS = 10000 /* or so many ticks away, it is jumped to */
};

/* A row or a mark that was read, and is played when its time has come. */
struct held {
    int64_t due_ms; /* UTC */
    bool is_mark;
    struct smi_rows row; /* one */
    struct smi_mark mark;
};

struct smi_replay_log {
    struct smi_sink gate; /* of its source in the machine: what is read goes to `held` */
    struct play *p;
    const struct smi_found_file **part; /* those that are still to be read: the last one first */
    size_t parts, parts_cap;
    char *name; /* of its newest part */
    int format;
    struct smi_live_source *source; /* in the machine */
    int offset_s;                   /* of local times */
    int64_t day_ms;  /* the begin of the run, for times without a date and rows without times, */
    int64_t tick_ms; /* which come so often */
    int fd;          /* the part that is read */
    struct smi_view_source from;
    struct smi_stream *stream;
    bool over; /* all parts are read */
    struct held *held;
    size_t next, n, cap;
    struct smi_arena texts; /* of held */
    int64_t last_ms;        /* the time of the last row that was read; */
    int who;                /* of rows without times: its device, */
    bool ticking;           /* if there was one, */
    int64_t ticks;          /* and how many polls there were */
};

struct play {
    struct smi_watch *w; /* the clock of its machine is the time of the run: it begins with the first row */
    const char *path;
    struct smi_sweep of; /* what was found at path: one run */
    int64_t speed;       /* millionths: 1000000 is as fast as it was */
    struct smi_replay_log *log[REPLAY_LOGS];
    size_t logs;
    int64_t first_ms, at_ms; /* UTC of the first row; where the clock stands */
    int64_t tick_ms;         /* the time of the run that is played next up to */
    int64_t step_ms;
    int64_t next_ms, quiet_ms; /* the row that is next; since when (of the run) it is */
    int64_t begun_ms;          /* monotonic; moved on while it is held */
    int64_t held_ms;           /* since when; -1: it plays */
    bool over;
    char words[SMI_MICRO_TEXT + 2]; /* "10 x" */
};

enum { PIECE = 65536, DAY_MS = 86400000 };
#define NEXT_ROW INT64_MAX /* the time of a mark: that of the next row */

/* ---- what is read, and waits ---- */

/* When row i is due, on the clock of the run. Without times one of a GPU that was there already begins
 * another poll. */
static int64_t due_time(struct smi_replay_log *l, const struct smi_rows *r, unsigned i)
{
    const enum smi_time_base base = smi_ingest_base(l->source->in);
    const int64_t local_ms = l->day_ms + (int64_t)l->offset_s * 1000;
    const int who = r->who ? r->who[i] : SMI_DEVICE_KEYLESS;
    int64_t t_ms;
    if (!r->timed) {
        l->ticks += l->ticking && who <= l->who;
        l->ticking = true;
        l->who = who;
        return l->day_ms + l->ticks * l->tick_ms;
    }
    t_ms = r->t_ms[i] + (base >= SMI_TIME_BASE_DAY ? local_ms - local_ms % DAY_MS : 0);
    return base == SMI_TIME_BASE_UTC ? t_ms : t_ms - (int64_t)l->offset_s * 1000;
}

/* A new one; what waits for the next row to tell its time has this one. */
static struct held *hold(struct smi_replay_log *l, int64_t due_ms)
{
    struct held *h = SMI_MEM_ADD(l->held, l->n, l->cap);
    *h = (struct held){.due_ms = due_ms};
    l->last_ms = due_ms == NEXT_ROW ? l->last_ms : due_ms;
    for (struct held *k = h; k > l->held + l->next && k[-1].due_ms == NEXT_ROW; k--)
        k[-1].due_ms = due_ms;
    return h;
}

static struct smi_text keep_text(struct smi_replay_log *l, struct smi_text t)
{
    return (struct smi_text){smi_arena_text(&l->texts, t.p, t.n), t.n};
}

static int hold_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    struct smi_replay_log *l = (struct smi_replay_log *)self;
    struct smi_rows own = smi_rows_copy(r, &l->texts);
    (void)err;
    if (r->process) {
        struct smi_process *process = smi_arena_new(&l->texts, 1, sizeof *process);
        *process = *r->process;
        process->name = keep_text(l, process->name);
        own.process = process;
    }
    for (unsigned i = 0; i < r->n; i++)
        hold(l, due_time(l, r, i))->row = smi_rows_part(&own, i, 1, NULL);
    return 0;
}

/* A fault stands in front of its row. */
static int hold_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_replay_log *l = (struct smi_replay_log *)self;
    const bool entry = m->kind == SMI_MARK_PHASE || m->kind == SMI_MARK_EVENT;
    struct smi_field *field = smi_arena_new(&l->texts, m->fields, sizeof *field);
    struct held *h = hold(l, entry ? m->t_us / 1000 : NEXT_ROW);
    (void)err;
    h->is_mark = true;
    h->mark = *m;
    h->mark.name = keep_text(l, m->name);
    h->mark.field = field;
    for (unsigned i = 0; i < m->fields; i++) {
        field[i] = m->field[i];
        field[i].key = keep_text(l, field[i].key);
        field[i].text = keep_text(l, field[i].text);
    }
    return 0;
}

/* INT64_MAX: there is no more. */
static int64_t next_time(const struct smi_replay_log *l)
{
    const int64_t t = l->next < l->n ? l->held[l->next].due_ms : INT64_MAX;
    return t == NEXT_ROW && l->next < l->n && l->over ? l->last_ms : t;
}

static int64_t mono_of(const struct play *p)
{
    return p->at_ms - p->first_ms + MONO_MS;
}

/* ---- parts ---- */

static void close_part(struct smi_replay_log *l)
{
    smi_stream_close(l->stream);
    if (l->fd >= 0)
        close(l->fd);
    l->stream = NULL;
    l->fd = -1;
}

static int open_part(struct smi_replay_log *l, struct smi_err *err)
{
    const struct smi_found_file *f = l->part[l->parts - 1];
    const struct smi_archived_log *in = f->inside;
    l->fd = in ? -1 : smi_file_open(AT_FDCWD, f->path, false, &(struct smi_file_info){0}, err);
    if (l->fd < 0 && !in)
        return -1;
    l->from = (struct smi_view_source){.pull = {.read = smi_read_view},
                                       .view = {.fd = in ? in->fd : l->fd,
                                                .name = f->path,
                                                .n = in ? in->size : 0,
                                                .part = in != NULL,
                                                .from = in ? in->from : 0}};
    l->stream = smi_stream_open(&l->from.pull, err);
    return l->stream ? 0 : -1;
}

/* Reads on until something waits, or all is read. Returns 0, or -1 with err. */
static int read_on(struct smi_replay_log *l, struct smi_err *err)
{
    char piece[PIECE];
    int rc = 0;
    if (l->next == l->n) {
        smi_arena_reset(&l->texts);
        l->next = l->n = 0;
    }
    while (!rc && next_time(l) == INT64_MAX && !l->over) {
        const ssize_t got = smi_stream_read(l->stream, piece, sizeof piece, err);
        if (got) {
            rc = got < 0 || smi_machine_feed(l->source, piece, (size_t)got, mono_of(l->p), err);
            continue;
        }
        close_part(l);
        l->over = --l->parts == 0;
        rc = l->over ? smi_machine_end(l->source, err) : open_part(l, err);
        if (!l->over)
            smi_machine_restart(l->source);
    }
    return rc ? -1 : 0;
}

/* ---- which logs ---- */

/* The next part of a log; the newest one comes first. NULL: there are too many logs. */
static struct smi_replay_log *add_part(struct play *p, const struct smi_found_file *file, int format)
{
    struct smi_replay_log *l = p->logs ? p->log[p->logs - 1] : NULL;
    char *end;
    if (!l || l->format != format || !smi_file_group_same_log(l->name, file->shown)) {
        if (p->logs == REPLAY_LOGS)
            return NULL;
        l = p->log[p->logs++] = smi_mem_new(1, sizeof *l);
        l->fd = -1;
        l->p = p;
        l->gate = (struct smi_sink){.rows = hold_rows, .mark = hold_mark};
        l->format = format;
        l->name = smi_mem_text(file->shown, strlen(file->shown));
        end = strrchr(l->name, '.');
        if (end)
            *end = 0;
        if (end && !smi_file_group_is_packed_of(file->shown, l->name))
            *end = '.';
    }
    *SMI_MEM_ADD(l->part, l->parts, l->parts_cap) = file;
    return l;
}

/* Those of its files that count: s has no second copy of a log. */
static int find_logs(struct play *p, const struct smi_summary *s, const struct smi_found_run *run,
                     struct smi_err *err)
{
    int64_t tick_ms = REPLAY_TICK_MS; /* of rows without times: as in the others, most likely */
    for (size_t i = s->ninputs; i-- > 0;)
        if (s->inputs[i].gpu && s->inputs[i].interval_s.has && s->inputs[i].interval_s.micro >= 1000)
            tick_ms = s->inputs[i].interval_s.micro / 1000;
    for (size_t i = 0, k = 0; i < s->ninputs; i++) {
        int format = s->inputs[i].format ? smi_format_find(s->inputs[i].format) : -1;
        struct smi_replay_log *l;
        while (k < run->files && strcmp(run->file[k].shown, s->inputs[i].path) != 0)
            k++;
        if (format < 0 || k == run->files)
            continue;
        if (run->file[k].inside && run->file[k].inside->rest)
            return smi_err_set(err, SMI_ELIMIT, "%.200s is too long a stream to be played", p->path);
        l = add_part(p, &run->file[k], format);
        if (!l)
            return smi_err_set(err, SMI_ELIMIT, "more than %d logs are not played together", REPLAY_LOGS);
        l->offset_s = s->zoned ? s->offset_s : 0;
        l->day_ms = s->has_start ? s->start_ms : 0;
        l->tick_ms = tick_ms;
    }
    return p->logs ? 0 : smi_err_set(err, SMI_EUSAGE, "nothing in it can be played");
}

/* ---- open ---- */

static int begin_log(struct play *p, struct smi_err *err)
{
    int64_t first_ms = INT64_MAX;
    for (size_t i = 0; i < p->logs; i++) {
        struct smi_replay_log *l = p->log[i];
        l->source = smi_machine_add_source(p->w->now, l->name, l->format, 0);
        l->source->gate = &l->gate;
        l->last_ms = l->day_ms;
        if (open_part(l, err) || read_on(l, err))
            return -1;
        first_ms = next_time(l) < first_ms ? next_time(l) : first_ms;
    }
    p->at_ms = p->first_ms = first_ms;
    return first_ms < INT64_MAX ? 0 : smi_err_set(err, SMI_EUSAGE, "there is no row in it");
}

/* Finds the logs of the one run at path (a directory, a log, or one in an archive) as summarize does: rotated
 * parts (NAME.2, NAME.1, NAME) are one log, packed ones are unpacked. The zone of local times, and how many
 * GPUs logs without a key are of, are what summarize tells. Returns 0, or -1 with err: SMI_EUSAGE (no run
 * there, or several), SMI_EIO. */
static int open_run(struct play *p, const char *path, const struct smi_machine_opts *o, struct smi_err *err)
{
    const struct smi_discover_opts d = {.format = -1, .threads = 1};
    const struct smi_options how = {.idle_below = 1000000, .timelines = 1}; /* what was found stays */
    const struct smi_summary *run;
    struct smi_machine_opts own = *o;
    if (smi_sweep_read(&p->of, &path, 1, &d, &how, err))
        return -1;
    run = p->of.runs;
    if (p->of.n != 1)
        return p->of.n
                   ? smi_err_set(err, SMI_EUSAGE, "%.200s holds %zu runs: name one of them", path, p->of.n)
                   : smi_err_set(err, SMI_EUSAGE, "%.200s: no log of a run is there", path);
    own.has_offset = true;
    own.offset_s = run->zoned ? run->offset_s : 0;
    for (size_t i = 0; i < run->ngpus; i++)
        own.gpu_count += !run->gpus[i].pooled;
    p->w->now = smi_machine_new(&own);
    return find_logs(p, run, &p->of.found.run[run->place], err);
}

/* ---- playing ---- */

/* The log whose row or mark is due first. */
static struct smi_replay_log *soonest_log(const struct play *p)
{
    struct smi_replay_log *l = p->log[0];
    for (size_t i = 1; i < p->logs; i++)
        l = next_time(p->log[i]) < next_time(l) ? p->log[i] : l;
    return l;
}

/* Plays all rows up to this time, in the order of their times, and sets the clock there; at the end it stands
 * at the last row. Returns 0, or -1 with err (SMI_EIO). */
static int replay_go(struct play *p, int64_t until_ms, struct smi_err *err)
{
    struct smi_replay_log *l;
    while (next_time(l = soonest_log(p)) <= until_ms && next_time(l) < INT64_MAX) {
        p->at_ms = next_time(l) > p->at_ms ? next_time(l) : p->at_ms;
        const struct held *h = &l->held[l->next++];
        struct smi_sink *to = &l->source->tee;
        smi_machine_tick(p->w->now, mono_of(p));
        l->source->mono_ms = mono_of(p);
        if ((h->is_mark ? to->mark(to, &h->mark, err) : to->rows(to, &h->row, err)) || read_on(l, err) ||
            (next_time(l) == INT64_MAX && to->end(to, err)))
            return -1;
    }
    if (next_time(l) < INT64_MAX && until_ms > p->at_ms)
        p->at_ms = until_ms;
    smi_machine_tick(p->w->now, mono_of(p));
    return 0;
}

/* When a time of the run has come. */
static int64_t wall_time_of(const struct play *p, int64_t t_ms)
{
    smi_i128 ms = (smi_i128)(t_ms - p->first_ms) * 1000000 / p->speed;
    return p->w->how->once ? 0 : p->begun_ms + (int64_t)(ms > (int64_t)1 << 60 ? (int64_t)1 << 60 : ms);
}

static void show_hold_note(struct play *p)
{
    p->w->draw_ms = 0;
    p->w->about.note = p->over ? "AT ITS END" : p->held_ms >= 0 ? "HELD" : p->words;
}

/* space */
static void toggle_hold(struct play *p)
{
    int64_t now = smi_clock_now_ms();
    if (p->over)
        return;
    if (p->held_ms >= 0)
        p->begun_ms += now - p->held_ms;
    p->held_ms = p->held_ms >= 0 ? -1 : now;
    show_hold_note(p);
}

/* A clock that was set, or a night without a job, is no hour to sit through. */
static void jump_to_end(struct play *p)
{
    int64_t next = next_time(soonest_log(p)), rest = next == INT64_MAX ? 0 : next - p->tick_ms - p->step_ms;
    char span[SMI_CLOCK_TEXT];
    bool far =
        rest / p->step_ms > FAR_TICKS || (!p->w->how->once && (smi_i128)rest * 1000000 / p->speed > FAR_MS);
    if (next != p->next_ms)
        p->quiet_ms = p->tick_ms;
    p->next_ms = next;
    if (!far || p->tick_ms - p->quiet_ms < QUIET_MS)
        return;
    rest -= rest % p->step_ms;
    smi_clock_write_span(span, next - p->quiet_ms);
    smi_machine_add_event(p->w->now, SMI_EVENT_WARN, "nothing for %s: jumped over", span);
    p->begun_ms -= (int64_t)((smi_i128)rest * 1000000 / p->speed);
    p->tick_ms += rest;
}

/* Plays up to the next tick. Returns 0 to go on, 1 at the end, -1 with err. */
static int advance_replay(struct play *p, struct smi_err *err)
{
    if (replay_go(p, p->tick_ms, err))
        return -1;
    smi_alert_actions_check(&p->w->alerts, smi_clock_now_ms());
    p->over = next_time(soonest_log(p)) == INT64_MAX;
    if (!p->w->show && (!p->w->how->once || p->over) && smi_watch_print(p->w, p->w->how->once, err))
        return -1;
    jump_to_end(p);
    p->tick_ms += p->step_ms;
    if (p->over && p->w->show)
        show_hold_note(p);
    return p->over && !p->w->show;
}

/* Nothing is lost if a recording waits for the reader of its lines. */
static bool is_unread(const struct play *p)
{
    return !p->w->show && smi_writer_pending(&p->w->out);
}

static void prepare_replay(void *self, struct smi_loop *l)
{
    const struct play *p = self;
    if (!p->over && p->held_ms < 0 && !is_unread(p))
        smi_loop_wake(l, wall_time_of(p, p->tick_ms));
}

/* Last in a turn. */
static int play_ticks(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct play *p = self;
    smi_watch_turn(p->w, l->now_ms, !p->w->how->once);
    if (p->w->space)
        toggle_hold(p);
    p->w->space = false;
    int rc = p->w->why != NULL;
    for (int i = 0; i < CATCH_UP && rc == 0 && !p->over && p->held_ms < 0 && !is_unread(p) &&
                    wall_time_of(p, p->tick_ms) <= smi_clock_now_ms();
         i++)
        rc = advance_replay(p, err);
    return rc;
}

static int play(struct play *p, struct smi_err *err)
{
    struct smi_watch *w = p->w;
    int rc;
    smi_text_write_fixed(p->words, p->speed, p->speed % 1000000 ? 1 : 0);
    strcat(p->words, " x");
    if (!w->how->once) {
        w->about.host = p->path;
        w->about.note = p->words;
    }
    w->about.sources = "logs";
    w->about.space = true;
    w->no_marks = "a recording that is played takes no marks";
    w->show_ms = w->end_ms = INT64_MAX;
    p->begun_ms = smi_clock_now_ms();
    p->tick_ms = p->first_ms;
    rc = smi_watch_run(w, p->path, (struct smi_loop_source){p, prepare_replay, play_ticks}, err);
    smi_watch_let_end(w); /* commands get a moment to end by themselves */
    if (rc == 0 && w->how->once && w->signalled)
        return smi_err_set(err, SMI_EIO, "interrupted before the end of the recording: no table");
    return rc;
}

int smi_replay(struct smi_watch *w, const char *path, int64_t speed, struct smi_err *err)
{
    struct play p = {.w = w,
                     .path = path,
                     .speed = speed,
                     .held_ms = -1,
                     .step_ms = w->how->once ? ONCE_STEP_MS : w->interval_ms};
    const struct smi_machine_opts how = {.expect_gpus = w->how->expect_gpus};
    struct smi_buf none = {0};
    bool opened;
    int rc;
    if (smi_watch_open(w, err))
        return -1;
    for (int i = SMI_RULE_COUNT; i < SMI_RULES && w->how->once; i++)
        w->alerts.table.rule[i].off_ms = 0; /* what holds at its end */
    opened = open_run(&p, path, &how, err) == 0 && begin_log(&p, err) == 0;
    w->whole = true;
    rc = opened ? play(&p, err) : -1;
    w->alerted = w->how->once && rc == 0 && w->now->alerts > 0;
    smi_alert_actions_fini(&w->alerts);
    if (opened && !w->how->once)
        smi_watch_events(w);
    for (size_t i = 0; i < p.logs; i++) {
        struct smi_replay_log *l = p.log[i];
        close_part(l);
        smi_mem_free(l->part);
        smi_mem_free(l->name);
        smi_mem_free(l->held);
        smi_arena_fini(&l->texts);
        smi_mem_free(l);
    }
    smi_machine_free(w->now);
    smi_sweep_fini(&p.of);
    smi_watch_close(w, &none);
    return rc;
}
