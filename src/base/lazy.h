/* lazy.h - shared libraries that are opened when they are first needed. Linked, each would be loaded, with all that it
 * needs itself, at every start of the program: ten libraries that most commands never call.
 *
 * A room names the functions that it calls in a .def file, a row SMI_LAZY(name) each, and makes of it a struct of
 * pointers with the types of the library's own header:
 *     struct smi_zip {
 *     #define SMI_LAZY(name) __typeof__(name) *name;
 *     #include "zip/lib.def"
 *     #undef SMI_LAZY
 *     }; */
#ifndef SMI_BASE_LAZY_H
#define SMI_BASE_LAZY_H

#include "base/err.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct smi_lazy {
    const char *name, *soname; /* "libarchive", "libarchive.so.13" */
    const char *const *names;  /* of its functions, n of them */
    size_t n;
    void *functions;           /* a struct of n pointers to functions, in their order */
    pthread_mutex_t lock;      /* PTHREAD_MUTEX_INITIALIZER */
    bool tried;                /* once: it stays open, or closed */
    struct smi_err failed;
};

/* Opens the library and fills the pointers, if that was not done yet. Any thread. Returns 0, or -1 with err SMI_EIO: it is
 * not there, or lacks a function. */
int smi_lazy_open(struct smi_lazy *lib, struct smi_err *err);

#endif
