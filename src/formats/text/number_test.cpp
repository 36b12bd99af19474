#include "formats/text/number.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <rapidcheck/gtest.h>

namespace etiage::formats::text {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(ParseFloat, ReadsWhatGoReads) {
  EXPECT_EQ(parse_float("1"), 1.0);
  EXPECT_EQ(parse_float("+1.5e-3"), 1.5e-3);
  EXPECT_EQ(parse_float(".5"), 0.5);
  EXPECT_EQ(parse_float("5."), 5.0);
  EXPECT_EQ(parse_float("-Inf"), -kInf);
  EXPECT_EQ(parse_float("+infinity"), kInf);
  EXPECT_EQ(parse_float("1e-400"), 0.0);
  EXPECT_EQ(parse_float("0e999999999999"), 0.0);
  EXPECT_EQ(parse_float("4.9e-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_TRUE(std::signbit(parse_float("-0").value()));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(parse_float("nAn").value()), kNormalNaN);
}

TEST(ParseFloat, RefusesWhatGoRefuses) {
  for (const char* bad : {"", "+", "-", ".", "e5", "1e", "1e+", "0x10", "1_0", "+NaN", "-nan", "NaN(1)", "1f",
                          "infi", "--1", "1 ", "@nan", "IN\x06"})
    EXPECT_EQ(parse_float(bad), std::unexpected(NumberFault::kSyntax)) << bad;
  EXPECT_EQ(parse_float("1e400"), std::unexpected(NumberFault::kRange));
  EXPECT_EQ(parse_float("-1e400"), std::unexpected(NumberFault::kRange));
  EXPECT_EQ(parse_float(std::string(400, '1')), std::unexpected(NumberFault::kRange));
}

RC_GTEST_PROP(ParseFloat, RoundsAsTheCLibraryDoes, (std::uint64_t bits)) {
  const auto v = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(v));
  for (const std::string& s : {fmt::format("{:.17g}", v), fmt::format("{:g}", v),
                               fmt::format("{:.3f}", std::fmod(v, 1e15)), fmt::format("{}", v)})
    RC_ASSERT(parse_float(s).value() == std::strtod(s.c_str(), nullptr));
}

TEST(ReadFloat, StopsAtABlank) {
  const std::string_view text = "12.5 7";
  const auto got = read_float(text.data(), text.data() + text.size());
  EXPECT_EQ(got.value, 12.5);
  EXPECT_EQ(got.next, text.data() + 4);
  EXPECT_EQ(read_float(text.data(), text.data()).next, nullptr);
}

}  // namespace
}  // namespace etiage::formats::text
