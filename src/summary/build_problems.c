/* build_problems.c - what is doubtful about a run, and how good its readings are. */
#include "base/buf.h"
#include "summary/build_private.h"
#include "summary/findings.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How good the logs are: what became of their lines, how often they were written, which readings they lack.
 */

enum { GAPS_MANY = 5 /* and a tenth: no accidents */ };

/* The lower median of the intervals, and the largest (docs/numbers.md §4). */
static void fill_intervals(const struct smi_counts_view *v, struct smi_value *median, struct smi_value *most)
{
    if (v->all.n == 0)
        return;
    *median = smi_value_of(smi_counts_view_at(v, (v->all.n - 1) / 2) * 1000);
    *most = smi_value_of(v->all.max * 1000);
}

/* ---- inputs ---- */

/* What is counted and said once, when all parts of the input are together: rows that could not be given to a
 * GPU, stamps that their zone does not have. */
static void add_count_messages(struct smi_account *a, const char *zone)
{
    int64_t line = a->lines;
    a->lines = 0; /* about the whole input */
    zone = zone ? zone : "the zone";
    if (a->stamps_never)
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld stamp%s in the hour that %.60s leaves out: read as if the clock had "
                         "not been set; is it the zone of the log?",
                         (long long)a->stamps_never, a->stamps_never == 1 ? "" : "s", zone);
    if (a->stamps_twice && !a->stamps_again) /* it is settled where both passes are in the log */
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld stamp%s in the hour that comes twice in %.60s: taken for its first pass",
                         (long long)a->stamps_twice, a->stamps_twice == 1 ? "" : "s", zone);
    if (a->undecided) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "no GPU key, and the times do not tell how many GPUs there are: "
                         "all rows are pooled, without times; --gpu-count N says it");
    } else if (a->ragged_bursts) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld sample%s without one row for each of the %lld GPUs (%lld row%s): "
                         "not assigned to a GPU, and without times",
                         (long long)a->ragged_bursts, a->ragged_bursts == 1 ? "" : "s", (long long)a->burst,
                         (long long)a->ragged_rows, a->ragged_rows == 1 ? "" : "s");
    }
    a->lines = line;
}

/* What the times of an input leave out without a sum that shows it: intervals of a second, slower cadence are
 * all gaps, and rows of which many step back in time make no intervals. */
static void add_time_messages(const struct smi_input *in, int64_t intervals, struct smi_input_stats *p)
{
    struct smi_account *a = &p->account;
    int64_t line = a->lines, rows = 0, back = 0;
    char seconds[SMI_MICRO_TEXT];
    for (size_t i = 0; i < p->tracks; i++) {
        rows += p->track[i] ? p->track[i]->rows : 0;
        back += p->track[i] && p->track[i]->segments > 1 ? p->track[i]->segments - 1 : 0;
    }
    a->lines = 0; /* about the whole input */
    smi_text_write_micro(seconds, in->gap_ms * 1000);
    if (in->gaps >= GAPS_MANY && in->gaps * 10 >= intervals) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "%lld of %lld intervals are gaps by the median of all: %s s are in no energy and "
                         "no idle time; if two monitors or two cadences are in it, make each a file",
                         (long long)in->gaps, (long long)intervals, seconds);
    }
    if (back >= GAPS_MANY && back * 10 >= rows) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER,
                         "time steps back at %lld of %lld rows: duration, energy and idle time need rows "
                         "in the order of time; sort them",
                         (long long)back, (long long)rows);
    }
    a->lines = line;
}

/* Which GPU of the summary each device of the input is. */
static void build_places(struct smi_build *b, struct smi_input *in, const struct smi_input_stats *p)
{
    const struct smi_input_stats *to = p->joined_to ? p->joined_to : p;
    int *place = smi_arena_new(&b->out->arena, p->devices.n, sizeof *place);
    for (size_t i = 0; i < p->devices.n; i++) {
        const size_t who = p->joined_to && i < p->tracks ? (size_t)p->joined_as[i] : i;
        place[i] =
            i < p->tracks && who < to->tracks && to->track[who] ? to->track[who]->place : SMI_PLACE_NONE;
    }
    in->place = place;
    in->places = p->devices.n;
}

