#include "explain/node_mending.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/dra/explain.h"
#include "engines/placement/kube/node_rules.h"
#include "explain/amounts.h"

namespace etiage::explain {
namespace {

using placement::NodeIndex;
using placement::NodeInfo;
using placement::Plugin;
using placement::PodIndex;
using placement::ScheduleResult;
using placement::Snapshot;

/// More changes than this are no small change.
constexpr std::size_t kMostSteps = 5;

class Mending {
 public:
  Mending(SchedulingWorld& world, PodIndex pod, NodeIndex node, Shortfall shortfall)
      : world_(world), pod_(pod), node_(node), shortfall_(shortfall) {}

  std::optional<PlacementChange> run() {
    while (steps_.size() <= kMostSteps) {
      auto scheduler = placement::Scheduler::make(world_.input, world_.configuration, world_.devices);
      if (!scheduler) return {};
      const ScheduleResult tried = scheduler->schedule(pod_);
      const bool fits = std::ranges::find(tried.feasible, node_) != tried.feasible.end();
      if (fits || final_) {
        if (steps_.empty()) return {};
        return PlacementChange{std::move(steps_), node().meta.name};
      }
      const auto refusal = tried.filtered.find(node_);
      if (refusal == tried.filtered.end() || !mend(scheduler->snapshot(), refusal->second)) return {};
    }
    return {};
  }

 private:
  Node& node() { return world_.input.nodes[node_]; }
  PodSpec& spec() { return world_.input.pods[pod_].spec; }

  bool mend(const Snapshot& snapshot, const placement::Refusal& refusal) {
    if (!refusal.plugin) return false;
    switch (*refusal.plugin) {
      case Plugin::kNodeUnschedulable:
        node().unschedulable = false;
        return step(fmt::format("uncordon node {}", node().meta.name));
      case Plugin::kTaintToleration:
        return tolerate();
      case Plugin::kNodeAffinity:
        return drop_node_choice();
      case Plugin::kNodePorts:
        for (Container& c : spec().containers)
          for (ContainerPort& p : c.ports) p.host_port = 0;
        spec().host_network = false;
        return step("no host port that is taken on the node");
      case Plugin::kNodeResourcesFit:
        return mend_resources(snapshot);
      case Plugin::kPodTopologySpread:
        return relax_spread();
      case Plugin::kInterPodAffinity:
        return drop_pod_affinity(refusal.reasons.front());
      case Plugin::kDynamicResources:
        return mend_claims();
      default:
        return false;
    }
  }

  bool step(std::string what) {
    if (!steps_.empty() && steps_.back() == what) return false;  // it did not help
    steps_.push_back(std::move(what));
    return true;
  }

  bool tolerate() {
    std::vector<std::string> names;
    for (const Taint& t : node().taints) {
      if (t.effect == TaintEffect::kPreferNoSchedule || placement::tolerates(spec().tolerations, t)) continue;
      spec().tolerations.push_back({.key = t.key, .op = "Equal", .value = t.value, .effect = t.effect});
      names.push_back(fmt::format("{}{}{}:{}", t.key, t.value.empty() ? "" : "=", t.value,
                                  t.effect == TaintEffect::kNoExecute ? "NoExecute" : "NoSchedule"));
    }
    return !names.empty() && step(fmt::format("a toleration of {}", fmt::join(names, " and ")));
  }

  bool drop_node_choice() {
    std::vector<std::string> dropped;
    std::erase_if(spec().node_selector, [&](const auto& wanted) {
      const auto label = node().meta.labels.find(wanted.first);
      if (label != node().meta.labels.end() && label->second == wanted.second) return false;
      dropped.push_back(wanted.first + "=" + wanted.second);
      return true;
    });
    if (!dropped.empty()) return step(fmt::format("no nodeSelector {}", fmt::join(dropped, ", ")));
    if (!spec().affinity.node_required) return false;
    spec().affinity.node_required.reset();
    return step("no required node affinity");
  }

