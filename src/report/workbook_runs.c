/* workbook_runs.c - the sheets Runs and Groups. */
#include "report/workbook_private.h"
#include "report/text_report.h"
#include "report/run_groups.h"

#include <string.h>

/* ---- the sheet Runs: a row a run. ---- */

#define SMI_SHEET_RUNS(id, ...) id,
enum {
#include "report/workbook_column.def"
    FIXED
};
#define SMI_SHEET_RUNS(id, text, ...) [id] = {.head = text, __VA_ARGS__},
static const struct smi_workbook_column fixed[FIXED] = {
#include "report/workbook_column.def"
};
enum { PARAMS = 2000 /* columns of parameters at most: beyond, nobody finds anything */ };

/* The columns, those of parameters behind the others, and a run's row. */
struct runs {
    struct smi_workbook_column *col;
    int fields; /* columns before those of parameters */
    const char **key;
    size_t keys;
    struct smi_field_values row;
};

static void fill_state(struct smi_workbook_cell *c, const struct smi_summary *s)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_OK, SMI_XLSX_BAD, SMI_XLSX_PART, SMI_XLSX_GENERAL,
                                              SMI_XLSX_OPEN};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_PLAIN, SMI_XLSX_RED, SMI_XLSX_YELLOW,
                                                    SMI_XLSX_GREY, SMI_XLSX_GREY};
    c->kind = kind[s->state];
    c->look = look[s->state];
}

static const char *gpu_model(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        if (s->gpus[i].name)
            return s->gpus[i].name;
    return NULL;
}

static void fill_run(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    struct runs *r = self;
    const struct smi_summary *s = &b->sweep->runs[i];
    const char *note = smi_run_note_text(&b->page, s);
    if (smi_run_values_fill(&r->row, s))
        smi_xlsx_fail(b->x, SMI_ENOMEM, "no memory");
    smi_workbook_fields(c, r->col, r->fields, smi_run_fields, SMI_RUN_FIELDS, r->row.v);
    smi_workbook_run(b, &c[RUN], s, false);
    fill_state(&c[STATE], s);
    smi_workbook_time(b, &c[START], s, s->start_ms);
    smi_workbook_text(&c[MODEL], gpu_model(s));
    if (!s->ngpus)
        smi_workbook_text(&c[GPUS], NULL);
    smi_workbook_value(&c[P95], &r->col[P95], s->gpu_util_p95);
    smi_workbook_value(&c[CO2], &r->col[CO2], s->co2_g);
    smi_workbook_value(&c[TEMP], &r->col[TEMP], s->temp_max);
    smi_workbook_text(&c[LARGEST], *note ? note : NULL);
    smi_workbook_count(&c[FINDINGS], (int64_t)s->nfindings);
    for (size_t k = 0; k < r->keys; k++)
        smi_workbook_param(&c[r->fields + (int)k], smi_run_param(s, r->key[k]));
}

/* All parameters, and the columns that were joined. */
static void choose_run_columns(struct smi_workbook *b, struct runs *r)
{
    const struct smi_sweep *s = b->sweep;
    size_t all = s->nvarying + s->ncommon + s->njoined;
    r->key = smi_workbook_alloc(b, all, sizeof *r->key);
    if (!r->key)
        return;
    for (size_t i = 0; i < s->njoined; i++)
        r->key[r->keys++] = s->joined[i];
    for (size_t i = 0; i < s->nvarying; i++)
        r->key[r->keys++] = s->varying[i];
    for (size_t i = 0; i < s->ncommon; i++)
        r->key[r->keys++] = s->common[i].key;
    if (r->keys > PARAMS) {
        b->left_params = r->keys - PARAMS;
        r->keys = PARAMS;
    }
}

void smi_workbook_runs(struct smi_workbook *b)
{
    struct runs *r = smi_workbook_alloc(b, 1, sizeof *r);
    if (!r)
        return;
    choose_run_columns(b, r);
    r->col = smi_workbook_columns(b, fixed, FIXED, FIXED + SMI_RUN_FIELDS + (int)r->keys);
    if (!r->key || !r->col)
        return;
    r->col[START].head = smi_fmt(&b->page, "Start (%s)", b->zone);
    r->fields = FIXED;
    for (int k = 0; k < SMI_RUN_FIELDS; k++)
        if (smi_run_fields[k].listed)
            r->col[r->fields++] = smi_workbook_field_column(&smi_run_fields[k]);
    for (int k = 0; k < r->fields; k++)
        if (r->col[k].of && !r->col[k].sum)
            r->col[k].sum = r->col[k].of->total;
    for (size_t k = 0; k < r->keys; k++)
        r->col[r->fields + (int)k] = (struct smi_workbook_column){.head = r->key[k], .most = 32};
    smi_workbook_table(
        b,
        &(struct smi_workbook_table){.sheet = SMI_WORKBOOK_RUNS,
                                     .about = "One row a run. Row 2 is about the rows that the filter shows: "
                                              "sums, means of the runs, largest values.",
                                     .col = r->col,
                                     .n = r->fields + (int)r->keys,
                                     .sums = true,
                                     .none = "no runs",
                                     .fill = fill_run,
                                     .self = r},
        b->sweep->n);
    smi_field_values_fini(&r->row);
}

