#include "base/quantity.h"

#include <chrono>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <string>

#include "base/wide_quantity.h"

namespace etiage {
namespace {

std::string canonical_of(std::string_view text) {
  const auto wide = parse_wide_quantity(text);
  return wide ? canonical(*wide) : wide.error().message;
}

TEST(Quantity, Canonical) {
  const std::pair<const char*, const char*> cases[] = {
      {"1024Mi", "1Gi"},
      {"1000m", "1"},
      {"1.5Gi", "1536Mi"},
      {"0.1Gi", "107374182400m"},
      {"100m", "100m"},
      {"1000", "1k"},
      {"1e3", "1e3"},
      {"1.5e0", "1500e-3"},
      {"1e100", "10e99"},
      {"9Ei", "9223372036854775807"},
      {"1.5n", "2n"},
      {"-0.1n", "-1n"},
      {"0.0000000001Ki", "103n"},
      {"0.0009765625Ki", "1"},
      {"+1", "1"},
      {"-.", "0"},
      {"Ki", "0"},
      {"-007", "-7"},
      {".5", "500m"},
      {"1e4294967299", "1e3"},
      {"1.5e9223372036854775807", "150e-3"},
      {"1000E", "1000E"},
      {"1e99999999999", "10e1215752190"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(canonical_of(text), expected) << text;
}

TEST(Quantity, Refusals) {
  for (const char* text : {"", " 1", "1 Gi", "1.2.3", "0x10", "Inf", "1GiB", "1e1.5", "1B"})
    EXPECT_TRUE(canonical_of(text).starts_with("quantities must match")) << text;
  for (const char* text : {"--1", "1ki", "1e", "1e-", "1k3", "1Mi1", "-12Ei3"})
    EXPECT_EQ(canonical_of(text), "unable to parse quantity's suffix") << text;
  EXPECT_EQ(canonical_of("Ei"), "unable to parse numeric part of quantity");
}

TEST(Quantity, Values) {
  EXPECT_EQ(Quantity::parse("1500m")->value(), 2);
  EXPECT_EQ(Quantity::parse("-1500m")->value(), -2);
  EXPECT_EQ(Quantity::parse("1n")->milli_value(), 1);
  EXPECT_EQ(Quantity::parse("100E")->value(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Quantity::parse("1e99999999999")->nano(), Quantity::kLimit);
  EXPECT_EQ((*Quantity::parse("0") + *Quantity::parse("1Gi")).canonical(), "1Gi");
  EXPECT_EQ((*Quantity::parse("1Gi") - *Quantity::parse("1")).canonical(), "1073741823");
}

RC_GTEST_PROP(QuantityProperty, CanonicalTextReadsBackAsTheSame, ()) {
  const auto nano = *rc::gen::arbitrary<std::int64_t>();
  const auto format = *rc::gen::element(Quantity::Format::kDecimalSI, Quantity::Format::kBinarySI,
                                        Quantity::Format::kDecimalExponent);
  const Quantity q = Quantity::nano(nano, format);
  const auto back = Quantity::parse(q.canonical());
  RC_ASSERT(back.has_value());
  RC_ASSERT(*back == q);
}

RC_GTEST_PROP(QuantityProperty, AddingAndSubtractingIsNothing, ()) {
  const std::string a = *rc::gen::element<std::string>("1Gi", "-3m", "1e30", "77777n", "0.3Ti", "0");
  const auto b = *rc::gen::inRange<std::int64_t>(-1000000, 1000000);
  const WideQuantity x = *parse_wide_quantity(a), y = *parse_wide_quantity(std::to_string(b) + "u");
  RC_ASSERT(subtract(add(x, y), y).amount == x.amount);
}

RC_GTEST_PROP(QuantityProperty, AnyTextEndsWithAnAnswer, (const std::string& text)) {
  const auto wide = parse_wide_quantity(text);
  const auto narrow = Quantity::parse(text);
  RC_ASSERT(wide.has_value() == narrow.has_value());
}

}  // namespace
}  // namespace etiage
