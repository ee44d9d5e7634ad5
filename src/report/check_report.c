/* check_report.c - the result of check as text, Markdown, JSON and JUnit */
#include "base/version.h"
#include "report/output.h"
#include "report/html.h"

#include <string.h>

/* the verdicts for people: the limit first, then value and run, the worst
 * first. */

enum { MOST = 10 };

/* A row of the table: what is broken, or could not be judged. */
static void add_row(struct smi_report_table *t, const char *tag, const char *limit, const char *value,
                    const char *run, const char *why)
{
    smi_table_row(t, SMI_ROW_PLAIN)->style = strcmp(tag, "FAIL") == 0 ? SMI_RED : SMI_GREY;
    SMI_CELL(t, tag, .head = "");
    SMI_CELL(t, limit, .head = "LIMIT", .words = SMI_WORDS_MIXED, .least = 10, .leave = -1);
    SMI_NUMBER(t, value, .head = "VALUE", .leave = 1);
    SMI_CELL(t, smi_fmt(t->page, "%s%s%s", smi_fmt_safe(t->page, run), why ? ": " : "", why ? why : ""),
             .head = "RUN", .words = SMI_WORDS_MIXED, .least = 12, .wraps = true);
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

static void add_unmeasurable(struct smi_report_table *t, const struct smi_check *c)
{
    struct smi_text_arena *g = t->page;
    const char **why = smi_arena_new(&g->arena, c->sweep->n, sizeof *why),
               *tag = c->allow_missing ? "skip" : "not judged";
    const size_t most = g->look->all ? SIZE_MAX : MOST;
    size_t all = 0;
    for (size_t i = 0; i < c->n; i++) /* each reason once */
        for (size_t k = c->limit[i].broken; k < c->limit[i].broken + c->limit[i].unjudged; k++) {
            const char *text = smi_fmt_sentence(g, c->limit[i].of[k].why), **to = &why[c->limit[i].of[k].run];
            if (!*to)
                *to = text;
            else if (!strstr(*to, text))
                *to = smi_fmt(g, "%s; %s", *to, text);
        }
    for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++)
        if (why[i] && all++ < most)
            add_row(t, tag, "no reading", "-", c->sweep->runs[i].run, why[i]);
    add_more_row(t, tag, "no reading", all > most ? all - most : 0);
    /* expected runs in any case, those of the baseline with --allow-missing only where all is told */
    for (int expected = 1; expected >= 0; expected--) {
        const size_t n = c->gone[expected].n;
        for (size_t i = 0; i < n && i < most; i++)
            add_row(t, expected ? "not judged" : tag, "not here", "-", c->gone[expected].of[i],
                    expected ? "expected" : "only in the baseline");
        add_more_row(t, expected ? "not judged" : tag, "not here", n > most ? n - most : 0);
    }
}

