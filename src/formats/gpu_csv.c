/* GPU logs that people write by hand around nvidia-smi or NVML: a header of their own words, a time in front.
 *
 *     timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W
 *     2025-09-24T03:48:33.493Z,0, 38, 100, 387.26
 *
 * Columns are bound by the words of their names (column_map.h), units come from the name or from the cell.
 * A number without a known unit is not read; a warning says so. Times are of any form
 * (stamp.h); the first row decides which base the log has. */
#include "base/file.h"
#include "base/mem.h"
#include "formats/column_map.h"

#include <stdio.h>

enum { WORDS = 8, LETTERS = 16, JOINED = WORDS * (LETTERS + 1), GPU_DIGITS = 3 };

/* What the number of a GPU stands behind: gpu0, cuda:1, Card 2. */
static const char *const numbered_words[] = {"gpu", "cuda", "card", "dev", "device", "nvidia", NULL};

/* The words of a name. */
struct words {
    size_t n;
    char word[WORDS][LETTERS];
    bool gpu, host, vram, over; /* over: too many words, or too long */
    uint16_t number;            /* the number in it, + 1; 0: none */
    bool near;                  /* it is behind one of numbered_words, which are no words then */
};

/* Most words differ in their first letter. */
static inline bool is_same(const char *a, const char *b)
{
    return *a == *b && strcmp(a, b) == 0;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_letter(char c)
{
    return is_upper(c) || is_lower(c) || smi_is_digit(c);
}

/* Does a word begin at p[i], whose word so far began at `from`? memUsedMB is mem, Used, MB; smClock is sm,
 * Clock; GPUUtil is GPU, Util; MiB and MHz are one word. */
static bool begins_word(struct smi_text t, size_t from, size_t i)
{
    if (!is_upper(t.p[i]))
        return false;
    if (is_lower(t.p[i - 1]))
        return i - from >= 3 || (i - from == 2 && i + 1 < t.n && is_lower(t.p[i + 1]));
    return is_upper(t.p[i - 1]) && i + 1 < t.n && is_lower(t.p[i + 1]) && i - from >= 2 &&
           is_upper(t.p[from]);
}

static void add_word(struct words *w, struct smi_text t)
{
    char *to;
    if (w->n == WORDS || t.n >= LETTERS) {
        w->over = true;
        return;
    }
    to = w->word[w->n++];
    for (size_t i = 0; i < t.n; i++)
        to[i] = (char)(is_upper(t.p[i]) ? t.p[i] | 32 : t.p[i]);
    to[t.n] = 0;
}

/* "gpu0", or "0": a number behind the word of a GPU ("gpu_id 0") is its own, and so may be one that stands
 * alone. */
static void add_numbered(struct words *w, struct smi_text t)
{
    static const char *const index[] = {"id", "idx", "index", "number", NULL};
    const size_t before = w->n;
    size_t letters = t.n; /* the digits that the word ends in stand behind them */
    bool near;
    while (letters && smi_is_digit(t.p[letters - 1]))
        letters--;
    const struct smi_text digits = smi_text_from(t, letters);
    if (letters == t.n || w->n == WORDS) {
        add_word(w, t);
        return;
    }
    if (letters)
        add_word(w, (struct smi_text){t.p, letters});
    w->n -= !letters && w->n > 1 && smi_text_is_one_of(smi_text_of(w->word[w->n - 1]), index) &&
            smi_text_is_one_of(smi_text_of(w->word[w->n - 2]), numbered_words);
    near = w->n && smi_text_is_one_of(smi_text_of(w->word[w->n - 1]), numbered_words);
    if (letters && !near) { /* mi300 */
        w->n = before;
        add_word(w, t);
        return;
    }
    w->over |= w->number || digits.n > GPU_DIGITS;
    w->number = (uint16_t)(smi_cell_digits(digits, GPU_DIGITS) + 1);
    w->near |= near;
    if (near)
        memcpy(w->word[w->n - 1], "gpu", 4);
}

static void cut_words(struct words *w, struct smi_text t)
{
    *w = (struct words){0};
    for (size_t i = 0, from; i < t.n;) {
        if (t.p[i] == '%')
            add_word(w, smi_text_of("pct"));
        if (!is_letter(t.p[i])) {
            w->over |= (unsigned char)t.p[i] >= 0x80 && t.p[i] != '\xC2' && t.p[i] != '\xB0'; /* not ° */
            i++;
            continue;
        }
        for (from = i++; i < t.n && is_letter(t.p[i]) && !begins_word(t, from, i);)
            i++;
        add_numbered(w, (struct smi_text){t.p + from, i - from});
    }
}

/* Words as the table spells them, and what they tell beside. */
static void normalise_words(struct words *w)
{
    size_t k = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *means = w->word[i];
        for (size_t s = 0; smi_gpu_csv_words[s][0]; s++)
            if (is_same(w->word[i], smi_gpu_csv_words[s][0]))
                means = smi_gpu_csv_words[s][1];
        const bool host = is_same(means, "host"), gpu = is_same(means, "gpu");
        w->host |= host;
        w->gpu |= gpu;
        w->vram |= is_same(means, "vram");
        if (*means && !host && !gpu)
            memmove(w->word[k++], means, strlen(means) + 1);
    }
    w->n = k;
}

static void join_words(const struct words *w, char out[JOINED])
{
    *out = 0;
    for (size_t i = 0; i < w->n; i++)
        out = stpcpy(stpcpy(out, i ? " " : ""), w->word[i]);
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* How many of this unit of time ("ms") are a second; 0: it is none. */
static int64_t time_unit(struct smi_text t)
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int64_t per_s = 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++, per_s *= 1000)
        if (smi_text_is(t, units[i]))
            return per_s;
    return 0;
}

/* timestamp, time_ms, unix_time, datetime_utc, epoch_s, created_at, Relative Time (Process); not epoch alone:
 * trainings count in epochs. */
static bool is_time(const struct words *w, struct smi_gpu_csv_column *c)
{
    static const char *const heads[] = {"timestamp", "time",     "datetime", "ts",  "date", "elapsed",
                                        "created",   "recorded", "relative", "now", NULL};
    static const char *const beside[] = {"unix", "utc", "local",   "wall", "iso", "epoch", "stamp", "at",
                                         "s",    "sec", "seconds", "ms",   "us",  "ns",    "z",     NULL};
    size_t n = 0, more = 0, date = 0;
    for (size_t i = 0; i < w->n; i++) {
        bool head = smi_text_is_one_of(smi_text_of(w->word[i]), heads);
        if (!head && !smi_text_is_one_of(smi_text_of(w->word[i]), beside) &&
            !(i == 2 && strcmp(w->word[0], "relative") == 0 && strcmp(w->word[2], "process") == 0))
            return false;
        n += head;
        more += strcmp(w->word[i], "epoch") == 0;
        date += strcmp(w->word[i], "date") == 0;
        c->utc |= strcmp(w->word[i], "utc") == 0;
        if (time_unit(smi_text_of(w->word[i])) > 1)
            c->per_s = time_unit(smi_text_of(w->word[i]));
    }
    if (!n && !(more && w->n > 1))
        return false;
    c->kind = SMI_COL_TIME;
    c->date = n == 1 && date == 1;
    return c->known = true;
}

