#include "nvidia/dmon_plain.h"

#include "base/clock.h"

/* Kinds of cells that are no column of the block. */
enum { SKIP = -1, GPU = -2, DATE = -3, TIME = -4, MISSING = -5 };

void smi_dmon_plain_bind(struct smi_dmon_plain *d, const struct smi_dmon_plan *p, bool timed)
{
    d->on = false;
    d->known = 0;
    if (!SMI_PLAIN_WORDS || !p->width || p->width > SMI_DMON_COLUMNS || p->commas || (p->time >= 0 && p->date < 0) ||
        (p->time >= 0 && !timed) || !smi_plain_bind(&d->block, p->metric, p->n))
        return;
    d->width = (unsigned)p->width;
    memset(d->number, SKIP, sizeof d->number);
    for (unsigned i = 0; i < p->n; i++)
        d->number[p->place[i]] = (int8_t)i;
    d->number[p->gpu] = GPU;
    if (p->date >= 0)
        d->number[p->date] = DATE;
    if (p->time >= 0)
        d->number[p->time] = TIME;
    memset(d->date, 0, sizeof d->date);
    d->block.keyed = true;
    d->block.timed = p->time >= 0;
    d->block.fine = false;
    d->on = true;
}

/* "20260816", mostly the same as in the row before; the time is added behind it. */
static bool read_date(struct smi_dmon_plain *d, const char *p, int64_t *t_ms)
{
    if (memcmp(p, d->date, sizeof d->date)) {
        if (smi_clock_date8((struct smi_text){p, sizeof d->date}, &d->date_ms))
            return false;
        memcpy(d->date, p, sizeof d->date);
    }
    *t_ms = d->date_ms;
    return true;
}

static bool read_clock(const char *p, int64_t *t_ms)
{
    int64_t ms;
    if (smi_clock_hms((struct smi_text){p, 8}, &ms))
        return false;
    *t_ms += ms;
    return true;
}

static bool read_gpu(struct smi_dmon_plain *d, const char *p, size_t n, unsigned row)
{
    unsigned gpu = 0;
    while (n > 1 && *p == ' ') {
        p++;
        n--;
    }
    if (n > 2 || (n == 2 && *p == '0')) /* "07" is another name */
        return false;
    for (; n; n--, p++) {
        if (*p < '0' || *p > '9')
            return false;
        gpu = gpu * 10 + (unsigned)(*p - '0');
    }
    if (gpu >= SMI_DMON_SEEN || !(d->known >> gpu & 1))
        return false;
    d->block.who[row] = d->who[gpu];
    return true;
}

/* Blanks, and then one word to the end? */
static bool is_word(const char *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] == ' ')
        i++;
    if (i == n)
        return false;
    while (i < n && (unsigned char)p[i] > ' ')
        i++;
    return i == n;
}

/* Blanks, and then one word of eight bytes? */
static bool is_eight(const char *p, size_t n)
{
    return n >= 8 && is_word(p, n) && (n == 8 || p[n - 9] == ' ');
}

/* A cell of n bytes with its blanks in front, of the row that waits as the i-th. */
static inline bool read_cell(struct smi_dmon_plain *d, const char *p, size_t n, int kind, unsigned i)
{
    unsigned row = d->block.n + i;
    if (kind >= 0) {
        smi_plain_wait(&d->block, (unsigned)kind, i, p, n);
        return true;
    }
    switch (kind) {
    case GPU: return read_gpu(d, p, n, row);
    case MISSING: return p[n - 1] == '-' && p[n - 2] == ' ' && is_word(p, n);
    case DATE: return is_eight(p, n) && read_date(d, p + n - 8, &d->block.t_ms[row]);
    case TIME: return is_eight(p, n) && read_clock(p + n - 8, &d->block.t_ms[row]);
    default: return is_word(p, n);
    }
}

static bool ends_cell(char c)
{
    return c == ' ' || c == '\r' || c == '\n';
}

/* The row at p waits as the i-th, if its cells end where those of the row before end. */
static bool read_row(struct smi_dmon_plain *d, const char *p, unsigned i)
{
    size_t from = 0;
    bool ok = p[d->end[d->width]] == '\n';
    for (unsigned k = 0; ok && k < d->width; k++) {
        ok = read_cell(d, p + from, d->end[k] - from, d->shape[k], i) && ends_cell(p[d->end[k]]);
        from = d->end[k];
    }
    for (; ok && from < d->end[d->width]; from++)
        ok = p[from] == ' ' || (p[from] == '\r' && p[from + 1] == '\n');
    return ok;
}

