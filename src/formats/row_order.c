/* "03-11-2026 15:13:16": the third of November, or the eleventh of March? While the dates of a log do not
 * tell, its lines wait; those of one date may never tell. */
#include "base/mem.h"
#include "formats/row_engine.h"

int64_t smi_poll_cycle_rejected(const struct smi_poll_cycle *r)
{
    return r->earlier ? *r->earlier
                      : smi_account_rejected(r->account) - r->account->rejected[SMI_REJECT_FOREIGN];
}

/* ---- what a round adds up to ---- */

static void send_device_sum(const struct smi_poll_cycle *r, const struct smi_poll_cycle_gpu *g,
                            struct smi_lines *l)
{
    const bool fits = smi_reading_fits(SMI_PROCS_FB_USED, g->memory);
    char sum[SMI_I128_TEXT];
    struct smi_sample s = {
        .t_ms = r->t_ms, .timed = r->timed, .fine = r->fine, .who = g->who, .shared = true};
    smi_sample_add(&s, SMI_PROCS, g->procs * 1000000);
    if (r->has_memory && !g->unknown && fits)
        smi_sample_add(&s, SMI_PROCS_FB_USED, (int64_t)g->memory);
    if (!fits)
        smi_account_range(r->account, SMI_PROCS_FB_USED,
                          (struct smi_text){sum, smi_i128_write(sum, g->memory / 1000000)},
                          smi_metrics[SMI_PROCS_FB_USED].most);
    smi_lines_row(l, &s);
}

static void forget_processes(struct smi_poll_cycle *r)
{
    r->rows = 0;
    smi_map_clear(&r->map);
}

int smi_poll_cycle_end(struct smi_poll_cycle *r, struct smi_lines *l)
{
    bool whole = r->open && !r->over && r->doubts == smi_poll_cycle_rejected(r);
    for (size_t i = 0; whole && i < r->gpus; i++)
        send_device_sum(r, &r->gpu[i], l);
    r->gpus = 0;
    forget_processes(r);
    r->open = r->over = false;
    return 0;
}

/* ---- the rows of one ---- */

static bool is_process(const void *list, size_t place, const void *key)
{
    const struct smi_poll_cycle_row *a = (const struct smi_poll_cycle_row *)list + place, *b = key;
    return a->pid == b->pid && a->who == b->who;
}

static struct smi_poll_cycle_gpu *find_device_sum(const struct smi_poll_cycle *r, int who)
{
    for (size_t i = r->gpus; i-- > 0;)
        if (r->gpu[i].who == who)
            return &r->gpu[i];
    return NULL;
}

/* before: as remember_process says it. A process that computes and draws may have a row for each: it counts
 * once. */
static void add_row_to_device(struct smi_poll_cycle *r, const struct smi_sample *s, unsigned before)
{
    struct smi_poll_cycle_gpu *g = s->who >= 0 ? find_device_sum(r, s->who) : NULL;
    int64_t memory = -1;
    if (s->who < 0)
        return;
    if (!g) {
        g = SMI_MEM_ADD(r->gpu, r->gpus, r->gpus_cap);
        *g = (struct smi_poll_cycle_gpu){.who = s->who};
    }
    g->none = s->process->none;
    if (g->none)
        return;
    for (unsigned i = 0; i < s->n; i++)
        memory = s->metric[i] == SMI_FB_USED ? s->v[i] : memory;
    g->procs += !before || !s->process->types;
    g->unknown += memory < 0;
    g->memory += memory < 0 ? 0 : memory;
}

/* Remembers the process. Returns with which types it was here before, as bits by their numbers. */
static unsigned remember_process(struct smi_poll_cycle *r, const struct smi_sample *s)
{
    const struct smi_poll_cycle_row p = {s->who, 1U << s->process->types, s->process->pid};
    const uint64_t hash = smi_hash_pair((uint64_t)p.pid, (uint64_t)(int64_t)p.who);
    const size_t at = smi_map_find(&r->map, hash, is_process, r->row, &p);
    unsigned before;
    if (p.pid < 0) /* may be any */
        return 0;
    if (at == SMI_MAP_NONE) {
        smi_map_add(&r->map, hash, r->rows);
        *SMI_MEM_ADD(r->row, r->rows, r->cap) = p;
        return 0;
    }
    before = r->row[at].types;
    r->row[at].types |= p.types;
    return before;
}

