/* What all readers share: their struct smi_reader begins with a struct smi_lines. */
#include "base/mem.h"
#include "formats/row_engine.h"

#define SMI_FORMAT(id, reader, rank, name, base, flags, help) [SMI_FMT_##id] = &smi_format_##reader,
const struct smi_format *const smi_formats[SMI_FMT_COUNT] = {
#include "model/format.def"
};
#undef SMI_FORMAT

static void open_lines(struct smi_lines *l, const struct smi_format *f, const struct smi_read_opts *o)
{
    *l = (struct smi_lines){.format = f,
                            .account = o->account,
                            .devices = o->devices,
                            .begun = o->later,
                            .line = f->line,
                            .rows = f->fast,
                            .whole = f->fronts,
                            .date = f->table ? smi_row_date : NULL,
                            .self = l};
}

struct smi_reader *smi_reader_open(const struct smi_format *f, const struct smi_read_opts *o,
                                   struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, f->size);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    open_lines((struct smi_lines *)r, f, o);
    if ((!f->table || smi_row_open((struct smi_row_reader *)r, f->table, o, err) == 0) &&
        (!f->open || f->open(r, o, err) == 0))
        return r;
    smi_reader_close(r);
    return NULL;
}

int smi_reader_feed(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = (struct smi_lines *)r;
    l->to = to;
    return smi_lines_feed(l, p, n, err);
}

int smi_reader_finish(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = (struct smi_lines *)r;
    l->to = to;
    if (smi_lines_finish(l, err) || (l->format->finish && l->format->finish(r, err)))
        return -1;
    return l->format->table ? smi_row_finish((struct smi_row_reader *)r, err) : 0;
}

bool smi_reader_waits(const struct smi_reader *r)
{
    return ((const struct smi_lines *)r)->format->table &&
           ((const struct smi_row_reader *)r)->order.state == SMI_ORDER_OPEN;
}

int smi_reader_settle(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    ((struct smi_lines *)r)->to = to;
    return smi_reader_waits(r) ? smi_row_order_settle((struct smi_row_reader *)r, err) : 0;
}

enum smi_time_base smi_reader_base(const struct smi_reader *r)
{
    const struct smi_lines *l = (const struct smi_lines *)r;
    int id = 0;
    while (smi_formats[id] != l->format)
        id++;
    return smi_format_infos[id].base == SMI_TIME_BASE_UTC && l->base < SMI_TIME_BASE_DAY ? SMI_TIME_BASE_UTC
                                                                                         : l->base;
}

void smi_reader_reset(struct smi_reader *r, const struct smi_read_opts *o)
{
    const struct smi_format *f = ((struct smi_lines *)r)->format;
    smi_lines_fini((struct smi_lines *)r);
    open_lines((struct smi_lines *)r, f, o);
    if (f->table)
        smi_row_reset((struct smi_row_reader *)r, o);
    f->reset(r);
}

void smi_reader_close(struct smi_reader *r)
{
    const struct smi_format *f = r ? ((struct smi_lines *)r)->format : NULL;
    if (!r)
        return;
    if (f->close)
        f->close(r);
    if (f->table)
        smi_row_close((struct smi_row_reader *)r);
    smi_lines_fini((struct smi_lines *)r);
    smi_mem_free(r);
}
