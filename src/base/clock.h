/* clock.h - time stamps as they stand in logs, to milliseconds or microseconds since 1970 and back.
 * A local stamp without a zone is read as if it were UTC; who knows the zone subtracts the offset. */
#ifndef SMI_BASE_CLOCK_H
#define SMI_BASE_CLOCK_H

#include "base/text.h"

enum { SMI_CLOCK_TEXT = 40 };

/* Days since 1970-01-01 of a date of the Gregorian calendar (month 1-12, day 1-31). */
int64_t smi_clock_days(int year, int month, int day);
/* The same, or -1 if there is no such date, as February 31, or its year is not 1970 to 9999. */
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

#endif
