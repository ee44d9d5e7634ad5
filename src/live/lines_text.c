/* lines_text.c - the state of this moment as a line and as JSON. */
#include "live/tui.h"

#include "live/alert.h"

static void put_metric_line(struct smi_text_arena *g, const struct smi_machine *n, const char *head, int cell)
{
    const struct smi_gpu_cell *c = &smi_gpu_cells[cell];
    const struct smi_machine_run *run = NULL;
    smi_buf_str(g->to, head);
    for (size_t i = 0; i < n->gpus; i++) {
        const char *label = n->gpu[i]->label + strlen("GPU "), *end = strrchr(label, '/');
        if (!n->gpu[i]->mine)
            continue;
        if (n->many_runs && n->gpu[i]->run != run && end) {
            smi_buf_char(g->to, ' ');
            smi_buf_safe(g->to, (struct smi_text){label, (size_t)(end - label)});
            smi_buf_char(g->to, ':');
        }
        run = n->gpu[i]->run;
        smi_buf_fmt(g->to, " %s%s",
                    smi_machine_value(g, smi_machine_shown(n, n->gpu[i], c->metric), c->scale, 0),
                    smi_alert_marking(n, i, c->mark) ? "!" : "");
    }
}

/* "idle:4 hot:6 dead:query missing": in the order of the alerts, those of a rule together. */
static void put_alerts(struct smi_buf *to, const struct smi_machine *n)
{
    for (size_t i = 0; i < n->alerts; i++) {
        const struct smi_alert *a = &n->alert[i];
        const bool first = !i || a[-1].rule != a->rule;
        if (first)
            smi_buf_fmt(to, " %s", smi_rules[a->rule].word);
        if (a->gpu >= 0 || a->source >= 0)
            smi_buf_char(to, first ? ':' : ',');
        if (a->gpu >= 0)
            smi_buf_str(to, n->gpu[a->gpu]->label + strlen("GPU "));
        else if (a->source >= 0)
            smi_buf_safe(to, smi_text_of(n->source[a->source]->name));
    }
}

void smi_machine_line_put(struct smi_buf *to, const struct smi_machine *n)
{
    struct smi_text_arena g = {.to = to};
    int64_t sum;
    smi_buf_str(to, smi_machine_clock(&g, n, n->t_ms));
    if (n->gpus) {
        put_metric_line(&g, n, " gpu%", SMI_GPU_CELL_USE);
        put_metric_line(&g, n, " GiB", SMI_GPU_CELL_VRAM);
        smi_buf_fmt(to, " W %s",
                    smi_machine_sum(n, SMI_POWER, &sum) ? smi_fmt_ratio(&g, sum, 1000000, 0) : "-");
        put_metric_line(&g, n, " C", SMI_GPU_CELL_TEMP);
    }
    smi_buf_fmt(to, " cpu%% %s",
                smi_machine_value(&g, smi_machine_shown(n, &n->host, SMI_CPU_PCT), 1000000, 0));
    put_alerts(to, n);
    smi_buf_char(to, '\n');
    smi_arena_fini(&g.arena);
}

/* ---- JSON ---- */

/* Of a log that is followed; else NULL. */
static void put_run(struct smi_json *j, const struct smi_machine_run *run)
{
    if (!run)
        return;
    smi_json_key_str(j, "run", run->name);
    smi_json_key_str(j, "host", run->host);
}

static void put_gpu_state(struct smi_json *j, const struct smi_machine *n, const struct smi_live_gpu *b)
{
    int64_t age = smi_machine_age(n, b);
    smi_json_key_str(j, "state", b->seen || b->state != SMI_GPU_OK ? smi_gpu_states[b->state] : "unknown");
    smi_json_key_number(j, "age_s", age >= 0, (smi_i128)age * 1000);
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++) {
        const struct smi_machine_reading *r = smi_machine_reading_of(n, b, m);
        if (!b->latest[m].has)
            continue;
        smi_json_key_number(j, smi_metrics[m].key, r && b->state != SMI_GPU_LOST, r ? r->v : 0);
    }
}

static void put_gpus(struct smi_json *j, const struct smi_machine *n)
{
    smi_json_key_open(j, "gpus", '[');
    for (size_t i = 0; i < n->gpus; i++) {
        smi_json_open(j, '{');
        smi_json_key_optional(j, "index", n->gpu[i]->index >= 0, n->gpu[i]->index);
        smi_json_key_str(j, "uuid", n->gpu[i]->uuid);
        put_run(j, n->gpu[i]->run);
        smi_json_key_str(j, "name", n->gpu[i]->name);
        smi_json_key_bool(j, "mine", n->gpu[i]->mine);
        put_gpu_state(j, n, n->gpu[i]);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

static void put_alert_list(struct smi_json *j, const struct smi_machine *n)
{
    smi_json_key_open(j, "alerts", '[');
    for (size_t i = 0; i < n->alerts; i++) {
        const struct smi_alert *a = &n->alert[i];
        const int index = a->gpu >= 0 ? n->gpu[a->gpu]->index : -1;
        smi_json_open(j, '{');
        smi_json_key_str(j, "rule", smi_rules[a->rule].key);
        smi_json_key_str(j, "severity", a->grave ? "error" : "warning");
        smi_json_key_optional(j, "gpu", index >= 0, index);
        put_run(j, smi_machine_run_of(n, a->gpu, a->source));
        smi_json_key_str(j, "text", a->text);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}

void smi_machine_json_put(struct smi_json *j, const struct smi_machine *n)
{
    struct smi_machine_totals all;
    char text[SMI_CLOCK_TEXT];
    smi_clock_write(text, n->t_ms, true);
    smi_json_key_str(j, "ts", n->timed ? text : NULL);
    put_gpus(j, n);
    smi_json_key_open(j, "host", '{');
    put_gpu_state(j, n, &n->host);
    smi_json_close(j, '}');
    smi_machine_totals(n, NULL, &all); /* what the report will say of the whole run */
    smi_json_key_open(j, "total", '{');
    smi_json_key_number(j, "covered_s", true, (smi_i128)all.covered_ms * 1000);
    smi_json_key_number(j, "idle_s", true, (smi_i128)all.idle_ms * 1000);
    smi_json_key_number(j, "energy_wh", all.energy_wh.has, all.energy_wh.micro);
    smi_json_close(j, '}');
    put_alert_list(j, n);
    smi_json_key_open(j, "monitors", '[');
    for (size_t i = 0; i < n->sources; i++) {
        smi_json_open(j, '{');
        smi_json_key_str(j, "name", n->source[i]->name);
        smi_json_key_str(j, "state", smi_source_states[n->source[i]->state]);
        smi_json_key_str(j, "reason", *n->source[i]->why ? n->source[i]->why : NULL);
        smi_json_key_int(j, "restarts", n->source[i]->restarts);
        smi_json_close(j, '}');
    }
    smi_json_close(j, ']');
}
