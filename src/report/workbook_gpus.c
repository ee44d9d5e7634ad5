/* workbook_gpus.c - the sheets GPUs and Phases. */
#include "report/workbook_private.h"

#include "report/text_report.h"

#include <string.h>

/* Row i of a list of all runs: which run, which entry. */
struct place {
    size_t run, of;
};

struct places {
    struct place *at;
    size_t n;
    const char **name; /* of GPUs: the slowdowns that have a column */
    int reasons;
};

static const struct smi_summary *run_of(const struct smi_workbook *b, const struct places *p, size_t i)
{
    return &b->sweep->runs[p->at[i].run];
}

/* --- GPUs --- */

enum {
    RUN,
    GPU,
    UUID,
    MODEL,
    HOST,
    SAMPLES,
    GPU_H,
    PICKED,
    IDLE = PICKED + SMI_GPU_FIRST_STATS,
    ENERGY,
    ERRORS,
    FIXED
};

static const struct smi_workbook_column gpu_fixed[FIXED] = {
    [RUN] = {.head = "Run", .help = "The run", .most = 50},
    [GPU] = {.head = "GPU", .kind = SMI_XLSX_INT, .of = &smi_gpu_fields[0]},
    [UUID] = {.head = "UUID", .of = &smi_gpu_fields[1], .most = 44},
    [MODEL] = {.head = "Model", .of = &smi_gpu_fields[3], .most = 32},
    [HOST] = {.head = "Host", .of = &smi_run_fields[SMI_RUN_FIELD_HOSTNAME], .most = 30},
    [SAMPLES] = {.head = "Samples", .kind = SMI_XLSX_INT, .of = &smi_gpu_fields[4]},
    [GPU_H] = {.head = "GPU-h", .kind = SMI_XLSX_TWO, .help = "Its time in intervals that are no gap"},
    [IDLE] = {.head = "Idle %", .kind = SMI_XLSX_PERCENT, .per = SMI_WORKBOOK_PCT, .of = &smi_gpu_fields[6]},
    [ENERGY] = {.head = "Energy Wh", .kind = SMI_XLSX_ONE, .per = SMI_WORKBOOK_RAW, .of = &smi_gpu_fields[5]},
    [ERRORS] = {.head = "Errors", .help = "What went wrong with it, and how often", .most = 40},
};

/* A figure of a metric, in the unit that people want. */
static struct smi_workbook_column picked_column(const struct smi_gpu_first_stat *p)
{
    const char *unit = smi_metrics[p->metric].unit;
    struct smi_workbook_column c = {
        .head = p->head, .help = smi_metrics[p->metric].help, .kind = SMI_XLSX_ONE, .per = SMI_WORKBOOK_RAW};
    if (strcmp(unit, "%") == 0) {
        c.kind = SMI_XLSX_PERCENT;
        c.per = SMI_WORKBOOK_PCT;
    } else if (strcmp(unit, "MiB") == 0) {
        c.per = SMI_WORKBOOK_GIB;
    } else if (strcmp(unit, "C") == 0 || strcmp(unit, "MHz") == 0) {
        c.kind = SMI_XLSX_INT;
    }
    return c;
}

/* "xid 79: 1, ecc..." of this GPU. */
static const char *gpu_errors(struct smi_workbook *b, const struct smi_summary *s, const struct smi_gpu *g)
{
    const char *t = "";
    for (size_t i = 0; i < s->nerrors; i++) {
        const struct smi_error *e = &s->errors[i];
        bool mine = e->gpu >= 0 ? e->gpu == g->index
                                : (e->uuid && g->uuid && strcmp(e->uuid, g->uuid) == 0) ||
                                      (e->bus && g->bus && strcmp(e->bus, g->bus) == 0);
        if (mine)
            t = smi_fmt(&b->page, "%s%s%s: %lld", t, *t ? ", " : "", smi_error_text(&b->page, e),
                        (long long)e->n);
    }
    return *t ? t : NULL;
}

static void fill_slowdowns(const struct places *p, const struct smi_gpu *g, struct smi_workbook_cell *c)
{
    static const struct smi_workbook_column percent = {.per = SMI_WORKBOOK_PCT};
    for (int k = 0; k < p->reasons; k++)
        for (size_t i = 0; i < g->throttles; i++)
            if (strcmp(g->throttle[i].reason, p->name[k]) == 0)
                smi_workbook_value(&c[k], &percent, g->throttle[i].pct);
}

