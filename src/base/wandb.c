#include "base/stream.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"

#include <zlib.h>

/* The file is a log of LevelDB: after 7 bytes, blocks of 32 KiB of records, each with a header of 7 bytes
 * (CRC-32 of type and payload, length, type); no record begins in the last 6 bytes of a block. A payload is a
 * Record of wandb_internal.proto in wire format (protobuf.dev/programming-guides/encoding). */
enum {
    BLOCK = 32768,
    HEADER = 7,
    RECORD_MAX = 1 << 20, /* a longer one is of files or tables: no sample is so long */
    VALUE_MAX = 4096,
    CONFIG_MAX = 1 << 16 /* bytes of a line's data */
};
enum { FULL = 1, FIRST, MIDDLE, LAST };
/* Numbers of the fields that are read. */
enum { RECORD_HISTORY = 2, RECORD_STATS = 7, RECORD_RUN = 17, RECORD_EXIT = 18, RECORD_ENVIRONMENT = 26 };
enum { ITEM_KEY = 1, ITEM_NESTED_KEY = 2, ITEM_VALUE = 16 };

struct smi_wandb {
    struct smi_made_source made; /* a line, or the lines, of a record at a time */
    char block[BLOCK];
    size_t n, at;
    bool ended;
    struct smi_buf record; /* the parts of one so far */
    bool open, large;
    struct smi_buf line;       /* what was made of the last record */
    int64_t start_us, last_us; /* of the run; the latest time that was seen */
    int64_t gpus;
};

/* ---- protobuf ---- */

struct field {
    uint64_t number, value; /* of a varint */
    struct smi_text bytes;  /* of a length-delimited field */
};

static bool read_varint(struct smi_text *t, uint64_t *v)
{
    *v = 0;
    for (unsigned shift = 0; shift < 64 && t->n; shift += 7) {
        unsigned char c = (unsigned char)*t->p++;
        t->n--;
        *v |= (uint64_t)(c & 127) << shift;
        if (c < 128)
            return true;
    }
    return false;
}

/* Takes the next field off t. false: there is none, and t is empty if all is well. */
static bool next_field(struct smi_text *t, struct field *f)
{
    uint64_t key, n;
    *f = (struct field){0};
    if (!t->n || !read_varint(t, &key))
        return false;
    f->number = key >> 3;
    if ((key & 7) == 0)
        return read_varint(t, &f->value);
    n = (key & 7) == 1 ? 8 : 4;
    if ((key & 7) == 2 ? !read_varint(t, &n) : (key & 7) != 1 && (key & 7) != 5)
        return false;
    if (n > t->n) {
        t->n = t->n ? t->n : 1; /* not the end that was meant */
        return false;
    }
    f->bytes = (struct smi_text){t->p, (size_t)n};
    *t = (struct smi_text){t->p + n, t->n - (size_t)n};
    return true;
}

/* google.protobuf.Timestamp */
static int64_t timestamp_us(struct smi_text t)
{
    struct field f;
    int64_t s = 0, ns = 0;
    while (next_field(&t, &f)) {
        if (f.number == 1 && f.value < (uint64_t)1 << 40)
            s = (int64_t)f.value;
        else if (f.number == 2 && f.value < 1000000000)
            ns = (int64_t)f.value;
    }
    return s * 1000000 + ns / 1000;
}

/* ---- lines ---- */

static void begin_line(struct smi_wandb *w, struct smi_json *j, const char *kind)
{
    smi_json_begin(j, &w->line);
    smi_json_open(j, '{');
    smi_json_key_str(j, "wandb", kind);
}

static void end_line(struct smi_wandb *w, struct smi_json *j)
{
    smi_json_close(j, '}');
    smi_buf_char(&w->line, '\n');
}

static void bare_line(struct smi_wandb *w, const char *kind)
{
    struct smi_json j;
    begin_line(w, &j, kind);
    end_line(w, &j);
}

static void begin_event(struct smi_wandb *w, struct smi_json *j, const char *kind, const char *event,
                        int64_t t_us)
{
    char time[32];
    time[smi_clock_write(time, t_us / 1000, true)] = 0;
    begin_line(w, j, kind);
    smi_json_key_str(j, "event", event);
    smi_json_key_str(j, "time", time);
    smi_json_key_open(j, "data", '{');
    w->last_us = t_us > w->last_us ? t_us : w->last_us;
}

static void end_event(struct smi_wandb *w, struct smi_json *j)
{
    smi_json_close(j, '}');
    end_line(w, j);
}

