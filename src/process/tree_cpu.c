/* CPU time of the whole tree: what each process that is there used, with what the kernel has added to it for
 * children that it waited for, and what those used that have gone and were added to nobody. */
#include "process/tree_private.h"

/* Parents stand before their children, and are read before them: a child that ends meanwhile is missing from
 * one sample, and never counted twice.
 *
 * Who has gone was waited for by its parent, or by that one's parent after that one has gone, and so on: the
 * time that was last seen of it must have come to one of these. What has not is counted on here. */
void smi_tree_add_finished_cpu(struct smi_tree *t)
{
    for (size_t i = 0; i < t->members; i++)
        t->member[i].owed = 0;
    for (size_t i = t->members; i-- > 0;) {
        struct smi_tree_member *m = &t->member[i], *parent;
        int64_t last = m->own + m->children;
        smi_i128 lost = 0;
        if (m->told) {
            lost = (smi_i128)(m->owed + last) * t->tick_us - m->told_us;
            t->gone_us = smi_tree_sum(t->gone_us, m->told_us);
        } else if (!m->gone) {
            lost = (smi_i128)(m->owed - (m->children - m->children_before)) * t->tick_us;
        } else if ((parent = smi_tree_member(t, m->ppid)) && parent < m) {
            parent->owed += m->owed + last;
        } else {
            lost = (smi_i128)(m->owed + last) * t->tick_us;
        }
        t->gone_us = smi_tree_sum(t->gone_us, lost);
    }
}

void smi_tree_reaped(struct smi_tree *t, pid_t pid, int64_t cpu_us)
{
    struct smi_tree_member *m = smi_tree_member(t, pid);
    for (int i = 0; i < t->strangers; i++)
        if (t->stranger[i].pid == pid && !t->stranger[i].gone) {
            t->stranger[i].gone = true;
            return;
        }
    if (!m && pid == t->main && !t->had_main && !t->had_children) /* it was never seen */
        t->main_us = smi_tree_sum(0, cpu_us);
    if (!m || m->told) {
        t->gone_us = smi_tree_sum(t->gone_us, cpu_us);
        return;
    }
    m->told = true;
    m->told_us = smi_tree_sum(0, cpu_us);
    if (m->main && !t->had_children && !m->children && cpu_us > t->main_us)
        t->main_us = m->told_us;
}

static int64_t at_least_zero(int64_t v, int64_t low)
{
    return v > low ? v : low;
}

static void cpu_share(struct smi_tree_usage *u, int64_t by_us, int64_t span_us)
{
    smi_i128 v = smi_i128_div((smi_i128)by_us * 100000000, span_us);
    u->has_cpu = v <= INT64_MAX;
    u->cpu_micro_pct = u->has_cpu ? (int64_t)v : 0;
}

/* The times of all parts now; before the first sample has said where they begin, all that there was. */
static void add_cpu_times(struct smi_tree *t, int64_t us[SMI_TREE_PARTS])
{
    int64_t all = t->gone_us;
    for (size_t i = 0; i < t->members; i++) {
        const struct smi_tree_member *m = &t->member[i];
        all = smi_tree_sum(all, (m->own + m->children) * t->tick_us);
        if (m->main)
            t->main_us = at_least_zero(m->own * t->tick_us, t->main_us);
    }
    us[SMI_TREE_OF_MAIN] = t->main_us;
    us[SMI_TREE_OF_DESCENDANTS] = at_least_zero(all - t->main_us, 0);
}

void smi_tree_cpu(struct smi_tree *t, struct smi_tree_sample *out)
{
    int64_t us[SMI_TREE_PARTS], by;
    bool main = false, any = false;
    add_cpu_times(t, us);
    if (t->samples == 1 && !t->reaper)
        memcpy(t->base_us, us, sizeof us);
    for (size_t i = 0; i < t->members; i++) {
        any |= t->member[i].alive;
        main |= t->member[i].alive && t->member[i].main;
    }
    us[SMI_TREE_OF_ALL] = 0;
    for (int part = SMI_TREE_OF_MAIN; part < SMI_TREE_OF_ALL; part++) {
        us[part] = at_least_zero(us[part] - t->base_us[part], t->cpu_us[part]);
        us[SMI_TREE_OF_ALL] += us[part];
    }
    for (int part = 0; part < SMI_TREE_PARTS; part++) {
        by = us[part] - t->cpu_us[part];
        if (out->span_us > 0 && (part == SMI_TREE_OF_MAIN ? main || t->main_before : any || t->any_before))
            cpu_share(&out->of[part], by, out->span_us);
        out->cpu_us[part] = t->cpu_us[part] = us[part];
    }
    t->main_before = main;
    t->any_before = any;
}
