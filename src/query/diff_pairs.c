#include "query/diff_pairs.h"

#include "base/json_load.h"
#include "summary/run_params.h"

#include <stdlib.h>
#include <string.h>

/* One parameter of one run. */
struct cell {
    const char *key, *value; /* value: smi_param_value */
    const struct smi_param *p;
    int side;
    size_t run;
};

/* One run of a side. */
struct one {
    const char *name;
    size_t at;
    const char *full, *rest; /* the parameters that can match; the same without repeats */
    const char *common;      /* of these, those of which runs on both sides have a value, with repeats */
    const char *config;      /* what its repeats have in common: of these, the ones that both sides have */
    bool param, repeat;      /* it has such a parameter; one of a repeat */
    bool taken;
};

struct maker {
    struct smi_pairs *p;
    const struct smi_sweep *s[2];
    struct one *of[2];
    const char *more;
    bool strict; /* a run is compared with none that has another seed */
    bool failed;
};

const char *smi_param_value(struct smi_arena *a, const struct smi_param *p)
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

/* All cells of both sides, by key, value and side. NULL without memory. */
static struct cell *collect_params(struct maker *m, size_t *n)
{
    size_t all = 0;
    struct cell *cell;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->s[k]->n; i++)
            all += m->s[k]->runs[i].nparams;
    cell = smi_mem_new(all + 1, sizeof *cell);
    for (int k = 0; k < 2 && cell; k++)
        for (size_t i = 0; i < m->s[k]->n; i++)
            for (size_t j = 0; j < m->s[k]->runs[i].nparams; j++) {
                const struct smi_param *p = &m->s[k]->runs[i].params[j];
                const char *value = smi_param_value(&m->p->arena, p);
                m->failed |= !value;
                cell[(*n)++] = (struct cell){p->key, value ? value : "", p, k, i};
            }
    if (cell && *n)
        qsort(cell, *n, sizeof *cell, compare_cell_key);
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

static void add_difference(struct maker *m, const struct cell *c, size_t n)
{
    if (c->side != c[n - 1].side) /* both sides have it; the cells may stand in either order */
        m->p->differs[m->p->ndiffers++] =
            c->side ? (struct smi_param_difference){c->key, c[n - 1].p->text, c->p->text}
                    : (struct smi_param_difference){c->key, c->p->text, c[n - 1].p->text};
}

/* The texts of the runs, made key by key. */
struct texts {
    struct smi_buf *full[2], *rest[2], *common[2], *config[2];
};

/* With their lengths, so that no text can be read in two ways. */
static void add_param(struct smi_buf *b, const struct cell *c)
{
    smi_buf_fmt(b, "%zu %s %d %zu %s ", strlen(c->key), c->key, c->p->bare, strlen(c->value), c->value);
}

static void add_key(struct maker *m, struct texts *t, const struct cell *c, size_t n)
{
    bool shared = is_param_shared(c, n), repeat = is_repeat(m, c->key),
         of_side = !shared && is_of_side(m, c, n);
    bool matches = shared || (repeat ? m->strict : !of_side);
    if (repeat)
        m->p->repeat[m->p->repeats++] = c->key;
    else if (of_side)
        add_difference(m, c, n);
    for (size_t i = 0; i < n; i++) {
        struct one *one = &m->of[c[i].side][c[i].run];
        one->repeat |= repeat;
        one->param |= repeat || matches;
        if (matches)
            add_param(&t->full[c[i].side][c[i].run], &c[i]);
        if (matches && !repeat)
            add_param(&t->rest[c[i].side][c[i].run], &c[i]);
        if (shared)
            add_param(&t->common[c[i].side][c[i].run], &c[i]);
        if (shared && !repeat)
            add_param(&t->config[c[i].side][c[i].run], &c[i]);
    }
}

/* Without a parameter that says it, a repeat has the name of another but for digits. */
static void add_name_without_digits(struct smi_buf *b, const char *name)
{
    smi_buf_str(b, "name ");
    for (; *name; name++)
        if (*name < '0' || *name > '9')
            smi_buf_char(b, *name);
}

static const char *keep_buffer_text(struct maker *m, struct smi_buf *b)
{
    const char *t = smi_buf_keep(b, &m->p->arena);
    m->failed |= !t;
    return t ? t : "";
}

static void keep_texts(struct maker *m, struct texts *t)
{
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->s[k]->n; i++) {
            m->of[k][i].full = keep_buffer_text(m, &t->full[k][i]);
            m->of[k][i].rest = keep_buffer_text(m, &t->rest[k][i]);
            m->of[k][i].common = keep_buffer_text(m, &t->common[k][i]);
            m->of[k][i].config = keep_buffer_text(m, &t->config[k][i]);
        }
}

static void read_params(struct maker *m, struct texts *t)
{
    size_t n = 0, keys = 0;
    struct cell *cell = collect_params(m, &n);
    for (size_t i = 0; cell && i < n; i++)
        keys += i == 0 || strcmp(cell[i].key, cell[i - 1].key) != 0;
    m->p->repeat = smi_arena_new(&m->p->arena, keys + 1, sizeof *m->p->repeat);
    m->p->differs = smi_arena_new(&m->p->arena, keys + 1, sizeof *m->p->differs);
    m->failed |= !cell || !m->p->repeat || !m->p->differs;
    for (size_t i = 0, end; !m->failed && i < n; i = end) {
        for (end = i + 1; end < n && strcmp(cell[end].key, cell[i].key) == 0; end++)
            ;
        add_key(m, t, &cell[i], end - i);
    }
    smi_mem_free(cell);
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
    return by == SMI_PAIR_NAME ? x->name : by == SMI_PAIR_PARAMS ? x->full : x->rest;
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
        if (d == 0 && !(m->strict && by == SMI_PAIR_NAME && strcmp(a->common, b->common) != 0))
            add_pair(m, a, b, by);
        i += d <= 0;
        j += d >= 0;
    }
}

