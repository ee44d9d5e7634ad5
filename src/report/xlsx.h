/* xlsx.h - a workbook being written: sheets, cells, looks, charts. Only xlsx_*.c call libxlsxwriter,
 * which is used in its constant-memory mode: the rows of a sheet are written in order, and a row is gone when
 * the next one begins. Every return code of the library is looked at; the first error sticks, and everything
 * after it does nothing. Texts are escaped by report/xlsx.c; a formula is ours; a link leads into the
 * workbook. */
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

enum {
    SMI_XLSX_ROWS = 1048576, /* of a sheet */
    SMI_XLSX_COLUMNS = 16384
};

#define SMI_XLSX_KIND(id, format) SMI_XLSX_##id,
enum smi_xlsx_kind {
#include "report/xlsx_style.def"
    SMI_XLSX_KINDS
};

#define SMI_XLSX_LOOK(id, ...) SMI_XLSX_##id,
enum smi_xlsx_appearance {
#include "report/xlsx_style.def"
    SMI_XLSX_APPEARANCES
};

enum smi_xlsx_content { SMI_XLSX_IS_EMPTY, SMI_XLSX_IS_NUMBER, SMI_XLSX_IS_BOOL, SMI_XLSX_IS_TEXT };

struct smi_xlsx_sheet {
    struct smi_xlsx *x;
    struct lxw_worksheet *ws; /* takes nothing after an error */
    char *name;
    int64_t row;   /* the last that was written */
    int64_t bytes; /* of its rows in the temporary file */
    struct smi_xlsx_sheet *next;
};

struct smi_xlsx {
    struct smi_err err; /* the first error; a caller may set its own */
    int64_t cut;        /* texts that were longer than a cell holds */
    struct lxw_workbook *wb;
    char *path;
    int fd; /* of the file in memory that the library writes */
    struct smi_xlsx_sheet *first, *last;
    int sheets;
    struct lxw_format *format[SMI_XLSX_KINDS][SMI_XLSX_APPEARANCES]; /* made when they are needed */
    struct smi_buf text;                                             /* an escaped text */
    const char *currency;                                            /* or NULL: $ */
};

/* How every text is escaped before it goes into a workbook. */
enum {
    SMI_XLSX_TEXT =
        32767, /* characters of a cell at most, in UTF-16 as Excel counts; the library counts code points */
    SMI_XLSX_NAME = 31 /* of the name of a sheet */
};

/* Appends `text` as XML and a cell can hold it: a byte that is no UTF-8 and a code point that XML has not
 * become U+FFFD, what should not be printed (smi_text_unprintable) is spelt as everywhere ("\x1b"), and
 * "_x0041_", which spreadsheets would read as "A", keeps its letters. Beyond `most` characters (64 at least)
 * it is cut, with a mark at its end. Returns whether it was cut. */
bool smi_xlsx_escape(struct smi_buf *to, const char *text, size_t most);

/* The file is whole: a zip of all sheets with all of their rows, of parts that are XML. Returns 0 or -1. */
int smi_xlsx_verify(struct smi_xlsx *x);

struct smi_xlsx_cell {
    enum smi_xlsx_content is;
    enum smi_xlsx_kind kind;
    enum smi_xlsx_appearance look;
    double v;                        /* a number that is not finite leaves the cell empty */
    const char *text, *formula;      /* our own formula comes to this text or number */
    const struct smi_xlsx_sheet *to; /* a text leads to this row */
    int64_t to_row;
};

/* Opens libxlsxwriter. Returns 0, or -1 with err: it is not there. */
int smi_xlsx_load(struct smi_err *err);
/* Begins a workbook that will be written into the file `path`; until then its sheets lie in files of $TMPDIR
 * that have no names. currency: what stands behind amounts of money, borrowed; NULL: $ in front of
 * them. now_ms: when it is made, UTC; 0: not known. Returns 0, or -1 with err. */
int smi_xlsx_open(struct smi_xlsx **out, const char *path, const char *title, const char *currency,
                  int64_t now_ms, struct smi_err *err);
/* Writes the file and frees all, also after an error, and with x NULL. The file is whole if 0 is returned:
 * what the temporary files lost is noticed; it is made in memory before. Returns 0, or -1 with err. */
int smi_xlsx_close(struct smi_xlsx *x, struct smi_err *err);

/* A new sheet behind the others; its name is escaped, and gets a number where there is one like
 * it. The first sheet is the one that is shown first. */
struct smi_xlsx_sheet *smi_xlsx_sheet(struct smi_xlsx *x, const char *name);

/* Cells. Rows and columns count from 0; a row below the last one that was written is an error of the program.
 * An empty cell is written if it has a look. */
void smi_xlsx_put(struct smi_xlsx_sheet *s, int64_t row, int col, const struct smi_xlsx_cell *cell);
void smi_xlsx_text(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_kind kind,
                   enum smi_xlsx_appearance look, const char *text);
void smi_xlsx_height(struct smi_xlsx_sheet *s, int64_t row, double points);
enum { SMI_XLSX_CELL = 64 };
/* "A1", "AB12". to has SMI_XLSX_CELL bytes. */
void smi_xlsx_cell_name(char *to, int64_t row, int col);

/* The sheet as a whole; may be said at any time. */
void smi_xlsx_width(struct smi_xlsx_sheet *s, int col, int last, double characters);
void smi_xlsx_freeze(struct smi_xlsx_sheet *s, int64_t row, int col);
void smi_xlsx_filter(struct smi_xlsx_sheet *s, int64_t row, int64_t last_row, int last_col);
void smi_xlsx_bars(struct smi_xlsx_sheet *s, int64_t row, int col, int64_t last_row);
/* Printed so many pages wide, with the rows and columns up to these on every page (-1: none). */
void smi_xlsx_print(struct smi_xlsx_sheet *s, int wide, int head_row, int head_col);
/* A sheet that looks like a printed page: without grid lines, and on one page what stands up to this row and
 * column. */
void smi_xlsx_page(struct smi_xlsx_sheet *s, int64_t last_row, int last_col);

/* Charts. A series is a column of cells over another one; an empty cell is a gap. */
enum smi_xlsx_chart { SMI_XLSX_BARS, SMI_XLSX_LINES };
struct smi_xlsx_curve {
    const struct smi_xlsx_sheet *sheet;
    int64_t first, last; /* rows */
    int x, y;            /* columns */
    const char *name;
    uint32_t colour; /* 0xRRGGBB */
    double points;   /* width of a line; 0: marks only */
};
struct smi_xlsx_plot {
    enum smi_xlsx_chart kind;
    const char *title, *x_name, *y_name;
    double x_max, y_max;  /* of lines: the ends of the axes, which begin at 0; y_max 0: as it comes */
    const char *y_format; /* of the numbers beside the y axis; or NULL */
    bool strip;           /* of lines: a band without a scale of its own */
    const char *told;     /* what it shows, for those who do not see it */
};
/* Puts a chart of n curves over the sheet, at a cell, so many pixels wide and high. */
void smi_xlsx_chart(struct smi_xlsx_sheet *s, int64_t row, int col, int wide, int high,
                    const struct smi_xlsx_plot *plot, const struct smi_xlsx_curve *curve, size_t n);
