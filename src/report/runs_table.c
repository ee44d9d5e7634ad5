/* runs_table.c - the table of runs: a row each, of which columns leave when a window is narrow. */
#include "report/text_report.h"
#include "sweep/sweep.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct smi_summary, member)

/* GPU time that SMI_AS_HOURS shows, beside the causes of waste. */
enum { ALL_WASTE = 5, COVERED, UNKNOWN };

#define SMI_RUN_COLUMN(id, as, ...) [SMI_RUNS_##id] = {SMI_AS_##as, __VA_ARGS__},
const struct smi_run_table_column smi_run_table_columns[SMI_RUNS_COLUMNS] = {
#include "report/run_column.def"
};
#undef SMI_RUN_COLUMN

struct smi_value smi_run_cell_value(int id, const struct smi_summary *s)
{
    struct smi_value v;
    if (id == SMI_RUNS_SLOWED)
        return smi_most_throttled(s);
    if (id == SMI_RUNS_UTIL)
        return smi_headline_use(&s->block);
    memcpy(&v, (const char *)s + smi_run_table_columns[id].at, sizeof v);
    return v;
}

int64_t smi_run_cell_ms(int id, const struct smi_summary *s)
{
    size_t part = smi_run_table_columns[id].at;
    if (smi_run_table_columns[id].kind == SMI_AS_SPAN)
        return s->duration_s.has ? s->duration_s.micro / 1000 : -1;
    if (part > ALL_WASTE)
        return !s->gpu_hours.has ? -1 : part == COVERED ? s->covered_ms : s->waste.ms[SMI_WASTE_UNKNOWN];
    if (!smi_waste_known(s->wasted_h[5], s->idle_pct, &s->waste))
        return -1;
    return part == ALL_WASTE ? smi_wasted_ms(&s->waste) : s->waste.ms[(int)part];
}

/* When a run started, with its zone where other runs have none; field: without a blank, always with its zone.
 * Runs with a zone are shown in that of g->offset_s, which the head names. */
static const char *run_start(struct smi_text_arena *g, const struct smi_summary *s, bool field)
{
    struct smi_summary span;
    char zone[SMI_CLOCK_TEXT] = "";
    int64_t ms = s->start_ms;
    if (!s->has_start)
        return "-";
    if (!g->clocks) {
        g->clocks = smi_runs_time_span(&span, g->sweep->runs, g->sweep->n) ? 2 : 1;
        g->offset_s = span.offset_s;
    }
    ms += s->zoned ? (int64_t)1000 * (g->offset_s - s->offset_s) : 0;
    if ((g->clocks != 1 || field) && s->zoned)
        smi_clock_write_zone(zone, g->offset_s);
    if (field)
        return smi_fmt(g, "%s%s", smi_fmt_timestamp(g, s, ms, 0, 19), zone);
    return smi_fmt(g, "%s %s%s%s", smi_fmt_timestamp(g, s, ms, 0, 10), smi_fmt_timestamp(g, s, ms, 11, 8),
                   *zone ? " " : "", g->clocks == 1 || s->zoned ? zone : " local");
}

const char *smi_run_cell_text(struct smi_text_arena *g, int id, const struct smi_summary *s)
{
    static const char *const state[] = {"ok", "FAILED", "cut", "-", "no-data"};
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const char *text;
    struct smi_value v;
    int64_t ms;
    switch (c->kind) {
    case SMI_AS_VALUE:
        text = smi_fmt_value(g, smi_run_cell_value(id, s), c->digits);
        return id == SMI_RUNS_ENERGY && s->energy_part && s->energy_wh.has ? smi_fmt(g, ">%s", text) : text;
    case SMI_AS_GIB:
        v = smi_run_cell_value(id, s);
        return v.has ? smi_fmt_ratio(g, v.micro, (smi_i128)1024 * 1000000, c->digits) : "-";
    case SMI_AS_HEADLINE:
        return smi_fmt_mean(g, &s->block, (int)c->at);
    case SMI_AS_HOURS:
        ms = smi_run_cell_ms(id, s);
        return ms < 0 ? "-" : smi_fmt_hours(g, ms);
    case SMI_AS_SPAN:
        return smi_fmt_duration(g, s->duration_s);
    case SMI_AS_COUNT:
        return smi_fmt_some(g, (int64_t)smi_run_gpus(s, NULL));
    case SMI_AS_INSTANT:
        return run_start(g, s, false);
    default:
        return id == SMI_RUNS_STATE  ? state[s->state]
               : id == SMI_RUNS_HOST ? smi_fmt_safe(g, s->hostname)
                                     : smi_fmt_brief(g, smi_run_note_text(g, s));
    }
}

