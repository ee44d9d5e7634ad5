#include "base/clock.h"

#include "base/file.h"
#include "base/mem.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400, FILE_MAX = 1 << 18, SLIP = 2, LEVELS = 3 };

#define ROOT "/usr/share/zoneinfo"
static const char *const patterns[LEVELS] = {ROOT "/[A-Z]*", ROOT "/[A-Z]*/[A-Z]*",
                                             ROOT "/[A-Z]*/[A-Z]*/[A-Z]*"};

/* ---- the C library knows the zone of TZ: it is asked for the offset at one moment after another ---- */

/* No zone has two changes within STEP: the closest of all were a week apart. Stamps begin in 1970. */
enum { STEP = 4 * DAY };
static const int64_t first_s = -1, end_s = (int64_t)(SMI_TZ_YEARS - 1970) * 36525 / 100 * DAY;

static int read_offset(struct smi_tz *z, int64_t at)
{
    const time_t t = (time_t)at;
    struct tm local = {0};
    localtime_r(&t, &local);
    if (!local.tm_isdst)
        z->standard_s = (int)local.tm_gmtoff;
    return (int)local.tm_gmtoff;
}

static void find_changes(struct smi_tz *z)
{
    int last = z->before_s = read_offset(z, first_s);
    z->n = 0;
    for (int64_t t = first_s; t < end_s && z->n < SMI_TZ_CHANGES; t += STEP) {
        const int next = read_offset(z, t + STEP);
        int64_t before = t, at = t + STEP;
        while (next != last && at - before > 1) {
            const int64_t middle = before + (at - before) / 2;
            *(read_offset(z, middle) == last ? &before : &at) = middle;
        }
        if (next == last) /* perhaps only the name of the time changed */
            continue;
        z->change[z->n].at = at;
        z->change[z->n++].offset_s = last = next;
    }
}

/* Reads z from the zone file at path. TZ is as it was when this returns. */
static void ask_libc(struct smi_tz *z, const char *path)
{
    const char *old = getenv("TZ");
    char *before = old ? smi_mem_text(old, strlen(old)) : NULL;
    if (setenv("TZ", path, 1))
        smi_mem_exhausted();
    tzset();
    find_changes(z);
    if (before ? setenv("TZ", before, 1) : unsetenv("TZ"))
        smi_mem_exhausted();
    tzset();
    smi_mem_free(before);
}

/* ---- local time ---- */

static int offset_before(const struct smi_tz *z, unsigned i)
{
    return i ? z->change[i - 1].offset_s : z->before_s;
}

/* Where local time begins, and where it ends, to be read in another way because of change i. */
static int64_t change_edge(const struct smi_tz *z, unsigned i, bool second)
{
    int a = offset_before(z, i), b = z->change[i].offset_s;
    return z->change[i].at + ((a < b) == second ? b : a);
}

struct smi_tz_local smi_tz_at(const struct smi_tz *z, int64_t local_s)
{
    unsigned lo = 0, hi = z->n;
    struct smi_tz_local out;
    while (lo < hi) { /* how many changes have begun: they are further apart than any offset is long */
        unsigned mid = lo + (hi - lo) / 2;
        if (change_edge(z, mid, false) <= local_s)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo && local_s < change_edge(z, lo - 1, true)) {
        int a = offset_before(z, lo - 1), b = z->change[lo - 1].offset_s;
        return (struct smi_tz_local){change_edge(z, lo - 1, false), change_edge(z, lo - 1, true), a,
                                     b < a ? b : a, b > a};
    }
    out.from = lo ? change_edge(z, lo - 1, true) : INT64_MIN;
    out.to = lo < z->n ? change_edge(z, lo, false) : INT64_MAX;
    out.offset_s = out.second_s = offset_before(z, lo);
    out.skipped = false;
    return out;
}

/* ---- names ---- */

/* Words between slashes, none of them beginning with a dot: nothing outside the folder can be named. */
static bool good_name(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || n >= SMI_TZ_NAME)
        return false;
    for (size_t i = 0; i < n; i++) {
        char c = name[i];
        bool word = smi_is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                    c == '+' || c == '-';
        if (!word && (c != '/' || i == 0 || i + 1 == n || name[i - 1] == '/'))
            return false;
    }
    return true;
}

struct guess {
    const char *word;
    int least;
    char best[SMI_TZ_NAME];
};

static void consider_name(struct guess *g, const char *name)
{
    const char *slash = strrchr(name, '/');
    int d = smi_text_is_nocase(smi_text_of(g->word), name) ? 0
            : slash && smi_text_is_nocase(smi_text_of(g->word), slash + 1)
                ? 1
                : smi_text_distance(g->word, name, SLIP + 1);
    if (d < g->least || (d == g->least && d <= SLIP && strcmp(name, g->best) < 0)) {
        g->least = d;
        snprintf(g->best, sizeof g->best, "%s", name);
    }
}

/* All names of the folder: a name has at most three words, and no slash at its end, as a folder has. */
static void search_names(struct guess *g)
{
    glob_t found = {0};
    /* "posix" and "right" have copies, and the tables are written small */
    for (int flags = GLOB_MARK, i = 0; i < LEVELS; i++, flags |= GLOB_APPEND)
        glob(patterns[i], flags, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++)
        if (good_name(found.gl_pathv[i] + sizeof ROOT))
            consider_name(g, found.gl_pathv[i] + sizeof ROOT);
    globfree(&found);
}

static int set_unknown_zone(const char *name, struct smi_err *err)
{
    struct guess g = {.word = name, .least = SLIP + 1};
    if (access(ROOT, R_OK) != 0)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--tz %.60s: names of zones need the package tzdata; an offset such as +02:00 does not", name);
    search_names(&g);
    if (*g.best)
        return smi_err_set(err, SMI_EUSAGE, "--tz: there is no zone \"%.60s\"; did you mean %s?", name,
                           g.best);
    return smi_err_set(err, SMI_EUSAGE,
                       "--tz needs a zone such as Europe/Berlin, UTC or +02:00, not \"%.60s\"", name);
}

int smi_tz_load(struct smi_tz *z, const char *name, struct smi_err *err)
{
    static const char magic[] = "TZif", leaps[] = "right/"; /* clocks that count leap seconds */
    char path[sizeof ROOT "/" + SMI_TZ_NAME];
    struct smi_buf file = {0};
    snprintf(path, sizeof path, ROOT "/%.*s", SMI_TZ_NAME, name);
    const bool there = good_name(name) && strncmp(name, leaps, strlen(leaps)) != 0 &&
                       smi_file_read_all(&file, path, FILE_MAX, &(struct smi_err){0}) == 0 &&
                       file.n > strlen(magic) && memcmp(file.p, magic, strlen(magic)) == 0;
    smi_buf_fini(&file);
    if (!there)
        return set_unknown_zone(name, err);
    ask_libc(z, path);
    memcpy(z->name, name, strlen(name) + 1);
    return 0;
}
