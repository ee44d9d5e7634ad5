/* json_line.c - JSON of logs: objects on a line, documents on several lines, flat objects as slices. */
#include "formats/json_line.h"
#include "base/mem.h"

#include <stdio.h>
#include <string.h>

const struct smi_json_value *smi_json_line(struct smi_text line, struct smi_json_values *d,
                                           struct smi_account *a)
{
    const bool good = smi_json_parse(smi_text_trim(line), d);
    if (!good && smi_json_depth(0, line) > SMI_JSON_DEPTH) {
        smi_account_warn(a, SMI_REJECT_FOREIGN, "JSON deeper than %d levels", SMI_JSON_DEPTH);
        a->rejected[SMI_REJECT_FOREIGN]++;
        return NULL;
    }
    if (!good || d->v->kind != SMI_JSON_OBJECT) {
        smi_account_reject(a, smi_text_is_utf8(line) ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_ENCODING, line);
        return NULL;
    }
    if (d->lost)
        smi_account_warn(a, SMI_LOG_WARNING_OTHER, "%lld value%s NaN or Infinity read as null",
                         (long long)d->lost, d->lost == 1 ? "" : "s");
    a->cells_missing += d->lost;
    return d->v;
}

int smi_json_only(void *self, struct smi_text line)
{
    struct smi_lines *l = self;
    const struct smi_text t = smi_text_trim(line);
    const struct smi_json_value *entry;
    if (*t.p != '{' && l->format->line)
        return l->format->line(self, line);
    if (*t.p != '{' && smi_message_count(l->account, t))
        return 0;
    entry = smi_json_line(t, l->json, l->account);
    return entry ? l->format->entry(self, entry, line) : 0;
}

struct smi_json_fields *smi_json_fields(struct smi_lines *l)
{
    if (!l->fields)
        l->fields = smi_mem_raw(sizeof *l->fields);
    l->fields->n = 0;
    l->fields->full = false;
    return l->fields;
}

void smi_json_field_add(struct smi_json_fields *to, const struct smi_json_value *v, bool in_data)
{
    struct smi_field *f = &to->field[to->n];
    to->full |= v->kind < SMI_JSON_OBJECT && to->n == SMI_JSON_FIELDS;
    if (v->kind >= SMI_JSON_OBJECT || to->n == SMI_JSON_FIELDS)
        return;
    *f = v->f;
    f->in_data = in_data;
    if (v->kind == SMI_JSON_NUMBER && !v->exact)
        f->text = smi_json_plain(v, to->digits[to->n]);
    to->n++;
}

int smi_json_mark(struct smi_lines *l, struct smi_mark *m, struct smi_text time,
                  const struct smi_json_value *seconds, const struct smi_json_fields *f, struct smi_text line)
{
    const int64_t longest_us = INT64_C(1000000000) * 1000000; /* of one phase: 31 years */
    bool zoned;
    if (smi_minute_parse(&l->minute, time, &m->t_us, &zoned))
        return smi_line_reject(l->account, SMI_REJECT_BAD_TIME, line);
    if (m->kind == SMI_MARK_PHASE) {
        m->span_us = seconds ? seconds->f.micro : 0;
        if (!seconds || !seconds->f.number || m->span_us < 0 || m->span_us > longest_us)
            return smi_line_reject(l->account, SMI_REJECT_BAD_NUMBER, line);
    }
    /* names are C strings: it would be cut; only an escape can be one */
    if ((!l->json || l->json->used) && memchr(m->name.p, 0, m->name.n)) {
        smi_account_warn(l->account, SMI_REJECT_FOREIGN, "a name with a NUL byte");
        return smi_line_count(&l->account->rejected[SMI_REJECT_FOREIGN]);
    }
    l->account->rows++;
    if (f->full)
        smi_account_warn(l->account, SMI_LOG_WARNING_OTHER, "more than %d values: the rest is not read",
                         SMI_JSON_FIELDS);
    m->field = f->field;
    m->fields = f->n;
    return smi_lines_mark(l, m);
}

bool smi_json_is_whole(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '{' && t.p[t.n - 1] == '}' && smi_json_depth(0, t) == 0;
}

