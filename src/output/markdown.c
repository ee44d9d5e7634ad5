/* markdown.c - a few lines for a pull request (screens.md §10). Text from logs stands in code spans, where neither
 * mark-up nor @names nor #numbers work. */
#include "output/output.h"

#include "table/table.h"

#include <string.h>

enum { ROWS = 20, PARAMS = 6, COMMON = 20, TEXT = 64 /* bytes of a value */ };

/* The columns of parameters that stand in no name. */
struct md_params {
    const char **key;
    int n;
};

/* A code span: "`lr=0.1/seed3`"; a bar would end the cell and a back quote the span. */
const char *smi_markdown_code(struct smi_page *g, const char *s)
{
    const char *t = smi_page_safe(g, s), *out = "`";
    size_t n;
    if (!s || !*s)
        return "-";
    while (*t) {
        n = strcspn(t, "`|");
        out = smi_page_fmt(g, "%s%.*s%s", out, (int)n, t, t[n] == '`' ? "\\x60" : t[n] == '|' ? "\\|" : "");
        t += n + (t[n] != 0);
    }
    return smi_page_fmt(g, "%s`", out);
}

static void md_total(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_total *t = &s->total;
    int64_t wasted = smi_wasted_ms(&t->waste);
    smi_buf_fmt(g->to, "**%zu run%s", s->n, s->n == 1 ? "" : "s");
    if (t->gpu_hours.has)
        smi_buf_fmt(g->to, ", %s GPU-h", smi_page_hours(g, t->covered_ms));
    if (t->energy_wh.has)
        smi_buf_fmt(g->to, ", %s", smi_page_energy(g, t->energy_wh));
    if (t->block.pool[SMI_POOL_UTIL].n)
        smi_buf_fmt(g->to, ", GPU %s %%", smi_page_mean(g, &t->block, SMI_FIG_UTIL));
    if (t->wasted_h[5].has)
        smi_buf_fmt(g->to, ", %s GPU-h wasted (%s %%)", smi_page_hours(g, wasted),
                    smi_page_ratio(g, (smi_i128)wasted * 100, t->covered_ms, 1));
    if (t->cost.has && t->wasted_cost[5].has)
        smi_buf_fmt(g->to, ", %s of %s", smi_page_money(g, t->wasted_cost[5]), smi_page_money(g, t->cost));
    else if (t->cost.has)
        smi_buf_fmt(g->to, ", %s", smi_page_money(g, t->cost));
    if (t->co2_g.has)
        smi_buf_fmt(g->to, ", %s CO2", smi_page_co2(g, t->co2_g));
    if (t->failed)
        smi_buf_fmt(g->to, ", %lld failed", (long long)t->failed);
    if (t->cut)
        smi_buf_fmt(g->to, ", %lld cut", (long long)t->cut);
    if (t->no_data)
        smi_buf_fmt(g->to, ", %lld no GPU data", (long long)t->no_data);
    smi_buf_str(g->to, "**\n\n");
}

/* One cause: its hours, and its run or the number of its runs. */
static void md_cause(struct smi_page *g, int id)
{
    const struct smi_sweep *s = g->sweep;
    int64_t ms = smi_waste_part(&s->total.waste, id);
    const char *one = NULL;
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        one = smi_waste_part(&s->runs[i].waste, id) > 0 ? s->runs[i].run : one;
        n += smi_waste_part(&s->runs[i].waste, id) > 0;
    }
    smi_buf_fmt(g->to, "| %s | %s | %s |\n", smi_page_hours(g, ms), smi_waste_names[id],
                n == 1 ? smi_markdown_code(g, one) : smi_page_fmt(g, "%zu runs", n));
}

/* The causes, largest first. */
static void md_waste(struct smi_page *g)
{
    const struct smi_waste *w = &g->sweep->total.waste;
    bool said[5] = {false};
    for (int row = 0, best = 0; row < 5; row++, best = 0) {
        for (int id = 0; id < 5; id++)
            if (!said[id] && (said[best] || smi_waste_part(w, id) > smi_waste_part(w, best)))
                best = id;
        if (smi_waste_part(w, best) <= 0) {
            smi_buf_str(g->to, row ? "\n" : "");
            return;
        }
        smi_buf_str(g->to, row ? "" : "| wasted GPU-h | cause | where |\n|---:|---|---|\n");
        md_cause(g, best);
        said[best] = true;
    }
    smi_buf_char(g->to, '\n');
}

static void md_head(struct smi_page *g, const struct md_params *p)
{
    smi_buf_str(g->to, "| run |");
    for (int i = 0; i < p->n; i++)
        smi_buf_fmt(g->to, " %s |", smi_markdown_code(g, p->key[i]));
    smi_buf_str(g->to, " state | time | GPU % | idle % | VRAM GiB | wasted h | note |\n|---|");
    for (int i = 0; i < p->n; i++)
        smi_buf_str(g->to, "---|");
    smi_buf_str(g->to, "---|---:|---:|---:|---:|---:|---|\n");
}

