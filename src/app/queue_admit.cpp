#include "app/queue_admit.h"

#include <fmt/format.h>

#include "base/json_writer.h"

namespace etiage::app {
namespace {

void write_flavors(JsonWriter& out, const quota::FlavorsByPodSet& flavors) {
  out.begin_object();
  for (const auto& [pod_set, by_resource] : flavors) {
    out.key(pod_set).begin_object();
    for (const auto& [resource, flavor] : by_resource) out.member(resource, flavor);
    out.end_object();
  }
  out.end_object();
}

void write_topology(JsonWriter& out, const TopologyAssignment& topology) {
  out.begin_object().member("levels", topology.levels).key("domains");
  if (topology.domains.empty()) {  // as Kueue prints a list that was never made
    out.null().end_object();
    return;
  }
  out.begin_array();
  for (const TopologyDomain& d : topology.domains) {
    out.begin_object().member("values", d.values).member("count", d.count).end_object();
  }
  out.end_array().end_object();
}

/// Members of the object that is open.
void write_grant(JsonWriter& out, const quota::GrantRecord& grant) {
  if (!grant.cluster_queue.empty()) out.member("clusterQueue", grant.cluster_queue);
  if (!grant.flavors.empty()) write_flavors(out.key("flavors"), grant.flavors);
  if (!grant.counts.empty()) {
    out.key("counts").begin_object();
    for (const auto& [pod_set, count] : grant.counts) out.member(pod_set, count);
    out.end_object();
  }
  if (grant.topology.empty()) return;
  out.key("topologyAssignment").begin_object();
  for (const auto& [pod_set, topology] : grant.topology) write_topology(out.key(pod_set), topology);
  out.end_object();
}

void write_preempted(JsonWriter& out, std::string_view key,
                     const std::vector<quota::PreemptedRecord>& preempted) {
  out.key(key).begin_array();
  for (const auto& p : preempted)
    out.begin_object()
        .member("workload", p.workload)
        .member("reason", p.reason)
        .member("by", p.by)
        .end_object();
  out.end_array();
}

void write_cycle(JsonWriter& out, const quota::CycleRecord& cycle) {
  out.begin_object().member("cycle", cycle.cycle);
  out.member("heads", cycle.heads);
  out.member("order", cycle.order);
  out.key("admitted").begin_array();
  for (const auto& a : cycle.admitted) {
    out.begin_object().member("workload", a.workload);
    write_grant(out, a.grant);
    out.end_object();
  }
  out.end_array();
  write_preempted(out, "preempted", cycle.preempted);
  out.key("pending").begin_array();
  for (const auto& p : cycle.pending)
    out.begin_object()
        .member("workload", p.workload)
        .member("status", p.status)
        .member("message", p.message)
        .end_object();
  out.end_array();
  out.member("reactivated", cycle.reactivated);
  out.end_object();
}

void write_workload(JsonWriter& out, const quota::WorkloadRecord& w) {
  out.begin_object().member("namespace", w.ns).member("name", w.name).member("outcome", w.outcome);
  write_grant(out, w.grant);
  if (!w.victims.empty()) write_preempted(out, "victims", w.victims);
  if (!w.queue.empty()) out.member("queue", w.queue);
  if (!w.message.empty()) out.member("message", w.message);
  out.end_object();
}

void write_amounts(JsonWriter& out, std::string_view key,
                   const std::map<std::string, std::map<std::string, Quantity>>& amounts) {
  out.key(key).begin_object();
  for (const auto& [flavor, by_resource] : amounts) {
    out.key(flavor).begin_object();
    for (const auto& [resource, quantity] : by_resource) out.member(resource, quantity.canonical());
    out.end_object();
  }
  out.end_object();
}

std::string flavors_text(const quota::FlavorsByPodSet& flavors) {
  std::vector<std::string> parts;
  for (const auto& [pod_set, by_resource] : flavors)
    for (const auto& [resource, flavor] : by_resource)
      parts.push_back(flavors.size() > 1 ? fmt::format("{}/{}={}", pod_set, resource, flavor)
                                         : fmt::format("{}={}", resource, flavor));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string reason_text(const quota::WorkloadRecord& w) {
  if (w.victims.empty()) return w.message;
  std::vector<std::string> names;
  for (const auto& v : w.victims) names.push_back(v.workload);
  return fmt::format("{}{}preempts {}", w.message, w.message.empty() ? "" : "; ", fmt::join(names, ", "));
}

render::Tone tone_of(const std::string& outcome) {
  return outcome == "admitted"     ? render::Tone::kGood
         : outcome == "preempting" ? render::Tone::kWarning
                                   : render::Tone::kBad;
}

render::Table workload_table(const quota::AdmissionRun& run) {
  render::Table out{.title = "Workloads",
                    .columns = {{"namespace", ""},
                                {"name", ""},
                                {"outcome", ""},
                                {"clusterQueue", "CLUSTER QUEUE"},
                                {"flavors", ""},
                                {"message", "WHY", "", render::Align::kLeft, render::Show::kWide}}};
  for (const auto& w : run.workloads)
    out.rows.push_back({{render::text(w.ns), render::text(w.name),
                         render::text(w.outcome, tone_of(w.outcome)), render::text(w.grant.cluster_queue),
                         render::text(flavors_text(w.grant.flavors)), render::text(reason_text(w))}});
  for (const auto& w : run.workloads)
    if (const std::string why = reason_text(w); !why.empty())
      out.notes.push_back(fmt::format("{}/{}: {}.", w.ns, w.name, why));
  out.notes.push_back(fmt::format("{} cycle{}; stopped: {}.", run.cycles.size(),
                                  run.cycles.size() == 1 ? "" : "s", run.stopped));
  return out;
}

render::Table queue_table(const quota::AdmissionRun& run) {
  const auto right = render::Align::kRight;
  render::Table out{.title = "ClusterQueues",
                    .columns = {{"clusterQueue", "CLUSTER QUEUE"},
                                {"flavor", ""},
                                {"resource", ""},
                                {"used", "", "", right},
                                {"available", "", "", right}}};
  for (const auto& q : run.cluster_queues)
    for (const auto& [flavor, by_resource] : q.usage)
      for (const auto& [resource, used] : by_resource)
        out.rows.push_back({{render::text(q.name), render::text(flavor), render::text(resource),
                             render::text(used.canonical()),
                             render::text(q.available.at(flavor).at(resource).canonical())}});
  return out;
}

}  // namespace

Result<QueueAdmitAnswer> queue_admit(const QueueQuestion& question, int cycles) {
  auto world = read_queue_world(question);
  if (!world) return std::unexpected(world.error());
  auto run = quota::run(world->objects, world->configuration, world->release, world->now, cycles);
  if (!run) return std::unexpected(run.error());
  return QueueAdmitAnswer{std::move(*run), std::move(world->diagnostics)};
}

std::string to_json(const quota::AdmissionRun& run) {
  JsonWriter out;
  out.begin_object().member("stopped", run.stopped);
  if (!run.evicted_at_start.empty()) {
    out.key("setup").begin_object().key("evicted").begin_array();
    for (const auto& [workload, reason] : run.evicted_at_start)
      out.begin_object().member("workload", workload).member("reason", reason).end_object();
    out.end_array().end_object();
  }
  out.key("cycles").begin_array();
  for (const auto& cycle : run.cycles) write_cycle(out, cycle);
  out.end_array().key("workloads").begin_array();
  for (const auto& w : run.workloads) write_workload(out, w);
  out.end_array().key("clusterQueues").begin_array();
  for (const auto& q : run.cluster_queues) {
    out.begin_object().member("name", q.name);
    write_amounts(out, "usage", q.usage);
    write_amounts(out, "available", q.available);
    out.end_object();
  }
  out.end_array().end_object();
  return out.take();
}

std::vector<render::Table> to_tables(const quota::AdmissionRun& run) {
  return {workload_table(run), queue_table(run)};
}

}  // namespace etiage::app
