#include "engines/placement/kube/gpu_state.h"

#include <gmock/gmock.h>

#include "engines/placement/share/measures.h"

namespace etiage::placement {
namespace {

Node node(const std::string& name, std::int64_t gpus) {
  Node out;
  out.meta.name = name;
  out.allocatable = {{"cpu", Quantity::units(8)},
                     {"memory", Quantity::units(1 << 30)},
                     {"pods", Quantity::units(10)},
                     {"nvidia.com/gpu", Quantity::units(gpus)}};
  return out;
}

Pod pod(const std::string& on, std::int64_t gpus) {
  Pod out;
  out.spec.node_name = on;
  out.spec.containers.push_back({.name = "c"});
  out.spec.containers.back().requests["nvidia.com/gpu"] = Quantity::units(gpus);
  return out;
}

TEST(GpuNodes, AreMeasuredAsPackingMeasuresThem) {
  const auto snapshot = Snapshot::make({.nodes = {node("a", 8), node("b", 4), node("c", 0), node("d", 16)},
                                        .pods = {pod("a", 5), pod("b", 4)}});
  ASSERT_TRUE(snapshot);
  const GpuNodes gpus = gpu_nodes(*snapshot);
  EXPECT_EQ(gpus.left_out, 1);
  ASSERT_EQ(gpus.nodes.size(), 2u);
  const Measures m = measures(gpus.nodes);
  EXPECT_DOUBLE_EQ(m.gar, 9.0 / 12);
  EXPECT_DOUBLE_EQ(m.gfr, 0.5);
  EXPECT_EQ(m.largest_pod, 3);
}

TEST(GpuOccupancy, CountsEachPodAlikeAndVictimsOnce) {
  std::vector<Pod> pods{pod("a", 4), pod("", 2), pod("", 8)};
  auto scheduler = Scheduler::make({.nodes = {node("a", 8)}, .pods = pods}, {});
  ASSERT_TRUE(scheduler);
  std::vector<ScheduleResult> tried{scheduler->schedule(1), scheduler->schedule(2)};
  EXPECT_DOUBLE_EQ(*gpu_occupancy(scheduler->snapshot(), tried), 6.0 / 8) << "4, then 6, then still 6";
  // As if the second had taken the place of the first pod.
  tried[1].victims = {0, 0};
  EXPECT_DOUBLE_EQ(*gpu_occupancy(scheduler->snapshot(), tried), (10.0 + 6) / 16);
  EXPECT_FALSE(gpu_occupancy(scheduler->snapshot(), {}));
}

}  // namespace
}  // namespace etiage::placement
