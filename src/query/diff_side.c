/* diff_side.c - which kind a side is, and the way to its runs. */
#include "query/diff.h"
#include "base/clock.h"
#include "base/file.h"
#include "formats/json_line.h"
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
    const char *name;              /* of the file */
    struct smi_json_values values; /* of the document at hand */
    struct smi_err *err;
};

/* --- values --- */

static struct smi_value json_number(const struct smi_json_value *v)
{
    return v && v->f.number ? (struct smi_value){.micro = v->f.micro, .has = true} : (struct smi_value){0};
}

static const char *json_text(struct smi_summary *s, const struct smi_json_value *v)
{
    return smi_json_is(v, SMI_JSON_STRING) ? smi_arena_text(&s->arena, v->f.text.p, v->f.text.n) : NULL;
}

/* The value at a path as "vram.total_mb". */
static const struct smi_json_value *json_at(const struct smi_json_value *run, const char *path)
{
    const char *dot = strchr(path, '.');
    return dot ? SMI_JSON_GET(smi_json_get(run, smi_text_between(path, dot)), dot + 1)
               : SMI_JSON_GET(run, path);
}

static void read_json_member(struct smi_summary *s, const struct smi_member *m,
                             const struct smi_json_value *v)
{
    void *at = (char *)s + m->at;
    struct smi_value x = json_number(v);
    if (m->place == SMI_PLACE_VALUE)
        *(struct smi_value *)at = x;
    else if (m->place == SMI_PLACE_LIMIT)
        *(int64_t *)at = x.has ? x.micro : -1;
    else if (m->place == SMI_PLACE_FLAG)
        *(bool *)at = smi_json_is(v, SMI_JSON_WORD) && smi_text_is(v->f.text, "true");
    else if (m->place == SMI_PLACE_TEXT)
        *(const char **)at = json_text(s, v);
}

/* --- who --- */

/* "name_bytes": what stood there before U+FFFD did. NULL if there is none. */
static const char *json_bytes(struct smi_summary *s, const struct smi_json_value *v)
{
    const char *hex = smi_json_text_of(v).p; /* a quote stands behind it */
    size_t n = smi_json_text_of(v).n / 2;
    char *to = n ? smi_arena_new(&s->arena, n + 1, 1) : NULL;
    unsigned c;
    for (size_t i = 0; to && i < n; i++) {
        if (sscanf(hex + 2 * i, "%2x", &c) != 1 || !c)
            return NULL;
        to[i] = (char)c;
    }
    return to;
}

static bool read_json_time(const struct smi_json_value *v, int64_t *ms, bool *zoned)
{
    int64_t us;
    bool fine;
    if (smi_clock_parse_iso(smi_json_text_of(v), &us, &fine, zoned))
        return false;
    *ms = us / 1000;
    return true;
}

static void read_json_identity(struct smi_summary *s, const struct smi_json_value *run)
{
    const struct smi_text state = smi_json_text_of(SMI_JSON_GET(run, "state"));
    const struct smi_value exit_code = json_number(SMI_JSON_GET(run, "exit_code"));
    bool zoned = false;
    s->state = SMI_STATE_UNKNOWN;
    for (int i = 0; i <= SMI_STATE_NO_DATA; i++)
        if (smi_text_is(state, smi_state_names[i]))
            s->state = (enum smi_state)i;
    s->has_exit = exit_code.has;
    s->exit_code = exit_code.micro / 1000000;
    s->has_start = read_json_time(SMI_JSON_GET(run, "start"), &s->start_ms, &s->zoned) &&
                   read_json_time(SMI_JSON_GET(run, "end"), &s->end_ms, &zoned);
}

/* {"lr": 0.1}: parameters, or joined columns. */
static void read_json_params(struct smi_summary *s, const struct smi_json_value *from,
                             const struct smi_param **to, size_t *n)
{
    struct smi_param *p = smi_arena_new(&s->arena, from ? from->size : 1, sizeof *p);
    char digits[SMI_JSON_DIGITS];
    *to = p;
    SMI_JSON_EACH (v, smi_json_is(from, SMI_JSON_OBJECT) ? from : NULL) {
        const struct smi_text text =
            v->kind >= SMI_JSON_OBJECT ? smi_text_of("null") : smi_json_plain(v, digits);
        p[*n].key = smi_arena_text(&s->arena, v->f.key.p, v->f.key.n);
        p[*n].bare = v->kind != SMI_JSON_STRING;
        p[*n].text = smi_arena_text(&s->arena, text.p, text.n);
        ++*n;
    }
}

