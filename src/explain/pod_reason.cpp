#include "explain/pod_reason.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/nearest.h"
#include "engines/dra/explain.h"

namespace etiage::explain {
namespace {

using placement::PodIndex;
using placement::ScheduleOutcome;
using placement::Scheduler;
using placement::ScheduleResult;
using placement::Snapshot;

std::string full_name(const Pod& pod) {
  return pod.meta.ns + "/" + pod.meta.name;
}

std::vector<std::string> names_of(const Snapshot& snapshot, const std::vector<PodIndex>& pods) {
  std::vector<std::string> out;
  for (const PodIndex p : pods) out.push_back(full_name(snapshot.pod(p)));
  return out;
}

std::optional<RecordedReason> recorded_in(const Pod& pod, const std::vector<RecordedReason>& events) {
  for (const Condition& c : pod.status.conditions)
    if (c.type == "PodScheduled" && c.status == "False" && !c.message.empty())
      return RecordedReason{"condition PodScheduled", c.message, c.since};
  if (events.empty()) return {};
  return events.front();
}

/// Pods that leave the node that preemption has promised to the pod.
std::vector<PodIndex> leaving(const Snapshot& snapshot, PodIndex pod) {
  std::vector<PodIndex> out;
  const auto node = snapshot.node_named(snapshot.pod(pod).status.nominated_node);
  if (!node) return out;
  for (const PodIndex p : snapshot.nodes()[*node].pods)
    if (snapshot.pod(p).meta.deleted && snapshot.shape_of(p).priority < snapshot.shape_of(pod).priority)
      out.push_back(p);
  return out;
}

/// Reasons why devices were not given, each with the number of devices.
std::string device_reasons(const dra::Explanation& why) {
  std::map<std::string, std::size_t> counts;
  for (const dra::RequestExplanation& r : why.requests) {
    if (!r.fault.empty()) return r.fault;
    for (const dra::DeviceVerdict& d : r.devices)
      if (d.rejection.code != dra::Rejection::Code::kUsable)
        ++counts[std::string(to_string(d.rejection.code))];
  }
  std::vector<std::string> parts;
  for (const auto& [code, n] : counts) parts.push_back(fmt::format("{} {}", n, code));
  return parts.empty() ? why.message
                       : fmt::format("{}: of the devices {}", why.message, fmt::join(parts, ", "));
}

std::vector<ClaimState> claim_states(const SchedulingWorld& world, const Pod& pod) {
  if (pod.spec.claims.empty()) return {};
  dra::ClaimBook book(world.input.dra, world.devices);
  const auto claims = book.claims_of(pod);
  if (!claims) return {{pod.spec.claims.front().name, "missing", claims.error()}};
  std::vector<const Node*> nodes;
  for (const Node& n : world.input.nodes) nodes.push_back(&n);
  std::vector<ClaimState> out;
  for (const ResourceClaim* c : *claims) {
    if (c->allocation) {
      std::vector<std::string> devices;
      for (const AllocatedDevice& d : c->allocation->devices)
        devices.push_back(d.driver + "/" + d.pool + "/" + d.device);
      out.push_back({c->meta.name, "allocated", fmt::format("holds {}", fmt::join(devices, ", "))});
      continue;
    }
    const auto why = dra::explain_claim(book.allocator(), book.in_use(), *c, nodes);
    const bool fits = why.outcome == dra::Attempt::Outcome::kAllocated;
    out.push_back({c->meta.name, "pending", fits ? "fits on node " + why.node : device_reasons(why)});
  }
  return out;
}

/// Pods that the queue tries before the pod, where the pod would fit without them and does not with them.
std::vector<std::string> ahead_of(const SchedulingWorld& world, PodIndex pod) {
  auto scheduler = Scheduler::make(world.input, world.configuration, world.devices);
  if (!scheduler) return {};
  std::vector<PodIndex> before;
  for (const PodIndex p : scheduler->pending(placement::ScheduleOrder::kQueue)) {
    if (p == pod) break;
    if (scheduler->schedule(p, placement::Detail::kNode).bound_to != placement::kNoNode) before.push_back(p);
  }
  if (before.empty() || scheduler->schedule(pod, placement::Detail::kNode).outcome == ScheduleOutcome::kBound)
    return {};
  return names_of(scheduler->snapshot(), before);
}

/// Where it would go, were it in the queue.
std::string beyond_gates(const SchedulingWorld& world, PodIndex pod) {
  SchedulingWorld open = world;
  open.input.pods[pod].spec.scheduling_gates.clear();
  auto scheduler = Scheduler::make(open.input, open.configuration, open.devices);
  if (!scheduler) return "";
  const ScheduleResult r = scheduler->schedule(pod);
  if (r.outcome == ScheduleOutcome::kBound)
    return fmt::format("; without them it goes to node {}", scheduler->snapshot().node_name(r.bound_to));
  return "; without them: " + r.message;
}

class Answering {
 public:
  Answering(const SchedulingWorld& world, Scheduler& scheduler, PodIndex pod)
      : world_(world), scheduler_(scheduler), pod_(pod), object_(world.input.pods[pod]) {}

