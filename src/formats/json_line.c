/* json_line.c - JSON of logs: objects on a line, documents on several lines, flat objects as slices. */
#include "formats/json_line.h"
#include "base/mem.h"

#include <string.h>

static int refuse_line(struct smi_account *a, const char *what, const char *why)
{
    smi_account_warn(a, SMI_REJECT_FOREIGN, "%s%s", what, why);
    return smi_line_count(&a->rejected[SMI_REJECT_FOREIGN]);
}

void smi_json_line(struct smi_text line, struct smi_buf *repaired, struct smi_account *a, json_t **entry)
{
    struct smi_text t = smi_text_trim(line);
    json_error_t why;
    size_t lost;
    *entry = NULL;
    if (!smi_text_is_utf8(t)) {
        smi_account_reject(a, SMI_REJECT_BAD_ENCODING, line);
        return;
    }
    smi_json_load(t, repaired, entry, &lost, &why);
    if (!*entry) {
        refuse_line(a, "not JSON: ", why.text); /* without the library's words about the place */
        return;
    }
    a->cells_missing += (int64_t)lost;
    if (lost)
        smi_account_warn(a, SMI_LOG_WARNING_OTHER, "%zu value%s NaN or Infinity read as null", lost,
                         lost == 1 ? "" : "s");
    if (json_is_object(*entry))
        return;
    json_decref(*entry);
    *entry = NULL;
    smi_account_reject(a, SMI_REJECT_FOREIGN, line);
}

int smi_json_line_read(struct smi_reader *r, struct smi_text line, struct smi_buf *repaired,
                       smi_json_entry_fn *fn, struct smi_err *err)
{
    json_t *entry;
    int rc = 0;
    smi_json_line(line, repaired, ((struct smi_lines *)r)->account, &entry);
    if (entry)
        rc = fn(r, line, entry, err);
    json_decref(entry);
    return rc;
}

void smi_json_fields_add(struct smi_json_fields *to, json_t *object, bool in_data, const char *const *own)
{
    const char *key;
    json_t *value;
    json_object_foreach (object, key, value) {
        struct smi_field f;
        char digits[SMI_JSON_DIGITS];
        if (to->n >= SMI_JSON_FIELDS && !(own && smi_text_is_one_of(smi_text_of(key), own)))
            to->full |= smi_json_field(&f, digits, key, value, in_data);
        else if (smi_json_field(&to->field[to->n], to->digits[to->n], key, value, in_data))
            to->full |= to->n++ >= SMI_JSON_FIELDS;
    }
}

int smi_json_mark(struct smi_lines *l, const struct smi_mark *m, bool full, struct smi_err *err)
{
    if (memchr(m->name.p, 0, m->name.n)) /* names are C strings: it would be cut */
        return refuse_line(l->account, "a name with a NUL byte", "");
    l->account->rows++;
    if (full)
        smi_account_warn(l->account, SMI_LOG_WARNING_OTHER, "more than %d values: the rest is not read",
                         SMI_JSON_FIELDS);
    return smi_lines_mark(l, m, err);
}

bool smi_json_line_is_whole(void *self, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    (void)self;
    return t.n && *t.p == '{' && t.p[t.n - 1] == '}' && smi_json_depth(0, t) == 0;
}

struct smi_text smi_json_string_of(const json_t *v)
{
    return json_is_string(v) ? (struct smi_text){json_string_value(v), json_string_length(v)}
                             : (struct smi_text){"", 0};
}

bool smi_json_field(struct smi_field *f, char *digits, const char *key, const json_t *v, bool in_data)
{
    struct smi_text wide;
    bool beyond = smi_json_big_number(v, &wide);
    if ((json_is_object(v) && !beyond) || json_is_array(v))
        return false;
    *f = (struct smi_field){.key = smi_text_of(key),
                            .in_data = in_data,
                            .quoted = json_is_string(v),
                            .text = smi_json_string_of(v)};
    if (beyond) {
        f->text = wide;
    } else if (json_is_number(v)) {
        f->number = smi_json_number(v, &f->micro);
        f->text = (struct smi_text){digits, smi_json_digits(v, digits)};
    } else if (!f->quoted) {
        f->text = smi_text_of(json_is_true(v) ? "true" : json_is_false(v) ? "false" : "null");
    }
    return true;
}

