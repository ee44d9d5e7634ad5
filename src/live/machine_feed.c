/* machine_feed.c - bytes of a source become readings of GPUs and processes. */
#include "live/machine.h"
#include "summary/gpus.h"

#include <stdio.h>

enum {
    PROCS = 4096,  /* of a block; more are not looked at */
    WHOLE_MS = 100 /* so long after its last row a block is whole, if none follows: it is printed at once */
};

/* A row about a process. */
static void machine_add_process(struct smi_live_source *s, const struct smi_live_gpu *gpu,
                                const struct smi_rows *v, int64_t t_ms)
{
    struct smi_machine *n = s->now;
    struct smi_process_block *b = &n->procs[0];
    const struct smi_text name = v->process->name;
    const unsigned memory = smi_rows_column(v, smi_proc_metric[SMI_PROC_MEMORY]);
    const size_t most = SMI_GPU_PROCESS_NAME - 1,
                 len = name.n < most ? name.n : most; /* of a long one the end */
    bool other = b->mono_ms && s->format != n->source[b->source]->format;
    if (v->process->life_ms >= 0 ||
        (other && s->format != SMI_FMT_APPS)) /* of the past; pmon, which knows less */
        return;
    if (b->t_ms != t_ms || b->source != s->place) {
        struct smi_process_block before = n->procs[1];
        n->procs[1] = *b;
        *b = before;
        b->n = 0;
        b->t_ms = t_ms;
        b->source = s->place;
    }
    b->mono_ms = s->row_mono_ms;
    if (v->process->none || v->process->pid < 0 || b->n == PROCS)
        return;
    smi_mem_reserve(&b->proc, &b->cap, b->n + 1, sizeof *b->proc);
    b->proc[b->n] = (struct smi_gpu_process){.gpu = gpu, .pid = v->process->pid, .fb = SMI_NO_READING};
    if (name.n)
        memcpy(b->proc[b->n].name, name.p + name.n - len, len);
    if (memory < v->metrics)
        b->proc[b->n].fb = smi_rows_reading(v, memory, 0);
    b->n++;
}

const struct smi_gpu_process *smi_machine_processes(const struct smi_machine *n, size_t *count)
{
    const struct smi_process_block *b = &n->procs[0];
    int64_t interval;
    *count = 0;
    if (n->mono_ms - b->mono_ms < WHOLE_MS && n->procs[1].mono_ms)
        b = &n->procs[1];
    if (!b->mono_ms)
        return NULL;
    interval = n->source[b->source]->interval_ms;
    if (interval > 0 && n->mono_ms - b->mono_ms > SMI_MACHINE_STALE_INTERVALS * interval)
        return NULL;
    *count = b->n;
    return b->proc;
}

/* Bytes of a source become readings of GPUs; its input_stats count them as `smilog summarize` would. */

enum {
    HEAD = 65536,
    PATIENCE_MS = 3000, /* for rows that do not say which GPU they are of */
    PAUSE_MS = 200,     /* between two deliveries: of the bytes that were there before, or of blocks */
    BUFFERED_MS =
        600000 /* a delivery that covers more time is no block of a writer, but an older part of a log */
};

/* Behind a reader stands the tee: its input_stats first, which know the times and the duplicates, then the
 * GPUs. */
static struct smi_live_source *source_of(struct smi_sink *tee)
{
    return (struct smi_live_source *)((char *)tee - offsetof(struct smi_live_source, tee));
}

/* ---- readings ---- */

static int64_t utc_of(const struct smi_live_source *s, int64_t t_ms)
{
    enum smi_time_base base = smi_ingest_base(s->in);
    return base == SMI_TIME_BASE_UTC ? t_ms : t_ms - (int64_t)s->now->o.offset_s * 1000;
}

/* The run has come to this time. */
static void advance_clock(struct smi_machine *n, int64_t t_ms)
{
    if (!n->timed || t_ms < n->first_ms)
        n->first_ms = t_ms;
    if (n->o.follow) {
        n->t_ms = smi_clock_utc_ms();
    } else if (!n->timed || t_ms >= n->t_ms) {
        n->base_t_ms = n->t_ms = t_ms;
        n->base_mono_ms = n->mono_ms;
    }
    n->timed = true;
}

