#include "formats/column_map.h"

#include "base/file.h"
#include "formats/row_engine.h"

enum { FILE_MAX = 65536, QUOTE = 40, SIZE_DIGITS = 3, LINES = 200 /* that may stand above the header */ };

/* One line of a map, and where it stands. */
struct reading {
    struct smi_column_map *to;
    const char *path, *end; /* end: of the line */
    int line;
    struct smi_text name; /* the last one there */
    struct smi_err *err;
};

/* ---- the text ---- */

static int fail(const struct reading *r, const char *what, struct smi_text t, const char *advice)
{
    return smi_err_set(r->err, SMI_EUSAGE, "--columns-from %s:%d: %s \"%.*s\"%s%s", r->path, r->line, what,
                       t.n < QUOTE ? (int)t.n : QUOTE, t.n ? t.p : "", *advice ? ": " : "", advice);
}

/* A value, up to the end of the line: it should have been in quotes. */
static struct smi_text up_to_end(const struct reading *r, struct smi_text t)
{
    return smi_text_trim((struct smi_text){t.p, (size_t)(r->end - t.p)});
}

static int read_separator(const struct reading *r, struct smi_text t)
{
    static const struct {
        const char *word;
        unsigned split;
    } separators[] = {{"comma", 0},
                      {"semicolon", SMI_SPLIT_AT(';')},
                      {"tab", SMI_SPLIT_AT('\t')},
                      {"bar", SMI_SPLIT_AT('|')},
                      {"blanks", SMI_SPLIT_BLANKS},
                      {"text", 0}};
    r->to->text = smi_text_is_nocase(t, "text");
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        if (smi_text_is_nocase(t, separators[i].word)) {
            r->to->split = SMI_SPLIT_QUOTES | separators[i].split;
            return 0;
        }
    return fail(r, "there is no separator", up_to_end(r, t), "comma, semicolon, tab, bar, blanks or text");
}

/* What stands on the left. */
static bool find_meaning(struct smi_text name, struct smi_gpu_csv_column *c)
{
    struct smi_query_column q;
    const int metric = smi_metric_find(name.p, name.n);
    c->date = smi_text_is(name, "date");
    if (c->date || smi_text_is(name, "time")) {
        c->kind = SMI_COL_TIME;
        return true;
    }
    smi_column_query(name, &q);
    c->kind = q.kind;
    c->what = q.what;
    if (metric >= 0 && !smi_metric_is_host((unsigned)metric)) {
        c->kind = metric == SMI_PSTATE ? SMI_COL_PSTATE : SMI_COL_NUMBER;
        c->what = (uint16_t)metric;
    }
    if (c->kind == SMI_COL_NUMBER)
        c->unit = smi_unit_find(smi_text_of(smi_metrics[c->what].unit));
    return c->kind != SMI_COL_SKIP;
}

int64_t smi_time_unit(struct smi_text t)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int64_t per_s = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++, per_s *= 1000)
        if (smi_text_is(t, units[i]))
            return per_s;
    return 0;
}

/* "ms", "UTC", "month-first" behind a time; of numbers a unit of what they count. */
static int read_unit(const struct reading *r, struct smi_gpu_csv_column *c, struct smi_text t)
{
    const struct smi_unit *unit = smi_unit_find(t);
    if (!t.n)
        return 0;
    c->utc = c->kind == SMI_COL_TIME && smi_text_is_nocase(t, "UTC");
    c->form = c->kind != SMI_COL_TIME         ? SMI_STAMP_UNKNOWN
              : smi_text_is(t, "month-first") ? SMI_STAMP_MONTH_FIRST
              : smi_text_is(t, "day-first")   ? SMI_STAMP_DAY_FIRST
                                              : SMI_STAMP_UNKNOWN;
    if (c->utc || c->form)
        return 0;
    c->per_s = smi_time_unit(t);
    if (c->kind == SMI_COL_TIME)
        return c->per_s ? 0
                        : fail(r, "no unit of a time:", t, "s, ms, us, ns, UTC, month-first or day-first");
    if (c->kind == SMI_COL_NUMBER && smi_text_is(t, smi_metrics[c->what].unit))
        return 0;
    if (c->kind != SMI_COL_NUMBER || !unit || strcmp(unit->of, smi_metrics[c->what].unit))
        return fail(r, "no unit of this column:", t,
                    c->kind == SMI_COL_NUMBER ? smi_metrics[c->what].unit : "it has none");
    c->unit = unit;
    return 0;
}