int smi_json_reading(unsigned metric, const json_t *v, bool quote, struct smi_account *a, int64_t *micro)
{
    char digits[SMI_JSON_DIGITS];
    struct smi_text text;
    const bool wide = smi_json_big_number(v, &text), number = wide || json_is_number(v);
    if (json_is_null(v))
        return smi_line_count(&a->cells_missing);
    if (!wide && number && smi_json_number(v, micro) && smi_reading_fits(metric, *micro))
        return 1;
    if (!number)
        text = smi_text_of(quote && json_is_string(v) ? json_string_value(v) : "no number");
    else if (!wide)
        text = (struct smi_text){digits, smi_json_digits(v, digits)};
    smi_cell_count_lost(a, number ? SMI_CELL_RANGE : SMI_CELL_BAD, metric, text);
    return 0;
}

/* ---- documents on one line or on several ---- */

enum { DOCUMENT_MAX = SMI_LINE_MAX };

struct smi_text smi_json_document_line(const struct smi_json_document *d)
{
    const char *lf = memchr(d->text.p, '\n', d->text.n);
    return (struct smi_text){d->text.p, lf ? (size_t)(lf - d->text.p) : d->text.n};
}

void smi_json_document_reject(struct smi_json_document *d, enum smi_reject why)
{
    d->account->rejected[why] += d->count - 1;
    smi_account_reject(d->account, why, smi_json_document_line(d));
}

int smi_json_document_add(struct smi_json_document *d, struct smi_text line)
{
    d->count++;
    d->dropped |= d->text.n + line.n >= DOCUMENT_MAX;
    if (d->dropped)
        return 0;
    smi_buf_add(&d->text, line.p, line.n);
    smi_buf_char(&d->text, '\n');
    d->depth = smi_json_depth(d->depth, line);
    d->dropped = d->depth > SMI_JSON_DEPTH;
    if (d->depth > 0)
        return 0;
    d->open = false; /* the brackets have closed */
    if (d->dropped)
        smi_json_document_reject(d, SMI_REJECT_TOO_LONG);
    return !d->dropped;
}

int smi_json_document_begin(struct smi_json_document *d, struct smi_account *a, struct smi_text line)
{
    if (d->open)
        smi_json_document_reject(d, d->dropped ? SMI_REJECT_TOO_LONG : SMI_REJECT_FOREIGN);
    smi_buf_clear(&d->text);
    d->account = a;
    d->count = 0;
    d->depth = 0;
    d->open = true;
    d->dropped = false;
    return smi_json_document_add(d, line);
}

void smi_json_document_parse(struct smi_json_document *d, json_t **value)
{
    const struct smi_text t = {d->text.p, d->text.n};
    json_error_t why;
    size_t lost; /* to null, which is absent as any other */
    *value = NULL;
    if (!smi_text_is_utf8(t)) {
        smi_json_document_reject(d, SMI_REJECT_BAD_ENCODING);
        return;
    }
    smi_json_load(t, &d->repaired, value, &lost, &why);
    if (!*value)
        smi_json_document_reject(d, SMI_REJECT_FOREIGN);
}

void smi_json_document_count(struct smi_json_document *d, int64_t rows)
{
    if (rows == 0)
        d->account->messages += d->count;
    else if (rows < d->count)
        d->account->header += d->count - rows;
    else
        d->extra += rows - d->count;
}

bool smi_json_document_closes(const struct smi_json_document *d, struct smi_text line)
{
    return d->open && !d->dropped && smi_json_depth(d->depth, line) == 0;
}

/* A document that the end of the log cuts is a torn tail; if it is cut inside a line, that was said. */
void smi_json_document_finish(struct smi_json_document *d)
{
    struct smi_account *a = d->account;
    if (!a)
        return;
    if (d->open && a->rejected[SMI_REJECT_TORN_TAIL])
        a->rejected[SMI_REJECT_TORN_TAIL] += d->count;
    else if (d->open)
        smi_json_document_reject(d, SMI_REJECT_TORN_TAIL);
    d->open = false;
    a->lines += d->extra;
    d->extra = 0;
}

void smi_json_document_fini(struct smi_json_document *d)
{
    smi_buf_fini(&d->text);
    smi_buf_fini(&d->repaired);
}

struct smi_text smi_json_cell(const json_t *value, char digits[SMI_JSON_DIGITS])
{
    struct smi_text wide;
    if (json_is_string(value))
        return smi_text_trim((struct smi_text){json_string_value(value), json_string_length(value)});
    if (smi_json_big_number(value, &wide))
        return wide;
    if (json_is_number(value))
        return (struct smi_text){digits, smi_json_digits(value, digits)};
    return smi_text_of(json_is_null(value) ? "N/A" : "?");
}

/* ---- flat objects on a line, as slices of it ---- */

enum { DIGITS = 15 /* decimal digits that every double gives again */, WHOLE = 12, DECIMALS = 6 };

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

typedef signed char bytes_of_line __attribute__((vector_size(16)));