const char *smi_run_facts(struct smi_text_arena *g, const struct smi_summary *s)
{
    static const int column[] = {SMI_RUNS_TIME, SMI_RUNS_UTIL, SMI_RUNS_IDLE, SMI_RUNS_ENERGY,
                                 SMI_RUNS_WASTED};
    const char *t = smi_run_cell_text(g, SMI_RUNS_STATE, s);
    t = strcmp(t, "-") == 0 ? "" : t;
    for (size_t i = 0; i < sizeof column / sizeof *column; i++) {
        const char *cell = smi_run_cell_text(g, column[i], s);
        if (strcmp(cell, "-") != 0)
            t = smi_fmt(g, "%s%s%s %s", t, *t ? " \u00b7 " : "", smi_run_table_columns[column[i]].head, cell);
    }
    return t;
}

/* The sweep as if it were one run, so that a total is said in the words of its rows. */
static void total_as_run(struct smi_summary *all, const struct smi_sweep *s)
{
    const struct smi_total *t = &s->total;
    *all = (struct smi_summary){.duration_s = t->duration_s,
                                .block = t->block,
                                .idle_pct = t->idle_pct,
                                .energy_wh = t->energy_wh,
                                .energy_part =
                                    t->of.energy_part || smi_total_missing(t, t->of.energy) ? "" : NULL,
                                .waste = t->waste,
                                .cost = t->cost,
                                .wasted_cost[5] = t->wasted_cost[5],
                                .wasted_h[5] = t->wasted_h[5]};
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        struct smi_value vram = s->runs[i].vram.used_peak_mb, temp = s->runs[i].temp_max;
        if (vram.has && vram.micro >= all->vram.used_peak_mb.micro)
            all->vram.used_peak_mb = vram;
        if (temp.has && temp.micro >= all->temp_max.micro)
            all->temp_max = temp;
    }
}

/* A value as a number, if it is one: 0.1, -3, 1e-4. For the order of rows only. */
static bool param_number(const char *s, double *v)
{
    char *end;
    *v = strtod(s, &end);
    return *s && !*end && !s[strspn(s, "0123456789+-.eE")];
}

static int by_order(const void *a, const void *b)
{
    const char *s = *(const char *const *)a, *t = *(const char *const *)b;
    double x, y;
    if (param_number(s, &x) && param_number(t, &y) && (x < y || x > y))
        return x < y ? -1 : 1;
    return smi_text_compare_natural(s, t);
}

size_t smi_param_values(struct smi_text_arena *g, const char *key, const char ***out, size_t *having)
{
    const struct smi_sweep *s = g->sweep;
    const char **text = smi_arena_new(&g->arena, s->n + 1, sizeof *text);
    size_t n = 0, kept = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p = smi_run_param(&s->runs[i], key);
        if (p && p->text)
            text[n++] = p->text;
    }
    qsort(text, n, sizeof *text, by_order);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(text[kept - 1], text[i]) != 0)
            text[kept++] = text[i];
    *out = text;
    *having = n;
    return kept;
}

bool smi_param_is_rare(struct smi_text_arena *g, const char *key)
{
    const char **value;
    size_t having, n = smi_param_values(g, key, &value, &having);
    return having * 2 < g->sweep->n || n < 2;
}

enum { GROUP_VALUES = 200 /* of a parameter that groups runs, at most */ };

/* The place of a column in --group-by, from 0; -1: it is not asked for. */
static int group_by_place(const struct smi_render_options *look, const char *key)
{
    const char *by = look->group_by;
    size_t n = strlen(key);
    for (int place = 0; by; place++) {
        const char *word = strncmp(by, "param.", 6) == 0 ? by + 6 : by;
        if (strncmp(word, key, n) == 0 && (!word[n] || word[n] == ','))
            return place;
        by = strchr(by, ',');
        by = by ? by + 1 : NULL;
    }
    return -1;
}