enum { STEP_MS = 10000 /* a clock that is set by less is not worth a word */ };

static bool is_step(int64_t ms)
{
    return ms > STEP_MS || ms < -STEP_MS;
}

/* The clock of a monitor was set, unless this machine has another offset since then: the run goes on from
 * there. Returns the row's time. A row that is behind the clock, but not earlier than the row before it, was
 * read late (smilog was stopped), unless this machine's clock was set, too. */
static int64_t check_clock(struct smi_live_source *s, int64_t t_ms)
{
    struct smi_machine *n = s->now;
    bool first = !s->has_skew;
    char span[SMI_CLOCK_TEXT];
    const int64_t here_ms = smi_clock_utc_ms() - s->mono_ms, drift = first ? 0 : here_ms - s->here_ms;
    const bool later = !first && t_ms >= s->stamp_ms;
    int64_t step;
    s->skew_ms = first ? here_ms : s->skew_ms + (is_step(drift) ? 0 : drift);
    s->here_ms = here_ms;
    s->has_skew = true;
    s->stamp_ms = t_ms;
    step = t_ms - s->mono_ms - s->skew_ms;
    if (step < 0 && later && !is_step(drift))
        return t_ms;
    if (is_step(step)) {
        smi_machine_update_offset(n);
        t_ms = utc_of(s, s->part->now_ms);
        step = t_ms - s->mono_ms - s->skew_ms;
    }
    if (is_step(step)) {
        smi_clock_write_span(span, step > 0 ? step : -step);
        smi_machine_add_event(
            n, SMI_EVENT_WARN,
            first ? "%s: the clock is %s this machine's by %s" : "%s: the clock was set %s by %s", s->name,
            step < 0 ? first ? "behind" : "back"
            : first  ? "ahead of"
                     : "ahead",
            span);
        s->steps++;
        s->step_ms = step;
        n->base_t_ms = n->t_ms = t_ms;
        n->base_mono_ms = n->mono_ms;
    }
    s->skew_ms = t_ms - s->mono_ms;
    return t_ms;
}

/* Does this source tell of the metric, or another that is asked before it (docs/numbers.md §5 "one source a
 * metric")? */
static bool is_leading_source(const struct smi_machine *n, const struct smi_live_source *s,
                              const struct smi_machine_reading *r, unsigned metric)
{
    const struct smi_live_source *other = r->has ? n->source[r->source] : s;
    if (other != s && r->mono_ms > s->row_mono_ms)
        return false; /* an older row, of a log that is read later */
    return other == s ||
           smi_metric_format_rank(s->format, metric) < smi_metric_format_rank(other->format, metric) ||
           other->state != SMI_SOURCE_READING;
}

/* A slowdown by heat, of any kind. */
static bool is_thermal(unsigned metric)
{
    return metric == SMI_THROTTLE_SW_THERMAL || metric == SMI_THROTTLE_HW_THERMAL;
}

/* Without a screen, the page and an alert look at more than five minutes of use and memory only. */
static void add_to_history(const struct smi_machine *n, struct smi_live_gpu *b, unsigned metric, int64_t v,
                           int64_t t_ms)
{
    for (int slot = 0; slot < SMI_HISTORY_SLOTS; slot++)
        if (slot != SMI_HISTORY_THERMAL && slot != SMI_HISTORY_FAULT && smi_history_metric[slot] == metric)
            smi_history_add(&b->ring[slot], t_ms, v,
                            !n->o.brief || slot == SMI_HISTORY_UTIL || slot == SMI_HISTORY_FB_USED);
}

/* An alert (live/alert.h): errors of the GPU, and readings that fail. */
static void note_fault(struct smi_live_source *s, struct smi_live_gpu *b, int fault, const char *words,
                       int64_t t_ms)
{
    if (!smi_faults[fault].grave && fault != SMI_FAULT_UNKNOWN)
        return;
    snprintf(b->fault, sizeof b->fault, "%s", words);
    b->fault_mono_ms = s->mono_ms;
    if (!s->now->o.brief)
        smi_history_add(&b->ring[SMI_HISTORY_FAULT], t_ms, 1000000, true);
}

