#include <gmock/gmock.h>

#include "explain/lint/scheduling_rules.h"

namespace etiage::explain {
namespace {

Diagnostics remarks(std::int32_t min_member, std::optional<placement::Amounts> limit) {
  LintInput input;
  input.node_amounts = {
      {{"cpu", 16}, {"nvidia.com/gpu", 8}}, {{"cpu", 16}, {"nvidia.com/gpu", 8}}, {{"cpu", 64}}};
  input.gangs = {
      {"PodGroup ml/train", {}, min_member, {{"cpu", 1}, {"nvidia.com/gpu", 3}}, "q", std::move(limit)}};
  Diagnostics out;
  lint_gangs(input, out);
  return out;
}

TEST(GangRules, CountsWhatFitsNodeByNode) {
  EXPECT_TRUE(remarks(4, {}).empty());
  const auto said = remarks(5, {});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].code, "gang-larger-than-cluster");
  EXPECT_THAT(said[0].message, testing::HasSubstr("have room for 4"));
}

TEST(GangRules, KnowsTheLimitOfTheQueue) {
  EXPECT_TRUE(remarks(4, placement::Amounts{{"nvidia.com/gpu", 12}}).empty());
  const auto said = remarks(4, placement::Amounts{{"nvidia.com/gpu", 11}});
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].code, "gang-larger-than-queue");
  EXPECT_TRUE(remarks(4, placement::Amounts{{"memory", 1}}).empty());
}

TEST(GangRules, SaysNothingWithoutNodes) {
  LintInput input;
  input.gangs = {{"PodGroup ml/train", {}, 99, {{"cpu", 1}}, "", {}}};
  Diagnostics out;
  lint_gangs(input, out);
  EXPECT_TRUE(out.empty());
}

}  // namespace
}  // namespace etiage::explain
