/* check.c - the verdicts on a sweep: put in order, counted; and the limit on findings. */
#include "query/check.h"
#include "query/diff.h"
#include "query/query.h"
#include "query/query_db.h"
#include "summary/findings.h"
#include "summary/run_fields.h"
#include "summary/summary.h"
#include "sweep/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* no run may be worse than it was: the columns that can become worse
 * (.worse in model/run_field.def), each against that of the run's pair in an earlier sweep, with a tolerance.
 */

enum { PERCENT = 1000000 };

/* One column of both sides. */
struct judge {
    struct smi_check *c;
    const struct smi_pairs *pairs; /* A is the baseline */
    struct smi_field_values row;
    int column;
    const char *name;
    int way;                  /* 1: more is worse */
    int64_t least, tolerance; /* least: 0 where a tolerance of this very column was given */
    const struct smi_sweep *base;
    const char **alone; /* of each run without a pair: why it has none */
    struct smi_err *err;
};

/* Is it the energy of the run, or what follows from it alone? */
static bool is_energy(const struct smi_summary *s, const char *column)
{
    return strcasecmp(column, "energy_wh") == 0 || (strcasecmp(column, "co2_g") == 0 && s->co2_g.has);
}

/* Lists a run as gone. */
static void add_gone(struct smi_check *c, struct smi_text name, bool expected)
{
    struct smi_check_gone *g = &c->gone[expected];
    *SMI_MEM_ADD(g->of, g->n, g->cap) = smi_arena_text(&c->arena, name.p, name.n);
}

/* A new limit, its cases all holding. Its text is copied. */
static struct smi_check_limit *add_limit(struct smi_check *c, const char *text)
{
    struct smi_check_limit *l = SMI_MEM_ADD(c->limit, c->n, c->cap);
    l->text = smi_copy_text(&c->arena, text);
    l->of = smi_arena_new(&c->arena, c->sweep->n + 1, sizeof *l->of);
    for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++)
        l->of[i] = (struct smi_check_case){.run = i, .verdict = SMI_VERDICT_HOLDS};
    return l;
}

/* --- why there is no value --- */

/* Of the sentences about a run that which says why a column is empty. */
static const char *problem_of(const struct smi_summary *s, const char *name)
{
    static const struct {
        const char *column, *about;
    } of[] = {{"cpu", "CPU"},         {"power", "power"},    {"energy", "power"}, {"energy", "times"},
              {"gpu_util", "utiliz"}, {"idle", "utiliz"},    {"idle", "times"},   {"wasted", "utiliz"},
              {"wasted", "times"},    {"vram", "memory"},    {"hours", "times"},  {"duration", "times"},
              {"covered", "times"},   {"throttled", "times"}};
    for (size_t k = 0; k < sizeof of / sizeof *of; k++)
        for (size_t i = 0; i < s->nproblems && strstr(name, of[k].column); i++)
            if (strncmp(s->problems[i], "no ", 3) == 0 && strstr(s->problems[i], of[k].about))
                return s->problems[i];
    return NULL;
}

/* Has the run this column for a part of its GPU time only? It is larger then, and says of no limit that it is
 * kept. */
static bool is_part(const struct smi_summary *s, const char *column)
{
    return s->energy_part && is_energy(s, column);
}

/* Why a run has no value of a column (or of anything, if name is NULL). */
static const char *missing_reason(struct smi_check *c, size_t run, const char *name)
{
    const struct smi_summary *s = &c->sweep->runs[run];
    const char *problem = name ? problem_of(s, name) : NULL, *text;
    if (!smi_run_has_gpu_data(s))
        return smi_run_no_data_reason(s);
    text = !name              ? "no value"
           : is_part(s, name) ? smi_format_text(&c->arena, "%s is of %s", name, s->energy_part)
                              : smi_format_text(&c->arena, "no %s", name);
    return problem ? smi_format_text(&c->arena, "%s: %s", text, problem) : text;
}

