#include "explain/queue_changes.h"

#include <algorithm>
#include <fmt/format.h>

namespace etiage::explain {
namespace {

using Kind = QueueChange::Kind;

constexpr std::size_t kMostEnds = 16;
constexpr const char* kGate = "kueue.x-k8s.io/admission-gated-by";

class Changes {
 public:
  explicit Changes(const QueueCase& c) : c_(c), workload_(c.objects.workloads[c.workload]) {
    const auto& queues = c.objects.cluster_queues;
    const auto at = std::ranges::find(queues, c.cluster_queue, [](const auto& q) { return q.meta.name; });
    if (at != queues.end()) queue_ = static_cast<std::size_t>(at - queues.begin());
    for (const PodSet& p : workload_.pod_sets)
      for (const auto& [resource, quantity] : effective_requests(p.spec))
        for (std::int32_t i = 0; i < p.count; ++i) request_[resource] += quantity;
  }

  std::vector<QueueChange> all();

 private:
  void add(Kind kind, std::string text, std::function<void(QueueObjects&)> apply) {
    out_.push_back({kind, std::move(text), std::move(apply)});
  }
  const ClusterQueue* queue() const { return queue_ ? &c_.objects.cluster_queues[*queue_] : nullptr; }
  void repair_workload();
  void repair_local_queue();
  void repair_queue();
  void cover_resources();
  void allow_preemption();
  void raise_borrowing();
  void raise_quota();
  void fewer_pods();
  void higher_priority();
  void ends();
  Quantity missing(const std::string& flavor, const std::string& resource) const;

