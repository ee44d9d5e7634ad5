/* parameters.c - parameters from paths and words of names, and the grid that they make */
#include "base/text.h"
#include "sweep/discover.h"
#include "sweep/sweep.h"

#include <ctype.h>
#include <string.h>

/* words in which the names of runs differ: resnet50 and vit_b16 of resnet50_bs64_seed0 and
 * vit_b16_bs64_seed0. They are a parameter, else runs of two models would be repeats of each other. */

/* In a text whose parameters are taken out: one begins here; the rest of one, or of a piece without one. */
enum { PARAMETER = 1, NOTHING = 2 };

static const char word_separators[] = "_-, /+;=\2";

struct names {
    struct smi_found_run *run;
    char *const *text; /* the name of each run, its parameters taken out; NULL: it takes no part */
    size_t n, params;  /* of a run; in front of each of them and behind the last is a gap */
    struct smi_text *value, *sorted; /* of one position, n each */
};

static bool is_letter(char c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static bool is_word(char c)
{
    return smi_is_digit(c) || is_letter(c);
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

static struct smi_text gap_of(const char *text, size_t gap)
{
    static const char parameter[] = {PARAMETER, 0};
    for (; gap; gap--)
        text += strcspn(text, parameter) + 1;
    return smi_text_strip((struct smi_text){text, strcspn(text, parameter)}, word_separators);
}

/* The word at this place of a gap; empty behind the last. */
static struct smi_text word_of(struct smi_text gap, size_t place)
{
    for (;; place--) {
        size_t n = 0;
        while (n < gap.n && !strchr(word_separators, gap.p[n]))
            n++;
        if (!place)
            return (struct smi_text){gap.p, n};
        gap = smi_text_strip(smi_text_from(gap, n), word_separators);
    }
}

/* How many words the gap has in all names; SIZE_MAX: not as many in each. */
static size_t words_of_gap(const struct names *s, size_t gap)
{
    size_t words = SIZE_MAX;
    bool first = true;
    for (size_t i = 0; i < s->n; i++) {
        size_t n = s->text[i] ? 0 : words;
        while (s->text[i] && word_of(gap_of(s->text[i], gap), n).n)
            n++;
        if (s->text[i] && !first && n != words)
            return SIZE_MAX;
        first = first && !s->text[i];
        words = s->text[i] ? n : words;
    }
    return words;
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
            letter |= is_letter(t->p[k]);
        if (t->n && !letter)
            return false;
        if (t->n)
            s->sorted[n++] = *t;
    }
    smi_sort(s->sorted, n, sizeof *s->sorted, smi_compare_texts);
    for (size_t i = 0; i < n; i++)
        values += !i || !smi_text_equal(s->sorted[i - 1], s->sorted[i]);
    return values > 1 && 2 * values <= n;
}

static void append_values(struct smi_arena *a, struct names *s, const char *key)
{
    for (size_t i = 0; i < s->n; i++) {
        struct smi_found_run *r = &s->run[i];
        struct smi_param *p;
        if (!s->value[i].n)
            continue;
        p = smi_arena_new(a, r->params + 1, sizeof *p);
        memcpy(p, r->param, r->params * sizeof *p);
        p[r->params] = (struct smi_param){key, smi_arena_text(a, s->value[i].p, s->value[i].n), false};
        r->param = p;
        r->params++;
    }
}

/* Adds the positions that are parameters: as "name", or "name1", "name2" where there are several. */
static void add_positions(struct smi_arena *a, struct names *s, const char *key)
{
    char *first = NULL, *name;
    int found = 0;
    for (size_t gap = 0; gap <= s->params; gap++) {
        const size_t words = words_of_gap(s, gap), places = words == SIZE_MAX ? 1 : words;
        for (size_t place = 0; place < places; place++) {
            if (!fill_values(s, gap, words == SIZE_MAX ? SIZE_MAX : place))
                continue;
            name = (char *)smi_format_text(a, "%s%d", key, ++found);
            first = found == 1 ? name : first;
            append_values(a, s, name);
        }
    }
    if (found == 1)
        first[strlen(key)] = 0;
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

void smi_discovery_name_words(struct smi_arena *a, struct smi_found_run *run, char **text, size_t n)
{
    struct names s = {.run = run, .text = text, .n = n};
    const char *key = "name";
    for (size_t i = 0; i < n; i++) {
        if (text[i] && !take_out_all(text[i], &run[i]))
            text[i] = NULL;
        for (size_t k = 0; k < run[i].params; k++)
            key = strcmp(run[i].param[k].key, "name") == 0 ? "word" : key;
    }
    if (!have_same_keys(&s))
        return;
    s.value = smi_mem_new(2 * n, sizeof *s.value);
    s.sorted = s.value + n;
    add_positions(a, &s, key);
    smi_mem_free(s.value);
}

/* parameters in names (out/lr=0.1,batch=64/seed=3), and what they say about a whole
 * sweep: which are the same everywhere, which differ, and whether those form a grid with holes. */

/* ---- key=value pieces of a path ---- */

/* Length of a key at p that is followed by '=', or 0. Hydra writes +key=value for new keys. */
static size_t key_length(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && (is_word(p[n]) || p[n] == '_' || p[n] == '-' || p[n] == '.'))
        n++;
    return p + n < end && p[n] == '=' && n && !smi_is_digit(*p) && *p != '-' && *p != '.' ? n : 0;
}

/* ---- words and numbers: resnet_lr0.1_seed3 ---- */

/* Behind other words a number can be a value or the number of a run. */
static const char known[] = " lr wd bs mbs gbs batch batchsize accum seq ctx seed epoch epochs ep step steps "
                            "layer layers depth width dim "
                            "hidden heads dropout warmup momentum beta gamma alpha lambda tau sigma eps "
                            "noise clip rank tp pp dp fold rep "
                            "trial learning_rate batch_size weight_decay hidden_size hidden_dim embed_dim "
                            "num_layers num_heads seq_len "
                            "context_length warmup_steps max_steps num_epochs random_seed grad_accum "
                            "label_smoothing max_length top_p top_k "
                            "seq_length ";

/* A word or a pair, in any case: lr, batch_size, batch-size. */
static bool is_known(struct smi_text key)
{
    char name[32] = " ";
    size_t n = 1;
    if (!key.n || key.n > sizeof name - 3)
        return false;
    for (; n <= key.n; n++)
        name[n] = (char)(key.p[n - 1] == '-' ? '_' : tolower((unsigned char)key.p[n - 1]));
    memcpy(name + n, " ", 2);
    return strstr(known, name);
}

static bool has_any(struct smi_text t, const char *what)
{
    for (size_t i = 0; i < t.n; i++)
        if (strchr(what, t.p[i]))
            return true;
    return false;
}

/* Where a key may stand behind the separator at `at`. */
static const char *next_key(const char *at, const char *end)
{
    return at == end
               ? end
               : at + 1 + smi_text_span(smi_text_between(at + 1, end), strchr(", ", *at) ? ",; +" : "_-;");
}

/* Ends the value in front of `at`, where a key stands and something behind it? Behind a blank or a comma it
 * does, and a number does at any separator. A text may hold '_' and '-' itself, and keys, too: behind it the
 * key is known (model=gpt-2_small_lr=0.1), or one word behind the first such separator (model=vit_opt=adam).
 */
static bool ends_value(struct smi_text value, char at, struct smi_text key, bool empty)
{
    size_t n = 0;
    if (strchr(", ", at))
        return true;
    while (n < value.n && strchr("0123456789.eE+-", value.p[n]))
        n++;
    if (empty || !has_any(value, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") ||
        has_any(value, "="))
        return false;
    return at == ';' || (n == value.n && smi_is_digit(value.p[n - 1])) || is_known(key) ||
           (!has_any(key, "_-.") && !has_any(value, at == '-' ? "_-+" : "_+"));
}

/* Where the value that starts at p ends: at a separator with another key behind it, or with the piece. */
static const char *value_end(const char *p, const char *end)
{
    for (const char *at = p; at < end; at++) {
        const char *next = strchr(",; _-", *at) ? next_key(at, end) : end;
        size_t n = key_length(next, end);
        if (n && ends_value((struct smi_text){p, (size_t)(at - p)}, *at, (struct smi_text){next, n},
                            next + n + 1 == end))
            return at;
    }
    return end;
}

/* The word at p, or two with an underscore between them if they are known together. */
static struct smi_text key_at(const char *p, const char *end)
{
    const char *at = p, *two;
    while (at < end && is_letter(*at))
        at++;
    for (two = at + (at < end && *at == '_'); two < end && is_letter(*two);)
        two++;
    return is_known((struct smi_text){p, (size_t)(two - p)}) ? (struct smi_text){p, (size_t)(two - p)}
                                                             : (struct smi_text){p, (size_t)(at - p)};
}

/* The number at p, with an exponent; empty where there is none, or more than that before the next token. */
static struct smi_text number_at(const char *p, const char *end)
{
    const struct smi_text t = smi_text_between(p, end);
    size_t n = smi_text_digits(t);
    if (n && n + 1 < t.n && p[n] == '.' && smi_is_digit(p[n + 1]))
        n += 1 + smi_text_digits(smi_text_from(t, n + 1));
    if (n && n + 1 < t.n && (p[n] | 32) == 'e' &&
        (smi_is_digit(p[n + 1]) || (p[n + 1] == '-' && n + 2 < t.n)))
        n += 2 + smi_text_digits(smi_text_from(t, n + 2));
    return (struct smi_text){p, n == t.n || strchr("_-, ", p[n]) ? n : 0};
}

/* The piece nearest to the run wins when a key stands twice. */
static void set_path_param(struct smi_arena *a, struct smi_param *list, size_t *n, struct smi_text key,
                           struct smi_text value)
{
    size_t i = 0;
    while (i < *n && !smi_text_is(key, list[i].key))
        i++;
    if (i == *n)
        list[(*n)++].key = smi_arena_text(a, key.p, key.n);
    list[i].text = smi_arena_text(a, value.p, value.n);
    list[i].bare = smi_text_is_bare(value);
}

/* The tokens of a text without key=value, from p on. */
static void read_words(struct smi_arena *a, struct smi_param *list, size_t *n, const char *p, const char *end)
{
    while (p < end) {
        struct smi_text key = key_at(p, end), value;
        p += key.n;
        value = number_at(p + (p < end && (*p == '_' || *p == '-')), end);
        if (value.n && is_known(key)) {
            set_path_param(a, list, n, key, value);
            p = value.p + value.n;
        }
        while (p < end && !strchr("_-, ", *p))
            p++;
        p++;
    }
}

bool smi_name_fits(const char *p, const char *end, const char *form)
{
    for (; *form; form++) {
        if (p == end || (*form == 'd' || *form == 'D' ? !smi_is_digit(*p) : *p != *form))
            return false;
        for (p++; *form == 'D' && p < end && smi_is_digit(*p);)
            p++;
    }
    return true;
}

/* Ray calls the directory of a trial train_fn_a1b2c_00003_3_lr=0.1,width=64_2026-07-03_10-00-00. */
static struct smi_text trial_parameters(struct smi_text piece)
{
    static const char time[] = "_dddd-dd-dd_dd-dd-dd", number[] = "_ddddd_D_";
    const char *end = piece.p + piece.n - (sizeof time - 1);
    if (piece.n < sizeof time || !smi_name_fits(end, piece.p + piece.n, time))
        return piece;
    for (const char *p = piece.p; p < end; p++)
        if (smi_name_fits(p, end, number)) {
            p += 7;
            p += strspn(p, "0123456789") + 1;
            return (struct smi_text){p, (size_t)(end - p)};
        }
    return piece;
}

static void read_path_piece(struct smi_arena *a, struct smi_param *list, size_t *n, struct smi_text piece)
{
    const char *end = piece.p + piece.n, *p = piece.p + smi_text_span(piece, "+"), *stop;
    while (p < end) {
        size_t len = key_length(p, end);
        stop = value_end(len ? p + len + 1 : p, end);
        if (len)
            set_path_param(a, list, n, (struct smi_text){p, len},
                           (struct smi_text){p + len + 1, (size_t)(stop - p) - len - 1});
        else
            read_words(a, list, n, p, stop);
        p = next_key(stop, end);
    }
}

void smi_path_params(struct smi_arena *a, const char *path, const struct smi_param **out, size_t *n)
{
    size_t most = 0;
    struct smi_param *list;
    *n = 0;
    for (const char *p = path; *p; p++)
        most += *p == '=' || (smi_is_digit(*p) && p > path && !smi_is_digit(p[-1]));
    *out = list = smi_arena_new(a, most + 1, sizeof *list);
    for (const char *p = path; *p && most;) {
        size_t len = strcspn(p, "/");
        read_path_piece(a, list, n, trial_parameters((struct smi_text){p, len}));
        p += len + (p[len] == '/');
    }
}

/* ---- a pattern for names: {model}_lr{lr}_seed{seed} ---- */

int smi_pattern_check(const char *pattern, struct smi_err *err)
{
    const char *p = pattern;
    for (; (p = strpbrk(p, "{}")); p += strcspn(p, "}") + 1)
        if (*p == '}' || !strchr(p, '}') || !strcspn(p + 1, "{}") || p[1 + strcspn(p + 1, "{}")] == '{' ||
            strchr(p, '}')[1] == '{')
            return smi_err_set(err, SMI_EUSAGE,
                               "--name-pattern needs names in braces with a text between them, as "
                               "{model}_lr{lr}_seed{seed}: not \"%.100s\"",
                               pattern);
    return strchr(pattern, '{') ? 0 : smi_err_set(err, SMI_EUSAGE, "--name-pattern names no parameter: {lr}");
}

/* Reads the name by the pattern; list has room for each of its braces. A value has one letter at least, no
 * '/', and ends where the text behind the brace comes first. */
static bool match_pattern(struct smi_text pattern, struct smi_text name, struct smi_text *key,
                          struct smi_text *value, size_t *n)
{
    for (*n = 0; pattern.n;) {
        size_t text = strcspn(pattern.p, "{"), from = 1;
        const char *brace = pattern.p + text, *end;
        text = text < pattern.n ? text : pattern.n;
        if (name.n < text || memcmp(name.p, pattern.p, text) != 0)
            return false;
        name = (struct smi_text){name.p + text, name.n - text};
        pattern = (struct smi_text){pattern.p + text, pattern.n - text};
        if (!pattern.n)
            return name.n == 0;
        end = strchr(brace, '}') + 1;
        pattern = (struct smi_text){end, pattern.n - (size_t)(end - brace)};
        text = strcspn(end, "{");
        while (from < name.n && name.p[from - 1] != '/' &&
               (!text || name.n - from < text || memcmp(name.p + from, end, text) != 0))
            from++;
        if (!name.n || memchr(name.p, '/', from))
            return false;
        key[*n] = (struct smi_text){brace + 1, (size_t)(end - brace) - 2};
        value[(*n)++] = (struct smi_text){name.p, from};
        name = (struct smi_text){name.p + from, name.n - from};
    }
    return name.n == 0;
}

bool smi_pattern_params(struct smi_arena *a, const char *pattern, const char *name,
                        const struct smi_param **list, size_t *n)
{
    const size_t most = strlen(pattern) / 3 + 1;
    struct smi_text *key = smi_mem_new(2 * most, sizeof *key), rest = smi_text_of(name);
    struct smi_param *to = smi_arena_new(a, *n + most, sizeof *to);
    size_t found = 0;
    bool is = match_pattern(smi_text_of(pattern), rest, key, key + most, &found);
    while (!is && rest.n) { /* its pieces, the last one first */
        size_t at = rest.n;
        while (at && rest.p[at - 1] != '/')
            at--;
        is = match_pattern(smi_text_of(pattern), (struct smi_text){rest.p + at, rest.n - at}, key, key + most,
                           &found);
        rest.n = at ? at - 1 : 0;
    }
    for (size_t i = 0; i < *n; i++)
        to[i] = (*list)[i];
    for (size_t i = 0; i < found && is; i++)
        set_path_param(a, to, n, key[i], key[most + i]);
    smi_mem_free(key);
    *list = to;
    return is;
}

/* the parameters of all runs side by side: common, varying, and the grid that the varying
 * ones form.
 */

enum { AXES_MAX = 32 }; /* 2^32 runs fill no grid of more */

/* One parameter of one run. */
struct cell {
    const struct smi_param *p;
    size_t run;
    size_t value; /* the number of its value among those of the key */
};

/* All cells of one key: a stretch of the sorted cells. */
struct column {
    const struct cell *cell;
    size_t cells, values;
};

/* By key; by value: numbers by size, then true and false, then texts as people sort names; and by run. */
static int compare_cells(const void *x, const void *y)
{
    const struct cell *a = x, *b = y;
    int64_t v, w;
    int d = smi_text_compare_natural(a->p->key, b->p->key);
    d = d ? d : b->p->bare - a->p->bare;
    if (!d && a->p->bare && !smi_text_parse_micro(smi_text_of(a->p->text), &v) &&
        !smi_text_parse_micro(smi_text_of(b->p->text), &w))
        d = (v > w) - (v < w);
    d = d ? d : smi_text_compare_natural(a->p->text, b->p->text);
    return d ? d : (a->run > b->run) - (a->run < b->run);
}

/* Few values first: the parameter that groups best stands in front. */
static int by_values(const void *x, const void *y)
{
    const struct column *a = x, *b = y;
    int d = (a->values > b->values) - (a->values < b->values);
    return d ? d : smi_text_compare_natural(a->cell->p->key, b->cell->p->key);
}

/* All cells, sorted. */
static struct cell *collect_cells(const struct smi_sweep *s, size_t *n)
{
    struct cell *cell = NULL;
    size_t cap = 0;
    *n = 0;
    for (size_t i = 0; i < s->n; i++) {
        smi_mem_reserve(&cell, &cap, *n + s->runs[i].nparams, sizeof *cell);
        for (size_t j = 0; j < s->runs[i].nparams; j++)
            cell[(*n)++] = (struct cell){&s->runs[i].params[j], i, 0};
    }
    smi_sort(cell, *n, sizeof *cell, compare_cells);
    return cell;
}

/* Cuts the cells into columns and numbers the values of each. Returns how many columns there are. */
static size_t group_cells(struct cell *cell, size_t n, struct column *column)
{
    size_t columns = 0;
    for (size_t i = 0; i < n; i++) {
        bool same_key = i && strcmp(cell[i].p->key, cell[i - 1].p->key) == 0;
        if (!same_key)
            column[columns++] = (struct column){&cell[i], 0, 1};
        else if (strcmp(cell[i].p->text, cell[i - 1].p->text) != 0)
            column[columns - 1].values++;
        column[columns - 1].cells++;
        cell[i].value = column[columns - 1].values - 1;
    }
    return columns;
}

/* Common parameters by name; the columns of the varying ones move to the front, sorted. */
static void split_common_and_varying(struct smi_sweep *s, struct column *column, size_t n)
{
    struct smi_param *common = smi_arena_new(&s->arena, n + 1, sizeof *common);
    const char **varying = smi_arena_new(&s->arena, n + 1, sizeof *varying);
    size_t telling = 0;
    for (size_t i = 0; i < s->n; i++) /* runs of which nothing is known tell nothing about a parameter */
        telling += s->runs[i].nparams || s->runs[i].state != SMI_STATE_NO_DATA;
    for (size_t i = 0; i < n; i++)
        if (column[i].values == 1 && column[i].cells >= telling)
            common[s->ncommon++] = *column[i].cell->p;
        else
            column[s->nvarying++] = column[i];
    smi_sort(column, s->nvarying, sizeof *column, by_values);
    for (size_t i = 0; i < s->nvarying; i++)
        varying[i] = column[i].cell->p->key;
    s->common = common;
    s->varying = varying;
}

/* Does the value of one tell that of the other, as model=7b tells layers=32? of: room for a value of each of
 * by's. */
static bool determines_other(const struct smi_sweep *s, const size_t *by, size_t values, const size_t *other,
                             size_t *of)
{
    for (size_t i = 0; i < values; i++)
        of[i] = SIZE_MAX;
    for (size_t i = 0; i < s->n; i++) {
        if (of[by[i]] != SIZE_MAX && of[by[i]] != other[i])
            return false;
        of[by[i]] = other[i];
    }
    return true;
}

/* Drops the axes that another one tells: the one with more values stays, of equals the first. */
static size_t drop_told(const struct smi_sweep *s, struct column *axis, size_t n, size_t *value, size_t *of)
{
    bool told[AXES_MAX] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < axis[i].cells; k++)
            value[i * s->n + axis[i].cell[k].run] = axis[i].cell[k].value;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n && !told[i]; k++)
            told[i] = k != i &&
                      (axis[k].values > axis[i].values || (axis[k].values == axis[i].values && k < i)) &&
                      determines_other(s, value + k * s->n, axis[k].values, value + i * s->n, of);
    for (size_t i = 0; i < n; i++)
        if (!told[i])
            axis[kept++] = axis[i];
    return kept;
}

