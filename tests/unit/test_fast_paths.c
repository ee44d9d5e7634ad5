/* test_fast_paths.c - the fast path of a reader tells what its general path tells: of plain rows and of
 * mutated ones, in pieces of any size. SMILOG_ROWS=N: so many rows
 * (30,000); SMILOG_SEED=S; SMILOG_DUMP=FILE: the log that fails is left there. */
#include "../read_paths.h"
#include "rows_each.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 48 /* of a log */, PIECES = 8 };

/* ---- chance ---- */

static uint64_t state = 1;

static uint64_t draw(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static int below(int n)
{
    return (int)(draw() % (uint64_t)n);
}

/* ---- what a reader tells ---- */

struct told {
    struct smi_sink sink;
    uint64_t hash;
    int64_t rows, in_blocks;
};

static void mix(struct told *t, const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        t->hash = (t->hash ^ b[i]) * 1099511628211u;
    t->hash ^= t->hash >> 29;
}

static void mix_int(struct told *t, int64_t v)
{
    mix(t, &v, sizeof v);
}

static void mix_text(struct told *t, struct smi_text s)
{
    mix_int(t, (int64_t)s.n);
    if (s.n)
        mix(t, s.p, s.n);
}

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct told *t = (struct told *)self;
    (void)err;
    t->rows++;
    mix_int(t, s->timed ? s->t_ms : -1);
    mix_int(t, s->fine * 2 + s->timed);
    mix_int(t, s->who);
    mix(t, s->metric, s->n * sizeof *s->metric);
    mix(t, s->v, s->n * sizeof *s->v);
    return 0;
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    ((struct told *)self)->in_blocks += paths_are_fast(r) ? r->n : 0;
    return rows_each(r, take, self, err);
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct told *t = (struct told *)self;
    (void)err;
    t->rows++;
    mix_int(t, (int64_t)m->kind);
    mix_int(t, m->t_us);
    mix_int(t, m->span_us);
    mix_text(t, m->name);
    for (unsigned i = 0; i < m->fields; i++) {
        const struct smi_field *f = &m->field[i];
        mix_text(t, f->key);
        mix_text(t, f->text);
        mix_int(t, f->number ? f->micro : 0);
        mix_int(t, f->number * 4 + f->in_data * 2 + f->quoted);
    }
    return 0;
}

/* Reads the log in pieces of `size` bytes; 0: of all sizes up to 200. */
static struct told play(int format, const char *p, size_t n, size_t size)
{
    struct told t = {.sink = {.rows = rows, .mark = mark}};
    struct smi_account a = {0};
    struct smi_devices d = {0};
    struct smi_err err = {0};
    const struct smi_read_opts o = {.account = &a, .devices = &d};
    struct smi_reader *r = smi_reader_open(smi_formats[format], &o, &err);
    assert_non_null(r);
    while (n) {
        size_t some = size ? size : (size_t)below(200) + 1;
        char *piece;
        some = some < n ? some : n;
        piece = malloc(some); /* to its last byte, for a sanitizer */
        assert_non_null(piece);
        memcpy(piece, p, some);
        assert_int_equal(smi_reader_feed(r, piece, some, &t.sink, &err), 0);
        free(piece);
        p += some;
        n -= some;
    }
    assert_int_equal(smi_reader_finish(r, &t.sink, &err), 0);
    for (size_t i = 0; i < d.n; i++)
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            mix_text(&t, smi_text_of(d.list[i].key[k] ? d.list[i].key[k] : ""));
    mix_int(&t, a.lines);
    mix_int(&t, a.header);
    mix_int(&t, a.blank);
    mix_int(&t, a.messages);
    mix_int(&t, a.cells_missing);
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        mix_int(&t, a.rejected[i]);
    for (size_t i = 0; i < a.problems; i++) {
        mix_int(&t, a.problem[i].line);
        mix_text(&t, smi_text_of(a.problem[i].text));
    }
    smi_reader_close(r);
    smi_account_fini(&a);
    smi_devices_fini(&d);
    return t;
}

/* ---- logs ---- */

static int decimal(char *to, int most, int decimals)
{
    int v = below(most);
    return decimals ? sprintf(to, "%d.%0*d", v, decimals, below(decimals == 1 ? 10 : 100))
                    : sprintf(to, "%d", v);
}

