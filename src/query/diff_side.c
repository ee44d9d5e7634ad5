/* diff_side.c - which kind a side is, and the way to its runs. */
#include "query/diff_side.h"

#include "base/stream.h"
#include "summary/run_fields.h"
#include "base/file.h"
#include "summary/merge_queue.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 4 << 20, PIECE = 1 << 16 };

static int read_partial(struct smi_sweep *out, const char *path, const struct smi_options *o,
                        struct smi_err *err)
{
    struct smi_merge_queue p = SMI_MERGE_QUEUE;
    int rc = smi_merge_queue_add_file(&p, path, err);
    rc = rc ? rc : smi_sweep_merge_queue(out, &p, o, err);
    smi_merge_queue_fini(&p);
    if (!rc) {
        out->usable = (int64_t)out->n;
        out->title = smi_arena_text(&out->arena, path, strlen(path));
    }
    return rc ? rc : out->title ? 0 : smi_err_nomem(err);
}

/* Behind "key": "smilog in a JSON text, or NULL. A key in a text of the user's has its quotes behind
 * backslashes. */
static const char *skip_json_key(const char *p, const char *key)
{
    static const char *const words[] = {":", "\"smilog"};
    int i = 0;
    for (; (p = strstr(p, key)); i = 0) {
        for (p += strlen(key); i < 2; i++) {
            p += strspn(p, " \t\r\n");
            if (strncmp(p, words[i], strlen(words[i])) != 0)
                break;
            p += strlen(words[i]);
        }
        if (i == 2)
            return p;
    }
    return NULL;
}

/* Appends the bytes of a file, unpacked and as UTF-8: all (SIZE_MAX), or those of which about `most` are
 * enough. Returns 0, or -1 with err: it cannot be read, is damaged, or memory. */
static int load_side(struct smi_buf *to, const char *path, size_t most, struct smi_err *err)
{
    struct smi_file_info info;
    char piece[PIECE];
    ssize_t n = -1;
    int fd = smi_file_open(AT_FDCWD, path, most == SIZE_MAX, &info, err);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, err);
    const char *doubt = NULL;
    while (s && (n = to->n < most ? smi_stream_read(s, piece, sizeof piece, err) : 0) > 0)
        smi_buf_add(to, piece, (size_t)n);
    doubt = n == 0 ? smi_stream_warning(s) : NULL;
    if (doubt) /* what can be told of it has a colon in front: of this nothing is used */
        smi_err_set(err, SMI_EFORMAT, "%.300s: %.*s", path, (int)strcspn(doubt, ":"), doubt);
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    return to->failed ? smi_err_nomem(err) : n < 0 || doubt ? -1 : 0;
}

/* The first bytes, or more of them; empty where it cannot be read. */
static int load_file_head(struct smi_buf *head, const char *path, size_t most, struct smi_err *err)
{
    struct smi_err why = {0};
    smi_buf_clear(head);
    if (load_side(head, path, most, &why)) {
        smi_buf_clear(head);
        if (why.code == SMI_ENOMEM)
            return smi_err_nomem(err);
    }
    smi_buf_char(head, 0);
    return head->failed ? smi_err_nomem(err) : 0;
}

static enum smi_side_kind detect_side_kind(const char *head)
{
    const char *p = skip_json_key(head, "\"schema\"");
    if (p && *p == '-')
        return p[1] == 'l' ? SMI_SIDE_LEDGER : SMI_SIDE_PARTIAL;
    return (p && *p == '/') || skip_json_key(head, "\"generator\"") ? SMI_SIDE_JSON : SMI_SIDE_LOGS;
}