/* A number without the ".0" of a whole one. Returns t. */
static const char *number_text(char t[SMI_MICRO_TEXT], int64_t micro)
{
    size_t n = smi_text_write_micro(t, micro);
    if (n > 2 && strcmp(t + n - 2, ".0") == 0)
        t[n - 2] = 0;
    return t;
}

/* --- tolerances --- */

/* The tolerance of a column: that with its name, which is all that it may be worse, else the one without. */
static int tolerance_of(const char *list, const char *column, int64_t *tolerance, int64_t *least,
                        struct smi_err *err)
{
    struct smi_text word;
    bool named = false;
    *tolerance = SMI_TOLERANCE_PCT * (int64_t)PERCENT;
    while (smi_text_next_item(&list, &word)) {
        const char *eq = memchr(word.p, '=', word.n);
        const size_t n = eq ? (size_t)(eq - word.p) + 1 : 0;
        const struct smi_text key = smi_text_trim((struct smi_text){word.p, eq ? n - 1 : 0});
        struct smi_text number = {word.p + n, word.n - n};
        int64_t v;
        if (eq && smi_query_find_number(key, true, err) < 0)
            return -1;
        number.n -= number.n && number.p[number.n - 1] == '%';
        if (smi_text_parse_micro(smi_text_trim(number), &v) || v < 0)
            return smi_err_set(err, SMI_EUSAGE,
                               "--tolerance needs percent, as 5%% or energy_wh=10%%: not \"%.*s\"",
                               (int)(word.n < 60 ? word.n : 60), word.p);
        if (eq ? smi_text_is_nocase(key, column) : !named) {
            *tolerance = v;
            named |= eq != NULL;
        }
    }
    *least = named ? 0 : *least;
    return 0;
}

/* --- values --- */

static struct smi_value value_of(struct judge *j, const struct smi_summary *s)
{
    const struct smi_datum *v = &j->row.v[j->column];
    smi_field_values_fill(&j->row, &smi_run_list, s, s);
    return (struct smi_value){v->n, v->kind == SMI_DATUM_MICRO};
}

/* --- verdicts --- */

static const char *describe_change(struct judge *j, int64_t a, int64_t b, smi_i128 change)
{
    struct smi_arena *arena = &j->c->arena;
    size_t len = strlen(j->name);
    int digits = len > 2 && strcmp(j->name + len - 2, "_h") == 0 ? 2 : 1;
    const smi_i128 pct = a ? smi_i128_div(change * 100 * PERCENT, a < 0 ? -(smi_i128)a : a) : 0;
    const char *text = smi_format_text(arena, "%s, was %s", smi_fixed_text(arena, b, digits),
                                       smi_fixed_text(arena, a, digits));
    return a ? smi_format_text(arena, "%s (%s%s %%)", text, change > 0 ? "+" : "",
                               smi_fixed_text(arena, pct, 1))
             : text;
}

static void mark_unmeasurable(struct judge *j, struct smi_check_case *k, const char *why)
{
    k->verdict = SMI_VERDICT_UNMEASURABLE;
    k->why = why ? why : missing_reason(j->c, k->run, j->name);
}

/* Energy over different shares of the GPU time is not compared. NULL: it may be. */
static const char *unlike_reason(const struct judge *j, const struct smi_summary *a,
                                 const struct smi_summary *b)
{
    const struct smi_value then = a->energy_coverage_pct, now = b->energy_coverage_pct;
    const int64_t change = now.micro - then.micro;
    struct smi_arena *arena = &j->c->arena;
    if (!is_energy(b, j->name) || !then.has || !now.has || (change <= PERCENT && change >= -PERCENT))
        return NULL;
    return smi_format_text(arena, "%s is of %s %% of the GPU time, in the baseline of %s %%", j->name,
                           smi_fixed_text(arena, now.micro, 1), smi_fixed_text(arena, then.micro, 1));
}

