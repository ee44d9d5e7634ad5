#include "sweep/config.h"

#include "base/buf.h"
#include "formats/json_line.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef int facts_fn(struct smi_params *facts, struct smi_text t, const char **why);

/* The first one of these that has a key counts. job_info.yaml nests what it says:
 *   job:
 *     date: 2024-04-03
 *     details:
 *       batch_size: 32 */
static const struct {
    const char *name;
    bool json;
    int levels;      /* of mappings whose scalars are parameters; 0: a list of overrides */
    facts_fn *facts; /* it holds no parameters, but facts; or NULL */
    size_t tail;
} files[] = {
    {"config.json", true, SMI_CONFIG_DEPTH, NULL, 0},
    {"params.json", true, SMI_CONFIG_DEPTH, NULL, 0}, /* Ray */
    {"config.yaml", false, SMI_CONFIG_DEPTH, NULL, 0},
    {"config.yml", false, SMI_CONFIG_DEPTH, NULL, 0},
    {"hparams.yaml", false, SMI_CONFIG_DEPTH, NULL, 0}, /* Lightning */
    {"args.yaml", false, SMI_CONFIG_DEPTH, NULL, 0},    /* Ultralytics */
    {"args.json", true, SMI_CONFIG_DEPTH, NULL, 0},
    {"trial_params.json", true, SMI_CONFIG_DEPTH, NULL, 0},
    {SMI_CONFIG_HYDRA, false, 0, NULL, 0},
    {SMI_CONFIG_HYDRA_ALL, false, SMI_CONFIG_DEPTH, NULL, 0},
    {"job_info.yaml", false, 3, NULL, 0},
    {"wandb-metadata.json", true, 0, smi_facts_wandb_metadata, 0},
    {"wandb-summary.json", true, 0, smi_facts_wandb_summary, 0},
    {"result.json", true, 0, smi_facts_ray_result, SMI_CONFIG_BYTES / 2},
    {"slurm-*.out", false, 0, smi_facts_job_output, 65536}, /* smi_config_is_job_output */
};
enum { FILES = sizeof files / sizeof *files };

bool smi_config_is_job_output(const char *name)
{
    size_t n = strlen(name), digits;
    if (strncmp(name, "slurm-", 6) || n < 11 || strcmp(name + n - 4, ".out"))
        return false;
    digits = strspn(name + 6, "0123456789");
    return digits && digits + strspn(name + 6 + digits, "_0123456789") == n - 10;
}

int smi_config_rank(const char *name)
{
    for (int i = 0; i < FILES; i++)
        if (strcmp(name, files[i].name) == 0)
            return i;
    return smi_config_is_job_output(name) ? FILES - 1 : -1;
}

const char *smi_config_name(int rank)
{
    return rank < 0 || rank >= FILES ? NULL : files[rank].name;
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

const char *smi_config_hidden(int dirfd, const char *name, int i)
{
    static const char *const in[] = {SMI_CONFIG_HYDRA, SMI_CONFIG_HYDRA_ALL};
    struct stat st;
    int there = 0;
    if (strcmp(name, SMI_CONFIG_HYDRA_DIR) || fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) ||
        !S_ISDIR(st.st_mode))
        return NULL;
    for (int k = 0; k < 2; k++)
        if (fstatat(dirfd, in[k], &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) && there++ == i)
            return in[k];
    return there || i ? NULL : SMI_CONFIG_HYDRA_DIR;
}

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
static int set_param(struct smi_params *p, struct smi_text key, const struct smi_text *text, bool bare)
{
    size_t i = find_param(p, key);
    bool new = i == p->n, was = !new && p->list[i].text;
    struct smi_param *q;
    if (text ? !was && p->shown == SMI_CONFIG_PARAMS : new && p->n - p->shown == SMI_CONFIG_PARAMS) {
        p->over = true;
        return 0;
    }
    if (new &&smi_mem_reserve(&p->list, &p->cap, i + 1, sizeof *p->list))
        return -1;
    q = &p->list[i];
    if (new && !(q->key = smi_arena_text(p->a, key.p, key.n)))
        return -1;
    q->bare = bare;
    q->text = text ? smi_arena_text(p->a, text->p, text->n) : NULL;
    if (text && !q->text)
        return -1;
    p->n += new;
    p->shown = p->shown - was + (text != NULL);
    return 0;
}

