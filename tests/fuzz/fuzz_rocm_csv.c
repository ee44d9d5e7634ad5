/* fuzz_rocm_csv.c - any bytes as rocm-smi's CSV. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, SMI_FMT_ROCM);
}
