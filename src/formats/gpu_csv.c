/* GPU logs that people write by hand around nvidia-smi or NVML: a header of their own words, a time in front.
 *
 *     timestamp,gpu_index,temperature_C,utilization_gpu_percent,power_W
 *     2025-09-24T03:48:33.493Z,0, 38, 100, 387.26
 *
 * Columns are bound by the words of their names (column_map.h), units come from the name or from the cell.
 * A number without a known unit is not read; a warning says so. Times are of any form
 * (stamp.h); the first row decides which base the log has. */
#include "base/int128.h"
#include "formats/column_map.h"
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

/* ---- The cells of hand-made GPU logs: numbers with or without units, and times of all kinds ---- */

enum { UNIT_WORD = 16 };

static const struct smi_gpu_csv_unit units[] = {
    {"pct", SMI_DIM_SHARE, 1, 1},          {"percent", SMI_DIM_SHARE, 1, 1},
    {"perc", SMI_DIM_SHARE, 1, 1},         {"mib", SMI_DIM_MEMORY, 1, 1},
    {"mb", SMI_DIM_MEMORY, 1, 1},          {"gib", SMI_DIM_MEMORY, 1024, 1},
    {"gb", SMI_DIM_MEMORY, 1024, 1},       {"kib", SMI_DIM_MEMORY, 1, 1024},
    {"kb", SMI_DIM_MEMORY, 1, 1024},       {"b", SMI_DIM_MEMORY, 1, 1 << 20},
    {"bytes", SMI_DIM_MEMORY, 1, 1 << 20}, {"w", SMI_DIM_POWER, 1, 1},
    {"watt", SMI_DIM_POWER, 1, 1},         {"watts", SMI_DIM_POWER, 1, 1},
    {"mw", SMI_DIM_POWER, 1, 1000},        {"milliwatts", SMI_DIM_POWER, 1, 1000},
    {"c", SMI_DIM_TEMPERATURE, 1, 1},      {"celsius", SMI_DIM_TEMPERATURE, 1, 1},
    {"degc", SMI_DIM_TEMPERATURE, 1, 1},   {"mhz", SMI_DIM_CLOCK, 1, 1},
    {"ghz", SMI_DIM_CLOCK, 1000, 1},       {"fraction", SMI_DIM_SHARE, 100, 1},
};

const struct smi_gpu_csv_unit *smi_gpu_csv_unit_find(const char *word)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].word, word) == 0)
            return &units[i];
    return NULL;
}

const struct smi_gpu_csv_unit *smi_gpu_csv_unit_of(struct smi_text t)
{
    char word[UNIT_WORD];
    t = smi_text_trim(t);
    if (t.n == 0 || t.n >= UNIT_WORD)
        return NULL;
    if (smi_text_is(t, "%"))
        return smi_gpu_csv_unit_find("pct");
    if (t.n == 3 && memcmp(t.p, "\xC2\xB0", 2) == 0) /* degree sign */
        t = (struct smi_text){t.p + 2, 1};
    for (size_t i = 0; i < t.n; i++)
        word[i] = (char)(t.p[i] >= 'A' && t.p[i] <= 'Z' ? t.p[i] | 32 : t.p[i]);
    word[t.n] = 0;
    return smi_gpu_csv_unit_find(word);
}

enum smi_cell_status smi_gpu_csv_cell(const struct smi_gpu_csv_column *c, struct smi_text cell, int64_t *v)
{
    const struct smi_gpu_csv_unit *u = c->unit;
    size_t n = 0;
    smi_i128 scaled;
    int rc;
    if (smi_cell_missing(cell) || smi_text_is_nocase(cell, "nan") || smi_text_is_nocase(cell, "none") ||
        smi_text_is_nocase(cell, "null"))
        return SMI_CELL_MISSING;
    while (n < cell.n && ((cell.p[n] >= '0' && cell.p[n] <= '9') || cell.p[n] == '.' || cell.p[n] == '-' ||
                          cell.p[n] == '+'))
        n++;
    if (n < cell.n) {
        u = smi_gpu_csv_unit_of((struct smi_text){cell.p + n, cell.n - n});
        if (!u || u->dimension != c->dimension)
            return SMI_CELL_BAD;
    }
    rc = smi_text_parse_micro((struct smi_text){cell.p, n}, v);
    if (rc < 0)
        return SMI_CELL_BAD;
    if (!u)
        return SMI_CELL_NO_UNIT;
    scaled = smi_i128_div((smi_i128)*v * u->num, u->den);
    if (rc > 0 || !smi_reading_fits(c->what, scaled))
        return SMI_CELL_RANGE;
    *v = (int64_t)scaled;
    return SMI_CELL_OK;
}

