/* config.h - parameters in files that lie beside the logs of a run: config.json, Hydra's overrides and the
 * like. Anybody may have written them: size, depth and number are limited, and aliases are never expanded. */
#pragma once

#include "base/json.h"
#include "base/mem.h"
#include "base/stream.h"
#include "base/text.h"
#include "summary/summary.h"

/* ---- what Slurm's accounting says of jobs: the output of sacct --parsable2, in a file sacct* ---- */

enum { SMI_JOBS_MAX = 200000, SMI_JOBS_BYTES = 64 << 20 /* of a file */ };

struct smi_job {
    const char *id;     /* "4711", "4712_3": jobs and tasks of arrays, no steps */
    const char *state;  /* one of smi_state_names, or NULL: it says nothing of an end */
    const char *reason; /* or NULL */
    int exit_code;      /* -1: none */
    size_t line;        /* place in its file */
};

/* Is a file of this name looked at? */
bool smi_jobs_is_file(const char *name);
/* The jobs of a file in the order of their ids; *n is 0 where its first line is none of sacct's. */
void smi_jobs_read(struct smi_text text, struct smi_arena *a, const struct smi_job **job, size_t *n);
/* The job with this id, or NULL. */
const struct smi_job *smi_jobs_find(const struct smi_job *job, size_t n, struct smi_text id);
/* The next number in a name that may be that of a job, "4712_3" before "4712": taken off *name; false at its
 * end. id: the one before, empty at the beginning. */
bool smi_jobs_next_id(const char **name, struct smi_text *id);

enum {
    SMI_CONFIG_BYTES = 1 << 20, /* of a file; what is larger is no list of parameters */
    SMI_CONFIG_FILES = 18,      /* ranks */
    SMI_CONFIG_OUTPUT = 14,     /* from this one on: what a job or its program printed */
    SMI_CONFIG_DEPTH = 64,
    SMI_CONFIG_PARAMS = 256, /* of a file, and of all files of a run */
    SMI_CONFIG_TEXT = 200,   /* bytes of a key or value; longer ones are texts, no parameters */
};

struct smi_config {
    const struct smi_param *param; /* in the order of the file, every key once; text NULL: see smi_params */
    size_t n;
    const struct smi_param *fact; /* what it says of the run that is no parameter (summary/run.h) */
    size_t facts;
    const struct smi_job *job; /* all that it holds, of a file of Slurm's accounting (sweep/config.h) */
    size_t jobs;
    bool over;        /* it holds more than that: what else it says of a key is not known */
    const char *text; /* why not all of it is known: a clause without a subject; or NULL */
};

/* Where a file of this name (below the run's directory) stands among those that may hold parameters: from 0,
 * the first counting most; or -1. */
int smi_config_rank(const char *name);
/* What a batch job printed, slurm-ID.out or slurm-ID_TASK.out: it tells at its end how the job ended, whether
 * or not it is a log, too. */
bool smi_config_is_job_output(const char *name);
/* At the end of a file of this rank stands what is read of it: at most so many bytes; 0: all is read. */
size_t smi_config_tail(int rank);
/* Hydra's files, relative to the directory of a run. */
#define SMI_CONFIG_HYDRA ".hydra/overrides.yaml"
#define SMI_CONFIG_HYDRA_ALL ".hydra/config.yaml"
/* This one counts for all runs below its directory that have no such file, too. */
#define SMI_CONFIG_ABOVE "config.yaml"
#define SMI_CONFIG_HYDRA_DIR ".hydra"
/* Is it a file of Hydra's hidden directory, or that itself? */
bool smi_config_is_hydra(const char *name);
/* Reads what a file of this rank holds: its flat scalars; of Hydra's overrides each key=value. head: its
 * first n bytes, which were taken off `from` already. All that out points to is the arena's. */
void smi_config_read(struct smi_config *out, int rank, struct smi_text head, struct smi_byte_source *from,
                     struct smi_arena *a);

/* Parameters while they are collected. Zero-initialise but for a. A text of NULL: the key has a scalar that
 * is no parameter (long text, control characters). It is not shown, and neither is what counts less
 * (docs/numbers.md §8). */
struct smi_params {
    struct smi_arena *a;
    struct smi_param *list; /* its own, keys and texts the arena's */
    size_t n, cap, shown;   /* shown: those with a text */
    bool over;              /* there were more than SMI_CONFIG_PARAMS, shown or not */
};
bool smi_params_has(const struct smi_params *p, struct smi_text key);
/* Adds one, or replaces that of the same key; a text that is no parameter is kept as NULL, an empty or odd
 * key is left out. */
void smi_params_set(struct smi_params *p, struct smi_text key, struct smi_text text, bool bare);
/* Adds one of a file that counts less: a key that is there stays as it is. */
void smi_params_add(struct smi_params *p, const struct smi_param *q);
/* Both as what a file says; the lists are ended. */
void smi_config_keep(struct smi_config *out, struct smi_params *params, struct smi_params *facts);
/* The next line, taken off *rest with its end. */
struct smi_text smi_config_next_line(struct smi_text *rest);

/* The scalars of a YAML document: those of its outermost mapping, and `levels` - 1 mappings below, by their
 * own keys; with SMI_CONFIG_DEPTH levels by their paths ("optimizer.lr"); or, of a list of overrides (0), the
 * key=value of each element. Returns 0; 1 with *why, a clause in the arena,
 * if it is no YAML or too deep. */
int smi_params_yaml(struct smi_params *p, struct smi_text yaml, int levels, const char **why);
