#include "summary/merge_queue.h"
#include "sweep/sweep.h"

#include "base/file.h"
#include "sweep/config.h"
#include "sweep/archived_log.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARCHIVE_RUNS = 1000 /* looked through for each */ };

/* Is the run, whose first log lies in an archive, the only one there? */
static bool is_alone_in_archive(const struct smi_found *f, size_t i)
{
    for (size_t k = 0; k < f->runs; k++)
        for (size_t j = 0; j < f->run[k].files && k != i; j++)
            if (f->run[k].file[j].inside &&
                f->run[k].file[j].inside->archive == f->run[i].file[0].inside->archive)
                return false;
    return true;
}

/* Is the run alone in the directory of its files? Those of one directory are neighbours by their names. */
static bool is_alone(const struct smi_found *f, size_t i, size_t dir)
{
    const char *path = f->run[i].file[0].path;
    for (size_t k = i ? i - 1 : 0; k <= i + 1 && k < f->runs; k++) {
        const char *other = f->run[k].files ? f->run[k].file[0].path : "", *slash = strrchr(other, '/');
        if (k != i && slash && (size_t)(slash - other) == dir && strncmp(other, path, dir) == 0)
            return false;
    }
    return true;
}

const char *smi_sweep_run_path(struct smi_summary *s, const struct smi_found *f, size_t i)
{
    const struct smi_found_run *r = &f->run[i];
    const char *first = r->files ? r->file[0].path : "-", *slash = strrchr(first, '/');
    if (strcmp(first, "-") == 0)
        return NULL;
    if (r->files && r->file[0].inside) { /* a member cannot be named */
        if (f->runs > ARCHIVE_RUNS || !is_alone_in_archive(f, i))
            return NULL;
        first = f->archive[r->file[0].inside->archive];
        return smi_arena_text(&s->arena, first, strlen(first));
    }
    if (r->files == 1 && strcmp(r->file[0].shown, r->name) == 0)
        return smi_arena_text(&s->arena, first, strlen(first));
    if (r->files == 1 && slash && !is_alone(f, i, (size_t)(slash - first)))
        return smi_arena_text(&s->arena, first, strlen(first));
    return slash ? smi_arena_text(&s->arena, first, (size_t)(slash - first)) : NULL;
}

/* Adds what, its texts kept in the arena. */
static void add_warning(struct smi_arena *a, struct smi_input_warning *list, size_t *n,
                        struct smi_input_warning what)
{
    what.path = what.path ? smi_arena_text(a, what.path, strlen(what.path)) : NULL;
    what.text = smi_arena_text(a, what.text, strlen(what.text));
    list[(*n)++] = what;
}

static void keep_notes(struct smi_sweep *s, const struct smi_found *f)
{
    struct smi_input_warning *list = smi_arena_new(&s->arena, f->nnotes + 1, sizeof *list);
    s->note = list;
    if (f->beside)
        s->beside = smi_arena_text(&s->arena, f->beside, strlen(f->beside));
    for (size_t i = 0; i < f->nnotes; i++) {
        add_warning(&s->arena, list, &s->nnotes, f->note[i]);
        s->doubtful_notes += f->note[i].fatal;
    }
}

static void keep_passed(struct smi_sweep *s, const struct smi_found *f)
{
    const char **path = smi_arena_new(&s->arena, f->npassed + 1, sizeof *path);
    s->passed = path;
    s->passed_over = f->passed_over;
    s->links = f->links;
    for (size_t i = 0; i < f->npassed; i++, s->npassed++)
        path[i] = smi_arena_text(&s->arena, f->passed[i], strlen(f->passed[i]));
}

