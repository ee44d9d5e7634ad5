#include "formats/row_engine.h"

#include "base/text.h"
#include "model/line_account.h"

#include <string.h>

/* nvidia-smi's query fields: the name as printed, then aliases as typed. Order does not matter.
 * Source: nvidia-smi --help-query-gpu of drivers 470 to 610, and headers of real logs. */
static const struct name {
    const char *text;
    enum smi_column_kind kind;
    uint16_t what;
} names[] = {
    {"timestamp", SMI_COL_TIME, 0},
    {"uuid", SMI_COL_KEY, SMI_DEVICE_KEY_UUID},
    {"gpu_uuid", SMI_COL_KEY, SMI_DEVICE_KEY_UUID},
    {"pci.bus_id", SMI_COL_KEY, SMI_DEVICE_KEY_BUS},
    {"gpu_bus_id", SMI_COL_KEY, SMI_DEVICE_KEY_BUS},
    {"serial", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL},
    {"gpu_serial", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL},
    {"index", SMI_COL_KEY, SMI_DEVICE_KEY_INDEX},
    {"gpu", SMI_COL_KEY, SMI_DEVICE_KEY_GPU},
    {"hostname", SMI_COL_PLACE, SMI_AT_HOST}, /* those who join logs of machines add one */
    {"host", SMI_COL_PLACE, SMI_AT_HOST},
    {"host_name", SMI_COL_PLACE, SMI_AT_HOST},
    {"node", SMI_COL_PLACE, SMI_AT_HOST},
    {"nodename", SMI_COL_PLACE, SMI_AT_HOST},
    {"node_name", SMI_COL_PLACE, SMI_AT_HOST},
    {"name", SMI_COL_NAME, 0},
    {"gpu_name", SMI_COL_NAME, 0},
    {"pstate", SMI_COL_PSTATE, SMI_PSTATE},
    {"mig.mode.current", SMI_COL_ACTIVE, SMI_MIG},
    {"utilization.gpu", SMI_COL_NUMBER, SMI_GPU_UTIL},
    {"utilization.memory", SMI_COL_NUMBER, SMI_MEM_UTIL},
    {"utilization.encoder", SMI_COL_NUMBER, SMI_ENC_UTIL},
    {"utilization.decoder", SMI_COL_NUMBER, SMI_DEC_UTIL},
    {"utilization.jpeg", SMI_COL_NUMBER, SMI_JPG_UTIL},
    {"utilization.ofa", SMI_COL_NUMBER, SMI_OFA_UTIL},
    {"memory.used", SMI_COL_NUMBER, SMI_FB_USED},
    {"memory.total", SMI_COL_NUMBER, SMI_FB_TOTAL},
    {"memory.free", SMI_COL_NUMBER, SMI_FB_FREE},
    {"memory.reserved", SMI_COL_NUMBER, SMI_FB_RESERVED},
    {"power.draw", SMI_COL_NUMBER, SMI_POWER},
    {"power.draw.average", SMI_COL_NUMBER, SMI_POWER_AVG},
    {"gpu.power.draw.average", SMI_COL_NUMBER, SMI_POWER_AVG},
    {"power.draw.instant", SMI_COL_NUMBER, SMI_POWER_INST},
    {"gpu.power.draw.instant", SMI_COL_NUMBER, SMI_POWER_INST},
    {"power.limit", SMI_COL_NUMBER, SMI_POWER_LIMIT},
    {"gpu.power.requested_limit", SMI_COL_NUMBER, SMI_POWER_LIMIT},
    {"enforced.power.limit", SMI_COL_NUMBER, SMI_POWER_LIMIT_ENFORCED},
    {"gpu.power.current_limit", SMI_COL_NUMBER, SMI_POWER_LIMIT_ENFORCED},
    {"power.default_limit", SMI_COL_NUMBER, SMI_POWER_LIMIT_DEFAULT},
    {"power.min_limit", SMI_COL_NUMBER, SMI_POWER_LIMIT_MIN},
    {"power.max_limit", SMI_COL_NUMBER, SMI_POWER_LIMIT_MAX},
    {"module.power.draw.average", SMI_COL_NUMBER, SMI_MODULE_POWER_AVG},
    {"module.power.draw.instant", SMI_COL_NUMBER, SMI_MODULE_POWER_INST},
    {"temperature.gpu", SMI_COL_NUMBER, SMI_TEMP_GPU},
    {"temperature.memory", SMI_COL_NUMBER, SMI_TEMP_MEM},
    {"temperature.gpu.tlimit", SMI_COL_NUMBER, SMI_TEMP_TLIMIT},
    {"clocks.current.sm", SMI_COL_NUMBER, SMI_CLK_SM},
    {"clocks.sm", SMI_COL_NUMBER, SMI_CLK_SM},
    {"clocks.current.memory", SMI_COL_NUMBER, SMI_CLK_MEM},
    {"clocks.mem", SMI_COL_NUMBER, SMI_CLK_MEM},
    {"clocks.current.graphics", SMI_COL_NUMBER, SMI_CLK_GR},
    {"clocks.gr", SMI_COL_NUMBER, SMI_CLK_GR},
    {"clocks.current.video", SMI_COL_NUMBER, SMI_CLK_VID},
    {"clocks.video", SMI_COL_NUMBER, SMI_CLK_VID},
    {"clocks.max.sm", SMI_COL_NUMBER, SMI_CLK_MAX_SM},
    {"clocks.max.memory", SMI_COL_NUMBER, SMI_CLK_MAX_MEM},
    {"clocks.max.mem", SMI_COL_NUMBER, SMI_CLK_MAX_MEM},
    {"clocks.max.graphics", SMI_COL_NUMBER, SMI_CLK_MAX_GR},
    {"clocks.max.gr", SMI_COL_NUMBER, SMI_CLK_MAX_GR},
    {"clocks.applications.graphics", SMI_COL_NUMBER, SMI_CLK_APP_GR},
    {"clocks.applications.gr", SMI_COL_NUMBER, SMI_CLK_APP_GR},
    {"clocks.applications.memory", SMI_COL_NUMBER, SMI_CLK_APP_MEM},
    {"clocks.applications.mem", SMI_COL_NUMBER, SMI_CLK_APP_MEM},
    {"fan.speed", SMI_COL_NUMBER, SMI_FAN},
    {"pcie.link.gen.current", SMI_COL_NUMBER, SMI_PCIE_GEN},
    {"pcie.link.gen.gpucurrent", SMI_COL_NUMBER, SMI_PCIE_GEN},
    {"pcie.link.gen.max", SMI_COL_NUMBER, SMI_PCIE_GEN_MAX},
    {"pcie.link.width.current", SMI_COL_NUMBER, SMI_PCIE_WIDTH},
    {"pcie.link.width.max", SMI_COL_NUMBER, SMI_PCIE_WIDTH_MAX},
    {"encoder.stats.sessioncount", SMI_COL_NUMBER, SMI_ENC_SESSIONS},
    {"encoder.stats.averagefps", SMI_COL_NUMBER, SMI_ENC_FPS},
    {"encoder.stats.averagelatency", SMI_COL_NUMBER, SMI_ENC_LATENCY},
    {"retired_pages.single_bit_ecc.count", SMI_COL_NUMBER, SMI_RETIRED_SBE},
    {"retired_pages.sbe", SMI_COL_NUMBER, SMI_RETIRED_SBE},
    {"retired_pages.double_bit.count", SMI_COL_NUMBER, SMI_RETIRED_DBE},
    {"retired_pages.dbe", SMI_COL_NUMBER, SMI_RETIRED_DBE},
    {"remapped_rows.correctable", SMI_COL_NUMBER, SMI_REMAPPED_CORR},
    {"remapped_rows.uncorrectable", SMI_COL_NUMBER, SMI_REMAPPED_UNCORR},
    {"remapped_rows.pending", SMI_COL_ALARM, SMI_FAULT_REMAP_PENDING},
    {"remapped_rows.failure", SMI_COL_ALARM, SMI_FAULT_REMAP_FAILED},
    {"retired_pages.pending", SMI_COL_ALARM, SMI_FAULT_RETIRE_PENDING},
    {"gpu_recovery_action", SMI_COL_ALARM, SMI_FAULT_RECOVERY},
};

