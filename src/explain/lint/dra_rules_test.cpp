#include "explain/lint/dra_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explain/lint/testing/dra_cluster.h"

namespace etiage::explain {
namespace {

using namespace testing;
using ::testing::HasSubstr;

ResourceClaim selecting(const std::string& expression) {
  ResourceClaim c = claim("c", {request("r")});
  c.spec.requests[0].exactly->selectors = {{expression, 7}};
  return c;
}

/// The remark of that code on a claim with that selector; its message is empty where there is none.
Diagnostic remark(const std::string& expression, std::string_view code) {
  const Diagnostics all = lint(cluster(selecting(expression)));
  const Diagnostic* found = find(all, code);
  return found ? *found : Diagnostic{};
}

TEST(DraLint, AnUnanchoredRegexNamesWhatItTakes) {
  const std::string attribute = "device.attributes[\"gpu.nvidia.com\"].productName";
  const Diagnostic d = remark(attribute + ".matches(\"H100|H200\")", "dra-regex-unanchored");
  EXPECT_THAT(d.message, HasSubstr("NVIDIA GH200 480GB"));
  EXPECT_EQ(d.place.line, 7);
  const std::string anchored = attribute + ".matches(\"^NVIDIA (H100|H200)( |$)\")";
  EXPECT_EQ(remark(anchored, "dra-regex-unanchored").message, "");
}

TEST(DraLint, ThresholdsJustAboveAPartitionAreSeen) {
  const std::string memory = R"(device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0)";
  EXPECT_THAT(remark(memory, "dra-threshold-just-above").message, HasSubstr("3g.40gb"));
}

TEST(DraLint, DroppedAttributesAndMissingGuardsAreErrors) {
  const std::string index = R"(device.attributes["gpu.nvidia.com"].index == 0)";
  EXPECT_EQ(remark(index, "dra-attribute-dropped").severity, Severity::kError);
  EXPECT_THAT(remark(index, "dra-selector-error").hint,
              HasSubstr(R"(has(device.attributes["gpu.nvidia.com"].index))"));
}

TEST(DraLint, VersionsAreNotTexts) {
  const std::string version = R"(device.attributes["gpu.nvidia.com"].driverVersion)";
  EXPECT_NE(remark(version + R"( == "580.126.20")", "dra-version-compared-with-text").message, "");
  EXPECT_NE(remark(R"("580.126.20" == )" + version, "dra-version-never-equal").message, "");
}

TEST(DraLint, AttributesAreNotCapacities) {
  EXPECT_THAT(remark(R"(device.attributes["gpu.nvidia.com"].memory == 1)", "dra-attribute-or-capacity").hint,
              HasSubstr("device.capacity"));
  EXPECT_NE(remark(R"(has(device.attributes["gpu.nvidia.org"].x))", "dra-unknown-domain").message, "");
}

TEST(DraLint, RequestsThatNoNodeCanMeet) {
  EXPECT_NE(find(lint(cluster(claim("c", {request("r", 3)}))), "dra-count-exceeds-node"), nullptr);
  EXPECT_NE(find(lint(cluster(claim("c", {request("r", 33)}))), "dra-too-many-devices"), nullptr);
  EXPECT_NE(find(lint(cluster(claim("c", {request("r", 1, "nobody")}))), "dra-class-missing"), nullptr);
}

TEST(DraLint, ConstraintsThatCannotHold) {
  ResourceClaim c = claim("c", {request("r", 2)});
  c.spec.constraints = {{DeviceConstraint::Kind::kMatchAttribute, {"other"}, "gpu.nvidia.com/numa"},
                        {DeviceConstraint::Kind::kMatchAttribute, {}, "gpu.nvidia.com/numa"}};
  const Diagnostics all = lint(cluster(c));
  EXPECT_NE(find(all, "dra-unknown-request"), nullptr);
  EXPECT_NE(find(all, "dra-constraint-attribute-missing"), nullptr);
}

TEST(DraLint, ASoundClaimIsLeftAlone) {
  EXPECT_TRUE(lint(cluster(claim("c", {request("r", 2)}))).empty());
}

}  // namespace
}  // namespace etiage::explain
