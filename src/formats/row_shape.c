/* row_shape.c - how the rows of a log are split into cells, found out from its first rows. */
#include "formats/row_engine.h"

#include <stdio.h>

/* ---- a line in cells, and cells that are one after all or none ---- */

/* Behind the quote or bracket that closes what opens at p, or p if nothing does. */
static const char *skip_closed(const char *p, const char *end, unsigned how)
{
    const char *q = p;
    if ((how & SMI_SPLIT_LISTS) && *p == '[')
        q = memchr(p, ']', (size_t)(end - p));
    if ((how & SMI_SPLIT_QUOTES) && *p == '"') {
        do
            q = q + 1 < end ? memchr(q + 1, '"', (size_t)(end - q - 1)) : NULL;
        while (q && q + 1 < end && q[1] == '"' && ++q);
        return q ? q + 1 : end;
    }
    return q ? q : p;
}

static const char *cell_end(const char *p, const char *end, unsigned how)
{
    const char *comma;
    char at = how >> 8 ? (char)(how >> 8) : ',';
    while (how && p < end && (*p == ' ' || *p == '\t') && *p != at)
        p++;
    if (how && p < end)
        p = skip_closed(p, end, how);
    comma = p < end ? memchr(p, at, (size_t)(end - p)) : NULL;
    return comma ? comma : end;
}

/* A quoted cell is lent without its quotes: those inside stay doubled. */
static struct smi_text lend_cell(struct smi_text t, unsigned how)
{
    bool exact = how & SMI_SPLIT_EXACT;
    t = exact ? t : smi_text_trim(t);
    if (!(how & SMI_SPLIT_QUOTES) || t.n < 2 || *t.p != '"' || t.p[t.n - 1] != '"')
        return t;
    t = (struct smi_text){t.p + 1, t.n - 2};
    return exact ? t : smi_text_trim(t);
}

bool smi_row_next_cell(struct smi_text *line, unsigned how, struct smi_text *cell)
{
    const char *end = line->p + line->n, *stop = cell_end(line->p, end, how);
    *cell = lend_cell(smi_text_between(line->p, stop), how);
    if (stop == end)
        return false;
    *line = smi_text_between(stop + 1, end);
    return true;
}

struct smi_text smi_row_unquote(struct smi_buf *plain, struct smi_text t)
{
    size_t from = plain->n;
    if (!t.n || !memchr(t.p, '"', t.n))
        return t;
    for (size_t i = 0; i < t.n; i++) {
        i += t.p[i] == '"' && i + 1 < t.n && t.p[i + 1] == '"';
        smi_buf_char(plain, t.p[i]);
    }
    return (struct smi_text){plain->p + from, plain->n - from};
}

struct smi_text smi_row_strip_hash(struct smi_text line, bool *hash)
{
    struct smi_text t = smi_text_trim(line);
    *hash = t.n && *t.p == '#';
    return *hash ? smi_text_trim(smi_text_from(t, 1)) : t;
}

size_t smi_row_split(struct smi_text line, unsigned how, struct smi_text *cell, size_t most)
{
    struct smi_text past;
    size_t n = 1;
    if (how & SMI_SPLIT_BLANKS) {
        for (n = 0; n <= most && (past = smi_text_word(&line)).n; n++)
            if (n < most)
                cell[n] = past;
        return n;
    }
    while (smi_row_next_cell(&line, how, n <= most ? &cell[n - 1] : &past))
        n++;
    return n;
}

/* Does a cell behind that of the time end in another date? A row was torn, and the next one stands behind it.
 * A cell that is a date and nothing more is one of a column of times. */
static bool holds_next_row(const struct smi_row_reader *r, size_t n)
{
    int at = r->plan.at[SMI_AT_TIME];
    for (size_t i = (size_t)at + 1; at >= 0 && i < n && i < r->table->columns; i++) {
        const size_t len = r->cell[at].n, front = r->cell[i].n > len ? r->cell[i].n - len : 0;
        const enum smi_stamp_form form =
            len && front ? smi_stamp_form_of(smi_text_from(r->cell[i], front)) : SMI_STAMP_UNKNOWN;
        if (smi_stamp_has_day(form) && form != SMI_STAMP_EPOCH)
            return true;
    }
    return false;
}

