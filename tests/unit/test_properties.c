/* test_properties.c - any cut, any interleaving, any merge, any number of threads: the same bytes
 * (docs/numbers.md §3, §10). Random cases from fixed seeds. SMILOG_CASES=N: so many of each property (40);
 * SMILOG_SEED=S: this one alone; SMILOG_DUMP=DIR: the logs of a case that fails are left there. The shares of
 * what occurred are printed at the end. */
#include "summary/merge_queue.h"
#include "summary/findings.h"
#include "base/clock.h"
#include "aggregate/ingest.h"
#include "report/output.h"
#include "summary/gpus.h"
#include "sweep/discover.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- chance ---- */

struct rng {
    uint64_t s;
};

static uint64_t draw(struct rng *r)
{
    uint64_t z = r->s += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int64_t between(struct rng *r, int64_t lo, int64_t hi)
{
    return lo + (int64_t)(draw(r) % (uint64_t)(hi - lo + 1));
}

static bool chance(struct rng *r, int percent)
{
    return between(r, 1, 100) <= percent;
}

/* ---- what a case can have ---- */

#define FEATURES(X)                                        \
    X(NO_ROWS, "no rows at all")                           \
    X(ONE_GPU, "one GPU")                                  \
    X(MANY_GPUS, "more than 4 GPUs")                       \
    X(TWO_KEYS, "two key columns")                         \
    X(LOST_KEY, "a key cell missing")                      \
    X(KEYLESS, "no key column (a, e)")                     \
    X(POOLED, "rows without any key")                      \
    X(MISSING, "missing cells")                            \
    X(DUP, "duplicates")                                   \
    X(DUP_DIFFER, "duplicates that differ")                \
    X(BACK, "steps back")                                  \
    X(SEGMENTS, "more than 64 segments of one GPU")        \
    X(GAP, "gaps")                                         \
    X(MINUTE, "intervals above 60 s")                      \
    X(IDLE, "idle stretches")                              \
    X(DARK, "absent power")                                \
    X(LATE, "a GPU that first appears late")               \
    X(COARSE, "whole-second stamps")                       \
    X(COUNTERS, "counters")                                \
    X(ALARM, "a column that should say No")                \
    X(THROTTLE, "throttle reasons")                        \
    X(JUNK, "messages, blank and broken lines (a, c)")     \
    X(HEADERS, "repeated headers (a, c)")                  \
    X(TORN, "a torn tail (a, c)")                          \
    X(PHASES, "phases")                                    \
    X(FAILED, "failed runs")                               \
    X(NO_ZONE, "zone not known")                           \
    X(CPU, "CPU rows")                                     \
    X(VALUES, "more distinct values than the cap")         \
    X(BYTES, "a: pieces of one byte")                      \
    X(CUT, "c: at least one cut")                          \
    X(CUT_DUP, "c: cut between duplicates")                \
    X(CUT_GAP, "c: cut in a gap")                          \
    X(CUT_IDLE, "c: cut in an idle stretch")               \
    X(CUT_DARK, "c: cut at absent power")                  \
    X(CUT_BACK, "c: cut at a step back")                   \
    X(CUT_NEW, "c: a GPU that only later parts have")      \
    X(CUT_SINGLE, "c: a part with one row of a GPU")       \
    X(CUT_CPU, "c: the CPU log cut")                       \
    X(AGAIN, "c: merged twice")                            \
    X(CROSS_ONE, "c: the cap crossed in one part only")    \
    X(CROSS_MORE, "c: the cap crossed in several parts")   \
    X(CROSS_UNION, "c: the cap crossed in the union only") \
    X(CHAIN, "d: parts that are one stream of files")      \
    X(RUNS, "e: several runs")                             \
    X(PIECES, "e: logs read in small pieces")

#define FEATURE(id, text) F_##id,
enum feature { FEATURES(FEATURE) F_COUNT };
#undef FEATURE
#define FEATURE(id, text) text,
static const char *const features[F_COUNT] = {FEATURES(FEATURE)};
#undef FEATURE

static int64_t had[F_COUNT], cases_run, cut_cases, piece_cases, chain_cases, disk_cases, free_cases;

/* ---- a case ---- */

enum { GPUS = 16, ROWS = 2000, LINES = 2 * ROWS + 64, PARTS = 6, NOBODY = GPUS, OTHER = -1 };

/* One line of the log. */
struct line {
    size_t at, n;
    int who; /* a GPU, NOBODY: a row without key, OTHER: no row */
    int64_t t;
    bool known, idle, power;
    int prev; /* the row before it of the same GPU, or -1 */
};

struct gpu {
    char uuid[48], bus[24];
    int index, from, to; /* the sweeps in which it is there */
    bool busy, dark;
    int left, dark_left;
    int64_t used, ecc;
};

struct kase {
    uint64_t seed;
    struct rng rng;
    struct smi_options o;
    bool calm;    /* no line that is quoted with its number */
    bool titled;  /* begins with a header */
    bool keyless; /* GPUs are told by the bursts */
    int gpus, column[24], columns, sure;
    struct gpu gpu[GPUS];
    char names[1024], header[1024];
    const char *end; /* of a line */
    bool units, coarse, has_power;
    int64_t interval, start, stop, offset_s;
    bool zone;
    int p_miss, p_lose, p_pool, p_dup, p_back, p_gap, p_junk, p_many;
    int lost;                   /* the key column that gets lost, or -1 */
    int noisy_from, noisy_to;   /* sweeps in which power has many values */
    int noisy_line, quiet_line; /* the lines with which they begin and end */
    struct smi_buf log, runlog, cpu;
    struct line *line;
    int lines;
    struct line *cpu_line;
    int cpu_lines;
    bool has[F_COUNT];
};

enum col {
    C_TIME,
    C_INDEX,
    C_UUID,
    C_BUS,
    C_NAME,
    C_UTIL,
    C_MEM,
    C_USED,
    C_TOTAL,
    C_POWER,
    C_TEMP,
    C_CLOCK,
    C_PSTATE,
    C_MASK,
    C_SLOW,
    C_ECC,
    C_SWUS,
    C_OTHER,
    C_ALARM,
    C_COUNT
};

static const struct {
    const char *name, *unit;
    int percent; /* of the cases that have it */
} cols[C_COUNT] = {
    {"timestamp", "", 100},
    {"index", "", 0},
    {"uuid", "", 0},
    {"pci.bus_id", "", 0},
    {"name", "", 30},
    {"utilization.gpu", " %", 92},
    {"utilization.memory", " %", 50},
    {"memory.used", " MiB", 80},
    {"memory.total", " MiB", 40},
    {"power.draw", " W", 90},
    {"temperature.gpu", "", 50},
    {"clocks.current.sm", " MHz", 30},
    {"pstate", "", 20},
    {"clocks_event_reasons.active", "", 25},
    {"clocks_event_reasons.hw_slowdown", "", 15},
    {"ecc.errors.corrected.volatile.total", "", 25},
    {"clocks_event_reasons_counters.sw_power_cap", " us", 20},
    {"driver_version", "", 15},
    {"remapped_rows.pending", "", 15},
};

static void choose_columns(struct kase *k)
{
    struct rng *r = &k->rng;
    static const int keys[][2] = {{C_INDEX, -1},    {C_UUID, -1},  {C_INDEX, C_UUID}, {C_BUS, -1},
                                  {C_INDEX, C_BUS}, {C_INDEX, -1}, {C_UUID, C_INDEX}};
    const int *key = keys[between(r, 0, 6)];
    int n = 0;
    k->sure = -1;
    for (int c = 0; c < C_COUNT; c++)
        if (!k->keyless ? c == key[0] || c == key[1] || chance(r, cols[c].percent)
                        : chance(r, cols[c].percent))
            k->column[n++] = c;
    k->columns = n;
    for (int i = n - 1; i > 0; i--) { /* any order; mostly the time is first */
        int j = (int)between(r, chance(r, 80) ? 1 : 0, i), c = k->column[i];
        k->column[i] = k->column[j];
        k->column[j] = c;
    }
    for (int i = 0; i < n; i++) {
        bool measures = k->column[i] >= C_UTIL && k->column[i] < C_OTHER;
        if (measures && (k->sure < 0 || chance(r, 30)))
            k->sure = k->column[i];
    }
    if (k->sure < 0)
        k->column[k->columns++] = k->sure = C_TEMP;
    k->has_power = false;
    for (int i = 0; i < k->columns; i++)
        k->has_power |= k->column[i] == C_POWER;
    k->has[F_TWO_KEYS] = key[1] >= 0 && !k->keyless;
    k->lost = chance(r, 25) && !k->keyless ? key[key[1] >= 0 && chance(r, 50)] : -1;
    k->p_lose = k->lost >= 0 && (key[1] >= 0 || chance(r, 50)) ? 20 : 0;
    k->units = chance(r, 60);
    for (int i = 0; i < k->columns; i++) {
        const char *unit = cols[k->column[i]].unit;
        sprintf(k->names + strlen(k->names), "%s%s", i ? "," : "", cols[k->column[i]].name);
        sprintf(k->header + strlen(k->header), *unit ? "%s%s [%s]" : "%s%s", i ? ", " : "",
                cols[k->column[i]].name, unit + 1);
    }
}

static void choose_gpus(struct kase *k, int sweeps)
{
    struct rng *r = &k->rng;
    int first = (int)between(r, 0, 3);
    k->gpus = chance(r, 35) ? 1 : chance(r, 60) ? (int)between(r, 2, 4) : (int)between(r, 5, GPUS);
    for (int i = 0; i < k->gpus; i++) {
        struct gpu *g = &k->gpu[i];
        int id = (i * 7 + first) % 17; /* all different, in no order */
        *g = (struct gpu){.index = id, .to = sweeps, .busy = chance(r, 70), .used = between(r, 0, 80000)};
        sprintf(g->uuid, "GPU-%08x-1111-2222-3333-%012x", (unsigned)(id * 2654435761u), (unsigned)id);
        sprintf(g->bus, "00000000:%02X:00.0", (unsigned)(255 - id));
        if (i && chance(r, 25))
            g->from = (int)between(r, 0, sweeps);
        if (i && chance(r, 10))
            g->to = (int)between(r, g->from, sweeps);
        k->has[F_LATE] |= g->from > 0 && g->from < sweeps;
    }
}

/* ---- rows ---- */

static void put_time(struct kase *k, struct smi_buf *b, int64_t t)
{
    char s[SMI_CLOCK_TEXT];
    smi_clock_write(s, t, false);
    s[4] = s[7] = '/';
    s[10] = ' ';
    if (k->coarse)
        s[19] = 0;
    smi_buf_str(b, s);
    if (!k->coarse && chance(&k->rng, 2))
        smi_buf_fmt(b, "%03d", (int)between(&k->rng, 0, 999));
}

/* A calm log has no words of faults: they are told by their lines, which an interleaving moves. */
static const char *lost_word(struct kase *k)
{
    static const char *const words[] = {"[N/A]",           "N/A",  "[Not Supported]",     "", "-",
                                        "[Unknown Error]", "ERR!", "[GPU requires reset]"};
    return words[between(&k->rng, 0, k->calm ? 4 : 7)];
}

static void put_number(struct kase *k, struct smi_buf *b, int c, const char *digits)
{
    struct rng *r = &k->rng;
    smi_buf_str(b, *digits == '-' ? "" : chance(r, 2) ? "+" : chance(r, 2) ? "00" : "");
    smi_buf_str(b, digits);
    if (k->units ? !chance(r, 2) : chance(r, 1))
        smi_buf_str(b, cols[c].unit);
}

static void put_power(struct kase *k, struct smi_buf *b, const struct gpu *g, int sweep)
{
    struct rng *r = &k->rng;
    char t[32];
    bool many = sweep >= k->noisy_from && sweep < k->noisy_to;
    if (many && chance(r, 20))
        sprintf(t, "%d.%06d", (int)between(r, 60, 700), (int)between(r, 0, 999999));
    else if (many)
        sprintf(t, "%d.%02d", (int)between(r, 60, 700), (int)between(r, 0, 99));
    else
        sprintf(t, "%d.%02d", g->busy ? (int)between(r, 300, 306) : 70, chance(r, 70) ? 50 : 25);
    if (!k->calm && chance(r, 1)) /* refused, and quoted with its line */
        strcpy(t, "-0.5");
    put_number(k, b, C_POWER, t);
}

static int utilisation(struct rng *r, const struct gpu *g)
{
    return g->busy ? chance(r, 90) ? (int)between(r, 2, 100) : 1 : (int)between(r, 0, 1);
}

/* A number cell that is there; the line learns what matters for its neighbours. */
static void put_value(struct kase *k, struct smi_buf *b, int c, struct gpu *g, struct line *l, int sweep)
{
    struct rng *r = &k->rng;
    char t[32];
    int u;
    switch (c) {
    case C_UTIL:
        u = utilisation(r, g);
        l->known = true;
        l->idle = u * 1000000 <= k->o.idle_below;
        sprintf(t, "%d", u);
        break;
    case C_POWER:
        l->power = true;
        put_power(k, b, g, sweep);
        return;
    case C_USED:
        sprintf(t, "%d", (int)g->used);
        break;
    case C_TOTAL:
        strcpy(t, "81559");
        break;
    case C_TEMP:
        sprintf(t, "%d", (int)between(r, chance(r, 3) ? -9 : 30, 84));
        break;
    case C_CLOCK:
        sprintf(t, "%d", g->busy ? 1980 - 15 * (int)between(r, 0, 9) : 345);
        break;
    case C_MEM:
        sprintf(t, "%d", (int)between(r, 0, g->busy ? 60 : 0));
        break;
    default:
        sprintf(t, "%d", (int)(g->ecc));
        break;
    }
    put_number(k, b, c, t);
}

/* One cell; false: it gives no reading. */
static bool put_cell(struct kase *k, struct smi_buf *b, int c, struct gpu *g, struct line *l, int sweep)
{
    static const char *const bad[] = {"7x", "nan", "1e3", "99999999", "x 7"};
    struct rng *r = &k->rng;
    bool measures = c >= C_UTIL && c < C_OTHER, lost = measures && c != k->sure && chance(r, k->p_miss);
    lost |= c == C_POWER && g->dark && (c != k->sure || !k->calm);
    if (measures && !k->calm && chance(r, 1)) {
        smi_buf_str(b, bad[between(r, 0, 4)]);
        return false;
    }
    if (lost) {
        smi_buf_str(b, lost_word(k));
        k->has[F_MISSING] = true;
        return false;
    }
    switch (c) {
    case C_TIME:
        put_time(k, b, l->t);
        return false;
    case C_NAME:
        smi_buf_str(b, g->index % 5 ? "NVIDIA H100 80GB HBM3" : "NVIDIA Graphics, 80GB");
        return false;
    case C_OTHER:
        smi_buf_str(b, "550.54.15");
        return false;
    case C_ALARM:
        k->has[F_ALARM] = true;
        smi_buf_str(b, chance(r, 5) ? "Yes" : chance(r, 1) ? "[GPU is lost]" : "No");
        return false;
    case C_PSTATE:
        smi_buf_fmt(b, "P%d", g->busy ? 0 : 8);
        return true;
    case C_MASK:
        smi_buf_fmt(b, "0x%016x", (unsigned)between(r, 0, 15) * (g->busy ? 4u : 1u));
        break;
    case C_SLOW:
        smi_buf_str(b, chance(r, 30) ? "Active" : "Not Active");
        break;
    default:
        put_value(k, b, c, g, l, sweep);
        break;
    }
    k->has[F_THROTTLE] |= c == C_MASK || c == C_SLOW;
    k->has[F_COUNTERS] |= c == C_ECC || c == C_SWUS;
    return true;
}

/* A key cell; false: it is lost. */
static bool put_key(struct kase *k, struct smi_buf *b, int c, const struct gpu *g, bool pooled)
{
    if (pooled || (c == k->lost && chance(&k->rng, k->p_lose))) {
        k->has[F_LOST_KEY] = true;
        smi_buf_str(b, "[N/A]");
        return false;
    }
    if (c == C_INDEX)
        smi_buf_fmt(b, "%d", g->index);
    else
        smi_buf_str(b, c == C_UUID ? g->uuid : g->bus);
    return true;
}

static struct line *new_line(struct kase *k)
{
    struct line *l = &k->line[k->lines++];
    assert_true(k->lines < LINES);
    *l = (struct line){.at = k->log.n, .who = OTHER, .prev = -1};
    return l;
}

static void end_line(struct kase *k, struct line *l)
{
    smi_buf_str(&k->log, k->end);
    l->n = k->log.n - l->at;
}

static void put_row(struct kase *k, int who, int64_t t, int sweep)
{
    struct gpu *g = &k->gpu[who];
    struct line *l = new_line(k);
    bool keyed = false, usable = false, pooled = chance(&k->rng, k->p_pool);
    l->t = t;
    for (int i = 0; i < k->columns; i++) {
        int c = k->column[i];
        if (i)
            smi_buf_str(&k->log, chance(&k->rng, 98) ? ", " : ",");
        if (c >= C_INDEX && c <= C_BUS)
            keyed |= put_key(k, &k->log, c, g, pooled);
        else
            usable |= put_cell(k, &k->log, c, g, l, sweep);
    }
    end_line(k, l);
    l->who = !usable ? OTHER : keyed ? who : NOBODY;
    k->has[F_POOLED] |= l->who == NOBODY && !k->keyless;
}

/* The same row again, or another one with its time. */
static void put_duplicate(struct kase *k, int who, int64_t t, int sweep)
{
    struct line *l = &k->line[k->lines - 1], *same;
    if (l->who == OTHER)
        return;
    if (chance(&k->rng, 40)) {
        put_row(k, who, t, sweep);
        return;
    }
    same = new_line(k);
    for (size_t i = 0; i < l->n; i++) /* the buffer may move */
        smi_buf_char(&k->log, k->log.p[l->at + i]);
    same->n = l->n;
    same->who = l->who;
    same->t = l->t;
    same->known = l->known;
    same->idle = l->idle;
    same->power = l->power;
}

static void put_other(struct kase *k, const char *text)
{
    struct line *l = new_line(k);
    smi_buf_str(&k->log, text);
    end_line(k, l);
}

static void put_junk(struct kase *k)
{
    static const char *const junk[] = {
        "",
        "  \t",
        "No devices were found",
        "WARNING: infoROM is corrupted at gpu 0000:5E:00.0",
        "---",
        "hello",
        "1,2",
        "2026-07-03 22:10:46",
        "# again",
        "Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.",
        "NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
        "\xff\xfe, 1"};
    if (k->titled && chance(&k->rng, 20)) {
        put_other(k, k->header);
        k->has[F_HEADERS] = true;
        return;
    }
    put_other(k, junk[between(&k->rng, 0, 11)]);
    k->has[F_JUNK] = true;
}

/* From one sweep to the next, a GPU works or does not, and shows its power or does not. */
static void live_on(struct kase *k, struct gpu *g)
{
    struct rng *r = &k->rng;
    if (g->left-- <= 0) {
        g->busy = !g->busy;
        g->left = (int)between(r, 0, chance(r, 20) ? 60 : 12);
    }
    if (g->dark_left-- <= 0) {
        g->dark = !g->dark && chance(r, 20);
        g->dark_left = (int)between(r, 0, 6);
    }
    if (chance(r, 10))
        g->used = between(r, 0, 80000);
    g->ecc = chance(r, 3) ? 0 : g->ecc + (chance(r, 20) ? between(r, 0, 1000) : 0);
}

static int64_t next_time(struct kase *k, int64_t t)
{
    struct rng *r = &k->rng;
    if (chance(r, k->p_back))
        return t - (chance(r, 3) ? 3600000 : between(r, 1, chance(r, 80) ? k->interval : 3 * k->interval));
    if (chance(r, k->p_gap))
        return t + k->interval * between(r, 15, 300) + 2500;
    if (chance(r, 1))
        return t;
    return t + k->interval + (chance(r, 50) ? between(r, 0, k->interval / 10) : 0);
}

static void put_sweeps(struct kase *k, int sweeps)
{
    int64_t t = k->start;
    for (int s = 0; s < sweeps; s++) {
        k->noisy_line = s == k->noisy_from ? k->lines : k->noisy_line;
        k->quiet_line = s == k->noisy_to ? k->lines : k->quiet_line;
        for (int i = 0; i < k->gpus && k->lines < LINES - 4; i++) {
            struct gpu *g = &k->gpu[i];
            int64_t at = t + i % 3;
            live_on(k, g);
            if (s < g->from || s >= g->to)
                continue;
            at -= k->coarse ? at % 1000 : 0;
            put_row(k, i, at, s);
            if (chance(&k->rng, k->p_dup))
                put_duplicate(k, i, at, s);
            if (!k->calm && chance(&k->rng, k->p_junk))
                put_junk(k);
        }
        k->stop = t;
        t = next_time(k, t);
    }
}

/* ---- the logs beside it ---- */

static void put_utc(struct smi_buf *b, int64_t t_ms)
{
    char s[SMI_CLOCK_TEXT];
    smi_clock_write(s, t_ms, true);
    smi_buf_str(b, s);
}

static void put_phases(struct kase *k, int64_t from, int64_t to)
{
    static const char *const name[] = {"load", "train", "eval", "save \xc3\xbc", "warm up"};
    struct rng *r = &k->rng;
    for (int i = (int)between(r, 1, 12); i > 0; i--) {
        int64_t t = between(r, from, to + 1000), span = between(r, 0, (to - from) / 2 + 1000);
        smi_buf_str(&k->runlog, "{\"ts\": \"");
        put_utc(&k->runlog, t);
        smi_buf_fmt(&k->runlog, "\", \"type\": \"phase\", \"name\": \"%s\", \"seconds\": %d.%03d",
                    name[between(r, 0, 4)], (int)(span / 1000), (int)(span % 1000));
        if (chance(r, 10))
            smi_buf_fmt(&k->runlog, ", \"jax_peak_bytes_mb\": %d.5", (int)between(r, 1, 80000));
        smi_buf_str(&k->runlog, "}\n");
    }
    k->has[F_PHASES] = true;
}

static void put_event(struct kase *k, int64_t t, const char *event, const char *more)
{
    smi_buf_str(&k->runlog, "{\"ts\": \"");
    put_utc(&k->runlog, t);
    smi_buf_fmt(&k->runlog, "\", \"type\": \"event\", \"event\": \"%s\"%s}\n", event, more);
}

static void put_runlog(struct kase *k)
{
    static const int offsets[] = {7200, 0, -12600, 20700, -36000};
    struct rng *r = &k->rng;
    char data[256];
    int64_t from, to;
    k->offset_s = offsets[between(r, 0, 4)];
    k->zone = chance(r, 88);
    k->has[F_NO_ZONE] = !k->zone;
    from = k->start - k->offset_s * 1000;
    to = (k->stop > k->start ? k->stop : k->start) - k->offset_s * 1000;
    sprintf(data, ", \"data\": {%s%d, \"host\": \"n1\", \"lr\": 1e-3, \"model\": \"big\"}",
            k->zone ? "\"utc_offset_s\": " : "\"pid\": ", (int)k->offset_s);
    put_event(k, from - between(r, 0, 5000), "start", data);
    if (chance(r, 85))
        put_phases(k, from, to);
    if (chance(r, 20)) {
        put_event(k, to, "error", ", \"message\": \"no luck\"");
        k->has[F_FAILED] = true;
    }
    if (chance(r, 60))
        put_event(k, to, "stop", chance(r, 20) ? ", \"exit_status\": 3" : "");
}

static void put_cpu(struct kase *k)
{
    struct rng *r = &k->rng;
    int64_t t = k->start - k->offset_s * 1000, end = k->stop - k->offset_s * 1000;
    int64_t every = (end - t) / between(r, 1, 60) + 1;
    int n = chance(r, 10) ? 0 : (int)between(r, 1, 60);
    smi_buf_str(&k->cpu, "timestamp,usr_pct,idle_pct\n");
    for (int i = 0; i < n; i++) {
        struct line *l = &k->cpu_line[k->cpu_lines++];
        *l = (struct line){.at = k->cpu.n, .t = t, .prev = -1};
        put_utc(&k->cpu, t);
        smi_buf_fmt(&k->cpu, ",%d.%d,", (int)between(r, 0, 99), (int)between(r, 0, 9));
        smi_buf_fmt(&k->cpu, chance(r, 95) ? "%d.5\n" : "\n", (int)between(r, 0, 99));
        l->n = k->cpu.n - l->at;
        t += chance(r, 4) ? -between(r, 1, 2000) : chance(r, 4) ? every * 40 : every;
    }
    k->has[F_CPU] = n > 0;
}

/* ---- a whole case ---- */

static void look_back(struct kase *k)
{
    int last[GPUS + 1], back[GPUS + 1] = {0}, rows = 0;
    for (int i = 0; i <= GPUS; i++)
        last[i] = -1;
    for (int i = 0; i < k->lines; i++) {
        struct line *l = &k->line[i], *p;
        if (l->who == OTHER)
            continue;
        rows++;
        l->prev = last[l->who];
        last[l->who] = i;
        if (l->prev < 0)
            continue;
        p = &k->line[l->prev];
        k->has[F_DUP] |= l->t == p->t && !k->coarse && l->who != NOBODY;
        k->has[F_DUP_DIFFER] |= l->t == p->t && !k->coarse && l->who != NOBODY &&
                                (l->n != p->n || memcmp(k->log.p + l->at, k->log.p + p->at, l->n));
        k->has[F_BACK] |= l->t < p->t;
        k->has[F_SEGMENTS] |= l->t < p->t && ++back[l->who] > SMI_SEGMENTS_MAX;
        k->has[F_GAP] |= l->t - p->t > 12 * k->interval && l->t - p->t > 2500;
        k->has[F_MINUTE] |= l->t - p->t > SMI_IDLE_BREAK_MS;
        k->has[F_IDLE] |= l->t > p->t && l->known && l->idle && p->known && p->idle;
        k->has[F_DARK] |= k->has_power && l->power != p->power;
    }
    k->has[F_NO_ROWS] = rows == 0;
    k->has[F_ONE_GPU] = k->gpus == 1;
    k->has[F_MANY_GPUS] = k->gpus > 4;
    k->has[F_COARSE] = k->coarse;
}

static void choose_rates(struct kase *k, int sweeps)
{
    struct rng *r = &k->rng;
    static const int64_t intervals[] = {20, 100, 500, 1000, 1000, 2000, 10000, 70000};
    k->interval = intervals[between(r, 0, 7)];
    k->coarse = chance(r, 12);
    k->p_miss = chance(r, 40) ? 8 : 0;
    k->p_pool = chance(r, 12) ? 5 : 0;
    k->p_dup = chance(r, 55) ? 10 : 0;
    k->p_back = chance(r, 20) ? 45 : chance(r, 40) ? 4 : 0;
    k->p_gap = chance(r, 50) ? 5 : 0;
    k->p_junk = chance(r, 40) ? 8 : 0;
    k->noisy_from = k->noisy_to = -1;
    if (chance(r, 70)) { /* many values of power, for a while */
        int n = chance(r, 25) ? sweeps : (int)between(r, 0, sweeps * 2 / 3);
        k->noisy_from = (int)between(r, 0, sweeps - n);
        k->noisy_to = k->noisy_from + n;
    }
}

/* How many sweeps: mostly few. */
static int choose_length(struct rng *r, int most)
{
    int n = chance(r, 40)   ? (int)between(r, 1, 30)
            : chance(r, 50) ? (int)between(r, 30, 200)
                            : (int)between(r, 200, ROWS);
    return n < most ? n : most;
}

enum { CALM = 1, TITLED = 2, KEYED = 4 };

static void make(struct kase *k, uint64_t seed, int how, int most)
{
    int sweeps;
    *k = (struct kase){.seed = seed, .rng = {seed}, .calm = how & CALM, .o = {.idle_below = 1000000}};
    k->line = calloc(LINES, sizeof *k->line);
    k->cpu_line = calloc(64, sizeof *k->cpu_line);
    k->end = chance(&k->rng, 15) ? "\r\n" : "\n";
    k->start = 1735700000000 + /* never in the future */ between(&k->rng, 0, 400 * INT64_C(86400000));
    k->start -= chance(&k->rng, 20) ? k->start % 86400000 : 0;
    k->stop = k->start;
    k->titled = how & TITLED || chance(&k->rng, 50);
    if (chance(&k->rng, 20))
        k->o.idle_below = between(&k->rng, 0, 1) * 5000000;
    sweeps = chance(&k->rng, 8) ? 0 : choose_length(&k->rng, most);
    k->has[F_KEYLESS] = k->keyless = !(how & KEYED) && chance(&k->rng, 25);
    choose_rates(k, sweeps);
    choose_columns(k);
    choose_gpus(k, sweeps);
    while (sweeps > 1 && sweeps * k->gpus > most)
        sweeps /= 2;
    if (k->titled)
        put_other(k, k->header);
    put_sweeps(k, sweeps);
    if (!k->calm && chance(&k->rng, 12)) {
        struct line *l = new_line(k);
        smi_buf_str(&k->log, "2026/07/03 22:1");
        l->n = k->log.n - l->at;
        k->has[F_TORN] = true;
    }
    put_runlog(k);
    put_cpu(k);
    look_back(k);
}

static void count_case(const struct kase *k, int64_t *group)
{
    for (int i = 0; i < F_COUNT; i++)
        had[i] += k->has[i];
    cases_run++;
    ++*group;
}

static void end(struct kase *k)
{
    free(k->line);
    free(k->cpu_line);
    smi_buf_fini(&k->log);
    smi_buf_fini(&k->runlog);
    smi_buf_fini(&k->cpu);
}

/* ---- bytes to a run ---- */

struct input {
    int format;
    const char *path, *columns;
    const char *p;
    size_t n;
};

/* All at once, or in pieces of their own, so that a byte too many is seen. */
static void feed(struct smi_ingest *in, const struct input *i, struct rng *cut, int most)
{
    struct smi_err err = {0};
    size_t at = 0;
    while (at < i->n) {
        size_t n = cut ? (size_t)between(cut, 1, most) : i->n;
        char *piece;
        n = n < i->n - at ? n : i->n - at;
        piece = malloc(n);
        memcpy(piece, i->p + at, n);
        if (smi_ingest_feed(in, piece, n, &err))
            fail_msg("feed: %s", err.text);
        free(piece);
        at += n;
    }
    if (smi_ingest_finish(in, &err))
        fail_msg("finish: %s", err.text);
}

static uint64_t hash_of(const struct input *i)
{
    uint64_t h = 1469598103934665603u;
    for (size_t k = 0; k < i->n; k++)
        h = (h ^ (unsigned char)i->p[k]) * 1099511628211u;
    return h;
}

static void read_part(struct smi_run *run, const struct input *i, const struct smi_options *o,
                      struct rng *cut, int most)
{
    struct smi_input_stats *p = smi_input_stats_new(i->path, i->format);
    struct smi_ingest_opts opts = {.format = i->format,
                                   .columns = i->columns,
                                   .account = &p->account,
                                   .devices = &p->devices,
                                   .to = &p->sink};
    struct smi_ingest *in;
    bool cpu = i->format == SMI_FMT_CPU;
    p->opts = (struct smi_device_stats_opts){.idle_below = o->idle_below,
                                             .shift_us = cpu ? 0 : (int64_t)run->offset_s * 1000000};
    if (cpu || run->has_offset)
        p->opts.phases = &run->log.phases;
    if (cut && i->n && i->p == strstr(i->p, "timestamp,") && chance(cut, 50))
        opts.format = -1;
    in = smi_ingest_open(&opts);
    assert_non_null(in);
    feed(in, i, cut, most);
    assert_int_equal(smi_ingest_format(in), i->format);
    p->base = smi_ingest_base(in);
    p->size = (int64_t)i->n;
    p->hash = i->format == SMI_FMT_RUNLOG ? hash_of(i) : 0;
    for (size_t d = 0; d < p->devices.n; d++)
        p->keyed |= p->devices.list[d].ordinal < 0;
    smi_ingest_close(in);
    smi_run_add_part(run, p);
}

/* As src/sweep/read_run.c reads files: RunLogs first, they say the zone and the phases. */
static void read_run(struct smi_run *run, const struct input *in, size_t n, const struct smi_options *o,
                     struct rng *cut, int most)
{
    *run = (struct smi_run){.name = "case"};
    for (size_t i = 0; i < n; i++)
        if (in[i].format == SMI_FMT_RUNLOG) {
            read_part(run, &in[i], o, cut, most);
            smi_runlog_merge(&run->log, &run->part[run->parts - 1]->log);
        }
    run->has_offset = run->log.has_offset;
    run->offset_s = run->log.offset_s;
    run->zone_from = run->has_offset ? SMI_ZONE_RUNLOG : SMI_ZONE_NONE;
    smi_phases_index(&run->log.phases);
    for (size_t i = 0; i < n; i++)
        if (in[i].format != SMI_FMT_RUNLOG)
            read_part(run, &in[i], o, cut, most);
}

static void adds_up(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ninputs; i++) {
        const struct smi_account *a = &s->inputs[i].account;
        assert_int_equal(a->lines, a->header + a->rows + a->duplicates + a->blank + a->messages +
                                       smi_account_rejected(a));
    }
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        assert_true(s->waste.ms[i] >= 0);
}

