// What users of other tools reported of shared, cut and moving cards: the right values here.

#include <gmock/gmock.h>

#include "app/cost.h"
#include "app/testing/small_cluster.h"

namespace etiage::app::testing {
namespace {

using ledger::Bucket;
using ::testing::DoubleNear;

constexpr const char* kAllGpu = "currency: USD\nsplit: {gpu: 1}\nprices: [{name: n1, hourly: 8}]\n";

std::string sliced_node(int replicas) {
  return node(
      "n1", "cpu: 64, memory: 256Gi, nvidia.com/gpu: " + std::to_string(replicas),
      "nvidia.com/gpu.count: '1', nvidia.com/gpu.product: NVIDIA-L4-SHARED, nvidia.com/gpu.replicas: '" +
          std::to_string(replicas) + "'");
}
std::string mig_node(const std::string& instances) {
  return node("n1", "cpu: 64, memory: 512Gi, " + instances,
              "nvidia.com/gpu.count: '1', nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, "
              "nvidia.com/mig.strategy: mixed");
}
std::string rows(const std::string& metric, const std::string& pod, double value,
                 const std::string& more = "", int from = 0, int to = 60) {
  const std::string names = pod.empty() ? "" : ",namespace=\"prod\",pod=\"" + pod + "\",container=\"main\"";
  return gauge(metric + "{UUID=\"GPU-1\",gpu=\"0\",Hostname=\"n1\"" + more + names + "}", value, from, to);
}
double hours(const Reading& reading) {
  double sum = 0;
  for (const auto& p : reading.ledger.pods) sum += p.gpu_hours;
  return sum;
}

// NVIDIA/dcgm-exporter#582: four pods on a card sliced in four each show the whole card's value.
TEST(ReportedSharing, PodsThatSliceACardSumToTheCard) {
  SmallCluster c{sliced_node(4), "", kAllGpu};
  for (const char* name : {"a", "b", "c", "d"}) {
    c.objects += pod(name, "n1", "nvidia.com/gpu: 1");
    c.metrics += rows("DCGM_FI_PROF_SM_ACTIVE", name, 0.8);
  }
  const Reading reading = read(c);
  EXPECT_DOUBLE_EQ(hours(reading), 1);
  EXPECT_EQ(reading.ledger.buckets[Bucket::kBusy], Money{6'400'000});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kHeldIdle], Money{1'600'000});
  EXPECT_EQ(reading.ledger.bill, Money{8'000'000});
  EXPECT_FALSE(has_check(reading, "shares-above-card"));
}

// The same card with two of its four slices held.
TEST(ReportedSharing, PodsOnTwoOfFourSlicesHoldHalfOfTheCard) {
  SmallCluster c{sliced_node(4), "", kAllGpu};
  for (const char* name : {"a", "b"}) {
    c.objects += pod(name, "n1", "nvidia.com/gpu: 1");
    c.metrics += rows("DCGM_FI_PROF_SM_ACTIVE", name, 0.4);
  }
  const Reading reading = read(c);
  EXPECT_DOUBLE_EQ(account(reading, "a").gpu_hours, 0.25);
  EXPECT_EQ(account(reading, "a").buckets.total(), Money{2'000'000});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kUnallocated], Money{4'000'000});
}

// NVIDIA/dcgm-exporter#307, #151, #201: only one of the sharing pods has metrics.
TEST(ReportedSharing, EveryPodThatSharesIsChargedThoughOneHasMetrics) {
  SmallCluster c{sliced_node(4), rows("DCGM_FI_PROF_SM_ACTIVE", "a", 0.5), kAllGpu};
  for (const char* name : {"a", "b", "c", "d"}) c.objects += pod(name, "n1", "nvidia.com/gpu: 1");
  const Reading reading = read(c);
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_DOUBLE_EQ(account(reading, name).gpu_hours, 0.25) << name;
    EXPECT_EQ(account(reading, name).buckets.total(), Money{2'000'000}) << name;
  }
  EXPECT_EQ(account(reading, "b").buckets[Bucket::kUnmeasured], Money{2'000'000});
  EXPECT_TRUE(has_check(reading, "held-unmeasured"));
}

