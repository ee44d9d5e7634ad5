#include "formats/cpu_ticks.h"

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
           smi_cell_digits((struct smi_text){word.p + 3, word.n - 3}, SMI_CELL_DIGITS) >= 0;
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
