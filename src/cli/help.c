/* help.c - smilog help: help texts and man pages */
#include "base/version.h"
#include "cli/commands.h"
#include "cli/man.h"
#include "model/format_info.h"
#include "model/metric.h"
#include "report/json_schema.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- text as man pages have it: the requests of man(7) ---- */

enum { WIDTH = 72 /* of a line of roff: a word that would go beyond it begins the next one */ };

/* The last line of to. */
static struct smi_text last_line(const struct smi_buf *to)
{
    size_t n = to->n && to->p[to->n - 1] == '\n' ? to->n - 1 : to->n, from = n;
    while (from && to->p[from - 1] != '\n')
        from--;
    return (struct smi_text){to->p + from, to->n - from};
}

static size_t word_length(struct smi_text text, size_t from)
{
    size_t n = from;
    while (n < text.n && text.p[n] != ' ')
        n++;
    return n - from;
}

static void write_text(struct smi_buf *to, struct smi_text text, bool filled)
{
    static const char special[] = "\\-'^~`", *const escape[] = {"\\e", "\\-", "\\(aq", "\\(ha", "\\(ti"};
    bool bold = false, begins = true;
    for (size_t i = 0; i < text.n; i++) {
        const char *s = strchr(special, text.p[i]);
        if (begins && text.p[i] == '.')
            smi_buf_str(to, "\\&");
        begins = filled && text.p[i] == ' ' && last_line(to).n + 1 + word_length(text, i + 1) > WIDTH;
        if (begins) {
            smi_buf_char(to, '\n');
            continue;
        }
        if (text.p[i] == '`') {
            bold = !bold;
            smi_buf_str(to, bold ? "\\fB" : "\\fR");
        } else if (s) {
            smi_buf_str(to, escape[s - special]);
        } else {
            smi_buf_char(to, text.p[i]);
        }
    }
}

/* Appends text so that roff prints each of its bytes; `words` between backquotes become bold. */
static void roff_text(struct smi_buf *to, struct smi_text text)
{
    write_text(to, text, true);
}

/* Appends the heading of a section. */
static void roff_section(struct smi_buf *to, const char *name)
{
    smi_buf_fmt(to, ".SH %s\n", name);
}

/* Appends an entry: a term in bold, and the text below it. */
static void roff_entry(struct smi_buf *to, struct smi_text term, struct smi_text text)
{
    smi_buf_str(to, ".TP\n\\fB");
    roff_text(to, term);
    smi_buf_str(to, "\\fR\n");
    roff_text(to, text);
    smi_buf_char(to, '\n');
}

/* Where the text of "term  text" begins, or 0. */
static size_t find_entry_text(struct smi_text line)
{
    for (size_t i = 0; i + 2 < line.n; i++)
        if (line.p[i] == ' ' && line.p[i + 1] == ' ') {
            while (i < line.n && line.p[i] == ' ')
                i++;
            return i;
        }
    return 0;
}

static size_t count_indent(struct smi_text line)
{
    size_t n = 0;
    while (n < line.n && line.p[n] == ' ')
        n++;
    return n;
}

enum line_kind { LINE_NONE, LINE_TEXT, LINE_ENTRY, LINE_LITERAL };

static void end_literal(struct smi_buf *to, enum line_kind last)
{
    if (last == LINE_LITERAL)
        smi_buf_str(to, ".EE\n");
}

/* Appends one line behind a line of the kind `last`. Returns its own kind. */
static enum line_kind write_line(struct smi_buf *to, struct smi_text line, bool gap, enum line_kind last)
{
    size_t indent = count_indent(line), at;
    struct smi_text rest = {line.p + indent, line.n - indent};
    at = indent ? find_entry_text(rest) : 0;
    if (last == LINE_ENTRY && indent > 2 && !gap) {
        roff_text(to, rest);
        smi_buf_char(to, '\n');
        return LINE_ENTRY;
    }
    if (at) {
        end_literal(to, last);
        roff_entry(to, smi_text_trim((struct smi_text){rest.p, at}),
                   (struct smi_text){rest.p + at, rest.n - at});
        return LINE_ENTRY;
    }
    if (indent) {
        if (last != LINE_LITERAL)
            smi_buf_fmt(to, "%s.EX\n", last == LINE_NONE ? "" : ".PP\n");
        else if (gap)
            smi_buf_char(to, '\n');
        write_text(to, (struct smi_text){line.p + 2, line.n - 2}, false);
        smi_buf_char(to, '\n');
        return LINE_LITERAL;
    }
    end_literal(to, last);
    if (last != LINE_NONE && (gap || last != LINE_TEXT))
        smi_buf_str(to, ".PP\n");
    roff_text(to, line);
    smi_buf_char(to, '\n');
    return LINE_TEXT;
}

