/* reader.c - any bytes as a log of the format that $FUZZ_FORMAT names (as --input-format does; of several,
 * with commas in between, the first byte says which); of none: the format is told by the bytes.
 *
 * Input: 8 bytes that say how the rest is cut into pieces, 1 byte of options (bits 0-2 --gpu-count, 3-4 a
 * list for --input-columns, 5 a later piece of a stream, 6 unused, 7 the text of --columns-from and a NUL
 * stand in front of the log, if it is gpu-csv), then the log. In pieces and at once it must tell the same.
 * Most inputs are read into a sink that only remembers what it was told, which is quick; by their bytes,
 * others go another way: up to the aggregates, their text and the summary; through a file that is looked at
 * from its two ends; or the format is told by the bytes after all. */
#include "fuzz.h"

#include "summary/findings.h"
#include "aggregate/ingest.h"
#include "summary/merge_queue.h"
#include "../unit/rows_each.h"

#include <sanitizer/asan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CUTS = 8, HEAD = CUTS + 1, ONE_STEP = 128, ROOM = 1 << 20, GAP = 32, PEEK = 512, MAP = 128 };

struct input {
    int format;
    const uint8_t *cuts;
    unsigned options;
    const char *map; /* --columns-from, or NULL */
    const char *p;
    size_t n;
};

static int formats[SMI_FMT_COUNT];
static size_t formats_n;
static char
    *room; /* pieces are lent from here: nothing in front of and behind them may be looked at, nor later */
static size_t used;
static int file = -1;
static char *many; /* more columns than can be */

static const char *const lists[] = {
    NULL, "timestamp,index,utilization.gpu,power.draw,memory.used",
    "name, timestamp, pstate, clocks_event_reasons.active, utilization.gpu [%]"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    formats_n = fuzz_formats(formats);
    room = aligned_alloc(GAP, ROOM);
    many = malloc(8192);
    file = memfd_create("log", 0);
    if (!room || !many || file < 0)
        fuzz_stop("no memory");
    memset(many, ',', 8191);
    many[8191] = 0;
    ASAN_POISON_MEMORY_REGION(room, ROOM);
    return 0;
}

/* ---- a sink that remembers what it was told ---- */

struct told {
    struct smi_sink sink;
    uint64_t hash;
    bool timed;
    int64_t first_ms, last_ms;
    int rc;
    struct smi_err err;
};

static void mix(struct told *t, uint64_t v)
{
    t->hash = (t->hash ^ v) * 1099511628211u;
    t->hash ^= t->hash >> 29;
}

static int take(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct told *t = (struct told *)self;
    (void)err;
    if (s->timed && !t->timed)
        t->first_ms = s->t_ms;
    if (s->timed)
        t->last_ms = s->t_ms;
    t->timed |= s->timed;
    mix(t, (uint64_t)s->t_ms * s->timed);
    mix(t, (uint64_t)s->who * 4 + s->timed * 2u + s->fine);
    for (unsigned i = 0; i < s->n; i++) {
        mix(t, s->metric[i]);
        mix(t, (uint64_t)s->v[i]);
    }
    if (s->process) {
        mix(t, (uint64_t)s->process->pid * 8 + s->process->types);
        mix(t, (uint64_t)s->process->life_ms * 2 + s->process->none);
        for (size_t i = 0; i < s->process->name.n; i++)
            mix(t, (unsigned char)s->process->name.p[i]);
    }
    return 0;
}

static int mark(struct smi_sink *self, const struct smi_mark *m, struct smi_err *err)
{
    struct told *t = (struct told *)self;
    (void)err;
    mix(t, (uint64_t)m->kind + (uint64_t)m->t_us * 4 + (uint64_t)m->span_us * 64);
    for (size_t i = 0; m->kind != SMI_MARK_BREAK && i < m->name.n; i++)
        mix(t, (unsigned char)m->name.p[i]);
    for (unsigned i = 0; i < m->fields; i++)
        mix(t, (uint64_t)m->field[i].micro + m->field[i].text.n);
    return 0;
}

static int rows(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return rows_each(r, take, self, err);
}

