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

/* ---- what the readers of rocm-smi's CSV and JSON share: rows of readings by card, times in front of a
 * line ---- */

/* The reader of either begins with it. */
struct smi_rocm {
    struct smi_row_reader row; /* first: see row_engine.h */
    bool timed, fine;          /* of the rows that come next: */
    int64_t t_ms;
};

enum { SMI_ROCM_COLUMNS = 256 };

/* What the tables of both (struct smi_table) have in common. */
#define SMI_ROCM_TABLE                                                              \
    .flags = SMI_TABLE_DEVICES, .columns = SMI_ROCM_COLUMNS, .time = smi_rocm_time, \
    .cell = smi_amd_row_cell, .key = smi_rocm_key, .found = smi_rocm_name_device
int smi_rocm_time(struct smi_row_reader *r, struct smi_sample *s);
struct smi_text smi_rocm_key(struct smi_row_reader *r, enum smi_device_key key, struct smi_text cell);
int smi_rocm_name_device(struct smi_row_reader *r, int who, struct smi_err *err);

/* Begins a plan whose first column is the card. */
void smi_rocm_plan_init(struct smi_row_plan *p, size_t width);
/* Adds the column of an alias. */
void smi_rocm_plan_add(struct smi_row_plan *p, const struct smi_alias *a, size_t place);

/* "card12": its number as text (borrowed), at most 6 digits. Returns 0, or -1 if t is no card. */
int smi_rocm_card(struct smi_text t, struct smi_text *number);

/* Where `what` begins in the line: at its start, or behind a blank, tab, comma or semicolon within the first
 * 48 bytes; or NULL. What stands in front of it is a time that a logger put there. */
const char *smi_rocm_find_behind_time(struct smi_text line, const char *what);
/* The form of the time in front of `at`; SMI_STAMP_UNKNOWN if it is none. */
enum smi_stamp_form smi_rocm_front(struct smi_text line, const char *at);
/* Takes the time in front of `at`, if any, for the rows that come next. Returns as smi_table.time. */
int smi_rocm_take_time(struct smi_rocm *r, struct smi_text line, const char *at);
/* A known message, also behind a time, or nothing but a time. Returns as smi_message_count. */
int smi_rocm_count_message(struct smi_row_reader *row, struct smi_text line, struct smi_err *err);

#endif
