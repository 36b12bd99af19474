#pragma once
// Semantic versions as blang/semver reads and orders them, with its words for what is wrong.

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace etiage::cel {

struct Semver {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::vector<std::variant<std::uint64_t, std::string>> prerelease;  ///< numbers order before words
  std::vector<std::string> build;                                    ///< has no part in the order

  static Result<Semver> parse(std::string_view text);
  /// Accepts `v1`, `1.2` and leading zeros too.
  static Result<Semver> parse_normalized(std::string_view text);

  std::strong_ordering order(const Semver& o) const;
};

std::string to_string(const Semver& v);

}  // namespace etiage::cel
