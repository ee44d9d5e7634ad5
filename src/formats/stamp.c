#include "formats/stamp.h"

#include "base/clock.h"
#include "formats/column.h"

#include <stdio.h>
#include <stdlib.h>

enum { STAMP = 48, DATE = 10, SECONDS = 19, MS = 23 /* bytes up to them */, MONTHS = 12 };

static const int64_t day_ms = 86400000;
static const uint64_t epoch_least_s = 1000000000, epoch_most_s = 10000000000; /* 2001 to 2286 */

int smi_minute_parse(struct smi_minute *m, struct smi_text t, int64_t *us, bool *zoned)
{
    const bool utc = t.n == MS + 6 && memcmp(t.p + MS, "+00:00", 6) == 0, plain = utc || t.n == MS;
    bool fine;
    if (plain && smi_minute_read(m, t.p, us)) {
        *us *= 1000;
        *zoned = utc;
        return 0;
    }
    if (smi_clock_parse_iso(t, us, &fine, zoned) || !smi_clock_fits(*us / 1000, &m->latest_ms))
        return -1;
    if (!plain || t.p[17] > '5') /* :60 belongs to the next minute */
        return 0;
    m->text[0] = smi_text_word8(t.p);
    m->text[1] = smi_text_word8(t.p + 8);
    m->ms = *us / 60000000 * 60000;
    m->known = true;
    return 0;
}

/* " CEST" is local time. */
static bool read_date(struct smi_text t, struct smi_stamp *s)
{
    char text[STAMP];
    const char *blank =
        t.n > SECONDS && t.p[t.n - 1] != 'Z' ? memrchr(t.p + SECONDS, ' ', t.n - SECONDS) : NULL;
    struct smi_text zone = blank ? smi_text_between(blank + 1, t.p + t.n) : (struct smi_text){"", 0};
    int64_t us;
    int east = 0;
    bool zoned;
    if (blank && smi_stamp_zone((struct smi_text){blank, zone.n + 1}) != zone.n + 1)
        return false;
    t.n -= blank ? zone.n + 1 : 0;
    const bool comma = t.n > SECONDS && t.p[SECONDS] == ',';
    if (t.n >= SECONDS && t.n <= STAMP && (comma || t.p[DATE] == '_')) {
        memcpy(text, t.p, t.n);
        if (comma)
            text[SECONDS] = '.'; /* ISO 8601 knows both */
        text[DATE] = text[DATE] == '_' ? ' ' : text[DATE];
        t.p = text;
    }
    if (smi_clock_parse_iso(t, &us, &s->fine, &zoned) || (zoned && blank))
        return false;
    zoned |= blank && smi_clock_parse_zone(zone, &east) == 0;
    s->t_ms = us / 1000 - (us % 1000 < 0) - (int64_t)east * 1000;
    s->base = zoned ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
    return true;
}

/* Digits behind a point, in ms. */
static bool read_fraction(struct smi_text t, int64_t *ms)
{
    *ms = 0;
    for (size_t i = 0, unit = 100; i < t.n; i++, unit /= 10)
        *ms += (t.p[i] - '0') * (int64_t)unit;
    return smi_text_digits(t) == t.n;
}

/* So many of a number, perhaps with a fraction (".47", as bc prints it), are a second; unit 0: not told, then
 * a whole number has as many digits as seconds, ms, us or ns between 2001 and 2286. It counts since 1970, or
 * since a clock of the machine began. Returns false if it is none, or beyond 2286. */
static bool read_counted(struct smi_text t, uint64_t unit, struct smi_stamp *s)
{
    static const uint64_t units[] = {[10] = 1, [13] = 1000, [16] = 1000000, [19] = 1000000000};
    const size_t n = smi_text_digits(t);
    const struct smi_text rest = smi_text_from(t, n);
    uint64_t v = 0;
    int64_t part = 0;
    if (n >= sizeof units / sizeof *units || (!n && rest.n < 2) ||
        (rest.n && (*rest.p != '.' || rest.n < 2 || !read_fraction(smi_text_from(rest, 1), &part))))
        return false;
    for (size_t i = 0; i < n; i++)
        v = v * 10 + (uint64_t)(t.p[i] - '0');
    unit = unit ? unit : units[n] ? units[n] : 1;
    if (v / unit >= epoch_most_s)
        return false;
    s->t_ms = unit == 1 ? (int64_t)v * 1000 + part : (int64_t)(v / (unit / 1000));
    s->base = v / unit < epoch_least_s ? SMI_TIME_BASE_ELAPSED : SMI_TIME_BASE_UTC;
    s->fine = n < t.n || (unit > 1 && s->base == SMI_TIME_BASE_UTC);
    return true;
}