/* Where the cells of the row at p end, and which are missing: the shape of the next block. Returns 1, 0 if the row has
 * another width or no reading, or -1 without memory. */
static int look(struct smi_dmon_plain *d, const char *p, const char *end)
{
    const char *from = p;
    int8_t slots = 0;
    memcpy(d->shape, d->number, sizeof d->shape);
    for (unsigned i = 0; i < d->width; i++) {
        int kind = d->number[i];
        const char *blanks = p;
        while (p < end && *p == ' ')
            p++;
        if (kind >= 0) {
            d->block.column[kind].missing = p > blanks && p < end && *p == '-';
            d->shape[i] = d->block.column[kind].missing ? MISSING : slots++; /* in the order of the columns */
        }
        while (p < end && (unsigned char)*p > ' ')
            p++;
        if (p == end || p - blanks > SMI_DMON_CELL)
            return 0;
        d->end[i] = (uint16_t)(p - from);
    }
    while (p < end && (*p == ' ' || *p == '\r'))
        p++;
    d->end[d->width] = (uint16_t)(p - from);
    return p < end && *p == '\n' && p - from < SMI_DMON_ROW ? smi_plain_shape(&d->block) : 0;
}

/* The indices that the general road has seen so far. */
static void learn(struct smi_dmon_plain *d, const struct smi_devices *devices)
{
    if (d->changes == devices->changes)
        return;
    d->changes = devices->changes;
    d->known = 0;
    for (size_t i = 0; i < devices->n; i++) {
        int index = smi_device_index(&devices->list[i]);
        const char *key = devices->list[i].key[SMI_KEY_INDEX];
        if (index < 0 || index >= SMI_DMON_SEEN || !key || (key[0] == '0' && key[1])) /* "00" is another name */
            continue;
        d->who[index] = (int)i;
        d->known |= (uint64_t)1 << index;
    }
}

/* As many rows as are plain in the block's shape, from p on; at most one batch. */
static unsigned read_batch(struct smi_dmon_plain *d, const char *p, const char *end)
{
    unsigned i = 0, room = SMI_ROWS_MAX - d->block.n;
    if (!d->block.metrics)
        return 0;
    room = room < SMI_NUMBERS_MAX ? room : SMI_NUMBERS_MAX;
    for (; i < room && end - p > SMI_DMON_ROW + 8 && read_row(d, p, i); i++) /* cells are loaded a word at a time */
        p += d->end[d->width] + 1;
    return smi_plain_take(&d->block, i);
}

/* The bytes of the header line at p, if it is one that was there before; else 0. */
static size_t header(const struct smi_dmon_plain *d, const char *p, const char *end)
{
    const struct smi_dmon_line *lines[] = {&d->names, &d->units};
    for (size_t i = 0; i < 2; i++) {
        size_t n = lines[i]->n;
        if (n < (size_t)(end - p) && p[n] == '\n' && smi_dmon_again(lines[i], p, n))
            return n + 1;
    }
    return 0;
}

ptrdiff_t smi_dmon_plain_rows(struct smi_dmon_plain *d, struct smi_lines *l, const char *p, size_t n, struct smi_err *err)
{
    struct smi_plain *b = &d->block;
    const char *from = p, *end = p + n;
    if (!d->on)
        return 0;
    learn(d, l->devices);
    while (end - p > SMI_DMON_ROW + 8) {
        unsigned took = read_batch(d, p, end);
        if (b->n == SMI_ROWS_MAX && smi_plain_flush(b, l, err))
            return -1;
        if (!took) {
            size_t again = header(d, p, end);
            int rc;
            if (again) {
                l->account->lines++;
                l->account->header++;
                p += again;
                continue;
            }
            rc = smi_plain_flush(b, l, err) ? -1 : look(d, p, end);
            if (rc < 0)
                return smi_err_nomem(err);
            took = rc && read_row(d, p, 0) ? smi_plain_take(b, 1) : 0;
        }
        if (!took) {
            b->metrics = 0; /* the ends are of a row that was not taken */
            break;
        }
        p += took * (size_t)(d->end[d->width] + 1);
    }
    return smi_plain_flush(b, l, err) ? -1 : p - from;
}
