#pragma once
// Which inputs a report rests on.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace etiage {

/// What one file was taken for, and what of it was not used.
struct Provenance {
  std::string path, kind;
  std::uint64_t rows = 0;                                      ///< samples, objects or prices
  std::vector<std::pair<std::string, std::uint64_t>> dropped;  ///< reason and count

  bool operator==(const Provenance&) const = default;
};

}  // namespace etiage
