#pragma once
// The pools that a node reaches: newest generation, complete or not, valid or not, in the order of the
// search.

#include <optional>
#include <string>
#include <vector>

#include "engines/dra/behaviour.h"
#include "engines/dra/counter_layout.h"
#include "engines/dra/fleet.h"
#include "model/node_selector.h"

namespace etiage::dra {

/// The order of what Kubernetes leaves to chance (Go's maps, the arrival of slices). Value 0: pools by name,
/// slices as given.
struct Ordering {
  std::uint64_t seed = 0;
};

struct PoolDevice {
  enum class Reach : std::uint8_t { kYes, kNo, kFault };
  std::uint32_t device = kNone;
  std::uint32_t place = 0;  ///< in its slice
  Reach reach = Reach::kYes;
  std::vector<CounterUse> uses;  ///< in the layout of its own pool (or slice)
};

struct Pool {
  std::uint32_t id = kNone;  ///< in the fleet
  bool incomplete = false;
  bool invalid = false;
  std::string reason;                    ///< why invalid
  std::vector<std::uint32_t> slices;     ///< with devices that the node reaches, in the order of the search
  std::vector<std::uint32_t> elsewhere;  ///< of the same generation, for other nodes
  std::vector<const CounterSet*> counter_sets;
  std::vector<PoolDevice> devices;     ///< of `slices`, in order
  std::vector<CounterLayout> layouts;  ///< one, or one a slice (Behaviour::CounterKey::kSlice)
};

/// A device as the search meets it.
struct Candidate {
  std::uint32_t pool = kNone;    ///< in NodePools
  std::uint32_t device = kNone;  ///< in the fleet; kNone: the pool is invalid, meeting it is an error (1.34)
  std::uint32_t entry = kNone;   ///< in the pool's devices
};

struct NodePools {
  std::vector<Pool> pools;
  std::vector<Candidate> order;      ///< the devices that may be taken, in the order of the search
  std::optional<std::string> fault;  ///< a node selector that cannot be read aborts the attempt
};

inline const PoolDevice& entry_of(const NodePools& pools, const Candidate& c) {
  return pools.pools[c.pool].devices[c.entry];
}

NodePools gather_pools(const Fleet& fleet, const Behaviour& behaviour, const NodeIdentity& node,
                       Ordering ordering = {});

/// Whether a slice or device with that reach is for the node; a fault in `fault`.
bool reaches(const NodeReach& reach, const NodeIdentity& node, std::optional<std::string>& fault);

/// Where a counter of that layout stands, kNone where it has none of that name.
std::uint32_t find_counter(const CounterLayout& layout, std::string_view set, std::string_view counter);

}  // namespace etiage::dra
