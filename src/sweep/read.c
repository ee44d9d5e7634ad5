#include "sweep/read.h"

#include "ingest/ingest.h"
#include "summary/times.h"
#include "ingest/chunks.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PIECES_MAX = 64, HEAD = 65536 };

/* One file of the run while it is looked at. */
struct file {
    const struct smi_found_file *f;
    int fd;
    struct smi_file_info info;
    bool skip;
    bool hashed;
    uint64_t hash;  /* of the content, if hashed */
    bool marked;    /* its phases are known already */
    bool utc;       /* its times are known to be UTC */
    bool peeked;
    int64_t first_ms, last_ms;
};

struct read {
    struct smi_run *run;
    const struct smi_options *o;
    struct file *file;
    size_t n;
    struct smi_err *err;
};

/* What is known of its format; of a stream nothing yet. */
static const struct smi_source_info *kind(const struct file *f)
{
    static const struct smi_source_info unknown = {.rows = true};
    return f->f->format < 0 ? &unknown : &smi_sources[f->f->format];
}

/* ---- what is given twice ---- */

/* Made once, and only for files of equal size. What cannot be read is like nothing else. */
static uint64_t content_hash(struct file *f)
{
    char buf[65536];
    uint64_t h = 1469598103934665603u;
    int64_t at = 0;
    ssize_t n;
    if (f->hashed)
        return f->hash;
    while ((n = smi_file_read_at(f->fd, buf, sizeof buf, at, f->f->path, NULL)) > 0) {
        for (ssize_t i = 0; i < n; i++)
            h = (h ^ (unsigned char)buf[i]) * 1099511628211u;
        at += n;
    }
    f->hashed = true;
    return f->hash = n < 0 ? (uint64_t)(uintptr_t)f : h;
}

static int drop_twins(struct read *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *a = &r->file[i];
        for (size_t k = 0; k < i && !a->skip; k++) {
            struct file *b = &r->file[k];
            bool same_file = a->info.dev == b->info.dev && a->info.ino == b->info.ino;
            if (b->skip || a->info.stream || b->info.stream || a->info.size != b->info.size || a->info.size == 0)
                continue;
            if (!same_file && content_hash(a) != content_hash(b))
                continue;
            a->skip = true;
            if (smi_run_problem(r->run, r->err, "%s: the same content as %s, given twice: counted once", a->f->shown,
                                b->f->shown))
                return -1;
        }
    }
    return 0;
}

/* ---- reading ---- */

static int unusable(struct read *r, const struct file *f, const struct smi_err *why)
{
    return smi_run_problem(r->run, r->err, "%s: %s", f->f->shown, why->text);
}

static struct smi_ingest_opts ingest_opts(const struct read *r, const struct file *f)
{
    return (struct smi_ingest_opts){.format = f->f->format, .columns = r->o->columns, .gpu_count = r->o->gpu_count};
}

static struct smi_track_opts track_opts(const struct read *r, const struct file *f)
{
    return (struct smi_track_opts){r->o->idle_below, f->utc || r->run->has_offset ? &r->run->log.phases : NULL,
                                   f->utc ? 0 : (int64_t)r->run->offset_s * 1000000};
}

/* Whether and how the offset may change inside an input. */
static struct smi_wall_opts wall_opts(const struct read *r, const struct file *f)
{
    bool local = f->f->format != SMI_FMT_CPU && f->f->format != SMI_FMT_RUNLOG && r->run->has_offset;
    bool given = r->o->has_offset;
    return (struct smi_wall_opts){local && given ? r->o->zone : NULL, local && !(given && (r->o->zone || r->o->fixed))};
}

/* A large log in several pieces at once. Returns 1 if it was read so, 0 if it has to be read in one, -1. */
static int read_pieces(struct read *r, struct file *f, struct smi_err *why)
{
    int64_t least = r->o->piece_bytes ? r->o->piece_bytes : 4 << 20;
    struct smi_chunks c = {f->fd, f->info.size, f->f->path, f->f->shown, ingest_opts(r, f), track_opts(r, f),
                           wall_opts(r, f), r->o->threads};
    struct smi_part *p;
    int rc;
    if (f->info.stream || f->f->format < 0 || kind(f)->marks)
        return 0;
    if (f->info.size / least < c.threads)
        c.threads = (unsigned)(f->info.size / least);
    if (c.threads > PIECES_MAX)
        c.threads = PIECES_MAX;
    if (c.threads < 2)
        return 0;
    rc = smi_chunks_read(&c, &p, why);
    if (rc == 1 && smi_run_part(r->run, p, why)) {
        smi_part_free(p);
        rc = -1;
    }
    return rc;
}

