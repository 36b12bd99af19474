// Cards that are paid for and nobody holds: whole nodes, and the rest of nodes that somebody is on.

#include <fmt/format.h>

#include "explain/waste/nodes.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// Less is the coming and going of every cluster.
constexpr double kLeastSeconds = 3600;

struct Free {
  Finding finding;
  double seconds = 0, card_seconds = 0;
};

/// Claims what nobody holds in the hours in which no device of the node was held (`empty`) or some were.
Free claim_free(Bill& bill, NodeId id, bool empty) {
  Free out{.finding = {.subject = node_subject(bill.evidence, id),
                       .owner = owner_of(bill.evidence.nodes[id.index()])}};
  const auto shares = ledger::free_shares(bill.evidence, id, bill.tenants[id.index()]);
  const auto [first, end] = bill.cells_of(id);
  for (std::uint32_t c = first; c < end; ++c) {
    const Window span = bill.ledger.cells[c].span;
    const Occupancy on = occupancy(bill, id, span);
    if (empty != (on.held <= 0)) continue;
    const std::size_t before = out.finding.claims.size();
    if (const auto leaf = bill.nobodys(c, ledger::Bucket::kUnallocated)) bill.claim(*leaf, out.finding);
    if (empty) {
      if (const auto leaf = bill.nobodys(c, ledger::Bucket::kStranded)) bill.claim(*leaf, out.finding);
      if (const auto leaf = bill.nobodys(c, ledger::Bucket::kCpuMemoryIdle); leaf && on.others.empty())
        bill.claim(*leaf, out.finding);
    }
    if (out.finding.claims.size() == before) continue;
    const FreeTime free = free_time(shares, span);
    out.seconds += span.length().as_seconds();
    out.card_seconds += free.unallocated + (empty ? free.stranded : 0);
  }
  return out;
}

std::vector<std::string> packing(const Bill& bill, NodeId id) {
  const NodeLife& node = bill.evidence.nodes[id.index()];
  if (const std::string demand = demand_of(bill, id); !demand.empty())
    return {fmt::format("etiage mig pack --card {} --demand {}  # fewer cards for the same instances",
                        node.card, demand)};
  return {
      "apiVersion: kubescheduler.config.k8s.io/v1",
      "kind: KubeSchedulerConfiguration",
      "profiles:",
      "- schedulerName: gpu-packing",
      "  pluginConfig:",
      "  - name: NodeResourcesFit",
      "    args: {scoringStrategy: {type: MostAllocated, resources: [{name: nvidia.com/gpu, weight: 1}]}}"};
}

Findings find(const Search& search, bool empty) {
  Findings out;
  Bill& bill = search.bill;
  for (std::uint32_t n = 0; n < bill.evidence.nodes.size(); ++n) {
    const NodeLife& node = bill.evidence.nodes[n];
    if (node.cards == 0 || !knows_what_is_free(bill, {n})) continue;
    Free free = claim_free(bill, {n}, empty);
    Finding& f = free.finding;
    if (free.seconds < kLeastSeconds || free.card_seconds <= 0) continue;
    f.since = last_stretch(bill, f.claims);
    f.confidence = saw_free_devices(bill, {n}) ? Confidence::kHigh : Confidence::kMedium;
    f.evidence = {free_proof(bill, {n}, free.card_seconds, free.seconds)};
    f.fix = empty ? release_commands(node) : packing(bill, {n});
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace

Findings unallocated_nodes(const Search& search) {
  return find(search, true);
}

Findings unallocated_gpus(const Search& search) {
  return find(search, false);
}

}  // namespace etiage::explain
