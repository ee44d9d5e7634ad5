/* workbook_findings.c - the sheets Findings, most GPU time first, and Inputs. */
#include "report/workbook_private.h"

#include "summary/rule.h"
#include "report/text_report.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    const struct smi_summary *s;
    const struct smi_finding *f;
};

struct list {
    struct entry *at;
    size_t n;
};

enum { LEVEL, CAUSE, RUN, GPU, FROM, GPU_H, COST, WHAT, ADVICE, COLUMNS };

static const struct smi_workbook_column finding_columns[COLUMNS] = {
    [LEVEL] = {.head = "Level", .of = &smi_finding_fields[1]},
    [CAUSE] = {.head = "Cause", .help = "What it is: smilog list rules explains each", .most = 30},
    [RUN] = {.head = "Run", .help = "The run, with a link to its row", .most = 50},
    [GPU] = {.head = "GPU", .kind = SMI_XLSX_INT, .of = &smi_finding_fields[2]},
    [FROM] = {.head = "From",
              .kind = SMI_XLSX_TIME,
              .help = "When it began, on the clock that the head names"},
    [GPU_H] = {.head = "GPU-h",
               .kind = SMI_XLSX_TWO,
               .per = SMI_WORKBOOK_RAW,
               .bars = true,
               .help = "The GPU-hours that it is about; two findings may be about the same ones"},
    [COST] = {.head = "Cost",
              .kind = SMI_XLSX_MONEY,
              .per = SMI_WORKBOOK_RAW,
              .help = "Of these GPU-hours",
              .money = true},
    [WHAT] = {.head = "What happened", .help = "In words", .most = 90},
    [ADVICE] = {.head = "What to do", .help = "What may help", .most = 70},
};

static int by_time(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->f->gpu_ms != y->f->gpu_ms)
        return x->f->gpu_ms > y->f->gpu_ms ? -1 : 1;
    if (x->s != y->s)
        return x->s < y->s ? -1 : 1;
    return x->f < y->f ? -1 : x->f > y->f;
}

/* "memory-near-full" in words. */
static const char *error_cause(struct smi_workbook *b, const char *key)
{
    char word[64];
    size_t i = 0;
    for (; key[i] && i < sizeof word - 1; i++)
        word[i] = key[i] == '-' ? ' ' : key[i];
    word[i] = 0;
    return smi_fmt(&b->page, "%s", word);
}

static void level(struct smi_workbook_cell *c, enum smi_level level)
{
    static const enum smi_xlsx_kind kind[] = {SMI_XLSX_OPEN, SMI_XLSX_PART, SMI_XLSX_PART, SMI_XLSX_BAD};
    static const enum smi_xlsx_appearance look[] = {SMI_XLSX_GREY, SMI_XLSX_YELLOW, SMI_XLSX_YELLOW,
                                                    SMI_XLSX_RED};
    smi_workbook_text(c, smi_level_names[level]);
    c->kind = kind[level];
    c->look = look[level];
}

static void fill_finding(struct smi_workbook *b, void *self, size_t i, struct smi_workbook_cell *c)
{
    const struct entry *e = &((const struct list *)self)->at[i];
    const struct smi_finding *f = e->f;
    level(&c[LEVEL], f->level);
    smi_workbook_text(&c[CAUSE], error_cause(b, smi_rules[f->rule].key));
    smi_workbook_run(b, &c[RUN], e->s, true);
    if (f->gpu >= 0)
        smi_workbook_count(&c[GPU], f->gpu);
    if (f->has_from)
        smi_workbook_time(b, &c[FROM], e->s, f->from_ms);
    smi_workbook_value(&c[GPU_H], &finding_columns[GPU_H], f->gpu_hours);
    smi_workbook_value(&c[COST], &finding_columns[COST], f->cost);
    smi_workbook_text(&c[WHAT], f->text);
    smi_workbook_text(&c[ADVICE], f->advice);
}

