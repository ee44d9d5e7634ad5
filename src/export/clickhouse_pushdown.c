#include "export/clickhouse_pushdown.h"

#include <string.h>
#include <strings.h>

static const char blank[] = " \t\r\n";

/* Passes a word over, in any case. */
static bool read_word(const char **p, const char *word)
{
    const char *at = *p + strspn(*p, blank);
    size_t n = strlen(word);
    if (strncasecmp(at, word, n) != 0)
        return false;
    *p = at + n;
    return true;
}

/* A text in single quotes, without quotes in it and of ASCII alone: other names may be printed in another way
 * than they are stored. */
static bool read_text(const char **p, struct smi_buf *names)
{
    const char *from = *p + strspn(*p, blank) + 1, *end;
    if (from[-1] != '\'')
        return false;
    end = strchr(from, '\'');
    if (!end || end[1] == '\'')
        return false;
    for (const char *c = from; c < end; c++)
        if ((unsigned char)*c > 127)
            return false;
    smi_buf_add(names, from, (size_t)(end - from));
    smi_buf_add(names, "", 1);
    *p = end + 1;
    return true;
}

static bool read_where(const char *p, struct smi_buf *names)
{
    if (!read_word(&p, "run") || !strchr(" \t\r\n=", *p))
        return false;
    if (read_word(&p, "==") || read_word(&p, "="))
        return read_text(&p, names) && !p[strspn(p, blank)];
    if (!read_word(&p, "in") || !read_word(&p, "("))
        return false;
    do
        if (!read_text(&p, names))
            return false;
    while (read_word(&p, ","));
    return read_word(&p, ")") && !p[strspn(p, blank)];
}

bool smi_ch_push_down(struct smi_buf *names, const struct smi_query *q)
{
    size_t before = names->n;
    /* what other columns there are depends on all runs */
    if (!q->where || q->sql || q->join || q->sort || q->group_by || q->columns)
        return false;
    if (read_where(q->where, names) && !names->failed)
        return true;
    names->n = before;
    return false;
}
