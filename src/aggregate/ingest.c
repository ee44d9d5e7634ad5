#include "aggregate/ingest.h"

#include "base/digest.h"
#include "base/mem.h"
#include "aggregate/attribute.h"

#include <string.h>

enum { HEAD = 65536, PIECE = 262144, PIECE_MIN = 16384 };

struct smi_ingest {
    struct smi_ingest_opts o;
    const struct smi_format *format;
    int id;
    struct smi_reader *reader;
    struct smi_attribute *attribute;
    char *head; /* the first bytes, until the format is known */
    size_t n;
};

struct smi_ingest *smi_ingest_open(const struct smi_ingest_opts *o, struct smi_err *err)
{
    struct smi_ingest *in = smi_mem_new(1, sizeof *in);
    if (!in) {
        smi_err_nomem(err);
        return NULL;
    }
    in->o = *o;
    in->id = -1;
    in->attribute = smi_attribute_new(o->to, o->devices, o->account, o->gpu_count, o->plan, err);
    if (!in->attribute) {
        smi_mem_free(in);
        return NULL;
    }
    return in;
}

static int open_reader(struct smi_ingest *in, int id, struct smi_err *err)
{
    const struct smi_read_opts o = {in->o.account, in->o.devices, in->o.later, in->o.columns};
    in->id = id;
    in->format = smi_formats[id];
    in->reader = smi_reader_cache_open(in->o.shelf, id, &o, err);
    return in->reader ? 0 : -1;
}

static int read_bytes(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (in->o.copy && in->o.copied >> in->id & 1 && smi_block_list_add(in->o.copy, p, n, err))
        return -1;
    return smi_reader_feed(in->reader, p, n, smi_attribute_sink(in->attribute), err);
}

/* Tells the format of the bytes so far, and reads them. */
static int detect_format(struct smi_ingest *in, bool whole, struct smi_err *err)
{
    struct smi_detect why;
    char *head = in->head;
    size_t n = in->n;
    int id = smi_detect(head ? head : "", n, whole, &why), rc;
    if (id < 0)
        return smi_err_set(err, SMI_EFORMAT, "%s", why.why);
    if (why.bare && !in->o.columns)
        return smi_err_set(err, SMI_EFORMAT,
                           "query CSV without a header, and not the nine reference columns: "
                           "--input-columns LIST names them");
    in->head = NULL;
    rc = open_reader(in, id, err);
    if (rc == 0)
        rc = read_bytes(in, head, n, err);
    smi_mem_free(head);
    return rc;
}

int smi_ingest_feed(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    if (!in->reader && in->o.format >= 0 && open_reader(in, in->o.format, err))
        return -1;
    if (!in->reader) {
        size_t some = n < HEAD - in->n ? n : HEAD - in->n;
        if (!in->head && !(in->head = smi_mem_raw(HEAD)))
            return smi_err_nomem(err);
        memcpy(in->head + in->n, p, some);
        in->n += some;
        if (in->n < HEAD)
            return 0;
        if (detect_format(in, false, err))
            return -1;
        p += some;
        n -= some;
    }
    return n ? read_bytes(in, p, n, err) : 0;
}

int smi_ingest_prime(struct smi_ingest *in, const char *p, size_t n, struct smi_err *err)
{
    int rc = smi_ingest_feed(in, p, n, err);
    smi_account_fini(in->o.account);
    *in->o.account = (struct smi_account){0};
    return rc;
}

int smi_ingest_finish(struct smi_ingest *in, struct smi_err *err)
{
    struct smi_sink *to = smi_attribute_sink(in->attribute);
    if (!in->reader && in->o.format >= 0 && open_reader(in, in->o.format, err))
        return -1;
    if (!in->reader && detect_format(in, true, err))
        return -1;
    if (smi_reader_finish(in->reader, to, err))
        return -1;
    return to->end(to, err);
}

int smi_ingest_decide(struct smi_ingest *in, struct smi_err *err)
{
    return smi_attribute_decide(in->attribute, err);
}

int smi_ingest_format(const struct smi_ingest *in)
{
    return in->id;
}

enum smi_time_base smi_ingest_base(const struct smi_ingest *in)
{
    return in->reader ? smi_reader_base(in->reader) : SMI_TIME_BASE_NONE;
}

void smi_ingest_close(struct smi_ingest *in)
{
    if (!in)
        return;
    if (in->reader)
        smi_reader_cache_close(in->o.shelf, in->id, in->reader);
    smi_attribute_free(in->attribute);
    smi_mem_free(in->head);
    smi_mem_free(in);
}

