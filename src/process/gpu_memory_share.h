/* gpu_memory_share.h - how much of the GPUs' memory is a command's, and by which of four ways that is known:
 *
 * 1. by pid: nvidia-smi or amd-smi lists the processes on each GPU; those of the tree are the command's;
 * 2. by the pid inside: as above, where the tree runs in a PID namespace below ours and the driver says its
 * pid there;
 * 3. alone: in a container the driver's pids are those of the host, which nobody here knows. Where the GPUs
 * were given to this job alone, their memory less what was held before the command started is its own;
 * 4. unknown: else it is not known, and that is said. It is never 0 for that.
 *
 * The same number may be another process here, there, or in a third namespace: which one is meant the name
 * tells that stands beside it. While a row may be the command's, and that cannot be told, the list says
 * nothing. That no row is of the tree means 0 only where rows are known to be of our pids, and while they are
 * told. */
#ifndef SMI_PROCESS_GPU_MEMORY_SHARE_H
#define SMI_PROCESS_GPU_MEMORY_SHARE_H

#include "live/machine.h"
#include "process/tree.h"

enum smi_gpu_memory_method {
    SMI_GPU_MEMORY_PID,
    SMI_GPU_MEMORY_INNER,
    SMI_GPU_MEMORY_ALONE,
    SMI_GPU_MEMORY_UNKNOWN,
    SMI_GPU_MEMORY_WAYS
};

/* Zero-initialise; filled by smi_gpu_memory_share_begin. */
struct smi_gpu_memory_share {
    const char *alone;  /* what says that the GPUs are this job's alone, or NULL */
    bool amd;           /* the GPUs are AMD's */
    bool held;          /* what was held before is known */
    bool ours, inside;  /* some row was, by its name, of our pids; of those inside */
    bool tells;         /* some row said how much memory, and not 0 */
    bool unread;        /* a GPU of its own had no reading before it */
    bool others, mixed; /* by the devices: main was not the only one; so how it is shared out is not known */
    int64_t before[SMI_MACHINE_GPUS_MAX]; /* by smi_live_gpu.id: millionths of MiB, -1 */
    int64_t ways[SMI_GPU_MEMORY_WAYS];    /* samples by each */
};

struct smi_gpu_memory_used {
    enum smi_gpu_memory_method way;
    int64_t of[SMI_TREE_PARTS]; /* millionths of MiB, or -1 */
};

/* Which of the job's variables gives it GPUs of its own, of NVIDIA's or AMD's: its name, or NULL. vars ends
 * with NULL, and may be NULL. */
const char *smi_gpu_memory_share_alone(char *const *vars, bool amd);
/* The command starts now, with what the GPUs hold; started false: it runs already, and that is not known. */
void smi_gpu_memory_share_begin(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                                char *const *vars, bool started);
/* How much is the command's: by pid on all GPUs, alone on those that are mine. */
void smi_gpu_memory_share_read(struct smi_gpu_memory_share *w, const struct smi_machine *n,
                               struct smi_tree *t, struct smi_gpu_memory_used *out);
/* The best of the ways that gave a value; SMI_GPU_MEMORY_UNKNOWN if none did. */
enum smi_gpu_memory_method smi_gpu_memory_share_best(const struct smi_gpu_memory_share *w);
/* That one in words. */
const char *smi_gpu_memory_share_words(const struct smi_gpu_memory_share *w);

#endif
