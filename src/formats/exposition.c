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

enum { TIME_DIGITS = 15, INDEX_DIGITS = 6, KNOWN = 4096, FRONT = 512 };

/* A label that tells something of the GPU. */
enum label { UUID, INDEX, BUS, MODEL, POD, INSTANCE /* of MIG */, LABELS };

static const struct {
    const char *name;
    enum label is;
} labels[] = {{"UUID", UUID},   {"uuid", UUID},      {"gpu", INDEX},
              {"index", INDEX}, {"pci_bus_id", BUS}, {"modelName", MODEL},
              {"name", MODEL},  {"pod", POD},        {"GPU_I_ID", INSTANCE}};

/* A line of a reading: most are those of the scrape before, but for what stands behind their labels. */
struct series {
    struct smi_buf front; /* all up to there, FRONT bytes at most */
    const struct smi_alias *is;
    size_t row; /* place in got, while the devices are those of these: */
    uint64_t changes;
    bool pod;
};

struct smi_reader {
    struct smi_row_reader row; /* first: see row_engine.h */
    struct series *known;      /* the first KNOWN lines, from the one on behind that which began a scrape */
    size_t line, lines, lines_cap;
    struct smi_sample *got; /* what the scrape at hand says of each device, behind those that are pooled */
    size_t gpus, cap;       /* of got */
    size_t series;          /* smi_names_follow */
    const struct smi_alias *last; /* of the line above */
    bool dated;                   /* a line in front of the scrape is its time: */
    struct smi_stamp date, at;    /* the time of the scrape, */
    bool timed;                   /* if it has one */
};

/* ---- lines ---- */

/* name{label="value",...} value [time] */
struct entry {
    struct smi_text name, behind, value, time, label[LABELS];
};

