/* discover.c - makes runs of what the walk has found: which logs belong together, under which name
 * (docs/numbers.md §8). */
#include "sweep/discover.h"
#include "base/file.h"
#include "base/stream.h"
#include "formats/file_group.h"
#include "formats/format.h"
#include "summary/merge_queue.h"
#include "summary/run.h"
#include "summary/findings.h"
#include "sweep/discover_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- a log was rotated while its monitor went on: only its oldest part has a header ---- */

enum { HEADER = 8192 /* bytes of the longest */ };

/* Its first line, less a byte order mark and comments above it; or NULL. buf: HEADER bytes. */
static char *read_first_line(const char *path, char *buf)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    int fd = smi_file_open_seen(AT_FDCWD, path, &info, &err);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = fd < 0 || info.stream ? NULL : smi_stream_open(&from.pull, &err);
    size_t n = 0;
    ssize_t some = 1;
    while (s && some > 0 && n < HEADER - 1) {
        some = smi_stream_read(s, buf + n, HEADER - 1 - n, &err);
        n += some > 0 ? (size_t)some : 0;
    }
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    buf[n] = 0;
    if (strncmp(buf, "\xEF\xBB\xBF", 3) == 0)
        buf += 3;
    while (*buf == '#') {
        buf += strcspn(buf, "\n");
        buf += *buf == '\n';
    }
    buf[strcspn(buf, "\r\n")] = 0;
    return *buf ? buf : NULL;
}

static bool is_header(const char *line)
{
    return (*line < '0' || *line > '9') &&
           smi_formats[SMI_FMT_QUERY]->sniff(smi_text_of(line)) == SMI_SNIFF_YES;
}

static size_t count_commas(const char *line)
{
    size_t n = 0;
    for (; *line; line++)
        n += *line == ',';
    return n;
}

/* Are the columns of this log told by the shape of its rows, or by nothing? */
static bool lacks_header(const struct smi_entry *e)
{
    return e->kind == SMI_ENTRY_LOG && !e->inside &&
           (e->bare || (e->columns && *e->columns == SMI_ROW_SHAPE_GUESS));
}

/* e: of t. Returns whether it took the header of the other one. */
static bool lend_header(struct smi_discovery *g, const struct smi_dir *t, struct smi_entry *e,
                        const struct smi_entry *other)
{
    char buf[HEADER], own[HEADER];
    const char *header, *row;
    if (other->kind != SMI_ENTRY_LOG || other->inside || other->format != SMI_FMT_QUERY ||
        lacks_header(other) || !smi_file_group_same_log(e->name, other->name))
        return false;
    header = read_first_line(smi_walk_path(&g->out->arena, NULL, t, other->name), buf);
    if (!header || !is_header(header))
        return false;
    row = read_first_line(smi_walk_path(&g->out->arena, NULL, t, e->name), own);
    if (!row || count_commas(row) != count_commas(header))
        return false;
    e->columns = smi_arena_text(&g->out->arena, header, strlen(header));
    e->bare = false;
    return true;
}

void smi_discovery_lend_headers(struct smi_discovery *g, const struct smi_dir *t,
                                const struct smi_file_group_member *log, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct smi_entry *e = (struct smi_entry *)log[i].entry;
        for (size_t k = 0; k < n && lacks_header(e); k++)
            if (lend_header(g, t, e, log[k].entry))
                break;
    }
}

/* PATHs that hold no log but partial summaries: a sweep that was stored. Where there is
 * a log, partial summaries beside it are what smilog wrote of it, and passed over. */

/* Does the file begin as a partial summary does, compressed or not? What cannot be read does not. */
static bool is_partial(const char *path)
{
    static const char begin[] = SMI_PARTIAL_BEGIN;
    char head[sizeof begin - 1];
    struct smi_file_info info;
    struct smi_err why = {0};
    size_t n = 0;
    ssize_t got = 1;
    int fd = smi_file_open(AT_FDCWD, path, false, &info, &why);
    struct smi_fd_source from = smi_fd_source_make(fd, path);
    struct smi_stream *s = fd < 0 ? NULL : smi_stream_open(&from.pull, &why);
    while (s && got > 0 && n < sizeof head) {
        got = smi_stream_read(s, head + n, sizeof head - n, &why);
        n += got > 0 ? (size_t)got : 0;
    }
    smi_stream_close(s);
    if (fd >= 0)
        close(fd);
    return n == sizeof head && memcmp(head, begin, n) == 0;
}

