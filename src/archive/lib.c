#include "archive/lib.h"

#include "base/lazy.h"

struct smi_libarchive smi_la;

static const char *const names[] = {
#define SMI_LAZY(name) #name,
#include "archive/lib.def"
#undef SMI_LAZY
};

int smi_libarchive_open(struct smi_err *err)
{
    static struct smi_lazy lib = {.name = "libarchive",
                                  .soname = SMI_SONAME,
                                  .names = names,
                                  .n = sizeof names / sizeof *names,
                                  .functions = &smi_la,
                                  .lock = PTHREAD_MUTEX_INITIALIZER};
    return smi_lazy_open(&lib, err);
}
