/* grid.h - a table of aligned columns that fits a width: numbers at the point, marks beside them, names
 * shortened. */
#ifndef SMI_REPORT_GRID_H
#define SMI_REPORT_GRID_H

#include "report/text.h"

enum smi_grid_align { SMI_LEFT, SMI_RIGHT, SMI_POINT };

enum smi_grid_row_kind {
    SMI_ROW_PLAIN,
    SMI_ROW_HEAD,
    SMI_ROW_TOTAL,
    SMI_ROW_RULED
}; /* ruled: a total under a line */

struct smi_grid_cell {
    const char *text; /* safe; NULL: empty, and the first cell of a total may run into it */
    enum smi_style style;
    char mark;                   /* '!' beside the number, or 0 */
    enum smi_grid_row_kind kind; /* of the row, in its first cell */
};

struct smi_grid_column {
    const char *head;
    enum smi_grid_align align;
    bool hidden;
    bool
        names; /* shortened in the middle, all texts together, so that they stay different; else at the end */
    int least; /* may be shortened to this width; 0: never */
    int gap;   /* blanks before it beyond the usual two */
    int leave; /* it leaves a window that is too narrow before those with less; of equals the right one */
    bool marked;            /* made by the grid, as what follows: some cell has a mark */
    int width, whole, part; /* columns taken; of them before the point; from the point on */
    int most;               /* columns that a text can make it wide: longer ones run over */
};

struct smi_grid {
    struct smi_text_arena *page;
    struct smi_grid_column *col;
    int columns;
    struct smi_grid_cell *cell; /* rows * columns, in the heap */
    size_t rows, cap;
};

/* Begins a grid with its heads as the first row; the columns are borrowed. */
void smi_grid_begin(struct smi_grid *t, struct smi_text_arena *page, struct smi_grid_column *col,
                    int columns);
/* A new row of empty cells, valid until the next one; NULL without memory (the page has failed then). */
struct smi_grid_cell *smi_grid_row(struct smi_grid *t, enum smi_grid_row_kind kind);
/* Columns that the grid takes when the columns that may be shortened take at most `cap`. */
int smi_grid_need(struct smi_grid *t, int cap);
/* Hides columns until the line fits the window when those that may be shortened take at most `cap`; the first
 * stays. Returns how they are called, ", Wh, NOTE"; "" if all fit, or there is no window. */
const char *smi_grid_fit(struct smi_grid *t, int cap);
/* Writes the grid, shortening what must be, and frees it. What had to leave for that is said in a line below.
 */
void smi_grid_end(struct smi_grid *t);

/* Leaves out the pieces of paths that are the same in all n names: "…/lr=0.1/…/seed3". Whether there were
 * any. */
bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n);
/* Shortens n texts in place to width columns, keeping what tells them apart. */
void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width);

#endif
