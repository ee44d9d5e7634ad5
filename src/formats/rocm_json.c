/* rocm-smi --show... --json: an object for each call, on one line or on many, with all values as strings.
 *
 *     {"card0": {"GPU use (%)": "0", "VRAM Total Memory (B)": "8573157376"}, "system": {"Driver version":
 * "6.2.4"}}
 *
 * It prints no times; loggers put them in front of the brace. Every card is a row: of an object's lines those
 * beyond the cards count as header, and an object with more cards than lines counts a line for each of them.
 * Lines are collected until the braces close; a line that begins with one begins an object, whatever came
 * before. */
#include "formats/amd_columns.h"
#include "formats/json_line.h"

#include <string.h>

struct smi_reader {
    struct smi_rocm rocm; /* first: see row_engine.h */
    struct smi_json_document object;
    bool bad_time;
    char digits[SMI_ROCM_COLUMNS][SMI_JSON_DIGITS]; /* of a card's values that are numbers */
};

/* ---- objects ---- */

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
        row->cell[n] = smi_json_cell(value, r->digits[n]);
        smi_rocm_plan_add(&plan, a, n++);
    }
    smi_row_use(row, &plan);
    return plan.n > 0;
}

static int read_object(struct smi_reader *r, json_t *object, struct smi_err *err)
{
    struct smi_text number;
    const char *key;
    json_t *value;
    int64_t cards = 0;
    json_object_foreach (object, key, value) {
        if (smi_rocm_card(smi_text_of(key), &number) || !json_is_object(value) || !bind_card(r, key, value))
            continue;
        cards++;
        if (smi_row_read(&r->rocm.row, smi_json_document_line(&r->object), err))
            return -1;
    }
    smi_json_document_count(&r->object, cards);
    return 0;
}

/* rc: what the document said of its line. */
static int on_object(struct smi_reader *r, int rc, struct smi_err *err)
{
    json_t *object;
    if (rc <= 0)
        return rc;
    if (r->bad_time) {
        smi_json_document_reject(&r->object, SMI_REJECT_BAD_TIME);
        return 0;
    }
    smi_json_document_parse(&r->object, &object);
    rc = json_is_object(object) ? read_object(r, object, err) : 0;
    if (object && !json_is_object(object))
        smi_json_document_reject(&r->object, SMI_REJECT_FOREIGN);
    json_decref(object);
    return rc;
}

/* ---- lines ---- */

/* An object begins where its line does, or behind a time. */
static const char *find_rocm_json_brace(struct smi_text t)
{
    if (*t.p == '{')
        return t.p;
    return smi_is_digit(*t.p) ? smi_rocm_find_behind_time(t, "{") : NULL;
}

static int read_rocm_json_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const char *at = find_rocm_json_brace(t);
    int rc;
    if (at) {
        struct smi_text first = {at, (size_t)(t.p + t.n - at)};
        r->bad_time = smi_rocm_take_time(&r->rocm, t, at) != 0;
        if (r->rocm.row.order.state == SMI_ORDER_OPEN)
            return smi_row_order_wait(&r->rocm.row, line, err);
        return on_object(r, smi_json_document_begin(&r->object, r->rocm.row.lines.account, first), err);
    }
    rc = smi_rocm_count_message(&r->rocm.row, t, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (r->object.open)
        return on_object(r, smi_json_document_add(&r->object, t), err);
    smi_account_reject(r->rocm.row.lines.account, SMI_REJECT_FOREIGN, line);
    return 0;
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
    if (!t.n || t.p[t.n - 1] != '}')
        return false;
    return at ? smi_json_depth(0, (struct smi_text){at, (size_t)(t.p + t.n - at)}) == 0
              : smi_json_document_closes(&r->object, t);
}

static int finish_rocm_json(struct smi_reader *r, struct smi_err *err)
{
    if (smi_row_order_settle(&r->rocm.row, err))
        return -1;
    smi_json_document_finish(&r->object);
    return 0;
}

static void close_rocm_json_reader(struct smi_reader *r)
{
    smi_json_document_fini(&r->object);
}

static const struct smi_table table = {SMI_ROCM_TABLE};

const struct smi_format smi_format_rocm_json = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_json,
    .line = read_rocm_json_line,
    .whole = closes_rocm_json_object,
    .finish = finish_rocm_json,
    .table = &table,
    .fronts = true,
    .close = close_rocm_json_reader,
};