/* What a row of runs says of all GPUs: how many, and the worst slowdown. */
static void read_json_gpus(struct smi_summary *s, const struct smi_json_value *list)
{
    struct smi_gpu *g = smi_arena_new(&s->arena, list ? list->size : 1, sizeof *g);
    s->gpus = g;
    SMI_JSON_EACH (from, smi_json_is(list, SMI_JSON_LIST) ? list : NULL) {
        const struct smi_json_value *all = SMI_JSON_GET(from, "throttle_pct");
        const struct smi_value index = json_number(SMI_JSON_GET(from, "gpu"));
        struct smi_throttle *t = smi_arena_new(&s->arena, all ? all->size : 1, sizeof *t);
        g->index = index.has ? (int)(index.micro / 1000000) : -1;
        g->uuid = json_text(s, SMI_JSON_GET(from, "uuid"));
        g->pooled = g->index < 0 && !g->uuid;
        g->throttle = t;
        SMI_JSON_EACH (v, smi_json_is(all, SMI_JSON_OBJECT) ? all : NULL) {
            t->reason = smi_arena_text(&s->arena, v->f.key.p, v->f.key.n);
            t->pct = json_number(v);
            g->throttle_known |= t++->pct.has;
            g->throttles++;
        }
        s->ngpus++;
        g++;
    }
}

/* --- runs --- */

static int fail_broken_json(struct loader *l, const char *what)
{
    return smi_err_set(l->err, SMI_EFORMAT, "%.300s: %s", l->name, what);
}

static int read_json_run(struct loader *l, const struct smi_json_value *run)
{
    struct smi_summary *s;
    const struct smi_json_value *name = SMI_JSON_GET(run, "run");
    if (!smi_json_is(name, SMI_JSON_STRING))
        return fail_broken_json(l, "an element of \"runs\" has no name: no summary of this version");
    s = SMI_MEM_ADD(l->to->runs, l->to->n, l->cap);
    memset(s, 0, sizeof *s);
    s->run = json_bytes(s, SMI_JSON_GET(run, "name_bytes"));
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
            json_number(SMI_JSON_GET(SMI_JSON_GET(run, "summary"), smi_headline_fields[i].key));
        if (x.has)
            smi_headline_set(&s->block, i, x.micro);
    }
    read_json_params(s, SMI_JSON_GET(run, "params"), &s->params, &s->nparams);
    read_json_params(s, SMI_JSON_GET(run, SMI_JSON_GET(run, "joined") ? "joined" : "facts"), &s->results,
                     &s->nresults); /* the first has the second, too */
    smi_sort((struct smi_param *)(uintptr_t)s->results, s->nresults, sizeof *s->results, smi_compare_names);
    read_json_gpus(s, SMI_JSON_GET(run, "gpus"));
    SMI_JSON_EACH (reason, json_at(run, "quality.reasons"))
        for (int k = 0; k < SMI_QUALITY_COUNT; k++)
            s->lacks |= (unsigned)smi_text_is(smi_json_text_of(reason), smi_quality_names[k]) << k;
    return 0;
}

/* Reads one run, or a document of runs. Numbers mean what they mean in the schema that they were written in.
 */
static int read_document(struct loader *l, struct smi_text t)
{
    const struct smi_json_value *doc, *runs;
    struct smi_text schema;
    int rc = 0;
    if (!smi_text_is_utf8(t))
        return fail_broken_json(l, "is not UTF-8");
    if (!smi_json_parse(t, &l->values))
        return fail_broken_json(l, "no JSON of up to 64 levels");
    doc = l->values.v;
    schema = smi_text_prefix(smi_json_text_of(SMI_JSON_GET(doc, "schema")), 60);
    runs = SMI_JSON_GET(doc, "runs");
    if (schema.n && !smi_text_is(schema, "smilog/1"))
        rc = smi_err_set(l->err, SMI_EFORMAT,
                         "%.300s: is of the schema %.*s, and this smilog knows smilog/1 only", l->name,
                         (int)schema.n, schema.p);
    else if (smi_json_is(SMI_JSON_GET(doc, "run"), SMI_JSON_STRING))
        rc = read_json_run(l, doc);
    else if (!smi_json_is(runs, SMI_JSON_LIST))
        rc = fail_broken_json(
            l, "holds no runs: of smilog summarize --json without --columns, --group-by and --sql");
    else
        SMI_JSON_EACH (run, runs)
            rc = rc ? rc : read_json_run(l, run);
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
    smi_json_values_fini(&l.values);
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
