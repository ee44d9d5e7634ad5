#include "live/visible.h"

#include "base/text.h"

#include <limits.h>

/* The only GPU whose uuid begins so, or -1. */
static int by_uuid(const char *begin, const struct smi_gpu_id *gpu, size_t n)
{
    int found = -1, fit = 0;
    for (size_t i = 0; i < n && begin[strlen("GPU-")]; i++)
        if (smi_text_starts(smi_text_of(gpu[i].uuid), begin)) {
            found = (int)i;
            fit++;
        }
    return fit == 1 ? found : -1;
}

static int by_index(struct smi_text t, size_t n)
{
    size_t at = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9' || at > INT_MAX / 16)
            return -1;
        at = at * 10 + (size_t)(t.p[i] - '0');
    }
    return t.n && at < n ? (int)at : -1;
}

/* The GPU of one entry, or -1; *unknown: an instance of one of them. */
static int entry(struct smi_text t, const struct smi_gpu_id *gpu, size_t n, bool *unknown)
{
    char word[sizeof gpu->uuid];
    if (smi_text_starts(t, "MIG-GPU-")) { /* until driver 470: the GPU's own, then /instance/instance */
        t = (struct smi_text){t.p + strlen("MIG-"), t.n - strlen("MIG-")};
        const char *slash = memchr(t.p, '/', t.n);
        t.n = slash ? (size_t)(slash - t.p) : t.n;
    } else if (smi_text_starts(t, "MIG-")) {
        *unknown = true;
        return -1;
    }
    if (t.n >= sizeof word || !smi_text_starts(t, "GPU-"))
        return by_index(t, n);
    memcpy(word, t.p, t.n);
    word[t.n] = 0;
    return by_uuid(word, gpu, n);
}

enum smi_visible smi_visible_mine(const char *list, const struct smi_gpu_id *gpu, size_t n, bool *mine)
{
    bool unknown = false;
    for (size_t i = 0; i < n; i++)
        mine[i] = !list;
    for (const char *p = list; p && !unknown;) {
        size_t len = strcspn(p, ",");
        int at = entry(smi_text_trim((struct smi_text){p, len}), gpu, n, &unknown);
        if (at < 0)
            break;
        mine[at] = true;
        p = p[len] ? p + len + 1 : NULL;
    }
    for (size_t i = 0; i < n && unknown; i++)
        mine[i] = true;
    return unknown ? SMI_VISIBLE_UNKNOWN : list ? SMI_VISIBLE_SOME : SMI_VISIBLE_ALL;
}
