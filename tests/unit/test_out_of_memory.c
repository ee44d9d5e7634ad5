/* Memory that cannot be had, at every single allocation: it is said, or makes no difference; and nothing
 * breaks. */
#include "../fuzz/fail.c"

#include "summary/findings.h"
#include "base/archive.h"
#include "aggregate/ingest.h"
#include "aggregate/chunks.h"
#include "summary/merge_queue.h"
#include "query/ledger.h"
#include "sweep/sweep.h"
#include "sweep/read_run.h"

#include <archive.h>
#include <archive_entry.h>

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const struct log {
    int format;
    const char *text;
} logs[] = {
    {SMI_FMT_QUERY, "timestamp, index, name, uuid, pstate, utilization.gpu [%], clocks_event_reasons.active, "
                    "power.draw [W]\n"
                    "2026/07/03 22:11:09.763, 0, A, GPU-1, P0, 38 %, 0x0000000000000004, 627.40 W\n"
                    "2026/07/03 22:11:09.764, 1, \"B, or a name that is longer than one block\", GPU-2, P0, "
                    "5 %, [N/A], 80 W\n"
                    "Unable to determine the device handle for GPU 0000:8C:00.0: GPU is lost.\n"
                    "2026/07/03 22:11:10.763, 0, A, GPU-1, P0, x, 0x0000000000000004, 600 W\n"
                    "index, memory.used [MiB]\n0, 5 MiB\n1, 9 MiB\n7"},
    {SMI_FMT_QUERY, "timestamp,power.draw\n2026/07/03 22:11:09.001, 1\n2026/07/03 22:11:09.002, 2\n"
                    "2026/07/03 22:11:10.001, 1\n2026/07/03 22:11:10.002, 2\n2026/07/03 22:11:11.001, 1\n"},
    {SMI_FMT_DMON,
     "#Date       Time        gpu   pwr    sm\n#YYYYMMDD   HH:MM:SS    Idx     W     %\n"
     " 20210102   23:59:59      0    37     0\n 20210103   00:00:01      1    x     1\nnone of ours\n"},
    {SMI_FMT_CPU,
     "timestamp,usr_pct,idle_pct\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n2026-07-03T20:11:11Z,nan,x\n5\n"},
    {SMI_FMT_PROCS, "timestamp,tree_cpu_pct,tree_ram_mib\n2026-07-03T20:11:09.763+00:00,12.3,80.1\n2026-07-"
                    "03T20:11:11Z,,x\n5\n"},
    {SMI_FMT_RUNLOG,
     "{\"ts\": \"2026-11-21T06:22:31+00:00\", \"type\": \"event\", \"event\": \"start\", "
     "\"data\": {\"host\": \"a\", \"lr\": NaN, \"name\": \"x\"}}\n"
     "{\"ts\": \"2026-11-21T06:23:31Z\", \"type\": \"phase\", \"name\": \"fit\", \"seconds\": 30}\n"
     "{\"ts\": \"2026-11-21T06:24:31Z\", \"type\": \"event\", \"event\": \"error\", "
     "\"data\": {\"message\": \"gone\"}}\n"
     "{\"a\":\n"},
    {SMI_FMT_AMD_METRIC, "timestamp,gpu,gfx_activity,hotspot\n1787485761,0,40,60\n1787485762,1,x,60\n5\n"},
    {SMI_FMT_AMD_MONITOR, "timestamp,gpu,gfx\n1787485761,0,5\n1787485761,1,7\n1787485762,0,y\n"},
    {SMI_FMT_AMD_PROCESS, "timestamp,gpu,name,pid,vram_mem,process_info\n1787485761,0,\"a,b\",7,1048576,N/A\n"
                          "1787485761,1,N/A,N/A,N/A,No running processes detected\n1787485762,0,a,7,x,N/A\n"},
    {SMI_FMT_ROCM,
     "device,GPU use (%),Temperature (Sensor edge) (C)\n1787485761 card0,30,45.0\n1787485762 card1,z,47\n"},
    {SMI_FMT_ROCM_JSON,
     "none\n{\"card0\": {\"GPU use (%)\": \"5\", \"PCI Bus\": \"0000:06:00.0\", \"Card series\": \"Vega\"}}\n"
     "{\n  \"card1\": {\n    \"GPU use (%)\": \"95\"\n  }\n}\n{\"card0\":\n"},
    {SMI_FMT_USAGE_LOG,
     "{\"level\": \"metadata\", \"interval\": 5.0, \"gpu_libs_detected\": [\"pynvml\"], \"start_time\": "
     "173}\n"
     "{\"level\": \"record\", \"time\": 1730000005.25, \"cpu\": {\"avg\": 1.5, \"max\": 2}, \"cmds\": "
     "[\"python x\"], "
     "\"gpu_list\": [{\"uuid\": \"GPU-1\", \"util_percent\": {\"avg\": 25.5, \"max\": 50}}]}\n"
     "{\"level\": \"record\", \"time\": 1730000010, \"cpu\": {\"avg\": NaN}, \"cmds\": [\"python y\"]}\n"},
    {SMI_FMT_GPU_CSV,
     "timestamp,cpu_percent,gpu_util,vram_mb\n1751500000.5,10,90,4000\n1751500001.5,10,x,4100\n7\n"},
    {SMI_FMT_PMON,
     "#Date Time gpu pid type sm command\n#YYYYMMDD HH:MM:SS Idx # C/G % name\n"
     " 20210102 23:59:59 0 11 C 5 a b\n 20210102 23:59:59 1 - - - -\n 20210103 00:00:01 0 12 G x y\n none\n"},
    {SMI_FMT_APPS, "timestamp, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n2026/07/03 22:11:09.763, "
                   "GPU-1, 7, /a,b, 5 MiB\n"
                   "2026/07/03 22:11:09.763, GPU-1, 8, /c, x\n2026/07/03 22:11:10.763, GPU-2, [N/A], [Not "
                   "Found], [N/A]\n5\n"},
    {SMI_FMT_ACCOUNTED,
     "gpu_uuid, pid, gpu_utilization [%], max_memory_usage [MiB], time [ms]\nGPU-1, 7, 5 %, 9 MiB, 0 ms\n"
     "GPU-1, 7, 5 %, 9 MiB, 100 ms\nGPU-1, 8, x, 9 MiB, 100 ms\n7\n"},
    {SMI_FMT_RETIRED,
     "gpu_uuid, retired_pages.address, retired_pages.cause\nGPU-1, 0x1, Double Bit ECC\n5\n"},
    {SMI_FMT_DCGMI, "#Entity   GPUTL  POWER\nID                W\nGPU 0     37     59.2\nGPU-I 1   N/A    "
                    "N/A\nGPU 0     x     59.2\n5\n"},
    {SMI_FMT_TABLE,
     "Fri Jul  3 22:11:09 2026\n"
     "+---------------------------------------------------------------------------------------+\n"
     "| NVIDIA-SMI 535.54.03              Driver Version: 535.54.03    CUDA Version: 12.2     |\n"
     "|-----------------------------------------+----------------------+----------------------+\n"
     "| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |\n"
     "| Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |\n"
     "|                                         |                      |               MIG M. |\n"
     "|=========================================+======================+======================|\n"
     "|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                    0 |\n"
     "| N/A   33C    P0              59W / 400W |   1024MiB / 40960MiB |     37%      Default |\n"
     "|                                         |                      |             Disabled |\n"
     "+-----------------------------------------+----------------------+----------------------+\n"},
    {SMI_FMT_REPORT, "==============NVSMI LOG==============\n\n"
                     "Timestamp                                 : Fri Jul  3 22:11:09 2026\n"
                     "Driver Version                            : 535.54.03\n\n"
                     "Attached GPUs                             : 1\n"
                     "GPU 00000000:07:00.0\n"
                     "    Product Name                          : NVIDIA A100\n"
                     "    GPU UUID                              : GPU-1\n"
                     "    Utilization\n"
                     "        Gpu                               : 37 %\n"
                     "    Power Readings\n"
                     "        Power Draw                        : 59.20 W\n"},
    {SMI_FMT_REPORT_XML,
     "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Fri Jul  3 22:11:09 2026</timestamp>\n"
     "<gpu id=\"00000000:07:00.0\">\n<uuid>GPU-1</uuid>\n<utilization>\n<gpu_util>37 %</gpu_util>\n"
     "</utilization>\n</gpu>\n</nvidia_smi_log>\n"},
    {SMI_FMT_WANDB,
     "{\"wandb\": \"run\", \"event\": \"start\", \"time\": \"2026-07-03T10:00:00Z\", \"data\": {\"lr\": "
     "0.1}}\n"
     "{\"wandb\": \"gpu\", \"index\": 0, \"name\": \"A\", \"memory\": 42949672960, \"uuid\": \"GPU-1\"}\n"
     "{\"wandb\": \"stats\", \"time\": 1783072815.25, \"gpu.0.gpu\": 37.0, \"gpu.1.temp\": 4.1e1, "
     "\"gpu.0.temp\": x, "
     "\"gpu.99.gpu\": 1}\n{\"wandb\": \"stats\", \"time\": 1783072816.25, \"memory_percent\": 30.5}\n"
     "{\"wandb\": \"other\"}\n{\"wandb\": \"damaged record\"}\n"},
    {SMI_FMT_TEGRASTATS,
     "10-01-2026 20:05:55 RAM 2274/6834MB (lfb 27x4MB) CPU [99%@1189,off] GR3D_FREQ 22%@[305,0] gpu@41.5C "
     "VDD_GPU_SOC 1234mW/1230mW\n"
     "10-01-2026 20:05:56 RAM 2275/6834MB (lfb 27x4MB) CPU [x] GR3D_FREQ 23% gpu@x\nnone\n"},
    {SMI_FMT_JTOP, "time,uptime,CPU1,RAM,GPU,Temp GPU,Power VDD_GPU_SOC,Power TOT,nvp model\n"
                   "2026-11-10 12:43:38.1,1:02:03,12,0.31,22.5,41.5,1234,5542,MAXN\n2026-11-10 "
                   "12:43:39.1,1:02:04,OFF,x,y,41.5,1,2,MAXN\n5\n"},
    {SMI_FMT_NVITOP,
     "t/host/cpu_percent (%)/mean,t/gpu:0/power_usage (W)/mean,t/gpu:1/power_usage (W)/mean,t/timestamp\n"
     "12.5,100.25,x,1794318218.25\n12.5,1e-05,nan,1794318220.25\n5\n"},
    {SMI_FMT_CODECARBON, "timestamp,run_id,duration,emissions,gpu_energy,gpu_count,gpu_model,cpu_count\n"
                         "2026-07-03T11:00:00,a,3600.0,0.1,0.251,1,1 x "
                         "A40,64\n2026-07-03T12:00:00,b,10.5,0.1,1e-05,2,2 x A40,x\n5\n"},
    {SMI_FMT_EXPOSITION,
     "# HELP DCGM_FI_DEV_GPU_UTIL u\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",modelName=\"A40\"} 37 "
     "1794318218000\n"
     "DCGM_FI_DEV_GPU_UTIL{gpu=\"1\",UUID=\"GPU-2\"} x\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} 38 "
     "1794318219000\nnone\n"},
    {SMI_FMT_GPUSTAT, "node7  Thu Nov 10 12:43:38 2026  535.104.05\n[0] NVIDIA A40 | 41'C,  31 %,  37 % |  "
                      "1024 / 46068 MB | amy(1020M)\n"
                      "[1] NVIDIA A40 | x'C,  37 % |  1024 / 46068 MB |\nnone\n"},
    {SMI_FMT_GPUSTAT_JSON, "{\"query_time\": \"2026-11-10T12:43:38.1\", \"gpus\": [{\"index\": 0, \"uuid\": "
                           "\"GPU-1\", \"name\": \"A\", \"utilization.gpu\": 37}, {\"index\": 1, "
                           "\"utilization.gpu\": \"x\"}]}\n{\"query_time\": \"2026-11-10T12:43:39.1\", "
                           "\"gpus\": [{\"index\": 0,\n \"power.draw\": 97}]}\nnone\n{\n"},
    {SMI_FMT_NVTOP, "[{\"device_name\": \"A\", \"gpu_clock\": \"1410MHz\", \"gpu_util\": \"37%\", "
                    "\"mem_used\": \"1073741824\"},\n"
                    "{\"device_name\": \"B\", \"gpu_util\": \"x\"}]\n[}\nnone\n"},
    {SMI_FMT_AMD_JSON,
     "{\"gpu_data\": [{\"gpu\": 0, \"timestamp\": 1786553852, \"usage\": {\"gfx_activity\": {\"value\": 37, "
     "\"unit\": \"%\"}},\n"
     "\"clock\": {\"gfx_0\": {\"clk\": {\"value\": \"x\", \"unit\": \"MHz\"}}}}]}\nnone\n[\n"},
    {SMI_FMT_MLFLOW,
     "{\"wandb\": \"run\", \"event\": \"start\", \"time\": \"2026-07-03T10:00:00Z\", \"data\": {}}\n"
     "{\"wandb\": \"stats\", \"time\": 1783072815.250, \"gpu.0.gpu\": 37.0, "
     "\"gpu.0.memoryAllocatedBytes\": 1048576000, \"cpu_utilization_percentage\": 12.5, "
     "\"memory_percent\": x}\n"
     "gpu_0_utilization_percentage: 1783072830000 5x 2\n"
     "{\"wandb\": \"exit\", \"event\": \"failed\", \"time\": \"2026-07-03T10:01:00Z\", \"data\": "
     "{\"message\": \"status FAILED\"}}\n"},
    {SMI_FMT_PROC_STAT,
     "1751500000.25\ncpu  60683 0 14574 189323 863 0 329 330 0 0\ncpu0 28998 0 6931 96607 186 0 157 167 0 0\n"
     "1751500001.25\ncpu  60783 0 14574 189423 863 0 329 330 0 0\nnone\n1751500002\ncpu  x\n"},
    {SMI_FMT_GPU_TRACKER,
     "ram_unit,gpu_ram_unit,time_unit,gpu_ram_system_capacity,system_gpu_count,n_expected_gpus\n"
     "gigabytes,gigabytes,hours,81.559,1,1\nmain_ram,system_gpu_ram,gpu_hardware_utilization_percent,"
     "timestamp\n"
     "0.087,0.5,12.5,1745449609.98\n0.088,x,12.5,1745449610.98\n0.087\n"},
    {SMI_FMT_SAMPLES_JSONL,
     "{\"run\": \"r\", \"input\": \"a\", \"format\": \"dmon\", \"row\": 0, \"time\": "
     "\"2026-07-03T22:10:46.109Z\", \"gpu\": 0, "
     "\"uuid\": \"GPU-1\", \"name\": \"H100\", \"power_w\": 70.5, \"procs\": null}\n"
     "{\"run\": \"r\", \"input\": \"b\", \"format\": \"cpu-csv\", \"row\": 0, \"time\": null, "
     "\"cpu_usr_pct\": 5}\n"
     "{\"run\": \"r\", \"input\": \"c\", \"format\": \"query\", \"row\": 1, \"time\": "
     "\"2026-07-03T22:10:47.109Z\", \"gpu\": 0, "
     "\"uuid\": \"GPU-1\", \"temp_gpu_c\": \"x\"}\n"
     "{\"run\": \"r\", \"input\": \"d\", \"format\": \"runlog\", \"row\": 0, \"time\": "
     "\"2026-07-03T22:10:47Z\", \"phase\": \"fit\", "
     "\"seconds\": 1.5, \"data\": {\"a\": 1, \"b\": \"x\", \"c\": true}, \"extra\": {\"d\": 1e400}}\n"
     "{\"run\": \"other\", \"row\": 0}\n{\"row\": 0}\nnone\n"},
    {SMI_FMT_SAMPLES_CSV, "run,host,input,format,row,time,device,gpu,uuid,bus,name,power_w,temp_gpu_c,what\n"
                          "r,,a,dmon,0,2026-07-03T22:10:46.109Z,gpu,0,GPU-1,,\"H \"\"100\"\"\",70.5,x,1\n"
                          "r,,a,nvidia-smi-query,0,24:10:46.109,gpu,0,GPU-1,,'=H,,5,\nr,,a,c,0,,host,,,,,1,,"
                          "\nr,,a,c,0,,pooled,,,,,1,,\n"
                          "other,,a,c,0,,host,,,,,1,,\nr,,a,c,0,,what,,,,,1,,\nr,,a,c,0,x,host,,,,,1,,\n5\n"},
    {-1, "NVIDIA-SMI has failed because\n"},
    {-1, "\nindex, utilization.gpu [%]\n0, 5 %\n"},
    {-1, "no log\n"},
};

