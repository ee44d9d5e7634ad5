/* test_serve.c - what the server answers to, and what it says: addresses, Host headers, requests, Prometheus
 * text under both sets of names, the state of the page with hostile names in it. */
#include "live/serve.h"

#include <arpa/inet.h>
#include <jansson.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- addresses ---- */

static void addresses_are_read(void **state)
{
    static const struct {
        const char *text, *at;
        bool loopback, every;
    } good[] = {
        {"9400", "127.0.0.1:9400", true, false},          {"0", "127.0.0.1:0", true, false},
        {"65535", "127.0.0.1:65535", true, false},        {"127.0.0.1:9400", "127.0.0.1:9400", true, false},
        {"127.3.2.1:1", "127.3.2.1:1", true, false},      {"localhost:80", "127.0.0.1:80", true, false},
        {"LocalHost:80", "127.0.0.1:80", true, false},    {"[::1]:9400", "[::1]:9400", true, false},
        {"[::]:9400", "[::]:9400", false, true},          {"0.0.0.0:9400", "0.0.0.0:9400", false, true},
        {"10.1.2.3:9400", "10.1.2.3:9400", false, false}, {"[fe80::1]:9400", "[fe80::1]:9400", false, false}};
    static const char *const bad[] = {"",
                                      ":",
                                      ":9400",
                                      "65536",
                                      "99999",
                                      "100000",
                                      "-1",
                                      "9400 ",
                                      " 9400",
                                      "94 00",
                                      "0x50",
                                      "::1:9400",
                                      "[::1]",
                                      "[::1",
                                      "[::1]9400",
                                      "[127.0.0.1]:80",
                                      "[]:80",
                                      "127.0.0.1",
                                      "127.0.0.1:",
                                      "127.0.0.1:65536",
                                      "127.0.0.1:80:80",
                                      "1.2.3:80",
                                      "node7:9400",
                                      "*:9400",
                                      "http://127.0.0.1:80",
                                      "[fe80::1%lo]:80",
                                      "[::1]:80]",
                                      "[::ffff:127.0.0.1]:80",
                                      "9400/"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct smi_listen l;
        struct smi_err err = {0};
        char text[SMI_LISTEN_TEXT];
        if (smi_listen_parse(&l, good[i].text, &err))
            fail_msg("%s: %s", good[i].text, err.text);
        smi_listen_put(text, &l);
        assert_string_equal(text, good[i].at);
        assert_int_equal(l.loopback, good[i].loopback);
        assert_int_equal(l.every, good[i].every);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct smi_listen l;
        struct smi_err err = {0};
        if (smi_listen_parse(&l, bad[i], &err) == 0)
            fail_msg("\"%s\" was taken", bad[i]);
        assert_int_equal(err.code, SMI_EUSAGE);
    }
}

/* ---- Host ---- */

static bool answers(const char *listen, const char *machine, const char *host)
{
    struct smi_listen l;
    assert_int_equal(smi_listen_parse(&l, listen, NULL), 0);
    return smi_request_host(host, &l, machine);
}

