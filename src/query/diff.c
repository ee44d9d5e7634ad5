/* diff.c - columns side by side: means and their change in whole millionths, the spread of repeats, and what
 * chance has to say of it. Sums are exact, sums of squares are doubles. */
#include "query/diff.h"
#include "base/mem.h"
#include "query/query_db.h"
#include "summary/gpus.h"
#include "summary/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- ranks are kept doubled, so that the mean of two is whole ---- */

struct step {
    uint64_t size;
    bool up;
    size_t rank; /* doubled */
};

static int compare_steps(const void *p, const void *q)
{
    const struct step *a = p, *b = q;
    return (a->size > b->size) - (a->size < b->size);
}

/* Sorted, with their ranks. Returns how many pairs differ. */
static size_t rank_steps(struct step *s, const struct smi_value *a, const struct smi_value *b, size_t n)
{
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (a[i].has && b[i].has && a[i].micro != b[i].micro) {
            bool up = b[i].micro > a[i].micro;
            uint64_t from = (uint64_t)a[i].micro, to = (uint64_t)b[i].micro;
            s[m++] = (struct step){up ? to - from : from - to, up, 0};
        }
    smi_sort(s, m, sizeof *s, compare_steps);
    for (size_t i = 0, end; i < m; i = end) {
        for (end = i + 1; end < m && s[end].size == s[i].size; end++)
            ;
        for (size_t k = i; k < end; k++)
            s[k].rank = i + 1 + end;
    }
    return m;
}

/* The share of all ways to choose signs in which the ranks of one side come to `least` at most. */
static double count_ways(const struct step *s, size_t n, size_t least)
{
    double ways[SMI_SIGNED_RANK_EXACT * (SMI_SIGNED_RANK_EXACT + 1) + 1] = {1}, sum = 0;
    size_t most = 0;
    for (size_t i = 0; i < n; i++) {
        most += s[i].rank;
        for (size_t k = most; k >= s[i].rank; k--)
            ways[k] += ways[k - s[i].rank];
    }
    for (size_t k = 0; k <= least; k++)
        sum += ways[k];
    return ldexp(sum, -(int)n);
}

void smi_signed_rank_test(struct smi_signed_rank *r, const struct smi_value *a, const struct smi_value *b,
                          size_t n)
{
    struct step *s = smi_mem_new(n + 1, sizeof *s);
    size_t m, rise = 0, fall = 0;
    double squares = 0; /* of the ranks */
    *r = (struct smi_signed_rank){.chance = 1, .least = 1};
    m = rank_steps(s, a, b, n);
    for (size_t i = 0; i < m; i++) {
        *(s[i].up ? &rise : &fall) += s[i].rank;
        r->up += s[i].up;
        squares += (double)s[i].rank * (double)s[i].rank;
    }
    r->down = m - r->up;
    r->side = (rise > fall) - (rise < fall);
    if (m) {
        size_t least = rise < fall ? rise : fall;
        r->chance = m <= SMI_SIGNED_RANK_EXACT
                        ? 2 * count_ways(s, m, least)
                        : erfc(((double)(rise + fall) / 2 - (double)least) / sqrt(squares / 4) / sqrt(2));
        r->least = ldexp(2, -(int)(m < 1000 ? m : 1000));
    }
    r->chance = r->chance < 1 ? r->chance : 1;
    smi_mem_free(s);
}

/* ---- pairs: the runs of both sides and their parameters as tables ---- */

/* run: at is its place on its side; stem is its name but for digits. p: value is what SQLite compares: 1e-3
 * is 0.001. */
static const char make_tables[] = "CREATE TABLE run(side, at, name, stem);"
                                  "CREATE TABLE p(side, at, key, value, text, rep);"
                                  "CREATE TABLE pair(a, b, by)";

/* A key. shared: any value of it has runs on both sides. lone: it has one value in all runs of each side that
 * has it: if these are not shared, it says what the side is. m: runs that match have the same of it. */
