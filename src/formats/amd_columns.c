#include "formats/amd_columns.h"

#include <string.h>

#define NUMBER(text, metric)                                   \
    {                                                          \
        text, SMI_COL_NUMBER, SMI_##metric, SMI_AMD_AS_PRINTED \
    }

/* amd-smi monitor: today's names, and behind them those of 24.x and of the older tool for Windows and guests.
 * Its "MB" are bytes // 2^20. Errors are counted since the driver was loaded. */
static const struct smi_alias monitor_names[] = {
    NUMBER("power_usage", POWER),
    NUMBER("max_power", POWER_LIMIT),
    NUMBER("hotspot_temperature", TEMP_JUNCTION),
    NUMBER("memory_temperature", TEMP_MEM),
    NUMBER("gfx_clk", CLK_GR),
    NUMBER("gfx_clock", CLK_GR),
    NUMBER("gfx_cur_clk", CLK_GR),
    NUMBER("gfx", GPU_UTIL),
    NUMBER("gfx_util", GPU_UTIL),
    NUMBER("gfx_usage", GPU_UTIL),
    NUMBER("mem", MEM_UTIL),
    NUMBER("mem_util", MEM_UTIL),
    NUMBER("mem_usage", MEM_UTIL),
    NUMBER("mem_clock", CLK_MEM),
    NUMBER("mem_cur_clk", CLK_MEM),
    NUMBER("encoder", ENC_UTIL),
    NUMBER("encoder_util", ENC_UTIL),
    NUMBER("decoder", DEC_UTIL),
    NUMBER("decoder_util", DEC_UTIL),
    NUMBER("vclock", CLK_VID),
    NUMBER("vclk", CLK_VID),
    NUMBER("encoder_clock", CLK_VID),
    NUMBER("dclock", CLK_DEC),
    NUMBER("dclk", CLK_DEC),
    NUMBER("decoder_clock", CLK_DEC),
    NUMBER("single_bit_ecc", ECC_CORR_VOL),
    NUMBER("total_correctable_count", ECC_CORR_VOL),
    NUMBER("double_bit_ecc", ECC_UNCORR_VOL),
    NUMBER("total_uncorrectable_count", ECC_UNCORR_VOL),
    NUMBER("pcie_replay", PCIE_REPLAY),
    NUMBER("vram_used", FB_USED),
    NUMBER("fb_used", FB_USED),
    NUMBER("vram_free", FB_FREE),
    NUMBER("vram_total", FB_TOTAL),
    NUMBER("fb_total", FB_TOTAL),
    NUMBER("vram_percent", FB_USED_PCT),
    NUMBER("pcie_bw", PCIE_BW),
    NUMBER("pviol", POWER_VIOL),
    NUMBER("tviol", THERMAL_VIOL_PCT),
    NUMBER("phot_tviol", PROCHOT_VIOL),
    NUMBER("vr_tviol", VR_VIOL),
    NUMBER("hbm_tviol", HBM_VIOL),
};

/* amd-smi metric: of chips with several dies the clocks of the first. */
static const struct smi_alias metric_names[] = {
    NUMBER("gfx_activity", GPU_UTIL),
    NUMBER("umc_activity", MEM_UTIL),
    NUMBER("socket_power", POWER),
    NUMBER("gfx_voltage", VOLT_GFX),
    NUMBER("soc_voltage", VOLT_SOC),
    NUMBER("mem_voltage", VOLT_MEM),
    NUMBER("gfx_0_clk", CLK_GR),
    NUMBER("gfx_0_max_clk", CLK_MAX_GR),
    NUMBER("mem_0_clk", CLK_MEM),
    NUMBER("mem_0_max_clk", CLK_MAX_MEM),
    NUMBER("vclk_0_clk", CLK_VID),
    NUMBER("dclk_0_clk", CLK_DEC),
    NUMBER("fclk_0_clk", CLK_FABRIC),
    NUMBER("socclk_0_clk", CLK_SOC),
    NUMBER("edge", TEMP_GPU),
    NUMBER("hotspot", TEMP_JUNCTION),
    NUMBER("mem", TEMP_MEM),
    NUMBER("total_energy_consumption", ENERGY),
    NUMBER("used_vram", FB_USED),
    NUMBER("total_vram", FB_TOTAL),
    NUMBER("free_vram", FB_FREE),
    NUMBER("total_correctable_count", ECC_CORR_VOL),
    NUMBER("total_uncorrectable_count", ECC_UNCORR_VOL),
    NUMBER("replay_count", PCIE_REPLAY),
    NUMBER("ppt_violation_activity", POWER_VIOL),
    NUMBER("socket_thermal_violation_activity", THERMAL_VIOL_PCT),
    NUMBER("prochot_violation_activity", PROCHOT_VIOL),
    NUMBER("vr_thermal_violation_activity", VR_VIOL),
    NUMBER("hbm_thermal_violation_activity", HBM_VIOL),
};

