#include "live/ncurses.h"

#include "base/lazy.h"

struct smi_libcurses smi_curses;

int smi_curses_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBNCURSESW, &smi_curses, err);
}