static void begin_next_cycle(struct smi_poll_cycle *r, const struct smi_sample *s, struct smi_lines *l)
{
    smi_poll_cycle_end(r, l);
    r->open = true;
    r->timed = s->timed;
    r->fine = s->fine;
    r->t_ms = s->t_ms;
    r->doubts = smi_poll_cycle_rejected(r);
}

int smi_poll_cycle_add(struct smi_poll_cycle *r, const struct smi_sample *s, bool begins, struct smi_lines *l)
{
    unsigned before;
    const struct smi_poll_cycle_gpu *g = r->open && s->who >= 0 ? find_device_sum(r, s->who) : NULL;
    if (!r->open || begins || s->timed != r->timed || (s->timed && s->t_ms != r->t_ms) ||
        (g && (g->none || s->process->none))) /* a GPU without processes says so once, and alone */
        begin_next_cycle(r, s, l);
    if (r->rows == SMI_POLL_CYCLE_ROWS) {
        r->over = true;
        forget_processes(r);
    }
    before = remember_process(r, s);
    if (before >> s->process->types & 1) {
        if (s->timed && s->fine) { /* the row itself a second time */
            r->account->duplicates++;
            return 0;
        }
        begin_next_cycle(r, s, l); /* every process may be there once: the next round */
        before = remember_process(r, s);
    }
    add_row_to_device(r, s, before);
    return smi_lines_row(l, s);
}

void smi_poll_cycle_fini(struct smi_poll_cycle *r)
{
    smi_mem_free(r->gpu);
    smi_mem_free(r->row);
    smi_map_fini(&r->map);
    *r = (struct smi_poll_cycle){0};
}

enum { NUMBERS = 16, NUMBERS_MOST = 64 /* GPUs, or partitions of them, that a machine may have */ };
enum { WAITING_MOST = 1 << 24 /* bytes: two days of a GPU, a row a second */ };
enum told { NOT_YET, NO, YES /* the plan is another */ }; /* by the lines that wait */

/* In front of each line that waits. */
struct waiting {
    int64_t number;
    size_t n;
    char host[64]; /* as in struct smi_lines */
};

/* The line that waits at *at of b, which goes behind it. Returns false at the end. */
static bool next_waiting(const struct smi_buf *b, size_t *at, struct waiting *w, struct smi_text *line)
{
    if (*at >= b->n)
        return false;
    memcpy(w, b->p + *at, sizeof *w);
    *line = (struct smi_text){b->p + *at + sizeof *w, w->n};
    *at += sizeof *w + w->n + 1; /* its LF */
    return true;
}

/* The lines go on as if they came only now. */
static void release(struct smi_row_reader *r)
{
    struct smi_buf b = r->order.lines;
    const struct smi_text host = r->lines.host;
    int64_t now = r->lines.account->lines;
    struct waiting w;
    struct smi_text line;
    r->order.lines = (struct smi_buf){0};
    r->lines.line = r->lines.format->line;
    for (size_t at = 0; !r->lines.failed && next_waiting(&b, &at, &w, &line);) {
        r->lines.account->lines = w.number;
        r->lines.host = smi_text_of(w.host);
        r->lines.line(r, line);
    }
    r->lines.account->lines = now;
    r->lines.host = host;
    smi_buf_fini(&b);
}

bool smi_row_order_ask(struct smi_row_reader *r, enum smi_row_question what)
{
    if (r->order.asked >> what & 1)
        return false;
    r->order.asked |= 1U << what;
    r->order.asks = what;
    r->order.rows = 0;
    return true;
}

/* The cells of a row: returns how many. */
static size_t split_row(struct smi_row_reader *r, struct smi_text line)
{
    return smi_row_split(line, r->split ? r->split : SMI_SPLIT_QUOTES, r->cell, r->table->columns);
}

