/* output.c - the table of outputs, and the short ones: csv, the line for a Slurm comment (screens.md §6). */
#include "output/output.h"

#include "base/clock.h"
#include "base/json.h"
#include "table/table.h"

#include <string.h>

/* --- csv --- */

/* One row being written; head: the names of the columns instead of the values of a run. */
struct row {
    struct smi_buf *to;
    const struct smi_sweep *sweep;
    const struct smi_look *look;
    const struct smi_summary *s; /* NULL: the head */
    bool some;
};

/* A field; untrusted text is made safe, and may not begin like a formula (reliability.md §3). */
static void field(struct row *r, const char *text, bool trusted)
{
    struct smi_buf b = {0};
    const char *t = text ? text : "";
    if (r->some)
        smi_buf_char(r->to, ',');
    r->some = true;
    if (!trusted && *t && strchr("=+-@\t\r", *t))
        smi_buf_char(&b, '\'');
    smi_buf_safe(&b, smi_text_of(t));
    t = b.p ? b.p : "";
    if (strpbrk(t, ",\"\r\n ")) {
        smi_buf_char(r->to, '"');
        for (; *t; t++)
            smi_buf_add(r->to, *t == '"' ? "\"\"" : t, *t == '"' ? 2 : 1);
        smi_buf_char(r->to, '"');
    } else {
        smi_buf_str(r->to, t);
    }
    r->to->failed |= b.failed;
    smi_buf_fini(&b);
}

static void text(struct row *r, const char *name, const char *t)
{
    field(r, r->s ? t : name, !r->s);
}

static void value(struct row *r, const char *name, struct smi_value v)
{
    char t[SMI_MICRO_TEXT] = "";
    if (r->s && v.has)
        smi_text_put_micro(t, v.micro);
    field(r, r->s ? t : name, true);
}

static void count(struct row *r, const char *name, int64_t n, bool has)
{
    char t[SMI_WIDE_TEXT] = "";
    if (has)
        smi_wide_put(t, n);
    field(r, r->s ? t : name, true);
}

static void when(struct row *r, const char *name, bool end)
{
    char t[SMI_CLOCK_TEXT] = "";
    if (r->s && r->s->has_start)
        smi_clock_put(t, end ? r->s->end_ms : r->s->start_ms, r->s->zoned);
    field(r, r->s ? t : name, true);
}

static void param(struct row *r, const char *key)
{
    struct smi_buf b = {0};
    const struct smi_param *p = r->s ? smi_run_param(r->s, key) : NULL;
    smi_buf_str(&b, "param.");
    smi_buf_str(&b, key);
    r->to->failed |= b.failed;
    if (r->s)
        field(r, p ? p->text : NULL, p && p->bare);
    else
        field(r, b.p ? b.p : "", true);
    smi_buf_fini(&b);
}

/* "gpu_lost=12 ecc_uncorrected=2": of all GPUs. */
static void errors(struct row *r, const struct smi_summary *s)
{
    int64_t n[SMI_FAULT_COUNT] = {0};
    struct smi_buf b = {0};
    for (size_t i = 0; i < s->nerrors; i++)
        n[s->errors[i].id] += s->errors[i].n;
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        if (n[i])
            smi_buf_fmt(&b, "%s%s=%lld", b.n ? " " : "", smi_faults[i].name, (long long)n[i]);
    r->to->failed |= b.failed;
    field(r, !r->s ? "errors" : b.p ? b.p : "", true);
    smi_buf_fini(&b);
}

static void row(struct row *r)
{
    static const struct smi_summary none;
    const struct smi_summary *s = r->s ? r->s : &none;
    struct smi_figure f[SMI_FIELD_COUNT];
    char name[32];
    int64_t gpus = 0;
    size_t i;
    text(r, "run", s->run);
    text(r, "state", smi_state_names[s->state]);
    text(r, "state_reason", s->state_reason);
    count(r, "exit_code", s->exit_code, s->has_exit);
    text(r, "hostname", s->hostname);
    for (i = 0; i < r->sweep->ncommon; i++)
        param(r, r->sweep->common[i].key);
    for (i = 0; i < r->sweep->nvarying; i++)
        param(r, r->sweep->varying[i]);
    when(r, "start", false);
    when(r, "end", true);
    value(r, "duration_s", s->duration_s);
    smi_block_figures(&s->block, f);
    for (i = 0; i < SMI_FIELD_COUNT; i++)
        field(r, !r->s ? f[i].key : f[i].has && !f[i].omit ? f[i].text : "", true);
    value(r, "covered_s", s->covered_s);
    value(r, "energy_wh", s->energy_wh);
    value(r, "vram_device_peak_mb", s->vram.device_peak_mb);
    value(r, "vram_all_gpus_peak_mb", s->vram.all_gpus_peak_mb);
    value(r, "vram_used_peak_mb", s->vram.used_peak_mb);
    text(r, "vram_source", s->vram.source);
    text(r, "vram_reserved", s->vram.reserved ? "true" : "false");
    value(r, "vram_total_mb", s->vram.total_mb);
    value(r, "idle_pct", s->idle_pct);
    value(r, "longest_idle_s", s->longest_idle_s);
    value(r, "gpu_hours", s->gpu_hours);
    for (i = 0; i < 6; i++) {
        memcpy(name, "wasted_", 7);
        strcpy(stpcpy(name + 7, smi_waste_names[i]), "_h");
        value(r, name, s->wasted_h[i]);
    }
    if (r->look->price_micro)
        value(r, "cost", s->cost);
    for (i = 0; i < s->ngpus; i++)
        gpus += !s->gpus[i].pooled;
    count(r, "ngpus", gpus, r->s != NULL);
    value(r, "throttled_pct", smi_most_throttled(s));
    errors(r, s);
    smi_buf_char(r->to, '\n');
}

