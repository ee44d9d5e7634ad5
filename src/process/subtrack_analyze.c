/* subtrack_analyze.c - rows to calls, calls to the instants that fall into them, and what was used then. */
#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

#include <math.h>
#include <string.h>

const char *const smi_sub_stats[SMI_SUB_STATS] = {"min", "max", "mean", "std"};

enum { TIME = SMI_USAGE_COLUMNS - 1 };

struct span {
    double start, stop;
};

/* Room for the work on one block. */
struct work {
    const struct smi_sub_track *track;
    const char *path;
    double *times; /* of all timepoints, in order */
    struct span *call, *joined;
    double *length;
    size_t *pick; /* the timepoints of the block, in the order of the file */
    size_t calls, joins, picks;
};

/* ---- figures ---- */

/* Of v[at(0)], v[at(1)] ...; at: NULL, or the places of the rows; stride: doubles of a row. Each operation is
 * a statement of its own, so that no compiler joins two of them into one with another rounding. */
static void stats_of(const double *v, size_t stride, const size_t *at, size_t n, double out[SMI_SUB_STATS])
{
    double sum = 0, squares = 0, low = (double)NAN, high = (double)NAN, mean;
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        double x = v[(at ? at[i] : i) * stride];
        if (isnan(x))
            continue;
        sum += x;
        low = known && low <= x ? low : x;
        high = known && high >= x ? high : x;
        known++;
    }
    mean = known ? sum / (double)known : (double)NAN;
    for (size_t i = 0; i < n; i++) {
        double x = v[(at ? at[i] : i) * stride], square;
        if (isnan(x))
            continue;
        x -= mean;
        square = x * x;
        squares += square;
    }
    out[SMI_SUB_MIN] = low;
    out[SMI_SUB_MAX] = high;
    out[SMI_SUB_MEAN] = mean;
    squares = known ? squares / (double)known : (double)NAN;
    out[SMI_SUB_STD] = sqrt(squares);
}

static void usage_of(const struct smi_sub_track *t, const size_t *at, size_t n,
                     double out[SMI_SUB_METRICS][SMI_SUB_STATS])
{
    for (int m = 0; m < SMI_SUB_METRICS; m++)
        stats_of(t->n ? &t->row[0][m] : NULL, SMI_USAGE_COLUMNS, at, n, out[m]);
}

/* ---- calls ---- */

static int by_block(const void *a, const void *b)
{
    const struct smi_sub_row *x = a, *y = b;
    int c = x->name == y->name ? 0 : strcmp(x->name, y->name);
    if (c)
        return c;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    if (x->t < y->t || x->t > y->t)
        return x->t < y->t ? -1 : 1;
    return x->position - y->position;
}

static int unpaired_error(const struct work *w, const struct smi_sub_row *row, const char *what,
                          struct smi_err *err)
{
    char time[SMI_REAL_TEXT];
    smi_real_write(time, row->t);
    return smi_err_set(err, SMI_EFORMAT, "%.*s: block %.100s: process %lld %s at %s", SMI_SUB_SHOWN, w->path,
                       row->name, (long long)row->pid, what, time);
}

/* A block that is left and entered again at one instant was left first: brings that row to the front. */
static void leave_first(struct smi_sub_row *row, size_t n)
{
    for (size_t i = 1; i < n && row[i].pid == row->pid && row[i].t == row->t; i++)
        if (row[i].position == 1) {
            struct smi_sub_row leave = row[i];
            memmove(&row[1], &row[0], i * sizeof *row);
            row[0] = leave;
            return;
        }
}

/* The n rows of a block to calls, in w->call. */
static int pair_calls(struct work *w, struct smi_sub_row *row, size_t n, struct smi_err *err)
{
    w->calls = 0;
    for (size_t i = 0; i < n; i++) {
        bool last = i + 1 == n || row[i + 1].pid != row[i].pid;
        if (row[i].position == 1)
            return unpaired_error(w, &row[i], "leaves it without having entered it", err);
        if (last) /* it died in it */
            continue;
        if (row[i + 1].position == 0)
            leave_first(&row[i + 1], n - i - 1);
        if (row[i + 1].position == 0)
            return unpaired_error(w, &row[i + 1], "enters it again without having left it", err);
        w->call[w->calls] = (struct span){row[i].t, row[i + 1].t};
        w->length[w->calls++] = row[i + 1].t - row[i].t;
        i++;
    }
    return 0;
}