size_t smi_row_rejoin(struct smi_row_reader *r, struct smi_text line, size_t n, int at)
{
    size_t width = r->plan.width;
    const char *end = line.p + line.n, *p = end;
    struct smi_text *whole;
    if (!width || n <= width || at < 0 || holds_next_row(r, n))
        return n;
    whole = &r->cell[at];
    for (size_t i = width - 1; i > (size_t)at;
         i--, end = --p) { /* from the right: there may be more than have room */
        while (p[-1] != ',')
            p--;
        r->cell[i] = smi_text_trim(smi_text_between(p, end));
    }
    *whole = smi_text_trim(smi_text_between(whole->p, end));
    return width;
}

size_t smi_row_end_comma(const struct smi_row_reader *r, size_t n)
{
    size_t width = r->plan.width;
    if (width && n == width + 1 && n <= r->table->columns && !r->cell[n - 1].n)
        return width;
    if (n && n + 1 == width && n < r->table->columns && r->header_n && r->header[r->header_n - 1] == ',') {
        r->cell[n] = (struct smi_text){"", 0};
        return width;
    }
    return n;
}

enum { CELLS = 24, ROWS_LEAST = 8, INDEX_MOST = 16, DIGITS = 24 /* bytes for the number of a line */ };

/* What all cells of a column are, those without a reading aside. */
enum form { NOTHING, TIME, UUID, BUS, PSTATE, NAME, NUMBER, MIXED };

struct seen {
    enum form form;
    const char *unit; /* of numbers: "%", "MiB", "W", "MHz", or "" */
    int64_t min, max; /* millionths */
    uint32_t small;   /* bit n: n was seen, up to INDEX_MOST */
};

struct shape {
    size_t cells, rows, lines; /* lines: all that are not blank */
    bool units;                /* some numbers have one, so others have none to have */
    struct seen column[CELLS];
};

/* ---- columns ---- */

/* A time that is no mere number of seconds since the beginning. */
static bool is_time(struct smi_text t)
{
    const enum smi_stamp_form form = t.n >= 8 ? smi_stamp_form_of(t) : SMI_STAMP_UNKNOWN;
    return form && form != SMI_STAMP_ELAPSED;
}

static enum form find_form(struct smi_text t)
{
    if (smi_text_starts_nocase(t, "GPU-") || smi_text_starts_nocase(t, "MIG-"))
        return UUID;
    if (smi_cell_bus(t))
        return BUS;
    if (t.n > 1 && t.n < 4 && *t.p == 'P' && smi_cell_digits(smi_text_from(t, 1), 2) >= 0)
        return PSTATE;
    return ((*t.p | 32) >= 'a' && (*t.p | 32) <= 'z') ? NAME : MIXED;
}

/* Units that nvidia-smi prints. */
static const char *const printed[] = {"%", "MiB", "W", "MHz", NULL};

/* A number with or without one of the units. */
static bool read_number(struct smi_text t, const char **unit, int64_t *v)
{
    struct smi_text rest = t, number = smi_text_word(&rest);
    rest = smi_text_trim(rest);
    *unit = "";
    for (size_t i = 0; rest.n && printed[i]; i++)
        if (smi_text_is(rest, printed[i]))
            *unit = printed[i];
    return smi_text_parse_micro(number, v) == 0 && (!rest.n || **unit);
}

/* Only in front a number is the time since the epoch. */
static void see_cell(struct seen *s, struct smi_text t, bool front)
{
    const char *unit = "";
    int64_t v = 0;
    enum form form;
    if (smi_cell_missing(t) || s->form == MIXED)
        return;
    form = read_number(t, &unit, &v) && !(front && is_time(t)) ? NUMBER : is_time(t) ? TIME : find_form(t);
    if (s->form == NOTHING)
        *s = (struct seen){.form = form, .unit = unit, .min = v, .max = v};
    else if (s->form != form || strcmp(s->unit, unit) != 0)
        s->form = MIXED;
    if (form != NUMBER)
        return;
    s->min = v < s->min ? v : s->min;
    s->max = v > s->max ? v : s->max;
    if (v >= 0 && v < INDEX_MOST * 1000000 && v % 1000000 == 0)
        s->small |= (uint32_t)1 << v / 1000000;
    else
        s->small |= (uint32_t)1 << INDEX_MOST;
}

/* ---- meanings ---- */

static bool changes(const struct shape *h, const struct seen *s)
{
    (void)h;
    return s->min != s->max;
}

