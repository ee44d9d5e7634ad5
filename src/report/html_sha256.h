/* html_sha256.h - the hash with which a page names its own scripts (FIPS 180-4, CSP level 2). */
#ifndef SMI_REPORT_HTML_SHA256_H
#define SMI_REPORT_HTML_SHA256_H

#include <stddef.h>

enum { SMI_SHA256_TEXT = 45 /* 44 characters of base64 and a NUL */ };

/* The hash of n bytes as base64. */
void smi_sha256_text(char out[SMI_SHA256_TEXT], const void *p, size_t n);

#endif