/* "\"GPU Load\" %" or "5 mW": the column, and what is behind it. */
static int read_column(const struct reading *r, struct smi_text t, size_t at, struct smi_text *rest)
{
    const char *close = t.n > 1 && *t.p == '"' ? memchr(t.p + 1, '"', t.n - 1) : NULL;
    struct smi_text word;
    int64_t number;
    if (close) {
        r->to->entry[at].name = smi_text_trim((struct smi_text){t.p + 1, (size_t)(close - t.p - 1)});
        *rest = smi_text_trim((struct smi_text){close + 1, (size_t)(t.p + t.n - close - 1)});
        r->to->named = true;
        return r->to->entry[at].name.n ? 0 : fail(r, "a column has no name:", t, "");
    }
    *rest = t;
    word = smi_text_word(rest);
    *rest = smi_text_trim(*rest);
    number = smi_cell_digits(word, SIZE_DIGITS);
    if (number < 1 || number > SMI_GPU_CSV_COLUMNS)
        return fail(r, "no column:", up_to_end(r, t), "its name in quotes, or its number from 1 to 256");
    r->to->entry[at].number = (size_t)number;
    r->to->width = r->to->width > (size_t)number ? r->to->width : (size_t)number;
    return 0;
}

static bool is_given(const struct smi_column_map *m, const struct smi_gpu_csv_column *c)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct smi_gpu_csv_column *o = &m->entry[i].column;
        if (o->kind == c->kind && o->what == c->what && o->date == c->date)
            return true;
    }
    return false;
}

/* NAME = COLUMN, or another COLUMN of the last name. */
static int read_part(struct reading *r, struct smi_text part)
{
    static const char word[] = "optional";
    const char *equals = part.n ? memchr(part.p, '=', part.n) : NULL;
    struct smi_text value = part, rest, unit;
    struct smi_column_map *m = r->to;
    struct smi_gpu_csv_column c = {.kind = SMI_COL_SKIP, .known = true, .sure = true};
    bool optional, again = r->name.n && part.n && (*part.p == '"' || smi_is_digit(*part.p));
    if (!again && !equals)
        return fail(r, "no = in", part, "NAME = \"Column\" UNIT");
    if (!again) {
        r->name = smi_text_trim((struct smi_text){part.p, (size_t)(equals - part.p)});
        value = smi_text_trim((struct smi_text){equals + 1, (size_t)(part.p + part.n - equals - 1)});
    }
    if (smi_text_is(r->name, "separator"))
        return read_separator(r, value);
    if (smi_text_is(r->name, "gpus")) {
        m->gpus = (int)smi_cell_digits(value, SIZE_DIGITS);
        return m->gpus > 0 ? 0 : fail(r, "no number of GPUs:", value, "1 to 999");
    }
    if (!find_meaning(r->name, &c))
        return fail(r, "there is nothing called", r->name,
                    "time, date, a metric of `smilog list metrics`, or a field of nvidia-smi");
    if (!again && is_given(m, &c))
        return fail(r, "a second column is called", r->name, "");
    if (m->n == SMI_COLUMN_MAP_MAX)
        return fail(r, "more than 64 columns:", r->name, "");
    if (read_column(r, value, m->n, &rest))
        return -1;
    for (unit = rest; unit.n && unit.p[unit.n - 1] > ' ';)
        unit.n--;
    optional = smi_text_is(smi_text_from(rest, unit.n), word);
    if (read_unit(r, &c, optional ? smi_text_trim(unit) : rest))
        return -1;
    for (size_t i = 0; i < m->n; i++)
        if (m->entry[i].number == m->entry[m->n].number &&
            smi_text_equal(m->entry[i].name, m->entry[m->n].name))
            return fail(r, "a column is given twice:", value, "");
    m->entry[m->n].again = again;
    m->entry[m->n].optional = optional;
    m->entry[m->n++].column = c;
    return 0;
}

/* NAME = COLUMN UNIT, ... # a comment */
static int read_line(struct reading *r, struct smi_text line)
{
    const char *p = line.p, *from = line.p, *end = r->end = line.p + line.n;
    r->name.n = 0;
    for (bool quoted = false; p <= end; p++) {
        quoted ^= p < end && *p == '"';
        if (p < end && (quoted || (*p != ',' && *p != '#')))
            continue;
        if (read_part(r, smi_text_trim((struct smi_text){from, (size_t)(p - from)})))
            return -1;
        if (p < end && *p == '#')
            break;
        from = p + 1;
    }
    return 0;
}

