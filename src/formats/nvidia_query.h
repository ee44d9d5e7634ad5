/* nvidia_query.h - headers of nvidia-smi query CSVs. */
#ifndef SMI_FORMATS_NVIDIA_QUERY_H
#define SMI_FORMATS_NVIDIA_QUERY_H

#include "formats/row_engine.h"

/* Are these n cells the names of a query CSV? */
bool smi_query_is_header(const struct smi_text *cell, size_t n);

#endif
