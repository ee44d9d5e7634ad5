#include "live/runlog_write.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/json_load.h"
#include "base/mem.h"
#include "base/real.h"
#include "formats/detect.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double seconds_max = 1e9; /* readers take no longer phase: 31 years */

/* A first line that a killed writer left unfinished tells by its beginning. */
static bool is_runlog(const char *head, size_t n)
{
    static const char begin[] = "{\"ts\"";
    struct smi_detect why;
    size_t some = n < sizeof begin - 1 ? n : sizeof begin - 1;
    return memcmp(head, begin, some) == 0 || smi_detect(head, n, true, &why) == SMI_FMT_RUNLOG;
}

int smi_runlog_open(struct smi_append *log, const char *path, struct smi_err *err)
{
    enum { HEAD = 65536 };
    char *head = smi_mem_raw(HEAD);
    ssize_t n;
    bool good;
    if (!head)
        return smi_err_nomem(err);
    if (smi_append_open(log, path, err)) {
        smi_mem_free(head);
        return -1;
    }
    n = log->file ? pread(log->fd, head, HEAD, 0) : 0; /* what may not be read may be a RunLog */
    good = n <= 0 || is_runlog(head, (size_t)n);
    smi_mem_free(head);
    if (good)
        return 0;
    smi_append_close(log);
    return smi_err_set(err, SMI_EFORMAT,
                       "%.300s is not a run log, and stays as it is; name a new file, such as run.jsonl",
                       path);
}

/* Why v cannot stand in this place of the list; NULL if it can. */
static const char *value_error(const struct smi_runlog_value *list, size_t at, bool phase)
{
    static const char *const own[] = {"ts", "type", "name", "seconds"};
    const char *key = list[at].key;
    if (!*key)
        return "a key is empty";
    for (size_t i = 0; phase && i < sizeof own / sizeof *own; i++)
        if (strcmp(key, own[i]) == 0)
            return "is a key of the log itself";
    for (size_t i = 0; i < at; i++)
        if (strcmp(key, list[i].key) == 0)
            return "is given twice";
    return NULL;
}

static int check_values(const struct smi_runlog_value *list, bool phase, struct smi_err *err)
{
    const char *why;
    for (size_t i = 0; list && list[i].key; i++) {
        if (i == SMI_RUNLOG_VALUES)
            return smi_err_set(err, SMI_ELIMIT, "more than %d values in one line", SMI_RUNLOG_VALUES);
        why = value_error(list, i, phase);
        if (why)
            return smi_err_set(err, SMI_EUSAGE, "%.100s%s%s", list[i].key, *list[i].key ? " " : "", why);
    }
    return 0;
}

static void put_real(struct smi_json *j, double v)
{
    char t[SMI_REAL_TEXT];
    smi_real_write(t, v);
    if (isfinite(v))
        smi_json_raw(j, t);
    else
        smi_json_null(j);
}

/* Any value may stand in a list, and only one. */
static int put_json(struct smi_json *j, const struct smi_runlog_value *v, struct smi_err *err)
{
    struct smi_buf list = {0}, repaired = {0};
    json_error_t why;
    json_t *value = NULL;
    size_t lost = 0;
    int rc;
    smi_buf_fmt(&list, "[[%s]]", v->text); /* as deep as it will stand in the line */
    rc = list.failed ? smi_err_nomem(err)
                     : smi_json_load((struct smi_text){list.p, list.n}, &repaired, &value, &lost, &why, err);
    if (!rc && (lost || json_array_size(value) != 1 || json_array_size(json_array_get(value, 0)) != 1))
        rc = smi_err_set(err, SMI_EUSAGE, "%.100s: %.100s is no JSON value", v->key, v->text);
    if (!rc) {
        for (size_t i = 0; i < list.n; i++) /* no string of JSON has them as they are */
            if (list.p[i] == '\n' || list.p[i] == '\r' || list.p[i] == '\t')
                list.p[i] = ' ';
        list.p[list.n - 2] = 0;
        smi_json_raw(j, list.p + 2);
    }
    json_decref(value);
    smi_buf_fini(&list);
    smi_buf_fini(&repaired);
    return rc;
}

