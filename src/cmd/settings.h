/* settings.h - what the commands over runs have in common: their settings, option tables, output and
 * warnings. */
#ifndef SMI_CMD_SETTINGS_H
#define SMI_CMD_SETTINGS_H

#include "cmd/opt.h"
#include "again/again.h"
#include "output/output.h"
#include "figures/run.h"
#include "findings/findings.h"
#include "discover/discover.h"

struct smi_settings {
    const char *format, *output, *tz, *input_format; /* as typed, or NULL */
    bool json, all, raw, verbose, quiet, strict, partial;
    bool own_forms;       /* the command has forms of its own: format and json are its business */
    int color;            /* place in auto|always|never */
    int threads, run_per; /* threads 0: as many as there are */
    struct smi_buf gpus, columns; /* --gpus, --input-columns: o points to them */
    struct smi_buf given; /* " --tz UTC": the options of input and choice, for hints */
    bool pages; /* the command is report */
    const char *samples; /* --samples, or NULL */
    int64_t points;      /* the same, as smi_look.samples */
    struct smi_buf command; /* of report: what was typed */
    const char *rules; /* --rules, or NULL; else o points to: */
    struct smi_rule rule[SMI_RULE_COUNT];
    const char *price_hour, *price_kwh, *gco2; /* as typed, or NULL; read into: */
    struct smi_prices prices; /* o points to it */
    struct smi_tz zone; /* of --tz, if it is a name; o points to it */
    struct smi_options o;
    struct smi_discover_opts d;
    struct smi_ask ask;
    const struct smi_output *writer; /* filled by smi_settings_check */
};

extern const struct smi_opt smi_opts_output[]; /* how the result is written */
extern const struct smi_opt smi_opts_which[];  /* which runs */
extern const struct smi_opt smi_opts_ask[];    /* in which order, and what of them */
extern const struct smi_opt smi_opts_choice[]; /* what of it is summarised, and as what */
extern const struct smi_opt smi_opts_input[];  /* what is read, and how it is understood */
extern const struct smi_opt smi_opts_partial[]; /* summaries that can be merged */

void smi_settings_init(struct smi_settings *s);
/* Checks what the table could not, and fills writer, o and d. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_settings_check(struct smi_settings *s, struct smi_err *err);
void smi_settings_fini(struct smi_settings *s);

/* The CPUs this process may use: affinity, the cgroup's limit, and 16, whichever is smallest. */
unsigned smi_cpus(void);

/* Prints "smilog: text" on standard error and gives the exit code for err. */
int smi_fail(const struct smi_err *err, const char *cmd);
/* Writes text to standard output. Returns an smi_exit. */
int smi_say(struct smi_buf *b);
/* Answers what is asked of the sweep: chooses its runs, or makes rows. Returns an smi_exit. */
int smi_choose(struct smi_sweep *s, const struct smi_settings *set, struct smi_answer *rows);
/* For which eyes the output is. */
struct smi_look smi_look_for(const struct smi_settings *set);
/* Writes the whole text to --output, or to standard output. Returns an smi_exit. */
int smi_write_text(const struct smi_buf *text, const struct smi_settings *set);
/* From words to the end of a command over runs: settings, and `go` with the paths ("." where none is given), or the
 * help. pages: it writes what is SMI_OF_PAGES. Returns an smi_exit. */
typedef int smi_go_fn(const char *const *path, size_t n, struct smi_settings *set);
int smi_over_runs(const struct smi_cmd *cmd, int argc, char **argv, bool pages, smi_go_fn *go);
/* Reads all runs, warns, and writes what is asked for. Returns an smi_exit. */
int smi_read_and_emit(const char *const *path, size_t n, struct smi_settings *set);
/* The error of a sweep in which nothing is usable, as the last line that is read. */
int smi_nothing(const char *const *path, size_t n, const struct smi_settings *set);
/* Answers what is asked of the sweep, and writes it as the settings want it. Returns an smi_exit. */
int smi_emit(struct smi_sweep *s, const struct smi_settings *set);
/* Tells on standard error what was odd; returns SMI_EXIT_DOUBT if anything was, and --strict. */
int smi_warn(const struct smi_sweep *s, const struct smi_settings *set);
/* A progress line on standard error, if that is a terminal, from the second second on. For d.progress;
 * d.self. */
struct smi_progress {
    int64_t start_ms, last_ms;
    bool shown;
};
void smi_progress(void *self, size_t done, size_t all);
void smi_progress_end(struct smi_progress *p);

#endif
