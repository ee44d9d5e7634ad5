/* usage_format.c - one walk over the figures writes both forms: JSON, and lines indented by three blanks a
 * level. */
#include "base/json.h"
#include "base/real.h"
#include "export/text_file.h"
#include "process/usage.h"

enum { INDENT = 3, DECIMALS = 3, PERCENT = 1000000 };

struct out {
    struct smi_buf *to;
    struct smi_json *json; /* NULL: the text */
    size_t depth;
};

static void put_name(struct out *o, const char *label, const char *key)
{
    if (o->json)
        smi_json_key(o->json, key);
    else
        smi_buf_fmt(o->to, "%s%*s%s:", o->to->n ? "\n" : "", (int)(INDENT * o->depth), "", label);
}

static void put_text_value(struct out *o, const char *text)
{
    if (o->json)
        smi_json_raw(o->json, text ? text : "null");
    else
        smi_buf_fmt(o->to, " %s", text ? text : "n/a");
}

static void open_group(struct out *o, const char *label, const char *key)
{
    put_name(o, label, key);
    if (o->json)
        smi_json_open(o->json, '{');
    o->depth++;
}

static void close_group(struct out *o)
{
    if (o->json)
        smi_json_close(o->json, '}');
    o->depth--;
}

static void put_unit(struct out *o, const struct smi_usage_unit *unit)
{
    put_name(o, "Unit", "unit");
    if (o->json)
        smi_json_str(o->json, unit->name);
    else
        put_text_value(o, unit->name);
}

/* num / den; a negative num, or a den that is not above 0, is not known. */
static void put_real(struct out *o, const char *label, const char *key, smi_i128 num, smi_i128 den)
{
    char text[SMI_REAL_TEXT];
    double v;
    put_name(o, label, key);
    if (num < 0 || den <= 0) {
        put_text_value(o, NULL);
        return;
    }
    v = smi_i128_ratio(num, den);
    smi_real_write(text, o->json ? v : smi_real_round(v, DECIMALS));
    put_text_value(o, text);
}

static void put_count(struct out *o, const char *label, const char *key, int64_t v)
{
    char text[SMI_I128_TEXT];
    smi_i128_write(text, v);
    put_name(o, label, key);
    put_text_value(o, v < 0 ? NULL : text);
}

static const struct {
    const char *label, *key, *threads, *n_threads;
} parts[SMI_TREE_PARTS] = {
    {"Main", "main", "Main number of threads", "main_n_threads"},
    {"Descendants", "descendants", "Descendants number of threads", "descendants_n_threads"},
    {"Combined", "combined", "Combined number of threads", "combined_n_threads"},
};

static void put_ram(struct out *o, const struct smi_usage *u, const struct smi_usage_machine *m,
                    const struct smi_usage_unit *unit)
{
    open_group(o, "Max RAM", "max_ram");
    put_unit(o, unit);
    put_real(o, "System capacity", "system_capacity", m->ram, unit->size);
    put_real(o, "System", "system", u->system_ram, unit->size);
    for (int p = 0; p < SMI_TREE_PARTS; p++) {
        open_group(o, parts[p].label, parts[p].key);
        put_real(o, "Total RSS", "total_rss", u->ram[p].total, unit->size);
        put_real(o, "Private RSS", "private_rss", u->ram[p].private_, unit->size);
        put_real(o, "Shared RSS", "shared_rss", u->ram[p].shared, unit->size);
        close_group(o);
    }
    close_group(o);
}

/* A millionth of a MiB, taken for a millionth of a megabyte, is a byte. Without a GPU gpu_tracker has 0.0. */
static void put_gpu_ram(struct out *o, const struct smi_usage *u, const struct smi_usage_machine *m,
                        const struct smi_usage_unit *unit)
{
    open_group(o, "Max GPU RAM", "max_gpu_ram");
    put_unit(o, unit);
    put_real(o, "System capacity", "system_capacity", m->gpu_ram, unit->size);
    put_real(o, "System", "system", m->gpus ? u->system_gpu_ram : 0, unit->size);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_real(o, parts[p].label, parts[p].key, m->gpus ? u->gpu_ram[p] : 0, unit->size);
    close_group(o);
}

