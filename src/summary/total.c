#include "summary/run_notes.h"
#include "summary/price.h"
#include "summary/waste.h"

#include <string.h>

const int smi_percentiles[SMI_PERCENTILES] = {1, 5, 25, 50, 75, 95, 99};
const char *const smi_state_names[] = {"ok", "failed", "cut", "unknown", "no-data"};
const char *const smi_level_names[] = {"info", "warn", "strong", "error"};
const char *const smi_waste_names[6] = {"failed", "unused", "start", "stall", "end", "total"};

int smi_summary_place(const struct smi_summary *s, const struct smi_input *in, int who)
{
    if (who == SMI_DEVICE_HOST)
        return SMI_PLACE_HOST;
    if (who < 0)
        return s->ngpus && s->gpus[s->ngpus - 1].pooled ? (int)s->ngpus - 1 : SMI_PLACE_NONE;
    return in && (size_t)who < in->places ? in->place[who] : SMI_PLACE_NONE;
}

bool smi_gpu_has_error(const struct smi_gpu *g, const struct smi_error *e)
{
    const struct smi_gpu_keys of = {g->uuid, g->bus, g->serial, g->index},
                              error = {e->uuid, e->bus, NULL, e->gpu};
    return !g->pooled && smi_gpu_keys_match(&of, &error) == SMI_GPU_SAME;
}

const struct smi_stats *smi_gpu_stats(const struct smi_gpu *gpu, unsigned metric)
{
    for (size_t i = 0; i < gpu->nstats; i++)
        if (gpu->stats[i].metric == metric)
            return &gpu->stats[i];
    return NULL;
}

void smi_summary_fini(struct smi_summary *s)
{
    smi_arena_fini(&s->arena);
    memset(s, 0, sizeof *s);
}

/* ---- what is left of a summary whose text was made ---- */

/* An input without warnings: it has rows, and no odd line. */
static bool is_quiet(const struct smi_input *in)
{
    const struct smi_account *a = &in->account;
    bool quiet = a->rows > 0 && a->problems == 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        quiet &= a->rejected[i] == 0;
    for (size_t i = 0; i < sizeof a->said / sizeof *a->said; i++)
        quiet &= a->said[i] == 0;
    return quiet;
}

static int drop_quiet_inputs(struct smi_summary *s)
{
    struct smi_input *in = smi_arena_new(&s->arena, s->ninputs + 1, sizeof *in);
    size_t n = 0;
    for (size_t i = 0; in && i < s->ninputs; i++)
        if (!is_quiet(&s->inputs[i])) {
            in[n] = s->inputs[i];
            in[n++].note = NULL;
        }
    s->inputs = in;
    s->ninputs = in ? n : 0;
    return in ? 0 : -1;
}

static int drop_gpu_lists(struct smi_summary *s)
{
    struct smi_gpu *g = smi_arena_new(&s->arena, s->ngpus + 1, sizeof *g);
    for (size_t i = 0; g && i < s->ngpus; i++) {
        g[i] = s->gpus[i];
        g[i].stall_phase = g[i].lead_in.phase = g[i].trail_in.phase = NULL;
        g[i].throttles = g[i].nstats = g[i].navailable = 0;
    }
    s->gpus = g;
    return g ? 0 : -1;
}

int smi_summary_brief(struct smi_summary *s)
{
    s->ntracked = s->nhost = s->nhost_available = s->nprocesses = s->nphases = s->nerrors = s->nevents =
        s->nfindings = 0;
    s->timeline = NULL;
    return drop_quiet_inputs(s) || drop_gpu_lists(s) ? -1 : 0;
}

/* ---- sums ---- */

void smi_gpu_waste(const struct smi_summary *s, const struct smi_gpu *g, int64_t part[5])
{
    memset(part, 0, 5 * sizeof *part);
    if (s->state == SMI_STATE_FAILED) {
        part[0] = g->covered_ms;
    } else if (!g->worked) {
        part[1] = g->has_use ? g->covered_ms : 0; /* else it is neither idle nor busy */
    } else {
        part[2] = g->lead_ms;
        part[3] = g->idle_ms - g->lead_ms - g->trail_ms;
        part[4] = g->trail_ms;
    }
}

/* An absent value adds nothing; a sum of absent values only stays absent. */
static void add_value(struct smi_value *to, struct smi_value v)
{
    if (!v.has)
        return;
    to->micro += v.micro;
    to->has = true;
}

int64_t smi_total_missing(const struct smi_total *t, int64_t of)
{
    int64_t n = t->runs - t->no_data - of;
    return n > 0 ? n : 0;
}

bool smi_total_costs_match(const struct smi_total *t)
{
    return t->of.both == t->of.cost && t->of.both == t->of.wasted_cost;
}

static struct smi_value hours_value(int64_t ms, bool has)
{
    return (struct smi_value){has ? (int64_t)smi_i128_div((smi_i128)ms * 1000000, 3600000) : 0, has};
}

static int64_t rejected_lines(const struct smi_account *a)
{
    int64_t n = 0;
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (i != SMI_REJECT_TORN_TAIL) /* every log of a killed run has one: no doubt */
            n += a->rejected[i];
    return n;
}

void smi_total_add(struct smi_total *t, const struct smi_summary *s)
{
    size_t i;
    t->runs++;
    t->failed += s->state == SMI_STATE_FAILED;
    t->cut += s->state == SMI_STATE_CUT;
    t->no_data += s->state == SMI_STATE_NO_DATA || !smi_run_has_gpu_data(s);
    for (i = 0; i < s->ngpus; i++)
        t->gpus += !s->gpus[i].pooled;
    add_value(&t->duration_s, s->duration_s);
    add_value(&t->energy_wh, s->energy_wh);
    t->of.duration += s->duration_s.has;
    t->of.energy += s->energy_wh.has;
    t->of.energy_part += s->energy_part != NULL;
    t->of.hours += s->gpu_hours.has;
    t->of.waste += s->wasted_h[5].has;
    t->gpu_hours.has |= s->gpu_hours.has;
    t->idle_pct.has |= s->idle_pct.has;
    t->covered_ms += s->covered_ms;
    t->idle_ms += s->idle_ms;
    smi_headline_merge(&t->block, &s->block);
    for (i = 0; i < SMI_WASTE_CAUSES; i++)
        t->waste.ms[i] += s->waste.ms[i];
    smi_price_add(t, s);
    for (i = 0; i < s->ninputs; i++)
        t->doubts += rejected_lines(&s->inputs[i].account);
}

void smi_total_close(struct smi_total *t)
{
    const struct smi_headline_sum *vram = &t->block.pool[smi_headline_slot(SMI_FB_USED)];
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        t->wasted_h[i] = hours_value(t->waste.ms[i], t->covered_ms > 0);
    t->wasted_h[SMI_WASTE_CAUSES] = hours_value(smi_wasted_ms(&t->waste), t->covered_ms > 0);
    smi_price_total(t);
    t->gpu_hours = hours_value(t->covered_ms, t->gpu_hours.has);
    t->idle_pct.has = t->idle_pct.has && t->covered_ms > 0;
    t->idle_pct.micro =
        t->idle_pct.has ? (int64_t)smi_i128_div((smi_i128)t->idle_ms * 100000000, t->covered_ms) : 0;
    t->peak_vram_mb = (struct smi_value){vram->n ? vram->max : 0, vram->n > 0};
}
