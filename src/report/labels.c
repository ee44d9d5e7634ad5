/* labels.c - keys of metrics in words. */
#include "report/text.h"

#include <string.h>

/* The pieces of a metric's key as people say them. The first NOUNS come after what tells them from their
 * like: "SM clock". */
static const struct {
    const char *brief, *word;
} words[] = {{"clk", "clock"},     {"temp", "temperature"}, {"tlimit", "margin"}, {"fb", "VRAM"},
             {"util", "busy"},     {"mem", "memory"},       {"sm", "SM"},         {"gpu", "GPU"},
             {"cpu", "CPU"},       {"gr", "graphics"},      {"vid", "video"},     {"app", "application"},
             {"enc", "encoder"},   {"dec", "decoder"},      {"jpg", "JPEG"},      {"ofa", "OFA"},
             {"ccpm", "CCPM"},     {"bar1", "BAR1"},        {"pcie", "PCIe"},     {"viol", "throttled"},
             {"avg", "mean"},      {"inst", "instant"},     {"ecc", "ECC"},       {"c", "corrected"},
             {"u", "uncorrected"}, {"v", "volatile"},       {"a", "aggregate"},   {"sbe", "SBE"},
             {"dbe", "DBE"},       {"dram", "DRAM"},        {"sram", "SRAM"},     {"l1", "L1"},
             {"l2", "L2"},         {"cbu", "CBU"},          {"sw", "software"},   {"hw", "hardware"},
             {"us", "time"},       {"psi", "PSI"},          {"io", "I/O"},        {"oom", "OOM"},
             {"tree", "command"}};
enum { NOUNS = 3 };

/* Is the last piece of a key its unit, which stands elsewhere? */
static bool is_unit(struct smi_text t)
{
    static const char *const units[] = {"pct", "mib", "w", "c", "mhz", "mbs", "us"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (smi_text_is(t, units[i]))
            return true;
    return false;
}

const char *smi_metric_label(struct smi_text_arena *g, unsigned metric)
{
    return smi_key_label(g, smi_metrics[metric].key);
}

const char *smi_key_label(struct smi_text_arena *g, const char *key)
{
    const char *out = "", *nouns = "", **to;
    const size_t known = sizeof words / sizeof *words;
    for (size_t n, i; *key; key += n + (key[n] != 0)) {
        struct smi_text piece = {key, strcspn(key, "_.")};
        n = piece.n;
        if (!key[n] && is_unit(piece))
            break;
        for (i = 0; i < known && !smi_text_is(piece, words[i].brief); i++)
            ;
        to = i < NOUNS ? &nouns : &out;
        *to = i < known ? smi_fmt(g, "%s %s", *to, words[i].word) : smi_fmt(g, "%s %.*s", *to, (int)n, key);
    }
    out = smi_fmt(g, "%s%s", out, nouns);
    return *out ? out + 1 : out;
}
