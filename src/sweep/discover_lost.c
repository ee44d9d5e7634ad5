/* discover_lost.c - runs of which no log is left: the program died before its monitor wrote a row, or there
 * was no monitor. They count as runs without data, as long as something shows that there was a run. */
#include "sweep/discover_private.h"

#include "formats/file_group.h"

#include <string.h>

bool smi_entry_is_log(const struct smi_entry *e)
{
    return e->kind == SMI_ENTRY_LOG || e->kind == SMI_ENTRY_STREAM;
}

bool smi_dir_has_log(const struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].kind == SMI_ENTRY_LOG)
            return true;
    return false;
}

/* ---- the names of all logs: a file of such a name was to be one, whatever number it has ---- */

static const char digits[] = "0123456789";

/* Do a and b differ in their digits only? */
static bool same_but_digits(const char *a, const char *b)
{
    while (*a || *b) {
        size_t n = strspn(a, digits), m = strspn(b, digits);
        if (!n != !m || (!n && *a != *b))
            return false;
        a += n ? n : 1;
        b += m ? m : 1;
    }
    return true;
}

static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0;
    for (; *name; name += strspn(name, digits)) {
        size_t n = strcspn(name, digits);
        hash = smi_hash_pair(hash, smi_hash_bytes(name, n));
        name += n;
    }
    return hash;
}

static bool is_name(const void *list, size_t place, const void *key)
{
    const char *name = ((const char *const *)list)[place];
    return strcmp(name, key) == 0 || same_but_digits(name, key);
}

static bool has_name(const struct smi_log_names *l, const char *name)
{
    return smi_map_find(&l->map, hash_name(name), is_name, l->list, name) < l->n;
}

static void add_name(struct smi_log_names *l, const char *name)
{
    if (has_name(l, name))
        return;
    smi_mem_reserve(&l->list, &l->cap, l->n + 1, sizeof *l->list);
    l->list[l->n] = name;
    smi_map_add(&l->map, hash_name(name), l->n++);
}

void smi_discovery_collect_names(struct smi_log_names *l, const struct smi_dir *t)
{
    for (size_t i = 0; i < t->entries; i++)
        if (t->entry[i].sub && !t->entry[i].sub->samples)
            smi_discovery_collect_names(l, t->entry[i].sub);
        else if (!t->entry[i].sub && t->parent && t->entry[i].kind == SMI_ENTRY_LOG)
            add_name(l, t->entry[i].name);
}

/* ---- what shows a run ---- */

static bool is_marker(const struct smi_entry *e)
{
    return strcmp(e->name, "wandb-metadata.json") == 0 || smi_config_is_hydra(e->name);
}

/* "0001.txt": of such a name, one with another number tells nothing. */
static bool is_number(const char *name)
{
    return strspn(name, digits) >= strcspn(name, ".");
}

/* alike: its number does not matter */
static bool has_log_called(const struct smi_dir *t, const char *name, bool alike)
{
    bool has = false;
    for (size_t i = 0; i < t->entries && !has; i++)
        has = t->entry[i].kind == SMI_ENTRY_LOG &&
              (alike ? same_but_digits(t->entry[i].name, name) : strcmp(t->entry[i].name, name) == 0);
    return has;
}

/* Whatever it holds ("zsh: permission denied: ./sample.sh"): is it a log in a directory beside t? With
 * another number: in one whose own name differs by a number, as 1/out1.csv and 2/out2.csv. */
static bool is_log_of_sibling(const struct smi_log_names *l, const struct smi_dir *t, const char *name)
{
    const bool numbered = t->self && !is_number(name);
    bool has = false;
    if (!has_name(l, name)) /* in no directory */
        return false;
    for (size_t i = 0; i < t->parent->entries && !has; i++) {
        const struct smi_entry *e = &t->parent->entry[i];
        has = e->sub && has_log_called(e->sub, name, numbered && same_but_digits(e->name, t->self->name));
    }
    return has;
}

/* Begun as a log and never written, or called as the logs of the directories beside t, or the marker of a
 * tool that keeps a directory for each run; or NULL. */
static const struct smi_entry *find_evidence(const struct smi_log_names *l, const struct smi_dir *t)
{
    const struct smi_entry *called = NULL, *marker = NULL, *asked = NULL;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        if (e->kind == SMI_ENTRY_OTHER && e->broken &&
            (has_name(l, e->name) || smi_file_group_names_gpus(e->name)))
            return e;
        if (!called && e->kind == SMI_ENTRY_OTHER && !(asked && same_but_digits(asked->name, e->name))) {
            called = is_log_of_sibling(l, t, e->name) ? e : NULL;
            asked = is_number(e->name) ? NULL : e; /* once for all of img_0001.txt, img_0002.txt ... */
        }
        if (!marker && is_marker(e))
            marker = e;
    }
    return called ? called : marker;
}

static bool has_log_below(const struct smi_dir *t)
{
    bool has = false;
    for (size_t i = 0; i < t->entries && !has; i++)
        has = t->entry[i].sub ? has_log_below(t->entry[i].sub) : t->entry[i].kind == SMI_ENTRY_LOG;
    return has;
}

