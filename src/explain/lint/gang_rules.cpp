// Gangs that can never come together: more pods than an empty cluster, or the queue, has room for.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "explain/lint/scheduling_rules.h"

namespace etiage::explain {
namespace {

using placement::Amounts;

/// How many such pods fit into the amounts; what those do not name is without limit for a queue, and absent
/// on a node.
std::int64_t pods_in(const Amounts& room, const Amounts& pod, bool unnamed_is_free) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [resource, amount] : pod) {
    if (amount <= 0 || (unnamed_is_free && !room.contains(resource))) continue;
    constexpr double kTolerance = 1e-9;
    least = std::min(least, std::floor(placement::amount_of(room, resource) / amount + kTolerance));
  }
  constexpr double kMany = 1e9;
  return static_cast<std::int64_t>(std::min(least, kMany));
}

}  // namespace

void lint_gangs(const LintInput& input, Diagnostics& out) {
  for (const LintGang& gang : input.gangs) {
    std::int64_t room = 0;
    for (const Amounts& node : input.node_amounts) room += pods_in(node, gang.pod, false);
    if (!input.node_amounts.empty() && room < gang.min_member)
      out.push_back({Severity::kError, "gang-larger-than-cluster", gang.place,
                     fmt::format("{} starts {} pods at once, and all nodes, empty, have room for {} of them",
                                 gang.name, gang.min_member, room),
                     "fewer or smaller pods, or more nodes"});
    if (!gang.queue_limit) continue;
    const std::int64_t allowed = pods_in(*gang.queue_limit, gang.pod, true);
    if (allowed < gang.min_member)
      out.push_back({Severity::kError, "gang-larger-than-queue", gang.place,
                     fmt::format("{} starts {} pods at once, and the limit of queue {} admits {} of them",
                                 gang.name, gang.min_member, gang.queue, allowed),
                     "fewer or smaller pods, or a higher limit of the queue"});
  }
}

}  // namespace etiage::explain
