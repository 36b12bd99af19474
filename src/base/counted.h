#pragma once
// Counts in sentences: `1 node`, `3 nodes`, `1 pod holds a device`, `2 pods hold devices`.

#include <cstddef>
#include <string>
#include <string_view>

namespace etiage {

/// `many` where another `s` does not make the plural.
inline std::string counted(std::size_t n, std::string_view one, std::string_view many = {}) {
  std::string out = std::to_string(n) + ' ';
  if (n == 1 || many.empty()) return out.append(one) + (n == 1 ? "" : "s");
  return out.append(many);
}

}  // namespace etiage
