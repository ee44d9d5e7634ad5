/* mlflow.h - a run of MLflow's file store, mlruns/EXPERIMENT/RUN: a directory with a file for each parameter,
 * tag and metric. For the walk it is one log, meta.yaml, with what the others say beside it. */
#ifndef SMI_SWEEP_MLFLOW_H
#define SMI_SWEEP_MLFLOW_H

#include "base/file.h"
#include "sweep/walk.h"

enum {
    SMI_MLFLOW_SAMPLES = 1 << 22,   /* of all system metrics of a run */
    SMI_MLFLOW_FILE_BYTES = 1 << 26 /* of one of them */
};

/* If the directory t, which is open and listed, is such a run, its entry meta.yaml becomes a log with the
 * parameters, tags and last values of the others, which are not walked. Returns 0, or -1 without memory. */
int smi_mlflow_list(struct smi_dir *t, struct smi_arena *a);
/* The lines (base/wandb.h) of the run whose meta.yaml this is, in a temporary file: its start, the samples of
 * metrics/system in the order of time, its end. A descriptor to close, or -1 with err. */
int smi_mlflow_open(const char *path, struct smi_file_info *info, struct smi_err *err);

#endif
