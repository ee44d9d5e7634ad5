#include "formats/usage_log_commands.h"

#include "base/mem.h"

#include <string.h>

static const int64_t apart_us = 60000000; /* exactly 60 s stay together */

static int send_command_phase(const struct smi_command *c, struct smi_sink *to, struct smi_err *err)
{
    const struct smi_mark m = {
        .kind = SMI_MARK_PHASE, .t_us = c->last_us, .span_us = c->last_us - c->first_us, .name = c->name};
    return to->mark ? to->mark(to, &m, err) : 0;
}

static void drop_command(struct smi_commands *c, size_t i)
{
    smi_mem_free((void *)(uintptr_t)c->list[i].name.p);
    memmove(&c->list[i], &c->list[i + 1], (c->n - i - 1) * sizeof *c->list);
    c->n--;
}

/* Records name the same commands in about the same order: the look-up begins behind the last one. */
static struct smi_command *find_command(struct smi_commands *c, struct smi_text name)
{
    size_t at = c->next < c->n ? c->next : 0;
    for (size_t i = 0; i < c->n; i++, at = at + 1 < c->n ? at + 1 : 0) {
        if (c->list[at].name.n != name.n || memcmp(c->list[at].name.p, name.p, name.n))
            continue;
        c->next = at + 1;
        return &c->list[at];
    }
    return NULL;
}

int smi_commands_observe(struct smi_commands *c, struct smi_text name, int64_t t_us, struct smi_err *err)
{
    struct smi_command *known = find_command(c, name);
    char *text;
    if (name.n < 6 || memcmp(name.p, "python", 6))
        return 0;
    if (known) {
        known->first_us = t_us < known->first_us ? t_us : known->first_us;
        known->last_us = t_us > known->last_us ? t_us : known->last_us;
        return 0;
    }
    if (c->n == SMI_COMMANDS_MAX)
        return 1;
    if (smi_mem_reserve(&c->list, &c->cap, c->n + 1, sizeof *c->list) ||
        !(text = smi_mem_text(name.p, name.n)))
        return smi_err_nomem(err);
    c->list[c->n++] = (struct smi_command){{text, name.n}, t_us, t_us};
    c->next = c->n;
    return 0;
}

int smi_commands_expire(struct smi_commands *c, int64_t t_us, struct smi_sink *to, struct smi_err *err)
{
    for (size_t i = 0; i < c->n;) {
        const struct smi_command *one = &c->list[i];
        if (t_us - one->last_us <= apart_us && one->first_us - t_us <= apart_us) {
            i++;
            continue;
        }
        if (send_command_phase(one, to, err))
            return -1;
        drop_command(c, i);
    }
    return 0;
}

int smi_commands_end(struct smi_commands *c, struct smi_sink *to, struct smi_err *err)
{
    for (size_t i = 0; i < c->n; i++)
        if (send_command_phase(&c->list[i], to, err))
            return -1;
    smi_commands_fini(c);
    return 0;
}

void smi_commands_fini(struct smi_commands *c)
{
    while (c->n)
        drop_command(c, c->n - 1);
    smi_mem_free(c->list);
    *c = (struct smi_commands){0};
}
