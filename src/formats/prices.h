#pragma once
// A user's price list, YAML or CSV, to a PriceBook. Shapes:
//
//   name,hourly            or  instanceType,hourly  or  card,hourly      (one of the three, or several
//   columns with one cell filled) gpu-node-1,98.32       more columns: currency, from, to, purchase, source,
//   date
//
//   currency: EUR
//   source: frame contract                 # of every row that names none; so too `date`
//   prices:
//   - instanceType: p5.48xlarge            # or name, or card (all-in, for each physical card)
//     hourly: 55.04                        # or onDemand, spot, reserved: one row each
//     from: 2026-06-01T00:00:00Z           # until then, or without it, an earlier row holds
//   - name: rack-7
//     onPrem: {price: 250000, months: 48, watts: 10200, perKwh: 0.28, pue: 1.3}
//   instanceTypes: {g6.xlarge: 0.8048}     # short for rows; so too nodes, cards
//   components: {gpu: 2.5, cpu: 0.03, memory: 0.004}
//   split: {gpu: 0.95, cpu: 0.03, memory: 0.02}

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "model/prices.h"

namespace etiage::formats {

/// Rows with a fault are left out and named (error severity, code `bad-price`); a caller that must not go on
/// with half a list looks for errors. `file` is for messages and the rows' sources.
PriceBook read_prices(std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace etiage::formats
