/* mlflow.c - what lies in the directory of a run of MLflow:
 *
 *     meta.yaml                                        run_name: bright-cod-123, status: 3, start_time:
 * 1783072800000 params/lr                                        0.1 tags/mlflow.source.git.commit
 * 801fc061d6d4... metrics/val_loss                                 1783072860123 1.6969 12
 *     metrics/system/gpu_0_utilization_percentage      1783072810456 87.0 1
 *
 * A line of a metric is a time in ms, a value and a step. */
#include "sweep/walk.h"

#include "base/clock.h"
#include "base/json.h"
#include "summary/run.h"
#include "sweep/config.h"

#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    VALUE_BYTES = 4096,
    META_BYTES = 65536,
    DEPTH = 4,
    NAME = 256,
    GPUS = 64,
    COLUMNS = 256,
    ODD_BYTES = 65536
};
/* mlflow.entities.RunStatus */
enum { RUNNING = 1, SCHEDULED, FINISHED, FAILED, KILLED };

/* ---- files ---- */

/* The last `most` bytes of a file, in b; nothing of one that cannot be read. */
static struct smi_text read_end(struct smi_buf *b, int dirfd, const char *name, size_t most)
{
    struct smi_file_info info;
    struct smi_err why = {0};
    int fd = smi_file_open(dirfd, name, false, &info, &why);
    size_t n = fd >= 0 && info.size < (int64_t)most ? (size_t)info.size : most;
    char *to;
    ssize_t got;
    smi_buf_clear(b);
    to = fd >= 0 ? smi_buf_room(b, n) : NULL;
    got = to ? smi_file_read_at(fd, to, n, info.size - (int64_t)n, name, &why) : 0;
    if (got > 0) {
        b->n += (size_t)got;
        b->p[b->n] = 0;
    }
    if (fd >= 0)
        close(fd);
    return (struct smi_text){b->p ? b->p : "", b->n};
}

/* What is done with the last `most` bytes of each file of a tree; path: below its top. */
struct visit {
    void (*file)(struct visit *v, const char *path, struct smi_text t);
    size_t most;
    const char *skip; /* a directory at the top that is not looked into; or NULL */
    struct smi_params *params, *facts;
    struct lines *lines;
};

