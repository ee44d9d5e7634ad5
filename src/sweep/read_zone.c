/* read_zone.c - the zone of local times, before a row is joined (docs/numbers.md §6). */
#include "summary/gpus.h"
#include "sweep/read_run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* times for logs that have none, from the logs beside them (docs/numbers.md §6):
 * dmon without -o, dmon -o T, and what --interval says. */

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

/* How many rows each device has is to be known before the first of them is given a time. Returns false if it
 * has times, or cannot be read. */
static bool count_log_rows(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct smi_row_count c;
    smi_row_count_init(&c, &o);
    if (smi_read_file_alone(r, f, &o) && c.n && !c.timed) {
        g->rows = c.rows; /* g's now */
        g->devices = c.n;
        c.rows = NULL;
    }
    smi_row_count_fini(&c);
    return g->rows != NULL;
}

static void give_spread(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    struct span s = span_of_other_logs(r, false);
    int64_t shift = s.utc ? 0 : (int64_t)r->run->offset_s * 1000;
    /* Of a small log the rows may be few enough to be kept until all are there. */
    const bool few = !f->counted && !f->coded && f->info.size <= SMALL;
    if (!s.some || (!s.utc && !r->run->has_offset) || (!few && !count_log_rows(r, f, g)))
        return;
    g->how = SMI_TIMES_SPREAD;
    g->start_us = (s.first_ms - shift) * 1000;
    g->span_us = (s.last_ms - s.first_ms) * 1000;
}

void smi_read_given_times(struct smi_run_reader *r, struct smi_run_file *f, struct smi_assigned_times *g)
{
    bool dmon = f->f->format == SMI_FMT_DMON, untimed = !f->look.timed && !f->look.utc;
    if (f->f->format >= 0 && !smi_format_infos[f->f->format].rows)
        return;
    if (f->look.timed && !f->look.utc && !f->look.elapsed && f->look.first_ms < dated_ms)
        give_date(r, f, g);
    else if (untimed && r->o->interval_us)
        give_steps(r, g);
    else if (!r->o->tap && untimed && dmon && !f->info.stream && /* estimated times are for phases */
             (r->run->log.phases.spans || r->run->log.phases.over))
        give_spread(r, f, g);
}

/* Has the zone to be inferred, and is there anything to infer it from; or has a log perhaps no times of its
 * own, and gets them from those beside it? Else nothing is read for it. */
static bool wants_times(const struct smi_run_reader *r)
{
    bool local = false, utc = r->run->log.entries > 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct smi_run_file *f = &r->file[i];
        if (f->skip || f->info.stream || f->f->format < 0 || !smi_read_file_source(f)->rows)
            continue;
        local |= smi_read_file_source(f)->base != SMI_TIME_BASE_UTC;
        utc |= smi_read_file_source(f)->base != SMI_TIME_BASE_LOCAL;
        if ((f->f->format == SMI_FMT_DMON && r->n > 1) || r->o->interval_us)
            return true;
    }
    return local && utc && !r->o->has_offset && !r->run->log.has_offset;
}

static void probe_all_ends(struct smi_run_reader *r)
{
    bool wanted = wants_times(r);
    struct smi_err why = {0};
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        struct smi_ingest_opts o = smi_read_opts(r, f);
        struct smi_file_view at;
        if (f->skip || f->info.stream || f->f->format < 0 || !smi_read_file_source(f)->rows)
            continue;
        at = smi_read_view(r, f, wanted || smi_read_file_source(f)->base == SMI_TIME_BASE_NONE);
        smi_time_range_probe(&f->look, &at, &o, wanted, &why);
    }
}

struct range {
    bool some;
    int64_t first, last;
};

static void widen_range(struct range *g, int64_t first, int64_t last)
{
    if (!g->some || first < g->first)
        g->first = first;
    if (!g->some || last > g->last)
        g->last = last;
    g->some = true;
}

/* Makes *ms the interval of f, if that is larger. */
static void widest(struct smi_run_reader *r, struct smi_run_file *f, int64_t *ms)
{
    struct smi_ingest_opts o = smi_read_opts(r, f);
    const struct smi_file_view at = smi_read_view(r, f, true);
    int64_t own = 0;
    smi_interval_probe(&at, &o, &own);
    *ms = own > *ms ? own : *ms;
}

/* Two offsets in use are 15 min apart or more: a second one comes within 3 intervals only of a log that is
 * sampled as slowly as SLOW_MS. LINE_MS: so much time a line (which may be that of one of 29 GPUs, and half
 * of the intervals may be short) makes it worth a look at the intervals. */
enum { SLOW_MS = 290000, LINE_MS = 5000, LINES_OF = 1024 };

