#include "app/why_pod.h"

#include <algorithm>
#include <fmt/format.h>

#include "app/objects.h"
#include "app/schedule.h"
#include "base/json_writer.h"

namespace etiage::app {
namespace {

/// FailedScheduling of one pod, the last first. Events are core/v1 or events.k8s.io/v1.
std::vector<explain::RecordedReason> failures_of(const std::vector<LocatedObject>& objects, const Pod& pod) {
  std::vector<explain::RecordedReason> out;
  for (const LocatedObject& o : objects) {
    if (o.tree["kind"].text() != "Event" || o.tree["reason"].text() != "FailedScheduling") continue;
    const Tree& about = o.tree.has("regarding") ? o.tree["regarding"] : o.tree["involvedObject"];
    if (about["name"].text() != pod.meta.name || about["namespace"].text() != pod.meta.ns) continue;
    std::optional<Instant> when;
    for (const Tree* t : {&o.tree["series"]["lastObservedTime"], &o.tree["lastTimestamp"],
                          &o.tree["deprecatedLastTimestamp"], &o.tree["eventTime"]})
      if (!when) when = parse_instant(t->text());
    const Tree& note = o.tree.has("note") ? o.tree["note"] : o.tree["message"];
    out.push_back({"event FailedScheduling", note.text(), when});
  }
  std::ranges::stable_sort(out, std::ranges::greater{},
                           [](const auto& r) { return r.since.value_or(Instant::min()); });
  return out;
}

void write_parts(JsonWriter& json, const explain::PodReason& r) {
  json.key("refusals").begin_array();
  for (const auto& refusal : r.refusals) {
    json.begin_object().member("plugin", refusal.plugin).member("reason", refusal.reason);
    json.member("nodes", refusal.nodes);
    json.end_object();
  }
  json.end_array().key("claims").begin_array();
  for (const auto& c : r.claims)
    json.begin_object()
        .member("name", c.name)
        .member("state", c.state)
        .member("message", c.message)
        .end_object();
  json.end_array();
  if (!r.group.empty()) {
    json.key("group").begin_object().member("name", r.group).key("pods").begin_array();
    for (const auto& m : r.members)
      json.begin_object()
          .member("name", m.name)
          .member("outcome", m.outcome)
          .member("message", m.message)
          .end_object();
    json.end_array().end_object();
  }
  json.key("changes").begin_array();
  for (const auto& c : r.changes) {
    json.begin_object();
    json.member("steps", c.steps);
    json.member("node", c.node).end_object();
  }
  json.end_array();
}

std::string nodes_shown(const std::vector<std::string>& nodes) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> few(nodes.begin(),
                               nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), kNamed)));
  if (nodes.size() > kNamed) few.push_back(fmt::format("and {} more", nodes.size() - kNamed));
  return fmt::format("{}", fmt::join(few, ", "));
}

render::Table refusals_table(const explain::PodReason& r) {
  render::Table out{.title = "Why not on these nodes",
                    .columns = {{"nodes", "", "", render::Align::kRight}, {"reason"}, {"plugin"}, {"which"}}};
  for (const auto& refusal : r.refusals)
    out.rows.push_back(
        {{render::count(static_cast<std::int64_t>(refusal.nodes.size())), render::text(refusal.reason),
          render::text(refusal.plugin), render::text(nodes_shown(refusal.nodes))}});
  return out;
}

render::Table claims_table(const explain::PodReason& r) {
  render::Table out{.title = "Its claims", .columns = {{"claim"}, {"state"}, {"message"}}};
  for (const auto& c : r.claims)
    out.rows.push_back({{render::text(c.name), render::text(c.state), render::text(c.message)}});
  return out;
}

render::Table group_table(const explain::PodReason& r) {
  render::Table out{.title = "Its PodGroup " + r.group, .columns = {{"pod"}, {"outcome"}, {"message"}}};
  for (const auto& m : r.members)
    out.rows.push_back({{render::text(m.name), render::text(m.outcome), render::text(m.message)}});
  return out;
}

render::Table changes_table(const explain::PodReason& r) {
  render::Table out{.title = "What would let it in (each tried)", .columns = {{"node"}, {"change"}}};
  for (const auto& c : r.changes)
    out.rows.push_back({{render::text(c.node), render::text(fmt::format("{}", fmt::join(c.steps, "; ")))}});
  return out;
}

}  // namespace

Result<explain::PodReason> why_pod(const WhyPodQuestion& question, Diagnostics& diagnostics) {
  auto rules = read_scheduling_rules(question.configuration, question.kubernetes_version,
                                     question.feature_gates, diagnostics);
  if (!rules) return std::unexpected(rules.error());
  const auto objects = read_cluster(question.paths, diagnostics);
  if (!objects) return std::unexpected(objects.error());
  explain::SchedulingWorld world{read_scheduling_input(*objects, diagnostics),
                                 std::move(rules->configuration), rules->devices};
  if (!rules->gangs) world.input.pod_groups.clear();
  const auto pod = explain::find_pod(world.input.pods, question.pod);
  if (!pod) return std::unexpected(pod.error());
  return explain::pod_reason(world, question.pod, failures_of(*objects, world.input.pods[*pod]));
}

std::string to_json(const explain::PodReason& r) {
  JsonWriter json;
  json.begin_object().member("subject", "pod/" + r.ns + "/" + r.name);
  json.member("namespace", r.ns).member("name", r.name).member("outcome", r.outcome);
  json.member("statement", r.statement);
  if (!r.message.empty()) json.member("message", r.message);
  if (!r.node.empty()) json.member("node", r.node);
  if (r.since) json.member("since", *r.since);
  if (r.recorded) {
    json.key("recorded").begin_object().member("source", r.recorded->source);
    json.member("message", r.recorded->message);
    if (r.recorded->since) json.member("since", *r.recorded->since);
    json.end_object();
  }
  if (!r.nominated_node.empty()) json.member("nominatedNode", r.nominated_node);
  json.member("victims", r.victims);
  json.member("ahead", r.ahead);
  write_parts(json, r);
  json.end_object();
  return json.take();
}

std::vector<render::Table> tables(const explain::PodReason& r) {
  render::Table head{.title = "pod/" + r.ns + "/" + r.name + ": " + r.statement};
  if (!r.message.empty()) head.notes.push_back(r.message);
  if (r.recorded && r.recorded->message != r.message)
    head.notes.push_back(fmt::format("The cluster's {}: {}", r.recorded->source, r.recorded->message));
  if (r.since) head.notes.push_back("Since " + to_string(*r.since));
  if (!r.ahead.empty()) head.notes.push_back("Before it: " + nodes_shown(r.ahead));
  std::vector<render::Table> out{head};
  if (!r.refusals.empty()) out.push_back(refusals_table(r));
  if (!r.claims.empty()) out.push_back(claims_table(r));
  if (!r.group.empty()) out.push_back(group_table(r));
  if (!r.changes.empty()) out.push_back(changes_table(r));
  return out;
}

}  // namespace etiage::app
