/* rocm.h - what the readers of rocm-smi's CSV and JSON share: rows of readings by card, times in front of a
 * line. */
#ifndef SMI_FORMATS_ROCM_H
#define SMI_FORMATS_ROCM_H

#include "formats/amd_columns.h"
#include "model/line_account.h"
#include "model/device.h"

enum { SMI_ROCM_METRICS = 24 /* more than rocm-smi has */ };

/* The readings of one card. Zero-initialise. */
struct smi_rocm_row {
    struct smi_text key[SMI_DEVICE_KEY_COUNT]; /* borrowed; the card's number is the index */
    struct smi_text name;                      /* borrowed; the model, or empty */
    unsigned n;
    uint16_t metric[SMI_ROCM_METRICS];
    int64_t v[SMI_ROCM_METRICS];
};

/* "card12": its number as text (borrowed), at most 6 digits. Returns 0, or -1 if t is no card. */
int smi_rocm_card(struct smi_text t, struct smi_text *number);
/* Takes a cell of this column into the row; a metric that is there already stays. Returns 0, or -1 with err.
 */
int smi_rocm_row_add(struct smi_rocm_row *row, const struct smi_alias *c, struct smi_text cell,
                     struct smi_account *a, struct smi_err *err);
/* The device of the row in *who, its model remembered: as smi_devices_find_key. Returns 0, or -1 with err. */
int smi_rocm_device(const struct smi_rocm_row *row, struct smi_devices *d, int *who, struct smi_err *err);

/* Where `what` begins in the line: at its start, or behind a blank, tab, comma or semicolon within the first
 * 48 bytes; or NULL. What stands in front of it is a time that a logger put there. */
const char *smi_rocm_find_behind_time(struct smi_text line, const char *what);
/* The time in front of `at`. Returns 1, 0 if nothing stands there, -1 if it is no time. */
int smi_rocm_leading_time(struct smi_text line, const char *at, int64_t *t_ms, bool *fine,
                          enum smi_time_base *base);
/* A known message, also behind a time, or nothing but a time. Returns as smi_message_count. */
int smi_rocm_count_message(struct smi_account *a, struct smi_text line, struct smi_err *err);

#endif
