#include "app/schedule.h"

#include "app/queue_schedule.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/scheduling.h"

namespace etiage::cli {
namespace {

int schedule_in_queues(app::QueueScheduler scheduler, const Arguments& arguments, Streams& io) {
  for (const char* option : {"kubernetes-version", "feature-gates", "nodes", "order"})
    if (arguments.has(option))
      return fail({std::string("--") + option + " is for --scheduler kube alone", {}, ""}, io), kUsage;
  if (scheduler == app::QueueScheduler::kKai && arguments.has("config"))
    return fail({"--config is not read for --scheduler kai",
                 {},
                 "its queues and groups say all that is played"},
                io),
           kUsage;
  Diagnostics diagnostics;
  const auto answer =
      app::schedule_in_queues({arguments.positional(), arguments.get("config"), scheduler}, diagnostics);
  print(diagnostics, io);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::tables(*answer); }}, arguments, io);
}

int schedule(const Arguments& arguments, Streams& io) {
  const std::string scheduler = arguments.get("scheduler", "kube");
  if (scheduler == "volcano") return schedule_in_queues(app::QueueScheduler::kVolcano, arguments, io);
  if (scheduler == "kai") return schedule_in_queues(app::QueueScheduler::kKai, arguments, io);
  app::ScheduleQuestion question{.paths = arguments.positional(), .configuration = arguments.get("config")};
  if (arguments.get("order") == "queue") question.order = placement::ScheduleOrder::kQueue;
  const std::string form = arguments.get("output", "table");
  question.sample = arguments.get("nodes") == "sampled";
  const bool told = form == "json" || form == "yaml" || question.sample;
  question.detail = told ? placement::Detail::kEverything : placement::Detail::kNode;
  question.kubernetes_version = arguments.get("kubernetes-version");
  question.feature_gates = arguments.get("feature-gates");
  Diagnostics diagnostics;
  const auto answer = app::schedule(question, diagnostics);
  print(diagnostics, io);
  if (!answer) return fail(answer.error(), io);
  return print({[&] { return app::to_json(*answer); }, [&] { return app::tables(*answer); }}, arguments, io);
}

}  // namespace

std::vector<Option> scheduling_options() {
  return {{"config", "FILE", "a KubeSchedulerConfiguration; without it the default profile"},
          {"kubernetes-version", "VERSION", "decide as this release", false, {"1.37", "v1.37.2"}},
          {"feature-gates", "LIST", "gates that differ from the release's defaults, as A=true,B=false"}};
}

Command schedule_command() {
  std::vector<Option> options{output_option()};
  for (Option& option : scheduling_options()) options.push_back(std::move(option));
  options.push_back({"scheduler",
                     "NAME",
                     "whose decisions: kube-scheduler's, or a cycle of Volcano or KAI with their queues",
                     false,
                     {"kube", "volcano", "kai"}});
  options.push_back(
      {"nodes",
       "WHICH",
       "score all nodes, or as many as percentageOfNodesToScore says, walking on from pod to pod",
       false,
       {"all", "sampled"}});
  options.push_back({"order",
                     "ORDER",
                     "try the pods in the order of the input, or of the queue",
                     false,
                     {"input", "queue"}});
  return {
      .name = "schedule",
      .summary = "Foresee where kube-scheduler, Volcano or KAI puts the pending pods",
      .positional = "FILE...",
      .options = options,
      .details =
          "Reads nodes, pods, namespaces, services, priority classes, disruption budgets and what claims "
          "need\n"
          "(ResourceSlices, DeviceClasses, ResourceClaims and their templates). Pods without a\n"
          "node are tried one after the other, each seeing what the earlier ones did. Of equally good nodes\n"
          "kube-scheduler takes any; here the first by name is taken, and -o json names them all.\n"
          "With --scheduler volcano or kai the pods of that scheduler are tried in one cycle, by their "
          "queues\n"
          "and PodGroups; --config is Volcano's configuration, where no ConfigMap among the files has it.\n"
          "  $ etiage schedule cluster/ --config scheduler.yaml\n",
      .run = schedule};
}

}  // namespace etiage::cli
