/* config.c - what files beside the logs say of a run: YAML, JSON and key=value, as parameters and facts. */
#include "sweep/config.h"
#include "base/buf.h"
#include "base/err.h"
#include "formats/format.h"
#include "formats/json_line.h"
#include "summary/run.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static bool is_plain_text(struct smi_text t)
{
    if (t.n > SMI_CONFIG_TEXT)
        return false;
    for (size_t i = 0, len; i < t.n; i += len) {
        len = smi_text_utf8(t.p + i, t.n - i);
        if (!len || smi_text_unprintable(t.p + i, len) >= 0)
            return false;
    }
    return true;
}

static size_t find_param(const struct smi_params *p, struct smi_text key)
{
    size_t i = 0;
    while (i < p->n && !smi_text_is(key, p->list[i].key))
        i++;
    return i;
}

bool smi_params_has(const struct smi_params *p, struct smi_text key)
{
    return find_param(p, key) < p->n;
}

/* text: NULL for one that is hidden. */
static void set_param(struct smi_params *p, struct smi_text key, const struct smi_text *text, bool bare)
{
    size_t i = find_param(p, key);
    bool new = i == p->n, was = !new && p->list[i].text;
    struct smi_param *q;
    if (text ? !was && p->shown == SMI_CONFIG_PARAMS : new && p->n - p->shown == SMI_CONFIG_PARAMS) {
        p->over = true;
        return;
    }
    if (new)
        smi_mem_reserve(&p->list, &p->cap, i + 1, sizeof *p->list);
    q = &p->list[i];
    if (new)
        q->key = smi_arena_text(p->a, key.p, key.n);
    q->bare = bare;
    q->text = text ? smi_arena_text(p->a, text->p, text->n) : NULL;
    p->n += new;
    p->shown = p->shown - was + (text != NULL);
}

void smi_params_set(struct smi_params *p, struct smi_text key, struct smi_text text, bool bare)
{
    if (key.n && is_plain_text(key))
        set_param(p, key, is_plain_text(text) ? &text : NULL, bare);
}

/* The same of a path of keys, "optimizer.lr". W&B writes lr: {desc: null, value: 0.1}: that is lr. */
static void set_nested(struct smi_params *p, struct smi_text path, struct smi_text text, bool bare)
{
    static const char middle[] = ".value.";
    const char *dot = path.n ? memchr(path.p, '.', path.n) : NULL;
    size_t front = dot ? (size_t)(dot - path.p) : path.n, rest = path.n - front;
    struct smi_buf b = {0};
    if (smi_text_is((struct smi_text){path.p, front}, "_wandb") || smi_text_is(path, "wandb_version") ||
        (smi_text_is((struct smi_text){dot, rest}, ".desc") && smi_text_is(text, "null")))
        return;
    if (smi_text_is((struct smi_text){dot, rest}, ".value"))
        path.n = front;
    if (rest >= sizeof middle && memcmp(dot, middle, sizeof middle - 1) == 0) {
        smi_buf_add(&b, path.p, front);
        smi_buf_add(&b, dot + sizeof middle - 2, rest - (sizeof middle - 2));
        path = (struct smi_text){b.p, b.n};
    }
    smi_params_set(p, path, text, bare);
    smi_buf_fini(&b);
}

/* The key has no scalar, whatever stood there before: a list or a mapping, or it is taken away. */
static void drop_param(struct smi_params *p, struct smi_text key)
{
    size_t i = find_param(p, key);
    if (i == p->n)
        return;
    p->shown -= p->list[i].text != NULL;
    p->n--;
    memmove(&p->list[i], &p->list[i + 1], (p->n - i) * sizeof *p->list);
}

void smi_params_add(struct smi_params *p, const struct smi_param *q)
{
    struct smi_text text = smi_text_of(q->text ? q->text : "");
    if (!smi_params_has(p, smi_text_of(q->key)))
        set_param(p, smi_text_of(q->key), q->text ? &text : NULL, q->bare);
}

/* The list is ended. */
static const struct smi_param *keep_params(struct smi_params *p)
{
    struct smi_param *list = smi_arena_new(p->a, p->n + 1, sizeof *list);
    if (p->n)
        memcpy(list, p->list, p->n * sizeof *list);
    smi_mem_free(p->list);
    return list;
}