static const char judge_keys[] =
    "CREATE TABLE k AS SELECT key, row_number() OVER (ORDER BY key COLLATE names) AS nth, rep, shared, lone "
    "AND both AND NOT shared AND NOT rep AS differs, "
    "shared OR CASE WHEN rep THEN %d ELSE NOT lone END AS m FROM "
    "(SELECT key, max(rep) AS rep, min(a) < max(b) AS both, max(a < b) AS shared, "
    "sum(1 + (a < b)) = 1 + (min(a) < max(b)) AND sum(n - ones) IN (0, %zu) AND sum(ones) IN (0, %zu) AS "
    "lone "
    "FROM (SELECT key, max(rep) AS rep, min(side) AS a, max(side) AS b, sum(side) AS ones, count(*) AS n "
    "FROM p GROUP BY key, value) GROUP BY key)";

/* The parameters of a run as texts: those that can match (param); the same without repeats; of these, those
 * that are shared, with repeats, and without. A value is its number among those of all parameters. */
static const char join_texts[] =
    "CREATE TABLE q(side, at, nth, rep, m, shared, piece, PRIMARY KEY(side, at, nth)) WITHOUT ROWID;"
    "INSERT OR IGNORE INTO q SELECT side, at, nth, k.rep, m, shared, "
    "printf('%d %09d ', nth, dense_rank() OVER (ORDER BY nth, value)) FROM p JOIN k USING (key);"
    "CREATE TABLE one AS SELECT run.*, ifnull(f, '') AS param, ifnull(r, '') AS rest, "
    "ifnull(c, '') AS common, ifnull(s, '') AS config, "
    "ifnull(any_m, 0) AS matches, ifnull(any_rep, 0) AS repeat "
    "FROM run LEFT JOIN (SELECT side, at, max(rep OR m) AS any_m, max(rep) AS any_rep, "
    "group_concat(piece, '') FILTER (WHERE m) AS f, "
    "group_concat(piece, '') FILTER (WHERE m AND NOT rep) AS r, "
    "group_concat(piece, '') FILTER (WHERE shared) AS c, "
    "group_concat(piece, '') FILTER (WHERE shared AND NOT rep) AS s "
    "FROM q GROUP BY side, at) USING (side, at);" /* in the order of the key of q */
    "CREATE UNIQUE INDEX one_at ON one(side, at);"
    "CREATE VIEW alone AS SELECT * FROM one WHERE "
    "CASE WHEN side THEN at NOT IN (SELECT b FROM pair) ELSE at NOT IN (SELECT a FROM pair) END";

/* Pairs those that are alone and have the same of a column, in their order; by name the strict ones only if
 * nothing that is shared tells them apart. */
static const char match_runs[] =
    "WITH free AS (SELECT *, row_number() OVER (PARTITION BY side, %s ORDER BY at) AS nth FROM alone "
    "WHERE %d OR matches) "
    "INSERT INTO pair SELECT x.at, y.at, %d FROM free AS x JOIN free AS y USING (%s, nth) "
    "WHERE x.side = 0 AND y.side = 1 AND (NOT %d OR x.common = y.common)";

/* config: what the repeats of a pair have in common; where no parameter of a repeat says it, the name but for
 * digits. lone: without any parameter a run is no repeat. */
static const char list_pairs[] =
    "SELECT a, b, by, mixed, dense_rank() OVER (ORDER BY config, lone) - 1, "
    "count(*) OVER (PARTITION BY config, lone) FROM (SELECT a, b, by, x.config <> y.config AS mixed, "
    "CASE WHEN NOT (x.matches AND y.matches) THEN a END AS lone, "
    "x.config || CASE WHEN x.repeat THEN '' ELSE x.stem END || char(10) || "
    "y.config || CASE WHEN y.repeat THEN '' ELSE y.stem END AS config "
    "FROM pair JOIN one AS x ON x.side = 0 AND x.at = a JOIN one AS y ON y.side = 1 AND y.at = b) "
    "ORDER BY 5, a";