/* Has it several values among runs with data? Without, its groups compare nothing. */
static bool param_compares(const struct smi_sweep *s, const char *key)
{
    const char *first = NULL;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p =
            smi_run_has_gpu_data(&s->runs[i]) ? smi_run_param(&s->runs[i], key) : NULL;
        if (p && p->text && first && strcmp(first, p->text) != 0)
            return true;
        first = p && p->text ? p->text : first;
    }
    return false;
}

size_t smi_group_keys(struct smi_text_arena *g, bool repeats, const char ***out)
{
    /* Those in --group-by; behind them all others, those that compare nothing, repeats. */
    enum { PLACES = 50, ALIKE, REPEATS };
    const struct smi_sweep *s = g->sweep;
    const size_t all = s->nvarying + s->njoined;
    const char **name = smi_arena_new(&g->arena, 2 * all + 1, sizeof *name), **key = name + all;
    int *rank = smi_arena_new(&g->arena, all + 1, sizeof *rank);
    size_t n = 0;
    for (size_t i = 0; i < all; i++) {
        const bool result = i >= s->nvarying && i - s->nvarying < s->nresults;
        name[i] = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying];
        rank[i] = group_by_place(g->look, name[i]);
        if (rank[i] < 0 && !result)
            rank[i] = smi_param_is_repeat(name[i]) ? REPEATS : param_compares(s, name[i]) ? PLACES : ALIKE;
    }
    for (int place = 0; place <= (repeats ? REPEATS : ALIKE); place++)
        for (size_t i = 0; i < all; i++) {
            const char **value;
            size_t having, values = place == rank[i] ? smi_param_values(g, name[i], &value, &having) : 0;
            /* unasked: half of the runs have it, or more, and its values gather them, two or more to a value
             */
            if (values > 1 && values <= GROUP_VALUES &&
                (place < PLACES || (values * 2 <= having && having * 2 >= s->n)))
                key[n++] = name[i];
        }
    *out = key;
    return n;
}

void smi_run_group_add(struct smi_run_group *p, const struct smi_summary *s)
{
    static const int measure[SMI_GROUP_MEASURES] = {SMI_RUNS_UTIL, SMI_RUNS_IDLE, SMI_RUNS_TIME,
                                                    SMI_RUNS_ENERGY};
    struct smi_value vram = s->vram.used_peak_mb;
    smi_total_add(&p->sum, s, true);
    for (int i = 0; i < SMI_GROUP_MEASURES; i++) {
        struct smi_value v = smi_run_cell_value(measure[i], s);
        p->of[i].n += v.has;
        p->of[i].s1 += v.has ? v.micro : 0;
        p->of[i].s2 += v.has ? (smi_i128)v.micro * v.micro : 0;
    }
    if (!vram.has)
        return;
    if (!p->vram.has || vram.micro > p->vram.micro) {
        p->vram = vram;
        p->vram_total = s->vram.total_mb; /* one run's peak is no share of what another's GPU has */
        p->out_of_memory = false;
    }
    p->out_of_memory |= vram.micro == p->vram.micro && (smi_findings_marks(s, -1) & SMI_CELL_VRAM);
}

size_t smi_run_groups(struct smi_text_arena *g, const char *key, struct smi_run_group **out)
{
    const char **value;
    size_t having, n = smi_param_values(g, key, &value, &having);
    struct smi_run_group *group = smi_arena_new(&g->arena, n + 2, sizeof *group);
    for (size_t i = 0; i < n; i++)
        group[i] = (struct smi_run_group){.value = value[i], .name = smi_fmt_safe(g, value[i])};
    for (size_t i = 0, k; smi_sweep_has_run(g->sweep, i); i++) {
        const struct smi_param *p = smi_run_param(&g->sweep->runs[i], key);
        for (k = 0; k < n && !(p && p->text && strcmp(p->text, group[k].value) == 0); k++)
            ;
        smi_run_group_add(&group[k], &g->sweep->runs[i]);
    }
    *out = group;
    return n;
}

