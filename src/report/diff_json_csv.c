/* diff_json_csv.c - what changed, for programs: every column, those that did not change too. */
#include "base/version.h"
#include "report/diff_forms.h"
#include "report/json_run_private.h"
#include "report/output.h"

#include <string.h>

static const char *worse_word(const struct smi_change *x)
{
    return x->worse > 0 ? "worse" : x->worse < 0 ? "better" : NULL;
}

/* --- JSON --- */

static void write_json_side(struct smi_json *j, const char *key, const struct smi_diff *d, int k)
{
    const struct smi_sweep *s = k ? d->b : d->a;
    smi_json_key(j, key);
    smi_json_open(j, '{');
    smi_json_name(j, "path", s->title);
    smi_json_key_int(j, "runs", (int64_t)s->n);
    smi_json_key(j, "states");
    smi_json_open(j, '{');
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++) {
        int64_t n = 0;
        for (size_t r = 0; r < s->n; r++)
            n += s->runs[r].state == (enum smi_state)i;
        smi_json_key_int(j, smi_state_names[i], n);
    }
    smi_json_close(j, '}');
    smi_json_key(j, "only");
    smi_json_open(j, '[');
    for (size_t i = 0; i < d->pairs->nonly[k]; i++)
        smi_json_str(j, s->runs[d->pairs->only[k][i]].run);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

static void write_json_pairs(struct smi_json *j, const struct smi_diff *d)
{
    static const char *const by[SMI_PAIR_KINDS] = {"alone", "name", "parameters", "repeat"};
    smi_json_key(j, "pairs");
    smi_json_open(j, '[');
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
    smi_json_key(j, "differs");
    smi_json_open(j, '[');
    for (size_t i = 0; i < p->ndiffers; i++) {
        smi_json_open(j, '{');
        smi_json_key_str(j, "param", p->differs[i].key);
        smi_json_key_str(j, "a", p->differs[i].a);
        smi_json_key_str(j, "b", p->differs[i].b);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

static void write_json_change(struct smi_json *j, const struct smi_change *x)
{
    smi_json_open(j, '{');
    smi_json_key_str(j, "column", x->name);
    smi_json_key_str(j, "unit", x->unit);
    smi_json_key_int(j, "n", (int64_t)x->n);
    smi_json_value(j, "a", x->a);
    smi_json_value(j, "b", x->b);
    smi_json_value(j, "change", x->change);
    smi_json_value(j, "change_pct", x->pct);
    smi_json_value(j, "spread", x->spread);
    smi_json_value(j, "standard_errors", x->ratio);
    smi_json_key_str(j, "verdict", smi_change_names[x->kind]);
    smi_json_key_str(j, "became", worse_word(x));
    smi_json_close(j, '}');
}

int smi_diff_json(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                  struct smi_err *err)
{
    struct smi_json j;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"diff\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    write_json_side(&j, "a", d, 0);
    write_json_side(&j, "b", d, 1);
    write_json_pairs(&j, d);
    write_json_differences(&j, d->pairs);
    smi_json_key(&j, "repeats");
    smi_json_open(&j, '[');
    for (size_t i = 0; i < d->pairs->repeats; i++)
        smi_json_str(&j, d->pairs->repeat[i]);
    smi_json_close(&j, ']');
    smi_json_key_int(&j, "other_parameters", (int64_t)d->pairs->mixed);
    smi_json_key_int(&j, "tested", (int64_t)d->tested);
    smi_json_key(&j, "columns");
    smi_json_open(&j, '[');
    for (size_t i = 0; i < d->n; i++)
        write_json_change(&j, &d->of[i]);
    smi_json_close(&j, ']');
    smi_json_close(&j, '}');
    smi_buf_str(to, "}\n");
    return to->failed ? smi_err_nomem(err) : 0;
}

/* --- CSV: the rows of an answer --- */

static const char *const heads[] = {
    "column",          "unit",    "n",     "a", "b", "change", "change_pct", "spread",
    "standard_errors", "verdict", "became"};
enum { HEADS = sizeof heads / sizeof *heads };

static struct smi_value_text number_text(struct smi_result *r, struct smi_value v, bool *failed)
{
    char t[SMI_MICRO_TEXT];
    struct smi_value_text x = {NULL, SMI_CELL_NULL};
    if (v.has) {
        x.text = smi_arena_text(&r->arena, t, smi_text_write_micro(t, v.micro));
        x.kind = SMI_CELL_NUMBER;
        *failed |= !x.text;
    }
    return x;
}

static void fill_change_row(struct smi_result *r, const struct smi_change *x, bool *failed)
{
    struct smi_value_text *c = &r->cell[r->n++ * HEADS];
    char n[SMI_I128_TEXT];
    *c++ = (struct smi_value_text){x->name, SMI_CELL_TEXT};
    *c++ = (struct smi_value_text){x->unit, SMI_CELL_TEXT};
    *c++ = (struct smi_value_text){smi_arena_text(&r->arena, n, smi_i128_write(n, (smi_i128)x->n)),
                                   SMI_CELL_NUMBER};
    *failed |= !c[-1].text;
    *c++ = number_text(r, x->a, failed);
    *c++ = number_text(r, x->b, failed);
    *c++ = number_text(r, x->change, failed);
    *c++ = number_text(r, x->pct, failed);
    *c++ = number_text(r, x->spread, failed);
    *c++ = number_text(r, x->ratio, failed);
    *c++ = (struct smi_value_text){smi_change_names[x->kind], SMI_CELL_TEXT};
    *c = (struct smi_value_text){worse_word(x), worse_word(x) ? SMI_CELL_TEXT : SMI_CELL_NULL};
}

int smi_diff_csv(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look,
                 struct smi_err *err)
{
    struct smi_result r = {.made = true, .columns = HEADS};
    bool failed = smi_mem_reserve(&r.cell, &r.cap, d->n * HEADS + 1, sizeof *r.cell) != 0;
    int rc;
    r.name = smi_arena_new(&r.arena, HEADS, sizeof *r.name);
    failed |= !r.name;
    if (!failed)
        memcpy(r.name, heads, sizeof heads);
    for (size_t i = 0; i < d->n && !failed; i++)
        fill_change_row(&r, &d->of[i], &failed);
    rc = failed ? smi_err_nomem(err) : smi_result_csv(to, &r, look, err);
    smi_result_fini(&r);
    return rc;
}
