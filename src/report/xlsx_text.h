/* xlsx_text.h - how every text is escaped before it goes into a workbook. */
#ifndef SMI_REPORT_XLSX_TEXT_H
#define SMI_REPORT_XLSX_TEXT_H

#include "base/buf.h"

enum {
    SMI_XLSX_TEXT =
        32767, /* characters of a cell at most, in UTF-16 as Excel counts; the library counts code points */
    SMI_XLSX_NAME = 31 /* of the name of a sheet */
};

/* Appends `text` as XML and a cell can hold it: a byte that is no UTF-8 and a code point that XML has not
 * become U+FFFD, what should not be printed (smi_text_unprintable) is spelt as everywhere ("\x1b"), and
 * "_x0041_", which spreadsheets would read as "A", keeps its letters. Beyond `most` characters (64 at least)
 * it is cut, with a mark at its end. Returns whether it was cut; to->failed says that memory ran out. */
bool smi_xlsx_escape(struct smi_buf *to, const char *text, size_t most);

/* Appends a name for a sheet: at most `most` characters, none of []:*?/\' in it. Never empty. */
void smi_xlsx_escape_name(struct smi_buf *to, const char *name, size_t most);

#endif
