/* tree_whose.h - whose is a pid, for tests of the tree of processes: the first that it may mean. */
#pragma once

#include "process/tree.h"

enum whose { NOT, MAIN, DESCENDANT };

static enum whose whose(struct smi_tree *t, int64_t pid, bool *inner)
{
    struct smi_tree_process m = {.inner = false};
    size_t at = 0;
    const bool some = smi_tree_candidate_process(t, pid, &at, &m);
    if (inner)
        *inner = m.inner;
    return !some ? NOT : m.main ? MAIN : DESCENDANT;
}
