/* charts.h - the charts of one run over time: which curves and limits stand in each, in words. */
#ifndef SMI_REPORT_CHARTS_H
#define SMI_REPORT_CHARTS_H

#include "report/fmt.h"

enum { SMI_CHART_USE, SMI_CHART_MEMORY, SMI_CHART_POWER, SMI_CHART_CPU, SMI_CHARTS };

struct smi_chart {
    int slot;                                       /* place of its metric in smi_headline_metric */
    const char *key, *title, *brief, *unit, *limit; /* key of the metric that is drawn as a line, or NULL */
    int64_t step;                                   /* millionths of one in the page */
    int div, top; /* such ones of the unit; end of the axis, 0: as high as the curve */
};
extern const struct smi_chart smi_charts[SMI_CHARTS];

bool smi_chart_has_curve(int chart, const struct smi_curve *c);
/* "Memory, reserved". */
const char *smi_chart_title(struct smi_text_arena *g, int chart, const struct smi_summary *s);
/* "GPU 0", "CPU". */
const char *smi_curve_name(struct smi_text_arena *g, const struct smi_summary *s, const struct smi_curve *c);

/* A line across a chart. */
struct smi_chart_limit {
    const char *name; /* "79.6 GiB in all" */
    int64_t micro;    /* millionths of the chart's unit */
};
/* Returns how many the chart has. */
size_t smi_chart_limits(struct smi_text_arena *g, int chart, const struct smi_summary *s,
                        struct smi_chart_limit out[2]);

/* A time of the run on the clock of its GPU logs. */
int64_t smi_chart_local_ms(const struct smi_summary *s, int64_t ms);
/* Does an event happen so often that its marks would cover a chart, as each step of a training? */
bool smi_event_is_frequent(const struct smi_timeline *t, const char *name);

#endif
