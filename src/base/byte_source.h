/* byte_source.h - where bytes come from: a descriptor, a member of an archive, what a decoder makes of
 * another source. */
#ifndef SMI_BASE_BYTE_SOURCE_H
#define SMI_BASE_BYTE_SOURCE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SMI_SOURCE_WARNING = 200 };

struct smi_byte_source {
    /* Up to n bytes (n > 0) into buf. Returns how many, 0 at the end, -1 with err. */
    ssize_t (*read)(struct smi_byte_source *self, void *buf, size_t n, struct smi_err *err);
    /* Filled once the end was read, if it is not the end that was meant: "its gzip data ends early: ...".
     * What was read before it counts. UTF-8, a clause without a subject. Empty: all is well. */
    char doubt[SMI_SOURCE_WARNING];
};

/* A descriptor, read from where it is. */
struct smi_fd_source {
    struct smi_byte_source pull;
    int fd;           /* borrowed */
    const char *name; /* borrowed, for messages */
};
struct smi_fd_source smi_fd_source_make(int fd, const char *name);

/* A source that makes its bytes of those of another, a buffer at a time. */
struct smi_made_source {
    struct smi_byte_source pull;
    struct smi_byte_source *from;
    /* Makes the next bytes: p and n, which is 0 before, and stays it at the end. Returns 0, or -1 with err.
     */
    int (*fill)(struct smi_made_source *self, struct smi_err *err);
    bool small;    /* its buffers are: a read takes as many as it has room for */
    const char *p; /* n bytes, of which `at` were read */
    size_t n, at;
};
void smi_made_source_open(struct smi_made_source *m, struct smi_byte_source *from, bool small,
                          int (*fill)(struct smi_made_source *self, struct smi_err *err));

/* Bytes kept from the beginning of a source, to look at before they are read. */
struct smi_peek_source {
    struct smi_byte_source pull;
    struct smi_byte_source *from;
    char *p; /* `n` bytes, of which `at` were read */
    size_t n, at;
};
/* Takes up to `want` bytes off `from`. Returns 0, or -1 with err; end it with smi_peek_source_fini in both
 * cases. */
int smi_peek_source_open(struct smi_peek_source *a, struct smi_byte_source *from, size_t want,
                         struct smi_err *err);
void smi_peek_source_fini(struct smi_peek_source *a);

#endif
