/* config_facts.c - what files beside the logs of a run say of it that is no parameter: host, command, commit,
 * GPUs, how it ended, and the values that it reached. */
#include "sweep/config.h"

#include "base/buf.h"
#include "base/signal_name.h"
#include "formats/json_line.h"
#include "summary/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 64 };

static int set_fact(struct smi_params *facts, const char *key, struct smi_text text)
{
    struct smi_text one_line = smi_text_prefix(text, SMI_CONFIG_TEXT);
    return one_line.n ? smi_params_set(facts, smi_text_of(key), one_line, false) : 0;
}

static int set_json_fact(struct smi_params *facts, const char *key, const json_t *o, const char *name)
{
    return set_fact(facts, key, smi_json_string_of(json_object_get(o, name)));
}

/* ---- wandb-metadata.json ----
 *
 *     {"host": "node1", "program": "/home/a/train.py", "codePath": "train.py", "args": ["--lr", "0.1"],
 *      "git": {"commit": "801fc061..", "remote": ".."}, "gpu": "NVIDIA A100", "gpu_count": 2,
 *      "gpu_nvidia": [{"name": "NVIDIA A100", "memoryTotal": "42949672960", "uuid": "GPU-1f.."}, ...]}
 *
 * Versions before 0.17 have gpu_devices with name and memory_total, and no uuid. */

static int set_wandb_command(struct smi_params *facts, const json_t *o)
{
    struct smi_buf b = {0};
    struct smi_text program = smi_json_string_of(json_object_get(o, "codePath"));
    const json_t *args = json_object_get(o, "args");
    int rc;
    if (!program.n)
        program = smi_json_string_of(json_object_get(o, "program"));
    smi_buf_add(&b, program.n ? program.p : "", program.n);
    for (size_t i = 0; program.n && i < json_array_size(args); i++) {
        struct smi_text word = smi_json_string_of(json_array_get(args, i));
        smi_buf_char(&b, ' ');
        smi_buf_add(&b, word.n ? word.p : "", word.n);
    }
    rc = b.failed ? -1 : set_fact(facts, SMI_FACT_COMMAND, (struct smi_text){b.p ? b.p : "", b.n});
    smi_buf_fini(&b);
    return rc;
}

static int set_wandb_gpu(struct smi_params *facts, size_t gpu, const json_t *o)
{
    char key[40];
    snprintf(key, sizeof key, SMI_FACT_GPU_NAME, gpu);
    if (set_json_fact(facts, key, o, "name"))
        return -1;
    snprintf(key, sizeof key, SMI_FACT_GPU_UUID, gpu);
    return set_json_fact(facts, key, o, "uuid");
}

static int set_wandb_gpus(struct smi_params *facts, const json_t *o)
{
    const json_t *list = json_object_get(o, "gpu_nvidia");
    if (!json_is_array(list))
        list = json_object_get(o, "gpu_devices");
    for (size_t i = 0; i < json_array_size(list) && i < GPUS; i++)
        if (set_wandb_gpu(facts, i, json_array_get(list, i)))
            return -1;
    return 0;
}

int smi_facts_wandb_metadata(struct smi_params *facts, struct smi_text t, const char **why)
{
    json_t *o;
    int rc = smi_config_json(facts->a, t, &o, why);
    if (!rc && o &&
        (set_json_fact(facts, SMI_FACT_HOST, o, "host") || set_wandb_command(facts, o) ||
         set_json_fact(facts, SMI_FACT_COMMIT, json_object_get(o, "git"), "commit") ||
         set_wandb_gpus(facts, o)))
        rc = -1;
    json_decref(o);
    return rc;
}

/* ---- values that a run reached ---- */

/* Its numbers, below the keys of path, "result." first; those of the logger itself begin with an underscore.
 */
