/* test_api.c - the public interface: what a refused option and a failed start leave behind, and whose words
 * its messages have. */
#include "api_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct smilog_error err;
static char dir[] = "/tmp/smilog-api-XXXXXX";

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    chmod(path, mode);
}

static void refuse(struct smilog_options *o, const char *name, const char *value)
{
    assert_int_equal(smilog_options_set(o, name, value, &err), -1);
    assert_int_equal(err.code, SMILOG_EUSAGE);
    err = (struct smilog_error){SMILOG_OK, ""};
}

static void a_refused_value_changes_nothing(void **state)
{
    struct smilog_options *o = smilog_options_new();
    (void)state;
    refuse(o, "tz", "No/Such_Zone");
    assert_false(o->is->o.has_offset);
    assert_int_equal(smilog_options_set(o, "tz", "Europe/Berlin", &err), 0);
    refuse(o, "tz", "No/Such_Zone");
    assert_ptr_equal(o->is->o.zone, &o->is->zone);
    assert_string_equal(o->is->o.zone->name, "Europe/Berlin");
    refuse(o, "idle-below", "101");
    assert_int_equal(o->is->o.idle_below, 1000000);
    assert_int_equal(smilog_options_set(o, "idle-below", "2%", &err), 0);
    assert_int_equal(o->is->o.idle_below, 2000000);
    refuse(o, "gpus", "foo");
    refuse(o, "help", "true");
    assert_int_equal(smilog_options_set(o, "gpus", "1", &err), 0);
    assert_int_equal(smilog_options_set(o, "gpus", "0,2", &err), 0); /* in place of the first */
    assert_string_equal(o->is->o.gpus, "0,2");
    assert_int_equal(smilog_options_set(o, "param", "user=ada", &err), 0);
    assert_string_equal(o->is->o.params, "user=ada");
    refuse(o, "price-kwh", "much");
    assert_false(o->is->prices.has_kwh);
    refuse(o, "input-format", "nothing");
    refuse(o, "threads", "999999");
    refuse(o, "width", "100000");
    assert_int_equal(smilog_options_set(o, "threads", "1024", &err), 0);
    assert_int_equal(smilog_options_set(o, "width", "10000", &err), 0);
    assert_int_equal(smilog_options_set(o, "all", "true", &err), 0);
    refuse(o, "all", "maybe");
    assert_true(o->is->look.all);
    smilog_options_free(o);
}

static void messages_name_options_of_the_library(void **state)
{
    struct smilog_options *o = smilog_options_new();
    const char *path = dir;
    struct smilog_sweep *s;
    char log[64];
    (void)state;
    snprintf(log, sizeof log, "%s/gpu.csv", dir);
    write_text(log, "timestamp, index, power.draw [W]\n2026/07/03 18:14:01.000, 0, 100.00 W\n", 0644);
    assert_int_equal(smilog_options_set(o, "price-kwh", "much", &err), -1);
    assert_non_null(strstr(err.text, "price-kwh"));
    assert_null(strstr(err.text, "--"));
    err = (struct smilog_error){SMILOG_OK, ""};
    assert_int_equal(smilog_options_set(o, "sql", "SELECT run FROM runs", &err), 0);
    assert_int_equal(smilog_options_set(o, "columns", "run", &err), 0);
    s = smilog_sweep_read(&path, 1, NULL, &err);
    assert_non_null(s);
    assert_null(smilog_query(s, o, &err));
    assert_non_null(strstr(err.text, "columns cannot be used together with sql"));
    err = (struct smilog_error){SMILOG_OK, ""};
    smilog_sweep_free(s);
    smilog_options_free(o);
    o = smilog_options_new();
    assert_int_equal(smilog_options_set(o, "gpus", "7", &err), 0);
    s = smilog_sweep_read(&path, 1, o, &err);
    assert_non_null(s);
    assert_true(smilog_sweep_warning_count(s) > 0);
    for (size_t i = 0; i < smilog_sweep_warning_count(s); i++)
        assert_null(strstr(smilog_sweep_warning(s, i), "--gpus"));
    smilog_sweep_free(s);
    smilog_options_free(o);
}

/* gpus=none is taken back by another value: nvidia-smi is started then. */
static void the_last_gpus_count(void **state)
{
    struct smilog_tracker *t = smilog_tracker_new(&err);
    char path[128], text[256], program[64], mark[64];
    (void)state;
    snprintf(program, sizeof program, "%s/nvidia-smi", dir);
    snprintf(mark, sizeof mark, "%s/mark", dir);
    snprintf(text, sizeof text, "#!/bin/sh\n: > %s\nexit 9\n", mark);
    write_text(program, text, 0755);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", dir);
    setenv("PATH", path, 1);
    assert_int_equal(smilog_tracker_set(t, "gpus", "none", &err), 0);
    assert_int_equal(smilog_tracker_set(t, "gpus", "0", &err), 0);
    assert_int_equal(smilog_tracker_start(t, &err), 0);
    assert_int_equal(smilog_tracker_stop(t, &err), 0);
    assert_int_equal(access(mark, F_OK), 0);
    unlink(mark);
    unlink(program);
    smilog_tracker_free(t);
}

static void a_failed_start_can_be_mended(void **state)
{
    struct smilog_tracker *t = smilog_tracker_new(&err);
    (void)state;
    assert_int_equal(smilog_tracker_set(t, "gpus", "none", &err), 0);
    assert_int_equal(smilog_tracker_set(t, "interval", "0.01", &err), 0);
    assert_int_equal(smilog_tracker_start(t, &err), -1);
    assert_null(strstr(err.text, "interval_ms"));
    err = (struct smilog_error){SMILOG_OK, ""};
    assert_int_equal(smilog_tracker_set(t, "interval", "0.05", &err), 0);
    assert_int_equal(smilog_tracker_set(t, "pid", "4194305", &err), 0); /* beyond what Linux gives */
    assert_int_equal(smilog_tracker_start(t, &err), -1);
    assert_non_null(strstr(err.text, "no process"));
    err = (struct smilog_error){SMILOG_OK, ""};
    assert_int_equal(smilog_tracker_stop(t, &err), -1);
    assert_non_null(strstr(err.text, "not started"));
    err = (struct smilog_error){SMILOG_OK, ""};
    assert_int_equal(smilog_tracker_set(t, "pid", "1", &err), 0);
    assert_int_equal(smilog_tracker_start(t, &err), 0);
    assert_int_equal(smilog_tracker_stop(t, &err), 0);
    smilog_tracker_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_value_changes_nothing),
        cmocka_unit_test(messages_name_options_of_the_library),
        cmocka_unit_test(the_last_gpus_count),
        cmocka_unit_test(a_failed_start_can_be_mended),
    };
    char command[64];
    int failed;
    assert_non_null(mkdtemp(dir));
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(command, sizeof command, "rm -rf %s", dir);
    return failed + (system(command) != 0);
}
