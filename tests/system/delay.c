/* delay.c - delays what follow asks about files: preloaded, it waits up to 25 ms before and after 8 % of the
 * calls of closedir, statx and clock_gettime(CLOCK_REALTIME_COARSE), so that names change while they are
 * listed. For scripts/dev/nightly.sh delays.
 *
 *   DELAY_SEED  the calls and their delays are drawn from it
 *
 * cc -shared -fPIC -O1 -o delay.so delay.c; Linux with glibc. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PERCENT = 8, MOST_US = 25000 };

static void delay(void)
{
    static uint64_t state;
    if (!state) {
        const char *seed = getenv("DELAY_SEED");
        state = (seed ? strtoull(seed, NULL, 10) : 0) * 2654435761U + 1;
    }
    state = state * 6364136223846793005U + 1442695040888963407U;
    if ((state >> 33) % 100 < PERCENT)
        usleep((useconds_t)((state >> 40) % MOST_US));
}

static void *next(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        abort();
    return f;
}

int closedir(DIR *d)
{
    static int (*real)(DIR *);
    if (!real)
        real = (int (*)(DIR *))next("closedir");
    delay();
    int rc = real(d);
    delay();
    return rc;
}

int statx(int dir, const char *restrict path, int flags, unsigned mask, struct statx *restrict st)
{
    static int (*real)(int, const char *, int, unsigned, struct statx *);
    if (!real)
        real = (int (*)(int, const char *, int, unsigned, struct statx *))next("statx");
    delay();
    int rc = real(dir, path, flags, mask, st);
    delay();
    return rc;
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
    static int (*real)(clockid_t, struct timespec *);
    if (!real)
        real = (int (*)(clockid_t, struct timespec *))next("clock_gettime");
    if (clock == CLOCK_REALTIME_COARSE)
        delay();
    int rc = real(clock, t);
    if (clock == CLOCK_REALTIME_COARSE)
        delay();
    return rc;
}
