/* The reference's RunLog: one JSON object a line, times in UTC, the `ts` of a phase is its end.
 *
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 1.234}
 *     {"ts": "2026-11-21T06:22:31.123+00:00", "type": "event", "event": "error", "data": {"code": 3}}
 *
 * Extra keys of a phase override name and seconds, as Python's dict.update: of a key given twice the last
 * counts. Python also writes NaN and Infinity, which JSON does not have: they are read as null. */
#include "formats/json_line.h"

/* The keys that the log itself writes. Those behind DATA are no fields of a mark: it says the same itself. */
enum { OTHER, NAME, DATA, TS, TYPE, EVENT, SECONDS, OWN };

struct smi_reader {
    struct smi_lines lines;        /* first: see lines.c */
    struct smi_json_fields fields; /* the log's own keys are read wherever they stand */
};

static enum smi_sniff sniff_runlog(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '{' && smi_json_has_key(t, "\"ts\"") && smi_json_has_key(t, "\"type\"")
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
    struct smi_json_fields *f = &r->fields;
    struct smi_mark m = {0};
    char digits[SMI_JSON_DIGITS];
    f->n = 0;
    f->full = false;
    SMI_JSON_EACH (c, entry) {
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
        return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
    return smi_json_mark(&r->lines, &m, smi_json_text_of(own[TS]), own[SECONDS], f, line);
}

static int read_runlog_line(void *self, struct smi_text line)
{
    struct smi_lines *l = self;
    return smi_message_count(l->account, smi_text_trim(line)) ? 0 : smi_json_entry(l, line);
}

const struct smi_format smi_format_runlog = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_runlog,
    .line = read_runlog_line,
    .entry = read_runlog_entry,
    .key = own_key,
};
