#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "engines/cel/named_format.h"
#include "explain/lint/kueue_rules.h"

namespace etiage::explain {

namespace {

constexpr std::size_t kMostFlavors = 256, kMostCovered = 256, kMostCombinations = 512;
constexpr std::size_t kMostGroups = 16, kMostInGroup = 64;
constexpr double kSmallestWeight = 1e-9;

class Refusals {
 public:
  Refusals(std::string kind, const ObjectMeta& meta) : kind_(std::move(kind)), meta_(meta) {
    check_name("metadata.name", meta.name);
  }

  void check_name(std::string path, const std::string& name) {
    for (const std::string& fault : cel::find_named_format("dns1123Subdomain")->faults(name))
      add("name", path, fmt::format("Invalid value: \"{}\": {}", name, fault));
  }

  void add(std::string code, std::string path, const std::string& why, std::string hint = {}) {
    Place place = meta_.place;
    place.path = std::move(path);
    out_.push_back({Severity::kError, "kueue-" + std::move(code), std::move(place),
                    fmt::format("{} {}: {}", kind_, meta_.name, why), std::move(hint)});
  }
  void check_weight(const std::optional<Quantity>& weight) {
    if (!weight) return;
    if (weight->sign() < 0)
      add("weight", "spec.fairSharing.weight", "must be greater than or equal to 0");
    else if (!weight->is_zero() && weight->as_double() <= kSmallestWeight)
      add("weight", "spec.fairSharing.weight", "When not 0, Weight must be greater than 10^-9");
  }
  void check_groups(const std::vector<ResourceGroup>& groups, bool has_parent, bool is_cohort,
                    const std::string& right);
  Diagnostics take() { return std::move(out_); }

 private:
  void check_flavor(const FlavorQuotas& flavor, const ResourceGroup& group, const std::string& path,
                    bool has_parent, bool is_cohort);
  void check_limits(const ResourceQuota& q, const std::string& path, bool has_parent, bool is_cohort);

  std::string kind_;
  const ObjectMeta& meta_;
  Diagnostics out_;
};

void Refusals::check_groups(const std::vector<ResourceGroup>& groups, bool has_parent, bool is_cohort,
                            const std::string& right) {
  std::set<std::string> resources, flavors;
  std::size_t flavor_count = 0, covered_count = 0;
  const auto at_most = [&](std::string path, std::size_t count, std::size_t most) {
    if (count > most)
      add("too-many", std::move(path), fmt::format("Too many: {}: must have at most {} items", count, most));
  };
  at_most("spec.resourceGroups", groups.size(), kMostGroups);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const ResourceGroup& group = groups[g];
    const std::string path = fmt::format("spec.resourceGroups[{}]", g);
    std::size_t combinations = 0;
    at_most(path + ".coveredResources", group.covered_resources.size(), kMostInGroup);
    at_most(path + ".flavors", group.flavors.size(), kMostInGroup);
    const auto short_one = [&](const FlavorQuotas& f) {
      return f.resources.size() != group.covered_resources.size();
    };
    if (std::any_of(group.flavors.begin(), group.flavors.end(), short_one))
      add("flavor-resources", path, "flavors must have the same number of resources as the coveredResources",
          right);
    for (const std::string& r : group.covered_resources)
      if (!resources.insert(r).second)
        add("duplicate-resource", path + ".coveredResources", fmt::format("Duplicate value: \"{}\"", r),
            "a resource may stand in one resourceGroup only");
    for (std::size_t f = 0; f < group.flavors.size(); ++f) {
      const FlavorQuotas& flavor = group.flavors[f];
      const std::string at = fmt::format("{}.flavors[{}]", path, f);
      if (!flavors.insert(flavor.flavor).second)
        add("duplicate-flavor", at + ".name", fmt::format("Duplicate value: \"{}\"", flavor.flavor),
            "a flavor may stand in one resourceGroup only");
      check_flavor(flavor, group, at, has_parent, is_cohort);
      combinations += flavor.resources.size();
    }
    if (combinations > kMostCombinations)
      add("too-many", path,
          fmt::format("number of flavor-resource combinations in a resourceGroup must be ≤ 512, got {}",
                      combinations));
    flavor_count += group.flavors.size();
    covered_count += group.covered_resources.size();
  }
  if (flavor_count > kMostFlavors)
    add("too-many", "spec.resourceGroups",
        fmt::format("total number of flavors across all resourceGroups must be ≤ 256, got {}", flavor_count));
  if (covered_count > kMostCovered)
    add("too-many", "spec.resourceGroups",
        fmt::format("total number of covered resources across all resourceGroups must be ≤ 256, got {}",
                    covered_count));
}

void Refusals::check_flavor(const FlavorQuotas& flavor, const ResourceGroup& group, const std::string& path,
                            bool has_parent, bool is_cohort) {
  for (std::size_t r = 0; r < std::min(flavor.resources.size(), group.covered_resources.size()); ++r) {
    const ResourceQuota& q = flavor.resources[r];
    const std::string at = fmt::format("{}.resources[{}]", path, r);
    if (q.resource != group.covered_resources[r])
      add("resource-order", at + ".name",
          fmt::format("Invalid value: \"{}\": must match the name in coveredResources", q.resource),
          fmt::format("list the resources of flavor {} in the order of coveredResources: {}", flavor.flavor,
                      fmt::join(group.covered_resources, ", ")));
    if (q.nominal.sign() < 0) add("negative", at + ".nominalQuota", "must be greater than or equal to 0");
    check_limits(q, at, has_parent, is_cohort);
  }
}

void Refusals::check_limits(const ResourceQuota& q, const std::string& path, bool has_parent,
                            bool is_cohort) {
  const auto check = [&](const char* name, const std::optional<Quantity>& limit) {
    if (!limit) return;
    const std::string at = fmt::format("{}.{}", path, name);
    if (limit->sign() < 0) add("negative", at, "must be greater than or equal to 0");
    if (!has_parent)
      add("limit-without-cohort", at,
          fmt::format("Invalid value: \"{}\": must be nil when {} is empty", limit->canonical(),
                      is_cohort ? "parent" : "cohort"),
          is_cohort ? "set parentName, or take the limit out" : "set cohortName, or take the limit out");
  };
  check("borrowingLimit", q.borrowing_limit);
  check("lendingLimit", q.lending_limit);
  if (!is_cohort && q.lending_limit && *q.lending_limit > q.nominal)
    add("lending-limit", path + ".lendingLimit", "must be less than or equal to the nominalQuota",
        "no more can be lent than is there");
}

std::string resource_yaml(const ResourceQuota& q) {
  std::string out = fmt::format("{{name: {}, nominalQuota: {}", q.resource, q.nominal.canonical());
  if (q.borrowing_limit) out += fmt::format(", borrowingLimit: {}", q.borrowing_limit->canonical());
  if (q.lending_limit) out += fmt::format(", lendingLimit: {}", q.lending_limit->canonical());
  return out + "}";
}

}  // namespace

