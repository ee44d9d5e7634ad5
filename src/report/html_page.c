/* html_page.c - the page as a whole: what a browser may do with it, the sections in their order, the scripts,
 * the data. */
#include "report/html_assets.h"
#include "report/html.h"
#include "report/output.h"
#include "report/run_groups.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12000 /* runs; beyond them only those that wasted most have a row */, LEAST = 100 };

static bool has_no_budget(const struct smi_render_options *look)
{
    return look->all || look->samples == SMI_SAMPLES_ALL;
}

/* The runs with a row, and what all are called. */
static int choose_runs(struct smi_html_page *h, size_t most)
{
    const struct smi_sweep *s = h->g.sweep;
    h->n = s->n <= most || has_no_budget(h->g.look) ? s->n : most;
    h->worst = smi_runs_in_order(&h->g, &h->arena, true);
    h->run = smi_arena_new(&h->arena, s->n + 1, sizeof *h->run);
    if (!h->worst || !h->run)
        return -1;
    memcpy(h->run, h->worst, s->n * sizeof *h->run);
    if (h->n)
        qsort(h->run, h->n, sizeof *h->run, smi_html_by_place);
    return smi_html_labels(h);
}

/* Only these scripts and this style, told by their hashes; nothing from anywhere else, and nothing sent
 * anywhere. */
static void write_security_policy(struct smi_html_page *h)
{
    smi_buf_fmt(h->g.to,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'sha256-%s'; script-src 'sha256-%s' 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                smi_asset_style_hash, smi_asset_charts_hash, smi_asset_script_hash);
}

static void write_asset(struct smi_html_page *h, const char *before, const unsigned char *p, size_t n,
                        const char *after)
{
    smi_buf_str(h->g.to, before);
    smi_buf_add(h->g.to, (const char *)p, n);
    smi_buf_str(h->g.to, after);
}

static void write_page_head(struct smi_html_page *h)
{
    smi_buf_str(h->g.to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    write_security_policy(h);
    smi_html_write(
        h,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta "
        "name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"generator\" content=\"smilog\">\n<title>%n - GPU use</title>\n",
        h->g.sweep->title ? h->g.sweep->title : ".");
    write_asset(h, "<style>", smi_asset_style, smi_asset_style_n, "</style>\n");
    smi_buf_str(h->g.to, "</head>\n<body>\n<a class=\"skip\" href=\"#runs\">to the runs</a>\n<main>\n");
}

/* A section that scripts fill. */
static void write_script_section(struct smi_html_page *h, const char *id, const char *title)
{
    smi_html_write(h,
                   "<section id=\"%s\" class=\"drawn\" aria-labelledby=\"%s-title\" hidden>\n"
                   "<h2 id=\"%s-title\">%s</h2>\n<div class=\"body\"></div>\n</section>\n",
                   id, id, id, title);
}

/* Everything but what is known of single runs. */
static void write_page_body(struct smi_html_page *h)
{
    write_page_head(h);
    smi_html_section_head(h);
    if (h->g.sweep->n == 1) /* its curves are what one came for */
        write_script_section(h, "one", "The run");
    smi_html_section_waste(h);
    smi_html_section_findings(h);
    smi_html_section_runs(h);
    write_script_section(h, "map", "All runs as a map");
    if (h->g.sweep->n != 1)
        write_script_section(h, "one", "A run");
    write_script_section(h, "groups", "Groups");
    smi_html_section_phases(h);
    smi_html_section_commands(h);
    smi_html_section_warnings(h);
    smi_html_section_about(h);
    smi_buf_str(h->g.to, "</main>\n");
    smi_html_data_table(h);
}

/* How much room the rows take is known when they are written: names, notes and parameters may be long. */
static bool page_fits(const struct smi_html_page *h)
{
    return h->g.failed || h->g.to->failed || has_no_budget(h->g.look) || h->n <= LEAST ||
           smi_html_bytes_left(h) > 0;
}

int smi_write_html(struct smi_buf *to, const struct smi_sweep *s, const struct smi_render_options *look,
                   struct smi_err *err)
{
    struct smi_html_page h = {.g = {.to = to, .sweep = s, .look = look, .page = true}};
    size_t before = to->n, most = MOST;
    while (!(h.g.failed |= choose_runs(&h, most) != 0)) {
        write_page_body(&h);
        if (page_fits(&h))
            break;
        most = h.n * 4 / 5; /* begun again with fewer */
        to->n = before;
        smi_arena_reset(&h.arena);
    }
    if (!h.g.failed)
        smi_html_data_runs(&h);
    smi_html_end(&h);
    smi_arena_fini(&h.arena);
    return smi_text_arena_end(&h.g, err);
}
