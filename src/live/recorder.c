/* recorder.c - what a recording writes: its logs, and the run log */
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "formats/format.h"
#include "live/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

void smi_record_file_open(struct smi_record_file *r, const char *path, int heads, int64_t most, int keep)
{
    *r = (struct smi_record_file){
        .heads = heads, .left = heads, .most = most, .rotate_at = most, .keep = keep, .dir = AT_FDCWD};
    r->path = smi_mem_text(path, strlen(path));
}

void smi_record_file_begin(struct smi_record_file *r)
{
    smi_buf_clear(&r->part);
    smi_buf_clear(&r->next);
    r->skipping = false;
    r->left = r->heads;
}

/* NAME.K, or NAME itself for -1. */
static const char *part_name(const struct smi_record_file *r, int k, char *room)
{
    snprintf(room, PATH_MAX, k < 0 ? "%s" : "%s.%d", r->path, k);
    return room;
}

static int rename_part(const struct smi_record_file *r, int from, int to)
{
    char a[PATH_MAX], b[PATH_MAX];
    return renameat(r->dir, part_name(r, from, a), r->dir, part_name(r, to, b)) == 0 ? 0 : errno;
}

/* As logrotate does it: NAME becomes NAME.1, NAME.1 becomes NAME.2 and so on, up to a number that is free.
 * Where there are enough, the oldest part is replaced. NAME leaves first, as NAME.0: if that fails, no part
 * moves; if a later step fails, it comes back. Returns 0 or an errno. */
