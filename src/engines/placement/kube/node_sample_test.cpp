#include "engines/placement/kube/node_sample.h"

#include <gmock/gmock.h>

#include "engines/placement/kube/scheduler.h"

namespace etiage::placement {
namespace {

Node node(int number, const std::string& zone) {
  Node out;
  out.meta.name = "n" + std::to_string(1000 + number);
  out.meta.labels["topology.kubernetes.io/zone"] = zone;
  out.allocatable = {{"pods", Quantity::units(1)}};
  return out;
}

TEST(NodeSample, FindsAsManyAsTheSchedulerDoes) {
  EXPECT_EQ(feasible_nodes_to_find(99, 0), 99u);
  EXPECT_EQ(feasible_nodes_to_find(100, 0), 100u);
  EXPECT_EQ(feasible_nodes_to_find(1000, 0), 420u);
  EXPECT_EQ(feasible_nodes_to_find(5000, 0), 500u);
  EXPECT_EQ(feasible_nodes_to_find(15000, 0), 750u);
  EXPECT_EQ(feasible_nodes_to_find(1000, 5), 100u);
  EXPECT_EQ(feasible_nodes_to_find(1000, 70), 700u);
}

TEST(NodeSample, WalksZoneByZone) {
  auto snapshot = Snapshot::make({.nodes = {node(0, "a"), node(1, "a"), node(2, "b"), node(3, "a")}});
  ASSERT_TRUE(snapshot);
  NodeSample sample(*snapshot, 0);
  std::vector<NodeIndex> walk;
  for (std::size_t i = 0; i < 4; ++i) walk.push_back(sample.at(i));
  EXPECT_THAT(walk, testing::ElementsAre(0, 2, 1, 3));
  sample.advance(3);
  EXPECT_EQ(sample.at(0), 3u);
}

TEST(NodeSample, TheNextPodGoesOnWhereTheLastStopped) {
  SchedulingInput input;
  for (int i = 0; i < 200; ++i) input.nodes.push_back(node(i, "a"));
  for (int i = 0; i < 2; ++i) {
    Pod pod;
    pod.meta.ns = "ml";
    pod.meta.name = "p" + std::to_string(i);
    input.pods.push_back(pod);
  }
  SchedulerConfiguration configuration;
  configuration.percentage_of_nodes_to_score = 10;
  auto scheduler = Scheduler::make(std::move(input), configuration);
  ASSERT_TRUE(scheduler);
  scheduler->sample_nodes();
  const ScheduleResult first = scheduler->schedule(0), second = scheduler->schedule(1);
  EXPECT_EQ(first.feasible.size(), 100u);
  EXPECT_EQ(first.bound_to, 0u);
  EXPECT_EQ(second.bound_to, 100u);
}

}  // namespace
}  // namespace etiage::placement