static struct smi_text date_of(struct smi_row_reader *r, struct smi_text line)
{
    size_t n = split_row(r, line);
    int at = r->plan.at[r->plan.at[SMI_AT_DATE] < 0 ? SMI_AT_TIME : SMI_AT_DATE];
    if (at < 0) /* in front of the cells */
        return line;
    return (size_t)at < n ? r->cell[at] : (struct smi_text){"", 0};
}

void smi_row_order_take(struct smi_row_reader *r)
{
    r->order.asks = SMI_ASK_NOTHING;
    r->order.taken = true;
    r->clock.form = r->clock.half ? SMI_STAMP_MONTH_FIRST : SMI_STAMP_DAY_FIRST;
}

/* What answers the questions. line: it came behind those that wait; NULL: no more come. */

static enum told judge_order(struct smi_row_reader *r, const struct smi_text *line)
{
    const struct smi_text before = {r->order.date, r->order.date_n};
    struct smi_text date;
    enum smi_stamp_form form;
    char text[SMI_STAMP_TEXT];
    if (!line) {
        smi_row_order_take(r);
        return NO;
    }
    date = smi_stamp_plain(text, date_of(r, *line));
    form = smi_stamp_order(before, date);
    if (date.n >= sizeof r->order.date && smi_is_digit(*date.p))
        memcpy(r->order.date, date.p, r->order.date_n = sizeof r->order.date);
    r->clock.form = form ? form : r->clock.form;
    return form ? NO : NOT_YET;
}

/* "51", the rest of "2024-08-01T12:10:51": seconds since the beginning? They are by a second time, and not if
 * there are dates. */
static enum told judge_first_time(struct smi_row_reader *r, const struct smi_text *line)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp s;
    const bool is = line && smi_stamp_read(&c, date_of(r, *line), &s) == 0;
    if (is && s.base < SMI_TIME_BASE_DAY) {
        r->order.dated = true;
        r->lines.base = SMI_TIME_BASE_NONE;
        r->clock = (struct smi_stamp_clock){0};
        return NO;
    }
    return !line || (is && s.t_ms != r->order.first_ms) ? NO : NOT_YET;
}

static struct smi_text header_cell(struct smi_row_reader *r, size_t place)
{
    const size_t n = split_row(r, (struct smi_text){r->header, r->header_n});
    return place < n ? r->cell[place] : (struct smi_text){"", 0};
}

/* A row that waits, for one of its columns. */
struct keyed_row {
    struct smi_text value, date, time;
};

/* Fills row with the column at `place` of the lines that wait. Returns how many are rows. */
static size_t read_column(struct smi_row_reader *r, size_t place, struct keyed_row *row)
{
    const int *at = r->plan.at;
    struct waiting w;
    struct smi_text line;
    size_t n = 0;
    for (size_t i = 0; next_waiting(&r->order.lines, &i, &w, &line);) {
        if (smi_row_end_comma(r, split_row(r, line)) != r->plan.width || !r->cell[at[SMI_AT_TIME]].n ||
            smi_row_same_header(r, line))
            continue;
        row[n] = (struct keyed_row){.value = r->cell[place], .time = r->cell[at[SMI_AT_TIME]]};
        if (at[SMI_AT_DATE] >= 0)
            row[n].date = r->cell[at[SMI_AT_DATE]];
        n++;
    }
    return n;
}

/* The index of a GPU comes again with the next poll; the number of a row never does. Rows of one time are
 * GPUs. */
static enum told judge_count(struct smi_row_reader *r, const struct smi_text *line)
{
    struct keyed_row row[NUMBERS_MOST + 1];
    const size_t n = read_column(r, 0, row);
    const struct smi_text name = smi_text_prefix(header_cell(r, 0), 40);
    int64_t last = -1, number;
    for (size_t i = 0; i < n; i++, last = number) {
        number = smi_cell_digits(row[i].value, SMI_CELL_DIGITS);
        if (number < 0 || (i && (number != last + 1 || smi_text_equal(row[i].time, row[i - 1].time))))
            return NO;
    }
    if (line && r->order.rows <= NUMBERS_MOST)
        return NOT_YET;
    if (n <= NUMBERS)
        return NO;
    r->plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_INDEX] = -1;
    smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                     "column 1 (%.*s) goes up by one each row: the number of the row, and of no GPU",
                     (int)name.n, name.p);
    return YES;
}