/* ---- reading ---- */

static const char *columns_of(const struct input *in)
{
    unsigned which = in->options >> 3 & 3;
    if (in->map)
        return in->map;
    return which < 3 ? lists[which] : many;
}

/* Takes the text of --columns-from off the front, as smi_column_map_load gives it. */
static void take_map(struct input *in)
{
    static char text[PEEK + 2];
    const char *nul = memchr(in->p, 0, in->n < PEEK ? in->n : PEEK);
    size_t n = nul ? (size_t)(nul - in->p) : 0;
    if (!nul || in->format != SMI_FMT_GPU_CSV || !smi_text_is_utf8((struct smi_text){in->p, n}))
        return;
    *text = '\n';
    memcpy(text + 1, in->p, n + 1);
    in->map = text;
    in->p += n + 1;
    in->n -= n + 1;
}

/* The i-th piece: 0 to 127 bytes, or a multiple of 64 up to 8 KiB. */
static size_t length(const uint8_t *cuts, size_t i)
{
    uint8_t c = cuts[i % CUTS];
    return c < ONE_STEP ? c : (size_t)(c - ONE_STEP + 1) * 64;
}

static int feed_piece(struct smi_ingest *to, const char *p, size_t n, struct smi_err *err)
{
    size_t whole = (n + GAP - 1) / GAP * GAP + GAP;
    char *piece;
    int rc;
    if (whole > ROOM - used)
        used = 0;
    piece = room + used;
    used += whole;
    ASAN_UNPOISON_MEMORY_REGION(piece, n);
    memcpy(piece, p, n);
    rc = smi_ingest_feed(to, piece, n, err);
    ASAN_POISON_MEMORY_REGION(piece, whole);
    return rc;
}

static int feed(struct smi_ingest *to, const struct input *in, struct smi_err *err)
{
    const char *p = in->p;
    size_t n = in->n, empty = 0, some;
    for (size_t i = 0; n; i++, p += some, n -= some) {
        some = in->cuts ? length(in->cuts, i) : n;
        empty = some ? 0 : empty + 1;
        if (some > n || empty > CUTS)
            some = n;
        if (feed_piece(to, p, some, err))
            return -1;
    }
    return smi_ingest_finish(to, err);
}

static struct smi_ingest *open_input(const struct input *in, struct smi_account *a, struct smi_devices *d,
                                     struct smi_sink *to)
{
    const struct smi_ingest_opts o = {.format = in->format,
                                      .gpu_count = (int)(in->options & 7),
                                      .columns = columns_of(in),
                                      .later = in->options >> 5 & 1,
                                      .account = a,
                                      .devices = d,
                                      .to = to};
    return smi_ingest_open(&o);
}

/* A hash of what the sink was told, of how it ended, and of the account. */
static struct told quick(const struct input *in)
{
    struct told t = {.sink = {.rows = rows, .mark = mark}};
    struct smi_account a = {0};
    struct smi_devices devices = {0};
    struct smi_ingest *to = open_input(in, &a, &devices, &t.sink);
    t.rc = feed(to, in, &t.err);
    if (t.rc && !t.err.text[0])
        fuzz_stop("refused without a sentence");
    mix(&t, (uint64_t)t.rc);
    mix(&t, (uint64_t)t.err.code * 16 + (uint64_t)smi_ingest_format(to));
    mix(&t, (uint64_t)(a.lines * 3 + a.header * 5 + a.rows * 7 + a.blank * 11 + a.messages * 13 +
                       smi_account_rejected(&a) * 17 + (int64_t)a.problems * 19 + (int64_t)devices.n * 23));
    smi_ingest_close(to);
    smi_account_fini(&a);
    smi_devices_fini(&devices);
    return t;
}

/* ---- all the way ---- */

struct result {
    int rc, format;
    struct smi_err err;
    struct smi_buf text; /* the part as a partial summary: every count, sum and edge of it */
};

static const struct smi_options options = {.idle_below = 1000000};

