/* runlog_params.c - the parameters of a run: the data of its RunLog's first event (contract §3). In a
 * recording that is our own, which says of machine and job only; there they are those of the first start that
 * the command itself logs. */
#include "aggregate/runlog.h"

#include "base/mem.h"

static int add_param(struct smi_runlog_params *to, struct smi_text key, struct smi_text text, bool bare,
                     struct smi_err *err)
{
    struct smi_runlog_param *p;
    for (size_t i = 0; i < to->n; i++)
        if (smi_text_is(key, to->list[i].key))
            return 0;
    if (to->n == SMI_PARAMS_MAX)
        return 0;
    if (smi_mem_reserve(&to->list, &to->cap, to->n + 1, sizeof *to->list))
        return smi_err_nomem(err);
    p = &to->list[to->n++];
    *p = (struct smi_runlog_param){smi_mem_text(key.p, key.n), smi_mem_text(text.p, text.n), bare};
    return p->key && p->text ? 0 : smi_err_nomem(err);
}

static int add_params(struct smi_runlog_params *to, const struct smi_runlog_params *from, struct smi_err *err)
{
    for (size_t i = 0; i < from->n; i++)
        if (add_param(to, smi_text_of(from->list[i].key), smi_text_of(from->list[i].text), from->list[i].bare,
                      err))
            return -1;
    return 0;
}

/* What live and run write about machine and job (contract §7): no parameter of the run. */
static bool is_recorder_fact(struct smi_text key)
{
    static const char *const facts[] = {"host", "hostname",    "user",    "utc_offset_s",
                                        "pid",  "exit_status", "command", NULL};
    static const char *const fronts[] = {"cuda_", "slurm_", "cgroup_", "gpu_names", "gpu_memory", NULL};
    for (size_t i = 0; fronts[i]; i++)
        if (smi_text_starts_nocase(key, fronts[i]))
            return true;
    for (size_t i = 0; facts[i]; i++)
        if (smi_text_is_nocase(key, facts[i]))
            return true;
    return false;
}

static int add_event_params(struct smi_runlog_params *to, const struct smi_mark *m, struct smi_err *err)
{
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        if (f->in_data && !is_recorder_fact(f->key) &&
            add_param(to, f->key, f->text, !f->quoted && smi_text_is_bare(f->text), err))
            return -1;
    }
    return 0;
}

/* The start of a recording. */
static bool is_recording_start(const struct smi_mark *m)
{
    bool pid = false, offset = false;
    for (unsigned i = 0; i < m->fields; i++) {
        pid |= m->field[i].in_data && smi_text_is(m->field[i].key, "pid");
        offset |= m->field[i].in_data && smi_text_is(m->field[i].key, "utc_offset_s");
    }
    return pid && offset;
}

int smi_runlog_params_add(struct smi_runlog *r, const struct smi_mark *m, bool start, struct smi_err *err)
{
    if (start && r->started_with.n == 0 && add_event_params(&r->started_with, m, err))
        return -1;
    if (r->has_first_event)
        return 0;
    r->has_first_event = true;
    r->recorded = start && is_recording_start(m);
    return add_event_params(&r->first, m, err);
}

const struct smi_runlog_params *smi_runlog_params(const struct smi_runlog *r)
{
    return r->recorded && r->first.n == 0 ? &r->started_with : &r->first;
}

int smi_runlog_params_merge(struct smi_runlog *a, const struct smi_runlog *b, struct smi_err *err)
{
    if (a->started_with.n == 0 && add_params(&a->started_with, &b->started_with, err))
        return -1;
    if (!a->has_first_event && add_params(&a->first, &b->first, err))
        return -1;
    a->recorded = a->has_first_event ? a->recorded : b->recorded;
    a->has_first_event |= b->has_first_event;
    return 0;
}

static void free_params(struct smi_runlog_params *p)
{
    for (size_t i = 0; i < p->n; i++) {
        smi_mem_free(p->list[i].key);
        smi_mem_free(p->list[i].text);
    }
    smi_mem_free(p->list);
}

void smi_runlog_params_fini(struct smi_runlog *r)
{
    free_params(&r->first);
    free_params(&r->started_with);
}
