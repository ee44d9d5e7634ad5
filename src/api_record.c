/* api_record.c - include/smilog/sweep.h: runs, GPUs, phases and findings, and their values by name. */
#include "api_private.h"

#include <strings.h>

/* ---- records ---- */

static size_t count_parts(const struct smi_summary *run, enum smilog_kind kind)
{
    return kind == SMILOG_GPU ? run->ngpus : kind == SMILOG_PHASE ? run->nphases : run->nfindings;
}

static const struct smi_member_list *const lists[] = {[SMILOG_RUN] = &smi_run_list,
                                                      [SMILOG_GPU] = &smi_gpu_list,
                                                      [SMILOG_PHASE] = &smi_phase_list,
                                                      [SMILOG_FINDING] = &smi_finding_list};

static void fill_part(struct smilog_record *r, const struct smi_summary *run, enum smilog_kind kind, size_t i)
{
    r->kind = kind;
    r->run = run;
    if (kind == SMILOG_GPU)
        r->item = &run->gpus[i];
    else if (kind == SMILOG_PHASE)
        r->item = &run->phases[i];
    else
        r->item = &run->findings[i];
    smi_field_values_fill(&r->values, lists[kind], run, r->item);
}

static struct smilog_record *new_run(const struct smi_summary *run)
{
    struct smilog_record *r = smi_mem_new(1, sizeof *r);
    r->kind = SMILOG_RUN;
    r->run = run;
    smi_field_values_fill(&r->values, &smi_run_list, run, run);
    for (int k = SMILOG_GPU; k <= SMILOG_FINDING; k++) {
        size_t n = count_parts(run, (enum smilog_kind)k);
        r->part[k] = smi_mem_new(n ? n : 1, sizeof *r);
        for (size_t i = 0; i < n; i++)
            fill_part(&r->part[k][i], run, (enum smilog_kind)k, i);
    }
    return r;
}

void smi_api_drop_records(struct smilog_sweep *s)
{
    for (size_t i = 0; s->record && i < s->s.n; i++) {
        struct smilog_record *r = s->record[i];
        if (!r)
            continue;
        smi_field_values_fini(&r->values);
        for (int k = SMILOG_GPU; k <= SMILOG_FINDING; k++)
            smi_mem_free(r->part[k]);
        smi_mem_free(r);
        s->record[i] = NULL;
    }
}

const struct smilog_record *smilog_sweep_run(struct smilog_sweep *s, size_t i)
{
    if (i >= s->s.n)
        return NULL;
    if (!s->record[i])
        s->record[i] = new_run(&s->s.runs[i]);
    return s->record[i];
}

const struct smilog_record *smilog_sweep_find(struct smilog_sweep *s, const char *run)
{
    for (size_t i = 0; i < s->s.n; i++)
        if (strcmp(s->s.runs[i].run, run) == 0)
            return smilog_sweep_run(s, i);
    return NULL;
}

size_t smilog_run_count(const struct smilog_record *run, enum smilog_kind kind)
{
    if (run->kind != SMILOG_RUN || kind < SMILOG_GPU || kind > SMILOG_FINDING)
        return 0;
    return count_parts(run->run, kind);
}

const struct smilog_record *smilog_run_get(const struct smilog_record *run, enum smilog_kind kind, size_t i)
{
    return i < smilog_run_count(run, kind) ? &run->part[kind][i] : NULL;
}

/* ---- values ---- */

static const struct smi_field_info *field_at(enum smilog_kind kind, size_t i)
{
    const bool known = kind >= SMILOG_RUN && kind <= SMILOG_FINDING;
    return known && i < (size_t)lists[kind]->fields ? &lists[kind]->info[i] : NULL;
}

/* A statistic of a metric of a GPU: "power_w_mean". */
static struct smi_datum find_statistic(const struct smi_gpu *g, const char *field)
{
    for (size_t i = 0; i < g->nstats; i++) {
        const char *name = smi_metrics[g->stats[i].metric].key;
        size_t n = strlen(name);
        if (strncasecmp(name, field, n) != 0 || field[n] != '_')
            continue;
        for (int k = 0; k < SMI_GPU_STATS; k++)
            if (smi_gpu_stat_fits(g->stats[i].metric, k) &&
                strcasecmp(smi_gpu_stat_names[k], field + n + 1) == 0)
                return smi_gpu_stat(&g->stats[i], k);
    }
    return (struct smi_datum){.kind = SMI_DATUM_NONE};
}

static struct smi_datum find_value(const struct smilog_record *r, const char *field)
{
    const struct smi_field_info *f;
    for (size_t i = 0; (f = field_at(r->kind, i)); i++)
        if (strcasecmp(f->key, field) == 0)
            return r->values.v[i];
    if (r->kind == SMILOG_GPU)
        return find_statistic(r->item, field);
    return (struct smi_datum){.kind = SMI_DATUM_NONE};
}

bool smilog_micro(const struct smilog_record *r, const char *field, int64_t *micro)
{
    const struct smi_datum v = find_value(r, field);
    if (v.kind == SMI_DATUM_MICRO)
        *micro = v.n;
    else if (v.kind == SMI_DATUM_INT || v.kind == SMI_DATUM_BOOL)
        return !__builtin_mul_overflow(v.n, INT64_C(1000000), micro);
    return v.kind == SMI_DATUM_MICRO;
}

bool smilog_number(const struct smilog_record *r, const char *field, double *value)
{
    const struct smi_datum v = find_value(r, field);
    if (v.kind == SMI_DATUM_NONE || v.kind == SMI_DATUM_TEXT)
        return false;
    *value = v.kind == SMI_DATUM_MICRO ? (double)v.n / 1e6 : (double)v.n;
    return true;
}

const char *smilog_text(const struct smilog_record *r, const char *field)
{
    const struct smi_datum v = find_value(r, field);
    return v.kind == SMI_DATUM_TEXT ? v.text : NULL;
}

size_t smilog_param_count(const struct smilog_record *run)
{
    return run->kind == SMILOG_RUN ? run->run->nparams : 0;
}

const char *smilog_param_name(const struct smilog_record *run, size_t i)
{
    return i < smilog_param_count(run) ? run->run->params[i].key : NULL;
}

const char *smilog_param(const struct smilog_record *run, const char *name)
{
    for (size_t i = 0; i < smilog_param_count(run); i++)
        if (strcmp(run->run->params[i].key, name) == 0)
            return run->run->params[i].text;
    return NULL;
}

char *smilog_run_json(const struct smilog_record *run, struct smilog_error *err)
{
    struct smi_buf b = {0};
    struct smi_err own = {0};
    if (run->kind == SMILOG_RUN)
        smi_run_jsonl(&b, run->run);
    else
        smi_err_set(&own, SMI_EUSAGE, "only a run has a JSON");
    return smi_api_take_text(&b, own.code ? -1 : 0, NULL, &own, err);
}

/* ---- the catalogue ---- */

const char *smilog_field_name(enum smilog_kind kind, size_t i)
{
    const struct smi_field_info *f = field_at(kind, i);
    return f ? f->key : NULL;
}

const char *smilog_field_unit(enum smilog_kind kind, size_t i)
{
    const struct smi_field_info *f = field_at(kind, i);
    return f ? f->unit : NULL;
}

const char *smilog_field_help(enum smilog_kind kind, size_t i)
{
    const struct smi_field_info *f = field_at(kind, i);
    return f ? f->help : NULL;
}
