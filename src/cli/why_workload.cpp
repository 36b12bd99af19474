#include "app/why_workload.h"

#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/queueing.h"

namespace etiage::cli {
namespace {

int why_workload(const Arguments& arguments, Streams& io) {
  const auto& words = arguments.positional();
  const auto question = queue_question(arguments, {words.begin() + 1, words.end()});
  if (!question) {
    io.err << "etiage why workload: " << question.error().message << '\n';
    return kUsage;
  }
  Diagnostics diagnostics;
  const auto answer = app::why_workload(*question, words.front(), diagnostics);
  print(diagnostics, io);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::to_tables(*answer); }}, arguments,
               io);
}

}  // namespace

Command why_workload_command() {
  std::vector<Option> options = queueing_options();
  options.push_back(output_option());
  return {
      .name = "why workload",
      .summary = "Why a workload waits in Kueue: behind whom, since when, and what would admit it",
      .positional = "[NAMESPACE/]NAME FILE...",
      .options = std::move(options),
      .details =
          "Runs Kueue's scheduler on the objects until nothing moves. The reason is in Kueue's own words,\n"
          "and every change named has been tried and admits the workload by itself.\n"
          "  $ etiage why workload research/train-7 cluster/",
      .run = why_workload};
}

}  // namespace etiage::cli
