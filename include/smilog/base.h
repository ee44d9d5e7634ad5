/* base.h - what all headers of libsmilog share: the error value, the version, memory.
 *
 * The library keeps no global state, never prints and never exits, with one exception: if memory is
 * exhausted, it prints one line to standard error and ends the process with status 4. smilog_on_memory
 * changes what comes first. Files that were being written keep their old content. Everything that begins with
 * smilog_ or SMILOG_ in these headers is its interface; all structs but those that are written out here are
 * opaque. Objects may be used from any thread, but each from one at a time. */
#ifndef SMILOG_BASE_H
#define SMILOG_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SMI_API __attribute__((visibility("default")))
#else
#define SMI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum smilog_code {
    SMILOG_OK = 0,
    SMILOG_EIO,        /* the operating system refused: text names the path and the reason */
    SMILOG_ELIMIT = 3, /* a limit was passed; text names it */
    SMILOG_EUSAGE,     /* the caller asked for something that does not exist; text names what may be meant */
    SMILOG_EFORMAT     /* the bytes are not what they have to be */
};

/* What went wrong. Zero-initialise it. A call that fails fills it, unless it holds an error already: the
 * first wins. NULL may be passed instead. */
struct smilog_error {
    int code;       /* a smilog_code; 0 while nothing has gone wrong */
    char text[480]; /* one sentence in UTF-8 */
};

/* The version of the library, as MAJOR.MINOR.PATCH. */
SMI_API const char *smilog_version(void);
/* fn is called if memory is exhausted, from the thread that asked for it, before the process ends. It may end
 * the process in another way (longjmp out of the library is not allowed); it must not allocate or call the
 * library. NULL: nothing is called. One function for the whole process. */
SMI_API void smilog_on_memory(void (*fn)(void));
/* Frees text that a function of the library has made for the caller. p may be NULL. */
SMI_API void smilog_free(void *p);

#ifdef __cplusplus
}
#endif

#endif
