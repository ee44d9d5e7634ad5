#include "model/device.h"

#include "base/mem.h"
#include "model/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

/* ---- keys ---- */

int64_t smi_device_bus(struct smi_text t)
{
    int64_t number[4] = {0}; /* parts between colons, then the function */
    int digits[4] = {0}, parts = 0, at = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] == ':' && at == parts && parts < 2) {
            at = ++parts;
        } else if (t.p[i] == '.' && at == parts) {
            at = 3;
        } else {
            const char c = t.p[i], letter = (char)(c | 32);
            if ((!smi_is_digit(c) && (letter < 'a' || letter > 'f')) || ++digits[at] > 8)
                return -1;
            number[at] = number[at] * 16 + (smi_is_digit(c) ? c - '0' : letter - 'a' + 10);
        }
    }
    if (parts < 1 || !digits[0] || digits[parts] != 2 || digits[parts - 1] != 2 || digits[3] > 1 ||
        (at == 3 && !digits[3]))
        return -1;
    return (parts == 2 ? number[0] : 0) << 20 | number[parts - 1] << 12 | number[parts] << 4 | number[3];
}

int smi_device_compare_keys(enum smi_device_key kind, const char *a, const char *b)
{
    int64_t x, y;
    if (!a || !b)
        return (a == NULL) - (b == NULL);
    if (kind > SMI_DEVICE_KEY_BUS)
        return smi_text_compare_natural(a, b);
    x = kind == SMI_DEVICE_KEY_BUS ? smi_device_bus(smi_text_of(a)) : -1;
    y = x < 0 ? -1 : smi_device_bus(smi_text_of(b));
    return x >= 0 && y >= 0 ? (x > y) - (x < y) : strcasecmp(a, b);
}

/* Whether a cell is the key, as smi_device_compare_keys. */
static bool key_equals(int kind, const char *key, struct smi_text t)
{
    int64_t bus;
    if (smi_text_is(t, key) || kind > SMI_DEVICE_KEY_BUS)
        return smi_text_is(t, key);
    bus = kind == SMI_DEVICE_KEY_BUS ? smi_device_bus(t) : -1;
    if (bus >= 0)
        return bus == smi_device_bus(smi_text_of(key));
    return smi_text_is_nocase(t, key);
}

struct smi_gpu_keys smi_device_keys(const struct smi_device *d)
{
    return (struct smi_gpu_keys){d->key[SMI_DEVICE_KEY_UUID], d->key[SMI_DEVICE_KEY_BUS],
                                 d->key[SMI_DEVICE_KEY_SERIAL], smi_device_index(d)};
}

enum smi_gpu_match smi_gpu_keys_match(const struct smi_gpu_keys *a, const struct smi_gpu_keys *b)
{
    const bool serials = a->serial && b->serial, equal = serials && strcmp(a->serial, b->serial) == 0;
    if (a->uuid && b->uuid)
        return smi_device_compare_keys(SMI_DEVICE_KEY_UUID, a->uuid, b->uuid) ? SMI_GPU_OTHER : SMI_GPU_SAME;
    if (serials && !equal)
        return SMI_GPU_OTHER;
    if (a->bus && b->bus)
        return smi_device_compare_keys(SMI_DEVICE_KEY_BUS, a->bus, b->bus) ? SMI_GPU_OTHER : SMI_GPU_SAME;
    if (a->index >= 0 && b->index >= 0)
        return a->index == b->index ? SMI_GPU_SAME : SMI_GPU_OTHER;
    return equal ? SMI_GPU_SAME : SMI_GPU_UNKNOWN;
}

/* How many cells say so; 0 where one says otherwise. A UUID decides alone, and so does a bus id without one,
 * but for another serial number or machine: what else differs behind them is a number that the GPU has now.
 */
