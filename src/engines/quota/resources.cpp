#include "engines/quota/resources.h"

namespace etiage::quota {

namespace {

/// Byte-valued resources are written in powers of two where that loses nothing.
bool counted_in_bytes(std::string_view resource) {
  return resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-");
}

}  // namespace

Amount amount_of(std::string_view resource, const Quantity& quantity) {
  return resource == "cpu" ? quantity.milli_value() : quantity.value();
}

Quantity quantity_of(std::string_view resource, Amount amount) {
  if (resource == "cpu") return Quantity::milli(amount);
  if (!counted_in_bytes(resource)) return Quantity::units(amount);
  // Kueue reads its own text back: 1000 bytes, not a power of two, become `1k`.
  const Quantity bytes = Quantity::units(amount, Quantity::Format::kBinarySI);
  return Quantity::parse(bytes.canonical()).value_or(bytes);
}

std::string to_text(std::string_view resource, Amount amount) {
  return amount == kUnlimited ? "<unlimited>" : quantity_of(resource, amount).canonical();
}

}  // namespace etiage::quota
