/* diff_text.c - what changed, for people: a table, and a few lines for a pull request (screens.md §10). */
#include "query/diff.h"
#include "report/output.h"
#include "report/grid.h"
#include "report/text_report.h"

#include <string.h>

enum { NAMES = 10, DIFFERS = 6, LEAST = 12 };

static const char *const ways[SMI_PAIR_WAYS] = {"alone", "by name", "by parameters", "as repeats"};

/* --- numbers --- */

static int64_t size_of(int64_t v)
{
    return v < 0 ? -v : v;
}

/* As many decimals as show two digits of the change: hours at least two, all others one. */
static int digits_of(const struct smi_change *x)
{
    static const int64_t ten[] = {10000000, 1000000, 100000, 10000, 1000, 100, 10}; /* ten units of the last place */
    int digits = strcmp(x->unit, "h") == 0 ? 2 : 1;
    while (digits < 6 && x->change.micro && size_of(x->change.micro) < ten[digits])
        digits++;
    return digits;
}

/* In a pipe in full. */
static const char *value(struct smi_page *g, struct smi_value v, int digits, bool plus)
{
    char t[SMI_MICRO_TEXT];
    if (!v.has)
        return "-";
    if (digits > 0)
        return smi_page_fmt(g, "%s%s", plus && v.micro > 0 ? "+" : "", smi_page_value(g, v, digits));
    smi_text_put_micro(t, v.micro);
    return smi_page_fmt(g, "%s", t);
}

static const char *plural(struct smi_page *g, size_t n, const char *word)
{
    return smi_page_fmt(g, "%zu %s%s", n, word, n == 1 ? "" : "s");
}

/* --- the lines around the table --- */

typedef const char *name_fn(struct smi_page *g, const char *s);

static const char *plain(struct smi_page *g, const char *s)
{
    return smi_page_safe(g, s);
}

static const char *matched(struct smi_page *g, const struct smi_diff *d)
{
    const char *t = "";
    if (d->pairs->by[SMI_PAIR_ALONE])
        return "one run against one";
    for (int i = SMI_PAIR_NAME; i < SMI_PAIR_WAYS; i++)
        if (d->pairs->by[i])
            t = smi_page_fmt(g, "%s%s%zu %s", t, *t ? ", " : "", d->pairs->by[i], ways[i]);
    if (d->pairs->mixed)
        t = smi_page_fmt(g, "%s, %zu of these with other parameters", t, d->pairs->mixed);
    return smi_page_fmt(g, "%s (%s)", plural(g, d->pairs->n, "pair"), t);
}

/* "3 configurations x 4 repeats (seed)" */
static const char *configs(struct smi_page *g, const struct smi_diff *d, name_fn *name)
{
    const struct smi_pairs *p = d->pairs;
    const char *t = "";
    if (p->most < 2)
        return "no repeats";
    for (size_t i = 0; i < p->repeats && i < NAMES; i++)
        t = smi_page_fmt(g, "%s%s%s", t, i ? ", " : "", name(g, p->repeat[i]));
    t = *t ? smi_page_fmt(g, " (%s)", t) : "";
    if (p->least < p->most)
        return smi_page_fmt(g, "%s x %zu to %zu repeats%s", plural(g, p->configs, "configuration"), p->least, p->most,
                            t);
    return smi_page_fmt(g, "%s x %zu repeats%s", plural(g, p->configs, "configuration"), p->most, t);
}

/* "jax 0.4.30 -> 0.4.31, batch 4096 -> 8192" */
static const char *differs(struct smi_page *g, const struct smi_diff *d, name_fn *name)
{
    const struct smi_pairs *p = d->pairs;
    const char *t = "";
    size_t n = g->look->all || p->ndiffers < DIFFERS ? p->ndiffers : DIFFERS;
    for (size_t i = 0; i < n; i++)
        t = smi_page_fmt(g, "%s%s%s", t, i ? ", " : "",
                         name(g, smi_page_fmt(g, "%s %s -> %s", p->differs[i].key, p->differs[i].a, p->differs[i].b)));
    return n < p->ndiffers ? smi_page_fmt(g, "%s, %zu more", t, p->ndiffers - n) : t;
}

static const char *only(struct smi_page *g, const struct smi_diff *d, int side, name_fn *name)
{
    const struct smi_summary *runs = side ? d->b->runs : d->a->runs;
    const char *t = "";
    size_t all = d->pairs->nonly[side], n = g->look->all || !g->look->width || all < NAMES ? all : NAMES;
    for (size_t i = 0; i < n; i++)
        t = smi_page_fmt(g, "%s%s%s", t, i ? ", " : "", name(g, runs[d->pairs->only[side][i]].run));
    return n < all ? smi_page_fmt(g, "%s and %zu more (--all)", t, all - n) : t;
}

static size_t in_state(const struct smi_sweep *s, int state)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->runs[i].state == (enum smi_state)state;
    return n;
}