static const char list_alone[] = "SELECT side, at, (side, name) IN (SELECT 1, name FROM run WHERE side = 0 "
                                 "UNION SELECT 0, name FROM alone "
                                 "WHERE side = 1) FROM alone ORDER BY side, at";
static const char list_keys[] =
    "SELECT key, differs, "
    "(SELECT text FROM p WHERE differs AND p.key = k.key AND side = 0 ORDER BY at LIMIT 1), "
    "(SELECT text FROM p WHERE differs AND p.key = k.key AND side = 1 ORDER BY at LIMIT 1) "
    "FROM k WHERE rep OR differs ORDER BY nth";

static bool is_repeat(const char *key, const char *more)
{
    struct smi_text word;
    if (smi_param_is_repeat(key))
        return true;
    while (smi_text_next_item(&more, &word))
        if (smi_text_is(word, key))
            return true;
    return false;
}

/* Inserts the runs of a side. */
static void add_runs(struct smi_db *d, int side, const struct smi_sweep *s, const char *more)
{
    sqlite3_stmt *run = smi_db_prepare_insert(d, "run", 4), *param = smi_db_prepare_insert(d, "p", 6);
    struct smi_buf stem = {0};
    for (size_t i = 0; smi_sweep_has_run(s, i) && !d->failed; i++) {
        const struct smi_summary *of = &s->runs[i];
        smi_buf_clear(&stem);
        for (const char *p = of->run; *p; p++)
            if (!smi_is_digit(*p))
                smi_buf_char(&stem, *p);
        sqlite3_bind_int(run, 1, side);
        sqlite3_bind_int64(run, 2, (int64_t)i);
        sqlite3_bind_text(run, 3, of->run, -1, SQLITE_STATIC);
        sqlite3_bind_text(run, 4, stem.n ? stem.p : "", (int)stem.n, SQLITE_STATIC);
        smi_db_insert_row(d, run);
        for (const struct smi_param *p = of->params; p < of->params + of->nparams; p++) {
            sqlite3_bind_int(param, 1, side);
            sqlite3_bind_int64(param, 2, (int64_t)i);
            sqlite3_bind_text(param, 3, p->key, -1, SQLITE_STATIC);
            smi_db_bind_text(param, 4, p->text, p->bare);
            sqlite3_bind_text(param, 5, p->text, -1, SQLITE_STATIC);
            sqlite3_bind_int(param, 6, is_repeat(p->key, more));
            smi_db_insert_row(d, param);
        }
    }
    sqlite3_finalize(run);
    sqlite3_finalize(param);
    smi_buf_fini(&stem);
}

/* A statement of this file. */
static sqlite3_stmt *ask(struct smi_db *d, const char *sql, struct smi_err *err)
{
    struct smi_buf b = {0};
    smi_buf_str(&b, sql);
    return smi_db_select(d, "pairs", &b, err);
}

/* Those of one configuration are neighbours. */
static int read_pairs(struct smi_pairs *p, struct smi_db *d, struct smi_err *err)
{
    sqlite3_stmt *st = ask(d, list_pairs, err);
    int rc;
    while ((rc = smi_db_step(d, "pairs", st, err)) > 0) {
        struct smi_pair *to = &p->of[p->n++];
        const size_t size = (size_t)sqlite3_column_int64(st, 5);
        *to = (struct smi_pair){(size_t)sqlite3_column_int64(st, 0), (size_t)sqlite3_column_int64(st, 1),
                                (size_t)sqlite3_column_int64(st, 4),
                                (enum smi_pair_by)sqlite3_column_int(st, 2)};
        p->configs = to->config + 1;
        p->by[to->by]++;
        p->mixed += to->by == SMI_PAIR_NAME && sqlite3_column_int(st, 3);
        p->most = size > p->most ? size : p->most;
        p->least = p->n == 1 || size < p->least ? size : p->least;
    }
    return rc;
}

