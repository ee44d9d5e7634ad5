/* table.c - a table as aligned text or as Markdown. */
#include "report/table.h"

#include <assert.h>
#include <string.h>

const char *smi_fmt_field(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s), *blank;
    while (g->look->width == 0 && (blank = strchr(t, ' ')))
        t = smi_fmt(g, "%.*s\\x20%s", (int)(blank - t), t, blank + 1);
    return g->look->width || *t ? t : "\\x20"; /* no text at all is no column for a program */
}

enum { PADDED = 200 /* columns: one text that is longer, for programs, does not make every row as long */ };

void smi_table_begin(struct smi_report_table *t, struct smi_text_arena *page,
                     const struct smi_table_column *col, int columns)
{
    struct smi_table_cell *head;
    *t = (struct smi_report_table){
        .page = page, .columns = columns, .room = columns ? columns : SMI_TABLE_CELLS};
    t->col = smi_arena_new(&page->arena, (size_t)t->room, sizeof *t->col);
    if (columns)
        memcpy(t->col, col, (size_t)columns * sizeof *col);
    head = smi_table_row(t, SMI_ROW_HEAD);
    for (int i = 0; i < t->columns; i++)
        head[i].text = col[i].head;
}

struct smi_table_cell *smi_table_row(struct smi_report_table *t, enum smi_table_row_kind kind)
{
    struct smi_table_cell *row = smi_arena_new(&t->page->arena, (size_t)t->room, sizeof *row);
    if (t->rows == t->cap) {
        struct smi_table_cell **list;
        t->cap = 2 * t->cap + 16;
        list = smi_arena_new(&t->page->arena, t->cap, sizeof *list);
        if (t->rows)
            memcpy(list, t->row, t->rows * sizeof *list);
        t->row = list;
    }
    t->row[t->rows++] = row;
    t->at = 0;
    row->kind = kind;
    return row;
}

struct smi_table_cell *smi_table_put(struct smi_report_table *t, struct smi_table_column col,
                                     const char *text)
{
    struct smi_table_cell *c = &t->row[t->rows - 1][t->at];
    if (t->at == t->columns) {
        assert(t->columns < t->room);
        t->row[0][t->columns].text = col.head;
        t->col[t->columns++] = col;
    }
    t->at++;
    c->text = text;
    c->words = text ? col.words : SMI_WORDS_OURS;
    return c;
}

