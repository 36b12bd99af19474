#include "explain/lint/kueue_rules.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etiage::explain {
namespace {

std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics) out.push_back(d.code);
  return out;
}

std::vector<std::string> remarks_on(const QueueObjects& objects) {
  LintInput input;
  input.queues = objects;
  Diagnostics out;
  lint_kueue(input, out);
  return codes(out);
}

/// The ClusterQueue that many articles show: three resources covered, one named by the flavor, no preemption.
ClusterQueue from_the_article() {
  ClusterQueue q;
  q.meta.name = "team-a";
  q.cohort = "gpus";
  q.namespace_selector = LabelSelector{};
  q.resource_groups = {{{"cpu", "memory", "nvidia.com/gpu"},
                        {{"h200",
                          {{.resource = "nvidia.com/gpu",
                            .nominal = Quantity::units(32),
                            .borrowing_limit = Quantity::units(16)}}}}}};
  return q;
}

TEST(KueueRules, TheArticlesClusterQueueIsRefused) {
  const Diagnostics found = refusals(from_the_article());
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().code, "kueue-flavor-resources");
  EXPECT_THAT(found.front().message,
              testing::HasSubstr("flavors must have the same number of resources as the coveredResources"));
}

TEST(KueueRules, TheRightOneHasAGroupForEachKindOfFlavor) {
  const std::string right = right_resource_groups(from_the_article());
  EXPECT_THAT(right,
              testing::HasSubstr("{coveredResources: [nvidia.com/gpu], flavors: [{name: h200, resources: "
                                 "[{name: nvidia.com/gpu, nominalQuota: 32, borrowingLimit: 16}]}]}"));
  EXPECT_THAT(right, testing::HasSubstr("{coveredResources: [cpu, memory], flavors: [{name: default-flavor"));
}

ResourceQuota quota(const std::string& resource, std::int64_t nominal) {
  return {.resource = resource, .nominal = Quantity::units(nominal)};
}

ResourceFlavor flavor(const std::string& name) {
  ResourceFlavor out;
  out.meta.name = name;
  out.node_labels = {{"pool", name}};
  return out;
}

/// A world that nothing is to be said about: the good twin of every case below.
QueueObjects right_world() {
  QueueObjects out;
  out.flavors = {flavor("h200"), flavor("cpu-only")};
  ClusterQueue q;
  q.meta.name = "team-a";
  q.cohort = "gpus";
  q.namespace_selector = LabelSelector{};
  q.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  q.resource_groups = {{{"nvidia.com/gpu"}, {{"h200", {quota("nvidia.com/gpu", 8)}}}},
                       {{"cpu", "memory"}, {{"cpu-only", {quota("cpu", 64), quota("memory", 256)}}}}};
  out.cluster_queues = {q};
  LocalQueue& local = out.local_queues.emplace_back();
  local.meta.ns = "default";
  local.meta.name = "lq";
  local.cluster_queue = "team-a";
  Cohort& cohort = out.cohorts.emplace_back();
  cohort.meta.name = "gpus";
  Topology& topology = out.topologies.emplace_back();
  topology.meta.name = "racks";
  topology.levels = {"example.com/rack", "kubernetes.io/hostname"};
  AdmissionCheck& check = out.admission_checks.emplace_back();
  check.meta.name = "provision";
  check.controller = "kueue.x-k8s.io/provisioning-request";
  check.conditions = {{"Active", "True", "Active", "", {}}};
  Node& node = out.nodes.emplace_back();
  node.meta.name = "n1";
  node.meta.labels = {{"pool", "h200"}};
  node.allocatable["nvidia.com/gpu"] = Quantity::units(8);
  Workload& w = out.workloads.emplace_back();
  w.meta.ns = "default";
  w.meta.name = "train";
  w.queue = "lq";
  Container c;
  c.requests["cpu"] = Quantity::units(1);
  w.pod_sets.emplace_back().spec.containers.push_back(c);
  return out;
}

TEST(KueueRules, NothingIsSaidAboutAWorldThatIsRight) {
  EXPECT_THAT(remarks_on(right_world()), testing::IsEmpty());
}

struct RuleCase {
  const char* code;
  const char* what;
  std::function<void(QueueObjects&)> spoil;
};

ClusterQueue& queue_of(QueueObjects& o) {
  return o.cluster_queues[0];
}

ResourceQuota& gpus_of(QueueObjects& o) {
  return queue_of(o).resource_groups[0].flavors[0].resources[0];
}

void add_check(QueueObjects& o, const std::string& name, const std::string& controller) {
  AdmissionCheck check;
  check.meta.name = name;
  check.controller = controller;
  o.admission_checks.push_back(check);
  queue_of(o).admission_checks.push_back({name, {}});
}