static void fill_gpu(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct places *p = self;
    const struct smi_summary *s = run_of(b, p, i);
    const struct smi_gpu *g = &s->gpus[p->at[i].of];
    smi_workbook_text(&c[RUN], s->run);
    if (g->pooled)
        smi_workbook_text(&c[GPU], "rows of all");
    else if (g->index >= 0)
        smi_workbook_count(&c[GPU], g->index);
    smi_workbook_text(&c[UUID], g->uuid ? g->uuid : g->bus);
    smi_workbook_text(&c[MODEL], g->name);
    smi_workbook_text(&c[HOST], s->hostname);
    smi_workbook_count(&c[SAMPLES], g->samples);
    if (!g->pooled && g->covered_ms > 0)
        smi_workbook_ratio(&c[GPU_H], (double)g->covered_ms, 3600000);
    for (int k = 0; k < SMI_GPU_FIRST_STATS; k++) {
        const struct smi_stats *m = smi_gpu_stats(g, smi_gpu_first_stats[k].metric);
        struct smi_workbook_column col = picked_column(&smi_gpu_first_stats[k]);
        struct smi_datum v = m ? smi_gpu_stat(m, smi_gpu_first_stats[k].stat) : (struct smi_datum){0};
        smi_workbook_datum(&c[PICKED + k], &col, &v);
    }
    smi_workbook_value(&c[IDLE], &gpu_fixed[IDLE], g->idle_pct);
    smi_workbook_value(&c[ENERGY], &gpu_fixed[ENERGY], g->energy_wh);
    smi_workbook_text(&c[ERRORS], gpu_errors(b, s, g));
    fill_slowdowns(p, g, c + FIXED);
}

/* The slowdowns that some log knows of, by name, in the order in which they come. */
static void find_reasons(struct smi_workbook *b, struct places *p)
{
    enum { MOST = 32 };
    p->name = smi_workbook_alloc(b, MOST, sizeof *p->name);
    for (size_t i = 0; p->name && i < b->sweep->n; i++)
        for (size_t g = 0; g < b->sweep->runs[i].ngpus; g++) {
            const struct smi_gpu *gpu = &b->sweep->runs[i].gpus[g];
            for (size_t t = 0; t < gpu->throttles; t++) {
                int k = 0;
                while (k < p->reasons && strcmp(p->name[k], gpu->throttle[t].reason) != 0)
                    k++;
                if (k == p->reasons && k < MOST && smi_throttle_slows(&gpu->throttle[t]))
                    p->name[p->reasons++] = gpu->throttle[t].reason;
            }
        }
}

static struct places *places_of(struct smi_workbook *b, bool phases)
{
    struct places *p = smi_workbook_alloc(b, 1, sizeof *p);
    size_t n = 0;
    for (size_t i = 0; i < b->sweep->n; i++)
        n += phases ? b->sweep->runs[i].nphases : b->sweep->runs[i].ngpus;
    if (!p || !(p->at = smi_workbook_alloc(b, n, sizeof *p->at)))
        return NULL;
    for (size_t i = 0; i < b->sweep->n; i++)
        for (size_t k = 0; k < (phases ? b->sweep->runs[i].nphases : b->sweep->runs[i].ngpus); k++)
            p->at[p->n++] = (struct place){i, k};
    return p;
}

void smi_workbook_gpus(struct smi_workbook *b)
{
    struct places *p = places_of(b, false);
    struct smi_workbook_column *col;
    struct smi_workbook_table *t = smi_workbook_alloc(b, 1, sizeof *t);
    if (!p || !t)
        return;
    find_reasons(b, p);
    col = smi_workbook_alloc(b, (size_t)(FIXED + p->reasons), sizeof *col);
    if (!col || !p->name)
        return;
    memcpy(col, gpu_fixed, sizeof gpu_fixed);
    for (int k = 0; k < SMI_GPU_FIRST_STATS; k++)
        col[PICKED + k] = picked_column(&smi_gpu_first_stats[k]);
    for (int k = 0; k < p->reasons; k++)
        col[FIXED + k] = (struct smi_workbook_column){
            .head = smi_fmt(&b->page, "Slowed: %s %%", smi_key_label(&b->page, p->name[k])),
            .kind = SMI_XLSX_PERCENT,
            .help = "Share of the time in which it was active"};
    *t = (struct smi_workbook_table){.sheet = SMI_WORKBOOK_GPUS,
                                     .about = "One row a GPU of a run.",
                                     .col = col,
                                     .n = FIXED + p->reasons,
                                     .none = "no GPU in any log",
                                     .fill = fill_gpu,
                                     .self = p};
    smi_workbook_table(b, t, p->n);
}

/* --- phases --- */

