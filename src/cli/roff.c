#include "cli/roff.h"

#include <string.h>

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

void smi_roff_text(struct smi_buf *to, struct smi_text text)
{
    write_text(to, text, true);
}

void smi_roff_section(struct smi_buf *to, const char *name)
{
    smi_buf_fmt(to, ".SH %s\n", name);
}

void smi_roff_entry(struct smi_buf *to, struct smi_text term, struct smi_text text)
{
    smi_buf_str(to, ".TP\n\\fB");
    smi_roff_text(to, term);
    smi_buf_str(to, "\\fR\n");
    smi_roff_text(to, text);
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
        smi_roff_text(to, rest);
        smi_buf_char(to, '\n');
        return LINE_ENTRY;
    }
    if (at) {
        end_literal(to, last);
        smi_roff_entry(to, smi_text_trim((struct smi_text){rest.p, at}),
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
    smi_roff_text(to, line);
    smi_buf_char(to, '\n');
    return LINE_TEXT;
}

void smi_roff_paragraphs(struct smi_buf *to, struct smi_text text)
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
