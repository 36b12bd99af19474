#include <gmock/gmock.h>

#include "explain/doctor/autoscalers.h"
#include "explain/doctor/prices.h"

namespace etiage::explain {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Instant kStart = Instant::unix_seconds(1'790'812'800);

Evidence one_node() {
  Evidence e;
  e.window = {kStart, kStart + Duration::hours(2)};
  NodeLife n{.name = "n1", .instance_type = "p5.48xlarge", .card = "NVIDIA-H100-80GB-HBM3", .cards = 8};
  n.life = e.window;
  e.nodes.push_back(n);
  return e;
}

std::vector<std::string> ids(const Evidence& e, const PriceBook& book) {
  std::vector<std::string> out;
  for (const Check& c : price_checks(e, ledger::settle(e, book), book)) out.push_back(c.id);
  return out;
}

PriceRow row(const std::string& type, std::int64_t units, const std::string& source = "") {
  return {
      .kind = PriceKey::kInstanceType, .key = type, .hourly = {units * 1'000'000'000'000}, .source = source};
}

TEST(PriceChecks, AListThatFitsHasNone) {
  EXPECT_THAT(ids(one_node(), {.rows = {row("p5.48xlarge", 55)}}), IsEmpty());
}

TEST(PriceChecks, ListsThatDisagree) {
  EXPECT_THAT(
      ids(one_node(), {.rows = {row("p5.48xlarge", 98, "a.csv:2"), row("p5.48xlarge", 31, "b.csv:2")}}),
      ElementsAre("prices-disagree"));
  PriceBook later{.rows = {row("p5.48xlarge", 98), row("p5.48xlarge", 55)}};
  later.rows[0].valid.end = later.rows[1].valid.start = kStart + Duration::hours(1);
  EXPECT_THAT(ids(one_node(), later), IsEmpty());
}

TEST(PriceChecks, RowsThatNameNothing) {
  const PriceBook book{.rows = {row("p5.48xlarge", 55), row("p4d.24xlarge", 20)}};
  const Evidence e = one_node();
  const auto checks = price_checks(e, ledger::settle(e, book), book);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].severity, Severity::kInfo);
  const PriceBook misspelt{.rows = {row("p5-48xlarge", 55)}};
  EXPECT_THAT(ids(e, misspelt), ElementsAre("unpriced-nodes", "price-rows-unused"));
}

TEST(PriceChecks, PricesThatNoCardHas) {
  EXPECT_THAT(ids(one_node(), {.rows = {row("p5.48xlarge", 40'000)}}),
              ElementsAre("prices-odd"));  // a month's
}

TEST(AutoscalerChecks, CpuIsFineForAGatewayAndWrongForAModel) {
  Evidence e = one_node();
  e.pods.push_back(
      {.ns = "a", .name = "g-0", .node = NodeId{0}, .workload_kind = "Deployment", .workload = "g"});
  Autoscaler cpu{.kind = "HorizontalPodAutoscaler",
                 .meta = {.ns = "a", .name = "g"},
                 .target_kind = "Deployment",
                 .target = "g",
                 .metrics = {{"Resource", "cpu", "", 80}}};
  std::vector<ClusterAutoscaler> scalers{{"", cpu}};
  EXPECT_THAT(autoscaler_checks(e, scalers), IsEmpty());
  e.pods[0].devices = {"nvidia.com/gpu", "", 1};
  EXPECT_EQ(autoscaler_checks(e, scalers).size(), 1u);
}

}  // namespace
}  // namespace etiage::explain
