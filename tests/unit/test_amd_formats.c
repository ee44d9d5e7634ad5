/* The readers of AMD logs: any cut of the bytes gives the same samples and the same account; columns by name.
 */
#include "rows_text.h"
#include "formats/row_engine.h"
#include "base/mem.h"
#include "formats/format.h"
#include "aggregate/ingest.h"
#include "aggregate/input_stats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what came out, as text ---- */

static void tell_rest(struct rows_text *t)
{
    const struct smi_account *a = &t->account;
    smi_buf_fmt(&t->text,
                "lines %" PRId64 " header %" PRId64 " rows %" PRId64 " blank %" PRId64 " messages %" PRId64,
                a->lines, a->header, a->rows, a->blank, a->messages);
    for (int i = 0; i < SMI_REJECT_COUNT; i++)
        if (a->rejected[i])
            smi_buf_fmt(&t->text, " %s %" PRId64, smi_reject_names[i], a->rejected[i]);
    if (a->cells_missing + a->cells_bad + a->out_of_range)
        smi_buf_fmt(&t->text, " cells %" PRId64 " %" PRId64 " %" PRId64, a->cells_missing, a->cells_bad,
                    a->out_of_range);
    for (size_t i = 0; i < a->problems; i++)
        smi_buf_fmt(&t->text, "\n%" PRId64 ": %s", a->problem[i].line, a->problem[i].text);
    for (size_t i = 0; i < t->devices.n; i++)
        smi_buf_fmt(
            &t->text, "\n%s %s %s %s", t->devices.list[i].key[SMI_DEVICE_KEY_INDEX],
            t->devices.list[i].key[SMI_DEVICE_KEY_UUID] ? t->devices.list[i].key[SMI_DEVICE_KEY_UUID] : "-",
            t->devices.list[i].key[SMI_DEVICE_KEY_BUS] ? t->devices.list[i].key[SMI_DEVICE_KEY_BUS] : "-",
            t->devices.list[i].name ? t->devices.list[i].name : "-");
    smi_buf_char(&t->text, '\n');
    assert_int_equal(a->lines,
                     a->header + a->rows + a->duplicates + a->blank + a->messages + smi_account_rejected(a));
}

static void feed(struct smi_reader *r, struct rows_text *t, const char *p, size_t n)
{
    struct smi_err err = {0};
    char *own = smi_mem_text(p, n); /* its own block: nothing is read past it, nor kept of it */
    assert_int_equal(smi_reader_feed(r, own, n, &t->sink, &err), 0);
    memset(own, '#', n);
    smi_mem_free(own);
}

/* Everything that the bytes tell, given in pieces that end at cuts (k of them, ascending). *base is the
 * log's. */
static char *told(const struct smi_format *f, const char *p, size_t n, const size_t *cut, size_t k,
                  enum smi_time_base *base)
{
    struct rows_text t = {.sink = {.rows = rows_text_add}};
    struct smi_err err = {0};
    const struct smi_read_opts o = {.account = &t.account, .devices = &t.devices};
    struct smi_reader *r = smi_reader_open(f, &o, &err);
    size_t at = 0;
    assert_non_null(r);
    for (size_t i = 0; i < k; at = cut[i++])
        feed(r, &t, p + at, cut[i] - at);
    feed(r, &t, p + at, n - at);
    assert_int_equal(smi_reader_finish(r, &t.sink, &err), 0);
    *base = smi_reader_base(r);
    smi_reader_close(r);
    tell_rest(&t);
    smi_account_fini(&t.account);
    smi_devices_fini(&t.devices);
    return t.text.p;
}

/* The log tells this, whole and cut in two at every place. */
static void expect(const struct smi_format *f, const char *log, enum smi_time_base base, const char *want)
{
    size_t n = strlen(log);
    enum smi_time_base b;
    for (size_t cut = 0; cut <= n; cut++) {
        char *got = told(f, log, n, &cut, cut > 0, &b);
        assert_string_equal(got, want);
        assert_int_equal(b, base);
        smi_mem_free(got);
    }
}

/* ---- amd-smi ---- */

