/* query_db_functions.c - the aggregates that SQLite lacks: mean, stddev, median, p95. Of numbers only: NULL
 * and texts take no part; of none the result is NULL. */
#include "query/query_db.h"

#include "base/int128.h"
#include "aggregate/counts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static bool is_sql_number(sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* --- sums of whole millionths: exact, rounded once (docs/numbers.md §1) --- */

enum {
    WHOLE_MAX = 1000000000 /* below it a real tells millionths apart, and no sum of squares is too large */
};

/* SQLite's memory of a group is aligned for 8 bytes only. */
typedef smi_i128 wide8 __attribute__((aligned(8)));

/* Sums of a group, and by Welford's way what is not exact. */
struct spread {
    int64_t n;
    wide8 sum, squares; /* millionths, and their squares */
    bool other;         /* not all are whole millionths */
    double mean, far;   /* far: sum of squared distances */
};

static void spread_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct spread *s = sqlite3_aggregate_context(c, sizeof *s);
    double x, micro, d;
    (void)argc;
    if (!s || !is_sql_number(argv[0]))
        return;
    x = sqlite3_value_double(argv[0]);
    micro = nearbyint(x * 1e6);
    d = x - s->mean;
    s->n++;
    s->mean += d / (double)s->n;
    s->far += d * (x - s->mean);
    if (fabs(x) < WHOLE_MAX && micro / 1e6 == x) {
        s->sum += (int64_t)micro;
        s->squares += (smi_i128)(int64_t)micro * (int64_t)micro;
    } else {
        s->other = true;
    }
}

static void mean_end(sqlite3_context *c)
{
    const struct spread *s = sqlite3_aggregate_context(c, 0);
    if (s && s->n)
        sqlite3_result_double(c, s->other ? s->mean : (double)smi_i128_div(s->sum, s->n) / 1e6);
}

/* Of the whole group, as that of a metric (docs/numbers.md §2). */
static int64_t exact_spread(const struct spread *s)
{
    return smi_counts_stddev(&(struct smi_counts_figures){.n = s->n, .sum = s->sum, .sum2 = s->squares});
}

static void spread_end(sqlite3_context *c)
{
    const struct spread *s = sqlite3_aggregate_context(c, 0);
    if (s && s->n)
        sqlite3_result_double(c, s->other ? sqrt(s->far / (double)s->n) : (double)exact_spread(s) / 1e6);
}

/* --- percentiles: between two values by their distance (docs/numbers.md §2, numpy's default) --- */

struct values {
    double *v;
    size_t n, cap;
};

static void values_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct values *s = sqlite3_aggregate_context(c, sizeof *s);
    (void)argc;
    if (!s || !is_sql_number(argv[0]))
        return;
    if (smi_mem_reserve(&s->v, &s->cap, s->n + 1, sizeof *s->v))
        sqlite3_result_error_nomem(c);
    else
        s->v[s->n++] = sqlite3_value_double(argv[0]);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void values_end(sqlite3_context *c)
{
    const int *percent = sqlite3_user_data(c);
    struct values *s = sqlite3_aggregate_context(c, 0);
    struct smi_percentile p;
    if (!s || !s->n)
        return;
    qsort(s->v, s->n, sizeof *s->v, compare_doubles);
    p = smi_percentile_place((int64_t)s->n, *percent);
    sqlite3_result_double(c, p.part ? s->v[p.i] + (s->v[p.i + 1] - s->v[p.i]) * (double)p.part / 100
                                    : s->v[p.i]);
    smi_mem_free(s->v);
}

int smi_db_functions(sqlite3 *db)
{
    static const int percent[] = {50, 95};
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = sqlite3_create_function_v2(db, "mean", 1, how, NULL, NULL, spread_step, mean_end, NULL);
    rc =
        rc ? rc : sqlite3_create_function_v2(db, "stddev", 1, how, NULL, NULL, spread_step, spread_end, NULL);
    for (int i = 0; i < 2 && !rc; i++)
        rc = sqlite3_create_function_v2(db, i ? "p95" : "median", 1, how, (void *)(uintptr_t)&percent[i],
                                        NULL, values_step, values_end, NULL);
    return rc;
}