int smi_params_set(struct smi_params *p, struct smi_text key, struct smi_text text, bool bare)
{
    if (!key.n || !is_plain_text(key))
        return 0;
    return set_param(p, key, is_plain_text(text) ? &text : NULL, bare);
}

int smi_params_set_nested(struct smi_params *p, struct smi_text path, struct smi_text text, bool bare)
{
    static const char middle[] = ".value.";
    const char *dot = path.n ? memchr(path.p, '.', path.n) : NULL;
    size_t front = dot ? (size_t)(dot - path.p) : path.n, rest = path.n - front;
    struct smi_buf b = {0};
    int rc;
    if (smi_text_is((struct smi_text){path.p, front}, "_wandb") || smi_text_is(path, "wandb_version") ||
        (smi_text_is((struct smi_text){dot, rest}, ".desc") && smi_text_is(text, "null")))
        return 0;
    if (smi_text_is((struct smi_text){dot, rest}, ".value"))
        return smi_params_set(p, (struct smi_text){path.p, front}, text, bare);
    if (rest < sizeof middle || memcmp(dot, middle, sizeof middle - 1) != 0)
        return smi_params_set(p, path, text, bare);
    smi_buf_add(&b, path.p, front);
    smi_buf_add(&b, dot + sizeof middle - 2, rest - (sizeof middle - 2));
    rc = b.failed ? -1 : smi_params_set(p, (struct smi_text){b.p, b.n}, text, bare);
    smi_buf_fini(&b);
    return rc;
}

void smi_params_drop(struct smi_params *p, struct smi_text key)
{
    size_t i = find_param(p, key);
    if (i == p->n)
        return;
    p->shown -= p->list[i].text != NULL;
    p->n--;
    memmove(&p->list[i], &p->list[i + 1], (p->n - i) * sizeof *p->list);
}

int smi_params_add(struct smi_params *p, const struct smi_param *q)
{
    struct smi_text text = smi_text_of(q->text ? q->text : "");
    return smi_params_has(p, smi_text_of(q->key))
               ? 0
               : set_param(p, smi_text_of(q->key), q->text ? &text : NULL, q->bare);
}