/* ---- timepoints ---- */

static int by_time(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static int by_start(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* What the calls cover, without overlaps, in w->joined. */
static void join_rows(struct work *w)
{
    struct span *j = w->joined;
    size_t n = 0;
    memcpy(j, w->call, w->calls * sizeof *j);
    smi_sort(j, w->calls, sizeof *j, by_start);
    for (size_t i = 0; i < w->calls; i++) {
        if (n && j[i].start <= j[n - 1].stop)
            j[n - 1].stop = j[i].stop > j[n - 1].stop ? j[i].stop : j[n - 1].stop;
        else
            j[n++] = j[i];
    }
    w->joins = n;
}

/* Does t lie in one of the joined calls, their ends included? */
static bool mark_covered(const struct work *w, double t)
{
    size_t low = 0, high = w->joins; /* the first that begins behind t */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->joined[mid].start <= t)
            low = mid + 1;
        else
            high = mid;
    }
    return low && t <= w->joined[low - 1].stop;
}

static bool call_is_full(const struct work *w, const struct span *call)
{
    size_t low = 0, high = w->track->n; /* the first timepoint from its start on */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (w->times[mid] < call->start)
            low = mid + 1;
        else
            high = mid;
    }
    return low < w->track->n && w->times[low] <= call->stop;
}

static void fill_block(struct work *w, struct smi_sub_block *b)
{
    b->calls = w->calls;
    stats_of(w->length, 1, NULL, w->calls, b->time);
    for (size_t i = 0; i < w->calls; i++) {
        b->total += w->length[i];
        b->full_calls += call_is_full(w, &w->call[i]);
    }
    join_rows(w);
    w->picks = 0;
    for (size_t i = 0; i < w->track->n; i++)
        if (mark_covered(w, w->track->row[i][TIME]))
            w->pick[w->picks++] = i;
    b->timepoints = w->picks;
    usage_of(w->track, w->pick, w->picks, b->usage);
}

static int prepare_blocks(struct work *w, size_t rows)
{
    const struct smi_sub_track *t = w->track;
    w->times = smi_mem_new(t->n, sizeof *w->times);
    w->pick = smi_mem_new(t->n, sizeof *w->pick);
    w->call = smi_mem_new(rows, sizeof *w->call);
    w->joined = smi_mem_new(rows, sizeof *w->joined);
    w->length = smi_mem_new(rows, sizeof *w->length);
    if (!w->times || !w->pick || !w->call || !w->joined || !w->length)
        return -1;
    for (size_t i = 0; i < t->n; i++)
        w->times[i] = t->row[i][TIME];
    smi_sort(w->times, t->n, sizeof *w->times, by_time);
    return 0;
}

static int each_block(struct smi_sub_results *out, struct work *w, struct smi_sub_rows *r,
                      struct smi_err *err)
{
    for (size_t from = 0, end; from < r->n; from = end) {
        struct smi_sub_block *b;
        for (end = from + 1; end < r->n && r->row[end].name == r->row[from].name; end++)
            ;
        if (smi_mem_reserve(&out->block, &out->cap, out->n + 1, sizeof *out->block))
            return smi_err_nomem(err);
        b = &out->block[out->n++];
        *b = (struct smi_sub_block){.name = r->row[from].name};
        if (pair_calls(w, &r->row[from], end - from, err))
            return -1;
        fill_block(w, b);
    }
    return 0;
}

int smi_sub_analyze(struct smi_sub_results *out, const struct smi_sub_track *track, struct smi_sub_rows *rows,
                    const char *path, struct smi_err *err)
{
    struct work w = {.track = track, .path = path};
    int rc = prepare_blocks(&w, rows->n) ? smi_err_nomem(err) : 0;
    *out = (struct smi_sub_results){0};
    memcpy(out->fixed, track->fixed, sizeof out->fixed);
    usage_of(track, NULL, track->n, out->overall);
    smi_sort(rows->row, rows->n, sizeof *rows->row, by_block);
    rc = rc ? rc : each_block(out, &w, rows, err);
    smi_mem_free(w.times);
    smi_mem_free(w.pick);
    smi_mem_free(w.call);
    smi_mem_free(w.joined);
    smi_mem_free(w.length);
    return rc;
}

void smi_sub_results_fini(struct smi_sub_results *r)
{
    smi_mem_free(r->block);
    *r = (struct smi_sub_results){0};
}