/* What tells that a name is about a GPU, besides itself: nothing; another column, where it has a unit; the
 * user, who said what the log is. */
enum company { ALONE, BESIDE, CERTAIN };

static void find_name(const struct words *w, const char *name, const struct smi_unit *unit,
                      enum company company, struct smi_gpu_csv_column *c)
{
    for (size_t i = 0; i < smi_names_gpu_csv.n; i++) {
        const struct smi_alias *a = &smi_names_gpu_csv.list[i];
        if (!is_same(a->name, name))
            continue;
        bool number = a->kind == SMI_COL_NUMBER, gpu = w->gpu || (number && w->vram);
        bool told = gpu || (number && (w->number || company == CERTAIN)); /* util_0 */
        const char *of = number ? smi_metrics[a->what].unit : "%";
        if ((unit && strcmp(unit->of, of)) ||
            ((a->word & SMI_WORD_GPU) && !told && !(company == BESIDE && number && unit)))
            continue;
        c->kind = a->kind;
        c->what = a->what;
        c->unit = unit ? unit : a->how ? &smi_units[a->how] : NULL;
        c->sure = (gpu || strncmp(name, "board ", 6) == 0) && c->kind != SMI_COL_NAME;
        c->vague = c->kind != SMI_COL_SKIP ? NULL
                   : strstr(name, " k")    ? "of an interval, or since the beginning? not read"
                                           : "how busy the memory is, or how full? not read";
        c->known = true;
        return;
    }
}

/* Names that other tools give to columns: of Prometheus, DCGM_FI_DEV_GPU_UTIL{gpu="0"}, and of W&B, "run3 -
 * system/gpu.0.powerWatts". *name is cut to what says more. Returns whether it is one that is read. */
static bool find_tool_name(struct smi_text *name, struct smi_gpu_csv_column *c)
{
    static const struct {
        const char *text;
        size_t cut; /* of it */
    } fronts[] = {{"system/gpu", 7}, {"system.gpu", 7}, {"sys.gpu", 4}, {"tags_", 5}, {"fields_", 7}};
    const char *end = name->p + name->n, *brace = name->n ? memchr(name->p, '{', name->n) : NULL, *at;
    struct smi_text number = {"", 0};
    const struct smi_alias *a;
    name->n = brace ? (size_t)(brace - name->p) : name->n;
    if (brace && (at = memmem(brace, (size_t)(end - brace), "gpu=", 4)))
        number = smi_text_from(smi_text_between(at, end), smi_text_span(smi_text_between(at, end), "gpu=\""));
    a = smi_text_starts_nocase(*name, "DCGM_FI_") || smi_text_starts_nocase(*name, "nvidia_smi_")
            ? smi_names_find(&smi_names_exposition, *name)
            : NULL;
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts && memchr(name->p, 's', name->n); i++)
        if ((at = memmem(name->p, name->n, fronts[i].text, strlen(fronts[i].text))))
            *name = smi_text_between(at + fronts[i].cut, name->p + name->n);
    if (!a && name->n > 4 && memcmp(name->p, "gpu.", 4) == 0) {
        number = smi_text_from(*name, 4);
        at = memchr(number.p, '.', number.n);
        a = at ? smi_names_find(&smi_names_wandb, smi_text_between(at + 1, name->p + name->n)) : NULL;
    }
    number.n = smi_text_digits(number);
    c->gpu = (uint16_t)(number.n && number.n <= GPU_DIGITS ? smi_cell_digits(number, GPU_DIGITS) + 1 : 0);
    if (a)
        *c = (struct smi_gpu_csv_column){
            a->kind, a->what, c->gpu, &smi_units[a->how], .known = true, .sure = true, .near = c->gpu > 0};
    return a;
}

/* Reads a header cell: any case, any punctuation, words in any order. An unknown name gives SKIP with known
 * false. Names that say too little are known, and not read: mem_util (how
 * busy or how full?). MB and GB are MiB and GiB, as in nvidia-smi's own dmon. */
static void gpu_column(struct smi_text name, enum company company, struct smi_gpu_csv_column *c)
{
    struct words w;
    struct smi_query_column query;
    const struct smi_unit *unit = NULL;
    char joined[JOINED];
    const char *whole = name.p;
    *c = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
    if (find_tool_name(&name, c))
        return;
    cut_words(&w, name);
    if (w.over || w.n == 0 || (!w.number && is_time(&w, c)))
        return;
    smi_column_query(name, &query);
    if (query.kind == SMI_COL_PLACE) { /* the machine that the GPU of a row is in */
        *c = (struct smi_gpu_csv_column){.kind = SMI_COL_PLACE, .what = query.what, .known = true};
        return;
    }
    normalise_words(&w);
    if (w.n && (unit = smi_unit_find(smi_text_of(w.word[w.n - 1]))))
        while (w.n && smi_unit_find(smi_text_of(w.word[w.n - 1])) == unit) /* Fan Speed (%) [%] */
            w.n--;
    join_words(&w, joined);
    if (w.host || strcmp(joined, "util mem") != 0) /* utilization.memory's order */
        smi_sort(w.word, w.n, sizeof *w.word, compare_words);
    join_words(&w, joined);
    if (unit && w.n == 0 && w.gpu && strcmp(unit->of, "%") == 0) /* gpu_pct, gpu% */
        strcpy(joined, "util");
    if (!unit && memchr(name.p, '.', name.n) &&
        smi_text_starts_nocase(name, "memory.")) /* nvidia-smi's own name */
        unit = smi_unit_find(smi_text_of("MiB"));
    find_name(&w, joined, unit, company, c);
    if (w.host)
        *c = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP,
                                         .what = c->what,
                                         .known = true,
                                         .host = true,
                                         .told = c->kind >= SMI_COL_NUMBER};
    c->sure |= name.p > whole;
    c->gpu = w.number;
    c->near = w.near;
    if (w.number && c->kind == SMI_COL_KEY && c->what >= SMI_DEVICE_KEY_INDEX) /* gpu_0: what of it? */
        *c = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
}

bool smi_gpu_csv_host(struct smi_text name)
{
    struct smi_gpu_csv_column c;
    gpu_column(name, ALONE, &c);
    return c.host;
}

/* ---- the header as a whole ---- */

/* The column with the meaning of c[i] that counts before it, or NULL. One that says GPU does: beside it the
 * other is the machine's, or counts rows. Else the first. */
static const struct smi_gpu_csv_column *find_first(const struct smi_gpu_csv_column *c, size_t n, size_t i)
{
    for (size_t k = 0; k < n && c[i].kind >= SMI_COL_KEY; k++)
        if (k != i && c[k].kind == c[i].kind && c[k].what == c[i].what && c[k].gpu == c[i].gpu &&
            (c[k].sure == c[i].sure ? k < i : c[k].sure))
            return &c[k];
    return NULL;
}