static int read_part(struct smi_input_stats *part, const struct input *in, struct result *r)
{
    struct smi_ingest *to;
    int rc;
    part->opts = (struct smi_device_stats_opts){.idle_below = options.idle_below};
    to = open_input(in, &part->account, &part->devices, &part->sink);
    rc = feed(to, in, &r->err);
    r->format = smi_ingest_format(to);
    if (r->format >= 0)
        part->format = r->format;
    part->base = smi_ingest_base(to);
    for (size_t i = 0; i < part->devices.n; i++)
        part->keyed |= part->devices.list[i].ordinal < 0;
    smi_ingest_close(to);
    return rc;
}

static void write_part(struct smi_input_stats *part, struct result *r)
{
    struct smi_run run = {.part = &part, .parts = 1, .name = "fuzz"};
    smi_partial_write(&r->text, &run, &options);
}

static int close_part(struct smi_input_stats *part)
{
    const struct smi_account *a = &part->account;
    smi_input_stats_close(part);
    if (a->lines != a->header + a->rows + a->duplicates + a->blank + a->messages + smi_account_rejected(a))
        fuzz_stop("the account does not add up");
    return 0;
}

/* The summary of a run of this one part, which is given away. */
static int build(struct smi_input_stats *part, struct smi_err *err)
{
    struct smi_run run = {0};
    struct smi_summary s = {0};
    int rc;
    smi_runlog_merge(&run.log, &part->log);
    smi_run_add_part(&run, part);
    rc = smi_run_build(&s, &run, &options, err);
    smi_summary_fini(&s);
    smi_run_fini(&run);
    return rc;
}

/* summary: to the end; else the part is closed as the last one of its stream. */
static struct result all_the_way(const struct input *in, bool summary)
{
    struct result r = {.format = -1};
    struct smi_input_stats *part = smi_input_stats_new("fuzz", in->format < 0 ? SMI_FMT_QUERY : in->format);
    r.rc = read_part(part, in, &r);
    if (r.rc == 0)
        write_part(part, &r);
    if (r.rc == 0 && summary) {
        r.rc = build(part, &r.err);
        return r;
    }
    if (r.rc == 0)
        r.rc = close_part(part);
    smi_input_stats_free(part);
    return r;
}

