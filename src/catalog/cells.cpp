#include "catalog/cells.h"

namespace etiage::catalog {

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto cut = text.find(by);
    if (const auto part = text.substr(0, cut); !part.empty()) parts.emplace_back(part);
    text.remove_prefix(cut == std::string_view::npos ? text.size() : cut + 1);
  }
  return parts;
}

}  // namespace etiage::catalog