/* The rules, so that they speak of logs of seconds too. */
static const struct smi_rule *eager_rules(struct smi_rule rules[SMI_RULE_COUNT])
{
    for (int i = 0; i < SMI_RULE_COUNT; i++) {
        rules[i] = smi_rules[i];
        rules[i].least_s = 0;
        if (rules[i].limit != SMI_LIMIT_NONE && rules[i].side == SMI_SIDE_FROM)
            rules[i].limit = 1;
    }
    return rules;
}

/* The JSON of the run, then every other output of it. The run is consumed. */
static struct smi_buf show(struct smi_run *run, const struct smi_options *o)
{
    struct smi_rule rules[SMI_RULE_COUNT];
    struct smi_options with = *o;
    static const struct smi_render_options wide = {.verbose = true, .all = true, .utf8 = true, .width = 120};
    struct smi_sweep s = {.title = "case"};
    struct smi_buf b = {0};
    s.runs = smi_mem_new(1, sizeof *s.runs);
    s.n = 1;
    with.rules = eager_rules(rules);
    assert_int_equal(smi_run_build(&s.runs[0], run, &with, NULL), 0);
    adds_up(&s.runs[0]);
    smi_total_add(&s.total, &s.runs[0], true);
    smi_total_close(&s.total);
    smi_sweep_params(&s);
    smi_write_json(&b, &s, &wide);
    for (const struct smi_output *f = smi_outputs; f->name; f++) {
        if (!f->write) /* a workbook writes its file by itself: tests/oracle/workbook.py reads it back */
            continue;
        smi_buf_fmt(&b, "\n== %s\n", f->name);
        f->write(&b, &s, &wide);
    }
    smi_sweep_fini(&s);
    return b;
}

