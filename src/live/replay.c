#include "live/replay.h"

#include "base/file.h"
#include "summary/run.h"
#include "live/replay_log.h"
#include "live/replay_archive.h"
#include "sweep/sweep.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MONO_MS = 1000 /* where the clock of the run begins */ };

struct smi_replay {
    struct smi_machine *now;
    struct smi_replay_log *log[SMI_REPLAY_LOGS];
    size_t logs;
    int64_t first_ms, at_ms; /* first row; where the clock stands */
    int *held;               /* open files that have no name any more: parts of an archive */
    size_t helds, held_cap;
};

/* ---- which logs ---- */

/* "hw_metrics.csv.2.gz" is part 2 of hw_metrics.csv: *stem bytes of its name are the log's. 0: the newest
 * part. */
static int64_t part_of(const char *name, size_t *stem)
{
    static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2"};
    size_t n = strlen(name), digits = 0, whole;
    int64_t part;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (n > strlen(packed[i]) && strcmp(name + n - strlen(packed[i]), packed[i]) == 0) {
            n -= strlen(packed[i]);
            break;
        }
    whole = *stem = n;
    while (digits < 9 && digits < n && strchr("0123456789", name[n - 1 - digits]))
        digits++;
    if (digits == 0 || digits + 1 >= n || name[n - 1 - digits] != '.' ||
        smi_text_parse_micro((struct smi_text){name + n - digits, digits}, &part))
        return 0;
    *stem = whole - digits - 1;
    return part / 1000000;
}

static int format_of(const char *name)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (name && smi_format_infos[i].name && strcmp(smi_format_infos[i].name, name) == 0)
            return i;
    return -1;
}

/* The log that this input is a part of; made if it is the first one. NULL without memory, or where there are
 * too many. */
static struct smi_replay_log *log_for(struct smi_replay *r, const char *name, int format)
{
    struct smi_replay_log *l;
    size_t stem;
    (void)part_of(name, &stem);
    for (size_t i = 0; i < r->logs; i++)
        if (r->log[i]->format == format && strncmp(r->log[i]->name, name, stem) == 0 &&
            !r->log[i]->name[stem])
            return r->log[i];
    if (r->logs == SMI_REPLAY_LOGS || !(l = smi_mem_new(1, sizeof *l)))
        return NULL;
    l->fd = -1;
    l->format = format;
    l->name = smi_mem_text(name, stem);
    r->log[r->logs++] = l;
    return l->name ? l : NULL;
}

/* Parts stand in the order in which they were written: the largest number first. */
static int add_part(struct smi_replay_log *l, const char *base, const char *name)
{
    char path[4200];
    struct stat st;
    size_t stem, i = l->paths;
    bool dir = stat(base, &st) == 0 && S_ISDIR(st.st_mode);
    snprintf(path, sizeof path, dir ? "%s/%s" : "%s", base, name);
    if (smi_mem_reserve(&l->path, &l->paths_cap, l->paths + 1, sizeof *l->path))
        return -1;
    for (; i > 0 && part_of(l->path[i - 1], &stem) < part_of(path, &stem); i--)
        l->path[i] = l->path[i - 1];
    l->path[i] = smi_mem_text(path, strlen(path));
    l->paths++;
    return l->path[i] ? 0 : -1;
}

/* How often rows come in logs without times: as in the others, most likely. */
static int64_t tick_of(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ninputs; i++)
        if (s->inputs[i].gpu && s->inputs[i].interval_s.has && s->inputs[i].interval_s.micro >= 1000)
            return s->inputs[i].interval_s.micro / 1000;
    return SMI_REPLAY_TICK_MS;
}

static int find_logs(struct smi_replay *r, const struct smi_summary *s, struct smi_err *err)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        int format = format_of(s->inputs[i].format);
        struct smi_replay_log *l;
        if (format < 0)
            continue;
        l = log_for(r, s->inputs[i].path, format);
        if (!l && r->logs == SMI_REPLAY_LOGS)
            return smi_err_set(err, SMI_ELIMIT, "more than %d logs are not played together", SMI_REPLAY_LOGS);
        if (!l || add_part(l, s->path, s->inputs[i].path))
            return smi_err_nomem(err);
        l->offset_s = s->zoned ? s->offset_s : 0;
        l->day_ms = s->has_start ? s->start_ms : 0;
        l->tick_ms = tick_of(s);
    }
    return r->logs ? 0 : smi_err_set(err, SMI_EUSAGE, "nothing in it can be played");
}

/* ---- open ---- */

static int begin_log(struct smi_replay *r, struct smi_err *err)
{
    r->first_ms = INT64_MAX;
    for (size_t i = 0; i < r->logs; i++) {
        struct smi_replay_log *l = r->log[i];
        if (smi_replay_log_open(l, err))
            return -1;
        l->source = smi_machine_add_source(r->now, l->name, l->format, 0, err);
        if (l->source < 0)
            return -1;
        r->first_ms = l->next_ms < r->first_ms ? l->next_ms : r->first_ms;
    }
    r->at_ms = r->first_ms;
    return r->first_ms < INT64_MAX ? 0 : smi_err_set(err, SMI_EUSAGE, "there is no row in it");
}

