/* workbook_samples.c - with --samples all: the sheet Samples, a row for every row of every log, its readings
 * as they were logged: 12.5 % is 12.5 there, for those who calculate with millions of them. */
#include "report/workbook_private.h"

#include "sweep/reread_rows.h"
#include "report/text_report.h"

#include <string.h>

struct samples {
    struct smi_workbook *b;
    const struct smi_summary *s; /* the run at hand */
    const char **gpu;            /* of each of its GPUs: its label, or NULL: its index is a number */
    struct smi_xlsx_sheet *to;
    int64_t row;
    bool runs, logs; /* there is a column for the run, for the log */
    int columns;
    int16_t at[SMI_METRIC_COUNT]; /* column of a metric, or -1 */
};

static void mark_metrics(struct samples *p, const struct smi_stats *m, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p->at[m[i].metric] = 0;
}

/* A column for each metric that some run has, in catalogue order. */
static void choose_sample_columns(struct samples *p)
{
    const struct smi_sweep *s = p->b->sweep;
    memset(p->at, -1, sizeof p->at);
    p->runs = s->n > 1;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        for (size_t g = 0; g < s->runs[i].ngpus; g++)
            mark_metrics(p, s->runs[i].gpus[g].stats, s->runs[i].gpus[g].nstats);
        mark_metrics(p, s->runs[i].host, s->runs[i].nhost);
        p->logs |= s->runs[i].ninputs > 1;
    }
    p->columns = 2 + p->runs + p->logs;
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (p->at[m] == 0)
            p->at[m] = (int16_t)p->columns++;
}

static void write_head(struct samples *p, int col, enum smi_xlsx_kind kind, double width, const char *text)
{
    smi_xlsx_text(p->to, 0, col, kind, SMI_XLSX_HEAD, text);
    smi_xlsx_width(p->to, col, col, width);
}

static void write_sample_heads(struct samples *p)
{
    struct smi_text_arena *g = &p->b->page;
    int col = 0;
    p->to = smi_xlsx_sheet(p->b->x, "Samples");
    smi_xlsx_height(p->to, 0, 32);
    if (p->runs)
        write_head(p, col++, SMI_XLSX_GENERAL, 30, "Run");
    if (p->logs)
        write_head(p, col++, SMI_XLSX_GENERAL, 30, "File");
    write_head(p, col++, SMI_XLSX_INT, 24, smi_fmt(g, "Time (%s)", p->b->zone));
    write_head(p, col++, SMI_XLSX_INT, 12, "GPU");
    for (int m = 0; m < SMI_METRIC_COUNT; m++)
        if (p->at[m] > 0)
            write_head(p, p->at[m], SMI_XLSX_INT, 12,
                       smi_fmt(g, "%s%s%s", smi_metric_label(g, (unsigned)m), *smi_metrics[m].unit ? " " : "",
                               smi_metrics[m].unit));
    smi_xlsx_freeze(p->to, 1, 0);
    smi_xlsx_print(p->to, p->columns / 16 + 1, 0, -1);
    p->row = 1;
}

static void end_sheet(struct samples *p)
{
    if (p->row > 1)
        smi_xlsx_filter(p->to, 0, 0, p->row - 1, p->columns - 1);
}

/* Of which run and log, when, of which GPU. */
static void write_sample_keys(struct samples *p, const struct smi_reread_row *r)
{
    struct smi_xlsx_cell time = {.kind = SMI_XLSX_STAMP}, gpu = {0};
    int col = 0;
    if (p->runs)
        smi_xlsx_text(p->to, p->row, col++, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, p->s->run);
    if (p->logs)
        smi_xlsx_text(p->to, p->row, col++, SMI_XLSX_GENERAL, SMI_XLSX_PLAIN, r->input);
    if (r->timed)
        smi_workbook_time(p->b, &time, p->s, r->t_ms);
    time.look = SMI_XLSX_PLAIN;
    smi_xlsx_put(p->to, p->row, col++, &time);
    if (r->gpu >= 0 && !p->gpu[r->gpu])
        smi_workbook_number(&gpu, p->s->gpus[r->gpu].index);
    else
        smi_workbook_text(&gpu, r->gpu < 0 ? "host" : p->gpu[r->gpu]);
    smi_xlsx_put(p->to, p->row, col, &gpu);
}

static int write_sample_row(void *self, const struct smi_reread_row *r, struct smi_err *err)
{
    struct samples *p = self;
    if (p->row == SMI_XLSX_ROWS) {
        end_sheet(p);
        write_sample_heads(p);
    }
    write_sample_keys(p, r);
    for (unsigned i = 0; i < r->n; i++)
        if (p->at[r->metric[i]] > 0)
            smi_xlsx_number(p->to, p->row, p->at[r->metric[i]], SMI_XLSX_GENERAL,
                            (double)r->v[i] / SMI_WORKBOOK_RAW);
    p->row++;
    return smi_xlsx_failed(p->b->x) ? smi_err_set(err, SMI_EIO, "stopped") : 0;
}

static void write_run_samples(struct samples *p, size_t i)
{
    struct smi_workbook *b = p->b;
    struct smi_err err = {0};
    int rc;
    p->s = &b->sweep->runs[i];
    p->gpu = smi_workbook_alloc(b, p->s->ngpus, sizeof *p->gpu);
    for (size_t g = 0; p->gpu && g < p->s->ngpus; g++)
        if (p->s->gpus[g].index < 0 || p->s->gpus[g].pooled)
            p->gpu[g] = p->s->gpus[g].pooled ? "rows of all" : smi_gpu_label(&b->page, &p->s->gpus[g]);
    rc = p->gpu ? smi_reread_rows(b->sweep, i, write_sample_row, p, &err) : -1;
    if (rc < 0)
        smi_xlsx_fail(b->x, err.code ? err.code : SMI_ENOMEM, err.code ? err.text : "memory ran out");
    b->unread += rc == 0;
}

void smi_workbook_samples(struct smi_workbook *b)
{
    struct samples *p = smi_workbook_alloc(b, 1, sizeof *p);
    if (!p || b->look->samples != SMI_SAMPLES_ALL)
        return;
    p->b = b;
    choose_sample_columns(p);
    write_sample_heads(p);
    for (size_t i = 0; smi_sweep_has_run(b->sweep, i) && !smi_xlsx_failed(b->x); i++)
        write_run_samples(p, i);
    end_sheet(p);
}
