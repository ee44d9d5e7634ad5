#include "base/clock.h"

#include "base/file.h"
#include "base/mem.h"

#include <glob.h>
#include <stdio.h>
#include <unistd.h>

enum { DAY = 86400, FILE_MAX = 1 << 18, HEAD = 44, OFFSET_MAX = 26 * 3600, SLIP = 2, LEVELS = 3 };

#define ROOT "/usr/share/zoneinfo"
static const char *const patterns[LEVELS] = {ROOT "/[A-Z]*", ROOT "/[A-Z]*/[A-Z]*",
                                             ROOT "/[A-Z]*/[A-Z]*/[A-Z]*"};

/* ---- the file ---- */

static int64_t read_big_endian(const char *p, size_t n)
{
    uint64_t v = (unsigned char)*p & 0x80 ? UINT64_MAX : 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | (unsigned char)p[i];
    return (int64_t)v;
}

/* One block of a file: n bytes from p on, its times are `wide` bytes long. */
struct block {
    const char *p;
    size_t times, types, chars, leaps, std, ut, wide;
};

static size_t block_length(const struct block *b)
{
    return b->times * (b->wide + 1) + b->types * 6 + b->chars + b->leaps * (b->wide + 4) + b->std + b->ut;
}

/* The block that begins at p; returns its length with its header, or 0 if the n bytes do not hold it. */
static size_t read_head(struct block *b, const char *p, size_t n, size_t wide)
{
    size_t count[6];
    if (n < HEAD || memcmp(p, "TZif", 4) != 0)
        return 0;
    for (int i = 0; i < 6; i++) {
        int64_t v = read_big_endian(p + 20 + 4 * i, 4);
        if (v < 0 || v > FILE_MAX)
            return 0;
        count[i] = (size_t)v;
    }
    *b = (struct block){p + HEAD, count[3], count[4], count[5], count[2], count[1], count[0], wide};
    return block_length(b) <= n - HEAD ? HEAD + block_length(b) : 0;
}

static int add_change(struct smi_tz *z, int64_t at, int64_t offset_s)
{
    int last = z->n ? z->change[z->n - 1].offset_s : z->before_s;
    if (offset_s < -OFFSET_MAX || offset_s > OFFSET_MAX)
        return -1;
    if (at < 0) { /* stamps begin in 1970 */
        z->before_s = (int)offset_s;
        return 0;
    }
    if (offset_s == last) /* only the name of the time changed */
        return 0;
    if (z->n == SMI_TZ_CHANGES || (z->n && at < z->change[z->n - 1].at + 2 * OFFSET_MAX))
        return -1;
    z->change[z->n].at = at;
    z->change[z->n++].offset_s = (int)offset_s;
    return 0;
}

static int read_changes(struct smi_tz *z, const struct block *b)
{
    const char *which = b->p + b->times * b->wide, *type = which + b->times;
    if (!b->types || b->leaps) /* clocks that count leap seconds */
        return -1;
    z->before_s = z->standard_s = (int)read_big_endian(type, 4);
    for (size_t i = 0; i < b->times; i++) {
        size_t k = (unsigned char)which[i];
        if (k >= b->types ||
            add_change(z, read_big_endian(b->p + i * b->wide, b->wide), read_big_endian(type + 6 * k, 4)))
            return -1;
        if (!type[6 * k + 4])
            z->standard_s = (int)read_big_endian(type + 6 * k, 4);
    }
    return z->before_s < -OFFSET_MAX || z->before_s > OFFSET_MAX ? -1 : 0;
}

/* ---- the rule behind the last change: CET-1CEST,M3.5.0,M10.5.0/3 ---- */

struct day { /* M: month, week, day of the week; J: day 1-365 without 29 February; 0: day 0-365 */
    char kind;
    int month, week, day, at_s;
};

/* Digits at *p, at most `most`; -1 if there are none. */
static int read_digits(const char **p, int most)
{
    int v = 0, n = 0;
    for (; smi_is_digit(**p) && v <= most; ++*p, n++)
        v = v * 10 + (**p - '0');
    return n && v <= most ? v : -1;
}

/* [+-]hh[:mm[:ss]] to seconds. */
static int read_hms(const char **p, int *s)
{
    int sign = **p == '-' ? -1 : 1, unit = 3600, v;
    *p += **p == '-' || **p == '+';
    *s = 0;
    for (int i = 0; i < 3; i++, unit /= 60) {
        if (i && **p != ':')
            break;
        *p += i > 0;
        if ((v = read_digits(p, i ? 59 : 167)) < 0)
            return -1;
        *s += v * unit;
    }
    *s *= sign;
    return 0;
}

