/* check_text.c - the verdicts for people: the limit first, then value and run, the worst
 * first. */
#include "report/forms.h"

#include "report/table.h"

#include <string.h>

enum { MOST = 10 };

/* A row of the table: what is broken, or could not be judged. */
static void add_row(struct smi_report_table *t, const char *tag, const char *limit, const char *value,
                    const char *run, const char *why)
{
    const char *const text[] = {
        tag, limit, value,
        smi_fmt(t->page, "%s%s%s", smi_fmt_safe(t->page, run), why ? ": " : "", why ? why : "")};
    struct smi_table_cell *row = smi_table_add(t, SMI_ROW_PLAIN, text);
    if (row)
        row->style = strcmp(tag, "FAIL") == 0 ? SMI_RED : SMI_GREY;
}

static void add_more_row(struct smi_report_table *t, const char *tag, const char *limit, size_t n)
{
    if (n)
        add_row(t, tag, limit, "-", smi_fmt(t->page, "and %zu more (--all)", n), NULL);
}

/* "not (a > b)", which is what has to hold, is broken: "a > b holds". */
static const char *limit_text(struct smi_text_arena *g, const char *text)
{
    static const char negated[] = "not (";
    size_t n = strlen(text), begin = sizeof negated - 1;
    if (strncmp(text, negated, begin) != 0)
        return smi_fmt_safe(g, text);
    return smi_fmt(g, "%s holds", smi_fmt_safe(g, smi_fmt(g, "%.*s", (int)(n - begin - 1), text + begin)));
}

static void add_broken_limit(struct smi_report_table *t, const struct smi_check *c,
                             const struct smi_check_limit *l)
{
    struct smi_text_arena *g = t->page;
    const size_t n = l->broken > MOST && !g->look->all ? MOST : l->broken;
    const char *limit = limit_text(g, l->text);
    for (size_t i = 0; i < n; i++)
        add_row(t, "FAIL", limit, l->of[i].value ? smi_fmt_safe(g, l->of[i].value) : "-",
                c->sweep->runs[l->of[i].run].run, NULL);
    add_more_row(t, "FAIL", limit, l->broken - n);
}

/* Of each run that could not be judged why, each reason once. */
static const char **unmeasurable_reasons(struct smi_text_arena *g, const struct smi_check *c)
{
    const char **why = smi_arena_new(&g->arena, c->sweep->n + 1, sizeof *why);
    g->failed |= !why;
    for (size_t i = 0; why && i < c->n; i++)
        for (size_t k = c->limit[i].broken; k < c->limit[i].broken + c->limit[i].unjudged; k++) {
            const char *text = smi_fmt_sentence(g, c->limit[i].of[k].why), **to = &why[c->limit[i].of[k].run];
            if (!*to)
                *to = text;
            else if (!strstr(*to, text))
                *to = smi_fmt(g, "%s; %s", *to, text);
        }
    return why;
}

/* Expected runs in any case, those of the baseline with --allow-missing only where all is told. */
static void add_gone(struct smi_report_table *t, const struct smi_check *c, const char *tag)
{
    for (int expected = 1; expected >= 0; expected--) {
        const size_t n = smi_check_count_gone(c, expected), most = t->page->look->all ? n : MOST;
        for (size_t i = 0, told = 0; i < c->ngone && told < most; i++)
            if (c->gone[i].expected == expected && ++told)
                add_row(t, expected ? "not judged" : tag, "not here", "-", c->gone[i].name,
                        expected ? "expected" : "only in the baseline");
        add_more_row(t, expected ? "not judged" : tag, "not here", n > most ? n - most : 0);
    }
}

static void add_unmeasurable(struct smi_report_table *t, const struct smi_check *c)
{
    const char **why = unmeasurable_reasons(t->page, c), *tag = c->allow_missing ? "skip" : "not judged";
    size_t all = 0;
    for (size_t i = 0; why && smi_sweep_has_run(c->sweep, i); i++)
        if (why[i] && (all++ < MOST || t->page->look->all))
            add_row(t, tag, "no reading", "-", c->sweep->runs[i].run, why[i]);
    if (all > MOST && !t->page->look->all)
        add_more_row(t, tag, "no reading", all - MOST);
    add_gone(t, c, tag);
}

