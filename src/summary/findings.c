/* findings.c - rules, the limits that a file gives them, and the findings of a run. */
#include "summary/findings.h"
#include "base/clock.h"
#include "summary/finding_check_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NONE SMI_LIMIT_NONE
#define SMI_RULE(id, key, level, unit, side, limit, least, scope, check, marks, text, note, sentence, \
                 advice)                                                                              \
    [SMI_RULE_##id] = {key,                                                                           \
                       SMI_LEVEL_##level,                                                             \
                       unit,                                                                          \
                       SMI_SIDE_##side,                                                               \
                       limit,                                                                         \
                       least,                                                                         \
                       SMI_SCOPE_##scope,                                                             \
                       smi_rule_check_##check,                                                        \
                       SMI_CELL_##marks,                                                              \
                       text,                                                                          \
                       note,                                                                          \
                       sentence,                                                                      \
                       advice,                                                                        \
                       false},
const struct smi_rule smi_rules[SMI_RULE_COUNT] = {
#include "summary/rule.def"
};
#undef SMI_RULE

int smi_rule_find(const char *key)
{
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        if (strcmp(smi_rules[i].key, key) == 0)
            return i;
    return -1;
}

/* "--rules FILE: there is no WHAT "word"; did you mean NEAR?", one of n words. Returns -1. */
static int report_unknown(const struct smi_rule_file *f, const char *what, const char *word,
                          const char *const *words, size_t n)
{
    const char *near = smi_text_nearest(word, words, sizeof *words, n);
    if (near)
        return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"; did you mean %s?",
                           f->path, what, word, near);
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: there is no %s \"%.60s\"; see smilog list %s",
                       f->path, what, word, f->list);
}

int smi_rule_file_wrong(const struct smi_rule_file *f, size_t rule, const char *what)
{
    return smi_err_set(f->err, SMI_EUSAGE, "--rules %.200s: %s%s: %s", f->path, f->lead, f->key[rule], what);
}

static size_t place_of(const char *word, const char *const *words, size_t n)
{
    size_t i = 0;
    while (i < n && strcmp(words[i], word) != 0)
        i++;
    return i;
}

static int set_all(const struct smi_rule_file *f, size_t rule, json_t *object)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        size_t i = place_of(key, f->settings, f->settings_n);
        if (i == f->settings_n)
            return report_unknown(f, "setting", key, f->settings, f->settings_n);
        if (f->set(f, rule, i, v))
            return -1;
    }
    return 0;
}

static int set_rule(const struct smi_rule_file *f, size_t rule, json_t *v)
{
    char text[120];
    if (json_is_boolean(v)) {
        f->turn(f, rule, json_is_true(v));
        return 0;
    }
    if (json_is_number(v))
        return f->set(f, rule, 0, v);
    if (json_is_object(v))
        return set_all(f, rule, v);
    snprintf(text, sizeof text, "needs a number (its limit), false, or an object of %s", f->settings_text);
    return smi_rule_file_wrong(f, rule, text);
}

int smi_rule_file_apply(const struct smi_rule_file *f, json_t *object, const char *skip)
{
    const char *key;
    json_t *v;
    json_object_foreach (object, key, v) {
        size_t i = place_of(key, f->key, f->rules);
        if (skip && strcmp(key, skip) == 0)
            continue;
        if (i == f->rules)
            return report_unknown(f, f->kind, key, f->key, f->rules);
        if (set_rule(f, i, v))
            return -1;
    }
    return 0;
}

/* ---- of findings ---- */

static int set_limit(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    struct smi_rule *r = (struct smi_rule *)f->self + rule;
    int64_t micro;
    if (r->limit == SMI_LIMIT_NONE)
        return smi_rule_file_wrong(f, rule,
                                   r->check == smi_rules[SMI_RULE_UNUSED].check
                                       ? "its limit is that of --idle-below"
                                       : "has no limit");
    if (!smi_json_number(v, &micro) || micro < 0)
        return smi_rule_file_wrong(f, rule, "the limit has to be a number that is not negative");
    if (strcmp(r->unit, "%") == 0 && micro > 100 * (int64_t)1000000)
        return smi_rule_file_wrong(f, rule, "the limit is a percentage: 0 to 100");
    r->limit = micro;
    return 0;
}