static void build_input(struct smi_build *b, struct smi_input *in, struct smi_input_stats *p, unsigned limit)
{
    static const unsigned peaks[] = {SMI_GPU_UTIL_PEAK, SMI_MEM_UTIL_PEAK, SMI_FB_USED_PEAK};
    struct smi_counts_cursor w = {0};
    struct smi_counts_item dt;
    struct smi_counts_view v;
    struct smi_log_warning *list;
    int64_t intervals;
    char text[96], ms[SMI_MICRO_TEXT];
    smi_counts_view(&p->dts, &v);
    while (smi_counts_view_next(&v, &w, &dt)) {
        const bool gap = smi_interval_class(dt.value) > limit;
        in->gaps += gap ? dt.n : 0;
        in->gap_ms += gap ? dt.n * dt.value : 0;
    }
    fill_intervals(&v, &in->interval_s, &in->interval_max_s);
    intervals = v.all.n;
    smi_counts_view_fini(&v);
    add_count_messages(&p->account, b->r->zone);
    add_time_messages(in, intervals, p);
    build_places(b, in, p);
    list = smi_arena_new(&b->out->arena, p->account.problems + 1, sizeof *list);
    in->path = smi_build_copy_text(b, p->path);
    in->format = smi_format_infos[p->format].name;
    in->gpu = smi_format_infos[p->format].gpu && !smi_format_infos[p->format].procs;
    for (size_t i = 0; i < b->s.gpus; i++)
        for (size_t k = 0; k < sizeof peaks / sizeof *peaks; k++)
            in->peaks |= smi_metric_source(&b->s.gpu[i], peaks[k]) == p->format;
    in->account = p->account;
    in->account.problem = list;
    in->account.cap = 0;
    for (size_t i = 0; i < p->account.problems; i++) {
        list[i] = p->account.problem[i];
        list[i].text = smi_build_copy_text(b, p->account.problem[i].text);
    }
    if (!in->gpu || !in->interval_s.has || in->interval_s.micro <= 0 || in->peaks)
        return;
    smi_text_write_micro(ms, in->interval_s.micro);
    snprintf(text, sizeof text, "peaks shorter than %s s are not seen", ms);
    in->note = smi_build_copy_text(b, text);
}

void smi_build_inputs(struct smi_build *b)
{
    struct smi_input *in = smi_arena_new(&b->out->arena, b->r->parts + 1, sizeof *in);
    for (size_t i = 0; i < b->r->parts; i++)
        build_input(b, &in[i], b->r->part[i], b->s.limit[i]);
    b->out->inputs = in;
    b->out->ninputs = b->r->parts;
}

/* ---- GPUs ---- */

static void gpu_intervals(const struct smi_run_gpu *body, int format, struct smi_gpu *g)
{
    struct smi_counts all;
    struct smi_counts_view v = {0};
    const struct smi_gpu_source *first = smi_gpu_source(body, format, body->from);
    const bool one = !smi_gpu_source(body, format, first + 1);
    smi_counts_init(&all, 1);
    SMI_EACH_SOURCE (l, body, format) {
        struct smi_time_sum_slot every = smi_time_sum_total(&l->track->covered, UINT_MAX),
                                 in = smi_time_sum_total(&l->track->covered, l->limit);
        g->gaps += every.n - in.n;
        g->gap_ms += every.dt - in.dt;
        if (!one)
            smi_counts_merge(&all, &l->track->lengths);
    }
    smi_counts_view(one ? &first->track->lengths : &all, &v);
    fill_intervals(&v, &g->interval_s, &g->interval_max_s);
    smi_counts_view_fini(&v);
    smi_counts_fini(&all);
}