  void answer(PodReason& out) {
    const Snapshot& snapshot = scheduler_.snapshot();
    const std::vector<PodIndex> going = leaving(snapshot, pod_);
    // The scheduler binds what it can: what it says of the cluster as it is now is kept first.
    Scheduler& s = scheduler_;
    const placement::PodGroup* group = s.group_of(pod_);
    const ScheduleResult tried = group ? with_its_group(*group, out) : s.schedule(pod_);
    out.outcome = to_string(tried.outcome);
    out.message = tried.message;
    out.refusals = explain_placement(snapshot, tried).refusals;
    if (tried.bound_to != placement::kNoNode) out.node = snapshot.node_name(tried.bound_to);
    out.nominated_node = object_.status.nominated_node;
    out.victims = names_of(snapshot, tried.victims.empty() ? going : tried.victims);
    if (tried.nominated) out.nominated_node = snapshot.node_name(*tried.nominated);
    if (tried.outcome == ScheduleOutcome::kBound && !group) out.ahead = ahead_of(world_, pod_);
    out.statement = statement(tried, out);
    if (group)
      out.changes = fewer_pods(*group, out);
    else if (tried.outcome == ScheduleOutcome::kUnschedulable && !tried.filtered.empty())
      out.changes = changes_that_place(world_, snapshot, tried);
  }

 private:
  /// The group is tried as a whole; what became of the pod, and in `out` of the others.
  ScheduleResult with_its_group(const placement::PodGroup& group, PodReason& out) {
    out.group = group.name;
    const Snapshot& snapshot = scheduler_.snapshot();
    for (const PodIndex p : group.members)
      if (snapshot.record(p).node != placement::kNoNode)
        out.members.push_back({full_name(snapshot.pod(p)), "scheduled", ""});
    ScheduleResult own{.pod = pod_};
    for (ScheduleResult& r : scheduler_.schedule_group(group)) {
      const bool fits = r.outcome == ScheduleOutcome::kUnschedulable && !r.best.empty();
      out.members.push_back(
          {full_name(snapshot.pod(r.pod)), fits ? "fits" : std::string(to_string(r.outcome)), r.message});
      if (r.pod == pod_) own = std::move(r);
    }
    return own;
  }

  /// As many as find a node now: tried.
  std::vector<PlacementChange> fewer_pods(const placement::PodGroup& group, const PodReason& out) const {
    const auto there = std::ranges::count_if(
        out.members, [](const GroupMember& m) { return m.outcome == "scheduled" || m.outcome == "fits"; });
    if (out.outcome != "unschedulable" || !group.min_count || there == 0 || there >= *group.min_count)
      return {};
    SchedulingWorld other = world_;
    for (placement::PodGroup& g : other.input.pod_groups)
      if (g.ns == group.ns && g.name == group.name) g.min_count = static_cast<std::int32_t>(there);
    auto scheduler = Scheduler::make(other.input, other.configuration, other.devices);
    if (!scheduler) return {};
    for (const ScheduleResult& r : scheduler->schedule_group(*scheduler->group_of(pod_)))
      if (r.pod == pod_ && r.outcome == ScheduleOutcome::kBound)
        return {{.steps = {fmt::format("minCount {} instead of {} in PodGroup {}", there, *group.min_count,
                                       group.name)},
                 .node = scheduler->snapshot().node_name(r.bound_to)}};
    return {};
  }

