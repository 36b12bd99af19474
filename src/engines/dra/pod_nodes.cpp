#include "engines/dra/pod_nodes.h"

#include <algorithm>

#include "model/node_selector.h"

namespace etiage::dra {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

bool has_label(const Node& node, const std::string& key, const std::string& value) {
  const auto label = node.meta.labels.find(key);
  if (label != node.meta.labels.end()) return label->second == value;
  return key == kHostname && node.meta.name == value;
}

}  // namespace

std::vector<const Node*> nodes_for(const Pod& pod, const std::vector<Node>& nodes) {
  std::vector<const Node*> out;
  for (const Node& node : nodes) {
    const auto labelled = [&](const auto& pair) { return has_label(node, pair.first, pair.second); };
    if (!std::ranges::all_of(pod.spec.node_selector, labelled)) continue;
    const auto& affinity = pod.spec.affinity.node_required;
    if (affinity && !matches(*affinity, NodeIdentity{node.meta.name, node.meta.labels})) continue;
    out.push_back(&node);
  }
  std::ranges::stable_sort(out, {}, [](const Node* n) -> const std::string& { return n->meta.name; });
  return out;
}

}  // namespace etiage::dra
