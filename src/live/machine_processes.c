/* machine_processes.c - the processes that are on the GPUs now. */
#include "live/machine_private.h"

#include "aggregate/process_stats.h"

#include <string.h>

enum {
    PROCS = 4096,  /* of a block; more are not looked at */
    WHOLE_MS = 100 /* so long after its last row a block is whole, if none follows: it is printed at once */
};

static void keep_name(struct smi_gpu_process *p, struct smi_text name)
{
    size_t n = name.n < sizeof p->name ? name.n : sizeof p->name - 1;
    if (n)
        memcpy(p->name, name.p + name.n - n, n);
}

int smi_machine_add_process(struct smi_live_source *s, const struct smi_live_gpu *gpu,
                            const struct smi_sample *v, int64_t t_ms, struct smi_err *err)
{
    struct smi_machine *n = s->now;
    struct smi_process_block *b = &n->procs[0];
    bool other = b->mono_ms && s->format != n->source[b->source]->format;
    if (v->process->life_ms >= 0 ||
        (other && s->format != SMI_FMT_APPS)) /* of the past; pmon, which knows less */
        return 0;
    if (b->t_ms != t_ms || b->source != s->place) {
        struct smi_process_block before = n->procs[1];
        n->procs[1] = *b;
        *b = before;
        b->n = 0;
        b->t_ms = t_ms;
        b->source = s->place;
    }
    b->mono_ms = s->mono_ms;
    if (v->process->none || v->process->pid < 0 || b->n == PROCS)
        return 0;
    if (smi_mem_reserve(&b->proc, &b->cap, b->n + 1, sizeof *b->proc))
        return smi_err_nomem(err);
    b->proc[b->n] = (struct smi_gpu_process){.gpu = gpu, .pid = v->process->pid, .fb = SMI_NO_READING};
    keep_name(&b->proc[b->n], v->process->name);
    for (unsigned i = 0; i < v->n; i++)
        if (v->metric[i] == smi_proc_metric[SMI_PROC_MEMORY])
            b->proc[b->n].fb = v->v[i];
    b->n++;
    return 0;
}

const struct smi_gpu_process *smi_machine_processes(const struct smi_machine *n, size_t *count)
{
    const struct smi_process_block *b = &n->procs[0];
    int64_t interval;
    *count = 0;
    if (n->mono_ms - b->mono_ms < WHOLE_MS && n->procs[1].mono_ms)
        b = &n->procs[1];
    if (!b->mono_ms)
        return NULL;
    interval = n->source[b->source]->interval_ms;
    if (interval > 0 && n->mono_ms - b->mono_ms > SMI_MACHINE_STALE_INTERVALS * interval)
        return NULL;
    *count = b->n;
    return b->proc;
}
