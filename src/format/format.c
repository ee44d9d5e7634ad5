#include "format/format.h"

#include "base/buf.h"
#include "base/clock.h"
#include "format/foreign.h"

#include <stdio.h>
#include <string.h>

const struct smi_format *const smi_formats[SMI_FMT_COUNT] = {
    [SMI_FMT_QUERY] = &smi_format_query,
    [SMI_FMT_DMON] = &smi_format_dmon,
    [SMI_FMT_CPU] = &smi_format_cpu,
    [SMI_FMT_RUNLOG] = &smi_format_runlog,
};

int smi_format_find(const char *name)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (strcmp(smi_formats[i]->name, name) == 0)
            return i;
    return -1;
}

/* ---- messages and noise ---- */

/* nvidia-smi prints its errors to standard output: they land in the log. A line begins so, in any case, and
 * holds `within` somewhere behind (NULL: nothing is asked). Texts: formats.md §2.2. */
static const struct {
    const char *begin, *within;
} messages[] = {
    {"NVIDIA-SMI has failed because", NULL},
    {"NVIDIA-SMI couldn't find", NULL},
    {"Please also try adding directory", NULL},
    {"Failed to initialize NVML", NULL},
    {"NVML library version:", NULL},
    {"No devices were found", NULL},
    {"Unable to determine the device handle for gpu", NULL},
    {"Field \"", "not a valid field to query"},
    {"Unable to query", NULL},
    {"Invalid combination of input arguments", NULL},
    {"Option ", "not recognized"},
    {"GPU is lost", NULL},
    {"Timeout", NULL},
    {"Reboot the system", NULL},
};

/* What shells, loops and other tools leave between the rows: formats.md §9. */
static const char *const noise[] = {
    "WARNING:", /* also "Warning: persistence mode is disabled" */
    "'CTRL' + 'C' to stop watching output:",
    "nohup:",
};

static bool holds(struct smi_text t, const char *s)
{
    return memmem(t.p, t.n, s, strlen(s)) != NULL;
}

/* The output of date(1): "Tue Jun  9 09:00:01 UTC 2020", "Wed Feb 26 01:50:18 PM EST 2025". */
static bool is_date(struct smi_text t)
{
    static const char days[] = "Mon Tue Wed Thu Fri Sat Sun ";
    struct smi_text eight = {NULL, 8};
    int64_t ms;
    if (t.n < 16 || t.n > 40 || t.p[3] != ' ' || !memmem(days, sizeof days - 1, t.p, 4))
        return false;
    for (size_t i = 4; i + 8 <= t.n; i++) {
        eight.p = t.p + i;
        if (t.p[i - 1] == ' ' && smi_clock_hms(eight, &ms) == 0)
            return true;
    }
    return false;
}

/* "---------" between sweeps. */
static bool is_ruler(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.p[i] != '-')
            return false;
    return t.n >= 3;
}

/* "2020-06-09 09:00:01" alone; with a T it would be the torn row of a CPU log. */
static bool is_stamp(struct smi_text t)
{
    int64_t us;
    bool fine;
    return t.n >= 19 && t.p[10] == ' ' && smi_clock_stamp(t, &us, &fine) == 0;
}

bool smi_is_noise(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (smi_text_starts(t, noise[i]))
            return true;
    return is_ruler(t) || is_stamp(t) || is_date(t);
}

bool smi_is_message(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (smi_text_starts(t, messages[i].begin) && (!messages[i].within || holds(t, messages[i].within)))
            return true;
    return smi_is_noise(t);
}

int smi_message_take(struct smi_account *a, struct smi_text line, struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    if (!smi_is_message(t))
        return 0;
    a->messages++;
    if (!smi_is_noise(t) && smi_account_odd(a, SMI_ODD_MESSAGE, err, "%.*s", t.n < 300 ? (int)t.n : 300, t.p))
        return -1;
    return 1;
}

