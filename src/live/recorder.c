/* recorder.c - what a recording writes: its logs, and the run log */
#include "base/clock.h"
#include "base/file.h"
#include "formats/json_line.h"
#include "base/mem.h"
#include "formats/format.h"
#include "live/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* ---- a file to which lines are appended ---- */

enum {
    WAIT_MS = 200,    /* for the lock: it is held for microseconds, but its holder may have been stopped */
    PAUSE_NS = 200000 /* between two tries */
};

/* A file that may be written but not read is taken; its last byte then stays unknown. */
static int open_path(int dir, const char *path, struct stat *st, struct smi_err *err)
{
    const int flags = O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
    int fd = openat(dir, path, O_RDWR | flags, 0666);
    if (fd < 0 && errno == EACCES)
        fd = openat(dir, path, O_WRONLY | flags, 0666);
    if (fd < 0 || fstat(fd, st) != 0) {
        smi_file_error(err, "append to", path, strerror(errno));
    } else if (!S_ISREG(st->st_mode)) {
        smi_file_error(err, "append to", path,
                       S_ISFIFO(st->st_mode) ? "it is a pipe; - is standard output"
                                             : "it is a device; - is standard output");
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static void set_file(struct smi_append *a, int fd, const struct stat *st)
{
    a->fd = fd;
    a->dev = st->st_dev;
    a->ino = st->st_ino;
    a->size = st->st_size;
}

int smi_append_open(struct smi_append *a, int dir, const char *path, struct smi_err *err)
{
    bool output = strcmp(path, "-") == 0;
    struct stat st;
    /* Standard output goes where the caller's other writes go: its flags are left as they are. */
    int fd = output ? fcntl(1, F_DUPFD_CLOEXEC, 3) : open_path(dir, path, &st, err);
    *a = (struct smi_append){.fd = -1, .dir = dir, .file = !output};
    if (output && (fd < 0 || fstat(fd, &st)))
        return smi_file_error(err, "write", "standard output", strerror(errno));
    if (fd < 0)
        return -1;
    set_file(a, fd, &st);
    a->path = output ? smi_mem_text("standard output", 15) : smi_mem_text(path, strlen(path));
    if (pthread_mutex_init(&a->busy, NULL))
        smi_mem_exhausted();
    return 0;
}

/* The owner has renamed the file: makes another one. Returns 0, or -1 with err; the old one is kept then. */
static int append_renew(struct smi_append *a, struct smi_err *err)
{
    struct stat st;
    int fd = open_path(a->dir, a->path, &st, err);
    if (fd < 0)
        return -1;
    close(a->fd);
    set_file(a, fd, &st);
    a->headless = true;
    return 0;
}

int smi_append_check(struct smi_append *a, struct smi_err *err)
{
    struct stat st;
    struct smi_err kept = {0};
    bool there = !a->file || fstatat(a->dir, a->path, &st, 0) == 0;
    if (!a->file || (there && st.st_dev == a->dev && st.st_ino == a->ino && st.st_size >= a->size))
        return 0;
    if (there && st.st_dev == a->dev && st.st_ino == a->ino) {
        a->renewed = "truncated";
        a->alone = false; /* perhaps inside a line */
        a->size = st.st_size;
        a->headless = true;
        return 0;
    }
    there = fstat(a->fd, &st) == 0 && st.st_nlink > 0;
    if (append_renew(a, there ? &kept : err))
        return there ? 0 : -1;
    a->renewed = there ? "renamed" : "deleted";
    return 0;
}

/* Whether the lock was had. */
static bool lock_file(int fd)
{
    const struct timespec pause = {0, PAUSE_NS};
    for (int64_t until = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; nanosleep(&pause, NULL)) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        if (!until)
            until = smi_clock_now_ms() + WAIT_MS;
        else if (smi_clock_now_ms() > until)
            return false;
    }
    return true;
}

/* One write; more only where the kernel took less than all. */
static int write_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err)
{
    static char lf[] = "\n";
    struct iovec part[2] = {{lf, 0}, {(void *)(uintptr_t)p, n}};
    struct stat st = {.st_size = a->size};
    size_t written = 0, first;
    bool shared = a->file && !a->alone;
    char last = '\n';
    if (shared && fstat(a->fd, &st) != 0)
        return smi_file_error(err, "append to", a->path, strerror(errno));
    if (shared && st.st_size > 0 && pread(a->fd, &last, 1, st.st_size - 1) != 1)
        last = '\n';
    first = part[0].iov_len = last != '\n';
    while (written < n + first) {
        ssize_t k = writev(a->fd, part, 2);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            int why = k < 0 ? errno : EIO;
            off_t size =
                st.st_size; /* what was written of a line is cut off, unless another one's stands behind */
            if (a->file && written && fstat(a->fd, &st) == 0 && st.st_size == size + (off_t)written)
                (void)!ftruncate(a->fd, size);
            return smi_file_error(err, a->file ? "append to" : "write", a->path, strerror(why));
        }
        written += (size_t)k;
        part[0].iov_len = 0;
        part[1] = (struct iovec){(char *)(uintptr_t)p + (written - first), n + first - written};
    }
    a->size = st.st_size + (off_t)written;
    return 0;
}

