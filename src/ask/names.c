/* names.c - columns by the names that users type, and what they may have meant by those that do not exist. */
#include "ask/db.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { SLIP = 2 };

static const char *const tables[] = {"runs", "param", "gpus", "phases", "findings"};

/* The name that is nearest to a word, of those that were offered. */
struct nearest {
    const char *word, *best;
    bool param; /* the best is a parameter's */
    int least;
};

/* Exactly it, a slip of the finger away, or a part of it; the first of equals. */
static void offer(struct nearest *n, const char *name, bool param)
{
    int d = smi_text_distance(n->word, name, SLIP + 1);
    if (d > SLIP || d >= (int)strlen(name))
        d = strlen(n->word) >= 3 && strcasestr(name, n->word) ? SLIP + 1 : SLIP + 2;
    if (strcasecmp(n->word, name) == 0)
        d = 0;
    if (d < n->least) {
        n->least = d;
        n->best = name;
        n->param = param;
    }
}

static void offer_all(struct nearest *n, const struct smi_run_column *c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        offer(n, c[i].name, false);
}

static bool is_plain(const char *name)
{
    static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return !(*name >= '0' && *name <= '9') && !name[strspn(name, word)];
}

static void look(const struct smi_db *d, struct nearest *n, bool params_only)
{
    if (!params_only)
        offer_all(n, smi_run_columns, SMI_RUN_COLUMNS);
    for (size_t i = 0; i < d->sweep->njoined && !params_only; i++)
        offer(n, d->sweep->joined[i], false);
    for (size_t i = 0; i < d->params; i++)
        offer(n, d->param[i].key, true);
    if (!params_only && strcasestr(d->asked.p, "gpus"))
        offer_all(n, smi_gpu_columns, SMI_GPU_COLUMNS);
    if (!params_only && strcasestr(d->asked.p, "phases"))
        offer_all(n, smi_phase_columns, SMI_PHASE_COLUMNS);
    if (!params_only && strcasestr(d->asked.p, "findings"))
        offer_all(n, smi_finding_columns, SMI_FINDING_COLUMNS);
}

int smi_db_no_column(const struct smi_db *d, const char *opt, const char *name, bool quoted, struct smi_err *err)
{
    bool of_param = strncasecmp(name, "param.", 6) == 0;
    const char *dot = of_param ? name + 5 : quoted ? strrchr(name, '.') : NULL;
    struct nearest n = {.word = dot ? dot + 1 : name, .least = SLIP + 2};
    struct smi_buf b = {0};
    int rc;
    look(d, &n, of_param);
    if (n.best && n.param)
        smi_buf_str(&b, "param.");
    if (n.best && quoted && !is_plain(n.best))
        smi_db_quote(&b, n.best);
    else if (n.best)
        smi_buf_str(&b, n.best);
    if (b.failed)
        rc = smi_err_nomem(err);
    else if (n.best)
        rc = smi_err_set(err, SMI_EUSAGE, "--%s: there is no column \"%.100s\"; did you mean %.100s?", opt, name,
                         b.p ? b.p : "");
    else if (quoted && !of_param && !dot)
        rc = smi_err_set(err, SMI_EUSAGE, "--%s: there is no column \"%.100s\" (a text is written '%.100s'); see "
                         "smilog list columns", opt, name, name);
    else
        rc = smi_err_set(err, SMI_EUSAGE, "--%s: there is no column \"%.100s\"; see smilog list columns", opt, name);
    smi_buf_fini(&b);
    return rc;
}

int smi_db_no_table(const char *opt, const char *name, struct smi_err *err)
{
    struct nearest n = {.word = name, .least = SLIP + 1};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        offer(&n, tables[i], false);
    if (n.best)
        return smi_err_set(err, SMI_EUSAGE, "--%s: there is no table \"%.100s\"; did you mean %s?", opt, name, n.best);
    return smi_err_set(err, SMI_EUSAGE, "--%s: there is no table \"%.100s\"; there are runs, param, gpus, phases and "
                       "findings",
                       opt, name);
}

static int put_param(const struct smi_db *d, const char *opt, const struct smi_db_param *p, struct smi_buf *to,
                     struct smi_err *err)
{
    if (!p->column) /* it is mentioned, so it has one, but for the limit */
        return smi_err_set(err, SMI_EUSAGE, "--%s: more than %d parameters are asked for", opt, SMI_ASK_COLUMNS);
    (void)d;
    smi_buf_str(to, "param.");
    smi_db_quote(to, p->column);
    return to->failed ? smi_err_nomem(err) : 0;
}

int smi_db_column(struct smi_db *d, const char *opt, struct smi_text name, struct smi_buf *to, bool *number,
                  struct smi_err *err)
{
    const struct smi_db_param *p = NULL;
    char *word = smi_arena_text(&d->arena, name.p, name.n);
    if (!word)
        return smi_err_nomem(err);
    *number = true;
    if (strncasecmp(word, "runs.", 5) == 0)
        word += 5;
    for (int i = 0; i < SMI_RUN_COLUMNS; i++)
        if (strcasecmp(word, smi_run_columns[i].name) == 0) {
            *number = smi_run_columns[i].kind != SMI_DATUM_TEXT;
            smi_buf_fmt(to, "runs.\"%s\"", smi_run_columns[i].name);
            return to->failed ? smi_err_nomem(err) : 0;
        }
    for (size_t i = 0; i < d->sweep->njoined; i++)
        if (strcmp(word, d->sweep->joined[i]) == 0) {
            smi_buf_str(to, "runs.");
            smi_db_quote(to, word);
            return to->failed ? smi_err_nomem(err) : 0;
        }
    p = smi_db_param(d, strncasecmp(word, "param.", 6) == 0 ? word + 6 : word);
    return p ? put_param(d, opt, p, to, err) : smi_db_no_column(d, opt, word, false, err);
}
