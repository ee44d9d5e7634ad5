#include "export/pytorch_names.h"

#include "base/mem.h"

enum { SLOTS = 64 };

static uint64_t hash_name(struct smi_text t)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < t.n; i++)
        h = (h ^ (unsigned char)t.p[i]) * 1099511628211u;
    return h ^ h >> 29;
}

/* Where the name is in slot, or would be. */
static uint32_t *find_slot(const struct smi_pytorch_names *s, struct smi_text name, uint64_t hash)
{
    for (size_t i = hash;; i++) {
        uint32_t *slot = &s->slot[i & (s->slots - 1)];
        const struct smi_pytorch_run_name *c = *slot ? &s->list[*slot - 1] : NULL;
        if (!c || (c->hash == hash && c->n == name.n && memcmp(c->p, name.p, name.n) == 0))
            return slot;
    }
}

static int more_slots(struct smi_pytorch_names *s, struct smi_err *err)
{
    size_t slots = s->slots ? s->slots * 2 : SLOTS;
    uint32_t *fresh = smi_mem_new(slots, sizeof *fresh);
    if (!fresh)
        return smi_err_nomem(err);
    smi_mem_free(s->slot);
    s->slot = fresh;
    s->slots = slots;
    for (size_t i = 0; i < s->n; i++)
        *find_slot(s, (struct smi_text){s->list[i].p, s->list[i].n}, s->list[i].hash) = (uint32_t)i + 1;
    return 0;
}

int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err)
{
    struct smi_pytorch_run_name c = {NULL, name.n, hash_name(name)};
    uint32_t *slot;
    if (s->n * 2 >= s->slots && more_slots(s, err))
        return -1;
    slot = find_slot(s, name, c.hash);
    *number = *slot ? *slot - 1 : s->n;
    if (*slot)
        return 0;
    if (s->n >= SMI_PYTORCH_NAMES)
        return smi_err_set(err, SMI_ELIMIT, "more than %d different commands", SMI_PYTORCH_NAMES);
    if (smi_mem_reserve(&s->list, &s->cap, s->n + 1, sizeof c) || !(c.p = smi_mem_text(name.p, name.n)))
        return smi_err_nomem(err);
    s->list[s->n++] = c;
    *slot = (uint32_t)s->n;
    return 0;
}

void smi_pytorch_names_fini(struct smi_pytorch_names *s)
{
    for (size_t i = 0; i < s->n; i++)
        smi_mem_free(s->list[i].p);
    smi_mem_free(s->list);
    smi_mem_free(s->slot);
    *s = (struct smi_pytorch_names){0};
}
