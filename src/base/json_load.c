#include "base/json_load.h"

#include "base/file.h"
#include "base/real.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a walk over JSON bytes stands. */
struct walk {
    bool quoted, escaped;
    int depth;
};

static void track_nesting(struct walk *w, char c)
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
static bool too_deep(struct smi_text text)
{
    struct walk w = {0};
    for (size_t i = 0; i < text.n; i++) {
        track_nesting(&w, text.p[i]);
        if (w.depth > SMI_JSON_DEPTH)
            return true;
    }
    return false;
}

bool smi_json_has_key(struct smi_text line, const char *key)
{
    size_t k = strlen(key);
    struct walk w = {0};
    for (size_t i = 0; i + k < line.n; i++) {
        if (w.depth == 1 && !w.quoted && memcmp(line.p + i, key, k) == 0) {
            struct smi_text rest = smi_text_trim((struct smi_text){line.p + i + k, line.n - i - k});
            if (rest.n && *rest.p == ':')
                return true;
        }
        track_nesting(&w, line.p[i]);
    }
    return false;
}

size_t smi_json_python_word(struct smi_text t)
{
    static const char *const words[] = {"NaN", "Infinity", "-Infinity"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (t.n >= n && memcmp(t.p, words[i], n) == 0)
            return n;
    }
    return 0;
}

/* The length of a number that begins here, or 0. */
static size_t number_length(struct smi_text t)
{
    size_t n = 0;
    if (t.n && (*t.p == '-' || (*t.p >= '0' && *t.p <= '9')))
        while (n < t.n && ((t.p[n] >= '0' && t.p[n] <= '9') || (t.p[n] && strchr("+-.eE", t.p[n]))))
            n++;
    return n;
}

/* Is the number t wider than what the parser knows: 64 bits, or a double? */
static bool is_wide(struct smi_text t)
{
    const char *most = *t.p == '-' ? "9223372036854775808" : "9223372036854775807";
    struct smi_text size = *t.p == '-' ? (struct smi_text){t.p + 1, t.n - 1} : t;
    char text[64];
    if (!smi_text_is_number(t))
        return false;
    if (!memchr(t.p, '.', t.n) && !memchr(t.p, 'e', t.n) && !memchr(t.p, 'E', t.n))
        return size.n > 19 || (size.n == 19 && memcmp(size.p, most, 19) > 0);
    if (t.n >= sizeof text)
        return false;
    memcpy(text, t.p, t.n);
    text[t.n] = 0;
    return isinf(strtod(text, NULL));
}

/* Copies the text into b as the parser knows it, strings apart. Returns how many words were made null; *wide:
 * how many numbers were hidden. */
static size_t replace_unknown_numbers(struct smi_buf *b, struct smi_text text, size_t *wide)
{
    struct walk w = {0};
    size_t from = 0, lost = 0, n;
    *wide = 0;
    smi_buf_clear(b);
    for (size_t i = 0; i < text.n;) {
        struct smi_text t = {text.p + i, text.n - i};
        bool word = !w.quoted && (n = smi_json_python_word(t)) > 0,
             number = !w.quoted && !word && (n = number_length(t)) > 0;
        if (!word && !(number && is_wide((struct smi_text){t.p, n}))) {
            for (n = number ? n : 1; n; n--)
                track_nesting(&w, text.p[i++]);
            continue;
        }
        smi_buf_add(b, text.p + from, i - from);
        smi_buf_str(b, word ? "null" : "{\"\\u0001\":\""); /* a key that nobody writes */
        if (number) {
            smi_buf_add(b, t.p, n);
            smi_buf_str(b, "\"}");
        }
        lost += word;
        *wide += number;
        from = i += n;
    }
    smi_buf_add(b, text.p + from, text.n - from);
    return lost;
}

bool smi_json_big_number(const json_t *v, struct smi_text *digits)
{
    const json_t *s = json_is_object(v) && json_object_size(v) == 1 ? json_object_get(v, "\x01") : NULL;
    if (!json_is_string(s))
        return false;
    *digits = (struct smi_text){json_string_value(s), json_string_length(s)};
    return smi_text_is_number(*digits);
}

