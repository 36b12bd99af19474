#include "engines/dra/extended_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/dra/explain.h"
#include "engines/dra/scheduling.h"
#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using namespace dra::testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kGpu = "nvidia.com/gpu";

Container container(ResourceList requests, bool restart_always = false) {
  Container c;
  c.requests = std::move(requests);
  c.restart_always = restart_always;
  return c;
}
Container gpus(std::int64_t count, bool restart_always = false) {
  return container({{kGpu, Quantity::units(count)}}, restart_always);
}

Pod pod_of(std::vector<Container> containers, std::vector<Container> init_containers = {}) {
  Pod pod;
  pod.meta.ns = "default";
  pod.meta.name = "p";
  pod.spec.containers = std::move(containers);
  pod.spec.init_containers = std::move(init_containers);
  return pod;
}

Node node_with(ResourceList allocatable) {
  Node node;
  node.meta.name = "n";
  node.allocatable = std::move(allocatable);
  return node;
}

DeviceClass backing(const std::string& name, const std::string& resource) {
  DeviceClass c = class_of(name);
  c.extended_resource_name = resource;
  return c;
}

Allocator allocator_of(int minor, std::vector<DeviceClass> classes = {backing("gpu", kGpu)}) {
  return {release(minor, "DRAExtendedResource=true"),
          {slice_on("n", {gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2")})},
          {},
          std::move(classes)};
}

/// `request=count`, or the refusal.
std::vector<std::string> requests_of(const Pod& pod, const Node& node, const Allocator& allocator) {
  const auto claim = claim_for_extended_resources(pod, node, allocator);
  if (!claim) return {claim.error()};
  std::vector<std::string> out;
  if (*claim)
    for (const DeviceRequest& r : (*claim)->spec.requests)
      out.push_back(r.name + "=" + std::to_string(r.exactly->count));
  return out;
}

TEST(ExtendedResources, ARequestIsNamedByItsPlaceAmongAllThatTheContainerAsks) {
  Pod pod = pod_of({container({{"cpu", Quantity::units(4)}})});
  pod.spec.containers[0].limits = {{"memory", Quantity::units(1)}, {kGpu, Quantity::units(2)}};
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(37)), ElementsAre("container-0-request-2=2"));
}

TEST(ExtendedResources, ADevicePluginServesItsNodes) {
  const Pod pod = pod_of({gpus(2)});
  EXPECT_THAT(requests_of(pod, node_with({{kGpu, Quantity::units(8)}}), allocator_of(37)), IsEmpty());
  const Node drained = node_with({{kGpu, Quantity()}});
  EXPECT_THAT(requests_of(pod, drained, allocator_of(37)), ElementsAre("container-0-request-0=2"));
  EXPECT_THAT(requests_of(pod, drained, allocator_of(34)), IsEmpty()) << "1.34 takes 0 for served";
}

TEST(ExtendedResources, InitContainersReuseDevicesOfLaterContainers) {
  const Pod pod = pod_of({gpus(2)}, {gpus(3), gpus(1), gpus(5)});
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(37)),
              ElementsAre("container-2-request-0=3", "container-3-request-0=2"));
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(34)),
              ElementsAre("container-0-request-0=3", "container-1-request-0=1", "container-2-request-0=5",
                          "container-3-request-0=2"));
}

TEST(ExtendedResources, SidecarsKeepTheirDevices) {
  const Pod pod = pod_of({gpus(1)}, {gpus(2), gpus(1, true)});
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(37)),
              ElementsAre("container-1-request-0=1", "container-2-request-0=1"));
}

TEST(ExtendedResources, ImplicitNamesCameWith135) {
  const Pod pod = pod_of({container({{"deviceclass.resource.kubernetes.io/gpu", Quantity::units(1)}})});
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(35)), ElementsAre("container-0-request-0=1"));
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(34)), IsEmpty());
}

TEST(ExtendedResources, OfClassesWithTheSameNameTheNewestThenTheFirst) {
  std::vector<DeviceClass> classes{backing("a", kGpu), backing("b", kGpu), backing("c", kGpu)};
  EXPECT_EQ(class_for_resource(kGpu, allocator_of(37, classes))->meta.name, "a");
  classes[2].meta.created = Instant{} + Duration::seconds(1);
  EXPECT_EQ(class_for_resource(kGpu, allocator_of(37, classes))->meta.name, "c");
}

TEST(ExtendedResources, WhatNeitherClassNorNodeHasDoesNotFit) {
  const Pod pod = pod_of({container({{kGpu, Quantity::units(1)}, {"amd.com/gpu", Quantity::units(1)}})});
  EXPECT_THAT(requests_of(pod, node_with({}), allocator_of(37)), ElementsAre("cannot fit resource"));
}

TEST(ExtendedResources, PodsTakeDevicesInTurnAndAreExplained) {
  ClusterObjects objects;
  objects.nodes = {node_with({})};
  objects.pods = {pod_of({gpus(2)}), pod_of({gpus(2)})};
  objects.pods[1].meta.name = "q";
  objects.dra.slices = {slice_on("n", {gpu("gpu-0"), gpu("gpu-1"), gpu("gpu-2")})};
  objects.dra.classes = {backing("gpu", kGpu)};
  const Placements placed = place_pods(objects, release(37));
  ASSERT_EQ(placed.pods.size(), 2u);
  ASSERT_EQ(placed.pods[0].devices.size(), 2u);
  EXPECT_EQ(placed.pods[0].devices[0].claim, "p-extended-resources");
  EXPECT_EQ(placed.pods[1].message, "cannot allocate all claims");
  const auto why = explain_claim(objects, release(37), "q");
  ASSERT_TRUE(why);
  EXPECT_EQ(why->claim, "q-extended-resources");
  EXPECT_EQ(why->requests[0].usable, 3u);
}

}  // namespace
}  // namespace etiage::dra