/* ---- the sheet Groups: a block for each parameter whose values gather runs; the first of them is what
 * Overview draws. Means are of the runs, deviations of their whole group. ---- */

enum { BLOCKS = 50, DRAWN = 24 /* groups of a chart */ };

/* smi_group_measures, as the sheet calls them. */
static const struct {
    const char *name;
    enum smi_xlsx_kind kind;
    double per;
} measures[SMI_GROUP_MEASURES] = {{"GPU use %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                                  {"Idle %", SMI_XLSX_PERCENT, SMI_WORKBOOK_PCT},
                                  {"Time h", SMI_XLSX_TWO, SMI_WORKBOOK_HOURS},
                                  {"Energy Wh", SMI_XLSX_ONE, SMI_WORKBOOK_RAW}};
enum { MEASURES = SMI_GROUP_MEASURES };

#define SMI_SHEET_GROUPS(id, ...) GROUP_##id,
enum {
#include "report/workbook_column.def"
    GROUP_FIXED
};
#define SMI_SHEET_GROUPS(id, text, ...) [GROUP_##id] = {.head = text, __VA_ARGS__},
static const struct smi_workbook_column group_columns[GROUP_FIXED] = {
#include "report/workbook_column.def"
};
enum { COLUMNS = GROUP_FIXED + MEASURES * 3 };

/* The columns that the sheet has, those of measures behind the others. */
struct columns {
    struct smi_workbook_column col[COLUMNS];
    int id[COLUMNS], n; /* of the first: their row in workbook_column.def */
};

/* A value of a row; an absent one is an empty cell. */
struct number {
    bool has;
    double v;
};

/* Has the sheet that column? What some runs lack, only where some do. */
static bool is_group_column(const struct smi_workbook *b, int k)
{
    const struct smi_total *t = &b->sweep->total;
    return k == GROUP_KWH_LACK    ? smi_total_missing(t, t->of.energy) > 0
           : k == GROUP_COST      ? b->look->money
           : k == GROUP_COST_LACK ? b->look->money && smi_total_missing(t, t->of.cost) > 0
                                  : true;
}

static struct columns *make_columns(struct smi_workbook *b)
{
    struct columns *c = smi_workbook_alloc(b, 1, sizeof *c);
    for (int k = 0; c && k < GROUP_FIXED; k++)
        if (is_group_column(b, k)) {
            c->id[c->n] = k;
            c->col[c->n++] = group_columns[k];
        }
    for (int k = 0; c && k < MEASURES; k++) {
        struct smi_workbook_column *to = &c->col[c->n + 3 * k];
        to[0] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s mean of runs", measures[k].name),
                                             .kind = measures[k].kind,
                                             .help = "Each run counts the same"};
        to[1] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s sd", measures[k].name),
                                             .kind = measures[k].kind,
                                             .help = "Standard deviation of the runs, from two on"};
        to[2] = (struct smi_workbook_column){
            .head = "n", .kind = SMI_XLSX_INT, .help = "Runs of which it is known"};
    }
    return c;
}

/* The values of a group, as in workbook_column.def. */
static void fill_numbers(struct number *v, struct smi_run_group *p)
{
    struct smi_total *t = &p->sum;
    int64_t wasted = smi_wasted_ms(&t->waste), use = 0;
    const double hour = 3600000;
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    bool h, known, used;
    smi_total_close(t);
    smi_headline_figures(&t->block, f);
    used = f[SMI_FIG_UTIL].has && smi_text_parse_micro(smi_text_of(f[SMI_FIG_UTIL].text), &use) == 0;
    h = t->gpu_hours.has;
    known = h && smi_waste_known(t->wasted_h[5], t->idle_pct, &t->waste);
    v[GROUP_RUNS] = (struct number){true, (double)t->runs};
    v[GROUP_FAILED] = (struct number){true, (double)t->failed};
    v[GROUP_CUT] = (struct number){true, (double)t->cut};
    v[GROUP_USED_H] = (struct number){known, (double)(t->covered_ms - wasted - p->unknown_ms) / hour};
    v[GROUP_IDLE_H] = (struct number){known, (double)(wasted - t->waste.ms[SMI_WASTE_FAILED]) / hour};
    v[GROUP_FAILED_H] = (struct number){known, (double)t->waste.ms[SMI_WASTE_FAILED] / hour};
    v[GROUP_UNKNOWN_H] = (struct number){h, (double)p->unknown_ms / hour};
    v[GROUP_GPU_H] = (struct number){h, (double)t->covered_ms / hour};
    v[GROUP_WASTED_H] = (struct number){known, (double)wasted / hour};
    v[GROUP_KWH] = (struct number){t->energy_wh.has, (double)t->energy_wh.micro / 1e9};
    v[GROUP_KWH_LACK] = (struct number){true, (double)smi_total_missing(t, t->of.energy)};
    v[GROUP_COST] = (struct number){t->cost.has, (double)t->cost.micro / 1e6};
    v[GROUP_COST_LACK] = (struct number){true, (double)smi_total_missing(t, t->of.cost)};
    v[GROUP_POOLED] = (struct number){used, (double)use / SMI_WORKBOOK_PCT};
    v[GROUP_POOLED_IDLE] = (struct number){t->idle_pct.has, (double)t->idle_pct.micro / SMI_WORKBOOK_PCT};
    v[GROUP_VRAM] = (struct number){p->vram.has, (double)p->vram.micro / SMI_WORKBOOK_GIB};
    v[GROUP_VRAM_TOTAL] = (struct number){p->vram_total.has, (double)p->vram_total.micro / SMI_WORKBOOK_GIB};
}