static int compare_names(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* All files below the directory, in the order of names. */
static void visit_directory(struct visit *v, int dirfd, const char *name)
{
    struct smi_buf text = {0};
    char path[64];
    const size_t n = (size_t)snprintf(path, sizeof path, "/proc/self/fd/%d/%s", dirfd, name) + 1;
    FTS *tree = fts_open((char *const[]){path, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, compare_names);
    for (FTSENT *f; tree && (f = fts_read(tree));) {
        const char *below = f->fts_level > 0 ? f->fts_path + n : "";
        if ((f->fts_level > 0 && *f->fts_name == '.') || strlen(below) >= NAME || f->fts_level > DEPTH ||
            (v->skip && strcmp(below, v->skip) == 0))
            fts_set(tree, f, FTS_SKIP);
        else if (f->fts_info == FTS_F && f->fts_level > 0)
            v->file(v, below, read_end(&text, AT_FDCWD, f->fts_path, v->most));
    }
    smi_buf_fini(&text);
    if (tree)
        fts_close(tree);
}

/* ---- meta.yaml, params, tags, last values ---- */

static struct smi_text meta_text(const struct smi_params *meta, const char *key)
{
    const char *text = smi_param_text(meta->list, meta->n, key);
    return smi_text_of(text ? text : "");
}

/* Returns whether it is the meta.yaml of a run. */
static bool read_meta(struct smi_params *meta, int dirfd)
{
    struct smi_buf b = {0};
    const char *why;
    int rc = smi_params_yaml(meta, read_end(&b, dirfd, "meta.yaml", META_BYTES), 1, &why);
    smi_buf_fini(&b);
    return rc == 0 && (meta_text(meta, "run_id").n || meta_text(meta, "run_uuid").n);
}

static void add_param_file(struct visit *v, const char *path, struct smi_text t)
{
    t = smi_text_trim(t);
    if (smi_text_is(t, "None"))
        t = smi_text_of("null");
    else if (smi_text_is(t, "True") || smi_text_is(t, "False"))
        t = smi_text_of(*t.p == 'T' ? "true" : "false");
    smi_params_set(v->params, smi_text_of(path), t, smi_text_is_bare(t));
}

static void add_tag_file(struct visit *v, const char *path, struct smi_text t)
{
    static const char *const facts[][2] = {{"mlflow.runName", SMI_FACT_NAME},
                                           {"mlflow.source.git.commit", SMI_FACT_COMMIT},
                                           {"mlflow.source.name", SMI_FACT_COMMAND}};
    t = smi_text_trim(t);
    for (size_t i = 0; i < sizeof facts / sizeof *facts && t.n; i++)
        if (strcmp(path, facts[i][0]) == 0)
            smi_params_set(v->facts, smi_text_of(facts[i][1]), t, false);
}

/* "1783072860123 1.6969 12": time, value, step. The step is not read. */
static bool parse_line(struct smi_text line, int64_t *t_ms, struct smi_text *value)
{
    struct smi_text t = smi_text_trim(line), time = smi_text_word(&t);
    smi_i128 v;
    *value = smi_text_word(&t);
    if (!value->n || smi_i128_parse(time.p, time.n, &v) || v <= 0 || v >= INT64_C(1) << 48)
        return false;
    *t_ms = (int64_t)v;
    return true;
}

static void add_last_value(struct visit *v, const char *path, struct smi_text t)
{
    struct smi_text value, last = {0};
    int64_t t_ms;
    char key[NAME + 16];
    while (t.n) {
        struct smi_text line = smi_config_next_line(&t);
        if (line.p + line.n < t.p && parse_line(line, &t_ms, &value) && smi_text_is_number(value))
            last = value;
    }
    if (!last.n)
        return;
    snprintf(key, sizeof key, SMI_FACT_RESULT "%s", path);
    smi_params_set(v->facts, smi_text_of(key), last, true);
}

void smi_mlflow_list(struct smi_dir *t, struct smi_arena *a)
{
    static const char *const parts[] = {"params", "tags", "metrics"};
    static void (*const read[])(struct visit *, const char *,
                                struct smi_text) = {add_param_file, add_tag_file, add_last_value};
    struct smi_entry *log = smi_dir_find(t, "meta.yaml"), *part[3];
    struct smi_params meta = {.a = a}, params = {.a = a}, facts = {.a = a};
    struct visit v = {.most = VALUE_BYTES, .params = &params, .facts = &facts};
    for (int i = 0; i < 3; i++)
        if (!log || log->kind != SMI_ENTRY_LOG || !(part[i] = smi_dir_find(t, parts[i])) || !part[i]->sub)
            return;
    if (read_meta(&meta, t->fd)) {
        const struct smi_text name = meta_text(&meta, "run_name");
        for (int i = 0; i < 3; i++) {
            v.file = read[i];
            v.skip = i == 2 ? "system" : NULL;
            visit_directory(&v, t->fd, parts[i]);
            part[i]->sub = NULL; /* what is in there is known */
            part[i]->kind = SMI_ENTRY_LINK;
            part[i]->link = SMI_LINK_KNOWN;
        }
        if (name.n)
            smi_params_set(&facts, smi_text_of(SMI_FACT_NAME), name, false);
        log->format = SMI_FMT_MLFLOW;
        log->config = smi_arena_new(a, 1, sizeof *log->config);
        smi_config_keep(log->config, &params, &facts);
    }
    smi_mem_free(meta.list);
}

/* ---- metrics/system ---- */

struct sample {
    int64_t t_ms, v; /* millionths */
    unsigned column;
};

/* What the lines are made of. */
struct lines {
    struct sample *list;
    size_t n, cap, columns;
    struct smi_buf odd;      /* lines that are no samples, each behind the name of its file */
    char name[COLUMNS][104]; /* of the columns, in the words of W&B */
};

/* "gpu_0_utilization_percentage": "gpu.0.gpu"; "NODE/gpu_0...": "gpu.0.gpu/l:NODE". Memory is in 10^6 bytes:
 * its millionths are bytes. */
static bool name_column(char *to, size_t size, const char *path)
{
    static const char *const known[][2] = {{"utilization_percentage", "gpu"},
                                           {"memory_usage_megabytes", "memoryAllocatedBytes"},
                                           {"power_usage_watts", "powerWatts"},
                                           {"cpu_utilization_percentage", "cpu_utilization_percentage"},
                                           {"system_memory_usage_percentage", "memory_percent"}};
    const char *name = smi_file_name(path);
    const int node = name > path ? (int)(name - path) - 1 : 0;
    char gpu[16] = "";
    int at = 0;
    unsigned index;
    if (sscanf(name, "gpu_%3u_%n", &index, &at) == 1 && at && index < GPUS)
        snprintf(gpu, sizeof gpu, "gpu.%u.", index);
    for (size_t i = *gpu ? 0 : 3; i < (*gpu ? 3 : sizeof known / sizeof *known); i++)
        if (strcmp(name + (*gpu ? at : 0), known[i][0]) == 0)
            return (size_t)snprintf(to, size, "%s%s%s%.*s", gpu, known[i][1], node ? "/l:" : "", node, path) <
                   size;
    return false;
}

static void add_sample(struct lines *l, const char *file, struct smi_text line, bool whole)
{
    struct sample s = {.column = (unsigned)l->columns};
    struct smi_text value;
    bool good = whole && l->n < SMI_MLFLOW_SAMPLES && parse_line(line, &s.t_ms, &value),
         none = good && smi_text_is_nan(value);
    if (!good || (!none && !smi_json_text_number(value, &s.v))) {
        /* The reader rejects such a line, and shows it. */
        smi_buf_fmt(&l->odd, "%s: ", file);
        if (l->odd.n < ODD_BYTES)
            smi_buf_add(&l->odd, line.p, smi_text_prefix(line, 100).n);
        smi_buf_char(&l->odd, '\n');
        return;
    }
    if (none)
        return;
    *SMI_MEM_ADD(l->list, l->n, l->cap) = s;
}

/* Without its end a line is torn: its value may lack digits. */
static void add_metric_file(struct visit *v, const char *path, struct smi_text t)
{
    struct lines *l = v->lines;
    if (l->columns == COLUMNS || !name_column(l->name[l->columns], sizeof *l->name, path))
        return;
    while (t.n) {
        struct smi_text line = smi_config_next_line(&t);
        add_sample(l, path, line, line.p + line.n < t.p);
    }
    l->columns++;
}

static int compare_samples(const void *x, const void *y)
{
    const struct sample *a = x, *b = y;
    int d = (a->t_ms > b->t_ms) - (a->t_ms < b->t_ms);
    return d ? d : (a->column > b->column) - (a->column < b->column);
}

static void write_event(struct smi_buf *to, const char *kind, const char *event, int64_t t_ms,
                        const char *message)
{
    char time[32];
    time[smi_clock_write(time, t_ms, true)] = 0;
    smi_buf_fmt(to, "{\"wandb\": \"%s\", \"event\": \"%s\", \"time\": \"%s\", \"data\": {%s}}\n", kind, event,
                time, message);
}

/* The samples of one time are one line; of two of one column the last counts. */
static void write_samples(struct smi_buf *to, const struct lines *l)
{
    for (size_t i = 0, end; i < l->n; i = end) {
        smi_buf_fmt(to, "{\"wandb\": \"stats\", \"time\": %" PRId64 ".%03" PRId64, l->list[i].t_ms / 1000,
                    l->list[i].t_ms % 1000);
        for (end = i; end < l->n && l->list[end].t_ms == l->list[i].t_ms; end++) {
            const char *name = l->name[l->list[end].column];
            char digits[SMI_MICRO_TEXT];
            if (end + 1 < l->n && compare_samples(&l->list[end], &l->list[end + 1]) == 0)
                continue;
            if (strstr(name, "Bytes"))
                digits[smi_i128_write(digits, l->list[end].v)] = 0;
            else
                smi_text_write_micro(digits, l->list[end].v);
            smi_buf_fmt(to, ", \"%s\": %s", name, digits);
        }
        smi_buf_str(to, "}\n");
    }
    smi_buf_add(to, l->odd.n ? l->odd.p : "", l->odd.n);
}

static int64_t meta_number(const struct smi_params *meta, const char *key)
{
    struct smi_text t = meta_text(meta, key);
    return t.n && *t.p >= '0' && *t.p <= '9' && t.n < 16 ? strtoll(t.p, NULL, 10) : 0;
}

static void write_run(struct smi_buf *to, const struct smi_params *meta, const struct lines *l)
{
    static const char *const ends[][2] = {{"stop", ""},
                                          {"failed", "\"message\": \"status FAILED\""},
                                          {"killed", "\"message\": \"status KILLED\""}};
    int64_t start = meta_number(meta, "start_time"), end = meta_number(meta, "end_time"),
            status = meta_number(meta, "status");
    if (!start && l->n)
        start = l->list[0].t_ms;
    if (!end)
        end = l->n ? l->list[l->n - 1].t_ms : start;
    write_event(to, "run", "start", start, "");
    write_samples(to, l);
    if (status >= FINISHED && status <= KILLED)
        write_event(to, "exit", ends[status - FINISHED][0], end, ends[status - FINISHED][1]);
}

int smi_mlflow_open(const char *path, struct smi_file_info *info, struct smi_err *err)
{
    struct smi_arena a = {0};
    struct smi_params meta = {.a = &a};
    struct lines *l = smi_arena_new(&a, 1, sizeof *l);
    struct smi_buf b = {0};
    struct visit v = {.file = add_metric_file, .most = SMI_MLFLOW_FILE_BYTES, .lines = l};
    const char *run = smi_directory_of(&a, path);
    int dir = open(run, O_RDONLY | O_DIRECTORY | O_CLOEXEC), fd = -1;
    if (dir < 0) {
        smi_err_set(err, SMI_EIO, "%.200s: cannot be opened", run);
    } else {
        read_meta(&meta, dir);
        visit_directory(&v, dir, "metrics/system");
        smi_sort(l->list, l->n, sizeof *l->list, compare_samples);
        write_run(&b, &meta, l);
        close(dir);
        fd = smi_file_temp(err);
    }
    if (fd >= 0 && (smi_file_write(fd, b.p, b.n, "a temporary file", err) || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        fd = -1;
    }
    *info = (struct smi_file_info){.size = (int64_t)b.n};
    smi_mem_free(l->list);
    smi_buf_fini(&l->odd);
    smi_mem_free(meta.list);
    smi_buf_fini(&b);
    smi_arena_fini(&a);
    return fd;
}
