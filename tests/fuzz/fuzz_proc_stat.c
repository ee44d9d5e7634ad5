/* fuzz_proc_stat.c - any bytes as snapshots of /proc/stat. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, SMI_FMT_PROC_STAT);
}