static void md_rows(struct smi_page *g, const struct md_params *p, size_t from, size_t to)
{
    static const char *const word[] = {"ok", "**failed**", "cut", "-", "no-data"};
    md_head(g, p);
    for (size_t i = from; i < to; i++) {
        const struct smi_summary *s = &g->sweep->runs[i];
        enum smi_note note = smi_note_of(s);
        smi_buf_fmt(g->to, "| %s |", smi_markdown_code(g, s->run));
        for (int k = 0; k < p->n; k++) {
            const struct smi_param *q = smi_run_param(s, p->key[k]);
            smi_buf_fmt(g->to, " %s |", q ? smi_markdown_code(g, q->text) : "-");
        }
        smi_buf_fmt(g->to, " %s | %s", word[s->state], smi_page_duration(g, s->duration_s));
        smi_buf_fmt(g->to, " | %s | %s | %s | %s | ", smi_page_mean(g, &s->block, SMI_FIG_UTIL),
                    smi_page_value(g, s->idle_pct, 1), smi_page_gib(g, s->vram.used_peak_mb),
                    s->wasted_h[5].has ? smi_page_hours(g, smi_wasted_ms(&s->waste)) : "-");
        smi_buf_str(g->to, note == SMI_NOTE_FAILED && s->state_reason ? smi_markdown_code(g, s->state_reason)
                                                                      : smi_note_text(g, s));
        smi_buf_str(g->to, " |\n");
    }
}

static void md_sum(struct smi_page *g, const struct md_params *p)
{
    const struct smi_total *t = &g->sweep->total;
    struct smi_value vram = {0};
    for (size_t i = 0; i < g->sweep->n; i++) {
        struct smi_value v = g->sweep->runs[i].vram.used_peak_mb;
        vram = v.has && (!vram.has || v.micro > vram.micro) ? v : vram;
    }
    smi_buf_fmt(g->to, "| **total %zu runs** |", g->sweep->n);
    for (int i = 0; i < p->n; i++)
        smi_buf_str(g->to, " |");
    smi_buf_fmt(g->to, " | %s | %s | %s | %s | %s |", smi_page_duration(g, t->duration_s),
                smi_page_mean(g, &t->block, SMI_FIG_UTIL), smi_page_value(g, t->idle_pct, 1), smi_page_gib(g, vram),
                t->wasted_h[5].has ? smi_page_hours(g, smi_wasted_ms(&t->waste)) : "-");
    smi_buf_str(g->to, t->failed + t->cut ? smi_page_fmt(g, " %lld ended early |\n", (long long)(t->failed + t->cut))
                                          : " |\n");
}

/* Parameters that all runs have stand in a line of their own. */
static void md_common(struct smi_page *g)
{
    const struct smi_sweep *s = g->sweep;
    size_t shown = 0;
    for (size_t i = 0; i < s->ncommon && shown < COMMON; i++)
        if (strlen(s->common[i].text) <= TEXT)
            smi_buf_fmt(g->to, "%s%s", shown++ ? " " : "Parameters of all runs: ",
                        smi_markdown_code(g, smi_page_fmt(g, "%s=%s", s->common[i].key, s->common[i].text)));
    if (s->ncommon > shown)
        smi_buf_fmt(g->to, shown ? " and %zu more" : "%zu parameters of all runs: `-o runs.csv` has them",
                    s->ncommon - shown);
    if (s->ncommon)
        smi_buf_str(g->to, "\n\n");
}

/* Returns 0, or -1 without memory. */
static int md_params(struct smi_page *g, struct md_params *p)
{
    const struct smi_sweep *s = g->sweep;
    const struct smi_summary **run = smi_arena_new(&g->arena, s->n + 1, sizeof *run);
    bool *hidden = smi_arena_new(&g->arena, s->nvarying + s->njoined + 1, sizeof *hidden);
    p->key = smi_arena_new(&g->arena, s->nvarying + s->njoined + 1, sizeof *p->key);
    if (!run || !hidden || !p->key)
        return -1;
    for (size_t i = 0; i < s->n; i++)
        run[i] = &s->runs[i];
    p->n = smi_param_columns(g, run, s->n, p->key, hidden);
    return 0;
}

static void md_doubts(struct smi_page *g)
{
    const char *t = smi_doubts_text(g, smi_markdown_code);
    if (*t)
        smi_buf_fmt(g->to, "Doubts: %s.\n", t);
}

int smi_write_markdown(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                       struct smi_err *err)
{
    struct smi_page g = {.to = to, .sweep = s, .look = look};
    size_t some = s->n < ROWS ? s->n : ROWS;
    struct md_params p = {0};
    int left = 0;
    g.failed = md_params(&g, &p) != 0;
    if (p.n > PARAMS)
        left = p.n - PARAMS;
    p.n -= left;
    md_total(&g);
    md_common(&g);
    md_waste(&g);
    if (some)
        md_rows(&g, &p, 0, some);
    if (s->n > 1)
        md_sum(&g, &p);
    if (some)
        smi_buf_char(to, '\n');
    if (left)
        smi_buf_fmt(to, "%d more parameter%s differ%s: `-o runs.csv` has all.\n\n", left, left == 1 ? "" : "s",
                    left == 1 ? "s" : "");
    if (some < s->n) {
        smi_buf_fmt(to, "<details><summary>%zu more runs</summary>\n\n", s->n - some);
        md_rows(&g, &p, some, s->n);
        smi_buf_str(to, "\n</details>\n\n");
    }
    md_doubts(&g);
    return smi_page_end(&g, err);
}