static void judge_pair(struct judge *j, struct smi_check_case *k, size_t pair)
{
    const struct smi_summary *then = &j->base->runs[j->pairs->of[pair].a];
    const struct smi_value a = value_of(j, then), b = value_of(j, &j->c->sweep->runs[k->run]);
    smi_i128 change = (smi_i128)b.micro - a.micro, worse = change * j->way,
             base = a.micro < 0 ? -(smi_i128)a.micro : a.micro;
    static const char *const was[] = {
        [SMI_STATE_FAILED] = "failed", [SMI_STATE_CUT] = "cut", [SMI_STATE_NO_DATA] = "without GPU data"};
    const char *why = was[then->state]
                          ? smi_format_text(&j->c->arena, "%s in the baseline: nothing to measure against",
                                            was[then->state])
                      : a.has && b.has ? unlike_reason(j, then, &j->c->sweep->runs[k->run])
                                       : NULL;
    char t[SMI_MICRO_TEXT];
    k->verdict = SMI_VERDICT_HOLDS;
    if (why || (a.has && !b.has))
        mark_unmeasurable(j, k, why);
    if (why || !a.has || !b.has || worse <= j->least || worse * 100 * PERCENT <= base * j->tolerance)
        return;
    k->verdict = SMI_VERDICT_BROKEN;
    k->value = describe_change(j, a.micro, b.micro, change);
    k->number = smi_arena_text(&j->c->arena, t, smi_text_write_micro(t, b.micro));
    k->rank = base ? (double)worse / (double)base : 1e9 + (double)worse;
}

/* A run that failed, or was cut, and did not before. What was not known before, or is not now, cannot be
 * told. */
static void judge_state(struct judge *j, struct smi_check_case *k, size_t pair)
{
    const enum smi_state then = j->base->runs[j->pairs->of[pair].a].state,
                         now = j->c->sweep->runs[k->run].state;
    const bool unknown = then == SMI_STATE_UNKNOWN, ok = then == SMI_STATE_OK;
    k->verdict = SMI_VERDICT_HOLDS;
    if (now == SMI_STATE_NO_DATA && (ok || unknown))
        mark_unmeasurable(j, k, NULL);
    if (now == SMI_STATE_UNKNOWN && ok)
        mark_unmeasurable(j, k, "how it ended is not known: no run log");
    if (now == SMI_STATE_CUT && unknown)
        mark_unmeasurable(j, k, "cut; how it ended in the baseline is not known");
    if (!(now == SMI_STATE_FAILED && then != SMI_STATE_FAILED) && !(now == SMI_STATE_CUT && ok))
        return;
    k->verdict = SMI_VERDICT_BROKEN;
    k->value = smi_format_text(&j->c->arena, "%s, was %s", smi_state_names[now], smi_state_names[then]);
    k->rank = now == SMI_STATE_FAILED;
}

/* A limit of that text, a case each run; those without a pair could not be judged. */
static void judge_runs(struct judge *j, const char *text,
                       void (*one)(struct judge *, struct smi_check_case *, size_t))
{
    struct smi_check_limit *l = add_limit(j->c, text);
    for (size_t i = 0; smi_sweep_has_run(j->c->sweep, i); i++) {
        l->of[i].verdict = SMI_VERDICT_UNMEASURABLE;
        l->of[i].why = j->alone[i];
    }
    for (size_t i = 0; i < j->pairs->n; i++) {
        l->of[j->pairs->of[i].b].why = NULL;
        one(j, &l->of[j->pairs->of[i].b], i);
    }
}

