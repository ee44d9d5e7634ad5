/* xlsx.c - writes workbooks by libxlsxwriter: a book, its sheets and styles, and a look at the finished file
 */
#include "base/file.h"
#include "base/lazy.h"
#include "base/mem.h"
#include "base/version.h"
#include "report/xlsx.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <xlsxwriter.h>

/* libxlsxwriter, opened when the first workbook is made. Its functions: smi_lxw.workbook_new_opt(). */
static struct {
#define SMI_XLSX(name) __typeof__(name) *name;
#include "base/lazy.def"
} smi_lxw;

static const char unknown[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* Is this the way to write one character by its number, "_x0041_"? */
static bool is_escape(const char *p)
{
    return strncmp(p, "_x", 2) == 0 && strspn(p + 2, "0123456789abcdefABCDEF") == 4 && p[6] == '_';
}

/* U+FFFE and U+FFFF stand in no XML. */
static bool is_no_character(const char *p, size_t len)
{
    return len == 3 && memcmp(p, "\xEF\xBF", 2) == 0 && (unsigned char)p[2] >= 0xBE;
}

/* Appends the character at p, of len bytes (0: none is there); returns the UTF-16 units it takes. */
static size_t append_character(struct smi_buf *to, const char *p, size_t len)
{
    size_t n = to->n;
    if (len == 0 || is_no_character(p, len)) {
        smi_buf_str(to, unknown);
        return 1;
    }
    if (smi_text_unprintable(p, len) >= 0) {
        smi_buf_safe(to, (struct smi_text){p, len});
        return to->n - n;
    }
    if (is_escape(p)) {
        smi_buf_str(to, "_x005F_");
        return 7;
    }
    smi_buf_add(to, p, len);
    return len == 4 ? 2 : 1;
}

bool smi_xlsx_escape(struct smi_buf *to, const char *text, size_t most)
{
    enum { MARK = 48 };
    size_t left = strlen(text), units = 0, kept = to->n, keep_left = left, len, was;
    for (; left; text += len ? len : 1, left -= len ? len : 1) {
        len = smi_text_utf8(text, left);
        was = to->n;
        units += append_character(to, text, len);
        if (units <= most - MARK) {
            kept = to->n;
            keep_left = left - (len ? len : 1);
        }
        if (units > most) {
            to->n = was < kept ? was : kept;
            smi_buf_fmt(to, "… [cut: %zu bytes left out]", keep_left);
            return true;
        }
    }
    return false;
}

/* The library's error, as ours. Returns 0 or -1. */
static int keep_error(struct smi_xlsx *x, lxw_error e, const char *what)
{
    int no = errno;
    if (e == LXW_NO_ERROR)
        return 0;
    if ((e == LXW_ERROR_CREATING_TMPFILE || e == LXW_ERROR_CREATING_XLSX_FILE ||
         e == LXW_ERROR_ZIP_FILE_OPERATION || e == LXW_ERROR_ZIP_FILE_ADD || e == LXW_ERROR_ZIP_CLOSE) &&
        no)
        return smi_err_set(&x->err, SMI_EIO, "%s: %s", what, strerror(no));
    return smi_err_set(&x->err, SMI_EIO, "%s: %s", what, smi_lxw.lxw_strerror(e));
}

/* The escaped text, valid until the next one; NULL after an error. */
static char *escaped(struct smi_xlsx *x, const char *text, size_t most)
{
    smi_buf_clear(&x->text);
    x->cut += smi_xlsx_escape(&x->text, text ? text : "", most);
    smi_buf_str(&x->text, ""); /* an empty text is one */
    return x->err.code ? NULL : x->text.p;
}

/* Appends a name for a sheet: at most `most` characters, none of []:*?/\' in it. Never empty. */
static void escape_name(struct smi_buf *to, const char *name, size_t most)
{
    struct smi_buf b = {0};
    size_t units = 0, len;
    smi_buf_safe(&b, smi_text_of(name));
    for (const char *p = b.p ? b.p : ""; *p; p += len) {
        len = smi_text_utf8(p, strlen(p));
        len = len ? len : 1;
        units += len == 4 ? 2 : 1;
        if (units > most)
            break;
        if (strchr("[]:*?/\\'", *p))
            smi_buf_char(to, ' ');
        else if (is_no_character(p, len))
            smi_buf_str(to, unknown);
        else
            smi_buf_add(to, p, len);
    }
    if (units == 0)
        smi_buf_str(to, "-");
    smi_buf_fini(&b);
}

/* reads the finished zip again. libxlsxwriter does not see that a write into one of its
 * temporary files fails, so a disk that fills up could cost rows without a word. Each sheet must have all
 * bytes of its rows, and all parts must be XML from beginning to end. Where a piece is missing whose ends fit
 * together, what says how many elements it holds (<cellXfs count="40">) must hold as many. */

/* An element that is open: its name, its children so far, and how many it says that it has (-1: nothing). */
struct element {
    struct smi_text name;
    int64_t children, count;
};

/* The next tag, without its brackets ("xf id="1"/"), with as many quotation marks as it needs, or one of no
 * bytes. The library escapes every bracket that is none of a tag. */
static struct smi_text next_tag(const char *p, const char *end)
{
    const char *open = memchr(p, '<', (size_t)(end - p)), *close;
    size_t quotes = 0;
    close = open ? memchr(open, '>', (size_t)(end - open)) : NULL;
    if (!close || memchr(open + 1, '<', (size_t)(close - open - 1)))
        return (struct smi_text){0};
    for (const char *q = open; q < close; q++)
        quotes += *q == '"';
    return (struct smi_text){open + 1, quotes % 2 ? 0 : (size_t)(close - open - 1)};
}

/* Are these bytes, which end with a 0, XML from beginning to end? */
static bool xml_is_whole(const char *p, const char *end)
{
    enum { DEPTH = 32 };
    static const char attribute[] = " count=\"";
    struct element open[DEPTH + 1] = {{.count = 1}}; /* the first stands for the part, which has a root */
    int depth = 0;
    for (; p + strspn(p, "\n") < end; p++) {
        const struct smi_text tag = next_tag(p, end);
        if (tag.n == 0 || (depth == 0 && tag.p != p + strspn(p, "\n") + 1))
            return false;
        p = tag.p + tag.n;
        if (*tag.p == '?')
            continue;
        if (*tag.p != '/') {
            if (depth == DEPTH)
                return false;
            open[depth].children++;
            const char *at = memmem(tag.p, tag.n, attribute, sizeof attribute - 1);
            open[++depth] = (struct element){.name = {tag.p, 0},
                                             .count = at ? strtoll(at + sizeof attribute - 1, NULL, 10) : -1};
            while (open[depth].name.n < tag.n && !strchr(" /\t\r\n", tag.p[open[depth].name.n]))
                open[depth].name.n++;
        }
        if (*tag.p == '/' || p[-1] == '/') {
            const struct element *e = &open[depth--];
            if (depth < 0 || (*tag.p == '/' && !smi_text_equal(smi_text_from(tag, 1), e->name)) ||
                (e->count >= 0 && e->count != e->children))
                return false;
        }
    }
    return depth == 0 && open[0].children == 1;
}

/* Reads a part into b, without the bytes that are rows of a sheet, of which all must be there. */
static bool read_part(struct archive *a, struct smi_buf *b, int64_t rows)
{
    static const char begin[] = "<sheetData>", end[] = "</sheetData>";
    const bool sheet = rows > 0;
    char piece[16384], *at = NULL;
    ssize_t n;
    smi_buf_clear(b);
    while ((n = smi_la.archive_read_data(a, piece, sizeof piece)) > 0) {
        int64_t skip = at && rows < n ? rows : at ? n : 0;
        smi_buf_add(b, piece + skip, (size_t)(n - skip));
        rows -= skip;
        if (at || rows == 0 || !(at = memmem(b->p, b->n, begin, sizeof begin - 1)))
            continue;
        at += sizeof begin - 1;
        skip = b->p + b->n - at;
        skip = rows < skip ? rows : skip;
        b->n -= (size_t)skip;
        memmove(at, at + skip, (size_t)(b->p + b->n - at));
        rows -= skip;
    }
    smi_buf_char(b, 0);
    return n == 0 && rows == 0 &&
           (!sheet || strncmp(strstr(b->p, begin) + sizeof begin - 1, end, sizeof end - 1) == 0);
}

int smi_xlsx_verify(struct smi_xlsx *x)
{
    enum { PIECE = 16384 };
    static const char front[] = "xl/worksheets/sheet"; /* "xl/worksheets/sheet12.xml" */
    struct archive_entry *entry;
    struct archive *a;
    int n = 0, rc = ARCHIVE_FATAL;
    if (smi_libarchive_open(&x->err))
        return -1;
    a = smi_la.archive_read_new();
    if (lseek(x->fd, 0, SEEK_SET) == 0 && smi_la.archive_read_support_format_zip_seekable(a) == ARCHIVE_OK &&
        smi_la.archive_read_open_fd(a, x->fd, PIECE) == ARCHIVE_OK)
        while ((rc = smi_la.archive_read_next_header(a, &entry)) == ARCHIVE_OK || rc == ARCHIVE_WARN) {
            const char *name = smi_la.archive_entry_pathname(entry);
            const struct smi_xlsx_sheet *s =
                name && strncmp(name, front, sizeof front - 1) == 0 ? x->first : NULL;
            for (int number = s ? atoi(name + sizeof front - 1) : 0; s && number > 1; number--)
                s = s->next;
            if (!read_part(a, &x->text, s ? s->bytes : 0) ||
                !xml_is_whole(x->text.p, x->text.p + x->text.n - 1))
                break;
            n += s != NULL;
        }
    smi_la.archive_read_free(a);
    return rc == ARCHIVE_EOF && n == x->sheets
               ? 0
               : smi_err_set(&x->err, SMI_EIO, "what was written is not whole: no space left?");
}

/* ---- cells, what they look like, sheets as a whole, and charts over cells ---- */

/* ---- what cells look like: one row a kind of number, one row a look. Colours mean what they mean
 * everywhere: red is lost, yellow is paid for and not used, grey is not known. ---- */

#define SMI_XLSX_KIND(id, format) [SMI_XLSX_##id] = format,
static const char *const numbers[SMI_XLSX_KINDS] = {
#include "report/xlsx_style.def"
};

enum { RED = 0xB3261E, YELLOW = 0x8A6100, GREY = 0x6B6B6B, INK = 0x1F2A37 };
enum { HEAD = 0xE8ECF1, LINE = 0x9AA5B1, SUM = 0xF6F8FA };

struct look {
    int size; /* 0: as ever */
    bool bold, wrap, below, above;
    uint32_t colour, back; /* 0: none */
    uint8_t up_down;       /* place in its height; 0: as ever */
    const char *word;      /* stands before a number */
};

#define SMI_XLSX_LOOK(id, ...) [SMI_XLSX_##id] = {__VA_ARGS__},
static const struct look looks[SMI_XLSX_APPEARANCES] = {
#include "report/xlsx_style.def"
};

/* The format of a kind and a look, or NULL after an error. */
static lxw_format *cell_format(struct smi_xlsx *x, enum smi_xlsx_kind kind, enum smi_xlsx_appearance look)
{
    lxw_format **f = &x->format[kind][look];
    const struct look *l = &looks[look];
    const char *number = numbers[kind];
    char format[96], money[64];
    if (*f || x->err.code || (kind == SMI_XLSX_GENERAL && look == SMI_XLSX_PLAIN))
        return *f;
    *f = smi_lxw.workbook_add_format(x->wb);
    if (!*f)
        smi_mem_exhausted();
    if (kind == SMI_XLSX_MONEY && x->currency) {
        snprintf(money, sizeof money, "#,##0.00 \"%s\"", x->currency);
        number = money;
    }
    if (l->size)
        smi_lxw.format_set_font_size(*f, l->size);
    if (l->bold)
        smi_lxw.format_set_bold(*f);
    if (l->wrap)
        smi_lxw.format_set_text_wrap(*f);
    if (l->colour)
        smi_lxw.format_set_font_color(*f, l->colour);
    if (l->back)
        smi_lxw.format_set_bg_color(*f, l->back);
    if (l->below) {
        smi_lxw.format_set_bottom(*f, LXW_BORDER_THIN);
        smi_lxw.format_set_bottom_color(*f, LINE);
    }
    if (l->above) {
        smi_lxw.format_set_top(*f, LXW_BORDER_THIN);
        smi_lxw.format_set_top_color(*f, LINE);
    }
    if (l->up_down)
        smi_lxw.format_set_align(*f, l->up_down);
    /* Numbers stand on the right, and so do the heads over them; figures on the left, below their labels. In
     * the row of totals the buttons of the filter stand at the right edge. */
    const bool right = kind > SMI_XLSX_WORDS, total = look >= SMI_XLSX_SUM && look <= SMI_XLSX_MOST;
    if (kind == SMI_XLSX_WORDS)
        smi_lxw.format_set_indent(*f, 1);
    else if (look == SMI_XLSX_FIGURE || kind == SMI_XLSX_KEY)
        smi_lxw.format_set_align(*f, LXW_ALIGN_LEFT);
    else if (right && (total || look == SMI_XLSX_HEAD))
        smi_lxw.format_set_align(*f, LXW_ALIGN_RIGHT);
    if (right && total)
        smi_lxw.format_set_indent(*f, 2);
    if (number) {
        snprintf(format, sizeof format, l->word ? "\"%s \"%s" : "%s%s", l->word ? l->word : "", number);
        smi_lxw.format_set_num_format(*f, format);
    }
    return *f;
}

/* ---- cells, and what holds for a sheet as a whole. ---- */

/* May this cell be written? Rows that could not be are seen when the next one begins. */
static bool may_write_cell(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (s->x->err.code)
        return false;
    assert(row >= s->row);
    if (row >= SMI_XLSX_ROWS || col >= SMI_XLSX_COLUMNS) {
        smi_err_set(&s->x->err, SMI_ELIMIT, "the sheet \"%s\" is full", s->name);
        return false;
    }
    if (row != s->row && ferror(s->ws->optimize_tmpfile)) {
        smi_err_set(&s->x->err, SMI_EIO, "a temporary file: no space left?");
        return false;
    }
    s->row = row;
    return true;
}

static void check_written(struct smi_xlsx_sheet *s, lxw_error e)
{
    keep_error(s->x, e, s->name);
}

void smi_xlsx_cell_name(char *to, int64_t row, int col)
{
    smi_lxw.lxw_rowcol_to_cell(to, (lxw_row_t)row, (lxw_col_t)col);
}

void smi_xlsx_put(struct smi_xlsx_sheet *s, int64_t row, int col, const struct smi_xlsx_cell *c)
{
    const lxw_row_t r = (lxw_row_t)row;
    const lxw_col_t k = (lxw_col_t)col;
    char url[SMI_XLSX_NAME * 4 + 48], cell[SMI_XLSX_CELL];
    const char *text = c->is == SMI_XLSX_IS_TEXT ? escaped(s->x, c->text, SMI_XLSX_TEXT) : "";
    const bool empty = c->is == SMI_XLSX_IS_TEXT ? !c->text || (!*c->text && !c->to)
                                                 : c->is == SMI_XLSX_IS_EMPTY || !isfinite(c->v);
    lxw_format *f;
    if ((empty && c->look == SMI_XLSX_PLAIN) || !text || !may_write_cell(s, row, col))
        return;
    f = cell_format(s->x, empty ? SMI_XLSX_GENERAL : c->kind, c->look);
    if (empty)
        check_written(s, smi_lxw.worksheet_write_blank(s->ws, r, k, f));
    else if (c->is == SMI_XLSX_IS_BOOL)
        check_written(s, smi_lxw.worksheet_write_boolean(s->ws, r, k, c->v != 0, f));
    else if (c->is == SMI_XLSX_IS_NUMBER && c->formula)
        check_written(s, smi_lxw.worksheet_write_formula_num(s->ws, r, k, c->formula, f, c->v));
    else if (c->is == SMI_XLSX_IS_NUMBER)
        check_written(s, smi_lxw.worksheet_write_number(s->ws, r, k, c->v, f));
    else if (c->formula)
        check_written(s, smi_lxw.worksheet_write_formula_str(s->ws, r, k, c->formula, f, text));
    else if (c->to) {
        smi_xlsx_cell_name(cell, c->to_row, 0);
        snprintf(url, sizeof url, "internal:'%s'!%s", c->to->name, cell); /* without an apostrophe */
        check_written(s, smi_lxw.worksheet_write_url_opt(s->ws, r, k, url, NULL, *text ? text : "-", NULL));
    } else
        check_written(s, smi_lxw.worksheet_write_string(s->ws, r, k, text, f));
}

void smi_xlsx_text(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_kind kind,
                   enum smi_xlsx_appearance look, const char *text)
{
    smi_xlsx_put(s, row, col, &(struct smi_xlsx_cell){SMI_XLSX_IS_TEXT, kind, look, .text = text});
}

void smi_xlsx_height(struct smi_xlsx_sheet *s, int64_t row, double points)
{
    if (may_write_cell(s, row, 0))
        check_written(s, smi_lxw.worksheet_set_row(s->ws, (lxw_row_t)row, points, NULL));
}

/* --- the sheet as a whole --- */

void smi_xlsx_width(struct smi_xlsx_sheet *s, int col, int last, double characters)
{
    if (!s->x->err.code)
        check_written(s,
                      smi_lxw.worksheet_set_column(s->ws, (lxw_col_t)col, (lxw_col_t)last, characters, NULL));
}

void smi_xlsx_freeze(struct smi_xlsx_sheet *s, int64_t row, int col)
{
    if (!s->x->err.code)
        smi_lxw.worksheet_freeze_panes(s->ws, (lxw_row_t)row, (lxw_col_t)col);
}

void smi_xlsx_filter(struct smi_xlsx_sheet *s, int64_t row, int64_t last_row, int last_col)
{
    if (!s->x->err.code)
        check_written(s, smi_lxw.worksheet_autofilter(s->ws, (lxw_row_t)row, 0, (lxw_row_t)last_row,
                                                      (lxw_col_t)last_col));
}

void smi_xlsx_bars(struct smi_xlsx_sheet *s, int64_t row, int col, int64_t last_row)
{
    enum { BAR = 0xF2C14E };
    lxw_conditional_format f = {.type = LXW_CONDITIONAL_DATA_BAR,
                                .data_bar_2010 = LXW_TRUE,
                                .bar_solid = LXW_TRUE,
                                .bar_color = BAR,
                                .min_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER,
                                .min_value = 0,
                                .bar_no_border = LXW_TRUE};
    if (!s->x->err.code)
        check_written(s, smi_lxw.worksheet_conditional_format_range(s->ws, (lxw_row_t)row, (lxw_col_t)col,
                                                                    (lxw_row_t)last_row, (lxw_col_t)col, &f));
}

static void set_paper(struct smi_xlsx_sheet *s, int wide, int tall)
{
    static const char footer[] = "&L&8&F   &A&R&8&P / &N"; /* file, sheet; page, pages */
    enum { A4 = 9 };
    smi_lxw.worksheet_set_paper(s->ws, A4);
    smi_lxw.worksheet_set_margins(s->ws, 0.4, 0.4, 0.5, 0.6);
    smi_lxw.worksheet_fit_to_pages(s->ws, (uint16_t)wide, (uint16_t)tall);
    smi_lxw.worksheet_print_across(s->ws);
    check_written(s, smi_lxw.worksheet_set_footer(s->ws, footer));
}

void smi_xlsx_print(struct smi_xlsx_sheet *s, int wide, int head_row, int head_col)
{
    if (s->x->err.code)
        return;
    smi_lxw.worksheet_set_landscape(s->ws);
    set_paper(s, wide, 0);
    if (head_row >= 0)
        check_written(s, smi_lxw.worksheet_repeat_rows(s->ws, 0, (lxw_row_t)head_row));
    if (head_col >= 0)
        check_written(s, smi_lxw.worksheet_repeat_columns(s->ws, 0, (lxw_col_t)head_col));
}

void smi_xlsx_page(struct smi_xlsx_sheet *s, int64_t last_row, int last_col)
{
    if (s->x->err.code)
        return;
    set_paper(s, 1, 1);
    smi_lxw.worksheet_gridlines(s->ws, LXW_HIDE_ALL_GRIDLINES);
    check_written(s, smi_lxw.worksheet_print_area(s->ws, 0, 0, (lxw_row_t)last_row, (lxw_col_t)last_col));
}

/* ---- charts over cells. The library keeps no cached values of them in constant-memory mode: who opens the
 * workbook draws from the cells. ---- */

enum { FAINT = 0xD9DEE4, AXIS = 0x6B7785, HIGH = 288, WIDE = 480 /* pixels of a chart that is not scaled */ };

static void set_axes(lxw_chart *chart, const struct smi_xlsx_plot *plot)
{
    lxw_chart_font small = {.size = 9, .color = AXIS},
                   plain = {.size = 9, .color = AXIS, .bold = LXW_EXPLICIT_FALSE};
    lxw_chart_line faint = {.color = FAINT, .width = 0.5F}, none = {.none = LXW_TRUE};
    lxw_chart_axis *axis[] = {chart->x_axis, chart->y_axis};
    const char *const name[] = {plot->x_name, plot->y_name};
    for (int i = 0; i < 2; i++) {
        smi_lxw.chart_axis_set_num_font(axis[i], &small);
        smi_lxw.chart_axis_set_line(axis[i], &faint);
        if (name[i]) {
            smi_lxw.chart_axis_set_name(axis[i], name[i]);
            smi_lxw.chart_axis_set_name_font(axis[i], &plain);
        }
    }
    if (plot->kind ==
        SMI_XLSX_BARS) { /* they lie: the axes are those of the eye, and the first group is on top */
        smi_lxw.chart_axis_set_reverse(chart->y_axis);
        smi_lxw.chart_axis_set_min(chart->x_axis, 0); /* a bar that begins elsewhere is as long as nothing */
        smi_lxw.chart_axis_set_label_position(chart->x_axis, LXW_CHART_AXIS_LABEL_POSITION_HIGH);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_TRUE);
        smi_lxw.chart_axis_major_gridlines_set_line(chart->x_axis, &faint);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
        return;
    }
    smi_lxw.chart_axis_major_gridlines_set_line(chart->y_axis, &faint);
    smi_lxw.chart_axis_major_gridlines_set_visible(chart->x_axis, LXW_FALSE);
    smi_lxw.chart_axis_set_min(chart->x_axis, 0);
    smi_lxw.chart_axis_set_max(chart->x_axis, plot->x_max);
    smi_lxw.chart_axis_set_min(chart->y_axis, 0);
    if (plot->y_max > 0)
        smi_lxw.chart_axis_set_max(chart->y_axis, plot->y_max);
    if (plot->y_format)
        smi_lxw.chart_axis_set_num_format(chart->y_axis, plot->y_format);
    if (plot->strip) {
        smi_lxw.chart_axis_set_num_format(chart->y_axis,
                                          "\"        \""); /* as wide as the numbers of the charts below */
        smi_lxw.chart_axis_set_major_tick_mark(chart->y_axis, LXW_CHART_AXIS_TICK_MARK_NONE);
        smi_lxw.chart_axis_major_gridlines_set_visible(chart->y_axis, LXW_FALSE);
        smi_lxw.chart_axis_set_line(chart->y_axis, &none);
    }
}