static int shared_keys(const struct smi_device *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    bool decided = false;
    int shared = 0;
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        if (!key[k].n || !d->key[k])
            continue;
        if (key_equals(k, d->key[k], key[k])) {
            decided |= k <= SMI_DEVICE_KEY_BUS;
            shared++;
        } else if (!decided || (k == SMI_DEVICE_KEY_SERIAL &&
                                !(key[SMI_DEVICE_KEY_UUID].n && d->key[SMI_DEVICE_KEY_UUID]))) {
            return 0;
        }
    }
    return shared;
}

/* ---- which keys there are at all: a log of a thousand GPUs would else be a search through all of them a row
 * ---- */

/* Keys that are equal have one hash: a bus id that of its number, a UUID that of its first small letters. */
static uint64_t hash_key(int kind, struct smi_text t)
{
    char small[64];
    const int64_t bus = kind == SMI_DEVICE_KEY_BUS ? smi_device_bus(t) : -1;
    if (bus >= 0)
        return smi_hash_pair((uint64_t)bus, (uint64_t)kind);
    if (kind <= SMI_DEVICE_KEY_BUS) {
        t.n = t.n < sizeof small ? t.n : sizeof small;
        for (size_t i = 0; i < t.n; i++)
            small[i] = (char)(t.p[i] >= 'A' && t.p[i] <= 'Z' ? t.p[i] | 32 : t.p[i]);
        t.p = small;
    }
    return smi_hash_pair(smi_hash_bytes(t.p, t.n), (uint64_t)kind);
}

/* Two keys of one hash are rare, and only cost a search in vain. */
static bool is_known(const struct smi_devices *d, uint64_t hash)
{
    return smi_map_find(&d->known, hash, NULL, NULL, NULL) != SMI_MAP_NONE;
}

static void add_key(struct smi_devices *d, size_t at, int kind)
{
    const uint64_t hash = hash_key(kind, smi_text_of(d->list[at].key[kind]));
    if (!is_known(d, hash))
        smi_map_add(&d->known, hash, 0);
}

/* false: no device has one of these keys. The map begins here: devices of a partial summary come without. */
static bool may_know_keys(struct smi_devices *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    enum { MANY = 64 /* keys of a few devices are not worth a map */ };
    bool some = d->n < MANY, first = !some && !d->known.n;
    for (size_t i = 0; i < d->n && first; i++)
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            if (d->list[i].key[k])
                add_key(d, i, k);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT && !some; k++)
        some = key[k].n && is_known(d, hash_key(k, key[k]));
    return some;
}

/* ---- devices ---- */

/* A key with a NUL in it is no key: it would never be found again; nor is one that is not UTF-8: in a partial
 * summary it would be another. */
static bool is_clean_key(struct smi_text key)
{
    return !key.n || (!memchr(key.p, 0, key.n) && smi_text_is_utf8(key));
}

void smi_devices_tell_apart(struct smi_devices *d)
{
    bool same = d->n > 1;
    for (size_t i = 0; i < d->n && same; i++)
        same = d->list[i].key[SMI_DEVICE_KEY_INDEX] && d->list[i].key[SMI_DEVICE_KEY_GPU] &&
               strcmp(d->list[i].key[SMI_DEVICE_KEY_INDEX], d->list[0].key[SMI_DEVICE_KEY_INDEX]) == 0;
    for (size_t i = 0; i < d->n; i++)
        d->list[i].by_gpu = same;
}

/* Takes over the cells that the device did not have yet: [N/A] in its first rows. */
static void adopt_keys(struct smi_devices *all, size_t at, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    struct smi_device *d = &all->list[at];
    uint64_t before = all->changes;
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++) {
        if (!key[k].n || d->key[k] || !is_clean_key(key[k]))
            continue;
        d->key[k] = smi_mem_text(key[k].p, key[k].n);
        all->changes++;
        if (all->known.n)
            add_key(all, at, k);
    }
    if (all->changes != before)
        smi_devices_tell_apart(all);
}