void smi_table_name_run(struct smi_table_cell *c, const struct smi_summary *run)
{
    if (!run)
        return;
    c->run = run;
    c->words = SMI_WORDS_RUN;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static bool is_number_cell(const char *s)
{
    return strpbrk(s, "0123456789") != NULL;
}

/* Columns of s before its point. */
static int before_point(const char *s)
{
    const char *dot = strchr(s, '.');
    return dot ? (int)(dot - s) : smi_text_width(s);
}

static void hide_sparse_columns(struct smi_report_table *t)
{
    for (int i = 0; i < t->columns; i++) {
        bool some = !t->col[i].sparse;
        for (size_t r = 1; r < t->rows && !some; r++) {
            const char *text = t->row[r][i].text;
            some = text && *text && strcmp(text, "-") != 0;
        }
        t->col[i].hidden |= !some;
    }
}

static void measure_columns(struct smi_report_table *t)
{
    const struct smi_table_cell *cell;
    /* Makes the words of logs safe for a terminal. */
    for (size_t i = 0; i < t->rows * (size_t)t->columns; i++) {
        struct smi_table_cell *c = &t->row[i / (size_t)t->columns][i % (size_t)t->columns];
        const char *name = c->words == SMI_WORDS_RUN ? c->run->run : c->text;
        if (c->words == SMI_WORDS_RUN && t->page->look->width)
            c->text = smi_fmt_run(t->page, name);
        else if (c->words == SMI_WORDS_RUN || c->words == SMI_WORDS_OF_LOG)
            c->text = smi_fmt_field(t->page, name);
        c->words = SMI_WORDS_OURS;
        if (!t->page->look->width && (!c->text || !*c->text) && i >= (size_t)t->columns)
            c->text = "-"; /* for programs that split lines at blanks */
    }
    if (t->page->look->width)
        hide_sparse_columns(t);
    for (int i = 0; i < t->columns; i++) {
        struct smi_table_column *c = &t->col[i];
        c->width = c->whole = c->part = 0;
        if (!t->page->look->width) /* programs split lines at two blanks */
            c->gap = 0;
        c->marked = false;
        for (size_t r = 0; r < t->rows; r++)
            c->marked |= t->row[r][i].mark != 0;
        for (size_t r = 0; r < t->rows; r++) {
            cell = t->row[r];
            if (!cell[i].text || (i == 0 && cell->kind >= SMI_ROW_TOTAL && t->columns > 1 && !cell[1].text))
                continue;
            int w = smi_text_width(cell[i].text);
            w = w > PADDED && !t->page->look->width ? PADDED : w;
            if (cell->kind == SMI_ROW_HEAD || c->align != SMI_POINT || !is_number_cell(cell[i].text)) {
                c->width = max_int(c->width, w + (cell->kind != SMI_ROW_HEAD && c->marked));
                continue;
            }
            c->whole = max_int(c->whole, before_point(cell[i].text));
            c->part = max_int(c->part, w - before_point(cell[i].text));
        }
        c->width = max_int(c->width, c->whole + c->part + (c->whole + c->part && c->marked));
    }
    for (size_t r = 0; r < t->rows; r++) {
        /* The first text of a total runs into the empty cells behind it: they have to hold it. */
        const struct smi_table_cell *row = t->row[r];
        int room = 0, w;
        if (row->kind < SMI_ROW_TOTAL || !row->text)
            continue;
        for (int i = 0; i < t->columns && (i == 0 || !row[i].text); i++)
            if (!t->col[i].hidden)
                room += t->col[i].width + (room ? 2 + t->col[i].gap : 0);
        w = smi_text_width(row->text);
        if (w > room)
            t->col[0].width += w - room;
    }
}

/* Width of the whole line when columns that may be shortened take at most cap. */
static int line_width(const struct smi_report_table *t, int cap)
{
    int sum = 0, w;
    for (int i = 0; i < t->columns; i++) {
        const struct smi_table_column *c = &t->col[i];
        if (c->hidden)
            continue;
        w = c->wraps || cap < c->least ? c->least : cap;
        if (!c->least || (c->wraps && !t->page->look->width) || w > c->width)
            w = c->width;
        sum += w + (sum ? 2 + c->gap : 0);
    }
    return sum;
}

int smi_table_need(struct smi_report_table *t, int cap)
{
    measure_columns(t);
    return line_width(t, cap);
}

/* The column in sight that leaves next; 0: none but the first. */
static int find_column_to_hide(const struct smi_report_table *t, int least)
{
    int next = 0;
    for (int i = 1; i < t->columns; i++)
        if (!t->col[i].hidden && !t->col[i].wraps && t->col[i].leave >= least &&
            (next == 0 || t->col[i].leave >= t->col[next].leave))
            next = i;
    return next;
}

void smi_table_leave(struct smi_report_table *t, int cap, int least)
{
    const int width = t->page->look->width;
    int i;
    while (width && smi_table_need(t, cap) > width && (i = find_column_to_hide(t, least)) > 0)
        do
            t->col[i].hidden = t->col[i].left = true;
        while (t->col[i--].follows);
}

/* The text of a row in column i that may be shortened; or NULL. */
static const char **text_to_shorten(struct smi_table_cell *row, int i)
{
    return row[i].text && row->kind != SMI_ROW_HEAD && (i || row->kind == SMI_ROW_PLAIN) ? &row[i].text
                                                                                         : NULL;
}

/* Makes the texts of column i fit its width: names all together, others are cut at their ends. */
static void shorten_texts(struct smi_report_table *t, int i)
{
    const int width = t->col[i].width, dots = smi_text_width(smi_fmt_ellipsis(t->page));
    const char **text = smi_arena_new(&t->page->arena, t->rows, sizeof *text);
    size_t n = 0;
    for (size_t r = 0; r < t->rows; r++)
        if (text_to_shorten(t->row[r], i))
            text[n++] = *text_to_shorten(t->row[r], i);
    if (t->col[i].names)
        smi_names_shorten(t->page, text, n, width);
    for (size_t r = n = 0; r < t->rows; r++)
        if (text_to_shorten(t->row[r], i))
            *text_to_shorten(t->row[r], i) = smi_fmt_middle(t->page, text[n++], width, width - dots);
}

static void write_row(struct smi_report_table *t, const struct smi_table_cell *row)
{
    struct smi_text_arena *g = t->page;
    bool plain = row->kind == SMI_ROW_PLAIN;
    int at = 0, want = 0, i;
    if (!plain)
        smi_wrap_style(g, SMI_BOLD);
    for (i = 0; i < t->columns; i++) {
        const struct smi_table_column *c = &t->col[i];
        if (c->hidden)
            continue;
        want += want ? 2 + c->gap : 0;
        if (row[i].text && *row[i].text) {
            const char *text = row[i].text;
            const int w = smi_text_width(text);
            const enum smi_style style = !plain                   ? SMI_STYLE_PLAIN
                                         : strcmp(text, "-") == 0 ? SMI_GREY
                                                                  : row[i].style;
            int from = want, pad;
            /* It stands where its column wants it. */
            if (c->align != SMI_LEFT && row->kind == SMI_ROW_HEAD)
                from += c->width - w;
            else if (c->align == SMI_POINT && is_number_cell(text))
                from += c->width - c->marked - c->part - before_point(text);
            else if (c->align != SMI_LEFT)
                from += c->width - c->marked - w;
            pad = max_int(from - at, at > 0);
            if (c->wraps && g->look->width) {
                g->column = at;
                smi_wrap_words(g, pad, text, from);
                break;
            }
            smi_buf_fmt(g->to, "%*s", pad, "");
            if (style)
                smi_wrap_style(g, style);
            smi_buf_str(g->to, text);
            if (row[i].mark)
                smi_buf_char(g->to, row[i].mark);
            if (style)
                smi_wrap_style(g, SMI_STYLE_PLAIN);
            at += pad + w + (row[i].mark != 0);
        }
        want += c->width;
    }
    if (!plain)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

void smi_table_text(struct smi_report_table *t)
{
    enum { NAMES = 16 /* columns of a name that is shortened before another column leaves for it */ };
    struct smi_text_arena *g = t->page;
    const char *left = "";
    int i, whole;
    if (g->look->width)
        measure_columns(t);
    /* Other columns leave before names get too short to differ. */
    for (i = 0; i < t->columns; i++)
        if (t->col[i].names)
            t->col[i].least = max_int(t->col[i].least, g->look->width * 3 / 10);
    smi_table_leave(t, NAMES, 0);
    for (i = 1; i < t->columns; i++)
        if (t->col[i].left && !t->col[i].follows)
            left = smi_fmt(g, "%s, %s", left, t->rows && *t->row[0][i].text ? t->row[0][i].text : "remarks");
    measure_columns(t);
    if (g->look->width) {
        /* Columns are taken from the widest that can spare one, until the line fits or none can. */
        for (int over = line_width(t, INT32_MAX) - g->look->width, widest = 0; over > 0 && widest >= 0;
             over--) {
            widest = -1;
            for (i = 0; i < t->columns; i++)
                if (!t->col[i].hidden && t->col[i].least && !t->col[i].wraps &&
                    t->col[i].width > t->col[i].least &&
                    (widest < 0 || t->col[i].width > t->col[widest].width))
                    widest = i;
            if (widest >= 0)
                t->col[widest].width--;
        }
        for (i = 0; i < t->columns; i++)
            if (t->col[i].least && !t->col[i].hidden && !t->col[i].wraps)
                shorten_texts(t, i);
    }
    whole = line_width(t, INT32_MAX);
    for (size_t r = 0; r < t->rows; r++) {
        const struct smi_table_cell *row = t->row[r];
        if (row->kind == SMI_ROW_RULED && g->look->width) {
            for (i = 0; i < whole; i++)
                smi_buf_str(g->to, g->look->utf8 ? "─" : "-");
            smi_buf_char(g->to, '\n');
        }
        write_row(t, row);
    }
    if (*left)
        smi_wrap_fmt(g, SMI_GREY, "(%d columns: without %s; a wider window has all)", g->look->width,
                     left + 2);
}

/* A code span: neither mark-up nor @names nor #numbers work in it. Renderers do not agree on what a backslash
 * before a bar in it is: a bar is written as what it is called. */
const char *smi_markdown_code(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s);
    struct smi_buf b = {0};
    size_t n;
    if (!s || !*s)
        return "-";
    for (smi_buf_char(&b, '`'); *t; t += n + (t[n] != 0)) {
        n = strcspn(t, "`|");
        smi_buf_add(&b, t, n);
        smi_buf_str(&b, t[n] == '`' ? "\\x60" : t[n] == '|' ? "\\x7c" : "");
    }
    smi_buf_char(&b, '`');
    return smi_buf_keep(&b, &g->arena);
}

static const char *markdown_cell(struct smi_text_arena *g, const struct smi_table_cell *c)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;?%/+-=()";
    const char *s = c->words == SMI_WORDS_RUN ? c->run->run : c->text;
    if (c->words == SMI_WORDS_RUN || c->words == SMI_WORDS_OF_LOG)
        return smi_markdown_code(g, s);
    /* Our own words, which may hold a few of a log: these make them a span. */
    return !s || !*s || c->words != SMI_WORDS_MIXED ||
                   (s[strspn(s, plain)] == 0 && !strstr(s, "://") && !strcasestr(s, "www."))
               ? s
               : smi_markdown_code(g, s);
}

