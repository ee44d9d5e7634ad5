#include "formats/cpu_ticks.h"

enum { USER, NICE, SYSTEM, IDLE, IOWAIT };

int64_t smi_ticks_whole(struct smi_text t)
{
    int64_t v = 0;
    if (t.n == 0 || t.n > 18)
        return -1;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9')
            return -1;
        v = v * 10 + (t.p[i] - '0');
    }
    return v;
}

bool smi_ticks_read(struct smi_text line, struct smi_ticks *ticks)
{
    struct smi_text t = line, w;
    int n = 0;
    *ticks = (struct smi_ticks){{0}};
    if (!smi_text_is(smi_text_word(&t), "cpu"))
        return false;
    for (; (w = smi_text_word(&t)).n; n++) {
        int64_t v = smi_ticks_whole(w);
        if (v < 0)
            return false;
        if (n < SMI_TICKS)
            ticks->of[n] = v;
    }
    return n >= 4;
}

bool smi_ticks_is_cpu(struct smi_text word)
{
    return word.n > 3 && memcmp(word.p, "cpu", 3) == 0 &&
           smi_ticks_whole((struct smi_text){word.p + 3, word.n - 3}) >= 0;
}

static int64_t share(int64_t part, int64_t all)
{
    return (int64_t)smi_wide_div((smi_i128)part * 100000000, all);
}

bool smi_ticks_shares(const struct smi_ticks *before, const struct smi_ticks *now, struct smi_tick_shares *s)
{
    int64_t d[SMI_TICKS], all = 0;
    for (int i = 0; i < SMI_TICKS; i++) {
        d[i] = now->of[i] > before->of[i] ? now->of[i] - before->of[i] : 0;
        all += d[i];
    }
    if (all == 0)
        return false;
    *s = (struct smi_tick_shares){share(d[USER] + d[NICE], all), share(d[IDLE], all),
                                  share(all - d[IDLE] - d[IOWAIT], all), share(d[IOWAIT], all)};
    return true;
}
