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

/* ---- text (draw.c) ---- */

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
/* The same, ending before column x. */
void smi_tui_right(struct smi_tui_frame *d, int x, int y, enum smi_style style, const char *text);
/* "14:32:07" of a time of the run. */
const char *smi_tui_clock(struct smi_tui_frame *d, int64_t t_ms);
/* What runs where, and since when; all GPUs together. */
void smi_tui_head(struct smi_tui_frame *d, int y);
void smi_tui_sums(struct smi_tui_frame *d, int y);
/* A reading that is fresh, or, of a GPU whose readings are old, the last one where colour can say so. */
const struct smi_machine_reading *smi_tui_reading(const struct smi_tui_frame *d, const struct smi_live_gpu *b,
                                                  unsigned metric);
/* Red or yellow: what alerts of this weight look like. */
enum smi_style smi_tui_grave_style(bool grave);

/* ---- GPUs (gpus.c) ---- */

/* Fills place, gpus and mine. first: GPUs with an alert come first. */
void smi_tui_order(struct smi_tui_frame *d, bool first);
/* Do remarks stand under the table, and in how many lines? */
int smi_tui_remark_lines(struct smi_tui_frame *d);
/* The table: a head, then `rows` GPUs from v->scroll on, each with a line of its power if powers. */
void smi_tui_table(struct smi_tui_frame *d, int y, int rows, bool powers);
void smi_tui_remarks(struct smi_tui_frame *d, int y, int lines);
/* "idle 6m12s, thermal 31 %", "LOST", "reading 9 s old", or empty. */
const char *smi_tui_remark(struct smi_tui_frame *d, size_t gpu);
/* The colour of the gravest alert of a GPU; plain without one. */
enum smi_style smi_tui_alarm_style(const struct smi_tui_frame *d, size_t gpu);

/* ---- what stands below (lower.c) ---- */

/* Five minutes and the whole run: five lines. */
void smi_tui_figures(struct smi_tui_frame *d, int y);
void smi_tui_host(struct smi_tui_frame *d, int y);
void smi_tui_phase(struct smi_tui_frame *d, int y);
/* The last events, newest first; skip: so many newer ones. Returns how many lines were used. */
int smi_tui_events(struct smi_tui_frame *d, int y, int lines, int skip);
void smi_tui_sources(struct smi_tui_frame *d, int y);
/* Instead of GPUs: why there are none, and what to do. Returns how many lines were used. */
int smi_tui_no_gpus(struct smi_tui_frame *d, int y, int lines);

/* ---- over time (graph.c) ---- */

/* Cells of the last window, holes of less than a reading's interval filled. */
void smi_tui_cells(const struct smi_tui_frame *d, const struct smi_live_gpu *b, enum smi_history_slot slot,
                   int64_t *out, int cells);
/* A line of cells, one glyph each; 100 % is `most`. marks: the GPU's slow and idle stretches are yellow. */
void smi_tui_spark(struct smi_tui_frame *d, int x, int y, size_t gpu, enum smi_history_slot slot, int cells,
                   int64_t most);
/* "LAST 10 MIN (25 s a cell)", the part in brackets only if there is room. */
const char *smi_tui_spark_head(struct smi_tui_frame *d, int cells, int room);
/* The page of one GPU: `lines` from y on; detail: with temperature, clock, throttling and processes. */
void smi_tui_gpu(struct smi_tui_frame *d, int y, int lines, size_t gpu, bool detail);

/* ---- whole pages (pages.c) ---- */

/* The last line: what is asked for, said, or which keys there are. */
void smi_tui_last_line(struct smi_tui_frame *d, int y);
void smi_tui_help(struct smi_tui_frame *d, int y, int lines);
void smi_tui_alerts(struct smi_tui_frame *d, int y, int lines);

#endif
