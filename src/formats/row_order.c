/* "03-11-2026 15:13:16": the third of November, or the eleventh of March? While the dates of a log do not
 * tell, its lines wait; those of one date may never tell. */
#include "base/mem.h"
#include "formats/row_engine.h"

#include <string.h>

enum { NUMBERS = 16, NUMBERS_MOST = 64 /* GPUs, or partitions of them, that a machine may have */ };
enum { WAITING_MOST = 1 << 24 /* bytes: two days of a GPU, a row a second */ };

/* In front of each line that waits. */
struct waiting {
    int64_t number;
    size_t n;
};

/* The lines go on as if they came only now. */
static int release(struct smi_row_reader *r, enum smi_stamp_form form, struct smi_err *err)
{
    struct smi_buf b = r->order.lines;
    int64_t now = r->lines.account->lines;
    struct waiting w;
    int rc = 0;
    r->order.lines = (struct smi_buf){0};
    r->clock.form = form;
    r->lines.line = r->lines.format->line;
    for (size_t at = 0; at < b.n && rc == 0; at += sizeof w + w.n + 1) {
        memcpy(&w, b.p + at, sizeof w);
        r->lines.account->lines = w.number;
        rc = r->lines.line(r, (struct smi_text){b.p + at + sizeof w, w.n}, err);
    }
    r->lines.account->lines = now;
    smi_buf_fini(&b);
    return rc;
}

static struct smi_text date_of(struct smi_row_reader *r, struct smi_text line)
{
    size_t n = smi_row_split(line, r->split ? r->split : SMI_SPLIT_QUOTES, r->cell, r->table->columns);
    int at = r->plan.at[r->plan.at[SMI_AT_DATE] < 0 ? SMI_AT_TIME : SMI_AT_DATE];
    if (at < 0) /* in front of the cells */
        return line;
    return (size_t)at < n ? r->cell[at] : (struct smi_text){"", 0};
}

/* "51", the rest of "2024-08-01T12:10:51": seconds since the beginning? Returns 1: they are, by a second
 * time, -1: there are dates, or 0. */
static int prove(const struct smi_row_reader *r, struct smi_text t)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    if (smi_stamp_read(&c, t, &s))
        return 0;
    return s.base < SMI_TIME_BASE_DAY ? -1 : s.t_ms != r->order.first_ms;
}

static int go_on(struct smi_row_reader *r, bool dated, struct smi_err *err)
{
    r->order.undated = false;
    r->order.dated = dated;
    r->order.state = dated ? SMI_ORDER_PLAIN : SMI_ORDER_KNOWN;
    if (dated) {
        r->lines.base = SMI_TIME_BASE_NONE;
        r->clock = (struct smi_stamp_clock){0};
    }
    return release(r, r->clock.form, err);
}

/* Cells of a row; returns whether it has as many as the header. */
static bool split_row(struct smi_row_reader *r, struct smi_text line)
{
    return smi_row_split(line, r->split ? r->split : SMI_SPLIT_QUOTES, r->cell, r->table->columns) ==
           r->plan.width;
}

static bool is_same(struct smi_text a, struct smi_text b)
{
    return a.n == b.n && memcmp(a.p, b.p, a.n) == 0;
}

/* It is known what the first column is. */
static int end_count(struct smi_row_reader *r, bool rows, struct smi_err *err)
{
    struct smi_row_plan p = r->plan;
    struct smi_text name;
    int rc = 0;
    r->order.counts = false;
    r->order.state = r->order.before;
    if (rows) {
        smi_row_split((struct smi_text){r->header, r->header_n}, SMI_SPLIT_QUOTES, &name, 1);
        smi_row_plan_drop_key(&p, SMI_DEVICE_KEY_INDEX);
        r->lines.account->changes++; /* a piece of the log may not see it */
        rc = smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                              "column 1 (%.*s) goes up by one each row: the number of the row, and of no GPU",
                              name.n < 40 ? (int)name.n : 40, name.p);
        smi_row_use(r, &p);
    }
    return rc ? -1 : release(r, r->clock.form, err);
}

static struct smi_text split_time(struct smi_row_reader *r, struct smi_text line)
{
    return split_row(r, line) ? r->cell[r->plan.at[SMI_AT_TIME]] : (struct smi_text){"", 0};
}

/* The index of a GPU comes again with the next poll; the number of a row never does. Rows of one time are
 * GPUs. The line is the last that waits. */
