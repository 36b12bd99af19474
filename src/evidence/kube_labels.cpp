#include "evidence/kube_labels.h"

#include <array>
#include <cctype>

namespace etiage::evidence {
namespace {

constexpr auto kKeys = std::to_array<std::string_view>({"node.kubernetes.io/instance-type",
                                                        "beta.kubernetes.io/instance-type",
                                                        "topology.kubernetes.io/zone",
                                                        "topology.kubernetes.io/region",
                                                        "kubernetes.io/hostname",
                                                        "karpenter.sh/capacity-type",
                                                        "eks.amazonaws.com/capacityType",
                                                        "cloud.google.com/gke-spot",
                                                        "nvidia.com/gpu.product",
                                                        "nvidia.com/gpu.count",
                                                        "nvidia.com/gpu.replicas",
                                                        "nvidia.com/gpu.sharing-strategy",
                                                        "nvidia.com/gpu.memory",
                                                        "nvidia.com/mig.strategy",
                                                        "nvidia.com/mig.config",
                                                        "gpu.nvidia.com/model",
                                                        "cloud.google.com/gke-accelerator",
                                                        "cloud.google.com/gke-tpu-accelerator",
                                                        "k8s.amazonaws.com/accelerator",
                                                        "amd.com/gpu.product-name",
                                                        "gpu.intel.com/product",
                                                        "app.kubernetes.io/name",
                                                        "app.kubernetes.io/instance",
                                                        "app.kubernetes.io/component",
                                                        "app.kubernetes.io/part-of",
                                                        "leaderworkerset.sigs.k8s.io/name",
                                                        "leaderworkerset.sigs.k8s.io/group-index",
                                                        "leaderworkerset.sigs.k8s.io/worker-index",
                                                        "ray.io/cluster",
                                                        "ray.io/node-type",
                                                        "llm-d.ai/role",
                                                        "llm-d.ai/model",
                                                        "nvidia.com/dynamo-component-type",
                                                        "nvidia.com/dynamo-sub-component-type",
                                                        "kueue.x-k8s.io/queue-name",
                                                        "serving.kserve.io/inferenceservice",
                                                        "etiage.io/model",
                                                        "runai-gpu-group"});

std::string mangled(std::string_view key) {
  std::string out(key);
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

const std::map<std::string, std::string_view, std::less<>>& known_keys() {
  static const auto keys = [] {
    std::map<std::string, std::string_view, std::less<>> out;
    for (std::string_view key : kKeys) out.emplace(mangled(key), key);
    return out;
  }();
  return keys;
}

}  // namespace

LabelMap kube_labels(const Series& series) {
  constexpr std::string_view kPrefix = "label_";
  LabelMap out;
  for (const auto& [name, value] : series.labels.each()) {
    if (!name.starts_with(kPrefix)) continue;
    const std::string_view key = name.substr(kPrefix.size());
    const auto known = known_keys().find(key);
    out.emplace(known == known_keys().end() ? key : known->second, value);
  }
  return out;
}

}  // namespace etiage::evidence
