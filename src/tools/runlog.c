/* The reference's RunLog: one JSON object a line, times in UTC, the `ts` of a phase is its end.
 *
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 1.234}
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "error", "data": {"code": 3}}
 *
 * Extra keys of a phase override name and seconds, as Python's dict.update: of a key given twice the last
 * counts. Python also writes NaN and Infinity, which JSON does not have: they are read as null. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "format/format.h"
#include "format/lines.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELD_MAX = 256, DEPTH_MAX = 64, DIGITS = 32 };

static const int64_t seconds_max = 1000000000; /* of one phase: 31 years */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_buf repaired; /* a line whose NaN became null */
    unsigned fields;
    bool full; /* the entry has more than FIELD_MAX values */
    struct smi_field field[FIELD_MAX];
    char digits[FIELD_MAX][DIGITS]; /* texts of numbers */
    char name[DIGITS];              /* of a name that is a number */
};

/* A real number as n decimal digits: d1.d2d3... * 10^exponent. */
struct decimal {
    bool minus;
    int n, exponent;
    char digit[20];
};

/* Where a walk over JSON bytes stands. */
struct walk {
    bool quoted, escaped;
    int depth;
};

static void step(struct walk *w, char c)
{
    if (w->quoted) {
        bool end = c == '"' && !w->escaped;
        w->escaped = c == '\\' && !w->escaped;
        w->quoted = !end;
        return;
    }
    w->quoted = c == '"';
    w->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
}

/* The parser recurses: nothing deep is given to it. */
static bool too_deep(struct smi_text line)
{
    struct walk w = {0};
    for (size_t i = 0; i < line.n; i++) {
        step(&w, line.p[i]);
        if (w.depth > DEPTH_MAX)
            return true;
    }
    return false;
}

/* Has the outermost object this key (with its quotes)? For sniffing: also on cut lines and on lines with NaN. */
static bool has_key(struct smi_text line, const char *key)
{
    size_t k = strlen(key);
    struct walk w = {0};
    for (size_t i = 0; i + k < line.n; i++) {
        if (w.depth == 1 && !w.quoted && memcmp(line.p + i, key, k) == 0) {
            struct smi_text rest = smi_text_trim((struct smi_text){line.p + i + k, line.n - i - k});
            if (rest.n && *rest.p == ':')
                return true;
        }
        step(&w, line.p[i]);
    }
    return false;
}

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (t.n == 0 || *t.p != '{')
        return SMI_SNIFF_NO;
    return has_key(t, "\"ts\"") && has_key(t, "\"type\"") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* The length of a word of Python's that stands here, or 0. */
static size_t no_number(struct smi_text t)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (t.n >= n && memcmp(t.p, words[i], n) == 0)
            return n;
    }
    return 0;
}

/* Copies the line into b with null for each such word outside of strings; returns how many there were. */
static size_t repair(struct smi_buf *b, struct smi_text line)
{
    struct walk w = {0};
    size_t from = 0, found = 0, n;
    smi_buf_clear(b);
    for (size_t i = 0; i < line.n;) {
        n = w.quoted ? 0 : no_number((struct smi_text){line.p + i, line.n - i});
        if (n) {
            smi_buf_add(b, line.p + from, i - from);
            smi_buf_str(b, "null");
            from = i += n;
            found++;
        } else {
            step(&w, line.p[i++]);
        }
    }
    smi_buf_add(b, line.p + from, line.n - from);
    return found;
}

/* The shortest of 15, 16, 17 digits that gives the same number again: what Python wrote. Both ways go through
 * the same locale, and only the digits are taken, so the decimal point does not matter. */
static void decimal_of(double v, struct decimal *d)
{
    char text[64];
    const char *p = text;
    *d = (struct decimal){0};
    for (int more = 14; more <= 16; more++) {
        snprintf(text, sizeof text, "%.*e", more, v);
        if (strtod(text, NULL) == v)
            break;
    }
    d->minus = *p == '-';
    for (; *p && *p != 'e'; p++)
        if (*p >= '0' && *p <= '9' && d->n < 17)
            d->digit[d->n++] = *p;
    d->exponent = *p ? (int)strtol(p + 1, NULL, 10) : 0;
    while (d->n > 1 && d->digit[d->n - 1] == '0')
        d->n--;
}

