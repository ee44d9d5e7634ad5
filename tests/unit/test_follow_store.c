/* store: lines and places go into SQLite together, so that a follower that is killed at any moment loses
 * nothing and stores nothing twice; what is not ours is refused; a disk that is full is waited for.
 * SMILOG_TAIL: the kills are ten times as many (make test-long: 200); else 20. */
#include "base/clock.h"
#include "live/follow.h"
#include "loops.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char home[] = "/tmp/smilog-test-store-XXXXXX";

/* ---- a follower ---- */

struct follower {
    struct smi_follow *t;
    struct smi_follow_store *s;
    int missed;
};

static int bytes(void *self, int file, const char *p, size_t n)
{
    struct follower *f = self;
    return smi_follow_store_add(f->s, f->t, file, p, n);
}

static void event(void *self, const struct smi_follow_event *e)
{
    struct follower *f = self;
    f->missed += e->lost;
}

static bool resume(void *self, const char *path, struct smi_follow_position *at)
{
    return smi_follow_store_resume(((struct follower *)self)->s, path, at);
}

static const struct smi_follow_times quick = {.look = 40, .gather = 2, .gone = 100, .hole = 100, .scan = 40};

static int begin(struct follower *f, const char *store, const char *path)
{
    struct smi_err err = {0};
    const struct smi_follow_opts o = {.calls = {f, bytes, event}, .times = &quick, .resume = resume};
    *f = (struct follower){.s = smi_follow_store_open(store, 3, &err)};
    if (!f->s) {
        print_error("%s\n", err.text);
        return -1;
    }
    f->t = smi_follow_new(&o);
    return f->t && path ? smi_follow_add(f->t, path, &err) : f->t ? 0 : -1;
}

static int go(struct follower *f)
{
    struct smi_loop l = {.sources = 0};
    struct smi_err err = {0};
    int64_t now = smi_clock_now_ms(), due = smi_follow_store_due(f->s, now) - now;
    smi_loop_add(&l, smi_follow_source(f->t));
    (void)loops_wait(&l, now, due < 0 ? 0 : due < 20 ? due : 20);
    now = smi_clock_now_ms();
    if (smi_loop_call(&l, now, &err))
        return -1;
    smi_follow_store_go(f->s, f->t, now);
    return 0;
}

static void go_for(struct follower *f, int ms)
{
    for (int64_t end = smi_clock_now_ms() + ms; smi_clock_now_ms() < end;)
        assert_int_equal(go(f), 0);
}

static int end(struct follower *f, struct smi_err *err)
{
    int rc = smi_follow_store_close(f->s, f->t, err);
    smi_follow_free(f->t);
    return rc;
}

/* ---- what is in it ---- */