/* The last line: what became of it. */
static void write_total(struct smi_text_arena *g, const struct smi_check *c)
{
    const char *all = smi_fmt_count(g, (int64_t)c->sweep->n, "run"), *missing = "";
    bool bad = c->broken || smi_check_has_unmeasurable(c);
    size_t only_there = smi_check_count_gone(c, false);
    if (c->unjudged_runs)
        missing = smi_fmt(g, ", %s %s", smi_fmt_count(g, (int64_t)c->unjudged_runs, "run"),
                          c->allow_missing ? "skipped because a value is missing" : "could not be judged");
    if (only_there)
        missing = smi_fmt(g, "%s, %s of the baseline %s not here", missing,
                          smi_fmt_count(g, (int64_t)only_there, "run"), only_there == 1 ? "is" : "are");
    if (c->absent)
        missing = smi_fmt(g, "%s, %zu of %s expected %s not here", missing, c->absent,
                          smi_fmt_count(g, (int64_t)c->expected, "run"), c->absent == 1 ? "is" : "are");
    if (!bad) {
        smi_wrap_style(g, SMI_GREEN);
        smi_wrap_word(g, 0, "ok", 0);
        smi_wrap_style(g, SMI_STYLE_PLAIN);
        smi_wrap_words(g, 4,
                       !c->n ? smi_fmt(g, "%s, %zu expected", all, c->expected)
                             : smi_fmt(g, "%s hold%s in %s%s", smi_fmt_count(g, (int64_t)c->n, "limit"),
                                       c->n == 1 ? "s" : "",
                                       c->unjudged_runs
                                           ? smi_fmt(g, "%zu of %s", c->sweep->n - c->unjudged_runs, all)
                                           : all,
                                       missing),
                       6);
        smi_wrap_newline(g);
        return;
    }
    if (c->broken)
        all = smi_fmt(g, "%s broken by %zu of %s", smi_fmt_count(g, (int64_t)c->broken, "limit"),
                      c->broken_runs, all);
    else if (c->n)
        all = smi_fmt(g, "%zu of %s meet%s all limits", c->sweep->n - c->unjudged_runs, all,
                      c->sweep->n == 1 || c->sweep->n - c->unjudged_runs == 1 ? "s" : "");
    smi_wrap_fmt(g, SMI_BOLD, "%s%s", all, missing);
}

int smi_check_last_line(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                        struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .sweep = c->sweep, .look = look};
    if (!look->quiet || c->broken || smi_check_has_unmeasurable(c))
        write_total(&g, c);
    return smi_text_arena_end(&g, err);
}

int smi_check_text(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look,
                   struct smi_err *err)
{
    struct smi_text_arena g = {.to = to, .sweep = c->sweep, .look = look};
    const bool bad = c->broken || smi_check_has_unmeasurable(c),
               unmeasurable = c->absent || ((c->unjudged_runs || c->ngone) && (bad || look->verbose) &&
                                            !(c->allow_missing && look->quiet));
    const struct smi_table_column col[] = {
        {.head = ""},
        {.head = "LIMIT", .words = SMI_WORDS_MIXED, .least = 10, .leave = -1},
        {.head = "VALUE", .align = SMI_POINT, .leave = 1, .hidden = !c->broken},
        {.head = "RUN", .words = SMI_WORDS_MIXED, .least = 12, .wraps = true}};
    struct smi_report_table t;
    smi_table_begin(&t, &g, col, sizeof col / sizeof *col);
    for (size_t i = 0; i < c->n; i++)
        add_broken_limit(&t, c, &c->limit[i]);
    if (unmeasurable)
        add_unmeasurable(&t, c);
    if (t.rows > 1)
        smi_table_text(&t);
    else
        smi_table_free(&t);
    if (bad || !look->quiet)
        write_total(&g, c);
    return smi_text_arena_end(&g, err);
}
