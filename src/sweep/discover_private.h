/* discover_private.h - between the walk and the runs: clusters of logs that belong together, still without
 * final names.
 */
#ifndef SMI_SWEEP_DISCOVER_PRIVATE_H
#define SMI_SWEEP_DISCOVER_PRIVATE_H

#include "base/buf.h"
#include "formats/file_group.h"
#include "sweep/config.h"
#include "sweep/discover.h"
#include "sweep/walk.h"

/* One log on its way into a run. */
struct smi_cluster_file {
    const struct smi_dir *dir; /* the root: the log is a PATH */
    const struct smi_entry *entry;
};

/* What the files of a directory say that may hold parameters. */
struct smi_config_params {
    const struct smi_param *param; /* every key once, the first file counting most */
    size_t n;
    const struct smi_param *fact; /* the same of what is no parameter (struct smi_config) */
    size_t facts;
    const char **problem;
    size_t problems;
};

/* Where the files beside the logs of a run are. */
struct smi_config_places {
    const struct smi_dir *top, *below; /* its directory, and one below it, or NULL; of two files of one name
                                        * that in top counts */
    bool jobs;                         /* the outputs of jobs in top are of this run */
    const struct smi_entry *job;       /* the output of its job; or NULL */
    const struct smi_job *accounted;   /* what Slurm's accounting says of its job; or NULL */
    const char *account;               /* the file that says it */
};

/* What they say, in the arena; NULL if there are none. */
const struct smi_config_params *smi_config_params(struct smi_arena *a, const struct smi_config_places *p);

/* A run in the making. */
struct smi_cluster {
    const struct smi_dir *dir;     /* its directory; the root: a PATH that is a file */
    const char *stem;              /* its name below the directory, "" if it has the directory for itself */
    struct smi_cluster_file *file; /* of a run without a log: what shows that there was one */
    size_t files, cap;
    const struct smi_config_params *config; /* what files of its directory say; or NULL */
    bool prefixed;                          /* the PATH stands in front of its name */
};

/* Names of files, each once. */
struct smi_log_names {
    const char **list;
    size_t n, cap;
    struct smi_map map;
};

struct smi_discovery {
    struct smi_found *out;
    const struct smi_discover_opts *o;
    struct smi_inode_set seen;
    struct smi_cluster *cluster;
    size_t n, cap;
    struct smi_input_warning *trouble;
    size_t troubles, trouble_cap;
    struct smi_input_warning *note; /* as smi_found.note */
    size_t notes, note_cap;
    const char **passed;
    size_t passed_cap;
    const struct smi_dir **archive; /* that hold a log */
    size_t archives, archive_cap;
    const struct smi_dir *root; /* of the walk: its entries are the PATHs */
    const char *real_of, *real; /* a PATH, and its real name */
    size_t common;              /* bytes of these that all PATHs share, and 1; 0: nobody has asked yet */
    const char **stored;        /* as smi_found.stored */
    size_t nstored, stored_cap;
    const char *bare, *bare_text; /* the first file without a header, and the warning about it */
    struct smi_inode_set logs;    /* all that are no links, if links are followed */
    struct smi_inode_set lost;    /* directories of runs without a log */
    struct smi_log_names names;   /* of all logs in directories */
    struct smi_buf beside;        /* as smi_found.beside */
    size_t besides;               /* files that it is about */
    struct smi_skipped_links {
        const char *first;
        int64_t n;
    } loop, broken;
};

/* Makes clusters of all logs of the walk (docs/numbers.md §8), and collects trouble and what was passed over.
 */
void smi_discovery(struct smi_discovery *g, const struct smi_walk *w);
void smi_discovery_fini(struct smi_discovery *g);
/* Keeps trouble; path and text are borrowed. */
void smi_discovery_add_error(struct smi_discovery *g, const char *path, const char *text, bool fatal);

/* The same for a note; doubt: it is one. */
void smi_discovery_add_warning(struct smi_discovery *g, const char *path, const char *text, bool doubt);
/* Notes what may not be what was meant, of all clusters. */
void smi_discovery_check_clusters(struct smi_discovery *g);

/* The last piece of the real name of a PATH, as those below. */
const char *smi_discovery_base_name(struct smi_discovery *g, const char *path);
const char *smi_discovery_run_name(struct smi_discovery *g, const struct smi_cluster *c);
/* Names that collide get more in front; run: that of each cluster. */
void smi_discovery_settle_names(struct smi_discovery *g, struct smi_found_run *run);
/* Adds the words in which the names of n runs differ to their parameters, as "name", or "name1", "name2":
 * words of a file name or directory that has parameters of its own, all of them the same ones. text[i]: what
 * the parameters of run i were read from; it is changed. */
void smi_discovery_name_words(struct smi_arena *a, struct smi_found_run *run, char **text, size_t n);

/* The output of the job, in the directory t, whose number is in a name: slurm-4711_3.out of "run_4711_3"; or
 * NULL. */
const struct smi_entry *smi_discovery_find_job(const struct smi_dir *t, const char *name);

/* Fills `accounted` of the run whose logs lie in t and whose name is `name`: by a number in it, or in that of
 * the output of its job. */
void smi_discovery_find_accounted(const struct smi_dir *t, const char *name, struct smi_config_places *p);

/* A new cluster. */
struct smi_cluster *smi_discovery_add_cluster(struct smi_discovery *g, const struct smi_dir *dir,
                                              const char *stem);
void smi_cluster_add(struct smi_cluster *c, const struct smi_dir *dir, const struct smi_entry *e);
/* Is it a log, and not what is left in place of one? */
bool smi_entry_is_log(const struct smi_entry *e);
/* Lies a log directly in t? */
bool smi_dir_has_log(const struct smi_dir *t);
bool smi_dir_has_gpu_log(const struct smi_dir *t);

/* Adds a run without a log, of which e in the directory t shows that there was one; stem as in smi_cluster.
 */
void smi_discovery_add_lost(struct smi_discovery *g, const struct smi_dir *t, const char *stem,
                            const struct smi_entry *e);
/* Adds those of t and below that have a directory for themselves. What lies below the directory of a run
 * belongs to that run. */
void smi_discovery_find_lost(struct smi_discovery *g, const struct smi_dir *t);
/* Of the logs in t and below. */
void smi_discovery_collect_names(struct smi_log_names *l, const struct smi_dir *t);
/* How many bytes two names have in common at both ends. */
size_t smi_discovery_common_ends(const char *a, const char *b);
/* Appends to the n logs of t those files that never became logs and are called as one of them is; log has
 * room for all entries. Returns how many there are then. */
size_t smi_discovery_list_broken(const struct smi_dir *t, struct smi_file_group_member *log, size_t n);

/* Adds those files at e in t, or below it, that hold partial summaries. */
void smi_discovery_add_partials(struct smi_discovery *g, const struct smi_dir *t, const struct smi_entry *e);

/* Appends the way from a directory above (not included; NULL: from the PATH, with it) down to dir, with a '/'
 * behind. as: archives without their endings. */
void smi_walk_path_append(struct smi_buf *b, const struct smi_dir *dir, const struct smi_dir *from, bool as);
/* The way from a directory above to a name in dir, kept in the arena. */
const char *smi_walk_path(struct smi_arena *a, const struct smi_dir *from, const struct smi_dir *dir,
                          const char *name);
/* Of the n logs of one run in t: parts of a rotated log without a header have the columns of the part that
 * has one. */
void smi_discovery_lend_headers(struct smi_discovery *g, const struct smi_dir *t,
                                const struct smi_file_group_member *log, size_t n);

#endif
