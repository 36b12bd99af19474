// What a text of an exporter or an engine shows by itself, without a window, objects or pod labels.

#include <algorithm>
#include <gtest/gtest.h>

#include "evidence/build.h"

namespace etiage::evidence {
namespace {

using formats::Label;

void add(SeriesStore& store, std::vector<Label> labels, std::vector<formats::Sample> samples) {
  std::ranges::sort(labels, {}, &Label::name);
  const auto ref = store.series(labels);
  ASSERT_TRUE(ref);
  store.samples(*ref, samples);
}

Evidence of(SeriesStore store, std::vector<NamedCluster> clusters = {}) {
  store.finish();
  const Sources sources{std::move(clusters), std::move(store)};
  return build_evidence(sources, {});
}

bool remarks(const Evidence& e, std::string_view id) {
  return std::ranges::find(e.checks, id, &Check::id) != e.checks.end();
}

std::vector<Label> row(std::string_view metric, std::string_view host) {
  return {{"__name__", metric}, {"UUID", "GPU-1"}, {"Hostname", host}, {"modelName", "NVIDIA L4"}};
}

TEST(SingleScrape, ShowsWhatADeviceIsDoing) {
  SeriesStore store;
  auto util = row("DCGM_FI_DEV_GPU_UTIL", "n1");
  util.insert(util.end(), {{"namespace", "chat"}, {"pod", "llama-0"}});
  add(store, util, {{1'000, 37}});
  add(store, row("DCGM_FI_DEV_FB_USED", "n1"), {{1'000, 1024}});
  add(store, row("DCGM_FI_DEV_FB_FREE", "n1"), {{1'000, 3000}});
  add(store, row("DCGM_FI_DEV_FB_RESERVED", "n1"), {{1'000, 72}});
  const Evidence e = of(std::move(store));
  EXPECT_TRUE(e.window.empty());
  ASSERT_EQ(e.devices.size(), 1u);
  ASSERT_TRUE(e.devices[0].now);
  EXPECT_DOUBLE_EQ(e.devices[0].now->u, 0.37);
  EXPECT_EQ(e.devices[0].now->signal, BusySignal::kGpuUtil);
  EXPECT_EQ(e.devices[0].memory.used, Bytes::mib(1024));
  EXPECT_EQ(e.devices[0].memory.total, Bytes::mib(4096));
  ASSERT_EQ(e.holdings.size(), 1u);
  EXPECT_EQ(e.pods[e.holdings[0].pod.index()].name, "llama-0");
}

TEST(SingleScrape, CountsAnEnginesTokensSinceItsStart) {
  SeriesStore store;
  add(store, {{"__name__", "vllm:prompt_tokens_total"}, {"model_name", "opt"}}, {{1'000, 700}});
  add(store, {{"__name__", "vllm:generation_tokens_total"}, {"model_name", "opt"}}, {{1'000, 50}});
  const Evidence e = of(std::move(store));
  ASSERT_EQ(e.served.size(), 1u);
  EXPECT_EQ(e.models[e.served[0].model.index()].name, "opt");
  EXPECT_DOUBLE_EQ(e.served[0].input.count, 700);
  EXPECT_DOUBLE_EQ(e.served[0].output.count, 50);
  EXPECT_EQ(e.pods[e.served[0].pod.index()].source, PodSource::kEngineSeries);
  EXPECT_FALSE(e.pods[e.served[0].pod.index()].node.valid());
  EXPECT_TRUE(remarks(e, "tokens-without-pod"));
}

TEST(LoneEngines, KeepTheirGrowthOverAWindow) {
  SeriesStore store;
  add(store,
      {{"__name__", "vllm:generation_tokens_total"}, {"instance", "10.0.0.1:8000"}, {"model_name", "opt"}},
      {{0, 1000}, {60'000, 1600}});
  const Evidence e = of(std::move(store));
  ASSERT_EQ(e.served.size(), 1u);
  EXPECT_DOUBLE_EQ(e.served[0].output.count, 600);
  EXPECT_EQ(e.pods[0].name, "10.0.0.1:8000");
}

TEST(Devices, OfOneUuidOnTwoNodesAtATimeAreTwo) {
  SeriesStore store;
  for (const char* host : {"n1", "n2"})
    add(store, row("DCGM_FI_PROF_SM_ACTIVE", host), {{0, 0.5}, {60'000, 0.5}});
  const Evidence e = of(std::move(store));
  ASSERT_EQ(e.devices.size(), 2u);
  EXPECT_NE(e.devices[0].node, e.devices[1].node);
  ASSERT_EQ(e.nodes.size(), 2u);
  EXPECT_EQ(e.nodes[0].cards, 1);
  EXPECT_EQ(e.nodes[1].cards, 1);
  EXPECT_TRUE(remarks(e, "uuid-on-two-nodes"));
}

TEST(Devices, ThatMoveBetweenNodesStayOne) {
  SeriesStore store;
  add(store, row("DCGM_FI_PROF_SM_ACTIVE", "n1"), {{0, 0.5}, {60'000, 0.5}});
  add(store, row("DCGM_FI_PROF_SM_ACTIVE", "n2"), {{120'000, 0.5}, {180'000, 0.5}});
  const Evidence e = of(std::move(store));
  EXPECT_EQ(e.devices.size(), 1u);
  EXPECT_FALSE(remarks(e, "uuid-on-two-nodes"));
}

TEST(Devices, OfAnExporterThatRestartedStayOne) {
  SeriesStore store;
  add(store, row("DCGM_FI_PROF_SM_ACTIVE", "dcgm-exporter-a"), {{0, 0.5}, {60'000, 0.5}});
  add(store, row("DCGM_FI_PROF_SM_ACTIVE", "dcgm-exporter-b"), {{60'000, 0.5}, {120'000, 0.5}});
  EXPECT_EQ(of(std::move(store)).devices.size(), 1u);
}

}  // namespace
}  // namespace etiage::evidence