int smi_append_line(struct smi_append *a, const char *p, size_t n, struct smi_err *err)
{
    bool locked;
    int rc;
    pthread_mutex_lock(&a->busy);
    rc = smi_append_check(a, err);
    locked = a->file && !a->alone && lock_file(a->fd);
    if (!rc && a->headless && a->head && a->head->n && p != a->head->p) /* p may be the head itself */
        rc = write_line(a, a->head->p, a->head->n, err);
    a->headless = a->headless && rc;
    if (!rc)
        rc = write_line(a, p, n, err);
    if (locked)
        flock(a->fd, LOCK_UN);
    pthread_mutex_unlock(&a->busy);
    return rc;
}

void smi_append_close(struct smi_append *a)
{
    if (a->path) {
        close(a->fd);
        pthread_mutex_destroy(&a->busy);
        smi_mem_free(a->path);
    }
    *a = (struct smi_append){.fd = -1};
}

/* ---- the log of a monitor ---- */

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
    if (!r->to.path && smi_append_open(&r->to, r->dir, r->path, &err) == 0)
        r->to.head = &r->head;
    if (r->most && r->to.path && r->to.size && r->to.size + (int64_t)n > r->rotate_at &&
        smi_append_check(&r->to, &err) == 0 && r->to.size + (int64_t)n > r->rotate_at) { /* the same file */
        r->stuck = put_aside(r);
        r->rotate_at = r->stuck ? r->to.size + r->most : r->most;
        if (!r->stuck)
            (void)append_renew(&r->to, &err); /* else the next line tries again */
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

/* ---- the run log ---- */

static const double seconds_max = 1e9; /* readers take no longer phase: 31 years */

int smi_runlog_open(struct smi_append *log, const char *path, struct smi_err *err)
{
    enum { HEAD = 65536 };
    static const char begin[] = "{\"ts\"";
    char head[HEAD];
    struct smi_detect why;
    ssize_t n;
    size_t some;
    bool good;
    if (smi_append_open(log, AT_FDCWD, path, err))
        return -1;
    n = log->file ? pread(log->fd, head, HEAD, 0) : 0; /* what may not be read may be a RunLog */
    some = n <= 0 ? 0 : n < (ssize_t)sizeof begin ? (size_t)n : sizeof begin - 1;
    /* a first line that a killed writer left unfinished tells by its beginning */
    good = memcmp(head, begin, some) == 0 || smi_detect(head, (size_t)n, true, &why) == SMI_FMT_RUNLOG;
    if (good)
        return 0;
    smi_append_close(log);
    return smi_err_set(err, SMI_EFORMAT,
                       "%.300s is not a run log, and stays as it is; name a new file, such as run.jsonl",
                       path);
}

static int check_values(const struct smi_runlog_value *list, bool phase, struct smi_err *err)
{
    static const char *const own[] = {"ts", "type", "name", "seconds", NULL};
    for (size_t i = 0; list && list[i].key; i++) {
        const char *key = list[i].key;
        if (i == SMI_RUNLOG_VALUES)
            return smi_err_set(err, SMI_ELIMIT, "more than %d values in one line", SMI_RUNLOG_VALUES);
        if (!*key)
            return smi_err_set(err, SMI_EUSAGE, "a key is empty");
        if (phase && smi_text_is_one_of(smi_text_of(key), own))
            return smi_err_set(err, SMI_EUSAGE, "%.100s is a key of the log itself", key);
        for (size_t k = 0; k < i; k++)
            if (strcmp(key, list[k].key) == 0)
                return smi_err_set(err, SMI_EUSAGE, "%.100s is given twice", key);
    }
    return 0;
}

/* Any value may stand in a list, and only one. */
static int put_json(struct smi_json *j, const struct smi_runlog_value *v, struct smi_err *err)
{
    struct smi_buf list = {0};
    struct smi_json_values d = {0};
    int rc = 0;
    smi_buf_fmt(&list, "[[%s]]", v->text); /* as deep as it will stand in the line */
    if (!smi_json_parse((struct smi_text){list.p, list.n}, &d) || d.lost || d.v[0].f.micro != 1 ||
        d.v[1].f.micro != 1)
        rc = smi_err_set(err, SMI_EUSAGE, "%.100s: %.100s is no JSON value", v->key, v->text);
    if (!rc) {
        for (size_t i = 0; i < list.n; i++) /* no string of JSON has them as they are */
            if (list.p[i] == '\n' || list.p[i] == '\r' || list.p[i] == '\t')
                list.p[i] = ' ';
        list.p[list.n - 2] = 0;
        smi_json_raw(j, list.p + 2);
    }
    smi_buf_fini(&list);
    smi_json_values_fini(&d);
    return rc;
}

static int put_values(struct smi_json *j, const struct smi_runlog_value *v, struct smi_err *err)
{
    int rc = 0;
    for (; v && v->key && !rc; v++) {
        char real[SMI_REAL_TEXT];
        smi_json_key(j, v->key);
        smi_real_write(real, v->real);
        if (v->kind == SMI_RUNLOG_REAL && isfinite(v->real))
            smi_json_raw(j, real);
        else if (v->kind == SMI_RUNLOG_WHOLE)
            smi_json_i128(j, v->whole);
        else if (v->kind == SMI_RUNLOG_BOOL)
            smi_json_bool(j, v->whole != 0);
        else if (v->kind == SMI_RUNLOG_JSON && v->text)
            rc = put_json(j, v, err);
        else if (v->kind == SMI_RUNLOG_WORD && v->text && smi_text_is_bare(smi_text_of(v->text)))
            smi_json_raw(j, v->text);
        else
            smi_json_str(j, v->text); /* of a real that is not finite: null */
    }
    return rc;
}

/* A phase, or an event, where seconds is negative:
 * {"ts": "2026-11-21T06:22:31.123+00:00", "type": "phase", "name": "compile", "seconds": 41.2} */
static int put_entry(struct smi_buf *to, const char *name, double seconds, const struct smi_runlog_value *v,
                     struct smi_err *err)
{
    const bool phase = seconds >= 0, data = !phase && v && v->key;
    const size_t from = to->n;
    char t[SMI_CLOCK_TEXT + 8];
    struct smi_json j;
    if (!*name)
        return smi_err_set(err, SMI_EUSAGE, "%s needs a name", phase ? "a phase" : "an event");
    if (check_values(v, phase, err))
        return -1;
    memcpy(t + smi_clock_write(t, smi_clock_utc_ms(), false), "+00:00", 7);
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "ts", t);
    smi_json_key_str(&j, "type", phase ? "phase" : "event");
    smi_json_key_str(&j, phase ? "name" : "event", name);
    if (phase) {
        smi_json_key(&j, "seconds");
        smi_json_micro(&j, llround(seconds * 1e6));
    }
    if (data)
        smi_json_key_open(&j, "data", '{');
    if (put_values(&j, v, err))
        return -1;
    if (data)
        smi_json_close(&j, '}');
    smi_json_close(&j, '}');
    smi_buf_char(to, '\n');
    return to->n - from <= SMI_RUNLOG_LINE_MAX
               ? 0
               : smi_err_set(err, SMI_ELIMIT, "a line of %zu bytes: readers take %d", to->n - from,
                             SMI_RUNLOG_LINE_MAX);
}

