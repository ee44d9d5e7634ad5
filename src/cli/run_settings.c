#include "cli/run_settings.h"

#include "base/json_load.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INTERVAL_LEAST = 50000 /* 0.05 s */ };

enum kind { TEXT, SECONDS, COUNT, PID, BOOL, LIST, BRAND, IGNORED };

static const struct {
    const char *key;
    enum kind kind;
    size_t offset;
} keys[] = {
    {"sleep_time", SECONDS, offsetof(struct smi_run_settings, interval)},
    {"ram_unit", TEXT, offsetof(struct smi_run_settings, ram_unit)},
    {"gpu_ram_unit", TEXT, offsetof(struct smi_run_settings, gpu_ram_unit)},
    {"time_unit", TEXT, offsetof(struct smi_run_settings, time_unit)},
    {"n_expected_cores", COUNT, offsetof(struct smi_run_settings, cores)},
    {"gpu_uuids", LIST, offsetof(struct smi_run_settings, gpus)},
    {"disable_logs", BOOL, offsetof(struct smi_run_settings, quiet)},
    {"gpu_brand", BRAND, offsetof(struct smi_run_settings, brand)},
    {"tracking_file", TEXT, offsetof(struct smi_run_settings, file)},
    {"overwrite", BOOL, offsetof(struct smi_run_settings, overwrite)},
    {"process_id", PID, offsetof(struct smi_run_settings, pid)},
    {"resource_usage_file", IGNORED, 0},
    {"n_join_attempts", IGNORED, 0},
    {"join_timeout", IGNORED, 0},
};
enum { KEYS = sizeof keys / sizeof *keys, TEXTS = 65536 };

static int fail_wrong_value(const char *path, const char *key, const char *what, struct smi_err *err)
{
    return smi_err_set(err, SMI_EUSAGE, "--config: %.200s: \"%s\" has to be %s", path, key, what);
}

/* Kept for as long as the settings: room was made for all. */
static const char *keep_text(struct smi_run_settings *s, const char *text)
{
    size_t at = s->texts.n;
    smi_buf_add(&s->texts, text, strlen(text) + 1);
    return s->texts.failed ? NULL : s->texts.p + at;
}

static int set_list_from_json(struct smi_buf *to, const json_t *v)
{
    size_t i;
    json_t *item;
    json_array_foreach (v, i, item) {
        if (!json_is_string(item))
            return -1;
        if (to->n)
            smi_buf_char(to, ',');
        smi_buf_str(to, json_string_value(item));
    }
    return json_is_array(v) ? 0 : -1;
}

static int set_number_from_json(struct smi_run_settings *s, size_t k, const json_t *v)
{
    void *field = (char *)s + keys[k].offset;
    char text[24];
    int64_t micro;
    if (!smi_json_number(v, &micro) || micro <= 0)
        return -1;
    if (keys[k].kind == SECONDS) {
        *(int64_t *)field = micro;
        return 0;
    }
    if (micro % 1000000 || micro / 1000000 > INT32_MAX)
        return -1;
    if (keys[k].kind == COUNT) {
        *(int *)field = (int)(micro / 1000000);
        return 0;
    }
    snprintf(text, sizeof text, "%lld", (long long)(micro / 1000000));
    *(const char **)field = keep_text(s, text);
    return 0;
}

static int set_from_json(struct smi_run_settings *s, size_t k, const json_t *v, const char *path,
                         struct smi_err *err)
{
    static const char *const brands[] = {[SMI_RUN_NVIDIA] = "nvidia", [SMI_RUN_AMD] = "amd"};
    void *field = (char *)s + keys[k].offset;
    switch (keys[k].kind) {
    case TEXT:
        if (!json_is_string(v))
            return fail_wrong_value(path, keys[k].key, "a text", err);
        *(const char **)field = keep_text(s, json_string_value(v));
        return 0;
    case BOOL:
        if (!json_is_boolean(v))
            return fail_wrong_value(path, keys[k].key, "true or false", err);
        *(bool *)field = json_is_true(v);
        return 0;
    case LIST:
        return set_list_from_json(field, v) ? fail_wrong_value(path, keys[k].key, "a list of texts", err) : 0;
    case BRAND:
        for (int i = SMI_RUN_NVIDIA; i <= SMI_RUN_AMD; i++)
            if (json_is_string(v) && strcmp(json_string_value(v), brands[i]) == 0)
                return *(int *)field = i, 0;
        return fail_wrong_value(path, keys[k].key, "\"nvidia\" or \"amd\"", err);
    default:
        return set_number_from_json(s, k, v) ? fail_wrong_value(path, keys[k].key, "a number above 0", err)
                                             : 0;
    }
}