static bool same_text(const struct smi_buf *a, const struct smi_buf *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

static bool same_end(const struct result *a, const struct result *b)
{
    return a->rc == b->rc && a->format == b->format && a->err.code == b->err.code;
}

/* Where two texts part, for the report. */
static void check_same(const struct result *a, const struct result *b)
{
    size_t i = 0;
    if (!same_end(a, b) || strcmp(a->err.text, b->err.text)) {
        fprintf(stderr, "pieces: %d %s\nat once: %d %s\n", a->rc, a->err.text, b->rc, b->err.text);
        fuzz_stop("pieces and all at once do not end the same");
    }
    if (same_text(&a->text, &b->text))
        return;
    while (i < a->text.n && i < b->text.n && a->text.p[i] == b->text.p[i])
        i++;
    i = i > 60 ? i - 60 : 0;
    fprintf(stderr, "pieces: ...%.160s\nat once: ...%.160s\n", a->text.p + (i < a->text.n ? i : a->text.n),
            b->text.p + (i < b->text.n ? i : b->text.n));
    fuzz_stop("pieces and all at once do not tell the same");
}

/* ---- peeking ---- */

struct ends {
    int rc;
    int64_t first_ms, last_ms;
    struct smi_err err;
};

/* The rows as they come from the reader itself: those without a device may wait for a later one. */
static struct told rows_of(const struct input *in)
{
    struct told t = {.sink = {.rows = rows, .mark = mark}};
    struct smi_account a = {0};
    struct smi_devices devices = {0};
    const struct smi_read_opts o = {.account = &a, .devices = &devices, .columns = columns_of(in)};
    struct smi_reader *r = smi_reader_open(smi_formats[in->format], &o, &t.err);
    t.rc = r ? smi_reader_feed(r, in->p, in->n, &t.sink, &t.err) : -1;
    if (t.rc == 0)
        t.rc = smi_reader_settle(r, &t.sink, &t.err);
    if (r)
        smi_reader_close(r);
    smi_account_fini(&a);
    smi_devices_fini(&devices);
    return t;
}

static struct ends peek(const struct input *in, int64_t size)
{
    const struct smi_file_view log = {.fd = file, .name = "log", .n = size};
    const struct smi_ingest_opts o = {.format = in->format, .columns = columns_of(in)};
    struct smi_time_range_probe g = {0};
    struct ends e = {0};
    smi_time_range_probe(&g, &log, &o, true);
    e.rc = g.timed;
    e.first_ms = g.first_ms;
    e.last_ms = g.last_ms;
    return e;
}

/* The log several times over, so that its two ends are looked at without what lies between. */
static int64_t write_file(const struct input *in, uint64_t times)
{
    int64_t size = 0;
    if (ftruncate(file, 0))
        fuzz_stop("no file");
    for (uint64_t i = 0; i < times; i++) {
        if (pwrite(file, in->p, in->n, size) != (ssize_t)in->n)
            fuzz_stop("no file");
        size += (int64_t)in->n;
    }
    return size;
}

static void check_peek(struct input in, uint64_t hash)
{
    struct ends e;
    int64_t size;
    if (in.format < 0) {
        struct smi_detect why;
        in.format = smi_detect(in.p, in.n, true, &why);
    }
    if (in.format < 0)
        return;
    size = write_file(&in, hash & 3 ? 1 : 1 + hash / 4 % 16);
    e = peek(&in, size);
    if (e.rc < 0 && !e.err.text[0])
        fuzz_stop("refused without a sentence");
    if (e.rc == 1 && size == (int64_t)in.n && size <= PEEK) {
        const struct told t = rows_of(&in);
        if (t.rc || !t.timed || t.first_ms != e.first_ms || t.last_ms != e.last_ms)
            fuzz_stop("the file's ends are not those of its rows");
    }
}

/* ---- the ways ---- */

static void check_quick(const struct input *in, const struct input *whole)
{
    if (quick(in).hash != quick(whole).hash)
        fuzz_stop("pieces and all at once do not tell the same");
}

static void check_all(const struct input *in, const struct input *whole)
{
    struct result a = all_the_way(in, false), b = all_the_way(whole, true);
    check_same(&a, &b);
    smi_buf_fini(&a.text);
    smi_buf_fini(&b.text);
}

/* The sentence must be one that can be shown: UTF-8, without control bytes. */
static void check_why(int id, const struct smi_detect *why)
{
    size_t n = strnlen(why->why, sizeof why->why), step;
    if (n == sizeof why->why || (id < 0 && n == 0) || id >= SMI_FMT_COUNT)
        fuzz_stop("smi_detect: no sentence, or one without an end");
    for (size_t i = 0; i < n; i += step) {
        step = smi_text_utf8(why->why + i, n - i);
        if (!step || (unsigned char)why->why[i] < ' ')
            fuzz_stop("smi_detect: the sentence is not safe to print");
    }
}

static void check_detect(const struct input *in)
{
    struct smi_detect why;
    for (int last = 0; last < 2; last++) {
        int id = smi_detect(in->p, in->n, last, &why);
        check_why(id, &why);
        if (id >= 0 &&
            smi_detect_is_quoted(in->p, in->n, id, why.bare, *why.columns ? why.columns : NULL) < 0)
            fuzz_stop("smi_detect_is_quoted: no memory");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = {.format = -1, .cuts = data}, whole;
    uint64_t hash = fuzz_hash(data, size), way = hash % 64;
    if (size < HEAD)
        return 0;
    if (formats_n)
        in.format = formats[data[0] % formats_n];
    hash /= 64;
    if (hash % 8 == 0)
        in.format = -1;
    hash /= 8;
    in.options = data[CUTS];
    in.p = (const char *)data + HEAD;
    in.n = size - HEAD;
    if (in.options & MAP)
        take_map(&in);
    whole = in;
    whole.cuts = NULL;
    whole.options ^= 64;
    if (in.format < 0)
        check_detect(&in);
    if (way == 0)
        check_all(&in, &whole);
    else if (way <= 2)
        check_peek(in, hash);
    else
        check_quick(&in, &whole);
    return 0;
}
