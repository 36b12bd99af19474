#include "formats/kube/cluster.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <rapidcheck/gtest.h>

#include "formats/document.h"

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct Dump {
  Cluster cluster;
  Diagnostics diagnostics;
  void add(std::string_view text, const std::string& file) {
    auto documents = read_documents(text, file, diagnostics);
    add_objects(cluster, kubernetes_objects(std::move(documents), file, diagnostics), file, diagnostics);
  }
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diagnostics) out += d.code + "@" + std::to_string(d.place.line) + " ";
    return out;
  }
};

Dump dump(std::string_view text) {
  Dump d;
  d.add(text, "f");
  return d;
}

TEST(ReadCluster, APodAsTheApiServerWritesIt) {
  const Dump d = dump(R"(
apiVersion: v1
kind: Pod
metadata: {name: web-0, namespace: prod, uid: u1, creationTimestamp: "2026-10-12T00:00:00Z", ownerReferences: [{kind: StatefulSet, name: web, uid: u0, controller: true}]}
spec:
  nodeName: n1
  overhead: {cpu: 250m}
  initContainers:
  - {name: side, restartPolicy: Always, resources: {requests: {cpu: 500m}}}
  containers:
  - name: main
    args: [--model, llama]
    env: [{name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, value: "40"}, {name: SECRET, valueFrom: {}}]
    resources: {limits: {nvidia.com/gpu: 2, memory: 1.5Gi}, requests: {cpu: 1}}
  tolerations: [{key: nvidia.com/gpu, operator: Exists}]
status:
  phase: Running
  startTime: 2026-10-12T00:00:05Z
  conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-10-12T00:01:00Z"}]
  containerStatuses: [{name: main, ready: true, restartCount: 1, state: {running: {startedAt: "2026-10-12T00:00:50Z"}}, lastState: {terminated: {finishedAt: "2026-10-12T00:00:40Z", reason: OOMKilled}}}]
)");
  EXPECT_EQ(d.codes(), "");
  ASSERT_EQ(d.cluster.pods.size(), 1u);
  const Pod& pod = d.cluster.pods[0];
  EXPECT_EQ(pod.meta.owners.at(0).kind, "StatefulSet");
  EXPECT_EQ(pod.meta.place.line, 2);
  EXPECT_THAT(pod.spec.containers.at(0).env, ElementsAre(Pair("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "40")));
  EXPECT_EQ(pod.status.containers.at(0).last.reason, "OOMKilled");
  const ResourceList asked = effective_requests(pod.spec);
  EXPECT_EQ(asked.at("cpu"), Quantity::milli(1750));
  EXPECT_EQ(asked.at("nvidia.com/gpu"), Quantity::units(2));
  EXPECT_EQ(asked.at("memory"), Quantity::units(1536 << 20));
}

TEST(ReadCluster, WhatComesAgainReplaces) {
  Dump d;
  d.add("{kind: Pod, metadata: {name: a, uid: 1}, status: {phase: Pending}}", "f");
  d.add(
      "{kind: Pod, metadata: {name: a, uid: 1}, status: {phase: Running}}\n---\n{kind: Pod, metadata: {name: "
      "a, uid: 2}}\n",
      "g");
  ASSERT_EQ(d.cluster.pods.size(), 2u);  // the second uid is another pod of the same name
  EXPECT_EQ(d.cluster.pods[0].status.phase, "Running");
  EXPECT_EQ(d.cluster.pods[0].meta.place.file, "g");
  EXPECT_EQ(d.codes(), "object-again@0 ");
}

TEST(ReadCluster, KindsAreSortedOut) {
  const Dump d = dump(
      "[{kind: Namespace, metadata: {name: n, labels: {team: x}}}, {kind: LeaderWorkerSet, metadata: {name: "
      "l}}, "
      "{kind: Event, metadata: {name: e}}, {kind: Event, metadata: {name: f}}, {kind: Node, metadata: {}}]");
  EXPECT_EQ(d.cluster.namespaces.at(0).labels.at("team"), "x");
  EXPECT_EQ(d.cluster.owners.at(0).kind, "LeaderWorkerSet");
  EXPECT_THAT(d.cluster.other_kinds, ElementsAre(Pair("Event", 2u)));
  EXPECT_EQ(d.codes(), "nameless@1 ");
}

TEST(ReadCluster, WrongTypesAreNamedOrPassedOver) {
  const Dump d = dump(R"(
kind: Node
metadata: {name: n, labels: [a], annotations: 3, creationTimestamp: soon}
spec: {taints: {a: b}, unschedulable: "perhaps"}
status: {allocatable: {cpu: lots, memory: [1], nvidia.com/gpu: true}, conditions: [1, null, {type: [x]}]}
---
kind: Pod
metadata: [1]
spec: x
---
kind: Pod
metadata: {name: p}
spec: {containers: {name: c}, priority: high, tolerations: [x]}
status: [1]
)");
  EXPECT_EQ(d.cluster.nodes.size(), 1u);
  EXPECT_EQ(d.cluster.pods.size(), 1u);
  EXPECT_EQ(d.codes(), "bad-field@5 bad-field@5 bad-field@5 nameless@7 ");
}

TEST(ReadCluster, RecordedAnswersOfAnApiServer) {
  const char* data = std::getenv("ETIAGE_DATA");
  const std::filesystem::path folder =
      std::filesystem::path(data ? data : ETIAGE_SOURCE_DIR "/../shared/data") / "kube/recorded";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no recordings at " << folder;
  Dump d;
  for (const char* name : {"list_nodes.json", "list_pods.json", "list_namespaces.json",
                           "list_deployments.json", "list_replicasets.json", "list_jobs.json"}) {
    std::ifstream file(folder / name);
    d.add(std::string(std::istreambuf_iterator<char>(file), {}), name);
  }
  EXPECT_EQ(d.codes(), "");
  EXPECT_FALSE(d.cluster.nodes.empty());
  EXPECT_FALSE(d.cluster.pods.empty());
  EXPECT_FALSE(d.cluster.namespaces.empty());
  EXPECT_FALSE(d.cluster.owners.empty());
  for (const Pod& pod : d.cluster.pods) EXPECT_TRUE(pod.meta.created) << pod.meta.name;
}

/// A pod whose every part may be anything: the readers take what they can and go on.
RC_GTEST_PROP(ReadClusterProperty, AnyShapeEndsWithAnAnswer, ()) {
  const auto part =
      rc::gen::element<std::string>("1", "x", "true", "null", "[]", "{}", "[1, {a: b}]", "{a: [b]}", "'1Gi'",
                                    "{name: 2, resources: {limits: {cpu: x}}}",
                                    "[{name: c, resources: {requests: {cpu: 1}}, ports: [{hostPort: 1e9}]}]");
  std::string text = "kind: " + *rc::gen::element<std::string>("Pod", "Node", "Job", "Namespace") +
                     "\nmetadata: {name: a, labels: " + *part + ", ownerReferences: " + *part + "}\n";
  for (const char* key : {"spec", "status"}) {
    text += std::string(key) + ":\n";
    for (const char* field :
         {"containers", "initContainers", "tolerations", "taints", "affinity", "conditions", "allocatable",
          "overhead", "containerStatuses", "topologySpreadConstraints"})
      text += "  " + std::string(field) + ": " + *part + "\n";
  }
  const Dump d = dump(text);
  RC_ASSERT(d.cluster.pods.size() + d.cluster.nodes.size() + d.cluster.owners.size() +
                d.cluster.namespaces.size() ==
            1u);
}

}  // namespace
}  // namespace etiage::formats