static int64_t count_rows(const struct smi_run_gpu *body, int format)
{
    int64_t n = 0;
    SMI_EACH_SOURCE (l, body, format)
        n += l->track->rows;
    return n;
}

/* Readings of a metric in the logs of a format. */
static int64_t count_readings(const struct smi_run_gpu *body, int format, unsigned metric)
{
    int64_t n = 0;
    SMI_EACH_SOURCE (l, body, format) {
        const struct smi_device_stats *t = l->track;
        n += t->counts[metric] ? smi_counts_total(t->counts[metric]) : 0;
        for (size_t k = 0; k < t->counters; k++)
            n += t->counter[k].metric == metric ? t->counter[k].n : 0;
    }
    return n;
}

void smi_build_available(struct smi_build *b, const struct smi_run_gpu *body, const struct smi_share **out,
                         size_t *n)
{
    struct smi_share *list = smi_arena_new(&b->out->arena, SMI_METRIC_COUNT, sizeof *list);
    uint64_t some[SMI_METRIC_COUNT / 64 + 1]; /* metrics that the logs have or that one was asked for */
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        some[i] = body->has[i] | b->s.asked_all[i];
    *out = list;
    *n = 0;
    for (unsigned m = 0; (m = smi_next_metric(some, m)) < SMI_METRIC_COUNT; m++) {
        int f = smi_metric_source(body, m);
        for (int k = 0; k < SMI_FMT_COUNT && f < 0; k++) /* else one that was asked for it, and has rows */
            f = b->s.asked[k][m / 64] >> m % 64 & 1 && count_rows(body, k) > 0 ? k : -1;
        if (f < 0)
            continue;
        list[*n].metric = (uint16_t)m;
        list[(*n)++].pct =
            smi_value_ratio((smi_i128)count_readings(body, f, m) * 100 * 1000000, count_rows(body, f));
    }
}

void smi_build_quality(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g)
{
    int format = smi_run_gpu_row_format(body);
    if (format >= 0 && !g->pooled)
        gpu_intervals(body, format, g);
    smi_build_available(b, body, &g->available, &g->navailable);
}

char *smi_build_copy_text(struct smi_build *b, const char *text)
{
    return text ? smi_arena_text(&b->out->arena, text, strlen(text)) : NULL;
}

/* ---- how it ended ---- */

static void fill_command(struct smi_build *b)
{
    static const unsigned shares[SMI_RUNLOG_USAGE_PARTS] = {SMI_TREE_CPU, SMI_TREE_CPU_MAIN,
                                                            SMI_TREE_CPU_CHILDREN};
    const struct smi_runlog_usage *t = &b->r->log.tracked;
    struct smi_tracked_figures *list;
    if (!t->has && !t->span_us)
        return;
    list = smi_arena_new(&b->out->arena, SMI_RUNLOG_USAGE_METRICS, sizeof *list);
    for (unsigned i = 0; i < SMI_RUNLOG_USAGE_METRICS; i++) {
        struct smi_tracked_figures *f = &list[b->out->ntracked];
        *f = (struct smi_tracked_figures){.metric = (uint16_t)(SMI_TREE_CPU + i)};
        if (t->has >> i & 1)
            f->max = smi_value_of(t->max[i]);
        for (int k = 0; k < SMI_RUNLOG_USAGE_PARTS && t->span_us; k++)
            if (f->metric == shares[k])
                f->mean = smi_value_ratio((smi_i128)t->cpu_us[k] * 100000000, t->span_us);
        b->out->ntracked += f->max.has || f->mean.has;
    }
    b->out->tracked = list;
}

/* Whose log, beside a RunLog, tells how the run ended; NULL: it is a RunLog. */
static const char *whose_end(const struct smi_run *r)
{
    for (size_t i = 0; i < r->parts; i++)
        if (r->part[i]->log.started &&
            (r->part[i]->format == SMI_FMT_WANDB || r->part[i]->format == SMI_FMT_MLFLOW))
            return r->part[i]->format == SMI_FMT_WANDB ? "W&B" : "MLflow";
    return NULL;
}

