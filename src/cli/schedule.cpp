#include "app/schedule.h"

#include "cli/answer.h"
#include "cli/commands.h"

namespace etiage::cli {
namespace {

int schedule(const Arguments& arguments, Streams& io) {
  app::ScheduleQuestion question{.paths = arguments.positional(), .configuration = arguments.get("config")};
  if (arguments.get("order") == "queue") question.order = placement::ScheduleOrder::kQueue;
  const std::string form = arguments.get("output", "table");
  const bool scored = !arguments.has("brief") && (form == "json" || form == "yaml");
  question.detail = scored ? placement::Detail::kEverything : placement::Detail::kNode;
  Diagnostics diagnostics;
  if (arguments.has("feature-gates"))
    diagnostics.push_back({Severity::kWarning,
                           "gates-not-read",
                           {},
                           "--feature-gates are not read yet: decided with the defaults of 1.37",
                           ""});
  const auto answer = app::schedule(question, diagnostics);
  print(diagnostics, io);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::tables(*answer); }}, arguments, io);
}

}  // namespace

Command schedule_command() {
  return {
      .name = "schedule",
      .summary = "Foresee where kube-scheduler puts the pending pods",
      .positional = "FILE...",
      .options = {output_option(),
                  {"config", "FILE", "a KubeSchedulerConfiguration; without it the default profile"},
                  {"kubernetes-version", "VERSION", "decide as this release", false, {"1.37", "v1.37.2"}},
                  {"feature-gates", "LIST",
                   "gates that differ from the release's defaults, as A=true,B=false"},
                  {"order",
                   "ORDER",
                   "try the pods in the order of the input, or of the queue",
                   false,
                   {"input", "queue"}}},
      .details =
          "Reads nodes, pods, namespaces, services, priority classes and disruption budgets. Pods without a\n"
          "node are tried one after the other, each seeing what the earlier ones did. Of equally good nodes\n"
          "kube-scheduler takes any; here the first by name is taken, and -o json names them all.\n"
          "  $ etiage schedule cluster/ --config scheduler.yaml\n",
      .run = schedule};
}

}  // namespace etiage::cli
