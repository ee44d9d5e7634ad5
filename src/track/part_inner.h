/* part_inner.h - what the files of a part share. */
#ifndef SMI_TRACK_PART_INNER_H
#define SMI_TRACK_PART_INNER_H

#include "track/part.h"

/* The sink of every part. */
struct smi_sink smi_part_sink(void);
/* The part has a row at t_ms on the clock of the run, whose stamp is ahead_ms later. */
void smi_part_see(struct smi_part *p, int64_t t_ms, int64_t ahead_ms);
/* What became of a row, in the account. */
void smi_part_tell(struct smi_account *a, enum smi_taken what);

#endif
