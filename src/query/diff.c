/* diff.c - columns side by side: means and their change in whole millionths, the spread of repeats, and what
 * chance has to say of it. Sums of squares are exact as long as they fit 128 bits, and doubles only behind
 * that. */
#include "query/diff.h"
#include "base/json.h"
#include "base/mem.h"
#include "query/query.h"
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

/* The chance that ranks whose squares have this sum come as far from their middle. */
static double normal_chance(double far, const struct step *s, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += (double)s[i].rank * (double)s[i].rank;
    return erfc(far / sqrt(squares / 4) / sqrt(2));
}

void smi_signed_rank_test(struct smi_signed_rank *r, const struct smi_value *a, const struct smi_value *b,
                          size_t n)
{
    struct step *s = smi_mem_new(n + 1, sizeof *s);
    size_t m, rise = 0, fall = 0;
    *r = (struct smi_signed_rank){.chance = 1, .least = 1};
    m = rank_steps(s, a, b, n);
    for (size_t i = 0; i < m; i++) {
        *(s[i].up ? &rise : &fall) += s[i].rank;
        r->up += s[i].up;
    }
    r->down = m - r->up;
    r->side = (rise > fall) - (rise < fall);
    if (m) {
        size_t least = rise < fall ? rise : fall;
        r->chance = m <= SMI_SIGNED_RANK_EXACT
                        ? 2 * count_ways(s, m, least)
                        : normal_chance((double)(rise + fall) / 2 - (double)least, s, m);
        r->least = ldexp(2, -(int)(m < 1000 ? m : 1000));
    }
    r->chance = r->chance < 1 ? r->chance : 1;
    smi_mem_free(s);
}

/* One parameter of one run. */
struct cell {
    const char *key, *value; /* value: value_text */
    const struct smi_param *p;
    int side;
    size_t run;
};

/* The parameters of a run as texts: that can match; the same without repeats; of these, those of which runs
 * on both sides have a value, with repeats, and without. */
enum { FULL, REST, COMMON, CONFIG, TEXTS };

/* One run of a side. */
struct one {
    const char *name;
    size_t at;
    struct smi_buf made[TEXTS];
    const char *text[TEXTS];
    bool param, repeat; /* it has such a parameter; one of a repeat */
    bool taken;
};

struct maker {
    struct smi_pairs *p;
    const struct smi_sweep *s[2];
    struct one *of[2];
    const char *more;
    bool strict; /* a run is compared with none that has another seed */
};

/* A bare number as JSON in its shortest form ("1e-3" and "0.001" are one), other texts as they are. */
static const char *value_text(struct smi_arena *a, const struct smi_param *p)
{
    char t[SMI_JSON_DIGITS];
    size_t n = 0;
    json_t *v = NULL;
    if (p->bare && smi_text_is_number(smi_text_of(p->text)))
        v = json_loads(p->text, JSON_DECODE_ANY, NULL);
    if (v)
        n = smi_json_digits(v, t);
    if (n > 2 && memcmp(t + n - 2, ".0", 2) == 0)
        n -= 2;
    json_decref(v);
    return smi_arena_text(a, v ? t : p->text, v ? n : strlen(p->text));
}

/* --- parameters --- */

static bool is_repeat(const struct maker *m, const char *key)
{
    const char *list = m->more;
    struct smi_text word;
    if (smi_param_is_repeat(key))
        return true;
    while (smi_text_next_item(&list, &word))
        if (smi_text_is(word, key))
            return true;
    return false;
}

static int compare_cell_key(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;
    int d = smi_text_compare_natural(a->key, b->key);
    if (!d)
        d = a->p->bare != b->p->bare ? a->p->bare - b->p->bare : strcmp(a->value, b->value);
    if (!d)
        d = a->side - b->side;
    return d ? d : (a->run > b->run) - (a->run < b->run);
}

/* All cells of both sides, by key, value and side. */
static struct cell *collect_params(struct maker *m, size_t *n)
{
    size_t all = 0;
    struct cell *cell;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->s[k]->n; i++)
            all += m->s[k]->runs[i].nparams;
    cell = smi_mem_new(all + 1, sizeof *cell);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->s[k]->n; i++)
            for (size_t j = 0; j < m->s[k]->runs[i].nparams; j++) {
                const struct smi_param *p = &m->s[k]->runs[i].params[j];
                cell[(*n)++] = (struct cell){p->key, value_text(&m->p->arena, p), p, k, i};
            }
    smi_sort(cell, *n, sizeof *cell, compare_cell_key);
    return cell;
}

