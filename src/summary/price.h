/* price.h - what GPU-hours, energy and its CO2 cost, as the user says (docs/numbers.md §11): no price is
 * built in.
 */
#ifndef SMI_SUMMARY_PRICE_H
#define SMI_SUMMARY_PRICE_H

#include "base/text.h"
#include "summary/summary.h"

enum { SMI_PRICES_MAX = 64, SMI_PRICE_TOP = 1000000 /* the largest price: of a GPU-hour, of a kWh */ };

struct smi_price {
    struct smi_text model; /* part of a GPU's name, any case; empty: GPUs that no other row names */
    int64_t micro;         /* of an hour, millionths */
};

/* Zero-initialise: no price at all. */
struct smi_prices {
    struct smi_price gpu[SMI_PRICES_MAX];
    size_t n;
    bool has_kwh, has_co2;
    int64_t kwh, gco2; /* of a kWh: price and grams of CO2, millionths */
};

/* Is it a word such as EUR, of at most 8 letters or signs? Returns 0, or -1 with err. */
int smi_currency_check(const char *word, struct smi_err *err);
/* Adds the prices of a list, "2.49" or "H100=2.49,A100=1.19,1.5"; its text is borrowed. Returns 0, or -1 with
 * err SMI_EUSAGE, which begins with opt. */
int smi_prices_read(struct smi_prices *p, const char *opt, const char *list, struct smi_err *err);
/* Reads the price of a kWh, or its CO2. The same returns. */
int smi_price_number(int64_t *micro, const char *opt, const char *text, struct smi_err *err);

/* What of a cost is for GPU-hours that were not wasted, and for energy; no value where it is not known, or
 * there is no such price. */
void smi_price_split(const struct smi_money *m, struct smi_value *gpu, struct smi_value *energy);

/* Does the row name this model? It is a part of the GPU's name (NULL: not known), in any case. */
bool smi_price_names(const struct smi_price *row, const char *name);
/* The price of an hour of a GPU with this name (NULL: not known); no value if the list has none. p may be
 * NULL. */
struct smi_value smi_price_of(const struct smi_prices *p, const char *name);
/* Fills money, cost, wasted_cost and co2_g of s, which has GPUs with their prices, state, waste and energy. p
 * may be NULL. */
void smi_price_run(struct smi_summary *s, const struct smi_prices *p);
/* Adds a run to a sum over runs; fills the values of the sum. */
void smi_price_add(struct smi_total *t, const struct smi_summary *s);
void smi_price_total(struct smi_total *t);
/* What gpu_ms of GPU time cost in this run: at the price of a GPU, or (NULL) at the mean of all. */
struct smi_value smi_price_time(const struct smi_summary *s, const struct smi_gpu *gpu, int64_t gpu_ms);

#endif