/* Reads one file into a part of the run. Its own trouble becomes a problem; only memory stops the run. */
static int read_file(struct read *r, struct file *f)
{
    struct smi_err why = {0};
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_part *p;
    struct smi_ingest *in;
    int rc = read_pieces(r, f, &why);
    if (rc)
        return rc > 0 ? 0 : why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : unusable(r, f, &why);
    p = smi_part_new(f->f->shown, f->f->format);
    if (!p)
        return smi_err_nomem(r->err);
    p->opts = track_opts(r, f);
    p->wall_opts = wall_opts(r, f);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    in = smi_ingest_open(&o, &why);
    rc = in ? smi_ingest_fd(in, f->fd, f->f->path, &p->size, kind(f)->marks ? &p->hash : NULL, &why) : -1;
    if (rc == 0) {
        p->format = smi_ingest_format(in);
        p->base = smi_ingest_base(in);
        for (size_t i = 0; i < p->devices.n; i++)
            p->keyed |= p->devices.list[i].ordinal < 0;
        if (p->base == SMI_BASE_DAY)
            p->opts.phases = NULL;
    }
    smi_ingest_close(in);
    if (rc == 0 && smi_run_part(r->run, p, r->err) == 0)
        return 0;
    smi_part_free(p);
    if (rc == 0)
        return -1;
    return why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : unusable(r, f, &why);
}

/* Of a log that has rows and phases, the phases alone: no row can be read before all of them are known. */
static int read_marks(struct read *r, struct file *f)
{
    struct smi_err why = {0};
    struct smi_part *p = smi_part_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_ingest *in;
    int rc;
    if (!p)
        return smi_err_nomem(r->err);
    o.account = &p->account;
    o.devices = &p->devices;
    o.to = &p->sink;
    in = smi_ingest_open(&o, &why);
    rc = in ? smi_ingest_fd(in, f->fd, f->f->path, &p->size, NULL, &why) : -1;
    f->marked = rc == 0 && lseek(f->fd, 0, SEEK_SET) == 0;
    if (f->marked)
        rc = smi_runlog_merge(&r->run->log, &p->log, r->err);
    else
        rc = why.code == SMI_ENOMEM ? smi_err_nomem(r->err) : 0; /* other trouble comes again with the rows */
    smi_ingest_close(in);
    smi_part_free(p);
    return rc;
}

static int read_phases(struct read *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        if (!f->skip && !f->info.stream && kind(f)->marks && kind(f)->rows && read_marks(r, f))
            return -1;
    }
    return 0;
}

/* Reads the logs with rows, or those without. What a stream says of phases is known only now: they have no figures. */
static int read_all(struct read *r, bool rows)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        size_t parts = r->run->parts;
        if (f->skip || kind(f)->rows != rows)
            continue;
        f->skip = true;
        if (read_file(r, f))
            return -1;
        if (!f->marked && r->run->parts > parts && smi_runlog_merge(&r->run->log, &r->run->part[parts]->log, r->err))
            return -1;
    }
    return 0;
}

/* ---- the zone, before a row is joined ---- */

/* The beginning of a log, read for what it tells: NULL if it cannot be read. */
static struct smi_part *beginning(const struct read *r, const struct file *f, enum smi_base *base)
{
    struct smi_part *p = smi_part_new(f->f->shown, f->f->format);
    struct smi_ingest_opts o = ingest_opts(r, f);
    struct smi_ingest *in = NULL;
    char *buf = smi_mem_new(HEAD, 1);
    ssize_t n = p && buf ? smi_file_read_at(f->fd, buf, HEAD, 0, f->f->path, NULL) : -1;
    bool ok = false;
    if (n > 0) {
        o.account = &p->account;
        o.devices = &p->devices;
        o.to = &p->sink;
        in = smi_ingest_open(&o, NULL);
    }
    if (in && smi_ingest_feed(in, buf, (size_t)n, NULL) == 0 && smi_ingest_finish(in, NULL) == 0) {
        *base = smi_ingest_base(in);
        ok = true;
    }
    smi_ingest_close(in);
    smi_mem_free(buf);
    if (ok)
        return p;
    smi_part_free(p);
    return NULL;
}

