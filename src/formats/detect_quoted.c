/* detect_quoted.c - a note, a script or a program that holds a few lines of a
 * log is none. A log begins as one, whatever comes later; only of a text that
 * begins otherwise more is asked:
 *
 *     # How we measured
 *     timestamp, index, utilization.gpu [%]
 *     2026/07/03 22:10:46.109, 0, 50 %
 *     The second column is ...
 */
#include "formats/column_map.h"
#include "formats/detect.h"
#include "formats/row_engine.h"

#include <stdio.h>
#include <string.h>

enum { FEW = 4, TRAILER = 2, CELLS = 24 /* of rows without a header */ };

struct reading {
    const struct smi_format *format;
    struct smi_reader *reader;
    struct smi_account account;
    struct smi_devices devices;
    bool json;
    int64_t own, data, others, behind; /* lines: of the log; cells of no use; of something else, and how
                                        * many of these behind the first own one */
};

static int drop_rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    (void)self;
    (void)r;
    (void)err;
    return 0;
}

/* A row may be broken in many ways: what begins as one is no prose. */
static bool is_data(const struct reading *r, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && ((*t.p >= '0' && *t.p <= '9') || (r->json && *t.p == '{'));
}

/* A line with its LF. Some readers know what a line was only some lines later.
 */
static int line(struct reading *r, struct smi_text t, struct smi_err *err)
{
    struct smi_sink sink = {.rows = drop_rows};
    int64_t passed = r->account.messages + r->account.blank, rejected = smi_account_rejected(&r->account);
    if (smi_reader_feed(r->reader, t.p, t.n, &sink, err))
        return -1;
    passed = r->account.messages + r->account.blank - passed;
    rejected = smi_account_rejected(&r->account) - rejected;
    if (rejected && is_data(r, t)) {
        r->data += rejected;
        return 0;
    }
    r->others += rejected;
    r->behind += r->own ? rejected : 0;
    r->own += !rejected && !passed;
    return 0;
}

int smi_detect_is_quoted(const char *p, size_t n, int id, bool bare, struct smi_err *err)
{
    struct reading r = {.format = smi_formats[id], .json = id == SMI_FMT_RUNLOG || id == SMI_FMT_USAGE_LOG};
    struct smi_read_opts o = {.account = &r.account, .devices = &r.devices};
    struct smi_err odd = {0};
    const char *end = p + n, *lf;
    int64_t rows;
    int rc = (r.reader = smi_reader_open(r.format, &o, &odd)) ? 0 : -1;
    for (; !rc && p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1)
        rc = line(&r, (struct smi_text){p, (size_t)(lf + 1 - p)}, &odd);
    smi_reader_close(r.reader);
    rows = r.own - r.account.header + (bare ? r.data : 0);
    smi_account_fini(&r.account);
    smi_devices_fini(&r.devices);
    if (rc)
        return odd.code == SMI_ENOMEM ? smi_err_nomem(err) : 0;
    r.own += bare ? r.data : 0;
    return (r.behind > TRAILER && r.others > r.own) || (!rows && r.others > FEW * r.own);
}

/* The format of these n bytes, or -1 and why; a text that quotes a log is none.
 */
static int judge_bytes(const char *p, size_t n, bool whole, struct smi_detect *why, struct smi_err *err)
{
    int id;
    *why = (struct smi_detect){0};
    id = smi_detect(p, n, whole, why);
    if (id < 0 || !why->led || smi_detect_is_quoted(p, n, id, why->bare, err) <= 0)
        return id;
    *why = (struct smi_detect){0};
    snprintf(why->why, sizeof why->why, "few lines of %s among others: --input-format %s reads them",
             smi_format_infos[id].name, smi_format_infos[id].name);
    return -1;
}

/* What the columns that the user names make of it. Returns whether that decides
 * it. */
static bool judge_columns(const char *p, size_t n, bool whole, const char *columns, int *id,
                          struct smi_detect *why, struct smi_err *err)
{
    struct smi_column_map m;
    struct smi_text missing = {NULL, 0};
    bool fits;
    why->bare &= smi_column_map_is(columns);
    if (!smi_column_map_is(columns) || smi_column_map_read(&m, columns, "", err))
        return false;
    fits = smi_column_map_fits(&m, p, n, &missing);
    if (fits) {
        *why = (struct smi_detect){0};
        *id = SMI_FMT_GPU_CSV;
    } else if (*id < 0 && whole && missing.n && !why->ours)
        snprintf(why->why, sizeof why->why,
                 "no known log format, and no header with the column \"%.*s\" of "
                 "--columns-from",
                 missing.n < 80 ? (int)missing.n : 80, missing.p);
    return fits;
}

/* Is the cell a number? Its unit: "%" of "50 %"; or none. */
static bool read_unit(struct smi_text cell, struct smi_text *unit)
{
    int64_t v;
    struct smi_text rest = cell, number = smi_text_word(&rest);
    *unit = smi_text_trim(rest);
    return smi_text_parse_micro(number, &v) == 0;
}

