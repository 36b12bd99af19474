#include "engines/quota/run.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "engines/quota/resources.h"
#include "engines/quota/simulation.h"

namespace etiage::quota {

namespace {

using Place = WorkloadState::Place;

constexpr int kIdleCycles = 3;  ///< as many equal cycles in a row end a run

const char* place_name(Place place) {
  return place == Place::kParked ? "parked" : place == Place::kHeap ? "active" : "none";
}

TopologyAssignment topology_record(const State& state, const AssignedTopology& t) {
  if (t.as_given) return *t.as_given;
  TopologyAssignment out;
  const TasTopology& topology = state.topologies[static_cast<std::size_t>(t.topology)];
  out.levels.assign(topology.assigned_levels().begin(), topology.assigned_levels().end());
  for (const LeafPods& d : t.domains) {
    const auto values = topology.assigned_values(d.leaf);
    out.domains.push_back({{values.begin(), values.end()}, d.pods});
  }
  return out;
}

class Recorder {
 public:
  explicit Recorder(Simulation& simulation) : s_(simulation), state_(simulation.state()) {
    std::set<std::string> seen;
    for (const WorkloadState& w : state_.workloads) unique_ &= seen.insert(w.spec->meta.name).second;
    by_name_.resize(state_.workloads.size());
    std::iota(by_name_.begin(), by_name_.end(), 0U);
    std::sort(by_name_.begin(), by_name_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return meta(a) < meta(b); });
  }

  AdmissionRun run(Instant now, int cycles);

 private:
  std::pair<std::string, std::string> meta(std::uint32_t w) const {
    const ObjectMeta& m = state_.workloads[w].spec->meta;
    return {m.name, m.ns};
  }
  /// The namespace is told only where the name alone would not say which.
  std::string name(WorkloadId id) const {
    const ObjectMeta& m = state_.workloads[id.index()].spec->meta;
    return unique_ ? m.name : m.ns + "/" + m.name;
  }
  std::vector<std::string> names(const std::vector<WorkloadId>& ids) const;
  CycleRecord one_cycle(int number, Instant now);
  void finish(AdmissionRun& out) const;
  ClusterQueueRecord queue_record(const QueueState& queue) const;

  Simulation& s_;
  State& state_;
  bool unique_ = true;
  std::vector<std::uint32_t> by_name_;
  CycleOutcome outcome_;
};

std::vector<std::string> Recorder::names(const std::vector<WorkloadId>& ids) const {
  std::vector<std::string> out;
  for (const WorkloadId id : ids) out.push_back(name(id));
  return out;
}

template <class Record>
void sort_by_workload(std::vector<Record>& records) {
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return a.workload < b.workload; });
}

CycleRecord Recorder::one_cycle(int number, Instant now) {
  s_.cycle(now, outcome_);
  CycleRecord out{.cycle = number, .heads = names(outcome_.heads), .order = names(outcome_.order)};
  std::sort(out.heads.begin(), out.heads.end());
  for (const WorkloadId id : outcome_.admitted)
    out.admitted.push_back({name(id), grant_record(s_, id.index())});
  for (const IssuedPreemption& p : outcome_.preempted)
    out.preempted.push_back({name(p.workload), std::string(condition_reason(p.reason)), name(p.by)});
  for (const WorkloadId id : outcome_.pending) {
    const Place place = s_.queues().place(id);
    out.pending.push_back(
        {name(id), place == Place::kHeap ? "requeued" : place_name(place), message_of(s_, id.index())});
  }
  sort_by_workload(out.admitted);
  sort_by_workload(out.preempted);
  sort_by_workload(out.pending);
  std::vector<WorkloadId> parked;
  for (const std::uint32_t w : by_name_)
    if (s_.queues().place({w}) == Place::kParked) parked.push_back({w});
  s_.settle(now, outcome_);
  std::erase_if(parked, [&](WorkloadId id) { return s_.queues().place(id) != Place::kHeap; });
  out.reactivated = names(parked);
  return out;
}

bool same_but_for_order(const CycleRecord& a, const CycleRecord& b) {
  return a.heads == b.heads && a.admitted == b.admitted && a.preempted == b.preempted &&
         a.pending == b.pending && a.reactivated == b.reactivated;
}

AdmissionRun Recorder::run(Instant now, int cycles) {
  AdmissionRun out{.stopped = "cycles"};
  for (const FinishedEviction& e : s_.evicted_at_setup())
    out.evicted_at_start.emplace_back(name(e.workload), e.reason);
  int same = 1;
  for (int n = 1; n <= cycles; ++n) {
    now = now + Duration::seconds(1);
    if (!s_.any_head()) {
      out.stopped = "quiet";
      break;
    }
    out.cycles.push_back(one_cycle(n, now));
    const CycleRecord& last = out.cycles.back();
    const bool still = last.admitted.empty() && last.preempted.empty() && n > 1 &&
                       same_but_for_order(last, out.cycles[out.cycles.size() - 2]);
    same = still ? same + 1 : 1;
    if (same == kIdleCycles) {
      out.stopped = "idle";
      break;
    }
  }
  finish(out);
  return out;
}

