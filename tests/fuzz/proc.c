/* proc.c - any bytes as a file of a process. The first byte says which: stat, statm, status, smaps. */
#include "fuzz.h"

#include "process/tree_private.h"

#include <string.h>

static void stat(struct smi_text t)
{
    struct smi_tree_stat s, again;
    bool read = smi_tree_stat_line(t, &s);
    if (read != smi_tree_stat_line(t, &again) || memcmp(&s, &again, sizeof s) != 0)
        fuzz_stop("the same bytes do not tell the same twice");
    if (!read)
        return;
    if (t.p[t.n - 1] != '\n' || memchr(s.comm, 0, sizeof s.comm) == NULL)
        fuzz_stop("a torn line is taken");
    if (s.ppid < 0 || s.session < 0 || s.own < 0 || s.children < 0 || s.threads < 0 || s.start < 0 ||
        s.own + s.children > INT64_MAX / 20000)
        fuzz_stop("a value that no kernel tells");
}

static void smaps(struct smi_text t)
{
    struct smi_tree_table paths = {0};
    struct smi_tree_smaps s = {.paths = &paths};
    while (t.n) {
        const char *lf = memchr(t.p, '\n', t.n);
        size_t n = lf ? (size_t)(lf - t.p) : t.n;
        smi_tree_smaps_line(&s, (struct smi_text){t.p, n});
        t = (struct smi_text){t.p + n + (lf != NULL), t.n - n - (lf != NULL)};
    }
    smi_tree_smaps_end(&s);
    if (s.private_ < 0 || paths.n > SMI_TREE_PATHS + 1)
        fuzz_stop("sums that cannot be");
    for (size_t i = 0; i < paths.n; i++) {
        if (paths.list[i].of[0] <= 0 || paths.list[i].of[1])
            fuzz_stop("a path that shares nothing");
        for (size_t k = 0; k < i; k++)
            if (paths.list[k].key == paths.list[i].key)
                fuzz_stop("a path twice");
    }
    smi_tree_table_fini(&paths);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct smi_tree_pages pages;
    int32_t pid[SMI_TREE_INNER];
    struct smi_text text;
    if (!size)
        return 0;
    text = (struct smi_text){(const char *)data + 1, size - 1};
    switch (*data & 3) {
    case 0:
        stat(text);
        break;
    case 1:
        if (smi_tree_statm_line(text, &pages) && (pages.resident < 0 || pages.shared < 0))
            fuzz_stop("pages below 0");
        break;
    case 2:
        for (int n = smi_tree_inner_pids(text, pid); n > 0; n--)
            if (pid[n - 1] <= 0)
                fuzz_stop("a pid that is none");
        break;
    default:
        smaps(text);
    }
    return 0;
}