  std::string statement(const ScheduleResult& tried, const PodReason& out) const {
    if (tried.outcome == ScheduleOutcome::kGated)
      return "It is not in the scheduler's queue: " + tried.message +
             (object_.spec.scheduling_gates.empty() ? "" : beyond_gates(world_, pod_));
    if (!object_.status.nominated_node.empty() && !out.victims.empty() && !tried.nominated)
      return fmt::format("Preemption has promised it node {}; it waits for {} to leave", out.nominated_node,
                         fmt::join(out.victims, ", "));
    if (tried.outcome == ScheduleOutcome::kPreempting)
      return fmt::format("It gets node {} once {} {} left, which preemption evicts", out.node,
                         fmt::join(out.victims, ", "), out.victims.size() == 1 ? "has" : "have");
    if (tried.outcome == ScheduleOutcome::kUnschedulable && !tried.best.empty())
      return fmt::format("It fits on node {}, but its PodGroup {} does not come together",
                         scheduler_.snapshot().node_name(tried.best.front()), out.group);
    if (tried.outcome == ScheduleOutcome::kUnschedulable && !out.group.empty() && tried.filtered.empty())
      return fmt::format("Its PodGroup {} does not come together", out.group);
    if (tried.outcome == ScheduleOutcome::kUnschedulable) return "No node takes it";
    if (!out.group.empty()) return fmt::format("Nothing keeps its PodGroup {} from its nodes now", out.group);
    if (out.ahead.empty()) return fmt::format("Nothing keeps it from node {} now", out.node);
    return fmt::format("Alone it fits on node {}, but {} pods come before it in the queue and take the room",
                       out.node, out.ahead.size());
  }

  const SchedulingWorld& world_;
  Scheduler& scheduler_;
  PodIndex pod_;
  const Pod& object_;
};

}  // namespace

Result<PodIndex> find_pod(const std::vector<Pod>& pods, const std::string& name) {
  std::vector<PodIndex> found;
  std::vector<std::string> known;
  for (PodIndex p = 0; p < pods.size(); ++p) {
    known.push_back(full_name(pods[p]));
    if (pods[p].meta.name == name || known.back() == name) found.push_back(p);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    return failure(fmt::format("{} pods are called {}", found.size(), name), {}, "say NAMESPACE/NAME");
  const std::string near = did_you_mean(name, known);
  return failure(fmt::format("no pod {} in the files", name), {},
                 near.empty() ? "`kubectl get pods -A -o json` has them" : near.substr(2));
}

Result<PodReason> pod_reason(const SchedulingWorld& world, const std::string& name,
                             const std::vector<RecordedReason>& events) {
  const auto pod = find_pod(world.input.pods, name);
  if (!pod) return std::unexpected(pod.error());
  const Pod& object = world.input.pods[*pod];
  PodReason out{.ns = object.meta.ns, .name = object.meta.name, .since = object.meta.created};
  if (object.status.phase == "Succeeded" || object.status.phase == "Failed") {
    out.outcome = "ended";
    out.statement = "It has ended: " + object.status.phase;
    return out;
  }
  if (!object.spec.node_name.empty()) {
    out.outcome = "scheduled";
    out.node = object.spec.node_name;
    out.statement = "It is on node " + out.node;
    out.since = object.status.start_time;
    return out;
  }
  out.recorded = recorded_in(object, events);
  out.claims = claim_states(world, object);
  auto scheduler = Scheduler::make(world.input, world.configuration, world.devices);
  if (!scheduler) return std::unexpected(scheduler.error());
  Answering(world, *scheduler, *pod).answer(out);
  return out;
}

}  // namespace etiage::explain
