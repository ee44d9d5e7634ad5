#include "query/check_sql_words.h"

static const char name_chars[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$";

/* Behind what begins with the quote at p. */
static const char *skip_quoted(const char *p)
{
    char quote = *p++;
    while (*p && (*p != quote || p[1] == quote))
        p += *p == quote ? 2 : 1;
    return *p ? p + 1 : p;
}

static const char *skip_comment(const char *p)
{
    const char *end = *p == '-' ? strchr(p, '\n') : strstr(p + 2, "*/");
    return !end ? p + strlen(p) : end + (*p == '-' ? 1 : 2);
}

/* Behind a name at p, plain or quoted, with all that stands behind its points; p if there is none. */
static const char *skip_name(const char *p)
{
    const char *from = p;
    for (;;) {
        size_t n = strspn(p, name_chars);
        if (*p == '"')
            p = skip_quoted(p);
        else if (n && !(*p >= '0' && *p <= '9'))
            p += n;
        else
            return from;
        if (*p != '.')
            return p;
        p++;
    }
}

bool smi_sql_next_name(const char **p, struct smi_text *name)
{
    const char *at = *p, *end;
    while (*at) {
        end = skip_name(at);
        if (end > at && end[strspn(end, " \t\r\n")] != '(') {
            *name = (struct smi_text){at, (size_t)(end - at)};
            *p = end;
            return true;
        }
        if (end > at)
            at = end;
        else if (*at == '\'')
            at = skip_quoted(at);
        else if (strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0)
            at = skip_comment(at);
        else if (strspn(at, name_chars)) /* a number */
            at += strspn(at, name_chars);
        else
            at++;
    }
    return false;
}

static const char *skip_blanks(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

bool smi_sql_parse_comparison(const char *text, struct smi_sql_comparison_parts *c)
{
    static const struct {
        const char *op, *not_op;
        bool least;
    } ops[] = {{"<=", ">", true},   {">=", "<", false}, {"<>", "=", false}, {"!=", "=", false},
               {"==", "!=", false}, {"<", ">=", true},  {">", "<=", false}, {"=", "!=", false}};
    const char *p = skip_blanks(text), *end = skip_name(p);
    size_t i = 0;
    c->name = (struct smi_text){p, (size_t)(end - p)};
    p = skip_blanks(end);
    while (i < sizeof ops / sizeof *ops && strncmp(p, ops[i].op, strlen(ops[i].op)))
        i++;
    if (!c->name.n || i == sizeof ops / sizeof *ops)
        return false;
    c->op = ops[i].op;
    c->not_op = ops[i].not_op;
    c->least = ops[i].least;
    p = skip_blanks(p + strlen(c->op));
    end = p + strcspn(p, " \t\r\n");
    c->number = (struct smi_text){p, (size_t)(end - p)};
    return !*skip_blanks(end) && smi_text_parse_micro(c->number, &c->limit) == 0;
}
