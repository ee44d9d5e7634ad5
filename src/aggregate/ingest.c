/* ingest.c - rows from a reader into the statistics of a log. */
#include "aggregate/ingest.h"
#include "base/digest.h"
#include "base/mem.h"

#include <string.h>

enum { HEAD = SMI_DETECT_MOST };

struct smi_ingest {
    struct smi_ingest_opts o;
    const struct smi_format *format;
    int id;
    struct smi_reader *reader;
    struct smi_attribute *attribute;
    char *head;                           /* the first bytes, until the format is known */
    char columns[SMI_ROW_SHAPE_TEXT + 1]; /* that these tell */
    size_t n;
};

struct smi_ingest *smi_ingest_open(const struct smi_ingest_opts *o)
{
    struct smi_ingest *in = smi_mem_new(1, sizeof *in);
    in->o = *o;
    in->id = -1;
    in->attribute = smi_attribute_new(o->to, o->devices, o->account, o->gpu_count, o->plan);
    return in;
}

static int open_reader(struct smi_ingest *in, int id, struct smi_err *err)
{
    const struct smi_read_opts o = {in->o.account, in->o.devices, in->o.later, in->o.columns};
    in->id = id;
    in->format = smi_formats[id];
    in->reader = smi_reader_open(in->format, &o, err);
    return in->reader ? 0 : -1;
}

_Static_assert(SMI_FMT_COUNT <= 64, "smi_ingest_opts.copied has a bit for each");
static int read_bytes(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (in->o.copy && in->o.copied >> in->id & 1 && smi_block_list_add(in->o.copy, p, n, err))
        return -1;
    return smi_reader_feed(in->reader, p, n, smi_attribute_sink(in->attribute), err);
}

/* Tells the format of the bytes so far, and reads them. */
static int detect_format(struct smi_ingest *in, struct smi_err *err)
{
    struct smi_detect why;
    struct smi_err bad = {0};
    char *head = in->head;
    size_t n = in->n;
    int id = -1, rc;
    for (size_t size = SMI_DETECT_FIRST; size;)
        size = smi_detect_look(head ? head : "", n, size, in->o.columns, &id, &why, &bad);
    if (bad.code)
        return smi_err_set(err, bad.code, "%s", bad.text);
    if (id < 0 || why.bare)
        return smi_err_set(err, SMI_EFORMAT, "%s", why.why);
    if (*why.columns)
        in->o.columns = strcpy(in->columns, why.columns);
    in->head = NULL;
    rc = open_reader(in, id, err) ? -1 : read_bytes(in, head, n, err);
    smi_mem_free(head);
    return rc;
}

int smi_ingest_feed(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (!in->reader && in->o.format >= 0 && open_reader(in, in->o.format, err))
        return -1;
    if (!in->reader) {
        size_t some = n < HEAD - in->n ? n : HEAD - in->n;
        if (!in->head)
            in->head = smi_mem_raw(HEAD);
        memcpy(in->head + in->n, p, some);
        in->n += some;
        if (in->n < HEAD)
            return 0;
        if (detect_format(in, err))
            return -1;
        p += some;
        n -= some;
    }
    return n ? read_bytes(in, p, n, err) : 0;
}

int smi_ingest_prime(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    int rc = smi_ingest_feed(in, p, n, err);
    smi_account_fini(in->o.account);
    *in->o.account = (struct smi_account){0};
    return rc;
}

int smi_ingest_finish(struct smi_ingest *in, struct smi_err *err)
{
    struct smi_sink *to = smi_attribute_sink(in->attribute);
    if (!in->reader && in->o.format >= 0 && open_reader(in, in->o.format, err))
        return -1;
    if (!in->reader && detect_format(in, err))
        return -1;
    if (smi_reader_finish(in->reader, to, err))
        return -1;
    return to->end(to, err);
}

int smi_ingest_decide(struct smi_ingest *in, struct smi_err *err)
{
    return (in->reader && smi_reader_settle(in->reader, smi_attribute_sink(in->attribute), err)) ||
                   smi_attribute_decide(in->attribute, err)
               ? -1
               : 0;
}

int smi_ingest_settle(struct smi_ingest *in, struct smi_err *err)
{
    return smi_attribute_settle(in->attribute, err);
}

int smi_ingest_format(const struct smi_ingest *in)
{
    return in->id;
}

enum smi_time_base smi_ingest_base(const struct smi_ingest *in)
{
    return in->reader ? smi_reader_base(in->reader) : SMI_TIME_BASE_NONE;
}

void smi_ingest_close(struct smi_ingest *in)
{
    if (!in)
        return;
    smi_reader_close(in->reader);
    smi_attribute_free(in->attribute);
    smi_mem_free(in->head);
    smi_mem_free(in);
}

int smi_ingest_memory(struct smi_ingest *in, const char *p, size_t n, uint64_t *hash, struct smi_err *err)
{
    if (hash)
        *hash = smi_digest_of(p, n);
    return smi_ingest_feed(in, p, n, err) ? -1 : smi_ingest_finish(in, err);
}
