#include "live/ncurses.h"

#include "base/lazy.h"

struct smi_libncurses smi_ncurses;

int smi_ncurses_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBNCURSESW, &smi_ncurses, err);
}
