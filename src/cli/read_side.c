/* read_side.c - a side of a comparison: as runs are read, or from what was written of them. */
#include "cli/read_runs.h"

#include "base/clock.h"
#include "query/diff_side.h"
#include "cli/write_result.h"
#include "cli/message.h"
#include "cli/warnings.h"

#include <string.h>

/* A JSON holds what one row says of a run: of the other tables it would answer with nothing. */
static int check_tables(const char *path, enum smi_side_kind kind, const struct smi_query *q,
                        struct smi_err *err)
{
    static const char *const tables[] = {"gpus", "phases", "findings"};
    for (int i = 0; i < 3 && q->where; i++)
        if (kind == SMI_SIDE_JSON && strcasestr(q->where, tables[i]))
            return smi_err_set(err, SMI_EUSAGE, "--where: %.200s is JSON, and has no table %s: give the logs",
                               path, tables[i]);
    return 0;
}

/* A directory shows what it holds when it is read. */
static int read_diff_side(struct smi_sweep *s, const char *path, struct smi_settings *set,
                          enum smi_side_kind kind, struct smi_err *err)
{
    struct smi_progress p = {.start_ms = smi_clock_now_ms()};
    int rc;
    if (smi_is_stored_path(path) || kind == SMI_SIDE_PARTIAL)
        return smi_read_runs(s, &path, 1, set, err);
    set->d.progress = set->quiet ? NULL : smi_progress;
    set->d.self = &p;
    set->d.stored = true;
    rc = smi_side_read(s, path, &set->d, &set->o, err);
    smi_progress_end(&p);
    if (rc || !s->nstored)
        return rc;
    smi_sweep_fini(s);
    return smi_read_runs(s, &path, 1, set, err);
}

int smi_read_side(struct smi_sweep *s, const char *path, struct smi_settings *set, const char *cmd,
                  int *doubt)
{
    enum smi_side_kind kind = SMI_SIDE_LOGS;
    struct smi_result none = {0};
    struct smi_err err = {0};
    int rc;
    if (smi_side_kind(path, &kind, &err) || check_tables(path, kind, &set->ask, &err))
        return smi_fail(&err, cmd);
    set->sides = true;
    rc = read_diff_side(s, path, set, kind, &err);
    if (rc)
        return smi_fail_reading(&err, NULL);
    *doubt |= smi_print_warnings(s, set);
    rc = smi_query_any(&set->ask) ? smi_apply_query(s, set, &none) : SMI_EXIT_OK;
    smi_result_fini(&none);
    if (rc || (s->usable && s->n))
        return rc;
    if (s->all)
        smi_err_set(&err, SMI_EFORMAT, "no run of %.300s is what was asked for", path);
    smi_explain_no_input(&path, 1, set, &err);
    smi_fail(&err, NULL);
    return SMI_EXIT_NOTHING;
}
