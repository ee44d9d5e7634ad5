/* ncurses.h - ncurses, opened when somebody looks at the screen: it would cost every start of every command.
 */
#ifndef SMI_LIVE_NCURSES_H
#define SMI_LIVE_NCURSES_H

#include "base/err.h"

#define NCURSES_NOMACROS /* what is called is a function, and no macro around one */
#include <curses.h>
#include <term.h>

struct smi_libncurses {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libcurses.def"
#undef SMI_LAZY
};
/* Its functions: smi_ncurses.refresh(); its variables: *smi_ncurses.stdscr. Written once, by the first
 * smi_ncurses_open. */
extern struct smi_libncurses smi_ncurses;

/* Any thread. Returns 0, or -1 with err SMI_EIO where it cannot be had. */
int smi_ncurses_open(struct smi_err *err);

#endif
