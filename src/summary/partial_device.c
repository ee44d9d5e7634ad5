/* What a partial summary holds of one GPU, or of the host: its table of fields. Metrics go by their names, so
 * that the catalogue may grow. */
#include "aggregate/device_stats_private.h"
#include "summary/partial_fields_private.h"
#include "summary/partial_packed_private.h"

#include <string.h>

/* ---- the rows at its edges ---- */

/* The metrics of the rows that a device keeps, each once, whose names would fill half of it. */
struct row_metrics {
    uint16_t metric[SMI_METRIC_COUNT];
    unsigned n, place[SMI_METRIC_COUNT]; /* place + 1; 0: not among them */
};

static void add_row_metrics(struct row_metrics *m, const struct smi_last_row *row)
{
    for (unsigned i = 0; row->has && i < row->n; i++)
        if (!m->place[row->metric[i]]) {
            m->metric[m->n++] = row->metric[i];
            m->place[row->metric[i]] = m->n;
        }
}

static struct row_metrics list_row_metrics(const struct smi_device_stats *t)
{
    struct row_metrics m = {.n = 0};
    add_row_metrics(&m, &t->head);
    add_row_metrics(&m, &t->first);
    add_row_metrics(&m, &t->last);
    return m;
}

static void write_metric_names(struct smi_json *j, const void *owner, const void *member)
{
    const struct row_metrics m = list_row_metrics(owner);
    (void)member;
    smi_json_open(j, '[');
    for (unsigned i = 0; i < m.n; i++)
        smi_json_str(j, smi_metrics[m.metric[i]].key);
    smi_json_close(j, ']');
}

static void keep_metric_names(struct smi_partial_reader *g, const json_t *v, void *owner, void *member)
{
    (void)owner, (void)member;
    g->metrics = v;
}

static void write_row(struct smi_json *j, const void *owner, const void *member)
{
    const struct row_metrics names = list_row_metrics(owner);
    const struct smi_last_row *row = member;
    struct smi_buf b = {0};
    int64_t unit = 0;
    for (unsigned i = 0; i < row->n; i++)
        unit = smi_greatest_divisor(unit, row->v[i]);
    unit = unit ? unit : 1;
    smi_packed_write(&b, (smi_u128)unit);
    for (unsigned i = 0; i < row->n; i++) {
        smi_packed_write(&b, names.place[row->metric[i]] - 1);
        smi_packed_write_signed(&b, row->v[i] / unit);
    }
    smi_json_open(j, '{');
    smi_json_key_int(j, "t", row->t_ms);
    smi_json_key_bool(j, "fine", row->fine);
    smi_json_key(j, "v");
    smi_json_text(j, (struct smi_text){b.p, b.n});
    smi_json_close(j, '}');
    j->to->failed |= b.failed;
    smi_buf_fini(&b);
}

/* The next reading of a row, in units. Returns whether there is one. */
static bool read_reading(struct smi_partial_reader *g, struct smi_packed *v, int64_t unit,
                         struct smi_last_row *row)
{
    size_t place = (size_t)smi_packed_read_upto(v, SMI_METRIC_COUNT);
    const char *key = json_string_value(json_array_get(g->metrics, place));
    smi_i128 units = smi_packed_read_signed(v), most = SMI_PARTIAL_READING_MAX / unit;
    int m = v->bad || !key ? -1 : smi_partial_read_metric(g, key);
    if (m < 0 || row->n == SMI_SAMPLE_MAX || units > most || units < -most) {
        smi_partial_read_fail(g, "a row");
        return false;
    }
    if (!smi_partial_read_reserve(g, &row->metric, &row->cap, row->n + 1, sizeof *row->metric) ||
        !smi_partial_read_reserve(g, &row->v, &row->vcap, row->n + 1, sizeof *row->v))
        return false;
    row->has = true;
    row->metric[row->n] = (uint16_t)m;
    row->v[row->n++] = (int64_t)(units * unit);
    return true;
}

