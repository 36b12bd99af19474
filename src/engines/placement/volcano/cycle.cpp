#include "engines/placement/volcano/cycle.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace etiage::placement::volcano {
namespace {

/// Sums of shares are not exact: Volcano lets a tenth of a thousandth pass.
bool above(double amount, double limit) {
  constexpr double kTolerance = 1e-4, kOfMany = 1e-9;
  return amount > limit + kTolerance + kOfMany * limit;
}

/// The resources of `asked` in which held + asked is above the limit; what the limit does not name is free.
std::vector<std::string> beyond(const Amounts& asked, const Amounts& held, const Amounts& limit) {
  std::vector<std::string> out;
  for (const auto& [resource, amount] : asked)
    if (amount > 0 && limit.contains(resource) &&
        above(amount_of(held, resource) + amount, amount_of(limit, resource)))
      out.push_back(resource);
  return out;
}

/// The same where what the limit does not name counts as nothing.
std::vector<std::string> beyond_share(const Amounts& asked, const Amounts& held, const Amounts& share) {
  std::vector<std::string> out;
  for (const auto& [resource, amount] : asked)
    if (amount > 0 && above(amount_of(held, resource) + amount, amount_of(share, resource)))
      out.push_back(resource);
  return out;
}

class Cycle {
 public:
  Cycle(NodeBook& nodes, std::vector<Queue> queues, const std::vector<QueuedGroup>& groups,
        const Rules& rules)
      : nodes_(nodes), queues_(std::move(queues)), groups_(groups), rules_(rules), total_(nodes.total()) {}