/* Each metric and key once; one time, or a date and a time. */
static void drop_seconds(struct smi_gpu_csv_column *c, size_t n)
{
    bool again[SMI_GPU_CSV_COLUMNS];
    size_t times = 0, dates = 0;
    for (size_t i = 0; i < n; i++)
        again[i] = find_first(c, n, i) || (c[i].kind == SMI_COL_TIME && !c[i].date && times++);
    for (size_t i = 0; i < n; i++) /* a date counts beside one bare time, or alone */
        if (again[i] || (c[i].kind == SMI_COL_TIME && c[i].date && dates++)) {
            c[i].vague = c[i].kind >= SMI_COL_NUMBER ? "another column says the same: not read" : NULL;
            c[i].kind = SMI_COL_SKIP;
        }
}

/* "cpu,ram,gpu,gpu_mem_mb": a bare gpu beside a bare cpu is a load as that is, where no other column is one.
 */
static void read_bare_gpu(const struct smi_text *cell, size_t n, struct smi_gpu_csv_column *c)
{
    bool cpu = false, more = false;
    size_t gpu = n;
    for (size_t i = 0; i < n; i++) {
        if (c[i].kind == SMI_COL_NUMBER && c[i].what == SMI_GPU_UTIL)
            return;
        cpu |= smi_text_is_nocase(cell[i], "cpu");
        more |= c[i].kind == SMI_COL_NUMBER && c[i].sure;
        gpu = c[i].kind == SMI_COL_KEY && smi_text_is_nocase(cell[i], "gpu") ? i : gpu;
    }
    if (gpu == n || !cpu || !more)
        return;
    gpu_column(smi_text_of("gpu_util"), ALONE, &c[gpu]);
    c[gpu].vague = "beside cpu it is read as the load in %; --columns-from says what else it is";
}

/* Reads the names one by one. Returns false: a cell is no name. */
static bool read_names(const struct smi_text *cell, size_t n, enum company company,
                       struct smi_gpu_csv_column *c)
{
    for (size_t i = 0; i < n; i++) {
        if ((i && !cell[i].n) || (cell[i].n && smi_is_digit(cell[i].p[0])))
            return false;
        gpu_column(cell[i], company, &c[i]); /* pandas gives its row numbers no name: the first */
        c[i].known |= !cell[i].n;
    }
    return true;
}

/* Beside columns of the machine, may it be one of them? Not where the machine's own says that it is, and the
 * clock, load and heat of memories and the hot spot are those of GPUs. */
static bool may_be_hosts(const struct smi_gpu_csv_column *c, size_t n, unsigned metric)
{
    for (size_t i = 0; i < n; i++)
        if (c[i].told && c[i].what == metric)
            return false;
    return metric != SMI_CLK_MEM && metric != SMI_TEMP_MEM && metric != SMI_TEMP_JUNCTION &&
           metric != SMI_MEM_UTIL;
}

/* Are there metrics with the number of their GPU? Not where one of them also stands without a number, nor
 * where another does and no number stands behind the word GPU (gpu_temp_2), nor if nothing says that they are
 * of GPUs, and there is one number or a column of the machine. Else what has no number is of no known GPU; if
 * they are none, the numbered columns are not known. */
static bool read_numbers(struct smi_gpu_csv_column *c, size_t n, bool host)
{
    bool some = false, near = false, sure = false, wide = true, plain = false, several = false;
    unsigned first = 0, metrics = 0;
    for (size_t i = 0; i < n; i++) {
        plain |= c[i].kind == SMI_COL_KEY && !c[i].gpu; /* a row is about one GPU */
        if (c[i].kind < SMI_COL_NUMBER)
            continue;
        plain |= !c[i].gpu && c[i].sure;
        if (!c[i].gpu)
            continue;
        first = c[i].gpu;
        some = true;
        metrics++;
        near |= c[i].near;
        sure |= c[i].sure;
        for (size_t k = 0; k < n; k++)
            if (c[k].kind == c[i].kind && c[k].what == c[i].what) {
                wide &= c[k].gpu != 0;
                several |= c[k].gpu != c[i].gpu;
            }
    }
    wide &= some && (near || !plain) && (sure || (several && !host)) &&
            (near || several || metrics > 1 || first == 1);
    for (size_t i = 0; i < n; i++) {
        if (wide && !c[i].gpu && (c[i].kind >= SMI_COL_NUMBER || c[i].kind == SMI_COL_KEY)) {
            c[i].kind = SMI_COL_SKIP;
            c[i].vague = "of which GPU? not read";
        }
        if (!wide && c[i].gpu && !c[i].host)
            c[i] = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
        if (wide && c[i].gpu && c[i].kind >= SMI_COL_NUMBER)
            c[i].sure = true;
    }
    return wide;
}

bool smi_gpu_csv_header(const struct smi_text *cell, size_t n, bool certain, struct smi_gpu_csv_column *c)
{
    size_t found = 0, known = 0, all = n;
    bool host = false, time = false, key = false, word = certain;
    if (n < 2 || n > SMI_GPU_CSV_COLUMNS)
        return false;
    n -= !cell[n - 1].n; /* a comma at the end */
    if (!read_names(cell, n, certain ? CERTAIN : ALONE, c))
        return false;
    for (size_t i = 0; i < n; i++) {
        host |= c[i].host;
        key |= c[i].kind == SMI_COL_KEY && !c[i].gpu;
        word |= c[i].sure && !c[i].gpu;
    }
    if ((key || word) && !host && !certain)
        read_names(cell, n, BESIDE, c);
    for (size_t i = n; i < all; i++)
        c[i] = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
    drop_seconds(c, n);
    word |= read_numbers(c, n, host);
    read_bare_gpu(cell, n, c);
    for (size_t i = 0; i < n; i++) {
        if (host && c[i].kind >= SMI_COL_NUMBER && !c[i].sure && may_be_hosts(c, n, c[i].what)) {
            c[i].kind = SMI_COL_SKIP;
            c[i].vague = "the GPU's, or the machine's? not read";
        }
        known += c[i].known;
        time |= c[i].kind == SMI_COL_TIME;
        found += c[i].kind == SMI_COL_NUMBER;
    }
    return found && word && (time || (key && known == n));
}

/* ---- the columns that a user names: a map, and the cells below it ---- */

enum { FILE_MAX = 65536, QUOTE = 40, SIZE_DIGITS = 3, LINES = 200 /* that may stand above the header */ };

/* One line of a map, and where it stands. */
struct reading {
    struct smi_column_map *to;
    const char *path, *end; /* end: of the line */
    int line;
    struct smi_text name; /* the last one there */
    struct smi_err *err;
};

/* ---- the text ---- */

static int fail(const struct reading *r, const char *what, struct smi_text t, const char *advice)
{
    return smi_err_set(r->err, SMI_EUSAGE, "--columns-from %s:%d: %s \"%.*s\"%s%s", r->path, r->line, what,
                       t.n < QUOTE ? (int)t.n : QUOTE, t.n ? t.p : "", *advice ? ": " : "", advice);
}

