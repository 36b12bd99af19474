#include "engines/placement/volcano/shares.h"

#include <gtest/gtest.h>

namespace etiage::placement::volcano {
namespace {

Resource gpus(double n) {
  return resource_of({{"nvidia.com/gpu", n}});
}

double gpus_in(const Resource& r) {
  return r.of("nvidia.com/gpu") / 1000;
}

Queue queue(const std::string& name, std::int32_t weight, double asks) {
  return {.name = name, .weight = weight, .has_jobs = true, .request = gpus(asks)};
}

TEST(VolcanoShares, WaterIsPouredByWeightAndWhatIsNotWantedFlowsOn) {
  std::vector<Queue> queues{queue("a", 3, 100), queue("b", 1, 100), queue("c", 4, 4)};
  water_fill(queues, gpus(64));
  EXPECT_DOUBLE_EQ(gpus_in(queues[2].deserved), 4);
  EXPECT_NEAR(gpus_in(queues[0].deserved), 45, 1e-3);
  EXPECT_NEAR(gpus_in(queues[1].deserved), 15, 1e-3);
}

TEST(VolcanoShares, GuaranteesStandAndLimitsHold) {
  std::vector<Queue> queues{queue("a", 1, 100), queue("b", 1, 100)};
  queues[0].guarantee = gpus(48);
  queues[1].capability = gpus(10);
  water_fill(queues, gpus(64));
  EXPECT_GE(gpus_in(queues[0].deserved), 48);
  EXPECT_LE(gpus_in(queues[1].deserved), 10);
  EXPECT_DOUBLE_EQ(gpus_in(real_capability(queues[1], queues, gpus(64))), 10);
  EXPECT_DOUBLE_EQ(gpus_in(real_capability(queues[0], queues, gpus(64))), 64);
}

TEST(VolcanoShares, QueuesWithoutJobsTakeNoPart) {
  std::vector<Queue> queues{queue("a", 1, 100), {.name = "idle", .weight = 9}};
  water_fill(queues, gpus(8));
  EXPECT_NEAR(gpus_in(queues[0].deserved), 8, 1e-6);
  EXPECT_TRUE(is_empty(queues[1].deserved));
}

TEST(VolcanoShares, CapacityKeepsDeservedWithinWhatAQueueCanHave) {
  std::vector<Queue> queues{queue("a", 1, 8)};
  queues[0].deserved = gpus(99);
  bound_deserved(queues, gpus(8));
  EXPECT_DOUBLE_EQ(gpus_in(queues[0].deserved), 8);
}

TEST(VolcanoShares, ReclaimTakesWhatIsAboveDeserved) {
  Queue taker{.name = "taker", .deserved = gpus(8), .allocated = gpus(2)};
  Queue giver{.name = "giver", .deserved = gpus(8), .allocated = gpus(14)};
  EXPECT_TRUE(may_reclaim(taker, gpus(4)));
  EXPECT_FALSE(may_reclaim(taker, gpus(7)));
  EXPECT_TRUE(is_victim(giver, gpus(4), gpus(4)));
  EXPECT_FALSE(is_victim(giver, resource_of({{"cpu", 4}}), gpus(4))) << "they share no resource";
  giver.guarantee = gpus(12);
  EXPECT_FALSE(is_victim(giver, gpus(4), gpus(4))) << "the guarantee would break";
  giver.guarantee = {};
  giver.allocated = gpus(8);
  EXPECT_FALSE(is_victim(giver, gpus(4), gpus(4)));
  EXPECT_TRUE(is_overused(giver));
  EXPECT_DOUBLE_EQ(share(giver), 1);
  EXPECT_DOUBLE_EQ(share(taker), 0.25);
}

TEST(VolcanoShares, AGangGivesOnlyWhatIsAboveItsMinimum) {
  EXPECT_EQ(spare_pods(8, 8), 0);
  EXPECT_EQ(spare_pods(8, 6), 2);
}

}  // namespace
}  // namespace etiage::placement::volcano
