/* paths.c - any bytes as a log of one of the formats that $FUZZ_FORMAT names, for which there is a fast path:
 * it must tell the same JSON as the general path does.
 *
 * Input: 1 byte that says which format, and which ways are gone; 7 bytes that say how the log is cut
 * into pieces; 1 byte of options (bits 0-2 --gpu-count, 3-4 a list for --input-columns, 5 phases, 6-7 parts
 * that threads read); then the log, whose rows are not many. So some of them come several times, with other
 * numbers and later times: rows of one shape fill blocks and windows, and stand in front of and behind what
 * the fuzzer has made of others. How many rows went the fast path is printed at the end: without them nothing
 * was compared. */
#include "fuzz.h"

#include "../logs.h"
#include "../read_paths.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    CUTS = 7,
    HEAD = CUTS + 2,
    ONE_STEP = 128,
    ROOM = 24 << 10,
    ROOM_MOST = 400 << 10,
    ROW_MOST = 512,
    ENOUGH = 20000 /* logs, to judge what part of their rows is plain */
};

static int formats[SMI_FMT_COUNT], file = -1;
static size_t formats_n;
static struct smi_phases phases;
static char text[ROOM_MOST + 2 * ROW_MOST];
static struct {
    int64_t logs, rows, fast, cut;
} seen[SMI_FMT_COUNT];

static void tell_shares(void)
{
    bool few = false;
    for (size_t i = 0; i < formats_n; i++) {
        int f = formats[i];
        few |= seen[f].logs >= ENOUGH && seen[f].fast * 10 < seen[f].rows * 3;
        printf("paths: %-16s %9" PRId64 " logs, %10" PRId64
               " rows, %3.0f %% of them by the fast path; %" PRId64 " times cut into parts\n",
               smi_format_infos[f].name, seen[f].logs, seen[f].rows,
               seen[f].rows ? 100.0 * (double)seen[f].fast / (double)seen[f].rows : 0.0, seen[f].cut);
    }
    if (few)
        fuzz_stop("too few rows went the fast path");
}

/* One of a minute in every five, and a long one, of the day of the seeds. */
static void make_phases(void)
{
    const int64_t day = INT64_C(1783036800) * 1000000; /* 2026-07-03 */
    for (int i = 0; i < 288; i++)
        smi_phases_add(&phases, smi_text_of(i & 1 ? "a" : "b"), day + (int64_t)i * 300000000, 60000000);
    smi_phases_add(&phases, smi_text_of("c"), day + INT64_C(81000) * 1000000, INT64_C(3600) * 1000000);
    smi_phases_index(&phases);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    formats_n = fuzz_formats(formats);
    file = memfd_create("log", 0);
    if (!formats_n || file < 0)
        fuzz_stop("no FUZZ_FORMAT, or no file");
    make_phases();
    atexit(tell_shares);
    return 0;
}

/* ---- the log ---- */

static uint64_t state;

static unsigned below(unsigned n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return (unsigned)((z ^ (z >> 29)) % n);
}

static bool is_number(char c)
{
    return logs_digit(c) || c == '.';
}

static bool parts_words(char c)
{
    return c == ' ' || c == ',' || c == '\r' || c == '\n' || c == '}';
}

/* Another number of as many digits, or sometimes of one less. */
static void vary_number(char *p, size_t n, char before)
{
    for (size_t i = 0; i < n; i++)
        if (logs_digit(p[i]) && below(4) == 0)
            p[i] = (char)('0' + (i == 0 && n > 1 && logs_digit(p[1]) ? 1 + below(9) : below(10)));
    if (n > 1 && logs_digit(p[1]) && (p[1] != '0' || n == 2 || p[2] == '.') && before == ' ' &&
        below(16) == 0)
        p[0] = ' ';
}

/* Numbers that stand by themselves are others, and the time is later. */
static void vary(char *row, size_t n, uint64_t ms)
{
    char *p = logs_delay(row, n, ms), *end = row + n;
    while (p < end) {
        char *word = p;
        while (p < end && is_number(*p))
            p++;
        if (p > word && (word == row || parts_words(word[-1])) && (p == end || parts_words(*p)))
            vary_number(word, (size_t)(p - word), word > row ? word[-1] : 0);
        while (p < end && !parts_words(*p))
            p++;
        while (p < end && parts_words(*p))
            p++;
    }
}

/* How often a row comes again; a log that is to be cut into parts has more than 256 rows. */
static unsigned times(bool many)
{
    static const uint16_t often[] = {0, 0, 0, 1, 2, 3, 9, 40};
    return below(512) == 0 ? 2500 : below(many ? 4 : 48) == 0 ? 300 : often[below(8)];
}