static int query_bare(char *to, int i)
{
    int n = sprintf(to, "2026/07/03 22:%02d:%02d.%03d, %d, %d, %d, 81559, ", 11 + i / 60, i % 60, below(1000),
                    below(101), below(60), 500 + below(80000));
    n += decimal(to + n, 700, 2);
    return n + sprintf(to + n, ", %d, %d, 2619\n", 30 + below(50), 345 + below(1600));
}

static int query_units(char *to, int i)
{
    int n = sprintf(to, "%d, GPU-%d, 2026/07/03 22:11:%02d.%03d, %d %%, %d MiB, ", i & 1, i & 1, i % 60,
                    below(1000), below(101), below(80000));
    n += decimal(to + n, 700, 2);
    return n + sprintf(to + n, " W, P%d, 0x%016x, [N/A]\n", below(10), below(512));
}

/* A number comes first: in front of it there is no separator. */
static int query_number(char *to, int i)
{
    int n = sprintf(to, "%d, %d %%, 2026/07/03 22:11:%02d.%03d, ", 30 + below(60), below(101), i % 60,
                    below(1000));
    n += decimal(to + n, 700, 2);
    return n + sprintf(to + n, "\n");
}

static int query_states(char *to, int i)
{
    static const char *const active[] = {"Active", "Not Active"};
    return sprintf(to, "2026/07/03 22:11:%02d.%03d, 00000000:%02d:00.0, NVIDIA H100, %s, %s, %d\n", i % 60,
                   below(1000), i & 1, active[below(2)], active[below(2)], below(101));
}

static int dmon(char *to, int i)
{
    return sprintf(to, "%5d %6d %6d %6s %6d %6d \n", i & 1, below(80000), below(9), below(40) ? "-" : "5",
                   below(101), below(101));
}

static int dmon_timed(char *to, int i)
{
    return sprintf(to, " 20260816  09:22:%02d %5d %6d %6d %6s\n", i % 60, i & 1, below(700), below(90), "-");
}

/* GPU indices with one last digit, more bytes and columns than one group of lanes has, and a cell of more
 * than eight. */
static int dmon_wide(char *to, int i)
{
    int n = sprintf(to, "%5d", i % 12);
    for (int k = 0; k < 10; k++)
        n += sprintf(to + n, " %6d", below(k == 8 ? 80000 : 101));
    return n + sprintf(to + n, " %10d \n", below(60));
}

/* Eight numbers with units: more than 64 bytes. */
static int query_far(char *to, int i)
{
    int n = sprintf(to, "2026/07/03 22:11:%02d.%03d, %d %%, %d MiB, 81559 MiB, ", i % 60, below(1000),
                    below(101), 500 + below(80000));
    n += decimal(to + n, 700, 2);
    return n + sprintf(to + n, " W, %d, %d MHz, 2619 MHz, 700.00 W\n", 30 + below(50), 345 + below(1600));
}

/* A digit, the point and six more fill a word. */
static int query_fine(char *to, int i)
{
    return sprintf(to, "2026/07/03 22:11:%02d.%03d,%d.%06d,%d\n", i % 60, below(1000), below(10),
                   below(1000000), 30 + below(50));
}

static int cpu(char *to, int i)
{
    int n = sprintf(to, "2026-07-03T22:%02d:%02d.%03d+00:00,", 11 + i / 60, i % 60, below(1000));
    n += decimal(to + n, 100, 1);
    to[n++] = ',';
    n += decimal(to + n, 100, 1);
    to[n++] = '\n';
    return n;
}

static int process(char *to, int i)
{
    int n = sprintf(to, "2026-07-03T22:%02d:%02d.%03d+00:00,", 11 + i / 60, i % 60, below(1000));
    n += decimal(to + n, 900, 1);
    return n + sprintf(to + n, ",note,%d,%d.%d\n", below(64), below(80000), below(10));
}