void smi_config_keep(struct smi_config *out, struct smi_params *params, struct smi_params *facts)
{
    *out = (struct smi_config){.param = keep_params(params),
                               .n = params->n,
                               .fact = keep_params(facts),
                               .facts = facts->n,
                               .over = params->over,
                               .text = params->over  ? "more than 256 parameters: the first of them count"
                                       : facts->over ? "more than 256 values: the first of them count"
                                                     : NULL};
}

struct smi_text smi_config_next_line(struct smi_text *rest)
{
    const char *end = memchr(rest->p, '\n', rest->n);
    struct smi_text line = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
    rest->p += line.n + (end != NULL);
    rest->n -= line.n + (end != NULL);
    return line;
}

/* ---- JSON ---- */

/* What o holds, below the keys of path: "" or "optimizer.". results: its numbers only, but for those of the
 * logger itself, which begin with an underscore. levels: of objects. */
static void flatten(struct smi_params *p, struct smi_buf *path, const struct smi_json_value *o, int levels,
                    bool results)
{
    const size_t above = path->n;
    SMI_JSON_EACH (v, o) {
        const struct smi_text key = v->f.key;
        const bool number = v->kind == SMI_JSON_NUMBER, object = v->kind == SMI_JSON_OBJECT;
        char digits[SMI_JSON_DIGITS];
        if (results && ((key.n && *key.p == '_') || !(number || (object && levels > 1))))
            continue;
        smi_buf_add(path, key.p, key.n);
        const struct smi_text whole = {path->p, path->n};
        if (object) {
            smi_buf_char(path, '.');
            flatten(p, path, v, levels - 1, results);
        } else if (results)
            smi_params_set(p, whole, smi_json_plain(v, digits), true);
        else if (v->kind != SMI_JSON_LIST)
            set_nested(p, whole, smi_json_plain(v, digits), v->kind != SMI_JSON_STRING);
        path->n = above;
    }
}

/* A list or a lone value is no mistake: it holds no parameters, and *o is NULL. */
static int parse_json(struct smi_json_values *d, struct smi_text t, const struct smi_json_value **o,
                      const char **why)
{
    t = smi_text_trim(t);
    *o = NULL;
    if (!smi_text_is_utf8(t))
        *why = "not UTF-8";
    else if (t.n && *t.p != '{')
        return 0;
    else if (t.n && smi_json_parse(t, d))
        *o = d->v;
    else
        *why = "not JSON of up to 64 levels";
    return *o ? 0 : 1;
}

/* ---- flat scalars of YAML ---- */

/* A scalar as it is meant: a plain 0.1 is a number, a quoted one is a text. */
struct scalar {
    struct smi_text text;
    bool bare; /* as in smi_param */
};

/* True, FALSE and Null are what JSON spells in small letters. */
static struct scalar plain_scalar(struct smi_text t)
{
    static const char *const words[][3] = {
        {"true", "True", "TRUE"}, {"false", "False", "FALSE"}, {"null", "Null", "NULL"}};
    struct scalar s = {t, false};
    for (size_t i = 0; i < 9; i++)
        if (smi_text_is(t, words[i / 3][i % 3]))
            s.text = smi_text_of(words[i / 3][0]);
    s.bare = smi_text_is_bare(s.text);
    return s;
}

struct reader {
    yaml_document_t yaml;
    struct smi_params *p;
    int levels;
    int next;            /* nodes are numbered in their order, from 1: one before this is an alias, which is
                          * never followed, as it may stand for very many */
    struct smi_buf path; /* of a node whose keys are known: "optimizer.lr" */
    const char *why;     /* it cannot be read on; or NULL */
};

/* Is the node a scalar? */
static bool take_scalar(struct reader *r, int node, struct scalar *s)
{
    const yaml_node_t *n = yaml_document_get_node(&r->yaml, node);
    const bool scalar = n->type == YAML_SCALAR_NODE;
    const struct smi_text t = {scalar ? (const char *)n->data.scalar.value : "",
                               scalar ? n->data.scalar.length : 0};
    if (scalar && n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
        strcmp((const char *)n->tag, YAML_STR_TAG) == 0)
        *s = plain_scalar(!t.n || smi_text_is(t, "~") ? smi_text_of("null") : t);
    else
        *s = (struct scalar){t, false};
    return scalar;
}

/* ---- overrides: lr=0.1, +model.depth=3, "name='a b'", ~dropped ---- */