static void read_row(struct smi_partial_reader *g, const json_t *o, void *owner, void *member)
{
    const char *letters = json_string_value(json_object_get(o, "v"));
    struct smi_packed v = {smi_text_of(letters ? letters : ""), false};
    struct smi_last_row *row = member;
    int64_t unit;
    (void)owner;
    if (!json_is_object(o))
        return;
    unit = smi_packed_read_upto(&v, SMI_PARTIAL_READING_MAX);
    if (!v.left.n || unit == 0) {
        smi_partial_read_fail(g, "a row without readings");
        return;
    }
    row->t_ms = smi_partial_read_int(g, json_object_get(o, "t"));
    row->fine = json_is_true(json_object_get(o, "fine"));
    while (v.left.n && !g->bad && read_reading(g, &v, unit, row)) {
    }
}

static const struct smi_partial_codec metric_names = {write_metric_names, keep_metric_names};
static const struct smi_partial_codec edge_row = {write_row, read_row};

/* ---- by metric ---- */

static const void *counts_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = (unsigned)i;
    return i < SMI_METRIC_COUNT ? t->counts[i] : NULL;
}

static void *add_counts(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    t->counts[metric] = smi_mem_new(1, sizeof **t->counts);
    return t->counts[metric] ? t->counts[metric] : smi_partial_read_nomem(g);
}

static const struct smi_partial_field counts_value = {.kind = SMI_PARTIAL_CODEC,
                                                      .codec = &smi_partial_counts};
static const struct smi_partial_map all_counts = {&counts_value, counts_at, add_counts};

static const struct smi_partial_field timed_fields[] = {
    SMI_PARTIAL_NUMBER(smi_timed_metrics, first_t, "first_t"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, first_v, "first_v"),
    SMI_PARTIAL_COUNT(smi_timed_metrics, first_seg, "first_seg"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, last_t, "last_t"),
    SMI_PARTIAL_NUMBER(smi_timed_metrics, last_v, "last_v"),
    SMI_PARTIAL_COUNT(smi_timed_metrics, last_seg, "last_seg"),
    SMI_PARTIAL_TIME_SUM(smi_timed_metrics, sum, "sum"),
    SMI_PARTIAL_WITH(smi_timed_metrics, series, "series", &smi_partial_series),
};
static const struct smi_partial_shape timed_shape =
    SMI_PARTIAL_SHAPE("timed metrics", true, smi_timed_metrics, timed_fields);

static const void *timed_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < SMI_TIMED_COUNT ? smi_timed_metrics[i] : SMI_METRIC_COUNT;
    return i < SMI_TIMED_COUNT && t->timed[i].has ? &t->timed[i] : NULL;
}

static void *add_timed(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    int slot = smi_timed_slot(metric);
    (void)g;
    if (slot < 0)
        return NULL;
    t->timed[slot].has = true;
    return &t->timed[slot];
}

static const struct smi_partial_field timed_value = {.kind = SMI_PARTIAL_STRUCT, .of = &timed_shape};
static const struct smi_partial_map timed_metrics = {&timed_value, timed_at, add_timed};

static const struct smi_partial_field counter_fields[] = {
    SMI_PARTIAL_COUNT(smi_counter, n, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, first_t, NULL),
    SMI_PARTIAL_RANGE(smi_counter, first_v, NULL, -SMI_PARTIAL_READING_MAX, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_NUMBER(smi_counter, last_t, NULL),
    SMI_PARTIAL_RANGE(smi_counter, last_v, NULL, -SMI_PARTIAL_READING_MAX, SMI_PARTIAL_READING_MAX),
    SMI_PARTIAL_SUM(smi_counter, increase, NULL),
    SMI_PARTIAL_COUNT(smi_counter, rises, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, first_rise, NULL),
    SMI_PARTIAL_NUMBER(smi_counter, last_rise, NULL),
};
static const struct smi_partial_shape counter_shape =
    SMI_PARTIAL_SHAPE("counters", false, smi_counter, counter_fields);

static const void *counter_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < t->counters ? t->counter[i].metric : SMI_METRIC_COUNT;
    return i < t->counters ? &t->counter[i] : NULL;
}