void smi_discovery_add_partials(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    const char *path = e->kind == SMI_ENTRY_OTHER ? smi_walk_path(&g->out->arena, NULL, t, e->name) : NULL;
    if (path && is_partial(path)) {
        smi_mem_reserve(&g->stored, &g->stored_cap, g->nstored + 1, sizeof *g->stored);
        g->stored[g->nstored++] = path;
    }
    if (e->kind == SMI_ENTRY_DIR && !e->sub->archive && !e->sub->looped)
        for (size_t i = 0; i < e->sub->entries; i++)
            smi_discovery_add_partials(g, e->sub, &e->sub->entry[i]);
}

/* what is no trouble, but not what somebody may have meant: a directory beside the
 * archive that was made of it, and logs of the GPUs of one run that are runs of their own by their names. */

void smi_discovery_add_warning(struct smi_discovery *g, const char *path, const char *text, bool doubt)
{
    smi_mem_reserve(&g->note, &g->note_cap, g->notes + 1, sizeof *g->note);
    g->note[g->notes++] = (struct smi_input_warning){path, text, doubt, 0};
}

/* ---- counted twice? ---- */

/* "out/sweep/" -> "out/" and "sweep" */
static struct smi_text archive_base_name(const char *path, size_t *front)
{
    size_t n = strlen(path), at;
    while (n > 1 && path[n - 1] == '/')
        n--;
    for (at = n; at > 0 && path[at - 1] != '/';)
        at--;
    *front = at;
    return (struct smi_text){path + at, n - at};
}

/* Do a and b lie in one directory, as they are named? */
static bool are_siblings(const char *a, size_t front_a, const char *b, size_t front_b)
{
    if (front_a >= 2 && strncmp(a, "./", 2) == 0)
        a += 2, front_a -= 2;
    if (front_b >= 2 && strncmp(b, "./", 2) == 0)
        b += 2, front_b -= 2;
    return front_a == front_b && memcmp(a, b, front_a) == 0;
}

static bool is_below_directory(const struct smi_dir *dir, const struct smi_dir *above)
{
    while (dir && dir != above)
        dir = dir->parent;
    return dir != NULL;
}

static bool directory_has_run(const struct smi_discovery *g, const struct smi_dir *t)
{
    for (size_t i = 0; i < g->n; i++)
        if (is_below_directory(g->cluster[i].dir, t))
            return true;
    return false;
}

/* The directory, or an archive before it, that has the name of this archive less its endings, and runs; or
 * NULL. */
static const struct smi_entry *find_unpacked_twin(const struct smi_discovery *g,
                                                  const struct smi_dir *archive)
{
    const struct smi_dir *t = archive->parent;
    size_t front, other;
    archive_base_name(archive->self->name, &front);
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        struct smi_text base;
        if (!e->sub || e->sub == archive || (e->sub->archive && e > archive->self))
            continue;
        base = archive_base_name(e->name, &other);
        if (e->sub->as)
            base = smi_text_of(e->sub->as);
        if (smi_text_is(base, archive->as) && are_siblings(archive->self->name, front, e->name, other) &&
            directory_has_run(g, e->sub))
            return e;
    }
    return NULL;
}

void smi_discovery_check_clusters(struct smi_discovery *g)
{
    for (size_t i = 0; i < g->archives; i++) {
        const struct smi_dir *a = g->archive[i];
        const struct smi_entry *e = a->as ? find_unpacked_twin(g, a) : NULL;
        struct smi_buf b = {0};
        if (!e)
            continue;
        smi_buf_fmt(&b,
                    "holds runs, and so does %s beside it: both are counted; if they are the same, name only "
                    "one of them",
                    e->name);
        smi_discovery_add_warning(g, smi_walk_path(&g->out->arena, NULL, a->parent, a->self->name),
                                  smi_buf_keep(&b, &g->out->arena), true);
    }
}

