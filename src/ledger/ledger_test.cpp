#include "ledger/ledger.h"

#include <gtest/gtest.h>

#include "ledger/breakdown.h"
#include "ledger/pieces.h"
#include "ledger/testing/random_evidence.h"
#include "ledger/workloads.h"

namespace etiage::ledger {
namespace {

using testing::random_world;
using testing::RandomWorld;

Money idle_of(const Buckets& b) {
  return b[Bucket::kUnallocated] + b[Bucket::kStranded] + b[Bucket::kCpuMemoryIdle];
}

/// RULES.md 18, on what the ledger says of itself.
void expect_identities(const RandomWorld& world, const Ledger& ledger, std::uint64_t seed) {
  ASSERT_EQ(ledger.buckets.total(), ledger.bill) << "seed " << seed;
  Money nodes, pods, cells;
  for (const NodeAccount& n : ledger.nodes) {
    ASSERT_EQ(n.buckets.total(), n.bill) << "seed " << seed;
    nodes += n.bill;
  }
  for (const PodAccount& p : ledger.pods) pods += p.buckets.total();
  for (const Cell& cell : ledger.cells) {
    Money leaves;
    for (const Leaf& leaf : cell.leaves) {
      ASSERT_GT(leaf.amount.micro, 0) << "seed " << seed;
      leaves += leaf.amount;
    }
    ASSERT_EQ(leaves, cell.bill) << "seed " << seed;
    cells += cell.bill;
  }
  ASSERT_EQ(nodes, ledger.bill) << "seed " << seed;
  ASSERT_EQ(cells, ledger.bill) << "seed " << seed;
  ASSERT_EQ(pods + idle_of(ledger.buckets), ledger.bill) << "seed " << seed;
  Money workloads;
  for (const WorkloadRow& w : workload_rows(world.evidence, ledger)) workloads += w.buckets.total();
  ASSERT_EQ(workloads + idle_of(ledger.buckets), ledger.bill) << "seed " << seed;
}

TEST(Ledger, ClosesOnTenThousandRandomWorlds) {
  for (std::uint64_t seed = 1; seed <= 10'000; ++seed) {
    const RandomWorld world = random_world(seed);
    const Ledger ledger = settle(world.evidence, world.prices);
    expect_identities(world, ledger, seed);
    if (HasFatalFailure()) return;
  }
}

TEST(Ledger, EveryBreakdownSumsToTheBill) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomWorld world = random_world(seed);
    const Ledger ledger = settle(world.evidence, world.prices);
    for (const char* by :
         {"model", "team,namespace", "workload,day", "node,hour", "card", "pod,model", "label:app"}) {
      Money sum;
      for (const BreakdownRow& row : breakdown(world.evidence, ledger, *parse_dimensions(by)))
        sum += row.unit.cost;
      ASSERT_EQ(sum, ledger.bill) << "seed " << seed << " by " << by;
    }
  }
}

TEST(Ledger, PiecesSumToTheBill) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomWorld world = random_world(seed);
    const Ledger ledger = settle(world.evidence, world.prices);
    Money sum;
    for (const Piece& p :
         pieces(world.evidence, ledger, world.prices, [](NodeId, const Entry&) { return true; }))
      sum += p.amount;
    ASSERT_EQ(sum, ledger.bill) << "seed " << seed;
  }
}

TEST(Ledger, BorneIdleIsWhatNobodyHeld) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomWorld world = random_world(seed);
    const Ledger ledger = settle(world.evidence, world.prices);
    for (const auto how : {IdleTo::kProportional, IdleTo::kEven}) {
      Money sum;
      for (Money m : borne_idle(world.evidence, ledger, how)) sum += m;
      ASSERT_LE(sum, idle_of(ledger.buckets)) << "seed " << seed;
      Money rows;
      for (const BreakdownRow& row : breakdown(world.evidence, ledger, *parse_dimensions("team,card"),
                                               borne_idle(world.evidence, ledger, how)))
        rows += row.unit.cost;
      ASSERT_EQ(rows, ledger.bill) << "seed " << seed;
    }
  }
}

/// The hand-made world of docs/ledger.md: two cards at 8.00 an hour for two hours.
TEST(Ledger, TwoCardsForTwoHours) {
  const Instant t = Instant::unix_seconds(1'791'763'200);
  const auto at = [&](int minutes) { return t + Duration::seconds(minutes * 60); };
  Evidence e{.window = {at(0), at(120)}};
  e.nodes.push_back({.name = "n0",
                     .instance_type = "acme.h100x2",
                     .card = "H100",
                     .cards = 2,
                     .life = e.window,
                     .cores = 40,
                     .memory = Bytes::gib(400)});
  e.pods.push_back({.ns = "alpha",
                    .name = "chat-0",
                    .node = {0},
                    .life = {at(-60), at(120)},
                    .workload = "chat",
                    .cores = 10,
                    .memory = Bytes::gib(100)});
  e.pods.push_back({.ns = "alpha",
                    .name = "train-0",
                    .node = {0},
                    .life = {at(30), at(90)},
                    .workload = "train",
                    .cores = 20,
                    .memory = Bytes::gib(200)});
  e.devices = {{{0}, "GPU-0"}, {{0}, "GPU-1"}};
  e.holdings = {{{0}, {0}, {0}, 1, {at(0), at(120)}}, {{1}, {0}, {1}, 1, {at(30), at(90)}}};
  const auto work = [&](std::uint32_t h, int from, int to, double u) {
    return Work{{h},
                {at(from / 60 * 60), at(from / 60 * 60 + 60)},
                BusySignal::kSmActive,
                Grade::kMeasured,
                (to - from) * 60.0,
                (to - from) * 60.0 * u};
  };
  e.work = {work(0, 0, 60, 0.25), work(0, 60, 120, 0.25), work(1, 30, 60, 0.8), work(1, 60, 90, 0.8)};
  for (int hour : {0, 60}) {
    e.resources.push_back({{0}, {0}, {at(hour), at(hour + 60)}, 900, 900});
    e.resources.push_back({{1}, {0}, {at(hour), at(hour + 60)}, 900, 900});
  }
  PriceBook book;
  book.rows.push_back({PriceKey::kInstanceType, "acme.h100x2", *parse_price("8.00")});
  const Ledger ledger = settle(e, book);
  EXPECT_EQ(to_string(ledger.bill), "16");
  EXPECT_EQ(to_string(ledger.buckets[Bucket::kBusy]), "4.94");
  EXPECT_EQ(to_string(ledger.buckets[Bucket::kHeldIdle]), "6.46");
  EXPECT_EQ(to_string(ledger.buckets[Bucket::kUnallocated]), "3.8");
  EXPECT_EQ(to_string(ledger.buckets[Bucket::kCpuMemory]), "0.4");
  EXPECT_EQ(to_string(ledger.buckets[Bucket::kCpuMemoryIdle]), "0.4");
  EXPECT_DOUBLE_EQ(ledger.pods[0].gpu_hours, 2);
  EXPECT_DOUBLE_EQ(ledger.pods[1].busy_hours, 0.8);
}

}  // namespace
}  // namespace etiage::ledger
