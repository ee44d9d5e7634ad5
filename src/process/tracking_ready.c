/* tracking_ready.c - what has to be known before a command is started. */
#include "process/tracking.h"

enum {
    READY_MS = 2000,
    ALONE_MS = 10000,
    ROWS_MS = 100,
    BLOCK_MS = 1000 /* the rows of a sample come so close to each other, and so long at most */
};

/* Is more to come at once? dmon may be first, and does not say what a GPU has. */
static bool query_starts(const struct smi_machine *n)
{
    for (size_t i = 0; i < n->sources; i++)
        if (n->source[i]->format == SMI_FMT_QUERY && n->source[i]->state == SMI_SOURCE_STARTING)
            return true;
    return false;
}

/* A monitor's rows come one by one: behind that of the first GPU there may be others. */
static bool in_sample(const struct smi_machine *n)
{
    for (size_t i = 0; i < n->sources; i++) {
        const struct smi_live_source *s = n->source[i];
        if (smi_format_infos[s->format].gpu && s->state == SMI_SOURCE_READING &&
            n->mono_ms - s->seen_mono_ms < ROWS_MS && n->mono_ms - s->begun_mono_ms < BLOCK_MS)
            return true;
    }
    return false;
}

bool smi_tracking_ready(const struct smi_machine *n)
{
    const bool starts = query_starts(n);
    if (in_sample(n))
        return false;
    for (size_t i = 0; i < n->gpus; i++)
        if (!n->gpu[i]->latest[SMI_FB_USED].has || (starts && !n->gpu[i]->latest[SMI_FB_TOTAL].has))
            return false;
    for (size_t i = 0; i < n->sources && n->gpus == 0; i++)
        if (smi_format_infos[n->source[i]->format].gpu && n->source[i]->state != SMI_SOURCE_DOWN)
            return false;
    return true;
}

int64_t smi_tracking_patience(char *const *environ)
{
    return smi_gpu_memory_share_alone(environ, false) || smi_gpu_memory_share_alone(environ, true) ? ALONE_MS
                                                                                                   : READY_MS;
}
