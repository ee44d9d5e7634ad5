/* xlsx_library.h - libxlsxwriter, opened when the first workbook is made. */
#ifndef SMI_REPORT_XLSX_LIBRARY_H
#define SMI_REPORT_XLSX_LIBRARY_H

#include "base/err.h"

#include <xlsxwriter.h>

struct smi_libxlsx {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libxlsxwriter.def"
#undef SMI_LAZY
};
/* Its functions: smi_lxw.workbook_new_opt(). Written once, by the first smi_libxlsx_open. */
extern struct smi_libxlsx smi_lxw;

/* Any thread. Returns 0, or -1 with err SMI_EIO where it cannot be had. */
int smi_libxlsx_open(struct smi_err *err);

#endif
