/* fuzz_detect.c - any bytes: told by content, then read. */
#include "reader.h"

#include "base/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The sentence must be one that can be shown: UTF-8, without control bytes. */
static void check_why(int id, const struct smi_detect *why)
{
    size_t n = strnlen(why->why, sizeof why->why), step;
    if (n == sizeof why->why || (id < 0 && n == 0) || id >= SMI_FMT_COUNT)
        fuzz_stop("smi_detect: no sentence, or one without an end");
    for (size_t i = 0; i < n; i += step) {
        step = smi_text_utf8(why->why + i, n - i);
        if (!step || (unsigned char)why->why[i] < ' ')
            fuzz_stop("smi_detect: the sentence is not safe to print");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int whole = 0; whole < 2 && size >= FUZZ_HEAD; whole++) {
        struct smi_detect why;
        int id = smi_detect((const char *)data + FUZZ_HEAD, size - FUZZ_HEAD, whole, &why);
        check_why(id, &why);
    }
    return fuzz_reader(data, size, -1);
}
