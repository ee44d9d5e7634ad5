#include "report/fmt.h"

#include "sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS = 64 };

const char *smi_fmt_run(struct smi_text_arena *g, const char *run)
{
    size_t n = strlen(run);
    if (g->look->width || g->page)
        run = smi_run_short_name(g->sweep, run, &n);
    return smi_fmt_safe(g, run[n] ? smi_fmt(g, "%.*s", (int)n, run) : run);
}

const char *smi_names_frame(struct smi_text_arena *g)
{
    const char *front = g->sweep->name_prefix, *back = g->sweep->name_suffix;
    if (!front || !back || !(*front || *back))
        return NULL;
    return smi_fmt(g, "%s%s%s", *front ? smi_fmt_safe(g, front) : "", smi_fmt_ellipsis(g),
                   *back ? smi_fmt_safe(g, back) : "");
}

/* ---- tokens ---- */

struct tokens {
    size_t n;          /* of the first name */
    bool same[TOKENS]; /* this token of the first name is in all of them */
    bool placed;       /* at the same place in all: only there it is left out */
};

static size_t token_end(const char *s, size_t from)
{
    while (s[from] && !smi_name_ends_token(s, from))
        from++;
    return from;
}

static size_t count_tokens(const char *s)
{
    size_t n = 1;
    for (size_t at = token_end(s, 0); s[at]; at = token_end(s, at + 1))
        n++;
    return n;
}

static const char *find_token(const char *s, size_t i, size_t *len)
{
    size_t from = 0;
    for (; i; i--)
        from = token_end(s, from) + 1;
    *len = token_end(s, from) - from;
    return s + from;
}

static bool has_token(const char *s, const char *x, size_t len)
{
    for (size_t from = 0, end;; from = end + 1) {
        end = token_end(s, from);
        if (end - from == len && memcmp(s + from, x, len) == 0)
            return true;
        if (!s[end])
            return false;
    }
}

/* Which tokens of the first name are in all others: at the same place, if all have as many, else anywhere. */
static bool compare_tokens(struct tokens *p, const char **name, size_t n)
{
    *p = (struct tokens){.n = count_tokens(name[0]), .placed = true};
    if (n < 2 || p->n > TOKENS)
        return false;
    memset(p->same, 1, sizeof p->same);
    for (size_t r = 1; r < n; r++)
        p->placed &= count_tokens(name[r]) == p->n;
    for (size_t r = 1; r < n; r++)
        for (size_t i = 0, a, b; i < p->n; i++) {
            const char *x = find_token(name[0], i, &a), *y = p->placed ? find_token(name[r], i, &b) : NULL;
            p->same[i] &= y ? a == b && memcmp(x, y, a) == 0 : has_token(name[r], x, a);
        }
    return true;
}

/* ---- names that stay different ---- */

/* How many different texts there are; sorts them. */
static size_t count_different_texts(const char **t, size_t n)
{
    size_t k = n > 0;
    qsort(t, n, sizeof *t, smi_compare_strings);
    for (size_t i = 1; i < n; i++)
        k += strcmp(t[i - 1], t[i]) != 0;
    return k;
}

/* Whether what was made of the names, which follow one another in made, still tells apart those that are not
 * the same: a name may stand in several rows. made has room for 2n; its second half is scratch. */
static bool all_stay_different(const char **made, const char *const *name, size_t n)
{
    size_t names;
    memcpy(made + n, name, n * sizeof *made);
    names = count_different_texts(made + n, n);
    memcpy(made + n, made, n * sizeof *made);
    return count_different_texts(made + n, n) == names;
}

