#include "explain/promql/checks.h"

#include <gmock/gmock.h>

#include "explain/promql/expression.h"

namespace etiage::explain {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

std::vector<std::string> ids(std::string_view expr) {
  const std::vector<PromqlUse> uses{{"", "", std::string(expr), {}}};
  std::vector<std::string> out;
  for (const Check& c : promql_checks(uses)) out.push_back(c.id);
  return out;
}

std::string fix_of(std::string_view expr, std::string_view id) {
  const std::vector<PromqlUse> uses{{"", "", std::string(expr), {}}};
  for (const Check& c : promql_checks(uses))
    if (c.id == id) return c.fix.substr(0, c.fix.find("  #"));
  return "";
}

constexpr std::string_view kBusy = "avg by (exported_pod) (DCGM_FI_PROF_SM_ACTIVE)";
constexpr std::string_view kMemory =
    "(DCGM_FI_DEV_FB_USED / on(instance) group_left node_gpu_memory_total) * on(instance) group_left "
    "node_hourly_cost";
constexpr std::string_view kTokens =
    "(sum(rate(node_hourly_cost[5m])) / 3600) / (sum(rate(vllm_generation_tokens_total[5m])) / 1e6)";

TEST(PromqlChecks, KnowsTheThreeQueriesOfTheArticle) {
  EXPECT_THAT(ids(kBusy), ElementsAre("promql-busy-by-pod"));
  EXPECT_THAT(ids(kMemory), UnorderedElementsAre("promql-cost-by-memory", "promql-unknown-metric",
                                                 "promql-unknown-metric", "promql-join-on-instance"));
  EXPECT_THAT(ids(kTokens), UnorderedElementsAre("promql-cost-per-token", "promql-rate-of-gauge",
                                                 "promql-unknown-metric", "promql-unknown-metric"));
}

TEST(PromqlChecks, TheRightFormsAreRight) {
  for (const auto& [expr, id] : {std::pair{kBusy, "promql-busy-by-pod"},
                                 {kMemory, "promql-cost-by-memory"},
                                 {kTokens, "promql-cost-per-token"}}) {
    const std::string right = fix_of(expr, id);
    ASSERT_FALSE(right.empty()) << id;
    EXPECT_TRUE(promql::parse(right)) << right;
    EXPECT_THAT(ids(right), IsEmpty()) << right;
  }
}

TEST(PromqlChecks, ByPodIsFineWithNamespaceAndTime) {
  EXPECT_THAT(ids("avg by (namespace, pod) (avg_over_time(DCGM_FI_PROF_SM_ACTIVE[1h]))"), IsEmpty());
  EXPECT_THAT(ids("max by (pod) (DCGM_FI_PROF_GR_ENGINE_ACTIVE{namespace=\"chat\"})"),
              Contains("promql-busy-by-pod"));
  EXPECT_THAT(ids("avg(DCGM_FI_PROF_SM_ACTIVE)"), IsEmpty());
}

TEST(PromqlChecks, RatesOfCountersAreFine) {
  EXPECT_THAT(ids("rate(vllm:generation_tokens_total[$__rate_interval])"), IsEmpty());
  EXPECT_THAT(ids("increase(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[1h])"), IsEmpty());
  EXPECT_THAT(ids("rate(DCGM_FI_DEV_GPU_TEMP[5m])"), Contains("promql-rate-of-gauge"));
  EXPECT_THAT(ids("irate(vllm:kv_cache_usage_perc[5m])"), Contains("promql-rate-of-gauge"));
}

TEST(PromqlChecks, KnowsTheUnitsOfWhatIsCompared) {
  EXPECT_THAT(ids("avg_over_time(DCGM_FI_PROF_SM_ACTIVE[1h]) < 20"), Contains("promql-units"));
  EXPECT_EQ(fix_of("20 > DCGM_FI_PROF_SM_ACTIVE", "promql-units"), "compare with 0.2");
  EXPECT_EQ(fix_of("max by (UUID) (DCGM_FI_DEV_GPU_UTIL) < 0.05", "promql-units"), "compare with 5");
  EXPECT_EQ(fix_of("DCGM_FI_DEV_FB_USED > 68719476736", "promql-units"), "compare with 65536");
  for (const char* right :
       {"DCGM_FI_PROF_SM_ACTIVE < 0.2", "100 * DCGM_FI_PROF_SM_ACTIVE < 20", "DCGM_FI_DEV_GPU_UTIL == 0",
        "sum(DCGM_FI_PROF_SM_ACTIVE) > 4", "DCGM_FI_DEV_FB_USED > 65536", "vllm:kv_cache_usage_perc > 0.9"})
    EXPECT_THAT(ids(right), Not(Contains("promql-units"))) << right;
}

TEST(PromqlChecks, HitsOfThePrefixCacheCountTooMuch) {
  const std::string query =
      "rate(vllm:prefix_cache_hits_total[5m]) / rate(vllm:prefix_cache_queries_total[5m])";
  EXPECT_THAT(ids(query), Contains("promql-prefix-cache"));
  EXPECT_THAT(ids(fix_of(query, "promql-prefix-cache")), IsEmpty());
}

TEST(PromqlChecks, NamesOfOldReleases) {
  EXPECT_THAT(ids("vllm:gpu_cache_usage_perc > 0.9"), ElementsAre("promql-renamed-metric"));
  EXPECT_THAT(ids("vllm:kv_cache_usage_perc > 0.9"), IsEmpty());
  const std::string hits = fix_of("vllm:gpu_prefix_cache_hit_rate", "promql-renamed-metric");
  EXPECT_THAT(ids(hits.substr(hits.find("-> ") + 3)), IsEmpty()) << hits;
}

TEST(PromqlChecks, ARecordedNameIsKnown) {
  const std::vector<PromqlUse> uses{{"rules", "node_hourly_cost", "node_total_hourly_cost", {}},
                                    {"board", "cost", "sum(node_hourly_cost)", {}}};
  EXPECT_THAT(promql_checks(uses), IsEmpty());
}

TEST(PromqlChecks, WhatCannotBeReadIsSaidWithItsColumn) {
  const std::vector<PromqlUse> uses{{"board", "panel", "sum(x", {}}};
  const auto checks = promql_checks(uses);
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].id, "promql-unreadable");
  EXPECT_THAT(checks[0].subjects, ElementsAre("board: panel"));
}

