#include "formats/text/exposition.h"

#include <bit>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <sstream>

#include "formats/document.h"
#include "formats/text/go_float.h"
#include "formats/text/number.h"

namespace etiage::formats {
namespace {

std::string from_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text.substr(0, text.find('='))) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bits = bits << 6 | static_cast<unsigned>(kDigits.find(c));
    if ((count += 6) >= 8) out += static_cast<char>(bits >> (count -= 8));
  }
  return out;
}

struct Got {
  std::string labels;
  std::string ms;
  std::uint64_t value;

  bool operator==(const Got&) const = default;
};

/// The series of a recorded answer; nothing where the server would still refuse one of them.
std::optional<std::vector<Got>> wanted(const Tree& answer) {
  std::vector<Got> out;
  for (const Tree& s : answer["series"].items()) {
    if (s.has("duplicateLabel") || s.has("serverRefuses")) return std::nullopt;
    std::map<std::string, std::string> labels;
    for (const auto& [name, value] : s["labels"].members()) labels[name] = value.text();
    Got& got = out.emplace_back();
    for (const auto& [name, value] : labels) {
      if (value.starts_with("quoted:")) return std::nullopt;
      got.labels += name + '=' + value + '\n';
    }
    got.ms = s["timestampMs"].text();
    if (got.ms == "-9223372036854775808") return std::nullopt;
    got.value = std::bit_cast<std::uint64_t>(
        text::parse_float(s["value"].text().substr(0, s["value"].text().find('('))).value());
  }
  return out;
}

TEST(Exposition, AcceptsRefusesAndReadsAsPrometheusDoes) {
  std::stringstream text;
  text << std::ifstream(ETIAGE_SOURCE_DIR "/tests/conformance/exposition.jsonl").rdbuf();
  Diagnostics diagnostics;
  const auto cases = read_documents(text.str(), "exposition.jsonl", diagnostics);
  ASSERT_EQ(cases.size(), 424U);
  for (const Tree& c : cases) {
    SCOPED_TRACE(c["id"].text());
    const auto want = wanted(c);
    if (!want) continue;
    std::vector<Got> got;
    const auto format =
        c["format"].text() == "text" ? ExpositionFormat::kText : ExpositionFormat::kOpenMetrics;
    const auto read = read_exposition(from_base64(c["input"].text()), format, [&](const ExpositionSample& s) {
      Got& one =
          got.emplace_back(Got{"", s.ms ? std::to_string(*s.ms) : "", std::bit_cast<std::uint64_t>(s.value)});
      for (const Label& l : s.labels) one.labels += std::string(l.name) + '=' + std::string(l.value) + '\n';
    });
    EXPECT_EQ(read.has_value(), *c["accepted"].as_bool());
    if (read.has_value())
      EXPECT_TRUE(got == *want);
    else
      EXPECT_GT(read.error().place.line, 0);
  }
}

TEST(GoFloat, WritesAndReadsAsStrconv) {
  EXPECT_EQ(text::go_shortest(123456), "123456");
  EXPECT_EQ(text::go_shortest(1234567), "1.234567e+06");
  EXPECT_EQ(text::go_shortest(0.0001), "0.0001");
  EXPECT_EQ(text::go_shortest(0.00001), "1e-05");
  EXPECT_EQ(text::go_shortest(-0.0), "-0");
  EXPECT_EQ(text::openmetrics_float(5), "5.0");
  EXPECT_EQ(text::openmetrics_float(1e9), "1e+09");
  EXPECT_EQ(text::parse_go_literal("0x1p-2"), 0.25);
  EXPECT_EQ(text::parse_go_literal("-0x_1.8p+1"), -3.0);
  EXPECT_EQ(text::parse_go_literal("1_000"), 1000.0);
  for (const char* bad : {"_1", "1_", "1__0", "0x1", "0x", "1_.5", "0xp1", "0x1p"})
    EXPECT_EQ(text::parse_go_literal(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace etiage::formats
