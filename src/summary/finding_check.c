/* What the checks of the rules share: who may be judged, and how a finding is put into words. */
#include "summary/finding_check_private.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
    j->failed |= !text;
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
    j->failed |= !out || b.failed;
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
    if (smi_mem_reserve(&j->list, &j->cap, j->n + 1, sizeof *j->list))
        j->failed = true;
    else
        j->list[j->n++] = *f;
}