static int64_t ask(const char *store, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    int64_t v = -1;
    assert_int_equal(sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(db, 5000);
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        print_error("%s: %s\n", sql, sqlite3_errmsg(db));
    else if (sqlite3_step(st) == SQLITE_ROW)
        v = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return v;
}

/* Rows 0 .. n - 1, each once and with its content, in the order in which they were written. */
static void each_once(const char *store, int n)
{
    assert_int_equal(ask(store, "SELECT count(*) FROM line"), n);
    assert_int_equal(ask(store, "SELECT count(DISTINCT text) FROM line"), n);
    assert_int_equal(ask(store, "SELECT count(*) FROM line WHERE text NOT GLOB "
                                "'[0-9][0-9][0-9][0-9][0-9][0-9],0123456789abcde'"),
                     0);
    assert_int_equal(ask(store, "SELECT max(CAST(substr(text, 1, 6) AS INTEGER)) FROM line"), n - 1);
    assert_int_equal(
        ask(store, "SELECT count(*) FROM (SELECT text, lag(text) OVER (ORDER BY source, part, line) AS b "
                   "FROM line) WHERE b > text"),
        0);
    assert_int_equal(ask(store, "SELECT count(*) FROM line WHERE offset <> (line - 1) * 23"), 0);
    assert_int_equal(ask(store, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"),
                     0);
}

/* ---- a writer ---- */

static int *written; /* shared */

static void row(int fd)
{
    char line[32];
    int n = snprintf(line, sizeof line, "%06d,0123456789abcde\n", *written);
    if (write(fd, line, (size_t)n) != n)
        _exit(9);
    ++*written;
}

static void rotate(void)
{
    char a[32], b[32];
    for (int i = 60; i >= 0; i--) {
        snprintf(a, sizeof a, i ? "log.%d" : "log", i);
        snprintf(b, sizeof b, "log.%d", i + 1);
        rename(a, b);
    }
}

/* Rows until stop[0], a new file every 400 of them; the second one when stop[1] is set. */
static void write_on(volatile int *stop)
{
    int fd = -1;
    alarm(300);
    while (!*stop || *written % 400 != 123) {
        while (*written == 399 && !stop[1]) /* what is rotated before it was ever seen is nobody's */
            usleep(1000);
        if (*written % 400 == 0) {
            rotate();
            close(fd);
            fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0644);
        }
        row(fd);
        usleep(400);
    }
    _exit(0);
}

static int only_file(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type;
    return at->level ? remove(path) : 0;
}

static void clean(void)
{
    nftw(".", only_file, 16, FTW_DEPTH | FTW_PHYS);
    *written = 0;
}

static void killed(void **unused)
{
    const char *times = getenv("SMILOG_TAIL");
    int kills = times && atoi(times) > 0 ? atoi(times) * 10 : 20, status;
    volatile int *stop = written + 1;
    struct follower f;
    struct smi_err err = {0};
    (void)unused;
    clean();
    stop[0] = stop[1] = 0;
    pid_t writer = fork();
    if (!writer)
        write_on(stop);
    while (access("log", F_OK))
        usleep(1000);
    for (int i = 0; i < kills; i++) {
        if (!stop[1] && i > kills / 4 && !access("store.sqlite", F_OK))
            stop[1] = ask("store.sqlite", "SELECT count(*) FROM line") > 0;
        pid_t pid = fork();
        if (!pid) {
            if (begin(&f, "store.sqlite", "log"))
                _exit(8);
            while (!go(&f))
                ;
            _exit(7);
        }
        usleep((useconds_t)(i < 4 ? i * 1000
                                  : 2000 + rand() % 60000)); /* also while it opens the file, or makes it */
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status));
    }
    *stop = 1;
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    assert_int_equal(begin(&f, "store.sqlite", "log"), 0);
    go_for(&f, 500);
    assert_int_equal(f.missed, 0);
    assert_int_equal(end(&f, &err), 0);
    each_once("store.sqlite", *written);
    assert_true(*written > 400);
    assert_int_equal(ask("store.sqlite", "SELECT part FROM source"), (*written + 399) / 400);
}

/* ---- whose file it is ---- */

static void is_refused(const char *store, const char *why)
{
    struct smi_err err = {0};
    struct smi_follow_store *s = smi_follow_store_open(store, 3, &err);
    assert_null(s);
    if (!strstr(err.text, why))
        print_error("%s\n", err.text);
    assert_non_null(strstr(err.text, why));
    assert_non_null(strstr(err.text, store));
}

