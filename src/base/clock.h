/* clock.h - time stamps as they stand in logs, to milliseconds or microseconds since 1970 and back. A
 * local stamp without a zone is read as if it were UTC; who knows the zone subtracts the offset. */
#pragma once

#include "base/err.h"
#include "base/text.h"

/* ---- time zones by name, as values: what the C library makes of the system's tzdata ---- */

enum {
    SMI_TZ_NAME = 64,
    SMI_TZ_CHANGES = 1024,
    SMI_TZ_YEARS = 2100 /* changes are known up to this year */
};

/* A zone: the offset changes at `at` (UTC seconds since 1970) to offset_s seconds east of UTC. */
struct smi_tz {
    char name[SMI_TZ_NAME];
    int standard_s; /* of its standard time, as its present rule says: the same for every log of the zone */
    int before_s;   /* until the first change after 1970 */
    unsigned n;
    struct {
        int64_t at;
        int offset_s;
    } change[SMI_TZ_CHANGES]; /* in order */
};

/* A stretch of local time, [from, to) in local seconds, that reads the same way everywhere. */
struct smi_tz_local {
    int64_t from, to;
    int offset_s; /* of a doubled hour: its first pass; of a skipped one: as if the clock had not been moved
                   */
    int second_s; /* of a doubled hour: its second pass; else as offset_s */
    bool skipped; /* no clock of the zone has shown it */
};

/* Loads a zone ("Europe/Berlin") from /usr/share/zoneinfo. It sets TZ for a moment: for the start of a
 * program, before it has threads. Returns 0; or -1 with err SMI_EUSAGE, which names a zone that was perhaps
 * meant, or says that there is no tzdata. */
int smi_tz_load(struct smi_tz *z, const char *name, struct smi_err *err);
/* The stretch around a local time. */
struct smi_tz_local smi_tz_at(const struct smi_tz *z, int64_t local_s);

enum { SMI_CLOCK_TEXT = 40 };

/* Days since 1970-01-01 of a date of the Gregorian calendar (month 1-12, day 1-31); -1 if there is no such
 * date, as February 31, or its year is not 1970 to 9999. */
int64_t smi_clock_date(unsigned year, unsigned month, unsigned day);
/* Can a log have been written then, in milliseconds since 1970? Not before 1990, and not more than a day from
 * now. *latest: the end of that day, which is looked up again only for a later time; begins as 0. */
bool smi_clock_fits(int64_t ms, int64_t *latest);

/* "YYYY/MM/DD HH:MM:SS[.fff...]", also with '-' between date parts and 'T' between date and time; year
 * 1970-9999, every field checked, :60 accepted. No zone may follow. *us: microseconds (finer digits cut);
 * *fine: a fraction was printed. Returns 0, or -1 if t is no such stamp. */
int smi_clock_parse_stamp(struct smi_text t, int64_t *us, bool *fine);
/* The same, then 'Z' or [+-]HH:MM (or [+-]HHMM), which is subtracted; *zoned says whether there was one. */
int smi_clock_parse_iso(struct smi_text t, int64_t *us, bool *fine, bool *zoned);
/* "YYYYMMDD" to milliseconds; "HH:MM:SS" to milliseconds of the day. Return 0 or -1. */
int smi_clock_parse_date8(struct smi_text t, int64_t *ms);
int smi_clock_parse_hms(struct smi_text t, int64_t *ms);
/* A zone for --tz: "UTC", "Z", "+02:00", "-0930", "-9:30", "+2". Seconds east of UTC, at most 18 h. Returns 0
 * or -1. */
int smi_clock_parse_zone(struct smi_text t, int *offset_s);

/* "2026-07-03T22:10:46.109" from milliseconds, with 'Z' after it if zulu. NUL-terminated; returns the length.
 */
size_t smi_clock_write(char *buf, int64_t ms, bool zulu);
/* "+02:00" from seconds. buf has SMI_CLOCK_TEXT bytes. */
size_t smi_clock_write_zone(char *buf, int offset_s);
/* "8.4s", "58m32s", "1h00m", "3d04h" from milliseconds, "-" if negative. buf has SMI_CLOCK_TEXT bytes. */
size_t smi_clock_write_span(char *buf, int64_t ms);

/* Monotonic milliseconds, for progress lines and deadlines. */
int64_t smi_clock_now_ms(void);
/* Milliseconds of UTC since 1970, as the clock of the machine has it. */
int64_t smi_clock_utc_ms(void);