/* All columns for which the baseline has a value. */
static int judge_baseline(struct judge *j, const char *tolerance)
{
    char percent[SMI_MICRO_TEXT], least[SMI_MICRO_TEXT];
    bool any = false, state = false; /* state: the end of a run is known, on either side */
    j->name = NULL;
    for (size_t i = 0; i < j->pairs->n; i++)
        state |= j->base->runs[j->pairs->of[i].a].state != SMI_STATE_UNKNOWN ||
                 j->c->sweep->runs[j->pairs->of[i].b].state != SMI_STATE_UNKNOWN;
    if (state)
        judge_runs(j, "state as in the baseline, or better", judge_state);
    for (int i = 0; i < SMI_RUN_FIELDS; i++) {
        bool has = !j->pairs->n;   /* the baseline has a value */
        struct smi_buf text = {0}; /* "energy_wh <= baseline + max(5 %, 1)", "energy_wh <= baseline + 10 %" */
        if (!smi_run_fields[i].worse)
            continue;
        j->column = i;
        j->name = smi_run_fields[i].key;
        j->way = smi_run_fields[i].worse;
        j->least = smi_run_fields[i].least;
        if (tolerance_of(tolerance, j->name, &j->tolerance, &j->least, j->err))
            return -1;
        for (size_t k = 0; k < j->pairs->n && !has; k++)
            has = value_of(j, &j->base->runs[j->pairs->of[k].a]).has;
        if (!has)
            continue;
        any = true;
        smi_buf_fmt(&text, "%s %s baseline %s ", j->name, j->way > 0 ? "<=" : ">=", j->way > 0 ? "+" : "-");
        smi_buf_fmt(&text, j->least ? "max(%s %%, %s)" : "%s %%", number_text(percent, j->tolerance),
                    number_text(least, j->least));
        judge_runs(j, text.p, judge_pair);
        smi_buf_fini(&text);
        if (!j->pairs->n)
            break; /* nothing to compare: said once */
    }
    return any ? 0 : smi_err_set(j->err, SMI_EUSAGE, "--baseline has no value that could become worse");
}

int smi_check_baseline(struct smi_check *c, const struct smi_sweep *base, const char *tolerance,
                       struct smi_err *err)
{
    struct smi_pairs p = {0};
    struct judge j = {.c = c, .pairs = &p, .base = base, .err = err};
    int rc = smi_pairs_make(&p, base, c->sweep, NULL, true, err);
    j.alone = smi_arena_new(&c->arena, c->sweep->n + 1, sizeof *j.alone);
    for (size_t i = 0; i < p.nonly[1]; i++)
        j.alone[p.only[1][i].run] =
            p.only[1][i].named ? "in the baseline with other parameters" : "not in the baseline";
    rc = rc ? rc : judge_baseline(&j, tolerance);
    smi_field_values_fini(&j.row);
    for (size_t i = 0; !rc && i < p.nonly[0]; i++) /* one with other parameters is reported with that */
        if (!p.only[0][i].named)
            add_gone(c, smi_text_of(base->runs[p.only[0][i].run].run), false);
    smi_pairs_fini(&p);
    return rc;
}

/* --- findings --- */

/* Why no rule could say anything of a run with GPU data. */
static const char *why_not_judged(const struct smi_summary *s)
{
    bool apart = false, timed = false;
    for (size_t i = 0; i < s->ngpus; i++) {
        apart |= !s->gpus[i].pooled;
        timed |= !s->gpus[i].pooled && (s->gpus[i].has_span || s->gpus[i].covered_ms > 0);
    }
    return timed   ? "too short for findings"
           : apart ? "no times in the GPU logs, so no findings"
                   : "GPUs that could not be told apart, so no findings (--gpu-count N)";
}

