/* discover.c - makes runs of what the walk has found: which logs belong together, under which name
 * (docs/numbers.md §8). */
#include "sweep/discover.h"
#include "base/file.h"
#include "base/stream.h"
#include "base/text.h"
#include "formats/file_group.h"
#include "formats/format.h"
#include "summary/findings.h"
#include "summary/merge_queue.h"
#include "summary/run.h"
#include "sweep/config.h"
#include "sweep/read_run.h"
#include "sweep/walk.h"

#include <fcntl.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One file on its way into a run. */
struct cluster_file {
    const struct smi_dir *dir; /* the root: it is a PATH */
    const struct smi_entry *entry;
};

/* Where the files beside the logs of a run are. */
struct config_places {
    const struct smi_dir *top, *below; /* its directory, and one below it, or NULL; of two files of one name
                                        * that in top counts */
    bool jobs;                         /* the outputs of jobs in top are of this run */
    const struct smi_entry *job;       /* the output of its job; or NULL */
    const struct smi_entry *errors;    /* what its program said of errors, by its name; or NULL */
    const struct smi_job *accounted;   /* what Slurm's accounting says of its job; or NULL */
    const char *account;               /* the file that says it */
};

/* A run in the making. */
struct cluster {
    const struct smi_dir *dir; /* its directory; the root: a PATH that is a file */
    const char *stem;          /* its name below the directory, "" if it has the directory for itself */
    struct cluster_file *file; /* of a run without a log: what shows that there was one */
    size_t files, cap;
    const struct smi_found_run *config; /* what files of its directory say; or NULL */
    bool prefixed;                      /* the PATH stands in front of its name */
};

struct discovery {
    struct smi_found *out;
    const struct smi_discover_opts *o;
    struct smi_inode_set seen;
    struct cluster *cluster;
    size_t n, cap;
    const struct smi_dir *root; /* of the walk: its entries are the PATHs */
    struct smi_inode_set dirs;  /* those that were walked, archives left out: */
    const struct smi_dir **dir; /* the same */
    size_t ndir, dir_cap;
    const struct smi_dir
        *unpacked; /* of the directory of an archive whose logs are listed: where it lies; or NULL */
    size_t common; /* bytes of these that all PATHs share, and 1; 0: nobody has asked yet */
    const char *bare, *bare_text; /* the first file without a header, and the warning about it */
    struct smi_inode_set logs;    /* all that are no links, if links are followed */
    struct cluster_file *lost;    /* they show that their directories are of runs without a log */
    size_t nlost, lost_cap;
    struct smi_inode_set
        names;             /* of all logs in directories: their hashes, and with the directory above theirs */
    struct smi_buf beside; /* as smi_found.beside */
    size_t besides;        /* files that it is about */
    const char *link;      /* the first of the links that lead nowhere, or back to where they are */
    int64_t links;
    struct smi_file_info output;  /* what smi_discover_opts.output is; or no inode */
    size_t copies;                /* logs that are not read, as another one has their bytes, */
    const struct smi_dir *copied; /* and the archive in which the last of these is; or NULL */
    size_t unlike; /* logs of archives where one of this name lies unpacked, with other bytes */
    size_t met;    /* places to which another way has led already */
};

enum { PASSED_KEPT = 1000, BESIDE_SHOWN = 4 };

/* Appends the way from a directory above (not included; NULL: from the PATH, with it) down to dir, with a '/'
 * behind. as: archives without their endings. */
static void append_path(struct smi_buf *b, const struct smi_dir *dir, const struct smi_dir *from, bool as)
{
    if (dir == from || !dir->parent)
        return;
    append_path(b, dir->parent, from, as);
    smi_buf_str(b, as && dir->as ? dir->as : dir->self->name);
    if (b->n && b->p[b->n - 1] != '/')
        smi_buf_char(b, '/');
}

/* The way from a directory above (not included; NULL: from the PATH, with it) to e in dir, kept in the arena.
 */
static const char *path_below(struct discovery *g, const struct smi_dir *from, const struct smi_dir *dir,
                              const struct smi_entry *e)
{
    struct smi_buf b = {0};
    const char *to;
    append_path(&b, dir, from, false);
    smi_buf_str(&b, e->name);
    to = smi_buf_keep(&b, &g->out->arena);
    /* ./a/b of "." reads better as a/b */
    return !from && strncmp(to, "./", 2) == 0 && to[2] && strcmp(to + 2, "-") != 0 ? to + 2 : to;
}

static const char *path_of(struct discovery *g, const struct smi_dir *dir, const struct smi_entry *e)
{
    return path_below(g, NULL, dir, e);
}

/* A file is used: the output of the command would replace it, if it is that. */
static void check_output(struct discovery *g, uint64_t dev, uint64_t ino)
{
    g->out->has_output |= ino && dev == g->output.dev && ino == g->output.ino;
}

/* ---- trouble ---- */

/* Keeps trouble, or a note; path is borrowed. */
static void add_message(struct discovery *g, struct smi_input_warnings *to, const char *path, bool fatal,
                        const char *fmt, ...)
{
    struct smi_buf b = {0};
    va_list ap;
    va_start(ap, fmt);
    smi_buf_vfmt(&b, fmt, ap);
    va_end(ap);
    *SMI_MEM_ADD(to->list, to->n, to->cap) =
        (struct smi_input_warning){path, smi_buf_keep(&b, &g->out->arena), fatal, 0};
}

/* A regular file that is no log: no trouble, unless somebody named it, it has the name of a recording, or it
 * holds a monitor's last words. */
static void pass_over(struct discovery *g, const struct smi_dir *dir, const struct smi_entry *e)
{
    const char *path = path_of(g, dir, e);
    if (!dir->parent || e->messages || smi_walk_is_recording(e->name)) {
        add_message(g, &g->out->trouble, path, false, "cannot be used: %s", e->text ? e->text : "not a log");
        return;
    }
    g->out->passed_over++;
    if (g->out->npassed == PASSED_KEPT)
        return;
    *SMI_MEM_ADD(g->out->passed, g->out->npassed, g->out->passed_cap) = path;
}

static void note_again(struct discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    add_message(g, &g->out->note, path_of(g, root, e), true, "is given twice, and counts once");
}

/* ---- clusters ---- */

/* A new cluster. */
static struct cluster *add_cluster(struct discovery *g, const struct smi_dir *dir, const char *stem)
{
    smi_mem_reserve(&g->cluster, &g->cap, g->n + 1, sizeof *g->cluster);
    g->cluster[g->n] = (struct cluster){.dir = dir, .stem = stem};
    return &g->cluster[g->n++];
}

static void add_to_cluster(struct cluster *c, const struct smi_dir *dir, const struct smi_entry *e)
{
    *SMI_MEM_ADD(c->file, c->files, c->cap) = (struct cluster_file){dir, e};
}

static void take_files(struct cluster *to, struct cluster *from)
{
    for (size_t i = 0; i < from->files; i++)
        add_to_cluster(to, from->file[i].dir, from->file[i].entry);
    smi_mem_free(from->file);
}

/* The bytes of a log, unpacked. */
struct log_bytes {
    struct smi_view_source from;
    struct smi_stream *s; /* NULL: it cannot be opened */
};