/* ---- what all files beside the logs of a run say of its parameters: one list ---- */

/* One of the files that may hold parameters. */
struct beside {
    const struct smi_dir *dir;
    const struct smi_entry *e;
    size_t order;
};

/* Of the outputs of several jobs that of the last one counts: a run that went on after its first job. */
static int compare_config_rank(const void *x, const void *y)
{
    const struct beside *a = x, *b = y;
    int d = smi_config_rank(a->e->name) - smi_config_rank(b->e->name);
    if (!d && smi_config_is_job_output(a->e->name))
        d = smi_text_compare_natural(b->e->name, a->e->name);
    return d ? d : (a->order > b->order) - (a->order < b->order);
}

/* The directory of the run itself, save_dir "runs/detect/train2" or name "train2": it names the run, and is
 * no parameter. Another word that happens to be the same is one: mode "train" in a directory train. */
static bool is_own_directory(const struct smi_dir *top, const struct smi_param *p)
{
    const char *own = top->self ? top->name : "", *slash = p->text ? strrchr(p->text, '/') : NULL;
    size_t n = strlen(p->key), name = strlen("name");
    return p->text && !p->bare && strcmp(slash ? slash + 1 : p->text, own) == 0 &&
           (slash || (n >= name && strcmp(p->key + n - name, "name") == 0));
}

/* One list of what n files say, the one that counts most first. Behind one that is not known to its end
 * nobody can tell what counts. top: the directory of the run. */
static void join_params(struct smi_arena *a, struct smi_config_params *c, const struct beside *file, size_t n,
                        const struct smi_dir *top)
{
    struct smi_params all = {.a = a};
    struct smi_param *list;
    bool said = false;
    for (size_t i = 0; i < n && !said; i++) {
        const struct smi_config *from = file[i].e->config;
        for (size_t k = 0; k < from->n; k++)
            smi_params_add(&all, &from->param[k]);
        said = from->over;
    }
    if (all.over && !said)
        c->problem[c->problems++] =
            "more than 256 parameters in the files of the run: the first of them count";
    c->param = list = smi_arena_new(a, all.shown + 1, sizeof *list);
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].text && !is_own_directory(top, &all.list[i]))
            list[c->n++] = all.list[i];
    smi_mem_free(all.list);
}

/* "time limit (slurm-4711.out)": a reason says where it comes from. */
static void add_fact(struct smi_params *all, const struct smi_param *fact, const char *file)
{
    struct smi_param with = *fact;
    struct smi_buf b = {0};
    if (strcmp(fact->key, SMI_FACT_REASON) == 0 && !smi_params_has(all, smi_text_of(fact->key))) {
        smi_buf_fmt(&b, "%s (%s)", fact->text ? fact->text : "", file);
        with.text = smi_buf_keep(&b, all->a);
    }
    smi_params_add(all, &with);
}

/* What the accounting says of the job, where nothing else does. */
static void add_accounted(struct smi_params *all, const struct smi_config_places *p)
{
    const struct smi_job *j = p->accounted;
    char code[16];
    struct smi_param fact[] = {{SMI_FACT_REASON, j ? j->reason : NULL, false},
                               {SMI_FACT_EXIT, code, false},
                               {SMI_FACT_STATE, j ? j->state : NULL, false}};
    if (!j || !j->state || smi_params_has(all, smi_text_of(SMI_FACT_STATE)))
        return;
    snprintf(code, sizeof code, "%d", j->exit_code);
    if (j->reason)
        add_fact(all, &fact[0], p->account);
    if (j->exit_code >= 0)
        add_fact(all, &fact[1], "");
    add_fact(all, &fact[2], "");
}

