#include "formats/samples.h"

#include <algorithm>

namespace etiage::formats {

std::string_view label_value(Labels labels, std::string_view name) {
  const auto at = std::ranges::lower_bound(labels, name, {}, &Label::name);
  return at != labels.end() && at->name == name ? at->value : std::string_view{};
}

}  // namespace etiage::formats
