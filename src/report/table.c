/* table.c - a table as aligned text or as Markdown, and names in it that are shortened together. */
#include "report/table.h"

#include <stdlib.h>
#include <string.h>

/* ---- names as cells of a table, made shorter, all together, so that they stay different; what they say.
 * ---- */

enum { PIECES = 64 };

const char *smi_fmt_field(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s), *blank;
    while (g->look->width == 0 && (blank = strchr(t, ' ')))
        t = smi_fmt(g, "%.*s\\x20%s", (int)(blank - t), t, blank + 1);
    return g->look->width || *t ? t : "\\x20"; /* no text at all is no column for a program */
}

struct pieces {
    size_t n;          /* of the first name */
    bool same[PIECES]; /* this piece of the first name is in all of them */
    bool placed;       /* at the same place in all: only there it is left out */
};

static size_t count_pieces(const char *s)
{
    size_t n = 1;
    for (; *s; s++)
        n += *s == '/';
    return n;
}

static const char *find_piece(const char *s, size_t i, size_t *len)
{
    for (; i; i--)
        s += strcspn(s, "/") + 1;
    *len = strcspn(s, "/");
    return s;
}

static bool is_piece(const char *x, size_t len, const char *s)
{
    for (;; s++) {
        size_t n = strcspn(s, "/");
        if (n == len && memcmp(s, x, n) == 0)
            return true;
        if (!*(s += n))
            return false;
    }
}

/* Which pieces of the first name are in all others: at the same place, if all have as many pieces, else
 * anywhere. */
static bool compare_pieces(struct pieces *p, const char **name, size_t n)
{
    size_t a, b, r, i;
    *p = (struct pieces){.n = count_pieces(name[0]), .placed = true};
    if (n < 2 || p->n > PIECES)
        return false;
    memset(p->same, 1, sizeof p->same);
    for (r = 1; r < n; r++)
        p->placed &= count_pieces(name[r]) == p->n;
    for (r = 1; r < n; r++)
        for (i = 0; i < p->n; i++) {
            const char *x = find_piece(name[0], i, &a), *y = p->placed ? find_piece(name[r], i, &b) : NULL;
            p->same[i] &= y ? a == b && memcmp(x, y, a) == 0 : is_piece(x, a, name[r]);
        }
    return true;
}

/* Piece i of s, which is x: is it left out? */
static bool piece_is_left_out(const struct pieces *p, const char *first, size_t i, const char *x, size_t len)
{
    size_t n;
    if (p->placed)
        return p->same[i];
    for (size_t k = 0; k < p->n; k++) {
        const char *y = find_piece(first, k, &n);
        if (p->same[k] && n == len && memcmp(x, y, n) == 0)
            return true;
    }
    return false;
}

/* lr=0.1/model=a/batch=1/seed3 -> lr=0.1/…/seed3 */
static const char *without_same(struct smi_text_arena *g, const struct pieces *p, const char *first,
                                const char *s)
{
    const char *t = "";
    size_t len, n = count_pieces(s);
    bool was = false, is;
    for (size_t i = 0; i < n; i++, was = is) {
        const char *x = find_piece(s, i, &len);
        is = piece_is_left_out(p, first, i, x, len);
        if (!is)
            t = smi_fmt(g, "%s%s%.*s", t, i ? "/" : "", (int)len, x);
        else if (!was)
            t = smi_fmt(g, "%s%s%s", t, i ? "/" : "", smi_fmt_ellipsis(g));
    }
    return t;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* How many different texts there are; sorts them. */
static size_t count_different_texts(const char **t, size_t n)
{
    size_t k = n > 0;
    qsort(t, n, sizeof *t, by_text);
    for (size_t i = 1; i < n; i++)
        k += strcmp(t[i - 1], t[i]) != 0;
    return k;
}

/* Whether what was made of the names, which follow one another in made, still tells apart those that are not
 * the same: a name may stand in several rows. made has room for 2n; its second half is scratch. */
static bool all_stay_different(const char **made, const char *const *name, size_t n)
{
    size_t names;
    memcpy(made + n, name, n * sizeof *made);
    names = count_different_texts(made + n, n);
    memcpy(made + n, made, n * sizeof *made);
    return count_different_texts(made + n, n) == names;
}

/* Tries to shorten the names, fit[0] columns wide with fit[1] kept in front. made has room for 2n. */
static bool try_middle(struct smi_text_arena *g, const char **name, const char **made, size_t n,
                       const int fit[2])
{
    size_t i;
    for (i = 0; i < n; i++)
        made[i] = smi_fmt_middle(g, name[i], fit[0], fit[1]);
    if (!all_stay_different(made, name, n))
        return false;
    for (i = 0; i < n; i++)
        name[i] = made[i];
    return true;
}

bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n)
{
    struct pieces p;
    bool same = false;
    const char **made;
    if (n < 2 || !compare_pieces(&p, name, n))
        return false;
    for (size_t i = 0; i < p.n; i++)
        same |= p.same[i];
    made = same ? smi_mem_new(n * 2, sizeof *made) : NULL;
    g->failed |= same && !made;
    for (size_t i = 0; made && i < n; i++)
        made[i] = without_same(g, &p, name[0], name[i]);
    same = made && all_stay_different(made, name, n);
    for (size_t i = 0; same && i < n; i++)
        name[i] = made[i];
    smi_mem_free(made);
    return same;
}

