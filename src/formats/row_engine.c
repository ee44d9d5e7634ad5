/* row_engine.c - rows of tables: cells by their column to readings, and the time of a row. */
#include "formats/row_engine.h"
#include "base/mem.h"
#include "formats/column_map.h"

/* ---- plans ---- */

void smi_row_plan_init(struct smi_row_plan *p, size_t width)
{
    p->width = width;
    p->keyed = p->commas = p->all = p->draws = p->host = false;
    p->n = p->readings = 0;
    *p->index = 0;
    for (int i = 0; i < SMI_AT_COUNT; i++)
        p->at[i] = -1;
}

void smi_row_plan_add(struct smi_row_plan *p, enum smi_column_kind kind, unsigned what, unsigned how,
                      size_t place)
{
    unsigned readings = kind == SMI_COL_MASK ? SMI_THROTTLE_COUNT : kind >= SMI_COL_NUMBER;
    const int at = kind == SMI_COL_TIME    ? SMI_AT_TIME
                   : kind == SMI_COL_KEY   ? SMI_AT_KEY + (int)what
                   : kind == SMI_COL_NAME  ? SMI_AT_NAME
                   : kind == SMI_COL_PLACE ? (int)what
                                           : -1;
    if (at >= 0) {
        p->at[at] = p->at[at] < 0 ? (int)place : p->at[at];
        p->keyed |= at >= SMI_AT_KEY;
    }
    if (at >= 0 || kind == SMI_COL_SKIP)
        return;
    for (unsigned i = 0; i < p->n && !p->all; i++)
        if (p->column[i].kind == kind && p->column[i].what == what)
            return;
    if (p->n == SMI_ROW_READINGS || (readings && p->readings + SMI_THROTTLE_COUNT >= SMI_SAMPLE_MAX))
        return;
    p->readings += readings;
    p->column[p->n++] = (struct smi_row_column){kind, (uint16_t)what, (uint16_t)place, (uint8_t)how};
}

bool smi_row_plan_has(const struct smi_row_plan *p, unsigned metric)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->column[i].kind == SMI_COL_NUMBER && p->column[i].what == metric)
            return true;
    return false;
}

struct smi_text smi_name_without_unit(struct smi_text name)
{
    const char *open = name.n && name.p[name.n - 1] == ']' ? memchr(name.p, '[', name.n) : NULL;
    return open ? smi_text_trim(smi_text_between(name.p, open)) : name;
}

static const struct smi_alias *find_name(const struct smi_table *t, struct smi_text name)
{
    const struct smi_alias *a = NULL;
    name = smi_name_without_unit(name);
    for (size_t i = 0; i < 2 && t->names[i] && !a; i++)
        a = smi_names_find(t->names[i], name);
    return a;
}

void smi_row_plan_names(struct smi_row_plan *p, const struct smi_table *t, const struct smi_text *cell,
                        size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct smi_alias *a = find_name(t, cell[i]);
        if (a)
            smi_row_plan_add(p, a->kind, a->what, a->how, i);
    }
}

bool smi_names_have(const struct smi_text *cell, size_t n, const char *const *list)
{
    for (; *list; list++)
        for (size_t i = 0; i < n; i++)
            if (smi_text_is_nocase(smi_name_without_unit(cell[i]), *list))
                return true;
    return false;
}

void smi_row_parts_init(struct smi_row_plan *gpu, struct smi_row_plan *host, size_t width)
{
    smi_row_plan_init(gpu, width);
    smi_row_plan_init(host, width);
    host->host = true;
}

void smi_row_parts_add(struct smi_row_plan *gpu, struct smi_row_plan *host, enum smi_column_kind kind,
                       unsigned what, unsigned how, size_t place)
{
    const bool of_host = kind == SMI_COL_NUMBER && smi_metric_is_host(what);
    if (!of_host)
        smi_row_plan_add(gpu, kind, what, how, place);
    if (of_host || kind == SMI_COL_TIME || kind == SMI_COL_PLACE)
        smi_row_plan_add(host, kind, what, how, place);
}

/* Where only an index names GPUs, the machine tells those of several machines apart, as a serial would. */
static void use_host_as_serial(struct smi_row_plan *p)
{
    int *at = p->at;
    if (at[SMI_AT_KEY + SMI_DEVICE_KEY_UUID] < 0 && at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] < 0 && p->keyed)
        at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] = at[SMI_AT_HOST];
}

struct smi_row_plan *smi_row_part(struct smi_row_parts *p, struct smi_text key,
                                  const struct smi_row_plan *base)
{
    struct smi_row_plan *part = p->part;
    unsigned i = 0;
    while (i < p->n && !smi_text_is(key, p->part[i].index))
        i++;
    part += i;
    p->full |= i == SMI_ROW_PARTS;
    if (i < p->n || i == SMI_ROW_PARTS)
        return i < p->n ? part : NULL;
    p->n++;
    *part = *base;
    smi_text_copy(part->index, sizeof part->index, key);
    part->host = !key.n;
    part->keyed = key.n;
    use_host_as_serial(part);
    return part;
}

