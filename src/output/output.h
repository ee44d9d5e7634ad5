/* output.h - the table of outputs of a sweep. No output names a metric: all loop over tables. */
#ifndef SMI_OUTPUT_OUTPUT_H
#define SMI_OUTPUT_OUTPUT_H

#include "base/buf.h"
#include "sweep/sweep.h"
#include "page/look.h"

/* Writes the whole sweep. Returns 0, or -1 with err (memory). */
typedef int smi_write_fn(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                         struct smi_err *err);

struct smi_output {
    const char *name, *ending, *help; /* --format NAME; file ending that chooses it, or NULL */
    smi_write_fn *write;
    smi_run_text_fn *run; /* for smi_options.text: what `write` puts for a run; or NULL, it wants whole summaries */
    bool lines;  /* the texts of the runs are all that it writes */
    bool shapes; /* it draws the utilisation of runs and GPUs over time */
};

extern const struct smi_output smi_outputs[]; /* ends with a NULL name */
const struct smi_output *smi_output_find(const char *name);
const struct smi_output *smi_output_by_ending(const char *path);

int smi_write_json(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);
int smi_write_jsonl(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);
/* One run of theirs. */
void smi_run_json(struct smi_buf *to, const struct smi_summary *s);
void smi_run_jsonl(struct smi_buf *to, const struct smi_summary *s);
int smi_write_csv(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);
int smi_write_markdown(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);
int smi_write_line(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look, struct smi_err *err);

#endif