const struct smi_param *smi_params_keep(const struct smi_params *p)
{
    struct smi_param *list = smi_arena_new(p->a, p->n + 1, sizeof *list);
    if (list && p->n)
        memcpy(list, p->list, p->n * sizeof *list);
    return list;
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

struct smi_text smi_config_scalar(const json_t *v, char digits[SMI_JSON_DIGITS])
{
    if (json_is_string(v))
        return (struct smi_text){json_string_value(v), json_string_length(v)};
    if (json_is_number(v))
        return (struct smi_text){digits, smi_json_digits(v, digits)};
    return smi_text_of(json_is_null(v) ? "null" : json_is_true(v) ? "true" : "false");
}

static int set_json(struct smi_params *p, struct smi_text key, const json_t *v)
{
    char digits[SMI_JSON_DIGITS];
    struct smi_text text = {0};
    if (smi_json_big_number(v, &text))
        return smi_params_set_nested(p, key, text, true);
    if (json_is_array(v))
        return 0;
    return smi_params_set_nested(p, key, smi_config_scalar(v, digits), !json_is_string(v));
}

/* What o holds, below the keys of path: "" or "optimizer.". */
static int set_json_object(struct smi_params *p, struct smi_buf *path, json_t *o)
{
    const size_t above = path->n;
    int rc = 0;
    for (void *at = json_object_iter(o); at && !rc; at = json_object_iter_next(o, at)) {
        json_t *v = json_object_iter_value(at);
        struct smi_text none;
        smi_buf_str(path, json_object_iter_key(at));
        if (json_is_object(v) && !smi_json_big_number(v, &none)) {
            smi_buf_char(path, '.');
            rc = path->failed ? -1 : set_json_object(p, path, v);
        } else {
            rc = path->failed ? -1 : set_json(p, (struct smi_text){path->p, path->n}, v);
        }
        path->n = above;
    }
    return rc;
}

/* A list or a lone value is no mistake: it holds no parameters. */
int smi_config_json(struct smi_arena *a, struct smi_text t, json_t **o, const char **why)
{
    struct smi_account account = {0};
    struct smi_buf repaired = {0};
    struct smi_err err = {0};
    int rc = 0;
    *o = NULL;
    *why = NULL;
    t = smi_text_trim(t);
    if (t.n && *t.p != '{' && smi_text_is_utf8(t))
        return 0;
    rc = smi_json_line(t, &repaired, &account, o, &err);
    if (rc)
        *o = NULL;
    if (!rc && !*o) {
        smi_buf_clear(&repaired);
        smi_buf_fmt(&repaired, "%s", account.problems ? account.problem[0].text : "not JSON");
        *why = smi_buf_keep(&repaired, a);
        rc = *why ? 1 : -1;
    }
    smi_buf_fini(&repaired);
    smi_account_fini(&account);
    return rc;
}

static int read_json(struct smi_params *p, struct smi_text t, const char **why)
{
    struct smi_buf path = {0};
    json_t *o;
    int rc = smi_config_json(p->a, t, &o, why);
    if (!rc && o)
        rc = set_json_object(p, &path, o);
    json_decref(o);
    smi_buf_fini(&path);
    return rc;
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
    if (b->failed)
        return smi_err_nomem(err);
    return n < 0 ? -1 : b->n > SMI_CONFIG_BYTES;
}

static const char *say_what_is_missing(struct smi_arena *a, bool facts, const char *why)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b, "%s: %s", facts ? "not used" : "no parameters", why);
    return smi_buf_keep(&b, a);
}

static int parse_config(struct smi_params *p, int rank, struct smi_text t, const char **why)
{
    if (t.n >= 3 && memcmp(t.p, "\xEF\xBB\xBF", 3) == 0)
        t = (struct smi_text){t.p + 3, t.n - 3};
    return files[rank].facts  ? files[rank].facts(p, t, why)
           : files[rank].json ? read_json(p, t, why)
                              : smi_params_yaml(p, t, files[rank].levels, why);
}

/* What was collected, kept in the arena. Returns 0, or -1 without memory. */
static int keep_config(struct smi_config *out, const struct smi_params *p, bool facts)
{
    const struct smi_param *list = smi_params_keep(p);
    if (!list)
        return -1;
    *(facts ? &out->fact : &out->param) = list;
    *(facts ? &out->facts : &out->n) = p->n;
    out->over = p->over && !facts;
    if (p->over)
        out->text = facts ? "more than 256 values: the first of them count"
                          : "more than 256 parameters: the first of them count";
    return 0;
}

int smi_config_read(struct smi_config *out, int rank, struct smi_text head, struct smi_byte_source *from,
                    struct smi_arena *a, struct smi_err *err)
{
    struct smi_params p = {.a = a};
    struct smi_buf b = {0};
    struct smi_err bad = {0};
    const bool facts = files[rank].facts != NULL;
    const char *why = NULL;
    int rc = read_config_bytes(&b, head, from, files[rank].tail, &bad);
    *out = (struct smi_config){0};
    if (rc > 0)
        why = "larger than 1 MiB";
    else if (rc < 0 && bad.code != SMI_ENOMEM)
        rc = (out->text = smi_arena_text(a, bad.text, strlen(bad.text))) ? 1 : -1;
    else if (!rc)
        rc = parse_config(&p, rank, (struct smi_text){b.p, b.n}, &why);
    if (rc > 0 && why && !(out->text = say_what_is_missing(a, facts, why)))
        rc = -1;
    if (!rc)
        rc = keep_config(out, &p, facts);
    smi_buf_fini(&b);
    smi_mem_free(p.list);
    return rc < 0 ? smi_err_nomem(err) : 0;
}
