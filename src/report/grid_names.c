/* grid_names.c - names as cells of a table, made shorter, all together, so that they stay different; what
 * they say. */
#include "report/grid.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES = 64 };

const char *smi_fmt_field(struct smi_text_arena *g, const char *s)
{
    const char *t = smi_fmt_safe(g, s), *blank;
    while (g->look->width == 0 && (blank = strchr(t, ' ')))
        t = smi_fmt(g, "%.*s\\x20%s", (int)(blank - t), t, blank + 1);
    return g->look->width || *t ? t : "\\x20"; /* no text at all is no column for a program */
}

struct pieces {
    size_t n;          /* of the first name */
    bool same[PIECES]; /* this piece of the first name is in all of them */
    bool placed;       /* at the same place in all: only there it is left out */
};

static size_t count_pieces(const char *s)
{
    size_t n = 1;
    for (; *s; s++)
        n += *s == '/';
    return n;
}

static const char *find_piece(const char *s, size_t i, size_t *len)
{
    for (; i; i--)
        s += strcspn(s, "/") + 1;
    *len = strcspn(s, "/");
    return s;
}

static bool is_piece(const char *x, size_t len, const char *s)
{
    for (;; s++) {
        size_t n = strcspn(s, "/");
        if (n == len && memcmp(s, x, n) == 0)
            return true;
        if (!*(s += n))
            return false;
    }
}

/* Which pieces of the first name are in all others: at the same place, if all have as many pieces, else
 * anywhere. */
static bool compare_pieces(struct pieces *p, const char **name, size_t n)
{
    size_t a, b, r, i;
    *p = (struct pieces){.n = count_pieces(name[0]), .placed = true};
    if (n < 2 || p->n > PIECES)
        return false;
    memset(p->same, 1, sizeof p->same);
    for (r = 1; r < n; r++)
        p->placed &= count_pieces(name[r]) == p->n;
    for (r = 1; r < n; r++)
        for (i = 0; i < p->n; i++) {
            const char *x = find_piece(name[0], i, &a), *y = p->placed ? find_piece(name[r], i, &b) : NULL;
            p->same[i] &= y ? a == b && memcmp(x, y, a) == 0 : is_piece(x, a, name[r]);
        }
    return true;
}

/* Piece i of s, which is x: is it left out? */
static bool piece_is_left_out(const struct pieces *p, const char *first, size_t i, const char *x, size_t len)
{
    size_t n;
    if (p->placed)
        return p->same[i];
    for (size_t k = 0; k < p->n; k++) {
        const char *y = find_piece(first, k, &n);
        if (p->same[k] && n == len && memcmp(x, y, n) == 0)
            return true;
    }
    return false;
}

/* lr=0.1/model=a/batch=1/seed3 -> lr=0.1/…/seed3 */
static const char *without_same(struct smi_text_arena *g, const struct pieces *p, const char *first,
                                const char *s)
{
    const char *t = "";
    size_t len, n = count_pieces(s);
    bool was = false, is;
    for (size_t i = 0; i < n; i++, was = is) {
        const char *x = find_piece(s, i, &len);
        is = piece_is_left_out(p, first, i, x, len);
        if (!is)
            t = smi_fmt(g, "%s%s%.*s", t, i ? "/" : "", (int)len, x);
        else if (!was)
            t = smi_fmt(g, "%s%s%s", t, i ? "/" : "", smi_fmt_ellipsis(g));
    }
    return t;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* How many different texts there are; sorts them. */
static size_t count_different_texts(const char **t, size_t n)
{
    size_t k = n > 0;
    qsort(t, n, sizeof *t, by_text);
    for (size_t i = 1; i < n; i++)
        k += strcmp(t[i - 1], t[i]) != 0;
    return k;
}

/* Whether what was made of the names, which follow one another in made, still tells apart those that are not
 * the same: a name may stand in several rows. made has room for 2n, of which the second half is scratch. */
static bool all_stay_different(const char **made, const char *const *name, size_t n)
{
    size_t names;
    memcpy(made + n, name, n * sizeof *made);
    names = count_different_texts(made + n, n);
    memcpy(made + n, made, n * sizeof *made);
    return count_different_texts(made + n, n) == names;
}

/* Tries to shorten the names, fit[0] columns wide with fit[1] kept in front. made has room for 2n. */
static bool try_middle(struct smi_text_arena *g, const char **name, const char **made, size_t n,
                       const int fit[2])
{
    size_t i;
    for (i = 0; i < n; i++)
        made[i] = smi_fmt_middle(g, name[i], fit[0], fit[1]);
    if (!all_stay_different(made, name, n))
        return false;
    for (i = 0; i < n; i++)
        name[i] = made[i];
    return true;
}

bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n)
{
    struct pieces p;
    bool same = false;
    const char **made;
    if (n < 2 || !compare_pieces(&p, name, n))
        return false;
    for (size_t i = 0; i < p.n; i++)
        same |= p.same[i];
    made = same ? smi_mem_new(n * 2, sizeof *made) : NULL;
    g->failed |= same && !made;
    for (size_t i = 0; made && i < n; i++)
        made[i] = without_same(g, &p, name[0], name[i]);
    same = made && all_stay_different(made, name, n);
    for (size_t i = 0; same && i < n; i++)
        name[i] = made[i];
    smi_mem_free(made);
    return same;
}

void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width)
{
    const int heads[] = {width / 2, width / 3, width * 2 / 3, 3, width - 4};
    const char **made;
    size_t i;
    int widest = 0, w;
    for (i = 0; i < n; i++)
        widest = (w = smi_text_width(name[i])) > widest ? w : widest;
    if (widest <= width)
        return;
    smi_names_elide(g, name, n);
    made = smi_mem_new(n * 2, sizeof *made);
    g->failed |= !made;
    for (i = 0; made && i < sizeof heads / sizeof *heads; i++)
        if (try_middle(g, name, made, n, (int[]){width, heads[i]}))
            break;
    for (widest = 0; made && i == sizeof heads / sizeof *heads && widest < (int)n; widest++) {
        const char *tag = smi_fmt(g, "~%d", widest + 1); /* nothing short tells them apart: number them */
        int left = width - smi_text_width(tag);
        name[widest] = smi_fmt(g, "%s%s", smi_fmt_middle(g, name[widest], left, left / 2), tag);
    }
    smi_mem_free(made);
}
