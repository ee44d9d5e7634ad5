/* cache.c - runs in and out of the cache, on any thread. */
#include "cache/file.h"

#include "archive/digest.h"
#include "summary/image.h"

#include <stdlib.h>
#include <string.h>

enum {
    GATHERED = 16 << 20, /* bytes of new rows that are written at once */
    PIECE_MAX = 1 << 30
};

struct smi_cache *smi_cache_open(const char *file, const struct smi_question *q, struct smi_err *err)
{
    struct smi_cache *c = smi_mem_new(1, sizeof *c);
    struct smi_buf key = {0};
    smi_question_key(&key, q);
    if (!c || key.failed) {
        smi_mem_free(c);
        smi_buf_fini(&key);
        smi_err_nomem(err);
        return NULL;
    }
    c->form = (int64_t)smi_digest_of(key.p, key.n);
    smi_buf_char(&key, 1);
    c->salt = smi_digest_of(key.p, key.n);
    smi_buf_fini(&key);
    pthread_mutex_init(&c->lock, NULL);
    smi_cache_file_open(c, file);
    return c;
}

struct smi_looks *smi_cache_looks(struct smi_cache *c)
{
    return c->db ? &c->looks : NULL;
}

/* ---- looking for a run ---- */

static int64_t id_of(const struct smi_cache *c, const char *name)
{
    return (int64_t)(smi_digest_of(name, strlen(name)) ^ c->salt);
}

struct head {
    uint64_t sum;
    int64_t usable;
    uint64_t odd, text, all; /* bytes; behind both stands the image; all: of the whole, spread, without this head */
};

/* Structures are zero for the most part, and texts never: of every 64 words of 8 bytes a word says which are not zero,
 * and these follow. n is a multiple of 8. */
static size_t squeeze(char *to, const char *p, size_t n)
{
    size_t words = n / 8, at = 0;
    for (size_t i = 0; i < words; i += 64) {
        uint64_t some = 0, v;
        size_t map = at, end = words - i < 64 ? words - i : 64;
        at += sizeof some;
        for (size_t k = 0; k < end; k++) {
            memcpy(&v, p + (i + k) * 8, sizeof v);
            memcpy(to + at, &v, sizeof v);
            at += v ? sizeof v : 0;
            some |= (uint64_t)(v != 0) << k;
        }
        memcpy(to + map, &some, sizeof some);
    }
    return at;
}

/* Bytes that squeeze may write. */
static size_t squeezed_most(size_t n)
{
    return n + n / 64 + 16;
}

/* Back to n bytes. Returns 0, or -1: from the `size` bytes at p come others. */
static int spread(char *to, size_t n, const char *p, size_t size)
{
    size_t words = n / 8, at = 0;
    for (size_t i = 0; i < words; i += 64) {
        uint64_t some;
        if (size - at < sizeof some)
            return -1;
        memcpy(&some, p + at, sizeof some);
        at += sizeof some;
        if (size - at < (size_t)__builtin_popcountll(some) * 8 || (words - i < 64 && some >> (words - i)))
            return -1;
        memset(to + i * 8, 0, (words - i < 64 ? words - i : 64) * 8);
        for (; some; some &= some - 1, at += 8)
            memcpy(to + (i + (size_t)__builtin_ctzll(some)) * 8, p + at, 8);
    }
    return at == size ? 0 : -1;
}

/* Back from the bytes. Returns 1, 0: they are damaged, or -1 without memory. */
static int unpack(const struct smi_cache *c, struct smi_cache_room *k, struct smi_summary *out)
{
    struct head h;
    int rc;
    if (k->packed.n < sizeof h || !smi_cache_is_whole(k->packed.p, k->packed.n, c->salt))
        return 0;
    memcpy(&h, k->packed.p, sizeof h);
    if (h.all > PIECE_MAX || h.all % 8 || h.odd > h.all || h.text > h.all - h.odd)
        return 0;
    smi_buf_clear(&k->room);
    if (!smi_buf_room(&k->room, h.all))
        return -1;
    if (spread(k->room.p, h.all, k->packed.p + sizeof h, k->packed.n - sizeof h))
        return 0;
    k->usable = h.usable;
    k->odd = (struct smi_text){k->room.p, h.odd};
    k->text = (struct smi_text){k->room.p + h.odd, h.text};
    rc = smi_summary_unpack(out, k->room.p + h.odd + h.text, h.all - h.odd - h.text);
    return rc < 0 ? -1 : rc == 0;
}