static size_t whole_inputs(const struct kase *k, struct input in[3])
{
    in[0] = (struct input){SMI_FMT_QUERY, "hw.csv", k->names, k->log.p ? k->log.p : "", k->log.n};
    in[1] = (struct input){SMI_FMT_RUNLOG, "run.jsonl", NULL, k->runlog.p, k->runlog.n};
    in[2] = (struct input){SMI_FMT_CPU, "cpu.csv", NULL, k->cpu.p, k->cpu.n};
    return 3;
}

static struct smi_buf whole(const struct kase *k)
{
    struct input in[3];
    struct smi_run run;
    struct smi_buf b;
    read_run(&run, in, whole_inputs(k, in), &k->o, NULL, 0);
    b = show(&run, &k->o);
    smi_run_fini(&run);
    return b;
}

/* ---- equal, byte for byte ---- */

static void dump_file(const char *name, const char *p, size_t n)
{
    const char *dir = getenv("SMILOG_DUMP");
    char path[512];
    FILE *f;
    if (!dir)
        return;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    if (f) {
        fwrite(p, 1, n, f);
        fclose(f);
    }
}

static void dump(const struct kase *k, const struct smi_buf *want, const struct smi_buf *got)
{
    dump_file("hw.csv", k->log.p ? k->log.p : "", k->log.n);
    dump_file("run.jsonl", k->runlog.p, k->runlog.n);
    dump_file("cpu.csv", k->cpu.p, k->cpu.n);
    dump_file("columns", k->names, strlen(k->names));
    dump_file("want", want->p, want->n);
    dump_file("got", got->p, got->n);
}