/* A real in millionths, from its decimal digits. Returns whether it fits. */
static bool real_micro(const struct smi_decimal *d, int64_t *micro)
{
    char text[64];
    size_t n;
    *micro = 0;
    if (d->exponent < -20)
        return true;
    if (d->exponent > 18)
        return false;
    n = smi_real_plain(text, d);
    return smi_text_parse_micro((struct smi_text){text, n}, micro) == 0;
}

bool smi_json_number(const json_t *v, int64_t *micro)
{
    struct smi_decimal d;
    double micros;
    if (json_is_integer(v))
        return !__builtin_mul_overflow((int64_t)json_integer_value(v), (int64_t)1000000, micro);
    if (!json_is_real(v))
        return false;
    micros = nearbyint(json_real_value(v) * 1e6);
    if (fabs(micros) < 1e15 && micros / 1e6 == json_real_value(v)) { /* no other 15 digits are this number */
        *micro = (int64_t)micros;
        return true;
    }
    smi_real_digits(json_real_value(v), &d);
    return real_micro(&d, micro);
}

bool smi_json_text_number(struct smi_text t, int64_t *micro)
{
    struct smi_decimal d;
    double v;
    if (smi_text_parse_micro(t, micro) == 0)
        return true;
    if (!smi_text_is_number(t) || smi_real_parse(t, &v))
        return false;
    smi_real_digits(v, &d);
    return real_micro(&d, micro);
}

size_t smi_json_digits(const json_t *v, char out[SMI_JSON_DIGITS])
{
    if (json_is_integer(v))
        return (size_t)snprintf(out, SMI_JSON_DIGITS, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    return smi_real_write(out, json_real_value(v));
}

int smi_json_load(struct smi_text text, struct smi_buf *repaired, json_t **value, size_t *lost,
                  json_error_t *why, struct smi_err *err)
{
    size_t wide = 0;
    *value = NULL;
    *lost = 0;
    if (too_deep(text)) {
        snprintf(why->text, sizeof why->text, "deeper than %d levels", SMI_JSON_DEPTH);
        return 0;
    }
    *value = json_loadb(text.p, text.n, JSON_ALLOW_NUL, why);
    if (*value)
        return 0;
    *lost = replace_unknown_numbers(repaired, text, &wide);
    if (repaired->failed)
        return smi_err_nomem(err);
    if (*lost || wide)
        *value = json_loadb(repaired->p, repaired->n, JSON_ALLOW_NUL, why);
    return *value || *why->text ? 0 : smi_err_nomem(err); /* a reason for everything but a lack of memory */
}

enum { FILE_MAX = 1 << 20 };

static int read_whole_file(const char *what, const char *path, struct smi_buf *to, struct smi_err *err)
{
    struct smi_err why = {0};
    if (smi_file_read_all(to, path, FILE_MAX, &why))
        return why.code == SMI_ENOMEM ? smi_err_nomem(err)
                                      : smi_err_set(err, SMI_EUSAGE, "%s: %s", what, why.text);
    return to->n <= FILE_MAX ? 0
                             : smi_err_set(err, SMI_EUSAGE, "%s %.200s: is longer than 1 MiB", what, path);
}

int smi_json_load_file(const char *what, const char *path, json_t **object, struct smi_err *err)
{
    struct smi_buf text = {0}, repaired = {0};
    json_error_t why = {0};
    size_t lost = 0;
    int rc = read_whole_file(what, path, &text, err);
    struct smi_text t = {text.p ? text.p : "", text.n};
    *object = NULL;
    if (!rc && !smi_text_is_utf8(t))
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is not UTF-8", what, path);
    rc = rc ? rc : smi_json_load(t, &repaired, object, &lost, &why, err);
    if (!rc && (!json_is_object(*object) || lost))
        rc = smi_err_set(err, SMI_EUSAGE, "%s %.200s: is no JSON object%s%.160s", what, path,
                         *why.text ? ": " : "", why.text);
    if (rc) {
        json_decref(*object);
        *object = NULL;
    }
    smi_buf_fini(&text);
    smi_buf_fini(&repaired);
    return rc;
}
