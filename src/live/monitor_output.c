/* What a child says, and what the owner is told of it. */
#include "live/monitor_private.h"

enum { PIECE = 8192 };

/* ---- what the owner is told ---- */

void smi_monitor_report(struct smi_monitor *m, enum smi_monitor_event_kind what, int64_t from_ms,
                        int64_t to_ms)
{
    const struct smi_monitor_event e = {what, from_ms, to_ms, m->reason};
    if (m->work->calls.event)
        m->work->calls.event(m->work->calls.self, m, &e);
}

void smi_monitor_set_state(struct smi_monitor *m, enum smi_monitor_state state, int64_t now_ms)
{
    m->state = state;
    m->since_ms = now_ms;
    smi_monitor_report(m, SMI_MONITOR_STATE_CHANGED, now_ms, -1);
}

void smi_monitor_open_gap(struct smi_monitor *m, int64_t from_ms)
{
    if (m->gap_ms >= 0)
        return;
    m->gap_ms = from_ms;
    m->gaps++;
    smi_monitor_report(m, SMI_MONITOR_HAS_GAP, from_ms, -1);
}

void smi_monitor_close_gap(struct smi_monitor *m, int64_t to_ms)
{
    if (m->gap_ms < 0)
        return;
    smi_monitor_report(m, SMI_MONITOR_HAS_GAP, m->gap_ms, to_ms);
    m->gap_ms = -1;
}

int64_t smi_monitor_silence(const struct smi_monitor *m)
{
    int64_t three = (int64_t)m->interval_ms * 3;
    return three > m->work->times.silence ? three : m->work->times.silence;
}

/* ---- what the child says ---- */

static void note_rows(struct smi_monitor *m, int64_t now_ms)
{
    smi_monitor_close_gap(m, now_ms);
    if (m->state == SMI_MONITOR_OK)
        return;
    if (m->work->ok_ms < 0)
        m->work->ok_ms = now_ms;
    m->reason[0] = 0;
    smi_monitor_set_state(m, SMI_MONITOR_OK, now_ms);
}

static void note_lines(struct smi_monitor *m, size_t lines, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    bool late = m->state == SMI_MONITOR_OK && !m->kind->quiet && now_ms - m->line_ms > smi_monitor_silence(m);
    int64_t before = m->line_ms;
    m->lines += lines;
    w->child_lines += lines;
    m->line_ms = now_ms;
    if (w->stopping || w->blamed)
        return;
    if (late) { /* we were asleep, and so could not see it begin */
        smi_monitor_set_reason(m, "nothing was read");
        smi_monitor_open_gap(m, before);
        m->reason[0] = 0;
    }
    if (m->kind->quiet || w->child_lines > (uint64_t)m->kind->head)
        note_rows(m, now_ms);
}

static void handle_rows(struct smi_monitor *m, const char *p, size_t n, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    size_t lines = smi_last_line_add(&w->out, p, n);
    m->bytes += n;
    if (w->calls.bytes)
        w->calls.bytes(w->calls.self, p, n);
    if (lines)
        note_lines(m, lines, now_ms);
}

static void handle_output(struct smi_monitor *m, bool is_err, const char *p, size_t n, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    if (w->doing == SMI_MONITOR_PROBE_CHILD && w->answer.n + n <= SMI_MONITOR_PROBE_MAX)
        smi_buf_add(&w->answer, p, n);
    if (is_err)
        smi_last_line_add(&w->err, p, n);
    else if (w->doing == SMI_MONITOR_ROWS_CHILD)
        handle_rows(m, p, n, now_ms);
    else
        w->child_lines += smi_last_line_add(&w->out, p, n);
}

void smi_monitor_read(struct smi_monitor *m, int *fd, size_t most, int64_t now_ms)
{
    struct smi_monitor_work *w = m->work;
    char piece[PIECE];
    ssize_t n;
    for (size_t all = 0; all < most && (n = smi_child_read(fd, piece, sizeof piece)) > 0; all += (size_t)n)
        handle_output(m, fd == &w->child.err, piece, (size_t)n, now_ms);
    if (fd == &w->child.out && *fd < 0 && w->end_ms < 0)
        w->end_ms = now_ms;
}
