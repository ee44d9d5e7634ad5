/* fuzz_amd_smi.c - any bytes as amd-smi's CSV: the first bit says of which table. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, size && data[0] & 1 ? SMI_FMT_AMD_METRIC : SMI_FMT_AMD_MONITOR);
}