static void hosts_are_ours_or_refused(void **state)
{
    static const struct {
        const char *listen, *host;
        bool ours;
    } row[] = {
        {"9400", "localhost", true},
        {"9400", "localhost:9400", true},
        {"9400", "LOCALHOST:8080", true}, /* through a tunnel */
        {"9400", "127.0.0.1", true},
        {"9400", "127.0.0.1:9400", true},
        {"9400", "node7", true},
        {"9400", "NODE7:9400", true},
        {"9400", "node7.cluster.example", true},
        {"9400", "node7.cluster.example:9400", true},
        {"9400", "127.0.0.2", false},
        {"9400", "10.0.0.5:9400", false},
        {"9400", "[::1]:9400", false},
        {"9400", "0.0.0.0:9400", false},
        {"9400", "evil.example", false},
        {"9400", "localhost.evil.example", false},
        {"9400", "evil.example:9400", false},
        {"9400", "node7.evil.example", false},
        {"9400", "node", false},
        {"9400", "cluster.example", false},
        {"9400", "127.0.0.1.evil.example", false},
        {"9400", "127.0.0.1:9400:80", false},
        {"9400", "127.0.0.1:99999", false},
        {"9400", "127.0.0.1:port", false},
        {"9400", "localhost:", true}, /* RFC 9110: an empty port is one */
        {"9400", "", false},
        {"9400", ":9400", false},
        {"9400", "localhost/", false},
        {"9400", "user@localhost", false},
        {"9400", "localhost evil.example", false},
        {"9400", "127.1", false},
        {"9400", "2130706433", false},
        {"9400", "0x7f000001", false},
        {"9400", "[localhost]", false},
        {"9400", "[127.0.0.1]", false},
        {"[::1]:9400", "[::1]", true},
        {"[::1]:9400", "[::1]:9400", true},
        {"[::1]:9400", "[0:0:0:0:0:0:0:1]:9400", true},
        {"[::1]:9400", "::1", false},
        {"[::1]:9400", "[::1", false},
        {"[::1]:9400", "[::1]x", false},
        {"[::1]:9400", "127.0.0.1", false},
        {"0.0.0.0:9400", "10.0.0.5:9400", true}, /* a literal address is nobody's name */
        {"0.0.0.0:9400", "[fd00::5]:9400", true},
        {"0.0.0.0:9400", "evil.example:9400", false},
        {"[::]:9400", "10.0.0.5", true},
        {"10.0.0.5:9400", "10.0.0.5", true},
        {"10.0.0.5:9400", "10.0.0.6", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (answers(row[i].listen, "node7.cluster.example", row[i].host) != row[i].ours)
            fail_msg("--listen %s, Host: %s", row[i].listen, row[i].host);
    assert_false(answers("9400", "", ""));
    assert_false(answers("9400", NULL, "node7"));
    assert_false(answers("9400", "", ":80"));
}

/* One of our names with some letters changed, added or taken away is none of ours. */
static void changed_hosts_are_refused(void **state)
{
    static const char *const names[] = {"localhost", "node7", "127.0.0.1"};
    static const char letters[] = "lhost17.0:[]@/%\\ \t\x01\xff";
    unsigned long seed = 1;
    int taken = 0;
    (void)state;
    for (int i = 0; i < 200000; i++) {
        char host[32] = "", name[32];
        strcpy(host, names[i % 3]);
        for (unsigned k = (unsigned)i / 3 % 3; k < 3; k++) {
            size_t n = strlen(host), at;
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            at = (seed >> 40) % (n + 1);
            if (seed >> 63 && at < n)
                memmove(host + at, host + at + 1, n - at);
            else
                memmove(host + at + 1, host + at, n - at + 1),
                    host[at] = letters[(seed >> 33) % (sizeof letters - 1)];
        }
        if (!answers("9400", "node7", host))
            continue;
        taken++;
        strcpy(name, host);
        name[strcspn(name, ":")] = 0;
        if (strcasecmp(name, "localhost") != 0 && strcasecmp(name, "node7") != 0 &&
            strcmp(name, "127.0.0.1") != 0)
            fail_msg("taken: %s", host);
    }
    assert_true(taken > 10); /* changed there and back, or with a port */
}

/* ---- requests ---- */

static void requests_are_judged(void **state)
{
    static const struct {
        struct smi_request q;
        int status;
    } row[] = {{{"GET", "/", "localhost", 1}, 200},
               {{"HEAD", "/metrics", "localhost", 1}, 200},
               {{"GET", "/events", "127.0.0.1:9400", 1}, 200},
               {{"GET", "/metrics/", "localhost", 1}, 404},
               {{"GET", "/../etc/passwd", "localhost", 1}, 404},
               {{"GET", "//metrics", "localhost", 1}, 404},
               {{"GET", "http://evil.example/metrics", "localhost", 1}, 404},
               {{"GET", "", "localhost", 1}, 404},
               {{"GET", "/Metrics", "localhost", 1}, 404},
               {{"POST", "/metrics", "localhost", 1}, 405},
               {{"PUT", "/nowhere", "localhost", 1}, 405},
               {{"OPTIONS", "/", "localhost", 1}, 405},
               {{"get", "/", "localhost", 1}, 405},
               {{"GET", "/", "evil.example", 1}, 403},
               {{"POST", "/", "evil.example", 1}, 403},
               {{"GET", "/", NULL, 0}, 400},
               {{"GET", "/", "localhost", 2}, 400}};
    struct smi_listen l;
    (void)state;
    assert_int_equal(smi_listen_parse(&l, "9400", NULL), 0);
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        enum smi_serve_path path = SMI_SERVE_PATH_PAGE;
        int got = smi_request_check(&row[i].q, &l, "node7", &path);
        if (got != row[i].status)
            fail_msg("%s %s of %s: %d, not %d", row[i].q.method, row[i].q.path,
                     row[i].q.host ? row[i].q.host : "-", got, row[i].status);
    }
}

static void openmetrics_for_who_prefers_it(void **state)
{
    static const struct {
        const char *accept;
        bool want;
    } row[] = {
        {NULL, false},
        {"", false},
        {"*/*", false},
        {"text/plain", false},
        {"text/html, */*;q=0.1", false},
        {"application/openmetrics-text", true},
        {"application/openmetrics-text;version=1.0.0,application/"
         "openmetrics-text;version=0.0.1;q=0.75,text/plain;"
         "version=0.0.4;q=0.5,*/*;q=0.1",
         true}, /* Prometheus 2.42 */
        {"text/plain;version=0.0.4;q=1,*/*;q=0.1", false},
        {"text/plain;version=0.0.4;q=0.6,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.2", false},
        {"application/openmetrics-text;q=0.5 ;x=1, text/plain;q=0.4", true},
        {",,,;;q=", false}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if (smi_request_openmetrics(row[i].accept) != row[i].want)
            fail_msg("%s", row[i].accept ? row[i].accept : "none");
}

/* ---- what is said ---- */

static const char hostile[] = "</script><script>x=1</script>\"\\\n\x1b[31m\u202e\u2028&lt;'";

/* Two GPUs with every metric of the catalogue, and an old one. */
static struct smi_machine *full(struct smi_live_gpu gpu[3])
{
    static struct smi_live_gpu *list[3];
    struct smi_machine_opts o = {.has_offset = true};
    struct smi_machine *n = smi_machine_new(&o);
    assert_non_null(n);
    n->mono_ms = 100000;
    n->timed = true;
    n->t_ms = n->base_t_ms = 1783000000000;
    n->first_ms = n->t_ms - 60000;
    n->base_mono_ms = n->mono_ms;
    assert_int_equal(smi_machine_add_source(n, hostile, -1, 1000)->place, 0);
    n->source[0]->state = SMI_SOURCE_READING;
    n->source[0]->seen_mono_ms = 99000;
    memset(gpu, 0, 3 * sizeof *gpu);
    for (int i = 0; i < 3; i++) {
        gpu[i] = (struct smi_live_gpu){.id = (size_t)i,
                                       .index = i,
                                       .uuid = i ? "GPU-1" : "GPU-0",
                                       .name = hostile,
                                       .bus = "00000000:07:00.0",
                                       .seen = true,
                                       .mine = true,
                                       .state = i == 2 ? SMI_GPU_LOST : SMI_GPU_OK,
                                       .seen_mono_ms = 99500,
                                       .pitch_ms = 1000};
        for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
            gpu[i].latest[m] = (struct smi_machine_reading){true, 0, 12340000 + (int64_t)m, 99500};
        list[i] = &gpu[i];
    }
    n->gpu = list;
    n->gpus = 3;
    return n;
}

static void release(struct smi_machine *n)
{
    n->gpu = NULL;
    n->gpus = 0;
    smi_machine_free(n);
}

/* Every line is a comment or a series under its own head; every name once. */
static int look(const char *text, const struct smi_prometheus_opts *e)
{
    regex_t head, series;
    char name[256] = "", copy[4096];
    int families = 0;
    assert_int_equal(regcomp(&head, "^# (HELP|TYPE) [a-zA-Z_][a-zA-Z0-9_]* ", REG_EXTENDED), 0);
    assert_int_equal(regcomp(&series,
                             "^[a-zA-Z_][a-zA-Z0-9_]*(\\{[a-zA-Z_]+=\"([^\"\\\\]|\\\\.)*\"(,[a-zA-Z_]+=\"([^"
                             "\"\\\\]|\\\\.)*\")*"
                             "\\})? -?[0-9]+\\.[0-9]+$",
                             REG_EXTENDED),
                     0);
    for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
        size_t n = strcspn(p, "\n");
        assert_true(n < sizeof copy && p[n] == '\n');
        memcpy(copy, p, n);
        copy[n] = 0;
        if (strcmp(copy, "# EOF") == 0) {
            assert_true(e->openmetrics && p[n + 1] == 0);
        } else if (*copy == '#') {
            if (regexec(&head, copy, 0, NULL, 0))
                fail_msg("%s", copy);
            if (strncmp(copy, "# HELP ", 7) != 0)
                continue;
            snprintf(name, sizeof name, "%.*s", (int)strcspn(copy + 7, " "), copy + 7);
            families++;
            snprintf(copy, sizeof copy, "# HELP %s ", name);
            if (strstr(p + n, copy))
                fail_msg("%s comes twice", name);
        } else {
            size_t length = strcspn(copy, "{ ");
            bool same = length == strlen(name) && strncmp(copy, name, length) == 0;
            bool total = e->openmetrics && length == strlen(name) + 6 &&
                         strncmp(copy + length - 6, "_total", 6) == 0 && strncmp(copy, name, length - 6) == 0;
            if (regexec(&series, copy, 0, NULL, 0) || !(same || total))
                fail_msg("%s under %s", copy, name);
        }
    }
    regfree(&head);
    regfree(&series);
    return families;
}

static void every_metric_has_a_family_under_both_names(void **state)
{
    struct smi_live_gpu gpu[3];
    struct smi_machine *n = full(gpu);
    (void)state;
    for (int i = 0; i < 4; i++) {
        const struct smi_prometheus_opts e = {hostile, hostile, 1783000000123,
                                              i & 1 ? SMI_PROMETHEUS_DCGM_NAMES : SMI_PROMETHEUS_SMILOG_NAMES,
                                              i & 2};
        struct smi_buf b = {0};
        smi_prometheus_put(&b, n, &e);
        assert_int_equal(look(b.p, &e),
                         SMI_METRIC_COUNT + 11); /* four of GPUs, alert, four of monitors, version, time */
        assert_true((strstr(b.p, "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"GPU-0\",pci_bus_id=\"00000000:07:00."
                                 "0\",device=\"nvidia0\",modelName=") != NULL) ==
                    (e.names == SMI_PROMETHEUS_DCGM_NAMES));
        assert_true((strstr(b.p, "\nsmilog_fb_used_bytes{") != NULL) ==
                    (e.names == SMI_PROMETHEUS_SMILOG_NAMES));
        assert_null(strstr(b.p, "gpu_util_ratio{gpu=\"2\"")); /* lost: its last numbers are nobody's */
        assert_null(strstr(b.p, "GPU_UTIL{gpu=\"2\""));
        assert_non_null(strstr(b.p, "smilog_gpu_lost{gpu=\"2\""));
        smi_buf_fini(&b);
    }
    gpu[1].state = SMI_GPU_STALE;
    for (unsigned m = 0; m < SMI_METRIC_COUNT; m++)
        gpu[1].latest[m].mono_ms = 1000;
    const struct smi_prometheus_opts e = {.names = SMI_PROMETHEUS_SMILOG_NAMES};
    struct smi_buf b = {0};
    smi_prometheus_put(&b, n, &e);
    assert_non_null(strstr(b.p, "gpu_util_ratio{gpu=\"0\""));
    assert_null(strstr(b.p, "gpu_util_ratio{gpu=\"1\"")); /* old */
    smi_buf_fini(&b);
    release(n);
}

/* Of 12.34 in the catalogue's unit. */
static void values_are_in_the_units_of_their_names(void **state)
{
    static const struct {
        const char *series;
        const char *value;
    } row[] = {{"smilog_gpu_util_ratio", "0.1234"},
               {"DCGM_FI_DEV_GPU_UTIL", "12.34"},
               {"smilog_power_watts", "12.34001"},
               {"DCGM_FI_DEV_POWER_USAGE", "12.34001"},
               {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "12340."},
               {"smilog_fb_used_bytes", "12939"},
               {"DCGM_FI_DEV_FB_USED", "12.34"},
               {"smilog_clk_sm_hertz", "1234003"},
               {"DCGM_FI_DEV_SM_CLOCK", "12.34"}};
    struct smi_live_gpu gpu[3];
    struct smi_machine *n = full(gpu);
    struct smi_buf b = {0};
    (void)state;
    for (int names = 0; names < 2; names++) {
        const struct smi_prometheus_opts e = {.names = (enum smi_prometheus_names)names};
        smi_prometheus_put(&b, n, &e);
    }
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char start[128];
        const char *at, *value;
        snprintf(start, sizeof start, "\n%s{gpu=\"0\"", row[i].series);
        at = strstr(b.p, start);
        if (!at)
            fail_msg("no %s", row[i].series);
        value = strstr(at, "} ") + 2;
        if (strncmp(value, row[i].value, strlen(row[i].value)) != 0)
            fail_msg("%s %.20s", row[i].series, value);
    }
    smi_buf_fini(&b);
    release(n);
}

