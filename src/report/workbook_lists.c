/* workbook_lists.c - the sheets GPUs, Phases, Findings, Inputs and Commands: one row for each that a run has.
 */
#include "report/workbook_private.h"
#include "summary/rule.h"
#include "report/text_report.h"
#include "report/command_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sheets GPUs, Phases, Findings and Inputs: one row for each that a run has. ---- */

/* Entry `of` of a list of a run. */
struct place {
    const struct smi_summary *s;
    size_t of;
    int64_t key; /* what they are sorted by */
};

struct list {
    struct place *at;
    size_t n;
    struct smi_workbook_column *col;
    int columns;
    const char **reason; /* of GPUs: the slowdowns that have a column */
    int reasons;
};

static size_t entries_of(const struct smi_summary *s, size_t counter)
{
    size_t n;
    memcpy(&n, (const char *)s + counter, sizeof n);
    return n;
}

/* Lists all entries of all runs; counter: where struct smi_summary counts them. Returns NULL without memory.
 */
static struct list *list_entries(struct smi_workbook *b, size_t counter)
{
    struct list *l = smi_workbook_alloc(b, 1, sizeof *l);
    size_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        n += entries_of(&b->sweep->runs[i], counter);
    if (l)
        l->at = smi_workbook_alloc(b, n, sizeof *l->at);
    if (!l || !l->at)
        return NULL;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        for (size_t k = 0; k < entries_of(&b->sweep->runs[i], counter); k++)
            l->at[l->n++] = (struct place){&b->sweep->runs[i], k, 0};
    return l;
}

static void write_list(struct smi_workbook *b, struct list *l, enum smi_workbook_sheet sheet,
                       const char *about, const char *none, smi_workbook_fill *fill)
{
    if (l->col)
        smi_workbook_table(
            b, &(struct smi_workbook_table){sheet, about, l->col, l->columns, false, none, fill, l}, l->n);
}

/* --- GPUs --- */

#define SMI_SHEET_GPUS(id, ...) GPU_##id,
enum {
#include "report/workbook_column.def"
    GPU_FIXED
};
#define SMI_SHEET_GPUS(id, text, ...) {.head = text, __VA_ARGS__},
static const struct smi_workbook_column gpu_columns[GPU_FIXED] = {
#include "report/workbook_column.def"
};
enum { FIRST_STATS = GPU_IDLE, BEHIND = FIRST_STATS + SMI_GPU_FIRST_STATS }; /* where these columns stand */

/* A figure of a metric, in the unit that people want. */
static struct smi_workbook_column first_stat_column(const struct smi_gpu_first_stat *p)
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

static void fill_gpu(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct list *l = self;
    const struct smi_summary *s = l->at[i].s;
    const struct smi_gpu *g = &s->gpus[l->at[i].of];
    struct smi_field_values row = {0};
    smi_field_values_fill(&row, &smi_gpu_list, s, g);
    smi_workbook_fields(c, l->col, l->columns, smi_gpu_fields, SMI_GPU_FIELDS, row.v);
    smi_workbook_text(&c[GPU_RUN], s->run);
    if (g->pooled)
        smi_workbook_text(&c[GPU_GPU], "rows of all");
    smi_workbook_text(&c[GPU_UUID], g->uuid ? g->uuid : g->bus);
    smi_workbook_text(&c[GPU_HOST], s->hostname);
    if (!g->pooled && g->covered_ms > 0)
        smi_workbook_ratio(&c[GPU_GPU_H], (double)g->covered_ms, 3600000);
    for (int k = 0; k < SMI_GPU_FIRST_STATS; k++) {
        const struct smi_stats *m = smi_gpu_stats(g, smi_gpu_first_stats[k].metric);
        struct smi_datum d = m ? smi_gpu_stat(m, smi_gpu_first_stats[k].stat) : (struct smi_datum){0};
        smi_workbook_datum(&c[FIRST_STATS + k], &l->col[FIRST_STATS + k], &d);
    }
    smi_workbook_text(&c[GPU_ERRORS + SMI_GPU_FIRST_STATS], gpu_errors(b, s, g));
    c += GPU_FIXED + SMI_GPU_FIRST_STATS;
    for (int k = 0; k < l->reasons; k++)
        for (size_t t = 0; t < g->throttles; t++)
            if (strcmp(g->throttle[t].reason, l->reason[k]) == 0)
                smi_workbook_value(&c[k], &l->col[l->columns - 1], g->throttle[t].pct);
}

