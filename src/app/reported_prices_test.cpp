// What users of other tools reported of prices and of sums that do not close: the right values here.

#include <gmock/gmock.h>

#include "app/testing/small_cluster.h"
#include "ledger/unit_cost.h"

namespace etiage::app::testing {
namespace {

using ledger::Bucket;
using ::testing::HasSubstr;

std::string gpu_node(const std::string& name = "n1", int gpus = 2) {
  return node(name, "cpu: 32, memory: 128Gi, nvidia.com/gpu: " + std::to_string(gpus),
              "node.kubernetes.io/instance-type: g6.12xlarge, nvidia.com/gpu.product: NVIDIA-L4");
}
std::string busy(const std::string& pod, double value, const std::string& uuid = "GPU-1") {
  return gauge(
      "DCGM_FI_PROF_SM_ACTIVE{UUID=\"" + uuid + "\",Hostname=\"n1\",namespace=\"prod\",pod=\"" + pod + "\"}",
      value);
}
void expect_closed(const Reading& reading) {
  Money nodes;
  for (const auto& n : reading.ledger.nodes) {
    nodes += n.bill;
    EXPECT_EQ(n.buckets.total(), n.bill);
  }
  EXPECT_EQ(nodes, reading.ledger.bill);
  EXPECT_EQ(reading.ledger.buckets.total(), reading.ledger.bill);
  for (const auto& cell : reading.ledger.cells) {
    Money sum;
    for (const auto& leaf : cell.leaves) {
      EXPECT_GE(leaf.amount, Money{});
      sum += leaf.amount;
    }
    EXPECT_EQ(sum, cell.bill);
  }
}

// opencost/opencost#3900: the "usage" basis is within 1 % of "allocation", since it too is request times
// hours.
TEST(ReportedPrices, UsageIsWhatWasBusyAndNotWhatWasHeld) {
  SmallCluster c{gpu_node("n1", 1) + pod("a", "n1", "nvidia.com/gpu: 1"), busy("a", 0.25),
                 "currency: USD\nsplit: {gpu: 1}\nprices: [{name: n1, hourly: 10}]\n"};
  const std::string who = "{namespace=\"prod\",pod=\"a\",model_name=\"m\"}";
  c.metrics +=
      counter("vllm:prompt_tokens_total" + who, 0, 0) + counter("vllm:generation_tokens_total" + who, 0, 1e6);
  const Reading reading = read(c);
  const auto rows = ledger::model_rows(reading.evidence, reading.ledger);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_DOUBLE_EQ(*rows[0].unit.per_million().full, 10);
  EXPECT_DOUBLE_EQ(*rows[0].unit.per_million().usage, 2.5);
}

// opencost/opencost#3823: idle is 0 everywhere.
TEST(ReportedPrices, WhatNobodyHoldsIsARowOfItsOwn) {
  const Reading reading =
      read({gpu_node() + pod("a", "n1", "nvidia.com/gpu: 1, cpu: 1, memory: 1Gi"), busy("a", 1),
            "currency: USD\nsplit: {gpu: 1}\nprices: [{name: n1, hourly: 10}]\n"});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kUnallocated], Money{5'000'000});
  expect_closed(reading);
}

// opencost/opencost#3160: a custom price is ignored on GPU nodes. llm-d PR #2510: a placeholder replaces it
// silently.
TEST(ReportedPrices, TheUsersPriceWinsAndIsNamed) {
  SmallCluster c{gpu_node() + pod("a", "n1", "nvidia.com/gpu: 1"), busy("a", 1),
                 "instanceType,hourly\ng6.12xlarge,3.5\n"};
  const Reading reading = read(c);
  EXPECT_EQ(reading.ledger.bill, Money{3'500'000});
  EXPECT_THAT(reading.ledger.nodes.at(0).price_source, HasSubstr("prices.csv:2"));
  EXPECT_EQ(reading.ledger.nodes.at(0).price_grade, Grade::kMeasured);
  c.prices = "instanceType,hourly\nother,3.5\n";
  const Reading listed = read(c);
  EXPECT_EQ(listed.ledger.nodes.at(0).price_grade, Grade::kAssumed);
  EXPECT_TRUE(has_check(listed, "catalogue-prices"));
}

// opencost/opencost#2029, kubecost#2418: all component prices are divided by a factor once a node has a GPU.
TEST(ReportedPrices, PricesOfComponentsKeepTheirRatioAndSumToTheNode) {
  const Reading reading = read({gpu_node() + pod("a", "n1", "nvidia.com/gpu: 2, cpu: 32, memory: 128Gi"),
                                busy("a", 1) + busy("a", 1, "GPU-2"),
                                "currency: USD\ncomponents: {gpu: 0.95, cpu: 0.031611, memory: 0.004237}\n"
                                "prices: [{name: n1, hourly: 6.907776}]\n"});  // twice what the parts sum to
  EXPECT_EQ(reading.ledger.buckets[Bucket::kBusy], Money{3'800'000});
  EXPECT_EQ(reading.ledger.buckets[Bucket::kCpuMemory], Money{3'107'776});
  expect_closed(reading);
}

