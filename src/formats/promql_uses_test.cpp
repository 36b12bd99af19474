#include "formats/promql_uses.h"

#include <gtest/gtest.h>

#include "formats/document.h"

namespace etiage::formats {
namespace {

std::vector<PromqlUse> uses(std::string_view text) {
  Diagnostics diagnostics;
  const auto documents = read_documents(text, "f", diagnostics);
  return documents.empty() ? std::vector<PromqlUse>{} : read_promql_uses(documents.front(), "f");
}

constexpr std::string_view kBoard = R"json({"title": "GPU",
  "templating": {"list": [{"query": "label_values(x)"}]},
  "panels": [{"type": "row", "title": "Cost",
              "panels": [{"title": "Per token", "targets": [{"expr": "a/b"}, {"expr": ""}]}]},
             {"title": "Busy", "targets": [{"expr": "avg(x)"}]}]})json";

TEST(PromqlUses, OfADashboardWithRows) {
  const auto found = uses(kBoard);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].owner, "dashboard GPU");
  EXPECT_EQ(found[0].name, "Per token");
  EXPECT_EQ(found[1].expr, "avg(x)");
}

TEST(PromqlUses, OfARuleFileAndAnAnswerOfGrafanasApi) {
  EXPECT_EQ(uses("groups:\n- name: g\n  rules:\n  - {record: r, expr: sum(x)}\n").size(), 1u);
  EXPECT_EQ(uses(R"({"meta": {}, "dashboard": {"panels": [{"targets": [{"expr": "up"}]}]}})").size(), 1u);
  EXPECT_TRUE(uses(R"({"expr": "no dashboard"})").empty());
}

TEST(PromqlUses, OfAConfigMap) {
  Diagnostics diagnostics;
  const auto documents = read_documents(
      "kind: ConfigMap\nmetadata: {name: boards}\ndata:\n  gpu.json: '{\"panels\": [{\"targets\": "
      "[{\"expr\": \"up\"}]}]}'\n"
      "  other: 'not: [closed'\n",
      "f", diagnostics);
  EXPECT_EQ(read_promql_config_map(documents.front(), "f").size(), 1u);
}

}  // namespace
}  // namespace etiage::formats
