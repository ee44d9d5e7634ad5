#include "export/stored.h"

#include "export/clickhouse.h"

#include <string.h>

/* A row a place. */
static const struct smi_stored_kind places[] = {
    {"sqlite:", smi_sqlite_load},
    {"clickhouse://", smi_ch_fetch},
    {"clickhouses://", smi_ch_fetch},
    {NULL, NULL},
};

static const struct smi_stored_kind *find_kind(const char *path)
{
    for (const struct smi_stored_kind *p = places; p->prefix; p++)
        if (strncmp(path, p->prefix, strlen(p->prefix)) == 0)
            return p;
    return NULL;
}

bool smi_stored_has_prefix(const char *path)
{
    return find_kind(path) != NULL;
}

/* Fills the queue with all documents of the paths, and makes their sweep. */
static int read_queue(struct smi_sweep *out, struct smi_merge_queue *p, const char *const *path, size_t n,
                      const struct smi_options *o, struct smi_err *err)
{
    int rc = 0;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n && !rc; i++) {
        const struct smi_stored_kind *place = find_kind(path[i]);
        rc = place ? place->load(p, path[i], err) : smi_merge_queue_add_file(p, path[i], err);
    }
    if (rc)
        return rc;
    rc = smi_sweep_merge_queue(out, p, o, err);
    if (rc && err &&
        err->code == SMI_EUSAGE) /* what was typed is right: the documents do not belong together */
        err->code = SMI_EFORMAT;
    out->usable = rc ? 0 : (int64_t)out->n;
    out->nstored = rc ? 0 : n;
    return rc;
}

int smi_stored_read(struct smi_sweep *out, const char *const *path, size_t n, const char *run_name,
                    const struct smi_options *o, smi_sweep_document_fn *put, void *self, struct smi_err *err)
{
    struct smi_merge_queue all = {0};
    struct smi_buf b = {0};
    int rc;
    all.run = run_name;
    rc = read_queue(out, &all, path, n, o, err);
    for (size_t i = 0; i < all.n && !rc && put; i++) {
        smi_buf_clear(&b);
        rc = smi_merge_queue_copy(&all, i, &b, err);
        rc = rc ? rc : put(self, &b, true, err);
    }
    smi_buf_clear(&b);
    smi_partial_write_end(&b, all.n);
    rc = rc || (put && put(self, &b, true, err)) ? -1 : 0;
    if (rc && out->nstored) /* they were read */
        smi_sweep_fini(out);
    smi_buf_fini(&b);
    smi_merge_queue_fini(&all);
    return rc;
}