/* Appends paragraphs, which blank lines separate. A line "  term  text" is an entry, which deeper lines go on
 * with; an indented line without two blanks inside stands as it is. */
static void roff_paragraphs(struct smi_buf *to, struct smi_text text)
{
    enum line_kind last = LINE_NONE;
    struct smi_text before = last_line(to);
    bool gap = false;
    if (text.n && before.n && !smi_text_starts_nocase(before, ".S"))
        smi_buf_str(to, ".PP\n");
    while (text.n) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t n = end ? (size_t)(end - text.p) : text.n;
        if (n)
            last = write_line(to, (struct smi_text){text.p, n}, gap, last);
        gap = n == 0;
        text.p += n + (end != NULL);
        text.n -= n + (end != NULL);
    }
    end_literal(to, last);
}

/* ---- the text files ---- */

/* The text of a page, or an empty one. */
static struct smi_text find_page_text(const char *name)
{
    static const char mark[] = "PAGE ";
    struct smi_text all = {(const char *)smi_asset_man, smi_asset_man_n}, page = {0};
    while (all.n) {
        const char *end = memchr(all.p, '\n', all.n);
        size_t n = end ? (size_t)(end - all.p) + 1 : all.n, k = sizeof mark - 1;
        if (n > k && memcmp(all.p, mark, k) == 0) {
            if (page.p)
                return page;
            if (smi_text_is((struct smi_text){all.p + k, n - k - 1}, name))
                page.p = all.p + n;
        } else if (page.p) {
            page.n += n;
        }
        all.p += n;
        all.n -= n;
    }
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
    bool some = false;
    *body = (struct smi_text){0};
    while (page->n) {
        const char *end = memchr(page->p, '\n', page->n);
        size_t n = end ? (size_t)(end - page->p) : page->n, all = n + (end != NULL);
        struct smi_text line = {page->p, n};
        if (is_section_head(line)) {
            if (some)
                return true;
            some = true;
            *head = line;
            *body = (struct smi_text){page->p + all, 0};
        } else {
            body->n += all;
        }
        page->p += all;
        page->n -= all;
    }
    return some;
}

struct smi_text smi_man_section(const char *name, const char *section)
{
    struct smi_text page = find_page_text(name), head, body;
    while (next_section(&page, &head, &body))
        if (smi_text_is(head, section) && body.n)
            return (struct smi_text){body.p, body.n - 1};
    return (struct smi_text){0};
}

/* Appends what the page's text says in this section. */
static void write_section_text(struct smi_buf *to, const char *name, const char *section)
{
    roff_paragraphs(to, smi_man_section(name, section));
}

/* The sections that only the text has, in its order, the last of them SEE ALSO. */
static void write_other_sections(struct smi_buf *to, const char *name)
{
    static const char *const own[] = {SMI_MAN_HELP,  SMI_MAN_NOTES, SMI_MAN_EXAMPLES,
                                      "DESCRIPTION", "OPTIONS",     "EXAMPLES"};
    struct smi_text page = find_page_text(name), head, body;
    while (next_section(&page, &head, &body)) {
        bool written = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            written |= smi_text_is(head, own[i]);
        if (written)
            continue;
        smi_buf_fmt(to, ".SH %.*s\n", (int)head.n, head.p);
        roff_paragraphs(to, body);
    }
}

/* ---- pages ---- */

static void write_title(struct smi_buf *to, const char *name, int section)
{
    char title[64] = "SMILOG";
    size_t n = strlen(title);
    if (name)
        n += (size_t)snprintf(title + n, sizeof title - n, "-%s", name);
    for (size_t i = 0; title[i]; i++)
        title[i] = title[i] >= 'a' && title[i] <= 'z' ? (char)(title[i] - 'a' + 'A') : title[i];
    smi_buf_str(to, ".\\\" Made by smilog help --man.\n.TH ");
    smi_buf_fmt(to, "%s %d \"" SMILOG_DATE "\" \"smilog " SMILOG_VERSION "\" \"%s\"\n", title, section,
                section == 1 ? "User Commands" : "File Formats");
}

/* smilog\-check \- fail if ...: the first letter small, as such lines have it. */
static void write_name(struct smi_buf *to, const char *name, const char *brief)
{
    roff_section(to, "NAME");
    smi_buf_fmt(to, "smilog%s%s \\- ", name ? "\\-" : "", name ? name : "");
    if (brief[0] >= 'A' && brief[0] <= 'Z' && brief[1] >= 'a' && brief[1] <= 'z') {
        smi_buf_char(to, (char)(brief[0] - 'A' + 'a'));
        brief++;
    }
    roff_text(to, smi_text_of(brief));
    smi_buf_char(to, '\n');
}