/* A run of which nothing is found may have failed all the same. */
void smi_check_findings(struct smi_check *c, enum smi_level level)
{
    struct smi_check_limit *l =
        add_limit(c, smi_format_text(&c->arena, "no finding of level %s%s", smi_level_names[level],
                                     level == SMI_LEVEL_ERROR ? "" : " or above"));
    for (size_t i = 0; smi_sweep_has_run(c->sweep, i); i++) {
        struct smi_check_case *k = &l->of[i];
        const struct smi_summary *s = &c->sweep->runs[k->run];
        const struct smi_finding *f = smi_findings_worst(s, level);
        const bool none = smi_run_note_of(s) == SMI_NOTE_NO_DATA;
        if (f || s->state == SMI_STATE_FAILED) {
            k->verdict = SMI_VERDICT_BROKEN;
            k->value = f ? f->note : s->state_reason ? s->state_reason : "failed";
            k->rank = (double)(f ? f->gpu_ms : s->covered_ms) + 1e15 * (f ? f->level : SMI_LEVEL_ERROR);
        } else if (none || !s->judged) {
            k->verdict = SMI_VERDICT_UNMEASURABLE;
            k->why = none ? missing_reason(c, k->run, NULL) : why_not_judged(s);
        }
    }
}

/* --- runs that are not here --- */

void smi_check_expected(struct smi_check *c, size_t n, struct smi_text names)
{
    const size_t here = c->sweep->n;
    const char **run = smi_mem_new(here + 1, sizeof *run), *key;
    for (size_t i = 0; i < here; i++)
        run[i] = c->sweep->runs[i].run;
    smi_sort(run, here, sizeof *run, smi_compare_strings);
    while (names.n) { /* each name that no run has is gone */
        struct smi_text name = smi_text_trim(smi_config_next_line(&names));
        while (name.n > 1 && strchr("/\r", name.p[name.n - 1])) /* as one writes the name of a directory */
            name.n--;
        key = smi_arena_text(&c->arena, name.p, name.n);
        c->expected += name.n > 0;
        if (name.n && !bsearch(&key, run, here, sizeof *run, smi_compare_strings))
            add_gone(c, name, true);
    }
    smi_mem_free(run);
    c->absent = c->gone[true].n;
    c->expected = n > c->expected ? n : c->expected;
    if (n <= here || n - here <= c->absent)
        return;
    add_gone(c, smi_text_of(smi_format_text(&c->arena, "%zu of %zu runs", n - here - c->absent, n)), true);
    c->absent = n - here;
}

/* --- the end --- */