static bool asks_count(struct smi_row_reader *r)
{
    const int *at = r->plan.at, *key = at + SMI_AT_KEY;
    return key[SMI_DEVICE_KEY_INDEX] == 0 && key[SMI_DEVICE_KEY_UUID] < 0 && key[SMI_DEVICE_KEY_BUS] < 0 &&
           (key[SMI_DEVICE_KEY_SERIAL] < 0 || key[SMI_DEVICE_KEY_SERIAL] == at[SMI_AT_HOST]) &&
           smi_row_order_ask(r, SMI_ASK_COUNT);
}

/* The key below which a model may stand ("gpu", "device"). */
static enum smi_device_key model_key(const struct smi_row_reader *r)
{
    return r->plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_GPU] >= 0 ? SMI_DEVICE_KEY_GPU : SMI_DEVICE_KEY_INDEX;
}

/* Rows of the first time wait until one has the model of another: the last one, with those before it. Equal
 * GPUs have the key in common: it is their name. */
static enum told judge_models(struct smi_row_reader *r, const struct smi_text *line)
{
    struct keyed_row row[NUMBERS_MOST + 1], *last;
    const enum smi_device_key key = model_key(r);
    const int place = r->plan.at[SMI_AT_KEY + key];
    const size_t n = read_column(r, (size_t)place, row);
    if (n < r->order.rows)
        return NO;
    for (size_t i = 0; i + 1 < n; i++) {
        last = &row[n - 1];
        if (!smi_text_equal(row[i].time, last->time))
            return NO;
        if (smi_text_equal(row[i].value, last->value) && smi_cell_model(last->value)) {
            r->plan.at[SMI_AT_KEY + key] = -1;
            r->plan.at[SMI_AT_NAME] = r->plan.at[SMI_AT_NAME] < 0 ? place : r->plan.at[SMI_AT_NAME];
            return YES;
        }
    }
    return line && r->order.rows <= NUMBERS_MOST ? NOT_YET : NO;
}

static bool asks_models(struct smi_row_reader *r)
{
    const int at = r->plan.at[SMI_AT_KEY + model_key(r)];
    return at >= 0 && r->cell[at].n > 2 && smi_cell_model(r->cell[at]) &&
           smi_row_order_ask(r, SMI_ASK_MODELS);
}

/* ---- a column that is the key ---- */

enum { KEY_ROWS = 1024 /* wait at most: some polls of a few hundred workers */ };

static int by_time_and_value(const void *x, const void *y)
{
    const struct keyed_row *a = x, *b = y;
    int c = smi_compare_texts(&a->date, &b->date);
    c = c ? c : smi_compare_texts(&a->time, &b->time);
    return c ? c : smi_compare_texts(&a->value, &b->value);
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
            if (smi_text_starts_nocase(smi_text_from(name, i), *word))
                return true;
    return false;
}

/* A text that can name a worker: no number, also none with a unit ("1980 MHz"), no time, no performance
 * state.
 */
static bool is_key_text(struct smi_text t)
{
    const size_t number = smi_text_span(t, "+-.0123456789");
    bool letter = false;
    if (number && smi_unit_find(smi_text_from(t, number)))
        return false;
    for (size_t i = 0; i < t.n; i++)
        letter |= (unsigned char)t.p[i] >= 0x80 || ((t.p[i] | 32) >= 'a' && (t.p[i] | 32) <= 'z');
    if (!letter || smi_cell_missing(t) || (t.n < 4 && (*t.p | 32) == 'p' && smi_is_digit(t.p[1])))
        return false;
    return !smi_stamp_form_of(t);
}

/* Is the value never twice at one time, while several rows have one time, and does it come again? */
static bool is_key_column(struct keyed_row *row, size_t n)
{
    size_t shared = 0, values = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_key_text(row[i].value))
            return false;
    smi_sort(row, n, sizeof *row, by_time_and_value);
    for (size_t i = 1; i < n; i++)
        if (smi_text_equal(row[i - 1].date, row[i].date) && smi_text_equal(row[i - 1].time, row[i].time)) {
            shared++;
            if (smi_text_equal(row[i - 1].value, row[i].value))
                return false;
        }
    smi_sort(row, n, sizeof *row, smi_compare_texts);
    for (size_t i = 0; i < n; i++)
        values += !i || !smi_text_equal(row[i - 1].value, row[i].value);
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