void Recorder::finish(AdmissionRun& out) const {
  for (const std::uint32_t i : by_name_) {
    const WorkloadState& w = state_.workloads[i];
    WorkloadRecord& record = out.workloads.emplace_back();
    record.ns = w.spec->meta.ns;
    record.name = w.spec->meta.name;
    if (w.reserved) {
      record.outcome = "admitted";
      record.grant = grant_record(s_, i);
      continue;
    }
    record.message = message_of(s_, i);
    record.outcome = "pending";
    if (!out.cycles.empty())
      for (const PreemptedRecord& p : out.cycles.back().preempted)
        if (p.by == name({i})) record.victims.push_back(p);
    if (!record.victims.empty()) record.outcome = "preempting";
    // Kueue's queues do not know LocalQueues that are stopped.
    const bool queued =
        w.local_queue.valid() && state_.local_queues[w.local_queue.index()].spec->stop == StopPolicy::kNone;
    if (queued && w.queue.valid())
      record.grant.cluster_queue = state_.queues[w.queue.index()].spec->meta.name;
    record.queue = place_name(s_.queues().place({i}));
  }
  for (const QueueState& queue : state_.queues) out.cluster_queues.push_back(queue_record(queue));
}

ClusterQueueRecord Recorder::queue_record(const QueueState& queue) const {
  ClusterQueueRecord out{.name = queue.spec->meta.name};
  for (const QueueGroup& g : queue.groups)
    for (std::size_t f = 0; f < g.flavors.size(); ++f)
      for (std::size_t r = 0; r < g.covered.size(); ++r) {
        const std::string &flavor = state_.flavor_names[g.flavors[f]],
                          &resource = state_.resources[g.covered[r]];
        const Column c = g.column(f, r);
        out.usage[flavor][resource] =
            quantity_of(resource, c == kNoColumn ? 0 : state_.tree.usage(queue.node, c));
        out.available[flavor][resource] = quantity_of(
            resource, c == kNoColumn ? 0 : std::max<Amount>(0, state_.tree.available(queue.node, c)));
      }
  return out;
}

}  // namespace

std::string message_of(const Simulation& simulation, std::size_t workload) {
  const State& state = simulation.state();
  const WorkloadState& w = state.workloads[workload];
  if (!w.status || w.reserved) return "";
  return to_text(*w.status, state.shapes[w.shape.index()].pod_set_names, state.flavor_names, state.resources);
}

GrantRecord grant_record(const Simulation& simulation, std::size_t workload) {
  const State& state = simulation.state();
  const WorkloadState& w = state.workloads[workload];
  GrantRecord out;
  const auto note_count = [&](const std::string& pod_set, std::int32_t asked, std::int32_t given) {
    if (asked != given) out.counts[pod_set] = given;
  };
  if (!w.grant) {
    if (!w.spec->admission) return out;
    out.cluster_queue = w.spec->admission->cluster_queue;
    for (const PodSetAdmission& a : w.spec->admission->pod_sets) out.flavors[a.name] = a.flavors;
    return out;
  }
  out.cluster_queue = state.queues[w.queue.index()].spec->meta.name;
  const Shape& shape = state.shapes[w.shape.index()];
  const Grant& grant = *w.grant;
  const auto pod_set_name = [&](std::size_t i) {
    return grant.pod_sets.empty() ? shape.pod_set_names[i] : grant.pod_sets[i];
  };
  const auto asked = [&](const std::string& name) {
    const auto& sets = w.spec->pod_sets;
    const auto at = std::find_if(sets.begin(), sets.end(), [&](const PodSet& p) { return p.name == name; });
    return at == sets.end() ? 0 : at->count;
  };
  std::size_t next = 0;
  for (std::size_t i = 0; i < grant.ends.size(); ++i) {
    LabelMap& flavors = out.flavors[pod_set_name(i)];
    for (; next < grant.ends[i]; ++next)
      flavors[state.resources[grant.resources[next].resource]] =
          state.flavor_names[grant.resources[next].flavor];
    if (!grant.counts.empty()) note_count(pod_set_name(i), asked(pod_set_name(i)), grant.counts[i]);
  }
  for (const AssignedTopology& t : grant.topologies)
    out.topology.try_emplace(pod_set_name(t.pod_set), topology_record(state, t));
  return out;
}

Result<AdmissionRun> run(const QueueObjects& objects, const QueueConfiguration& configuration,
                         const Release& release, Instant now, int cycles) {
  auto simulation = Simulation::make(objects, configuration, release, now);
  if (!simulation) return std::unexpected(simulation.error());
  return Recorder(*simulation).run(now, cycles);
}

}  // namespace etiage::quota
