#include "formats/bundle/objects.h"

#include <gmock/gmock.h>

#include "formats/document.h"
#include "formats/tree_json.h"

namespace etiage::formats::bundle {
namespace {

/// Every name in brackets, so that what was left as it is can be told.
std::string disguised(std::string_view yaml, const KeptKeys& kept = {}) {
  Diagnostics diagnostics;
  const auto documents = read_documents(yaml, "test", diagnostics);
  const auto out = disguised_object(documents.at(0), kept, [](std::string_view name, NameOf) {
    return names_nothing(name) ? std::string(name) : "<" + std::string(name) + ">";
  });
  return out ? json_text(*out) : "left out";
}

TEST(DisguisedObject, KeepsOfAPodWhatTheLedgerReads) {
  EXPECT_EQ(
      disguised(R"(
apiVersion: v1
kind: Pod
metadata:
  name: chat-0
  namespace: prod
  uid: 3f2a
  annotations: {secret: hunter2}
  managedFields: [{manager: kubectl}]
  ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: chat, uid: 77, controller: true}]
spec:
  nodeName: gpu-1
  serviceAccountName: robot
  containers:
  - name: main
    image: registry.acme.com/chat:1
    command: [sh, -c, "vllm serve acme/chat --api-key hunter2 --max-model-len 4096"]
    env: [{name: TOKEN, value: hunter2}, {name: CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, value: "25"}]
    resources: {limits: {nvidia.com/gpu: 1, acme.com/fpga: 2}}
status: {phase: Running, message: said by acme}
)"),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"uid":"<3f2a>","ownerReferences":[{"uid":77,)"
      R"("controller":true,"kind":"StatefulSet","name":"<chat>"}],"name":"<chat-0>","namespace":"<prod>"},)"
      R"("spec":{"nodeName":"<gpu-1>","containers":[{"name":"<main>","image":"<registry.acme.com/chat:1>",)"
      R"("resources":{"limits":{"nvidia.com/gpu":1,"<acme.com/fpga>":2}},)"
      R"("args":["vllm","serve","<acme>/<chat>","--max-model-len","4096"],)"
      R"("env":[{"name":"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE","value":"25"}]}]},"status":{"phase":"Running"}})");
}

TEST(DisguisedObject, KeepsWellKnownLabelsOfANode) {
  EXPECT_EQ(disguised(R"(
kind: Node
metadata:
  name: n1
  labels:
    nvidia.com/gpu.product: NVIDIA-L4-SHARED
    node.kubernetes.io/instance-type: g6.xlarge
    topology.kubernetes.io/zone: eu-west-1a
    acme.com/rack: r7
    app: chat
spec: {taints: [{key: acme-only, value: chat, effect: NoSchedule}]}
)"),
            R"({"kind":"Node","metadata":{"labels":{"nvidia.com/gpu.product":"NVIDIA-L4-SHARED",)"
            R"("node.kubernetes.io/instance-type":"g6.xlarge","topology.kubernetes.io/zone":"<eu-west-1a>",)"
            R"("<acme.com/rack>":"<r7>","app":"<chat>"},"name":"<n1>"},)"
            R"("spec":{"taints":[{"key":"<acme-only>","value":"<chat>","effect":"NoSchedule"}]}})");
}

TEST(DisguisedObject, WritesTheNamespaceThatAnObjectIsIn) {
  EXPECT_EQ(disguised("{kind: Deployment, metadata: {name: a}, spec: {replicas: 3}}"),
            R"({"kind":"Deployment","metadata":{"name":"<a>","namespace":"<default>"}})");
}

TEST(DisguisedObject, LeavesOutKindsThatNobodyReads) {
  EXPECT_EQ(disguised("{kind: Secret, metadata: {name: a}, data: {k: aHVudGVyMg==}}"), "left out");
}

TEST(DisguisedObject, KeepsKeysThatTheUserNames) {
  EXPECT_EQ(
      disguised("{kind: Namespace, metadata: {name: a, labels: {acme.com/team: x}}}", {"acme.com/team"}),
      R"({"kind":"Namespace","metadata":{"labels":{"acme.com/team":"<x>"},"name":"<a>"}})");
}