/* The runs without a pair, and what parameters say of the sides. */
static int read_rest(struct smi_pairs *p, struct smi_db *d, struct smi_err *err)
{
    sqlite3_stmt *alone = ask(d, list_alone, err), *keys;
    size_t repeats = 0, differ = 0;
    int rc;
    while ((rc = smi_db_step(d, "pairs", alone, err)) > 0) {
        const int side = sqlite3_column_int(alone, 0);
        p->only[side][p->nonly[side]++] =
            (struct smi_alone_run){(size_t)sqlite3_column_int64(alone, 1), sqlite3_column_int(alone, 2)};
    }
    keys = rc ? NULL : ask(d, list_keys, err);
    while ((rc = smi_db_step(d, "pairs", keys, err)) > 0) {
        const char *key = smi_copy_text(&p->arena, (const char *)sqlite3_column_text(keys, 0));
        if (!sqlite3_column_int(keys, 1)) {
            *SMI_MEM_ADD(p->repeat, p->repeats, repeats) = key;
            continue;
        }
        *SMI_MEM_ADD(p->differs, p->ndiffers, differ) = (struct smi_param_difference){
            key, smi_copy_text(&p->arena, (const char *)sqlite3_column_text(keys, 2)),
            smi_copy_text(&p->arena, (const char *)sqlite3_column_text(keys, 3))};
    }
    return rc;
}

/* --- all of it --- */

int smi_pairs_make(struct smi_pairs *p, const struct smi_sweep *a, const struct smi_sweep *b,
                   const char *more, bool strict, struct smi_err *err)
{
    static const char *const by[] = {
        [SMI_PAIR_NAME] = "name", [SMI_PAIR_PARAMS] = "param", [SMI_PAIR_REPEAT] = "rest"};
    const struct smi_sweep *const side[2] = {a, b};
    struct smi_db d = {0};
    struct smi_buf sql = {0};
    int rc;
    p->of = smi_arena_new(&p->arena, (a->n < b->n ? a->n : b->n) + 1, sizeof *p->of);
    smi_db_begin(&d, "", err); /* a file: of two sweeps of many runs it is much */
    smi_db_exec(&d, make_tables);
    for (int k = 0; k < 2; k++) {
        p->only[k] = smi_arena_new(&p->arena, side[k]->n + 1, sizeof *p->only[k]);
        add_runs(&d, k, side[k], more);
    }
    smi_buf_fmt(&sql, judge_keys, strict, a->n, b->n);
    smi_buf_fmt(&sql, "; %s; %s", join_texts,
                a->n == 1 && b->n == 1 ? "INSERT INTO pair VALUES(0, 0, 0)" : "");
    smi_db_exec(&d, sql.p);
    for (int k = SMI_PAIR_NAME; k <= (strict ? SMI_PAIR_PARAMS : SMI_PAIR_REPEAT); k++) {
        const bool name = k == SMI_PAIR_NAME;
        smi_buf_clear(&sql);
        smi_buf_fmt(&sql, match_runs, by[k], name, k, by[k], name && strict);
        smi_db_exec(&d, sql.p);
    }
    smi_buf_fini(&sql);
    rc = d.failed || read_pairs(p, &d, err) || read_rest(p, &d, err) ? -1 : 0;
    smi_db_close(&d);
    for (size_t i = 0; i < p->n && !rc; i++) { /* idle times by two limits cannot be compared */
        const int64_t x = a->runs[p->of[i].a].idle_below, y = b->runs[p->of[i].b].idle_below;
        if (x >= 0 && y >= 0 && x != y)
            rc = smi_err_set(err, SMI_EUSAGE,
                             "%.80s: a GPU is idle at %g %% or below, in %.80s at %g %%: "
                             "read both with the same --idle-below",
                             a->title, (double)x / 1e6, b->title, (double)y / 1e6);
    }
    return rc;
}