static const char *reason_of_log(struct smi_build *b, const char *reason, const char *whose)
{
    struct smi_buf with = {0};
    if (!reason || !whose)
        return smi_build_copy_text(b, reason);
    smi_buf_fmt(&with, "%s (%s)", reason, whose);
    return smi_buf_keep(&with, &b->out->arena);
}

/* How a log says that the run ended; where none does, what a file beside them says. */
static void set_state(struct smi_build *b, bool data)
{
    const struct smi_runlog *log = &b->r->log;
    const char *fact = log->failed || log->ended ? NULL : smi_run_fact(b->r, SMI_FACT_STATE),
               *why = smi_run_fact(b->r, SMI_FACT_REASON), *whose = whose_end(b->r),
               *code = fact ? smi_run_fact(b->r, SMI_FACT_EXIT) : NULL;
    struct smi_summary *out = b->out;
    int said = 0;
    while (fact && said < SMI_STATE_UNKNOWN && strcmp(fact, smi_state_names[said]))
        said++;
    out->state = log->failed ? SMI_STATE_FAILED : log->ended ? SMI_STATE_OK : SMI_STATE_UNKNOWN;
    if (fact && said < SMI_STATE_UNKNOWN)
        out->state = (enum smi_state)said;
    else if (out->state == SMI_STATE_UNKNOWN && log->started)
        out->state = SMI_STATE_CUT;
    if (out->state != SMI_STATE_FAILED && !data)
        out->state = SMI_STATE_NO_DATA;
    if (fact || (out->state == SMI_STATE_FAILED && log->failed && why && !smi_reason_is_exit(why) &&
                 (!log->reason || smi_reason_is_exit(log->reason))))
        out->state_reason = smi_build_copy_text(b, why);
    else if (out->state == SMI_STATE_FAILED)
        out->state_reason = reason_of_log(b, log->reason, whose);
    else if (out->state == SMI_STATE_CUT)
        out->state_reason = reason_of_log(b, whose ? "no end" : "no end in the run log", whose);
    out->has_exit = log->has_exit || code;
    out->exit_code = code ? strtol(code, NULL, 10) : log->exit_code;
}

void smi_build_state(struct smi_build *b)
{
    const struct smi_runlog *log = &b->r->log;
    const char *host = smi_run_fact(b->r, SMI_FACT_HOST);
    struct smi_summary *out = b->out;
    bool data = false;
    for (size_t i = 0; i < out->ngpus; i++)
        data |= out->gpus[i].nstats > 0 || out->gpus[i].throttles > 0;
    set_state(b, data);
    out->command = smi_build_copy_text(b, log->command);
    out->hostname = smi_build_copy_text(b, b->r->host ? b->r->host : log->host ? log->host : host);
    fill_command(b);
}

/* Facts that are columns of runs (sweep/sweep.h), in the order of names. */
static int compare_result_key(const void *a, const void *b)
{
    return smi_text_compare_natural(((const struct smi_param *)a)->key, ((const struct smi_param *)b)->key);
}

void smi_build_results(struct smi_build *b)
{
    const struct smi_run *r = b->r;
    struct smi_param *p = r->facts ? smi_arena_new(&b->out->arena, r->facts, sizeof *p) : NULL;
    size_t n = 0;
    for (size_t i = 0; i < r->facts; i++)
        if (strncmp(r->fact[i].key, SMI_FACT_RESULT, strlen(SMI_FACT_RESULT)) == 0 ||
            strcmp(r->fact[i].key, SMI_FACT_COMMIT) == 0 || strcmp(r->fact[i].key, SMI_FACT_COMMAND) == 0)
            p[n++] = (struct smi_param){smi_build_copy_text(b, r->fact[i].key),
                                        smi_build_copy_text(b, r->fact[i].text), r->fact[i].bare};
    smi_sort(p, n, sizeof *p, compare_result_key);
    b->out->results = p;
    b->out->nresults = n;
}

