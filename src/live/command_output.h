/* command_output.h - what commands that record share. */
#ifndef SMI_LIVE_COMMAND_OUTPUT_H
#define SMI_LIVE_COMMAND_OUTPUT_H

#include "base/err.h"
#include "base/loop.h"
#include "live/follow.h"
#include "live/machine.h"
#include "live/tui.h"
#include "live/serve.h"

struct smi_alert_actions;

enum {
    SMI_LIVE_STOP_MS = 700,  /* for monitors and commands to end by themselves: all is over within a second */
    SMI_LIVE_FLUSH_MS = 100, /* for output that nobody reads, after a signal */
    SMI_LIVE_READ_MS = 500   /* the same after another end, for the next byte to be read */
};

/* Standard output and standard error of a command with a loop: recording goes on and signals count while
 * nobody reads them. */
struct smi_live_streams {
    struct smi_writer out, err;
    bool one; /* they are one pipe or terminal: all goes through `out`, in its order */
};
void smi_live_streams_open(struct smi_live_streams *s);
/* Writes what is queued; says on standard error how many lines were dropped once they are read again. Fails
 * with err if standard output does. */
struct smi_loop_source smi_live_streams_source(struct smi_live_streams *s);
/* Has the reader of standard output gone away? That ends lines in a pipe and is no error. */
bool smi_live_output_closed(const struct smi_live_streams *s);
/* Writes the rest: as long as it is read, or no progress is made for wait_ms, or until a signal comes (the
 * descriptor of smi_live_open_signals); after a signal for SMI_LIVE_FLUSH_MS at most. Says how many lines
 * nobody read. */
void smi_live_streams_close(struct smi_live_streams *s, int signals, int64_t wait_ms);
/* Writes text to standard error, if there is any, and ends b. */
void smi_live_print_message(struct smi_live_streams *s, struct smi_buf *b);

/* Prints new warnings and errors among n's events on standard error. *told: the number of events that were
 * printed; begins with 0. */
void smi_live_print_events(struct smi_live_streams *s, const struct smi_machine *n, int64_t *told);
/* Appends the errors among n's events, a line each: of a command whose standard error was another's until
 * now. */
void smi_live_write_errors(struct smi_buf *to, const struct smi_machine *n);
/* Adds an event to n if the path (not "-") does not exist yet. */
void smi_live_report_missing(struct smi_machine *n, const char *path);
/* "90", "90s", "10m", "2h", "1d" to milliseconds. Returns 0, or -1 with err SMI_EUSAGE. */
int smi_live_parse_duration(const char *text, int64_t *ms, struct smi_err *err);
/* Writes the table of this moment to standard output. Returns 0, or -1 with err. */
int smi_live_print_table(struct smi_live_streams *s, const struct smi_machine *n,
                         const struct smi_tui_info *about, const struct smi_render_options *look,
                         struct smi_err *err);
/* Writes a line (plain), or an object (json), of this moment to standard output. Returns 0, or -1 with err.
 */
int smi_live_print_line(struct smi_live_streams *s, const struct smi_machine *n, bool json,
                        struct smi_err *err);
/* Says on standard error, after a screen, what was recorded (ms: for how long), and how to look at it. */
void smi_live_print_recorded(struct smi_live_streams *s, const char *dir, int64_t ms);
/* Opens the server of --listen (o->listen NULL: *s becomes NULL). Prints its address on standard error if the
 * system chose the port, and that others can reach it if they can. If it cannot open (a port in use), *s is
 * NULL and err has the reason, to be reported with smi_live_report_no_server; for a command that does nothing
 * but serve (only) this is an error. Returns 0, or -1 with err. */
int smi_live_listen(struct smi_live_streams *to, struct smi_serve **s, const struct smi_serve_opts *o,
                    bool only, struct smi_err *err);
/* Adds a warning to n if err has the reason why there is no server, and clears it. */
void smi_live_report_no_server(struct smi_machine *n, struct smi_err *err);
/* Writes a file for node_exporter, beside and renamed; a failure becomes an event of n. */
void smi_live_write_textfile(const char *path, struct smi_machine *n, const struct smi_prometheus_opts *e);
static inline int64_t smi_earlier_ms(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
/* The next time after `now` on the grid of `step` from *at on. */
static inline void smi_next_step_ms(int64_t *at, int64_t step, int64_t now)
{
    *at += ((now - *at) / step + 1) * step;
}
/* Blocks SIGINT, SIGTERM and SIGHUP (unless that is ignored, as under nohup), ignores SIGPIPE, sees to
 * SIGCHLD, and returns a descriptor that is readable when one has come. */
int smi_live_open_signals(void);
/* The name of a signal that has come there, or NULL. */
const char *smi_live_signal_name(int fd);
/* What --format said (or NULL) is plain or jsonl: *json. Returns 0, or -1 with err SMI_EUSAGE, which names
 * the command.
 */
int smi_live_parse_format(const char *command, const char *format, bool *json, struct smi_err *err);
/* Lets the commands of --alert-exec and that of follow --exec (or NULL) end by themselves, for
 * SMI_LIVE_STOP_MS at most. */
void smi_live_let_end(struct smi_alert_actions *alerts, struct smi_follow_exec *exec);
/* The path of the stand-in for nvidia-smi, in room: beside the program when it was built, else where it is
 * installed. NULL with err (SMI_EUSAGE) if it is in neither place. */
const char *smi_live_fake_path(char *room, size_t size, struct smi_err *err);

#endif