int smi_cell_lost(struct smi_account *a, enum smi_cell what, unsigned metric, struct smi_text cell,
                  struct smi_err *err)
{
    const char *key = smi_metrics[metric].key;
    int n;
    cell = smi_text_trim(cell);
    n = cell.n < 40 ? (int)cell.n : 40;
    if (what == SMI_CELL_MISSING)
        a->cells_missing++;
    if (what == SMI_CELL_BAD) {
        a->cells_bad++;
        return smi_account_odd(a, SMI_ODD_CELL, err, "%s: \"%.*s\" is no number", key, n, cell.p);
    }
    if (what == SMI_CELL_RANGE) {
        a->out_of_range++;
        return smi_account_odd(a, SMI_ODD_RANGE, err, "%s: \"%.*s\" is out of range", key, n, cell.p);
    }
    return 0;
}

/* ---- telling formats apart: line after line until one is a format's own (formats.md §9, §9b) ---- */

enum { WINDOW = 65536, LINES = 200, QUOTE = 80, HEAD = 512, NEXT = -2, REFUSED = -1 };

struct hunt {
    struct smi_detect *out;
    struct smi_text first, message, noise; /* the first unknown line, message and noise */
    const char *note;                      /* a guess that only counts if nothing else is found */
    size_t seen, commas[LINES];            /* unknown lines, and how many commas each had */
    struct smi_look look;
};

/* why = what, and a quote of t if it is given, all safe to print and cut between characters. */
static int refuse(struct smi_detect *out, const char *what, struct smi_text t)
{
    struct smi_buf b = {0};
    size_t n, step, quote = t.n < QUOTE ? t.n : QUOTE;
    while (quote < t.n && quote && ((unsigned char)t.p[quote] & 0xC0) == 0x80)
        quote--;
    smi_buf_str(&b, what);
    if (t.n) {
        smi_buf_str(&b, " \"");
        smi_buf_safe(&b, (struct smi_text){t.p, quote});
        smi_buf_str(&b, quote < t.n ? "..." : "");
    }
    for (n = 0; !b.failed && n < b.n; n += step) {
        step = smi_text_utf8(b.p + n, b.n - n);
        if (!step || n + step > sizeof out->why - 2)
            break;
    }
    snprintf(out->why, sizeof out->why, "%.*s%s", (int)n, b.failed ? "" : b.p, t.n ? "\"" : "");
    smi_buf_fini(&b);
    return REFUSED;
}

/* Bytes that no log begins with. */
static const struct {
    const char *bytes;
    size_t n;
    const char *why;
} magics[] = {
    {"\x1F\x8B", 2, "gzip data"},
    {"\x28\xB5\x2F\xFD", 4, "zstd data"},
    {"\xFD"
     "7zXZ",
     5, "xz data"},
    {"BZh", 3, "bzip2 data"},
    {"PK\x03\x04", 4, "a zip archive"},
    {"\xFF\xFE", 2, "UTF-16 text (as Windows PowerShell's > writes it): save it as UTF-8"},
    {"\xFE\xFF", 2, "UTF-16 text: save it as UTF-8"},
};

static const char *magic(const char *p, size_t n)
{
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (n >= magics[i].n && memcmp(p, magics[i].bytes, magics[i].n) == 0)
            return magics[i].why;
    return memchr(p, 0, n < HEAD ? n : HEAD) ? "not text: a NUL byte among the first 512" : NULL;
}

static bool seen_before(const struct hunt *h, size_t commas)
{
    for (size_t i = 0; i < h->seen; i++)
        if (h->commas[i] == commas)
            return true;
    return false;
}