/* Slurm's accounting gives the reason if the files only give an exit status. */
static bool overrides_exit(const struct smi_job *j, const struct beside *file, size_t n)
{
    for (size_t i = 0; j && j->reason && !smi_reason_is_exit(j->reason) && i < n; i++)
        for (size_t k = 0; k < file[i].e->config->facts; k++)
            if (strcmp(file[i].e->config->fact[k].key, SMI_FACT_REASON) == 0)
                return smi_reason_is_exit(file[i].e->config->fact[k].text);
    return false;
}

/* One list of the facts in n files. Of the outputs of several jobs only the first counts: what those before
 * it say is not how the run ended. */
static void join_facts(struct smi_arena *a, struct smi_config_params *c, const struct beside *file, size_t n,
                       const struct smi_config_places *p)
{
    struct smi_params all = {.a = a};
    struct smi_param *list;
    bool job = false, ended;
    if (overrides_exit(p->accounted, file, n))
        add_accounted(&all, p);
    for (size_t i = 0; i < n; i++) {
        ended = job;
        job |= smi_config_is_job_output(file[i].e->name);
        for (size_t k = 0; k < file[i].e->config->facts && !ended; k++)
            add_fact(&all, &file[i].e->config->fact[k], file[i].e->name);
    }
    add_accounted(&all, p);
    c->fact = list = smi_arena_new(a, all.shown + 1, sizeof *list);
    for (size_t i = 0; i < all.n; i++)
        if (all.list[i].text)
            list[c->facts++] = all.list[i];
    smi_mem_free(all.list);
}

static size_t list_configs(const struct smi_dir *t, bool jobs, struct beside *file, size_t n)
{
    for (size_t i = 0; t && i < t->entries; i++)
        if (t->entry[i].config && !t->entry[i].config->jobs &&
            (jobs || !smi_config_is_job_output(t->entry[i].name))) {
            file[n] = (struct beside){t, &t->entry[i], n};
            n++;
        }
    return n;
}

const struct smi_config_params *smi_config_params(struct smi_arena *a, const struct smi_config_places *p)
{
    struct beside *file = smi_mem_new(p->top->entries + (p->below ? p->below->entries : 0) + 1, sizeof *file);
    struct smi_config_params *c = NULL;
    size_t n = list_configs(p->below, p->jobs, file, list_configs(p->top, p->jobs, file, 0));
    if (p->job && p->job->config) {
        file[n] = (struct beside){p->top, p->job, n};
        n++;
    }
    if (n || p->accounted) {
        c = smi_arena_new(a, 1, sizeof *c);
        smi_sort(file, n, sizeof *file, compare_config_rank);
        c->problem = smi_arena_new(a, n + 1, sizeof *c->problem);
        for (size_t i = 0; i < n; i++)
            if (file[i].e->config->text) {
                struct smi_buf b = {0};
                smi_walk_path_append(&b, file[i].dir, p->top, false);
                smi_buf_fmt(&b, "%s: %s", file[i].e->name, file[i].e->config->text);
                c->problem[c->problems++] = smi_buf_keep(&b, a);
            }
        join_params(a, c, file, n, p->top);
        join_facts(a, c, file, n, p);
    }
    smi_mem_free(file);
    return c;
}

/* ---- outputs of jobs ---- */

/* "4712" of "4712_3" */
static struct smi_text less_task(struct smi_text id)
{
    const char *task = memchr(id.p, '_', id.n);
    return task ? (struct smi_text){id.p, (size_t)(task - id.p)} : id;
}

static const struct smi_entry *find_job_numbered(const struct smi_dir *t, struct smi_text id)
{
    char name[64];
    if (id.n > 40)
        return NULL;
    snprintf(name, sizeof name, "slurm-%.*s.out", (int)id.n, id.p);
    return smi_dir_find(t, name);
}

const struct smi_entry *smi_discovery_find_job(const struct smi_dir *t, const char *name)
{
    const struct smi_entry *e = NULL;
    struct smi_text id;
    if (!t || !t->jobs)
        return NULL;
    while (!e && smi_jobs_next_id(&name, &id)) {
        e = find_job_numbered(t, id);
        e = e ? e : find_job_numbered(t, less_task(id));
    }
    return e;
}

