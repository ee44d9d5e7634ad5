#include "sweep/read_archive.h"

#include "formats/samples_runs.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A member that a run waits for. */
struct want {
    int64_t id;
    size_t archive, run, file;
};

/* A run on its way. */
struct flight {
    struct smi_run_reader read;
    struct smi_run run;
};

struct unit {
    const struct smi_found *found;
    size_t unit;
    const struct smi_options *o;
    smi_run_fn *fn;
    void *self;
    struct want *want; /* in the order of archives and ids */
    size_t n, cap, at;
    struct flight **flight; /* a place for each run of the sweep; NULL: not begun, or done */
    bool *done;
    struct smi_err *err;
};

static int compare_member_place(const void *x, const void *y)
{
    const struct want *a = x, *b = y;
    if (a->archive != b->archive)
        return a->archive < b->archive ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static int list_members(struct unit *u)
{
    for (size_t i = 0; i < u->found->runs; i++) {
        const struct smi_found_run *r = &u->found->run[i];
        for (size_t k = 0; k < r->files && r->unit == u->unit; k++) {
            const struct smi_archived_log *in = r->file[k].inside;
            if (!in || !(u->o->scratch || smi_format_infos[r->file[k].format].rows))
                continue;
            if (smi_mem_reserve(&u->want, &u->cap, u->n + 1, sizeof *u->want))
                return smi_err_nomem(u->err);
            u->want[u->n++] = (struct want){in->id, in->archive, i, k};
        }
    }
    smi_sort(u->want, u->n, sizeof *u->want, compare_member_place);
    return 0;
}

static int begin_run(struct unit *u, size_t run)
{
    struct flight *f = u->flight[run] = smi_mem_new(1, sizeof *f);
    return f ? smi_read_begin(&f->read, &f->run, &u->found->run[run], u->o, NULL, u->err)
             : smi_err_nomem(u->err);
}

static int end_run(struct unit *u, size_t run)
{
    struct flight *f = u->flight[run];
    int rc = smi_read_end(&f->read);
    if (!rc && !u->err->code)
        rc = u->fn(u->self, run, &f->run, u->err);
    smi_run_fini(&f->run);
    smi_mem_free(f);
    u->flight[run] = NULL;
    u->done[run] = true;
    return rc;
}

/* Members come in the order of ids, and so do the wants. */
static int read_archive_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    struct unit *u = self;
    size_t archive = u->want[u->at].archive;
    (void)err; /* u->err is the same */
    for (; u->at < u->n && u->want[u->at].archive == archive && u->want[u->at].id <= m->id; u->at++) {
        const struct want *w = &u->want[u->at];
        struct flight *f;
        if (u->done[w->run] || w->id != m->id || m->kind != SMI_ARCHIVE_FILE)
            continue; /* a twin; or the archive is another one by now: smi_read_end says what is missing */
        if (!u->flight[w->run] && begin_run(u, w->run))
            return -1;
        f = u->flight[w->run];
        if (f->read.file[w->file].waits && !f->read.file[w->file].skip &&
            smi_read_member(&f->read, w->file, smi_stream_source(m->bytes)))
            return -1;
        if (!smi_read_waiting(&f->read) && end_run(u, w->run))
            return -1;
    }
    return u->at == u->n || u->want[u->at].archive != archive;
}

/* What the walk doubts was said when it was walked for the first time. */
static int read_archive(struct unit *u, size_t archive)
{
    const char *path = u->found->archive[archive].path;
    struct smi_file_info info;
    struct smi_err doubt = {0};
    int samples = u->found->archive[archive].samples, kept = u->found->archive[archive].kept, rc = 0;
    int fd = kept >= 0 ? kept : smi_file_open(AT_FDCWD, path, false, &info, &doubt);
    if (fd >= 0) {
        rc = samples >= 0 ? smi_samples_walk(fd, path, samples, read_archive_member, u, &doubt, u->err)
                          : smi_archive_walk(fd, path, read_archive_member, u, &doubt, u->err);
        if (fd != kept)
            close(fd);
    }
    while (!rc && u->at < u->n && u->want[u->at].archive == archive)
        u->at++;
    return rc;
}

static int read_rest(struct unit *u)
{
    for (size_t i = 0; i < u->found->runs; i++) {
        if (u->found->run[i].unit != u->unit || u->done[i])
            continue;
        if ((!u->flight[i] && begin_run(u, i)) || end_run(u, i))
            return -1;
    }
    return 0;
}

int smi_read_archives(const struct smi_found *found, size_t unit, const struct smi_options *o, smi_run_fn *fn,
                      void *self, struct smi_err *err)
{
    struct unit u = {.found = found, .unit = unit, .o = o, .fn = fn, .self = self, .err = err};
    int rc;
    u.flight = smi_mem_new(found->runs, sizeof *u.flight);
    u.done = smi_mem_new(found->runs, sizeof *u.done);
    rc = u.flight && u.done ? list_members(&u) : smi_err_nomem(err);
    while (!rc && u.at < u.n)
        rc = read_archive(&u, u.want[u.at].archive);
    if (!rc)
        rc = read_rest(&u);
    for (size_t i = 0; u.flight && i < found->runs; i++)
        if (u.flight[i]) /* something went wrong */
            end_run(&u, i);
    smi_mem_free(u.want);
    smi_mem_free(u.flight);
    smi_mem_free(u.done);
    return rc;
}