  bool mend_resources(const Snapshot& snapshot) {
    const NodeInfo& info = snapshot.nodes()[node_];
    std::vector<std::string> parts;
    bool too_small = false;
    for (const auto& [r, asked] : snapshot.shape_of(pod_).requests) {
      const std::int64_t free = info.allocatable_of(r) - info.requested_of(r);
      if (asked <= 0 || asked <= free) continue;
      const std::string& name = snapshot.resources().name(r);
      if (shortfall_ == Shortfall::kMoreOnNode) {
        const std::int64_t all = info.allocatable_of(r);
        too_small |= asked > all;
        node().allocatable[name] += amount_of(r, asked - free);
        parts.push_back(asked > all ? fmt::format("{} instead of {}", amount_text(r, asked, name),
                                                  amount_text(r, all, ""))
                                    : amount_text(r, asked - free, name));
      } else if (free <= 0 || !ask_for(name, amount_of(r, asked), amount_of(r, free))) {
        return false;
      } else {
        parts.push_back(
            fmt::format("{} instead of {}", amount_text(r, free, name), amount_text(r, asked, "")));
      }
    }
    if (parts.empty()) {  // too many pods
      node().allocatable["pods"] += Quantity::units(1);
      return step(
          fmt::format("room for one more pod than {} on node {}", info.pods.size(), node().meta.name));
    }
    const std::string amounts = fmt::format("{}", fmt::join(parts, " and "));
    if (shortfall_ == Shortfall::kAskForLess) return step("it asks for " + amounts);
    return step(too_small ? fmt::format("a node like {} with {}", node().meta.name, amounts)
                          : fmt::format("{} more free on node {}", amounts, node().meta.name));
  }

  /// Takes the difference from the one container that asks for the resource; false where several do.
  bool ask_for(const std::string& name, const Quantity& before, const Quantity& after) {
    Container* only = nullptr;
    for (auto* list : {&spec().init_containers, &spec().containers})
      for (Container& c : *list)
        if (c.requests.contains(name) || c.limits.contains(name)) {
          if (only) return false;
          only = &c;
        }
    if (!only || spec().pod_requests) return false;
    const auto lower = [&](ResourceList& amounts) {
      if (const auto it = amounts.find(name); it != amounts.end()) it->second = it->second - (before - after);
    };
    lower(only->requests);
    lower(only->limits);
    return true;
  }

  bool relax_spread() {
    std::vector<std::string> keys;
    for (TopologySpreadConstraint& c : spec().spread) {
      if (!c.do_not_schedule) continue;
      c.do_not_schedule = false;
      keys.push_back(c.topology_key);
    }
    return !keys.empty() &&
           step(fmt::format("ScheduleAnyway in its spread over {}", fmt::join(keys, " and ")));
  }

  bool drop_pod_affinity(const std::string& reason) {
    if (reason.find("existing pods") != std::string::npos) {
      for (Pod& p : world_.input.pods) p.spec.affinity.anti_required.clear();
      return step("no required anti-affinity of the pods that are there");
    }
    const bool anti = reason.find("anti-affinity") != std::string::npos;
    (anti ? spec().affinity.anti_required : spec().affinity.pod_required).clear();
    return step(anti ? "no required pod anti-affinity" : "no required pod affinity");
  }

  /// Of claims the allocator has tried the change; nothing is filtered after them.
  bool mend_claims() {
    dra::ClaimBook book(world_.input.dra, world_.devices);
    const auto claims = book.claims_of(world_.input.pods[pod_]);
    if (!claims) return false;
    final_ = true;
    for (const ResourceClaim* claim : *claims) {
      if (claim->allocation) continue;
      const auto why = dra::explain_claim(book.allocator(), book.in_use(), *claim, {&node()});
      if (why.outcome == dra::Attempt::Outcome::kAllocated) continue;
      if (why.changes.empty() ||
          !step(fmt::format("claim {}: {}", claim->meta.name, why.changes.front().what)))
        return false;
    }
    return !steps_.empty();
  }

  SchedulingWorld& world_;
  PodIndex pod_;
  NodeIndex node_;
  Shortfall shortfall_;
  std::vector<std::string> steps_;
  bool final_ = false;
};

}  // namespace

std::optional<PlacementChange> mend_node(SchedulingWorld world, PodIndex pod, NodeIndex node,
                                         Shortfall shortfall) {
  return Mending(world, pod, node, shortfall).run();
}

}  // namespace etiage::explain