const char *smi_column_query_name(size_t i)
{
    return i < sizeof names / sizeof *names ? names[i].text : NULL;
}

/* Text columns that are known and not read. */
static const char *const silent[] = {"count",
                                     "driver_version",
                                     "kmd_version",
                                     "vbios_version",
                                     "compute_cap",
                                     "compute_mode",
                                     "persistence_mode",
                                     "display_active",
                                     "display_attached",
                                     "display_mode",
                                     "accounting.mode",
                                     "accounting.buffer_size",
                                     "addressing_mode",
                                     "driver_model.current",
                                     "driver_model.pending",
                                     "power.management",
                                     "mig.mode.pending",
                                     "ecc.mode.current",
                                     "ecc.mode.pending"};

/* Other columns of nvidia-smi that are not read begin so. */
static const char *const kin[] = {
    "bbx.", "c2c.",      "dramencryption.",  "edpp_",         "fabric.", "gom.", "gpu.", "gsp.", "inforom.",
    "pci.", "platform.", "power_smoothing.", "reset_status.", "vgpu_"};

/* A name that begins like this is a measurement of nvidia-smi, known to us or not. */
static const char *const measuring[] = {"utilization.",
                                        "memory.",
                                        "power.",
                                        "temperature.",
                                        "clocks.",
                                        "clocks_throttle_reasons",
                                        "clocks_event_reasons",
                                        "fan.",
                                        "pstate",
                                        "ecc.",
                                        "pcie.",
                                        "encoder.",
                                        "enforced.power",
                                        "module.power",
                                        "module.enforced.power",
                                        "gpu.power",
                                        "retired_pages.",
                                        "remapped_rows.",
                                        "protected_memory."};