  CycleResult run() {
    load();
    enqueue();
    allocate();
    CycleResult out;
    for (std::size_t q = 0; q < queues_.size(); ++q)
      out.queues.push_back({queues_[q], limits_[q], before_[q]});
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].waited > 0) out.groups.push_back(told(g));
    return out;
  }

 private:
  struct Job {
    std::size_t queue = 0;
    bool valid = false, admitted = false;
    std::int32_t ready = 0, waited = 0;  ///< pods with a node; pods that waited when the cycle began
    Amounts held;
    std::deque<PodIndex> pending;
    std::string reason;
    std::vector<PlacedPod> placed;
  };

  void load() {
    std::map<std::string, std::size_t> by_name;
    for (std::size_t q = 0; q < queues_.size(); ++q) by_name[queues_[q].name] = q;
    jobs_.resize(groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const auto queue = by_name.find(groups_[g].queue);
      load_job(g, queue == by_name.end() ? nullptr : &queues_[queue->second]);
      if (queue != by_name.end()) jobs_[g].queue = queue->second;
    }
    for (const Queue& q : queues_) before_.push_back(q.allocated);
    if (!rules_.by_capacity && !rules_.unlimited) water_fill(queues_, total_);
    for (const Queue& q : queues_) limits_.push_back(volcano::real_capability(q, queues_, total_));
    inqueue_.resize(queues_.size());
    elastic_.resize(queues_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) load_minimum(g);
  }

  void load_job(std::size_t g, Queue* queue) {
    Job& job = jobs_[g];
    const QueuedGroup& group = groups_[g];
    for (const PodIndex pod : group.members) {
      const Amounts asked = nodes_.requests(pod);
      if (nodes_.runs(pod)) {
        ++job.ready;
        add(job.held, asked);
        if (queue) add(queue->allocated, asked);
      } else if (nodes_.waits(pod)) {
        ++job.waited;
        job.pending.push_back(pod);
      } else {
        continue;
      }
      if (queue) add(queue->request, asked);
    }
    const std::int32_t known = job.ready + job.waited;
    if (!queue)
      job.reason = fmt::format("queue {} does not exist", group.queue);
    else if (rules_.gangs && known < group.min_member)
      job.reason = fmt::format("{} of minMember {} pods exist", known, group.min_member);
    job.valid = job.reason.empty();
    job.admitted = !rules_.enqueues || group.enqueued || job.ready > 0;
  }

  /// What the gate has promised to jobs already, and what jobs hold beyond their minimum.
  void load_minimum(std::size_t g) {
    const Job& job = jobs_[g];
    if (!job.valid || !groups_[g].min_resources) return;
    const Amounts& minimum = *groups_[g].min_resources;
    if (job.ready == 0 && job.admitted) {
      add(inqueue_[job.queue], minimum);
      add(promised_, minimum);
    }
    if (job.ready < groups_[g].min_member) return;
    for (const auto& [resource, amount] : job.held)
      elastic_[job.queue][resource] += std::max(0.0, amount - amount_of(minimum, resource));
  }

  bool ready(std::size_t g) const { return !rules_.gangs || jobs_[g].ready >= groups_[g].min_member; }

  double dominant_share(std::size_t g) const {
    double out = 0;
    for (const auto& [resource, amount] : jobs_[g].held)
      if (const double all = amount_of(total_, resource); all > 0) out = std::max(out, amount / all);
    return out;
  }

  bool job_before(std::size_t a, std::size_t b) const {
    const auto rank = [&](std::size_t g) {
      return std::tuple(rules_.by_priority ? -groups_[g].priority : 0, rules_.gangs && ready(g),
                        rules_.by_dominant_share ? dominant_share(g) : 0.0,
                        groups_[g].created.value_or(Instant::max()), groups_[g].ns, groups_[g].name);
    };
    return rank(a) < rank(b);
  }

  bool queue_before(std::size_t a, std::size_t b) const {
    const auto rank = [&](std::size_t q) {
      return std::tuple(-queues_[q].priority, rules_.unlimited ? 0.0 : share(queues_[q]), queues_[q].name);
    };
    return rank(a) < rank(b);
  }

  /// Of the jobs in `open` the next: the first queue's first.
  std::size_t next(const std::vector<std::size_t>& open) const {
    return *std::ranges::min_element(open, [&](std::size_t a, std::size_t b) {
      return jobs_[a].queue != jobs_[b].queue ? queue_before(jobs_[a].queue, jobs_[b].queue)
                                              : job_before(a, b);
    });
  }

  void enqueue() {
    std::vector<std::size_t> open;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].valid && !jobs_[g].admitted && jobs_[g].waited > 0) open.push_back(g);
    while (!open.empty()) {
      const std::size_t g = next(open);
      std::erase(open, g);
      jobs_[g].reason = refused_at_the_gate(g);
      jobs_[g].admitted = jobs_[g].reason.empty();
      if (!jobs_[g].admitted || !groups_[g].min_resources) continue;
      add(inqueue_[jobs_[g].queue], *groups_[g].min_resources);
      add(promised_, *groups_[g].min_resources);
    }
  }

  std::string refused_at_the_gate(std::size_t g) const {
    if (!groups_[g].min_resources) return "";
    const std::size_t q = jobs_[g].queue;
    const Amounts& minimum = *groups_[g].min_resources;
    if (!rules_.unlimited && !may_enqueue(queues_[q], limits_[q], minimum, inqueue_[q], elastic_[q])) {
      Amounts held = queues_[q].allocated;
      add(held, inqueue_[q]);
      add(held, elastic_[q], -1);
      return fmt::format("queue resource quota insufficient: minResources does not fit into queue {} ({})",
                         queues_[q].name, fmt::join(beyond(minimum, held, limits_[q]), ", "));
    }
    if (!rules_.overcommit) return "";
    Amounts limit = total_, held = promised_;
    for (auto& [resource, amount] : limit) amount *= *rules_.overcommit;
    for (const NodeIndex n : nodes_.snapshot().by_name()) add(held, nodes_.requested(n));
    const auto lacking = beyond_share(minimum, held, limit);
    if (lacking.empty()) return "";
    return fmt::format("the cluster has no room for minResources, {} times overcommitted ({})",
                       *rules_.overcommit, fmt::join(lacking, ", "));
  }

  void allocate() {
    std::vector<std::size_t> open;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].valid && jobs_[g].admitted && !jobs_[g].pending.empty()) open.push_back(g);
    while (!open.empty()) {
      const std::size_t g = next(open);
      if (overused(jobs_[g].queue)) {
        jobs_[g].reason = fmt::format("queue {} holds all that it deserves", queues_[jobs_[g].queue].name);
        std::erase(open, g);
      } else if (!allocate_job(g)) {
        std::erase(open, g);
      }
    }
  }

  bool overused(std::size_t q) const {
    return !rules_.by_capacity && !rules_.unlimited && is_overused(queues_[q]);
  }

  /// Until the gang is ready, then one pod a turn. True: it may have another turn.
  bool allocate_job(std::size_t g) {
    Job& job = jobs_[g];
    std::vector<PlacedPod> tried;
    while (!job.pending.empty()) {
      const PodIndex pod = job.pending.front();
      job.pending.pop_front();
      std::string reason = beyond_the_queue(job.queue, pod);
      if (reason.empty()) reason = place(g, pod, tried);
      if (!reason.empty()) job.reason = std::move(reason);
      if (ready(g) && !job.pending.empty()) break;
    }
    if (ready(g)) {
      job.placed.insert(job.placed.end(), tried.begin(), tried.end());
      return !job.pending.empty();
    }
    for (const PlacedPod& p : tried) take_back(g, p.pod);
    job.reason =
        fmt::format("{} of minMember {} pods find a place; {}",
                    job.ready + static_cast<std::int32_t>(tried.size()), groups_[g].min_member, job.reason);
    return false;
  }

  std::string beyond_the_queue(std::size_t q, PodIndex pod) const {
    if (rules_.unlimited) return "";
    const Queue& queue = queues_[q];
    const auto over = rules_.by_capacity
                          ? beyond(nodes_.requests(pod), queue.allocated, limits_[q])
                          : beyond_share(nodes_.requests(pod), queue.allocated, queue.deserved);
    if (over.empty()) return "";
    return fmt::format("queue {} would hold more than {} ({})", queue.name,
                       rules_.by_capacity ? "its capability" : "it deserves", fmt::join(over, ", "));
  }

  std::string place(std::size_t g, PodIndex pod, std::vector<PlacedPod>& tried) {
    NodeChoice choice = nodes_.place(
        pod, [this](PodIndex p, const std::vector<NodeIndex>& among) { return scores(p, among); });
    if (choice.node == kNoNode) return choice.message;
    count(g, pod, 1);
    tried.push_back({pod, std::move(choice)});
    return "";
  }

  void take_back(std::size_t g, PodIndex pod) {
    count(g, pod, -1);
    nodes_.give_back(pod);
  }

  void count(std::size_t g, PodIndex pod, int sign) {
    const Amounts asked = nodes_.requests(pod);
    add(queues_[jobs_[g].queue].allocated, asked, sign);
    add(jobs_[g].held, asked, sign);
    jobs_[g].ready += sign;
  }

  std::vector<double> scores(PodIndex pod, const std::vector<NodeIndex>& among) {
    std::vector<double> out(among.size());
    if (rules_.orders_nodes) out = nodes_.usual_scores(pod, among);
    if (!rules_.binpack) return out;
    const Amounts asked = nodes_.requests(pod);
    for (std::size_t i = 0; i < among.size(); ++i)
      out[i] +=
          binpack_score(nodes_.requested(among[i]), nodes_.allocatable(among[i]), asked, *rules_.binpack);
    return out;
  }

  /// Queues with pods that the action reclaim may take for the group's next pod.
  std::vector<std::string> givers(std::size_t g) const {
    std::vector<std::string> out;
    const auto waiting =
        std::ranges::find_if(groups_[g].members, [&](PodIndex p) { return nodes_.waits(p); });
    if (!rules_.reclaims || rules_.unlimited || !jobs_[g].valid || waiting == groups_[g].members.end())
      return out;
    const Amounts asked = nodes_.requests(*waiting);
    const Queue& taker = queues_[jobs_[g].queue];
    if (rules_.by_capacity ? !may_reclaim(taker, asked) : is_overused(taker)) return out;
    for (std::size_t other = 0; other < groups_.size(); ++other) {
      const Job& job = jobs_[other];
      const std::string& name = queues_[job.queue].name;
      if (!job.valid || job.queue == jobs_[g].queue || std::ranges::find(out, name) != out.end()) continue;
      if (rules_.gangs && spare_pods(job.ready, groups_[other].min_member) == 0) continue;
      if (std::ranges::any_of(groups_[other].members, [&](PodIndex p) {
            return nodes_.runs(p) && is_victim(queues_[job.queue], nodes_.requests(p), asked);
          }))
        out.push_back(name);
    }
    return out;
  }

  GroupOutcome told(std::size_t g) const {
    const Job& job = jobs_[g];
    return outcome_of(g, job.waited, job.reason, job.placed,
                      [this](std::size_t waits) { return givers(waits); });
  }

  NodeBook& nodes_;
  std::vector<Queue> queues_;
  const std::vector<QueuedGroup>& groups_;
  const Rules& rules_;
  Amounts total_;
  std::vector<Job> jobs_;
  std::vector<Amounts> before_, limits_, inqueue_, elastic_;  ///< by queue
  Amounts promised_;                                          ///< by the gate, to jobs without pods on nodes
};

}  // namespace

CycleResult run_cycle(NodeBook& nodes, std::vector<Queue> queues, const std::vector<QueuedGroup>& groups,
                      const Rules& rules) {
  return Cycle(nodes, std::move(queues), groups, rules).run();
}

}  // namespace etiage::placement::volcano
