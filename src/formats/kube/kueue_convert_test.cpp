#include "formats/kube/kueue_convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/document.h"
#include "formats/kube/kueue.h"

namespace etiage::formats::kueue {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Converted converted(const std::string& yaml) {
  Diagnostics none;
  return to_v1beta2(read_documents(yaml, "f", none).at(0));
}

QueueObjects read_back(const Tree& object) {
  QueueObjects out;
  Diagnostics none;
  read_queue_object(object, "f", out, none);
  EXPECT_THAT(none, IsEmpty());
  return out;
}

TEST(KueueConvert, ClusterQueuesSayTheSameInTheNewWords) {
  const auto c = converted(R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: a, labels: {team: x}}
spec:
  cohort: org
  admissionChecks: [one, two]
  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: TryNextFlavor}
  unknown: {kept: 1}
)");
  EXPECT_EQ(c.object["apiVersion"].text(), "kueue.x-k8s.io/v1beta2");
  const Tree& spec = c.object["spec"];
  EXPECT_EQ(spec.members().front().first, "cohortName") << "in its place";
  EXPECT_FALSE(spec.has("cohort"));
  EXPECT_FALSE(spec.has("admissionChecks"));
  EXPECT_EQ(spec["admissionChecksStrategy"]["admissionChecks"].at(1)["name"].text(), "two");
  EXPECT_EQ(spec["flavorFungibility"]["whenCanBorrow"].text(), "MayStopSearch");
  EXPECT_EQ(spec["flavorFungibility"]["whenCanPreempt"].text(), "TryNextFlavor");
  EXPECT_EQ(spec["unknown"]["kept"].text(), "1");
  EXPECT_EQ(c.object["metadata"]["labels"]["team"].text(), "x");
  EXPECT_THAT(c.lost, IsEmpty());
}

TEST(KueueConvert, WhatIsNewOrNotOfKueueStays) {
  for (const std::string version : {"kueue.x-k8s.io/v1beta2", "example.com/v1"}) {
    const auto c = converted("{apiVersion: " + version + ", kind: ClusterQueue, spec: {cohort: org}}");
    EXPECT_EQ(c.object["apiVersion"].text(), version);
    EXPECT_TRUE(c.object["spec"].has("cohort"));
  }
}

TEST(KueueConvert, CohortsLocalQueuesChecksAndRemoteClusters) {
  EXPECT_EQ(converted("{apiVersion: kueue.x-k8s.io/v1alpha1, kind: Cohort, spec: {parent: org}}")
                .object["spec"]["parentName"]
                .text(),
            "org");
  const auto queue = converted(
      "{apiVersion: kueue.x-k8s.io/v1beta1, kind: LocalQueue, status: {flavorUsage: [{name: a}], flavors: "
      "[{name: a}]}}");
  EXPECT_EQ(queue.object["status"]["flavorsUsage"].at(0)["name"].text(), "a");
  EXPECT_THAT(queue.lost, ElementsAre("status.flavors"));
  EXPECT_THAT(
      converted("{apiVersion: kueue.x-k8s.io/v1beta1, kind: AdmissionCheck, spec: {controllerName: c, "
                "retryDelayMinutes: 15}}")
          .lost,
      ElementsAre("spec.retryDelayMinutes"));
  const auto remote = converted(
      "{apiVersion: kueue.x-k8s.io/v1beta1, kind: MultiKueueCluster, spec: {kubeConfig: {location: s, "
      "locationType: Secret}}}");
  EXPECT_EQ(remote.object["spec"]["clusterSource"]["kubeConfig"]["location"].text(), "s");
  EXPECT_FALSE(remote.object["spec"].has("kubeConfig"));
}

TEST(KueueConvert, WorkloadsNameTheirClassByReference) {
  const auto spec_of = [](const std::string& source) {
    return converted("{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, spec: {priorityClassName: high" +
                     (source.empty() ? "" : ", priorityClassSource: " + source) + "}}");
  };
  const auto own = spec_of("kueue.x-k8s.io/workloadpriorityclass");
  EXPECT_EQ(own.object["spec"]["priorityClassRef"]["kind"].text(), "WorkloadPriorityClass");
  EXPECT_EQ(own.object["spec"]["priorityClassRef"]["group"].text(), "kueue.x-k8s.io");
  EXPECT_EQ(spec_of("scheduling.k8s.io/priorityclass").object["spec"]["priorityClassRef"]["kind"].text(),
            "PriorityClass");
  EXPECT_THAT(spec_of("").lost, ElementsAre("spec.priorityClassName"));
}

/// The domains `(value, count)` of one level, after a conversion and back.
std::vector<std::pair<std::string, int>> back(const std::vector<std::pair<std::string, int>>& domains,
                                              Tree* slice = nullptr) {
  std::string text =
      "{apiVersion: kueue.x-k8s.io/v1beta1, kind: Workload, metadata: {name: w, namespace: n}, spec: "
      "{podSets: "
      "[{name: main, count: 9}]}, status: {admission: {clusterQueue: q, podSetAssignments: [{name: main, "
      "topologyAssignment: {levels: [host], domains: [";
  for (const auto& [value, count] : domains)
    text += "{values: [\"" + value + "\"], count: " + std::to_string(count) + "}, ";
  const auto c = converted(text + "]}}]}}}");
  if (slice)
    *slice = c.object["status"]["admission"]["podSetAssignments"].at(0)["topologyAssignment"]["slices"].at(0);
  const auto objects = read_back(c.object);
  std::vector<std::pair<std::string, int>> out;
  for (const auto& d : objects.workloads.at(0).admission->pod_sets.at(0).topology->domains)
    out.emplace_back(d.values.at(0), d.count);
  return out;
}

TEST(KueueConvert, TopologiesAreWrittenInSlicesAndReadBack) {
  using Domains = std::vector<std::pair<std::string, int>>;
  for (const Domains& domains :
       {Domains{{"node-1.a", 2}, {"node-22.a", 2}}, Domains{{"ababa", 1}, {"aba", 3}},
        Domains{{"x", 1}, {"x", 1}}, Domains{{"", 1}, {"b", 2}}, Domains{{"a", 1}}, Domains{}})
    EXPECT_EQ(back(domains), domains);
  Tree slice;
  back({{"node-1.a", 2}, {"node-22.a", 2}}, &slice);
  const Tree& hosts = slice["valuesPerLevel"].at(0)["individual"];
  EXPECT_EQ(hosts["prefix"].text(), "node-");
  EXPECT_EQ(hosts["roots"].at(1).text(), "22");
  EXPECT_EQ(hosts["suffix"].text(), ".a");
  EXPECT_EQ(slice["podCounts"]["universal"].text(), "2");
}

}  // namespace
}  // namespace etiage::formats::kueue
