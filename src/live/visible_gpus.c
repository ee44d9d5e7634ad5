#include "live/visible_gpus.h"

#include "formats/cpu_ticks.h"

/* The only GPU whose uuid begins so, or -1. */
static int by_uuid(const char *begin, const struct smi_gpu_id *gpu, size_t n)
{
    int found = -1, fit = 0;
    for (size_t i = 0; i < n && begin[strlen("GPU-")]; i++)
        if (smi_text_starts_nocase(smi_text_of(gpu[i].uuid), begin)) {
            found = (int)i;
            fit++;
        }
    return fit == 1 ? found : -1;
}

static int by_index(struct smi_text t, size_t n)
{
    int64_t at = smi_cell_digits(t, SMI_CELL_DIGITS);
    return at >= 0 && (uint64_t)at < n ? (int)at : -1;
}

/* The GPU of one entry, or -1; *unknown: an instance of one of them. */
static int next_entry(struct smi_text t, const struct smi_gpu_id *gpu, size_t n, bool *unknown)
{
    char word[sizeof gpu->uuid];
    if (smi_text_starts_nocase(t,
                               "MIG-GPU-")) { /* until driver 470: the GPU's own, then /instance/instance */
        t = (struct smi_text){t.p + strlen("MIG-"), t.n - strlen("MIG-")};
        const char *slash = memchr(t.p, '/', t.n);
        t.n = slash ? (size_t)(slash - t.p) : t.n;
    } else if (smi_text_starts_nocase(t, "MIG-")) {
        *unknown = true;
        return -1;
    }
    if (t.n >= sizeof word || !smi_text_starts_nocase(t, "GPU-"))
        return by_index(t, n);
    memcpy(word, t.p, t.n);
    word[t.n] = 0;
    return by_uuid(word, gpu, n);
}

enum smi_visible smi_visible_nvidia(const char *list, const struct smi_gpu_id *gpu, size_t n, bool *mine)
{
    struct smi_text entry;
    bool unknown = false, some = list != NULL;
    for (size_t i = 0; i < n; i++)
        mine[i] = !list;
    while (!unknown && smi_text_next_item(&list, &entry)) {
        int at = next_entry(entry, gpu, n, &unknown);
        if (at < 0)
            break;
        mine[at] = true;
    }
    for (size_t i = 0; i < n && unknown; i++)
        mine[i] = true;
    return unknown ? SMI_VISIBLE_UNKNOWN : some ? SMI_VISIBLE_SOME : SMI_VISIBLE_ALL;
}

/* The places that a list of indices names, at most n; SIZE_MAX: an entry is none. NULL: all. */
static size_t mark_places(const char *list, size_t n, size_t *place)
{
    struct smi_text t;
    size_t k = 0;
    for (; !list && k < n; k++)
        place[k] = k;
    while (k < n && smi_text_next_item(&list, &t)) {
        const int at = by_index(t, n);
        if (at < 0)
            return !t.n || (t.p[0] == '-' || (t.p[0] >= '0' && t.p[0] <= '9')) ? k : SIZE_MAX;
        place[k++] = (size_t)at;
    }
    return k;
}

enum smi_visible smi_visible_amd(const char *hip, const char *rocr, size_t n, bool *mine)
{
    size_t of_rocr[SMI_VISIBLE_AMD], of_hip[SMI_VISIBLE_AMD], left, k;
    n = n < SMI_VISIBLE_AMD ? n : SMI_VISIBLE_AMD;
    left = mark_places(rocr, n, of_rocr);
    k = left == SIZE_MAX ? left : mark_places(hip, left, of_hip);
    for (size_t i = 0; i < n; i++)
        mine[i] = k == SIZE_MAX;
    for (size_t i = 0; k != SIZE_MAX && i < k; i++)
        mine[of_rocr[of_hip[i]]] = true;
    return k == SIZE_MAX ? SMI_VISIBLE_UNKNOWN : hip || rocr ? SMI_VISIBLE_SOME : SMI_VISIBLE_ALL;
}