void smi_pairs_fini(struct smi_pairs *p)
{
    smi_mem_free(p->repeat);
    smi_mem_free(p->differs);
    smi_arena_fini(&p->arena);
    *p = (struct smi_pairs){0};
}

const char *const smi_change_names[] = {"real", "alike", "few", "unknown", "noise", "same"};

/* The values of a column: of each pair, in its order. */
struct column {
    const char *name, *label, *unit;
    int run_column;   /* place in smi_run_fields, or -1: */
    size_t joined[2]; /* place among the joined ones of A and B */
};

struct differ {
    struct smi_diff *d;
    struct column *column;
    size_t columns;
    struct smi_value *value[2]; /* columns * pairs */
    struct tally *tally;
};

/* What is added up of a column. */
struct tally {
    smi_i128 sum[2];
    double squares;     /* distances from the means of configurations */
    double far, weight; /* sums over configurations with repeats: of sqrt(f) z, and of f (diff.h) */
    double plain;       /* of sqrt(f) t: as if the spreads were known and no estimates */
    size_t n, freedom;
    struct smi_signed_rank pairs;
    double chance; /* that configurations without a spread differ */
    bool differ;   /* some of them do */
};

/* --- chance --- */

double smi_student_probability(double t, size_t f)
{
    const bool odd = f % 2;
    double x = fabs(t), angle = atan2(x, sqrt((double)f)), c = cos(angle), term = odd ? c : 1,
           sum = f > 1 ? term : 0, inside;
    if (!f || isinf(x))
        return f ? 0 : 1;
    for (size_t k = 2 + odd; k + 2 <= f && term > sum * 1e-17; k += 2) {
        term *= c * c * (double)(k - 1) / (double)k;
        sum += term;
    }
    inside = odd ? (angle + sin(angle) * sum) * 2 / acos(-1) : sin(angle) * sum;
    return inside < 1 ? 1 - inside : 0;
}

/* --- columns --- */

static bool is_column_name(struct smi_text word, const char *name)
{
    return smi_text_is_nocase(word, name) ||
           (name == smi_run_fields[SMI_RUN_FIELD_WASTED_TOTAL].key && smi_text_is_nocase(word, "wasted_h"));
}

/* Keeps the columns that have the name of a word of the list. Each word is a column. */
static int choose_columns(struct differ *f, const char *list, struct smi_err *err)
{
    bool *wanted = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *wanted);
    const size_t all = f->columns;
    struct smi_text word;
    while (list && *list && smi_text_next_item(&list, &word)) {
        bool any = false;
        for (size_t i = 0; i < all; i++)
            if (is_column_name(word, f->column[i].name))
                any = wanted[i] = true;
        if (!any && smi_query_find_number(word, false, err) < 0)
            return -1;
    }
    f->columns = 0;
    for (size_t i = 0; i < all; i++)
        if (wanted[i])
            f->column[f->columns++] = f->column[i];
    return 0;
}

/* All columns, or those of the list. */
static int list_columns(struct differ *f, const char *list, struct smi_err *err)
{
    const struct smi_sweep *a = f->d->a, *b = f->d->b;
    f->column = smi_arena_new(&f->d->arena, SMI_RUN_FIELDS + a->njoined + 1, sizeof *f->column);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        const struct smi_field_info *c = &smi_run_fields[i];
        /* the mean of the readings, which check judges, says it */
        if ((c->kind == SMI_DATUM_INT || c->kind == SMI_DATUM_MICRO) &&
            (list || i != SMI_RUN_FIELD_GPU_UTIL_TIME_MEAN))
            f->column[f->columns++] =
                (struct column){c->key, c->words ? c->words : c->key, c->unit, i, {0, 0}};
    }
    for (size_t i = 0; i < a->njoined; i++)
        for (size_t k = 0; k < b->njoined; k++)
            if (strcmp(a->joined[i], b->joined[k]) == 0)
                f->column[f->columns++] = (struct column){a->joined[i], a->joined[i], "", -1, {i, k}};
    return list ? choose_columns(f, list, err) : 0;
}

