#include <algorithm>
#include <gmock/gmock.h>

#include "evidence/build.h"

namespace etiage::evidence {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t kStart = 1'790'812'800'000;  // a full hour
constexpr std::int64_t kHour = 3'600'000;
using Labels = std::vector<formats::Label>;

/// Two hours of one healthy node with a pod on a whole card, to be spoilt by each test.
std::vector<std::string> ids_of(const std::vector<Check>& checks) {
  std::vector<std::string> out;
  for (const Check& c : checks) out.push_back(c.id);
  return out;
}

class Clinic {
 public:
  Clinic() {
    objects.nodes.push_back({.meta = {.name = "n1"}});
    objects.nodes[0].meta.labels = {{"nvidia.com/gpu.product", "NVIDIA-L4"}, {"nvidia.com/gpu.count", "1"}};
    objects.nodes[0].capacity["nvidia.com/gpu"] = Quantity::units(1);
    objects.nodes[0].capacity["cpu"] = Quantity::units(16);
    objects.nodes[0].capacity["memory"] = Quantity::units(64LL << 30);
    objects.nodes[0].meta.created = Instant::unix_millis(kStart - kHour);
    pod("p1");
  }

  Pod& pod(const std::string& name) {
    Pod p{.meta = {.ns = "a", .name = name, .uid = name}, .spec = {.node_name = "n1"}};
    p.spec.containers.push_back({.name = "main"});
    p.spec.containers[0].requests["nvidia.com/gpu"] = Quantity::units(1);
    p.meta.created = Instant::unix_millis(kStart - kHour);
    p.status.phase = "Running";
    p.status.start_time = p.meta.created;
    p.status.conditions.push_back({"Ready", "True", "", "", p.meta.created});
    objects.pods.push_back(p);
    return objects.pods.back();
  }

  /// A gauge or counter each `step` from `from` to `to` (milliseconds after the start), `first` growing by
  /// `slope` a sample.
  void series(const std::string& metric, Labels labels, double first, double slope = 0, std::int64_t from = 0,
              std::int64_t to = 2 * kHour, std::int64_t step = 30'000) {
    labels.push_back({"__name__", metric});
    std::ranges::sort(labels, {}, &formats::Label::name);
    std::vector<formats::Sample> samples;
    for (std::int64_t t = from; t <= to; t += step)
      samples.push_back({kStart + t, first + slope * static_cast<double>(samples.size())});
    store.samples(*store.series(labels), samples);
  }
  void values(const std::string& metric, Labels labels, const std::vector<double>& values) {
    labels.push_back({"__name__", metric});
    std::ranges::sort(labels, {}, &formats::Label::name);
    std::vector<formats::Sample> samples;
    for (double v : values)
      samples.push_back({kStart + static_cast<std::int64_t>(samples.size()) * 30'000, v});
    store.samples(*store.series(labels), samples);
  }
  static Labels device(std::string_view uuid = "GPU-1", std::string_view pod = "p1") {
    Labels out{{"Hostname", "n1"}, {"UUID", uuid}, {"modelName", "NVIDIA L4"}};
    if (!pod.empty()) out.insert(out.end(), {{"namespace", "a"}, {"pod", pod}});
    return out;
  }
  void healthy() {
    series("DCGM_FI_PROF_SM_ACTIVE", device(), 0.5);
    series("DCGM_FI_DEV_GPU_UTIL", device(), 90);
    series("container_cpu_usage_seconds_total", {{"namespace", "a"}, {"pod", "p1"}, {"container", "main"}}, 0,
           1);
    series("kube_pod_status_ready", {{"namespace", "a"}, {"pod", "p1"}, {"condition", "true"}}, 1);
  }

  Evidence evidence(std::optional<Window> window = {}) {
    store.finish();
    Sources sources;
    sources.clusters.push_back({"", objects});
    sources.series = std::move(store);
    Request request;
    request.window.absolute = window;
    return build_evidence(sources, request);
  }
  std::vector<Check> checks(std::optional<Window> window = {}) { return evidence(window).checks; }
  std::vector<std::string> ids(std::optional<Window> window = {}) { return ids_of(checks(window)); }

  Cluster objects;
  SeriesStore store;
};

TEST(Checks, AHealthyClusterHasNone) {
  Clinic c;
  c.healthy();
  EXPECT_THAT(c.ids(), IsEmpty());
}

TEST(Checks, EveryCheckSaysItsEffectAndAFix) {
  Clinic c;
  c.pod("p2");
  c.series("DCGM_FI_DEV_GPU_UTIL", Clinic::device("GPU-1", ""), 50, 0, 0, 2 * kHour, 300'000);
  for (const Check& check : c.checks()) {
    EXPECT_FALSE(check.effect.empty()) << check.id;
    EXPECT_FALSE(check.fix.empty()) << check.id;
  }
}

TEST(Checks, SignalsThatAreMissing) {
  Clinic util;
  util.series("DCGM_FI_DEV_GPU_UTIL", Clinic::device(), 50);
  EXPECT_THAT(util.ids(), Contains("profiling-metrics-missing"));
  Clinic engine;
  engine.series("DCGM_FI_PROF_GR_ENGINE_ACTIVE", Clinic::device(), 0.5);
  const auto ids = engine.ids();
  EXPECT_THAT(ids, Contains("sm-active-missing"));
  EXPECT_THAT(ids, Not(Contains("profiling-metrics-missing")));
}

TEST(Checks, GpuUtilOfAnInstanceSaysNothing) {
  Clinic c;
  Labels instance = Clinic::device();
  instance.insert(instance.end(), {{"GPU_I_ID", "7"}, {"GPU_I_PROFILE", "1g.6gb"}});
  c.series("DCGM_FI_DEV_GPU_UTIL", instance, 0);
  EXPECT_THAT(c.ids(), Contains("gpu-util-on-mig"));
  Clinic with;
  with.series("DCGM_FI_DEV_GPU_UTIL", instance, 0);
  with.series("DCGM_FI_PROF_GR_ENGINE_ACTIVE", instance, 0.4);
  EXPECT_THAT(with.ids(), Not(Contains("gpu-util-on-mig")));
}

TEST(Checks, AGapInTheEvidence) {
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 2 * kHour);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 5 * kHour, 9 * kHour);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("evidence-gaps"));
  EXPECT_THAT(ids, Not(Contains("outlier-stamps")));
}

TEST(Checks, AStrayStampStretchesTheWindow) {
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 0);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 100 * kHour, 120 * kHour);
  EXPECT_THAT(c.ids(), Contains("outlier-stamps"));
}