#define WATCH "'CTRL' + 'C' to stop watching output:\n"

static void amd_columns_follow_the_header(void **state)
{
    (void)state;
    expect(&smi_format_amd_metric,
           "gpu,total_energy_consumption\n0,20909145.914\ngpu,socket_power,total_energy_consumption\n0,5,"
           "20909150\n",
           SMI_TIME_BASE_NONE,
           "-0 0 energy_j=20909145914000\n-0 0 power_w=5000000 energy_j=20909150000000\n"
           "lines 4 header 2 rows 2 blank 0 messages 0\n0 - - -\n");
    /* below the processes, and below the other tool's header, no row is ours */
    expect(&smi_format_amd_monitor,
           "gpu,gfx\n0,5\ngpu,name,pid\n0,python3,77\n0,a,8\ngpu,gfx\n0,6\ngpu,socket_power\n0,9\nhello\n",
           SMI_TIME_BASE_NONE,
           "-0 0 gpu_util_pct=5000000\n-0 0 gpu_util_pct=6000000\n"
           "lines 10 header 2 rows 2 blank 0 messages 3 foreign 3\n"
           "8: no row, no header, no known message: \"gpu,socket_power\"\n"
           "9: no row, no header, no known message: \"0,9\"\n"
           "10: no row, no header, no known message: \"hello\"\n0 - - -\n");
}

static void amd_parted_gpus(void **state)
{
    (void)state;
    expect(&smi_format_amd_monitor,
           "timestamp,gpu,xcp,gfx,pviol,gfxclk_pviol\n"
           "1786553852,0,0,50,2,1\n1786553852,0,1,N/A,N/A,3\n1786553852,1,1,60,N/A,3\n1786553853,0,0,N/A,N/"
           "A,1\n",
           SMI_TIME_BASE_UTC,
           "t1786553852000 0 gpu_util_pct=50000000 power_viol_pct=2000000\nt1786553852000 1 "
           "gpu_util_pct=60000000\n"
           "lines 5 header 1 rows 2 blank 0 messages 2 cells 5 0 0\n0 - - -\n1 - - -\n");
}

static void amd_old_layouts(void **state)
{
    (void)state;
    expect(&smi_format_amd_monitor,
           "\xEF\xBB\xBFgpu,gfx_usage,mem_usage,mm_usage_list,fb_total,fb_used,gfx_cur_clk,mem_cur_clk,mm1_"
           "cur_clk\r\n"
           "0,98,1,[0, 0],14928,363,N/A,N/A,N/A\r\n",
           SMI_TIME_BASE_NONE,
           "-0 0 gpu_util_pct=98000000 mem_util_pct=1000000 fb_total_mib=14928000000 fb_used_mib=363000000\n"
           "lines 2 header 1 rows 1 blank 0 messages 0 cells 2 0 0\n0 - - -\n");
    expect(&smi_format_amd_monitor,
           "gpu,power_usage,hotspot_temperature,memory_temperature,gfx_util,gfx_clock,mem_util,mem_clock,"
           "encoder_util,"
           "vclk,decoder_util,dclk,total_correctable_count,total_uncorrectable_count,"
           "vram_used,vram_total,pcie_bw,pcie_replay\n"
           "0,20,40,41,1,2,3,4,5,6,7,8,9,10,11,12,13,14\n",
           SMI_TIME_BASE_NONE,
           "-0 0 power_w=20000000 temp_junction_c=40000000 temp_mem_c=41000000 gpu_util_pct=1000000 "
           "clk_gr_mhz=2000000 "
           "mem_util_pct=3000000 clk_mem_mhz=4000000 enc_util_pct=5000000 clk_vid_mhz=6000000 "
           "dec_util_pct=7000000 "
           "clk_dec_mhz=8000000 ecc.c.v.total=9000000 ecc.u.v.total=10000000 fb_used_mib=11000000 "
           "fb_total_mib=12000000 pcie_bw_mbps=13000000 pcie_replay=14000000\n"
           "lines 2 header 1 rows 1 blank 0 messages 0\n0 - - -\n");
}

