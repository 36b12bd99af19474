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

Pod running(const std::string& name, std::int64_t gpus, const std::string& on) {
  Pod out = pod(name, gpus);
  out.spec.node_name = on;
  return out;
}

Scheduler with_groups(std::vector<Pod> pods, std::vector<PodGroup> groups) {
  auto out = Scheduler::make(
      {.nodes = {node("a", 4), node("b", 4)}, .pods = std::move(pods), .pod_groups = std::move(groups)}, {});
  return std::move(*out);
}

PodGroup important(PodGroup group) {
  group.priority = 10;
  group.may_preempt = true;
  return group;
}

TEST(ScheduleGroup, MakesRoomForAGangAndLetsTheOthersStay) {
  Scheduler s = with_groups(
      {running("full", 4, "a"), running("half", 2, "b"), running("rest", 1, "b"), pod("p", 4), pod("q", 1)},
      {important(gang(2, {3, 4}))});
  const auto results = s.schedule_group(*s.group_of(3));
  ASSERT_EQ(results.size(), 2u);
  for (const ScheduleResult& r : results) {
    EXPECT_EQ(r.outcome, ScheduleOutcome::kPreempting);
    EXPECT_EQ(r.victims, std::vector<PodIndex>{0});
  }
  EXPECT_EQ(results[0].bound_to, 0u);
  EXPECT_EQ(results[1].bound_to, 1u);
  EXPECT_EQ(s.snapshot().record(1).node, 1u) << "it may stay";
  EXPECT_EQ(s.snapshot().record(0).node, kNoNode);
}

TEST(ScheduleGroup, TakesAllOfAGroupThatIsDisruptedAsOne) {
  PodGroup victim{"ml", "victim", true, {}, {0, 1}};
  victim.disrupted_as_one = true;
  Scheduler s = with_groups({running("v", 4, "a"), running("w", 1, "b"), pod("p", 4)},
                            {victim, important(gang(1, {2}))});
  EXPECT_EQ(s.schedule_group(*s.group_of(2))[0].victims, (std::vector<PodIndex>{0, 1}));
}

TEST(ScheduleGroup, LeavesEverythingWhereItIsWhereNoRoomCanBeMade) {
  for (const bool may : {true, false}) {
    PodGroup group = important(gang(2, {1, 2}));
    group.may_preempt = may;
    Scheduler s = with_groups({running("v", 4, "a"), pod("p", 4), pod("q", may ? 5 : 4)}, {group});
    const auto results = s.schedule_group(*s.group_of(1));
    EXPECT_EQ(results[0].outcome, ScheduleOutcome::kUnschedulable);
    EXPECT_TRUE(results[0].victims.empty());
    EXPECT_EQ(s.snapshot().record(0).node, 0u);
    EXPECT_EQ(s.snapshot().record(1).node, kNoNode);
  }
}

}  // namespace
}  // namespace etiage::placement
