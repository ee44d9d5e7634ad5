/* fault.c - makes the n-th system call of a kind fail, in any library. Preloaded, it lets the kernel stop the
 * program (seccomp) where the call is made, so that calls inside of libc's streams count, too. For
 * outputs_check.py.
 *
 *   FAULT_CALL  write (also pwrite, writev), fsync (also fdatasync), close, rename (also renameat, renameat2)
 *   FAULT_AT    n, from 1 on, of those on files that were opened to be written, other than standard ones
 *   FAULT_ERRNO its errno
 *   FAULT_ON    1: all that follow fail, too
 *   FAULT_SEEN  a file that is created when it fails
 *
 * cc -shared -fPIC -O1 -o fault.so fault.c; Linux on x86-64. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

static const struct {
    const char *call;
    int nr;
} calls[] = {{"write", SYS_write},   {"write", SYS_pwrite64},  {"write", SYS_writev},
             {"fsync", SYS_fsync},   {"fsync", SYS_fdatasync}, {"close", SYS_close},
             {"rename", SYS_rename}, {"rename", SYS_renameat}, {"rename", SYS_renameat2}};
enum { CALLS = sizeof calls / sizeof *calls };

static const char *call, *seen;
static int at, number, on, count;

/* The one place from which the kernel lets these calls through. */
long fault_pass(long nr, long a, long b, long c, long d, long e, long f);
extern char fault_passed[];
__asm__(".globl fault_pass\n.hidden fault_passed\n.globl fault_passed\nfault_pass:\n"
        "mov %rdi, %rax\nmov %rsi, %rdi\nmov %rdx, %rsi\nmov %rcx, %rdx\nmov %r8, %r10\nmov %r9, %r8\n"
        "mov 8(%rsp), %r9\nsyscall\nfault_passed:\nret\n");

/* Files in memory do not fail. */
static int is_in_memory(int fd)
{
    char link[64], name[16];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, name, sizeof name) > 7 && memcmp(name, "/memfd:", 7) == 0;
}

static int counts(int fd)
{
    struct stat st;
    if (strcmp(call, "rename") == 0)
        return 1;
    return fd > 2 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
           (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY && !is_in_memory(fd);
}

static void stop(int sig, siginfo_t *info, void *context)
{
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    int k = 0, was = errno;
    (void)sig;
    (void)info;
    while (calls[k].nr != (int)r[REG_RAX])
        k++;
    if (strcmp(calls[k].call, call) == 0 && counts((int)r[REG_RDI]) &&
        (++count == at || (on && count > at))) {
        if (calls[k].nr == SYS_close) /* it is closed, whatever it says */
            fault_pass(SYS_close, r[REG_RDI], 0, 0, 0, 0, 0);
        r[REG_RAX] = -number;
        if (seen)
            fault_pass(SYS_close, open(seen, O_WRONLY | O_CREAT, 0666), 0, 0, 0, 0, 0);
    } else {
        r[REG_RAX] =
            fault_pass(r[REG_RAX], r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]);
    }
    errno = was;
}

__attribute__((constructor)) static void begin(void)
{
    struct sock_filter f[CALLS * 2 + 8];
    struct sock_fprog prog = {0, f};
    struct sigaction act = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO | SA_NODEFER};
    const size_t ip = offsetof(struct seccomp_data, instruction_pointer);
    unsigned long pass = (unsigned long)fault_passed;
    int n = 0;
    call = getenv("FAULT_CALL");
    seen = getenv("FAULT_SEEN");
    if (!call)
        return;
    at = atoi(getenv("FAULT_AT"));
    number = atoi(getenv("FAULT_ERRNO"));
    on = getenv("FAULT_ON") != NULL;
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip);
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)pass, 0, 3);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4);
    f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(pass >> 32), 0, 1);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].nr, 0, 1);
        f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    prog.len = (unsigned short)n;
    if (sigaction(SIGSYS, &act, NULL) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)) {
        perror("fault.so");
        _exit(99);
    }
}
