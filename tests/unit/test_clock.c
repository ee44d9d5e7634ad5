/* clock: against the C library's calendar, which shares no code with ours. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ROUNDS = 100000 };

#define YEARS_200 ((int64_t)6311390400) /* seconds from 1970 to 2170 */

static uint64_t state = 88172645463325252u;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Du;
}

/* The text of a second, from the C library. sep: between date parts; mid: between date and time. */
static size_t libc_text(char *t, int64_t s, char sep, char mid)
{
    struct tm tm;
    time_t when = (time_t)s;
    assert_non_null(gmtime_r(&when, &tm));
    return (size_t)sprintf(t, "%04d%c%02d%c%02d%c%02d:%02d:%02d", tm.tm_year + 1900, sep, tm.tm_mon + 1, sep,
                           tm.tm_mday, mid, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Exactly n bytes on the heap: the sanitizer sees any read behind them. */
static int read_stamp(const char *p, size_t n, int64_t *us, bool *fine)
{
    char *exact = malloc(n ? n : 1);
    int ret;
    assert_non_null(exact);
    if (n)
        memcpy(exact, p, n);
    ret = smi_clock_parse_stamp((struct smi_text){exact, n}, us, fine);
    free(exact);
    return ret;
}

static void days_equal_the_calendar(void **unused)
{
    int64_t last = smi_clock_date(9999, 12, 31);
    (void)unused;
    assert_int_equal(last, 2932896);
    for (int64_t day = 0; day <= last; day++) {
        time_t when = (time_t)(day * 86400);
        struct tm tm;
        assert_non_null(gmtime_r(&when, &tm));
        assert_true(smi_clock_date((unsigned)tm.tm_year + 1900, (unsigned)tm.tm_mon + 1,
                                   (unsigned)tm.tm_mday) == day);
    }
}

static void stamps_of_200_years(void **unused)
{
    char t[64];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t s = (int64_t)(random64() % (uint64_t)YEARS_200), us = -1,
                part = (int64_t)(random64() % 1000000);
        size_t n = libc_text(t, s, "/-"[random64() & 1], " T"[random64() & 1]);
        int digits = (int)(random64() % 10), cut = 1000000;
        bool fine = digits == 0;
        if (digits) { /* the last digits repeat part, so that cutting and not rounding is seen */
            n += (size_t)sprintf(t + n, ".%06d%06d", (int)part, 999999);
            n -= (size_t)(12 - digits);
        }
        for (int k = 0; k < digits && k < 6; k++)
            cut /= 10;
        assert_int_equal(read_stamp(t, n, &us, &fine), 0);
        assert_true(us == s * 1000000 + (digits ? part / cut * cut : 0));
        assert_true(fine == (digits > 0));
    }
}

static void written_stamps_read_back(void **unused)
{
    char t[SMI_CLOCK_TEXT], want[64];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t ms = (int64_t)(random64() % (uint64_t)(YEARS_200 * 1000)), us;
        bool fine, zoned;
        size_t n = smi_clock_write(t, ms, false), m = libc_text(want, ms / 1000, '-', 'T');
        sprintf(want + m, ".%03d", (int)(ms % 1000));
        assert_int_equal(n, 23);
        assert_string_equal(t, want);
        assert_int_equal(read_stamp(t, n, &us, &fine), 0);
        assert_true(us == ms * 1000 && fine);
        assert_int_equal(smi_clock_write(t, ms, true), 24);
        assert_int_equal(smi_clock_parse_iso(smi_text_of(t), &us, &fine, &zoned), 0);
        assert_true(us == ms * 1000 && fine && zoned && t[23] == 'Z');
    }
}

static void far_times_are_written(void **unused)
{
    char t[SMI_CLOCK_TEXT];
    (void)unused;
    smi_clock_write(t, -1, true);
    assert_string_equal(t, "1969-12-31T23:59:59.999Z");
    smi_clock_write(t, -62135596800000, false);
    assert_string_equal(t, "0001-01-01T00:00:00.000");
    smi_clock_write(t, 253402300799999, false);
    assert_string_equal(t, "9999-12-31T23:59:59.999");
    smi_clock_write(t, INT64_MAX, true);
    assert_string_equal(t, "292278994-08-17T07:12:55.807Z");
    assert_true(smi_clock_write(t, INT64_MIN, true) == strlen(t));
    for (int64_t day = -800000; day < 2932897; day += 7) {
        char want[64];
        libc_text(want, day * 86400 + 3723, '-', 'T');
        smi_clock_write(t, (day * 86400 + 3723) * 1000, false);
        assert_memory_equal(t, want, strlen(want));
    }
}

