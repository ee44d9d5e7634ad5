/* html.h - the page for a browser while it is made: how text gets into it, how many bytes are left, the
 * columns of its runs. */
#pragma once

#include "report/fmt.h"
#include "report/text_report.h"
#include "sweep/sweep.h"

#include <stddef.h>

enum {
    SMI_HTML_BYTES = 5000000, /* of a page at most, unless look->samples lifts it */
    SMI_HTML_TEXT = 160       /* columns of one name or text */
};

/* Text with < > & " ' escaped; of JSON (json) < > & only, which stand in its strings. */
void smi_html_escape(struct smi_buf *to, const char *text, bool json);

/* The page being made. Texts of the arena of g are dropped after a row, as nothing keeps them. */
struct smi_html_page {
    struct smi_text_arena g;
    struct smi_arena arena;         /* what lives as long as the page */
    const struct smi_summary **run; /* those with a row, in the order of names */
    size_t n;
    size_t *row;        /* of every run of the sweep: its place in run; n: it has no row */
    const char **label; /* of every run of the sweep: its name, short and its own; smi_html_labels */
    const struct smi_summary **worst; /* all runs, most waste first */
};

/* Our own mark-up with values in it: %s our own words, %e safe text, %n untrusted text made safe and short,
 * %r a run (a link to its part of this page, or its name), %j and %J the texts of %e and %n as strings of
 * JSON, %d long long, %t int64_t tenths of what is written, %z size_t, %%. */
void smi_html_write(struct smi_html_page *h, const char *fmt, ...);
/* Fills h->label: what a run is called in this page, and known by in its addresses. Names that are wide are
 * shortened together, so that they stay different. */
void smi_html_labels(struct smi_html_page *h);

/* ---- the charts of one run over time: which curves and limits stand in each, in words ---- */

enum {
    SMI_CHART_USE,
    SMI_CHART_MEMORY,
    SMI_CHART_POWER,
    SMI_CHART_TEMPERATURE,
    SMI_CHART_CLOCK,
    SMI_CHART_CPU,
    SMI_CHARTS
};

struct smi_chart {
    int slot;                       /* place of its metric in smi_timed_metrics */
    const char *key, *title, *unit; /* key: in a word */
    const char *limit, *limit_text; /* key of the metric that is drawn as a line, and its name; or NULL */
    int64_t step;                   /* millionths of one in the page */
    int div, top;                   /* such ones of the unit; end of the axis, 0: as high as the curve */
};
extern const struct smi_chart smi_charts[SMI_CHARTS];

static inline bool smi_chart_has_curve(int chart, const struct smi_curve *c)
{
    return c->metric == smi_timed_metrics[smi_charts[chart].slot];
}
/* "Memory, reserved". */
const char *smi_chart_title(struct smi_text_arena *g, int chart, const struct smi_summary *s);
/* "GPU 0", "host". */
const char *smi_curve_name(struct smi_text_arena *g, const struct smi_summary *s, const struct smi_curve *c);

/* A line across a chart. */
struct smi_chart_limit {
    const char *name; /* "79.6 GiB in all" */
    int64_t micro;    /* millionths of the chart's unit */
};
/* Returns how many the chart has. */
size_t smi_chart_limits(struct smi_text_arena *g, int chart, const struct smi_summary *s,
                        struct smi_chart_limit out[2]);

enum { SMI_BAND_ROWS = 4 /* below the charts, a row a rule */ };

/* A finding below the charts. */
struct smi_chart_band {
    const struct smi_finding *of;
    int64_t from_ms, to_ms; /* where it is marked, within the timeline */
    const char *row; /* "hang (strong): all 8 GPUs ...": of the first one of a row; of the others NULL */
};
/* Returns how many the run has, which has a timeline, in the arena of g: a row a rule, the highest level
 * first. *left: "and findings of 2 more rules", or "". */
size_t smi_chart_bands(struct smi_text_arena *g, const struct smi_summary *s, struct smi_chart_band **out,
                       const char **left);

/* A time of the run on the clock of its GPU logs. */
int64_t smi_chart_local_ms(const struct smi_summary *s, int64_t ms);

/* ---- the files that stand in every page of a report, and in the live page, as scripts/build/embed.sh
 * makes them of web/ and of Debian's dygraphs ---- */

extern const unsigned char smi_asset_style[], smi_asset_charts[], smi_asset_script[], smi_asset_licence[],
    smi_asset_live_style[], smi_asset_live_script[];
extern const size_t smi_asset_style_n, smi_asset_charts_n, smi_asset_script_n, smi_asset_licence_n,
    smi_asset_live_style_n, smi_asset_live_script_n;
/* The SHA-256 of each in base64, for the content-security policy. */
extern const char smi_asset_style_hash[], smi_asset_charts_hash[], smi_asset_script_hash[],
    smi_asset_live_style_hash[], smi_asset_live_script_hash[];