static void same(const struct kase *k, const char *what, const struct smi_buf *want,
                 const struct smi_buf *got)
{
    size_t i = 0, from;
    if (want->n == got->n && memcmp(want->p, got->p, want->n) == 0)
        return;
    while (i < want->n && i < got->n && want->p[i] == got->p[i])
        i++;
    from = i > 200 ? i - 200 : 0;
    dump(k, want, got);
    fail_msg("%s: seed %" PRIu64
             ": byte %zu differs (want %zu bytes, got %zu)\n want: ...%.*s\n got:  ...%.*s",
             what, k->seed, i, want->n, got->n, (int)(want->n - from < 300 ? want->n - from : 300),
             want->p + from, (int)(got->n - from < 300 ? got->n - from : 300), got->p + from);
}

/* ---- how many, and which ---- */

static int cases(void)
{
    const char *n = getenv("SMILOG_CASES");
    return getenv("SMILOG_SEED") ? 1 : n && atoi(n) > 0 ? atoi(n) : 40;
}

static uint64_t seed_of(int property, int i)
{
    const char *seed = getenv("SMILOG_SEED");
    struct rng r = {(uint64_t)property * 1000003 + (uint64_t)i};
    return seed ? strtoull(seed, NULL, 10) : draw(&r) % 1000000007;
}

