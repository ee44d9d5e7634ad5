/* fuzz.h - what the fuzz targets share: allocations that fail, and how a target complains. */
#ifndef SMI_FUZZ_FUZZ_H
#define SMI_FUZZ_FUZZ_H

#include "base/err.h"

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

/* Lets malloc and the like fail in our code, jansson and libcsv. Call it once, before anything allocates. */
void fuzz_fail_init(void);
/* From here on jansson's memory is quick to have, and not watched; or as all other. It must hold nothing now.
 */
void fuzz_json_pool(bool on);
/* The nth allocation from here on fails (n > 0), and perhaps all after it; jansson's count, or do not. */
void fuzz_fail_at(uint64_t nth, bool and_all_after, bool but_jansson);
/* The allocation that a number stands for fails, an early one more often than a late one; and perhaps all
 * after it. */
void fuzz_fail_arm(uint64_t hash);
/* No allocation fails any more. Returns whether one did. */
bool fuzz_fail_disarm(void);
/* Did one fail since they may? */
bool fuzz_fail_seen(void);
/* What came out of a call during which an allocation failed. same: it is what comes out with enough memory.
 */
void fuzz_fail_judge(bool failed, int rc, const struct smi_err *err, bool same);

#endif
