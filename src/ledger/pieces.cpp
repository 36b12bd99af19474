#include "ledger/pieces.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace etiage::ledger {
namespace {

using Key = std::pair<Bucket, PodId>;

/// Divides each leaf of a cell among the entries that made it.
void add_cell(std::vector<Piece>& out, const Cell& cell, const NodePrice& price,
              const std::vector<Entry>& entries, const PieceFilter& wanted) {
  std::map<Key, std::vector<const Entry*>> by_leaf;
  for (const Entry& e : entries)
    if (e.amount > 0) by_leaf[{e.bucket, e.pod}].push_back(&e);
  for (const Leaf& leaf : cell.leaves) {
    const auto& made_by = by_leaf[{leaf.bucket, leaf.pod}];
    std::vector<long double> weights;
    for (const Entry* e : made_by) weights.push_back(e->amount);
    const auto parts = split(leaf.amount, weights);
    for (std::size_t i = 0; i < made_by.size(); ++i)
      if (wanted(cell.node, *made_by[i]))
        out.push_back({cell.span, cell.node, *made_by[i], parts[i], price.hourly, price.source});
  }
}

/// Shares of CPU and memory are quotients of sums: the same request is not the same double in every hour.
bool same(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

bool continues(const Piece& a, const Piece& b) {
  return a.span.end == b.span.start && a.node == b.node && a.entry.bucket == b.entry.bucket &&
         a.entry.pod == b.entry.pod && a.entry.holding == b.entry.holding &&
         same(a.entry.share, b.entry.share) && a.entry.u.has_value() == b.entry.u.has_value() &&
         same(a.entry.u.value_or(0), b.entry.u.value_or(0)) && a.entry.signal == b.entry.signal &&
         a.entry.grade == b.entry.grade && a.hourly == b.hourly && a.price_source == b.price_source;
}

std::vector<Piece> joined(const std::vector<Piece>& all) {
  std::vector<Piece> out;
  std::map<std::tuple<NodeId, Bucket, PodId, HoldingId>, std::size_t> last;
  for (const Piece& p : all) {
    const auto key = std::tuple(p.node, p.entry.bucket, p.entry.pod, p.entry.holding);
    const auto it = last.find(key);
    if (it != last.end() && continues(out[it->second], p)) {
      out[it->second].span.end = p.span.end;
      out[it->second].amount += p.amount;
      out[it->second].entry.seconds += p.entry.seconds;
      continue;
    }
    last[key] = out.size();
    out.push_back(p);
  }
  return out;
}

}  // namespace

std::vector<Piece> pieces(const Evidence& evidence, const Ledger& ledger, const PriceBook& book,
                          const PieceFilter& wanted) {
  const auto tenants = NodeBook::tenants_of(evidence);
  const auto works = NodeBook::work_ranges(evidence);
  const auto resources = resources_by_node(evidence);
  std::vector<Piece> out;
  for (auto cell = ledger.cells.begin(); cell != ledger.cells.end();) {
    const NodeId id = cell->node;
    const NodeLife& node = evidence.nodes[id.index()];
    const NodeBook entries(evidence, id, tenants[id.index()], works, resources[id.index()]);
    for (; cell != ledger.cells.end() && cell->node == id; ++cell) {
      const auto price = price_of(book, priced_node(node), cell->span.start);
      if (!price) continue;
      std::vector<Entry> made;
      entries.book(cell->span, split_of(book, *price, node.cards, node.cores, node.memory),
                   static_cast<long double>(price->hourly.pico) / 1e6L / 3600,
                   [&](const Entry& e) { made.push_back(e); });
      add_cell(out, *cell, *price, made, wanted);
    }
  }
  return joined(out);
}

}  // namespace etiage::ledger