int smi_runlog_put_phase(struct smi_buf *to, const char *name, double seconds,
                         const struct smi_runlog_value *values, struct smi_err *err)
{
    if (!(seconds >= 0 && seconds <= seconds_max))
        return smi_err_set(err, SMI_EUSAGE, "a phase lasts 0 to 1000000000 seconds, not %.15g", seconds);
    return put_entry(to, name, seconds, values, err);
}

int smi_runlog_put_event(struct smi_buf *to, const char *name, const struct smi_runlog_value *values,
                         struct smi_err *err)
{
    return put_entry(to, name, -1, values, err);
}

int smi_runlog_append(struct smi_append *log, struct smi_buf *line, int rc, struct smi_err *err)
{
    rc = rc ? rc : smi_append_line(log, line->p, line->n, err);
    smi_buf_fini(line);
    return rc;
}

/* ---- the start event ---- */

/* Its values: what `from` says itself is not added. */
struct start {
    const struct smi_start_source *from;
    struct smi_runlog_value value[SMI_RUNLOG_VALUES + 2]; /* one too many is refused by who writes it */
    size_t n;
};

/* A text that is NULL is none. */
static void add(struct start *d, struct smi_runlog_value value)
{
    const bool number = value.kind == SMI_RUNLOG_REAL || value.kind == SMI_RUNLOG_WHOLE;
    for (const struct smi_runlog_value *v = d->from->more; v && v->key; v++)
        if (strcmp(v->key, value.key) == 0)
            return;
    if (d->n < SMI_RUNLOG_VALUES && (number || value.text))
        d->value[d->n++] = value;
}