static void take_override(struct reader *r, struct smi_text t)
{
    struct scalar s;
    const char *eq;
    while (t.n && *t.p == '+')
        t = (struct smi_text){t.p + 1, t.n - 1};
    eq = t.n ? memchr(t.p, '=', t.n) : NULL;
    if (t.n && *t.p == '~')
        drop_param(r->p, (struct smi_text){t.p + 1, eq ? (size_t)(eq - t.p) - 1 : t.n - 1});
    if (!eq || *t.p == '~')
        return;
    s = plain_scalar((struct smi_text){eq + 1, t.n - (size_t)(eq + 1 - t.p)});
    if (s.text.n >= 2 && (*s.text.p == '\'' || *s.text.p == '"') && s.text.p[s.text.n - 1] == *s.text.p)
        s.text = (struct smi_text){s.text.p + 1, s.text.n - 2};
    smi_params_set(r->p, (struct smi_text){t.p, (size_t)(eq - t.p)}, s.text, s.bare);
}

/* ---- nodes ---- */

static void read_node(struct reader *r, int node, bool keyed, int depth);

/* known: the keys that lead to it are, and stand in the path. */
static void read_mapping(struct reader *r, const yaml_node_t *n, bool known, int depth)
{
    const size_t above = r->path.n;
    for (const yaml_node_pair_t *i = n->data.mapping.pairs.start; i < n->data.mapping.pairs.top; i++) {
        struct scalar key;
        const bool keyed = take_scalar(r, i->key, &key);
        r->path.n = above;
        read_node(r, i->key, false, depth);
        if (keyed && known)
            smi_buf_add(&r->path, key.text.p, key.text.n);
        read_node(r, i->value, keyed && known && depth <= r->levels, depth);
    }
}

/* keyed: the path is that of its key; depth: how many lists and mappings it lies in. */
static void read_node(struct reader *r, int node, bool keyed, int depth)
{
    const yaml_node_t *n = yaml_document_get_node(&r->yaml, node);
    const bool again = node < r->next;
    struct scalar s;
    r->next = again ? r->next : node + 1;
    if (take_scalar(r, node, &s)) {
        if (keyed)
            set_nested(r->p, (struct smi_text){r->path.p, r->path.n}, s.text, s.bare);
        return;
    }
    if (keyed)
        drop_param(r->p, (struct smi_text){r->path.p, r->path.n});
    if (depth == SMI_CONFIG_DEPTH && !r->why)
        r->why = smi_format_text(r->p->a, "deeper than 64 levels, line %zu", n->start_mark.line + 1);
    if (again || r->why)
        return;
    if (n->type == YAML_MAPPING_NODE) {
        if (keyed && r->levels == SMI_CONFIG_DEPTH)
            smi_buf_char(&r->path, '.');
        else
            r->path.n = 0;
        read_mapping(r, n, keyed || !depth, depth + 1);
        return;
    }
    for (const yaml_node_item_t *i = n->data.sequence.items.start; i < n->data.sequence.items.top; i++) {
        if (!r->levels && !depth && take_scalar(r, *i, &s))
            take_override(r, s.text);
        read_node(r, *i, false, depth + 1);
    }
}

int smi_params_yaml(struct smi_params *p, struct smi_text yaml, int levels, const char **why)
{
    struct reader r = {.p = p, .levels = levels, .next = 1};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        smi_mem_exhausted();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)(yaml.n ? yaml.p : ""), yaml.n);
    if (!yaml_parser_load(&parser, &r.yaml)) {
        if (parser.error == YAML_MEMORY_ERROR)
            smi_mem_exhausted();
        r.why = smi_format_text(p->a, "%s, line %zu", parser.problem ? parser.problem : "not YAML",
                                parser.problem_mark.line + 1);
    } else {
        if (yaml_document_get_root_node(&r.yaml)) /* the first document is all */
            read_node(&r, 1, false, 0);
        yaml_document_delete(&r.yaml);
    }
    yaml_parser_delete(&parser);
    smi_buf_fini(&r.path);
    *why = r.why;
    return r.why != NULL;
}

/* what files beside the logs of a run say of it that is no parameter: host, command, commit,
 * GPUs, how it ended, and the values that it reached. */

enum { GPUS = 64 };

static void set_fact(struct smi_params *facts, const char *key, struct smi_text text)
{
    struct smi_text one_line = smi_text_prefix(text, SMI_CONFIG_TEXT);
    if (one_line.n)
        smi_params_set(facts, smi_text_of(key), one_line, false);
}

