#include <gmock/gmock.h>
#include <numeric>
#include <rapidcheck/gtest.h>

#include "engines/placement/ranking.h"
#include "engines/placement/share/bound.h"

namespace etiage::placement {
namespace {

using testing::DoubleNear;

PodClass sharing(std::int32_t milli, std::int64_t cpu = 1000) {
  return {.cpu_milli = cpu, .gpus = 1, .gpu_milli = milli};
}
PodClass whole(std::int32_t devices, std::int64_t cpu = 1000) {
  return {.cpu_milli = cpu, .gpus = devices, .gpu_milli = kWholeDevice};
}

NodeState node_of(std::int32_t gpus, std::int64_t cpu = 96000) {
  NodeState n{.cpu_free = cpu, .memory_free = 1 << 20, .cpu_total = cpu, .gpus = gpus};
  for (int i = 0; i < gpus; ++i) n.device_free[static_cast<std::size_t>(i)] = kWholeDevice;
  return n;
}

TEST(Fragmentation, CountsWhatATypicalPodCannotUse) {
  Fragmentation f({{whole(2), 0.5}, {sharing(600), 0.5}});
  NodeState n = node_of(2);
  EXPECT_EQ(f.of(n), 0);
  place(n, sharing(500), 1);
  // One whole device is left: a pod of two finds 1500 useless, a pod of 600 only the 500.
  EXPECT_EQ(f.of(n), 0.5 * 1500 + 0.5 * 500);
  n.cpu_free = 500;
  EXPECT_EQ(f.of(n), 1500) << "without CPU nothing is of use";
}

TEST(HolePrices, AHoleThatNobodyFillsIsWaste) {
  const HolePrices prices({{810, 100}, {470, 100}, {160, 1}});
  EXPECT_THAT(prices.devices_needed(), DoubleNear(150, 1e-6));
  EXPECT_THAT(prices.waste(190), DoubleNear(190, 1e-6))
      << "there are a hundred such holes and one pod of 160";
  EXPECT_THAT(prices.waste(530), DoubleNear(30, 1e-6)) << "half a device for half a device";
  EXPECT_EQ(prices.waste(1000), 0);
}

TEST(Policy, FollowsThePublishedFormulas) {
  ShareCluster cluster{.nodes = {node_of(8)}, .classes = {sharing(500)}, .class_of = {0}};
  PolicyContext context(cluster);
  NodeState n = node_of(8);
  EXPECT_EQ(score(SharePolicy::kGpuPacking, n, whole(1), context), 33 - 8);
  EXPECT_EQ(score(SharePolicy::kGpuClustering, n, whole(1), context), 25);
  place(n, whole(1), 1);
  EXPECT_EQ(score(SharePolicy::kGpuPacking, n, whole(2), context), 50 - 2);
  EXPECT_EQ(score(SharePolicy::kGpuClustering, n, whole(1), context), 25 * 1000 / 8000 + 75);
  EXPECT_EQ(score(SharePolicy::kFgd, node_of(8), sharing(500), context), 50)
      << "nothing is fragmented, nothing gained";
}

/// Two nodes of one device; one pod of each row arrives, in this order.
ReplayInput arriving(const ShareCluster& cluster) {
  std::vector<std::uint32_t> pods(cluster.class_of.size()), ties(cluster.nodes.size());
  std::iota(pods.begin(), pods.end(), 0);
  std::iota(ties.begin(), ties.end(), 0);
  return {cluster, pods, ties};
}

TEST(AllocationBound, CutsDevicesByPatterns) {
  const ShareCluster cluster{.nodes = {node_of(1), node_of(1)},
                             .classes = {sharing(600), sharing(300)},
                             .class_of = {0, 0, 0, 1, 1, 1, 1}};
  EXPECT_EQ(allocation_bound(arriving(cluster)).resources, 2000);
  EXPECT_NEAR(static_cast<double>(allocation_bound(arriving(cluster)).patterns), 1800, 1)
      << "600 + 300 on either, or three of 300";
}

TEST(AllocationBound, KnowsThatNoneIsRefused) {
  const ShareCluster cluster{
      .nodes = {node_of(1), node_of(1)}, .classes = {sharing(810), whole(1)}, .class_of = {0, 1, 1}};
  ReplayInput input = arriving(cluster);
  EXPECT_NEAR(static_cast<double>(allocation_bound(input).patterns), 2000, 1);
  EXPECT_EQ(replay(input, SharePolicy::kFgd).used_milli(), 1810);
  input.look_ahead = 2;
  input.defer = true;
  EXPECT_NEAR(static_cast<double>(allocation_bound(input).milli()), 2000, 1) << "it may be put off";
}

TEST(AllocationBound, OfALongRowOfWastefulPods) {
  ShareCluster cluster{.classes = {sharing(810), whole(1)}};
  for (int i = 0; i < 100; ++i) cluster.nodes.push_back(node_of(1));
  for (std::uint32_t i = 0; i < 200; ++i) cluster.class_of.push_back(i % 2);
  const ReplayInput input = arriving(cluster);
  const AllocationBound bound = allocation_bound(input);
  EXPECT_NEAR(static_cast<double>(bound.patterns), 100000, 1);
  EXPECT_EQ(replay(input, SharePolicy::kFgd).used_milli(), 50 * 810 + 50 * 1000);
  EXPECT_LE(bound.none_refused, 52 * 1000 + 48 * 810) << "every second device loses 190, but for the ends";
}

TEST(Replay, WhatFitsNowhereMakesRoomInTheWindow) {
  const ShareCluster cluster{
      .nodes = {node_of(1)}, .classes = {whole(2), sharing(600), sharing(400)}, .class_of = {0, 0, 0, 1, 2}};
  ReplayInput input = arriving(cluster);
  input.look_ahead = 2;
  const ReplayResult result = replay(input, SharePolicy::kPriced);
  EXPECT_EQ(result.failed, 3u);
  EXPECT_EQ(result.used_milli(), 1000);
}

RC_GTEST_PROP(Ranking, FindsWhatASearchFinds, ()) {
  const auto nodes = *rc::gen::inRange<std::uint32_t>(1, 150);
  auto scores = *rc::gen::container<std::vector<int>>(nodes, rc::gen::inRange(-1, 6));
  std::vector<std::uint32_t> order(nodes);
  std::iota(order.begin(), order.end(), 0);
  ScoreRanking ranking(order, 1, 5, [&](auto, auto n) { return scores[n]; });
  for (int step = 0; step < 20; ++step) {
    const auto best = std::ranges::max_element(scores);
    if (*best < 0) {
      RC_ASSERT(!ranking.best(0));
    } else {
      RC_ASSERT(ranking.best(0) == static_cast<std::uint32_t>(best - scores.begin()));
    }
    const auto changed = *rc::gen::inRange<std::uint32_t>(0, nodes);
    scores[changed] = *rc::gen::inRange(-1, 6);
    ranking.changed(changed);
  }
}

/// A small cluster and pods of all kinds.
ShareCluster some_cluster() {
  ShareCluster out;
  for (int i = 0; i < *rc::gen::inRange(1, 12); ++i)
    out.nodes.push_back(node_of(*rc::gen::element(0, 1, 2, 8), *rc::gen::element(4000, 16000, 96000)));
  out.classes = {sharing(810), sharing(470), sharing(160), whole(1, 8000), whole(2), {.cpu_milli = 3000}};
  for (int i = 0; i < *rc::gen::inRange(0, 150); ++i)
    out.class_of.push_back(*rc::gen::inRange<std::uint32_t>(0, 6));
  return out;
}

RC_GTEST_PROP(Replay, TakesNoMoreThanThereIs, ()) {
  const ShareCluster cluster = some_cluster();
  std::vector<std::uint32_t> pods(cluster.class_of.size()), ties(cluster.nodes.size());
  std::iota(pods.begin(), pods.end(), 0);
  std::iota(ties.begin(), ties.end(), 0);
  const auto policy = *rc::gen::elementOf(share_policies());
  const ReplayInput input{
      cluster, pods, ties, 7, *rc::gen::element<std::size_t>(1, 8, 1000), *rc::gen::arbitrary<bool>()};
  const ReplayResult result = replay(input, policy);
  RC_ASSERT(result.placed.size() + result.failed == pods.size());
  std::vector<NodeState> again = cluster.nodes;
  std::int64_t used = 0;
  for (const Placement& p : result.placed) {
    const PodClass& pod = cluster.classes[cluster.class_of[p.pod]];
    RC_ASSERT(fits(again[p.node], pod));
    place(again[p.node], pod, p.devices);
    for (const auto free : again[p.node].device_free) RC_ASSERT(free >= 0);
    used += pod.total_gpu_milli();
  }
  RC_ASSERT(again == result.nodes);
  RC_ASSERT(used == result.used_milli());
  RC_ASSERT(used <= allocation_bound(input).milli());
}

}  // namespace
}  // namespace etiage::placement
