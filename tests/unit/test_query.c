/* What is asked of a sweep: names are the same in all tables, and numbers are printed as everywhere. */
#include "summary/run_fields.h"
#include "query/query_db.h"
#include "summary/run.h"
#include "report/output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void test_names(void **state)
{
    struct smi_headline none = {0};
    struct smi_headline_figure f[SMI_HEADLINE_COUNT];
    char name[32];
    (void)state;
    smi_headline_figures(&none, f);
    for (int i = 0; i < SMI_HEADLINE_COUNT; i++) {
        assert_string_equal(smi_run_fields[SMI_RUN_FIELD_PEAK_VRAM + i].key, f[i].key);
        assert_string_equal(smi_phase_fields[SMI_PHASE_FIELD_HEADLINE_PEAK_VRAM + i].key, f[i].key);
    }
    for (int i = 0; i < 6; i++) {
        snprintf(name, sizeof name, "wasted_%s_h", smi_waste_names[i]);
        assert_string_equal(smi_run_fields[SMI_RUN_FIELD_WASTED_FAILED + i].key, name);
    }
    for (int i = 0; i < SMI_RUN_FIELDS; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(smi_run_fields[i].key, smi_run_fields[k].key);
}

/* A number of millionths that goes through the engine comes out as it is printed without it. */
static void test_numbers(void **state)
{
    static const int64_t edges[] = {0,      1,       -1,       999,     1000,
                                    999999, 1000000, 12345678, -500000, 8000000000000001};
    char real[SMI_MICRO_TEXT], micro[SMI_MICRO_TEXT];
    uint64_t x = 1;
    (void)state;
    for (size_t i = 0; i < 200000; i++) {
        int64_t v = i < sizeof edges / sizeof *edges ? edges[i] : (int64_t)(x >> 12 >> x % 50);
        x = x * 6364136223846793005u + 1442695040888963407u;
        v = i & 1 ? -v : v;
        smi_text_write_micro(micro, v);
        assert_int_equal(smi_real_text(real, (double)v / 1e6), strlen(micro));
        assert_string_equal(real, micro);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