static int set_level(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    enum { LEVELS = SMI_LEVEL_ERROR + 1 };
    const char *word = json_string_value(v);
    size_t i = word ? place_of(word, smi_level_names, LEVELS) : 0;
    if (!word)
        return smi_rule_file_wrong(f, rule, "the level is one of \"info\", \"warn\", \"strong\", \"error\"");
    if (i == LEVELS)
        return report_unknown(f, "level", word, smi_level_names, LEVELS);
    ((struct smi_rule *)f->self + rule)->level = (enum smi_level)i;
    return 0;
}

static int set_least(const struct smi_rule_file *f, size_t rule, const json_t *v)
{
    int64_t micro;
    if (!smi_json_number(v, &micro) || micro < 0 || micro % 1000000 || micro / 1000000 > INT32_MAX)
        return smi_rule_file_wrong(f, rule, "least_s has to be a whole number of seconds");
    ((struct smi_rule *)f->self + rule)->least_s = micro / 1000000;
    return 0;
}

static int set_of_rule(const struct smi_rule_file *f, size_t rule, size_t setting, const json_t *v)
{
    return setting == 0   ? set_limit(f, rule, v)
           : setting == 1 ? set_level(f, rule, v)
                          : set_least(f, rule, v);
}

static void turn_rule(const struct smi_rule_file *f, size_t rule, bool on)
{
    ((struct smi_rule *)f->self + rule)->off = !on;
}

int smi_rules_load(struct smi_rule rules[SMI_RULE_COUNT], const char *path, struct smi_err *err)
{
    static const char *const settings[] = {"limit", "level", "least_s"};
    const char *key[SMI_RULE_COUNT];
    const struct smi_rule_file f = {
        path, "rule",         "rules",     "",        settings, 3,  "limit, level, least_s",
        key,  SMI_RULE_COUNT, set_of_rule, turn_rule, rules,    err};
    json_t *object = NULL;
    int rc = smi_json_load_file("--rules", path, &object, err);
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        key[i] = smi_rules[i].key;
    if (rc == 0)
        rc = smi_rule_file_apply(&f, object, "alerts"); /* those are of the moment: live/alert.h */
    json_decref(object);
    return rc;
}

/* ---- What the checks of the rules share: who may be judged, and how a finding is put into words ---- */

/* ---- who, and how much ---- */

static bool is_long(const struct smi_gpu *gpu, int64_t least_s)
{
    return !gpu->pooled && gpu->samples >= SMI_RULE_SAMPLES && gpu->covered_ms >= least_s * 1000;
}

bool smi_rule_applies(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu)
{
    int64_t least_s = j->rule[rule].least_s;
    if (j->rule[rule].off)
        return false;
    if (gpu)
        return is_long(gpu, least_s);
    for (size_t i = 0; i < j->s->ngpus; i++)
        if (is_long(&j->s->gpus[i], least_s))
            return true;
    return false;
}

struct smi_finding_draft smi_finding_new(struct smi_rule_check *j, enum smi_rule_id rule,
                                         const struct smi_gpu *gpu)
{
    const struct smi_rule *r = &j->rule[rule];
    struct smi_finding f = {.rule = (int)rule,
                            .level = r->level,
                            .gpu = gpu ? gpu->index : -1,
                            .place = gpu ? (int)(gpu - j->s->gpus) : -1,
                            .gpu_ms = gpu ? gpu->covered_ms : j->s->covered_ms,
                            .has_from = j->s->has_start,
                            .from_ms = j->s->start_ms,
                            .seconds = gpu ? smi_value_of(gpu->covered_ms * 1000) : j->s->covered_s,
                            .advice = r->advice};
    if (r->limit != SMI_LIMIT_NONE)
        f.limit = smi_value_of(r->limit);
    return (struct smi_finding_draft){f, gpu, gpu ? smi_finding_gpu_text(j, gpu) : "", NULL};
}