static int set_results(struct smi_params *facts, struct smi_buf *path, json_t *o, int levels)
{
    const size_t above = path->n;
    int rc = path->failed ? -1 : 0;
    for (void *at = json_object_iter(o); at && !rc; at = json_object_iter_next(o, at)) {
        const char *key = json_object_iter_key(at);
        json_t *v = json_object_iter_value(at);
        char digits[SMI_JSON_DIGITS];
        if (*key == '_' || !(json_is_number(v) || (json_is_object(v) && levels > 1)))
            continue;
        smi_buf_str(path, key);
        if (json_is_object(v))
            smi_buf_char(path, '.');
        rc = path->failed        ? -1
             : json_is_object(v) ? set_results(facts, path, v, levels - 1)
                                 : smi_params_set(facts, (struct smi_text){path->p, path->n},
                                                  smi_config_scalar(v, digits), true);
        path->n = above;
    }
    return rc;
}

static int set_all_results(struct smi_params *facts, json_t *o, int levels)
{
    struct smi_buf path = {0};
    int rc;
    smi_buf_str(&path, SMI_FACT_RESULT);
    rc = set_results(facts, &path, o, levels);
    smi_buf_fini(&path);
    return rc;
}

/* {"_step": 49, "_runtime": 168, "_wandb": {"runtime": 168}, "val_acc": 38.57, "test": {"acc": 39}} */
int smi_facts_wandb_summary(struct smi_params *facts, struct smi_text t, const char **why)
{
    json_t *o;
    int rc = smi_config_json(facts->a, t, &o, why);
    if (!rc && o)
        rc = set_all_results(facts, o, SMI_CONFIG_DEPTH);
    json_decref(o);
    return rc;
}

/* Ray: a line for each result of a trial, the last one counts, if it is whole.
 *
 *     {"loss": 0.31, "training_iteration": 10, "trial_id": "a1b2c_00000", "done": true, "config": {"lr":
 * 0.1}} */
int smi_facts_ray_result(struct smi_params *facts, struct smi_text t, const char **why)
{
    struct smi_text line = {0};
    json_t *o = NULL;
    int rc = 0;
    *why = NULL;
    while (t.n && !o && !rc) {
        const char *end = memrchr(t.p, '\n', t.n);
        line.p = end ? end + 1 : t.p;
        line.n = (size_t)(t.p + t.n - line.p);
        t.n = end ? (size_t)(end - t.p) : 0;
        if (smi_text_trim(line).n)
            rc = smi_config_json(facts->a, line, &o, why);
        if (rc > 0 && t.n && o == NULL) { /* the last line may be torn: then the one before counts */
            rc = 0;
            continue;
        }
        if (smi_text_trim(line).n)
            break;
    }
    if (!rc && json_object_get(o, "training_iteration"))
        rc = set_all_results(facts, o, 1);
    json_decref(o);
    return rc;
}

/* ---- slurm-ID.out ---- */

static bool contains(struct smi_text t, const char *words)
{
    return memmem(t.p, t.n, words, strlen(words)) != NULL;
}

/* How bad it is to have ended so: the worst line tells. */
enum { LAST_LINES = 20, CAUSE = 7 /* above all of what follows from it */ };
struct job_end {
    int rank;
    const char *state; /* of smi_state_names */
    char reason[80];
    char exit_code[24];
};

static void note_end(struct job_end *end, int rank, const char *state, const char *reason)
{
    if (rank <= end->rank)
        return;
    end->rank = rank;
    end->state = state;
    snprintf(end->reason, sizeof end->reason, "%s", reason);
}

/* Lines of Slurm itself, which may stand behind a progress bar that has no end:
 *     slurmstepd: error: *** JOB 4711 ON node3 CANCELLED AT 2026-05-01T12:00:00 DUE TO TIME LIMIT ***
 *     slurmstepd: error: Detected 1 oom_kill event in StepId=4711.batch. Some of the step tasks have been OOM
 * Killed. srun: error: node3: task 0: Out Of Memory srun: error: node3: task 0: Exited with exit code 1 */
