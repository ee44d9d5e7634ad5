/* The reference's RunLog: one JSON object a line, times in UTC, the `ts` of a phase is its end.
 *
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 1.234}
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "error", "data": {"code": 3}}
 *
 * Extra keys of a phase override name and seconds, as Python's dict.update: of a key given twice the last
 * counts. Python also writes NaN and Infinity, which JSON does not have: they are read as null. */
#include "base/clock.h"
#include "base/mem.h"
#include "format/format.h"
#include "format/lines.h"
#include "jsonl/json_line.h"
#include "jsonl/plain_line.h"

#include <string.h>

enum { OWN = 5, FIELD_MAX = 256 };

static const char *const own_keys[OWN] = {"ts", "type", "name", "event", "seconds"};

static const int64_t seconds_max = 1000000000; /* of one phase: 31 years */

struct smi_reader {
    struct smi_lines lines; /* first: see smi_lines_read */
    struct smi_buf repaired; /* a line whose NaN became null */
    unsigned fields;
    bool full; /* the entry has more than FIELD_MAX values */
    struct smi_field field[FIELD_MAX + OWN];       /* the log's own keys are read wherever they stand */
    char digits[FIELD_MAX + OWN][SMI_JSON_DIGITS]; /* texts of numbers */
};

static enum smi_sniff sniff(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (t.n == 0 || *t.p != '{')
        return SMI_SNIFF_NO;
    return smi_json_has_key(t, "\"ts\"") && smi_json_has_key(t, "\"type\"") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* A flat value: nothing is set for lists and objects. */
static void set_value(struct smi_field *f, char *digits, const json_t *v)
{
    if (smi_json_beyond(v, &f->text))
        return;
    if (json_is_string(v)) {
        f->quoted = true;
        f->text = (struct smi_text){json_string_value(v), json_string_length(v)};
    } else if (json_is_number(v)) {
        f->number = smi_json_number(v, &f->micro);
        f->text = (struct smi_text){digits, smi_json_digits(v, digits)};
    } else if (json_is_boolean(v)) {
        f->text = smi_text_of(json_is_true(v) ? "true" : "false");
    } else if (json_is_null(v)) {
        f->text = smi_text_of("null");
    }
}

static bool is_own(const char *key)
{
    for (int i = 0; i < OWN; i++)
        if (strcmp(key, own_keys[i]) == 0)
            return true;
    return false;
}

static void flatten(struct smi_reader *r, json_t *object, bool in_data)
{
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
        struct smi_field *f;
        const json_t *v = json_object_iter_value(at);
        struct smi_text wide;
        if ((json_is_object(v) && !smi_json_beyond(v, &wide)) || json_is_array(v))
            continue;
        if (r->fields >= FIELD_MAX) {
            r->full = true;
            if (in_data || !is_own(json_object_iter_key(at)))
                continue;
        }
        f = &r->field[r->fields];
        *f = (struct smi_field){.key = smi_text_of(json_object_iter_key(at)), .in_data = in_data};
        set_value(f, r->digits[r->fields++], v);
    }
}

/* One of the keys that the log itself writes; text.p is NULL if the entry has no flat value of this name. */
static struct smi_field own(const struct smi_reader *r, const char *key)
{
    for (unsigned i = 0; i < r->fields && !r->field[i].in_data; i++)
        if (smi_text_is(r->field[i].key, key))
            return r->field[i];
    return (struct smi_field){0};
}

/* Returns 0, or -1 and *why. */
static int read_mark(const struct smi_reader *r, struct smi_mark *m, enum smi_reject *why)
{
    bool fine, zoned, phase, event;
    struct smi_field type = own(r, "type"), name, ts = own(r, "ts"), f;
    phase = type.quoted && smi_text_is(type.text, "phase");
    event = type.quoted && smi_text_is(type.text, "event");
    name = own(r, phase ? "name" : "event");
    *why = SMI_FOREIGN;
    if ((!phase && !event) || !name.text.p || !ts.text.p)
        return -1;
    *why = SMI_BAD_TIME;
    if (!ts.quoted || smi_clock_iso(ts.text, &m->t_us, &fine, &zoned))
        return -1;
    f = own(r, "seconds");
    *why = SMI_BAD_NUMBER;
    if (phase && (!f.number || f.micro < 0 || f.micro > seconds_max * 1000000))
        return -1;
    m->kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT;
    m->span_us = phase ? f.micro : 0;
    m->name = name.text;
    return 0;
}

/* The entry whose values are r->field. */
static int on_entry(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_mark m = {.field = r->field, .fields = r->fields};
    enum smi_reject why;
    if (read_mark(r, &m, &why))
        return smi_account_reject(r->lines.account, why, line, err);
    r->lines.account->rows++;
    if (r->full && smi_account_odd(r->lines.account, SMI_ODD_OTHER, err,
                                   "more than %d values: the rest is not read", FIELD_MAX))
        return -1;
    return r->lines.to->mark ? r->lines.to->mark(r->lines.to, &m, err) : 0;
}

static int on_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    json_t *entry, *data;
    int rc = *t.p == '{' ? 0 : smi_message_take(r->lines.account, t, err), plain;
    if (rc)
        return rc < 0 ? -1 : 0;
    plain = smi_plain_line(t, r->field);
    r->fields = plain > 0 ? (unsigned)plain : 0;
    r->full = false;
    if (plain >= 0)
        return on_entry(r, line, err);
    if (smi_json_line(line, &r->repaired, r->lines.account, &entry, err))
        return -1;
    if (!entry)
        return 0;
    flatten(r, entry, false);
    data = json_object_get(entry, "data");
    if (json_is_object(data))
        flatten(r, data, true);
    rc = on_entry(r, line, err);
    json_decref(entry);
    return rc;
}

static struct smi_reader *open(const struct smi_read_opts *o, struct smi_err *err)
{
    return smi_lines_open(sizeof(struct smi_reader), o, on_line, err);
}

static void again(struct smi_reader *r, const struct smi_read_opts *o)
{
    smi_lines_again(r, o);
    smi_buf_fini(&r->repaired);
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
    smi_buf_fini(&r->repaired);
    smi_lines_close(r);
}

const struct smi_format smi_format_runlog = {
    .name = "runlog",
    .help = "RunLog: JSON lines of phases and events",
    .sniff = sniff,
    .open = open,
    .again = again,
    .feed = smi_lines_read,
    .finish = smi_lines_end,
    .base = base,
    .close = close,
};
