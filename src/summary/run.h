/* run.h - all aggregates of one run, and the one function that makes a summary of them. */
#pragma once

#include "aggregate/input_stats.h"
#include "summary/summary.h"

struct smi_rule;

/* What the user asked for, as far as it touches numbers. Zero-initialise, then idle_below = 1000000. */
struct smi_options {
    bool has_offset;                 /* --tz */
    int offset_s;                    /* of a zone: its standard time */
    bool fixed;                      /* --tz UTC: no step moves it */
    const struct smi_tz *zone;       /* --tz with a name; borrowed, or NULL */
    int64_t idle_below;              /* --idle-below: utilisation at or below it is idle; millionths of % */
    int64_t interval_us;             /* --interval: between the rows of a log without times; 0: not given */
    const char *host;                /* --host, or NULL */
    const char *params;              /* --param: NAME=VALUE,...; or NULL */
    int gpu_count;                   /* --gpu-count, or 0 */
    const char *gpus;                /* --gpus LIST, or NULL: all */
    const char *columns;             /* --input-columns, or NULL */
    unsigned threads;                /* for one run: large logs are read in so many pieces; 0 and 1: in one */
    int64_t piece_bytes;             /* smallest piece; 0: 4 MiB */
    const struct smi_prices *prices; /* borrowed, or NULL: none */
    const struct smi_rule *rules;    /* --rules: as smi_findings_evaluate has them; borrowed, or NULL */
    const struct smi_condition *condition; /* --rules: SMI_CONDITION_COUNT of them; borrowed, or NULL */
    smi_run_text_fn *text; /* made of each run as soon as it is summarised, instead of it; or NULL */
    size_t timelines;      /* number of runs whose timeline is kept at once. If there are more runs, they are
                            * read again (sweep/reread.h); 0: none */
    bool timeline;         /* of this run it is made, */
    struct smi_arena *timeline_room; /* there; NULL: in that of the summary */
    struct smi_spill_file *scratch;  /* each part gets a tape, which lies there; borrowed, or NULL */
    uint64_t texts;                  /* bit f: the tape of a log of format f has its bytes, too */
    uint32_t skip_series;            /* bit k: no series of timed slot k is recorded; 0: all */
};

enum { SMI_PARAM_GIVEN_MAX = 255 /* bytes of NAME=VALUE of --param */ };

struct smi_run_param {
    const char *key, *text;
    bool bare;    /* as in smi_param */
    bool file;    /* of a file beside the logs: the RunLog's win over it */
    bool differs; /* parts that --run has joined have different values: left out, and said */
};

/* Keys of smi_run.fact: what a file beside the logs says of the run that is no parameter. The rest is what
 * the run reached: "result.val_acc", a number. */
#define SMI_FACT_HOST "host"
#define SMI_FACT_COMMAND "command"
#define SMI_FACT_COMMIT "git_commit"
#define SMI_FACT_STATE "state"            /* one of smi_state_names, where no log says how it ended */
#define SMI_REASON_MEMORY "out of memory" /* of a GPU */
#define SMI_FACT_REASON "state_reason"    /* with the file that says it */
#define SMI_FACT_EXIT "exit_code"
#define SMI_FACT_NAME "run_name"         /* what people call it */
#define SMI_FACT_GPU_NAME "gpu.%zu.name" /* of the GPU with this index */
#define SMI_FACT_GPU_UUID "gpu.%zu.uuid"
#define SMI_FACT_GPU_MEMORY "gpu.%zu.memory" /* bytes */
#define SMI_FACT_GPUS "gpus" /* --gpus of the export that has stored the run: it has these alone */
#define SMI_FACT_RESULT "result."

/* Where the zone of local times comes from, the surest last. */
enum smi_zone_from { SMI_ZONE_NONE, SMI_ZONE_INFERRED, SMI_ZONE_RUNLOG, SMI_ZONE_GIVEN };

/* What was said on standard error when the run was read. */
struct smi_run_warning {
    const char *path; /* NULL: about the run */
    const char *text;
    bool used;    /* not lost, but perhaps not meant so */
    int64_t more; /* as in smi_input_warning; 0 of one that is used */
};

/* Zero-initialise. */
struct smi_run {
    struct smi_arena texts; /* its own, and those of its lists */
    const char *name;
    const char *host;              /* --host, or that of the partials; or NULL: the RunLog may know it */
    bool hostless;                 /* a partial among its parts knew no host */
    struct smi_input_stats **part; /* one for each input; inputs of one path in several partials are joined */
    size_t parts, cap;
    struct smi_kept_counts *kept; /* of the thread that has the run; or NULL */
    struct smi_runlog log;        /* all RunLogs of the run together */
    struct smi_run_param *param;  /* from the path and from files */
    size_t params;
    struct smi_run_param *fact; /* by SMI_FACT_HOST and the like, every key once */
    size_t facts;
    const char **problem; /* sentences about the run: unusable files and the like */
    size_t problems, problems_cap;
    struct smi_run_warning *doubt; /* only on the way through partials: what makes --strict end with 1,
                                    * rejected lines apart */
    size_t doubts, doubts_cap;
    enum smi_unread unread; /* as problems say */
    bool merged;            /* put together from partials */
    bool has_offset;        /* the zone was given, recorded or inferred */
    int offset_s;           /* of the clock on which all local times of the parts stand */
    enum smi_zone_from zone_from;
    const char *zone;      /* the zone's name, if it was given by name; or NULL */
    struct smi_arena room; /* empty: memory that its summary takes over */
};

/* Gives a part to the run. */
void smi_run_add_part(struct smi_run *r, struct smi_input_stats *p);
/* Copies a parameter. */
void smi_run_add_param(struct smi_run *r, const char *key, const char *text, bool bare, bool file);
/* Copies a fact, unless one of its key is there. */
void smi_run_add_fact(struct smi_run *r, const char *key, const char *text, bool bare);
/* The text of a fact, or NULL. */
const char *smi_run_fact(const struct smi_run *r, const char *key);
/* Keeps a sentence for `problems`. */
void smi_run_add_problem(struct smi_run *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Keeps a doubt for the partial, the last of r->doubt then. path may be NULL. */
void smi_run_add_warning(struct smi_run *r, const char *path, const char *text, bool used);
void smi_run_fini(struct smi_run *r);

/* How the rows of a log of the run are counted. utc: its times are in UTC; joined: its phases are known
 * there. */
struct smi_device_stats_opts smi_run_stats_opts(const struct smi_run *r, const struct smi_options *o,
                                                bool utc, bool joined);
/* Makes the summary, with its findings by the rules of o. Joins the run's parts into streams (they are
 * consumed: r can only be ended afterwards). Returns 0, or -1 with err. */
int smi_run_build(struct smi_summary *out, struct smi_run *r, const struct smi_options *o,
                  struct smi_err *err);
