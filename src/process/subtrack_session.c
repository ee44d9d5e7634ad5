/* subtrack_session.c - what analyze found, read back from its JSON, and which blocks of several sessions
 * belong together. */
#include "base/json.h"
#include "base/real.h"
#include "process/subtrack.h"

#include "base/file.h"
#include "base/json_load.h"

#include <math.h>
#include <stdlib.h>

enum { FILE_MAX = 64 << 20 };

struct reader {
    struct smi_sub_comparison *c;
    const char *path;
};

/* ---- JSON ---- */

static int not_a_result(const struct reader *r, const char *why, const char *what, struct smi_err *err)
{
    return smi_err_set(err, SMI_EFORMAT, "%.*s: is no result of subtrack analyze --format json: %s%.200s",
                       SMI_SUB_SHOWN, r->path, why, what);
}

static int get_stats(const struct reader *r, const json_t *of, const char *key, double stat[SMI_SUB_STATS],
                     struct smi_err *err)
{
    const json_t *v = json_object_get(of, key);
    for (int i = 0; i < SMI_SUB_STATS; i++) {
        const json_t *x = json_object_get(v, smi_sub_stats[i]);
        if (!json_is_number(x) && !json_is_null(x))
            return not_a_result(r, "there is no number for ", key, err);
        stat[i] = json_is_null(x) ? (double)NAN : json_number_value(x);
    }
    return 0;
}

static int get_usage(const struct reader *r, const json_t *of, double usage[SMI_SUB_METRICS][SMI_SUB_STATS],
                     struct smi_err *err)
{
    for (int m = 0; m < SMI_SUB_METRICS; m++)
        if (get_stats(r, of, smi_usage_columns[m].name, usage[m], err))
            return -1;
    return 0;
}

static int get_blocks(const struct reader *r, const json_t *list, struct smi_sub_session *s,
                      struct smi_err *err)
{
    size_t n = json_array_size(list);
    if (!json_is_array(list))
        return not_a_result(r, "there is no ", "code_block_results", err);
    s->block = smi_arena_new(&r->c->arena, n + 1, sizeof *s->block);
    if (!s->block)
        return smi_err_nomem(err);
    for (; s->n < n; s->n++) {
        const json_t *v = json_array_get(list, s->n), *name = json_object_get(v, "name");
        struct smi_sub_block *b = &s->block[s->n];
        if (!json_is_string(name) || !json_string_length(name))
            return not_a_result(r, "there is a block without a ", "name", err);
        if (!(b->name = smi_arena_text(&r->c->arena, json_string_value(name), json_string_length(name))))
            return smi_err_nomem(err);
        if (get_stats(r, v, "compute_time", b->time, err) ||
            get_usage(r, json_object_get(v, "resource_usage"), b->usage, err))
            return -1;
    }
    return 0;
}

static int read_session(const struct reader *r, struct smi_buf *to, struct smi_err *err)
{
    if (smi_file_read_all(to, r->path, FILE_MAX, err))
        return -1;
    return to->n <= FILE_MAX ? 0
                             : smi_err_set(err, SMI_EFORMAT, "%.*s: is longer than %d MiB", SMI_SUB_SHOWN,
                                           r->path, FILE_MAX >> 20);
}

int smi_sub_session_read(struct smi_sub_comparison *c, const char *name, const char *path,
                         struct smi_err *err)
{
    struct reader r = {c, path};
    struct smi_sub_session *s;
    struct smi_buf text = {0}, repaired = {0};
    json_error_t why = {0};
    json_t *all = NULL;
    size_t lost = 0;
    int rc = smi_mem_reserve(&c->session, &c->cap, c->n + 1, sizeof *c->session) ? smi_err_nomem(err) : 0;
    rc = rc ? rc : read_session(&r, &text, err);
    if (!rc && !smi_text_is_utf8((struct smi_text){text.p ? text.p : "", text.n}))
        rc = not_a_result(&r, "it is not ", "UTF-8", err);
    rc = rc ? rc
            : smi_json_load((struct smi_text){text.p ? text.p : "", text.n}, &repaired, &all, &lost, &why,
                            err);
    if (!rc && !json_is_object(all))
        rc = not_a_result(&r, *why.text ? "" : "it is no object", why.text, err);
    if (!rc) {
        s = &c->session[c->n++];
        *s = (struct smi_sub_session){.name = smi_arena_text(&c->arena, name, strlen(name))};
        rc = !s->name ? smi_err_nomem(err)
             : get_usage(&r, json_object_get(all, "overall"), s->overall, err)
                 ? -1
                 : get_blocks(&r, json_object_get(all, "code_block_results"), s, err);
    }
    json_decref(all);
    smi_buf_fini(&text);
    smi_buf_fini(&repaired);
    return rc;
}

/* ---- which blocks belong together ---- */

