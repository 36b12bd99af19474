#include "app/queue_admit.h"

#include <charconv>
#include <ostream>

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

constexpr int kCycles = 60;
constexpr int kMostCycles = 1'000'000;

/// `A=true,B=false`, as Kueue's own flag takes it.
Result<std::map<std::string, bool, std::less<>>> read_gates(const std::vector<std::string>& texts) {
  std::map<std::string, bool, std::less<>> out;
  for (std::string_view rest : texts) {
    while (!rest.empty()) {
      const std::string_view item = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const std::size_t equals = item.find('=');
      const std::string_view value = equals == std::string_view::npos ? "" : item.substr(equals + 1);
      if (value != "true" && value != "false")
        return failure("--feature-gates: '" + std::string(item) + "' is not NAME=true or NAME=false");
      out.insert_or_assign(std::string(item.substr(0, equals)), value == "true");
    }
  }
  return out;
}

int wrong_usage(Streams& io, const std::string& why) {
  io.err << "etiage queue admit: " << why << '\n';
  return kUsage;
}

int queue_admit(const Arguments& arguments, Streams& io) {
  app::QueueAdmitQuestion question{.paths = arguments.positional(),
                                   .kueue_version = arguments.get("kueue-version", "0.19"),
                                   .configuration = arguments.get("configuration"),
                                   .cycles = kCycles};
  auto gates = read_gates(arguments.all("feature-gates"));
  if (!gates) return wrong_usage(io, gates.error().message);
  question.feature_gates = std::move(*gates);
  if (arguments.has("cycles")) {
    const std::string text = arguments.get("cycles");
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), question.cycles);
    if (error != std::errc{} || end != text.data() + text.size() || question.cycles < 0 ||
        question.cycles > kMostCycles)
      return wrong_usage(io, "--cycles: '" + text + "' is not a number from 0 to 1000000");
  }
  if (arguments.has("now")) {
    question.now = parse_instant(arguments.get("now"));
    if (!question.now)
      return wrong_usage(io, "--now: '" + arguments.get("now") + "' is not a time as 2026-01-01T12:00:00Z");
  }
  const auto answer = app::queue_admit(question);
  if (!answer) return fail(answer.error(), io);
  print(answer->diagnostics, io);
  return print({[&] { return app::to_json(answer->run); }, [&] { return app::to_tables(answer->run); }},
               arguments, io);
}

}  // namespace

Command queue_admit_command() {
  return {
      .name = "queue admit",
      .summary = "Say which workloads Kueue admits, preempts and keeps waiting, and why",
      .positional = "FILE...",
      .options = {{"kueue-version",
                   "VERSION",
                   "the release whose behaviour is wanted (0.19)",
                   false,
                   {"0.16", "0.17", "0.18", "0.19", "0.20"}},
                  {"configuration", "FILE",
                   "Kueue's Configuration: fair sharing, waitForPodsReady, resources, gates"},
                  {"feature-gates", "GATES", "as NAME=true,NAME=false", true},
                  {"cycles", "N", "stop after N cycles (60); it stops before when nothing moves any more"},
                  {"now", "TIME",
                   "the time of the first cycle, as 2026-01-01T12:00:00Z (the latest in the files)"},
                  output_option()},
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