static const struct log {
    int format;
    const char *header;
    int (*row)(char *to, int i);
    const char *words[8]; /* what a mutation puts in */
} logs[] = {
    {SMI_FMT_QUERY,
     "",
     query_bare,
     {", ", "[N/A]", "2026/07/03 22:12:00.000", "-1", "1e3", "99999999999", "[Unknown Error]", "\""}},
    {SMI_FMT_QUERY,
     "index, uuid, timestamp, utilization.gpu [%], memory.used [MiB], power.draw [W], pstate, "
     "clocks_throttle_reasons.active, temperature.memory\n",
     query_units,
     {" %", " MiB", "P88888888888", "0xFFFFFFFFFFFFFFFFFF", "GPU is lost", "N/A", "00", "[Not Supported]"}},
    {SMI_FMT_QUERY,
     "timestamp, pci.bus_id, name, clocks_throttle_reasons.sw_power_cap, clocks_throttle_reasons.gpu_idle, "
     "utilization.gpu [%]\n",
     query_states,
     {"Active", "Not ", "[N/A]", "\"NVIDIA, H100\"", " %", "2026/07/03 23:59:60.000", "0000", "NVIDIA A100"}},
    {SMI_FMT_DMON,
     "# gpu     fb   bar1  mtemp     sm    mem \n# Idx     MB     MB      C      %      % \n",
     dmon,
     {"-", "# gpu     fb   bar1  mtemp     sm    mem \n", "00", "01", "  ", "2147483648", "\t", "0.5"}},
    {SMI_FMT_DMON,
     "#Date       Time        gpu    pwr  gtemp  mtemp\n#YYYYMMDD   HH:MM:SS     Idx      W      C      C\n",
     dmon_timed,
     {"20260817", "24:00:00", "-", "00", "  ", "\t", "#", "99999999999"}},
    {SMI_FMT_QUERY,
     "temperature.gpu, utilization.gpu [%], timestamp, power.draw [W]\n",
     query_number,
     {" %", " W", "[N/A]", "\r", "-1", "99999999999", "N/A", "\""}},
    {SMI_FMT_CPU,
     "timestamp,usr_pct,idle_pct\n",
     cpu,
     {"\r", "Z", "+02:00", ",", "nan", " ", "1e1", "22:59:60"}},
    {SMI_FMT_PROCS,
     "timestamp,tree_cpu_pct,what,tree_procs,tree_ram_mib\n",
     process,
     {"\r", "Z", "+02:00", ",", "nan", "\"", "1e1", "22:59:60"}},
    {SMI_FMT_DMON,
     "# gpu    pwr  gtemp  mtemp     sm    mem    enc    dec    jpg     fb   mclk       pclk \n"
     "# Idx      W      C      C      %      %      %      %      %     MB    MHz        MHz \n",
     dmon_wide,
     {"-", "00", "11", " ", "2147483648", "\t", "100000000", "0.5"}},
    {SMI_FMT_QUERY,
     "timestamp, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W], "
     "temperature.gpu, "
     "clocks.current.sm [MHz], clocks.current.memory [MHz], enforced.power.limit [W]\n",
     query_far,
     {" %", " MiB", " W", "[N/A]", "\r", "00000000", "                    ", ", "}},
    {SMI_FMT_QUERY,
     "timestamp,power.draw [W],temperature.gpu\n",
     query_fine,
     {" .123456", ".12345655555555", "garbage!", ",", "0", " ", "-", "[N/A]"}},
};

/* Some bytes of the row are others, more, or fewer. */
static size_t mutate(char *row, size_t n, const struct log *l)
{
    for (int times = 1 + below(3); times && n > 1; times--) {
        size_t at = (size_t)below((int)n);
        const char *w = l->words[below(8)];
        switch (below(5)) {
        case 0:
            row[at] = (char)draw();
            break;
        case 1:
            row[at] = "0123456789 ,.-%:\r\n\t"[below(19)];
            break;
        case 2:
            memmove(row + at, row + at + 1, --n - at);
            break;
        case 3:
            memset(row + at, below(2) ? 0 : row[at], n - at < 17 ? n - at : 17);
            break;
        default:
            memmove(row + at + strlen(w), row + at, n - at);
            memcpy(row + at, w, strlen(w));
            n += strlen(w);
        }
    }
    return n;
}

static size_t make(char *text, const struct log *l, bool broken)
{
    size_t n = (size_t)sprintf(text, "%s", l->header);
    for (int i = 0; i < ROWS; i++) {
        size_t row = (size_t)l->row(text + n, i);
        n += broken && below(2) ? mutate(text + n, row, l) : row;
    }
    return n;
}

