/* clock.c - time stamps, and time zones by name. */
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/version.h"

#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { DAY = 86400, ZONE_MAX = 18 * 3600 };

/* Every 400 years have CYCLE days; EPOCH of them lie between March of the year 0 and 1970. */
enum { CYCLE = 146097, EPOCH = 719468 };

/* Days since 1970, for years 0 to 9999. A year that begins in March has its leap day at the end, so its
 * months begin at fixed days. */
static int32_t days_of(uint32_t year, uint32_t month, uint32_t day)
{
    static const uint16_t begins[13] = {0, 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275};
    uint32_t y = year + 400 - (month <= 2), century = y / 100;
    return (int32_t)(y * 365 + y / 4 - century + century / 4 + begins[month] + day) - (CYCLE + EPOCH + 1);
}

/* Two digits; bad becomes non-zero if they are none. No branch: one look at bad at the end is enough. */
static unsigned read_two_digits(const char *p, unsigned *bad)
{
    unsigned a = (unsigned)(unsigned char)p[0] - '0', b = (unsigned)(unsigned char)p[1] - '0';
    *bad |= (unsigned)(a > 9) | (unsigned)(b > 9);
    return a * 10 + b;
}

int64_t smi_clock_date(unsigned year, unsigned month, unsigned day)
{
    static const uint8_t length[13] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (year < 1970 || year > 9999 || month - 1 > 11 || day - 1 >= length[month])
        return -1;
    if (month == 2 && day == 29 && (year % 4 || (year % 100 == 0 && year % 400)))
        return -1;
    return days_of(year, month, day);
}

/* Eight bytes, spelt as `like`, where 0 is any digit ("00:00:00"): byte k is the number that the two digits
 * at p[k] are. bad becomes non-zero if they are spelt otherwise. */
static inline uint64_t read_pairs(const char *p, const char *like, uint64_t *bad)
{
    const uint64_t high = SMI_EVERY_BYTE(0x80), low = ~high, model = smi_text_word8(like);
    const uint64_t fixed = ((model ^ SMI_EVERY_BYTE('0')) + low) & high; /* where like has no digit */
    const uint64_t x = smi_text_word8(p) ^ model;
    *bad |= (x | (x + low - 9 * ((fixed ^ high) >> 7))) & high; /* a digit: above 9; else: above 0 */
    return x * 10 + (x >> 8);
}

static inline unsigned pair_at(uint64_t pairs, unsigned place)
{
    return pairs >> place * 8 & 0xFF;
}

/* "HH:MM:SS" to seconds. */
static unsigned read_hms(const char *p, uint64_t *bad)
{
    const uint64_t t = read_pairs(p, "00:00:00", bad);
    const unsigned h = pair_at(t, 0), m = pair_at(t, 3), s = pair_at(t, 6);
    *bad |= (unsigned)(h > 23) | (unsigned)(m > 59) | (unsigned)(s > 60);
    return h * 3600 + m * 60 + s;
}

/* "YYYY/MM/DD HH:MM:SS", 19 bytes, to seconds since 1970, or -1. */
static int64_t read_date_time(const char *p)
{
    unsigned odd = 0;
    uint64_t bad = (unsigned)(p[10] != ' ' && p[10] != 'T');
    const uint64_t date = read_pairs(p, p[4] == '/' ? "0000/00/" : "0000-00-", &bad);
    const unsigned day = read_two_digits(p + 8, &odd), s = read_hms(p + 11, &bad);
    int64_t days;
    if (bad | odd)
        return -1;
    days = smi_clock_date(pair_at(date, 0) * 100 + pair_at(date, 2), pair_at(date, 5), day);
    return days < 0 ? -1 : days * DAY + s;
}

/* ".fff" at p: its length, 0 if there is no point, or -1 if no digit follows it. *us: cut to microseconds. */
static int64_t read_fraction(const char *p, size_t n, int64_t *us)
{
    enum { DIGITS = 6 };
    const size_t most = n < DIGITS + 1 ? n : DIGITS + 1;
    size_t i, digits;
    int64_t v = 0;
    *us = 0;
    if (n == 0 || *p != '.')
        return 0;
    for (i = 1; i < most && smi_is_digit(p[i]); i++)
        v = v * 10 + (p[i] - '0');
    digits = i - 1;
    while (i < n && smi_is_digit(p[i]))
        i++;
    *us = v * smi_decimal_units[digits];
    return i > 1 ? (int64_t)i : -1;
}