bool smi_finding_breaks_limit(const struct smi_rule_check *j, const struct smi_finding *f)
{
    enum smi_side side = j->rule[f->rule].side;
    if (j->rule[f->rule].limit == SMI_LIMIT_NONE)
        return true;
    if (!f->value.has || !f->limit.has)
        return false;
    return side == SMI_SIDE_BELOW   ? f->value.micro < f->limit.micro
           : side == SMI_SIDE_ABOVE ? f->value.micro > f->limit.micro
                                    : f->value.micro >= f->limit.micro && f->value.micro > 0;
}

bool smi_finding_exists(const struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu)
{
    for (size_t i = 0; i < j->n; i++)
        if (j->list[i].rule == (int)rule && (!gpu || j->list[i].place == (int)(gpu - j->s->gpus)))
            return true;
    return false;
}

struct smi_value smi_finding_metric_mean(const struct smi_gpu *gpu, unsigned metric)
{
    const struct smi_stats *x = smi_gpu_stats(gpu, metric);
    return !x ? (struct smi_value){0, false} : x->time_mean.has ? x->time_mean : x->mean;
}

struct smi_value smi_finding_power_limit(const struct smi_gpu *gpu)
{
    struct smi_value v = smi_finding_metric_mean(gpu, SMI_POWER_LIMIT_ENFORCED);
    v = v.has ? v : smi_finding_metric_mean(gpu, SMI_POWER_LIMIT);
    v.has &= v.micro > 0;
    return v;
}

struct smi_value smi_finding_memory_share(const struct smi_summary *s)
{
    struct smi_value used = s->vram.used_peak_mb, none = {0, false};
    bool device = !s->vram.source || strcmp(s->vram.source, "device") == 0;
    if (!used.has || !s->vram.total_mb.has || s->vram.total_mb.micro <= 0 || (device && s->vram.level))
        return none;
    return smi_value_ratio((smi_i128)used.micro * 100 * 1000000, s->vram.total_mb.micro);
}

struct smi_value smi_finding_cpu_usage(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->nhost; i++)
        if (s->host[i].metric == SMI_CPU_USR)
            return s->host[i].time_mean.has ? s->host[i].time_mean : s->host[i].mean;
    return (struct smi_value){0, false};
}

/* ---- words ---- */

const char *smi_finding_format(struct smi_rule_check *j, const char *fmt, ...)
{
    char t[2048]; /* an error message of 1 kB, and what stands around it */
    const char *text;
    va_list ap;
    int n;
    va_start(ap, fmt);
    n = vsnprintf(t, sizeof t, fmt, ap);
    va_end(ap);
    text = smi_arena_text(j->arena, t, n < 0 ? 0 : n < (int)sizeof t ? (size_t)n : sizeof t - 1);
    return text ? text : "";
}

static size_t identifier_length(const struct smi_summary *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        n += !s->gpus[i].pooled;
    return n;
}

const char *smi_finding_bus_text(struct smi_rule_check *j, const char *bus)
{
    const char *colon = bus ? strchr(bus, ':') : NULL;
    if (!colon)
        return "a GPU";
    colon = strchr(colon + 1, ':') ? colon + 1 : bus; /* 00000000:3B:00.0, 3B:00.0 */
    return smi_finding_format(j, "GPU bus %.*s", (int)strcspn(colon, ":"), colon);
}

const char *smi_finding_gpu_text(struct smi_rule_check *j, const struct smi_gpu *gpu)
{
    const char *dash = gpu->uuid ? strchr(gpu->uuid, '-') : NULL;
    if (identifier_length(j->s) == 1)
        return "the GPU";
    if (gpu->index >= 0)
        return smi_finding_format(j, "GPU %d", gpu->index);
    if (gpu->uuid)
        return smi_finding_format(j, "GPU %.8s", dash ? dash + 1 : gpu->uuid);
    return smi_finding_bus_text(j, gpu->bus);
}

