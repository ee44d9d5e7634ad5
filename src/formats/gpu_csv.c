/* GPU logs that people write by hand around nvidia-smi or NVML: a header of their own words, a time in front.
 *
 *     timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W
 *     2025-09-24T03:48:33.493Z,0, 38, 100, 387.26
 *
 * Columns are bound by the words of their names (column_map.h), units come from the name or from the cell.
 * A number without a known unit is not read; a warning says so. Times are of any form
 * (stamp.h); the first row decides which base the log has. */
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

bool smi_gpu_csv_host(struct smi_text name)
{
    struct words w;
    cut_words(&w, name);
    normalise_words(&w);
    return w.host;
}

static void join_words(const struct words *w, char out[JOINED])
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        if (i)
            out[n++] = ' ';
        memcpy(out + n, w->word[i], strlen(w->word[i]));
        n += strlen(w->word[i]);
    }
    out[n] = 0;
}

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
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
        if (smi_time_unit(smi_text_of(w->word[i])) > 1)
            c->per_s = smi_time_unit(smi_text_of(w->word[i]));
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
    struct smi_gpu_csv_column *gpu = NULL;
    bool cpu = false, more = false;
    for (size_t i = 0; i < n; i++) {
        if (c[i].kind == SMI_COL_NUMBER && c[i].what == SMI_GPU_UTIL)
            return;
        cpu |= smi_text_is_nocase(cell[i], "cpu");
        more |= c[i].kind == SMI_COL_NUMBER && c[i].sure;
        if (c[i].kind == SMI_COL_KEY && smi_text_is_nocase(cell[i], "gpu"))
            gpu = &c[i];
    }
    if (gpu && cpu && more)
        *gpu = (struct smi_gpu_csv_column){
            SMI_COL_NUMBER,
            SMI_GPU_UTIL,
            .unit = smi_unit_find(smi_text_of("%")),
            .known = true,
            .sure = true,
            .vague = "beside cpu it is read as the load in %; --columns-from says what else it is"};
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

int smi_own_row(struct smi_own_reader *r, struct smi_text line, size_t n)
{
    return r->parts && r->parts->n ? smi_row_read_parts(&r->row, line, n, r->parts->part, r->parts->n)
                                   : smi_row_read(&r->row, line);
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

/* n cells of a line: a row, or none. */
static int read_cells(struct smi_own_reader *r, struct smi_text line, size_t n, bool comment)
{
    struct smi_row_reader *row = &r->row;
    const bool some = n > 1 && row->plan.width;
    if (row->plan.width && n == row->plan.width && !comment && !smi_row_is_message(row, line))
        return smi_own_row(r, line, n);
    return smi_row_other(row, line, comment, some ? SMI_REJECT_BAD_WIDTH : SMI_REJECT_FOREIGN);
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
    size_t n = smi_column_map_split(&r->map, t, row->cell);
    comment |= r->map.named && !row->plan.width; /* above the header no row can be lost */
    if (smi_column_map_bind(&r->map, row->cell, n, column)) {
        use_columns(r, line, n, column, r->map.named);
        if (r->map.named)
            return 0;
    } else {
        n = smi_row_end_comma(row, n);
        comment |= begins_again(r, t);
    }
    return read_cells(r, line, n, comment);
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
    return read_cells(r, line, n, comment);
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
