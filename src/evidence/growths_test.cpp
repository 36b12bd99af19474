#include "evidence/growths.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::evidence {
namespace {

std::vector<Growth> all(const Growths& growths) {
  std::vector<Growth> out;
  for (const Growth& g : growths) out.push_back(g);
  return out;
}

TEST(Growths, AreEmptyAtFirst) {
  EXPECT_TRUE(Growths().empty());
  EXPECT_TRUE(all(Growths()).empty());
  EXPECT_EQ(Growths().total(), 0);
}

RC_GTEST_PROP(Growths, ComeBackAsTheyCame,
              (const std::vector<std::pair<std::uint8_t, std::uint8_t>>& steps)) {
  Growths growths;
  std::vector<Growth> expected;
  Instant at{};
  double total = 0;
  for (const auto& [gap, length] : steps) {
    at = at + Duration::seconds(gap % 4 == 0 ? gap : 0);
    const Instant end = at + Duration::seconds(1 + length % 3);
    expected.push_back({{at, end}, length + 0.5});
    total += length + 0.5;
    growths.push_back(expected.back());
    at = end;
  }
  const auto out = all(growths);
  RC_ASSERT(out.size() == expected.size() && growths.size() == expected.size());
  RC_ASSERT(growths.total() == total);
  for (std::size_t i = 0; i < out.size(); ++i)
    RC_ASSERT(out[i].span == expected[i].span && out[i].amount == expected[i].amount);
}

}  // namespace
}  // namespace etiage::evidence
