#include "app/doctor.h"

#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/reading.h"
#include "render/doctor.h"

namespace etiage::cli {
namespace {

int doctor(const Arguments& arguments, Streams& io) {
  const std::string promql = arguments.get("promql");
  const auto options = reading_of(arguments, io, promql.empty());
  if (!options) return fail(options.error(), io), kUsage;
  const auto report = app::doctor(*options, promql);
  if (!report) return fail(report.error(), io);
  const auto grade = report->judged ? std::optional(report->grade) : std::nullopt;
  return print({[&] { return render::doctor_json(grade, report->checks); },
                [&] { return render::doctor_tables(grade, report->checks); }},
               arguments, io);
}

std::vector<Option> options() {
  std::vector<Option> out = reading_options();
  out.push_back({"promql", "EXPR", "judge this expression; no PATH is needed then"});
  return out;
}

}  // namespace

Command doctor_command() {
  return {.name = "doctor",
          .summary = "What the evidence cannot carry, and how to mend it",
          .positional = "[PATH...]",
          .options = options(),
          .details =
              "Each check says what is missing or contradictory, what that does to the figures, and a ready "
              "fix. PromQL of PrometheusRules, rule files and Grafana dashboards among the files is judged "
              "too. docs/doctor.md lists the checks.\n"
              "  $ etiage doctor examples/cluster\n"
              "  $ etiage doctor rules.yaml dashboard.json\n"
              "  $ etiage doctor --promql 'avg by (exported_pod) (DCGM_FI_PROF_SM_ACTIVE)'",
          .run = doctor};
}

}  // namespace etiage::cli