static void write_synopsis(struct smi_buf *to, const struct smi_cmd *cmd)
{
    smi_buf_fmt(to, "\\fBsmilog %s\\fR ", cmd->name);
    roff_text(to, smi_text_of(cmd->args));
    smi_buf_char(to, '\n');
}

/* "-o, --output FILE", and below it what it does. */
static void write_option(struct smi_buf *to, const struct smi_opt *o)
{
    smi_buf_str(to, ".TP\n");
    if (o->letter)
        smi_buf_fmt(to, "\\fB\\-%c\\fR, ", o->letter);
    smi_buf_str(to, "\\fB\\-\\-");
    roff_text(to, smi_text_of(o->name));
    smi_buf_str(to, "\\fR");
    if (o->arg) {
        smi_buf_str(to, " \\fI");
        roff_text(to, smi_text_of(o->arg));
        smi_buf_str(to, "\\fR");
    }
    smi_buf_char(to, '\n');
    roff_text(to, smi_text_of(o->help));
    smi_buf_char(to, '\n');
}

static void write_options(struct smi_buf *to, const struct smi_cmd *cmd)
{
    for (size_t t = 0; cmd->opts && cmd->opts[t]; t++)
        for (const struct smi_opt *o = cmd->opts[t]; o->name; o++)
            write_option(to, o);
    write_option(to, &smi_opt_of_help);
}

static void write_command_page(struct smi_buf *to, const struct smi_cmd *cmd)
{
    write_title(to, cmd->name, 1);
    write_name(to, cmd->name, cmd->brief);
    roff_section(to, "SYNOPSIS");
    write_synopsis(to, cmd);
    roff_section(to, "DESCRIPTION");
    write_section_text(to, cmd->name, SMI_MAN_HELP);
    write_section_text(to, cmd->name, "DESCRIPTION");
    write_section_text(to, cmd->name, SMI_MAN_NOTES);
    roff_section(to, "OPTIONS");
    write_section_text(to, cmd->name, "OPTIONS");
    write_options(to, cmd);
    roff_section(to, "EXAMPLES");
    write_section_text(to, cmd->name, SMI_MAN_EXAMPLES);
    write_section_text(to, cmd->name, "EXAMPLES");
    write_other_sections(to, cmd->name);
}

static void write_main_page(struct smi_buf *to)
{
    write_title(to, NULL, 1);
    write_name(to, NULL, SMILOG_PURPOSE);
    roff_section(to, "SYNOPSIS");
    smi_buf_str(to, "\\fBsmilog\\fR COMMAND [OPTION]... [PATH]...\n");
    roff_section(to, "DESCRIPTION");
    write_section_text(to, "smilog", "DESCRIPTION");
    roff_section(to, "COMMANDS");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        roff_entry(to, smi_text_of(c->name), smi_text_of(c->cmd->brief));
    write_other_sections(to, "smilog");
}

static int write_formats(struct smi_buf *to, struct smi_err *err)
{
    (void)err;
    roff_section(to, "FORMATS");
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        roff_entry(to, smi_text_of(smi_format_infos[i].name), smi_text_of(smi_format_infos[i].help));
    roff_section(to, "METRICS");
    smi_buf_str(to, "The metrics that the formats feed, with their units.\n");
    for (int i = 0; i < SMI_METRIC_COUNT; i++) {
        const struct smi_metric *m = &smi_metrics[i];
        smi_buf_fmt(to, ".TP\n\\fB%s\\fR%s%s%s\n", m->key, *m->unit ? " (" : "", m->unit,
                    *m->unit ? ")" : "");
        roff_text(to, smi_text_of(m->help));
        smi_buf_char(to, '\n');
    }
    return 0;
}

/* "vram.total_mb (number or null, MiB, optional)", and below it what it says. */
static void write_json_field(struct smi_buf *to, const struct smi_json_field *f)
{
    size_t n = strlen(f->type);
    const bool null = n && f->type[n - 1] == '?';
    smi_buf_str(to, ".TP\n\\fB");
    roff_text(to, smi_text_of(f->path));
    smi_buf_str(to, "\\fR (");
    roff_text(to, (struct smi_text){f->type, n - null});
    smi_buf_fmt(to, "%s%s%s%s)\n", null ? " or null" : "", *f->unit ? ", " : "", f->unit,
                f->optional ? ", optional" : "");
    roff_text(to, smi_text_of(f->help));
    smi_buf_char(to, '\n');
}

