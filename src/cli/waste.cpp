#include "app/waste.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"

namespace etiage::cli {
namespace {

int waste(const Arguments& arguments, Streams& io) {
  const auto options = reading_of(arguments, io);
  if (!options) return fail(options.error(), io), kUsage;
  const std::string kinds = arguments.get("kind");
  if (const auto known = app::check_waste_kinds(kinds); !known) return fail(known.error(), io), kUsage;
  const auto report = app::waste(*options, kinds);
  if (!report) return fail(report.error(), io);
  return print({[&] { return render::waste_json(*report); }, [&] { return render::waste_tables(*report); }},
               arguments, io);
}

std::vector<Option> options() {
  std::vector<Option> out = reading_options();
  out.push_back({"kind", "KIND,...", "only findings of these kinds: idle-held, unallocated-node, ..."});
  return out;
}

}  // namespace

Command waste_command() {
  return {.name = "waste",
          .summary = "Where the money leaks: who, how much a week, since when, and the fix",
          .positional = "[PATH...]",
          .options = options(),
          .details =
              "Each micro-unit of the bill is in at most one finding. Nothing is found without evidence of a "
              "GPU or of tokens: unknown is not waste. docs/waste.md has the rules.\n"
              "  $ etiage waste examples/cluster\n"
              "  $ etiage waste examples/cluster --kind zombie-pod,idle-held -o json",
          .run = waste};
}

}  // namespace etiage::cli