/* A value that may stand in a line as it is: JSON of one line that is no list and no object. */
static bool is_flat_json(struct smi_text t)
{
    bool flat = t.n && t.n <= VALUE_MAX && smi_text_is_bare(t);
    if (!flat && t.n && t.n <= VALUE_MAX && *t.p == '"') {
        json_t *v = json_loadb(t.p, t.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        flat = json_is_string(v);
        json_decref(v);
    }
    return flat;
}

/* The key (or nested keys, with dots between) and the value of an item. */
static bool read_item(struct smi_text t, struct smi_text *key, struct smi_text *value, char *room,
                      size_t size)
{
    struct field f;
    size_t n = 0;
    *key = *value = (struct smi_text){0};
    while (next_field(&t, &f)) {
        if (f.number == ITEM_KEY && f.bytes.n) {
            *key = f.bytes;
        } else if (f.number == ITEM_NESTED_KEY && f.bytes.n && n + f.bytes.n + 1 < size) {
            if (n)
                room[n++] = '.';
            memcpy(room + n, f.bytes.p, f.bytes.n);
            n += f.bytes.n;
        } else if (f.number == ITEM_VALUE) {
            *value = f.bytes;
        }
    }
    if (!key->n)
        *key = (struct smi_text){room, n};
    return key->n && is_flat_json(*value);
}

/* The items (field `number`) of a message into the object that is open. */
static void put_items(struct smi_wandb *w, struct smi_json *j, struct smi_text t, unsigned number)
{
    struct field f;
    struct smi_text key, value;
    char room[256];
    while (next_field(&t, &f)) {
        if (f.number != number || w->line.n > CONFIG_MAX ||
            !read_item(f.bytes, &key, &value, room, sizeof room))
            continue;
        smi_json_key_text(j, key);
        smi_buf_add(&w->line, value.p, value.n);
        j->keyed = false;
    }
}

static void write_stats(struct smi_wandb *w, struct smi_text t)
{
    struct smi_json j;
    struct smi_text rest = t;
    struct field f;
    int64_t t_us = 0;
    while (next_field(&rest, &f))
        if (f.number == 2)
            t_us = timestamp_us(f.bytes);
    begin_line(w, &j, "stats");
    smi_json_key_micro(&j, smi_text_of("time"), t_us);
    put_items(w, &j, t, 3);
    end_line(w, &j);
    w->last_us = t_us > w->last_us ? t_us : w->last_us;
}

static void write_run(struct smi_wandb *w, struct smi_text t)
{
    struct smi_json j;
    struct smi_text rest = t, host = {0}, config = {0}, name = {0};
    struct field f;
    while (next_field(&rest, &f)) {
        if (f.number == 4)
            config = f.bytes;
        else if (f.number == 8)
            name = f.bytes;
        else if (f.number == 13)
            host = f.bytes;
        else if (f.number == 17)
            w->start_us = timestamp_us(f.bytes);
    }
    begin_event(w, &j, "run", "start", w->start_us);
    if (host.n) {
        smi_json_key(&j, "host");
        smi_json_text(&j, host);
    }
    if (name.n) {
        smi_json_key(&j, "display_name");
        smi_json_text(&j, name);
    }
    put_items(w, &j, config, 1);
    end_event(w, &j);
}

/* The time of a history record is one of its items, in seconds. */
static void write_history(struct smi_wandb *w, struct smi_text t)
{
    struct smi_json j;
    struct smi_text rest = t, key, value;
    struct field f;
    char room[256];
    int64_t t_us = w->last_us, micro;
    while (next_field(&rest, &f))
        if (f.number == 1 && read_item(f.bytes, &key, &value, room, sizeof room) &&
            smi_text_is(key, "_timestamp") && smi_json_text_number(value, &micro) && micro >= 0)
            t_us = micro;
    begin_event(w, &j, "history", "step", t_us);
    put_items(w, &j, t, 1);
    end_event(w, &j);
}

static void write_exit(struct smi_wandb *w, struct smi_text t)
{
    struct smi_json j;
    struct field f;
    int64_t code = 0, end_us = w->last_us;
    while (next_field(&t, &f)) {
        if (f.number == 1)
            code = (int32_t)f.value;
        else if (f.number == 2 && f.value < (uint64_t)1 << 32 &&
                 w->start_us + (int64_t)f.value * 1000000 > end_us)
            end_us = w->start_us + (int64_t)f.value * 1000000;
    }
    begin_event(w, &j, "exit", "stop", end_us);
    smi_json_key_int(&j, "exit_status", code);
    end_event(w, &j);
}

/* The GPUs of the machine stand in the order of their indices. */
static void write_gpu(struct smi_wandb *w, struct smi_text t)
{
    struct smi_json j;
    struct field f;
    begin_line(w, &j, "gpu");
    smi_json_key_int(&j, "index", w->gpus++);
    while (next_field(&t, &f)) {
        if (f.number == 1 || f.number == 5) {
            smi_json_key(&j, f.number == 1 ? "name" : "uuid");
            smi_json_text(&j, f.bytes);
        } else if (f.number == 2 && f.value < INT64_MAX) {
            smi_json_key_int(&j, "memory", (int64_t)f.value);
        }
    }
    end_line(w, &j);
}

static void write_environment(struct smi_wandb *w, struct smi_text t)
{
    struct field f;
    bare_line(w, "other");
    w->gpus = 0;
    while (next_field(&t, &f))
        if (f.number == 24)
            write_gpu(w, f.bytes);
}

static void write_record(struct smi_wandb *w, struct smi_text t)
{
    static const struct {
        uint64_t number;
        void (*write)(struct smi_wandb *w, struct smi_text t);
    } kinds[] = {{RECORD_STATS, write_stats},
                 {RECORD_HISTORY, write_history},
                 {RECORD_RUN, write_run},
                 {RECORD_EXIT, write_exit},
                 {RECORD_ENVIRONMENT, write_environment}};
    struct field f;
    while (next_field(&t, &f))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (f.number == kinds[i].number) {
                kinds[i].write(w, f.bytes);
                return;
            }
    bare_line(w, t.n ? "damaged record" : "other");
}

/* ---- records ---- */

/* The next block; w->n is 0 at the end. Returns 0, or -1 with err. */
static int read_block(struct smi_wandb *w, struct smi_err *err)
{
    w->n = w->at = 0;
    while (w->n < BLOCK && !w->ended) {
        ssize_t got = w->made.from->read(w->made.from, w->block + w->n, BLOCK - w->n, err);
        if (got < 0)
            return -1;
        w->ended = got == 0;
        w->n += (size_t)got;
    }
    return 0;
}

/* The parts of a record have come, or one of them will not. */
static void close_record(struct smi_wandb *w, bool whole)
{
    if (w->open && whole && !w->large)
        write_record(w, (struct smi_text){w->record.p ? w->record.p : "", w->record.n});
    else if (w->open)
        bare_line(w, whole ? "other" : "damaged record");
    w->open = w->large = false;
    smi_buf_clear(&w->record);
}

static void add_part(struct smi_wandb *w, unsigned type, struct smi_text part)
{
    if (type == FULL || type == FIRST) {
        close_record(w, false);
        w->open = true;
    } else if (!w->open) {
        bare_line(w, "damaged record");
        return;
    }
    w->large |= w->record.n + part.n > RECORD_MAX;
    if (!w->large)
        smi_buf_add(&w->record, part.p, part.n);
    if (type == FULL || type == LAST)
        close_record(w, true);
}

static uint32_t little(const char *p, unsigned bytes)
{
    uint32_t v = 0;
    while (bytes--)
        v = v << 8 | (unsigned char)p[bytes];
    return v;
}

/* The end of the file is inside of a record. */
static void end_torn(struct smi_wandb *w)
{
    w->open = false;
    w->at = w->n;
    smi_buf_str(&w->line, "a record that the end of the file cuts off");
}

/* A record, or a part of one, off the block. */
static void take_record(struct smi_wandb *w)
{
    const char *p = w->block + w->at;
    size_t left = w->n - w->at, n;
    unsigned type;
    uint32_t sum;
    if (left < HEADER) {
        w->at = w->n;
        if (w->n < BLOCK && left)
            end_torn(w);
        return;
    }
    sum = little(p, 4);
    n = little(p + 4, 2);
    type = (unsigned char)p[6];
    if (!sum && !n && !type) { /* nothing more in this block */
        w->at = w->n;
        return;
    }
    if (n + HEADER > left && w->n < BLOCK) {
        end_torn(w);
        return;
    }
    if (n + HEADER > left || type < FULL || type > LAST ||
        sum != (uint32_t)crc32(0, (const unsigned char *)p + 6, (unsigned)n + 1)) {
        w->open = true; /* one line, with the parts before it */
        close_record(w, false);
        w->at = n + HEADER > left ? w->n : w->at + HEADER + n;
        return;
    }
    w->at += HEADER + n;
    add_part(w, type, (struct smi_text){p + HEADER, n});
}

/* Until there is a line. */
static int fill_line(struct smi_made_source *self, struct smi_err *err)
{
    struct smi_wandb *w = (struct smi_wandb *)self;
    smi_buf_clear(&w->line);
    while (!w->line.n) {
        if (w->at == w->n && read_block(w, err))
            return -1;
        if (!w->n)
            break;
        take_record(w);
    }
    if (!w->n && w->open)
        end_torn(w);
    self->p = w->line.p;
    self->n = w->line.n;
    return 0;
}

struct smi_wandb *smi_wandb_open(struct smi_byte_source *from, struct smi_err *err)
{
    struct smi_wandb *w = smi_mem_new(1, sizeof *w);
    smi_made_source_open(&w->made, from, true, fill_line);
    if (read_block(w, err)) {
        smi_wandb_close(w);
        return NULL;
    }
    w->at = w->n < HEADER ? w->n : HEADER; /* the file's own header is as long */
    return w;
}

struct smi_byte_source *smi_wandb_source(struct smi_wandb *w)
{
    return &w->made.pull;
}

void smi_wandb_close(struct smi_wandb *w)
{
    if (!w)
        return;
    smi_buf_fini(&w->record);
    smi_buf_fini(&w->line);
    smi_mem_free(w);
}
