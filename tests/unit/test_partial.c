/* Partial summaries: numbers in few letters, the sum over a document, the pile that keeps many of them. */
#include "base/digest.h"
#include "base/text.h"
#include "summary/merge_queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 1;

static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void numbers_come_back(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 20000; i++) {
        struct smi_buf b = {0};
        const int64_t s = i ? (int64_t)next() >> i % 64 : INT64_MIN;
        struct smi_packed from;
        smi_packed_write(&b, s);
        smi_packed_write(&b, i);
        from = (struct smi_packed){{b.p, b.n}, false};
        assert_true(smi_packed_read(&from) == s && smi_packed_read(&from) == i && !from.bad && !from.left.n);
        from = (struct smi_packed){{b.p, b.n - 1}, false};
        smi_packed_read(&from);
        assert_true(smi_packed_read(&from) == 0 && from.bad);
        smi_buf_fini(&b);
    }
}

static void small_numbers_are_one_letter(void **unused)
{
    struct smi_buf b = {0};
    (void)unused;
    for (int i = -16; i < 16; i++)
        smi_packed_write(&b, i);
    assert_int_equal(b.n, 32);
    smi_buf_fini(&b);
}

static void other_letters_are_bad(void **unused)
{
    static const char *const texts[] = {"",
                                        "+",
                                        "]",
                                        "\n",
                                        "]!",
                                        "]P",
                                        "]\\",
                                        "]}",
                                        "||||||||||||]0",
                                        "||||||||||||||",
                                        "]]]]]]]]]]]]@" /* 2^64, the first bit that 64 bits lose */,
                                        "]]]]]]]]]]]]]1" /* 2^65 */};
    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct smi_packed from = {smi_text_of(texts[i]), false};
        assert_true(smi_packed_read(&from) == 0 && from.bad);
        assert_true(smi_packed_read(&from) == 0);
    }
}

static void common_divisors(void **unused)
{
    (void)unused;
    assert_int_equal(smi_greatest_divisor(0, 0), 0);
    assert_int_equal(smi_greatest_divisor(0, -6), 6);
    assert_int_equal(smi_greatest_divisor(310420000, 70000), 10000);
    assert_int_equal(smi_greatest_divisor(-21, 14), 7);
    assert_true(smi_greatest_divisor(INT64_MIN, 0) > 0);
}

/* A document without parts, of run `name`. */
static void document(struct smi_buf *to, const char *name)
{
    struct smi_run run = {.name = name};
    struct smi_options o = {.idle_below = 1000000};
    smi_partial_write(to, &run, &o);
}

/* What comes from the file is what went into it, in the order of runs. */
static void many_are_kept_in_a_file(void **unused)
{
    struct smi_merge_queue p = {0};
    struct smi_buf name = {0}, doc = {0}, copy = {0};
    struct smi_err err = {0};
    size_t n = 0;
    (void)unused;
    for (; p.size < 600000; n++) {
        smi_buf_clear(&name);
        smi_buf_clear(&doc);
        smi_buf_fmt(&name, "run%zu-%0500d", n ^ 1, 0);
        document(&doc, name.p);
        assert_int_equal(smi_merge_queue_add(&p, doc.p, doc.n, "file", n + 1, &err), 0);
    }
    assert_int_equal(n, p.n);
    smi_merge_queue_sort(&p);
    for (size_t i = 0; i < n; i++) {
        smi_buf_clear(&name);
        smi_buf_clear(&doc);
        smi_buf_clear(&copy);
        smi_buf_fmt(&name, "run%zu-%0500d", (n & 1) && i == n - 1 ? n : i, 0);
        document(&doc, name.p);
        assert_int_equal(smi_merge_queue_copy(&p, i, &copy, &err), 0);
        assert_int_equal(copy.n, doc.n);
        assert_memory_equal(copy.p, doc.p, doc.n);
    }
    smi_buf_fini(&name);
    smi_buf_fini(&doc);
    smi_buf_fini(&copy);
    smi_merge_queue_fini(&p);
}

static void without_a_place_for_files_they_are_kept_all_the_same(void **unused)
{
    assert_int_equal(setenv("TMPDIR", "/none", 1), 0);
    many_are_kept_in_a_file(unused);
    unsetenv("TMPDIR");
}

static void a_change_of_one_byte_is_seen(void **unused)
{
    struct smi_buf doc = {0};
    (void)unused;
    document(&doc, "run");
    for (size_t i = 0; i + 1 < doc.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            struct smi_merge_queue p = {0};
            struct smi_err err = {0};
            doc.p[i] = (char)(doc.p[i] ^ 1 << bit);
            assert_int_equal(smi_merge_queue_add(&p, doc.p, doc.n, "file", 1, &err), -1);
            assert_int_equal(err.code, SMI_EFORMAT);
            assert_non_null(strstr(err.text, "file: "));
            doc.p[i] = (char)(doc.p[i] ^ 1 << bit);
            smi_merge_queue_fini(&p);
        }
    smi_buf_fini(&doc);
}

/* Two documents of one run that a store keeps under two names. */
static void a_document_may_get_a_name(void **unused)
{
    struct smi_merge_queue p = {0};
    struct smi_buf doc = {0}, copy = {0};
    struct smi_err err = {0};
    (void)unused;
    document(&doc, "run");
    p.as = "b/run";
    assert_int_equal(smi_merge_queue_add(&p, doc.p, doc.n, "store", 1, &err), 0);
    p.as = NULL;
    assert_int_equal(smi_merge_queue_add(&p, doc.p, doc.n, "store", 2, &err), 0);
    smi_merge_queue_sort(&p);
    assert_string_equal(p.item[0].name, "b/run");
    assert_string_equal(p.item[1].name, "run");
    assert_int_equal(smi_merge_queue_copy(&p, 0, &copy, &err), 0);
    assert_int_equal(smi_merge_queue_add(&p, copy.p, copy.n, "store", 3, &err), 0);
    assert_string_equal(p.item[2].name, "b/run");
    smi_buf_clear(&copy);
    assert_int_equal(smi_merge_queue_copy(&p, 1, &copy, &err), 0);
    assert_string_equal(copy.p, doc.p);
    smi_buf_fini(&doc);
    smi_buf_fini(&copy);
    smi_merge_queue_fini(&p);
}

/* Metrics, formats and faults stand in partial summaries by their numbers: who changes one of these lists
 * gives the partial summaries another schema, and both another sum here. */
static void the_schema_is_that_of_the_catalogue(void **unused)
{
    struct smi_buf names = {0};
    (void)unused;
    smi_buf_str(&names, SMI_PARTIAL_SCHEMA);
    for (int i = 0; i < SMI_METRIC_COUNT; i++)
        smi_buf_fmt(&names, " %s", smi_metrics[i].key);
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        smi_buf_fmt(&names, " %s", smi_format_infos[i].name);
    for (int i = 0; i < SMI_FAULT_COUNT; i++)
        smi_buf_fmt(&names, " %s", smi_faults[i].name);
    assert_int_equal(smi_digest_of(names.p, names.n), 0x4d23372fe96cb1a);
    smi_buf_fini(&names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(small_numbers_are_one_letter),
        cmocka_unit_test(other_letters_are_bad),
        cmocka_unit_test(common_divisors),
        cmocka_unit_test(many_are_kept_in_a_file),
        cmocka_unit_test(without_a_place_for_files_they_are_kept_all_the_same),
        cmocka_unit_test(the_schema_is_that_of_the_catalogue),
        cmocka_unit_test(a_change_of_one_byte_is_seen),
        cmocka_unit_test(a_document_may_get_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