/* Broken, not judged, holding; the worst first, of equals the first by name. */
static int by_trouble(const void *x, const void *y)
{
    const struct smi_check_case *a = x, *b = y;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (a->verdict == SMI_VERDICT_BROKEN && a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return (a->run > b->run) - (a->run < b->run);
}

void smi_check_close(struct smi_check *c)
{
    unsigned char *worst = smi_arena_new(&c->arena, c->sweep->n + 1, 1);
    memset(worst, SMI_VERDICT_HOLDS, c->sweep->n);
    for (size_t i = 0; i < c->n; i++) {
        struct smi_check_limit *l = &c->limit[i];
        for (size_t k = 0; smi_sweep_has_run(c->sweep, k); k++) {
            const enum smi_verdict v = l->of[k].verdict;
            l->broken += v == SMI_VERDICT_BROKEN;
            l->unjudged += v == SMI_VERDICT_UNMEASURABLE;
            worst[k] = v < worst[k] ? (unsigned char)v : worst[k];
        }
        c->broken += l->broken > 0;
        smi_sort(l->of, c->sweep->n, sizeof *l->of, by_trouble);
    }
    for (size_t k = 0; smi_sweep_has_run(c->sweep, k); k++) {
        c->broken_runs += worst[k] == SMI_VERDICT_BROKEN;
        c->unjudged_runs += worst[k] == SMI_VERDICT_UNMEASURABLE;
    }
}

bool smi_check_has_unmeasurable(const struct smi_check *c)
{
    return c->absent || ((c->unjudged_runs || c->gone[false].n) && !c->allow_missing);
}

void smi_check_fini(struct smi_check *c)
{
    smi_mem_free(c->limit);
    smi_mem_free(c->gone[0].of);
    smi_mem_free(c->gone[1].of);
    smi_arena_fini(&c->arena);
    *c = (struct smi_check){0};
}

/* limits that are SQL: of each run, is the expression true, not true, or is it not known
 * (NULL)? */

/* --- expressions --- */

static const struct {
    const char *option, *name, *sql;
    bool least;
} limits[SMI_CHECK_LIMITS] = {
#define SMI_CHECK_LIMIT(id, option, arg, name, sql, least, help) {option, name, sql, least},
#include "query/check_limit.def"
#undef SMI_CHECK_LIMIT
};

static const char fail_if[] = "fail-if"; /* the option */

enum { FIRST_VALUE = 1 }; /* column of the statement, after the verdict */

struct expr {
    const char *option;                                 /* for messages */
    const char *text;                                   /* what has to hold */
    const char *fails;                                  /* SQL that is true of a run that breaks it */
    const char *name[SMI_DB_READS], *sql[SMI_DB_READS]; /* what it is about */
    int values;
    bool simple; /* name[0] against a limit: the value is ranked by its distance */
    bool least;
    int64_t limit;
};

/* --- expressions --- */

/* "NAME op NUMBER" and nothing else has a text of its own, and its values are compared with the limit. */
static bool read_comparison(struct smi_check *c, struct expr *x, const char *text)
{
    static const struct {
        const char *op, *not_op;
        bool least;
    } ops[] = {{"<=", ">", true},   {">=", "<", false}, {"<>", "=", false}, {"!=", "=", false},
               {"==", "!=", false}, {"<", ">=", true},  {">", "<=", false}, {"=", "!=", false}};
    const char *p = text + strcspn(text, "<>=!");
    const struct smi_text name = smi_text_trim((struct smi_text){text, (size_t)(p - text)});
    struct smi_text number;
    size_t i = 0;
    while (i < sizeof ops / sizeof *ops && strncmp(p, ops[i].op, strlen(ops[i].op)) != 0)
        i++;
    if (i == sizeof ops / sizeof *ops || x->values != 1 || !smi_db_is_name(name))
        return false;
    number = smi_text_trim(smi_text_of(p + strlen(ops[i].op)));
    if (smi_text_parse_micro(number, &x->limit))
        return false;
    x->least = ops[i].least;
    x->text = smi_format_text(&c->arena, "%.*s %s %.*s", (int)name.n, name.p, ops[i].not_op, (int)number.n,
                              number.p);
    return true;
}

/* The short form of a limit. */
static void add_option_limit(struct smi_check *c, struct expr *x, int id, int64_t limit)
{
    const char op = limits[id].least ? '<' : '>';
    char number[SMI_MICRO_TEXT];
    number_text(number, limit);
    *x = (struct expr){.option = limits[id].option,
                       .fails = smi_format_text(&c->arena, "%s %c %s", limits[id].sql, op, number),
                       .name = {limits[id].name},
                       .sql = {limits[id].sql},
                       .values = 1};
    x->simple = read_comparison(c, x, smi_format_text(&c->arena, "%s %c %s", limits[id].name, op, number));
}

/* Finds the columns that the expression is about, and what has to hold. */
static int resolve_expression(struct smi_check *c, struct smi_db *d, struct expr *x, struct smi_err *err)
{
    const struct smi_text t = smi_text_trim(smi_text_of(x->fails));
    struct smi_buf b = {0};
    const char *fails = smi_db_resolve(d, fail_if, x->fails, err);
    if (!fails)
        return -1;
    for (; x->values < (int)d->nreads; x->values++) {
        const char *column = d->read[x->values].column;
        smi_buf_str(&b, d->read[x->values].param ? "param." : "runs.");
        smi_db_quote(&b, column);
        x->sql[x->values] = smi_buf_keep(&b, &c->arena);
        smi_buf_fmt(&b, "param.%s", column);
        x->name[x->values] = strcasestr(x->fails, b.p) ? smi_arena_text(&c->arena, b.p, b.n)
                                                       : smi_copy_text(&c->arena, column);
        smi_buf_fini(&b);
    }
    x->simple = read_comparison(c, x, x->fails);
    x->fails = fails;
    if (!x->simple)
        x->text = smi_format_text(&c->arena, "not (%.*s)", (int)t.n, t.p);
    return 0;
}

/* --- asking --- */

/* The verdict, and the values. A name without a prefix is a column of the runs inside, else a parameter. */
static sqlite3_stmt *prepare_expression(struct smi_db *d, const struct expr *x, struct smi_err *err)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b,
                "SELECT (SELECT CASE WHEN (%s\n) THEN %d WHEN (%s\n) IS NULL THEN %d ELSE %d END FROM runs "
                "WHERE runs.rowid = param.rowid)",
                x->fails, SMI_VERDICT_BROKEN, x->fails, SMI_VERDICT_UNMEASURABLE, SMI_VERDICT_HOLDS);
    for (int i = 0; i < x->values; i++)
        smi_buf_fmt(&b, ", %s", x->sql[i]);
    smi_buf_str(&b, " FROM param JOIN runs ON runs.rowid = param.rowid ORDER BY param.rowid");
    return smi_db_select(d, x->option, &b, err);
}