/* "3 ok, 1 cut" */
static const char *states(struct smi_page *g, const struct smi_sweep *s)
{
    const char *t = "";
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        if (in_state(s, i))
            t = smi_page_fmt(g, "%s%s%zu %s", t, *t ? ", " : "", in_state(s, i),
                             i == SMI_STATE_NO_DATA ? "no data" : smi_state_names[i]);
    return t;
}

/* "3 ok, 1 cut -> 2 ok, 1 failed, 1 no data"; NULL where every run went well, as far as is known. */
static const char *all_states(struct smi_page *g, const struct smi_diff *d)
{
    bool ill = false;
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        if (i != SMI_STATE_OK && i != SMI_STATE_UNKNOWN)
            ill |= in_state(d->a, i) || in_state(d->b, i);
    return ill ? smi_page_fmt(g, "%s -> %s", states(g, d->a), states(g, d->b)) : NULL;
}

/* "1 real change, 19 columns inside the noise, 8 the same" */
static const char *total(struct smi_page *g, const struct smi_diff *d)
{
    const size_t *c = d->count;
    const char *t = smi_page_fmt(g, "%s, %s: ", plural(g, d->pairs->n, "pair"), plural(g, d->n, "column"));
    if (d->pairs->most > 1)
        t = smi_page_fmt(g, "%s%s, ", t, plural(g, c[SMI_CHANGE_REAL], "real change"));
    if (c[SMI_CHANGE_ALIKE])
        t = smi_page_fmt(g, "%s%zu with repeats all alike, ", t, c[SMI_CHANGE_ALIKE]);
    if (c[SMI_CHANGE_FEW])
        t = smi_page_fmt(g, "%s%zu with too few repeats to tell, ", t, c[SMI_CHANGE_FEW]);
    if (c[SMI_CHANGE_UNKNOWN])
        t = smi_page_fmt(g, "%s%zu changed%s, ", t, c[SMI_CHANGE_UNKNOWN],
                         d->pairs->most > 1 ? " without repeats" : "");
    if (d->pairs->most > 1)
        t = smi_page_fmt(g, "%s%zu inside the noise, ", t, c[SMI_CHANGE_NOISE]);
    return smi_page_fmt(g, "%s%zu the same", t, c[SMI_CHANGE_NONE]);
}

/* --- the table --- */

enum { COLUMN, A, B, CHANGE, PERCENT, SPREAD, VERDICT, BECAME, COLUMNS };

static const char *verdict(const struct smi_change *x)
{
    switch (x->kind) {
    case SMI_CHANGE_REAL:
        return x->worse > 0 ? "real, worse" : x->worse < 0 ? "real, better" : "real";
    case SMI_CHANGE_ALIKE:
        return "repeats all alike";
    case SMI_CHANGE_FEW:
        return "too few repeats";
    case SMI_CHANGE_UNKNOWN:
        return "no repeats";
    case SMI_CHANGE_NOISE:
        return "noise";
    default:
        return "same";
    }
}

static bool is_listed(const struct smi_change *x, const struct smi_look *look)
{
    return x->kind < SMI_CHANGE_NOISE || look->all;
}

static void row(struct smi_page *g, struct smi_grid *t, const struct smi_change *x)
{
    struct smi_cell *c = smi_grid_row(t, SMI_ROW_PLAIN);
    int digits = g->look->width ? digits_of(x) : 0;
    if (!c)
        return;
    c[COLUMN].text = smi_page_safe(g, x->name);
    c[A].text = value(g, x->a, digits, false);
    c[B].text = value(g, x->b, digits, false);
    c[CHANGE].text = value(g, x->change, digits, true);
    c[PERCENT].text = value(g, x->pct, g->look->width ? 1 : 0, true);
    c[SPREAD].text = value(g, x->spread, digits, false);
    c[VERDICT].text = g->look->width ? verdict(x) : smi_change_names[x->kind];
    c[BECAME].text = x->worse > 0 ? "worse" : x->worse < 0 ? "better" : "-";
    c[VERDICT].style = x->worse > 0 ? SMI_YELLOW : x->kind == SMI_CHANGE_REAL ? SMI_PLAIN : SMI_GREY;
}

static void table(struct smi_page *g, const struct smi_diff *d)
{
    struct smi_column col[COLUMNS] = {
        [COLUMN] = {.head = "COLUMN", .align = SMI_LEFT, .names = true, .least = LEAST},
        [A] = {.head = "A", .align = SMI_POINT},
        [B] = {.head = "B", .align = SMI_POINT},
        [CHANGE] = {.head = "CHANGE", .align = SMI_POINT},
        [PERCENT] = {.head = "%", .align = SMI_POINT},
        [SPREAD] = {.head = "SPREAD", .align = SMI_POINT, .hidden = d->pairs->most < 2 && g->look->width},
        [VERDICT] = {.head = g->look->width ? "" : "VERDICT", .align = SMI_LEFT,
                     .hidden = d->pairs->most < 2 && g->look->width},
        [BECAME] = {.head = "BECAME", .align = SMI_LEFT, .hidden = g->look->width > 0},
    };
    struct smi_grid t;
    smi_grid_begin(&t, g, col, COLUMNS);
    for (size_t i = 0; i < d->n; i++)
        if (is_listed(&d->of[i], g->look))
            row(g, &t, &d->of[i]);
    smi_grid_end(&t);
}

