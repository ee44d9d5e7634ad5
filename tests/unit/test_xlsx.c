/* test_xlsx.c - the gate for texts, names of sheets, full sheets, and a workbook that cannot be written. What
 * is in a workbook is read back by tests/oracle/workbook.py. */
#include "report/output.h"
#include "summary/run.h"
#include "summary/findings.h"
#include "report/xlsx.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char top[] = "/tmp/smilog-xlsx-XXXXXX";

static const char *in_top(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", top, name);
    return path;
}

static void gate_makes_texts_safe(void **state)
{
    static const struct {
        const char *in, *out;
    } cases[] = {
        {"", ""},
        {"lr=0.1/seed3", "lr=0.1/seed3"},
        {"größe 😀", "größe 😀"},
        {"=HYPERLINK(\"x\")", "=HYPERLINK(\"x\")"},
        {"a\x1b[31m\tb\n", "a\\x1b[31m\\x09b\\x0a"},
        {"\xe2\x80\xae"
         "abc",
         "\\xe2\\x80\\xae"
         "abc"},
        {"a\xff\xc3"
         "b",
         "a\xEF\xBF\xBD\xEF\xBF\xBD"
         "b"},
        {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"\xef\xbf\xbe\xef\xbf\xbf", "\xEF\xBF\xBD\xEF\xBF\xBD"},
        {"_x0041_", "_x005F_x0041_"},
        {"_x0041_x0042_", "_x005F_x0041_x005F_x0042_"},
        {"_x004_ _X0041_ _x00g1_ _x", "_x004_ _X0041_ _x00g1_ _x"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct smi_buf b = {0};
        assert_false(smi_xlsx_escape(&b, cases[i].in, SMI_XLSX_TEXT));
        assert_string_equal(b.p ? b.p : "", cases[i].out);
        smi_buf_fini(&b);
    }
}

static void long_texts_are_cut_with_a_mark(void **state)
{
    static const size_t lengths[] = {SMI_XLSX_TEXT - 1, SMI_XLSX_TEXT, SMI_XLSX_TEXT + 1, 100000};
    char *text = malloc(100001), mark[64];
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 4; i++) {
        struct smi_buf b = {0};
        memset(text, 'x', lengths[i]);
        text[lengths[i]] = 0;
        assert_int_equal(smi_xlsx_escape(&b, text, SMI_XLSX_TEXT), lengths[i] > SMI_XLSX_TEXT);
        if (lengths[i] > SMI_XLSX_TEXT) {
            size_t kept = strspn(b.p, "x");
            snprintf(mark, sizeof mark, "… [cut: %zu bytes left out]", lengths[i] - kept);
            assert_string_equal(b.p + kept, mark);
            assert_in_range(b.n, SMI_XLSX_TEXT - 60, SMI_XLSX_TEXT + 2); /* the dots are three bytes */
        } else {
            assert_int_equal(b.n, lengths[i]);
        }
        smi_buf_fini(&b);
    }
    free(text);
}

static void names_of_sheets_are_valid(void **state)
{
    struct smi_xlsx *x;
    struct smi_err err = {0};
    const char *names[] = {"a/b[c]",
                           "A b c ",
                           "",
                           "'quoted'",
                           "seventy characters and more of a name of a run that is long",
                           "seventy characters and more of a name of a run that is long",
                           "\xff\x1b",
                           "History",
                           "Runs",
                           "runs"};
    (void)state;
    assert_int_equal(smi_xlsx_open(&x, in_top("names.xlsx"), "title", NULL, 0, &err), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct smi_xlsx_sheet *s = smi_xlsx_sheet(x, names[i]);
        assert_false(x->err.code);
        assert_null(strpbrk(s->name, "[]:*?/\\'"));
    }
    assert_int_equal(smi_xlsx_close(x, &err), 0);
}

static void put_number(struct smi_xlsx_sheet *s, int64_t row, int col, enum smi_xlsx_kind kind, double v)
{
    smi_xlsx_put(s, row, col, &(struct smi_xlsx_cell){.is = SMI_XLSX_IS_NUMBER, .kind = kind, .v = v});
}

static void what_is_no_number_is_empty(void **state)
{
    struct smi_xlsx *x;
    struct smi_xlsx_sheet *s;
    struct smi_err err = {0};
    (void)state;
    assert_int_equal(smi_xlsx_open(&x, in_top("nan.xlsx"), "title", NULL, 0, &err), 0);
    s = smi_xlsx_sheet(x, "numbers");
    put_number(s, 0, 0, SMI_XLSX_TWO, NAN);
    put_number(s, 0, 1, SMI_XLSX_TWO, INFINITY);
    smi_xlsx_put(
        s, 0, 2,
        &(struct smi_xlsx_cell){.is = SMI_XLSX_IS_NUMBER, .formula = "=SUBTOTAL(109,A1:A1)", .v = NAN});
    put_number(s, 0, 3, SMI_XLSX_TWO, -0.5);
    assert_int_equal(smi_xlsx_close(x, &err), 0);
}

static void a_full_sheet_is_an_error(void **state)
{
    struct smi_xlsx *x;
    struct smi_xlsx_sheet *s;
    struct smi_err err = {0};
    (void)state;
    assert_int_equal(smi_xlsx_open(&x, in_top("full.xlsx"), "title", NULL, 0, &err), 0);
    s = smi_xlsx_sheet(x, "full");
    put_number(s, SMI_XLSX_ROWS - 1, 0, SMI_XLSX_TWO, 1);
    assert_false(x->err.code);
    put_number(s, SMI_XLSX_ROWS, 0, SMI_XLSX_TWO, 1);
    assert_true(x->err.code);
    assert_int_equal(smi_xlsx_close(x, &err), -1);
    assert_int_equal(err.code, SMI_ELIMIT);
    assert_int_not_equal(access(in_top("full.xlsx"), F_OK), 0);
}

