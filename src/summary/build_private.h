/* build_private.h - what the sources of one summary share. Not installed. */
#ifndef SMI_SUMMARY_BUILD_PRIVATE_H
#define SMI_SUMMARY_BUILD_PRIVATE_H

#include "summary/gpus.h"

struct smi_build {
    struct smi_summary *out;
    struct smi_run *r;
    const struct smi_options *o;
    struct smi_run_gpus s;
    struct smi_sparkline_sum shape;
    struct smi_run_times times;
    struct smi_run_gpu **body; /* the GPUs that were chosen, as out->gpus */
    size_t bodies;             /* of them, without the pooled one, which is the last */
    bool uneven;               /* see uneven_phases */
};

/* Does --gpus mean all, or this GPU? g NULL: rows that no GPU is known for. The words of --gpus that do are
 * noted in *meant, which may be NULL, not those of the export that the run is read back from. */
bool smi_build_is_chosen(const struct smi_build *b, const struct smi_run_gpu *g, uint64_t *meant);

/* A copy in the summary's arena; NULL for NULL. */
char *smi_build_copy_text(struct smi_build *b, const char *text);

/* How often a GPU was read, and which readings it lacks: fills that part of g. */
void smi_build_quality(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g);
/* When it was idle: its longest stall, its first and last row, and what went on meanwhile. */
void smi_build_idle(struct smi_build *b, const struct smi_run_gpu *body, struct smi_gpu *g);
/* What is taken off the times of a log with this base to get those of the summary; false: they are no dates
 * of its. */
bool smi_build_clock(const struct smi_build *b, enum smi_time_base base, int64_t *shift_ms);
/* Of every metric that the logs of this body have or were asked for: in how many of the rows it is. Same
 * returns. */
void smi_build_available(struct smi_build *b, const struct smi_run_gpu *body, const struct smi_share **out,
                         size_t *n);

/* Each fills its part of b->out. */
void smi_build_state(struct smi_build *b);
void smi_build_params(struct smi_build *b);
void smi_build_results(struct smi_build *b);
void smi_build_events(struct smi_build *b);
void smi_build_errors(struct smi_build *b);
void smi_build_processes(struct smi_build *b);
void smi_build_phases(struct smi_build *b);
void smi_build_timeline(struct smi_build *b);
void smi_build_inputs(struct smi_build *b);
void smi_build_problems(struct smi_build *b);

#endif
