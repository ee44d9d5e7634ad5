/* The HTTP client against a server that does all that servers do. */
#include "fake_http.h"
#include "export/clickhouse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct smi_ch_patience patience = {.hello_ms = 20000};

struct one {
    struct fake_http server;
    struct smi_ch_server s;
    struct smi_err err;
};

/* A server that has answered once, and then does this. */
static struct one *begin_as(struct fake_step s, const char *user, const char *password)
{
    struct one *o = calloc(1, sizeof *o);
    char url[80];
    o->server.step[0] = (struct fake_step){FAKE_ANSWERS, 200, "\n"};
    o->server.step[1] = s;
    o->server.steps = 2;
    fake_start(&o->server);
    snprintf(url, sizeof url, "clickhouse://%s127.0.0.1:%d/d", user, o->server.port);
    if (password)
        setenv("SMILOG_CLICKHOUSE_PASSWORD", password, 1);
    assert_int_equal(smi_ch_server_open(&o->s, url, NULL, &patience, &o->err), 0);
    unsetenv("SMILOG_CLICKHOUSE_PASSWORD");
    return o;
}

static struct one *begin(struct fake_step s)
{
    return begin_as(s, "", NULL);
}

static void end(struct one *o)
{
    smi_ch_server_close(&o->s);
    fake_stop(&o->server);
    free(o);
}

static int ask(struct one *o, size_t most, long deadline_ms)
{
    o->s.most = most;
    o->s.patience.answer_ms = deadline_ms;
    return smi_ch_post(&o->s, NULL, NULL, smi_text_of("SELECT 1"), &o->err);
}

static void what_is_answered_is_taken_whole(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, "Ok.\n"});
    (void)state;
    assert_int_equal(ask(o, 100, 0), 0);
    assert_int_equal(o->s.status, 200);
    assert_string_equal(o->s.answer.p, "Ok.\n");
    assert_non_null(strstr(o->server.head[1].p, "POST /?database=d&wait_end_of_query=1&"));
    assert_null(strcasestr(o->server.head[1].p, "Authorization"));
    end(o);
}

static void what_is_no_success_is_an_error(void **state)
{
    static const int status[] = {500, 302}; /* nobody is followed elsewhere */
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct one *o = begin((struct fake_step){FAKE_ANSWERS, status[i], "Code: 1, no"});
        assert_int_equal(ask(o, 100, 0), -1);
        assert_int_equal(o->s.status, status[i]);
        assert_int_equal(o->s.code, 1);
        assert_non_null(strstr(o->err.text, "says: Code: 1, no"));
        assert_int_equal(o->server.done, 2);
        end(o);
    }
}

static void a_large_body_arrives_whole(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, ""});
    size_t n = 3 << 20;
    char *large = malloc(n);
    (void)state;
    for (size_t i = 0; i < n; i++)
        large[i] = (char)(i * 7 % 251);
    assert_int_equal(smi_ch_post(&o->s, "x", "q1", (struct smi_text){large, n}, &o->err), 0);
    assert_int_equal(o->server.body[1].n, n);
    assert_memory_equal(o->server.body[1].p, large, n);
    assert_non_null(strstr(o->server.head[1].p, "POST "
                                                "/?database=d&query_id=q1&insert_distributed_sync=1&query="
                                                "INSERT%20INTO%20x%20FORMAT%20JSONEachRow HTTP/1.1\r\n"));
    free(large);
    end(o);
}

static void the_connection_is_kept(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, "1"});
    (void)state;
    o->server.step[2] = (struct fake_step){FAKE_ANSWERS, 200, "2"};
    o->server.steps = 3;
    assert_int_equal(ask(o, 100, 0), 0);
    assert_int_equal(ask(o, 100, 0), 0);
    assert_string_equal(o->s.answer.p, "2");
    end(o);
}

static void a_password_goes_to_the_server_and_into_no_message(void **state)
{
    struct one *o = begin_as((struct fake_step){FAKE_CUTS, 0, NULL}, "ann@", "s3cret!");
    (void)state;
    assert_non_null(strstr(o->server.head[0].p, "Authorization: Basic YW5uOnMzY3JldCE=\r\n"));
    assert_int_equal(ask(o, 100, 0), -1);
    assert_null(strstr(o->err.text, "s3cret"));
    end(o);
}

static void fails(struct fake_step s, size_t most, long deadline_ms, int code)
{
    struct one *o = begin(s);
    char at[40];
    assert_int_equal(ask(o, most, deadline_ms), -1);
    assert_int_equal(o->err.code, code);
    assert_int_equal(o->s.status, 0);
    snprintf(at, sizeof at, "127.0.0.1:%d: ", o->s.place.port);
    assert_non_null(strstr(o->err.text, at));
    end(o);
}

static void what_goes_wrong_is_an_error_with_its_host(void **state)
{
    (void)state;
    fails((struct fake_step){FAKE_CUTS, 0, NULL}, 100, 0, SMI_EIO);
    fails((struct fake_step){FAKE_CUTS_HALF, 200, "half of this is lost"}, 100, 0, SMI_EIO);
    fails((struct fake_step){FAKE_GARBLES, 0, NULL}, 100, 0, SMI_EIO);
    fails((struct fake_step){FAKE_WAITS, 0, NULL}, 100, 300, SMI_EIO);
    fails((struct fake_step){FAKE_ANSWERS, 200, "eleven byte"}, 10, 0, SMI_ELIMIT);
}

static void as_many_bytes_as_are_taken_are_no_error(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, "ten bytes!"});
    (void)state;
    assert_int_equal(ask(o, 10, 0), 0);
    end(o);
}

static void nobody_there_refuses(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, ""});
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    (void)state;
    assert_int_equal(bind(fd, (struct sockaddr *)&a, n), 0); /* a port that nobody listens to */
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    o->s.place.port = ntohs(a.sin_port);
    assert_int_equal(ask(o, 10, 0), -1);
    assert_int_equal(o->err.code, SMI_EIO);
    assert_non_null(strstr(o->err.text, "refused"));
    close(fd);
    end(o);
}

static void a_query_is_quoted(void **state)
{
    struct smi_buf b = {0};
    (void)state;
    smi_buf_percent(&b, (struct smi_text){"a-Z_9.~ &=%\0\xc3\xa9/", 15}, "");
    assert_string_equal(b.p, "a-Z_9.~%20%26%3D%25%00%C3%A9%2F");
    smi_buf_fini(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_answered_is_taken_whole),
        cmocka_unit_test(what_is_no_success_is_an_error),
        cmocka_unit_test(a_large_body_arrives_whole),
        cmocka_unit_test(the_connection_is_kept),
        cmocka_unit_test(a_password_goes_to_the_server_and_into_no_message),
        cmocka_unit_test(what_goes_wrong_is_an_error_with_its_host),
        cmocka_unit_test(as_many_bytes_as_are_taken_are_no_error),
        cmocka_unit_test(nobody_there_refuses),
        cmocka_unit_test(a_query_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