static void read_slurm_line(struct job_end *end, struct smi_text line)
{
    static const struct {
        const char *words, *reason;
        int rank;
        bool failed;
    } ends[] = {
        {"oom-kill", "out of host memory", 6, true},
        {"oom_kill", "out of host memory", 6, true},
        {"Out Of Memory", "out of host memory", 6, true},
        {"Exceeded job memory limit", "out of host memory", 6, true},
        {"DUE TO TIME LIMIT", "time limit", 5, false},
        {"DUE TO PREEMPTION", "preempted", 5, false},
        {"DUE TO NODE FAILURE", "node failure", 5, false},
        {"DUE TO JOB REQUEUE", "requeued", 5, false},
        {"CANCELLED AT", "cancelled", 4, false},
        {"Segmentation fault", "segmentation fault", 3, true},
        {"Bus error", "bus error", 3, true},
        {": Aborted", "aborted", 3, true},
        {": Killed", "killed", 2, true},
    };
    static const char code[] = "Exited with exit code ";
    const char *at;
    char reason[SMI_EXIT_TEXT];
    long exit_code;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (contains(line, ends[i].words))
            note_end(end, ends[i].rank, ends[i].failed ? "failed" : "cut", ends[i].reason);
    at = memmem(line.p, line.n, code, sizeof code - 1);
    exit_code = at ? strtol(at + sizeof code - 1, NULL, 10) : 0; /* the text ends with a NUL */
    if (exit_code <= 0 || exit_code > 255)
        return;
    snprintf(end->exit_code, sizeof end->exit_code, "%ld", exit_code);
    note_end(end, 1, "failed", smi_exit_text(reason, exit_code));
}

/* What the program itself wrote before it ended, or what it was that ended it:
 *     torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of
 * ... jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 8589934592 bytes.
 *     terminate called after throwing an instance of 'std::bad_alloc'
 * It may have caught that and gone on: it counts if the job failed, or if it is among the last lines. */
static const char *memory_error(struct smi_text line)
{
    static const struct {
        const char *words, *reason;
    } errors[] = {{"OutOfMemoryError", SMI_REASON_MEMORY},
                  {"CUDA out of memory", SMI_REASON_MEMORY},
                  {"HIP out of memory", SMI_REASON_MEMORY},
                  {"CUDA_ERROR_OUT_OF_MEMORY", SMI_REASON_MEMORY},
                  {"cudaErrorMemoryAllocation", SMI_REASON_MEMORY},
                  {"CUDA error: out of memory", SMI_REASON_MEMORY},
                  {"RESOURCE_EXHAUSTED", SMI_REASON_MEMORY},
                  {"std::bad_alloc", "out of host memory"},
                  {"DefaultCPUAllocator: can't allocate memory", "out of host memory"},
                  {"oom-kill", "out of host memory"},
                  {"oom_kill", "out of host memory"},
                  {"Out of memory: Killed process", "out of host memory"}};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (contains(line, errors[i].words))
            return errors[i].reason;
    return smi_text_starts_nocase(line, "MemoryError") ? "out of host memory" : NULL;
}

int smi_facts_job_output(struct smi_params *facts, struct smi_text t, const char **why)
{
    struct job_end end = {0};
    const char *memory = NULL;
    int since = 0; /* lines behind that error */
    *why = NULL;
    while (t.n) {
        struct smi_text line = smi_config_next_line(&t);
        const bool slurm = contains(line, "slurmstepd: error: ") || contains(line, "srun: error: ");
        const char *error = slurm ? NULL : memory_error(line);
        since = error ? 0 : since + (smi_text_trim(line).n > 0);
        memory = error ? error : memory;
        if (slurm)
            read_slurm_line(&end, line);
    }
    if (memory && (end.rank ? strcmp(end.state, "failed") == 0 : since < LAST_LINES))
        note_end(&end, CAUSE, "failed", memory);
    if (!end.rank)
        return 0;
    return set_fact(facts, SMI_FACT_STATE, smi_text_of(end.state)) ||
                   set_fact(facts, SMI_FACT_REASON, smi_text_of(end.reason)) ||
                   (*end.exit_code && set_fact(facts, SMI_FACT_EXIT, smi_text_of(end.exit_code)))
               ? -1
               : 0;
}
