#include "engines/dra/pools.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_set>

#include "base/rng.h"
#include "engines/cel/named_format.h"
#include "engines/dra/pool_counters.h"

namespace etiage::dra {
namespace {

/// One call of gather_pools.
class Gathering {
 public:
  Gathering(const Fleet& fleet, const Behaviour& behaviour, const NodeIdentity& node, Ordering ordering)
      : fleet_(fleet), b_(behaviour), node_(node), ordering_(ordering) {}

  NodePools run() {
    NodePools out;
    std::vector<std::uint32_t> late;
    for (const std::uint32_t slice : candidates()) {
      if (!is_relevant(slice)) {
        if (fault_) break;
        continue;
      }
      if (b_.binding_slices_last && fleet_.slices()[slice].has_binding_conditions && !lends_counters(slice)) {
        late.push_back(slice);
      } else {
        add(slice);
      }
    }
    if (fault_) return {{}, {}, "gather pool information: failed to perform node selection " + *fault_};
    for (const std::uint32_t slice : late) add(slice);
    std::vector<Pool> binding;
    for (auto& [id, slices] : found_)
      if (auto pool = build(id, slices)) {
        const bool last = b_.binding_pools_last && has_binding(*pool);
        (last ? binding : out.pools).push_back(std::move(*pool));
      }
    order(out.pools);
    order(binding);
    std::ranges::move(binding, std::back_inserter(out.pools));
    for (Pool& pool : out.pools) list_devices(pool);
    list_candidates(out);
    if (fault_) out.fault = fault_;
    return out;
  }

 private:
  const FleetSlice& slice(std::uint32_t index) const { return fleet_.slices()[index]; }
  const ResourceSlice& object(std::uint32_t index) const { return *slice(index).object; }
  bool lends_counters(std::uint32_t index) const {
    return b_.counter_sets_apart && !object(index).shared_counters.empty();
  }

  /// In the order in which the real one sees them: input order, or slices of this node before the shared
  /// ones.
  std::vector<std::uint32_t> candidates() const {
    std::vector<std::uint32_t> out;
    const auto& own = fleet_.slices_of_node(node_.name);
    const auto& shared = fleet_.slices_of_no_node();
    if (b_.counter_slices_everywhere && b_.gates.partitionable_devices) {
      for (std::uint32_t i = 0; i < fleet_.slices().size(); ++i) out.push_back(i);
    } else {
      std::ranges::merge(own, shared, std::back_inserter(out));
    }
    if (b_.pools_sorted)
      std::ranges::stable_partition(out, [&](std::uint32_t i) {
        return object(i).reach.node_name.value_or("") == node_.name &&
               !(b_.counter_slices_everywhere && lends_counters(i));
      });
    if (ordering_.seed != 0) shuffle(out, Rng(ordering_.seed, 1));
    return out;
  }

  static void shuffle(std::vector<std::uint32_t>& list, Rng rng) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[rng.below(i)]);
  }

  bool is_relevant(std::uint32_t index) {
    const ResourceSlice& s = object(index);
    const bool gated = s.per_device_node_selection || lends_counters(index);
    if (gated && !b_.gates.partitionable_devices) return false;
    if (b_.ignores_compatibility_groups && slice(index).uses_compatibility_groups) return false;
    if (b_.counter_slices_everywhere && lends_counters(index)) return true;
    if (!s.reach.node_name.value_or("").empty() || s.reach.all_nodes || s.reach.node_selector)
      return reaches_or_faults(s.reach, "slice " + s.meta.name);
    if (!s.per_device_node_selection.value_or(false)) return false;
    for (const Device& device : s.devices) {
      if (reaches_or_faults(device.reach, "device " + device.name + " in slice " + s.meta.name)) return true;
      if (fault_) return false;
    }
    return false;
  }

  bool reaches_or_faults(const NodeReach& reach, std::string_view of) {
    std::optional<std::string> why;
    const bool reached = reaches(reach, node_, why);
    if (why) fault_ = fmt::format("for {}: failed to parse node selector: {}", of, *why);
    return reached;
  }

  /// Keeps the newest generation only.
  void add(std::uint32_t index) {
    auto& slices = found_[slice(index).pool];
    if (!slices.empty()) {
      const std::int64_t have = object(slices[0]).pool.generation, now = object(index).pool.generation;
      if (now < have) return;
      if (now > have) slices.clear();
    }
    slices.push_back(index);
  }

