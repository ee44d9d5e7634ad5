/* command_merge.c - partial summaries to one. All or nothing: a sum with a part missing would look like a
 * result. */
#include "cli/write_result.h"
#include "cli/read_runs.h"
#include "cli/option.h"
#include "cli/warnings.h"
#include "cli/settings.h"
#include "export/stored.h"

#include <sys/stat.h>

static const struct smi_opt *const opts[] = {smi_opts_output,  smi_opts_filter,  smi_opts_query,
                                             smi_opts_summary, smi_opts_partial, NULL};

static int run_merge(int argc, char **argv);

const struct smi_cmd smi_cmd_merge = {
    .name = "merge",
    .args = "[OPTION]... FILE...",
    .help = "Partial summaries of the same runs, or of different ones, as one sweep.",
    .examples = "  smilog summarize --partial part1/ -o 1.partial    on one machine\n"
                "  smilog summarize --partial part2/ -o 2.partial    on another\n"
                "  smilog merge 1.partial 2.partial                  as if it had been one\n"
                "  smilog merge --run all --json *.partial           all parts are of one run\n"
                "  smilog merge --partial *.partial -o rack1.partial for another merge\n"
                "  cat *.partial | smilog merge -                    a stream of them\n",
    .opts = opts,
    .run = run_merge,
};

static int merge_paths(int n, char **path, const struct smi_settings *set)
{
    struct smi_sweep s;
    struct smi_err err = {0};
    struct stat st;
    int rc, doubt;
    for (int i = 0; i < n; i++)
        if (stat(path[i], &st) == 0 && S_ISDIR(st.st_mode)) {
            smi_err_set(&err, SMI_EIO,
                        "%.150s is a directory: merge wants files, smilog summarize takes directories",
                        path[i]);
            smi_fail(&err, NULL);
            return SMI_EXIT_NOTHING;
        }
    if (set->partial)
        return smi_merge_partials((const char *const *)path, (size_t)n, set);
    rc = smi_stored_read(&s, (const char *const *)path, (size_t)n, set->d.run, NULL, &set->o, &err);
    if (rc) {
        smi_fail(&err, NULL);
        return err.code == SMI_ENOMEM ? SMI_EXIT_OUTPUT : SMI_EXIT_NOTHING;
    }
    doubt = smi_print_warnings(&s, set);
    rc = smi_write_result(&s, set);
    smi_sweep_fini(&s);
    return rc ? rc : doubt;
}

static int run_merge(int argc, char **argv)
{
    struct smi_settings set;
    struct smi_err err = {0};
    int rc;
    smi_settings_init(&set);
    rc = smi_opt_begin(&smi_cmd_merge, &argc, argv, &set);
    if (rc < 0 && argc < 2)
        smi_err_set(&err, SMI_EUSAGE, "merge wants the files to merge");
    if (rc < 0 && (err.code || smi_settings_check(&set, &err) ||
                   smi_settings_check_overwrite(&set, (const char *const *)argv + 1, (size_t)argc - 1, &err)))
        rc = smi_fail(&err, "merge");
    else if (rc < 0)
        rc = merge_paths(argc - 1, argv + 1, &set);
    smi_settings_fini(&set);
    return rc;
}
