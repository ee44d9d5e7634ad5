/* run_summary.c - the summary beside a recording. */
#include "cli/run_summary.h"

#include "base/clock.h"
#include "cli/write_result.h"
#include "export/text_file.h"

#include <malloc.h>

int smi_write_run_summary(const char *dir, struct smi_err *err)
{
    struct smi_settings set;
    struct smi_sweep s = {0};
    struct smi_buf b = {0}, path = {0};
    struct smi_render_options look;
    int rc;
    smi_settings_init(&set);
    set.json = true;
    rc = smi_settings_check(&set, err);
    if (rc == 0)
        rc = smi_sweep_read(&s, &dir, 1, &set.d, &set.o, err);
    look = smi_render_options_of(&set);
    if (rc == 0)
        rc = smi_write_json(&b, &s, &look, err);
    smi_buf_fmt(&path, "%s/summary.json", dir);
    if (rc == 0)
        rc = path.failed ? smi_err_nomem(err) : smi_text_file_put(path.p, &b, err);
    smi_sweep_fini(&s);
    smi_buf_fini(&b);
    smi_buf_fini(&path);
    smi_settings_fini(&set);
    /* Beside a job that needs the memory: what reading all logs took goes back to the system. */
    malloc_trim(0);
    return rc ? -1 : 0;
}

enum { DUTY = 200 /* reading all of a long recording again may take so little of the time: 1 in DUTY */ };

int64_t smi_refresh_run_summary(const char *dir, struct smi_live *live, int64_t now_ms)
{
    struct smi_err err = {0};
    int64_t rest;
    if (smi_write_run_summary(dir, &err))
        smi_machine_add_event(smi_live_machine(live), SMI_EVENT_ERROR, "%s", err.text);
    rest = (smi_clock_now_ms() - now_ms) * DUTY;
    return now_ms + (rest > SMI_RUN_SUMMARY_MS ? rest : SMI_RUN_SUMMARY_MS);
}
