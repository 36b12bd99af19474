#include "engines/placement/kai/cycle.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <tuple>

#include "engines/placement/kai/queue_tree.h"

namespace etiage::placement::kai {
namespace {

constexpr const char* kGpu = "nvidia.com/gpu";
constexpr double kMilli = 1000;

Shares shares_of(const Amounts& amounts) {
  return {amount_of(amounts, kGpu), amount_of(amounts, "cpu") * kMilli, amount_of(amounts, "memory")};
}

bool asks_for_a_part(const Pod& pod) {
  return pod.meta.annotations.contains("gpu-fraction") || pod.meta.annotations.contains("gpu-memory");
}

class Cycle {
 public:
  Cycle(NodeBook& nodes, QueueTree queues, const std::vector<QueuedGroup>& groups)
      : nodes_(nodes), queues_(std::move(queues)), groups_(groups) {}

  CycleResult run() {
    jobs_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) load(g);
    queues_.share_out(shares_of(nodes_.total()));
    while (const auto g = next(queues_.top()))
      if (!allocate(*g)) jobs_[*g].open = false;
    CycleResult out{queues_.states(), {}};
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].waited > 0) out.groups.push_back(told(g));
    return out;
  }

 private:
  struct Job {
    std::optional<std::size_t> queue;
    bool open = false;
    std::int32_t ready = 0, waited = 0;
    std::deque<PodIndex> pending;
    std::string reason;
    std::vector<PlacedPod> placed;
  };

  void load(std::size_t g) {
    Job& job = jobs_[g];
    job.queue = queues_.find(groups_[g].queue);
    bool part = false;
    for (const PodIndex pod : groups_[g].members) {
      const Shares asked = shares_of(nodes_.requests(pod));
      if (nodes_.runs(pod)) {
        ++job.ready;
        if (job.queue) queues_.hold(*job.queue, asked, groups_[g].preemptible, 1);
      } else if (nodes_.waits(pod)) {
        ++job.waited;
        job.pending.push_back(pod);
        part |= asks_for_a_part(nodes_.snapshot().pod(pod));
      } else {
        continue;
      }
      if (job.queue) queues_.request(*job.queue, asked);
    }
    const std::int32_t known = job.ready + job.waited;
    if (!job.queue)
      job.reason = fmt::format("queue {} does not exist", groups_[g].queue);
    else if (!queues_.children(*job.queue).empty())
      job.reason = fmt::format("queue {} has queues below it: only leaves take groups", groups_[g].queue);
    else if (known < groups_[g].min_member)
      job.reason = fmt::format("{} of minMember {} pods exist", known, groups_[g].min_member);
    else if (part)
      job.reason = "asks for a part of a GPU: on which card is not foreseen";
    job.open = job.reason.empty() && job.waited > 0;
  }

  /// The pods of the next attempt: all that the gang lacks, then one at a time.
  std::size_t chunk(std::size_t g) const {
    const std::int32_t missing = groups_[g].min_member - jobs_[g].ready;
    return std::min(jobs_[g].pending.size(), static_cast<std::size_t>(std::max(1, missing)));
  }

  Shares asked(std::size_t g) const {
    Amounts sum;
    for (std::size_t i = 0; i < chunk(g); ++i) add(sum, nodes_.requests(jobs_[g].pending[i]));
    return shares_of(sum);
  }

  bool job_before(std::size_t a, std::size_t b) const {
    const auto rank = [&](std::size_t g) {
      return std::tuple(-groups_[g].priority, jobs_[g].ready >= groups_[g].min_member,
                        groups_[g].created.value_or(Instant::max()), groups_[g].ns, groups_[g].name);
    };
    return rank(a) < rank(b);
  }

  std::optional<std::size_t> next_of(std::size_t queue) const {
    if (!queues_.children(queue).empty()) return next(queues_.children(queue));
    std::optional<std::size_t> out;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].open && jobs_[g].queue == queue && (!out || job_before(g, *out))) out = g;
    return out;
  }

  /// The next group below one of the queues.
  std::optional<std::size_t> next(const std::vector<std::size_t>& among) const {
    std::optional<std::size_t> out, from;
    for (const std::size_t q : among) {
      const auto g = next_of(q);
      if (g && (!out || queues_.before(q, asked(*g), *from, asked(*out)))) out = g, from = q;
    }
    return out;
  }

  /// True: the group has more pods to try.
  bool allocate(std::size_t g) {
    Job& job = jobs_[g];
    job.reason = queues_.refuses(*job.queue, asked(g), groups_[g].preemptible);
    if (!job.reason.empty()) return false;
    std::vector<PlacedPod> tried;
    for (std::size_t left = chunk(g); left > 0 && job.reason.empty(); --left) {
      const PodIndex pod = job.pending.front();
      NodeChoice choice = nodes_.place(
          pod, [this](PodIndex p, const std::vector<NodeIndex>& among) { return scores(p, among); });
      job.reason = choice.message;
      if (choice.node == kNoNode) break;
      job.pending.pop_front();
      tried.push_back({pod, std::move(choice)});
    }
    if (!job.reason.empty()) {
      if (groups_[g].min_member > 1 && job.ready < groups_[g].min_member)
        job.reason = fmt::format("{} of minMember {} pods find a place; {}",
                                 job.ready + static_cast<std::int32_t>(tried.size()), groups_[g].min_member,
                                 job.reason);
      for (auto p = tried.rbegin(); p != tried.rend(); ++p) {
        nodes_.give_back(p->pod);
        job.pending.push_front(p->pod);
      }
      return false;
    }
    for (PlacedPod& p : tried) {
      queues_.hold(*job.queue, shares_of(nodes_.requests(p.pod)), groups_[g].preemptible, 1);
      ++job.ready;
      job.placed.push_back(std::move(p));
    }
    return !job.pending.empty();
  }

  /// The band of resource types above that of packing.
  std::vector<double> scores(PodIndex pod, const std::vector<NodeIndex>& among) const {
    constexpr double kResourceType = 10;
    const bool gpu = amount_of(nodes_.requests(pod), kGpu) > 0;
    std::vector<double> free, out;
    for (const NodeIndex n : among) {
      const char* resource = gpu ? kGpu : "cpu";
      free.push_back(amount_of(nodes_.allocatable(n), resource) - amount_of(nodes_.requested(n), resource));
    }
    const auto [least, most] = std::ranges::minmax(free);
    for (std::size_t i = 0; i < among.size(); ++i) {
      const bool has_gpus = amount_of(nodes_.allocatable(among[i]), kGpu) > 0;
      out.push_back((has_gpus == gpu ? kResourceType : 0) + binpack_score(free[i], least, most));
    }
    return out;
  }

  bool may_reclaim_for(std::size_t g) const {
    const Shares wanted = asked(g);
    for (std::size_t r = 0; r < kResources; ++r)
      if (wanted[r] > 0 &&
          !may_reclaim(queues_.seen(*jobs_[g].queue, r), queues_.states()[*jobs_[g].queue].fair_share[r],
                       wanted[r], groups_[g].preemptible))
        return false;
    return true;
  }

  bool gives(std::size_t victim, std::size_t g) const {
    const Shares wanted = asked(g);
    for (std::size_t r = 0; r < kResources; ++r)
      if (wanted[r] > 0 && queues_.states()[victim].allocated[r] > 0 &&
          may_be_reclaimed(queues_.seen(victim, r), queues_.states()[victim].fair_share[r],
                           queues_.seen(*jobs_[g].queue, r), wanted[r]))
        return true;
    return false;
  }

  std::vector<std::string> givers(std::size_t g) const {
    std::vector<std::string> out;
    if (!jobs_[g].queue || jobs_[g].pending.empty() || !may_reclaim_for(g)) return out;
    for (std::size_t other = 0; other < groups_.size(); ++other) {
      const auto queue = jobs_[other].queue;
      if (!queue || queue == jobs_[g].queue || !groups_[other].preemptible || jobs_[other].ready == 0)
        continue;
      const std::string& name = queues_.states()[*queue].queue.name;
      if (std::ranges::find(out, name) == out.end() && gives(*queue, g)) out.push_back(name);
    }
    return out;
  }

  GroupOutcome told(std::size_t g) const {
    const Job& job = jobs_[g];
    return outcome_of(g, job.waited, job.reason, job.placed,
                      [this](std::size_t waits) { return givers(waits); });
  }

  NodeBook& nodes_;
  QueueTree queues_;
  const std::vector<QueuedGroup>& groups_;
  std::vector<Job> jobs_;
};

}  // namespace

Result<CycleResult> run_cycle(NodeBook& nodes, const std::vector<QueueNode>& queues,
                              const std::vector<QueuedGroup>& groups) {
  auto tree = QueueTree::make(queues);
  if (!tree) return std::unexpected(tree.error());
  return Cycle(nodes, std::move(*tree), groups).run();
}

}  // namespace etiage::placement::kai
