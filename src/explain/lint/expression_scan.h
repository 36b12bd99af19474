#pragma once
// What a selector's text speaks of, by its words alone: enough to warn, not to decide.

#include <string>
#include <string_view>
#include <vector>

namespace etiage::explain {

/// `device.attributes["gpu.nvidia.com"].productName` or `device.capacity[...]...`.
struct FieldUse {
  bool is_capacity = false;
  std::string domain, name;
  bool guarded = false;  ///< inside `has(...)`, or with optional syntax

  bool operator==(const FieldUse&) const = default;
};

/// A field beside `==`, `<`, ... and a literal.
struct LiteralComparison {
  enum class Literal { kText, kNumber, kBool };
  FieldUse field;
  std::string op, text;  ///< of a text without its quotes
  bool field_first = true;
  Literal literal = Literal::kText;
};

/// `quantity("40Gi")`, compared with the capacity before it.
struct QuantityUse {
  std::string text;
  FieldUse field;           ///< without a name where there was none
  bool is_minimum = false;  ///< `>=` or `isGreaterThan`
};

/// `field.matches("...")`.
struct RegexUse {
  std::string pattern;
  FieldUse field;
};

struct ExpressionScan {
  std::vector<FieldUse> fields;
  std::vector<LiteralComparison> comparisons;
  std::vector<QuantityUse> quantities;
  std::vector<RegexUse> regexes;

  bool guards(const FieldUse& field) const;
};

ExpressionScan scan_expression(std::string_view expression);

}  // namespace etiage::explain