/* Without exponent; out holds all digits and |exponent| zeros. Returns the length. */
static size_t put_plain(char *out, const struct decimal *d)
{
    size_t n = 0;
    int first = d->exponent < 0 ? d->exponent : 0, last = d->n - 1 > d->exponent ? d->n - 1 : d->exponent + 1;
    if (d->minus)
        out[n++] = '-';
    for (int i = first; i <= last; i++) {
        if (i == d->exponent + 1)
            out[n++] = '.';
        out[n++] = i < 0 || i >= d->n ? '0' : d->digit[i];
    }
    out[n] = 0;
    return n;
}

/* As Python prints a float: plain from 1e-4 up to 1e16. out has DIGITS bytes. */
static size_t put_real(char *out, const struct decimal *d)
{
    int n;
    if (d->exponent >= -4 && d->exponent < 16)
        return put_plain(out, d);
    n = snprintf(out, DIGITS, "%s%c%s%.*se%c%02d", d->minus ? "-" : "", d->digit[0], d->n > 1 ? "." : "",
                 d->n - 1, d->digit + 1, d->exponent < 0 ? '-' : '+', abs(d->exponent));
    return n > 0 ? (size_t)n : 0;
}

/* A real in millionths, from its decimal digits. Returns whether it fits. */
static bool real_micro(const struct decimal *d, int64_t *micro)
{
    char text[64];
    size_t n;
    *micro = 0;
    if (d->exponent < -20)
        return true;
    if (d->exponent > 18)
        return false;
    n = put_plain(text, d);
    return smi_text_micro((struct smi_text){text, n}, micro) == 0;
}

static bool integer_micro(json_int_t v, int64_t *micro)
{
    return !__builtin_mul_overflow((int64_t)v, (int64_t)1000000, micro);
}

static void set_number(struct smi_field *f, char *digits, const json_t *v)
{
    struct decimal d;
    f->text.p = digits;
    if (json_is_integer(v)) {
        f->number = integer_micro(json_integer_value(v), &f->micro);
        f->text.n = (size_t)snprintf(digits, DIGITS, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
        return;
    }
    decimal_of(json_real_value(v), &d);
    f->number = real_micro(&d, &f->micro);
    f->text.n = put_real(digits, &d);
}

/* A flat value: nothing is set for lists and objects. */
static void set_value(struct smi_field *f, char *digits, const json_t *v)
{
    if (json_is_string(v)) {
        f->quoted = true;
        f->text = (struct smi_text){json_string_value(v), json_string_length(v)};
    } else if (json_is_number(v)) {
        set_number(f, digits, v);
    } else if (json_is_boolean(v)) {
        f->text = smi_text_of(json_is_true(v) ? "true" : "false");
    } else if (json_is_null(v)) {
        f->text = smi_text_of("null");
    }
}

static void flatten(struct smi_reader *r, json_t *object, bool in_data)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        struct smi_field *f;
        const json_t *v = json_object_iter_value(at);
        if (json_is_object(v) || json_is_array(v))
            continue;
        if (r->fields == FIELD_MAX) {
            r->full = true;
            return;
        }
        f = &r->field[r->fields];
        *f = (struct smi_field){.key = smi_text_of(json_object_iter_key(at)), .in_data = in_data};
        set_value(f, r->digits[r->fields++], v);
    }
}

/* One of the keys that the log itself writes; text.p is NULL if the entry has no flat value of this name. */
static struct smi_field own(const json_t *entry, const char *key, char *digits)
{
    struct smi_field f = {0};
    const json_t *v = json_object_get(entry, key);
    if (v)
        set_value(&f, digits, v);
    return f;
}