void smi_xlsx_chart(struct smi_xlsx_sheet *s, int64_t row, int col, int wide, int high,
                    const struct smi_xlsx_plot *plot, const struct smi_xlsx_curve *curve, size_t n)
{
    struct smi_xlsx *x = s->x;
    lxw_chart_options place = {
        .x_scale = (double)wide / WIDE, .y_scale = (double)high / HIGH, .x_offset = 2, .y_offset = 2};
    lxw_chart_font title = {.size = 12, .bold = LXW_TRUE, .color = 0x1F2A37};
    lxw_chart_line none = {.none = LXW_TRUE};
    lxw_chart *chart;
    if (x->err.code || n == 0)
        return;
    chart = smi_lxw.workbook_add_chart(x->wb, plot->kind == SMI_XLSX_BARS ? LXW_CHART_BAR_STACKED
                                                                          : LXW_CHART_SCATTER_STRAIGHT);
    if (!chart)
        smi_mem_exhausted();
    for (size_t i = 0; i < n && !x->err.code; i++) {
        const struct smi_xlsx_curve *k = &curve[i];
        enum { NAME = 120 };
        const char *name = escaped(x, k->name, NAME);
        lxw_chart_series *c = smi_lxw.chart_add_series(chart, NULL, NULL);
        if (!c)
            smi_mem_exhausted();
        smi_lxw.chart_series_set_categories(c, k->sheet->name, (lxw_row_t)k->first, (lxw_col_t)k->x,
                                            (lxw_row_t)k->last, (lxw_col_t)k->x);
        smi_lxw.chart_series_set_values(c, k->sheet->name, (lxw_row_t)k->first, (lxw_col_t)k->y,
                                        (lxw_row_t)k->last, (lxw_col_t)k->y);
        smi_lxw.chart_series_set_name(c, *name == '=' ? "-"
                                                      : name); /* the library would take it for a reference */
        lxw_chart_fill fill = {.color = k->colour};
        lxw_chart_line line = {.color = k->colour, .width = (float)(k->points > 0 ? k->points : 0.75)};
        if (plot->kind == SMI_XLSX_BARS) {
            smi_lxw.chart_series_set_fill(c, &fill);
            continue;
        }
        smi_lxw.chart_series_set_line(c, k->points > 0 ? &line : &none);
        smi_lxw.chart_series_set_marker_type(c, k->points > 0 ? LXW_CHART_MARKER_NONE
                                                              : LXW_CHART_MARKER_DIAMOND);
        if (k->points <= 0) {
            smi_lxw.chart_series_set_marker_size(c, 7);
            smi_lxw.chart_series_set_marker_fill(c, &fill);
            smi_lxw.chart_series_set_marker_line(c, &none);
        }
    }
    smi_lxw.chart_title_set_name(chart, plot->title);
    smi_lxw.chart_title_set_name_font(chart, &title);
    smi_lxw.chart_legend_set_position(chart,
                                      n > 1 || plot->strip ? LXW_CHART_LEGEND_BOTTOM : LXW_CHART_LEGEND_NONE);
    smi_lxw.chart_chartarea_set_line(chart, &none);
    smi_lxw.chart_show_blanks_as(chart, LXW_CHART_BLANKS_AS_GAP);
    set_axes(chart, plot);
    if (plot->kind == SMI_XLSX_BARS)
        smi_lxw.chart_set_series_gap(chart, 40);
    place.description = escaped(x, plot->told, SMI_XLSX_TEXT);
    if (!x->err.code) /* a chart without all of its curves would make the library talk */
        check_written(
            s, smi_lxw.worksheet_insert_chart_opt(s->ws, (lxw_row_t)row, (lxw_col_t)col, chart, &place));
}

