/* amd_columns.h - what the readers of AMD logs share: names of columns, and cells. */
#ifndef SMI_FORMATS_AMD_COLUMNS_H
#define SMI_FORMATS_AMD_COLUMNS_H

#include "formats/row_engine.h"
#include "model/format_info.h"

/* How a cell becomes a reading in the catalogue's unit. */
enum smi_amd_scale {
    SMI_AMD_AS_PRINTED,
    SMI_AMD_BYTES, /* bytes, read as MiB */
    SMI_AMD_MICRO, /* uJ, read as J */
    SMI_AMD_CLOCK  /* "(808Mhz)" */
};

/* Which of amd-smi's tables: they give `mem` another meaning. A header that has words of several is of the
 * last. */
enum smi_amd_table { SMI_AMD_NONE, SMI_AMD_MONITOR, SMI_AMD_PROCESS, SMI_AMD_METRIC };

/* What a name of amd-smi's CSV means, in any case; how is an smi_amd_scale. NULL: it is not read. */
const struct smi_alias *smi_amd_alias(enum smi_amd_table table, struct smi_text name);
/* Does a column of this name prove its header to be amd-smi's, and of which table? */
enum smi_amd_table smi_amd_table_of_name(struct smi_text name);
/* The same of a label of rocm-smi: CSV header or JSON key. It may be known and not be read (SMI_COL_SKIP). */
const struct smi_alias *smi_rocm_alias(struct smi_text label);

/* A cell of a number column. Returns as smi_cell_number; a share below 0 is BAD (rocm-smi's word for a
 * failure). */
enum smi_cell_status smi_amd_cell(unsigned metric, enum smi_amd_scale scale, struct smi_text cell,
                                  int64_t *v);
/* The same as smi_table.cell: the scale is the column's `how`. */
enum smi_cell_status smi_amd_row_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                      struct smi_text t, int64_t *v);
/* A cell that says nothing: "N/A", "N/A (Secondary die)", "None", empty, a list. */
bool smi_amd_missing(struct smi_text cell);

#endif
