#include "export/pytorch_usage_log.h"

#include "base/mem.h"

#include <string.h>

int smi_pytorch_usage_log_add(struct smi_pytorch_usage_log *m, int64_t t_ms, unsigned gpu, unsigned what,
                              int64_t micro, struct smi_err *err)
{
    if (m->n >= SMI_PYTORCH_READINGS)
        return smi_err_set(err, SMI_ELIMIT, "more than %d readings for one usage_log.txt",
                           SMI_PYTORCH_READINGS);
    if (smi_mem_reserve(&m->list, &m->cap, m->n + 1, sizeof *m->list))
        return smi_err_nomem(err);
    m->list[m->n] =
        (struct smi_pytorch_reading){t_ms, micro, (uint32_t)m->n, 0, (uint16_t)gpu, (uint16_t)what};
    m->n++;
    return 0;
}

int smi_pytorch_usage_log_add_command(struct smi_pytorch_usage_log *m, int64_t from_ms, int64_t to_ms,
                                      struct smi_text json, struct smi_err *err)
{
    size_t name;
    if (m->nseen >= SMI_PYTORCH_SIGHTINGS)
        return smi_err_set(err, SMI_ELIMIT, "commands named more than %d times", SMI_PYTORCH_SIGHTINGS);
    if (smi_pytorch_names_find(&m->names, json, &name, err))
        return -1;
    if (smi_mem_reserve(&m->seen, &m->seen_cap, m->nseen + 1, sizeof *m->seen))
        return smi_err_nomem(err);
    m->seen[m->nseen] =
        (struct smi_pytorch_sighting){from_ms, to_ms, 0, 0, (uint32_t)m->nseen, (uint32_t)name};
    m->nseen++;
    return 0;
}

static bool contains_word(struct smi_text t, const char *word)
{
    return t.n && memmem(t.p, t.n, word, strlen(word)) != NULL;
}

/* The monitor looks at the process's name, too: a shell that runs Python is not Python. */
bool smi_pytorch_is_named(struct smi_text command)
{
    struct smi_text rest = command, program = smi_text_word(&rest);
    for (size_t i = program.n; i > 0; i--)
        if (program.p[i - 1] == '/') {
            program = (struct smi_text){program.p + i, program.n - i};
            break;
        }
    return contains_word(program, "python") || contains_word(command, "pytest");
}

void smi_pytorch_usage_log_fini(struct smi_pytorch_usage_log *m)
{
    smi_pytorch_names_fini(&m->names);
    smi_mem_free(m->seen);
    smi_mem_free(m->list);
    m->seen = NULL;
    m->list = NULL;
    m->n = m->nseen = m->cap = m->seen_cap = 0;
}