/* The digits behind the last colon, or NULL. */
static const char *line_of(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")] ? colon + 1 : NULL;
}

/* As the names would be sorted if all lines had as many digits as the widest of the session: with zeros in
 * front. */
static int name_order(const char *a, const char *b, size_t digits)
{
    const char *x = line_of(a), *y = line_of(b);
    size_t m = x ? (size_t)(x - a) : strlen(a), n = y ? (size_t)(y - b) : strlen(b);
    size_t zeros_x = x ? digits - strlen(x) : 0, zeros_y = y ? digits - strlen(y) : 0;
    size_t end_x = x ? m + digits : m, end_y = y ? n + digits : n;
    for (size_t i = 0; i < end_x || i < end_y; i++) {
        int c = i >= end_x ? -1 : (unsigned char)(i < m ? a[i] : i < m + zeros_x ? '0' : a[i - zeros_x]);
        int d = i >= end_y ? -1 : (unsigned char)(i < n ? b[i] : i < n + zeros_y ? '0' : b[i - zeros_y]);
        if (c != d)
            return c - d;
    }
    return 0;
}

/* Few, and mostly in order: each goes before those that come behind it. */
static void sort_blocks(struct smi_sub_session *s)
{
    size_t digits = 0, n, k;
    for (size_t i = 0; i < s->n; i++) {
        n = line_of(s->block[i].name) ? strlen(line_of(s->block[i].name)) : 0;
        digits = n > digits ? n : digits;
    }
    for (size_t i = 1; i < s->n; i++) {
        struct smi_sub_block b = s->block[i];
        for (k = i; k > 0 && name_order(s->block[k - 1].name, b.name, digits) > 0; k--)
            s->block[k] = s->block[k - 1];
        s->block[k] = b;
    }
}

static int match_block(const struct smi_sub_session *a, const struct smi_sub_session *b, size_t i,
                       struct smi_sub_warnings *notes, struct smi_err *err)
{
    const char *x = a->block[i].name, *y = b->block[i].name, *p = line_of(x), *q = line_of(y);
    if (strcmp(x, y) == 0)
        return 0;
    if (p && q && p - x == q - y && memcmp(x, y, (size_t)(p - x)) == 0)
        return smi_sub_warn(notes, err,
                            "block %.100s of session %.60s is compared with %.100s of %.60s: they differ "
                            "by their line",
                            x, a->name, y, b->name);
    return smi_err_set(err, SMI_EFORMAT,
                       "block %.100s of session %.60s is not block %.100s of %.60s: sessions need "
                       "the same blocks",
                       x, a->name, y, b->name);
}

/* All names of block i, each once, in order, with arrows between them. NULL without memory. */
static const char *joined_name(struct smi_sub_comparison *c, size_t i)
{
    const char **name = smi_mem_new(c->n, sizeof *name), *copy = NULL;
    struct smi_buf b = {0};
    for (size_t k = 0; name && k < c->n; k++)
        name[k] = c->session[k].block[i].name;
    if (name)
        smi_sort(name, c->n, sizeof *name, smi_compare_strings);
    for (size_t k = 0; name && k < c->n; k++)
        if (k == 0 || strcmp(name[k - 1], name[k]) != 0) {
            smi_buf_str(&b, k ? " -> " : "");
            smi_buf_str(&b, name[k]);
        }
    if (name && !b.failed)
        copy = smi_arena_text(&c->arena, b.p, b.n);
    smi_buf_fini(&b);
    smi_mem_free(name);
    return copy;
}

int smi_sub_match(struct smi_sub_comparison *c, struct smi_sub_warnings *notes, struct smi_err *err)
{
    const struct smi_sub_session *first = &c->session[0], *s;
    for (size_t k = 0; k < c->n; k++) {
        sort_blocks(&c->session[k]);
        first = strcmp(c->session[k].name, first->name) < 0 ? &c->session[k] : first;
    }
    for (s = c->session; s < c->session + c->n; s++) {
        if (s->n != first->n)
            return smi_err_set(err, SMI_EFORMAT,
                               "session %.60s has %zu block%s, and %.60s %zu: sessions need the same "
                               "blocks",
                               first->name, first->n, first->n == 1 ? "" : "s", s->name, s->n);
        for (size_t i = 0; i < s->n; i++)
            if (match_block(first, s, i, notes, err))
                return -1;
    }
    c->blocks = first->n;
    c->block = smi_arena_new(&c->arena, c->blocks + 1, sizeof *c->block);
    if (!c->block)
        return smi_err_nomem(err);
    for (size_t i = 0; i < c->blocks; i++)
        if (!(c->block[i] = joined_name(c, i)))
            return smi_err_nomem(err);
    return 0;
}

void smi_sub_comparison_fini(struct smi_sub_comparison *c)
{
    smi_mem_free(c->session);
    smi_arena_fini(&c->arena);
    *c = (struct smi_sub_comparison){0};
}