void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width)
{
    const int heads[] = {width / 2, width / 3, width * 2 / 3, 3, width - 4};
    const char **made;
    size_t i;
    int widest = 0, w;
    for (i = 0; i < n; i++)
        widest = (w = smi_text_width(name[i])) > widest ? w : widest;
    if (widest <= width)
        return;
    smi_names_elide(g, name, n);
    made = smi_mem_new(n * 2, sizeof *made);
    g->failed |= !made;
    for (i = 0; made && i < sizeof heads / sizeof *heads; i++)
        if (try_middle(g, name, made, n, (int[]){width, heads[i]}))
            break;
    for (widest = 0; made && i == sizeof heads / sizeof *heads && widest < (int)n; widest++) {
        const char *tag = smi_fmt(g, "~%d", widest + 1); /* nothing short tells them apart: number them */
        int left = width - smi_text_width(tag);
        name[widest] = smi_fmt(g, "%s%s", smi_fmt_middle(g, name[widest], left, left / 2), tag);
    }
    smi_mem_free(made);
}

enum { PADDED = 200 /* columns: one text that is longer, for programs, does not make every row as long */ };

void smi_table_begin(struct smi_report_table *t, struct smi_text_arena *page,
                     const struct smi_table_column *col, int columns)
{
    struct smi_table_cell *head;
    *t = (struct smi_report_table){.page = page, .columns = columns};
    t->col = smi_arena_new(&page->arena, (size_t)columns, sizeof *t->col);
    if (t->col) {
        memcpy(t->col, col, (size_t)columns * sizeof *col);
    } else {
        page->failed = true;
        t->columns = 0;
    }
    head = smi_table_row(t, SMI_ROW_HEAD);
    for (int i = 0; head && i < t->columns; i++)
        head[i].text = col[i].head;
}