static void sides(struct smi_page *g, const struct smi_diff *d)
{
    const struct smi_sweep *s[] = {d->a, d->b};
    const char *ends = all_states(g, d);
    for (int k = 0; k < 2; k++)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "%c: %s, %s", 'A' + k, smi_page_safe(g, s[k]->title),
                                                 plural(g, s[k]->n, "run")));
    smi_page_line(g, SMI_PLAIN, d->pairs->by[SMI_PAIR_ALONE]
                                    ? matched(g, d)
                                    : smi_page_fmt(g, "%s, %s", matched(g, d), configs(g, d, plain)));
    if (ends)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "states: %s", ends));
    if (d->pairs->ndiffers)
        smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "differs: %s", differs(g, d, plain)));
}

static void others(struct smi_page *g, const struct smi_diff *d)
{
    for (int k = 0; k < 2; k++)
        if (d->pairs->nonly[k])
            smi_page_line(g, SMI_PLAIN, smi_page_fmt(g, "only in %c (%zu): %s", 'A' + k, d->pairs->nonly[k],
                                                     only(g, d, k, plain)));
}

int smi_diff_table(struct smi_buf *to, const struct smi_diff *d, const struct smi_look *look, struct smi_err *err)
{
    struct smi_page g = {.to = to, .sweep = d->a, .look = look};
    bool any = look->all ? d->n > 0 : d->n > d->count[SMI_CHANGE_NOISE] + d->count[SMI_CHANGE_NONE];
    sides(&g, d);
    smi_page_newline(&g);
    if (any) {
        table(&g, d);
        smi_page_newline(&g);
    }
    others(&g, d);
    if (d->absent && look->verbose)
        smi_page_line(&g, SMI_PLAIN,
                      smi_page_fmt(&g, "%s without a value in any pair", plural(&g, d->absent, "column")));
    smi_page_line(&g, SMI_BOLD, total(&g, d));
    if (d->pairs->most < 2 && d->count[SMI_CHANGE_UNKNOWN])
        smi_page_line(&g, SMI_GREY, "without repeats (runs that differ in seed, rep, fold or trial alone, or in what "
                                    "--repeats names) nobody knows what is noise");
    return smi_page_end(&g, err);
}

/* --- Markdown --- */

/* "gpu_util_mean_pct  81.9 -> 76.4  -5.5  (-6.7 %, spread of repeats 0.7: real)" */
static const char *md_line(struct smi_page *g, const struct smi_change *x)
{
    int digits = digits_of(x);
    const char *pct = x->pct.has ? smi_page_fmt(g, "%s %%", value(g, x->pct, 1, true)) : "from 0",
               *noise = x->kind == SMI_CHANGE_UNKNOWN ? ""
                        : x->kind == SMI_CHANGE_ALIKE
                            ? ", repeats all alike"
                        : x->kind == SMI_CHANGE_FEW
                            ? smi_page_fmt(g, ", spread of repeats %s: too few repeats to tell",
                                           value(g, x->spread, digits, false))
                            : smi_page_fmt(g, ", spread of repeats %s: real", value(g, x->spread, digits, false));
    return smi_page_fmt(g, "%s  %s -> %s  %s  (%s%s)", x->name, value(g, x->a, digits, false),
                        value(g, x->b, digits, false), value(g, x->change, digits, true), pct, noise);
}

int smi_diff_markdown(struct smi_buf *to, const struct smi_diff *d, const struct smi_look *look, struct smi_err *err)
{
    struct smi_page g = {.to = to, .sweep = d->a, .look = look};
    const char *ends = all_states(&g, d);
    bool any = false;
    smi_buf_fmt(to, "**%s -> %s: %s**\n\n", smi_markdown_code(&g, d->a->title), smi_markdown_code(&g, d->b->title),
                total(&g, d));
    for (size_t i = 0; i < d->n && d->of[i].kind < SMI_CHANGE_NOISE; i++, any = true)
        smi_buf_fmt(to, "- %s\n", smi_markdown_code(&g, md_line(&g, &d->of[i])));
    smi_buf_str(to, any ? "\n" : "");
    smi_buf_fmt(to, "%s; %s.\n", matched(&g, d), configs(&g, d, smi_markdown_code));
    if (ends)
        smi_buf_fmt(to, "States: %s.\n", ends);
    if (d->pairs->ndiffers)
        smi_buf_fmt(to, "Differs: %s.\n", differs(&g, d, smi_markdown_code));
    for (int k = 0; k < 2; k++)
        if (d->pairs->nonly[k])
            smi_buf_fmt(to, "Only in %s (%zu): %s.\n", k ? "B" : "A", d->pairs->nonly[k],
                        only(&g, d, k, smi_markdown_code));
    return smi_page_end(&g, err);
}
