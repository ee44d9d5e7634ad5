/* diff_report.c - a comparison of two sides as text, Markdown, JSON and CSV */
#include "base/version.h"
#include "report/output.h"
#include "report/text_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what changed, for people: a table, and a few lines for a pull request ---- */

enum { NAMES = 10, DIFFERS = 6, LEAST = 12 };

static const char *const ways[SMI_PAIR_KINDS] = {"alone", "by name", "by parameters", "as repeats"};

/* --- numbers --- */

/* As many decimals as show two digits of the change: hours at least two, all others one. */
static int change_digits(const struct smi_change *x)
{
    static const int64_t ten[] = {10000000, 1000000, 100000, 10000,
                                  1000,     100,     10}; /* ten units of the last place */
    int digits = strcmp(x->unit, "h") == 0 ? 2 : 1;
    while (digits < 6 && x->change.micro && llabs(x->change.micro) < ten[digits])
        digits++;
    return digits;
}

static const char *signed_text(struct smi_text_arena *g, struct smi_value v, int digits)
{
    return smi_fmt(g, "%s%s", v.has && v.micro > 0 ? "+" : "", smi_fmt_value(g, v, digits));
}

/* --- the lines around the table --- */

static const char *matched_text(struct smi_text_arena *g, const struct smi_diff *d)
{
    const char *t = "";
    if (d->pairs->by[SMI_PAIR_ALONE])
        return "one run against one";
    for (int i = SMI_PAIR_NAME; i < SMI_PAIR_KINDS; i++)
        if (d->pairs->by[i])
            t = smi_fmt_list(g, t, smi_fmt(g, "%zu %s", d->pairs->by[i], ways[i]));
    if (d->pairs->mixed)
        t = smi_fmt_list(g, t, smi_fmt(g, "%zu of these with other parameters", d->pairs->mixed));
    return smi_fmt(g, "%s (%s)", smi_fmt_count(g, (int64_t)d->pairs->n, "pair"), t);
}

/* "3 configurations x 4 repeats (seed)" */
static const char *configurations_text(struct smi_text_arena *g, const struct smi_diff *d,
                                       smi_name_format_fn *name)
{
    const struct smi_pairs *p = d->pairs;
    const char *t = "", *least = p->least < p->most ? smi_fmt(g, "%zu to ", p->least) : "";
    if (p->most < 2)
        return "no repeats";
    for (size_t i = 0; i < p->repeats && i < NAMES; i++)
        t = smi_fmt_list(g, t, name(g, p->repeat[i]));
    return smi_fmt(g, "%s x %s%zu repeats%s", smi_fmt_count(g, (int64_t)p->configs, "configuration"), least,
                   p->most, *t ? smi_fmt(g, " (%s)", t) : "");
}

/* "jax 0.4.30 -> 0.4.31, batch 4096 -> 8192" */
static const char *differences_text(struct smi_text_arena *g, const struct smi_diff *d,
                                    smi_name_format_fn *name)
{
    const struct smi_pairs *p = d->pairs;
    const char *t = "";
    size_t n = g->look->all || p->ndiffers < DIFFERS ? p->ndiffers : DIFFERS;
    for (size_t i = 0; i < n; i++)
        t = smi_fmt_list(
            g, t, name(g, smi_fmt(g, "%s %s -> %s", p->differs[i].key, p->differs[i].a, p->differs[i].b)));
    return n < p->ndiffers ? smi_fmt(g, "%s, %zu more", t, p->ndiffers - n) : t;
}

static const char *unpaired_text(struct smi_text_arena *g, const struct smi_diff *d, int side,
                                 smi_name_format_fn *name)
{
    const struct smi_summary *runs = side ? d->b->runs : d->a->runs;
    const char *t = "";
    size_t all = d->pairs->nonly[side], n = g->look->all || !g->look->width || all < NAMES ? all : NAMES;
    for (size_t i = 0; i < n; i++)
        t = smi_fmt_list(g, t, name(g, runs[d->pairs->only[side][i].run].run));
    return n < all ? smi_fmt(g, "%s and %zu more (--all)", t, all - n) : t;
}

/* How many runs are in each state. */
struct states {
    size_t n[SMI_STATE_NO_DATA + 1];
};

static struct states count_states(const struct smi_sweep *s)
{
    struct states of = {{0}};
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        of.n[s->runs[i].state]++;
    return of;
}

/* Of one column at least chance has a say: it has repeats, or enough pairs. */
static bool has_verdicts(const struct smi_diff *d)
{
    return d->count[SMI_CHANGE_UNKNOWN] + d->count[SMI_CHANGE_NONE] < d->n;
}