/* 1 to 12, or 0. */
static int month_of(struct smi_text t)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (int i = 0; i < MONTHS && t.n == 3; i++)
        if (memcmp(months + 3 * i, t.p, 3) == 0)
            return i + 1;
    return 0;
}

/* The hour of a clock of twelve, less the one that was read; 0 if the word is neither AM nor PM. */
static int64_t half_day(struct smi_text word, int64_t ms)
{
    bool noon = ms / (day_ms / 24) == 12;
    if (smi_text_is(word, "AM"))
        return noon ? -day_ms / 2 : 0;
    return smi_text_is(word, "PM") && !noon ? day_ms / 2 : 0;
}

/* "UTC", "CEST", "-03", "+0200": no cells of a row, and no other word. */
static bool is_zone(struct smi_text t)
{
    int east;
    size_t i = 0;
    while (i < t.n && (t.p[i] | 32) >= 'a' && (t.p[i] | 32) <= 'z')
        i++;
    return i == t.n || smi_clock_parse_zone(t, &east) == 0;
}

/* "Thu Aug  1 12:10:51 [PM] [UTC] 2024", "Thu 01 Aug 2024 12:10:51 PM UTC", "Thu, 01 Aug 2024 12:10:51
 * +0200": UTC where the zone says so; any other zone's name is local time. */
static bool read_ctime(struct smi_text t, struct smi_stamp *s)
{
    struct smi_text w[7], year, zone;
    int64_t ms, day, days;
    int n = 0, month, first, east = 0;
    while (n < 7 && (w[n] = smi_text_word(&t)).n)
        n++;
    if (n < 5 || t.n || (w[0].n != 3 && !(w[0].n == 4 && w[0].p[3] == ',')))
        return false;
    first = !month_of(w[1]); /* the day stands in front of the month */
    month = month_of(w[1 + first]);
    day = smi_cell_digits(w[2 - first], 2);
    year = first ? w[3] : w[n - 1];
    zone = first ? w[n - 1] : w[n - 2];
    if (!month || smi_clock_parse_hms(w[3 + first], &ms) || year.n != 4)
        return false;
    days = smi_clock_date((unsigned)smi_cell_digits(year, 4), (unsigned)month, (unsigned)day);
    if (days < 0)
        return false;
    for (int i = 4 + first; i < n - !first; i++)
        if (!is_zone(w[i]))
            return false;
    ms += n > 4 + first ? half_day(w[4 + first], ms) : 0;
    s->base = smi_clock_parse_zone(zone, &east) == 0 ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
    s->t_ms = days * day_ms + ms - (int64_t)east * 1000;
    s->fine = false;
    return true;
}

static bool has_year_last(struct smi_text t)
{
    return t.n >= DATE && t.p[2] == t.p[5] && (t.p[2] == '-' || t.p[2] == '/' || t.p[2] == '.');
}

/* Year, month and day at other places, then what stands behind the date. */
static bool read_moved(enum smi_stamp_form form, struct smi_text t, struct smi_stamp *s)
{
    static const struct {
        size_t year, month, day, behind;
    } places[] = {[SMI_STAMP_COMPACT] = {0, 4, 6, 8},
                  [SMI_STAMP_DAY_FIRST] = {6, 3, 0, DATE},
                  [SMI_STAMP_MONTH_FIRST] = {6, 0, 3, DATE}};
    const size_t behind = places[form].behind;
    char text[STAMP];
    if (t.n <= behind || t.n - behind > STAMP - DATE || (behind == DATE && !has_year_last(t)))
        return false;
    const char *y = t.p + places[form].year, *m = t.p + places[form].month, *d = t.p + places[form].day;
    memcpy(text, (char[]){y[0], y[1], y[2], y[3], '-', m[0], m[1], '-', d[0], d[1]}, DATE);
    memcpy(text + DATE, t.p + behind, t.n - behind);
    return read_date((struct smi_text){text, DATE + t.n - behind}, s);
}

static bool read_clock(struct smi_text t, struct smi_stamp *s)
{
    int64_t part = 0;
    s->fine = t.n > 9 && (t.p[8] == '.' || t.p[8] == ',');
    if (t.n < 8 || (t.n > 8 && !s->fine) || smi_clock_parse_hms((struct smi_text){t.p, 8}, &s->t_ms))
        return false;
    if (s->fine && !read_fraction(smi_text_from(t, 9), &part))
        return false;
    s->t_ms += part;
    s->base = SMI_TIME_BASE_DAY;
    return true;
}

int64_t smi_stamp_over_midnight(struct smi_stamp_clock *c, int64_t ms)
{
    c->days_ms += c->last_ms - ms > day_ms / 2 ? day_ms : 0;
    c->last_ms = ms;
    return c->days_ms + ms;
}

