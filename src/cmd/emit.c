/* emit.c - the way out: what the terminal can show, the text, the file. */
#include "cmd/settings.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { COLOR_AUTO, COLOR_ALWAYS };

int smi_fail(const struct smi_err *err, const char *cmd)
{
    struct smi_buf b = {0};
    smi_buf_str(&b, "smilog: ");
    smi_buf_safe(&b, smi_text_of(err->text));
    smi_buf_char(&b, '\n');
    if (err->code == SMI_EUSAGE && cmd)
        smi_buf_fmt(&b, "try: smilog help%s%s\n", *cmd ? " " : "", cmd);
    if (b.n)
        smi_file_put(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
    return err->code == SMI_EUSAGE ? SMI_EXIT_USAGE : SMI_EXIT_OUTPUT;
}

int smi_say(struct smi_buf *b)
{
    struct smi_err err = {0};
    int rc = b->failed ? smi_err_nomem(&err) : smi_file_put(1, b->p, b->n, "standard output", &err);
    smi_buf_fini(b);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

static int number_in(const char *text)
{
    int64_t v;
    if (!text || smi_text_micro(smi_text_of(text), &v) || v < 1000000 || v % 1000000 || v > 10000000000)
        return 0;
    return (int)(v / 1000000);
}

/* COLUMNS and LINES, where they are exported, are what the user wants to be believed. */
static void measure(struct smi_look *look)
{
    struct winsize w = {0};
    if (ioctl(1, TIOCGWINSZ, &w) != 0)
        memset(&w, 0, sizeof w);
    look->width = number_in(getenv("COLUMNS"));
    look->height = number_in(getenv("LINES"));
    if (!look->width)
        look->width = w.ws_col ? w.ws_col : 80;
    if (!look->height)
        look->height = w.ws_row ? w.ws_row : 24;
}

static bool is_utf8(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"}, *v;
    for (int i = 0; i < 3; i++)
        if ((v = getenv(names[i])) && *v)
            return strcasestr(v, "UTF-8") || strcasestr(v, "UTF8");
    return false;
}

struct smi_look smi_look_for(const struct smi_settings *set)
{
    bool tty = (!set->output || strcmp(set->output, "-") == 0) && isatty(1);
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    struct smi_look look = {.all = set->all, .verbose = set->verbose, .quiet = set->quiet, .co2 = set->prices.has_co2,
                            .money = set->prices.n > 0 || set->prices.has_kwh,
                            .given = set->given.p ? set->given.p : ""};
    if (tty)
        measure(&look);
    look.utf8 = is_utf8();
    look.color = set->color == COLOR_ALWAYS;
    if (set->color == COLOR_AUTO)
        look.color = tty && !(no && *no) && term && strcmp(term, "dumb") != 0;
    return look;
}

/* Where the text goes. */
struct sink {
    struct smi_file_out file;
    const char *name;
    struct smi_err err;
};

static int drain(void *self, const char *p, size_t n)
{
    struct sink *s = self;
    return smi_file_put(s->file.fd, p, n, s->name, &s->err);
}

/* What the user should know of the answer. */
static void tell(const struct smi_buf *said, const struct smi_sweep *s, const struct smi_settings *set)
{
    struct smi_buf b = {0};
    for (size_t at = 0; at < said->n; at += strlen(said->p + at) + 1) {
        smi_buf_str(&b, "smilog: warning: ");
        smi_buf_safe(&b, smi_text_of(said->p + at));
        smi_buf_char(&b, '\n');
    }
    if (s->all && s->n == 0)
        smi_buf_fmt(&b, "smilog: warning: no run of %zu is what was asked for\n", s->all);
    if (b.n && !set->quiet)
        smi_file_put(2, b.p, b.n, "standard error", NULL);
    smi_buf_fini(&b);
}

int smi_choose(struct smi_sweep *s, const struct smi_settings *set, struct smi_answer *rows)
{
    struct smi_ask ask = set->ask;
    struct smi_buf said = {0};
    struct smi_err err = {0};
    struct timespec now;
    int rc;
    clock_gettime(CLOCK_REALTIME, &now);
    ask.now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    rc = smi_ask_sweep(s, &ask, rows, &said, &err);
    if (!rc)
        tell(&said, s, set);
    smi_buf_fini(&said);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

static int write_out(const struct smi_sweep *s, const struct smi_answer *rows, const struct smi_settings *set)
{
    struct smi_look look = smi_look_for(set);
    const char *path = set->output ? set->output : "-";
    struct sink to = {.name = strcmp(path, "-") == 0 ? "standard output" : path};
    struct smi_buf b = {0};
    int rc = smi_file_create(&to.file, path, &to.err);
    if (rc)
        return smi_fail(&to.err, NULL);
    if (set->writer->run) { /* a run at a time, as long as there are any */
        b.drain = drain;
        b.self = &to;
    }
    rc = rows->made ? set->writer->rows(&b, rows, &look, NULL) : set->writer->write(&b, s, &look, NULL);
    rc = rc || b.failed ? -1 : drain(&to, b.p, b.n);
    if (rc && !to.err.code)
        smi_err_nomem(&to.err);
    rc |= smi_file_close(&to.file, !rc, &to.err);
    smi_buf_fini(&b);
    return rc ? smi_fail(&to.err, NULL) : SMI_EXIT_OK;
}

int smi_write_text(const struct smi_buf *text, const struct smi_settings *set)
{
    const char *path = set->output ? set->output : "-";
    struct sink to = {.name = strcmp(path, "-") == 0 ? "standard output" : path};
    int rc = smi_file_create(&to.file, path, &to.err);
    if (rc)
        return smi_fail(&to.err, NULL);
    rc = text->failed ? smi_err_nomem(&to.err) : drain(&to, text->p, text->n);
    rc |= smi_file_close(&to.file, !rc, &to.err);
    return rc ? smi_fail(&to.err, NULL) : SMI_EXIT_OK;
}

int smi_emit(struct smi_sweep *s, const struct smi_settings *set)
{
    struct smi_answer rows = {0};
    int rc = smi_ask_any(&set->ask) ? smi_choose(s, set, &rows) : SMI_EXIT_OK;
    rc = rc ? rc : write_out(s, &rows, set);
    smi_answer_fini(&rows);
    return rc;
}