static void match_all(struct maker *m)
{
    struct one **list[2];
    for (int k = 0; k < 2; k++) {
        list[k] = smi_mem_new(m->s[k]->n + 1, sizeof *list[k]);
        m->failed |= !list[k];
        for (size_t i = 0; list[k] && i < m->s[k]->n; i++)
            list[k][i] = &m->of[k][i];
    }
    if (!m->failed && m->s[0]->n == 1 && m->s[1]->n == 1)
        add_pair(m, m->of[0], m->of[1], SMI_PAIR_ALONE);
    for (int by = SMI_PAIR_NAME; !m->failed && by <= (m->strict ? SMI_PAIR_PARAMS : SMI_PAIR_REPEAT); by++)
        match_by(m, list, (enum smi_pair_by)by);
    smi_mem_free(list[0]);
    smi_mem_free(list[1]);
}

static void list_others(struct maker *m)
{
    for (int k = 0; k < 2; k++) {
        m->p->only[k] = smi_arena_new(&m->p->arena, m->s[k]->n + 1, sizeof *m->p->only[k]);
        m->failed |= !m->p->only[k];
        for (size_t i = 0; m->p->only[k] && i < m->s[k]->n; i++)
            if (!m->of[k][i].taken)
                m->p->only[k][m->p->nonly[k]++] = i;
    }
}

/* --- configurations --- */

/* A pair by what makes it a repeat of others. */
struct keyed {
    struct smi_pair pair;
    const char *a, *b;
    bool param; /* both have parameters: else it is alone */
};

static int by_config(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;
    int d = strcmp(a->a, b->a);
    if (!d)
        d = strcmp(a->b, b->b);
    return d ? d : (a->pair.a > b->pair.a) - (a->pair.a < b->pair.a);
}

/* What the repeats of a run have in common. */
static const char *config_of(struct maker *m, int side, size_t at)
{
    const struct one *x = &m->of[side][at];
    struct smi_buf b = {0};
    smi_buf_str(&b, x->config);
    if (!x->repeat)
        add_name_without_digits(&b, x->name);
    return keep_buffer_text(m, &b);
}

static void number_configs(struct maker *m)
{
    struct smi_pairs *p = m->p;
    struct keyed *k = smi_mem_new(p->n + 1, sizeof *k);
    size_t size = 0;
    m->failed |= !k;
    for (size_t i = 0; i < p->n; i++)
        p->mixed += p->of[i].by == SMI_PAIR_NAME &&
                    strcmp(m->of[0][p->of[i].a].config, m->of[1][p->of[i].b].config) != 0;
    for (size_t i = 0; k && i < p->n; i++)
        k[i] = (struct keyed){p->of[i], config_of(m, 0, p->of[i].a), config_of(m, 1, p->of[i].b),
                              m->of[0][p->of[i].a].param && m->of[1][p->of[i].b].param};
    if (k && p->n)
        qsort(k, p->n, sizeof *k, by_config);
    for (size_t i = 0; k && i < p->n; i++) {
        bool more =
            i && k[i].param && k[i - 1].param && !strcmp(k[i].a, k[i - 1].a) && !strcmp(k[i].b, k[i - 1].b);
        p->configs += !more;
        size = more ? size + 1 : 1;
        p->of[i] = k[i].pair;
        p->of[i].config = p->configs - 1;
        p->most = size > p->most ? size : p->most;
    }
    p->least = p->most;
    for (size_t i = 0; k && i < p->n; i += size) {
        for (size = 1; i + size < p->n && p->of[i + size].config == p->of[i].config; size++)
            ;
        p->least = size < p->least ? size : p->least;
    }
    smi_mem_free(k);
}

/* --- all of it --- */

static bool allocate_texts(struct maker *m, struct texts *t)
{
    size_t least = m->s[0]->n < m->s[1]->n ? m->s[0]->n : m->s[1]->n;
    m->p->of = smi_arena_new(&m->p->arena, least + 1, sizeof *m->p->of);
    for (int k = 0; k < 2; k++) {
        struct smi_buf **text[] = {&t->full[k], &t->rest[k], &t->common[k], &t->config[k]};
        m->of[k] = smi_arena_new(&m->p->arena, m->s[k]->n + 1, sizeof *m->of[k]);
        for (int i = 0; i < 4; i++)
            if (!(*text[i] = smi_arena_new(&m->p->arena, m->s[k]->n + 1, sizeof **text[i])))
                return false;
        for (size_t i = 0; m->of[k] && i < m->s[k]->n; i++)
            m->of[k][i] = (struct one){.name = m->s[k]->runs[i].run, .at = i};
    }
    return m->p->of && m->of[0] && m->of[1];
}

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
    struct texts t = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    if (!allocate_texts(&m, &t))
        return smi_err_nomem(err);
    read_params(&m, &t);
    keep_texts(&m, &t);
    if (!m.failed)
        match_all(&m);
    if (!m.failed) {
        list_others(&m);
        number_configs(&m);
    }
    return m.failed ? smi_err_nomem(err) : check_idle_limits(p, a, b, err);
}

void smi_pairs_fini(struct smi_pairs *p)
{
    smi_arena_fini(&p->arena);
    *p = (struct smi_pairs){0};
}