static bool read_form(enum smi_stamp_form form, struct smi_text t, struct smi_stamp *s)
{
    static bool (*const readers[SMI_STAMP_FORMS])(struct smi_text t, struct smi_stamp * s) = {
        [SMI_STAMP_DATE] = read_date, [SMI_STAMP_CTIME] = read_ctime, [SMI_STAMP_CLOCK] = read_clock};
    if (form == SMI_STAMP_EPOCH || form == SMI_STAMP_ELAPSED)
        return read_counted(t, 0, s) && (s->base == SMI_TIME_BASE_UTC) == (form == SMI_STAMP_EPOCH);
    return readers[form] ? readers[form](t, s) : read_moved(form, t, s);
}

static bool is_dated(enum smi_stamp_form form)
{
    return form == SMI_STAMP_DAY_FIRST || form == SMI_STAMP_MONTH_FIRST;
}

bool smi_stamp_has_day(enum smi_stamp_form form)
{
    return form >= SMI_STAMP_DATE && form <= SMI_STAMP_COMPACT;
}

size_t smi_stamp_zone(struct smi_text t)
{
    size_t n = 1;
    int east;
    if (t.n < 4 || *t.p != ' ')
        return 0;
    while (n < t.n && n < 8 && !memchr(" ,;\t", t.p[n], 4))
        n++;
    if ((n >= 6 && smi_clock_parse_zone((struct smi_text){t.p + 1, n - 1}, &east) == 0) ||
        smi_text_is((struct smi_text){t.p + 1, n - 1}, "UTC"))
        return n;
    for (size_t i = 1; i < n; i++)
        if (t.p[i] < 'A' || t.p[i] > 'Z')
            return 0;
    return (n == 4 || n == 5) && t.p[n - 1] == 'T' ? n : 0;
}

int smi_stamp_read_line(struct smi_stamp_clock *c, struct smi_text line, struct smi_stamp *s)
{
    return smi_stamp_read(c, smi_text_strip(line, SMI_STAMP_STROKES), s);
}

/* A time since the beginning or of an unknown day may be any. */
static bool was_possible(struct smi_stamp_clock *c, const struct smi_stamp *s)
{
    return s->base >= SMI_TIME_BASE_DAY || smi_clock_fits(s->t_ms, &c->latest_ms);
}

struct smi_text smi_stamp_plain(char text[SMI_STAMP_TEXT], struct smi_text t)
{
    char all[SMI_STAMP_TEXT], date[DATE + 2], mark[2], other[2];
    int of[3], hour, minute, second, at = 0, n = 0;
    struct smi_text rest, half;
    size_t part;
    if (t.n < 5 || t.n >= SMI_STAMP_TEXT || !smi_is_digit(*t.p) || !memchr(t.p, ':', t.n) ||
        memchr(t.p, ',', t.n) || memchr(t.p, '+', t.n)) /* few texts that come here are stamps */
        return t;
    smi_text_copy(all, sizeof all, t);
    if (sscanf(all, "%4d%1[-/.]%2d%1[-/.]%4d%*1[ T]%n", &of[0], mark, &of[1], other, &of[2], &at) != 5 ||
        !at || *mark != *other ||
        snprintf(date, sizeof date, "%02d%c%02d%c%02d ", of[0], *mark, of[1], *mark, of[2]) != DATE + 1)
        at = *date = 0;
    if (strchr(all + at, '-') || sscanf(all + at, "%2d:%2d%n", &hour, &minute, &n) != 2)
        return t;
    at += n;
    if (sscanf(all + at, ":%2d%n", &second, &n) == 1)
        at += n;
    else
        second = 0;
    rest = smi_text_from(t, (size_t)at);
    part = rest.n && *rest.p == '.' ? 1 + smi_text_digits(smi_text_from(rest, 1)) : 0;
    half = smi_text_trim(smi_text_from(rest, part));
    if (half.n ? (!smi_text_is_nocase(half, "AM") && !smi_text_is_nocase(half, "PM")) || !hour || hour > 12
               : !*date)
        return t;
    hour = half.n ? hour % 12 + ((*half.p | 32) == 'p' ? 12 : 0) : hour;
    n = snprintf(text, SMI_STAMP_TEXT, "%s%02d:%02d:%02d%.*s", date, hour, minute, second, (int)part, rest.p);
    return (struct smi_text){text, (size_t)n};
}

/* Most stamps differ from the one before in their seconds alone: "2026-07-03 10:00:07", "Fri Jul  3 10:00:07
 * 2026". */