/* Reads the log, writes it down and makes its summary. A format that is none stays as it is. */
static int read_log(const struct log *log, struct smi_buf *text, struct smi_err *err)
{
    const struct smi_options options = {.idle_below = 1000000};
    struct smi_input_stats *part = smi_input_stats_new("log", SMI_FMT_QUERY);
    struct smi_run run = {.name = smi_mem_text("run", 3)};
    struct smi_summary summary = {0};
    struct smi_ingest *in;
    int rc = -1;
    if (!part || !run.name || smi_run_add_part(&run, part)) {
        smi_input_stats_free(run.parts ? NULL : part);
        smi_run_fini(&run);
        return smi_err_nomem(err);
    }
    in = smi_ingest_open(&(struct smi_ingest_opts){
        .format = log->format, .account = &part->account, .devices = &part->devices, .to = &part->sink});
    if (in && smi_ingest_feed(in, log->text, 5, err) == 0 &&
        smi_ingest_feed(in, log->text + 5, strlen(log->text) - 5, err) == 0)
        rc = smi_ingest_finish(in, err);
    if (rc == 0)
        part->format = smi_ingest_format(in);
    smi_ingest_close(in);
    rc = rc || smi_runlog_merge(&run.log, &part->log, err) || smi_partial_write(text, &run, &options) ||
                 smi_findings_build_summary(&summary, &run, &options, err)
             ? -1
             : 0;
    smi_summary_fini(&summary);
    smi_run_fini(&run);
    return rc;
}

