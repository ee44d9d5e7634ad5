/* lazy.h - shared libraries that are opened when they are first needed. Linked, libarchive, libcurl,
 * libmicrohttpd and libxlsxwriter bring forty more libraries into every start: 9.1 ms instead
 * of 1.5 ms for smilog --version (CPU time on two cores of 2026). A plugin would be a second file to install
 * and to find, which the static program and users of libsmilog could not have.
 *
 * A .def file here names the functions of a library that are called, a row SMI_LAZY(name) each. The module
 * that calls them makes of it a struct of pointers (to variables, too) with the types of the library's own
 * header, as libarchive.h does. */
#ifndef SMI_BASE_LAZY_H
#define SMI_BASE_LAZY_H

#include "base/err.h"

#include <stddef.h>

struct smi_library {
    const char *name, *soname;   /* "libarchive", "libarchive.so.13" */
    const char *const *function; /* names, n of them */
    size_t n;
};

/* Opens a library and fills functions, a struct of n pointers in this order. Returns 0, or -1 with err
 * SMI_EIO: it is not there, or lacks a function. */
int smi_library_load(const struct smi_library *lib, void *functions, struct smi_err *err);

enum smi_lazy { SMI_LIBARCHIVE, SMI_LIBXLSXWRITER, SMI_LIBMICROHTTPD, SMI_LIBCURL, SMI_LAZY_COUNT };

/* The same of one of these, if that was not done yet: it stays open, or closed. Any thread. */
int smi_lazy_open(enum smi_lazy library, void *functions, struct smi_err *err);

#endif
