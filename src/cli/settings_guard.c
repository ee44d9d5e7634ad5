/* settings_guard.c - what is written must be none of what is read. */
#include "base/file.h"
#include "cli/settings.h"

#include <string.h>

/* A file that is written, by its option. */
struct written {
    const char *option, *path;
    struct smi_file_info id;
    bool there;
};

static int refuse_overwrite(const struct written *w, struct smi_err *err)
{
    return smi_err_set(err, SMI_EUSAGE, "%s %.300s: is an input of this command", w->option, w->path);
}

static int check_against_outputs(const struct written *w, size_t n, const char *path, struct smi_err *err)
{
    struct smi_file_info in;
    for (size_t i = 0; i < n && path; i++)
        if (w[i].there && smi_file_id(path, &in) && in.dev == w[i].id.dev && in.ino == w[i].id.ino)
            return refuse_overwrite(&w[i], err);
    return 0;
}

/* FILE, or FILE:KEY. */
static int check_join(const struct written *w, size_t n, const char *arg, struct smi_err *err)
{
    const char *colon = arg ? strrchr(arg, ':') : NULL;
    char path[4096];
    if (check_against_outputs(w, n, arg, err))
        return -1;
    if (!colon || (size_t)(colon - arg) >= sizeof path)
        return 0;
    memcpy(path, arg, (size_t)(colon - arg));
    path[colon - arg] = 0;
    return check_against_outputs(w, n, path, err);
}

int smi_settings_check_overwrite(const struct smi_settings *s, const char *const *path, size_t n,
                                 struct smi_err *err)
{
    struct written w[] = {
        {"-o", s->output, {0}, false}, {"--cache", s->d.cache, {0}, false}, {"--to", s->to, {0}, false}};
    enum { N = sizeof w / sizeof *w };
    for (int i = 0; i < N; i++)
        w[i].there = w[i].path && strcmp(w[i].path, "-") != 0 && smi_file_id(w[i].path, &w[i].id);
    for (size_t i = 0; i < n; i++)
        if (check_against_outputs(w, N, path[i], err))
            return -1;
    for (int i = 0; i < N; i += 2) /* export has no -o */
        if (w[i].there && w[1].there && w[i].id.dev == w[1].id.dev && w[i].id.ino == w[1].id.ino)
            return smi_err_set(err, SMI_EUSAGE, "%s and --cache are the same file: %.300s", w[i].option,
                               w[i].path);
    return check_against_outputs(w, N, s->rules, err) || check_join(w, N, s->ask.join, err) ? -1 : 0;
}