int smi_column_map_read(struct smi_column_map *m, const char *columns, const char *path, struct smi_err *err)
{
    struct reading r = {m, path, NULL, 1, {NULL, 0}, err};
    *m = (struct smi_column_map){.split = SMI_SPLIT_QUOTES};
    for (const char *p = columns + 1, *lf; p; p = *lf ? lf + 1 : NULL, r.line++) {
        struct smi_text line = {p, strcspn(p, "\n")};
        lf = p + line.n;
        line = smi_text_trim((struct smi_text){p, line.n - (lf > p && lf[-1] == '\r')});
        if (line.n && *line.p != '#' && read_line(&r, line))
            return -1;
    }
    for (size_t i = 0; i < m->n && m->text; i++)
        m->entry[i].number = m->width = i + 1;
    m->named &= !m->text;
    for (size_t i = 0; i < m->n; i++)
        if (m->entry[i].column.kind >= SMI_COL_NUMBER)
            return 0;
    return smi_err_set(err, SMI_EUSAGE, "--columns-from %s: no column of a metric (smilog list metrics)",
                       path);
}

int smi_column_map_load(struct smi_buf *b, const char *path, struct smi_err *err)
{
    struct smi_column_map m;
    size_t from = b->n + 1;
    smi_buf_char(b, '\n');
    if (smi_file_read_all(b, path, FILE_MAX, err))
        return -1;
    smi_buf_char(b, 0);
    if (b->n - from > FILE_MAX || strlen(b->p + from) + 1 < b->n - from ||
        !smi_text_is_utf8((struct smi_text){b->p + from, b->n - from}))
        return smi_err_set(err, SMI_EUSAGE, "--columns-from %s: not UTF-8 text of at most 64 KiB", path);
    return smi_column_map_read(&m, b->p + from - 1, path, err);
}

bool smi_column_map_is(const char *columns)
{
    return columns && *columns == '\n';
}

int smi_column_map_gpus(const char *columns)
{
    struct smi_column_map m;
    struct smi_err err = {0};
    return smi_column_map_is(columns) && smi_column_map_read(&m, columns, "", &err) == 0 ? m.gpus : 0;
}

/* ---- lines of logs ---- */

/* The longest time that a text begins with. */
static struct smi_text cut_time(struct smi_text t)
{
    enum { TIME = 40 };
    const size_t room = t.n; /* the end of the line stands behind it */
    for (t.n = t.n < TIME ? t.n : TIME; t.n; t.n--) {
        if ((memchr("]|,; \t\"\n\r", t.p[t.n], 9) ||
             (t.p[t.n] == ':' && t.n < room && t.p[t.n + 1] == ' ')) &&
            smi_stamp_form_of(t))
            break;
    }
    return t;
}

static bool is_word(char c)
{
    return smi_is_digit(c) || (unsigned)((c | 32) - 'a') < 26 || c == '_';
}

/* What t begins with: a time, a number with its unit, or a word; or nothing. A number that goes on in any
 * other way ("1,234", "1.5e+02") is all of its word: what it means is not known. */
static struct smi_text take_value(struct smi_text t, enum smi_column_kind kind)
{
    struct smi_text unit, rest, word = {t.p, 0};
    const char *close;
    size_t n = smi_text_span(t, "+-.0123456789");
    if (kind == SMI_COL_TIME)
        return cut_time(t);
    if (kind != SMI_COL_NUMBER && t.n > 1 && *t.p == '"' && (close = memchr(t.p + 1, '"', t.n - 1)))
        return smi_text_between(t.p + 1, close);
    while (word.n < t.n && !memchr(",;|])}\"\t ", t.p[word.n], 9))
        word.n++;
    if (kind != SMI_COL_NUMBER)
        return (struct smi_text){t.p, word.n - (word.n && t.p[word.n - 1] == ':')};
    rest = smi_text_from(t, n);
    unit = smi_text_trim(rest);
    for (t.n = 0;
         t.n < unit.n && (is_word(unit.p[t.n]) || unit.p[t.n] == '%' || (unsigned char)unit.p[t.n] >= 0x80);)
        t.n++;
    unit.n = t.n;
    if (n && unit.n && smi_unit_find(unit))
        return smi_text_between(t.p, unit.p + unit.n);
    if (n && rest.n > 1 && *rest.p == ',' && smi_is_digit(rest.p[1]))
        return (struct smi_text){t.p, n + 1 + smi_text_digits(smi_text_from(rest, 1))};
    return (struct smi_text){t.p, n && unit.n && unit.p == rest.p ? word.n : n};
}

