#pragma once
// The board of the repacking search: a cluster on which steps are made and taken back.

#include "engines/placement/share/repack.h"

namespace etiage::placement {

/// More pods than any node has: the node is too small.
inline constexpr int kNever = 1 << 20;

class Board {
 public:
  explicit Board(RunningCluster cluster)
      : cluster_(std::move(cluster)),
        there_(cluster_.nodes.size()),
        changes_(cluster_.nodes.size(), 1),
        floors_(cluster_.classes.size()) {
    for (std::uint32_t r = 0; r < cluster_.running.size(); ++r) there_[cluster_.running[r].node].push_back(r);
  }

  const RunningCluster& cluster() const { return cluster_; }
  const NodeState& node(std::uint32_t n) const { return cluster_.nodes[n]; }
  const PodClass& pod(std::uint32_t pod_class) const { return cluster_.classes[pod_class]; }
  const std::vector<std::uint32_t>& there(std::uint32_t n) const { return there_[n]; }
  const std::vector<RepackStep>& steps() const { return steps_; }

  /// How many pods have to leave `n` at the least before one of the class fits: 0 where it fits, kNever where
  /// the node is too small. Remembered until the node changes.
  int floor(std::uint32_t n, std::uint32_t pod_class) const {
    auto& known = floors_[pod_class];
    if (known.empty()) known.resize(cluster_.nodes.size());
    Floor& f = known[n];
    if (f.change != changes_[n]) {
      std::vector<RunningPod> pods;
      for (const std::uint32_t r : there_[n]) pods.push_back(cluster_.running[r]);
      f = {changes_[n], leaves_at_least(node(n), pod(pod_class), pods, cluster_.classes).value_or(kNever)};
    }
    return f.pods;
  }

  /// The same as if a pod of the node were gone.
  int floor_without(std::uint32_t running, std::uint32_t pod_class) const {
    const RunningPod& gone = cluster_.running[running];
    NodeState rest = node(gone.node);
    remove(rest, pod(gone.pod_class), gone.devices);
    std::vector<RunningPod> pods;
    for (const std::uint32_t r : there_[gone.node])
      if (r != running) pods.push_back(cluster_.running[r]);
    return leaves_at_least(rest, pod(pod_class), pods, cluster_.classes).value_or(kNever);
  }

  void start(std::uint32_t pending, RunningPod at) {
    steps_.push_back(Start{pending, at});
    cluster_.running.push_back(at);
    enter(static_cast<std::uint32_t>(cluster_.running.size() - 1));
  }
  void move(std::uint32_t running, RunningPod to) {
    steps_.push_back(Move{running, cluster_.running[running], to});
    relocate(running, to);
  }
  void take_back() {
    if (const auto* m = std::get_if<Move>(&steps_.back())) {
      relocate(m->running, m->from);
    } else {
      leave(static_cast<std::uint32_t>(cluster_.running.size() - 1));
      cluster_.running.pop_back();
    }
    steps_.pop_back();
  }

 private:
  void enter(std::uint32_t r) {
    const RunningPod& p = cluster_.running[r];
    place(cluster_.nodes[p.node], pod(p.pod_class), p.devices);
    there_[p.node].push_back(r);
    ++changes_[p.node];
  }
  void leave(std::uint32_t r) {
    const RunningPod& p = cluster_.running[r];
    remove(cluster_.nodes[p.node], pod(p.pod_class), p.devices);
    std::erase(there_[p.node], r);
    ++changes_[p.node];
  }
  void relocate(std::uint32_t r, RunningPod to) {
    leave(r);
    cluster_.running[r] = to;
    enter(r);
  }

  RunningCluster cluster_;
  std::vector<std::vector<std::uint32_t>> there_;  ///< running pods by node

  struct Floor {
    std::uint64_t change = 0;
    int pods = 0;
  };
  std::vector<std::uint64_t> changes_;              ///< of each node, from 1 on
  mutable std::vector<std::vector<Floor>> floors_;  ///< by class and node
  std::vector<RepackStep> steps_;
};

}  // namespace etiage::placement
