#include "model/pod.h"

#include <gmock/gmock.h>

namespace etiage {
namespace {

Container asking(std::int64_t cpu_milli, bool sidecar = false) {
  Container c;
  c.requests["cpu"] = Quantity::milli(cpu_milli);
  c.restart_always = sidecar;
  return c;
}

std::int64_t cpu(const PodSpec& spec, const ResourceList& unsaid = {}) {
  return effective_requests(spec, unsaid)["cpu"].nano() / 1'000'000;
}

TEST(EffectiveRequests, TakesTheSumOrTheLargestStep) {
  PodSpec spec{.containers = {asking(2000), asking(1000)}, .init_containers = {asking(2500), asking(5000)}};
  EXPECT_EQ(cpu(spec), 5000);
}

TEST(EffectiveRequests, SidecarsRunBesideTheContainersAndLaterSteps) {
  PodSpec spec{.containers = {asking(1000)}, .init_containers = {asking(200, true), asking(1500)}};
  EXPECT_EQ(cpu(spec), 1700);
  spec.init_containers[1].requests["cpu"] = Quantity::milli(300);
  EXPECT_EQ(cpu(spec), 1200);
}

TEST(EffectiveRequests, PodLevelWinsAndOverheadComesOnTop) {
  PodSpec spec{.containers = {asking(1000)}};
  spec.pod_requests = ResourceList{{"cpu", Quantity::milli(4000)}, {"nvidia.com/gpu", Quantity::units(3)}};
  spec.overhead["cpu"] = Quantity::milli(250);
  EXPECT_EQ(cpu(spec), 4250);
  EXPECT_FALSE(effective_requests(spec).contains("nvidia.com/gpu"))
      << "only cpu, memory and huge pages have a pod level";
}

TEST(EffectiveRequests, LimitsAndDefaultsStandIn) {
  PodSpec spec{.containers = {Container{}}};
  EXPECT_EQ(cpu(spec, {{"cpu", Quantity::milli(100)}}), 100);
  spec.containers[0].limits["cpu"] = Quantity::milli(700);
  EXPECT_EQ(cpu(spec, {{"cpu", Quantity::milli(100)}}), 700);
  spec.pod_limits = ResourceList{{"memory", Quantity::units(5)}};
  EXPECT_EQ(effective_requests(spec)["memory"], Quantity::units(5));
}

}  // namespace
}  // namespace etiage
