#pragma once
// Groups of pods that wait in the queues of Volcano or KAI, and what became of them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/instant.h"
#include "engines/placement/amounts.h"
#include "engines/placement/kube/node_book.h"

namespace etiage::placement {

struct QueuedGroup {
  std::string ns, name, queue;
  std::int32_t min_member = 1;
  std::int32_t priority = 0;
  std::optional<Instant> created;
  std::optional<Amounts> min_resources;  ///< Volcano: what the gate `enqueue` asks for
  std::string phase;                     ///< Volcano: Pending or nothing until it is past the gate
  std::map<std::string, std::int32_t, std::less<>> min_by_role;  ///< Volcano: minTaskMember
  bool alone = false;       ///< a pod that names no group: the scheduler makes one for it
  bool preemptible = true;  ///< KAI
  std::vector<PodIndex> members;
};

struct PlacedPod {
  PodIndex pod = 0;
  NodeChoice choice;
};

struct GroupOutcome {
  std::size_t group = 0;        ///< position in the input
  std::string reason;           ///< why it waits, or why a part of it does; empty: all of it is placed
  std::vector<PlacedPod> pods;  ///< that found a node in this cycle, in the order in which they did
  std::vector<std::string> reclaims_from = {};  ///< queues that would have to give, where reclaim is on
};

/// What a cycle did to a group of which `waited` pods waited; `givers` is asked only where some still do.
template <class Givers>
GroupOutcome outcome_of(std::size_t group, std::int32_t waited, const std::string& reason,
                        const std::vector<PlacedPod>& placed, Givers&& givers) {
  GroupOutcome out{.group = group, .reason = "", .pods = placed};
  if (static_cast<std::int32_t>(placed.size()) == waited) return out;
  out.reason = reason;
  out.reclaims_from = givers(group);
  return out;
}

}  // namespace etiage::placement