// NVIDIA/dcgm-exporter#237, #340: a card shows up several times when its pod is rebuilt.
TEST(ReportedSharing, ACardIsOneWhoeverHoldsIt) {
  SmallCluster c{node("n1", "cpu: 8, memory: 32Gi, nvidia.com/gpu: 1"), "", kAllGpu};
  c.metrics = rows("DCGM_FI_PROF_SM_ACTIVE", "a", 0.5, "", 0, 30) +
              rows("DCGM_FI_PROF_SM_ACTIVE", "b", 0.5, "", 30, 60);
  const Reading reading = read(c);
  EXPECT_EQ(reading.evidence.devices.size(), 1U);
  EXPECT_EQ(reading.evidence.nodes.at(0).cards, 1);
  EXPECT_DOUBLE_EQ(hours(reading), 1);
}

// NVIDIA/dcgm-exporter#342, #411, #188, #138: rows without pod labels.
TEST(ReportedSharing, MissingPodLabelsChangeNoCost) {
  SmallCluster c{node("n1", "cpu: 8, memory: 32Gi, nvidia.com/gpu: 1") + pod("a", "n1", "nvidia.com/gpu: 1"),
                 rows("DCGM_FI_PROF_SM_ACTIVE", "", 0.5), kAllGpu};
  const Reading unlabelled = read(c);
  c.metrics = rows("DCGM_FI_PROF_SM_ACTIVE", "a", 0.5);
  EXPECT_EQ(account(unlabelled, "a").buckets.total(), account(read(c), "a").buckets.total());
  EXPECT_EQ(account(unlabelled, "a").buckets[Bucket::kUnmeasured], Money{8'000'000});
}

// NVIDIA/dcgm-exporter#105, #216, #430: GPU_UTIL is absent or 0 on MIG, and the instance looks idle.
TEST(ReportedSharing, AnInstanceIsAsBusyAsItsEngineThoughGpuUtilIsZero) {
  const std::string instance = ",GPU_I_ID=\"1\",GPU_I_PROFILE=\"3g.40gb\"";
  SmallCluster c{mig_node("nvidia.com/mig-3g.40gb: 2") + pod("a", "n1", "nvidia.com/mig-3g.40gb: 1"), "",
                 kAllGpu};
  c.metrics = rows("DCGM_FI_DEV_GPU_UTIL", "a", 0, instance) +
              rows("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "a", 0.6, instance);
  const Reading reading = read(c);
  EXPECT_THAT(account(reading, "a").busy_hours, DoubleNear(0.6 * 0.4643, 1e-4));
  ASSERT_FALSE(reading.evidence.work.empty());
  EXPECT_EQ(reading.evidence.work.front().signal, BusySignal::kGrEngineActive);
}

// openshift/instaslice-operator#288: an instance created later has no rows, and no pod labels.
TEST(ReportedSharing, AnInstanceWithoutRowsIsHeldAndUnmeasured) {
  const SmallCluster c{mig_node("nvidia.com/mig-1g.10gb: 7") + pod("a", "n1", "nvidia.com/mig-1g.10gb: 1"),
                       gauge("DCGM_FI_DEV_FB_USED{UUID=\"GPU-1\",gpu=\"0\",Hostname=\"n1\"}", 1), kAllGpu};
  const Reading reading = read(c);
  EXPECT_THAT(account(reading, "a").gpu_hours, DoubleNear(0.1339, 1e-4));
  EXPECT_EQ(account(reading, "a").buckets[Bucket::kUnmeasured], account(reading, "a").buckets.total());
}

// kubernetes-sigs/dra-driver-nvidia-gpu#719: a MIG node publishes whole GPUs as well as their instances.
TEST(ReportedSharing, AWholeCardAndItsInstancesAreOneCard) {
  const SmallCluster c{node("n1", "cpu: 8, memory: 32Gi") + R"(---
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.nvidia.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, attributes: {uuid: {string: GPU-1}, productName: {string: NVIDIA A100-SXM4-80GB}}}
  - name: gpu-0-mig-0
    attributes: {uuid: {string: MIG-1}, parentUUID: {string: GPU-1}, profile: {string: 3g.40gb}}
  - name: gpu-0-mig-1
    attributes: {uuid: {string: MIG-2}, parentUUID: {string: GPU-1}, profile: {string: 3g.40gb}}
)",
                       rows("DCGM_FI_PROF_SM_ACTIVE", "", 0.5), kAllGpu};
  EXPECT_EQ(read(c).evidence.nodes.at(0).cards, 1);
}

