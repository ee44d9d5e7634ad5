/* summary_image.c - the same table of pointers serves both ways: what a structure points to stands behind it,
 * and in the place of the pointer its offset. So nothing is written number by number, and a summary is back
 * by one copy. Lists that only details need stand at the end: they can be kept elsewhere. */
#include "summary/summary_image.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ALIGN = 16 };

/* What a pointer leads to: a text, or n structures; a DETAIL is a list that stands at the end. */
enum kind { TEXT, LIST, DETAIL };

struct shape;
struct place {
    size_t at; /* of the pointer */
    enum kind kind;
    size_t count_at; /* of its size_t n */
    const struct shape *of;
};

struct shape {
    size_t size;
    const struct place *place; /* ends with an `at` of SIZE_MAX */
};

#define AT(s, f) offsetof(struct s, f)
#define END                     \
    {                           \
        SIZE_MAX, TEXT, 0, NULL \
    }

static const struct place no_places[] = {END};
static const struct shape text_shape = {sizeof(char *), (const struct place[]){{0, TEXT, 0, NULL}, END}};
static const struct place gpu_places[] = {
    {AT(smi_gpu, uuid), TEXT, 0, NULL},
    {AT(smi_gpu, bus), TEXT, 0, NULL},
    {AT(smi_gpu, serial), TEXT, 0, NULL},
    {AT(smi_gpu, name), TEXT, 0, NULL},
    {AT(smi_gpu, stall_phase), TEXT, 0, NULL},
    {AT(smi_gpu, lead_in.phase), TEXT, 0, NULL},
    {AT(smi_gpu, trail_in.phase), TEXT, 0, NULL},
    {AT(smi_gpu, throttle), LIST, AT(smi_gpu, throttles),
     &(const struct shape){sizeof(struct smi_throttle),
                           (const struct place[]){{AT(smi_throttle, reason), TEXT, 0, NULL}, END}}},
    {AT(smi_gpu, stats), DETAIL, AT(smi_gpu, nstats),
     &(const struct shape){sizeof(struct smi_stats), no_places}},
    {AT(smi_gpu, available), DETAIL, AT(smi_gpu, navailable),
     &(const struct shape){sizeof(struct smi_share), no_places}},
    END};
static const struct place process_places[] = {{AT(smi_process_figures, uuid), TEXT, 0, NULL},
                                              {AT(smi_process_figures, bus), TEXT, 0, NULL},
                                              {AT(smi_process_figures, name), TEXT, 0, NULL},
                                              {AT(smi_process_figures, type), TEXT, 0, NULL},
                                              END};
static const struct place error_places[] = {
    {AT(smi_error, uuid), TEXT, 0, NULL}, {AT(smi_error, bus), TEXT, 0, NULL}, END};
static const struct place finding_places[] = {{AT(smi_finding, phase), TEXT, 0, NULL},
                                              {AT(smi_finding, text), TEXT, 0, NULL},
                                              {AT(smi_finding, note), TEXT, 0, NULL},
                                              {AT(smi_finding, advice), TEXT, 0, NULL},
                                              END};
static const struct place input_places[] = {
    {AT(smi_input, path), TEXT, 0, NULL},
    {AT(smi_input, format), TEXT, 0, NULL},
    {AT(smi_input, note), TEXT, 0, NULL},
    {AT(smi_input, place), LIST, AT(smi_input, places), &(const struct shape){sizeof(int), no_places}},
    {AT(smi_input, account.problem), LIST, AT(smi_input, account.problems),
     &(const struct shape){sizeof(struct smi_log_warning),
                           (const struct place[]){{AT(smi_log_warning, text), TEXT, 0, NULL}, END}}},
    END};
static const struct place param_places[] = {
    {AT(smi_param, key), TEXT, 0, NULL}, {AT(smi_param, text), TEXT, 0, NULL}, END};
static const struct place count_places[] = {{AT(smi_count, name), TEXT, 0, NULL}, END};
static const struct place phase_places[] = {{AT(smi_phase_summary, name), TEXT, 0, NULL}, END};

