/* clickhouse_pushdown.c - an expression of SQLite, as far as ClickHouse can be asked the same. What is not
 * understood is not asked: so a run too many may come, and none too few. */
#include "export/clickhouse_pushdown.h"

#include "summary/run_fields.h"
#include "query/query_period.h"
#include "base/clock.h"

#include <string.h>
#include <strings.h>

enum { TOKENS = 400, DAY_MS = 86400000 };

enum kind { END, NAME, TEXT, NUMBER, SIGN };

struct token {
    enum kind kind;
    struct smi_text t; /* of a text what stands between the quotes */
};

static bool is_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

static bool token_is(const struct token *t, enum kind kind, const char *text)
{
    return t->kind == kind && t->t.n == strlen(text) && strncasecmp(t->t.p, text, t->t.n) == 0;
}

/* The next token of *p. Returns false of what is none of these: names in quotes, comments, texts with quotes.
 */
static bool next_token(const char **p, struct token *t)
{
    const char *at = *p + strspn(*p, " \t\r\n"), *end = at;
    *t = (struct token){END, {at, 0}};
    if (!*at)
        return true;
    if (*at == '\'') {
        end = strchr(at + 1, '\'');
        if (!end || end[1] == '\'')
            return false;
        *t = (struct token){TEXT, {at + 1, (size_t)(end - at) - 1}};
        *p = end + 1;
        return true;
    }
    if (is_letter(*at)) {
        while (is_letter(*end) || (*end == '.' && *at >= '0' && *at <= '9'))
            end++;
        *t = (struct token){*at >= '0' && *at <= '9' ? NUMBER : NAME, {at, (size_t)(end - at)}};
    } else {
        if (!strchr("=<>!()+-*/%,", *at) || strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0)
            return false;
        end++;
        end += strchr("=<>", *end) != NULL && *end && strchr("=<>!", *at);
        *t = (struct token){SIGN, {at, (size_t)(end - at)}};
    }
    *p = end;
    return true;
}

/* A column of every run, or a word of the language that names none. */
static bool is_column(struct smi_text name, bool word)
{
    static const char *const words[] = {"and",  "or", "not",    "in",      "like", "glob",
                                        "null", "is", "isnull", "notnull", "true", "false"};
    for (size_t i = 0; i < SMI_RUN_FIELDS; i++)
        if (smi_text_is(name, smi_run_fields[i].key))
            return true;
    for (size_t i = 0; word && i < sizeof words / sizeof *words; i++)
        if (name.n == strlen(words[i]) && strncasecmp(name.p, words[i], name.n) == 0)
            return true;
    return false;
}

/* ---- lists of columns ---- */

static bool is_column_list(const char *list)
{
    while (list) {
        const char *comma = strchr(list, ',');
        struct smi_text word =
            smi_text_trim((struct smi_text){list, comma ? (size_t)(comma - list) : strlen(list)});
        if (word.n > 1 && *word.p == '-')
            word = (struct smi_text){word.p + 1, word.n - 1};
        if (!is_column(word, false))
            return false;
        list = comma ? comma + 1 : NULL;
    }
    return true;
}

/* ---- what is said of the name ---- */

static void write_sql_text(struct smi_buf *to, struct smi_text t)
{
    smi_buf_str(to, "unhex('");
    for (size_t i = 0; i < t.n; i++)
        smi_buf_fmt(to, "%02x", (unsigned char)t.p[i]);
    smi_buf_str(to, "')");
}

static bool is_ascii(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if ((unsigned char)t.p[i] > 127)
            return false;
    return true;
}

/* The beginning and the end of a name. LIKE makes no difference between A and a. */
static bool write_pattern(struct smi_buf *to, struct smi_text t, bool like)
{
    const char *wild = like ? "%_" : "*?[", *fold = like ? "lower" : "toString";
    size_t head = 0, tail = 0;
    while (head < t.n && !strchr(wild, t.p[head]))
        head++;
    while (tail < t.n - head && !strchr(like ? "%_" : "*?[]", t.p[t.n - 1 - tail]))
        tail++;
    if (!is_ascii(t) || head + tail == 0)
        return false;
    smi_buf_fmt(to, "%s(substring(name, 1, %zu)) = %s(", fold, head, fold);
    write_sql_text(to, (struct smi_text){t.p, head});
    smi_buf_fmt(to, ") AND length(name) >= %zu", head == t.n ? head : head + tail);
    if (!tail || head == t.n)
        return true;
    smi_buf_fmt(to, " AND %s(substring(name, toInt64(length(name)) - %zu, %zu)) = %s(", fold, tail - 1, tail,
                fold);
    write_sql_text(to, (struct smi_text){t.p + t.n - tail, tail});
    smi_buf_char(to, ')');
    return true;
}