/* ---- a: bytes in any pieces ---- */

static void any_pieces_of_bytes(void **state)
{
    (void)state;
    for (int i = 0; i < cases(); i++) {
        static const int sizes[] = {1, 2, 7, 100, 5000, 100000};
        struct kase k;
        struct input in[3];
        struct smi_run run;
        struct smi_buf want, got;
        int most;
        make(&k, seed_of(1, i), 0, ROWS);
        most = sizes[between(&k.rng, 0, 5)];
        k.has[F_BYTES] = most == 1;
        want = whole(&k);
        read_run(&run, in, whole_inputs(&k, in), &k.o, &k.rng, most);
        got = show(&run, &k.o);
        smi_run_fini(&run);
        same(&k, "pieces", &want, &got);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        count_case(&k, &piece_cases);
        end(&k);
    }
}

/* ---- b: rows in any order that keeps each GPU's own ---- */

static void interleave(struct kase *k, struct smi_buf *to)
{
    int at[GPUS + 1] = {0}, left = 0, who = 0;
    bool bursts = chance(&k->rng, 50);
    for (int i = 0; i < k->lines; i++) {
        if (k->line[i].who == OTHER)
            smi_buf_add(to, k->log.p + k->line[i].at, k->line[i].n);
        left += k->line[i].who != OTHER;
    }
    while (left > 0) {
        if (!bursts || chance(&k->rng, 20))
            who = (int)between(&k->rng, 0, GPUS);
        while (at[who] < k->lines && k->line[at[who]].who != who)
            at[who]++;
        if (at[who] == k->lines) {
            who = (who + 1) % (GPUS + 1);
            continue;
        }
        smi_buf_add(to, k->log.p + k->line[at[who]].at, k->line[at[who]].n);
        at[who]++;
        left--;
    }
}