/* The columns that may span a grid, in axis: those that are in every run and say something of their own.
 * *n is 0 where there is no grid. */
static void choose_axes(const struct smi_sweep *s, const struct column *column, struct column *axis,
                        size_t *n)
{
    size_t *value;
    *n = 0;
    for (size_t i = 0; i < s->nvarying; i++) {
        if (s->nvarying > 1 && column[i].values == s->n) /* a number for each run, as run_id is */
            continue;
        if (column[i].cells != s->n || *n == AXES_MAX) {
            *n = 0;
            return;
        }
        axis[(*n)++] = column[i];
    }
    if (*n < 2)
        return;
    value = smi_mem_new((*n + 1) * s->n, sizeof *value);
    *n = drop_told(s, axis, *n, value, value + *n * s->n);
    smi_mem_free(value);
}

/* run_place[r]: the place of run r, the first axis counting most. */
static void find_holes(struct smi_sweep *s, const struct column *axis, size_t size)
{
    bool *taken = smi_mem_new(size, sizeof *taken);
    size_t *at = smi_mem_new(s->n, sizeof *at), filled = 0;
    struct smi_param **list = NULL;
    for (size_t i = 0; i < s->naxes; i++) {
        for (size_t k = 0; k < s->n; k++)
            at[k] *= axis[i].values;
        for (size_t k = 0; k < axis[i].cells; k++)
            at[axis[i].cell[k].run] += axis[i].cell[k].value;
    }
    for (size_t i = 0; i < s->n && at[i] < size; i++) { /* else some run gives a parameter twice */
        filled += !taken[at[i]];
        taken[at[i]] = true;
    }
    s->grid = (size - filled) * 10 <= size && (s->naxes > 1 || filled < s->n);
    if (s->grid)
        list = smi_arena_new(&s->arena, size - filled + 1, sizeof *list);
    for (size_t i = 0; i < size && s->grid; i++)
        if (!taken[i]) {
            struct smi_param *hole = smi_arena_new(&s->arena, s->naxes, sizeof *hole);
            for (size_t k = s->naxes, place = i; k-- > 0; place /= axis[k].values) {
                const struct cell *c = axis[k].cell;
                while (c->value != place % axis[k].values)
                    c++;
                hole[k] = *c->p;
            }
            list[s->nmissing++] = hole;
        }
    s->missing = list;
    smi_mem_free(at);
    smi_mem_free(taken);
}

