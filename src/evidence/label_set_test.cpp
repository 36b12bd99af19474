#include "evidence/label_set.h"

#include <gtest/gtest.h>

namespace etiage::evidence {
namespace {

using formats::Label;

TEST(LabelSet, FindsValuesByName) {
  const std::vector<Label> labels{{"UUID", "GPU-1"}, {"__name__", "up"}, {"pod", "p"}};
  const LabelSet set(labels);
  EXPECT_EQ(set.value("UUID"), "GPU-1");
  EXPECT_EQ(set.value("pod"), "p");
  EXPECT_EQ(set.value("po"), "");
  EXPECT_EQ(set.value("pods"), "");
  EXPECT_EQ(LabelSet().value("pod"), "");
}

TEST(LabelSet, HandsOutItsLabelsInOrder) {
  const std::vector<Label> labels{{"a", "1"}, {"b", ""}, {"cc", "22"}};
  std::vector<Label> out;
  const LabelSet set(labels);
  for (const Label& l : set.each()) out.push_back(l);
  EXPECT_EQ(out, labels);
}

TEST(LabelSet, SortsAsItsLabelsDo) {
  const std::vector<Label> a{{"x", "1"}}, b{{"x", "1"}, {"y", "0"}}, c{{"x", "10"}}, d{{"xx", "1"}};
  EXPECT_LT(LabelSet(a).text(), LabelSet(b).text());
  EXPECT_LT(LabelSet(b).text(), LabelSet(c).text());
  EXPECT_LT(LabelSet(c).text(), LabelSet(d).text());
  EXPECT_EQ(LabelSet(a).text(), LabelSet(a).text());
}

}  // namespace
}  // namespace etiage::evidence