static int count_row(struct smi_row_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_row_order *o = &r->order;
    struct smi_text before = {o->lines.p + o->last, o->last_n}, now;
    int64_t number;
    bool on;
    if (o->numbers)
        before = split_time(r, before);
    now = split_time(r, line);
    number = smi_cell_digits(r->cell[0], SMI_CELL_DIGITS);
    on = number >= 0 && (!o->numbers++ || (number == o->number + 1 && !(now.n && is_same(now, before))));
    o->number = number;
    o->last_n = line.n;
    o->last = o->lines.n - line.n - 1;
    return on && o->numbers <= NUMBERS_MOST ? 0 : end_count(r, on, err);
}

bool smi_row_order_counts(struct smi_row_reader *r)
{
    struct smi_row_order *o = &r->order;
    const int *at = r->plan.at, *key = at + SMI_AT_KEY;
    if (o->counted || r->later || key[SMI_DEVICE_KEY_INDEX] != 0 || at[SMI_AT_TIME] < 0 || r->table->process)
        return false;
    if (key[SMI_DEVICE_KEY_UUID] >= 0 || key[SMI_DEVICE_KEY_BUS] >= 0 ||
        (key[SMI_DEVICE_KEY_SERIAL] >= 0 && key[SMI_DEVICE_KEY_SERIAL] != at[SMI_AT_HOST]))
        return false;
    o->before = o->state;
    o->state = SMI_ORDER_OPEN;
    return o->counts = o->counted = true;
}

/* The place of a key below which a model may stand ("gpu", "device"), or -1. */
static int model_place(const struct smi_row_reader *r)
{
    int gpu = r->plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_GPU];
    return gpu >= 0 ? gpu : r->plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_INDEX];
}

/* It is known whether equal GPUs have the key in common: then it is their name. */
static int end_models(struct smi_row_reader *r, bool equal, struct smi_err *err)
{
    struct smi_row_plan p = r->plan;
    int at = model_place(r);
    r->order.models = false;
    r->order.state = r->order.before;
    if (equal) {
        smi_row_plan_drop_key(&p, at == p.at[SMI_AT_KEY + SMI_DEVICE_KEY_GPU] ? SMI_DEVICE_KEY_GPU
                                                                              : SMI_DEVICE_KEY_INDEX);
        if (p.at[SMI_AT_NAME] < 0)
            p.at[SMI_AT_NAME] = at;
        r->lines.account->changes++; /* a piece of the log may not see it */
        smi_row_use(r, &p);
    }
    return release(r, r->clock.form, err);
}

/* Rows of the first time wait until one has the model of another. The line at hand is the last of them. */
static int compare_models(struct smi_row_reader *r, struct smi_text line, struct smi_err *err)
{
    const struct smi_buf *b = &r->order.lines;
    size_t place = (size_t)model_place(r), time = (size_t)r->plan.at[SMI_AT_TIME];
    struct smi_text model, now;
    struct waiting w;
    if (!split_row(r, line))
        return end_models(r, false, err);
    model = r->cell[place];
    now = r->cell[time];
    for (size_t at = 0; at + sizeof w + line.n + 1 < b->n; at += sizeof w + w.n + 1) {
        memcpy(&w, b->p + at, sizeof w);
        split_row(r, (struct smi_text){b->p + at + sizeof w, w.n});
        if (!is_same(r->cell[time], now))
            return end_models(r, false, err);
        if (is_same(r->cell[place], model) && smi_cell_model(model))
            return end_models(r, true, err);
    }
    return ++r->order.numbers <= NUMBERS_MOST ? 0 : end_models(r, false, err);
}

bool smi_row_order_models(struct smi_row_reader *r)
{
    struct smi_row_order *o = &r->order;
    int at = model_place(r);
    if (o->looked || r->later || at < 0 || r->plan.at[SMI_AT_TIME] < 0 || r->table->process ||
        !smi_cell_model(r->cell[at]))
        return false;
    o->numbers = 0;
    o->before = o->state;
    o->state = SMI_ORDER_OPEN;
    return o->models = o->looked = true;
}

/* ---- a column that is the key ---- */

enum { KEY_ROWS = 1024 /* wait at most: some polls of a few hundred workers */ };

/* One row for one column. */
struct keyed_row {
    struct smi_text date, time, value;
};

static int compare_text(struct smi_text a, struct smi_text b)
{
    const size_t n = a.n < b.n ? a.n : b.n;
    const int c = n ? memcmp(a.p, b.p, n) : 0;
    return c ? c : (a.n > b.n) - (a.n < b.n);
}

