/* live.h - what commands that record share. */
#ifndef SMI_FRONT_LIVE_H
#define SMI_FRONT_LIVE_H

#include "base/err.h"

/* Writes DIR/summary.json, beside and renamed: what `smilog summarize --json DIR` says now. Returns 0, or -1 with err. */
int smi_live_summary(const char *dir, struct smi_err *err);

#endif