/* ---- the reader ---- */

void smi_row_open(struct smi_row_reader *r, const struct smi_table *t, const struct smi_read_opts *o)
{
    r->table = t;
    r->wanted = smi_column_map_is(o->columns) ? NULL : o->columns;
    r->later = o->later;
    r->cycle.account = o->account;
    smi_row_plan_init(&r->plan, 0);
    r->cell = smi_mem_raw((t->columns + 1) * sizeof *r->cell);
}

void smi_row_close(struct smi_row_reader *r)
{
    smi_poll_cycle_fini(&r->cycle);
    smi_mem_free(r->header);
    smi_mem_free(r->cell);
    smi_mem_free(r->dates.held);
    smi_buf_fini(&r->dates.names);
    smi_buf_fini(&r->order.lines);
}

/* ---- times from lines of date(1) ---- */

enum { HELD = 512 /* rows of one call */, HELD_KEYLESS = 64 /* where nothing tells them apart */ };

struct smi_held_row {
    struct smi_sample s;
    struct smi_process process;
    bool begins, pause; /* pause: no row, a break */
    size_t name;        /* its place in dates.names */
    int64_t rejected;   /* lines above it, of rows about processes */
};

/* Before a device is made: which GPUs the rows so far are of depends on those that are known. */
static void flush_keyless(struct smi_row_reader *r)
{
    if (r->lines.keyless)
        smi_lines_flush(&r->lines);
}

static int send_break(struct smi_row_reader *r)
{
    struct smi_mark m = {.kind = SMI_MARK_BREAK, .who = SMI_DEVICE_KEYLESS};
    flush_keyless(r);
    if (r->lines.host.n)
        m.who = smi_devices_find_machine(r->lines.devices, r->lines.host);
    return smi_lines_mark(&r->lines, &m);
}

static int hold_row(struct smi_row_reader *r, const struct smi_sample *s);

/* A row, at the time of the last date if that is one of a loop; while that is not known it waits. */
static int send_row(struct smi_row_reader *r, struct smi_sample *s)
{
    const bool dated = !s->timed && r->plan.at[SMI_AT_TIME] < 0;
    if (dated && r->dates.state == SMI_DATES_FIRST)
        return hold_row(r, s);
    if (dated && r->dates.state == SMI_DATES_LOOP) {
        s->t_ms = r->dates.at.t_ms;
        s->timed = smi_lines_on_base(&r->lines, r->dates.at.base);
    }
    if (r->table->flags & SMI_TABLE_CYCLES)
        return smi_poll_cycle_add(&r->cycle, s, r->begins, &r->lines);
    return r->table->send ? r->table->send(r, s) : smi_lines_row(&r->lines, s);
}

static int send_held(struct smi_row_reader *r, struct smi_held_row *h)
{
    struct smi_sample s = h->s;
    if (h->pause)
        return r->table->process ? smi_poll_cycle_end(&r->cycle, &r->lines) : send_break(r);
    if (h->process.name.n)
        h->process.name.p = r->dates.names.p + h->name;
    s.process = s.process ? &h->process : NULL;
    r->begins = h->begins;
    return send_row(r, &s);
}

/* What was held goes on; from now on dates are times, or not. */
static void decide_dates(struct smi_row_reader *r, bool loop)
{
    size_t n = r->dates.n;
    r->dates.n = 0;
    r->dates.state = loop ? SMI_DATES_LOOP : SMI_DATES_OFF;
    r->lines.account->changes += loop; /* a piece of the log may not see it */
    for (size_t i = 0; i < n; i++) {
        r->cycle.earlier = &r->dates.held[i].rejected;
        send_held(r, &r->dates.held[i]);
    }
    r->cycle.earlier = NULL;
    if (r->table->bound)
        r->table->bound(r);
}

/* One call gives a reading of a GPU, or of a process on it, once: the second is of a call without a date. */
static bool is_held_again(const struct smi_row_reader *r, const struct smi_held_row *row)
{
    const struct smi_process *p = &row->process;
    if (row->pause || p->pid < 0 || (!r->table->process && (row->s.who < SMI_DEVICE_HOST || !row->s.n)))
        return false;
    for (const struct smi_held_row *h = r->dates.held; h < row; h++)
        if (!h->pause && h->s.who == row->s.who &&
            (r->table->process ? h->process.pid == p->pid && h->process.types == p->types
                               : h->s.n && h->s.metric[0] == row->s.metric[0]))
            return true;
    return false;
}

/* s NULL: a break. */
static int hold_row(struct smi_row_reader *r, const struct smi_sample *s)
{
    struct smi_held_row *h;
    h = SMI_MEM_ADD(r->dates.held, r->dates.n, r->dates.cap);
    *h = (struct smi_held_row){.pause = !s, .begins = r->begins, .name = r->dates.names.n};
    h->rejected = r->table->process ? smi_poll_cycle_rejected(&r->cycle) : 0;
    h->s = s ? *s : h->s;
    if (s && s->process) {
        h->process = *s->process;
        smi_buf_add(&r->dates.names, h->process.name.p, h->process.name.n);
    }
    if (r->dates.n == HELD || (r->dates.n == HELD_KEYLESS && !r->table->process && h->s.who < 0) ||
        is_held_again(r, h))
        decide_dates(r, false);
    return 0;
}

