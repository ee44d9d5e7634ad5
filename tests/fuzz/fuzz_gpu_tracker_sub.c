/* fuzz_gpu_tracker_sub.c - any bytes as gpu_tracker's sub-tracking file. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, SMI_FMT_GPU_TRACKER_SUB);
}