/* The fields of all objects, without those that are the metrics of smilog-formats(5). */
static int write_json_fields(struct smi_buf *to, struct smi_err *err)
{
    struct smi_json_fields f = {0};
    if (smi_json_fields_make(&f, err))
        return -1;
    roff_section(to, "FIELDS");
    smi_buf_str(to, "Types: @gpu is that object, [T] a list of T, {T} an object with\n"
                    "any keys whose values are T, =T the value T itself.\n");
    for (size_t i = 0; i < f.n; i++)
        if (!f.of[i].path) {
            smi_buf_fmt(to, ".SS @%s\n", f.of[i].object);
            roff_text(to, smi_text_of(f.of[i].help));
            smi_buf_str(to, ".\n");
        } else if (!f.of[i].metric) {
            write_json_field(to, &f.of[i]);
        }
    smi_json_fields_fini(&f);
    return 0;
}

static const struct {
    const char *name, *brief;
    int (*write)(struct smi_buf *to, struct smi_err *err);
} topics[] = {
    {"formats", "the log formats that smilog reads", write_formats},
    {"json", "the JSON that smilog writes", write_json_fields},
};
enum { TOPICS = sizeof topics / sizeof *topics };

static int write_topic_page(struct smi_buf *to, int i, struct smi_err *err)
{
    write_title(to, topics[i].name, 5);
    write_name(to, topics[i].name, topics[i].brief);
    roff_section(to, "DESCRIPTION");
    write_section_text(to, topics[i].name, "DESCRIPTION");
    if (topics[i].write(to, err))
        return -1;
    write_other_sections(to, topics[i].name);
    return 0;
}

int smi_man_write(struct smi_buf *to, const char *name, struct smi_err *err)
{
    const struct smi_cmd *cmd;
    if (!name) {
        write_main_page(to);
        return 0;
    }
    for (int i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].name, name) == 0)
            return write_topic_page(to, i, err);
    cmd = smi_command_find(name, err);
    if (!cmd)
        return -1;
    write_command_page(to, cmd);
    return 0;
}

void smi_man_list(struct smi_buf *to)
{
    smi_buf_str(to, "smilog.1\n");
    for (const struct smi_command *c = smi_commands; c->name; c++)
        smi_buf_fmt(to, "smilog-%s.1\n", c->name);
    for (int i = 0; i < TOPICS; i++)
        smi_buf_fmt(to, "smilog-%s.5\n", topics[i].name);
}

/* ---- help texts, man pages and completions, all from the tables of commands and options ---- */

struct settings {
    bool man, man_list;
    int shell; /* place in SHELLS, or -1 */
};

#define SHELLS "bash|zsh|fish"
static const unsigned char *const stubs[] = {smi_asset_bash, smi_asset_zsh, smi_asset_fish}; /* as SHELLS */
static const size_t *const stub_sizes[] = {&smi_asset_bash_n, &smi_asset_zsh_n, &smi_asset_fish_n};

#define AT(field) offsetof(struct settings, field)

static const struct smi_opt own[] = {
    {"man", 0, SMI_OPT_FLAG, AT(man), NULL, "Print the man page of COMMAND, or of formats or json, as roff"},
    {"man-list", 0, SMI_OPT_FLAG, AT(man_list), NULL, "Print the file names of all man pages"},
    {"complete", 0, SMI_OPT_WORD, AT(shell), SHELLS, "Print completions for this shell"},
    {NULL, 0, SMI_OPT_FLAG, 0, NULL, NULL},
};

static int run_help(int argc, char **argv);

const struct smi_cmd smi_cmd_help = {
    .name = "help",
    .args = "[OPTION]... [COMMAND]",
    .takes = "COMMAND",
    .brief = "Show help for smilog or for a command",
    .opts = (const struct smi_opt *const[]){own, NULL},
    .run = run_help,
};

static int write_help(struct smi_buf *to, const char *name, struct smi_err *err)
{
    const struct smi_cmd *cmd = name ? smi_command_find(name, err) : NULL;
    if (name && !cmd)
        return -1;
    if (cmd)
        smi_opt_help(to, cmd);
    else
        smi_write_usage(to);
    return 0;
}

static int run_help(int argc, char **argv)
{
    struct settings set = {.shell = -1};
    struct smi_err err = {0};
    struct smi_buf b = {0};
    int rc = smi_opt_begin(&smi_cmd_help, &argc, argv, &set);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (rc >= 0)
        return rc;
    if (argc > 2)
        rc = smi_err_set(&err, SMI_EUSAGE, "help takes one COMMAND: what is \"%.100s\"?", argv[2]);
    else if (set.shell >= 0)
        rc = (smi_buf_add(&b, (const char *)stubs[set.shell], *stub_sizes[set.shell]), 0);
    else if (set.man_list)
        rc = (smi_man_list(&b), 0);
    else
        rc = (set.man ? smi_man_write : write_help)(&b, name, &err);
    if (!rc)
        return smi_print(&b);
    smi_buf_fini(&b);
    return smi_fail(&err, "");
}
