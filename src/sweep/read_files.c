#include "sweep/read_files.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/container.h"
#include "base/stream.h"
#include "formats/file_group.h"
#include "sweep/mlflow.h"
#include "sweep/read_stream.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SMALL = 1 << 17 /* bytes of a log that is held */ };

const struct smi_format_info *smi_read_file_source(const struct smi_run_file *f)
{
    static const struct smi_format_info unknown = {.rows = true};
    return f->f->format < 0 ? &unknown : &smi_format_infos[f->f->format];
}

struct smi_ingest_opts smi_read_opts(const struct smi_run_reader *r, const struct smi_run_file *f)
{
    return (struct smi_ingest_opts){.format = f->f->format,
                                    .columns = f->f->columns,
                                    .gpu_count = r->o->gpu_count,
                                    .shelf = r->room ? &r->room->shelf : NULL};
}

int smi_read_add_problem(struct smi_run_reader *r, const struct smi_run_file *f, const struct smi_err *why)
{
    return smi_run_add_problem(r->run, r->err, "%s: %s", f->f->shown, why->text);
}

/* Made once, and only for files of equal size. What cannot be read is like nothing else. */
static uint64_t content_hash(struct smi_run_file *f)
{
    char buf[65536];
    struct smi_digest digest = smi_digest_init(0);
    const struct smi_file_view whole = {.fd = f->fd, .name = f->f->path, .all = f->all, .n = f->info.size};
    int64_t at = 0;
    ssize_t n;
    if (f->f->inside)
        return f->f->inside->hash;
    if (f->hashed)
        return f->hash;
    while ((n = smi_file_view_read(&whole, buf, sizeof buf, at, NULL)) > 0) {
        smi_digest_add(&digest, buf, (size_t)n);
        at += n;
    }
    f->hashed = true;
    return f->hash = n < 0 ? (uint64_t)(uintptr_t)f : smi_digest_value(&digest);
}

/* gpu0.csv and gpu1.csv: two GPUs that did the same. */
static bool has_other_gpu(const struct smi_run_file *a, const struct smi_run_file *b)
{
    int one = smi_file_group_gpu(a->f->path), other = smi_file_group_gpu(b->f->path);
    return one >= 0 && other >= 0 && one != other;
}

/* Of what it is unpacked to. */
static bool has_content(const struct smi_run_file *packed, uint64_t want)
{
    char buf[65536];
    struct smi_digest digest = smi_digest_init(0);
    struct smi_fd_source from = smi_fd_source_make(packed->fd, packed->f->path);
    struct smi_err err = {0};
    struct smi_stream *s = smi_stream_open(&from.pull, &err);
    ssize_t n = -1;
    while (s && (n = smi_stream_read(s, buf, sizeof buf, &err)) > 0)
        smi_digest_add(&digest, buf, (size_t)n);
    smi_stream_close(s);
    return lseek(packed->fd, 0, SEEK_SET) == 0 && n == 0 && smi_digest_value(&digest) == want;
}

/* log.csv.gz, of log.csv beside it. */
static bool is_packed_twin(const struct smi_run_file *packed, struct smi_run_file *plain)
{
    return packed->coded && packed->fd >= 0 && !plain->coded &&
           smi_file_group_is_packed_of(packed->f->path, plain->f->path) &&
           has_content(packed, content_hash(plain));
}

/* Both are files, or members of archives. */
static bool have_same_content(struct smi_run_file *a, struct smi_run_file *b)
{
    bool same_file = a->info.ino && a->info.dev == b->info.dev && a->info.ino == b->info.ino;
    if (a->info.stream || b->info.stream || a->info.size == 0 || (!same_file && has_other_gpu(a, b)))
        return false;
    if (is_packed_twin(a, b))
        return true;
    return a->info.size == b->info.size && (same_file || content_hash(a) == content_hash(b));
}

/* A small log is read at once: it is looked at more than once before its rows can be. Short of what its size
 * says, it is left to be read as it comes. */
static void read_small_log(struct smi_run_reader *r, struct smi_run_file *f)
{
    struct smi_read_buffers *room = r->room;
    size_t n = f->info.size > SMALL ? SMALL + 1 : (size_t)f->info.size, got = 0;
    ssize_t some = 1;
    if (f->info.stream || !room || n == 0 || n > SMALL || n > SMI_READ_BUFFER_BYTES - room->used)
        return;
    if (!room->p && !(room->p = smi_mem_raw(SMI_READ_BUFFER_BYTES)))
        return;
    f->all = room->p + room->used;
    while (got < n &&
           (some = smi_file_read_at(f->fd, f->all + got, n - got, (int64_t)got, f->f->path, NULL)) > 0)
        got += (size_t)some;
    if (got == n)
        room->used += n;
    else
        f->all = NULL;
}

