#include "explain/pod_placement.h"

#include <gmock/gmock.h>

namespace etiage::explain {
namespace {

Node node(const std::string& name, std::int64_t gpus) {
  Node out;
  out.meta.name = name;
  out.allocatable = {
      {"cpu", Quantity::units(8)}, {"pods", Quantity::units(10)}, {"nvidia.com/gpu", Quantity::units(gpus)}};
  return out;
}

Pod pod(const std::string& name, std::int64_t gpus) {
  Pod out;
  out.meta.ns = "default";
  out.meta.name = name;
  Container c{.name = "c"};
  c.requests["nvidia.com/gpu"] = Quantity::units(gpus);
  out.spec.containers.push_back(c);
  return out;
}

TEST(ExplainPlacement, NamesTheReasonsAndTheNearestNode) {
  placement::SchedulingInput input{.nodes = {node("a", 2), node("b", 3), node("c", 1)},
                                   .pods = {pod("p", 4)}};
  input.nodes[2].unschedulable = true;
  auto scheduler = placement::Scheduler::make(std::move(input), {});
  ASSERT_TRUE(scheduler);
  const auto result = scheduler->schedule(0);
  const PodPlacementReasons why = explain_placement(scheduler->snapshot(), result);
  EXPECT_THAT(why.statement,
              testing::StartsWith(
                  "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient nvidia.com/gpu."));
  EXPECT_EQ(why.refusals.front(),
            (RefusedNodes{"NodeResourcesFit", "Insufficient nvidia.com/gpu", {"a", "b"}}));
  EXPECT_EQ(why.nearest, "node b comes nearest: 1 nvidia.com/gpu more, and the pod fits there");
}

TEST(ExplainPlacement, SaysWhereThePodGoes) {
  auto scheduler =
      placement::Scheduler::make({.nodes = {node("a", 2), node("b", 3)}, .pods = {pod("p", 3)}}, {});
  ASSERT_TRUE(scheduler);
  const auto result = scheduler->schedule(0);
  EXPECT_EQ(explain_placement(scheduler->snapshot(), result).statement,
            "kube-scheduler puts it on node b, the best of 1");
}

}  // namespace
}  // namespace etiage::explain
