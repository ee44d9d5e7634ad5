/* canvas_lines.h - a picture of the screen as text, for tests. */
#pragma once

#include "live/tui.h"

#include <stdlib.h>
#include <string.h>

/* Fills style with that of each column of line y: 0, and what stands in the code of smi_wrap_style (31: red).
 * A blank has that of the character before it. */
static inline void canvas_styles(const struct smi_canvas *c, int y, int style[SMI_CANVAS_MOST])
{
    const struct smi_buf *text = &c->line[y].text;
    int now = 0, x = 0;
    memset(style, 0, SMI_CANVAS_MOST * sizeof *style);
    for (size_t i = 0; i < text->n;) {
        char piece[8] = "";
        size_t n = text->p[i] == 27 ? strcspn(text->p + i, "m") + 1 : smi_text_utf8(text->p + i, text->n - i);
        if (text->p[i] == 27)
            now = atoi(text->p + i + 2);
        memcpy(piece, text->p + i, n < sizeof piece ? n : 0);
        for (int k = smi_text_width(piece); k > 0; k--)
            style[x++] = now;
        i += n;
    }
}
