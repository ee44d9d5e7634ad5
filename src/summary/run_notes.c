#include "summary/run_notes.h"

#include <string.h>

struct smi_text smi_reason_cause(const char *reason)
{
    static const char *const from[] = {"slurm-", "sacct", "W&B)", "MLflow)"};
    const struct smi_text whole = smi_text_of(reason ? reason : "");
    const char *open = whole.n && whole.p[whole.n - 1] == ')' ? strrchr(whole.p, '(') : NULL;
    for (size_t i = 0; open && open > whole.p && i < sizeof from / sizeof *from; i++)
        if (strncmp(open + 1, from[i], strlen(from[i])) == 0)
            return (struct smi_text){whole.p, (size_t)(open - 1 - whole.p)};
    return whole;
}

bool smi_reason_is_exit(const char *reason)
{
    const struct smi_text cause = smi_reason_cause(reason);
    return smi_text_starts_nocase(cause, "exit status ") || smi_text_starts_nocase(cause, "killed") ||
           smi_text_is(cause, "failed");
}

bool smi_throttle_slows(const struct smi_throttle *t)
{
    return strcmp(t->reason, "gpu_idle") != 0;
}

struct smi_value smi_most_throttled(const struct smi_summary *s)
{
    struct smi_value most = {0};
    for (size_t i = 0; i < s->ngpus; most.has |= s->gpus[i++].throttle_known) /* if so, 0.0 was measured */
        for (size_t k = 0; k < s->gpus[i].throttles; k++) {
            const struct smi_throttle *t = &s->gpus[i].throttle[k];
            if (t->pct.has && smi_throttle_slows(t) && t->pct.micro > most.micro)
                most = t->pct;
        }
    return most;
}

bool smi_gpu_has_row(const struct smi_summary *s, const struct smi_gpu *gpu)
{
    return !gpu->pooled || s->ngpus == 1;
}

const struct smi_error *smi_first_grave_error(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->nerrors; i++)
        if (smi_faults[s->errors[i].id].grave)
            return &s->errors[i];
    return NULL;
}

/* Do two problems say the same, but for the number they begin with? */
static bool is_same_problem(const struct smi_log_warning *a, const struct smi_log_warning *b)
{
    static const char digits[] = "0123456789";
    size_t x = strspn(a->text, digits), y = strspn(b->text, digits);
    const char *s = a->text + x, *t = b->text + y;
    if (x == 0 || y == 0 || a->kind != b->kind || a->line == 0 || b->line == 0)
        return a == b;
    x = strncmp(s, " values ", 8) == 0 ? 7 : strcspn(s + 1, " ") + 1; /* 1 value, 2 values */
    y = strncmp(t, " values ", 8) == 0 ? 7 : strcspn(t + 1, " ") + 1;
    return strcmp(s + x, t + y) == 0;
}

int64_t smi_warning_lines(const struct smi_account *a, size_t k)
{
    int64_t same = 0, kept = 0;
    for (size_t i = 0; i < a->problems; i++) {
        kept += a->problem[i].kind == a->problem[k].kind;
        if (!is_same_problem(&a->problem[i], &a->problem[k]))
            continue;
        if (i < k)
            return 0;
        same++;
    }
    return same > 1 && same == kept ? a->said[a->problem[k].kind] : same; /* those that were not kept, too */
}

bool smi_run_has_gpu_data(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ngpus; i++)
        if (s->gpus[i].nstats > 0 || s->gpus[i].throttles > 0)
            return true;
    return s->gpu_hours.has || s->energy_wh.has || s->idle_pct.has || s->wasted_h[5].has ||
           s->vram.device_peak_mb.has;
}

enum smi_run_note smi_run_note_of(const struct smi_summary *s)
{
    if (s->state == SMI_STATE_FAILED)
        return SMI_NOTE_FAILED;
    if (s->state == SMI_STATE_NO_DATA)
        return SMI_NOTE_NO_DATA;
    if (smi_first_grave_error(s))
        return SMI_NOTE_ERROR;
    if (smi_findings_worst(s))
        return SMI_NOTE_FINDING;
    if (s->state == SMI_STATE_CUT)
        return SMI_NOTE_CUT;
    return !s->wasted_h[5].has && s->columns_unknown ? SMI_NOTE_LOG : SMI_NOTE_NONE;
}

const char *smi_run_note_code(const struct smi_summary *s)
{
    static const char *const codes[] = {"", "failed", "no-data", "gpu-error",
                                        "", "cut",    ""}; /* as smi_run_note */
    const struct smi_finding *f = smi_findings_worst(s);
    return f ? smi_rules[f->rule].key : codes[smi_run_note_of(s)];
}

const char *smi_run_no_data_reason(const struct smi_summary *s)
{
    for (size_t i = 0; i < s->ninputs; i++)
        if (s->inputs[i].gpu)
            return "no readings";
    return s->columns_unknown ? "columns unknown" : "no GPU log";
}
