/* /proc/PID/smaps, a line for each mapping and its figures below:
 *
 *     55bc8605d000-55bc86062000 r-xp 00002000 fe:00 247134                     /usr/bin/cat
 *     Size:                 20 kB
 *     Shared_Clean:         12 kB
 *     Private_Dirty:         8 kB
 *     VmFlags: rd ex mr mw me
 *
 * A path is known by a hash of 64 bits. That two of a tree have the same is less likely than that the memory
 * errs. */
#include "process/tree_private.h"

enum { REST = 1 };

void smi_tree_table_clear(struct smi_tree_table *t)
{
    t->n = 0;
    smi_map_clear(&t->map);
}

void smi_tree_table_fini(struct smi_tree_table *t)
{
    smi_mem_free(t->list);
    smi_map_fini(&t->map);
    *t = (struct smi_tree_table){0};
}

static bool has_key(const void *list, size_t place, const void *key)
{
    return ((const struct smi_tree_path *)list)[place].key == *(const uint64_t *)key;
}

int smi_tree_table_max(struct smi_tree_table *t, uint64_t key, int part, int64_t bytes)
{
    size_t i = smi_map_find(&t->map, key, has_key, t->list, &key);
    if (i == SMI_MAP_NONE) {
        if (smi_mem_reserve(&t->list, &t->cap, t->n + 1, sizeof *t->list) || smi_map_add(&t->map, key, t->n))
            return -1;
        i = t->n++;
        t->list[i] = (struct smi_tree_path){.key = key};
    }
    if (bytes > t->list[i].of[part])
        t->list[i].of[part] = bytes;
    return 0;
}

/* ---- lines ---- */

static uint64_t hash_path(struct smi_text t)
{
    uint64_t h = smi_hash_bytes(t.p, t.n);
    return h > REST ? h : h + 2;
}

/* The path stands behind addresses, rights, offset, device and inode. */
static uint64_t mapping_path(struct smi_text line)
{
    static const char gone[] = " (deleted)";
    for (int i = 0; i < 5; i++)
        smi_text_word(&line);
    line = smi_text_trim(line);
    if (line.n > sizeof gone - 1 && !memcmp(line.p + line.n - (sizeof gone - 1), gone, sizeof gone - 1))
        line.n -= sizeof gone - 1;
    return hash_path(line.n ? line : smi_text_of("[anon]"));
}

/* The bytes of a figure, if the line is that of this key: "Shared_Clean:         12 kB". */
static int64_t read_figure(struct smi_text line, const char *key, size_t n)
{
    int64_t kb = 0;
    size_t i = n;
    if (line.n <= n || memcmp(line.p, key, n) != 0)
        return 0;
    while (i < line.n && line.p[i] == ' ')
        i++;
    for (; i < line.n && line.p[i] >= '0' && line.p[i] <= '9' && kb < INT64_C(1) << 40; i++)
        kb = kb * 10 + (line.p[i] - '0');
    return kb < INT64_C(1) << 40 ? kb * 1024 : 0;
}

#define FIGURE(line, key) read_figure(line, key, sizeof key - 1)

int smi_tree_smaps_end(struct smi_tree_smaps *s)
{
    int rc = 0;
    if (s->shared > 0)
        rc = smi_tree_table_max(s->paths, s->paths->n < SMI_TREE_PATHS ? s->key : REST, 0, s->shared);
    s->shared = 0;
    return rc;
}

int smi_tree_smaps_line(struct smi_tree_smaps *s, struct smi_text line)
{
    int rc;
    if (!line.n)
        return 0;
    if ((*line.p >= '0' && *line.p <= '9') || (*line.p >= 'a' && *line.p <= 'f')) {
        rc = smi_tree_smaps_end(s);
        s->any = true;
        s->key = mapping_path(line);
        return rc;
    }
    if (*line.p == 'S')
        s->shared = smi_tree_sum(s->shared, FIGURE(line, "Shared_Clean:") + FIGURE(line, "Shared_Dirty:") +
                                                FIGURE(line, "Shared_Hugetlb:"));
    else if (*line.p == 'P')
        s->private_ =
            smi_tree_sum(s->private_, FIGURE(line, "Private_Clean:") + FIGURE(line, "Private_Dirty:") +
                                          FIGURE(line, "Private_Hugetlb:"));
    return 0;
}
