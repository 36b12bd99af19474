// GPU nodes that one small pod keeps up: nothing else is on them, and no autoscaler may take them away.

#include <algorithm>
#include <fmt/format.h>

#include "explain/waste/nodes.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

// Small: an eighth of the cards and a quarter of the rest of the node.
constexpr double kSmallCards = 1.0 / 8, kSmallRest = 1.0 / 4;

bool is_pinned(const Bill& bill, NodeId id, const Occupancy& on) {
  const NodeLife& node = bill.evidence.nodes[id.index()];
  if (on.holders.empty() && on.others.empty()) return false;
  if (on.holders.size() > 1 || on.held > kSmallCards * node.cards) return false;
  return on.cores <= kSmallRest * node.cores &&
         on.memory <= kSmallRest * static_cast<double>(node.memory.count);
}

/// Keeps the pod off GPU nodes, as lines of its template.
std::vector<std::string> keep_off(const Subject& w) {
  return {
      fmt::format("kubectl -n {} patch {}/{} --type merge -p '{{\"spec\":{{\"template\":{{\"spec\":"
                  "{{\"affinity\":{{\"nodeAffinity\":{{\"requiredDuringSchedulingIgnoredDuringExecution\":"
                  "{{\"nodeSelectorTerms\":[{{\"matchExpressions\":[{{\"key\":\"nvidia.com/gpu.present\","
                  "\"operator\":\"DoesNotExist\"}}]}}]}}}}}}}}}}}}}}'",
                  w.ns, w.kind, w.name)};
}

struct Pinned {
  Finding finding;
  std::vector<PodId> by;
  double seconds = 0, card_seconds = 0;
};

Pinned pinned(Bill& bill, NodeId id) {
  Pinned out{.finding = {.subject = node_subject(bill.evidence, id),
                         .owner = owner_of(bill.evidence.nodes[id.index()])},
             .by = {}};
  const auto shares = ledger::free_shares(bill.evidence, id, bill.tenants[id.index()]);
  const auto [first, end] = bill.cells_of(id);
  for (std::uint32_t c = first; c < end; ++c) {
    const Window span = bill.ledger.cells[c].span;
    const Occupancy on = occupancy(bill, id, span);
    if (!is_pinned(bill, id, on)) continue;
    for (const auto bucket :
         {ledger::Bucket::kUnallocated, ledger::Bucket::kStranded, ledger::Bucket::kCpuMemoryIdle})
      if (const auto leaf = bill.nobodys(c, bucket)) bill.claim(*leaf, out.finding);
    const FreeTime free = free_time(shares, span);
    out.seconds += span.length().as_seconds();
    out.card_seconds += free.unallocated + free.stranded;
    for (const auto* list : {&on.holders, &on.others})
      for (PodId pod : *list)
        if (std::ranges::find(out.by, pod) == out.by.end()) out.by.push_back(pod);
  }
  return out;
}

}  // namespace

Findings pinned_nodes(const Search& search) {
  Findings out;
  const Evidence& evidence = search.bill.evidence;
  for (std::uint32_t n = 0; n < evidence.nodes.size(); ++n) {
    const NodeLife& node = evidence.nodes[n];
    if (node.cards == 0 || node.cores <= 0 || node.cordoned || !knows_what_is_free(search.bill, {n}))
      continue;
    Pinned p = pinned(search.bill, {n});
    Finding& f = p.finding;
    if (p.seconds < 3600 || f.claims.empty()) continue;
    f.since = last_stretch(search.bill, f.claims);
    f.confidence = saw_free_devices(search.bill, {n}) ? Confidence::kHigh : Confidence::kMedium;
    f.evidence.push_back(free_proof(search.bill, {n}, p.card_seconds, p.seconds));
    for (const auto& pods : by_workload(evidence, p.by)) {
      const PodLife& pod = evidence.pods[pods.front().index()];
      const bool gpu = pod.devices.count > 0;
      const Subject w = workload_of(evidence, pods.front());
      f.evidence.push_back({fmt::format("{}/{} stays on it and asks for {:.3g} cores{}", pod.ns, pod.name,
                                        pod.cores, gpu ? " and one device" : " and no GPU"),
                            pod.cores, fmt::format("{} {}/{}", w.kind, w.ns, w.name)});
      if (!gpu && w.kind != "Pod")
        for (std::string& line : keep_off(w)) f.fix.push_back(std::move(line));
    }
    for (std::string& line : release_commands(node)) f.fix.push_back(std::move(line));
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
