// Kueue's admission: the loads that the real scheduler was timed on, and Kueue's own performance
// configurations.

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <fmt/format.h>

#include "engines/quota/nomination.h"
#include "engines/quota/replay.h"
#include "engines/quota/simulation.h"

namespace {

using namespace etiage;
using namespace etiage::quota;

constexpr Instant kNow = Instant::unix_seconds(1'767'268'800);

/// A ClusterQueue that reclaims from anyone and preempts lower priorities, with its LocalQueue.
void add_queue(QueueObjects& out, const std::string& name, const std::string& cohort, std::int64_t nominal,
               std::int64_t borrow) {
  ClusterQueue q;
  q.meta.name = name;
  q.cohort = cohort;
  q.namespace_selector = LabelSelector{};
  q.preemption.reclaim_within_cohort = PreemptionPolicy::kAny;
  q.preemption.within_cluster_queue = PreemptionPolicy::kLowerPriority;
  ResourceQuota quota{.resource = "cpu", .nominal = Quantity::units(nominal)};
  if (borrow >= 0) quota.borrowing_limit = Quantity::units(borrow);
  q.resource_groups = {{{"cpu"}, {{"default", {quota}}}}};
  out.cluster_queues.push_back(q);
  LocalQueue local;
  local.meta.ns = "default";
  local.meta.name = "lq-" + name;
  local.cluster_queue = name;
  out.local_queues.push_back(local);
}

Workload make_workload(const std::string& name, const std::string& queue, std::int32_t priority,
                       std::int64_t cpus, Instant created) {
  Workload w;
  w.meta.ns = "default";
  w.meta.name = name;
  w.meta.uid = "uid-" + name;
  w.meta.created = created;
  w.queue = "lq-" + queue;
  w.priority = priority;
  PodSet p;
  Container c;
  c.requests["cpu"] = Quantity::units(cpus);
  p.spec.containers.push_back(c);
  w.pod_sets.push_back(p);
  return w;
}

QueueObjects base() {
  QueueObjects out;
  ResourceFlavor flavor;
  flavor.meta.name = "default";
  out.flavors.push_back(flavor);
  return out;
}

/// 70 % small, 20 % medium, 10 % large, as in Kueue's own load.
QueueObjects drain_load(int queues, int per_queue, int per_cohort) {
  QueueObjects out = base();
  for (int i = 0; i < queues; ++i) {
    const std::string queue = fmt::format("cq-{:04}", i);
    add_queue(out, queue, fmt::format("cohort-{:02}", i / per_cohort), 1'000'000, 100);
    for (int j = 0; j < per_queue; ++j) {
      const int kind = j % 10 == 9 ? 2 : j % 10 >= 7 ? 1 : 0;
      constexpr std::int32_t kPriorities[] = {50, 100, 200};
      constexpr std::int64_t kSizes[] = {1, 5, 20};
      out.workloads.push_back(make_workload(fmt::format("w-{:04}-{:03}", i, j), queue, kPriorities[kind],
                                            kSizes[kind], kNow - Duration::seconds(per_queue - j)));
    }
  }
  return out;
}

/// It holds quota since `since`.
void admit(Workload& w, const std::string& queue, std::int64_t cpus, Instant since) {
  w.admission = Admission{queue,
                          {{.name = "main",
                            .count = 1,
                            .flavors = {{"cpu", "default"}},
                            .usage = {{"cpu", Quantity::units(cpus)}}}}};
  w.conditions = {{"QuotaReserved", "True", "QuotaReserved", "", since},
                  {"Admitted", "True", "Admitted", "", since}};
}

/// One workload without usage of its own asks for 50 cpus back among 1,000 admitted workloads of one cpu
/// each.
QueueObjects preemption_load() {
  QueueObjects out = base();
  for (int i = 0; i < 10; ++i) add_queue(out, fmt::format("cq-{}", i), "one", 100, -1);
  for (int j = 0; j < 1000; ++j) {
    const std::string queue = fmt::format("cq-{}", 1 + j % 9);
    Workload w = make_workload(fmt::format("w{:04}", j), queue, j % 7, 1, kNow - Duration::hours(1));
    admit(w, queue, 1, kNow - Duration::seconds(3000 - j));
    out.workloads.push_back(w);
  }
  out.workloads.push_back(make_workload("preemptor", "cq-0", 100, 50, kNow - Duration::seconds(60)));
  return out;
}

Release latest() {
  return *release(kLatestRelease, {});
}

Simulation simulation_of(const QueueObjects& objects) {
  return std::move(*Simulation::make(objects, {}, latest(), kNow));
}

void drain(benchmark::State& state) {
  const QueueObjects objects = drain_load(1000, 50, 100);
  std::int64_t admitted = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Simulation s = simulation_of(objects);
    CycleOutcome cycle;
    Instant now = kNow;
    state.ResumeTiming();
    while (s.any_head()) {
      now = now + Duration::seconds(1);
      s.cycle(now, cycle);
      admitted += static_cast<std::int64_t>(cycle.admitted.size());
      s.settle(now, cycle);
    }
    state.PauseTiming();
    {
      const Simulation gone = std::move(s);
    }
    state.ResumeTiming();
  }
  state.counters["admitted/s"] =
      benchmark::Counter(static_cast<double>(admitted), benchmark::Counter::kIsRate);
}
BENCHMARK(drain)->Unit(benchmark::kMillisecond);

/// One cycle that finds and evicts 50 victims; p50 and p99 of many.
void preempt(benchmark::State& state) {
  const QueueObjects objects = preemption_load();
  std::vector<double> micros;
  std::size_t victims = 0;
  for (auto _ : state) {
    Simulation s = simulation_of(objects);
    CycleOutcome cycle;
    const auto start = std::chrono::steady_clock::now();
    s.cycle(kNow + Duration::seconds(1), cycle);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    victims = cycle.preempted.size();
    micros.push_back(took.count() * 1e6);
    state.SetIterationTime(took.count());
  }
  std::sort(micros.begin(), micros.end());
  state.counters["victims"] = static_cast<double>(victims);
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}
BENCHMARK(preempt)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(300);

/// 1,000 ClusterQueues in cohorts of 100, all quota in use, every other one borrowing: what would one more
/// workload of a lender get? Nothing is changed by the question.
void what_if(benchmark::State& state) {
  constexpr int kQueues = 1000;
  QueueObjects objects = base();
  for (int i = 0; i < kQueues; ++i) {
    const std::string queue = fmt::format("cq-{:04}", i);
    add_queue(objects, queue, fmt::format("cohort-{:02}", i / 100), 40, 100);
    for (int j = 0; j < (i % 2 == 0 ? 30 : 50); ++j) {
      Workload w =
          make_workload(fmt::format("w-{:04}-{:02}", i, j), queue, j % 7, 1, kNow - Duration::hours(1));
      admit(w, queue, 1, kNow - Duration::seconds(3000 - j));
      objects.workloads.push_back(w);
    }
    if (i % 2 == 0)
      objects.workloads.push_back(make_workload(fmt::format("p-{:04}", i), queue, 100, 10, kNow));
  }
  Simulation s = simulation_of(objects);
  std::vector<WorkloadId> asked;
  for (std::uint32_t w = 0; w < s.state().workloads.size(); ++w)
    if (!s.state().workloads[w].reserved) asked.push_back({w});
  std::vector<double> micros;
  std::size_t victims = 0;
  Entry entry;
  for (auto _ : state) {
    entry.workload = asked[micros.size() % asked.size()];
    const auto start = std::chrono::steady_clock::now();
    nominate(s.state(), entry, kNow.ns);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    victims = entry.targets.size();
    micros.push_back(took.count() * 1e6);
    state.SetIterationTime(took.count());
  }
  std::sort(micros.begin(), micros.end());
  state.counters["victims"] = static_cast<double>(victims);
  state.counters["p50_us"] = micros[micros.size() / 2];
  state.counters["p99_us"] = micros[micros.size() * 99 / 100];
}
BENCHMARK(what_if)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(2000);

/// Kueue's performance generator: cohorts of ClusterQueues, three classes of workloads that come at intervals
/// and run.
void replay_load(benchmark::State& state, int cohorts, int queues, const int (&counts)[3]) {
  QueueObjects objects = base();
  std::vector<Duration> runtimes;
  constexpr std::int32_t kPriorities[] = {50, 100, 200};
  constexpr std::int64_t kSizes[] = {1, 5, 20}, kIntervals[] = {100, 500, 1200},
                         kRuntimes[] = {200, 500, 1000};
  for (int c = 0; c < cohorts; ++c)
    for (int q = 0; q < queues; ++q) {
      const std::string name = fmt::format("cq-{}-{}", c, q);
      add_queue(objects, name, fmt::format("cohort-{}", c), 20, 100);
      for (int kind = 0; kind < 3; ++kind)
        for (int n = 0; n < counts[kind]; ++n) {
          objects.workloads.push_back(make_workload(fmt::format("{}-{}-{}", name, kind, n), name,
                                                    kPriorities[kind], kSizes[kind],
                                                    kNow + Duration::millis(kIntervals[kind] * n)));
          runtimes.push_back(Duration::millis(kRuntimes[kind]));
        }
    }
  ReplayResult result;
  for (auto _ : state) result = *replay(objects, {}, latest(), runtimes);
  const auto never = [](const WorkloadTimes& t) { return !t.finished; };
  state.counters["workloads"] = static_cast<double>(runtimes.size());
  state.counters["unfinished"] =
      static_cast<double>(std::count_if(result.workloads.begin(), result.workloads.end(), never));
  state.counters["cycles"] = static_cast<double>(result.cycles);
  state.counters["evictions"] = static_cast<double>(result.preemptions);
  state.counters["simulated_s"] = (result.end - kNow).as_seconds();
}
void kueue_baseline(benchmark::State& state) {
  replay_load(state, 5, 6, {350, 100, 50});
}
void kueue_large_scale(benchmark::State& state) {
  replay_load(state, 10, 100, {35, 10, 5});
}
BENCHMARK(kueue_baseline)->Unit(benchmark::kMillisecond);
BENCHMARK(kueue_large_scale)->Unit(benchmark::kMillisecond);

}  // namespace
