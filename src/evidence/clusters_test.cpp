#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "evidence/build.h"

namespace etiage::evidence {
namespace {

Cluster with_node(const std::string& name) {
  Cluster c;
  c.nodes.push_back({.meta = {.name = name}});
  c.nodes.back().capacity["nvidia.com/gpu"] = Quantity::units(1);
  return c;
}

void add_row(SeriesStore& store, const std::string& host, const std::string& cluster,
             const std::string& uuid) {
  std::vector<formats::Label> labels{
      {"Hostname", host}, {"UUID", uuid}, {"__name__", "DCGM_FI_PROF_SM_ACTIVE"}};
  if (!cluster.empty()) labels.push_back({"cluster", cluster});
  labels.push_back({"namespace", "a"});
  labels.push_back({"pod", "p1"});
  const auto ref = store.series(labels);
  const std::vector<formats::Sample> samples{{0, 0.5}, {60'000, 0.5}};
  store.samples(*ref, samples);
}

TEST(Clusters, FilesWithoutACommonNodeAreNotMerged) {
  const auto grouped = group_clusters({{"a.json", with_node("n1")}, {"b.json", with_node("n2")}}, {});
  ASSERT_EQ(grouped.size(), 2u);
  EXPECT_EQ(grouped[0].name, "a.json");
  EXPECT_EQ(grouped[1].name, "b.json");
}

TEST(Clusters, PodsTieTheFilesTogetherThatTheyRunIn) {
  Cluster pods;
  for (const char* node : {"n1", "n2"})
    pods.pods.push_back({.meta = {.ns = "a", .name = std::string("p-") + node}, .spec = {.node_name = node}});
  const auto grouped =
      group_clusters({{"a.json", with_node("n1")}, {"b.json", with_node("n2")}, {"pods.json", pods}}, {});
  ASSERT_EQ(grouped.size(), 1u);
  EXPECT_EQ(grouped[0].objects.nodes.size(), 2u);
  EXPECT_EQ(grouped[0].name, "");
}

TEST(Clusters, APodNameInBothTiesNothingTogether) {
  std::vector<NamedCluster> files{{"a.json", with_node("n1")}, {"b.json", with_node("n2")}};
  for (NamedCluster& f : files)
    f.objects.pods.push_back({.meta = {.ns = "kube-system", .name = "coredns-0", .uid = f.name},
                              .spec = {.node_name = f.objects.nodes[0].meta.name}});
  EXPECT_EQ(group_clusters(files, {}).size(), 2u);
}

TEST(Clusters, ALabelNamesTheClusterWhoseNodesItsSeriesName) {
  SeriesStore store;
  add_row(store, "n1", "paris", "GPU-1");
  add_row(store, "n2", "lyon", "GPU-2");
  store.finish();
  Sources sources{group_clusters({{"a.json", with_node("n1")}, {"b.json", with_node("n2")}}, store),
                  std::move(store)};
  ASSERT_EQ(sources.clusters.size(), 2u);
  EXPECT_EQ(sources.clusters[0].name, "paris");
  EXPECT_EQ(sources.clusters[1].name, "lyon");
  const Evidence e = build_evidence(sources, {});
  ASSERT_EQ(e.nodes.size(), 2u);
  for (const DeviceLife& d : e.devices)
    EXPECT_EQ(e.nodes[d.node.index()].name, d.uuid == "GPU-1" ? "n1" : "n2");
}

TEST(Clusters, NodesOfOneNameInTwoClustersStayTwo) {
  SeriesStore store;
  add_row(store, "gpu-0", "paris", "GPU-1");
  add_row(store, "gpu-0", "lyon", "GPU-2");
  store.finish();
  const Evidence e = build_evidence({{}, std::move(store)}, {});
  EXPECT_EQ(e.nodes.size(), 2u);
  for (const PodLife& p : e.pods) EXPECT_EQ(e.nodes[p.node.index()].cluster, p.cluster);
  EXPECT_EQ(e.pods.size(), 2u);
}

TEST(Clusters, AnyUsualLabelNamesThem) {
  for (const char* label : {"cluster_name", "cluster_id", "k8s_cluster", "site"}) {
    SeriesStore store(label == std::string("site") ? std::vector<std::string>{"site"}
                                                   : std::vector<std::string>{});
    for (const char* name : {"paris", "lyon"}) {
      std::vector<formats::Label> labels{{"Hostname", "gpu-0"},
                                         {"UUID", name},
                                         {"__name__", "DCGM_FI_PROF_SM_ACTIVE"},
                                         {"cluster", "all"},
                                         {label, name}};
      if (label != std::string("site")) labels.erase(labels.begin() + 3);  // a usual `cluster` would win
      std::ranges::sort(labels, {}, &formats::Label::name);
      const std::vector<formats::Sample> samples{{0, 0.5}, {60'000, 0.5}};
      store.samples(*store.series(labels), samples);
    }
    store.finish();
    const Evidence e = build_evidence({{}, std::move(store)}, {});
    ASSERT_EQ(e.nodes.size(), 2u) << label;
    EXPECT_EQ(e.nodes[0].cluster, "lyon");
    EXPECT_EQ(e.nodes[1].cluster, "paris");
  }
}

// Mimir: each tenant may call a cluster and its nodes alike.
TEST(Clusters, TenantsAreToldApartWhereThereAreSeveral) {
  const auto clusters = [](const std::vector<std::pair<std::string, std::string>>& of) {  // tenant, cluster
    SeriesStore store;
    for (const auto& [tenant, cluster] : of) {
      std::vector<formats::Label> labels{{"Hostname", "gpu-0"},
                                         {"UUID", ""},
                                         {"__name__", "DCGM_FI_PROF_SM_ACTIVE"},
                                         {"__tenant_id__", tenant}};
      const std::string uuid = fmt::format("GPU-{}{}", tenant, cluster);
      labels[1].value = uuid;
      if (!cluster.empty()) labels.push_back({"cluster", cluster});
      std::ranges::sort(labels, {}, &formats::Label::name);
      const std::vector<formats::Sample> samples{{0, 0.5}, {60'000, 0.5}};
      store.samples(*store.series(labels), samples);
    }
    store.finish();
    std::vector<std::string> out;
    for (const NodeLife& n : build_evidence({{}, std::move(store)}, {}).nodes) out.push_back(n.cluster);
    std::ranges::sort(out);
    return out;
  };
  EXPECT_EQ(clusters({{"a", "prod"}, {"b", "prod"}, {"b", "test"}}),
            (std::vector<std::string>{"a/prod", "b/prod", "b/test"}));
  EXPECT_EQ(clusters({{"a", ""}, {"b", ""}}), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(clusters({{"a", "prod"}, {"a", "test"}}), (std::vector<std::string>{"prod", "test"}));
}

TEST(Clusters, NodesOfOneNameAndTwoUidsAreOfTwo) {
  std::vector<NamedCluster> files{{"paris/objects.json", with_node("gpu-0")},
                                  {"lyon/objects.json", with_node("gpu-0")}};
  files[0].objects.nodes[0].meta.uid = "1", files[1].objects.nodes[0].meta.uid = "2";
  const auto alone = group_clusters(files, {});
  ASSERT_EQ(alone.size(), 2u);
  EXPECT_EQ(alone[0].name, "paris/objects.json");
  SeriesStore store;
  add_row(store, "gpu-0", "lyon", "GPU-2");
  add_row(store, "gpu-0", "paris", "GPU-1");
  store.finish();
  const auto named = group_clusters(files, store);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].name, "paris");
  EXPECT_EQ(named[0].objects.nodes[0].meta.uid, "1");
  EXPECT_EQ(named[1].name, "lyon");
  files[1].objects.nodes[0].meta.uid = "1";
  EXPECT_EQ(group_clusters(files, {}).size(), 1u);
}

TEST(Clusters, MetricsOfAnotherClusterAreKeptApart) {
  SeriesStore store;
  add_row(store, "elsewhere", "", "GPU-1");
  store.finish();
  Sources sources{group_clusters({{"a.json", with_node("n1")}}, store), std::move(store)};
  const Evidence e = build_evidence(sources, {});
  EXPECT_EQ(e.nodes.size(), 2u);
  EXPECT_TRUE(std::ranges::any_of(e.checks, [](const Check& c) { return c.id == "unrelated-metrics"; }));
}

}  // namespace
}  // namespace etiage::evidence
