/* metric_csv.h - rows of a time with a zone and metrics of the machine, as our own samplers write them. */
#ifndef SMI_FORMATS_METRIC_CSV_H
#define SMI_FORMATS_METRIC_CSV_H

#include "formats/lines.h"

enum { SMI_METRIC_CSV_COLUMNS = 64 /* cells that are looked at */ };

/* What the header says. */
struct smi_metric_csv {
    size_t width;                           /* cells of the header; 0: none yet */
    int16_t metric[SMI_METRIC_CSV_COLUMNS]; /* by place: a metric, or -1; 0 is the time's, and undefined */
};

/* The first SMI_METRIC_CSV_COLUMNS cells, trimmed; returns how many there are in all. */
size_t smi_metric_csv_split(struct smi_text line, struct smi_text cell[SMI_METRIC_CSV_COLUMNS]);
/* Columns from `from` on: a metric of the machine by its name, each once; those before it stay. Whether rows
 * mean another thing now. */
bool smi_metric_csv_bind(struct smi_metric_csv *s, const struct smi_text *cell, size_t n, size_t from);
/* Could a row begin with this cell? */
bool smi_metric_csv_begins_row(const struct smi_text *cell);
/* A row of n cells, handed on to lines->to. Returns 0, or -1 with err. */
int smi_metric_csv_row(const struct smi_metric_csv *s, struct smi_lines *lines, struct smi_text line,
                       const struct smi_text *cell, size_t n, struct smi_err *err);

#endif