static void *add_counter(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_counter *c = smi_device_stats_counter(owner, (uint16_t)metric);
    return c ? c : smi_partial_read_nomem(g);
}

static const struct smi_partial_field counter_value = {.kind = SMI_PARTIAL_STRUCT, .of = &counter_shape};
static const struct smi_partial_map all_counters = {&counter_value, counter_at, add_counter};

static const struct smi_partial_field throttle_value =
    SMI_PARTIAL_ITEMS(smi_time_sum, slot, n, NULL, &smi_partial_time_sum, INT64_MAX,
                      smi_partial_add_time_share, SMI_PARTIAL_FLAT);

static const void *throttle_at(const void *owner, size_t i, unsigned *metric)
{
    const struct smi_device_stats *t = owner;
    *metric = i < SMI_THROTTLE_COUNT ? SMI_THROTTLE_FIRST + (unsigned)i : SMI_METRIC_COUNT;
    return i < SMI_THROTTLE_COUNT && t->throttle[i].n ? &t->throttle[i] : NULL;
}

static void *add_throttle(struct smi_partial_reader *g, void *owner, unsigned metric)
{
    struct smi_device_stats *t = owner;
    (void)g;
    return metric >= SMI_THROTTLE_FIRST && metric < SMI_THROTTLE_FIRST + SMI_THROTTLE_COUNT
               ? &t->throttle[metric - SMI_THROTTLE_FIRST]
               : NULL;
}

static const struct smi_partial_map throttles = {&throttle_value, throttle_at, add_throttle};

/* ---- idle time and segments ---- */

/* Where there is no stretch, the time it began is left over from another one. */
static const struct smi_partial_field idle_fields[] = {
    SMI_PARTIAL_COUNT(smi_idle_stretch, ms, NULL),
    SMI_PARTIAL_WHEN(smi_idle_stretch, from_ms, ms),
};
static const struct smi_partial_shape idle_shape =
    SMI_PARTIAL_SHAPE("stretch", false, smi_idle_stretch, idle_fields);
static const struct smi_partial_field stretch_fields[] = {
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.prefix, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.suffix, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, stretch.best, NULL),
    SMI_PARTIAL_RANGE(smi_device_stats, stretch.broken, NULL, 0, 1),
    SMI_PARTIAL_WHEN(smi_device_stats, stretch.suffix_from, stretch.suffix),
    SMI_PARTIAL_PART(smi_device_stats, stretch.before, NULL, &idle_shape),
    SMI_PARTIAL_PART(smi_device_stats, stretch.between, NULL, &idle_shape),
    SMI_PARTIAL_PART(smi_device_stats, stretch.since, NULL, &idle_shape),
    SMI_PARTIAL_WHEN(smi_device_stats, stretch.prefix_from, stretch.prefix),
};
static const struct smi_partial_shape stretch_shape =
    SMI_PARTIAL_SHAPE("stretch", false, smi_device_stats, stretch_fields);

/* The closed segments that are kept one by one. */
static size_t kept_segments(const struct smi_device_stats *t)
{
    if (t->segments > SMI_SEGMENTS_MAX)
        return SMI_SEGMENTS_MAX;
    return t->segments ? (size_t)t->segments - 1 : 0;
}

static void write_segments(struct smi_json *j, const void *owner, const void *member)
{
    const struct smi_device_stats *t = owner;
    (void)member;
    smi_json_open(j, '[');
    smi_json_int(j, t->segments);
    smi_json_int(j, t->segment_rest);
    smi_json_int(j, t->open.first);
    smi_json_int(j, t->open.last);
    for (size_t i = 0; i < kept_segments(t); i++) {
        smi_json_int(j, t->segment[i].first);
        smi_json_int(j, t->segment[i].last);
    }
    smi_json_close(j, ']');
}

static struct smi_segment read_segment(struct smi_partial_reader *g, const json_t *a, size_t at)
{
    int64_t first = smi_partial_read_int(g, json_array_get(a, at));
    return (struct smi_segment){first, smi_partial_read_int(g, json_array_get(a, at + 1))};
}

