#include "formats/samples.h"

#include "base/clock.h"
#include "base/mem.h"

#include <string.h>

static const int64_t seconds_max = 1000000000; /* of one phase, as in a RunLog: 31 years */

int smi_samples_reader_is_own_run(struct smi_samples_reader *b, struct smi_lines *l, struct smi_text run,
                                  struct smi_text line)
{
    if (!b->run) {
        b->run = smi_mem_text(run.p, run.n);
        b->run_n = run.n;
        return 1;
    }
    if (b->run_n == run.n && memcmp(b->run, run.p, run.n) == 0)
        return 1;
    if (!b->told)
        smi_account_warn(l->account, SMI_LOG_WARNING_OTHER,
                         "rows of another run than %.100s: only those of "
                         "the first are read, export runs one by one",
                         b->run);
    b->told = true;
    smi_account_reject(l->account, SMI_REJECT_FOREIGN, line);
    return 0;
}

/* "00:10:46.109" in milliseconds; past midnight the hours count on. Returns 0 or -1. */
static int time_of_day(struct smi_text t, int64_t *ms)
{
    enum { TAIL = 10 /* ":10:46.109" */, HOURS = 9 /* digits at most */ };
    size_t n = t.n > TAIL ? t.n - TAIL : 0;
    const char *p = t.p + n;
    char clock[8] = "00";
    int64_t hours = smi_cell_digits((struct smi_text){t.p, n}, HOURS), part;
    if (n < 2 || hours < 0 || p[6] != '.')
        return -1;
    memcpy(clock + 2, p, 6);
    part = smi_cell_digits((struct smi_text){p + 7, 3}, 3);
    if (part < 0 || smi_clock_parse_hms((struct smi_text){clock, sizeof clock}, ms))
        return -1;
    *ms += hours * 3600000 + part;
    return 0;
}

/* Returns 0, or -1: the text is no time. */
static int read_time(struct smi_lines *l, struct smi_text t, struct smi_sample *s)
{
    enum smi_time_base base = SMI_TIME_BASE_DAY;
    int64_t us;
    bool fine, zoned = false;
    if (!t.n)
        return 0;
    if (time_of_day(t, &s->t_ms)) {
        if (smi_clock_parse_iso(t, &us, &fine, &zoned) == 0)
            base = zoned ? SMI_TIME_BASE_UTC : SMI_TIME_BASE_LOCAL;
        else if (smi_clock_parse_stamp(t, &us, &fine) == 0)
            base = SMI_TIME_BASE_LOCAL;
        else
            return -1;
        s->t_ms = us / 1000;
        if (!smi_clock_fits(s->t_ms, &l->latest_ms))
            return -1;
    }
    s->timed = smi_lines_on_base(l, base);
    s->fine = s->t_ms % 1000 != 0; /* of whole seconds, two rows of one time are no duplicates */
    return 0;
}

static int device_of(struct smi_lines *l, const struct smi_samples_row *row)
{
    struct smi_text key[SMI_DEVICE_KEY_COUNT] = {{0}};
    int who;
    if (row->host)
        return SMI_DEVICE_HOST;
    if (row->pooled || !(row->index.n || row->uuid.n || row->bus.n))
        return SMI_DEVICE_POOL;
    key[SMI_DEVICE_KEY_INDEX] = row->index;
    key[SMI_DEVICE_KEY_UUID] = row->uuid;
    key[SMI_DEVICE_KEY_BUS] = row->bus;
    who = smi_devices_find_key(l->devices, key);
    if (who >= 0 && row->name.n)
        smi_devices_set_name(l->devices, who, row->name);
    return who;
}

static int format_of(struct smi_text name)
{
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (smi_text_is(name, smi_format_infos[i].name))
            return i;
    return SMI_FMT_COUNT; /* of another version */
}

/* Is the row of the log that the device's first row was of? Returns 1, 0, or -1 without memory. */
static int is_main(struct smi_samples_reader *b, int who, int format)
{
    size_t at = who == SMI_DEVICE_HOST ? 0 : (size_t)who + 1;
    if (who < 0 && who != SMI_DEVICE_HOST)
        return 1;
    smi_mem_reserve(&b->main, &b->cap, at + 1, sizeof *b->main);
    if (!b->main[at])
        b->main[at] = (int16_t)(format + 1);
    return b->main[at] == format + 1;
}

void smi_samples_reader_read(struct smi_samples_reader *b, unsigned metric, int64_t v)
{
    if (b->n == SMI_SAMPLE_MAX)
        return;
    b->metric[b->n] = (uint16_t)metric;
    b->v[b->n++] = v;
}

int smi_samples_reader_add(struct smi_samples_reader *b, struct smi_lines *l,
                           const struct smi_samples_row *row, struct smi_text line, struct smi_err *err)
{
    struct smi_sample s = {.n = b->n, .metric = b->metric, .v = b->v};
    int main;
    b->n = 0;
    if (!s.n) {
        smi_account_reject(l->account, SMI_REJECT_BAD_NUMBER, line);
        return 0;
    }
    if (read_time(l, row->time, &s)) {
        smi_account_reject(l->account, SMI_REJECT_BAD_TIME, line);
        return 0;
    }
    s.fine &= row->row <= b->row; /* an export leaves duplicates out: only of a doubled line there is one */
    b->row = row->row;
    s.who = device_of(l, row);
    if (s.who == -1 && !row->host)
        return -1;
    main = is_main(b, s.who, format_of(row->format));
    if (!main) {
        s.fine = false;
        s.shared = true;
        s.aside = format_of(row->format) + 1;
        l->account->rows++;
    }
    return smi_sink_row(l->to, &s, err);
}

void smi_samples_reader_fini(struct smi_samples_reader *b)
{
    smi_mem_free(b->run);
    smi_mem_free(b->main);
    *b = (struct smi_samples_reader){0};
}

int smi_samples_mark_read(struct smi_json_fields *r, struct smi_lines *l, struct smi_text time, json_t *entry,
                          struct smi_text line, struct smi_err *err)
{
    const json_t *phase = json_object_get(entry, "phase");
    struct smi_mark m = {.kind = phase ? SMI_MARK_PHASE : SMI_MARK_EVENT,
                         .name = smi_json_string_of(phase ? phase : json_object_get(entry, "event")),
                         .field = r->field};
    bool fine, zoned;
    if (smi_clock_parse_iso(time, &m.t_us, &fine, &zoned) || !smi_clock_fits(m.t_us / 1000, &l->latest_ms)) {
        smi_account_reject(l->account, SMI_REJECT_BAD_TIME, line);
        return 0;
    }
    if (phase && (!smi_json_number(json_object_get(entry, "seconds"), &m.span_us) || m.span_us < 0 ||
                  m.span_us > seconds_max * 1000000)) {
        smi_account_reject(l->account, SMI_REJECT_BAD_NUMBER, line);
        return 0;
    }
    r->n = 0;
    r->full = false;
    smi_json_fields_add(r, json_object_get(entry, "data"), true, NULL);
    smi_json_fields_add(r, json_object_get(entry, "extra"), false, NULL);
    m.fields = r->n;
    return smi_json_mark(l, &m, r->full, err);
}
