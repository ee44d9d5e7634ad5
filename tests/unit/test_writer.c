/* writer: no reader is waited for, and a slow one gets every line, complete and in order. */
#include "base/loop.h"
#include "loops.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { LINES = 40000, LONG = 70000 };

/* Line i; some are longer than a pipe. Returns its length. */
static size_t make_line(char *to, int i)
{
    size_t n = i % 5000 == 4999 ? LONG : (size_t)(i % 37);
    sprintf(to, "%06d ", i);
    memset(to + 7, 'a' + i % 26, n);
    to[7 + n] = '\n';
    return n + 8;
}

static void put_lines(struct smi_writer *w, int from, int to)
{
    static char line[LONG + 10];
    struct smi_err err = {0};
    for (int i = from; i < to; i++)
        assert_int_equal(smi_writer_put(w, line, make_line(line, i), &err), 0);
}

/* Reads the lines from a descriptor a piece at a time while the writer's loop goes on. */
static void read_lines(struct smi_writer *w, int fd, int from, int to)
{
    static char want[LONG + 10], got[LONG + 10];
    struct smi_err err = {0};
    for (int i = from; i < to; i++) {
        size_t n = make_line(want, i), have = 0;
        while (have < n) {
            size_t piece = n - have < 1000 ? n - have : 1000;
            assert_int_equal(smi_writer_flush(w, &err), 0);
            ssize_t k = read(fd, got + have, piece);
            assert_true(k > 0);
            have += (size_t)k;
        }
        assert_memory_equal(got, want, n);
    }
}

static void check_slow_reader(int to, int from, int flags)
{
    struct smi_writer w;
    smi_writer_open(&w, to, "it");
    put_lines(&w, 0, LINES);
    assert_true(smi_writer_pending(&w) > 0);
    read_lines(&w, from, 0, LINES / 2);
    put_lines(&w, LINES, LINES + 5);
    read_lines(&w, from, LINES / 2, LINES + 5);
    assert_int_equal(smi_writer_pending(&w), 0);
    assert_int_equal(w.dropped, 0);
    assert_int_equal(fcntl(to, F_GETFL), flags);
    smi_writer_close(&w);
    close(to);
    assert_int_equal(read(from, &w, 1), 0);
    close(from);
}

static void a_slow_reader_gets_every_line(void **state)
{
    int p[2], s[2];
    (void)state;
    assert_int_equal(pipe(p), 0);
    check_slow_reader(p[1], p[0], fcntl(p[1], F_GETFL));
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, s), 0);
    check_slow_reader(s[1], s[0], fcntl(s[1], F_GETFL));
}

/* As where the pipe is another user's, who does not let us open it again. */
static void a_shared_pipe_is_not_waited_for(void **state)
{
    struct smi_writer w;
    int p[2];
    (void)state;
    assert_int_equal(pipe(p), 0);
    smi_writer_open(&w, p[1], "it");
    close(w.fd);
    w.kind = SMI_WRITER_SHARED;
    w.fd = p[1];
    w.most = 4096;
    put_lines(&w, 0, LINES);
    read_lines(&w, p[0], 0, LINES);
    smi_writer_close(&w);
    assert_int_equal(fcntl(p[1], F_GETFL) & O_NONBLOCK, 0);
    close(p[0]);
    close(p[1]);
}

static void what_does_not_fit_is_dropped_in_whole_lines(void **state)
{
    static char text[SMI_WRITER_BYTES / 4];
    struct smi_writer w;
    struct smi_err err = {0};
    int p[2];
    int64_t lines = 0, most = 0;
    char piece[4096];
    ssize_t n;
    (void)state;
    assert_int_equal(pipe(p), 0);
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = text[100] = '\n'; /* two lines */
    smi_writer_open(&w, p[1], "it");
    for (int i = 0; i < 10; i++) {
        assert_int_equal(smi_writer_put(&w, text, sizeof text, &err), 0);
        most = (int64_t)smi_writer_pending(&w) > most ? (int64_t)smi_writer_pending(&w) : most;
    }
    assert_in_range(most, SMI_WRITER_BYTES / 2, SMI_WRITER_BYTES);
    assert_in_range(w.dropped, 10, 14);
    while (smi_writer_pending(&w)) {
        assert_true((n = read(p[0], piece, sizeof piece)) > 0);
        for (ssize_t i = 0; i < n; i++)
            lines += piece[i] == '\n';
        assert_int_equal(smi_writer_flush(&w, &err), 0);
    }
    smi_writer_close(&w);
    close(p[1]);
    while ((n = read(p[0], piece, sizeof piece)) > 0)
        for (ssize_t i = 0; i < n; i++)
            lines += piece[i] == '\n';
    assert_int_equal(lines + w.dropped, 20);
    close(p[0]);
}

static void a_loop_waits_for_room(void **state)
{
    struct smi_loop l = {.sources = 0};
    struct smi_writer w;
    struct smi_err err = {0};
    int p[2];
    static char text[200000];
    (void)state;
    assert_int_equal(pipe(p), 0);
    memset(text, '\n', sizeof text);
    smi_writer_open(&w, p[1], "it");
    smi_writer_watch(&w, &l);
    assert_int_equal(l.fds, 0);
    assert_int_equal(smi_writer_put(&w, text, sizeof text, &err), 0);
    smi_writer_watch(&w, &l);
    assert_int_equal(l.fds, 1);
    assert_int_equal(poll(l.fd, 1, 0), 0);
    assert_true(read(p[0], text, 65536) > 0);
    assert_int_equal(poll(l.fd, 1, 0), 1);
    close(p[0]); /* the reader goes */
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(smi_writer_flush(&w, &err), -1);
    assert_true(w.failed);
    assert_int_equal(smi_writer_pending(&w), 0);
    smi_writer_close(&w);
    close(p[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_reader_gets_every_line),
        cmocka_unit_test(a_shared_pipe_is_not_waited_for),
        cmocka_unit_test(what_does_not_fit_is_dropped_in_whole_lines),
        cmocka_unit_test(a_loop_waits_for_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