static void read_segments(struct smi_partial_reader *g, const json_t *a, void *owner, void *member)
{
    struct smi_device_stats *t = owner;
    (void)member;
    t->segments = smi_partial_read_int(g, json_array_get(a, 0));
    t->segment_rest = smi_partial_read_int(g, json_array_get(a, 1));
    t->open = read_segment(g, a, 2);
    if (t->segments < 0 || (!t->pooled && (t->segments == 0) != !t->first.has) ||
        json_array_size(a) != 4 + 2 * kept_segments(t)) {
        smi_partial_read_fail(g, "segments");
        return;
    }
    for (size_t i = 0; i < kept_segments(t); i++)
        t->segment[i] = read_segment(g, a, 4 + 2 * i);
}

static const struct smi_partial_codec segments = {write_segments, read_segments};

static const struct smi_partial_field aside_fields[] = {
    SMI_PARTIAL_RANGE(smi_device_stats, asides, NULL, 1, SMI_PARTIAL_INT_MAX),
    SMI_PARTIAL_NUMBER(smi_device_stats, aside.first, NULL),
    SMI_PARTIAL_NUMBER(smi_device_stats, aside.last, NULL),
};
static const struct smi_partial_shape aside_shape =
    SMI_PARTIAL_SHAPE("aside", false, smi_device_stats, aside_fields);

static const struct smi_partial_field load_fields[] = {
    SMI_PARTIAL_COUNT(smi_load, rows, NULL),
    SMI_PARTIAL_SUM(smi_load, clock, NULL),
    SMI_PARTIAL_SUM(smi_load, power, NULL),
};
static const struct smi_partial_shape load_shape = SMI_PARTIAL_SHAPE("load", false, smi_load, load_fields);

/* ---- the table ---- */

static const struct smi_partial_field device_fields[] = {
    SMI_PARTIAL_COUNT(smi_device_stats, rows, "rows"),
    SMI_PARTIAL_FLAG(smi_device_stats, dedupe, "dedupe"),
    SMI_PARTIAL_FLAG(smi_device_stats, timed_rows, "timed_rows"),
    SMI_PARTIAL_FLAG(smi_device_stats, pooled, "pooled"),
    SMI_PARTIAL_WITH(smi_device_stats, head, "edges", &metric_names),
    SMI_PARTIAL_WITH_IF(smi_device_stats, head, head.has, "head", &edge_row),
    SMI_PARTIAL_WITH_IF(smi_device_stats, first, first.has, "first", &edge_row),
    SMI_PARTIAL_WITH_IF(smi_device_stats, last, last.has, "last", &edge_row),
    SMI_PARTIAL_METRICS(smi_device_stats, counts, "counts", &all_counts),
    SMI_PARTIAL_METRICS(smi_device_stats, timed, "timed", &timed_metrics),
    SMI_PARTIAL_MEMBER(MAP, smi_device_stats, counter, .key = "counters", .map = &all_counters,
                       SMI_PARTIAL_IF(smi_device_stats, counters)),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, covered, "covered"),
    SMI_PARTIAL_TIME_SHARE(smi_device_stats, idle, "idle"),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, lead, "lead"),
    SMI_PARTIAL_TIME_SUM(smi_device_stats, trail, "trail"),
    /* partial summaries without it are still read */
    SMI_PARTIAL_MEMBER(STRUCT, smi_device_stats, load, .key = "load", .repeat = SMI_LOAD_BINS,
                       .of = &load_shape, SMI_PARTIAL_IF(smi_device_stats, rows)),
    SMI_PARTIAL_FLAG(smi_device_stats, worked, "worked"),
    SMI_PARTIAL_METRICS(smi_device_stats, throttle, "throttle", &throttles),
    {.key = "stretch", .kind = SMI_PARTIAL_STRUCT, .of = &stretch_shape},
    SMI_PARTIAL_PART_IF(smi_device_stats, absent, absent.ms, "absent", &idle_shape),
    SMI_PARTIAL_WITH(smi_device_stats, segment, "segments", &segments),
    {.key = "aside",
     .kind = SMI_PARTIAL_STRUCT,
     .of = &aside_shape,
     SMI_PARTIAL_IF(smi_device_stats, asides)},
    SMI_PARTIAL_WITH(smi_device_stats, dts, "dts", &smi_partial_intervals),
    SMI_PARTIAL_WITH(smi_device_stats, lengths, "lengths", &smi_partial_intervals),
};
static const struct smi_partial_shape device_shape =
    SMI_PARTIAL_SHAPE("devices", true, smi_device_stats, device_fields);