TEST(Checks, AStrayStampOfAWrongClockIsLeftOut) {
  constexpr std::int64_t kYear = 366 * 24 * kHour;
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 0);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 30 * kYear, 30 * kYear + 20 * kHour);
  const Evidence evidence = c.evidence();
  EXPECT_LT(evidence.window.length(), Duration::hours(21));
  EXPECT_THAT(ids_of(evidence.checks), Contains("outlier-stamps"));
}

TEST(Checks, StampsBeyondAnyClockAreLeftOut) {
  Clinic c;
  c.healthy();
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, kStart * 1000, kStart * 1000);
  const Evidence evidence = c.evidence();
  EXPECT_LT(evidence.window.length(), Duration::hours(3));
  EXPECT_THAT(ids_of(evidence.checks), Contains("impossible-stamps"));
}

TEST(Checks, ADeviceThatFellSilent) {
  Clinic c;
  c.objects.nodes[0].capacity["nvidia.com/gpu"] = Quantity::units(2);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 9 * kHour);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device("GPU-2", ""), 0, 0, 0, 4 * kHour);
  EXPECT_THAT(c.ids(), Contains("device-silent"));
}

TEST(Checks, SlowScrapes) {
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 2 * kHour, 600'000);
  const auto checks = c.checks();
  const auto it = std::ranges::find(checks, "scrape-interval", &Check::id);
  ASSERT_NE(it, checks.end());
  EXPECT_EQ(it->severity, Severity::kWarning);
}

TEST(Checks, RowsThatNameNoPod) {
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device("GPU-1", ""), 0.5);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("pod-labels-missing"));
  EXPECT_THAT(ids, Contains("busy-without-holder"));
}

TEST(Checks, RowsThatNameTheExporter) {
  Clinic c;
  Labels own{{"Hostname", "n1"},
             {"UUID", "GPU-1"},
             {"namespace", "gpu-operator"},
             {"pod", "nvidia-dcgm-exporter-x"},
             {"container", "nvidia-dcgm-exporter"}};
  c.series("DCGM_FI_PROF_SM_ACTIVE", own, 0.5);
  EXPECT_THAT(c.ids(), Contains("labels-name-exporter"));
  Clinic exported;
  own.insert(own.end(), {{"exported_namespace", "a"}, {"exported_pod", "p1"}});
  exported.series("DCGM_FI_PROF_SM_ACTIVE", own, 0.5);
  const auto ids = exported.ids();
  EXPECT_THAT(ids, Contains("honor-labels"));
  EXPECT_THAT(ids, Not(Contains("labels-name-exporter")));
}