/* The slowdowns that some log knows of, by name, in the order in which they come. */
static void find_reasons(struct smi_workbook *b, struct list *l)
{
    enum { MOST = 32 };
    l->reason = smi_workbook_alloc(b, MOST, sizeof *l->reason);
    for (size_t i = 0; l->reason && i < l->n; i++) {
        const struct smi_gpu *gpu = &l->at[i].s->gpus[l->at[i].of];
        for (size_t t = 0; t < gpu->throttles; t++) {
            int k = 0;
            while (k < l->reasons && strcmp(l->reason[k], gpu->throttle[t].reason) != 0)
                k++;
            if (k == l->reasons && k < MOST && smi_throttle_slows(&gpu->throttle[t]))
                l->reason[l->reasons++] = gpu->throttle[t].reason;
        }
    }
}

void smi_workbook_gpus(struct smi_workbook *b)
{
    struct list *l = list_entries(b, offsetof(struct smi_summary, ngpus));
    if (!l)
        return;
    find_reasons(b, l);
    l->columns = GPU_FIXED + SMI_GPU_FIRST_STATS + l->reasons;
    l->col = l->reason ? smi_workbook_columns(b, gpu_columns, GPU_FIXED, l->columns) : NULL;
    if (!l->col)
        return;
    memmove(&l->col[BEHIND], &l->col[FIRST_STATS], (GPU_FIXED - FIRST_STATS) * sizeof *l->col);
    for (int k = 0; k < SMI_GPU_FIRST_STATS; k++)
        l->col[FIRST_STATS + k] = first_stat_column(&smi_gpu_first_stats[k]);
    for (int k = 0; k < l->reasons; k++)
        l->col[l->columns - l->reasons + k] = (struct smi_workbook_column){
            .head = smi_fmt(&b->page, "Slowed: %s %%", smi_key_label(&b->page, l->reason[k])),
            .kind = SMI_XLSX_PERCENT,
            .per = SMI_WORKBOOK_PCT,
            .help = "Share of the time in which it was active"};
    write_list(b, l, SMI_WORKBOOK_GPUS, "One row a GPU of a run.", "no GPU in any log", fill_gpu);
}

/* --- phases --- */

#define SMI_SHEET_PHASES(id, ...) PHASE_##id,
enum {
#include "report/workbook_column.def"
    PHASE_COLUMNS
};
#define SMI_SHEET_PHASES(id, text, ...) {.head = text, __VA_ARGS__},
static const struct smi_workbook_column phase_columns[PHASE_COLUMNS] = {
#include "report/workbook_column.def"
};

static void fill_phase(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct list *l = self;
    const struct smi_summary *s = l->at[i].s;
    const struct smi_phase_summary *p = &s->phases[l->at[i].of];
    struct smi_field_values row = {0};
    (void)b;
    smi_field_values_fill(&row, &smi_phase_list, s, p);
    smi_workbook_fields(c, l->col, l->columns, smi_phase_fields, SMI_PHASE_FIELDS, row.v);
    smi_workbook_text(&c[PHASE_RUN], s->run);
    if (p->seconds.has && s->duration_s.has)
        smi_workbook_ratio(&c[PHASE_SHARE], (double)p->seconds.micro, (double)s->duration_s.micro);
}

void smi_workbook_phases(struct smi_workbook *b)
{
    struct list *l = list_entries(b, offsetof(struct smi_summary, nphases));
    if (!l)
        return;
    l->columns = PHASE_COLUMNS;
    l->col = smi_workbook_columns(b, phase_columns, PHASE_COLUMNS, PHASE_COLUMNS);
    write_list(b, l, SMI_WORKBOOK_PHASES, "One row a phase of a run, as its run log names it.",
               "no run log names a phase", fill_phase);
}

/* --- findings, most GPU time first --- */

#define SMI_SHEET_FINDINGS(id, ...) FINDING_##id,
enum {
#include "report/workbook_column.def"
    FINDING_COLUMNS
};
#define SMI_SHEET_FINDINGS(id, text, ...) {.head = text, __VA_ARGS__},
static const struct smi_workbook_column finding_columns[FINDING_COLUMNS] = {
#include "report/workbook_column.def"
};

static int by_time(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->s != y->s)
        return x->s < y->s ? -1 : 1;
    return x->of < y->of ? -1 : x->of > y->of;
}

/* "memory-near-full" in words. */
static const char *rule_words(struct smi_workbook *b, const char *key)
{
    char word[64];
    size_t i = 0;
    for (; key[i] && i < sizeof word - 1; i++)
        word[i] = key[i] == '-' ? ' ' : key[i];
    word[i] = 0;
    return smi_fmt(&b->page, "%s", word);
}