/* To be closed with close_log. */
static void open_log(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e,
                     struct log_bytes *b)
{
    const struct smi_archived_log *in = e->inside;
    const char *path = path_of(g, t, e);
    struct smi_file_info info;
    struct smi_err err = {0};
    const int fd = in ? in->fd : smi_file_open_seen(AT_FDCWD, path, false, &info, &err);
    *b = (struct log_bytes){.from.pull.read = smi_read_view, .from.view = {.fd = fd, .name = path}};
    if (in)
        b->from.view =
            (struct smi_file_view){.fd = fd, .name = path, .n = in->size, .part = true, .from = in->from};
    b->s = fd < 0 ? NULL : smi_stream_open(&b->from.pull, &err);
}

static void close_log(const struct log_bytes *b)
{
    smi_stream_close(b->s);
    if (!b->from.view.part && b->from.view.fd >= 0)
        close(b->from.view.fd);
}

/* ---- a log was rotated while its monitor went on: only its oldest part has a header ---- */

enum { HEADER = 8192 /* bytes of the longest */ };

/* The first bytes of a log in t, which lies in no archive, as a text of the arena. */
static const char *read_head(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_buf head = {0};
    smi_file_load(&head, AT_FDCWD, path_of(g, t, e), HEADER, &(struct smi_err){0});
    return smi_buf_keep(&head, &g->out->arena);
}

/* The first line of a log in t, less a byte order mark and comments above it. */
static const char *read_first_line(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_text rest = smi_line_without_bom(smi_text_of(read_head(g, t, e))), line;
    do
        line = smi_config_next_line(&rest);
    while (line.n && *line.p == '#');
    line = smi_text_trim(line);
    return smi_arena_text(&g->out->arena, line.p, line.n);
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

/* Of the n logs of one run in t: parts of a rotated log without a header have the columns of the part that
 * has one. */
static void lend_headers(struct discovery *g, const struct smi_dir *t,
                         const struct smi_file_group_member *log, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct smi_entry *e = (struct smi_entry *)log[i].entry;
        for (size_t k = 0; k < n && lacks_header(e); k++) {
            const struct smi_entry *other = log[k].entry;
            const char *header;
            if (other->kind != SMI_ENTRY_LOG || other->inside || other->format != SMI_FMT_QUERY ||
                lacks_header(other) || !smi_file_group_same_log(e->name, other->name))
                continue;
            header = read_first_line(g, t, other);
            if (smi_formats[SMI_FMT_QUERY]->sniff(smi_text_of(header)) != SMI_SNIFF_YES ||
                count_commas(read_first_line(g, t, e)) != count_commas(header))
                continue;
            e->columns = header;
            e->bare = false;
        }
    }
}

/* PATHs that hold no log but partial summaries: a sweep that was stored. Where there is
 * a log, partial summaries beside it are what smilog wrote of it, and passed over. */

/* Adds those files at e in t, or below it, that begin as a partial summary does, compressed or not. */
static void add_partials(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    static const char begin[] = SMI_PARTIAL_BEGIN;
    struct smi_buf head = {0};
    struct smi_err why = {0};
    if (e->kind == SMI_ENTRY_OTHER)
        smi_file_load(&head, AT_FDCWD, path_of(g, t, e), sizeof begin - 1, &why);
    if (smi_text_is((struct smi_text){head.p, head.n}, begin))
        *SMI_MEM_ADD(g->out->stored, g->out->nstored, g->out->stored_cap) = path_of(g, t, e);
    smi_buf_fini(&head);
    if (e->kind == SMI_ENTRY_DIR && !e->sub->archive && !e->sub->looped)
        for (size_t i = 0; i < e->sub->entries; i++)
            add_partials(g, e->sub, &e->sub->entry[i]);
}

/* ---- counted twice? ---- */

/* The archive that t is, or lies in; NULL: in none. */
static const struct smi_dir *archive_of(const struct smi_dir *t)
{
    while (t && !t->archive)
        t = t->parent;
    return t;
}

/* Where what the directory t of an archive holds may lie unpacked: in a directory that is called as the
 * archive (0), or beside the archive (1). */
static const char *unpacked_path(struct discovery *g, const struct smi_dir *t, int beside)
{
    struct smi_arena *a = &g->out->arena;
    const struct smi_dir *top = archive_of(t);
    const char *file = top->self->file ? top->self->file : path_of(g, top->parent, top->self),
               *in = smi_directory_of(a, file);
    return beside ? smi_format_text(a, "%s/%s", in, t->inside)
                  : smi_format_text(a, "%s/%s/%s", in, smi_archive_name(a, file), t->inside);
}

/* A directory of an archive has the identity of this path. */
static uint64_t hash_place(struct discovery *g, const struct smi_dir *t)
{
    const char *path = unpacked_path(g, t, 0);
    return smi_hash_bytes(path, strlen(path)) | 1;
}

/* The directory where it lies, or the same one in an archive of the same name, t.zip beside t.tgz, that comes
 * before it; NULL: nowhere that was walked. */
