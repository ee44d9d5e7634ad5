/* walk.h - the directories behind the PATHs as they were walked: every entry, and what its first bytes
 * say. */
#pragma once

#include "base/err.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/stream.h"
#include "sweep/discover.h"

enum { SMI_DEPTH_MAX = 64 };

enum smi_entry_kind {
    SMI_ENTRY_LOG,    /* a recognised log: format says which */
    SMI_ENTRY_CONFIG, /* no log, but one of the files that may hold parameters: config says which */
    SMI_ENTRY_OTHER,  /* a regular file that is no log; a FIFO, socket or device inside a directory */
    SMI_ENTRY_BAD,    /* could not be looked at: text says why */
    SMI_ENTRY_STREAM, /* standard input or a named pipe, before it is looked at; or given again */
    SMI_ENTRY_DIR,
    SMI_ENTRY_ARCHIVE, /* a file, until the walk has made a directory of it */
    SMI_ENTRY_LINK     /* one that is not followed, or not yet: link says why */
};

enum smi_link {
    SMI_LINK_OPEN,   /* to a directory, not looked at yet */
    SMI_LINK_KNOWN,  /* to a directory that was reached on another way; or what is nobody's beside a PATH */
    SMI_LINK_NOWHERE /* to nothing, to a directory above it, or to itself */
};

struct smi_entry {
    const char *name; /* one path piece; of a PATH: as given */
    enum smi_entry_kind kind;
    int format;
    bool bare; /* a headerless query CSV whose columns are not known */
    const char
        *columns;       /* of --input-columns or --columns-from, or as the shape of its rows tells; or NULL */
    bool messages;      /* OTHER: nothing but known error messages */
    bool broken;        /* OTHER: of a log that never began (smi_detect.broken) */
    bool lost;          /* it shows a run without a log, which says so */
    const char *text;   /* BAD: a sentence; OTHER, when it is a PATH: why it is no log */
    uint64_t dev, ino;  /* of a file */
    int64_t size;       /* of a LOG; of one in an archive, unpacked */
    enum smi_link link; /* LINK */
    bool linked;        /* LOG: the name is a link */
    struct smi_dir *sub;             /* DIR */
    struct smi_archived_log *inside; /* LOG: in an archive, or that came as a stream; or NULL */
    bool again;                      /* a PATH before it is the same one; a STREAM is not looked at then */
    struct smi_dir *beside;          /* of a PATH that is a file: its directory (smi_dir.beside); or NULL */
    struct smi_entry *named;   /* in such a directory: the PATH that it is; of a PATH: another one of its
                                * directory; or NULL */
    bool akin;                 /* in such a directory: it is of the run of a PATH, by its name */
    const char *file, *member; /* of a PATH inside an archive: the archive, and the name of a file or
                                * directory there; or NULL */
    int kept; /* ARCHIVE that came as a stream: the descriptor of what was kept of it, + 1; or 0 */
    struct smi_config *config; /* CONFIG; or LOG that tells how its job ended; else NULL */
};

struct smi_dir {
    struct smi_dir *parent; /* NULL: the root, whose entries are the PATHs */
    struct smi_entry *self; /* this directory's entry in its parent */
    const char *name;       /* its own name; of a PATH the real one, whatever was typed */
    struct smi_dir *above;  /* of a PATH: the directory above it, of which only the outputs and the accounting
                             * of jobs are listed; or NULL */
    struct smi_dir *next;   /* of such directories above PATHs: the next one of the walk */
    bool beside; /* its PATHs are files: only their runs are wanted, and nothing else is reported */
    struct smi_entry *path;  /* of these: the last of its PATHs (smi_entry.named) */
    struct smi_entry *entry; /* in the order of names; of the root: as given */
    size_t entries, cap;
    uint64_t dev, ino;
    unsigned depth;
    const char *text; /* why it could not be read (to its end), or NULL */
    bool looped;      /* the same directory as one above it, or reached on a better way: not looked into */
    int64_t links;    /* links in it that were not followed */
    bool archive;     /* what an archive holds */
    bool accounts;    /* it holds files of Slurm's accounting */
    bool jobs;        /* it holds outputs of batch jobs, slurm-ID.out */
    bool samples; /* of these: a file of samples (formats/file_group.h), an entry a run, called as it is */
    _Atomic bool has_log, has_gpu_log,
        has_log_below; /* below: or in it; filled by discovery, and the second by the walk */
    const char *as;    /* an archive: its name less its endings, for the names of runs; or NULL */
    const char
        *inside;   /* in an archive: its path there; of the archive, or a PATH in it: what it is of that */
    size_t mlflow; /* of an archive: runs of MLflow's file store in it, which are not read */
    size_t index;  /* of an archive among those of all runs, once they are gathered */
    int fd;        /* while it is open; else AT_FDCWD */
    size_t holds;  /* work that still needs `fd` */
};

