/* table.h - one table, whatever it becomes: a builder names the columns and fills the cells, a renderer
 * writes it as aligned text, as Markdown or into a page. */
#ifndef SMI_REPORT_TABLE_H
#define SMI_REPORT_TABLE_H

#include "report/text.h"

enum smi_table_align { SMI_LEFT, SMI_RIGHT, SMI_POINT };

enum smi_table_row_kind {
    SMI_ROW_PLAIN,
    SMI_ROW_HEAD,
    SMI_ROW_TOTAL,
    SMI_ROW_RULED
}; /* ruled: a total under a line */

struct smi_table_cell {
    const char *text;              /* safe; NULL: empty, and the first cell of a total may run into it */
    const struct smi_summary *run; /* of pages: the run to which it leads, in place of a text */
    bool raw;                      /* of pages: text of a log as it is, not yet safe */
    enum smi_style style;
    char mark;                    /* '!' beside the number, or 0 */
    enum smi_table_row_kind kind; /* of the row, in its first cell */
};

struct smi_table_column {
    const char *head;
    const char *long_head; /* in Markdown; NULL: the same */
    enum smi_table_align align;
    bool hidden;
    bool
        names; /* shortened in the middle, all texts together, so that they stay different; else at the end */
    int least; /* may be shortened to this width; 0: never */
    int gap;   /* blanks before it beyond the usual two */
    int leave; /* it leaves a window that is too narrow before those with less; of equals the right one */
    bool marked;            /* made by the text renderer, as what follows: some cell has a mark */
    int width, whole, part; /* columns taken; of them before the point; from the point on */
    int most;               /* columns that a text can make it wide: longer ones run over */
};

struct smi_report_table {
    struct smi_text_arena *page;
    struct smi_table_column *col;
    int columns;
    struct smi_table_cell *cell; /* rows * columns, in the heap */
    size_t rows, cap;
};

/* Begins a table with its heads as the first row; the columns are borrowed. */
void smi_table_begin(struct smi_report_table *t, struct smi_text_arena *page, struct smi_table_column *col,
                     int columns);
/* A new row of empty cells, valid until the next one; NULL without memory (the page has failed then). */
struct smi_table_cell *smi_table_row(struct smi_report_table *t, enum smi_table_row_kind kind);
/* Columns of a window that the table takes when the columns that may be shortened take at most `cap`. */
int smi_table_need(struct smi_report_table *t, int cap);
/* Hides columns until the line fits the window when those that may be shortened take at most `cap`; the first
 * stays. Returns how they are called, ", Wh, NOTE"; "" if all fit, or there is no window. */
const char *smi_table_fit(struct smi_report_table *t, int cap);
/* Writes the table as text, shortening what must be, and frees it. What had to leave for that is said in a
 * line below.
 */
void smi_table_text(struct smi_report_table *t);

/* Writes the table as Markdown, cells as they are, and frees it. */
void smi_table_markdown(struct smi_report_table *t);
void smi_table_free(struct smi_report_table *t);

/* Leaves out the pieces of paths that are the same in all n names: "…/lr=0.1/…/seed3". Whether there were
 * any. */
bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n);
/* Shortens n texts in place to width columns, keeping what tells them apart. */
void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width);

#endif