#define LIST_OF(kind, f, n, type, places)                                   \
    {                                                                       \
        AT(smi_summary, f), kind, AT(smi_summary, n), &(const struct shape) \
        {                                                                   \
            sizeof(struct type), places                                     \
        }                                                                   \
    }

static const struct place summary_places[] = {
    {AT(smi_summary, run), TEXT, 0, NULL},
    {AT(smi_summary, path), TEXT, 0, NULL},
    {AT(smi_summary, state_reason), TEXT, 0, NULL},
    {AT(smi_summary, hostname), TEXT, 0, NULL},
    {AT(smi_summary, command), TEXT, 0, NULL},
    {AT(smi_summary, time_base), TEXT, 0, NULL},
    {AT(smi_summary, vram.source), TEXT, 0, NULL},
    {AT(smi_summary, energy_part), TEXT, 0, NULL},
    {AT(smi_summary, doubt), TEXT, 0, NULL},
    {AT(smi_summary, problems), LIST, AT(smi_summary, nproblems), &text_shape},
    LIST_OF(LIST, params, nparams, smi_param, param_places),
    LIST_OF(LIST, results, nresults, smi_param, param_places),
    LIST_OF(LIST, gpus, ngpus, smi_gpu, gpu_places),
    LIST_OF(DETAIL, tracked, ntracked, smi_tracked_figures, no_places),
    LIST_OF(DETAIL, host, nhost, smi_stats, no_places),
    LIST_OF(DETAIL, host_available, nhost_available, smi_share, no_places),
    LIST_OF(DETAIL, processes, nprocesses, smi_process_figures, process_places),
    LIST_OF(DETAIL, phases, nphases, smi_phase_summary, phase_places),
    LIST_OF(DETAIL, errors, nerrors, smi_error, error_places),
    LIST_OF(DETAIL, events, nevents, smi_count, count_places),
    LIST_OF(DETAIL, findings, nfindings, smi_finding, finding_places),
    LIST_OF(DETAIL, inputs, ninputs, smi_input, input_places),
    END};
static const struct shape summary_shape = {sizeof(struct smi_summary), summary_places};

/* ---- there ---- */

/* A list that waits until all else is there. */
struct detail {
    size_t at; /* of the pointer to it */
    const void *list;
    size_t n;
    const struct shape *of;
};

struct out {
    struct smi_buf *to;
    size_t from; /* offset 0 */
    struct detail *detail;
    size_t details, cap;
    bool at_end; /* what comes is at the end already */
};

static void keep_detail(struct out *o, struct detail d)
{
    smi_mem_reserve(&o->detail, &o->cap, o->details + 1, sizeof d);
    o->detail[o->details++] = d;
}

/* Appends n bytes at an aligned offset, which is returned; 0 without memory. */
static size_t append(struct out *o, const void *p, size_t n)
{
    static const char zero[ALIGN];
    size_t gap = (ALIGN - (o->to->n - o->from) % ALIGN) % ALIGN, at;
    smi_buf_add(o->to, zero, gap);
    at = o->to->n - o->from;
    if (n)
        smi_buf_add(o->to, p, n);
    return at;
}

static size_t append_text(struct out *o, const char *s)
{
    size_t at = o->to->n - o->from;
    smi_buf_add(o->to, s, strlen(s) + 1);
    return at;
}

static void set_offset(const struct out *o, size_t at, uintptr_t v)
{
    memcpy(o->to->p + o->from + at, &v, sizeof v);
}

static size_t append_list(struct out *o, const void *list, size_t n, const struct shape *of);

