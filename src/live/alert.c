/* alert.c - alerts: their rules, conditions, limits and changes, and what follows from these. */
#include "live/alert.h"
#include "report/fmt.h"

#include <stdio.h>
#include <unistd.h>

/* What a rule is checked for: a GPU, a source (the other one is NULL), or the machine. */
struct smi_alert_subject {
    const struct smi_machine *n;
    const struct smi_live_gpu *b;
    const struct smi_live_source *s;
    const struct smi_rule *rule;
    bool once; /* see struct smi_alert_actions */
    struct smi_text_arena *g;
};

__attribute__((format(printf, 2, 3))) static bool say(struct smi_alert *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(w->text, sizeof w->text, fmt, ap);
    va_end(ap);
    return true;
}

static const int64_t GIB = INT64_C(1024) * 1000000; /* millionths of MiB */

static bool is_lost(const struct smi_alert_subject *of, struct smi_alert *w)
{
    if (of->b->state != SMI_GPU_LOST ||
        (of->b->seen && smi_live_source_is_forgotten(of->n->source[of->b->source])))
        return false;
    snprintf(w->note, sizeof w->note, "LOST");
    return say(w, "%s lost: %s", of->b->label, smi_machine_lost_reason(of->b));
}

static bool is_stale(const struct smi_alert_subject *of, struct smi_alert *w)
{
    return of->b->state == SMI_GPU_STALE && !smi_live_source_is_over(of->n->source[of->b->source]) &&
           say(w, "%s: no reading for %s", of->b->label, smi_fmt_time(of->g, smi_machine_age(of->n, of->b)));
}

/* While the driver goes on telling of it; then the alert stands for a while. */
static bool is_faulty(const struct smi_alert_subject *of, struct smi_alert *w)
{
    if (!of->b->fault_mono_ms || of->n->mono_ms - of->b->fault_mono_ms >
                                     smi_machine_stale_after(of->n->source[of->b->source]->interval_ms))
        return false;
    snprintf(w->note, sizeof w->note, "%s", of->b->fault);
    return say(w, "%s: %s", of->b->label, of->b->fault);
}

/* Do its readings show the condition of the rule? A limit in seconds is how long it has to hold; a single
 * check (--once) asks for that only of SMI_ALERT_SLOW rules. */
static bool is_shown(const struct smi_alert_subject *of, struct smi_alert *w)
{
    const struct smi_machine *n = of->n;
    const struct smi_condition *c = &n->condition[of->rule->condition];
    const struct smi_condition_term *t = &c->term[c->terms - 1];
    struct smi_text_arena *g = of->g;
    const struct smi_machine_reading *v = smi_machine_reading_of(n, of->b, t->metric), *whole = NULL,
                                     *held = smi_machine_reading_of(n, of->b, SMI_FB_USED);
    const int64_t since = smi_machine_shown_since(of->b, of->rule->condition), ms = n->mono_ms - since;
    const bool lasts = strcmp(of->rule->unit, "s") == 0,
               waits = lasts && (!of->once || of->rule->marks & SMI_ALERT_SLOW);
    const int64_t reading = v ? v->v : 0; /* none: another reading shows it, too */
    struct smi_buf b = {0};
    if (of->b->state != SMI_GPU_OK || since == SMI_NO_READING || (waits && ms < of->rule->limit / 1000))
        return false;
    whole = t->of < SMI_METRIC_COUNT ? smi_machine_reading_of(n, of->b, t->of) : NULL;
    if (!whole && t->of == SMI_POWER_LIMIT)
        whole = smi_machine_reading_of(n, of->b, SMI_POWER_LIMIT_ENFORCED);
    w->value = lasts                   ? ms * 1000
               : whole && whole->v > 0 ? (int64_t)((smi_i128)reading * 100000000 / whole->v)
                                       : reading;
    w->from_ms = smi_machine_now(n) - ms;
    const struct smi_rule_word word[] = {
        {"{gpu}", of->b->label},
        {"{span}", smi_fmt_time(g, ms)},
        {"{value}", smi_fmt_int(g, reading / 1000000)},
        {"{whole}", whole ? smi_fmt_int(g, whole->v / 1000000) : ""},
        {"{free}", whole ? smi_fmt_ratio(g, whole->v - reading, GIB, 1) : ""},
        {"{holds}",
         held && held->v >= GIB ? smi_fmt(g, ", holds %s GiB", smi_fmt_ratio(g, held->v, GIB, 1)) : ""}};
    smi_rule_text(&b, of->rule->note, word, sizeof word / sizeof *word);
    smi_text_copy(w->note, sizeof w->note, smi_text_of(b.p));
    smi_rule_text(&b, of->rule->text, word, sizeof word / sizeof *word);
    smi_text_copy(w->text, sizeof w->text, smi_text_of(b.p));
    smi_buf_fini(&b);
    return true;
}

