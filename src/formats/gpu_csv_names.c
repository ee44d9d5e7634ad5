#include "formats/gpu_csv_names.h"

#include "formats/row_engine.h"

#include <string.h>

enum { WORDS = 8, LETTERS = 16, JOINED = WORDS * (LETTERS + 1) };

/* Words that mean the same; an empty one says nothing here. */
static const struct {
    const char *word, *means;
} same[] = {
    {"utilization", "util"},
    {"utilisation", "util"},
    {"memory", "mem"},
    {"temperature", "temp"},
    {"clocks", "clk"},
    {"clock", "clk"},
    {"graphics", "gr"},
    {"gfx", "gr"},
    {"core", "gr"},
    {"fb", "vram"},
    {"framebuffer", "vram"},
    {"dedicated", "vram"}, /* GPU-Z, Windows */
    {"encoder", "enc"},
    {"decoder", "dec"},
    {"idx", "index"},
    {"id", "index"},
    {"number", "index"},
    {"num", "index"},
    {"current", ""},
    {"cur", ""},
    {"smi", ""},
    {"avg", "average"},
    {"device", "dev"},
    {"mclk", "clk mem"},
    {"utilized", "used"},
};

static const char *const gpu_words[] = {"gpu", "gpus", "nvidia", "nvml", "cuda", NULL};
static const char *const host_words[] = {"cpu", "ram",  "host", "system", "sys",    "process", "proc",
                                         "rss", "swap", "disk", "net",    "python", NULL};

/* Names as their words in the order of the alphabet, without the word gpu. unit: safe without being told, or
 * NULL. What is no number stands behind. */
