/* line_account.c - what became of each line of a log, and the faults that its messages tell of. */
#include "model/line_account.h"
#include "base/mem.h"

#include <stdio.h>

enum { QUOTE = 60, SENTENCE = 400 }; /* bytes of an odd line, and of a whole problem, that are kept */
enum { UNKNOWN_MAX = 65536 };        /* names of unknown columns; more are not counted */

const char *const smi_reject_names[SMI_REJECT_COUNT] = {
    "bad_number", "bad_time", "bad_width", "encoding", "foreign", "too_long", "torn_tail",
};

static const char *const sentences[SMI_REJECT_COUNT] = {
    "no usable number",
    "no usable time",
    "another number of cells than the header",
    "not UTF-8",
    "no row, no header, no known message",
    "line too long",
    "unfinished last line",
};

/* One more of a kind: true if it is to be kept. Of refused readings only the first of each metric comes here.
 */
static bool count_warning(struct smi_account *a, int kind)
{
    return a->said[kind]++ < SMI_LOG_WARNING_MAX || kind == SMI_LOG_WARNING_RANGE;
}

static void store_warning(struct smi_account *a, int kind, int64_t line, struct smi_text text)
{
    *SMI_MEM_ADD(a->problem, a->problems, a->cap) =
        (struct smi_log_warning){line, kind, smi_mem_text(text.p, text.n)};
}

void smi_account_reject(struct smi_account *a, enum smi_reject why, struct smi_text line)
{
    struct smi_buf b = {0};
    size_t n = smi_text_prefix(line, QUOTE).n;
    a->rejected[why]++;
    if (!count_warning(a, (int)why))
        return;
    smi_buf_str(&b, sentences[why]);
    smi_buf_str(&b, ": \"");
    smi_buf_name(&b, (struct smi_text){line.p, n});
    smi_buf_str(&b, n < line.n ? "...\"" : "\"");
    store_warning(a, (int)why, a->lines, (struct smi_text){b.p, b.n});
    smi_buf_fini(&b);
}

void smi_account_warn(struct smi_account *a, int kind, const char *fmt, ...)
{
    struct smi_buf b = {0};
    char raw[SENTENCE];
    va_list ap;
    if (!count_warning(a, kind))
        return;
    va_start(ap, fmt);
    vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    smi_buf_safe(&b, smi_text_of(raw));
    store_warning(a, kind, a->lines, (struct smi_text){b.p, b.n});
    smi_buf_fini(&b);
}

/* The upper half of a hash stands for the place of its name. */
static size_t upper_half(uint64_t hash)
{
    return (size_t)(hash >> 34);
}

static bool is_hash(const void *list, size_t place, const void *key)
{
    (void)list;
    return place == upper_half(*(const uint64_t *)key);
}

void smi_account_unknown(struct smi_account *a, struct smi_text name)
{
    const uint64_t hash = smi_hash_bytes(name.p, name.n);
    struct smi_buf b = {0};
    size_t i = 0;
    if (a->unknown.n == UNKNOWN_MAX || smi_map_find(&a->unknown, hash, is_hash, NULL, &hash) != SMI_MAP_NONE)
        return;
    smi_map_add(&a->unknown, hash, upper_half(hash));
    if (!a->unknown_columns++)
        smi_buf_clear(&a->names);
    if (a->names.n < SENTENCE / 2) {
        smi_buf_str(&a->names, a->names.n ? ", " : "");
        smi_buf_add(&a->names, name.p, smi_text_prefix(name, QUOTE).n);
    }
    smi_buf_fmt(&b, "%lld unknown column%s not read: ", (long long)a->unknown_columns,
                a->unknown_columns == 1 ? "" : "s");
    smi_buf_safe(&b, (struct smi_text){a->names.p, a->names.n});
    while (i < a->problems &&
           (a->problem[i].kind != SMI_LOG_WARNING_OTHER || !strstr(a->problem[i].text, " unknown column")))
        i++;
    if (a->unknown_columns == 1) {
        smi_account_warn(a, SMI_LOG_WARNING_OTHER, "%.*s", (int)b.n, b.p);
    } else if (i < a->problems) {
        smi_mem_free(a->problem[i].text);
        a->problem[i].text = smi_mem_text(b.p, b.n);
    }
    smi_buf_fini(&b);
}

void smi_account_request(struct smi_account *a, unsigned metric)
{
    a->asked[metric / 64] |= (uint64_t)1 << metric % 64;
}

static const char first_at[] = ", first at ", quoted[] = ": \"";

/* Is a problem of this kind kept already that is equal up to `end`, a text that both may have? A fault of a
 * GPU is kept once, whatever its time; so is the first refused reading of a metric. */
static bool has_warning(const struct smi_account *a, int kind, const char *text, const char *end)
{
    const char *at = strstr(text, end);
    size_t n = at ? (size_t)(at - text) : strlen(text);
    for (size_t i = 0; i < a->problems; i++) {
        const char *t = a->problem[i].text;
        if (a->problem[i].kind == kind && strncmp(t, text, n) == 0 &&
            (t[n] == '\0' || strncmp(t + n, end, strlen(end)) == 0))
            return true;
    }
    return false;
}

