#include "screen/curses.h"

#include "base/lazy.h"

struct smi_libcurses smi_curses;

static const char *const names[] = {
#define SMI_LAZY(name) #name,
#include "screen/curses.def"
#undef SMI_LAZY
};

int smi_curses_open(struct smi_err *err)
{
    static struct smi_lazy lib = {.name = "libncursesw",
                                  .soname = SMI_SONAME,
                                  .names = names,
                                  .n = sizeof names / sizeof *names,
                                  .functions = &smi_curses,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    return smi_lazy_open(&lib, err);
}
