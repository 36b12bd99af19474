#include "ledger/tenants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ledger/testing/random_evidence.h"

namespace etiage::ledger {
namespace {

using ::testing::ElementsAre;

const Window kDay{Instant::unix_seconds(1790000000 / 86400 * 86400),
                  Instant::unix_seconds(1790000000 / 86400 * 86400 + 7200)};

/// One node at 10 an hour for two hours, its card held by one pod whose model served these tokens.
Evidence one_model(TokenCounts engine, double prefill = 0, double decode = 0) {
  Evidence e;
  e.window = kDay;
  e.nodes.push_back({.name = "n", .instance_type = "t", .card = "c", .cards = 1, .life = kDay, .cores = 1});
  e.nodes[0].memory = Bytes::gib(1);
  e.devices.push_back({{0}, "GPU-0"});
  e.models.push_back({"m", true});
  PodLife pod{.ns = "serving", .name = "p", .uid = "u"};
  pod.node = {0}, pod.life = kDay, pod.model = {0};
  e.pods.push_back(pod);
  e.holdings.push_back({{0}, {0}, {0}, 1, kDay});
  for (int hour = 0; hour < 2; ++hour) {
    const Window span{kDay.start + Duration::hours(hour), kDay.start + Duration::hours(hour + 1)};
    e.resources.push_back({{0}, {0}, span, 3600, 3600});
    e.served.push_back({{0},
                        {0},
                        span,
                        {engine.input.count / 2},
                        {engine.cached_input.count / 2},
                        {engine.output.count / 2},
                        prefill / 2,
                        decode / 2});
  }
  return e;
}

PriceBook ten_an_hour() {
  PriceBook book;
  book.currency = "USD";
  PriceRow row;
  row.key = "t";
  row.hourly = *parse_price("10");
  book.rows.push_back(row);
  return book;
}

TenantId tenant(Evidence& e, const std::string& name) {
  e.tenants.push_back(name);
  return {static_cast<std::uint32_t>(e.tenants.size() - 1)};
}

void use(Evidence& e, TenantId who, TokenCounts tokens, int hour = 0) {
  const Window span{kDay.start + Duration::hours(hour), kDay.start + Duration::hours(hour + 1)};
  e.tenant_uses.push_back({who, {0}, span, tokens.input, tokens.cached_input, tokens.output});
}

TenantBill divided(const Evidence& e, const char* by = "tenant") {
  return divide_by_tenants(e, settle(e, ten_an_hour()), *parse_dimensions(by));
}

std::vector<std::pair<std::string, double>> costs(const TenantBill& bill) {
  std::vector<std::pair<std::string, double>> out;
  for (const BreakdownRow& row : bill.rows) {
    std::string key;
    for (const std::string& k : row.key) key += (key.empty() ? "" : "/") + k;
    out.emplace_back(key, row.unit.cost.units());
  }
  return out;
}

TEST(Tenants, BearWhatTheyAskedForAndNoMore) {
  // 20 in all, by tokens 1 : 4: prompts bear 1000 of 2000, output 1000 of 2000.
  Evidence e = one_model({{1000}, {}, {250}});
  use(e, tenant(e, "a"), {{500}, {}, {50}});
  use(e, tenant(e, "b"), {{100}, {}, {100}});
  const TenantBill bill = divided(e);
  EXPECT_THAT(costs(bill), ElementsAre(std::pair("a", 7.0), std::pair("b", 5.0), std::pair("", 8.0)));
  EXPECT_TRUE(bill.rows.back().unattributed);
  EXPECT_DOUBLE_EQ(bill.rows.back().unit.tokens.input.count, 400);
  EXPECT_DOUBLE_EQ(bill.rows.back().unit.tokens.output.count, 100);
  ASSERT_EQ(bill.models.size(), 1u);
  EXPECT_EQ(bill.models[0].cost, Money{20'000'000});
  EXPECT_EQ(bill.models[0].attributed, Money{12'000'000});
  EXPECT_FALSE(bill.models[0].scaled());
}

TEST(Tenants, DivideByPhasesWhereTheyAreKnown) {
  Evidence e = one_model({{1000}, {}, {250}}, 25, 75);
  use(e, tenant(e, "reads"), {{1000}, {}, {}});
  use(e, tenant(e, "writes"), {{}, {}, {250}});
  EXPECT_THAT(costs(divided(e)),
              ElementsAre(std::pair("reads", 5.0), std::pair("writes", 15.0), std::pair("", 0.0)));
}

TEST(Tenants, PayNothingForCachedInput) {
  Evidence e = one_model({{400}, {600}, {100}}, 50, 50);
  use(e, tenant(e, "cold"), {{400}, {0}, {50}});
  use(e, tenant(e, "warm"), {{0}, {600}, {50}});
  const TenantBill bill = divided(e);
  EXPECT_THAT(costs(bill), ElementsAre(std::pair("cold", 15.0), std::pair("warm", 5.0), std::pair("", 0.0)));
  EXPECT_DOUBLE_EQ(bill.rows[1].unit.tokens.cached_input.count, 600);
}

TEST(Tenants, AreToldCachedInputByTheGatewayWhereTheEngineDoesNot) {
  Evidence e = one_model({{1000}, {}, {0}}, 50, 0);
  use(e, tenant(e, "cold"), {{400}, {0}, {0}});
  use(e, tenant(e, "warm"), {{300}, {300}, {0}});
  const TenantBill bill = divided(e);
  EXPECT_NEAR(bill.rows[0].unit.cost.units(), 20.0 * 400 / 700, 1e-5);
  EXPECT_NEAR(bill.rows[1].unit.cost.units(), 20.0 * 300 / 700, 1e-5);
  EXPECT_EQ(bill.rows[2].unit.cost, Money{0});
  EXPECT_DOUBLE_EQ(bill.rows[1].unit.tokens.cached_input.count, 300);
  EXPECT_FALSE(bill.models[0].scaled());
}

TEST(Tenants, AreScaledWhereGatewaysCountMore) {
  Evidence e = one_model({{1000}, {}, {250}});
  use(e, tenant(e, "a"), {{3000}, {}, {375}});
  use(e, tenant(e, "b"), {{1000}, {}, {125}});
  const TenantBill bill = divided(e);
  EXPECT_THAT(costs(bill), ElementsAre(std::pair("a", 15.0), std::pair("b", 5.0), std::pair("", 0.0)));
  EXPECT_DOUBLE_EQ(bill.rows[0].unit.tokens.input.count, 750);
  EXPECT_TRUE(bill.models[0].scaled());
}

TEST(Tenants, TakeAllOfAModelWhoseEngineIsSilent) {
  Evidence e = one_model({});
  use(e, tenant(e, "a"), {{300}, {}, {0}});
  use(e, tenant(e, "b"), {{100}, {}, {0}});
  const TenantBill bill = divided(e);
  EXPECT_THAT(costs(bill), ElementsAre(std::pair("a", 15.0), std::pair("b", 5.0), std::pair("", 0.0)));
  EXPECT_DOUBLE_EQ(bill.rows[0].unit.tokens.input.count, 300);
}

TEST(Tenants, LeaveTheNamelessUnattributed) {
  Evidence e = one_model({{1000}, {}, {}});
  use(e, tenant(e, "a"), {{500}, {}, {}});
  use(e, {}, {{500}, {}, {}});
  EXPECT_THAT(costs(divided(e)), ElementsAre(std::pair("a", 10.0), std::pair("", 10.0)));
}

TEST(Tenants, OfNobodyLeaveAllUnattributed) {
  EXPECT_THAT(costs(divided(one_model({{1000}, {}, {250}}))), ElementsAre(std::pair("", 20.0)));
}

TEST(Tenants, DivideEachHourByItsOwnTokens) {
  Evidence e = one_model({{1000}, {}, {}});
  use(e, tenant(e, "a"), {{500}, {}, {}}, 0);
  use(e, tenant(e, "b"), {{250}, {}, {}}, 1);
  const std::string first = to_string(kDay.start), second = to_string(kDay.start + Duration::hours(1));
  EXPECT_THAT(costs(divided(e, "hour,tenant")),
              ElementsAre(std::pair(first + "/a", 10.0), std::pair(second + "/b", 5.0),
                          std::pair(first + "/", 0.0), std::pair(second + "/", 5.0)));
}

RC_GTEST_PROP(Tenants, SumToTheCostOfTheModels, ()) {
  auto world = testing::random_world(*rc::gen::arbitrary<std::uint64_t>());
  Evidence& e = world.evidence;
  for (int i = 0; i < 3; ++i) e.tenants.push_back("t" + std::to_string(i));
  for (const Served& s : std::vector(e.served))
    for (std::uint32_t t = 0; t < 3; ++t) {
      const auto part = *rc::gen::inRange(0, 100) / 100.0;
      e.tenant_uses.push_back(
          {{t}, s.model, s.span, {s.input.count * part}, {}, {s.output.count * part * part}});
    }
  const auto by =
      *parse_dimensions(*rc::gen::element("tenant", "tenant,model", "node,tenant", "tenant,namespace"));
  const Ledger ledger = settle(e, world.prices);
  const auto borne = borne_idle(e, ledger, *rc::gen::element(IdleTo::kSeparate, IdleTo::kProportional));
  const TenantBill bill = divide_by_tenants(e, ledger, by, borne);
  Money rows, models, attributed, named;
  for (const BreakdownRow& row : bill.rows) {
    RC_ASSERT(row.unit.cost == row.buckets.total() + row.borne);
    RC_ASSERT(row.unit.cost.micro >= 0);
    RC_ASSERT(row.unit.tokens.input.count >= 0);
    rows += row.unit.cost;
    if (!row.unattributed) named += row.unit.cost;
  }
  for (const TenantModel& m : bill.models) models += m.cost, attributed += m.attributed;
  Money expected;
  for (const BreakdownRow& row : breakdown(e, ledger, *parse_dimensions("model"), borne))
    if (!row.key[0].empty()) expected += row.unit.cost;
  RC_ASSERT(rows == models);
  RC_ASSERT(rows == expected);
  RC_ASSERT(named == attributed);
}

}  // namespace
}  // namespace etiage::ledger
