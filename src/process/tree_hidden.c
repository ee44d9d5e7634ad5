/* Children that /proc does not show, where it is mounted with hidepid: those of other users, as sudo has
 * them. Each thread's list of its children has them all the same ("23435 23436 "). */
#include "process/tree_private.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* The first process is there always, and shown to everybody where others are. */
static bool proc_hides_pids(const struct smi_tree *t)
{
    return t->listed && t->knowns && !smi_tree_pid(t, 1);
}

/* It lives, and nothing tells of it. */
static bool is_hidden(const struct smi_tree *t, int32_t pid)
{
    char path[SMI_TREE_PATH];
    if (smi_tree_pid(t, pid) || (kill(pid, 0) && errno != EPERM))
        return false;
    snprintf(path, sizeof path, "%s/%d/stat", t->proc, (int)pid);
    return access(path, F_OK) && errno == ENOENT;
}

static int children_of(struct smi_tree *t, const struct smi_tree_member *m)
{
    char name[64];
    int fd, hidden = 0;
    struct smi_text line;
    ssize_t n;
    snprintf(name, sizeof name, "task/%d/children", (int)m->pid);
    fd = smi_tree_file(t, m->pid, name);
    if (fd < 0)
        return 0;
    n = pread(fd, t->buf, SMI_TREE_BUF, 0);
    close(fd);
    line = (struct smi_text){t->buf, n > 0 ? (size_t)n : 0};
    for (struct smi_text word; (word = smi_text_word(&line)).n;) {
        int64_t pid;
        if (smi_text_parse_micro(word, &pid) == 0 && pid > 0 && pid / 1000000 <= INT32_MAX)
            hidden += is_hidden(t, (int32_t)(pid / 1000000));
    }
    return hidden;
}

int smi_tree_hidden(struct smi_tree *t)
{
    int hidden = 0;
    for (size_t i = 0; proc_hides_pids(t) && i < t->members; i++)
        if (t->member[i].alive)
            hidden += children_of(t, &t->member[i]);
    return hidden;
}