TEST(Checks, TwoJobsAndBothLevels) {
  Clinic c;
  Labels one = Clinic::device(), two = Clinic::device();
  one.push_back({"job", "gke"}), two.push_back({"job", "mine"});
  c.series("DCGM_FI_PROF_SM_ACTIVE", one, 0.5);
  c.series("DCGM_FI_PROF_SM_ACTIVE", two, 0.5);
  Labels instance = Clinic::device("GPU-1", "");
  instance.insert(instance.end(), {{"GPU_I_ID", "1"}, {"GPU_I_PROFILE", "1g.6gb"}});
  c.series("DCGM_FI_PROF_SM_ACTIVE", instance, 0.5);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("devices-scraped-twice"));
  EXPECT_THAT(ids, Contains("mig-both-levels"));
}

TEST(Checks, SharersThatNobodyTellsApart) {
  Clinic c;
  c.objects.nodes[0].meta.labels["nvidia.com/gpu.replicas"] = "4";
  c.objects.nodes[0].capacity["nvidia.com/gpu"] = Quantity::units(4);
  c.pod("p2");
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5);
  EXPECT_THAT(c.ids(), Contains("virtual-gpus-off"));
  Clinic both;
  both.objects = c.objects;
  both.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5);
  both.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device("GPU-1", "p2"), 0.5);
  EXPECT_THAT(both.ids(), Not(Contains("virtual-gpus-off")));
}

TEST(Checks, WhatEnginesCount) {
  const Labels engine{{"namespace", "a"}, {"pod", "p1"}, {"model_name", "m"}};
  Clinic c;
  c.healthy();
  c.values("vllm:generation_tokens_total", engine, {1, 5, 2, 3, 1, 9, 2, 4, 1, 3});
  c.series("vllm:request_params_n_sum", engine, 80);
  c.series("vllm:request_params_n_count", engine, 10);
  c.series("vllm:prefix_cache_hits_total", engine, 10);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("counter-resets"));
  EXPECT_THAT(ids, Contains("several-samples"));
  EXPECT_THAT(ids, Contains("prefix-cache-counters"));

  Clinic newer;
  newer.healthy();
  newer.series("vllm:generation_tokens_total", engine, 0, 10);
  newer.series("vllm:request_params_n_sum", engine, 10);
  newer.series("vllm:request_params_n_count", engine, 10);
  newer.series("vllm:prefix_cache_hits_total", engine, 10);
  Labels source = engine;
  source.push_back({"source", "local_compute"});
  newer.series("vllm:prompt_tokens_by_source_total", source, 0, 10);
  EXPECT_THAT(newer.ids(), IsEmpty());
}

TEST(Checks, MetricsOfOldReleases) {
  const Labels engine{{"namespace", "a"}, {"pod", "p1"}, {"model_name", "m"}};
  for (const char* name : {"vllm:gpu_prefix_cache_hit_rate", "ray_vllm_gpu_cache_usage_perc",
                           "vllm:time_per_output_token_seconds_count"}) {
    Clinic c;
    c.healthy();
    c.series(name, engine, 1);
    EXPECT_THAT(c.ids(), ElementsAre("engine-metrics-renamed")) << name;
  }
}

TEST(Checks, PromptsOfADecodePool) {
  Clinic c;
  c.healthy();
  Labels source{{"namespace", "a"}, {"pod", "p1"}, {"model_name", "m"}, {"source", "external_kv_transfer"}};
  c.series("vllm:prompt_tokens_by_source_total", source, 0, 10);
  EXPECT_THAT(c.ids(), Contains("disaggregated-prompts"));
}

TEST(Checks, AModelWithoutTokens) {
  Clinic c;
  c.objects.pods[0].spec.containers[0].args = {"--model", "meta-llama/Llama-3.1-8B"};
  c.healthy();
  EXPECT_THAT(c.ids(), Contains("tokens-missing"));
}

TEST(Checks, CopiesChangesAndLabels) {
  Clinic c;
  c.healthy();
  Labels a{{"node", "n1"}, {"label_x", "1"}}, b{{"node", "n1"}, {"label_x", "2"}};
  c.series("kube_node_labels", a, 1);
  c.series("kube_node_labels", b, 1);
  Labels first = Clinic::device(), second = Clinic::device();
  first.push_back({"prometheus_replica", "a"}), second.push_back({"prometheus_replica", "b"});
  c.series("DCGM_FI_PROF_GR_ENGINE_ACTIVE", first, 0.5);
  c.series("DCGM_FI_PROF_GR_ENGINE_ACTIVE", second, 0.5);
  c.series("kube_pod_created", {{"namespace", "a"}, {"pod", "p1"}, {"cluster", "paris"}}, 1);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("node-labels-churn"));
  EXPECT_THAT(ids, Contains("ha-replicas"));
  EXPECT_THAT(ids, Contains("cluster-label-partial"));
}

