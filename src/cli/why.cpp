#include "app/cost.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"

namespace etiage::cli {
namespace {

int explain(const Arguments& arguments, Streams& io) {
  auto options = reading_of(arguments, io);
  if (!options) return fail(options.error(), io), kUsage;
  if (options->paths.size() < 2)
    return fail({"why what?", {}, "etiage why pod/NAMESPACE/NAME FILES"}, io), kUsage;
  const std::string subject = options->paths.front();
  options->paths.erase(options->paths.begin());
  const auto reading = app::read_cluster(*options);
  if (!reading) return fail(reading.error(), io);
  print(reading->diagnostics, io);
  const auto answer = app::why(*reading, subject);
  if (!answer) return fail(answer.error(), io);
  const bool by_piece = arguments.get("output") == "csv";
  return print(
      {[&] { return render::why_json(*answer); },
       [&] { return by_piece ? std::vector{render::why_pieces(*answer)} : render::why_tables(*answer); }},
      arguments, io);
}

}  // namespace

Command why_command() {
  return {
      .name = "why",
      .summary = "Where a figure comes from, down to the series",
      .positional = "KIND/NAME [PATH...]",
      .options = reading_options(),
      .details =
          "Kinds: pod, node, namespace, team, tenant, model, device, workload, and any workload's own kind.\n"
          "  $ etiage why pod/research/qwen3-235b-0 examples/cluster\n"
          "  $ etiage why node/h100-01 examples/cluster -o json",
      .run = explain};
}

}  // namespace etiage::cli
