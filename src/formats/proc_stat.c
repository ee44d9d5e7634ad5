/* Snapshots of /proc/stat, one behind the other, with or without a line of time in front of each:
 *
 *     1751500000.25
 *     cpu  60683 0 14574 189323 863 0 329 330 0 0
 *     cpu0 28998 0 6931 96607 186 0 157 167 0 0
 *     intr 1462898 ...
 *
 * Ticks since boot, see formats/column.h. A snapshot says what happened since the one before it, so the first
 * is no row. */
#include "base/mem.h"
#include "formats/column.h"
#include "formats/format.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT };

bool smi_cpu_ticks_read(struct smi_text line, struct smi_cpu_ticks *ticks)
{
    struct smi_text t = line, w;
    int n = 0;
    *ticks = (struct smi_cpu_ticks){{0}};
    if (!smi_text_is(smi_text_word(&t), "cpu"))
        return false;
    for (; (w = smi_text_word(&t)).n; n++) {
        int64_t v = smi_cell_digits(w, SMI_CELL_DIGITS);
        if (v < 0)
            return false;
        if (n < SMI_CPU_TICKS)
            ticks->of[n] = v;
    }
    return n >= 4;
}

bool smi_cpu_ticks_is_cpu(struct smi_text word)
{
    return word.n > 3 && memcmp(word.p, "cpu", 3) == 0 &&
           smi_cell_digits(smi_text_from(word, 3), SMI_CELL_DIGITS) >= 0;
}

static int64_t share_of_ticks(int64_t part, int64_t all)
{
    return (int64_t)smi_i128_div((smi_i128)part * 100000000, all);
}

bool smi_cpu_ticks_shares(const struct smi_cpu_ticks *before, const struct smi_cpu_ticks *now,
                          struct smi_cpu_shares *s)
{
    int64_t d[SMI_CPU_TICKS], all = 0;
    for (int i = 0; i < SMI_CPU_TICKS; i++) {
        d[i] = now->of[i] > before->of[i] ? now->of[i] - before->of[i] : 0;
        all += d[i];
    }
    if (all == 0)
        return false;
    *s = (struct smi_cpu_shares){share_of_ticks(d[USER] + d[NICE], all), share_of_ticks(d[IDLE], all),
                                 share_of_ticks(all - d[IDLE] - d[IOWAIT], all),
                                 share_of_ticks(d[IOWAIT], all)};
    return true;
}

struct smi_reader {
    struct smi_lines lines; /* first: see lines.c */
    bool begun;             /* a snapshot was seen */
    bool timed, fine;       /* a time stands above the snapshot that comes next */
    int64_t t_ms;
    struct smi_stamp_clock clock;
    struct smi_cpu_ticks ticks;
    int64_t cpus; /* lines of single CPUs in the last snapshot */
};

/* All times of a log stand on the base of the first one. */
static bool is_time(struct smi_reader *r, struct smi_text line)
{
    struct smi_stamp at;
    r->fine = false;
    if (smi_stamp_read_line(&r->clock, line, &at) || at.base >= SMI_TIME_BASE_DAY)
        return false;
    r->t_ms = at.t_ms;
    r->fine = at.fine;
    r->timed = smi_lines_on_base(&r->lines, at.base);
    return true;
}

static int on_snapshot(struct smi_reader *r, struct smi_text line, const struct smi_cpu_ticks *ticks)
{
    struct smi_cpu_shares share = {0};
    const bool first = !r->begun, passed = smi_cpu_ticks_shares(&r->ticks, ticks, &share);
    struct smi_sample s = {.t_ms = r->t_ms, .timed = r->timed, .fine = r->fine, .who = SMI_DEVICE_HOST};
    smi_sample_add(&s, SMI_CPU_USR, share.usr);
    smi_sample_add(&s, SMI_CPU_IDLE, share.idle);
    smi_sample_add(&s, SMI_CPU_PCT, share.busy);
    if (r->cpus)
        smi_sample_add(&s, SMI_CPUS, r->cpus * 1000000);
    r->ticks = *ticks;
    r->begun = true;
    r->timed = false;
    r->cpus = 0;
    if (first)
        return smi_line_count(&r->lines.account->header);
    if (!passed)
        return smi_line_reject(r->lines.account, SMI_REJECT_BAD_NUMBER, line);
    return smi_lines_row(&r->lines, &s);
}

static int read_proc_stat_line(void *self, struct smi_text line)
{
    static const char *const beside[] = {"intr",          "ctxt",          "btime",   "processes",
                                         "procs_running", "procs_blocked", "softirq", "page",
                                         "swap",          "disk_io:",      NULL};
    struct smi_reader *r = self;
    struct smi_text t = line, word = smi_text_word(&t);
    struct smi_cpu_ticks ticks;
    bool cpu = smi_cpu_ticks_is_cpu(word);
    if (smi_cpu_ticks_read(line, &ticks))
        return on_snapshot(r, line, &ticks);
    if (cpu || smi_text_is_one_of(word, beside) || is_time(r, line)) {
        r->cpus += cpu;
        return smi_line_count(&r->lines.account->messages);
    }
    return smi_message_count(r->lines.account, line)
               ? 0
               : smi_line_reject(r->lines.account, SMI_REJECT_FOREIGN, line);
}

static enum smi_sniff sniff_proc_stat(struct smi_text line)
{
    struct smi_cpu_ticks ticks;
    return smi_cpu_ticks_read(line, &ticks) ? SMI_SNIFF_YES : SMI_SNIFF_NO;
}

const struct smi_format smi_format_proc_stat = {
    .size = sizeof(struct smi_reader),
    .sniff = sniff_proc_stat,
    .line = read_proc_stat_line,
};