/* ---- by phase ---- */

static const struct smi_partial_field pool_fields[] = {
    SMI_PARTIAL_COUNT(smi_phase_pool, n, NULL),
    SMI_PARTIAL_NUMBER(smi_phase_pool, max, NULL),
    SMI_PARTIAL_SUM(smi_phase_pool, sum, NULL),
};
static const struct smi_partial_shape pool_shape =
    SMI_PARTIAL_SHAPE("phases", false, smi_phase_pool, pool_fields);
static const struct smi_partial_field phase_fields[] = {
    SMI_PARTIAL_COUNT(smi_phase_stats, rows, "rows"),
    SMI_PARTIAL_PARTS(smi_phase_stats, pool, "pool", &pool_shape, SMI_BLOCK_SLOTS),
    SMI_PARTIAL_TIME_SUM(smi_phase_stats, energy, "energy"),
    SMI_PARTIAL_TIME_SHARE(smi_phase_stats, idle, "idle"),
};
static const struct smi_partial_shape phase_shape =
    SMI_PARTIAL_SHAPE("phases", true, smi_phase_stats, phase_fields);

static void read_phases(struct smi_partial_reader *g, const json_t *o, struct smi_device_stats *t)
{
    const char *key;
    json_t *v;
    json_object_foreach ((json_t *)o, key, v) {
        int number = smi_phases_find(&g->run->log.phases, smi_text_of(key));
        struct smi_phase_stats *of = number < 0 ? NULL : smi_device_stats_phase(t, (uint16_t)number);
        if (number < 0)
            smi_partial_read_fail(g, "a phase without run log");
        else if (!of)
            smi_partial_read_nomem(g);
        if (g->bad)
            return;
        smi_partial_read_struct(g, v, &phase_shape, of);
    }
}

/* ---- a device ---- */

void smi_partial_write_device(struct smi_json *j, const struct smi_device_stats *t,
                              const struct smi_phases *phases)
{
    if (!t) {
        smi_json_null(j);
        return;
    }
    smi_json_open(j, '{');
    smi_partial_write_members(j, &device_shape, t);
    if (t->tallies) {
        smi_json_key(j, "phases");
        smi_json_open(j, '{');
        for (size_t i = 0; i < t->tallies; i++) {
            smi_json_key(j, phases->phase[t->tally[i].phase].name);
            smi_partial_write_struct(j, &phase_shape, &t->tally[i]);
        }
        smi_json_close(j, '}');
    }
    smi_json_close(j, '}');
}

struct smi_device_stats *smi_partial_read_device(struct smi_partial_reader *g, const json_t *o)
{
    struct smi_device_stats *t;
    if (!json_is_object(o) || g->bad)
        return NULL;
    t = smi_mem_new(1, sizeof *t);
    if (!t)
        return smi_partial_read_nomem(g);
    smi_device_stats_init(t, &g->input->opts, false);
    g->metrics = NULL;
    smi_partial_read_struct(g, o, &device_shape, t);
    if (t->first.has != t->last.has)
        smi_partial_read_fail(g, "edges");
    if (t->aside.last < t->aside.first && (t->aside.first != 1 || t->aside.last)) /* not SMI_ASIDE_UNTIMED */
        smi_partial_read_fail(g, "aside");
    read_phases(g, json_object_get(o, "phases"), t);
    return t;
}
