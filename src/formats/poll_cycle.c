#include "formats/poll_cycle.h"

#include "base/mem.h"

int64_t smi_poll_cycle_rejected(const struct smi_poll_cycle *r)
{
    return r->earlier ? *r->earlier
                      : smi_account_rejected(r->account) - r->account->rejected[SMI_REJECT_FOREIGN];
}

/* ---- what a round adds up to ---- */

static int send_device_sum(const struct smi_poll_cycle *r, const struct smi_poll_cycle_gpu *g,
                           struct smi_sink *to, struct smi_err *err)
{
    const bool fits = smi_reading_fits(SMI_PROCS_FB_USED, g->memory);
    char sum[SMI_I128_TEXT];
    const uint16_t metric[2] = {SMI_PROCS, SMI_PROCS_FB_USED};
    int64_t v[2] = {g->procs * 1000000, 0};
    struct smi_sample s = {.t_ms = r->t_ms,
                           .timed = r->timed,
                           .fine = r->fine,
                           .who = g->who,
                           .n = 1,
                           .metric = metric,
                           .v = v,
                           .shared = true};
    if (r->has_memory && !g->unknown && fits) {
        v[1] = (int64_t)g->memory;
        s.n = 2;
    }
    if (!fits && smi_account_range(r->account, SMI_PROCS_FB_USED,
                                   (struct smi_text){sum, smi_i128_write(sum, g->memory / 1000000)}, err))
        return -1;
    return smi_sink_row(to, &s, err);
}

static void forget_processes(struct smi_poll_cycle *r)
{
    r->rows = 0;
    smi_map_clear(&r->map);
}

int smi_poll_cycle_end(struct smi_poll_cycle *r, struct smi_sink *to, struct smi_err *err)
{
    bool whole = r->open && !r->over && r->doubts == smi_poll_cycle_rejected(r);
    for (size_t i = 0; whole && i < r->gpus; i++)
        if (send_device_sum(r, &r->gpu[i], to, err))
            return -1;
    r->gpus = 0;
    forget_processes(r);
    r->open = r->over = false;
    return 0;
}

/* ---- the rows of one ---- */

static uint64_t hash_process(const struct smi_poll_cycle_row *p)
{
    return smi_hash_pair((uint64_t)p->pid, (uint64_t)(int64_t)p->who << 3 ^ p->types);
}

static bool is_process(const void *list, size_t place, const void *key)
{
    const struct smi_poll_cycle_row *a = (const struct smi_poll_cycle_row *)list + place, *b = key;
    return a->pid == b->pid && a->who == b->who && a->types == b->types;
}

static bool has_process(const struct smi_poll_cycle *r, const struct smi_poll_cycle_row *p)
{
    return smi_map_find(&r->map, hash_process(p), is_process, r->row, p) != SMI_MAP_NONE;
}

static struct smi_poll_cycle_gpu *find_device_sum(const struct smi_poll_cycle *r, int who)
{
    for (size_t i = r->gpus; i-- > 0;)
        if (r->gpu[i].who == who)
            return &r->gpu[i];
    return NULL;
}

static int64_t row_memory(const struct smi_sample *s)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->metric[i] == SMI_FB_USED)
            return s->v[i];
    return -1;
}

static void start_cycle(struct smi_poll_cycle *r, const struct smi_sample *s)
{
    r->open = true;
    r->timed = s->timed;
    r->fine = s->fine;
    r->t_ms = s->t_ms;
    r->doubts = smi_poll_cycle_rejected(r);
}

/* A process that computes and draws may have a row for each. */
static bool is_process_counted(const struct smi_poll_cycle *r, const struct smi_sample *s)
{
    for (unsigned types = 0; s->process->types && s->process->pid >= 0 && types < 8; types++) {
        if (types != s->process->types &&
            has_process(r, &(struct smi_poll_cycle_row){s->who, types, s->process->pid}))
            return true;
    }
    return false;
}

static int add_row_to_device(struct smi_poll_cycle *r, const struct smi_sample *s, struct smi_err *err)
{
    struct smi_poll_cycle_gpu *g = s->who >= 0 ? find_device_sum(r, s->who) : NULL;
    int64_t memory = row_memory(s);
    if (s->who < 0)
        return 0;
    if (!g) {
        if (smi_mem_reserve(&r->gpu, &r->gpus_cap, r->gpus + 1, sizeof *r->gpu))
            return smi_err_nomem(err);
        g = &r->gpu[r->gpus++];
        *g = (struct smi_poll_cycle_gpu){.who = s->who};
    }
    g->none = s->process->none;
    if (g->none)
        return 0;
    g->procs += !is_process_counted(r, s);
    g->unknown += memory < 0;
    g->memory += memory < 0 ? 0 : memory;
    return 0;
}

/* Was the process here before? -1 with err. */
static int remember_process(struct smi_poll_cycle *r, const struct smi_sample *s, struct smi_err *err)
{
    const struct smi_poll_cycle_row p = {s->who, s->process->types, s->process->pid};
    if (s->process->pid < 0) /* may be any */
        return 0;
    if (has_process(r, &p))
        return 1;
    if (smi_mem_reserve(&r->row, &r->cap, r->rows + 1, sizeof *r->row) ||
        smi_map_add(&r->map, hash_process(&p), r->rows))
        return smi_err_nomem(err);
    r->row[r->rows++] = p;
    return 0;
}

/* A GPU without processes says so once, and alone. */
static bool row_begins_cycle(const struct smi_poll_cycle *r, const struct smi_sample *s)
{
    const struct smi_poll_cycle_gpu *g = r->open && s->who >= 0 ? find_device_sum(r, s->who) : NULL;
    return g && (g->none || s->process->none);
}

static int begin_next_cycle(struct smi_poll_cycle *r, const struct smi_sample *s, struct smi_sink *to,
                            struct smi_err *err)
{
    if (smi_poll_cycle_end(r, to, err))
        return -1;
    start_cycle(r, s);
    return 0;
}

/* Every process may be there once: the second time is the next round, or the row itself a second time. */
static int handle_repeated_process(struct smi_poll_cycle *r, const struct smi_sample *s, struct smi_sink *to,
                                   struct smi_err *err)
{
    if (s->timed && s->fine) {
        r->account->duplicates++;
        return 1;
    }
    return begin_next_cycle(r, s, to, err) || remember_process(r, s, err) < 0 ? -1 : 0;
}

int smi_poll_cycle_add(struct smi_poll_cycle *r, const struct smi_sample *s, bool begins, struct smi_sink *to,
                       struct smi_err *err)
{
    int rc;
    if (!r->open || begins || s->timed != r->timed || (s->timed && s->t_ms != r->t_ms) ||
        row_begins_cycle(r, s))
        if (begin_next_cycle(r, s, to, err))
            return -1;
    if (r->rows == SMI_POLL_CYCLE_ROWS) {
        r->over = true;
        forget_processes(r);
    }
    rc = remember_process(r, s, err);
    if (rc > 0 && (rc = handle_repeated_process(r, s, to, err)) > 0)
        return 0;
    if (rc < 0 || add_row_to_device(r, s, err))
        return -1;
    return smi_sink_row(to, s, err);
}

void smi_poll_cycle_fini(struct smi_poll_cycle *r)
{
    smi_mem_free(r->gpu);
    smi_mem_free(r->row);
    smi_map_fini(&r->map);
    *r = (struct smi_poll_cycle){0};
}