static bool is_any(bytes_of_line x)
{
    uint64_t half[2];
    memcpy(half, &x, sizeof half);
    return half[0] | half[1];
}

/* Are all bytes printable ASCII? *escapes: perhaps there are some. A line of less than a vector is no entry
 * of a log. */
static bool is_printable(struct smi_text t, bool *escapes)
{
    bytes_of_line x, odd = {0}, slash = {0};
    for (size_t i = 0; t.n >= sizeof x && i < t.n; i += sizeof x) {
        memcpy(&x, t.p + (i + sizeof x < t.n ? i : t.n - sizeof x), sizeof x);
        odd |= (x < ' ') | (x == 0x7F);
        slash |= x == '\\';
    }
    *escapes = is_any(slash);
    return t.n >= sizeof x && !is_any(odd);
}

/* The character of "u00b5" at p. Returns what is behind it; NULL: it is none, or half of a pair. */
static const char *take_unicode(const char *p, const char *end, uint32_t *c)
{
    static const char hex[] = "0123456789abcdef";
    const char *digit;
    int i = 0;
    for (*c = 0; i < 4 && ++p < end && (digit = memchr(hex, *p | (*p > '9' ? ' ' : 0), 16)); i++)
        *c = *c << 4 | (uint32_t)(digit - hex);
    return i == 4 && (*c < 0xD800 || *c > 0xDFFF) ? p + 1 : NULL;
}

/* Decodes a text with escapes, which is no longer then. Returns false if one is wrong, or half of a pair. */
static bool decode(struct smi_json_values *v, struct smi_text *t, size_t line)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *p = t->p, *end = p + t->n, *escape, *known;
    char *to;
    if (v->used == 0)
        smi_mem_reserve(&v->decoded, &v->cap, line, 1);
    t->p = to = v->decoded + v->used;
    for (uint32_t c; (escape = memchr(p, '\\', (size_t)(end - p)));) {
        to = mempcpy(to, p, (size_t)(escape - p));
        p = escape + 1; /* a text does not end with a backslash */
        if ((known = memchr(escapes, *p, sizeof escapes - 1))) {
            *to++ = meant[known - escapes];
            p++;
        } else if (*p == 'u' && (p = take_unicode(p, end, &c))) {
            to += smi_text_write_utf8(to, c);
        } else {
            return false;
        }
    }
    to = mempcpy(to, p, (size_t)(end - p));
    t->n = (size_t)(to - t->p);
    v->used += t->n;
    return true;
}

/* The first quote at or behind p; NULL: there is none. Eight bytes at a time: most texts are short. */
static const char *find_quote(const char *p, const char *end)
{
    for (uint64_t x; end - p >= 8; p += 8) {
        x = smi_text_word8(p) ^ SMI_EVERY_BYTE('"');
        x = (x - SMI_EVERY_BYTE(1)) & ~x & SMI_EVERY_BYTE(0x80);
        if (x)
            return p + __builtin_ctzll(x) / 8;
    }
    while (p < end && *p != '"')
        p++;
    return p < end ? p : NULL;
}

/* The text behind the quote at p. Returns what is behind its other quote; NULL: it has none. */
static const char *take_string(const char *p, const char *end, struct smi_text *t)
{
    const char *quote = p, *back;
    do {
        quote = find_quote(quote, end);
        for (back = quote; back && back > p && back[-1] == '\\';)
            back--;
    } while (quote && (quote - back) % 2 && quote++);
    if (!quote)
        return NULL;
    *t = (struct smi_text){p, (size_t)(quote - p)};
    return quote + 1;
}

/* Takes a number. Returns what is behind it; NULL: it does not read the same when Python writes it again, but
 * for zeros at its end (an exponent, 1e-05). */
static const char *take_number(const char *p, const char *end, struct smi_field *f)
{
    static const uint64_t units[DECIMALS + 1] = {1000000, 100000, 10000, 1000, 100, 10, 1};
    const char *const from = p, *const whole = p + (*p == '-'), *dot, *last;
    uint64_t v = 0;
    for (p = whole; p < end && smi_is_digit(*p); p++)
        v = v * 10 + (uint64_t)(*p - '0'); /* may wrap: then there are too many digits */
    dot = last = p;
    if (p < end && *p == '.') {
        while (++p < end && smi_is_digit(*p))
            v = v * 10 + (uint64_t)(*p - '0');
        for (last = p; last > dot + 2 && last[-1] == '0';)
            last--;
    }
    if (dot == whole || p == dot + 1 || (*whole == '0' && dot > whole + 1) ||
        (*whole == '0' && last - dot > 4 && memcmp(dot + 1, "0000", 4) == 0) || last - whole > DIGITS)
        return NULL;
    f->text = (struct smi_text){from, (size_t)(last - from)};
    if (dot - whole <= WHOLE && p <= dot + 1 + DECIMALS)
        f->micro = (int64_t)(v * units[p > dot ? p - dot - 1 : 0]) * (whole > from ? -1 : 1);
    else if (smi_text_parse_micro(f->text, &f->micro))
        return NULL;
    f->number = true;
    return whole > from && !f->micro ? NULL : p;
}

