/* name_words.c - words in which the names of runs differ: resnet50 and vit_b16 of resnet50_bs64_seed0 and
 * vit_b16_bs64_seed0. They are a parameter, else runs of two models would be repeats of each other. */
#include "base/text.h"
#include "sweep/discover_private.h"

#include <string.h>

/* In a text whose parameters are taken out: one begins here; the rest of one, or of a piece without one. */
enum { PARAMETER = 1, NOTHING = 2 };

static const char separators[] = "_-, /+;=\2";

struct names {
    struct smi_found_run *run;
    char *const *text; /* the name of each run, its parameters taken out; NULL: it takes no part */
    size_t n, params;  /* of a run; in front of each of them and behind the last is a gap */
    struct smi_text *value, *sorted; /* of one position, n each */
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Takes "lr=0.1", "lr_0.1" or "lr0.1" out, where it stands last. Returns whether it was there. */
static bool take_out(char *text, const struct smi_param *p)
{
    static const char between[] = "=_-";
    const size_t key = strlen(p->key), value = strlen(p->text), all = strlen(text);
    for (size_t at = all; at-- > 0;) {
        const size_t gap = at + key < all && strchr(between, text[at + key]) ? 1 : 0, n = key + gap + value;
        if (n > all - at || (at && is_word(text[at - 1])) || is_word(text[at + n]) ||
            memcmp(text + at, p->key, key) != 0 || memcmp(text + at + key + gap, p->text, value) != 0)
            continue;
        memset(text + at, NOTHING, n);
        text[at] = PARAMETER;
        return true;
    }
    return false;
}

/* Leaves the gaps of the pieces that have parameters. */
static bool take_out_all(char *text, const struct smi_found_run *r)
{
    bool all = r->params > 0;
    for (size_t i = 0; i < r->params; i++)
        all = all && take_out(text, &r->param[i]);
    for (char *p = text; *p && all; p += strspn(p, "/")) {
        const size_t n = strcspn(p, "/");
        if (!memchr(p, PARAMETER, n))
            memset(p, NOTHING, n);
        p += n;
    }
    return all;
}

static struct smi_text trim(struct smi_text t)
{
    while (t.n && strchr(separators, *t.p))
        t = (struct smi_text){t.p + 1, t.n - 1};
    while (t.n && strchr(separators, t.p[t.n - 1]))
        t.n--;
    return t;
}

static struct smi_text gap_of(const char *text, size_t gap)
{
    static const char parameter[] = {PARAMETER, 0};
    for (; gap; gap--)
        text += strcspn(text, parameter) + 1;
    return trim((struct smi_text){text, strcspn(text, parameter)});
}

/* The word at this place of a gap; empty behind the last. */
static struct smi_text word_of(struct smi_text gap, size_t place)
{
    for (;; place--) {
        size_t n = 0;
        while (n < gap.n && !strchr(separators, gap.p[n]))
            n++;
        if (!place)
            return (struct smi_text){gap.p, n};
        gap = trim((struct smi_text){gap.p + n, gap.n - n});
    }
}

static size_t count_words(struct smi_text gap)
{
    size_t n = 0;
    while (word_of(gap, n).n)
        n++;
    return n;
}

/* How many words the gap has in all names; SIZE_MAX: not as many in each. */
static size_t words_of_gap(const struct names *s, size_t gap)
{
    size_t words = SIZE_MAX;
    bool first = true;
    for (size_t i = 0; i < s->n; i++) {
        const size_t n = s->text[i] ? count_words(gap_of(s->text[i], gap)) : words;
        if (s->text[i] && !first && n != words)
            return SIZE_MAX;
        first = first && !s->text[i];
        words = s->text[i] ? n : words;
    }
    return words;
}

static int compare_values(const void *x, const void *y)
{
    const struct smi_text *a = x, *b = y;
    const int c = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);
    return c ? c : (a->n > b->n) - (a->n < b->n);
}

