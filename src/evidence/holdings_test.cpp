#include <algorithm>
#include <gtest/gtest.h>

#include "evidence/accelerators.h"
#include "evidence/fractions.h"
#include "evidence/testing/sources.h"

namespace etiage::evidence {
namespace {

using testing::evidence;

std::string node(const std::string& labels, const std::string& capacity,
                 const std::string& annotations = "") {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1, creationTimestamp: '1970-01-01T00:00:00Z', "
         "labels: {" +
         labels + "}, annotations: {" + annotations + "}}\nstatus: {capacity: {cpu: '8', memory: 64Gi, " +
         capacity + "}}\n";
}

std::string pod(const std::string& name, const std::string& requests, const std::string& annotations = "",
                const std::string& more = "") {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", namespace: a, uid: " + name +
         ", creationTimestamp: '1970-01-01T00:00:00Z', annotations: {" + annotations + "}" + more +
         "}\nspec: {nodeName: n1, containers: [{name: c, resources: {requests: {" + requests +
         "}}}]}\nstatus: {phase: Running, startTime: '1970-01-01T00:00:00Z'}\n";
}

/// GPU-hours of all holdings together.
double gpu_hours(const Evidence& e) {
  double sum = 0;
  for (const Holding& h : e.holdings) sum += h.share * h.time.length().as_hours();
  return sum;
}

const std::string kHamiNode =
    "'hami.io/node-nvidia-register': '[{\"id\":\"GPU-a\",\"count\":10,\"devmem\":16384,\"devcore\":100,"
    "\"type\":\"NVIDIA-Tesla T4\",\"numa\":0,\"health\":true}]'";

TEST(Holdings, FourQuarterPodsOfHamiAreOneGpuHour) {
  std::string objects = node("", "nvidia.com/gpu: '10'", kHamiNode);
  for (const char* name : {"p0", "p1", "p2", "p3"})
    objects += pod(name, "nvidia.com/gpu: '1', nvidia.com/gpumem: '4096', nvidia.com/gpucores: '25'");
  const Evidence e = evidence(objects, "", 3600);
  EXPECT_DOUBLE_EQ(gpu_hours(e), 1);
  ASSERT_EQ(e.nodes.size(), 1u);
  EXPECT_EQ(e.nodes[0].cards, 1);
  EXPECT_EQ(e.nodes[0].card, "Tesla T4");
}

TEST(Holdings, HamiMemoryCountsWhereNoCoresAreAskedFor) {
  const std::string of_node = node("", "nvidia.com/gpu: '10'", kHamiNode);
  EXPECT_DOUBLE_EQ(
      gpu_hours(evidence(of_node + pod("p", "nvidia.com/gpu: '1', nvidia.com/gpumem: '4096'"), "", 3600)),
      0.25);
  EXPECT_DOUBLE_EQ(
      gpu_hours(
          evidence(of_node + pod("p", "nvidia.com/gpu: '1', nvidia.com/gpumem-percentage: '50'"), "", 3600)),
      0.5);
  EXPECT_DOUBLE_EQ(gpu_hours(evidence(of_node + pod("p", "nvidia.com/gpu: '1'"), "", 3600)), 1);
}

TEST(Holdings, HamiSaysWhichCardAPodIsOn) {
  const std::string done = "'hami.io/vgpu-devices-allocated': 'GPU-a,NVIDIA,4096,25:;'";
  const std::string row = "DCGM_FI_PROF_SM_ACTIVE{Hostname=\"n1\",UUID=\"GPU-a\"} 0.5 ";
  const Evidence e =
      evidence(node("", "nvidia.com/gpu: '10'", kHamiNode) + pod("p", "nvidia.com/gpu: '1'", done),
               row + "60\n" + row + "120\n", 3600);
  ASSERT_EQ(e.holdings.size(), 1u);
  EXPECT_DOUBLE_EQ(e.holdings[0].share, 0.25);
  ASSERT_TRUE(e.holdings[0].device.valid());
  EXPECT_EQ(e.devices[e.holdings[0].device.index()].uuid, "GPU-a");
  EXPECT_FALSE(e.work.empty());
}

TEST(Holdings, HamiByMetricsOfKubernetesAlone) {
  std::string text =
      "kube_node_status_capacity{node=\"n1\",resource=\"nvidia_com_gpu\",unit=\"integer\"} 1 0\n";
  for (const char* resource : {"nvidia_com_gpu\"} 1", "nvidia_com_gpucores\"} 25"})
    text +=
        "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",uid=\"u\",unit=\"integer\",resource="
        "\"" +
        std::string(resource) + " 0\n";
  for (const char* ms : {"0", "60", "120"})
    text += "kube_pod_info{namespace=\"a\",pod=\"p\",uid=\"u\",node=\"n1\"} 1 " + std::string(ms) + "\n";
  const Evidence e = evidence("", text, 120);
  ASSERT_EQ(e.holdings.size(), 1u);
  EXPECT_DOUBLE_EQ(e.holdings[0].share, 0.25);
}

TEST(Holdings, ThePodsOnPartsHoldTheCardThatIsReservedForThem) {
  const std::string group = ", labels: {runai-gpu-group: g}";
  std::string objects = node("nvidia.com/gpu.count: '2'", "nvidia.com/gpu: '2'");
  std::string reservation = pod("r", "nvidia.com/gpu: '1'", "", group);
  reservation.replace(reservation.find("namespace: a"), 12, "namespace: runai-reservation");
  objects += reservation + pod("p0", "cpu: '1'", "gpu-fraction: '0.5'", group) +
             pod("p1", "cpu: '1'", "gpu-fraction: '0.25'", group);
  const std::string row =
      "DCGM_FI_PROF_SM_ACTIVE{Hostname=\"n1\",UUID=\"GPU-a\",namespace=\"runai-reservation\",pod=\"r\"} 0.5 ";
  const Evidence e = evidence(objects, row + "0\n" + row + "60\n", 3600);
  EXPECT_DOUBLE_EQ(gpu_hours(e), 0.75);
  for (const Holding& h : e.holdings) {
    ASSERT_TRUE(h.device.valid());
    EXPECT_EQ(e.devices[h.device.index()].uuid, "GPU-a");
    EXPECT_NE(e.pods[h.pod.index()].name, "r");
  }
}

TEST(Holdings, APodMayAskForDevicesOfSeveralKinds) {
  const Evidence e = evidence(node("nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB, nvidia.com/gpu.count: '1'",
                                   "nvidia.com/mig-1g.10gb: '2', nvidia.com/mig-3g.40gb: '1'") +
                                  pod("p", "nvidia.com/mig-1g.10gb: '2', nvidia.com/mig-3g.40gb: '1'"),
                              "", 3600);
  EXPECT_EQ(e.holdings.size(), 3u);
  EXPECT_NEAR(gpu_hours(e), 2 * (0.5 / 7 + 0.5 / 8) + 0.5 * 3 / 7 + 0.5 * 4 / 8, 1e-9);
}

TEST(Holdings, AcceleratorsThatNobodyMeasuresAreNamedAndHeld) {
  struct Case {
    const char *labels, *capacity, *requests, *card;
    int cards;
    double share;
  };
  const Case cases[] = {
      {"amd.com/gpu.product-name: AMD_Instinct_MI300X_OAM", "amd.com/gpu: '8'", "amd.com/gpu: '1'",
       "AMD_Instinct_MI300X_OAM", 8, 1},
      {"beta.amd.com/gpu.product-name.AMD_Instinct_MI250: '4'", "amd.com/gpu: '4'", "amd.com/gpu: '1'",
       "AMD_Instinct_MI250", 4, 1},
      {"", "amd.com/gpu: '8'", "amd.com/gpu: '1'", "AMD GPU", 8, 1},
      {"", "gpu.intel.com/i915: '2'", "gpu.intel.com/i915: '1'", "Intel GPU", 2, 1},
      {"", "habana.ai/gaudi: '8'", "habana.ai/gaudi: '1'", "Intel Gaudi", 8, 1},
      {"cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice", "google.com/tpu: '4'",
       "google.com/tpu: '4'", "tpu-v5-lite-podslice", 4, 4},
      {"node.kubernetes.io/instance-type: inf2.48xlarge",
       "aws.amazon.com/neuron: '12', aws.amazon.com/neuroncore: '24'", "aws.amazon.com/neuroncore: '1'",
       "AWS Inferentia2", 12, 0.5},
      {"node.kubernetes.io/instance-type: trn1.32xlarge",
       "aws.amazon.com/neuron: '16', aws.amazon.com/neuroncore: '32'", "aws.amazon.com/neuron: '1'",
       "AWS Trainium", 16, 1},
  };
  for (const Case& c : cases) {
    const Evidence e = evidence(node(c.labels, c.capacity) + pod("p", c.requests), "", 3600);
    ASSERT_EQ(e.nodes.size(), 1u);
    EXPECT_EQ(e.nodes[0].card, c.card);
    EXPECT_EQ(e.nodes[0].cards, c.cards) << c.card;
    EXPECT_DOUBLE_EQ(gpu_hours(e), c.share) << c.card;
    EXPECT_TRUE(e.work.empty());
  }
}

TEST(Holdings, NodesKnownByMetricsAloneAreReadAsObjectsAre) {
  std::string text;
  for (const char* series :
       {"kube_node_labels{node=\"n1\",label_nvidia_com_gpu_product=\"Tesla-T4-SHARED\",label_nvidia_com_gpu_"
        "count=\"2\","
        "label_nvidia_com_gpu_replicas=\"4\",label_node_kubernetes_io_instance_type=\"g4dn.12xlarge\"} 1 ",
        "kube_node_status_allocatable{node=\"n1\",resource=\"cpu\",unit=\"core\"} 47.5 ",
        "kube_node_status_capacity{node=\"n1\",resource=\"nvidia_com_gpu\",unit=\"integer\"} 8 "})
    text += series + std::string("0\n") + series + "60\n";
  const Evidence e = evidence("", text, 120);
  ASSERT_EQ(e.nodes.size(), 1u);
  EXPECT_EQ(e.nodes[0].card, "Tesla-T4");
  EXPECT_EQ(e.nodes[0].instance_type, "g4dn.12xlarge");
  EXPECT_EQ(e.nodes[0].cards, 2);
  EXPECT_EQ(e.nodes[0].replicas, 4);
  EXPECT_DOUBLE_EQ(e.nodes[0].cores, 47.5);
}

TEST(Devices, AmdsExporterIsRead) {
  const std::string labels =
      "{card_model=\"102-G30211-0C\",card_series=\"AMD Instinct MI300X "
      "OAM\",card_vendor=\"AMD\",gpu_id=\"2\","
      "gpu_partition_id=\"0\",gpu_uuid=\"ccff74a1\",hostname=\"n1\",namespace=\"a\",pod=\"p\"} ";
  for (const char* metric : {"gpu_gfx_activity", "amd_gpu_gfx_activity", "GPU_GFX_ACTIVITY"}) {
    const Evidence e = evidence(node("", "amd.com/gpu: '8'") + pod("p", "amd.com/gpu: '1'"),
                                metric + labels + "40 0\n" + metric + labels + "40 60\n", 120);
    ASSERT_EQ(e.devices.size(), 1u) << metric;
    EXPECT_EQ(e.devices[0].exporter, "AMD device metrics exporter");
    EXPECT_EQ(e.nodes[0].card, "AMD Instinct MI300X OAM");
    ASSERT_EQ(e.work.size(), 1u);
    EXPECT_EQ(e.work[0].signal, BusySignal::kGpuUtil);
    EXPECT_NEAR(e.work[0].busy_seconds / e.work[0].measured_seconds, 0.4, 1e-9);
  }
}

/// As the exporter's own users show them: one card cut into eight.
TEST(Devices, PartsOfAnAmdCardAreDevicesOfTheirOwn) {
  std::string text;
  for (const int part : {0, 3})
    for (const int second : {0, 60})
      text +=
          "gpu_gfx_activity{card_model=\"102-G30211-0C\",card_series=\"AMD Instinct MI300X OAM\",gpu_compute_"
          "partition_type=\"cpx\",gpu_id=\"4" +
          std::to_string(part) + "\",gpu_partition_id=\"" + std::to_string(part) +
          "\",hostname=\"n1\",namespace=\"a\",pod=\"" + (part == 0 ? "p" : "") +
          "\",serial_number=\"692409005408\"} 0 " + std::to_string(second) + "\n";
  for (const char* resource : {"amd.com/gpu", "amd.com/cpx_nps4"}) {
    const std::string labels =
        resource == std::string("amd.com/gpu") ? "amd.com/compute-memory-partition: cpx_nps4" : "";
    const Evidence e =
        evidence(node(labels, resource + std::string(": '16'")) + pod("p", resource + std::string(": '1'")),
                 text, 120);
    EXPECT_EQ(e.nodes[0].cards, 2);
    ASSERT_EQ(e.devices.size(), 2u);
    EXPECT_EQ(e.devices[0].uuid, e.devices[1].uuid);
    EXPECT_EQ(e.devices[1].instance, "3");
    ASSERT_EQ(e.holdings.size(), 1u);
    EXPECT_DOUBLE_EQ(e.holdings[0].share, 0.125);
    EXPECT_TRUE(e.work.empty()) << "the activity is of whole cards only";
  }
}

TEST(Devices, ExportersOfOtherVendorsAreRead) {
  struct Case {
    const char *series, *value, *capacity, *exporter;
    double busy;
  };
  // Texts of the TPU device plugin v1.35, of XPU Manager's exporter, and by the names that Habana documents.
  const Case cases[] = {
      {"duty_cycle{accelerator_id=\"1234-4\",container=\"c\",make=\"cloud-tpu\",model=\"tpu7x\",namespace="
       "\"a\",pod="
       "\"p\",tpu_topology=\"2x2x2\"}",
       "75", "google.com/tpu", "TPU device plugin", 0.75},
      {"kubernetes_io:container_accelerator_duty_cycle{accelerator_id=\"1234-4\",make=\"cloud-tpu\",model="
       "\"tpu7x\","
       "namespace_name=\"a\",pod_name=\"p\"}",
       "20", "google.com/tpu", "GKE system metrics", 0.2},
      {"xpum_engine_ratio{dev_name=\"Intel(R) Data Center GPU Max "
       "1100\",kube_namespace=\"a\",kube_pod=\"p\",node=\"n1\","
       "uuid=\"00000000-0000-0029-0000-002f0bda8086\"}",
       "0.4", "gpu.intel.com/i915", "Intel XPU Manager", 0.4},
      {"habanalabs_utilization{UUID=\"01P4-HL2080A0\",exported_namespace=\"a\",exported_pod=\"p\",node="
       "\"n1\"}",
       "30", "habana.ai/gaudi", "Gaudi metric exporter", 0.3},
  };
  for (const Case& c : cases) {
    const std::string row = c.series + std::string(" ") + c.value, one = c.capacity + std::string(": '1'");
    const Evidence e = evidence(node("", one) + pod("p", one), row + " 0\n" + row + " 60\n", 120);
    ASSERT_EQ(e.devices.size(), 1u) << c.exporter;
    EXPECT_EQ(e.devices[0].exporter, c.exporter);
    ASSERT_EQ(e.work.size(), 1u) << c.exporter;
    EXPECT_EQ(e.work[0].signal, BusySignal::kGpuUtil);
    EXPECT_NEAR(e.work[0].busy_seconds / e.work[0].measured_seconds, c.busy, 1e-9) << c.exporter;
    EXPECT_TRUE(
        std::ranges::none_of(e.checks, [](const Check& k) { return k.id == "accelerator-not-measured"; }));
  }
}

TEST(Devices, ADutyCycleOfSomethingElseIsNoDevice) {
  const Evidence e =
      evidence(node("", "google.com/tpu: '1'"), "duty_cycle{accelerator_id=\"fan\"} 75 0\n", 120);
  EXPECT_TRUE(e.devices.empty());
}

TEST(Devices, ACardThatTwoExportersShowIsOne) {
  const std::string text =
      "DCGM_FI_DEV_GPU_UTIL{Hostname=\"n1\",UUID=\"GPU-7a2e92f2-be71-d37e-a744-541600ffc722\"} 50 0\n"
      "nvidia_smi_utilization_gpu_ratio{uuid=\"7a2e92f2-be71-d37e-a744-541600ffc722\"} 0.9 0\n"
      "nv_gpu_utilization{gpu_uuid=\"GPU-7a2e92f2-be71-d37e-a744-541600ffc722\"} 0.9 0\n";
  const Evidence e = evidence(node("", "nvidia.com/gpu: '1'"), text, 120);
  ASSERT_EQ(e.devices.size(), 1u);
  EXPECT_EQ(e.devices[0].exporter, "DCGM");
}

}  // namespace
}  // namespace etiage::evidence
