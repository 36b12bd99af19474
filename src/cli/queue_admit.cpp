#include "app/queue_admit.h"

#include <charconv>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/queueing.h"

namespace etiage::cli {
namespace {

constexpr int kCycles = 60;
constexpr int kMostCycles = 1'000'000;

int wrong_usage(Streams& io, const std::string& why) {
  io.err << "etiage queue admit: " << why << '\n';
  return kUsage;
}

int queue_admit(const Arguments& arguments, Streams& io) {
  const auto question = queue_question(arguments, arguments.positional());
  if (!question) return wrong_usage(io, question.error().message);
  int cycles = kCycles;
  if (arguments.has("cycles")) {
    const std::string text = arguments.get("cycles");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cycles);
    if (error != std::errc{} || end != text.data() + text.size() || cycles < 0 || cycles > kMostCycles)
      return wrong_usage(io, "--cycles: '" + text + "' is not a number from 0 to 1000000");
  }
  const auto answer = app::queue_admit(*question, cycles);
  if (!answer) return fail(answer.error(), io);
  print(answer->diagnostics, io);
  return print({[&] { return app::to_json(answer->run); }, [&] { return app::to_tables(answer->run); }},
               arguments, io);
}

}  // namespace

Command queue_admit_command() {
  std::vector<Option> options = queueing_options();
  options.push_back({"cycles", "N", "stop after N cycles (60); it stops before when nothing moves any more"});
  options.push_back(output_option());
  return {
      .name = "queue admit",
      .summary = "Say which workloads Kueue admits, preempts and keeps waiting, and why",
      .positional = "FILE...",
      .options = std::move(options),
      .details =
          "Reads ResourceFlavors, ClusterQueues, Cohorts, LocalQueues, Topologies, AdmissionChecks, priority "
          "classes, "
          "Workloads, and the Nodes and Pods beside them; runs Kueue's scheduler on them cycle by cycle, and "
          "tells what "
          "each cycle decided, in Kueue's own words. A workload that is preempted gives its quota back at "
          "once.\n"
          "  $ etiage queue admit cluster/\n"
          "  $ kubectl get clusterqueues,localqueues,resourceflavors,workloads -A -o yaml | etiage queue "
          "admit - -o json",
      .run = queue_admit};
}

}  // namespace etiage::cli
