#include "xlsx/lib.h"

#include "base/lazy.h"

struct smi_libxlsx smi_lxw;

static const char *const names[] = {
#define SMI_LAZY(name) #name,
#include "xlsx/lib.def"
#undef SMI_LAZY
};

int smi_libxlsx_open(struct smi_err *err)
{
    static struct smi_lazy lib = {.name = "libxlsxwriter",
                                  .soname = SMI_SONAME,
                                  .names = names,
                                  .n = sizeof names / sizeof *names,
                                  .functions = &smi_lxw,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    return smi_lazy_open(&lib, err);
}