enum { MEASURING = sizeof measuring / sizeof *measuring };

/* Names that begin alike, and the metrics that do: "clocks_event_reasons.sw_power_cap" is
 * throttle.sw_power_cap, in the old and the new spelling of the driver;
 * "ecc.errors.uncorrected.volatile.dram" is ecc.u.v.dram. */
static const struct {
    const char *front, *key;
    enum smi_column_kind kind;
    bool throttle; /* "active" is the mask of all reasons */
} families[] = {
    {"clocks_event_reasons.", "throttle.", SMI_COL_ACTIVE, true},
    {"clocks_throttle_reasons.", "throttle.", SMI_COL_ACTIVE, true},
    {"clocks_event_reasons_counters.", "throttle_us.", SMI_COL_NUMBER, true},
    {"clocks_throttle_reasons_counters.", "throttle_us.", SMI_COL_NUMBER, true},
    {"ecc.errors.corrected.volatile.", "ecc.c.v.", SMI_COL_NUMBER, false},
    {"ecc.errors.corrected.aggregate.", "ecc.c.a.", SMI_COL_NUMBER, false},
    {"ecc.errors.uncorrected.volatile.", "ecc.u.v.", SMI_COL_NUMBER, false},
    {"ecc.errors.uncorrected.aggregate.", "ecc.u.a.", SMI_COL_NUMBER, false},
};

static bool find_family_column(struct smi_text t, struct smi_query_column *c)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t front = strlen(families[i].front), key = strlen(families[i].key);
        struct smi_text rest = {t.p + front, t.n - front};
        if (!smi_text_starts_nocase(t, families[i].front))
            continue;
        if (families[i].throttle && smi_text_is_nocase(rest, "active")) {
            c->kind = SMI_COL_MASK;
            c->what = SMI_THROTTLE_FIRST;
            return c->known = true;
        }
        for (int m = 0; m < SMI_METRIC_COUNT; m++) {
            if (strncmp(smi_metrics[m].key, families[i].key, key) ||
                !smi_text_is_nocase(rest, smi_metrics[m].key + key))
                continue;
            *c = (struct smi_query_column){families[i].kind, (uint16_t)m, true, false, true};
            return true;
        }
    }
    return false;
}

/* Field names are letters, digits, points and underscores, and do not end in a point: prose may begin like
 * one. */
static bool is_field_name(struct smi_text t)
{
    for (size_t i = 0; i < t.n; i++) {
        char c = t.p[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '.' &&
            c != '_')
            return false;
    }
    return t.n > 0 && t.p[t.n - 1] != '.';
}