/* The largest number of this unit, and never another. */
static bool is_limit(const struct shape *h, const struct seen *s)
{
    bool other = false;
    for (size_t i = 0; i < h->cells; i++) {
        const struct seen *o = &h->column[i];
        bool same = o != s && o->form == NUMBER && strcmp(o->unit, s->unit) == 0;
        if (same && o->max > s->min)
            return false;
        other |= same && changes(h, o);
    }
    return other && !changes(h, s);
}

/* 0, 1, 2: all of them occur. */
static bool is_index(const struct shape *h, const struct seen *s)
{
    (void)h;
    return s->small < (uint32_t)1 << INDEX_MOST && (s->small & (s->small + 1)) == 0;
}

static bool is_temperature(const struct shape *h, const struct seen *s)
{
    (void)h;
    return s->min >= 16000000 && s->max <= 110000000 && s->min % 1000000 == 0 && s->max % 1000000 == 0;
}

/* At some time nearly nothing was in use: a 500th of the total at most, or 32 MiB. */
static bool is_used(const struct shape *h, const struct seen *s)
{
    int64_t total = 16384000000;
    for (size_t i = 0; i < h->cells; i++)
        if (h->column[i].form == NUMBER && strcmp(h->column[i].unit, "MiB") == 0 &&
            is_limit(h, &h->column[i]))
            total = h->column[i].max;
    return changes(h, s) && s->min <= total / 500;
}

static bool is_free(const struct shape *h, const struct seen *s)
{
    return changes(h, s) && !is_used(h, s);
}

/* What is asked for, in the words of nvidia-smi. behind: not alone, but behind the meaning so many rows above
 * it. */
static const struct {
    const char *name, *unit;
    int behind;
    enum form form;
    bool (*may)(const struct shape *h, const struct seen *s);
} meanings[] = {
    {"timestamp", "", 0, TIME, NULL},
    {"uuid", "", 0, UUID, NULL},
    {"pci.bus_id", "", 0, BUS, NULL},
    {"name", "", 0, NAME, NULL},
    {"pstate", "", 0, PSTATE, NULL},
    {"index", "", 0, NUMBER, is_index},
    {"temperature.gpu", "", 0, NUMBER, is_temperature},
    {"utilization.gpu", "%", 0, NUMBER, NULL},
    {"utilization.memory", "%", 1, NUMBER, NULL},
    {"fan.speed", "%", 2, NUMBER, NULL},
    {"memory.used", "MiB", 0, NUMBER, changes},
    {"memory.free", "MiB", 0, NUMBER, is_free},
    {"memory.total", "MiB", 0, NUMBER, is_limit},
    {"power.draw", "W", 0, NUMBER, changes},
    {"power.limit", "W", 1, NUMBER, is_limit},
    {"clocks.sm", "MHz", 0, NUMBER, NULL},
    {"clocks.mem", "MHz", 0, NUMBER, NULL},
    {"-", "", 0, NOTHING, NULL},
};

enum { MEANINGS = sizeof meanings / sizeof *meanings };

/* ---- readings ---- */

/* May the column mean this, where those in front of it have taken the meanings of these bits? */
static bool may_mean(const struct shape *h, const struct seen *c, int m, uint32_t taken)
{
    if (c->form != meanings[m].form || c->form == NOTHING)
        return c->form == meanings[m].form;
    if (c->form == NUMBER &&
        (!h->units || strcmp(c->unit, meanings[m].unit) != 0 || (meanings[m].may && !meanings[m].may(h, c))))
        return false;
    return !(taken >> m & 1) && (!meanings[m].behind || taken >> (m - meanings[m].behind) & 1);
}

/* The meaning of a column, or -1 and why. */
static int find_meaning(const struct shape *h, size_t place, uint32_t taken, struct smi_row_shape *to)
{
    int first = -1;
    for (int m = 0; m < MEANINGS; m++) {
        if (!may_mean(h, &h->column[place], m, taken))
            continue;
        if (first >= 0) {
            if (!*to->doubt)
                snprintf(to->doubt, sizeof to->doubt, "column %zu may be %s or %s", place + 1,
                         meanings[first].name, meanings[m].name);
            return -1;
        }
        first = m;
    }
    if (first < 0 && !*to->doubt)
        snprintf(to->doubt, sizeof to->doubt, "nothing tells what column %zu is", place + 1);
    return first;
}