/* A leak runs full; a reserved pool stands. */
static bool is_growing(const struct smi_alert_subject *of, struct smi_alert *w)
{
    enum { CELLS = 6 };
    int64_t cell[CELLS];
    if (of->n->t_ms - of->n->first_ms < SMI_HISTORY_HOUR_MS)
        return false;
    smi_machine_sparkline(of->n, of->b, SMI_HISTORY_FB_USED, SMI_HISTORY_HOUR_MS, false, cell, CELLS);
    w->value = INT64_MAX;
    for (int i = 0; i < CELLS; i++) {
        if (cell[i] == SMI_NO_READING || (i && cell[i] - cell[i - 1] < of->rule->limit))
            return false;
        if (i && cell[i] - cell[i - 1] < w->value)
            w->value = cell[i] - cell[i - 1];
    }
    const char *gib = smi_fmt_ratio(of->g, cell[CELLS - 1] - cell[0], GIB, 1);
    snprintf(w->note, sizeof w->note, "+%.30s GiB an hour", gib);
    return say(w, "%s: memory grows, %s GiB more in an hour", of->b->label, gib);
}

/* The last two parts of a log's path tell which one it is. */
static const char *last_path_parts(const char *name)
{
    const char *at = name + strlen(name);
    for (int slashes = 0; at > name && slashes < 2; slashes += *at == '/')
        at--;
    return *at == '/' ? at + 1 : at;
}

/* Fewer GPUs than expected, once a log could have named them, all of one sample. One that is lost is counted:
 * it has its own alert. */
static bool is_missing(const struct smi_alert_subject *of, struct smi_alert *w)
{
    const struct smi_machine *n = of->n;
    size_t expected = (size_t)n->o.expect_gpus, missing = expected > n->gpus ? expected - n->gpus : 0;
    bool pending = false, complete = of->once;
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        const bool repeated = s->lists_gpus && s->repeated;
        complete |= repeated;
        if (s->format < 0 || smi_format_infos[s->format].gpu)
            pending |= s->state == SMI_SOURCE_STARTING
                           ? !*s->why
                           : s->state == SMI_SOURCE_READING && s->lists_gpus && !repeated;
    }
    return missing && (complete || !pending) &&
           say(w, "%zu of %zu GPUs %s missing", missing, expected, missing == 1 ? "is" : "are");
}

/* No followed log grows, and some ended without saying so. */
static bool is_all_ended(const struct smi_alert_subject *of, struct smi_alert *w)
{
    const struct smi_machine *n = of->n;
    const struct smi_live_source *last = NULL;
    size_t ended = 0;
    for (size_t i = 0; i < n->sources && n->o.follow; i++) {
        const struct smi_live_source *s = n->source[i];
        if (!s->follows || s->format < 0 || !smi_format_infos[s->format].rows ||
            smi_live_source_is_forgotten(s) || s->state == SMI_SOURCE_STARTING || (s->run && s->run->ended))
            continue;
        if (s->state != SMI_SOURCE_ENDED)
            return false;
        ended++;
        last = !last || s->seen_mono_ms > last->seen_mono_ms ? s : last;
    }
    if (!last)
        return false;
    const char *span = smi_fmt_time(of->g, n->mono_ms - last->seen_mono_ms);
    if (ended == 1)
        return say(w, "log %.50s is silent: no row for %s", last_path_parts(last->name), span);
    return say(w, "%zu logs are silent: no row for %s", ended, span);
}