static int read_partial(const struct smi_buf *from, struct smi_buf *text, struct smi_err *err)
{
    const struct smi_options options = {.idle_below = 1000000};
    struct smi_partials p = {0};
    int rc = smi_partial_read(&p, from->p, from->n, "first", NULL, err);
    if (rc == 0)
        rc = smi_partial_read(&p, from->p, from->n, "first once more", NULL, err);
    if (rc == 0)
        rc = smi_partial_write(text, p.run[0], &options);
    smi_partials_fini(&p);
    return rc;
}

/* The same by way of a pile, as another run's. */
static int read_pile(const struct smi_buf *from, struct smi_buf *text, struct smi_err *err)
{
    const struct smi_options options = {.idle_below = 1000000};
    struct smi_merge_queue p = SMI_MERGE_QUEUE;
    struct smi_sweep s = {0};
    int rc;
    p.run = "another";
    rc = smi_merge_queue_add(&p, from->p, from->n, "first", 1, err);
    rc = rc ? rc : smi_merge_queue_add(&p, from->p, from->n, "first once more", 2, err);
    rc = rc ? rc : smi_merge_queue_copy(&p, 1, text, err);
    rc = rc ? rc : smi_sweep_merge_queue(&s, &p, &options, err);
    if (rc == 0) {
        assert_int_equal(s.n, 1);
        smi_buf_str(text, s.runs[0].run);
        smi_sweep_fini(&s);
    }
    smi_merge_queue_fini(&p);
    return rc || text->failed ? smi_err_nomem(err) : 0;
}