/* Rows as a monitor of GPUs writes them: two of their units in most lines. One alone is that of much else. */
static bool is_monitor(const struct shape *h)
{
    const char *unit = NULL;
    bool more = false;
    for (size_t i = 0; i < h->cells; i++)
        if (h->column[i].form == NUMBER && *h->column[i].unit) {
            more |= unit && strcmp(h->column[i].unit, unit) != 0;
            unit = h->column[i].unit;
        }
    return more && 2 * h->rows > h->lines;
}

static void name_columns(struct shape *h, struct smi_row_shape *to)
{
    uint32_t taken = 0;
    size_t n = 0;
    for (size_t i = 0; i < h->cells; i++)
        h->units |= h->column[i].form == NUMBER && *h->column[i].unit;
    for (size_t i = 0; i < h->cells; i++) {
        const int m = find_meaning(h, i, taken, to);
        taken |= m < 0 ? 0 : (uint32_t)1 << m;
        n += (size_t)snprintf(to->columns + n, sizeof to->columns - n, "%s%s", i ? "," : "",
                              m < 0 ? "?" : meanings[m].name);
    }
    if (!*to->doubt && h->rows < ROWS_LEAST)
        snprintf(to->doubt, sizeof to->doubt, "fewer than %d rows tell too little", ROWS_LEAST);
    to->one = h->units && !*to->doubt;
    to->monitor = is_monitor(h);
}

/* Below the rows may stand the header of a run whose log was appended: if its names have the units of their
 * columns, they are theirs. Where none has one, nothing tells. */
static bool fits_names(const struct shape *h, const struct smi_text *name)
{
    bool units = false;
    for (size_t i = 0; i < h->cells; i++) {
        const struct seen *c = &h->column[i];
        struct smi_query_column q;
        smi_column_query(name[i], &q);
        if (c->form != NUMBER || q.kind != SMI_COL_NUMBER)
            continue;
        const char *unit = smi_metrics[q.what].unit;
        if (strcmp(c->unit, smi_text_is_one_of(smi_text_of(unit), printed) ? unit : "") != 0)
            return false;
        units |= *c->unit;
    }
    return units;
}

/* ---- rows ---- */

/* Two numbers or more, a time in front of them or not: "13:25:50 98, 2308 MiB". */
static bool is_row(const struct smi_text *cell, size_t n)
{
    size_t numbers = 0;
    if (n < 2 || n > CELLS)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *unit;
        int64_t v;
        if (i == 0 && cell[i].n && !smi_is_digit(*cell[i].p) && !is_time(cell[i]))
            return false;
        numbers += read_number(cell[i], &unit, &v);
    }
    return numbers * 2 >= n;
}

void smi_row_shape(struct smi_row_shape *to, const char *p, size_t n, bool torn)
{
    struct shape h = {0};
    struct smi_text cell[CELLS + 1];
    const char *end = p + n, *lf;
    struct smi_docker docker = {0};
    size_t number = 0; /* of the line */
    bool below = false;
    uint32_t above = 0; /* bit n: a line of n cells stands above the rows, and may be their header */
    *to = (struct smi_row_shape){0};
    for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        struct smi_text line = {p, (size_t)(lf - p)};
        size_t cells;
        struct smi_text front, with_front, host;
        number++;
        line.n -= line.n && line.p[line.n - 1] == '\r';
        with_front = smi_text_trim(line);
        front = smi_line_front_cut(&line, &host, &docker);
        cells = smi_row_split(line, 0, cell, CELLS);
        if (h.cells && cells == h.cells && !below && line.n < SMI_ROW_SHAPE_TEXT - DIGITS &&
            smi_query_is_header(cell, cells)) {
            below = true;
            if (fits_names(&h, cell))
                snprintf(to->below, sizeof to->below, "%zu %.*s", number, (int)line.n, line.p);
        }
        if (cells < CELLS)
            cells = smi_row_split_time(cell, cells, front);
        h.lines += smi_text_trim(line).n > 0;
        if (!h.cells && is_row(cell, cells)) {
            if (torn && h.lines == 1)
                continue;
            if (above >> cells & 1)
                break;
            h.cells = to->cells = cells;
            to->row = with_front;
        } else if (!h.cells && cells <= CELLS) {
            above |= (uint32_t)1 << cells;
        }
        if (!h.cells || cells != h.cells || memchr(line.p, 0, line.n))
            continue;
        h.rows++;
        for (size_t i = 0; i < cells; i++)
            see_cell(&h.column[i], cell[i], i == 0);
    }
    smi_docker_fini(&docker);
    if (h.cells)
        name_columns(&h, to);
}
