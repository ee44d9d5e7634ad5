/* fuzz_apps.c - any bytes as nvidia-smi's CSV of processes; bit 4 of the options: of accounted ones. */
#include "reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_reader(data, size, size >= FUZZ_HEAD && data[FUZZ_CUTS] & 16 ? SMI_FMT_ACCOUNTED : SMI_FMT_APPS);
}