ResourceGroup wide_group(int flavors, int resources) {
  ResourceGroup out;
  for (int r = 0; r < resources; ++r) out.covered_resources.push_back("example.com/r" + std::to_string(r));
  for (int f = 0; f < flavors; ++f) {
    FlavorQuotas& quotas = out.flavors.emplace_back();
    quotas.flavor = "f" + std::to_string(f);
    for (const std::string& r : out.covered_resources) quotas.resources.push_back(quota(r, 1));
  }
  return out;
}

const std::vector<RuleCase>& rule_cases() {
  static const std::vector<RuleCase> kCases{
      // What the API server and the webhooks refuse.
      {"kueue-flavor-resources", "a flavor without all covered resources",
       [](auto& o) { queue_of(o).resource_groups[1].flavors[0].resources.pop_back(); }},
      {"kueue-resource-order", "resources in another order",
       [](auto& o) {
         auto& r = queue_of(o).resource_groups[1].flavors[0].resources;
         std::swap(r[0], r[1]);
       }},
      {"kueue-duplicate-resource", "a resource in two groups",
       [](auto& o) {
         queue_of(o).resource_groups[0].covered_resources.emplace_back("cpu");
         queue_of(o).resource_groups[0].flavors[0].resources.push_back(quota("cpu", 1));
       }},
      {"kueue-duplicate-flavor", "a flavor in two groups",
       [](auto& o) { queue_of(o).resource_groups[1].flavors[0].flavor = "h200"; }},
      {"kueue-negative", "a negative quota", [](auto& o) { gpus_of(o).nominal = Quantity::units(-1); }},
      {"kueue-lending-limit", "more lent than there is",
       [](auto& o) { gpus_of(o).lending_limit = Quantity::units(9); }},
      {"kueue-limit-without-cohort", "a limit without cohort",
       [](auto& o) {
         queue_of(o).cohort.clear();
         gpus_of(o).lending_limit = Quantity::units(4);
       }},
      {"kueue-limit-without-cohort", "a limit of a root cohort",
       [](auto& o) {
         o.cohorts[0].resource_groups = {{{"cpu"}, {{"cpu-only", {quota("cpu", 1)}}}}};
         o.cohorts[0].resource_groups[0].flavors[0].resources[0].borrowing_limit = Quantity::units(1);
       }},
      {"kueue-borrow-without-reclaim", "borrowWithinCohort without reclaim",
       [](auto& o) {
         queue_of(o).preemption.reclaim_within_cohort = PreemptionPolicy::kNever;
         queue_of(o).preemption.borrow_within_cohort = true;
       }},
      {"kueue-preference", "a preference where the search stops early",
       [](auto& o) { queue_of(o).fungibility.preference = FungibilityPreference::kBorrowingOverPreemption; }},
      {"kueue-weight", "a negative weight", [](auto& o) { queue_of(o).fair_weight = Quantity::units(-1); }},
      {"kueue-weight", "a weight next to nothing",
       [](auto& o) { o.cohorts[0].fair_weight = Quantity::nano(1); }},
      {"kueue-check-flavor", "a check on a flavor of others",
       [](auto& o) { queue_of(o).admission_checks = {{"provision", {"other"}}}; }},
      {"kueue-too-many", "513 cells in a group",
       [](auto& o) { queue_of(o).resource_groups.push_back(wide_group(57, 9)); }},
      {"kueue-too-many", "65 flavors in a group",
       [](auto& o) { queue_of(o).resource_groups.push_back(wide_group(65, 1)); }},
      {"kueue-too-many", "17 groups",
       [](auto& o) {
         for (int i = 0; i < 15; ++i) queue_of(o).resource_groups.push_back(wide_group(1, 1));
       }},
      {"kueue-too-many", "nine taints",
       [](auto& o) {
         for (int i = 0; i < 9; ++i)
           o.flavors[0].node_taints.push_back({.key = "t" + std::to_string(i), .value = ""});
       }},
      {"kueue-duplicate-taint", "a taint twice",
       [](auto& o) {
         o.flavors[0].node_taints = {{.key = "gpu", .value = "a"}, {.key = "gpu", .value = "b"}};
       }},
      {"kueue-topology-labels", "a topology without node labels",
       [](auto& o) {
         o.flavors[0].topology = "racks";
         o.flavors[0].node_labels.clear();
         o.nodes.clear();
       }},
      {"kueue-concurrent-admission", "concurrent admission over two groups",
       [](auto& o) { queue_of(o).concurrent_admission = true; }},
      {"kueue-levels", "a level twice",
       [](auto& o) { o.topologies[0].levels = {"example.com/rack", "example.com/rack"}; }},
      {"kueue-levels", "no level", [](auto& o) { o.topologies[0].levels.clear(); }},
      {"kueue-levels", "hosts above racks",
       [](auto& o) { o.topologies[0].levels = {"kubernetes.io/hostname", "example.com/rack"}; }},
      {"kueue-name", "a name with capitals",
       [](auto& o) { queue_of(o).meta.name = o.local_queues[0].cluster_queue = "Team_A"; }},
      {"kueue-min-count", "a minimum above the count",
       [](auto& o) { o.workloads[0].pod_sets[0].min_count = 2; }},
      {"kueue-min-count", "two minima",
       [](auto& o) {
         o.workloads[0].pod_sets[0].min_count = 1;
         o.workloads[0].pod_sets.push_back(o.workloads[0].pod_sets[0]);
       }},
      {"kueue-count", "a negative count", [](auto& o) { o.workloads[0].pod_sets[0].count = -1; }},
      {"kueue-pods-request", "a request for pods",
       [](auto& o) { o.workloads[0].pod_sets[0].spec.containers[0].requests["pods"] = Quantity::units(1); }},
      // What keeps a ClusterQueue from being active.
      {"kueue-missing-ResourceFlavor", "no such flavor", [](auto& o) { o.flavors.erase(o.flavors.begin()); }},
      {"kueue-missing-Topology", "no such topology", [](auto& o) { o.flavors[0].topology = "blocks"; }},
      {"kueue-missing-AdmissionCheck", "no such check",
       [](auto& o) { queue_of(o).admission_checks = {{"other", {}}}; }},
      {"kueue-inactive-check", "a check that is not active",
       [](auto& o) {
         queue_of(o).admission_checks = {{"provision", {}}};
         o.admission_checks[0].conditions[0].status = "False";
       }},
      {"kueue-multikueue-twice", "two MultiKueue checks",
       [](auto& o) {
         add_check(o, "mk1", "kueue.x-k8s.io/multikueue");
         add_check(o, "mk2", "kueue.x-k8s.io/multikueue");
       }},
      {"kueue-multikueue-provisioning", "MultiKueue beside provisioning",
       [](auto& o) {
         add_check(o, "mk", "kueue.x-k8s.io/multikueue");
         queue_of(o).admission_checks.push_back({"provision", {}});
       }},
      {"kueue-multikueue-per-flavor", "MultiKueue on some flavors",
       [](auto& o) {
         add_check(o, "mk", "kueue.x-k8s.io/multikueue");
         queue_of(o).admission_checks[0].on_flavors = {"h200"};
       }},
      {"kueue-stopped", "a stopped queue", [](auto& o) { queue_of(o).stop = StopPolicy::kHold; }},
      {"kueue-cohort-cycle", "a cohort above itself", [](auto& o) { o.cohorts[0].parent = "gpus"; }},
      {"kueue-missing-ClusterQueue", "a LocalQueue that leads nowhere",
       [](auto& o) { o.local_queues[0].cluster_queue = "nobody"; }},
      // What is taken and does not do what was meant.
      {"kueue-null-namespace-selector", "no namespaceSelector",
       [](auto& o) { queue_of(o).namespace_selector.reset(); }},
      {"kueue-no-reclaim", "lent quota that cannot come back",
       [](auto& o) { queue_of(o).preemption.reclaim_within_cohort = PreemptionPolicy::kNever; }},
      {"kueue-undeclared-resource", "no quota for memory and cpu",
       [](auto& o) {
         queue_of(o).resource_groups.pop_back();
         o.workloads.clear();
       }},
      {"kueue-uncovered-request", "a request for what has no quota",
       [](auto& o) {
         o.workloads[0].pod_sets[0].spec.containers[0].requests["ephemeral-storage"] = Quantity::units(1);
       }},
      {"kueue-quota-beyond-nodes", "quota that no node stands behind",
       [](auto& o) { gpus_of(o).nominal = Quantity::units(9); }},
      {"kueue-strict-fifo-flavors", "StrictFIFO over two flavors",
       [](auto& o) {
         queue_of(o).strict_fifo = true;
         o.flavors.push_back(flavor("spot"));
         queue_of(o).resource_groups[0].flavors.push_back({"spot", {quota("nvidia.com/gpu", 0)}});
       }},
      {"kueue-strict-fifo-holds-quota", "StrictFIFO that keeps idle quota",
       [](auto& o) {
         queue_of(o).strict_fifo = true;
         queue_of(o).preemption.reclaim_within_cohort = PreemptionPolicy::kLowerPriority;
       }},
      {"kueue-preference-without-borrowing", "a preference about borrowing without any",
       [](auto& o) {
         queue_of(o).fungibility = {true, true, FungibilityPreference::kPreemptionOverBorrowing};
         gpus_of(o).borrowing_limit = Quantity::units(0);
       }},
  };
  return kCases;
}

TEST(KueueRules, EachFaultIsNamed) {
  for (const RuleCase& c : rule_cases()) {
    QueueObjects objects = right_world();
    c.spoil(objects);
    EXPECT_THAT(remarks_on(objects), testing::Contains(c.code)) << c.what;
  }
}

}  // namespace
}  // namespace etiage::explain
