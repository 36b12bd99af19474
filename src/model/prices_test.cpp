#include "model/prices.h"

#include <gtest/gtest.h>

namespace etiage {
namespace {

constexpr Instant kDay = Instant::unix_seconds(1'790'000'000);

PriceRow row(PriceKey kind, std::string key, std::int64_t units, std::string purchase = "",
             Window valid = {Instant::min(), Instant::max()}) {
  return {kind, std::move(key), {units * 1'000'000'000'000}, valid, "list:2", "", std::move(purchase), {}};
}

double hourly(const PriceBook& book, const PricedNode& node, Instant at = kDay) {
  const auto price = price_of(book, node, at);
  return price ? price->hourly.units() : -1;
}

TEST(Prices, BetterKeysGoFirst) {
  const PricedNode node{"n1", "p5", "H100", 8};
  PriceBook book;
  EXPECT_EQ(hourly(book, node), -1);
  book.rows.push_back(row(PriceKey::kCatalogue, "H100", 1));
  EXPECT_EQ(hourly(book, node), 8);
  book.rows.push_back(row(PriceKey::kCard, "H100", 2));
  EXPECT_EQ(hourly(book, node), 16);
  book.rows.push_back(row(PriceKey::kInstanceType, "p5", 30));
  EXPECT_EQ(hourly(book, node), 30);
  book.rows.insert(book.rows.begin(), row(PriceKey::kNodeName, "n1", 7));
  EXPECT_EQ(hourly(book, node), 7);
}

TEST(Prices, TheWayOfBuying) {
  PriceBook book;
  book.rows = {row(PriceKey::kInstanceType, "p5", 55, "on-demand"),
               row(PriceKey::kInstanceType, "p5", 18, "spot")};
  EXPECT_EQ(hourly(book, {"n", "p5"}), 55);
  EXPECT_EQ(hourly(book, {"n", "p5", "", 0, "spot"}), 18);
  EXPECT_EQ(hourly(book, {"n", "p5", "", 0, "reserved"}), 55);
}

TEST(Prices, NodesTellHowTheyWereBought) {
  EXPECT_EQ(purchase_of({{"karpenter.sh/capacity-type", "spot"}}), "spot");
  EXPECT_EQ(purchase_of({{"eks.amazonaws.com/capacityType", "ON_DEMAND"}}), "on-demand");
  EXPECT_EQ(purchase_of({{"cloud.google.com/gke-spot", "false"}}), "");
}

TEST(Prices, ChangeInTheMiddleOfAnHour) {
  const Instant change = kDay + Duration::seconds(1800);
  PriceBook book;
  book.rows = {row(PriceKey::kNodeName, "n", 2),
               row(PriceKey::kNodeName, "n", 3, "", {change, Instant::max()})};
  EXPECT_EQ(hourly(book, {"n"}), 2);
  EXPECT_EQ(hourly(book, {"n"}, change), 3);
  EXPECT_EQ(price_changes(book, {kDay, kDay + Duration::hours(1)}), std::vector{change});
}

TEST(Prices, SplitsAddUpToOne) {
  PriceBook book;
  const NodePrice price{};
  EXPECT_EQ(split_of(book, price, 8, 96, Bytes::gib(1024)), (PriceSplit{0.95, 0.03, 0.02}));
  const PriceSplit cpu = split_of(book, price, 0, 4, Bytes::gib(16));
  EXPECT_NEAR(cpu.cpu, 4 * 0.031611 / (4 * 0.031611 + 16 * 0.004237), 1e-12);
  EXPECT_EQ(cpu.gpu, 0);
  book.components = ComponentPrices{{3'000'000'000'000}, {1'000'000'000'000}, {0}};
  EXPECT_EQ(split_of(book, price, 1, 1, Bytes::gib(7)), (PriceSplit{0.75, 0.25, 0}));
}

}  // namespace
}  // namespace etiage