static bool has_param(const struct smi_param *p, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(p[i].key, key) == 0)
            return true;
    return false;
}

/* A parameter of the run's own. If its value ends the name of a recording in DIR.2, .2 is no part of it. */
static struct smi_param copy_param(struct smi_build *b, const struct smi_run_param *p)
{
    const long long number = b->r->log.recording;
    const size_t n = strlen(p->text), name = strlen(b->out->run);
    struct smi_param copy = {smi_build_copy_text(b, p->key), smi_build_copy_text(b, p->text), p->bare};
    char end[24];
    const size_t cut = (size_t)snprintf(end, sizeof end, ".%lld", number);
    if (!number || p->file || n <= cut || name < n || strcmp(b->out->run + name - n, p->text) != 0 ||
        strcmp(p->text + n - cut, end) != 0)
        return copy;
    copy.text = smi_arena_text(&b->out->arena, p->text, n - cut);
    copy.bare = copy.text && smi_text_is_bare(smi_text_of(copy.text));
    return copy;
}

/* "<function f at 0x7f0a12b3c4d0>": an object of Python without a text of its own. Its address differs from
 * run to run, and says nothing about it. */
static bool is_object_address(const char *text)
{
    static const char at[] = " at 0x";
    const char *p = text ? strstr(text, at) : NULL;
    for (; p; p = strstr(p, at)) {
        p += sizeof at - 1;
        p += strspn(p, "0123456789abcdefABCDEF");
        if (*p == '>' && strchr(text, '<'))
            return true;
    }
    return false;
}

/* Of the run's own, those from files or the others. */
static void write_params(struct smi_build *b, struct smi_param *p, size_t *n, bool file)
{
    const struct smi_run *r = b->r;
    for (size_t i = 0; i < r->params; i++)
        if (r->param[i].file == file && !r->param[i].differs && !has_param(p, *n, r->param[i].key) &&
            !is_object_address(r->param[i].text))
            p[(*n)++] = copy_param(b, &r->param[i]);
}

/* The CPUs of the machine: as its /proc/stat lists them, else as a run log or a usage log recorded it. */
static void count_cpus(struct smi_summary *out)
{
    static const char *const keys[] = {"cpu_count", "num_of_cpus"};
    const struct smi_stats *cpus = smi_host_stats(out, SMI_CPUS);
    out->cpus = cpus ? cpus->max.micro / 1000000 : 0;
    for (size_t i = 0; i < out->nparams; i++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys && out->cpus == 0; k++) {
            int64_t micro;
            if (strcmp(out->params[i].key, keys[k]) == 0 &&
                smi_text_parse_micro(smi_text_of(out->params[i].text), &micro) == 0 && micro > 0 &&
                micro % 1000000 == 0)
                out->cpus = micro / 1000000;
        }
}

/* Path over RunLog over files. */
void smi_build_params(struct smi_build *b)
{
    const struct smi_runlog *log = &b->r->log;
    const struct smi_runlog_params *given = smi_runlog_params(log);
    struct smi_param *p = smi_arena_new(&b->out->arena, b->r->params + given->n + 1, sizeof *p);
    size_t n = 0;
    write_params(b, p, &n, false);
    for (size_t i = 0; i < given->n; i++)
        if (!has_param(p, n, given->list[i].key) && !is_object_address(given->list[i].text))
            p[n++] = (struct smi_param){smi_build_copy_text(b, given->list[i].key),
                                        smi_build_copy_text(b, given->list[i].text), given->list[i].bare};
    write_params(b, p, &n, true);
    b->out->params = p;
    b->out->nparams = n;
    count_cpus(b->out);
}

static int compare_event_name(const void *a, const void *b)
{
    return strcmp(((const struct smi_count *)a)->name, ((const struct smi_count *)b)->name);
}

