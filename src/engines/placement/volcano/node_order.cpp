#include "engines/placement/volcano/node_order.h"

namespace etiage::placement::volcano {
namespace {

SchedulerProfile scoring(const std::vector<PluginReference>& plugins) {
  SchedulerProfile out;
  PluginSet& scores = out.plugins["score"];
  scores.disabled = {"*"};
  for (const PluginReference& p : plugins)
    if (p.weight != 0) scores.enabled.push_back(p);
  out.balanced_resources = {{"cpu", 1}, {"memory", 1}, {"nvidia.com/gpu", 1}};
  out.balance_by_improvement = false;
  return out;
}

}  // namespace

Result<std::vector<Profile>> profiles_of(const NodeOrder& order) {
  SchedulerProfile least = scoring({{"NodeResourcesFit", order.least_requested},
                                    {"NodeResourcesBalancedAllocation", order.balanced_resource},
                                    {"NodeAffinity", order.node_affinity},
                                    {"ImageLocality", order.image_locality},
                                    {"InterPodAffinity", order.pod_affinity},
                                    {"TaintToleration", order.taint_toleration},
                                    {"PodTopologySpread", order.pod_topology_spread}});
  SchedulerProfile most = scoring({{"NodeResourcesFit", order.most_requested}});
  most.fit.strategy = NodeResourcesFitArgs::Strategy::kMostAllocated;
  std::vector<Profile> out;
  for (const SchedulerProfile& p : {least, most}) {
    auto profile = resolve_profile(p);
    if (!profile) return std::unexpected(profile.error());
    if (!profile->scores.empty()) out.push_back(std::move(*profile));
  }
  return out;
}

double binpack_score(const Resource& used, const Resource& allocatable, const Resource& task,
                     const BinpackWeights& weights) {
  double sum = 0, of = 0;
  for (const std::string& name : names_of(task)) {
    const auto weight = weights.resources.find(name);
    if (weight == weights.resources.end()) continue;
    of += weight->second;
    const double all = allocatable.of(name), then = task.of(name) + used.of(name);
    if (all == 0 || weight->second == 0) continue;
    if (then > all) return 0;
    sum += then * weight->second / all;
  }
  constexpr double kHighest = 100;
  if (of > 0) sum /= of;
  return sum * (kHighest * weights.weight);
}

}  // namespace etiage::placement::volcano