const char *smi_finding_gpus_text(struct smi_rule_check *j)
{
    size_t n = identifier_length(j->s);
    return n == 1 ? "the GPU" : n == 2 ? "both GPUs" : smi_finding_format(j, "all %zu GPUs", n);
}

const char *smi_finding_value_text(struct smi_rule_check *j, struct smi_value v, const char *unit)
{
    char t[SMI_MICRO_TEXT];
    size_t n = 0;
    if (!v.has)
        return "-";
    if (strcmp(unit, "s") == 0)
        smi_clock_write_span(t, v.micro / 1000);
    else
        n = smi_text_write_fixed(t, v.micro, *unit ? 1 : 0);
    if (n > 2 && strcmp(t + n - 2, ".0") == 0)
        t[n - 2] = 0;
    return smi_finding_format(j, *unit && strcmp(unit, "s") ? "%s %s" : "%s", t, unit);
}

const char *smi_finding_tenths_text(struct smi_rule_check *j, int64_t micro)
{
    char t[SMI_MICRO_TEXT];
    smi_text_write_fixed(t, micro, 1);
    return smi_finding_format(j, "%s", t);
}

const char *smi_finding_gib_text(struct smi_rule_check *j, int64_t micro_mib)
{
    return smi_finding_tenths_text(j, (int64_t)smi_i128_div((smi_i128)micro_mib, 1024));
}

const char *smi_finding_time_text(struct smi_rule_check *j, int64_t ms)
{
    char t[SMI_CLOCK_TEXT];
    smi_clock_write(t, ms + (j->s->zoned ? j->s->offset_s * (int64_t)1000 : 0), false);
    if (j->s->duration_s.micro > 86400 * (int64_t)1000000 && j->s->time_base &&
        !strstr(j->s->time_base, "date not known"))
        return smi_finding_format(j, "%.5s %.8s", t + 5, t + 11); /* "07-05 01:33:00": of which day */
    return smi_finding_format(j, "%.8s", t + 11);
}

/* The value of a finding, with as many digits as it takes to see that it is not the limit, where that would
 * be none: 24.99 % is below 25 %. */
static const char *finding_value_or_limit_text(struct smi_rule_check *j, const struct smi_finding *f)
{
    const char *unit = smi_rules[f->rule].unit, *text = smi_finding_value_text(j, f->value, unit);
    char t[SMI_MICRO_TEXT];
    if (!f->value.has || !f->limit.has || j->rule[f->rule].side == SMI_SIDE_FROM || !*unit ||
        strcmp(unit, "s") == 0 || strcmp(text, smi_finding_value_text(j, f->limit, unit)) != 0)
        return text;
    for (int digits = 2; digits <= 6; digits++) {
        int64_t shown;
        size_t n = smi_text_write_fixed(t, f->value.micro, digits);
        if (smi_text_parse_micro((struct smi_text){t, n}, &shown) == 0 && shown != f->limit.micro)
            break;
    }
    return smi_finding_format(j, "%s %s", t, unit);
}

/* A text of the table, filled in. */
static const char *fill_finding_template(struct smi_rule_check *j, const struct smi_finding_draft *d,
                                         const char *text)
{
    const struct smi_finding *f = &d->f;
    const struct {
        const char *key, *text;
    } word[] = {{"{gpu}", d->who},
                {"{value}", finding_value_or_limit_text(j, f)},
                {"{limit}", smi_finding_value_text(j, f->limit, smi_rules[f->rule].unit)},
                {"{time}",
                 f->has_from ? smi_finding_format(j, " from %s", smi_finding_time_text(j, f->from_ms)) : ""},
                {"{s}", f->value.has && f->value.micro == 1000000 ? "" : "s"},
                {"{phase}", f->phase ? f->phase : ""},
                {"{more}", d->more ? d->more : ""}};
    const size_t words = sizeof word / sizeof *word;
    struct smi_buf b = {0};
    const char *out;
    for (size_t i; *text;) {
        for (i = 0; i < words && strncmp(text, word[i].key, strlen(word[i].key)); i++)
            ;
        if (i == words) {
            smi_buf_char(&b, *text++);
            continue;
        }
        smi_buf_str(&b, word[i].text);
        text += strlen(word[i].key);
    }
    out = smi_arena_text(j->arena, b.p ? b.p : "", b.n);
    smi_buf_fini(&b);
    return out;
}