/* Bytes that come only once. */
static bool is_pipe(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* What a pipe at standard input begins with, unpacked: of a copy, all of it is still to be read. */
static void peek_stdin(struct smi_buf *head)
{
    char piece[PIECE];
    struct smi_err why = {0};
    int to[2];
    ssize_t n = -1;
    struct smi_fd_source from;
    struct smi_stream *s = NULL;
    if (pipe2(to, O_CLOEXEC))
        return;
    n = tee(STDIN_FILENO, to[1], sizeof piece, 0);
    close(to[1]);
    from = smi_fd_source_make(to[0], "-");
    if (n > 0)
        s = smi_stream_open(&from.pull, &why);
    n = s ? smi_stream_read(s, piece, sizeof piece, &why) : -1;
    if (n > 0)
        smi_buf_add(head, piece, (size_t)n);
    smi_stream_close(s);
    close(to[0]);
}

static int kind_of_input(enum smi_side_kind *kind, struct smi_err *err)
{
    struct smi_buf head = {0};
    peek_stdin(&head);
    smi_buf_char(&head, 0);
    if (!head.failed && head.p[strspn(head.p, " \t\r\n")] == '{')
        *kind = detect_side_kind(head.p);
    smi_buf_fini(&head);
    return head.failed ? smi_err_nomem(err) : 0;
}

/* Standard input, as what can be opened again and again, if it is a file. */
static const char *resolve_stdin_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

int smi_side_kind(const char *path, enum smi_side_kind *kind, struct smi_err *err)
{
    struct smi_buf head = {0};
    int rc = 0;
    *kind = SMI_SIDE_LOGS;
    if (is_pipe(resolve_stdin_path(path)))
        return strcmp(path, "-") == 0 ? kind_of_input(kind, err) : 0;
    path = resolve_stdin_path(path);
    rc = load_file_head(&head, path, 1, err);
    if (!rc && head.p[strspn(head.p, " \t\r\n")] == '{') {
        *kind = detect_side_kind(head.p);
        if (*kind == SMI_SIDE_LOGS) { /* keys in the order of the alphabet: the schema comes late */
            rc = load_file_head(&head, path, HEAD, err);
            *kind = rc ? SMI_SIDE_LOGS : detect_side_kind(head.p);
        }
    }
    smi_buf_fini(&head);
    return rc;
}

static int read_json_side(struct smi_sweep *out, const char *name, bool pipe, struct smi_err *err)
{
    struct smi_buf all = {0};
    int rc = load_side(&all, resolve_stdin_path(name), SIZE_MAX, err);
    smi_buf_char(&all, 0);
    if (!rc && all.failed)
        rc = smi_err_nomem(err);
    if (!rc && pipe && detect_side_kind(all.p) != SMI_SIDE_JSON)
        rc = smi_err_set(err, SMI_EFORMAT,
                         "%.300s: is a pipe without smilog's JSON: give logs and partial summaries as "
                         "files",
                         name);
    if (!rc)
        rc = smi_side_read_json(out, name, (struct smi_text){all.p, all.n - 1}, err);
    smi_buf_fini(&all);
    return rc;
}

/* Does it begin with the name of a column of runs, as {"run": and run,state do? */
static bool is_rows(const char *head)
{
    size_t n;
    head += strspn(head, "{\" \t\r\n");
    n = strcspn(head, "\",\r\n");
    if (strncmp(head, "param.", 6) == 0)
        return true;
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        if (strlen(smi_run_fields[i].key) == n && strncmp(head, smi_run_fields[i].key, n) == 0)
            return true;
    return false;
}

/* Rows that summarize wrote are no logs, and of them no run can be made again. Returns 0, or -1 with err. */
static int check_rows(struct smi_sweep *out, const char *path, struct smi_err *err)
{
    struct smi_buf head = {0};
    bool none = strcmp(path, "-") != 0 && !(out->usable && out->n);
    int rc = none ? load_file_head(&head, path, 1, err) : 0;
    if (!rc && head.p && is_rows(head.p))
        rc = smi_err_set(
            err, SMI_EFORMAT,
            "%.300s: holds rows, and no runs: what summarize writes with --json, --format jsonl or "
            "--partial, and without --columns, --group-by and --sql, can be compared",
            path);
    smi_buf_fini(&head);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

int smi_side_read(struct smi_sweep *out, const char *path, const struct smi_discover_opts *d,
                  const struct smi_options *o, struct smi_err *err)
{
    enum smi_side_kind kind;
    bool pipe = strcmp(path, "-") != 0 && is_pipe(path);
    int rc;
    memset(out, 0, sizeof *out);
    if (smi_side_kind(path, &kind, err))
        return -1;
    if (kind == SMI_SIDE_LOGS && !pipe)
        return smi_sweep_read(out, &path, 1, d, o, err) ? -1 : check_rows(out, path, err);
    rc = kind == SMI_SIDE_PARTIAL ? read_partial(out, path, o, err) : read_json_side(out, path, pipe, err);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

bool smi_sides_are_one_run(const char *const path[2], const struct smi_sweep *s[2])
{
    char real[2][PATH_MAX];
    struct stat st[2];
    const char *slash[2];
    enum smi_side_kind kind;
    for (int k = 0; k < 2; k++) {
        if (s[k]->n != 1 || smi_side_kind(path[k], &kind, NULL) || kind != SMI_SIDE_LOGS ||
            !realpath(path[k], real[k]) || stat(real[k], &st[k]) || !S_ISREG(st[k].st_mode))
            return false;
        slash[k] = strrchr(real[k], '/');
    }
    return st[0].st_ino != st[1].st_ino && slash[0] - real[0] == slash[1] - real[1] &&
           memcmp(real[0], real[1], (size_t)(slash[0] - real[0])) == 0 &&
           strcmp(s[0]->runs[0].run, s[1]->runs[0].run) == 0;
}
