/* visible_gpus.h - which of the machine's GPUs a job calls its own: CUDA_VISIBLE_DEVICES, and what AMD has
 * for it. */
#ifndef SMI_LIVE_VISIBLE_GPUS_H
#define SMI_LIVE_VISIBLE_GPUS_H

#include <stdbool.h>
#include <stddef.h>

/* A GPU as nvidia-smi knows it. */
struct smi_gpu_id {
    int index;
    char uuid[96]; /* "GPU-8-4-4-4-12"; "" if it is not known */
    char name[96];
    long memory_mib; /* -1: not known */
};

enum { SMI_VISIBLE_AMD = 64 /* GPUs of a machine */ };

enum smi_visible {
    SMI_VISIBLE_ALL,    /* nothing restricts: all are mine */
    SMI_VISIBLE_SOME,   /* mine says which; perhaps none */
    SMI_VISIBLE_UNKNOWN /* an entry names a MIG instance whose GPU cannot be told from it: all are set */
};

/* Sets mine[i] for the GPUs that the list (the value of CUDA_VISIBLE_DEVICES; NULL: not set) names: indices,
 * uuids, the beginnings of uuids that fit one GPU only ("GPU-1a2b"), "MIG-GPU-uuid/gi/ci" and "MIG-uuid". It
 * ends at the first entry that is none of these, so also at -1; an empty list names none. Indices count in
 * nvidia-smi's order, which is CUDA's too on machines of equal GPUs, and on all with
 * CUDA_DEVICE_ORDER=PCI_BUS_ID. Source: CUDA programming guide, environment variables. */
enum smi_visible smi_visible_nvidia(const char *list, const struct smi_gpu_id *gpu, size_t n, bool *mine);
/* The same of AMD's, of which amd-smi's monitor tells the index alone: hip counts in what rocr leaves, in its
 * order. An entry of another kind (a uuid) makes it unknown. Either may be NULL. */
enum smi_visible smi_visible_amd(const char *hip, const char *rocr, size_t n, bool *mine);

#endif