static int by_time_and_value(const void *x, const void *y)
{
    const struct keyed_row *a = x, *b = y;
    int c = compare_text(a->date, b->date);
    c = c ? c : compare_text(a->time, b->time);
    return c ? c : compare_text(a->value, b->value);
}

static int by_value(const void *x, const void *y)
{
    return compare_text(((const struct keyed_row *)x)->value, ((const struct keyed_row *)y)->value);
}

/* Is the name of a column that of something that changes, or that GPUs share? */
static bool is_no_key_name(struct smi_text name)
{
    static const char *const no[] = {"name",  "model",   "type",   "process", "proc",    "command",
                                     "cmd",   "user",    "state",  "status",  "pstate",  "phase",
                                     "event", "message", "driver", "app",     "program", "task",
                                     "job",   "version", "stage",  NULL};
    for (const char *const *word = no; *word; word++)
        for (size_t i = 0, n = strlen(*word); i + n <= name.n; i++)
            if (smi_text_starts_nocase((struct smi_text){name.p + i, name.n - i}, *word))
                return true;
    return false;
}

/* A text that can name a worker: no number, no time, no performance state. */
static bool is_key_text(struct smi_text t)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    bool letter = false;
    for (size_t i = 0; i < t.n; i++)
        letter |= (unsigned char)t.p[i] >= 0x80 || ((t.p[i] | 32) >= 'a' && (t.p[i] | 32) <= 'z');
    if (!letter || smi_cell_missing(t) || (t.n < 4 && (*t.p | 32) == 'p' && t.p[1] >= '0' && t.p[1] <= '9'))
        return false;
    return smi_stamp_read(&c, t, &at) != 0;
}

/* Is the value never twice at one time, while several rows have one time, and does it come again? */
static bool is_key_column(struct keyed_row *row, size_t n)
{
    size_t shared = 0, values = 0;
    smi_sort(row, n, sizeof *row, by_time_and_value);
    for (size_t i = 1; i < n; i++)
        if (is_same(row[i - 1].date, row[i].date) && is_same(row[i - 1].time, row[i].time)) {
            shared++;
            if (is_same(row[i - 1].value, row[i].value))
                return false;
        }
    smi_sort(row, n, sizeof *row, by_value);
    for (size_t i = 0; i < n; i++)
        values += !i || !is_same(row[i - 1].value, row[i].value);
    return shared && values > 1 && 2 * values <= n;
}

static bool is_place_used(const struct smi_row_plan *p, size_t place)
{
    bool used = false;
    for (size_t i = 0; i < SMI_AT_COUNT; i++)
        used |= p->at[i] == (int)place;
    for (unsigned i = 0; i < p->n; i++)
        used |= p->column[i].place == place;
    return used;
}

/* Fills row with the column at `place` of the lines that wait. Returns how many are rows; 0: a value is no
 * key. */
static size_t read_key_column(struct smi_row_reader *r, size_t place, struct keyed_row *row)
{
    const struct smi_buf *b = &r->order.lines;
    const int *at = r->plan.at;
    struct waiting w;
    size_t n = 0;
    for (size_t i = 0; i + sizeof w < b->n; i += sizeof w + w.n + 1) {
        memcpy(&w, b->p + i, sizeof w);
        if (!split_row(r, (struct smi_text){b->p + i + sizeof w, w.n}) || !r->cell[at[SMI_AT_TIME]].n ||
            smi_row_same_header(r, (struct smi_text){b->p + i + sizeof w, w.n}))
            continue;
        row[n] = (struct keyed_row){{"", 0}, r->cell[at[SMI_AT_TIME]], r->cell[place]};
        if (at[SMI_AT_DATE] >= 0)
            row[n].date = r->cell[at[SMI_AT_DATE]];
        if (!is_key_text(row[n++].value))
            return 0;
    }
    return n;
}

/* The place of the column that is the key of the rows that wait, or -1. */
static int find_key_column(struct smi_row_reader *r, struct keyed_row *row)
{
    for (size_t place = 0; place < r->plan.width; place++) {
        size_t n;
        smi_row_split((struct smi_text){r->header, r->header_n}, SMI_SPLIT_QUOTES, r->cell,
                      r->table->columns);
        if (is_place_used(&r->plan, place) || is_no_key_name(r->cell[place]))
            continue;
        n = read_key_column(r, place, row);
        if (n && is_key_column(row, n))
            return (int)place;
    }
    return -1;
}