static int fail_unknown_key(const char *path, const char *key, struct smi_err *err)
{
    const char *names[KEYS], *near;
    for (size_t i = 0; i < KEYS; i++)
        names[i] = keys[i].key;
    near = smi_text_nearest(key, names, KEYS);
    return smi_err_set(err, SMI_EUSAGE, "--config: %.200s: there is no \"%.60s\"%s%s%s", path, key,
                       near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

int smi_run_settings_load(struct smi_run_settings *s, const char *path, struct smi_buf *ignored,
                          struct smi_err *err)
{
    json_t *object, *v;
    const char *key;
    int rc = 0;
    if (smi_json_load_file("--config", path, &object, err))
        return -1;
    if (smi_buf_grow(&s->texts, TEXTS)) /* the texts do not move */
        rc = smi_err_nomem(err);
    json_object_foreach (object, key, v) {
        size_t k = 0;
        while (k < KEYS && strcmp(keys[k].key, key) != 0)
            k++;
        if (rc)
            break;
        if (k == KEYS)
            rc = fail_unknown_key(path, key, err);
        else if (keys[k].kind == IGNORED)
            smi_buf_fmt(ignored, "%s%s", ignored->n ? ", " : "", key);
        else if (!json_is_null(v) && json_is_string(v) && s->texts.n + json_string_length(v) + 1 > TEXTS)
            rc = smi_err_set(err, SMI_ELIMIT, "--config: %.200s: its texts are too long", path);
        else if (!json_is_null(v))
            rc = set_from_json(s, k, v, path, err);
    }
    if (!rc && (s->texts.failed || s->gpus.failed || ignored->failed))
        rc = smi_err_nomem(err);
    json_decref(object);
    return rc;
}

int smi_run_settings_parse(struct smi_run_settings *s, const struct smi_cmd *cmd, int *argc, char **argv,
                           char **copy, struct smi_err *err)
{
    struct smi_run_settings first = {.interval = 1000000};
    struct smi_buf ignored = {0};
    int n = *argc, rc = smi_opt_parse(cmd, &n, copy, &first, err);
    *s = (struct smi_run_settings){.interval = 1000000};
    if (rc == 0 && first.config)
        rc = smi_run_settings_load(s, first.config, &ignored, err);
    if (rc == 0 && ignored.n)
        fprintf(stderr, "smilog: warning: --config: %s: without a meaning here\n", ignored.p);
    if (rc == 0 && s->gpus.n && first.gpus.n)
        smi_buf_clear(&s->gpus);
    if (rc == 0)
        rc = smi_opt_parse(cmd, argc, argv, s, err);
    smi_buf_fini(&ignored);
    smi_run_settings_fini(&first);
    return rc;
}

int smi_run_settings_check(struct smi_run_settings *s, struct smi_err *err)
{
    const struct {
        const char *option, *word;
        int *to;
        int (*find)(const char *option, const char *word, struct smi_err *err);
    } units[] = {{"--ram-unit", s->ram_unit, &s->units.ram, smi_usage_size},
                 {"--gpu-ram-unit", s->gpu_ram_unit, &s->units.gpu_ram, smi_usage_size},
                 {"--time-unit", s->time_unit, &s->units.time, smi_usage_time}};
    struct stat st;
    s->units = smi_usage_default_units;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].word && (*units[i].to = units[i].find(units[i].option, units[i].word, err)) < 0)
            return -1;
    if (s->interval < INTERVAL_LEAST || s->interval > (int64_t)86400 * 1000000)
        return smi_err_set(err, SMI_EUSAGE, "-i wants 0.05 to 86400 seconds");
    if (s->dir && !*s->dir)
        return smi_err_set(err, SMI_EUSAGE, "-o wants a directory");
    if (s->most > (int64_t)1000000 * 1000000 * 1000000)
        return smi_err_set(err, SMI_EUSAGE, "--max-size wants at most 1000000000000 MiB");
    if (s->usage && stat(s->usage, &st) == 0 && S_ISDIR(st.st_mode))
        return smi_err_set(err, SMI_EUSAGE, "--usage %.200s: is a directory", s->usage);
    if (s->overwrite && !s->file)
        return smi_err_set(err, SMI_EUSAGE, "--overwrite is of --tracking-file");
    return 0;
}

void smi_run_settings_to_live(const struct smi_run_settings *s, struct smi_live_opts *o)
{
    const char *gpus = s->gpus.n ? s->gpus.p : NULL;
    o->interval_ms = (int)(s->interval / 1000);
    o->dir = s->dir;
    o->apps = true;
    o->pmon = s->pmon;
    o->brand = (enum smi_live_brand)s->brand;
    o->environ = environ;
    o->most = s->most / 1000000 * 1048576 + s->most % 1000000 * 1048576 / 1000000;
    o->gpus = gpus && strcmp(gpus, "all") != 0 && strcmp(gpus, "auto") != 0 ? gpus : NULL;
    if (!gpus || strcmp(gpus, "auto") == 0)
        smi_live_visible(o);
    o->now = (struct smi_machine_opts){.idle_below = 1000000};
}

void smi_run_settings_fini(struct smi_run_settings *s)
{
    smi_buf_fini(&s->gpus);
    smi_buf_fini(&s->texts);
}
