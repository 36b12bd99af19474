#include "app/why_pod.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/scheduling.h"

namespace etiage::cli {
namespace {

int why_pod(const Arguments& arguments, Streams& io) {
  app::WhyPodQuestion question{.pod = arguments.positional().front(),
                               .paths = {arguments.positional().begin() + 1, arguments.positional().end()},
                               .configuration = arguments.get("config"),
                               .kubernetes_version = arguments.get("kubernetes-version"),
                               .feature_gates = arguments.get("feature-gates")};
  Diagnostics diagnostics;
  const auto answer = app::why_pod(question, diagnostics);
  print(diagnostics, io);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::tables(*answer); }}, arguments, io);
}

}  // namespace

Command why_pod_command() {
  std::vector<Option> options{output_option()};
  for (Option& option : scheduling_options()) options.push_back(std::move(option));
  return {.name = "why pod",
          .summary = "Why a pod waits for a node, and what would let it in",
          .positional = "NAMESPACE/NAME FILE...",
          .options = options,
          .details =
              "Tries the pod on the cluster as the files show it: the message is that of the event\n"
              "FailedScheduling, and every change named has been tried.\n"
              "  $ etiage why pod training/eval-7 cluster/",
          .run = why_pod};
}

}  // namespace etiage::cli
