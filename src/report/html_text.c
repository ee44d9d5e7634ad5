/* html_text.c - how text gets into a page: safe first (no control, bidi or broken bytes), then escaped for
 * where it stands.
 */
#include "report/html_assets.h"
#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Copies s, each byte of `which` as its escape. */
static void append_escaped(struct smi_buf *to, const char *s, const char *which, const char *const *as)
{
    for (size_t n; *s; s += n) {
        n = strcspn(s, which);
        smi_buf_add(to, s, n);
        if (s[n])
            smi_buf_str(to, as[strchr(which, s[n++]) - which]);
    }
}

void smi_html_add_text(struct smi_html_page *h, const char *safe)
{
    static const char *const as[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    append_escaped(h->g.to, safe, "<>&\"'", as);
}

/* U+2028 and U+2029 are hidden characters: safe text has none. No mark-up is read where this stands, so a '
 * is one. */
void smi_html_add_json(struct smi_html_page *h, const char *safe)
{
    static const char *const as[] = {"\\u003c", "\\u003e", "\\u0026", "\\\"", "\\\\", "\\n"};
    smi_buf_char(h->g.to, '"');
    append_escaped(h->g.to, safe, "<>&\"\\\n", as);
    smi_buf_char(h->g.to, '"');
}

static const char *brief_name(struct smi_html_page *h, const char *text)
{
    return smi_fmt_middle(&h->g, smi_fmt_safe(&h->g, text), SMI_HTML_TEXT, SMI_HTML_TEXT / 2);
}

void smi_html_add_name(struct smi_html_page *h, const char *text)
{
    smi_html_add_text(h, brief_name(h, text));
}

void smi_html_add_json_name(struct smi_html_page *h, const char *text)
{
    smi_html_add_json(h, brief_name(h, text));
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = *(const char *const *const *)a, *const *y = *(const char *const *const *)b;
    int v = strcmp(*x, *y);
    return v ? v : x < y ? -1 : x > y;
}

/* Names may differ in what is not safe to print: from the second on they are numbered. */
static int number_twins(struct smi_html_page *h)
{
    size_t n = h->g.sweep->n, twin = 1;
    const char ***order = smi_mem_new(n, sizeof *order);
    const char *last = NULL;
    if (!order)
        return -1;
    for (size_t i = 0; i < n; i++)
        order[i] = &h->label[i];
    if (n)
        qsort(order, n, sizeof *order, by_text);
    for (size_t i = 0; i < n; i++) {
        twin = last && strcmp(last, *order[i]) == 0 ? twin + 1 : 1;
        last = twin > 1 ? last : *order[i];
        if (twin > 1)
            *order[i] = smi_fmt(&h->g, "%s ~%zu", last, twin);
    }
    smi_mem_free(order);
    return 0;
}

int smi_html_labels(struct smi_html_page *h)
{
    const struct smi_sweep *s = h->g.sweep;
    h->label = smi_arena_new(&h->arena, s->n + 1, sizeof *h->label);
    if (!h->label)
        return -1;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++) {
        h->label[i] = smi_fmt_run(&h->g, s->runs[i].run);
        h->label[i] = *h->label[i] ? h->label[i] : "-";
    }
    smi_names_shorten(&h->g, h->label, s->n, SMI_HTML_TEXT);
    if (number_twins(h))
        return -1;
    for (size_t i = 0; smi_sweep_has_run(s, i); i++)
        if (!(h->label[i] = smi_arena_text(&h->arena, h->label[i], strlen(h->label[i]))))
            return -1;
    smi_html_forget(h);
    return 0;
}

const char *smi_html_label(const struct smi_html_page *h, const struct smi_summary *s)
{
    return h->label[s - h->g.sweep->runs];
}

int smi_html_by_place(const void *a, const void *b)
{
    const struct smi_summary *x = *(const struct smi_summary *const *)a,
                             *y = *(const struct smi_summary *const *)b;
    return x < y ? -1 : x > y;
}

size_t smi_html_row(const struct smi_html_page *h, const struct smi_summary *s)
{
    const struct smi_summary **at =
        h->n ? bsearch(&s, h->run, h->n, sizeof *h->run, smi_html_by_place) : NULL;
    return at ? (size_t)(at - h->run) : h->n;
}

