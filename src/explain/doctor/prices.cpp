#include "explain/doctor/prices.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/ascii.h"
#include "base/counted.h"

namespace etiage::explain {
namespace {

// Beyond these a price of one card's hour is a slip of a decimal, a currency or a period.
constexpr double kLeastPerCard = 0.02, kMostPerCard = 60;

std::string shown(const PriceRow& row) {
  std::string out = fmt::format("{} {} at {}", to_string(row.kind), row.key, to_string(row.hourly));
  return row.source.empty() ? out : out + " (" + row.source + ")";
}

std::vector<Check> unpriced(const Evidence& evidence, const ledger::Ledger& ledger) {
  std::vector<std::string> none, assumed;
  for (std::size_t i = 0; i < evidence.nodes.size(); ++i) {
    const auto& account = ledger.nodes[i];
    if (!account.hourly || account.unpriced.ns > 0)
      none.push_back(evidence.nodes[i].name);
    else if (account.price_grade == Grade::kAssumed)
      assumed.push_back(evidence.nodes[i].name);
  }
  std::vector<Check> out;
  if (!none.empty())
    out.push_back({"unpriced-nodes", Severity::kError,
                   counted(none.size(), "node has no price", "nodes have no price"),
                   "they are outside the bill", "give --prices with their instanceType, name or card", none});
  if (!assumed.empty())
    out.push_back({"catalogue-prices", Severity::kWarning,
                   counted(assumed.size(), "node is", "nodes are") + " priced from the built-in catalogue",
                   "their money is `assumed`", "give --prices with what you pay", assumed});
  return out;
}

/// Rows of one key that are valid at one time and ask different prices.
std::vector<std::string> disagreements(const PriceBook& given) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < given.rows.size(); ++i)
    for (std::size_t j = i + 1; j < given.rows.size(); ++j) {
      const PriceRow &a = given.rows[i], &b = given.rows[j];
      if (a.key == b.key && a.kind == b.kind && a.purchase == b.purchase && a.hourly != b.hourly &&
          !overlap(a.valid, b.valid).empty())
        out.insert(shown(a) + " against " + shown(b));
    }
  return {out.begin(), out.end()};
}

/// A row of that key priced no node at any time: it names nothing that is there.
bool names_something(const PriceRow& row, const Evidence& evidence) {
  return std::ranges::any_of(evidence.nodes, [&](const NodeLife& n) {
    return same_word(row.key, n.name) || same_word(row.key, n.instance_type) || same_word(row.key, n.card) ||
           (row.kind == PriceKey::kCard && n.cards > 0);
  });
}

std::vector<std::string> odd_prices(const Evidence& evidence, const ledger::Ledger& ledger) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < evidence.nodes.size(); ++i) {
    const auto& account = ledger.nodes[i];
    if (!account.hourly || evidence.nodes[i].cards == 0) continue;
    const double card = account.hourly->units() / evidence.nodes[i].cards;
    if (card < kLeastPerCard || card > kMostPerCard)
      out.push_back(fmt::format("{}: {} an hour for {}", evidence.nodes[i].name, to_string(*account.hourly),
                                counted(static_cast<std::size_t>(evidence.nodes[i].cards), "card")));
  }
  return out;
}

}  // namespace

std::vector<Check> price_checks(const Evidence& evidence, const ledger::Ledger& ledger,
                                const PriceBook& given) {
  std::vector<Check> out = unpriced(evidence, ledger);
  const bool lacking = !out.empty();
  if (auto rows = disagreements(given); !rows.empty())
    out.push_back({"prices-disagree", Severity::kWarning, "price rows of the same key and time disagree",
                   "the later row counts", "keep one of them, or give each its `from` and `to`",
                   std::move(rows)});
  std::vector<std::string> unused;
  for (const PriceRow& row : given.rows)
    if (!names_something(row, evidence)) unused.push_back(shown(row));
  if (!unused.empty() && !evidence.nodes.empty())
    out.push_back(
        {"price-rows-unused", lacking ? Severity::kWarning : Severity::kInfo,
         counted(unused.size(), "price row names", "price rows name") +
             " no node, instance type or card that is there",
         lacking ? "nodes may lack a price for want of a right name" : "none: they price nothing",
         "kubectl get nodes -L node.kubernetes.io/instance-type,nvidia.com/gpu.product  # the names "
         "that rows must have",
         std::move(unused)});
  if (auto odd = odd_prices(evidence, ledger); !odd.empty())
    out.push_back({"prices-odd", Severity::kWarning, "prices that no card has",
                   "the whole bill is off by the same factor",
                   "prices are of a node (or card) and an hour, in units of the currency", std::move(odd)});
  return out;
}

}  // namespace etiage::explain
