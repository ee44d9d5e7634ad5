#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int smi_err_set(struct smi_err *err, int code, const char *fmt, ...)
{
    va_list ap;
    if (!err || err->code)
        return -1;
    err->code = code;
    va_start(ap, fmt);
    vsnprintf(err->text, sizeof err->text, fmt, ap);
    va_end(ap);
    return -1;
}

int smi_err_nomem(struct smi_err *err)
{
    return smi_err_set(err, SMI_ENOMEM, "out of memory");
}