static bool is_utc(const struct read *r, const struct file *f)
{
    enum smi_base base = kind(f)->base;
    if (base == SMI_BASE_NONE)
        smi_part_free(beginning(r, f, &base));
    return base == SMI_BASE_UTC;
}

static int peek(struct read *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        int rc;
        if (f->skip || f->info.stream || f->f->format < 0 || !kind(f)->rows)
            continue;
        f->utc = is_utc(r, f);
        rc = smi_ingest_peek(f->fd, f->f->path, f->f->format, r->o->columns, f->info.size, &f->first_ms, &f->last_ms, NULL);
        f->peeked = rc == 1;
    }
    return 0;
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

/* The interval at which a log was sampled, from its first 64 KiB; 0 if they do not tell. */
static int64_t interval_of(const struct read *r, const struct file *f)
{
    enum smi_base base;
    struct smi_part *p = beginning(r, f, &base);
    struct smi_counts_view v = {0};
    int64_t ms = 0;
    if (p && smi_part_close(p, NULL) == 0 && smi_counts_view(&p->dts, &v) == 0 && v.n)
        ms = smi_view_at(&v, (v.n - 1) / 2);
    smi_mem_free(v.list);
    smi_part_free(p);
    return ms;
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
        slow |= f->peeked && (f->last_ms - f->first_ms) / (f->info.size / ROW_BYTES + 1) >= SLOW_MS;
        if (f->peeked && f->utc)
            widen(&u, f->first_ms, f->last_ms);
        else if (f->peeked && f->first_ms > 86400000LL * 365) /* a date, not a time of day */
            widen(&g, f->first_ms, f->last_ms);
    }
    if (log->entries)
        widen(&u, log->first_ts_us / 1000, log->last_ts_us / 1000);
    if (!g.some || !u.some)
        return false;
    if (!slow && smi_zone_nearest(g.first - u.first, 10000, &r->run->offset_s))
        return true;
    for (size_t i = 0; i < r->n; i++)
        if (r->file[i].peeked && interval_of(r, &r->file[i]) > iv)
            iv = interval_of(r, &r->file[i]);
    return smi_zone_infer(g.first, g.last, u.first, u.last, iv, &r->run->offset_s) == 1;
}

static int zone(struct read *r)
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

/* ---- the run ---- */

static int open_files(struct read *r, const struct smi_found_run *found)
{
    r->file = smi_mem_new(found->files, sizeof *r->file);
    if (!r->file)
        return smi_err_nomem(r->err);
    r->n = found->files;
    for (size_t i = 0; i < r->n; i++) {
        struct file *f = &r->file[i];
        struct smi_err why = {0};
        f->f = &found->file[i];
        f->fd = -1;
        f->skip = f->f->bare && !r->o->columns;
        if (f->skip && smi_run_problem(r->run, r->err, "%s: query CSV without a header, and not the nine reference "
                                       "columns: --input-columns LIST names them", f->f->shown))
            return -1;
        if (f->skip)
            continue;
        f->fd = smi_file_open(AT_FDCWD, f->f->path, true, &f->info, &why);
        f->skip = f->fd < 0;
        if (f->skip && unusable(r, f, &why))
            return -1;
    }
    return 0;
}

static int describe(struct smi_run *run, const struct smi_found_run *found, struct smi_err *err)
{
    *run = (struct smi_run){0};
    run->name = smi_mem_text(found->name, strlen(found->name));
    if (!run->name)
        return smi_err_nomem(err);
    for (size_t i = 0; i < found->params; i++)
        if (smi_run_add_param(run, found->param[i].key, found->param[i].text, found->param[i].number, err))
            return -1;
    return 0;
}

int smi_read_run(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o, struct smi_err *err)
{
    struct read r = {.run = run, .o = o, .err = err};
    int rc = describe(run, found, err);
    if (rc == 0)
        rc = open_files(&r, found) || drop_twins(&r) || read_all(&r, false) || read_phases(&r);
    if (rc == 0) {
        peek(&r);
        rc = zone(&r) || smi_phases_index(&run->log.phases, err) ? -1 : 0;
    }
    if (rc == 0)
        rc = read_all(&r, true);
    for (size_t i = 0; i < r.n; i++)
        if (r.file[i].fd >= 0)
            close(r.file[i].fd);
    smi_mem_free(r.file);
    return rc ? -1 : 0;
}
