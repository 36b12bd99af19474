#include "catalog/prices.h"

#include <gtest/gtest.h>

namespace etiage::catalog {
namespace {

constexpr Instant kNow = Instant::unix_seconds(1'790'000'000);

PriceRow card_row(std::string key, std::int64_t units) {
  return {PriceKey::kCard,
          std::move(key),
          {units * 1'000'000'000'000},
          {Instant::min(), Instant::max()},
          "",
          "",
          "",
          {}};
}

std::optional<NodePrice> priced(PriceBook book, PricedNode node) {
  return price_of(prices_for(std::move(book), {&node, 1}), node, kNow);
}

TEST(ListPrices, EveryRowHasItsSourceAndDate) {
  ASSERT_GT(list_prices().size(), 50u);
  for (const PriceRow& row : list_prices()) {
    EXPECT_GT(row.hourly.pico, 0) << row.key;
    EXPECT_FALSE(row.source.empty()) << row.key;
    EXPECT_FALSE(row.date.empty()) << row.key;
  }
}

TEST(ListPrices, NamesOfCards) {
  const std::pair<std::string_view, std::string_view> same[] = {
      {"H100", "NVIDIA-H100-80GB-HBM3"},
      {"h100_80gb", "NVIDIA H100 80GB HBM3"},
      {"A100-80GB", "NVIDIA-A100-SXM4-80GB"},
      {"a100-sxm", "NVIDIA-A100-SXM4-80GB"},
      {"T4", "Tesla-T4"},
      {"RTX-PRO-6000", "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition"}};
  for (const auto& [card, product] : same)
    EXPECT_GT(agreeing_words(card, product), 0u) << card << " " << product;
  const std::pair<std::string_view, std::string_view> other[] = {{"L4", "NVIDIA-L40S"},
                                                                 {"A10", "NVIDIA-A10G"},
                                                                 {"A100-40GB", "NVIDIA-A100-SXM4-80GB"},
                                                                 {"", "NVIDIA-A10"},
                                                                 {"H100-NVL", "NVIDIA-H100-80GB-HBM3"}};
  for (const auto& [card, product] : other)
    EXPECT_EQ(agreeing_words(card, product), 0u) << card << " " << product;
}

TEST(ListPrices, TheUsersWordGoesFirst) {
  const PricedNode node{"n", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", 8};
  EXPECT_EQ(to_string(priced({}, node)->hourly), "55.04");
  EXPECT_EQ(priced({}, node)->grade, Grade::kAssumed);
  PriceBook book;
  book.rows = {card_row("H100", 3)};
  EXPECT_EQ(to_string(priced(book, node)->hourly), "24");
  EXPECT_EQ(priced(book, node)->grade, Grade::kMeasured);
  book.rows.push_back(card_row("H100-80GB", 4));  // says more than H100
  book.rows.push_back(card_row("A100", 1));
  EXPECT_EQ(to_string(priced(book, node)->hourly), "32");
  book.rows.push_back(card_row("NVIDIA-H100-80GB-HBM3", 5));
  EXPECT_EQ(to_string(priced(book, node)->hourly), "40");
}

TEST(ListPrices, ACardOfAnUnknownInstanceType) {
  EXPECT_EQ(to_string(priced({}, {"n", "acme.h100x2", "NVIDIA-H100-80GB-HBM3", 2})->hourly), "8.28");
  EXPECT_FALSE(priced({}, {"n", "acme.x", "ACME-TENSOR-X1", 2}));
  EXPECT_FALSE(priced({}, {"n", "m7i.large", "", 0}));
}

TEST(ListPrices, AnotherCurrencyHasNoListPrices) {
  PriceBook book{.currency = "EUR"};
  EXPECT_FALSE(priced(book, {"n", "p5.48xlarge", "NVIDIA-H100-80GB-HBM3", 8}));
}

}  // namespace
}  // namespace etiage::catalog