void smi_json_reading(struct smi_sample *row, unsigned metric, unsigned unit, const struct smi_json_value *v,
                      struct smi_account *a)
{
    char digits[SMI_JSON_DIGITS];
    int64_t micro;
    const enum smi_cell_status what =
        v->kind == SMI_JSON_NULL ? SMI_CELL_MISSING
        : v->kind != SMI_JSON_NUMBER
            ? SMI_CELL_BAD
            : smi_cell_number(metric, &smi_units[unit], SMI_CELL_REAL, v->f.text, &micro);
    if (what == SMI_CELL_OK)
        smi_sample_add(row, metric, micro);
    else
        smi_cell_count_lost(a, what, metric,
                            v->kind < SMI_JSON_OBJECT ? smi_json_plain(v, digits) : smi_text_of("no number"));
}

/* ---- JSON as slices of its text ---- */

enum { WHOLE = 12, DECIMALS = 6 /* digits of a number that is read the short way */, FEW = 64 /* members */ };

struct parser {
    struct smi_json_values *to;
    const char *end;
    bool line; /* the text ends in front of a line feed, if there is one */
};

static inline const char *skip_blanks(const struct parser *s, const char *p)
{
    while (p < s->end && (unsigned char)*p <= ' ' &&
           (*p == ' ' || *p == '\t' || *p == '\r' || (*p == '\n' && !s->line)))
        p++;
    return p;
}

/* Four hexadecimal digits at p. Returns what is behind them, or NULL. */
static const char *take_hex(const char *p, const char *end, uint32_t *c)
{
    static const char hex[] = "0123456789abcdef";
    const char *digit, *to = p + 4;
    for (*c = 0; p < to && p < end && (digit = memchr(hex, *p | (*p > '9' ? ' ' : 0), 16)); p++)
        *c = *c << 4 | (uint32_t)(digit - hex);
    return p == to ? p : NULL;
}

/* The character behind "\u". Returns what is behind it; NULL: it is none, or half of a pair, and there are to
 * be no halves. */
static const char *take_unicode(const char *p, const char *end, bool halves, uint32_t *c)
{
    const char *const behind = take_hex(p, end, c);
    uint32_t low;
    if (!behind || *c < 0xD800 || *c > 0xDFFF)
        return behind;
    if (*c > 0xDBFF || end - behind < 6 || behind[0] != '\\' || behind[1] != 'u' ||
        !(p = take_hex(behind + 2, end, &low)) || low < 0xDC00 || low > 0xDFFF)
        return halves ? behind : NULL;
    *c = 0x10000 + ((*c - 0xD800) << 10) + (low - 0xDC00);
    return p;
}

/* Decodes a text with escapes, which is no longer then, between quotes. Returns false if one is wrong. */
static bool decode(struct parser *s, struct smi_text *t)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *p = t->p, *end = p + t->n, *escape, *known;
    const char *lf = s->line && s->to->used == 0 ? memchr(end, '\n', (size_t)(s->end - end)) : NULL;
    char *to;
    if (s->to->used == 0) /* what is decoded is no longer than the text; it has to stay where it is */
        smi_mem_reserve(&s->to->decoded, &s->to->room, (size_t)((lf ? lf : s->end) - p) + 1, 1);
    to = s->to->decoded + s->to->used;
    *to++ = '"';
    t->p = to;
    for (uint32_t c; (escape = memchr(p, '\\', (size_t)(end - p)));) {
        to = mempcpy(to, p, (size_t)(escape - p));
        p = escape + 1; /* a text does not end with a backslash */
        if ((known = memchr(escapes, *p, sizeof escapes - 1))) {
            *to++ = meant[known - escapes];
            p++;
        } else if (*p == 'u' && (p = take_unicode(p + 1, end, s->to->marks, &c))) {
            const bool mark = s->to->marks && (c <= 1 || (c >= 0xD800 && c <= 0xDFFF));
            to += mark ? (size_t)sprintf(to, "\1%04x", (unsigned)c) : smi_text_write_utf8(to, c);
        } else {
            return false;
        }
    }
    to = mempcpy(to, p, (size_t)(end - p));
    *to = '"';
    t->n = (size_t)(to - t->p);
    s->to->used += t->n + 2;
    return true;
}

