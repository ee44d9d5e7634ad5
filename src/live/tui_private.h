/* tui_private.h - what the files of the screen share while a picture is made. */
#ifndef SMI_LIVE_TUI_PRIVATE_H
#define SMI_LIVE_TUI_PRIVATE_H

#include "live/tui_draw.h"

enum { SMI_TUI_NARROW = 80, SMI_TUI_MIDDLE = 100, SMI_TUI_WIDE = 140, SMI_TUI_TALL = 40 };

struct smi_tui_frame {
    struct smi_canvas *c;
    struct smi_text_arena g; /* for pieces of text only */
    struct smi_render_options look;
    const struct smi_machine *n;
    const struct smi_tui_info *a;
    struct smi_view *v;
    size_t place[SMI_MACHINE_GPUS_MAX]; /* in n->gpu, of the GPUs to be shown, in their order */
    size_t gpus, mine;                  /* how many; how many there are without the filter */
};

/* ---- text ---- */

/* A part of a line. Those with the highest rank go first where there is no room; rank 0 stays, and is cut. */
struct smi_tui_segment {
    const char *text; /* NULL: not there */
    enum smi_style style;
    int gap, rank;
};
/* Puts the parts on line y. Returns the column after them. */
int smi_tui_put_segments(struct smi_tui_frame *d, int y, const struct smi_tui_segment *part, size_t n);
/* Text at a place; columns beyond `width` of it are cut, with an ellipsis. Returns the column after it. */
int smi_tui_text(struct smi_tui_frame *d, int x, int y, int width, enum smi_style style, const char *text);
/* The same, up to the edge. */
int smi_tui_put(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text);
/* The same, ending before column x. */
void smi_tui_right(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text);

/* What runs where, and since when; all GPUs together. */
void smi_tui_head(struct smi_tui_frame *d, int y);
void smi_tui_sums(struct smi_tui_frame *d, int y);
/* Red or yellow: what alerts of this weight look like. */
enum smi_style smi_tui_grave_style(bool grave);

/* ---- GPUs ---- */

/* Fills place, gpus and mine. first: GPUs with an alert come first. */
void smi_tui_order(struct smi_tui_frame *d, bool first);
/* Do remarks stand under the table, and in how many lines? */
int smi_tui_remark_lines(struct smi_tui_frame *d);
/* The table: a head, then `rows` GPUs from v->scroll on, each with a line of its power if powers. */
void smi_tui_table(struct smi_tui_frame *d, int y, int rows, bool powers);
void smi_tui_remarks(struct smi_tui_frame *d, int y, int lines);

/* ---- what stands below ---- */

/* ---- over time ---- */

/* The page of one GPU: `lines` from y on; detail: with temperature, clock, throttling and processes. */
void smi_tui_gpu(struct smi_tui_frame *d, int y, int lines, size_t gpu, bool detail);

/* ---- whole pages ---- */

#endif
