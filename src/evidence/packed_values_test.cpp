#include "evidence/packed_values.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>
#include <span>
#include <vector>

#include "formats/samples.h"

namespace etiage::evidence {
namespace {

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double v : values) out.push_back(std::bit_cast<std::uint64_t>(v));
  return out;
}

std::vector<double> all_of(const PackedValues& packed) {
  std::vector<double> out;
  packed.for_each([&](double v) { out.push_back(v); });
  return out;
}

std::vector<double> through(const std::vector<double>& values) {
  Arena arena;
  PackedValues packed;
  packed.append(values, arena);
  return all_of(packed);
}

TEST(PackedValues, ComeBackBitForBit) {
  const double odd[] = {0.0,
                        -0.0,
                        0.1,
                        0.1234,
                        1e-5,
                        32767,
                        -32768,
                        2147483647,
                        -2147483648.0,
                        4e9,
                        1e300,
                        std::numeric_limits<double>::infinity(),
                        formats::stale_marker(),
                        5e-324,
                        0.99995};
  for (const double special : odd)
    for (const double common : {1.0, 0.5, 70000.0, 1e-7}) {
      std::vector<double> values(300, common);
      for (std::size_t i = 0; i < values.size(); i += 2) values[i] += static_cast<double>(i % 7);
      values[150] = special;
      EXPECT_EQ(bits(through(values)), bits(values)) << special;
      std::ranges::fill(values, special);
      EXPECT_EQ(bits(through(values)), bits(values)) << special;
    }
}

RC_GTEST_PROP(PackedValues, ComeBackHoweverTheyCame,
              (const std::vector<std::vector<int>>& groups, bool ratios)) {
  Arena arena;
  PackedValues packed;
  std::vector<double> all;
  for (const auto& group : groups) {
    const std::size_t before = all.size();
    for (const int n : group)
      for (int k = 0; k < 40; ++k) {
        const double v = ratios ? (n % 10000 + k) / 1e4 : static_cast<double>(n) + k;
        all.push_back(v);
      }
    packed.append(std::span(all).subspan(before), arena);
  }
  RC_ASSERT(packed.size() == all.size());
  RC_ASSERT(bits(all_of(packed)) == bits(all));
}

TEST(PackedValues, KnowTheirRange) {
  Arena arena;
  PackedValues packed;
  const auto append = [&](const std::vector<double>& values) { packed.append(values, arena); };
  EXPECT_FALSE(packed.range());
  append({formats::stale_marker()});
  EXPECT_FALSE(packed.range());
  append({2, -1, formats::stale_marker()});
  append({0.5});
  EXPECT_EQ(packed.range()->low, -1);
  EXPECT_EQ(packed.range()->high, 2);
}

TEST(PackedValues, KnowTheRangeOfWhatIsPacked) {
  for (const double divisor : {1.0, 10'000.0, 3.0}) {  // as integers, as decimals, as they are
    Arena arena;
    PackedValues packed;
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) values.push_back((7 + i) / divisor);
    packed.append(values, arena);
    EXPECT_EQ(packed.range()->low, values.front());
    EXPECT_EQ(packed.range()->high, values.back());
    packed.append(std::vector<double>(300, -5), arena);
    EXPECT_EQ(packed.range()->low, -5);
  }
}

}  // namespace
}  // namespace etiage::evidence