enum { STAMP = 64, CLOCK = 18 /* bytes of a time of day with nanoseconds */ };

struct smi_reader {
    struct smi_row_reader row;                             /* first: see row_engine.h */
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS]; /* by place */
    bool warned[SMI_GPU_CSV_COLUMNS];                      /* of a column without a unit */
    bool utc;                                              /* the header says that times are */
    bool mapped;                                           /* --columns-from is given: */
    struct smi_column_map map;
};

/* "# timestamp,gpu_util": some write their header as a comment. */
static struct smi_text strip_comment(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return t.n && *t.p == '#' ? smi_text_trim((struct smi_text){t.p + 1, t.n - 1}) : t;
}

/* Makes the plan of r->column, which are n. A date alone is a time; beside one it stands in front of it. */
static void bind_gpu_csv_columns(struct smi_reader *r, struct smi_row_plan *p, size_t n)
{
    smi_row_plan_init(p, n);
    r->utc = false;
    memset(r->warned, 0, sizeof r->warned);
    for (size_t i = 0; i < n; i++) {
        const struct smi_gpu_csv_column *c = &r->column[i];
        bool time = c->kind == SMI_COL_TIME;
        smi_row_plan_add(p,
                         time                        ? SMI_COL_PLACE
                         : c->kind == SMI_COL_PSTATE ? SMI_COL_NUMBER
                                                     : c->kind,
                         !time     ? c->what
                         : c->date ? SMI_AT_DATE
                                   : SMI_AT_TIME,
                         0, i);
        r->utc |= time && c->utc;
        if (time)
            r->row.clock.unit = c->per_s;
    }
    if (p->at[SMI_AT_TIME] < 0) {
        p->at[SMI_AT_TIME] = p->at[SMI_AT_DATE];
        p->at[SMI_AT_DATE] = -1;
    }
}

/* ---- rows ---- */

/* The time of the row, alone or behind its date. */
static int read_gpu_csv_time(struct smi_row_reader *row, struct smi_sample *s)
{
    bool utc = ((const struct smi_reader *)row)->utc;
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
static struct smi_text index_of(struct smi_text t)
{
    static const char *const fronts[] = {"gpu", "cuda", "card", "nvidia", "device"};
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
        size_t n = strlen(fronts[i]);
        if (!smi_text_starts_nocase(t, fronts[i]))
            continue;
        for (; n < t.n && (t.p[n] == ' ' || t.p[n] == ':' || t.p[n] == '_' || t.p[n] == '-');)
            n++;
        if (n < t.n && t.p[n] >= '0' && t.p[n] <= '9')
            return (struct smi_text){t.p + n, t.n - n};
    }
    return t;
}

static struct smi_text read_gpu_csv_key(struct smi_row_reader *row, enum smi_device_key key,
                                        struct smi_text cell)
{
    (void)row;
    if (smi_cell_missing(cell))
        return (struct smi_text){NULL, 0};
    return key >= SMI_DEVICE_KEY_INDEX ? index_of(cell) : cell;
}

/* No GPU has so many KiB or GiB in all; those of today have so many MiB. */
static bool total_is_mib(const struct smi_row_reader *row)
{
    const int64_t least = 8192000000, most = 192000000000;
    int64_t v;
    for (unsigned i = 0; i < row->plan.n; i++)
        if (row->plan.column[i].what == SMI_FB_TOTAL)
            return smi_text_parse_micro(row->cell[row->plan.column[i].place], &v) == 0 && v >= least &&
                   v <= most;
    return false;
}

