#include "process/tracking.h"

#include <errno.h>
#include <signal.h>

static const char *const ways[SMI_GPU_MEMORY_WAYS][2] = {
    [SMI_GPU_MEMORY_PID] = {"nvidia-smi's list of processes", "amd-smi's list of processes"},
    [SMI_GPU_MEMORY_INNER] = {"nvidia-smi's list of processes, by their pids in the container",
                              "amd-smi's list of processes, by their pids in the container"},
    [SMI_GPU_MEMORY_ALONE] = {"the GPUs' memory less what was held before",
                              "the GPUs' memory less what was held before"},
    [SMI_GPU_MEMORY_UNKNOWN] = {"the driver's pids are not ours, and the GPUs may be shared",
                                "amd-smi tells nothing of our pids, and the GPUs may be shared"}};

static const char *environment_value(char *const *vars, const char *name)
{
    static const char *const none[] = {"", "all", "void", "none", "-1", NULL}; /* give no GPU of one's own */
    const size_t n = strlen(name);
    for (char *const *e = vars; e && *e; e++) {
        bool some = strncmp(*e, name, n) == 0 && (*e)[n] == '=';
        for (size_t k = 0; some && none[k]; k++)
            some = strcmp(*e + n + 1, none[k]) != 0;
        if (some)
            return *e + n + 1;
    }
    return NULL;
}

const char *smi_gpu_memory_share_alone(char *const *vars, bool amd)
{
    static const char *const nvidia[] = {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "SLURM_STEP_GPUS",
                                         "SLURM_JOB_GPUS", NULL};
    static const char *const amds[] = {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
                                       "SLURM_STEP_GPUS",     "SLURM_JOB_GPUS",       NULL};
    const char *found = NULL;
    for (const char *const *name = amd ? amds : nvidia; *name; name++) {
        const char *value = environment_value(vars, *name);
        if (value && !amd)
            return strstr(value, "MIG-") ? NULL : *name; /* of a MIG instance no reading is its own */
        if (value && value[strspn(value, "0123456789, ")])
            return NULL; /* amd-smi's monitor does not tell which GPU has a uuid */
        found = found ? found : value ? *name : NULL;
    }
    return found;
}

/* What is held of its memory now; -1: not known. */
static int64_t memory_held(const struct smi_machine *n, const struct smi_live_gpu *b)
{
    const struct smi_machine_reading *r = smi_machine_reading_of(n, b, SMI_FB_USED);
    return r ? r->v : -1;
}

void smi_gpu_memory_share_begin(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                                char *const *vars, bool started)
{
    bool amd = false;
    for (size_t i = 0; i < n->sources; i++)
        amd |= n->source[i]->format == SMI_FMT_AMD_MONITOR;
    *w = (struct smi_gpu_memory_share){
        .alone = smi_gpu_memory_share_alone(vars, amd), .amd = amd, .held = started};
    for (size_t i = 0; i < SMI_MACHINE_GPUS_MAX; i++)
        w->before[i] = -1;
    /* the last reading, however old: nothing of the command was in it */
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_machine_reading *r = &n->gpu[i]->latest[SMI_FB_USED];
        if (n->gpu[i]->id < SMI_MACHINE_GPUS_MAX && r->has)
            w->before[n->gpu[i]->id] = r->v;
    }
}

/* ---- by pid ---- */

/* Are all processes of the GPU said to hold none, though it holds more than before, or by a list that has not
 * told of any memory yet? So says amd-smi of GPUs that share the machine's memory: then none of it is known.
 */
static bool lists_no_memory(const struct smi_gpu_memory_share *w, const struct smi_machine *n,
                            const struct smi_live_gpu *b)
{
    const int64_t now = memory_held(n, b), before = b->id < SMI_MACHINE_GPUS_MAX ? w->before[b->id] : -1;
    size_t k;
    const struct smi_gpu_process *p = smi_machine_processes(n, &k);
    for (size_t i = 0; i < k; i++)
        if (p[i].gpu == b && p[i].fb != 0)
            return false;
    return !w->tells || now < 0 || before < 0 || now > before;
}

/* What a row is of. */
enum of { NOBODY, STRANGER, OURS, UNCLEAR };

struct guess {
    struct smi_tree_process here, there; /* as we number processes, and as one inside does */
    enum smi_tree_name_matches is_here, is_there;
    bool some_here, ours_here, some_there;
};

/* Whom a pid may mean. Of several that have it inside, the one that has the name. */
static void guess(const struct smi_gpu_process *p, struct smi_tree *t, struct guess *g)
{
    struct smi_tree_process m;
    size_t at = 0;
    *g = (struct guess){.some_here = p->pid > 0 && p->pid < INT32_MAX &&
                                     (kill((pid_t)p->pid, 0) == 0 || errno == EPERM)};
    if (g->some_here)
        g->is_here = smi_tree_name_matches(t, (pid_t)p->pid, p->name);
    while (smi_tree_candidate_process(t, p->pid, &at, &m)) {
        if (!m.inner) {
            g->ours_here = g->some_here = true;
            g->here = m;
            continue;
        }
        if (g->some_there && g->is_there == SMI_TREE_NAMED_SO)
            continue;
        g->some_there = true;
        g->there = m;
        g->is_there = smi_tree_name_matches(t, m.pid, p->name);
    }
}

