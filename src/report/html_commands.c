/* html_commands.c - what tracked commands were, how they ended and what they used: a row each. */
#include "report/command_text.h"
#include "report/html_sections.h"

enum { ROWS = 200 };

static int count_parts(const struct smi_command_use *u)
{
    int n = 0;
    for (int k = 0; k < SMI_COMMAND_PARTS; k++)
        n += u->metric[k] >= 0;
    return n;
}

/* A column a part, and of the whole of what has a mean the most, too: in two lines, for they are many. */
static void write_commands_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<thead><tr><th scope=\"col\" rowspan=\"2\">Run</th><th scope=\"col\" "
                         "rowspan=\"2\">Command</th><th scope=\"col\" rowspan=\"2\">Ended</th>");
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        if (u->brief)
            smi_html_fmt(h, "<th scope=\"colgroup\" class=\"n\" colspan=\"%d\">%s%s%s%s</th>",
                         count_parts(u) + u->mean, u->mean ? "" : "Most ", u->what, u->mean ? ", " : "",
                         u->mean ? smi_command_unit(&h->g, u, false) : "");
    }
    smi_buf_str(h->g.to, "</tr>\n<tr>");
    for (int i = 0; i < SMI_COMMAND_USES; i++)
        for (int k = 0; smi_command_uses[i].brief && k < SMI_COMMAND_PARTS; k++) {
            if (smi_command_uses[i].metric[k] >= 0)
                smi_html_fmt(h, "<th scope=\"col\" class=\"n\">%s</th>", smi_command_part_names[k]);
            if (k == 0 && smi_command_uses[i].mean)
                smi_buf_str(h->g.to, "<th scope=\"col\" class=\"n\">most</th>");
        }
    smi_buf_str(h->g.to, "</tr></thead>\n<tbody>\n");
}

/* "62.3", "250.0 MiB" */
static void write_command_cell(struct smi_html_page *h, const struct smi_summary *s,
                               const struct smi_command_use *u, int part, bool mean)
{
    const struct smi_command_figures x = smi_command_figures(s, u, (enum smi_command_part)part);
    const bool large = smi_command_in_gib(&x, u);
    const char *unit = x.there && !u->mean ? smi_command_unit(&h->g, u, large) : "";
    smi_html_fmt(h, "<td class=\"n\">%s%s%s</td>", smi_command_figure(&h->g, u, &x, mean, large),
                 *unit ? " " : "", unit);
}

static void write_command_row(struct smi_html_page *h, const struct smi_summary *s)
{
    const char *end = smi_command_end(&h->g, s);
    smi_html_write(h, "<tr><th scope=\"row\">%r</th><td>%n</td><td%s>%e</td>", s, s->command,
                   s->state == SMI_STATE_FAILED ? " class=\"bad\"" : "", *end ? end : "-");
    for (int i = 0; i < SMI_COMMAND_USES; i++) {
        const struct smi_command_use *u = &smi_command_uses[i];
        for (int k = 0; u->brief && k < SMI_COMMAND_PARTS; k++) {
            if (u->metric[k] >= 0)
                write_command_cell(h, s, u, k, u->mean);
            if (k == 0 && u->mean)
                write_command_cell(h, s, u, k, false);
        }
    }
    smi_buf_str(h->g.to, "</tr>\n");
    smi_html_forget(h);
}

void smi_html_section_commands(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t rows = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!smi_command_is_tracked(&s->runs[i]) || rows++ >= ROWS)
            continue;
        if (rows == 1) {
            smi_html_section(h, "commands", "Tracked commands");
            smi_buf_str(h->g.to, "<div class=\"scroll\"><table class=\"plain\">\n");
            write_commands_head(h);
        }
        write_command_row(h, &s->runs[i]);
    }
    if (rows == 0)
        return;
    smi_buf_str(h->g.to, "</tbody>\n</table></div>\n");
    if (rows > ROWS)
        smi_html_fmt(h, "<p>%zu more are in the workbook: smilog report -o F.xlsx.</p>\n", rows - ROWS);
    smi_buf_str(
        h->g.to,
        "<p>All: the command and everything that it started. What they share counts once.</p>\n</section>\n");
}