void smi_build_events(struct smi_build *b)
{
    const struct smi_runlog *log = &b->r->log;
    struct smi_count *e = smi_arena_new(&b->out->arena, log->events + 1, sizeof *e);
    for (size_t i = 0; i < log->events; i++)
        e[i] = (struct smi_count){smi_build_copy_text(b, log->event[i].name), log->event[i].n};
    smi_sort(e, log->events, sizeof *e, compare_event_name);
    b->out->events = e;
    b->out->nevents = log->events;
}

/* ---- what could not be said ---- */

/* What --gpus has left, where that is nothing; "" if there was nothing to choose from. */
static void describe_unmatched_gpus(const struct smi_build *b, char *text, size_t size)
{
    size_t at = 0;
    *text = 0;
    if (b->out->ngpus || (!b->s.gpus && smi_run_gpu_row_format(&b->s.pool) < 0))
        return;
    at = (size_t)snprintf(text, size, "--gpus chose none of the GPUs in the logs:");
    for (size_t i = 0; i < b->s.gpus && at + 80 < size; i++) {
        const struct smi_run_gpu *g = &b->s.gpu[i];
        const char *comma = i ? "," : "";
        at += (size_t)(g->index >= 0
                           ? snprintf(text + at, size - at, "%s %d", comma, g->index)
                           : snprintf(text + at, size - at, "%s %.60s", comma, g->uuid ? g->uuid : "?"));
    }
    if (!b->s.gpus)
        snprintf(text + at, size - at, " rows that name none");
}

/* Do two logs of a format that overlap name a GPU of the same index, or one each, and nothing surer? Those
 * that follow each other are one stream. */
static bool is_log_read_twice(const struct smi_build *b)
{
    for (const struct smi_run_gpu *g = b->s.gpu; g < b->s.gpu + b->s.gpus; g++)
        for (size_t i = 0; i < g->froms && !g->uuid && !g->bus; i++)
            if (!smi_format_infos[g->from[i].format].procs &&
                smi_gpu_source(g, g->from[i].format, &g->from[i + 1]))
                return true;
    return false;
}

/* Are the GPUs without a price those that no log names? */
static bool unpriced_nameless(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        if (s->gpus[i].name && !s->gpus[i].price.has && s->gpus[i].covered_ms > 0)
            return false;
    return true;
}

/* The problems of a run in the making, and what its logs are. */
struct problem_list {
    struct smi_build *b;
    const char **text;
    size_t n;
    bool log, procs; /* it has logs of GPUs; of processes */
    bool times, twice;
    bool amd;          /* all logs of GPUs come from AMD's tools, which name things otherwise */
    bool utc;          /* there is a log in UTC */
    bool made_by_hand; /* the headers of all logs of GPUs are in somebody's own words */
    bool spread_out;
};

static void look_at_parts(struct problem_list *l, const struct smi_run *r)
{
    l->amd = l->made_by_hand = true;
    l->utc = r->log.entries > 0;
    for (size_t i = 0; i < r->parts; i++) {
        const struct smi_input_stats *p = r->part[i];
        const struct smi_format_info *f = &smi_format_infos[p->format];
        l->log |= f->gpu && f->rows && !f->procs;
        l->procs |= f->gpu && f->rows && f->procs;
        l->amd &= !f->gpu || (p->format >= SMI_FMT_AMD_METRIC && p->format <= SMI_FMT_ROCM_JSON);
        l->utc |= p->base == SMI_TIME_BASE_UTC;
        l->made_by_hand &= !f->gpu || p->format == SMI_FMT_GPU_CSV;
        l->spread_out |= p->given.how == SMI_TIMES_SPREAD;
    }
}

static void add_problem(struct problem_list *l, bool holds, const char *text)
{
    if (holds)
        l->text[l->n++] = smi_build_copy_text(l->b, text);
}