/* Adds the readings of a GPU at one time, for the metrics in which this source leads. */
static void add_reading(struct smi_live_source *s, struct smi_live_gpu *b, const struct smi_rows *row,
                        int64_t t_ms)
{
    struct smi_machine *n = s->now;
    bool some = false, thermal = false, slowed = false;
    char span[SMI_CLOCK_TEXT];
    int64_t gap;
    for (unsigned i = 0; i < row->metrics; i++) {
        const unsigned m = row->metric[i];
        const int64_t v = smi_rows_reading(row, i, 0);
        struct smi_machine_reading *r = &b->latest[m];
        if (!is_leading_source(n, s, r, m))
            continue;
        if (m == SMI_ECC_UNCORR_VOL && v > (r->has ? r->v : 0))
            note_fault(s, b, SMI_FAULT_ECC_UNCORR, smi_faults[SMI_FAULT_ECC_UNCORR].words, t_ms);
        *r = (struct smi_machine_reading){true, s->place, v, s->row_mono_ms};
        some = true;
        thermal |= is_thermal(m);
        slowed |= is_thermal(m) && v != 0;
        add_to_history(n, b, m, v, t_ms);
        if (m != SMI_GPU_UTIL)
            continue;
        if (v <= n->o.idle_below && !b->idle)
            b->idle_mono_ms = s->row_mono_ms;
        b->idle = v <= n->o.idle_below;
    }
    if (!some)
        return;
    if (thermal)
        smi_history_add(&b->ring[SMI_HISTORY_THERMAL], t_ms, slowed ? 1000000 : 0, !n->o.brief);
    if (b->run >= 0 && b->run != s->run && t_ms - b->seen_t_ms > smi_machine_stale_after(b->pitch_ms))
        smi_machine_set_run(n, b, s->run);
    if (b->state != SMI_GPU_OK && (b->state == SMI_GPU_LOST || !s->backlog)) {
        bool spans = b->seen && s->row_mono_ms > b->seen_mono_ms;
        smi_clock_write_span(span, spans ? s->row_mono_ms - b->seen_mono_ms : 0);
        smi_machine_add_event(n, SMI_EVENT_OK, "%s %s%s%s", b == &n->host ? "CPU" : b->label,
                              b->state == SMI_GPU_LOST ? "is back" : "sampling again", spans ? " after " : "",
                              spans ? span : "");
        b->state = SMI_GPU_OK;
        b->unlisted = false;
    }
    b->source = s->place;
    gap = t_ms - b->seen_t_ms;
    /* Up at once, as two logs with readings every ten seconds can be one second apart; not by a gap, though.
     * Down slowly. */
    if (b->seen && gap > 0)
        b->pitch_ms = b->pitch_ms == 0        ? gap
                      : gap <= b->pitch_ms    ? (7 * b->pitch_ms + gap) / 8
                      : gap < 3 * b->pitch_ms ? gap
                                              : 3 * b->pitch_ms;
    b->rows++;
    s->readings = b->rows > s->readings ? b->rows : s->readings;
    if (s->follows)
        s->interval_ms = b->pitch_ms;
    b->seen_t_ms = t_ms;
    b->seen = true;
    b->seen_mono_ms = s->row_mono_ms;
}

/* What a RunLog tells of its run. */
static void learn_run(struct smi_live_source *s)
{
    const struct smi_runlog *log = &s->part->log;
    struct smi_machine_run *run = s->run >= 0 ? &s->now->run[s->run] : NULL;
    if (!run)
        return;
    run->ended = log->ended || log->failed;
    if (log->host && !run->host)
        run->host = smi_arena_text(&s->now->arena, log->host, strlen(log->host));
    if (log->host)
        smi_machine_name_runs(s->now);
}

