/* byte_source.h - where bytes come from: a descriptor, a member of an archive, what a decoder makes of another source. */
#ifndef SMI_BASE_BYTE_SOURCE_H
#define SMI_BASE_BYTE_SOURCE_H

#include "base/err.h"

#include <stddef.h>
#include <sys/types.h>

enum { SMI_DOUBT = 200 };

struct smi_pull {
    /* Up to n bytes (n > 0) into buf. Returns how many, 0 at the end, -1 with err. */
    ssize_t (*read)(struct smi_pull *self, void *buf, size_t n, struct smi_err *err);
    /* Filled once the end was read, if it is not the end that was meant: "its gzip data ends early: ...". What was
     * read before it counts. UTF-8, a clause without a subject. Empty: all is well. */
    char doubt[SMI_DOUBT];
};

/* A descriptor, read from where it is. */
struct smi_pull_fd {
    struct smi_pull pull;
    int fd;           /* borrowed */
    const char *name; /* borrowed, for messages */
};
struct smi_pull_fd smi_pull_of_fd(int fd, const char *name);

/* Bytes kept from the beginning of a source, to look at before they are read. */
struct smi_ahead {
    struct smi_pull pull;
    struct smi_pull *from;
    char *p; /* `n` bytes, of which `at` were read */
    size_t n, at;
};
/* Takes up to `want` bytes off `from`. Returns 0, or -1 with err; end it with smi_ahead_fini in both cases. */
int smi_ahead_open(struct smi_ahead *a, struct smi_pull *from, size_t want, struct smi_err *err);
void smi_ahead_fini(struct smi_ahead *a);

#endif