/* Returns the bytes of the log. */
static size_t make(const char *p, size_t n, bool many)
{
    const char *end = p + n, *lf;
    size_t k = 0, line, most = below(32) ? ROOM : ROOM_MOST;
    unsigned step = below(3) ? 1 + below(4000) : 1 + below(12);
    uint64_t ms = 0;
    for (; p < end && k < most; p = lf) {
        lf = memchr(p, '\n', (size_t)(end - p));
        lf = lf ? lf + 1 : end;
        line = (size_t)(lf - p);
        memcpy(text + k, p, line);
        logs_delay(text + k, line, ms);
        k += line;
        for (unsigned i = lf[-1] == '\n' && line < ROW_MOST ? times(many) : 0; i && k < most;
             i--, k += line) {
            memcpy(text + k, p, line);
            ms += below(64) ? step : below(90000);
            vary(text + k, line, ms);
        }
    }
    return k;
}

/* ---- the paths ---- */

static void make_sizes(const uint8_t *cuts, size_t *size)
{
    for (size_t i = 0; i < CUTS; i++)
        size[i] = cuts[i] < ONE_STEP ? (size_t)cuts[i] + 1 : (size_t)(cuts[i] - ONE_STEP + 1) * 64;
}

static void differ(const struct paths_log *l, int way, const struct paths_told *want,
                   const struct paths_told *got)
{
    const char *dump = getenv("SMILOG_DUMP");
    FILE *f = dump ? fopen(dump, "wb") : NULL;
    size_t i = 0;
    if (f) {
        fwrite(l->p, 1, l->n, f);
        fclose(f);
    }
    while (i < want->json.n && i < got->json.n && want->json.p[i] == got->json.p[i])
        i++;
    i = i > 60 ? i - 60 : 0;
    fprintf(stderr, "%s, way %d (SMILOG_DUMP=FILE keeps the log)\ngeneral: %d %s...%.160s\n",
            smi_format_infos[l->format].name, way, want->err.code, want->err.text,
            i < want->json.n ? want->json.p + i : "");
    fprintf(stderr, "fast: %d %s...%.160s\n", got->err.code, got->err.text,
            i < got->json.n ? got->json.p + i : "");
    fuzz_stop("the fast path and the general one do not tell the same");
}

static struct paths_told general(struct paths_log l)
{
    static const size_t small = PATHS_GENERAL;
    struct paths_told t = paths_read(&l, &small, 1);
    if (t.count.in_blocks)
        fuzz_stop("the general path is none: its pieces are not short enough");
    return t;
}

/* way 0: all at once; 1: in pieces; 2: in parts, if it can be cut, else in other pieces. */
static struct paths_told fast(const struct paths_log *l, int way, const size_t *size, unsigned parts)
{
    static const size_t all = 0;
    struct paths_told t = {.part = NULL};
    if (way == 2 && parts)
        t = paths_parts(l, parts);
    if (t.part || t.err.code) {
        seen[l->format].cut++;
        return t;
    }
    return way == 0 ? paths_read(l, &all, 1) : paths_read(l, size + way - 1, CUTS - 1);
}

static void compare(const struct paths_log *l, unsigned turn, const size_t *size, unsigned parts)
{
    struct paths_told want = general(*l), got;
    if (!want.err.code)
        paths_json(&want, l);
    for (unsigned i = 0; i < 2; i++) {
        int way = (int)((i + turn) % 3);
        got = fast(l, way, size, parts);
        if (!got.err.code)
            paths_json(&got, l);
        if (!paths_same(&want, &got))
            differ(l, way, &want, &got);
        if (way == 0) {
            seen[l->format].fast += got.count.in_blocks;
            seen[l->format].rows += got.count.rows;
        }
        paths_fini(&got);
    }
    paths_fini(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const lists[] = {
        NULL, NULL, "timestamp,index,utilization.gpu,power.draw,memory.used",
        "name, timestamp, pstate, clocks_event_reasons.active, utilization.gpu [%]"};
    static const unsigned many[] = {0, 2, 3, 8};
    struct paths_log l = {.p = text, .fd = file};
    size_t sizes[CUTS];
    unsigned options, parts;
    if (size < HEAD || size - HEAD >= ROOM)
        return 0;
    options = data[HEAD - 1];
    state = fuzz_hash(data, HEAD);
    l.format = formats[data[0] % formats_n];
    l.gpu_count = (int)(options & 7);
    l.columns = lists[options >> 3 & 3];
    l.phases = options >> 5 & 1 ? &phases : NULL;
    parts = many[options >> 6];
    l.n = make((const char *)data + HEAD, size - HEAD, parts > 0);
    make_sizes(data + 1, sizes);
    seen[l.format].logs++;
    if (parts && (ftruncate(file, 0) || pwrite(file, text, l.n, 0) != (ssize_t)l.n))
        fuzz_stop("no file");
    compare(&l, data[0] / (unsigned)formats_n, sizes, parts);
    return 0;
}
