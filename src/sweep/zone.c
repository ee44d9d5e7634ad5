/* zone.c - the zone of local times, before a row is joined (numbers.md §6). */
#include "sweep/files.h"

#include "summary/times.h"
#include "sweep/unpack.h"

#include <string.h>

/* Where the two ends of the log can be read, or -1. A coded log is read through for it: only where they are wanted. */
static int ends_of(struct file *f)
{
    if (f->coded && f->ends < 0)
        f->ends = smi_unpacked_ends(f->fd, f->f->path, &f->info.size, NULL);
    return f->coded ? f->ends : f->fd;
}

/* Has the zone to be inferred, and is there anything to infer it from; or has a log perhaps no times of its own, and gets
 * them from those beside it? Else nothing is read for it. */
static bool wants_times(const struct read *r)
{
    bool local = false, utc = r->run->log.entries > 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct file *f = &r->file[i];
        if (f->skip || f->info.stream || f->f->format < 0 || !smi_file_kind(f)->rows)
            continue;
        local |= smi_file_kind(f)->base != SMI_BASE_UTC;
        utc |= smi_file_kind(f)->base != SMI_BASE_LOCAL;
        if ((f->f->format == SMI_FMT_DMON && r->n > 1) || r->o->interval_us)
            return true;
    }
    return local && utc && !r->o->has_offset && !r->run->log.has_offset;
}

static void look(struct read *r)
{
    bool wanted = wants_times(r);
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        struct smi_ingest_opts o = smi_read_opts(r, f);
        int fd;
        if (f->skip || f->info.stream || f->f->format < 0 || !smi_file_kind(f)->rows)
            continue;
        if (f->f->inside) { /* its archive was read through already */
            f->look = f->f->inside->look;
            continue;
        }
        fd = wanted || smi_file_kind(f)->base == SMI_BASE_NONE ? ends_of(f) : -1;
        smi_glance(&f->look, fd, f->f->path, f->info.size, &o, wanted);
    }
}

struct range {
    bool some;
    int64_t first, last;
};

static void widen(struct range *g, int64_t first, int64_t last)
{
    if (!g->some || first < g->first)
        g->first = first;
    if (!g->some || last > g->last)
        g->last = last;
    g->some = true;
}

static int64_t interval_of(const struct read *r, struct file *f)
{
    struct smi_ingest_opts o = smi_read_opts(r, f);
    if (f->f->inside)
        return f->f->inside->interval_ms;
    return smi_glance_interval(ends_of(f), f->f->path, &o);
}

/* Two offsets in use are 15 min apart or more: a second one comes within 3 intervals only of a log that is sampled this
 * slowly. ROW_BYTES: longer than the rows of most logs, so that slowness is rather suspected than missed; only then are
 * the intervals looked for. */
enum { SLOW_MS = 290000, ROW_BYTES = 400 };

/* numbers.md §6. The intervals are only looked for when the first times alone, within 10 s, do not tell. */
static bool infer(struct read *r)
{
    struct range g = {0}, u = {0};
    const struct smi_runlog *log = &r->run->log;
    int64_t iv = 0;
    bool slow = false;
    for (size_t i = 0; i < r->n; i++) {
        const struct file *f = &r->file[i];
        slow |= f->look.timed && (f->look.last_ms - f->look.first_ms) / (f->info.size / ROW_BYTES + 1) >= SLOW_MS;
        if (f->look.timed && f->look.utc)
            widen(&u, f->look.first_ms, f->look.last_ms);
        else if (f->look.timed && f->look.first_ms > 86400000LL * 365) /* a date, not a time of day */
            widen(&g, f->look.first_ms, f->look.last_ms);
    }
    if (log->entries)
        widen(&u, log->first_ts_us / 1000, log->last_ts_us / 1000);
    if (!g.some || !u.some)
        return false;
    if (!slow && smi_zone_nearest(g.first - u.first, 10000, &r->run->offset_s))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].look.timed && interval_of(r, &r->file[i]) > iv)
            iv = interval_of(r, &r->file[i]);
    return smi_zone_infer(g.first, g.last, u.first, u.last, iv, &r->run->offset_s) == 1;
}

static int settle(struct read *r)
{
    struct smi_run *run = r->run;
    run->has_offset = true;
    if (r->o->has_offset) {
        run->offset_s = r->o->offset_s;
        run->zone_from = "--tz";
        if (r->o->zone && !(run->zone = smi_mem_text(r->o->zone->name, strlen(r->o->zone->name))))
            return smi_err_nomem(r->err);
    } else if (run->log.has_offset) {
        run->offset_s = run->log.offset_s;
        run->zone_from = "the run log";
    } else if (infer(r)) {
        run->zone_from = "inferred";
    } else {
        run->has_offset = false;
        run->offset_s = 0;
        run->zone_from = NULL;
    }
    return 0;
}

int smi_read_zone(struct read *r)
{
    look(r);
    return settle(r);
}