// opencost/opencost#2901, #73, #2069, PR #1266: pods cost a multiple of their node, idle is huge or negative.
TEST(ReportedPrices, PodsNeverCostMoreThanTheirNode) {
  SmallCluster c{gpu_node(), "", "name,hourly\nn1,10\n"};
  for (const char* name : {"a", "b", "c"}) {
    c.objects += pod(name, "n1", "nvidia.com/gpu: 2, cpu: 30, memory: 120Gi");
    c.metrics += busy(name, 0.9);
    c.metrics += counter("container_cpu_usage_seconds_total{namespace=\"prod\",pod=\"" + std::string(name) +
                             "\",container=\"main\"}",
                         0, 200000);
  }
  const Reading reading = read(c);
  EXPECT_EQ(reading.ledger.bill, Money{10'000'000});
  EXPECT_TRUE(has_check(reading, "shares-above-card"));
  for (const char* name : {"a", "b", "c"}) {
    const auto& buckets = account(reading, name).buckets;
    EXPECT_NEAR((buckets[Bucket::kBusy] + buckets[Bucket::kHeldIdle] + buckets[Bucket::kUnmeasured]).units(),
                9.5 / 3, 1e-5)
        << "the card part of the node, and none of its cores";
  }
  expect_closed(reading);
}

// kubecost/cost-model#1389: idle GPU cost on nodes with no GPU.
TEST(ReportedPrices, ANodeWithoutGpusHasNoGpuCost) {
  const Reading reading =
      read({node("n1", "cpu: 8, memory: 32Gi") + pod("a", "n1", "cpu: 2, memory: 16Gi"),
            gauge("container_memory_working_set_bytes{namespace=\"prod\",pod=\"a\",container=\"main\"}", 1e9),
            "name,hourly\nn1,0.4\n"});
  EXPECT_EQ(reading.ledger.bill, Money{400'000});
  for (Bucket b :
       {Bucket::kBusy, Bucket::kHeldIdle, Bucket::kUnmeasured, Bucket::kUnallocated, Bucket::kStranded})
    EXPECT_EQ(reading.ledger.buckets[b], Money{});
  // A quarter of the cores, half of the memory, at 0.031611 a core and 0.004237 a GiB.
  EXPECT_EQ(reading.ledger.buckets[Bucket::kCpuMemory], Money{134'902});
  expect_closed(reading);
}

// kubecost/cost-model#1978: with AWS's vGPU plug-in the node has 0 GPUs, and idle is negative.
TEST(ReportedPrices, AnUnknownDeviceIsAnErrorAndNeverNegative) {
  const Reading reading =
      read({node("n1", "cpu: 8, memory: 32Gi, k8s.amazonaws.com/vgpu: 10") +
                pod("a", "n1", "k8s.amazonaws.com/vgpu: 1, cpu: 1, memory: 1Gi"),
            gauge("container_memory_working_set_bytes{namespace=\"prod\",pod=\"a\",container=\"main\"}", 1e9),
            "name,hourly\nn1,1\n"});
  EXPECT_EQ(reading.ledger.bill, Money{1'000'000});
  EXPECT_EQ(account(reading, "a").buckets[Bucket::kUnmeasured], Money{95'000}) << "one of ten";
  EXPECT_TRUE(has_check(reading, "held-unmeasured"));
  expect_closed(reading);
}

// The same, where the node declares no device at all and pods hold some.
TEST(ReportedPrices, ANodeThatDeclaresNoneHasWhatItsPodsHold) {
  const Reading reading =
      read({node("n1", "cpu: 8, memory: 32Gi") + pod("a", "n1", "nvidia.com/gpu: 2"),
            gauge("container_memory_working_set_bytes{namespace=\"prod\",pod=\"a\",container=\"main\"}", 1e9),
            "name,hourly\nn1,1\n"});
  EXPECT_EQ(reading.evidence.nodes.at(0).cards, 2);
  EXPECT_EQ(account(reading, "a").buckets[Bucket::kUnmeasured], Money{950'000});
  EXPECT_TRUE(has_check(reading, "shares-above-card"));
  expect_closed(reading);
}

// empathyco/kubernetes-cost-report#33: node labels come twice, and the join fails.
TEST(ReportedPrices, OfTwoSetsOfNodeLabelsOneIsUsed) {
  const std::string name = "kube_node_labels{node=\"n1\",label_node_kubernetes_io_instance_type=\"";
  const Reading reading = read(
      {"",
       gauge(name + "g5.xlarge\"}", 1, 0, 20) + gauge(name + "g6.12xlarge\"}", 1, 20, 60) +
           gauge("kube_node_status_allocatable{node=\"n1\",resource=\"nvidia_com_gpu\"}", 4) + busy("a", 0.5),
       "instanceType,hourly\ng6.12xlarge,4\ng5.xlarge,1\n"});
  ASSERT_EQ(reading.evidence.nodes.size(), 1U);
  EXPECT_EQ(reading.evidence.nodes[0].instance_type, "g6.12xlarge");
  EXPECT_EQ(reading.ledger.bill, Money{4'000'000});
}

}  // namespace
}  // namespace etiage::app::testing
