#include "sweep/reread.h"

#include "base/pool.h"
#include "base/text.h"
#include "summary/waste.h"
#include "summary/timeline.h"
#include "sweep/read_archive.h"

#include <stdlib.h>
#include <string.h>

/* ---- which runs ---- */

static size_t less_slashes(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

/* Is the run one of the PATHs itself? */
static bool is_named(const struct smi_summary *s, const struct smi_reread *how)
{
    for (size_t i = 0; s->path && i < how->n; i++) {
        size_t n = less_slashes(how->path[i]);
        if (less_slashes(s->path) == n && memcmp(s->path, how->path[i], n) == 0)
            return true;
    }
    return false;
}

struct rank {
    const struct smi_summary *s;
    size_t at;
    bool named;
    int64_t waste_ms;
};

static int compare_run_rank(const void *x, const void *y)
{
    const struct rank *a = x, *b = y;
    if (a->named != b->named)
        return a->named ? -1 : 1;
    if (a->waste_ms != b->waste_ms)
        return a->waste_ms > b->waste_ms ? -1 : 1;
    if (a->s->place != b->s->place)
        return a->s->place < b->s->place ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

int smi_reread_choose(const struct smi_sweep *s, const struct smi_reread *how, size_t *order,
                      struct smi_err *err)
{
    struct rank *rank = smi_mem_new(s->n, sizeof *rank);
    if (!rank)
        return smi_err_nomem(err);
    for (size_t i = 0; i < s->n; i++) {
        rank[i] = (struct rank){&s->runs[i], i, how && is_named(&s->runs[i], how),
                                smi_wasted_ms(&s->runs[i].waste)};
    }
    if (s->n)
        qsort(rank, s->n, sizeof *rank, compare_run_rank);
    for (size_t i = 0; i < s->n; i++)
        order[i] = rank[i].at;
    smi_mem_free(rank);
    return 0;
}

/* ---- reading ---- */

struct job {
    struct smi_sweep *s;
    const struct smi_reread *how;
    struct smi_options o;
    const size_t *place; /* in s->runs, of n runs */
    size_t n, next;
    size_t done, all; /* of those that are read */
    size_t points;
    const struct smi_found *found; /* found again, where runs in archives are read */
    size_t *want;                  /* for each run of it: its place in s->runs + 1; 0: it is not wanted */
    struct smi_pool pool;
};

/* Whether the run is to be read, and can be. */
static bool is_run_chosen(const struct job *j, const struct smi_summary *s)
{
    return !s->timeline && s->place < j->s->found.runs &&
           !smi_found_run_is_stream(&j->s->found.run[s->place]);
}

static void one_more(struct job *j)
{
    const struct smi_discover_opts *d = j->how->d;
    smi_pool_lock(&j->pool);
    j->done++;
    if (d->progress)
        d->progress(d->self, j->done, j->all);
    smi_pool_unlock(&j->pool);
}

/* The timeline of what was read, if it is still the run that was summarised. */
static int take_run(struct job *j, struct smi_summary *to, struct smi_run *run, struct smi_err *err)
{
    struct smi_summary fresh;
    int rc = smi_run_build(&fresh, run, &j->o, err);
    if (!rc && fresh.ngpus == to->ngpus && fresh.timeline) {
        to->timeline = smi_timeline_copy(fresh.timeline, j->points, &to->arena);
        rc = to->timeline ? 0 : smi_err_nomem(err);
    }
    smi_summary_fini(&fresh);
    return rc;
}

static int read_one(struct job *j, struct smi_summary *to, struct smi_read_buffers *room, struct smi_err *err)
{
    struct smi_run run = {0};
    int rc = smi_read_run(&run, &j->s->found.run[to->place], &j->o, room, err);
    if (!rc)
        rc = take_run(j, to, &run, err);
    smi_run_fini(&run);
    return rc;
}

/* smi_pool_next_fn: the next run that lies in no archive. */
static bool next_run(void *self, void *job)
{
    struct job *j = self;
    while (j->next < j->n) {
        struct smi_summary *s = &j->s->runs[j->place[j->next++]];
        if (!is_run_chosen(j, s) || j->s->found.run[s->place].unit)
            continue;
        *(struct smi_summary **)job = s;
        return true;
    }
    return false;
}

static void reread_thread(void *self, size_t thread)
{
    struct job *j = self;
    struct smi_read_buffers room = {0};
    struct smi_err err = {0};
    struct smi_summary *s;
    (void)thread;
    while (smi_pool_take(&j->pool, next_run, j, &s)) {
        if (read_one(j, s, &room, &err))
            smi_pool_fail(&j->pool, &err);
        one_more(j);
        smi_pool_done(&j->pool);
    }
    smi_read_buffers_fini(&room);
}

/* ---- archives ---- */

static int take_member(void *self, size_t number, struct smi_run *run, struct smi_err *err)
{
    struct job *j = self;
    int rc = 0;
    if (j->want[number]) {
        rc = take_run(j, &j->s->runs[j->want[number] - 1], run, err);
        one_more(j);
    }
    return rc;
}

/* Does any of the runs wait that lie in archives? */
static bool some_in_archives(const struct job *j)
{
    for (size_t i = 0; i < j->n; i++) {
        const struct smi_summary *s = &j->s->runs[j->place[i]];
        if (is_run_chosen(j, s) && j->s->found.run[s->place].unit)
            return true;
    }
    return false;
}

/* The place of a run among those that were found again: where it was, if nothing has changed. */
static size_t find_run(const struct smi_found *found, const struct smi_summary *s)
{
    size_t i = s->place;
    if (i < found->runs && strcmp(found->run[i].name, s->run) == 0)
        return i;
    for (i = 0; i < found->runs && strcmp(found->run[i].name, s->run);)
        i++;
    return i;
}

/* Those that are not wanted are read no more: they leave their unit. */
static void choose_runs(struct job *j, struct smi_found *found)
{
    for (size_t i = 0; i < j->n; i++) {
        const struct smi_summary *s = &j->s->runs[j->place[i]];
        size_t at = s->timeline || !j->s->found.run[s->place].unit ? found->runs : find_run(found, s);
        if (at < found->runs)
            j->want[at] = j->place[i] + 1;
    }
    for (size_t i = 0; i < found->runs; i++)
        found->run[i].unit = j->want[i] ? found->run[i].unit : 0;
}

/* What a walk keeps of the logs in an archive is used up by the first reading: the paths are walked again. */
static int read_archives(struct job *j, struct smi_err *err)
{
    struct smi_discover_opts d = *j->how->d;
    struct smi_found found;
    int rc = 0;
    if (!some_in_archives(j))
        return 0;
    d.progress = NULL;
    if (smi_discover(&found, j->how->path, j->how->n, &d, err))
        return -1;
    j->found = &found;
    j->want = smi_mem_new(found.runs, sizeof *j->want);
    if (!j->want)
        rc = smi_err_nomem(err);
    else
        choose_runs(j, &found);
    for (size_t i = 0; !rc && i < found.runs; i++) {
        size_t unit = found.run[i].unit;
        if (!unit)
            continue;
        rc = smi_read_archives(&found, unit, &j->o, take_member, j, err);
        for (size_t k = i; k < found.runs; k++)
            found.run[k].unit = found.run[k].unit == unit ? 0 : found.run[k].unit;
    }
    smi_mem_free(j->want);
    smi_found_fini(&found);
    return rc;
}

/* ---- timelines ---- */

/* Of those that were kept only the chosen ones stay, no longer than is wanted. */
static int finish_timelines(struct job *j)
{
    bool *chosen = smi_mem_new(j->s->n, sizeof *chosen);
    int rc = chosen ? 0 : -1;
    for (size_t i = 0; !rc && i < j->n; i++)
        chosen[j->place[i]] = true;
    for (size_t i = 0; !rc && i < j->s->n; i++) {
        struct smi_summary *s = &j->s->runs[i];
        if (!chosen[i])
            s->timeline = NULL;
        else if (s->timeline && j->points && s->timeline->n > j->points)
            rc = (s->timeline = smi_timeline_copy(s->timeline, j->points, &s->arena)) ? 0 : -1;
    }
    smi_mem_free(chosen);
    return rc;
}

int smi_reread_timelines(struct smi_sweep *s, const struct smi_reread *how, const size_t *place, size_t n,
                         size_t points, struct smi_err *err)
{
    struct job j = {.s = s, .how = how, .o = *how->o, .place = place, .n = n, .points = points};
    int rc = finish_timelines(&j) ? smi_err_nomem(err) : 0;
    j.o.timeline = true;
    j.o.skip_series = 0;
    j.o.text = NULL;
    j.o.threads = n ? (unsigned)(how->d->threads / n) : 0;
    if (rc)
        return -1;
    for (size_t i = 0; i < n; i++)
        j.all += is_run_chosen(&j, &s->runs[place[i]]);
    smi_pool_init(&j.pool);
    rc = smi_pool_run(&j.pool, how->d->threads < n ? how->d->threads : n, reread_thread, &j, err);
    rc = rc ? rc : read_archives(&j, err);
    smi_pool_fini(&j.pool);
    return rc;
}
