/* run_summary.c - the summary beside a recording. */
#include "cli/run_summary.h"

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
