#include "engines/placement/kube/scheduler.h"

#include <gmock/gmock.h>

namespace etiage::placement {
namespace {

using testing::HasSubstr;

Node node(const std::string& name, std::int64_t gpus) {
  Node out;
  out.meta.name = name;
  out.meta.labels = {{"kubernetes.io/hostname", name}};
  out.allocatable = {{"cpu", Quantity::units(8)}, {"pods", Quantity::units(10)}};
  if (gpus > 0) out.allocatable["nvidia.com/gpu"] = Quantity::units(gpus);
  return out;
}

Pod pod(const std::string& name, std::int64_t gpus = 0) {
  Pod out;
  out.meta.ns = "ml";
  out.meta.name = out.meta.uid = name;
  Container c{.name = "c"};
  c.requests["cpu"] = Quantity::units(1);
  if (gpus > 0) c.requests["nvidia.com/gpu"] = Quantity::units(gpus);
  out.spec.containers.push_back(c);
  return out;
}

/// One class, one claim for each name, and one device on node `b`.
DraObjects devices(const std::vector<std::string>& claims, const std::string& extended_resource = "") {
  DraObjects out;
  DeviceClass device_class;
  device_class.meta.name = "gpu";
  device_class.extended_resource_name = extended_resource;
  out.classes.push_back(device_class);
  ResourceSlice slice;
  slice.meta.name = "s";
  slice.driver = "d";
  slice.pool = {"b", 1, 1};
  slice.reach.node_name = "b";
  slice.devices.push_back({.name = "gpu-0"});
  out.slices.push_back(slice);
  for (const std::string& name : claims) {
    ResourceClaim claim;
    claim.meta.ns = "ml";
    claim.meta.name = name;
    DeviceRequest request;
    request.name = "r";
    request.exactly.emplace().device_class = "gpu";
    claim.spec.requests.push_back(request);
    out.claims.push_back(claim);
  }
  return out;
}

Pod with_claim(Pod p, const std::string& claim) {
  p.spec.claims.push_back({"gpu", claim, ""});
  return p;
}

TEST(Scheduler, GivesDevicesAndKeepsThem) {
  SchedulingInput input{
      .nodes = {node("a", 0), node("b", 0)},
      .pods = {with_claim(pod("p"), "one"), with_claim(pod("q"), "two"), with_claim(pod("r"), "absent")},
      .dra = devices({"one", "two"})};
  auto scheduler = Scheduler::make(std::move(input), {});
  ASSERT_TRUE(scheduler);
  const ScheduleResult p = scheduler->schedule(0);
  EXPECT_EQ(p.outcome, ScheduleOutcome::kBound);
  EXPECT_EQ(scheduler->snapshot().node_name(p.bound_to), "b");
  EXPECT_EQ(p.filtered.at(0).plugin, Plugin::kDynamicResources);
  const ScheduleResult q = scheduler->schedule(1);
  EXPECT_EQ(q.outcome, ScheduleOutcome::kUnschedulable);
  EXPECT_THAT(q.message, HasSubstr("0/2 nodes are available: 2 cannot allocate all claims."));
  const ScheduleResult r = scheduler->schedule(2);
  EXPECT_EQ(r.outcome, ScheduleOutcome::kGated);
  EXPECT_EQ(r.message, "could not find ResourceClaim \"ml/absent\"");
}

TEST(Scheduler, ClaimsExtendedResourcesWhereNoPluginOffersThem) {
  SchedulingInput input{.nodes = {node("a", 0), node("b", 0)},
                        .pods = {pod("p", 1), pod("q", 1)},
                        .dra = devices({}, "nvidia.com/gpu")};
  auto scheduler = Scheduler::make(std::move(input), {});
  ASSERT_TRUE(scheduler);
  const ScheduleResult p = scheduler->schedule(0);
  ASSERT_EQ(p.outcome, ScheduleOutcome::kBound);
  EXPECT_EQ(scheduler->snapshot().node_name(p.bound_to), "b");
  EXPECT_EQ(scheduler->schedule(1).outcome, ScheduleOutcome::kUnschedulable);
}

TEST(Scheduler, CountsPodsThatArePromisedANode) {
  Pod promised = pod("promised", 2);
  promised.spec.priority = 10;
  promised.status.nominated_node = "a";
  auto scheduler = Scheduler::make({.nodes = {node("a", 2)}, .pods = {pod("p", 1), promised}}, {});
  ASSERT_TRUE(scheduler);
  EXPECT_EQ(scheduler->schedule(0).outcome, ScheduleOutcome::kUnschedulable);
  EXPECT_EQ(scheduler->schedule(1).outcome, ScheduleOutcome::kBound);
}

TEST(Scheduler, TriesThePromisedNodeAlone) {
  Pod promised = pod("promised", 1);
  promised.status.nominated_node = "b";
  auto scheduler = Scheduler::make({.nodes = {node("a", 2), node("b", 2)}, .pods = {promised}}, {});
  ASSERT_TRUE(scheduler);
  const ScheduleResult r = scheduler->schedule(0);
  EXPECT_EQ(r.best.size(), 1u);
  EXPECT_EQ(scheduler->snapshot().node_name(r.bound_to), "b");
}

TEST(Scheduler, DoesNotPreemptWhileVictimsLeave) {
  Pod victim = pod("victim", 2), promised = pod("promised", 2);
  victim.spec.node_name = "a";
  victim.meta.deleted = Instant{};
  victim.status.conditions.push_back({"DisruptionTarget", "True", "PreemptionByScheduler", "", {}});
  promised.spec.priority = 10;
  promised.status.nominated_node = "a";
  auto scheduler = Scheduler::make({.nodes = {node("a", 2)}, .pods = {victim, promised}}, {});
  ASSERT_TRUE(scheduler);
  EXPECT_THAT(scheduler->schedule(1).message,
              HasSubstr("preemption: not eligible due to a terminating pod on the nominated node."));
}

TEST(Scheduler, APromiseToOnePodDoesNotDisturbTheBriefAnswerForAnother) {
  Pod promised = pod("promised", 4);
  promised.status.nominated_node = "a";
  auto scheduler = Scheduler::make({.nodes = {node("a", 4)}, .pods = {promised, pod("large", 9)}}, {});
  ASSERT_TRUE(scheduler);
  const ScheduleResult refused = scheduler->schedule(1, Detail::kNode);
  EXPECT_EQ(refused.outcome, ScheduleOutcome::kUnschedulable);
  EXPECT_THAT(refused.message, HasSubstr("1 Insufficient nvidia.com/gpu"));
}

}  // namespace
}  // namespace etiage::placement
