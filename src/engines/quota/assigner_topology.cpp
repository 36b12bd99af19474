// The topology-aware half of the assigner: which flavors have places, and what places to ask for.

#include <algorithm>
#include <fmt/format.h>

#include "engines/quota/assigner.h"

namespace etiage::quota {

std::string Assigner::check_topology(const PodSetShape& pod_set, const QueueGroup& rg,
                                     FlavorId flavor) const {
  const FlavorState& f = state_.flavors[flavor.index()];
  const std::string& name = state_.flavor_names[flavor];
  if (!wants_topology(pod_set))
    return f.spec->topology.empty()
               ? ""
               : fmt::format("Flavor \"{}\" supports only TopologyAwareScheduling", name);
  if (!pod_set.explicit_topology) return "";
  if (f.spec->topology.empty()) {
    // It may still serve resources that no pod asks a node for.
    const auto covered = [&](const ResourceAmount& r) {
      return std::binary_search(rg.covered.begin(), rg.covered.end(), r.resource);
    };
    const bool overlap = std::any_of(pod_set.placed_per_pod.begin(), pod_set.placed_per_pod.end(), covered);
    return overlap ? fmt::format("Flavor \"{}\" does not support TopologyAwareScheduling", name) : "";
  }
  if (f.topology == kNoTopology) return fmt::format("Flavor \"{}\" information missing in TAS cache", name);
  const TasTopology& topology = state_.topologies[static_cast<std::size_t>(f.topology)];
  if (!has_levels(*pod_set.spec->topology, topology, state_.release.gates.tas_multi_layer_topology))
    return fmt::format("Flavor \"{}\" does not contain the requested level", name);
  return "";
}

/// The one topology that the pod set's flavors share; otherwise an error.
std::int32_t Assigner::only_topology_of(const PodSetAssignment& assignment, std::string& error) const {
  std::vector<std::string> names;
  std::int32_t out = kNoTopology;
  for (const Pick& p : assignment.picks) {
    const std::int32_t topology = state_.flavors[p.flavor.index()].topology;
    if (topology == kNoTopology) continue;
    out = topology;
    names.push_back(state_.flavor_names[p.flavor]);
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (names.empty()) error = "no TAS flavor assigned";
  if (names.size() > 1) error = fmt::format("more than one TAS flavor assigned: {}", fmt::join(names, ", "));
  return names.size() == 1 ? out : kNoTopology;
}

TopologyRequests Assigner::topology_requests(Assignment& assignment) {
  TopologyRequests out;
  const auto fail = [&](PodSetAssignment& a, std::string error) {
    a.error = std::move(error);
    if (state_.release.after_017()) assignment.known_mode.reset();
  };
  const auto knows_topology = [&](const QueueGroup& g) {
    return std::any_of(g.flavors.begin(), g.flavors.end(),
                       [&](FlavorId f) { return state_.flavors[f.index()].topology != kNoTopology; });
  };
  for (std::size_t i = 0; i < assignment.pod_sets.size(); ++i) {
    PodSetAssignment& a = assignment.pod_sets[i];
    const PodSetShape& shape = shape_.pod_sets[i];
    if (!wants_topology(shape) || !a.error.empty() || a.topology) continue;
    if (a.count == 0 && state_.release.after_017()) continue;
    if (std::none_of(queue_.groups.begin(), queue_.groups.end(), knows_topology)) {
      fail(a, "workload requires Topology, but there is no TAS cache information");
      continue;
    }
    std::string error;
    const std::int32_t topology = only_topology_of(a, error);
    if (!error.empty()) {
      fail(a, std::move(error));
      continue;
    }
    const FlavorId flavor = state_.topology_flavors[static_cast<std::size_t>(topology)];
    const auto delays = [&](const QueueCheck& c) {
      return c.multi_kueue ||
             (c.provisioning && std::binary_search(c.flavors.begin(), c.flavors.end(), flavor));
    };
    if (std::any_of(queue_.checks.begin(), queue_.checks.end(), delays)) {
      a.topology_delayed = true;
      continue;
    }
    auto of = std::find_if(out.topologies.begin(), out.topologies.end(),
                           [&](const auto& t) { return t.topology == topology; });
    if (of == out.topologies.end()) of = out.topologies.insert(of, {topology, {}});
    of->requests.push_back({i, shape.spec, shape.placed_per_pod, a.count, !shape.explicit_topology});
  }
  std::sort(out.topologies.begin(), out.topologies.end(), [&](const auto& x, const auto& y) {
    const auto name = [&](const auto& t) {
      return state_.flavor_names[state_.topology_flavors[static_cast<std::size_t>(t.topology)]];
    };
    return name(x) < name(y);
  });
  return out;
}

void Assigner::set_topologies(Assignment& assignment, const TopologyOutcome& outcome) {
  for (const PlacementResult& r : outcome.placed) {
    auto& topology = assignment.pod_sets[r.pod_set].topology;
    if (r.failure.empty())
      topology = r.domains;
    else
      topology.reset();
  }
}

void Assigner::place(Assignment& out) {
  const TopologyRequests requests = topology_requests(out);
  if (out.mode() == Mode::kFit) {
    const TopologyOutcome outcome = find_topologies(state_, requests, false);
    if (const PlacementResult* failure = outcome.failure()) {
      PodSetAssignment& a = out.pod_sets[failure->pod_set];
      a.reasons.push_back({.text = failure->failure});
      a.set_mode(Mode::kPreempt);
      out.known_mode = Mode::kPreempt;
    } else {
      set_topologies(out, outcome);
    }
  }
  if (out.mode() != Mode::kPreempt) return;
  // Even if every workload were preempted?
  const TopologyOutcome outcome = find_topologies(state_, requests, true);
  if (const PlacementResult* failure = outcome.failure()) {
    out.pod_sets[failure->pod_set].set_mode(Mode::kNoFit);
    out.known_mode = Mode::kNoFit;
    return;
  }
  // Quota may be free in sum and yet scattered: preemption may be needed where quota alone would fit.
  bool any = !state_.release.after_017();
  for (const auto& of : requests.topologies)
    for (const PlacementRequest& r : of.requests) {
      out.pod_sets[r.pod_set].set_mode(Mode::kPreempt);
      any = true;
    }
  if (any) out.known_mode = Mode::kPreempt;
}

}  // namespace etiage::quota
