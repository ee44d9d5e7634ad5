#include "aggregate/time_range_probe.h"

#include "base/mem.h"
#include "aggregate/input_stats.h"
#include "aggregate/log_probe.h"

#include <string.h>

/* Reading the log reports what is wrong with it; this probe reports only a lack of memory. */
static int pass_memory_error(const struct smi_err *why, struct smi_err *err)
{
    return why->code == SMI_ENOMEM ? smi_err_nomem(err) : 0;
}

/* Reads the beginning of a log into p for what it tells. Returns whether it could. */
static bool read_beginning(struct smi_input_stats *p, char *buf, const struct smi_file_view *log,
                           const struct smi_ingest_opts *o, enum smi_time_base *base, struct smi_err *why)
{
    ssize_t n = smi_file_view_read(log, buf, SMI_TIME_RANGE_PROBE_BYTES, 0, why);
    struct smi_ingest_opts to = *o;
    struct smi_ingest *in;
    bool ok;
    if (n <= 0)
        return false;
    to.account = &p->account;
    to.devices = &p->devices;
    to.to = &p->sink;
    in = smi_ingest_open(&to, why);
    ok = in && smi_ingest_feed(in, buf, (size_t)n, why) == 0 && smi_ingest_finish(in, why) == 0;
    if (ok)
        *base = smi_ingest_base(in);
    smi_ingest_close(in);
    return ok;
}

/* *out: what the beginning of a log tells; NULL if it cannot be read. Returns 0, or -1 with err (memory). */
static int probe_beginning(struct smi_input_stats **out, const struct smi_file_view *log,
                           const struct smi_ingest_opts *o, enum smi_time_base *base, struct smi_err *err)
{
    struct smi_input_stats *p = smi_input_stats_new(log->name, o->format);
    struct smi_err why = {0};
    char *buf = smi_mem_new(SMI_TIME_RANGE_PROBE_BYTES, 1);
    if (!p || !buf)
        smi_err_nomem(&why);
    else if (read_beginning(p, buf, log, o, base, &why))
        *out = p;
    smi_mem_free(buf);
    if (*out != p)
        smi_input_stats_free(p);
    return pass_memory_error(&why, err);
}

/* ---- times ---- */

/* Feeds the tail of the log, from its first whole line on: the byte in front of it tells where a line ends.
 * The buffer has `room` bytes. Rows of another header can be odd enough to pass for rows of the first one: if
 * most of them do not, none tells a time. */
static int probe_tail(struct smi_log_probe *p, const struct smi_file_view *log, int64_t from, size_t room,
                      struct smi_err *err)
{
    const int64_t rejected = smi_account_rejected(&p->account);
    const size_t rows = p->rows;
    bool whole = false;
    ssize_t n;
    p->timed = false;
    for (; from < log->n; from += n) {
        const char *line = p->buf, *nl;
        if ((n = smi_file_view_read(log, p->buf, room, from, err)) <= 0)
            return n < 0 ? -1 : 0;
        if (!whole && (nl = memchr(p->buf, '\n', (size_t)n))) {
            whole = true;
            line = nl + 1;
        }
        if (whole && smi_log_probe_feed(p, line, (size_t)(p->buf + n - line), err))
            return -1;
    }
    p->timed &= smi_account_rejected(&p->account) - rejected <= (int64_t)(p->rows - rows);
    return 0;
}

/* Looks at the first `room` bytes, and at the last `tail` of them. Returns 1 if both ends gave a time, 0, or
 * -1 with err. The piece of a row at the end of the head is ended, and may pass for a row: only what comes
 * behind it is the tail. */
static int probe_ends(struct smi_log_probe *p, const struct smi_file_view *log, size_t room, int64_t tail,
                      struct smi_err *err)
{
    ssize_t n = smi_file_view_read(log, p->buf, room, 0, err);
    int64_t from = log->n - tail > n ? log->n - tail : n;
    if (n < 0 || smi_log_probe_feed(p, p->buf, (size_t)n, err))
        return -1;
    if (log->n > n && (p->has_time || smi_reader_waits(p->reader))) {
        if (smi_log_probe_feed(p, "\n", 1, err) || probe_tail(p, log, from - 1, room + 1, err))
            return -1;
    }
    return smi_reader_settle(p->reader, &p->sink, err) ? -1 : p->timed;
}

/* Returns 1 if both ends gave a time, 0, or -1 with err. Most logs tell it in a few rows. Where the rows of
 * the end have another header than the first ones, it has to be found: the tail grows until it is in it. */
static int probe_times(struct smi_time_range_probe *g, const struct smi_file_view *log,
                       const struct smi_ingest_opts *o, struct smi_err *err)
{
    bool more = true;
    int rc = 0;
    for (int64_t tail = 512; more && rc == 0; tail *= 8) {
        const size_t room = tail < SMI_TIME_RANGE_PROBE_BYTES ? (size_t)tail : SMI_TIME_RANGE_PROBE_BYTES;
        struct smi_log_probe p;
        rc = smi_log_probe_open(&p, o, room + 1, err) ? -1 : probe_ends(&p, log, room, tail, err);
        g->first_ms = p.first_ms;
        g->last_ms = p.last_ms;
        g->utc |= p.has_time && smi_reader_base(p.reader) == SMI_TIME_BASE_UTC;
        g->elapsed = p.has_time && smi_reader_base(p.reader) == SMI_TIME_BASE_ELAPSED;
        more = tail < SMI_TIME_RANGE_PROBE_BYTES ? !p.rows || p.has_time : p.has_time && tail < log->n;
        smi_log_probe_close(&p);
    }
    return rc;
}

int smi_time_range_probe(struct smi_time_range_probe *g, const struct smi_file_view *log,
                         const struct smi_ingest_opts *o, bool times, struct smi_err *err)
{
    enum smi_time_base base = smi_format_infos[o->format].base;
    struct smi_input_stats *p = NULL;
    struct smi_err why = {0};
    int rc = 0;
    if (base == SMI_TIME_BASE_NONE && probe_beginning(&p, log, o, &base, err))
        return -1;
    smi_input_stats_free(p);
    *g = (struct smi_time_range_probe){.utc = base == SMI_TIME_BASE_UTC};
    if (times)
        rc = probe_times(g, log, o, &why);
    g->timed = rc == 1;
    return pass_memory_error(&why, err) ? -1 : rc < 0;
}

int smi_interval_probe(const struct smi_file_view *log, const struct smi_ingest_opts *o, int64_t *ms,
                       struct smi_err *err)
{
    enum smi_time_base base;
    struct smi_input_stats *p = NULL;
    struct smi_counts_view v = {0};
    int rc = probe_beginning(&p, log, o, &base, err);
    *ms = 0;
    if (p && (smi_input_stats_close(p, NULL) || smi_counts_view(&p->dts, &v)))
        rc = smi_err_nomem(err);
    if (p && !rc && v.all.n)
        *ms = smi_counts_view_at(&v, (v.all.n - 1) / 2);
    smi_counts_view_fini(&v);
    smi_input_stats_free(p);
    return rc;
}