/* Free memory is what is left of all; dcgm-exporter has it always, and our own names only where a log tells
 * it. */
static void free_memory_is_what_the_total_leaves(void **state)
{
    static const struct {
        bool has_free, has_reserved, has_total;
        int64_t used;
        const char *value; /* or NULL: not told */
    } row[] = {{false, true, true, 70000, "10820"},
               {false, false, true, 70000, "11559"},
               {false, true, false, 70000, NULL},
               {true, true, true, 70000, "123"},
               {false, true, true, 81500, NULL}};
    struct smi_live_gpu gpu[3];
    struct smi_machine *n = full(gpu);
    (void)state;
    for (size_t i = 0; i < 2 * sizeof row / sizeof *row; i++) {
        const struct smi_prometheus_opts e = {.names = i & 1 ? SMI_PROMETHEUS_DCGM_NAMES
                                                             : SMI_PROMETHEUS_SMILOG_NAMES};
        struct smi_machine_reading *r = gpu[0].latest;
        const char *at;
        struct smi_buf b = {0};
        r[SMI_FB_FREE].has = row[i / 2].has_free;
        r[SMI_FB_FREE].v = 123000000;
        r[SMI_FB_RESERVED].has = row[i / 2].has_reserved;
        r[SMI_FB_RESERVED].v = 739000000;
        r[SMI_FB_TOTAL].has = row[i / 2].has_total;
        r[SMI_FB_TOTAL].v = (int64_t)81559 * 1000000;
        r[SMI_FB_USED].v = row[i / 2].used * 1000000;
        smi_prometheus_put(&b, n, &e);
        at = strstr(b.p, i & 1 ? "\nDCGM_FI_DEV_FB_FREE{gpu=\"0\"" : "\nsmilog_fb_free_bytes{gpu=\"0\"");
        assert_true((at != NULL) == (i & 1 ? row[i / 2].value != NULL : row[i / 2].has_free));
        if (at && i & 1)
            assert_memory_equal(strstr(at, "} ") + 2, row[i / 2].value, strlen(row[i / 2].value));
        smi_buf_fini(&b);
    }
    release(n);
}