/* A value, up to the end of the line: it should have been in quotes. */
static struct smi_text up_to_end(const struct reading *r, struct smi_text t)
{
    return smi_text_trim((struct smi_text){t.p, (size_t)(r->end - t.p)});
}

static int read_separator(const struct reading *r, struct smi_text t)
{
    static const struct {
        const char *word;
        unsigned split;
    } separators[] = {{"comma", 0},
                      {"semicolon", SMI_SPLIT_AT(';')},
                      {"tab", SMI_SPLIT_AT('\t')},
                      {"bar", SMI_SPLIT_AT('|')},
                      {"blanks", SMI_SPLIT_BLANKS},
                      {"text", 0}};
    r->to->text = smi_text_is_nocase(t, "text");
    for (size_t i = 0; i < sizeof separators / sizeof *separators; i++)
        if (smi_text_is_nocase(t, separators[i].word)) {
            r->to->split = SMI_SPLIT_QUOTES | separators[i].split;
            return 0;
        }
    return fail(r, "there is no separator", up_to_end(r, t), "comma, semicolon, tab, bar, blanks or text");
}

/* What stands on the left. */
static bool find_meaning(struct smi_text name, struct smi_gpu_csv_column *c)
{
    struct smi_query_column q;
    const int metric = smi_metric_find(name.p, name.n);
    c->date = smi_text_is(name, "date");
    if (c->date || smi_text_is(name, "time")) {
        c->kind = SMI_COL_TIME;
        return true;
    }
    smi_column_query(name, &q);
    c->kind = q.kind;
    c->what = q.what;
    if (metric >= 0 && !smi_metric_is_host((unsigned)metric)) {
        c->kind = metric == SMI_PSTATE ? SMI_COL_PSTATE : SMI_COL_NUMBER;
        c->what = (uint16_t)metric;
    }
    if (c->kind == SMI_COL_NUMBER)
        c->unit = smi_unit_find(smi_text_of(smi_metrics[c->what].unit));
    return c->kind != SMI_COL_SKIP;
}

/* "ms", "UTC", "month-first" behind a time; of numbers a unit of what they count. */
static int read_unit(const struct reading *r, struct smi_gpu_csv_column *c, struct smi_text t)
{
    const struct smi_unit *unit = smi_unit_find(t);
    const char *of = c->kind == SMI_COL_NUMBER ? smi_metrics[c->what].unit : "it has none";
    if (!t.n || (c->kind == SMI_COL_NUMBER && smi_text_is(t, of)))
        return 0;
    if (c->kind == SMI_COL_TIME) {
        c->utc = smi_text_is_nocase(t, "UTC");
        c->per_s = time_unit(t);
        c->form = smi_text_is(t, "month-first") ? SMI_STAMP_MONTH_FIRST
                  : smi_text_is(t, "day-first") ? SMI_STAMP_DAY_FIRST
                                                : SMI_STAMP_UNKNOWN;
        return c->utc || c->per_s || c->form
                   ? 0
                   : fail(r, "no unit of a time:", t, "s, ms, us, ns, UTC, month-first or day-first");
    }
    if (c->kind != SMI_COL_NUMBER || !unit || strcmp(unit->of, of))
        return fail(r, "no unit of this column:", t, of);
    c->unit = unit;
    return 0;
}

/* "\"GPU Load\" %" or "5 mW": the column, and what is behind it. */
static int read_column(const struct reading *r, struct smi_text t, size_t at, struct smi_text *rest)
{
    const char *close = t.n > 1 && *t.p == '"' ? memchr(t.p + 1, '"', t.n - 1) : NULL;
    struct smi_text word;
    int64_t number;
    if (close) {
        r->to->entry[at].name = smi_text_trim((struct smi_text){t.p + 1, (size_t)(close - t.p - 1)});
        *rest = smi_text_trim((struct smi_text){close + 1, (size_t)(t.p + t.n - close - 1)});
        r->to->named = true;
        return r->to->entry[at].name.n ? 0 : fail(r, "a column has no name:", t, "");
    }
    *rest = t;
    word = smi_text_word(rest);
    *rest = smi_text_trim(*rest);
    number = smi_cell_digits(word, SIZE_DIGITS);
    if (number < 1 || number > SMI_GPU_CSV_COLUMNS)
        return fail(r, "no column:", up_to_end(r, t), "its name in quotes, or its number from 1 to 256");
    r->to->entry[at].number = (size_t)number;
    r->to->width = r->to->width > (size_t)number ? r->to->width : (size_t)number;
    return 0;
}

/* NAME = COLUMN, or another COLUMN of the last name. */
static int read_part(struct reading *r, struct smi_text part)
{
    static const char word[] = "optional";
    const char *equals = part.n ? memchr(part.p, '=', part.n) : NULL;
    struct smi_text value = part, rest, unit;
    struct smi_column_map *m = r->to;
    struct smi_gpu_csv_column c = {.kind = SMI_COL_SKIP, .known = true, .sure = true};
    bool optional, again = r->name.n && part.n && (*part.p == '"' || smi_is_digit(*part.p));
    if (!again && !equals)
        return fail(r, "no = in", part, "NAME = \"Column\" UNIT");
    if (!again) {
        r->name = smi_text_trim((struct smi_text){part.p, (size_t)(equals - part.p)});
        value = smi_text_trim((struct smi_text){equals + 1, (size_t)(part.p + part.n - equals - 1)});
    }
    if (smi_text_is(r->name, "separator"))
        return read_separator(r, value);
    if (smi_text_is(r->name, "gpus")) {
        m->gpus = (int)smi_cell_digits(value, SIZE_DIGITS);
        return m->gpus > 0 ? 0 : fail(r, "no number of GPUs:", value, "1 to 999");
    }
    if (!find_meaning(r->name, &c))
        return fail(r, "there is nothing called", r->name,
                    "time, date, a metric of `smilog list metrics`, or a field of nvidia-smi");
    if (m->n == SMI_COLUMN_MAP_MAX)
        return fail(r, "more than 64 columns:", r->name, "");
    if (read_column(r, value, m->n, &rest))
        return -1;
    for (unit = rest; unit.n && unit.p[unit.n - 1] > ' ';)
        unit.n--;
    optional = smi_text_is(smi_text_from(rest, unit.n), word);
    if (read_unit(r, &c, optional ? smi_text_trim(unit) : rest))
        return -1;
    for (size_t i = 0; i < m->n; i++) {
        const struct smi_gpu_csv_column *o = &m->entry[i].column;
        if (!again && o->kind == c.kind && o->what == c.what && o->date == c.date)
            return fail(r, "a second column is called", r->name, "");
        if (m->entry[i].number == m->entry[m->n].number &&
            smi_text_equal(m->entry[i].name, m->entry[m->n].name))
            return fail(r, "a column is given twice:", value, "");
    }
    m->entry[m->n].again = again;
    m->entry[m->n].optional = optional;
    m->entry[m->n++].column = c;
    return 0;
}

