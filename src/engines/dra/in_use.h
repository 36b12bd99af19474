#pragma once
// Which devices the claims of the cluster hold already.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/behaviour.h"
#include "engines/dra/counter_layout.h"
#include "engines/dra/fleet.h"

namespace etiage::dra {

using CapacityMap = std::map<QualifiedName, Quantity, std::less<>>;

/// Holdings by device identity. Admin access holds nothing; devices that no slice knows are left out. Belongs
/// to one thread: it keeps count of shared counters as it is asked.
class InUse {
 public:
  InUse(const Fleet& fleet, const Behaviour& behaviour);

  /// `claim` is `namespace/name`, for explanations.
  void add(const Allocation& allocation, const std::string& claim);
  void remove(const Allocation& allocation, const std::string& claim);

  /// As if that claim held nothing.
  InUse without(const std::string& claim) const;

  /// Held alone.
  bool is_dedicated(std::uint32_t identity) const { return dedicated_[identity] > 0; }
  bool has_shares(std::uint32_t identity) const { return shares_[identity] > 0; }
  /// What shares of it consume together; null where none tells.
  const CapacityMap* consumed(std::uint32_t identity) const;
  /// What its holders leave of the counters, which must stay where they are.
  const CountersLeft& left_of(const CounterLayout& layout) const;
  /// The claims that hold it, in the order in which they came.
  const std::vector<std::string>& holders(std::uint32_t identity) const;

 private:
  void change(const Allocation& allocation, const std::string& claim, bool add);
  void change_capacity(std::uint32_t identity, const AllocatedDevice& device, bool add);

  /// Counters of one layout, as of some place in the journal.
  struct Count {
    CountersLeft counters;
    std::vector<bool> held;  ///< by holder
    std::size_t read = 0;    ///< of the journal
  };
  bool consumes_counters(std::uint32_t identity) const;
  void recount(Count& count, const CounterLayout& layout, std::size_t holder) const;

  const Fleet* fleet_;
  bool shares_exist_, shares_consume_counters_;
  std::vector<std::uint16_t> dedicated_, shares_;
  struct Consumption {
    CapacityMap amounts;
    int shares = 0;
  };
  std::unordered_map<std::uint32_t, Consumption> consumed_;
  std::unordered_map<std::uint32_t, std::vector<std::string>> holders_;
  std::multimap<std::string, Allocation> allocations_;  ///< by claim
  std::vector<std::uint32_t> journal_;                  ///< identities, each time their holding changed
  mutable std::unordered_map<const CounterLayout*, Count> counts_;
};

}  // namespace etiage::dra
