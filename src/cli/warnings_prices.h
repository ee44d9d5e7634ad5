/* warnings_prices.h - prices of models that no GPU has, and GPUs that have no price. */
#ifndef SMI_CLI_WARNINGS_PRICES_H
#define SMI_CLI_WARNINGS_PRICES_H

#include "base/buf.h"
#include "summary/price.h"
#include "sweep/sweep.h"

/* Appends a warning for each model in p that no GPU of the sweep has in its name, with what GPUs there are,
 * and one for the GPUs without a price; to->failed says that memory ran out. */
void smi_warn_prices(struct smi_buf *to, const struct smi_sweep *s, const struct smi_prices *p);

#endif
