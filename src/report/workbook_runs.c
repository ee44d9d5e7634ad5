/* workbook_runs.c - the sheet Runs: a row a run. */
#include "report/workbook_private.h"

#include "summary/rule.h"
#include "report/text_report.h"

#include <string.h>

#define OF(id) &smi_run_fields[SMI_RUN_FIELD_##id]
#define PCT SMI_XLSX_PERCENT

enum {
    RUN,
    STATE,
    START,
    TIME,
    HOST,
    MODEL,
    GPUS,
    GPU_H,
    USE,
    P95,
    IDLE,
    LONGEST,
    WASTED,
    COST,
    WASTED_COST,
    VRAM,
    VRAM_TOTAL,
    VRAM_FROM,
    POWER,
    POWER_MAX,
    ENERGY,
    CO2,
    TEMP,
    THROTTLED,
    CPU,
    LARGEST,
    FINDINGS,
    FIXED
};
enum { PARAMS = 2000 /* columns of parameters at most: beyond, nobody finds anything */ };

static const struct smi_workbook_column fixed[FIXED] = {
    [RUN] = {.head = "Run", .of = OF(RUN), .most = 50},
    [STATE] = {.head = "State", .of = OF(STATE)},
    [START] = {.head = "Start",
               .kind = SMI_XLSX_TIME,
               .help = "First stamp of the run, on the clock that the head names"},
    [TIME] = {.head = "Time h",
              .kind = SMI_XLSX_TWO,
              .sum = SMI_WORKBOOK_SUM,
              .per = SMI_WORKBOOK_HOURS,
              .of = OF(DURATION)},
    [HOST] = {.head = "Host", .of = OF(HOSTNAME), .most = 30},
    [MODEL] = {.head = "GPU model", .help = "Model of its GPUs, as the driver names it", .most = 32},
    [GPUS] = {.head = "GPUs", .kind = SMI_XLSX_INT, .of = OF(NGPUS)},
    [GPU_H] = {.head = "GPU-h",
               .kind = SMI_XLSX_TWO,
               .sum = SMI_WORKBOOK_SUM,
               .per = SMI_WORKBOOK_RAW,
               .of = OF(GPU_HOURS)},
    [USE] = {.head = "GPU use %",
             .kind = PCT,
             .sum = SMI_WORKBOOK_MEAN,
             .per = SMI_WORKBOOK_PCT,
             .of = OF(GPU_UTIL_MEAN)},
    [P95] = {.head = "GPU use p95 %",
             .kind = PCT,
             .sum = SMI_WORKBOOK_MEAN,
             .per = SMI_WORKBOOK_PCT,
             .help = "Utilisation that 95 % of the readings do not pass, of the GPU where it is largest"},
    [IDLE] =
        {.head = "Idle %", .kind = PCT, .sum = SMI_WORKBOOK_MEAN, .per = SMI_WORKBOOK_PCT, .of = OF(IDLE)},
    [LONGEST] = {.head = "Longest idle min",
                 .kind = SMI_XLSX_ONE,
                 .sum = SMI_WORKBOOK_MAX,
                 .per = SMI_WORKBOOK_MINUTES,
                 .of = OF(LONGEST_IDLE)},
    [WASTED] =
        {.head = "Wasted GPU-h",
         .kind = SMI_XLSX_TWO,
         .sum = SMI_WORKBOOK_SUM,
         .per = SMI_WORKBOOK_RAW,
         .bars = true,
         .help =
             "GPU-hours of a failed run, of GPUs that did no work, and idle ones: before, between and after "
             "work"},
    [COST] = {.head = "Cost",
              .kind = SMI_XLSX_MONEY,
              .sum = SMI_WORKBOOK_SUM,
              .per = SMI_WORKBOOK_RAW,
              .of = OF(COST),
              .money = true},
    [WASTED_COST] = {.head = "Wasted cost",
                     .kind = SMI_XLSX_MONEY,
                     .sum = SMI_WORKBOOK_SUM,
                     .per = SMI_WORKBOOK_RAW,
                     .help = "Of the wasted GPU-hours",
                     .money = true},
    [VRAM] = {.head = "VRAM peak GiB",
              .kind = SMI_XLSX_ONE,
              .sum = SMI_WORKBOOK_MAX,
              .per = SMI_WORKBOOK_GIB,
              .of = OF(VRAM_USED)},
    [VRAM_TOTAL] = {.head = "VRAM total GiB",
                    .kind = SMI_XLSX_ONE,
                    .per = SMI_WORKBOOK_GIB,
                    .of = OF(VRAM_TOTAL)},
    [VRAM_FROM] = {.head = "VRAM from", .of = OF(VRAM_SOURCE)},
    [POWER] = {.head = "Power mean W",
               .kind = SMI_XLSX_ONE,
               .sum = SMI_WORKBOOK_MEAN,
               .per = SMI_WORKBOOK_RAW,
               .of = OF(POWER_MEAN)},
    [POWER_MAX] = {.head = "Power max W",
                   .kind = SMI_XLSX_ONE,
                   .sum = SMI_WORKBOOK_MAX,
                   .per = SMI_WORKBOOK_RAW,
                   .of = OF(POWER_MAX)},
    [ENERGY] = {.head = "Energy Wh",
                .kind = SMI_XLSX_ONE,
                .sum = SMI_WORKBOOK_SUM,
                .per = SMI_WORKBOOK_RAW,
                .of = OF(ENERGY)},
    [CO2] = {.head = "CO2 kg",
             .kind = SMI_XLSX_TWO,
             .sum = SMI_WORKBOOK_SUM,
             .per = SMI_WORKBOOK_KILO,
             .co2 = true,
             .help = "Of this energy"},
    [TEMP] = {.head = "Temp max °C",
              .kind = SMI_XLSX_INT,
              .sum = SMI_WORKBOOK_MAX,
              .per = SMI_WORKBOOK_RAW,
              .help = "Hottest reading of its GPUs"},
    [THROTTLED] = {.head = "Throttled %",
                   .kind = PCT,
                   .sum = SMI_WORKBOOK_MAX,
                   .per = SMI_WORKBOOK_PCT,
                   .of = OF(THROTTLED)},
    [CPU] = {.head = "CPU use %",
             .kind = PCT,
             .sum = SMI_WORKBOOK_MEAN,
             .per = SMI_WORKBOOK_PCT,
             .of = OF(CPU_USR_MEAN)},
    [LARGEST] = {.head = "Largest finding", .help = "What the run is noted for, in a few words", .most = 40},
    [FINDINGS] = {.head = "Findings",
                  .kind = SMI_XLSX_INT,
                  .sum = SMI_WORKBOOK_SUM,
                  .help = "How many there are: the sheet Findings has them"},
};