/* Takes a date if it is one. A date that first comes behind rows is not theirs: these are counted where they
 * are kept, which may be later, so by the lines that are none. front: the line at hand is not counted yet. */
static void take_date(struct smi_row_reader *r, struct smi_text line, bool front)
{
    const struct smi_account *a = r->lines.account;
    const bool rows = a->lines - front > a->header + a->blank + a->messages + smi_account_rejected(a);
    struct smi_stamp_clock *c = &r->dates.clock;
    struct smi_stamp at;
    bool loop = r->dates.state == SMI_DATES_FIRST && r->dates.n;
    const int64_t day = smi_stamp_windows_day(line);
    if (day >= 0) {
        r->dates.day_ms = day;
        return;
    }
    if (r->dates.state == SMI_DATES_OFF || (r->dates.state == SMI_DATES_NONE && rows) ||
        smi_stamp_read_line(c, line, &at) || !(smi_stamp_has_day(c->form) || c->form == SMI_STAMP_CLOCK))
        return;
    if (r->dates.day_ms && c->form == SMI_STAMP_CLOCK) {
        at.t_ms = r->dates.day_ms + (at.t_ms - c->days_ms);
        at.base = SMI_TIME_BASE_LOCAL;
    }
    if (loop)
        decide_dates(r, true);
    r->dates.at = at;
    if (r->dates.state == SMI_DATES_LOOP)
        return;
    r->dates.state = SMI_DATES_FIRST;
    if (r->table->bound && r->plan.width)
        r->table->bound(r);
}

void smi_row_date(void *self, struct smi_text front)
{
    struct smi_row_reader *r = self;
    if (r->plan.at[SMI_AT_TIME] < 0)
        take_date(r, front, true);
}

static int mark_break(struct smi_row_reader *r)
{
    if (!(r->table->flags & SMI_TABLE_BREAKS) || r->plan.keyed)
        return 0;
    return r->dates.n ? hold_row(r, NULL) : send_break(r);
}

int smi_row_end_cycle(struct smi_row_reader *r)
{
    return r->dates.n && r->table->process ? hold_row(r, NULL) : smi_poll_cycle_end(&r->cycle, &r->lines);
}

void smi_row_finish(struct smi_row_reader *r)
{
    smi_row_order_settle(r);
    if (r->dates.n)
        decide_dates(r, false);
    smi_poll_cycle_end(&r->cycle, &r->lines);
}

/* ---- headers ---- */

bool smi_row_wants_names(const struct smi_row_reader *r)
{
    return r->plan.at[SMI_AT_NAME] >= 0 && !r->plan.keyed && !r->later && r->named < SMI_NAMED_ROWS_MAX;
}

bool smi_row_same_header(const struct smi_row_reader *r, struct smi_text line)
{
    return r->header_n && smi_text_equal(line, (struct smi_text){r->header, r->header_n});
}

int smi_row_count_header(struct smi_row_reader *r)
{
    r->lines.account->header++;
    r->told = false;
    return mark_break(r);
}

void smi_row_use(struct smi_row_reader *r, const struct smi_row_plan *p)
{
    if (&r->plan != p)
        r->plan = *p;
    r->plan.keyed = false; /* a key may have been dropped */
    for (int k = SMI_AT_KEY; k < SMI_AT_COUNT; k++)
        r->plan.keyed |= r->plan.at[k] >= 0;
    r->plan.host |= r->table->flags & SMI_TABLE_HOST;
    r->plan.draws = smi_row_plan_has(&r->plan, SMI_POWER_AVG) || smi_row_plan_has(&r->plan, SMI_POWER_INST);
    use_host_as_serial(&r->plan);
    memset(r->key, 0, sizeof r->key);
    if (r->table->bound)
        r->table->bound(r);
}

bool smi_row_has_wanted(struct smi_row_reader *r, size_t n)
{
    if (!r->wanted || *r->wanted == SMI_ROW_SHAPE_GUESS)
        return false;
    if (r->plan.width == n || r->header_n || r->later)
        return r->plan.width == n;
    smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                     "--input-columns names %zu columns, and the header %zu: the header's are read",
                     r->plan.width, n);
    return false;
}

int smi_row_header(struct smi_row_reader *r, struct smi_text line, const struct smi_row_plan *fresh)
{
    if (r->plan.width && smi_row_same_header(r, line))
        return smi_row_count_header(r);
    smi_mem_reserve(&r->header, &r->header_cap, line.n, 1);
    memcpy(r->header, line.p, line.n);
    r->header_n = line.n;
    r->lines.account->changes++;
    r->order.asked &= ~(1U << SMI_ASK_MODELS | 1U << SMI_ASK_KEYS);
    r->order.sought = false;
    for (size_t i = 0; i < fresh->width && r->table->names[0]; i++)
        if (r->cell[i].n && !find_name(r->table, r->cell[i]))
            smi_account_unknown(r->lines.account, r->cell[i]);
    smi_row_use(r, fresh);
    r->cycle.has_memory = smi_row_plan_has(&r->plan, SMI_FB_USED);
    return smi_row_count_header(r);
}

