#include "jsonl/plain_line.h"

#include <string.h>

enum { DIGITS = 15 /* decimal digits that every double gives again */ };

struct scan {
    const char *p, *end;
    struct smi_field *field;
    int n;
};

static void blanks(struct scan *s)
{
    while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
        s->p++;
}

static bool eat(struct scan *s, char c)
{
    blanks(s);
    if (s->p == s->end || *s->p != c)
        return false;
    s->p++;
    return true;
}

/* The text between quotes, without escapes. */
static bool string(struct scan *s, struct smi_text *t)
{
    const char *from;
    if (!eat(s, '"'))
        return false;
    for (from = s->p; s->p < s->end && *s->p != '"'; s->p++)
        if ((unsigned char)*s->p < ' ' || (unsigned char)*s->p > '~' || *s->p == '\\')
            return false;
    *t = (struct smi_text){from, (size_t)(s->p - from)};
    return eat(s, '"');
}

static const char *digits(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* A number that reads the same when it is written again: no exponent, no zeros that say nothing. */
static bool number(struct scan *s, struct smi_field *f)
{
    const char *from = s->p, *whole = from + (*from == '-'), *dot = digits(whole, s->end), *end = dot;
    bool zero = dot == whole + 1 && *whole == '0';
    if (dot == whole || (*whole == '0' && !zero))
        return false;
    if (dot < s->end && *dot == '.') {
        end = digits(dot + 1, s->end);
        if (end == dot + 1 || (end[-1] == '0' && end > dot + 2))
            return false;
        if (zero && end - dot > 4 && memcmp(dot + 1, "0000", 4) == 0) /* 1e-05 */
            return false;
        zero = zero && end == dot + 2 && dot[1] == '0';
    }
    if (end - whole > DIGITS || (zero && whole > from) || (end < s->end && (*end == 'e' || *end == 'E')))
        return false;
    f->text = (struct smi_text){from, (size_t)(end - from)};
    f->number = smi_text_micro(f->text, &f->micro) == 0;
    s->p = end;
    return f->number;
}

static bool word(struct scan *s, struct smi_field *f)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if ((size_t)(s->end - s->p) >= n && memcmp(s->p, words[i], n) == 0) {
            f->text = (struct smi_text){s->p, n};
            s->p += n;
            return true;
        }
    }
    return false;
}

static bool value(struct scan *s, struct smi_field *f)
{
    blanks(s);
    if (s->p == s->end)
        return false;
    f->quoted = *s->p == '"';
    if (f->quoted)
        return string(s, &f->text);
    return *s->p == '-' || (*s->p >= '0' && *s->p <= '9') ? number(s, f) : word(s, f);
}

static bool again(const struct scan *s, const struct smi_field *f, int from)
{
    for (int i = from; i < s->n; i++)
        if (s->field[i].key.n == f->key.n && memcmp(s->field[i].key.p, f->key.p, f->key.n) == 0)
            return true;
    return false;
}

/* The object whose brace stands at p, with nothing but blanks in front. */
static bool object(struct scan *s, bool in_data)
{
    int from = s->n;
    if (!eat(s, '{'))
        return false;
    if (eat(s, '}'))
        return true;
    do {
        struct smi_field f = {.in_data = in_data};
        if (!string(s, &f.key) || !eat(s, ':') || again(s, &f, from))
            return false;
        blanks(s);
        if (!in_data && s->p < s->end && *s->p == '{' && smi_text_is(f.key, "data"))
            return object(s, true) && eat(s, '}');
        if (s->n == SMI_PLAIN_FIELDS || !value(s, &f))
            return false;
        s->field[s->n++] = f;
    } while (eat(s, ','));
    return eat(s, '}');
}

int smi_plain_line(struct smi_text line, struct smi_field field[SMI_PLAIN_FIELDS])
{
    struct scan s = {line.p, line.p + line.n, field, 0};
    if (!object(&s, false))
        return -1;
    blanks(&s);
    return s.p == s.end ? s.n : -1;
}
