// `etiage dra match`: which devices a selector takes, and what it costs.

#include "app/dra_match.h"

#include <ostream>

#include "app/dra_objects.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "engines/dra/behaviour.h"

namespace etiage::cli {
namespace {

int misused(Streams& io, const std::string& why) {
  io.err << "etiage dra match: " << why << '\n';
  return kUsage;
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
  app::DraInput input = app::read_dra_objects(arguments.positional());
  const auto behaviour = app::read_behaviour(arguments.get("kubernetes-version"),
                                             arguments.get("feature-gates"), input.diagnostics);
  if (!behaviour) return fail(behaviour.error(), io);
  print(input.diagnostics, io);
  if (input.files.empty()) return fail({"none of the files could be read"}, io);
  cel::Environment environment = dra::cel_environment(*behaviour);
  environment.stored = !arguments.has("new");
  const app::MatchAnswer answer = app::match_devices(expression, environment, input.objects.dra.slices);
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