static const struct smi_dir *find_unpacked_dir(struct discovery *g, const struct smi_dir *t)
{
    struct stat st;
    size_t at = SMI_MAP_NONE;
    for (int i = 0; i < 2 && at == SMI_MAP_NONE; i++)
        if (stat(unpacked_path(g, t, i), &st) == 0)
            at = smi_inode_set_find(&g->dirs, (uint64_t)st.st_dev, (uint64_t)st.st_ino);
    if (at == SMI_MAP_NONE)
        at = smi_inode_set_find(&g->dirs, UINT64_MAX, hash_place(g, t));
    return at == SMI_MAP_NONE || archive_of(g->dir[at]) == archive_of(t) ? NULL : g->dir[at];
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

/* What is shown of a list, in the arena: the list is ended. top: the directory of a run, whose parameters
 * these are; or NULL. */
static const struct smi_param *keep_shown(struct smi_params *all, const struct smi_dir *top, size_t *n)
{
    struct smi_param *list = smi_arena_new(all->a, all->shown + 1, sizeof *list);
    for (size_t i = 0; i < all->n; i++)
        if (all->list[i].text && !(top && is_own_directory(top, &all->list[i])))
            list[(*n)++] = all->list[i];
    smi_mem_free(all->list);
    return list;
}

/* "time limit (slurm-4711.out)": a reason says where it comes from. */
static void add_fact(struct smi_params *all, struct smi_param fact, const char *file)
{
    if (strcmp(fact.key, SMI_FACT_REASON) == 0 && !smi_params_has(all, smi_text_of(fact.key)))
        fact.text = smi_format_text(all->a, "%s (%s)", fact.text ? fact.text : "", file);
    smi_params_add(all, &fact);
}

/* What the accounting says of the job, where nothing else does. */
static void add_accounted(struct smi_params *all, const struct config_places *p)
{
    const struct smi_job *j = p->accounted;
    char code[16];
    if (!j || !j->state || smi_params_has(all, smi_text_of(SMI_FACT_STATE)))
        return;
    snprintf(code, sizeof code, "%d", j->exit_code);
    if (j->reason)
        add_fact(all, (struct smi_param){SMI_FACT_REASON, j->reason, false}, p->account);
    if (j->exit_code >= 0)
        add_fact(all, (struct smi_param){SMI_FACT_EXIT, code, false}, "");
    add_fact(all, (struct smi_param){SMI_FACT_STATE, j->state, false}, "");
}

/* One list of the facts in n files, and of the accounting: a cause counts before an exit status. Of the
 * outputs of several jobs only the first counts: what those before it say is not how the run ended. */
static void join_facts(struct smi_params *all, const struct beside *file, size_t n,
                       const struct config_places *p)
{
    const struct smi_job *j = p->accounted;
    for (int cause = 1; cause >= 0; cause--) {
        bool ended = false;
        for (size_t i = 0; i < n; i++) {
            const struct smi_config *c = file[i].e->config;
            const bool job = smi_config_is_job_output(file[i].e->name);
            const char *why = smi_param_text(c->fact, c->facts, SMI_FACT_REASON);
            const bool says_cause = why && !smi_reason_is_exit(why);
            for (size_t k = 0; k < c->facts && !(job && ended) && says_cause == cause; k++)
                add_fact(all, c->fact[k], file[i].e->name);
            ended |= job;
        }
        if (!cause || (j && j->reason && !smi_reason_is_exit(j->reason)))
            add_accounted(all, p);
    }
}

/* Adds e, if it is there and says anything, behind n files. Returns how many they are then. */
static size_t add_beside(struct beside *file, size_t n, const struct smi_dir *dir, const struct smi_entry *e)
{
    if (!e || !e->config)
        return n;
    file[n] = (struct beside){dir, e, n};
    return n + 1;
}

static size_t list_configs(const struct smi_dir *t, bool jobs, struct beside *file, size_t n)
{
    for (size_t i = 0; t && i < t->entries; i++)
        if (!(t->entry[i].config && t->entry[i].config->jobs) &&
            (jobs || smi_config_rank(t->entry[i].name) < SMI_CONFIG_OUTPUT))
            n = add_beside(file, n, t, &t->entry[i]);
    return n;
}

enum { CONFIG_ABOVE = 3 /* directories in which it is looked for */ };

/* What they say, in the arena: all of a run but its name and its files. reason: a sentence that comes before
 * theirs; or NULL. NULL if there is nothing of it. */
static const struct smi_found_run *join_configs(struct discovery *g, const struct config_places *p,
                                                const char *reason)
{
    struct smi_arena *a = &g->out->arena;
    struct beside *file = smi_mem_new(p->top->entries + (p->below ? p->below->entries : 0) + 3, sizeof *file);
    struct smi_params params = {.a = a}, facts = {.a = a};
    struct smi_found_run *c = NULL;
    const char **problem;
    const struct smi_dir *up = p->top;
    size_t n = list_configs(p->below, p->jobs, file, list_configs(p->top, p->jobs, file, 0));
    bool told = false, over = false; /* told: a file says parameters */
    for (size_t i = 0; i < n; i++)
        told |= file[i].e->config->n > 0;
    for (int level = 0; level < CONFIG_ABOVE && !told && (up = smi_dir_above(up)); level++) {
        const size_t before = n;
        n = add_beside(file, n, p->top, smi_dir_find(up, SMI_CONFIG_ABOVE));
        told = n > before;
    }
    n = add_beside(file, n, p->top, p->job);
    n = add_beside(file, n, p->top, p->errors);
    if (n || p->accounted || reason) {
        c = smi_arena_new(a, 1, sizeof *c);
        smi_sort(file, n, sizeof *file, compare_config_rank);
        c->problem = problem = smi_arena_new(a, n + 2, sizeof *problem);
        problem[0] = reason;
        c->problems = reason != NULL;
        for (size_t i = 0; i < n; i++) {
            check_output(g, file[i].e->dev, file[i].e->ino);
            if (file[i].e->config->text) {
                struct smi_buf b = {0};
                append_path(&b, file[i].dir, p->top, false);
                smi_buf_fmt(&b, "%s: %s", file[i].e->name, file[i].e->config->text);
                problem[c->problems++] = smi_buf_keep(&b, a);
            }
        }
        for (size_t i = 0; i < n && !over; i++) { /* the one that counts most first */
            const struct smi_config *from = file[i].e->config;
            for (size_t k = 0; k < from->n; k++)
                smi_params_add(&params, &from->param[k]);
            over = from->over; /* behind one that is not known to its end nobody can tell what counts */
        }
        if (params.over && !over)
            problem[c->problems++] =
                "more than 256 parameters in the files of the run: the first of them count";
        join_facts(&facts, file, n, p);
        c->config = keep_shown(&params, p->top, &c->configs);
        c->fact = keep_shown(&facts, NULL, &c->facts);
    }
    smi_mem_free(file);
    return c;
}

/* ---- outputs of jobs ---- */

static const struct smi_entry *find_numbered(const struct smi_dir *t, const char *name, const char *ending)
{
    const struct smi_entry *e = NULL;
    struct smi_text id = {0};
    char output[64];
    while (!e && smi_jobs_next_id(&name, &id))
        if (id.n <= 40) {
            snprintf(output, sizeof output, "slurm-%.*s%s", (int)id.n, id.p, ending);
            e = smi_dir_find(t, output);
        }
    return e;
}

const struct smi_entry *smi_discovery_find_job(const struct smi_dir *t, const char *name)
{
    return t && t->jobs ? find_numbered(t, name, ".out") : NULL;
}

/* output: of the job; or NULL. */
static const struct smi_job *find_in_accounts(const struct smi_dir *t, const char *name,
                                              const struct smi_entry *output, struct config_places *p)
{
    const char *const in[] = {smi_file_name(name), output ? output->name : ""};
    const struct smi_job *j = NULL;
    for (size_t i = 0; i < 2 * t->entries && !j; i++) {
        const struct smi_entry *e = &t->entry[i % t->entries];
        const char *at = in[i / t->entries];
        struct smi_text id = {0};
        p->account = smi_file_name(e->name);
        while (e->config && e->config->jobs && !j && smi_jobs_next_id(&at, &id))
            j = smi_jobs_find(e->config->job, e->config->jobs, id);
    }
    return j;
}

/* Fills `accounted` of the run whose logs lie in t and whose name is `name`: by a number in it, or in that of
 * the output of its job. Accounting that is a PATH comes first, then the nearest. */
static void find_accounted_job(struct discovery *g, const struct smi_dir *t, const char *name,
                               struct config_places *p)
{
    const struct smi_entry *output = p->job;
    for (size_t i = t->entries; p->jobs && t->jobs && !output && i-- > 0;)
        if (smi_config_is_job_output(t->entry[i].name))
            output = &t->entry[i];
    p->accounted = g->root->accounts ? find_in_accounts(g->root, name, output, p) : NULL;
    for (; t && !p->accounted; t = smi_dir_above(t))
        if (t->accounts)
            p->accounted = find_in_accounts(t, name, output, p);
}

/* Fills the places of what lies beside the logs of a run in t; stem: of its cluster. */
static void find_beside(struct discovery *g, const struct smi_dir *t, const char *stem,
                        struct config_places *p)
{
    const char *name = *stem ? stem : t->self ? t->name : "";
    p->jobs = !*stem;
    p->job = *stem     ? smi_discovery_find_job(t, stem) /* its number is in the name */
             : t->jobs ? NULL
                       : smi_discovery_find_job(smi_dir_above(t), name);
    /* "run1.err" of the run1 among other runs, or "slurm-4711.err" of run_4711 */
    p->errors = *stem ? smi_dir_find(t, smi_format_text(&g->out->arena, "%s.err", stem)) : NULL;
    if (*stem && !p->errors)
        p->errors = find_numbered(t, stem, ".err");
    find_accounted_job(g, t, name, p);
}

/* ---- how the runs that were found are called, whatever way their PATH was typed ---- */

/* ---- PATHs as the file system has them ---- */

static const char *real_path(struct discovery *g, const char *path)
{
    const char *real = smi_real_path(&g->out->arena, path);
    return real ? real : smi_copy_text(&g->out->arena, path);
}

/* The last piece of the real name of a PATH, as those below. */
static const char *real_base_name(struct discovery *g, const char *path)
{
    return smi_file_name(real_path(g, path));
}

/* "exp2/logs" of a PATH whose last pieces are these, another PATH being exp1/logs: its real name less the
 * bytes that lead to the directory that holds all PATHs. */
static const char *distinguishing_path(struct discovery *g, const char *path)
{
    const char *first = NULL;
    size_t n = g->common ? g->common - 1 : 0;
    for (size_t i = 0; i < g->root->entries && !g->common; i++) {
        const char *real = g->root->entry[i].inside ? NULL : real_path(g, g->root->entry[i].name);
        if (real)
            n = first ? smi_common_bytes(first, real, n, 1) : strlen(real);
        first = first ? first : real;
    }
    while (first && n && first[n - 1] != '/')
        n--;
    g->common = 1 + n;
    return real_path(g, path) + n;
}

/* ---- directories of W&B: run-20260301_100000-a1b2c3d4/files ---- */

/* The directory that a run in t is called after: t, or above W&B's "files" that of its run. */
static const struct smi_dir *naming_dir(const struct smi_dir *t)
{
    const struct smi_dir *up = smi_dir_above(t);
    const char *run = up ? smi_file_name(up->name) : "";
    run += strncmp(run, "offline-", 8) == 0 ? 8 : 0;
    run = strcmp(t->name, "files") == 0 ? run : "";
    return smi_name_fits(run, run + strlen(run), "run-dddddddd_dddddd-") && !up->has_log ? up : t;
}

/* ---- runs ---- */

/* "run3" of out/run3/hw.csv below the PATH out; the real base name of a PATH that is a run itself. */
static const char *run_name(struct discovery *g, const struct cluster *c)
{
    const struct smi_entry *e = c->file[0].entry;
    const struct smi_dir *path = c->dir, *only; /* only: an archive of one directory, of its name, is that */
    const char *given = NULL, *name; /* what people call the run, as the file beside its log says */
    struct smi_buf b = {0};
    if (g->o->run)
        return smi_copy_text(&g->out->arena, g->o->run);
    if (!c->dir->parent && e->inside)
        return path_of(g, c->dir, e);
    if (!c->dir->parent) /* a file */
        return c->prefixed ? distinguishing_path(g, e->name) : real_base_name(g, e->name);
    while (path->parent->parent)
        path = path->parent;
    if (c->config && !*c->stem)
        given = smi_param_text(c->config->fact, c->config->facts, SMI_FACT_NAME);
    only = path->as && path->entries == 1 ? path->entry->sub : NULL;
    if (only && strcmp(only->self->name, path->as) != 0)
        only = NULL;
    append_path(&b, naming_dir(c->dir), only ? only : path, true);
    smi_buf_str(&b, c->stem);
    b.n -= b.n > 1 && b.p[b.n - 1] == '/';
    if (b.n && given) { /* "0/bright-cod-123" of 0/1f0c.., where a file says so */
        while (b.n && b.p[b.n - 1] != '/')
            b.n--;
        smi_buf_str(&b, given);
    }
    name = b.n ? smi_buf_keep(&b, &g->out->arena) : NULL;
    smi_buf_fini(&b);
    if (c->prefixed) {
        smi_buf_fmt(&b, "%s%s%s", distinguishing_path(g, path->self->name), name ? "/" : "",
                    name ? name : "");
        return smi_buf_keep(&b, &g->out->arena);
    }
    if (name || given)
        return name ? name : given;
    name = path->as ? path->as : naming_dir(path)->name;
    return smi_copy_text(&g->out->arena, *smi_file_name(name) ? smi_file_name(name) : name);
}

static int by_name(const void *x, const void *y)
{
    const struct smi_found_run *a = *(struct smi_found_run *const *)x, *b = *(struct smi_found_run *const *)y;
    int d = strcmp(a->name, b->name);
    return d ? d : (a > b) - (a < b);
}

/* One look over all names. first: equal names get what tells their PATHs apart in front; later: a number
 * behind. Returns how many were changed. */
static int add_distinguishing_prefix(struct discovery *g, struct smi_found_run *run, struct smi_found_run **v,
                                     bool first)
{
    int changed = 0;
    smi_sort(v, g->n, sizeof *v, by_name);
    for (size_t i = 0, end; i < g->n; i = end) {
        for (end = i + 1; end < g->n && strcmp(v[end]->name, v[i]->name) == 0;)
            end++;
        for (size_t k = first ? i : i + 1; k < end && end - i > 1; k++, changed++) {
            struct cluster *c = &g->cluster[v[k] - run];
            c->prefixed = true;
            v[k]->name =
                first ? run_name(g, c) : smi_format_text(&g->out->arena, "%s (%zu)", v[i]->name, k - i + 1);
        }
    }
    return changed;
}

/* runs of which no log is left: the program died before its monitor wrote a row, or there was no monitor.
 * They count as runs without data, as long as something shows that there was a run. */

/* ---- the names of all logs: a file of such a name was to be one, whatever number it has ---- */

static const char digits[] = "0123456789";

/* The same for names that differ in their digits only. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0;
    while (*name) {
        size_t n = strcspn(name, digits);
        hash = smi_hash_pair(hash, smi_hash_bytes(name, n));
        name += n;
        hash = smi_hash_pair(hash, *name != 0);
        name += strspn(name, digits);
    }
    return hash;
}

/* The same of a file in a directory beside others: "0001.txt" is a number and nothing else, which counts. */
static uint64_t hash_sibling(const char *name)
{
    const bool number = strspn(name, digits) >= strcspn(name, ".");
    return number ? smi_hash_bytes(name, strlen(name)) : hash_name(name);
}

static bool has_name(const struct smi_inode_set *names, const struct smi_dir *beside, uint64_t hash)
{
    return smi_inode_set_find(names, (uintptr_t)beside, hash) != SMI_MAP_NONE;
}

/* ---- what shows a run ---- */

static bool is_marker(const struct smi_entry *e)
{
    return strcmp(e->name, "wandb-metadata.json") == 0 || smi_config_is_hydra(e->name);
}

/* Begun as a log and never written, or called as the logs of the directories beside t, but for numbers and
 * whatever it holds ("zsh: permission denied: ./sample.sh"), or the marker of a
 * tool that keeps a directory for each run; or NULL. */
static const struct smi_entry *find_evidence(const struct smi_inode_set *l, const struct smi_dir *t)
{
    const struct smi_entry *called = NULL, *marker = NULL;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        if (e->kind == SMI_ENTRY_OTHER && e->broken &&
            (has_name(l, NULL, hash_name(e->name)) || smi_file_group_names_gpus(e->name)))
            return e;
        if (!called && (e->kind == SMI_ENTRY_OTHER || smi_config_rank(e->name) > SMI_CONFIG_OUTPUT) &&
            has_name(l, t->parent, hash_sibling(e->name)))
            called = e;
        if (!marker && is_marker(e))
            marker = e;
    }
    return called ? called : marker;
}

