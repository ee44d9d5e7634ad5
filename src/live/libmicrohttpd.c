#include "live/libmicrohttpd.h"

#include "base/lazy.h"

struct smi_libmicrohttpd smi_mhd;

int smi_mhd_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBMICROHTTPD, &smi_mhd, err);
}