/* "1 real change, 19 columns inside the noise, 8 the same" */
static const char *total_text(struct smi_text_arena *g, const struct smi_diff *d)
{
    const size_t *c = d->count;
    const char *t = smi_fmt(g, "%s, %s: ", smi_fmt_count(g, (int64_t)d->pairs->n, "pair"),
                            smi_fmt_count(g, (int64_t)d->n, "column"));
    bool verdicts = has_verdicts(d) || d->pairs->most > 1;
    if (verdicts)
        t = smi_fmt(g, "%s%s, ", t, smi_fmt_count(g, (int64_t)c[SMI_CHANGE_REAL], "real change"));
    if (c[SMI_CHANGE_ALIKE])
        t = smi_fmt(g, "%s%zu with repeats all alike, ", t, c[SMI_CHANGE_ALIKE]);
    if (c[SMI_CHANGE_FEW])
        t = smi_fmt(g, "%s%zu with too few repeats to tell, ", t, c[SMI_CHANGE_FEW]);
    if (c[SMI_CHANGE_UNKNOWN])
        t = smi_fmt(g, "%s%zu changed%s, ", t, c[SMI_CHANGE_UNKNOWN],
                    verdicts ? " in too few pairs to tell" : "");
    if (verdicts)
        t = smi_fmt(g, "%s%zu inside the noise, ", t, c[SMI_CHANGE_NOISE]);
    return smi_fmt(g, "%s%zu the same", t, c[SMI_CHANGE_NONE]);
}

/* --- the table --- */

/* By enum smi_change_kind. */
static const char *const verdicts[] = {"real", "repeats all alike", "too few repeats", "not known", "noise",
                                       "same"};
static const char *const became[] = {"better", NULL, "worse"}; /* worse + 1 */

static bool is_change_listed(const struct smi_change *x, const struct smi_render_options *look)
{
    return x->kind < SMI_CHANGE_NOISE || look->all;
}

/* "4 runs of B have no GPU data: a, b, c and 1 more"; NULL where all have. */
static const char *lost_data_text(struct smi_text_arena *g, const struct smi_diff *d, int side,
                                  smi_name_format_fn *name)
{
    enum { SOME = 3 };
    const struct smi_sweep *s = side ? d->b : d->a;
    const char *t = "";
    size_t n = 0;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (!smi_run_has_gpu_data(&s->runs[i]) && (n++ < SOME || g->look->all))
            t = smi_fmt_list(g, t, name(g, s->runs[i].run));
    if (n > SOME && !g->look->all)
        t = smi_fmt(g, "%s and %zu more", t, n - SOME);
    return n ? smi_fmt(g, "%s of %c %s no GPU data: %s", smi_fmt_count(g, (int64_t)n, "run"), 'A' + side,
                       n == 1 ? "has" : "have", t)
             : NULL;
}

/* Begins a table of the changes that are listed; people: with words for the verdict; else its name, as in
 * CSV. Returns whether there are any. */
static bool change_table(struct smi_report_table *t, struct smi_text_arena *g, const struct smi_diff *d,
                         bool people)
{
    const bool bare = d->pairs->most < 2 && people, single = d->pairs->n < 2 && people;
    bool lacks = false; /* a column that is listed has values in fewer than all pairs */
    for (size_t i = 0; i < d->n; i++)
        lacks |= is_change_listed(&d->of[i], g->look) && d->of[i].n < d->pairs->n;
    smi_table_begin(t, g, NULL, 0);
    for (size_t i = 0; i < d->n; i++) {
        const struct smi_change *x = &d->of[i];
        const int digits = change_digits(x);
        if (!is_change_listed(x, g->look))
            continue;
        smi_table_row(t, SMI_ROW_PLAIN);
        SMI_CELL(t, x->label, .head = "COLUMN", .long_head = "Column", .names = true, .least = LEAST,
                 .words = x->label == x->name ? SMI_WORDS_OF_LOG
                                              : SMI_WORDS_OURS); /* joined ones have those of a file */
        SMI_NUMBER(t, smi_fmt_int(g, (int64_t)x->n), .head = "PAIRS", .long_head = "Pairs", .hidden = !lacks);
        SMI_NUMBER(t, smi_fmt_value(g, x->a, digits), .head = "A");
        SMI_NUMBER(t, smi_fmt_value(g, x->b, digits), .head = "B");
        SMI_NUMBER(t, signed_text(g, x->change, digits), .head = "CHANGE", .long_head = "Change");
        SMI_NUMBER(t, signed_text(g, x->pct, 1), .head = "%");
        SMI_NUMBER(t, smi_fmt_int(g, (int64_t)x->pairs.up), .head = "UP", .long_head = "Up",
                   .hidden = single);
        SMI_NUMBER(t, smi_fmt_int(g, (int64_t)x->pairs.down), .head = "DOWN", .long_head = "Down",
                   .hidden = single);
        SMI_NUMBER(t, smi_fmt_value(g, x->spread, digits), .head = "SPREAD", .long_head = "Spread of repeats",
                   .hidden = bare);
        SMI_CELL(t,
                 !people    ? smi_change_names[x->kind]
                 : x->worse ? smi_fmt(g, "real, %s", became[x->worse + 1])
                            : verdicts[x->kind],
                 .head = people ? "" : "VERDICT", .long_head = "Verdict",
                 .hidden = people && !has_verdicts(d))
            ->style = x->worse > 0                 ? SMI_YELLOW
                      : x->kind == SMI_CHANGE_REAL ? SMI_STYLE_PLAIN
                                                   : SMI_GREY;
        SMI_CELL(t, x->worse ? became[x->worse + 1] : "-", .head = "BECAME", .hidden = people);
    }
    return t->rows > 1;
}

