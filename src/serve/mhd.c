#include "serve/mhd.h"

#include "base/lazy.h"

struct smi_libmhd smi_mhd;

static const char *const names[] = {
#define SMI_LAZY(name) #name,
#include "serve/mhd.def"
#undef SMI_LAZY
};

int smi_mhd_open(struct smi_err *err)
{
    static struct smi_lazy lib = {.name = "libmicrohttpd",
                                  .soname = SMI_SONAME,
                                  .names = names,
                                  .n = sizeof names / sizeof *names,
                                  .functions = &smi_mhd,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    return smi_lazy_open(&lib, err);
}