/* --- values --- */

static void read_values(struct differ *f)
{
    const struct smi_pairs *pairs = f->d->pairs;
    for (int side = 0; side < 2; side++) {
        struct smi_value *x = smi_mem_new(f->columns * pairs->n + 1, sizeof *x);
        struct smi_field_values row = {0};
        f->value[side] = x;
        for (size_t i = 0; i < pairs->n; i++) {
            const struct smi_summary *s =
                side ? &f->d->b->runs[pairs->of[i].b] : &f->d->a->runs[pairs->of[i].a];
            smi_field_values_fill(&row, &smi_run_list, s, s);
            for (size_t k = 0; k < f->columns; k++) {
                const struct column *c = &f->column[k];
                const struct smi_datum *v = c->run_column < 0 ? NULL : &row.v[c->run_column];
                const struct smi_param *p = v ? NULL : &s->joined[c->joined[side]];
                const struct smi_text t = smi_text_of(p && p->text && p->bare ? p->text : "");
                x = &f->value[side][k * pairs->n + i];
                if (v)
                    *x = v->kind == SMI_DATUM_INT ? smi_value_wide((smi_i128)v->n * 1000000)
                                                  : (struct smi_value){v->n, v->kind == SMI_DATUM_MICRO};
                else
                    x->has = smi_text_is_number(t) && smi_text_parse_scaled(t, 1000000, 1, &x->micro) == 0;
            }
        }
        smi_field_values_fini(&row);
    }
}

/* --- sums --- */

/* Sum of squared distances from the mean of n values, by Welford's way; those of pairs without a value on
 * both sides take no part. */
static double squares_of(const struct smi_value *x, const struct smi_value *other, size_t n)
{
    double mean = 0, squares = 0, step;
    const struct smi_value *first = NULL;
    size_t m = 0;
    for (size_t i = 0; i < n; i++) {
        if (!x[i].has || !other[i].has)
            continue;
        first = first ? first : &x[i];
        const double far = (double)((smi_i128)x[i].micro - first->micro); /* so that none is lost */
        step = far - mean;
        mean += step / (double)++m;
        squares += step * (far - mean);
    }
    return squares;
}

