#include "app/queue_schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

#include "app/schedule.h"
#include "app/volcano_configuration.h"
#include "base/json_writer.h"
#include "engines/placement/volcano/cycle.h"

namespace etiage::app {
namespace {

namespace volcano = placement::volcano;
namespace kai = placement::kai;
using placement::Amounts;
using placement::GroupOutcome;

Result<volcano::Rules> read_rules(const std::string& path, const std::vector<LocatedObject>& objects,
                                  Diagnostics& diagnostics) {
  std::optional<Tree> configuration;
  if (!path.empty()) {
    auto document = read_document(path);
    if (!document) return std::unexpected(document.error());
    configuration = volcano_configuration({*document, path}, diagnostics);
    if (!configuration) configuration = std::move(*document);
    if (!configuration->has("actions") && !configuration->has("tiers"))
      return failure("no configuration of Volcano's scheduler: neither actions nor tiers", {path, 0, 0, {}},
                     "give a volcano-scheduler.conf, or the ConfigMap that holds it");
  }
  for (const LocatedObject& o : objects)
    if (!configuration) configuration = volcano_configuration(o, diagnostics);
  return configuration ? volcano_rules(*configuration) : volcano::Rules{};
}

Result<void> run_volcano(const std::string& configuration, const std::vector<LocatedObject>& objects,
                         QueueScheduleAnswer& answer, Diagnostics& diagnostics) {
  const auto rules = read_rules(configuration, objects, diagnostics);
  if (!rules) return std::unexpected(rules.error());
  answer.share_by = rules->unlimited ? "none" : rules->by_capacity ? "capacity" : "proportion";
  auto cycle =
      volcano::run_cycle(answer.nodes, read_volcano_queues(objects, diagnostics), answer.groups, *rules);
  if (!cycle) return std::unexpected(cycle.error());
  answer.outcomes = std::move(cycle->groups);
  for (const auto& q : cycle->queues)
    answer.queues.push_back({.name = q.queue.name,
                             .parent = "",
                             .share = amounts_of(q.queue.deserved),
                             .limit = amounts_of(q.real_capability),
                             .requested = amounts_of(q.queue.request),
                             .before = amounts_of(q.before),
                             .after = amounts_of(q.queue.allocated)});
  return {};
}

Amounts named(const kai::Shares& shares) {
  constexpr double kMilli = 1000;
  return {{"gpu", shares[0]}, {"cpu", shares[1] / kMilli}, {"memory", shares[2]}};
}

Amounts kai_limit(const kai::QueueNode& queue) {
  kai::Shares most;
  for (std::size_t r = 0; r < kai::kResources; ++r)
    most[r] = queue.limit[r] == 0 ? std::max(queue.quota[r], 0.0) : queue.limit[r];
  Amounts out = named(most);
  std::erase_if(out, [](const auto& entry) { return entry.second < 0; });
  return out;
}

Result<void> run_kai(const std::vector<LocatedObject>& objects, QueueScheduleAnswer& answer) {
  auto cycle = kai::run_cycle(answer.nodes, read_kai_queues(objects), answer.groups);
  if (!cycle) return std::unexpected(cycle.error());
  answer.share_by = "fair-share";
  answer.outcomes = std::move(cycle->groups);
  for (const auto& q : cycle->queues)
    answer.queues.push_back({.name = q.queue.name,
                             .parent = q.queue.parent,
                             .share = named(q.fair_share),
                             .limit = kai_limit(q.queue),
                             .requested = named(q.requested),
                             .before = named(q.before),
                             .after = named(q.allocated)});
  return {};
}

const char* outcome_of(const GroupOutcome& o) {
  return o.reason.empty() ? "placed" : o.pods.empty() ? "waiting" : "partly placed";
}

/// Sums of binary fractions, without the dust.
double rounded(double amount) {
  constexpr double kGrain = 1e6;
  return std::round(amount * kGrain) / kGrain;
}

void write_amounts(JsonWriter& json, const char* name, const Amounts& amounts) {
  json.key(name).begin_object();
  for (const auto& [resource, amount] : amounts) json.member(resource, rounded(amount));
  json.end_object();
}

void write_group(JsonWriter& json, const QueueScheduleAnswer& answer, const GroupOutcome& o) {
  const placement::QueuedGroup& g = answer.groups[o.group];
  const placement::Snapshot& snapshot = answer.nodes.snapshot();
  json.begin_object().member("namespace", g.ns).member("name", g.name).member("queue", g.queue);
  json.member("outcome", outcome_of(o)).member("minMember", g.min_member).member("priority", g.priority);
  if (!o.reason.empty()) json.member("reason", o.reason);
  if (!o.reclaims_from.empty()) json.member("reclaimsFrom", o.reclaims_from);
  json.key("pods").begin_array();
  for (const auto& [pod, choice] : o.pods) {
    json.begin_object().member("name", snapshot.pod(pod).meta.name);
    json.member("boundTo", snapshot.node_name(choice.node)).key("best").begin_array();
    for (const auto n : choice.best) json.value(snapshot.node_name(n));
    json.end_array().end_object();
  }
  json.end_array().end_object();
}

std::string shown_nodes(const QueueScheduleAnswer& answer, const GroupOutcome& o) {
  std::map<std::string, int> count;
  for (const auto& p : o.pods) ++count[answer.nodes.snapshot().node_name(p.choice.node)];
  std::vector<std::string> parts;
  for (const auto& [node, pods] : count)
    parts.push_back(pods == 1 ? node : fmt::format("{} x{}", node, pods));
  return fmt::format("{}", fmt::join(parts, ", "));
}

render::Table group_table(const QueueScheduleAnswer& answer) {
  const bool volcano = answer.scheduler == QueueScheduler::kVolcano;
  render::Table out{.title = fmt::format("What {} places in its next cycle", volcano ? "Volcano" : "KAI"),
                    .columns = {{"namespace", "", "", render::Align::kLeft, render::Show::kIfRoom},
                                {"name", "GROUP"},
                                {"queue"},
                                {"outcome"},
                                {"pods", "", "", render::Align::kRight},
                                {"nodes"},
                                {"reason", "WHY"}}};
  for (const GroupOutcome& o : answer.outcomes) {
    const placement::QueuedGroup& g = answer.groups[o.group];
    std::string why = o.reason;
    if (why.ends_with('.')) why.pop_back();  // of the filters' words, which more may follow
    if (!o.reclaims_from.empty()) why += fmt::format("; may take from {}", fmt::join(o.reclaims_from, ", "));
    out.rows.push_back(
        {{render::text(g.ns), render::text(g.name), render::text(g.queue),
          render::text(outcome_of(o), o.reason.empty() ? render::Tone::kGood : render::Tone::kWarning),
          render::count(static_cast<std::int64_t>(o.pods.size())),
          o.pods.empty() ? render::none() : render::text(shown_nodes(answer, o)), render::text(why)}});
  }
  if (out.rows.empty())
    out.notes.push_back(fmt::format("No pod with schedulerName {} is waiting for a node.",
                                    volcano ? "volcano" : "kai-scheduler"));
  return out;
}

render::Cell amount_cell(const std::string& resource, const Amounts& amounts) {
  const auto it = amounts.find(resource);
  if (it == amounts.end()) return render::none();
  constexpr double kGi = 1024.0 * 1024 * 1024;
  const double amount = rounded(it->second);
  render::Cell cell = render::number(amount, amount == std::floor(amount) ? 0 : 2);
  if (resource == "memory") cell.shown = fmt::format("{:.4g} Gi", amount / kGi);
  return cell;
}

render::Table queue_table(const QueueScheduleAnswer& answer) {
  const bool volcano = answer.scheduler == QueueScheduler::kVolcano;
  const auto amount = [](const char* name, const char* title) {
    return render::Column{name, title, "", render::Align::kRight};
  };
  render::Table out{.title = "Queues",
                    .columns = {{"queue"},
                                {"resource"},
                                volcano ? amount("deserved", "") : amount("fairShare", "FAIR SHARE"),
                                amount("limit", ""),
                                amount("requested", ""),
                                amount("before", ""),
                                amount("after", "")}};
  for (const QueueLine& q : answer.queues) {
    std::set<std::string> resources;
    for (const Amounts* amounts : {&q.share, &q.requested, &q.before, &q.after})
      for (const auto& [resource, value] : *amounts)
        if (value != 0) resources.insert(resource);
    for (const std::string& r : resources)
      out.rows.push_back(
          {{render::text(q.name), render::text(r), amount_cell(r, q.share), amount_cell(r, q.limit),
            amount_cell(r, q.requested), amount_cell(r, q.before), amount_cell(r, q.after)}});
  }
  if (volcano)
    out.notes.push_back(answer.share_by == "none" ? "Neither capacity nor proportion limits the queues."
                                                  : "Shares by the plugin " + answer.share_by + ".");
  return out;
}

}  // namespace

Result<QueueScheduleAnswer> schedule_in_queues(const QueueScheduleQuestion& question,
                                               Diagnostics& diagnostics) {
  const auto objects = read_cluster(question.paths, diagnostics);
  if (!objects) return std::unexpected(objects.error());
  return schedule_in_queues(*objects, question.scheduler, question.configuration, diagnostics);
}

Result<QueueScheduleAnswer> schedule_in_queues(const std::vector<LocatedObject>& objects,
                                               QueueScheduler scheduler, const std::string& configuration,
                                               Diagnostics& diagnostics) {
  placement::SchedulingInput input = read_scheduling_input(objects, diagnostics);
  auto groups = read_queued_groups(objects, input.priority_classes, scheduler, diagnostics);
  // KAI's own classes need not be among the objects: what they say is in the groups.
  if (scheduler == QueueScheduler::kKai)
    for (Pod& pod : input.pods) pod.spec.priority_class.clear();
  auto nodes = placement::NodeBook::make(std::move(input));
  if (!nodes) return std::unexpected(nodes.error());
  QueueScheduleAnswer out{.scheduler = scheduler,
                          .share_by = "",
                          .nodes = std::move(*nodes),
                          .groups = std::move(groups),
                          .outcomes = {},
                          .queues = {}};
  const auto done = scheduler == QueueScheduler::kVolcano
                        ? run_volcano(configuration, objects, out, diagnostics)
                        : run_kai(objects, out);
  if (!done) return std::unexpected(done.error());
  return out;
}

std::string to_json(const QueueScheduleAnswer& answer) {
  const bool volcano = answer.scheduler == QueueScheduler::kVolcano;
  JsonWriter json;
  json.begin_object().member("scheduler", volcano ? "volcano" : "kai").member("shareBy", answer.share_by);
  json.key("groups").begin_array();
  for (const GroupOutcome& o : answer.outcomes) write_group(json, answer, o);
  json.end_array().key("queues").begin_array();
  for (const QueueLine& q : answer.queues) {
    json.begin_object().member("name", q.name);
    if (!q.parent.empty()) json.member("parent", q.parent);
    write_amounts(json, volcano ? "deserved" : "fairShare", q.share);
    write_amounts(json, "limit", q.limit);
    write_amounts(json, "requested", q.requested);
    write_amounts(json, "allocatedBefore", q.before);
    write_amounts(json, "allocated", q.after);
    json.end_object();
  }
  json.end_array().end_object();
  return json.take();
}

std::vector<render::Table> tables(const QueueScheduleAnswer& answer) {
  return {group_table(answer), queue_table(answer)};
}

}  // namespace etiage::app
