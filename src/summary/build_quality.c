/* How good the logs are: what became of their lines, how often they were written, which readings they lack.
 */
#include "summary/build_private.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { GAPS_MANY = 5 /* and a tenth: no accidents */ };

/* The lower median of the intervals, and the largest (docs/numbers.md §4). */
static void fill_intervals(const struct smi_counts_view *v, struct smi_value *median, struct smi_value *most)
{
    if (v->all.n == 0)
        return;
    *median = smi_value_of(smi_counts_view_at(v, (v->all.n - 1) / 2) * 1000);
    *most = smi_value_of(v->all.max * 1000);
}

/* ---- inputs ---- */

/* Stamps of hours that the zone has never or twice. One that comes twice is settled where both passes are in
 * the log. */
static int add_timestamp_messages(struct smi_account *a, const char *zone, struct smi_err *err)
{
    int rc = 0;
    if (a->stamps_never)
        rc = smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                              "%lld stamp%s in the hour that %.60s leaves out: read as if the clock had "
                              "not been set; is it the zone of the log?",
                              (long long)a->stamps_never, a->stamps_never == 1 ? "" : "s", zone);
    if (!rc && a->stamps_twice && !a->stamps_again)
        rc = smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                              "%lld stamp%s in the hour that comes twice in %.60s: taken for its first pass",
                              (long long)a->stamps_twice, a->stamps_twice == 1 ? "" : "s", zone);
    return rc;
}

/* What is counted and said once, when all parts of the input are together: rows that could not be given to a
 * GPU, stamps that their zone does not have. */
static int add_count_messages(struct smi_account *a, const char *zone, struct smi_err *err)
{
    int64_t line = a->lines;
    int rc = 0;
    a->lines = 0; /* about the whole input */
    rc = add_timestamp_messages(a, zone ? zone : "the zone", err);
    if (!rc && a->undecided)
        rc = smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                              "no GPU key, and the times do not tell how many GPUs there are: "
                              "all rows are pooled, without times; --gpu-count N says it");
    else if (!rc && a->ragged_bursts)
        rc = smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                              "%lld sample%s without one row for each of the %lld GPUs (%lld row%s): "
                              "not assigned to a GPU, and without times",
                              (long long)a->ragged_bursts, a->ragged_bursts == 1 ? "" : "s",
                              (long long)a->burst, (long long)a->ragged_rows, a->ragged_rows == 1 ? "" : "s");
    a->lines = line;
    return rc;
}

/* What the times of an input leave out without a sum that shows it: intervals of a second, slower cadence are
 * all gaps, and rows of which many step back in time make no intervals. */
static int add_time_messages(const struct smi_input *in, int64_t intervals, struct smi_input_stats *p,
                             struct smi_err *err)
{
    struct smi_account *a = &p->account;
    int64_t line = a->lines, rows = 0, back = 0;
    char seconds[SMI_MICRO_TEXT];
    int rc = 0;
    for (size_t i = 0; i < p->tracks; i++) {
        rows += p->track[i] ? p->track[i]->rows : 0;
        back += p->track[i] && p->track[i]->segments > 1 ? p->track[i]->segments - 1 : 0;
    }
    a->lines = 0; /* about the whole input */
    smi_text_write_micro(seconds, in->gap_ms * 1000);
    if (in->gaps >= GAPS_MANY && in->gaps * 10 >= intervals)
        rc = smi_account_warn(
            a, SMI_LOG_WARNING_OTHER, err,
            "%lld of %lld intervals are gaps by the median of all: %s s are in no energy and "
            "no idle time; if two monitors or two cadences are in it, make each a file",
            (long long)in->gaps, (long long)intervals, seconds);
    if (!rc && back >= GAPS_MANY && back * 10 >= rows)
        rc =
            smi_account_warn(a, SMI_LOG_WARNING_OTHER, err,
                             "time steps back at %lld of %lld rows: duration, energy and idle time need rows "
                             "in the order of time; sort them",
                             (long long)back, (long long)rows);
    a->lines = line;
    return rc;
}

