/* text.h - how text outputs say things: numbers, times, shapes, names that fit, lines that wrap. */
#pragma once

#include "base/buf.h"
#include "summary/summary.h"

struct smi_sweep;

/* ---- for which eyes text is written ---- */

#define SMI_SAMPLES_ALL INT64_MAX

struct smi_render_options {
    int width;    /* columns of the terminal; 0: not a terminal: all columns, all rows, nothing shortened, no
                     hints */
    int height;   /* lines of the terminal; 0: no limit */
    bool color;   /* SGR codes may be used */
    bool utf8;    /* glyphs beyond ASCII may be used */
    bool all;     /* --all: every row however many */
    bool sorted;  /* --sort: the runs stand in an order that was asked for */
    bool raw;     /* --raw: CSV text that begins like a formula stands as it is */
    bool verbose; /* -v: every run in full */
    bool quiet;   /* -q: of a check only what is broken */
    const char *given;    /* " --tz UTC": options without which a hint would show something else; or NULL */
    const char *currency; /* stands behind amounts of money; NULL: $ in front of them */
    bool money, co2;      /* a price, the CO2 of a kWh was given */
    /* of pages */
    int64_t samples; /* --samples: points of a curve at most; 0: as the output's budget says; SMI_SAMPLES_ALL:
                      * no budget */
    const char *group_by; /* --group-by, as typed; or NULL */
    const char *command;  /* what makes the page again, for a shell; or NULL */
    int64_t now_ms;       /* when it is made, UTC (SOURCE_DATE_EPOCH is believed); 0: not known */
};

/* Places in smi_headline.pool and smi_headline_metric, and in the figures of a block: outputs name these, no
 * metric. */
enum { SMI_POOL_UTIL, SMI_POOL_VRAM, SMI_POOL_POWER };
enum { SMI_FIG_UTIL = 1, SMI_FIG_POWER = 3, SMI_FIG_CPU = 5 };

enum __attribute__((packed)) smi_style {
    SMI_STYLE_PLAIN,
    SMI_BOLD,
    SMI_YELLOW,
    SMI_RED,
    SMI_GREY,
    SMI_GREEN /* the "ok" of check */
};

/* Text being written, and the memory of its pieces. A failed allocation sticks in `failed`; pieces are never
 * NULL. */
struct smi_text_arena {
    struct smi_buf *to;
    const struct smi_sweep *sweep;
    const struct smi_render_options *look;
    struct smi_arena arena;
    bool page;    /* a page or workbook: names are as short as in a window */
    int column;   /* of the line that smi_wrap_word is filling */
    int keys;     /* what names GPUs (smi_gpu_label); 0: nobody has asked yet */
    int clocks;   /* 1: all runs are on one clock, 2: they are not; 0: nobody has asked yet */
    int offset_s; /* of the zone in which a table shows all zoned runs, once clocks is known */
};