bool smi_names_elide(struct smi_text_arena *g, const char **name, size_t n)
{
    struct tokens p;
    bool same;
    const char **made;
    if (n < 2 || !compare_tokens(&p, name, n) || !memchr(p.same, true, p.n))
        return false;
    made = smi_arena_new(&g->arena, n * 2, sizeof *made);
    for (size_t i = 0; i < n; i++) { /* lr=0.1/model=a/batch=1/seed3 -> lr=0.1/…/seed3 */
        const size_t tokens = count_tokens(name[i]);
        bool was = false, is;
        made[i] = "";
        for (size_t k = 0, len; k < tokens; k++, was = is) {
            const char *x = find_token(name[i], k, &len);
            is = p.placed && p.same[k];
            for (size_t at = 0, other; at < p.n && !p.placed && !is; at++) {
                const char *y = find_token(name[0], at, &other);
                is = p.same[at] && other == len && memcmp(x, y, len) == 0;
            }
            if (!is)
                made[i] = smi_fmt(g, "%s%.*s%.*s", made[i], k > 0, x - (k > 0), (int)len, x);
            else if (!was)
                made[i] = smi_fmt(g, "%s%.*s%s", made[i], k > 0, x - (k > 0), smi_fmt_ellipsis(g));
        }
    }
    same = all_stay_different(made, name, n);
    if (same)
        memcpy(name, made, n * sizeof *name);
    return same;
}

static size_t common_bytes(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* Cuts the middles of the names, which stay different: made[n] of them, with n more for scratch. */
static bool cut_middles(struct smi_text_arena *g, const char *const *name, const char **made, size_t n,
                        int width)
{
    const int heads[] = {width / 2, width / 3, width * 2 / 3, 3, width - 4};
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        for (size_t i = 0; i < n; i++)
            made[i] = smi_fmt_middle(g, name[i], width, heads[k]);
        if (all_stay_different(made, name, n))
            return true;
    }
    /* Names that begin alike lose that: of each stays what comes from the first token on in which it differs
     * from the name that it is most like. */
    const char *dots = smi_fmt_ellipsis(g), **sorted = made + n;
    int room = width - smi_text_width(dots);
    memcpy(sorted, name, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, smi_compare_strings);
    for (size_t i = 0; i < n; i++) {
        const char *const *at = bsearch(&name[i], sorted, n, sizeof *sorted, smi_compare_strings);
        size_t k = (size_t)(at - sorted), before = k ? common_bytes(*at, sorted[k - 1]) : 0,
               from = k + 1 < n ? common_bytes(*at, sorted[k + 1]) : 0;
        for (from = from > before ? from : before; from && !smi_name_ends_token(*at, from - 1);)
            from--;
        made[i] = smi_text_width(name[i]) <= width || !from
                      ? smi_fmt_middle(g, name[i], width, width / 2)
                      : smi_fmt(g, "%s%s", dots, smi_fmt_middle(g, name[i] + from, room, room / 2));
    }
    return all_stay_different(made, name, n);
}

static int widest_of(const char *const *name, size_t n)
{
    int widest = 0, w;
    for (size_t i = 0; i < n; i++)
        widest = (w = smi_text_width(name[i])) > widest ? w : widest;
    return widest;
}

void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width)
{
    const char **made;
    bool apart;
    if (widest_of(name, n) <= width)
        return;
    smi_names_elide(g, name, n);
    made = smi_arena_new(&g->arena, n * 2, sizeof *made);
    apart = cut_middles(g, name, made, n, width);
    for (size_t i = 0; i < n; i++) {
        const char *tag = apart ? "" : smi_fmt(g, "~%zu", i + 1); /* nothing short tells them apart */
        int left = width - smi_text_width(tag);
        name[i] = apart ? made[i] : smi_fmt(g, "%s%s", smi_fmt_middle(g, name[i], left, left / 2), tag);
    }
}

int smi_names_least_width(struct smi_text_arena *g, const char *const *name, size_t n, int least, int most)
{
    const char **made = smi_arena_new(&g->arena, n * 3, sizeof *made), **brief = made + 2 * n;
    int low = least, high = most;
    memcpy(brief, name, n * sizeof *brief);
    if (widest_of(brief, n) > least)
        smi_names_elide(g, brief, n);
    if (least >= most || !cut_middles(g, brief, made, n, most))
        high = least;
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (cut_middles(g, brief, made, n, mid))
            high = mid;
        else
            low = mid + 1;
    }
    return high;
}