/* The columns of parameters, and a run's row. */
struct runs {
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
    smi_workbook_text(c, smi_state_names[s->state]);
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

static void fill_use(struct smi_workbook *b, struct smi_workbook_cell *c, const struct smi_summary *s,
                     const struct smi_datum *v)
{
    const char *note = smi_run_note_text(&b->page, s);
    smi_workbook_datum(&c[GPU_H], &fixed[GPU_H], &v[SMI_RUN_FIELD_GPU_HOURS]);
    smi_workbook_datum(&c[USE], &fixed[USE], &v[SMI_RUN_FIELD_GPU_UTIL_MEAN]);
    smi_workbook_value(&c[P95], &fixed[P95], s->gpu_util_p95);
    smi_workbook_datum(&c[IDLE], &fixed[IDLE], &v[SMI_RUN_FIELD_IDLE]);
    smi_workbook_datum(&c[LONGEST], &fixed[LONGEST], &v[SMI_RUN_FIELD_LONGEST_IDLE]);
    smi_workbook_datum(&c[WASTED], &fixed[WASTED], &v[SMI_RUN_FIELD_WASTED_TOTAL]);
    smi_workbook_value(&c[COST], &fixed[COST], s->cost);
    smi_workbook_value(&c[WASTED_COST], &fixed[WASTED_COST], s->wasted_cost[5]);
    smi_workbook_text(&c[LARGEST], *note ? note : NULL);
    smi_workbook_count(&c[FINDINGS], (int64_t)s->nfindings);
}

static void fill_hardware(struct smi_workbook_cell *c, const struct smi_summary *s, const struct smi_datum *v)
{
    smi_workbook_datum(&c[VRAM], &fixed[VRAM], &v[SMI_RUN_FIELD_VRAM_USED]);
    smi_workbook_datum(&c[VRAM_TOTAL], &fixed[VRAM_TOTAL], &v[SMI_RUN_FIELD_VRAM_TOTAL]);
    smi_workbook_datum(&c[VRAM_FROM], &fixed[VRAM_FROM], &v[SMI_RUN_FIELD_VRAM_SOURCE]);
    smi_workbook_datum(&c[POWER], &fixed[POWER], &v[SMI_RUN_FIELD_POWER_MEAN]);
    smi_workbook_datum(&c[POWER_MAX], &fixed[POWER_MAX], &v[SMI_RUN_FIELD_POWER_MAX]);
    smi_workbook_datum(&c[ENERGY], &fixed[ENERGY], &v[SMI_RUN_FIELD_ENERGY]);
    smi_workbook_value(&c[CO2], &fixed[CO2], s->co2_g);
    smi_workbook_value(&c[TEMP], &fixed[TEMP], s->temp_max);
    smi_workbook_datum(&c[THROTTLED], &fixed[THROTTLED], &v[SMI_RUN_FIELD_THROTTLED]);
    smi_workbook_datum(&c[CPU], &fixed[CPU], &v[SMI_RUN_FIELD_CPU_USR_MEAN]);
}

static void fill_run(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    struct runs *r = self;
    const struct smi_summary *s = &b->sweep->runs[i];
    const struct smi_datum *v = r->row.v;
    if (smi_run_values_fill(&r->row, s))
        smi_xlsx_fail(b->x, SMI_ENOMEM, "no memory");
    smi_workbook_run(b, &c[RUN], s, false);
    fill_state(&c[STATE], s);
    smi_workbook_time(b, &c[START], s, s->start_ms);
    smi_workbook_datum(&c[TIME], &fixed[TIME], &v[SMI_RUN_FIELD_DURATION]);
    smi_workbook_text(&c[HOST], s->hostname);
    smi_workbook_text(&c[MODEL], gpu_model(s));
    if (s->ngpus)
        smi_workbook_datum(&c[GPUS], &fixed[GPUS], &v[SMI_RUN_FIELD_NGPUS]);
    fill_use(b, c, s, v);
    fill_hardware(c, s, v);
    for (size_t k = 0; k < r->keys; k++)
        smi_workbook_param(&c[FIXED + k], smi_run_param(s, r->key[k]));
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
    struct smi_workbook_table *t = smi_workbook_alloc(b, 1, sizeof *t);
    struct smi_workbook_column *col;
    if (!r || !t)
        return;
    choose_run_columns(b, r);
    col = smi_workbook_alloc(b, FIXED + r->keys, sizeof *col);
    if (!r->key || !col)
        return;
    memcpy(col, fixed, sizeof fixed);
    col[START].head = smi_fmt(&b->page, "Start (%s)", b->zone);
    for (size_t k = 0; k < r->keys; k++)
        col[FIXED + k] = (struct smi_workbook_column){.head = r->key[k], .most = 32};
    *t = (struct smi_workbook_table){.sheet = SMI_WORKBOOK_RUNS,
                                     .about = "One row a run. Row 2 is about the rows that the filter shows: "
                                              "sums, means of the runs, largest values.",
                                     .col = col,
                                     .n = (int)(FIXED + r->keys),
                                     .sums = true,
                                     .none = "no runs",
                                     .fill = fill_run,
                                     .self = r};
    smi_workbook_table(b, t, b->sweep->n);
    smi_run_values_fini(&r->row);
}