static const struct smi_job *find_in_accounts(const struct smi_dir *t, const char *name,
                                              struct smi_config_places *p)
{
    const struct smi_job *j = NULL;
    struct smi_text id;
    for (size_t i = 0; i < t->entries && !j; i++) {
        const struct smi_config *c = t->entry[i].config;
        const char *at = smi_file_name(name);
        p->account = smi_file_name(t->entry[i].name);
        while (c && c->jobs && !j && smi_jobs_next_id(&at, &id)) {
            j = smi_jobs_find(c->job, c->jobs, id);
            j = j ? j : smi_jobs_find(c->job, c->jobs, less_task(id));
        }
    }
    return j;
}

static const struct smi_job *find_in_directory(const struct smi_dir *t, const char *name,
                                               const struct smi_entry *output, struct smi_config_places *p)
{
    const struct smi_job *j = t->accounts ? find_in_accounts(t, name, p) : NULL;
    return j || !t->accounts || !output ? j : find_in_accounts(t, output->name, p);
}

void smi_discovery_find_accounted(const struct smi_dir *t, const char *name, struct smi_config_places *p)
{
    const struct smi_entry *output = p->job;
    const struct smi_dir *above = NULL;
    for (size_t i = t->entries; p->jobs && t->jobs && !output && i-- > 0;)
        if (smi_config_is_job_output(t->entry[i].name))
            output = &t->entry[i];
    p->accounted = NULL;
    for (const struct smi_dir *up = t; up && !p->accounted; up = up->parent) {
        p->accounted = find_in_directory(up, name, output, p);
        above = up->above ? up->above : above;
    }
    for (const struct smi_dir *up = above; up && !p->accounted; up = up->above)
        p->accounted = find_in_directory(up, name, output, p);
}

enum {
    OTHERS =
        16 /* see smi_walk_opts: with those that are called most alike, a directory's runs are told apart */
};

static int by_shown(const void *x, const void *y)
{
    const struct smi_found_file *a = x, *b = y;
    return smi_text_compare_natural(a->shown, b->shown);
}

static size_t archive_of(const struct smi_dir *dir)
{
    while (!dir->archive)
        dir = dir->parent;
    return dir->index;
}

/* "all.jsonl": what holds the run, whose own name would say nothing new. */
static const char *samples_file(struct smi_discovery *g, const struct smi_dir *dir)
{
    const char *name = dir->self->name;
    return dir->parent->parent || strcmp(name, "-") == 0 ? smi_arena_text(&g->out->arena, name, strlen(name))
                                                         : smi_discovery_base_name(g, name);
}

static void fill_files(struct smi_discovery *g, const struct smi_cluster *c, struct smi_found_run *r)
{
    bool all = g->o->run != NULL; /* files of many directories: the whole way is shown */
    struct smi_found_file *f = smi_arena_new(&g->out->arena, c->files, sizeof *f);
    r->file = f;
    for (size_t k = 0, i = 0; k < c->files; k++) {
        const struct smi_dir *dir = c->file[k].dir;
        const struct smi_entry *e = c->file[k].entry;
        if (!smi_entry_is_log(e))
            continue;
        f[i].path = smi_walk_path(&g->out->arena, NULL, dir, e->name);
        f[i].shown = all                           ? f[i].path
                     : dir->samples                ? samples_file(g, dir)
                     : dir->parent                 ? smi_walk_path(&g->out->arena, c->dir, dir, e->name)
                     : e->kind == SMI_ENTRY_STREAM ? f[i].path
                                                   : smi_discovery_base_name(g, e->name);
        f[i].format = e->kind == SMI_ENTRY_STREAM ? g->o->format : e->format;
        f[i].bare = e->bare;
        f[i].columns = !e->columns || e->columns == g->o->columns
                           ? g->o->columns
                           : smi_arena_text(&g->out->arena, e->columns, strlen(e->columns));
        f[i].seen = e->kind == SMI_ENTRY_LOG && dir->parent;
        if (e->inside) {
            struct smi_archived_log *in = smi_arena_new(&g->out->arena, 1, sizeof *in);
            *in = *e->inside;
            in->archive = archive_of(dir);
            f[i].inside = in;
        }
        r->files = ++i;
    }
    smi_sort(f, r->files, sizeof *f, by_shown);
}