const char *smi_fmt(struct smi_text_arena *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
const char *smi_fmt_count(struct smi_text_arena *g, int64_t n, const char *word); /* "1 run", "2 runs" */
const char *smi_fmt_int(struct smi_text_arena *g, int64_t n);
/* "a, b"; list: "": item alone. */
const char *smi_fmt_list(struct smi_text_arena *g, const char *list, const char *item);
const char *smi_fmt_some(struct smi_text_arena *g, int64_t n); /* "-" if it is 0 */
/* Untrusted text (or NULL: "-") made safe to print. */
const char *smi_fmt_safe(struct smi_text_arena *g, const char *s);
/* The same of a sentence that may hold names which are safe already. */
const char *smi_fmt_sentence(struct smi_text_arena *g, const char *s);
/* The same for a cell of a table: where no window is, for a program that splits lines at blanks, a blank is
 * \x20, and so is an empty text. */
const char *smi_fmt_field(struct smi_text_arena *g, const char *s);
/* num / den with a number of decimals, rounded once. */
const char *smi_fmt_ratio(struct smi_text_arena *g, smi_i128 num, smi_i128 den, int digits);
const char *smi_fmt_value(struct smi_text_arena *g, struct smi_value v, int digits); /* "-" if absent */
const char *smi_fmt_hours(struct smi_text_arena *g, int64_t ms);                     /* two decimals */
const char *smi_fmt_mean(struct smi_text_arena *g, const struct smi_headline *b, int figure);
const char *smi_fmt_energy(struct smi_text_arena *g, struct smi_value wh); /* "412.6 Wh", "5.05 kWh", "-" */
const char *smi_fmt_money(struct smi_text_arena *g, struct smi_value v);   /* "$9.14", "9.14 EUR", "-" */
/* The head of a column, whose "$" at the end stands for the currency. */
const char *smi_fmt_money_head(struct smi_text_arena *g, const char *head);
const char *smi_fmt_co2(struct smi_text_arena *g, struct smi_value grams); /* "412.6 g", "5.05 kg", "-" */
const char *smi_fmt_time(struct smi_text_arena *g, int64_t ms);            /* 8.4s 58m32s 1h00m 3d04h */
const char *smi_fmt_duration(struct smi_text_arena *g, struct smi_value seconds);
const char *smi_fmt_gib(struct smi_text_arena *g, struct smi_value mib);
/* "41.2/80" GiB: of the fullest GPU, and what it has, if that is known. */
const char *smi_fmt_vram(struct smi_text_arena *g, struct smi_value used, struct smi_value total);
/* Use over time in `cells` (at most 60) glyphs; cells that are idle are yellow where colour is on. */
const char *smi_fmt_sparkline(struct smi_text_arena *g, const uint8_t shape[SMI_SPARKLINE_CELLS], int cells);

/* Columns that safe text takes on a terminal; our own colour codes take none. */
int smi_text_width(const char *s);
/* Shortened in the middle to width columns, `head` of them from the start. */
const char *smi_fmt_middle(struct smi_text_arena *g, const char *s, int width, int head);
/* Of a text that may be an error message of 1 kB: its beginning, in tables for a terminal. */
const char *smi_fmt_brief(struct smi_text_arena *g, const char *s);
const char *smi_fmt_ellipsis(const struct smi_text_arena *g);

void smi_wrap_style(struct smi_text_arena *g, enum smi_style style); /* begins; SMI_STYLE_PLAIN ends */
/* Adds a word after `gap` blanks, on a new line (indented by `indent`) if this one is full. */
void smi_wrap_word(struct smi_text_arena *g, int gap, const char *word, int indent);
/* The same for all words of a sentence; the first comes after gap. A gap of 3 or more begins a part of a
 * line, which is not broken if it fits a line of its own. */
void smi_wrap_words(struct smi_text_arena *g, int gap, const char *sentence, int indent);
/* The same of a sentence to be made. */
#define smi_wrap_part(g, gap, indent, ...) smi_wrap_words(g, gap, smi_fmt(g, __VA_ARGS__), indent)
void smi_wrap_newline(struct smi_text_arena *g);
/* One whole sentence, wrapped. */
void smi_wrap_line(struct smi_text_arena *g, enum smi_style style, const char *sentence);
#define smi_wrap_fmt(g, style, ...) smi_wrap_line(g, style, smi_fmt(g, __VA_ARGS__))

/* A metric in words, from its key: "clk_sm_mhz" is "SM clock". */
const char *smi_metric_label(struct smi_text_arena *g, unsigned metric);
/* The same of a key like a metric's: "sw_power_cap" is "software power cap". */
const char *smi_key_label(struct smi_text_arena *g, const char *key);
/* A time of the run on the clock of its GPU logs: "2026-07-04T00:10:46", `from` and `n` choose a part. */
const char *smi_fmt_timestamp(struct smi_text_arena *g, const struct smi_summary *s, int64_t ms, int from,
                              int n);

/* ---- names, made shorter all together, so that they stay different ---- */

/* The name of a run, safe to print: in a window, page or workbook without what the names of all runs of the
 * sweep begin and end with. */
const char *smi_fmt_run(struct smi_text_arena *g, const char *run);
/* Shortens n texts in place to width columns, keeping what tells them apart. */
void smi_names_shorten(struct smi_text_arena *g, const char **name, size_t n, int width);
