/* run_notes.h - what stands out in a run: its note, its first grave error, its slowdowns. */
#ifndef SMI_SUMMARY_RUN_NOTES_H
#define SMI_SUMMARY_RUN_NOTES_H

#include "summary/findings.h"
#include "summary/summary.h"

/* What a run is noted for: the first of these that holds. */
enum smi_run_note {
    SMI_NOTE_NONE,
    SMI_NOTE_FAILED,
    SMI_NOTE_NO_DATA,
    SMI_NOTE_ERROR,
    SMI_NOTE_FINDING,
    SMI_NOTE_CUT,
    SMI_NOTE_LOG /* a GPU log was passed over, and the others do not tell the waste */
};
/* "exit status 1" of "exit status 1 (slurm-4711.out)": a reason less the file or tool that gives it. */
struct smi_text smi_reason_cause(const char *reason);
/* Says the reason nothing but how the process ended? */
bool smi_reason_is_exit(const char *reason);
/* Is it a slowdown, and not that nothing runs? */
bool smi_throttle_slows(const struct smi_throttle *t);
/* The largest share of time of any GPU and reason; clocks that are low because nothing runs are no slowdown.
 */
struct smi_value smi_most_throttled(const struct smi_summary *s);
/* Has it a line? All GPUs that can be told apart do, or the pooled rows if there is nothing else. */
bool smi_gpu_has_row(const struct smi_summary *s, const struct smi_gpu *gpu);
/* The first error that cost work, or will; NULL if there is none. */
const struct smi_error *smi_first_grave_error(const struct smi_summary *s);
/* How many lines problem k stands for: 0 if an earlier one says the same. */
int64_t smi_warning_lines(const struct smi_account *a, size_t k);
enum smi_run_note smi_run_note_of(const struct smi_summary *s);
/* Its short code: the rule of the worst finding; "failed", "no-data", "gpu-error", "cut" where none says it;
 * or "". */
const char *smi_run_note_code(const struct smi_summary *s);
/* Has it a reading of a GPU, or, read from what was written of it, a figure from such readings? The state
 * alone does not tell: a failed run stays failed without them. */
bool smi_run_has_gpu_data(const struct smi_summary *s);
/* Why a run without such data none: "no readings", "columns unknown" or "no GPU log". */
const char *smi_run_no_data_reason(const struct smi_summary *s);

#endif