/* A new device without keys: its number, or SMI_DEVICE_POOL past the limit. */
static int add_device(struct smi_devices *d)
{
    if (d->n >= SMI_DEVICE_MAX)
        return SMI_DEVICE_POOL;
    smi_mem_reserve(&d->list, &d->cap, d->n + 1, sizeof *d->list);
    d->list[d->n].ordinal = -1;
    d->changes++;
    return (int)d->n++;
}

static int add_device_with_keys(struct smi_devices *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    int who;
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        if (!is_clean_key(key[k]))
            return SMI_DEVICE_POOL;
    who = add_device(d);
    if (who >= 0)
        adopt_keys(d, (size_t)who, key);
    return who;
}

/* Of the devices that fit, the one with most of the row's keys: where the first rows of one GPU named it by
 * different keys, there are two of it. A row that leaves out a key of it tells none of several. */
static int find_device(struct smi_devices *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    size_t at = d->next < d->n ? d->next : 0, best = 0, fit = 0;
    /* most: twice the shared keys, and 1 if both have the same ones; less: the row leaves one out */
    int most = 0, less = 0, who;
    /* the guess first; if it fails, all others, unless none of them can be it */
    for (size_t i = 0; i < d->n && !(most & 1) && (i != 1 || fit || may_know_keys(d, key));
         i++, at = at + 1 < d->n ? at + 1 : 0) {
        const struct smi_device *one = &d->list[at];
        int rank = 2 * shared_keys(one, key);
        bool same = rank > 0, lacks = false;
        fit += same;
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT && rank; k++) {
            same &= (one->key[k] != NULL) == (key[k].n > 0);
            lacks |= one->key[k] && !key[k].n;
        }
        rank += same;
        if (rank < most || (rank == most && at > best)) /* whichever the guess was */
            continue;
        most = rank;
        best = at;
        less = lacks;
    }
    if (less && fit > 1)
        return SMI_DEVICE_POOL;
    if (fit)
        adopt_keys(d, best, key);
    who = fit ? (int)best : add_device_with_keys(d, key);
    d->next = who >= 0 ? (size_t)who + 1 : d->next;
    return who;
}

int smi_devices_find_key(struct smi_devices *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT])
{
    struct smi_text less[SMI_DEVICE_KEY_COUNT];
    const struct smi_text index = key[SMI_DEVICE_KEY_INDEX];
    /* Where a UUID or a bus id names the GPU, an index that is no number is a damaged cell. */
    const bool damaged =
        (key[SMI_DEVICE_KEY_UUID].n || key[SMI_DEVICE_KEY_BUS].n) && smi_text_digits(index) < index.n;
    memcpy(less, key, sizeof less);
    if (damaged)
        less[SMI_DEVICE_KEY_INDEX] = (struct smi_text){NULL, 0};
    for (int k = SMI_DEVICE_KEY_INDEX; k <= SMI_DEVICE_KEY_GPU; k++)
        while (less[k].n > 1 && *less[k].p == '0' && smi_text_digits(less[k]) == less[k].n)
            less[k] = smi_text_from(less[k], 1); /* "00" is GPU 0 */
    return find_device(d, less);
}

int smi_devices_find_ordinal(struct smi_devices *d, int ordinal)
{
    int who;
    if (ordinal >= 0 && (size_t)ordinal < d->n && d->list[ordinal].ordinal == ordinal)
        return ordinal;
    for (size_t i = 0; i < d->n; i++)
        if (d->list[i].ordinal == ordinal)
            return (int)i;
    who = add_device(d);
    if (who >= 0)
        d->list[who].ordinal = ordinal;
    return who;
}

int smi_devices_find_like(struct smi_devices *d, const struct smi_device *of, bool fresh)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT];
    if (of->ordinal >= 0 && !fresh)
        return smi_devices_find_ordinal(d, of->ordinal);
    for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
        key[k] = smi_text_of(of->key[k] ? of->key[k] : "");
    return fresh ? add_device_with_keys(d, key) : smi_devices_find_key(d, key);
}

