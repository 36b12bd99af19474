#include "formats/kubectl_text.h"

#include <gtest/gtest.h>

namespace etiage::formats {
namespace {

TEST(KubectlText, ReadsADescribedNode) {
  const auto nodes = described_nodes(
      "Name:               gpu-1\n"
      "Roles:              worker\n"
      "Labels:             beta.kubernetes.io/arch=amd64\n"
      "                    nvidia.com/gpu.count=8\n"
      "                    nvidia.com/gpu.product=NVIDIA-H100-80GB-HBM3\n"
      "Annotations:        csi.volume.kubernetes.io/nodeid: {\"a\":\"b\"}\n"
      "                    x.io/y=z\n"
      "Taints:             nvidia.com/gpu=present:NoSchedule\n"
      "                    node.kubernetes.io/unschedulable:NoSchedule\n"
      "Unschedulable:      true\n"
      "Conditions:\n"
      "  Type             Status  LastHeartbeatTime\n"
      "  Ready            False   Mon, 09 Mar 2026\n"
      "Capacity:\n"
      "  cpu:             96\n"
      "  memory:          1Ti\n"
      "  nvidia.com/gpu:  8\n"
      "Allocatable:\n"
      "  cpu:             95500m\n"
      "  nvidia.com/gpu:  7\n"
      "System Info:\n"
      "  Machine ID:      1\n"
      "Allocated resources:\n"
      "  Resource           Requests   Limits\n"
      "  nvidia.com/gpu     3          3\n"
      "Name:               gpu-2\n"
      "Capacity:\n"
      "  cpu:             4\n",
      "file");
  ASSERT_EQ(nodes.size(), 2u);
  const Node& n = nodes[0];
  EXPECT_EQ(n.meta.name, "gpu-1");
  EXPECT_EQ(n.meta.labels.size(), 3u);
  EXPECT_EQ(n.meta.labels.at("nvidia.com/gpu.count"), "8");
  ASSERT_EQ(n.taints.size(), 2u);
  EXPECT_EQ(n.taints[0], (Taint{"nvidia.com/gpu", "present"}));
  EXPECT_TRUE(n.unschedulable);
  ASSERT_EQ(n.conditions.size(), 1u);
  EXPECT_EQ(n.conditions[0].status, "False");
  EXPECT_EQ(n.capacity.at("nvidia.com/gpu").value(), 8);
  EXPECT_EQ(n.allocatable.at("nvidia.com/gpu").value(), 7);
  EXPECT_EQ(n.allocatable.at("cpu").milli_value(), 95'500);
  EXPECT_EQ(nodes[1].meta.name, "gpu-2");
}

TEST(KubectlText, NamesAPieceOfANodeByItsFile) {
  auto nodes = described_nodes(
      "      nvidia.com/gpu.count=1\n      nvidia.com/gpu.product=Tesla-T4\n      [...]\n", "t4");
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].meta.name, "t4");
  EXPECT_EQ(nodes[0].meta.labels.at("nvidia.com/gpu.product"), "Tesla-T4");
  nodes =
      described_nodes("      {\n        \"cpu\": \"4\",\n        \"nvidia.com/gpu\": \"8\"\n      }\n", "t4");
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].capacity.at("nvidia.com/gpu").value(), 8);
  nodes = described_nodes(
      "      \"nvidia.com/gpu.count\": \"1\",\n      \"nvidia.com/mig-1g.5gb.count\": \"7\",\n", "a");
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].meta.labels.size(), 2u);
  nodes = described_nodes(
      "   Name:   w\n   Roles: worker\n   Capacity:\n   nvidia.com/gpu:          0\n"
      "   nvidia.com/mig-1g.10gb:  16\n   Resource    Requests  Limits\n"
      "   nvidia.com/mig-1g.10gb  0   0\n",
      "x");
  ASSERT_EQ(nodes.size(), 1u);
  EXPECT_EQ(nodes[0].capacity.at("nvidia.com/mig-1g.10gb").value(), 16);
}

TEST(KubectlText, OtherTextsAreNoNodesAndSayWhatToGive) {
  const char* hpa = "Name:   h\nReference:  Deployment/x\nMin replicas:   1\nConditions:\n";
  EXPECT_TRUE(described_nodes(hpa, "x").empty());
  EXPECT_EQ(unused_kubectl_text(hpa).hint, "give kubectl get horizontalpodautoscaler -A -o yaml");
  const char* queue = "Name:  cq\nKind:         ClusterQueue\nSpec:\n      cpu\n";
  EXPECT_TRUE(described_nodes(queue, "x").empty());
  EXPECT_EQ(unused_kubectl_text(queue).what, "kubectl describe of a ClusterQueue");
  EXPECT_TRUE(described_nodes("NAMESPACE  NAME  QUEUE\na   b=c/d   q\n", "x").empty());
  EXPECT_TRUE(described_nodes("", "x").empty());
}

}  // namespace
}  // namespace etiage::formats
