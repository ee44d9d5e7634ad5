/* subtrack_collect.c - the files that are to be combined: those named, and those in directories that are
 * named. */
#include "process/subtrack_private.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

struct work {
    struct smi_sub_rows *rows;
    struct smi_sub_warnings *notes;
    struct smi_file_info *seen; /* what was read: nothing counts twice */
    size_t n, cap;
};

/* Was the file read already? Returns 1, 0, or -1 with err. */
static int seen_before(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_file_info id;
    if (!smi_file_id(path, &id))
        return 0;
    for (size_t i = 0; i < w->n; i++)
        if (w->seen[i].dev == id.dev && w->seen[i].ino == id.ino)
            return smi_sub_warn(w->notes, err, "%.*s: is given twice, and read once", SMI_SUB_SHOWN, path)
                       ? -1
                       : 1;
    if (smi_mem_reserve(&w->seen, &w->cap, w->n + 1, sizeof *w->seen))
        return smi_err_nomem(err);
    w->seen[w->n++] = id;
    return 0;
}

/* A file of a directory that is none is passed over. Returns 1 if it was read, 0, or -1 with err. */
static int try_file(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_err why = {0};
    size_t before = w->rows->n;
    int seen = seen_before(w, path, err);
    if (seen)
        return seen;
    if (smi_sub_rows_read(w->rows, path, w->notes, &why) == 0)
        return 1;
    w->rows->n = before;
    if (why.code == SMI_ENOMEM)
        return smi_err_nomem(err);
    return smi_sub_warn(w->notes, err, "passed over: %s", why.text);
}

static int compare_texts(const void *a, const void *b)
{
    const char *x, *y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return strcmp(x, y);
}

/* The names of the regular files of a directory, in order. Returns 0, or -1 with err. */
static int list_directory(const char *path, struct smi_arena *arena, const char ***name, size_t *n,
                          struct smi_err *err)
{
    size_t cap = 0;
    struct smi_buf b = {0};
    const struct dirent *d;
    struct stat st;
    int rc = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return smi_err_set(err, SMI_EIO, "cannot open %.*s: %s", SMI_SUB_SHOWN, path, strerror(errno));
    while (!rc && (d = readdir(dir))) {
        smi_buf_clear(&b);
        smi_buf_fmt(&b, "%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", d->d_name);
        if (b.failed || smi_mem_reserve(name, &cap, *n + 1, sizeof **name))
            rc = smi_err_nomem(err);
        else if (*d->d_name != '.' && stat(b.p, &st) == 0 && S_ISREG(st.st_mode) &&
                 !((*name)[(*n)++] = smi_arena_text(arena, b.p, b.n)))
            rc = smi_err_nomem(err);
    }
    closedir(dir);
    smi_buf_fini(&b);
    if (!rc)
        smi_sort(*name, *n, sizeof **name, compare_texts);
    return rc;
}

static int collect_directory(struct work *w, const char *path, struct smi_err *err)
{
    struct smi_arena arena = {0};
    const char **name = NULL;
    size_t n = 0;
    int rc = list_directory(path, &arena, &name, &n, err), got = 0, some = 0;
    for (size_t i = 0; !rc && i < n; i++) {
        got = try_file(w, name[i], err);
        some |= got > 0;
        rc = got < 0 ? -1 : 0;
    }
    if (!rc && !some)
        rc = smi_err_set(err, SMI_EFORMAT, "%.*s: has no sub-tracking file", SMI_SUB_SHOWN, path);
    smi_mem_free(name);
    smi_arena_fini(&arena);
    return rc;
}

int smi_sub_rows_collect(struct smi_sub_rows *r, const char *const *path, size_t n,
                         struct smi_sub_warnings *notes, struct smi_err *err)
{
    struct work w = {.rows = r, .notes = notes};
    struct stat st;
    int rc = 0, seen;
    for (size_t i = 0; !rc && i < n; i++) {
        if (stat(path[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            rc = collect_directory(&w, path[i], err);
            continue;
        }
        seen = seen_before(&w, path[i], err);
        rc = seen < 0 ? -1 : seen ? 0 : smi_sub_rows_read(r, path[i], notes, err);
    }
    smi_mem_free(w.seen);
    return rc;
}
