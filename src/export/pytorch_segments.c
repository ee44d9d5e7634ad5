#include "export/pytorch_segments.h"

#include "base/mem.h"
#include "export/pytorch_json.h"

#include <inttypes.h>

/* The segments of the command of this name, which may be new; or NULL with err. */
static struct smi_pytorch_spans *name_spans(struct smi_pytorch_segments *s, struct smi_text name,
                                            struct smi_err *err)
{
    size_t i;
    if (smi_pytorch_names_find(&s->names, name, &i, err))
        return NULL;
    if (smi_mem_reserve(&s->of, &s->cap, i + 1, sizeof *s->of)) {
        smi_err_nomem(err);
        return NULL;
    }
    return &s->of[i];
}

/* Are these two at most SMI_PYTORCH_GAP apart? b is not before a. */
static bool is_near(int64_t a, int64_t b)
{
    return (uint64_t)b - (uint64_t)a <= SMI_PYTORCH_GAP;
}

int smi_pytorch_segments_add(struct smi_pytorch_segments *s, struct smi_text name, int64_t at,
                             struct smi_err *err)
{
    struct smi_pytorch_spans *c;
    struct smi_pytorch_segment *g;
    size_t i;
    if (name.n < 6 || memcmp(name.p, "python", 6) != 0)
        return 0;
    c = name_spans(s, name, err);
    if (!c)
        return -1;
    for (i = c->n; i > 0 && c->list[i - 1].start > at; i--) /* nearly always the last one */
        ;
    g = c->n ? c->list + i : NULL; /* begins after `at`; the one before it does not */
    if (i > 0 && (at <= g[-1].end || is_near(g[-1].end, at))) {
        if (at > g[-1].end)
            g[-1].end = at;
        if (i < c->n && is_near(g[-1].end, g->start)) { /* two become one */
            g[-1].end = g->end;
            memmove(g, g + 1, (c->n - i - 1) * sizeof *g);
            c->n--;
        }
        return 0;
    }
    if (i < c->n && is_near(at, g->start)) {
        g->start = at;
        return 0;
    }
    if (smi_mem_reserve(&c->list, &c->cap, c->n + 1, sizeof *c->list))
        return smi_err_nomem(err);
    memmove(c->list + i + 1, c->list + i, (c->n - i) * sizeof *c->list);
    c->list[i] = (struct smi_pytorch_segment){at, at};
    c->n++;
    return 0;
}

void smi_pytorch_segments_json(struct smi_buf *to, const struct smi_pytorch_segments *s)
{
    const char *comma = "";
    smi_buf_char(to, '[');
    for (size_t i = 0; i < s->names.n; i++)
        for (size_t k = 0; k < s->of[i].n; k++) {
            smi_buf_fmt(to, "%s{\"level\": \"CMD_PYTHON\", \"name\": ", comma);
            smi_pytorch_json_dump_string(to, (struct smi_text){s->names.list[i].p, s->names.list[i].n});
            smi_buf_fmt(to, ", \"start_at\": %" PRId64 ", \"end_at\": %" PRId64 ", \"extra_info\": {}}",
                        s->of[i].list[k].start, s->of[i].list[k].end);
            comma = ", ";
        }
    smi_buf_char(to, ']');
}

void smi_pytorch_segments_fini(struct smi_pytorch_segments *s)
{
    for (size_t i = 0; i < s->names.n && i < s->cap; i++)
        smi_mem_free(s->of[i].list);
    smi_mem_free(s->of);
    smi_pytorch_names_fini(&s->names);
    *s = (struct smi_pytorch_segments){0};
}