/* What key=value pieces may stand in, into b: the PATH as given, its real name, the way below it, the run's
 * stem. */
static const char *param_text(struct smi_discovery *g, const struct smi_cluster *c, struct smi_buf *b)
{
    const struct smi_dir *path = c->dir;
    const char *stem = c->stem;
    if (g->o->run)
        return g->o->run;
    smi_buf_clear(b);
    while (path->parent && path->parent->parent)
        path = path->parent;
    if (!path->parent)
        stem = smi_file_group_stem(&g->out->arena, c->file[0].entry->name);
    else
        smi_buf_fmt(b, "%s/%s/", path->as ? path->as : path->self->name,
                    path->as ? path->as : smi_discovery_base_name(g, path->self->name));
    smi_walk_path_append(b, c->dir, path, true);
    smi_buf_str(b, stem ? stem : "");
    return b->p;
}

static int by_run_name(const void *x, const void *y)
{
    const struct smi_found_run *a = x, *b = y;
    return smi_text_compare_natural(a->name, b->name);
}

/* --name-pattern */
static void read_names(struct smi_discovery *g, struct smi_found_run *run)
{
    struct smi_buf b = {0};
    bool any = false;
    for (size_t i = 0; i < g->n; i++)
        any |= smi_pattern_params(&g->out->arena, g->o->pattern, run[i].name, &run[i].param, &run[i].params);
    if (any)
        return;
    smi_buf_fmt(&b, "no run has a name of the form %s; one is %s", g->o->pattern, run->name);
    smi_discovery_add_warning(g, "--name-pattern", smi_buf_keep(&b, &g->out->arena), false);
}

static void make_runs(struct smi_discovery *g)
{
    struct smi_found *out = g->out;
    struct smi_found_run *run = smi_arena_new(&out->arena, g->n + 1, sizeof *run);
    char **name = smi_arena_new(&out->arena, g->n + 1, sizeof *name);
    struct smi_buf b = {0};
    for (size_t i = 0; i < g->n; i++) {
        const struct smi_cluster *c = &g->cluster[i];
        const struct smi_config_params none = {0}, *config = c->config ? c->config : &none;
        const char *text = param_text(g, c, &b);
        run[i] = (struct smi_found_run){.name = smi_discovery_run_name(g, c),
                                        .config = config->param,
                                        .configs = config->n,
                                        .fact = config->fact,
                                        .facts = config->facts,
                                        .problem = config->problem,
                                        .problems = config->problems,
                                        /* A PATH that is a file was to be a log. */
                                        .crashed = c->dir->parent && !c->dir->beside &&
                                                   !smi_entry_is_log(c->file[0].entry)};
        fill_files(g, c, &run[i]);
        smi_path_params(&out->arena, text, &run[i].param, &run[i].params);
        name[i] = smi_arena_text(&out->arena, text, strlen(text));
    }
    smi_buf_fini(&b);
    smi_discovery_settle_names(g, run);
    if (g->n && g->o->pattern)
        read_names(g, run);
    else if (g->n)
        smi_discovery_name_words(&out->arena, run, name, g->n);
    if (g->n)
        smi_sort(run, g->n, sizeof *run, by_run_name);
    out->run = run;
    out->runs = g->n;
}

/* --run NAME: all logs of all PATHs are one run. */
static void unite_clusters(struct smi_discovery *g)
{
    struct smi_cluster *one = g->cluster;
    for (; g->n > 1; g->n--) {
        struct smi_cluster *c = &g->cluster[g->n - 1];
        smi_mem_reserve(&one->file, &one->cap, one->files + c->files, sizeof *one->file);
        memcpy(one->file + one->files, c->file, c->files * sizeof *c->file);
        one->files += c->files;
        smi_mem_free(c->file);
        one->config = NULL; /* of several runs: nobody's in particular */
    }
}