static bool same_value(const struct cell *a, const struct cell *b)
{
    return a->p->bare == b->p->bare && strcmp(a->value, b->value) == 0;
}

/* Has any value of the key runs on both sides? */
static bool is_param_shared(const struct cell *c, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (c[i].side != c[i - 1].side && same_value(&c[i], &c[i - 1]))
            return true;
    return false;
}

/* Has it one value in all runs of each side that has it? Then it says what the side is. */
static bool is_of_side(const struct maker *m, const struct cell *c, size_t n)
{
    const struct cell *first[2] = {NULL, NULL};
    size_t count[2] = {0, 0};
    for (size_t i = 0; i < n; i++) {
        int k = c[i].side;
        if (first[k] && !same_value(first[k], &c[i]))
            return false;
        first[k] = &c[i];
        count[k]++;
    }
    for (int k = 0; k < 2; k++)
        if (count[k] && count[k] != m->s[k]->n)
            return false;
    return true;
}

static void add_key(struct maker *m, const struct cell *c, size_t n)
{
    bool shared = is_param_shared(c, n), repeat = is_repeat(m, c->key),
         of_side = !shared && is_of_side(m, c, n);
    bool matches = shared || (repeat ? m->strict : !of_side);
    if (repeat)
        m->p->repeat[m->p->repeats++] = c->key;
    else if (of_side && c->side != c[n - 1].side) /* both have it; the cells stand in either order */
        m->p->differs[m->p->ndiffers++] =
            c->side ? (struct smi_param_difference){c->key, c[n - 1].p->text, c->p->text}
                    : (struct smi_param_difference){c->key, c->p->text, c[n - 1].p->text};
    for (size_t i = 0; i < n; i++) {
        struct one *one = &m->of[c[i].side][c[i].run];
        one->repeat |= repeat;
        one->param |= repeat || matches;
        const bool in[TEXTS] = {matches, matches && !repeat, shared, shared && !repeat};
        for (int k = 0; k < TEXTS; k++)
            if (in[k]) /* with their lengths, so that no text can be read in two ways */
                smi_buf_fmt(&one->made[k], "%zu %s %d %zu %s ", strlen(c->key), c->key, c[i].p->bare,
                            strlen(c[i].value), c[i].value);
    }
}

static void read_params(struct maker *m)
{
    size_t n = 0, keys = 0;
    struct cell *cell = collect_params(m, &n);
    for (size_t i = 0; i < n; i++)
        keys += i == 0 || strcmp(cell[i].key, cell[i - 1].key) != 0;
    m->p->repeat = smi_arena_new(&m->p->arena, keys + 1, sizeof *m->p->repeat);
    m->p->differs = smi_arena_new(&m->p->arena, keys + 1, sizeof *m->p->differs);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(cell[end].key, cell[i].key) == 0; end++)
            ;
        add_key(m, &cell[i], end - i);
    }
    smi_mem_free(cell);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->s[k]->n; i++)
            for (int t = 0; t < TEXTS; t++)
                m->of[k][i].text[t] = smi_buf_keep(&m->of[k][i].made[t], &m->p->arena);
}

/* --- matching --- */

static void add_pair(struct maker *m, struct one *a, struct one *b, enum smi_pair_by by)
{
    m->p->of[m->p->n++] = (struct smi_pair){.a = a->at, .b = b->at, .by = by};
    m->p->by[by]++;
    a->taken = b->taken = true;
}

static const char *match_text_of(const struct one *x, enum smi_pair_by by)
{
    return by == SMI_PAIR_NAME ? x->name : x->text[by == SMI_PAIR_PARAMS ? FULL : REST];
}

static bool can_match(const struct one *x, enum smi_pair_by by)
{
    return !x->taken && (by == SMI_PAIR_NAME || x->param);
}

/* Those that can be matched first; then by text, then in the sweep's own order. */
static int compare_match_text(const void *x, const void *y, void *self)
{
    const struct one *a = *(struct one *const *)x, *b = *(struct one *const *)y;
    const enum smi_pair_by by = *(const enum smi_pair_by *)self;
    int d = can_match(b, by) - can_match(a, by);
    if (!d && can_match(a, by))
        d = strcmp(match_text_of(a, by), match_text_of(b, by));
    return d ? d : (a->at > b->at) - (a->at < b->at);
}

