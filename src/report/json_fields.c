/* json_fields.c - the list of all fields of our JSON. */
#include "aggregate/process_stats.h"
#include "base/mem.h"
#include "report/json_schema.h"
#include "summary/run_fields.h"

#include <string.h>

static const struct smi_json_field rows[] = {
#define SMI_JSON_OBJECT(object, help) {object, NULL, NULL, NULL, help, false, false},
#define SMI_JSON_FIELD(object, key, type, unit, optional, help) \
    {object, key, type, unit, help, optional, false},
#include "report/json_field.def"
};

/* Without memory none is added any more. */
static void add_field(struct smi_json_fields *f, struct smi_json_field row)
{
    f->failed |= smi_mem_reserve(&f->of, &f->cap, f->n + 1, sizeof *f->of) != 0;
    if (!f->failed)
        f->of[f->n++] = row;
}

/* ---- the catalogue ---- */

/* Lists, and what JSON has of some runs only; as smi_part. */
static const struct {
    enum smi_part part;
    bool optional;
    const char *path, *type, *unit, *help;
} parts[] = {
    {SMI_PART_COMMAND, true, "command", "string", "", "The command of a tracked run"},
    {SMI_PART_COMMAND, true, "command_used", "{@use}", "",
     "What the command used over its whole time, by metric"},
    {SMI_PART_PARAMS, false, "params", "{any}", "", "Parameters, as they are written"},
    {SMI_PART_JOINED, true, "facts", "{any}", "", "What its files say besides parameters, such as results"},
    {SMI_PART_JOINED, true, "joined", "{any}", "", "Columns of the file of --join"},
    {SMI_PART_HEADLINE, false, "summary", "@headline", "", "The headline summary"},
    {SMI_PART_PHASE_HEADLINE, false, "summary", "@headline?", "",
     "The headline summary of the rows inside the phase"},
    {SMI_PART_THROTTLE, false, "throttle_pct", "{number?}", "%",
     "Share of the time with each reason of throttling"},
    {SMI_PART_METRICS, false, "available_pct", "@available", "%", "Share of rows with a reading, by metric"},
    {SMI_PART_METRICS, false, "metrics", "@metrics", "", "Statistics, by metric"},
};

static void add_part(struct smi_json_fields *f, const char *object, enum smi_part part)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].part == part)
            add_field(f, (struct smi_json_field){object, parts[i].path, parts[i].type, parts[i].unit,
                                                 parts[i].help, parts[i].optional, false});
}

/* The type of a field, by its kind and place. */
static const char *type_of(const struct smi_member_list *l, const struct smi_member *m)
{
    static const char *const by_kind[] = {"null", "integer?", "number?", "boolean?", "string?"};
    if (m->field >= 0)
        return by_kind[l->info[m->field].kind];
    return m->place == SMI_PLACE_TEXT || m->place == SMI_PLACE_NAME ? "string?" : "number?";
}

static void add_member(struct smi_json_fields *f, const char *object, const struct smi_member_list *l,
                       const struct smi_member *m)
{
    const char *path = smi_member_path(l, m);
    const bool field = m->field >= 0;
    struct smi_json_field row = {.object = object, .path = path, .type = type_of(l, m)};
    row.unit = field ? l->info[m->field].unit : m->unit;
    row.help = field ? l->info[m->field].help : m->help;
    row.optional = smi_member_price(l, m) != SMI_PRICE_NONE;
    if (m->place == SMI_PLACE_PART)
        add_part(f, object, (enum smi_part)m->at);
    else if (path)
        add_field(f, row);
    if (path && m->place == SMI_PLACE_NAME)
        add_field(f, (struct smi_json_field){object, "name_bytes", "string", "",
                                             "The same in hexadecimal, if it is not UTF-8", true, false});
}

/* ---- metrics ---- */

static void add_metric(struct smi_json_fields *f, const char *object, int metric, const char *type,
                       bool optional)
{
    const struct smi_metric *m = &smi_metrics[metric];
    add_field(f, (struct smi_json_field){object, m->key, type, m->unit, m->help, optional, true});
}

