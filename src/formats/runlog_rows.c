/* The reference's RunLog: one JSON object a line, times in UTC, the `ts` of a phase is its end.
 *
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 1.234}
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "error", "data": {"code": 3}}
 *
 * Extra keys of a phase override name and seconds, as Python's dict.update: of a key given twice the last
 * counts. Python also writes NaN and Infinity, which JSON does not have: they are read as null. */
#include "base/clock.h"
#include "formats/json_line.h"

/* The keys that the log itself writes. */
enum { TS, TYPE, NAME, EVENT, SECONDS, OTHER };

static const char *const own_keys[OTHER + 1] = {"ts", "type", "name", "event", "seconds"};
static const uint8_t own_lengths[OTHER] = {2, 4, 4, 5, 7};

static const int64_t seconds_max = 1000000000; /* of one phase: 31 years */

struct smi_reader {
    struct smi_lines lines; /* first: see lines.c */
    struct smi_json_values values;
    struct smi_json_fields fields; /* the log's own keys are read wherever they stand */
};

static enum smi_sniff sniff_runlog(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (t.n == 0 || *t.p != '{')
        return SMI_SNIFF_NO;
    return smi_json_has_key(t, "\"ts\"") && smi_json_has_key(t, "\"type\"") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* The number of one of the log's own keys; OTHER: it is none. */
static int own_key(struct smi_text key)
{
    for (int i = 0; i < OTHER; i++)
        if (key.n == own_lengths[i] && memcmp(key.p, own_keys[i], key.n) == 0)
            return i;
    return OTHER;
}

static bool is_word(const struct smi_field *f, const char word[5])
{
    return f->quoted && f->text.n == 5 && memcmp(f->text.p, word, 5) == 0;
}

static int read_runlog_entry(struct smi_reader *r, const struct smi_json_value *entry, struct smi_text line,
                             struct smi_err *err)
{
    static const struct smi_field none;
    const struct smi_field *own[OTHER + 1] = {&none, &none, &none, &none, &none, &none}, *name;
    struct smi_json_fields *f = &r->fields;
    const struct smi_json_value *data;
    struct smi_mark m = {.field = f->field};
    bool phase, fine, zoned;
    f->n = 0;
    f->full = false;
    data = smi_json_fields_add(f, entry, false, own_keys);
    for (unsigned i = 0; i < f->n; i++)
        own[own_key(f->field[i].key)] = &f->field[i];
    smi_json_fields_add(f, data, true, NULL);
    m.fields = f->n;
    phase = is_word(own[TYPE], "phase");
    name = own[phase ? NAME : EVENT];
    if ((!phase && !is_word(own[TYPE], "event")) || !name->text.p || !own[TS]->text.p)
        return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
    if (!own[TS]->quoted || smi_clock_parse_iso(own[TS]->text, &m.t_us, &fine, &zoned) ||
        !smi_clock_fits(m.t_us / 1000, &r->lines.latest_ms))
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_TIME, line);
    m.span_us = phase ? own[SECONDS]->micro : 0;
    if (phase && (!own[SECONDS]->number || m.span_us < 0 || m.span_us > seconds_max * 1000000))
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line);
    m.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT;
    m.name = name->text;
    return smi_json_mark(&r->lines, &m, f->full, err);
}

static int read_runlog_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const struct smi_json_value *entry;
    if (*t.p != '{' && smi_message_count(r->lines.account, t))
        return 0;
    entry = smi_json_line(line, &r->values, r->lines.account);
    return entry ? read_runlog_entry(r, entry, line, err) : 0;
}

static void close_runlog_reader(struct smi_reader *r)
{
    smi_json_values_fini(&r->values);
}

const struct smi_format smi_format_runlog = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_runlog,
    .line = read_runlog_line,
    .whole = smi_json_line_is_whole,
    .close = close_runlog_reader,
};
