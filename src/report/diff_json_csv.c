/* diff_json_csv.c - what changed, for programs: every column, those that did not change too. */
#include "base/version.h"
#include "report/forms.h"
#include "report/output.h"

#include <math.h>
#include <string.h>

/* --- the columns, as rows of a result --- */

static const char *const heads[] = {"column",     "unit",       "n",
                                    "a",          "b",          "change",
                                    "change_pct", "spread",     "standard_errors",
                                    "pairs_up",   "pairs_down", "pairs_probability",
                                    "verdict",    "became"};
enum { HEADS = sizeof heads / sizeof *heads };

static struct smi_value_text text_cell(const char *text)
{
    return (struct smi_value_text){text, text ? SMI_CELL_TEXT : SMI_CELL_NULL};
}

static struct smi_value_text number_cell(struct smi_result *r, struct smi_value v)
{
    char t[SMI_MICRO_TEXT];
    if (!v.has)
        return text_cell(NULL);
    return (struct smi_value_text){smi_arena_text(&r->arena, t, smi_text_write_micro(t, v.micro)),
                                   SMI_CELL_NUMBER};
}

static struct smi_value_text count_cell(struct smi_result *r, size_t n)
{
    char t[SMI_I128_TEXT];
    return (struct smi_value_text){smi_arena_text(&r->arena, t, smi_i128_write(t, (smi_i128)n)),
                                   SMI_CELL_NUMBER};
}

/* Returns 0, or -1 without memory. */
static int add_row(struct smi_result *r, const struct smi_change *x)
{
    const struct smi_value v[] = {x->a, x->b, x->change, x->pct, x->spread, x->ratio};
    struct smi_value_text *c = &r->cell[r->n++ * HEADS], *first = c;
    const struct smi_value chance = {(int64_t)nearbyint(x->pairs.chance * 1e6), true};
    *c++ = text_cell(x->name);
    *c++ = text_cell(x->unit);
    *c++ = count_cell(r, x->n);
    for (size_t k = 0; k < sizeof v / sizeof *v; k++)
        *c++ = number_cell(r, v[k]);
    *c++ = count_cell(r, x->pairs.up);
    *c++ = count_cell(r, x->pairs.down);
    *c++ = number_cell(r, chance);
    *c++ = text_cell(smi_change_names[x->kind]);
    *c = text_cell(x->worse > 0 ? "worse" : x->worse < 0 ? "better" : NULL);
    for (int k = 0; k < HEADS; k++)
        if (first[k].kind == SMI_CELL_NUMBER && !first[k].text)
            return -1;
    return 0;
}

/* End with smi_result_fini. Returns 0, or -1 with err. */
static int make_rows(struct smi_result *r, const struct smi_diff *d, struct smi_err *err)
{
    *r = (struct smi_result){.made = true, .columns = HEADS};
    r->name = smi_arena_new(&r->arena, HEADS, sizeof *r->name);
    if (!r->name || smi_mem_reserve(&r->cell, &r->cap, d->n * HEADS + 1, sizeof *r->cell))
        goto failed;
    memcpy(r->name, heads, sizeof heads);
    for (size_t i = 0; i < d->n; i++)
        if (add_row(r, &d->of[i]))
            goto failed;
    return 0;
failed:
    smi_result_fini(r);
    return smi_err_nomem(err);
}

/* --- JSON --- */

static void write_json_side(struct smi_json *j, const char *key, const struct smi_diff *d, int k)
{
    const struct smi_sweep *s = k ? d->b : d->a;
    smi_json_key_open(j, key, '{');
    smi_json_name(j, "path", s->title);
    smi_json_key_int(j, "runs", (int64_t)s->n);
    smi_json_key_open(j, "states", '{');
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        smi_json_key_int(j, smi_state_names[i], (int64_t)smi_diff_count_state(s, i));
    smi_json_close(j, '}');
    smi_json_key_open(j, "only", '[');
    for (size_t i = 0; i < d->pairs->nonly[k]; i++)
        smi_json_str(j, s->runs[d->pairs->only[k][i]].run);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void write_json_pairs(struct smi_json *j, const struct smi_diff *d)
{
    static const char *const by[SMI_PAIR_KINDS] = {"alone", "name", "parameters", "repeat"};
    smi_json_key_open(j, "pairs", '[');
    for (size_t i = 0; i < d->pairs->n; i++) {
        const struct smi_pair *p = &d->pairs->of[i];
        smi_json_open(j, '{');
        smi_json_key_str(j, "a", d->a->runs[p->a].run);
        smi_json_key_str(j, "b", d->b->runs[p->b].run);
        smi_json_key_str(j, "by", by[p->by]);
        smi_json_key_int(j, "configuration", (int64_t)p->config);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

static void write_json_differences(struct smi_json *j, const struct smi_pairs *p)
{
    smi_json_key_open(j, "differs", '[');
    for (size_t i = 0; i < p->ndiffers; i++) {
        smi_json_open(j, '{');
        smi_json_key_str(j, "param", p->differs[i].key);
        smi_json_key_str(j, "a", p->differs[i].a);
        smi_json_key_str(j, "b", p->differs[i].b);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

int smi_diff_json(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                  struct smi_err *err)
{
    struct smi_result rows;
    struct smi_json j;
    (void)look;
    if (make_rows(&rows, d, err))
        return -1;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"diff\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    write_json_side(&j, "a", d, 0);
    write_json_side(&j, "b", d, 1);
    write_json_pairs(&j, d);
    write_json_differences(&j, d->pairs);
    smi_json_key_open(&j, "repeats", '[');
    for (size_t i = 0; i < d->pairs->repeats; i++)
        smi_json_str(&j, d->pairs->repeat[i]);
    smi_json_close(&j, ']');
    smi_json_key_int(&j, "other_parameters", (int64_t)d->pairs->mixed);
    smi_json_key_int(&j, "tested", (int64_t)d->tested);
    smi_json_key_open(&j, "columns", '[');
    for (size_t i = 0; i < rows.n; i++)
        smi_result_object(&j, &rows, i);
    smi_json_close(&j, ']');
    smi_json_close(&j, '}');
    smi_buf_str(to, "}\n");
    smi_result_fini(&rows);
    return to->failed ? smi_err_nomem(err) : 0;
}

int smi_diff_csv(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                 struct smi_err *err)
{
    struct smi_result rows;
    int rc = make_rows(&rows, d, err);
    if (rc)
        return rc;
    rc = smi_result_csv(to, &rows, look, err);
    smi_result_fini(&rows);
    return rc;
}
