/* file: what may be opened, reading and writing through odd descriptors, and no temporary file left behind.
 */
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-file-XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    alarm(60); /* nothing here may wait for anybody */
    return !mkdtemp(home) || chdir(home) != 0 || chmod(".", 0755) != 0;
}

static int leave(void **unused)
{
    DIR *d = opendir(".");
    struct dirent *e;
    (void)unused;
    while (d && (e = readdir(d)))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove(e->d_name);
    if (d)
        closedir(d);
    return chdir("/") != 0 || rmdir(home) != 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void assert_content(const char *path, const char *want)
{
    char t[200] = {0};
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    fread(t, 1, sizeof t - 1, f);
    fclose(f);
    assert_string_equal(t, want);
}

/* How many names in this directory hold ".tmp-". */
static int temporaries(void)
{
    DIR *d = opendir(".");
    struct dirent *e;
    int n = 0;
    assert_non_null(d);
    while ((e = readdir(d)))
        n += strstr(e->d_name, ".tmp-") != NULL;
    closedir(d);
    return n;
}

static int descriptors(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static void refused(const char *path, bool pipe_ok, const char *sentence)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    int before = descriptors();
    assert_int_equal(smi_file_open(AT_FDCWD, path, pipe_ok, &info, &err), -1);
    assert_int_equal(err.code, SMI_EIO);
    assert_string_equal(err.text, sentence);
    assert_int_equal(descriptors(), before);
}

static void regular_file(void **unused)
{
    struct smi_file_info info, same;
    struct smi_err err = {0};
    struct stat st;
    char t[16];
    int fd, dir = open(".", O_RDONLY | O_DIRECTORY), other;
    (void)unused;
    put("log.csv", "hello log");
    fd = smi_file_open(AT_FDCWD, "log.csv", false, &info, &err);
    other = smi_file_open(dir, "./log.csv", true, &same, &err);
    assert_true(fd >= 0 && other >= 0 && dir >= 0);
    assert_int_equal(fstat(fd, &st), 0);
    assert_true(info.size == 9 && !info.stream && info.dev == st.st_dev && info.ino == st.st_ino);
    assert_true(same.dev == info.dev && same.ino == info.ino);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(smi_file_read_at(fd, t, 5, -1, "log.csv", &err), 5);
    assert_memory_equal(t, "hello", 5);
    assert_int_equal(smi_file_read_at(fd, t, sizeof t, 6, "log.csv", &err), 3);
    assert_memory_equal(t, "log", 3);
    assert_int_equal(smi_file_read_at(fd, t, sizeof t, 9, "log.csv", &err), 0);
    assert_int_equal(smi_file_read_at(fd, t, sizeof t, -1, "log.csv", &err), 4);
    assert_int_equal(smi_file_read_at(fd, t, sizeof t, -1, "log.csv", &err), 0);
    assert_int_equal(err.code, 0);
    close(fd);
    close(other);
    close(dir);
}

static void what_is_no_log(void **unused)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX, .sun_path = "sock"};
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)unused;
    assert_int_equal(mkdir("out", 0755), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(bind(s, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(symlink("fifo", "link"), 0);
    for (int ok = 0; ok < 2; ok++) {
        refused("out/", ok, "out/: is a directory, not a log");
        refused("fifo", ok, "fifo: is a FIFO (named pipe), not a log; to read a pipe use -");
        refused("link", ok, "link: is a FIFO (named pipe), not a log; to read a pipe use -");
        refused("sock", ok, "sock: is a socket, not a log");
        refused("/dev/zero", ok, "/dev/zero: is a device, not a log");
        refused("absent", ok, "cannot open absent: No such file or directory");
        refused("log.csv/x", ok, "cannot open log.csv/x: Not a directory");
    }
    close(s);
}

/* A writer that waits for a reader must not be let in by a mere look. */
static void a_look_does_not_release_the_writer(void **unused)
{
    pid_t child;
    int status;
    (void)unused;
    remove("waits");
    assert_int_equal(mkfifo("waits", 0600), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(1);
        _exit(open("waits", O_WRONLY) >= 0);
    }
    for (int i = 0; i < 20; i++) {
        refused("waits", false, "waits: is a FIFO (named pipe), not a log; to read a pipe use -");
        usleep(10000);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
}

/* Runs fn in a child, so that it may change what belongs to the process. */
static int in_child(int (*fn)(void))
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(fn());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int open_secret(void)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    if (geteuid() == 0 && setuid(65534) != 0)
        return 1;
    if (smi_file_open(AT_FDCWD, "secret", true, &info, &err) != -1)
        return 2;
    return strcmp(err.text, "cannot open secret: Permission denied") ? 3 : 0;
}

static void unreadable_file(void **unused)
{
    (void)unused;
    put("secret", "x");
    assert_int_equal(chmod("secret", 0), 0);
    assert_int_equal(in_child(open_secret), 0);
}

static void long_path_keeps_the_reason(void **unused)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    char path[3000];
    (void)unused;
    for (size_t i = 0; i + 1 < sizeof path; i++)
        path[i] = i % 100 == 99 ? '/' : 'd';
    memcpy(path + sizeof path - 8, "log.csv", 8);
    assert_int_equal(smi_file_open(AT_FDCWD, path, true, &info, &err), -1);
    assert_non_null(strstr(err.text, "log.csv: No such file or directory"));
}

static void substituted_pipe(void **unused)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    char path[64], sentence[128], t[8];
    static const char *const shapes[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    int ends[2], fd;
    (void)unused;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "abcdef", 6), 6);
    for (int i = 0; i < 2; i++) {
        sprintf(path, shapes[i], ends[0]);
        fd = smi_file_open(AT_FDCWD, path, true, &info, &err);
        assert_true(fd >= 0);
        assert_true(info.stream && info.size == -1);
        assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
        assert_int_equal(smi_file_read_at(fd, t, 3, -1, path, &err), 3);
        assert_memory_equal(t, i ? "def" : "abc", 3);
        close(fd);
        sprintf(sentence, "%s: is a pipe; a file is needed here", path);
        refused(path, false, sentence);
    }
    close(ends[0]);
    close(ends[1]);
}

