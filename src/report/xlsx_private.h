/* xlsx_private.h - what the sources of the workbook file share. */
#ifndef SMI_REPORT_XLSX_PRIVATE_H
#define SMI_REPORT_XLSX_PRIVATE_H

#include "report/xlsx.h"

#include <xlsxwriter.h>

/* libxlsxwriter, opened when the first workbook is made. */
struct smi_libxlsx {
#define SMI_XLSX(name) __typeof__(name) *name;
#include "base/lazy.def"
};
/* Its functions: smi_lxw.workbook_new_opt(). Written once, when the first workbook is made. */
extern struct smi_libxlsx smi_lxw;

struct smi_xlsx_sheet {
    struct smi_xlsx *x;
    lxw_worksheet *ws; /* NULL: one that takes nothing */
    char *name;
    int64_t row;   /* the last that was written */
    int64_t bytes; /* of its rows in the temporary file */
    struct smi_xlsx_sheet *next;
};

struct smi_xlsx {
    lxw_workbook *wb;
    char *path;
    int fd; /* of the file in memory that the library writes */
    struct smi_xlsx_sheet none, *first, *last;
    int sheets;
    lxw_format *format[SMI_XLSX_KINDS][SMI_XLSX_APPEARANCES]; /* made when they are needed */
    struct smi_buf text;                                      /* an escaped text */
    const char *currency;                                     /* or NULL: $ */
    int64_t cut;
    struct smi_err err;
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

#endif