/* NAME = COLUMN UNIT, ... # a comment */
static int read_line(struct reading *r, struct smi_text line)
{
    const char *p = line.p, *from = line.p, *end = r->end = line.p + line.n;
    r->name.n = 0;
    for (bool quoted = false; p <= end; p++) {
        quoted ^= p < end && *p == '"';
        if (p < end && (quoted || (*p != ',' && *p != '#')))
            continue;
        if (read_part(r, smi_text_trim((struct smi_text){from, (size_t)(p - from)})))
            return -1;
        if (p < end && *p == '#')
            break;
        from = p + 1;
    }
    return 0;
}

int smi_column_map_read(struct smi_column_map *m, const char *columns, const char *path, struct smi_err *err)
{
    struct reading r = {m, path, NULL, 1, {NULL, 0}, err};
    *m = (struct smi_column_map){.split = SMI_SPLIT_QUOTES};
    for (const char *p = columns + 1, *lf; p; p = *lf ? lf + 1 : NULL, r.line++) {
        struct smi_text line = {p, strcspn(p, "\n")};
        lf = p + line.n;
        line = smi_text_trim((struct smi_text){p, line.n - (lf > p && lf[-1] == '\r')});
        if (line.n && *line.p != '#' && read_line(&r, line))
            return -1;
    }
    for (size_t i = 0; i < m->n && m->text; i++)
        m->entry[i].number = m->width = i + 1;
    m->named &= !m->text;
    for (size_t i = 0; i < m->n; i++)
        if (m->entry[i].column.kind >= SMI_COL_NUMBER)
            return 0;
    return smi_err_set(err, SMI_EUSAGE, "--columns-from %s: no column of a metric (smilog list metrics)",
                       path);
}

int smi_column_map_load(struct smi_buf *b, const char *path, struct smi_err *err)
{
    struct smi_column_map m;
    size_t from = b->n + 1;
    smi_buf_char(b, '\n');
    if (smi_file_read_all(b, path, FILE_MAX, err))
        return -1;
    smi_buf_char(b, 0);
    if (b->n - from > FILE_MAX || strlen(b->p + from) + 1 < b->n - from ||
        !smi_text_is_utf8((struct smi_text){b->p + from, b->n - from}))
        return smi_err_set(err, SMI_EUSAGE, "--columns-from %s: not UTF-8 text of at most 64 KiB", path);
    return smi_column_map_read(&m, b->p + from - 1, path, err);
}

bool smi_column_map_is(const char *columns)
{
    return columns && *columns == '\n';
}

int smi_column_map_gpus(const char *columns)
{
    struct smi_column_map m;
    struct smi_err err = {0};
    return smi_column_map_is(columns) && smi_column_map_read(&m, columns, "", &err) == 0 ? m.gpus : 0;
}

/* ---- lines of logs ---- */

/* The longest time that a text begins with. */
static struct smi_text cut_time(struct smi_text t)
{
    enum { TIME = 40 };
    const size_t room = t.n; /* the end of the line stands behind it */
    for (t.n = t.n < TIME ? t.n : TIME; t.n; t.n--) {
        if ((memchr("]|,; \t\"\n\r", t.p[t.n], 9) ||
             (t.p[t.n] == ':' && t.n < room && t.p[t.n + 1] == ' ')) &&
            smi_stamp_form_of(t))
            break;
    }
    return t;
}

static bool is_word(char c)
{
    return smi_is_digit(c) || (unsigned)((c | 32) - 'a') < 26 || c == '_';
}

/* What t begins with: a time, a number with its unit, or a word; or nothing. A number that goes on in any
 * other way ("1,234", "1.5e+02") is all of its word: what it means is not known. */
static struct smi_text take_value(struct smi_text t, enum smi_column_kind kind)
{
    struct smi_text unit, rest, word = {t.p, 0};
    const char *close;
    size_t n = smi_text_span(t, "+-.0123456789");
    if (kind == SMI_COL_TIME)
        return cut_time(t);
    if (kind != SMI_COL_NUMBER && t.n > 1 && *t.p == '"' && (close = memchr(t.p + 1, '"', t.n - 1)))
        return smi_text_between(t.p + 1, close);
    while (word.n < t.n && !memchr(",;|])}\"\t ", t.p[word.n], 9))
        word.n++;
    if (kind != SMI_COL_NUMBER)
        return (struct smi_text){t.p, word.n - (word.n && t.p[word.n - 1] == ':')};
    rest = smi_text_from(t, n);
    unit = smi_text_trim(rest);
    for (t.n = 0;
         t.n < unit.n && (is_word(unit.p[t.n]) || unit.p[t.n] == '%' || (unsigned char)unit.p[t.n] >= 0x80);)
        t.n++;
    unit.n = t.n;
    if (n && unit.n && smi_unit_find(unit))
        return smi_text_between(t.p, unit.p + unit.n);
    if (n && rest.n > 1 && *rest.p == ',' && smi_is_digit(rest.p[1]))
        return (struct smi_text){t.p, n + 1 + smi_text_digits(smi_text_from(rest, 1))};
    return (struct smi_text){t.p, n && unit.n && unit.p == rest.p ? word.n : n};
}

/* A name goes on over blanks: up to what separates values, or the text in front of another one. */
static struct smi_text take_name(const struct smi_column_map *m, struct smi_text t)
{
    static const char *const ends[] = {",", ";", "|", "\t", "\"", "  ", " - "};
    const char *at;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if ((at = memmem(t.p, t.n, ends[i], strlen(ends[i]))))
            t.n = (size_t)(at - t.p);
    for (size_t i = 0; i < m->n; i++)
        if (m->entry[i].name.n && (at = memmem(t.p, t.n, m->entry[i].name.p, m->entry[i].name.n)))
            t.n = (size_t)(at - t.p);
    return smi_text_trim(t);
}

/* The value behind the text of a column, where that text is not within a word; or nothing. */
static struct smi_text cut_value(struct smi_text line, struct smi_text front, enum smi_column_kind kind)
{
    struct smi_text t = line, value = {"", 0};
    const char *at;
    if (!front.n)
        return take_value(smi_text_trim(t), kind);
    while (!value.n && (at = memmem(t.p, t.n, front.p, front.n))) {
        t = smi_text_between(at + front.n, line.p + line.n);
        if (at == line.p || !is_word(*front.p) || !is_word(at[-1]))
            value = take_value(smi_text_trim(t), kind);
    }
    return value;
}

/* The values of a line of text, one for each entry; 0: it lacks what tells its GPU or its time, or has no
 * reading.
 */
static size_t split_text(const struct smi_column_map *m, struct smi_text line, struct smi_text *cell)
{
    bool some = false;
    for (size_t i = 0, first = 0; i < m->n; i++) {
        cell[i] = cut_value(line, m->entry[i].name, m->entry[i].column.kind);
        if (m->entry[i].column.kind == SMI_COL_NAME && cell[i].n &&
            (cell[i].p == line.p || cell[i].p[-1] != '"'))
            cell[i] = take_name(m, smi_text_between(cell[i].p, line.p + line.n));
        first = m->entry[i].again ? first : i;
        if (!cell[first].n)
            cell[first] = cell[i];
    }
    for (size_t i = 0; i < m->n; i++) {
        some |= cell[i].n && m->entry[i].column.kind >= SMI_COL_NUMBER;
        if (!cell[i].n && !m->entry[i].again && !m->entry[i].optional &&
            m->entry[i].column.kind < SMI_COL_NUMBER)
            return 0;
    }
    return some ? m->n : 0;
}

