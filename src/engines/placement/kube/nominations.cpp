#include "engines/placement/kube/nominations.h"

#include <algorithm>

namespace etiage::placement {

Nominations::Nominations(const Snapshot& snapshot) {
  for (PodIndex p = 0; p < snapshot.input().pods.size(); ++p) {
    const Pod& pod = snapshot.pod(p);
    if (pod.status.nominated_node.empty() || !pod.spec.node_name.empty() || pod.meta.deleted) continue;
    if (const auto node = snapshot.node_named(pod.status.nominated_node)) by_node_[*node].push_back(p);
  }
}

std::vector<PodIndex> Nominations::ahead_of(const Snapshot& snapshot, PodIndex pod, NodeIndex node) const {
  const auto it = by_node_.find(node);
  if (it == by_node_.end()) return {};
  std::vector<PodIndex> out;
  for (const PodIndex p : it->second)
    if (p != pod && snapshot.shape_of(p).priority >= snapshot.shape_of(pod).priority) out.push_back(p);
  return out;
}

NodeIndex Nominations::node_of(PodIndex pod) const {
  for (const auto& [node, pods] : by_node_)
    if (std::ranges::find(pods, pod) != pods.end()) return node;
  return kNoNode;
}

void Nominations::remove(PodIndex pod) {
  for (auto& [node, pods] : by_node_) std::erase(pods, pod);
  std::erase_if(by_node_, [](const auto& entry) { return entry.second.empty(); });
}

void Nominations::yield_to(const Snapshot& snapshot, PodIndex pod, NodeIndex node) {
  const auto it = by_node_.find(node);
  if (it == by_node_.end()) return;
  std::erase_if(it->second,
                [&](PodIndex p) { return snapshot.shape_of(p).priority < snapshot.shape_of(pod).priority; });
  if (it->second.empty()) by_node_.erase(it);
}

}  // namespace etiage::placement
