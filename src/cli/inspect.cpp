#include "app/inspect.h"

#include <chrono>
#include <ostream>

#include "app/quantity.h"
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

int merged_samples(const Arguments& arguments, Streams& io) {
  const auto now = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const Diagnostics diagnostics = app::write_merged_samples(arguments.positional(), now.count(), io.out);
  bool failed = false;
  for (const Diagnostic& d : diagnostics) {
    io.err << to_string(d) << '\n';
    failed |= d.code == "no-such-file";
  }
  return failed ? kFailed : kDone;
}

int inspect(const Arguments& arguments, Streams& io) {
  if (arguments.has("quantity")) return quantity(arguments, io);
  if (arguments.positional().empty())
    return refuse(io, "nothing to look at: give files or folders, or --quantity S", kUsage);
  if (arguments.has("format")) return strict_samples(arguments, io);
  if (arguments.has("samples")) return merged_samples(arguments, io);
  return refuse(io, "give --samples", kUsage);
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