/* A line in cells (cell has room for SMI_GPU_CSV_COLUMNS + 1). Returns how many, as smi_row_split. */
static size_t split_mapped(const struct smi_column_map *m, struct smi_text line, struct smi_text *cell)
{
    if (m->text)
        return split_text(m, line, cell);
    return smi_row_split(line, m->split, cell, SMI_GPU_CSV_COLUMNS);
}

/* Is a column called so? "GPU #" is each of several GPUs, whose number stands there. Returns the number + 1;
 * 0: the name has none; -1: it is called otherwise. */
static int match_name(struct smi_text name, struct smi_text cell)
{
    enum { DIGITS = 3 };
    const char *at = name.n && cell.n >= name.n ? memchr(name.p, '#', name.n) : NULL;
    const size_t front = at ? (size_t)(at - name.p) : 0, back = name.n - front - 1;
    const int64_t number =
        at ? smi_cell_digits((struct smi_text){cell.p + front, cell.n - front - back}, DIGITS) : -1;
    if (number >= 0 && memcmp(cell.p, name.p, front) == 0 &&
        memcmp(cell.p + cell.n - back, at + 1, back) == 0)
        return (int)number + 1;
    return smi_text_equal(cell, name) ? 0 : -1;
}

/* The place of entry *i, or else of another column of its name, which *i is then; or n. */
static size_t find_place(const struct smi_column_map *m, size_t *i, const struct smi_text *cell, size_t n)
{
    for (size_t k = *i; k == *i || (k < m->n && m->entry[k].again); k++) {
        size_t at = m->entry[k].number ? m->entry[k].number - 1 : 0;
        while (!m->entry[k].number && at < n && match_name(m->entry[k].name, cell[at]) < 0)
            at++;
        if (at < n) {
            *i = k;
            return at;
        }
    }
    return n;
}

/* Columns that have only numbers: a row is what has numbers there. */
static bool may_be_cell(const struct smi_gpu_csv_column *c, struct smi_text t)
{
    return (c->kind != SMI_COL_NUMBER && c->kind != SMI_COL_TIME) || smi_cell_missing(t) ||
           (t.n && (memchr("+-.", *t.p, 3) || smi_is_digit(*t.p))) ||
           (c->kind == SMI_COL_TIME && memchr(t.p, ':', t.n));
}

bool smi_column_map_bind(const struct smi_column_map *m, const struct smi_text *cell, size_t n,
                         struct smi_gpu_csv_column *c)
{
    if (n > SMI_GPU_CSV_COLUMNS)
        return false;
    for (size_t i = 0; i < n; i++)
        c[i] = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP, .known = true};
    for (size_t i = 0; i < m->n; i++) {
        size_t as = i, at = find_place(m, &as, cell, n);
        if (m->entry[i].again || (at == n && m->entry[i].optional))
            continue;
        if (at == n && m->json &&
            (m->entry[i].column.kind >= SMI_COL_NUMBER || /* an element of a list has a number of its own */
             (m->entry[i].column.kind == SMI_COL_KEY && n && smi_text_is(cell[n - 1], "gpu_index"))))
            continue;
        if (at == n || (!m->named && !may_be_cell(&m->entry[as].column, cell[at])))
            return false;
        c[at] = m->entry[as].column;
        for (int gpu; !m->entry[as].number && at < n; at++)
            if ((gpu = match_name(m->entry[as].name, cell[at])) > 0) {
                c[at] = m->entry[as].column;
                c[at].gpu = (uint16_t)gpu;
            }
    }
    return true;
}

bool smi_column_map_fits_json(const struct smi_column_map *m, struct smi_text t)
{
    const char *end = t.p + t.n;
    bool found = m->named && smi_text_trim(t).n && memchr("[{", *smi_text_trim(t).p, 2);
    for (size_t i = 0; i < m->n && (found || m->entry[i].again); i++) {
        const bool spare = (m->entry[i].again && found) || m->entry[i].optional;
        struct smi_text key = m->entry[i].name;
        const char *at = t.p, *dot;
        bool here = false;
        if (key.n && key.p[key.n - 1] == ']' && (dot = memrchr(key.p, '[', key.n)) &&
            dot + 2 + smi_text_digits(smi_text_between(dot + 1, key.p + key.n)) ==
                key.p + key.n) /* [], [1] */
            key.n = (size_t)(dot - key.p);
        if (key.n && (dot = memrchr(key.p, '.', key.n)))
            key = smi_text_between(dot + 1, key.p + key.n);
        for (; key.n && !here && (at = memmem(at, (size_t)(end - at), key.p, key.n)); at++)
            here = at > t.p && memchr("\".", at[-1], 2) && at[key.n] == '"';
        found = here || spare;
    }
    return found;
}

bool smi_column_map_fits(const struct smi_column_map *m, const char *p, size_t n, struct smi_text *missing)
{
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    struct smi_gpu_csv_column c[SMI_GPU_CSV_COLUMNS];
    const char *end = p + n, *lf;
    bool found[SMI_COLUMN_MAP_MAX] = {false};
    p = smi_line_without_bom((struct smi_text){p, n}).p;
    for (int lines = 0; lines < LINES && p < end; lines++, p = lf + 1) {
        struct smi_text line;
        size_t cells;
        lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf)
            break;
        line = (struct smi_text){p, (size_t)(lf - p)};
        line.n -= line.n && line.p[line.n - 1] == '\r';
        cells = split_mapped(m, line, cell);
        if (smi_column_map_bind(m, cell, cells, c))
            return true;
        for (size_t i = 0; i < m->n && cells <= SMI_GPU_CSV_COLUMNS; i++)
            found[i] |=
                m->entry[i].again || m->entry[i].optional || find_place(m, &(size_t){i}, cell, cells) < cells;
    }
    for (size_t i = 0; i < m->n && !missing->n; i++)
        if (!found[i])
            *missing = m->entry[i].name;
    return false;
}

/* ---- The cells of hand-made GPU logs: numbers with or without units, and times of all kinds ---- */

enum { STAMP = 64, CLOCK = 18 /* bytes of a time of day with nanoseconds */ };

struct smi_reader {
    struct smi_own_reader own; /* first: see column_map.h */
    struct smi_buf plain;      /* a row whose numbers had decimal commas */
};

/* A time, and beside it a date, which is the time where it is alone. */
static void add_column(struct smi_row_plan *p, const struct smi_gpu_csv_column *c, size_t place)
{
    if (c->kind == SMI_COL_TIME)
        smi_row_plan_add(p, SMI_COL_PLACE, c->date ? SMI_AT_DATE : SMI_AT_TIME, 0, place);
    else
        smi_row_plan_add(p, c->kind, c->what, 0, place);
}

