/* check_text.c - the verdicts for people: the limit first, then value and run, the worst
 * first. */
#include "report/check_forms.h"

#include "report/table.h"

#include <string.h>

enum { MOST = 10, WIDTH = 100 /* where there is no window */, LABEL_MOST = 48, GAP = 6 };
enum { NAME_LEAST = 10, NAME_FINE = 16, TAG = 6 /* "FAIL  " */ };
enum { LEAST = 28 /* columns behind the label; a window that has fewer gets lines of their own */ };

/* How wide the lines are, and where what follows a label begins. */
struct shape {
    int width, indent;
};

static void write_blanks(struct smi_text_arena *g, int n)
{
    if (n > 0)
        smi_buf_fmt(g->to, "%*s", n, "");
}

static void write_styled_word(struct smi_text_arena *g, enum smi_style style, const char *text)
{
    smi_wrap_style(g, style);
    smi_wrap_word(g, 0, text, 0);
    smi_wrap_style(g, SMI_STYLE_PLAIN);
}

/* A text as it is; wrapped only where the window is too narrow for it. */
static void write_wrapped(struct smi_text_arena *g, int gap, const char *text, int indent)
{
    if (!g->look->width || g->column + gap + smi_text_width(text) <= g->look->width)
        smi_wrap_word(g, gap, text, indent);
    else
        smi_wrap_words(g, gap, text, indent);
}

static void pad_to_column(struct smi_text_arena *g, int column)
{
    write_blanks(g, column - g->column);
    g->column = column;
}

static int larger_of(int a, int b)
{
    return a > b ? a : b;
}

static struct shape measure_shape(const struct smi_check *c, struct smi_text_arena *g)
{
    struct shape s = {g->look->width ? g->look->width : WIDTH, 0};
    int label = 0;
    for (size_t i = 0; i < c->n; i++) {
        int n = smi_text_width(smi_fmt_safe(g, c->limit[i].text));
        if (c->limit[i].broken && n <= LABEL_MOST)
            label = larger_of(label, n);
    }
    if (c->unjudged_runs || c->ngone)
        label = larger_of(label, (int)strlen("no reading"));
    s.indent = TAG + label + 3;
    if (g->look->width && s.width - s.indent < LEAST)
        s.indent = 2;
    return s;
}

/* "FAIL  " and the label, up to the column where the rest begins; a long label has a line of its own. */
static void write_line_head(struct smi_text_arena *g, const struct shape *s, enum smi_style style,
                            const char *tag, const char *label)
{
    write_styled_word(g, style, tag);
    write_wrapped(g, 2, label, TAG);
    if (g->column + 3 > s->indent)
        smi_wrap_newline(g);
    pad_to_column(g, s->indent);
}

/* Where the point of a number stands, counted from its end; texts have none. */
static int decimal_place(const char *value)
{
    const char *dot = strchr(value, '.');
    return dot && strspn(value, "0123456789.-") == strlen(value) ? (int)strlen(dot) : 0;
}

/* The cells "12.5   lr=0.1/seed3" of a limit, side by side as far as they fit. */
static void write_case_cells(struct smi_text_arena *g, const struct shape *s, const char **value,
                             const char **name, int n)
{
    int part = 0, vw = 0, nw = 0, left = s->width - s->indent, column, one;
    for (int i = 0; i < n; i++)
        part = larger_of(part, decimal_place(value[i]));
    for (int i = 0; i < n; i++)
        vw = larger_of(vw, smi_text_width(value[i]) - decimal_place(value[i]) + part);
    if (g->look->width && left - vw - 3 >= NAME_LEAST)
        for (int i = 0; i < n; i++)
            name[i] = smi_fmt_middle(g, name[i], left - vw - 3, (left - vw - 3) / 2);
    for (int i = 0; i < n; i++)
        nw = larger_of(nw, smi_text_width(name[i]));
    one = vw + (vw ? 3 : 0) + nw;
    for (int i = column = 0; i < n; i++) {
        int v = smi_text_width(value[i]), tail = part - decimal_place(value[i]);
        if (i && column + GAP + one > left) {
            smi_wrap_newline(g);
            write_blanks(g, s->indent);
            column = 0;
        } else if (i) {
            write_blanks(g, GAP + nw - smi_text_width(name[i - 1]));
            column += GAP;
        }
        write_blanks(g, part ? vw - v - tail : 0);
        smi_buf_str(g->to, value[i]);
        write_blanks(g, part ? tail : vw - v);
        write_blanks(g, vw ? 3 : 0);
        smi_buf_str(g->to, name[i]);
        column += one;
    }
    smi_wrap_newline(g);
}

/* The same where they do not: the value, and the run below it. */
static void write_case_lines(struct smi_text_arena *g, const struct shape *s, const char **value,
                             const char **name, int n)
{
    for (int i = 0; i < n; i++) {
        pad_to_column(g, s->indent);
        write_wrapped(g, 0, value[i], s->indent);
        smi_wrap_newline(g);
        pad_to_column(g, s->indent + 2);
        smi_wrap_word(g, 0, name[i], s->indent + 2);
        smi_wrap_newline(g);
    }
}