static enum smi_cell_status read_gpu_csv_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                                              struct smi_text t, int64_t *v)
{
    const struct smi_gpu_csv_column *own = &((struct smi_reader *)row)->column[c->place];
    if (own->kind == SMI_COL_NUMBER && own->dimension == SMI_DIM_NONE)
        return smi_cell_number(own->what, t, v);
    if (own->kind != SMI_COL_PSTATE) {
        enum smi_cell_status what = smi_gpu_csv_cell(own, t, v);
        bool mib = what == SMI_CELL_NO_UNIT && own->dimension == SMI_DIM_MEMORY && total_is_mib(row);
        return mib ? SMI_CELL_OK : what;
    }
    if (t.n > 1 && t.n < 4 && (*t.p | 32) == 'p')
        t = (struct smi_text){t.p + 1, t.n - 1};
    return smi_cell_number(SMI_PSTATE, t, v);
}

/* That a number has no unit is said once for each column. */
static int count_lost_cell(struct smi_row_reader *row, const struct smi_row_column *c,
                           enum smi_cell_status what, struct smi_text t, struct smi_err *err)
{
    struct smi_reader *r = (struct smi_reader *)row;
    (void)err;
    if (what != SMI_CELL_NO_UNIT) {
        smi_cell_count_lost(row->lines.account, what, c->what, t);
        return 0;
    }
    row->lines.account->cells_bad++;
    if (r->warned[c->place])
        return 0;
    r->warned[c->place] = true;
    row->lines.account->changes++; /* read in pieces, each would say it once more */
    smi_account_warn(row->lines.account, SMI_LOG_WARNING_OTHER, "column %d (%s) has no unit and is not read",
                     c->place + 1, smi_metrics[c->what].key);
    return 0;
}

/* ---- lines ---- */

static void warn_of_vague_names(struct smi_reader *r)
{
    for (size_t i = 0; i < r->row.plan.width; i++) {
        struct smi_text t = r->row.cell[i];
        if (r->column[i].vague)
            smi_account_warn(r->row.lines.account, SMI_LOG_WARNING_OTHER, "column %zu (%.*s): %s", i + 1,
                             t.n < 40 ? (int)t.n : 40, t.p, r->column[i].vague);
    }
}

/* --input-columns: names as a header would have them. */
static int use_wanted_columns(struct smi_reader *r, struct smi_err *err)
{
    struct smi_row_plan p;
    size_t n = smi_row_split(smi_text_of(r->row.wanted), SMI_SPLIT_QUOTES, r->row.cell, SMI_GPU_CSV_COLUMNS);
    if (n > SMI_GPU_CSV_COLUMNS)
        return smi_err_set(err, SMI_EUSAGE, "--input-columns: more than %d names", SMI_GPU_CSV_COLUMNS);
    smi_gpu_csv_header(r->row.cell, n, r->column);
    bind_gpu_csv_columns(r, &p, n);
    smi_row_use(&r->row, &p);
    return 0;
}

static int read_gpu_csv_header(struct smi_reader *r, struct smi_text line, size_t n,
                               const struct smi_gpu_csv_column *column, struct smi_err *err)
{
    struct smi_row_plan fresh;
    size_t unknown = 0;
    if (smi_row_same_header(&r->row, line))
        return smi_row_count_header(&r->row, err);
    memcpy(r->column, column, n * sizeof *column);
    bind_gpu_csv_columns(r, &fresh, n);
    if (smi_row_header(&r->row, line, &fresh, err))
        return -1;
    warn_of_vague_names(r);
    for (size_t i = 0; i < n; i++)
        if (!column[i].known && r->row.cell[i].n)
            r->row.cell[unknown++] = r->row.cell[i];
    smi_account_unknown(r->row.lines.account, r->row.cell, unknown);
    return 0;
}

