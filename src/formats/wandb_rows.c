/* Weights & Biases: what a run's binary log (run-ID.wandb) holds, as the lines that base/stream.h makes of
 * it. A key of a run of several nodes ends with "/l:NODE".
 *
 * Each stats record is of one sampler: the keys of all GPUs, "gpu.N.METRIC", or those of the machine. "cpu"
 * and "proc..." are of the run's process, and shares of memory are in bytes beside: they are not read. */
#include "base/clock.h"
#include "base/mem.h"
#include "formats/json_line.h"

enum { GPUS = 64, INDEX = 24, INDEX_DIGITS = 6 };

struct smi_reader {
    struct smi_lines lines;          /* first: see lines.c */
    int64_t total[GPUS + 1];         /* millionths of MiB; 0: not known */
    struct smi_sample row[GPUS + 1]; /* of the record at hand; the last is of the machine */
    bool sent;                       /* it has a reading */
    int gpus;             /* with a reading in the record at hand, at most: the highest index + 1 */
    size_t next;          /* smi_names_follow */
    struct smi_text node; /* whose readings are in row and host; empty: the only one */
    bool told;            /* that some GPUs are beyond GPUS */
};

/* ---- stats ---- */

/* "gpu.12.temp": 12, and name is "temp"; -1 for another key. */
static int gpu_of_key(struct smi_text key, struct smi_text *name)
{
    const struct smi_text rest = smi_text_from(key, key.n < 4 ? key.n : 4);
    const size_t n = smi_text_digits(rest);
    if (!n || memcmp(key.p, "gpu.", 4) || n + 1 >= rest.n || rest.p[n] != '.')
        return -1;
    *name = smi_text_from(rest, n + 1);
    return n > INDEX_DIGITS ? GPUS : (int)smi_cell_digits((struct smi_text){rest.p, n}, INDEX_DIGITS);
}

/* gpu GPUS: of the machine. */
static void send_row(struct smi_reader *r, int gpu, int64_t t_us)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    struct smi_sample *s = &r->row[gpu];
    char digits[INDEX];
    if (!s->n)
        return;
    s->t_ms = t_us / 1000;
    s->timed = s->fine = s->shared = true;
    key[SMI_DEVICE_KEY_INDEX] = (struct smi_text){digits, smi_i128_write(digits, gpu)};
    key[SMI_DEVICE_KEY_SERIAL] = r->node; /* tells its GPUs from those of other nodes */
    s->who = gpu < GPUS ? smi_devices_find_key(r->lines.devices, key) : SMI_DEVICE_HOST;
    if (r->total[gpu])
        smi_sample_add(s, SMI_FB_TOTAL, r->total[gpu]);
    smi_sample_check_power(s, &r->lines, !r->node.n);
    smi_lines_row(&r->lines, s);
    r->sent = true;
    s->n = 0;
}

/* Passes on what is in r->row, and the readings of the machine. */
static void send_rows(struct smi_reader *r, int64_t t_us)
{
    for (int gpu = 0; gpu < r->gpus; gpu++)
        send_row(r, gpu, t_us);
    r->gpus = 0;
    send_row(r, GPUS, t_us);
}

