#include "app/lint_gangs.h"

#include <algorithm>
#include <map>

#include "app/queued_groups.h"
#include "app/schedule.h"

namespace etiage::app {
namespace {

using placement::Amounts;
using placement::NodeBook;
using Limits = std::map<std::string, Amounts>;

Limits volcano_limits(const std::vector<LocatedObject>& objects, Diagnostics& known) {
  Limits out;
  for (const auto& q : read_volcano_queues(objects, known))
    if (q.capability) out[q.name] = amounts_of(*q.capability);
  return out;
}

/// Of the queue itself, by the names that pods use.
Limits kai_limits(const std::vector<LocatedObject>& objects) {
  constexpr std::array<const char*, placement::kai::kResources> kAsked = {"nvidia.com/gpu", "cpu", "memory"};
  constexpr double kMilli = 1000;
  Limits out;
  for (const auto& q : read_kai_queues(objects))
    for (std::size_t r = 0; r < kAsked.size(); ++r) {
      const double most = q.limit[r] == 0 ? std::max(q.quota[r], 0.0) : q.limit[r];
      if (q.limit[r] >= 0) out[q.name][kAsked[r]] = r == 1 ? most / kMilli : most;
    }
  return out;
}

/// What each pod asks for; nothing where they differ.
std::optional<Amounts> same_requests(const NodeBook& nodes, const std::vector<placement::PodIndex>& pods) {
  Amounts first = nodes.requests(pods.front());
  for (const placement::PodIndex p : pods)
    if (nodes.requests(p) != first) return {};
  return first;
}

void add_gang(const NodeBook& nodes, const std::string& name, std::int32_t min_member,
              const std::vector<placement::PodIndex>& members, const std::string& queue, const Limits& limits,
              explain::LintInput& into) {
  if (members.empty() || min_member < 2) return;
  const auto pod = same_requests(nodes, members);
  if (!pod) return;
  const auto limit = limits.find(queue);
  into.gangs.push_back({.name = name,
                        .place = nodes.snapshot().pod(members.front()).meta.place,
                        .min_member = min_member,
                        .pod = *pod,
                        .queue = queue,
                        .queue_limit = limit == limits.end() ? std::optional<Amounts>{} : limit->second});
}

}  // namespace

void read_gangs(const std::vector<LocatedObject>& objects, explain::LintInput& into) {
  Diagnostics known;  // said by those that read the objects before
  placement::SchedulingInput input = read_scheduling_input(objects, known);
  for (Pod& pod : input.pods) pod.spec.priority_class.clear();  // a missing class is not this rule's matter
  const auto groups = input.pod_groups;
  const auto nodes = NodeBook::make(std::move(input));
  if (!nodes) return;
  for (const placement::NodeIndex n : nodes->snapshot().by_name())
    into.node_amounts.push_back(nodes->allocatable(n));
  for (const placement::PodGroup& g : groups)
    add_gang(*nodes, "PodGroup " + g.ns + "/" + g.name, g.min_count.value_or(1), g.members, "", {}, into);
  for (const auto scheduler : {QueueScheduler::kVolcano, QueueScheduler::kKai}) {
    const Limits limits =
        scheduler == QueueScheduler::kVolcano ? volcano_limits(objects, known) : kai_limits(objects);
    for (const placement::QueuedGroup& g : read_queued_groups(objects, {}, scheduler, known))
      add_gang(*nodes, "PodGroup " + g.ns + "/" + g.name, g.min_member, g.members, g.queue, limits, into);
  }
}

}  // namespace etiage::app