/* Also while it starts (again): that it samples shows a row only. And while it samples, if it ends again and
 * again. */
static bool is_dead(const struct smi_alert_subject *of, struct smi_alert *w)
{
    const struct smi_live_source *s = of->s;
    bool fresh = s->state == SMI_SOURCE_STARTING && !*s->why;
    const char *why = fresh ? "it has printed nothing yet" : s->why, *kind = s->follows ? "log" : "monitor",
               *name = s->follows ? last_path_parts(s->name) : s->name;
    const int64_t third = s->fell_mono_ms[SMI_MACHINE_FALLS - 1];
    if (s->state == SMI_SOURCE_READING && third && of->n->mono_ms - third < SMI_MACHINE_FALLS_MS)
        return say(w, "%s %.50s ends again and again: %d times within 10 minutes", kind, name,
                   SMI_MACHINE_FALLS);
    if (s->state == SMI_SOURCE_READING || smi_live_source_is_over(s) ||
        (s->state == SMI_SOURCE_STARTING && s->follows))
        return false;
    return say(w, "%s %.50s %s%s%.70s", kind, name,
               s->state == SMI_SOURCE_SILENT || fresh ? "is silent" : "is down", *why ? ": " : "", why);
}

/* Its lines have no room on the disk. */
static bool is_unrecorded(const struct smi_alert_subject *of, struct smi_alert *w)
{
    return of->s->unrecorded > 0 &&
           say(w, "%s is not recorded, %lld line%s lost: the disk takes none", of->s->name,
               (long long)of->s->unrecorded, of->s->unrecorded == 1 ? "" : "s");
}

/* A log of the job itself says that it has failed. */
static bool is_failed(const struct smi_alert_subject *of, struct smi_alert *w)
{
    const struct smi_runlog *log = of->s->part ? &of->s->part->log : NULL;
    return log && log->failed && !smi_live_source_is_forgotten(of->s) &&
           say(w, "%.60s: failed%s%.70s", last_path_parts(of->s->name), log->reason ? ": " : "",
               log->reason ? log->reason : "");
}

/* What a change is to other programs, on one line (a fresh text behind what stands in `to`):
 *     {"timestamp": "2026-07-03T12:31:07Z", "host": "node7", "run": "serve-7", "rule": "idle", "gpu_index":
 * 4, "uuid": "GPU-...", "monitor": null, "from": "ok", "to": "idle", "since": "...Z", "value": 300.0,
 * "threshold": 300.0, "unit": "s", "text": "GPU 4 idle 5m00s"} At its end from and to are the other way
 * round. host, run: or NULL. */
static void put_change(struct smi_buf *to, const struct smi_alert_change *c, const char *host,
                       const char *run)
{
    const struct smi_rule *r = c->rule;
    bool limited = r->limit != SMI_LIMIT_NONE;
    char at[SMI_CLOCK_TEXT], since[SMI_CLOCK_TEXT];
    struct smi_json j;
    smi_clock_write(at, c->t_ms, true);
    smi_clock_write(since, c->from_ms, true);
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "timestamp", at);
    smi_json_key_str(&j, "host", c->host ? c->host : host);
    smi_json_key_str(&j, "run", c->run ? c->run : run);
    smi_json_key_str(&j, "rule", r->key);
    smi_json_key_str(&j, "severity", r->level == SMI_LEVEL_ERROR ? "error" : "warning");
    smi_json_key_optional(&j, "gpu_index", c->gpu >= 0, c->gpu);
    smi_json_key_str(&j, "uuid", c->uuid);
    smi_json_key_str(&j, "monitor", r->scope == SMI_SCOPE_SOURCE ? c->subject : NULL);
    smi_json_key_str(&j, "from", c->begins ? "ok" : r->word);
    smi_json_key_str(&j, "to", c->begins ? r->word : "ok");
    smi_json_key_str(&j, "since", since);
    smi_json_key_number(&j, "value", limited && c->begins, c->value);
    smi_json_key_number(&j, "threshold", limited, r->limit);
    smi_json_key_str(&j, "unit", *r->unit ? r->unit : NULL);
    smi_json_key_str(&j, "text", c->text);
    smi_json_close(&j, '}');
}