static void set_json_fact(struct smi_params *facts, const char *key, const struct smi_json_value *o,
                          const char *name)
{
    set_fact(facts, key, smi_json_text_of(SMI_JSON_GET(o, name)));
}

/* ---- wandb-metadata.json ----
 *
 *     {"host": "node1", "program": "/home/a/train.py", "codePath": "train.py", "args": ["--lr", "0.1"],
 *      "git": {"commit": "801fc061..", "remote": ".."}, "gpu": "NVIDIA A100", "gpu_count": 2,
 *      "gpu_nvidia": [{"name": "NVIDIA A100", "memoryTotal": "42949672960", "uuid": "GPU-1f.."}, ...]}
 *
 * Versions before 0.17 have gpu_devices with name and memory_total, and no uuid. */

static void set_wandb_command(struct smi_params *facts, const struct smi_json_value *o)
{
    struct smi_buf b = {0};
    struct smi_text program = smi_json_text_of(SMI_JSON_GET(o, "codePath"));
    const struct smi_json_value *args = SMI_JSON_GET(o, "args");
    if (!program.n)
        program = smi_json_text_of(SMI_JSON_GET(o, "program"));
    smi_buf_add(&b, program.p, program.n);
    SMI_JSON_EACH (v, program.n && smi_json_is(args, SMI_JSON_LIST) ? args : NULL) {
        const struct smi_text word = smi_json_text_of(v);
        smi_buf_char(&b, ' ');
        smi_buf_add(&b, word.p, word.n);
    }
    set_fact(facts, SMI_FACT_COMMAND, (struct smi_text){b.p ? b.p : "", b.n});
    smi_buf_fini(&b);
}

static void set_wandb_gpus(struct smi_params *facts, const struct smi_json_value *o)
{
    static const char *const told[][2] = {
        {SMI_FACT_GPU_NAME, "name"}, {SMI_FACT_GPU_UUID, "uuid"}, {SMI_FACT_GPU_MEMORY, "memoryTotal"}};
    const struct smi_json_value *list = SMI_JSON_GET(o, "gpu_nvidia"), *gpu;
    char key[40];
    if (!smi_json_is(list, SMI_JSON_LIST))
        list = SMI_JSON_GET(o, "gpu_devices");
    for (size_t i = 0; i < 3 * GPUS && (gpu = smi_json_element(list, i / 3)); i++) {
        snprintf(key, sizeof key, told[i % 3][0], i / 3);
        set_json_fact(facts, key, gpu, told[i % 3][1]);
    }
}

/* ---- values that a run reached ----
 *
 *     W&B: {"_step": 49, "_runtime": 168, "_wandb": {"runtime": 168}, "val_acc": 38.57, "test": {"acc": 39}}
 *     Ray: {"loss": 0.31, "training_iteration": 10, "trial_id": "a1b2c_00000", "config": {"lr": 0.1}} */

/* A line for each result: the last one counts, or the one before, if it is torn. */
static int parse_last_line(struct smi_json_values *d, struct smi_text t, const struct smi_json_value **o,
                           const char **why)
{
    int rc = 0;
    *o = NULL;
    for (size_t at; t.n; t.n = at ? at - 1 : 0) {
        const char *end = memrchr(t.p, '\n', t.n);
        at = end ? (size_t)(end - t.p) + 1 : 0;
        if (smi_text_trim(smi_text_from(t, at)).n && !(rc = parse_json(d, smi_text_from(t, at), o, why)))
            break;
    }
    return rc;
}

/* ---- slurm-ID.out ---- */

static bool contains(struct smi_text t, const char *words)
{
    return memmem(t.p, t.n, words, strlen(words)) != NULL;
}

/* How bad it is to have ended so: the worst line tells. */
enum { LAST_LINES = 20, CAUSE = 7 /* above all of what follows from it */ };
struct job_end {
    int rank;
    const char *state; /* of smi_state_names */
    char reason[80];
    char exit_code[24];
};

static void note_end(struct job_end *end, int rank, const char *state, const char *reason)
{
    if (rank <= end->rank)
        return;
    end->rank = rank;
    end->state = state;
    snprintf(end->reason, sizeof end->reason, "%s", reason);
}

