#include "formats/prices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::formats {
namespace {

using testing::HasSubstr;

struct Read {
  PriceBook book;
  Diagnostics diagnostics;
  std::string faults() const {
    std::string out;
    for (const Diagnostic& d : diagnostics) out += to_string(d) + "\n";
    return out;
  }
};

Read read(std::string_view text) {
  Read r;
  r.book = read_prices(text, "dir/p", r.diagnostics);
  return r;
}

TEST(PricesCsv, TheThreeKeys) {
  const std::pair<const char*, PriceKey> headers[] = {{"name,hourly", PriceKey::kNodeName},
                                                      {"instanceType,hourly", PriceKey::kInstanceType},
                                                      {"card,hourly", PriceKey::kCard}};
  for (const auto& [header, kind] : headers) {
    const Read r = read(std::string(header) + "\na,98.32\nb,0.000001\n");
    EXPECT_EQ(r.faults(), "");
    ASSERT_EQ(r.book.rows.size(), 2u);
    EXPECT_EQ(r.book.rows[0].kind, kind);
    EXPECT_EQ(r.book.rows[0].key, "a");
    EXPECT_EQ(r.book.rows[0].hourly.pico, 98'320'000'000'000);
    EXPECT_EQ(r.book.rows[1].hourly.pico, 1'000'000);
    EXPECT_EQ(r.book.rows[1].source, "p:3");
  }
}

TEST(PricesCsv, AsSpreadsheetsWriteIt) {
  const Read r =
      read("\xef\xbb\xbf\"InstanceType\" , \"Hourly\" ,currency\r\n\"p5, large\" , \" 55.04 \" ,eur\r\n\r\n");
  EXPECT_EQ(r.faults(), "");
  ASSERT_EQ(r.book.rows.size(), 1u);
  EXPECT_EQ(r.book.rows[0].key, "p5, large");
  EXPECT_EQ(to_string(r.book.rows[0].hourly), "55.04");
  EXPECT_EQ(r.book.currency, "EUR");
}

TEST(PricesCsv, FaultsAreNamedWithTheirLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"name,hourly\na,-1\n", "dir/p:2: error: `-1` is no price"},
      {"name,hourly\na,NaN\n", "`NaN` is no price"},
      {"name,hourly\na,\n", "dir/p:2: error: no price"},
      {"name,hourly\na,\"1,5\"\n", "the decimal sign is a point"},
      {"name,hourly\na,$3\n", "the currency has a column"},
      {"name,hourly\na,1\nb,2\na,3\n", "dir/p:4: error: name `a` has a price already, on line 2"},
      {"name,hourly,colour\na,1,red\n", "unknown column `colour`"},
      {"name,price,hourly\na,1,2\n", "unknown column `price`"},
      {"name,name,hourly\na,1,2\n", "stands twice"},
      {"name,cost\na,1\n", "unknown column `cost`"},
      {"hourly,currency\n1,USD\n", "no column says what is priced"},
      {"name,card,hourly\na,H100,1\n", "a price of more than one thing"},
      {"name,hourly\n,1\n", "a price of nothing"},
      {"name,hourly,currency\na,1,USD\nb,1,EUR\n", "dir/p:3: error: a price in EUR in a list in USD"},
      {"name;hourly\na;1,5\n", "separated by semicolons"},
      {"name,hourly,from\na,1,yesterday\n", "`yesterday` is no time"},
      {"name,hourly,purchase\na,1,stolen\n", "`stolen` is no way to buy"},
      {"", "the price list is empty"},
  };
  for (const auto& [text, fault] : cases) EXPECT_THAT(read(text).faults(), HasSubstr(fault)) << text;
}

TEST(PricesYaml, RowsOfEveryKind) {
  const Read r = read(R"(
currency: EUR
source: contract
date: 2026-10-01
prices:
- instanceType: p5.48xlarge
  onDemand: 55.04
  spot: 18.123456789012
- name: rack-7
  onPrem: {price: 350400, months: 48, watts: 10000, perKwh: 0.25, pue: 1.2}
- card: H100
  hourly: 2.5
  to: 2026-10-15T12:30:00Z
- card: H100
  hourly: 2
  from: 2026-10-15T12:30:00Z
cards: {L4: 0.7}
components: {gpu: 2.5, cpu: 0.03, memory: 0.004}
split: {gpu: 90, cpu: 6, memory: 4}
)");
  EXPECT_EQ(r.faults(), "");
  ASSERT_EQ(r.book.rows.size(), 6u);
  EXPECT_EQ(r.book.rows[0].purchase, "on-demand");
  EXPECT_EQ(r.book.rows[0].source, "contract (p:6)");
  EXPECT_EQ(r.book.rows[1].hourly.pico, 18'123'456'789'012);
  EXPECT_EQ(to_string(r.book.rows[2].hourly), "13");  // 350400 / (48 x 730) + 10 kW x 1.2 x 0.25
  EXPECT_EQ(r.book.rows[3].valid.end, r.book.rows[4].valid.start);
  EXPECT_EQ(r.book.rows[5].key, "L4");
  EXPECT_EQ(r.book.components->cpu.pico, 30'000'000'000);
  EXPECT_EQ(r.book.split, (PriceSplit{0.9, 0.06, 0.04}));
}

TEST(PricesYaml, FaultsAreNamedWithTheirLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"prices:\n- card: H100\n  hourly: .nan\n", "dir/p:2: error: `.nan` is no price"},
      {"prices:\n- card: H100\n  hourley: 2\n", "dir/p:3: error: unknown key `hourley`"},
      {"prices:\n- card: H100\n", "a row without a price"},
      {"prices: 3\n", "`prices` is a list of rows"},
      {"- 3\n", "a price list is a map"},
      {"currency: dollars\nprices: []\n", "`dollars` is no currency"},
      {"prices:\n- name: a\n  onPrem: {price: 1, months: 0}\n", "months above 0"},
      {"prices:\n- name: a\n  onPrem: {price: x, months: 1}\n", "`price` is no number"},
      {"cards: {H100: 1, H100: 2}\n", "stands here again"},
      {"split: {gpu: 0.5}\n", "add up to 0.5"},
      {"prices:\n- name: a\n  hourly: 1\n  from: 2026-02-01\n  to: 2026-01-01\n", "ends before it begins"},
  };
  for (const auto& [text, fault] : cases) EXPECT_THAT(read(text).faults(), HasSubstr(fault)) << text;
}

RC_GTEST_PROP(PricesProperty, AnyTextEndsWithAnAnswer, (const std::string& text)) {
  read(*rc::gen::element<std::string>("", "name,hourly\n", "prices:\n- ", "currency: ") + text);
}

}  // namespace
}  // namespace etiage::formats
