/* settings.h - what can be typed to the commands over runs: their settings, and the options that fill
 * them. */
#pragma once

#include "cli/option.h"
#include "base/json.h"
#include "export/pytorch.h"
#include "live/live.h"
#include "process/usage.h"
#include "report/output.h"
#include "summary/findings.h"
#include "summary/run.h"
#include "sweep/discover.h"
#include "sweep/sweep.h"

#include <pthread.h>

struct smi_settings {
    const char *format, *output, *tz, *input_format; /* as typed, or NULL */
    bool json, strict, partial;
    unsigned of;                  /* SMI_OUTPUT_*: what the command writes; 0: no output */
    bool exit_zero;               /* whatever happens */
    int64_t timeout;              /* millionths of a second; 0: none */
    int color;                    /* place in auto|always|never */
    int threads, run_per;         /* threads 0: as many as there are */
    struct smi_buf gpus, columns; /* --gpus, --input-columns: o points to them */
    struct smi_buf params;        /* --param: the same */
    struct smi_buf given;         /* " --tz UTC": the options of input and choice, for hints */
    bool pages;                   /* what is written is a page: by report, or summarize -o FILE.html */
    struct smi_buf own_output;    /* the name of a report's file, where -o names none */
    bool sides;               /* a side of a comparison is read: options of input may be for the other one */
    const char *to;           /* of export: the file that it writes, or NULL */
    const char *samples;      /* --samples, or NULL */
    struct smi_buf command;   /* what was typed, for a page */
    const char *columns_from; /* --columns-from, or NULL: then columns holds what it says */
    const char *rules;        /* --rules, or NULL; else o points into: */
    struct smi_rule_table table;
    const char *price_hour, *price_kwh, *gco2; /* as typed, or NULL; read into: */
    struct smi_prices prices;                  /* o points to it */
    struct smi_render_options look;            /* without what smi_render_options_of adds */
    struct smi_tz zone;                        /* of --tz, if it is a name; o points to it */
    struct smi_options o;
    struct smi_discover_opts d;
    struct smi_query ask;
    const struct smi_output *writer; /* filled by smi_settings_check, */
    const struct smi_output *form;   /* as what check and diff write; writer needs the same of a run */
};

void smi_settings_init(struct smi_settings *s);
/* Checks --input-columns (query: nvidia-smi's names), or reads the file of --columns-from in its place.
 * Returns 0, or -1 with err SMI_EUSAGE. */
int smi_settings_columns(struct smi_buf *columns, const char *from, bool query, struct smi_err *err);
/* Checks what the table could not, and fills writer, o and d. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_settings_check(struct smi_settings *s, struct smi_err *err);
/* Is -o none of these n paths, nor any other file that the settings say is read? What lies in
 * directories is looked at when they have been walked. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_settings_check_overwrite(const struct smi_settings *s, const char *const *path, size_t n,
                                 struct smi_err *err);
void smi_settings_fini(struct smi_settings *s);

/* What live and run look at, and record. */
struct smi_record_settings {
    const char *dir;
    char own_dir[4096];     /* where it records: dir, or dir.2 and so on */
    int64_t interval, most; /* millionths of seconds, of MiB */
    int keep;
    struct smi_buf gpus;
    bool pmon;
};

/* Those of single commands. smi_settings or smi_watch_settings come first: shared options point into them. */
struct smi_check_settings {
    struct smi_settings s;
    struct smi_buf fail_if;
    bool complete;
    int fail_on; /* an smi_level, or -1 */
    const char *baseline;
    struct smi_buf tolerance;
    int expect; /* 0: not asked for */
    const char *expect_runs;
    struct smi_buf names; /* what that file holds */
    bool allow_missing;
    int64_t limit[SMI_CHECK_LIMITS]; /* negative: not asked for */
};
struct smi_diff_settings {
    struct smi_settings s;
    struct smi_buf columns, repeats;
};
struct smi_export_settings {
    struct smi_settings s;
    const char *to;
    struct smi_buf given; /* each --to, with its NUL */
    bool dry_run, documents;
    struct smi_target_set more;
    struct smi_pytorch_settings pytorch;
    const struct smi_target *target; /* of to, */
    const char *where;               /* and what stands behind its prefix */
};
struct smi_live_settings {
    struct smi_watch_settings how;
    const char *replay; /* --replay */
    int64_t speed;      /* millionths */
    const char *textfile, *monitors;
    struct smi_record_settings record;
    bool apps, kmsg, demo;
};
struct smi_follow_settings {
    struct smi_watch_settings how;
    const char *command, *store, *tz, *columns_from, *forget;
    struct smi_buf columns;
    int64_t interval; /* millionths of seconds */
    int gpu_count;
};
struct smi_run_settings {
    const char *file, *config, *usage;
    struct smi_record_settings record;
    int cores, pid, brand, format; /* brand, format: places in the words of their options */
    bool quiet, overwrite;
    struct smi_usage_units units; /* smi_usage_default_units at first */
};
struct smi_list_settings {
    bool json;
};
#define SMI_SHELLS "bash|zsh|fish"
struct smi_help_settings {
    bool man, man_list;
    int shell; /* place in SMI_SHELLS, or -1 */
};

