/* functions.c - the aggregates that SQLite lacks: mean, stddev, median, p95. Of numbers only: NULL and texts take no part;
 * of none the result is NULL. */
#include "ask/db.h"
#include "base/wide.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static bool is_number(sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

/* --- stddev: of the whole group, as that of a metric (numbers.md §2); by Welford's way --- */

struct spread {
    int64_t n;
    double mean, squares;
};

static void spread_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct spread *s = sqlite3_aggregate_context(c, sizeof *s);
    double x, far;
    (void)argc;
    if (!s || !is_number(argv[0]))
        return;
    x = sqlite3_value_double(argv[0]);
    far = x - s->mean;
    s->n++;
    s->mean += far / (double)s->n;
    s->squares += far * (x - s->mean);
}

static void spread_end(sqlite3_context *c)
{
    const struct spread *s = sqlite3_aggregate_context(c, 0);
    if (s && s->n)
        sqlite3_result_double(c, sqrt(s->squares / (double)s->n));
}

/* --- mean: of values that are whole millionths, as all of ours are, it is exact, and rounded once (numbers.md §1) --- */

enum { WHOLE_MAX = 1000000000 /* below it a real tells millionths apart */ };

struct mean {
    int64_t n;
    smi_i128 micro;
    double sum;
    bool other; /* not all are whole millionths */
};

static void mean_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct mean *s = sqlite3_aggregate_context(c, sizeof *s);
    double v, micro;
    (void)argc;
    if (!s || !is_number(argv[0]))
        return;
    v = sqlite3_value_double(argv[0]);
    micro = nearbyint(v * 1e6);
    s->n++;
    s->sum += v;
    if (fabs(v) < WHOLE_MAX && micro / 1e6 == v)
        s->micro += (int64_t)micro;
    else
        s->other = true;
}

static void mean_end(sqlite3_context *c)
{
    const struct mean *s = sqlite3_aggregate_context(c, 0);
    if (s && s->n)
        sqlite3_result_double(c, s->other ? s->sum / (double)s->n : (double)smi_wide_div(s->micro, s->n) / 1e6);
}

/* --- percentiles: between two values by their distance (numbers.md §2, numpy's default) --- */

struct values {
    double *v;
    size_t n, cap;
};

static void values_step(sqlite3_context *c, int argc, sqlite3_value **argv)
{
    struct values *s = sqlite3_aggregate_context(c, sizeof *s);
    (void)argc;
    if (!s || !is_number(argv[0]))
        return;
    if (smi_mem_reserve(&s->v, &s->cap, s->n + 1, sizeof *s->v))
        sqlite3_result_error_nomem(c);
    else
        s->v[s->n++] = sqlite3_value_double(argv[0]);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void values_end(sqlite3_context *c)
{
    const int *percent = sqlite3_user_data(c);
    struct values *s = sqlite3_aggregate_context(c, 0);
    size_t k, i, f;
    if (!s || !s->n)
        return;
    qsort(s->v, s->n, sizeof *s->v, by_size);
    k = (s->n - 1) * (size_t)*percent;
    i = k / 100;
    f = k % 100;
    sqlite3_result_double(c, f ? s->v[i] + (s->v[i + 1] - s->v[i]) * (double)f / 100 : s->v[i]);
    smi_mem_free(s->v);
    s->v = NULL;
    s->n = s->cap = 0;
}

int smi_db_functions(sqlite3 *db)
{
    static const int percent[] = {50, 95};
    const int how = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    int rc = sqlite3_create_function_v2(db, "mean", 1, how, NULL, NULL, mean_step, mean_end, NULL);
    rc = rc ? rc : sqlite3_create_function_v2(db, "stddev", 1, how, NULL, NULL, spread_step, spread_end, NULL);
    for (int i = 0; i < 2 && !rc; i++)
        rc = sqlite3_create_function_v2(db, i ? "p95" : "median", 1, how, (void *)(uintptr_t)&percent[i], NULL,
                                        values_step, values_end, NULL);
    return rc;
}
