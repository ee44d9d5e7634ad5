/* lazy.h - shared libraries that are opened when they are first needed. Linked, libarchive, libcurl,
 * libmicrohttpd and libxlsxwriter bring forty more libraries into every start: 9.1 ms instead
 * of 1.5 ms for smilog --version (CPU time on two cores of 2026). A plugin would be a second file to install
 * and to find, which the static program and users of libsmilog could not have.
 *
 * lazy.def names the functions that are called. The module that calls those of a library makes of them a
 * struct of pointers (to variables, too) with the types of the library's own header, as below. */
#pragma once

#include "base/err.h"

#define CURL_DISABLE_TYPECHECK
#include <archive.h>
#include <archive_entry.h>
#include <curl/curl.h>
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

#define SMI_ARCHIVE(name) __typeof__(name) *name;
/* Its functions: smi_la.archive_read_new(). Written once, by the first smi_libarchive_open. */
extern struct smi_libarchive {
#include "base/lazy.def"
} smi_la;
#define SMI_CURL(name) __typeof__(name) *name;
/* Its functions: smi_curl.curl_easy_perform(easy). Written once, by the first smi_curl_open. */
extern struct smi_libcurl {
#include "base/lazy.def"
} smi_curl;

/* Any thread. Return 0, or -1 with err SMI_EIO where the library cannot be had. */
int smi_libarchive_open(struct smi_err *err);
int smi_curl_open(struct smi_err *err);
