#include "app/lint.h"

#include <algorithm>

#include "app/lint_gangs.h"
#include "app/objects.h"
#include "app/queue_objects.h"
#include "app/volcano_configuration.h"
#include "base/json_writer.h"
#include "explain/lint/lint.h"
#include "formats/kube/scheduling.h"

namespace etiage::app {
namespace {

/// What decides where pods go. A configuration that is refused is a remark too.
void read_what_schedules(const std::vector<std::string>& paths, explain::LintInput& into, Diagnostics& out) {
  Diagnostics known;  // said by those that read the files before
  formats::SchedulingObjects objects;
  const auto located = read_objects(paths, known);
  read_gangs(located, into);
  for (const LocatedObject& o : located) {
    const std::string &kind = o.tree["kind"].text(), &version = o.tree["apiVersion"].text();
    if (kind == "KubeSchedulerConfiguration") {
      auto read = formats::read_scheduler_configuration(o.tree, o.file);
      if (read)
        into.scheduler_configurations.emplace_back(std::move(*read), Place{o.file, o.tree.line, 0, {}});
      else
        out.push_back(as_diagnostic(read.error(), "scheduler-configuration"));
    } else if (kind == "Queue" && version.starts_with("scheduling.volcano.sh/")) {
      into.volcano_queues.push_back({o.tree, o.file});
    } else if (kind == "Queue" && version.starts_with("scheduling.run.ai/")) {
      into.kai_queues.push_back({o.tree, o.file});
    } else if (auto volcano = volcano_configuration(o, out)) {
      into.volcano_configurations.push_back({std::move(*volcano), o.file});
    } else if (kind == "PriorityClass") {
      formats::read_scheduling_object(o.tree, o.file, objects, known);
    }
  }
  into.priority_classes = std::move(objects.priority_classes);
}

}  // namespace

Diagnostics lint_files(const std::vector<std::string>& paths, const std::string& kubernetes_version,
                       const std::string& feature_gates, Diagnostics& fatal) {
  DraInput input = read_dra_objects(paths);
  Diagnostics out = std::move(input.diagnostics);
  const auto behaviour = read_behaviour(kubernetes_version, feature_gates, out);
  if (!behaviour) {
    fatal.push_back(as_diagnostic(behaviour.error(), "usage"));
    return out;
  }
  // What is damaged was named above; what Kueue's objects alone have is added.
  ReadQueueObjects queues = read_queue_objects(paths);
  for (Diagnostic& d : queues.diagnostics)
    if (d.code == "bad-field" && std::find(out.begin(), out.end(), d) == out.end())
      out.push_back(std::move(d));
  explain::LintInput lint_input{std::move(input.objects), *behaviour, std::move(input.most_allocated),
                                std::move(queues.objects)};
  read_what_schedules(paths, lint_input, out);
  for (Diagnostic& d : explain::lint(lint_input)) out.push_back(std::move(d));
  return out;
}

std::string to_json(const Diagnostics& diagnostics) {
  JsonWriter out;
  out.begin_object();
  out.key("diagnostics").begin_array();
  for (const Diagnostic& d : diagnostics) {
    out.begin_object();
    out.member("severity", to_string(d.severity))
        .member("code", d.code)
        .member("file", d.place.file)
        .member("line", d.place.line);
    out.member("path", d.place.path).member("message", d.message).member("hint", d.hint);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.take() + "\n";
}

render::Table to_table(const Diagnostics& diagnostics) {
  render::Table table{"",
                      {{"severity"},
                       {"where"},
                       {"code"},
                       {"message"},
                       {"hint", "", "", render::Align::kLeft, render::Show::kIfRoom}}};
  for (const Diagnostic& d : diagnostics) {
    const auto tone = d.severity == Severity::kError     ? render::Tone::kBad
                      : d.severity == Severity::kWarning ? render::Tone::kWarning
                                                         : render::Tone::kDim;
    const std::string where = d.place.file + (d.place.line > 0 ? ":" + std::to_string(d.place.line) : "");
    table.rows.push_back({{render::text(to_string(d.severity), tone), render::text(where),
                           render::text(d.code), render::text(d.message), render::text(d.hint)}});
  }
  if (diagnostics.empty()) table.notes.push_back("Nothing to remark.");
  return table;
}

}  // namespace etiage::app
