/* rocm-smi --show... --json: an object for each call, on one line or on many, with all values as strings.
 *
 *     {"card0": {"GPU use (%)": "0", "VRAM Total Memory (B)": "8573157376"}, "system": {"Driver version":
 * "6.2.4"}}
 *
 * It prints no times; loggers put them in front of the brace. Every card is a row: of an object's lines those
 * beyond the cards count as header, and an object with more cards than lines counts a line for each of them.
 * Lines are collected until the braces close; a line that begins with one begins an object, whatever came
 * before. */
#include "formats/rocm.h"
#include "base/mem.h"
#include "formats/json_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OBJECT_MAX = SMI_LINE_MAX, DIGITS = 24 };

struct smi_reader {
    struct smi_rocm rocm; /* first: see row_engine.h */
    struct smi_buf text;  /* the object as far as it has come */
    struct smi_buf repaired;
    int64_t count, extra; /* its lines; cards of all objects that had no line of their own */
    int depth;
    bool open, dropped; /* dropped: it is too long or too deep, and its lines are only counted */
    bool bad_time;
    char digits[SMI_ROCM_COLUMNS][DIGITS]; /* of a card's values that are numbers */
};

/* ---- objects ---- */

/* The first line of the object, to quote. */
static struct smi_text first_line(const struct smi_reader *r)
{
    const char *lf = memchr(r->text.p, '\n', r->text.n);
    return (struct smi_text){r->text.p, lf ? (size_t)(lf - r->text.p) : r->text.n};
}

/* All lines of the object are lost; one of them says why. */
static int reject_rocm_json_object(struct smi_reader *r, enum smi_reject why, struct smi_err *err)
{
    r->rocm.row.lines.account->rejected[why] += r->count - 1;
    return smi_account_reject(r->rocm.row.lines.account, why, first_line(r), err);
}

/* A value as text: rocm-smi writes strings; a number that another tool made of one is taken if it is whole.
 */
