#include "app/cost.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"

namespace etiage::cli {
namespace {

int cost(const Arguments& arguments, Streams& io) {
  const auto options = reading_of(arguments, io);
  if (!options) return fail(options.error(), io), kUsage;
  if (const auto keys = app::check_keys(arguments.get("by", "namespace"), arguments.get("compare")); !keys)
    return fail(keys.error(), io), kUsage;
  const auto answer = app::cost_by(*options, arguments.get("by", "namespace"), arguments.get("compare"));
  if (!answer) return fail(answer.error(), io);
  print(answer->diagnostics, io);
  return print({[&] { return render::cost_json(*answer); }, [&] { return render::cost_tables(*answer); }},
               arguments, io);
}

}  // namespace

Command cost_command() {
  auto options = reading_options();
  options.push_back({"by", "KEY,...",
                     "model, team, namespace, workload, kind, pod, node, card, cluster, tenant, label:KEY, "
                     "hour, day (namespace)"});
  options.push_back({"compare", "A/B", "set another window beside it"});
  return {
      .name = "cost",
      .summary = "The bill by model, team, namespace, workload, node, label, day",
      .positional = "[PATH...]",
      .options = std::move(options),
      .details =
          "Rows sum to the bill; what nobody held is a row of its own. By tenant they sum to what the models "
          "cost: gateways' logs among the inputs say who asked.\n"
          "  $ etiage cost examples/cluster --by team,model\n"
          "  $ etiage cost dump/ --by day -o csv\n"
          "  $ etiage cost dump/ spend-logs.jsonl --by tenant,model",
      .run = cost};
}

}  // namespace etiage::cli