TEST(DisguisedObject, KeepsTheCardsThatHamiRegistered) {
  EXPECT_EQ(
      disguised("{kind: Node, metadata: {name: a, annotations: {hami.io/node-nvidia-register: "
                "'[{\"id\": \"GPU-1b\", \"count\":10, \"type\":\"NVIDIA-Tesla T4\", \"health\":true}]'}}}"),
      R"({"kind":"Node","metadata":{"name":"<a>","annotations":{"hami.io/node-nvidia-register":)"
      R"("[{\"id\": \"<GPU-1b>\", \"count\":10, \"type\":\"NVIDIA-Tesla T4\", \"health\":true}]"}}})");
}

TEST(DisguisedObject, KeepsWhichPartOfServingAReplicaDoes) {
  EXPECT_EQ(
      disguised(
          "{kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, args: "
          "[--disaggregation-mode=decode, '--kv-transfer-config', "
          "'{\"kv_connector\":\"Mine\",\"kv_role\":\"kv_consumer\"}', --disaggregation-mode, secret]}]}}"),
      R"({"kind":"Pod","metadata":{"name":"<a>","namespace":"<default>"},"spec":{"containers":[)"
      R"({"name":"<c>","args":["--disaggregation-mode","decode",)"
      R"("--kv-transfer-config={kv_role:kv_consumer}"]}]}})");
}

TEST(DisguisedObject, KeepsWhichDevicesHamiGave) {
  EXPECT_EQ(disguised("{kind: Pod, metadata: {name: a, annotations: "
                      "{hami.io/vgpu-devices-allocated: 'GPU-1b,NVIDIA,10240,30:;'}}}"),
            R"({"kind":"Pod","metadata":{"name":"<a>","namespace":"<default>","annotations":)"
            R"({"hami.io/vgpu-devices-allocated":"<GPU-1b>,NVIDIA,10240,30:;"}}})");
}

TEST(DisguisedObject, KeepsWhatAnAutoscalerFollows) {
  EXPECT_EQ(
      disguised(R"x(
kind: ScaledObject
metadata: {name: a, namespace: p}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: prometheus
    metadata: {serverAddress: "http://acme", query: 'avg(acme_gpu_util{pod=~"chat-.*"})', threshold: "80"}
)x"),
      R"x({"kind":"ScaledObject","metadata":{"name":"<a>","namespace":"<p>"},"spec":{"scaleTargetRef":)x"
      R"x({"name":"<chat>"},"triggers":[{"type":"prometheus","metadata":)x"
      R"x({"query":"avg(<acme>_gpu_util{pod=~\"<chat-.*>\"})","threshold":"80"}}]}})x");
  EXPECT_EQ(
      disguised("{kind: HorizontalPodAutoscaler, metadata: {name: a, namespace: p}, spec: {maxReplicas: 4, "
                "metrics: [{type: Pods, pods: {metric: {name: DCGM_FI_DEV_GPU_UTIL}, "
                "target: {averageValue: 95}}}]}}"),
      R"({"kind":"HorizontalPodAutoscaler","metadata":{"name":"<a>","namespace":"<p>"},"spec":)"
      R"({"maxReplicas":4,"metrics":[{"type":"Pods","pods":{"metric":{"name":"DCGM_FI_DEV_GPU_UTIL"},)"
      R"("target":{"averageValue":95}}}]}})");
}

TEST(DisguisedObject, KeepsTheDevicesOfSlices) {
  EXPECT_EQ(
      disguised(R"(
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.nvidia.com
  nodeName: n1
  pool: {name: n1, generation: 2}
  devices:
  - name: gpu-0
    attributes: {uuid: {string: GPU-1b}, productName: {string: NVIDIA L4}, pcieRoot: {string: pci0000}}
    capacity: {memory: {value: 24Gi}}
)"),
      R"({"kind":"ResourceSlice","metadata":{"name":"<s>"},"spec":{"driver":"gpu.nvidia.com","nodeName":"<n1>",)"
      R"("pool":{"name":"<n1>","generation":2},"devices":[{"name":"<gpu-0>","attributes":)"
      R"({"uuid":{"string":"<GPU-1b>"},"productName":{"string":"NVIDIA L4"},"pcieRoot":{"string":"<pci0000>"}},)"
      R"("capacity":{"memory":{"value":"24Gi"}}}]}})");
}

}  // namespace
}  // namespace etiage::formats::bundle
