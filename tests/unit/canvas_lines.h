/* canvas_lines.h - a picture of the screen as text, for tests. */
#ifndef SMI_TESTS_CANVAS_LINES_H
#define SMI_TESTS_CANVAS_LINES_H

#include "live/tui.h"

/* Appends the text of line y without the blanks at its end. */
static inline void canvas_line(const struct smi_canvas *c, int y, struct smi_buf *to)
{
    const struct smi_canvas_cell *row = c->cell + (size_t)y * (size_t)c->width;
    int last = c->width;
    while (last > 0 && !*row[last - 1].text && !(last > 1 && row[last - 2].wide == 2))
        last--;
    for (int x = 0; x < last; x += row[x].wide == 2 ? 2 : 1)
        smi_buf_str(to, *row[x].text ? row[x].text : " ");
}

#endif