/* ---- lines that are no rows ---- */

bool smi_row_message(struct smi_row_reader *r, struct smi_text line)
{
    const bool is = r->table->flags & SMI_TABLE_FAULTS ? smi_message_report(&r->lines, line)
                                                       : smi_message_count(r->lines.account, line);
    if (is && smi_message_is_noise(line))
        take_date(r, line, false);
    return is;
}

int smi_row_reject(struct smi_row_reader *r, enum smi_reject why, struct smi_text line)
{
    struct smi_text header = {NULL, 0};
    if (r->table->glued && line.n)
        header = r->table->glued(r, line);
    if (header.n) {
        smi_row_unfinished(r, line, header);
        return r->lines.line(r, header);
    }
    smi_account_reject(r->lines.account, why, line);
    return mark_break(r);
}

int smi_row_other(struct smi_row_reader *r, struct smi_text line, bool hash, enum smi_reject why)
{
    const bool message = smi_row_message(r, line);
    if (!message && !hash)
        return smi_row_reject(r, why, line);
    r->lines.account->messages += !message;
    return mark_break(r);
}

int smi_row_headless(struct smi_row_reader *r, struct smi_text line)
{
    if (smi_row_message(r, line))
        return 0;
    r->lines.account->rejected[SMI_REJECT_FOREIGN]++;
    if (smi_say_once(r->lines.account, &r->told))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER, "%s", r->table->headless);
    return 0;
}

void smi_row_unfinished(struct smi_row_reader *r, struct smi_text line, struct smi_text header)
{
    size_t n = (size_t)(header.p - line.p);
    smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                     "an unfinished row in front of a header: \"%.*s\"", (int)(n < 60 ? n : 60), line.p);
}

/* ---- cells ---- */

static void note_fault(struct smi_row_reader *r, int fault, int64_t code)
{
    if (fault < 0 || code < 0)
        return;
    for (int i = 0; i < SMI_FAULT_COUNT && !r->faulty; i++)
        r->fault[i] = -1;
    r->faulty = true;
    r->fault[fault] = code;
}

enum smi_cell_status smi_cell_state(enum smi_column_kind kind, struct smi_text cell, int64_t *v)
{
    static const char *const states[] = {"Not Active", "Active", "Disabled", "Enabled", "0",
                                         "1",          "False",  "True",     "No",      "Yes"};
    struct smi_text digits;
    if (smi_cell_missing(cell))
        return SMI_CELL_MISSING;
    digits = smi_text_from(cell, (*cell.p | 32) == 'p'); /* "P0"; "0" of people's own logs */
    for (size_t i = 0; kind == SMI_COL_ACTIVE && i < sizeof states / sizeof *states; i++)
        if (smi_text_is_nocase(cell, states[i])) {
            *v = i % 2 * 1000000;
            return SMI_CELL_OK;
        }
    return kind == SMI_COL_PSTATE && digits.n <= 2 && smi_text_parse_micro(digits, v) == 0 ? SMI_CELL_OK
                                                                                           : SMI_CELL_BAD;
}

/* The reading in a cell; or the reason why there is none. */
static enum smi_cell_status read_value(struct smi_row_reader *r, const struct smi_row_column *c,
                                       struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what =
        c->kind != SMI_COL_NUMBER ? smi_cell_state(c->kind, cell, v)
        : r->table->cell          ? r->table->cell(r, c, cell, v)
                                  : smi_cell_number(c->what, &smi_units[c->how],
                                           r->table->flags & SMI_TABLE_REALS ? SMI_CELL_REAL : 0, cell, v);
    return what == SMI_CELL_OK && !smi_reading_fits(c->what, *v) ? SMI_CELL_RANGE : what;
}

/* Several cells without a letter: no message is so. */
static bool is_bare_row(struct smi_text line)
{
    unsigned commas = 0;
    for (size_t i = 0; i < line.n; i++) {
        if ((unsigned char)line.p[i] >= 'A')
            return false;
        commas += line.p[i] == ',';
    }
    return commas > 1;
}

bool smi_row_is_message(struct smi_row_reader *r, struct smi_text line)
{
    const struct smi_row_column *c = r->plan.column;
    int64_t v;
    return !is_bare_row(line) && smi_message_is_known(line) &&
           !(r->plan.width == 1 && r->plan.n == 1 && c->kind == SMI_COL_NUMBER &&
             read_value(r, c, smi_text_trim(line), &v) == SMI_CELL_OK);
}

