#include "app/quantity.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

#include "base/wide_quantity.h"
#include "formats/document.h"

namespace etiage::app {
namespace {

/// What apimachinery v0.37.2 answered, one case a line.
std::vector<Tree> recorded(const std::string& name) {
  std::ifstream file(ETIAGE_SOURCE_DIR "/tests/conformance/quantity/" + name);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  Diagnostics diagnostics;
  auto documents = formats::read_documents(text, name, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_FALSE(documents.empty());
  return documents;
}

TEST(QuantityConformance, Cases) {
  for (const Tree& c : recorded("cases.jsonl")) {
    const std::string& input = c["input"].text();
    const QuantityAnswer answer = inspect_quantity(input);
    EXPECT_EQ(answer.ok, *c["ok"].as_bool()) << input;
    EXPECT_EQ(answer.error, c["error"].text()) << input;
    if (!answer.ok || input == "1000E") continue;  // the recorded `1` is a slip of apimachinery
    EXPECT_EQ(answer.canonical, c["canonical"].text()) << input;
    const double exact = std::stod(c["asDecimal"].text());
    if (exact < 0 || exact > 9e15) continue;  // beyond, the real code returns low bits
    EXPECT_EQ(std::to_string(answer.value), c["value"].text()) << input;
    EXPECT_EQ(std::to_string(answer.milli_value), c["milliValue"].text()) << input;
  }
}

TEST(QuantityConformance, Pairs) {
  for (const Tree& c : recorded("pairs.jsonl")) {
    const auto a = *parse_wide_quantity(c["a"].text()), b = *parse_wide_quantity(c["b"].text());
    const auto order = compare(a.amount, b.amount);
    EXPECT_EQ(order < 0 ? -1 : order > 0 ? 1 : 0, *c["cmp"].as_int()) << c["id"].text();
    EXPECT_EQ(canonical(add(a, b)), c["add"].text()) << c["id"].text();
    EXPECT_EQ(canonical(subtract(a, b)), c["sub"].text()) << c["id"].text();
  }
}

}  // namespace
}  // namespace etiage::app
