/* metric_csv.h - rows of a time with a zone and metrics of the machine, as our own samplers write them. */
#ifndef SMI_FORMATS_METRIC_CSV_H
#define SMI_FORMATS_METRIC_CSV_H

#include "formats/lines.h"

enum { SMI_STAMPED_WIDE = 64 /* cells that are looked at */ };

/* What the header says. */
struct smi_stamped {
    size_t width;                     /* cells of the header; 0: none yet */
    int16_t metric[SMI_STAMPED_WIDE]; /* by place: a metric, or -1; 0 is the time's, and undefined */
};

/* The first SMI_STAMPED_WIDE cells, trimmed; returns how many there are in all. */
size_t smi_stamped_cut(struct smi_text line, struct smi_text cell[SMI_STAMPED_WIDE]);
/* Columns from `from` on: a metric of the machine by its name, each once; those before it stay. Whether rows mean
 * another thing now. */
bool smi_stamped_bind(struct smi_stamped *s, const struct smi_text *cell, size_t n, size_t from);
/* Could a row begin with this cell? */
bool smi_stamped_is_row(const struct smi_text *cell);
/* A row of n cells, handed on to lines->to. Returns 0, or -1 with err. */
int smi_stamped_row(const struct smi_stamped *s, struct smi_lines *lines, struct smi_text line,
                    const struct smi_text *cell, size_t n, struct smi_err *err);

#endif
