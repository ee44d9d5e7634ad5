/* xlsx_style.c - what cells look like: one row a kind of number, one row a look. Colours mean what they mean
 * everywhere (screens.md §1): red is lost, yellow is paid for and not used, grey is not known. */
#include "report/xlsx_private.h"

#include <stdio.h>

#define SMI_XLSX_KIND(id, format) [SMI_XLSX_##id] = format,
static const char *const numbers[SMI_XLSX_KINDS] = {
#include "report/xlsx_style.def"
};

enum { RED = 0xB3261E, YELLOW = 0x8A6100, GREY = 0x6B6B6B, INK = 0x1F2A37 };
enum { HEAD = 0xE8ECF1, LINE = 0x9AA5B1, SUM = 0xF6F8FA };

struct look {
    int size; /* 0: as ever */
    bool bold, wrap, below, above;
    uint32_t colour, back; /* 0: none */
    uint8_t up_down;       /* place in its height; 0: as ever */
    const char *word;      /* stands before a number */
};

#define SMI_XLSX_LOOK(id, ...) [SMI_XLSX_##id] = {__VA_ARGS__},
static const struct look looks[SMI_XLSX_APPEARANCES] = {
#include "report/xlsx_style.def"
};

static void set_appearance(lxw_format *f, const struct look *l)
{
    if (l->size)
        smi_lxw.format_set_font_size(f, l->size);
    if (l->bold)
        smi_lxw.format_set_bold(f);
    if (l->wrap)
        smi_lxw.format_set_text_wrap(f);
    if (l->colour)
        smi_lxw.format_set_font_color(f, l->colour);
    if (l->back)
        smi_lxw.format_set_bg_color(f, l->back);
    if (l->below) {
        smi_lxw.format_set_bottom(f, LXW_BORDER_THIN);
        smi_lxw.format_set_bottom_color(f, LINE);
    }
    if (l->above) {
        smi_lxw.format_set_top(f, LXW_BORDER_THIN);
        smi_lxw.format_set_top_color(f, LINE);
    }
    if (l->up_down)
        smi_lxw.format_set_align(f, l->up_down);
}

/* Numbers stand on the right, and so do the heads over them; figures on the left, below their labels. In the
 * row of totals the buttons of the filter stand at the right edge. */
static void set_alignment(lxw_format *f, struct smi_xlsx_style style)
{
    bool number = style.kind > SMI_XLSX_WORDS && style.kind < SMI_XLSX_OK;
    if (style.kind == SMI_XLSX_WORDS)
        smi_lxw.format_set_indent(f, 1);
    else if (style.look == SMI_XLSX_FIGURE || style.kind == SMI_XLSX_KEY)
        smi_lxw.format_set_align(f, LXW_ALIGN_LEFT);
    else if (number && style.look == SMI_XLSX_HEAD)
        smi_lxw.format_set_align(f, LXW_ALIGN_RIGHT);
    else if (number && style.look >= SMI_XLSX_SUM && style.look <= SMI_XLSX_MOST) {
        smi_lxw.format_set_align(f, LXW_ALIGN_RIGHT);
        smi_lxw.format_set_indent(f, 2);
    }
}

lxw_format *smi_xlsx_format(struct smi_xlsx *x, struct smi_xlsx_style style)
{
    lxw_format **f = &x->format[style.kind][style.look];
    char worded[64];
    if (*f || x->err.code || (style.kind == SMI_XLSX_GENERAL && style.look == SMI_XLSX_PLAIN))
        return *f;
    *f = smi_lxw.workbook_add_format(x->wb);
    if (!*f) {
        smi_err_nomem(&x->err);
        return NULL;
    }
    set_appearance(*f, &looks[style.look]);
    set_alignment(*f, style);
    if (numbers[style.kind] && looks[style.look].word) {
        snprintf(worded, sizeof worded, "\"%s \"%s", looks[style.look].word, numbers[style.kind]);
        smi_lxw.format_set_num_format(*f, worded);
    } else if (numbers[style.kind]) {
        smi_lxw.format_set_num_format(*f, numbers[style.kind]);
    }
    return *f;
}
