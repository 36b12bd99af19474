#include "engines/quota/quota_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::quota {
namespace {

constexpr FlavorId kFlavor{0};
constexpr ResourceId kGpu{0};

NodeSpec cohort(NodeId parent = {}, Amount nominal = 0, Amount borrow = kUnlimited,
                Amount lend = kUnlimited) {
  NodeSpec out{.parent = parent};
  if (nominal > 0 || borrow != kUnlimited || lend != kUnlimited)
    out.quotas = {{kFlavor, kGpu, nominal, borrow, lend}};
  return out;
}

NodeSpec queue(NodeId parent, Amount nominal, Amount borrow = kUnlimited, Amount lend = kUnlimited,
               double weight = 1) {
  return {.parent = parent,
          .weight = weight,
          .is_queue = true,
          .quotas = {{kFlavor, kGpu, nominal, borrow, lend}}};
}

std::vector<Amount> available(const QuotaTree& tree, std::vector<std::uint32_t> nodes) {
  std::vector<Amount> out;
  for (const std::uint32_t n : nodes) out.push_back(tree.available({n}, tree.column({n}, kFlavor, kGpu)));
  return out;
}

double weighted(const Share& s) {
  return s.ratio / s.weight;
}

TEST(QuotaTree, ThreeTeamsShareACohort) {
  QuotaTree tree({cohort(), queue({0}, 32, 16), queue({0}, 32, 16), queue({0}, 32, 16)});
  const Column c = tree.column({1}, kFlavor, kGpu);
  EXPECT_THAT(available(tree, {1, 2, 3}), testing::ElementsAre(48, 48, 48));
  EXPECT_EQ(tree.potential({1}, c), 48);
  tree.add_usage({1}, c, 40);
  EXPECT_THAT(available(tree, {1, 2, 3}), testing::ElementsAre(8, 48, 48));
  EXPECT_NEAR(weighted(tree.share({1})), 83.3, 0.1);
  tree.add_usage({1}, c, 8);
  tree.add_usage({2}, c, 48);
  // The third owns 32 and yet has nothing until it reclaims.
  EXPECT_THAT(available(tree, {1, 2, 3}), testing::ElementsAre(0, 0, 0));
  EXPECT_NEAR(weighted(tree.share({1})), 166.7, 0.1);
}

TEST(QuotaTree, LendingLimitKeepsAPartAtHome) {
  QuotaTree tree({cohort(), queue({0}, 32, kUnlimited, 8), queue({0}, 32)});
  EXPECT_THAT(available(tree, {1, 2}), testing::ElementsAre(64, 40));
  tree.add_usage({2}, tree.column({2}, kFlavor, kGpu), 40);
  EXPECT_THAT(available(tree, {1, 2}), testing::ElementsAre(24, 0));
  EXPECT_NEAR(weighted(tree.share({2})), 200, 0.1);
}

TEST(QuotaTree, TwoLevelsOfCohorts) {
  QuotaTree tree({cohort({}, 8), cohort({0}, 0, 4), cohort({0}, 0, kUnlimited, 6), queue({1}, 8),
                  queue({1}, 4, 0), queue({2}, 16)});
  EXPECT_THAT(available(tree, {3, 4, 5, 1, 2}), testing::ElementsAre(16, 4, 36, 16, 36));
  const Column c = tree.column({3}, kFlavor, kGpu);
  tree.add_usage({3}, c, 14);
  tree.add_usage({5}, c, 12);
  EXPECT_THAT(available(tree, {3, 4, 5}), testing::ElementsAre(2, 2, 10));
  EXPECT_NEAR(weighted(tree.share({3})), 375, 0.1);
  EXPECT_NEAR(weighted(tree.share({1})), 76.9, 0.1);
}

TEST(QuotaTree, WeightsDivideShares) {
  QuotaTree tree({cohort(), queue({0}, 10, kUnlimited, kUnlimited, 1),
                  queue({0}, 10, kUnlimited, kUnlimited, 2), queue({0}, 20)});
  const Column c = tree.column({1}, kFlavor, kGpu);
  tree.add_usage({1}, c, 20);
  tree.add_usage({2}, c, 20);
  EXPECT_NEAR(weighted(tree.share({1})), 250, 0.1);
  EXPECT_NEAR(weighted(tree.share({2})), 125, 0.1);
  EXPECT_EQ(compare(tree.share({1}), tree.share({2})), 1);
}

/// A root, up to three cohorts below it or below each other, up to five queues.
std::vector<NodeSpec> any_tree() {
  std::vector<NodeSpec> out{cohort()};
  const auto limit = [] {
    return *rc::gen::arbitrary<bool>() ? kUnlimited : *rc::gen::inRange<Amount>(0, 20);
  };
  const int cohorts = *rc::gen::inRange(0, 4);
  for (int i = 0; i < cohorts; ++i) {
    const auto parent = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(out.size()));
    out.push_back(cohort({parent}, *rc::gen::inRange<Amount>(0, 20), limit(), limit()));
  }
  const auto parents = static_cast<std::uint32_t>(out.size());
  const int queues = *rc::gen::inRange(1, 6);
  for (int i = 0; i < queues; ++i) {
    const Amount nominal = *rc::gen::inRange<Amount>(0, 20);
    const Amount lend = *rc::gen::arbitrary<bool>() ? kUnlimited : *rc::gen::inRange<Amount>(0, nominal + 1);
    out.push_back(queue({*rc::gen::inRange<std::uint32_t>(0, parents)}, nominal, limit(), lend));
  }
  return out;
}