/* Opens "-" with fd 0 being `fd`: 0 refused, 1 a file, 11 a stream. */
static int open_dash(int fd, bool pipe_ok, int64_t *size, struct smi_err *err)
{
    struct smi_file_info info = {0};
    int saved = dup(0), got;
    assert_true(dup2(fd, 0) == 0);
    got = smi_file_open(AT_FDCWD, "-", pipe_ok, &info, err);
    dup2(saved, 0);
    close(saved);
    if (got < 0)
        return 0;
    assert_true(got > 2 && (fcntl(got, F_GETFD) & FD_CLOEXEC));
    close(got);
    *size = info.size;
    return info.stream ? 11 : 1;
}

static void standard_input(void **unused)
{
    int ends[2], pair[2], file = -1, dir = open(".", O_RDONLY), zero = open("/dev/zero", O_RDONLY);
    struct smi_err err = {0}, other = {0};
    int64_t size = 0;
    int before;
    (void)unused;
    put("in", "header\nrow\n");
    file = open("in", O_RDONLY);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    before = descriptors();
    assert_int_equal(open_dash(file, false, &size, &err), 1);
    assert_int_equal(size, 11);
    assert_int_equal(lseek(file, 7, SEEK_SET), 7);
    assert_int_equal(open_dash(file, true, &size, &err),
                     11); /* somebody has read the header: go on behind it */
    assert_int_equal(size, -1);
    assert_int_equal(open_dash(ends[0], true, &size, &err), 11);
    assert_int_equal(open_dash(zero, true, &size, &err), 11);
    assert_int_equal(open_dash(pair[0], true, &size, &err), 11);
    assert_int_equal(err.code, 0);
    assert_int_equal(open_dash(ends[0], false, &size, &err), 0);
    assert_string_equal(err.text, "standard input: is a pipe; a file is needed here");
    assert_int_equal(open_dash(dir, true, &size, &other), 0);
    assert_string_equal(other.text, "standard input: is a directory, not a log");
    assert_int_equal(descriptors(), before);
    close(ends[0]);
    close(ends[1]);
    close(pair[0]);
    close(pair[1]);
    close(file);
    close(zero);
    close(dir);
}

/* In a directory that is walked, "-" is a name like any other. */
static void a_file_named_dash(void **unused)
{
    struct smi_file_info info;
    struct smi_err err = {0};
    int dir = open(".", O_RDONLY | O_DIRECTORY), fd;
    (void)unused;
    put("-", "abc");
    fd = smi_file_open(dir, "-", false, &info, &err);
    assert_true(fd >= 0 && info.size == 3 && !info.stream);
    close(fd);
    close(dir);
}

static void on_alarm(int unused)
{
    (void)unused;
}

