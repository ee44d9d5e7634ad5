/* amd_columns.h - what the readers of AMD logs share: names of columns, cells, and times. */
#ifndef SMI_FORMATS_AMD_COLUMNS_H
#define SMI_FORMATS_AMD_COLUMNS_H

#include "formats/column.h"
#include "model/format_info.h"

/* How a cell becomes a reading in the catalogue's unit. */
enum smi_amd_scale {
    SMI_AMD_AS_PRINTED,
    SMI_AMD_BYTES, /* bytes, read as MiB */
    SMI_AMD_MICRO, /* uJ, read as J */
    SMI_AMD_CLOCK  /* "(808Mhz)" */
};

struct smi_amd_column {
    enum smi_column_kind kind; /* SMI_COL_SKIP, SMI_COL_KEY, SMI_COL_NAME or SMI_COL_NUMBER */
    uint16_t what;             /* an smi_device_key, or a metric */
    enum smi_amd_scale scale;
    bool known; /* the name is in a table (even if the column is not read) */
};

enum { SMI_AMD_COLUMNS = 512 };

/* Which of amd-smi's tables: they give `mem` another meaning. A header that has words of several is of the
 * last. */
enum smi_amd_table { SMI_AMD_NONE, SMI_AMD_MONITOR, SMI_AMD_PROCESS, SMI_AMD_METRIC };

/* The column of amd-smi's CSV with this name, any case. An unknown name gives SMI_COL_SKIP with known false.
 */
struct smi_amd_column smi_amd_column(enum smi_amd_table table, struct smi_text name);
/* Does a column of this name prove its header to be amd-smi's, and of which table? (formats.md §9) */
enum smi_amd_table smi_amd_table_of_name(struct smi_text name);
/* The column of rocm-smi with this label, any case: CSV header or JSON key. The same returns. */
struct smi_amd_column smi_rocm_column(struct smi_text label);

/* The cells between commas; quotes hold commas together, and brackets if `lists`. Returns how many there are;
 * the first SMI_AMD_COLUMNS are filled: borrowed, without quotes around them. */
size_t smi_amd_split(struct smi_text line, bool lists, struct smi_text *cell);
/* A cell of a number column. Returns as smi_cell_number; a share below 0 is BAD (rocm-smi's word for a
 * failure). */
enum smi_cell_status smi_amd_cell(const struct smi_amd_column *c, struct smi_text cell, int64_t *v);
/* A cell that says nothing: "N/A", "N/A (Secondary die)", "None", empty, a list. */
bool smi_amd_missing(struct smi_text cell);

/* A time: seconds since 1970 with or without a fraction, or 13 digits of milliseconds (UTC); or a date and
 * time, UTC if a zone follows, else local. *fine: finer than a second. Returns 0, or -1 if t is no such time.
 */
int smi_amd_time(struct smi_text t, int64_t *t_ms, bool *fine, enum smi_time_base *base);

#endif
