#include "explain/queue_reason.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engines/quota/simulation.h"
#include "explain/queue_changes.h"

namespace etiage::explain {

namespace {

using quota::Simulation;

constexpr int kCycles = 60;
constexpr std::size_t kNamed = 5;  ///< as many as a sentence names

std::string full_name(const ObjectMeta& m) {
  return m.ns + "/" + m.name;
}

Result<std::size_t> find_workload(const QueueObjects& objects, const std::string& name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < objects.workloads.size(); ++i) {
    const ObjectMeta& m = objects.workloads[i].meta;
    if (m.name == name || full_name(m) == name) found.push_back(i);
  }
  if (found.size() == 1) return found.front();
  if (found.empty())
    return failure(fmt::format("no Workload {} in the files", name), {},
                   "`kubectl get workloads -A` lists them");
  return failure(fmt::format("{} Workloads are called {}", found.size(), name), {}, "say NAMESPACE/NAME");
}

const quota::WorkloadRecord& record_of(const quota::AdmissionRun& run, const ObjectMeta& meta) {
  return *std::find_if(run.workloads.begin(), run.workloads.end(),
                       [&](const auto& w) { return w.name == meta.name && w.ns == meta.ns; });
}

/// Its last eviction, or its creation.
std::optional<Instant> waits_since(const Workload& w) {
  for (const Condition& c : w.conditions)
    if (c.type == "Evicted" && c.status == "True" && c.since) return c.since;
  return w.meta.created;
}

std::string recorded_text(const Workload& w) {
  for (const Condition& c : w.conditions)
    if (c.type == "QuotaReserved" && c.status == "False") return c.message;
  return "";
}

/// Flavors and resources that the workload could be given.
std::set<std::pair<std::string, std::string>> usable(const ClusterQueue& queue, const Workload& w) {
  std::set<std::string> asked;
  for (const PodSet& p : w.pod_sets)
    for (const auto& [resource, amount] : effective_requests(p.spec)) asked.insert(resource);
  std::set<std::pair<std::string, std::string>> out;
  for (const ResourceGroup& g : queue.resource_groups)
    for (const FlavorQuotas& f : g.flavors)
      for (const ResourceQuota& r : f.resources)
        if (asked.contains(r.resource)) out.emplace(f.flavor, r.resource);
  return out;
}

class Asked {
 public:
  Asked(const QueueObjects& objects, const quota::State& state, std::size_t workload)
      : objects_(objects), state_(state), workload_(workload) {
    const auto local = state.workloads[workload].local_queue;
    if (local.valid()) queue_ = state.local_queues[local.index()].queue;
  }

  std::string cluster_queue() const { return queue_.valid() ? spec().meta.name : ""; }
  std::int64_t priority() const { return state_.workloads[workload_].priority; }
  std::vector<std::size_t> before_it(const Simulation& start) const;
  std::vector<std::size_t> holders(const quota::AdmissionRun& end) const;

 private:
  const ClusterQueue& spec() const { return *state_.queues[queue_.index()].spec; }

  const QueueObjects& objects_;
  const quota::State& state_;
  std::size_t workload_;
  quota::QueueId queue_;
};

/// Of its ClusterQueue, as Kueue's own heap has them before the first cycle.
std::vector<std::size_t> Asked::before_it(const Simulation& start) const {
  std::vector<std::size_t> out;
  if (!queue_.valid()) return out;
  for (const quota::WorkloadId w : start.queues().in_order(queue_)) {
    if (w.index() == workload_) return out;
    out.push_back(w.index());
  }
  return {};  // it does not wait in the queue at all
}

/// Whoever has quota in the same tree of cohorts that the workload could be given; the own ClusterQueue
/// first, in it the least important first.
std::vector<std::size_t> Asked::holders(const quota::AdmissionRun& end) const {
  std::vector<std::size_t> out;
  if (!queue_.valid()) return out;
  const auto wanted = usable(spec(), objects_.workloads[workload_]);
  const auto root = [&](quota::QueueId q) { return state_.tree.root(state_.queues[q.index()].node); };
  std::set<std::string> near;
  for (std::uint32_t q = 0; q < state_.queues.size(); ++q)
    if (root({q}) == root(queue_)) near.insert(state_.queues[q].spec->meta.name);
  std::map<std::pair<std::string, std::string>, const quota::GrantRecord*> grants;
  for (const quota::WorkloadRecord& r : end.workloads)
    if (r.outcome == "admitted" && near.contains(r.grant.cluster_queue)) grants[{r.ns, r.name}] = &r.grant;
  const auto grant_of = [&](std::size_t i) {
    const auto at = grants.find({objects_.workloads[i].meta.ns, objects_.workloads[i].meta.name});
    return at == grants.end() ? nullptr : at->second;
  };
  const auto uses = [&](const quota::GrantRecord& g) {
    for (const auto& [pod_set, by_resource] : g.flavors)
      for (const auto& [resource, flavor] : by_resource)
        if (wanted.contains({flavor, resource})) return true;
    return false;
  };
  for (std::size_t i = 0; i < objects_.workloads.size(); ++i)
    if (const quota::GrantRecord* g = grant_of(i); g && i != workload_ && uses(*g)) out.push_back(i);
  std::ranges::stable_sort(out, {}, [&](std::size_t i) {
    return std::pair(grant_of(i)->cluster_queue != spec().meta.name, state_.workloads[i].priority);
  });
  return out;
}

/// Those that admit it, the first of each kind; repairs and policies all.
std::vector<std::string> helping(const QueueCase& c, const QueueConfiguration& configuration,
                                 const quota::Release& release, Instant now) {
  std::vector<std::string> out;
  std::set<QueueChange::Kind> done;
  for (const QueueChange& change : possible_changes(c)) {
    if (done.contains(change.kind)) continue;
    QueueObjects objects = c.objects;
    change.apply(objects);
    const auto run = quota::run(objects, configuration, release, now, kCycles);
    if (!run || record_of(*run, c.objects.workloads[c.workload].meta).outcome != "admitted") continue;
    out.push_back(change.text);
    if (change.kind != QueueChange::Kind::kRepair && change.kind != QueueChange::Kind::kPolicy)
      done.insert(change.kind);
  }
  return out;
}

std::string some_of(const std::vector<std::string>& names) {
  const std::vector<std::string> few(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kNamed)));
  std::string out = fmt::format("{}", fmt::join(few, ", "));
  if (names.size() > kNamed) out += fmt::format(" and {} more", names.size() - kNamed);
  return out;
}

}  // namespace

