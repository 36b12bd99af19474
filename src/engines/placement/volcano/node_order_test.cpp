#include "engines/placement/volcano/node_order.h"

#include <gtest/gtest.h>

namespace etiage::placement::volcano {
namespace {

Resource amounts(double cpu, double memory, double gpus) {
  return resource_of({{"cpu", cpu}, {"memory", memory}, {"nvidia.com/gpu", gpus}});
}

TEST(VolcanoBinpack, CountsGpusOnlyWhereTheyHaveAWeight) {
  const Resource node = amounts(96, 1024, 8), used = amounts(16, 128, 4), task = amounts(8, 64, 2);
  EXPECT_DOUBLE_EQ(binpack_score(used, node, task, {}), 21.875);
  BinpackWeights weights;
  weights.resources["nvidia.com/gpu"] = 10;
  EXPECT_NEAR(binpack_score(used, node, task, weights), 66.146, 5e-4);
  EXPECT_EQ(binpack_score(amounts(0, 0, 7), node, task, weights), 0);
}

TEST(VolcanoNodeOrder, ScoresWithTheWeightsOfThePlugin) {
  const auto usual = profiles_of({});
  ASSERT_TRUE(usual);
  ASSERT_EQ(usual->size(), 1u);
  EXPECT_EQ(usual->front().scores.size(), 7u);
  const auto packs = profiles_of({.least_requested = 0, .most_requested = 3, .balanced_resource = 0});
  ASSERT_TRUE(packs);
  ASSERT_EQ(packs->size(), 2u);
  EXPECT_EQ(packs->back().scores,
            (std::vector<std::pair<Plugin, std::int64_t>>{{Plugin::kNodeResourcesFit, 3}}));
}

}  // namespace
}  // namespace etiage::placement::volcano