/* Do logs of this format print the largest readings within their intervals? */
static bool has_peaks(const struct smi_build *b, int format)
{
    static const unsigned peaks[] = {SMI_GPU_UTIL_PEAK, SMI_MEM_UTIL_PEAK, SMI_FB_USED_PEAK};
    for (size_t i = 0; i < b->s.gpus; i++)
        for (size_t k = 0; k < sizeof peaks / sizeof *peaks; k++)
            if (smi_metric_source(&b->s.gpu[i], peaks[k]) == format)
                return true;
    return false;
}

/* A log of readings at instants; one of means and peaks tells more. */
static const char *input_note(struct smi_build *b, const struct smi_input *in)
{
    char text[96], ms[SMI_MICRO_TEXT];
    if (!in->gpu || !in->interval_s.has || in->interval_s.micro <= 0 || in->peaks)
        return NULL;
    smi_text_write_micro(ms, in->interval_s.micro);
    snprintf(text, sizeof text, "peaks shorter than %s s are not seen", ms);
    return smi_build_copy_text(b, text);
}

static void fill_gaps(struct smi_input *in, const struct smi_counts_view *v, unsigned limit)
{
    struct smi_counts_cursor w = {0};
    struct smi_counts_item dt;
    while (smi_counts_view_next(v, &w, &dt)) {
        bool gap = smi_interval_class(dt.value) > limit;
        in->gaps += gap ? dt.n : 0;
        in->gap_ms += gap ? dt.n * dt.value : 0;
    }
}

/* Which GPU of the summary each device of the input is. */
static int build_places(struct smi_build *b, struct smi_input *in, const struct smi_input_stats *p)
{
    const struct smi_input_stats *to = p->joined_to ? p->joined_to : p;
    int *place = smi_arena_new(&b->out->arena, p->devices.n, sizeof *place);
    if (!place)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < p->devices.n; i++) {
        const size_t who = p->joined_to && i < p->tracks ? (size_t)p->joined_as[i] : i;
        place[i] =
            i < p->tracks && who < to->tracks && to->track[who] ? to->track[who]->place : SMI_PLACE_NONE;
    }
    in->place = place;
    in->places = p->devices.n;
    return 0;
}

static int build_input(struct smi_build *b, struct smi_input *in, struct smi_input_stats *p, unsigned limit)
{
    struct smi_counts_view v;
    struct smi_log_warning *list;
    int64_t intervals;
    if (smi_counts_view(&p->dts, &v))
        return smi_err_nomem(b->err);
    fill_gaps(in, &v, limit);
    fill_intervals(&v, &in->interval_s, &in->interval_max_s);
    intervals = v.all.n;
    smi_counts_view_fini(&v);
    if (add_count_messages(&p->account, b->r->zone, b->err) || add_time_messages(in, intervals, p, b->err) ||
        build_places(b, in, p))
        return -1;
    list = smi_arena_new(&b->out->arena, p->account.problems + 1, sizeof *list);
    if (!list)
        return smi_err_nomem(b->err);
    in->path = smi_build_copy_text(b, p->path);
    in->format = smi_format_infos[p->format].name;
    in->gpu = smi_format_infos[p->format].gpu && !smi_format_infos[p->format].procs;
    in->peaks = has_peaks(b, p->format);
    in->account = p->account;
    in->account.problem = list;
    in->account.cap = 0;
    for (size_t i = 0; i < p->account.problems; i++) {
        list[i] = p->account.problem[i];
        list[i].text = smi_build_copy_text(b, p->account.problem[i].text);
    }
    in->note = input_note(b, in);
    return b->err && b->err->code ? -1 : 0;
}

