#include "report/output.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"

#include <string.h>

/* What is printed as a document of its own, and by which object of json_field.def. */
static const char *const roots[] = {"json", "jsonl", "rows", "line", "check", "diff", "live", NULL};

const char *smi_json_schema_name(size_t i)
{
    return i < sizeof roots / sizeof *roots ? roots[i] : NULL;
}

static const struct smi_json_field *find_object(const struct smi_json_members *f, struct smi_text name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!f->of[i].path && smi_text_is(name, f->of[i].object))
            return &f->of[i];
    return NULL;
}

const char *smi_json_schema_help(size_t i)
{
    struct smi_json_members f = {0};
    const struct smi_json_field *object;
    const char *help;
    smi_json_members_make(&f);
    object = find_object(&f, smi_text_of(roots[i]));
    help = object ? object->help : "";
    smi_json_members_fini(&f);
    return help;
}

/* ---- types ---- */

static void write_reference(struct smi_json *j, struct smi_text name)
{
    smi_json_key(j, "$ref");
    smi_json_raw(j, "\"#/$defs/");
    smi_buf_fmt(j->to, "%.*s\"", (int)name.n, name.p);
}

/* Writes the keywords of a type of json_field.def into the object that is open. */
static void write_type(struct smi_json *j, struct smi_text type)
{
    const bool null = type.n && type.p[type.n - 1] == '?';
    const struct smi_text inner = {type.p + 1, type.n - 2}, bare = {type.p, type.n - null},
                          name = {bare.p + 1, bare.n - 1};
    if (*type.p == '[' || *type.p == '{') {
        const bool list = *type.p == '[';
        smi_json_key_str(j, "type", list ? "array" : "object");
        smi_json_key_open(j, list ? "items" : "additionalProperties", '{');
        write_type(j, inner);
        smi_json_close(j, '}');
    } else if (*type.p == '@' && null) {
        smi_json_key_open(j, "anyOf", '[');
        smi_json_open(j, '{');
        write_reference(j, name);
        smi_json_close(j, '}');
        smi_json_raw(j, "{\"type\": \"null\"}");
        smi_json_close(j, ']');
    } else if (*type.p == '@') {
        write_reference(j, name);
    } else if (*type.p == '=') {
        smi_json_key(j, "const");
        if (name.p[0] >= '0' && name.p[0] <= '9')
            smi_json_raw(j, name.p);
        else
            smi_json_text(j, name);
    } else if (null) { /* ["number", "null"] */
        smi_json_key_open(j, "type", '[');
        smi_json_text(j, bare);
        smi_json_str(j, "null");
        smi_json_close(j, ']');
    } else if (!smi_text_is(type, "any")) {
        smi_json_key(j, "type");
        smi_json_text(j, type);
    }
}

static void write_property(struct smi_json *j, const struct smi_json_field *f, const char *key)
{
    smi_json_key_open(j, key, '{');
    write_type(j, smi_text_of(f->type));
    if (f->help && *f->help)
        smi_json_key_str(j, "description", f->help);
    if (f->unit && *f->unit)
        smi_json_key_str(j, "unit", f->unit);
    smi_json_close(j, '}');
}

/* ---- objects ---- */

/* The keywords of an object: of its rows whose paths begin with the first n bytes of `front`; inner objects
 * are those whose paths have a dot behind it. A run on a line of its own has what comes with the line, too.
 * Returns whether one of them is never left out. */
static bool write_object(struct smi_json *j, const struct smi_json_members *f, const char *object,
                         const char *front, size_t n)
{
    enum { REQUIRED = 256 /* fields of an object that are never left out */ };
    struct smi_text key[REQUIRED];
    size_t required = 0;
    smi_json_key_str(j, "type", "object");
    smi_json_key_open(j, "properties", '{');
    for (size_t i = 0; i < f->n; i++) {
        const struct smi_json_field *row = &f->of[i], *before = i ? row - 1 : NULL;
        const bool line = strcmp(object, "jsonl") == 0 && strcmp(row->object, "run") == 0;
        if (!row->path || (strcmp(row->object, object) != 0 && !line) || strncmp(row->path, front, n) != 0)
            continue;
        const char *name = row->path + n, *dot = row->metric ? NULL : strchr(name, '.');
        const size_t inner = dot ? (size_t)(dot + 1 - row->path) : 0;
        const struct smi_text word = dot ? smi_text_between(name, dot) : smi_text_of(name);
        bool always = !row->optional;
        if (!dot) {
            write_property(j, row, name);
        } else if (!before->path || strcmp(before->object, row->object) != 0 ||
                   strncmp(before->path, row->path, inner) != 0) {
            smi_json_key_text(j, word);
            smi_json_open(j, '{');
            always = write_object(j, f, row->object, row->path, inner);
            smi_json_close(j, '}');
        } else {
            continue;
        }
        if (always && required < REQUIRED)
            key[required++] = word;
    }
    smi_json_close(j, '}');
    smi_json_key_open(j, "required", '[');
    for (size_t i = 0; i < required; i++)
        smi_json_text(j, key[i]);
    smi_json_close(j, ']');
    return required > 0;
}

/* Marks the objects that the rows of an object name. */
static void mark_used(const struct smi_json_members *f, const char *object, bool *used)
{
    for (size_t i = 0; i < f->n; i++) {
        const struct smi_json_field *row = &f->of[i];
        const char *at = row->path && strcmp(row->object, object) == 0 ? strchr(row->type, '@') : NULL;
        const struct smi_json_field *to;
        if (!at)
            continue;
        to = find_object(f, (struct smi_text){at + 1, strcspn(at + 1, "?]}")});
        if (!to || used[to - f->of])
            continue;
        used[to - f->of] = true;
        mark_used(f, to->object, used);
    }
}

void smi_json_schema_write(struct smi_buf *to, size_t i)
{
    struct smi_json_members f = {0};
    struct smi_json j;
    const char *root = roots[i];
    bool *used;
    smi_json_members_make(&f);
    used = smi_mem_new(f.n, sizeof *used);
    mark_used(&f, root, used);
    if (strcmp(root, "jsonl") == 0)
        mark_used(&f, "run", used);
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "$schema", "https://json-schema.org/draft/2020-12/schema");
    smi_json_key_str(&j, "title", find_object(&f, smi_text_of(root))->help);
    smi_json_key_str(&j, "$comment", "smilog " SMILOG_VERSION);
    write_object(&j, &f, root, "", 0);
    smi_json_key_open(&j, "$defs", '{');
    for (size_t k = 0; k < f.n; k++)
        if (used[k]) {
            smi_json_key_open(&j, f.of[k].object, '{');
            smi_json_key_str(&j, "description", f.of[k].help);
            write_object(&j, &f, f.of[k].object, "", 0);
            smi_json_close(&j, '}');
        }
    smi_json_close(&j, '}');
    smi_json_close(&j, '}');
    smi_buf_char(to, '\n');
    smi_mem_free(used);
    smi_json_members_fini(&f);
}
