/* api_runlog.c - include/smilog/runlog.h: RunLogs written. */
#include "api_private.h"

struct smilog_runlog {
    struct smi_append file;
};

struct smilog_runlog *smilog_runlog_open(const char *path, struct smilog_error *err)
{
    struct smilog_runlog *log = smi_mem_new(1, sizeof *log);
    struct smi_err own = {0};
    if (smi_runlog_open(&log->file, path, &own) == 0)
        return log;
    smi_api_fail(err, &own);
    smi_mem_free(log);
    return NULL;
}

/* The list as the writer takes it. Free with smi_mem_free. */
static struct smi_runlog_value *convert_values(const struct smilog_value *values, size_t n)
{
    static const enum smi_runlog_kind kind[] = {SMI_RUNLOG_TEXT, SMI_RUNLOG_REAL, SMI_RUNLOG_WHOLE,
                                                SMI_RUNLOG_BOOL, SMI_RUNLOG_JSON};
    struct smi_runlog_value *list = smi_mem_new(n + 1, sizeof *list); /* the last has no key */
    for (size_t i = 0; i < n; i++) {
        const struct smilog_value *v = &values[i];
        const bool known = v->kind >= SMILOG_STRING && v->kind <= SMILOG_JSON;
        list[i] = (struct smi_runlog_value){v->key ? v->key : "", known ? kind[v->kind] : SMI_RUNLOG_TEXT,
                                            v->text, v->real, v->whole};
    }
    return list;
}

int smilog_runlog_event(struct smilog_runlog *log, const char *name, const struct smilog_value *values,
                        size_t n, struct smilog_error *err)
{
    struct smi_err own = {0};
    struct smi_runlog_value *list = convert_values(values, n);
    struct smi_buf line = {0};
    int rc = smi_runlog_append(&log->file, &line, smi_runlog_put_event(&line, name, list, &own), &own);
    smi_mem_free(list);
    return rc ? smi_api_fail(err, &own) : 0;
}

int smilog_runlog_start(struct smilog_runlog *log, const struct smilog_value *values, size_t n,
                        struct smilog_error *err)
{
    struct smi_err own = {0};
    struct smi_runlog_value *list = convert_values(values, n);
    struct smi_host *host = smi_host_open("");
    struct smi_host_sample sample = {0};
    const struct smi_start_source from = {.host = &sample, .more = list};
    struct smi_buf line = {0};
    int rc;
    smi_host_read(host, smi_clock_now_ms() * 1000, &sample);
    rc = smi_runlog_append(&log->file, &line, smi_runlog_put_start(&line, &from, &own), &own);
    smi_host_close(host);
    smi_mem_free(list);
    return rc ? smi_api_fail(err, &own) : 0;
}

int smilog_runlog_phase(struct smilog_runlog *log, const char *name, double seconds,
                        const struct smilog_value *values, size_t n, struct smilog_error *err)
{
    struct smi_err own = {0};
    struct smi_runlog_value *list = convert_values(values, n);
    struct smi_buf line = {0};
    int rc =
        smi_runlog_append(&log->file, &line, smi_runlog_put_phase(&line, name, seconds, list, &own), &own);
    smi_mem_free(list);
    return rc ? smi_api_fail(err, &own) : 0;
}

void smilog_runlog_close(struct smilog_runlog *log)
{
    if (!log)
        return;
    smi_append_close(&log->file);
    smi_mem_free(log);
}