/* sqrt(n S2 - S1 S1) is n times the deviation. */
smi_i128 smi_run_group_deviation(const struct smi_run_group *p, int measure)
{
    smi_i128 n = p->of[measure].n, s1 = p->of[measure].s1;
    return (smi_i128)smi_u128_sqrt((smi_u128)(n * p->of[measure].s2 - s1 * s1));
}

static int by_wasted(const void *a, const void *b)
{
    const struct smi_summary *x = *(const struct smi_summary *const *)a,
                             *y = *(const struct smi_summary *const *)b;
    int64_t v = smi_wasted_ms(&x->waste), w = smi_wasted_ms(&y->waste);
    if (v != w)
        return v > w ? -1 : 1;
    return x < y ? -1 : x > y;
}

const struct smi_summary **smi_runs_in_order(struct smi_text_arena *g, struct smi_arena *arena, bool by_waste)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(arena, s->n + 1, sizeof *run);
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        run[i] = &s->runs[i];
    if (s->n && by_waste)
        qsort(run, s->n, sizeof *run, by_wasted);
    return run;
}

size_t smi_count_worst(const struct smi_summary *const *run, size_t n)
{
    enum { WORST = 10 };
    size_t some = 0;
    while (some < n && some < WORST && smi_wasted_ms(&run[some]->waste) > 0)
        some++;
    return some;
}

const char *smi_worst_title(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n)
{
    struct smi_total sum = {0};
    for (size_t i = 0; i < n; i++)
        smi_total_add(&sum, run[i], true);
    return smi_fmt(g, "The %sthat wasted most (%s of %s GPU-h)", n == 1 ? "run " : smi_fmt(g, "%zu runs ", n),
                   smi_fmt_hours(g, smi_wasted_ms(&sum.waste)),
                   smi_fmt_hours(g, smi_wasted_ms(&g->sweep->total.waste)));
}

enum { FIXED = SMI_RUNS_COLUMNS, PARAMS = 6 /* columns of them, where look->width does not hold any */ };

/* The table being made. */
struct view {
    struct smi_text_arena *g;
    struct smi_report_table *t;
    int params; /* columns of parameters, right of the first */
    const char **param;
    bool text; /* of a text, with its columns */
};

static int column_at(const struct view *v, int id)
{
    return id == SMI_RUNS_NAME ? SMI_RUNS_NAME : id + v->params;
}

static struct smi_table_cell *cell_of(const struct view *v, size_t run, int id)
{
    return &v->t->row[run + 1][column_at(v, id)];
}

static void fill_cell(const struct view *v, int id, const struct smi_summary *s, struct smi_table_cell *c)
{
    const enum smi_run_note note = smi_run_note_of(s);
    if (id == SMI_RUNS_NAME) {
        smi_table_name_run(c, s);
        return;
    }
    c->text = id == SMI_RUNS_VRAM ? smi_fmt_vram(v->g, s->vram.used_peak_mb, s->vram.total_mb)
              : id == SMI_RUNS_START && v->text && !v->g->look->width ? run_start(v->g, s, true)
                                                                      : smi_run_cell_text(v->g, id, s);
    c->words = id == SMI_RUNS_NOTE ? SMI_WORDS_MIXED : SMI_WORDS_OURS;
    if (id == SMI_RUNS_HOST) {
        c->text = s->hostname;
        c->words = SMI_WORDS_OF_LOG;
    } else if (id == SMI_RUNS_STATE) {
        c->style = s->state == SMI_STATE_FAILED ? SMI_RED
                   : s->state == SMI_STATE_OK   ? SMI_STYLE_PLAIN
                                                : SMI_GREY;
    } else if (id == SMI_RUNS_NOTE) {
        c->style = note == SMI_NOTE_FAILED || note == SMI_NOTE_ERROR ? SMI_RED
                   : note == SMI_NOTE_FINDING                        ? SMI_YELLOW
                                                                     : SMI_GREY;
    } else if (strcmp(c->text, "-") != 0 && smi_findings_marks(s, -1) & smi_run_table_columns[id].mark) {
        const bool failed = s->state == SMI_STATE_FAILED;
        c->mark = '!';
        c->style = failed && (id == SMI_RUNS_VRAM || id == SMI_RUNS_WASTED) ? SMI_RED : SMI_YELLOW;
    }
}