static int put_aside(const struct smi_record_file *r)
{
    char name[PATH_MAX];
    int k = 1, rc = rename_part(r, -1, 0);
    if (rc)
        return rc;
    while (k != r->keep && faccessat(r->dir, part_name(r, k, name), F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        k++;
    for (; k > 0 && !rc; k--)
        rc = rename_part(r, k - 1, k);
    if (rc)
        (void)rename_part(r, 0, -1);
    return rc;
}

static void write_lines(struct smi_record_file *r, const char *p, size_t n)
{
    struct smi_err err = {0};
    if (n == 0)
        return;
    if (!r->to.path && smi_append_open_at(&r->to, r->dir, r->path, &err) == 0)
        r->to.head = &r->head;
    if (r->most && r->to.path && r->to.size && r->to.size + (int64_t)n > r->rotate_at &&
        smi_append_check(&r->to, &err) == 0 && r->to.size + (int64_t)n > r->rotate_at) { /* the same file */
        r->stuck = put_aside(r);
        r->rotate_at = r->stuck ? r->to.size + r->most : r->most;
        if (!r->stuck)
            (void)smi_append_renew(&r->to, &err); /* else the next line tries again */
    }
    r->full = !r->to.path || smi_append_line(&r->to, p, n, &err);
    r->to.alone = !r->full;
    if (r->full) {
        for (const char *end = p + n; (p = memchr(p, '\n', (size_t)(end - p))); p++)
            r->lost++;
        snprintf(r->why, sizeof r->why, "%.150s", err.text);
    }
}

/* Whole lines, each with its end. */
static void record_lines(struct smi_record_file *r, const char *p, size_t n)
{
    const char *end = p + n;
    while (r->left > 0 && p < end) {
        const char *next = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1;
        smi_buf_add(&r->next, p, (size_t)(next - p));
        p = next;
        if (--r->left > 0 || (r->next.n == r->head.n && memcmp(r->next.p, r->head.p, r->head.n) == 0))
            continue; /* the whole header is written if it is new */
        smi_buf_clear(&r->head);
        smi_buf_add(&r->head, r->next.p, r->next.n);
        write_lines(r, r->head.p, r->head.n);
    }
    write_lines(r, p, (size_t)(end - p));
}

void smi_record_file_put(struct smi_record_file *r, const char *p, size_t n)
{
    const char *end = p + n, *lf = memchr(p, '\n', n), *last;
    if (r->skipping && !lf)
        return;
    if (r->skipping || (lf && r->part.n + (size_t)(lf + 1 - p) > SMI_RECORDED_LINE_MAX)) {
        r->cut += !r->skipping;
        r->skipping = false;
        smi_buf_clear(&r->part);
        p = lf + 1;
    }
    smi_buf_add(&r->part, p, (size_t)(end - p));
    last = r->part.n ? memrchr(r->part.p, '\n', r->part.n) : NULL;
    if (last) {
        size_t whole = (size_t)(last + 1 - r->part.p);
        record_lines(r, r->part.p, whole);
        memmove(r->part.p, last + 1, r->part.n -= whole);
    }
    if (r->part.n > SMI_RECORDED_LINE_MAX) {
        r->cut++;
        r->skipping = true;
        smi_buf_clear(&r->part);
    }
}

void smi_record_file_close(struct smi_record_file *r)
{
    smi_append_close(&r->to);
    smi_buf_fini(&r->part);
    smi_buf_fini(&r->head);
    smi_buf_fini(&r->next);
    smi_mem_free(r->path);
    *r = (struct smi_record_file){0};
}

/* Unless the caller says it himself, or there is no room. */
static void add(struct smi_start_event *d, const struct smi_start_source *from, struct smi_runlog_value value)
{
    for (const struct smi_runlog_value *v = from->more; v && v->key; v++)
        if (strcmp(v->key, value.key) == 0)
            return;
    if (d->n < SMI_RUNLOG_VALUES)
        d->value[d->n++] = value;
}

/* A text of whatever kind, or NULL. */
static void add_text(struct smi_start_event *d, const struct smi_start_source *from, const char *key,
                     enum smi_runlog_kind kind, const char *text)
{
    if (text)
        add(d, from, (struct smi_runlog_value){key, kind, text, 0, 0});
}

static const char *environment_value(const struct smi_start_source *from, const char *name)
{
    size_t n = strlen(name);
    for (char *const *e = from->environ; e && *e; e++)
        if (strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

/* ["NVIDIA H100 80GB HBM3", null] and [81559, null], as far as anything is known */
static void add_gpus(struct smi_start_event *d, const struct smi_start_source *from)
{
    struct smi_json a, b;
    bool named = false, sized = false;
    smi_json_begin(&a, &d->gpu_names);
    smi_json_begin(&b, &d->gpu_memory);
    smi_json_open(&a, '[');
    smi_json_open(&b, '[');
    for (size_t i = 0; i < from->gpus; i++) {
        smi_json_str(&a, *from->gpu[i].name ? from->gpu[i].name : NULL);
        if (from->gpu[i].memory_mib > 0)
            smi_json_int(&b, from->gpu[i].memory_mib);
        else
            smi_json_null(&b);
        named |= *from->gpu[i].name != 0;
        sized |= from->gpu[i].memory_mib > 0;
    }
    smi_json_close(&a, ']');
    smi_json_close(&b, ']');
    if (named)
        add_text(d, from, "gpu_names", SMI_RUNLOG_JSON, d->gpu_names.p);
    if (sized)
        add_text(d, from, "gpu_memory_mib", SMI_RUNLOG_JSON, d->gpu_memory.p);
}

int smi_start_event_fill(struct smi_start_event *d, const struct smi_start_source *from, struct smi_err *err)
{
    static const enum smi_host_id limits[] = {SMI_HOST_CG_RAM_LIMIT, SMI_HOST_CG_CPU_LIMIT};
    static const char *const words[] = {"SLURM_JOB_ID",        "SLURM_JOB_NAME",      "SLURM_JOB_PARTITION",
                                        "SLURM_JOB_NODELIST",  "SLURM_JOB_NUM_NODES", "SLURM_NTASKS",
                                        "SLURM_PROCID",        "SLURM_LOCALID",       "SLURM_NODEID",
                                        "SLURM_STEP_ID",       "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                                        "SLURM_CPUS_PER_TASK", "SLURM_CLUSTER_NAME"};
    static const char *const lists[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "SLURM_JOB_GPUS",
                                        "SLURM_STEP_GPUS"}; /* "0" is a list, too, and no number */
    const char *user = environment_value(from, "USER");
    time_t now = time(NULL);
    struct tm local;
    d->n = 0;
    if (uname(&d->machine) == 0 && d->machine.nodename[0])
        add_text(d, from, "host", SMI_RUNLOG_TEXT, d->machine.nodename);
    if (!user)
        user = environment_value(from, "LOGNAME");
    add(d, from, user ? smi_runlog_text("user", user) : smi_runlog_whole("user", getuid()));
    add(d, from, smi_runlog_whole("pid", getpid()));
    if (localtime_r(&now, &local))
        add(d, from, smi_runlog_whole("utc_offset_s", local.tm_gmtoff));
    add_gpus(d, from);
    for (size_t i = 0; from->host && i < sizeof limits / sizeof *limits; i++)
        if (from->host->has >> limits[i] & 1)
            add(d, from,
                smi_runlog_real(smi_host_values[limits[i]].name, (double)from->host->v[limits[i]] / 1e6));
    if (from->recording)
        add(d, from, smi_runlog_whole("recording_number", from->recording));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        add_text(d, from, lists[i], SMI_RUNLOG_TEXT, environment_value(from, lists[i]));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add_text(d, from, words[i], SMI_RUNLOG_WORD, environment_value(from, words[i]));
    for (const struct smi_runlog_value *v = from->more; v && v->key; v++) {
        if (d->n == SMI_RUNLOG_VALUES)
            return smi_err_set(err, SMI_ELIMIT, "more than %d values in one line", SMI_RUNLOG_VALUES);
        d->value[d->n++] = *v;
    }
    d->value[d->n] = (struct smi_runlog_value){NULL, SMI_RUNLOG_TEXT, NULL, 0, 0};
    return 0;
}

void smi_start_event_fini(struct smi_start_event *d)
{
    smi_buf_fini(&d->gpu_names);
    smi_buf_fini(&d->gpu_memory);
    d->n = 0;
}

static const double seconds_max = 1e9; /* readers take no longer phase: 31 years */

int smi_runlog_open(struct smi_append *log, const char *path, struct smi_err *err)
{
    enum { HEAD = 65536 };
    static const char begin[] = "{\"ts\"";
    char *head = smi_mem_raw(HEAD);
    struct smi_detect why;
    ssize_t n;
    size_t some;
    bool good;
    if (smi_append_open(log, path, err)) {
        smi_mem_free(head);
        return -1;
    }
    n = log->file ? pread(log->fd, head, HEAD, 0) : 0; /* what may not be read may be a RunLog */
    some = n <= 0 ? 0 : n < (ssize_t)sizeof begin ? (size_t)n : sizeof begin - 1;
    /* a first line that a killed writer left unfinished tells by its beginning */
    good = memcmp(head, begin, some) == 0 || smi_detect(head, (size_t)n, true, &why) == SMI_FMT_RUNLOG;
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

/* Any value may stand in a list, and only one. */
static int put_json(struct smi_json *j, const struct smi_runlog_value *v, struct smi_err *err)
{
    struct smi_buf list = {0}, repaired = {0};
    json_error_t why;
    json_t *value = NULL;
    size_t lost = 0;
    int rc;
    smi_buf_fmt(&list, "[[%s]]", v->text); /* as deep as it will stand in the line */
    smi_json_load((struct smi_text){list.p, list.n}, &repaired, &value, &lost, &why);
    rc = 0;
    if ((lost || json_array_size(value) != 1 || json_array_size(json_array_get(value, 0)) != 1))
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
    char real[SMI_REAL_TEXT];
    smi_json_key(j, v->key);
    smi_real_write(real, v->real);
    if (v->kind == SMI_RUNLOG_REAL && isfinite(v->real))
        smi_json_raw(j, real);
    else if (v->kind == SMI_RUNLOG_REAL)
        smi_json_null(j);
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
