/* diff_side.c - which kind a side is, and the way to its runs. */
#include "query/diff.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "summary/run_fields.h"
#include "sweep/config.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- JSON that smilog wrote, as summaries: what a row of runs contains, and the parameters --- */

struct loader {
    struct smi_sweep *to;
    size_t cap;
    const char *name; /* of the file */
    struct smi_buf repaired;
    struct smi_err *err;
};

/* --- values --- */

static struct smi_value json_number(const json_t *v)
{
    struct smi_value x = {0};
    x.has = smi_json_number(v, &x.micro);
    return x;
}

static const char *json_text(struct smi_summary *s, const json_t *v)
{
    return json_is_string(v) ? smi_arena_text(&s->arena, json_string_value(v), json_string_length(v)) : NULL;
}

/* The value at a path as "vram.total_mb". */
static const json_t *json_at(const json_t *run, const char *path)
{
    const char *dot = strchr(path, '.');
    char first[32];
    if (!dot)
        return json_object_get(run, path);
    snprintf(first, sizeof first, "%.*s", (int)(dot - path), path);
    return json_object_get(json_object_get(run, first), dot + 1);
}

static void read_json_member(struct smi_summary *s, const struct smi_member *m, const json_t *v)
{
    void *at = (char *)s + m->at;
    struct smi_value x = json_number(v);
    if (m->place == SMI_PLACE_VALUE)
        *(struct smi_value *)at = x;
    else if (m->place == SMI_PLACE_LIMIT)
        *(int64_t *)at = x.has ? x.micro : -1;
    else if (m->place == SMI_PLACE_FLAG)
        *(bool *)at = json_is_true(v);
    else if (m->place == SMI_PLACE_TEXT)
        *(const char **)at = json_text(s, v);
}

/* --- who --- */

/* "name_bytes": what stood there before U+FFFD did. NULL if there is none. */
static const char *json_bytes(struct smi_summary *s, const json_t *v)
{
    const char *hex = json_string_value(v);
    size_t n = hex ? strlen(hex) / 2 : 0;
    char *to = n ? smi_arena_new(&s->arena, n + 1, 1) : NULL;
    unsigned c;
    for (size_t i = 0; to && i < n; i++) {
        if (sscanf(hex + 2 * i, "%2x", &c) != 1 || !c)
            return NULL;
        to[i] = (char)c;
    }
    return to;
}

static bool read_json_time(const json_t *v, int64_t *ms, bool *zoned)
{
    int64_t us;
    bool fine;
    if (!json_is_string(v) || smi_clock_parse_iso(smi_text_of(json_string_value(v)), &us, &fine, zoned))
        return false;
    *ms = us / 1000;
    return true;
}

static void read_json_identity(struct smi_summary *s, const json_t *run)
{
    const char *state = json_string_value(json_object_get(run, "state"));
    bool zoned = false;
    s->state = SMI_STATE_UNKNOWN;
    for (int i = 0; i <= SMI_STATE_NO_DATA && state; i++)
        if (strcmp(state, smi_state_names[i]) == 0)
            s->state = (enum smi_state)i;
    s->has_exit = json_is_integer(json_object_get(run, "exit_code"));
    s->exit_code = json_integer_value(json_object_get(run, "exit_code"));
    s->has_start = read_json_time(json_object_get(run, "start"), &s->start_ms, &s->zoned) &&
                   read_json_time(json_object_get(run, "end"), &s->end_ms, &zoned);
}

/* {"lr": 0.1}: parameters, or joined columns. */
static void read_json_params(struct smi_summary *s, json_t *from, const struct smi_param **to, size_t *n)
{
    struct smi_param *p = smi_arena_new(&s->arena, json_object_size(from) + 1, sizeof *p);
    char digits[SMI_JSON_DIGITS];
    struct smi_text text;
    const char *key;
    json_t *v;
    *to = p;
    json_object_foreach (from, key, v) {
        p[*n].key = smi_copy_text(&s->arena, key);
        p[*n].bare = !json_is_string(v);
        if (!smi_json_big_number(v, &text))
            text = json_is_array(v) || json_is_object(v) ? smi_text_of("null") : smi_config_scalar(v, digits);
        p[*n].text = smi_arena_text(&s->arena, text.p, text.n);
        ++*n;
    }
}