static void any_interleaving_of_gpus(void **state)
{
    (void)state;
    for (int i = 0; i < cases(); i++) {
        struct kase k;
        struct smi_buf mixed = {0}, want, got, log;
        make(&k, seed_of(2, i), CALM | KEYED, ROWS);
        want = whole(&k);
        interleave(&k, &mixed);
        assert_int_equal(mixed.n, k.log.n);
        log = k.log;
        k.log = mixed;
        got = whole(&k);
        same(&k, "interleaving", &want, &got);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        smi_buf_fini(&log);
        count_case(&k, &free_cases);
        end(&k);
    }
}

/* ---- c: cut at rows, summarised apart, merged ---- */

enum at { AT_ANY, AT_DUP, AT_GAP, AT_IDLE, AT_DARK, AT_BACK, AT_KINDS };

static bool is_at(const struct kase *k, const struct line *l, enum at kind)
{
    const struct line *p = l->prev >= 0 ? &k->line[l->prev] : NULL;
    if (l->who == OTHER || (!p && kind != AT_ANY))
        return false;
    switch (kind) {
    case AT_DUP:
        return l->t == p->t && !k->coarse && l->who != NOBODY;
    case AT_GAP:
        return l->t - p->t > 12 * k->interval && l->t - p->t > 2500;
    case AT_IDLE:
        return l->t > p->t && l->known && l->idle && p->known && p->idle;
    case AT_DARK:
        return k->has_power && l->t > p->t && (!l->power || !p->power);
    case AT_BACK:
        return l->t < p->t;
    default:
        return true;
    }
}