/* A link to the run's part of this page; its name alone, if it has no row. */
static void add_link(struct smi_html_page *h, const struct smi_summary *s)
{
    const char *name = smi_html_label(h, s);
    if (smi_html_row(h, s) == h->n) {
        smi_html_add_text(h, name);
        return;
    }
    smi_buf_str(h->g.to, "<a href=\"#run=");
    smi_buf_percent(h->g.to, smi_text_of(name),
                    "!*()"); /* as encodeURIComponent: the address bar has the same */
    smi_html_write(h, "\">%e</a>", name);
}

static void add_tenths(struct smi_html_page *h, int64_t v)
{
    smi_buf_fmt(h->g.to, "%lld", (long long)(v / 10));
    if (v % 10)
        smi_buf_fmt(h->g.to, ".%d", (int)(v % 10));
}

void smi_html_write(struct smi_html_page *h, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    for (size_t n; *fmt; fmt++) {
        n = strcspn(fmt, "%");
        smi_buf_add(h->g.to, fmt, n);
        fmt += n;
        if (!*fmt++)
            break;
        if (*fmt == 's')
            smi_buf_str(h->g.to, va_arg(ap, const char *));
        else if (*fmt == 'e')
            smi_html_add_text(h, va_arg(ap, const char *));
        else if (*fmt == 'n')
            smi_html_add_name(h, va_arg(ap, const char *));
        else if (*fmt == 'j')
            smi_html_add_json(h, va_arg(ap, const char *));
        else if (*fmt == 'J')
            smi_html_add_json_name(h, va_arg(ap, const char *));
        else if (*fmt == 'r')
            add_link(h, va_arg(ap, const struct smi_summary *));
        else if (*fmt == 'd')
            smi_buf_fmt(h->g.to, "%lld", va_arg(ap, long long));
        else if (*fmt == 't')
            add_tenths(h, va_arg(ap, int64_t));
        else if (*fmt == 'z')
            smi_buf_fmt(h->g.to, "%zu", va_arg(ap, size_t));
        else
            smi_buf_char(h->g.to, *fmt);
    }
    va_end(ap);
}

void smi_html_section(struct smi_html_page *h, const char *id, const char *title)
{
    smi_html_write(h, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">%s</h2>\n", id,
                   id, id, title);
}

void smi_html_section_end(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "</section>\n");
    smi_html_forget(h);
}

static void write_table_cell(struct smi_html_page *h, const struct smi_table_cell *c)
{
    if (c->run)
        add_link(h, c->run);
    else if (c->words == SMI_WORDS_OURS)
        smi_html_add_text(h, c->text ? c->text : "");
    else
        smi_html_add_name(h, c->text);
}

/* Tags of a head, of the first cell of a row, which says what the row is about, and of all others. */
static void write_table_row(struct smi_html_page *h, const struct smi_report_table *t,
                            const struct smi_table_cell *row)
{
    smi_html_write(h, row->class ? "<tr class=\"w-%s\">" : "<tr>", row->class);
    for (int i = 0; i < t->columns; i++) {
        const struct smi_table_column *col = &t->col[i];
        const char *number = col->align == SMI_LEFT ? "" : "n",
                   *mood = row[i].style == SMI_RED                     ? "bad"
                           : row[i].style == SMI_YELLOW || row[i].mark ? "odd"
                                                                       : "";
        const char *class = smi_fmt(&h->g, *number && *mood ? "%s %s" : "%s%s", number, mood);
        const bool head = row->kind == SMI_ROW_HEAD;
        struct smi_table_cell cell = row[i];
        if (col->hidden)
            continue;
        if (head && col->long_head)
            cell.text = col->long_head;
        smi_buf_str(h->g.to, head ? "<th scope=\"col\"" : i == 0 ? "<th scope=\"row\"" : "<td");
        smi_buf_fmt(h->g.to, *class ? " class=\"%s\">" : "%s>", class);
        smi_buf_str(h->g.to, i == 0 && row->class ? "<span class=\"key\"></span>" : "");
        write_table_cell(h, &cell);
        smi_buf_str(h->g.to, head || i == 0 ? "</th>" : "</td>");
    }
    smi_buf_str(h->g.to, "</tr>\n");
}