/* --- columns --- */

static struct smi_table_column fixed_column(struct view *v, int id)
{
    const struct smi_run_table_column *c = &smi_run_table_columns[id];
    const bool number = c->kind >= SMI_AS_VALUE && c->kind < SMI_AS_SPAN;
    const bool cost = id == SMI_RUNS_COST || id == SMI_RUNS_WASTED_COST;
    const bool there =
        v->text ? c->text.head && (!v->g->look->width || v->g->look->width >= c->from) : c->key && !c->more;
    struct smi_table_column col = c->text;
    col.head = v->text && id == SMI_RUNS_TEMP && !v->g->look->utf8 ? "C" : smi_fmt_money_head(v->g, col.head);
    col.long_head = smi_fmt_money_head(v->g, c->head);
    col.align = number && c->digits ? SMI_POINT : number || c->kind == SMI_AS_SPAN ? SMI_RIGHT : SMI_LEFT;
    col.hidden = !there || (cost && !v->g->look->money);
    return col;
}

static const char *last_part(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot && dot[1] ? dot + 1 : key;
}

/* "lr" of optimizer.lr, if no other column ends so: in text, where columns are dear. */
static const char *brief_key(const struct view *v, int place)
{
    const char *brief = v->text ? last_part(v->param[place]) : v->param[place];
    for (int i = 0; i < v->params && brief != v->param[place]; i++)
        if (i != place && strcmp(last_part(v->param[i]), brief) == 0)
            return v->param[place];
    return brief;
}

bool smi_param_in_names(const struct smi_summary *const *run, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++) {
        const struct smi_param *p = smi_run_param(run[i], key);
        if (p && p->text && !smi_param_in_name(run[i]->run, p))
            return false;
    }
    return true;
}

/* The parameters that differ and are not in the names of all n runs, and all columns that were joined: the
 * first `most` of them, without those of few runs; with INT32_MAX all. key has room for all. Returns how
 * many; adds to *left how many are not among them. */
static int param_columns(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n,
                         const char **key, int most, size_t *left)
{
    const struct smi_sweep *s = g->sweep;
    int shown = 0;
    for (size_t i = 0; i < 2 * s->nvarying; i++) {
        const char *name = s->varying[i % s->nvarying];
        if (smi_param_is_repeat(name) != (i >= s->nvarying) || smi_param_in_names(run, n, name))
            continue; /* repeats come last */
        if (shown >= most || ((g->look->width || most < SMI_PARAM_COLUMNS) && smi_param_is_rare(g, name)))
            ++*left;
        else
            key[shown++] = name;
    }
    for (size_t k = s->nresults; k < s->njoined; k++)
        if (shown < most)
            key[shown++] = s->joined[k];
        else
            ++*left;
    return shown;
}

/* --- rows --- */