/* What a line says of the end. Of Slurm, whose lines may stand behind a progress bar that has no end:
 *     slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2026-05-01T12:00:00 DUE TO TIME LIMIT ***
 *     slurmstepd: error: Detected 1 oom_kill event in StepId=4711.batch. Some of the step tasks have been OOM
 * Killed. srun: error: node3: task 0: Out Of Memory srun: error: node3: task 0: Exited with exit code 1
 * Of the program itself before it ended, or of what it was that ended it; it may have caught that and gone
 * on: it counts if the job failed, or if it is among the last lines: torch.OutOfMemoryError: CUDA out of
 * memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of
 * ... jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 8589934592 bytes.
 *     terminate called after throwing an instance of 'std::bad_alloc' */
static const struct end {
    const char *words, *reason;
    int rank; /* CAUSE: of the program */
    bool failed;
} job_ends[] = {
    {"oom-kill", "out of host memory", 6, true},
    {"oom_kill", "out of host memory", 6, true},
    {"Out Of Memory", "out of host memory", 6, true},
    {"Exceeded job memory limit", "out of host memory", 6, true},
    {"DUE TO TIME LIMIT", "time limit", 5, false},
    {"DUE TO PREEMPTION", "preempted", 5, false},
    {"DUE TO NODE FAILURE", "node failure", 5, false},
    {"DUE TO JOB REQUEUE", "requeued", 5, false},
    {"CANCELLED AT", "cancelled", 4, false},
    {"Segmentation fault", "segmentation fault", 3, true},
    {"Bus error", "bus error", 3, true},
    {": Aborted", "aborted", 3, true},
    {": Killed", "killed", 2, true},
    {"OutOfMemoryError", SMI_REASON_MEMORY, CAUSE, true},
    {"CUDA out of memory", SMI_REASON_MEMORY, CAUSE, true},
    {"HIP out of memory", SMI_REASON_MEMORY, CAUSE, true},
    {"CUDA_ERROR_OUT_OF_MEMORY", SMI_REASON_MEMORY, CAUSE, true},
    {"cudaErrorMemoryAllocation", SMI_REASON_MEMORY, CAUSE, true},
    {"CUDA error: out of memory", SMI_REASON_MEMORY, CAUSE, true},
    {"RESOURCE_EXHAUSTED", SMI_REASON_MEMORY, CAUSE, true},
    {"std::bad_alloc", "out of host memory", CAUSE, true},
    {"DefaultCPUAllocator: can't allocate memory", "out of host memory", CAUSE, true},
    {"oom-kill", "out of host memory", CAUSE, true},
    {"oom_kill", "out of host memory", CAUSE, true},
    {"Out of memory: Killed process", "out of host memory", CAUSE, true},
};

/* Of Slurm, or of the program: the first row of the highest rank; or NULL. */
static const struct end *find_end(struct smi_text line, bool slurm)
{
    const struct end *found = NULL;
    for (size_t i = 0; i < sizeof job_ends / sizeof *job_ends; i++)
        if ((job_ends[i].rank < CAUSE) == slurm && (!found || job_ends[i].rank > found->rank) &&
            contains(line, job_ends[i].words))
            found = &job_ends[i];
    return found;
}

static void read_slurm_line(struct job_end *end, struct smi_text line)
{
    static const char code[] = "Exited with exit code ";
    const char *at = memmem(line.p, line.n, code, sizeof code - 1);
    const long exit_code = at ? strtol(at + sizeof code - 1, NULL, 10) : 0; /* the text ends with a NUL */
    const struct end *e = find_end(line, true);
    char reason[SMI_EXIT_TEXT];
    if (e)
        note_end(end, e->rank, e->failed ? "failed" : "cut", e->reason);
    if (exit_code <= 0 || exit_code > 255)
        return;
    snprintf(end->exit_code, sizeof end->exit_code, "%ld", exit_code);
    note_end(end, 1, "failed", smi_exit_text(reason, exit_code));
}

