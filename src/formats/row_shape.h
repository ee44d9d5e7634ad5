/* row_shape.h - rows of nvidia-smi without their header: what the cells themselves tell of the columns.
 *
 *     2026/04/25 16:06:06.780, 0 %, 4 MiB, 46068 MiB, 32, 82.53 W
 *
 * Units tell most: only the temperature and the index are printed without one. What is left is tried against
 * the cells of all rows: a total does not change, and is the largest; memory in use is nearly nothing at some
 * time, free memory never. Columns are named only if one reading is left; nothing is taken for likely. */
#ifndef SMI_FORMATS_ROW_SHAPE_H
#define SMI_FORMATS_ROW_SHAPE_H

#include "base/text.h"

#include <stdbool.h>

enum { SMI_ROW_SHAPE_TEXT = 512 };

struct smi_row_shape {
    bool one;                         /* there is one reading, of all columns */
    bool monitor;                     /* their units are those of a monitor of GPUs */
    size_t cells;                     /* of a row; 0: the text has no rows */
    struct smi_text row;              /* the first, borrowed */
    char columns[SMI_ROW_SHAPE_TEXT]; /* as --input-columns takes them; ? where they are not told */
    char doubt[SMI_ROW_SHAPE_TEXT];   /* "column 3 may be memory.used or memory.free"; or "" */
};

/* Of the whole lines of a text. torn: the first may lack its beginning. */
void smi_row_shape(struct smi_row_shape *s, const char *p, size_t n, bool torn);

/* In front of the columns of a reading that was found so, and not named by a user. Those of a header below
 * the rows have the number of its line in front: "?31 timestamp, index". */
enum { SMI_ROW_SHAPE_GUESS = '?' };

#endif
