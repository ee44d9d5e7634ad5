/* api_sweep.c - include/smilog/sweep.h: reading, choosing, sums and warnings. */
#include "api_private.h"

#include "export/stored.h"

enum { KEPT_AT_ONCE = 20 /* timelines; of more runs than that the chosen ones are read again */ };

static void add_warning(struct smilog_sweep *s, const char *path, const char *text)
{
    struct smi_buf b = {0};
    char *copy;
    smi_buf_fmt(&b, "%s%s%s", path ? path : "", path ? ": " : "", text);
    copy = smi_arena_text(&s->texts, b.p, b.n);
    smi_api_name_options(copy);
    *SMI_MEM_ADD(s->warning, s->warnings, s->warnings_cap) = copy;
    smi_buf_fini(&b);
}

/* A sweep with its own copies of options and paths, or NULL with err. */
static struct smilog_sweep *new_sweep(const char *const *path, size_t n, const struct smilog_options *o,
                                      struct smilog_error *err)
{
    struct smilog_sweep *s = smi_mem_new(1, sizeof *s);
    s->path = smi_mem_new(n ? n : 1, sizeof *s->path);
    for (size_t i = 0; i < n; i++)
        s->path[i] = smi_arena_text(&s->texts, path[i], strlen(path[i]));
    s->paths = n;
    s->o = smi_api_copy_options(o, err);
    if (s->o)
        return s;
    smilog_sweep_free(s);
    return NULL;
}

static struct smilog_sweep *finish_sweep(struct smilog_sweep *s, int rc, struct smi_err *own,
                                         struct smilog_error *err)
{
    if (!rc && !s->s.n)
        rc = smi_err_set(own, SMI_EFORMAT, "no usable log in %.300s%s", s->paths ? s->path[0] : "no path",
                         s->paths > 1 ? " and the other paths" : "");
    if (!rc) {
        s->record = smi_mem_new(s->s.n, sizeof *s->record);
        for (size_t i = 0; i < s->s.trouble.n; i++)
            add_warning(s, s->s.trouble.list[i].path, s->s.trouble.list[i].text);
        for (size_t i = 0; i < s->s.note.n; i++)
            add_warning(s, s->s.note.list[i].path, s->s.note.list[i].text);
        if (s->s.overlap)
            add_warning(s, "total", s->s.overlap);
        for (size_t i = 0; i < s->s.n; i++)
            for (size_t k = 0; k < s->s.runs[i].nproblems; k++)
                add_warning(s, s->s.runs[i].run, s->s.runs[i].problems[k]);
        return s;
    }
    smi_api_fail(err, own);
    smilog_sweep_free(s);
    return NULL;
}

struct smilog_sweep *smilog_sweep_read(const char *const *path, size_t n, const struct smilog_options *o,
                                       struct smilog_error *err)
{
    struct smilog_sweep *s = new_sweep(path, n, o, err);
    struct smi_err own = {0};
    int rc;
    if (!s)
        return NULL;
    s->o->is->o.skip_series =
        ~((uint32_t)1 << smi_timed_slot(SMI_GPU_UTIL) | (uint32_t)1 << smi_timed_slot(SMI_CPU_USR));
    s->o->is->o.timelines = KEPT_AT_ONCE;
    rc = smi_sweep_read(&s->s, s->path, s->paths, &s->o->is->d, &s->o->is->o, &own);
    s->again = (struct smi_reread){s->path, s->paths, &s->o->is->d, &s->o->is->o};
    s->s.again = &s->again;
    return finish_sweep(s, rc, &own, err);
}

struct smilog_sweep *smilog_sweep_merge(const char *const *path, size_t n, const struct smilog_options *o,
                                        struct smilog_error *err)
{
    struct smilog_sweep *s = new_sweep(path, n, o, err);
    struct smi_err own = {0};
    int rc;
    if (!s)
        return NULL;
    rc = smi_stored_read(&s->s, s->path, s->paths, s->o->is->d.run, &s->o->is->o, NULL, NULL, &own);
    return finish_sweep(s, rc, &own, err);
}

void smilog_sweep_free(struct smilog_sweep *s)
{
    if (!s)
        return;
    smi_api_drop_records(s);
    smi_mem_free(s->record);
    smi_sweep_fini(&s->s);
    smilog_options_free(s->o);
    smi_mem_free(s->path);
    smi_mem_free(s->warning);
    smi_arena_fini(&s->texts);
    smi_mem_free(s);
}

int smi_api_query(struct smilog_sweep *s, struct smi_query q, struct smi_result *rows, struct smi_err *err)
{
    struct smi_buf said = {0};
    int rc;
    q.now_ms = smi_clock_utc_ms();
    smi_api_drop_records(s);
    rc = smi_query_any(&q) ? smi_query_sweep(&s->s, &q, rows, &said, err) : 0;
    for (size_t at = 0; !rc && at < said.n; at += strlen(said.p + at) + 1)
        add_warning(s, NULL, said.p + at);
    smi_buf_fini(&said);
    return rc;
}

int smilog_sweep_select(struct smilog_sweep *s, const struct smilog_options *o, struct smilog_error *err)
{
    struct smi_query choice = (o ? o : s->o)->is->ask;
    struct smi_result none = {0};
    struct smi_err own = {0};
    int rc;
    choice.columns = choice.group_by = choice.sql = NULL;
    rc = smi_api_query(s, choice, &none, &own);
    smi_result_fini(&none);
    return rc ? smi_api_fail(err, &own) : 0;
}

size_t smilog_sweep_count(const struct smilog_sweep *s)
{
    return s ? s->s.n : 0;
}

size_t smilog_sweep_warning_count(const struct smilog_sweep *s)
{
    return s->warnings;
}

const char *smilog_sweep_warning(const struct smilog_sweep *s, size_t i)
{
    return i < s->warnings ? s->warning[i] : NULL;
}

bool smilog_total(const struct smilog_sweep *s, const char *field, double *value)
{
    const struct smi_total *t = &s->s.total;
    const struct {
        const char *name;
        struct smi_value v;
    } of[] = {{"duration_s", t->duration_s},
              {"gpu_hours", t->gpu_hours},
              {"energy_wh", t->energy_wh},
              {"idle_pct", t->idle_pct},
              {"peak_vram_mb", t->peak_vram_mb},
              {"wasted_h", t->wasted_h[5]},
              {"cost", t->cost},
              {"wasted_cost", t->wasted_cost[5]},
              {"co2_g", t->co2_g},
              {"runs", {t->runs * 1000000, true}},
              {"failed", {t->failed * 1000000, true}},
              {"cut", {t->cut * 1000000, true}},
              {"no_data", {t->no_data * 1000000, true}}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].name, field) == 0 && of[i].v.has) {
            *value = (double)of[i].v.micro / 1e6;
            return true;
        }
    return false;
}