/* ---- a workbook from its beginning to its file ---- */

/* ---- from temporary files to the file. The library speaks to standard error when it cannot write its zip,
 * and loses what it cannot write into temporary files: so the zip is made in memory, where it does not fail,
 * and looked at before it goes to its place by our own hand. ---- */

/* Bytes of rows, which become a fifth of that: beyond, the library writes the file, and may speak. */
enum { IN_MEMORY = 256 << 20 };

static int fail_with_errno(struct smi_xlsx *x)
{
    return smi_err_set(&x->err, SMI_EIO, "%s", strerror(errno));
}

/* Writes the file. What is too large for memory goes there at once, by the name that the library has. */
static int save_book(struct smi_xlsx *x, int to)
{
    struct smi_err err = {0};
    struct statvfs v;
    char piece[1 << 14];
    int64_t all = 0, largest = 0, at = 0; /* all: bytes of rows */
    ssize_t n = 0;
    int fd = -1;
    lxw_error e;
    /* The library does not look at what becomes of its temporary files: a full disk would cost rows without a
     * word. Here all rows have to be in them, and room be left for a copy of the largest, which is made on
     * the way into the zip. */
    for (struct smi_xlsx_sheet *s = x->first; s; s = s->next) {
        FILE *f = s->ws->optimize_tmpfile;
        smi_lxw.lxw_worksheet_write_single_row(s->ws);
        errno = 0;
        if (fflush(f) != 0 || ferror(f))
            return smi_err_set(&x->err, SMI_EIO, "a temporary file: %s",
                               errno ? strerror(errno) : "it is not whole");
        s->bytes = ftello(f);
        largest = s->bytes > largest ? s->bytes : largest;
        all += s->bytes;
        fd = fileno(f);
    }
    if (fd >= 0 && fstatvfs(fd, &v) == 0 && (uint64_t)v.f_bavail * v.f_frsize < (uint64_t)largest + (1 << 18))
        return smi_err_set(&x->err, SMI_EIO, "a temporary file: %s", strerror(ENOSPC));
    if (all > IN_MEMORY && dup3(to, x->fd, O_CLOEXEC) < 0)
        return fail_with_errno(x);
    errno = 0;
    e = smi_lxw.workbook_close(x->wb);
    x->wb = NULL;
    if (keep_error(x, e, "the file") || smi_xlsx_verify(x))
        return -1;
    for (; all <= IN_MEMORY && (n = pread(x->fd, piece, sizeof piece, at)) > 0; at += n)
        if (smi_file_write(to, piece, (size_t)n, "", &err))
            return fail_with_errno(x);
    return n < 0 ? fail_with_errno(x) : 0;
}