/* A name goes on over blanks: up to what separates values, or the text in front of another one. */
static struct smi_text take_name(const struct smi_column_map *m, struct smi_text t)
{
    static const char *const ends[] = {",", ";", "|", "\t", "\"", "  ", " - "};
    const char *at;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((at = memmem(t.p, t.n, ends[i], strlen(ends[i]))))
            t.n = (size_t)(at - t.p);
    for (size_t i = 0; i < m->n; i++)
        if (m->entry[i].name.n && (at = memmem(t.p, t.n, m->entry[i].name.p, m->entry[i].name.n)))
            t.n = (size_t)(at - t.p);
    return smi_text_trim(t);
}

/* The value behind the text of a column, where that text is not within a word; or nothing. */
static struct smi_text cut_value(struct smi_text line, struct smi_text front, enum smi_column_kind kind)
{
    struct smi_text t = line, value = {"", 0};
    const char *at;
    if (!front.n)
        return take_value(smi_text_trim(t), kind);
    while (!value.n && (at = memmem(t.p, t.n, front.p, front.n))) {
        t = smi_text_between(at + front.n, line.p + line.n);
        if (at == line.p || !is_word(*front.p) || !is_word(at[-1]))
            value = take_value(smi_text_trim(t), kind);
    }
    return value;
}

/* The values of a line of text, one for each entry; 0: it lacks what tells its GPU or its time, or has no
 * reading.
 */
static size_t split_text(const struct smi_column_map *m, struct smi_text line, struct smi_text *cell)
{
    bool some = false;
    for (size_t i = 0, first = 0; i < m->n; i++) {
        cell[i] = cut_value(line, m->entry[i].name, m->entry[i].column.kind);
        if (m->entry[i].column.kind == SMI_COL_NAME && cell[i].n &&
            (cell[i].p == line.p || cell[i].p[-1] != '"'))
            cell[i] = take_name(m, smi_text_between(cell[i].p, line.p + line.n));
        first = m->entry[i].again ? first : i;
        if (!cell[first].n)
            cell[first] = cell[i];
    }
    for (size_t i = 0; i < m->n; i++) {
        some |= cell[i].n && m->entry[i].column.kind >= SMI_COL_NUMBER;
        if (!cell[i].n && !m->entry[i].again && !m->entry[i].optional &&
            m->entry[i].column.kind < SMI_COL_NUMBER)
            return 0;
    }
    return some ? m->n : 0;
}

size_t smi_column_map_split(const struct smi_column_map *m, struct smi_text line, struct smi_text *cell)
{
    if (m->text)
        return split_text(m, line, cell);
    return smi_row_split(line, m->split, cell, SMI_GPU_CSV_COLUMNS);
}

/* Is a column called so? "GPU #" is each of several GPUs, whose number stands there. Returns the number + 1;
 * 0: the name has none; -1: it is called otherwise. */
static int match_name(struct smi_text name, struct smi_text cell)
{
    enum { DIGITS = 3 };
    const char *at = name.n ? memchr(name.p, '#', name.n) : NULL;
    const size_t front = at ? (size_t)(at - name.p) : 0, back = name.n - front - 1;
    int64_t number;
    if (!at || cell.n < name.n)
        return smi_text_equal(cell, name) ? 0 : -1;
    number = smi_cell_digits((struct smi_text){cell.p + front, cell.n - front - back}, DIGITS);
    return number >= 0 && memcmp(cell.p, name.p, front) == 0 &&
                   memcmp(cell.p + cell.n - back, at + 1, back) == 0
               ? (int)number + 1
           : smi_text_equal(cell, name) ? 0
                                        : -1;
}