void smi_own_bind(struct smi_own_reader *r, struct smi_row_plan *p, size_t n)
{
    struct smi_row_plan *part;
    char digits[SMI_ROW_PART_KEY];
    smi_row_plan_init(p, n);
    if (r->parts)
        r->parts->n = 0;
    r->utc = false;
    for (size_t i = 0; i < n; i++) {
        const struct smi_gpu_csv_column *c = &r->column[i];
        if (c->gpu)
            continue;
        add_column(p, c, i);
        r->utc |= c->kind == SMI_COL_TIME && c->utc;
        if (c->kind == SMI_COL_TIME)
            r->row.clock.unit = c->per_s;
        if (c->form && !r->row.clock.form)
            r->row.clock.form = (enum smi_stamp_form)c->form;
    }
    if (p->at[SMI_AT_TIME] < 0) {
        p->at[SMI_AT_TIME] = p->at[SMI_AT_DATE];
        p->at[SMI_AT_DATE] = -1;
    }
    for (size_t i = 0; i < n; i++) {
        const struct smi_gpu_csv_column *c = &r->column[i];
        if (!c->gpu || c->kind == SMI_COL_SKIP)
            continue;
        r->parts = r->parts ? r->parts : smi_mem_new(1, sizeof *r->parts);
        snprintf(digits, sizeof digits, "%d", c->gpu - 1);
        if ((part = smi_row_part(r->parts, smi_text_of(digits), p)))
            add_column(part, c, i);
    }
}

int smi_own_row(struct smi_own_reader *r, struct smi_text line, size_t n, bool comment)
{
    return r->parts && r->parts->n && !comment
               ? smi_row_read_parts(&r->row, line, n, r->parts->part, r->parts->n)
               : smi_row_line(&r->row, line, n, comment);
}

/* Which of the n columns with these names are not read, and why. */
static void warn_of_columns(struct smi_own_reader *r, const struct smi_text *names, size_t n)
{
    struct smi_account *a = r->row.lines.account;
    for (size_t i = 0; i < n; i++) {
        if (r->column[i].vague)
            smi_account_warn(a, SMI_LOG_WARNING_OTHER, "column %zu (%.*s): %s", i + 1,
                             names[i].n < 40 ? (int)names[i].n : 40, names[i].p, r->column[i].vague);
        if ((!r->column[i].known || r->column[i].host) && names[i].n)
            smi_account_unknown(a, names[i]);
    }
    if (r->parts && r->parts->n && r->parts->full)
        smi_account_warn(a, SMI_LOG_WARNING_OTHER, "more than %d GPUs: the rest is not read", SMI_ROW_PARTS);
}

/* ---- rows ---- */

/* The time of the row, alone or behind its date. */
int smi_own_time(struct smi_row_reader *row, struct smi_sample *s)
{
    bool utc = ((const struct smi_own_reader *)row)->utc;
    char text[STAMP];
    struct smi_text t, d;
    if (row->plan.at[SMI_AT_TIME] < 0)
        return 0;
    t = row->cell[row->plan.at[SMI_AT_TIME]];
    if (row->plan.at[SMI_AT_DATE] < 0 || t.n > CLOCK || !memchr(t.p, ':', t.n))
        return smi_row_time(row, t, utc, s);
    d = row->cell[row->plan.at[SMI_AT_DATE]];
    if (d.n + t.n + 1 >= STAMP)
        return -1;
    memcpy(text, d.p, d.n);
    text[d.n] = ' ';
    memcpy(text + d.n + 1, t.p, t.n);
    return smi_row_time(row, (struct smi_text){text, d.n + 1 + t.n}, utc, s);
}

/* "GPU 0", "cuda:1" and "1" are an index; any other text is a name of its own. */
struct smi_text smi_own_key(struct smi_row_reader *row, enum smi_device_key key, struct smi_text t)
{
    (void)row;
    if (smi_cell_missing(t))
        return (struct smi_text){NULL, 0};
    for (size_t i = 0; numbered_words[i] && key >= SMI_DEVICE_KEY_INDEX; i++) {
        size_t n = strlen(numbered_words[i]);
        if (!smi_text_starts_nocase(t, numbered_words[i]))
            continue;
        n += smi_text_span(smi_text_from(t, n), " :_-");
        if (n < t.n && smi_is_digit(t.p[n]))
            return smi_text_from(t, n);
    }
    return t;
}

/* The unit of a number that does not tell it, if one is likely: another would be more memory than a GPU has,
 * or next to none. A total tells it of the other memory, too. Else NULL. */
static const struct smi_unit *guess_unit(struct smi_row_reader *row, struct smi_gpu_csv_column *own,
                                         unsigned place, int64_t v)
{
    static const struct {
        const char *of, *unit;
        int64_t least, most, total;
    } likely[] = {{"MiB", "MiB", 193, 100000, 8192},
                  {"MiB", "B", 1000000000, 1000000000000, 1000000000},
                  {"W", "W", 5, 1500, 0},
                  {"W", "mW", 5000, 1500000, 0}};
    const char *of = smi_metrics[own->what].unit;
    int64_t total = 0;
    for (unsigned i = 0; i < row->plan.n && strcmp(of, "MiB") == 0; i++)
        if (row->plan.column[i].what == SMI_FB_TOTAL &&
            smi_text_parse_micro(row->cell[row->plan.column[i].place], &total))
            total = 0;
    for (size_t i = 0; i < sizeof likely / sizeof *likely; i++) {
        const struct smi_unit *unit = smi_unit_find(smi_text_of(likely[i].unit));
        if (strcmp(of, likely[i].of))
            continue;
        if (total && total >= likely[i].total * 1000000 && total < 2 * likely[i].most * 1000000)
            return unit;
        if (v < likely[i].least * 1000000 || v >= likely[i].most * 1000000)
            continue;
        own->unit = unit;
        row->lines.account->changes++; /* pieces of the log may not see it */
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "column %u (%s) has no unit: read as %s; --columns-from says what else it is",
                         place + 1, smi_metrics[own->what].key, unit->word);
        return unit;
    }
    return NULL;
}

enum smi_cell_status smi_own_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                  struct smi_text cell, int64_t *v)
{
    struct smi_own_reader *r = (struct smi_own_reader *)row;
    struct smi_gpu_csv_column *own = &r->column[c->place];
    const struct smi_unit *u = own->unit;
    enum smi_cell_status what;
    if (smi_text_is_nocase(cell, "nan") || smi_text_is_nocase(cell, "none") ||
        smi_text_is_nocase(cell, "null"))
        return SMI_CELL_MISSING;
    what = smi_cell_number(own->what, u ? u : smi_units, SMI_CELL_GLUED, cell, v);
    if (u || r->mapped || what == SMI_CELL_MISSING || what == SMI_CELL_BAD ||
        !smi_is_digit(cell.p[cell.n - 1]))
        return what; /* with its unit, or a plain count of a map */
    u = guess_unit(row, own, c->place, *v);
    return u ? smi_cell_number(own->what, u, SMI_CELL_GLUED, cell, v) : SMI_CELL_NO_UNIT;
}