static int peek(const struct log *log, struct smi_err *err)
{
    struct smi_time_range_probe g;
    int64_t size = (int64_t)strlen(log->text);
    int fd = memfd_create("log", 0), rc;
    assert_true(fd >= 0 && write(fd, log->text, (size_t)size) == size);
    rc = smi_time_range_probe(&g, &(struct smi_file_view){.fd = fd, .name = "log", .n = size},
                              &(struct smi_ingest_opts){.format = log->format}, true, err);
    close(fd);
    return rc;
}

static void judge(int rc, int rc_before, const struct smi_buf *text, const struct smi_buf *before,
                  const struct smi_err *err)
{
    bool same =
        rc == rc_before && text->n == before->n && (!text->n || memcmp(text->p, before->p, text->n) == 0);
    if (rc < 0)
        assert_true(err->text[0]);
    if (!same)
        assert_true(rc < 0 && err->code == SMI_ENOMEM);
}

static void test_readers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        for (int after = 0; after < 2; after++) {
            struct smi_buf before = {0};
            struct smi_err err = {0};
            int rc_before = read_log(&logs[i], &before, &err);
            bool failed = true;
            assert_true(rc_before == 0 || logs[i].format < 0);
            for (uint64_t nth = 1; failed; nth++) {
                struct smi_buf text = {0};
                int rc;
                err = (struct smi_err){0};
                fuzz_fail_at(nth, after, true);
                rc = read_log(&logs[i], &text, &err);
                failed = fuzz_fail_disarm();
                judge(rc, rc_before, &text, &before, &err);
                smi_buf_fini(&text);
            }
            smi_buf_fini(&before);
        }
}