bool smi_row_is_whole(void *self, struct smi_text line)
{
    struct smi_row_reader *r = self;
    size_t n = smi_row_split(line, r->split, r->cell, r->table->columns);
    const struct smi_text *last = &r->cell[n - 1];
    enum smi_cell_status what = SMI_CELL_BAD;
    int64_t v;
    if (n != r->plan.width || n > r->table->columns || !last->n ||
        strchr("0123456789.", last->p[last->n - 1]))
        return false;
    for (unsigned i = 0; i < r->plan.n; i++)
        if (r->plan.column[i].kind == SMI_COL_NUMBER && r->plan.column[i].place == n - 1)
            what = read_value(r, &r->plan.column[i], *last, &v);
    return what == SMI_CELL_OK || (what == SMI_CELL_MISSING && last->p[last->n - 1] == ']');
}

static void read_cell(struct smi_row_reader *r, const struct smi_row_column *c, struct smi_text cell)
{
    enum smi_cell_status what;
    uint64_t mask;
    int64_t v;
    if ((c->kind == SMI_COL_ACTIVE || r->plan.all) &&
        smi_sample_find(&r->got, c->what)) /* the mask may say the same: the first one counts */
        return;
    if (!cell.n && (r->table->flags & SMI_TABLE_SPARSE))
        return;
    if (c->kind == SMI_COL_MASK && !smi_cell_missing(cell) && smi_cell_mask(cell, &mask) == 0) {
        for (unsigned i = 0; i < SMI_THROTTLE_COUNT; i++)
            if (!smi_sample_find(&r->got, SMI_THROTTLE_FIRST + i))
                smi_sample_add(&r->got, SMI_THROTTLE_FIRST + i, (mask >> i & 1) ? 1000000 : 0);
        return;
    }
    what = read_value(r, c, cell, &v);
    if (what == SMI_CELL_OK) {
        smi_sample_add(&r->got, c->what, v);
        return;
    }
    for (unsigned i = 0; c->kind == SMI_COL_MASK && i < SMI_THROTTLE_COUNT; i++)
        smi_account_request(r->lines.account, SMI_THROTTLE_FIRST + i);
    if (what == SMI_CELL_MISSING && (r->table->flags & SMI_TABLE_CELL_FAULTS))
        note_fault(r, smi_cell_fault_id(cell), 0);
    if (r->table->lost)
        r->table->lost(r, c, what, cell);
    else
        smi_cell_count_lost(r->lines.account, what, c->what, cell);
}

static void read_cells(struct smi_row_reader *r)
{
    r->got.n = 0;
    r->faulty = false;
    for (unsigned i = 0; i < r->plan.n; i++) {
        const struct smi_row_column *c = &r->plan.column[i];
        const struct smi_text cell = r->cell[c->place];
        if (c->kind == SMI_COL_ALARM) {
            note_fault(r, c->what, smi_cell_alarm(c->what, cell));
            note_fault(r, smi_cell_fault_id(cell), 0);
        } else {
            read_cell(r, c, cell);
        }
    }
    if (r->plan.draws && !smi_sample_find(&r->got, SMI_POWER)) {
        /* power.draw is the mean over a second where the GPU has one, else of the instant. */
        const int64_t *v = smi_sample_find(&r->got, SMI_POWER_AVG);
        if (v || (v = smi_sample_find(&r->got, SMI_POWER_INST)))
            smi_sample_add(&r->got, SMI_POWER, *v);
    }
}

/* Where a format has a fast path, which looks at single rows only, the power limit is that of the row. A
 * later piece of a log does not know the last one. */
static void check_power(struct smi_row_reader *r, struct smi_sample *s)
{
    const bool remember = !r->lines.format->fast;
    if (r->later && remember && s->who >= 0 && !r->lines.devices->list[s->who].limit &&
        smi_sample_find(s, SMI_POWER))
        r->lines.account->changes += smi_row_plan_has(&r->plan, SMI_POWER_LIMIT) ||
                                     smi_row_plan_has(&r->plan, SMI_POWER_LIMIT_ENFORCED);
    smi_sample_check_power(s, &r->lines, remember);
}

/* ---- rows ---- */

struct smi_text smi_row_text(const struct smi_row_reader *r, unsigned at)
{
    int place = r->plan.at[at];
    return place < 0 || smi_cell_missing(r->cell[place]) ? (struct smi_text){NULL, 0} : r->cell[place];
}

/* "12.5", "12%": a reading of the host, and no name as 10.0.0.1 and 12 are. */
static bool is_reading(struct smi_text t)
{
    struct smi_text word = smi_text_word(&t);
    int64_t v;
    bool share = word.n && word.p[word.n - 1] == '%';
    word.n -= share;
    return (share || memchr(word.p, '.', word.n)) && smi_text_parse_micro(word, &v) == 0;
}