/* Walks through both sides in the order of the text, and pairs those that have the same. */
static void match_by(struct maker *m, struct one **list[2], enum smi_pair_by by)
{
    size_t i = 0, j = 0, n = m->s[0]->n, k = m->s[1]->n;
    int d;
    for (int side = 0; side < 2; side++)
        if (m->s[side]->n)
            qsort_r(list[side], m->s[side]->n, sizeof *list[side], compare_match_text, &by);
    while (i < n && j < k) {
        struct one *a = list[0][i], *b = list[1][j];
        if (!can_match(a, by) || !can_match(b, by))
            return; /* the free ones come first */
        d = strcmp(match_text_of(a, by), match_text_of(b, by));
        if (d == 0 && !(m->strict && by == SMI_PAIR_NAME && strcmp(a->text[COMMON], b->text[COMMON]) != 0))
            add_pair(m, a, b, by);
        i += d <= 0;
        j += d >= 0;
    }
}

/* Pairs the runs, and lists those that stay alone. */
static void match_all(struct maker *m)
{
    struct one **list[2];
    for (int k = 0; k < 2; k++) {
        list[k] = smi_mem_new(m->s[k]->n + 1, sizeof *list[k]);
        for (size_t i = 0; i < m->s[k]->n; i++)
            list[k][i] = &m->of[k][i];
    }
    if (m->s[0]->n == 1 && m->s[1]->n == 1)
        add_pair(m, m->of[0], m->of[1], SMI_PAIR_ALONE);
    for (int by = SMI_PAIR_NAME; by <= (m->strict ? SMI_PAIR_PARAMS : SMI_PAIR_REPEAT); by++)
        match_by(m, list, (enum smi_pair_by)by);
    for (int k = 0; k < 2; k++) {
        m->p->only[k] = smi_arena_new(&m->p->arena, m->s[k]->n + 1, sizeof *m->p->only[k]);
        for (size_t i = 0; i < m->s[k]->n; i++)
            if (!m->of[k][i].taken)
                m->p->only[k][m->p->nonly[k]++] = i;
        smi_mem_free(list[k]);
    }
}

/* --- configurations --- */

/* A pair by what makes it a repeat of others. */
struct keyed {
    struct smi_pair pair;
    const char *config; /* what its repeats have in common, on both sides */
    bool param;         /* both have parameters: else it is alone */
};

static int by_config(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    int d = strcmp(a->config, b->config);
    return d ? d : (a->pair.a > b->pair.a) - (a->pair.a < b->pair.a);
}

/* What the repeats of a run have in common. */
static void add_config_text(const struct one *x, struct smi_buf *b)
{
    smi_buf_str(b, x->text[CONFIG]);
    for (const char *p = x->repeat ? "" : x->name; *p;
         p++) /* no parameter says it: the name but for digits */
        if (*p < '0' || *p > '9')
            smi_buf_char(b, *p);
    smi_buf_char(b, '\n');
}

static void number_configs(struct maker *m)
{
    struct smi_pairs *p = m->p;
    struct keyed *k = smi_mem_new(p->n + 1, sizeof *k);
    size_t size = 0;
    for (size_t i = 0; i < p->n; i++)
        p->mixed += p->of[i].by == SMI_PAIR_NAME &&
                    strcmp(m->of[0][p->of[i].a].text[CONFIG], m->of[1][p->of[i].b].text[CONFIG]) != 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct one *of[] = {&m->of[0][p->of[i].a], &m->of[1][p->of[i].b]};
        struct smi_buf b = {0};
        add_config_text(of[0], &b);
        add_config_text(of[1], &b);
        k[i] = (struct keyed){p->of[i], smi_buf_keep(&b, &p->arena), of[0]->param && of[1]->param};
    }
    smi_sort(k, p->n, sizeof *k, by_config);
    for (size_t i = 0; i < p->n; i++) {
        bool more = i && k[i].param && k[i - 1].param && strcmp(k[i].config, k[i - 1].config) == 0;
        p->configs += !more;
        size = more ? size + 1 : 1;
        p->of[i] = k[i].pair;
        p->of[i].config = p->configs - 1;
        p->most = size > p->most ? size : p->most;
    }
    p->least = p->most;
    for (size_t i = 0; i < p->n; i += size) {
        for (size = 1; i + size < p->n && p->of[i + size].config == p->of[i].config; size++)
            ;
        p->least = size < p->least ? size : p->least;
    }
    smi_mem_free(k);
}

/* --- all of it --- */

/* Idle times by two limits cannot be compared. */
static int check_idle_limits(const struct smi_pairs *p, const struct smi_sweep *a, const struct smi_sweep *b,
                             struct smi_err *err)
{
    for (size_t i = 0; i < p->n; i++) {
        int64_t x = a->runs[p->of[i].a].idle_below, y = b->runs[p->of[i].b].idle_below;
        if (x >= 0 && y >= 0 && x != y)
            return smi_err_set(err, SMI_EUSAGE,
                               "%.80s: a GPU is idle at %g %% or below, in %.80s at %g %%: "
                               "read both with the same --idle-below",
                               a->title, (double)x / 1e6, b->title, (double)y / 1e6);
    }
    return 0;
}

