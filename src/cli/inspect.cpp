#include "app/inspect.h"

#include <algorithm>
#include <chrono>
#include <ostream>

#include "app/quantity.h"
#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int refuse(Streams& io, const std::string& why, int status) {
  io.err << "etiage inspect: " << why << '\n';
  return status;
}

int quantity(const Arguments& arguments, Streams& io) {
  const app::QuantityAnswer answer = app::inspect_quantity(arguments.get("quantity"));
  if (arguments.get("output", "json") == "json") {
    io.out << app::to_json(answer);
  } else if (answer.ok) {
    io.out << answer.canonical << '\n';
  }
  return answer.ok ? kDone : refuse(io, answer.error, kFailed);
}

int strict_samples(const Arguments& arguments, Streams& io) {
  const auto& paths = arguments.positional();
  if (paths.size() != 1 || !arguments.has("samples"))
    return refuse(io, "--format reads one text strictly: give one file, and --samples", kUsage);
  const auto format = arguments.get("format") == "text" ? formats::ExpositionFormat::kText
                                                        : formats::ExpositionFormat::kOpenMetrics;
  const auto read = app::write_exposition_samples(paths.front(), format, io.out);
  return read ? kDone : refuse(io, to_string(read.error()), kFailed);
}

std::int64_t now_ms() {
  using std::chrono::milliseconds, std::chrono::system_clock;
  return std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// Done, unless a path is not there.
int status(const Diagnostics& diagnostics) {
  return std::ranges::find(diagnostics, "no-such-file", &Diagnostic::code) == diagnostics.end() ? kDone
                                                                                                : kFailed;
}

int merged_samples(const Arguments& arguments, Streams& io) {
  const Diagnostics diagnostics = app::write_merged_samples(arguments.positional(), now_ms(), io.out);
  print(diagnostics, io);
  return status(diagnostics);
}

int files(const Arguments& arguments, Streams& io) {
  Diagnostics diagnostics;
  const auto found = app::inspect_files(arguments.positional(), now_ms(), diagnostics);
  print(diagnostics, io);
  if (found.empty()) return status(diagnostics);
  print(Answer{[&] { return app::to_json(found); }, [&] { return std::vector{app::to_table(found)}; }},
        arguments, io);
  return status(diagnostics);
}

int inspect(const Arguments& arguments, Streams& io) {
  if (arguments.has("quantity")) return quantity(arguments, io);
  if (arguments.positional().empty())
    return refuse(io, "nothing to look at: give files or folders, or --quantity S", kUsage);
  if (arguments.has("format")) return strict_samples(arguments, io);
  return arguments.has("samples") ? merged_samples(arguments, io) : files(arguments, io);
}

}  // namespace

Command inspect_command() {
  return {.name = "inspect",
          .summary = "Say what files, or a quantity, are taken for",
          .positional = "[PATH...]",
          .options = {output_option(),
                      {"samples", "", "print the samples instead, as JSON Lines"},
                      {"format",
                       "FORMAT",
                       "read one exposition text as strictly as Prometheus",
                       false,
                       {"text", "openmetrics"}},
                      {"quantity", "S", "a Kubernetes quantity, as 500m or 1.5Gi"}},
          .run = inspect};
}

}  // namespace etiage::cli