/* Does it hold? Then text, the note of what has no column, and value are filled; and from_ms if the logs tell
 * it. Of rules without a condition. */
static bool (*const checks[SMI_RULES])(const struct smi_alert_subject *of, struct smi_alert *w) = {
    [SMI_RULE_ALERT_LOST] = is_lost,      [SMI_RULE_ALERT_MISSING] = is_missing,
    [SMI_RULE_ALERT_FAULT] = is_faulty,   [SMI_RULE_ALERT_FAILED] = is_failed,
    [SMI_RULE_ALERT_MONITOR] = is_dead,   [SMI_RULE_ALERT_UNRECORDED] = is_unrecorded,
    [SMI_RULE_ALERT_STALE] = is_stale,    [SMI_RULE_ALERT_ENDED] = is_all_ended,
    [SMI_RULE_ALERT_GROWTH] = is_growing,
};

/* Reports a change. The texts for its end are made here; those of its beginning are not kept. ended_ms: how
 * long ago the condition ended; of: the log that it is about, or NULL. */
static void report_change(struct smi_alert_actions *a, struct smi_text_arena *g, int64_t ended_ms,
                          const struct smi_live_source *of, struct smi_alert_change *c)
{
    const bool ended = !c->begins && of && smi_live_source_is_over(of);
    const enum smi_event_kind kind = !c->begins                          ? SMI_EVENT_OK
                                     : c->rule->level == SMI_LEVEL_ERROR ? SMI_EVENT_ERROR
                                                                         : SMI_EVENT_WARN;
    if (!c->begins)
        c->text = ended ? smi_fmt(g, "%s: its log has ended", c->subject)
                        : smi_fmt(g, "%s %s after %s", c->subject, c->rule->over,
                                  smi_fmt_time(g, c->t_ms - ended_ms - c->from_ms));
    if (!ended && !(c->rule->marks & (c->begins ? SMI_ALERT_SAID : SMI_ALERT_SAID_OVER)))
        smi_machine_add_event(a->now, kind, "%s", c->text);
    smi_alert_actions_report(a, c);
}

/* One rule of one thing. */
static void check_rule(struct smi_alert_actions *a, struct smi_text_arena *g, int rule, size_t place)
{
    struct smi_machine *n = a->now;
    const struct smi_rule *r = &a->table.rule[rule];
    const struct smi_live_gpu *b = r->scope == SMI_SCOPE_GPU ? n->gpu[place] : NULL;
    const struct smi_live_source *s = r->scope == SMI_SCOPE_SOURCE ? n->source[place] : NULL;
    const size_t thing = b ? b->id : place; /* GPUs come and go, sources stay */
    smi_mem_reserve(&a->memory, &a->cap, (thing + 1) * SMI_RULES, sizeof *a->memory);
    struct smi_alert_memory *m = &a->memory[thing * SMI_RULES + (size_t)rule];
    struct smi_alert w = {.rule = rule,
                          .gpu = b ? (int)place : -1,
                          .source = s ? (int)place : -1,
                          .grave = r->level == SMI_LEVEL_ERROR,
                          .from_ms = SMI_NO_READING};
    const struct smi_alert_subject of = {n, b, s, r, a->once, g};
    bool holds = !r->off && (!b || b->mine) && (checks[rule] ? checks[rule] : is_shown)(&of, &w);
    const char *subject = b ? b->label : s ? s->name : r->scope == SMI_SCOPE_LOGS ? "a log" : "the machine";
    const struct smi_machine_run *run = smi_machine_run_of(n, b ? (int)place : -1, s ? (int)place : -1);
    const int64_t wait_ms = !holds ? r->off_ms : a->once ? 0 : r->on_ms;
    if (holds != m->pending) {
        m->pending = holds;
        m->since_ms = b && !holds && r->condition != SMI_CONDITIONS ? b->judged_mono_ms : n->mono_ms;
        if (holds && w.from_ms != SMI_NO_READING) /* it may have lasted for longer than we look */
            m->since_ms -= smi_machine_now(n) - w.from_ms;
        if (holds && !m->on)
            m->began_ms = w.from_ms != SMI_NO_READING ? w.from_ms : smi_machine_now(n);
    }
    const bool changed = holds != m->on && n->mono_ms - m->since_ms >= wait_ms;
    m->on ^= changed;
    if (changed)
        report_change(a, g, holds ? 0 : n->mono_ms - m->since_ms,
                      s              ? s
                      : b && b->seen ? n->source[b->source]
                                     : NULL,
                      &(struct smi_alert_change){
                          r, holds, b ? b->index : -1, b ? b->uuid : NULL, subject, w.text,
                          smi_machine_now(n), m->began_ms, holds && r->limit != SMI_LIMIT_NONE ? w.value : 0,
                          run ? run->host : NULL, run && n->many_runs ? run->name : NULL});
    if (!m->on)
        return;
    if (!holds) { /* not for long enough to be over */
        say(&w, "%s %s for %s", subject, r->over, smi_fmt_time(g, n->mono_ms - m->since_ms));
        *w.note = 0;
        w.ending = true;
    }
    w.from_ms = m->began_ms;
    *SMI_MEM_ADD(n->alert, n->alerts, n->alerts_cap) = w;
}

