#include "summary/ledger_row.h"
#include "base/clock.h"
#include "base/json.h"
#include "summary/findings.h"
#include "summary/summary.h"

#include <string.h>

/* Sums of a million such rows stay inside 64 bits. */
static const int64_t ms_max = (int64_t)1 << 40, joules_max = (int64_t)1 << 43, reading_max = 1 << 20;

static const char *const keys[SMI_LEDGER_TEXTS] = {"job",   "user",  "account", "partition", "node",
                                                   "state", "start", "end",     "model",     "incomplete"};

/* More GPUs than a node can give to a job. */
static const int64_t held_gpus_max = 1024;

/* ---- writing ---- */

/* A parameter that says what a scheduler gave to the job: held_gpus; held_start and held_end, in seconds
 * since 1970. Returns 0 if there is none. */
static int64_t read_held(const struct smi_summary *s, const char *key, int64_t unit_micro, int64_t most)
{
    const struct smi_param *p = smi_run_param(s, key);
    int64_t micro;
    if (!p || !p->text || smi_text_parse_micro(smi_text_of(p->text), &micro) || micro < 0)
        return 0;
    return micro / unit_micro < most ? micro / unit_micro : most;
}

/* Names of any bytes stay apart. */
static void put_text(struct smi_json *j, enum smi_ledger_text id, const char *text)
{
    struct smi_buf valid = {0};
    if (!text || !*text)
        return;
    smi_buf_utf8(&valid, text);
    smi_json_key_str(j, keys[id], valid.p);
    smi_buf_fini(&valid);
}

static void put_numbers(struct smi_json *j, const char *key, const int64_t *v, int n)
{
    smi_json_key_open(j, key, '[');
    for (int i = 0; i < n; i++)
        smi_json_i128(j, v[i]);
    smi_json_close(j, ']');
}

/* The time for which the job held the GPU and no row covers it is unknown. */
static void put_gpu(struct smi_json *j, const struct smi_summary *s, const struct smi_gpu *g, int64_t held_ms)
{
    const int64_t *waste = g->waste.ms, missing_ms = held_ms > g->covered_ms ? held_ms - g->covered_ms : 0;
    const int64_t ms[SMI_LEDGER_PARTS] = {[SMI_LEDGER_ALL] = g->covered_ms + missing_ms,
                                          [SMI_LEDGER_FAILED] = waste[SMI_WASTE_FAILED],
                                          [SMI_LEDGER_HELD] = waste[SMI_WASTE_UNUSED],
                                          [SMI_LEDGER_IDLE] = waste[SMI_WASTE_START] +
                                                              waste[SMI_WASTE_STALL] + waste[SMI_WASTE_END],
                                          [SMI_LEDGER_UNKNOWN] = waste[SMI_WASTE_UNKNOWN] + missing_ms};
    const struct smi_value sm = smi_median_at_work(g, SMI_CLK_SM, SMI_FULL_LOAD),
                           clock = sm.has ? sm : smi_median_at_work(g, SMI_CLK_GR, SMI_FULL_LOAD),
                           power = smi_median_at_work(g, SMI_POWER, SMI_FULL_LOAD);
    const int64_t *idle = waste + SMI_IDLE_HELD, /* and SMI_IDLE_FREE */
        load[] = {g->known_ms, (int64_t)smi_i128_div(clock.micro, 1000000),
                  (int64_t)smi_i128_div(power.micro, 1000000)};
    smi_json_open(j, '{');
    smi_json_key_str(j, "uuid", g->uuid);
    if (g->name && s->gpus[0].name && strcmp(g->name, s->gpus[0].name) != 0)
        put_text(j, SMI_LEDGER_MODEL, g->name);
    put_numbers(j, "ms", ms, SMI_LEDGER_PARTS);
    if (g->energy_wh.has)
        smi_json_key_int(j, "joules", (int64_t)smi_i128_div((smi_i128)g->energy_wh.micro * 9, 2500));
    if (idle[0] || idle[1])
        put_numbers(j, "idle", idle, 2);
    if (clock.has && power.has && g->known_ms)
        put_numbers(j, "load", load, 3);
    smi_json_close(j, '}');
}