  /// All slices of the pool's generation; nothing where a newer one exists elsewhere.
  std::optional<std::vector<std::uint32_t>> whole_pool(std::uint32_t id, std::int64_t generation) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t index : fleet_.pools()[id].slices) {
      if (object(index).pool.generation > generation) return std::nullopt;
      if (object(index).pool.generation < generation) continue;
      if (b_.ignores_compatibility_groups && slice(index).uses_compatibility_groups) continue;
      out.push_back(index);
    }
    return out;
  }

  std::optional<Pool> build(std::uint32_t id, std::vector<std::uint32_t>& slices) const {
    const ResourcePool& first = object(slices[0]).pool;
    Pool pool;
    pool.id = id;
    std::vector<std::uint32_t> all = slices;
    if (std::int64_t(slices.size()) != first.slice_count && b_.whole_pool_completeness) {
      auto whole = whole_pool(id, first.generation);
      if (!whole) return std::nullopt;
      all = std::move(*whole);
    }
    pool.incomplete = std::int64_t(all.size()) != first.slice_count;
    if (b_.pools_sorted)
      std::ranges::stable_sort(slices, {},
                               [&](std::uint32_t i) -> const std::string& { return object(i).meta.name; });
    if (pool.incomplete && b_.counter_sets_apart) return pool;
    split(pool, slices, all);
    check_names(pool);
    if (b_.counter_sets_apart && b_.gates.partitionable_devices && !pool.invalid) {
      std::vector<std::uint32_t> checked = pool.slices;
      if (b_.counter_slices_everywhere) checked = slices;  // counter slices may hold devices too
      lay_out_counters(pool, fleet_, checked);
    } else if (!b_.counter_sets_apart) {
      lay_out_counters_by_slice(pool, fleet_);
    }
    return pool;
  }

  /// Slices with devices for this node, slices that lend counters, and the rest of the pool.
  void split(Pool& pool, const std::vector<std::uint32_t>& slices,
             const std::vector<std::uint32_t>& all) const {
    const bool apart = b_.counter_sets_apart && b_.gates.partitionable_devices;
    const auto lend = [&](std::uint32_t i) {
      for (const CounterSet& set : object(i).shared_counters) pool.counter_sets.push_back(&set);
    };
    for (const std::uint32_t i : slices) apart&& lends_counters(i) ? lend(i) : pool.slices.push_back(i);
    if (!apart || all.size() <= slices.size()) return;
    std::unordered_set<std::string_view> here;
    for (const std::uint32_t i : slices) here.insert(object(i).meta.name);
    for (const std::uint32_t i : all) {
      if (here.contains(object(i).meta.name)) continue;
      lends_counters(i) && !b_.counter_slices_everywhere ? lend(i) : pool.elsewhere.push_back(i);
    }
  }

  void check_names(Pool& pool) const {
    std::unordered_set<std::uint32_t> seen;
    for (const std::uint32_t i : pool.slices)
      for (std::uint32_t d = slice(i).first; d < slice(i).first + slice(i).count; ++d)
        if (!seen.insert(fleet_.devices()[d].identity).second) {
          pool.invalid = true;
          pool.reason = "duplicate device name " + fleet_.devices()[d].object->name;
          return;
        }
  }

  bool has_binding(const Pool& pool) const {
    return !(pool.invalid && b_.counter_sets_apart) &&
           std::ranges::any_of(pool.slices, [&](auto i) { return slice(i).has_binding_conditions; });
  }

  void order(std::vector<Pool>& pools) const {
    std::ranges::stable_sort(pools, [&](const Pool& a, const Pool& b) {
      const FleetPool &x = fleet_.pools()[a.id], &y = fleet_.pools()[b.id];
      return std::tie(x.driver, x.name) < std::tie(y.driver, y.name);
    });
    if (b_.pools_sorted || ordering_.seed == 0) return;
    Rng rng(ordering_.seed, 2);
    for (std::size_t i = pools.size(); i > 1; --i) std::swap(pools[i - 1], pools[rng.below(i)]);
  }

  void list_devices(Pool& pool) {
    for (const std::uint32_t i : pool.slices)
      for (std::uint32_t place = 0; place < slice(i).count; ++place) {
        PoolDevice entry{slice(i).first + place, place, PoolDevice::Reach::kYes, {}};
        if (object(i).per_device_node_selection.value_or(false)) {
          std::optional<std::string> fault;
          const bool reached = reaches(object(i).devices[place].reach, node_, fault);
          entry.reach = fault     ? PoolDevice::Reach::kFault
                        : reached ? PoolDevice::Reach::kYes
                                  : PoolDevice::Reach::kNo;
        }
        pool.devices.push_back(std::move(entry));
      }
    if (!pool.invalid) resolve_uses(pool);
  }

  void list_candidates(NodePools& out) const {
    for (std::uint32_t p = 0; p < out.pools.size(); ++p) {
      const Pool& pool = out.pools[p];
      if (b_.skips_bad_pools && (pool.incomplete || pool.invalid)) continue;
      if (pool.invalid) {
        out.order.push_back({p, kNone, kNone});
        continue;
      }
      for (std::uint32_t i = 0; i < pool.devices.size(); ++i)
        out.order.push_back({p, pool.devices[i].device, i});
    }
  }

  const Fleet& fleet_;
  const Behaviour& b_;
  const NodeIdentity& node_;
  Ordering ordering_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> found_;
  std::optional<std::string> fault_;
};

}  // namespace

namespace {

/// Keys and values that cannot be labels.
std::optional<std::string> label_fault(const NodeSelector& selector) {
  const cel::NamedFormat& key = *cel::find_named_format("qualifiedName");
  const cel::NamedFormat& value = *cel::find_named_format("labelValue");
  for (const NodeSelectorTerm& term : selector)
    for (const Requirement& r : term.match_expressions) {
      if (const auto faults = key.faults(r.key); !faults.empty()) return "key " + r.key + ": " + faults[0];
      for (const std::string& v : r.values)
        if (const auto faults = value.faults(v); !faults.empty())
          return "key " + r.key + ", value " + v + ": " + faults[0];
    }
  return std::nullopt;
}

}  // namespace

bool reaches(const NodeReach& reach, const NodeIdentity& node, std::optional<std::string>& fault) {
  if (!reach.node_name.value_or("").empty()) return *reach.node_name == node.name;
  if (reach.all_nodes) return true;
  if (!reach.node_selector) return false;
  auto why = selector_fault(*reach.node_selector);
  if (!why) why = label_fault(*reach.node_selector);
  if (why) {
    fault = std::move(why);
    return false;
  }
  return matches(*reach.node_selector, node);
}

NodePools gather_pools(const Fleet& fleet, const Behaviour& behaviour, const NodeIdentity& node,
                       Ordering ordering) {
  return Gathering(fleet, behaviour, node, ordering).run();
}

}  // namespace etiage::dra