static void amd_times(void **state)
{
    (void)state;
    expect(&smi_format_amd_monitor,
           "timestamp,gpu,gfx\n1786553852,0,1\n1786553852.250,0,2\n1786553852500,0,3\nsoon,0,4\n12,0,5\n"
           "2026-08-12T16:57:33Z,0,6\n2026-08-12 16:57:34,0,7\n1786553855,N/A,8\n",
           SMI_TIME_BASE_UTC,
           "t1786553852000 0 gpu_util_pct=1000000\nf1786553852250 0 gpu_util_pct=2000000\n"
           "f1786553852500 0 gpu_util_pct=3000000\nt1786553853000 0 gpu_util_pct=6000000\n"
           "t1786553855000 -3 gpu_util_pct=8000000\n"
           "lines 9 header 1 rows 5 blank 0 messages 0 bad_time 3\n"
           "5: no usable time: \"soon,0,4\"\n6: no usable time: \"12,0,5\"\n"
           "8: no usable time: \"2026-08-12 16:57:34,0,7\"\n0 - - "
           "-\n");
    expect(&smi_format_amd_monitor, "timestamp,gpu,gfx\n2026-08-12 16:57:33,0,7\n", SMI_TIME_BASE_LOCAL,
           "t1786553853000 0 gpu_util_pct=7000000\nlines 2 header 1 rows 1 blank 0 messages 0\n0 - - -\n");
}

/* ---- rocm-smi ---- */

#define LOW "WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\n"

static void rocm_texts(void **state)
{
    (void)state;
    expect(&smi_format_rocm,
           "name, value\n\"Driver version\", \"6.2.4\"\n\"PIDs\", \"1,2\"\n\n"
           "device,Device Name,Unique ID,PCI Bus,Card SKU\ncard1,0x744c,0x12ab,0000:06:00.0,D1\n\n"
           "device,Card Series,Current Socket Graphics Package Power (W),sclk clock speed:,"
           "Max Graphics Package Power (W),Accumulated Energy (uJ)\n"
           "card1,Radeon RX 7900 XTX,N/A (Secondary die),(808Mhz),300.0,962825096297442.9\nsystem,x,y\n",
           SMI_TIME_BASE_NONE,
           "-0 0 clk_gr_mhz=808000000 power_limit_w=300000000 energy_j=962825096297443\n"
           "lines 10 header 2 rows 1 blank 2 messages 5 cells 1 0 0\n"
           "1 0x12ab 0000:06:00.0 Radeon RX 7900 XTX\n");
}

static void rocm_times_in_front(void **state)
{
    (void)state;
    expect(&smi_format_rocm,
           "1787485761 device,GPU use (%)\n1787485761 card0,5\n1787485761 WARNING: AMD GPU\n1787485761 \n"
           "1787485763,card0,6\nnoon card0,7\n1787485765 card0,8\n1787485766 card0,8,9\ncardinal\n",
           SMI_TIME_BASE_UTC,
           "t1787485761000 0 gpu_util_pct=5000000\nt1787485763000 0 gpu_util_pct=6000000\n"
           "t1787485765000 0 gpu_util_pct=8000000\n"
           "lines 9 header 1 rows 3 blank 0 messages 2 bad_width 1 foreign 2\n"
           "6: no row, no header, no known message: \"noon card0,7\"\n"
           "8: another number of cells than the header: \"1787485766 card0,8,9\"\n"
           "9: no row, no header, no known message: \"cardinal\"\n0 - - -\n");
    expect(&smi_format_rocm,
           "timestamp,device,GPU use (%)\n2026-08-23 11:49:21,card0,5\n2026-13-23 11:49:21,card0,5\n",
           SMI_TIME_BASE_LOCAL,
           "t1787485761000 0 gpu_util_pct=5000000\nlines 3 header 1 rows 1 blank 0 messages 0 foreign 1\n"
           "3: no row, no header, no known message: \"2026-13-23 11:49:21,card0,5\"\n0 - - -\n");
    /* blocks of different calls do not join: they are further apart than a second that turned */
    expect(
        &smi_format_rocm,
        "device,GPU use (%)\n1787485761 card0,5\ndevice,Power (W)\n1787485762 card0,6\ndevice,GPU use (%)\n"
        "1787485765 card0,7\ndevice,Power (W)\n1787485769 card0,8\n",
        SMI_TIME_BASE_UTC,
        "t1787485761000 0 gpu_util_pct=5000000 power_w=6000000\nt1787485765000 0 gpu_util_pct=7000000\n"
        "t1787485769000 0 power_w=8000000\nlines 8 header 4 rows 4 blank 0 messages 0\n0 - - -\n");
}