void smi_workbook_findings(struct smi_workbook *b)
{
    struct list *l = smi_workbook_alloc(b, 1, sizeof *l);
    struct smi_workbook_table *t = smi_workbook_alloc(b, 1, sizeof *t);
    struct smi_workbook_column *col = smi_workbook_alloc(b, COLUMNS, sizeof *col);
    size_t n = 0;
    for (size_t i = 0; i < b->sweep->n; i++)
        n += b->sweep->runs[i].nfindings;
    if (!l || !t || !col || !(l->at = smi_workbook_alloc(b, n, sizeof *l->at)))
        return;
    for (size_t i = 0; i < b->sweep->n; i++)
        for (size_t k = 0; k < b->sweep->runs[i].nfindings; k++)
            l->at[l->n++] = (struct entry){&b->sweep->runs[i], &b->sweep->runs[i].findings[k]};
    if (n)
        qsort(l->at, n, sizeof *l->at, by_time);
    memcpy(col, finding_columns, sizeof finding_columns);
    col[FROM].head = smi_fmt(&b->page, "From (%s)", b->zone);
    *t = (struct smi_workbook_table){.sheet = SMI_WORKBOOK_FINDINGS,
                                     .about = "One row for each thing that was found, most GPU-hours first.",
                                     .col = col,
                                     .n = COLUMNS,
                                     .none = "no findings",
                                     .fill = fill_finding,
                                     .self = l};
    smi_workbook_table(b, t, n);
}

/* --- inputs --- */

struct input {
    const struct smi_summary *s;
    const struct smi_input *in;
};

struct inputs {
    struct input *at;
    size_t n;
};

enum { I_RUN, I_FILE, I_FORMAT, I_LINES, I_ROWS, I_REJECTED, I_WHY, I_GAPS, I_INTERVAL, I_BASE, I_COLUMNS };

static const struct smi_workbook_column input_columns[I_COLUMNS] = {
    [I_RUN] = {.head = "Run", .help = "The run", .most = 50},
    [I_FILE] = {.head = "File", .help = "Path of the log", .most = 60},
    [I_FORMAT] = {.head = "Format", .help = "As it was recognised", .most = 24},
    [I_LINES] = {.head = "Lines",
                 .kind = SMI_XLSX_INT,
                 .help = "All of them: heads, rows, duplicates, blank ones, messages, rejected ones"},
    [I_ROWS] = {.head = "Rows", .kind = SMI_XLSX_INT, .help = "Lines that count"},
    [I_REJECTED] = {.head = "Rejected", .kind = SMI_XLSX_INT, .help = "Lines that could not be used"},
    [I_WHY] = {.head = "Why", .help = "The reasons, how often, and the first of what was odd", .most = 80},
    [I_GAPS] = {.head = "Gaps",
                .kind = SMI_XLSX_INT,
                .help = "Intervals so long that nothing is known of them"},
    [I_INTERVAL] = {.head = "Interval s",
                    .kind = SMI_XLSX_TWO,
                    .per = SMI_WORKBOOK_RAW,
                    .help = "Lower median of the times "
                            "between two rows of a GPU"},
    [I_BASE] = {.head = "Time base", .help = "The clock of the run, and how it is known", .most = 34},
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
    const struct input *e = &((const struct inputs *)self)->at[i];
    const struct smi_account *a = &e->in->account;
    smi_workbook_text(&c[I_RUN], e->s->run);
    smi_workbook_text(&c[I_FILE], e->in->path);
    smi_workbook_text(&c[I_FORMAT], e->in->format);
    smi_workbook_count(&c[I_LINES], a->lines);
    smi_workbook_count(&c[I_ROWS], a->rows);
    smi_workbook_count(&c[I_REJECTED], smi_account_rejected(a));
    smi_workbook_text(&c[I_WHY], rejection_reasons(b, a));
    smi_workbook_count(&c[I_GAPS], e->in->gaps);
    smi_workbook_value(&c[I_INTERVAL], &input_columns[I_INTERVAL], e->in->interval_s);
    smi_workbook_text(&c[I_BASE], e->s->time_base);
}

void smi_workbook_inputs(struct smi_workbook *b)
{
    struct inputs *l = smi_workbook_alloc(b, 1, sizeof *l);
    struct smi_workbook_table *t = smi_workbook_alloc(b, 1, sizeof *t);
    size_t n = 0;
    for (size_t i = 0; i < b->sweep->n; i++)
        n += b->sweep->runs[i].ninputs;
    if (!l || !t || !(l->at = smi_workbook_alloc(b, n, sizeof *l->at)))
        return;
    for (size_t i = 0; i < b->sweep->n; i++)
        for (size_t k = 0; k < b->sweep->runs[i].ninputs; k++)
            l->at[l->n++] = (struct input){&b->sweep->runs[i], &b->sweep->runs[i].inputs[k]};
    *t = (struct smi_workbook_table){.sheet = SMI_WORKBOOK_INPUTS,
                                     .about = "One row a log: what became of its lines, how often it was "
                                              "written.",
                                     .col = input_columns,
                                     .n = I_COLUMNS,
                                     .none = "no logs",
                                     .fill = fill_input,
                                     .self = l};
    smi_workbook_table(b, t, n);
}
