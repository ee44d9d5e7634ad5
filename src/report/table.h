/* table.h - one table, whatever it becomes: a builder names the columns and fills the cells, a renderer
 * writes it as aligned text, as Markdown or into a page. */
#pragma once

#include "report/fmt.h"

enum smi_table_align { SMI_LEFT, SMI_RIGHT, SMI_POINT };

enum __attribute__((packed)) smi_table_row_kind {
    SMI_ROW_PLAIN,
    SMI_ROW_HEAD,
    SMI_ROW_TOTAL,
    SMI_ROW_RULED
}; /* ruled: a total under a line */

/* Whose words a cell holds: each renderer makes those of a log safe in its own way. */
enum __attribute__((packed)) smi_table_words {
    SMI_WORDS_OURS,
    SMI_WORDS_MIXED,  /* a sentence of ours that may hold names of a log, which are safe to print */
    SMI_WORDS_OF_LOG, /* a text of a log as it is */
    SMI_WORDS_RUN     /* the name of a run */
};

/* As small as can be: a table of 50,000 runs has a million. */
struct smi_table_cell {
    union {
        const char *text;              /* NULL: empty, and the first cell of a total may run into it */
        const struct smi_summary *run; /* of SMI_WORDS_RUN */
    };
    enum smi_table_words words;
    enum smi_style style;
    enum smi_table_row_kind kind; /* of the row, in its first cell */
    bool coloured; /* in the first cell: its text says what the colour of the row means in pages */
    char mark;     /* '!' beside the number, or 0 */
};

struct smi_table_column {
    const char *head;
    const char *long_head; /* in Markdown and pages; NULL: the same */
    enum smi_table_align align;
    enum smi_table_words words; /* of the text of its cells */
    bool hidden;
    bool sparse; /* hidden in a window where no row has anything in it */
    bool wraps;  /* the last: in a window it goes on in the next line, and never leaves */
    bool
        names; /* shortened in the middle, all texts together, so that they stay different; else at the end */
    int least; /* may be shortened to this width; 0: never */
    int gap;   /* blanks before it beyond the usual two */
    int leave; /* it leaves a window that is too narrow before those with less, of equals the right one;
                * negative: never */
    bool follows;           /* it belongs to the column before it, which leaves with it */
    bool left;              /* made by smi_table_leave: it was hidden for want of room */
    bool marked;            /* made by the text renderer, as what follows: some cell has a mark */
    int width, whole, part; /* columns taken; of them before the point; from the point on */
};

struct smi_report_table {
    struct smi_text_arena *page;
    struct smi_table_column *col;
    int columns, room;           /* room: columns that there may be; */
    int at;                      /* where the next cell of the last row goes */
    struct smi_table_cell **row; /* of columns cells each, in the arena of page, as all of it */
    size_t rows, cap;
};

/* Begins a table with its heads as the first row; it gets a copy of the columns, or with col NULL those of
 * the cells of its first row. */
void smi_table_begin(struct smi_report_table *t, struct smi_text_arena *page,
                     const struct smi_table_column *col, int columns);
/* A new row of empty cells, valid until the next one. */
struct smi_table_cell *smi_table_row(struct smi_report_table *t, enum smi_table_row_kind kind);
/* The next cell of the last row, with a text or NULL. The cells of the first row say what their columns are:
 * SMI_CELL(&t, smi_fmt_int(g, pid), .head = "PID", .align = SMI_RIGHT). */
enum { SMI_TABLE_CELLS = 16 /* of a row at most */ };
struct smi_table_cell *smi_table_put(struct smi_report_table *t, struct smi_table_column col,
                                     const char *text);
#define SMI_CELL(t, text, ...) smi_table_put(t, (struct smi_table_column){__VA_ARGS__}, text)
#define SMI_NUMBER(t, text, ...) SMI_CELL(t, text, .align = SMI_POINT, __VA_ARGS__)
/* Lets a cell name a run; with NULL nothing changes. */
void smi_table_name_run(struct smi_table_cell *c, const struct smi_summary *run);
/* Columns of a window that the table takes when the columns that may be shortened take at most `cap`. */
int smi_table_need(struct smi_report_table *t, int cap);
/* Hides columns, but not the first and those with `leave` below least, until the line fits the window when
 * the columns that may be shortened take at most `cap`. */
void smi_table_leave(struct smi_report_table *t, int cap, int least);
/* Writes the table as text, shortening what must be. What had to leave for that is said in a
 * line below.
 */
void smi_table_text(struct smi_report_table *t);

/* Writes the table as Markdown: a number with a mark is bold. */
void smi_table_markdown(struct smi_report_table *t);
/* Untrusted text as a code span of Markdown; "-" for none. */
const char *smi_markdown_code(struct smi_text_arena *g, const char *s);