static void nothing_hostile(json_t *v)
{
    const char *key;
    json_t *w;
    size_t i;
    if (json_is_string(v)) {
        const char *text = json_string_value(v);
        for (size_t k = 0, n = strlen(text); k < n; k += smi_text_utf8(text + k, n - k))
            if (smi_text_unprintable(text + k, smi_text_utf8(text + k, n - k)) >= 0)
                fail_msg("hidden letters in %s", text);
    } else if (json_is_object(v)) {
        json_object_foreach (v, key, w)
            nothing_hostile(w);
    } else {
        json_array_foreach (v, i, w)
            nothing_hostile(w);
    }
}

static void the_page_holds_hostile_names_as_text(void **state)
{
    struct smi_live_gpu gpu[3];
    struct smi_machine *n = full(gpu);
    const struct smi_serve_opts o = {"0", "smilog live", hostile, hostile, 1000, 0, NULL};
    struct smi_buf event = {0}, page = {0};
    json_t *v;
    const char *p;
    int scripts = 0;
    (void)state;
    smi_machine_add_event(n, SMI_EVENT_WARN, "%s", hostile);
    smi_buf_str(&event, "data: ");
    smi_serve_state_put(&event, n, &o);
    assert_null(strchr(event.p, '\n')); /* an event of one line */
    v = json_loads(event.p + 6, 0, NULL);
    assert_non_null(v);
    assert_int_equal(json_array_size(json_object_get(json_object_get(v, "page"), "gpus")), 3);
    assert_int_equal(json_array_size(json_object_get(v, "gpus")), 3);
    nothing_hostile(json_object_get(v, "page"));
    json_decref(v);
    smi_live_page_put(&page, n, &o, &event);
    for (p = page.p; (p = strstr(p, "<script")); p++)
        scripts++;
    assert_int_equal(scripts, 2); /* the state and ours */
    assert_null(strstr(page.p, "x=1</script>"));
    smi_buf_fini(&event);
    smi_buf_fini(&page);
    release(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read),
        cmocka_unit_test(hosts_are_ours_or_refused),
        cmocka_unit_test(changed_hosts_are_refused),
        cmocka_unit_test(requests_are_judged),
        cmocka_unit_test(openmetrics_for_who_prefers_it),
        cmocka_unit_test(every_metric_has_a_family_under_both_names),
        cmocka_unit_test(values_are_in_the_units_of_their_names),
        cmocka_unit_test(free_memory_is_what_the_total_leaves),
        cmocka_unit_test(the_page_holds_hostile_names_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
