// GPU nodes without a taint, and pods without a GPU on them: they take the cores that the cards need.

#include <algorithm>
#include <fmt/format.h>

#include "base/counted.h"
#include "explain/waste/nodes.h"
#include "explain/waste/seekers.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {
namespace {

bool is_open(const NodeLife& node) {
  return node.cards > 0 && node.taints_known && std::ranges::none_of(node.taints, [](const Taint& t) {
           return t.effect != TaintEffect::kPreferNoSchedule;
         });
}

/// Cards that are cut off for want of cores or memory, and would not be without the strangers.
struct CutOff {
  double stranded = 0;  ///< card-seconds, of all causes
  double by_strangers = 0;
};

/// At the beginning of each stretch of free shares all that is there is known; nothing changes inside.
CutOff cut_off(const Bill& bill, NodeId id, const std::vector<ledger::FreeShare>& shares, Window span) {
  const Evidence& evidence = bill.evidence;
  const NodeLife& node = evidence.nodes[id.index()];
  CutOff out;
  for (const ledger::FreeShare& f : shares) {
    const Window both = overlap(f.span, span);
    if (both.empty() || f.stranded <= 0) continue;
    double cores = node.cores, memory = static_cast<double>(node.memory.count), theirs = 0, their_memory = 0;
    for (PodId p : bill.tenants[id.index()].pods) {
      const PodLife& pod = evidence.pods[p.index()];
      if (!pod.life.contains(both.start)) continue;
      cores -= pod.cores, memory -= static_cast<double>(pod.memory.count);
      if (pod.devices.count == 0 && !belongs_to_node(pod, node))
        theirs += pod.cores, their_memory += static_cast<double>(pod.memory.count);
    }
    double rest = 0;
    for (const CardRest& r : node.rests) rest += r.stranded;
    const double card_seconds = f.stranded * both.length().as_seconds();
    out.stranded += card_seconds;
    const bool full = cores <= 1e-9 || memory <= 0;
    if (full && cores + theirs > 1e-9 && memory + their_memory > 0)
      out.by_strangers += std::max(0.0, f.stranded - rest) * both.length().as_seconds();
  }
  return out;
}

struct Open {
  Finding finding;
  std::vector<PodId> strangers;
  double cut_off = 0;  ///< card-seconds
};

Open opened(Bill& bill, NodeId id) {
  Open out{.finding = {.subject = node_subject(bill.evidence, id),
                       .owner = owner_of(bill.evidence.nodes[id.index()])},
           .strangers = {}};
  const auto shares = ledger::free_shares(bill.evidence, id, bill.tenants[id.index()]);
  const auto [first, end] = bill.cells_of(id);
  for (std::uint32_t c = first; c < end; ++c) {
    const ledger::Cell& cell = bill.ledger.cells[c];
    const Occupancy on = occupancy(bill, id, cell.span);
    if (on.others.empty()) continue;
    for (std::uint32_t l = 0; l < cell.leaves.size(); ++l) {
      const ledger::Leaf& leaf = cell.leaves[l];
      if (leaf.bucket == ledger::Bucket::kCpuMemory && leaf.pod.valid() &&
          std::ranges::find(on.others, leaf.pod) != on.others.end())
        bill.claim({c, l}, out.finding);
    }
    if (const auto stranded = bill.nobodys(c, ledger::Bucket::kStranded)) {
      const CutOff cut = cut_off(bill, id, shares, cell.span);
      bill.claim(*stranded, portion(bill.leaf(*stranded).amount, cut.by_strangers, cut.stranded),
                 out.finding);
      out.cut_off += cut.by_strangers;
    }
    for (PodId pod : on.others)
      if (std::ranges::find(out.strangers, pod) == out.strangers.end()) out.strangers.push_back(pod);
  }
  return out;
}

std::string names(const Evidence& evidence, const std::vector<std::vector<PodId>>& workloads) {
  std::string out;
  for (std::size_t i = 0; i < workloads.size() && i < 3; ++i) {
    const Subject w = workload_of(evidence, workloads[i].front());
    out += (i > 0 ? ", " : "") + w.ns + "/" + w.name;
  }
  return workloads.size() > 3 ? out + fmt::format(" and {} more", workloads.size() - 3) : out;
}

}  // namespace

Findings open_nodes(const Search& search) {
  Findings out;
  const Evidence& evidence = search.bill.evidence;
  for (std::uint32_t n = 0; n < evidence.nodes.size(); ++n) {
    const NodeLife& node = evidence.nodes[n];
    if (!is_open(node)) continue;
    Open o = opened(search.bill, {n});
    Finding& f = o.finding;
    if (f.claims.empty()) continue;
    double cores = 0;
    for (PodId pod : o.strangers) cores += evidence.pods[pod.index()].cores;
    f.since = last_stretch(search.bill, f.claims);
    f.pods = o.strangers;
    f.confidence = o.cut_off > 0 ? Confidence::kHigh : Confidence::kMedium;
    f.evidence.push_back({fmt::format("no taint keeps pods without a GPU off its {}: {}",
                                      counted(static_cast<std::size_t>(node.cards), "card"),
                                      names(evidence, by_workload(evidence, o.strangers))),
                          cores, "Node " + node.name + ", spec.taints"});
    if (o.cut_off > 0)
      f.evidence.push_back(
          {fmt::format("they hold the cores or memory that {:.1f} card-hours needed", o.cut_off / 3600),
           o.cut_off / 3600, "requests of its pods against its allocatable"});
    f.fix = {fmt::format("kubectl taint nodes {} nvidia.com/gpu=present:NoSchedule", node.name)};
    const auto strangers = by_workload(evidence, o.strangers);
    for (std::size_t i = 0; i < strangers.size() && i < 3; ++i) {
      const Subject w = workload_of(evidence, strangers[i].front());
      if (w.kind == "Deployment" || w.kind == "StatefulSet")
        f.fix.push_back(fmt::format("kubectl -n {} rollout restart {}/{}", w.ns, w.kind, w.name));
    }
    out.push_back(std::move(f));
  }
  return out;
}

}  // namespace etiage::explain