/* Sums over so many cores or GPUs. */
static void put_percent(struct out *o, const char *label, const char *key, const struct smi_usage_mean *v,
                        int64_t among)
{
    smi_i128 all = (smi_i128)PERCENT * v->n, of = among < 0 ? 0 : among;
    open_group(o, label, key);
    put_real(o, "Max sum percent", "max_sum_percent", v->max, PERCENT);
    put_real(o, "Max hardware percent", "max_hardware_percent", v->max, PERCENT * of);
    put_real(o, "Mean sum percent", "mean_sum_percent", v->sum, all);
    put_real(o, "Mean hardware percent", "mean_hardware_percent", v->sum, all * of);
    close_group(o);
}

static void put_cpu(struct out *o, const struct smi_usage *u, const struct smi_usage_machine *m)
{
    open_group(o, "CPU utilization", "cpu_utilization");
    put_count(o, "System core count", "system_core_count", m->cores);
    put_count(o, "Number of expected cores", "n_expected_cores", m->expected_cores);
    put_percent(o, "System", "system", &u->system_cpu, m->cores);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_percent(o, parts[p].label, parts[p].key, &u->cpu[p], m->expected_cores);
    for (int p = 0; p < SMI_TREE_PARTS; p++)
        put_count(o, parts[p].threads, parts[p].n_threads, u->threads[p]);
    close_group(o);
}

static void put_gpu_util(struct out *o, const struct smi_usage *u, const struct smi_usage_machine *m)
{
    static const struct smi_usage_mean none = {.n = 1};
    open_group(o, "GPU utilization", "gpu_utilization");
    put_count(o, "System GPU count", "system_gpu_count", m->gpus);
    put_count(o, "Number of expected GPUs", "n_expected_gpus", m->expected_gpus);
    put_percent(o, "GPU percentages", "gpu_percentages", m->gpus ? &u->gpu_util : &none,
                m->gpus ? m->expected_gpus : 1);
    close_group(o);
}

static void put_usage(struct out *o, const struct smi_usage *u, const struct smi_usage_machine *m,
                      const struct smi_usage_units *units)
{
    const struct smi_usage_unit *time = &smi_usage_times[units->time];
    put_ram(o, u, m, &smi_usage_sizes[units->ram]);
    put_gpu_ram(o, u, m, &smi_usage_sizes[units->gpu_ram]);
    put_cpu(o, u, m);
    put_gpu_util(o, u, m);
    open_group(o, "Compute time", "compute_time");
    put_unit(o, time);
    put_real(o, "Time", "time", u->compute_us, time->size);
    close_group(o);
}

void smi_usage_json(struct smi_buf *to, const struct smi_usage *u, const struct smi_usage_machine *m,
                    const struct smi_usage_units *units)
{
    struct smi_buf line = {0};
    struct smi_json j;
    smi_json_begin(&j, &line);
    smi_json_open(&j, '{');
    put_usage(&(struct out){.to = &line, .json = &j}, u, m, units);
    smi_json_close(&j, '}');
    smi_json_end_indented(to, &line);
}

void smi_usage_text(struct smi_buf *to, const struct smi_usage *u, const struct smi_usage_machine *m,
                    const struct smi_usage_units *units)
{
    struct smi_buf text = {0};
    put_usage(&(struct out){.to = &text}, u, m, units);
    if (!text.failed)
        smi_buf_add(to, text.p, text.n);
    to->failed |= text.failed;
    smi_buf_fini(&text);
}

int smi_usage_write(const char *path, bool text, const struct smi_usage *u, const struct smi_usage_machine *m,
                    const struct smi_usage_units *units, struct smi_err *err)
{
    struct smi_buf b = {0};
    (text ? smi_usage_text : smi_usage_json)(&b, u, m, units);
    smi_buf_char(&b, '\n');
    return smi_text_file_put(path, &b, err);
}