static void write_more_line(struct smi_text_arena *g, const struct shape *s, size_t n)
{
    if (!n)
        return;
    pad_to_column(g, s->indent);
    smi_wrap_style(g, SMI_GREY);
    write_wrapped(g, 0, smi_fmt(g, "and %zu more (--all)", n), s->indent);
    smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

static void write_broken_limit(struct smi_text_arena *g, const struct smi_check *c, const struct shape *s,
                               const struct smi_check_limit *l)
{
    size_t n = l->broken > MOST && !g->look->all ? MOST : l->broken;
    const char **value = smi_arena_new(&g->arena, n + 1, sizeof *value);
    const char **name = smi_arena_new(&g->arena, n + 1, sizeof *name);
    struct shape here = *s;
    int wide = 0;
    if (!value || !name) {
        g->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        value[i] = l->of[i].value ? smi_fmt_safe(g, l->of[i].value) : "";
        name[i] = smi_fmt_safe(g, c->sweep->runs[l->of[i].run].run);
        wide = larger_of(wide, smi_text_width(value[i]));
    }
    if (g->look->width && here.width - here.indent < wide + 3 + NAME_FINE)
        here.indent = 2;
    write_line_head(g, &here, SMI_RED, "FAIL", smi_fmt_safe(g, l->text));
    if (g->look->width && here.width - here.indent < wide + 3 + NAME_LEAST)
        write_case_lines(g, &here, value, name, (int)n);
    else
        write_case_cells(g, &here, value, name, (int)n);
    write_more_line(g, &here, l->broken - n);
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

static void write_unmeasurable(struct smi_text_arena *g, const struct smi_check *c, const struct shape *s)
{
    const char **why = unmeasurable_reasons(g, c);
    size_t shown = 0, all = 0;
    for (size_t i = 0; why && smi_sweep_has_run(c->sweep, i); i++) {
        if (!why[i] || (all++ >= MOST && !g->look->all))
            continue;
        if (shown++)
            pad_to_column(g, s->indent);
        else
            write_line_head(g, s, SMI_GREY, c->allow_missing ? "skip" : "????", "no reading");
        write_wrapped(g, 0, smi_fmt(g, "%s: %s", smi_fmt_safe(g, c->sweep->runs[i].run), why[i]), s->indent);
        smi_wrap_newline(g);
    }
    write_more_line(g, s, all - shown);
}

static const char *count_runs_text(struct smi_text_arena *g, size_t n)
{
    return smi_fmt(g, "%zu run%s", n, n == 1 ? "" : "s");
}

/* The last line: what became of it. */
static void write_total(struct smi_text_arena *g, const struct smi_check *c)
{
    const char *all = count_runs_text(g, c->sweep->n), *missing = "";
    bool bad = c->broken || smi_check_has_unmeasurable(c);
    if (c->unjudged_runs)
        missing = smi_fmt(g, ", %s %s", count_runs_text(g, c->unjudged_runs),
                          c->allow_missing ? "skipped for want of a value" : "could not be judged");
    if (c->ngone)
        missing = smi_fmt(g, "%s, %s of the baseline %s not here", missing, count_runs_text(g, c->ngone),
                          c->ngone == 1 ? "is" : "are");
    if (!bad) {
        write_styled_word(g, SMI_GREEN, "ok");
        write_wrapped(
            g, 4,
            smi_fmt(g, "%zu limit%s hold%s in %s%s", c->n, c->n == 1 ? "" : "s", c->n == 1 ? "s" : "",
                    c->unjudged_runs ? smi_fmt(g, "%zu of %s", c->sweep->n - c->unjudged_runs, all) : all,
                    missing),
            TAG);
        smi_wrap_newline(g);
        return;
    }
    if (c->broken)
        all = smi_fmt(g, "%zu limit%s broken by %zu of %s", c->broken, c->broken == 1 ? "" : "s",
                      c->broken_runs, all);
    else
        all = smi_fmt(g, "no limit broken by %s", all);
    smi_wrap_fmt(g, SMI_BOLD, "%s%s", all, missing);
}

/* Runs of the baseline that are not here. */
static void write_missing_runs(struct smi_text_arena *g, const struct smi_check *c, const struct shape *s)
{
    size_t n = c->ngone > MOST && !g->look->all ? MOST : c->ngone;
    for (size_t i = 0; i < n; i++) {
        if (i)
            pad_to_column(g, s->indent);
        else
            write_line_head(g, s, SMI_GREY, c->allow_missing ? "skip" : "????", "not here");
        write_wrapped(g, 0, smi_fmt(g, "%s: only in the baseline", smi_fmt_safe(g, c->gone[i])), s->indent);
        smi_wrap_newline(g);
    }
    write_more_line(g, s, c->ngone - n);
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
    struct shape s = measure_shape(c, &g);
    bool bad = c->broken || smi_check_has_unmeasurable(c);
    for (size_t i = 0; i < c->n; i++)
        if (c->limit[i].broken)
            write_broken_limit(&g, c, &s, &c->limit[i]);
    if (c->unjudged_runs && (bad || look->verbose) && !(c->allow_missing && look->quiet))
        write_unmeasurable(&g, c, &s);
    if (c->ngone && (bad || look->verbose) && !(c->allow_missing && look->quiet))
        write_missing_runs(&g, c, &s);
    if (bad || !look->quiet)
        write_total(&g, c);
    return smi_text_arena_end(&g, err);
}
