#pragma once
// Small edits of a selector's text, for changes that are tried out. Internal to explain.

#include <optional>
#include <string>
#include <string_view>

namespace etiage::dra {

/// `quantity("40Gi")` behind `device.capacity["gpu.nvidia.com"].memory`, the first of an expression.
struct Threshold {
  std::string capacity;            ///< `memory`
  std::string amount;              ///< `40Gi`
  std::size_t begin = 0, end = 0;  ///< of the amount, without the quotes
};

std::optional<Threshold> find_threshold(std::string_view expression);
std::string with_amount(std::string_view expression, const Threshold& threshold, std::string_view amount);

/// The field that an error "... no such key: NAME" means, as it stands in the expression:
/// `device.attributes["gpu.nvidia.com"].NAME`.
std::optional<std::string> missing_field(std::string_view expression, std::string_view error);

}  // namespace etiage::dra
