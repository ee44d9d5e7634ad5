/* config_yaml.c - flat scalars of YAML, from the events of libyaml: no document is ever built, so an alias
 * costs what its name does, however much it stands for. */
#include "sweep/config.h"

#include "base/buf.h"

#include <string.h>
#include <yaml.h>

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

struct anchor {
    const char *name;
    bool scalar; /* else a list or a mapping: its alias is none either */
    struct scalar is;
};

/* One collection on the way to where the parser is. */
struct level {
    bool mapping;
    bool value;    /* of a mapping: the next node is the value of a key */
    bool reached;  /* it and all above it are mappings whose keys are known */
    size_t prefix; /* bytes of r->path that stand before its keys: "optimizer." */
};

struct reader {
    yaml_parser_t yaml;
    struct smi_params *p;
    int levels, depth;
    struct level level[SMI_CONFIG_DEPTH + 1];
    struct smi_buf path, key; /* key: of the value that comes next */
    bool has_key;
    struct anchor anchor[SMI_CONFIG_ANCHORS];
    size_t anchors;
};

static int set_reason(struct reader *r, const char **why, const char *text, size_t line)
{
    struct smi_buf b = {0};
    smi_buf_fmt(&b, "%s, line %zu", text, line);
    *why = smi_buf_keep(&b, r->p->a);
    return *why ? 1 : -1;
}

static struct scalar scalar_of(const yaml_event_t *e)
{
    struct smi_text t = {(const char *)e->data.scalar.value, e->data.scalar.length};
    bool quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE || !e->data.scalar.plain_implicit;
    if (quoted)
        return (struct scalar){t, false};
    return plain_scalar(!t.n || smi_text_is(t, "~") ? smi_text_of("null") : t);
}

/* ---- overrides: lr=0.1, +model.depth=3, "name='a b'", ~dropped ---- */

static int take_override(struct reader *r, struct smi_text t)
{
    struct scalar s;
    const char *eq;
    while (t.n && *t.p == '+')
        t = (struct smi_text){t.p + 1, t.n - 1};
    eq = t.n ? memchr(t.p, '=', t.n) : NULL;
    if (t.n && *t.p == '~')
        smi_params_drop(r->p, (struct smi_text){t.p + 1, eq ? (size_t)(eq - t.p) - 1 : t.n - 1});
    if (!eq || *t.p == '~')
        return 0;
    s = plain_scalar((struct smi_text){eq + 1, t.n - (size_t)(eq + 1 - t.p)});
    if (s.text.n >= 2 && (*s.text.p == '\'' || *s.text.p == '"') && s.text.p[s.text.n - 1] == *s.text.p)
        s.text = (struct smi_text){s.text.p + 1, s.text.n - 2};
    return smi_params_set(r->p, (struct smi_text){t.p, (size_t)(eq - t.p)}, s.text, s.bare);
}

/* ---- nodes ---- */

/* A node: a scalar, also by its alias; NULL: a list or a mapping. Returns 0, or -1 without memory. */
static int take_node(struct reader *r, const struct scalar *s)
{
    struct level *at = &r->level[r->depth];
    struct smi_text key = {r->key.p, r->key.n};
    bool has_key = r->has_key;
    if (!r->levels)
        return s && r->depth == 1 && !at->mapping ? take_override(r, s->text) : 0;
    r->has_key = false;
    if (!at->mapping)
        return 0;
    at->value = !at->value;
    if (!at->value) {
        if (has_key && !s)
            smi_params_drop(r->p, key);
        return has_key && s ? smi_params_set_nested(r->p, key, s->text, s->bare) : 0;
    }
    r->has_key = s && at->reached && r->depth <= r->levels;
    smi_buf_clear(&r->key);
    if (r->has_key) {
        smi_buf_add(&r->key, r->path.p, at->prefix);
        smi_buf_add(&r->key, s->text.p, s->text.n);
    }
    return r->key.failed ? -1 : 0;
}

/* A name means what it was given to last. */
static struct anchor *find_anchor(struct reader *r, const char *name)
{
    struct anchor *a = r->anchor;
    while (a < r->anchor + r->anchors && strcmp(a->name, name) != 0)
        a++;
    return a;
}

