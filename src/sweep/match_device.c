#include "sweep/match_device.h"

#include <strings.h>

/* Is it the GPU? The first key that both have decides, but a serial may be that of a board with several GPUs.
 */
static bool is_gpu(const struct smi_gpu *g, const struct smi_device *d, int index)
{
    const char *uuid = d->key[SMI_DEVICE_KEY_UUID], *bus = d->key[SMI_DEVICE_KEY_BUS],
               *serial = d->key[SMI_DEVICE_KEY_SERIAL];
    if (g->uuid && uuid)
        return strcasecmp(g->uuid, uuid) == 0;
    if (g->bus && bus)
        return strcasecmp(g->bus, bus) == 0;
    if (g->serial && serial && strcasecmp(g->serial, serial) != 0)
        return false;
    return g->index >= 0 && index >= 0 ? g->index == index : g->serial && serial;
}

static int pooled(const struct smi_summary *s)
{
    return s->ngpus && s->gpus[s->ngpus - 1].pooled ? (int)s->ngpus - 1 : SMI_DEVICE_LEFT_OUT;
}

/* Matches by a shared identifier; falls back to the position within a burst, counted among the GPUs without
 * an identifier if there are any. The only one of these may have an index that is not a number. */
int smi_match_device(const struct smi_summary *s, const struct smi_device *d, int named)
{
    const int index = !d ? -1 : named >= 0 ? named : smi_device_index(d);
    size_t n = 0;
    int one = SMI_DEVICE_LEFT_OUT, nameless = 0, at = 0;
    for (size_t i = 0; d && i < s->ngpus; i++) {
        const struct smi_gpu *g = &s->gpus[i];
        if (g->pooled)
            continue;
        n++;
        one = (int)i;
        if (g->index < 0 && !g->uuid && !g->bus && !g->serial &&
            nameless++ == (d->ordinal > 0 ? d->ordinal : 0))
            at = (int)i;
        if (is_gpu(g, d, index))
            return (int)i;
    }
    if (!d)
        return pooled(s);
    if (nameless > d->ordinal &&
        (d->ordinal >= 0 || (nameless == 1 && index < 0 && d->key[SMI_DEVICE_KEY_INDEX])))
        return at;
    if (d->ordinal >= 0 && (size_t)d->ordinal < n && s->gpus[d->ordinal].index < 0)
        return d->ordinal;
    return n == 1 && !s->gpus[one].uuid != !d->key[SMI_DEVICE_KEY_UUID] ? one : SMI_DEVICE_LEFT_OUT;
}
