#include "formats/json_line.h"

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
