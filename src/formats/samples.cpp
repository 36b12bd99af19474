#include "formats/samples.h"

#include <algorithm>

namespace etiage::formats {

Downsampled downsampled_by_name(std::string_view metric) {
  for (const std::string_view ending : {"_total", "_sum", "_count", "_bucket"})
    if (metric.ends_with(ending)) return Downsampled::kCounter;
  return Downsampled::kAverage;
}

std::string_view label_value(Labels labels, std::string_view name) {
  const auto at = std::ranges::lower_bound(labels, name, {}, &Label::name);
  return at != labels.end() && at->name == name ? at->value : std::string_view{};
}

}  // namespace etiage::formats
