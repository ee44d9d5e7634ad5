/* libcurl.h - libcurl, opened when something is sent. */
#ifndef SMI_BASE_LIBCURL_H
#define SMI_BASE_LIBCURL_H

#include "base/err.h"

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

struct smi_libcurl {
#define SMI_LAZY(name) __typeof__(name) *name;
#include "base/libcurl.def"
#undef SMI_LAZY
};
/* Its functions: smi_curl.curl_easy_perform(easy). Written once, by the first smi_curl_open. */
extern struct smi_libcurl smi_curl;

/* Any thread. Returns 0, or -1 with err SMI_EIO where it cannot be had. */
int smi_curl_open(struct smi_err *err);

#endif
