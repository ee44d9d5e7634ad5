/* rocm-smi --show... --csv, called again and again: a block for each call, with its header.
 *
 *     WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status
 *
 *     device,GPU use (%),VRAM Total Memory (B),VRAM Total Used Memory (B)
 *     card0,97,17163091968,8581545984
 *
 * It prints no times; loggers put them in front: "1787485761 card0,97,...". A call can print several blocks,
 * one for each group of options: rows of one card join into one sample until a reading comes again. So a row
 * waits for the next call, and the log is read in one piece. Commas inside values were taken out by the tool.
 * --showallinfo puts a table of quoted pairs in front, under "name, value": passed over, like blocks that
 * hold texts only.
 *
 * --json prints an object for each call, on one line or on many, with all values as strings:
 *
 *     {"card0": {"GPU use (%)": "0", "VRAM Total Memory (B)": "8573157376"}, "system": {"Driver version":
 * "6.2.4"}}
 *
 * It prints no times; loggers put them in front of the brace. Every card is a row: of an object's lines those
 * beyond the cards count as header, and an object with more cards than lines counts a line for each of them.
 * Lines are collected until the braces close; a line that begins with one begins an object, whatever came
 * before. */
#include "formats/json_line.h"
#include "formats/row_engine.h"

#include <assert.h>

/* ---- what the readers of AMD logs share ---- */

/* "Current Socket Graphics Package Power (W)", "Average ...": the words in front depend on the chip. */
static bool is_power(struct smi_text label)
{
    static const char tail[] = "Graphics Package Power (W)";
    size_t n = sizeof tail - 1;
    return label.n > n && smi_text_is_nocase((struct smi_text){label.p + label.n - n, n}, tail);
}

const struct smi_alias *smi_rocm_alias(struct smi_text label)
{
    static const struct smi_alias power = {"", SMI_COL_NUMBER, SMI_POWER, 0, 0};
    const struct smi_alias *a;
    label = smi_text_trim(label);
    if (label.n && label.p[label.n - 1] == ':') /* "sclk clock speed:" */
        label.n--;
    a = smi_names_find(&smi_names_rocm, label);
    return !a && is_power(label) ? &power : a;
}

bool smi_amd_missing(struct smi_text cell)
{
    return smi_cell_missing(cell) || smi_text_starts_nocase(cell, "N/A") || smi_text_is_nocase(cell, "None");
}

/* "(808Mhz)" -> "808" */
static struct smi_text without_mhz(struct smi_text t)
{
    if (t.n > 2 && *t.p == '(' && t.p[t.n - 1] == ')')
        t = (struct smi_text){t.p + 1, t.n - 2};
    if (t.n > 3 && smi_text_is_nocase((struct smi_text){t.p + t.n - 3, 3}, "MHz"))
        t.n -= 3;
    return smi_text_trim(t);
}

enum smi_cell_status smi_amd_cell(unsigned metric, unsigned unit, struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what;
    if (smi_amd_missing(cell))
        return SMI_CELL_MISSING;
    what = unit ? smi_cell_scaled(metric, smi_units[unit].num, smi_units[unit].den, cell, v)
                : smi_cell_number(metric, without_mhz(cell), v);
    return what == SMI_CELL_RANGE && *v < 0 && (unit || strcmp(smi_metrics[metric].unit, "%") == 0)
               ? SMI_CELL_BAD
               : what;
}

enum smi_cell_status smi_amd_row_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                      struct smi_text t, int64_t *v)
{
    (void)r;
    return smi_amd_cell(c->what, c->how, t, v);
}

enum {
    COLUMNS = 256,
    HELD = 64,
    METRICS = 24 /* more than rocm-smi has */,
    NEAR_MS = 1000,
    FRONT = 48 /* bytes of a time in front of a line */,
    CARD_DIGITS = 6,
    MODEL = SMI_AT_INFO,
    OTHER_MODEL
};

/* A card's readings that wait for more. */
struct held {
    struct smi_sample s; /* its readings stand in: */
    uint16_t metric[METRICS];
    int64_t v[METRICS];
};

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool timed, fine;          /* of the rows that come next: */
    int64_t t_ms;
    struct held held[HELD]; /* of CSV */
    size_t waiting;
    struct smi_json_document object; /* of JSON: */
    bool bad_time;
    char digits[COLUMNS][SMI_JSON_DIGITS]; /* of a card's values that are numbers */
};

/* "card12": its number as text (borrowed). Returns 0, or -1 if t is no card. */
static int read_card(struct smi_text t, struct smi_text *number)
{
    if (t.n < 5 || memcmp(t.p, "card", 4) != 0)
        return -1;
    *number = smi_text_from(t, 4);
    return smi_cell_digits(*number, CARD_DIGITS) < 0 ? -1 : 0;
}

/* ---- rows ---- */