static const struct {
    const char *words;
    enum smi_column_kind kind;
    uint16_t what;
    bool gpu; /* only beside the word gpu */
    enum smi_gpu_csv_dimension dimension;
    const char *unit;
} names[] = {
    {"util", SMI_COL_NUMBER, SMI_GPU_UTIL, true, SMI_DIM_SHARE, "pct"},
    {"usage", SMI_COL_NUMBER, SMI_GPU_UTIL, true, SMI_DIM_SHARE, "pct"},
    {"load", SMI_COL_NUMBER, SMI_GPU_UTIL, true, SMI_DIM_SHARE, "pct"},
    {"mem used", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"mem usage", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"mem", SMI_COL_NUMBER, SMI_FB_USED, true, SMI_DIM_MEMORY, NULL},
    {"used vram", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"usage vram", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"mem used vram", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"vram", SMI_COL_NUMBER, SMI_FB_USED, false, SMI_DIM_MEMORY, NULL},
    {"mem used", SMI_COL_NUMBER, SMI_FB_USED_PCT, false, SMI_DIM_SHARE, NULL},
    {"mem usage", SMI_COL_NUMBER, SMI_FB_USED_PCT, true, SMI_DIM_SHARE, NULL},
    {"used vram", SMI_COL_NUMBER, SMI_FB_USED_PCT, false, SMI_DIM_SHARE, NULL},
    {"usage vram", SMI_COL_NUMBER, SMI_FB_USED_PCT, false, SMI_DIM_SHARE, NULL},
    {"vram", SMI_COL_NUMBER, SMI_FB_USED_PCT, false, SMI_DIM_SHARE, NULL},
    {"mem total", SMI_COL_NUMBER, SMI_FB_TOTAL, false, SMI_DIM_MEMORY, NULL},
    {"total vram", SMI_COL_NUMBER, SMI_FB_TOTAL, false, SMI_DIM_MEMORY, NULL},
    {"free mem", SMI_COL_NUMBER, SMI_FB_FREE, false, SMI_DIM_MEMORY, NULL},
    {"free vram", SMI_COL_NUMBER, SMI_FB_FREE, false, SMI_DIM_MEMORY, NULL},
    {"draw power", SMI_COL_NUMBER, SMI_POWER, false, SMI_DIM_POWER, "w"}, /* nvidia-smi's power.draw */
    {"power", SMI_COL_NUMBER, SMI_POWER, false, SMI_DIM_POWER, NULL},     /* NVML gives mW */
    {"power usage", SMI_COL_NUMBER, SMI_POWER, false, SMI_DIM_POWER, NULL},
    {"average draw power", SMI_COL_NUMBER, SMI_POWER_AVG, false, SMI_DIM_POWER, "w"},
    {"draw instant power", SMI_COL_NUMBER, SMI_POWER_INST, false, SMI_DIM_POWER, "w"},
    {"limit power", SMI_COL_NUMBER, SMI_POWER_LIMIT, false, SMI_DIM_POWER, NULL},
    {"cap power", SMI_COL_NUMBER, SMI_POWER_LIMIT, false, SMI_DIM_POWER, NULL},
    {"temp", SMI_COL_NUMBER, SMI_TEMP_GPU, false, SMI_DIM_TEMPERATURE, "c"},
    {"gr temp", SMI_COL_NUMBER, SMI_TEMP_GPU, true, SMI_DIM_TEMPERATURE, "c"},
    {"mem temp", SMI_COL_NUMBER, SMI_TEMP_MEM, false, SMI_DIM_TEMPERATURE, "c"},
    {"temp vram", SMI_COL_NUMBER, SMI_TEMP_MEM, false, SMI_DIM_TEMPERATURE, "c"},
    {"hbm temp", SMI_COL_NUMBER, SMI_TEMP_MEM, false, SMI_DIM_TEMPERATURE, "c"},
    {"clk sm", SMI_COL_NUMBER, SMI_CLK_SM, false, SMI_DIM_CLOCK, "mhz"},
    {"clk gr", SMI_COL_NUMBER, SMI_CLK_GR, true, SMI_DIM_CLOCK, "mhz"},
    {"clk", SMI_COL_NUMBER, SMI_CLK_GR, true, SMI_DIM_CLOCK, "mhz"},
    {"clk mem", SMI_COL_NUMBER, SMI_CLK_MEM, false, SMI_DIM_CLOCK, "mhz"},
    {"clk vram", SMI_COL_NUMBER, SMI_CLK_MEM, false, SMI_DIM_CLOCK, "mhz"},
    {"fan", SMI_COL_NUMBER, SMI_FAN, false, SMI_DIM_SHARE, "pct"},
    {"fan speed", SMI_COL_NUMBER, SMI_FAN, false, SMI_DIM_SHARE, NULL},
    {"enc util", SMI_COL_NUMBER, SMI_ENC_UTIL, false, SMI_DIM_SHARE, "pct"},
    {"dec util", SMI_COL_NUMBER, SMI_DEC_UTIL, false, SMI_DIM_SHARE, "pct"},
    {"", SMI_COL_KEY, SMI_DEVICE_KEY_GPU, true, SMI_DIM_SHARE, NULL},
    {"index", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, false, SMI_DIM_SHARE, NULL},
    {"dev", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, false, SMI_DIM_SHARE, NULL},
    {"dev index", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX, false, SMI_DIM_SHARE, NULL},
    {"uuid", SMI_COL_KEY, SMI_DEVICE_KEY_UUID, false, SMI_DIM_SHARE, NULL},
    {"bus", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, true, SMI_DIM_SHARE, NULL},
    {"bus index", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, true, SMI_DIM_SHARE, NULL},
    {"bus index pci", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, false, SMI_DIM_SHARE, NULL},
    {"serial", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL, true, SMI_DIM_SHARE, NULL},
    {"name", SMI_COL_NAME, 0, false, SMI_DIM_SHARE, NULL},
    {"model", SMI_COL_NAME, 0, true, SMI_DIM_SHARE, NULL},
    {"dev name", SMI_COL_NAME, 0, false, SMI_DIM_SHARE, NULL},
    {"pstate", SMI_COL_PSTATE, SMI_PSTATE, false, SMI_DIM_SHARE, NULL},
    {"mem util", SMI_COL_SKIP, 0, false, SMI_DIM_SHARE, NULL},
    {"util vram", SMI_COL_SKIP, 0, false, SMI_DIM_SHARE, NULL},
};

/* The words of a name. */
struct words {
    size_t n;
    char word[WORDS][LETTERS];
    bool gpu, host, vram, over; /* over: too many words, or too long */
};

static bool is_word_of(const char *w, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(w, *list) == 0)
            return true;
    return false;
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
    return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9');
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
        add_word(w, (struct smi_text){t.p + from, i - from});
    }
}

