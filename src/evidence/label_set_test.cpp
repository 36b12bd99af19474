#include "evidence/label_set.h"

#include <gtest/gtest.h>

namespace etiage::evidence {
namespace {

using formats::Label;

TEST(LabelSet, FindsValuesByName) {
  const std::vector<Label> labels{{"UUID", "GPU-1"}, {"__name__", "up"}, {"pod", "p"}};
  Arena arena;
  const LabelSet set(labels, arena);
  EXPECT_EQ(set.value("UUID"), "GPU-1");
  EXPECT_EQ(set.value("pod"), "p");
  EXPECT_EQ(set.value("po"), "");
  EXPECT_EQ(set.value("pods"), "");
  EXPECT_EQ(LabelSet().value("pod"), "");
}

TEST(LabelSet, HandsOutItsLabelsInOrder) {
  const std::vector<Label> labels{{"a", "1"}, {"b", ""}, {"cc", "22"}};
  Arena arena, other;
  const LabelSet set(labels, arena);
  for (const LabelSet& same : {set, set.copied_to(other)}) {
    std::vector<Label> out;
    for (const Label& l : same.each()) out.push_back(l);
    EXPECT_EQ(out, labels);
    EXPECT_EQ(same.text(), set.text());
  }
  EXPECT_EQ(LabelSet().copied_to(other).size(), 0);
}

TEST(LabelSet, SortsAsItsLabelsDo) {
  const std::vector<Label> a{{"x", "1"}}, b{{"x", "1"}, {"y", "0"}}, c{{"x", "10"}}, d{{"xx", "1"}};
  Arena arena;
  const auto text = [&](const std::vector<Label>& labels) { return LabelSet(labels, arena).text(); };
  EXPECT_LT(text(a), text(b));
  EXPECT_LT(text(b), text(c));
  EXPECT_LT(text(c), text(d));
  EXPECT_EQ(text(a), text(a));
}

}  // namespace
}  // namespace etiage::evidence
