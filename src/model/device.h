/* device.h - the devices that one input speaks of, numbered in order of appearance. */
#pragma once

#include "base/err.h"
#include "base/map.h"
#include "base/text.h"

enum smi_device_key {
    SMI_DEVICE_KEY_UUID,
    SMI_DEVICE_KEY_BUS,
    SMI_DEVICE_KEY_SERIAL,
    SMI_DEVICE_KEY_INDEX,
    SMI_DEVICE_KEY_GPU,
    SMI_DEVICE_KEY_COUNT
};

enum {
    SMI_KEYLESS_GPUS_MAX = 32,                    /* most GPUs that print in turn without a key */
    SMI_NAMED_ROWS_MAX = 2 * SMI_KEYLESS_GPUS_MAX /* there is a whole turn among so many rows */
};

enum { SMI_DEVICE_MAX = 4096 }; /* devices of one input; rows of further ones are pooled */

struct smi_device {
    char *key[SMI_DEVICE_KEY_COUNT]; /* texts as printed, or NULL where the source never gave one */
    char *name;                      /* model, or NULL */
    int ordinal;                     /* place in the burst for sources without key, else -1 */
    bool by_gpu;                     /* its index is that of all others: the gpu cell counts */
    int64_t limit;                   /* the last power limit of its rows, in millionths of W; 0: none */
    bool machine;                    /* its rows name a machine, whose GPUs attribution tells apart */
};

/* So many rows without a key, one behind the other, say this name; empty: none. */
struct smi_named_rows {
    char *name;
    int64_t rows;
};

struct smi_devices {
    struct smi_device *list;
    size_t n, cap;
    uint64_t
        changes; /* counts up when a device is made or learns a key: what was looked up may be another now */
    size_t next; /* guess: sources print devices in turn */
    struct smi_map known;         /* of many devices: their keys */
    struct smi_named_rows *named; /* of the first rows without a key, whose GPU is not known yet */
    size_t nnamed, named_cap;
    char *all; /* of rows whose GPU is never known: the name that all of them say; or NULL */
};

/* The number of the device with these key cells (an empty text matches anything; at least one is not empty;
 * zeros in front of an index are nothing, nor is an index that is no number beside a UUID or a bus id), made
 * if it is new. Returns it, or SMI_DEVICE_POOL past SMI_DEVICE_MAX and where several devices fit. */
int smi_devices_find_key(struct smi_devices *d, const struct smi_text key[SMI_DEVICE_KEY_COUNT]);
/* The number of the device at this place of a burst, made if it is new. The same returns. */
int smi_devices_find_ordinal(struct smi_devices *d, int ordinal);
/* The number of a device of another list: by its place or its keys, made if it is new; fresh: made with its
 * keys, without a search for one that it may be. The same returns. */
int smi_devices_find_like(struct smi_devices *d, const struct smi_device *of, bool fresh);
/* The device that stands for a machine until its GPUs are told apart, then for GPU 0 of it. The same returns.
 */
int smi_devices_find_machine(struct smi_devices *d, struct smi_text name);
/* The number of GPU `place` of such a machine, made if it is new. The same returns. */
int smi_devices_find_on_machine(struct smi_devices *d, int machine, int place);
/* Remembers the model's name, once. */
void smi_devices_set_name(struct smi_devices *d, int who, struct smi_text name);
/* The name (or empty) in the next row without a key; then row `row` of them turns out to be about `who`. */
void smi_devices_note_name(struct smi_devices *d, struct smi_text name);
void smi_devices_take_name(struct smi_devices *d, int who, int64_t row);
/* The GPU of the rows without a key is never known: sets `all`, if they say one name. */
void smi_devices_name_all(struct smi_devices *d);
/* Such rows of b join those of a, or are the first there: another name, or (none) none at all, makes `all`
 * unknown. */
void smi_devices_join_all(struct smi_devices *a, struct smi_devices *b, bool first, bool none);
/* The list is not smi_devices_find_key's: sets by_gpu of all, where all have one index. */
void smi_devices_tell_apart(struct smi_devices *d);
/* The index as a number: from the index or gpu cell, else the ordinal; -1 if there is none. */
int smi_device_index(const struct smi_device *d);

/* What names a GPU: NULL, or -1, where it is not known. */
struct smi_gpu_keys {
    const char *uuid, *bus, *serial;
    int index;
};
enum smi_gpu_match { SMI_GPU_UNKNOWN /* no key that both have decides */, SMI_GPU_SAME, SMI_GPU_OTHER };

/* "00000000:8C:00.0" as domain, bus, device and function in one number; -1: the text is no bus id. Without
 * a domain it is in domain 0, without a function it is function 0. */
int64_t smi_device_bus(struct smi_text t);
/* Compares two keys of one kind; an order for smi_sort, in which 0 means that they name one GPU. UUIDs are
 * compared in any case, bus ids by their numbers: "0000:8c:00.0", "00000000:8C:00.0", "8c:00.0" and the
 * kernel's "0000:8c:00" are one. NULL comes last. */
int smi_device_compare_keys(enum smi_device_key kind, const char *a, const char *b);
struct smi_gpu_keys smi_device_keys(const struct smi_device *d);
/* Whether a and b are one GPU, the one rule for all logs and outputs: the first of UUID and bus id that both
 * have decides. Different serials are different GPUs; equal ones may be those of one board, so that an index
 * on both sides decides. */
enum smi_gpu_match smi_gpu_keys_match(const struct smi_gpu_keys *a, const struct smi_gpu_keys *b);
void smi_devices_fini(struct smi_devices *d);