/* How long the lines are is seen in the first of them. */
static bool may_be_slow(struct smi_run_reader *r, struct smi_run_file *f)
{
    char head[LINES_OF];
    struct smi_file_view at;
    int64_t span = f->look.last_ms - f->look.first_ms, lines = 1, n;
    if (!f->look.timed || (span >= 0 && span < SLOW_MS))
        return false;
    at = smi_read_view(r, f, true);
    n = smi_file_view_read(&at, head, sizeof head, 0, NULL);
    for (const char *lf = head; n > 0 && (lf = memchr(lf, '\n', (size_t)(head + n - lf))); lf++)
        lines++;
    return span < 0 || n <= 0 || span / (f->info.size * lines / n + 1) >= LINE_MS;
}

/* Has it local times with a date, by which a zone can be told? */
static bool tells_zone(const struct smi_run_file *f)
{
    return f->look.timed && !f->look.utc && f->look.first_ms > 86400000LL * 365;
}

/* Can a clock have been set between two local times? That is done in the nights to Friday, Saturday and
 * Sunday, from March to April and from September to November. */
static bool may_be_set(int64_t first, int64_t last)
{
    static const bool month[12] = {[2] = true, [3] = true, [8] = true, [9] = true, [10] = true};
    const int64_t hour = 3600000, day = 24 * hour;
    for (int64_t d = first / day; d * day - hour <= last; d++) {
        time_t s = (time_t)(d * (day / 1000));
        struct tm at;
        if (d * day + 4 * hour < first || !gmtime_r(&s, &at))
            continue;
        if (month[at.tm_mon] && (at.tm_wday >= 5 || at.tm_wday == 0))
            return true;
    }
    return false;
}

/* By how much the clock is set between the first row of a log and its last. Returns false if it cannot be
 * read for that. */
static bool set_inside(struct smi_run_reader *r, struct smi_run_file *f, int64_t *ms)
{
    struct smi_ingest_opts o = smi_read_opts(r, f);
    struct smi_input_stats *p = smi_input_stats_new(f->f->shown, f->f->format);
    bool read;
    *ms = 0;
    p->wall_opts.steps = true;
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    read = smi_read_file_alone(r, f, &o);
    for (size_t i = 0; i < p->walls; i++)
        if (llabs(p->wall[i].ahead) > llabs(*ms))
            *ms = p->wall[i].ahead;
    smi_input_stats_free(p);
    return read;
}

/* The offset follows from the last times (or by the whole range: not by_last); the run's is that of the first
 * ones. They are one if the clock was not set in between. Returns false if that is not known. */
static bool back_to_first(struct smi_run_reader *r, const struct range *g, bool by_last)
{
    int64_t set;
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        if (!tells_zone(f))
            continue;
        if (!set_inside(r, f, &set))
            return false;
        if (!set)
            continue;
        if (!by_last || f->look.first_ms != g->first || f->look.last_ms != g->last)
            return false;
        r->run->offset_s -= (int)(set / 1000);
        by_last = false; /* once */
    }
    return true;
}

/* docs/numbers.md §6. The intervals are only looked for when the first times alone, within 10 s, do not tell.
 */
static bool infer(struct smi_run_reader *r)
{
    struct range g = {0}, u = {0};
    const struct smi_runlog *log = &r->run->log;
    int64_t iv = 0, miss;
    bool slow = false;
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        slow = slow || may_be_slow(r, f);
        if (f->look.timed && f->look.utc)
            widen_range(&u, f->look.first_ms, f->look.last_ms);
        else if (tells_zone(f))
            widen_range(&g, f->look.first_ms, f->look.last_ms);
    }
    if (log->entries)
        widen_range(&u, log->first_ts_us / 1000, log->last_ts_us / 1000);
    if (!g.some || !u.some)
        return false;
    if (!slow && smi_zone_nearest(g.first - u.first, 10000, &r->run->offset_s))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].look.timed)
            widest(r, &r->file[i], &iv);
    if (!smi_zone_infer(g.first, g.last, u.first, u.last, iv, &r->run->offset_s))
        return false;
    miss = llabs(g.first - u.first - (int64_t)r->run->offset_s * 1000);
    if (miss <= 10000 || miss <= 3 * iv || !may_be_set(g.first, g.last))
        return true;
    miss = llabs(g.last - u.last - (int64_t)r->run->offset_s * 1000);
    return back_to_first(r, &g, miss <= 10000 || 2 * miss <= 3 * iv);
}

void smi_read_zone(struct smi_run_reader *r)
{
    struct smi_run *run = r->run;
    probe_all_ends(r);
    run->has_offset = r->o->has_offset || run->log.has_offset || infer(r);
    if (r->o->has_offset) {
        run->offset_s = r->o->offset_s;
        run->zone_from = "--tz";
        if (r->o->zone)
            run->zone = smi_mem_text(r->o->zone->name, strlen(r->o->zone->name));
    } else if (run->log.has_offset) {
        run->offset_s = run->log.offset_s;
        run->zone_from = "the run log";
    } else {
        run->offset_s = run->has_offset ? run->offset_s : 0;
        run->zone_from = run->has_offset ? "inferred" : NULL;
    }
}