/* --- what comes out --- */

static int value_digits(const struct expr *x, int i)
{
    size_t len = strlen(x->name[i]);
    bool known = x->option != fail_if;
    for (int k = 0; k < SMI_RUN_FIELDS && !known; k++)
        known = strcasecmp(x->name[i], smi_run_fields[k].key) == 0;
    if (len > 2 && strcmp(x->name[i] + len - 2, "_h") == 0)
        return 2;
    return known ? 1 : 6;
}

/* With one decimal (hours: two), where that can be told from the limit, and from nothing. */
static const char *shorten_value(struct smi_check *c, const struct expr *x, int i, const char *number)
{
    char t[SMI_MICRO_TEXT];
    int64_t micro, shown = 0;
    const int digits = value_digits(x, i);
    if (!number || !strchr(number, '.') || digits == 6 || smi_text_parse_micro(smi_text_of(number), &micro))
        return number;
    smi_text_parse_micro((struct smi_text){t, smi_text_write_fixed(t, micro, digits)}, &shown);
    return shown == 0 || (x->simple && shown == x->limit) ? number : smi_copy_text(&c->arena, t);
}

/* A value of the statement as text; NULL for none. */
static const char *value_text(struct smi_check *c, sqlite3_stmt *st, int i)
{
    return smi_db_value(&c->arena, st, FIRST_VALUE + i).text;
}

static void note_broken_case(struct smi_check *c, const struct expr *x, sqlite3_stmt *st,
                             struct smi_check_case *k)
{
    struct smi_buf b = {0};
    k->rank = (double)smi_wasted_ms(&c->sweep->runs[k->run].waste);
    if (x->simple) { /* a number, as its limit is one */
        k->number = value_text(c, st, 0);
        k->value = shorten_value(c, x, 0, k->number);
        k->rank = sqlite3_column_double(st, FIRST_VALUE) * (x->least ? -1 : 1);
        return;
    }
    for (int i = 0; i < x->values; i++) { /* "idle_pct 52.9, wasted_h 1.06" */
        const char *t = value_text(c, st, i);
        smi_buf_fmt(&b, "%s%s %s", i ? ", " : "", x->name[i], t ? shorten_value(c, x, i, t) : "-");
    }
    k->value = x->values ? smi_buf_keep(&b, &c->arena) : NULL;
}

/* A text against a limit that is a number: SQL would call it larger than any. */
static bool is_value_text(const struct expr *x, sqlite3_stmt *st)
{
    return x->simple && sqlite3_column_type(st, FIRST_VALUE) == SQLITE_TEXT;
}

/* The first column that is known for a part of the GPU time only: no limit that it keeps has been judged. */
static int partial_column(const struct smi_check *c, const struct expr *x, size_t run)
{
    int i = 0;
    while (i < x->values && !is_part(&c->sweep->runs[run], x->name[i]))
        i++;
    return i;
}