/* ---- a workbook from its beginning to its file. ---- */

enum { PROPERTY = 200 /* characters of a property of the document: Excel takes 255 */ };

int smi_xlsx_load(struct smi_err *err)
{
    return smi_lazy_open(SMI_LIBXLSXWRITER, &smi_lxw, err);
}

int smi_xlsx_open(struct smi_xlsx **out, const char *path, const char *title, const char *currency,
                  int64_t now_ms, struct smi_err *err)
{
    static char author[] = "smilog " SMILOG_VERSION;
    lxw_doc_properties p = {.author = author, .company = NULL, .created = (time_t)(now_ms / 1000)};
    lxw_workbook_options o = {.constant_memory = LXW_TRUE};
    struct smi_xlsx *x;
    char alias[32]; /* the library takes names only, and copies it */
    *out = NULL;
    if (smi_xlsx_load(err))
        return -1;
    x = *out = smi_mem_new(1, sizeof *x);
    x->currency = currency;
    x->path = smi_mem_text(path, strlen(path));
    x->fd = memfd_create("smilog.xlsx", MFD_CLOEXEC);
    snprintf(alias, sizeof alias, "/proc/self/fd/%d", x->fd);
    x->wb = smi_lxw.workbook_new_opt(alias, &o);
    if (x->fd < 0)
        fail_with_errno(x);
    else if (!x->wb)
        smi_mem_exhausted();
    else {
        p.title = escaped(x, title, PROPERTY); /* which it copies */
        keep_error(x, smi_lxw.workbook_set_properties(x->wb, &p), "the workbook's properties");
    }
    if (!x->err.code)
        return 0;
    smi_xlsx_close(x, err);
    *out = NULL;
    return -1;
}

