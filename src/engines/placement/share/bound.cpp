#include "engines/placement/share/bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <tuple>

#include "engines/placement/share/pattern_bound.h"

namespace etiage::placement {
namespace {

/// Milli, rounded up beyond what the sums of doubles may have lost.
std::int64_t rounded_up(double milli) {
  return static_cast<std::int64_t>(std::ceil(milli + 1e-9 * std::fabs(milli) + 1e-3));
}

std::int64_t by_resources(const ReplayInput& input) {
  std::vector<const PodClass*> pods;
  std::int64_t demand = 0;
  for (const std::uint32_t p : input.arrivals) {
    const PodClass& pod = input.cluster.classes[input.cluster.class_of[p]];
    demand += pod.total_gpu_milli();
    if (pod.gpus > 0) pods.push_back(&pod);
  }
  std::ranges::sort(pods, {}, [](const PodClass* p) {
    return static_cast<double>(p->cpu_milli) / static_cast<double>(p->total_gpu_milli());
  });
  std::int64_t cpu = 0;
  for (const NodeState& n : input.cluster.nodes) cpu += n.cpu_total;
  std::int64_t fed = 0;
  for (const PodClass* p : pods) {  // the last one in part: rounded up, so that it stays a bound
    fed += p->cpu_milli <= cpu ? p->total_gpu_milli() : p->total_gpu_milli() * cpu / p->cpu_milli + 1;
    cpu -= p->cpu_milli;
    if (cpu <= 0) break;
  }
  return std::min({input.cluster.total_gpus() * kWholeDevice, demand, fed});
}

std::vector<std::int32_t> share_sizes(const ShareCluster& cluster) {
  std::vector<std::int32_t> out;
  for (const SizeDemand& s : share_demand(cluster)) out.push_back(s.milli);
  return out;
}

std::vector<NodeGroup> node_groups(const ShareCluster& cluster) {
  std::map<std::tuple<std::uint8_t, std::int32_t, std::int64_t, std::int64_t>, NodeGroup> groups;
  for (const NodeState& n : cluster.nodes) {
    if (n.gpus == 0) continue;
    NodeGroup& g = groups[{n.model, n.gpus, n.cpu_total, n.memory_free}];
    g.devices += n.gpus;
    g.cpu += static_cast<double>(n.cpu_free);
    g.memory += static_cast<double>(n.memory_free);
    g.gpus = n.gpus;
    g.model = n.model;
  }
  std::vector<NodeGroup> out;
  for (const auto& [key, g] : groups) out.push_back(g);
  return out;
}

NodeGroup all_nodes(const ShareCluster& cluster) {
  NodeGroup out{.gpus = kMaxDevices};
  for (const NodeState& n : cluster.nodes) out.devices += n.gpus;
  return out;
}

/// What arrives, by class; classes without GPUs left out.
std::vector<BoundedDemand> demand_of(const ReplayInput& input) {
  std::vector<double> count(input.cluster.classes.size());
  for (const std::uint32_t p : input.arrivals) ++count[input.cluster.class_of[p]];
  std::vector<BoundedDemand> out;
  for (std::size_t c = 0; c < count.size(); ++c)
    if (count[c] > 0 && input.cluster.classes[c].gpus > 0)
      out.push_back({input.cluster.classes[c], 0, count[c]});
  return out;
}

/// The same by size alone, as if any device were good for any pod.
std::vector<BoundedDemand> by_size(const std::vector<BoundedDemand>& demand) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> most;
  for (const BoundedDemand& d : demand) most[{d.pod.gpus, d.pod.gpu_milli}] += d.most;
  std::vector<BoundedDemand> out;
  for (const auto& [size, n] : most)
    out.push_back({PodClass{.gpus = size.first, .gpu_milli = size.second}, 0, n});
  return out;
}

/// By node class. `together`: the programme of all nodes taken as one, whose patterns are a good beginning.
std::int64_t by_patterns(const ReplayInput& input, PatternBound& together) {
  const auto demand = demand_of(input);
  together.most(by_size(demand));
  PatternBound apart(node_groups(input.cluster), share_sizes(input.cluster));
  apart.begin_with(together.patterns(0));
  return rounded_up(apart.most(demand));
}

/// `a` fits wherever `b` does.
bool needs_no_more(const PodClass& a, const PodClass& b) {
  return a.cpu_milli <= b.cpu_milli && a.memory_mib <= b.memory_mib && a.gpus <= b.gpus &&
         a.gpu_milli <= b.gpu_milli && (b.accepts & ~a.accepts) == 0;
}

// Let `wasteful` be one kind of sharing pods, and t the last moment at which it fits anywhere. What is free
// only shrinks. So up to t each pod that needs no more than it fits as well and, none being refused, is
// placed or still among the pending ones; after t no pod fits that needs as much. For every t that gives
// limits on how many of each size are placed, and a programme; t is unknown, so the largest of them is the
// bound. The moments are taken by intervals, the limits of either end together, and the interval that is
// worth the most is halved until it is short.
class NoneRefused {
 public:
  NoneRefused(const ReplayInput& input, const PodClass& wasteful, PatternBound& together)
      : input_(input), programme_(together) {
    for (std::uint32_t at = 0; at < input.arrivals.size(); ++at) {
      const PodClass& pod = input.cluster.classes[input.cluster.class_of[input.arrivals[at]]];
      if (pod.gpus == 0) continue;
      Kind& kind = kinds_[{pod.gpus, pod.gpu_milli}];
      if (needs_no_more(pod, wasteful)) kind.forced.push_back(at);
      (needs_no_more(wasteful, pod) ? kind.shut_out : kind.free).push_back(at);
    }
  }