static void differ(const struct log *l, size_t size, const char *text, size_t n)
{
    const char *dump = getenv("SMILOG_DUMP");
    FILE *f = dump ? fopen(dump, "wb") : NULL;
    if (f) {
        fwrite(text, 1, n, f);
        fclose(f);
    }
    fail_msg("%s, in pieces of %zu bytes: not what the general path tells (SMILOG_DUMP=FILE keeps the log)",
             smi_format_infos[l->format].name, size);
}

static void compare(const struct log *l, const char *text, size_t n, int64_t *taken, int64_t *all)
{
    struct told want = play(l->format, text, n, PATHS_GENERAL), got;
    assert_int_equal(want.in_blocks, 0);
    for (int piece = 0; piece <= PIECES; piece++) {
        size_t size = piece == 0 ? n : piece == 1 ? 0 : (size_t)below((int)n) + 1;
        got = play(l->format, text, n, size);
        if (got.hash != want.hash)
            differ(l, size, text, n);
        if (piece == 0) {
            *taken += got.in_blocks;
            *all += got.rows;
        }
    }
}

static void paths_agree(void **unused)
{
    static char text[1 << 16];
    const char *env = getenv("SMILOG_ROWS");
    int64_t want = env ? atoll(env) : 30000, done = 0;
    int64_t taken[sizeof logs / sizeof *logs] = {0}, all[sizeof logs / sizeof *logs] = {0};
    (void)unused;
    if (getenv("SMILOG_SEED"))
        state = (uint64_t)atoll(getenv("SMILOG_SEED"));
    for (int broken = 0; done<want; broken = below(4)> 0)
        for (size_t i = 0; i < sizeof logs / sizeof *logs; i++, done += ROWS)
            compare(&logs[i], text, make(text, &logs[i], broken), &taken[i], &all[i]);
    printf("%" PRId64 " rows; taken by the fast path of those that were read:\n", done);
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        printf("  %-18s %3.0f %%\n", smi_format_infos[logs[i].format].name,
               100.0 * (double)taken[i] / (double)all[i]);
        assert_true(taken[i] * 10 >= all[i] * 3);
    }
}

/* Found by fuzzing: what the fast path once took for something else. */
static void paths_agree_on(void **unused)
{
    static const struct {
        size_t log;
        const char *row;
        size_t n;
    } odd[] = {
        {3, "\r\n    1    100      3      -     50     40 \n", 0},
        {0,
         "2026/07/03 22:11:38.198, 59, 46, 29111, 81559, 490.05, 62, 1618, 2619\n"
         "2026/07/03 22:11:39.805, 65, 15, 69611, 81559, 40184, 61, .91999999999995, 2619\n"
         "2026/07/03 22:11:46.686, 61, 50, 60321, 81559, 659.86, 41, 1047, 2619\n"
         "2026/07/03 22:11:47.869, 70, 1, 69667, 81559, 53.85, 61, 1467, 2619\n",
         0},
        {1,
         "0, GPU-0, 2026/07/03 22:11:00.000, 1 %, 1 MiB, 1.00 W, P88888888888, 0x0000000000000000, [N/A]\n",
         0},
        {3, "   00     10      1      -      1      1 \n    0     10      1      -      1      1 \n", 0},
        {3, "    0     10      1      -      1\1     1 \n    0     10      1      -      1     \1\1 \n", 0},
        {6, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\00043.955+00:00,39.4,58.0\n", 40},
    };
    static char text[1 << 16];
    int64_t taken = 0, all = 0;
    (void)unused;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (int again = 0; again < 2; again++) { /* at the beginning and at the end of the rows */
            const struct log *l = &logs[odd[i].log];
            size_t n, row = odd[i].n ? odd[i].n : strlen(odd[i].row), head = strlen(l->header);
            n = make(text, l, false);
            memmove(text + (again ? n : head) + row, text + (again ? n : head), again ? 0 : n - head);
            memcpy(text + (again ? n : head), odd[i].row, row);
            compare(l, text, n + row, &taken, &all);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_agree_on),
        cmocka_unit_test(paths_agree),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