/* run IN ('a', 'b') */
static bool write_list(struct smi_buf *to, const struct token *t, size_t n)
{
    if (n < 5 || !token_is(&t[2], SIGN, "(") || !token_is(&t[n - 1], SIGN, ")") || n % 2 == 0)
        return false;
    for (size_t i = 3; i < n - 1; i++)
        if (i % 2 ? t[i].kind != TEXT || !is_ascii(t[i].t) : !token_is(&t[i], SIGN, ","))
            return false;
    smi_buf_str(to, "name IN (");
    for (size_t i = 3; i < n - 1; i += 2) {
        smi_buf_str(to, i > 3 ? ", " : "");
        write_sql_text(to, t[i].t);
    }
    smi_buf_char(to, ')');
    return true;
}

/* One of those that are joined by AND. Returns whether it says something that was appended. */
static bool write_condition(struct smi_buf *to, const struct token *t, size_t n)
{
    if (n < 3 || !token_is(t, NAME, "run"))
        return false;
    if (token_is(&t[1], NAME, "in"))
        return write_list(to, t, n);
    if (n != 3 || t[2].kind != TEXT || !is_ascii(t[2].t))
        return false;
    if (token_is(&t[1], SIGN, "=") || token_is(&t[1], SIGN, "==")) {
        smi_buf_str(to, "name = ");
        write_sql_text(to, t[2].t);
        return true;
    }
    return (token_is(&t[1], NAME, "like") && write_pattern(to, t[2].t, true)) ||
           (token_is(&t[1], NAME, "glob") && write_pattern(to, t[2].t, false));
}

/* Reads the expression. Returns how many tokens it has, or 0: not all of it is known. */
static size_t read_where(const char *where, struct token token[TOKENS])
{
    size_t n = 0;
    do {
        if (!next_token(&where, &token[n]) || (token[n].kind == NAME && !is_column(token[n].t, true)))
            return 0;
    } while (token[n].kind != END && ++n < TOKENS);
    return n < TOKENS ? n : 0;
}

static void write_where(struct smi_buf *to, const struct token *t, size_t n)
{
    struct smi_buf part = {0};
    size_t from = 0;
    int depth = 0;
    for (size_t i = 0; i < n; i++) {
        depth += token_is(&t[i], SIGN, "(") - token_is(&t[i], SIGN, ")");
        if (depth == 0 && token_is(&t[i], NAME, "or")) /* it joins less than AND does: no part has to hold */
            return;
    }
    for (size_t i = 0; i <= n; i++) {
        depth += i < n ? token_is(&t[i], SIGN, "(") - token_is(&t[i], SIGN, ")") : 0;
        if (i < n && !(depth == 0 && token_is(&t[i], NAME, "and")))
            continue;
        smi_buf_clear(&part);
        if (write_condition(&part, t + from, i - from) && !part.failed)
            /* of other names nobody knows how they look behind JSON */
            smi_buf_fmt(to, "%s((%s) OR length(name) != lengthUTF8(name))", to->n ? " AND " : "", part.p);
        from = i + 1;
    }
    to->failed |= part.failed;
    smi_buf_fini(&part);
}

/* ---- what is said of the time ---- */

/* The parameters end where this begins, and the first text like it: in texts quotes have a backslash. */
static const char start[] = "substring(summary, position(summary, '}, \"start\": \"') + 13, 24)";

/* Starts in UTC that are so far off that no clock's zone, and no time that this takes, changes the answer. */
static void write_time(struct smi_buf *to, const char *opt, const char *text, int64_t now_ms)
{
    struct smi_query_time m = {0};
    struct smi_err err = {0};
    char stamp[SMI_CLOCK_TEXT];
    bool since = strcmp(opt, "since") == 0;
    if (!text || smi_query_time_read(&m, opt, text, now_ms, &err)) /* it will be said what is wrong */
        return;
    smi_clock_write(stamp, m.ms + (since ? -2 : 2) * (int64_t)DAY_MS, true);
    if (strlen(stamp) != 24)
        return;
    smi_buf_fmt(to,
                "%sNOT (position(summary, '}, \"start\": \"') > 0 AND %s LIKE '____-__-__T__:__:__.___Z' AND "
                "%s %s '%s')",
                to->n ? " AND " : "", start, start, since ? "<" : ">", stamp);
}

bool smi_ch_push_down(struct smi_buf *to, const struct smi_query *q)
{
    struct token token[TOKENS];
    struct smi_buf b = {0};
    size_t n = 0;
    if (q->sql || q->join || !is_column_list(q->sort) || !is_column_list(q->group_by) ||
        !is_column_list(q->columns) || (q->where && !(n = read_where(q->where, token))))
        return false;
    write_where(&b, token, n);
    write_time(&b, "since", q->since, smi_clock_utc_ms());
    write_time(&b, "until", q->until, smi_clock_utc_ms());
    if (b.n && !b.failed)
        smi_buf_add(to, b.p, b.n);
    smi_buf_fini(&b);
    return to->n > 0;
}
