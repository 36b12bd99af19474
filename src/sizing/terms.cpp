#include "sizing/terms.h"

#include <fmt/format.h>

namespace etiage::sizing {

std::vector<std::string> term_columns() {
  std::vector<std::string> columns{"key.model", "key.engine",    "key.version",
                                   "key.card",  "key.precision", "key.split"};
  for (std::size_t i = 0; i < serving::kBasis; ++i)
    columns.push_back(fmt::format("basis.{}", serving::basis_name(i)));
  for (std::size_t i = 0; i < serving::kTerms; ++i)
    columns.push_back(fmt::format("tpot.{}", serving::to_string(static_cast<serving::Term>(i))));
  for (std::size_t i = 0; i < serving::kFirstTerms; ++i)
    columns.push_back(fmt::format("ttft.{}", serving::to_string(static_cast<serving::FirstTerm>(i))));
  return columns;
}

void add_terms(std::vector<std::string>& cells, const Question& q, const Answer& a) {
  const auto scheme = serving::quantization_scheme(q.quantization, q.model).value();
  const auto keys = serving::run_keys(q.model, scheme, q.device, a.split, q.settings.engine);
  cells.insert(cells.end(), {keys.model, keys.engine, keys.version, keys.card, keys.precision, keys.split});
  const auto work = served(q, scheme, a.split, a.memory);
  for (const double v : serving::basis_of(work)) cells.push_back(fmt::format("{:.9g}", v));
  for (const double v : serving::token_terms(q.model, scheme, q.device, a.split, timed_kv(q, scheme), work))
    cells.push_back(fmt::format("{:.9g}", v));
  for (const double v : serving::first_token_terms(q.model, scheme, q.device, a.split, work, 1,
                                                   q.work->concurrency - work.concurrency))
    cells.push_back(fmt::format("{:.9g}", v));
}

}  // namespace etiage::sizing