static void read_job_output(struct smi_params *facts, struct smi_text t)
{
    struct job_end end = {0};
    const char *memory = NULL;
    int since = 0; /* lines behind that error */
    while (t.n) {
        struct smi_text line = smi_config_next_line(&t);
        const bool slurm = contains(line, "slurmstepd: error: ") || contains(line, "srun: error: ");
        const struct end *e = slurm ? NULL : find_end(line, false);
        const char *error = e                                                       ? e->reason
                            : !slurm && smi_text_starts_nocase(line, "MemoryError") ? "out of host memory"
                                                                                    : NULL;
        since = error ? 0 : since + (smi_text_trim(line).n > 0);
        memory = error ? error : memory;
        if (slurm)
            read_slurm_line(&end, line);
    }
    if (memory && (end.rank ? strcmp(end.state, "failed") == 0 : since < LAST_LINES))
        note_end(&end, CAUSE, "failed", memory);
    if (end.rank) {
        set_fact(facts, SMI_FACT_STATE, smi_text_of(end.state));
        set_fact(facts, SMI_FACT_REASON, smi_text_of(end.reason));
        set_fact(facts, SMI_FACT_EXIT, smi_text_of(end.exit_code));
    }
}

/* The first one of these that has a key counts. job_info.yaml nests what it says:
 *   job:
 *     date: 2024-04-03
 *     details:
 *       batch_size: 32 */
static const struct {
    const char *name;
    enum { YAML, JSON, WANDB_METADATA, JOB_OUTPUT } kind;
    int levels; /* of the mappings whose scalars are parameters; of YAML 0: a list of overrides */
    bool facts; /* it holds no parameters, but facts */
    size_t tail;
} files[] = {
    {"config.json", JSON, SMI_CONFIG_DEPTH, false, 0},
    {"params.json", JSON, SMI_CONFIG_DEPTH, false, 0}, /* Ray */
    {SMI_CONFIG_ABOVE, YAML, SMI_CONFIG_DEPTH, false, 0},
    {"config.yml", YAML, SMI_CONFIG_DEPTH, false, 0},
    {"hparams.yaml", YAML, SMI_CONFIG_DEPTH, false, 0}, /* Lightning */
    {"args.yaml", YAML, SMI_CONFIG_DEPTH, false, 0},    /* Ultralytics */
    {"args.json", JSON, SMI_CONFIG_DEPTH, false, 0},
    {"trial_params.json", JSON, SMI_CONFIG_DEPTH, false, 0},
    {SMI_CONFIG_HYDRA, YAML, 0, false, 0},
    {SMI_CONFIG_HYDRA_ALL, YAML, SMI_CONFIG_DEPTH, false, 0},
    {"job_info.yaml", YAML, 3, false, 0},
    {"wandb-metadata.json", WANDB_METADATA, 0, true, 0},
    {"wandb-summary.json", JSON, SMI_CONFIG_DEPTH, true, 0},
    {"result.json", JSON, 1, true, SMI_CONFIG_BYTES / 2}, /* parse_last_line */
    {"slurm-[0-9]*.out", JOB_OUTPUT, 0, true, 65536},     /* SMI_CONFIG_OUTPUT: this and those behind it */
    {"train.log", JOB_OUTPUT, 0, true, 65536},
    {"output.log", JOB_OUTPUT, 0, true, 65536}, /* W&B */
    {"*.err", JOB_OUTPUT, 0, true, 65536},
};
_Static_assert(sizeof files / sizeof *files == SMI_CONFIG_FILES, "the number of kinds of files");

int smi_config_rank(const char *name)
{
    for (int i = 0; i < SMI_CONFIG_FILES;
         i++) /* the first letter tells of nearly all files that they are none */
        if ((*files[i].name == *name || *files[i].name == '*') && fnmatch(files[i].name, name, 0) == 0)
            return i;
    return -1;
}

bool smi_config_is_job_output(const char *name)
{
    return *name == 's' && fnmatch(files[SMI_CONFIG_OUTPUT].name, name, 0) == 0;
}

size_t smi_config_tail(int rank)
{
    return files[rank].tail;
}

bool smi_config_is_hydra(const char *name)
{
    const size_t n = strlen(SMI_CONFIG_HYDRA_DIR);
    return strncmp(name, SMI_CONFIG_HYDRA_DIR, n) == 0 && (!name[n] || name[n] == '/');
}

/* ---- the file ---- */

/* All of it, in b: head first; or its last `tail` bytes and some before them. Returns 0; 1 if it is too
 * large; -1 with err. */
static int read_config_bytes(struct smi_buf *b, struct smi_text head, struct smi_byte_source *from,
                             size_t tail, struct smi_err *err)
{
    char piece[4096];
    ssize_t n = 0;
    smi_buf_add(b, head.p, head.n);
    while ((tail || b->n <= SMI_CONFIG_BYTES) && (n = from->read(from, piece, sizeof piece, err)) > 0) {
        if (tail && b->n > 2 * tail) {
            memmove(b->p, b->p + b->n - tail, tail);
            b->n = tail;
        }
        smi_buf_add(b, piece, (size_t)n);
    }
    return n < 0 ? -1 : b->n > SMI_CONFIG_BYTES;
}

