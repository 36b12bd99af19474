#include "engines/quota/scheduler.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/checks.h"
#include "engines/quota/entry_order.h"
#include "engines/quota/local_usage.h"
#include "engines/quota/match.h"

namespace etiage::quota {

void Scheduler::run_cycle(Instant now, CycleOutcome& out) {
  out_ = &out;
  now_ = now;
  out.order.clear();
  out.admitted.clear();
  out.pending.clear();
  out.preempted.clear();
  out.rewritten.clear();
  claimed_.clear();
  nominated_.clear();
  admitted_one_ = false;
  if (state_.admission_fair_sharing()) note_local_usage(state_);
  queues_.pop_heads(out.heads);
  if (entries_.size() < out.heads.size()) entries_.resize(out.heads.size());
  const std::span<Entry> entries(entries_.data(), out.heads.size());
  const UndoLog::Mark start = state_.tree.log().mark();
  for (std::uint32_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[i];
    entry.workload = out.heads[i];
    entry.targets.clear();
    entry.requeue_reason = RequeueReason::kGeneric;
    entry.outcome = Entry::Outcome::kNotNominated;
    entry.status = {};
    entry.keep_last_tried = entry.waits_for_ready = entry.keep_status = false;
    if (!may_be_nominated(entry)) continue;
    nominate(state_, entry, now.ns);
    nominated_.push_back(i);
  }
  EntryOrder order(state_, entries, nominated_);
  while (Entry* entry = order.next()) {
    out.order.push_back(entry->workload);
    process(*entry);
  }
  state_.tree.log().revert_to(start);
  for (Entry& entry : entries)
    if (entry.outcome == Entry::Outcome::kAdmitted) admit(entry);
  for (Entry& entry : entries)
    if (entry.outcome != Entry::Outcome::kAdmitted) put_back(entry);
}

/// False: why not stands in the status.
bool Scheduler::may_be_nominated(Entry& entry) const {
  const WorkloadState& w = state_.workloads[entry.workload.index()];
  const QueueState& queue = state_.queues[w.queue.index()];
  const bool later = state_.release.after_017();
  std::string& why = entry.status.plain;
  const auto failed = [](const AdmissionCheckState& c) {
    return c.state == "Retry" || c.state == "Rejected";
  };
  if (std::any_of(w.checks.begin(), w.checks.end(), failed)) {
    why = "The workload has failed admission checks";
    return false;
  }
  if (queue.in_cycle) {
    why = fmt::format("ClusterQueue {} is inactive", queue.spec->meta.name);
    return false;
  }
  const std::string& ns = w.spec->meta.ns;
  const LabelMap* labels = state_.namespace_labels(ns);
  if (!labels) {
    why = later ? fmt::format("workload namespace \"{0}\" does not exist: namespaces \"{0}\" not found", ns)
                : fmt::format("Could not obtain workload namespace: namespaces \"{}\" not found", ns);
    return false;
  }
  const auto& selector = queue.spec->namespace_selector;
  if (!selector || !matches(*selector, *labels)) {
    why = later ? "workload namespace doesn't match ClusterQueue selector"
                : "Workload namespace doesn't match ClusterQueue selector";
    entry.requeue_reason = RequeueReason::kNamespaceMismatch;
    return false;
  }
  why = state_.shape_of(entry.workload).invalid;
  return why.empty();
}

void Scheduler::skip(Entry& entry, const char* why) const {
  entry.outcome = Entry::Outcome::kSkipped;
  entry.status = {.plain = why};
  entry.keep_last_tried = false;
}

NodeId Scheduler::root_of(const Entry& entry) const {
  return state_.tree.root(state_.queues[state_.workloads[entry.workload.index()].queue.index()].node);
}

/// Victims stand in the preemptor's own tree.
bool Scheduler::overlaps(const Entry& entry) const {
  const auto claimed = claimed_.find(root_of(entry));
  return claimed != claimed_.end() &&
         std::any_of(entry.targets.begin(), entry.targets.end(), [&](const Target& t) {
           const auto& victims = claimed->second.victims;
           return std::find(victims.begin(), victims.end(), t.workload) != victims.end();
         });
}

void Scheduler::claim(const Entry& entry) {
  Claimed& claimed = claimed_[root_of(entry)];
  for (const Target& t : entry.targets) {
    claimed.victims.push_back(t.workload);
    const WorkloadState& w = state_.workloads[t.workload.index()];
    for (const Assigned& a : w.grant->resources) {
      if (a.column == kNoColumn) continue;
      Amount& held = claimed.held[{state_.queues[w.queue.index()].node, a.column}];
      held = plus(held, a.amount);
    }
  }
}

void Scheduler::remove_claimed(const Entry& entry, bool with_places) {
  if (with_places) {
    for (const auto& [root, claimed] : claimed_)
      for (const WorkloadId w : claimed.victims) state_.remove_usage(w);
    return;
  }
  // Other trees share nothing with it but places; of its own, one sum a ClusterQueue is the same as many
  // parts.
  const auto own = claimed_.find(root_of(entry));
  if (own == claimed_.end()) return;
  for (const auto& [cell, amount] : own->second.held)
    state_.tree.remove_usage(cell.first, cell.second, amount);
}

std::pair<bool, bool> Scheduler::fits(const Entry& entry, const std::vector<AssignedTopology>& places) {
  const NodeId node = state_.queues[state_.workloads[entry.workload.index()].queue.index()].node;
  const UndoLog::Mark mark = state_.tree.log().mark();
  remove_claimed(entry, !places.empty());
  for (const Target& t : entry.targets) state_.remove_usage(t.workload);
  const auto has_quota = [&](const ColumnAmount& u) {
    return std::max<Amount>(0, state_.tree.available(node, u.column)) >= u.amount;
  };
  const bool quota = std::all_of(entry.assignment.usage.begin(), entry.assignment.usage.end(), has_quota);
  const bool room = std::all_of(places.begin(), places.end(), [&](const AssignedTopology& t) {
    return quota::fits(state_.topologies[static_cast<std::size_t>(t.topology)], usage_of(t),
                       state_.release.after_017());
  });
  state_.tree.log().revert_to(mark);
  return {quota && room, quota && !room};
}

void Scheduler::add_usage(const Entry& entry, const std::vector<AssignedTopology>& places) {
  const NodeId node = state_.queues[state_.workloads[entry.workload.index()].queue.index()].node;
  for (const ColumnAmount& u : entry.assignment.usage) state_.tree.add_usage(node, u.column, u.amount);
  for (const AssignedTopology& t : places)
    state_.topologies[static_cast<std::size_t>(t.topology)].add_usage(usage_of(t), 1, state_.tree.log());
}

/// It needs preemption and nobody may be preempted. Where its queue cannot reclaim its quota later either,
/// what it could have is kept from those behind it for the rest of the cycle.
void Scheduler::hold_back_capacity(Entry& entry) {
  const QueueState& queue = state_.queues[state_.workloads[entry.workload.index()].queue.index()];
  if (queue.spec->preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  for (const ColumnAmount& u : entry.assignment.usage) {
    const Amount nominal = state_.tree.nominal(queue.node, u.column),
                 used = state_.tree.usage(queue.node, u.column);
    const Amount limit = state_.tree.borrowing_limit(queue.node, u.column);
    Amount held = u.amount;
    if (entry.assignment.borrowing == 0)
      held = std::max<Amount>(0, std::min(u.amount, minus(nominal, used)));
    else if (limit != kUnlimited)
      held = std::min(u.amount, minus(plus(nominal, limit), used));
    state_.tree.add_usage(queue.node, u.column, held);
  }
  for (const AssignedTopology& t : places_in_cycle(state_, entry))
    state_.topologies[static_cast<std::size_t>(t.topology)].add_usage(usage_of(t), 1, state_.tree.log());
}

void Scheduler::process(Entry& entry) {
  std::vector<AssignedTopology> places = places_in_cycle(state_, entry);
  const bool later = state_.release.after_017();
  std::pair<bool, bool> fit;
  const bool early = later && !places.empty();
  if (early) {
    fit = fits(entry, places);
    if (fit.second && state_.release.gates.tas_recompute_within_cycle) {
      // Somebody before it took its places: look for others in the same flavors.
      state_.workloads[entry.workload.index()].last_tried.reset();
      const Nomination nomination = nomination_of(entry.assignment);
      nominate(state_, entry, now_.ns, &nomination);
      places = places_in_cycle(state_, entry);
      fit = fits(entry, places);
    }
  }
  entry.status = entry.assignment.status();
  const Mode mode = entry.assignment.mode();
  if (mode == Mode::kNoFit) {
    if (later) entry.requeue_reason = RequeueReason::kNoFit;
    return;
  }
  if (mode == Mode::kPreempt && entry.targets.empty()) {
    if (later) entry.requeue_reason = RequeueReason::kPreemptionNoCandidates;
    return hold_back_capacity(entry);
  }
  if (overlaps(entry))
    return skip(entry, "Workload has overlapping preemption targets with another workload");
  if (!early) fit = fits(entry, places);
  if (!fit.first) return skip(entry, "Workload no longer fits after processing another workload");
  claim(entry);
  add_usage(entry, places);
  if (mode == Mode::kPreempt) {
    for (const Target& t : entry.targets) evict(t, entry.workload);
    entry.status.preempting = static_cast<std::int32_t>(entry.targets.size());
    entry.requeue_reason = RequeueReason::kPendingPreemption;
    entry.keep_last_tried = false;
    return;
  }
  if (waits_for_others()) {
    entry.waits_for_ready = true;
    return skip(entry, "waiting for all admitted workloads to be in PodsReady condition");
  }
  entry.outcome = Entry::Outcome::kAdmitted;
  admitted_one_ = true;
}

bool Scheduler::waits_for_others() const {
  const auto& wait = state_.configuration.wait_for_pods_ready;
  if (!wait || !wait->block_admission || state_.release.gates.disable_wait_for_pods_ready) return false;
  const auto ready = [&](WorkloadId id) {
    const auto& conditions = state_.workloads[id.index()].spec->conditions;
    return std::any_of(conditions.begin(), conditions.end(),
                       [](const Condition& c) { return c.type == "PodsReady" && c.status == "True"; });
  };
  return admitted_one_ || std::any_of(state_.queues.begin(), state_.queues.end(), [&](const QueueState& q) {
           return !std::all_of(q.reserving.begin(), q.reserving.end(), ready);
         });
}

void Scheduler::evict(const Target& target, WorkloadId by) {
  WorkloadState& w = state_.workloads[target.workload.index()];
  if (w.evicted) return;  // on its way out already
  const Workload& preemptor = *state_.workloads[by.index()].spec;
  const auto job = preemptor.meta.labels.find("kueue.x-k8s.io/job-uid");
  w.evicted_message = fmt::format(
      "Preempted to accommodate a workload (UID: {}, JobUID: {}) due to {}; preemptor path: {}; preemptee "
      "path: {}",
      preemptor.meta.uid.empty() ? "UNKNOWN" : preemptor.meta.uid,
      job == preemptor.meta.labels.end() || job->second.empty() ? "UNKNOWN" : job->second,
      human_reason(target.reason), state_.path_of(state_.workloads[by.index()].queue),
      state_.path_of(w.queue));
  w.evicted = w.preempted = true;
  w.evicted_at = w.preempted_at = now_;
  w.evicted_reason = "Preempted";
  w.preempted_reason = condition_reason(target.reason);
  for (AdmissionCheckState& c : w.checks) c = {c.name, "Pending", ""};
  ++state_.queues[w.queue.index()].generation;
  out_->preempted.push_back({target.workload, by, target.reason});
}

void Scheduler::admit(Entry& entry) {
  WorkloadState& w = state_.workloads[entry.workload.index()];
  Grant grant = grant_of(state_, entry);
  queues_.remove(entry.workload);
  w.last_tried.reset();
  w.status.reset();
  w.reserved = true;
  w.reserved_at = now_.ns;
  w.evicted = w.preempted = false;
  queues_.refresh_order(entry.workload);  // as a victim it counts from its creation again
  const QueueState& queue = state_.queues[w.queue.index()];
  w.admitted = !grant.topology_delayed && all_checks_ready(w, queue, grant, state_.release);
  if (state_.admission_fair_sharing() && state_.queues[w.queue.index()].usage_based)
    push_penalty(state_, entry.workload);
  state_.reserve(entry.workload, std::move(grant));
  ++state_.queues[w.queue.index()].generation;
  out_->admitted.push_back(entry.workload);
}

void Scheduler::put_back(Entry& entry) {
  WorkloadState& w = state_.workloads[entry.workload.index()];
  const QueueState& queue = state_.queues[w.queue.index()];
  out_->pending.push_back(entry.workload);
  if (entry.outcome == Entry::Outcome::kSkipped && entry.requeue_reason == RequeueReason::kGeneric)
    entry.requeue_reason = RequeueReason::kFailedAfterNomination;
  w.last_tried = entry.keep_last_tried ? entry.assignment.last_tried(queue.generation) : nullptr;
  queues_.requeue(entry.workload, entry.requeue_reason, w.last_tried != nullptr, now_);
  write_status(entry);
}

/// A changed condition reaches the queues as an update, which forgets the flavors tried.
void Scheduler::write_status(Entry& entry) {
  WorkloadState& w = state_.workloads[entry.workload.index()];
  const std::string_view reason = entry.waits_for_ready ? "Waiting" : "Pending";
  bool same =
      w.status && w.status_reason == reason && w.requests_known && !plainly_differ(*w.status, entry.status);
  if (same && *w.status != entry.status) {
    const auto& names = state_.shape_of(entry.workload).pod_set_names;
    const auto text = [&](const StatusText& s) {
      return to_text(s, names, state_.flavor_names, state_.resources);
    };
    same = text(*w.status) == text(entry.status);
  }
  if (same) return;
  out_->rewritten.push_back(entry.workload);
  w.last_tried.reset();
  w.requests_known = true;
  w.status_reason = reason;
  if (!w.status) w.status = std::make_unique<StatusText>();
  *w.status = std::move(entry.status);
}

}  // namespace etiage::quota