/* The first byte from p on that is a quote, a backslash or no printable ASCII; or end. */
static inline const char *find_special(const char *p, const char *end)
{
    typedef signed char chars16 __attribute__((vector_size(16)));
    chars16 x;
    for (uint64_t found; end - p >= (ptrdiff_t)sizeof x; p += sizeof x) {
        memcpy(&x, p, sizeof x);
        found = smi_byte_mask((smi_bytes16)((x < ' ') | (x == '"') | (x == '\\')));
        if (found)
            return p + __builtin_ctzll(found);
    }
    while (p < end && (signed char)*p >= ' ' && *p != '"' && *p != '\\')
        p++;
    return p;
}

/* As take_string, where there are escapes, or bytes that are not ASCII. */
static const char *take_odd_string(struct parser *s, const char *p, struct smi_text *t)
{
    const char *quote = find_special(p, s->end);
    bool escapes = false;
    while (quote < s->end && *quote != '"') {
        if ((unsigned char)*quote < ' ')
            return NULL;
        escapes |= *quote == '\\';
        quote = find_special(quote + 1 + (*quote == '\\'), s->end);
    }
    if (quote >= s->end)
        return NULL;
    *t = smi_text_between(p, quote);
    return smi_text_is_utf8(*t) && (!escapes || decode(s, t)) ? quote + 1 : NULL;
}

/* The text behind the quote at p. Returns what is behind its other quote; NULL: it is none. */
static inline const char *take_string(struct parser *s, const char *p, struct smi_text *t)
{
    const char *quote = find_special(p, s->end);
    if (quote == s->end || *quote != '"')
        return take_odd_string(s, p, t);
    *t = smi_text_between(p, quote);
    return quote + 1;
}

/* The same of a number with many digits, or an exponent, which ends at p. */
static const char *take_odd_number(struct smi_json_value *v, const char *p)
{
    double real;
    v->f.number = v->exact ? smi_text_parse_micro(v->f.text, &v->f.micro) == 0
                           : smi_real_parse(v->f.text, &real) == 0 && smi_json_real(real, &v->f.micro);
    return p;
}

/* Takes a number. Returns what is behind it; NULL: it is none. Exact is what is whole, or of few digits. */
static const char *take_number(const char *p, const char *end, struct smi_json_value *v)
{
    const uint64_t dense = (uint64_t)1 << 52; /* more millionths are not all of them doubles */
    const char *const from = p, *const whole = p + (*p == '-'), *dot, *last;
    uint64_t n = 0;
    bool few;
    for (p = whole; p < end && smi_is_digit(*p); p++)
        n = n * 10 + (uint64_t)(*p - '0'); /* may wrap: then there are too many digits */
    dot = last = p;
    if (p < end && *p == '.') {
        while (++p < end && smi_is_digit(*p))
            n = n * 10 + (uint64_t)(*p - '0');
        for (last = p; last > dot + 2 && last[-1] == '0';) /* zeros at its end say nothing */
            last--;
    }
    few = dot - whole <= WHOLE && p <= dot + 1 + DECIMALS;
    n *= few ? smi_decimal_units[p > dot ? p - dot - 1 : 0] : 1;
    if (dot == whole || p == dot + 1 || (*whole == '0' && dot > whole + 1))
        return NULL;
    v->kind = SMI_JSON_NUMBER;
    v->exact = p == dot || (few && n < dense && (n == 0 || n > 99)); /* 1e-05 */
    if (p < end && (*p | ' ') == 'e') {
        p += end - p > 1 && (p[1] == '+' || p[1] == '-') ? 2 : 1;
        if (p >= end || !smi_is_digit(*p))
            return NULL;
        while (p < end && smi_is_digit(*p))
            p++;
        v->exact = few = false;
    }
    v->f.text = smi_text_between(from, v->exact ? last : p);
    if (p == dot && smi_text_is(v->f.text, "-0"))
        v->f.text = smi_text_between(whole, p);
    v->f.micro = whole > from && few ? -(int64_t)n : (int64_t)n;
    v->f.number = true;
    return v->exact && few ? p : take_odd_number(v, p);
}