/* The unit of what is below the name: "[%]" behind it, or the one that nvidia-smi has for it; or none. */
static struct smi_text unit_below(struct smi_text name)
{
    static const char *const known[][2] = {
        {"utilization.", "%"}, {"fan.speed", "%"}, {"memory.", "MiB"}, {"power.", "W"}, {"clocks.", "MHz"}};
    const char *open = memchr(name.p, '[', name.n);
    if (open && name.p[name.n - 1] == ']')
        return (struct smi_text){open + 1, (size_t)(name.p + name.n - open) - 2};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (smi_text_starts_nocase(name, known[i][0]))
            return smi_text_of(known[i][1]);
    return (struct smi_text){"", 0};
}

/* Have the n cells of a row the units of the names? Where none has one, nothing tells. */
static bool fits_names(const struct smi_text *name, const struct smi_text *cell, size_t n)
{
    bool units = false;
    for (size_t i = 0; i < n; i++) {
        struct smi_text unit, below = unit_below(name[i]);
        if (!read_unit(cell[i], &unit))
            continue;
        if (unit.n != below.n || memcmp(unit.p, below.p, unit.n) != 0)
            return false;
        units |= unit.n > 0;
    }
    return units;
}

/* Below rows without a header may stand the header of a run whose log was
 * appended: if its columns have the units of their cells, they are theirs. */
static bool find_header_below(struct smi_text t, const struct smi_row_shape *s,
                              char columns[SMI_ROW_SHAPE_TEXT])
{
    enum { NUMBER = 24 /* bytes for that of the line */ };
    const char *end = t.p + t.n, *lf;
    struct smi_text cell[CELLS + 1], row[CELLS + 1];
    size_t number = 0, cells = smi_row_split(s->row, 0, row, CELLS);
    for (const char *p = t.p; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
        struct smi_text line = smi_text_trim((struct smi_text){p, (size_t)(lf - p)});
        size_t n = smi_row_split(line, 0, cell, CELLS);
        number++;
        if (n != cells || n != s->cells || n > CELLS || line.n >= SMI_ROW_SHAPE_TEXT - NUMBER ||
            !smi_query_is_header(cell, n))
            continue;
        if (!fits_names(cell, row, n))
            return false;
        snprintf(columns, SMI_ROW_SHAPE_TEXT, "%zu %.*s", number, (int)line.n, line.p);
        return true;
    }
    return false;
}

/* Of rows without a header: their columns, if their shape or the user (named)
 * tells them; else what is to be said of them. Behind a hole the first may be
 * torn. */
static void judge_rows(struct smi_text t, size_t hole, bool named, int *id, struct smi_detect *why)
{
    struct smi_row_shape s;
    char what[3 * SMI_ROW_SHAPE_TEXT];
    smi_row_shape(&s, t.p + hole, t.n - hole, hole > 0);
    if (!s.cells)
        return;
    if (s.monitor && *id < 0) {
        *id = SMI_FMT_QUERY;
        why->bare = !named;
        if (named)
            return;
    }
    if (why->bare && (s.one || find_header_below(t, &s, s.columns))) {
        *why = (struct smi_detect){.led = why->led};
        snprintf(why->columns, sizeof why->columns, "%c%s", SMI_ROW_SHAPE_GUESS, s.columns);
        return;
    }
    snprintf(what, sizeof what,
             "rows of %zu cells without a header: %s; name them with "
             "%s--input-columns %s; first row",
             s.cells, s.doubt, why->bare ? "" : "--input-format nvidia-smi-query ", s.columns);
    smi_detect_refuse(why, what, s.row);
}

size_t smi_detect_look(const char *p, size_t n, size_t size, const char *columns, int *id,
                       struct smi_detect *why, struct smi_err *err)
{
    enum { BINARY = 512 /* a NUL so early behind text decides it */ };
    const size_t hole = smi_detect_hole(p, n);
    *id = judge_bytes(p, n < size ? n : size, n < size, why, err);
    if (columns &&
        judge_columns(p, n < size ? n : size, n < size || size == SMI_DETECT_MOST, columns, id, why, err))
        return 0;
    if ((smi_column_map_is(columns) || why->bare) && n >= size && size < SMI_DETECT_MOST)
        return SMI_DETECT_MOST;
    if (why->bare || (why->unknown && (n < size || size == SMI_DETECT_MOST)))
        judge_rows((struct smi_text){p, n < size ? n : size}, hole, columns && !smi_column_map_is(columns),
                   id, why);
    if (err->code || n < size || (*id >= 0 && !why->led && !why->likely) || size == SMI_DETECT_MOST)
        return 0;
    if (size == SMI_DETECT_FIRST)
        return SMI_DETECT_MORE;
    return why->ours || (hole < BINARY && memchr(p + hole, 0, BINARY - hole)) ? 0 : SMI_DETECT_MOST;
}