/* Somebody else made the pipe non-blocking, and signals come in: read waits all the same. */
static void read_waits(void **unused)
{
    struct sigaction act = {.sa_handler = on_alarm};
    struct smi_err err = {0};
    char t[8];
    int ends[2];
    (void)unused;
    sigaction(SIGUSR1, &act, NULL);
    for (int flags = 0; flags <= O_NONBLOCK; flags += O_NONBLOCK) {
        pid_t child, parent = getpid();
        assert_int_equal(pipe2(ends, flags), 0);
        child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            for (int i = 0; i < 5; i++) {
                usleep(10000);
                kill(parent, SIGUSR1);
            }
            _exit(write(ends[1], "late", 4) != 4);
        }
        close(ends[1]);
        assert_int_equal(smi_file_read_at(ends[0], t, sizeof t, -1, "-", &err), 4);
        assert_int_equal(smi_file_read_at(ends[0], t, sizeof t, -1, "-", &err), 0);
        waitpid(child, NULL, 0);
        close(ends[0]);
    }
    assert_int_equal(err.code, 0);
}

static void put_writes_all(void **unused)
{
    struct smi_err err = {0};
    enum { MANY = 1 << 20 };
    char *big = malloc(MANY), t[4096];
    int ends[2], status, full = open("/dev/full", O_WRONLY);
    pid_t child;
    (void)unused;
    assert_non_null(big);
    for (int i = 0; i < MANY; i++)
        big[i] = (char)(i * 7);
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0); /* far smaller than what is put in */
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ssize_t got;
        int at = 0;
        close(ends[1]);
        while ((got = smi_file_read_at(ends[0], t, sizeof t, -1, "-", NULL)) > 0)
            for (ssize_t i = 0; i < got; i++, at++)
                if (t[i] != (char)(at * 7))
                    _exit(1);
        _exit(at != MANY);
    }
    close(ends[0]);
    assert_int_equal(smi_file_write(ends[1], big, MANY, "-", &err), 0);
    close(ends[1]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(smi_file_write(full, "x", 1, "/dev/full", &err), -1);
    assert_string_equal(err.text, "cannot write /dev/full: No space left on device");
    close(full);
    free(big);
}

static void failed_reads(void **unused)
{
    struct smi_err err = {0}, other = {0};
    char t[4];
    (void)unused;
    assert_int_equal(smi_file_read_at(-1, t, sizeof t, -1, "x", &err), -1);
    assert_string_equal(err.text, "cannot read x: Bad file descriptor");
    assert_int_equal(smi_file_read_at(-1, t, sizeof t, 0, "y", &other), -1);
    assert_string_equal(other.text, "cannot read y: Bad file descriptor");
}

static void made(const char *path, const char *text, bool keep)
{
    struct smi_file_out out;
    struct smi_err err = {0};
    int before = descriptors();
    assert_int_equal(smi_file_create(&out, path, &err), 0);
    assert_int_equal(smi_file_write(out.fd, text, strlen(text), path, &err), 0);
    assert_int_equal(smi_file_close(&out, keep, &err), 0);
    assert_int_equal(smi_file_close(&out, keep, &err), 0); /* twice is harmless */
    assert_int_equal(err.code, 0);
    assert_int_equal(descriptors(), before);
}

static void kept_and_dropped(void **unused)
{
    struct smi_file_out out;
    struct smi_err err = {0};
    char tmp[64];
    (void)unused;
    put("report", "old");
    assert_int_equal(smi_file_create(&out, "report", &err), 0);
    sprintf(tmp, ".report.tmp-%ld", (long)getpid());
    assert_string_equal(out.tmp, tmp);
    assert_int_equal(access(tmp, F_OK), 0);
    assert_int_equal(smi_file_write(out.fd, "new", 3, "report", &err), 0);
    assert_content("report", "old"); /* a reader never sees half a report */
    assert_int_equal(smi_file_close(&out, true, &err), 0);
    assert_content("report", "new");
    made("report", "dropped", false);
    assert_content("report", "new");
    made("fresh", "dropped", false);
    assert_int_equal(access("fresh", F_OK), -1);
    made("./fresh", "kept", true);
    assert_content("fresh", "kept");
    assert_int_equal(temporaries(), 0);
}

static void mode_is_that_of_the_umask(void **unused)
{
    struct stat st;
    mode_t old = umask(027);
    (void)unused;
    made("modes", "x", true);
    umask(old);
    assert_int_equal(stat("modes", &st), 0);
    assert_int_equal(st.st_mode & 07777, 0640);
}