void smi_finding_add(struct smi_rule_check *j, struct smi_finding_draft *d)
{
    struct smi_finding *f = &d->f;
    if (f->gpu_ms > j->s->covered_ms)
        f->gpu_ms = j->s->covered_ms;
    f->gpu_hours = smi_value_ratio((smi_i128)f->gpu_ms * 1000000, 3600000);
    f->cost = smi_price_time(j->s, d->gpu, f->gpu_ms);
    f->text = fill_finding_template(j, d, smi_rules[f->rule].text);
    f->note = fill_finding_template(j, d, smi_rules[f->rule].note);
    smi_mem_reserve(&j->list, &j->cap, j->n + 1, sizeof *j->list);
    j->list[j->n++] = *f;
}

/* The run is judged if any GPU is long enough for any rule. */
static bool is_judged(const struct smi_rule_check *j)
{
    for (int i = 0; i < SMI_RULE_COUNT; i++)
        if (smi_rule_applies(j, (enum smi_rule_id)i, NULL))
            return true;
    return false;
}

/* One rule, of a GPU or (NULL) the run. */
static void judge(struct smi_rule_check *j, enum smi_rule_id rule, const struct smi_gpu *gpu)
{
    struct smi_finding_draft d;
    if (!smi_rule_applies(j, rule, gpu))
        return;
    d = smi_finding_new(j, rule, gpu);
    if (j->rule[rule].check(j, &d) && smi_finding_breaks_limit(j, &d.f))
        smi_finding_add(j, &d);
}

void smi_findings_evaluate(struct smi_summary *s, const struct smi_rule *rules)
{
    struct smi_rule_check j = {.s = s, .rule = rules ? rules : smi_rules, .arena = &s->arena};
    struct smi_finding *list;
    s->judged = is_judged(&j);
    for (int i = 0; s->judged && i < SMI_RULE_COUNT; i++) {
        bool each = j.rule[i].scope == SMI_SCOPE_GPU;
        for (size_t k = 0; k < (each ? s->ngpus : 1); k++)
            judge(&j, (enum smi_rule_id)i, each ? &s->gpus[k] : NULL);
    }
    list = smi_arena_new(&s->arena, j.n + 1, sizeof *list);
    if (j.n)
        memcpy(list, j.list, j.n * sizeof *list);
    smi_mem_free(j.list);
    s->findings = list;
    s->nfindings = list ? j.n : 0;
}

int smi_findings_build_summary(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                               struct smi_err *err)
{
    if (smi_run_build(out, r, o, err))
        return -1;
    smi_findings_evaluate(out, o->rules);
    return 0;
}

const struct smi_finding *smi_findings_worst(const struct smi_summary *s)
{
    const struct smi_finding *worst = NULL;
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *f = &s->findings[i];
        if (f->level >= SMI_LEVEL_WARN &&
            (!worst || f->level > worst->level || (f->level == worst->level && f->gpu_ms > worst->gpu_ms)))
            worst = f;
    }
    return worst;
}

unsigned smi_findings_marks(const struct smi_summary *s, int place)
{
    unsigned marks = 0;
    for (size_t i = 0; i < s->nfindings; i++) {
        const struct smi_finding *f = &s->findings[i];
        if (f->level >= SMI_LEVEL_WARN && (place < 0 || f->place < 0 || f->place == place))
            marks |= smi_rules[f->rule].marks;
    }
    return marks;
}
