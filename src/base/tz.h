/* tz.h - time zones by name, from the system's tzdata, as values: no environment, no global state.
 * Source: RFC 9636 (the TZif format), POSIX TZ strings (its footer). */
#ifndef SMI_BASE_TZ_H
#define SMI_BASE_TZ_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SMI_TZ_NAME = 64,
    SMI_TZ_CHANGES = 1024,
    SMI_TZ_YEARS = 2200 /* rules are followed up to this year */
};

/* A zone: the offset changes at `at` (UTC seconds since 1970) to offset_s seconds east of UTC. */
struct smi_tz {
    char name[SMI_TZ_NAME];
    int standard_s; /* of its standard time, as its present rule says: the same for every log of the zone */
    int before_s;   /* until the first change after 1970 */
    unsigned n;
    struct {
        int64_t at;
        int offset_s;
    } change[SMI_TZ_CHANGES]; /* in order */
};

/* A stretch of local time, [from, to) in local seconds, that reads the same way everywhere. */
struct smi_tz_local {
    int64_t from, to;
    int offset_s; /* of a doubled hour: its first pass; of a skipped one: as if the clock had not been moved
                   */
    int second_s; /* of a doubled hour: its second pass; else as offset_s */
    bool skipped; /* no clock of the zone has shown it */
};

/* Loads a zone ("Europe/Berlin") from /usr/share/zoneinfo. Returns 0; or -1 with err SMI_EUSAGE, which names
 * a zone that was perhaps meant, or says that there is no tzdata. */
int smi_tz_load(struct smi_tz *z, const char *name, struct smi_err *err);
/* The same from the n bytes of a TZif file. Pure. Returns 0, or -1 if they are none. */
int smi_tz_parse(struct smi_tz *z, const char *bytes, size_t n);
/* The stretch around a local time. */
struct smi_tz_local smi_tz_at(const struct smi_tz *z, int64_t local_s);

#endif
