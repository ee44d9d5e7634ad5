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

/* ---- words and numbers: resnet_lr0.1_seed3 ---- */

/* Behind other words a number can be a value or the number of a run. */
static const char *const known[] = {
    "lr",    "wd",    "bs",     "mbs",    "gbs",   "batch",   "batchsize", "accum",    "seq",
    "ctx",   "seed",  "epoch",  "epochs", "ep",    "step",    "steps",     "layer",    "layers",
    "depth", "width", "dim",    "hidden", "heads", "dropout", "warmup",    "momentum", "beta",
    "gamma", "alpha", "lambda", "tau",    "sigma", "eps",     "noise",     "clip",     "rank",
    "tp",    "pp",    "dp",     "fold",   "rep",   "trial",   NULL};
static const char *const known_pairs[] = {"learning_rate",   "batch_size",   "weight_decay",
                                          "hidden_size",     "hidden_dim",   "embed_dim",
                                          "num_layers",      "num_heads",    "seq_len",
                                          "context_length",  "warmup_steps", "max_steps",
                                          "num_epochs",      "random_seed",  "grad_accum",
                                          "label_smoothing", "max_length",   "top_p",
                                          "top_k",           "seq_length",   NULL};

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool is_one_of(const char *const *list, struct smi_text word)
{
    while (*list && !smi_text_is_nocase(word, *list))
        list++;
    return *list;
}

static const char *after_any(const char *separators, const char *p, const char *end)
{
    while (p < end && strchr(separators, *p))
        p++;
    return p;
}

/* A word or a pair that is known: lr, batch_size, batch-size. */
static bool is_known_key(struct smi_text key)
{
    char name[32];
    if (key.n >= sizeof name)
        return false;
    for (size_t i = 0; i < key.n; i++)
        name[i] = key.p[i] == '-' ? '_' : key.p[i];
    return is_one_of(known, key) || is_one_of(known_pairs, (struct smi_text){name, key.n});
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
    return at == end ? end : after_any(strchr(", ", *at) ? ",; +" : "_-;", at + 1, end);
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
    return at == ';' || (n == value.n && is_digit(value.p[n - 1])) || is_known_key(key) ||
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
    return is_one_of(known_pairs, (struct smi_text){p, (size_t)(two - p)})
               ? (struct smi_text){p, (size_t)(two - p)}
               : (struct smi_text){p, (size_t)(at - p)};
}

/* The number at p, with an exponent; empty where there is none, or more than that before the next token. */
static struct smi_text number_at(const char *p, const char *end)
{
    const char *at = p;
    while (at < end && is_digit(*at))
        at++;
    if (at > p && at + 1 < end && *at == '.' && is_digit(at[1]))
        for (at++; at < end && is_digit(*at);)
            at++;
    if (at > p && at + 1 < end && (*at | 32) == 'e' && (is_digit(at[1]) || (at[1] == '-' && at + 2 < end)))
        for (at += 2; at < end && is_digit(*at);)
            at++;
    return (struct smi_text){p, at == end || strchr("_-, ", *at) ? (size_t)(at - p) : 0};
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

/* The tokens of a text without key=value, from p on. */
static int read_words(struct smi_arena *a, struct smi_param *list, size_t *n, const char *p, const char *end)
{
    while (p < end) {
        struct smi_text key = key_at(p, end), value;
        p += key.n;
        value = number_at(p + (p < end && (*p == '_' || *p == '-')), end);
        if (value.n && (is_one_of(known, key) || is_one_of(known_pairs, key))) {
            if (set_path_param(a, list, n, key, value))
                return -1;
            p = value.p + value.n;
        }
        while (p < end && !strchr("_-, ", *p))
            p++;
        p++;
    }
    return 0;
}

/* Begins what is at p with form, in which d is a digit and D one or more? */
static bool fits_form(const char *p, const char *end, const char *form)
{
    for (; *form; form++) {
        if (p == end || (*form == 'd' || *form == 'D' ? !is_digit(*p) : *p != *form))
            return false;
        for (p++; *form == 'D' && p < end && is_digit(*p);)
            p++;
    }
    return true;
}

/* Ray calls the directory of a trial train_fn_a1b2c_00003_3_lr=0.1,width=64_2026-07-03_10-00-00. */
static struct smi_text trial_parameters(struct smi_text piece)
{
    static const char time[] = "_dddd-dd-dd_dd-dd-dd", number[] = "_ddddd_D_";
    const char *end = piece.p + piece.n - (sizeof time - 1);
    if (piece.n < sizeof time || !fits_form(end, piece.p + piece.n, time))
        return piece;
    for (const char *p = piece.p; p < end; p++)
        if (fits_form(p, end, number)) {
            p += 7;
            p += strspn(p, "0123456789") + 1;
            return (struct smi_text){p, (size_t)(end - p)};
        }
    return piece;
}

static int read_path_piece(struct smi_arena *a, struct smi_param *list, size_t *n, struct smi_text piece)
{
    const char *end = piece.p + piece.n, *p = after_any("+", piece.p, end), *stop;
    while (p < end) {
        size_t len;
        len = key_length(p, end);
        stop = value_end(len ? p + len + 1 : p, end);
        if (len && set_path_param(a, list, n, (struct smi_text){p, len},
                                  (struct smi_text){p + len + 1, (size_t)(stop - p) - len - 1}))
            return -1;
        if (!len && read_words(a, list, n, p, stop))
            return -1;
        p = next_key(stop, end);
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
        most += *p == '=' || (is_digit(*p) && p > path && !is_digit(p[-1]));
    *out = list = smi_arena_new(a, most + 1, sizeof *list);
    if (!list)
        return smi_err_nomem(err);
    for (const char *p = path; *p && most;) {
        size_t len = strcspn(p, "/");
        if (read_path_piece(a, list, n, trial_parameters((struct smi_text){p, len})))
            return smi_err_nomem(err);
        p += len + (p[len] == '/');
    }
    return 0;
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

int smi_pattern_params(struct smi_arena *a, const char *pattern, const char *name,
                       const struct smi_param **list, size_t *n)
{
    const size_t most = strlen(pattern) / 3 + 1;
    struct smi_text *key = smi_mem_new(2 * most, sizeof *key), rest = smi_text_of(name);
    struct smi_param *to = smi_arena_new(a, *n + most, sizeof *to);
    size_t found = 0;
    int rc = key && to ? 0 : -1;
    bool is = !rc && match_pattern(smi_text_of(pattern), rest, key, key + most, &found);
    while (!rc && !is && rest.n) { /* its pieces, the last one first */
        size_t at = rest.n;
        while (at && rest.p[at - 1] != '/')
            at--;
        is = match_pattern(smi_text_of(pattern), (struct smi_text){rest.p + at, rest.n - at}, key, key + most,
                           &found);
        rest.n = at ? at - 1 : 0;
    }
    for (size_t i = 0; i < *n && !rc; i++)
        to[i] = (*list)[i];
    for (size_t i = 0; i < found && is && !rc; i++)
        rc = set_path_param(a, to, n, key[i], key[most + i]);
    smi_mem_free(key);
    if (!rc)
        *list = to;
    return rc ? -1 : is;
}