/* "lr, seed": in the order of names, whatever the order of the parts. */
static void add_differing_params(struct problem_list *l)
{
    const struct smi_run *r = l->b->r;
    const char **key = smi_arena_new(&l->b->out->arena, r->params + 1, sizeof *key);
    struct smi_buf text = {0};
    size_t keys = 0;
    for (size_t i = 0; i < r->params; i++)
        if (r->param[i].differs)
            key[keys++] = r->param[i].key;
    smi_sort(key, keys, sizeof *key, smi_compare_strings);
    smi_buf_str(&text, "the parts that --run joins differ in these parameters, which are left out: ");
    for (size_t i = 0; i < keys; i++)
        if (i == 0 || strcmp(key[i], key[i - 1]))
            smi_buf_fmt(&text, "%s%s", i ? ", " : "", key[i]);
    add_problem(l, keys, text.p);
    smi_buf_fini(&text);
}

static void add_missing_logs(struct problem_list *l)
{
    const struct smi_options *o = l->b->o;
    add_problem(l, !l->log && !l->procs,
                l->b->r->columns_unknown ? "no GPU log whose columns are known" : "no GPU log");
    add_problem(l, !l->log && l->procs,
                "only process logs: they have no memory, utilization or power of a GPU as a whole");
    add_problem(l, o->gpus && strcmp(o->gpus, "auto") == 0 && !l->b->r->log.visible && (l->log || l->procs),
                "--gpus auto: no run log says which GPUs were visible to the run: all are taken");
}

static const char *no_times_text(const struct problem_list *l)
{
    if (!l->log)
        return "no times in the process logs: no duration (pmon without -o, or a query without timestamp); "
               "--interval S gives them";
    if (l->amd)
        return "no times in the GPU logs: no duration, energy or idle time (amd-smi prints them with -w, "
               "rocm-smi never); --interval S gives them";
    return "no times in the GPU logs: no duration, energy or idle time (dmon without -o, or a query without "
           "timestamp); --interval S gives them";
}

static void add_missing_readings(struct problem_list *l)
{
    const struct smi_summary *out = l->b->out;
    const struct smi_headline_sum *pool = out->block.pool;
    char none[512];
    describe_unmatched_gpus(l->b, none, sizeof none);
    add_problem(l, l->log && out->ngpus == 0, *none ? none : "no usable row in the GPU logs");
    if (l->log && out->ngpus) {
        add_problem(l, !pool[0].n, "no utilization column, or no reading in it");
        add_problem(
            l, l->made_by_hand && !l->b->o->columns && pool[0].n && pool[0].max > 0 && pool[0].max <= 1000000,
            "no reading of the utilization is above 1 %: where the log means shares of 1, "
            "--columns-from says so (unit fraction)");
        add_problem(l, !pool[1].n,
                    l->amd ? "no column of memory in use, or no reading in it"
                           : "no memory.used column, or no reading in it");
        add_problem(l, !pool[2].n, "no power column, or no reading in it");
    }
    add_problem(l, !l->log && l->procs && !out->ngpus, "the process logs say nothing of a GPU that is named");
    if ((l->log || l->procs) && out->ngpus) {
        add_problem(l, !l->times && !out->duration_s.has, no_times_text(l));
        add_problem(l, !l->times && out->duration_s.has,
                    "no two rows of one GPU with times: no energy, no idle time");
    }
    add_problem(l, l->times && pool[2].n && !out->energy_wh.has,
                "no two neighbouring rows with power: no energy");
    snprintf(none, sizeof none, "energy is of %s: power is not known for the rest",
             out->energy_part ? out->energy_part : "");
    add_problem(l, out->energy_part != NULL, none);
    add_problem(l, out->money.unpriced > 0,
                unpriced_nameless(out)
                    ? "a GPU has no price: no log says which model it is, and --price-gpu-hour names models; "
                      "a number beside them is for all others"
                    : "a GPU has no price: --price-gpu-hour names models, and none of them is in its name; a "
                      "number beside them is for all others");
    add_problem(l, l->times && pool[0].n && !out->idle_pct.has,
                "no interval that ends with a utilization reading: no idle time");
    add_problem(l, !pool[4].n, out->nhost ? "no user time of the CPUs in the logs" : "no CPU log");
}

