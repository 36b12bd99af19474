#include "formats/kube/dra.h"

#include <gtest/gtest.h>

#include "formats/document.h"

namespace etiage::formats {
namespace {

DraObjects read(std::string_view yaml, Diagnostics& diagnostics) {
  DraObjects out;
  auto documents = read_documents(yaml, "in.yaml", diagnostics);
  for (const Tree& object : kubernetes_objects(std::move(documents), "in.yaml", diagnostics))
    EXPECT_TRUE(read_dra_object(object, "in.yaml", out, diagnostics));
  return out;
}

TEST(DraReading, LiftsOlderFormsToTheNewest) {
  Diagnostics diagnostics;
  const DraObjects old = read(R"(
apiVersion: resource.k8s.io/v1beta1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, deviceClassName: gpu, adminAccess: false}]}}
---
apiVersion: resource.k8s.io/v1beta1
kind: ResourceSlice
metadata: {name: s}
spec: {driver: d, nodeName: n, pool: {name: n, generation: 1, resourceSliceCount: 1},
       devices: [{name: gpu-0, basic: {attributes: {index: {int: 3}}, capacity: {memory: {value: 40Gi}}}}]}
)",
                              diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(old.claims.size(), 1u);
  EXPECT_EQ(old.claims[0].meta.ns, "default");
  const DeviceAsk& ask = *old.claims[0].spec.requests[0].exactly;
  EXPECT_EQ(ask.count, 1) << "the API server's default";
  EXPECT_EQ(ask.admin_access, false) << "given, although false";
  const Device& device = old.slices[0].devices[0];
  EXPECT_EQ(std::get<std::int64_t>(device.attributes.at("index")), 3);
  EXPECT_EQ(device.capacity.at("memory").value.text, "40Gi");
}

TEST(DraReading, NamesWhatCannotBeUsedAndKeepsTheRest) {
  Diagnostics diagnostics;
  const DraObjects objects = read(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d
  nodeName: n
  pool: {name: n, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    attributes: {strange: {colour: red}}
    capacity: {memory: {value: much}, cores: {value: "4"}}
)",
                                  diagnostics);
  ASSERT_EQ(diagnostics.size(), 2u);
  EXPECT_EQ(diagnostics[0].code, "dra-bad-attribute");
  EXPECT_EQ(diagnostics[1].code, "dra-bad-quantity");
  EXPECT_EQ(diagnostics[1].place.line, 12);
  EXPECT_EQ(objects.slices[0].devices[0].capacity.size(), 1u);
}

TEST(DraReading, LeavesOtherGroupsAlone) {
  Diagnostics diagnostics;
  DraObjects into;
  const Tree other = Tree::map({{"apiVersion", Tree::string("v1")}, {"kind", Tree::string("Pod")}});
  EXPECT_FALSE(read_dra_object(other, "in.yaml", into, diagnostics));
}

TEST(DraReading, AnUnknownOperatorSelectsNothing) {
  Diagnostics diagnostics;
  const DraObjects objects = read(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec: {driver: d, pool: {name: n, generation: 1, resourceSliceCount: 1},
       nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: Contains, values: [a]}]}]}}
)",
                                  diagnostics);
  ASSERT_EQ(objects.slices.size(), 1u);
  const Requirement& requirement = (*objects.slices[0].reach.node_selector)[0].match_expressions[0];
  EXPECT_EQ(requirement, (Requirement{"zone", Requirement::Operator::kIn, {}}));
}

TEST(DraReading, NumbersThatAreNoneAreTold) {
  Diagnostics diagnostics;
  const DraObjects objects = read(R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 9223372036854775808}}]}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec: {driver: d, nodeName: n1, pool: {name: n1, generation: 1.5, resourceSliceCount: many}}
)",
                                  diagnostics);
  ASSERT_EQ(diagnostics.size(), 3u);
  EXPECT_EQ(diagnostics[0].code, "dra-bad-count");
  EXPECT_EQ(diagnostics[0].place.line, 5);
  EXPECT_EQ(diagnostics[1].place.path, "spec.pool.generation");
  EXPECT_EQ(diagnostics[2].place.path, "spec.pool.resourceSliceCount");
  EXPECT_EQ(objects.claims[0].spec.requests[0].exactly->count, 1);
}

}  // namespace
}  // namespace etiage::formats