/* ---- the runs ---- */

/* Adds a run without a log, of which e in the directory t shows that there was one; stem: of its cluster. */
static void add_lost_run(struct discovery *g, const struct smi_dir *t, const char *stem,
                         const struct smi_entry *e)
{
    static const struct smi_dir nothing;
    struct cluster *c = add_cluster(g, t, stem);
    struct config_places places = {.top = t->parent ? t : &nothing};
    const char *file = smi_file_name(e->name), *why;
    find_beside(g, t, stem, &places);
    add_to_cluster(c, t, e);
    ((struct smi_entry *)e)->lost = true;
    if (is_marker(e))
        why = smi_format_text(&g->out->arena, "no log beside %s", e->name);
    else if (e->broken || e->text)
        why = smi_format_text(&g->out->arena, "%s: cannot be used: %s", file, e->text ? e->text : "");
    else
        why = smi_format_text(&g->out->arena,
                              "%s: no log, though files called like it in other directories are", file);
    c->config = join_configs(g, &places, why);
}

/* ---- in a directory with the logs of several runs ---- */

/* How many bytes two names have in common at both ends. */
static size_t count_common_ends(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b), most = n < m ? n : m, front = smi_common_bytes(a, b, most, 1);
    return front + smi_common_bytes(a + n - 1, b + m - 1, most - front, -1);
}