int smi_ingest_fd(struct smi_ingest *in, int fd, const char *name, int64_t *size, uint64_t *hash,
                  struct smi_err *err)
{
    size_t room = *size < PIECE_MIN ? PIECE_MIN
                  : *size < PIECE   ? (size_t)*size + 1
                                    : PIECE; /* + 1: the end is seen */
    char *piece = smi_mem_raw(room);
    struct smi_digest digest = smi_digest_init(0);
    ssize_t n;
    int rc = 0;
    *size = 0;
    if (!piece)
        return smi_err_nomem(err);
    while (rc == 0 && (n = smi_file_read(fd, piece, room, name, err)) > 0) {
        *size += n;
        if (hash)
            smi_digest_add(&digest, piece, (size_t)n);
        rc = smi_ingest_feed(in, piece, (size_t)n, err);
    }
    smi_mem_free(piece);
    if (hash)
        *hash = smi_digest_value(&digest);
    return rc || n < 0 ? -1 : smi_ingest_finish(in, err);
}

int smi_ingest_memory(struct smi_ingest *in, const char *p, size_t n, uint64_t *hash, struct smi_err *err)
{
    if (hash)
        *hash = smi_digest_of(p, n);
    return smi_ingest_feed(in, p, n, err) ? -1 : smi_ingest_finish(in, err);
}

/* ---- peeking ---- */

struct peek {
    struct smi_sink sink;
    bool rows;        /* rows were seen, perhaps without times */
    bool some, again; /* a time was seen at all; since `again` was cleared */
    int64_t first, last;
};

static int note_row_time(struct smi_sink *self, const struct smi_sample *s, struct smi_err *err)
{
    struct peek *k = (struct peek *)self;
    (void)err;
    k->rows = true;
    if (!s->timed)
        return 0;
    if (!k->some)
        k->first = s->t_ms;
    k->last = s->t_ms;
    k->some = k->again = true;
    return 0;
}

static int note_row_times(struct smi_sink *self, const struct smi_rows *r, struct smi_err *err)
{
    return smi_rows_each(r, note_row_time, self, err);
}

/* Feeds the tail of the file, from its first whole line on: the byte in front of it tells where a line ends.
 */
static int peek_tail(struct smi_reader *r, const struct smi_file_view *log, int64_t from, char *buf,
                     size_t room, struct peek *k, struct smi_err *err)
{
    ssize_t n = smi_file_view_read(log, buf, room, from, err);
    const char *nl = n > 0 ? memchr(buf, '\n', (size_t)n) : NULL;
    if (n < 0)
        return -1;
    return nl ? smi_reader_feed(r, nl + 1, (size_t)(buf + n - nl - 1), &k->sink, err) : 0;
}

/* Looks at `room` bytes at each end. Returns 1 if both ends gave a time, 0, or -1 with err. */
static int peek_ends(const struct smi_file_view *log, const struct smi_ingest_opts *how, size_t room,
                     struct peek *k, bool *untimed, struct smi_err *err)
{
    struct smi_account account = {0};
    struct smi_devices devices = {0};
    const struct smi_read_opts o = {&account, &devices, false, how->columns};
    struct smi_reader *r = smi_reader_cache_open(how->shelf, how->format, &o, err);
    char *buf = smi_mem_raw(room + 1);
    bool both = false;
    int rc = -1;
    ssize_t n = r && buf ? smi_file_view_read(log, buf, room, 0, err) : smi_err_nomem(err);
    if (n >= 0 && smi_reader_feed(r, buf, (size_t)n, &k->sink, err) == 0) {
        both = log->n <= n;
        rc = 0;
    }
    if (rc == 0 && !both && !k->some && k->rows)
        *untimed = true;
    if (rc == 0 && !both && k->some) {
        /* The piece of a row at the end of the head is ended, and so rejected or a row that the tail has
         * again. */
        int64_t from = log->n - (int64_t)room > n ? log->n - (int64_t)room : n;
        k->again = false;
        rc = smi_reader_feed(r, "\n", 1, &k->sink, err) || peek_tail(r, log, from - 1, buf, room + 1, k, err)
                 ? -1
                 : 0;
        both = k->again;
    }
    smi_reader_cache_close(how->shelf, how->format, r);
    smi_mem_free(buf);
    smi_account_fini(&account);
    smi_devices_fini(&devices);
    return rc ? -1 : both && k->some;
}

int smi_ingest_time_range(const struct smi_file_view *log, const struct smi_ingest_opts *o, int64_t *first_ms,
                          int64_t *last_ms, struct smi_err *err)
{
    static const size_t rooms[] = {512, 4096, HEAD}; /* most logs tell it in a few rows */
    bool untimed = false;
    int rc = 0;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms && rc == 0 && !untimed; i++) {
        struct peek k = {.sink = {.rows = note_row_times}};
        rc = peek_ends(log, o, rooms[i], &k, &untimed, err);
        *first_ms = k.first;
        *last_ms = k.last;
    }
    return rc;
}
