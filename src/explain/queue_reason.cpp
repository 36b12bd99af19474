#include "explain/queue_reason.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace etiage::explain {

namespace {

constexpr int kCycles = 60;

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

/// What is tried against the wish: the objects with one thing changed.
struct Change {
  std::string text;
  QueueObjects objects;
};

class Changes {
 public:
  Changes(const QueueObjects& objects, std::size_t workload, const quota::AdmissionRun& run,
          const std::string& cluster_queue)
      : objects_(objects), workload_(workload), run_(run) {
    for (std::size_t i = 0; i < objects.cluster_queues.size(); ++i)
      if (objects.cluster_queues[i].meta.name == cluster_queue) queue_ = static_cast<std::ptrdiff_t>(i);
  }

  std::vector<Change> all();

 private:
  ResourceList request() const;
  void reclaim(std::vector<Change>& out) const;
  void raise_quota(std::vector<Change>& out) const;
  void fewer_pods(std::vector<Change>& out) const;

  const QueueObjects& objects_;
  std::size_t workload_;
  const quota::AdmissionRun& run_;
  std::ptrdiff_t queue_ = -1;
};

ResourceList Changes::request() const {
  ResourceList out;
  for (const PodSet& p : objects_.workloads[workload_].pod_sets)
    for (const auto& [resource, quantity] : effective_requests(p.spec))
      for (std::int32_t i = 0; i < p.count; ++i) out[resource] += quantity;
  return out;
}

void Changes::reclaim(std::vector<Change>& out) const {
  const ClusterQueue& queue = objects_.cluster_queues[static_cast<std::size_t>(queue_)];
  if (queue.cohort.empty() || queue.preemption.reclaim_within_cohort == PreemptionPolicy::kAny) return;
  Change c{fmt::format("preemption.reclaimWithinCohort: Any in ClusterQueue {}: what others of its cohort "
                       "have borrowed comes back",
                       queue.meta.name),
           objects_};
  c.objects.cluster_queues[static_cast<std::size_t>(queue_)].preemption.reclaim_within_cohort =
      PreemptionPolicy::kAny;
  out.push_back(std::move(c));
}

/// As many pods as the pod set's minimum, where the job may run with fewer.
void Changes::fewer_pods(std::vector<Change>& out) const {
  const Workload& w = objects_.workloads[workload_];
  for (std::size_t p = 0; p < w.pod_sets.size(); ++p)
    for (std::int32_t count = w.pod_sets[p].count - 1; count > 0; count /= 2) {
      Change c{
          fmt::format("{} pods instead of {} in pod set {}", count, w.pod_sets[p].count, w.pod_sets[p].name),
          objects_};
      c.objects.workloads[workload_].pod_sets[p].count = count;
      out.push_back(std::move(c));
    }
}

/// By what is missing of each resource now, flavor by flavor.
void Changes::raise_quota(std::vector<Change>& out) const {
  const ClusterQueue& queue = objects_.cluster_queues[static_cast<std::size_t>(queue_)];
  const auto record = std::find_if(run_.cluster_queues.begin(), run_.cluster_queues.end(),
                                   [&](const auto& q) { return q.name == queue.meta.name; });
  const ResourceList asked = request();
  std::size_t most_flavors = 0;
  for (const ResourceGroup& g : queue.resource_groups)
    most_flavors = std::max(most_flavors, g.flavors.size());
  for (std::size_t f = 0; f < most_flavors; ++f) {
    Change c{"", objects_};
    std::vector<std::string> parts;
    for (std::size_t g = 0; g < queue.resource_groups.size(); ++g) {
      const std::size_t flavor = std::min(f, queue.resource_groups[g].flavors.size() - 1);
      FlavorQuotas& quotas =
          c.objects.cluster_queues[static_cast<std::size_t>(queue_)].resource_groups[g].flavors[flavor];
      for (ResourceQuota& q : quotas.resources) {
        const auto wanted = asked.find(q.resource);
        if (wanted == asked.end()) continue;
        const Quantity missing = wanted->second - record->available.at(quotas.flavor).at(q.resource);
        if (missing.sign() <= 0) continue;
        q.nominal += missing;
        parts.push_back(fmt::format("{} {} more nominalQuota of flavor {}", missing.canonical(), q.resource,
                                    quotas.flavor));
      }
    }
    if (parts.empty()) continue;
    c.text = fmt::format("{} in ClusterQueue {}", fmt::join(parts, " and "), queue.meta.name);
    out.push_back(std::move(c));
  }
}

std::vector<Change> Changes::all() {
  std::vector<Change> out;
  if (queue_ < 0) return out;
  reclaim(out);
  raise_quota(out);
  fewer_pods(out);
  return out;
}

const quota::WorkloadRecord& record_of(const quota::AdmissionRun& run, const ObjectMeta& meta) {
  return *std::find_if(run.workloads.begin(), run.workloads.end(),
                       [&](const auto& w) { return w.name == meta.name && w.ns == meta.ns; });
}

/// Those that wait in the same ClusterQueue and come before it: higher priority, or the same and older.
std::vector<std::string> before_it(const QueueObjects& objects, const quota::AdmissionRun& run,
                                   std::size_t workload) {
  const auto key = [&](const Workload& w) {
    return std::tuple(-std::int64_t{w.priority.value_or(0)}, w.meta.created.value_or(Instant{}), w.meta.uid);
  };
  const Workload& own = objects.workloads[workload];
  const std::string& queue = record_of(run, own.meta).grant.cluster_queue;
  std::vector<const Workload*> found;
  for (const Workload& w : objects.workloads) {
    const quota::WorkloadRecord& r = record_of(run, w.meta);
    if (&w != &own && r.outcome != "admitted" && r.grant.cluster_queue == queue && r.queue != "none" &&
        key(w) < key(own))
      found.push_back(&w);
  }
  std::sort(found.begin(), found.end(),
            [&](const Workload* a, const Workload* b) { return key(*a) < key(*b); });
  std::vector<std::string> out;
  for (const Workload* w : found) out.push_back(full_name(w->meta));
  return out;
}

}  // namespace

