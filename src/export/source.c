#include "export/source.h"

#include "base/mem.h"
#include "figures/streams.h"

#include <limits.h>

static size_t place_of(int gpu, unsigned metric)
{
    return (size_t)(gpu + 1) * SMI_METRIC_COUNT + metric;
}

static int see_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    struct smi_source *s = self;
    const struct smi_export_input *in = &s->r->input[s->input];
    (void)err;
    if (s->utc && !(row->timed && in->base == SMI_BASE_UTC))
        return 0;
    for (unsigned i = 0; i < row->n; i++) {
        int *best = &s->rank[place_of(row->gpu, row->metric[i])], rank = smi_source_rank(in->kind, row->metric[i]);
        *best = rank < *best ? rank : *best;
    }
    return 0;
}

/* Its first row's time. */
static int first_row(void *self, const struct smi_export_row *row, struct smi_err *err)
{
    int64_t *first = self;
    *first = row->timed ? row->t_ms : INT64_MIN;
    return smi_err_set(err, SMI_EIO, "enough");
}

/* Few inputs, and nearly always one of a format. */
static void sort(struct smi_source *s)
{
    const struct smi_export_input *in = s->r->input;
    int64_t first[2] = {0, 0};
    for (size_t i = 1; i < s->r->inputs; i++)
        for (size_t k = i; k > 0; k--) {
            size_t a = s->order[k - 1], b = s->order[k];
            if (in[a].kind < in[b].kind)
                break;
            if (in[a].kind == in[b].kind) {
                first[0] = first[1] = INT64_MIN;
                smi_export_rows(s->r, a, 0, first_row, &first[0], &(struct smi_err){0});
                smi_export_rows(s->r, b, 0, first_row, &first[1], &(struct smi_err){0});
                if (first[0] <= first[1])
                    break;
            }
            s->order[k - 1] = b;
            s->order[k] = a;
        }
}

int smi_source_make(struct smi_source *s, const struct smi_export_run *r, bool utc, struct smi_err *err)
{
    size_t n = (r->summary->ngpus + 1) * SMI_METRIC_COUNT;
    *s = (struct smi_source){.r = r, .utc = utc};
    s->rank = smi_mem_new(n, sizeof *s->rank);
    s->order = smi_mem_new(r->inputs, sizeof *s->order);
    if (!s->rank || !s->order)
        return smi_err_nomem(err);
    for (size_t i = 0; i < n; i++)
        s->rank[i] = INT_MAX;
    for (s->input = 0; s->input < r->inputs; s->input++) {
        s->order[s->input] = s->input;
        if (smi_export_rows(r, s->input, 0, see_row, s, err))
            return -1;
    }
    sort(s);
    return 0;
}

bool smi_source_feeds(const struct smi_source *s, size_t input, int gpu, unsigned metric)
{
    return smi_source_rank(s->r->input[input].kind, metric) == s->rank[place_of(gpu, metric)];
}

unsigned smi_source_row(const struct smi_source *s, size_t input, const struct smi_export_row *row, uint16_t *metric,
                        int64_t *v)
{
    unsigned n = 0;
    for (unsigned i = 0; i < row->n; i++)
        if (smi_source_feeds(s, input, row->gpu, row->metric[i])) {
            metric[n] = row->metric[i];
            v[n++] = row->v[i];
        }
    return n;
}

void smi_source_fini(struct smi_source *s)
{
    smi_mem_free(s->rank);
    smi_mem_free(s->order);
}
