/* cache.c - runs in and out of the cache, on any thread. */
#include "sweep/cache_file_private.h"

#include "base/digest.h"
#include "summary/summary_image.h"

#include <stdlib.h>
#include <string.h>

enum {
    GATHERED = 16 << 20, /* bytes of new rows that are written at once */
    PIECE_MAX = 1 << 30
};

struct smi_cache *smi_cache_open(const char *file, const struct smi_cache_question *q, struct smi_err *err)
{
    struct smi_cache *c = smi_mem_new(1, sizeof *c);
    struct smi_buf key = {0};
    smi_cache_question_key(&key, q);
    if (!c || key.failed) {
        smi_mem_free(c);
        smi_buf_fini(&key);
        smi_err_nomem(err);
        return NULL;
    }
    c->form = (int64_t)smi_digest_of(key.p, key.n);
    smi_buf_char(&key, 4); /* how its pieces are laid out */
    c->salt = smi_digest_of(key.p, key.n);
    smi_buf_fini(&key);
    pthread_mutex_init(&c->lock, NULL);
    smi_cache_file_open(c, file);
    return c;
}

struct smi_stat_cache *smi_cache_stat_cache(struct smi_cache *c)
{
    return c->db ? &c->looks : NULL;
}

/* ---- looking for a run ---- */

struct head {
    uint64_t sum;
    int64_t usable;
    uint64_t odd, text, image; /* bytes; both texts as they are, then the image, to be spread */
};

/* Structures are zero for the most part, and texts never: of every 64 words of 8 bytes a word says which are
 * not zero, and these follow. n is a multiple of 8. */
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

/* Back to n bytes, which are zero. Returns 0, or -1: from the `size` bytes at p come others. */
static int expand_zeros(char *to, size_t n, const char *p, size_t size)
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
        for (; some; some &= some - 1, at += 8)
            memcpy(to + (i + (size_t)__builtin_ctzll(some)) * 8, p + at, 8);
    }
    return at == size ? 0 : -1;
}

/* Back from the bytes, in which both texts stay. Returns 1, 0: they are damaged, or -1 without memory. */
static int unpack(const struct smi_cache *c, struct smi_cache_thread *k, struct smi_summary *out)
{
    const struct smi_text from = {k->packed.p, k->packed.n};
    struct head h;
    const char *p = from.p + sizeof h;
    size_t n = from.n - sizeof h;
    char *to;
    if (from.n < sizeof h || !smi_cache_is_whole(from.p, from.n, c->salt))
        return 0;
    memcpy(&h, from.p, sizeof h);
    if (h.image > PIECE_MAX || h.image % 8 || h.odd > n || h.text > n - h.odd)
        return 0;
    smi_buf_clear(&k->room);
    to = smi_buf_room(&k->room, h.image);
    if (!to)
        return -1;
    memset(to, 0, h.image);
    k->odd = (struct smi_text){p, h.odd};
    k->text = (struct smi_text){p + h.odd, h.text};
    p += h.odd + h.text;
    n -= h.odd + h.text;
    k->usable = h.usable;
    return !expand_zeros(to, h.image, p, n) && !smi_summary_unpack(out, to, h.image);
}

/* The run is, and stays in the file. Locked. */
static void note_seen(struct smi_cache *c, int64_t id)
{
    if (smi_mem_reserve(&c->seen, &c->seen_cap, c->nseen + 1, sizeof *c->seen))
        c->silent = true;
    else
        c->seen[c->nseen++] = id;
}

int smi_cache_get(struct smi_cache *c, const struct smi_found_run *r, const char *place,
                  struct smi_summary *out, struct smi_cache_thread *k, struct smi_err *err)
{
    bool there;
    int rc;
    k->id = (int64_t)(smi_digest_of(r->name, strlen(r->name)) ^ c->salt);
    if (!smi_cache_run_key(k, r, place)) {
        rc = k->key.failed ? smi_err_nomem(err) : 0;
        smi_buf_clear(&k->key);
        return rc;
    }
    pthread_mutex_lock(&c->lock);
    there = c->db && c->any && !c->silent && smi_cache_fetch(c, k);
    pthread_mutex_unlock(&c->lock);
    rc = there ? unpack(c, k, out) : 0;
    if (rc > 0) {
        pthread_mutex_lock(&c->lock);
        note_seen(c, k->id);
        pthread_mutex_unlock(&c->lock);
    }
    return rc < 0 ? smi_err_nomem(err) : rc;
}

/* ---- keeping a run ---- */

static bool pack_run(const struct smi_cache *c, const struct smi_summary *s, struct smi_cache_thread *k)
{
    struct head h = {0, k->usable, k->odd.n, k->text.n, 0};
    struct smi_buf *to = &k->packed;
    smi_buf_clear(&k->room);
    smi_summary_pack(&k->room, s);
    while (k->room.n % 8 && !k->room.failed)
        smi_buf_char(&k->room, 0);
    h.image = k->room.n;
    smi_buf_clear(to);
    smi_buf_add(to, (const char *)&h, sizeof h);
    smi_buf_add(to, k->odd.n ? k->odd.p : "", k->odd.n);
    smi_buf_add(to, k->text.n ? k->text.p : "", k->text.n);
    if (k->room.failed || to->failed || to->n + k->room.n > PIECE_MAX ||
        !smi_buf_room(to, squeezed_most(k->room.n)))
        return false;
    to->n += squeeze(to->p + to->n, k->room.p, k->room.n);
    smi_cache_seal(to, 0, c->salt);
    return true;
}

void smi_cache_put(struct smi_cache *c, const struct smi_summary *s, struct smi_cache_thread *k)
{
    struct smi_cache_row r;
    if (!c->db || c->silent || !k->key.n || !pack_run(c, s, k))
        return;
    pthread_mutex_lock(&c->lock);
    note_seen(c, k->id);
    r = (struct smi_cache_row){k->id, c->fresh.n, k->key.n, k->packed.n};
    if (!smi_mem_reserve(&c->row, &c->cap, c->rows + 1, sizeof *c->row)) {
        smi_buf_add(&c->fresh, k->key.p, k->key.n);
        smi_buf_add(&c->fresh, k->packed.p, k->packed.n);
        c->row[c->rows++] = r;
        if (c->fresh.failed)
            c->silent = true;
        if (c->fresh.n > GATHERED)
            smi_cache_write(c, false);
    }
    pthread_mutex_unlock(&c->lock);
}

void smi_cache_thread_fini(struct smi_cache_thread *k)
{
    smi_buf_fini(&k->key);
    smi_buf_fini(&k->packed);
    smi_buf_fini(&k->room);
}

void smi_cache_finish(struct smi_cache *c)
{
    if (!c->db)
        return;
    if (smi_cache_count(c) != (int64_t)c->nseen || c->rows || smi_stat_cache_changed(&c->looks))
        smi_cache_write(c, true);
}

const char *smi_cache_warning(const struct smi_cache *c)
{
    return c->said.code ? c->said.text : NULL;
}

void smi_cache_close(struct smi_cache *c)
{
    if (!c)
        return;
    smi_cache_file_close(c);
    pthread_mutex_destroy(&c->lock);
    smi_stat_cache_fini(&c->looks);
    smi_buf_fini(&c->fresh);
    smi_mem_free(c->row);
    smi_mem_free(c->seen);
    smi_mem_free(c);
}