/* The place of entry *i, or else of another column of its name, which *i is then; or n. */
static size_t find_place(const struct smi_column_map *m, size_t *i, const struct smi_text *cell, size_t n)
{
    for (size_t k = *i; k == *i || (k < m->n && m->entry[k].again); k++) {
        size_t at = m->entry[k].number ? m->entry[k].number - 1 : 0;
        while (!m->entry[k].number && at < n && match_name(m->entry[k].name, cell[at]) < 0)
            at++;
        if (at < n) {
            *i = k;
            return at;
        }
    }
    return n;
}

/* Columns that have only numbers: a row is what has numbers there. */
static bool may_be_cell(const struct smi_gpu_csv_column *c, struct smi_text t)
{
    return (c->kind != SMI_COL_NUMBER && c->kind != SMI_COL_TIME) || smi_cell_missing(t) ||
           (t.n && (memchr("+-.", *t.p, 3) || smi_is_digit(*t.p))) ||
           (c->kind == SMI_COL_TIME && memchr(t.p, ':', t.n));
}

bool smi_column_map_bind(const struct smi_column_map *m, const struct smi_text *cell, size_t n,
                         struct smi_gpu_csv_column *c)
{
    if (n > SMI_GPU_CSV_COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++)
        c[i] = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP, .known = true};
    for (size_t i = 0; i < m->n; i++) {
        size_t as = i, at = find_place(m, &as, cell, n);
        if (m->entry[i].again || (at == n && m->entry[i].optional))
            continue;
        if (at == n && m->json &&
            (m->entry[i].column.kind >= SMI_COL_NUMBER || /* an element of a list has a number of its own */
             (m->entry[i].column.kind == SMI_COL_KEY && n && smi_text_is(cell[n - 1], "gpu_index"))))
            continue;
        if (at == n || (!m->named && !may_be_cell(&m->entry[as].column, cell[at])))
            return false;
        c[at] = m->entry[as].column;
        for (int gpu; !m->entry[as].number && at < n; at++)
            if ((gpu = match_name(m->entry[as].name, cell[at])) > 0) {
                c[at] = m->entry[as].column;
                c[at].gpu = (uint16_t)gpu;
            }
    }
    return true;
}

bool smi_column_map_fits_json(const struct smi_column_map *m, struct smi_text t)
{
    const char *end = t.p + t.n;
    bool found = m->named && smi_text_trim(t).n && memchr("[{", *smi_text_trim(t).p, 2);
    for (size_t i = 0; i < m->n && (found || m->entry[i].again); i++) {
        const bool spare = (m->entry[i].again && found) || m->entry[i].optional;
        struct smi_text key = m->entry[i].name;
        const char *at = t.p, *dot;
        bool here = false;
        if (key.n && key.p[key.n - 1] == ']' && (dot = memrchr(key.p, '[', key.n)) &&
            dot + 2 + smi_text_digits(smi_text_between(dot + 1, key.p + key.n)) ==
                key.p + key.n) /* [], [1] */
            key.n = (size_t)(dot - key.p);
        if (key.n && (dot = memrchr(key.p, '.', key.n)))
            key = smi_text_between(dot + 1, key.p + key.n);
        for (; key.n && !here && (at = memmem(at, (size_t)(end - at), key.p, key.n)); at++)
            here = at > t.p && memchr("\".", at[-1], 2) && at[key.n] == '"';
        found = here || spare;
    }
    return found;
}

bool smi_column_map_fits(const struct smi_column_map *m, const char *p, size_t n, struct smi_text *missing)
{
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    struct smi_gpu_csv_column c[SMI_GPU_CSV_COLUMNS];
    const char *end = p + n, *lf;
    bool found[SMI_COLUMN_MAP_MAX] = {false};
    p = smi_line_without_bom((struct smi_text){p, n}).p;
    for (int lines = 0; lines < LINES && p < end; lines++, p = lf + 1) {
        struct smi_text line;
        size_t cells;
        lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf)
            break;
        line = (struct smi_text){p, (size_t)(lf - p)};
        line.n -= line.n && line.p[line.n - 1] == '\r';
        cells = smi_column_map_split(m, line, cell);
        if (smi_column_map_bind(m, cell, cells, c))
            return true;
        for (size_t i = 0; i < m->n && cells <= SMI_GPU_CSV_COLUMNS; i++)
            found[i] |=
                m->entry[i].again || m->entry[i].optional || find_place(m, &(size_t){i}, cell, cells) < cells;
    }
    for (size_t i = 0; i < m->n && !missing->n; i++)
        if (!found[i])
            *missing = m->entry[i].name;
    return false;
}
