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

}  // namespace
}  // namespace etiage::placement
