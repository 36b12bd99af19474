#include "engines/dra/behaviour.h"

#include <gtest/gtest.h>

#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using testing::release;

TEST(Behaviour, TheVariantFollowsFromTheGates) {
  EXPECT_EQ(release(34).variant, Variant::kExperimental)
      << "DRAResourceClaimDeviceStatus is on there by default";
  EXPECT_EQ(release(35).variant, Variant::kIncubating);
  EXPECT_EQ(release(36).variant, Variant::kIncubating);
  EXPECT_EQ(release(37).variant, Variant::kIncubating);
  EXPECT_EQ(release(37, "DRAListTypeAttributes=true").variant, Variant::kExperimental);
  const std::string plain = "DRAConsumableCapacity=false,DRADeviceBindingConditions=false";
  EXPECT_EQ(release(36, plain).variant, Variant::kStable);
  EXPECT_EQ(release(37, plain).variant, Variant::kIncubating) << "DRAFractionalCapacityRange is on";
  EXPECT_EQ(release(37, plain + ",DRAFractionalCapacityRange=false").variant, Variant::kStable);
}

TEST(Behaviour, GatesOfLaterReleasesAreOff) {
  EXPECT_FALSE(release(35, "DRAListTypeAttributes=true").gates.list_type_attributes);
  EXPECT_FALSE(release(34, "DRADeviceTaintRules=true").gates.device_taint_rules);
}

TEST(Behaviour, MalformedGatesAreErrorsAndOthersWarnings) {
  Diagnostics out;
  with_gates({}, "DRAAdminAccess=maybe,SomethingElse=true", out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(out[0].severity, Severity::kError);
  EXPECT_EQ(out[1].severity, Severity::kWarning);
}

}  // namespace
}  // namespace etiage::dra