bool smi_dir_has_gpu_log(const struct smi_dir *t)
{
    bool has = false;
    for (size_t i = 0; i < t->entries && !has; i++)
        has = t->entry[i].kind == SMI_ENTRY_LOG && t->entry[i].format >= 0 &&
              smi_format_infos[t->entry[i].format].gpu;
    return has;
}

/* ---- the runs ---- */

/* c: what the files of its directory say. The sentence why there is no log comes before theirs. */
static void add_reason(struct smi_discovery *g, struct smi_cluster *c, const struct smi_entry *e)
{
    struct smi_config_params *with = smi_arena_new(&g->out->arena, 1, sizeof *with);
    size_t more = c->config ? c->config->problems : 0;
    const char *slash = strrchr(e->name, '/'), *name = slash ? slash + 1 : e->name;
    struct smi_buf b = {0};
    if (c->config)
        *with = *c->config;
    with->problem = smi_arena_new(&g->out->arena, more + 1, sizeof *with->problem);
    if (is_marker(e))
        smi_buf_fmt(&b, "no log beside %s", e->name);
    else if (e->broken || e->text)
        smi_buf_fmt(&b, "%s: cannot be used: %s", name, e->text ? e->text : "");
    else
        smi_buf_fmt(&b, "%s: no log, though files of this name%s in other directories are", name,
                    name[strcspn(name, digits)] && !is_number(name) ? " but for numbers" : "");
    with->problem[0] = smi_buf_keep(&b, &g->out->arena);
    for (size_t i = 0; i < more; i++)
        with->problem[i + 1] = c->config->problem[i];
    with->problems = more + 1;
    c->config = with;
}

/* What was said of a file, before it was known to be of a run that says it. */
static void unsay_error(struct smi_discovery *g, const char *path)
{
    for (size_t i = g->troubles; i-- > 0;)
        if (strcmp(g->trouble[i].path, path) == 0) {
            g->troubles--;
            memmove(&g->trouble[i], &g->trouble[i + 1], (g->troubles - i) * sizeof *g->trouble);
            return;
        }
}

void smi_discovery_add_lost(struct smi_discovery *g, const struct smi_dir *t, const char *stem,
                            const struct smi_entry *e)
{
    struct smi_cluster *c = smi_discovery_add_cluster(g, t, stem);
    const char *name = *stem ? stem : t->self ? t->name : "";
    struct smi_config_places places = {
        .top = t, .jobs = !*stem, .job = smi_discovery_find_job(*stem ? t : smi_dir_above(t), name)};
    smi_discovery_find_accounted(t, name, &places);
    smi_cluster_add(c, t, e);
    if (t->parent)
        c->config = smi_config_params(&g->out->arena, &places);
    add_reason(g, c, e);
    if (e->messages || smi_walk_is_recording(e->name))
        unsay_error(g, smi_walk_path(&g->out->arena, NULL, t, e->name));
}

void smi_discovery_find_lost(struct smi_discovery *g, const struct smi_dir *t)
{
    const struct smi_entry *e = t->parent && !has_log_below(t) ? find_evidence(&g->names, t) : NULL;
    if (g->o->format >= 0 || t->looped || t->samples || smi_dir_has_gpu_log(t))
        return;
    if (e && smi_inode_set_add(&g->lost, t->dev, t->ino))
        smi_discovery_add_lost(g, t, "", e);
    for (size_t i = 0; i < t->entries && !e; i++) {
        const struct smi_dir *sub = t->entry[i].sub;
        if (sub && (!sub->archive || has_log_below(sub)))
            smi_discovery_find_lost(g, sub);
    }
}

/* ---- in a directory with the logs of several runs ---- */

size_t smi_discovery_common_ends(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), most = n < m ? n : m, front = 0, back = 0;
    while (front < most && a[front] == b[front])
        front++;
    while (front + back < most && a[n - 1 - back] == b[m - 1 - back])
        back++;
    return front + back;
}

static int format_by_name(const struct smi_file_group_member *log, size_t n, const char *name)
{
    size_t best = 0, alike = 0;
    for (size_t i = 1; i < n; i++)
        if (smi_discovery_common_ends(log[i].name, name) > smi_discovery_common_ends(log[best].name, name))
            best = i;
    for (size_t i = 0; i < n; i++)
        alike += log[i].format == log[best].format;
    return alike > 1 || same_but_digits(log[best].name, name) ? log[best].format : -1;
}

size_t smi_discovery_list_broken(const struct smi_dir *t, struct smi_file_group_member *log, size_t n)
{
    size_t all = n;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        int format = n && e->kind == SMI_ENTRY_OTHER && e->broken && smi_file_group_has_ending(e->name)
                         ? format_by_name(log, n, e->name)
                         : -1;
        if (format >= 0 || (e->named && e->broken))
            log[all++] = (struct smi_file_group_member){e->name, format, e, ""};
    }
    return all;
}
