/* subtrack_table.c - values, titles and tables as gpu_tracker's text has them. */
#include "process/subtrack_private.h"

#include <math.h>

enum { DECIMALS = 8 };

void smi_sub_put_real(struct smi_json *j, double v)
{
    char text[SMI_REAL_TEXT];
    smi_real_write(text, v);
    smi_json_raw(j, isnan(v) ? "NaN" : isinf(v) ? (v < 0 ? "-Infinity" : "Infinity") : text);
}

void smi_sub_put_stats(struct smi_json *j, const double stat[SMI_SUB_STATS])
{
    smi_json_open(j, '{');
    for (int i = 0; i < SMI_SUB_STATS; i++) {
        smi_json_key(j, smi_sub_stats[i]);
        smi_sub_put_real(j, stat[i]);
    }
}

void smi_sub_put_title(struct smi_buf *to, const char *key)
{
    bool begins = true;
    for (; *key; key++) {
        smi_buf_char(to, *key == '_' ? ' ' : begins && *key >= 'a' && *key <= 'z' ? (char)(*key - 32) : *key);
        begins = *key == '_';
    }
}

void smi_sub_put_tabs(struct smi_buf *to, int tabs)
{
    while (tabs-- > 0)
        smi_buf_char(to, '\t');
}

void smi_sub_cell(char out[SMI_REAL_TEXT], double v)
{
    smi_real_write(out, smi_real_round(v, DECIMALS));
    if (isnan(v))
        memcpy(out, "NaN", 4);
}

/* Characters, not bytes. */
static size_t text_width(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void put_blanks(struct smi_buf *to, size_t n)
{
    while (n-- > 0)
        smi_buf_char(to, ' ');
}

static size_t column_width(const struct smi_sub_table *t, size_t column)
{
    size_t width = text_width(t->head[column]) + !t->objects, n;
    for (size_t i = 0; i < t->rows; i++) {
        n = text_width(t->cell[i * t->columns + column]) + t->objects;
        width = n > width ? n : width;
    }
    return width;
}

static void put_table_line(struct smi_buf *to, const struct smi_sub_table *t, const char *index,
                           size_t index_width, const char *const *cell)
{
    smi_sub_put_tabs(to, t->tabs);
    smi_buf_str(to, index);
    put_blanks(to, index_width - text_width(index));
    for (size_t c = 0; c < t->columns; c++) {
        put_blanks(to, 1 + column_width(t, c) - text_width(cell[c]));
        smi_buf_str(to, cell[c]);
    }
    smi_buf_char(to, '\n');
}

void smi_sub_put_table(struct smi_buf *to, const struct smi_sub_table *t)
{
    size_t width = 0, n;
    for (size_t i = 0; t->index && i < t->rows; i++) {
        n = text_width(t->index[i]);
        width = n > width ? n : width;
    }
    put_table_line(to, t, "", width, t->head);
    for (size_t i = 0; i < t->rows; i++)
        put_table_line(to, t, t->index ? t->index[i] : "", width, t->cell + i * t->columns);
}