/* What a row of runs says of all GPUs: how many, and the worst slowdown. */
static void read_json_gpus(struct smi_summary *s, const json_t *list)
{
    struct smi_gpu *g = smi_arena_new(&s->arena, json_array_size(list) + 1, sizeof *g);
    s->gpus = g;
    for (; s->ngpus < json_array_size(list); s->ngpus++, g++) {
        const json_t *from = json_array_get(list, s->ngpus), *index = json_object_get(from, "gpu");
        json_t *all = json_object_get(from, "throttle_pct"), *v;
        struct smi_throttle *t = smi_arena_new(&s->arena, json_object_size(all) + 1, sizeof *t);
        const char *key;
        g->index = json_is_integer(index) ? (int)json_integer_value(index) : -1;
        g->uuid = json_text(s, json_object_get(from, "uuid"));
        g->pooled = g->index < 0 && !g->uuid;
        g->throttle = t;
        json_object_foreach (all, key, v) {
            t->reason = smi_copy_text(&s->arena, key);
            t->pct = json_number(v);
            g->throttle_known |= t++->pct.has;
            g->throttles++;
        }
    }
}

/* --- runs --- */

static int fail_broken_json(struct loader *l, const char *what)
{
    return smi_err_set(l->err, SMI_EFORMAT, "%.300s: %s", l->name, what);
}

static int read_json_run(struct loader *l, json_t *run)
{
    struct smi_summary *s;
    const json_t *name = json_object_get(run, "run");
    if (!json_is_string(name))
        return fail_broken_json(l, "an element of \"runs\" has no name: no summary of this version");
    s = SMI_MEM_ADD(l->to->runs, l->to->n, l->cap);
    memset(s, 0, sizeof *s);
    s->run = json_bytes(s, json_object_get(run, "name_bytes"));
    if (!s->run)
        s->run = json_text(s, name);
    read_json_identity(s, run);
    for (size_t i = 0; i < smi_run_list.n; i++) {
        const char *path = smi_member_path(&smi_run_list, &smi_run_list.of[i]);
        if (path)
            read_json_member(s, &smi_run_list.of[i], json_at(run, path));
    }
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        const struct smi_value x =
            json_number(json_object_get(json_object_get(run, "summary"), smi_headline_fields[i].key));
        if (x.has)
            smi_headline_set(&s->block, i, x.micro);
    }
    read_json_params(s, json_object_get(run, "params"), &s->params, &s->nparams);
    read_json_params(s, json_object_get(run, json_object_get(run, "joined") ? "joined" : "facts"),
                     &s->results, &s->nresults); /* the first has the second, too */
    smi_sort((struct smi_param *)(uintptr_t)s->results, s->nresults, sizeof *s->results, smi_compare_names);
    read_json_gpus(s, json_object_get(run, "gpus"));
    const json_t *reasons = json_at(run, "quality.reasons");
    for (size_t i = 0; i < json_array_size(reasons); i++)
        for (int k = 0; k < SMI_QUALITY_COUNT; k++) {
            const char *reason = json_string_value(json_array_get(reasons, i));
            s->lacks |= (unsigned)(reason && strcmp(reason, smi_quality_names[k]) == 0) << k;
        }
    return 0;
}

/* Reads one run, or a document of runs. Numbers mean what they mean in the schema that they were written in.
 */
static int read_document(struct loader *l, struct smi_text t)
{
    json_error_t why;
    json_t *doc = NULL, *runs;
    const char *schema;
    size_t lost;
    int rc = 0;
    if (!smi_text_is_utf8(t))
        return fail_broken_json(l, "is not UTF-8");
    smi_json_load(t, &l->repaired, &doc, &lost, &why);
    schema = json_string_value(json_object_get(doc, "schema"));
    runs = json_object_get(doc, "runs");
    if (!doc)
        rc = smi_err_set(l->err, SMI_EFORMAT, "%.300s: no JSON: %.100s", l->name, why.text);
    else if (schema && strcmp(schema, "smilog/1") != 0)
        rc = smi_err_set(l->err, SMI_EFORMAT,
                         "%.300s: is of the schema %.60s, and this smilog knows smilog/1 only", l->name,
                         schema);
    else if (json_is_string(json_object_get(doc, "run")))
        rc = read_json_run(l, doc);
    else if (!json_is_array(runs))
        rc = fail_broken_json(
            l, "holds no runs: of smilog summarize --json without --columns, --group-by and --sql");
    else
        for (size_t i = 0; !rc && i < json_array_size(runs); i++)
            rc = read_json_run(l, json_array_get(runs, i));
    json_decref(doc);
    return rc;
}

static bool ends_with(struct smi_text t, const char *end)
{
    size_t n = strlen(end);
    return t.n >= n && memcmp(t.p + t.n - n, end, n) == 0;
}

