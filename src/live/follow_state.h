/* follow_state.h - what follow reads goes into its state, and into its store; a follower that was started
 * again knows what it knew: the state is filled from the store. */
#ifndef SMI_LIVE_FOLLOW_STATE_H
#define SMI_LIVE_FOLLOW_STATE_H

#include "live/machine.h"
#include "live/follow_store.h"

struct smi_follow_state {
    struct smi_machine *now;
    struct smi_follow *tail;
    struct smi_follow_store *store; /* or NULL */
    int64_t mono_ms;                /* of the bytes that come */
    int *source; /* of each file of tail: its place in now + 1; 0: none yet, -1: it is no log */
    size_t sources;
    int64_t told;       /* events up to here are not news: they were said, or are of what was stored */
    struct smi_err err; /* of a call of tail's */
};

/* The source of a file, made if it is new, with what is stored of it; -1 if it is no log, or on trouble
 * (f->err). */
int smi_follow_state_source(struct smi_follow_state *f, int file);
/* A stream has ended. Returns 0, or -1 with f->err. */
int smi_follow_state_end(struct smi_follow_state *f, int file);
/* For smi_follow_calls.bytes. */
int smi_follow_state_bytes(struct smi_follow_state *f, int file, const char *p, size_t n);

#endif
