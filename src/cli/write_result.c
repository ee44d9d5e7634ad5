/* write_result.c - the way out: the answer, the text, the file. */
#include "cli/settings.h"
#include "sweep/reread.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Where the text goes, and what went wrong there. */
struct sink {
    struct smi_text_file to;
    struct smi_err err;
};

static void append_output(void *self, const char *p, size_t n)
{
    struct sink *s = self;
    if (!s->err.code)
        smi_text_file_write(&s->to, p, n, &s->err);
}

void smi_print_sentences(const struct smi_buf *said, const struct smi_settings *set)
{
    struct smi_buf b = {0};
    for (size_t at = 0; at < said->n && !set->look.quiet; at += strlen(said->p + at) + 1)
        smi_add_warning(&b, said->p + at);
    smi_tell(&b);
}

/* One question; what the user should know of the answer is told. */
static int apply_query(struct smi_sweep *s, struct smi_query q, const struct smi_settings *set,
                       struct smi_result *rows, struct smi_err *err)
{
    struct smi_buf said = {0};
    int rc;
    q.now_ms = smi_clock_utc_ms();
    rc = smi_query_any(&q) ? smi_query_sweep(s, &q, rows, &said, err) : 0;
    if (!rc && s->emptied)
        smi_buf_fmt(&said, "no run of %zu is what was asked for: %s leaves none%c", s->all, s->emptied, 0);
    if (!rc && s->overlap && !rows->made && (q.where || q.since || q.until))
        smi_buf_fmt(&said, "%s%c", s->overlap, 0);
    if (!rc)
        smi_print_sentences(&said, set);
    smi_buf_fini(&said);
    return rc;
}

/* Has every run, or some, a parameter or joined column of this name? */
static bool is_grouping(const struct smi_sweep *s, struct smi_text word)
{
    for (size_t i = 0; i < s->nvarying + s->njoined; i++)
        if (smi_text_is(word, i < s->nvarying ? s->varying[i] : s->joined[i - s->nvarying]))
            return true;
    return false;
}

/* A page is of runs, whatever their groups are: these are asked for apart. */
static int answer_query(struct smi_sweep *s, const struct smi_settings *set, struct smi_result *rows,
                        struct smi_err *err)
{
    struct smi_query runs = set->ask, groups = {0};
    if (!set->pages)
        return apply_query(s, runs, set, rows, err);
    runs.group_by = NULL;
    if (apply_query(s, runs, set, rows, err))
        return -1;
    const char *by = groups.group_by = s->n ? set->ask.group_by : NULL;
    if (by && apply_query(s, groups, set, rows, err))
        return -1;
    /* Pages have groups by parameters that differ, and by joined columns: what else was asked for is said. */
    struct smi_buf said = {0};
    struct smi_text word;
    while (by && smi_text_next_item(&by, &word)) {
        const size_t n = smi_text_starts_nocase(word, "param.") ? strlen("param.") : 0;
        if (!is_grouping(s, (struct smi_text){word.p + n, word.n - n}))
            smi_buf_fmt(
                &said,
                "--group-by %.*s: a page has groups by parameters and joined columns that differ only%c",
                (int)word.n, word.p, 0);
    }
    smi_print_sentences(&said, set);
    smi_buf_fini(&said);
    return 0;
}

int smi_choose_runs(struct smi_sweep *s, const struct smi_settings *set)
{
    struct smi_result none = {0};
    struct smi_err err = {0};
    const int rc = answer_query(s, set, &none, &err) ? smi_fail(&err, NULL) : SMI_EXIT_OK;
    smi_result_fini(&none);
    return rc;
}

/* An output that writes a file by itself gets the name of the temporary one. */
static int write_file(const struct smi_sweep *s, const struct smi_result *rows,
                      const struct smi_settings *set, const struct smi_render_options *look,
                      struct smi_err *err)
{
    const struct smi_output *o = set->writer;
    struct smi_file_out file;
    struct smi_err own = {0};
    const char *path;
    int rc = smi_file_create(&file, set->output, err);
    if (rc)
        return rc;
    path = file.tmp ? file.tmp : file.path;
    rc = rows->made ? o->rows_file(path, rows, look, &own) : o->file(path, s, look, &own);
    if (rc)
        smi_err_set(err, own.code, "cannot write %.200s: %s", set->output, own.text);
    return smi_file_close(&file, !rc, err) || rc ? -1 : 0;
}