/* A header that has all names of the map; or, where it has none, a row that has its numbers. */
static int read_mapped_columns(struct smi_reader *r, struct smi_text line, size_t n,
                               const struct smi_gpu_csv_column *column, struct smi_err *err)
{
    struct smi_row_plan fresh;
    if (r->map.named ? smi_row_same_header(&r->row, line) : r->row.plan.width == n)
        return r->map.named ? smi_row_count_header(&r->row, err) : 0;
    memcpy(r->column, column, n * sizeof *column);
    bind_gpu_csv_columns(r, &fresh, n);
    if (r->map.named)
        return smi_row_header(&r->row, line, &fresh, err);
    smi_row_use(&r->row, &fresh);
    return 0;
}

static int read_mapped_line(struct smi_reader *r, struct smi_text line, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_row_reader *row = &r->row;
    struct smi_text t = strip_comment(line);
    bool comment = *smi_text_trim(line).p == '#';
    size_t n = smi_column_map_split(&r->map, t, row->cell);
    if (smi_column_map_bind(&r->map, row->cell, n, column)) {
        if (read_mapped_columns(r, line, n, column, err))
            return -1;
        if (r->map.named)
            return 0;
    } else {
        n = smi_row_end_comma(row, n);
    }
    if (row->plan.width && n == row->plan.width && !comment && !smi_row_is_message(row, line))
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, comment,
                         n == 1 || !row->plan.width ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH, err);
}

static int read_gpu_csv_line(void *self, struct smi_text line, struct smi_err *err)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_reader *r = self;
    struct smi_row_reader *row = &r->row;
    struct smi_text t = strip_comment(line);
    bool comment = *smi_text_trim(line).p == '#';
    size_t n;
    if (r->mapped)
        return read_mapped_line(r, line, err);
    if (row->wanted && !row->plan.width && use_wanted_columns(r, err))
        return -1;
    n = smi_row_split(t, SMI_SPLIT_QUOTES, row->cell, SMI_GPU_CSV_COLUMNS);
    if (smi_gpu_csv_header(row->cell, n, column)) {
        int rc = smi_row_has_wanted(row, n);
        return rc < 0 ? -1
               : rc   ? smi_row_header(row, line, &row->plan, err)
                      : read_gpu_csv_header(r, line, n, column, err);
    }
    n = smi_row_end_comma(row, smi_row_rejoin_time(row, n));
    n = smi_row_drop_time(row, n);
    if (!n || !(n = smi_row_take_time(row, n, err)))
        return -1;
    if (row->plan.width && n == row->plan.width && t.n && !comment && !smi_row_is_message(row, line))
        return smi_row_read(row, line, err);
    return smi_row_other(row, line, comment,
                         n == 1 || !row->plan.width ? SMI_REJECT_FOREIGN : SMI_REJECT_BAD_WIDTH, err);
}

static enum smi_sniff sniff_gpu_csv(struct smi_text line)
{
    struct smi_gpu_csv_column column[SMI_GPU_CSV_COLUMNS];
    struct smi_text cell[SMI_GPU_CSV_COLUMNS + 1];
    size_t n = smi_row_split(strip_comment(line), SMI_SPLIT_QUOTES, cell, SMI_GPU_CSV_COLUMNS);
    return smi_gpu_csv_header(cell, n, column) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

static int open_gpu_csv(struct smi_reader *r, const struct smi_read_opts *o, struct smi_err *err)
{
    if (!smi_column_map_is(o->columns))
        return 0;
    if (smi_column_map_read(&r->map, o->columns, "", err))
        return -1;
    r->mapped = true;
    r->row.split = r->map.split;
    r->row.lines.whole = true; /* the user named its columns */
    return 0;
}

static const struct smi_table table = {
    .flags = SMI_TABLE_FAULTS | SMI_TABLE_BREAKS,
    .columns = SMI_GPU_CSV_COLUMNS,
    .time = read_gpu_csv_time,
    .cell = read_gpu_csv_cell,
    .lost = count_lost_cell,
    .key = read_gpu_csv_key,
};

const struct smi_format smi_format_gpu_csv = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_gpu_csv,
    .line = read_gpu_csv_line,
    .whole = smi_row_is_whole,
    .open = open_gpu_csv,
    .table = &table,
};
