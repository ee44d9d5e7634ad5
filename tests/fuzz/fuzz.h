/* fuzz.h - what the fuzz targets share. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints the sentence and aborts. */
_Noreturn void fuzz_stop(const char *what);
/* The same bytes always give the same number: it says which way an input goes. */
uint64_t fuzz_hash(const uint8_t *p, size_t n);

/* The formats that the environment's FUZZ_FORMAT names, as a list with commas; formats has room for all.
 * Returns how many there are. */
size_t fuzz_formats(int *formats);

/* on: from here on jansson's memory comes from a pool, which is fast, but which no sanitizer checks; else
 * from malloc. jansson must hold no memory at that time. */
void fuzz_json_pool(bool on);