struct smi_table_cell *smi_table_row(struct smi_report_table *t, enum smi_table_row_kind kind)
{
    size_t n = (size_t)t->columns;
    struct smi_table_cell *row;
    if (t->page->failed || smi_mem_reserve(&t->cell, &t->cap, (t->rows + 1) * n, sizeof *t->cell) != 0) {
        t->page->failed = true;
        return NULL;
    }
    row = &t->cell[t->rows++ * n];
    row->kind = kind;
    return row;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
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

static void measure_cell(struct smi_table_column *c, const struct smi_table_cell *cell, bool head)
{
    int w = min_int(smi_text_width(cell->text), c->most);
    if (head || c->align != SMI_POINT || !is_number_cell(cell->text)) {
        c->width = max_int(c->width, w + (!head && c->marked));
        return;
    }
    c->whole = max_int(c->whole, before_point(cell->text));
    c->part = max_int(c->part, w - before_point(cell->text));
}

/* The first text of a total runs into the empty cells behind it: they have to hold it. */
static void widen_for_total(struct smi_report_table *t, const struct smi_table_cell *row)
{
    int room = 0, w;
    if (row->kind < SMI_ROW_TOTAL || !row->text)
        return;
    for (int i = 0; i < t->columns && (i == 0 || !row[i].text); i++)
        if (!t->col[i].hidden)
            room += t->col[i].width + (room ? 2 + t->col[i].gap : 0);
    w = smi_text_width(row->text);
    if (w > room)
        t->col[0].width += w - room;
}

/* Makes the words of logs safe for a terminal. */
static void settle_words(struct smi_report_table *t)
{
    for (size_t i = 0; i < t->rows * (size_t)t->columns; i++) {
        struct smi_table_cell *c = &t->cell[i];
        if (c->run || c->words == SMI_WORDS_OF_LOG)
            c->text = smi_fmt_field(t->page, c->run ? c->run->run : c->text);
        c->run = NULL;
        c->run = NULL;
        c->words = SMI_WORDS_OURS;
        if (!t->page->look->width && (!c->text || !*c->text) && i >= (size_t)t->columns)
            c->text = "-"; /* for programs that split lines at blanks */
    }
}

static void hide_sparse_columns(struct smi_report_table *t)
{
    for (int i = 0; i < t->columns; i++) {
        bool some = !t->col[i].sparse || !t->page->look->width;
        for (size_t r = 1; r < t->rows && !some; r++) {
            const char *text = t->cell[r * (size_t)t->columns + (size_t)i].text;
            some = text && *text && strcmp(text, "-") != 0;
        }
        t->col[i].hidden |= !some;
    }
}

static void measure_columns(struct smi_report_table *t)
{
    const struct smi_table_cell *cell;
    settle_words(t);
    hide_sparse_columns(t);
    for (int i = 0; i < t->columns; i++) {
        struct smi_table_column *c = &t->col[i];
        c->width = c->whole = c->part = 0;
        c->most = t->page->look->width ? INT32_MAX : PADDED;
        if (!t->page->look->width) /* programs split lines at two blanks */
            c->gap = 0;
        c->marked = false;
        for (size_t r = 0; r < t->rows; r++)
            c->marked |= t->cell[r * (size_t)t->columns + (size_t)i].mark != 0;
        for (size_t r = 0; r < t->rows; r++) {
            cell = &t->cell[r * (size_t)t->columns];
            if (cell[i].text && !(i == 0 && cell->kind >= SMI_ROW_TOTAL && t->columns > 1 && !cell[1].text))
                measure_cell(c, &cell[i], cell->kind == SMI_ROW_HEAD);
        }
        c->width = max_int(c->width, c->whole + c->part + (c->whole + c->part && c->marked));
    }
    for (size_t r = 0; r < t->rows; r++)
        widen_for_total(t, &t->cell[r * (size_t)t->columns]);
}

/* Width of the whole line when columns that may be shortened take at most cap. */
static int line_width(const struct smi_report_table *t, int cap)
{
    int sum = 0, w;
    for (int i = 0; i < t->columns; i++) {
        const struct smi_table_column *c = &t->col[i];
        if (c->hidden)
            continue;
        w = !c->least || (c->wraps && !t->page->look->width) ? c->width
            : c->wraps                                       ? min_int(c->width, c->least)
                                                             : min_int(c->width, max_int(cap, c->least));
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
        t->col[i].hidden = t->col[i].left = true;
}

/* ", Wh, NOTE": the columns that left; "" if all fit. */
static const char *list_left_columns(const struct smi_report_table *t)
{
    const char *list = "";
    for (int i = 1; i < t->columns; i++)
        if (t->col[i].left)
            list =
                smi_fmt(t->page, "%s, %s", list, t->rows && *t->cell[i].text ? t->cell[i].text : "remarks");
    return list;
}

/* Takes columns from the widest that can spare one, until the line fits or none can. */
static void shrink_columns(struct smi_report_table *t, int width)
{
    int over = line_width(t, INT32_MAX) - width, i, widest;
    for (; over > 0; over--) {
        widest = -1;
        for (i = 0; i < t->columns; i++)
            if (!t->col[i].hidden && t->col[i].least && !t->col[i].wraps &&
                t->col[i].width > t->col[i].least && (widest < 0 || t->col[i].width > t->col[widest].width))
                widest = i;
        if (widest < 0)
            return;
        t->col[widest].width--;
    }
}

/* Makes the texts of column i fit its width. */
static void shorten_column(struct smi_report_table *t, int i)
{
    int width = t->col[i].width, dots = smi_text_width(smi_fmt_ellipsis(t->page));
    const char **name = smi_mem_new(t->rows, sizeof *name);
    size_t r, n = 0;
    if (!name) {
        t->page->failed = true;
        return;
    }
    for (r = 0; r < t->rows; r++) {
        struct smi_table_cell *row = &t->cell[r * (size_t)t->columns];
        if (row[i].text && !t->col[i].names &&
            (row->kind == SMI_ROW_PLAIN || (i && row->kind != SMI_ROW_HEAD)))
            row[i].text = smi_fmt_middle(t->page, row[i].text, width, width - dots);
        if (row[i].text && row->kind == SMI_ROW_PLAIN)
            name[n++] = row[i].text;
    }
    if (t->col[i].names)
        smi_names_shorten(t->page, name, n, width);
    for (r = n = 0; r < t->rows; r++) {
        struct smi_table_cell *row = &t->cell[r * (size_t)t->columns];
        if (row[i].text && row->kind == SMI_ROW_PLAIN)
            row[i].text = name[n++];
    }
    smi_mem_free(name);
}

/* Blanks that belong before the text of a cell so that it stands where its column wants it. */
static int blanks_before_cell(const struct smi_table_column *c, const struct smi_table_cell *cell, bool head)
{
    int w = smi_text_width(cell->text);
    if (c->align == SMI_LEFT)
        return 0;
    if (head)
        return c->width - w;
    if (c->align == SMI_RIGHT || !is_number_cell(cell->text))
        return c->width - c->marked - w;
    return c->width - c->marked - c->part - before_point(cell->text);
}

static int write_cell(struct smi_text_arena *g, const struct smi_table_cell *cell, int pad, bool plain)
{
    int w = smi_text_width(cell->text) + (cell->mark != 0);
    const enum smi_style style = strcmp(cell->text, "-") == 0 ? SMI_GREY : cell->style;
    smi_buf_fmt(g->to, "%*s", pad, "");
    if (w && style && plain)
        smi_wrap_style(g, style);
    smi_buf_str(g->to, cell->text);
    if (cell->mark)
        smi_buf_char(g->to, cell->mark);
    if (w && style && plain)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    return w;
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
            int from = want + blanks_before_cell(c, &row[i], row->kind == SMI_ROW_HEAD);
            int pad = max_int(from - at, at > 0);
            if (c->wraps && g->look->width) {
                g->column = at;
                smi_wrap_words(g, pad, row[i].text, from);
                break;
            }
            at += pad + write_cell(g, &row[i], pad, plain);
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
    const char *left;
    int i, whole;
    smi_table_leave(t, NAMES, 0);
    left = list_left_columns(t);
    measure_columns(t);
    if (g->look->width) {
        shrink_columns(t, g->look->width);
        for (i = 0; i < t->columns; i++)
            if (t->col[i].least && !t->col[i].hidden && !t->col[i].wraps)
                shorten_column(t, i);
    }
    whole = line_width(t, INT32_MAX);
    for (size_t r = 0; r < t->rows && !g->failed; r++) {
        const struct smi_table_cell *row = &t->cell[r * (size_t)t->columns];
        if (row->kind == SMI_ROW_RULED && g->look->width) {
            for (i = 0; i < whole; i++)
                smi_buf_str(g->to, g->look->utf8 ? "─" : "-");
            smi_buf_char(g->to, '\n');
        }
        write_row(t, row);
    }
    smi_table_free(t);
    if (*left)
        smi_wrap_fmt(g, SMI_GREY, "(%d columns: without %s; a wider window has all)", g->look->width,
                     left + 2);
}

/* A code span: neither mark-up nor @names nor #numbers work in it. Renderers do not agree on what a backslash
 * before a bar in it is: a bar is written as what it is called. */
const char *smi_markdown_code(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s), *out;
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
    g->failed |= b.failed;
    out = smi_arena_text(&g->arena, b.p ? b.p : "", b.n);
    g->failed |= !out;
    smi_buf_fini(&b);
    return out ? out : "-";
}

const char *smi_markdown_words(struct smi_text_arena *g, const char *s)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;%/+-=()";
    if (!*s || (s[strspn(s, plain)] == 0 && !strstr(s, "://") && !strcasestr(s, "www.")))
        return s;
    return smi_markdown_code(g, s);
}

static const char *markdown_cell(struct smi_text_arena *g, const struct smi_table_cell *c)
{
    if (c->run || c->words == SMI_WORDS_OF_LOG)
        return smi_markdown_code(g, c->run ? c->run->run : c->text);
    return c->text && c->words == SMI_WORDS_MIXED ? smi_markdown_words(g, c->text) : c->text;
}

void smi_table_markdown(struct smi_report_table *t)
{
    struct smi_buf *to = t->page->to;
    for (size_t r = 0; r < t->rows; r++) {
        const struct smi_table_cell *row = &t->cell[r * (size_t)t->columns];
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
    smi_table_free(t);
}

void smi_table_free(struct smi_report_table *t)
{
    smi_mem_free(t->cell);
    t->cell = NULL;
}
