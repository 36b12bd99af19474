#include "engines/placement/kube/quick_choice.h"

#include <algorithm>

#include "engines/placement/kube/attempt.h"
#include "engines/placement/kube/node_rules.h"
#include "engines/placement/kube/spread.h"
#include "model/node_selector.h"

namespace etiage::placement {
namespace {

/// Below so many pods of a shape the tables cost more than they save.
constexpr std::uint32_t kWorthwhile = 8;
constexpr std::int64_t kHighest = 100;

std::int64_t weight_of(const Profile& profile, Plugin plugin) {
  for (const auto& [p, weight] : profile.scores)
    if (p == plugin) return weight;
  return 0;
}

std::int64_t highest_sum(const std::vector<const Profile*>& profiles) {
  std::int64_t most = 0;
  for (const Profile* p : profiles)
    most = std::max(most, weight_of(*p, Plugin::kNodeResourcesFit) + weight_of(*p, Plugin::kImageLocality) +
                              weight_of(*p, Plugin::kNodeResourcesBalancedAllocation));
  return most * kHighest;
}

bool has_pod_affinity(const Affinity& a) {
  return !a.pod_required.empty() || !a.pod_preferred.empty() || !a.anti_required.empty() ||
         !a.anti_preferred.empty();
}

}  // namespace

QuickChoice::QuickChoice(Snapshot& snapshot, const std::vector<const Profile*>& profiles)
    : snapshot_(&snapshot),
      pods_of_shape_(snapshot.shapes().size()),
      highest_(highest_sum(profiles)),
      ranking_(snapshot.by_name(), snapshot.shapes().size(),
               static_cast<int>(std::min<std::int64_t>(highest_, kMostLevels)),
               [this](std::uint32_t shape, std::uint32_t node) { return score(shape, node); }) {
  for (PodIndex p = 0; p < snapshot.input().pods.size(); ++p) ++pods_of_shape_[snapshot.record(p).shape];
  any_pod_affinity_ = std::ranges::any_of(
      snapshot.shapes(), [](const PodShape& s) { return has_pod_affinity(s.example.spec.affinity); });
}

bool QuickChoice::knows(const Profile& profile, PodIndex pod) {
  const ShapeIndex shape = snapshot_->record(pod).shape;
  if (highest_ > kMostLevels || pods_of_shape_[shape] < kWorthwhile) return false;
  auto it = recipes_.find(shape);
  if (it == recipes_.end()) it = recipes_.emplace(shape, make_recipe(profile, pod)).first;
  return it->second.has_value();
}

/// Other pods count where affinity or spreading is in play; other nodes where a score is normalised over
/// them.
bool QuickChoice::depends_on_others(const Profile& profile, PodIndex pod) {
  const bool affinity =
      profile.filters_with(Plugin::kInterPodAffinity) || profile.scores_with(Plugin::kInterPodAffinity);
  if (affinity && any_pod_affinity_) return true;
  if (profile.filters_with(Plugin::kPodTopologySpread) &&
      !spread_constraints(*snapshot_, profile, pod, true).empty())
    return true;
  if (profile.scores_with(Plugin::kPodTopologySpread) &&
      !spread_constraints(*snapshot_, profile, pod, false).empty())
    return true;
  const PodSpec& spec = snapshot_->shape_of(pod).example.spec;
  if (!spec.affinity.node_preferred.empty() || !profile.arguments.added_node_preferences.empty()) return true;
  return profile.scores_with(Plugin::kTaintToleration) &&
         std::ranges::any_of(snapshot_->input().nodes,
                             [&](const Node& n) { return untolerated_preferences(spec, n) > 0; });
}

std::optional<QuickChoice::Recipe> QuickChoice::make_recipe(const Profile& profile, PodIndex pod) {
  if (depends_on_others(profile, pod)) return {};
  const PodSpec& spec = snapshot_->shape_of(pod).example.spec;
  Recipe out;
  out.fit_weight = weight_of(profile, Plugin::kNodeResourcesFit);
  out.balanced_weight = weight_of(profile, Plugin::kNodeResourcesBalancedAllocation);
  out.fit.emplace(ResourceScorer::fit(profile.arguments.fit, spec, snapshot_->resources()));
  out.balanced.emplace(ResourceScorer::balanced(profile.arguments, spec, snapshot_->resources()));
  if (out.balanced->asks_for_nothing()) out.balanced_weight = 0;
  out.filters.emplace(*snapshot_, profile, pod);
  const std::int64_t images = weight_of(profile, Plugin::kImageLocality);
  for (const NodeInfo& node : snapshot_->nodes())
    out.constant.push_back(images == 0 ? 0 : images * image_locality(*snapshot_, spec, node.index));
  return out;
}

int QuickChoice::score(ShapeIndex shape, NodeIndex node) const {
  const Recipe& recipe = *recipes_.at(shape);
  const NodeInfo& info = snapshot_->nodes()[node];
  if (recipe.filters->refused_everywhere() || recipe.filters->leaves_out(node) || recipe.filters->check(info))
    return -1;
  std::int64_t sum = recipe.constant[node];
  if (recipe.fit_weight != 0) sum += recipe.fit_weight * recipe.fit->score(info);
  if (recipe.balanced_weight != 0) sum += recipe.balanced_weight * recipe.balanced->score(info);
  return static_cast<int>(sum);
}

std::optional<NodeIndex> QuickChoice::best(PodIndex pod) {
  return ranking_.best(snapshot_->record(pod).shape);
}

void QuickChoice::changed(NodeIndex node) {
  ranking_.changed(node);
}

}  // namespace etiage::placement