static void rocm_objects(void **state)
{
    (void)state;
    expect(&smi_format_rocm_json,
           LOW
           "{\"card0\": {\"GPU use (%)\": \"5\", \"Power (W)\": \"N/A\"}, \"card1\": {\"GPU use (%)\": 6}, "
           "\"system\": {\"Driver version\": \"1}{\\\"\"}}\n"
           "{\n  \"card0\": {\n    \"GPU use (%)\": \"7\",\n    \"Card series\": \"Vega 20\"\n  }\n}\n"
           "{\"system\": {\"a\": \"b\"}}\n{\"card0\": {\"Card series\": \"x\"}}\n"
           "{\"card1\": {\"GPU use (%)\": \"-1\"}}\n",
           SMI_TIME_BASE_NONE,
           "-0 0 gpu_util_pct=5000000\n-0 1 gpu_util_pct=6000000\n-0 0 gpu_util_pct=7000000\n"
           "lines 13 header 5 rows 3 blank 1 messages 3 bad_number 1 cells 1 1 0\n"
           "12: gpu_util_pct: \"-1\" is no number\n"
           "12: no usable number: \"{\"card1\": {\"GPU use (%)\": \"-1\"}}\"\n0 - - Vega 20\n1 - - -\n");
}

static void rocm_objects_broken(void **state)
{
    (void)state;
    expect(&smi_format_rocm_json,
           "1787485761 {\"card0\": {\"GPU use (%)\": \"5\"}}\n{\"card0\": {\"GPU use (%)\": \"6\nWARNING: x\n"
           "1787485763 {\"card0\": {\"GPU use (%)\": \"7\"}}\nonce {\"card0\": {}}\n2026 {\"card0\": {}}\n"
           "{\"card0\": {\"GPU use (%)\": \"\xff\"}}\n{\"card0\": }\n{\n\"card0\": {\n",
           SMI_TIME_BASE_UTC,
           "t1787485761000 0 gpu_util_pct=5000000\nt1787485763000 0 gpu_util_pct=7000000\n"
           "lines 10 header 0 rows 2 blank 0 messages 2 encoding 1 foreign 3 torn_tail 2\n"
           "4: no row, no header, no known message: \"{\"card0\": {\"GPU use (%)\": \"6\"\n"
           "5: no row, no header, no known message: \"once {\"card0\": {}}\"\n"
           "7: not UTF-8: \"{\"card0\": {\"GPU use (%)\": \"\\xff\"}}\"\n"
           "8: no row, no header, no known message: \"{\"card0\": }\"\n"
           "10: unfinished last line: \"{\"\n0 - - -\n");
}

/* At most 1 MiB of an object is collected, and nothing deep reaches the parser. */
static void rocm_objects_have_a_cap(void **state)
{
    struct smi_buf b = {0};
    enum smi_time_base base;
    char *got;
    (void)state;
    smi_buf_str(&b, "{\"card0\": {\n");
    for (int i = 0; i < 30000; i++)
        smi_buf_str(&b, "\"a long and tedious label\": \"of no use to anybody\",\n");
    smi_buf_str(&b, "\"GPU use (%)\": \"5\"}}\n{\"card0\": {\"GPU use (%)\": \"7\"}}\n");
    for (int i = 0; i < 100; i++)
        smi_buf_str(&b, i ? "{\"a\":" : "{\"card0\":");
    smi_buf_str(&b, "\n");
    got = told(&smi_format_rocm_json, b.p, b.n, NULL, 0, &base);
    assert_non_null(strstr(got, "-0 0 gpu_util_pct=7000000\nlines 30004 header 0 rows 1 blank 0 messages 0 "
                                "too_long 30002 "
                                "torn_tail 1\n"));
    smi_mem_free(got);
    smi_buf_fini(&b);
}