void smi_column_query(struct smi_text header, struct smi_query_column *c)
{
    const char *bracket = memchr(header.p, '[', header.n);
    if (bracket)
        header.n = (size_t)(bracket - header.p);
    header = smi_text_trim(header);
    *c = (struct smi_query_column){SMI_COL_SKIP, 0, false, false, false};
    for (size_t i = is_field_name(header) ? 0 : MEASURING; i < MEASURING; i++)
        c->measures |= smi_text_starts_nocase(header, measuring[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names && header.n; i++) {
        if (!smi_text_is_nocase(header, names[i].text))
            continue;
        c->kind = names[i].kind;
        c->what = names[i].what;
        c->known = true;
        return;
    }
    if (find_family_column(header, c))
        return;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        c->known |= smi_text_is_nocase(header, silent[i]);
    for (size_t i = 0; is_field_name(header) && i < sizeof kin / sizeof *kin; i++)
        c->kin |= smi_text_starts_nocase(header, kin[i]);
}

int smi_column_dmon(struct smi_text name)
{
    static const struct {
        const char *text;
        int metric;
    } dmon[] = {{"pwr", SMI_POWER},
                {"temp", SMI_TEMP_GPU},
                {"gtemp", SMI_TEMP_GPU},
                {"mtemp", SMI_TEMP_MEM},
                {"sm", SMI_GPU_UTIL},
                {"mem", SMI_MEM_UTIL},
                {"enc", SMI_ENC_UTIL},
                {"dec", SMI_DEC_UTIL},
                {"jpg", SMI_JPG_UTIL},
                {"ofa", SMI_OFA_UTIL},
                {"mclk", SMI_CLK_MEM},
                {"pclk", SMI_CLK_SM},
                {"pviol", SMI_POWER_VIOL},
                {"tviol", SMI_THERMAL_VIOL},
                {"fb", SMI_FB_USED},
                {"bar1", SMI_BAR1_USED},
                {"ccpm", SMI_CCPM_USED},
                {"sbecc", SMI_ECC_CORR_AGG},
                {"dbecc", SMI_ECC_UNCORR_AGG},
                {"pci", SMI_PCIE_REPLAY},
                {"rxpci", SMI_PCIE_RX},
                {"txpci", SMI_PCIE_TX}};
    for (size_t i = 0; i < sizeof dmon / sizeof *dmon; i++)
        if (smi_text_is(name, dmon[i].text))
            return dmon[i].metric;
    return -1;
}

bool smi_cell_missing(struct smi_text cell)
{
    if (cell.n == 0 || (cell.n == 1 && cell.p[0] == '-'))
        return true;
    if (cell.p[0] == '[' && cell.p[cell.n - 1] == ']')
        return true;
    return smi_text_is_nocase(cell, "N/A") || smi_text_is_nocase(cell, "ERR!") ||
           smi_text_is_nocase(cell, "Unknown Error") || smi_text_is_nocase(cell, "Unknown") ||
           smi_text_is_nocase(cell, "Not Supported");
}

bool smi_cell_fault(struct smi_text cell)
{
    static const char *const never[] = {"[N/A]",
                                        "N/A",
                                        "-",
                                        "[Not Supported]",
                                        "Not Supported",
                                        "[Requested functionality has been deprecated]",
                                        "[Function Not Found]",
                                        "[Insufficient Permissions]",
                                        "[Not Found]",
                                        "[]"};
    if (cell.n == 0 || !smi_cell_missing(cell))
        return false;
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (smi_text_is_nocase(cell, never[i]))
            return false;
    return true;
}

bool smi_cell_model(struct smi_text cell)
{
    static const char *const makes[] = {"nvidia", "tesla",    "geforce", "quadro", "titan", "rtx",  "gtx",
                                        "amd",    "instinct", "radeon",  "intel",  "a100",  "h100", "h200",
                                        "b200",   "v100",     "mi1",     "mi2",    "mi3"};
    size_t n;
    while (cell.n && (cell.p[cell.n - 1] == ']' || cell.p[cell.n - 1] == ')'))
        cell.n--;
    n = cell.n;
    while (n && cell.p[n - 1] >= '0' && cell.p[n - 1] <= '9')
        n--;
    if (n < cell.n && cell.n - n < 3 && n &&
        (strchr(" -_:#.[(/", cell.p[n - 1]) ||
         (n > 2 && smi_text_is_nocase((struct smi_text){cell.p + n - 3, 3}, "gpu"))))
        return false;
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        if (smi_text_starts_nocase(cell, makes[i]))
            return n > strlen(makes[i]) || cell.n - n > 2 || n == cell.n;
    return false;
}

enum smi_cell_status smi_cell_number(unsigned metric, struct smi_text cell, int64_t *v)
{
    const char *unit = smi_metrics[metric].unit, *blank;
    int rc = smi_text_parse_micro(cell, v);
    if (rc < 0) {
        blank = memchr(cell.p, ' ', cell.n);
        if (blank && *unit) {
            struct smi_text number = {cell.p, (size_t)(blank - cell.p)};
            struct smi_text rest = smi_text_trim((struct smi_text){blank, cell.n - number.n});
            if (smi_text_is(rest, unit))
                rc = smi_text_parse_micro(number, v);
        }
        if (rc < 0)
            return smi_cell_missing(cell) ? SMI_CELL_MISSING : SMI_CELL_BAD;
    }
    return rc > 0 || !smi_reading_fits(metric, *v) ? SMI_CELL_RANGE : SMI_CELL_OK;
}

int64_t smi_cell_digits(struct smi_text t, size_t most)
{
    int64_t v = 0;
    if (t.n == 0 || t.n > most)
        return -1;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] < '0' || t.p[i] > '9')
            return -1;
        v = v * 10 + (t.p[i] - '0');
    }
    return v;
}

int smi_cell_mask(struct smi_text cell, uint64_t *mask)
{
    uint64_t v = 0;
    if (cell.n < 3 || cell.n > 18 || cell.p[0] != '0' || (cell.p[1] | 32) != 'x')
        return -1;
    for (size_t i = 2; i < cell.n; i++) {
        char c = (char)(cell.p[i] | 32);
        if (c >= '0' && c <= '9')
            v = v << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            v = v << 4 | (uint64_t)(c - 'a' + 10);
        else
            return -1;
    }
    *mask = v;
    return 0;
}
