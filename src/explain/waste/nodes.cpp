#include "explain/waste/nodes.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "base/counted.h"
#include "explain/waste/subjects.h"

namespace etiage::explain {

Occupancy occupancy(const Bill& bill, NodeId id, Window span) {
  const Evidence& evidence = bill.evidence;
  const NodeLife& node = evidence.nodes[id.index()];
  Occupancy out;
  std::vector<PodId> holding;
  for (HoldingId h : bill.tenants[id.index()].holdings) {
    const Holding& holding_of = evidence.holdings[h.index()];
    if (overlap(holding_of.time, span).empty()) continue;
    out.held += holding_of.share;
    holding.push_back(holding_of.pod);
  }
  for (PodId p : bill.tenants[id.index()].pods) {
    const PodLife& pod = evidence.pods[p.index()];
    if (overlap(pod.life, span).empty() || belongs_to_node(pod, node)) continue;
    const bool holds = std::ranges::find(holding, p) != holding.end();
    (holds ? out.holders : out.others).push_back(p);
    out.cores += pod.cores;
    out.memory += static_cast<double>(pod.memory.count);
  }
  return out;
}

bool knows_what_is_free(const Bill& bill, NodeId id) {
  const Evidence& evidence = bill.evidence;
  for (const DeviceLife& d : evidence.devices)
    if (d.node == id && d.free_busy_seconds > 0.01 * d.free_seconds) return false;
  return std::ranges::any_of(evidence.pods, [&](const PodLife& pod) {
    return pod.cluster == evidence.nodes[id.index()].cluster && pod.devices.count > 0;
  });
}

bool saw_free_devices(const Bill& bill, NodeId id) {
  return std::ranges::any_of(bill.evidence.devices,
                             [&](const DeviceLife& d) { return d.node == id && d.free_seconds > 0; });
}

FreeTime free_time(const std::vector<ledger::FreeShare>& shares, Window span) {
  FreeTime out;
  for (const ledger::FreeShare& f : shares) {
    const double seconds = overlap(f.span, span).length().as_seconds();
    out.unallocated += f.unallocated * seconds, out.stranded += f.stranded * seconds;
  }
  return out;
}

Proof free_proof(const Bill& bill, NodeId id, double card_seconds, double seconds) {
  const NodeLife& node = bill.evidence.nodes[id.index()];
  const bool seen = saw_free_devices(bill, id);
  return {fmt::format("{:.3g} of {} free for {}{}", seconds > 0 ? card_seconds / seconds : 0,
                      counted(static_cast<std::size_t>(node.cards), "card"), hours_text(seconds),
                      seen ? ", and their gauges idle" : ""),
          card_seconds / 3600,
          seen ? fmt::format("DCGM rows of {} without a pod, and the requests of its pods", node.name)
               : fmt::format("allocatable devices of {} less what its pods request", node.name)};
}

std::string demand_of(const Bill& bill, NodeId id) {
  std::map<std::string, std::int64_t> held;
  for (HoldingId h : bill.tenants[id.index()].holdings) {
    const Holding& holding = bill.evidence.holdings[h.index()];
    if (!holding.device.valid() || holding.time.end < bill.evidence.window.end) continue;
    const std::string& profile = bill.evidence.devices[holding.device.index()].profile;
    if (!profile.empty()) held[profile] += 1;
  }
  std::string out;
  for (const auto& [profile, count] : held)
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", profile, count);
  return out;
}

}  // namespace etiage::explain