  std::int64_t most() {
    struct Interval {
      double value;
      std::uint32_t first, last;
      bool operator<(const Interval& o) const { return value < o.value; }
    };
    const auto all = static_cast<std::uint32_t>(input_.arrivals.size());
    const std::uint32_t shortest = all / 1000 + 1;
    std::priority_queue<Interval> open;
    open.push({value(0, all), 0, all});
    for (;;) {
      const Interval top = open.top();
      if (top.last - top.first <= shortest) return rounded_up(top.value);
      open.pop();
      const std::uint32_t middle = std::midpoint(top.first, top.last);
      open.push({value(top.first, middle), top.first, middle});
      open.push({value(middle, top.last), middle, top.last});
    }
  }

 private:
  /// Arrivals of a size, by what becomes of them; positions ascending.
  struct Kind {
    std::vector<std::uint32_t> forced;    ///< need no more than the wasteful kind
    std::vector<std::uint32_t> shut_out;  ///< need as much
    std::vector<std::uint32_t> free;      ///< all others
  };

  static double before(const std::vector<std::uint32_t>& positions, std::uint32_t end) {
    return static_cast<double>(std::ranges::lower_bound(positions, end) - positions.begin());
  }

  double value(std::uint32_t first, std::uint32_t last) {
    std::vector<BoundedDemand> demand;
    for (const auto& [size, kind] : kinds_) {
      BoundedDemand d{.pod = {.gpus = size.first, .gpu_milli = size.second}};
      d.most = before(kind.shut_out, last) + static_cast<double>(kind.free.size());
      d.least = std::max(0.0, before(kind.forced, first) - static_cast<double>(input_.look_ahead));
      demand.push_back(d);
    }
    return programme_.most(demand);
  }

  const ReplayInput& input_;
  PatternBound& programme_;
  std::map<std::pair<std::int32_t, std::int32_t>, Kind> kinds_;
};

/// The kind of sharing pods that would leave the most behind alone on their devices.
const PodClass* most_wasteful(const ReplayInput& input) {
  const HolePrices holes(share_demand(input.cluster));
  std::vector<double> waste(input.cluster.classes.size());
  for (const std::uint32_t p : input.arrivals) {
    const PodClass& pod = input.cluster.classes[input.cluster.class_of[p]];
    if (pod.shares()) waste[input.cluster.class_of[p]] += holes.waste(kWholeDevice - pod.gpu_milli);
  }
  const auto most = std::ranges::max_element(waste);
  return most == waste.end() || *most <= 0 ? nullptr : &input.cluster.classes[most - waste.begin()];
}

}  // namespace

AllocationBound allocation_bound(const ReplayInput& input) {
  PatternBound together({all_nodes(input.cluster)}, share_sizes(input.cluster));
  AllocationBound out{.resources = by_resources(input)};
  out.none_refused = out.patterns = std::min(out.resources, by_patterns(input, together));
  const bool may_refuse = input.defer && input.look_ahead > 1;
  if (const PodClass* wasteful = most_wasteful(input); wasteful && !may_refuse)
    out.none_refused = std::min(out.patterns, NoneRefused(input, *wasteful, together).most());
  return out;
}

}  // namespace etiage::placement