void smi_table_markdown(struct smi_report_table *t)
{
    struct smi_buf *to = t->page->to;
    const char *left = "\nWithout ";
    /* A comment is as narrow as a window: of tables whose columns may leave eight stay. */
    enum { MOST = 8 };
    int shown = 0, k;
    hide_sparse_columns(t);
    for (k = 0; k < t->columns; k++)
        shown += !t->col[k].hidden;
    for (; shown > MOST && (k = find_column_to_hide(t, 1)) > 0; shown--)
        t->col[k].hidden = t->col[k].left = true;
    for (size_t r = 0; r < t->rows; r++) {
        const struct smi_table_cell *row = t->row[r];
        for (int i = 0; i < t->columns; i++) {
            const char *text =
                r == 0 && t->col[i].long_head ? t->col[i].long_head : markdown_cell(t->page, &row[i]);
            bool bold = row[i].mark || row[i].style == SMI_RED || (i == 0 && row->kind >= SMI_ROW_TOTAL);
            if (t->col[i].hidden)
                continue;
            smi_buf_str(to, "| ");
            if (text && *text)
                smi_buf_fmt(to, bold ? "**%s** " : "%s ", text);
        }
        smi_buf_str(to, "|\n");
        for (int i = 0; r == 0 && i < t->columns; i++)
            if (!t->col[i].hidden)
                smi_buf_str(to, t->col[i].align == SMI_LEFT ? "|---" : "|---:");
        smi_buf_str(to, r == 0 ? "|\n" : "");
    }
    for (int i = 0; i < t->columns; i++)
        if (t->col[i].left) {
            smi_buf_fmt(to, "%s%s", left,
                        t->col[i].long_head ? t->col[i].long_head : markdown_cell(t->page, &t->row[0][i]));
            left = ", ";
        }
    smi_buf_str(to, *left == ',' ? ": `-o runs.csv` has all.\n" : "");
}
