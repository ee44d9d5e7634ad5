/* terminal.h - what a terminal showed, as lines of text: a typescript of `watch` has no lines, but moves of
 * the cursor and the characters that changed. */
#ifndef SMI_BASE_TERMINAL_H
#define SMI_BASE_TERMINAL_H

#include "base/byte_source.h"

#include <stdbool.h>
#include <stdint.h>

enum { SMI_TERMINAL_ROWS = 128, SMI_TERMINAL_COLUMNS = 320, SMI_TERMINAL_NUMBERS = 4 };

/* Give it `from`; the rest is zero. */
struct smi_terminal {
    struct smi_made_source made; /* a screen behind the other, each once it was painted */
    int64_t took, gave;
    unsigned char in[4096];
    size_t n, at;
    bool ended;
    enum {
        SMI_TERMINAL_TEXT,
        SMI_TERMINAL_ESCAPE,  /* behind ESC */
        SMI_TERMINAL_CONTROL, /* behind ESC [ */
        SMI_TERMINAL_TITLE,   /* behind ESC ], up to BEL or ESC */
        SMI_TERMINAL_CHARSET  /* one more character */
    } state;
    unsigned number[SMI_TERMINAL_NUMBERS], numbers; /* of a control sequence */
    bool raw;     /* a program paints the screen: a line feed does not go to the first column */
    bool changed; /* since the last screen that was given */
    unsigned row, column, painted; /* the cursor; the row of the last character */
    char last;
    unsigned used[SMI_TERMINAL_ROWS]; /* columns of each row */
    char screen[SMI_TERMINAL_ROWS][SMI_TERMINAL_COLUMNS];
    char out[SMI_TERMINAL_ROWS * (SMI_TERMINAL_COLUMNS + 1)];
    size_t held;
};
void smi_terminal_open(struct smi_terminal *t, struct smi_byte_source *from);

/* Do these first bytes of a file move the cursor to a place, or clear the screen? */
bool smi_terminal_is_typescript(const char *p, size_t n);

#endif
