#include "formats/line_front.h"

#include "formats/stamp.h"

#include <string.h>

enum { DATE_TIME = 19, MONTH_DAY = 7 /* bytes in front of the time of day */, TIME = 8 };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct smi_text behind(struct smi_text t, size_t n)
{
    return (struct smi_text){t.p + n, t.n - n};
}

/* n bytes of a time, with the fraction behind them. */
static size_t with_fraction(struct smi_text t, size_t n)
{
    size_t i = n + 1;
    while (i < t.n && is_digit(t.p[i]))
        i++;
    return n + 1 < i && t.p[n] == '.' ? i : n;
}

/* The bytes of "2026-07-03T10:00:00.123+02:00" that t begins with; 0: it does not. */
static size_t find_date_time(struct smi_text t)
{
    size_t n;
    if (t.n <= DATE_TIME || t.p[4] != '-' || t.p[7] != '-' || (t.p[10] != ' ' && t.p[10] != 'T') ||
        t.p[13] != ':')
        return 0;
    n = with_fraction(t, DATE_TIME);
    if (n < t.n && t.p[n] == 'Z')
        return n + 1;
    if (n < t.n && (t.p[n] == '+' || t.p[n] == '-'))
        for (n++; n < t.n && (is_digit(t.p[n]) || t.p[n] == ':');)
            n++;
    else
        n += smi_stamp_zone(behind(t, n));
    return n;
}

/* The time of day in "Jul 03 10:00:00.123456", which has no year: the bytes up to its end, or 0. */
static size_t find_month_day(struct smi_text t)
{
    static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
    if (t.n <= MONTH_DAY + TIME || t.p[3] != ' ' || t.p[6] != ' ' || !is_digit(t.p[5]) ||
        !memmem(months, sizeof months - 1, t.p, 4))
        return 0;
    return with_fraction(t, MONTH_DAY + TIME);
}

/* "node7 smi[12]: " of the journal, "stdout F " of a container. */
static struct smi_text skip_origin(struct smi_text t)
{
    struct smi_text rest = t, first = smi_text_word(&rest), next = smi_text_word(&rest);
    bool unit = next.n > 4 && memcmp(next.p + next.n - 2, "]:", 2) == 0 && memchr(next.p, '[', next.n);
    bool stream = (smi_text_is(first, "stdout") || smi_text_is(first, "stderr")) && smi_text_is(next, "F");
    return (unit || stream) && rest.n ? behind(rest, 1) : t;
}

/* A line of a CSV goes on with its next cell; a table begins and ends with a stroke. */
static bool is_line(struct smi_text rest)
{
    struct smi_text t = smi_text_trim(rest);
    return !t.n || !memchr(",;\t|", *t.p, 4) || (*t.p == '|' && t.n > 1 && t.p[t.n - 1] == '|');
}

struct smi_text smi_line_front_cut(struct smi_text *line)
{
    static const struct smi_text none = {"", 0};
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    const size_t open = line->n > DATE_TIME && *line->p == '[';
    struct smi_text t = behind(*line, open), time;
    size_t from = 0, n = find_date_time(t);
    if (!n && !open) {
        n = find_month_day(t);
        from = n ? MONTH_DAY : 0;
    }
    time = (struct smi_text){t.p + from, n - from};
    if (!n || (open && (n == t.n || t.p[n++] != ']')) || n >= t.n || t.p[n] != ' ' ||
        !is_line(behind(t, n + 1)) || smi_stamp_read(&c, time, &at) ||
        (smi_text_trim(*line).n == (size_t)(t.p + n - line->p) && !from) ||
        smi_stamp_read_line(&(struct smi_stamp_clock){0}, *line, &at) == 0)
        return none;
    *line = skip_origin(behind(t, n + 1));
    return time;
}