int smi_pairs_make(struct smi_pairs *p, const struct smi_sweep *a, const struct smi_sweep *b,
                   const char *more, bool strict, struct smi_err *err)
{
    struct maker m = {.p = p, .s = {a, b}, .more = more, .strict = strict};
    p->of = smi_arena_new(&p->arena, (a->n < b->n ? a->n : b->n) + 1, sizeof *p->of);
    for (int k = 0; k < 2; k++) {
        m.of[k] = smi_arena_new(&p->arena, m.s[k]->n + 1, sizeof *m.of[k]);
        for (size_t i = 0; i < m.s[k]->n; i++)
            m.of[k][i] = (struct one){.name = m.s[k]->runs[i].run, .at = i};
    }
    read_params(&m);
    match_all(&m);
    number_configs(&m);
    return check_idle_limits(p, a, b, err);
}

void smi_pairs_fini(struct smi_pairs *p)
{
    smi_arena_fini(&p->arena);
    *p = (struct smi_pairs){0};
}

const char *const smi_change_names[] = {"real", "alike", "few", "unknown", "noise", "same"};

enum { FAR_BITS = 46 /* squares of what is nearer can be added up exactly */ };

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
    struct smi_field_values row[2]; /* room */
    struct smi_value *value[2];     /* columns * pairs */
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

static bool is_column_listed(const char *list, const char *name)
{
    struct smi_text word;
    if (!list)
        return true;
    while (smi_text_next_item(&list, &word))
        if (is_column_name(word, name))
            return true;
    return false;
}

static void list_columns(struct differ *f, const char *list)
{
    const struct smi_sweep *a = f->d->a, *b = f->d->b;
    f->column = smi_arena_new(&f->d->arena, SMI_RUN_FIELDS + a->njoined + 1, sizeof *f->column);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        const struct smi_field_info *c = &smi_run_fields[i];
        if (!list &&
            i == SMI_RUN_FIELD_GPU_UTIL_TIME_MEAN) /* the mean of the readings, which check judges, says it */
            continue;
        if ((c->kind == SMI_DATUM_INT || c->kind == SMI_DATUM_MICRO) && is_column_listed(list, c->key))
            f->column[f->columns++] =
                (struct column){c->key, c->words ? c->words : c->key, c->unit, i, {0, 0}};
    }
    for (size_t i = 0; i < a->njoined; i++)
        for (size_t k = 0; k < b->njoined; k++)
            if (strcmp(a->joined[i], b->joined[k]) == 0 && is_column_listed(list, a->joined[i]))
                f->column[f->columns++] = (struct column){a->joined[i], a->joined[i], "", -1, {i, k}};
}

/* Every word of the list is a column. */
static int check_listed_columns(const struct differ *f, const char *list, struct smi_err *err)
{
    struct smi_text word;
    while (list && *list && smi_text_next_item(&list, &word)) {
        size_t i = 0;
        while (i < f->columns && !is_column_name(word, f->column[i].name))
            i++;
        if (i == f->columns)
            return smi_query_no_number(word, false, err);
    }
    return 0;
}

/* --- values --- */

/* Of a column that was joined. */
static struct smi_value value_of_joined(struct differ *f, const struct smi_param *p)
{
    struct smi_value x = {0};
    const char *t = p->text && p->bare ? value_text(&f->d->arena, p) : NULL;
    x.has = t && smi_text_is_number(smi_text_of(t)) && smi_text_parse_micro(smi_text_of(t), &x.micro) == 0;
    return x;
}

/* The values of the run of pair i on one side. */
static void read_run_values(struct differ *f, int side, size_t i, const struct smi_summary *s)
{
    size_t pairs = f->d->pairs->n;
    smi_run_values_fill(&f->row[side], s);
    for (size_t k = 0; k < f->columns; k++) {
        const struct column *c = &f->column[k];
        const struct smi_datum *v = c->run_column < 0 ? NULL : &f->row[side].v[c->run_column];
        const bool whole = v && v->kind == SMI_DATUM_INT;
        f->value[side][k * pairs + i] = whole ? smi_value_wide((smi_i128)v->n * 1000000)
                                        : v   ? (struct smi_value){v->n, v->kind == SMI_DATUM_MICRO}
                                              : value_of_joined(f, &s->joined[c->joined[side]]);
    }
}