Result<QueueReason> queue_reason(const QueueObjects& objects, const QueueConfiguration& configuration,
                                 const quota::Release& release, Instant now, const std::string& name) {
  const auto index = find_workload(objects, name);
  if (!index) return std::unexpected(index.error());
  const auto run = quota::run(objects, configuration, release, now, kCycles);
  if (!run) return std::unexpected(run.error());
  const Workload& workload = objects.workloads[*index];
  QueueReason out{record_of(*run, workload.meta), workload.meta.created, {}, {}};
  if (out.decision.outcome == "admitted") return out;
  out.behind = before_it(objects, *run, *index);
  bool by_pods = false;
  for (Change& change : Changes(objects, *index, *run, out.decision.grant.cluster_queue).all()) {
    const bool pods = change.text.find(" pods instead of ") != std::string::npos;
    if (pods && by_pods) continue;  // the largest count that is admitted says it all
    const auto changed = quota::run(change.objects, configuration, release, now, kCycles);
    if (!changed || record_of(*changed, workload.meta).outcome != "admitted") continue;
    out.changes.push_back(std::move(change.text));
    by_pods |= pods;
  }
  return out;
}

std::vector<std::string> sentences(const QueueReason& reason) {
  const quota::WorkloadRecord& d = reason.decision;
  std::vector<std::string> out;
  std::string head = fmt::format("Workload {}/{} is {}", d.ns, d.name, d.outcome);
  if (!d.grant.cluster_queue.empty()) head += fmt::format(" in ClusterQueue {}", d.grant.cluster_queue);
  if (d.outcome != "admitted" && reason.since) head += fmt::format(" since {}", to_string(*reason.since));
  out.push_back(head + ".");
  if (!d.message.empty()) out.push_back("Kueue says: " + d.message);
  for (const auto& v : d.victims)
    out.push_back(fmt::format("It waits for {} to end, which it preempts ({}).", v.workload, v.reason));
  if (!reason.behind.empty())
    out.push_back(fmt::format("Tried before it: {}.", fmt::join(reason.behind, ", ")));
  for (const std::string& change : reason.changes) out.push_back("It would be admitted with " + change + ".");
  return out;
}

}  // namespace etiage::explain
