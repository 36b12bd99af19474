#include "engines/placement/kube/node_book.h"

#include <algorithm>

#include "engines/placement/kube/messages.h"

namespace etiage::placement {
namespace {

double in_units(ResourceIndex resource, std::int64_t amount) {
  constexpr double kMilli = 1000;
  return resource == kCpu ? static_cast<double>(amount) / kMilli : static_cast<double>(amount);
}

}  // namespace

Result<NodeBook> NodeBook::make(SchedulingInput input) {
  auto profile = resolve_profile(SchedulerProfile{});
  if (!profile) return std::unexpected(profile.error());
  auto snapshot = Snapshot::make(std::move(input));
  if (!snapshot) return std::unexpected(snapshot.error());
  return NodeBook(std::move(*snapshot), std::move(*profile));
}

bool NodeBook::waits(PodIndex pod) const {
  const Pod& p = snapshot_.pod(pod);
  return !runs(pod) && p.spec.node_name.empty() && p.status.phase != "Succeeded" &&
         p.status.phase != "Failed" && !p.meta.deleted && p.spec.scheduling_gates.empty();
}

Amounts NodeBook::named(const std::vector<std::int64_t>& by_resource) const {
  Amounts out;
  for (ResourceIndex r = 0; r < by_resource.size(); ++r)
    if (by_resource[r] != 0) out[snapshot_.resources().name(r)] = in_units(r, by_resource[r]);
  return out;
}

Amounts NodeBook::requests(PodIndex pod) const {
  Amounts out;
  for (const auto& [r, amount] : snapshot_.shape_of(pod).requests)
    if (amount > 0) out[snapshot_.resources().name(r)] = in_units(r, amount);
  return out;
}

Amounts NodeBook::allocatable(NodeIndex node) const {
  return named(snapshot_.nodes()[node].allocatable);
}

Amounts NodeBook::requested(NodeIndex node) const {
  return named(snapshot_.nodes()[node].requested);
}

Amounts NodeBook::total() const {
  Amounts out;
  for (const NodeInfo& node : snapshot_.nodes()) add(out, named(node.allocatable));
  return out;
}

std::vector<double> NodeBook::scores(PodIndex pod, const std::vector<NodeIndex>& nodes,
                                     const Profile& profile) {
  const ScoreTable table = score_nodes(snapshot_, profile, pod, nullptr, nodes);
  return {table.total.begin(), table.total.end()};
}

NodeChoice NodeBook::place(PodIndex pod, const Scores& scores, Refusals* known) {
  NodeChoice out;
  if (snapshot_.nodes().empty()) {
    out.message = "no nodes available to schedule pods";
    return out;
  }
  const FilterState filters(snapshot_, profile_, pod);
  std::vector<NodeIndex> fitting;
  Refusals own, &refused = known ? *known : own;
  for (const NodeIndex n : snapshot_.by_name()) {
    if (refused.contains(n)) continue;
    auto refusal = filters.refused_everywhere();
    if (!refusal && filters.leaves_out(n))
      refusal = Refusal{Plugin::kNodeAffinity, {"node(s) didn't match Pod's node affinity/selector"}, true};
    if (!refusal) refusal = filters.check(snapshot_.nodes()[n]);
    if (refusal)
      refused.emplace(n, std::move(*refusal));
    else
      fitting.push_back(n);
  }
  if (fitting.empty()) {
    out.message = no_node_message(snapshot_.nodes().size(), refused);
    return out;
  }
  const std::vector<double> points = scores(pod, fitting);
  const double highest = *std::ranges::max_element(points);
  for (std::size_t i = 0; i < fitting.size(); ++i)
    if (points[i] == highest) out.best.push_back(fitting[i]);
  out.node = out.best.front();
  snapshot_.bind(pod, out.node);
  return out;
}

}  // namespace etiage::placement
