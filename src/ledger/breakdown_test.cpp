#include "ledger/breakdown.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "ledger/pieces.h"
#include "ledger/workloads.h"

namespace etiage::ledger {
namespace {

constexpr Instant kStart = Instant::unix_seconds(1'791'763'200);
constexpr Window kHours{kStart, kStart + Duration::hours(2)};

Window hour(int i) {
  return {kStart + Duration::hours(i), kStart + Duration::hours(i + 1)};
}

PriceBook book() {
  PriceBook out;
  out.rows.push_back({PriceKey::kNodeName, "n0", *parse_price("8.00")});
  return out;
}

/// Two hours of a node of two cards; two pods of one team hold one each: the first serves a million tokens,
/// the other trains.
Evidence a_team() {
  Evidence e{.window = kHours};
  e.nodes.push_back(
      {.name = "n0", .card = "L4", .cards = 2, .life = kHours, .cores = 3, .memory = Bytes::gib(7)});
  e.models.push_back({"opt", true});
  for (const char* name : {"server", "trainer"}) {
    const auto i = static_cast<std::uint32_t>(e.pods.size());
    e.pods.push_back({.ns = "a",
                      .name = name,
                      .node = {0},
                      .life = kHours,
                      .workload_kind = "Pod",
                      .workload = name,
                      .team = "ml",
                      .cores = 0.7,
                      .devices = {"nvidia.com/gpu", "", 1}});
    e.devices.push_back({{0}, name});
    e.holdings.push_back({{i}, {0}, {i}, 1, kHours});
    for (int h : {0, 1}) {
      e.work.push_back({{i}, hour(h), BusySignal::kSmActive, Grade::kMeasured, 3600, 1800});
      // The same demand, not the same double in both hours.
      e.resources.push_back({{i}, {0}, hour(h), 3600 * 0.7 / 3 * (h == 0 ? 1 : 1 + 1e-15), 0});
    }
  }
  std::ranges::stable_sort(e.resources, {}, [](const ResourceHold& r) { return r.span.start; });
  e.pods[0].model = {0};
  e.served.push_back({{0}, {0}, hour(0), {600'000}, {}, {400'000}});
  return e;
}

TEST(Breakdown, PricesTokensByTheMoneyOfThePodsThatServe) {
  const Evidence e = a_team();
  const Ledger ledger = settle(e, book());
  const auto rows = breakdown(e, ledger, *parse_dimensions("team"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].key, std::vector<std::string>{"ml"});
  const Money both = ledger.pods[0].buckets.total() + ledger.pods[1].buckets.total();
  EXPECT_EQ(rows[0].unit.cost, both);
  EXPECT_DOUBLE_EQ(*rows[0].unit.per_million().full, ledger.pods[0].buckets.total().units());
  EXPECT_DOUBLE_EQ(*rows[0].unit.per_million().usage, ledger.pods[0].buckets[Bucket::kBusy].units());
  EXPECT_DOUBLE_EQ(*rows[0].unit.coverage(), 1);
  EXPECT_TRUE(rows[1].unattributed);
  EXPECT_FALSE(rows[1].unit.per_million().full);
}

TEST(Breakdown, KeepsTokensOfServersWithoutMoneyOutOfUnitCosts) {
  Evidence e = a_team();
  e.pods.push_back({.ns = "a", .name = "lost", .workload = "lost", .source = PodSource::kEngineSeries});
  e.pods.back().model = {0};
  e.served.push_back({{2}, {0}, hour(0), {9e6}, {}, {}});
  const Ledger ledger = settle(e, book());
  const auto models = model_rows(e, ledger);
  ASSERT_EQ(models.size(), 1u);
  EXPECT_DOUBLE_EQ(models[0].unit.tokens.all(), 1e6);
  EXPECT_DOUBLE_EQ(breakdown(e, ledger, *parse_dimensions("model"))[1].unit.tokens.all(), 1e6);
}

TEST(Breakdown, ShowsTokensWithoutMoneyWhereThereIsNothingElse) {
  Evidence e{.window = kHours};
  e.models.push_back({"opt", true});
  e.pods.push_back({.name = "lost", .workload = "lost", .source = PodSource::kEngineSeries});
  e.pods.back().model = {0};
  e.served.push_back({{0}, {0}, hour(0), {9e6}, {}, {}});
  const auto models = model_rows(e, settle(e, book()));
  ASSERT_EQ(models.size(), 1u);
  EXPECT_FALSE(models[0].placed);
  EXPECT_DOUBLE_EQ(models[0].unit.tokens.all(), 9e6);
  EXPECT_FALSE(models[0].unit.per_million().full);
}

TEST(Dimensions, AreGivenOnce) {
  EXPECT_TRUE(parse_dimensions("team,label:a,label:b"));
  EXPECT_FALSE(parse_dimensions("team,team"));
  EXPECT_FALSE(parse_dimensions("label:a,team,label:a"));
  EXPECT_FALSE(parse_dimensions("colour"));
}

TEST(Workloads, BearTheirPartOfWhatNobodyHeld) {
  const Evidence e = a_team();
  const Ledger ledger = settle(e, book());
  Money sum;
  for (const WorkloadRow& w : workload_rows(e, ledger, borne_idle(e, ledger, IdleTo::kEven))) sum += w.cost();
  EXPECT_EQ(sum, ledger.bill);
}

TEST(Workloads, AreOfTheWantedPodsOnly) {
  const Evidence e = a_team();
  const auto rows =
      workload_rows(e, settle(e, book()), {}, [](const PodLife& p) { return p.name == "server"; });
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].name, "server");
}

TEST(Pieces, JoinNeighboursThatSayTheSame) {
  const Evidence e = a_team();
  const Ledger ledger = settle(e, book());
  const auto held = pieces(e, ledger, book(), [](NodeId, const Entry& entry) {
    return entry.pod == PodId{0} && entry.bucket == Bucket::kCpuMemory;
  });
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0].span, kHours);
  EXPECT_EQ(held[0].hourly, *parse_price("8.00"));
  EXPECT_FALSE(held[0].price_source.empty());
}

}  // namespace
}  // namespace etiage::ledger
