#include "app/pod_groups.h"

#include <map>

namespace etiage::app {
namespace {

using Groups = std::map<std::pair<std::string, std::string>, placement::PodGroup>;

std::string namespace_of(const Tree& object) {
  const std::string& ns = object["metadata"]["namespace"].text();
  return ns.empty() ? "default" : ns;
}

placement::PodGroup& group(Groups& groups, const std::string& ns, const std::string& name) {
  const auto [it, fresh] = groups.try_emplace({ns, name});
  if (fresh) it->second = {ns, name, false, {}, {}};
  return it->second;
}

/// By name; the default one under "".
using Priorities = std::map<std::string, std::int32_t>;

Priorities read_priorities(const std::vector<LocatedObject>& objects) {
  Priorities out;
  for (const LocatedObject& o : objects) {
    if (o.tree["kind"].text() != "PriorityClass") continue;
    const auto value = static_cast<std::int32_t>(o.tree["value"].as_int().value_or(0));
    out[o.tree["metadata"]["name"].text()] = value;
    if (o.tree["globalDefault"].as_bool().value_or(false)) out[""] = value;
  }
  return out;
}

/// `{all: {}}` of 1.37, `PodGroup` of 1.36.
bool is_disrupted_as_one(const Tree& mode) {
  return mode.has("all") || mode.text() == "PodGroup";
}

placement::PodGroup& define(Groups& groups, const std::string& ns, const std::string& name,
                            const Tree& policy) {
  placement::PodGroup& g = group(groups, ns, name);
  g.known = true;
  if (const auto count = policy["gang"]["minCount"].as_int()) g.min_count = static_cast<std::int32_t>(*count);
  return g;
}

void define_pod_group(Groups& groups, const Tree& object, const Priorities& priorities) {
  const Tree& spec = object["spec"];
  placement::PodGroup& g =
      define(groups, namespace_of(object), object["metadata"]["name"].text(), spec["schedulingPolicy"]);
  const auto named = priorities.find(spec["priorityClassName"].text());
  const std::int32_t otherwise = named == priorities.end() ? 0 : named->second;
  g.priority = static_cast<std::int32_t>(spec["priority"].as_int().value_or(otherwise));
  g.may_preempt = object["apiVersion"].text() != "scheduling.k8s.io/v1alpha2";  // that is 1.36
  g.disrupted_as_one = is_disrupted_as_one(spec["disruptionMode"]);
}

void read_definition(const Tree& object, const Priorities& priorities, Groups& groups) {
  if (!object["apiVersion"].text().starts_with("scheduling.k8s.io/")) return;
  const std::string &kind = object["kind"].text(), &name = object["metadata"]["name"].text();
  if (kind == "PodGroup") define_pod_group(groups, object, priorities);
  if (kind == "Workload")
    for (const Tree& g : object["spec"]["podGroups"].items())
      define(groups, namespace_of(object), name + "/" + g["name"].text(), g["policy"]);
}

/// The name under which a pod's group is defined, and the name of the group itself; empty: it has none.
std::pair<std::string, std::string> names_of_group(const Tree& pod) {
  const std::string& direct = pod["spec"]["schedulingGroup"]["podGroupName"].text();
  if (!direct.empty()) return {direct, direct};
  const Tree& workload = pod["spec"]["workloadRef"];
  if (!workload.has("name")) return {};
  const std::string defined = workload["name"].text() + "/" + workload["podGroup"].text();
  const std::string& key = workload["podGroupReplicaKey"].text();
  return {defined, key.empty() ? defined : defined + "/" + key};
}

}  // namespace

std::vector<placement::PodGroup> read_pod_groups(const std::vector<LocatedObject>& objects) {
  Groups defined, used;
  const Priorities priorities = read_priorities(objects);
  for (const LocatedObject& o : objects) read_definition(o.tree, priorities, defined);
  std::uint32_t index = 0;
  for (const LocatedObject& o : objects) {
    if (o.tree["kind"].text() != "Pod") continue;
    const auto [definition, name] = names_of_group(o.tree);
    if (!name.empty()) {
      placement::PodGroup& g = group(used, namespace_of(o.tree), name);
      const auto known = defined.find({g.ns, definition});
      g.known = known != defined.end();
      if (g.known) {
        g.min_count = known->second.min_count;
        g.priority = known->second.priority;
        g.may_preempt = known->second.may_preempt;
        g.disrupted_as_one = known->second.disrupted_as_one;
      }
      g.members.push_back(index);
    }
    ++index;
  }
  std::vector<placement::PodGroup> out;
  for (auto& [key, g] : used) out.push_back(std::move(g));
  return out;
}

}  // namespace etiage::app
