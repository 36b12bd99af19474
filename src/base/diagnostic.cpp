#include "base/diagnostic.h"

#include <fmt/format.h>

namespace etiage {

std::string to_string(const Place& place) {
  std::string out = place.file;
  if (place.line > 0) out += fmt::format("{}{}", out.empty() ? "line " : ":", place.line);
  if (place.line > 0 && place.column > 0) out += fmt::format(":{}", place.column);
  if (!place.path.empty()) out += (out.empty() ? "" : ": ") + place.path;
  return out;
}

namespace {
std::string with_hint(std::string text, const std::string& hint) {
  return hint.empty() ? text : fmt::format("{} ({})", text, hint);
}
}  // namespace

std::string to_string(const Error& error) {
  const std::string where = to_string(error.place);
  return with_hint(where.empty() ? error.message : fmt::format("{}: {}", where, error.message), error.hint);
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "error";
}

std::string to_string(const Diagnostic& diagnostic) {
  const std::string where = to_string(diagnostic.place);
  return with_hint(fmt::format("{}{}{}: {} [{}]", where, where.empty() ? "" : ": ",
                               to_string(diagnostic.severity), diagnostic.message, diagnostic.code),
                   diagnostic.hint);
}

Diagnostic as_diagnostic(const Error& error, std::string code, Severity severity) {
  return {severity, std::move(code), error.place, error.message, error.hint};
}

}  // namespace etiage
