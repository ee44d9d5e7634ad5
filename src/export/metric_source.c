#include "export/export.h"

#include "base/mem.h"
#include "summary/gpus.h"

#include <limits.h>

static size_t rank_index(int gpu, unsigned metric)
{
    return (size_t)(gpu + 1) * SMI_METRIC_COUNT + metric;
}

int smi_metric_source_rank(const struct smi_metric_source *s, int gpu, unsigned metric)
{
    return s->rank[rank_index(gpu, metric)];
}

static int rank_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct smi_metric_source *s = self;
    const struct smi_export_input *in = &s->r->input[s->input];
    (void)err;
    if (s->utc && !(row->timed && in->base == SMI_TIME_BASE_UTC))
        return 0;
    for (unsigned i = 0; i < row->n; i++) {
        int *best = &s->rank[rank_index(row->gpu, row->metric[i])],
            rank = smi_metric_format_rank(in->kind, row->metric[i]);
        *best = rank < *best ? rank : *best;
    }
    return 0;
}

/* Its first row's time. */
static int first_row_time(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    int64_t *first = self;
    *first = row->timed ? row->t_ms : INT64_MIN;
    return smi_err_set(err, SMI_EIO, "enough");
}

struct place {
    size_t input;
    int kind;
    int64_t first; /* time of the first row, where another input is of its kind */
};

static int compare_input_order(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->input > b->input) - (a->input < b->input);
}

static void sort_inputs(struct smi_metric_source *s)
{
    const struct smi_export_input *in = s->r->input;
    size_t n = s->r->inputs, of[SMI_FMT_COUNT] = {0};
    struct place *p = smi_mem_new(n, sizeof *p);
    for (size_t i = 0; i < n; i++)
        of[in[i].kind]++;
    for (size_t i = 0; i < n; i++) {
        p[i] = (struct place){i, in[i].kind, INT64_MIN};
        if (of[in[i].kind] > 1)
            smi_export_rows(s->r, i, 0, first_row_time, &p[i].first, &(struct smi_err){0});
    }
    if (n)
        smi_sort(p, n, sizeof *p, compare_input_order);
    for (size_t i = 0; i < n; i++)
        s->order[i] = p[i].input;
    smi_mem_free(p);
}

int smi_metric_source_init(struct smi_metric_source *s, const struct smi_export_run *r, bool utc,
                           struct smi_err *err)
{
    size_t n = (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
    *s = (struct smi_metric_source){.r = r, .utc = utc};
    s->rank = smi_mem_new(n, sizeof *s->rank);
    s->order = smi_mem_new(r->inputs, sizeof *s->order);
    for (size_t i = 0; i < n; i++)
        s->rank[i] = INT_MAX;
    for (s->input = 0; s->input < r->inputs; s->input++) {
        if (smi_export_rows(r, s->input, 0, rank_row, s, err))
            return -1;
    }
    for (size_t i = 0; i < r->inputs; i++)
        s->order[i] = i;
    if (!utc)
        sort_inputs(s);
    return 0;
}

bool smi_metric_source_feeds(const struct smi_metric_source *s, size_t input, int gpu, unsigned metric)
{
    return smi_metric_format_rank(s->r->input[input].kind, metric) == smi_metric_source_rank(s, gpu, metric);
}

unsigned smi_metric_source_row(const struct smi_metric_source *s, size_t input,
                               const struct smi_export_row *row, uint16_t *metric, int64_t *v)
{
    unsigned n = 0;
    for (unsigned i = 0; i < row->n; i++)
        if (smi_metric_source_feeds(s, input, row->gpu, row->metric[i])) {
            metric[n] = row->metric[i];
            v[n++] = row->v[i];
        }
    return n;
}

void smi_metric_source_fini(struct smi_metric_source *s)
{
    smi_mem_free(s->rank);
    smi_mem_free(s->order);
}
