#pragma once
// `string.format`: the clauses of a format string, formatted at run time or checked against types when
// compiling.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engines/cel/value.h"

namespace etiage::cel {

/// One `%` clause: its letter (s d f e b x X o) and precision.
struct FormatClause {
  char letter = 's';
  std::optional<int> precision;
};

/// Walks `format`; `clause` gives the text of the n-th argument. Stops at the first fault.
Result<std::string> walk_format(
    std::string_view format, std::size_t arguments, bool checking,
    const std::function<Result<std::string>(const FormatClause&, std::size_t)>& clause);

/// The text of one argument.
Result<std::string> format_argument(const FormatClause& clause, const Value& v);

/// `... can only be used on ..., was given TYPE`.
std::string format_refusal(char letter, std::string_view type);

Value format_text(const Value& format, const Value& arguments);

}  // namespace etiage::cel
