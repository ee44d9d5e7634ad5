#include "stored/stored.h"

#include <string.h>

/* {"sqlite:", smi_..._load}: a row a place. */
static const struct smi_stored_place places[] = {
    {NULL, NULL},
};

static const struct smi_stored_place *place_of(const char *path)
{
    for (const struct smi_stored_place *p = places; p->prefix; p++)
        if (strncmp(path, p->prefix, strlen(p->prefix)) == 0)
            return p;
    return NULL;
}

bool smi_stored_named(const char *path)
{
    return place_of(path) != NULL;
}

int smi_stored_read(struct smi_sweep *out, const char *const *path, size_t n, const char *run_name,
                    const struct smi_options *o, struct smi_err *err)
{
    struct smi_partials all = {0};
    int rc = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct smi_stored_place *p = place_of(path[i]);
        rc = p ? p->load(&all, path[i], run_name, err) : smi_partials_file(&all, path[i], run_name, err);
    }
    rc = rc ? rc : smi_sweep_merge(out, &all, o, err);
    smi_partials_fini(&all);
    if (rc && err && err->code == SMI_EUSAGE) /* what was typed is right: the documents do not belong together */
        err->code = SMI_EFORMAT;
    out->usable = rc ? 0 : (int64_t)out->n;
    out->nstored = rc ? 0 : n;
    return rc;
}
