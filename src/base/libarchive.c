#include "base/libarchive.h"

#include "base/lazy.h"

struct smi_libarchive smi_la;

int smi_libarchive_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBARCHIVE, &smi_la, err);
}