enum smi_json_member smi_json_next(struct smi_text *t, struct smi_field *f, bool *plain)
{
    const char *end = t->p + t->n, *p = skip_blanks(t->p, end), *from;
    bool more;
    f->number = false;
    if (p == end || *p != '"' || !(p = take_string(p + 1, end, &f->key)))
        return SMI_JSON_NONE;
    p = skip_blanks(p, end);
    if (p == end || *p != ':' || (p = skip_blanks(p + 1, end)) == end)
        return SMI_JSON_NONE;
    if (*p == '{') {
        *t = (struct smi_text){p + 1, (size_t)(end - p - 1)};
        return SMI_JSON_OBJECT;
    }
    f->quoted = *p == '"';
    if (f->quoted) {
        if (!(p = take_string(p + 1, end, &f->text)))
            return SMI_JSON_NONE;
    } else {
        from = p;
        p = *p < 'a' ? take_number(p, end, f) : NULL;
        if (!p || (p<end && * p> ' ' && *p != ',' && *p != '}')) { /* a word, or what is no number */
            for (p = from; p<end && * p> ' ' && *p != ',' && *p != '}';)
                p++;
            f->text = (struct smi_text){from, (size_t)(p - from)};
            f->number = false;
            *plain &= *from >= 'a' && smi_text_is_bare(f->text);
        }
    }
    p = skip_blanks(p, end);
    more = p < end && *p == ',';
    if (!more && (p == end || *p != '}'))
        return SMI_JSON_NONE;
    *t = (struct smi_text){p + 1, (size_t)(end - p - 1)};
    return more ? SMI_JSON_MORE : SMI_JSON_LAST;
}

/* *seen: a bit for each beginning and length of those before. */
static bool is_repeated_key(const struct smi_json_values *v, const struct smi_field *f, unsigned from,
                            uint64_t *seen)
{
    const uint64_t bit = (uint64_t)1 << ((f->key.n * 27 + (f->key.n ? (unsigned char)*f->key.p : 0)) & 63);
    const bool again = *seen & bit;
    *seen |= bit;
    for (unsigned i = from; again && i < v->n; i++)
        if (v->field[i].key.n == f->key.n && memcmp(v->field[i].key.p, f->key.p, f->key.n) == 0)
            return true;
    return false;
}

/* Takes a brace, off the end of t too. */
static bool takes_brace(struct smi_text *t, char brace)
{
    *t = smi_text_trim(*t);
    if (!t->n || *t->p != brace)
        return false;
    *t = (struct smi_text){t->p + 1, t->n - 1};
    return true;
}

bool smi_json_fast_line(struct smi_text line, struct smi_json_values *v)
{
    enum smi_json_member what = SMI_JSON_MORE;
    unsigned from = 0;
    uint64_t seen = 0;
    const size_t n = line.n;
    bool plain = true, in_data = false, escapes;
    v->n = 0;
    v->used = 0;
    if (!is_printable(line, &escapes) || !takes_brace(&line, '{'))
        return false;
    if (takes_brace(&line, '}'))
        what = SMI_JSON_LAST;
    while (what == SMI_JSON_MORE && v->n < SMI_JSON_VALUES) {
        struct smi_field *f = &v->field[v->n];
        f->in_data = in_data;
        what = smi_json_next(&line, f, &plain);
        if (what == SMI_JSON_NONE || !plain || is_repeated_key(v, f, from, &seen) ||
            (escapes && memchr(f->key.p, '\\', f->key.n)))
            return false;
        if (what != SMI_JSON_OBJECT) {
            if (escapes && f->quoted && memchr(f->text.p, '\\', f->text.n) && !decode(v, &f->text, n))
                return false;
            v->n++;
            continue;
        }
        if (in_data || !smi_text_is(f->key, "data"))
            return false;
        in_data = true;
        from = v->n;
        seen = 0;
        what = takes_brace(&line, '}') ? SMI_JSON_LAST : SMI_JSON_MORE;
    }
    return what == SMI_JSON_LAST && (!in_data || takes_brace(&line, '}')) && !smi_text_trim(line).n;
}