/* s has its first row or mark, and so is a log: its directory may hold several runs. */
static void group_logs(struct smi_live_source *s)
{
    if (s->grouped || !s->now->o.follow || s->stream)
        return;
    s->grouped = true;
    smi_machine_group_logs(s->now, s);
    for (size_t i = 0; i < s->now->sources; i++) {
        if (s->now->source[i]->format == SMI_FMT_RUNLOG && s->now->source[i]->part)
            learn_run(s->now->source[i]);
    }
}

/* Room for a row about the machine. */
struct host_row {
    uint16_t metric[SMI_SAMPLE_MAX];
    int32_t u[SMI_SAMPLE_MAX];
    int64_t scale[SMI_SAMPLE_MAX];
};

/* Adds CPU use, which is 100 % less the idle share, to the row of a log that does not record it. */
static void add_cpu_use(struct host_row *to, struct smi_rows *v)
{
    const unsigned at = smi_rows_column(v, SMI_CPU_IDLE), n = v->metrics;
    const int64_t idle = at < n ? smi_rows_reading(v, at, 0) : -1;
    if (idle < 0 || idle > 100000000 || smi_rows_column(v, SMI_CPU_PCT) < n || n == SMI_SAMPLE_MAX)
        return;
    memcpy(to->metric, v->metric, n * sizeof *to->metric);
    to->metric[n] = SMI_CPU_PCT;
    for (unsigned c = 0; c <= n; c++)
        to->u[c] = smi_rows_unit(c < n ? smi_rows_reading(v, c, 0) : 100000000 - idle, &to->scale[c]);
    v->metric = to->metric;
    v->u = to->u;
    v->scale = to->scale;
    v->stride = 1;
    v->metrics++;
}

/* A block of one row. */
static int on_row(struct smi_live_source *s, struct smi_rows *v, struct smi_err *err)
{
    const int who = *v->who;
    struct host_row host;
    struct smi_live_gpu *b;
    int64_t twice, t_ms = s->now->timed ? s->now->t_ms : s->mono_ms;
    bool timed;
    group_logs(s);
    if (!s->base_known) { /* it is when the first row comes */
        const struct smi_machine_opts *o = &s->now->o;
        bool local = smi_ingest_base(s->in) == SMI_TIME_BASE_LOCAL;
        s->part->opts.idle_below = o->idle_below;
        s->part->opts.skip_series = o->brief ? UINT32_MAX : 0;
        s->part->opts.counted = s->now->counted;
        s->part->wall_opts =
            (struct smi_local_clock_opts){local ? o->zone : NULL, local && !o->zone && !o->fixed && !o->here};
        s->part->base = smi_ingest_base(s->in);
        s->base_known = true;
    }
    if (who == SMI_DEVICE_HOST && !v->process)
        add_cpu_use(&host, v);
    twice = s->part->account.duplicates;
    if (s->part->sink.rows(&s->part->sink, v, err))
        return -1;
    /* a track keeps its first row back, which could be a duplicate of rows before it: there are none */
    if (who >= 0 && (size_t)who < s->part->tracks && s->part->track[who] && s->part->track[who]->head.has)
        smi_input_stats_close(s->part);
    if (s->state != SMI_SOURCE_READING) {
        s->state = SMI_SOURCE_READING;
        s->gone = false;
        *s->why = 0;
    }
    timed = v->timed && s->part->base < SMI_TIME_BASE_DAY;
    t_ms = timed ? utc_of(s, s->part->now_ms) : t_ms;
    if (timed && s->now->o.here &&
        !v->shared) /* a sum over processes has the time of their rows, but comes later */
        t_ms = check_clock(s, t_ms);
    if (timed && s->follows) { /* what a file held before we looked says nothing about its writer */
        s->batch_t_ms = s->batch_t_ms == SMI_NO_READING ? t_ms : s->batch_t_ms;
        const int64_t ms = t_ms - s->batch_t_ms;
        if (ms > 0 && ms + s->interval_ms > s->batch_ms && ms < BUFFERED_MS && (s->stream || !s->backlog))
            s->batch_ms = ms + s->interval_ms;
        if (ms >= BUFFERED_MS)
            s->batch_ms = 0;
    }
    s->row_mono_ms = s->mono_ms;
    if ((timed || s->now->timed) && s->wall_ms > t_ms)
        s->row_mono_ms -= s->wall_ms - t_ms;
    if (s->row_mono_ms - s->seen_mono_ms > smi_machine_stale_after(s->interval_ms))
        s->steady_mono_ms = s->row_mono_ms;
    s->seen_mono_ms = s->row_mono_ms;
    s->repeated |= !v->shared && who >= 0 && who <= s->last_who;
    s->last_who = who;
    if (s->part->account.duplicates > twice)
        return 0;
    if (timed)
        advance_clock(s->now, t_ms);
    b = smi_machine_gpu_of_device(s->now, s, who); /* of a process, too: its GPU's page lists it */
    if (!b)
        return err->code ? -1 : 0;
    if (v->process) {
        machine_add_process(s, b, v, t_ms);
        return 0;
    }
    s->lists_gpus |= who >= 0;
    b->row_mono_ms = s->row_mono_ms;
    add_reading(s, b, v, t_ms);
    return 0;
}

