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

/* The tokens of the first of some names. */
struct tokens {
    struct smi_text of[TOKENS];
    bool same[TOKENS]; /* all names have it */
    size_t n;
    bool placed; /* all names have as many: tokens are compared place by place */
};

/* The next token of a name. *from: where it begins, at first 0; then where the one behind it does. Returns
 * whether there is one. */
static bool next_token(const char *name, size_t *from, struct smi_text *t)
{
    size_t end = *from;
    if (end && !name[end - 1])
        return false;
    while (name[end] && !smi_name_ends_token(name, end))
        end++;
    *t = smi_text_between(name + *from, name + end);
    *from = end + 1;
    return true;
}

/* Is x, token k of some name, token `at` of the first? */
static bool is_token(const struct tokens *p, size_t at, struct smi_text x, size_t k)
{
    return (!p->placed || at == k) && smi_text_equal(p->of[at], x);
}

/* Which tokens of the first name are in all others? False: there are too few names, or too many tokens. */
static bool compare_tokens(struct tokens *p, const char **name, size_t n)
{
    struct smi_text x;
    *p = (struct tokens){.placed = true};
    for (size_t from = 0; n > 1 && next_token(name[0], &from, &x); p->n++) {
        if (p->n == TOKENS)
            return false;
        p->of[p->n] = x;
        p->same[p->n] = true;
    }
    for (size_t r = 1; r < n; r++) {
        size_t k = 0;
        for (size_t from = 0; next_token(name[r], &from, &x);)
            k++;
        p->placed &= k == p->n;
    }
    for (size_t r = 1; r < n; r++) {
        bool has[TOKENS] = {false};
        for (size_t from = 0, k = 0; next_token(name[r], &from, &x); k++)
            for (size_t at = 0; at < p->n; at++)
                has[at] |= is_token(p, at, x, k);
        for (size_t at = 0; at < p->n; at++)
            p->same[at] &= has[at];
    }
    return p->n > 0;
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
    struct smi_text x;
    bool same;
    const char **made;
    if (!compare_tokens(&p, name, n) || !memchr(p.same, true, p.n))
        return false;
    made = smi_arena_new(&g->arena, n * 2, sizeof *made);
    for (size_t i = 0; i < n; i++) { /* lr=0.1/model=a/batch=1/seed3 -> lr=0.1/…/seed3 */
        bool was = false, is;
        made[i] = "";
        for (size_t from = 0, k = 0; next_token(name[i], &from, &x); k++, was = is) {
            is = false;
            for (size_t at = 0; at < p.n; at++)
                is |= p.same[at] && is_token(&p, at, x, k);
            if (!is)
                made[i] = smi_fmt(g, "%s%.*s%.*s", made[i], k > 0, x.p - (k > 0), (int)x.n, x.p);
            else if (!was)
                made[i] = smi_fmt(g, "%s%.*s%s", made[i], k > 0, x.p - (k > 0), smi_fmt_ellipsis(g));
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