void smi_ledger_row_write(struct smi_buf *to, const struct smi_summary *s)
{
    static const struct smi_gpu unread = {0};
    const int64_t begin = read_held(s, "held_start", 1000, INT64_MAX),
                  end = read_held(s, "held_end", 1000, INT64_MAX),
                  held_ms = end > begin && end - begin < ms_max ? end - begin : 0,
                  held = held_ms ? read_held(s, "held_gpus", 1000000, held_gpus_max) : 0;
    int64_t n = 0;
    char time[SMI_CLOCK_TEXT];
    struct smi_buf text = {0};
    struct smi_json j;
    smi_json_begin(&j, to);
    smi_json_open(&j, '{');
    smi_json_key_str(&j, "schema", SMI_LEDGER_SCHEMA);
    for (int id = SMI_LEDGER_JOB; id <= SMI_LEDGER_PARTITION; id++) {
        const struct smi_param *p = smi_run_param(s, keys[id]);
        const char *v = p && p->text ? p->text : id == SMI_LEDGER_JOB ? s->run : NULL;
        put_text(&j, (enum smi_ledger_text)id, v);
        if (id == SMI_LEDGER_JOB && v && !smi_text_is_utf8(smi_text_of(v))) {
            smi_buf_hex(&text, v);
            smi_json_key_str(&j, "name_bytes", text.p);
        }
    }
    put_text(&j, SMI_LEDGER_NODE, s->hostname);
    put_text(&j, SMI_LEDGER_STATE, smi_state_names[s->state]);
    if (held_ms || s->has_start) {
        smi_clock_write(time, held_ms ? begin : s->start_ms, held_ms || s->zoned);
        put_text(&j, SMI_LEDGER_START, time);
        smi_clock_write(time, held_ms ? end : s->end_ms, held_ms || s->zoned);
        put_text(&j, SMI_LEDGER_END, time);
    }
    put_text(&j, SMI_LEDGER_MODEL, s->ngpus ? s->gpus[0].name : NULL);
    smi_buf_clear(&text);
    smi_quality_write(&text, s);
    put_text(&j, SMI_LEDGER_INCOMPLETE, text.n ? text.p : NULL);
    smi_buf_fini(&text);
    smi_json_key_open(&j, "gpus", '[');
    SMI_EACH_GPU (g, s)
        if (!g->pooled && ++n)
            put_gpu(&j, s, g, held_ms);
    for (; n < held; n++) /* that the job held without any reading */
        put_gpu(&j, s, &unread, held_ms);
    smi_json_close(&j, ']');
    smi_json_close(&j, '}');
    smi_buf_char(to, '\n');
}

/* ---- reading ---- */

static bool read_number(const struct smi_json_value *v, int64_t most, int64_t *to)
{
    *to = smi_json_is(v, SMI_JSON_NUMBER) ? smi_cell_digits(v->f.text, SMI_CELL_DIGITS) : -1;
    return *to >= 0 && *to <= most;
}

/* The text of a member; NULL: there is none. */
static const char *read_member(struct smi_ledger_row *row, const struct smi_json_value *of, const char *key)
{
    const struct smi_json_value *v = SMI_JSON_GET(of, key);
    return smi_json_is(v, SMI_JSON_STRING) ? smi_arena_text(&row->texts, v->f.text.p, v->f.text.n) : NULL;
}

/* The parts are not longer than the whole. Earlier versions wrote the load from 50 and 70 % of use on, too,
 * in front of that from 90 % on. */
static bool read_gpu(struct smi_ledger_row *row, struct smi_ledger_gpu *g, const struct smi_json_value *o)
{
    const struct smi_json_value *ms = SMI_JSON_GET(o, "ms"), *joules = SMI_JSON_GET(o, "joules"),
                                *load = SMI_JSON_GET(o, "load"), *idle = SMI_JSON_GET(o, "idle");
    const size_t loads = smi_json_is(load, SMI_JSON_LIST) ? (size_t)load->f.micro : 0;
    int64_t left = 0;
    *g = (struct smi_ledger_gpu){.uuid = read_member(row, o, "uuid"),
                                 .model = read_member(row, o, keys[SMI_LEDGER_MODEL])};
    g->model = g->model ? g->model : row->text[SMI_LEDGER_MODEL];
    for (size_t i = 0; i < SMI_LEDGER_PARTS; i++) {
        if (!read_number(smi_json_element(ms, i), ms_max, &g->ms[i]))
            return false;
        left += i ? -g->ms[i] : g->ms[i];
    }
    if (left < 0 || (joules && !read_number(joules, joules_max, &g->joules)) ||
        (load && loads != 3 && loads != 9))
        return false;
    for (size_t i = 0; idle && i < 2; i++)
        if (!read_number(smi_json_element(idle, i), ms_max, &g->idle_ms[i]))
            return false;
    return !load || (read_number(smi_json_element(load, loads - 3), ms_max, &g->load_ms) &&
                     read_number(smi_json_element(load, loads - 2), reading_max, &g->clock) &&
                     read_number(smi_json_element(load, loads - 1), reading_max, &g->power));
}

bool smi_ledger_row_read(struct smi_ledger_row *row, struct smi_text line)
{
    const struct smi_json_value *of = smi_json_parse(line, &row->values) ? row->values.v : NULL,
                                *list = SMI_JSON_GET(of, "gpus");
    smi_arena_reset(&row->texts);
    row->gpus = 0;
    if (!smi_text_is(smi_json_text_of(SMI_JSON_GET(of, "schema")), SMI_LEDGER_SCHEMA) ||
        !smi_json_is(list, SMI_JSON_LIST))
        return false;
    for (int i = 0; i < SMI_LEDGER_TEXTS; i++)
        row->text[i] = read_member(row, of, keys[i]);
    smi_mem_reserve(&row->gpu, &row->cap, list->size, sizeof *row->gpu);
    SMI_JSON_EACH (gpu, list)
        if (!read_gpu(row, &row->gpu[row->gpus++], gpu))
            return false;
    return true;
}

void smi_ledger_row_fini(struct smi_ledger_row *row)
{
    smi_json_values_fini(&row->values);
    smi_arena_fini(&row->texts);
    smi_mem_free(row->gpu);
    *row = (struct smi_ledger_row){0};
}
