#include "live/tui_canvas.h"

#include <stdio.h>
#include <string.h>

int smi_canvas_size(struct smi_canvas *c, int width, int height, bool utf8, struct smi_err *err)
{
    width = width < 1 ? 1 : width > SMI_CANVAS_MOST ? SMI_CANVAS_MOST : width;
    height = height < 1 ? 1 : height > SMI_CANVAS_MOST ? SMI_CANVAS_MOST : height;
    if (smi_mem_reserve(&c->cell, &c->cap, (size_t)width * (size_t)height, sizeof *c->cell))
        return smi_err_nomem(err);
    memset(c->cell, 0, (size_t)width * (size_t)height * sizeof *c->cell);
    c->width = width;
    c->height = height;
    c->utf8 = utf8;
    return 0;
}

void smi_canvas_fini(struct smi_canvas *c)
{
    smi_mem_free(c->cell);
    *c = (struct smi_canvas){0};
}

/* The next character of *text as it may be shown, into piece (SMI_CANVAS_TEXT bytes). Returns its columns. */
static int next_character(const struct smi_canvas *c, const char **text, char *piece)
{
    size_t len = smi_text_utf8(*text, strnlen(*text, 4));
    int hidden = len ? smi_text_unprintable(*text, len) : (unsigned char)**text;
    *piece = 0;
    if (len == 0 || hidden >= 0) {
        snprintf(piece, SMI_CANVAS_TEXT, "\\x%02X", (unsigned)hidden);
        *text += len ? len : 1;
        return (int)strlen(piece);
    }
    memcpy(piece, *text, len);
    piece[len] = 0;
    *text += len;
    if (len == 1 || c->utf8)
        return smi_text_width(piece);
    strcpy(piece, strcmp(piece, "\u00b0") == 0 ? "" : "?");
    return (int)strlen(piece);
}

/* What combines goes to the character before it. */
static void add_combining(struct smi_canvas_cell *before, const char *piece)
{
    size_t have = strlen(before->text);
    if (have && have + strlen(piece) < sizeof before->text)
        strcpy(before->text + have, piece);
}

/* A wide character of which one half is overwritten goes as a whole. */
static void clear_cell(struct smi_canvas *c, int x, int y)
{
    struct smi_canvas_cell *row = c->cell + (size_t)y * (size_t)c->width;
    if (x > 0 && row[x - 1].wide == 2)
        row[x - 1] = (struct smi_canvas_cell){0};
    if (row[x].wide == 2 && x + 1 < c->width)
        row[x + 1] = (struct smi_canvas_cell){0};
    row[x] = (struct smi_canvas_cell){0};
}

static void put_character(struct smi_canvas *c, int x, int y, enum smi_style style, const char *piece,
                          int columns)
{
    struct smi_canvas_cell *at = c->cell + (size_t)y * (size_t)c->width + x;
    for (int i = 0; i < columns; i++)
        clear_cell(c, x + i, y);
    for (int i = 0; i < columns; i++)
        at[i].style = (uint8_t)style;
    if (columns == 2 && (unsigned char)*piece >= 0x80) {
        strcpy(at->text, piece);
        at->wide = 2;
        return;
    }
    for (int i = 0; i < columns && columns > 1; i++) /* an escape: a letter a cell */
        snprintf(at[i].text, sizeof at[i].text, "%c", piece[i]);
    if (columns == 1)
        strcpy(at->text, *piece == ' ' ? "" : piece);
}

int smi_canvas_put(struct smi_canvas *c, int x, int y, enum smi_style style, const char *text)
{
    char piece[SMI_CANVAS_TEXT];
    if (y < 0 || y >= c->height)
        return x;
    while (*text) {
        int columns = next_character(c, &text, piece);
        if (columns == 0 && x > 0 && x <= c->width)
            add_combining(c->cell + (size_t)y * (size_t)c->width + x - 1, piece);
        if (columns == 0)
            continue;
        if (x + columns > c->width)
            return c->width;
        if (x >= 0)
            put_character(c, x, y, style, piece, columns);
        x += columns;
    }
    return x;
}

int smi_canvas_width(const struct smi_canvas *c, const char *text)
{
    char piece[SMI_CANVAS_TEXT];
    int sum = 0;
    while (*text)
        sum += next_character(c, &text, piece);
    return sum;
}

void smi_canvas_clear(struct smi_canvas *c, int y)
{
    memset(c->cell + (size_t)y * (size_t)c->width, 0, (size_t)c->width * sizeof *c->cell);
}
