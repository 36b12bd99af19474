#include "explain/lint/scheduling_rules.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/placement/kube/profile.h"
#include "engines/placement/kube/shape.h"

namespace etiage::explain {
namespace {

using placement::Plugin;
using placement::Profile;

constexpr std::int64_t kHighestUserPriority = 1'000'000'000;

std::int64_t weight_of(const Profile& profile, Plugin plugin) {
  for (const auto& [p, weight] : profile.scores)
    if (p == plugin) return weight;
  return 0;
}

/// A profile that means to fill nodes up.
bool packs(const NodeResourcesFitArgs& fit) {
  if (fit.strategy == NodeResourcesFitArgs::Strategy::kMostAllocated) return true;
  return fit.strategy == NodeResourcesFitArgs::Strategy::kRequestedToCapacityRatio && !fit.shape.empty() &&
         fit.shape.back().score > fit.shape.front().score;
}

class ProfileLint {
 public:
  ProfileLint(const Profile& profile, const Place& place, Diagnostics& out)
      : profile_(profile), place_(place), out_(out) {}

  void run(std::int32_t percentage) {
    const NodeResourcesFitArgs& fit = profile_.arguments.fit;
    if (!packs(fit)) return;
    still_spreads();
    const auto is_card = [](const ScoredResource& r) { return placement::is_extended_resource(r.name); };
    if (std::ranges::none_of(fit.resources, is_card))
      add(Severity::kWarning, "scheduler-packs-no-gpu",
          "packs by CPU and memory alone: pods with GPUs are put where most CPU is used, and GPUs stay "
          "scattered",
          "add {name: nvidia.com/gpu, weight: 10} to scoringStrategy.resources, and each MIG resource by its "
          "name");
    if (std::ranges::all_of(fit.resources, is_card))
      add(Severity::kInfo, "scheduler-packs-gpu-only",
          "scores GPUs alone: a pod without GPUs gets 0 on every node and goes anywhere",
          "give such pods another profile, or add cpu and memory with weight 1");
    if (percentage != 100)
      add(Severity::kInfo, "scheduler-packs-a-sample",
          percentage == 0
              ? "scores a part of the nodes only, beyond 100 of them, so it packs approximately"
              : fmt::format("scores {} % of the nodes only, so it packs approximately", percentage),
          "percentageOfNodesToScore: 100");
  }

 private:
  void still_spreads() {
    const std::int64_t fit = weight_of(profile_, Plugin::kNodeResourcesFit);
    const std::int64_t spread =
        profile_.arguments.default_spread && profile_.arguments.default_spread->empty()
            ? 0
            : weight_of(profile_, Plugin::kPodTopologySpread);
    const std::int64_t balance = weight_of(profile_, Plugin::kNodeResourcesBalancedAllocation);
    if (fit > spread + balance) return;
    std::vector<std::string> against;
    if (spread > 0) against.push_back(fmt::format("PodTopologySpread with its defaults ({})", spread));
    if (balance > 0) against.push_back(fmt::format("NodeResourcesBalancedAllocation ({})", balance));
    add(Severity::kWarning, "most-allocated-spreads",
        fmt::format("will still spread: NodeResourcesFit weighs {}, against {}", fit,
                    fmt::join(against, " and ")),
        "raise the weight of NodeResourcesFit to 10, disable NodeResourcesBalancedAllocation, and set "
        "PodTopologySpread's defaultingType: List without constraints");
  }

  void add(Severity severity, std::string code, const std::string& message, std::string hint) {
    out_.push_back({severity, std::move(code), place_,
                    "profile " + profile_.arguments.scheduler_name + " " + message, std::move(hint)});
  }

  const Profile& profile_;
  const Place& place_;
  Diagnostics& out_;
};

void lint_priority_classes(const LintInput& input, Diagnostics& out) {
  const PriorityClass* usual = nullptr;
  for (const PriorityClass& c : input.priority_classes) {
    const std::string name = "PriorityClass " + c.meta.name;
    if (c.value > kHighestUserPriority && !c.meta.name.starts_with("system-"))
      out.push_back({Severity::kError, "priority-too-high", c.meta.place,
                     fmt::format("{}: maximum allowed value of a user defined priority is {}", name,
                                 kHighestUserPriority),
                     ""});
    if (c.global_default && usual)
      out.push_back({Severity::kError, "priority-two-defaults", c.meta.place,
                     fmt::format("{} and {} both are globalDefault: the API server takes one only", name,
                                 usual->meta.name),
                     ""});
    if (c.global_default) usual = &c;
    if (c.preemption_policy == "Never" && c.value > 0)
      out.push_back({Severity::kInfo, "priority-never-preempts", c.meta.place,
                     name + " goes ahead in the queue and evicts nobody: its pods wait for free nodes",
                     "preemptionPolicy: PreemptLowerPriority where they should not wait"});
  }
}

}  // namespace

void lint_scheduler_configurations(const LintInput& input, Diagnostics& out) {
  for (const auto& [configuration, place] : input.scheduler_configurations)
    for (const SchedulerProfile& p : configuration.profiles)
      if (const auto profile = placement::resolve_profile(p))
        ProfileLint(*profile, place, out)
            .run(p.percentage_of_nodes_to_score.value_or(configuration.percentage_of_nodes_to_score));
}

void lint_scheduling(const LintInput& input, Diagnostics& out) {
  lint_scheduler_configurations(input, out);
  lint_priority_classes(input, out);
  lint_volcano(input, out);
  lint_kai(input, out);
  lint_gangs(input, out);
}

}  // namespace etiage::explain