/* A stamp at the beginning of t: its length, or -1. */
static int64_t read_stamp(struct smi_text t, int64_t *us, bool *fine)
{
    int64_t s, part, length;
    if (t.n < 19 || (s = read_date_time(t.p)) < 0)
        return -1;
    length = read_fraction(t.p + 19, t.n - 19, &part);
    if (length < 0)
        return -1;
    *us = s * 1000000 + part;
    *fine = length > 0;
    return 19 + length;
}

int smi_clock_parse_stamp(struct smi_text t, int64_t *us, bool *fine)
{
    return read_stamp(t, us, fine) == (int64_t)t.n ? 0 : -1;
}

/* "+HH:MM" or "+HHMM" to seconds. */
static int read_utc_offset(const char *p, size_t n, int *s)
{
    unsigned bad = 0, h, m;
    if ((n != 5 && n != 6) || (p[0] != '+' && p[0] != '-') || (n == 6 && p[3] != ':'))
        return -1;
    h = read_two_digits(p + 1, &bad);
    m = read_two_digits(p + n - 2, &bad);
    if (bad || m > 59 || h * 3600 + m * 60 > ZONE_MAX)
        return -1;
    *s = (int)(h * 3600 + m * 60);
    if (p[0] == '-')
        *s = -*s;
    return 0;
}

int smi_clock_parse_iso(struct smi_text t, int64_t *us, bool *fine, bool *zoned)
{
    int64_t n = read_stamp(t, us, fine);
    int s = 0;
    if (n < 0)
        return -1;
    t.p += n;
    t.n -= (size_t)n;
    *zoned = t.n > 0;
    if (t.n > 0 && !smi_text_is(t, "+00:00") && !smi_text_is(t, "Z") && read_utc_offset(t.p, t.n, &s) != 0)
        return -1;
    *us -= (int64_t)s * 1000000;
    return 0;
}

int smi_clock_parse_date8(struct smi_text t, int64_t *ms)
{
    uint64_t bad = t.n != 8, date = bad ? 0 : read_pairs(t.p, "00000000", &bad);
    const int64_t days =
        smi_clock_date(pair_at(date, 0) * 100 + pair_at(date, 2), pair_at(date, 4), pair_at(date, 6));
    if (bad || days < 0)
        return -1;
    *ms = days * DAY * 1000;
    return 0;
}

int smi_clock_parse_hms(struct smi_text t, int64_t *ms)
{
    uint64_t bad = t.n != 8;
    const unsigned s = bad ? 0 : read_hms(t.p, &bad);
    if (bad)
        return -1;
    *ms = (int64_t)s * 1000;
    return 0;
}

int smi_clock_parse_zone(struct smi_text t, int *offset_s)
{
    if (smi_text_is(t, "UTC") || smi_text_is(t, "GMT") || smi_text_is(t, "Z")) {
        *offset_s = 0;
        return 0;
    }
    if (t.n == 2) /* +2 */
        return read_utc_offset((char[]){t.p[0], '0', t.p[1], '0', '0'}, 5, offset_s);
    if (t.n == 3) /* +02 */
        return read_utc_offset((char[]){t.p[0], t.p[1], t.p[2], '0', '0'}, 5, offset_s);
    if (t.n == 5 && t.p[2] == ':') /* -9:30 */
        return read_utc_offset((char[]){t.p[0], '0', t.p[1], t.p[3], t.p[4]}, 5, offset_s);
    return read_utc_offset(t.p, t.n, offset_s);
}

size_t smi_clock_write(char *buf, int64_t ms, bool zulu)
{
    const int64_t rest = ms % (DAY * 1000), z = ms / (DAY * 1000) - (rest < 0) + EPOCH,
                  cycle = (z >= 0 ? z : z - CYCLE + 1) / CYCLE;
    const unsigned left = (unsigned)(rest < 0 ? rest + DAY * 1000 : rest), s = left / 1000;
    unsigned day = (unsigned)(z - cycle * CYCLE); /* of the 400 years */
    unsigned y = (day - day / 1460 + day / 36524 - day / 146096) / 365, month;
    day -= 365 * y + y / 4 - y / 100; /* of the year that began in March */
    month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "%04lld-%02u-%02uT%02u:%02u:%02u.%03u%s",
                            (long long)(cycle * 400 + y + (month <= 2)), month, day + 1, s / 3600,
                            s / 60 % 60, s % 60, left % 1000, zulu ? "Z" : "");
}

size_t smi_clock_write_zone(char *buf, int offset_s)
{
    unsigned s = offset_s < 0 ? 0u - (unsigned)offset_s : (unsigned)offset_s;
    const char *shape = s % 60 ? "%c%02u:%02u:%02u" : "%c%02u:%02u"; /* old zones have seconds */
    char sign = offset_s < 0 ? '-' : '+';
    return (size_t)snprintf(buf, SMI_CLOCK_TEXT, shape, sign, s / 3600, s / 60 % 60, s % 60);
}