/* s: as for take_node. Returns 0, or -1 without memory. */
static int note_anchor(struct reader *r, const yaml_char_t *anchor, const struct scalar *s)
{
    const char *name = (const char *)anchor;
    struct anchor *a = name ? find_anchor(r, name) : NULL;
    if (!a || a == r->anchor + SMI_CONFIG_ANCHORS)
        return 0;
    if (a == r->anchor + r->anchors) {
        if (!(a->name = smi_arena_text(r->p->a, name, strlen(name))))
            return -1;
        r->anchors++;
    }
    a->scalar = s != NULL;
    if (!s)
        return 0;
    a->is = *s;
    a->is.text.p = smi_arena_text(r->p->a, s->text.p, s->text.n);
    return a->is.text.p ? 0 : -1;
}

static int on_scalar(struct reader *r, const yaml_event_t *e)
{
    struct scalar s = scalar_of(e);
    return note_anchor(r, e->data.scalar.anchor, &s) || take_node(r, &s) ? -1 : 0;
}

static int on_alias(struct reader *r, const yaml_event_t *e)
{
    const struct anchor *a = find_anchor(r, (const char *)e->data.alias.anchor);
    return take_node(r, a < r->anchor + r->anchors && a->scalar ? &a->is : NULL);
}

static int enter_node(struct reader *r, const yaml_event_t *e, const char **why)
{
    bool mapping = e->type == YAML_MAPPING_START_EVENT, reached;
    const struct level *at;
    if (r->depth == SMI_CONFIG_DEPTH)
        return set_reason(r, why, "deeper than 64 levels", e->start_mark.line + 1);
    at = &r->level[r->depth];
    reached = mapping && (!r->depth || (at->reached && r->has_key));
    if (r->has_key)
        smi_params_drop(r->p, (struct smi_text){r->key.p, r->key.n});
    if (reached && r->depth && r->levels == SMI_CONFIG_DEPTH) {
        r->path.n = 0;
        smi_buf_add(&r->path, r->key.p, r->key.n);
        smi_buf_char(&r->path, '.');
    }
    r->has_key = false;
    r->level[++r->depth] = (struct level){mapping, false, reached, r->path.n};
    if (r->path.failed)
        return -1;
    return note_anchor(r, mapping ? e->data.mapping_start.anchor : e->data.sequence_start.anchor, NULL);
}

static void leave_node(struct reader *r)
{
    struct level *at = &r->level[--r->depth];
    at->value = at->mapping && !at->value;
    r->has_key = false;
}

/* Returns 0 to go on; 1 at the end, or with *why; -1 without memory. */
static int on_event(struct reader *r, const yaml_event_t *e, const char **why)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT:
        return on_scalar(r, e);
    case YAML_ALIAS_EVENT:
        return on_alias(r, e);
    case YAML_MAPPING_START_EVENT:
    case YAML_SEQUENCE_START_EVENT:
        return enter_node(r, e, why);
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        leave_node(r);
        return 0;
    default: /* the first document is all */
        return e->type == YAML_DOCUMENT_END_EVENT || e->type == YAML_STREAM_END_EVENT;
    }
}

static int read_events(struct reader *r, const char **why)
{
    int rc = 0;
    while (!rc) {
        yaml_event_t e;
        if (!yaml_parser_parse(&r->yaml, &e)) {
            const char *text = r->yaml.problem ? r->yaml.problem : "not YAML";
            return r->yaml.error == YAML_MEMORY_ERROR
                       ? -1
                       : set_reason(r, why, text, r->yaml.problem_mark.line + 1);
        }
        rc = on_event(r, &e, why);
        yaml_event_delete(&e);
    }
    return rc < 0 ? -1 : *why != NULL;
}

int smi_params_yaml(struct smi_params *p, struct smi_text yaml, int levels, const char **why)
{
    struct reader r = {.p = p, .levels = levels};
    int rc;
    *why = NULL;
    if (!yaml_parser_initialize(&r.yaml))
        return -1;
    yaml_parser_set_encoding(&r.yaml, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.yaml, (const unsigned char *)(yaml.n ? yaml.p : ""), yaml.n);
    rc = read_events(&r, why);
    yaml_parser_delete(&r.yaml);
    smi_buf_fini(&r.key);
    smi_buf_fini(&r.path);
    return rc;
}
