/* fuzz_query.c - any bytes as nvidia-smi --query-gpu CSV. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, SMI_FMT_QUERY);
}