  const QueueCase& c_;
  const Workload& workload_;
  std::optional<std::size_t> queue_;
  ResourceList request_;
  std::vector<QueueChange> out_;
};

void Changes::repair_workload() {
  const std::size_t w = c_.workload;
  if (!workload_.active)
    add(Kind::kRepair, "spec.active: true", [w](QueueObjects& o) {
      o.workloads[w].active = true;
      std::erase_if(o.workloads[w].conditions,
                    [](const Condition& c) { return c.type == "DeactivationTarget"; });
    });
  if (workload_.meta.annotations.contains(kGate))
    add(Kind::kRepair, fmt::format("its annotation {} taken away", kGate),
        [w](QueueObjects& o) { o.workloads[w].meta.annotations.erase(kGate); });
}

void Changes::repair_local_queue() {
  const auto& locals = c_.objects.local_queues;
  const auto own = std::ranges::find_if(locals, [&](const LocalQueue& q) {
    return q.meta.ns == workload_.meta.ns && q.meta.name == workload_.queue;
  });
  if (own == locals.end()) {
    for (const LocalQueue& q : locals)
      if (q.meta.ns == workload_.meta.ns)
        add(Kind::kRepair, fmt::format("queue name {}, a LocalQueue that is there", q.meta.name),
            [w = c_.workload, name = q.meta.name](QueueObjects& o) { o.workloads[w].queue = name; });
    return;
  }
  if (own->stop != StopPolicy::kNone)
    add(Kind::kRepair, fmt::format("stopPolicy: None in LocalQueue {}/{}", own->meta.ns, own->meta.name),
        [i = own - locals.begin()](QueueObjects& o) {
          o.local_queues[static_cast<std::size_t>(i)].stop = StopPolicy::kNone;
        });
}

void Changes::repair_queue() {
  const std::size_t q = *queue_;
  if (queue()->stop != StopPolicy::kNone)
    add(Kind::kRepair, fmt::format("stopPolicy: None in ClusterQueue {}", c_.cluster_queue),
        [q](QueueObjects& o) { o.cluster_queues[q].stop = StopPolicy::kNone; });
  if (queue()->namespace_selector != LabelSelector{})
    add(Kind::kRepair,
        fmt::format("a namespaceSelector in ClusterQueue {} that takes namespace {} (namespaceSelector: {{}} "
                    "takes all)",
                    c_.cluster_queue, workload_.meta.ns),
        [q](QueueObjects& o) { o.cluster_queues[q].namespace_selector = LabelSelector{}; });
  std::vector<std::string> absent;
  for (const ResourceGroup& g : queue()->resource_groups)
    for (const FlavorQuotas& f : g.flavors)
      if (std::ranges::none_of(c_.objects.flavors, [&](const auto& x) { return x.meta.name == f.flavor; }))
        absent.push_back(f.flavor);
  if (!absent.empty())
    add(Kind::kRepair, fmt::format("ResourceFlavor {}, which is missing", fmt::join(absent, ", ")),
        [absent](QueueObjects& o) {
          for (const std::string& name : absent) o.flavors.emplace_back().meta.name = name;
        });
}

/// Resources without any quota: one more group on a flavor of its own, as large as the request.
void Changes::cover_resources() {
  ResourceGroup group{{}, {{"etiage-default-flavor", {}}}};
  std::vector<std::string> parts;
  for (const auto& [resource, amount] : request_) {
    const auto covers = [&](const ResourceGroup& g) {
      return std::ranges::find(g.covered_resources, resource) != g.covered_resources.end();
    };
    if (amount.is_zero() || std::ranges::any_of(queue()->resource_groups, covers)) continue;
    group.covered_resources.push_back(resource);
    group.flavors[0].resources.push_back({.resource = resource, .nominal = amount});
    parts.push_back(fmt::format("{} {}", amount.canonical(), resource));
  }
  if (parts.empty()) return;
  add(Kind::kRepair,
      fmt::format("a resourceGroup for {} in ClusterQueue {} on a flavor of its own",
                  fmt::join(parts, " and "), c_.cluster_queue),
      [q = *queue_, group](QueueObjects& o) {
        o.flavors.emplace_back().meta.name = group.flavors[0].flavor;
        o.cluster_queues[q].resource_groups.push_back(group);
      });
}

void Changes::allow_preemption() {
  const std::size_t q = *queue_;
  const ClusterQueuePreemption& p = queue()->preemption;
  if (!queue()->cohort.empty() && p.reclaim_within_cohort != PreemptionPolicy::kAny)
    add(Kind::kPolicy,
        fmt::format("preemption.reclaimWithinCohort: Any in ClusterQueue {}: what others of its cohort have "
                    "borrowed comes back",
                    c_.cluster_queue),
        [q](QueueObjects& o) {
          o.cluster_queues[q].preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
        });
  if (p.within_cluster_queue == PreemptionPolicy::kNever)
    add(Kind::kPolicy,
        fmt::format("preemption.withinClusterQueue: LowerPriority in ClusterQueue {}: it takes the place of "
                    "less important ones",
                    c_.cluster_queue),
        [q](QueueObjects& o) {
          o.cluster_queues[q].preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
        });
}

void Changes::raise_borrowing() {
  const auto limited = [](const ResourceGroup& g) {
    return std::ranges::any_of(g.flavors, [](const FlavorQuotas& f) {
      return std::ranges::any_of(f.resources, [](const auto& r) { return r.borrowing_limit.has_value(); });
    });
  };
  if (queue()->cohort.empty() || std::ranges::none_of(queue()->resource_groups, limited)) return;
  add(Kind::kBorrowing, fmt::format("no borrowingLimit in ClusterQueue {}", c_.cluster_queue),
      [q = *queue_](QueueObjects& o) {
        for (ResourceGroup& g : o.cluster_queues[q].resource_groups)
          for (FlavorQuotas& f : g.flavors)
            for (ResourceQuota& r : f.resources) r.borrowing_limit.reset();
      });
}

/// How much more of it the ClusterQueue would have to have free.
Quantity Changes::missing(const std::string& flavor, const std::string& resource) const {
  const auto record =
      std::ranges::find(c_.run.cluster_queues, c_.cluster_queue, &quota::ClusterQueueRecord::name);
  const auto wanted = request_.find(resource);
  if (wanted == request_.end() || record == c_.run.cluster_queues.end()) return {};
  const auto by_flavor = record->available.find(flavor);
  if (by_flavor == record->available.end() || !by_flavor->second.contains(resource)) return {};
  return wanted->second - by_flavor->second.at(resource);
}

/// By what is missing of each resource now, flavor by flavor.
void Changes::raise_quota() {
  std::size_t most_flavors = 0;
  for (const ResourceGroup& g : queue()->resource_groups)
    most_flavors = std::max(most_flavors, g.flavors.size());
  for (std::size_t f = 0; f < most_flavors; ++f) {
    std::vector<std::string> parts;
    std::vector<ResourceGroup> groups = queue()->resource_groups;
    for (ResourceGroup& g : groups) {
      if (g.flavors.empty()) continue;
      FlavorQuotas& quotas = g.flavors[std::min(f, g.flavors.size() - 1)];
      for (ResourceQuota& q : quotas.resources) {
        const Quantity more = missing(quotas.flavor, q.resource);
        if (more.sign() <= 0) continue;
        q.nominal += more;
        parts.push_back(
            fmt::format("{} {} more nominalQuota of flavor {}", more.canonical(), q.resource, quotas.flavor));
      }
    }
    if (parts.empty()) continue;
    add(Kind::kQuota, fmt::format("{} in ClusterQueue {}", fmt::join(parts, " and "), c_.cluster_queue),
        [q = *queue_, groups](QueueObjects& o) { o.cluster_queues[q].resource_groups = groups; });
  }
}

void Changes::fewer_pods() {
  for (std::size_t p = 0; p < workload_.pod_sets.size(); ++p) {
    const PodSet& pods = workload_.pod_sets[p];
    for (std::int32_t count = pods.count - 1; count > 0; count -= std::max(1, count / 4))
      add(Kind::kPods, fmt::format("{} pods instead of {} in pod set {}", count, pods.count, pods.name),
          [w = c_.workload, p, count](QueueObjects& o) {
            o.workloads[w].pod_sets[p].count = count;
            o.workloads[w].pod_sets[p].min_count.reset();
          });
  }
}

void Changes::higher_priority() {
  if (c_.priority_ahead < c_.priority || c_.priority_ahead >= INT32_MAX) return;
  const auto wanted = static_cast<std::int32_t>(c_.priority_ahead + 1);
  add(Kind::kPriority, fmt::format("a priority above {} (now {})", c_.priority_ahead, c_.priority),
      [w = c_.workload, wanted](QueueObjects& o) { o.workloads[w].priority = wanted; });
}

/// One that ends alone, else the first few together.
void Changes::ends() {
  const auto name = [&](std::size_t i) {
    return c_.objects.workloads[i].meta.ns + "/" + c_.objects.workloads[i].meta.name;
  };
  const auto end = [](std::vector<std::size_t> which) {
    return [which = std::move(which)](QueueObjects& o) {
      for (const std::size_t i : which) {
        o.workloads[i].active = false;
        o.workloads[i].admission.reset();
        o.workloads[i].conditions = {{"Finished", "True", "JobFinished", "", {}}};
      }
    };
  };
  const std::size_t most = std::min(c_.holders.size(), kMostEnds);
  for (std::size_t i = 0; i < most; ++i)
    add(Kind::kEnds, fmt::format("the end of {}", name(c_.holders[i])), end({c_.holders[i]}));
  std::string names = most > 0 ? name(c_.holders[0]) : "";
  for (std::size_t n = 2; n <= most; ++n) {
    names += ", " + name(c_.holders[n - 1]);
    add(Kind::kEnds, fmt::format("the end of {}", names),
        end({c_.holders.begin(), c_.holders.begin() + static_cast<std::ptrdiff_t>(n)}));
  }
}

std::vector<QueueChange> Changes::all() {
  repair_workload();
  repair_local_queue();
  if (!queue_) return std::move(out_);
  repair_queue();
  cover_resources();
  allow_preemption();
  raise_borrowing();
  raise_quota();
  fewer_pods();
  higher_priority();
  ends();
  return std::move(out_);
}

}  // namespace

std::vector<QueueChange> possible_changes(const QueueCase& c) {
  return Changes(c).all();
}

}  // namespace etiage::explain