static struct smi_text rocm_json_json_text(const json_t *value, char digits[DIGITS])
{
    struct smi_text wide;
    if (json_is_string(value))
        return smi_text_trim((struct smi_text){json_string_value(value), json_string_length(value)});
    if (smi_json_big_number(value, &wide))
        return wide;
    if (json_is_integer(value)) {
        snprintf(digits, DIGITS, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return smi_text_of(digits);
    }
    return smi_text_of(json_is_null(value) ? "N/A" : "?");
}

/* The columns and cells of a card. Returns whether anything belongs to a metric: else it only has texts. */
static bool bind_card(struct smi_reader *r, const char *name, json_t *card)
{
    struct smi_row_reader *row = &r->rocm.row;
    struct smi_row_plan plan;
    const char *label;
    json_t *value;
    size_t n = 1;
    smi_rocm_plan_init(&plan, 1);
    row->cell[0] = smi_text_of(name);
    json_object_foreach (card, label, value) {
        const struct smi_alias *a = smi_rocm_alias(smi_text_of(label));
        if (!a || n == SMI_ROCM_COLUMNS || (a->kind != SMI_COL_NUMBER && !json_is_string(value)))
            continue;
        row->cell[n] = rocm_json_json_text(value, r->digits[n]);
        smi_rocm_plan_add(&plan, a, n++);
    }
    smi_row_use(row, &plan);
    return plan.n > 0;
}

static int on_object(struct smi_reader *r, json_t *object, struct smi_err *err)
{
    struct smi_text number;
    const char *key;
    json_t *value;
    int64_t cards = 0;
    json_object_foreach (object, key, value) {
        if (smi_rocm_card(smi_text_of(key), &number) || !json_is_object(value) || !bind_card(r, key, value))
            continue;
        cards++;
        if (smi_row_read(&r->rocm.row, first_line(r), err))
            return -1;
    }
    if (cards == 0)
        r->rocm.row.lines.account->messages += r->count;
    else if (cards < r->count)
        r->rocm.row.lines.account->header += r->count - cards;
    else
        r->extra += cards - r->count;
    return 0;
}

static int parse_rocm_json_object(struct smi_reader *r, struct smi_err *err)
{
    const struct smi_text t = {r->text.p, r->text.n};
    json_error_t why;
    json_t *object;
    size_t lost; /* to null, which is absent as any other */
    int rc;
    if (!smi_text_is_utf8(t))
        return reject_rocm_json_object(r, SMI_REJECT_BAD_ENCODING, err);
    if (smi_json_load(t, &r->repaired, &object, &lost, &why, err))
        return -1;
    rc = json_is_object(object) ? on_object(r, object, err)
                                : reject_rocm_json_object(r, SMI_REJECT_FOREIGN, err);
    json_decref(object);
    return rc;
}

/* The braces have closed, or will not. */
static int end_object(struct smi_reader *r, bool whole, struct smi_err *err)
{
    if (!r->open)
        return 0;
    r->open = false;
    if (r->dropped)
        return reject_rocm_json_object(r, SMI_REJECT_TOO_LONG, err);
    if (!whole)
        return reject_rocm_json_object(r, SMI_REJECT_FOREIGN, err);
    return r->bad_time ? reject_rocm_json_object(r, SMI_REJECT_BAD_TIME, err)
                       : parse_rocm_json_object(r, err);
}

/* ---- lines ---- */

static int add_rocm_json_reading(struct smi_reader *r, struct smi_text t, struct smi_err *err)
{
    r->count++;
    if (r->dropped)
        return 0;
    if (r->text.n + t.n >= OBJECT_MAX) {
        r->dropped = true;
        return 0;
    }
    smi_buf_add(&r->text, t.p, t.n);
    smi_buf_char(&r->text, '\n');
    if (r->text.failed)
        return smi_err_nomem(err);
    r->depth = smi_json_depth(r->depth, t);
    r->dropped = r->depth > SMI_JSON_DEEPEST;
    return r->depth <= 0 ? end_object(r, true, err) : 0;
}

static int begin_rocm_json_object(struct smi_reader *r, struct smi_text line, const char *at,
                                  struct smi_err *err)
{
    if (end_object(r, false, err))
        return -1;
    smi_buf_clear(&r->text);
    r->count = 0;
    r->depth = 0;
    r->open = true;
    r->dropped = false;
    r->bad_time = smi_rocm_take_time(&r->rocm, line, at) != 0;
    return add_rocm_json_reading(r, (struct smi_text){at, (size_t)(line.p + line.n - at)}, err);
}

/* An object begins where its line does, or behind a time. */
static const char *find_rocm_json_brace(struct smi_text t)
{
    if (*t.p == '{')
        return t.p;
    return *t.p >= '0' && *t.p <= '9' ? smi_rocm_find_behind_time(t, "{") : NULL;
}

static int read_rocm_json_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const char *at = find_rocm_json_brace(t);
    int rc;
    if (at)
        return begin_rocm_json_object(r, t, at, err);
    rc = smi_rocm_count_message(r->rocm.row.lines.account, t, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    return r->open ? add_rocm_json_reading(r, t, err)
                   : smi_account_reject(r->rocm.row.lines.account, SMI_REJECT_FOREIGN, line, err);
}

/* ---- the format ---- */

/* {"card0": {... ; the brace can stand on a line of its own, and is then above */
static enum smi_sniff sniff_rocm_json(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), number;
    const char *at = t.n ? find_rocm_json_brace(t) : NULL, *end;
    if (at)
        t = smi_text_trim((struct smi_text){at + 1, (size_t)(t.p + t.n - at - 1)});
    end = t.n > 1 && *t.p == '"' ? memchr(t.p + 1, '"', t.n - 1) : NULL;
    if (!end || smi_rocm_card((struct smi_text){t.p + 1, (size_t)(end - t.p - 1)}, &number))
        return SMI_SNIFF_NO;
    t = smi_text_trim((struct smi_text){end + 1, (size_t)(t.p + t.n - end - 1)});
    return t.n && *t.p == ':' ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* The last line closes its object. */
static bool closes_rocm_json_object(void *self, struct smi_text line)
{
    const struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const char *at = t.n ? find_rocm_json_brace(t) : NULL;
    if (!t.n || t.p[t.n - 1] != '}' || (!at && (!r->open || r->dropped)))
        return false;
    return smi_json_depth(at ? 0 : r->depth, at ? (struct smi_text){at, (size_t)(t.p + t.n - at)} : t) == 0;
}

/* An object that the end of the log cuts is a torn tail; if it is cut inside a line, that was said. */
static int finish_rocm_json(struct smi_reader *r, struct smi_err *err)
{
    struct smi_account *a = r->rocm.row.lines.account;
    if (r->open && a->rejected[SMI_REJECT_TORN_TAIL])
        a->rejected[SMI_REJECT_TORN_TAIL] += r->count;
    else if (r->open && reject_rocm_json_object(r, SMI_REJECT_TORN_TAIL, err))
        return -1;
    r->open = false;
    a->lines += r->extra;
    r->extra = 0;
    return 0;
}

static void close_rocm_json_reader(struct smi_reader *r)
{
    smi_buf_fini(&r->text);
    smi_buf_fini(&r->repaired);
}

static const struct smi_table table = {SMI_ROCM_TABLE};

const struct smi_format smi_format_rocm_json = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_json,
    .line = read_rocm_json_line,
    .whole = closes_rocm_json_object,
    .finish = finish_rocm_json,
    .table = &table,
    .close = close_rocm_json_reader,
};
