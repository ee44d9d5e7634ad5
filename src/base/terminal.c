/* Of xterm's sequences those that curses writes; others are passed over. Programs paint from the top to the
 * bottom, so a character above the last one begins another screen: then the one before is given, if it has
 * changed. Rows are given without blanks behind them, empty ones not at all. */
#include "base/terminal.h"

#include "base/decompress.h"

#include <string.h>

enum { ROWS = SMI_TERMINAL_ROWS, COLUMNS = SMI_TERMINAL_COLUMNS, ESCAPE = 0x1B, TAB = 8, MOST = 999 };

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- screens ---- */

static unsigned trimmed(const struct smi_terminal *t, unsigned row)
{
    unsigned n = t->used[row];
    while (n && t->screen[row][n - 1] == ' ')
        n--;
    return n;
}

/* watch breaks lines that are wider than the terminal. The border of a box tells: it goes on in the next row.
 * Returns the columns of a row then, or 0. */
static unsigned find_width(const struct smi_terminal *t)
{
    for (unsigned i = 0; i + 1 < ROWS; i++) {
        unsigned n = trimmed(t, i), more = trimmed(t, i + 1), k = 0;
        if (n < 2 || t->screen[i][0] != '+' || t->screen[i][n - 1] != '-' || !more || more > n)
            continue;
        while (k < more && t->screen[i + 1][k] == '-')
            k++;
        if (k + 1 == more && t->screen[i + 1][k] == '+')
            return n;
    }
    return 0;
}

static void put_out(struct smi_terminal *t, const char *p, unsigned n, unsigned width)
{
    memcpy(t->out + t->held, p, n);
    if (n < width)
        memset(t->out + t->held + n, ' ', width - n);
    t->held += n < width ? width : n;
}

static void give_screen(struct smi_terminal *t)
{
    unsigned width = t->changed ? find_width(t) : 0;
    for (unsigned i = 0; t->changed && i < ROWS; i++) {
        unsigned n = trimmed(t, i);
        bool broken = width && n && n <= width && i + 1 < ROWS && strchr("+|", t->screen[i][0]);
        if (!n)
            continue;
        put_out(t, t->screen[i], n, broken ? width : 0);
        if (broken) {
            i++;
            put_out(t, t->screen[i], trimmed(t, i), 0);
        }
        t->out[t->held++] = '\n';
    }
    t->changed = false;
}

static void clear_row(struct smi_terminal *t, unsigned row, unsigned from, unsigned to)
{
    t->changed |= from < to && from < t->used[row];
    for (; from < to && from < t->used[row]; from++)
        t->screen[row][from] = ' ';
}

/* ED: 0 from the cursor on, 1 up to it, 2 and 3 all. */
static void clear_screen(struct smi_terminal *t, unsigned how)
{
    unsigned first = how == 0 ? t->row + 1 : 0, end = how == 1 ? t->row : ROWS;
    if (how != 1)
        give_screen(t);
    for (unsigned i = first; i < end; i++)
        t->used[i] = 0;
    if (how <= 1)
        clear_row(t, t->row, how ? 0 : t->column, how ? t->column + 1 : COLUMNS);
}

/* ---- characters ---- */

static void put_char(struct smi_terminal *t, char c)
{
    char *row = t->screen[t->row];
    if (t->row < t->painted)
        give_screen(t);
    t->painted = t->row;
    t->last = c;
    if (t->column >= t->used[t->row]) {
        memset(row + t->used[t->row], ' ', t->column - t->used[t->row]);
        t->used[t->row] = t->column + 1;
        row[t->column] = ' ';
        t->changed = true;
    }
    t->changed |= row[t->column] != c;
    row[t->column] = c;
    if (t->column + 1 < COLUMNS)
        t->column++;
}

/* The screen has more rows than any terminal: below the last one a fresh screen begins. */
static void feed_line(struct smi_terminal *t)
{
    t->column = t->raw ? t->column : 0;
    if (t->row + 1 < ROWS) {
        t->row++;
        return;
    }
    clear_screen(t, 2);
    t->row = t->painted = 0;
}

static void read_char(struct smi_terminal *t, unsigned char c)
{
    if (c == ESCAPE)
        t->state = SMI_TERMINAL_ESCAPE;
    else if (c == '\n')
        feed_line(t);
    else if (c == '\r')
        t->column = 0;
    else if (c == '\b')
        t->column -= t->column > 0;
    else if (c == '\t')
        t->column = smaller((t->column / TAB + 1) * TAB, COLUMNS - 1);
    else if (c >= ' ' && c < 0x7F)
        put_char(t, (char)c);
    else if (c >= 0xC0) /* a character of several bytes is one column */
        put_char(t, '?');
}

/* ---- control sequences ---- */

/* The number at this place, or what stands for none: most count from 1. */
static unsigned number_of(const struct smi_terminal *t, unsigned i, unsigned none)
{
    return i < t->numbers && t->number[i] ? t->number[i] : none;
}

/* DCH and ICH: the rest of the row moves. */
static void move_rest(struct smi_terminal *t, unsigned n, bool in)
{
    char *at = t->screen[t->row] + t->column;
    unsigned rest = t->used[t->row] > t->column ? t->used[t->row] - t->column : 0;
    n = smaller(n, rest);
    t->changed |= n > 0;
    if (in) {
        memmove(at + n, at, rest - n);
        memset(at, ' ', n);
    } else {
        memmove(at, at + n, rest - n);
        memset(at + rest - n, ' ', n);
    }
}