static int on_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    int rc = 0;
    for (unsigned i = 0; i < r->n && rc == 0; i++) {
        struct smi_rows row = smi_rows_part(r, i, 1, NULL);
        rc = on_row(source_of(self), &row, err);
    }
    return rc;
}

/* ---- marks ---- */

static void add_mark_event(struct smi_machine *n, const struct smi_mark *m)
{
    char span[SMI_CLOCK_TEXT];
    struct smi_buf b = {0};
    smi_buf_add(&b, m->name.p, m->name.n);
    if (m->kind == SMI_MARK_PHASE) {
        smi_clock_write_span(span, m->span_us / 1000);
        smi_buf_fmt(&b, " ended after %s", span);
        smi_machine_phase_ended(n, m->name, m->span_us / 1000, m->t_us / 1000);
    } else {
        for (unsigned i = 0; i < m->fields && i < 8; i++)
            if (m->field[i].in_data) {
                smi_buf_fmt(&b, "  %.*s=", (int)m->field[i].key.n, m->field[i].key.p);
                smi_buf_add(&b, m->field[i].text.p, m->field[i].text.n);
            }
    }
    smi_machine_add_event_at(n, m->kind == SMI_MARK_PHASE ? SMI_EVENT_PHASE : SMI_EVENT_RUNLOG,
                             m->t_us / 1000, b.p);
    smi_buf_fini(&b);
}

static int add_fault(struct smi_live_source *s, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_machine *n = s->now;
    struct smi_live_gpu *b = NULL;
    char code[24] = "", words[SMI_MACHINE_FAULT], bus[32];
    snprintf(bus, sizeof bus, "%.*s", (int)m->name.n, m->name.n ? m->name.p : "");
    for (size_t i = 0, fit = 0; i < n->gpus && s->kernel; i++) /* the only GPU on this bus, of any run */
        if (n->gpu[i]->bus && smi_device_compare_keys(SMI_DEVICE_KEY_BUS, n->gpu[i]->bus, bus) == 0)
            b = fit++ ? NULL : n->gpu[i];
    if (m->who >= 0)
        b = smi_machine_gpu_of_device(n, s, m->who);
    else if (!b)
        b = smi_machine_gpu_on_bus(n, s->kernel ? -1 : s->run, bus);
    if (m->fault == SMI_FAULT_XID)
        snprintf(code, sizeof code, " %lld", (long long)m->code);
    snprintf(words, sizeof words, "%s%s", smi_faults[m->fault].words, code);
    if (err->code)
        return -1;
    if (b && m->fault == SMI_FAULT_LOST && b->state != SMI_GPU_LOST) {
        b->state = SMI_GPU_LOST;
        smi_machine_add_event(n, SMI_EVENT_ERROR, "%s lost: %s", b->label, smi_machine_lost_reason(b));
    } else if (!b || m->fault != SMI_FAULT_LOST) {
        uint32_t *faults = b ? &b->faults : &s->faults, bit = 1u << m->fault;
        const bool other = b && m->fault == SMI_FAULT_XID && strcmp(b->fault, words) != 0;
        if (b)
            note_fault(s, b, m->fault, words, smi_machine_now(n));
        if (other || !(*faults & bit))
            smi_machine_add_event(n, smi_faults[m->fault].grave ? SMI_EVENT_ERROR : SMI_EVENT_WARN, "%s: %s",
                                  b ? b->label : s->name, words);
        *faults |= bit;
    }
    return 0;
}

