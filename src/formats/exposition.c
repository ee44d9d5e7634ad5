/* What exporters of GPUs tell Prometheus, scraped once or again and again into one log. dcgm-exporter:
 *
 *     # HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).
 *     # TYPE DCGM_FI_DEV_GPU_UTIL gauge
 *     DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-...",device="nvidia0",modelName="NVIDIA A100"} 37
 *
 * and nvidia_gpu_exporter, which names nvidia-smi's query fields in basic units:
 *
 *     nvidia_smi_utilization_gpu_ratio{uuid="df6e7a7c-..."} 0.37
 *     nvidia_smi_gpu_info{uuid="df6e7a7c-...",name="NVIDIA A100",index="0"} 1
 *
 * A line may end in a time, in ms since 1970; else a line of date(1) in front of a scrape is its time. A
 * series that comes again, or another time, begins another scrape; but a GPU that several pods share has it
 * for each. Its rows are one for each GPU, which count as its first lines with a reading; the others count as
 * header. MIG instances (GPU_I_ID) are no GPUs: counted and not read. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/row_engine.h"

enum { GPUS = 256 /* of a scrape */, UNKNOWN = 64, KEY = 96, TIME_DIGITS = 15 };

/* A label that tells something of the GPU. */
enum label { UUID, INDEX, BUS, MODEL, POD, INSTANCE /* of MIG */, LABELS };

static const struct {
    const char *name;
    enum label is;
} labels[] = {{"UUID", UUID},   {"uuid", UUID},      {"gpu", INDEX},
              {"index", INDEX}, {"pci_bus_id", BUS}, {"modelName", MODEL},
              {"name", MODEL},  {"pod", POD},        {"GPU_I_ID", INSTANCE}};

/* What the scrape at hand says of one GPU. */
struct gpu {
    char key[KEY]; /* its uuid, or its index where there is none */
    char label[POD][KEY];
    bool uuid; /* the key is one */
    int who;   /* its device, once it was looked up; else -1 */
    int64_t lines;
    struct smi_sample got;
};

struct smi_reader {
    struct smi_row_reader row;    /* first: see row_engine.h */
    unsigned gpus, next;          /* GPUs that were seen; the one that probably comes next */
    size_t series;                /* smi_names_follow */
    const struct smi_alias *last; /* of the line above */
    bool told;                    /* that there are too many GPUs */
    bool dated;                   /* a line in front of the scrape is its time: */
    struct smi_stamp date, at;    /* the time of the scrape, */
    bool timed;                   /* if it has one */
    struct gpu gpu[GPUS];
    struct smi_text unknown[UNKNOWN]; /* series of GPUs that are not read, each once */
    size_t unknowns;
};

/* ---- lines ---- */

/* name{label="value",...} value [time] */
struct entry {
    struct smi_text name, value, time, label[LABELS];
};

/* The bytes of the name that t begins with. */
static size_t find_name_end(struct smi_text t)
{
    size_t n = 0;
    while (n < t.n &&
           ((unsigned)(t.p[n] | 32) - 'a' < 26 || (unsigned)t.p[n] - '0' <= ':' - '0' || t.p[n] == '_'))
        n++;
    return n;
}

