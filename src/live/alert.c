#include "live/alert.h"

#include "live/alert_conditions.h"
#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define gpu false
#define source true
#define NONE SMI_ALERT_NO_LIMIT
#define SMI_ALERT_RULE(id, key, grave, about, limit, unit, on_s, off_s, word, over, help) \
    [SMI_ALERT_##id] = {key, grave, about, false, limit, unit, (on_s)*1000, (off_s)*1000, word, over, help},
const struct smi_alert_rule smi_alert_rules[SMI_ALERT_RULES] = {
#include "live/alert_rule.def"
};
#undef SMI_ALERT_RULE
#undef NONE
#undef gpu
#undef source

struct told {
    smi_alert_callback *fn;
    void *self;
};

static const struct smi_alert_rule *rule_of(const struct smi_alerts *a, int rule)
{
    return &(a->rules ? a->rules : smi_alert_rules)[rule];
}

static int set_text(struct smi_machine *n, const struct smi_alert_rule *r, const struct smi_alert *from,
                    const struct smi_alert_condition *w, struct smi_err *err)
{
    struct smi_alert *a;
    if (smi_mem_reserve(&n->alert, &n->alerts_cap, n->alerts + 1, sizeof *n->alert))
        return smi_err_nomem(err);
    a = &n->alert[n->alerts++];
    *a = *from;
    a->grave = r->grave;
    memcpy(a->text, w->text, sizeof a->text);
    memcpy(a->note, w->note, sizeof a->note);
    return 0;
}

/* What stands in the list of events anyway: smi_machine says by itself that a GPU is lost, and that readings
 * come again. */
static bool is_reported(enum smi_alert_rule_id rule, bool begins)
{
    return rule == SMI_ALERT_LOST || (rule == SMI_ALERT_STALE && !begins);
}

/* A change is told: its words for the end are made here, of those of its beginning none is kept. */
static void report_change(struct smi_machine *n, enum smi_alert_rule_id rule, struct smi_alert_change *c,
                          const struct told *to)
{
    char span[SMI_CLOCK_TEXT], over[2 * SMI_MACHINE_TEXT];
    if (!c->begins) {
        smi_clock_write_span(span, c->t_ms - c->from_ms);
        snprintf(over, sizeof over, "%s %s after %s", c->subject, c->rule->over, span);
        c->text = over;
    }
    if (!is_reported(rule, c->begins))
        smi_machine_add_event(n,
                              !c->begins       ? SMI_EVENT_OK
                              : c->rule->grave ? SMI_EVENT_ERROR
                                               : SMI_EVENT_WARN,
                              "%s", c->text);
    if (to->fn)
        to->fn(to->self, c);
}

/* What a rule that holds, or does not, of one thing makes of its memory. */
static void update_memory(struct smi_alert_memory *m, const struct smi_machine *n,
                          const struct smi_alert_rule *r, bool holds, const struct smi_alert_condition *w)
{
    m->changed = false;
    if (holds != m->pending) {
        m->pending = holds;
        m->since_ms = n->mono_ms;
        if (holds && !m->on)
            m->began_ms = w->from_ms != SMI_NO_READING ? w->from_ms : n->timed ? n->t_ms : smi_clock_utc_ms();
    }
    if (holds != m->on && n->mono_ms - m->since_ms >= (holds ? r->on_ms : r->off_ms)) {
        m->on = holds;
        m->changed = true;
    }
}

/* One rule of one thing. */
static int check_rule(struct smi_alerts *a, struct smi_machine *n, int rule, size_t place,
                      const struct told *to, struct smi_err *err)
{
    const struct smi_alert_rule *r = rule_of(a, rule);
    const struct smi_live_gpu *b = r->of_source ? NULL : n->gpu[place];
    struct smi_alert_memory *m = &a->memory[(size_t)rule * a->width + (b ? b->id : place)];
    struct smi_alert_condition w;
    bool holds = smi_alert_check_condition(r, (enum smi_alert_rule_id)rule, n, place, &w);
    char subject[SMI_MACHINE_TEXT];
    update_memory(m, n, r, holds, &w);
    if (m->changed) {
        if (b)
            snprintf(subject, sizeof subject, "GPU %d", b->index);
        else
            snprintf(subject, sizeof subject, "%s", n->source[place]->name);
        report_change(n, (enum smi_alert_rule_id)rule,
                      &(struct smi_alert_change){r, holds, b ? b->index : -1, b ? b->uuid : NULL, subject,
                                                 w.text, n->t_ms, m->began_ms,
                                                 holds && r->limit != SMI_ALERT_NO_LIMIT ? w.value : 0},
                      to);
    }
    if (!m->on || !holds)
        return 0;
    return set_text(
        n, r,
        &(struct smi_alert){
            .rule = rule, .gpu = b ? (int)place : -1, .source = b ? -1 : (int)place, .from_ms = m->began_ms},
        &w, err);
}

static int gravest_first(const void *a, const void *b)
{
    const struct smi_alert *x = a, *y = b;
    if (x->grave != y->grave)
        return x->grave ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule - y->rule;
    return x->gpu - y->gpu;
}

/* Room for every GPU and source there is. */
static int reserve_memory(struct smi_alerts *a, const struct smi_machine *n, struct smi_err *err)
{
    size_t width = n->met > n->sources ? n->met : n->sources;
    struct smi_alerts wide = {.rules = a->rules, .width = width};
    if (width <= a->width)
        return 0;
    if (smi_mem_reserve(&wide.memory, &wide.cap, width * SMI_ALERT_RULES, sizeof *wide.memory))
        return smi_err_nomem(err);
    for (size_t r = 0; r < SMI_ALERT_RULES && a->width; r++)
        memcpy(wide.memory + r * width, a->memory + r * a->width, a->width * sizeof *a->memory);
    smi_mem_free(a->memory);
    *a = wide;
    return 0;
}

int smi_alerts_check(struct smi_alerts *a, struct smi_machine *n, smi_alert_callback *fn, void *self,
                     struct smi_err *err)
{
    const struct told to = {fn, self};
    if (reserve_memory(a, n, err))
        return -1;
    n->alerts = 0;
    for (int r = 0; r < SMI_ALERT_RULES; r++) {
        size_t things = smi_alert_rules[r].of_source ? n->sources : n->gpus;
        for (size_t i = 0; i < things; i++)
            if (check_rule(a, n, r, i, &to, err))
                return -1;
    }
    if (n->alerts > 1)
        qsort(n->alert, n->alerts, sizeof *n->alert, gravest_first);
    return 0;
}

void smi_alerts_fini(struct smi_alerts *a)
{
    smi_mem_free(a->memory);
    *a = (struct smi_alerts){0};
}
