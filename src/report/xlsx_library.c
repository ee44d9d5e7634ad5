#include "report/xlsx_library.h"

#include "base/lazy.h"

struct smi_libxlsx smi_lxw;

int smi_libxlsx_open(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBXLSXWRITER, &smi_lxw, err);
}