/* amd-smi process. Not its mem_usage, which was in MiB once, and is of all kinds of memory. */
static const struct smi_alias process_names[] = {
    {"vram_mem", SMI_COL_NUMBER, SMI_FB_USED, SMI_AMD_BYTES},
};

/* rocm-smi: labels of its text output, which are its JSON keys and CSV names too. "GPU memory use" is how
 * full the memory is, not how busy. */
static const struct smi_alias rocm_names[] = {
    NUMBER("GPU use (%)", GPU_UTIL),
    NUMBER("GPU Memory Read/Write Activity (%)", MEM_UTIL),
    NUMBER("GPU Memory Allocated (VRAM%)", FB_USED_PCT),
    NUMBER("GPU memory use (%)", FB_USED_PCT),
    {"VRAM Total Used Memory (B)", SMI_COL_NUMBER, SMI_FB_USED, SMI_AMD_BYTES},
    {"VRAM Total Memory (B)", SMI_COL_NUMBER, SMI_FB_TOTAL, SMI_AMD_BYTES},
    NUMBER("Power (W)", POWER),
    NUMBER("Max Graphics Package Power (W)", POWER_LIMIT),
    NUMBER("Temperature (Sensor edge) (C)", TEMP_GPU),
    NUMBER("Temperature (Sensor junction) (C)", TEMP_JUNCTION),
    NUMBER("Temperature (Sensor memory) (C)", TEMP_MEM),
    NUMBER("Temperature (Sensor mem) (C)", TEMP_MEM),
    NUMBER("Fan Speed (%)", FAN),
    NUMBER("Voltage (mV)", VOLT_GFX),
    NUMBER("PCIe Replay Count", PCIE_REPLAY),
    {"Accumulated Energy (uJ)", SMI_COL_NUMBER, SMI_ENERGY, SMI_AMD_MICRO},
    {"sclk clock speed", SMI_COL_NUMBER, SMI_CLK_GR, SMI_AMD_CLOCK},
    {"mclk clock speed", SMI_COL_NUMBER, SMI_CLK_MEM, SMI_AMD_CLOCK},
    {"fclk clock speed", SMI_COL_NUMBER, SMI_CLK_FABRIC, SMI_AMD_CLOCK},
    {"socclk clock speed", SMI_COL_NUMBER, SMI_CLK_SOC, SMI_AMD_CLOCK},
    {"Unique ID", SMI_COL_KEY, SMI_DEVICE_KEY_UUID, SMI_AMD_AS_PRINTED},
    {"PCI Bus", SMI_COL_KEY, SMI_DEVICE_KEY_BUS, SMI_AMD_AS_PRINTED},
    {"Serial Number", SMI_COL_KEY, SMI_DEVICE_KEY_SERIAL, SMI_AMD_AS_PRINTED},
    {"Device Name", SMI_COL_NAME, 0, SMI_AMD_AS_PRINTED},
    {"Card series", SMI_COL_NAME, 0, SMI_AMD_AS_PRINTED},
};

/* rocm-smi's labels that are known and not read: texts, and counters without a unit. */
static const char *const silent[] = {"Card model",
                                     "Card vendor",
                                     "Card SKU",
                                     "Subsystem ID",
                                     "Device Rev",
                                     "Device ID",
                                     "Node ID",
                                     "GUID",
                                     "GFX Version",
                                     "GPU ID",
                                     "VBIOS version",
                                     "GFX Activity",
                                     "Memory Activity",
                                     "Avg. Memory Bandwidth",
                                     "Energy counter",
                                     "Performance Level",
                                     NULL};

#define FIND(list, name) smi_alias_find(list, sizeof(list) / sizeof *(list), name)

const struct smi_alias *smi_amd_alias(enum smi_amd_table table, struct smi_text name)
{
    if (table == SMI_AMD_METRIC)
        return FIND(metric_names, name);
    return table == SMI_AMD_PROCESS ? FIND(process_names, name) : FIND(monitor_names, name);
}

