/* csv_runs.c - a row a run, by the table of columns; and the rows of an answer. */
#include "summary/run_fields.h"
#include "report/output.h"

#include <string.h>

/* One row being written. */
struct row {
    struct smi_buf *to;
    struct smi_text_arena *g; /* for names that are made, of the rows of runs */
    bool some;
    bool raw; /* --raw */
};

/* A field; untrusted text is made safe, and may not begin like a formula of a spreadsheet: a ' in front of it
 * says so. Numbers never do. */
static void append_field(struct row *r, const char *text, bool trusted)
{
    const char *t = text ? text : "";
    bool quoted = strpbrk(t, ",\" ") != NULL;
    if (r->some)
        smi_buf_char(r->to, ',');
    r->some = true;
    if (quoted)
        smi_buf_char(r->to, '"');
    if (!trusted && !r->raw && *t && strchr("=+-@\t\r", *t))
        smi_buf_char(r->to, '\'');
    for (size_t n; *t && quoted; t += n) {
        n = strcspn(t, "\"");
        smi_buf_name(r->to, (struct smi_text){t, n});
        if (t[n])
            smi_buf_str(r->to, "\"\"");
        n += t[n] != 0;
    }
    if (quoted)
        smi_buf_char(r->to, '"');
    else
        smi_buf_name(r->to, smi_text_of(t));
}

static void end_row(struct row *r)
{
    smi_buf_char(r->to, '\n');
    r->some = false;
}

static void append_datum(struct row *r, const struct smi_datum *v)
{
    char t[SMI_MICRO_TEXT + SMI_I128_TEXT];
    if (v->kind == SMI_DATUM_TEXT) {
        append_field(r, v->text, false);
        return;
    }
    *t = 0;
    if (v->kind == SMI_DATUM_MICRO)
        smi_text_write_micro(t, v->n);
    else if (v->kind == SMI_DATUM_INT)
        smi_i128_write(t, v->n);
    append_field(r, v->kind == SMI_DATUM_BOOL ? v->n ? "true" : "false" : t, true);
}

/* The name of a parameter's column, or its value for a run. */
static void append_param(struct row *r, const struct smi_summary *s, const char *key)
{
    const struct smi_param *p = s ? smi_run_param(s, key) : NULL;
    if (s)
        append_field(r, p ? p->text : NULL, p && p->bare);
    else
        append_field(r, smi_fmt(r->g, "param.%s", key), true);
}

/* The names of the columns, or the values of a run. */
static void append_run(struct row *r, const struct smi_sweep *sweep, const struct smi_render_options *look,
                       const struct smi_summary *s, const struct smi_field_values *v)
{
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        if ((smi_run_fields[i].price == SMI_PRICE_MONEY && !look->money) ||
            (smi_run_fields[i].price == SMI_PRICE_CO2 && !look->co2))
            continue;
        if (s)
            append_datum(r, &v->v[i]);
        else
            append_field(r, smi_run_fields[i].key, true);
        for (size_t k = 0; i == SMI_RUN_FIELD_HOSTNAME && k < sweep->ncommon; k++)
            append_param(r, s, sweep->common[k].key);
        for (size_t k = 0; i == SMI_RUN_FIELD_HOSTNAME && k < sweep->nvarying; k++)
            append_param(r, s, sweep->varying[k]);
    }
    for (size_t k = 0; k < sweep->njoined; k++)
        append_field(r, s ? s->joined[k].text : sweep->joined[k], s && s->joined[k].bare);
    end_row(r);
}

int smi_write_csv(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look,
                  struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .sweep = s, .look = look};
    struct row r = {.to = to, .g = &g, .raw = look->raw};
    struct smi_field_values v = {0};
    append_run(&r, s, look, NULL, NULL);
    for (size_t i = 0; smi_sweep_has_run(s, i) && !to->failed; i++) {
        to->failed |= smi_run_values_fill(&v, &s->runs[i]) != 0;
        append_run(&r, s, look, &s->runs[i], &v);
    }
    smi_field_values_fini(&v);
    return smi_text_arena_end(&g, err);
}

int smi_result_csv(struct smi_buf *to, const struct smi_result *rows, const struct smi_render_options *look,
                   struct smi_err *err)
{
    struct row r = {.to = to, .raw = look->raw};
    for (size_t i = 0; i < rows->columns; i++)
        append_field(&r, rows->name[i], false);
    end_row(&r);
    for (size_t i = 0; i < rows->n * rows->columns; i++) {
        append_field(&r, rows->cell[i].text, rows->cell[i].kind != SMI_CELL_TEXT);
        if ((i + 1) % rows->columns == 0)
            end_row(&r);
    }
    return to->failed ? smi_err_nomem(err) : 0;
}