static void move_cursor(struct smi_terminal *t, unsigned char c)
{
    unsigned n = number_of(t, 0, 1);
    if (c == 'H' || c == 'f' || c == 'd')
        t->row = smaller(n, ROWS) - 1;
    if (c == 'H' || c == 'f')
        t->column = smaller(number_of(t, 1, 1), COLUMNS) - 1;
    else if (c == 'G' || c == '`')
        t->column = smaller(n, COLUMNS) - 1;
    else if (c == 'A')
        t->row -= smaller(n, t->row);
    else if (c == 'B')
        t->row = smaller(t->row + n, ROWS - 1);
    else if (c == 'C')
        t->column = smaller(t->column + n, COLUMNS - 1);
    else if (c == 'D')
        t->column -= smaller(n, t->column);
}

static void run_control(struct smi_terminal *t, unsigned char c)
{
    unsigned n = number_of(t, 0, 1), how = number_of(t, 0, 0);
    if (c == 'J')
        clear_screen(t, how);
    else if (c == 'K')
        clear_row(t, t->row, how ? 0 : t->column, how == 1 ? t->column + 1 : COLUMNS);
    else if (c == 'X')
        clear_row(t, t->row, t->column, t->column + n);
    else if (c == 'P' || c == '@')
        move_rest(t, n, c == '@');
    else if (c == 'b')
        for (unsigned i = 0; t->last && i < smaller(n, COLUMNS); i++)
            put_char(t, t->last);
    else if (c == 'h' && how == 1049)
        t->raw = true;
    else if (c == 'l' && how == 1049) {
        clear_screen(t, 2);
        t->raw = false;
    } else
        move_cursor(t, c);
}

static void read_control(struct smi_terminal *t, unsigned char c)
{
    unsigned *last = &t->number[t->numbers ? t->numbers - 1 : 0];
    if (c >= '0' && c <= '9') {
        t->numbers += !t->numbers;
        *last = *last > MOST ? *last : *last * 10 + (c - '0');
    } else if (c == ';') {
        t->numbers += !t->numbers;
        if (t->numbers < SMI_TERMINAL_NUMBERS)
            t->number[t->numbers++] = 0;
    } else if (c >= '@' && c < 0x7F) {
        run_control(t, c);
        t->state = SMI_TERMINAL_TEXT;
    } else if (c < ' ') { /* no sequence goes over it */
        t->state = SMI_TERMINAL_TEXT;
        read_char(t, c);
    }
}

static void read_escape(struct smi_terminal *t, unsigned char c)
{
    t->state = c == '['                 ? SMI_TERMINAL_CONTROL
               : c == ']'               ? SMI_TERMINAL_TITLE
               : c && strchr("()*+", c) ? SMI_TERMINAL_CHARSET
                                        : SMI_TERMINAL_TEXT;
    t->number[0] = t->numbers = 0;
    if (c == 'M')
        t->row -= t->row > 0;
}

static void read_byte(struct smi_terminal *t, unsigned char c)
{
    switch (t->state) {
    case SMI_TERMINAL_TEXT:
        read_char(t, c);
        break;
    case SMI_TERMINAL_ESCAPE:
        read_escape(t, c);
        break;
    case SMI_TERMINAL_CONTROL:
        read_control(t, c);
        break;
    case SMI_TERMINAL_TITLE:
        t->state = c == ESCAPE ? SMI_TERMINAL_CHARSET : c == '\a' ? SMI_TERMINAL_TEXT : SMI_TERMINAL_TITLE;
        break;
    case SMI_TERMINAL_CHARSET:
        t->state = SMI_TERMINAL_TEXT;
    }
}

/* ---- the source ---- */

/* Up to the next screen that is given, or the end. */
static int fill_out(struct smi_made_source *self, struct smi_err *err)
{
    struct smi_terminal *t = (struct smi_terminal *)self;
    ssize_t got;
    t->held = 0;
    while (!t->held && !t->ended) {
        while (t->at < t->n && !t->held)
            read_byte(t, t->in[t->at++]);
        if (t->held)
            break;
        got = self->from->read(self->from, t->in, sizeof t->in, err);
        if (got < 0)
            return -1;
        t->ended = got == 0;
        t->at = 0;
        t->n = (size_t)got;
        t->took += got;
        if (t->ended)
            give_screen(t);
    }
    self->p = t->out;
    self->n = t->held;
    t->gave += (int64_t)t->held;
    return t->gave > SMI_RATIO_FROM && t->gave / SMI_RATIO_MAX > t->took
               ? smi_err_set(err, SMI_ELIMIT,
                             "%lld bytes of a terminal show more than %lld MiB of screens: not read",
                             (long long)t->took, (long long)(t->gave >> 20))
               : 0;
}

void smi_terminal_open(struct smi_terminal *t, struct smi_byte_source *from)
{
    *t = (struct smi_terminal){.at = 0};
    smi_made_source_open(&t->made, from, false, fill_out);
}

bool smi_terminal_is_typescript(const char *p, size_t n)
{
    const char *end = p + n, *at = p;
    while ((at = memchr(at, ESCAPE, (size_t)(end - at)))) {
        bool alone = ++at < end && *at == '[';
        const char *from = at + alone;
        unsigned numbers = 0;
        if (!alone)
            continue;
        for (at = from; at < end && ((*at >= '0' && *at <= '9') || *at == ';'); at++)
            numbers += *at == ';';
        if (at < end && ((*at == 'H' && (at == from || numbers == 1)) || (*at == 'J' && *from == '2')))
            return true;
    }
    return false;
}