static void read_values(struct differ *f)
{
    const struct smi_pairs *p = f->d->pairs;
    for (int k = 0; k < 2; k++)
        f->value[k] = smi_mem_new(f->columns * p->n + 1, sizeof *f->value[k]);
    for (size_t i = 0; i < p->n; i++) {
        read_run_values(f, 0, i, &f->d->a->runs[p->of[i].a]);
        read_run_values(f, 1, i, &f->d->b->runs[p->of[i].b]);
    }
    smi_field_values_fini(&f->row[0]);
    smi_field_values_fini(&f->row[1]);
}

/* --- sums --- */

/* Sum of squared distances from the mean of n values; those of pairs without a value on both sides take no
 * part. */
static double squares_of(const struct smi_value *x, const struct smi_value *other, size_t n)
{
    smi_i128 sum = 0, squares = 0, far;
    const smi_i128 most = (smi_i128)1 << FAR_BITS;
    double mean = 0, rough = 0, step;
    size_t m = 0;
    const struct smi_value *first = NULL;
    bool exact = true;
    for (size_t i = 0; i < n; i++) {
        if (!x[i].has || !other[i].has)
            continue;
        first = first ? first : &x[i];
        far = (smi_i128)x[i].micro - first->micro;
        exact &= far < most && far > -most;
        sum += far;
        squares += exact ? far * far : 0;
        m++;
        step = (double)far - mean; /* Welford's way, for the few that are too far apart */
        mean += step / (double)m;
        rough += step * ((double)far - mean);
    }
    exact &= m < (size_t)1 << 16;
    return !m ? 0 : exact ? (double)((smi_i128)m * squares - sum * sum) / (double)m : rough;
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

static void sum_column(struct differ *f, size_t column)
{
    const struct smi_pairs *p = f->d->pairs;
    const struct smi_value *a = &f->value[0][column * p->n], *b = &f->value[1][column * p->n];
    f->tally[column].chance = 1;
    smi_signed_rank_test(&f->tally[column].pairs, a, b, p->n);
    for (size_t i = 0, n; i < p->n; i += n) {
        for (n = 1; i + n < p->n && p->of[i + n].config == p->of[i].config; n++)
            ;
        add_config(&f->tally[column], &a[i], &b[i], n);
    }
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
                             .behind = c->run_column >= 0 && smi_run_fields[c->run_column].mean
                                           ? smi_run_fields[smi_run_fields[c->run_column].mean].key
                                           : NULL,
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

/* A maximum stands behind the mean of its metric, if both are of one kind. */
static void put_means_first(struct smi_diff *d)
{
    for (size_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < d->n; k++) {
            struct smi_change *max = &d->of[i], *mean = &d->of[k];
            if (max->behind && mean->name == max->behind && mean->kind == max->kind &&
                max->rank >= mean->rank)
                max->rank = nextafter(mean->rank, -1);
        }
}

static int compare_change_order(const void *p, const void *q)
{
    const struct smi_change *a = p, *b = q;
    int64_t x = a->pct.micro < 0 ? -a->pct.micro : a->pct.micro,
            y = b->pct.micro < 0 ? -b->pct.micro : b->pct.micro;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void add_absent_column(struct differ *f, size_t column)
{
    const struct column *c = &f->column[column];
    const size_t n = f->d->pairs->n;
    struct smi_absent_column *e = &f->d->empty[f->d->absent++];
    e->name = c->name;
    e->price = c->run_column < 0 ? SMI_PRICE_NONE : smi_run_fields[c->run_column].price;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < n; i++)
            e->has[k] |= f->value[k][column * n + i].has;
}

static void judge_changes(struct differ *f)
{
    f->tally = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->tally);
    f->d->of = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->d->of);
    f->d->empty = smi_arena_new(&f->d->arena, f->columns + 1, sizeof *f->d->empty);
    for (size_t i = 0; i < f->columns; i++)
        sum_column(f, i);
    f->d->tested = count_tests(f);
    for (size_t i = 0; i < f->columns; i++)
        if (f->tally[i].n)
            judge_change(f->d, &f->column[i], &f->tally[i]);
        else
            add_absent_column(f, i);
    put_means_first(f->d);
    smi_sort(f->d->of, f->d->n, sizeof *f->d->of, compare_change_order);
}

int smi_diff_make(struct smi_diff *d, const struct smi_sweep *a, const struct smi_sweep *b,
                  const struct smi_pairs *p, const char *columns, struct smi_err *err)
{
    struct differ f = {.d = d};
    d->a = a;
    d->b = b;
    d->pairs = p;
    list_columns(&f, columns);
    if (check_listed_columns(&f, columns, err))
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
