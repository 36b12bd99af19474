// Vectors worked out by hand for the formulas of Kueue; those of the quota tree stand in quota_tree_test.cpp.

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/quota/local_usage.h"
#include "engines/quota/nomination.h"

namespace etiage::quota {
namespace {

TEST(GoldenVectors, TheShareOfFiveMinutesInAHalfLife) {
  EXPECT_NEAR(forgotten(Duration::seconds(300), Duration::hours(24)), 0.0024039, 5e-8);
  EXPECT_NEAR(forgotten(Duration::seconds(300), Duration::hours(7 * 24)), 0.00034376, 5e-9);
  EXPECT_EQ(forgotten(Duration::seconds(300), {}), 0);
}

TEST(GoldenVectors, NothingDividedByNothingIsTheLeastUsage) {
  const double nothing = std::nan("");
  EXPECT_EQ(order_of_usage(nothing, 0), -1);
  EXPECT_EQ(order_of_usage(0, nothing), 1);
  EXPECT_EQ(order_of_usage(nothing, nothing), 0);
  EXPECT_EQ(order_of_usage(1, 2), -1);
}

TEST(GoldenVectors, PartialAdmissionTakesFromEveryPodSetInProportion) {
  Workload workload;
  workload.pod_sets.resize(2);
  workload.pod_sets[0].count = 16;
  workload.pod_sets[0].min_count = 8;
  workload.pod_sets[1].count = 8;
  workload.pod_sets[1].min_count = 4;
  ASSERT_EQ(most_cut(workload), 12);
  std::vector<std::pair<int, int>> found;
  std::vector<std::int32_t> counts;
  for (std::int64_t cut = 0; cut <= 12; ++cut) {
    reduced_counts(workload, cut, counts);
    found.emplace_back(counts[0], counts[1]);
  }
  EXPECT_THAT(found, testing::ElementsAreArray(std::vector<std::pair<int, int>>{{16, 8},
                                                                                {16, 8},
                                                                                {15, 8},
                                                                                {14, 7},
                                                                                {14, 7},
                                                                                {13, 7},
                                                                                {12, 6},
                                                                                {12, 6},
                                                                                {11, 6},
                                                                                {10, 5},
                                                                                {10, 5},
                                                                                {9, 5},
                                                                                {8, 4}}));
}

}  // namespace
}  // namespace etiage::quota
