#pragma once
// What validation collects instead of stopping at the first fault.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace etiage {

enum class Severity { kInfo, kWarning, kError };

std::string_view to_string(Severity severity);

/// One remark about an input. `code` is stable and greppable, as in `kueue-cohort-cycle`.
struct Diagnostic {
  Severity severity = Severity::kError;
  std::string code;
  Place place;
  std::string message;
  std::string hint;

  bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// One line for a person: `where: severity: message [code] (hint)`.
std::string to_string(const Diagnostic& diagnostic);

/// The diagnostic that an error amounts to.
Diagnostic as_diagnostic(const Error& error, std::string code, Severity severity = Severity::kError);

}  // namespace etiage