/* -i of live, run and follow: millionths of seconds. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_interval_check(int64_t interval, struct smi_err *err);
/* Checks them, and fills o, which borrows from them. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_record_settings_check(struct smi_record_settings *s, struct smi_live_opts *o, struct smi_err *err);
/* Makes the directory of the recording; reports it if that is another one than DIR, because DIR is in use. A
 * run that a batch system or a person starts again is never stopped by its older recording. Returns 0, or -1
 * with err SMI_EIO; nothing is recorded then (s->dir is NULL). */
int smi_record_settings_claim(struct smi_record_settings *s, struct smi_live_opts *o, struct smi_err *err);

/* a user's own settings: a JSON object of options with their values, {"tz": "UTC",
 * "price-kwh": 0.3}. $SMILOG_CONFIG names the file, empty: none; else it is $XDG_CONFIG_HOME/smilog.json or
 * ~/.config/smilog.json, if that is there. Its keys are the options that are SMI_OPT_SETTABLE. */

/* A value that this file, or that of `run --config`, gives an option. */
struct smi_file_setting {
    const struct smi_opt *opt;
    const char *key, *where; /* what the file calls the option; FILE or "--config: FILE" */
    const char *text;        /* the value, as it would be typed */
    bool typed;              /* it is typed, too: that wins */
};

/* Reads the file, the first time. Returns 0, or -1 with err SMI_EUSAGE, which names file and key. */
int smi_settings_file_load(struct smi_err *err);
/* Keeps a value of JSON; key stays the caller's. Returns NULL with err SMI_EUSAGE if it is of a wrong type:
 * WHERE: "KEY" has to be a text. */
struct smi_file_setting *smi_settings_keep(const struct smi_opt *o, const char *key, const char *where,
                                           const json_t *v, struct smi_err *err);
/* err; if it begins with an option (--ram-unit, -i) that has its value from a file, with WHERE: "KEY" in its
 * place. */
struct smi_err smi_settings_name_source(const struct smi_err *err);
/* The file that was read, or NULL. */
const char *smi_settings_file_path(void);
/* What a file says of the option of this name, or NULL. */
struct smi_file_setting *smi_settings_file_find(const char *name);
/* Does this value of a setting come from the file? */
bool smi_settings_file_has(const char *text);
/* The options of which some may be set. */
extern const struct smi_cmd smi_settings_file;

/* ---- the voice on standard error while and after runs are read: progress, and what was odd ---- */

/* Tells on standard error what was odd; returns SMI_EXIT_WARNING if anything was, and --strict; else
 * SMI_EXIT_NOTHING if a PATH could not be opened. */
int smi_print_warnings(const struct smi_sweep *s, const struct smi_settings *set);
/* A progress line on standard error, if that is a terminal, from the second second on: a thread prints what
 * the calls have told. For d.progress; d.self. While one log is read nobody calls: then it tells how much was
 * read. */
struct smi_progress {
    int64_t start_ms;
    bool again;               /* the runs are read a second time */
    bool begun, watched;      /* the first call came; there is the thread */
    int over;                 /* eventfd(2) of its end */
    _Atomic size_t done, all; /* of the last call, */
    _Atomic int64_t last_ms;  /* and when it came */
    pthread_t watcher;
};
void smi_progress(void *self, size_t done, size_t all);
/* Takes the line away. */
void smi_progress_end(struct smi_progress *p);

