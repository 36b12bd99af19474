#include "app/cost.h"

#include <algorithm>
#include <cctype>

#include "app/label_query.h"
#include "model/selector.h"

namespace etiage::app {
namespace {

bool by_tenant(const std::vector<ledger::Dimension>& by) {
  return std::ranges::find(by, ledger::Dimension::Kind::kTenant, &ledger::Dimension::kind) != by.end();
}

/// Rows by key; those that `--namespace` or `--selector` leave out are not listed.
ledger::TenantBill rows_of(const Reading& reading, const std::vector<ledger::Dimension>& by,
                           const ReadOptions& options, const LabelSelector& selector) {
  ledger::PodFilter wanted;
  if (!options.ns.empty() || !options.selector.empty())
    wanted = [&](const PodLife& pod) {
      return (options.ns.empty() || pod.ns == options.ns) && matches(selector, pod.labels);
    };
  if (by_tenant(by))
    return ledger::divide_by_tenants(reading.evidence, reading.ledger, by, reading.borne, wanted);
  return {ledger::breakdown(reading.evidence, reading.ledger, by, reading.borne, wanted), {}};
}

/// What the checks say of gateways, and whether there is any.
std::vector<std::string> gateway_notes(const Reading& reading) {
  std::vector<std::string> out;
  if (reading.evidence.gateway_models.empty())
    out.push_back(
        "No row of a gateway's log and no litellm_* counter among the inputs speaks of this window: all is "
        "unattributed.");
  for (const Check& c : reading.checks) {
    if (!c.id.starts_with("gateway-")) continue;
    std::string note = c.message + ": " + c.effect + ".";
    note[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(note[0])));
    out.push_back(note);
  }
  return out;
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
  out.diagnostics = now->diagnostics;
  auto bill = rows_of(*now, *dimensions, options, *selector);
  out.rows = std::move(bill.rows);
  if (by_tenant(*dimensions)) {
    out.tenant_models = std::move(bill.models);
    out.notes = gateway_notes(*now);
    std::ranges::copy_if(now->evidence.gateway_models, std::back_inserter(out.unmatched),
                         [](const GatewayModel& m) { return !m.model.valid(); });
  }
  if (compare.empty()) return out;
  const auto then = settle(*inputs, options, compare);
  if (!then) return std::unexpected(then.error());
  out.compared = then->evidence.window;
  for (const auto& row : rows_of(*then, *dimensions, options, *selector).rows)
    out.before[row.key] += row.unit.cost;
  return out;
}

}  // namespace etiage::app