/* Takes `name="value"` off t. Escapes stay as they are: no key has any. */
static bool take_label(struct smi_text *t, struct entry *e)
{
    const struct smi_text name = {t->p, find_name_end(*t)};
    const char *end = t->p + t->n, *p = t->p + name.n, *from;
    if (!name.n || end - p < 3 || p[0] != '=' || p[1] != '"')
        return false;
    for (from = p += 2; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    if (p >= end)
        return false;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        if (smi_text_is(name, labels[i].name) &&
            (!e->label[labels[i].is].n || labels[i].is == INDEX)) /* all-smi's "gpu" is the model */
            e->label[labels[i].is] = smi_text_between(from, p);
    p++;
    p += p < end && *p == ',';
    while (p < end && *p == ' ')
        p++;
    *t = smi_text_between(p, end);
    return true;
}

static bool cut_entry(struct smi_text line, struct entry *e)
{
    struct smi_text t = smi_text_trim(line);
    const size_t n = find_name_end(t);
    *e = (struct entry){.name = {t.p, n}};
    t = smi_text_from(t, n);
    if (!n || !t.n || smi_is_digit(*e->name.p)) /* the latter: a date */
        return false;
    if (*t.p == '{') {
        t = smi_text_from(t, 1);
        while (t.n && *t.p != '}')
            if (!take_label(&t, e))
                return false;
        if (!t.n)
            return false;
        t = smi_text_from(t, 1);
    }
    e->value = smi_text_word(&t);
    e->time = smi_text_word(&t);
    return e->value.n && !smi_text_word(&t).n;
}

/* ---- rows ---- */

static void send_gpu(struct smi_reader *r, struct gpu *g)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {[SMI_DEVICE_KEY_UUID] = smi_text_of(g->uuid ? g->key : ""),
                                                 [SMI_DEVICE_KEY_INDEX] =
                                                     smi_text_of(g->uuid ? g->label[INDEX] : g->key),
                                                 [SMI_DEVICE_KEY_BUS] = smi_text_of(g->label[BUS])};
    r->row.lines.account->header += g->lines - 1;
    g->lines = 0;
    if (g->who < 0) {
        g->who = smi_devices_find_key(r->row.lines.devices, key);
        if (g->who >= 0 && *g->label[MODEL])
            smi_devices_set_name(r->row.lines.devices, g->who, smi_text_of(g->label[MODEL]));
    }
    g->got.t_ms = r->at.t_ms;
    g->got.timed = r->timed && smi_lines_on_base(&r->row.lines, r->at.base);
    g->got.fine = r->at.fine;
    g->got.who = g->who;
    smi_sample_check_power(&g->got, &r->row.lines, true);
    smi_lines_row(&r->row.lines, &g->got);
    g->got.n = 0;
}

/* The scrape is over, or the log. */
static void send_scrape(struct smi_reader *r)
{
    for (unsigned i = 0; i < r->gpus; i++)
        if (r->gpu[i].got.n)
            send_gpu(r, &r->gpu[i]);
}

/* The GPU of an entry; NULL: it tells none, or there are too many. */
static struct gpu *find_gpu(struct smi_reader *r, const struct entry *e)
{
    struct smi_text key = e->label[UUID].n ? e->label[UUID] : e->label[INDEX];
    struct gpu *g;
    if (!key.n || key.n >= KEY)
        return NULL;
    for (unsigned i = 0; i < r->gpus; i++) {
        g = &r->gpu[(r->next + i) % r->gpus];
        if (smi_text_is(key, g->key)) {
            r->next = (unsigned)(g - r->gpu) + 1;
            return g;
        }
    }
    if (r->gpus == GPUS)
        return NULL;
    g = &r->gpu[r->gpus++];
    *g = (struct gpu){.who = -1, .uuid = e->label[UUID].n > 0};
    smi_text_copy(g->key, KEY, key);
    return g;
}

/* What an entry says of its GPU besides the reading; nvidia_smi_gpu_info says no more. */
static void learn_labels(struct gpu *g, const struct entry *e)
{
    for (enum label k = INDEX; k < POD; k++) {
        struct smi_text t = e->label[k];
        if (!*g->label[k] && (k == INDEX ? smi_cell_digits(t, 6) >= 0 : !smi_cell_missing(t)))
            smi_text_copy(g->label[k], KEY, t);
    }
}

/* A line that is no series. */
static int read_other(struct smi_reader *r, struct smi_text line)
{
    struct smi_stamp at;
    struct smi_stamp_clock c = {0}; /* "Tue Nov 10 12:43:10 UTC 2026", and seconds since 1970 */
    if (smi_stamp_read_line(&c, line, &at) || !smi_stamp_has_day(c.form))
        return smi_row_other(&r->row, line, false, SMI_REJECT_FOREIGN);
    r->row.lines.account->messages++;
    send_scrape(r);
    r->dated = true;
    r->date = at;
    return 0;
}