/* ---- the way out of a sweep: the answer, the text, the file ---- */

/* Leaves of the sweep the runs that are asked for, if any are. Returns an smi_exit. */
int smi_choose_runs(struct smi_sweep *s, const struct smi_settings *set);
/* Answers what is asked of the sweep, and writes it as the settings want it. Returns an smi_exit. */
int smi_write_result(struct smi_sweep *s, const struct smi_settings *set);
/* Writes rows that no sweep was asked for. Returns an smi_exit. */
int smi_write_rows(const struct smi_result *rows, const struct smi_settings *set);
/* Tells sentences, each with its NUL, as warnings, unless --quiet. */
void smi_print_sentences(const struct smi_buf *said, const struct smi_settings *set);
/* Writes the whole text to --output, or to standard output, and ends it. Returns an smi_exit. */
int smi_write_text(struct smi_buf *text, const struct smi_settings *set);

/* By the settings, the terminal and the environment; borrows from set. */
struct smi_render_options smi_render_options_of(const struct smi_settings *set);

/* Checks what a command over runs was asked for, in place of smi_settings_check. set: the first member of the
 * command's settings; n: the paths that were typed. Returns 0, or -1 with err. */
typedef int smi_check_command_fn(struct smi_settings *set, const char *const *path, size_t n,
                                 struct smi_err *err);
typedef int smi_run_command_fn(const char *const *path, size_t n, struct smi_settings *set);
/* From words to the end of a command over runs: settings (initialised; they are ended), and `go` with the
 * paths
 * ("." where none is given), or the help. check: or NULL. Returns an smi_exit. */
int smi_run_command(const struct smi_cmd *cmd, int argc, char **argv, struct smi_settings *set,
                    smi_check_command_fn *check, smi_run_command_fn *go);

/* Reads the runs below the paths, logs or stored sweeps (export/stored.h: then s->nstored is not 0), with a
 * line of progress (cli/settings.h). s is filled in any case, to be ended. Returns 0, or -1 with err. */
int smi_read_runs(struct smi_sweep *s, const char *const *path, size_t n, struct smi_settings *set,
                  struct smi_err *err);
/* Tells that, and returns the smi_exit of it. */
int smi_fail_reading(const struct smi_err *err);
/* Is the word a place of stored sweeps, or "-" with partial summaries coming? Files and directories are
 * looked into when they are read. */
bool smi_is_stored_path(const char *path);
/* Reads all runs, warns, and writes what is asked for. Returns an smi_exit. */
int smi_read_and_write(const char *const *path, size_t n, struct smi_settings *set);
/* Why there is nothing: no usable log in the paths, or one of them is not there. Returns -1 with err. */
int smi_explain_no_input(const char *const *path, size_t n, const struct smi_settings *set,
                         struct smi_err *err);
/* The error of a sweep in which nothing is usable, as the last line that is read. */
int smi_fail_no_input(const char *const *path, size_t n, const struct smi_settings *set);

/* Reads a side of a comparison (query/diff.h) and leaves of it the runs that are asked for. s is filled
 * in any case, to be ended. cmd: the command, for messages. Returns an smi_exit; *doubt becomes that of
 * smi_print_warnings if it is one. */
int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd,
                  int *doubt);
/* Warns if both sides are one run, as two of its logs were named (smi_sides_are_one_run). */
void smi_warn_one_run(const char *a, const char *b, const struct smi_sweep *of_a,
                      const struct smi_sweep *of_b, const struct smi_settings *set);

/* Where documents go: before the first usable input all are held, as a stream cannot take them back. */
struct smi_document_file {
    struct smi_text_file file;
    uint64_t documents;
    bool failed; /* they could not be written */
};
/* Adds one: an smi_sweep_document_fn of struct smi_document_file. */
int smi_document_put(void *self, const struct smi_buf *document, bool usable, struct smi_err *err);
/* Writes what is stored at the n places (export/stored.h) to -o or standard output, tells what is odd of it,
 * and returns an smi_exit. Nothing is written of what cannot be merged. */
int smi_merge_partials(const char *const *place, size_t n, const struct smi_settings *set);

/* Writes DIR/summary.json, beside and renamed: what `smilog summarize --json DIR` prints now. Returns 0, or
 * -1 with err. */
int smi_write_run_summary(const char *dir, struct smi_err *err);
