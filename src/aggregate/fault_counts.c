#include "aggregate/input_stats.h"

#include "base/mem.h"

#include <string.h>

static struct smi_fault_count *find_same_fault(const struct smi_fault_list *l,
                                               const struct smi_fault_count *like)
{
    for (size_t i = 0; i < l->n; i++) {
        struct smi_fault_count *f = &l->list[i];
        if (f->id == like->id && f->who == like->who && f->code == like->code &&
            strcmp(f->bus, like->bus) == 0)
            return f;
    }
    return NULL;
}

void smi_faults_join(struct smi_fault_list *l, const struct smi_fault_count *f, int who)
{
    struct smi_fault_count like = *f, *to;
    like.who = who;
    to = find_same_fault(l, &like);
    if (!to && l->n >= SMI_FAULTS_MAX) {
        like = (struct smi_fault_count){.id = f->id, .who = -1};
        to = find_same_fault(l, &like);
    }
    if (!to) {
        to = SMI_MEM_ADD(l->list, l->n, l->cap);
        *to = like;
        to->n = 0;
        to->timed = false;
        to->open = f->open;
    }
    if (!to->timed)
        to->first_ms = f->first_ms;
    if (f->timed)
        to->last_ms = f->last_ms;
    to->timed |= f->timed;
    to->n += f->n;
}

void smi_faults_add(struct smi_fault_list *l, const struct smi_mark *m, bool timed, int64_t t_ms)
{
    struct smi_fault_count f = {.id = m->fault,
                                .code = m->code,
                                .n = 1,
                                .open = !timed,
                                .timed = timed,
                                .first_ms = t_ms,
                                .last_ms = t_ms};
    size_t n = m->name.n < SMI_FAULT_BUS_MAX ? m->name.n : SMI_FAULT_BUS_MAX - 1;
    if (n)
        memcpy(f.bus, m->name.p, n);
    smi_faults_join(l, &f, m->who < 0 ? -1 : m->who);
}

void smi_faults_set_open_time(struct smi_fault_list *l, int64_t t_ms)
{
    for (size_t i = 0; i < l->n; i++) {
        struct smi_fault_count *f = &l->list[i];
        if (!f->open)
            continue;
        f->open = false;
        f->first_ms = t_ms;
        if (!f->timed)
            f->last_ms = t_ms;
        f->timed = true;
    }
}

void smi_faults_fini(struct smi_fault_list *l)
{
    smi_mem_free(l->list);
    *l = (struct smi_fault_list){0};
}