static void find_grid(struct smi_sweep *s, const struct column *column)
{
    struct column axis[AXES_MAX];
    const char **name;
    size_t size = 1; /* places of the grid; 0: the runs cannot fill 90 % of them */
    choose_axes(s, column, axis, &s->naxes);
    s->axis = name = smi_arena_new(&s->arena, s->naxes + 1, sizeof *name);
    for (size_t i = 0; i < s->naxes; i++) {
        name[i] = axis[i].cell->p->key;
        if (__builtin_mul_overflow(size, axis[i].values, &size) || size / 10 * 9 > s->n)
            size = 0;
    }
    if (s->naxes && size)
        find_holes(s, axis, size);
}

void smi_sweep_params(struct smi_sweep *s)
{
    size_t cells;
    struct cell *cell = collect_cells(s, &cells);
    struct column *column = smi_mem_new(cells, sizeof *column);
    split_common_and_varying(s, column, group_cells(cell, cells, column));
    find_grid(s, column);
    smi_sweep_frame_names(s);
    smi_mem_free(column);
    smi_mem_free(cell);
}

/* ---- fewer runs ---- */

void smi_sweep_select(struct smi_sweep *s, const size_t *order, size_t n)
{
    bool *kept = smi_mem_new(s->n + 1, sizeof *kept);
    struct smi_summary *runs = smi_mem_new(n + 1, sizeof *runs);
    for (size_t i = 0; i < n; i++) {
        kept[order[i]] = true;
        runs[i] = s->runs[order[i]];
    }
    for (size_t i = 0; i < s->n; i++)
        if (!kept[i])
            smi_summary_fini(&s->runs[i]);
    smi_mem_free(s->runs);
    s->runs = runs;
    s->all = s->all ? s->all : s->n;
    s->n = n;
    smi_mem_free(kept);
    s->ncommon = s->nvarying = s->naxes = s->nmissing = 0;
    s->grid = false;
    smi_sweep_sum(s);
    smi_sweep_params(s);
}