void smi_account_range(struct smi_account *a, unsigned metric, struct smi_text cell, int64_t most)
{
    const struct smi_metric *m = &smi_metrics[metric];
    a->out_of_range++;
    smi_mem_reserve(&a->refused, &a->refused_cap, metric + 1, sizeof *a->refused);
    if (a->refused[metric]++) {
        a->said[SMI_LOG_WARNING_RANGE]++;
        return;
    }
    smi_account_warn(a, SMI_LOG_WARNING_RANGE, "%s%s%.*s\" is out of range (%lld to %lld%s%s)", m->key,
                     quoted, (int)cell.n, cell.p, (long long)(m->least / 1000000),
                     (long long)(most / 1000000), *m->unit ? " " : "", m->unit);
}

static void store_fault(struct smi_account *a, int64_t line, struct smi_text text)
{
    if (a->said[SMI_LOG_WARNING_FAULT] >= SMI_FAULT_WARNINGS_MAX ||
        has_warning(a, SMI_LOG_WARNING_FAULT, text.p, first_at))
        return;
    a->said[SMI_LOG_WARNING_FAULT]++;
    store_warning(a, SMI_LOG_WARNING_FAULT, line, text);
}

void smi_account_fault(struct smi_account *a, struct smi_text who, struct smi_text what, struct smi_text when)
{
    struct smi_buf b = {0};
    char raw[SENTENCE];
    snprintf(raw, sizeof raw, "%s%.*s: %.*s%s%.*s", who.n ? "GPU " : "a GPU",
             (int)smi_text_prefix(who, QUOTE).n, who.p, (int)smi_text_prefix(what, QUOTE).n, what.p,
             when.n ? first_at : "", (int)smi_text_prefix(when, QUOTE).n, when.p);
    if (has_warning(a, SMI_LOG_WARNING_FAULT, raw, first_at)) /* nearly always; nothing is allocated for it */
        return;
    smi_buf_safe(&b, smi_text_of(raw));
    store_fault(a, a->lines, (struct smi_text){b.p, b.n});
    smi_buf_fini(&b);
}

int64_t smi_account_rejected(const struct smi_account *a)
{
    int64_t n = 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        n += a->rejected[i];
    return n;
}

/* Line 0 is about the whole input and stays 0. */
static void merge_warnings(struct smi_account *a, const struct smi_account *b)
{
    for (size_t i = 0; i < b->problems; i++) {
        const struct smi_log_warning *p = &b->problem[i];
        int64_t line = p->line ? p->line + a->lines : 0;
        if (p->kind == SMI_LOG_WARNING_FAULT)
            store_fault(a, line, smi_text_of(p->text));
        if (p->kind == SMI_LOG_WARNING_RANGE && has_warning(a, p->kind, p->text, quoted))
            continue;
        if (p->kind != SMI_LOG_WARNING_FAULT && count_warning(a, p->kind))
            store_warning(a, p->kind, line, smi_text_of(p->text));
    }
}

void smi_account_merge(struct smi_account *a, const struct smi_account *b)
{
    int64_t said[SMI_LOG_WARNING_FAULT];
    for (int i = 0; i < SMI_LOG_WARNING_FAULT; i++)
        said[i] = a->said[i] + b->said[i];
    merge_warnings(a, b);
    memcpy(a->said, said, sizeof said);
    for (size_t i = 0; i < sizeof a->asked / sizeof *a->asked; i++)
        a->asked[i] |= b->asked[i];
    smi_mem_reserve(&a->refused, &a->refused_cap, b->refused_cap, sizeof *a->refused);
    for (size_t m = 0; m < b->refused_cap; m++)
        a->refused[m] += b->refused[m];
    for (size_t i = 0; i < offsetof(struct smi_account, burst) / sizeof(int64_t); i++)
        ((int64_t *)a)[i] += ((const int64_t *)b)[i];
    a->burst = a->burst > b->burst ? a->burst : b->burst;
    if (a->unknown_columns < b->unknown_columns)
        a->unknown_columns = b->unknown_columns;
}

void smi_account_fini(struct smi_account *a)
{
    for (size_t i = 0; i < a->problems; i++)
        smi_mem_free(a->problem[i].text);
    smi_mem_free(a->problem);
    smi_mem_free(a->refused);
    smi_map_fini(&a->unknown);
    smi_buf_fini(&a->names);
    *a = (struct smi_account){0};
}

#define SMI_FAULT(id, name, words, grave, rule) [SMI_FAULT_##id] = {name, words, grave},
const struct smi_fault_info smi_faults[SMI_FAULT_COUNT] = {
#include "model/fault.def"
};
#undef SMI_FAULT

const char *const smi_recovery_actions[SMI_RECOVERY_ACTIONS] = {
    "None", "GPU Reset", "Node Reboot", "Drain P2P", "Drain and Reset", "another one"};

int smi_fault_find(const char *name)
{
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        if (strcmp(smi_faults[i].name, name) == 0)
            return i;
    return -1;
}