/* A stamp may end after the seconds or after any decimal; every other prefix is none. */
static void prefixes_are_refused(void **unused)
{
    char t[64];
    (void)unused;
    for (int i = 0; i < 2000; i++) {
        int64_t s = (int64_t)(random64() % (uint64_t)YEARS_200), us;
        size_t n = libc_text(t, s, "/-"[random64() & 1], " T"[random64() & 1]);
        bool fine;
        n += (size_t)sprintf(t + n, ".%03d", (int)(random64() % 1000));
        for (size_t k = 0; k <= n; k++)
            assert_int_equal(read_stamp(t, k, &us, &fine), k < 19 || k == 20 ? -1 : 0);
        t[n] = ' ';
        assert_int_equal(read_stamp(t, n + 1, &us, &fine), -1);
        t[n] = 'Z';
        assert_int_equal(read_stamp(t, n + 1, &us, &fine), -1);
    }
}

/* The definition: the shape byte by byte, then the C library has to give the same date back. */
static bool slow_stamp(const char *t, size_t n, int64_t *us)
{
    static const char shape[] = "dddd/dd/ddTdd:dd:dd.";
    struct tm tm = {0}, back;
    time_t when;
    int unit = 100000, leap;
    for (size_t i = 0; i < n; i++) {
        char want = i < 20 ? shape[i] : 'd';
        if (want == 'd' ? t[i] < '0' || t[i] > '9' : 0)
            return false;
        if ((want == ':' || want == '.') && t[i] != want)
            return false;
        if (want == '/' && (t[i] != t[4] || (t[i] != '/' && t[i] != '-')))
            return false;
        if (want == 'T' && t[i] != 'T' && t[i] != ' ')
            return false;
    }
#define TWO(i) ((t[i] - '0') * 10 + t[(i) + 1] - '0')
    tm.tm_year = TWO(0) * 100 + TWO(2) - 1900;
    tm.tm_mon = TWO(5) - 1;
    tm.tm_mday = TWO(8);
    tm.tm_hour = TWO(11);
    tm.tm_min = TWO(14);
    tm.tm_sec = TWO(17);
#undef TWO
    leap = tm.tm_sec == 60;
    tm.tm_sec -= leap;
    back = tm;
    when = timegm(&back);
    if (tm.tm_year < 70 || back.tm_year != tm.tm_year || back.tm_mon != tm.tm_mon ||
        back.tm_mday != tm.tm_mday || back.tm_hour != tm.tm_hour || back.tm_min != tm.tm_min ||
        back.tm_sec != tm.tm_sec)
        return false;
    *us = ((int64_t)when + leap) * 1000000;
    for (size_t i = 20; i < n; i++, unit /= 10)
        *us += (t[i] - '0') * unit;
    return true;
}

static void compare_stamp(const char *t, size_t n)
{
    int64_t want = -1, got = -1;
    bool fine, ok = slow_stamp(t, n, &want);
    if ((read_stamp(t, n, &got, &fine) == 0) != ok || (ok && got != want))
        fail_msg("\"%.*s\"", (int)n, t);
}

static void every_changed_byte(void **unused)
{
    static const char *const from[] = {"2026/07/03 22:10:46.109", "2024-02-29T23:59:59.9",
                                       "1999/12/31 00:00:00.123456", "2000-02-29 19:09:59.999",
                                       "2100/02/28T12:30:30.000"};
    char t[32];
    (void)unused;
    for (size_t k = 0; k < sizeof from / sizeof *from; k++)
        for (size_t i = 0, n = strlen(from[k]); i < n; i++)
            for (int c = 0; c < 256; c++) {
                memcpy(t, from[k], n);
                t[i] = (char)c;
                compare_stamp(t, n);
            }
    for (int i = 0; i < 3 * ROUNDS; i++) { /* any digits: most are no date */
        int n =
            sprintf(t, "%04u/%02u/%02u %02u:%02u:%02u.%03u", 1960 + (unsigned)(random64() % 200),
                    (unsigned)(random64() % 14), (unsigned)(random64() % 33), (unsigned)(random64() % 26),
                    (unsigned)(random64() % 62), (unsigned)(random64() % 63), (unsigned)(random64() % 1000));
        compare_stamp(t, (size_t)n);
    }
}

static void leap_second(void **unused)
{
    int64_t us;
    bool fine;
    (void)unused;
    assert_int_equal(read_stamp("2016/12/31 23:59:60.500", 23, &us, &fine), 0);
    assert_true(us == 1483228800500000);
    assert_int_equal(read_stamp("2016/12/31 23:59:61.500", 23, &us, &fine), -1);
}

static void iso_zones(void **unused)
{
    char t[80];
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t s = (int64_t)(random64() % (uint64_t)YEARS_200), us;
        int off = (int)(random64() % 2161) - 1080, size = abs(off), kind = (int)(random64() % 4);
        size_t n = libc_text(t, s, "/-"[random64() & 1], " T"[random64() & 1]);
        bool fine, zoned;
        if (random64() & 1)
            n += (size_t)sprintf(t + n, ".25");
        if (kind == 0)
            off = 0;
        else if (kind == 1)
            off = 0 * sprintf(t + n, "Z");
        else
            sprintf(t + n, kind == 2 ? "%c%02d:%02d" : "%c%02d%02d", off < 0 ? '-' : '+', size / 60,
                    size % 60);
        assert_int_equal(smi_clock_parse_iso(smi_text_of(t), &us, &fine, &zoned), 0);
        assert_true(us == (s - off * 60) * 1000000 + (fine ? 250000 : 0));
        assert_true(zoned == (kind != 0) && fine == (t[19] == '.'));
    }
}