static void make_table(struct view *v, const struct smi_summary *const *run, size_t n, bool total,
                       size_t *left)
{
    const struct smi_sweep *sweep = v->g->sweep;
    bool known = v->text && !v->g->look->width; /* the state of a run, or a pipe has its column anyway */
    size_t all = sweep->nvarying + sweep->njoined + FIXED;
    struct smi_table_column *col = smi_arena_new(&v->g->arena, all, sizeof *col);
    *left = 0;
    v->param = smi_arena_new(&v->g->arena, all, sizeof *v->param);
    v->params = param_columns(v->g, run, n, v->param, v->text ? SMI_PARAM_COLUMNS : PARAMS, left);
    for (int k = 0; k < v->params; k++)
        col[1 + k] = (struct smi_table_column){
            .head = brief_key(v, k), .least = 8, .leave = v->text ? SMI_RUNS_LEAVE_PARAMS : 2};
    for (int i = 0; i < FIXED; i++)
        col[column_at(v, i)] = fixed_column(v, i);
    for (size_t i = 0; i < n; i++)
        known |= run[i]->state != SMI_STATE_UNKNOWN;
    if (!known) {
        col[column_at(v, SMI_RUNS_STATE)].hidden = true;
        col[column_at(v, SMI_RUNS_TIME)].gap = 0;
    }
    smi_table_begin(v->t, v->g, col, FIXED + v->params);
    for (int k = 0; k < v->params; k++)
        v->t->row[0][1 + k].words = SMI_WORDS_OF_LOG;
    for (size_t i = 0; smi_sweep_has_run_of(sweep, i, n); i++) {
        const struct smi_summary *s = run[i];
        struct smi_table_cell *row = smi_table_row(v->t, SMI_ROW_PLAIN);
        for (int k = 0; k < FIXED; k++)
            if (!v->t->col[column_at(v, k)].hidden && k != SMI_RUNS_SPARKLINE)
                fill_cell(v, k, s, &row[column_at(v, k)]);
        for (int k = 0; k < v->params; k++) {
            const struct smi_param *p = smi_run_param(s, v->param[k]);
            row[1 + k].text = p && p->text ? p->text : "-";
            row[1 + k].words = p && p->text ? SMI_WORDS_OF_LOG : SMI_WORDS_OURS;
        }
    }
    if (total) {
        const struct smi_total *t = &sweep->total;
        struct smi_table_cell *row = smi_table_row(v->t, SMI_ROW_RULED);
        struct smi_summary sum;
        total_as_run(&sum, sweep);
        for (int i = 0; i < FIXED; i++)
            if (smi_run_table_columns[i].total && !v->t->col[column_at(v, i)].hidden)
                fill_cell(v, i, &sum, &row[column_at(v, i)]);
        row[0].text = v->text && v->g->look->width == 0 ? "total" : smi_fmt(v->g, "total %zu runs", sweep->n);
        if (t->failed + t->cut)
            row[column_at(v, SMI_RUNS_NOTE)].text =
                smi_fmt(v->g, "%lld ended early", (long long)(t->failed + t->cut));
    }
}

void smi_runs_table(struct smi_report_table *t, struct smi_text_arena *g,
                    const struct smi_summary *const *run, size_t n, bool total, size_t *left)
{
    make_table(&(struct view){.g = g, .t = t}, run, n, total, left);
}

/* --- in a window --- */

static void set_shapes(const struct view *v, const struct smi_summary *const *run, size_t n, int cells)
{
    for (size_t i = 0; i < n; i++)
        cell_of(v, i, SMI_RUNS_SPARKLINE)->text = smi_fmt_sparkline(v->g, run[i]->shape, cells);
}

static void fit_window(const struct view *v, const struct smi_summary *const *run, size_t n, bool total)
{
    const int width = v->g->look->width, cap = width * 3 / 10 > 24 ? width * 3 / 10 : 24;
    int spare;
    smi_table_leave(v->t, cap, SMI_RUNS_LEAVE_LAST);
    spare = width - smi_table_need(v->t, cap);
    if (spare < 0 && total)
        cell_of(v, n, SMI_RUNS_NOTE)->text = NULL; /* the last line says it too */
    for (size_t i = 0; spare < 0 && smi_sweep_has_run_of(v->g->sweep, i, n); i++) {
        /* the last that is done before the columns leave that every table should have: a note is not what the
         * state says already */
        const char *code = smi_run_note_code(run[i]), *state = cell_of(v, i, SMI_RUNS_STATE)->text;
        cell_of(v, i, SMI_RUNS_NOTE)->text = code && state && strcmp(code, state) == 0 ? NULL : code;
    }
    if (spare >= 0 && width >= 130 && !v->t->col[column_at(v, SMI_RUNS_SPARKLINE)].hidden)
        set_shapes(v, run, n, spare < 14 ? 10 + spare : 24);
}

void smi_text_runs(struct smi_text_arena *g, const struct smi_summary *const *run, size_t n, bool total)
{
    struct smi_report_table t;
    struct view v = {.g = g, .t = &t, .text = true};
    size_t left;
    make_table(&v, run, n, total, &left);
    set_shapes(&v, run, n, 10);
    if (g->look->width)
        fit_window(&v, run, n, total);
    smi_table_text(&t);
    if (left)
        smi_wrap_fmt(g, SMI_GREY, "(%zu more parameter%s differ%s: -o runs.csv has all)", left,
                     left == 1 ? "" : "s", left == 1 ? "s" : "");
}