static int on_mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct smi_live_source *s = source_of(self);
    bool event = m->kind == SMI_MARK_PHASE || m->kind == SMI_MARK_EVENT;
    if (s->part->sink.mark(&s->part->sink, m, err))
        return -1;
    if (event)
        group_logs(s);
    learn_run(s);
    if (m->kind == SMI_MARK_FAULT)
        return add_fault(s, m, err);
    if (!event)
        return 0;
    s->state = SMI_SOURCE_READING;
    s->seen_mono_ms = s->mono_ms;
    advance_clock(s->now, m->t_us / 1000);
    add_mark_event(s->now, m);
    return 0;
}

/* ---- bytes ---- */

static int end(struct smi_sink *self, struct smi_err *err)
{
    struct smi_sink *part = &source_of(self)->part->sink;
    return part->end ? part->end(part, err) : 0;
}

/* Lines of the kernel's log:
 *     Jul  3 12:31:07 node7 kernel: [12345.678] NVRM: Xid (PCI:0000:3b:00): 79, pid=17, ...
 *     [12345.678901] NVRM: Xid (PCI:0000:3b:00): 79, ...                         of dmesg
 *     [Fri Jul  3 12:31:07 2026] NVRM: Xid (PCI:0000:3b:00): 79, ...             of dmesg -T
 *     3,1234,12345678901,-;NVRM: Xid (PCI:0000:3b:00): 79, ...                   of /dev/kmsg */
static bool is_kernel_log(const char *p, size_t n)
{
    const size_t stamp = *p == '[' ? strcspn(p, "]\n") : 0;
    const bool seconds =
        stamp > 1 && smi_text_span((struct smi_text){p + 1, stamp - 1}, " 0123456789.") == stamp - 1;
    return ((seconds || (stamp == 25 && p[14] == ':' && p[17] == ':')) && p[stamp] == ']') ||
           memmem(p, n, " kernel: ", 9) || memmem(p, n, "NVRM: Xid", 9);
}

/* Whole lines, as follow and the kernel hand them on. */
static int feed_kernel(struct smi_live_source *s, const char *p, size_t n, struct smi_err *err)
{
    s->state = SMI_SOURCE_READING;
    s->seen_mono_ms = s->mono_ms;
    for (const char *end = p + n, *lf; p < end; p = lf + 1) {
        struct smi_mark m = {.kind = SMI_MARK_FAULT, .who = -1};
        lf = memchr(p, '\n', (size_t)(end - p));
        lf = lf ? lf : end;
        m.fault = smi_message_fault(smi_text_between(p, lf), &m.name, &m.code);
        if (m.fault >= 0 && add_fault(s, &m, err))
            return -1;
    }
    return 0;
}

/* Its first whole lines tell the format; what is fed then is all of them. */
static int detect_format(struct smi_live_source *s, const char *p, size_t n, size_t *used,
                         struct smi_err *err)
{
    struct smi_detect why;
    size_t some = n < HEAD - s->nhead ? n : HEAD - s->nhead, whole;
    const char *end;
    if (!s->head)
        s->head = smi_mem_raw(HEAD);
    memcpy(s->head + s->nhead, p, some);
    s->nhead += some;
    *used = some;
    end = memrchr(s->head, '\n', s->nhead);
    whole = end ? (size_t)(end + 1 - s->head) : s->nhead < HEAD ? 0 : HEAD;
    s->format = whole ? smi_detect(s->head, whole, true, &why) : -1;
    if (whole && s->now->o.named_columns &&
        smi_detect_look(s->head, whole, HEAD, s->now->o.named_columns, &s->format, &why, err) == 0 &&
        err->code)
        return -1;
    if (whole && s->format < 0 && s->now->o.follow && is_kernel_log(s->head, whole)) {
        s->format = SMI_FMT_RUNLOG;
        s->kernel = true;
        s->run = -1; /* that of the GPUs which it names */
        smi_machine_name_runs(s->now);
        *used = some - (s->nhead - whole);
        s->nhead = 0;
        return feed_kernel(s, s->head, whole, err);
    }
    if (s->format < 0 && s->nhead == HEAD)
        return smi_err_set(err, SMI_EFORMAT, "%s: %s", s->name, why.why);
    return 0;
}