/* Appends to the n logs of t those files that never became logs and are called as one of them is; log has
 * room for all entries. Returns how many there are then. */
static size_t list_broken(const struct smi_dir *t, struct smi_file_group_member *log, size_t n)
{
    size_t all = n;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        size_t best = 0, alike = 0;
        int format = -1;
        if (n && e->kind == SMI_ENTRY_OTHER && e->broken && smi_file_group_has_ending(e->name)) {
            for (size_t k = 1; k < n; k++)
                if (count_common_ends(log[k].name, e->name) > count_common_ends(log[best].name, e->name))
                    best = k;
            for (size_t k = 0; k < n; k++)
                alike += log[k].format == log[best].format;
            format = alike > 1 || hash_name(log[best].name) == hash_name(e->name) ? log[best].format : -1;
        }
        if (format >= 0 || (e->named && e->broken))
            log[all++] = (struct smi_file_group_member){e->name, format, e, ""};
    }
    return all;
}

/* which logs make up a run, and what is not used: walks the finished tree in the order of names, so that the
 * result is the same for any number of threads. */

/* A directory with a RunLog or CPU CSV, whose GPU logs lie in a directory below: one run, named for the
 * upper. */
static void take_in_only_descendant(struct discovery *g, const struct smi_dir *t, size_t first)
{
    struct config_places places = {.top = t};
    if (g->n != first + 2)
        return;
    struct cluster *own = g->cluster + first, *below = own + 1;
    places.below = below->dir;
    if (own->dir != t || *own->stem || t->has_gpu_log || g->o->per != SMI_RUN_AUTO)
        return;
    take_files(own, below);
    find_beside(g, t, "", &places);
    own->config = join_configs(g, &places, NULL);
    g->n--;
}

/* ---- logs whose rows another log has, too: the find_... return its name, or NULL ---- */

/* Does the log `of` in dir begin with all bytes of e in t, or hold the same? */
static bool begins_with(struct discovery *g, const struct smi_dir *dir, const struct smi_entry *of,
                        const struct smi_dir *t, const struct smi_entry *e)
{
    struct log_bytes log, other;
    struct smi_err err = {0};
    char a[8192], b[sizeof a];
    ssize_t n = sizeof b;
    bool same;
    open_log(g, dir, of, &log);
    open_log(g, t, e, &other);
    same = log.s && other.s;
    while (same && n == sizeof b) {
        n = smi_source_fill(smi_stream_source(other.s), b, 0, sizeof b, &err);
        same = n >= 0 && smi_source_fill(smi_stream_source(log.s), a, 0, (size_t)n, &err) == n &&
               memcmp(a, b, (size_t)n) == 0;
    }
    close_log(&log);
    close_log(&other);
    return same;
}

/* "10:20:30", or seconds since 1970. Rows without a time may be equal by chance, and so may headers. */
static bool has_times(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    static const char form[] = "(^|[^0-9A-SU-Za-z:-])([0-9][0-9]:[0-9][0-9]:[0-9][0-9]|[0-9]{10})";
    regex_t times;
    if (regcomp(&times, form, REG_EXTENDED | REG_NOSUB))
        smi_mem_exhausted();
    const bool has = regexec(&times, read_head(g, t, e), 0, NULL, 0) == 0;
    regfree(&times);
    return has;
}

/* Is a log that lies beside a PATH read with it? joined: it is a part of the run, whatever its name says.
 * What --input-format and --run say is of the PATHs. */
static bool is_read_beside(const struct discovery *g, const struct smi_entry *e, bool joined)
{
    return e->named || ((joined || e->akin) && g->o->format < 0 && !g->o->run);
}

/* Has the log of this name in dir all rows of the log e in t, from its beginning on? In an archive it has the
 * same name, as a backup it has an ending more: then its rows need no times. */
static const char *find_equal(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e,
                              const struct smi_dir *dir, const char *name)
{
    const struct smi_entry *of = smi_dir_find(dir, name);
    const int one = of ? smi_file_group_gpu(e->name) : -1, other = of ? smi_file_group_gpu(name) : -1;
    const size_t n = strlen(name);
    if (!of || of->kind != SMI_ENTRY_LOG || of->linked ||
        (dir->beside && dir != t && !is_read_beside(g, of, false)) ||
        (one >= 0 && other >= 0 && one != other) || /* two GPUs that did the same */
        (dir == t && smi_file_group_same_log(e->name, name) /* parts of one run */))
        return NULL;
    if (begins_with(g, dir, of, t, e) &&
        ((strncmp(e->name, name, n) == 0 && strchr(".~", e->name[n])) || has_times(g, t, e)))
        return of->name;
    g->unlike += e->inside != NULL;
    return NULL;
}

/* "gpu.csv" of "gpu_copy.csv", "gpu (1).csv", "old gpu.csv", "gpu.csv.bak" or "gpu.csv~": the name has a word
 * more. Logs with other names are runs, even if their bytes are equal. Of a log in an archive: the one of its
 * path that lies unpacked. */
static const char *find_copied(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e)
{
    struct smi_buf name = {0};
    const char *of = NULL;
    if (t->samples || e->linked || (e->named && !e->inside) || e->size <= 0)
        return NULL;
    if (e->inside)
        return g->unpacked ? find_equal(g, t, e, g->unpacked, e->name) : NULL;
    for (const char *word = e->name; !of && (word = strpbrk(word, "-_ .(~")); word++) {
        for (const char *end = word; !of && *end;) { /* an ending stands behind the word, or nothing */
            end = strchrnul(end + 1, '.');
            smi_buf_clear(&name);
            smi_buf_add(&name, e->name, (size_t)(word - e->name));
            smi_buf_str(&name, end);
            of = find_equal(g, t, e, t, name.p);
        }
        if (!of && *word != '(')
            of = find_equal(g, t, e, t, word + 1);
    }
    smi_buf_fini(&name);
    return of;
}

enum { EMISSIONS_MAX = 16 << 20 };

/* emissions_base_RUN.csv, which CodeCarbon writes of the tasks of a run: the file beside it that has this run
 * as a whole; or NULL. */
static const char *find_whole_emissions(struct discovery *g, const struct smi_dir *t,
                                        const struct smi_entry *e)
{
    const char *run = strrchr(e->name, '_'), *found = NULL;
    const size_t n = run ? strcspn(++run, ".") : 0;
    for (size_t i = 0; i < t->entries && n && !found && !e->named && e->format == SMI_FMT_CODECARBON; i++) {
        const struct smi_entry *other = &t->entry[i];
        struct smi_err err = {0};
        struct smi_buf b = {0};
        if (other != e && other->format == SMI_FMT_CODECARBON && !other->inside &&
            !strstr(other->name, run) &&
            smi_file_load(&b, AT_FDCWD, path_of(g, t, other), EMISSIONS_MAX, &err) == 0 &&
            memmem(b.p, b.n, run, n))
            found = other->name;
        smi_buf_fini(&b);
    }
    return found;
}