static int read_name(const char **p)
{
    const char *from = *p;
    if (**p == '<') {
        *p += strcspn(*p, ">");
        return **p ? (++*p, 0) : -1;
    }
    while ((**p >= 'A' && **p <= 'Z') || (**p >= 'a' && **p <= 'z'))
        ++*p;
    return *p - from >= 3 ? 0 : -1;
}

static int read_day(const char **p, struct day *d)
{
    *d = (struct day){.at_s = 7200};
    if (*(*p)++ != ',')
        return -1;
    if (**p == 'M') {
        ++*p;
        d->kind = 'M';
        d->month = read_digits(p, 12);
        if (d->month < 1 || *(*p)++ != '.' || (d->week = read_digits(p, 5)) < 1 || *(*p)++ != '.' ||
            (d->day = read_digits(p, 6)) < 0)
            return -1;
    } else {
        d->kind = **p == 'J' ? *(*p)++ : '0';
        d->day = read_digits(p, 365);
        if (d->day < (d->kind == 'J'))
            return -1;
    }
    if (**p != '/')
        return 0;
    ++*p;
    return read_hms(p, &d->at_s);
}

/* Seconds since 1970 of its moment in a year, by the wall clock before it. */
static int64_t rule_moment(const struct day *d, int year)
{
    static const uint8_t length[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    int64_t first = smi_clock_days(year, d->kind == 'M' ? d->month : 1, 1), day;
    if (d->kind == 'M') {
        int last = length[d->month - 1] + (leap && d->month == 2);
        day = (d->day - (first + 4) % 7 + 7) % 7 + 7 * (d->week - 1); /* 1970 began on a Thursday */
        while (day >= last)
            day -= 7;
    } else {
        day = d->kind == 'J' ? d->day - 1 + (leap && d->day >= 60) : d->day;
    }
    return (first + day) * DAY + d->at_s;
}

/* Follows the rule from the last change on. An empty footer has no rule. */
static int apply_rule(struct smi_tz *z, const char *rule)
{
    int std, dst, year = 1970;
    struct day to, back;
    if (!*rule)
        return 0;
    if (read_name(&rule) || read_hms(&rule, &std))
        return -1;
    z->standard_s = std = -std; /* POSIX counts to the west */
    if (!*rule)
        return z->n ? 0 : add_change(z, 0, std);
    if (read_name(&rule))
        return -1;
    dst = std + 3600;
    if (*rule != ',') {
        if (read_hms(&rule, &dst))
            return -1;
        dst = -dst;
    }
    if (read_day(&rule, &to) || read_day(&rule, &back) || *rule)
        return -1;
    for (; year < SMI_TZ_YEARS; year++) {
        int64_t a = rule_moment(&to, year) - std, b = rule_moment(&back, year) - dst,
                last = z->n ? z->change[z->n - 1].at : -1;
        if ((a < b ? a : b) > last && add_change(z, a < b ? a : b, a < b ? dst : std))
            return -1;
        if ((a < b ? b : a) > last && add_change(z, a < b ? b : a, a < b ? std : dst))
            return -1;
    }
    return 0;
}

int smi_tz_parse(struct smi_tz *z, const char *bytes, size_t n)
{
    struct block b;
    char rule[SMI_TZ_NAME * 2];
    size_t at = read_head(&b, bytes, n, 4), more;
    const char *end;
    z->n = 0;
    z->name[0] = 0;
    if (!at)
        return -1;
    if (!bytes[4]) /* version 1: times of 4 bytes, no rule */
        return read_changes(z, &b);
    more = read_head(&b, bytes + at, n - at, 8);
    at += more;
    if (!more || read_changes(z, &b) || at >= n || bytes[at] != '\n')
        return -1;
    end = memchr(bytes + at + 1, '\n', n - at - 1);
    if (!end || (size_t)(end - bytes) - at - 1 >= sizeof rule)
        return -1;
    memcpy(rule, bytes + at + 1, (size_t)(end - bytes) - at - 1);
    rule[(size_t)(end - bytes) - at - 1] = 0;
    return apply_rule(z, rule);
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
    char path[sizeof ROOT "/" + SMI_TZ_NAME];
    struct smi_buf file = {0};
    int rc = -1;
    snprintf(path, sizeof path, ROOT "/%.*s", SMI_TZ_NAME, name);
    if (good_name(name) && smi_file_read_all(&file, path, FILE_MAX, &(struct smi_err){0}) == 0)
        rc = smi_tz_parse(z, file.p, file.n);
    smi_buf_fini(&file);
    if (rc)
        return set_unknown_zone(name, err);
    memcpy(z->name, name, strlen(name) + 1);
    return 0;
}
