/* api_query.c - include/smilog/query.h: tables, comparisons and limits. */
#include "api_private.h"

#include <stdlib.h>

struct smilog_result {
    struct smi_result r;
    struct smi_render_options look;
};

struct smilog_result *smilog_query(struct smilog_sweep *s, const struct smilog_options *o,
                                   struct smilog_error *err)
{
    const struct smi_settings *is = (o ? o : s->o)->is;
    const struct smi_query *q = &is->ask;
    struct smilog_result *r = smi_mem_new(1, sizeof *r);
    struct smi_err own = {0};
    if (!q->columns && !q->group_by && !q->sql)
        smi_err_set(&own, SMI_EUSAGE, "a query needs one of the options columns, group-by, sql");
    else if (smi_api_query(s, *q, &r->r, &own) == 0) {
        r->look = is->look;
        return r;
    }
    smi_api_fail(err, &own);
    smilog_result_free(r);
    return NULL;
}

size_t smilog_result_rows(const struct smilog_result *r)
{
    return r->r.n;
}

size_t smilog_result_columns(const struct smilog_result *r)
{
    return r->r.columns;
}

const char *smilog_result_name(const struct smilog_result *r, size_t column)
{
    return column < r->r.columns ? r->r.name[column] : NULL;
}

static const struct smi_value_text *cell_at(const struct smilog_result *r, size_t row, size_t column)
{
    return row < r->r.n && column < r->r.columns ? &r->r.cell[row * r->r.columns + column] : NULL;
}

const char *smilog_result_text(const struct smilog_result *r, size_t row, size_t column)
{
    const struct smi_value_text *v = cell_at(r, row, column);
    return v ? v->text : NULL;
}

bool smilog_result_number(const struct smilog_result *r, size_t row, size_t column, double *value)
{
    const struct smi_value_text *v = cell_at(r, row, column);
    int64_t micro;
    if (!v || !v->text || v->kind != SMI_CELL_NUMBER)
        return false;
    if (smi_text_parse_micro(smi_text_of(v->text), &micro) == 0)
        *value = (double)micro / 1e6;
    else
        *value = strtod(v->text, NULL); /* beyond 64 bits, or with more digits than millionths */
    return true;
}

char *smilog_result_render(const struct smilog_result *r, const char *format, struct smilog_error *err)
{
    const struct smi_output *out = smi_output_find(format, SMI_OUTPUT_NUMBERS);
    struct smi_buf b = {0};
    struct smi_err own = {0};
    int rc = 0;
    if (out && out->rows)
        out->rows(&b, &r->r, &r->look);
    else
        rc = smi_err_set(&own, SMI_EUSAGE, "rows have no format %.60s", format);
    return smi_api_take_text(&b, rc, NULL, &own, err);
}

void smilog_result_free(struct smilog_result *r)
{
    if (!r)
        return;
    smi_result_fini(&r->r);
    smi_mem_free(r);
}

/* ---- two sweeps ---- */

static int write_diff(struct smi_buf *to, const struct smilog_sweep *a, const struct smilog_sweep *b,
                      smi_diff_write_fn *write, const struct smilog_options *o, struct smi_err *err)
{
    const struct smi_settings *is = (o ? o : a->o)->is;
    struct smi_pairs pairs = {0};
    struct smi_diff d = {0};
    int rc = smi_pairs_make(&pairs, &a->s, &b->s, NULL, false, err);
    if (!rc && !pairs.n)
        rc = smi_err_set(err, SMI_EFORMAT, "no run of %.200s matches one of %.200s, by name or by parameters",
                         a->s.title, b->s.title);
    if (!rc)
        rc = smi_diff_make(&d, &a->s, &b->s, &pairs, o ? is->ask.columns : NULL, err);
    if (!rc)
        write(to, &d, &is->look);
    smi_diff_fini(&d);
    smi_pairs_fini(&pairs);
    return rc;
}

char *smilog_diff(const struct smilog_sweep *a, const struct smilog_sweep *b, const char *format,
                  const struct smilog_options *o, struct smilog_error *err)
{
    const struct smi_output *out = smi_output_find(format, SMI_OUTPUT_DIFF);
    struct smi_buf text = {0};
    struct smi_err own = {0};
    int rc = out ? write_diff(&text, a, b, out->diff, o, &own)
                 : smi_err_set(&own, SMI_EUSAGE, "a comparison has no format %.60s", format);
    return smi_api_take_text(&text, rc, NULL, &own, err);
}

/* ---- limits ---- */

int smilog_check(struct smilog_sweep *s, const char *expr, char **report, struct smilog_error *err)
{
    struct smi_check c = {.sweep = &s->s};
    struct smi_buf text = {0};
    struct smi_err own = {0};
    int64_t limit[SMI_CHECK_LIMITS];
    int rc;
    for (int i = 0; i < SMI_CHECK_LIMITS; i++)
        limit[i] = -1;
    rc = smi_check_sql(&c, limit, expr, strlen(expr) + 1, &own);
    if (!rc)
        smi_check_close(&c);
    if (!rc && report)
        smi_check_json(&text, &c, &s->o->is->look);
    if (report) {
        *report = smi_api_take_text(&text, rc, NULL, &own, err);
        rc = *report ? 0 : -1;
    } else if (rc) {
        smi_api_fail(err, &own);
    }
    if (!rc)
        rc = c.broken ? SMILOG_BROKEN : smi_check_has_unmeasurable(&c) ? SMILOG_UNMEASURABLE : SMILOG_HOLDS;
    smi_check_fini(&c);
    return rc;
}
