#include <gmock/gmock.h>

#include "engines/placement/kube/scheduler.h"

namespace etiage::placement {
namespace {

Node node(const std::string& name, std::int64_t gpus) {
  Node out;
  out.meta.name = name;
  out.allocatable = {{"pods", Quantity::units(10)}, {"nvidia.com/gpu", Quantity::units(gpus)}};
  return out;
}

Pod pod(const std::string& name, std::int64_t gpus) {
  Pod out;
  out.meta.ns = "ml";
  out.meta.name = out.meta.uid = name;
  out.spec.containers.push_back({.name = "c"});
  out.spec.containers.back().requests["nvidia.com/gpu"] = Quantity::units(gpus);
  return out;
}

Scheduler of(std::vector<Pod> pods, PodGroup group) {
  auto out = Scheduler::make(
      {.nodes = {node("a", 4), node("b", 4)}, .pods = std::move(pods), .pod_groups = {std::move(group)}}, {});
  return std::move(*out);
}

PodGroup gang(std::int32_t min_count, std::vector<std::uint32_t> members) {
  return {"ml", "gang", true, min_count, std::move(members)};
}

TEST(ScheduleGroup, BindsAGangThatFits) {
  Scheduler s = of({pod("p", 4), pod("q", 4)}, gang(2, {0, 1}));
  for (const ScheduleResult& r : s.schedule_group(*s.group_of(0)))
    EXPECT_EQ(r.outcome, ScheduleOutcome::kBound);
}

TEST(ScheduleGroup, UndoesAGangThatDoesNot) {
  Scheduler s = of({pod("p", 3), pod("q", 3), pod("r", 3), pod("alone", 4)}, gang(3, {0, 1, 2}));
  const auto results = s.schedule_group(*s.group_of(2));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].message, "minCount (3) cannot be satisfied: 2 scheduled, 0 remaining");
  EXPECT_EQ(results[2].message, "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
  for (const ScheduleResult& r : results) EXPECT_EQ(r.outcome, ScheduleOutcome::kUnschedulable);
  EXPECT_EQ(s.schedule(3).outcome, ScheduleOutcome::kBound);
}

TEST(ScheduleGroup, StopsOnceItIsHopeless) {
  Scheduler s = of({pod("p", 8), pod("q", 1), pod("r", 1)}, gang(3, {0, 1, 2}));
  const auto results = s.schedule_group(*s.group_of(0));
  EXPECT_EQ(results[1].message, "minCount (3) cannot be satisfied: 0 scheduled, 2 remaining");
  EXPECT_TRUE(results[1].filtered.empty());
}

TEST(ScheduleGroup, WithMorePodsThanItsMinimumGoesAsFarAsItCan) {
  Scheduler s = of({pod("p", 4), pod("q", 4), pod("r", 4)}, gang(2, {0, 1, 2}));
  const auto results = s.schedule_group(*s.group_of(0));
  EXPECT_EQ(results[1].outcome, ScheduleOutcome::kBound);
  EXPECT_EQ(results[2].outcome, ScheduleOutcome::kUnschedulable);
}

TEST(ScheduleGroup, WaitsForItsPodsAndItsObject) {
  Scheduler few = of({pod("p", 1)}, gang(2, {0}));
  EXPECT_EQ(few.schedule_group(*few.group_of(0))[0].message,
            "waiting for minCount pods from a gang to appear in scheduling queue");
  PodGroup unknown = gang(1, {0});
  unknown.known = false;
  Scheduler absent = of({pod("p", 1)}, unknown);
  EXPECT_EQ(absent.schedule_group(*absent.group_of(0))[0].message,
            "waiting for pods's pod group \"gang\" to appear in scheduling queue");
}

}  // namespace
}  // namespace etiage::placement