static void init_rocm_plan(struct smi_row_plan *p, size_t width)
{
    smi_row_plan_init(p, width);
    p->all = true;
    smi_row_plan_add(p, SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, 0, 0);
}

/* Two columns can tell the model. */
static void add_rocm_column(struct smi_row_plan *p, const struct smi_alias *a, size_t place)
{
    if (a->kind == SMI_COL_NAME)
        smi_row_plan_add(p, SMI_COL_PLACE, p->at[MODEL] < 0 ? MODEL : OTHER_MODEL, 0, place);
    else
        smi_row_plan_add(p, a->kind, a->what, a->how, place);
}

static int read_rocm_time(struct smi_row_reader *row, struct smi_sample *s)
{
    const struct smi_reader *r = (const struct smi_reader *)row;
    s->timed = r->timed;
    s->fine = r->fine;
    s->t_ms = r->t_ms;
    return 0;
}

static struct smi_text read_rocm_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell)
{
    struct smi_text none = {NULL, 0}, number = none;
    (void)r;
    if (key == SMI_DEVICE_KEY_INDEX)
        return read_card(cell, &number) ? none : number;
    return smi_amd_missing(cell) ? none : cell;
}

/* Models that the driver does not know are numbers: "0x744c". */
static void name_rocm_device(struct smi_row_reader *r, int who)
{
    for (unsigned at = MODEL; at <= OTHER_MODEL; at++) {
        struct smi_text name = smi_row_text(r, at);
        if (who >= 0 && !r->lines.devices->list[who].name && !smi_amd_missing(name) &&
            !smi_text_starts_nocase(name, "0x"))
            smi_devices_set_name(r->lines.devices, who, name);
    }
}

/* ---- times in front ---- */

static bool separates_time(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == ';';
}

static const char *find_behind_time(struct smi_text line, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i <= FRONT && i + n <= line.n; i++)
        if ((i == 0 || separates_time(line.p[i - 1])) && memcmp(line.p + i, what, n) == 0)
            return line.p + i;
    return NULL;
}

static struct smi_text text_in_front(struct smi_text line, const char *at)
{
    struct smi_text t = {line.p, (size_t)(at - line.p)};
    while (t.n && separates_time(t.p[t.n - 1]))
        t.n--;
    while (t.n && separates_time(*t.p)) {
        t.p++;
        t.n--;
    }
    return t;
}

static enum smi_stamp_form form_in_front(struct smi_text line, const char *at)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    return smi_stamp_read(&c, text_in_front(line, at), &s) ? SMI_STAMP_UNKNOWN : c.form;
}

/* A number in front is one of the line rather than seconds since the beginning. */
static int take_first_time(struct smi_reader *r, struct smi_text line, const char *at, struct smi_sample *s)
{
    struct smi_text t = text_in_front(line, at);
    switch (form_in_front(line, at)) {
    case SMI_STAMP_UNKNOWN:
        return -1;
    case SMI_STAMP_ELAPSED:
        return smi_row_untimed(&r->row, t);
    default:
        return smi_row_time(&r->row, t, false, s);
    }
}

static int take_time(struct smi_reader *r, struct smi_text line, const char *at)
{
    struct smi_text t = text_in_front(line, at);
    struct smi_sample s = {0};
    int rc = !t.n                ? 0
             : r->row.clock.form ? smi_row_time(&r->row, t, false, &s)
                                 : take_first_time(r, line, at, &s);
    r->timed = s.timed;
    r->fine = s.fine;
    r->t_ms = s.t_ms;
    return rc;
}

static int count_rocm_message(struct smi_row_reader *row, struct smi_text line, struct smi_err *err)
{
    struct smi_text t = smi_text_trim(line);
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    int rc = smi_row_message(row, t, err);
    if (rc || !t.n || !smi_is_digit(*t.p))
        return rc;
    while (t.n && (separates_time(*t.p) || memchr("0123456789-+:./TZ", *t.p, 17))) {
        t.p++;
        t.n--;
    }
    if (t.n)
        return smi_message_count(row->lines.account, t);
    if (smi_stamp_read(&c, text_in_front(line, line.p + line.n), &at) || at.base >= SMI_TIME_BASE_DAY)
        return 0; /* a row's end */
    row->lines.account->messages++;
    return 1;
}

/* ---- CSV: what waits ---- */

static int flush_rocm_csv_rows(struct smi_reader *r, struct smi_err *err)
{
    size_t n = r->waiting;
    r->waiting = 0;
    for (size_t i = 0; i < n; i++)
        if (smi_sink_row(r->row.lines.to, &r->held[i].s, err))
            return -1;
    return 0;
}

static struct held *held_of(struct smi_reader *r, int who)
{
    for (size_t i = 0; i < r->waiting; i++)
        if (r->held[i].s.who == who)
            return &r->held[i];
    return NULL;
}

