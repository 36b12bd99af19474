#include "formats/samples.h"

#include <algorithm>
#include <bit>

namespace etiage::formats {

std::string_view label_value(Labels labels, std::string_view name) {
  const auto at = std::ranges::lower_bound(labels, name, {}, &Label::name);
  return at != labels.end() && at->name == name ? at->value : std::string_view{};
}

bool is_stale(double value) {
  return std::bit_cast<std::uint64_t>(value) == kStaleBits;
}

double stale_marker() {
  return std::bit_cast<double>(kStaleBits);
}

}  // namespace etiage::formats