/* Data proves nothing if a line above it, as wide, could be its header and says something unknown. */
static int try_formats(struct hunt *h, struct smi_text line, size_t commas)
{
    bool data = h->look.line.n && *h->look.line.p >= '0' && *h->look.line.p <= '9';
    for (int id = SMI_FMT_COUNT; id-- > 0;) {
        enum smi_sniff s = smi_formats[id]->sniff(line);
        if (s == SMI_SNIFF_NO || ((data || s == SMI_SNIFF_BARE) && seen_before(h, commas)))
            continue;
        h->out->bare = s == SMI_SNIFF_BARE;
        if (h->out->bare)
            refuse(h->out, "rows without a header: name their columns with --input-columns",
                   (struct smi_text){0});
        return id;
    }
    return NEXT;
}

static void first(struct smi_text *slot, struct smi_text line)
{
    if (!slot->p)
        *slot = line;
}

/* A line that is not blank: the format, REFUSED, or NEXT. */
static int try_line(struct hunt *h, struct smi_text line)
{
    const char *why;
    size_t commas = 0;
    int id;
    smi_look(&h->look, line);
    if (smi_is_message(line)) {
        first(smi_is_noise(line) ? &h->noise : &h->message, h->look.line);
        return NEXT;
    }
    first(&h->first, h->look.line);
    why = smi_foreign(&h->look);
    if (why)
        return refuse(h->out, why, (struct smi_text){0});
    for (size_t i = 0; i < line.n; i++)
        commas += line.p[i] == ',';
    id = try_formats(h, line, commas);
    if (id != NEXT)
        return id;
    h->commas[h->seen++] = commas;
    if (!h->note)
        h->note = smi_foreign_hint(&h->look);
    return NEXT;
}

static int nothing_found(struct hunt *h)
{
    if (h->note)
        return refuse(h->out, h->note, (struct smi_text){0});
    if (h->first.p)
        return refuse(h->out, "no known log format: begins with", h->first);
    h->out->messages = h->message.p != NULL;
    if (h->message.p)
        return refuse(h->out, "only a message:", h->message);
    if (h->noise.p)
        return refuse(h->out, "no known log format: only", h->noise);
    return refuse(h->out, "only blank lines", (struct smi_text){0});
}

/* The next line, taken off t, without its end; false at the end. `all`: one line that is longer than the window
 * is all there is; else an unfinished line is none. */
static bool next_line(struct smi_text *t, bool all, struct smi_text *line)
{
    const char *lf = t->n ? memchr(t->p, '\n', t->n) : NULL;
    if (!lf && (!t->n || !all))
        return false;
    *line = (struct smi_text){t->p, lf ? (size_t)(lf - t->p) : t->n};
    *t = lf ? (struct smi_text){lf + 1, t->n - line->n - 1} : (struct smi_text){t->p, 0};
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    return true;
}

int smi_detect(const char *p, size_t n, bool whole, struct smi_detect *why)
{
    struct hunt h = {.out = why};
    struct smi_text rest, line, none = {0};
    const char *what;
    bool all;
    int id;
    *why = (struct smi_detect){0};
    rest = (struct smi_text){p, n < WINDOW ? n : WINDOW};
    if (rest.n >= 3 && memcmp(rest.p, "\xEF\xBB\xBF", 3) == 0)
        rest = (struct smi_text){p + 3, rest.n - 3};
    if (rest.n == 0)
        return refuse(why, "empty", none);
    what = magic(rest.p, rest.n);
    if (what)
        return refuse(why, what, none);
    why->ours = smi_text_starts(rest, "{\"schema\": \"smilog/") || smi_text_starts(rest, "# smilog");
    if (why->ours)
        return refuse(why, "smilog's own output", none);
    all = n >= WINDOW && !memchr(rest.p, '\n', rest.n);
    if (!all && !memchr(rest.p, '\n', rest.n))
        return refuse(why, whole ? "one unfinished line" : "no whole line yet", none);
    for (int lines = 0; lines < LINES && next_line(&rest, all, &line);) {
        if (smi_text_trim(line).n == 0)
            continue;
        lines++;
        id = try_line(&h, line);
        if (id != NEXT)
            return id;
    }
    return nothing_found(&h);
}
