#include "summary/waste.h"

enum { HELD_ROWS = 20 /* of a GPU: fewer would show one level by chance */ };

bool smi_vram_held(const struct smi_summary *s)
{
    int64_t most = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        most = s->gpus[i].samples > most ? s->gpus[i].samples : most;
    return s->vram.reserved && most >= HELD_ROWS;
}

bool smi_waste_known(struct smi_value wasted, struct smi_value idle_pct, const struct smi_waste *w)
{
    return wasted.has && (idle_pct.has || smi_wasted_ms(w) > 0);
}

int64_t smi_gpu_energy_ms(const struct smi_gpu *gpu)
{
    const int64_t ms = gpu->energy_covered_s.micro / 1000;
    return ms < gpu->covered_ms ? ms : gpu->covered_ms;
}

bool smi_gpu_energy_is_part(const struct smi_gpu *gpu)
{
    return gpu->energy_coverage_pct.has && gpu->energy_coverage_pct.micro < 99000000;
}

bool smi_gpu_unused(const struct smi_gpu *gpu)
{
    return !gpu->pooled && !gpu->worked && gpu->known_ms > 0;
}

int64_t smi_waste_part(const struct smi_waste *w, int cause)
{
    return w->ms[cause];
}

int64_t smi_wasted_ms(const struct smi_waste *w)
{
    int64_t all = 0;
    for (int i = 0; i < SMI_WASTE_CAUSES; i++)
        all += w->ms[i];
    return all;
}

int64_t smi_gpu_unknown_ms(const struct smi_summary *s, const struct smi_gpu *gpu)
{
    int64_t part[5], ms = gpu->covered_ms - gpu->known_ms, left = gpu->covered_ms;
    smi_gpu_waste(s, gpu, part);
    for (int id = 0; id < 5; id++)
        left -= part[id];
    ms = ms < left ? ms : left;
    return ms > 0 ? ms : 0;
}

int64_t smi_unknown_ms(const struct smi_summary *s)
{
    int64_t all = 0;
    for (size_t i = 0; i < s->ngpus; i++)
        all += smi_gpu_unknown_ms(s, &s->gpus[i]);
    return all;
}

int64_t smi_unknown_all_ms(const struct smi_summary *runs, size_t n)
{
    int64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += smi_unknown_ms(&runs[i]);
    return all;
}