typedef int read_fn(const struct smi_buf *from, struct smi_buf *text, struct smi_err *err);

static void each_failure(read_fn *read)
{
    for (size_t i = 0; logs[i].format >= 0; i++) {
        struct smi_buf from = {0}, before = {0};
        struct smi_err err = {0};
        bool failed = true;
        assert_int_equal(read_log(&logs[i], &from, &err), 0);
        assert_int_equal(read(&from, &before, &err), 0);
        for (uint64_t nth = 1; failed; nth++) {
            struct smi_buf text = {0};
            int rc;
            fuzz_fail_at(nth, nth & 1, true);
            rc = read(&from, &text, &err);
            failed = fuzz_fail_disarm();
            judge(rc, 0, &text, &before, &err);
            err = (struct smi_err){0};
            smi_buf_fini(&text);
        }
        smi_buf_fini(&from);
        smi_buf_fini(&before);
    }
}

static void test_partials(void **state)
{
    (void)state;
    each_failure(read_partial);
}

static void test_piles(void **state)
{
    (void)state;
    each_failure(read_pile);
}

/* Two jobs of four GPUs that are compared, one of them twice, and what is no row. */
static int make_ledger(void)
{
    int fd = memfd_create("ledger", 0);
    struct smi_buf b = {0};
    for (int job = 0; job < 3; job++) {
        smi_buf_fmt(&b,
                    "{\"schema\":\"smilog-ledger/1\",\"job\":\"%d\",\"user\":\"ada\",\"node\":\"n1\","
                    "\"start\":\"2026-07-03T22:11:00Z\",\"model\":\"A\",\"gpus\":[",
                    job / 2);
        for (int gpu = 0; gpu < 4; gpu++)
            smi_buf_fmt(
                &b, "%s{\"uuid\":\"GPU-%d\",\"ms\":[9000,0,0,1000,0],\"load\":[0,0,0,0,0,0,8000,19%d0,600]}",
                gpu ? "," : "", gpu, gpu);
        smi_buf_str(&b, "]}\n");
    }
    smi_buf_str(&b, "no row\n");
    assert_true(write(fd, b.p, b.n) == (ssize_t)b.n);
    smi_buf_fini(&b);
    return fd;
}

