/* lines.c - from bytes to lines: cut anywhere, and without what stands in front of them; and what the lines
 * say that are messages. */
#include "formats/row_engine.h"
#include "base/json.h"
#include "base/mem.h"
#include "formats/format.h"
#include "formats/json_line.h"

enum { DATE_TIME = 19, MONTH_DAY = 7 /* bytes in front of the time of day */, TIME = 8 };

/* Does t begin with a time as "2026-07-03T10:00:00" is? */
static bool is_dated(struct smi_text t)
{
    return t.n > DATE_TIME && t.p[4] == '-' && t.p[7] == '-' && (t.p[10] == ' ' || t.p[10] == 'T') &&
           t.p[13] == ':';
}

/* Or as "Jul 03 10:00:00", which has no year? */
static bool has_month_day(struct smi_text t)
{
    static const char months[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec ";
    return t.n > MONTH_DAY + TIME && t.p[3] == ' ' && t.p[6] == ' ' && smi_is_digit(t.p[5]) &&
           memmem(months, sizeof months - 1, t.p, 4);
}

/* "node7 smi[12]: " of the journal, "stdout F " of a container. */
static struct smi_text skip_origin(struct smi_text t)
{
    struct smi_text rest = t, first = smi_text_word(&rest), next = smi_text_word(&rest);
    bool unit = next.n > 4 && memcmp(next.p + next.n - 2, "]:", 2) == 0 && memchr(next.p, '[', next.n);
    bool stream = (smi_text_is(first, "stdout") || smi_text_is(first, "stderr")) && smi_text_is(next, "F");
    return (unit || stream) && rest.n ? smi_text_from(rest, 1) : t;
}

/* A line of a CSV goes on with its next cell; a table begins and ends with a stroke. */
static bool is_line(struct smi_text rest)
{
    struct smi_text t = smi_text_trim(rest);
    return !t.n || !memchr(",;\t|", *t.p, 4) || (*t.p == '|' && t.n > 1 && t.p[t.n - 1] == '|');
}

static bool is_dockers(struct smi_text t)
{
    static const char open[] = "{\"log\":\"";
    return t.n > sizeof open && memcmp(t.p, open, sizeof open - 1) == 0;
}

/* {"log":"0, 28 %\n","stream":"stdout","time":"..."}: the text and the time. A text without its \n goes on in
 * the next one of its stream; until then the line is empty. */
static struct smi_text unwrap(struct smi_text *line, struct smi_docker *d)
{
    const struct smi_json_value *stream;
    struct smi_buf *part, last;
    struct smi_text t;
    bool whole;
    d->json = d->json || !is_dockers(*line) ? d->json : smi_mem_new(1, sizeof *d->json);
    if (!is_dockers(*line) || !smi_json_parse(*line, d->json) ||
        !(stream = SMI_JSON_GET(d->json->v, "stream")))
        return (struct smi_text){"", 0};
    part = &d->part[smi_text_is(smi_json_text_of(stream), "stderr")];
    t = smi_json_text_of(SMI_JSON_GET(d->json->v, "log"));
    whole = t.n && t.p[t.n - 1] == '\n';
    while (whole && t.n && memchr("\r\n", t.p[t.n - 1], 2))
        t.n--;
    *line = t;
    if (part->n || !whole) {
        smi_buf_add(part, t.p, part->n > SMI_LINE_MAX ? 0 : t.n);
        *line = (struct smi_text){"", 0};
    }
    if (part->n && whole) {
        last = d->line;
        d->line = *part;
        *part = last;
        smi_buf_clear(part);
        smi_buf_char(&d->line, '\n'); /* as behind any line */
        *line = (struct smi_text){d->line.p, d->line.n - 1};
    }
    return smi_json_text_of(SMI_JSON_GET(d->json->v, "time"));
}

void smi_docker_fini(struct smi_docker *d)
{
    smi_buf_fini(&d->part[0]);
    smi_buf_fini(&d->part[1]);
    smi_buf_fini(&d->line);
    smi_json_values_fini(d->json);
    smi_mem_free(d->json);
    d->json = NULL;
}

/* Is it a row, a header or a message that a machine may stand in front of? indented: blanks stand in front of
 * it, as in front of the rows of dmon. */
static bool is_labelled(struct smi_text t, bool indented)
{
    enum { NAMES = 64 };
    struct smi_text cell[NAMES + 1];
    const bool comma = t.n && memchr(t.p, ',', t.n);
    size_t n, numbers = 0;
    if (!comma || smi_is_digit(*t.p))
        return comma || (t.n && (*t.p == '#' || (indented && smi_text_span(t, "0123456789.-: \t") == t.n) ||
                                 smi_message_is_known(t)));
    n = smi_row_split(t, SMI_SPLIT_QUOTES, cell, NAMES);
    for (size_t i = 0; i < n && i < NAMES; i++)
        numbers += cell[i].n && smi_is_digit(*cell[i].p);
    return (n > 1 && n <= NAMES && 2 * numbers >= n) || (n <= NAMES && smi_query_is_header(cell, n)) ||
           smi_format_gpu_csv.sniff(t) == SMI_SNIFF_YES || is_dated(t);
}

/* Cuts off the machine in front of a line. */
static struct smi_text cut_host(struct smi_text *line)
{
    enum { HOST = 256 };
    const char *end = line->n ? memchr(line->p, ' ', line->n < HOST ? line->n : HOST) : NULL;
    struct smi_text rest, host, bar;
    bool pod, colon, compose, indented;
    if (!end || end == line->p)
        return (struct smi_text){"", 0};
    host = (struct smi_text){line->p, (size_t)(end - line->p)};
    bar = rest = smi_text_from(*line, host.n);
    pod = end[-1] == ']' && smi_text_starts_nocase(host, "[pod/");
    colon = host.n > 1 && end[-1] == ':';
    bar = smi_text_trim(bar);
    compose = !pod && !colon && bar.n > 1 && *bar.p == '|' && bar.p[1] == ' ';
    if (!pod && !colon && !compose)
        return (struct smi_text){"", 0};
    rest = compose ? smi_text_from(bar, 1) : rest;
    indented = rest.n > 1 && rest.p[0] == ' ' && rest.p[1] == ' ';
    rest = smi_text_trim(rest);
    for (size_t i = 0; i < host.n && !pod; i++)
        if (memchr("\"'{[(<,=|", host.p[i], 9))
            return (struct smi_text){"", 0};
    if (!is_labelled(rest, indented) || smi_message_is_known(*line))
        return (struct smi_text){"", 0};
    *line = rest;
    return (struct smi_text){host.p + pod, host.n - (pod ? 2 : colon)};
}

/* The time in front of a line. */
static struct smi_text cut_time(struct smi_text *line)
{
    static const struct smi_text none = {"", 0};
    struct smi_stamp at;
    const size_t open = line->n > DATE_TIME && *line->p == '[';
    const struct smi_text t = smi_text_from(*line, open);
    const bool dated = is_dated(t), month = !dated && !open && has_month_day(t);
    const size_t from = month ? MONTH_DAY : 0, least = from + (month ? TIME : DATE_TIME);
    const char *end = dated || month ? memchr(t.p + least, open ? ']' : ' ', t.n - least) : NULL;
    struct smi_text time, rest;
    if (!end)
        return none;
    end += dated && !open ? smi_stamp_zone(smi_text_between(end, t.p + t.n)) : 0;
    time = smi_text_between(t.p + from, end);
    rest = smi_text_between(end + open, t.p + t.n);
    if (!rest.n || *rest.p != ' ' || !is_line(smi_text_from(rest, 1)) || memchr(time.p, ',', time.n) ||
        smi_stamp_read(&(struct smi_stamp_clock){0}, time, &at) || (!smi_text_trim(rest).n && !from) ||
        smi_stamp_read_line(&(struct smi_stamp_clock){0}, *line, &at) == 0)
        return none;
    *line = skip_origin(smi_text_from(rest, 1));
    return time;
}

struct smi_text smi_line_front_cut(struct smi_text *line, struct smi_text *host, struct smi_docker *docker)
{
    struct smi_text outer = {"", 0}, time;
    const char *cr;
    *host = outer;
    if (line->n && *line->p == '{')
        outer = unwrap(line, docker);
    if (line->n &&
        *line->p == '{') /* a blank of JSON is no CR of a progress bar, and in front of it is nothing */
        return outer;
    cr = line->n ? memrchr(line->p, '\r', line->n) : NULL;
    if (cr && cr + 1 < line->p + line->n && memchr(line->p, '|', (size_t)(cr - line->p))) /* of tqdm */
        *line = smi_text_from(*line, (size_t)(cr + 1 - line->p));
    *host = cut_host(line);
    time = cut_time(line);
    if (!host->n && time.n)
        *host = cut_host(line);
    return time.n ? time : outer;
}

/* A line may be one byte longer while it is kept: the CR before a LF that has not come yet. */
enum { HELD_MAX = SMI_LINE_MAX + 1, QUOTE = 256 };

struct smi_text smi_line_without_bom(struct smi_text t)
{
    return t.n >= 3 && memcmp(t.p, "\xEF\xBB\xBF", 3) == 0 ? smi_text_from(t, 3) : t;
}

static void warn_of_hole(struct smi_lines *l)
{
    if (l->hole)
        smi_account_warn(l->account, SMI_LOG_WARNING_OTHER,
                         "NUL bytes in front: the log was emptied while it was written to");
    l->hole = false;
}

/* PowerShell appends UTF-16 to any log: of its ASCII each second byte is 0, and so is the one in front of the
 * next line. */
static struct smi_text without_nuls(struct smi_lines *l, struct smi_text t)
{
    size_t from = !*t.p ? 1 : memcmp(t.p, "\xFF\xFE", 2) == 0 ? 2 : 0, n = 0;
    for (size_t i = from; i < t.n; i++)
        if ((t.p[i] == 0) != ((i - from) & 1))
            return t;
    smi_mem_reserve(&l->keep, &l->cap, t.n + 1, 1);
    for (size_t i = from; i < t.n; i += 2)
        l->keep[n++] = t.p[i];
    l->keep[n] = '\n';
    return (struct smi_text){l->keep, n};
}

/* Makes a whole line, still with its CR, one for the format. Returns false: it is none, and was counted. */
static bool clean_line(struct smi_lines *l, struct smi_text *line)
{
    struct smi_account *a = l->account;
    a->lines++;
    warn_of_hole(l);
    if (line->n > 3 && (!line->p[0] || !line->p[1] || !line->p[3]))
        *line = without_nuls(l, *line);
    if (line->n && line->p[line->n - 1] == '\r')
        line->n--;
    if (line->n <= SMI_LINE_MAX) {
        *line = smi_line_without_bom(*line);
        l->begun = true;
        if (!l->whole)
            l->front = smi_line_front_cut(line, &l->host, &l->docker);
        a->changes += l->docker.part[0].n || l->docker.part[1].n; /* a piece of the log may begin in a line */
    }
    if (line->n > SMI_LINE_MAX) { /* also of parts of docker */
        smi_account_reject(a, SMI_REJECT_TOO_LONG, *line);
        return false;
    }
    if (l->front.n && l->date)
        l->date(l, l->front);
    if (smi_text_trim(*line).n)
        return true;
    a->blank++;
    return false;
}

static void free_lines(struct smi_lines *l)
{
    smi_mem_free(l->keep);
    smi_mem_free(l->fields);
    l->keep = NULL;
    l->fields = NULL;
    l->kept = l->cap = 0;
    smi_docker_fini(&l->docker);
}

/* Bytes of a line whose end was not seen yet. Of one that is too long only the beginning is still needed, for
 * the quote; then the memory goes, and all up to the next LF. */
static void hold_line_begin(struct smi_lines *l, const char *p, size_t n)
{
    const bool fits = n <= HELD_MAX - l->kept;
    if (l->skipping || !n)
        return;
    n = fits || n < QUOTE ? n : QUOTE;
    smi_mem_reserve(&l->keep, &l->cap, l->kept + n + 1, 1);
    memcpy(l->keep + l->kept, p, n);
    l->kept += n;
    if (fits)
        return;
    l->skipping = l->begun = true;
    l->account->lines++;
    smi_account_reject(l->account, SMI_REJECT_TOO_LONG, (struct smi_text){l->keep, l->kept});
    free_lines(l);
}

/* Of a line of which these are the last bytes, all; false: it is too long, which was said. */
static bool join_line(struct smi_lines *l, struct smi_text *line)
{
    if (!l->kept && !l->skipping)
        return true;
    hold_line_begin(l, line->p, line->n);
    *line = (struct smi_text){l->keep, l->kept};
    l->kept = 0;
    if (l->skipping) {
        l->skipping = false;
        return false;
    }
    l->keep[line->n] = '\n'; /* no leftover of a longer line behind it: readers stop at what is no digit */
    return true;
}

/* Empty lines one behind the other: small packed files hold gigabytes of them. Returns what is behind them.
 */
static const char *skip_empty(struct smi_lines *l, const char *p, const char *end)
{
    const char *from = p;
    if (!l->begun || l->kept || l->skipping)
        return p;
    while (p < end && *p == '\n')
        p++;
    l->account->lines += p - from;
    l->account->blank += p - from;
    return p;
}

/* Parts of docker that do not go on. Their lines were blank until now. */
static void reject_parts(struct smi_lines *l)
{
    for (size_t i = 0; i < 2; i++) {
        struct smi_buf *part = &l->docker.part[i];
        if (part->n) {
            l->account->blank--;
            smi_account_reject(l->account, SMI_REJECT_TORN_TAIL, (struct smi_text){part->p, part->n});
        }
        smi_buf_clear(part);
    }
}

/* The end of the bytes: an unterminated line is a torn_tail, unless its format proves that it is whole. */
static void finish_lines(struct smi_lines *l)
{
    struct smi_text tail = smi_line_without_bom((struct smi_text){l->keep, l->kept}), bare = tail;
    bool long_one, whole;
    l->kept = 0;
    l->skipping = false;
    if (!tail.n || (tail.n == 1 && !*tail.p)) {
        reject_parts(l);
        warn_of_hole(l);
        return;
    }
    long_one = tail.n > SMI_LINE_MAX && tail.p[tail.n - 1] != '\r';
    bare.n -= tail.p[tail.n - 1] == '\r';
    whole = !l->whole && is_dockers(bare) && smi_json_is_whole(bare);
    if (!whole) {
        reject_parts(l);
        if (!l->whole)
            smi_line_front_cut(&bare, &l->host, &l->docker);
        whole =
            l->json ? smi_json_is_whole(bare) : l->format && l->format->whole && l->format->whole(l, bare);
    }
    if (!long_one && whole) {
        l->keep[tail.p + tail.n - l->keep] = '\n'; /* as behind any line */
        if (clean_line(l, &tail))
            l->line(l, tail);
        reject_parts(l);
        return;
    }
    l->account->lines++;
    smi_account_reject(l->account, long_one ? SMI_REJECT_TOO_LONG : SMI_REJECT_TORN_TAIL, tail);
}

bool smi_lines_on_base(struct smi_lines *l, enum smi_time_base base)
{
    if (l->base == SMI_TIME_BASE_NONE)
        l->base = base;
    return l->base == base;
}

/* ---- What all readers share: their struct smi_reader begins with a struct smi_lines ---- */

#define SMI_FORMAT(id, reader, rank, name, base, flags, help) [SMI_FMT_##id] = &smi_format_##reader,
const struct smi_format *const smi_formats[SMI_FMT_COUNT] = {
#include "model/format.def"
};
#undef SMI_FORMAT

struct smi_reader *smi_reader_open(const struct smi_format *f, const struct smi_read_opts *o,
                                   struct smi_err *err)
{
    struct smi_reader *r = smi_mem_new(1, f->size);
    struct smi_lines *l = (struct smi_lines *)r;
    l->format = f;
    l->account = o->account;
    l->devices = o->devices;
    l->begun = o->later;
    l->line = f->entry ? smi_json_only : f->line;
    l->rows = f->entry ? smi_json_rows : f->fast;
    l->whole = f->fronts;
    l->date = f->table ? smi_row_date : NULL;
    l->front = l->host = (struct smi_text){"", 0};
    if (f->entry) {
        l->json = smi_mem_new(1, sizeof *l->json);
        l->json->key = f->key;
    }
    if (f->table)
        smi_row_open((struct smi_row_reader *)r, f->table, o);
    if (!f->open || f->open(r, o, err) == 0)
        return r;
    smi_reader_close(r);
    return NULL;
}

/* A call begins: rows go to this sink, and what goes wrong to err. */
static struct smi_lines *begin_call(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = (struct smi_lines *)r;
    l->to = to;
    l->err = err;
    return l;
}

int smi_reader_feed(struct smi_reader *r, const char *p, size_t n, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = begin_call(r, to, err);
    const char *end = p + n, *lf;
    struct smi_text line;
    while (!l->failed && (p = skip_empty(l, p, end)) < end) {
        if (l->rows && l->begun && !l->kept && !l->skipping)
            p += l->rows(l, p, (size_t)(end - p));
        for (; p < end && !*p && !l->begun && !l->kept; p++)
            l->hole = true;
        lf = memchr(p, '\n', (size_t)(end - p));
        if (!lf) {
            hold_line_begin(l, p, (size_t)(end - p));
            break;
        }
        line = smi_text_between(p, lf);
        if (join_line(l, &line) && clean_line(l, &line))
            l->line(l, line);
        p = lf + 1;
    }
    l->front = l->host = (struct smi_text){"", 0}; /* they stand in these bytes */
    return smi_lines_flush(l);
}

int smi_reader_finish(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = begin_call(r, to, err);
    finish_lines(l);
    if (l->format->finish)
        l->format->finish(r);
    if (l->format->table)
        smi_row_finish((struct smi_row_reader *)r);
    return smi_lines_flush(l);
}

bool smi_reader_waits(const struct smi_reader *r)
{
    return ((const struct smi_lines *)r)->format->table && ((const struct smi_row_reader *)r)->order.asks;
}

int smi_reader_settle(struct smi_reader *r, struct smi_sink *to, struct smi_err *err)
{
    struct smi_lines *l = begin_call(r, to, err);
    if (smi_reader_waits(r))
        smi_row_order_settle((struct smi_row_reader *)r);
    return smi_lines_flush(l);
}

enum smi_time_base smi_reader_base(const struct smi_reader *r)
{
    const struct smi_lines *l = (const struct smi_lines *)r;
    int id = 0;
    while (smi_formats[id] != l->format)
        id++;
    return smi_format_infos[id].base == SMI_TIME_BASE_UTC && l->base < SMI_TIME_BASE_DAY ? SMI_TIME_BASE_UTC
                                                                                         : l->base;
}

void smi_reader_close(struct smi_reader *r)
{
    const struct smi_format *f = r ? ((struct smi_lines *)r)->format : NULL;
    if (!r)
        return;
    if (f->close)
        f->close(r);
    if (f->table)
        smi_row_close((struct smi_row_reader *)r);
    smi_json_values_fini(((struct smi_lines *)r)->json);
    smi_mem_free(((struct smi_lines *)r)->json);
    free_lines((struct smi_lines *)r);
    smi_mem_free(r);
}

/* ---- rows of a reader become blocks of one shape ---- */

static bool has_shape(const struct smi_rows *r, const struct smi_sample *s)
{
    return r->metrics == s->n && r->timed == s->timed && r->fine == s->fine && r->shared == s->shared &&
           r->aside == s->aside && !r->who == (s->who == SMI_DEVICE_KEYLESS) &&
           memcmp(r->metric, s->metric, s->n * sizeof *s->metric) == 0;
}

/* An empty block for rows as this one. The unit of a column is the step of its metric, or a finer one that a
 * reading needs, or needed before and is not too fine for this one. Where one still has too many units, the
 * block is wide. */
static struct smi_row_block *begin_block(struct smi_lines *l, const struct smi_sample *s)
{
    struct smi_row_block *b = l->block = smi_row_block_open(2 * s->n);
    l->problems = l->account->problems;
    b->of = NULL;
    b->r = (struct smi_rows){.metrics = s->n,
                             .metric = memcpy(b->metric, s->metric, s->n * sizeof *s->metric),
                             .u = b->u,
                             .stride = SMI_ROWS_STRIDE,
                             .scale = b->scale,
                             .t_ms = b->t_ms,
                             .who = s->who == SMI_DEVICE_KEYLESS ? NULL : b->who,
                             .process = s->process,
                             .timed = s->timed,
                             .fine = s->fine,
                             .shared = s->shared,
                             .begins = s->begins,
                             .aside = s->aside};
    for (unsigned c = 0; c < s->n; c++) {
        int32_t *unit = &l->unit[s->metric[c]];
        if (*unit == 0 || s->v[c] / *unit > INT32_MAX)
            *unit = (int32_t)smi_metrics[s->metric[c]].step;
        while (s->v[c] % *unit)
            *unit /= 10;
        b->scale[c] = *unit;
        b->r.wide |= (uint64_t)(s->v[c] / *unit) > INT32_MAX;
    }
    return b;
}

/* Appends the row, if its readings are whole numbers of the units, and fit, as those that a block begins with
 * do. (What a row that does not fit left behind in a column is overwritten by the next.) */
static bool append_row(struct smi_row_block *b, const struct smi_sample *s)
{
    int32_t *u = b->u + b->r.n;
    for (unsigned c = 0; c < s->n; c++, u += SMI_ROWS_STRIDE) {
        const int64_t n = s->v[c] / b->scale[c];
        if (n * b->scale[c] != s->v[c] || (!b->r.wide && (uint64_t)n > INT32_MAX))
            return false;
        *u = (int32_t)(n & INT32_MAX);
        if (b->r.wide)
            u[(size_t)s->n * SMI_ROWS_STRIDE] = (int32_t)(n >> 31);
    }
    b->t_ms[b->r.n] = s->t_ms;
    b->who[b->r.n++] = s->who;
    return true;
}

/* Has the row to go on before a device is made? Attribution looks at what is known then: of a machine whose
 * GPUs have no key, and of the GPU that the first row behind rows without a key names. */
static bool decides_devices(struct smi_lines *l, const struct smi_sample *s)
{
    const bool before = l->keyless;
    l->keyless = s->who == SMI_DEVICE_KEYLESS || (before && s->who < 0);
    return s->who >= 0 && l->devices && (l->devices->list[s->who].machine || before);
}

int smi_lines_row(struct smi_lines *l, const struct smi_sample *s)
{
    struct smi_row_block *b = l->block;
    bool alone = s->process || s->begins || decides_devices(l, s);
    if (b && !alone && b->r.n < SMI_ROWS_MAX && l->problems == l->account->problems && has_shape(&b->r, s) &&
        append_row(b, s))
        return 0;
    smi_lines_flush(l);
    b = begin_block(l, s);
    append_row(b, s);
    if (alone)
        smi_lines_flush(l);
    return 0;
}

int smi_lines_flush(struct smi_lines *l)
{
    const struct smi_row_block *b = l->block && l->block->r.n ? l->block : NULL;
    size_t at = l->problems, now = l->account->problems;
    struct smi_log_warning *p, told;
    if (b && !l->failed && l->to->rows)
        l->failed = l->to->rows(l->to, &b->r, l->err);
    /* Problems that came since the last row of the block are of later lines: what its rows tell now, from
     * place `now` on, goes in front of them. */
    for (p = l->account->problem; b && at < now && now < l->account->problems; at++, now++) {
        told = p[now];
        memmove(&p[at + 1], &p[at], (now - at) * sizeof *p);
        p[at] = told;
    }
    l->block = NULL;
    return l->failed ? -1 : 0;
}

int smi_lines_mark(struct smi_lines *l, const struct smi_mark *m)
{
    if (l->block)
        smi_lines_flush(l);
    if (!l->failed && l->to->mark)
        l->failed = l->to->mark(l->to, m, l->err);
    return 0;
}

/* ---- messages, and what they tell of broken GPUs ---- */

/* "0000:8C:00.0", "00000000:8C:00.0", or "0000:3b:00" of the kernel: the first of them in t. */
static struct smi_text find_bus_id(struct smi_text t)
{
    for (size_t i = 0, n; i < t.n; i += n + 1) {
        n = smi_text_span(smi_text_from(t, i), "0123456789abcdefABCDEF:.");
        const struct smi_text id = smi_text_strip((struct smi_text){t.p + i, n}, ":.");
        if (id.n > 9 && (id.p[4] == ':' || id.p[8] == ':') && smi_device_bus(id) >= 0)
            return id;
    }
    return (struct smi_text){NULL, 0};
}

/* The number behind the ':' or the blank that follows: "Xid (PCI:0000:3b:00): 79, ...", "XID 79". -1: none.
 */
static int64_t read_xid_number(struct smi_text t)
{
    enum { DIGITS = 3 };
    const char *from = t.p + 3, *end = t.p + t.n, *close;
    while (from < end && *from == ' ')
        from++;
    close = from < end && *from == '(' ? memchr(from, ')', (size_t)(end - from)) : NULL;
    from = close ? close + 1 : from;
    while (from < end && !smi_is_digit(*from) && strchr(" :=#()errocd", *from | 32))
        from++;
    t = smi_text_between(from, end);
    return smi_cell_digits((struct smi_text){from, smi_text_digits(t)}, DIGITS);
}

const struct smi_phrase *smi_phrase_find(const struct smi_phrase *list, struct smi_text line)
{
    for (; list->what; list++)
        if (smi_text_starts_nocase(line, list->begin) &&
            (!*list->holds || (memchr(line.p, *list->holds, line.n) &&
                               memmem(line.p, line.n, list->holds, strlen(list->holds)))))
            return list;
    return NULL;
}

/* The number of the first word "Xid" or "XID" in t; -1: none. */
static int64_t find_xid(struct smi_text t)
{
    const char *end = t.p + t.n;
    for (const char *at = t.p; (at = memchr(at, 'X', (size_t)(end - at))); at++)
        if (end - at >= 3 && (memcmp(at, "Xid", 3) == 0 || memcmp(at, "XID", 3) == 0) &&
            (at == t.p || at[-1] == ' ' || at[-1] == '['))
            return read_xid_number(smi_text_between(at, end));
    return -1;
}

int smi_message_fault(struct smi_text line, struct smi_text *where, int64_t *code)
{
    struct smi_text t = smi_text_trim(line);
    const struct smi_phrase *message = smi_phrase_find(smi_say_message, t);
    int fault = message ? smi_fault_find(message->what) : -1;
    *code = t.n ? find_xid(t) : -1;
    if (*code >= 0)
        fault = SMI_FAULT_XID;
    *where = fault < 0 ? (struct smi_text){NULL, 0} : find_bus_id(t);
    *code = fault == SMI_FAULT_XID ? *code : 0;
    return fault;
}

enum { DATE = 10, SECONDS = 19 /* bytes of a date, and of one with a time */ };

/* "2020-06-09T09:00:01Z", "2020-06-09 09:00:01.25": with a T it has a zone, and no ms: that would be the torn
 * row of a CPU log. What has a comma is of date -Ins, or the time and the number of a row. */
static bool is_iso_line(struct smi_text t, const struct smi_stamp *at)
{
    enum { MS = 3, NS = 9 };
    const bool zoned = at->base == SMI_TIME_BASE_UTC, fine = at->fine && t.n > SECONDS;
    const size_t digits = fine ? smi_text_digits(smi_text_from(t, SECONDS + 1)) : 0;
    if (fine && t.p[SECONDS] == ',')
        return zoned && digits == NS;
    return t.n <= DATE || t.p[DATE] != 'T' || (zoned && (!digits || digits > MS));
}

/* A time alone: that of date, -Is, -Ins or -R, "20200609 09:00:01", "09:00:01". "09:00:01,41" is a row, and
 * so are those two behind a blank: of dmon, torn. */
static bool is_stamp(struct smi_text t, bool indented)
{
    struct smi_stamp_clock c = {0};
    struct smi_stamp at;
    const struct smi_text bare = smi_text_strip(t, SMI_STAMP_STROKES);
    if (smi_stamp_windows_day(t) >= 0 || (t.n == 8 && t.p[5] == ' ' && smi_stamp_read(&c, t, &at) == 0))
        return true; /* "03:44 PM" of time /T */
    bool digit = bare.n && smi_is_digit(*bare.p);
    if (bare.n != t.n) /* strokes: not around a number */
        return digit && bare.n >= SECONDS && smi_stamp_read(&c, bare, &at) == 0 && c.form == SMI_STAMP_DATE;
    if (t.n < 8 || (!digit && t.p[3] != ',' && t.p[3] != ' ') || smi_stamp_read(&c, t, &at))
        return false;
    if (c.form == SMI_STAMP_DATE)
        return is_iso_line(t, &at);
    if (c.form == SMI_STAMP_EPOCH) /* of date +%s, between 2001 and 2096; a line of a JSON list is indented */
        return !indented && *t.p >= '1' && *t.p <= '3';
    return c.form == SMI_STAMP_CTIME || ((c.form == SMI_STAMP_CLOCK || c.form == SMI_STAMP_COMPACT) &&
                                         !indented && !memchr(t.p, ',', t.n));
}

bool smi_message_is_noise(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return smi_phrase_find(smi_say_noise, t) || (t.n >= 3 && smi_text_span(t, "-") == t.n) ||
           is_stamp(t, t.p != line.p) ||
           (t.n > 3 && t.p[1] == ':' && t.p[2] == '\\' &&
            memchr(t.p, '>', t.n)); /* what cmd.exe echoes of a batch file */
}

bool smi_message_is_known(struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    return smi_phrase_find(smi_say_message, t) || smi_message_is_noise(line) ||
           (smi_phrase_find(smi_say_shell, t) && memmem(t.p, t.n, "smi", 3)) || (t.n && find_xid(t) >= 0);
}

bool smi_message_count(struct smi_account *a, struct smi_text line)
{
    struct smi_text t = smi_text_trim(line);
    if (!smi_message_is_known(line))
        return false;
    a->messages++;
    if (!smi_message_is_noise(line))
        smi_account_warn(a, SMI_LOG_WARNING_MESSAGE, "%.*s", t.n < 300 ? (int)t.n : 300, t.p);
    return true;
}

bool smi_message_report(struct smi_lines *l, struct smi_text line)
{
    struct smi_mark m = {.kind = SMI_MARK_FAULT, .who = -1};
    if (!smi_message_count(l->account, line))
        return false;
    m.fault = smi_message_fault(line, &m.name, &m.code);
    if (m.fault >= 0)
        smi_lines_mark(l, &m);
    return true;
}

int smi_message_pass(struct smi_lines *l, struct smi_text line)
{
    l->account->messages += !smi_message_report(l, line);
    return 0;
}

/* ---- messages of the kernel, as dmesg and journalctl -k print them ----
 *
 *     [ 1234.567890] NVRM: Xid (PCI:0000:81:00): 79, pid=1234, name=python, GPU has fallen off the bus.
 *     Jul 03 10:05:00 node7 kernel: NVRM: Xid (PCI:0000:81:00): 63, Row Remapper: New row
 *
 * They are of all jobs since the machine was started, and most have no date: so no log is taken for them.
 * follow, which sees when they come, reads them. */

/* Most messages are about other things. */
static int read_kernel_line(void *self, struct smi_text line)
{
    struct smi_lines *l = self;
    return memmem(line.p, line.n, "NVRM: Xid", 9) ? smi_message_pass(l, line)
                                                  : smi_line_count(&l->account->messages);
}

const struct smi_format smi_format_kernel = {
    .size = sizeof(struct smi_lines),
    .line = read_kernel_line,
};
