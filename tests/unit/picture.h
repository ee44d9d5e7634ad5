/* picture.h - a picture of the screen, for tests. */
#pragma once

#include "live/tui.h"

#include <stdlib.h>
#include <string.h>

/* A frame, and what it was made for. */
struct picture {
    struct smi_buf text;
    int width, height;
    bool utf8;
};

/* Line y of it, with the codes of smi_wrap_style. */
static inline struct smi_text picture_line(const struct picture *c, int y)
{
    const char *p = c->text.p;
    for (int i = 0; i < y; i++)
        p = strchr(p, '\n') + 1;
    return (struct smi_text){p, strcspn(p, "\n")};
}

/* Fills style with that of each column of line y: 0, and what stands in the code of smi_wrap_style (31: red).
 * A blank has that of the character before it. */
static inline void picture_styles(const struct picture *c, int y, int style[SMI_TUI_MOST])
{
    const struct smi_text text = picture_line(c, y);
    int now = 0, x = 0;
    memset(style, 0, SMI_TUI_MOST * sizeof *style);
    for (size_t i = 0; i < text.n;) {
        char piece[8] = "";
        size_t n = text.p[i] == 27 ? strcspn(text.p + i, "m") + 1 : smi_text_utf8(text.p + i, text.n - i);
        if (text.p[i] == 27)
            now = atoi(text.p + i + 2);
        memcpy(piece, text.p + i, n < sizeof piece ? n : 0);
        for (int k = smi_text_width(piece); k > 0; k--)
            style[x++] = now;
        i += n;
    }
}
