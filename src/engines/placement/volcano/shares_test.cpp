#include "engines/placement/volcano/shares.h"

#include <gtest/gtest.h>

namespace etiage::placement::volcano {
namespace {

Queue queue(const std::string& name, std::int32_t weight, double asks) {
  return {.name = name, .weight = weight, .request = {{"gpu", asks}}};
}

TEST(VolcanoShares, WaterIsPouredByWeightAndWhatIsNotWantedFlowsOn) {
  std::vector<Queue> queues{queue("a", 3, 100), queue("b", 1, 100), queue("c", 4, 4)};
  water_fill(queues, {{"gpu", 64}});
  EXPECT_DOUBLE_EQ(queues[2].deserved["gpu"], 4);
  EXPECT_NEAR(queues[0].deserved["gpu"], 45, 1e-3);
  EXPECT_NEAR(queues[1].deserved["gpu"], 15, 1e-3);
}

TEST(VolcanoShares, GuaranteesStandAndLimitsHold) {
  std::vector<Queue> queues{queue("a", 1, 100), queue("b", 1, 100)};
  queues[0].guarantee = {{"gpu", 48}};
  queues[1].capability = Amounts{{"gpu", 10}};
  water_fill(queues, {{"gpu", 64}});
  EXPECT_GE(queues[0].deserved["gpu"], 48);
  EXPECT_LE(queues[1].deserved["gpu"], 10);
  EXPECT_DOUBLE_EQ(real_capability(queues[1], queues, {{"gpu", 64}})["gpu"], 10);
  EXPECT_DOUBLE_EQ(real_capability(queues[0], queues, {{"gpu", 64}})["gpu"], 64);
}

TEST(VolcanoShares, QueuesWithoutJobsTakeNoPart) {
  std::vector<Queue> queues{queue("a", 1, 100), {.name = "idle", .weight = 9}};
  water_fill(queues, {{"gpu", 8}});
  EXPECT_NEAR(queues[0].deserved["gpu"], 8, 1e-6);
  EXPECT_TRUE(queues[1].deserved.empty());
}

TEST(VolcanoShares, ReclaimTakesWhatIsAboveDeserved) {
  Queue taker{.name = "taker", .deserved = {{"gpu", 8}}, .allocated = {{"gpu", 2}}};
  Queue giver{.name = "giver", .deserved = {{"gpu", 8}}, .allocated = {{"gpu", 14}}};
  EXPECT_TRUE(may_reclaim(taker, {{"gpu", 4}}));
  EXPECT_FALSE(may_reclaim(taker, {{"gpu", 7}}));
  EXPECT_TRUE(is_victim(giver, {{"gpu", 4}}, {{"gpu", 4}}));
  EXPECT_FALSE(is_victim(giver, {{"cpu", 4}}, {{"gpu", 4}})) << "they share no resource";
  giver.guarantee = {{"gpu", 12}};
  EXPECT_FALSE(is_victim(giver, {{"gpu", 4}}, {{"gpu", 4}})) << "the guarantee would break";
  giver.guarantee.clear();
  giver.allocated = {{"gpu", 8}};
  EXPECT_FALSE(is_victim(giver, {{"gpu", 4}}, {{"gpu", 4}}));
  EXPECT_TRUE(is_overused(giver));
  EXPECT_DOUBLE_EQ(share(giver), 1);
  EXPECT_DOUBLE_EQ(share(taker), 0.25);
}

TEST(VolcanoShares, EnqueueLooksAtTheLimit) {
  Queue q{.name = "q", .allocated = {{"gpu", 6}}};
  EXPECT_TRUE(may_enqueue(q, {{"gpu", 8}}, {{"gpu", 2}, {"cpu", 99}}));
  EXPECT_FALSE(may_enqueue(q, {{"gpu", 8}}, {{"gpu", 2}}, {{"gpu", 1}}));
  EXPECT_TRUE(may_enqueue(q, {{"gpu", 8}}, {{"gpu", 2}}, {{"gpu", 1}}, {{"gpu", 1}}));
}

TEST(VolcanoShares, AGangGivesOnlyWhatIsAboveItsMinimum) {
  EXPECT_EQ(spare_pods(8, 8), 0);
  EXPECT_EQ(spare_pods(8, 6), 2);
}

TEST(VolcanoBinpack, CountsGpusOnlyWhereTheyHaveAWeight) {
  const Amounts node{{"cpu", 96}, {"memory", 1024}, {"gpu", 8}},
      used{{"cpu", 16}, {"memory", 128}, {"gpu", 4}};
  const Amounts task{{"cpu", 8}, {"memory", 64}, {"gpu", 2}};
  EXPECT_DOUBLE_EQ(binpack_score(used, node, task, {}), 21.875);
  BinpackWeights weights;
  weights.resources["gpu"] = 10;
  EXPECT_NEAR(binpack_score(used, node, task, weights), 66.146, 5e-4);
  EXPECT_EQ(binpack_score({{"gpu", 7}}, node, task, weights), 0);
}

}  // namespace
}  // namespace etiage::placement::volcano
