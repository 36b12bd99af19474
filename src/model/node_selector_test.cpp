#include "model/node_selector.h"

#include <gtest/gtest.h>

namespace etiage {
namespace {

using Operator = Requirement::Operator;

NodeSelector one(Requirement r) {
  return {{{std::move(r)}, {}}};
}

TEST(NodeSelector, MatchesLabelsAsNodeAffinityDoes) {
  const LabelMap labels{{"zone", "a"}, {"gpus", "8"}};
  const NodeIdentity node{"n1", labels};
  EXPECT_TRUE(matches(one({"zone", Operator::kIn, {"b", "a"}}), node));
  EXPECT_FALSE(matches(one({"rack", Operator::kIn, {"a"}}), node));
  EXPECT_TRUE(matches(one({"rack", Operator::kNotIn, {"a"}}), node));
  EXPECT_TRUE(matches(one({"gpus", Operator::kGt, {"7"}}), node));
  EXPECT_FALSE(matches(one({"zone", Operator::kLt, {"7"}}), node));
  EXPECT_FALSE(matches(NodeSelector{{}}, node)) << "a term without parts takes nothing";
  EXPECT_FALSE(matches(NodeSelector{}, node));
  EXPECT_TRUE(matches(NodeSelector{{{}, {{"metadata.name", Operator::kIn, {"n1"}}}}}, node));
}

TEST(NodeSelector, NamesFaults) {
  EXPECT_TRUE(selector_fault(one({"zone", Operator::kIn, {}})));
  EXPECT_TRUE(selector_fault(one({"zone", Operator::kExists, {"a"}})));
  EXPECT_TRUE(selector_fault(one({"gpus", Operator::kGt, {"many"}})));
  EXPECT_TRUE(selector_fault(NodeSelector{{{}, {{"metadata.name", Operator::kIn, {"a", "b"}}}}}));
  EXPECT_FALSE(selector_fault(one({"zone", Operator::kNotIn, {"a"}})));
}

}  // namespace
}  // namespace etiage