/* That a number has no unit is said once for each column. */
void smi_own_lost(struct smi_row_reader *row, const struct smi_row_column *c, enum smi_cell_status what,
                  struct smi_text t)
{
    struct smi_own_reader *r = (struct smi_own_reader *)row;
    if (what != SMI_CELL_NO_UNIT) {
        smi_cell_count_lost(row->lines.account, what, c->what, t);
        return;
    }
    row->lines.account->cells_bad++;
    if (smi_say_once(row->lines.account, &r->column[c->place].warned))
        smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER,
                         "column %d (%s) has no unit and is not read", c->place + 1,
                         smi_metrics[c->what].key);
}

/* ---- lines ---- */

/* The columns of a header; or, where those of the map have no names, of a row that has its numbers. */
static int use_columns(struct smi_own_reader *r, struct smi_text line, size_t n,
                       const struct smi_gpu_csv_column *column, bool header)
{
    struct smi_row_plan fresh;
    if (header ? smi_row_same_header(&r->row, line) : r->row.plan.width == n)
        return header ? smi_row_count_header(&r->row) : 0;
    memcpy(r->column, column, n * sizeof *column);
    smi_own_bind(r, &fresh, n);
    if (!header) {
        smi_row_use(&r->row, &fresh);
        return 0;
    }
    smi_row_header(&r->row, line, &fresh);
    warn_of_columns(r, r->row.cell, n);
    return 0;
}

/* --input-columns: names as a header would have them. */
static int use_wanted_columns(struct smi_own_reader *r, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    const struct smi_text names = smi_text_of(r->row.wanted);
    size_t n = smi_row_split(names, SMI_SPLIT_QUOTES, r->row.cell, SMI_GPU_CSV_COLUMNS);
    if (n > SMI_GPU_CSV_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_GPU_CSV_COLUMNS);
    smi_gpu_csv_header(r->row.cell, n, false, column);
    return use_columns(r, names, n, column, false);
}

/* Another log of the tool was appended: what it begins with stands above its header, as at the top. */
static bool begins_again(struct smi_own_reader *r, struct smi_text t)
{
    const struct smi_phrase *tool = r->map.named ? smi_phrase_find(smi_say_tool, t) : NULL;
    if (!tool || strcmp(tool->what, r->columns))
        return false;
    r->row.plan.width = r->row.header_n = 0;
    r->row.lines.account->changes++; /* a piece of the log may not see it */
    return true;
}

static int read_mapped_line(struct smi_own_reader *r, struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_row_reader *row = &r->row;
    bool comment;
    const struct smi_text t = smi_row_strip_hash(line, &comment);
    size_t n = split_mapped(&r->map, t, row->cell);
    comment |= r->map.named && !row->plan.width; /* above the header no row can be lost */
    if (smi_column_map_bind(&r->map, row->cell, n, column)) {
        use_columns(r, line, n, column, r->map.named);
        if (r->map.named)
            return 0;
    } else {
        n = smi_row_end_comma(row, n);
        comment |= begins_again(r, t);
    }
    return smi_own_row(r, line, n, comment);
}

/* Is the line a header, split at commas, semicolons or tabs? A log keeps the split of its first one. */
static bool find_header(struct smi_text t, bool certain, unsigned *split, struct smi_text *cell, size_t *n,
                        struct smi_gpu_csv_column *column)
{
    static const unsigned splits[] = {SMI_SPLIT_QUOTES, SMI_SPLIT_QUOTES | SMI_SPLIT_AT(';'),
                                      SMI_SPLIT_QUOTES | SMI_SPLIT_AT('\t')};
    for (size_t i = *split ? 2 : 0; i < 3; i++) {
        const unsigned how = *split ? *split : splits[i];
        *n = smi_row_split(t, how, cell, SMI_GPU_CSV_COLUMNS);
        if (smi_gpu_csv_header(cell, *n, certain, column)) {
            *split = how;
            return true;
        }
    }
    *n = smi_row_split(t, *split ? *split : SMI_SPLIT_QUOTES, cell, SMI_GPU_CSV_COLUMNS);
    return false;
}

/* Where cells end in semicolons, a comma between digits is a point. */
static struct smi_text replace_commas(struct smi_reader *r, struct smi_text t)
{
    if (r->own.row.split >> 8 != ';' || !memchr(t.p, ',', t.n))
        return t;
    smi_buf_clear(&r->plain);
    smi_buf_add(&r->plain, t.p, t.n);
    smi_buf_char(&r->plain, '\n'); /* as behind any line */
    for (size_t i = 1; i + 1 < t.n; i++)
        if (t.p[i] == ',' && smi_is_digit(t.p[i - 1]) && smi_is_digit(t.p[i + 1]))
            r->plain.p[i] = '.';
    return (struct smi_text){r->plain.p, t.n};
}

static int read_gpu_csv_line(void *self, struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_reader *reader = self;
    struct smi_own_reader *r = &reader->own;
    struct smi_row_reader *row = &r->row;
    struct smi_text t;
    bool comment;
    size_t n;
    if (r->mapped)
        return read_mapped_line(r, line);
    t = replace_commas(reader, smi_row_strip_hash(line, &comment));
    if (find_header(t, false, &row->split, row->cell, &n, column) ||
        (!row->plan.width && find_header(t, true, &row->split, row->cell, &n, column)))
        return smi_row_has_wanted(row, n) ? smi_row_header(row, line, &row->plan)
                                          : use_columns(r, line, n, column, true);
    n = smi_row_end_comma(row, smi_row_rejoin_time(row, n));
    n = smi_row_take_time(row, n);
    return smi_own_row(r, line, n, comment);
}

static enum smi_sniff sniff_gpu_csv(struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    unsigned split = 0;
    bool comment;
    size_t n;
    return find_header(smi_row_strip_hash(line, &comment), false, &split, cell, &n, column) ? SMI_SNIFF_YES
                                                                                            : SMI_SNIFF_NO;
}

static int open_gpu_csv(struct smi_reader *reader, const struct smi_read_opts *o, struct smi_err *err)
{
    struct smi_own_reader *r = &reader->own;
    if (!smi_column_map_is(o->columns))
        return r->row.wanted ? use_wanted_columns(r, err) : 0;
    if (smi_column_map_read(&r->map, o->columns, "", err))
        return -1;
    r->mapped = true;
    r->columns = o->columns;
    r->row.counted = r->map.gpus > 0;
    r->row.split = r->map.split;
    r->row.lines.whole = !r->map.text; /* the user named its columns */
    for (size_t i = 0; i < r->map.n; i++)
        r->row.lines.whole |= r->map.entry[i].column.kind == SMI_COL_TIME;
    return 0;
}

static void close_gpu_csv(struct smi_reader *r)
{
    smi_mem_free(r->own.parts);
    smi_buf_fini(&r->plain);
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_BREAKS, SMI_OWN_TABLE, .time = smi_own_time};

const struct smi_format smi_format_gpu_csv = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_gpu_csv,
    .line = read_gpu_csv_line,
    .whole = smi_row_is_whole,
    .open = open_gpu_csv,
    .close = close_gpu_csv,
    .table = &table,
};