/* A sentence of one of the forms for people; NULL or "": nothing. */
static void say(struct smi_text_arena *g, bool markdown, enum smi_style style, const char *text)
{
    if (!text || !*text)
        return;
    if (markdown)
        smi_buf_fmt(g->to, "%s.\n", text);
    else
        smi_wrap_line(g, style, text);
}

/* The forms for people: in a window the sum comes last, in Markdown first. */
static void write_for_people(struct smi_buf *to, const struct smi_diff *d,
                             const struct smi_render_options *look, bool markdown)
{
    struct smi_text_arena g = {.to = to, .sweep = d->a, .look = look};
    smi_name_format_fn *name = markdown ? smi_markdown_code : smi_fmt_safe;
    const struct smi_sweep *sides[] = {d->a, d->b};
    const struct states a = count_states(d->a), b = count_states(d->b);
    struct smi_report_table t;
    bool all_well = true;
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        all_well &= i == SMI_STATE_OK || i == SMI_STATE_UNKNOWN || (!a.n[i] && !b.n[i]);
    if (markdown)
        smi_buf_fmt(to, "**%s**\n\n", total_text(&g, d));
    for (int k = 0; k < 2; k++)
        say(&g, markdown, SMI_STYLE_PLAIN,
            smi_fmt(&g, "%c: %s, %s", 'A' + k, name(&g, sides[k]->title),
                    smi_fmt_count(&g, (int64_t)sides[k]->n, "run")));
    say(&g, markdown, SMI_STYLE_PLAIN,
        d->pairs->by[SMI_PAIR_ALONE]
            ? matched_text(&g, d)
            : smi_fmt(&g, "%s, %s", matched_text(&g, d), configurations_text(&g, d, name)));
    if (!all_well)
        say(&g, markdown, SMI_STYLE_PLAIN,
            smi_fmt(&g, "states: %s -> %s", smi_states_text(&g, a.n, false),
                    smi_states_text(&g, b.n, false)));
    for (int k = 0; k < 2; k++)
        say(&g, markdown, SMI_YELLOW, lost_data_text(&g, d, k, name));
    if (d->pairs->ndiffers)
        say(&g, markdown, SMI_STYLE_PLAIN, smi_fmt(&g, "differs: %s", differences_text(&g, d, name)));
    smi_wrap_newline(&g);
    if (change_table(&t, &g, d, markdown || look->width > 0)) {
        if (markdown)
            smi_table_markdown(&t);
        else
            smi_table_text(&t);
        smi_wrap_newline(&g);
    }
    for (int k = 0; k < 2; k++)
        if (d->pairs->nonly[k])
            say(&g, markdown, SMI_STYLE_PLAIN,
                smi_fmt(&g, "only in %c (%zu): %s", 'A' + k, d->pairs->nonly[k],
                        unpaired_text(&g, d, k, name)));
    if (d->absent && look->verbose)
        say(&g, markdown, SMI_STYLE_PLAIN,
            smi_fmt(&g, "%s without a value in any pair", smi_fmt_count(&g, (int64_t)d->absent, "column")));
    if (!markdown)
        say(&g, markdown, SMI_BOLD, total_text(&g, d));
    if (d->pairs->most < 2 && d->count[SMI_CHANGE_UNKNOWN])
        say(&g, markdown, SMI_GREY,
            "so few pairs, without repeats (runs that differ in seed, rep, fold or trial alone, or in what "
            "--repeats names), do not tell what is noise");
    smi_arena_fini(&g.arena);
}

void smi_diff_table(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look)
{
    write_for_people(to, d, look, false);
}

void smi_diff_markdown(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look)
{
    write_for_people(to, d, look, true);
}

/* ---- for programs: every column, those that did not change too, as rows of a result ---- */

static const char *number_text(struct smi_result *r, struct smi_value v)
{
    char t[SMI_MICRO_TEXT];
    return v.has ? smi_arena_text(&r->arena, t, smi_text_write_micro(t, v.micro)) : NULL;
}

