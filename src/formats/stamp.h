/* stamp.h - the clock of all CSV readers: a time cell as programs and people write it.
 *
 *     2026/07/03 22:11:09.763           nvidia-smi: local time
 *     2025-09-08T17:26:50,123+08:00     ISO 8601; without a zone it is local time
 *     2025-09-08 17:26:50 UTC           the same; 2025-09-08_17:26:50; in brackets, too
 *     20250908 17:26:50                 local time
 *     Thu Aug  1 12:10:51 [CEST] 2024   ctime(3) and date(1)
 *     Thu, 01 Aug 2024 12:10:51 +0200   date -R
 *     13-11-2026 15:13:16               local time; day and month in either order
 *     7/3/2026 1:05[:09] [PM]           the same
 *     1722514251[.25]                   s since 1970, UTC; 13, 16, 19 digits: ms, us, ns
 *     12.5                              time since the beginning
 *     13:25:50[.123]                    local time of a day that is not known */
#pragma once

#include "base/text.h"
#include "model/metric.h"

enum smi_stamp_form {
    SMI_STAMP_UNKNOWN, /* no time was read yet */
    SMI_STAMP_DATE,
    SMI_STAMP_EPOCH,
    SMI_STAMP_CTIME,
    SMI_STAMP_COMPACT,
    SMI_STAMP_DAY_FIRST,
    SMI_STAMP_MONTH_FIRST,
    SMI_STAMP_ELAPSED,
    SMI_STAMP_CLOCK,
    SMI_STAMP_FORMS
};

struct smi_stamp {
    int64_t t_ms;
    bool fine; /* finer than seconds */
    enum smi_time_base base;
};

enum { SMI_STAMP_NEAR = 32 };

/* How the times of a log are written. Zero-initialise; the first time tells the form, which is tried first
 * from then on. */
struct smi_stamp_clock {
    enum smi_stamp_form form;
    int64_t unit;             /* so many of a number are a second, as its header says; 0: not told */
    bool half;                /* of twelve hours, as "11:59 PM": the month is likely in front of the day */
    bool order;               /* of the first date the numbers do not tell day from month */
    int64_t last_ms, days_ms; /* of a CLOCK: its last time, and midnights so far */
    int64_t latest_ms;        /* smi_clock_fits */
    struct smi_stamp at;      /* the last time: its seconds stand behind the second ':' of */
    char near[SMI_STAMP_NEAR];
    size_t near_n; /* 0: not known */
    enum smi_stamp_form near_form;
};

/* The minute of the last stamp of a log, as far as "2026/07/03 22:11:" in any way that a clock is written:
 * most stamps are of the same. Zero-initialise. */
struct smi_minute {
    bool known;
    uint64_t text[2]; /* all but the last byte, which is a ':' */
    int64_t ms;
    int64_t latest_ms; /* smi_clock_fits */
};

/* The time of a stamp whose first 23 bytes stand at p, "2026/07/03 22:11:09.763". False if it is of another
 * minute, or its seconds are not plain. */
static inline bool smi_minute_read(const struct smi_minute *m, const char *p, int64_t *t_ms)
{
    const uint64_t low = 0x000F000F000F000Fu;
    uint64_t digits, w = smi_text_word8(p + 15); /* "1:09.763": behind the minute is 0 or a digit then: */
    w = (w ^ 0x3030302E30303A00u) >> 8;
    if (!m->known || ((smi_text_word8(p) ^ m->text[0]) | (smi_text_word8(p + 8) ^ m->text[1])) ||
        ((w | (w + 0x007676767F767A7Fu)) &
         0x0080808080808080u)) /* up to 5, up to 9 or nothing: else the top bit */
        return false;
    digits = w >> 8;
    /* each product has its sum uppermost: 10 s and 10 ms, then the digits behind them */
    *t_ms = m->ms + (int64_t)(((digits & low) * (10000ull << 48 | 10ull << 16)) >> 48) +
            (int64_t)(((digits >> 8 & low) * (1000ull << 48 | 100ull << 32 | 1ull << 16)) >> 48);
    return true;
}
/* Reads a stamp as smi_clock_parse_iso does. Returns 0; -1: it is none, or no log was written then
 * (smi_clock_fits). */
int smi_minute_parse(struct smi_minute *m, struct smi_text t, int64_t *us, bool *zoned);

/* A time of day as one of the log, in milliseconds: the day turns where the clock goes back by more than 12
 * h; a smaller step is a clock that was set. */
int64_t smi_stamp_over_midnight(struct smi_stamp_clock *c, int64_t ms);
/* Do commands such as date(1) print a time with its day so? */
bool smi_stamp_has_day(enum smi_stamp_form form);
/* Returns 0, or -1: the text is no time, or no log was written then (smi_clock_fits). A date tells the form
 * in any case; a number that is no date does not. */
int smi_stamp_read(struct smi_stamp_clock *c, struct smi_text t, struct smi_stamp *s);
/* The form of a time of no log in particular; SMI_STAMP_UNKNOWN: the text is none. */
enum smi_stamp_form smi_stamp_form_of(struct smi_text t);
/* A time as people and Excel write it, "7/3/2026 1:05 PM", in the digits of the forms above, in text; else t.
 */
enum { SMI_STAMP_TEXT = 48 };
struct smi_text smi_stamp_plain(char text[SMI_STAMP_TEXT], struct smi_text t);
/* The same of a line that has nothing but a time, with strokes around it or not: "=== 2026-07-03 10:00:00
 * ==="; and the bytes of such strokes. */
int smi_stamp_read_line(struct smi_stamp_clock *c, struct smi_text line, struct smi_stamp *s);
#define SMI_STAMP_STROKES " \t=-*[]"
/* The day of "Fri 07/03/2026", as date /T of Windows prints it, in ms: the day of the week tells the order;
 * or -1. */
int64_t smi_stamp_windows_day(struct smi_text line);
/* The bytes of the zone that t begins with, and of the blank in front of it: " UTC", " CEST", " +0200"; or 0.
 */
size_t smi_stamp_zone(struct smi_text t);

/* A date, of which day and month may be either, and the one after it: the order in which this is a date and
 * time goes on, in the smaller step. SMI_STAMP_UNKNOWN: they do not tell, or one is no such date. */
enum smi_stamp_form smi_stamp_order(struct smi_text before, struct smi_text t);
