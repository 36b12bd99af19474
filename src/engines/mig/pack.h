#pragma once
// MIG: how many cards a set of instances needs, and where on them they lie.
//
// A card's LAYOUT is a set of instances that do not overlap; what counts for packing is only how many of each
// profile it holds, its PATTERN. There are few patterns (a hundred or so on seven slices), so that any number
// of instances is packed by a small integer programme: how many cards of each pattern. The size of the
// programme does not depend on the number of instances.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/mig.h"

namespace etiage::mig {

/// Instances wanted or held, by profile.
using Demand = std::map<std::string, int>;

struct Instance {
  std::string profile;
  int start = 0;  ///< first memory slice

  auto operator<=>(const Instance&) const = default;
};

/// A layout and how many cards have it; instances by start.
struct Layout {
  int count = 0;
  std::vector<Instance> instances;

  bool operator==(const Layout&) const = default;
};

struct Packing {
  int gpus = 0;
  int lower_bound = 0;          ///< no packing has fewer cards; equal to `gpus` where it is proven optimal
  std::vector<Layout> layouts;  ///< most cards first
  Demand stranded;              ///< instances of the smallest profile that would still fit, by profile
  double stranded_share = 0;    ///< of a card, slices that no profile can use any more
};

/// Every maximal pattern of the geometry with one layout of it. Profiles with a suffix (`1g.10gb+me`) count
/// as their own.
std::vector<std::vector<Instance>> layouts(const MigGeometry& geometry);

/// Fewest cards for the demand. Refused: an unknown profile, a negative count, more than ten million
/// instances.
Result<Packing> pack(const MigGeometry& geometry, const Demand& demand);

/// A change of existing cards towards a demand.
struct Change {
  Packing packing;
  int kept = 0, created = 0, removed = 0;
  int moved = 0;              ///< still wanted, and yet removed from one place and created at another
  bool proven_fewest = true;  ///< no change with so few cards moves less; false: time was up
};

/// Fewest cards first, then fewest moves. `most_moves`: never more than so many, whatever that costs in
/// cards; 0 keeps every instance that is still wanted where it is. Refused: existing cards that cannot be.
Result<Change> repack(const MigGeometry& geometry, const std::vector<std::vector<Instance>>& existing,
                      const Demand& demand, std::optional<int> most_moves = {});

}  // namespace etiage::mig
