/* help.c - the table of commands; smilog help: help texts and man pages */
#include "base/version.h"
#include "cli/settings.h"

#include <stdio.h>

/* ---- the commands ---- */

const struct smi_cmd smi_commands[] = {
#define SMI_COMMAND(id, name, args, takes, brief, groups, rest) \
    {#name, args, takes, brief, groups, rest, smi_command_##name},
#include "cli/command.def"
    {.name = NULL},
};

const struct smi_cmd *smi_command_find(const char *name, struct smi_err *err)
{
    const char *near = smi_text_nearest(name, smi_commands, sizeof *smi_commands, SIZE_MAX);
    for (const struct smi_cmd *c = smi_commands; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    if (smi_opt_fail_removed(name, err))
        return NULL;
    near = strcmp(name, "formats") ? near : "list formats"; /* smilog-formats(5) is no command */
    smi_err_set(err, SMI_EUSAGE, "there is no %s %.60s%s%s%s", *name == '-' ? "option" : "command", name,
                near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return NULL;
}

void smi_write_usage(struct smi_buf *to)
{
    smi_buf_str(to, "smilog reads the GPU logs of runs and reports what the runs used and wasted.\n\n"
                    "  smilog summarize                    all runs below this directory\n"
                    "  smilog summarize -v out/run3        one run in full\n"
                    "  smilog summarize out/ -o runs.csv   one row per run\n"
                    "  smilog summarize --json log.csv     everything, for programs\n\n"
                    "usage: smilog COMMAND [OPTION]... [PATH]...\n\n");
    for (const struct smi_cmd *c = smi_commands; c->name; c++)
        smi_buf_fmt(to, "  %-12s %s\n", c->name, c->brief);
    smi_buf_str(to, "\nsmilog help COMMAND shows the help of a command, man smilog the manual.\n");
}

/* ---- text as man pages have it: the requests of man(7) ---- */

enum { WIDTH = 45 /* a blank beyond it ends a line of roff; a term stays in one line */ };

/* Appends text so that roff prints each of its bytes; `words` between backquotes become bold. */
static void write_bytes(struct smi_buf *to, struct smi_text text, size_t width)
{
    static const char special[] = "\\-'^~", *const escape[] = {"\\e", "\\-", "\\(aq", "\\(ha", "\\(ti"};
    const char *line = text.p, *s;
    bool bold = false;
    for (const char *c = text.p, *end = text.p + text.n; c < end; c++) {
        s = strchr(special, *c);
        if (c == line && *c == '.')
            smi_buf_str(to, "\\&");
        if (*c == ' ' && (size_t)(c - line) > width) {
            smi_buf_char(to, '\n');
            line = c + 1;
        } else if (*c == '`') {
            bold = !bold;
            smi_buf_str(to, bold ? "\\fB" : "\\fR");
        } else if (s) {
            smi_buf_str(to, escape[s - special]);
        } else {
            smi_buf_char(to, *c);
        }
    }
}

/* Appends text between two pieces of roff. */
static void write_text(struct smi_buf *to, const char *before, struct smi_text text, const char *after)
{
    smi_buf_str(to, before);
    write_bytes(to, text, *after == '\\' ? SIZE_MAX : WIDTH);
    smi_buf_str(to, after);
}

static void write_string(struct smi_buf *to, const char *before, const char *text, const char *after)
{
    write_text(to, before, smi_text_of(text), after);
}

/* Appends an entry: a term in bold, and the text below it. */
static void write_entry(struct smi_buf *to, const char *term, const char *text)
{
    write_string(to, ".TP\n\\fB", term, "\\fR\n");
    write_string(to, "", text, "\n");
}

/* Where the text of "term  text" begins, or 0. */
static size_t find_entry_text(struct smi_text line)
{
    const char *gap = memmem(line.p, line.n, "  ", 2);
    while (gap && *gap == ' ')
        gap++;
    return gap ? (size_t)(gap - line.p) : 0;
}

static bool next_line(struct smi_text *text, struct smi_text *line)
{
    const char *end = text->n ? memchr(text->p, '\n', text->n) : NULL;
    const size_t n = end ? (size_t)(end - text->p) : text->n, all = n + (end != NULL);
    *line = (struct smi_text){text->p, n};
    *text = (struct smi_text){text->p + all, text->n - all};
    return all > 0;
}

enum line_kind { LINE_NONE, LINE_TEXT, LINE_ENTRY, LINE_LITERAL };

/* Appends a line with an indent behind one of the kind `last`. Returns its own kind. */
static enum line_kind write_indented(struct smi_buf *to, struct smi_text line, size_t indent, bool gap,
                                     enum line_kind last)
{
    const struct smi_text rest = {line.p + indent, line.n - indent};
    const size_t at = find_entry_text(rest);
    if (last == LINE_ENTRY && indent > 2 && !gap) {
        write_text(to, "", rest, "\n");
        return LINE_ENTRY;
    }
    if (at) {
        write_text(to, last == LINE_LITERAL ? ".EE\n.TP\n\\fB" : ".TP\n\\fB",
                   smi_text_trim((struct smi_text){rest.p, at}), "\\fR\n");
        write_text(to, "", (struct smi_text){rest.p + at, rest.n - at}, "\n");
        return LINE_ENTRY;
    }
    if (last == LINE_LITERAL)
        smi_buf_str(to, gap ? "\n" : "");
    else
        smi_buf_str(to, last == LINE_NONE ? ".EX\n" : ".PP\n.EX\n");
    write_bytes(to, (struct smi_text){line.p + 2, line.n - 2}, SIZE_MAX);
    smi_buf_char(to, '\n');
    return LINE_LITERAL;
}

/* Appends paragraphs, which blank lines separate, behind a line of the kind `last`. A line "  term  text" is
 * an entry, which deeper lines go on with; an indented line without two blanks inside stands as it is.
 * Returns the kind of the last line. */
static enum line_kind write_paragraphs(struct smi_buf *to, struct smi_text text, enum line_kind last)
{
    struct smi_text line;
    bool gap = true;
    while (next_line(&text, &line)) {
        size_t indent = 0;
        while (indent < line.n && line.p[indent] == ' ')
            indent++;
        if (indent)
            last = write_indented(to, line, indent, gap, last);
        else if (line.n) {
            smi_buf_str(to, last == LINE_LITERAL ? ".EE\n" : "");
            smi_buf_str(to, last != LINE_NONE && (gap || last != LINE_TEXT) ? ".PP\n" : "");
            write_text(to, "", line, "\n");
            last = LINE_TEXT;
        }
        gap = line.n == 0;
    }
    smi_buf_str(to, last == LINE_LITERAL ? ".EE\n" : "");
    return last == LINE_LITERAL ? LINE_TEXT : last;
}

/* ---- the text files ---- */

/* The text of a page, or an empty one. */
static struct smi_text find_page_text(const char *name)
{
    static const char mark[] = "PAGE ";
    struct smi_text all = {(const char *)smi_asset_man, smi_asset_man_n}, page = {0}, line;
    while (next_line(&all, &line))
        if (line.n < sizeof mark || memcmp(line.p, mark, sizeof mark - 1) != 0)
            page.n = page.p ? (size_t)(all.p - page.p) : 0;
        else if (page.p)
            break;
        else if (smi_text_is((struct smi_text){line.p + sizeof mark - 1, line.n - sizeof mark + 1}, name))
            page.p = all.p;
    return page;
}

static bool is_section_head(struct smi_text line)
{
    for (size_t i = 0; i < line.n; i++)
        if ((line.p[i] < 'A' || line.p[i] > 'Z') && line.p[i] != ' ')
            return false;
    return line.n > 0;
}

/* The next section of a page; page goes behind it. Returns false at its end. */
static bool next_section(struct smi_text *page, struct smi_text *head, struct smi_text *body)
{
    struct smi_text rest = *page, line;
    for (*body = (struct smi_text){0}; next_line(&rest, &line); *page = rest)
        if (!is_section_head(line)) {
            body->n = (size_t)(rest.p - body->p);
        } else if (body->p) {
            return true;
        } else {
            *head = line;
            body->p = rest.p;
        }
    return body->p != NULL;
}

/* The lines of a section of a page's text ("check"), without the last end of a line; none if it is not
 * there. */
static struct smi_text find_section(const char *name, const char *section)
{
    struct smi_text page = find_page_text(name), head, body;
    while (next_section(&page, &head, &body))
        if (smi_text_is(head, section) && body.n)
            return (struct smi_text){body.p, body.n - 1};
    return (struct smi_text){0};
}

/* Appends a heading, and what the page's text has in these sections; others may be NULL. */
static void write_section(struct smi_buf *to, const char *name, const char *head, const char *section,
                          const char *second, const char *third)
{
    enum line_kind last = LINE_NONE;
    smi_buf_fmt(to, ".SH %s\n", head);
    last = write_paragraphs(to, find_section(name, section), last);
    if (second)
        last = write_paragraphs(to, find_section(name, second), last);
    if (third)
        write_paragraphs(to, find_section(name, third), last);
}

/* The sections that only the text has, in its order, the last of them SEE ALSO. */
static void write_other_sections(struct smi_buf *to, const char *name)
{
    struct smi_text page = find_page_text(name), head, body;
    while (next_section(&page, &head, &body))
        if (!smi_text_starts_nocase(head, SMI_MAN_HELP) && !smi_text_is(head, "DESCRIPTION") &&
            !smi_text_is(head, "EXAMPLES")) {
            smi_buf_fmt(to, ".SH %.*s\n", (int)head.n, head.p);
            write_paragraphs(to, body, LINE_NONE);
        }
}

/* ---- pages ---- */

/* The head of a page (names are small letters), and "smilog\-check \- fail if ...": the first letter small,
 * as such lines have it. */
static void write_head(struct smi_buf *to, const char *name, const char *brief, int section)
{
    const bool word = brief[0] >= 'A' && brief[0] <= 'Z' && brief[1] >= 'a' && brief[1] <= 'z';
    const char *dash = name ? "\\-" : "", first[] = {word ? (char)(brief[0] - 'A' + 'a') : brief[0], 0};
    smi_buf_fmt(to, ".\\\" Made by smilog help --man.\n.TH SMILOG%s", name ? "-" : "");
    for (const char *c = name; c && *c; c++)
        smi_buf_char(to, (char)(*c - 'a' + 'A'));
    smi_buf_fmt(to,
                " %d \"" SMILOG_DATE "\" \"smilog " SMILOG_VERSION "\" \"%s\"\n.SH NAME\nsmilog%s%s \\- %s",
                section, section == 1 ? "User Commands" : "File Formats", dash, name ? name : "", first);
    write_string(to, "", brief + 1, "\n");
}

/* "-o, --output FILE", and below it what it does. */
static void write_option(struct smi_buf *to, const struct smi_opt *o)
{
    smi_buf_str(to, ".TP\n");
    if (o->letter)
        smi_buf_fmt(to, "\\fB\\-%c\\fR, ", o->letter);
    write_string(to, "\\fB\\-\\-", o->name, "\\fR");
    if (o->arg)
        write_string(to, " \\fI", o->arg, "\\fR");
    write_string(to, "\n", o->help, "\n");
}

static void write_formats(struct smi_buf *to)
{
    smi_buf_str(to, ".SH FORMATS\n");
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        write_entry(to, smi_format_infos[i].name, smi_format_infos[i].help);
    smi_buf_str(to, ".SH METRICS\nThe metrics that the formats feed, with their units.\n");
    for (const struct smi_metric *m = smi_metrics; m < smi_metrics + SMI_METRIC_COUNT; m++) {
        smi_buf_fmt(to, ".TP\n\\fB%s\\fR%s%s%s\n", m->key, *m->unit ? " (" : "", m->unit,
                    *m->unit ? ")" : "");
        write_string(to, "", m->help, "\n");
    }
}

/* The fields of all objects, without those that are the metrics of smilog-formats(5). */
static void write_json_fields(struct smi_buf *to)
{
    struct smi_json_members f = {0};
    smi_json_members_make(&f);
    smi_buf_str(to, ".SH FIELDS\nTypes: @gpu is that object, [T] a list of T, {T} an object with\n"
                    "any keys whose values are T, =T the value T itself.\n");
    for (const struct smi_json_field *at = f.of; at < f.of + f.n; at++)
        if (!at->path) {
            smi_buf_fmt(to, ".SS @%s\n", at->object);
            write_string(to, "", at->help, ".\n");
        } else if (!at->metric) { /* "vram.total_mb (number or null, MiB, optional)", and what it says */
            const size_t n = strlen(at->type);
            const bool null = n && at->type[n - 1] == '?';
            write_string(to, ".TP\n\\fB", at->path, "\\fR (");
            write_text(to, "", (struct smi_text){at->type, n - null}, null ? " or null" : "");
            smi_buf_fmt(to, "%s%s%s)\n", *at->unit ? ", " : "", at->unit, at->optional ? ", optional" : "");
            write_string(to, "", at->help, "\n");
        }
    smi_json_members_fini(&f);
}

static const struct {
    const char *name, *brief;
    void (*write)(struct smi_buf *to);
} topics[] = {
    {"formats", "the log formats that smilog reads", write_formats},
    {"json", "the JSON that smilog writes", write_json_fields},
};
enum { TOPICS = sizeof topics / sizeof *topics };

/* Appends the page of a command or a topic (formats, json) as roff; of NULL: smilog(1). Returns 0, or -1 with
 * err SMI_EUSAGE. */
static int write_man(struct smi_buf *to, const char *name, struct smi_err *err)
{
    const struct smi_cmd *cmd;
    if (!name) {
        write_head(to, NULL, SMILOG_PURPOSE, 1);
        smi_buf_str(to, ".SH SYNOPSIS\n\\fBsmilog\\fR COMMAND [OPTION]... [PATH]...\n");
        write_section(to, "smilog", "DESCRIPTION", "DESCRIPTION", NULL, NULL);
        smi_buf_str(to, ".SH COMMANDS\n");
        for (const struct smi_cmd *c = smi_commands; c->name; c++)
            write_entry(to, c->name, c->brief);
        write_other_sections(to, "smilog");
        return 0;
    }
    for (int i = 0; i < TOPICS; i++) {
        if (strcmp(topics[i].name, name) != 0)
            continue;
        write_head(to, name, topics[i].brief, 5);
        write_section(to, name, "DESCRIPTION", "DESCRIPTION", NULL, NULL);
        topics[i].write(to);
        write_other_sections(to, name);
        return 0;
    }
    cmd = smi_command_find(name, err);
    if (!cmd)
        return -1;
    write_head(to, cmd->name, cmd->brief, 1);
    smi_buf_fmt(to, ".SH SYNOPSIS\n\\fBsmilog %s\\fR ", cmd->name);
    write_string(to, "", cmd->args, "\n");
    write_section(to, cmd->name, "DESCRIPTION", SMI_MAN_HELP, "DESCRIPTION", SMI_MAN_NOTES);
    smi_buf_str(to, ".SH OPTIONS\n");
    for (const struct smi_opt *o = NULL; (o = smi_opt_next(cmd, o));)
        write_option(to, o);
    write_option(to, &smi_opt_of_help);
    write_section(to, cmd->name, "EXAMPLES", SMI_MAN_EXAMPLES, "EXAMPLES", NULL);
    write_other_sections(to, cmd->name);
    return 0;
}

/* ---- the help of a command, and what every command prints ---- */

enum { HELP_AT = 34, HELP_WIDTH = 80 };

/* "  -o, --output FILE   ", and its text behind it, or below it if it is long. */
static void write_option_row(struct smi_buf *to, const struct smi_opt *o)
{
    static const struct smi_render_options look = {.width = HELP_WIDTH};
    struct smi_text_arena g = {.to = to, .look = &look, .column = HELP_AT};
    const size_t from = to->n;
    smi_buf_fmt(to, o->letter ? "  -%c, " : "      ", o->letter);
    smi_buf_fmt(to, o->arg ? "--%s %s" : "--%s", o->name, o->arg);
    if (to->n - from >= HELP_AT)
        smi_buf_fmt(to, "\n%*s", HELP_AT, "");
    else
        smi_buf_fmt(to, "%*s", HELP_AT - (int)(to->n - from), "");
    smi_wrap_words(&g, 0, o->help, HELP_AT);
    smi_wrap_newline(&g);
    smi_arena_fini(&g.arena);
}

static void write_command_help(struct smi_buf *to, const struct smi_cmd *cmd)
{
    static const char *const sections[] = {SMI_MAN_HELP, SMI_MAN_EXAMPLES, SMI_MAN_NOTES};
    for (int i = 0; i < 3; i++) {
        const struct smi_text t = find_section(cmd->name, sections[i]);
        smi_buf_fmt(to, "%.*s%s", (int)t.n, t.n ? t.p : "", t.n ? "\n\n" : "");
    }
    smi_buf_fmt(to, "usage: smilog %s %s\n", cmd->name, cmd->args);
    for (size_t i = 0; cmd->groups[i]; i++) {
        const struct smi_cmd group = {.groups = (char[]){cmd->groups[i], 0}};
        if (i < 2 || i == 3) /* how it is written; which runs, and what of them; what is read */
            smi_buf_char(to, '\n');
        for (const struct smi_opt *o = NULL; (o = smi_opt_next(&group, o));)
            write_option_row(to, o);
    }
    write_option_row(to, &smi_opt_of_help);
}

void smi_tell(struct smi_buf *b)
{
    if (b->n)
        smi_file_write(2, b->p, b->n, "standard error", NULL);
    smi_buf_fini(b);
}

void smi_add_warning(struct smi_buf *b, const char *text)
{
    smi_buf_str(b, "smilog: warning: ");
    smi_buf_safe(b, smi_text_of(text));
    smi_buf_char(b, '\n');
}

int smi_fail_text(struct smi_buf *b, const struct smi_err *err, const char *cmd)
{
    const struct smi_err named = smi_settings_name_source(err);
    smi_buf_str(b, "smilog: ");
    smi_buf_safe(b, smi_text_of(named.text));
    smi_buf_char(b, '\n');
    if (err->code == SMI_EUSAGE && cmd)
        smi_buf_fmt(b, "try: smilog help%s%s\n", *cmd ? " " : "", cmd);
    return err->code == SMI_EUSAGE ? SMI_EXIT_USAGE : SMI_EXIT_OUTPUT;
}

int smi_fail(const struct smi_err *err, const char *cmd)
{
    struct smi_buf b = {0};
    int rc = smi_fail_text(&b, err, cmd);
    smi_tell(&b);
    return rc;
}

int smi_print(struct smi_buf *b)
{
    struct smi_err err = {0};
    int rc = smi_file_write(1, b->p, b->n, "standard output", &err);
    smi_buf_fini(b);
    return rc ? smi_fail(&err, NULL) : SMI_EXIT_OK;
}

int smi_opt_print_help(const struct smi_cmd *cmd)
{
    struct smi_buf help = {0};
    write_command_help(&help, cmd);
    return smi_print(&help);
}

int smi_opt_begin(const struct smi_cmd *cmd, int *argc, char **argv, void *settings)
{
    struct smi_err err = {0};
    int rc = smi_opt_parse(cmd, argc, argv, settings, &err);
    if (rc > 0)
        return smi_opt_print_help(cmd);
    return rc < 0 ? smi_fail(&err, cmd->name) : -1;
}

/* ---- help texts, man pages and completions, all from the tables of commands and options ---- */

static const unsigned char *const stubs[] = {smi_asset_bash, smi_asset_zsh,
                                             smi_asset_fish}; /* as SMI_SHELLS */
static const size_t *const stub_sizes[] = {&smi_asset_bash_n, &smi_asset_zsh_n, &smi_asset_fish_n};

int smi_command_help(int argc, char **argv)
{
    struct smi_help_settings set = {.shell = -1};
    struct smi_err err = {0};
    struct smi_buf b = {0};
    int rc = smi_opt_begin(&smi_commands[SMI_COMMAND_HELP], &argc, argv, &set);
    const char *name = argc > 1 ? argv[1] : NULL;
    const struct smi_cmd *cmd;
    if (rc >= 0)
        return rc;
    if (argc > 2) {
        smi_err_set(&err, SMI_EUSAGE, "help takes one COMMAND: what is \"%.100s\"?", argv[2]);
    } else if (set.shell >= 0) {
        smi_buf_add(&b, (const char *)stubs[set.shell], *stub_sizes[set.shell]);
    } else if (set.man_list) { /* the files of all pages */
        smi_buf_str(&b, "smilog.1\n");
        for (cmd = smi_commands; cmd->name; cmd++)
            smi_buf_fmt(&b, "smilog-%s.1\n", cmd->name);
        for (int i = 0; i < TOPICS; i++)
            smi_buf_fmt(&b, "smilog-%s.5\n", topics[i].name);
    } else if (set.man) {
        write_man(&b, name, &err);
    } else if (!name) {
        smi_write_usage(&b);
    } else if ((cmd = smi_command_find(name, &err))) {
        write_command_help(&b, cmd);
    }
    if (!err.code)
        return smi_print(&b);
    smi_buf_fini(&b);
    return smi_fail(&err, "");
}
