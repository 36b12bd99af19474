#include "explain/lint/scheduling_rules.h"

#include <gmock/gmock.h>

namespace etiage::explain {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> codes(const LintInput& input) {
  Diagnostics found;
  lint_scheduling(input, found);
  std::vector<std::string> out;
  for (const Diagnostic& d : found) out.push_back(d.code);
  return out;
}

Tree map(std::vector<Tree::Member> members) {
  return Tree::map(std::move(members));
}
Tree text(std::string value) {
  return Tree::string(std::move(value));
}

LintInput packing() {
  LintInput out;
  SchedulerConfiguration c;
  c.profiles[0].fit.strategy = NodeResourcesFitArgs::Strategy::kMostAllocated;
  out.scheduler_configurations.emplace_back(c, Place{"scheduler.yaml", 1, 0, {}});
  return out;
}

TEST(SchedulingRules, MostAllocatedWithTheDefaultsStillSpreads) {
  LintInput input = packing();
  Diagnostics found;
  lint_scheduling(input, found);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "most-allocated-spreads");
  EXPECT_THAT(found[0].message,
              HasSubstr("NodeResourcesFit weighs 1, against PodTopologySpread with its defaults "
                        "(2) and NodeResourcesBalancedAllocation (1)"));
  EXPECT_THAT(codes(input), Contains("scheduler-packs-no-gpu"));
  EXPECT_THAT(codes(input), Contains("scheduler-packs-a-sample"));
}

TEST(SchedulingRules, TheRecommendedProfileIsFine) {
  LintInput input = packing();
  SchedulerConfiguration& c = input.scheduler_configurations[0].first;
  c.percentage_of_nodes_to_score = 100;
  SchedulerProfile& p = c.profiles[0];
  p.fit.resources = {{"nvidia.com/gpu", 10}, {"cpu", 1}, {"memory", 1}};
  p.default_spread = std::vector<TopologySpreadConstraint>{};
  p.plugins["score"] = {{{"NodeResourcesFit", 10}}, {"NodeResourcesBalancedAllocation"}};
  EXPECT_THAT(codes(input), IsEmpty());
  p.fit.resources = {{"nvidia.com/gpu", 1}};
  EXPECT_THAT(codes(input), Contains("scheduler-packs-gpu-only"));
  p.fit.strategy = NodeResourcesFitArgs::Strategy::kLeastAllocated;
  EXPECT_THAT(codes(input), IsEmpty());
}

TEST(SchedulingRules, PriorityClasses) {
  LintInput input;
  input.priority_classes = {
      {.meta = {.name = "a"}, .value = 2'000'000'000},
      {.meta = {.name = "b"}, .value = 1, .global_default = true},
      {.meta = {.name = "c"}, .value = 5, .global_default = true, .preemption_policy = "Never"}};
  EXPECT_THAT(codes(input),
              testing::ElementsAre("priority-too-high", "priority-two-defaults", "priority-never-preempts"));
}

LintObject queue(const std::string& name, std::vector<Tree::Member> spec) {
  return {map({{"metadata", map({{"name", text(name)}})}, {"spec", map(std::move(spec))}}), "queues.yaml"};
}

LintObject volcano(const std::string& actions, std::vector<Tree> plugins) {
  return {map({{"actions", text(actions)},
               {"tiers", Tree::sequence({map({{"plugins", Tree::sequence(std::move(plugins))}})})}}),
          "volcano.yaml"};
}

TEST(SchedulingRules, VolcanoWithoutReclaim) {
  LintInput input;
  input.volcano_queues = {queue("a", {}), queue("b", {})};
  EXPECT_THAT(codes(input), Contains("volcano-no-reclaim"));
  input.volcano_configurations = {volcano("enqueue, allocate, backfill", {map({{"name", text("binpack")}})})};
  EXPECT_THAT(codes(input), Contains("volcano-no-reclaim"));
  EXPECT_THAT(codes(input), Contains("volcano-no-preempt"));
  EXPECT_THAT(codes(input), Contains("volcano-binpack-no-gpu"));
  input.volcano_configurations = {
      volcano("enqueue, allocate, reclaim, preempt",
              {map({{"name", text("binpack")},
                    {"arguments", map({{"binpack.resources", text("nvidia.com/gpu")}})}})})};
  EXPECT_THAT(codes(input), IsEmpty());
  input.volcano_configurations = {
      volcano("reclaim, preempt", {map({{"name", text("capacity")}}), map({{"name", text("proportion")}})})};
  EXPECT_THAT(codes(input), Contains("volcano-capacity-and-proportion"));
}

TEST(SchedulingRules, VolcanoQueuesThatAreRefused) {
  LintInput input;
  input.volcano_queues = {
      queue("a", {{"guarantee", map({{"resource", map({{"nvidia.com/gpu", text("4")}})}})}}),
      queue("b", {{"deserved", map({{"nvidia.com/gpu", text("8")}})},
                  {"capability", map({{"nvidia.com/gpu", text("4")}})}})};
  EXPECT_THAT(codes(input), Contains("volcano-guarantee"));
  EXPECT_THAT(codes(input), Contains("volcano-queue-amounts"));
  input.volcano_queues = {queue("light", {{"weight", Tree::number("0")}})};
  EXPECT_THAT(codes(input), Not(Contains("volcano-queue-weight")));
  input.volcano_queues = {queue("none", {{"weight", Tree::number("-3")}})};
  EXPECT_THAT(codes(input), Contains("volcano-queue-weight"));
}

TEST(SchedulingRules, KaiWithoutALimitHasNoOverQuota) {
  LintInput input;
  const auto gpu = [](std::vector<Tree::Member> amounts) {
    return std::vector<Tree::Member>{{"resources", map({{"gpu", map(std::move(amounts))}})}};
  };
  input.kai_queues = {queue("a", gpu({{"quota", Tree::number("8")}}))};
  EXPECT_THAT(codes(input), Contains("kai-no-over-quota"));
  input.kai_queues = {queue("a", gpu({{"quota", Tree::number("8")}, {"limit", Tree::number("-1")}}))};
  EXPECT_THAT(codes(input), Not(Contains("kai-no-over-quota")));
}

}  // namespace
}  // namespace etiage::explain