/* smilog writes a run as a line, in JSON too: so ten thousand runs are not in memory as JSON all at once. */
static int read_json_or_lines(struct loader *l, struct smi_text t)
{
    struct smi_text rest = t, line = smi_text_trim(smi_config_next_line(&rest));
    const bool open = ends_with(line, "\"runs\": [");
    struct smi_err *err = l->err, own = {0};
    struct smi_buf head = {0};
    int rc = 0;
    if (open) {
        smi_buf_fmt(&head, "%.*s]}", (int)line.n, line.p);
        rc = read_document(l, (struct smi_text){head.p, head.n});
        smi_buf_fini(&head);
    } else {
        l->err = &own;
        rc = read_document(l, line);
        l->err = err;
        if (rc) { /* no line is a run */
            l->to->n = 0;
            return read_document(l, t);
        }
    }
    while (!rc && rest.n) {
        line = smi_text_trim(smi_config_next_line(&rest));
        if (line.n && *line.p == ']')
            return 0;
        line.n -= ends_with(line, ",");
        rc = line.n ? read_document(l, line) : 0;
    }
    return rc ? rc : open ? fail_broken_json(l, "ends in the middle of \"runs\"") : 0;
}

/* --- the sweep --- */

enum { HEAD = 4 << 20 /* keys in the order of the alphabet: the schema comes late */, PIECE = 1 << 16 };

/* Behind "key": "smilog in a JSON text, or NULL. In a user's text the quotes of a key stand behind
 * backslashes. */
static const char *skip_json_key(const char *p, const char *key)
{
    int n = 0;
    while ((p = strstr(p, key))) {
        p += strlen(key);
        sscanf(p, " : \"smilog%n", &n);
        if (n)
            return p + n;
    }
    return NULL;
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

/* What a pipe at standard input begins with: of a copy, all of it is still to be read. */
static void peek_stdin(struct smi_buf *head)
{
    char path[32];
    int to[2];
    if (pipe2(to, O_CLOEXEC))
        return;
    tee(STDIN_FILENO, to[1], PIECE, 0);
    close(to[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", to[0]);
    smi_file_load(head, AT_FDCWD, path, INT64_MAX, &(struct smi_err){0});
    close(to[0]);
}

/* Standard input, as what can be opened again and again, if it is a file. */
static const char *resolve_stdin_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

enum smi_side_kind smi_side_kind(const char *path)
{
    const char *file = resolve_stdin_path(path);
    const bool pipe = is_pipe(file);
    struct smi_buf head = {0};
    enum smi_side_kind kind = SMI_SIDE_LOGS;
    if (!pipe) /* the first bytes, or more of them: those that can be read */
        smi_file_load(&head, AT_FDCWD, file, HEAD, &(struct smi_err){0});
    else if (file != path)
        peek_stdin(&head);
    smi_buf_char(&head, 0);
    if (head.p[strspn(head.p, " \t\r\n")] == '{')
        kind = detect_side_kind(head.p);
    smi_buf_fini(&head);
    return kind;
}

bool smi_side_is_json(const char *path)
{
    const enum smi_side_kind kind = smi_side_kind(path);
    return kind == SMI_SIDE_JSON || kind == SMI_SIDE_LEDGER || (strcmp(path, "-") != 0 && is_pipe(path));
}

int smi_side_read(struct smi_sweep *out, const char *path, struct smi_err *err)
{
    struct loader l = {.to = out, .name = path, .err = err};
    struct smi_buf all = {0};
    int rc = smi_file_load(&all, AT_FDCWD, resolve_stdin_path(path), INT64_MAX, err);
    memset(out, 0, sizeof *out);
    smi_buf_char(&all, 0);
    if (!rc && is_pipe(path) && detect_side_kind(all.p) != SMI_SIDE_JSON)
        rc = smi_err_set(err, SMI_EFORMAT,
                         "%.300s: is a pipe without smilog's JSON: give logs and partial summaries as files",
                         path);
    rc = rc ? rc : read_json_or_lines(&l, (struct smi_text){all.p, all.n - 1});
    smi_buf_fini(&l.repaired);
    smi_buf_fini(&all);
    if (!rc) {
        smi_sweep_results(out);
        smi_sweep_params(out);
    }
    out->usable = (int64_t)out->n;
    out->title = smi_copy_text(&out->arena, path);
    if (rc)
        smi_sweep_fini(out);
    return rc;
}

bool smi_sides_are_one_run(const char *const path[2], const struct smi_sweep *s[2])
{
    char real[2][PATH_MAX];
    struct stat st[2];
    const char *slash[2];
    for (int k = 0; k < 2; k++) {
        if (s[k]->n != 1 || smi_side_kind(path[k]) != SMI_SIDE_LOGS || !realpath(path[k], real[k]) ||
            stat(real[k], &st[k]) || !S_ISREG(st[k].st_mode))
            return false;
        slash[k] = strrchr(real[k], '/');
    }
    return st[0].st_ino != st[1].st_ino && slash[0] - real[0] == slash[1] - real[1] &&
           memcmp(real[0], real[1], (size_t)(slash[0] - real[0])) == 0 &&
           strcmp(s[0]->runs[0].run, s[1]->runs[0].run) == 0;
}
