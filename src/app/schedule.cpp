#include "app/schedule.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "app/dra_objects.h"
#include "app/pod_groups.h"
#include "base/json_writer.h"
#include "engines/placement/kube/gpu_state.h"
#include "engines/placement/share/measures.h"
#include "explain/pod_placement.h"
#include "formats/kube/dra.h"
#include "formats/kube/meta.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"
#include "formats/kube/scheduling.h"

namespace etiage::app {
namespace {

using placement::NodeIndex;
using placement::PodIndex;
using placement::ScheduleResult;
using placement::Snapshot;

Result<SchedulerConfiguration> read_configuration(const std::string& path) {
  if (path.empty()) return SchedulerConfiguration{};
  const auto document = read_document(path);
  if (!document) return std::unexpected(document.error());
  return formats::read_scheduler_configuration(*document, path);
}

std::string full_name(const Pod& pod) {
  return pod.meta.ns + "/" + pod.meta.name;
}

void write_names(JsonWriter& json, const Snapshot& snapshot, const std::vector<NodeIndex>& nodes) {
  json.begin_array();
  for (const NodeIndex n : nodes) json.value(snapshot.node_name(n));
  json.end_array();
}

void write_filtered(JsonWriter& json, const Snapshot& snapshot, const ScheduleResult& r) {
  json.key("filtered").begin_object();
  for (const NodeIndex n : snapshot.by_name()) {
    const auto it = r.filtered.find(n);
    if (it == r.filtered.end()) continue;
    json.key(snapshot.node_name(n)).begin_object();
    json.member("plugin", it->second.plugin ? std::string(to_string(*it->second.plugin)) : std::string());
    json.member("reason", fmt::format("{}", fmt::join(it->second.reasons, ", ")));
    json.member("unresolvable", it->second.unresolvable).end_object();
  }
  json.end_object();
}

void write_scores(JsonWriter& json, const Snapshot& snapshot, const ScheduleResult& r) {
  json.key("scores").begin_object();
  for (std::size_t i = 0; i < r.feasible.size(); ++i) {
    json.key(snapshot.node_name(r.feasible[i])).begin_object();
    for (const auto& column : r.scores.columns)
      if (column.weighted[i] != 0) json.member(to_string(column.plugin), column.weighted[i]);
    json.member("total", r.scores.total[i]).end_object();
  }
  json.end_object();
}

void write_preemption(JsonWriter& json, const Snapshot& snapshot, const ScheduleResult& r) {
  json.member("nominatedNode", snapshot.node_name(*r.nominated));
  json.key("victims").begin_array();
  for (const PodIndex v : r.victims) json.value(full_name(snapshot.pod(v)));
  json.end_array().key("preemptionCandidates").begin_object();
  for (const auto& c : r.candidates) {
    json.key(snapshot.node_name(c.node)).begin_object().key("victims").begin_array();
    for (const PodIndex v : c.victims) json.value(full_name(snapshot.pod(v)));
    json.end_array().member("pdbViolations", c.budget_violations).end_object();
  }
  json.end_object();
}

void write_pod(JsonWriter& json, const Snapshot& snapshot, const ScheduleResult& r) {
  const Pod& pod = snapshot.pod(r.pod);
  json.begin_object().member("namespace", pod.meta.ns).member("name", pod.meta.name);
  json.member("outcome", to_string(r.outcome));
  if (r.bound_to != placement::kNoNode) json.member("boundTo", snapshot.node_name(r.bound_to));
  if (!r.best.empty()) write_names(json.key("best"), snapshot, r.best);
  if (!r.possible.empty()) write_names(json.key("possible"), snapshot, r.possible);
  if (!r.filtered.empty()) write_filtered(json, snapshot, r);
  if (!r.feasible.empty()) write_scores(json, snapshot, r);
  if (!r.message.empty()) json.member("message", r.message);
  if (const auto why = explain::explain_placement(snapshot, r); !why.nearest.empty())
    json.member("nearest", why.nearest);
  if (r.nominated) write_preemption(json, snapshot, r);
  json.end_object();
}

render::Row row_of(const Snapshot& snapshot, const ScheduleResult& r) {
  using enum placement::ScheduleOutcome;
  const Pod& pod = snapshot.pod(r.pod);
  const bool placed = r.outcome == kBound || r.outcome == kPreempting;
  std::string why = r.message;
  if (r.outcome == kBound && r.best.size() > 1)
    why = fmt::format("one of {} equally good nodes", r.best.size());
  if (r.possible.size() > 1)
    why = fmt::format("one of {} nodes, by where the search begins", r.possible.size());
  return {{render::text(pod.meta.ns), render::text(pod.meta.name),
           render::text(to_string(r.outcome), placed ? render::Tone::kGood : render::Tone::kWarning),
           placed ? render::text(snapshot.node_name(r.bound_to)) : render::none(), render::text(why)}};
}

void write_gpu_measures(JsonWriter& json, const ScheduleAnswer& answer) {
  const Snapshot& snapshot = answer.scheduler.snapshot();
  const placement::GpuNodes gpus = placement::gpu_nodes(snapshot);
  if (gpus.nodes.empty()) return;
  const placement::Measures m = placement::measures(gpus.nodes);
  json.key("gpus").begin_object().member("gar", m.gar).member("gfr", m.gfr);
  if (const auto sor = placement::gpu_occupancy(snapshot, answer.pods)) json.member("sor", *sor);
  json.member("largestPod", m.largest_pod).key("placeable").begin_object();
  for (const std::size_t k : {1u, 2u, 4u, 8u}) json.member(std::to_string(k), m.placeable[k]);
  json.end_object();
  if (gpus.left_out > 0) json.member("nodesLeftOut", gpus.left_out);
  json.end_object();
}

std::string gpu_note(const Snapshot& snapshot) {
  const placement::GpuNodes gpus = placement::gpu_nodes(snapshot);
  if (gpus.nodes.empty()) return "";
  constexpr double kPercent = 100;
  const placement::Measures m = placement::measures(gpus.nodes);
  return fmt::format(
      "GPUs afterwards: {:.1f} % allocated (GAR), {:.1f} % of the nodes partly (GFR), {}{}.",
      kPercent * m.gar, kPercent * m.gfr,
      m.largest_pod == 0 ? "no pod of a whole GPU finds a place"
                         : fmt::format("the largest pod that finds a place: {}", m.largest_pod),
      gpus.left_out == 0
          ? ""
          : fmt::format("; {} nodes with more than {} left out", gpus.left_out, placement::kMaxDevices));
}

}  // namespace

placement::SchedulingInput read_scheduling_input(const std::vector<LocatedObject>& objects,
                                                 Diagnostics& diagnostics) {
  placement::SchedulingInput out;
  formats::SchedulingObjects others;
  for (const LocatedObject& object : objects) {
    const std::string& kind = object.tree["kind"].text();
    if (kind == "Node") {
      out.nodes.push_back(formats::read_node(object.tree, object.file, diagnostics));
    } else if (kind == "Pod") {
      out.pods.push_back(formats::read_pod(object.tree, object.file, diagnostics));
    } else if (kind == "Namespace") {
      out.namespaces.push_back(formats::read_meta(object.tree, object.file, false));
    } else if (!formats::read_dra_object(object.tree, object.file, out.dra, diagnostics)) {
      formats::read_scheduling_object(object.tree, object.file, others, diagnostics);
    }
  }
  out.pod_groups = read_pod_groups(objects);
  out.priority_classes = std::move(others.priority_classes);
  out.disruption_budgets = std::move(others.disruption_budgets);
  out.services = std::move(others.services);
  out.controllers = std::move(others.controllers);
  return out;
}

Result<SchedulingRules> read_scheduling_rules(const std::string& configuration, const std::string& version,
                                              const std::string& gates, Diagnostics& diagnostics) {
  auto read = read_configuration(configuration);
  if (!read) return std::unexpected(read.error());
  std::string others;
  bool gangs = true;
  std::istringstream list(gates);
  for (std::string gate; std::getline(list, gate, ',');) {
    const std::string name = gate.substr(0, gate.find('='));
    if ((name == "GenericWorkload" || name == "GangScheduling") &&
        (gate.ends_with("=true") || gate.ends_with("=false")))
      gangs &= !gate.ends_with("=false");
    else
      others += (others.empty() ? "" : ",") + gate;
  }
  const auto devices = read_behaviour(version, others, diagnostics);
  if (!devices) return std::unexpected(devices.error());
  return SchedulingRules{.configuration = std::move(*read), .devices = *devices, .gangs = gangs};
}

Result<ScheduleAnswer> schedule(const std::vector<LocatedObject>& objects, const SchedulingRules& rules,
                                placement::ScheduleOrder order, placement::Detail detail,
                                Diagnostics& diagnostics) {
  placement::SchedulingInput input = read_scheduling_input(objects, diagnostics);
  if (!rules.gangs) input.pod_groups.clear();
  auto scheduler = placement::Scheduler::make(std::move(input), rules.configuration, rules.devices);
  if (!scheduler) return std::unexpected(scheduler.error());
  ScheduleAnswer out{std::move(*scheduler), {}};
  if (rules.sample && !out.scheduler.snapshot().nodes().empty()) out.scheduler.sample_nodes();
  std::set<PodIndex> with_their_group;
  for (const PodIndex pod : out.scheduler.pending(order)) {
    if (with_their_group.contains(pod)) continue;
    const placement::PodGroup* group = out.scheduler.group_of(pod);
    if (!group) {
      out.pods.push_back(out.scheduler.schedule(pod, detail));
      continue;
    }
    for (ScheduleResult& r : out.scheduler.schedule_group(*group, detail)) {
      with_their_group.insert(r.pod);
      out.pods.push_back(std::move(r));
    }
  }
  return out;
}

Result<ScheduleAnswer> schedule(const ScheduleQuestion& question, Diagnostics& diagnostics) {
  auto rules = read_scheduling_rules(question.configuration, question.kubernetes_version,
                                     question.feature_gates, diagnostics);
  if (!rules) return std::unexpected(rules.error());
  rules->sample = question.sample;
  const auto objects = read_cluster(question.paths, diagnostics);
  if (!objects) return std::unexpected(objects.error());
  return schedule(*objects, *rules, question.order, question.detail, diagnostics);
}

std::string to_json(const ScheduleAnswer& answer) {
  JsonWriter json;
  json.begin_object().key("pods").begin_array();
  for (const ScheduleResult& r : answer.pods) write_pod(json, answer.scheduler.snapshot(), r);
  json.end_array();
  write_gpu_measures(json, answer);
  json.end_object();
  return json.take();
}

std::vector<render::Table> tables(const ScheduleAnswer& answer) {
  render::Table table{
      .title = "Where kube-scheduler would put the pending pods",
      .columns = {{"namespace"}, {"name", "POD"}, {"outcome"}, {"boundTo", "NODE"}, {"message", "WHY"}}};
  for (const ScheduleResult& r : answer.pods) table.rows.push_back(row_of(answer.scheduler.snapshot(), r));
  if (table.rows.empty()) table.notes.push_back("No pod is waiting for a node.");
  if (auto note = gpu_note(answer.scheduler.snapshot()); !note.empty())
    table.notes.push_back(std::move(note));
  return {table};
}

}  // namespace etiage::app