static void read_keys(struct smi_row_reader *r)
{
    const int *at = r->plan.at;
    struct smi_text *serial = &r->key[SMI_DEVICE_KEY_SERIAL];
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        int place = r->plan.at[SMI_AT_KEY + k];
        r->key[k] = (struct smi_text){NULL, 0};
        if (place >= 0 && r->table->key)
            r->key[k] = r->table->key(r, (enum smi_device_key)k, r->cell[place]);
        else if (place >= 0)
            r->key[k] = smi_row_text(r, SMI_AT_KEY + (unsigned)k);
    }
    if (*r->plan.index)
        r->key[SMI_DEVICE_KEY_INDEX] = smi_text_of(r->plan.index);
    r->key[SMI_DEVICE_KEY_COUNT] = smi_row_text(r, SMI_AT_NAME);
    if (at[SMI_AT_KEY + SMI_DEVICE_KEY_UUID] < 0 && at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] < 0)
        *serial = r->lines.host;
    if (serial->n && at[SMI_AT_KEY + SMI_DEVICE_KEY_SERIAL] == at[SMI_AT_HOST] && is_reading(*serial))
        *serial = (struct smi_text){"", 0};
}

static void find_device(struct smi_row_reader *r, struct smi_sample *s)
{
    struct smi_text name = r->key[SMI_DEVICE_KEY_COUNT];
    const bool host = r->plan.host, bare = !host && !r->plan.keyed && !r->table->process;
    bool some = false;
    s->who = host ? SMI_DEVICE_HOST : SMI_DEVICE_KEYLESS;
    if (bare && !r->lines.host.n)
        return;
    flush_keyless(r);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        some |= r->key[k].n > 0;
    if (bare)
        s->who = smi_devices_find_machine(r->lines.devices, r->lines.host);
    else if (!host)
        s->who = some         ? smi_devices_find_key(r->lines.devices, r->key)
                 : r->counted ? SMI_DEVICE_KEYLESS
                              : SMI_DEVICE_POOL;
    if (s->who >= 0 && name.n && !r->lines.devices->list[s->who].name)
        smi_devices_set_name(r->lines.devices, s->who, name);
    if (r->table->found)
        r->table->found(r, s->who);
}

/* The GPU is named as its row does it: a lost one may have no other cell left. */
static void warn_of_faults(struct smi_row_reader *r)
{
    static const enum smi_device_key order[] = {SMI_DEVICE_KEY_INDEX, SMI_DEVICE_KEY_GPU, SMI_DEVICE_KEY_BUS,
                                                SMI_DEVICE_KEY_UUID, SMI_DEVICE_KEY_SERIAL};
    struct smi_text who = {NULL, 0}, when = {NULL, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order && who.n == 0; i++)
        who = r->key[order[i]];
    if (r->plan.at[SMI_AT_TIME] >= 0)
        when = r->cell[r->plan.at[SMI_AT_TIME]];
    for (unsigned i = 0; i < r->plan.n; i++) {
        const struct smi_row_column *c = &r->plan.column[i];
        if (c->kind >= SMI_COL_NUMBER && smi_cell_fault(r->cell[c->place]))
            smi_account_fault(r->lines.account, who, r->cell[c->place], when);
    }
}

/* The fast paths do not look at names: they begin behind the rows that may tell them. Behind rows that were
 * not counted there are none. */
static void note_name(struct smi_row_reader *r)
{
    bool wanted = smi_row_wants_names(r);
    r->named = wanted ? r->named + 1 : SMI_NAMED_ROWS_MAX;
    if (wanted)
        smi_devices_note_name(r->lines.devices, r->key[SMI_DEVICE_KEY_COUNT]);
    if (wanted && !smi_row_wants_names(r) && r->table->bound)
        r->table->bound(r);
}

/* A pid cell: *pid is -1 if it is empty. Returns false if it is neither that nor a number. */
static bool read_pid(struct smi_text cell, int64_t *pid)
{
    *pid = cell.n ? smi_cell_digits(cell, SMI_CELL_DIGITS) : -1;
    return !cell.n || *pid >= 0;
}

/* The process that the row is about. Returns false if it does not tell. */
static bool read_process(struct smi_row_reader *r, struct smi_process *q)
{
    static const struct {
        char letter; /* "C", "C+G", "M+C" */
        unsigned type;
    } types[] = {{'C', SMI_PROC_COMPUTE}, {'G', SMI_PROC_GRAPHICS}, {'M', SMI_PROC_MPS}};
    const struct smi_text type = smi_row_text(r, SMI_AT_TYPE);
    const bool sorted = r->table->flags & SMI_TABLE_SORTED;
    struct smi_text life = smi_row_text(r, SMI_AT_LIFE);
    int64_t v = smi_cell_digits(smi_row_text(r, SMI_AT_KEY + SMI_DEVICE_KEY_INDEX), SMI_CELL_DIGITS);
    *q = (struct smi_process){.pid = -1, .life_ms = -1};
    q->none = smi_text_is_nocase(smi_row_text(r, SMI_AT_INFO), "No running processes detected");
    if (q->none || !read_pid(smi_row_text(r, SMI_AT_PID), &q->pid))
        return q->none;
    q->name = smi_row_text(r, SMI_AT_PROCESS);
    for (size_t i = 0; type.n && i < sizeof types / sizeof *types; i++)
        q->types |= memchr(type.p, types[i].letter, type.n) ? types[i].type : 0;
    q->none = sorted && q->pid < 0 && !q->name.n && !r->got.n;
    r->begins = sorted && v >= 0 && v + 1 < r->above;
    r->above = v + 1;
    life.n -=
        life.n > 3 && memcmp(life.p + life.n - 3, " ms", 3) == 0 ? 3 : 0; /* "153712 ms", 0 while it runs */
    if (!(r->table->flags & SMI_TABLE_CYCLES))
        q->life_ms = smi_text_parse_micro(life, &v) == 0 && v > 0 ? v / 1000000 : 0;
    return q->pid >= 0 || r->got.n ||
           (r->table->flags & SMI_TABLE_BARE && (r->plan.at[SMI_AT_PID] >= 0 || !r->plan.n ||
                                                 smi_cell_missing(r->cell[r->plan.column[0].place])));
}

