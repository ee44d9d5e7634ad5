/* amd_columns.h - what the readers of AMD logs share: names of columns, and cells. */
#ifndef SMI_FORMATS_AMD_COLUMNS_H
#define SMI_FORMATS_AMD_COLUMNS_H

#include "formats/row_engine.h"
#include "model/format_info.h"

/* What a label of rocm-smi means: CSV header or JSON key. It may be known and not be read (SMI_COL_SKIP). */
const struct smi_alias *smi_rocm_alias(struct smi_text label);

/* A cell of a number column; unit as smi_alias.how. Returns as smi_cell_number; a share below 0 is BAD
 * (rocm-smi's word for a failure). */
enum smi_cell_status smi_amd_cell(unsigned metric, unsigned unit, struct smi_text cell, int64_t *v);
/* The same as smi_table.cell. */
enum smi_cell_status smi_amd_row_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                      struct smi_text t, int64_t *v);
/* A cell that says nothing: "N/A", "N/A (Secondary die)", "None", empty, a list. */
bool smi_amd_missing(struct smi_text cell);

#endif