RC_GTEST_PROP(QuotaTree, NobodyBeyondWhatItMayBorrowNorAllBeyondWhatThereIs, ()) {
  const std::vector<NodeSpec> specs = any_tree();
  QuotaTree tree(specs);
  Amount all = 0;
  for (const NodeSpec& s : specs)
    for (const QuotaSpec& q : s.quotas) all += q.nominal;
  Amount used = 0;
  for (int step = 0; step < 30; ++step) {
    const NodeId n{*rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(specs.size()))};
    if (!specs[n.index()].is_queue) continue;
    const Column c = tree.column(n, kFlavor, kGpu);
    const Amount free = tree.available(n, c);
    if (free <= 0) continue;
    const Amount amount = *rc::gen::inRange<Amount>(1, free + 1);
    tree.add_usage(n, c, amount);
    used += amount;
    RC_ASSERT(tree.usage(n, c) <= plus(tree.nominal(n, c), tree.borrowing_limit(n, c)));
    RC_ASSERT(tree.usage(n, c) <= tree.potential(n, c));
  }
  RC_ASSERT(used <= all);
}

RC_GTEST_PROP(QuotaTree, UndoAndRemovalRestoreEverything, ()) {
  const std::vector<NodeSpec> specs = any_tree();
  QuotaTree tree(specs);
  const auto state = [&] {
    std::vector<Amount> out;
    for (std::uint32_t n = 0; n < specs.size(); ++n) {
      const Column c = tree.column({n}, kFlavor, kGpu);
      if (c != kNoColumn) out.insert(out.end(), {tree.usage({n}, c), tree.available({n}, c)});
    }
    return out;
  };
  std::vector<std::pair<NodeId, Amount>> added;
  const auto add_some = [&] {
    for (int i = 0; i < 8; ++i) {
      const NodeId n{*rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(specs.size()))};
      if (!specs[n.index()].is_queue) continue;
      added.emplace_back(n, *rc::gen::inRange<Amount>(0, 40));
      tree.add_usage(n, tree.column(n, kFlavor, kGpu), added.back().second);
    }
  };
  const auto empty = state();
  add_some();
  const auto before = state();
  const std::size_t kept = added.size();
  const UndoLog::Mark mark = tree.log().mark();
  add_some();
  tree.log().revert_to(mark);
  RC_ASSERT(state() == before);
  added.resize(kept);
  while (!added.empty()) {
    tree.remove_usage(added.back().first, tree.column(added.back().first, kFlavor, kGpu),
                      added.back().second);
    added.pop_back();
  }
  RC_ASSERT(state() == empty);
}

}  // namespace
}  // namespace etiage::quota