static void fill_finding(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_OPEN, SMI_XLSX_PART, SMI_XLSX_PART, SMI_XLSX_BAD};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_GREY, SMI_XLSX_YELLOW, SMI_XLSX_YELLOW,
                                                    SMI_XLSX_RED};
    const struct list *l = self;
    const struct smi_summary *s = l->at[i].s;
    const struct smi_finding *f = &s->findings[l->at[i].of];
    struct smi_field_values row = {0};
    smi_field_values_fill(&row, &smi_finding_list, s, f);
    smi_workbook_fields(c, l->col, l->columns, smi_finding_fields, SMI_FINDING_FIELDS, row.v);
    c[FINDING_LEVEL].kind = kind[f->level];
    c[FINDING_LEVEL].look = look[f->level];
    smi_workbook_text(&c[FINDING_CAUSE], rule_words(b, smi_rules[f->rule].key));
    smi_workbook_run(b, &c[FINDING_RUN], s, true);
    if (f->has_from)
        smi_workbook_time(b, &c[FINDING_FROM], s, f->from_ms);
}

void smi_workbook_findings(struct smi_workbook *b)
{
    struct list *l = list_entries(b, offsetof(struct smi_summary, nfindings));
    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++) { /* to be read once, and in the order of runs */
        smi_sweep_has_run(b->sweep, i);
        l->at[i].key = l->at[i].s->findings[l->at[i].of].gpu_ms;
    }
    if (l->n)
        qsort(l->at, l->n, sizeof *l->at, by_time);
    l->columns = FINDING_COLUMNS;
    l->col = smi_workbook_columns(b, finding_columns, FINDING_COLUMNS, FINDING_COLUMNS);
    if (l->col)
        l->col[FINDING_FROM].head = smi_fmt(&b->page, "From (%s)", b->zone);
    write_list(b, l, SMI_WORKBOOK_FINDINGS, "One row for each thing that was found, most GPU-hours first.",
               "no findings", fill_finding);
}

/* --- inputs --- */

#define SMI_SHEET_INPUTS(id, ...) INPUT_##id,
enum {
#include "report/workbook_column.def"
    INPUT_COLUMNS
};
#define SMI_SHEET_INPUTS(id, text, ...) {.head = text, __VA_ARGS__},
static const struct smi_workbook_column input_columns[INPUT_COLUMNS] = {
#include "report/workbook_column.def"
};

static const char *rejection_reasons(struct smi_workbook *b, const struct smi_account *a)
{
    const char *t = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            t = smi_fmt(&b->page, "%s%s%s: %lld", t, *t ? ", " : "",
                        smi_key_label(&b->page, smi_reject_names[i]), (long long)a->rejected[i]);
    if (a->problems)
        t = smi_fmt(&b->page, a->problem[0].line > 0 ? "%s%sline %lld: %s" : "%s%s%.0lld%s", t,
                    *t ? "; " : "", (long long)(a->problem[0].line > 0 ? a->problem[0].line : 0),
                    a->problem[0].text);
    return *t ? t : NULL;
}

static void fill_input(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct list *l = self;
    const struct smi_input *in = &l->at[i].s->inputs[l->at[i].of];
    const struct smi_account *a = &in->account;
    smi_workbook_text(&c[INPUT_RUN], l->at[i].s->run);
    smi_workbook_text(&c[INPUT_FILE], in->path);
    smi_workbook_text(&c[INPUT_FORMAT], in->format);
    smi_workbook_count(&c[INPUT_LINES], a->lines);
    smi_workbook_count(&c[INPUT_ROWS], a->rows);
    smi_workbook_count(&c[INPUT_REJECTED], smi_account_rejected(a));
    smi_workbook_text(&c[INPUT_WHY], rejection_reasons(b, a));
    smi_workbook_count(&c[INPUT_GAPS], in->gaps);
    smi_workbook_value(&c[INPUT_INTERVAL], &l->col[INPUT_INTERVAL], in->interval_s);
    smi_workbook_text(&c[INPUT_BASE], l->at[i].s->time_base);
}

void smi_workbook_inputs(struct smi_workbook *b)
{
    struct list *l = list_entries(b, offsetof(struct smi_summary, ninputs));
    if (!l)
        return;
    l->columns = INPUT_COLUMNS;
    l->col = smi_workbook_columns(b, input_columns, INPUT_COLUMNS, INPUT_COLUMNS);
    write_list(b, l, SMI_WORKBOOK_INPUTS,
               "One row a log: what became of its lines, how often it was written.", "no logs", fill_input);
}

