/* errors.c - what went wrong with the GPUs: a line, and with -v a table (screens.md §1, §4). */
#include "table/table.h"

#include <string.h>

static const char *who(struct smi_page *g, const struct smi_error *e)
{
    const struct smi_gpu gpu = {.index = e->gpu, .uuid = e->uuid, .bus = e->bus};
    return smi_gpu_label(g, &gpu);
}

static bool of_gpu(const struct smi_error *e)
{
    return e->gpu >= 0 || e->uuid || e->bus;
}

/* Is its number of another kind than rows or lines that show it? */
static bool counted(const struct smi_error *e)
{
    return e->id == SMI_FAULT_ECC_UNCORR || e->id == SMI_FAULT_ECC_CORR || e->id == SMI_FAULT_REMAPPED ||
           e->id == SMI_FAULT_RETIRED;
}

/* "XID 79", "recovery action needed: GPU Reset", "uncorrected ECC errors" */
static const char *words(struct smi_page *g, const struct smi_error *e)
{
    if (e->id == SMI_FAULT_XID)
        return smi_page_fmt(g, "%s %lld", smi_faults[e->id].words, (long long)e->code);
    if (e->id == SMI_FAULT_RECOVERY) {
        int last = SMI_RECOVERY_ACTIONS - 1;
        return smi_page_fmt(g, "%s: %s", smi_faults[e->id].words,
                            smi_recovery_actions[e->code > 0 && e->code < last ? e->code : last]);
    }
    return smi_faults[e->id].words;
}

/* "1 memory row remapped": without the s of what is counted. */
static const char *singular(struct smi_page *g, const char *t)
{
    static const char *const many[] = {"errors", "rows", "pages"};
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        const char *at = strstr(t, many[i]), *end = at ? at + strlen(many[i]) : NULL;
        if (at)
            return smi_page_fmt(g, "%.*s%s", (int)(end - 1 - t), t, end);
    }
    return t;
}

/* "GPU 3 lost", "GPU 3 requires reset", "XID 79 on GPU 3", "2 uncorrected ECC errors on GPU 0". */
static const char *sentence(struct smi_page *g, const struct smi_error *e)
{
    const char *t = words(g, e);
    if (counted(e))
        t = smi_page_fmt(g, "%lld %s", (long long)e->n, e->n == 1 ? singular(g, t) : t);
    if (!of_gpu(e))
        return t;
    if (strncmp(t, "GPU ", 4) == 0)
        return smi_page_fmt(g, "GPU %s %s", who(g, e), t + 4);
    return smi_page_fmt(g, "%s on GPU %s", t, who(g, e));
}

static const char *when(struct smi_page *g, const struct smi_summary *s, bool has, int64_t ms)
{
    bool days = s->end_ms - s->start_ms > 86400000;
    return !has || !s->has_start ? "-" : days ? smi_page_when(g, s, ms, 5, 14) : smi_page_when(g, s, ms, 11, 8);
}

const struct smi_error *smi_grave_error(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_faults[s->errors[i].id].grave)
            return &s->errors[i];
    return NULL;
}

const char *smi_error_text(struct smi_page *g, const struct smi_error *e)
{
    const char *t = smi_faults[e->id].words;
    if (strncmp(t, "GPU ", 4) == 0 && of_gpu(e))
        return sentence(g, e);
    return e->id == SMI_FAULT_XID ? words(g, e) : t;
}

static void table(struct smi_page *g, const struct smi_summary *s)
{
    struct smi_column col[] = {{.head = "ERRORS", .least = 14}, {.head = "GPU", .align = SMI_RIGHT},
                               {.head = "COUNT", .align = SMI_RIGHT}, {.head = "FIRST"}, {.head = "LAST"}};
    struct smi_grid t;
    smi_grid_begin(&t, g, col, 5);
    for (size_t i = 0; i < s->nerrors; i++) {
        const struct smi_error *e = &s->errors[i];
        struct smi_cell *row = smi_grid_row(&t, SMI_ROW_PLAIN);
        if (!row)
            break;
        row[0].text = words(g, e);
        row[0].style = smi_faults[e->id].grave ? SMI_RED : SMI_PLAIN;
        row[1].text = of_gpu(e) ? who(g, e) : "-";
        row[2].text = smi_page_fmt(g, "%lld", (long long)e->n);
        row[3].text = when(g, s, e->has_first, e->first_ms);
        row[4].text = when(g, s, e->has_last, e->last_ms);
    }
    smi_grid_end(&t);
}

void smi_table_errors(struct smi_page *g, const struct smi_summary *s, bool all)
{
    const char *t = "";
    if (s->nerrors == 0)
        return;
    if (all) {
        table(g, s);
    } else {
        for (size_t i = 0; i < s->nerrors; i++)
            t = smi_page_fmt(g, "%s, %s%s%s", t, sentence(g, &s->errors[i]), s->errors[i].has_first ? " at " : "",
                             s->errors[i].has_first ? when(g, s, true, s->errors[i].first_ms) : "");
        smi_page_line(g, smi_grave_error(s) ? SMI_RED : SMI_PLAIN, smi_page_fmt(g, "errors: %s", t + 2));
    }
    smi_page_newline(g);
}

/* "uncorrected ECC errors in 2 runs (most in lr=0.1)", of one kind in all runs; NULL if there is none. */
static const char *kind(struct smi_page *g, const struct smi_summary *runs, size_t n, int id)
{
    const struct smi_summary *worst = NULL;
    const struct smi_error *one = NULL;
    int64_t most = 0;
    size_t in = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (size_t k = 0; k < runs[i].nerrors; k++)
            if ((int)runs[i].errors[k].id == id) {
                sum += runs[i].errors[k].n;
                one = one ? one : &runs[i].errors[k];
            }
        in += sum > 0;
        if (sum > most) {
            most = sum;
            worst = &runs[i];
        }
    }
    if (!worst)
        return NULL;
    if (in == 1)
        return smi_page_fmt(g, "%s (%s)", sentence(g, one), smi_page_safe(g, worst->run));
    return smi_page_fmt(g, "%s in %zu runs (%s%s)", smi_faults[id].words, in, most > 1 ? "most in " : "",
                        smi_page_safe(g, worst->run));
}

void smi_table_all_errors(struct smi_page *g, const struct smi_summary *runs, size_t n)
{
    enum { KINDS = 4 };
    const char *t = "", *one;
    bool grave = false;
    int kinds = 0;
    for (int id = 0; id < SMI_FAULT_COUNT; id++) {
        one = kind(g, runs, n, id);
        grave |= one && smi_faults[id].grave;
        kinds += one != NULL;
        t = one && (kinds <= KINDS || !g->look->width) ? smi_page_fmt(g, "%s, %s", t, one) : t;
    }
    if (kinds > KINDS && g->look->width)
        t = smi_page_fmt(g, "%s, and %d more kinds", t, kinds - KINDS);
    if (*t)
        smi_page_line(g, grave ? SMI_RED : SMI_PLAIN, smi_page_fmt(g, "errors: %s", t + 2));
}
