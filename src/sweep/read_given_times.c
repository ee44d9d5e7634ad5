/* read_given_times.c - times for logs that have none, from the logs beside them (docs/numbers.md §6):
 * dmon without -o, dmon -o T, and what --interval says. */
#include "sweep/read_files.h"

#include <string.h>

enum { SMALL = 70000 /* bytes in which there are rarely more rows than SMI_COUNTS_FEW */ };

static const int64_t day_ms = 86400000,
                     dated_ms = 365 * (int64_t)86400000; /* what is earlier is a time of day */

/* The time of the logs beside one, on one clock. */
struct span {
    bool some, utc;
    int64_t first_ms, last_ms;
};

/* The clock of a log may have stepped back: its last row before its first. */
static void widen_span(struct span *s, int64_t first_ms, int64_t last_ms)
{
    int64_t from = first_ms < last_ms ? first_ms : last_ms, to = first_ms < last_ms ? last_ms : first_ms;
    if (!s->some || from < s->first_ms)
        s->first_ms = from;
    if (!s->some || to > s->last_ms)
        s->last_ms = to;
    s->some = true;
}

/* A local time on the clock of the run. */
static int64_t is_on_the_clock(const struct smi_run_reader *r, int64_t t_ms)
{
    const struct smi_local_clock_opts o = {.zone = r->o->has_offset ? r->o->zone : NULL};
    struct smi_local_clock w = {0};
    smi_local_clock_read(&w, &o, &t_ms);
    return t_ms;
}

/* GPU logs with dates come first: they were made beside it. Then what is in UTC. */
static struct span span_of_other_logs(const struct smi_run_reader *r, bool as_printed)
{
    struct span local = {0}, utc = {.utc = true};
    const struct smi_runlog *log = &r->run->log;
    for (size_t i = 0; i < r->n; i++) {
        const struct smi_run_file *f = &r->file[i];
        if (!f->look.timed || f->look.first_ms < dated_ms)
            continue;
        if (f->look.utc)
            widen_span(&utc, f->look.first_ms, f->look.last_ms);
        else if (as_printed)
            widen_span(&local, f->look.first_ms, f->look.last_ms);
        else
            widen_span(&local, is_on_the_clock(r, f->look.first_ms), is_on_the_clock(r, f->look.last_ms));
    }
    if (!utc.some && log->entries)
        widen_span(&utc, log->first_us / 1000, log->last_us / 1000);
    return local.some ? local : utc;
}

/* The day on which the log begins nearest to the beginning of the others: it may be the one before midnight.
 */
static void give_date(const struct smi_run_reader *r, const struct smi_run_file *f,
                      struct smi_assigned_times *g)
{
    struct span s = span_of_other_logs(r, true);
    int64_t far, days;
    if (!s.some || (s.utc && !r->run->has_offset))
        return;
    far = s.first_ms + (s.utc ? (int64_t)r->run->offset_s * 1000 : 0) - f->look.first_ms + day_ms / 2;
    days = far / day_ms - (far % day_ms < 0);
    *g = (struct smi_assigned_times){
        .how = SMI_TIMES_DATE, .base = SMI_TIME_BASE_LOCAL, .start_us = days * day_ms * 1000};
}

static void give_steps(const struct smi_run_reader *r, struct smi_assigned_times *g)
{
    struct span s = span_of_other_logs(r, false);
    *g = (struct smi_assigned_times){
        .how = SMI_TIMES_STEPS, .base = SMI_TIME_BASE_DAY, .step_us = r->o->interval_us};
    if (!s.some)
        return;
    g->base = s.utc ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
    g->start_us = s.first_ms * 1000;
}

/* How many rows each device has is to be known before the first of them is given a time. Of a log in an
 * archive it was learnt when that was walked. Returns 1, 0 if it has times or cannot be read, or -1 with
 * r->err (memory). */
static int count_log_rows(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct smi_row_count own, *c = f->f->inside ? &f->f->inside->count : &own;
    int rc = 1;
    if (c == &own) {
        smi_row_count_init(c, &o);
        rc = smi_read_file_alone(r, f, &o);
    }
    if (rc > 0 && c->n && !c->timed) {
        g->rows = c->rows; /* g's now */
        g->devices = c->n;
        c->rows = NULL;
    }
    if (c == &own)
        smi_row_count_fini(c);
    return rc > 0 ? g->rows != NULL : rc;
}

/* Of a small log the rows may be few enough to be kept until all are there. */
static bool may_be_few(const struct smi_run_file *f)
{
    return !f->f->inside && !f->counted && !f->coded && f->info.size <= SMALL;
}

static int give_spread(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    struct span s = span_of_other_logs(r, false);
    int64_t shift = s.utc ? 0 : (int64_t)r->run->offset_s * 1000;
    int rc;
    if (!s.some || (!s.utc && !r->run->has_offset))
        return 0;
    rc = may_be_few(f) ? 1 : count_log_rows(r, f, g);
    if (rc > 0) {
        g->how = SMI_TIMES_SPREAD;
        g->start_us = (s.first_ms - shift) * 1000;
        g->span_us = (s.last_ms - s.first_ms) * 1000;
    }
    return rc < 0 ? -1 : 0;
}

int smi_read_given_times(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    bool dmon = f->f->format == SMI_FMT_DMON, untimed = !f->look.timed && !f->look.utc;
    if (f->f->format >= 0 && !smi_format_infos[f->f->format].rows)
        return 0;
    if (f->look.timed && !f->look.utc && !f->look.elapsed && f->look.first_ms < dated_ms)
        give_date(r, f, g);
    else if (untimed && r->o->interval_us)
        give_steps(r, g);
    else if (r->o->tap) /* estimated times are for phases */
        return 0;
    else if (untimed && dmon && !f->info.stream && (r->run->log.phases.spans || r->run->log.phases.over))
        return give_spread(r, f, g);
    return 0;
}
