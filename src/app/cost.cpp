#include "app/cost.h"

#include "app/label_query.h"
#include "model/selector.h"

namespace etiage::app {
namespace {

/// Rows by key; those that `--namespace` or `--selector` leave out are not listed.
std::vector<ledger::BreakdownRow> rows_of(const Reading& reading, const std::vector<ledger::Dimension>& by,
                                          const ReadOptions& options, const LabelSelector& selector) {
  if (options.ns.empty() && options.selector.empty())
    return ledger::breakdown(reading.evidence, reading.ledger, by, reading.borne);
  const auto wanted = [&](const PodLife& pod) {
    return (options.ns.empty() || pod.ns == options.ns) && matches(selector, pod.labels);
  };
  return ledger::breakdown(reading.evidence, reading.ledger, by, reading.borne, wanted);
}

}  // namespace

Result<void> check_keys(const std::string& by, const std::string& compare) {
  if (const auto keys = ledger::parse_dimensions(by); !keys) return std::unexpected(keys.error());
  if (const auto window = parse_window(compare); !window) return std::unexpected(window.error());
  return {};
}

Result<render::Cost> cost_by(const ReadOptions& options, const std::string& by, const std::string& compare) {
  const auto dimensions = ledger::parse_dimensions(by);
  if (!dimensions) return std::unexpected(dimensions.error());
  const auto selector = parse_label_query(options.selector);
  if (!selector) return std::unexpected(selector.error());
  auto inputs = load_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  const auto now = settle(*inputs, options, options.window);
  if (!now) return std::unexpected(now.error());
  render::Cost out{now->evidence.window, now->ledger.currency, now->ledger.bill};
  for (const auto& d : *dimensions) out.by.push_back(d.name());
  out.rows = rows_of(*now, *dimensions, options, *selector);
  if (compare.empty()) return out;
  const auto then = settle(*inputs, options, compare);
  if (!then) return std::unexpected(then.error());
  out.compared = then->evidence.window;
  for (const auto& row : rows_of(*then, *dimensions, options, *selector))
    out.before[row.key] += row.unit.cost;
  return out;
}

}  // namespace etiage::app
