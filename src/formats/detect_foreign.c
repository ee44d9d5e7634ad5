#include "formats/detect_foreign.h"

#include "base/clock.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool text_contains(struct smi_text t, const char *s)
{
    return memmem(t.p, t.n, s, strlen(s)) != NULL;
}

/* "memory.used [MiB]" -> "memory.used" */
static struct smi_text without_unit(struct smi_text t)
{
    const char *open = t.n && t.p[t.n - 1] == ']' ? memchr(t.p, '[', t.n) : NULL;
    return open ? smi_text_trim((struct smi_text){t.p, (size_t)(open - t.p)}) : t;
}

void smi_foreign_line(struct smi_foreign_line *l, struct smi_text line)
{
    const char *p = line.p, *end = p + line.n, *comma;
    l->line = smi_text_trim(line);
    l->n = 0;
    do {
        comma = memchr(p, ',', (size_t)(end - p));
        l->cell[l->n++] =
            without_unit(smi_text_trim((struct smi_text){p, (size_t)((comma ? comma : end) - p)}));
        p = comma ? comma + 1 : end;
    } while (comma && l->n < SMI_FOREIGN_CELLS);
}

static bool has_name(const struct smi_foreign_line *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (smi_text_is_nocase(l->cell[i], name))
            return true;
    return false;
}

static bool has_any_name(const struct smi_foreign_line *l, const char *const *names)
{
    for (; *names; names++)
        if (has_name(l, *names))
            return true;
    return false;
}

static bool is_whole(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++)
        if (!is_digit(t.p[i]))
            return false;
    return t.n > 0;
}

/* "Timestamp                                 : Wed Jul 15 10:21:44 2026": nvidia-smi -q */
static bool is_report(const struct smi_foreign_line *l)
{
    struct smi_text t = l->line, w = smi_text_word(&t);
    return smi_text_is(w, "Timestamp") && smi_text_is(smi_text_word(&t), ":");
}

static bool is_xpu(const struct smi_foreign_line *l)
{
    static const char *const names[] = {"utilization.compute", "utilization.render", "utilization.copy",
                                        NULL};
    return has_any_name(l, names);
}

/* Known and not read: one row each. The first that fits is named. */
static const struct {
    const char *begin; /* the line begins so, or NULL: */
    bool (*is)(const struct smi_foreign_line *l);
    const char *why;
} refusals[] = {
    {NULL, is_xpu, "an xpu-smi log: not read"},
    {"{\"schema\": \"smilog-partial/", NULL, "a partial summary: smilog merge reads it"},
    {"{\"schema\": \"smilog/", NULL, "a summary that smilog wrote, no log"},
    {"GPUId,TimeStampUs,", NULL, "a DCGM dump: not read"},
    {"==============NVSMI LOG", NULL, "an nvidia-smi -q report, not its CSV"},
    {NULL, is_report, "an nvidia-smi -q report, not its CSV"},
    {"<?xml", NULL, "XML (of nvidia-smi -q -x?), not its CSV"},
};

const char *smi_foreign(const struct smi_foreign_line *l)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (refusals[i].begin ? smi_text_starts_nocase(l->line, refusals[i].begin) : refusals[i].is(l))
            return refusals[i].why;
    return NULL;
}

/* "    0     62      4      0      -": numbers and dashes below a header that is not there */
static bool is_headless(const struct smi_foreign_line *l)
{
    struct smi_text t = l->line, w = smi_text_word(&t);
    int64_t ms;
    int n = 0;
    if (smi_clock_parse_hms(w, &ms) == 0)
        w = smi_text_word(&t);
    for (; w.n; w = smi_text_word(&t), n++)
        if (!is_whole(w) && !(n && smi_text_is(w, "-")) && !(n == 1 && smi_clock_parse_hms(w, &ms) == 0))
            return false;
    return n >= 4;
}

/* amd-smi --json: a list over many lines, from 26 on inside "gpu_data" */
static bool is_amd_json(const struct smi_foreign_line *l)
{
    struct smi_text t = l->line;
    while (t.n && (*t.p == '[' || *t.p == '{' || *t.p == ' '))
        t = (struct smi_text){t.p + 1, t.n - 1};
    return smi_text_starts_nocase(t, "\"gpu\":") || smi_text_starts_nocase(t, "\"gpu_data\":");
}

/* "    0      11327     C      -      -      -      -      -      -    memhog" */
static bool is_pmon_row(const struct smi_foreign_line *l)
{
    struct smi_text t = l->line, gpu = smi_text_word(&t), pid = smi_text_word(&t), type = smi_text_word(&t);
    return is_whole(gpu) && is_whole(pid) &&
           (smi_text_is(type, "C") || smi_text_is(type, "G") || smi_text_is(type, "C+G"));
}

const char *smi_foreign_hint(const struct smi_foreign_line *l)
{
    if (is_amd_json(l))
        return "amd-smi JSON: its --csv is read";
    if (smi_text_starts_nocase(l->line, "+---") ||
        (*l->line.p == '|' && text_contains(l->line, "NVIDIA-SMI")))
        return "an nvidia-smi table, not its CSV";
    if (is_pmon_row(l))
        return "rows of nvidia-smi pmon without their header: the columns are not known";
    if (is_headless(l))
        return "numbers without a header (rows of nvidia-smi dmon?)";
    return NULL;
}
