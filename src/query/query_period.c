#include "query/query_period.h"

#include "base/clock.h"

#include <stdio.h>
#include <string.h>

enum { WEST_H = 12, EAST_H = 14, HOUR_MS = 3600000 }; /* the offsets that are in use: -12:00 to +14:00 */

static int fail_bad_time(const char *opt, const char *text, struct smi_err *err)
{
    return smi_err_set(err, SMI_EUSAGE,
                       "--%s wants a time as 2026-07-03, 2026-07-03T18:14 or 2026-07-03T18:14:05Z, or "
                       "an age as 90m, 12h or 7d: not \"%.60s\"",
                       opt, text);
}

/* "7d" */
static bool read_age(int64_t *ms, struct smi_text t)
{
    static const struct {
        char letter;
        int64_t seconds;
    } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
    int64_t micro;
    for (size_t i = 0; t.n > 1 && i < sizeof units / sizeof *units; i++)
        if (t.p[t.n - 1] == units[i].letter) {
            t.n--;
            if (smi_text_parse_micro(t, &micro) || micro < 0 || micro > (int64_t)1000000 * 1000000)
                return false;
            *ms = (int64_t)((smi_i128)micro * units[i].seconds / 1000);
            return true;
        }
    return false;
}

/* Puts what was left out: "2026-07-03" -> "2026-07-03T00:00:00", "...T18:14Z" -> "...T18:14:00Z". */
static void complete_time_text(char *to, size_t size, struct smi_text t)
{
    if (t.n == 10)
        snprintf(to, size, "%.10sT00:00:00", t.p);
    else if (t.n >= 16 && t.p[13] == ':' && (t.n == 16 || t.p[16] != ':'))
        snprintf(to, size, "%.16s:00%.*s", t.p, (int)(t.n - 16), t.p + 16);
    else
        snprintf(to, size, "%.*s", (int)t.n, t.p);
}

int smi_query_time_read(struct smi_query_time *m, const char *opt, const char *text, int64_t now_ms,
                        struct smi_err *err)
{
    struct smi_text t = smi_text_trim(smi_text_of(text));
    char whole[64];
    int64_t us, ms;
    bool fine;
    m->set = true;
    if (read_age(&ms, t)) {
        m->zoned = true;
        m->ms = now_ms - ms;
        return 0;
    }
    if (t.n < 10 || t.n > 40)
        return fail_bad_time(opt, text, err);
    complete_time_text(whole, sizeof whole, t);
    if (smi_clock_parse_iso(smi_text_of(whole), &us, &fine, &m->zoned))
        return fail_bad_time(opt, text, err);
    m->ms = us / 1000;
    return 0;
}

/* Is the run's start before the moment? 1, 0, or -1: that depends on its zone. */
static int is_run_before(const struct smi_summary *s, const struct smi_query_time *m)
{
    if (!m->zoned) /* on the clock of its own logs */
        return s->start_ms + (s->zoned ? (int64_t)s->offset_s * 1000 : 0) < m->ms;
    if (s->zoned)
        return s->start_ms < m->ms;
    if (s->start_ms + (int64_t)WEST_H * HOUR_MS < m->ms)
        return 1;
    return s->start_ms - (int64_t)EAST_H * HOUR_MS >= m->ms ? 0 : -1;
}

/* 1: it began in the period, 0: it did not, -1: not known. */
static int is_run_in_period(const struct smi_summary *s, const struct smi_query_time *since,
                            const struct smi_query_time *until)
{
    int early = since->set ? is_run_before(s, since) : 0, late = until->set ? !is_run_before(s, until) : 0;
    if (until->set && is_run_before(s, until) < 0)
        late = -1;
    if (early == 1 || late == 1)
        return 0;
    return early < 0 || late < 0 ? -1 : 1;
}

static void report_left_out(struct smi_buf *said, size_t n, const char *text)
{
    if (!n)
        return;
    smi_buf_fmt(said, "%zu run%s %s", n, n == 1 ? "" : "s", text);
    smi_buf_char(said, 0);
}

int smi_query_keep_period(struct smi_sweep *s, const struct smi_query *q, struct smi_buf *said,
                          struct smi_err *err)
{
    struct smi_query_time since = {0}, until = {0};
    size_t *order, n = 0, timeless = 0, unknown = 0;
    int rc;
    if ((q->since && smi_query_time_read(&since, "since", q->since, q->now_ms, err)) ||
        (q->until && smi_query_time_read(&until, "until", q->until, q->now_ms, err)))
        return -1;
    if (!(order = smi_mem_new(s->n + 1, sizeof *order)))
        return smi_err_nomem(err);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        int in = s->runs[i].has_start ? is_run_in_period(&s->runs[i], &since, &until) : 0;
        timeless += !s->runs[i].has_start;
        unknown += in < 0;
        if (in > 0)
            order[n++] = i;
    }
    report_left_out(said, timeless, "left out: no time of a start is known (--since, --until)");
    report_left_out(
        said, unknown,
        "left out: the zone of the logs is not known, and the answer depends on it (--tz says it; a "
        "time without a zone is on the clock of the logs)");
    rc = smi_sweep_select(s, order, n, err);
    smi_mem_free(order);
    return rc;
}
