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

static int add_field(struct smi_json_fields *f, struct smi_json_field row)
{
    if (smi_mem_reserve(&f->of, &f->cap, f->n + 1, sizeof *f->of))
        return -1;
    f->of[f->n++] = row;
    return 0;
}

/* ---- the catalogue ---- */

/* Lists, and what JSON has of some runs only; as smi_part. */
static const struct {
    enum smi_part part;
    struct smi_json_field field; /* its object is that of the list */
} parts[] = {
    {SMI_PART_COMMAND, {NULL, "command", "string", "", "The command of a tracked run", true, false}},
    {SMI_PART_COMMAND,
     {NULL, "command_used", "{@use}", "", "What the command used over its whole time, by metric", true,
      false}},
    {SMI_PART_PARAMS, {NULL, "params", "{any}", "", "Parameters, as they are written", false, false}},
    {SMI_PART_JOINED,
     {NULL, "facts", "{any}", "", "What its files say besides parameters, such as results", true, false}},
    {SMI_PART_JOINED, {NULL, "joined", "{any}", "", "Columns of the file of --join", true, false}},
    {SMI_PART_HEADLINE, {NULL, "summary", "@headline", "", "The headline summary", false, false}},
    {SMI_PART_PHASE_HEADLINE,
     {NULL, "summary", "@headline?", "", "The headline summary of the rows inside the phase", false, false}},
    {SMI_PART_THROTTLE,
     {NULL, "throttle_pct", "{number?}", "%", "Share of the time with each reason of throttling", false,
      false}},
    {SMI_PART_METRICS,
     {NULL, "available_pct", "@available", "%", "Share of rows with a reading, by metric", false, false}},
    {SMI_PART_METRICS, {NULL, "metrics", "@metrics", "", "Statistics, by metric", false, false}},
};

static int add_part(struct smi_json_fields *f, const char *object, enum smi_part part)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !rc; i++)
        if (parts[i].part == part) {
            struct smi_json_field row = parts[i].field;
            row.object = object;
            rc = add_field(f, row);
        }
    return rc;
}

/* The type of a field, by its kind and place. */
static const char *type_of(const struct smi_member_list *l, const struct smi_member *m)
{
    static const char *const by_kind[] = {"null", "integer?", "number?", "boolean?", "string?"};
    if (m->field >= 0)
        return by_kind[l->info[m->field].kind];
    return m->place == SMI_PLACE_TEXT || m->place == SMI_PLACE_NAME ? "string?" : "number?";
}

static int add_member(struct smi_json_fields *f, const char *object, const struct smi_member_list *l,
                      const struct smi_member *m)
{
    const char *path = smi_member_path(l, m);
    const bool field = m->field >= 0;
    struct smi_json_field row = {.object = object, .path = path, .type = type_of(l, m)};
    row.unit = field ? l->info[m->field].unit : m->unit;
    row.help = field ? l->info[m->field].help : m->help;
    row.optional = smi_member_price(l, m) != SMI_PRICE_NONE;
    if (m->place == SMI_PLACE_PART)
        return add_part(f, object, (enum smi_part)m->at);
    if (!path)
        return 0;
    if (add_field(f, row))
        return -1;
    if (m->place != SMI_PLACE_NAME)
        return 0;
    row = (struct smi_json_field){
        object, "name_bytes", "string", "", "The same in hexadecimal, if it is not UTF-8", true, false};
    return add_field(f, row);
}

static int add_members(struct smi_json_fields *f, const char *object, const struct smi_member_list *l)
{
    int rc = 0;
    for (size_t i = 0; i < l->n && !rc; i++)
        rc = add_member(f, object, l, &l->of[i]);
    return rc;
}

static int add_run(struct smi_json_fields *f, const char *object)
{
    return add_members(f, object, &smi_run_list);
}

static int add_gpu(struct smi_json_fields *f, const char *object)
{
    return add_members(f, object, &smi_gpu_list);
}

static int add_phase(struct smi_json_fields *f, const char *object)
{
    return add_members(f, object, &smi_phase_list);
}

static int add_finding(struct smi_json_fields *f, const char *object)
{
    return add_members(f, object, &smi_finding_list);
}

/* ---- metrics ---- */