/* The column is read now: the note that it is not goes, if it is about this column alone. */
static void forget_unknown_column(struct smi_account *a)
{
    for (size_t i = 0; i < a->problems && a->unknown_columns == 1; i++)
        if (strstr(a->problem[i].text, "1 unknown column not read: ")) {
            smi_mem_free(a->problem[i].text);
            memmove(a->problem + i, a->problem + i + 1, (--a->problems - i) * sizeof *a->problem);
            a->said[SMI_LOG_WARNING_OTHER]--;
            a->unknown_columns = 0;
        }
}

/* Enough rows wait, or no more come. */
static int end_keys(struct smi_row_reader *r, struct smi_err *err)
{
    struct keyed_row *row = smi_mem_new(r->order.numbers + 1, sizeof *row);
    struct smi_row_plan p = r->plan;
    struct smi_text name;
    int place;
    if (!row)
        return smi_err_nomem(err);
    place = find_key_column(r, row);
    smi_mem_free(row);
    r->order.keys = false;
    r->order.state = r->order.before;
    if (place < 0)
        return release(r, r->clock.form, err);
    smi_row_split((struct smi_text){r->header, r->header_n}, SMI_SPLIT_QUOTES, r->cell, r->table->columns);
    name = smi_text_prefix(r->cell[place], 40);
    p.at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] = place;
    p.keyed = true;
    r->lines.account->changes++; /* a piece of the log may not see it */
    forget_unknown_column(r->lines.account);
    if (smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, err,
                         "column %d (%.*s) tells the rows of one time apart, and names the GPUs", place + 1,
                         (int)name.n, name.p) < 0)
        return -1;
    smi_row_use(r, &p);
    return release(r, r->clock.form, err);
}

bool smi_row_order_keys(struct smi_row_reader *r)
{
    struct smi_row_order *o = &r->order;
    bool some = false;
    if (o->sought || r->later || r->plan.keyed || r->plan.host || r->plan.at[SMI_AT_TIME] < 0 ||
        r->table->process || (r->table->flags & (SMI_TABLE_HOST | SMI_TABLE_COUNTED)) || !r->header_n)
        return false;
    o->sought = true;
    for (size_t place = 0; place < r->plan.width && !some; place++)
        some = !is_place_used(&r->plan, place) && is_key_text(r->cell[place]);
    o->numbers = 0;
    o->before = o->state;
    o->state = some ? SMI_ORDER_OPEN : o->state;
    return o->keys = some;
}

/* smi_line_fn, while lines wait. */
static int keep_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_row_reader *r = self;
    struct waiting w = {r->lines.account->lines, line.n};
    struct smi_text before = {r->order.date, r->order.date_n}, date;
    enum smi_stamp_form form;
    int proof;
    smi_buf_add(&r->order.lines, (const char *)&w, sizeof w);
    smi_buf_add(&r->order.lines, line.p, line.n);
    smi_buf_char(&r->order.lines, '\n'); /* readers stop there */
    if (r->order.lines.failed)
        return smi_err_nomem(err);
    if (r->order.counts)
        return count_row(r, line, err);
    if (r->order.models)
        return compare_models(r, line, err);
    if (r->order.keys)
        return ++r->order.numbers < KEY_ROWS ? 0 : end_keys(r, err);
    date = date_of(r, line);
    if (r->order.undated) {
        proof = prove(r, date);
        return proof || r->order.lines.n >= WAITING_MOST ? go_on(r, proof < 0, err) : 0;
    }
    form = smi_stamp_order(before, date);
    r->order.state = form ? SMI_ORDER_KNOWN : SMI_ORDER_OPEN;
    if (date.n >= sizeof r->order.date && *date.p >= '0' && *date.p <= '9')
        memcpy(r->order.date, date.p, r->order.date_n = sizeof r->order.date);
    if (form)
        return release(r, form, err);
    return r->order.lines.n < WAITING_MOST ? 0 : smi_row_order_settle(r, err);
}

int smi_row_order_wait(struct smi_row_reader *r, struct smi_text line, struct smi_err *err)
{
    r->lines.line = keep_line; /* the fast paths read no date of such a form: no row overtakes these */
    return keep_line(r, line, err);
}

int smi_row_order_settle(struct smi_row_reader *r, struct smi_err *err)
{
    if (r->order.state != SMI_ORDER_OPEN)
        return 0;
    if (r->order.counts)
        return end_count(r, r->order.numbers > NUMBERS, err);
    if (r->order.models)
        return end_models(r, false, err);
    if (r->order.keys)
        return end_keys(r, err);
    if (r->order.undated)
        return go_on(r, false, err);
    r->order.state = SMI_ORDER_TAKEN;
    return release(r, SMI_STAMP_DAY_FIRST, err);
}