int smi_devices_find_machine(struct smi_devices *d, struct smi_text name)
{
    const struct smi_text key[SMI_DEVICE_KEY_COUNT] = {[SMI_DEVICE_KEY_SERIAL] = name};
    int who;
    for (size_t i = 0; i < d->n; i++)
        if (d->list[i].machine && smi_text_is(name, d->list[i].key[SMI_DEVICE_KEY_SERIAL]))
            return (int)i;
    who = add_device_with_keys(d, key);
    if (who >= 0)
        d->list[who].machine = true;
    return who;
}

int smi_devices_find_on_machine(struct smi_devices *d, int machine, int place)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{NULL, 0}};
    char digits[12];
    int who = machine;
    key[SMI_DEVICE_KEY_SERIAL] = smi_text_of(d->list[machine].key[SMI_DEVICE_KEY_SERIAL]);
    key[SMI_DEVICE_KEY_INDEX] =
        (struct smi_text){digits, (size_t)snprintf(digits, sizeof digits, "%d", place)};
    if (place == 0)
        adopt_keys(d, (size_t)machine, key);
    else
        who = find_device(d, key);
    if (d->list[machine].name)
        smi_devices_set_name(d, who, smi_text_of(d->list[machine].name));
    return who;
}

void smi_devices_set_name(struct smi_devices *d, int who, struct smi_text name)
{
    if (who < 0 || (size_t)who >= d->n || d->list[who].name)
        return;
    d->list[who].name = smi_mem_text(name.p, name.n);
}

void smi_devices_note_name(struct smi_devices *d, struct smi_text name)
{
    struct smi_named_rows *last = d->nnamed ? &d->named[d->nnamed - 1] : NULL;
    if (!last || !smi_text_is(name, last->name)) {
        last = SMI_MEM_ADD(d->named, d->nnamed, d->named_cap);
        *last = (struct smi_named_rows){.name = smi_mem_text(name.p, name.n)};
    }
    last->rows++;
}

void smi_devices_take_name(struct smi_devices *d, int who, int64_t row)
{
    for (size_t i = 0; i < d->nnamed && row >= 0; row -= d->named[i++].rows)
        if (row < d->named[i].rows && *d->named[i].name) {
            smi_devices_set_name(d, who, smi_text_of(d->named[i].name));
            return;
        }
}

void smi_devices_name_all(struct smi_devices *d)
{
    if (!d->all && d->nnamed == 1 && *d->named->name)
        d->all = smi_mem_text(d->named->name, strlen(d->named->name));
}

void smi_devices_join_all(struct smi_devices *a, struct smi_devices *b, bool first, bool none)
{
    if (first) {
        smi_mem_free(a->all);
        a->all = b->all;
        b->all = NULL;
    } else if (a->all && (b->all ? strcmp(a->all, b->all) != 0 : none)) {
        smi_mem_free(a->all);
        a->all = NULL;
    }
}

/* The cell as a number: digits only, and not more than any machine has. -1 if it is none. */
static int read_index(const char *text)
{
    const struct smi_text t = smi_text_of(text ? text : "");
    return t.n && t.n <= 6 && smi_text_digits(t) == t.n ? atoi(text) : -1;
}

int smi_device_index(const struct smi_device *d)
{
    int v = d->by_gpu ? -1 : read_index(d->key[SMI_DEVICE_KEY_INDEX]);
    if (v < 0)
        v = read_index(d->key[SMI_DEVICE_KEY_GPU]);
    return v < 0 ? d->ordinal : v;
}

void smi_devices_fini(struct smi_devices *d)
{
    for (size_t i = 0; i < d->n; i++) {
        for (int k = 0; k < SMI_DEVICE_KEY_COUNT; k++)
            smi_mem_free(d->list[i].key[k]);
        smi_mem_free(d->list[i].name);
    }
    for (size_t i = 0; i < d->nnamed; i++)
        smi_mem_free(d->named[i].name);
    smi_mem_free(d->named);
    smi_mem_free(d->all);
    smi_mem_free(d->list);
    smi_map_fini(&d->known);
    *d = (struct smi_devices){0};
}