TEST(Checks, WhatTheWindowAsksForAndTheDataLack) {
  const auto ids = [](std::int64_t from, std::int64_t to) {
    Clinic c;
    c.healthy();
    return c.ids(Window{Instant::unix_millis(kStart + from), Instant::unix_millis(kStart + to)});
  };
  EXPECT_THAT(ids(10 * kHour, 12 * kHour), Contains("window-without-data"));
  EXPECT_THAT(ids(kHour, 5 * kHour), Contains("window-beyond-data"));
  EXPECT_THAT(ids(0, kHour), Not(AnyOf(Contains("window-without-data"), Contains("window-beyond-data"))));
}

TEST(Checks, OneScrapeIsAMoment) {
  Clinic c;
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5, 0, 0, 0);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("no-window"));
  EXPECT_THAT(ids, Contains("state-now"));
}

TEST(Checks, WhatKubernetesDoesNotTell) {
  Clinic c;
  c.objects.pods.clear();
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("pods-by-rows-only"));
  EXPECT_THAT(ids, Contains("readiness-missing"));
  Clinic used;
  used.objects.pods[0].spec.containers[0].requests["cpu"] = Quantity::units(1);
  used.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5);
  EXPECT_THAT(used.ids(), Contains("usage-missing"));
}

TEST(Checks, AmountsThatNoMachineHas) {
  Clinic c;
  c.objects.pods[0].spec.containers[0].limits["nvidia.com/gpu"] = Quantity::units(99'999'999'999);
  c.objects.nodes[0].capacity["memory"] = Quantity::units(-1);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device(), 0.5);
  EXPECT_THAT(c.ids(), Contains("absurd-amounts"));
}

TEST(Checks, ValuesThatNoRatioHas) {
  Clinic c;
  c.healthy();
  c.values("DCGM_FI_PROF_GR_ENGINE_ACTIVE", Clinic::device(), {0.5, 1.2, 17, 0.5});
  const auto checks = c.checks();
  const auto it = std::ranges::find(checks, "odd-values", &Check::id);
  ASSERT_NE(it, checks.end());
  EXPECT_EQ(it->message, "1 busy values between 1 and 1.5 clamped to 1, 1 outside dropped");
}

TEST(Checks, TwoClustersAreToldApart) {
  Clinic c;
  for (const char* cluster : {"paris", "lyon"}) {
    auto labels = Clinic::device();
    labels.push_back({"k8s_cluster", cluster});
    c.series("DCGM_FI_PROF_SM_ACTIVE", labels, 0.5);
  }
  EXPECT_THAT(c.ids(), Contains("several-clusters"));
}

TEST(Checks, TokensThatComeAtTheEnd) {
  Clinic c;
  c.healthy();
  c.series("sglang:generation_tokens_total", {{"namespace", "a"}, {"pod", "p1"}}, 0, 10);
  EXPECT_THAT(c.ids(), Contains("tokens-at-finish"));
}

TEST(Checks, ClaimsWithoutRows) {
  Clinic c;
  c.healthy();
  Pod& pod = c.pod("p2");
  pod.spec.containers[0].requests.clear();
  pod.spec.claims.push_back({.name = "gpu", .claim = "mine"});
  c.objects.dra.claims.push_back({.meta = {.ns = "a", .name = "mine"}});
  c.objects.dra.claims[0].reserved_for.push_back({.name = "p2", .uid = "p2"});
  c.objects.dra.claims[0].allocation.emplace();
  c.objects.dra.claims[0].allocation->devices.push_back(
      {.request = "r", .driver = "gpu.nvidia.com", .pool = "n1", .device = "gpu-7"});
  EXPECT_THAT(c.ids(), Contains("dra-pods-without-rows"));
}

TEST(Checks, SpellingsAndCopiesThatMislead) {
  Clinic c;
  c.healthy();
  c.series("DCGM_FI_PROF_SM_ACTIVE", {{"hostname", "n2"}, {"UUID", "GPU-2"}}, 0.5);
  c.series("DCGM_FI_PROF_SM_ACTIVE", Clinic::device("GPU-1", "p2"), 0.5);
  const auto ids = c.ids();
  EXPECT_THAT(ids, Contains("host-label-spellings"));
  EXPECT_THAT(ids, Contains("virtual-gpus-copies"));
}

}  // namespace
}  // namespace etiage::evidence