/* The column to blame: the first without a value, else the first that is known in part. */
static void note_unmeasurable_case(struct smi_check *c, const struct expr *x, sqlite3_stmt *st,
                                   struct smi_check_case *k)
{
    int i = 0;
    if (is_value_text(x, st)) {
        k->why = smi_format_text(&c->arena, "%s is no number: %.60s", x->name[0], value_text(c, st, 0));
        return;
    }
    while (i < x->values && sqlite3_column_type(st, FIRST_VALUE + i) != SQLITE_NULL)
        i++;
    if (i == x->values)
        i = partial_column(c, x, k->run);
    k->why = missing_reason(c, k->run, i < x->values ? x->name[i] : NULL);
}

static int judge_expression(struct smi_check *c, struct smi_db *d, struct expr *x, struct smi_err *err)
{
    struct smi_check_limit *l;
    sqlite3_stmt *st;
    int rc = x->text ? 0 : resolve_expression(c, d, x, err);
    if (rc)
        return -1;
    l = add_limit(c, x->text);
    st = prepare_expression(d, x, err);
    for (size_t i = 0; (rc = smi_db_step(d, x->option, st, err)) > 0; i++) {
        struct smi_check_case *k = &l->of[i];
        k->verdict = (enum smi_verdict)sqlite3_column_int(st, 0);
        if (is_value_text(x, st) ||
            (k->verdict == SMI_VERDICT_HOLDS && partial_column(c, x, k->run) < x->values))
            k->verdict = SMI_VERDICT_UNMEASURABLE;
        if (k->verdict == SMI_VERDICT_BROKEN)
            note_broken_case(c, x, st, k);
        if (k->verdict == SMI_VERDICT_UNMEASURABLE)
            note_unmeasurable_case(c, x, st, k);
    }
    return rc;
}

/* --- all of them --- */

int smi_check_sql(struct smi_check *c, const int64_t limit[SMI_CHECK_LIMITS], const char *expr, size_t n,
                  struct smi_err *err)
{
    struct expr *x = NULL;
    struct smi_buf asked = {0};
    struct smi_db d = {0};
    size_t all = 0, cap = 0;
    int rc = 0;
    for (int i = 0; i < SMI_CHECK_LIMITS; i++)
        if (limit[i] >= 0)
            add_option_limit(c, SMI_MEM_ADD(x, all, cap), i, limit[i]);
    for (size_t at = 0; at < n; at += strlen(expr + at) + 1) {
        const struct smi_text t = smi_text_of(expr + at);
        *SMI_MEM_ADD(x, all, cap) = (struct expr){.option = fail_if, .fails = expr + at};
        if (!rc && !smi_text_trim(t).n)
            rc = smi_err_set(err, SMI_EUSAGE, "--fail-if is empty");
        if (!rc && !smi_text_is_utf8(t))
            rc = smi_err_set(err, SMI_EUSAGE, "--fail-if is not UTF-8");
    }
    for (size_t i = 0; i < all; i++)
        smi_buf_fmt(&asked, "%s\n", x[i].fails);
    if (!rc && all)
        rc = smi_db_open(&d, c->sweep, &(struct smi_query){.where = asked.p}, err);
    for (size_t i = 0; i < all && !rc; i++)
        rc = judge_expression(c, &d, &x[i], err);
    smi_db_close(&d);
    smi_buf_fini(&asked);
    smi_mem_free(x);
    return rc;
}

int smi_check_sql_options(const int64_t limit[SMI_CHECK_LIMITS], const char *expr, size_t n,
                          struct smi_err *err)
{
    struct smi_sweep none = {.unread = true};
    struct smi_check c = {.sweep = &none};
    struct smi_err why = {0};
    smi_check_sql(&c, limit, expr, n, &why);
    smi_check_fini(&c);
    return why.code && why.code != SMI_EFORMAT ? smi_err_set(err, why.code, "%s", why.text) : 0;
}