static const char *take_word(struct parser *s, const char *p, struct smi_json_value *v)
{
    static const char *const words[] = {"null", "true", "false", "NaN", "Infinity", "-Infinity"};
    enum { LOST = 3 /* Python's words, which are read as null */ };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);
        if ((size_t)(s->end - p) < n || memcmp(p, words[i], n))
            continue;
        v->kind = i && i < LOST ? SMI_JSON_WORD : SMI_JSON_NULL;
        v->f.text = smi_text_of(words[i < LOST ? i : 0]);
        v->f.micro = i < LOST ? 0 : (int64_t)n;
        s->to->lost += i >= LOST;
        return p + n;
    }
    return NULL;
}

/* Of the members of the last object, at `of`, that have one key the last counts: one that has it goes. A
 * writer that repeats a key is a rare one: it is sought among the first FEW. */
static void drop_repeated(struct smi_json_values *d, size_t of, struct smi_text key)
{
    size_t at = of + 1, n;
    for (int i = 0; i < FEW && at < d->n && !smi_text_equal(d->v[at].f.key, key); i++)
        at += d->v[at].size;
    if (at == d->n || !smi_text_equal(d->v[at].f.key, key))
        return;
    n = d->v[at].size;
    d->n -= n;
    memmove(d->v + at, d->v + at + n, (d->n - at) * sizeof *d->v);
}

/* A text, until something else is known. */
static inline struct smi_json_value *add_value(struct smi_json_values *d, struct smi_text key, uint8_t own)
{
    if (d->n == d->cap)
        smi_mem_reserve(&d->v, &d->cap, d->n + 1, sizeof *d->v);
    d->v[d->n] = (struct smi_json_value){.f.key = key, .kind = SMI_JSON_STRING, .own = own, .size = 1};
    return &d->v[d->n++];
}

/* Takes the key behind the brace or comma at p, and keeps how it was spelt. Returns its value; NULL: there is
 * none. */
static const char *take_new_key(struct parser *s, const char *p, struct smi_text *key,
                                struct smi_json_front *f)
{
    struct smi_json_values *d = s->to;
    const char *const from = p;
    const size_t used = d->used;
    p = skip_blanks(s, p + 1);
    if (p == s->end || *p != '"' || !(p = take_string(s, p + 1, key)) ||
        (d->used > used && memchr(key->p, 0, key->n)))
        return NULL;
    p = skip_blanks(s, p);
    if (p == s->end || *p != ':')
        return NULL;
    p = skip_blanks(s, p + 1);
    *f = (struct smi_json_front){.own = (uint8_t)(d->key ? d->key(*key) : 0),
                                 .bit = (uint64_t)1
                                        << ((key->n * 27 + (key->n ? (unsigned char)*key->p : 0)) & 63)};
    if (d->used == used && p - from <= SMI_JSON_FRONT) {
        f->n = (uint8_t)(p - from);
        f->key = (uint8_t)(key->p - from);
        f->key_n = (uint8_t)key->n;
        memcpy(f->text, from, f->n);
    }
    return p;
}

/* What was kept for this place and stands at p; or NULL. */
static inline struct smi_json_front *find_front(struct smi_json_front *f, const char *p, size_t left)
{
    const size_t word = sizeof(uint64_t);
    for (int i = 0; i < SMI_JSON_WAYS && left > word; i++, f++) {
        const size_t n = f->n;
        const uint64_t differ = smi_text_word8(p) ^ smi_text_word8(f->text);
        if (n <= word
                ? n && differ << 8 * (word - n) == 0
                : !differ && left > n && smi_text_word8(p + n - word) == smi_text_word8(f->text + n - word) &&
                      (n <= 2 * word || memcmp(p, f->text, n) == 0))
            return f;
    }
    return NULL;
}

