#include "explain/waste/bill.h"

#include <algorithm>

#include "ledger/booking.h"

namespace etiage::explain {

Bill::Bill(const Evidence& evidence, const ledger::Ledger& ledger,
           std::span<const ClusterAutoscaler> autoscalers)
    : evidence(evidence),
      ledger(ledger),
      autoscalers(autoscalers),
      tenants(ledger::NodeBook::tenants_of(evidence)),
      by_pod_(evidence.pods.size()),
      by_node_(evidence.nodes.size()) {
  for (std::uint32_t c = 0; c < ledger.cells.size(); ++c) {
    const ledger::Cell& cell = ledger.cells[c];
    auto& range = by_node_[cell.node.index()];
    if (range.first == range.second) range.first = c;
    range.second = c + 1;
    offset_.push_back(left_.size());
    for (std::uint32_t l = 0; l < cell.leaves.size(); ++l) {
      left_.push_back(cell.leaves[l].amount);
      if (cell.leaves[l].pod.valid()) by_pod_[cell.leaves[l].pod.index()].push_back({c, l});
    }
  }
}

std::optional<LeafRef> Bill::nobodys(std::uint32_t cell, ledger::Bucket bucket) const {
  const auto& leaves = ledger.cells[cell].leaves;
  for (std::uint32_t l = 0; l < leaves.size(); ++l)
    if (leaves[l].bucket == bucket && !leaves[l].pod.valid()) return LeafRef{cell, l};
  return {};
}

void Bill::claim(LeafRef at, Money wanted, Finding& finding) {
  Money& left = left_[offset_[at.cell] + at.leaf];
  const Money taken = std::min(left, wanted);
  if (taken.micro <= 0) return;
  left -= taken;
  finding.amount += taken;
  finding.claims.push_back({at.cell, at.leaf, taken});
}

Money portion(Money amount, double part, double whole) {
  if (whole <= 0 || part <= 0) return {};
  if (part >= whole) return amount;
  return {static_cast<std::int64_t>(static_cast<long double>(amount.micro) * part / whole)};
}

void claim_difference(Bill& bill, PodId pod, double spared, Finding& finding) {
  Money busy;
  const auto leaves = bill.of_pod(pod);
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const auto bucket = bill.leaf(leaves[i]).bucket;
    if (bucket == ledger::Bucket::kBusy) busy = bill.leaf(leaves[i]).amount;
    if (bucket != ledger::Bucket::kHeldIdle) continue;
    const bool same = i > 0 && leaves[i - 1].cell == leaves[i].cell;
    const Money whole = bill.leaf(leaves[i]).amount + (same ? busy : Money{});
    bill.claim(leaves[i], portion(whole, spared, 1), finding);
  }
}

Instant last_stretch(const Bill& bill, std::span<const Claim> claims) {
  std::vector<Window> spans;
  for (const Claim& c : claims) spans.push_back(bill.ledger.cells[c.cell].span);
  std::ranges::sort(spans, {}, &Window::end);
  if (spans.empty()) return bill.evidence.window.start;
  Instant start = spans.back().start;
  for (auto it = spans.rbegin(); it != spans.rend(); ++it) {
    if (it->end < start) break;
    start = std::min(start, it->start);
  }
  return start;
}

}  // namespace etiage::explain