/* What p, which stands at `at`, points to. */
static void append_pointed_lists(struct out *o, const char *p, size_t at, const struct shape *of)
{
    for (const struct place *f = of->place; f->at != SIZE_MAX; f++) {
        const void *to;
        size_t n = 1, there = 0;
        memcpy(&to, p + f->at, sizeof to);
        if (f->kind != TEXT)
            memcpy(&n, p + f->count_at, sizeof n);
        if (f->kind == TEXT && to)
            there = append_text(o, to);
        else if (f->kind == DETAIL && n && !o->at_end)
            keep_detail(o, (struct detail){at + f->at, to, n, f->of});
        else if (f->kind != TEXT && n)
            there = append_list(o, to, n, f->of);
        set_offset(o, at + f->at, there);
    }
}

static size_t append_list(struct out *o, const void *list, size_t n, const struct shape *of)
{
    size_t at = append(o, list, n * of->size);
    for (size_t i = 0; i < n; i++)
        append_pointed_lists(o, (const char *)list + i * of->size, at + i * of->size, of);
    return at;
}

size_t smi_summary_pack(struct smi_buf *to, const struct smi_summary *s)
{
    struct out o = {.to = to, .from = to->n, .at_end = false};
    struct smi_summary own = *s;
    size_t end;
    own.arena = (struct smi_arena){0};
    own.place = own.njoined = own.nfound = 0;
    own.joined = NULL;
    own.timeline = NULL;
    append_list(&o, &own, 1, &summary_shape);
    smi_buf_char(to, 0); /* behind every text there is an end */
    end = append(&o, NULL, 0);
    o.at_end = true;
    for (size_t i = 0; i < o.details; i++) {
        const struct detail *d = &o.detail[i];
        set_offset(&o, d->at, append_list(&o, d->list, d->n, d->of));
    }
    smi_buf_char(to, 0);
    smi_mem_free(o.detail);
    return end;
}

/* ---- and back ---- */

/* What stands behind the structure of the summary itself, and the details, which may lie elsewhere. */
struct in {
    char *rest, *details;
    size_t details_at, n;
};

static char *address(const struct in *in, size_t at)
{
    return at < in->details_at ? in->rest + (at - sizeof(struct smi_summary))
                               : in->details + (at - in->details_at);
}

static int restore_list(const struct in *in, size_t at, size_t n, const struct shape *of);

static int restore_pointer(const struct in *in, char *p, const struct place *f)
{
    uintptr_t v;
    size_t n = 1;
    memcpy(&v, p + f->at, sizeof v);
    if (f->kind != TEXT)
        memcpy(&n, p + f->count_at, sizeof n);
    if (v >= in->n || (!v && f->kind != TEXT && n))
        return -1;
    if (!v)
        return 0;
    if (v < sizeof(struct smi_summary) || (f->kind != TEXT && restore_list(in, v, n, f->of)))
        return -1;
    v = (uintptr_t)address(in, v);
    memcpy(p + f->at, &v, sizeof v);
    return 0;
}

/* n structures at `at` get pointers again. */
static int restore_list(const struct in *in, size_t at, size_t n, const struct shape *of)
{
    if (at % ALIGN || n > in->n / of->size || at > in->n - n * of->size)
        return -1;
    for (size_t i = 0; i < n; i++)
        for (const struct place *f = of->place; f->at != SIZE_MAX; f++)
            if (restore_pointer(in, address(in, at) + i * of->size, f))
                return -1;
    return 0;
}

static int unpack(struct smi_summary *out, const char *image, const struct in *in)
{
    struct smi_summary s;
    memcpy(&s, image, sizeof s);
    memset(out, 0, sizeof *out);
    for (const struct place *f = summary_places; f->at != SIZE_MAX; f++)
        if (restore_pointer(in, (char *)&s, f))
            return -1;
    s.arena = (struct smi_arena){0};
    *out = s;
    return 0;
}

int smi_summary_unpack_apart(struct smi_summary *out, const struct smi_text image, size_t details_at,
                             char *rest, char *details)
{
    const struct in in = {rest, details, details_at, image.n};
    memcpy(rest, image.p + sizeof *out, details_at - sizeof *out);
    memcpy(details, image.p + details_at, image.n - details_at);
    return unpack(out, image.p, &in);
}
