/* libmicrohttpd.h - libmicrohttpd, opened when a server is wanted. */
#ifndef SMI_LIVE_LIBMICROHTTPD_H
#define SMI_LIVE_LIBMICROHTTPD_H

#include "base/err.h"

#include <microhttpd.h>

struct smi_libmicrohttpd {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libmicrohttpd.def"
#undef SMI_LAZY
};
/* Its functions: smi_mhd.MHD_run(daemon). Written once, by the first smi_mhd_open. */
extern struct smi_libmicrohttpd smi_mhd;

/* Any thread. Returns 0, or -1 with err SMI_EIO where it cannot be had. */
int smi_mhd_open(struct smi_err *err);

#endif