/* The object or list at p, which is the last value. Returns what is behind it; NULL: it is none. */
static const char *take_list(struct parser *s, const char *p, int depth)
{
    struct smi_json_values *d = s->to;
    struct smi_json_value *v;
    const size_t at = d->n - 1;
    const bool object = *p == '{';
    const char close = object ? '}' : ']', *const inside = skip_blanks(s, p + 1);
    uint64_t seen = 0; /* a bit for each beginning and length of a key */
    int64_t elements = 0;
    if (depth > SMI_JSON_DEPTH || inside == s->end)
        return NULL;
    if (*inside == close)
        p = inside;
    while (*p != close) {
        if (object) {
            /* the texts of a log have the same keys again and again: nearly all are known by their bytes */
            struct smi_json_front *const place = d->front[d->n % SMI_JSON_PLACES], *f;
            struct smi_text key, fresh;
            if ((f = find_front(place, p, (size_t)(s->end - p)))) {
                key = (struct smi_text){p + f->key, f->key_n};
                p = skip_blanks(s, p + f->n); /* it may have been spelt without them */
            } else {
                memmove(place + 1, place, (SMI_JSON_WAYS - 1) * sizeof *place);
                f = place;
                if (!(p = take_new_key(s, p, &fresh, f)))
                    return NULL;
                key = fresh;
            }
            if (seen & f->bit)
                drop_repeated(d, at, key);
            seen |= f->bit;
            v = add_value(d, key, f->own);
        } else {
            p = skip_blanks(s, p + 1);
            v = add_value(d, (struct smi_text){"", 0}, 0);
            elements++;
        }
        if (p == s->end)
            return NULL;
        v->f.quoted = *p == '"';
        p = v->f.quoted                                    ? take_string(s, p + 1, &v->f.text)
            : *p == '{' || *p == '['                       ? take_list(s, p, depth + 1)
            : s->end - p > 1 && smi_is_digit(p[*p == '-']) ? take_number(p, s->end, v)
                                                           : take_word(s, p, v);
        if (!p)
            return NULL;
        p = skip_blanks(s, p);
        if (p == s->end || (*p != ',' && *p != close))
            return NULL;
    }
    d->v[at].kind = object ? SMI_JSON_OBJECT : SMI_JSON_LIST;
    d->v[at].f.micro = elements;
    d->v[at].size = d->n - at;
    return p + 1;
}

/* The object or list that the text begins with. Returns what is behind it; NULL: it is none. */
static const char *parse(struct parser *s, const char *p)
{
    struct smi_json_values *d = s->to;
    if (!d->front)
        d->front = smi_mem_new(SMI_JSON_PLACES, sizeof *d->front);
    d->n = d->used = 0;
    d->lost = 0;
    add_value(d, (struct smi_text){"", 0}, 0);
    return p < s->end && (*p == '{' || *p == '[') ? take_list(s, p, 1) : NULL;
}

bool smi_json_parse(struct smi_text t, struct smi_json_values *d)
{
    struct parser s = {.to = d, .end = t.p + t.n};
    const char *p = parse(&s, skip_blanks(&s, t.p));
    return p && skip_blanks(&s, p) == s.end;
}

/* Lines that are an object, and nothing else. Those of Docker, which begin with "log", are a matter of
 * lines.c. */
size_t smi_json_rows(void *self, const char *p, size_t n)
{
    struct smi_lines *l = self;
    struct parser s = {.to = l->json, .line = true};
    const char *const from = p, *const end = p + n, *close, *lf;
    for (; p < end && *p == '{' && !l->docker.part[0].n && !l->docker.part[1].n; p = lf + 1) {
        s.end = end - p > SMI_LINE_MAX ? p + SMI_LINE_MAX + 1 : end;
        close = lf = parse(&s, p);
        lf = lf && lf < s.end && *lf == '\r' ? lf + 1 : lf;
        if (!lf || lf == s.end || *lf != '\n' || s.to->lost ||
            (s.to->n > 1 && smi_text_is(s.to->v[1].f.key, "log")))
            break;
        l->account->lines++;
        l->format->entry(self, s.to->v, smi_text_between(p, close));
    }
    return (size_t)(p - from);
}

