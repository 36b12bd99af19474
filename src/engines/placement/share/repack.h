#pragma once
// Repacking: the fewest moves of running pods after which pending ones find a place, or after which nodes are
// empty. A move stops a pod where it is and starts it where there is room at that moment, so the steps can be
// carried out one after the other.

#include <optional>
#include <variant>
#include <vector>

#include "engines/placement/share/cluster.h"

namespace etiage::placement {

struct RunningPod {
  std::uint32_t pod_class = 0, node = 0;
  DeviceSet devices = 0;
};

struct RunningCluster {
  std::vector<NodeState> nodes;  ///< what is left of them beside the running pods
  std::vector<PodClass> classes;
  std::vector<RunningPod> running;
};

/// A running pod goes to another place, on another node or on another device of its own.
struct Move {
  std::uint32_t running = 0;
  RunningPod from, to;
};
/// A pending pod starts.
struct Start {
  std::uint32_t pending = 0;
  RunningPod at;
};
using RepackStep = std::variant<Move, Start>;

struct RepackLimits {
  int moves = 3;                ///< for one pending pod, or for emptying one node beside its own pods
  int all_moves = 100;          ///< of the whole plan
  std::int64_t tries = 50'000;  ///< partial plans looked at for one pending pod, or for one node
};

struct RepackPlan {
  std::vector<RepackStep> steps;
  std::vector<std::uint32_t> without_place;  ///< pending pods for which no plan was found
  std::vector<std::uint32_t> freed;          ///< nodes that are empty afterwards and were not
  int moves = 0;
  int lower_bound = 0;         ///< no plan for the same pods or nodes has fewer moves
  bool nothing_missed = true;  ///< false: the search was cut short where it found nothing
  RunningCluster after;

  bool proven_fewest() const { return moves == lower_bound; }
};

/// Room for the pending pods (classes), the largest first; each takes the fewest moves that the search finds.
RepackPlan make_room(RunningCluster cluster, const std::vector<std::uint32_t>& pending,
                     const RepackLimits& limits = {});

/// Empties up to `count` nodes that have GPUs, those with the fewest pods first, without touching empty ones.
RepackPlan free_nodes(RunningCluster cluster, std::size_t count, const RepackLimits& limits = {});

/// A floor of the pods that have to leave `node` before `pod` fits; nothing where it would not fit on the
/// empty node. `there`: the running pods of the node.
std::optional<int> leaves_at_least(const NodeState& node, const PodClass& pod,
                                   const std::vector<RunningPod>& there,
                                   const std::vector<PodClass>& classes);

}  // namespace etiage::placement
