#include "live/output_table.h"

#include "live/tui_private.h"

enum { WIDTH = 160 /* where nobody says how wide it is: in a pipe */ };

/* Line y of the canvas, in its styles. */
static void put_line(struct smi_text_arena *g, const struct smi_canvas *c, int y)
{
    const struct smi_canvas_cell *row = c->cell + (size_t)y * (size_t)c->width;
    enum smi_style style = SMI_STYLE_PLAIN;
    int end = c->width;
    while (end > 0 && !*row[end - 1].text && (end < 2 || row[end - 2].wide != 2))
        end--;
    for (int x = 0; x < end; x += row[x].wide == 2 ? 2 : 1) {
        enum smi_style own = *row[x].text ? (enum smi_style)row[x].style : style;
        if (own != style)
            smi_wrap_style(g, own);
        style = own;
        smi_buf_str(g->to, *row[x].text ? row[x].text : " ");
    }
    if (style != SMI_STYLE_PLAIN)
        smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

/* All of them, on as many lines as they take. */
static void put_alerts(struct smi_text_arena *g, const struct smi_machine *n)
{
    bool grave = n->alerts && n->alert[0].grave;
    if (n->alerts == 0) {
        smi_buf_str(g->to, "no alerts");
        smi_wrap_newline(g);
        return;
    }
    smi_wrap_style(g, smi_tui_grave_style(grave));
    smi_wrap_words(
        g, 0,
        smi_fmt(g, "%s %zu ALERT%s", g->look->utf8 ? "\u25b2" : "!", n->alerts, n->alerts == 1 ? "" : "S"),
        2);
    for (size_t i = 0; i < n->alerts; i++)
        smi_wrap_words(g, 3, smi_fmt_safe(g, n->alert[i].text), 2);
    smi_wrap_style(g, SMI_STYLE_PLAIN);
    smi_wrap_newline(g);
}

/* The parts of the screen that tell of this moment, one below the other. */
static void draw_table(struct smi_tui_frame *d, struct smi_text_arena *g)
{
    int rows, remarks = d->gpus ? smi_tui_remark_lines(d) : 0;
    smi_tui_head(d, 0);
    smi_tui_sums(d, 1);
    if (d->gpus)
        smi_tui_table(d, 3, (int)d->gpus, false);
    rows = 3 + (d->gpus ? 1 + (int)d->gpus : 0);
    smi_tui_remarks(d, rows, remarks);
    put_line(g, d->c, 0);
    put_alerts(g, d->n);
    put_line(g, d->c, 1);
    for (int y = 2; d->gpus && y < rows + remarks; y++)
        put_line(g, d->c, y);
}

int smi_machine_table_put(struct smi_buf *to, const struct smi_machine *n, const struct smi_machine_table *f,
                          const struct smi_render_options *look, struct smi_err *err)
{
    const struct smi_tui_info a = {.what = f->what,
                                   .host = f->host,
                                   .interval_ms = f->interval_ms,
                                   .recording = f->recording,
                                   .now_only = f->window_ms == 0,
                                   .color = look->color,
                                   .cpu_micro = -1,
                                   .memory_kib = -1};
    struct smi_render_options own = *look;
    struct smi_text_arena g = {.to = to, .look = &own};
    struct smi_canvas c = {0};
    struct smi_view v;
    struct smi_tui_frame d = {.c = &c, .n = n, .a = &a, .v = &v, .look.utf8 = look->utf8};
    int rc;
    own.width = look->width ? look->width : WIDTH;
    smi_view_init(&v);
    d.g.look = &d.look;
    rc = smi_canvas_size(&c, own.width, 5 + 2 * (int)n->gpus, look->utf8, err);
    if (rc == 0) {
        smi_tui_order(&d, false);
        draw_table(&d, &g);
        rc = d.g.failed ? smi_err_nomem(err) : 0;
    }
    smi_arena_fini(&d.g.arena);
    smi_canvas_fini(&c);
    return smi_text_arena_end(&g, rc ? NULL : err) || rc ? -1 : 0;
}