int smi_machine_feed(struct smi_machine *n, int source, const char *p, size_t len, int64_t mono_ms,
                     struct smi_err *err)
{
    struct smi_live_source *s = n->source[source];
    size_t used = 0;
    smi_machine_tick(n, mono_ms);
    s->backlog =
        s->follows && n->o.follow && (s->bytes == 0 || (s->backlog && mono_ms - s->mono_ms < PAUSE_MS));
    if (mono_ms - s->mono_ms >= PAUSE_MS || s->bytes == 0) {
        s->batch_t_ms = SMI_NO_READING;
        s->batch_ms -= s->batch_ms / 4;
    }
    s->wall_ms = s->backlog ? smi_clock_utc_ms() : 0;
    s->mono_ms = mono_ms;
    s->begun_mono_ms = s->bytes ? s->begun_mono_ms : mono_ms;
    s->bytes += (int64_t)len;
    if (s->format < 0 && detect_format(s, p, len, &used, err))
        return -1;
    if (s->format < 0)
        return 0;
    if (s->kernel)
        return feed_kernel(s, p + used, len - used, err);
    if (!s->in) {
        if (!s->part)
            s->part = smi_input_stats_new(s->name, s->format);
        s->tee = (struct smi_sink){.rows = on_rows, .mark = on_mark, .end = end};
        s->base_known = false;
        s->in = smi_ingest_open(&(struct smi_ingest_opts){.format = s->format,
                                                          .columns = n->o.named_columns,
                                                          .gpu_count = n->o.gpu_count,
                                                          .account = &s->part->account,
                                                          .devices = &s->part->devices,
                                                          .to = s->gate ? s->gate : &s->tee});
    }
    if (s->head) {
        char *head = s->head;
        int rc;
        s->head = NULL;
        rc = smi_ingest_feed(s->in, head, s->nhead, err);
        smi_mem_free(head);
        if (rc)
            return -1;
    }
    if (len > used && smi_ingest_feed(s->in, p + used, len - used, err))
        return -1;
    return mono_ms - s->begun_mono_ms >= PATIENCE_MS ? smi_ingest_decide(s->in, err) : 0;
}

struct smi_sink *smi_machine_entrance(struct smi_machine *n, int source, int64_t mono_ms)
{
    smi_machine_tick(n, mono_ms);
    n->source[source]->mono_ms = mono_ms;
    return &n->source[source]->tee;
}

int smi_machine_restart(struct smi_machine *n, int source, struct smi_err *err)
{
    struct smi_live_source *s = n->source[source];
    s->nhead = 0;
    if (!s->in)
        return 0;
    /* What follows stands behind a line that is ended, and has its own header: readers take both as they
     * come. */
    return smi_ingest_feed(s->in, "\n", 1, err);
}

int smi_machine_settle(struct smi_machine *n, bool all, struct smi_err *err)
{
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        bool silent = n->mono_ms - s->mono_ms > smi_machine_stale_after(s->interval_ms);
        if (s->in &&
            ((all && smi_ingest_decide(s->in, err)) || ((all || silent) && smi_ingest_settle(s->in, err))))
            return -1;
    }
    return 0;
}

int smi_machine_end(struct smi_machine *n, int source, struct smi_err *err)
{
    struct smi_live_source *s = n->source[source];
    struct smi_detect why;
    if (s->format < 0 && s->nhead)
        return smi_detect(s->head, s->nhead, false, &why) >= 0
                   ? 0
                   : smi_err_set(err, SMI_EFORMAT, "%s: %s", s->name, why.why);
    return s->in ? smi_ingest_finish(s->in, err) : 0;
}