static int ask_ledger(int fd, const char *by, struct smi_buf *text, struct smi_err *err)
{
    char name[32];
    const char *path[] = {name};
    struct smi_result rows = {0};
    struct smi_buf said = {0};
    int rc;
    snprintf(name, sizeof name, "/dev/fd/%d", fd);
    rc = smi_ledger_query(path, 1, &(struct smi_query){.group_by = by, .sort = "-jobs,energy_kwh"}, &rows,
                          &said, err);
    for (size_t i = 0; !rc && i < rows.n * rows.columns; i++)
        smi_buf_fmt(text, "%s ", rows.cell[i].text ? rows.cell[i].text : "-");
    smi_buf_add(text, said.p ? said.p : "", rc ? 0 : said.n);
    smi_buf_fini(&said);
    smi_result_fini(&rows);
    return rc || text->failed ? smi_err_nomem(err) : 0;
}

static void test_ledger(void **state)
{
    static const char *const by[] = {"user,node", "gpu_uuid"};
    int fd = make_ledger();
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct smi_buf before = {0};
        struct smi_err err = {0};
        bool failed = true;
        assert_int_equal(ask_ledger(fd, by[i], &before, &err), 0);
        assert_non_null(strstr(before.p, i ? "99.2167" : "ada n1 2 0.02"));
        for (uint64_t nth = 1; failed; nth++) {
            struct smi_buf text = {0};
            int rc;
            fuzz_fail_at(nth, nth & 1, true);
            rc = ask_ledger(fd, by[i], &text, &err);
            failed = fuzz_fail_disarm();
            judge(rc, 0, &text, &before, &err);
            err = (struct smi_err){0};
            smi_buf_fini(&text);
        }
        smi_buf_fini(&before);
    }
    close(fd);
}