size_t smi_clock_write_span(char *buf, int64_t ms)
{
    int64_t s = ms / 1000 + (ms % 1000 >= 500), m = (s + 30) / 60, h = (m + 30) / 60;
    size_t n;
    if (ms < 0)
        return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "-");
    if (ms < 9950) {
        n = smi_text_write_fixed(buf, (smi_i128)ms * 1000, 1);
        buf[n++] = 's';
        buf[n] = 0;
        return n;
    }
    if (s < 60)
        return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "%ds", (int)s);
    if (s < 3600)
        return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "%dm%02ds", (int)(s / 60), (int)(s % 60));
    if (m < 24 * 60)
        return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "%dh%02dm", (int)(m / 60), (int)(m % 60));
    return (size_t)snprintf(buf, SMI_CLOCK_TEXT, "%lldd%02dh", (long long)(h / 24), (int)(h % 24));
}

int64_t smi_clock_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t smi_clock_utc_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool smi_clock_fits(int64_t ms, int64_t *latest)
{
    if (ms > *latest) { /* the clock of a machine may not be set */
        int64_t now = smi_clock_utc_ms(), made_us = 0;
        bool fine;
        smi_clock_parse_stamp(smi_text_of(SMILOG_DATE " 00:00:00"), &made_us, &fine);
        *latest = (now > made_us / 1000 ? now : made_us / 1000) + (int64_t)DAY * 1000;
    }
    return ms >= INT64_C(631152000000) /* 1990 */ && ms <= *latest;
}

/* ---- time zones by name ---- */

enum { FILE_MAX = 1 << 18, SLIP = 2, LEVELS = 3 };

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
            if (read_offset(z, middle) == last)
                before = middle;
            else
                at = middle;
        }
        if (next == last) /* perhaps only the name of the time changed */
            continue;
        z->change[z->n].at = at;
        z->change[z->n++].offset_s = last = next;
    }
}

/* Reads z from the zone file at path, one thread after another. TZ is as it was when this returns. */
static void ask_libc(struct smi_tz *z, const char *path)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    const char *old = getenv("TZ");
    char *before = old ? smi_mem_text(old, strlen(old)) : NULL;
    if (setenv("TZ", path, 1))
        smi_mem_exhausted();
    tzset();
    find_changes(z);
    if (before ? setenv("TZ", before, 1) : unsetenv("TZ"))
        smi_mem_exhausted();
    tzset();
    pthread_mutex_unlock(&lock);
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
    return (struct smi_tz_local){.from = lo ? change_edge(z, lo - 1, true) : INT64_MIN,
                                 .to = lo < z->n ? change_edge(z, lo, false) : INT64_MAX,
                                 .offset_s = offset_before(z, lo),
                                 .second_s = offset_before(z, lo)};
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

/* Names the zone that was perhaps meant: the nearest one, or that of its last word. */
static int set_unknown_zone(const char *name, struct smi_err *err)
{
    char best[SMI_TZ_NAME] = "";
    int least = SLIP + 1;
    glob_t found = {0};
    if (access(ROOT, R_OK) != 0)
        return smi_err_set(
            err, SMI_EUSAGE,
            "--tz %.60s: names of zones need the package tzdata; an offset such as +02:00 does not", name);
    /* a name has at most three words, and no slash at its end, as a folder has; "posix" and "right" have
     * copies, and the tables are written small */
    for (int flags = GLOB_MARK, i = 0; i < LEVELS; i++, flags |= GLOB_APPEND)
        glob(patterns[i], flags, NULL, &found);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *zone = found.gl_pathv[i] + sizeof ROOT, *slash = strrchr(zone, '/');
        const int far = smi_text_is_nocase(smi_text_of(name), zone) ? 0
                        : slash && smi_text_is_nocase(smi_text_of(name), slash + 1)
                            ? 1
                            : smi_text_distance(name, zone, SLIP + 1);
        if (good_name(zone) && (far < least || (far == least && far <= SLIP && strcmp(zone, best) < 0))) {
            least = far;
            smi_text_copy(best, sizeof best, smi_text_of(zone));
        }
    }
    globfree(&found);
    return *best ? smi_err_set(err, SMI_EUSAGE, "--tz: there is no zone \"%.60s\"; did you mean %s?", name,
                               best)
                 : smi_err_set(err, SMI_EUSAGE,
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