static int read_series(struct smi_reader *r, const struct entry *e, const struct smi_alias *s,
                       struct smi_text line)
{
    struct smi_account *a = r->row.lines.account;
    struct gpu *g = find_gpu(r, e);
    enum smi_cell_status what;
    struct smi_stamp at = r->date;
    bool again, timed;
    int64_t v;
    if (!g) {
        if (r->gpus >= GPUS && smi_say_once(a, &r->told))
            smi_account_warn(a, SMI_LOG_WARNING_OTHER, "more than %d GPUs: the rest is not read", GPUS);
        return smi_line_count(&a->messages);
    }
    if (e->time.n)
        at = (struct smi_stamp){smi_cell_digits(e->time, TIME_DIGITS), true, SMI_TIME_BASE_UTC};
    if (e->time.n && !smi_clock_fits(at.t_ms, &r->row.lines.latest_ms))
        return smi_line_reject(a, SMI_REJECT_BAD_TIME, line);
    again = smi_sample_find(&g->got, s->what);
    if (e->label[POD].n && again && s == r->last)
        return smi_line_count(&a->header);
    r->last = s;
    r->dated &= !again; /* the date was that of the scrape before */
    timed = r->dated || e->time.n;
    if (again || timed != r->timed || (timed && at.t_ms != r->at.t_ms))
        send_scrape(r); /* the entry is of another scrape */
    r->timed = timed;
    r->at = at;
    learn_labels(g, e);
    what = smi_cell_scaled(s->what, smi_units[s->how].num, smi_units[s->how].den, e->value, &v);
    if (what != SMI_CELL_OK) {
        a->messages += what == SMI_CELL_MISSING;
        a->rejected[SMI_REJECT_BAD_NUMBER] += what != SMI_CELL_MISSING;
        smi_cell_count_lost(a, what, s->what, e->value);
        return 0;
    }
    smi_sample_add(&g->got, s->what, v);
    g->lines++;
    return 0;
}

static int read_exposition_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_account *a = r->row.lines.account;
    struct entry e;
    const struct smi_alias *s;
    struct gpu *g;
    size_t i = 0;
    if (*smi_text_trim(line).p == '#')
        return smi_line_count(&a->header);
    if (!cut_entry(line, &e))
        return read_other(r, line);
    s = e.label[INSTANCE].n ? NULL : smi_names_follow(&smi_names_exposition, &r->series, e.name);
    if (s)
        return read_series(r, &e, s, line);
    a->messages++;
    g = smi_text_is(e.name, "nvidia_smi_gpu_info") ? find_gpu(r, &e) : NULL;
    if (g)
        learn_labels(g, &e);
    if (g || e.label[INSTANCE].n || !(e.label[UUID].n || e.label[INDEX].n))
        return 0;
    while (i < r->unknowns && !smi_text_equal(e.name, r->unknown[i]))
        i++;
    if (i == r->unknowns && i < UNKNOWN)
        r->unknown[r->unknowns++] = (struct smi_text){smi_mem_text(e.name.p, e.name.n), e.name.n};
    return 0;
}

static void finish_exposition(struct smi_reader *r)
{
    smi_account_unknown(r->row.lines.account, r->unknown, r->unknowns);
    send_scrape(r);
}

static void close_exposition(struct smi_reader *r)
{
    while (r->unknowns)
        smi_mem_free((char *)r->unknown[--r->unknowns].p);
}

/* ---- the format ---- */

/* `# HELP` proves nothing: the exporter of any program begins with it. */
static enum smi_sniff sniff_exposition(struct smi_text line)
{
    struct entry e;
    size_t at = 0;
    if (*smi_text_trim(line).p == '#')
        return SMI_SNIFF_NO;
    return cut_entry(line, &e) && smi_names_follow(&smi_names_exposition, &at, e.name) &&
                   (e.label[UUID].n || e.label[INDEX].n) && !smi_text_is(e.value, "=>") /* of promtool */
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

const struct smi_format smi_format_exposition = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_exposition,
    .line = read_exposition_line,
    .table = &(const struct smi_table){.columns = 1},
    .finish = finish_exposition,
    .close = close_exposition,
};
