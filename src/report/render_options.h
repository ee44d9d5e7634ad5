/* render_options.h - for which eyes text is written. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define SMI_SAMPLES_ALL INT64_MAX

struct smi_render_options {
    int width;    /* columns of the terminal; 0: not a terminal: all columns, all rows, nothing shortened, no
                     hints */
    int height;   /* lines of the terminal; 0: no limit */
    bool color;   /* SGR codes may be used */
    bool utf8;    /* glyphs beyond ASCII may be used */
    bool all;     /* --all: every row however many */
    bool sorted;  /* --sort: the runs stand in an order that was asked for */
    bool raw;     /* --raw: CSV text that begins like a formula stands as it is */
    bool verbose; /* -v: every run in full */
    bool quiet;   /* -q: of a check only what is broken */
    const char *given;    /* " --tz UTC": options without which a hint would show something else; or NULL */
    const char *currency; /* stands behind amounts of money; NULL: $ in front of them */
    bool money, co2;      /* a price, the CO2 of a kWh was given */
    /* of pages */
    int64_t samples; /* --samples: points of a curve at most; 0: as the output's budget says; SMI_SAMPLES_ALL:
                      * no budget */
    const char *group_by; /* --group-by, as typed; or NULL */
    const char *command;  /* what makes the page again, for a shell; or NULL */
    int64_t now_ms;       /* when it is made, UTC (SOURCE_DATE_EPOCH is believed); 0: not known */
};
