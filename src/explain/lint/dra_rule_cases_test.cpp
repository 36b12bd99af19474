// Each rule on claims, classes, slices and pods: what sets it off, and the like that does not.

#include <cstring>
#include <functional>
#include <gtest/gtest.h>

#include "explain/lint/testing/dra_cluster.h"

namespace etiage::explain {
namespace {

using namespace testing;

/// One rule: what sets it off, and the like that does not.
struct RuleCase {
  const char* code;
  std::function<void(LintInput&)> bad, good;
};

DeviceAsk& ask_of(LintInput& in) {
  return *in.cluster.dra.claims[0].spec.requests[0].exactly;
}
std::vector<Device>& devices_of(LintInput& in) {
  return in.cluster.dra.slices[0].devices;
}
std::function<void(LintInput&)> select(std::string expression) {
  return [=](LintInput& in) { ask_of(in).selectors = {{expression, 7}}; };
}
std::function<void(LintInput&)> constrain(DeviceConstraint::Kind kind, std::string attribute,
                                          std::int64_t count, int minor = 37) {
  return [=](LintInput& in) {
    in.behaviour = release(minor);
    ask_of(in).count = count;
    in.cluster.dra.claims[0].spec.constraints = {{kind, {}, attribute}};
  };
}
void nothing(LintInput&) {}

Pod pod_with(PodClaim entry) {
  Pod pod;
  pod.meta.ns = "default";
  pod.meta.name = "p";
  pod.spec.claims = {std::move(entry)};
  return pod;
}

std::function<void(LintInput&)> publish(int count, int wanted, const char* roots = "") {
  return [=](LintInput& in) {
    devices_of(in).clear();
    for (int i = 0; i < count; ++i) {
      Device d = h100("gpu-" + std::to_string(i));
      if (*roots) d.attributes["root"] = std::string(1, roots[i % static_cast<int>(std::strlen(roots))]);
      devices_of(in).push_back(std::move(d));
    }
    ask_of(in).count = wanted;
  };
}

std::function<void(LintInput&)> namespace_labelled(const char* value) {
  return [=](LintInput& in) {
    ask_of(in).admin_access = true;
    Namespace ns;
    ns.meta.name = "default";
    if (*value) ns.meta.labels["resource.kubernetes.io/admin-access"] = value;
    in.queues.namespaces = {ns};
  };
}

const std::string kAttributes = R"(device.attributes["gpu.nvidia.com"])";
const std::string kMemory = R"(device.capacity["gpu.nvidia.com"].memory)";
constexpr auto kStableAllocator =
    "DRAConsumableCapacity=false,DRADeviceBindingConditions=false,DRAFractionalCapacityRange=false";
constexpr auto kMatch = DeviceConstraint::Kind::kMatchAttribute;
constexpr auto kDistinct = DeviceConstraint::Kind::kDistinctAttribute;

std::vector<RuleCase> selector_cases() {
  const std::string product = kAttributes + ".productName";
  const std::string costly =
      "['a','b','c','d','e','f','g','h'].all(a, ['a','b','c'].all(b, " + product + ".contains(a + b)))";
  // Each level costs four times the one inside it: 551,587 with five.
  const auto nested = [&](int levels) {
    std::string out = costly;
    for (int i = 0; i < levels; ++i) out = "[1,2,3,4].all(x" + std::to_string(i) + ", " + out + ")";
    return out;
  };
  return {
      {"dra-selector-does-not-compile", select("device.nope == 1"), select("device.driver != \"\"")},
      {"dra-selector-empty", [](LintInput& in) { ask_of(in).selectors = {{std::nullopt, 7}}; }, nothing},
      {"dra-selector-not-accepted",
       [](LintInput& in) {
         in.behaviour = release(34);
         select("[1, 2].distinct().size() == 2")(in);
       },
       select("[1, 2].distinct().size() == 2")},
      {"dra-selector-too-costly", select(nested(12)), select(nested(5))},
      {"dra-selector-near-cost-limit", select(nested(5)), select(nested(4))},
      {"dra-selector-error", select(kAttributes + ".nope == 1"),
       select("has(" + kAttributes + ".nope) && " + kAttributes + ".nope == 1")},
      {"dra-unknown-domain", select(R"(has(device.attributes["gpu.nvidia.org"].x))"),
       select("has(" + kAttributes + ".x)")},
      {"dra-attribute-or-capacity", select("has(" + kAttributes + ".memory)"),
       select(kMemory + R"(.isGreaterThan(quantity("1Gi")))")},
      {"dra-version-compared-with-text", select(kAttributes + R"(.driverVersion == "580.126.20")"),
       select(kAttributes + R"(.driverVersion.isGreaterThan(semver("1.0.0")))")},
      {"dra-version-never-equal", select(R"("580.126.20" == )" + kAttributes + ".driverVersion"),
       select(R"("x" == )" + product)},
      {"dra-compared-with-other-type", select(product + " == 100"), select(product + R"( == "100")")},
      {"dra-regex-unanchored", select(product + R"(.matches("H100"))"),
       select(product + R"(.matches("^NVIDIA H100"))")},
      {"dra-decimal-unit", select(kMemory + R"(.compareTo(quantity("70G")) >= 0)"),
       select(kMemory + R"(.compareTo(quantity("70Gi")) >= 0)")},
      {"dra-threshold-just-above", select(kMemory + R"(.compareTo(quantity("40Gi")) >= 0)"),
       select(kMemory + R"(.compareTo(quantity("40000Mi")) >= 0)")},
      {"dra-attribute-dropped", select("has(" + kAttributes + ".index)"),
       select("has(" + kAttributes + ".uuid)")},
      {"dra-selector-matches-nothing", select(product + R"( == "NVIDIA H200")"),
       select(product + R"( == "NVIDIA H100 80GB HBM3")")},
      {"dra-selector-matches-all", select(product + R"( != "")"), select(product + R"( == "x")")},
      {"dra-clause-redundant",
       [=](LintInput& in) {
         devices_of(in)[1].attributes["productName"] = std::string("Tesla T4");
         select(product + R"( != "Tesla T4" && )" + kMemory + R"(.isGreaterThan(quantity("1Gi")))")(in);
       },
       [=](LintInput& in) {
         devices_of(in)[1].attributes["productName"] = std::string("Tesla T4");
         select(product + R"( != "Tesla T4")")(in);
       }},
      {"dra-selector-repeats-class",
       [](LintInput& in) {
         in.cluster.dra.classes = {class_of("gpu", {"device.driver == \"gpu.nvidia.com\""})};
         select("device.driver == \"gpu.nvidia.com\"")(in);
       },
       select("device.driver == \"gpu.nvidia.com\"")},
  };
}

std::vector<RuleCase> claim_cases() {
  return {
      {"dra-class-missing", [](LintInput& in) { ask_of(in).device_class = "nobody"; }, nothing},
      {"dra-no-devices", [](LintInput& in) { in.cluster.dra.classes = {class_of("gpu", {"false"})}; },
       nothing},
      {"dra-capacity-key-domain",
       [](LintInput& in) { ask_of(in).capacity = {{"gpu.nvidia.com/memory", quantity("1Gi")}}; },
       [](LintInput& in) { ask_of(in).capacity = {{"memory", quantity("1Gi")}}; }},
      {"dra-count-exceeds-node", [](LintInput& in) { ask_of(in).count = 3; },
       [](LintInput& in) { ask_of(in).count = 2; }},
      {"dra-too-many-devices", [](LintInput& in) { ask_of(in).count = 33; },
       [](LintInput& in) { ask_of(in).count = 32; }},
      {"dra-all-with-constraints",
       [](LintInput& in) {
         constrain(kMatch, "gpu.nvidia.com/productName", 1)(in);
         ask_of(in).allocation_mode = "All";
       },
       constrain(kMatch, "gpu.nvidia.com/productName", 2)},
      {"dra-constraint-attribute-missing", constrain(kMatch, "gpu.nvidia.com/numa", 2),
       constrain(kMatch, "gpu.nvidia.com/productName", 2)},
      {"dra-constraint-attribute-types",
       [](LintInput& in) {
         devices_of(in)[1].attributes["productName"] = std::int64_t{1};
         constrain(kMatch, "gpu.nvidia.com/productName", 2)(in);
       },
       constrain(kMatch, "gpu.nvidia.com/productName", 2)},
      {"dra-attribute-not-qualified", constrain(kMatch, "productName", 2),
       constrain(kMatch, "gpu.nvidia.com/productName", 2)},
      {"dra-constraint-empty", constrain(DeviceConstraint::Kind::kUnknown, "", 1),
       constrain(kMatch, "gpu.nvidia.com/productName", 1)},
      {"dra-distinct-compares-last", constrain(kDistinct, "gpu.nvidia.com/productName", 3, 36),
       constrain(kDistinct, "gpu.nvidia.com/productName", 3, 37)},
      {"dra-distinct-unknown",
       [](LintInput& in) {
         constrain(kDistinct, "gpu.nvidia.com/productName", 2)(in);
         in.behaviour = release(37, kStableAllocator);
       },
       constrain(kDistinct, "gpu.nvidia.com/productName", 2)},
      {"dra-distinct-without-effect", constrain(kDistinct, "gpu.nvidia.com/productName", 2, 34),
       constrain(kDistinct, "gpu.nvidia.com/productName", 2, 36)},
      {"dra-unknown-request",
       [](LintInput& in) { in.cluster.dra.claims[0].spec.constraints = {{kMatch, {"x"}, "a/b"}}; },
       [](LintInput& in) { in.cluster.dra.claims[0].spec.constraints = {{kMatch, {"r"}, "a/b"}}; }},
      {"dra-request-twice",
       [](LintInput& in) { in.cluster.dra.claims[0].spec.requests.push_back(request("r")); },
       [](LintInput& in) { in.cluster.dra.claims[0].spec.requests.push_back(request("s")); }},
      {"dra-request-empty", [](LintInput& in) { in.cluster.dra.claims[0].spec.requests[0].exactly.reset(); },
       nothing},
      {"dra-admin-access-namespace", namespace_labelled(""), namespace_labelled("true")},
      {"dra-gate-off",
       [](LintInput& in) {
         in.behaviour = release(37, "DRAConsumableCapacity=false");
         ask_of(in).capacity = {{"memory", quantity("1Gi")}};
       },
       [](LintInput& in) { ask_of(in).capacity = {{"memory", quantity("1Gi")}}; }},
      {"dra-search-explodes", publish(24, 25), publish(24, 20)},
      {"dra-search-explodes",
       [](LintInput& in) {
         constrain(kMatch, "gpu.nvidia.com/root", 1)(in);
         publish(60, 31, "ab")(in);
       },
       [](LintInput& in) {
         constrain(kMatch, "gpu.nvidia.com/root", 1)(in);
         publish(60, 15, "ab")(in);
       }},
      {"dra-search-may-explode", publish(32, 32), publish(32, 8)},
  };
}

std::vector<RuleCase> cluster_cases() {
  const auto with_pod = [](PodClaim entry) {
    return [=](LintInput& in) { in.cluster.pods = {pod_with(entry)}; };
  };
  const auto make_template = [](LintInput& in, const std::string& parameters) {
    ResourceClaimTemplate t;
    t.meta.ns = "default";
    t.meta.name = "t";
    t.spec = in.cluster.dra.claims[0].spec;
    t.spec.config = {{{}, "gpu.nvidia.com", parameters}};
    in.cluster.dra.templates = {t};
  };
  const auto allocatable = [](int gpus) {
    return [=](LintInput& in) {
      in.cluster.dra.classes[0].extended_resource_name = "nvidia.com/gpu";
      Node n;
      n.meta.name = "n";
      n.allocatable["nvidia.com/gpu"] = Quantity::units(gpus);
      in.cluster.nodes = {n};
    };
  };
  const auto backed_by = [](std::vector<std::string> resources) {
    return [=](LintInput& in) {
      in.cluster.dra.classes = {class_of("gpu"), class_of("second")};
      for (std::size_t i = 0; i < resources.size(); ++i)
        in.cluster.dra.classes[i].extended_resource_name = resources[i];
    };
  };
  const auto asking = [=](const char* resource, int minor) {
    return [=](LintInput& in) {
      backed_by({"nvidia.com/gpu"})(in);
      in.behaviour = release(minor);
      Pod pod;
      pod.meta.name = "p";
      pod.spec.containers.emplace_back().limits[resource] = Quantity::units(1);
      in.cluster.pods = {pod};
    };
  };
  const auto node_named = [](const char* name) {
    return [=](LintInput& in) {
      Node n;
      n.meta.name = name;
      in.cluster.nodes = {n};
    };
  };
  const auto consuming = [](int minor) {
    return [=](LintInput& in) {
      in.behaviour = release(minor);
      devices_of(in)[0].consumes = {{"s", {{"c", Quantity::units(1)}}, {}}};
      if (minor == 34) in.behaviour = release(34, "DRAPartitionableDevices=true");
    };
  };
  const auto counting_drivers = [](int minor) {
    return [=](LintInput& in) {
      in.behaviour = release(minor, "DRAPartitionableDevices=true");
      for (const char* driver : {"a.example.com", "b.example.com"}) {
        ResourceSlice s = slice_on("n", {}, driver);
        s.shared_counters = {{"s", {{"c", Quantity::units(1)}}}};
        in.cluster.dra.slices.push_back(std::move(s));
      }
    };
  };
  return {
      {"dra-pod-claim-source", with_pod({"x", "", ""}), with_pod({"x", "c", ""})},
      {"dra-claim-missing", with_pod({"x", "other", ""}), with_pod({"x", "c", ""})},
      {"dra-template-cannot-share",
       [=](LintInput& in) { make_template(in, R"({"sharing":{"strategy":"MPS"}})"); },
       [=](LintInput& in) { make_template(in, "{}"); }},
      {"dra-no-preemption",
       [=](LintInput& in) {
         in.cluster.pods = {pod_with({"x", "c", ""})};
         in.cluster.pods[0].spec.priority_class = "high";
       },
       with_pod({"x", "c", ""})},
      {"dra-no-bin-packing", [](LintInput& in) { in.most_allocated = {Place{"f", 1, 0, {}}}; }, nothing},
      {"dra-extended-resource-collision", allocatable(8), allocatable(0)},
      {"dra-extended-resource-twice", backed_by({"nvidia.com/gpu", "nvidia.com/gpu"}),
       backed_by({"nvidia.com/gpu", "nvidia.com/mig"})},
      {"dra-class-missing", asking("deviceclass.resource.kubernetes.io/other", 37),
       asking("deviceclass.resource.kubernetes.io/gpu", 37)},
      {"dra-gate-off", asking("nvidia.com/gpu", 35), asking("nvidia.com/gpu", 37)},
      {"dra-no-preemption",
       [=](LintInput& in) {
         asking("nvidia.com/gpu", 37)(in);
         in.cluster.pods[0].spec.priority = 1000;
       },
       [=](LintInput& in) {
         asking("nvidia.com/gpu", 35)(in);
         in.cluster.pods[0].spec.priority = 1000;
       }},
      {"dra-slice-without-node", node_named("other"), node_named("n")},
      {"dra-slice-too-large", publish(129, 1), publish(128, 1)},
      {"dra-slice-too-large",
       [](LintInput& in) {
         publish(65, 1)(in);
         devices_of(in)[0].taints = {{"k", "", "NoSchedule", {}, {}}};
       },
       publish(65, 1)},
      {"dra-too-many-attributes",
       [](LintInput& in) {
         for (int i = 0; i < 32; ++i) devices_of(in)[0].attributes["a" + std::to_string(i)] = true;
       },
       nothing},
      {"dra-too-many-taints",
       [](LintInput& in) { devices_of(in)[0].taints.assign(17, {"k", "", "NoSchedule", {}, {}}); },
       [](LintInput& in) { devices_of(in)[0].taints.assign(16, {"k", "", "NoSchedule", {}, {}}); }},
      {"dra-counters-hide-devices",
       [](LintInput& in) { in.cluster.dra.slices[0].shared_counters = {{"s", {{"c", Quantity::units(1)}}}}; },
       nothing},
      {"dra-gate-off", consuming(35), consuming(34)},
      {"dra-counters-share-table", counting_drivers(35), counting_drivers(36)},
      {"dra-pool-incomplete", [](LintInput& in) { in.cluster.dra.slices[0].pool.slice_count = 2; }, nothing},
      {"dra-pool-invalid", [](LintInput& in) { devices_of(in)[1].name = "gpu-0"; }, nothing},
      {"dra-stale-slice",
       [](LintInput& in) {
         in.cluster.dra.slices.push_back(in.cluster.dra.slices[0]);
         in.cluster.dra.slices[1].pool.generation = 2;
       },
       nothing},
  };
}

TEST(DraLint, EachRuleHasWhatSetsItOffAndWhatDoesNot) {
  auto cases = selector_cases();
  for (const auto& more : {claim_cases(), cluster_cases()})
    cases.insert(cases.end(), more.begin(), more.end());
  for (const RuleCase& rule : cases) {
    LintInput bad = cluster(claim("c", {request("r")})), good = bad;
    rule.bad(bad);
    rule.good(good);
    EXPECT_NE(find(lint(bad), rule.code), nullptr) << rule.code;
    EXPECT_EQ(find(lint(good), rule.code), nullptr) << rule.code;
  }
}

}  // namespace
}  // namespace etiage::explain