/* Returns 0, or 1 with *why, a clause in the arena. */
static int read_text(struct smi_params *p, int rank, struct smi_text t, const char **why)
{
    const bool facts = files[rank].facts, ray = files[rank].tail > 0;
    struct smi_buf path = {0};
    struct smi_json_values values = {0};
    const struct smi_json_value *o;
    int rc;
    if (files[rank].kind == YAML)
        return smi_params_yaml(p, t, files[rank].levels, why);
    if (files[rank].kind == JOB_OUTPUT) {
        read_job_output(p, t);
        return 0;
    }
    rc = (ray ? parse_last_line : parse_json)(&values, t, &o, why);
    smi_buf_str(&path, facts ? SMI_FACT_RESULT : "");
    if (o && files[rank].kind == WANDB_METADATA) {
        set_json_fact(p, SMI_FACT_HOST, o, "host");
        set_wandb_command(p, o);
        set_json_fact(p, SMI_FACT_COMMIT, SMI_JSON_GET(o, "git"), "commit");
        set_wandb_gpus(p, o);
    } else if (o && (!ray || SMI_JSON_GET(o, "training_iteration")))
        flatten(p, &path, o, files[rank].levels, facts);
    smi_buf_fini(&path);
    smi_json_values_fini(&values);
    return rc;
}

void smi_config_read(struct smi_config *out, int rank, struct smi_text head, struct smi_byte_source *from,
                     struct smi_arena *a)
{
    struct smi_params p = {.a = a}, none = {.a = a};
    struct smi_buf b = {0};
    struct smi_err bad = {0};
    const bool facts = files[rank].facts;
    const char *why = "larger than 1 MiB";
    int rc = read_config_bytes(&b, head, from, files[rank].tail, &bad);
    *out = (struct smi_config){0};
    if (rc < 0)
        out->text = smi_copy_text(a, bad.text);
    if (!rc)
        rc = read_text(&p, rank, smi_line_without_bom((struct smi_text){b.p, b.n}), &why);
    if (rc > 0)
        out->text = smi_format_text(a, "%s: %s", facts ? "not used" : "no parameters", why);
    if (rc)
        smi_mem_free(p.list);
    else
        smi_config_keep(out, facts ? &none : &p, facts ? &p : &none);
    smi_buf_fini(&b);
}

/* what schedulers leave of a job: its output, and sacct's accounting */

/* sacct --parsable2, any fields with JobID and State among them:
 *
 *     JobID|JobName|State|ExitCode|Elapsed|AllocTRES
 *     4711|train|TIMEOUT|0:0|1-00:00:12|billing=8,cpu=8,gres/gpu=2,mem=64G,node=1
 *     4711.batch|batch|CANCELLED|0:15|1-00:00:14|cpu=8,mem=64G,node=1
 *     4712_3|train|CANCELLED by 1000|0:0|00:10:00|cpu=8 */

enum { COLUMNS = 256 };
static const char digits[] = "0123456789";

bool smi_jobs_is_file(const char *name)
{
    return strncmp(name, "sacct", 5) == 0;
}

bool smi_jobs_next_id(const char **name, struct smi_text *id)
{
    const char *task = id->n ? memchr(id->p, '_', id->n) : NULL, *p = *name + strcspn(*name, digits);
    size_t n = strspn(p, digits), more = n && p[n] == '_' ? strspn(p + n + 1, digits) : 0;
    if (task) {
        id->n = (size_t)(task - id->p);
        return true;
    }
    *id = (struct smi_text){p, more ? n + 1 + more : n};
    *name = p + n;
    return n > 0;
}

/* The first cells of a line. Returns how many. */
static size_t split_cells(struct smi_text line, struct smi_text cell[COLUMNS])
{
    size_t n = 0;
    for (const char *p = line.p, *end = p + line.n, *bar = p; bar && n < COLUMNS; p = bar ? bar + 1 : end) {
        bar = memchr(p, '|', (size_t)(end - p));
        cell[n++] = smi_text_between(p, bar ? bar : end);
    }
    return n;
}

