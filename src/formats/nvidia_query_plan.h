/* nvidia_query_plan.h - what the columns of an nvidia-smi query CSV are: its header, or what is known without
 * one. */
#ifndef SMI_FORMATS_NVIDIA_QUERY_PLAN_H
#define SMI_FORMATS_NVIDIA_QUERY_PLAN_H

#include "formats/column.h"
#include "formats/format.h"

enum { SMI_QUERY_COLUMNS = 1024 };

/* The reference's nine columns, comma-separated: what a headerless file of nine is read as. */
extern const char smi_query_reference[];

struct smi_query_plan {
    struct smi_query_column *column;
    size_t columns, cap;
    int time;    /* its column, or -1 */
    int name;    /* the only column that may hold commas, or -1 */
    bool keyed;  /* a column tells GPUs apart */
    char *names; /* what the columns were made of, perhaps for the log before: the same names mean the same */
    size_t names_n, names_cap, named; /* named: how many columns that gave */
};

/* Cuts at commas into cell[0 ... SMI_QUERY_COLUMNS - 1], trimmed. Returns the number of cells, even past the
 * room. */
size_t smi_query_split(struct smi_text line, struct smi_text *cell);
bool smi_query_is_header(const struct smi_text *cell, size_t n);
/* Do the cells fit the reference's nine columns? */
bool smi_query_fits_reference(const struct smi_text *cell, size_t n);
/* Makes the plan of names, which are cut into n cells. Returns 0, or -1 with err (memory). */
int smi_query_bind(struct smi_query_plan *p, struct smi_text names, const struct smi_text *cell, size_t n,
                   struct smi_err *err);
/* No plan, for another log. */
void smi_query_plan_reset(struct smi_query_plan *p);
enum smi_sniff smi_query_sniff(struct smi_text line);
void smi_query_plan_fini(struct smi_query_plan *p);

#endif
