// The allocator against plain enumeration on small clusters, and an independent check of every result.

#include <functional>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "engines/dra/testing/builders.h"

namespace etiage::dra {
namespace {

using namespace testing;

struct Instance {
  std::vector<Device> devices;
  std::int64_t counter_total = 0;
  std::vector<ResourceClaim> claims;
};

Device random_device(int index) {
  Device d = gpu("gpu-" + std::to_string(index));
  if (*rc::gen::inRange(0, 5) > 0) d.attributes.emplace("root", std::to_string(*rc::gen::inRange(0, 3)));
  d.attributes.emplace("fast", *rc::gen::arbitrary<bool>());
  if (*rc::gen::inRange(0, 3) == 0) d.taints.push_back({"broken", "", "NoSchedule", std::nullopt, {}});
  const int uses = *rc::gen::inRange(0, 3);
  if (uses > 0) d.consumes = {{"set", {{"slices", Quantity::units(uses)}}, {}}};
  return d;
}

ResourceClaim random_claim(int index) {
  std::vector<DeviceRequest> requests;
  const int count = *rc::gen::inRange(1, 3);
  for (int i = 0; i < count; ++i) {
    requests.push_back(request("r" + std::to_string(i), *rc::gen::inRange(1, 4)));
    if (*rc::gen::arbitrary<bool>())
      requests.back().exactly->selectors = {{R"(device.attributes["gpu.example.com"].fast)", 0}};
    if (*rc::gen::inRange(0, 3) == 0)
      requests.back().exactly->tolerations = {{"broken", "Exists", "", "", std::nullopt}};
  }
  ResourceClaim c = claim("c" + std::to_string(index), std::move(requests));
  const int constraint = *rc::gen::inRange(0, 4);
  using enum DeviceConstraint::Kind;
  if (constraint == 1) c.spec.constraints.push_back({kMatchAttribute, {}, "gpu.example.com/root"});
  if (constraint == 2) c.spec.constraints.push_back({kDistinctAttribute, {"r0"}, "gpu.example.com/root"});
  return c;
}

Instance random_instance() {
  Instance out;
  const int devices = *rc::gen::inRange(1, 7);
  for (int i = 0; i < devices; ++i) out.devices.push_back(random_device(i));
  out.counter_total = *rc::gen::inRange(0, 6);
  const int claims = *rc::gen::inRange(1, 3);
  for (int i = 0; i < claims; ++i) out.claims.push_back(random_claim(i));
  return out;
}

/// One place to fill: a request of a claim.
struct Place {
  std::size_t claim;
  const DeviceRequest* request;
  std::size_t device = 0;
};

/// Whether all places taken so far stand together; written from the API's words, not from the allocator.
bool is_valid(const Instance& in, const std::vector<Place>& places) {
  std::int64_t counter = 0;
  std::vector<int> taken(in.devices.size());
  for (const Place& p : places) {
    const Device& d = in.devices[p.device];
    if (++taken[p.device] > 1) return false;
    for (const CounterConsumption& use : d.consumes) counter += use.counters.at("slices").value();
    if (!p.request->exactly->selectors.empty() && !std::get<bool>(d.attributes.at("fast"))) return false;
    if (!d.taints.empty() && p.request->exactly->tolerations.empty()) return false;
  }
  if (counter > in.counter_total) return false;
  for (std::size_t c = 0; c < in.claims.size(); ++c)
    for (const DeviceConstraint& constraint : in.claims[c].spec.constraints) {
      std::vector<std::string> values;
      for (const Place& p : places) {
        if (p.claim != c || (!constraint.requests.empty() && constraint.requests[0] != p.request->name))
          continue;
        const auto value = in.devices[p.device].attributes.find("root");
        if (value == in.devices[p.device].attributes.end()) return false;
        values.push_back(std::get<std::string>(value->second));
      }
      for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          if ((values[i] == values[j]) != (constraint.kind == DeviceConstraint::Kind::kMatchAttribute))
            return false;
    }
  return true;
}

/// The first solution: requests in order, their devices rising, lowest first.
std::vector<std::string> first_solution(const Instance& in) {
  std::vector<Place> all, taken;
  for (std::size_t c = 0; c < in.claims.size(); ++c)
    for (const DeviceRequest& r : in.claims[c].spec.requests)
      for (std::int64_t i = 0; i < r.exactly->count; ++i) all.push_back({c, &r, 0});
  const std::function<bool(std::size_t)> fill = [&](std::size_t next) {
    if (next == all.size()) return true;
    const bool goes_on = next > 0 && all[next].request == all[next - 1].request;
    for (std::size_t d = goes_on ? taken.back().device + 1 : 0; d < in.devices.size(); ++d) {
      taken.push_back({all[next].claim, all[next].request, d});
      if (is_valid(in, taken) && fill(next + 1)) return true;
      taken.pop_back();
    }
    return false;
  };
  if (!fill(0)) return {};
  std::vector<std::string> out;
  for (const Place& p : taken) out.push_back(in.devices[p.device].name);
  return out;
}

RC_GTEST_PROP(Allocator, FindsTheFirstSolutionOrNone, ()) {
  const Instance in = random_instance();
  ResourceSlice counters = slice_on("n", {});
  counters.meta.name = "counters";
  counters.shared_counters = {{"set", {{"slices", Quantity::units(in.counter_total)}}}};
  ResourceSlice devices = slice_on("n", in.devices);
  counters.pool.slice_count = devices.pool.slice_count = 2;
  const Attempt attempt = allocate(release(37), {counters, devices}, in.claims);
  const std::vector<std::string> expected = first_solution(in);
  RC_ASSERT((attempt.outcome == Attempt::Outcome::kAllocated) == !expected.empty());
  RC_ASSERT(names(attempt) == expected);
}

}  // namespace
}  // namespace etiage::dra
