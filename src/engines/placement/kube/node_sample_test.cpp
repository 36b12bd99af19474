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
  NodeSample sample(*snapshot);
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

TEST(NodeSample, AProfileHasAPercentageOfItsOwn) {
  Profile profile;
  profile.scores = {{Plugin::kNodeResourcesFit, 1}};
  profile.arguments.percentage_of_nodes_to_score = 70;
  EXPECT_EQ(enough_nodes(profile, 1000), 700u);
  profile.scores.clear();
  EXPECT_EQ(enough_nodes(profile, 1000), 1u) << "without scores the first that fits is taken";
}

/// Best among some, by the score of each.
std::vector<NodeIndex> best_of(const std::vector<std::int64_t>& scores, const std::vector<NodeIndex>& seen) {
  std::int64_t highest = INT64_MIN;
  for (const NodeIndex n : seen) highest = std::max(highest, scores[n]);
  std::vector<NodeIndex> out;
  for (const NodeIndex n : seen)
    if (scores[n] == highest) out.push_back(n);
  return out;
}

TEST(NodeSample, WhatAnyWalkMayChooseIsTheSameByScoresAndByTrying) {
  std::uint32_t state = 7;
  const auto next = [&] { return state = state * 1664525 + 1013904223; };
  for (int round = 0; round < 200; ++round) {
    const std::size_t all = 1 + next() / 7 % 9, enough = 1 + next() / 7 % 9;
    std::vector<NodeIndex> fitting;
    std::vector<std::int64_t> scores;
    for (NodeIndex n = 0; n < all; ++n) {
      fitting.push_back(n);
      scores.push_back(next() / 7 % 4);
    }
    auto tried = best_of_any_walk(fitting, enough,
                                  [&](const std::vector<NodeIndex>& seen) { return best_of(scores, seen); });
    std::ranges::sort(tried);
    EXPECT_EQ(best_of_any_walk(fitting, enough, scores), tried);
  }
}

TEST(NodeSample, SaysWhereAPodMayGoWhereverTheWalkBegins) {
  SchedulingInput input;
  for (int i = 0; i < 200; ++i) input.nodes.push_back(node(i, "a"));
  Pod pod;
  pod.meta.name = "p";
  input.pods.push_back(pod);
  SchedulerConfiguration configuration;
  configuration.percentage_of_nodes_to_score = 10;
  auto scheduler = Scheduler::make(std::move(input), configuration);
  ASSERT_TRUE(scheduler);
  scheduler->sample_nodes();
  const ScheduleResult result = scheduler->schedule(0);
  EXPECT_EQ(result.best.size(), 100u);
  EXPECT_EQ(result.possible.size(), 200u);
}

}  // namespace
}  // namespace etiage::placement