void smi_alert_actions_check(struct smi_alert_actions *a, int64_t mono_ms)
{
    struct smi_machine *n = a->now;
    struct smi_text_arena g = {0};
    a->mono_ms = mono_ms;
    n->alerts = 0;
    for (int r = SMI_RULE_COUNT; r < SMI_RULES; r++) {
        const enum smi_scope about = a->table.rule[r].scope;
        const size_t things = about == SMI_SCOPE_GPU ? n->gpus : about == SMI_SCOPE_SOURCE ? n->sources : 1;
        for (size_t i = 0; i < things; i++)
            check_rule(a, &g, r, i);
    }
    smi_arena_fini(&g.arena);
}

const struct smi_alert *smi_alert_marking(const struct smi_machine *n, size_t gpu, unsigned column)
{
    for (size_t i = 0; i < n->alerts && n->gpu[gpu]->state == SMI_GPU_OK; i++)
        if (n->alert[i].gpu == (int)gpu && !n->alert[i].ending && smi_rules[n->alert[i].rule].marks & column)
            return &n->alert[i];
    return NULL;
}

int64_t smi_alert_marks_from(const struct smi_machine *n, size_t gpu)
{
    int64_t from = INT64_MAX;
    for (const struct smi_alert *a = n->alert; a < n->alert + n->alerts; a++)
        if (a->gpu == (int)gpu && !a->ending && smi_rules[a->rule].marks & SMI_MARK_SPARK &&
            a->from_ms < from)
            from = a->from_ms;
    return from;
}

/* ---- what follows when an alert begins or ends: an event in the recording, and a command of the user's ----
 */

enum value { RULE, STATE, GPU, MONITOR, TEXT, ALERT }; /* of the environment of a call */

static const struct smi_child_deadlines patience = {500, 2000, 7000};

/* ---- changes ---- */

/* A list of GPUs or monitors: "SMILOG_GPU=0,1". */
static void add_item(struct smi_buf *list, const char *text)
{
    smi_buf_fmt(list, "%s%s", list->p[list->n - 1] == '=' ? "" : ",", text);
}

/* Adds a change to the last call of its rule, if that is about its direction, too, and has room; else to one
 * of its own. The text becomes "GPU 0 idle 5m00s, holds 70.4 GiB; also GPU 1, GPU 2", the object of the first
 * change {"timestamp": ..., "text": "GPU 0 idle 5m00s", "also": [{...}, {...}]}, whose end is still to come.
 */