static int read_stats(struct smi_reader *r, const struct smi_json_value *entry, struct smi_text line)
{
    const struct smi_json_value *time = SMI_JSON_GET(entry, "time");
    const int64_t t_us = time ? time->f.micro : 0;
    if (!time || !time->f.number || !smi_clock_fits(t_us / 1000, &r->lines.minute.latest_ms))
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_TIME, line);
    r->node = (struct smi_text){0};
    r->sent = false;
    SMI_JSON_EACH (v, entry) {
        const char *const stroke = memchr(v->f.key.p, '/', v->f.key.n);
        const char *at = stroke ? memmem(v->f.key.p, v->f.key.n, "/l:", 3) : NULL; /* the node behind it */
        const size_t n = at ? (size_t)(at - v->f.key.p) : v->f.key.n;
        const struct smi_text key = {v->f.key.p, n}, node = smi_text_from(v->f.key, at ? n + 3 : n);
        struct smi_text name;
        const int gpu = gpu_of_key(key, &name);
        const struct smi_alias *a = gpu < 0 ? NULL : smi_names_follow(&smi_names_wandb, &r->next, name);
        if (!smi_text_equal(node, r->node)) {
            send_rows(r, t_us);
            r->node = node;
        }
        if (gpu >= GPUS) {
            if (smi_say_once(r->lines.account, &r->told))
                smi_account_warn(r->lines.account, SMI_LOG_WARNING_OTHER,
                                 "more than %d GPUs: the rest is not read", GPUS);
        } else if (gpu >= 0 && !a) {
            smi_account_unknown(r->lines.account, name);
        } else if (gpu >= 0 && a->kind != SMI_COL_SKIP) {
            smi_json_reading(&r->row[gpu], a->what, a->how, v, r->lines.account);
            r->gpus = r->row[gpu].n && gpu + 1 > r->gpus ? gpu + 1 : r->gpus;
        } else if (smi_text_is(key, "memory_percent")) {
            smi_json_reading(&r->row[GPUS], SMI_RAM_PCT, 0, v, r->lines.account);
        } else if (smi_text_is(key, "cpu_utilization_percentage")) {
            smi_json_reading(&r->row[GPUS], SMI_CPU_PCT, 0, v, r->lines.account);
        }
    }
    send_rows(r, t_us);
    return smi_line_count(r->sent ? &r->lines.account->rows : &r->lines.account->messages);
}

/* ---- lines ---- */

/* -1: not a whole number from 0 on. */
static int64_t integer_of(const struct smi_json_value *v)
{
    return smi_json_is(v, SMI_JSON_NUMBER) ? smi_cell_digits(v->f.text, SMI_CELL_DIGITS) : -1;
}

/* A GPU of the machine: its number, uuid, name, memory. */
static int read_gpu(struct smi_reader *r, const struct smi_json_value *entry)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    int64_t gpu = integer_of(SMI_JSON_GET(entry, "index")),
            memory = integer_of(SMI_JSON_GET(entry, "memory"));
    char digits[INDEX];
    int who;
    if (gpu < 0 || gpu >= GPUS)
        return smi_line_count(&r->lines.account->messages);
    if (memory > 0 && memory < INT64_MAX / 1000000)
        r->total[gpu] = memory * 1000000 >> 20;
    key[SMI_DEVICE_KEY_INDEX] = (struct smi_text){digits, smi_i128_write(digits, gpu)};
    key[SMI_DEVICE_KEY_UUID] = smi_json_text_of(SMI_JSON_GET(entry, "uuid"));
    who = smi_devices_find_key(r->lines.devices, key);
    smi_devices_set_name(r->lines.devices, who, smi_json_text_of(SMI_JSON_GET(entry, "name")));
    return smi_line_count(&r->lines.account->messages);
}

static int read_wandb_entry(struct smi_reader *r, const struct smi_json_value *entry, struct smi_text line)
{
    const struct smi_text kind = smi_json_text_of(SMI_JSON_GET(entry, "wandb"));
    if (SMI_JSON_GET(entry, "event"))
        return smi_samples_mark_read(&r->lines, smi_json_text_of(SMI_JSON_GET(entry, "time")), entry, line);
    if (smi_text_is(kind, "stats"))
        return read_stats(r, entry, line);
    if (smi_text_is(kind, "gpu"))
        return read_gpu(r, entry);
    if (smi_text_is(kind, "other"))
        return smi_line_count(&r->lines.account->messages);
    return smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
}

static enum smi_sniff sniff_wandb(struct smi_text line)
{
    return smi_text_starts_nocase(line, "{\"wandb\": \"") ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

const struct smi_format smi_format_wandb = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_wandb,
    .entry = read_wandb_entry,
};