static void no_iso_zone(void **unused)
{
    static const char *const bad[] = {"z",      "ZZ",      "+",      "+2",     "+02",    "+020",   "+02:0",
                                      "+02:60", "+18:01",  "+99:00", "02:00",  "+02-00", "+0200 ", " +0200",
                                      " Z",     "+02:000", "UTC",    "+-2:00", "."};
    char t[64];
    int64_t us;
    bool fine, zoned;
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        sprintf(t, "2026-07-03T22:10:46%s", bad[i]);
        assert_int_equal(smi_clock_parse_iso(smi_text_of(t), &us, &fine, &zoned), -1);
    }
}

static void zones_round_trip(void **unused)
{
    char t[SMI_CLOCK_TEXT];
    int off;
    (void)unused;
    for (int m = -1080; m <= 1080; m++) {
        size_t n = smi_clock_write_zone(t, m * 60);
        assert_int_equal(n, 6);
        assert_int_equal(smi_clock_parse_zone(smi_text_of(t), &off), 0);
        assert_int_equal(off, m * 60);
        memmove(t + 3, t + 4, 3); /* without the colon */
        assert_int_equal(smi_clock_parse_zone(smi_text_of(t), &off), 0);
        assert_int_equal(off, m * 60);
    }
}

static void zones_known(void **unused)
{
    static const struct {
        const char *t;
        int off;
    } known[] = {{"UTC", 0}, {"Z", 0}, {"+02:00", 7200}, {"-0930", -34200}, {"+2", 7200}, {"-11", -39600}};
    static const char *const bad[] = {"",     "+",    "2",      "+19", "+1801",
                                      "+2:",  "+2:3", "+02:60", "++2", "Europe/Paris",
                                      "UTC ", "+-2",  "+a",     "+930"};
    int off;
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_int_equal(smi_clock_parse_zone(smi_text_of(known[i].t), &off), 0);
        assert_int_equal(off, known[i].off);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(smi_clock_parse_zone(smi_text_of(bad[i]), &off), -1);
}

static void dates_and_times_of_dmon(void **unused)
{
    char t[64];
    int64_t ms;
    (void)unused;
    for (unsigned v = 0; v < 100000000; v += 1 + (unsigned)(random64() % 300)) {
        int64_t us = 0;
        int n = sprintf(t, "%04u/%02u/%02u 00:00:00", v / 10000, v / 100 % 100, v % 100);
        bool ok = slow_stamp(t, (size_t)n, &us);
        sprintf(t, "%08u", v);
        assert_int_equal(smi_clock_parse_date8(smi_text_of(t), &ms), ok ? 0 : -1);
        if (ok)
            assert_true(ms == us / 1000);
    }
    for (int s = 0; s <= 86400; s++) {
        int leap = s == 86400;
        sprintf(t, "%02d:%02d:%02d", (s - leap) / 3600, (s - leap) / 60 % 60, (s - leap) % 60 + leap);
        assert_int_equal(smi_clock_parse_hms(smi_text_of(t), &ms), 0);
        assert_true(ms == (int64_t)s * 1000);
    }
    assert_int_equal(smi_clock_parse_hms(smi_text_of("24:00:00"), &ms), -1);
    assert_int_equal(smi_clock_parse_hms(smi_text_of("00:60:00"), &ms), -1);
    assert_int_equal(smi_clock_parse_hms(smi_text_of("00:00:61"), &ms), -1);
    assert_int_equal(smi_clock_parse_hms(smi_text_of("0:00:000"), &ms), -1);
    assert_int_equal(smi_clock_parse_hms(smi_text_of("00:00:0"), &ms), -1);
    assert_int_equal(smi_clock_parse_date8(smi_text_of("2026070"), &ms), -1);
    assert_int_equal(smi_clock_parse_date8(smi_text_of("202607032"), &ms), -1);
    assert_int_equal(smi_clock_parse_date8(smi_text_of("2026 703"), &ms), -1);
}

static void monotonic(void **unused)
{
    int64_t before = smi_clock_now_ms();
    struct timespec nap = {.tv_nsec = 20000000};
    (void)unused;
    nanosleep(&nap, NULL);
    assert_true(smi_clock_now_ms() - before >= 19);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(days_equal_the_calendar),
        cmocka_unit_test(stamps_of_200_years),
        cmocka_unit_test(written_stamps_read_back),
        cmocka_unit_test(far_times_are_written),
        cmocka_unit_test(prefixes_are_refused),
        cmocka_unit_test(every_changed_byte),
        cmocka_unit_test(leap_second),
        cmocka_unit_test(iso_zones),
        cmocka_unit_test(no_iso_zone),
        cmocka_unit_test(zones_round_trip),
        cmocka_unit_test(zones_known),
        cmocka_unit_test(dates_and_times_of_dmon),
        cmocka_unit_test(monotonic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
