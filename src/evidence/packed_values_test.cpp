#include "evidence/packed_values.h"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

#include "formats/samples.h"

namespace etiage::evidence {
namespace {

std::vector<std::uint64_t> bits(const std::vector<double>& values) {
  std::vector<std::uint64_t> out;
  for (const double v : values) out.push_back(std::bit_cast<std::uint64_t>(v));
  return out;
}

std::vector<double> through(const std::vector<double>& values) {
  PackedValues packed;
  packed.push(std::span<const double>(values));
  packed.seal();
  std::vector<double> out;
  packed.append_to(out);
  return out;
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
  PackedValues packed;
  std::vector<double> all;
  for (const auto& group : groups) {
    for (const int n : group)
      for (int k = 0; k < 40; ++k) {
        const double v = ratios ? (n % 10000 + k) / 1e4 : static_cast<double>(n) + k;
        packed.push(v);
        all.push_back(v);
      }
    packed.seal();
  }
  std::vector<double> out;
  packed.append_to(out);
  RC_ASSERT(packed.size() == all.size());
  RC_ASSERT(bits(out) == bits(all));
}

}  // namespace
}  // namespace etiage::evidence
