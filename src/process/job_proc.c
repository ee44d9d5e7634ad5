/* job_proc.c - /proc/PID/stat: "4711 (a name) S 1 4711 ...", the start time its 22nd field. The name may hold
 * anything. */
#include "process/job_private.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BEGUN = 22, STATE = 3 };

char smi_job_state(pid_t pid, uint64_t *begun)
{
    char path[40], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *p = strrchr(text, ')');
    if (!p || p[1] != ' ')
        return 0;
    char state = *(p += 2);
    for (int field = STATE; *p && field < BEGUN; p++)
        field += *p == ' ';
    for (*begun = 0; *p >= '0' && *p <= '9'; p++)
        *begun = *begun * 10 + (uint64_t)(*p - '0');
    return state;
}