static void add_metrics(struct smi_json_fields *f, const char *object)
{
    static const char *const type[] = {[SMI_GAUGE] = "@gauge", [SMI_COUNTER] = "@counter"};
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        if (smi_metrics[i].kind != SMI_STATE)
            add_metric(f, object, i, type[smi_metrics[i].kind], true);
}

static void add_readings(struct smi_json_fields *f, const char *object)
{
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        add_metric(f, object, i, "number?", true);
}

static void add_shares(struct smi_json_fields *f, const char *object)
{
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        add_field(f, (struct smi_json_field){object, smi_metrics[i].key, "number?", "%",
                                             "Share of rows with a reading", true, true});
}

static void add_process_metrics(struct smi_json_fields *f, const char *object)
{
    for (int i = 0; i < SMI_PROC_METRICS; i++)
        add_metric(f, object, smi_proc_metric[i], "@figure", false);
}

static void add_statistics(struct smi_json_fields *f, const char *object, int from, int to)
{
    for (int i = from; i < to; i++)
        add_field(f, (struct smi_json_field){
                         object, smi_gpu_stat_names[i], i == SMI_STAT_COUNT ? "integer" : "number?", "",
                         i == SMI_STAT_COUNT ? "Number of readings" : "In the unit of the metric", false,
                         false});
}

static void add_gauge(struct smi_json_fields *f, const char *object)
{
    add_statistics(f, object, 0, SMI_GAUGE_STATS);
}

static void add_counter(struct smi_json_fields *f, const char *object)
{
    add_statistics(f, object, SMI_STAT_COUNT, SMI_STAT_COUNT + 1);
    add_statistics(f, object, SMI_STAT_FIRST, SMI_GPU_STATS);
}

/* ---- the rest ---- */

static void add_headline(struct smi_json_fields *f, const char *object)
{
#define SMI_RUN_HEADLINE(id, key, unit, metric, stat, optional, ...)   \
    add_field(f, (struct smi_json_field){object, key, "number?", unit, \
                                         smi_run_fields[SMI_RUN_FIELD_##id].help, optional, false});
#include "model/run_field.def"
}

static void add_causes(struct smi_json_fields *f, const char *object)
{
    for (size_t i = 0; i < sizeof smi_waste_names / sizeof *smi_waste_names; i++)
        add_field(f, (struct smi_json_field){object, smi_waste_names[i], "number?", "", "", false, false});
}

/* Objects whose fields come from the catalogue: members of a list, or others. */
static const struct {
    const char *object;
    const struct smi_member_list *list;
    void (*add)(struct smi_json_fields *f, const char *object);
} made[] = {
    {"run", &smi_run_list, NULL},
    {"gpu", &smi_gpu_list, NULL},
    {"phase", &smi_phase_list, NULL},
    {"finding", &smi_finding_list, NULL},
    {"metrics", NULL, add_metrics},
    {"available", NULL, add_shares},
    {"gauge", NULL, add_gauge},
    {"counter", NULL, add_counter},
    {"headline", NULL, add_headline},
    {"waste", NULL, add_causes},
    {"live_gpu", NULL, add_readings},
    {"live_host", NULL, add_readings},
    {"process", NULL, add_process_metrics},
};

static void add_made_fields(struct smi_json_fields *f, const char *object)
{
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        const struct smi_member_list *l = made[k].list;
        if (strcmp(made[k].object, object) != 0)
            continue;
        for (size_t i = 0; l && i < l->n; i++)
            add_member(f, object, l, &l->of[i]);
        if (made[k].add)
            made[k].add(f, object);
    }
}

int smi_json_fields_make(struct smi_json_fields *f, struct smi_err *err)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add_field(f, rows[i]);
        if (!rows[i].path)
            add_made_fields(f, rows[i].object);
    }
    return f->failed ? smi_err_nomem(err) : 0;
}

void smi_json_fields_fini(struct smi_json_fields *f)
{
    smi_mem_free(f->of);
    *f = (struct smi_json_fields){0};
}