void smi_table_html(struct smi_html_page *h, struct smi_report_table *t)
{
    static const char *const part[] = {[SMI_ROW_PLAIN] = "tbody",
                                       [SMI_ROW_HEAD] = "thead",
                                       [SMI_ROW_TOTAL] = "tfoot",
                                       [SMI_ROW_RULED] = "tfoot"};
    const char *open = NULL;
    smi_buf_str(h->g.to, "<div class=\"scroll\"><table class=\"plain\">\n");
    for (size_t r = 0; r < t->rows; r++) {
        const struct smi_table_cell *row = &t->cell[r * (size_t)t->columns];
        if (open && open != part[row->kind])
            smi_html_write(h, "</%s>\n", open);
        if (open != part[row->kind])
            smi_html_write(h, "<%s>\n", part[row->kind]);
        open = part[row->kind];
        write_table_row(h, t, row);
    }
    smi_html_write(h, "</%s>\n</table></div>\n", open ? open : "tbody");
    smi_table_free(t);
}

struct smi_text_arena *smi_html_text_begin(struct smi_html_page *h, struct smi_html_text *t, int width)
{
    memset(t, 0, sizeof *t);
    t->look = *h->g.look;
    t->look.width = width;
    t->look.height = 0;
    t->look.color = false;
    t->look.utf8 = t->look.all = t->look.verbose = true;
    t->g = (struct smi_text_arena){.to = &t->to, .sweep = h->g.sweep, .look = &t->look};
    return &t->g;
}

const char *smi_html_text_end(struct smi_html_page *h, struct smi_html_text *t)
{
    h->g.failed |= smi_text_arena_end(&t->g, NULL) != 0;
    return smi_fmt_taken(&h->g, &t->to);
}

void smi_html_forget(struct smi_html_page *h)
{
    smi_arena_reset(&h->g.arena);
}

enum smi_html_kind smi_html_kind_of(int column)
{
    static const enum smi_html_kind kind[] = {
        [SMI_AS_TEXT] = SMI_HTML_WORDS,      [SMI_AS_LINK] = SMI_HTML_NAME,
        [SMI_AS_INSTANT] = SMI_HTML_INSTANT, [SMI_AS_VALUE] = SMI_HTML_NUMBER,
        [SMI_AS_GIB] = SMI_HTML_NUMBER,      [SMI_AS_HEADLINE] = SMI_HTML_NUMBER,
        [SMI_AS_COUNT] = SMI_HTML_NUMBER,    [SMI_AS_HOURS] = SMI_HTML_NUMBER,
        [SMI_AS_SPAN] = SMI_HTML_SPAN};
    return kind[smi_run_table_columns[column].kind];
}

const char *smi_html_cell(struct smi_html_page *h, int column, const struct smi_summary *s)
{
    const char *text;
    if (smi_run_table_columns[column].kind == SMI_AS_LINK)
        return smi_html_label(h, s);
    text = smi_run_cell_text(&h->g, column, s);
    return smi_run_table_columns[column].kind == SMI_AS_TEXT
               ? smi_fmt_middle(&h->g, text, SMI_HTML_TEXT, SMI_HTML_TEXT / 2)
               : text;
}

bool smi_html_column_shown(const struct smi_html_page *h, int column)
{
    return smi_run_table_columns[column].key && (column != SMI_RUNS_WASTED_COST || h->g.look->money);
}

/* What stands around the three assets behind the last run. */
static const char *const around[] = {"<!--\ndygraphs, which draws the charts:\n\n", "-->\n<script>",
                                     "</script>\n<script>", "</script>\n</body>\n</html>\n"};

void smi_html_end(struct smi_html_page *h)
{
    const unsigned char *const asset[] = {smi_asset_licence, smi_asset_charts, smi_asset_script};
    const size_t n[] = {smi_asset_licence_n, smi_asset_charts_n, smi_asset_script_n};
    for (int i = 0; i < 4; i++) {
        smi_buf_str(h->g.to, around[i]);
        if (i < 3)
            smi_buf_add(h->g.to, (const char *)asset[i], n[i]);
    }
}

size_t smi_html_bytes_left(const struct smi_html_page *h)
{
    size_t most = SMI_HTML_BYTES - smi_asset_charts_n - smi_asset_script_n - smi_asset_licence_n;
    for (int i = 0; i < 4; i++)
        most -= strlen(around[i]);
    if (h->g.look->samples == SMI_SAMPLES_ALL)
        return SIZE_MAX;
    return h->g.to->n < most ? most - h->g.to->n : 0;
}
