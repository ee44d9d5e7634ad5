/* api_tracker.c - include/smilog/tracker.h: a tracker, the machine, a process tree. */
#include "api_private.h"

#include "base/clock.h"
#include "live/host.h"
#include "process/tracker.h"
#include "process/tree.h"

#include <limits.h>
#include <unistd.h>

/* ---- the tracker ---- */

struct smilog_tracker {
    struct smi_tracker_settings set;
    struct smi_arena arena; /* texts of set */
    struct smi_tracker *t;  /* NULL until it is started */
};

struct smilog_tracker *smilog_tracker_new(struct smilog_error *err)
{
    struct smilog_tracker *t = smi_mem_new(1, sizeof *t);
    (void)err;
    t->set.interval = 1000000;
    return t;
}

static const struct smi_cmd options = {.groups = "k"};

int smilog_tracker_set(struct smilog_tracker *t, const char *name, const char *value,
                       struct smilog_error *err)
{
    struct smi_err failed = {0};
    const char *copy = smi_arena_text(&t->arena, value, strlen(value));
    int rc = t->t ? smi_err_set(&failed, SMI_EUSAGE, "%s: the tracker was started before", name)
                  : smi_api_set(&options, &t->set, name, copy, &failed);
    t->set.o.interval_ms = t->set.interval < 1000                      ? 1
                           : t->set.interval < INT_MAX * INT64_C(1000) ? (int)(t->set.interval / 1000)
                                                                       : INT_MAX;
    return rc ? smi_api_fail(err, &failed) : 0;
}

int smilog_tracker_start(struct smilog_tracker *t, struct smilog_error *err)
{
    struct smi_err failed = {0};
    struct smi_tracker_opts o = t->set.o;
    if (t->t) {
        smi_err_set(&failed, SMI_EUSAGE, "the tracker was started before");
        return smi_api_fail(err, &failed);
    }
    o.no_gpus = o.gpus && strcmp(o.gpus, "none") == 0;
    o.gpus = o.no_gpus ? NULL : o.gpus;
    t->t = smi_tracker_new(&o, &failed);
    if (t->t && smi_tracker_start(t->t, &failed) == 0)
        return 0;
    smi_tracker_free(t->t); /* the caller may mend an option, and start again */
    t->t = NULL;
    return smi_api_fail(err, &failed);
}

int smilog_tracker_stop(struct smilog_tracker *t, struct smilog_error *err)
{
    struct smi_err failed = {0};
    int rc = t->t ? smi_tracker_stop(t->t, &failed)
                  : smi_err_set(&failed, SMI_EUSAGE, "the tracker was not started");
    return rc ? smi_api_fail(err, &failed) : 0;
}

const char *smilog_tracker_summary(struct smilog_tracker *t, const char *form, struct smilog_error *err)
{
    struct smi_err failed = {0};
    const char *text = NULL;
    const bool json = strcmp(form, "gpu-tracker-json") == 0;
    if (!json && strcmp(form, "gpu-tracker-text") != 0)
        smi_err_set(&failed, SMI_EUSAGE, "a summary has no form %.60s: gpu-tracker-text or gpu-tracker-json",
                    form);
    else if (!t->t)
        smi_err_set(&failed, SMI_EUSAGE, "the tracker was not started");
    else
        text = smi_tracker_summary(t->t, json ? SMI_TRACKER_JSON : SMI_TRACKER_TEXT, &failed);
    if (!text)
        smi_api_fail(err, &failed);
    return text;
}

void smilog_tracker_free(struct smilog_tracker *t)
{
    if (!t)
        return;
    smi_tracker_free(t->t);
    smi_arena_fini(&t->arena);
    smi_mem_free(t);
}

/* ---- the machine ---- */

struct smilog_host {
    struct smi_host *host;
    struct smi_host_sample sample;
};

struct smilog_host *smilog_host_open(struct smilog_error *err)
{
    struct smilog_host *h = smi_mem_new(1, sizeof *h);
    (void)err;
    h->host = smi_host_open("");
    return h;
}

void smilog_host_read(struct smilog_host *h)
{
    smi_host_read(h->host, smi_clock_now_ms() * 1000, &h->sample);
}

bool smilog_host_number(const struct smilog_host *h, const char *name, double *value)
{
    for (int i = 0; i < SMI_HOST_COUNT; i++)
        if (strcmp(smi_host_values[i].name, name) == 0 && h->sample.has >> i & 1) {
            *value = (double)h->sample.v[i] / 1e6;
            return true;
        }
    return false;
}

const char *smilog_host_name(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].name : NULL;
}

const char *smilog_host_unit(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].unit : NULL;
}

const char *smilog_host_help(size_t i)
{
    return i < SMI_HOST_COUNT ? smi_host_values[i].help : NULL;
}

void smilog_host_close(struct smilog_host *h)
{
    if (!h)
        return;
    smi_host_close(h->host);
    smi_mem_free(h);
}

/* ---- a process tree ---- */

struct smilog_tree {
    struct smi_tree *tree;
    struct smi_tree_sample sample;
};

struct smilog_tree *smilog_tree_open(int pid, struct smilog_error *err)
{
    struct smilog_tree *t = smi_mem_new(1, sizeof *t);
    (void)err;
    t->tree = smi_tree_open(&(struct smi_tree_opts){.main = pid ? pid : getpid()});
    return t;
}

int smilog_tree_read(struct smilog_tree *t, struct smilog_error *err)
{
    (void)err;
    smi_tree_read(t->tree, smi_clock_now_ms() * 1000, &t->sample);
    return 0;
}

bool smilog_tree_number(const struct smilog_tree *t, enum smilog_tree_part part, const char *name,
                        double *value)
{
    bool known = (unsigned)part <= SMILOG_TREE_ALL;
    const struct smi_tree_usage *u = &t->sample.of[known ? part : SMILOG_TREE_ALL];
    const struct {
        const char *name;
        bool has;
        double value;
    } of[] = {{"ram", u->has_ram, (double)u->ram.total},
              {"private_ram", u->has_ram, (double)u->ram.private_},
              {"shared_ram", u->has_ram, (double)u->ram.shared},
              {"cpu_pct", u->has_cpu, (double)u->cpu_micro_pct / 1e6},
              {"cpu_s", t->sample.t_us != 0, (double)t->sample.cpu_us[known ? part : SMILOG_TREE_ALL] / 1e6},
              {"threads", t->sample.t_us != 0, (double)u->threads},
              {"processes", t->sample.t_us != 0, (double)u->processes}};
    for (size_t i = 0; known && i < sizeof of / sizeof *of; i++)
        if (strcmp(of[i].name, name) == 0 && of[i].has) {
            *value = of[i].value;
            return true;
        }
    return false;
}

void smilog_tree_close(struct smilog_tree *t)
{
    if (!t)
        return;
    smi_tree_close(t->tree);
    smi_mem_free(t);
}