/* Words as the table spells them, and what they tell beside. */
static void normalise_words(struct words *w)
{
    size_t k = 0;
    for (size_t i = 0; i < w->n; i++) {
        const char *means = w->word[i];
        for (size_t s = 0; s < sizeof same / sizeof *same; s++)
            if (strcmp(w->word[i], same[s].word) == 0)
                means = same[s].means;
        w->host |= is_word_of(means, host_words);
        w->vram |= strcmp(means, "vram") == 0;
        if (is_word_of(means, gpu_words)) {
            w->gpu = true;
            continue;
        }
        if (*means)
            memmove(w->word[k++], means, strlen(means) + 1);
    }
    w->n = k;
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

static void sort_words(struct words *w)
{
    char t[LETTERS];
    for (size_t i = 1; i < w->n; i++)
        for (size_t k = i; k && strcmp(w->word[k - 1], w->word[k]) > 0; k--) {
            memcpy(t, w->word[k], LETTERS);
            memcpy(w->word[k], w->word[k - 1], LETTERS);
            memcpy(w->word[k - 1], t, LETTERS);
        }
}

/* timestamp, time_ms, unix_time, datetime_utc, epoch_s; not epoch alone: trainings count in epochs. */
static bool is_time(const struct words *w, struct smi_gpu_csv_column *c)
{
    static const char *const heads[] = {"timestamp", "time", "datetime", "ts", "date", "elapsed", NULL};
    static const char *const beside[] = {"unix", "utc",     "local", "wall", "iso", "epoch", "stamp", "s",
                                         "sec",  "seconds", "ms",    "us",   "ns",  "z",     NULL};
    static const struct {
        const char *word;
        int64_t per_s;
    } parts[] = {{"ms", 1000}, {"us", 1000000}, {"ns", 1000000000}};
    size_t n = 0, more = 0, date = 0;
    for (size_t i = 0; i < w->n; i++) {
        bool head = is_word_of(w->word[i], heads);
        if (!head && !is_word_of(w->word[i], beside))
            return false;
        n += head;
        more += strcmp(w->word[i], "epoch") == 0;
        date += strcmp(w->word[i], "date") == 0;
        c->utc |= strcmp(w->word[i], "utc") == 0;
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            c->per_s = strcmp(w->word[i], parts[k].word) ? c->per_s : parts[k].per_s;
    }
    if (!n && !(more && w->n > 1))
        return false;
    c->kind = SMI_COL_TIME;
    c->date = n == 1 && date == 1;
    return c->known = true;
}

static void find_name(const struct words *w, const char *name, const struct smi_gpu_csv_unit *unit,
                      struct smi_gpu_csv_column *c)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        bool number = names[i].kind == SMI_COL_NUMBER, gpu = w->gpu || (number && w->vram);
        if (strcmp(names[i].words, name) || (names[i].gpu && !gpu) ||
            (unit && unit->dimension != names[i].dimension))
            continue;
        c->kind = names[i].kind;
        c->what = names[i].what;
        c->dimension = names[i].dimension;
        c->unit = unit ? unit : names[i].unit ? smi_gpu_csv_unit_find(names[i].unit) : NULL;
        c->sure = gpu && c->kind != SMI_COL_NAME;
        c->vague = c->kind == SMI_COL_SKIP ? "how busy the memory is, or how full? not read" : NULL;
        c->known = true;
        return;
    }
}

/* Reads a header cell: any case, any punctuation, words in any order. An unknown name gives SKIP with known
 * false. Names that say too little are known, and not read: mem_util (how
 * busy or how full?). MB and GB are MiB and GiB, as in nvidia-smi's own dmon. */