/* "hw.csv: is empty" of the run hw.csv: the name once is enough. */
static const char *less_name(const char *text, const char *run)
{
    size_t n = strlen(run);
    return strncmp(text, run, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2 : text;
}

/* A PATH that is no log, alone in its directory, is called by its own name: the text begins with it. */
static struct smi_input_warning warning_of(struct smi_sweep *s, const struct smi_found_run *r,
                                           const char *text)
{
    const bool named = r->files || r->crashed || strncmp(text, r->name, strlen(r->name)) == 0;
    const char *end = named ? NULL : strstr(text, ": ");
    if (!end)
        return (struct smi_input_warning){.path = r->name, .text = less_name(text, r->name)};
    return (struct smi_input_warning){.path = smi_arena_text(&s->arena, text, (size_t)(end - text)),
                                      .text = end + 2};
}

static void count_unusable(struct smi_sweep *s)
{
    for (size_t i = 0; i < s->ntrouble; i++)
        s->unusable += 1 + s->trouble[i].more;
}

/* What the walk could not use, then what reading could not, in the order of names. */
static void keep_trouble(struct smi_sweep *s, const struct smi_found *f, const struct smi_buf *odd)
{
    size_t most = f->ntrouble + 1;
    struct smi_input_warning *list;
    for (size_t i = 0; i < f->runs; i++)
        for (size_t k = 0; k < odd[i].n; k++)
            most += !odd[i].p[k];
    s->trouble = list = smi_arena_new(&s->arena, most, sizeof *list);
    for (size_t i = 0; i < f->ntrouble; i++)
        add_warning(&s->arena, list, &s->ntrouble, f->trouble[i]);
    for (size_t i = 0; i < f->runs; i++)
        for (size_t at = 0; at < odd[i].n; at += strlen(odd[i].p + at) + 1)
            add_warning(&s->arena, list, &s->ntrouble, warning_of(s, &f->run[i], odd[i].p + at));
    count_unusable(s);
}

void smi_sweep_copy_warnings(struct smi_sweep *s, const struct smi_found *f, const struct smi_buf *odd)
{
    keep_trouble(s, f, odd);
    keep_notes(s, f);
    keep_passed(s, f);
}

static bool is_bare(const struct smi_found_run *r, const char *problem)
{
    for (size_t i = 0; i < r->files; i++)
        if (r->file[i].bare && strncmp(problem, r->file[i].shown, strlen(r->file[i].shown)) == 0)
            return true;
    return false;
}

void smi_sweep_append_warnings(struct smi_buf *odd, const struct smi_found_run *r, const struct smi_run *run)
{
    for (size_t i = 0; i < run->problems; i++)
        if (!is_bare(r, run->problem[i]))
            smi_buf_add(odd, run->problem[i], strlen(run->problem[i]) + 1);
}

/* ---- by way of partials ---- */

void smi_sweep_run_warnings(struct smi_run *run, const struct smi_found *f, size_t i,
                            const struct smi_buf *odd)
{
    for (size_t k = 0; i == 0 && k < f->ntrouble; k++) {
        smi_run_add_warning(run, f->trouble[k].path, f->trouble[k].text, false);
        run->doubt[run->doubts - 1].more = f->trouble[k].more;
    }
    for (size_t k = 0; i == 0 && k < f->nnotes; k++)
        if (f->note[k].fatal) {
            smi_run_add_warning(run, f->note[k].path, f->note[k].text, true);
        }
    for (size_t at = 0; at < odd->n; at += strlen(odd->p + at) + 1) {
        smi_run_add_warning(run, NULL, odd->p + at, false);
    }
}

/* A warning about a file that comes once for each of its runs is printed once, with the number.
 */
static bool is_reported(struct smi_input_warning *list, size_t n, const char *path, const char *text)
{
    if (n && strcmp(list[n - 1].path, path) == 0 && strcmp(list[n - 1].text, text) == 0) {
        list[n - 1].more++;
        return true;
    }
    return false;
}

/* Those of the walks, or those of the runs, of one kind. */
static void tell_again(struct smi_arena *a, const struct smi_run *r, bool of_run, bool used,
                       struct smi_input_warning *list, size_t *n)
{
    for (size_t i = 0; i < r->doubts; i++) {
        const struct smi_run_warning *d = &r->doubt[i];
        const char *path = d->path ? d->path : r->name,
                   *text = d->path ? d->text : less_name(d->text, r->name);
        if (d->used == used && !d->path == of_run && !(used && is_reported(list, *n, path, text)))
            add_warning(a, list, n, (struct smi_input_warning){path, text, used, d->more});
    }
}

void smi_sweep_read_warnings(struct smi_sweep *s, const struct smi_partials *p)
{
    struct smi_input_warning *list, *note;
    size_t n = 1;
    for (size_t i = 0; i < p->runs; i++)
        n += p->run[i]->doubts;
    s->trouble = list = smi_arena_new(&s->arena, n, sizeof *list);
    s->note = note = smi_arena_new(&s->arena, n, sizeof *note);
    for (int of_run = 0; of_run < 2; of_run++)
        for (size_t i = 0; i < p->runs; i++) {
            tell_again(&s->arena, p->run[i], of_run, false, list, &s->ntrouble);
            tell_again(&s->arena, p->run[i], of_run, true, note, &s->nnotes);
        }
    s->doubtful_notes = s->nnotes;
    count_unusable(s);
}

/* ---- outputs that are inputs ---- */

static bool is_file(const char *path, const struct smi_file_info *out)
{
    struct smi_file_info in;
    return smi_file_id(path, &in) && in.dev == out->dev && in.ino == out->ino;
}

/* Does it lie beside a log of r, as this file of parameters? */
static bool is_config_of_run(const struct smi_found_run *r, const char *name, const struct smi_file_info *out)
{
    char path[PATH_MAX];
    for (size_t k = 0; k < r->files; k++) {
        const char *log = r->file[k].path, *slash = strrchr(log, '/');
        int dir = slash ? (int)(slash - log) + 1 : 0;
        if (!r->file[k].inside && snprintf(path, sizeof path, "%.*s%s", dir, log, name) < (int)sizeof path &&
            is_file(path, out))
            return true;
    }
    return false;
}

/* The file of parameters that `output` is by its name and place, "config.json"; NULL: none. */
static const char *config_name(const char *output)
{
    char *real = realpath(output, NULL), *slash = real ? strrchr(real, '/') : NULL;
    int rank = slash ? smi_config_rank(slash + 1) : -1;
    if (rank < 0 && slash && strlen(real) > strlen("/" SMI_CONFIG_HYDRA) &&
        strcmp(real + strlen(real) - strlen("/" SMI_CONFIG_HYDRA), "/" SMI_CONFIG_HYDRA) == 0)
        rank = smi_config_rank(SMI_CONFIG_HYDRA);
    free(real);
    return smi_config_name(rank);
}

int smi_sweep_check_output(const struct smi_found *f, const struct smi_discover_opts *d, struct smi_err *err)
{
    struct smi_file_info out;
    const char *output = d->output, *opt = d->output_opt ? d->output_opt : "-o", *same = NULL, *config;
    if (!output || strcmp(output, "-") == 0 || !smi_file_id(output, &out))
        return 0;
    for (size_t i = 0; i < f->archives && !same; i++)
        same = is_file(f->archive[i], &out) ? output : NULL;
    for (size_t i = 0; i < f->runs && !same; i++)
        for (size_t k = 0; k < f->run[i].files && !same; k++)
            same = !f->run[i].file[k].inside && is_file(f->run[i].file[k].path, &out) ? output : NULL;
    config = same ? NULL : config_name(output);
    for (size_t i = 0; i < f->runs && config && !same; i++)
        same = is_config_of_run(&f->run[i], config, &out) ? output : NULL;
    return same ? smi_err_set(err, SMI_EUSAGE, "%s %.300s: is an input of this command", opt, same) : 0;
}