int smi_build_inputs(struct smi_build *b)
{
    struct smi_input *in = smi_arena_new(&b->out->arena, b->r->parts + 1, sizeof *in);
    if (!in)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < b->r->parts; i++)
        if (build_input(b, &in[i], b->r->part[i], b->s.limit[i]))
            return -1;
    b->out->inputs = in;
    b->out->ninputs = b->r->parts;
    return 0;
}

/* ---- GPUs ---- */

static int gpu_intervals(const struct smi_run_gpu *body, int format, struct smi_gpu *g, struct smi_err *err)
{
    struct smi_counts all;
    struct smi_counts_view v = {0};
    int rc = 0;
    bool one = body->limbs[format] == 1;
    smi_counts_init(&all, 1);
    for (size_t i = 0; i < body->limbs[format] && rc == 0; i++) {
        const struct smi_gpu_source *l = &body->limb[format][i];
        struct smi_time_sum_slot every = smi_time_sum_total(&l->track->covered, UINT_MAX),
                                 in = smi_time_sum_total(&l->track->covered, l->limit);
        g->gaps += every.n - in.n;
        g->gap_ms += every.dt - in.dt;
        rc = one ? 0 : smi_counts_merge(&all, &l->track->lengths);
    }
    if (rc == 0)
        rc = smi_counts_view(one ? &body->limb[format][0].track->lengths : &all, &v);
    if (rc == 0)
        fill_intervals(&v, &g->interval_s, &g->interval_max_s);
    smi_counts_view_fini(&v);
    smi_counts_fini(&all);
    return rc ? smi_err_nomem(err) : 0;
}

static int64_t count_rows(const struct smi_run_gpu *body, int format)
{
    int64_t n = 0;
    for (size_t i = 0; i < body->limbs[format]; i++)
        n += body->limb[format][i].track->rows;
    return n;
}

/* Readings of a metric in the logs of a format. */
static int64_t count_readings(const struct smi_run_gpu *body, int format, unsigned metric)
{
    int64_t n = 0;
    for (size_t i = 0; i < body->limbs[format]; i++) {
        const struct smi_device_stats *t = body->limb[format][i].track;
        n += t->counts[metric] ? smi_counts_total(t->counts[metric]) : 0;
        for (size_t k = 0; k < t->counters; k++)
            n += t->counter[k].metric == metric ? t->counter[k].n : 0;
    }
    return n;
}

/* A format that has rows of this body, and was asked for the metric; or -1. */
static int count_asked(const struct smi_run_gpus *s, const struct smi_run_gpu *body, unsigned metric)
{
    for (int f = 0; f < SMI_FMT_COUNT; f++)
        if (s->asked[f][metric / 64] >> metric % 64 & 1 && count_rows(body, f) > 0)
            return f;
    return -1;
}

int smi_build_available(struct smi_build *b, const struct smi_run_gpu *body, const struct smi_share **out,
                        size_t *n)
{
    struct smi_share *list = smi_arena_new(&b->out->arena, SMI_METRIC_COUNT, sizeof *list);
    uint64_t some[SMI_METRIC_COUNT / 64 + 1]; /* metrics that the logs have or that one was asked for */
    if (!list)
        return smi_err_nomem(b->err);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        some[i] = body->has[i] | b->s.asked_all[i];
    *out = list;
    *n = 0;
    for (unsigned m = 0; (m = smi_next_metric(some, m)) < SMI_METRIC_COUNT; m++) {
        int f = smi_metric_source(body, m);
        if (f < 0 && (f = count_asked(&b->s, body, m)) < 0)
            continue;
        list[*n].metric = (uint16_t)m;
        list[(*n)++].pct =
            smi_value_ratio((smi_i128)count_readings(body, f, m) * 100 * 1000000, count_rows(body, f));
    }
    return 0;
}

int smi_build_quality(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    int format = smi_run_gpu_row_format(body);
    if (format >= 0 && !g->pooled && gpu_intervals(body, format, g, b->err))
        return -1;
    return smi_build_available(b, body, &g->available, &g->navailable);
}
