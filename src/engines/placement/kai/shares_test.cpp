#include "engines/placement/kai/shares.h"

#include <gmock/gmock.h>

namespace etiage::placement::kai {
namespace {

using testing::ElementsAre;

Queue queue(double quota, double weight, double requested, double limit = -1) {
  return {.name = "q", .quota = quota, .limit = limit, .over_quota_weight = weight, .requested = requested};
}

TEST(KaiShares, QuotaFirstThenByWeight) {
  EXPECT_THAT(fair_shares({queue(10, 3, 100), queue(10, 1, 100)}, 100), ElementsAre(70, 30));
}

TEST(KaiShares, WhatOneDoesNotWantGoesToTheOther) {
  EXPECT_THAT(fair_shares({queue(10, 3, 20), queue(10, 1, 100)}, 100), ElementsAre(20, 80));
}

TEST(KaiShares, WithoutALimitThereIsNoOverQuota) {
  EXPECT_THAT(fair_shares({queue(10, 3, 100, 0), queue(10, 1, 100)}, 100), ElementsAre(10, 90));
  EXPECT_THAT(fair_shares({queue(10, 3, 100, 25), queue(10, 1, 100)}, 100), ElementsAre(25, 75));
}

TEST(KaiShares, HigherTiersComeFirstAndUnitsStayWhole) {
  Queue first = queue(0, 1, 60);
  first.priority = 200;
  EXPECT_THAT(fair_shares({queue(0, 1, 100), first, queue(0, 1, 100)}, 101), ElementsAre(21, 60, 20));
}

TEST(KaiShares, PastUsageCountsAsMuchAsItIsTold) {
  Queue spender = queue(0, 1, 100), saver = queue(0, 1, 100);
  spender.usage = 0.75;
  saver.usage = 0.25;
  EXPECT_THAT(fair_shares({spender, saver}, 100, 0), ElementsAre(50, 50));
  EXPECT_THAT(fair_shares({spender, saver}, 100, 1), ElementsAre(25, 75));
}

TEST(KaiShares, ReclaimStaysWithinTheFairShare) {
  Queue reclaimer = queue(10, 1, 100), victim = queue(10, 1, 100);
  reclaimer.allocated = 8;
  victim.allocated = 60;
  EXPECT_TRUE(may_reclaim(reclaimer, 50, 4, true));
  EXPECT_FALSE(may_reclaim(reclaimer, 50, 43, true));
  reclaimer.allocated_fixed = 8;
  EXPECT_FALSE(may_reclaim(reclaimer, 50, 4, false))
      << "beyond the quota with a job that cannot be preempted";
  EXPECT_TRUE(may_be_reclaimed(victim, 50, reclaimer, 4));
  victim.allocated = 40;
  EXPECT_FALSE(may_be_reclaimed(victim, 50, reclaimer, 4));
  EXPECT_TRUE(may_be_reclaimed(victim, 50, reclaimer, 2))
      << "within its own quota, against one above its quota";
}

TEST(KaiBinpack, IsRelativeToTheOtherNodes) {
  EXPECT_DOUBLE_EQ(binpack_score(2, 2, 8), 9);
  EXPECT_DOUBLE_EQ(binpack_score(8, 2, 8), 0);
  EXPECT_DOUBLE_EQ(binpack_score(5, 2, 8), 4.5);
}

}  // namespace
}  // namespace etiage::placement::kai
