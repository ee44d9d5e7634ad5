/* list.c - what there is, straight from the tables. */
#include "cmd/opt.h"

#include "cmd/settings.h"
#include "detect/detect.h"
#include "sample/metric.h"

#include <string.h>

static int run(int argc, char **argv);

const struct smi_cmd smi_cmd_list = {
    .name = "list",
    .args = "metrics | formats | outputs",
    .help =
        "What smilog knows: the metrics with unit and meaning, the formats it reads, the\n"
        "outputs it writes.",
    .examples = "  smilog list metrics\n"
                "  smilog list formats\n",
    .run = run,
};

static void metrics(struct smi_buf *b)
{
    static const char *const kinds[] = {"gauge", "counter", "state"};
    smi_buf_fmt(b, "%-40s %-5s %-8s %s\n", "METRIC", "UNIT", "KIND", "MEANING");
    for (int i = 0; i < SMI_METRIC_COUNT; i++) {
        const struct smi_metric *m = &smi_metrics[i];
        smi_buf_fmt(b, "%-40s %-5s %-8s %s\n", m->key, *m->unit ? m->unit : "-", kinds[m->kind], m->help);
    }
}

static void formats(struct smi_buf *b)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        smi_buf_fmt(b, "%-18s %s\n", smi_formats[i]->name, smi_formats[i]->help);
}

static void outputs(struct smi_buf *b)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        smi_buf_fmt(b, "%-8s %-8s %s\n", o->name, o->ending ? o->ending : "-", o->help);
}

static const struct {
    const char *name;
    void (*print)(struct smi_buf *b);
} topics[] = {{"metrics", metrics}, {"formats", formats}, {"outputs", outputs}};

enum { TOPICS = sizeof topics / sizeof *topics };

static int print_topic(const char *name, struct smi_err *err)
{
    struct smi_buf b = {0};
    const char *near = smi_opt_nearest(name, topics, sizeof *topics, TOPICS);
    for (int i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].name, name) == 0) {
            topics[i].print(&b);
            return smi_say(&b);
        }
    smi_err_set(err, SMI_EUSAGE, "there is no list of %.60s%s%s%s", name, near ? "; did you mean " : "",
                near ? near : "", near ? "?" : "");
    return smi_fail(err, "list");
}

static int run(int argc, char **argv)
{
    struct smi_buf help = {0};
    struct smi_err err = {0};
    int rc = smi_opt_parse(&smi_cmd_list, &argc, argv, NULL, &err);
    if (rc > 0) {
        smi_opt_help(&help, &smi_cmd_list);
        return smi_say(&help);
    }
    if (!rc && argc != 2)
        rc = smi_err_set(&err, SMI_EUSAGE, "list wants one of metrics, formats, outputs");
    return rc ? smi_fail(&err, "list") : print_topic(argv[1], &err);
}