static int add_metrics(struct smi_json_fields *f, const char *object)
{
    static const char *const type[] = {[SMI_GAUGE] = "@gauge", [SMI_COUNTER] = "@counter"};
    int rc = 0;
    for (int i = 0; i < SMI_METRIC_COUNT && !rc; i++)
        if (smi_metrics[i].kind != SMI_STATE)
            rc = add_field(f, (struct smi_json_field){object, smi_metrics[i].key, type[smi_metrics[i].kind],
                                                      smi_metrics[i].unit, smi_metrics[i].help, true, true});
    return rc;
}

static int add_readings(struct smi_json_fields *f, const char *object)
{
    int rc = 0;
    for (int i = 0; i < SMI_METRIC_COUNT && !rc; i++)
        rc = add_field(f, (struct smi_json_field){object, smi_metrics[i].key, "number?", smi_metrics[i].unit,
                                                  smi_metrics[i].help, true, true});
    return rc;
}

static int add_shares(struct smi_json_fields *f, const char *object)
{
    int rc = 0;
    for (int i = 0; i < SMI_METRIC_COUNT && !rc; i++)
        rc = add_field(f, (struct smi_json_field){object, smi_metrics[i].key, "number?", "%",
                                                  "Share of rows with a reading", true, true});
    return rc;
}

static int add_process_metrics(struct smi_json_fields *f, const char *object)
{
    int rc = 0;
    for (int i = 0; i < SMI_PROC_METRICS && !rc; i++) {
        const struct smi_metric *m = &smi_metrics[smi_proc_metric[i]];
        rc = add_field(f, (struct smi_json_field){object, m->key, "@figure", m->unit, m->help, false, true});
    }
    return rc;
}

static int add_statistics(struct smi_json_fields *f, const char *object, int from, int to)
{
    int rc = 0;
    for (int i = from; i < to && !rc; i++)
        rc = add_field(f, (struct smi_json_field){
                              object, smi_gpu_stat_names[i], i == SMI_STAT_COUNT ? "integer" : "number?", "",
                              i == SMI_STAT_COUNT ? "Number of readings" : "In the unit of the metric", false,
                              false});
    return rc;
}

static int add_gauge(struct smi_json_fields *f, const char *object)
{
    return add_statistics(f, object, 0, SMI_GAUGE_STATS);
}

static int add_counter(struct smi_json_fields *f, const char *object)
{
    return add_statistics(f, object, SMI_STAT_COUNT, SMI_STAT_COUNT + 1) ||
           add_statistics(f, object, SMI_STAT_FIRST, SMI_GPU_STATS);
}

/* ---- the rest ---- */

static int add_headline(struct smi_json_fields *f, const char *object)
{
#define SMI_RUN_HEADLINE(id, key, unit, metric, stat, optional, ...) \
    {#id, key, "number?", unit, NULL, optional, false},
    static const struct smi_json_field figures[] = {
#include "model/run_field.def"
    };
#define SMI_RUN_HEADLINE(id, ...) SMI_RUN_FIELD_##id,
    static const int fields[] = {
#include "model/run_field.def"
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !rc; i++) {
        struct smi_json_field row = figures[i];
        row.object = object;
        row.help = smi_run_fields[fields[i]].help;
        rc = add_field(f, row);
    }
    return rc;
}

static int add_causes(struct smi_json_fields *f, const char *object)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof smi_waste_names / sizeof *smi_waste_names && !rc; i++)
        rc = add_field(f,
                       (struct smi_json_field){object, smi_waste_names[i], "number?", "", "", false, false});
    return rc;
}

static const struct {
    const char *object;
    int (*add)(struct smi_json_fields *f, const char *object);
} made[] = {
    {"run", add_run},
    {"gpu", add_gpu},
    {"phase", add_phase},
    {"finding", add_finding},
    {"metrics", add_metrics},
    {"available", add_shares},
    {"gauge", add_gauge},
    {"counter", add_counter},
    {"headline", add_headline},
    {"waste", add_causes},
    {"live_gpu", add_readings},
    {"live_host", add_readings},
    {"process", add_process_metrics},
};

int smi_json_fields_make(struct smi_json_fields *f, struct smi_err *err)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !rc; i++) {
        rc = add_field(f, rows[i]);
        for (size_t k = 0; !rows[i].path && k < sizeof made / sizeof *made && !rc; k++)
            if (strcmp(made[k].object, rows[i].object) == 0)
                rc = made[k].add(f, rows[i].object);
    }
    return rc ? smi_err_nomem(err) : 0;
}

void smi_json_fields_fini(struct smi_json_fields *f)
{
    smi_mem_free(f->of);
    *f = (struct smi_json_fields){0};
}