/* The deviate of the normal distribution that is farther from 0 by a chance of p. */
static double normal_deviate(double p)
{
    double low = 0, high = 40, mid;
    for (int i = 0; i < 64; i++) {
        mid = (low + high) / 2;
        if (erfc(mid / sqrt(2)) > p)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* A configuration says by its own spread how far its change is from chance: one of a higher level has a
 * larger spread. Where its repeats are alike, by the ways in which they could be. */
static void add_deviate(struct tally *t, smi_i128 change, double squares, size_t m, double ways)
{
    enum { MOST = 40 /* deviates that count: as deviate() has them */ };
    double freedom = 2 * (double)(m - 1), error = sqrt(squares / freedom * 2 * (double)m), z, t_c;
    if (m < 2)
        return;
    z = !change ? 0
                : normal_deviate(squares > 0 ? smi_student_probability((double)change / error, 2 * (m - 1))
                                             : ways);
    t_c = squares > 0 && fabs((double)change) < MOST * error ? fabs((double)change) / error
          : change                                           ? MOST
                                                             : 0;
    t->far += sqrt(freedom) * (change < 0 ? -z : z);
    t->plain += sqrt(freedom) * (change < 0 ? -t_c : t_c);
    t->weight += freedom;
}

/* n pairs of one configuration. */
static void add_config(struct tally *t, const struct smi_value *a, const struct smi_value *b, size_t n)
{
    smi_i128 sum[2] = {0, 0};
    double squares = squares_of(a, b, n) + squares_of(b, a, n), ways = 2;
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (a[i].has && b[i].has) {
            sum[0] += a[i].micro;
            sum[1] += b[i].micro;
            m++;
        }
    if (!m)
        return;
    t->sum[0] += sum[0];
    t->sum[1] += sum[1];
    t->squares += squares;
    t->n += m;
    t->freedom += 2 * (m - 1);
    for (size_t i = 1; i <= m; i++) /* 2 / C(2 m, m) */
        ways *= (double)i / (double)(m + i);
    add_deviate(t, sum[1] - sum[0], squares, m, ways);
    if (sum[0] == sum[1])
        return;
    t->differ = true;
    t->chance *= ways;
}

/* The chance below which one of so many tests calls a change real. */
static double limit_of(size_t tests)
{
    return SMI_CHANCE_PCT / 100.0 / (double)(tests ? tests : 1);
}

/* Repeats are a test of each column that they have a say of, pairs only of one where they are enough to come
 * below the limit. The limit depends on the number of tests: this finds the least number that is enough for
 * all tests that its limit lets in. */
static size_t count_tests(const struct differ *f)
{
    size_t tests = 0, let_in = 1;
    while (let_in > tests) {
        tests++;
        let_in = 0;
        for (size_t i = 0; i < f->columns; i++)
            let_in += (size_t)(f->tally[i].freedom && (f->tally[i].squares > 0 || f->tally[i].differ)) +
                      (f->tally[i].pairs.least <= limit_of(tests));
    }
    return let_in ? tests : 0;
}

/* --- verdicts --- */

static struct smi_value value_of_real(double v)
{
    bool has = fabs(v) < 9e18;
    return (struct smi_value){has ? (int64_t)nearbyint(v) : 0, has};
}

static int sign_of(smi_i128 v)
{
    return (v > 0) - (v < 0);
}

static enum smi_change_kind change_kind_of(const struct tally *t, double ratio, double limit)
{
    bool agrees = ratio < 0 ? t->sum[1] < t->sum[0] : t->sum[1] > t->sum[0]; /* as the change that is shown */
    if (t->sum[0] == t->sum[1])
        return SMI_CHANGE_NONE;
    if (t->pairs.chance <= limit && t->pairs.side == sign_of(t->sum[1] - t->sum[0]))
        return SMI_CHANGE_REAL;
    if (!t->freedom)
        return t->pairs.least <= limit ? SMI_CHANGE_NOISE : SMI_CHANGE_UNKNOWN;
    if (t->squares > 0)
        return !agrees                                                     ? SMI_CHANGE_NOISE
               : erfc(fabs(ratio) / sqrt(2)) <= limit                      ? SMI_CHANGE_REAL
               : erfc(fabs(t->plain) / sqrt(t->weight) / sqrt(2)) <= limit ? SMI_CHANGE_FEW
                                                                           : SMI_CHANGE_NOISE;
    return t->chance <= limit ? SMI_CHANGE_REAL : SMI_CHANGE_ALIKE;
}

/* The largest first: by chance, as a deviate; where that has no say, by the share that changed. */
static double rank_of(const struct tally *t, enum smi_change_kind kind, double ratio, bool paired)
{
    double base = fabs((double)t->sum[0]);
    if (kind == SMI_CHANGE_UNKNOWN && base > 0)
        return fabs((double)(t->sum[1] - t->sum[0])) / base;
    if (t->squares > 0 || (!t->freedom && paired))
        return fmax(fabs(ratio), paired ? normal_deviate(t->pairs.chance) : 0);
    return 1e300;
}

static void judge_change(struct smi_diff *d, const struct column *c, const struct tally *t)
{
    struct smi_change *x = &d->of[d->n++];
    smi_i128 change = t->sum[1] - t->sum[0], n = (smi_i128)t->n,
             base = t->sum[0] < 0 ? -t->sum[0] : t->sum[0];
    double spread = t->freedom ? sqrt(t->squares / (double)t->freedom) : 0,
           ratio = spread > 0 ? t->far / sqrt(t->weight) : 0, limit = limit_of(d->tested);
    *x = (struct smi_change){.name = c->name,
                             .label = c->label,
                             .unit = c->unit,
                             .n = t->n,
                             .pairs = t->pairs,
                             .a = smi_value_ratio(t->sum[0], n),
                             .b = smi_value_ratio(t->sum[1], n),
                             .change = smi_value_ratio(change, n)};
    if (base && (change < 0 ? -change : change) / base < 1000000)
        x->pct = smi_value_ratio(change * 100000000, base);
    if (t->freedom)
        x->spread = value_of_real(spread);
    if (spread > 0)
        x->ratio = value_of_real(ratio * 1000000);
    x->kind = change_kind_of(t, ratio, limit);
    if (x->kind == SMI_CHANGE_REAL)
        x->worse = c->run_column < 0 ? 0 : sign_of(change) * smi_run_fields[c->run_column].worse;
    x->rank = rank_of(t, x->kind, ratio, t->pairs.least <= limit);
    d->count[x->kind]++;
}

static int compare_change_order(const void *p, const void *q)
{
    const struct smi_change *a = p, *b = q;
    int64_t x = a->pct.micro < 0 ? -a->pct.micro : a->pct.micro,
            y = b->pct.micro < 0 ? -b->pct.micro : b->pct.micro;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (!a->worse != !b->worse) /* the mean of a metric, which can become worse, before its maximum */
        return a->worse ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void judge_changes(struct differ *f)
{
    const struct smi_pairs *p = f->d->pairs;
    f->tally = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->tally);
    f->d->of = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->d->of);
    f->d->empty = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->d->empty);
    for (size_t k = 0; k < f->columns; k++) {
        const struct smi_value *a = &f->value[0][k * p->n], *b = &f->value[1][k * p->n];
        f->tally[k].chance = 1;
        smi_signed_rank_test(&f->tally[k].pairs, a, b, p->n);
        for (size_t i = 0, n; i < p->n; i += n) {
            for (n = 1; i + n < p->n && p->of[i + n].config == p->of[i].config; n++)
                ;
            add_config(&f->tally[k], &a[i], &b[i], n);
        }
    }
    f->d->tested = count_tests(f);
    for (size_t k = 0; k < f->columns; k++) {
        const struct column *c = &f->column[k];
        struct smi_absent_column *e = &f->d->empty[f->d->absent];
        if (f->tally[k].n) {
            judge_change(f->d, c, &f->tally[k]);
            continue;
        }
        f->d->absent++;
        e->name = c->name;
        e->price = c->run_column < 0 ? SMI_PRICE_NONE : smi_run_fields[c->run_column].price;
        for (size_t i = 0; i < 2 * p->n; i++)
            e->has[i % 2] |= f->value[i % 2][k * p->n + i / 2].has;
    }
    smi_sort(f->d->of, f->d->n, sizeof *f->d->of, compare_change_order);
}

int smi_diff_make(struct smi_diff *d, const struct smi_sweep *a, const struct smi_sweep *b,
                  const struct smi_pairs *p, const char *columns, struct smi_err *err)
{
    struct differ f = {.d = d};
    d->a = a;
    d->b = b;
    d->pairs = p;
    if (list_columns(&f, columns, err))
        return -1;
    read_values(&f);
    judge_changes(&f);
    smi_mem_free(f.value[0]);
    smi_mem_free(f.value[1]);
    return 0;
}

void smi_diff_fini(struct smi_diff *d)
{
    smi_arena_fini(&d->arena);
    *d = (struct smi_diff){0};
}