int smi_write_csv(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                  struct smi_err *err)
{
    row(&(struct row){.to = to, .sweep = s, .look = look});
    for (size_t i = 0; i < s->n; i++)
        row(&(struct row){.to = to, .sweep = s, .look = look, .s = &s->runs[i]});
    return to->failed ? smi_err_nomem(err) : 0;
}

/* --- the line for a Slurm comment --- */

/* ,"key":number with a number of decimals, or null */
static void pair(struct smi_buf *to, const char *key, bool has, const smi_i128 ratio[2], int digits)
{
    static const int unit[] = {1000000, 100000, 10000};
    char t[SMI_MICRO_TEXT] = "null";
    if (has)
        smi_text_put_fixed(t, smi_wide_div(ratio[0] * (1000000 / unit[digits]), ratio[1]) * unit[digits],
                           digits);
    smi_buf_fmt(to, ",\"%s\":%s", key, t);
}

static void line(struct smi_buf *to, const struct smi_summary *s)
{
    const char *note = smi_note_codes[smi_note_of(s)];
    struct smi_figure f[SMI_FIELD_COUNT];
    size_t gpus = 0, i;
    bool timed = s->gpu_hours.has;
    if (s->state == SMI_STATE_NO_DATA) {
        smi_buf_str(to, "{\"v\":1,\"ngpu\":0,\"state\":\"no-data\"}\n");
        return;
    }
    for (i = 0; i < s->ngpus; i++)
        gpus += !s->gpus[i].pooled;
    smi_block_figures(&s->block, f);
    smi_buf_fmt(to, "{\"v\":1,\"ngpu\":%zu,\"gpu_util\":%s", gpus,
                f[SMI_FIG_UTIL].has ? f[SMI_FIG_UTIL].text : "null");
    pair(to, "gpu_mem_max", s->vram.used_peak_mb.has, (smi_i128[]){s->vram.used_peak_mb.micro, 1000000}, 0);
    pair(to, "gpu_power", s->power_sum_w.has, (smi_i128[]){s->power_sum_w.micro, 1000000}, 1);
    pair(to, "gpu_h", timed, (smi_i128[]){s->covered_ms, 3600000}, 2);
    pair(to, "idle_h", timed && s->idle_pct.has, (smi_i128[]){s->idle_ms, 3600000}, 2);
    pair(to, "wh", s->energy_wh.has, (smi_i128[]){s->energy_wh.micro, 1000000}, 1);
    smi_buf_fmt(to, ",\"state\":\"%s\"", smi_state_names[s->state]);
    if (*note)
        smi_buf_fmt(to, ",\"note\":\"%s\"", note);
    smi_buf_str(to, "}\n");
}

int smi_write_line(struct smi_buf *to, const struct smi_sweep *s, const struct smi_look *look,
                   struct smi_err *err)
{
    (void)look;
    for (size_t i = 0; i < s->n; i++)
        line(to, &s->runs[i]);
    return to->failed ? smi_err_nomem(err) : 0;
}

/* --- the table --- */

const struct smi_output smi_outputs[] = {
    {"table", ".txt", "What people read: runs, sums, and where the GPU-hours went", smi_write_table, NULL, false, true},
    {"json", ".json", "Everything, one document", smi_write_json, smi_run_json, false, false},
    {"jsonl", ".jsonl", "Everything, one run a line", smi_write_jsonl, smi_run_jsonl, true, false},
    {"csv", ".csv", "One row a run, for spreadsheets and scripts", smi_write_csv, NULL, false, false},
    {"md", ".md", "A few lines for a pull request", smi_write_markdown, NULL, false, false},
    {"line", NULL, "One short line a run, for a Slurm comment", smi_write_line, NULL, false, false},
    {NULL, NULL, NULL, NULL, NULL, false, false},
};

const struct smi_output *smi_output_find(const char *name)
{
    for (const struct smi_output *o = smi_outputs; o->name; o++)
        if (strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

const struct smi_output *smi_output_by_ending(const char *path)
{
    size_t n = strlen(path), len;
    for (const struct smi_output *o = smi_outputs; o->name; o++) {
        len = o->ending ? strlen(o->ending) : 0;
        if (len && n > len && strcmp(path + n - len, o->ending) == 0)
            return o;
    }
    return NULL;
}
