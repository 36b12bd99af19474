#pragma once
// What a fleet offers: pools, kinds of devices, what is in use, and how many more of each kind still fit.

#include <map>
#include <string>
#include <vector>

#include "engines/dra/scheduling.h"

namespace etiage::dra {

/// Devices that a person would call the same: product, type, MIG profile, memory.
struct Shape {
  std::string driver, product, type, profile;
  std::string memory;  ///< as the slice writes it

  auto operator<=>(const Shape&) const = default;
};

struct ShapeCount {
  Shape shape;
  std::size_t offered = 0;    ///< devices in complete and valid pools
  std::size_t in_use = 0;     ///< held by claims, alone or in shares
  std::size_t tainted = 0;    ///< kept from claims that do not tolerate it
  std::size_t still_fit = 0;  ///< how many more can be taken one after the other, as shared counters allow
};

struct PoolView {
  std::string driver, name;
  std::int64_t generation = 0;
  std::size_t slices = 0, announced = 0;
  std::size_t stale_slices = 0;  ///< of older generations
  std::string fault;             ///< why nothing can be taken; empty: all is well
  std::vector<std::string> nodes;
  std::size_t devices = 0, in_use = 0;
};

struct FleetView {
  std::vector<PoolView> pools;
  std::vector<ShapeCount> shapes;
  std::size_t claims = 0, allocated_claims = 0;
};

FleetView view_fleet(const ClusterObjects& objects, const Behaviour& behaviour);

Shape shape_of(const Device& device, const std::string& driver);

}  // namespace etiage::dra
