// How fast pods are placed: kube-scheduler's MostAllocated with every node scored, and FGD on a cluster like
// openb's.

#include <benchmark/benchmark.h>
#include <numeric>

#include "base/rng.h"
#include "engines/placement/kube/scheduler.h"
#include "engines/placement/share/bound.h"
#include "engines/placement/share/repack.h"

namespace {

using namespace etiage;
using namespace etiage::placement;

/// Nodes of 8 GPUs and pods of 1, 1, 2, 4, 8, as the real scheduler is timed on.
SchedulingInput input(int nodes, int pods) {
  SchedulingInput out;
  for (int i = 0; i < nodes; ++i) {
    Node n;
    n.meta.name = "node-" + std::to_string(100000 + i);
    n.meta.labels = {{"kubernetes.io/hostname", n.meta.name},
                     {"topology.kubernetes.io/zone", "zone-" + std::to_string(i % 3)}};
    n.allocatable = {{"cpu", Quantity::units(96)},
                     {"memory", Quantity::units(std::int64_t{1} << 40)},
                     {"pods", Quantity::units(110)},
                     {"nvidia.com/gpu", Quantity::units(8)}};
    out.nodes.push_back(std::move(n));
  }
  constexpr int kGpus[] = {1, 1, 2, 4, 8};
  for (int i = 0; i < pods; ++i) {
    Pod p;
    p.meta.ns = "default";
    p.meta.name = "p" + std::to_string(i);
    Container c{.name = "c", .image = "train"};
    c.requests = {{"cpu", Quantity::units(1)},
                  {"memory", Quantity::units(std::int64_t{8} << 30)},
                  {"nvidia.com/gpu", Quantity::units(kGpus[i * 7919L % 5])}};
    p.spec.containers.push_back(std::move(c));
    out.pods.push_back(std::move(p));
  }
  return out;
}

/// Packs by GPU, without balance and without spreading by default.
SchedulerConfiguration most_allocated() {
  SchedulerProfile profile;
  profile.fit.strategy = NodeResourcesFitArgs::Strategy::kMostAllocated;
  profile.fit.resources = {{"nvidia.com/gpu", 10}, {"cpu", 1}, {"memory", 1}};
  profile.plugins["score"] = {{{"NodeResourcesFit", 10}}, {"NodeResourcesBalancedAllocation"}};
  profile.default_spread.emplace();
  return {{profile}, 100};
}

void schedule(benchmark::State& state, Detail detail) {
  const SchedulingInput objects = input(5000, static_cast<int>(state.range(0)));
  std::size_t bound = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto scheduler = Scheduler::make(objects, most_allocated());
    const auto pods = scheduler->pending(ScheduleOrder::kInput);
    state.ResumeTiming();
    for (const PodIndex p : pods) bound += scheduler->schedule(p, detail).outcome == ScheduleOutcome::kBound;
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["bound"] = static_cast<double>(bound) / static_cast<double>(state.iterations());
}

void most_allocated_5000_nodes(benchmark::State& state) {
  schedule(state, Detail::kNode);
}
void most_allocated_with_all_scores(benchmark::State& state) {
  schedule(state, Detail::kEverything);
}
BENCHMARK(most_allocated_5000_nodes)->Arg(12'000)->Unit(benchmark::kMillisecond);
BENCHMARK(most_allocated_with_all_scores)->Arg(500)->Unit(benchmark::kMillisecond);

/// Nodes and pods in openb's proportions.
ShareCluster cluster_like_openb() {
  std::vector<ShareNode> nodes;
  for (int i = 0; i < 1213; ++i)
    nodes.push_back(
        {"n" + std::to_string(i), i % 2 ? 96000 : 104000, 524288, i % 2 ? 8 : 2, i % 2 ? "G2" : "T4"});
  std::vector<SharePod> pods;
  Rng rng(42);
  constexpr std::int32_t kShares[] = {810, 470, 320, 650, 230, 460};
  constexpr std::int64_t kCpu[] = {3152, 4000, 8000, 9810, 11300, 11400, 12000, 18708};
  for (int i = 0; i < 8152; ++i) {
    const auto kind = rng.below(100);
    const std::int64_t cpu = kCpu[rng.below(8)];
    if (kind < 13) {
      pods.push_back({"p", cpu, 16384, 0, 0, ""});
    } else if (kind < 51) {
      pods.push_back({"p", cpu / 2, 16384, 1, kShares[rng.below(6)], ""});
    } else {
      pods.push_back({"p", cpu, 16384, 1, kWholeDevice, ""});
    }
  }
  return *make_share_cluster(nodes, pods);
}

ReplayInput in_order_of_rows(const ShareCluster& cluster) {
  std::vector<std::uint32_t> pods(cluster.class_of.size()), ties(cluster.nodes.size());
  std::iota(pods.begin(), pods.end(), 0);
  std::iota(ties.begin(), ties.end(), 0);
  return {cluster, pods, ties};
}

void share_policy_on_1213_nodes(benchmark::State& state, SharePolicy policy) {
  const ShareCluster cluster = cluster_like_openb();
  const ReplayInput input = in_order_of_rows(cluster);
  for (auto _ : state) benchmark::DoNotOptimize(replay(input, policy));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(input.arrivals.size()));
}
BENCHMARK_CAPTURE(share_policy_on_1213_nodes, fgd, SharePolicy::kFgd)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(share_policy_on_1213_nodes, priced, SharePolicy::kPriced)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(share_policy_on_1213_nodes, best_fit, SharePolicy::kBestFit)->Unit(benchmark::kMillisecond);

void bound_of_a_replay(benchmark::State& state) {
  const ShareCluster cluster = cluster_like_openb();
  const ReplayInput input = in_order_of_rows(cluster);
  for (auto _ : state) benchmark::DoNotOptimize(allocation_bound(input));
}
BENCHMARK(bound_of_a_replay)->Unit(benchmark::kMillisecond);

/// Room for what random placement has left without, by so many moves.
void repack_after_random(benchmark::State& state) {
  const ShareCluster cluster = cluster_like_openb();
  const ReplayInput input = in_order_of_rows(cluster);
  const ReplayResult result = replay(input, SharePolicy::kRandom);
  RunningCluster running{result.nodes, cluster.classes, {}};
  std::vector<bool> placed(cluster.class_of.size());
  for (const Placement& p : result.placed) {
    running.running.push_back({cluster.class_of[p.pod], p.node, p.devices});
    placed[p.pod] = true;
  }
  std::vector<std::uint32_t> pending;
  for (std::uint32_t p = 0; p < placed.size(); ++p)
    if (!placed[p]) pending.push_back(cluster.class_of[p]);
  const RepackLimits limits{.all_moves = static_cast<int>(state.range(0))};
  int moves = 0;
  for (auto _ : state) moves = make_room(running, pending, limits).moves;
  state.counters["moves"] = moves;
  state.counters["pending"] = static_cast<double>(pending.size());
}
BENCHMARK(repack_after_random)->Arg(10)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