/* Mean, deviation and number of runs of a measure. */
static void fill_measure(struct number v[3], const struct smi_run_group *p, int k)
{
    const int64_t n = p->of[k].n;
    const double per = measures[k].per;
    v[0] = (struct number){n > 0, n ? (double)p->of[k].s1 / (double)n / per : 0};
    v[1] = (struct number){n > 1, n ? (double)smi_run_group_deviation(p, k) / (double)n / per : 0};
    v[2] = (struct number){true, (double)n};
}

static void write_group_row(const struct columns *c, struct smi_xlsx_sheet *to, int64_t row,
                            struct smi_run_group *p, enum smi_xlsx_appearance look)
{
    struct number v[GROUP_FIXED + 3 * MEASURES];
    struct smi_workbook_cell key = {0};
    struct smi_param value = {.text = p->value ? p->value : "-", .bare = true};
    fill_numbers(v, p);
    for (int k = 0; k < MEASURES; k++)
        fill_measure(&v[GROUP_FIXED + 3 * k], p, k);
    smi_workbook_param(&key, &value);
    if (key.is == SMI_WORKBOOK_NUMBER)
        smi_xlsx_number(to, row, GROUP_GROUP, smi_xlsx_as(SMI_XLSX_KEY, look), key.v);
    else
        smi_xlsx_text(to, row, GROUP_GROUP, smi_xlsx_as(SMI_XLSX_GENERAL, look), value.text);
    for (int k = GROUP_GROUP + 1; k < c->n + 3 * MEASURES; k++) {
        const struct number *x = k < c->n ? &v[c->id[k]] : &v[GROUP_FIXED + k - c->n];
        if (x->has)
            smi_xlsx_number(to, row, k, smi_xlsx_as(c->col[k].kind, look), x->v);
        else
            smi_xlsx_blank(to, row, k, look);
    }
}

static int64_t write_group_heads(struct smi_workbook *b, const struct columns *c, int64_t row,
                                 const char *key)
{
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    smi_xlsx_text(to, row++, 0, smi_xlsx_as(SMI_XLSX_GENERAL, SMI_XLSX_SECTION),
                  strcmp(key, SMI_WORKBOOK_ALL_RUNS) == 0 ? "All runs" : smi_fmt(&b->page, "By %s", key));
    for (int k = 0; k < c->n + 3 * MEASURES; k++)
        smi_xlsx_text(to, row, k, smi_xlsx_as(c->col[k].kind, SMI_XLSX_HEAD), k ? c->col[k].head : key);
    smi_xlsx_height(to, row, 31);
    return row + 1;
}