/* The name decides; where both are called so, or it is not known, what other rows have shown. */
static enum of match_process(struct smi_gpu_memory_share *w, const struct smi_gpu_process *p,
                             struct smi_tree *t, struct smi_tree_process *m)
{
    struct guess g;
    bool here, there;
    guess(p, t, &g);
    here = g.some_here && g.is_here != SMI_TREE_NAMED_OTHERWISE;
    there = g.some_there && g.is_there != SMI_TREE_NAMED_OTHERWISE;
    if (here && there && (g.is_here == SMI_TREE_NAMED_SO) != (g.is_there == SMI_TREE_NAMED_SO)) {
        here = g.is_here == SMI_TREE_NAMED_SO;
        there = !here;
    }
    if (here && there && w->ours != w->inside) {
        here = w->ours;
        there = w->inside;
    }
    if (here == there) /* both, or neither of those that there are */
        return g.some_here || g.some_there ? UNCLEAR : NOBODY;
    w->ours |= here && g.is_here == SMI_TREE_NAMED_SO;
    w->inside |= there && g.is_there == SMI_TREE_NAMED_SO;
    *m = here ? g.here : g.there;
    return here && !g.ours_here ? STRANGER : OURS;
}

/* Rows of the tree. False if there is none, one does not say how much, or may be of the tree. */
static bool measure_by_pid(struct smi_gpu_memory_share *w, const struct smi_machine *n, struct smi_tree *t,
                           struct smi_gpu_memory_used *out)
{
    size_t k;
    const struct smi_gpu_process *p = smi_machine_processes(n, &k);
    bool some = false, inside = false, silent = false, down = false;
    int64_t of[SMI_TREE_PARTS] = {0};
    for (size_t i = 0; i < n->sources; i++) /* nvidia-smi prints no row where there is no process */
        if (n->source[i]->format == SMI_FMT_APPS || n->source[i]->format == SMI_FMT_AMD_PROCESS)
            down |= n->source[i]->state == SMI_SOURCE_DOWN;
    for (size_t i = 0; i < k; i++)
        w->tells |= p[i].fb > 0; /* SMI_NO_READING is less */
    for (size_t i = 0; i < k; i++) {
        struct smi_tree_process m = {0};
        const enum of of_whom = match_process(w, &p[i], t, &m);
        silent |= of_whom == UNCLEAR || (of_whom == OURS && p[i].fb == SMI_NO_READING) ||
                  (of_whom == OURS && p[i].fb == 0 && lists_no_memory(w, n, p[i].gpu));
        if (of_whom != OURS || p[i].fb == SMI_NO_READING)
            continue;
        some = true;
        inside |= m.inner;
        of[m.main ? SMI_TREE_OF_MAIN : SMI_TREE_OF_DESCENDANTS] += p[i].fb;
        of[SMI_TREE_OF_ALL] += p[i].fb;
    }
    if (silent || (!some && (down || !(w->ours || w->inside))))
        return false;
    out->way = inside || (!some && !w->ours) ? SMI_GPU_MEMORY_INNER : SMI_GPU_MEMORY_PID;
    memcpy(out->of, of, sizeof of);
    return true;
}

/* ---- alone ---- */

static bool measure_by_device(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                              const struct smi_tree *t, struct smi_gpu_memory_used *out)
{
    struct smi_tree_process p;
    int64_t all = 0;
    size_t gpus = 0, at = 0;
    if (!w->alone || !w->held)
        return false;
    for (size_t i = 0; i < n->gpus; i++) {
        const struct smi_live_gpu *b = n->gpu[i];
        int64_t now = memory_held(n, b), before = b->id < SMI_MACHINE_GPUS_MAX ? w->before[b->id] : -1;
        if (!b->mine)
            continue;
        if (now < 0 || before < 0) {
            w->unread |= before < 0;
            return false;
        }
        all += now > before ? now - before : 0;
        gpus++;
    }
    if (!gpus)
        return false;
    out->way = SMI_GPU_MEMORY_ALONE;
    out->of[SMI_TREE_OF_ALL] = all;
    while (smi_tree_next(t, &at, &p))
        w->others |= !p.main; /* a reading may be of before their end */
    w->mixed |= w->others && all > 0;
    if (!w->others || all == 0) {
        out->of[SMI_TREE_OF_MAIN] = all;
        out->of[SMI_TREE_OF_DESCENDANTS] = 0;
    }
    return true;
}

void smi_gpu_memory_share_read(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                               struct smi_tree *t, struct smi_gpu_memory_used *out)
{
    struct smi_tree_process p;
    size_t at = 0;
    *out = (struct smi_gpu_memory_used){.way = SMI_GPU_MEMORY_UNKNOWN, .of = {-1, -1, -1}};
    if (!smi_tree_next(t, &at, &p)) /* all processes have ended: the figures are those of before */
        return;
    if (n->gpus && !measure_by_pid(w, n, t, out))
        (void)measure_by_device(w, n, t, out);
    w->ways[out->way] += n->gpus > 0;
}

enum smi_gpu_memory_method smi_gpu_memory_share_best(const struct smi_gpu_memory_share *w)
{
    enum smi_gpu_memory_method way = SMI_GPU_MEMORY_PID;
    while (way < SMI_GPU_MEMORY_UNKNOWN && !w->ways[way])
        way++;
    return way;
}

const char *smi_gpu_memory_share_words(const struct smi_gpu_memory_share *w)
{
    const enum smi_gpu_memory_method way = smi_gpu_memory_share_best(w);
    return way == SMI_GPU_MEMORY_UNKNOWN && w->unread
               ? "its GPUs were not all read before it was started: what they held then is not known"
               : ways[way][w->amd];
}