static void failures_leave_nothing(void **unused)
{
    struct smi_file_out out;
    struct smi_err err = {0}, other = {0}, dir = {0};
    int before = descriptors();
    (void)unused;
    assert_int_equal(smi_file_create(&out, "turns", &err), 0);
    assert_int_equal(mkdir("turns", 0755), 0); /* rename will fail */
    assert_int_equal(smi_file_close(&out, true, &err), -1);
    assert_string_equal(err.text, "cannot rename into place turns: Is a directory");
    assert_int_equal(smi_file_create(&out, "turns", &dir), -1);
    assert_string_equal(dir.text, "turns: is a directory");
    assert_int_equal(smi_file_create(&out, "nowhere/x", &other), -1);
    assert_string_equal(other.text, "cannot create nowhere/x: No such file or directory");
    assert_int_equal(smi_file_close(&out, true, &other), 0);
    assert_int_equal(smi_file_create(&out, "lost", &(struct smi_err){0}), 0);
    close(out.fd); /* so that flushing and closing fail */
    assert_int_equal(smi_file_close(&out, true, &(struct smi_err){0}), -1);
    assert_int_equal(access("lost", F_OK), -1);
    assert_int_equal(temporaries(), 0);
    assert_int_equal(descriptors(), before);
}

static void names_taken_and_long(void **unused)
{
    char tmp[64], name[256];
    int fd;
    (void)unused;
    sprintf(tmp, ".taken.tmp-%ld", (long)getpid());
    put(tmp, "somebody else's");
    fd = open(tmp, O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX),
                     0); /* who is still writing it: in another container, a process of our id */
    made("taken", "ours", true);
    assert_content("taken", "ours");
    assert_content(tmp, "somebody else's");
    close(fd);
    put(".taken.tmp-99999999", "left by a dead one");
    put(".taken.tmp-99999999-2", "and its second");
    put(".taken.tmp", "another name");
    put(".taken.tmp-x", "no name of ours");
    made("taken", "ours again", true);
    assert_content(".taken.tmp-x", "no name of ours");
    remove(".taken.tmp-x");
    assert_int_equal(temporaries(), 0);
    assert_content(".taken.tmp", "another name");
    remove(".taken.tmp");
    memset(name, 'n', 255);
    name[255] = 0;
    made(name, "long", true);
    assert_content(name, "long");
    assert_int_equal(temporaries(), 0);
}

static void links_and_devices_stay(void **unused)
{
    struct stat st;
    int fd;
    char t[8] = {0};
    (void)unused;
    put("target", "old");
    assert_int_equal(symlink("target", "alias"), 0);
    made("alias", "new", true);
    assert_true(lstat("alias", &st) == 0 && S_ISLNK(st.st_mode));
    assert_content("target", "new");
    assert_int_equal(symlink("not-yet", "dangling"), 0);
    made("dangling", "x", true);
    assert_content("dangling", "x");
    assert_int_equal(mknod("sink", S_IFIFO | 0600, 0),
                     0); /* stands for /dev/null, which a test must not risk */
    fd = open("sink", O_RDONLY | O_NONBLOCK);
    made("sink", "through", true);
    assert_true(stat("sink", &st) == 0 && S_ISFIFO(st.st_mode));
    assert_int_equal(read(fd, t, sizeof t), 7);
    assert_string_equal(t, "through");
    close(fd);
    assert_int_equal(temporaries(), 0);
}

static int write_to_dash(void)
{
    struct smi_file_out out;
    struct smi_err err = {0};
    int fd = open("stdout", O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || dup2(fd, 1) != 1 || smi_file_create(&out, "-", &err) != 0 || out.fd != 1)
        return 1;
    if (smi_file_write(out.fd, "text", 4, "-", &err) != 0 || smi_file_close(&out, true, &err) != 0)
        return 2;
    return fcntl(1, F_GETFD) < 0 ? 3 : 0; /* it is not ours to close */
}

static void standard_output(void **unused)
{
    (void)unused;
    assert_int_equal(in_child(write_to_dash), 0);
    assert_content("stdout", "text");
    assert_int_equal(temporaries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regular_file),
        cmocka_unit_test(what_is_no_log),
        cmocka_unit_test(a_look_does_not_release_the_writer),
        cmocka_unit_test(unreadable_file),
        cmocka_unit_test(long_path_keeps_the_reason),
        cmocka_unit_test(substituted_pipe),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(a_file_named_dash),
        cmocka_unit_test(read_waits),
        cmocka_unit_test(put_writes_all),
        cmocka_unit_test(failed_reads),
        cmocka_unit_test(kept_and_dropped),
        cmocka_unit_test(mode_is_that_of_the_umask),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(names_taken_and_long),
        cmocka_unit_test(links_and_devices_stay),
        cmocka_unit_test(standard_output),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
