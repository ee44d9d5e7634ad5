#include "live/serve_page.h"

#include "report/html_assets.h"
#include "live/output_table.h"
#include "live/serve_state.h"

#include <string.h>

void smi_live_page_policy(struct smi_buf *to)
{
    smi_buf_fmt(
        to,
        "default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; connect-src 'self'; base-uri "
        "'none'; form-action 'none'; frame-ancestors 'none'",
        smi_asset_live_style_hash, smi_asset_live_script_hash);
}

/* Text of an element: what would end it is written as what it means. */
static void put_text(struct smi_buf *to, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] == '<')
            smi_buf_str(to, "&lt;");
        else if (p[i] == '>')
            smi_buf_str(to, "&gt;");
        else if (p[i] == '&')
            smi_buf_str(to, "&amp;");
        else
            smi_buf_char(to, p[i]);
}

/* JSON in an element that is no script: '<' can only stand in a string. */
static void put_json(struct smi_buf *to, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] == '<' || p[i] == '>' || p[i] == '&')
            smi_buf_fmt(to, "\\u%04x", (unsigned)p[i]);
        else
            smi_buf_char(to, p[i]);
}

static int put_table(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o)
{
    const struct smi_machine_table f = {o->what, o->host, o->interval_ms, o->run, SMI_SERVE_STATE_SPAN_MS};
    const struct smi_render_options look = {.width = 120, .utf8 = true};
    struct smi_buf text = {0};
    int rc = smi_machine_table_put(&text, n, &f, &look, NULL);
    smi_buf_str(to, "<noscript><pre>");
    if (rc == 0)
        put_text(to, text.p, text.n);
    smi_buf_str(to, "</pre><p>Without scripts this page does not go on by itself.</p></noscript>\n");
    smi_buf_fini(&text);
    return rc;
}

static void put_title(struct smi_buf *to, const struct smi_serve_opts *o)
{
    struct smi_buf safe = {0};
    if (o->host) {
        smi_buf_safe(&safe, smi_text_of(o->host));
        smi_buf_str(&safe, " - ");
    }
    smi_buf_str(&safe, o->what);
    to->failed |= safe.failed;
    if (!safe.failed)
        put_text(to, safe.p, safe.n);
    smi_buf_fini(&safe);
}

int smi_live_page_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_serve_opts *o,
                      const struct smi_buf *event)
{
    size_t skip = strlen("data: ");
    int rc;
    smi_buf_str(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    put_title(to, o);
    smi_buf_str(to, "</title>\n<style>");
    smi_buf_add(to, (const char *)smi_asset_live_style, smi_asset_live_style_n);
    smi_buf_str(to, "</style>\n</head>\n<body>\n<main id=\"live\"></main>\n");
    rc = put_table(to, n, o);
    smi_buf_str(to, "<script type=\"application/json\" id=\"state\">");
    put_json(to, event->p + skip, event->n - skip);
    smi_buf_str(to, "</script>\n<script>");
    smi_buf_add(to, (const char *)smi_asset_live_script, smi_asset_live_script_n);
    smi_buf_str(to, "</script>\n</body>\n</html>\n");
    return rc || to->failed ? -1 : 0;
}
