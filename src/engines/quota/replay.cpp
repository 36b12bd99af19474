#include "engines/quota/replay.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "engines/quota/simulation.h"

namespace etiage::quota {

namespace {

/// A workload comes, or is done; `attempt` tells the ends of earlier, evicted attempts.
struct Event {
  Instant at;
  std::uint32_t workload = 0;
  bool arrives = false;
  int attempt = 0;

  bool operator>(const Event& o) const {
    return std::tie(at, arrives, workload) > std::tie(o.at, o.arrives, o.workload);
  }
};

class Replay {
 public:
  Replay(Simulation& simulation, const std::vector<Duration>& runtimes)
      : s_(simulation), runtimes_(runtimes) {}

  ReplayResult run();

 private:
  void take(const Event& event);
  void cycles(Instant now);
  bool moved() const;

  Simulation& s_;
  const std::vector<Duration>& runtimes_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  ReplayResult out_;
  CycleOutcome cycle_;
};

void Replay::take(const Event& event) {
  if (event.arrives) return s_.controllers().arrive({event.workload}, event.at);
  WorkloadTimes& times = out_.workloads[event.workload];
  if (times.evictions != event.attempt) return;
  times.finished = event.at;
  s_.controllers().finish({event.workload}, event.at);
}

/// Whether another cycle may decide otherwise than this one.
bool Replay::moved() const {
  const auto parked = [&](WorkloadId id) { return s_.queues().place(id) == WorkloadState::Place::kParked; };
  return !cycle_.admitted.empty() || !cycle_.preempted.empty() ||
         std::any_of(cycle_.pending.begin(), cycle_.pending.end(), parked);
}

void Replay::cycles(Instant now) {
  while (s_.any_head()) {
    s_.cycle(now, cycle_);
    ++out_.cycles;
    out_.admissions += static_cast<std::int64_t>(cycle_.admitted.size());
    out_.preemptions += static_cast<std::int64_t>(cycle_.preempted.size());
    for (const IssuedPreemption& p : cycle_.preempted) ++out_.workloads[p.workload.index()].evictions;
    for (const WorkloadId id : cycle_.admitted) {
      WorkloadTimes& times = out_.workloads[id.index()];
      times.admitted = now;
      events_.push({now + runtimes_[id.index()], id.value, false, times.evictions});
    }
    s_.settle(now, cycle_);
    if (!moved()) break;
  }
}

ReplayResult Replay::run() {
  const State& state = s_.state();
  out_.workloads.resize(state.workloads.size());
  for (std::uint32_t i = 0; i < state.workloads.size(); ++i) {
    const WorkloadState& w = state.workloads[i];
    const Instant created = w.spec->meta.created.value_or(Instant{});
    if (w.grant)
      events_.push({Instant{w.reserved_at} + runtimes_[i], i, false, 0});
    else
      events_.push({created, i, true, 0});
  }
  while (!events_.empty()) {
    const Instant now = events_.top().at;
    while (!events_.empty() && events_.top().at == now) {
      take(events_.top());
      events_.pop();
    }
    s_.controllers().retry(now);
    cycles(now);
    out_.end = now;
  }
  return std::move(out_);
}

}  // namespace

Result<ReplayResult> replay(const QueueObjects& objects, const QueueConfiguration& configuration,
                            const Release& release, const std::vector<Duration>& runtimes) {
  auto simulation = Simulation::make(objects, configuration, release, Instant::min(), Arrivals::kOneByOne);
  if (!simulation) return std::unexpected(simulation.error());
  return Replay(*simulation, runtimes).run();
}

}  // namespace etiage::quota
