#include "aggregate/process_stats.h"

#include "base/mem.h"

#include <string.h>

const uint16_t smi_proc_metric[SMI_PROC_METRICS] = {SMI_FB_USED, SMI_GPU_UTIL, SMI_MEM_UTIL, SMI_ENC_UTIL,
                                                    SMI_DEC_UTIL};

struct key {
    int who;
    int64_t pid, life_ms;
    struct smi_text name;
};

static bool is_process(const void *list, size_t place, const void *key)
{
    const struct smi_proc *p = (const struct smi_proc *)list + place;
    const struct key *k = key;
    return p->who == k->who && p->pid == k->pid && p->life_ms == k->life_ms &&
           (p->name ? smi_text_is(k->name, p->name) : !k->name.n);
}

/* Finds or makes the process; *fresh says which. NULL: past the limit. */
static struct smi_proc *find_or_add_process(struct smi_procs *p, const struct key *k, bool *fresh)
{
    const uint64_t ids =
                       smi_hash_pair(smi_hash_pair((uint64_t)k->who, (uint64_t)k->pid), (uint64_t)k->life_ms),
                   hash = smi_hash_pair(ids, smi_hash_bytes(k->name.p, k->name.n));
    size_t i = smi_map_find(&p->map, hash, is_process, p->list, k);
    char *name = NULL;
    *fresh = i == SMI_MAP_NONE;
    if (!*fresh)
        return &p->list[i];
    if (p->n == SMI_PROCS_MAX)
        return NULL;
    smi_mem_reserve(&p->list, &p->cap, p->n + 1, sizeof *p->list);
    if (k->name.n)
        name = smi_mem_text(k->name.p, k->name.n);
    smi_map_add(&p->map, hash, p->n);
    p->list[p->n] = (struct smi_proc){.who = k->who, .pid = k->pid, .name = name, .life_ms = k->life_ms};
    return &p->list[p->n++];
}

static void extend_times(struct smi_proc *p, int64_t first, int64_t last)
{
    if (!p->timed || first < p->first_ms)
        p->first_ms = first;
    if (!p->timed || last > p->last_ms)
        p->last_ms = last;
    p->timed = true;
}

static void raise_peak(struct smi_proc_sum *s, int64_t v, int64_t n)
{
    if (!s->peaks || v > s->max)
        s->max = v;
    s->peaks += n;
}

static void add_sums(struct smi_proc *p, const struct smi_proc *b)
{
    p->types |= b->types;
    p->samples += b->samples;
    if (b->timed)
        extend_times(p, b->first_ms, b->last_ms);
    for (int i = 0; i < SMI_PROC_METRICS; i++) {
        p->of[i].n += b->of[i].n;
        p->of[i].sum += b->of[i].sum;
        if (b->of[i].peaks)
            raise_peak(&p->of[i], b->of[i].max, b->of[i].peaks);
    }
}

void smi_proc_add(struct smi_proc *a, const struct smi_proc *b)
{
    struct smi_proc_sum *to = &a->of[SMI_PROC_MEMORY];
    const struct smi_proc_sum *from = &b->of[SMI_PROC_MEMORY];
    if (a->life_ms < 0) {
        add_sums(a, b);
        return;
    }
    /* the record of a process comes again: the first one stays, but for a memory that has grown */
    if (b->timed)
        extend_times(a, b->first_ms, b->last_ms);
    if (from->peaks && (!to->peaks || from->max > to->max)) {
        to->max = from->max;
        to->peaks = 1;
    }
}

static enum smi_proc_result add_process(struct smi_procs *a, const struct smi_proc *b, struct smi_text name)
{
    const size_t n = name.n < SMI_PROC_NAME_MAX ? name.n : SMI_PROC_NAME_MAX;
    /* a name ends at a NUL, as everywhere in the system that it comes from */
    const struct key k = {b->who, b->pid, b->life_ms, {name.p, n ? strnlen(name.p, n) : 0}};
    bool fresh;
    struct smi_proc *p = find_or_add_process(a, &k, &fresh);
    if (!p) {
        a->others += b->samples;
        return SMI_PROC_KEPT;
    }
    if (fresh)
        add_sums(p, b);
    else
        smi_proc_add(p, b);
    return fresh || b->life_ms < 0 ? SMI_PROC_KEPT : SMI_PROC_DUPLICATE;
}

enum smi_proc_result smi_procs_add(struct smi_procs *p, const struct smi_rows *r)
{
    struct smi_proc one = {.who = *r->who,
                           .pid = r->process->pid,
                           .types = r->process->types,
                           .life_ms = r->process->life_ms,
                           .samples = 1};
    if (r->timed)
        extend_times(&one, *r->t_ms, *r->t_ms);
    for (int at = 0; at < SMI_PROC_METRICS; at++) {
        const unsigned c = smi_rows_column(r, smi_proc_metric[at]);
        if (c == r->metrics)
            continue;
        /* accounting gives the largest memory and the mean use; a sample is both */
        if (one.life_ms < 0 || at != SMI_PROC_MEMORY) {
            one.of[at].n++;
            one.of[at].sum += smi_rows_reading(r, c, 0);
        }
        if (one.life_ms < 0 || at == SMI_PROC_MEMORY)
            raise_peak(&one.of[at], smi_rows_reading(r, c, 0), 1);
    }
    return add_process(p, &one, r->process->name);
}

enum smi_proc_result smi_procs_join(struct smi_procs *a, const struct smi_proc *b, int who)
{
    struct smi_proc moved = *b;
    moved.who = who;
    return add_process(a, &moved, b->name ? smi_text_of(b->name) : (struct smi_text){NULL, 0});
}

void smi_procs_fini(struct smi_procs *p)
{
    for (size_t i = 0; i < p->n; i++)
        smi_mem_free(p->list[i].name);
    smi_mem_free(p->list);
    smi_map_fini(&p->map);
    *p = (struct smi_procs){0};
}