void smi_json_values_fini(struct smi_json_values *d)
{
    if (!d)
        return;
    smi_mem_free(d->v);
    smi_mem_free(d->decoded);
    smi_mem_free(d->front);
}

const struct smi_json_value *smi_json_get(const struct smi_json_value *of, struct smi_text key)
{
    SMI_JSON_EACH (c, smi_json_is(of, SMI_JSON_OBJECT) ? of : NULL)
        if (smi_text_equal(c->f.key, key))
            return c;
    return NULL;
}

const struct smi_json_value *smi_json_element(const struct smi_json_value *list, size_t at)
{
    const struct smi_json_value *c = list + 1;
    if (!smi_json_is(list, SMI_JSON_LIST) || at >= (size_t)list->f.micro)
        return NULL;
    if (list->size == (size_t)list->f.micro + 1) /* none holds others */
        return c + at;
    while (at--)
        c += c->size;
    return c;
}

struct smi_text smi_json_plain(const struct smi_json_value *v, char digits[SMI_JSON_DIGITS])
{
    double real;
    if (v->kind != SMI_JSON_NUMBER || v->exact || smi_real_parse(v->f.text, &real))
        return v->f.text;
    return (struct smi_text){digits, smi_real_write(digits, real)};
}

/* The reference's RunLog: one JSON object a line, times in UTC, the `ts` of a phase is its end.
 *
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 1.234}
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "error", "data": {"code": 3}}
 *
 * Extra keys of a phase override name and seconds, as Python's dict.update: of a key given twice the last
 * counts. Python also writes NaN and Infinity, which JSON does not have: they are read as null. */
/* The keys that the log itself writes. Those behind DATA are no fields of a mark: it says the same itself. */
enum { OTHER, NAME, DATA, TS, TYPE, EVENT, SECONDS, OWN };

static enum smi_sniff sniff_runlog(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '{' && smi_json_has_key(t, "\"ts\"", 0) && smi_json_has_key(t, "\"type\"", 0)
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

/* smi_format.key */
static int own_key(struct smi_text key)
{
    static const char *const keys[OWN] = {[NAME] = "name", "data", "ts", "type", "event", "seconds"};
    int i = NAME;
    while (i < OWN && !smi_text_is(key, keys[i]))
        i++;
    return i < OWN ? i : OTHER;
}

static int read_runlog_entry(struct smi_reader *r, const struct smi_json_value *entry, struct smi_text line)
{
    static const struct smi_json_value none;
    const struct smi_json_value *own[OWN] = {&none, &none, &none, &none, &none, &none, &none}, *name;
    struct smi_lines *l = (struct smi_lines *)r;
    struct smi_json_fields *const f = smi_json_fields(l);
    struct smi_mark m = {0};
    char digits[SMI_JSON_DIGITS];
    SMI_JSON_EACH (c, entry) { /* the log's own keys are read wherever they stand */
        own[c->own] = c;
        if (c->own <= DATA)
            smi_json_field_add(f, c, false);
    }
    SMI_JSON_EACH (c, own[DATA]->kind == SMI_JSON_OBJECT ? own[DATA] : NULL)
        smi_json_field_add(f, c, true);
    const struct smi_text type = smi_json_text_of(own[TYPE]);
    m.kind = smi_text_is(type, "phase") ? SMI_MARK_PHASE : SMI_MARK_EVENT;
    name = own[m.kind == SMI_MARK_PHASE ? NAME : EVENT];
    m.name = name->f.quoted ? name->f.text : smi_json_plain(name, digits);
    if ((m.kind == SMI_MARK_EVENT && !smi_text_is(type, "event")) || !m.name.p || !own[TS]->f.text.p)
        return smi_line_reject(l->account, SMI_REJECT_FOREIGN, line);
    return smi_json_mark(l, &m, smi_json_text_of(own[TS]), own[SECONDS], f, line);
}

const struct smi_format smi_format_runlog = {
    .size = sizeof(struct smi_lines),
    .sniff = sniff_runlog,
    .entry = read_runlog_entry,
    .key = own_key,
};