static void add_to_call(struct smi_alert_actions *a, const struct smi_alert_change *c)
{
    static const char *const names[] = {"RULE", "STATE", "GPU", "MONITOR", "TEXT", "ALERT"};
    size_t at = a->calls;
    char index[16];
    while (at && a->call[at - 1].rule != c->rule)
        at--;
    struct smi_alert_call *k = at ? &a->call[at - 1] : NULL;
    if (!k || k->begins != c->begins || k->env[ALERT].n > SMI_ALERT_ENV_BYTES) {
        k = SMI_MEM_ADD(a->call, a->calls, a->calls_cap);
        *k = (struct smi_alert_call){.rule = c->rule, .begins = c->begins, .mono_ms = a->mono_ms};
        for (int i = 0; i < SMI_ALERT_VALUES; i++)
            smi_buf_fmt(&k->env[i], "SMILOG_%s=", names[i]);
        smi_buf_str(&k->env[RULE], c->rule->key);
        smi_buf_str(&k->env[STATE], c->begins ? "begins" : "ends");
    }
    const size_t n = k->changes++;
    struct smi_buf *text = &k->env[TEXT], *json = &k->env[ALERT];
    a->waiting++;
    snprintf(index, sizeof index, "%d", c->gpu);
    if (c->gpu >= 0)
        add_item(&k->env[GPU], index);
    if (c->rule->scope == SMI_SCOPE_SOURCE)
        add_item(&k->env[MONITOR], c->subject);
    smi_buf_fmt(text, "%s%s", n == 0 ? "" : n == 1 ? "; also " : ", ", n ? c->subject : c->text);
    smi_buf_str(json, n == 0 ? "" : n == 1 ? ", \"also\": [" : ", ");
    put_change(json, c, a->host, a->run);
    json->n -= n == 0;
}

void smi_alert_actions_report(struct smi_alert_actions *a, const struct smi_alert_change *c)
{
    if (a->live) {
        struct smi_runlog_value v[5] = {SMI_VALUE("rule", c->rule->key)};
        size_t n = 1;
        if (c->rule->scope == SMI_SCOPE_SOURCE)
            v[n++] = SMI_VALUE("monitor", c->subject);
        else if (c->rule->scope == SMI_SCOPE_GPU)
            v[n++] = SMI_VALUE("gpu", c->gpu);
        v[n++] = SMI_VALUE("state", c->begins ? "begins" : "ends");
        v[n++] = SMI_VALUE("text", c->text);
        smi_live_event(a->live, "alert", v);
    }
    if (a->command && a->waiting < SMI_ALERT_QUEUE_MAX)
        add_to_call(a, c);
    else
        a->dropped += a->command != NULL;
}

/* ---- one command ---- */

static void end_call(struct smi_alert_call *k)
{
    for (int i = 0; i < SMI_ALERT_VALUES; i++)
        smi_buf_fini(&k->env[i]);
}

/* Runs the command for the oldest call. */
static void start_command(struct smi_alert_actions *a, int64_t now_ms)
{
    const char *env[SMI_ALERT_VALUES + 1] = {NULL};
    char sh[] = "sh", c[] = "-c", *argv[] = {sh, c, (char *)(uintptr_t)a->command, NULL};
    const struct smi_child_spec spec = {.argv = argv, .env = env, .background = true};
    struct smi_alert_call *k = a->call;
    struct smi_err err = {0};
    smi_buf_str(&k->env[ALERT], k->changes > 1 ? "]}" : "}");
    for (int i = 0; i < SMI_ALERT_VALUES; i++)
        env[i] = k->env[i].p;
    a->begun_ms = now_ms;
    a->late = false;
    a->err = (struct smi_last_line){.line_n = 0};
    if (smi_child_open(&a->child, &spec, &err))
        smi_machine_add_event(a->now, SMI_EVENT_WARN, "%s", err.text);
    a->waiting -= k->changes;
    end_call(k);
    memmove(k, k + 1, --a->calls * sizeof *k);
}

static void read_err(struct smi_alert_actions *a)
{
    char piece[1024];
    ssize_t n;
    for (int k = 0; k < 64 && (n = smi_child_read(&a->child.err, piece, sizeof piece)) > 0; k++)
        smi_last_line_add(&a->err, piece, (size_t)n);
}