// The same in an exporter's rows, with DCGM_EXPORTER_DEVICES_STR=g,i: the card's row is no device beside
// them.
TEST(ReportedSharing, ACardsRowBesideItsInstancesIsNoDevice) {
  SmallCluster c{mig_node("nvidia.com/mig-3g.40gb: 2") + pod("a", "n1", "nvidia.com/mig-3g.40gb: 1, cpu: 1"),
                 "", kAllGpu};
  c.metrics = rows("DCGM_FI_PROF_SM_ACTIVE", "", 0.9) +
              rows("DCGM_FI_PROF_SM_ACTIVE", "a", 0.5, ",GPU_I_ID=\"1\",GPU_I_PROFILE=\"3g.40gb\"") +
              rows("DCGM_FI_PROF_SM_ACTIVE", "", 0, ",GPU_I_ID=\"2\",GPU_I_PROFILE=\"3g.40gb\"");
  const Reading reading = read(c);
  EXPECT_EQ(reading.evidence.devices.size(), 2U);
  EXPECT_NEAR(reading.ledger.buckets[Bucket::kBusy].units(), 8 * 0.5 * (3.0 / 14 + 4.0 / 16), 1e-5);
}

// davidB/kubectl-view-allocations#258: nvidia.com/mig-* resources are invisible. opencost/opencost#3533: what
// a slice costs, and what the free ones do.
TEST(ReportedSharing, SlicesHaveAPriceHeldOrFree) {
  const std::string rest = "nvidia.com/mig-1g.10gb: 7";
  SmallCluster c{mig_node(rest) + pod("a", "n1", "nvidia.com/mig-1g.10gb: 2, cpu: 1, memory: 1Gi"), "",
                 kAllGpu};
  for (int i = 7; i <= 13; ++i)
    c.metrics += rows("DCGM_FI_PROF_SM_ACTIVE", i < 9 ? "a" : "", 1,
                      ",GPU_I_ID=\"" + std::to_string(i) + "\",GPU_I_PROFILE=\"1g.10gb\"");
  const Reading reading = read(c);
  // Of 8 $/h: a slice is 0.5/7 + 0.5/8 of the card, seven of them leave an eighth of the memory.
  EXPECT_EQ(account(reading, "a").buckets.total(), Money{2'142'857});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kUnallocated], Money{5'357'143});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kStranded], Money{500'000});
}

// Two clusters may have a pod of one name: `why` explains one, or says that it sums both.
TEST(ReportedSharing, WhyTellsClustersApart) {
  SmallCluster c{"", "", "card,hourly\nL4,8\n"};
  for (const char* cluster : {"eu", "us"})
    c.metrics += rows("DCGM_FI_PROF_SM_ACTIVE", "a", 0.5,
                      ",modelName=\"NVIDIA L4\",cluster=\"" + std::string(cluster) + "\"");
  const Reading reading = read(c);
  for (const std::string subject : {"pod/us/prod/a", "pod/us/a", "namespace/us/prod"})
    EXPECT_THAT(why(reading, subject)->statement, ::testing::StartsWith(subject + " cost 7.60 USD: "));
  EXPECT_THAT(why(reading, "node/us/n1")->statement, ::testing::StartsWith("node/us/n1 cost 8.00 USD: "));
  EXPECT_THAT(why(reading, "pod/prod/a")->statement, ::testing::HasSubstr("15.20 USD in 2 clusters: "));
  EXPECT_FALSE(why(reading, "pod/asia/prod/a"));
}

}  // namespace
}  // namespace etiage::app::testing