int smi_runlog_put_start(struct smi_buf *to, const struct smi_start_source *from, struct smi_err *err)
{
    static const enum smi_host_id limits[] = {SMI_HOST_CG_RAM_LIMIT, SMI_HOST_CG_CPU_LIMIT};
    static const char *const words[] = {"SLURM_JOB_ID",        "SLURM_JOB_NAME",      "SLURM_JOB_PARTITION",
                                        "SLURM_JOB_NODELIST",  "SLURM_JOB_NUM_NODES", "SLURM_NTASKS",
                                        "SLURM_PROCID",        "SLURM_LOCALID",       "SLURM_NODEID",
                                        "SLURM_STEP_ID",       "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                                        "SLURM_CPUS_PER_TASK", "SLURM_CLUSTER_NAME"};
    static const char *const lists[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "SLURM_JOB_GPUS",
                                        "SLURM_STEP_GPUS"}; /* "0" is a list, too, and no number */
    struct start d = {.from = from};
    const char *user = getenv("USER");
    struct smi_buf names = {0}, memory = {0};
    bool named = false, sized = false;
    time_t now = time(NULL);
    struct utsname machine;
    struct tm local;
    int rc;
    if (uname(&machine) == 0 && machine.nodename[0])
        add(&d, smi_runlog_text("host", machine.nodename));
    if (!user)
        user = getenv("LOGNAME");
    add(&d, user ? smi_runlog_text("user", user) : smi_runlog_whole("user", getuid()));
    add(&d, smi_runlog_whole("pid", getpid()));
    if (localtime_r(&now, &local))
        add(&d, smi_runlog_whole("utc_offset_s", local.tm_gmtoff));
    for (size_t i = 0; i < from->gpus; i++) { /* ["NVIDIA H100 80GB HBM3", null] and [81559, null] */
        struct smi_json j;
        smi_buf_str(&names, i ? ", " : "[");
        smi_json_begin(&j, &names);
        smi_json_str(&j, *from->gpu[i].name ? from->gpu[i].name : NULL);
        smi_buf_fmt(&memory, from->gpu[i].memory_mib > 0 ? "%s%ld" : "%snull", i ? ", " : "[",
                    from->gpu[i].memory_mib);
        named |= *from->gpu[i].name != 0;
        sized |= from->gpu[i].memory_mib > 0;
    }
    smi_buf_char(&names, ']');
    smi_buf_char(&memory, ']');
    if (named)
        add(&d, (struct smi_runlog_value){"gpu_names", SMI_RUNLOG_JSON, names.p, 0, 0});
    if (sized)
        add(&d, (struct smi_runlog_value){"gpu_memory_mib", SMI_RUNLOG_JSON, memory.p, 0, 0});
    for (size_t i = 0; from->host && i < sizeof limits / sizeof *limits; i++)
        if (from->host->has >> limits[i] & 1)
            add(&d, smi_runlog_real(smi_host_values[limits[i]].name, (double)from->host->v[limits[i]] / 1e6));
    if (from->recording)
        add(&d, smi_runlog_whole("recording_number", from->recording));
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        add(&d, smi_runlog_text(lists[i], getenv(lists[i])));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        add(&d, (struct smi_runlog_value){words[i], SMI_RUNLOG_WORD, getenv(words[i]), 0, 0});
    for (const struct smi_runlog_value *v = from->more; v && v->key && d.n <= SMI_RUNLOG_VALUES; v++)
        d.value[d.n++] = *v;
    d.value[d.n] = (struct smi_runlog_value){.key = NULL};
    rc = smi_runlog_put_event(to, "start", d.value, err);
    smi_buf_fini(&names);
    smi_buf_fini(&memory);
    return rc;
}
