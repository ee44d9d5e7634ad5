/* pytorch_data.h - the data of a record as the uploader's dataclasses hold them and write them again. */
#ifndef SMI_EXPORT_PYTORCH_DATA_H
#define SMI_EXPORT_PYTORCH_DATA_H

#include "export/pytorch_json.h"

/* Appends a number as Python writes float(number). Returns false for a value that is no number, or one that
 * no double holds. */
bool smi_pytorch_float_dump(struct smi_buf *to, const json_t *value);
/* Appends the object `data` of a record: numbers are floats, keys stand in the order of the classes, keys
 * that are not there are null, and others are left out. Returns false if a value has not the type of its key:
 * the uploader cannot read such a record. */
bool smi_pytorch_data_dump(struct smi_buf *to, const json_t *data);

#endif