/* Locked. */
static bool note_seen(struct smi_cache *c, int64_t id)
{
    if (smi_mem_reserve(&c->seen, &c->seen_cap, c->nseen + 1, sizeof *c->seen))
        return false;
    c->seen[c->nseen++] = id;
    return true;
}

int smi_cache_get(struct smi_cache *c, const struct smi_found_run *r, const char *place, struct smi_summary *out,
                  struct smi_cache_room *k, struct smi_err *err)
{
    int64_t id = k->id = id_of(c, r->name);
    bool found = false;
    int rc;
    smi_buf_clear(&k->packed);
    if (!smi_run_key(k, r, place)) {
        rc = k->key.failed ? -1 : 0;
        smi_buf_clear(&k->key);
        return rc ? smi_err_nomem(err) : 0;
    }
    pthread_mutex_lock(&c->lock);
    if (c->db && c->any && !c->silent)
        found = smi_cache_fetch(c, id, k);
    pthread_mutex_unlock(&c->lock);
    if (k->packed.failed)
        return smi_err_nomem(err);
    rc = found ? unpack(c, k, out) : 0;
    if (rc <= 0)
        return rc < 0 ? smi_err_nomem(err) : 0;
    pthread_mutex_lock(&c->lock);
    c->silent |= !note_seen(c, id);
    pthread_mutex_unlock(&c->lock);
    return 1;
}

/* ---- keeping a run ---- */

static bool pack(const struct smi_cache *c, const struct smi_summary *s, struct smi_cache_room *k)
{
    struct head h = {0, k->usable, k->odd.n, k->text.n, 0};
    smi_buf_clear(&k->room);
    smi_buf_add(&k->room, k->odd.n ? k->odd.p : "", k->odd.n);
    smi_buf_add(&k->room, k->text.n ? k->text.p : "", k->text.n);
    smi_summary_pack(&k->room, s);
    while (k->room.n % 8 && !k->room.failed)
        smi_buf_char(&k->room, 0);
    smi_buf_clear(&k->packed);
    smi_buf_add(&k->packed, (const char *)&h, sizeof h);
    if (k->room.failed || k->room.n > PIECE_MAX || !smi_buf_room(&k->packed, squeezed_most(k->room.n)))
        return false;
    h.all = k->room.n;
    memcpy(k->packed.p, &h, sizeof h);
    k->packed.n = sizeof h + squeeze(k->packed.p + sizeof h, k->room.p, k->room.n);
    smi_cache_seal(&k->packed, 0, c->salt);
    return true;
}

void smi_cache_put(struct smi_cache *c, const struct smi_summary *s, struct smi_cache_room *k)
{
    struct row r;
    if (!c->db || !k->key.n || !pack(c, s, k))
        return;
    pthread_mutex_lock(&c->lock);
    r = (struct row){k->id, c->fresh.n, k->key.n, k->packed.n};
    if (!c->silent && !smi_mem_reserve(&c->row, &c->cap, c->rows + 1, sizeof *c->row)) {
        smi_buf_add(&c->fresh, k->key.p, k->key.n);
        smi_buf_add(&c->fresh, k->packed.p, k->packed.n);
        c->row[c->rows++] = r;
        c->silent |= c->fresh.failed || !note_seen(c, r.id);
        if (c->fresh.n > GATHERED)
            smi_cache_write(c, false);
    }
    pthread_mutex_unlock(&c->lock);
}

void smi_cache_end(struct smi_cache *c)
{
    if (!c->db)
        return;
    if (smi_cache_count(c) != (int64_t)c->nseen || c->rows || smi_looks_changed(&c->looks))
        smi_cache_write(c, true);
}

const char *smi_cache_said(const struct smi_cache *c)
{
    return c->said.code ? c->said.text : NULL;
}

void smi_cache_close(struct smi_cache *c)
{
    if (!c)
        return;
    smi_cache_file_shut(c);
    pthread_mutex_destroy(&c->lock);
    smi_looks_fini(&c->looks);
    smi_buf_fini(&c->fresh);
    smi_mem_free(c->row);
    smi_mem_free(c->seen);
    smi_mem_free(c);
}

void smi_cache_room_fini(struct smi_cache_room *k)
{
    smi_buf_fini(&k->key);
    smi_buf_fini(&k->packed);
    smi_buf_fini(&k->room);
    *k = (struct smi_cache_room){0};
}
