#include "report/command_text.h"

#include <string.h>

const char *const smi_command_part_names[SMI_COMMAND_PARTS] = {"all", "main", "descendants"};

enum { TEXT = 160 /* columns */ };

const char *smi_command_text(struct smi_text_arena *g, const struct smi_summary *s)
{
    return s->command ? smi_fmt_middle(g, smi_fmt_safe(g, s->command), TEXT, TEXT / 2) : NULL;
}

static bool in_mib(const struct smi_command_use *u)
{
    return strcmp(smi_metrics[u->metric[SMI_COMMAND_ALL]].unit, "MiB") == 0;
}

const char *smi_command_end(struct smi_text_arena *g, const struct smi_summary *s)
{
    const char *code = s->has_exit ? smi_fmt(g, "exit status %lld", (long long)s->exit_code) : "";
    const char *why = s->state_reason ? smi_fmt_safe(g, s->state_reason) : "";
    if (!*why || !*code || strcmp(why, code) == 0)
        return *code ? code : why;
    return smi_fmt(g, "%s (%s)", why, code);
}

bool smi_command_in_gib(const struct smi_command_figures *x, const struct smi_command_use *u)
{
    return x->max.has && in_mib(u) && x->max.micro >= (int64_t)1024 * 1000000;
}

const char *smi_command_unit(struct smi_text_arena *g, const struct smi_command_use *u, bool large)
{
    const char *unit = large ? "GiB" : smi_metrics[u->metric[SMI_COMMAND_ALL]].unit;
    return u->unit ? smi_fmt(g, "%s %s", unit, u->unit) : unit;
}

const char *smi_command_figure(struct smi_text_arena *g, const struct smi_command_use *u,
                               const struct smi_command_figures *x, bool mean, bool large)
{
    const struct smi_value v = mean ? x->mean : x->max;
    if (!v.has)
        return "-";
    if (large)
        return smi_fmt_ratio(g, v.micro, (int64_t)1024 * 1000000, 2);
    return smi_fmt_value(g, v, mean || u->mean || in_mib(u) ? 1 : 0);
}
