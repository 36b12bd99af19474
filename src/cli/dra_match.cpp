// `etiage dra match`: which devices a selector takes, and what it costs.

#include "app/dra_match.h"

#include <charconv>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int misused(Streams& io, const std::string& why) {
  io.err << "etiage dra match: " << why << '\n';
  return kUsage;
}

Result<KubernetesVersion> release(std::string text) {
  if (text.empty()) return KubernetesVersion{};
  if (text.starts_with('v')) text.erase(0, 1);
  int minor = 0;
  const char* end = text.data() + text.size();
  const bool known = text.starts_with("1.") &&
                     std::from_chars(text.data() + 2, end, minor).ec == std::errc{} && minor >= 34 &&
                     minor <= 37;
  if (!known) return failure("Kubernetes " + text + " is not known here", {}, "1.34, 1.35, 1.36 or 1.37");
  return KubernetesVersion{minor};
}

/// `A=true,B=false`: only the two gates that selectors depend on matter.
void apply_gates(const std::string& gates, cel::Environment& environment) {
  const auto set = [&](std::string_view gate, bool& flag) {
    if (gates.find(std::string(gate) + "=true") != std::string::npos) flag = true;
    if (gates.find(std::string(gate) + "=false") != std::string::npos) flag = false;
  };
  set("DRAConsumableCapacity", environment.consumable_capacity);
  set("DRAListTypeAttributes", environment.list_type_attributes);
}

int match(const Arguments& arguments, Streams& io) {
  if (arguments.has("expr") == arguments.has("expr-file"))
    return misused(io, "give --expr E or --expr-file F");
  if (arguments.positional().empty()) return misused(io, "give files that hold ResourceSlices");
  std::string expression = arguments.get("expr");
  if (arguments.has("expr-file")) {
    auto read = app::read_expression(arguments.get("expr-file"));
    if (!read) return fail(read.error(), io);
    expression = std::move(*read);
  }
  const auto version = release(arguments.get("kubernetes-version"));
  if (!version) return fail(version.error(), io);
  cel::Environment environment = cel::default_environment(*version, !arguments.has("new"));
  apply_gates(arguments.get("feature-gates"), environment);

  const app::MatchAnswer answer = app::match_devices(expression, environment, arguments.positional());
  print(answer.diagnostics, io);
  if (!answer.read_any) return fail({"none of the files could be read"}, io);
  const bool json = arguments.get("output", "table") == "json";
  if (!answer.selector.ok() && !json) return fail({*answer.selector.compile_error}, io);
  print({[&] { return app::to_json(answer); }, [&] { return app::to_tables(answer); }}, arguments, io);
  return answer.selector.ok() ? kDone : kFailed;
}

}  // namespace

Command dra_match_command() {
  return {.name = "dra match",
          .summary = "Try a CEL selector on devices: result, error and cost, as Kubernetes has them",
          .positional = "FILE...",
          .options = {output_option(),
                      {"expr", "E", "the expression"},
                      {"expr-file", "F", "a file that holds it"},
                      {"kubernetes-version", "VERSION",
                       "decide as this release: 1.34, 1.35, 1.36 or 1.37 (the default)"},
                      {"feature-gates", "A=true,...", "DRAConsumableCapacity, DRAListTypeAttributes"},
                      {"new", "", "compile as the API server does for an object that is being written"}},
          .details = "Each clause of the outermost && is counted by itself too.",
          .run = match};
}

}  // namespace etiage::cli
