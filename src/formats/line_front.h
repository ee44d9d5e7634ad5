/* line_front.h - the time that a logger put in front of each line of a log:
 *
 *     2026-07-03T10:00:00.123456789Z 0, 28 %             docker logs -t, kubectl logs --timestamps
 *     2026-07-03T10:00:00.123456789Z stdout F 0, 28 %    the file of a container
 *     2026-07-03 10:00:00 0, 28 %                        ts '%F %T', echo "$(date '+%F %T') $(nvidia-smi
 * ...)" [2026-07-03 10:00:00] 0, 28 %                      ts '[%F %T]' Jul 03 10:00:00 0, 28 % ts Jul 03
 * 10:00:00 node7 smi[12]: 0, 28 %             journalctl, also -o short-iso
 *
 * With a comma behind it, it is a cell of the line; alone on its line, it is the time of what stands below.
 */
#ifndef SMI_FORMATS_LINE_FRONT_H
#define SMI_FORMATS_LINE_FRONT_H

#include "base/text.h"

/* Cuts it off the line, with one blank behind it. Returns its time, as smi_stamp_read takes it; empty: the
 * line has none, and stays as it is. */
struct smi_text smi_line_front_cut(struct smi_text *line);

#endif
