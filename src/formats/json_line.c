#include "formats/json_line.h"

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
