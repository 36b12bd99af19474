#pragma once
// How much an evaluation may cost at most, before it is known on what: cel-go's estimate with Kubernetes's
// own rules.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/cel/checker.h"

namespace etiage::cel {

/// Between two bounds, both in; arithmetic saturates at the largest uint64.
struct Range {
  std::uint64_t min = 0, max = 0;

  bool operator==(const Range&) const = default;
  Range operator+(Range o) const;
  Range operator*(Range o) const;
  /// Times a factor, rounded up.
  Range scaled(double factor) const;
  Range united(Range o) const;
};
inline constexpr Range fixed(std::uint64_t n) {
  return {n, n};
}
inline constexpr Range kUnknownSize{0, UINT64_MAX};

/// The way from a variable to a part of it, as `device`, `attributes`, `@values`, `index`. Shares its cells
/// and grows like a Go slice: of two paths made from one, the later may overwrite the end of the earlier, as
/// happens in cel-go.
class Path {
 public:
  Path() = default;
  static Path root(std::string name);

  Path with(std::string step) const;
  bool empty() const { return length_ == 0; }
  std::size_t size() const { return length_; }
  const std::string& operator[](std::size_t i) const { return (*cells_)[i]; }

 private:
  std::shared_ptr<std::vector<std::string>> cells_;
  std::size_t length_ = 0;
};

/// A part of the expression as size rules see it.
struct CostNode {
  const Expr* expr = nullptr;  ///< null: the items of a list
  Path path;
  TypePtr type;
  std::optional<Range> size;  ///< where it follows from the expression
};

struct CallEstimate {
  Range cost;
  std::optional<Range> result_size;
};

struct CostRules {
  /// The size of what a path leads to; nothing: unknown.
  std::function<std::optional<Range>(const Path&)> size_at;
  bool global_matches = true;          ///< `matches(s, re)` costs as `s.matches(re)` does; since cel-go 0.29
  std::optional<Range> includes_cost;  ///< of `includes`, where it is not that of its list
};

/// The upper bound of the cost.
std::uint64_t estimate_max_cost(const Ast& ast, const Checked& checked, const CostRules& rules);

/// The rules of single functions: extensions and Kubernetes. Nothing: the standard ones hold.
std::optional<CallEstimate> estimate_call(const std::string& function, const std::string& overload,
                                          const CostNode* target, const std::vector<CostNode>& args,
                                          const CostRules& rules);

}  // namespace etiage::cel