/* The bytes of the name that t begins with. */
static size_t find_name_end(struct smi_text t)
{
    return smi_text_span(t, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:");
}

/* Takes `name="value"` off t. Escapes stay as they are: no key has any. */
static bool take_label(struct smi_text *t, struct entry *e)
{
    const struct smi_text name = {t->p, find_name_end(*t)};
    const char *end = t->p + t->n, *p = t->p + name.n, *from;
    if (!name.n || end - p < 3 || p[0] != '=' || p[1] != '"')
        return false;
    from = p += 2;
    while (p < end && *p != '"')
        p += 1 + (*p == '\\');
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

static bool cut_value(struct smi_text behind, struct entry *e)
{
    e->behind = behind;
    e->value = smi_text_word(&behind);
    e->time = smi_text_word(&behind);
    return e->value.n && !smi_text_word(&behind).n;
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
    return cut_value(t, e);
}

/* ---- rows ---- */

/* The scrape is over, or the log. */
static void send_scrape(struct smi_reader *r)
{
    r->line = 0;
    for (struct smi_sample *s = r->got; r->gpus && s < r->got + r->gpus; s++) {
        if (!s->n)
            continue;
        r->row.lines.account->header += s->n - 1;
        s->t_ms = r->at.t_ms;
        s->timed = r->timed && smi_lines_on_base(&r->row.lines, r->at.base);
        s->fine = r->at.fine;
        smi_sample_check_power(s, &r->row.lines, true);
        smi_lines_row(&r->row.lines, s);
        s->n = 0;
    }
}

/* The row of the GPU of an entry, whose labels its device learns: nvidia_smi_gpu_info says no more. NULL: the
 * entry tells none. */
static struct smi_sample *find_gpu(struct smi_reader *r, const struct entry *e)
{
    const struct smi_text *label = e->label, none = {"", 0};
    const bool index = !label[UUID].n || smi_cell_digits(label[INDEX], INDEX_DIGITS) >= 0;
    const struct smi_text key[SMI_DEVICE_KEY_COUNT] = {[SMI_DEVICE_KEY_UUID] = label[UUID],
                                                       [SMI_DEVICE_KEY_INDEX] = index ? label[INDEX] : none,
                                                       [SMI_DEVICE_KEY_BUS] =
                                                           smi_cell_missing(label[BUS]) ? none : label[BUS]};
    size_t at;
    int who;
    if (!label[UUID].n && !label[INDEX].n)
        return NULL;
    who = smi_devices_find_key(r->row.lines.devices, key);
    at = who < 0 ? 0 : (size_t)who + 1;
    if (who >= 0 && !smi_cell_missing(label[MODEL]))
        smi_devices_set_name(r->row.lines.devices, who, label[MODEL]);
    smi_mem_reserve(&r->got, &r->cap, at + 1, sizeof *r->got);
    r->gpus = at < r->gpus ? r->gpus : at + 1;
    r->got[at].who = who;
    return &r->got[at];
}

static struct series *find_known(struct smi_reader *r, struct smi_text line)
{
    struct series *k = r->line < r->lines ? &r->known[r->line] : NULL;
    return k && k->changes == r->row.lines.devices->changes && k->front.n && k->front.n < line.n &&
                   memcmp(k->front.p, line.p, k->front.n) == 0
               ? k
               : NULL;
}

/* The line is known from now on; NULL: its GPU is not told. */
static struct series *add_known(struct smi_reader *r, const struct entry *e, const struct smi_alias *s,
                                struct smi_text line)
{
    const struct smi_sample *g = find_gpu(r, e);
    const size_t n = (size_t)(e->behind.p - line.p);
    struct series *k;
    if (!g)
        return NULL;
    r->line = r->line < KNOWN ? r->line : 0;
    if (r->line == r->lines)
        memset(SMI_MEM_ADD(r->known, r->lines, r->lines_cap), 0, sizeof *k);
    k = &r->known[r->line];
    smi_buf_clear(&k->front);
    smi_buf_add(&k->front, line.p, n <= FRONT ? n : 0);
    k->is = s;
    k->row = (size_t)(g - r->got);
    k->changes = r->row.lines.devices->changes;
    k->pod = e->label[POD].n > 0;
    return k;
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

static int read_series(struct smi_reader *r, const struct entry *e, const struct series *k,
                       struct smi_text line)
{
    struct smi_account *a = r->row.lines.account;
    struct smi_sample *const g = &r->got[k->row];
    const struct smi_alias *const s = k->is;
    enum smi_cell_status what;
    struct smi_stamp at = r->date;
    bool again, timed;
    int64_t v;
    r->line++;
    if (e->time.n)
        at = (struct smi_stamp){smi_cell_digits(e->time, TIME_DIGITS), true, SMI_TIME_BASE_UTC};
    if (e->time.n && !smi_clock_fits(at.t_ms, &r->row.lines.minute.latest_ms))
        return smi_line_reject(a, SMI_REJECT_BAD_TIME, line);
    again = smi_sample_find(g, s->what);
    if (k->pod && again && s == r->last)
        return smi_line_count(&a->header);
    r->last = s;
    r->dated &= !again; /* the date was that of the scrape before */
    timed = r->dated || e->time.n;
    if (again || timed != r->timed || (timed && at.t_ms != r->at.t_ms))
        send_scrape(r); /* the entry is of another scrape */
    r->timed = timed;
    r->at = at;
    what = smi_cell_number(s->what, &smi_units[s->how], SMI_CELL_REAL, e->value, &v);
    if (what != SMI_CELL_OK) {
        a->messages += what == SMI_CELL_MISSING;
        a->rejected[SMI_REJECT_BAD_NUMBER] += what != SMI_CELL_MISSING;
        smi_cell_count_lost(a, what, s->what, e->value);
        return 0;
    }
    smi_sample_add(g, s->what, v);
    return 0;
}

static int read_exposition_line(void *self, struct smi_text line)
{
    struct smi_reader *r = self;
    struct smi_account *a = r->row.lines.account;
    struct entry e;
    const struct smi_alias *s;
    const struct series *k;
    if (*smi_text_trim(line).p == '#')
        return smi_line_count(&a->header);
    k = find_known(r, line);
    if (!(k ? cut_value(smi_text_from(line, k->front.n), &e) : cut_entry(line, &e)))
        return read_other(r, line);
    s = k ? k->is : e.label[INSTANCE].n ? NULL : smi_names_follow(&smi_names_exposition, &r->series, e.name);
    if (s && (k || (k = add_known(r, &e, s, line))))
        return read_series(r, &e, k, line);
    if (s)
        return smi_line_count(&a->messages);
    a->messages++;
    if ((smi_text_is(e.name, "nvidia_smi_gpu_info") && find_gpu(r, &e)) || e.label[INSTANCE].n ||
        !(e.label[UUID].n || e.label[INDEX].n))
        return 0;
    smi_account_unknown(a, e.name);
    return 0;
}

static void close_exposition(struct smi_reader *r)
{
    for (size_t i = 0; i < r->lines; i++)
        smi_buf_fini(&r->known[i].front);
    smi_mem_free(r->known);
    smi_mem_free(r->got);
}

/* ---- the format ---- */

/* `# HELP` proves nothing: the exporter of any program begins with it. */
static enum smi_sniff sniff_exposition(struct smi_text line)
{
    struct entry e;
    size_t at = 0;
    if (*smi_text_trim(line).p == '#')
        return SMI_SNIFF_NO;
    return cut_entry(line, &e) && (e.label[UUID].n || e.label[INDEX].n) &&
                   smi_names_follow(&smi_names_exposition, &at, e.name) &&
                   !smi_text_is(e.value, "=>") /* of promtool */
               ? SMI_SNIFF_YES
               : SMI_SNIFF_NO;
}

const struct smi_format smi_format_exposition = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_exposition,
    .line = read_exposition_line,
    .table = &(const struct smi_table){.columns = 1},
    .finish = send_scrape,
    .close = close_exposition,
};