void smi_read_buffers_fini(struct smi_read_buffers *room)
{
    smi_mem_free(room->p);
    smi_reader_cache_fini(&room->shelf);
    smi_free_list_fini(&room->spares);
    smi_buf_fini(&room->document);
    smi_arena_fini(&room->summary);
    smi_run_store_slab_fini(&room->slab);
}

static int drop_twins(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *a = &r->file[i];
        for (size_t k = 0; k < i && !a->skip; k++) {
            struct smi_run_file *b = &r->file[k];
            if (b->skip || !have_same_content(a, b))
                continue;
            a->skip = true;
            if (smi_run_add_problem(r->run, r->err, "%s: the same content as %s, given twice: counted once",
                                    a->f->shown, b->f->shown))
                return -1;
        }
    }
    return 0;
}

int smi_read_open(struct smi_run_reader *r, const struct smi_found_run *found)
{
    r->file = smi_mem_new(found->files, sizeof *r->file);
    if (!r->file)
        return smi_err_nomem(r->err);
    r->n = found->files;
    for (size_t i = 0; i < r->n; i++) {
        struct smi_run_file *f = &r->file[i];
        struct smi_err why = {0};
        f->f = &found->file[i];
        f->fd = f->ends = -1;
        f->skip = f->f->bare;
        r->run->columns_unknown |= f->skip;
        if (f->skip && smi_run_add_problem(r->run, r->err,
                                           "%s: query CSV without a header, and not the nine reference "
                                           "columns: --input-columns LIST names them",
                                           f->f->shown))
            return -1;
        if (f->skip)
            continue;
        if (f->f->inside) {
            f->coded = true;
            f->info.size = f->f->inside->size;
            continue;
        }
        f->fd = f->f->format == SMI_FMT_MLFLOW ? smi_mlflow_open(f->f->path, &f->info, &why)
                : f->f->seen                   ? smi_file_open_seen(AT_FDCWD, f->f->path, &f->info, &why)
                                               : smi_file_open(AT_FDCWD, f->f->path, true, &f->info, &why);
        f->skip = f->fd < 0;
        if (f->fd >= 0)
            read_small_log(r, f);
        f->coded = f->all ? smi_container_detect(f->all, (size_t)f->info.size) != SMI_CONTAINER_PLAIN
                          : f->fd >= 0 && !f->info.stream && smi_read_is_encoded(f->fd);
        if (f->skip && smi_read_add_problem(r, f, &why))
            return -1;
    }
    return drop_twins(r);
}

void smi_read_close(struct smi_run_reader *r)
{
    for (size_t i = 0; i < r->n; i++) {
        if (r->file[i].fd >= 0)
            close(r->file[i].fd);
        if (r->file[i].ends >= 0)
            close(r->file[i].ends);
    }
    smi_mem_free(r->file);
}

/* Those of --param stand in front of all others, and win. What has no value is none. */
static int add_given_params(struct smi_run *run, const char *list, struct smi_err *err)
{
    struct smi_text word;
    char name[SMI_PARAM_GIVEN_MAX + 1], *value;
    while (smi_text_next_item(&list, &word)) {
        smi_text_copy(name, sizeof name, word);
        value = strchr(name, '=');
        if (!value || !value[1])
            continue;
        *value++ = 0;
        if (smi_run_add_param(run, name, value, smi_text_is_bare(smi_text_of(value)), false, err))
            return -1;
    }
    return 0;
}

int smi_read_describe(struct smi_run *run, const struct smi_found_run *found, const struct smi_options *o,
                      struct smi_err *err)
{
    *run = (struct smi_run){0};
    run->name = smi_mem_text(found->name, strlen(found->name));
    run->host = o->host ? smi_mem_text(o->host, strlen(o->host)) : NULL;
    if (!run->name || (o->host && !run->host))
        return smi_err_nomem(err);
    if (add_given_params(run, o->params, err))
        return -1;
    for (size_t i = 0; i < found->params; i++)
        if (smi_run_add_param(run, found->param[i].key, found->param[i].text, found->param[i].bare, false,
                              err))
            return -1;
    for (size_t i = 0; i < found->configs; i++)
        if (smi_run_add_param(run, found->config[i].key, found->config[i].text, found->config[i].bare, true,
                              err))
            return -1;
    for (size_t i = 0; i < found->facts; i++)
        if (smi_run_add_fact(run, found->fact[i].key, found->fact[i].text, found->fact[i].bare, err))
            return -1;
    for (size_t i = 0; i < found->problems; i++)
        if (smi_run_add_problem(run, err, "%s", found->problem[i]))
            return -1;
    return 0;
}
