#include "export/pytorch_names.h"

#include "base/mem.h"

static bool is_name(const void *list, size_t place, const void *key)
{
    const struct smi_pytorch_run_name *c = (const struct smi_pytorch_run_name *)list + place;
    const struct smi_text *name = key;
    return c->n == name->n && memcmp(c->p, name->p, name->n) == 0;
}

int smi_pytorch_names_find(struct smi_pytorch_names *s, struct smi_text name, size_t *number,
                           struct smi_err *err)
{
    uint64_t hash = smi_hash_bytes(name.p, name.n);
    char *copy;
    *number = smi_map_find(&s->map, hash, is_name, s->list, &name);
    if (*number != SMI_MAP_NONE)
        return 0;
    if (s->n >= SMI_PYTORCH_NAMES)
        return smi_err_set(err, SMI_ELIMIT, "more than %d different commands", SMI_PYTORCH_NAMES);
    if (smi_mem_reserve(&s->list, &s->cap, s->n + 1, sizeof *s->list) || smi_map_reserve(&s->map, s->n + 1) ||
        !(copy = smi_mem_text(name.p, name.n)))
        return smi_err_nomem(err);
    smi_map_add(&s->map, hash, s->n);
    *number = s->n++;
    s->list[*number] = (struct smi_pytorch_run_name){copy, name.n};
    return 0;
}

void smi_pytorch_names_fini(struct smi_pytorch_names *s)
{
    for (size_t i = 0; i < s->n; i++)
        smi_mem_free(s->list[i].p);
    smi_mem_free(s->list);
    smi_map_fini(&s->map);
    *s = (struct smi_pytorch_names){0};
}