/* ---- cells ---- */

static void cells(void **state)
{
    static const struct {
        const char *label, *cell;
        enum smi_cell_status what;
        int64_t v;
    } c[] = {
        {"VRAM Total Memory (B)", "1048576", SMI_CELL_OK, 1000000},
        {"VRAM Total Memory (B)", "1572864.5", SMI_CELL_OK, 1500000}, /* 1500000.47 */
        {"VRAM Total Memory (B)", "1.", SMI_CELL_BAD, 0},
        {"VRAM Total Memory (B)", "-1", SMI_CELL_BAD, 0},
        {"VRAM Total Memory (B)", "1.2.3", SMI_CELL_BAD, 0},
        {"VRAM Total Memory (B)", "9223372036854775807", SMI_CELL_RANGE, 0},
        {"VRAM Total Memory (B)", "999999999999999999999999", SMI_CELL_RANGE, 0},
        {"VRAM Total Memory (B)", "9999999999999999999999999", SMI_CELL_RANGE, 0},
        {"Accumulated Energy (uJ)", "4611686018427000000", SMI_CELL_OK, 4611686018427000000},
        {"Accumulated Energy (uJ)", "4611686018427000001", SMI_CELL_RANGE, 0},
        {"GPU use (%)", "None", SMI_CELL_MISSING, 0},
        {"gpu USE (%)", "-1", SMI_CELL_BAD, 0},
        {"mclk clock speed:", "(1300 MHz)", SMI_CELL_OK, 1300000000},
        {"mclk clock speed", "808Mhz", SMI_CELL_OK, 808000000},
        {"Temperature (Sensor edge) (C)", "-5.0", SMI_CELL_OK, -5000000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        const struct smi_alias *column = smi_rocm_alias(smi_text_of(c[i].label));
        int64_t v = 0;
        const struct smi_row_column of = {column->kind, column->what, 0, column->how};
        assert_int_equal(smi_amd_cell(NULL, &of, smi_text_of(c[i].cell), &v), c[i].what);
        if (c[i].what == SMI_CELL_OK)
            assert_true(v == c[i].v);
    }
}

/* ---- detection ---- */

static int detect(const char *log)
{
    struct smi_detect d;
    return smi_detect(log, strlen(log), true, &d);
}

static void detects(void **state)
{
    (void)state;
    assert_int_equal(detect(WATCH "timestamp,gpu,gfx_activity,umc_activity\n"), SMI_FMT_AMD_METRIC);
    assert_int_equal(detect("gpu,total_energy_consumption\r\n"), SMI_FMT_AMD_METRIC);
    assert_int_equal(detect("gpu,total_vram,used_vram,free_vram\r\n"), SMI_FMT_AMD_METRIC);
    assert_int_equal(detect("gpu,edge,hotspot,mem\r\n"), SMI_FMT_AMD_METRIC);
    assert_int_equal(detect("timestamp,gpu,xcp,power_usage\n"), SMI_FMT_AMD_MONITOR);
    assert_int_equal(detect("gpu,gfx,vram_used\n"), SMI_FMT_AMD_MONITOR);
    assert_int_equal(detect("\xEF\xBB\xBFgpu,gfx_usage,mem_usage\n"), SMI_FMT_AMD_MONITOR);
    assert_int_equal(detect(LOW "device,GPU use (%)\n"), SMI_FMT_ROCM);
    assert_int_equal(detect("1787485761 device,GPU use (%)\n"), SMI_FMT_ROCM);
    assert_int_equal(detect("name, value\n\"a\", \"b\"\ndevice,Card Series\n"), SMI_FMT_ROCM);
    assert_int_equal(detect("{\n    \"card2\": {\n"), SMI_FMT_ROCM_JSON);
    assert_int_equal(detect(LOW "{\"card0\": {\n"), SMI_FMT_ROCM_JSON);
    assert_int_equal(detect("1787485761 {\"card0\": {}}\n"), SMI_FMT_ROCM_JSON);
    assert_int_equal(detect(WATCH "timestamp,gpu,name,pid,vram_mem,mem_usage,gfx,enc\n"),
                     SMI_FMT_AMD_PROCESS);
    assert_int_equal(detect("gpu,process_info\n"), SMI_FMT_AMD_PROCESS);
    /* theirs, or nobody's */
    assert_int_equal(detect("timestamp, gpu, gfx_activity\n"), -1);
    assert_int_equal(detect("timestamp,gpu,power.draw,power.limit\n"), SMI_FMT_QUERY);
    assert_int_equal(detect("gpu, pwr, gtemp\n0, 1, 2\n"), SMI_FMT_DMON);
    assert_int_equal(detect("index,gfx,vram_used\n"), -1);
    assert_int_equal(detect("device,price\n"), -1);
    assert_int_equal(detect("name, value\n"), -1);
    assert_int_equal(detect("{\"cardinal\": {\n"), -1);
    assert_int_equal(detect("{\"card0\"\n"), -1);
}

static void names_json_without_readings(void **state)
{
    static const char *const logs[] = {"[\n    {\n        \"gpu\": 0,\n", "[{\"gpu\": 0}]\n",
                                       "{\n  \"gpu_data\": [\n"};
    struct smi_detect d;
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        assert_int_equal(smi_detect(logs[i], strlen(logs[i]), true, &d), -1);
        assert_non_null(strstr(d.why, "amd-smi JSON of another command"));
    }
}

