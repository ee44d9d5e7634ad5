#include "base/clock.h"
#include "live/host_private.h"

/* A column is there if the file is that its value comes from, and the limit of which it is a share. */
static bool has_column(const struct smi_host *h, enum smi_host_id id)
{
    static const uint8_t from[SMI_HOST_COUNT] = {[SMI_HOST_RAM_PCT] = SMI_HOST_FILE_MEMINFO,
                                                 [SMI_HOST_RAM_USED] = SMI_HOST_FILE_MEMINFO,
                                                 [SMI_HOST_SWAP_USED] = SMI_HOST_FILE_MEMINFO,
                                                 [SMI_HOST_LOAD] = SMI_HOST_FILE_LOAD,
                                                 [SMI_HOST_PSI_CPU] = SMI_HOST_FILE_PSI_CPU,
                                                 [SMI_HOST_PSI_MEM] = SMI_HOST_FILE_PSI_MEM,
                                                 [SMI_HOST_PSI_IO] = SMI_HOST_FILE_PSI_IO,
                                                 [SMI_HOST_CG_CPU_PCT] = SMI_HOST_FILE_CG_TIME,
                                                 [SMI_HOST_CG_THROTTLED] = SMI_HOST_FILE_CG_CPU_MAX,
                                                 [SMI_HOST_CG_RAM] = SMI_HOST_FILE_CG_RAM,
                                                 [SMI_HOST_CG_RAM_PCT] = SMI_HOST_FILE_CG_RAM,
                                                 [SMI_HOST_CG_OOM] =
                                                     SMI_HOST_FILE_CG_EVENTS}; /* others: /proc/stat */
    enum smi_host_id limit = id == SMI_HOST_CG_RAM_PCT ? SMI_HOST_CG_RAM_LIMIT : SMI_HOST_CG_CPU_LIMIT;
    if (smi_host_values[id].metric < 0)
        return false;
    if ((id == SMI_HOST_CG_CPU_PCT || id == SMI_HOST_CG_THROTTLED || id == SMI_HOST_CG_RAM_PCT) &&
        !(h->limits >> limit & 1))
        return false;
    return id <= SMI_HOST_IDLE || h->fd[from[id]] >= 0; /* the two stand in every file */
}

void smi_host_csv_head(const struct smi_host *h, struct smi_buf *to)
{
    smi_buf_str(to, "timestamp");
    for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++)
        if (has_column(h, id))
            smi_buf_fmt(to, ",%s", smi_host_values[id].name);
    smi_buf_char(to, '\n');
}

void smi_host_csv_row(const struct smi_host *h, const struct smi_host_sample *s, int64_t t_ms,
                      struct smi_buf *to)
{
    char t[SMI_CLOCK_TEXT + SMI_MICRO_TEXT];
    if (h->fd[SMI_HOST_FILE_STAT] >= 0 && !smi_host_has(s, SMI_HOST_USR))
        return;
    smi_buf_add(to, t, smi_clock_write(t, t_ms, false));
    smi_buf_str(to, "+00:00");
    for (enum smi_host_id id = 0; id < SMI_HOST_COUNT; id++) {
        if (!has_column(h, id))
            continue;
        smi_buf_char(to, ',');
        if (smi_host_has(s, id))
            smi_buf_add(to, t, smi_text_write_fixed(t, s->v[id], smi_host_values[id].digits));
    }
    smi_buf_char(to, '\n');
}