static void gpu_column(struct smi_text name, struct smi_gpu_csv_column *c)
{
    struct words w;
    struct smi_query_column query;
    const struct smi_gpu_csv_unit *unit = NULL;
    char joined[JOINED];
    *c = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
    cut_words(&w, name);
    if (w.over || w.n == 0 || is_time(&w, c))
        return;
    smi_column_query(name, &query);
    if (query.kind == SMI_COL_PLACE) { /* the machine that the GPU of a row is in */
        *c = (struct smi_gpu_csv_column){.kind = SMI_COL_PLACE, .what = query.what, .known = true};
        return;
    }
    normalise_words(&w);
    if (w.host) {
        c->known = c->host = true;
        return;
    }
    if (w.n && (unit = smi_gpu_csv_unit_find(w.word[w.n - 1])))
        w.n--;
    join_words(&w, joined);
    /* utilization.memory's order */
    if (strcmp(joined, "util mem") == 0 && (!unit || unit->dimension == SMI_DIM_SHARE)) {
        *c = (struct smi_gpu_csv_column){SMI_COL_NUMBER, SMI_MEM_UTIL,
                                         SMI_DIM_SHARE,  smi_gpu_csv_unit_find("pct"),
                                         .known = true,  .sure = w.gpu};
        return;
    }
    sort_words(&w);
    join_words(&w, joined);
    if (unit && w.n == 0 && w.gpu && unit->dimension == SMI_DIM_SHARE) /* gpu_pct, gpu% */
        strcpy(joined, "util");
    if (!unit && memchr(name.p, '.', name.n) &&
        smi_text_starts_nocase(name, "memory.")) /* nvidia-smi's own name */
        unit = smi_gpu_csv_unit_find("mib");
    find_name(&w, joined, unit, c);
}

/* ---- the header as a whole ---- */

/* The column with the meaning of c[i] that counts before it, or NULL. One that says GPU does: beside it the
 * other is the machine's, or counts rows. Else the first. */
static const struct smi_gpu_csv_column *find_first(const struct smi_gpu_csv_column *c, size_t n, size_t i)
{
    for (size_t k = 0; k < n && c[i].kind >= SMI_COL_KEY; k++)
        if (k != i && c[k].kind == c[i].kind && c[k].what == c[i].what &&
            (c[k].sure == c[i].sure ? k < i : c[k].sure))
            return &c[k];
    return NULL;
}

/* Each metric and key once; one time, or a date and a time. */
static void drop_seconds(struct smi_gpu_csv_column *c, size_t n)
{
    bool again[SMI_GPU_CSV_COLUMNS];
    size_t times = 0, dates = 0;
    for (size_t i = 0; i < n; i++) {
        again[i] = find_first(c, n, i) || (c[i].kind == SMI_COL_TIME && !c[i].date && times++);
    }
    for (size_t i = 0; i < n; i++) /* a date counts beside one bare time, or alone */
        if (again[i] || (c[i].kind == SMI_COL_TIME && c[i].date && dates++))
            c[i].kind = SMI_COL_SKIP;
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
            SMI_DIM_SHARE,
            smi_gpu_csv_unit_find("pct"),
            .known = true,
            .sure = true,
            .vague = "beside cpu it is read as the load in %; --columns-from says what else it is"};
}

bool smi_gpu_csv_header(const struct smi_text *cell, size_t n, struct smi_gpu_csv_column *c)
{
    size_t known = 0, found = 0, all = n;
    bool host = false, time = false, key = false, word = false, named = false;
    if (n < 2 || n > SMI_GPU_CSV_COLUMNS)
        return false;
    n -= !cell[n - 1].n; /* a comma at the end */
    for (size_t i = 0; i < n; i++) {
        if ((i && !cell[i].n) || (cell[i].n && cell[i].p[0] >= '0' && cell[i].p[0] <= '9'))
            return false;
        gpu_column(cell[i], &c[i]); /* pandas gives its row numbers no name: the first */
        c[i].known |= !cell[i].n;
        host |= c[i].host;
        known += c[i].known;
    }
    for (size_t i = n; i < all; i++)
        c[i] = (struct smi_gpu_csv_column){.kind = SMI_COL_SKIP};
    drop_seconds(c, n);
    read_bare_gpu(cell, n, c);
    for (size_t i = 0; i < n; i++) {
        if (host && c[i].kind >= SMI_COL_NUMBER && !c[i].sure) {
            c[i].kind = SMI_COL_SKIP;
            c[i].vague = "the GPU's, or the machine's? not read";
        }
        time |= c[i].kind == SMI_COL_TIME;
        key |= c[i].kind == SMI_COL_KEY;
        word |= c[i].sure;
        found += c[i].kind == SMI_COL_NUMBER;
        named |= c[i].kind == SMI_COL_NUMBER && c[i].sure;
    }
    if (!time && !(key && known == n))
        return false;
    return found >= 2 ? word && known * 2 >= n : found == 1 && named && time && known == n;
}