/* One block: key in words, its n values; value_of says which one a run has. Returns the row behind it. */
static int64_t write_group_block(struct smi_workbook *b, const struct columns *c, int64_t row,
                                 const char *name, const char *key, const char **value, size_t n)
{
    const struct smi_sweep *s = b->sweep;
    struct smi_run_group *group = smi_workbook_alloc(b, n + 1, sizeof *group),
                         *all = smi_workbook_alloc(b, 1, sizeof *all);
    if (!group || !all)
        return row;
    for (size_t i = 0; i < n; i++) {
        group[i].value = value[i];
        b->group_width =
            smi_text_width(value[i]) > b->group_width ? smi_text_width(value[i]) : b->group_width;
    }
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        const struct smi_param *p = key ? smi_run_param(&s->runs[i], key) : NULL;
        size_t k = key ? 0 : i;
        while (key && k < n && !(p && p->text && strcmp(p->text, group[k].value) == 0))
            k++;
        if (n)
            smi_run_group_add(&group[k], &s->runs[i]);
        smi_run_group_add(all, &s->runs[i]);
    }
    n += group[n].sum.runs > 0;
    row = write_group_heads(b, c, row, name);
    if (b->group_first == 0 && n <= DRAWN) {
        b->group_first = row;
        b->group_last = row + (int64_t)(n ? n : 1) - 1;
        b->group_by = name;
    }
    for (size_t i = 0; i < n && !smi_xlsx_failed(b->x); i++)
        write_group_row(c, b->sheet[SMI_WORKBOOK_GROUPS], row++, &group[i], SMI_XLSX_PLAIN);
    all->value = n ? "total" : SMI_WORKBOOK_ALL_RUNS;
    write_group_row(c, b->sheet[SMI_WORKBOOK_GROUPS], row++, all, n ? SMI_XLSX_RULED : SMI_XLSX_PLAIN);
    return row + 1;
}

/* Does --group-by name this one? */
static bool asked_for(const struct smi_workbook *b, const char *key)
{
    const char *t = b->look->group_by;
    size_t n = strlen(key);
    if (t && strncmp(t, "param.", 6) == 0)
        t += 6;
    return t && strncmp(t, key, n) == 0 && (t[n] == 0 || t[n] == ',');
}

/* Parameters whose values gather runs: what is asked for first, then those with the fewest values. */
static size_t choose_group_keys(struct smi_workbook *b, const char **key)
{
    const struct smi_sweep *s = b->sweep;
    size_t n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->nvarying + s->njoined; i++) {
            const char *name = i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying], **value;
            bool asked = asked_for(b, name);
            size_t values = asked != !pass || (smi_param_is_repeat(name) && !asked) ? 0
                            : asked ? smi_param_values(&b->page, name, &value)
                                    : smi_param_group_values(&b->page, name, &value);
            if (values > 1 && values <= SMI_GROUP_VALUES_MAX)
                key[n++] = name;
        }
    return n;
}

/* Without groups: the runs themselves, if they fit a chart, else all together. */
static void write_all_runs_block(struct smi_workbook *b, const struct columns *c)
{
    size_t n = b->sweep->n <= DRAWN ? b->sweep->n : 0;
    const char **name = smi_workbook_alloc(b, n, sizeof *name);
    for (size_t i = 0; name && i < n; i++)
        name[i] = b->sweep->runs[i].run;
    if (name)
        write_group_block(b, c, 0, n ? "run" : SMI_WORKBOOK_ALL_RUNS, NULL, name, n);
}

/* Sums and means need more room for their heads, a count does not. */
static void set_group_widths(struct smi_workbook *b, int n)
{
    enum { LEAST = 16, MOST = 40 /* characters of the first column */ };
    struct smi_xlsx_sheet *to = b->sheet[SMI_WORKBOOK_GROUPS];
    b->group_width = b->group_width > MOST - 2    ? MOST
                     : b->group_width < LEAST - 2 ? LEAST
                                                  : b->group_width + 2;
    smi_xlsx_width(to, 0, 0, b->group_width);
    smi_xlsx_width(to, GROUP_RUNS, GROUP_CUT, 9);
    smi_xlsx_width(to, GROUP_USED_H, n - 1, 14);
    for (int k = 0; k < MEASURES; k++) {
        smi_xlsx_width(to, n + 3 * k, n + 3 * k + 1, 14);
        smi_xlsx_width(to, n + 3 * k + 2, n + 3 * k + 2, 7);
    }
}

void smi_workbook_groups(struct smi_workbook *b)
{
    size_t all = b->sweep->nvarying + b->sweep->njoined, n, values;
    const char **key = smi_workbook_alloc(b, all, sizeof *key), **value;
    struct columns *c = make_columns(b);
    int64_t row = 0;
    if (!key || !c)
        return;
    n = choose_group_keys(b, key);
    b->left_groups = n > BLOCKS ? n - BLOCKS : 0;
    for (size_t i = 0; i < n && i < BLOCKS; i++) {
        values = smi_param_values(&b->page, key[i], &value);
        row = write_group_block(b, c, row, key[i], key[i], value, values);
    }
    if (n == 0)
        write_all_runs_block(b, c);
    set_group_widths(b, c->n);
    smi_xlsx_freeze(b->sheet[SMI_WORKBOOK_GROUPS], 0, 1);
    smi_xlsx_print(b->sheet[SMI_WORKBOOK_GROUPS], true, 2, 0, -1, 0);
    smi_workbook_describe(
        b, &(struct smi_workbook_table){.sheet = SMI_WORKBOOK_GROUPS,
                                        .about = "One block a parameter, one row for each of its values.",
                                        .col = c->col,
                                        .n = c->n + 3 * MEASURES});
}