/* Is b more of the same call: no reading comes twice, and the times, if any, are not further apart than a
 * second that turned in between? */
static bool belongs(const struct smi_sample *a, const struct smi_sample *b)
{
    int64_t dt = b->t_ms - a->t_ms;
    if (a->timed != b->timed || dt < -NEAR_MS || dt > NEAR_MS)
        return false;
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned k = 0; k < b->n; k++)
            if (a->metric[i] == b->metric[k])
                return false;
    return true;
}

static void add_held_readings(struct held *h, const struct smi_sample *s)
{
    assert(h->s.n + s->n <= METRICS);
    memcpy(h->metric + h->s.n, s->metric, s->n * sizeof *h->metric);
    memcpy(h->v + h->s.n, s->v, s->n * sizeof *h->v);
    h->s.n += s->n;
}

/* Takes a row in: one that joins another counts as a row itself. */
static int hold_rocm_csv_row(struct smi_row_reader *row, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    struct held *h = held_of(r, s->who);
    if (s->who < 0)
        return smi_sink_row(row->lines.to, s, err);
    if (h && belongs(&h->s, s)) {
        add_held_readings(h, s);
        row->lines.account->rows++;
        return 0;
    }
    if ((h || r->waiting == HELD) && flush_rocm_csv_rows(r, err))
        return -1;
    h = &r->held[r->waiting++];
    h->s = *s;
    h->s.metric = h->metric;
    h->s.v = h->v;
    h->s.n = 0;
    add_held_readings(h, s);
    return 0;
}

/* ---- lines ---- */

static size_t split_rocm_csv_cells(const char *p, const char *end, struct smi_text *cell)
{
    return smi_row_split(smi_text_between(p, end), 0, cell, COLUMNS);
}

/* The plan of a header; width 0: it is too wide. Returns whether a label is known. */
static bool bind_rocm_csv_columns(struct smi_row_plan *p, const struct smi_text *cell, size_t n)
{
    bool known = false;
    n = n > COLUMNS ? 0 : n;
    init_rocm_plan(p, n);
    for (size_t i = 1; i < n; i++) {
        const struct smi_alias *a = smi_rocm_alias(cell[i]);
        known |= a != NULL;
        if (a)
            add_rocm_column(p, a, i);
    }
    return known;
}

static int read_rocm_csv_row(struct smi_reader *r, struct smi_text line, const char *at, struct smi_err *err)
{
    struct smi_row_reader *row = &r->row;
    struct smi_text number;
    if (!row->plan.width)
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    if (split_rocm_csv_cells(at, line.p + line.n, row->cell) != row->plan.width)
        return smi_row_reject(row, SMI_REJECT_BAD_WIDTH, line, err);
    if (read_card(row->cell[0], &number))
        return smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
    if (take_time(r, line, at))
        return smi_row_reject(row, SMI_REJECT_BAD_TIME, line, err);
    return smi_row_read(row, line, err);
}

/* Below a header of texts. */
static bool has_no_numbers(struct smi_row_reader *row)
{
    return row->plan.n == 0;
}

/* The table of --showallinfo: "name, value", and pairs in quotes; and a row of the machine between the cards.
 */
static bool is_system(struct smi_text t)
{
    struct smi_text cell[COLUMNS];
    size_t n = split_rocm_csv_cells(t.p, t.p + t.n, cell);
    return (*t.p == '"' && memchr(t.p + 1, '"', t.n - 1)) || (n > 1 && smi_text_is(cell[0], "system")) ||
           (n == 2 && smi_text_is(cell[0], "name") && smi_text_is(cell[1], "value"));
}

/* A line that begins with no digit: do the cells behind its time fit the header? */
static bool is_rocm_csv_row(struct smi_row_reader *row, struct smi_text line, const char *at)
{
    struct smi_text number;
    return row->plan.width && split_rocm_csv_cells(at, line.p + line.n, row->cell) == row->plan.width &&
           read_card(row->cell[0], &number) == 0 && form_in_front(line, at);
}

static int read_rocm_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan fresh;
    const char *at = find_behind_time(line, "device,");
    int rc;
    if (at) {
        bind_rocm_csv_columns(&fresh, row->cell, split_rocm_csv_cells(at, line.p + line.n, row->cell));
        return smi_row_header(row, line, &fresh, err);
    }
    at = find_behind_time(line, "card");
    if (at && smi_is_digit(at[4]) && /* the end of the line at most */
        (at == line.p || smi_is_digit(*line.p) || is_rocm_csv_row(row, line, at)))
        return read_rocm_csv_row(r, line, at, err);
    if (is_system(smi_text_trim(line))) {
        row->lines.account->messages++;
        return 0;
    }
    rc = count_rocm_message(row, line, err);
    return rc ? (rc < 0 ? -1 : 0) : smi_row_reject(row, SMI_REJECT_FOREIGN, line, err);
}

