#include "engines/dra/search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using Outcome = Attempt::Outcome;

std::vector<Device> gpus(int count) {
  std::vector<Device> out;
  for (int i = 0; i < count; ++i) out.push_back(gpu("gpu-" + std::to_string(i)));
  return out;
}

Device with_root(const std::string& name, const std::string& root) {
  Device d = gpu(name);
  d.attributes.emplace("root", root);
  return d;
}

TEST(Search, TakesTheFirstDevicesInOrder) {
  EXPECT_THAT(names(allocate(release(37), {slice_on("n", gpus(4))}, {claim("c", {request("r", 2)})})),
              ElementsAre("gpu-0", "gpu-1"));
}

TEST(Search, ASliceWhoseNodeSelectorIsRefusedAbortsTheAttempt) {
  using Operator = Requirement::Operator;
  const auto outcome = [](const Requirement& requirement) {
    ResourceSlice slice = slice_on("n", gpus(1));
    slice.reach = {std::nullopt, NodeSelector{{{requirement}, {}}}, false};
    return allocate(release(37), {slice}, {claim("c", {request("r")})}).outcome;
  };
  EXPECT_EQ(outcome({"zone", Operator::kIn, {}}), Outcome::kFault) << "as an unknown operator is read";
  EXPECT_EQ(outcome({"!zone", Operator::kExists, {}}), Outcome::kFault);
  EXPECT_EQ(outcome({"zone", Operator::kIn, {"!a"}}), Outcome::kFault);
  EXPECT_EQ(outcome({"zone", Operator::kIn, {"a"}}), Outcome::kNoFit);
}

/// kubernetes#131730: the real search takes 2^31 steps here.
TEST(Search, OneDeviceTooManyIsSeenAtOnce) {
  for (const int minor : {34, 35, 36, 37}) {
    const Attempt attempt =
        allocate(release(minor), {slice_on("n", gpus(31))}, {claim("c", {request("r", 32)})});
    EXPECT_EQ(attempt.outcome, Outcome::kNoFit);
    EXPECT_LT(attempt.steps, 100u) << "1." << minor;
  }
}

TEST(Search, TwoRequestsThatDoNotFitTogetherAreSeenAtOnce) {
  const Attempt attempt =
      allocate(release(37), {slice_on("n", gpus(31))}, {claim("c", {request("a", 16), request("b", 16)})});
  EXPECT_EQ(attempt.outcome, Outcome::kNoFit);
  EXPECT_LT(attempt.steps, 2000u);
}

TEST(Search, BacktracksOverConstraints) {
  ResourceClaim c = claim("c", {request("r", 2)});
  c.spec.constraints.push_back({DeviceConstraint::Kind::kMatchAttribute, {}, "gpu.example.com/root"});
  const auto slice = slice_on("n", {with_root("a", "0"), with_root("b", "1"), with_root("c", "1")});
  EXPECT_THAT(names(allocate(release(37), {slice}, {c})), ElementsAre("b", "c"));
}

TEST(Search, DistinctAttributesBefore137RememberTheLastDeviceOnly) {
  ResourceClaim c = claim("c", {request("r", 3)});
  c.spec.constraints.push_back({DeviceConstraint::Kind::kDistinctAttribute, {}, "gpu.example.com/root"});
  const auto slice = slice_on("n", {with_root("a", "0"), with_root("b", "1"), with_root("c", "0")});
  EXPECT_EQ(allocate(release(37), {slice}, {c}).outcome, Outcome::kNoFit);
  EXPECT_THAT(names(allocate(release(36), {slice}, {c})), ElementsAre("a", "b", "c"));
}

TEST(Search, TheFirstAlternativeThatLetsTheRestFitWins) {
  DeviceRequest either;
  either.name = "either";
  for (const std::int64_t count : {2, 1}) {
    DeviceSubRequest& sub = either.first_available.emplace_back();
    sub.name = "take-" + std::to_string(count);
    sub.ask.device_class = "gpu";
    sub.ask.count = count;
  }
  const Attempt attempt =
      allocate(release(37), {slice_on("n", gpus(2))}, {claim("c", {either, request("other")})});
  ASSERT_EQ(attempt.outcome, Outcome::kAllocated);
  EXPECT_EQ(attempt.allocations[0].devices[0].request, "either/take-1");
  EXPECT_THAT(names(attempt), ElementsAre("gpu-0", "gpu-1"));
}

TEST(Search, SharedCountersKeepPartitionsApart) {
  Device whole = gpu("whole"), half = gpu("half"), other = gpu("other-half");
  const auto uses = [](std::int64_t n) {
    return std::vector<CounterConsumption>{{"set", {{"slices", Quantity::units(n)}}, {}}};
  };
  whole.consumes = uses(2);
  half.consumes = other.consumes = uses(1);
  ResourceSlice counters = slice_on("n", {});
  counters.meta.name = "counters";
  counters.shared_counters = {{"set", {{"slices", Quantity::units(2)}}}};
  ResourceSlice devices = slice_on("n", {whole, half, other});
  counters.pool.slice_count = devices.pool.slice_count = 2;
  EXPECT_THAT(names(allocate(release(37), {counters, devices}, {claim("c", {request("r", 2)})})),
              ElementsAre("half", "other-half"));
  EXPECT_EQ(allocate(release(37), {counters, devices}, {claim("c", {request("r", 3)})}).outcome,
            Outcome::kNoFit);
}

TEST(Search, AllFailsOnIncompletePoolsAndOneDeviceInUse) {
  DeviceRequest all = request("r");
  all.exactly->allocation_mode = "All";
  EXPECT_THAT(names(allocate(release(37), {slice_on("n", gpus(3))}, {claim("c", {all})})),
              ElementsAre("gpu-0", "gpu-1", "gpu-2"));
  ResourceSlice half = slice_on("n", gpus(3));
  half.pool.slice_count = 2;
  EXPECT_EQ(allocate(release(37), {half}, {claim("c", {all})}).outcome, Outcome::kFault);
  EXPECT_EQ(allocate(release(37), {slice_on("n", gpus(3))}, {claim("a", {request("r")}), claim("b", {all})})
                .outcome,
            Outcome::kNoFit);
}

TEST(Search, ItMattersWhichDeviceOfAllIsTaken) {
  DeviceRequest all = request("r");
  all.exactly->allocation_mode = "All";
  ResourceClaim apart = claim("b", {all});
  apart.spec.constraints.push_back({DeviceConstraint::Kind::kDistinctAttribute, {}, "gpu.example.com/root"});
  const auto slice = slice_on("n", {with_root("x", "0"), with_root("y", "0"), with_root("z", "0")});
  const Attempt attempt = allocate(release(37), {slice}, {claim("a", {request("r")}), apart});
  EXPECT_EQ(attempt.outcome, Outcome::kFault) << "with z taken, y is met against the constraint";
  EXPECT_THAT(attempt.message, ::testing::HasSubstr("cannot add device gpu.example.com/n/y"));
}

TEST(Search, MoreThan32DevicesAreRefused) {
  const Attempt attempt = allocate(release(37), {slice_on("n", gpus(40))}, {claim("c", {request("r", 33)})});
  EXPECT_EQ(attempt.outcome, Outcome::kFault);
  EXPECT_EQ(attempt.message,
            "claim default/c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already "
            "accounted for");
}

}  // namespace
}  // namespace etiage::dra
