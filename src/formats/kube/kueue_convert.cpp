#include "formats/kube/kueue_convert.h"

#include <algorithm>

#include "formats/kube/kueue_slices.h"

namespace etiage::formats::kueue {
namespace {

constexpr std::string_view kGroup = "kueue.x-k8s.io";
constexpr std::string_view kNewest = "kueue.x-k8s.io/v1beta2";

/// Takes a member out; null where it is not there.
Tree take(Tree& map, std::string_view key) {
  std::vector<Tree::Member> rest;
  Tree out;
  for (const auto& [name, value] : map.members()) {
    if (name == key)
      out = value;
    else
      rest.emplace_back(name, value);
  }
  map = Tree::map(std::move(rest));
  return out;
}

/// Gives a member another name, in its place; one that has the new name already wins.
void rename(Tree& map, std::string_view from, const std::string& to) {
  if (!map.has(from)) return;
  if (map.has(to)) {
    take(map, from);
    return;
  }
  std::vector<Tree::Member> members = map.members();
  for (auto& [name, value] : members)
    if (name == from) name = to;
  map = Tree::map(std::move(members));
}

void drop(Tree& map, const std::string& path, std::string_view key, std::vector<std::string>& lost) {
  if (!take(map, key).is_null()) lost.push_back(path + "." + std::string(key));
}

// ClusterQueue

void convert_checks(Tree& spec) {
  const Tree names = take(spec, "admissionChecks");
  if (names.items().empty()) return;
  std::vector<Tree> rules;
  for (const Tree& name : names.items()) rules.push_back(Tree::map({{"name", name}}));
  spec.set("admissionChecksStrategy", Tree::map({{"admissionChecks", Tree::sequence(std::move(rules))}}));
}

/// `old` is the word of v1beta1 for going no further.
void convert_word(Tree& fungibility, const char* field, std::string_view old) {
  if (fungibility[field].text() == old) fungibility.set(field, Tree::string("MayStopSearch"));
}

void convert_cluster_queue(Tree& spec) {
  rename(spec, "cohort", "cohortName");
  convert_checks(spec);
  if (Tree* fungibility = spec.find("flavorFungibility")) {
    convert_word(*fungibility, "whenCanBorrow", "Borrow");
    convert_word(*fungibility, "whenCanPreempt", "Preempt");
  }
}

// Workload

Tree class_reference(std::string_view source, const Tree& name) {
  const bool of_kueue = source == "kueue.x-k8s.io/workloadpriorityclass";
  return Tree::map({{"group", Tree::string(of_kueue ? "kueue.x-k8s.io" : "scheduling.k8s.io")},
                    {"kind", Tree::string(of_kueue ? "WorkloadPriorityClass" : "PriorityClass")},
                    {"name", name}});
}

/// Without a source the name says nothing to Kueue, so it has no place in v1beta2.
void convert_class(Tree& spec, std::vector<std::string>& lost) {
  const Tree name = take(spec, "priorityClassName"), source = take(spec, "priorityClassSource");
  if (name.text().empty() || spec.has("priorityClassRef")) return;
  if (source.text().empty())
    lost.emplace_back("spec.priorityClassName");
  else
    spec.set("priorityClassRef", class_reference(source.text(), name));
}

void convert_admission(Tree& status) {
  Tree* admission = status.find("admission");
  Tree* assignments = admission ? admission->find("podSetAssignments") : nullptr;
  if (!assignments) return;
  std::vector<Tree> items = assignments->take_items();
  for (Tree& item : items)
    if (Tree* topology = item.find("topologyAssignment"); topology && topology->has("domains")) {
      const Tree domains = take(*topology, "domains");
      topology->set("slices", slices_of((*topology)["levels"].items().size(), domains.items()));
    }
  for (Tree& item : items) assignments->push(std::move(item));
}

void convert_workload_status(Tree& status) {
  rename(status, "accumulatedPastExexcutionTimeSeconds", "accumulatedPastExecutionTimeSeconds");
  convert_admission(status);
}

// The others

void convert_remote_cluster(Tree& spec) {
  std::vector<Tree::Member> source;
  for (const char* key : {"kubeConfig", "clusterProfileRef"})
    if (Tree value = take(spec, key); !value.is_null()) source.emplace_back(key, std::move(value));
  if (!source.empty() && !spec.has("clusterSource")) spec.set("clusterSource", Tree::map(std::move(source)));
}

void convert_spec(const std::string& kind, Tree& spec, std::vector<std::string>& lost) {
  if (kind == "ClusterQueue") convert_cluster_queue(spec);
  if (kind == "Cohort") rename(spec, "parent", "parentName");
  if (kind == "Workload") convert_class(spec, lost);
  if (kind == "AdmissionCheck") drop(spec, "spec", "retryDelayMinutes", lost);
  if (kind == "MultiKueueCluster") convert_remote_cluster(spec);
}

void convert_status(const std::string& kind, Tree& status, std::vector<std::string>& lost) {
  if (kind == "Workload") convert_workload_status(status);
  if (kind != "LocalQueue") return;
  rename(status, "flavorUsage", "flavorsUsage");
  drop(status, "status", "flavors", lost);
}

}  // namespace

bool is_kueue(const Tree& object) {
  return object["apiVersion"].text().starts_with(std::string(kGroup) + "/");
}

Converted to_v1beta2(Tree object) {
  Converted out{.object = std::move(object), .lost = {}};
  Tree& tree = out.object;
  if (!is_kueue(tree) || tree["apiVersion"].text() == kNewest) return out;
  tree.set("apiVersion", Tree::string(std::string(kNewest)));
  const std::string kind = tree["kind"].text();
  if (Tree* spec = tree.find("spec")) convert_spec(kind, *spec, out.lost);
  if (Tree* status = tree.find("status")) convert_status(kind, *status, out.lost);
  return out;
}

}  // namespace etiage::formats::kueue