enum smi_amd_table smi_amd_table_of_name(struct smi_text name)
{
    static const struct {
        const char *text;
        enum smi_amd_table table;
    } words[] = {
        {"socket_power", SMI_AMD_METRIC}, {"gfx_activity", SMI_AMD_METRIC},
        {"umc_activity", SMI_AMD_METRIC}, {"gfx_0_clk", SMI_AMD_METRIC},
        {"hotspot", SMI_AMD_METRIC},      {"total_energy_consumption", SMI_AMD_METRIC},
        {"used_vram", SMI_AMD_METRIC},    {"total_vram", SMI_AMD_METRIC},
        {"power_usage", SMI_AMD_MONITOR}, {"hotspot_temperature", SMI_AMD_MONITOR},
        {"gfx", SMI_AMD_MONITOR},         {"gfx_clk", SMI_AMD_MONITOR},
        {"gfx_util", SMI_AMD_MONITOR},    {"gfx_usage", SMI_AMD_MONITOR},
        {"mem_usage", SMI_AMD_MONITOR},   {"vram_used", SMI_AMD_MONITOR},
        {"vram_mem", SMI_AMD_PROCESS},    {"process_info", SMI_AMD_PROCESS},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (smi_text_is_nocase(name, words[i].text))
            return words[i].table;
    return SMI_AMD_NONE;
}

/* "Current Socket Graphics Package Power (W)", "Average ...": the words in front depend on the chip. */
static bool is_power(struct smi_text label)
{
    static const char tail[] = "Graphics Package Power (W)";
    size_t n = sizeof tail - 1;
    return label.n > n && smi_text_is_nocase((struct smi_text){label.p + label.n - n, n}, tail);
}

const struct smi_alias *smi_rocm_alias(struct smi_text label)
{
    static const struct smi_alias power = NUMBER("", POWER), unread = {"", SMI_COL_SKIP, 0, 0};
    const struct smi_alias *a;
    label = smi_text_trim(label);
    if (label.n && label.p[label.n - 1] == ':') /* "sclk clock speed:" */
        label.n--;
    a = FIND(rocm_names, label);
    if (!a && is_power(label))
        a = &power;
    for (size_t i = 0; silent[i] && !a; i++)
        a = smi_text_is_nocase(label, silent[i]) ? &unread : NULL;
    return a;
}

/* ---- cells ---- */

bool smi_amd_missing(struct smi_text cell)
{
    return smi_cell_missing(cell) || smi_text_starts_nocase(cell, "N/A") || smi_text_is_nocase(cell, "None");
}

enum { DIGITS = 24, DECIMALS = 9 };

/* t / divisor in millionths, half to even, exactly: counters of bytes and uJ do not fit int64 millionths. */
static enum smi_cell_status read_scaled_number(struct smi_text t, int64_t divisor, int64_t *v)
{
    const smi_i128 most = INT64_MAX;
    smi_i128 digits = 0, unit = divisor;
    size_t point = t.n;
    if (t.n == 0 || t.n > DIGITS || *t.p == '.' || t.p[t.n - 1] == '.')
        return SMI_CELL_BAD;
    for (size_t i = 0; i < t.n; i++) {
        if (t.p[i] == '.' && point == t.n) {
            point = i;
        } else if (t.p[i] >= '0' && t.p[i] <= '9' && (i < point || i - point <= DECIMALS)) {
            digits = digits * 10 + (t.p[i] - '0');
            unit *= i > point ? 10 : 1;
        } else {
            return SMI_CELL_BAD;
        }
    }
    if (digits > most * unit / 1000000)
        return SMI_CELL_RANGE;
    *v = (int64_t)smi_i128_div(digits * 1000000, unit);
    return SMI_CELL_OK;
}

/* "(808Mhz)" -> "808" */
static struct smi_text without_mhz(struct smi_text t)
{
    if (t.n > 2 && *t.p == '(' && t.p[t.n - 1] == ')')
        t = (struct smi_text){t.p + 1, t.n - 2};
    if (t.n > 3 && smi_text_is_nocase((struct smi_text){t.p + t.n - 3, 3}, "MHz"))
        t.n -= 3;
    return smi_text_trim(t);
}

enum smi_cell_status smi_amd_cell(unsigned metric, enum smi_amd_scale scale, struct smi_text cell, int64_t *v)
{
    enum smi_cell_status what;
    if (smi_amd_missing(cell))
        return SMI_CELL_MISSING;
    if (scale == SMI_AMD_BYTES || scale == SMI_AMD_MICRO) {
        what = read_scaled_number(cell, scale == SMI_AMD_BYTES ? 1 << 20 : 1000000, v);
        return what == SMI_CELL_OK && !smi_reading_fits(metric, *v) ? SMI_CELL_RANGE : what;
    }
    what = smi_cell_number(metric, scale == SMI_AMD_CLOCK ? without_mhz(cell) : cell, v);
    return what == SMI_CELL_RANGE && *v < 0 && strcmp(smi_metrics[metric].unit, "%") == 0 ? SMI_CELL_BAD
                                                                                          : what;
}

enum smi_cell_status smi_amd_row_cell(struct smi_row_reader *r, const struct smi_row_column *c,
                                      struct smi_text t, int64_t *v)
{
    (void)r;
    return smi_amd_cell(c->what, (enum smi_amd_scale)c->how, t, v);
}