/* "1:0" is exit status 1, "0:9" the signal 9. */
static void read_exit(struct smi_job *j, struct smi_text t, char reason[SMI_EXIT_TEXT])
{
    char text[32];
    int status = 0, signal = 0;
    smi_text_copy(text, sizeof text, t);
    if (sscanf(text, "%3d:%3d", &status, &signal) != 2 || strcmp(j->state, "cut") == 0 || signal > 64)
        return;
    j->exit_code = signal > 0 && !status ? 128 + signal : status;
    if (j->exit_code > 0)
        smi_exit_text(reason, j->exit_code);
}

static void read_end(struct smi_job *j, struct smi_text state, struct smi_text code, struct smi_arena *a)
{
    static const struct {
        const char *word, *state, *reason;
    } ends[] = {{"COMPLETED", "ok", NULL},           {"FAILED", "failed", NULL},
                {"TIMEOUT", "cut", "time limit"},    {"OUT_OF_MEMORY", "failed", "out of host memory"},
                {"CANCELLED", "cut", "cancelled"},   {"NODE_FAIL", "cut", "node failure"},
                {"PREEMPTED", "cut", "preempted"},   {"DEADLINE", "cut", "deadline"},
                {"BOOT_FAIL", "cut", "node failure"}};
    char reason[SMI_EXIT_TEXT] = "failed";
    j->exit_code = -1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !j->state; i++)
        if (smi_text_starts_nocase(state, ends[i].word)) {
            j->state = ends[i].state;
            j->reason = ends[i].reason;
        }
    if (j->state)
        read_exit(j, code, reason);
    if (j->state && strcmp(j->state, "failed") == 0 && !j->reason)
        j->reason = smi_copy_text(a, reason);
}

/* "4711", "4712_3" */
static bool is_job_id(struct smi_text t)
{
    const size_t n = smi_text_digits(t);
    const struct smi_text task = {t.p + n + 1, n < t.n ? t.n - n - 1 : 0};
    return n && (n == t.n || (t.p[n] == '_' && task.n && smi_text_digits(task) == task.n));
}

/* Of a job that comes again, the line that counts comes first. */
static int compare_jobs(const void *x, const void *y)
{
    const struct smi_job *a = x, *b = y;
    int d = strcmp(a->id, b->id);
    return d ? d : (a->line < b->line) - (a->line > b->line);
}

void smi_jobs_read(struct smi_text text, struct smi_arena *a, const struct smi_job **job, size_t *n)
{
    static const char *const wanted[] = {"JobID", "State", "ExitCode"};
    struct smi_text cell[COLUMNS], none = {"", 0};
    size_t most = 1, lines = 0, at[3],
           columns = split_cells(smi_text_trim(smi_config_next_line(&text)), cell);
    struct smi_job *list;
    *n = 0;
    *job = NULL;
    for (int i = 0; i < 3; i++)
        for (at[i] = 0; at[i] < columns && !smi_text_is(cell[at[i]], wanted[i]);)
            at[i]++;
    if (at[0] == columns || at[1] == columns)
        return;
    for (size_t i = 0; i < text.n; i++)
        most += text.p[i] == '\n';
    most = most < SMI_JOBS_MAX ? most : SMI_JOBS_MAX;
    *job = list = smi_arena_new(a, most, sizeof *list);
    while (text.n && lines < most) {
        const size_t cells = split_cells(smi_text_trim(smi_config_next_line(&text)), cell);
        if (at[0] >= cells || at[1] >= cells || !is_job_id(cell[at[0]]))
            continue;
        list[lines] = (struct smi_job){.id = smi_arena_text(a, cell[at[0]].p, cell[at[0]].n), .line = lines};
        read_end(&list[lines++], cell[at[1]], at[2] < cells ? cell[at[2]] : none, a);
    }
    smi_sort(list, lines, sizeof *list, compare_jobs);
    for (size_t i = 0; i < lines; i++) /* as it was requeued */
        if (!*n || strcmp(list[*n - 1].id, list[i].id) != 0)
            list[(*n)++] = list[i];
}

const struct smi_job *smi_jobs_find(const struct smi_job *job, size_t n, struct smi_text id)
{
    char text[48];
    const char *const id_text = text; /* a job begins with its id */
    if (!n || !id.n || id.n >= sizeof text)
        return NULL;
    smi_text_copy(text, sizeof text, id);
    return bsearch(&id_text, job, n, sizeof *job, smi_compare_strings);
}
