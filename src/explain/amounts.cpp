#include "explain/amounts.h"

#include <fmt/format.h>

namespace etiage::explain {

Quantity amount_of(placement::ResourceIndex resource, std::int64_t counted) {
  if (resource == placement::kCpu) return Quantity::milli(counted);
  const bool bytes = resource == placement::kMemory || resource == placement::kEphemeralStorage;
  return Quantity::units(counted, bytes ? Quantity::Format::kBinarySI : Quantity::Format::kDecimalSI);
}

std::string amount_text(placement::ResourceIndex resource, std::int64_t counted, const std::string& name) {
  const bool bytes = resource == placement::kMemory || resource == placement::kEphemeralStorage;
  const std::string amount = amount_of(resource, counted).canonical();
  if (name.empty()) return amount;
  return fmt::format("{}{} {}", amount, bytes ? " of" : "", name);
}

}  // namespace etiage::explain
