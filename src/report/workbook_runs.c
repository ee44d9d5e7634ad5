/* workbook_runs.c - the sheet Runs: a row a run. */
#include "report/workbook_private.h"

#include "report/text_report.h"

#include <string.h>

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
    struct smi_run_values row;
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
    smi_run_values_fini(&r->row);
}