enum { P_RUN, P_PHASE, P_TIMES, P_SECONDS, P_SHARE, P_USE, P_IDLE, P_VRAM, P_ENERGY, P_SAMPLES, P_COLUMNS };
enum {
    IN_NAME = 0,
    IN_COUNT = 1,
    IN_SECONDS = 2,
    IN_BLOCK = SMI_PHASE_FIXED,
    IN_ENERGY = IN_BLOCK + SMI_HEADLINE_COUNT,
    IN_IDLE,
    IN_SAMPLES
}; /* places in smi_phase_fields */

static const struct smi_workbook_column phase_columns[P_COLUMNS] = {
    [P_RUN] = {.head = "Run", .help = "The run", .most = 50},
    [P_PHASE] = {.head = "Phase", .of = &smi_phase_fields[IN_NAME], .most = 40},
    [P_TIMES] = {.head = "Times", .kind = SMI_XLSX_INT, .of = &smi_phase_fields[IN_COUNT]},
    [P_SECONDS] = {.head = "Seconds",
                   .kind = SMI_XLSX_ONE,
                   .per = SMI_WORKBOOK_RAW,
                   .of = &smi_phase_fields[IN_SECONDS]},
    [P_SHARE] = {.head = "Share %", .kind = SMI_XLSX_PERCENT, .help = "Of the time of the run"},
    [P_USE] = {.head = "GPU use %",
               .kind = SMI_XLSX_PERCENT,
               .per = SMI_WORKBOOK_PCT,
               .help = "Utilisation, mean of the readings inside it; empty where there are none"},
    [P_IDLE] = {.head = "Idle %",
                .kind = SMI_XLSX_PERCENT,
                .per = SMI_WORKBOOK_PCT,
                .of = &smi_phase_fields[IN_IDLE]},
    [P_VRAM] = {.head = "Device VRAM GiB",
                .kind = SMI_XLSX_ONE,
                .per = SMI_WORKBOOK_GIB,
                .help = "Largest reading of used memory inside it"},
    [P_ENERGY] = {.head = "Energy Wh",
                  .kind = SMI_XLSX_ONE,
                  .per = SMI_WORKBOOK_RAW,
                  .of = &smi_phase_fields[IN_ENERGY]},
    [P_SAMPLES] = {.head = "Samples", .kind = SMI_XLSX_INT, .of = &smi_phase_fields[IN_SAMPLES]},
};

static void fill_phase(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct places *p = self;
    const struct smi_summary *s = run_of(b, p, i);
    struct smi_datum v[SMI_PHASE_FIELDS];
    smi_phase_values_fill(v, &s->phases[p->at[i].of]);
    smi_workbook_text(&c[P_RUN], s->run);
    smi_workbook_datum(&c[P_PHASE], &phase_columns[P_PHASE], &v[IN_NAME]);
    smi_workbook_datum(&c[P_TIMES], &phase_columns[P_TIMES], &v[IN_COUNT]);
    smi_workbook_datum(&c[P_SECONDS], &phase_columns[P_SECONDS], &v[IN_SECONDS]);
    if (v[IN_SECONDS].kind && s->duration_s.has)
        smi_workbook_ratio(&c[P_SHARE], (double)v[IN_SECONDS].n, (double)s->duration_s.micro);
    smi_workbook_datum(&c[P_USE], &phase_columns[P_USE], &v[IN_BLOCK + SMI_FIG_UTIL]);
    smi_workbook_datum(&c[P_IDLE], &phase_columns[P_IDLE], &v[IN_IDLE]);
    smi_workbook_datum(&c[P_VRAM], &phase_columns[P_VRAM], &v[IN_BLOCK]);
    smi_workbook_datum(&c[P_ENERGY], &phase_columns[P_ENERGY], &v[IN_ENERGY]);
    smi_workbook_datum(&c[P_SAMPLES], &phase_columns[P_SAMPLES], &v[IN_SAMPLES]);
}

void smi_workbook_phases(struct smi_workbook *b)
{
    struct places *p = places_of(b, true);
    struct smi_workbook_table *t = smi_workbook_alloc(b, 1, sizeof *t);
    if (!p || !t)
        return;
    *t = (struct smi_workbook_table){.sheet = SMI_WORKBOOK_PHASES,
                                     .about = "One row a phase of a run, as its run log names it.",
                                     .col = phase_columns,
                                     .n = P_COLUMNS,
                                     .none = "no run log names a phase",
                                     .fill = fill_phase,
                                     .self = p};
    smi_workbook_table(b, t, p->n);
}
