#include "engines/placement/volcano/resource.h"

#include <gmock/gmock.h>

namespace etiage::placement::volcano {
namespace {

TEST(VolcanoResource, CountsInThousandthsAndLeavesOutWhatIsNoResource) {
  const Resource r = resource_of({{"cpu", 0.1}, {"memory", 5}, {"nvidia.com/gpu", 2}, {"count/pods", 7}});
  EXPECT_EQ(r.cpu, 100);
  EXPECT_EQ(r.memory, 5);
  EXPECT_EQ(r.of("nvidia.com/gpu"), 2000);
  EXPECT_FALSE(r.scalars.contains("count/pods"));
  EXPECT_EQ(amounts_of(r), (Amounts{{"cpu", 0.1}, {"memory", 5}, {"nvidia.com/gpu", 2}}));
}

TEST(VolcanoResource, WhatALimitDoesNotNameIsZeroOrWithoutLimit) {
  const Resource limit = resource_of({{"cpu", 1}, {"memory", 9}});
  Resource r = resource_of({{"cpu", 2}, {"memory", 3}, {"nvidia.com/gpu", 4}});
  cap(r, limit, Unnamed::kInfinite);
  EXPECT_EQ(r.cpu, 1000);
  EXPECT_EQ(r.memory, 3);
  EXPECT_EQ(r.of("nvidia.com/gpu"), 4000);
  cap(r, limit, Unnamed::kZero);
  EXPECT_EQ(r.of("nvidia.com/gpu"), 0);
}

TEST(VolcanoResource, ComparesWhatIsAskedForAndNoPods) {
  Resource amount = resource_of({{"cpu", 3}, {"nvidia.com/gpu", 1}}), limit = resource_of({{"cpu", 2}});
  amount.scalars[std::string(kPods)] = 5;
  EXPECT_THAT(exceeded(amount, limit, amount), testing::ElementsAre("cpu", "nvidia.com/gpu"));
  EXPECT_THAT(exceeded(amount, limit, resource_of({{"memory", 1}})), testing::IsEmpty());
  EXPECT_FALSE(fits(amount, limit));
  EXPECT_TRUE(fits(limit, amount));
  Resource pods;
  pods.scalars[std::string(kPods)] = 1;
  EXPECT_TRUE(is_empty(pods));
}

}  // namespace
}  // namespace etiage::placement::volcano