/* Fills the values at a position; place SIZE_MAX: the whole gap. Returns whether they are a parameter: words
 * that differ, and of which there are few. What each run has of its own is its name, a number or a time. */
static bool fill_values(struct names *s, size_t gap, size_t place)
{
    size_t n = 0, values = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct smi_text *t = &s->value[i];
        bool letter = false;
        *t = s->text[i] ? gap_of(s->text[i], gap) : (struct smi_text){"", 0};
        if (place != SIZE_MAX)
            *t = word_of(*t, place);
        for (size_t k = 0; k < t->n; k++)
            letter |= (t->p[k] | 32) >= 'a' && (t->p[k] | 32) <= 'z';
        if (t->n && !letter)
            return false;
        if (t->n)
            s->sorted[n++] = *t;
    }
    smi_sort(s->sorted, n, sizeof *s->sorted, compare_values);
    for (size_t i = 0; i < n; i++)
        values += !i || compare_values(&s->sorted[i - 1], &s->sorted[i]) != 0;
    return values > 1 && 2 * values <= n;
}

static int append_values(struct smi_arena *a, struct names *s, const char *key)
{
    for (size_t i = 0; i < s->n; i++) {
        struct smi_found_run *r = &s->run[i];
        struct smi_param *p = s->value[i].n ? smi_arena_new(a, r->params + 1, sizeof *p) : NULL;
        if (!s->value[i].n)
            continue;
        if (!p)
            return -1;
        memcpy(p, r->param, r->params * sizeof *p);
        p[r->params] = (struct smi_param){key, smi_arena_text(a, s->value[i].p, s->value[i].n), false};
        if (!p[r->params].text)
            return -1;
        r->param = p;
        r->params++;
    }
    return 0;
}

/* Adds the positions that are parameters, or (key NULL) counts them. Returns their number, or -1. */
static int visit_positions(struct smi_arena *a, struct names *s, const char *key, bool several)
{
    int found = 0;
    for (size_t gap = 0; gap <= s->params; gap++) {
        const size_t words = words_of_gap(s, gap), places = words == SIZE_MAX ? 1 : words;
        for (size_t place = 0; place < places; place++) {
            struct smi_buf name = {0};
            const char *text;
            if (!fill_values(s, gap, words == SIZE_MAX ? SIZE_MAX : place))
                continue;
            found++;
            if (!key)
                continue;
            smi_buf_str(&name, key);
            if (several)
                smi_buf_fmt(&name, "%d", found);
            text = smi_buf_keep(&name, a);
            if (!text || append_values(a, s, text))
                return -1;
        }
    }
    return found;
}

/* Have all runs that take part the same parameters in their names? */
static bool have_same_keys(struct names *s)
{
    const struct smi_found_run *first = NULL;
    for (size_t i = 0; i < s->n; i++) {
        const struct smi_found_run *r = &s->run[i];
        if (!s->text[i])
            continue;
        first = first ? first : r;
        if (r->params != first->params)
            return false;
        for (size_t k = 0; k < r->params; k++)
            if (strcmp(r->param[k].key, first->param[k].key) != 0)
                return false;
    }
    s->params = first ? first->params : 0;
    return first != NULL;
}

int smi_discovery_name_words(struct smi_arena *a, struct smi_found_run *run, char **text, size_t n)
{
    struct names s = {.run = run, .text = text, .n = n};
    const char *key = "name";
    int rc = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] && !take_out_all(text[i], &run[i]))
            text[i] = NULL;
        for (size_t k = 0; k < run[i].params; k++)
            key = strcmp(run[i].param[k].key, "name") == 0 ? "word" : key;
    }
    if (!have_same_keys(&s))
        return 0;
    s.value = smi_mem_new(2 * n, sizeof *s.value);
    if (!s.value)
        return -1;
    s.sorted = s.value + n;
    rc = visit_positions(a, &s, NULL, false);
    rc = rc > 0 ? visit_positions(a, &s, key, rc > 1) : rc;
    smi_mem_free(s.value);
    return rc < 0 ? -1 : 0;
}