/* Returns how many. A log that is reached by its own name, or by the name of a link too, counts once: not by
 * that of the link. */
static size_t list_logs(struct discovery *g, const struct smi_dir *t, struct smi_file_group_member *log)
{
    size_t n = 0;
    g->unpacked = t->inside && g->ndir ? find_unpacked_dir(g, t) : NULL;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        const char *text = "has the tasks of a run that %s has as a whole: not read", *of;
        if (e->kind != SMI_ENTRY_LOG || (e->linked && !smi_inode_set_add(&g->logs, e->dev, e->ino)))
            continue;
        if (e->inside && !smi_inode_set_add(&g->seen, e->dev, e->ino)) {
            g->met++;
            continue;
        }
        of = find_whole_emissions(g, t, e);
        if (!of) {
            of = find_copied(g, t, e);
            text = "is a copy of %s: not read, so that its rows count once";
        }
        if (!of)
            log[n++] = (struct smi_file_group_member){e->name, e->format, e, ""};
        else if (!e->inside) /* else it is said of the archive */
            add_message(g, &g->out->note, path_of(g, t, e), false, text, of);
        if (of && (!t->beside || e->akin)) {
            g->met++;
            g->copies++;
            g->copied = archive_of(g->unpacked);
        }
    }
    return n;
}

/* W&B keeps run-ID.wandb beside a directory `files` with what else it knows of the run. */
static const struct smi_dir *find_wandb_files(const struct smi_dir *t)
{
    const struct smi_dir *files = NULL;
    bool wandb = false;
    for (size_t i = 0; i < t->entries; i++) {
        const struct smi_entry *e = &t->entry[i];
        wandb |= e->kind == SMI_ENTRY_LOG && e->format == SMI_FMT_WANDB;
        if (e->sub && strcmp(e->name, "files") == 0)
            files = e->sub;
    }
    return wandb ? files : NULL;
}

/* One run: the logs of one stem; what never became a log counts where there is no other. Beside a PATH only
 * those count that are akin by their names, but for a RunLog, which joins all that the directory joins. */
static void add_group(struct discovery *g, const struct smi_dir *t, const struct smi_file_group_member *log,
                      size_t n, const struct smi_found_run *config)
{
    const struct smi_entry *lost = NULL;
    struct cluster *c = NULL;
    bool joined = g->o->per == SMI_RUN_DIR;
    for (size_t i = 0; i < n; i++)
        joined |= log[i].format == SMI_FMT_RUNLOG;
    for (size_t i = 0; i < n; i++) {
        const struct smi_entry *e = log[i].entry;
        if (t->beside && !is_read_beside(g, e, joined))
            continue;
        if (e->kind != SMI_ENTRY_LOG) {
            lost = lost ? lost : e;
            continue;
        }
        c = c ? c : add_cluster(g, t, log[i].stem);
        c->config = config;
        add_to_cluster(c, t, e);
        if (e->bare && !g->out->bare++) {
            g->bare_text = e->text;
            g->bare = path_of(g, t, e);
        }
    }
    if (!c)
        add_lost_run(g, t, n > 1 && !*log->stem ? lost->name : log->stem, lost);
}

/* Makes runs of the n logs of t, which are in the order of their stems. */
static void add_groups(struct discovery *g, const struct smi_dir *t, const struct smi_file_group_member *log,
                       size_t n)
{
    struct config_places places = {.top = t, .below = find_wandb_files(t)};
    const struct smi_found_run *shared = NULL, *own = NULL;
    bool known = false, alone;
    size_t end;
    for (size_t i = 0; i < n; i = end) {
        bool named = false;
        for (end = i + 1; end < n && strcmp(log[end].stem, log[i].stem) == 0;)
            end++;
        for (size_t k = i; k < end; k++)
            named |= log[k].entry->named != NULL;
        if (t->beside && !named)
            continue;
        find_beside(g, t, log[i].stem, &places);
        alone = places.job || places.errors || places.accounted;
        if (alone || !known)
            *(alone ? &own : &shared) = join_configs(g, &places, NULL);
        known |= !alone;
        lend_headers(g, t, log + i, end - i);
        add_group(g, t, log + i, end - i, alone ? own : shared);
    }
}

/* Makes clusters of the logs that lie directly in t. */
static void group_logs(struct discovery *g, const struct smi_dir *t)
{
    struct smi_file_group_member *log = smi_mem_new(t->entries, sizeof *log);
    size_t n = list_logs(g, t, log);
    if (g->o->per != SMI_RUN_DIR && !t->samples && g->o->format < 0)
        n = list_broken(t, log, n);
    if (n > 1 && g->o->per == SMI_RUN_AUTO && !t->samples)
        smi_file_group_name_runs(&g->out->arena, log, n);
    for (size_t i = 0; i < n && (g->o->per == SMI_RUN_FILE || t->samples); i++)
        log[i].stem = log[i].name;
    add_groups(g, t, log, n);
    smi_mem_free(log);
}

static void gather_tree(struct discovery *g, const struct smi_dir *t, bool lost);

/* What was said since then counts no more. */
static void drop_messages(struct discovery *g, const struct smi_found *was)
{
    g->out->trouble.n = was->trouble.n;
    g->out->note.n = was->note.n;
    g->out->npassed = was->npassed;
    g->out->passed_over = was->passed_over;
}

/* Of what the directory t of an archive holds, copies and unlike are counted from 0 on. */
static void note_unpacked(struct discovery *g, const struct smi_dir *t)
{
    const char *path = path_of(g, t->parent, t->self);
    if (g->copies)
        add_message(g, &g->out->note, path, true, "logs that %s%s: %zu, not read, so that rows count once",
                    g->copied ? path_of(g, g->copied->parent, g->copied->self) : "lie unpacked beside it",
                    g->copied ? " has, too" : "", g->copies);
    if (g->unlike)
        add_message(g, &g->out->note, path, true,
                    "logs of names that lie unpacked beside it, too: %zu, both are read; if they are the "
                    "same, name only one",
                    g->unlike);
    g->copies = g->unlike = 0;
}

/* It holds a log. */
static void note_archive(struct discovery *g, struct smi_dir *t)
{
    t->index = g->out->archives;
    check_output(g, t->self->dev, t->self->ino);
    *SMI_MEM_ADD(g->out->archive, g->out->archives, g->out->archive_cap) = path_of(g, t->parent, t->self);
}

/* An archive without a log, that nobody named, is one more file that is none: datasets and checkpoints are
 * archives too, and what is odd in them is not our business. */
static void gather_archive(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e, bool lost)
{
    const struct smi_found was = *g->out;
    const size_t runs = g->n, met = g->met;
    g->copies = 0;
    gather_tree(g, e->sub, lost && (e->sub->has_log_below || !t->parent));
    if (e->sub->mlflow)
        add_message(g, &g->out->trouble, path_of(g, t, e), false,
                    "runs of MLflow's file store in it: %zu, not read from archives, unpack it",
                    e->sub->mlflow);
    note_unpacked(g, e->sub);
    if (g->n > runs)
        note_archive(g, e->sub);
    else if (t->parent && !e->sub->mlflow && g->met == met) {
        drop_messages(g, &was);
        g->out->links = was.links;
        pass_over(g, t, e);
    }
}