/* Rows that wait for their date go on before those that wait for more. */
static int finish_rocm_csv(struct smi_reader *r, struct smi_err *err)
{
    return smi_row_finish(&r->row, err) || flush_rocm_csv_rows(r, err) ? -1 : 0;
}

static enum smi_sniff sniff_rocm_csv(struct smi_text line)
{
    struct smi_text cell[COLUMNS];
    struct smi_row_plan p;
    const char *at = find_behind_time(line, "device,");
    size_t n = at ? split_rocm_csv_cells(at, line.p + line.n, cell) : 0;
    return bind_rocm_csv_columns(&p, cell, n < COLUMNS ? n : COLUMNS) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

/* ---- JSON: objects ---- */

/* The columns and cells of a card. Returns whether anything belongs to a metric: else it only has texts. */
static bool bind_card(struct smi_reader *r, const char *name, json_t *card)
{
    struct smi_row_reader *row = &r->row;
    struct smi_row_plan plan;
    const char *label;
    json_t *value;
    size_t n = 1;
    init_rocm_plan(&plan, 1);
    row->cell[0] = smi_text_of(name);
    json_object_foreach (card, label, value) {
        const struct smi_alias *a = smi_rocm_alias(smi_text_of(label));
        if (!a || n == COLUMNS || (a->kind != SMI_COL_NUMBER && !json_is_string(value)))
            continue;
        row->cell[n] = smi_json_cell(value, r->digits[n]);
        add_rocm_column(&plan, a, n++);
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
        if (read_card(smi_text_of(key), &number) || !json_is_object(value) || !bind_card(r, key, value))
            continue;
        cards++;
        if (smi_row_read(&r->row, smi_json_document_line(&r->object), err))
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
    return smi_is_digit(*t.p) ? find_behind_time(t, "{") : NULL;
}

static int read_rocm_json_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_reader *r = self;
    struct smi_text t = smi_text_trim(line);
    const char *at = find_rocm_json_brace(t);
    int rc;
    if (at) {
        struct smi_text first = {at, (size_t)(t.p + t.n - at)};
        r->bad_time = take_time(r, t, at) != 0;
        if (r->row.order.state == SMI_ORDER_OPEN)
            return smi_row_order_wait(&r->row, line, err);
        return on_object(r, smi_json_document_begin(&r->object, r->row.lines.account, first), err);
    }
    rc = count_rocm_message(&r->row, t, err);
    if (rc)
        return rc < 0 ? -1 : 0;
    if (r->object.open)
        return on_object(r, smi_json_document_add(&r->object, t), err);
    smi_account_reject(r->row.lines.account, SMI_REJECT_FOREIGN, line);
    return 0;
}

/* {"card0": {... ; the brace can stand on a line of its own, and is then above */
static enum smi_sniff sniff_rocm_json(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line), number;
    const char *at = t.n ? find_rocm_json_brace(t) : NULL, *end;
    if (at)
        t = smi_text_trim(smi_text_between(at + 1, t.p + t.n));
    end = t.n > 1 && *t.p == '"' ? memchr(t.p + 1, '"', t.n - 1) : NULL;
    if (!end || read_card(smi_text_between(t.p + 1, end), &number))
        return SMI_SNIFF_NO;
    t = smi_text_trim(smi_text_between(end + 1, t.p + t.n));
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
    return at ? smi_json_depth(0, smi_text_between(at, t.p + t.n)) == 0
              : smi_json_document_closes(&r->object, t);
}

static int finish_rocm_json(struct smi_reader *r, struct smi_err *err)
{
    if (smi_row_order_settle(&r->row, err))
        return -1;
    smi_json_document_finish(&r->object);
    return 0;
}

static void close_rocm_json_reader(struct smi_reader *r)
{
    smi_json_document_fini(&r->object);
}

#define ROCM_TABLE                                                                                    \
    .flags = SMI_TABLE_DEVICES, .columns = COLUMNS, .time = read_rocm_time, .cell = smi_amd_row_cell, \
    .key = read_rocm_key, .found = name_rocm_device
static const struct smi_table csv_table = {ROCM_TABLE, .passed = has_no_numbers, .send = hold_rocm_csv_row};
static const struct smi_table json_table = {ROCM_TABLE};

const struct smi_format smi_format_rocm = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_csv,
    .line = read_rocm_csv_line,
    .table = &csv_table,
    .fronts = true,
    .finish = finish_rocm_csv,
};

const struct smi_format smi_format_rocm_json = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_rocm_json,
    .line = read_rocm_json_line,
    .whole = closes_rocm_json_object,
    .finish = finish_rocm_json,
    .table = &json_table,
    .fronts = true,
    .close = close_rocm_json_reader,
};