/* A random line of the kind (a cut goes in front of it), or -1. */
static int pick(struct kase *k, enum at kind)
{
    int seen = 0, best = -1;
    for (int i = 1; i < k->lines; i++)
        if (is_at(k, &k->line[i], kind) && between(&k->rng, 0, seen++) == 0)
            best = i;
    return best;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Cuts must leave every part with a row, and the first times in order; apart: no range may reach into the
 * next, and every part has a row with a key (one without is taken for a log without keys, and so for another
 * stream). Cuts that do not are taken out, the others are left in cut[0 ... n - 1]. */
static int settle(const struct line *line, int lines, int *cut, int n, bool apart)
{
    int64_t min[64], max[64], first[64];
    for (;;) {
        int i, at = 0;
        for (i = 0; i <= n; i++) {
            int rows = 0, keyed = 0, to = i < n ? cut[i] : lines;
            for (; at < to; at++) {
                const struct line *l = &line[at];
                if (l->who == OTHER)
                    continue;
                keyed += l->who != NOBODY;
                if (!rows++) {
                    min[i] = max[i] = first[i] = l->t;
                    continue;
                }
                min[i] = l->t < min[i] ? l->t : min[i];
                max[i] = l->t > max[i] ? l->t : max[i];
            }
            if (!rows || (apart && !keyed))
                break;
            if (i && (min[i] <= min[i - 1] || first[i] <= first[i - 1] || (apart && min[i] < max[i - 1])))
                break;
        }
        if (i > n)
            return n;
        i = i ? i - 1 : 0;
        if (n == 0)
            return 0;
        memmove(cut + i, cut + i + 1, (size_t)(n - 1 - i) * sizeof *cut);
        n--;
    }
}

static int choose_cuts(struct kase *k, int *cut, bool apart)
{
    struct rng *r = &k->rng;
    static const enum at kinds[] = {AT_ANY, AT_ANY,  AT_DUP,  AT_DUP,  AT_GAP,
                                    AT_GAP, AT_IDLE, AT_DARK, AT_BACK, AT_BACK};
    int want = (int)between(r, 1, PARTS - 3), n = 0, distinct = 0;
    if (chance(r, 40) && k->noisy_line > 0) /* around the many values */
        cut[n++] = k->noisy_line;
    if (n && chance(r, 80) && k->quiet_line > 0)
        cut[n++] = k->quiet_line;
    for (int i = 0; i < want; i++) {
        int at = pick(k, kinds[between(r, 0, 9)]);
        if (at < 0)
            at = pick(k, AT_ANY);
        if (at > 0)
            cut[n++] = at;
    }
    if (chance(r, 15) && n && n < PARTS - 1 && cut[0] + k->gpus < k->lines)
        cut[n++] = cut[0] + 1; /* a very short part */
    qsort(cut, (size_t)n, sizeof *cut, by_number);
    for (int i = 0; i < n; i++)
        if (!i || cut[i] != cut[i - 1])
            cut[distinct++] = cut[i];
    return settle(k->line, k->lines, cut, distinct, apart);
}

/* What the cuts fell into: for each GPU its last row before and its first row after. */
static void note_cuts(struct kase *k, const int *cut, int n)
{
    for (int i = 0; i < n; i++) {
        bool seen[GPUS + 1] = {false};
        int end = i + 1 < n ? cut[i + 1] : k->lines;
        for (int at = cut[i]; at < end; at++) {
            const struct line *l = &k->line[at];
            int rows = 0;
            if (l->who == OTHER || seen[l->who])
                continue;
            seen[l->who] = true;
            k->has[F_CUT_DUP] |= is_at(k, l, AT_DUP);
            k->has[F_CUT_GAP] |= is_at(k, l, AT_GAP);
            k->has[F_CUT_IDLE] |= is_at(k, l, AT_IDLE);
            k->has[F_CUT_DARK] |= is_at(k, l, AT_DARK);
            k->has[F_CUT_BACK] |= is_at(k, l, AT_BACK);
            k->has[F_CUT_NEW] |= l->prev < 0;
            for (int j = at; j < end; j++)
                rows += k->line[j].who == l->who;
            k->has[F_CUT_SINGLE] |= rows == 1;
        }
    }
    k->has[F_CUT] = n > 0;
}

static int choose_cpu_cuts(struct kase *k, int *cut)
{
    struct rng *r = &k->rng;
    int n = 0, at = 0;
    for (int i = (int)between(r, 0, 3); i > 0 && at + 1 < k->cpu_lines; i--)
        cut[n++] = at = (int)between(r, at + 1, k->cpu_lines - 1);
    n = settle(k->cpu_line, k->cpu_lines, cut, n, false);
    k->has[F_CUT_CPU] = n > 0;
    return n;
}

/* Piece i of bytes that are cut in front of lines. */
static struct input slice(const struct input *whole, const struct line *line, const int *cut, int n, int i)
{
    struct input in = *whole;
    size_t from = i ? line[cut[i - 1]].at : 0, to = i < n ? line[cut[i]].at : whole->n;
    in.p = whole->p + from;
    in.n = to - from;
    return in;
}

/* Is a metric of any GPU past the cap in this part? */
static bool crossed(const struct smi_run *run)
{
    for (size_t i = 0; i < run->parts; i++)
        for (size_t d = 0; d < run->part[i]->tracks; d++)
            for (int m = 0; m < SMI_METRIC_COUNT && run->part[i]->track[d]; m++)
                if (run->part[i]->track[d]->counts[m] && run->part[i]->track[d]->counts[m]->approximate)
                    return true;
    return false;
}

static void put_partial(struct smi_run *run, const struct smi_options *o, struct smi_buf *to)
{
    run->name = "case";
    smi_partial_write(to, run, o);
}

static void get_partial(struct smi_partials *p, const struct smi_buf *doc)
{
    struct smi_err err = {0};
    if (smi_partial_read(p, doc->p, doc->n - 1, "part", &err))
        fail_msg("get: %s", err.text);
}

/* The parts, each summarised for itself and written down. Returns how many passed the cap. */
static int write_parts(struct kase *k, const int *cut, int n, struct smi_buf *doc)
{
    struct input in[3], part[3 + 4];
    int cpu_cut[4], cpus, home[4], over = 0;
    whole_inputs(k, in);
    cpus = choose_cpu_cuts(k, cpu_cut);
    for (int c = 0; c <= cpus; c++)
        home[c] = (int)between(&k->rng, 0, n);
    for (int i = 0; i <= n; i++) {
        struct smi_run run;
        size_t inputs = 0;
        part[inputs++] = slice(&in[0], k->line, cut, n, i);
        part[inputs++] = in[1];
        for (int c = 0; c <= cpus; c++)
            if (home[c] == i)
                part[inputs++] = slice(&in[2], k->cpu_line, cpu_cut, cpus, c);
        read_run(&run, part, inputs, &k->o, NULL, 0);
        over += crossed(&run);
        put_partial(&run, &k->o, &doc[i]);
        smi_run_fini(&run);
    }
    return over;
}

static struct smi_buf merge(struct kase *k, struct smi_buf *doc, int n)
{
    struct smi_partials p = {0};
    struct smi_buf got;
    for (int i = n - 1; i > 0; i--) {
        int j = (int)between(&k->rng, 0, i);
        struct smi_buf b = doc[i];
        doc[i] = doc[j];
        doc[j] = b;
    }
    for (int i = 0; i < n; i++)
        get_partial(&p, &doc[i]);
    if (chance(&k->rng, 25)) { /* what was merged can be written down again */
        struct smi_buf again = {0};
        put_partial(p.run[0], &k->o, &again);
        smi_partials_fini(&p);
        get_partial(&p, &again);
        smi_buf_fini(&again);
        k->has[F_AGAIN] = true;
    }
    assert_int_equal(p.runs, 1);
    got = show(p.run[0], &k->o);
    smi_partials_fini(&p);
    return got;
}

static void note_cap(struct kase *k, int over, int n, const struct smi_buf *want)
{
    bool all = strstr(want->p, "\"approximate\"") != NULL;
    k->has[F_VALUES] = all;
    k->has[F_CROSS_ONE] = n > 0 && over == 1;
    k->has[F_CROSS_MORE] = over > 1;
    k->has[F_CROSS_UNION] = n > 0 && over == 0 && all;
}

static void any_cut_into_parts(void **state)
{
    (void)state;
    for (int i = 0; i < cases(); i++) {
        struct kase k;
        struct smi_buf want, got, doc[PARTS] = {{0}};
        int cut[PARTS], n;
        make(&k, seed_of(3, i), KEYED, ROWS);
        n = choose_cuts(&k, cut, false);
        note_cuts(&k, cut, n);
        want = whole(&k);
        note_cap(&k, write_parts(&k, cut, n, doc), n, &want);
        got = merge(&k, doc, n + 1);
        same(&k, "parts", &want, &got);
        for (int d = 0; d <= n; d++)
            smi_buf_fini(&doc[d]);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        count_case(&k, &cut_cases);
        end(&k);
    }
}

/* ---- d: rotated files are one stream: all but the list of inputs is as of the whole ---- */

static void less_inputs(struct smi_buf *b)
{
    char *from = strstr(b->p, "\"inputs\": ["), *to = from ? strchr(from, '\n') : NULL,
         *end = strstr(b->p, "\n== ");
    assert_true(from && to && end);
    memmove(from, to, (size_t)(end - to));
    b->n = (size_t)(from - b->p) + (size_t)(end - to);
    b->p[b->n] = 0;
}

static void any_cut_into_files(void **state)
{
    (void)state;
    for (int i = 0; i < cases(); i++) {
        struct kase k;
        struct smi_buf want, got;
        struct input in[3], file[PARTS + 2];
        struct smi_run run;
        char path[PARTS][16];
        int cut[PARTS], n, first;
        make(&k, seed_of(4, i), KEYED, ROWS);
        n = choose_cuts(&k, cut, true);
        first = (int)between(&k.rng, 0, 9);
        want = whole(&k);
        whole_inputs(&k, in);
        for (int f = 0; f <= n; f++) {
            file[f] = slice(&in[0], k.line, cut, n, f);
            snprintf(path[f], sizeof path[f], "hw.csv.%d", (f * 7 + first) % 11);
            file[f].path = path[f];
        }
        file[n + 1] = in[1];
        file[n + 2] = in[2];
        read_run(&run, file, (size_t)n + 3, &k.o, NULL, 0);
        got = show(&run, &k.o);
        smi_run_fini(&run);
        less_inputs(&want);
        less_inputs(&got);
        same(&k, "files", &want, &got);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        k.has[F_CHAIN] = n > 0;
        count_case(&k, &chain_cases);
        end(&k);
    }
}

/* ---- e: on disk, with one thread and with eight, and over partials ---- */

static void put_file(const char *dir, const char *name, const struct smi_buf *b)
{
    char path[256];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    f = fopen(path, "w");
    assert_non_null(f);
    if (b->n)
        assert_int_equal(fwrite(b->p, 1, b->n, f), b->n);
    assert_int_equal(fclose(f), 0);
}

static void put_run(const struct kase *k, const char *root, int i)
{
    char dir[128];
    snprintf(dir, sizeof dir, "%s/lr=%d,seed=%d", root, i % 2, i / 2);
    assert_int_equal(mkdir(dir, 0777), 0);
    put_file(dir, "hw_metrics.csv", &k->log);
    put_file(dir, "run.jsonl", &k->runlog);
    put_file(dir, "cpu_metrics.csv", &k->cpu);
}

static void show_sweep(struct smi_sweep *s, struct smi_buf *b)
{
    static const struct smi_render_options looks[] = {
        {.width = 0}, {.width = 100, .height = 40, .utf8 = true, .verbose = true}};
    for (size_t l = 0; l < sizeof looks / sizeof *looks; l++)
        for (const struct smi_output *f = smi_outputs; f->name; f++) {
            if (!f->write)
                continue;
            smi_buf_fmt(b, "== %s\n", f->name);
            f->write(b, s, &looks[l]);
        }
    smi_sweep_fini(s);
}

static int take_partial(void *self, const struct smi_buf *doc, bool usable, struct smi_err *err)
{
    (void)usable;
    (void)err;
    return smi_merge_queue_add(self, doc->p, doc->n - 1, "part", 1, err);
}

static void read_sweep(const char *root, unsigned threads, int64_t piece, struct smi_buf *all,
                       struct smi_buf *merged)
{
    const struct smi_options o = {
        .idle_below = 1000000, .threads = piece ? threads : 0, .piece_bytes = piece};
    struct smi_discover_opts d = {.format = -1, .threads = threads};
    struct smi_render_options look = {0};
    struct smi_merge_queue p = {0};
    struct smi_sweep s;
    assert_int_equal(smi_sweep_read(&s, &root, 1, &d, &o, NULL), 0);
    smi_write_json(merged, &s, &look);
    show_sweep(&s, all);
    assert_int_equal(smi_sweep_documents(&s, &root, 1, &d, &o, take_partial, &p, NULL), 0);
    smi_sweep_fini(&s);
    if (threads > 1) {
        smi_buf_clear(merged);
        assert_int_equal(smi_sweep_merge_queue(&s, &p, &o, NULL), 0);
        smi_write_json(merged, &s, &look);
        smi_sweep_fini(&s);
    }
    smi_merge_queue_fini(&p);
}

static void any_number_of_threads(void **state)
{
    char root[] = "/tmp/smilog-properties-XXXXXX", clear[64];
    (void)state;
    assert_non_null(mkdtemp(root));
    snprintf(clear, sizeof clear, "rm -rf %s/*", root);
    for (int i = 0; i < cases(); i++) {
        struct rng r = {seed_of(5, i)};
        struct kase k;
        struct smi_buf want = {0}, got = {0}, json = {0}, merged = {0};
        int runs = (int)between(&r, 1, 6);
        for (int n = 0; n < runs; n++) {
            make(&k, n ? draw(&r) : seed_of(5, i), TITLED, chance(&r, 30) ? ROWS : 100);
            put_run(&k, root, n);
            k.has[F_RUNS] = runs > 1;
            k.has[F_PIECES] = runs % 2;
            if (n == runs - 1)
                break;
            end(&k);
        }
        read_sweep(root, 1, 0, &want, &json);
        read_sweep(root, 8, k.has[F_PIECES] ? between(&r, 100, 9000) : 0, &got, &merged);
        k.seed = seed_of(5, i);
        same(&k, root, &want, &got); /* where a failure leaves the logs */
        same(&k, "partials of a sweep", &json, &merged);
        assert_int_equal(system(clear), 0);
        smi_buf_fini(&want);
        smi_buf_fini(&got);
        smi_buf_fini(&json);
        smi_buf_fini(&merged);
        count_case(&k, &disk_cases);
        end(&k);
    }
    assert_int_equal(rmdir(root), 0);
}

/* ---- what occurred ---- */

/* Of which cases a feature can be: those of its property. */
static int64_t of(int f)
{
    const char *text = features[f];
    if (text[1] == ':')
        return text[0] == 'a'   ? piece_cases
               : text[0] == 'c' ? cut_cases
               : text[0] == 'd' ? chain_cases
                                : disk_cases;
    if (f == F_VALUES)
        return cut_cases;
    if (f == F_KEYLESS)
        return piece_cases + disk_cases;
    return f == F_JUNK || f == F_HEADERS || f == F_TORN ? cases_run - free_cases : cases_run;
}

/* With the cap that is built in, 2,000 rows cannot pass it (docs/numbers.md, section 2). */
static bool possible(int f)
{
    return SMI_DISTINCT_CAP <= 100 ||
           (f != F_VALUES && f != F_CROSS_ONE && f != F_CROSS_MORE && f != F_CROSS_UNION);
}

/* Less than one in twenty; of a few hundred cases, where chance moves that by half: none. */
static bool rare_among(int64_t had_n, int64_t n)
{
    return n >= 500 ? had_n * 20 < n : n >= 100 && had_n == 0;
}

static void everything_occurred(void **state)
{
    bool rare = false;
    (void)state;
    printf("%" PRId64 " cases, cap %d:\n", cases_run, SMI_DISTINCT_CAP);
    for (int f = 0; f < F_COUNT; f++) {
        int64_t n = of(f);
        bool few = possible(f) && rare_among(had[f], n);
        printf("  %5.1f %%  %s%s\n", n ? 100.0 * (double)had[f] / (double)n : 0.0, features[f],
               few ? "  TOO RARE" : "");
        rare |= few;
    }
    assert_false(rare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_pieces_of_bytes),   cmocka_unit_test(any_interleaving_of_gpus),
        cmocka_unit_test(any_cut_into_parts),    cmocka_unit_test(any_cut_into_files),
        cmocka_unit_test(any_number_of_threads), cmocka_unit_test(everything_occurred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