/* lost: as of gather_tree. */
static void gather_entry(struct discovery *g, const struct smi_dir *t, const struct smi_entry *e, bool lost)
{
    if (e->lost)
        return;
    if (e->kind == SMI_ENTRY_DIR && e->sub->archive)
        gather_archive(g, t, e, lost);
    else if (e->kind == SMI_ENTRY_DIR)
        gather_tree(g, e->sub, lost);
    else if (e->kind == SMI_ENTRY_BAD)
        add_message(g, &g->out->trouble, path_of(g, t, e), !t->parent, "%s", e->text);
    else if (e->kind == SMI_ENTRY_LINK && e->link == SMI_LINK_NOWHERE && !g->links++)
        g->link = path_of(g, t, e);
    else if (e->kind == SMI_ENTRY_CONFIG) { /* the output of a job may be that of a run below */
        if (!e->config->jobs && !smi_config_is_hydra(e->name) && !smi_config_is_job_output(e->name) &&
            !t->has_log &&
            !(t->parent && t->parent->parent && strcmp(t->self->name, "files") == 0 &&
              find_wandb_files(t->parent) == t)) /* they belong to the run in the directory above */
            pass_over(g, t, e);
    } else if (e->kind == SMI_ENTRY_OTHER && !(t->parent && smi_config_is_hydra(e->name)))
        pass_over(g, t, e);
}

/* All runs of a directory and those below it. The first way to a directory counts. lost: it may be the
 * directory of a run without a log; what lies below that, or below a GPU log, belongs to that run. */
static void gather_tree(struct discovery *g, const struct smi_dir *t, bool lost)
{
    const struct smi_entry *shows;
    size_t first = g->n;
    if (t->looped || !smi_inode_set_add(&g->seen, t->dev, t->ino)) {
        g->met++;
        return;
    }
    g->out->links += t->links;
    if (t->text)
        add_message(g, &g->out->trouble, path_of(g, t->parent, t->self), !t->parent->parent, "%s", t->text);
    lost = lost && !t->samples && !t->has_gpu_log;
    shows = lost && !t->has_log_below ? find_evidence(&g->names, t) : NULL;
    if (shows) {
        *SMI_MEM_ADD(g->lost, g->nlost, g->lost_cap) = (struct cluster_file){t, shows};
        ((struct smi_entry *)shows)->lost = true;
    }
    group_logs(g, t);
    for (size_t i = 0; i < t->entries; i++)
        gather_entry(g, t, &t->entry[i], lost && !shows);
    take_in_only_descendant(g, t, first);
}

/* The runs of the directory t to which its PATHs belong. Other logs there are ignored. */
static void gather_beside(struct discovery *g, const struct smi_dir *t)
{
    const struct smi_found was = *g->out;
    const size_t first = g->n;
    if (!smi_inode_set_add(&g->seen, t->dev, t->ino))
        return;
    g->copies = 0;
    group_logs(g, t);
    const size_t own = g->n, seen = g->seen.n;
    for (size_t i = 0; i < t->entries && !t->has_gpu_log; i++)
        if (t->entry[i].sub)
            gather_tree(g, t->entry[i].sub, false);
    take_in_only_descendant(g, t, first);
    if (g->n > own) /* those below are runs of their own */
        smi_inode_set_shorten(&g->seen, seen);
    for (; g->n > own; g->n--)
        smi_mem_free(g->cluster[g->n - 1].file);
    drop_messages(g, &was);
    for (const struct smi_entry *e = t->entry; e < t->entry + t->entries; e++)
        if (e->named && e->named->broken && !e->lost) /* its run has logs, and does not speak of it */
            pass_over(g, g->root, e->named);
    if (t->archive) {
        note_archive(g, t->self->sub);
        note_unpacked(g, t);
    }
    if (t->text)
        add_message(g, &g->out->note, path_of(g, t->parent, t->self), false,
                    "%s: only the logs in it that are named are read", t->text);
}

static void gather_file(struct discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    if (!smi_inode_set_add(&g->seen, e->dev, e->ino))
        note_again(g, root, e);
    else if (e->bare)
        add_message(g, &g->out->trouble, path_of(g, root, e), true, "%s", e->text);
    else if (e->broken) /* named by the user: its log was to be there */
        add_lost_run(g, root, e->name, e);
    else
        add_to_cluster(add_cluster(g, root, e->name), root, e);
}

static void gather_path(struct discovery *g, const struct smi_dir *root, const struct smi_entry *e)
{
    const struct smi_found was = *g->out;
    const size_t runs = g->n, met = g->met;
    if (e->again) {
        note_again(g, root, e);
        return;
    }
    if (e->sub && e->sub->beside)
        return;
    if (g->o->stored && e->kind == SMI_ENTRY_OTHER)
        add_partials(g, root, e);
    if (g->out->nstored > was.nstored)
        return;
    if (e->kind == SMI_ENTRY_LOG || e->broken) {
        gather_file(g, root, e);
        return;
    }
    gather_entry(g, root, e, g->o->format < 0);
    for (; g->nlost; g->nlost--)
        add_lost_run(g, g->lost[g->nlost - 1].dir, "", g->lost[g->nlost - 1].entry);
    if (g->o->stored && g->n == runs)
        add_partials(g, root, e);
    if (g->out->nstored > was.nstored || e->kind != SMI_ENTRY_DIR || g->n > runs ||
        g->out->trouble.n > was.trouble.n || g->met > met)
        return;
    const long long passed = g->out->passed_over - was.passed_over;
    add_message(g, &g->out->trouble, path_of(g, root, e), false, "holds no log (files looked at: %lld%s)",
                passed, passed ? "; -v names them" : "");
}

/* Of t and below, before any run is made: the directories, which have logs, their names, and which of them
 * are no links. */
static void note_tree(struct discovery *g, struct smi_dir *t)
{
    for (const struct smi_entry *e = t->entry; e < t->entry + t->entries; e++) {
        const bool packed = e->sub && e->sub->inside && !e->sub->samples && !g->o->members;
        if (e->sub && (packed ? smi_inode_set_add(&g->dirs, UINT64_MAX, hash_place(g, e->sub))
                              : e->sub->ino && smi_inode_set_add(&g->dirs, e->sub->dev, e->sub->ino)))
            *SMI_MEM_ADD(g->dir, g->ndir, g->dir_cap) = e->sub;
        if (e->sub) {
            note_tree(g, e->sub);
            t->has_log_below |= e->sub->has_log_below;
        }
        if (e->kind != SMI_ENTRY_LOG)
            continue;
        t->has_log = t->has_log_below = true;
        t->has_gpu_log |= e->format >= 0 && smi_format_infos[e->format].gpu;
        if (g->o->follow_links && !e->linked)
            smi_inode_set_add(&g->logs, e->dev, e->ino);
        if (!t->parent || t->samples)
            continue;
        smi_inode_set_add(&g->names, 0, hash_name(e->name));
        smi_inode_set_add(&g->names, (uintptr_t)t->parent, hash_sibling(e->name));
    }
}

/* Makes clusters of all logs of the walk (docs/numbers.md §8), and collects trouble and what was passed over.
 */
static void gather_all(struct discovery *g, struct smi_walk *w)
{
    struct smi_dir *root = &w->root;
    note_tree(g, root);
    for (size_t i = 0; i < root->entries; i++)
        if (!root->entry[i].beside)
            gather_path(g, root, &root->entry[i]);
    for (const struct smi_entry *e = root->entry; e < root->entry + root->entries; e++)
        if (e->beside &&
            (e->again || ((e->kind == SMI_ENTRY_LOG || e->broken) &&
                          smi_inode_set_find(&g->seen, e->beside->dev, e->beside->ino) != SMI_MAP_NONE)))
            note_again(g, root, e);
    for (int gpu = 0; gpu < 2; gpu++) /* those first that may take in what lies below */
        for (size_t i = 0; i < root->entries; i++)
            if (root->entry[i].sub && root->entry[i].sub->beside && root->entry[i].sub->has_gpu_log == gpu)
                gather_beside(g, root->entry[i].sub);
}