static void end_command(struct smi_alert_actions *a)
{
    struct smi_buf b = {0};
    struct smi_text said;
    read_err(a);
    if (a->child.err >= 0) { /* a background process that writes an error must not get SIGPIPE */
        int *late = &a->late_err[a->late_next];
        if (*late >= 0)
            close(*late);
        *late = a->child.err;
        a->child.err = -1;
        a->late_next = (a->late_next + 1) % SMI_ALERT_LATE;
    }
    smi_child_close(&a->child);
    said = smi_last_line_end(&a->err);
    if (a->late)
        smi_buf_fmt(&b, "took longer than %lld s, and was ended", (long long)(a->most_ms / 1000));
    else if (a->child.status)
        smi_child_put_end(&b, &a->child);
    if (b.n)
        smi_machine_add_event(a->now, SMI_EVENT_WARN, "the command of --alert-exec: %s%s%.*s", b.p,
                              said.n ? ": " : "", (int)said.n, said.p);
    smi_buf_fini(&b);
}

/* Ends or starts a command if that is due. */
static void run_command(struct smi_alert_actions *a, int64_t now_ms)
{
    char piece[4096];
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        for (int k = 0; k < 16 && a->late_err[i] >= 0; k++)
            if (smi_child_read(&a->late_err[i], piece, sizeof piece) <= 0)
                break;
    if (a->child.pid) {
        read_err(a);
        if (!a->late && now_ms - a->begun_ms >= a->most_ms) {
            a->late = true;
            smi_child_stop(&a->child, &patience, now_ms);
        }
        if (smi_child_poll(&a->child, now_ms) >= SMI_CHILD_ENDED)
            end_command(a);
    }
    if (!a->child.pid && a->calls && (a->hurry || now_ms - a->call->mono_ms >= SMI_ALERT_MERGE_MS))
        start_command(a, now_ms);
    if (a->dropped && a->waiting < SMI_ALERT_QUEUE_MAX) {
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the command did not get %lld alerts: more than %d waited for it",
                              (long long)a->dropped, SMI_ALERT_QUEUE_MAX);
        a->dropped = 0;
    }
}

/* ---- as a source of the loop ---- */

static void prepare(void *self, struct smi_loop *l)
{
    const struct smi_alert_actions *a = self;
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        smi_loop_watch(l, a->late_err[i]);
    if (a->child.pid) {
        smi_child_watch(&a->child, l);
        smi_loop_wake(l, a->late ? INT64_MAX : a->begun_ms + a->most_ms);
    } else if (a->calls) {
        smi_loop_wake(l, a->hurry ? l->now_ms : a->call->mono_ms + SMI_ALERT_MERGE_MS);
    }
}

static int run(void *self, struct smi_loop *l, struct smi_err *err)
{
    struct smi_alert_actions *a = self;
    (void)err;
    if (a->each_turn)
        smi_alert_actions_check(a, l->now_ms);
    run_command(a, l->now_ms);
    return 0;
}

void smi_alert_actions_attach(struct smi_alert_actions *a, struct smi_loop *l, bool each_turn)
{
    a->each_turn = each_turn;
    smi_loop_add(l, (struct smi_loop_source){a, prepare, run});
}

int smi_alert_actions_init(struct smi_alert_actions *a, const char *rules, struct smi_err *err)
{
    *a = (struct smi_alert_actions){.most_ms = SMI_ALERT_EXEC_MS, .child = smi_child_none};
    memset(a->late_err, -1, sizeof a->late_err);
    gethostname(a->host, sizeof a->host - 1);
    return smi_rules_load(&a->table, rules, err);
}

void smi_alert_actions_start(struct smi_alert_actions *a, struct smi_machine *now, struct smi_live *live,
                             const char *command, const char *run)
{
    a->now = now;
    smi_rules_limit_alerts(&a->table, now->condition);
    a->live = live;
    a->run = run;
    a->command = command;
}

bool smi_alert_actions_busy(const struct smi_alert_actions *a)
{
    return a->child.pid || a->calls;
}

void smi_alert_actions_fini(struct smi_alert_actions *a)
{
    if (a->child.pid)
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the end came before the command had ended");
    if (a->waiting)
        smi_machine_add_event(a->now, SMI_EVENT_WARN,
                              "--alert-exec: the end came before the command got %zu alerts", a->waiting);
    while (a->calls)
        end_call(&a->call[--a->calls]);
    smi_mem_free(a->call);
    smi_child_close(&a->child);
    for (size_t i = 0; i < SMI_ALERT_LATE; i++)
        if (a->late_err[i] >= 0)
            close(a->late_err[i]);
    smi_mem_free(a->memory);
}