/* Of the first of n files; one and many: the words that say it of the others. */
static void report_first(struct smi_discovery *g, const char *path, const char *text, int64_t n,
                         const char *one, const char *many)
{
    struct smi_buf b = {0};
    if (!n)
        return;
    smi_buf_str(&b, text);
    if (n > 1)
        smi_buf_fmt(&b, " (so %s %lld other%s)", n > 2 ? many : one, (long long)n - 1, n > 2 ? "s" : "");
    smi_discovery_add_error(g, path, smi_buf_keep(&b, &g->out->arena), false);
    g->trouble[g->troubles - 1].more = n - 1;
}

/* A copy in the arena. */
static const void *keep_list(struct smi_discovery *g, const void *list, size_t n, size_t size)
{
    void *to = smi_arena_new(&g->out->arena, n + 1, size);
    if (n)
        memcpy(to, list, n * size);
    return to;
}

static void keep_lists(struct smi_discovery *g)
{
    struct smi_found *out = g->out;
    out->nstored = g->nstored;
    out->nnotes = g->notes;
    out->ntrouble = g->troubles;
    out->stored = keep_list(g, g->stored, g->nstored, sizeof *g->stored);
    out->note = keep_list(g, g->note, g->notes, sizeof *g->note);
    out->trouble = keep_list(g, g->trouble, g->troubles, sizeof *g->trouble);
    out->passed = keep_list(g, g->passed, out->npassed, sizeof *g->passed);
    out->archive = smi_arena_new(&out->arena, g->archives + 1, sizeof *out->archive);
    for (; out->archives < g->archives; out->archives++) {
        const struct smi_dir *a = g->archive[out->archives];
        out->archive[out->archives] = smi_walk_path(&out->arena, NULL, a->parent, a->self->name);
    }
}

void smi_discover(struct smi_found *out, const char *const *path, size_t n, const struct smi_discover_opts *o)
{
    const size_t others = o->per == SMI_RUN_FILE || o->run ? 0 : o->per == SMI_RUN_DIR ? SIZE_MAX : OTHERS;
    const struct smi_walk_opts walk = {o->format,       o->columns, o->gpu_count, o->threads,
                                       o->follow_links, others,     o->progress,  o->self};
    struct smi_walk w;
    struct smi_discovery g = {.out = out, .o = o, .root = &w.root};
    memset(out, 0, sizeof *out);
    smi_walk(&w, path, n, &walk);
    smi_discovery(&g, &w);
    if (o->run)
        unite_clusters(&g);
    make_runs(&g);
    report_first(&g, g.bare, g.bare_text, out->bare, "has", "have");
    report_first(&g, g.loop.first, "a link that leads back to where it is: not followed", g.loop.n, "is",
                 "are");
    report_first(&g, g.broken.first, "a link that leads nowhere: not followed", g.broken.n, "is", "are");
    smi_discovery_check_clusters(&g);
    keep_lists(&g);
    for (int i = 0; i < SMI_WALK_THREADS; i++) { /* its owner is out, now */
        out->unpacked[i] = w.unpacked[i] + 1;
        w.unpacked[i] = -1;
    }
    smi_discovery_fini(&g);
    smi_walk_fini(&w);
}

void smi_found_fini(struct smi_found *f)
{
    for (int i = 0; i < SMI_WALK_THREADS; i++)
        if (f->unpacked[i])
            close(f->unpacked[i] - 1);
    smi_arena_fini(&f->arena);
    memset(f, 0, sizeof *f);
}

bool smi_found_run_is_stream(const struct smi_found_run *r)
{
    for (size_t i = 0; i < r->files; i++)
        if (strcmp(r->file[i].path, "-") == 0)
            return true;
    return false;
}
