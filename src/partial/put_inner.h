/* put_inner.h - what the rooms that write partials share. Not installed. */
#ifndef SMI_PARTIAL_PUT_INNER_H
#define SMI_PARTIAL_PUT_INNER_H

#include "base/json.h"
#include "track/part.h"

/* An integer of any size: beyond 64 bits as a string. */
void smi_put_wide(struct smi_json *j, smi_i128 v);
/* The keys "processes" and "process_rows_left" of a part. */
void smi_put_procs(struct smi_json *j, const struct smi_procs *p);

/* The faults of a part, and the time of its last row. */
void smi_put_faults(struct smi_json *j, const struct smi_part *p);

#endif