TEST(Promql, ReadsWhatPeopleWrite) {
  for (const char* text :
       {"up", "1e6 * -2 ^ 3", "sum(x) by (a, b)",
        "sum without(instance) (rate(x{a=~\"b|c\",d!='e'}[5m] offset 1d))",
        "a and on(x) b or ignoring(y) group_left(z) c unless d", "a > bool 1 == 2", "{__name__=~\"DCGM.*\"}",
        "histogram_quantile(0.95, sum by(le) (rate(x_bucket[$__rate_interval])))", "x[1h:5m]",
        "max_over_time((a+b)[1h:])", "topk(5, x{n=\"$ns\", p=~\"$pod\"})", "x @ end() offset -5m",
        "label_replace(x, \"a\", \"$1\", \"b\", \"(.*)\")",
        "avg(DCGM_FI_DEV_GPU_UTIL{gpu=~\"${gpu}\"}) # a comment", "sum by (le,) (x)",
        "quantile by (a) (0.9, x)", "count(sum) + min", "x{}", "{\"a.b\", c=\"d\"}"}) {
    const auto e = promql::parse(text);
    EXPECT_TRUE(e) << text << ": " << (e ? "" : to_string(e.error()));
  }
  for (const char* text : {"", "sum(", "x{a}}", "x[", "1 +", "a b", "x{a=}", ")"})
    EXPECT_FALSE(promql::parse(text)) << text;
  EXPECT_FALSE(promql::parse(std::string(100'000, '(')));
  EXPECT_FALSE(promql::parse(std::string(100'000, '-') + "1"));
}

TEST(Promql, BindsAsPrometheusDoes) {
  const auto e = promql::parse("a + b * c / d");
  ASSERT_TRUE(e);
  EXPECT_EQ(e->name, "+");
  EXPECT_EQ(e->args[1].name, "/");
  EXPECT_EQ(e->args[1].args[0].name, "*");
}

}  // namespace
}  // namespace etiage::explain
