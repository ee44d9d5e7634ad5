/* path_parameters.c - parameters in names (out/lr=0.1,batch=64/seed=3), and what they say about a whole
 * sweep: which are the same everywhere, which differ, and whether those form a grid with holes. */
#include "base/text.h"
#include "sweep/discover.h"

#include <stdlib.h>
#include <string.h>

/* ---- key=value pieces of a path ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of a key at p that is followed by '=', or 0. Hydra writes +key=value for new keys. */
static size_t key_length(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && (is_digit(p[n]) || (p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= 'a' && p[n] <= 'z') ||
                           p[n] == '_' || p[n] == '-' || p[n] == '.'))
        n++;
    return p + n < end && p[n] == '=' && n && !is_digit(*p) && *p != '-' && *p != '.' ? n : 0;
}

static const char *after_plus(const char *p, const char *end)
{
    while (p < end && *p == '+')
        p++;
    return p;
}

/* Where the value that starts at p ends: at a ',' or blank with another key behind it, or with the piece. */
static const char *value_end(const char *p, const char *end)
{
    for (; p < end; p++)
        if ((*p == ',' || *p == ' ') && key_length(after_plus(p + 1, end), end))
            return p;
    return end;
}

/* The piece nearest to the run wins when a key stands twice. */
static int set_path_param(struct smi_arena *a, struct smi_param *list, size_t *n, struct smi_text key,
                          struct smi_text value)
{
    size_t i = 0;
    while (i < *n && !smi_text_is(key, list[i].key))
        i++;
    if (i == *n)
        list[(*n)++].key = smi_arena_text(a, key.p, key.n);
    list[i].text = smi_arena_text(a, value.p, value.n);
    if (!list[i].key || !list[i].text)
        return -1;
    list[i].bare = smi_text_is_bare(value);
    return 0;
}

static int read_path_piece(struct smi_arena *a, struct smi_param *list, size_t *n, struct smi_text piece)
{
    const char *p = piece.p, *end = piece.p + piece.n, *stop;
    while (p < end) {
        size_t len;
        p = after_plus(p, end);
        len = key_length(p, end);
        stop = value_end(len ? p + len + 1 : p, end);
        if (len && set_path_param(a, list, n, (struct smi_text){p, len},
                                  (struct smi_text){p + len + 1, (size_t)(stop - p) - len - 1}))
            return -1;
        p = stop + 1;
    }
    return 0;
}

int smi_path_params(struct smi_arena *a, const char *path, const struct smi_param **out, size_t *n,
                    struct smi_err *err)
{
    size_t most = 0;
    struct smi_param *list;
    *n = 0;
    for (const char *p = path; *p; p++)
        most += *p == '=';
    *out = list = smi_arena_new(a, most + 1, sizeof *list);
    if (!list)
        return smi_err_nomem(err);
    for (const char *p = path; *p && most;) {
        size_t len = strcspn(p, "/");
        if (read_path_piece(a, list, n, (struct smi_text){p, len}))
            return smi_err_nomem(err);
        p += len + (p[len] == '/');
    }
    return 0;
}
