#include "aggregate/reader_cache.h"

struct smi_reader *smi_reader_cache_open(struct smi_reader_cache *s, int format,
                                         const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = s ? s->reader[format] : NULL;
    if (!r)
        return smi_reader_open(smi_formats[format], o, err);
    s->reader[format] = NULL;
    smi_reader_reset(r, o);
    return r;
}

void smi_reader_cache_close(struct smi_reader_cache *s, int format, struct smi_reader *r)
{
    if (s && r && !s->reader[format] && smi_formats[format]->reset)
        s->reader[format] = r;
    else
        smi_reader_close(r);
}

void smi_reader_cache_fini(struct smi_reader_cache *s)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (s->reader[i])
            smi_reader_close(s->reader[i]);
    *s = (struct smi_reader_cache){0};
}
