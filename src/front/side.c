/* side.c - a side of a comparison: as runs are read, or from what was written of them. */
#include "front/runs.h"

#include "base/clock.h"
#include "compare/earlier.h"
#include "front/emit.h"
#include "front/say.h"
#include "front/warn.h"

#include <string.h>

/* A JSON holds what one row says of a run: of the other tables it would answer with nothing. */
static int check_tables(const char *path, const struct smi_ask *q, struct smi_err *err)
{
    static const char *const tables[] = {"gpus", "phases", "findings"};
    enum smi_side_kind kind;
    if (q->where && smi_side_kind(path, &kind, err))
        return -1;
    for (int i = 0; i < 3 && q->where; i++)
        if (kind == SMI_SIDE_JSON && strcasestr(q->where, tables[i]))
            return smi_err_set(err, SMI_EUSAGE, "--where: %.200s is JSON, and has no table %s: give the logs", path,
                               tables[i]);
    return 0;
}

int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd, int *doubt)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    struct smi_answer none = {0};
    struct smi_err err = {0};
    int rc;
    if (check_tables(path, &set->ask, &err))
        return smi_fail(&err, cmd);
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    rc = smi_side_read(s, path, &set->d, &set->o, &err);
    smi_progress_end(&p);
    if (rc) {
        smi_fail(&err, NULL);
        return err.code == SMI_ENOMEM   ? SMI_EXIT_OUTPUT
               : err.code == SMI_EUSAGE ? SMI_EXIT_USAGE
                                        : SMI_EXIT_NOTHING;
    }
    *doubt |= smi_warn(s, set);
    rc = smi_ask_any(&set->ask) ? smi_choose(s, set, &none) : SMI_EXIT_OK;
    smi_answer_fini(&none);
    if (rc || (s->usable && s->n))
        return rc;
    if (s->all)
        smi_err_set(&err, SMI_EFORMAT, "no run of %.300s is what was asked for", path);
    smi_nothing_in(&path, 1, set, &err);
    smi_fail(&err, NULL);
    return SMI_EXIT_NOTHING;
}
