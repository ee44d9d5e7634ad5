/* html_warnings.c - what of the inputs is doubtful (screens.md §9.9). */
#include "report/html_sections.h"

#include <string.h>

enum { LISTED = 20, INPUTS = 100 };

static const char *plain_name(struct smi_text_arena *g, const char *name)
{
    return smi_fmt_middle(g, smi_fmt_safe(g, name), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

static void without_data(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    size_t n = 0;
    if (!s->total.no_data)
        return;
    smi_html_fmt(h, "<p>%lld run%s without GPU data: ", (long long)s->total.no_data,
                 s->total.no_data == 1 ? "" : "s");
    for (size_t i = 0; i < s->n; i++) {
        if (s->runs[i].state != SMI_STATE_NO_DATA || n++ >= LISTED)
            continue;
        smi_html_write(h, n > 1 ? ", %r" : "%r", &s->runs[i]);
    }
    smi_html_fmt(h, n > LISTED ? " and %zu more</p>\n" : "</p>\n", n - LISTED);
}

/* A text and how many runs have it: of the first LISTED texts. */
struct said {
    const char *text;
    size_t n;
    const struct smi_summary *first;
};

struct all_said {
    struct said of[LISTED];
    size_t n, left; /* left: how often something else was said */
};

static void count_sentence(struct all_said *all, const char *text, const struct smi_summary *s)
{
    size_t i = 0;
    while (i < all->n && strcmp(all->of[i].text, text) != 0)
        i++;
    if (i == LISTED) {
        all->left++;
        return;
    }
    all->of[i].text = text;
    all->of[i].first = all->of[i].n++ ? all->of[i].first : s;
    all->n += i == all->n;
}

static void put_said(struct smi_html_page *h, const struct all_said *all, const char *title)
{
    const struct said *list = all->of;
    size_t n = all->n;
    if (n)
        smi_html_fmt(h, "<h3>%s</h3>\n<ul>\n", title);
    for (size_t i = 0; i < n; i++) {
        smi_html_write(h, "<li>%n", list[i].text);
        if (list[i].n == 1 && h->g.sweep->n > 1)
            smi_html_write(h, ": %r", list[i].first);
        else if (h->g.sweep->n > 1)
            smi_html_write(h, ": %z runs", list[i].n);
        smi_buf_str(h->g.to, "</li>\n");
    }
    if (all->left)
        smi_html_fmt(h, "<li>%zu more, in other words: smilog summarize -v</li>\n", all->left);
    smi_buf_str(h->g.to, n ? "</ul>\n" : "");
}

static void clocks_and_problems(struct smi_html_page *h)
{
    struct all_said clock = {.n = 0}, problem = {.n = 0};
    for (size_t i = 0; i < h->g.sweep->n; i++) {
        const struct smi_summary *s = &h->g.sweep->runs[i];
        count_sentence(&clock, s->time_base ? s->time_base : "no times", s);
        for (size_t k = 0; k < s->nproblems; k++)
            count_sentence(&problem, s->problems[k], s);
    }
    put_said(h, &clock, "Time bases");
    put_said(h, &problem, "To be known");
}

/* "2 bad_time, 1 torn_tail" */
static const char *rejected_reasons(struct smi_text_arena *g, const struct smi_account *a)
{
    const char *t = "";
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i] > 0)
            t = smi_fmt(g, "%s%s%lld %s", t, *t ? ", " : "", (long long)a->rejected[i], smi_reject_names[i]);
    return *t ? t : "-";
}

static bool input_is_doubtful(const struct smi_input *in)
{
    bool odd = in->gaps > 0 || in->account.problems > 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        odd |= in->account.rejected[i] > 0;
    return odd;
}

static void input_row(struct smi_html_page *h, const struct smi_summary *s, const struct smi_input *in)
{
    const struct smi_account *a = &in->account;
    smi_html_write(h, "<tr><td>%r</td><td>%n</td><td>%s</td>", s, in->path, in->format);
    smi_html_write(h, "<td class=\"n\">%d</td><td class=\"n\">%d</td><td>%s</td>", (long long)a->lines,
                   (long long)a->rows, rejected_reasons(&h->g, a));
    smi_html_write(h, "<td class=\"n\">%d</td><td class=\"n\">%s</td><td>", (long long)in->gaps,
                   smi_fmt_value(&h->g, in->interval_s, 1));
    if (a->problems && a->problem[0].line > 0)
        smi_html_write(h, "line %d: ", (long long)a->problem[0].line);
    if (a->problems)
        smi_html_add_name(h, a->problem[0].text);
    smi_buf_str(h->g.to, "</td></tr>\n");
}

static void input_table(struct smi_html_page *h)
{
    size_t all = 0, odd = 0;
    for (size_t i = 0; i < h->g.sweep->n; i++)
        for (size_t k = 0; k < h->g.sweep->runs[i].ninputs; k++, all++) {
            if (!input_is_doubtful(&h->g.sweep->runs[i].inputs[k]) || odd++ >= INPUTS)
                continue;
            if (odd == 1) {
                smi_buf_str(h->g.to, "<h3>Inputs with rejected rows, gaps or oddities</h3>\n");
                smi_html_table(h, "Run|File|Format|#Lines|#Rows|Rejected|#Gaps|#Every s|First oddity");
            }
            input_row(h, &h->g.sweep->runs[i], &h->g.sweep->runs[i].inputs[k]);
        }
    smi_buf_str(h->g.to, odd ? "</tbody>\n</table></div>\n" : "");
    if (odd > INPUTS)
        smi_html_fmt(h, "<p>%zu more such inputs: smilog summarize -v</p>\n", odd - INPUTS);
    smi_html_fmt(h, "<p>%zu input%s read, %zu of them without anything to remark.</p>\n", all,
                 all == 1 ? "" : "s", all - odd);
}

static void write_unusable_files(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    if (s->ntrouble)
        smi_buf_str(h->g.to, "<h3>Not usable</h3>\n<ul>\n");
    for (size_t i = 0; i < s->ntrouble && i < LISTED; i++)
        smi_html_write(h, "<li>%n: %n</li>\n", s->trouble[i].path, s->trouble[i].text);
    if (s->ntrouble > LISTED)
        smi_html_fmt(h, "<li>%zu more</li>\n", s->ntrouble - LISTED);
    smi_buf_str(h->g.to, s->ntrouble ? "</ul>\n" : "");
}

void smi_html_section_doubts(struct smi_html_page *h)
{
    const char *t = smi_warnings_text(&h->g, plain_name);
    smi_html_section(h, "doubts", "Inputs and doubts");
    smi_html_write(h, "<p>%e</p>\n",
                   *t ? smi_fmt(&h->g, "Doubts: %s.", t)
                      : "No doubts: every line of every input was understood.");
    without_data(h);
    clocks_and_problems(h);
    input_table(h);
    write_unusable_files(h);
    smi_buf_str(h->g.to, "</section>\n");
    smi_html_forget(h);
}