/* A set of (device, inode) pairs. Zero-initialise. */
struct smi_inode_set {
    struct smi_inode {
        uint64_t dev, ino;
    } * list;
    size_t n, cap;
    struct smi_map map;
};
/* Returns whether it is new. */
bool smi_inode_set_add(struct smi_inode_set *s, uint64_t dev, uint64_t ino);
/* Its place in the list, which is in the order of adding; SMI_MAP_NONE: it is not there. */
size_t smi_inode_set_find(const struct smi_inode_set *s, uint64_t dev, uint64_t ino);
/* Only the first n stay. */
void smi_inode_set_shorten(struct smi_inode_set *s, size_t n);
void smi_inode_set_fini(struct smi_inode_set *s);
/* Reads until buf, which holds n bytes, holds `want` of them, or they end. Returns how many it holds, or -1
 * with err. */
ssize_t smi_source_fill(struct smi_byte_source *from, char *buf, size_t n, size_t want, struct smi_err *err);
/* The real name of a path, in the arena; NULL: it leads to nothing. */
const char *smi_real_path(struct smi_arena *a, const char *path);
/* "." of gpu.csv, "/" of /gpu.csv */
char *smi_directory_of(struct smi_arena *a, const char *path);
/* "out/sweep.tar.gz" -> "sweep" */
const char *smi_archive_name(struct smi_arena *a, const char *path);
/* The directory that holds t: its parent, or what is known of it where t is a PATH; or NULL. */
const struct smi_dir *smi_dir_above(const struct smi_dir *t);
enum {
    SMI_WALK_SNIFF_BYTES = 65536
}; /* as SMI_DETECT_MOST: looked at when the first 4 KiB do not decide it */
/* Looks into the file e, which is named relative to dirfd (named: by the user as a PATH), and fills its kind,
 * format, bare, messages, text, dev and ino. A format >= 0 is believed without looking. buf has
 * SMI_WALK_SNIFF_BYTES bytes; texts are kept in the arena. */
void smi_walk_sniff(struct smi_entry *e, int dirfd, bool named, char *buf, struct smi_arena *texts);

/* Has a file of a directory the name that recordings have? One that cannot be read is missed. */
bool smi_walk_is_recording(const char *name);

/* The entry of this name in a directory that is sorted; or NULL. */
struct smi_entry *smi_dir_find(const struct smi_dir *t, const char *name);
struct smi_walk {
    struct smi_dir root;
    struct smi_arena arena[SMI_WALK_THREADS];
    struct smi_dir *above; /* all smi_dir.above; or NULL */
};

/* Walks the paths and sniffs every regular file. Names and texts belong to the walk; what is unpacked, and
 * what is left of streams, to `out`. */
void smi_walk(struct smi_walk *w, struct smi_found *out, const char *const *path, size_t n,
              const struct smi_discover_opts *o);
void smi_walk_fini(struct smi_walk *w);

/* ---- a run of MLflow's file store, mlruns/EXPERIMENT/RUN: a directory with a file for each parameter,
 * tag and metric. For the walk it is one log, meta.yaml, with what the others say beside it ---- */

enum {
    SMI_MLFLOW_SAMPLES = 1 << 22,   /* of all system metrics of a run */
    SMI_MLFLOW_FILE_BYTES = 1 << 26 /* of one of them */
};

/* If the directory t, which is open and listed, is such a run, its entry meta.yaml becomes a log with the
 * parameters, tags and last values of the others, which are not walked. */
void smi_mlflow_list(struct smi_dir *t, struct smi_arena *a);
/* The lines (base/stream.h) of the run whose meta.yaml this is, in a temporary file: its start, the samples
 * of metrics/system in the order of time, its end. A descriptor to close, or -1 with err. */
int smi_mlflow_open(const char *path, struct smi_file_info *info, struct smi_err *err);

/* ---- what discovery asks of the tree, too ---- */

/* The output of the job, in the directory t, whose number is in a name: slurm-4711_3.out of "run_4711_3"; or
 * NULL. */
const struct smi_entry *smi_discovery_find_job(const struct smi_dir *t, const char *name);