/* ---- the sheet Commands: what tracked commands were, how they ended and what they used. ---- */

enum { RUN, COMMAND, CODE, REASON, FIXED, MOST = FIXED + 2 * SMI_COMMAND_USES * SMI_COMMAND_PARTS };

static const struct smi_workbook_column fixed[FIXED] = {
    [RUN] = {.head = "Run", .help = "The run", .most = 50},
    [COMMAND] = {.head = "Command", .help = "As it was typed", .most = 60},
    [CODE] = {.head = "Exit status", .kind = SMI_XLSX_INT, .help = "128 + N where signal N ended it"},
    [REASON] = {.head = "Reason", .help = "Why it failed, or what is not known of its end", .most = 40}};

/* A column is the mean or the most of a part. */
struct figure {
    const struct smi_command_use *use;
    enum smi_command_part part;
    bool mean;
};

struct commands {
    size_t *run, n; /* their places in the sweep */
    struct figure figure[MOST];
    struct smi_workbook_column col[MOST];
    int columns;
};

size_t smi_workbook_has_commands(const struct smi_workbook *b)
{
    size_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        n += smi_command_is_tracked(&b->sweep->runs[i]);
    return n;
}

static void add_figure_column(struct smi_workbook *b, struct commands *c, const struct figure *f)
{
    static const char *const part[SMI_COMMAND_PARTS] = {"", "Main ", "Descendants "};
    const struct smi_metric *m = &smi_metrics[f->use->metric[f->part]];
    const bool gib = strcmp(m->unit, "MiB") == 0, pct = strcmp(m->unit, "%") == 0;
    const char *what = f->use->what;
    const bool first = f->part == SMI_COMMAND_ALL && *what >= 'a' && *what <= 'z';
    c->col[c->columns] = (struct smi_workbook_column){.head = smi_fmt(&b->page, "%s%c%s %s%s", part[f->part],
                                                                      first ? *what - 'a' + 'A' : *what,
                                                                      what + 1, f->mean ? "mean" : "most",
                                                                      pct   ? " %"
                                                                      : gib ? " GiB"
                                                                            : ""),
                                                      .help = m->help,
                                                      .kind = pct   ? SMI_XLSX_PERCENT
                                                              : gib ? SMI_XLSX_TWO
                                                                    : SMI_XLSX_INT,
                                                      .per = pct   ? SMI_WORKBOOK_PCT
                                                             : gib ? SMI_WORKBOOK_GIB
                                                                   : SMI_WORKBOOK_RAW};
    c->figure[c->columns++] = *f;
}

static void fill_command(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *cell)
{
    const struct commands *c = self;
    const struct smi_summary *s = &b->sweep->runs[c->run[i]];
    smi_workbook_run(b, &cell[RUN], s, true);
    smi_workbook_text(&cell[COMMAND], s->command);
    if (s->has_exit)
        smi_workbook_count(&cell[CODE], s->exit_code);
    smi_workbook_text(&cell[REASON], s->state_reason);
    for (int k = FIXED; k < c->columns; k++) {
        const struct figure *f = &c->figure[k];
        const struct smi_command_figures x = smi_command_figures(s, f->use, f->part);
        smi_workbook_value(&cell[k], &c->col[k], f->mean ? x.mean : x.max);
    }
}

void smi_workbook_commands(struct smi_workbook *b)
{
    struct commands *c = smi_workbook_alloc(b, 1, sizeof *c);
    if (c)
        c->run = smi_workbook_alloc(b, b->sweep->n, sizeof *c->run);
    if (!c || !c->run || smi_workbook_has_commands(b) == 0)
        return;
    memcpy(c->col, fixed, sizeof fixed);
    c->columns = FIXED;
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        for (int k = 0; k < SMI_COMMAND_PARTS; k++)
            for (int mean = smi_command_uses[i].mean; mean >= 0; mean--)
                if (smi_command_uses[i].metric[k] >= 0)
                    add_figure_column(
                        b, c, &(struct figure){&smi_command_uses[i], (enum smi_command_part)k, mean != 0});
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i); i++)
        if (smi_command_is_tracked(&b->sweep->runs[i]))
            c->run[c->n++] = i;
    smi_workbook_table(
        b,
        &(struct smi_workbook_table){SMI_WORKBOOK_COMMANDS,
                                     "One row a command that smilog run tracked, with all that it started.",
                                     c->col, c->columns, false, "no command was tracked", fill_command, c},
        c->n);
}