/* ---- the property ---- */

static unsigned seed = 7;

static unsigned dice(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static void put_cell(struct smi_buf *b)
{
    static const char *const cells_of[] = {"N/A",
                                           "[0, 0]",
                                           "\"['N/A', 'N/A']\"",
                                           "\"a\"\"b,c\"",
                                           "",
                                           "-1",
                                           "[",
                                           "\"",
                                           "1e3",
                                           "(808Mhz)",
                                           "3.5",
                                           "17163091968",
                                           "]",
                                           "x",
                                           "99999999999999999999"};
    if (dice(3))
        smi_buf_fmt(b, "%u", dice(120));
    else
        smi_buf_str(b, cells_of[dice(sizeof cells_of / sizeof *cells_of)]);
}

static void put_end(struct smi_buf *b)
{
    smi_buf_str(b, dice(3) ? "\n" : dice(2) ? "\r\n" : "\n\n");
}

/* Lines as the tool prints them, and lines as they should not be. */
static void put_csv(struct smi_buf *b, const char *const *header, size_t headers, const char *who)
{
    static const char *const odd[] = {
        "junk\n",         WATCH,          LOW,         "name, value\n",
        "\"a\", \"b\"\n", "1787485761\n", "gpu,pid\n", "Tue Jun  9 09:00:01 UTC 2020\n",
        "{\"card0\"\n"};
    size_t h = dice((unsigned)headers);
    for (int i = 0; i < 40; i++) {
        size_t cells_now = 1;
        if (dice(8) == 0) {
            smi_buf_str(b, odd[dice(sizeof odd / sizeof *odd)]);
            continue;
        }
        if (i == 0 || dice(6) == 0) {
            h = dice((unsigned)headers);
            smi_buf_str(b, header[h]);
            put_end(b);
            continue;
        }
        for (const char *p = header[h]; *p; p++)
            cells_now += *p == ',';
        cells_now += dice(12) == 0;
        if (*who && dice(2))
            smi_buf_fmt(b, "%u ", 1787485761 + (unsigned)i);
        for (size_t c = 0; c < cells_now; c++) {
            if (c)
                smi_buf_char(b, ',');
            if (c == 0 && *who)
                smi_buf_fmt(b, "%s%u", who, dice(3));
            else if (c == 0 && strncmp(header[h], "timestamp", 9) == 0)
                smi_buf_fmt(b, "%u", 1787485761 + (unsigned)i);
            else
                put_cell(b);
        }
        put_end(b);
    }
}

static void put_json(struct smi_buf *b)
{
    static const char *const values[] = {"\"5\"",        "\"N/A\"", "7",     "null",     "2.5",
                                         "\"(808Mhz)\"", "{}",      "\"}\"", "\"\\\"{\""};
    static const char *const labels[] = {"GPU use (%)", "VRAM Total Used Memory (B)", "Card series",
                                         "PCI Bus", "Power (W)"};
    for (int i = 0; i < 15; i++) {
        const char *gap = dice(2) ? "\n  " : " ";
        if (dice(5) == 0)
            smi_buf_str(b, dice(2) ? LOW : "junk\n");
        if (dice(4) == 0)
            smi_buf_fmt(b, "%u ", 1787485761 + (unsigned)i);
        smi_buf_char(b, '{');
        for (unsigned card = 0; card <= dice(3); card++) {
            smi_buf_fmt(b, "%s%s\"%s%u\": {", card ? "," : "", gap, dice(9) ? "card" : "system", card);
            for (unsigned k = 0; k <= dice(4); k++)
                smi_buf_fmt(b, "%s%s\"%s\": %s", k ? "," : "", gap, labels[dice(5)], values[dice(9)]);
            smi_buf_str(b, "}");
        }
        smi_buf_str(b, dice(8) ? "}" : "");
        put_end(b);
    }
}

static void put_log(struct smi_buf *b, int format)
{
    static const char *const monitor[] = {"gpu,gfx,vram_used,vram_total", "timestamp,gpu,xcp,power_usage,mem",
                                          "gpu,gfx_usage,mem_usage,mm_usage_list,fb_total,fb_used"};
    static const char *const metric[] = {"timestamp,gpu,gfx_activity,vcn_activity,socket_power,mem",
                                         "gpu,total_energy_consumption",
                                         "timestamp,gpu,hotspot,edge,gfx_voltage"};
    static const char *const rocm[] = {"device,GPU use (%),VRAM Total Used Memory (B)", "device,Power (W)",
                                       "device,Card Series,PCI Bus",
                                       "device,Temperature (Sensor edge) (C),Power (W)"};
    smi_buf_clear(b);
    if (dice(5) == 0)
        smi_buf_str(b, "\xEF\xBB\xBF");
    if (format == SMI_FMT_AMD_MONITOR)
        put_csv(b, monitor, 3, "");
    else if (format == SMI_FMT_AMD_METRIC)
        put_csv(b, metric, 3, "");
    else if (format == SMI_FMT_ROCM)
        put_csv(b, rocm, 4, "card");
    else
        put_json(b);
    b->n -= dice(4) ? 0 : dice(20); /* the log is cut */
}

/* Made-up logs of every format, good and bad lines: given whole and in pieces they tell the same. */
static void any_cut_tells_the_same(void **state)
{
    struct smi_buf b = {0};
    enum smi_time_base one, other;
    (void)state;
    for (int round = 0; round < 400; round++) {
        int format = SMI_FMT_AMD_METRIC + round % 4;
        size_t cut[64], k = 0;
        char *want, *got;
        put_log(&b, format);
        for (size_t at = dice(90); at < b.n && k < 64; at += dice(90))
            cut[k++] = at;
        want = told(smi_formats[format], b.p, b.n, NULL, 0, &one);
        got = told(smi_formats[format], b.p, b.n, cut, k, &other);
        assert_string_equal(got, want);
        assert_int_equal(one, other);
        smi_mem_free(want);
        smi_mem_free(got);
    }
    smi_buf_fini(&b);
}

/* ---- pieces ---- */

static void tell_part(struct smi_buf *b, const struct smi_input_stats *p)
{
    const struct smi_account *a = &p->account;
    smi_buf_clear(b);
    smi_buf_fmt(b, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d\n", a->lines, a->header,
                a->rows, a->blank, a->messages, (int)p->base);
    for (size_t i = 0; i < p->devices.n; i++) {
        const struct smi_device_stats *t = p->track[i];
        smi_buf_fmt(b, "%s %" PRId64, p->devices.list[i].key[SMI_DEVICE_KEY_INDEX], t->rows);
        for (int m = 0; m < SMI_METRIC_COUNT; m++)
            if (t->counts[m])
                smi_buf_fmt(b, " %s %" PRId64, smi_metrics[m].key, t->counts[m]->n);
        smi_buf_fmt(b, " %" PRId64 " %" PRId64 "\n", t->first.t_ms, t->last.t_ms);
    }
}

/* A log of amd-smi read by four threads is the log read by one. */
static void pieces_are_the_whole(void **state)
{
    char name[] = "/tmp/smilog-amd-XXXXXX";
    struct smi_buf log = {0}, want = {0}, got = {0};
    struct smi_err err = {0};
    int fd = mkstemp(name);
    (void)state;
    assert_true(fd >= 0);
    for (unsigned i = 0; i < 8000; i++) {
        smi_buf_str(&log, "timestamp,gpu,gfx,vcn,power_usage\r\n");
        for (unsigned g = 0; g < 4; g++)
            smi_buf_fmt(&log, "%u,%u,%u,\"[0, 0]\",%u\r\n", 1787485761 + i, g, (i * 7 + g) % 101, i % 700);
        smi_buf_str(&log, "\n");
    }
    assert_int_equal(write(fd, log.p, log.n), (ssize_t)log.n);
    for (unsigned threads = 1; threads <= 4; threads += 3) {
        struct smi_chunks c = {.fd = fd,
                               .size = (int64_t)log.n,
                               .name = name,
                               .shown = name,
                               .ingest.format = SMI_FMT_AMD_MONITOR,
                               .track.idle_below = 1000000,
                               .threads = threads};
        struct smi_input_stats *p = smi_input_stats_new(name, SMI_FMT_AMD_MONITOR);
        if (threads == 1) {
            struct smi_ingest_opts o = {.format = SMI_FMT_AMD_MONITOR,
                                        .account = &p->account,
                                        .devices = &p->devices,
                                        .to = &p->sink};
            struct smi_ingest *in = smi_ingest_open(&o);
            p->opts = c.track;
            assert_int_equal(smi_ingest_feed(in, log.p, log.n, &err) || smi_ingest_finish(in, &err), 0);
            p->base = smi_ingest_base(in);
            smi_ingest_close(in);
        } else {
            smi_input_stats_free(p);
            assert_int_equal(smi_chunks_read(&c, &p, &err), 1);
        }
        smi_input_stats_close(p);
        tell_part(threads == 1 ? &want : &got, p);
        smi_input_stats_free(p);
    }
    assert_non_null(strstr(want.p, "48000 8000 32000 8000 0"));
    { /* a log that cannot be read is an error, not an empty one */
        struct smi_chunks c = {.fd = -1,
                               .size = (int64_t)log.n,
                               .name = name,
                               .shown = name,
                               .ingest.format = SMI_FMT_AMD_MONITOR,
                               .threads = 4};
        struct smi_input_stats *p = NULL;
        assert_int_equal(smi_chunks_read(&c, &p, &err), -1);
        assert_int_equal(err.code, SMI_EIO);
    }
    assert_string_equal(got.p, want.p);
    close(fd);
    unlink(name);
    smi_buf_fini(&log);
    smi_buf_fini(&want);
    smi_buf_fini(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amd_columns_follow_the_header),
        cmocka_unit_test(amd_parted_gpus),
        cmocka_unit_test(amd_old_layouts),
        cmocka_unit_test(amd_times),
        cmocka_unit_test(rocm_texts),
        cmocka_unit_test(rocm_times_in_front),
        cmocka_unit_test(rocm_objects),
        cmocka_unit_test(rocm_objects_broken),
        cmocka_unit_test(rocm_objects_have_a_cap),
        cmocka_unit_test(cells),
        cmocka_unit_test(detects),
        cmocka_unit_test(names_json_without_readings),
        cmocka_unit_test(any_cut_tells_the_same),
        cmocka_unit_test(pieces_are_the_whole),
    };
    return cmocka_run_group_tests_name("amd", tests, NULL, NULL);
}