static int send_process(struct smi_row_reader *r, struct smi_sample *s, struct smi_text line)
{
    struct smi_process q;
    r->begins = false;
    if (!read_process(r, &q))
        return smi_row_reject(r, SMI_REJECT_BAD_NUMBER, line);
    s->process = &q;
    read_keys(r);
    s->n = q.none ? 0 : s->n;
    find_device(r, s);
    return send_row(r, s);
}

/* The faults that the cells of the row tell, of the device that it is about. */
static void send_faults(struct smi_row_reader *r, const struct smi_sample *s)
{
    for (int i = 0; i < SMI_FAULT_COUNT && r->faulty; i++) {
        const struct smi_mark m = {.kind = SMI_MARK_FAULT,
                                   .fault = i,
                                   .code = r->fault[i],
                                   .who = s->who,
                                   .timed = s->timed,
                                   .t_us = s->t_ms * 1000};
        if (m.code >= 0)
            smi_lines_mark(&r->lines, &m);
    }
}

int smi_row_read(struct smi_row_reader *r, struct smi_text line)
{
    struct smi_sample *s = &r->got;
    bool some = false, passes;
    int64_t v;
    smi_sample_begin(s);
    s->shared = r->part;
    if (r->table->time && r->table->time(r, s) != 0)
        return smi_row_reject(r, SMI_REJECT_BAD_TIME, line);
    if (r->order.asks || smi_row_order_asks(r))
        return smi_row_order_wait(r, line);
    if (r->table->flags & SMI_TABLE_COUNTED)
        return smi_line_count(&r->lines.account->rows);
    for (unsigned i = 0; i == 0 || (r->part && i < r->parts); i++) {
        if (r->part)
            r->plan = r->part[i];
        read_cells(r);
        if (r->table->process)
            return send_process(r, s, line);
        if (!s->n && !r->faulty && (r->part || !(r->table->flags & SMI_TABLE_DEVICES)))
            continue;
        read_keys(r);
        if (r->faulty)
            warn_of_faults(r);
        find_device(r, s);
        check_power(r, s);
        send_faults(r, s);
        if (s->n && s->who == SMI_DEVICE_KEYLESS)
            note_name(r);
        if (s->n)
            send_row(r, s);
        some |= s->n > 0;
    }
    if (some)
        return r->part ? smi_line_count(&r->lines.account->rows) : 0;
    passes = !r->faulty && r->table->flags & SMI_TABLE_PASSES;
    for (unsigned i = 0; passes && i < r->plan.n; i++)
        passes = read_value(r, &r->plan.column[i], r->cell[r->plan.column[i].place], &v) == SMI_CELL_MISSING;
    if (passes)
        return smi_line_count(&r->lines.account->messages);
    return smi_row_reject(r, SMI_REJECT_BAD_NUMBER, line);
}

int smi_row_line(struct smi_row_reader *r, struct smi_text line, size_t n, bool hash)
{
    const size_t width = r->plan.width;
    if (width && n == width && !hash && !smi_row_is_message(r, line))
        return smi_row_read(r, line);
    return smi_row_other(r, line, hash, width && n > 1 ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN);
}

int smi_row_read_parts(struct smi_row_reader *r, struct smi_text line, size_t cells,
                       const struct smi_row_plan *plan, unsigned n)
{
    r->plan = *plan;
    r->part = plan;
    r->parts = n;
    smi_row_line(r, line, cells, false);
    r->part = NULL;
    return 0;
}

/* ---- the times of rows: cells of any form (stamp.h), in the place where they are or should be ---- */

int smi_row_untimed(struct smi_row_reader *r, struct smi_text t)
{
    bool digit = false; /* with one, "[iter 5]" does not stand for a missing time */
    for (size_t i = 0; i < t.n; i++)
        digit |= smi_is_digit(t.p[i]);
    if (r->clock.form || (!digit && smi_cell_missing(t)) || memchr(t.p, 0, t.n))
        return -1;
    if (smi_say_once(r->lines.account, &r->untimed))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "\"%.*s\" is no time that is known: readings count without times",
                         t.n < 40 ? (int)t.n : 40, t.p);
    return 0;
}

