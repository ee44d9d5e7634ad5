/* check_sql_words.h - the words of an SQL expression, as far as they are names of columns. */
#ifndef SMI_QUERY_CHECK_SQL_WORDS_H
#define SMI_QUERY_CHECK_SQL_WORDS_H

#include "base/text.h"

/* The next name at or behind *p: plain, "quoted" or table.name; texts in quotes, comments and functions are
 * stepped over. Returns false at the end. */
bool smi_sql_next_name(const char **p, struct smi_text *name);

/* "NAME op NUMBER" and nothing else. */
struct smi_sql_comparison_parts {
    struct smi_text name;
    const char *op, *not_op; /* ">" and "<=" */
    struct smi_text number;
    int64_t limit; /* in millionths */
    bool least;    /* it is true of what is too small */
};
bool smi_sql_parse_comparison(const char *text, struct smi_sql_comparison_parts *c);

#endif