static int put_value(struct smi_json *j, const struct smi_runlog_value *v, struct smi_err *err)
{
    smi_json_key(j, v->key);
    if (v->kind == SMI_RUNLOG_REAL)
        put_real(j, v->real);
    else if (v->kind == SMI_RUNLOG_WHOLE)
        smi_json_int(j, v->whole);
    else if (v->kind == SMI_RUNLOG_BOOL)
        smi_json_bool(j, v->whole != 0);
    else if (v->kind == SMI_RUNLOG_JSON && v->text)
        return put_json(j, v, err);
    else if (v->kind == SMI_RUNLOG_WORD && v->text && smi_text_is_bare(smi_text_of(v->text)))
        smi_json_raw(j, v->text);
    else
        smi_json_str(j, v->text);
    return 0;
}

static int put_values(struct smi_json *j, const struct smi_runlog_value *list, struct smi_err *err)
{
    int rc = 0;
    for (; list && list->key && !rc; list++)
        rc = put_value(j, list, err);
    return rc;
}

/* {"ts": "2026-11-21T06:22:31.123+00:00", "type": ... */
static void begin_line(struct smi_json *j, struct smi_buf *to, const char *type)
{
    char t[SMI_CLOCK_TEXT + 8];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    memcpy(t + smi_clock_write(t, now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000, false), "+00:00", 7);
    smi_json_begin(j, to);
    smi_json_open(j, '{');
    smi_json_key_str(j, "ts", t);
    smi_json_key_str(j, "type", type);
}

static int end_line(struct smi_json *j, size_t from, struct smi_err *err)
{
    size_t n = j->to->n - from + 2;
    smi_json_close(j, '}');
    smi_buf_char(j->to, '\n');
    if (j->to->failed)
        return smi_err_nomem(err);
    return n > SMI_RUNLOG_LINE_MAX
               ? smi_err_set(err, SMI_ELIMIT, "a line of %zu bytes: readers take %d", n, SMI_RUNLOG_LINE_MAX)
               : 0;
}

int smi_runlog_put_phase(struct smi_buf *to, const char *name, double seconds,
                         const struct smi_runlog_value *values, struct smi_err *err)
{
    struct smi_json j;
    size_t from = to->n;
    if (!*name)
        return smi_err_set(err, SMI_EUSAGE, "a phase needs a name");
    if (!(seconds >= 0 && seconds <= seconds_max))
        return smi_err_set(err, SMI_EUSAGE, "a phase lasts 0 to 1000000000 seconds, not %.15g", seconds);
    if (check_values(values, true, err))
        return -1;
    begin_line(&j, to, "phase");
    smi_json_key_str(&j, "name", name);
    smi_json_key(&j, "seconds");
    smi_json_micro(&j, llround(seconds * 1e6));
    return put_values(&j, values, err) ? -1 : end_line(&j, from, err);
}

int smi_runlog_put_event(struct smi_buf *to, const char *name, const struct smi_runlog_value *values,
                         struct smi_err *err)
{
    struct smi_json j;
    size_t from = to->n;
    if (!*name)
        return smi_err_set(err, SMI_EUSAGE, "an event needs a name");
    if (check_values(values, false, err))
        return -1;
    begin_line(&j, to, "event");
    smi_json_key_str(&j, "event", name);
    if (values && values->key) {
        smi_json_key_open(&j, "data", '{');
        if (put_values(&j, values, err))
            return -1;
        smi_json_close(&j, '}');
    }
    return end_line(&j, from, err);
}

/* rc: of putting the line. */
static int append_line(struct smi_append *log, struct smi_buf *line, int rc, struct smi_err *err)
{
    rc = rc ? rc : smi_append_line(log, line->p, line->n, err);
    smi_buf_fini(line);
    return rc;
}

int smi_runlog_phase(struct smi_append *log, const char *name, double seconds,
                     const struct smi_runlog_value *values, struct smi_err *err)
{
    struct smi_buf line = {0};
    return append_line(log, &line, smi_runlog_put_phase(&line, name, seconds, values, err), err);
}

int smi_runlog_event(struct smi_append *log, const char *name, const struct smi_runlog_value *values,
                     struct smi_err *err)
{
    struct smi_buf line = {0};
    return append_line(log, &line, smi_runlog_put_event(&line, name, values, err), err);
}