std::string right_resource_groups(const ClusterQueue& queue) {
  std::vector<std::string> groups, left_over;
  for (const ResourceGroup& g : queue.resource_groups) {
    std::vector<std::string> named, flavors;
    for (const std::string& r : g.covered_resources) {
      const auto names_it = [&](const FlavorQuotas& f) {
        return std::any_of(f.resources.begin(), f.resources.end(),
                           [&](const ResourceQuota& q) { return q.resource == r; });
      };
      (std::all_of(g.flavors.begin(), g.flavors.end(), names_it) ? named : left_over).push_back(r);
    }
    for (const FlavorQuotas& f : g.flavors) {
      std::vector<std::string> resources;
      for (const std::string& r : named)
        for (const ResourceQuota& q : f.resources)
          if (q.resource == r) resources.push_back(resource_yaml(q));
      flavors.push_back(fmt::format("{{name: {}, resources: [{}]}}", f.flavor, fmt::join(resources, ", ")));
    }
    if (!named.empty())
      groups.push_back(fmt::format("{{coveredResources: [{}], flavors: [{}]}}", fmt::join(named, ", "),
                                   fmt::join(flavors, ", ")));
  }
  if (!left_over.empty()) {
    std::vector<std::string> resources;
    for (const std::string& r : left_over)
      resources.push_back(fmt::format("{{name: {}, nominalQuota: {}}}", r,
                                      r == "cpu"      ? "1000"
                                      : r == "memory" ? "4Ti"
                                                      : "1000"));
    groups.push_back(
        fmt::format("{{coveredResources: [{}], flavors: [{{name: default-flavor, resources: [{}]}}]}}",
                    fmt::join(left_over, ", "), fmt::join(resources, ", ")));
  }
  return fmt::format("resourceGroups: [{}]", fmt::join(groups, ", "));
}

namespace {

void check_concurrent_admission(const ClusterQueue& queue, Refusals& out) {
  constexpr std::size_t kMost = 16;
  const auto refuse = [&](const char* why) {
    out.add("concurrent-admission", "spec.concurrentAdmissionPolicy", why,
            "take concurrentAdmissionPolicy out, or give it a ClusterQueue of its own");
  };
  if (queue.resource_groups.size() != 1) refuse("requires exactly one resourceGroup");
  if (queue.resource_groups.size() == 1 && queue.resource_groups[0].flavors.size() > kMost)
    refuse("allows at most 16 flavors");
  if (queue.strict_fifo) refuse("is not supported with queueingStrategy StrictFIFO");
}

}  // namespace

