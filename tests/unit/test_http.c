/* The HTTP client against a server that does all that servers do. */
#include "fake_http.h"
#include "export/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct one {
    struct smi_http_target to;
    struct fake_http server;
    struct smi_http *h;
    struct smi_http_response a;
    struct smi_err err;
};

static struct one *begin(struct fake_step s)
{
    struct one *o = calloc(1, sizeof *o);
    o->server.step[0] = s;
    o->server.steps = 1;
    fake_start(&o->server);
    o->to = (struct smi_http_target){
        .host = "127.0.0.1", .port = o->server.port, .connect_ms = 5000, .stall_s = 60};
    o->h = smi_http_open(&o->to, &o->err);
    assert_non_null(o->h);
    return o;
}

static void end(struct one *o)
{
    smi_http_close(o->h);
    fake_stop(&o->server);
    smi_buf_fini(&o->a.text);
    free(o);
}

static int get(struct one *o, const char *path, size_t most, long deadline_ms)
{
    struct smi_http_request q = {.path = path, .most = most, .deadline_ms = deadline_ms};
    return smi_http_send(o->h, &q, &o->a, &o->err);
}

static void what_is_answered_is_taken_whole(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, "Ok.\n"});
    (void)state;
    assert_int_equal(get(o, "/ping?x=1", 100, 0), 0);
    assert_int_equal(o->a.status, 200);
    assert_string_equal(o->a.text.p, "Ok.\n");
    assert_non_null(strstr(o->server.head[0].p, "GET /ping?x=1 HTTP/1.1\r\n"));
    assert_null(strcasestr(o->server.head[0].p, "Authorization"));
    end(o);
}

static void an_error_of_the_server_is_an_answer(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 500, "Code: 1, no"});
    (void)state;
    assert_int_equal(get(o, "/", 100, 0), 0);
    assert_int_equal(o->a.status, 500);
    assert_string_equal(o->a.text.p, "Code: 1, no");
    end(o);
}

static void a_large_body_arrives_whole(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, ""});
    size_t n = 3 << 20;
    char *large = malloc(n);
    struct smi_http_request q = {.path = "/", .body = {large, n}, .most = 10};
    (void)state;
    for (size_t i = 0; i < n; i++)
        large[i] = (char)(i * 7 % 251);
    assert_int_equal(smi_http_send(o->h, &q, &o->a, &o->err), 0);
    assert_int_equal(o->server.body[0].n, n);
    assert_memory_equal(o->server.body[0].p, large, n);
    assert_non_null(strstr(o->server.head[0].p, "POST / HTTP/1.1\r\n"));
    free(large);
    end(o);
}

static void the_connection_is_kept(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, "1"});
    (void)state;
    o->server.step[1] = (struct fake_step){FAKE_ANSWERS, 200, "2"};
    o->server.steps = 2;
    assert_int_equal(get(o, "/", 100, 0), 0);
    assert_int_equal(get(o, "/", 100, 0), 0);
    assert_string_equal(o->a.text.p, "2");
    end(o);
}

static void a_password_goes_to_the_server_and_into_no_message(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, ""});
    (void)state;
    o->server.step[1] = (struct fake_step){FAKE_CUTS, 0, NULL};
    o->to.user = "ann";
    o->to.password = "s3cret!";
    assert_int_equal(get(o, "/", 100, 0), 0);
    assert_non_null(strstr(o->server.head[0].p, "Authorization: Basic YW5uOnMzY3JldCE=\r\n"));
    assert_int_equal(get(o, "/", 100, 0), -1);
    assert_null(strstr(o->err.text, "s3cret"));
    end(o);
}

static void fails(struct fake_step s, size_t most, long deadline_ms, int code)
{
    struct one *o = begin(s);
    char at[40];
    assert_int_equal(get(o, "/", most, deadline_ms), -1);
    assert_int_equal(o->err.code, code);
    assert_int_equal(o->a.status, 0);
    snprintf(at, sizeof at, "127.0.0.1:%d: ", o->to.port);
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
    assert_int_equal(get(o, "/", 10, 0), 0);
    end(o);
}

static void nobody_there_refuses(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 200, ""});
    struct smi_http_target to = o->to;
    struct smi_http *h;
    struct smi_http_request q = {.path = "/", .most = 10};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof a;
    (void)state;
    assert_int_equal(bind(fd, (struct sockaddr *)&a, n), 0); /* a port that nobody listens to */
    assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
    to.port = ntohs(a.sin_port);
    h = smi_http_open(&to, &o->err);
    assert_int_equal(smi_http_send(h, &q, &o->a, &o->err), -1);
    assert_int_equal(o->err.code, SMI_EIO);
    assert_non_null(strstr(o->err.text, "refused"));
    smi_http_close(h);
    close(fd);
    end(o);
}

static void nobody_is_followed_elsewhere(void **state)
{
    struct one *o = begin((struct fake_step){FAKE_ANSWERS, 302, "over there"});
    (void)state;
    assert_int_equal(get(o, "/", 100, 0), 0);
    assert_int_equal(o->a.status, 302);
    assert_int_equal(o->server.done, 1);
    end(o);
}

static void words_are_one_line_that_can_be_printed(void **state)
{
    struct smi_buf b = {0};
    (void)state;
    smi_http_error_text(&b, smi_text_of("Code: 60,\n\n  \x1b[31mred\x07 \r\n"), 100);
    assert_string_equal(b.p, "Code: 60, \\x1b[31mred\\x07");
    smi_buf_clear(&b);
    smi_http_error_text(&b, smi_text_of("0123456789"), 4);
    assert_string_equal(b.p, "0123");
    smi_buf_clear(&b);
    smi_http_error_text(&b, (struct smi_text){NULL, 0}, 4);
    assert_int_equal(b.n, 0);
    smi_buf_fini(&b);
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
        cmocka_unit_test(an_error_of_the_server_is_an_answer),
        cmocka_unit_test(a_large_body_arrives_whole),
        cmocka_unit_test(the_connection_is_kept),
        cmocka_unit_test(a_password_goes_to_the_server_and_into_no_message),
        cmocka_unit_test(what_goes_wrong_is_an_error_with_its_host),
        cmocka_unit_test(as_many_bytes_as_are_taken_are_no_error),
        cmocka_unit_test(nobody_there_refuses),
        cmocka_unit_test(nobody_is_followed_elsewhere),
        cmocka_unit_test(words_are_one_line_that_can_be_printed),
        cmocka_unit_test(a_query_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
