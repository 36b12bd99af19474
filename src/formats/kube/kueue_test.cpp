#include "formats/kube/kueue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/document.h"

namespace etiage::formats {
namespace {

QueueObjects read(const std::string& text, Diagnostics& diagnostics) {
  QueueObjects out;
  for (const Tree& object : read_documents(text, "f.yaml", diagnostics))
    read_queue_object(object, "f.yaml", out, diagnostics);
  return out;
}

/// What the two versions say apart from where they say it.
template <class Object>
Object without_place(Object object) {
  object.meta.place = {};
  return object;
}

TEST(Kueue, ClusterQueuesOfBothVersionsAreTheSame) {
  Diagnostics diagnostics;
  const QueueObjects old_one = read(R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: a}
spec:
  cohort: org
  namespaceSelector: {}
  admissionChecks: [provision]
  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}
)",
                                    diagnostics);
  const QueueObjects new_one = read(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: a}
spec:
  cohortName: org
  namespaceSelector: {}
  admissionChecksStrategy: {admissionChecks: [{name: provision}]}
  flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: MayStopSearch}
)",
                                    diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(old_one.cluster_queues.size(), 1U);
  ASSERT_EQ(new_one.cluster_queues.size(), 1U);
  EXPECT_EQ(without_place(old_one.cluster_queues[0]), without_place(new_one.cluster_queues[0]));
  EXPECT_EQ(new_one.cluster_queues[0].cohort, "org");
  EXPECT_FALSE(new_one.cluster_queues[0].fungibility.preempt_tries_next);
}

TEST(Kueue, CohortsOfAllVersionsHaveTheirParent) {
  Diagnostics diagnostics;
  const QueueObjects read_ones = read(R"(
{apiVersion: kueue.x-k8s.io/v1alpha1, kind: Cohort, metadata: {name: a}, spec: {parent: org}}
---
{apiVersion: kueue.x-k8s.io/v1beta1, kind: Cohort, metadata: {name: b}, spec: {parentName: org}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: c}, spec: {parentName: org}}
)",
                                      diagnostics);
  ASSERT_EQ(read_ones.cohorts.size(), 3U);
  for (const Cohort& c : read_ones.cohorts) EXPECT_EQ(c.parent, "org") << c.meta.name;
}

TEST(Kueue, WorkloadsOfBothVersionsAreTheSame) {
  Diagnostics diagnostics;
  const QueueObjects old_one = read(R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: Workload
metadata: {name: w, namespace: ns}
spec: {queueName: lq, priorityClassName: high, priorityClassSource: kueue.x-k8s.io/workloadpriorityclass}
status:
  admission:
    clusterQueue: a
    podSetAssignments:
    - name: main
      count: 3
      topologyAssignment:
        levels: [rack, kubernetes.io/hostname]
        domains: [{values: [r1, host-1], count: 1}, {values: [r1, host-2], count: 2}]
)",
                                    diagnostics);
  const QueueObjects new_one = read(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: w, namespace: ns}
spec: {queueName: lq, priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}}
status:
  admission:
    clusterQueue: a
    podSetAssignments:
    - name: main
      count: 3
      topologyAssignment:
        levels: [rack, kubernetes.io/hostname]
        slices:
        - domainCount: 2
          valuesPerLevel: [{universal: r1}, {individual: {prefix: host-, roots: ["1", "2"]}}]
          podCounts: {individual: [1, 2]}
)",
                                    diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(old_one.workloads.size(), 1U);
  ASSERT_EQ(new_one.workloads.size(), 1U);
  EXPECT_EQ(without_place(old_one.workloads[0]), without_place(new_one.workloads[0]));
  EXPECT_EQ(new_one.workloads[0].priority_class, "high");
}

TEST(Kueue, FairSharingIsOnWhereItIsThereAndV1beta1MaySayOtherwise) {
  Diagnostics diagnostics;
  const auto fair = [&](const std::string& version, const std::string& value) {
    const auto documents = read_documents("{apiVersion: config.kueue.x-k8s.io/" + version +
                                              ", kind: Configuration, fairSharing: " + value + "}",
                                          "c.yaml", diagnostics);
    return read_queue_configuration(documents.at(0), "c.yaml")->fair_sharing;
  };
  EXPECT_TRUE(fair("v1beta2", "{}"));
  EXPECT_TRUE(fair("v1beta1", "{enable: true}"));
  EXPECT_FALSE(fair("v1beta1", "{enable: false}"));
}

}  // namespace
}  // namespace etiage::formats
