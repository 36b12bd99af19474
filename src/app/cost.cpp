#include "app/cost.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>

#include "app/next_steps.h"

namespace etiage::app {
namespace {

bool by_tenant(const std::vector<ledger::Dimension>& by) {
  return std::ranges::find(by, ledger::Dimension::Kind::kTenant, &ledger::Dimension::kind) != by.end();
}

/// Rows by key, of the wanted pods.
ledger::TenantBill rows_of(const Reading& reading, const std::vector<ledger::Dimension>& by,
                           const ledger::PodFilter& wanted) {
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

bool lacks_data(const Reading& reading) {
  return std::ranges::find(reading.checks, "window-without-data", &Check::id) != reading.checks.end();
}

/// Rows that the window before had and this one has not: they cost nothing now.
void add_gone(render::Cost& cost) {
  std::set<render::CostKey> known;
  for (const auto& row : cost.rows) known.emplace(row.unattributed, row.key);
  for (const auto& [key, amount] : cost.before)
    if (!known.contains(key)) {
      ledger::BreakdownRow gone;
      std::tie(gone.unattributed, gone.key) = key;
      cost.rows.push_back(std::move(gone));
    }
}

}  // namespace

Result<void> check_keys(const std::string& by, const std::string& compare) {
  const auto keys = ledger::parse_dimensions(by);
  if (!keys) return std::unexpected(keys.error());
  using Kind = ledger::Dimension::Kind;
  if (!compare.empty() &&
      std::ranges::any_of(*keys, [](const auto& d) { return d.kind == Kind::kHour || d.kind == Kind::kDay; }))
    return failure("hours and days of two windows never meet", {},
                   "leave hour and day out of --by to compare");
  if (const auto window = parse_window(compare); !window) return std::unexpected(window.error());
  return {};
}

Result<render::Cost> cost_by(const ReadOptions& options, const std::string& by, const std::string& compare) {
  const auto dimensions = ledger::parse_dimensions(by);
  if (!dimensions) return std::unexpected(dimensions.error());
  const auto wanted = listed_pods(options);
  if (!wanted) return std::unexpected(wanted.error());
  auto inputs = load_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  const auto now = settle(*inputs, options, options.window);
  if (!now) return std::unexpected(now.error());
  render::Cost out{now->evidence.window, now->ledger.currency, now->ledger.bill};
  for (const auto& d : *dimensions) out.by.push_back(d.name());
  out.diagnostics = now->diagnostics;
  auto bill = rows_of(*now, *dimensions, *wanted);
  out.rows = std::move(bill.rows);
  if (by_tenant(*dimensions)) {
    out.tenant_models = std::move(bill.models);
    out.notes = gateway_notes(*now);
    std::ranges::copy_if(now->evidence.gateway_models, std::back_inserter(out.unmatched),
                         [](const GatewayModel& m) { return !m.model.valid(); });
  }
  out.listed = listed_in_words(now->evidence, options);
  out.next = next_after_cost(out, options);
  for (const Check& c : now->checks)
    if (c.severity == Severity::kError && !c.id.starts_with("input-"))
      out.notes.push_back("Error: " + c.message + ".");
  if (compare.empty()) return out;
  const auto then = settle(*inputs, options, compare);
  if (!then) return std::unexpected(then.error());
  if (then->evidence.window.empty() || lacks_data(*then))
    return failure("nothing to compare with: the window " + compare + " has no samples", {},
                   "the data reach from " + to_string(now->evidence.window.start) + " to " +
                       to_string(now->evidence.window.end));
  out.compared = then->evidence.window;
  for (const auto& row : rows_of(*then, *dimensions, *wanted).rows)
    out.before[{row.unattributed, row.key}] += row.unit.cost;
  add_gone(out);
  return out;
}

}  // namespace etiage::app
