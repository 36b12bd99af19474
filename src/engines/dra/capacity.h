#pragma once
// Consumable capacity: what a request takes from a device, and whether that is left (KEP-5075).

#include <optional>
#include <string>

#include "engines/dra/in_use.h"

namespace etiage::dra {

using CapacityRequests = std::optional<std::map<QualifiedName, WrittenQuantity, std::less<>>>;

struct CapacityCheck {
  enum class Outcome : std::uint8_t { kFits, kUndefined, kAgainstPolicy, kShort, kFault };
  Outcome outcome = Outcome::kFits;
  QualifiedName name;     ///< the capacity that decides
  Quantity needed, left;  ///< of a short one
  std::string fault;      ///< aborts the whole attempt (1.37)

  bool fits() const { return outcome == Outcome::kFits; }
};

/// `used`: by claims already; `being_taken`: earlier in the same attempt. Either may be null.
CapacityCheck check_capacity(const Behaviour& behaviour, const CapacityRequests& requests,
                             const Device& device, const CapacityMap* used, const CapacityMap* being_taken);

/// What a share takes of each capacity of the device; only after a check that fits.
CapacityMap consumed_capacity(const Behaviour& behaviour, const CapacityRequests& requests,
                              const Device& device);

}  // namespace etiage::dra
