#include "engines/dra/explain.h"

#include <gtest/gtest.h>

#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using namespace testing;
using Code = Rejection::Code;

Device h100(const std::string& name) {
  Device d = gpu(name);
  d.attributes.emplace("productName", "NVIDIA H100 80GB HBM3");
  d.capacity.emplace("memory", DeviceCapacity{quantity("81559Mi"), std::nullopt});
  return d;
}

ClusterObjects cluster() {
  ClusterObjects out;
  for (const char* name : {"n", "other"}) {
    Node node;
    node.meta.name = name;
    out.nodes.push_back(node);
  }
  Device tainted = h100("gpu-1");
  tainted.taints.push_back({"unhealthy", "", "NoExecute", std::nullopt, {}});
  out.dra.slices = {slice_on("n", {h100("gpu-0"), tainted, gpu("gpu-2")}), slice_on("other", {gpu("gpu-3")})};
  ResourceSlice old = slice_on("n", {h100("gpu-9")});
  old.meta.name = "old";
  old.pool.generation = 0;
  out.dra.slices.push_back(old);
  out.dra.classes = {class_of("gpu")};
  ResourceClaim held = claim("held", {request("r")});
  held.allocation = Allocation{{{"r", "gpu.example.com", "n", "gpu-0"}}, std::nullopt, std::nullopt};
  ResourceClaim wanted = claim("wanted", {request("r")});
  wanted.spec.requests[0].exactly->selectors = {
      {R"(device.driver == "gpu.example.com" && has(device.attributes["gpu.example.com"].productName) && device.attributes["gpu.example.com"].productName.contains("H100"))",
       0}};
  out.dra.claims = {held, wanted};
  return out;
}

const DeviceVerdict& verdict(const Explanation& e, std::size_t device) {
  return e.requests.at(0).devices.at(device);
}

TEST(Explain, GivesEachDeviceItsReason) {
  const auto e = explain_claim(cluster(), release(37), "wanted");
  ASSERT_TRUE(e);
  EXPECT_EQ(e->message, "cannot allocate all claims");
  EXPECT_EQ(verdict(*e, 0).rejection.code, Code::kInUse);
  EXPECT_EQ(verdict(*e, 0).rejection.claim, "default/held");
  EXPECT_EQ(verdict(*e, 1).rejection.code, Code::kTaint);
  EXPECT_EQ(verdict(*e, 2).rejection.code, Code::kSelector);
  EXPECT_EQ(verdict(*e, 2).rejection.clause, 1u);
  EXPECT_EQ(verdict(*e, 4).rejection.code, Code::kStaleGeneration);
}

TEST(Explain, TriesWhatWouldHelp) {
  const auto e = explain_claim(cluster(), release(37), "default/wanted");
  ASSERT_TRUE(e);
  ASSERT_FALSE(e->changes.empty());
  EXPECT_EQ(e->changes[0].kind, "toleration");
  EXPECT_EQ(e->changes[0].node, "n");
}

TEST(Explain, LowersThresholdsAndGuardsFields) {
  ClusterObjects objects = cluster();
  ResourceClaim& wanted = objects.dra.claims[1];
  const std::string memory = "device.capacity[\"gpu.example.com\"].memory.compareTo(quantity(\"80Gi\")) >= 0";
  wanted.spec.requests[0].exactly->selectors = {{memory, 0}};
  const auto guarded = explain_claim(objects, release(37), "wanted");
  ASSERT_TRUE(guarded);
  EXPECT_EQ(guarded->outcome, Attempt::Outcome::kFault) << "gpu-2 has no memory";

  objects.dra.slices = {slice_on("n", {h100("gpu-5")})};
  const auto lowered = explain_claim(objects, release(37), "wanted");
  ASSERT_TRUE(lowered && !lowered->changes.empty());
  EXPECT_EQ(lowered->changes[0].kind, "threshold");
  EXPECT_EQ(lowered->changes[0].value,
            "device.capacity[\"gpu.example.com\"].memory.compareTo(quantity(\"81559Mi\")) >= 0");
}

TEST(Explain, NamesTheClaimThatHoldsTheCounters) {
  ClusterObjects objects = cluster();
  Device whole = gpu("whole"), half = gpu("half");
  const auto uses = [](std::int64_t n) {
    return std::vector<CounterConsumption>{{"set", {{"slices", Quantity::units(n)}}, {}}};
  };
  whole.consumes = uses(2);
  half.consumes = uses(1);
  half.taints.push_back({"small", "", "NoSchedule", std::nullopt, {}});
  ResourceSlice counters = slice_on("n", {}), devices = slice_on("n", {whole, half});
  counters.meta.name = "counters";
  counters.shared_counters = {{"set", {{"slices", Quantity::units(2)}}}};
  counters.pool.slice_count = devices.pool.slice_count = 2;
  objects.dra.slices = {counters, devices};
  objects.dra.claims[0].allocation->devices[0].device = "half";
  objects.dra.claims[1].spec.requests[0].exactly->selectors.clear();
  const auto e = explain_claim(objects, release(37), "wanted");
  ASSERT_TRUE(e);
  EXPECT_EQ(verdict(*e, 0).rejection.code, Code::kCounters);
  ASSERT_EQ(e->changes.size(), 1u);
  EXPECT_EQ(e->changes[0].kind, "free-claim");
  EXPECT_EQ(e->changes[0].value, "default/held");
}

TEST(Explain, AsksForTheMostThatIsLeft) {
  ClusterObjects objects = cluster();
  Device shared = gpu("shared");
  shared.allow_multiple_allocations = true;
  DeviceCapacity memory{quantity("80Gi"), CapacityRequestPolicy{}};
  memory.policy->range = CapacityRange{quantity("1Gi"), quantity("60Gi"), quantity("3Gi")};
  shared.capacity.emplace("memory", memory);
  objects.dra.slices = {slice_on("n", {shared})};
  DeviceAsk& ask = *objects.dra.claims[1].spec.requests[0].exactly;
  ask.selectors.clear();
  ask.capacity.emplace();
  ask.capacity->emplace("memory", quantity("70Gi"));
  const auto e = explain_claim(objects, release(37), "wanted");
  ASSERT_TRUE(e && !e->changes.empty());
  EXPECT_EQ(e->changes[0].what, "ask for 58Gi instead of 70Gi of capacity memory in request r");
}

TEST(Explain, AnUnknownClaimIsAnError) {
  EXPECT_FALSE(explain_claim(cluster(), release(37), "nobody"));
}

}  // namespace
}  // namespace etiage::dra