static void test_peek(void **state)
{
    const struct smi_buf none = {0};
    (void)state;
    for (size_t i = 0; logs[i].format >= 0; i++) {
        bool failed = true;
        int rc_before = peek(&logs[i], NULL);
        assert_true(rc_before >= 0);
        for (uint64_t nth = 1; failed; nth++) {
            struct smi_err err = {0};
            int rc;
            fuzz_fail_at(nth, false, true);
            rc = peek(&logs[i], &err);
            failed = fuzz_fail_disarm();
            judge(rc, rc_before, &none, &none, &err);
        }
    }
}

/* A file with the log, packed by gzip, inside a tar or not. */
static int packed_file(const char *log, bool tar)
{
    struct archive *a = archive_write_new();
    struct archive_entry *e = archive_entry_new();
    int fd = memfd_create("packed", 0);
    archive_write_add_filter_gzip(a);
    assert_int_equal(tar ? archive_write_set_format_ustar(a) : archive_write_set_format_raw(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_fd(a, fd), ARCHIVE_OK);
    archive_entry_set_pathname(e, "run/hw.csv");
    archive_entry_set_filetype(e, AE_IFREG);
    archive_entry_set_size(e, (la_int64_t)strlen(log));
    assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, log, strlen(log)), (la_ssize_t)strlen(log));
    archive_entry_free(e);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

static int on_member(void *self, const struct smi_archive_member *m, struct smi_err *err)
{
    char piece[64];
    ssize_t n = -1;
    smi_buf_str(self, m->path);
    smi_buf_str(self, m->why ? m->why : "");
    while (m->bytes && (n = smi_stream_read(m->bytes, piece, sizeof piece, err)) > 0)
        smi_buf_add(self, piece, (size_t)n);
    return n < 0 ? -1 : ((struct smi_buf *)self)->failed ? smi_err_nomem(err) : 0;
}

static int walk(int fd, struct smi_buf *text, struct smi_err *err)
{
    struct smi_err doubt = {0};
    int rc = smi_archive_walk(fd, "packed", on_member, text, &doubt, err);
    return rc ? rc : doubt.code ? smi_err_set(err, doubt.code, "%s", doubt.text) : 0;
}

static int unpacked_ends(int fd, struct smi_buf *text, struct smi_err *err)
{
    int64_t size = 0;
    int made = smi_read_stream_ends(fd, "packed", &size, err);
    if (made < 0)
        return -1;
    smi_buf_fmt(text, "%lld", (long long)size);
    close(made);
    return text->failed ? smi_err_nomem(err) : 0;
}

static void test_packed(void **state)
{
    static int (*const reads[])(int fd, struct smi_buf *text, struct smi_err *err) = {walk, unpacked_ends};
    (void)state;
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        int fd = packed_file(logs[0].text, i == 0);
        struct smi_buf before = {0};
        bool failed = true;
        assert_int_equal(reads[i](fd, &before, NULL), 0);
        assert_true(before.n > 0);
        for (uint64_t nth = 1; failed; nth++) {
            struct smi_buf text = {0};
            struct smi_err err = {0};
            int rc;
            fuzz_fail_at(nth, nth & 1, true);
            rc = reads[i](fd, &text, &err);
            failed = fuzz_fail_disarm();
            judge(rc, 0, &text, &before, &err);
            smi_buf_fini(&text);
        }
        smi_buf_fini(&before);
        close(fd);
    }
}