/* Which column is the key of the rows that wait? Enough of them do, or no more come. */
static enum told judge_keys(struct smi_row_reader *r, const struct smi_text *line)
{
    struct keyed_row *row;
    struct smi_text name;
    size_t place = 0;
    if (line && r->order.rows < KEY_ROWS)
        return NOT_YET;
    row = smi_mem_new(r->order.rows + 1, sizeof *row);
    while (place < r->plan.width &&
           (is_place_used(&r->plan, place) || is_no_key_name(header_cell(r, place)) ||
            !is_key_column(row, read_column(r, place, row))))
        place++;
    smi_mem_free(row);
    if (place == r->plan.width)
        return NO;
    name = smi_text_prefix(header_cell(r, place), 40);
    r->plan.at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] = (int)place;
    smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                     "column %zu (%.*s) has no readings; it tells rows of one time apart, and names the GPUs",
                     place + 1, (int)name.n, name.p);
    return YES;
}

static bool asks_keys(struct smi_row_reader *r)
{
    bool some = false;
    if (r->plan.keyed || r->lines.host.n || r->plan.host || r->table->flags & SMI_TABLE_COUNTED ||
        !r->header_n)
        return false;
    for (size_t place = 0; place < r->plan.width && !some; place++)
        some = !is_place_used(&r->plan, place) && is_key_text(r->cell[place]);
    return some && smi_row_order_ask(r, SMI_ASK_KEYS);
}

/* Of the rows of a CSV, which have a header, or columns that the user named. */
bool smi_row_order_asks(struct smi_row_reader *r)
{
    const bool first = !r->order.sought;
    r->order.sought = true;
    return !r->part && !r->later && (r->header_n || r->wanted) && r->plan.at[SMI_AT_TIME] >= 0 &&
           !r->table->process && (asks_count(r) || asks_models(r) || (first && asks_keys(r)));
}

/* ---- lines that wait ---- */

/* line: as the functions that it asks have it. What is asked now may be followed by another question when the
 * lines are read. */
static void judge(struct smi_row_reader *r, const struct smi_text *line)
{
    static enum told (*const judges[])(struct smi_row_reader * r, const struct smi_text *line) = {
        [SMI_ASK_ORDER] = judge_order,
        [SMI_ASK_FIRST_TIME] = judge_first_time,
        [SMI_ASK_COUNT] = judge_count,
        [SMI_ASK_MODELS] = judge_models,
        [SMI_ASK_KEYS] = judge_keys};
    const enum told told = judges[r->order.asks](r, line);
    if (told == NOT_YET)
        return;
    r->order.asks = SMI_ASK_NOTHING;
    if (told == YES) {
        r->lines.account->changes++; /* a piece of the log may not see it */
        smi_row_use(r, &r->plan);
    }
    release(r);
}

/* smi_line_fn, while lines wait. */
static int keep_line(void *self, struct smi_text line)
{
    struct smi_row_reader *r = self;
    struct waiting w = {.number = r->lines.account->lines, .n = line.n};
    smi_text_copy(w.host, sizeof w.host, r->lines.host);
    smi_buf_add(&r->order.lines, (const char *)&w, sizeof w);
    smi_buf_add(&r->order.lines, line.p, line.n);
    smi_buf_char(&r->order.lines, '\n'); /* readers stop there */
    r->order.rows++;
    judge(r, &line);
    if (r->order.asks && r->order.lines.n >= WAITING_MOST)
        judge(r, NULL);
    return 0;
}

int smi_row_order_wait(struct smi_row_reader *r, struct smi_text line)
{
    r->lines.line = keep_line; /* the fast paths read no date of such a form: no row overtakes these */
    return keep_line(r, line);
}

void smi_row_order_settle(struct smi_row_reader *r)
{
    while (r->order.asks && !r->lines.failed)
        judge(r, NULL);
}
