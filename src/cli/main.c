/* main.c - the first word names a command. */
#include "report/output.h"
#include "cli/option.h"
#include "base/version.h"

#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef SMILOG_STATIC /* make static */
#include "base/lazy.h"
#include <microhttpd.h>
#define KIND " (static)"
/* libarchive asks for the charset of names. glibc would look for it in the files of a locale, and where there
 * are none say ASCII: a zip would lose its names in UTF-8. Here as everywhere in smilog, names are UTF-8. */
const char *__wrap_nl_langinfo(nl_item item);
const char *__wrap_nl_langinfo(nl_item item)
{
    return item == CODESET ? "UTF-8" : "";
}
/* glibc's own would need its shared files, and SQLite would load extensions, which smilog never lets it.
 * libarchive and libmicrohttpd are linked; libcurl and libxlsxwriter are missing (base/lazy.h): Debian has no
 * static ones. */
static char libarchive[] = "libarchive", libmicrohttpd[] = "libmicrohttpd";
void *__wrap_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode)
{
    char *const linked[] = {libarchive, libmicrohttpd};
    (void)mode;
    for (size_t i = 0; file && i < sizeof linked / sizeof *linked; i++)
        if (strncmp(file, linked[i], strlen(linked[i])) == 0)
            return linked[i];
    return NULL;
}
void *__wrap_dlsym(void *restrict handle, const char *restrict name);
void *__wrap_dlsym(void *restrict handle, const char *restrict name)
{
#define SMI_ARCHIVE(function)                                 \
    if (handle == libarchive && strcmp(name, #function) == 0) \
        return (void *)(uintptr_t)function;
#define SMI_HTTPD(function)                                      \
    if (handle == libmicrohttpd && strcmp(name, #function) == 0) \
        return (void *)(uintptr_t)function;
#include "base/lazy.def"
    return NULL;
}
/* Stands for every function of GnuTLS (Makefile): Debian's libmicrohttpd.a refers to them, and its own start
 * calls gnutls_global_init. */
int smi_static_no_tls(void);
int smi_static_no_tls(void)
{
    return 0;
}
char *__wrap_dlerror(void);
char *__wrap_dlerror(void)
{
    static char words[] = "it is not in the static program (make static)";
    return words;
}
int __wrap_dlclose(void *handle);
int __wrap_dlclose(void *handle)
{
    (void)handle;
    return 0;
}
#else
#define KIND ""
#endif

/* A descriptor that is closed would be given to the next file that is opened, and our messages written into
 * it. Standard output gets one that cannot be written, so that what is lost is noticed. A command of `smilog
 * run` finds it closed, as without us. */
static void fill_descriptors(void)
{
    static const int flags[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", flags[fd] | O_CLOEXEC); /* the lowest free number: this one */
}

/* Under a limit of the address space (ulimit -v) the stack is taken now, up to half of what it may have:
 * where it cannot grow later, the kernel sends SIGSEGV, and nobody learns that memory ran out. */
static void reserve_stack(size_t left)
{
    volatile char page[4096];
    page[0] = 0;
    if (left > sizeof page)
        reserve_stack(left - sizeof page);
    (void)page[0]; /* so that no call takes the place of another */
}

int main(int argc, char **argv)
{
    struct smi_err err = {0};
    struct smi_buf b = {0};
    const struct smi_cmd *cmd;
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        reserve_stack(getrlimit(RLIMIT_STACK, &space) == 0 && space.rlim_cur < 1 << 20 ? space.rlim_cur / 2
                                                                                       : 1 << 19);
    fill_descriptors();
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of write(2), and said */
    signal(SIGPIPE, SIG_DFL); /* | head: a quiet end, even under a parent that ignores it */
    if (argc < 2) {
        smi_write_usage(&b);
        smi_tell(&b);
        return SMI_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        smi_buf_str(&b, "smilog " SMILOG_VERSION KIND "\n");
        return smi_print(&b);
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return smi_command_help(argc - 1, argv + 1);
    if (strcmp(argv[1], "complete") == 0) { /* complete -- WORDS */
        const int first = argc > 2 && strcmp(argv[2], "--") == 0 ? 3 : 2;
        smi_complete(&b, argc - first, argv + first);
        return smi_print(&b);
    }
    cmd = smi_command_find(argv[1], &err);
    if (!cmd && access(argv[1], F_OK) == 0) {
        err = (struct smi_err){0};
        smi_err_set(&err, SMI_EUSAGE,
                    "%.200s is a path, not a command: smilog summarize reads the logs there", argv[1]);
    }
    if (!cmd)
        return smi_fail(&err, "");
    return cmd->run(argc - 1, argv + 1);
}
