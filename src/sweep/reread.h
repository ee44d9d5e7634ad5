/* reread.h - runs of a sweep are read a second time: for what is too much to keep of every run. */
#ifndef SMI_SWEEP_REREAD_H
#define SMI_SWEEP_REREAD_H

#include "summary/run.h"
#include "sweep/sweep.h"

/* What a sweep was read from: the arguments of smi_sweep_read, all borrowed. */
struct smi_reread {
    const char *const *path;
    size_t n;
    const struct smi_discover_opts *d;
    const struct smi_options *o;
};

/* The places in s->runs in the order in which runs deserve to be drawn: those that are a PATH themselves,
 * then those with the most waste, then by name. how: or NULL, none is a PATH. order has room for s->n.
 * Returns 0, or -1 with err (memory). */
void smi_reread_choose(const struct smi_sweep *s, const struct smi_reread *how, size_t *order);

/* What a walk keeps of the logs in an archive is used up by the first reading: the paths are walked again,
 * and of the runs in archives those are read, by o, that are wanted. run: without a partial; or NULL, they
 * are only read. Returns 0, or -1 with err. */
int smi_reread_archives(const struct smi_reread *how, const struct smi_options *o,
                        const struct smi_run_visitor *each, struct smi_err *err);

/* Gives each of the n runs at these places in s->runs its timeline, of at most `points` cells (0: all that
 * were kept): those that have one are left as they are or thinned, the others are read again on d->threads
 * threads. A run that is not there any more, or has other GPUs by now, gets none. All other runs lose theirs.
 * d->progress counts runs. Returns 0, or -1 with err (memory). */
int smi_reread_timelines(struct smi_sweep *s, const struct smi_reread *how, const size_t *place, size_t n,
                         size_t points, struct smi_err *err);

#endif