static const char *count_text(struct smi_result *r, size_t n)
{
    char t[SMI_I128_TEXT];
    return smi_arena_text(&r->arena, t, smi_i128_write(t, (smi_i128)n));
}

/* End with smi_result_fini. */
static void make_rows(struct smi_result *r, const struct smi_diff *d)
{
    static const char *const heads[] = {"column",     "unit",       "n",
                                        "a",          "b",          "change",
                                        "change_pct", "spread",     "standard_errors",
                                        "pairs_up",   "pairs_down", "pairs_probability",
                                        "verdict",    "became"};
    enum { HEADS = sizeof heads / sizeof *heads, FIRST_NUMBER = 2, LAST_NUMBER = 11 };
    *r = (struct smi_result){.made = true, .columns = HEADS};
    r->name = smi_arena_new(&r->arena, HEADS, sizeof *r->name);
    smi_mem_reserve(&r->cell, &r->cap, d->n * HEADS + 1, sizeof *r->cell);
    memcpy(r->name, heads, sizeof heads);
    for (; r->n < d->n; r->n++) {
        const struct smi_change *x = &d->of[r->n];
        const struct smi_value chance = {(int64_t)nearbyint(x->pairs.chance * 1e6), true};
        const char *const text[HEADS] = {x->name,
                                         x->unit,
                                         count_text(r, x->n),
                                         number_text(r, x->a),
                                         number_text(r, x->b),
                                         number_text(r, x->change),
                                         number_text(r, x->pct),
                                         number_text(r, x->spread),
                                         number_text(r, x->ratio),
                                         count_text(r, x->pairs.up),
                                         count_text(r, x->pairs.down),
                                         number_text(r, chance),
                                         smi_change_names[x->kind],
                                         became[x->worse + 1]};
        for (int k = 0; k < HEADS; k++)
            r->cell[r->n * HEADS + (size_t)k] =
                (struct smi_value_text){text[k], !text[k]                                ? SMI_CELL_NULL
                                                 : k >= FIRST_NUMBER && k <= LAST_NUMBER ? SMI_CELL_NUMBER
                                                                                         : SMI_CELL_TEXT};
    }
}

/* --- JSON --- */

static void write_json_side(struct smi_json *j, const char *key, const struct smi_diff *d, int k)
{
    const struct smi_sweep *s = k ? d->b : d->a;
    const struct states of = count_states(s);
    smi_json_key_open(j, key, '{');
    smi_json_name(j, "path", s->title);
    smi_json_key_int(j, "runs", (int64_t)s->n);
    smi_json_key_open(j, "states", '{');
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        smi_json_key_int(j, smi_state_names[i], (int64_t)of.n[i]);
    smi_json_close(j, '}');
    smi_json_key_open(j, "only", '[');
    for (size_t i = 0; i < d->pairs->nonly[k]; i++)
        smi_json_str(j, s->runs[d->pairs->only[k][i].run].run);
    smi_json_close(j, ']');
    smi_json_close(j, '}');
}

void smi_diff_json(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look)
{
    struct smi_result rows;
    struct smi_json j;
    (void)look;
    make_rows(&rows, d);
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"diff\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    write_json_side(&j, "a", d, 0);
    write_json_side(&j, "b", d, 1);
    static const char *const by[SMI_PAIR_KINDS] = {"alone", "name", "parameters", "repeat"};
    smi_json_key_open(&j, "pairs", '[');
    for (size_t i = 0; i < d->pairs->n; i++) {
        const struct smi_pair *p = &d->pairs->of[i];
        smi_json_open(&j, '{');
        smi_json_key_str(&j, "a", d->a->runs[p->a].run);
        smi_json_key_str(&j, "b", d->b->runs[p->b].run);
        smi_json_key_str(&j, "by", by[p->by]);
        smi_json_key_int(&j, "configuration", (int64_t)p->config);
        smi_json_close(&j, '}');
    }
    smi_json_close(&j, ']');
    smi_json_key_open(&j, "differs", '[');
    for (size_t i = 0; i < d->pairs->ndiffers; i++) {
        smi_json_open(&j, '{');
        smi_json_key_str(&j, "param", d->pairs->differs[i].key);
        smi_json_key_str(&j, "a", d->pairs->differs[i].a);
        smi_json_key_str(&j, "b", d->pairs->differs[i].b);
        smi_json_close(&j, '}');
    }
    smi_json_close(&j, ']');
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
}

void smi_diff_csv(struct smi_buf *to, const struct smi_diff *d, const struct smi_render_options *look)
{
    struct smi_result rows;
    make_rows(&rows, d);
    smi_result_csv(to, &rows, look);
    smi_result_fini(&rows);
}
