#include "engines/dra/capacity.h"

#include <gtest/gtest.h>

#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using testing::quantity;
using testing::release;
using Outcome = CapacityCheck::Outcome;

Device device_with(DeviceCapacity memory) {
  Device d = testing::gpu("gpu-0");
  d.allow_multiple_allocations = true;
  d.capacity.emplace("memory", std::move(memory));
  return d;
}

CapacityRequests ask(const std::string& amount, const std::string& name = "memory") {
  return std::map<QualifiedName, WrittenQuantity, std::less<>>{{name, quantity(amount)}};
}

std::string consumed(const Behaviour& b, const CapacityRequests& requests, const Device& d) {
  return consumed_capacity(b, requests, d).at("memory").canonical();
}

TEST(Capacity, WithoutARequestTheDefaultOrAllIsTaken) {
  const Behaviour b = release(37);
  EXPECT_EQ(consumed(b, std::nullopt, device_with({quantity("40Gi"), std::nullopt})), "40Gi");
  const CapacityRequestPolicy policy{quantity("1Gi"), std::nullopt, std::nullopt};
  EXPECT_EQ(consumed(b, std::nullopt, device_with({quantity("40Gi"), policy})), "1Gi");
}

TEST(Capacity, RangesRoundUpFromTheMinimum) {
  const CapacityRequestPolicy policy{quantity("2"), std::nullopt,
                                     CapacityRange{quantity("2"), quantity("20"), quantity("3")}};
  const Device d = device_with({quantity("40"), policy});
  EXPECT_EQ(consumed(release(37), ask("1"), d), "2");
  EXPECT_EQ(consumed(release(37), ask("6"), d), "8");
  EXPECT_EQ(check_capacity(release(37), ask("21"), d, nullptr, nullptr).outcome, Outcome::kAgainstPolicy);
}

TEST(Capacity, StepsKeepTheirFormatSince137) {
  const CapacityRequestPolicy policy{quantity("1k"), std::nullopt,
                                     CapacityRange{quantity("1k"), std::nullopt, quantity("1k")}};
  const Device d = device_with({quantity("100k"), policy});
  EXPECT_EQ(consumed(release(37), ask("1500"), d), "2k");
  EXPECT_EQ(consumed(release(36), ask("1500"), d), "2000");
}

TEST(Capacity, FractionsNeedTheGate) {
  const CapacityRequestPolicy policy{quantity("500m"), std::nullopt,
                                     CapacityRange{quantity("500m"), std::nullopt, quantity("250m")}};
  const Device d = device_with({quantity("4"), policy});
  EXPECT_EQ(consumed(release(37), ask("600m"), d), "750m");
  EXPECT_EQ(consumed(release(37, "DRAFractionalCapacityRange=false"), ask("600m"), d), "1");
}

TEST(Capacity, NamesAreComparedLetterByLetter) {
  const Device d = device_with({quantity("40Gi"), std::nullopt});
  EXPECT_EQ(check_capacity(release(37), ask("1Gi", "gpu.example.com/memory"), d, nullptr, nullptr).outcome,
            Outcome::kUndefined);
}

TEST(Capacity, SharesAddUp) {
  const Device d = device_with({quantity("40Gi"), std::nullopt});
  const CapacityMap used{{"memory", *Quantity::parse("30Gi")}};
  const CapacityCheck check = check_capacity(release(37), ask("20Gi"), d, &used, nullptr);
  EXPECT_EQ(check.outcome, Outcome::kShort);
  EXPECT_EQ(check.left.canonical(), "10Gi");
  EXPECT_TRUE(check_capacity(release(37), ask("10Gi"), d, &used, nullptr).fits());
}

TEST(Capacity, AnUnrepresentableRequestAbortsSince137) {
  const CapacityRequestPolicy policy{quantity("1"), std::nullopt,
                                     CapacityRange{quantity("1"), std::nullopt, quantity("1")}};
  const Device d = device_with({quantity("1E"), policy});
  EXPECT_EQ(check_capacity(release(37), ask("100E"), d, nullptr, nullptr).outcome, Outcome::kFault);
  EXPECT_EQ(check_capacity(release(36), ask("100E"), d, nullptr, nullptr).outcome, Outcome::kAgainstPolicy);
}

}  // namespace
}  // namespace etiage::dra