/* Fills m; the name's text may stand in r->name. Returns 0, or -1 and *why. */
static int read_mark(struct smi_reader *r, const json_t *entry, struct smi_mark *m, enum smi_reject *why)
{
    char digits[DIGITS];
    bool fine, zoned, phase, event;
    struct smi_field type = own(entry, "type", digits), name, f;
    phase = type.quoted && smi_text_is(type.text, "phase");
    event = type.quoted && smi_text_is(type.text, "event");
    name = own(entry, phase ? "name" : "event", r->name);
    *why = SMI_FOREIGN;
    if ((!phase && !event) || !name.text.p || !json_object_get(entry, "ts"))
        return -1;
    f = own(entry, "ts", digits);
    *why = SMI_BAD_TIME;
    if (!f.quoted || smi_clock_iso(f.text, &m->t_us, &fine, &zoned))
        return -1;
    f = own(entry, "seconds", digits);
    *why = SMI_BAD_NUMBER;
    if (phase && (!f.number || f.micro < 0 || f.micro > seconds_max * 1000000))
        return -1;
    m->kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT;
    m->span_us = phase ? f.micro : 0;
    m->name = name.text;
    return 0;
}

static int on_entry(struct smi_reader *r, struct smi_text line, json_t *entry, struct smi_err *err)
{
    struct smi_mark m = {.field = r->field};
    enum smi_reject why;
    json_t *data = json_object_get(entry, "data");
    if (read_mark(r, entry, &m, &why))
        return smi_account_reject(r->lines.account, why, line, err);
    r->fields = 0;
    r->full = false;
    flatten(r, entry, false);
    if (json_is_object(data))
        flatten(r, data, true);
    m.fields = r->fields;
    r->lines.account->rows++;
    if (r->full && smi_account_odd(r->lines.account, SMI_ODD_OTHER, err,
                                   "more than %d values: the rest is not read", FIELD_MAX))
        return -1;
    return r->lines.to->mark ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

/* The line as JSON: *entry, or NULL and the reason in e. Returns 0, or -1 with err. */
static int parse(struct smi_reader *r, struct smi_text line, json_t **entry, json_error_t *e,
                 struct smi_err *err)
{
    size_t lost;
    *entry = json_loadb(line.p, line.n, JSON_ALLOW_NUL, e);
    lost = *entry ? 0 : repair(&r->repaired, line);
    if (r->repaired.failed)
        return smi_err_nomem(err);
    if (lost)
        *entry = json_loadb(r->repaired.p, r->repaired.n, JSON_ALLOW_NUL, e);
    if (!*entry)
        return json_error_code(e) == json_error_out_of_memory ? smi_err_nomem(err) : 0;
    r->lines.account->cells_missing += (int64_t)lost;
    if (lost)
        return smi_account_odd(r->lines.account, SMI_ODD_OTHER, err, "%zu value%s NaN or Infinity read as null",
                               lost, lost == 1 ? "" : "s");
    return 0;
}

static int not_json(struct smi_reader *r, const char *why, struct smi_err *err)
{
    r->lines.account->rejected[SMI_FOREIGN]++;
    return smi_account_odd(r->lines.account, SMI_FOREIGN, err, "not JSON: %s", why);
}

static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    json_error_t e;
    json_t *entry;
    int rc = *t.p == '{' ? 0 : smi_message_take(r->lines.account, t, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (!smi_text_is_utf8(t))
        return smi_account_reject(r->lines.account, SMI_BAD_ENCODING, line, err);
    if (too_deep(t))
        return not_json(r, "deeper than 64 levels", err);
    if (parse(r, t, &entry, &e, err)) {
        json_decref(entry);
        return -1;
    }
    if (!entry)
        return not_json(r, e.text, err);
    rc = json_is_object(entry) ? on_entry(r, line, entry, err)
                               : smi_account_reject(r->lines.account, SMI_FOREIGN, line, err);
    json_decref(entry);
    return rc;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, sizeof *r);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    r->lines = (struct smi_lines){.account = o->account, .devices = o->devices, .line = on_line, .self = r,
                                 .begun = o->later};
    return r;
}

static enum smi_base base(const struct smi_reader *r)
{
    (void)r;
    return SMI_BASE_UTC;
}

static void close(struct smi_reader *r)
{
    if (!r)
        return;
    smi_lines_fini(&r->lines);
    smi_buf_fini(&r->repaired);
    smi_mem_free(r);
}

const struct smi_format smi_format_runlog = {
    .name = "runlog",
    .help = "RunLog: JSON lines of phases and events",
    .sniff = sniff,
    .open = open,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