static bool read_near(const struct smi_stamp_clock *c, struct smi_text t, struct smi_stamp *s)
{
    const size_t at = SECONDS - 2;
    if (!c->near_n || t.n != c->near_n || c->form != c->near_form || memcmp(t.p, c->near, at) != 0 ||
        memcmp(t.p + SECONDS, c->near + SECONDS, t.n - SECONDS) != 0 || t.p[at - 4] != ':' ||
        t.p[at - 1] != ':' || smi_text_digits(smi_text_from(t, at)) < 2 || t.p[at] > '5')
        return false;
    *s = c->at;
    s->t_ms += 1000 * (10 * (t.p[at] - c->near[at]) + t.p[at + 1] - c->near[at + 1]);
    return true;
}

int smi_stamp_read(struct smi_stamp_clock *c, struct smi_text t, struct smi_stamp *s)
{
    struct smi_stamp other;
    struct smi_text plain;
    char text[SMI_STAMP_TEXT];
    if (t.n > 2 && *t.p == '[' && t.p[t.n - 1] == ']')
        t = (struct smi_text){t.p + 1, t.n - 2};
    if (c->unit >= 1000 && read_counted(t, (uint64_t)c->unit, s)) {
        c->form = s->base == SMI_TIME_BASE_UTC ? SMI_STAMP_EPOCH : SMI_STAMP_ELAPSED;
        return was_possible(c, s) ? 0 : -1;
    }
    if (c->form && (read_near(c, t, s) || read_form(c->form, t, s))) {
        if (c->form == SMI_STAMP_CLOCK)
            s->t_ms = smi_stamp_over_midnight(c, s->t_ms);
        c->near_n = t.n >= SECONDS && t.n <= SMI_STAMP_NEAR && c->form != SMI_STAMP_CLOCK ? t.n : 0;
        c->near_form = c->form;
        memcpy(c->near, t.p, c->near_n);
        c->at = *s;
        return was_possible(c, s) ? 0 : -1;
    }
    for (int i = 1; i < SMI_STAMP_FORMS; i++) {
        if (i == (int)c->form || (is_dated(c->form) && is_dated((enum smi_stamp_form)i)) ||
            !read_form((enum smi_stamp_form)i, t, s) || (i == SMI_STAMP_EPOCH && !was_possible(c, s)))
            continue;
        c->order = i == SMI_STAMP_DAY_FIRST && read_moved(SMI_STAMP_MONTH_FIRST, t, &other);
        c->form = (enum smi_stamp_form)i;
        return smi_stamp_read(c, t, s);
    }
    plain = smi_stamp_plain(text, t);
    if (plain.p == t.p || (plain.n == t.n && memcmp(plain.p, t.p, t.n) == 0))
        return -1;
    c->half |= (t.p[t.n - 1] | 32) == 'm';
    return smi_stamp_read(c, plain, s);
}

enum smi_stamp_form smi_stamp_form_of(struct smi_text t)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    return smi_stamp_read(&c, t, &s) ? SMI_STAMP_UNKNOWN : c.form;
}

/* The date that begins t, whose day stands at this place. */
static bool read_day(struct smi_text t, size_t at, int64_t *ms)
{
    const char *day = t.p + at, *month = t.p + 3 - at;
    char text[] = {t.p[6], t.p[7], t.p[8], t.p[9], month[0], month[1], day[0], day[1]};
    return smi_clock_parse_date8((struct smi_text){text, sizeof text}, ms) == 0;
}

int64_t smi_stamp_windows_day(struct smi_text line)
{
    static const char week[] = "Thu Fri Sat Sun Mon Tue Wed "; /* from 1970 on */
    const struct smi_text name = smi_text_word(&line), date = smi_text_word(&line);
    int64_t ms;
    for (size_t at = 0; at <= 3 && name.n == 3 && date.n == DATE && has_year_last(date) && !line.n; at += 3)
        if (read_day(date, at, &ms) && memcmp(week + ms / day_ms % 7 * 4, name.p, 3) == 0)
            return ms;
    return -1;
}

enum smi_stamp_form smi_stamp_order(struct smi_text before, struct smi_text t)
{
    int64_t from, to, step[2] = {0};
    bool is[2] = {false};
    for (size_t k = 0; k < 2 && has_year_last(before) && has_year_last(t); k++) {
        is[k] = read_day(before, 3 * k, &from) && read_day(t, 3 * k, &to);
        step[k] = is[k] ? to - from : 0;
    }
    if (is[0] && is[1] && step[0] == step[1])
        return SMI_STAMP_UNKNOWN;
    if (is[0] && is[1]) /* on rather than back */
        is[0] = (step[0] < 0) != (step[1] < 0) ? step[1] < 0 : llabs(step[0]) < llabs(step[1]);
    return is[0] ? SMI_STAMP_DAY_FIRST : is[1] ? SMI_STAMP_MONTH_FIRST : SMI_STAMP_UNKNOWN;
}
