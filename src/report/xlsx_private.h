/* xlsx_private.h - what the sources of the workbook file share. */
#ifndef SMI_REPORT_XLSX_PRIVATE_H
#define SMI_REPORT_XLSX_PRIVATE_H

#include "report/xlsx_library.h"
#include "report/xlsx.h"

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

/* The library's error, as ours. Returns 0 or -1. */
int smi_xlsx_error(struct smi_xlsx *x, lxw_error e, const char *what);
/* The escaped text, valid until the next one; NULL after an error. */
char *smi_xlsx_escaped(struct smi_xlsx *x, const char *text, size_t most);
/* The file is whole: a zip of all sheets with all of their rows, of parts that are XML. Returns 0 or -1. */
int smi_xlsx_verify(struct smi_xlsx *x);

#endif