static void test_all_formats(void **state)
{
    bool seen[SMI_FMT_COUNT] = {0};
    (void)state;
    for (size_t i = 0; logs[i].format >= 0; i++)
        seen[logs[i].format] = true;
    for (int i = 0; i < SMI_FMT_COUNT; i++)
        if (!seen[i])
            fail_msg("no log of %s is read here", smi_format_infos[i].name);
}

/* ---- files beside logs ---- */

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[256];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    for (char *p = path + strlen(dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
        *p = 0;
        mkdir(path, 0700);
    }
    f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void make_runs_of_trainers(const char *dir)
{
    const char *log = "timestamp, index, utilization.gpu [%]\n2026/07/03 22:11:09.763, 0, 38\n";
    write_file(dir, "4711/hw.csv", log);
    write_file(dir, "4711/wandb-metadata.json",
               "{\"host\": \"a\", \"program\": \"t.py\", \"args\": [\"-x\"], \"git\": {\"commit\": \"5f\"}, "
               "\"gpu_nvidia\": [{\"name\": \"A100\", \"uuid\": \"GPU-1\"}]}");
    write_file(dir, "4711/wandb-summary.json", "{\"a\": 1, \"b\": {\"c\": 0.5}}");
    write_file(dir, "4712/hw.csv", log);
    write_file(dir, "4712/result.json", "{\"training_iteration\": 1, \"loss\": 0.5}\n{");
    write_file(dir, "4712/.hydra/overrides.yaml", "- lr=0.1\n");
    write_file(dir, "4712/.hydra/config.yaml", "lr: 0.1\nmodel: {width: 64}\n");
    write_file(dir, "slurm-4712.out", "srun: error: n: task 0: Exited with exit code 1\n");
    write_file(dir, "sacct.txt", "JobID|State|ExitCode\n4711|TIMEOUT|0:0\n4711.0|FAILED|1:0\n");
    write_file(dir, "m/meta.yaml", "run_id: a\nrun_name: b\nstart_time: 1783072800000\nstatus: 4\n");
    write_file(dir, "m/params/lr", "0.1");
    write_file(dir, "m/tags/mlflow.source.git.commit", "5f");
    write_file(dir, "m/metrics/loss", "1783072800000 0.5 0\n");
    write_file(dir, "m/metrics/system/gpu_0_utilization_percentage",
               "1783072801000 50 0\n1783072802000 5x 1\n");
}

static void remove_tree(const char *dir)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r '%s'", dir);
    assert_int_equal(system(command), 0);
}

static void test_runs_of_trainers(void **state)
{
    char dir[] = "/tmp/smilog-trainers-XXXXXX";
    const char *path[] = {dir};
    const struct smi_discover_opts d = {.format = -1, .threads = 1};
    const struct smi_options o = {.idle_below = 1000000};
    bool failed = true;
    (void)state;
    assert_non_null(mkdtemp(dir));
    make_runs_of_trainers(dir);
    for (uint64_t nth = 1; failed; nth++) {
        struct smi_sweep s;
        struct smi_err err = {0};
        int rc;
        fuzz_fail_at(nth, nth & 1, true);
        rc = smi_sweep_read(&s, path, 1, &d, &o, &err);
        failed = fuzz_fail_disarm();
        assert_true(rc == 0 || err.code == SMI_ENOMEM);
        if (!failed) {
            assert_int_equal(rc, 0);
            assert_int_equal(s.n, 3);
            assert_int_equal(s.runs[0].state, SMI_STATE_CUT);
            assert_int_equal(s.runs[1].state, SMI_STATE_FAILED);
            assert_int_equal(s.runs[2].state, SMI_STATE_FAILED);
            assert_int_equal(s.nresults, 6);
        }
        if (rc == 0)
            smi_sweep_fini(&s);
    }
    remove_tree(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_formats), cmocka_unit_test(test_readers),
        cmocka_unit_test(test_partials),    cmocka_unit_test(test_ledger),
        cmocka_unit_test(test_piles),       cmocka_unit_test(test_peek),
        cmocka_unit_test(test_packed),      cmocka_unit_test(test_runs_of_trainers),
    };
    fuzz_fail_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