static void end_discovery(struct discovery *g)
{
    for (size_t i = 0; i < g->n; i++)
        smi_mem_free(g->cluster[i].file);
    smi_mem_free(g->cluster);
    smi_mem_free(g->dir);
    smi_inode_set_fini(&g->dirs);
    smi_inode_set_fini(&g->seen);
    smi_inode_set_fini(&g->logs);
    smi_mem_free(g->lost);
    smi_inode_set_fini(&g->names);
    smi_buf_fini(&g->beside);
}

static void fill_files(struct discovery *g, const struct cluster *c, struct smi_found_run *r)
{
    bool all = g->o->run != NULL; /* files of many directories: the whole way is shown */
    struct smi_found_file *f = smi_arena_new(&g->out->arena, c->files, sizeof *f);
    r->file = f;
    for (size_t k = 0, i = 0; k < c->files; k++) {
        const struct smi_dir *dir = c->file[k].dir;
        const struct smi_entry *e = c->file[k].entry;
        if (e->kind != SMI_ENTRY_LOG)
            continue;
        f[i].path = path_of(g, dir, e);
        f[i].shown = all           ? f[i].path
                     : dir->parent ? path_below(g, c->dir, dir, e)
                     : e->inside   ? f[i].path
                                   : real_base_name(g, e->name);
        if (dir->samples && !all) /* "all.jsonl": the run's own name would say nothing new */
            f[i].shown = dir->parent->parent || strcmp(dir->self->name, "-") == 0
                             ? smi_copy_text(&g->out->arena, dir->self->name)
                             : real_base_name(g, dir->self->name);
        if (c->dir->beside && !e->named && g->besides++ < BESIDE_SHOWN) {
            smi_buf_str(&g->beside, g->besides > 1 ? ", " : "");
            smi_buf_safe(&g->beside, smi_text_of(f[i].shown));
        }
        f[i].format = e->format;
        f[i].bare = e->bare;
        f[i].columns = !e->columns || e->columns == g->o->columns ? g->o->columns
                                                                  : smi_copy_text(&g->out->arena, e->columns);
        f[i].seen = e->kind == SMI_ENTRY_LOG && dir->parent;
        if (e->inside) {
            struct smi_archived_log *in = smi_arena_new(&g->out->arena, 1, sizeof *in);
            *in = *e->inside;
            in->archive = archive_of(dir) ? archive_of(dir)->index : SMI_NO_ARCHIVE;
            f[i].inside = in;
        } else {
            check_output(g, e->dev, e->ino);
        }
        r->files = ++i;
    }
    smi_sort(f, r->files, sizeof *f, smi_compare_names);
}

/* What key=value pieces may stand in, into b: the PATH as given, its real name, the way below it, the run's
 * stem. */
static const char *param_text(struct discovery *g, const struct cluster *c, struct smi_buf *b)
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
        smi_buf_fmt(b, "%s/%s/", path->as ? path->as : path->self->name, path->as ? path->as : path->name);
    append_path(b, c->dir, path, true);
    smi_buf_str(b, stem ? stem : "");
    return b->p;
}

static void make_runs(struct discovery *g)
{
    struct smi_found *out = g->out;
    struct smi_found_run *run = smi_arena_new(&out->arena, g->n + 1, sizeof *run);
    char **name = smi_arena_new(&out->arena, g->n + 1, sizeof *name);
    struct smi_found_run **order = smi_mem_new(g->n, sizeof *order);
    bool fits = false;
    struct smi_buf b = {0};
    for (size_t i = 0; i < g->n; i++) {
        const struct cluster *c = &g->cluster[i];
        const char *text = param_text(g, c, &b);
        order[i] = &run[i];
        if (c->config)
            run[i] = *c->config;
        run[i].name = run_name(g, c);
        /* A PATH that is a file was to be a log. */
        run[i].crashed = c->dir->parent && !c->dir->beside && c->file[0].entry->kind != SMI_ENTRY_LOG;
        fill_files(g, c, &run[i]);
        smi_path_params(&out->arena, text, &run[i].param, &run[i].params);
        name[i] = smi_copy_text(&out->arena, text);
    }
    smi_buf_fini(&b);
    /* Names that collide get more in front. */
    for (bool first = true; g->n && add_distinguishing_prefix(g, run, order, first) > 0; first = false)
        ;
    smi_mem_free(order);
    for (size_t i = 0; i < g->n && g->o->pattern; i++)
        fits |= smi_pattern_params(&out->arena, g->o->pattern, run[i].name, &run[i].param, &run[i].params);
    if (g->n && g->o->pattern && !fits)
        add_message(g, &out->note, "--name-pattern", false, "no run has a name of the form %s; one is %s",
                    g->o->pattern, run->name);
    if (g->n && !g->o->pattern)
        smi_discovery_name_words(&out->arena, run, name, g->n);
    smi_sort(run, g->n, sizeof *run, smi_compare_names);
    out->run = run;
    out->runs = g->n;
}

/* Of the first of n files. */
static void report_first(struct discovery *g, const char *path, const char *text, int64_t n)
{
    if (n)
        add_message(g, &g->out->trouble, path, false, n > 1 ? "%s (and %lld more)" : "%s", text,
                    (long long)n - 1);
    if (n)
        g->out->trouble.list[g->out->trouble.n - 1].more = n - 1;
}

void smi_discover(struct smi_found *out, const char *const *path, size_t n, const struct smi_discover_opts *o)
{
    struct smi_walk w;
    struct discovery g = {.out = out, .o = o, .root = &w.root};
    memset(out, 0, sizeof *out);
    if (o->output && strcmp(o->output, "-") != 0)
        smi_file_id(o->output, &g.output);
    smi_walk(&w, out, path, n, o);
    gather_all(&g, &w);
    for (; o->run && g.n > 1; g.n--) { /* all logs of all PATHs are one run */
        take_files(g.cluster, &g.cluster[g.n - 1]);
        g.cluster->config = NULL; /* of several runs: nobody's in particular */
    }
    make_runs(&g);
    if (g.besides > BESIDE_SHOWN)
        smi_buf_fmt(&g.beside, " and %zu more", g.besides - BESIDE_SHOWN);
    if (g.besides)
        out->beside = smi_buf_keep(&g.beside, &out->arena);
    report_first(&g, g.bare, g.bare_text, out->bare);
    report_first(&g, g.link, "a link that leads nowhere, or back to where it is: not followed", g.links);
    end_discovery(&g);
    smi_walk_fini(&w);
}

void smi_found_fini(struct smi_found *f)
{
    for (int i = 0; i < SMI_WALK_THREADS; i++) {
        if (f->unpacked[i])
            close(f->unpacked[i] - 1);
        for (struct smi_stream_rest *r = f->rest[i], *next; r; r = next) {
            next = r->next;
            smi_stream_rest_end(r);
            smi_mem_free(r);
        }
    }
    smi_mem_free(f->trouble.list);
    smi_mem_free(f->note.list);
    smi_mem_free(f->archive);
    smi_mem_free(f->passed);
    smi_mem_free(f->stored);
    smi_arena_fini(&f->arena);
    memset(f, 0, sizeof *f);
}