int smi_row_time(struct smi_row_reader *r, struct smi_text t, bool utc, struct smi_sample *s)
{
    enum smi_stamp_form before = r->clock.form;
    struct smi_stamp at;
    if (smi_stamp_read(&r->clock, t, &at))
        return smi_row_untimed(r, t);
    if (before != r->clock.form && /* pieces of the log may not see it */
        (r->clock.form == SMI_STAMP_DAY_FIRST || r->clock.form == SMI_STAMP_MONTH_FIRST))
        r->lines.account->changes++;
    if (r->order.taken && t.n > 2 && !smi_is_digit(t.p[2])) { /* no year in front */
        r->order.taken = false;
        if (memcmp(t.p, t.p + 3, 2) != 0)
            smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                             "\"%.*s\": nothing tells day from month: read with the %s first", (int)t.n, t.p,
                             r->clock.half ? "month" : "day");
    }
    if (r->order.dated && at.base >= SMI_TIME_BASE_DAY)
        return -1;
    s->t_ms = at.t_ms;
    s->fine = at.fine;
    s->timed =
        smi_lines_on_base(&r->lines, utc && at.base == SMI_TIME_BASE_LOCAL ? SMI_TIME_BASE_UTC : at.base);
    if (s->timed && r->clock.order)
        smi_row_order_ask(r, SMI_ASK_ORDER);
    if (s->timed && !before && at.base >= SMI_TIME_BASE_DAY && r->table->flags & SMI_TABLE_DATED &&
        smi_row_order_ask(r, SMI_ASK_FIRST_TIME))
        r->order.first_ms = at.t_ms;
    return s->timed ? 0 : -1;
}

int smi_row_time_stamp(struct smi_row_reader *r, struct smi_sample *s)
{
    int at = r->plan.at[SMI_AT_TIME];
    return at < 0 ? 0 : smi_row_time(r, r->cell[at], false, s);
}

size_t smi_row_rejoin_time(struct smi_row_reader *r, size_t n)
{
    int at = r->plan.at[SMI_AT_TIME], pid = r->plan.at[SMI_AT_PID];
    struct smi_text *first, *next, whole;
    size_t digits;
    int64_t number;
    if (at < 0 || !r->plan.width || n <= r->plan.width || n > r->table->columns)
        return n;
    first = &r->cell[at];
    next = first + 1;
    whole = smi_text_between(first->p, next->p + next->n);
    digits = smi_text_digits(*next);
    if (!next->n || !smi_stamp_form_of(whole) ||
        ((n > r->plan.width + 1 || r->plan.at[SMI_AT_NAME] >= 0) && digits != 3 && digits != 6 &&
         digits != 9) ||
        (pid > at && pid < r->plan.at[SMI_AT_PROCESS] && !read_pid(r->cell[pid + 1], &number)))
        return n; /* the comma too many is one in the name of the process */
    *first = whole;
    memmove(next, next + 1, (n - (size_t)at - 2) * sizeof *next);
    return n - 1;
}

size_t smi_row_split_time(struct smi_text *cell, size_t n, struct smi_text front)
{
    const char *blank = n ? memrchr(cell[0].p, ' ', cell[0].n) : NULL;
    enum smi_stamp_form form = n ? smi_stamp_form_of(cell[0]) : SMI_STAMP_UNKNOWN;
    struct smi_text time, rest;
    if (!n || (front.n ? smi_stamp_has_day(form) : form != SMI_STAMP_UNKNOWN))
        return n; /* behind a front "0" is an index */
    if (front.n) {
        memmove(&cell[1], &cell[0], n * sizeof *cell);
        cell[0] = front;
        return n + 1;
    }
    if (!blank)
        return n;
    time = smi_text_trim((struct smi_text){cell[0].p, (size_t)(blank - cell[0].p)});
    rest = (struct smi_text){blank + 1, (size_t)(cell[0].p + cell[0].n - blank - 1)};
    form = smi_stamp_form_of(time);
    if (!form || form == SMI_STAMP_ELAPSED) /* "0 %" */
        return n;
    memmove(&cell[2], &cell[1], (n - 1) * sizeof *cell);
    cell[0] = time;
    cell[1] = rest;
    return n + 1;
}

size_t smi_row_take_time(struct smi_row_reader *r, size_t n)
{
    const int time = r->plan.at[SMI_AT_TIME];
    const size_t at = time < 0 ? 0 : (size_t)time;
    if (!r->plan.width || (n != r->plan.width + 1 && !r->twice) || n < at + 2 || n > r->table->columns ||
        (time < 0 ? !smi_stamp_has_day(smi_stamp_form_of(r->cell[0]))
                  : smi_stamp_form_of(r->cell[at]) != SMI_STAMP_DATE ||
                        smi_stamp_form_of(r->cell[at + 1]) != SMI_STAMP_DATE))
        return n;
    if (time < 0)
        smi_row_date(r, r->cell[0]);
    else if (smi_say_once(r->lines.account, &r->twice))
        smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                         "rows have a time more than the header: the second one is read");
    memmove(&r->cell[at], &r->cell[at + 1], (n - 1 - at) * sizeof *r->cell);
    return n - 1;
}