Diagnostics refusals(const ClusterQueue& queue) {
  Refusals out("ClusterQueue", queue.meta);
  out.check_weight(queue.fair_weight);
  out.check_groups(queue.resource_groups, !queue.cohort.empty(), false, right_resource_groups(queue));
  if (queue.preemption.reclaim_within_cohort == PreemptionPolicy::kNever &&
      queue.preemption.borrow_within_cohort)
    out.add("borrow-without-reclaim", "spec.preemption",
            "reclaimWithinCohort=Never and borrowWithinCohort.Policy!=Never",
            "set reclaimWithinCohort: Any, or borrowWithinCohort.policy: Never");
  if (queue.fungibility.preference &&
      !(queue.fungibility.borrow_tries_next && queue.fungibility.preempt_tries_next))
    out.add("preference", "spec.flavorFungibility.preference",
            "preference can only be set when both whenCanBorrow and whenCanPreempt are TryNextFlavor",
            "set both to TryNextFlavor, or take the preference out");
  if (queue.concurrent_admission) check_concurrent_admission(queue, out);
  std::set<std::string> flavors;
  for (const ResourceGroup& g : queue.resource_groups)
    for (const FlavorQuotas& f : g.flavors) flavors.insert(f.flavor);
  for (const AdmissionCheckRule& check : queue.admission_checks)
    for (const std::string& f : check.on_flavors)
      if (!flavors.contains(f))
        out.add("check-flavor", "spec.admissionChecksStrategy",
                fmt::format("AdmissionCheck {} is on flavor \"{}\", which the ClusterQueue does not have",
                            check.name, f));
  return out.take();
}

Diagnostics refusals(const Cohort& cohort) {
  Refusals out("Cohort", cohort.meta);
  out.check_weight(cohort.fair_weight);
  ClusterQueue same;
  same.resource_groups = cohort.resource_groups;
  out.check_groups(cohort.resource_groups, !cohort.parent.empty(), true, right_resource_groups(same));
  return out.take();
}

Diagnostics refusals(const ResourceFlavor& flavor) {
  constexpr std::size_t kMost = 8;
  Refusals out("ResourceFlavor", flavor.meta);
  if (flavor.node_labels.size() > kMost)
    out.add("too-many", "spec.nodeLabels", "must have at most 8 properties");
  if (flavor.node_taints.size() > kMost) out.add("too-many", "spec.nodeTaints", "must have at most 8 items");
  if (flavor.tolerations.size() > kMost) out.add("too-many", "spec.tolerations", "must have at most 8 items");
  if (!flavor.topology.empty() && flavor.node_labels.empty())
    out.add("topology-labels", "spec.topologyName", "at least one nodeLabel is required when topology is set",
            "give the label that tells its nodes from others");
  std::set<std::pair<std::string, TaintEffect>> seen;
  for (const Taint& t : flavor.node_taints)
    if (!seen.emplace(t.key, t.effect).second)
      out.add("duplicate-taint", "spec.nodeTaints", "taints must be unique by key and effect pair");
  return out.take();
}

Diagnostics refusals(const Topology& topology) {
  constexpr std::size_t kMostLevels = 16;
  constexpr const char* kHost = "kubernetes.io/hostname";
  Refusals out("Topology", topology.meta);
  if (topology.levels.empty() || topology.levels.size() > kMostLevels)
    out.add("levels", "spec.levels", "must have 1 to 16 levels");
  if (std::set<std::string>(topology.levels.begin(), topology.levels.end()).size() != topology.levels.size())
    out.add("levels", "spec.levels", "must be unique");
  const auto host = std::find(topology.levels.begin(), topology.levels.end(), kHost);
  if (host != topology.levels.end() && host + 1 != topology.levels.end())
    out.add("levels", "spec.levels",
            "the kubernetes.io/hostname label can only be used at the lowest level of topology");
  return out.take();
}

Diagnostics refusals(const LocalQueue& queue) {
  Refusals out("LocalQueue", queue.meta);
  out.check_name("spec.clusterQueue", queue.cluster_queue);
  out.check_weight(queue.fair_weight);
  return out.take();
}

Diagnostics refusals(const Workload& workload) {
  Refusals out("Workload", workload.meta);
  int variable = 0;
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const PodSet& p = workload.pod_sets[i];
    const std::string path = fmt::format("spec.podSets[{}]", i);
    variable += p.min_count ? 1 : 0;
    if (p.count < 0) out.add("count", path + ".count", "should be greater than or equal to 0");
    if (p.min_count && (*p.min_count <= 0 || *p.min_count > p.count))
      out.add("min-count", path + ".minCount", "minCount should be positive and less or equal to count");
    for (const auto* list : {&p.spec.init_containers, &p.spec.containers})
      for (const Container& c : *list)
        if (c.requests.contains("pods"))
          out.add("pods-request", path + ".template.spec", "the key is reserved for internal kueue use");
  }
  if (variable > 1) out.add("min-count", "spec.podSets", "at most one podSet can use minCount");
  return out.take();
}

}  // namespace etiage::explain