/* --- sheets --- */

static bool sheet_name_is_taken(const struct smi_xlsx *x, const char *name)
{
    for (const struct smi_xlsx_sheet *s = x->first; s; s = s->next)
        if (strcasecmp(s->name, name) == 0)
            return true;
    return false;
}

struct smi_xlsx_sheet *smi_xlsx_sheet(struct smi_xlsx *x, const char *name)
{
    enum { NUMBER = 6 /* characters, behind a name that there is already */, ROOM = 4 << 20 };
    struct smi_buf b = {0};
    struct smi_xlsx_sheet *s = smi_mem_new(1, sizeof *s);
    escape_name(&b, name, SMI_XLSX_NAME);
    for (int n = 2; sheet_name_is_taken(x, b.p); n++) {
        smi_buf_clear(&b);
        escape_name(&b, name, SMI_XLSX_NAME - NUMBER);
        smi_buf_fmt(&b, " %d", n);
    }
    s->x = x;
    s->name = smi_mem_text(b.p, b.n);
    smi_buf_fini(&b);
    *(x->last ? &x->last->next : &x->first) = s;
    x->last = s;
    x->sheets++;
    if (x->err.code)
        return s;
    errno = 0;
    /* libxlsxwriter crashes where an allocation of its own fails: we ask for as much first, and end as usual
     * if there is none */
    smi_mem_free(smi_mem_raw(ROOM));
    s->ws = smi_lxw.workbook_add_worksheet(x->wb, s->name);
    if (!s->ws || !s->ws->optimize_tmpfile)
        smi_err_set(&x->err, SMI_EIO, "a temporary file: %s", errno ? strerror(errno) : "no memory");
    return s;
}

/* --- the end --- */

int smi_xlsx_close(struct smi_xlsx *x, struct smi_err *err)
{
    int rc = 0, to = -1;
    if (!x)
        return 0;
    if (!x->err.code && (to = open(x->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666)) < 0)
        fail_with_errno(x);
    if (to >= 0) {
        save_book(x, to);
        if (close(to) != 0 && errno != EINTR)
            fail_with_errno(x);
    }
    if (x->err.code)
        rc = smi_err_set(err, x->err.code, "%s", x->err.text);
    struct smi_xlsx_sheet *next;
    if (x->wb)
        smi_lxw.lxw_workbook_free(x->wb); /* without a file */
    if (x->fd >= 0)
        close(x->fd);
    for (struct smi_xlsx_sheet *s = x->first; s; s = next) {
        next = s->next;
        smi_mem_free(s->name);
        smi_mem_free(s);
    }
    smi_buf_fini(&x->text);
    smi_mem_free(x->path);
    smi_mem_free(x);
    return rc;
}
