#include "explain/lint/kueue_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace etiage::explain {

namespace {

class KueueLint {
 public:
  KueueLint(const QueueObjects& objects, Diagnostics& out) : o_(objects), out_(out) {
    for (const ResourceFlavor& f : o_.flavors) flavors_[f.meta.name] = &f;
    for (const ClusterQueue& q : o_.cluster_queues) queues_[q.meta.name] = &q;
  }

  void run();

 private:
  void warn(const ObjectMeta& at, std::string code, std::string path, std::string message, std::string hint,
            Severity severity = Severity::kWarning);
  template <class Object>
  void add_refusals(const std::vector<Object>& objects) {
    for (const Object& o : objects)
      for (Diagnostic& d : refusals(o)) out_.push_back(std::move(d));
  }
  void check_policies(const ClusterQueue& q);
  void check_coverage(const ClusterQueue& q);
  void check_capacity();
  void check_cohort_cycles();
  void check_local_queues();
  void check_workloads();

  const QueueObjects& o_;
  Diagnostics& out_;
  std::map<std::string, const ResourceFlavor*> flavors_;
  std::map<std::string, const ClusterQueue*> queues_;
};

void KueueLint::warn(const ObjectMeta& at, std::string code, std::string path, std::string message,
                     std::string hint, Severity severity) {
  Place place = at.place;
  place.path = std::move(path);
  out_.push_back(
      {severity, "kueue-" + std::move(code), std::move(place), std::move(message), std::move(hint)});
}

bool covers(const ClusterQueue& q, const std::string& resource) {
  return std::any_of(q.resource_groups.begin(), q.resource_groups.end(), [&](const ResourceGroup& g) {
    return std::find(g.covered_resources.begin(), g.covered_resources.end(), resource) !=
           g.covered_resources.end();
  });
}

void KueueLint::check_policies(const ClusterQueue& q) {
  const std::string& name = q.meta.name;
  if (!q.namespace_selector)
    warn(q.meta, "null-namespace-selector", "spec.namespaceSelector",
         fmt::format(
             "ClusterQueue {} admits nothing: without namespaceSelector it takes workloads of no namespace",
             name),
         "namespaceSelector: {} takes those of every namespace");
  std::size_t most_flavors = 0;
  bool no_borrowing = false;
  for (const ResourceGroup& g : q.resource_groups) {
    most_flavors = std::max(most_flavors, g.flavors.size());
    for (const FlavorQuotas& f : g.flavors)
      for (const ResourceQuota& r : f.resources)
        no_borrowing |= r.borrowing_limit && r.borrowing_limit->is_zero();
  }
  const bool reclaims = q.preemption.reclaim_within_cohort != PreemptionPolicy::kNever;
  if (!q.cohort.empty() && !reclaims)
    warn(q.meta, "no-reclaim", "spec.preemption",
         fmt::format("ClusterQueue {} lends to cohort {} and cannot take back: its own jobs wait until the "
                     "borrowers' jobs end",
                     name, q.cohort),
         "preemption: {reclaimWithinCohort: Any, withinClusterQueue: LowerPriority}");
  if (q.strict_fifo && most_flavors > 1)
    warn(q.meta, "strict-fifo-flavors", "spec.queueingStrategy",
         fmt::format("ClusterQueue {} is StrictFIFO over {} flavors: its first job blocks all behind it, "
                     "also those for other flavors",
                     name, most_flavors),
         "a ClusterQueue for each flavor, or BestEffortFIFO");
  if (q.strict_fifo && !q.cohort.empty() && q.preemption.reclaim_within_cohort != PreemptionPolicy::kAny)
    warn(q.meta, "strict-fifo-holds-quota", "spec.preemption.reclaimWithinCohort",
         fmt::format(
             "while the first job of StrictFIFO ClusterQueue {} waits, nobody can borrow its idle quota",
             name),
         "reclaimWithinCohort: Any lets others borrow what it can take back");
  if (no_borrowing && q.fungibility.preference == FungibilityPreference::kPreemptionOverBorrowing)
    warn(q.meta, "preference-without-borrowing", "spec.flavorFungibility.preference",
         fmt::format("ClusterQueue {} prefers preemption to borrowing, but a borrowingLimit of 0 lets it "
                     "borrow nothing",
                     name),
         "take the preference or the borrowingLimit out");
}

void KueueLint::check_coverage(const ClusterQueue& q) {
  std::vector<std::string> missing;
  for (const char* resource : {"cpu", "memory"})
    if (!covers(q, resource)) missing.emplace_back(resource);
  if (missing.empty() || q.resource_groups.empty()) return;
  warn(q.meta, "undeclared-resource", "spec.resourceGroups",
       fmt::format("ClusterQueue {} has no quota for {}: a pod that requests it is never admitted "
                   "(\"resource {} unavailable in ClusterQueue\")",
                   q.meta.name, fmt::join(missing, " and "), missing.front()),
       fmt::format("add a resourceGroup for {} on a flavor of its own, or set "
                   "resources.excludeResourcePrefixes, or quotaCheckStrategy: "
                   "IgnoreUndeclared (0.19)",
                   fmt::join(missing, ", ")));
}

/// Quota that no node stands behind.
void KueueLint::check_capacity() {
  if (o_.nodes.empty()) return;
  std::map<std::pair<std::string, std::string>, Quantity> nominal;
  for (const ClusterQueue& q : o_.cluster_queues)
    for (const ResourceGroup& g : q.resource_groups)
      for (const FlavorQuotas& f : g.flavors)
        for (const ResourceQuota& r : f.resources) nominal[{f.flavor, r.resource}] += r.nominal;
  for (const auto& [pair, promised] : nominal) {
    const auto& [flavor, resource] = pair;
    if (resource.find('/') == std::string::npos || !flavors_.contains(flavor)) continue;
    Quantity there;
    for (const Node& n : o_.nodes) {
      const auto has = [&](const auto& kv) {
        const auto it = n.meta.labels.find(kv.first);
        return it != n.meta.labels.end() && it->second == kv.second;
      };
      const LabelMap& labels = flavors_[flavor]->node_labels;
      const auto amount = n.allocatable.find(resource);
      if (amount != n.allocatable.end() && std::all_of(labels.begin(), labels.end(), has))
        there += amount->second;
    }
    if (promised > there)
      warn(flavors_[flavor]->meta, "quota-beyond-nodes", "spec",
           fmt::format("ClusterQueues promise {} {} of flavor {}, its nodes have {}", promised.canonical(),
                       resource, flavor, there.canonical()),
           "jobs beyond that are admitted and stay Pending; lower the nominalQuotas, or turn on "
           "waitForPodsReady");
  }
}

void KueueLint::check_cohort_cycles() {
  std::map<std::string, const Cohort*> cohorts;
  for (const Cohort& c : o_.cohorts) cohorts[c.meta.name] = &c;
  for (const Cohort& c : o_.cohorts) {
    std::set<std::string> seen;
    const Cohort* at = &c;
    while (at && seen.insert(at->meta.name).second) {
      const auto parent = cohorts.find(at->parent);
      at = parent == cohorts.end() ? nullptr : parent->second;
    }
    if (at && at->meta.name == c.meta.name)
      warn(c.meta, "cohort-cycle", "spec.parentName",
           fmt::format("Cohort {} is its own ancestor: every ClusterQueue in the cycle is inactive",
                       c.meta.name),
           "take one parentName out", Severity::kError);
  }
}

void KueueLint::check_local_queues() {
  if (o_.cluster_queues.empty()) return;
  for (const LocalQueue& q : o_.local_queues)
    if (!queues_.contains(q.cluster_queue))
      warn(q.meta, "missing-ClusterQueue", "spec.clusterQueue",
           fmt::format("LocalQueue {}/{} leads nowhere: there is no ClusterQueue {}", q.meta.ns, q.meta.name,
                       q.cluster_queue),
           "", Severity::kError);
}

void KueueLint::check_workloads() {
  std::map<std::pair<std::string, std::string>, const LocalQueue*> local;
  for (const LocalQueue& q : o_.local_queues) local[{q.meta.ns, q.meta.name}] = &q;
  for (const Workload& w : o_.workloads) {
    const auto queue = local.find({w.meta.ns, w.queue});
    if (queue == local.end() || !queues_.contains(queue->second->cluster_queue)) continue;
    const ClusterQueue& q = *queues_[queue->second->cluster_queue];
    std::set<std::string> missing;
    for (const PodSet& p : w.pod_sets)
      for (const auto& [resource, amount] : effective_requests(p.spec))
        if (!amount.is_zero() && !covers(q, resource)) missing.insert(resource);
    for (const std::string& resource : missing)
      warn(w.meta, "uncovered-request", "spec.podSets",
           fmt::format("Workload {}/{} is never admitted: resource {} unavailable in ClusterQueue {}",
                       w.meta.ns, w.meta.name, resource, q.meta.name),
           "cover the resource, or exclude it by resources.excludeResourcePrefixes", Severity::kError);
  }
}

void KueueLint::run() {
  add_refusals(o_.cluster_queues);
  add_refusals(o_.cohorts);
  add_refusals(o_.flavors);
  add_refusals(o_.topologies);
  add_refusals(o_.workloads);
  add_refusals(o_.local_queues);
  lint_activity(o_, out_);
  for (const ClusterQueue& q : o_.cluster_queues) {
    check_policies(q);
    check_coverage(q);
  }
  check_capacity();
  check_cohort_cycles();
  check_local_queues();
  check_workloads();
}

}  // namespace

void lint_kueue(const LintInput& input, Diagnostics& out) {
  KueueLint(input.queues, out).run();
}

}  // namespace etiage::explain
