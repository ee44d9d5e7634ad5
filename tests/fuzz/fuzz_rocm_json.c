/* fuzz_rocm_json.c - any bytes as rocm-smi's JSON. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, SMI_FMT_ROCM_JSON);
}
