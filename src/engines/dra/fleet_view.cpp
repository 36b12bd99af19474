#include "engines/dra/fleet_view.h"

#include <algorithm>
#include <set>

#include "engines/dra/counters.h"
#include "engines/dra/taints.h"

namespace etiage::dra {
namespace {

/// A bare attribute or capacity, or the same under the driver's own domain.
template <class Map>
auto find_own(const Map& map, const std::string& driver, const std::string& name) {
  const auto bare = map.find(name);
  return bare != map.end() ? bare : map.find(driver + "/" + name);
}

std::string text_attribute(const Device& device, const std::string& driver, const std::string& name) {
  const auto found = find_own(device.attributes, driver, name);
  if (found == device.attributes.end()) return {};
  const auto* text = std::get_if<std::string>(&found->second);
  return text ? *text : std::string();
}

class FleetViewing {
 public:
  FleetViewing(const ClusterObjects& objects, const Behaviour& behaviour)
      : objects_(objects),
        allocator_(behaviour, objects.dra.slices, objects.dra.taint_rules, objects.dra.classes),
        in_use_(allocator_.nothing_in_use()) {}

  FleetView run() {
    FleetView out;
    out.claims = objects_.dra.claims.size();
    for (const ResourceClaim& claim : objects_.dra.claims) {
      if (!claim.allocation) continue;
      ++out.allocated_claims;
      in_use_.add(*claim.allocation, name_of(claim));
    }
    for (const FleetPool& pool : fleet().pools()) out.pools.push_back(view(pool));
    for (const Node& node : objects_.nodes) look_at(node, out.pools);
    std::ranges::sort(out.pools, {}, [](const PoolView& p) { return std::tie(p.driver, p.name); });
    for (auto& [shape, count] : shapes_) out.shapes.push_back(count);
    return out;
  }

 private:
  const Fleet& fleet() const { return allocator_.fleet(); }
  bool is_used(std::uint32_t identity) const {
    return in_use_.is_dedicated(identity) || in_use_.has_shares(identity);
  }

  PoolView view(const FleetPool& pool) const {
    PoolView out;
    out.driver = pool.driver;
    out.name = pool.name;
    for (const std::uint32_t i : pool.slices)
      out.generation = std::max(out.generation, fleet().slices()[i].object->pool.generation);
    for (const std::uint32_t i : pool.slices) {
      const FleetSlice& slice = fleet().slices()[i];
      if (slice.object->pool.generation < out.generation) {
        ++out.stale_slices;
        continue;
      }
      ++out.slices;
      out.announced = static_cast<std::size_t>(std::max<std::int64_t>(slice.object->pool.slice_count, 0));
      out.devices += slice.count;
      for (std::uint32_t d = slice.first; d < slice.first + slice.count; ++d)
        out.in_use += is_used(fleet().devices()[d].identity);
    }
    return out;
  }

  void look_at(const Node& node, std::vector<PoolView>& views) {
    const NodePools& pools = allocator_.pools_on({node.meta.name, node.meta.labels});
    for (const Pool& pool : pools.pools) {
      PoolView& view = views[pool.id];
      view.nodes.push_back(node.meta.name);
      if (pool.invalid) view.fault = pool.reason;
      if (pool.incomplete)
        view.fault = "incomplete: " + std::to_string(view.slices) + " of " + std::to_string(view.announced) +
                     " slices";
    }
    count_shapes(pools);
  }

  /// Each device once, on the first node that reaches it.
  void count_shapes(const NodePools& pools) {
    std::map<Shape, std::vector<Candidate>> by_shape;
    for (const Candidate& candidate : pools.order) {
      if (candidate.device == kNone || entry_of(pools, candidate).reach != PoolDevice::Reach::kYes) continue;
      const FleetDevice& d = fleet().devices()[candidate.device];
      if (!counted_.insert(d.identity).second) continue;
      const Shape shape = shape_of(*d.object, fleet().slice_of(candidate.device).object->driver);
      ShapeCount& count = shapes_[shape];
      count.shape = shape;
      ++count.offered;
      count.in_use += is_used(d.identity);
      count.tainted += blocking_taint(allocator_.behaviour(), *d.object, {}) != nullptr;
      by_shape[shape].push_back(candidate);
    }
    for (const auto& [shape, candidates] : by_shape)
      shapes_[shape].still_fit += count_fitting(pools, candidates);
  }

  std::size_t count_fitting(const NodePools& pools, const std::vector<Candidate>& candidates) const {
    CounterTables counters(fleet(), pools, allocator_.behaviour(), in_use_);
    std::size_t out = 0;
    for (const Candidate& candidate : candidates) {
      const FleetDevice& d = fleet().devices()[candidate.device];
      if (in_use_.is_dedicated(d.identity) || blocking_taint(allocator_.behaviour(), *d.object, {})) continue;
      if (!d.object->consumes.empty() && (!allocator_.behaviour().gates.partitionable_devices ||
                                          !counters.take(candidate.pool, entry_of(pools, candidate))))
        continue;
      ++out;
    }
    return out;
  }

  const ClusterObjects& objects_;
  Allocator allocator_;
  InUse in_use_;
  std::set<std::uint32_t> counted_;
  std::map<Shape, ShapeCount> shapes_;
};

}  // namespace

Shape shape_of(const Device& device, const std::string& driver) {
  Shape out{driver,
            text_attribute(device, driver, "productName"),
            text_attribute(device, driver, "type"),
            text_attribute(device, driver, "profile"),
            {}};
  if (const auto memory = find_own(device.capacity, driver, "memory"); memory != device.capacity.end())
    out.memory = memory->second.value.text;
  return out;
}

FleetView view_fleet(const ClusterObjects& objects, const Behaviour& behaviour) {
  return FleetViewing(objects, behaviour).run();
}

}  // namespace etiage::dra