/* The last line: what became of it. */
static void write_total(struct smi_text_arena *g, const struct smi_check *c)
{
    const char *all = smi_fmt_count(g, (int64_t)c->sweep->n, "run"), *missing = "";
    bool bad = c->broken || smi_check_has_unmeasurable(c);
    const size_t only_there = c->gone[false].n;
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

void smi_check_text(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look)
{
    struct smi_text_arena g = {.to = to, .sweep = c->sweep, .look = look};
    const bool bad = c->broken || smi_check_has_unmeasurable(c),
               unmeasurable = c->absent || ((c->unjudged_runs || c->gone[false].n) &&
                                            (bad || look->verbose) && !(c->allow_missing && look->quiet));
    struct smi_report_table t;
    smi_table_begin(&t, &g, NULL, 0);
    for (size_t i = 0; i < c->n; i++) {
        const struct smi_check_limit *l = &c->limit[i];
        const size_t n = l->broken > MOST && !look->all ? MOST : l->broken;
        const char *limit = limit_text(&g, l->text);
        for (size_t k = 0; k < n; k++)
            add_row(&t, "FAIL", limit, l->of[k].value ? smi_fmt_safe(&g, l->of[k].value) : "-",
                    c->sweep->runs[l->of[k].run].run, NULL);
        add_more_row(&t, "FAIL", limit, l->broken - n);
    }
    if (unmeasurable)
        add_unmeasurable(&t, c);
    if (t.rows > 1) {
        t.col[2].hidden = !c->broken;
        smi_table_text(&t);
    }
    if (bad || !look->quiet)
        write_total(&g, c);
    smi_arena_fini(&g.arena);
}

/* ---- the verdicts for programs: JSON, JUnit's XML, GitHub's annotations ---- */

/* "idle_pct <= 10: 12.5", "idle_pct <= 10: no reading (no GPU log)" */
static const char *case_text(struct smi_text_arena *g, const struct smi_check_limit *l,
                             const struct smi_check_case *k)
{
    if (k->verdict != SMI_VERDICT_BROKEN)
        return smi_fmt(g, "%s: no reading (%s)", l->text, k->why);
    return smi_fmt(g, k->value ? "%s: %s" : "%s does not hold%s", l->text, k->value ? k->value : "");
}

/* --- JSON --- */

static void json_cases(struct smi_json *j, const struct smi_check *c, const char *key,
                       const struct smi_check_case *k, size_t n)
{
    smi_json_key_open(j, key, '[');
    for (const struct smi_check_case *end = k + n; k < end; k++) {
        smi_json_open(j, '{');
        smi_json_name(j, "run", c->sweep->runs[k->run].run);
        smi_json_key(j, "value");
        if (k->number)
            smi_json_raw(j, k->number);
        else
            smi_json_str(j, k->value);
        if (k->why)
            smi_json_key_str(j, "reason", k->why);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

static void json_gone(struct smi_json *j, const char *key, const struct smi_check_gone *gone)
{
    smi_json_key_open(j, key, '[');
    for (size_t i = 0; i < gone->n; i++)
        smi_json_str(j, gone->of[i]);
    smi_json_close(j, ']');
}

/* {"schema": "smilog/1", "generator": ..., "ok": false, "runs": 12, "limits_broken": 2, "runs_broken": 2,
 * "runs_unjudged": 1, "allow_missing": false, "limits": [...], "baseline_only": [...]}; with --expect or
 * --expect-runs "runs_expected": 20, "runs_absent": 2, "expected_only": [...], too. */
void smi_check_json(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look)
{
    struct smi_json j;
    (void)look;
    smi_buf_str(to, "{\"schema\": \"smilog/1\", \"generator\": \"smilog " SMILOG_VERSION "\", \"check\": ");
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_bool(&j, "ok", !c->broken && !smi_check_has_unmeasurable(c));
    smi_json_key_int(&j, "runs", (int64_t)c->sweep->n);
    smi_json_key_int(&j, "limits_broken", (int64_t)c->broken);
    smi_json_key_int(&j, "runs_broken", (int64_t)c->broken_runs);
    smi_json_key_int(&j, "runs_unjudged", (int64_t)c->unjudged_runs);
    smi_json_key_bool(&j, "allow_missing", c->allow_missing);
    smi_json_key_open(&j, "limits", '[');
    for (size_t i = 0; i < c->n; i++) {
        const struct smi_check_limit *l = &c->limit[i];
        smi_json_open(&j, '{');
        smi_json_key_str(&j, "limit", l->text);
        smi_json_key_int(&j, "held", (int64_t)(c->sweep->n - l->broken - l->unjudged));
        json_cases(&j, c, "broken", l->of, l->broken);
        json_cases(&j, c, "unjudged", l->of + l->broken, l->unjudged);
        smi_json_close(&j, '}');
    }
    smi_json_close(&j, ']');
    json_gone(&j, "baseline_only", &c->gone[false]);
    if (c->expected) {
        smi_json_key_int(&j, "runs_expected", (int64_t)c->expected);
        smi_json_key_int(&j, "runs_absent", (int64_t)c->absent);
        json_gone(&j, "expected_only", &c->gone[true]);
    }
    smi_json_close(&j, '}');
    smi_buf_str(to, "}\n");
}

/* --- JUnit --- */

/* What smi_fmt_sentence leaves is UTF-8 without controls, and characters of XML. */
static void write_xml_attribute(struct smi_text_arena *g, const char *name, const char *text)
{
    smi_buf_fmt(g->to, " %s=\"", name);
    smi_html_escape(g->to, smi_fmt_sentence(g, text), false);
    smi_buf_char(g->to, '"');
}

/* <testcase classname="idle_pct &lt;= 10" name="a"><failure message="idle_pct &lt;= 10: 12.5" type="limit"/>
 */
static void junit_case(struct smi_text_arena *g, const char *class, const char *run, const char *tag,
                       const char *message, const char *type)
{
    smi_buf_str(g->to, "    <testcase");
    write_xml_attribute(g, "classname", class);
    write_xml_attribute(g, "name", run);
    if (!tag) {
        smi_buf_str(g->to, "/>\n");
        return;
    }
    smi_buf_fmt(g->to, ">\n      <%s", tag);
    write_xml_attribute(g, "message", message);
    if (*tag != 's') /* JUnit's schema has no type of what is skipped */
        write_xml_attribute(g, "type", type);
    smi_buf_str(g->to, "/>\n    </testcase>\n");
}

/* errors: such as stay errors with --allow-missing, which skips those that are unjudged. */
static void write_junit_counts(struct smi_buf *to, const struct smi_check *c, size_t tests, size_t failures,
                               size_t errors, size_t unjudged)
{
    smi_buf_fmt(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n", tests, failures,
                errors + (c->allow_missing ? 0 : unjudged), c->allow_missing ? unjudged : 0);
}

static const char *const only_there[] = {"only in the baseline: not here", "expected, and not here"};

/* Runs of the baseline, or that were expected, that are not here. */
static void write_junit_missing_runs(struct smi_text_arena *g, const struct smi_check *c, bool expected)
{
    const size_t n = c->gone[expected].n;
    const bool skip = c->allow_missing && !expected;
    const char *name = expected ? "runs that are expected" : "runs of the baseline";
    if (!n)
        return;
    smi_buf_fmt(g->to, "  <testsuite name=\"%s\"", name);
    write_junit_counts(g->to, c, n, 0, expected ? n : 0, expected ? 0 : n);
    for (size_t i = 0; i < n; i++)
        junit_case(g, name, c->gone[expected].of[i], skip ? "skipped" : "error", only_there[expected],
                   "not here");
    smi_buf_str(g->to, "  </testsuite>\n");
}

void smi_check_junit(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look)
{
    struct smi_text_arena g = {.to = to, .sweep = c->sweep, .look = look};
    size_t broken = 0, unjudged = c->gone[false].n;
    for (size_t i = 0; i < c->n; i++) {
        broken += c->limit[i].broken;
        unjudged += c->limit[i].unjudged;
    }
    smi_buf_str(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"smilog check\"");
    write_junit_counts(to, c, c->n * c->sweep->n + c->gone[false].n + c->gone[true].n, broken,
                       c->gone[true].n, unjudged);
    for (const struct smi_check_limit *l = c->limit; l < c->limit + c->n; l++) {
        smi_buf_str(to, "  <testsuite");
        write_xml_attribute(&g, "name", l->text);
        write_junit_counts(to, c, c->sweep->n, l->broken, 0, l->unjudged);
        for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++) {
            const struct smi_check_case *k = &l->of[i];
            const bool failed = k->verdict == SMI_VERDICT_BROKEN, holds = k->verdict == SMI_VERDICT_HOLDS;
            junit_case(&g, l->text, c->sweep->runs[k->run].run,
                       failed             ? "failure"
                       : holds            ? NULL
                       : c->allow_missing ? "skipped"
                                          : "error",
                       holds ? NULL : case_text(&g, l, k), failed ? "limit" : "no reading");
            smi_arena_reset(&g.arena);
        }
        smi_buf_str(to, "  </testsuite>\n");
    }
    write_junit_missing_runs(&g, c, false);
    write_junit_missing_runs(&g, c, true);
    smi_buf_str(to, "</testsuites>\n");
    smi_arena_fini(&g.arena);
}

/* --- GitHub --- */

/* Text of an annotation. A percent sign begins an escape there; in a property ':' and ',' end it. */
static const char *github_text(struct smi_text_arena *g, const char *text, bool property)
{
    struct smi_buf b = {0};
    for (const char *p = smi_fmt_sentence(g, text); *p; p++)
        if (*p == '%' || (property && (*p == ':' || *p == ',')))
            smi_buf_fmt(&b, "%%%02X", (unsigned)(unsigned char)*p);
        else
            smi_buf_char(&b, *p);
    return smi_buf_keep(&b, &g->arena);
}

/* What is to be said of a run. */
struct note {
    const char *text; /* NULL: nothing */
    enum smi_verdict worst;
};

/* "::error title=smilog%3A lr=0.1/seed3::idle_pct <= 10: 52.9" */
static void write_github_annotation(struct smi_text_arena *g, const char *kind, const char *run,
                                    const char *text)
{
    smi_buf_fmt(g->to, "::%s title=smilog%%3A %s::%s\n", kind, github_text(g, run, true), text);
}

void smi_check_github(struct smi_buf *to, const struct smi_check *c, const struct smi_render_options *look)
{
    struct smi_text_arena g = {.to = to, .sweep = c->sweep, .look = look};
    struct note *note = smi_arena_new(&g.arena, c->sweep->n + 1, sizeof *note);
    const char *kind = c->allow_missing ? "notice" : "warning";
    for (size_t i = 0; i < c->n; i++)
        for (size_t k = 0; k < c->limit[i].broken + c->limit[i].unjudged; k++) {
            const struct smi_check_case *of = &c->limit[i].of[k];
            struct note *n = &note[of->run];
            if (!n->text || of->verdict < n->worst)
                n->worst = of->verdict;
            n->text = smi_fmt(&g, "%s%s%s", n->text ? n->text : "", n->text ? "%0A" : "",
                              github_text(&g, case_text(&g, &c->limit[i], of), false));
        }
    for (int worst = SMI_VERDICT_BROKEN; worst <= SMI_VERDICT_UNMEASURABLE;
         worst++) /* GitHub shows ten of each kind */
        for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++)
            if (note[i].text && note[i].worst == (enum smi_verdict)worst)
                write_github_annotation(&g, worst == SMI_VERDICT_BROKEN ? "error" : kind,
                                        c->sweep->runs[i].run, note[i].text);
    for (int expected = 0; expected < 2; expected++)
        for (size_t i = 0; i < c->gone[expected].n; i++)
            write_github_annotation(&g, expected ? "warning" : kind, c->gone[expected].of[i],
                                    only_there[expected]);
    if (!look->quiet || c->broken || smi_check_has_unmeasurable(c))
        write_total(&g, c);
    smi_arena_fini(&g.arena);
}