static void add_log_problems(struct problem_list *l)
{
    const struct smi_build *b = l->b;
    const char *base = b->out->time_base;
    char other[128];
    snprintf(other, sizeof other, "%" PRId64 " events are left out: their names come after the first %d",
             b->r->log.event_other, SMI_EVENT_NAMES);
    add_problem(l, base && strncmp(base, "local", 5) == 0 && l->utc,
                "zone of the GPU logs not known: phases and host are not joined to them; --tz says it");
    add_problem(l, b->r->log.phases.over, "too many phases: their figures are left out");
    add_problem(l, b->r->log.event_other > 0, other);
    add_problem(l, b->uneven,
                "a part was summarised without the run log of a phase that reaches into it: the phase lacks "
                "its rows (keep the whole run log beside every part)");
    add_problem(l, b->s.procs_apart,
                "a process log names GPUs by another key (uuid, index) than the other logs: what its "
                "processes add up to is left out");
    add_problem(
        l, l->spread_out,
        "rows without times (dmon without -o) are spread evenly over the run: estimated, for phases only");
}

/* Has a GPU readings that count nowhere in the headline, not as rows of nobody either? */
static bool headline_lacks_a_gpu(const struct smi_build *b)
{
    for (size_t i = 0; i < b->bodies; i++)
        for (unsigned k = 0; k < SMI_HEADLINE_METRICS; k++)
            if (smi_metric_source(b->body[i], smi_headline_metric[k]) >= 0 &&
                !((b->body[i]->headline | b->s.pool.headline) >> k & 1))
                return true;
    return false;
}

/* The last one of these is what the totals of the sweep warn of. */
static void add_matching_problems(struct problem_list *l)
{
    const struct smi_build *b = l->b;
    add_problem(l, b->s.unmatched,
                "the logs name GPUs by different keys (uuid, index): they cannot be matched and are counted "
                "apart; index and uuid in the query would help");
    add_problem(l, b->s.keyless_pooled,
                "the log without GPU key has another number of GPUs than the others: its rows are pooled");
    if (b->s.unmatched || b->s.keyless_pooled)
        b->out->doubt = l->text[l->n - 1];
    add_problem(l, headline_lacks_a_gpu(b),
                "a reading of some GPUs is only in logs of another format than that of the other GPUs: the "
                "run's means and peaks leave it out");
    add_problem(
        l, l->twice,
        "two logs of one format cover the same time and do not say which GPU they are from, or give the "
        "same index: treated as one GPU; if they are from two GPUs or machines, make each a run "
        "(--run-per file)");
    if (l->twice && !b->out->doubt)
        b->out->doubt = l->text[l->n - 1];
}

/* The driver tells of a divided GPU what is of all its instances: no utilization, which would not be. */
static void add_divided_gpus(struct problem_list *l)
{
    const struct smi_summary *out = l->b->out;
    size_t n = 0;
    char text[192];
    for (size_t i = 0; i < out->ngpus; i++)
        n += out->gpus[i].divided;
    snprintf(
        text, sizeof text,
        "MIG is enabled on %zu of %zu GPUs: such a GPU has no utilization, and the memory and power of all "
        "its instances",
        n, out->ngpus);
    add_problem(l, n > 0, text);
}

/* Every headline value that is null has its reason here. */
void smi_build_problems(struct smi_build *b)
{
    struct problem_list l = {.b = b,
                             .text = smi_arena_new(&b->out->arena, b->r->problems + 30, sizeof *l.text),
                             .times = b->out->gpu_hours.has,
                             .twice = is_log_read_twice(b)};
    look_at_parts(&l, b->r);
    add_missing_logs(&l);
    add_missing_readings(&l);
    add_divided_gpus(&l);
    add_log_problems(&l);
    add_matching_problems(&l);
    add_differing_params(&l);
    for (size_t i = 0; i < b->r->problems; i++)
        add_problem(&l, true, b->r->problem[i]);
    b->out->problems = l.text;
    b->out->nproblems = l.n;
    b->out->columns_unknown = b->r->columns_unknown;
}