static int write_text(const struct smi_sweep *s, const struct smi_result *rows,
                      const struct smi_settings *set, const struct smi_render_options *look,
                      struct smi_err *err)
{
    struct sink out = {.err = {0}};
    struct smi_buf *b = &out.to.text;
    int rc = smi_text_file_open(&out.to, set->output ? set->output : "-", err);
    if (rc)
        return rc;
    if (set->writer->run) { /* a run at a time, as long as there are any */
        b->drain = append_output;
        b->self = &out;
    }
    if (rows->made)
        set->writer->rows(b, rows, look);
    else
        set->writer->write(b, s, look);
    rc = out.err.code;
    rc |= smi_text_file_close(&out.to, !rc, &out.err);
    return rc ? smi_err_set(err, out.err.code, "%s", out.err.text) : 0;
}

int smi_write_text(struct smi_buf *text, const struct smi_settings *set)
{
    struct smi_err err = {0};
    int rc = smi_text_file_put(set->output ? set->output : "-", text, &err);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

int smi_write_rows(const struct smi_result *rows, const struct smi_settings *set)
{
    static const struct smi_sweep none = {.n = 0};
    struct smi_render_options look = smi_render_options_of(set);
    struct smi_err err = {0};
    int rc = set->writer->file ? write_file(&none, rows, set, &look, &err)
                               : write_text(&none, rows, set, &look, &err);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

int smi_write_result(struct smi_sweep *s, const struct smi_settings *set)
{
    static const struct smi_result none = {.made = false};
    const struct smi_result *of;
    struct smi_result rows = {0};
    struct smi_render_options look = smi_render_options_of(set);
    struct smi_buf told = {0};
    struct smi_err err = {0};
    int rc = answer_query(s, set, &rows, &err);
    of = set->pages ? &none : &rows;
    if (!rc && !of->made)
        rc = smi_output_timelines(s, set->writer, &look, &err);
    if (!rc && s->nstored && set->writer->timelines && !set->look.quiet) {
        smi_add_warning(&told,
                        "partial summaries hold no single readings: no curves over time, and no samples");
        smi_tell(&told);
    }
    if (set->d.progress && !set->writer->file) /* the text may go to the same terminal */
        smi_progress_end(set->d.self);
    if (!rc)
        rc = set->writer->file ? write_file(s, of, set, &look, &err) : write_text(s, of, set, &look, &err);
    if (set->d.progress)
        smi_progress_end(set->d.self);
    smi_result_fini(&rows);
    /* a file that a person waits for is named when it is there: each page, and others at a terminal */
    if (!rc && !set->look.quiet && set->output && strcmp(set->output, "-") != 0 &&
        (set->pages || isatty(2))) {
        smi_buf_str(&told, "smilog: wrote ");
        smi_buf_safe(&told, smi_text_of(set->output));
        smi_buf_fmt(&told, ": %zu run%s\n", s->n, s->n == 1 ? "" : "s");
        smi_tell(&told);
    }
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

enum { COLOR_AUTO, COLOR_ALWAYS };

static int parse_terminal_size(const char *text)
{
    int64_t v;
    if (!text || smi_text_parse_micro(smi_text_of(text), &v) || v < 1000000 || v % 1000000 || v > 10000000000)
        return 0;
    return (int)(v / 1000000);
}

/* COLUMNS and LINES, where they are exported, are what the user wants to be believed. */
static void measure_terminal(struct smi_render_options *look)
{
    struct winsize w = {0};
    if (ioctl(1, TIOCGWINSZ, &w) != 0)
        memset(&w, 0, sizeof w);
    look->width = parse_terminal_size(getenv("COLUMNS"));
    look->height = parse_terminal_size(getenv("LINES"));
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

/* The same page again has the same bytes, where SOURCE_DATE_EPOCH says when that is
 * (reproducible-builds.org). */
static int64_t made_ms(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t micro;
    if (epoch && smi_text_parse_micro(smi_text_of(epoch), &micro) == 0 && micro >= 0)
        return micro / 1000;
    return smi_clock_utc_ms();
}

struct smi_render_options smi_render_options_of(const struct smi_settings *set)
{
    bool tty = (!set->output || strcmp(set->output, "-") == 0) && isatty(1);
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    struct smi_render_options look = set->look;
    if (set->pages) {
        look.group_by = set->ask.group_by;
        look.command = set->command.p;
        look.now_ms = made_ms();
    }
    if (tty)
        measure_terminal(&look);
    else if (!set->output || strcmp(set->output, "-") == 0)
        look.width = parse_terminal_size(getenv("COLUMNS"));
    look.utf8 = is_utf8();
    look.color = set->color == COLOR_ALWAYS;
    if (set->color == COLOR_AUTO)
        look.color = tty && !(no && *no) && term && strcmp(term, "dumb") != 0;
    return look;
}