static void others_files(void **unused)
{
    struct smi_err err = {0};
    struct stat before, after;
    (void)unused;
    clean();
    sqlite3 *other;
    sqlite3_open("other.db", &other);
    assert_int_equal(sqlite3_exec(other, "CREATE TABLE t(a)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    stat("other.db", &before);
    is_refused("other.db", "another program");
    stat("other.db", &after);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
    assert_int_equal(
        system("echo 'this is a text that is no database, and it is long enough to be seen' >text"), 0);
    is_refused("text", "not a SQLite file");
    is_refused("nowhere/store", "No such file");
    mkdir("dir", 0755);
    is_refused("dir", "directory");
    struct smi_follow_store *s = smi_follow_store_open("store", 3, &err);
    assert_non_null(s);
    is_refused("store", "another smilog");
    assert_int_equal(smi_follow_store_close(s, NULL, &err), 0);
    s = smi_follow_store_open("store", 3, &err); /* and again, once the other is gone */
    assert_non_null(s);
    smi_follow_store_close(s, NULL, &err);
    assert_int_equal(ask("store", "PRAGMA application_id"), SMI_FOLLOW_STORE_ID);
    ask("store", "PRAGMA user_version=2");
    is_refused("store", "which reads it");
}

/* ---- a disk that is full ---- */

static void rows_to(const char *path, int n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0644);
    while (n-- > 0)
        row(fd);
    close(fd);
}

static bool fill_up(const char *path)
{
    char piece[4096] = {1};
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    while (write(fd, piece, sizeof piece) > 0)
        ;
    while (write(fd, piece, 1) > 0)
        ;
    close(fd);
    return errno == ENOSPC;
}

static void full_disk(void **unused)
{
    struct follower f;
    struct smi_err err = {0};
    (void)unused;
    clean();
    mkdir("small", 0755);
    if (mount("tmpfs", "small", "tmpfs", 0, "size=1m"))
        skip();
    rows_to("log", 100);
    assert_int_equal(begin(&f, "small/store", "log"), 0);
    go_for(&f, 100);
    assert_int_equal(smi_follow_store_state(f.s)->waiting, 0);
    assert_true(fill_up("small/filler"));
    rows_to("log", 5000);
    go_for(&f, 1500); /* several tries */
    assert_true(smi_follow_store_state(f.s)->failures >= 1);
    assert_non_null(strstr(smi_follow_store_state(f.s)->why, "full"));
    assert_true(smi_follow_store_state(f.s)->waiting >= 1000);
    remove("small/filler");
    go_for(&f, 1500);
    assert_int_equal(smi_follow_store_state(f.s)->failures, 0);
    assert_int_equal(smi_follow_store_state(f.s)->waiting, 0);
    fill_up("small/filler");
    rows_to("log", 5000);
    go_for(&f, 100);
    assert_int_equal(end(&f, &err), -1); /* and says how many */
    assert_non_null(strstr(err.text, "could not be stored"));
    remove("small/filler");
    assert_int_equal(begin(&f, "small/store", "log"), 0);
    go_for(&f, 100);
    err = (struct smi_err){0};
    assert_int_equal(end(&f, &err), 0);
    each_once("small/store", 10100);
    umount("small");
}

/* A commit that seemed to fail may be in the file: its lines are tried again, and are there once. Files of
 * earlier versions have one table more. */
static void tried_again(void **unused)
{
    struct follower f;
    struct smi_err err = {0};
    (void)unused;
    clean();
    rows_to("log", 20);
    assert_int_equal(begin(&f, "store", "log"), 0);
    go_for(&f, 100);
    assert_int_equal(end(&f, &err), 0);
    each_once("store", 20);
    ask("store", "CREATE TABLE batch(number INTEGER NOT NULL) STRICT");
    ask("store", "UPDATE source SET line=0, offset=0, head=x'', last=x''");
    rows_to("log", 5);
    assert_int_equal(begin(&f, "store", "log"), 0);
    go_for(&f, 100);
    assert_int_equal(end(&f, &err), 0);
    each_once("store", 25);
}

/* The same by a limit on the size of files, where nothing can be mounted. */
static void limited_file(void **unused)
{
    struct follower f;
    struct smi_err err = {0};
    struct rlimit all, few = {300000, RLIM_INFINITY};
    (void)unused;
    clean();
    signal(SIGXFSZ, SIG_IGN);
    rows_to("log", 10000);
    getrlimit(RLIMIT_FSIZE, &all);
    assert_int_equal(begin(&f, "store", "log"), 0);
    setrlimit(RLIMIT_FSIZE, &few);
    go_for(&f, 300);
    assert_true(smi_follow_store_state(f.s)->failures >= 1);
    setrlimit(RLIMIT_FSIZE, &all);
    go_for(&f, 1500);
    assert_int_equal(smi_follow_store_state(f.s)->failures, 0);
    assert_int_equal(end(&f, &err), 0);
    each_once("store", 10000);
}

/* What cannot be kept any more is not taken from tail, and comes later. */
static void waiting(void **unused)
{
    struct follower f;
    struct smi_err err = {0};
    (void)unused;
    clean();
    rows_to("log", 3);
    assert_int_equal(begin(&f, "store", "log"), 0);
    go_for(&f, 30);
    sqlite3 *other;
    sqlite3_open("store", &other);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK); /* somebody holds it */
    rows_to("log", 3);
    go_for(&f, 100);
    assert_int_equal(smi_follow_store_state(f.s)->waiting, 3);
    assert_true(smi_follow_store_state(f.s)->failures > 0);
    sqlite3_exec(other, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(other);
    go_for(&f, 1200);
    assert_int_equal(smi_follow_store_state(f.s)->waiting, 0);
    assert_int_equal(end(&f, &err), 0);
    each_once("store", 6);
}

static int enter(void **unused)
{
    (void)unused;
    signal(SIGALRM, SIG_DFL);
    written = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return written == MAP_FAILED || !mkdtemp(home) || chdir(home) != 0;
}

static int leave(void **unused)
{
    (void)unused;
    clean();
    return chdir("/") != 0 || rmdir(home) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_files), cmocka_unit_test(waiting),     cmocka_unit_test(limited_file),
        cmocka_unit_test(full_disk),    cmocka_unit_test(tried_again), cmocka_unit_test(killed),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
