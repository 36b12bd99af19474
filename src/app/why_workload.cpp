#include "app/why_workload.h"

#include <fmt/format.h>

#include "base/json_writer.h"

namespace etiage::app {
namespace {

void write_victims(JsonWriter& json, const std::vector<quota::PreemptedRecord>& victims) {
  json.key("victims").begin_array();
  for (const auto& v : victims)
    json.begin_object().member("workload", v.workload).member("reason", v.reason).end_object();
  json.end_array();
}

void write_holders(JsonWriter& json, const std::vector<explain::QuotaHolder>& holders) {
  json.key("holders").begin_array();
  for (const auto& h : holders)
    json.begin_object()
        .member("workload", h.workload)
        .member("clusterQueue", h.cluster_queue)
        .member("priority", h.priority)
        .end_object();
  json.end_array();
}

render::Table holders_table(const explain::QueueReason& r) {
  render::Table out{
      .title = "Who holds the quota",
      .columns = {
          {"workload", ""}, {"clusterQueue", "CLUSTER QUEUE"}, {"priority", "", "", render::Align::kRight}}};
  for (const auto& h : r.holders)
    out.rows.push_back({{render::text(h.workload), render::text(h.cluster_queue),
                         render::text(std::to_string(h.priority))}});
  return out;
}

render::Table behind_table(const explain::QueueReason& r) {
  render::Table out{.title = "Tried before it, in this order", .columns = {{"workload", ""}}};
  for (const std::string& name : r.behind) out.rows.push_back({{render::text(name)}});
  return out;
}

render::Table changes_table(const explain::QueueReason& r) {
  render::Table out{.title = "What would admit it (each alone, tried)", .columns = {{"change", ""}}};
  for (const std::string& change : r.changes) out.rows.push_back({{render::text(change)}});
  return out;
}

}  // namespace

Result<explain::QueueReason> why_workload(const QueueQuestion& question, const std::string& workload,
                                          Diagnostics& diagnostics) {
  auto world = read_queue_world(question);
  if (!world) return std::unexpected(world.error());
  diagnostics = std::move(world->diagnostics);
  return explain::queue_reason(world->objects, world->configuration, world->release, world->now, workload);
}

std::string to_json(const explain::QueueReason& r) {
  const quota::WorkloadRecord& d = r.decision;
  JsonWriter json;
  json.begin_object().member("subject", "workload/" + d.ns + "/" + d.name);
  json.member("namespace", d.ns).member("name", d.name).member("outcome", d.outcome);
  json.member("statement", explain::statement(r));
  if (!d.message.empty()) json.member("message", d.message);
  if (!d.grant.cluster_queue.empty()) json.member("clusterQueue", d.grant.cluster_queue);
  json.member("priority", r.priority);
  if (r.since) json.member("since", *r.since);
  if (!r.recorded.empty()) json.member("recorded", r.recorded);
  if (!d.queue.empty()) json.member("queue", d.queue);
  write_victims(json, d.victims);
  json.member("behind", r.behind);
  write_holders(json, r.holders);
  json.member("changes", r.changes);
  json.end_object();
  return json.take();
}

std::vector<render::Table> to_tables(const explain::QueueReason& r) {
  render::Table head{.title = explain::statement(r)};
  const quota::WorkloadRecord& d = r.decision;
  if (!d.message.empty()) head.notes.push_back("Kueue says: " + d.message);
  if (!r.recorded.empty() && r.recorded != d.message)
    head.notes.push_back("Its condition QuotaReserved says: " + r.recorded);
  for (const auto& v : d.victims)
    head.notes.push_back(
        fmt::format("It waits for {} to end, which it preempts ({}).", v.workload, v.reason));
  if (d.outcome != "admitted" && r.changes.empty())
    head.notes.push_back("No single change that was tried admits it.");
  std::vector<render::Table> out{std::move(head)};
  if (!r.behind.empty()) out.push_back(behind_table(r));
  if (!r.holders.empty()) out.push_back(holders_table(r));
  if (!r.changes.empty()) out.push_back(changes_table(r));
  return out;
}

}  // namespace etiage::app