/* Files of a directory that goes away are reached by the descriptors that hold them. */
static int keep_archive(struct smi_replay *r, struct smi_err *err)
{
    for (size_t i = 0; i < r->logs; i++)
        for (size_t k = 0; k < r->log[i]->paths; k++) {
            char **path = &r->log[i]->path[k], name[40];
            int fd;
            if (smi_mem_reserve(&r->held, &r->held_cap, r->helds + 1, sizeof *r->held))
                return smi_err_nomem(err);
            fd = smi_file_open(AT_FDCWD, *path, false, &(struct smi_file_info){0}, err);
            if (fd < 0)
                return -1;
            r->held[r->helds++] = fd;
            smi_mem_free(*path);
            snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
            *path = smi_mem_text(name, strlen(name));
            if (!*path)
                return smi_err_nomem(err);
        }
    return 0;
}

/* What summarize knows of the run: which logs, which zone, how many GPUs. */
static int open_run(struct smi_replay *r, const char *path, const char *said,
                    const struct smi_machine_opts *o, struct smi_err *err)
{
    const struct smi_discover_opts d = {.format = -1, .threads = 1};
    const struct smi_options how = {.idle_below = o->idle_below};
    struct smi_machine_opts own = *o;
    struct smi_sweep s;
    int rc = smi_sweep_read(&s, &path, 1, &d, &how, err);
    if (rc)
        return -1;
    if (s.n != 1)
        rc = s.n ? smi_err_set(err, SMI_EUSAGE, "%.200s holds %zu runs: name one of them", said, s.n)
                 : smi_err_set(err, SMI_EUSAGE, "%.200s: no log of a run is there", said);
    if (rc == 0) {
        own.has_offset = true;
        own.offset_s = s.runs[0].zoned ? s.runs[0].offset_s : 0;
        for (size_t i = 0; i < s.runs[0].ngpus; i++)
            own.gpu_count += !s.runs[0].gpus[i].pooled;
        r->now = smi_machine_new(&own, err);
        rc = r->now ? find_logs(r, &s.runs[0], err) : -1;
    }
    smi_sweep_fini(&s);
    return rc;
}

/* The same of a run in an archive, whose files are there for as long as they are held. */
static int open_any(struct smi_replay *r, const char *path, const struct smi_machine_opts *o,
                    struct smi_err *err)
{
    struct smi_buf dir = {0}, inside = {0};
    int rc = smi_replay_unpack(&dir, &inside, path, err);
    if (rc == 0)
        rc = open_run(r, dir.n ? inside.p : path, path, o, err);
    if (rc == 0 && dir.n)
        rc = keep_archive(r, err);
    smi_replay_remove_unpacked(&dir);
    smi_buf_fini(&inside);
    return rc;
}

struct smi_replay *smi_replay_open(const char *path, const struct smi_machine_opts *o, struct smi_err *err)
{
    struct smi_replay *r = smi_mem_new(1, sizeof *r);
    if (!r) {
        smi_err_nomem(err);
        return NULL;
    }
    if (open_any(r, path, o, err) || begin_log(r, err)) {
        smi_replay_free(r);
        return NULL;
    }
    return r;
}

void smi_replay_free(struct smi_replay *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->logs; i++) {
        smi_replay_log_fini(r->log[i]);
        smi_mem_free(r->log[i]);
    }
    for (size_t i = 0; i < r->helds; i++)
        close(r->held[i]);
    smi_mem_free(r->held);
    smi_machine_free(r->now);
    smi_mem_free(r);
}

/* ---- playing ---- */

struct smi_machine *smi_replay_machine(struct smi_replay *r)
{
    return r->now;
}

int64_t smi_replay_first(const struct smi_replay *r)
{
    return r->first_ms;
}

/* The log whose lines are due first. */
static struct smi_replay_log *soonest_log(const struct smi_replay *r)
{
    struct smi_replay_log *l = r->log[0];
    for (size_t i = 1; i < r->logs; i++)
        l = r->log[i]->next_ms < l->next_ms ? r->log[i] : l;
    return l;
}

int64_t smi_replay_next(const struct smi_replay *r)
{
    return soonest_log(r)->next_ms;
}

static int64_t mono_of(const struct smi_replay *r)
{
    return r->at_ms - r->first_ms + MONO_MS;
}

/* Hands the lines at hand over, and looks at the next ones. */
static int play_log(struct smi_replay *r, struct smi_replay_log *l, struct smi_err *err)
{
    if ((l->fresh && l->at > 0 && smi_machine_restart(r->now, l->source, err)) ||
        smi_machine_feed(r->now, l->source, l->p + l->done, l->look - l->done, mono_of(r), err) ||
        smi_replay_log_next(l, err))
        return -1;
    return l->next_ms == INT64_MAX ? smi_machine_end(r->now, l->source, err) : 0;
}

int smi_replay_go(struct smi_replay *r, int64_t until_ms, struct smi_err *err)
{
    struct smi_replay_log *l;
    while ((l = soonest_log(r))->next_ms <= until_ms && l->next_ms < INT64_MAX) {
        r->at_ms = l->next_ms > r->at_ms ? l->next_ms : r->at_ms;
        if (play_log(r, l, err))
            return -1;
    }
    if (l->next_ms < INT64_MAX && until_ms > r->at_ms)
        r->at_ms = until_ms;
    smi_machine_tick(r->now, mono_of(r));
    return 0;
}
