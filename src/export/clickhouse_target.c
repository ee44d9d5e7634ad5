/* clickhouse_target.c - smilog export --to clickhouse://... */
#include "export/clickhouse_target.h"

#include "base/mem.h"
#include "export/clickhouse_fetch.h"
#include "export/clickhouse_import.h"
#include "model/format_info.h"

struct out {
    struct smi_target_out out;
    struct smi_ch_settings set;
    struct smi_ch_import *load;
};

static struct smi_target_out *open_at(const struct smi_target *target, const char *where,
                                      const struct smi_target_set *set, struct smi_err *err)
{
    struct out *o = smi_mem_new(1, sizeof *o);
    struct smi_buf url = {0};
    smi_buf_fmt(&url, "%s%s", target->prefix, where);
    if (!o || url.failed) {
        smi_err_nomem(err);
    } else {
        o->out.target = target;
        o->set = (struct smi_ch_settings){.password_file = set->password_file,
                                          .ledger = set->ledger,
                                          .replace = set->replace,
                                          .pytorch = set->pytorch,
                                          .dry = set->dry,
                                          .plan = set->plan,
                                          .patience = smi_ch_patience};
        o->load = smi_ch_import_open(url.p, &o->set, err);
    }
    smi_buf_fini(&url);
    if (o && o->load)
        return &o->out;
    smi_mem_free(o);
    return NULL;
}

static struct smi_target_out *open_plain(const char *where, const struct smi_target_set *set,
                                         struct smi_err *err)
{
    return open_at(&smi_target_clickhouse, where, set, err);
}

static struct smi_target_out *open_sealed(const char *where, const struct smi_target_set *set,
                                          struct smi_err *err)
{
    return open_at(&smi_target_clickhouses, where, set, err);
}

static int import_target_run(struct smi_target_out *self, const struct smi_export_run *r, struct smi_buf *say,
                             struct smi_err *err)
{
    struct out *o = (struct out *)self;
    return smi_ch_import_run(o->load, r, &o->out, say, err);
}

static int close_import(struct smi_target_out *self, bool keep, struct smi_err *err)
{
    struct out *o = (struct out *)self;
    int rc = smi_ch_import_close(o->load, keep, err);
    smi_mem_free(o);
    return rc;
}

static int verify_at(const struct smi_target *target, const char *where, const struct smi_target_set *set,
                     struct smi_buf *said, uint64_t *runs, struct smi_err *err)
{
    struct smi_buf url = {0};
    int rc;
    smi_buf_fmt(&url, "%s%s", target->prefix, where);
    rc = url.failed ? smi_err_nomem(err) : smi_ch_verify(url.p, set->password_file, said, runs, err);
    smi_buf_fini(&url);
    return rc;
}

static int verify_plain(const char *where, const struct smi_target_set *set, struct smi_buf *said,
                        uint64_t *runs, struct smi_err *err)
{
    return verify_at(&smi_target_clickhouse, where, set, said, runs, err);
}

static int verify_sealed(const char *where, const struct smi_target_set *set, struct smi_buf *said,
                         uint64_t *runs, struct smi_err *err)
{
    return verify_at(&smi_target_clickhouses, where, set, said, runs, err);
}

const struct smi_target smi_target_clickhouse = {
    .prefix = "clickhouse:",
    .form = "clickhouse://[USER@]HOST[:PORT][,HOST...]/DATABASE",
    .help = "a ClickHouse store; several hosts are its shards",
    .run = import_target_run,
    .close = close_import,
    .open_with = open_plain,
    .verify = verify_plain,
    .texts = (uint32_t)1 << SMI_FMT_USAGE_LOG,
};
const struct smi_target smi_target_clickhouses = {
    .prefix = "clickhouses:",
    .form = "clickhouses://[USER@]HOST[:PORT][,HOST...]/DATABASE",
    .help = "the same over TLS",
    .run = import_target_run,
    .close = close_import,
    .open_with = open_sealed,
    .verify = verify_sealed,
    .texts = (uint32_t)1 << SMI_FMT_USAGE_LOG,
};