Result<QueueReason> queue_reason(const QueueObjects& objects, const QueueConfiguration& configuration,
                                 const quota::Release& release, Instant now, const std::string& name) {
  const auto index = find_workload(objects, name);
  if (!index) return std::unexpected(index.error());
  const auto run = quota::run(objects, configuration, release, now, kCycles);
  if (!run) return std::unexpected(run.error());
  const auto start = Simulation::make(objects, configuration, release, now);
  if (!start) return std::unexpected(start.error());
  const Workload& workload = objects.workloads[*index];
  const Asked asked(objects, start->state(), *index);
  QueueReason out{.decision = record_of(*run, workload.meta),
                  .priority = asked.priority(),
                  .since = waits_since(workload),
                  .recorded = recorded_text(workload)};
  if (out.decision.outcome == "admitted") return out;
  QueueCase c{objects, *index, *run, asked.cluster_queue(), out.priority, INT64_MIN, asked.holders(*run)};
  const auto priority_of = [&](std::size_t w) { return start->state().workloads[w].priority; };
  for (const std::size_t w : asked.before_it(*start)) {
    out.behind.push_back(full_name(objects.workloads[w].meta));
    c.priority_ahead = std::max(c.priority_ahead, priority_of(w));
  }
  for (const std::size_t w : c.holders) {
    const std::string& queue = record_of(*run, objects.workloads[w].meta).grant.cluster_queue;
    out.holders.push_back(
        {full_name(objects.workloads[w].meta), queue, priority_of(w), priority_of(w) < out.priority});
    if (queue == c.cluster_queue) c.priority_ahead = std::max(c.priority_ahead, priority_of(w));
  }
  out.changes = helping(c, configuration, release, now);
  return out;
}

std::string statement(const QueueReason& reason) {
  const quota::WorkloadRecord& d = reason.decision;
  std::string out = fmt::format("Workload {}/{} is {}", d.ns, d.name, d.outcome);
  if (!d.grant.cluster_queue.empty()) out += fmt::format(" in ClusterQueue {}", d.grant.cluster_queue);
  if (d.outcome != "admitted" && reason.since) out += fmt::format(" since {}", to_string(*reason.since));
  return out + ".";
}

std::vector<std::string> sentences(const QueueReason& reason) {
  std::vector<std::string> out{statement(reason)};
  const quota::WorkloadRecord& d = reason.decision;
  if (!d.message.empty()) out.push_back("Kueue says: " + d.message);
  for (const auto& v : d.victims)
    out.push_back(fmt::format("It waits for {} to end, which it preempts ({}).", v.workload, v.reason));
  if (!reason.behind.empty()) out.push_back(fmt::format("Tried before it: {}.", some_of(reason.behind)));
  std::vector<std::string> holders;
  for (const QuotaHolder& h : reason.holders)
    holders.push_back(
        fmt::format("{} (ClusterQueue {}, priority {})", h.workload, h.cluster_queue, h.priority));
  if (!holders.empty()) out.push_back(fmt::format("The quota is held by {}.", some_of(holders)));
  for (const std::string& change : reason.changes) out.push_back("It would be admitted with " + change + ".");
  return out;
}

}  // namespace etiage::explain