/* --- a whole workbook --- */

static void write_log(const char *run, int rows)
{
    char path[512];
    FILE *f;
    snprintf(path, sizeof path, "%s/runs", top);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/runs/lr=%s", top, run);
    mkdir(path, 0700);
    strcat(path, "/hw.csv");
    f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "timestamp, index, name, utilization.gpu [%%], memory.used [MiB], power.draw [W]\n");
    for (int i = 0; i < rows; i++)
        fprintf(f, "2026/07/03 18:%02d:%02d.000, 0, NVIDIA H100, %d, 4096, 300.5\n", 10 + i / 6, i % 6 * 10,
                i % 30 < 5 ? 0 : 90);
    fclose(f);
}

static void read_runs(struct smi_sweep *s)
{
    static char path[256];
    const char *paths[] = {path};
    const struct smi_discover_opts find = {.format = -1, .threads = 1};
    const struct smi_options o = {.idle_below = 1000000, .timelines = 20};
    struct smi_err err = {0};
    snprintf(path, sizeof path, "%s/runs", top);
    assert_int_equal(smi_sweep_read(s, paths, 1, &find, &o, &err), 0);
}

static void a_file_that_cannot_be_written_is_said(void **state)
{
    static const char *const path[] = {"/dev/full", "/nowhere/at/all.xlsx"};
    const struct smi_render_options look = {0};
    struct smi_sweep s;
    char said[128];
    int was = dup(2), to, n;
    (void)state;
    write_log("0.1", 60);
    write_log("0.3", 60);
    read_runs(&s);
    to = open(in_top("said"), O_RDWR | O_CREAT | O_TRUNC, 0666);
    assert_true(to >= 0 && dup2(to, 2) == 2);
    for (size_t i = 0; i < 2; i++) {
        struct smi_err err = {0};
        assert_int_equal(smi_write_workbook(path[i], &s, &look, &err), -1);
        assert_int_equal(err.code, SMI_EIO);
        assert_non_null(strstr(err.text, i ? "No such file" : "No space left"));
    }
    fflush(stderr);
    dup2(was, 2);
    n = (int)pread(to, said, sizeof said, 0);
    assert_int_equal(n, 0); /* libxlsxwriter has words of its own */
    close(was);
    close(to);
    smi_sweep_fini(&s);
}

/* Is a workbook of this one part, and no sheets, whole? */
static bool is_whole(const char *part)
{
    struct smi_xlsx x = {0};
    char script[1024];
    int rc;
    snprintf(script, sizeof script,
             "python3 -c \"import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('xl/styles.xml', "
             "sys.argv[2])\" "
             "%s '%s'",
             in_top("part.zip"), part);
    assert_int_equal(system(script), 0);
    x.fd = open(in_top("part.zip"), O_RDONLY);
    assert_true(x.fd >= 0);
    rc = smi_xlsx_verify(&x);
    smi_buf_fini(&x.text);
    close(x.fd);
    return rc == 0;
}

/* The library loses what it cannot write: a part may end anywhere. */
static void a_part_that_lost_its_end_is_not_whole(void **state)
{
    (void)state;
    assert_true(is_whole("<?xml version=\"1.0\"?>\n<style><fonts count=\"1\"><font/></fonts></style>"));
    assert_true(is_whole("<style a=\"1\"><fonts count=\"1\"><b/></fonts></style>\n"));
    assert_false(is_whole("<style><xfs count=\"2\"><xf id=\"2\"/></xfs></styl"));
    assert_false(is_whole("<style><fonts count=\"1\"></fonts>"));
    assert_false(is_whole("<style"));
    assert_false(is_whole(""));
}

/* The library loses what it cannot write: a piece may be missing anywhere, and what is left may be XML. */
static void a_part_that_lost_a_piece_is_not_whole(void **state)
{
    (void)state;
    assert_true(is_whole(
        "<?xml version=\"1.0\"?>\n<style><fonts count=\"1\"><font><b/><sz val=\"11\"/></font></fonts>"
        "<fills count=\"0\"/><xfs count=\"2\"><xf id=\"1\"/><xf id=\"2\"/></xfs></style>"));
    assert_false(is_whole("<style><xfs count=\"2\"><xf id=\"2\"/></xfs></style>"));
    assert_false(is_whole("<style><fonts count=\"2\"><font><sz val=\"12\"/></font></fonts></style>"));
    assert_false(is_whole("<style><fonts count=\"1\"/></style>"));
    assert_false(is_whole("<style><fonts><b/></style></fonts>"));
    assert_true(is_whole("<style><fonts count=\"1\"><b/></fonts></style>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gate_makes_texts_safe),
        cmocka_unit_test(long_texts_are_cut_with_a_mark),
        cmocka_unit_test(names_of_sheets_are_valid),
        cmocka_unit_test(what_is_no_number_is_empty),
        cmocka_unit_test(a_full_sheet_is_an_error),
        cmocka_unit_test(a_file_that_cannot_be_written_is_said),
        cmocka_unit_test(a_part_that_lost_its_end_is_not_whole),
        cmocka_unit_test(a_part_that_lost_a_piece_is_not_whole),
    };
    char clean[64];
    int rc;
    if (!mkdtemp(top))
        return 1;
    rc = cmocka_run_group_tests(tests, NULL, NULL);
    snprintf(clean, sizeof clean, "rm -rf %s", top);
    return system(clean) || rc;
}
