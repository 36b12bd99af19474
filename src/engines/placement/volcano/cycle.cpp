#include "engines/placement/volcano/cycle.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "engines/placement/volcano/jobs.h"

namespace etiage::placement::volcano {
namespace {

class Cycle {
 public:
  Cycle(NodeBook& nodes, std::vector<Queue> queues, const std::vector<QueuedGroup>& groups,
        const Rules& rules, std::vector<Profile> profiles)
      : nodes_(nodes),
        queues_(std::move(queues)),
        groups_(groups),
        rules_(rules),
        profiles_(std::move(profiles)) {}

  CycleResult run() {
    load();
    if (rules_.enqueues) enqueue();
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].valid && jobs_[g].admitted) jobs_[g].reason.clear();
    if (rules_.allocates) allocate();
    if (rules_.backfills) backfill();
    CycleResult out;
    for (std::size_t q = 0; q < queues_.size(); ++q)
      out.queues.push_back({queues_[q], limits_[q], before_[q]});
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].waited > 0) out.groups.push_back(told(g));
    return out;
  }

 private:
  void load() {
    for (const NodeInfo& node : nodes_.snapshot().nodes()) add(total_, allocatable(node.index));
    std::map<std::string, std::size_t> by_name;
    for (std::size_t q = 0; q < queues_.size(); ++q) by_name[queues_[q].name] = q;
    for (QueuedGroup& group : groups_) {
      if (group.alone) group.min_resources = nodes_.requests(group.members.front());
      jobs_.push_back(load_job(nodes_, group, rules_.orders_by(JobOrder::kPriority)));
      const auto queue = by_name.find(group.queue);
      if (queue == by_name.end()) {
        jobs_.back().reason = fmt::format("queue {} does not exist", group.queue);
        continue;
      }
      load_into(queues_[queue->second], jobs_.back(), group);
      jobs_.back().queue = queue->second;
    }
    for (const Queue& q : queues_) {
      before_.push_back(q.allocated);
      limits_.push_back(volcano::real_capability(q, queues_, total_));
    }
    if (rules_.by_capacity)
      bound_deserved(queues_, total_);
    else if (!rules_.unlimited)
      water_fill(queues_, total_);
    load_promises();
  }

  void load_into(Queue& queue, Job& job, const QueuedGroup& group) {
    queue.has_jobs = true;
    add(queue.request, job.request);
    add(queue.allocated, job.held);
    if (rules_.gangs) job.reason = invalid(job, group);
    job.valid = job.reason.empty();
    job.admitted = !rules_.enqueues || (!group.phase.empty() && group.phase != "Pending");
  }

  /// What the gate has promised to jobs that are past it, and what jobs hold beyond their minimum.
  void load_promises() {
    inqueue_.resize(queues_.size());
    elastic_.resize(queues_.size());
    idle_ = times(total_, rules_.overcommit);
    for (const NodeInfo& node : nodes_.snapshot().nodes()) add(idle_, used(node.index), -1);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Job& job = jobs_[g];
      const QueuedGroup& group = groups_[g];
      if (!is_in_queue(g)) continue;
      add(elastic_[job.queue], elastic(job, group));
      if (!group.min_resources) continue;
      const bool waits = group.phase == "Inqueue";
      if (waits || (group.phase == "Running" && job.ready >= group.min_member))
        add(inqueue_[job.queue], missing_minimum(job, group));
      // Plugin overcommit counts the whole minimum of what waits.
      if (waits)
        add(promised_, resource_of(*group.min_resources));
      else if (group.phase == "Running" && job.ready >= group.min_member)
        add(promised_, missing_minimum(job, group));
    }
  }

  bool is_in_queue(std::size_t g) const {
    return !queues_.empty() && queues_[jobs_[g].queue].name == groups_[g].queue;
  }

  bool ready(std::size_t g) const { return !rules_.gangs || is_ready(jobs_[g], groups_[g]); }

  /// Below 0: `a` comes first.
  int compare(JobOrder order, std::size_t a, std::size_t b) const {
    const auto sign = [](auto x, auto y) { return x == y ? 0 : x < y ? -1 : 1; };
    switch (order) {
      case JobOrder::kPriority:
        return sign(groups_[b].priority, groups_[a].priority);
      case JobOrder::kGang:
        return sign(waits_for_its_gang(b), waits_for_its_gang(a));
      case JobOrder::kDominantShare:
        return sign(dominant_share(jobs_[a], total_), dominant_share(jobs_[b], total_));
    }
    return 0;
  }

  bool waits_for_its_gang(std::size_t g) const {
    const Job& job = jobs_[g];
    return job.ready + static_cast<std::int32_t>(job.best_effort.size()) < groups_[g].min_member;
  }

  bool job_before(std::size_t a, std::size_t b) const {
    for (const JobOrder order : rules_.job_order)
      if (const int c = compare(order, a, b); c != 0) return c < 0;
    const QueuedGroup &x = groups_[a], &y = groups_[b];
    if (x.created != y.created)
      return x.created.value_or(Instant::min()) < y.created.value_or(Instant::min());
    return x.ns + "/" + x.name < y.ns + "/" + y.name;
  }

  /// A queue without anything that it deserves counts as full, and comes after others that are.
  std::pair<double, bool> rank(const Queue& queue) const {
    if (rules_.by_capacity && is_empty(queue.deserved)) return {1, true};
    return {share(queue), false};
  }

  bool queue_before(std::size_t a, std::size_t b) const {
    const Queue &x = queues_[a], &y = queues_[b];
    if (!rules_.unlimited) {
      if (x.priority != y.priority) return x.priority > y.priority;
      if (const auto i = rank(x), j = rank(y); i != j) return i < j;
    }
    if (x.created != y.created)
      return x.created.value_or(Instant::min()) < y.created.value_or(Instant::min());
    return x.name < y.name;
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
      if (is_in_queue(g) && !jobs_[g].admitted) open.push_back(g);
    while (!open.empty()) {
      const std::size_t g = next(open);
      std::erase(open, g);
      const std::string refused = refused_at_the_gate(g);
      jobs_[g].admitted = refused.empty();
      if (!refused.empty() && jobs_[g].valid) jobs_[g].reason = refused;
      if (jobs_[g].admitted && groups_[g].min_resources)
        add(promised_, resource_of(*groups_[g].min_resources));
    }
  }

  std::string refused_at_the_gate(std::size_t g) {
    if (!groups_[g].min_resources) return "";
    for (const auto& tier : rules_.gates) {
      for (const Gate gate : tier)
        if (std::string why = gate == Gate::kQueue ? refused_by_the_queue(g) : refused_by_the_cluster(g);
            !why.empty())
          return why;
      if (!tier.empty()) return "";
    }
    return "";
  }

  std::string refused_by_the_queue(std::size_t g) {
    const std::size_t q = jobs_[g].queue;
    if (!queues_[q].open) return fmt::format("queue {} is not open", queues_[q].name);
    const Resource minimum = resource_of(*groups_[g].min_resources);
    Resource then = minimum;
    add(then, queues_[q].allocated);
    add(then, inqueue_[q]);
    add(then, elastic_[q], -1);
    if (const auto over = exceeded(then, limits_[q], minimum); !over.empty())
      return fmt::format("queue resource quota insufficient: minResources does not fit into queue {} ({})",
                         queues_[q].name, fmt::join(over, ", "));
    add(inqueue_[q], minimum);
    return "";
  }

  std::string refused_by_the_cluster(std::size_t g) const {
    const Resource minimum = resource_of(*groups_[g].min_resources);
    Resource then = minimum;
    add(then, promised_);
    const auto over = exceeded(then, idle_, minimum);
    if (over.empty()) return "";
    return fmt::format("the cluster has no room for minResources, {} times overcommitted ({})",
                       rules_.overcommit, fmt::join(over, ", "));
  }

  void allocate() {
    std::vector<std::size_t> open;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].valid && jobs_[g].admitted && !jobs_[g].pending.empty()) open.push_back(g);
    while (!open.empty()) {
      const std::size_t g = next(open);
      const std::size_t q = jobs_[g].queue;
      if (overused(q)) {
        // The queue is left for good.
        std::erase_if(open, [&](std::size_t other) {
          if (jobs_[other].queue != q) return false;
          jobs_[other].reason = fmt::format("queue {} holds all that it deserves", queues_[q].name);
          return true;
        });
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
    std::map<std::string, Refusals> refused;  // by role: who refused one is not asked again in this turn
    while (!job.pending.empty()) {
      const Task task = std::move(job.pending.front());
      job.pending.pop_front();
      if (!task.role.empty() && job.failed_roles.contains(task.role)) continue;
      if (std::string over = beyond_the_queue(job.queue, task); !over.empty()) {
        job.reason = std::move(over);
        continue;
      }
      Refusals own;
      if (std::string why = place(g, task, task.role.empty() ? own : refused[task.role], tried);
          !why.empty()) {
        job.reason = std::move(why);
        job.failed_roles.insert(task.role);
        if (goes_on(job, groups_[g])) continue;
        break;
      }
      if (ready(g)) break;
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

  std::string beyond_the_queue(std::size_t q, const Task& task) const {
    if (rules_.unlimited) return "";
    const Queue& queue = queues_[q];
    if (!queue.open) return fmt::format("queue {} is not open", queue.name);
    Resource then = queue.allocated;
    add(then, task.asked);
    const auto over = exceeded(then, rules_.by_capacity ? limits_[q] : queue.deserved, task.asked);
    if (over.empty()) return "";
    return fmt::format("queue {} would hold more than {} ({})", queue.name,
                       rules_.by_capacity ? "its capability" : "it deserves", fmt::join(over, ", "));
  }

  std::string place(std::size_t g, const Task& task, Refusals& refused, std::vector<PlacedPod>& tried) {
    NodeChoice choice = nodes_.place(
        task.pod, [&](PodIndex, const std::vector<NodeIndex>& among) { return scores(task, among); },
        &refused);
    if (choice.node == kNoNode) return choice.message;
    count(g, task.pod, 1);
    tried.push_back({task.pod, std::move(choice)});
    return "";
  }

  /// Pods that ask for nothing go to the best node that takes them, whatever their queue holds.
  void backfill() {
    std::vector<std::size_t> open, order;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (jobs_[g].valid && jobs_[g].admitted && !jobs_[g].best_effort.empty()) open.push_back(g);
    while (!open.empty()) {
      order.push_back(next(open));
      std::erase(open, order.back());
    }
    for (const std::size_t g : order) {
      std::deque<Task> waiting;
      std::swap(waiting, jobs_[g].best_effort);
      for (Task& task : waiting) {
        Refusals refused;
        if (std::string why = place(g, task, refused, jobs_[g].placed); !why.empty()) {
          jobs_[g].reason = std::move(why);
          jobs_[g].best_effort.push_back(std::move(task));
        }
      }
    }
  }

  void take_back(std::size_t g, PodIndex pod) {
    count(g, pod, -1);
    nodes_.give_back(pod);
  }

  void count(std::size_t g, PodIndex pod, int sign) {
    const Resource asked = requests_of(nodes_, pod);
    Job& job = jobs_[g];
    add(queues_[job.queue].allocated, asked, sign);
    add(job.held, asked, sign);
    job.ready += sign;
    const auto& notes = nodes_.snapshot().pod(pod).meta.annotations;
    const auto role = notes.find("volcano.sh/task-spec");
    job.ready_roles[role == notes.end() ? "" : role->second] += sign;
  }

  Resource used(NodeIndex node) const {
    Resource out = resource_of(nodes_.requested(node));
    out.scalars.emplace(kPods, static_cast<double>(nodes_.snapshot().nodes()[node].pods.size()));
    return out;
  }

  Resource allocatable(NodeIndex node) const {
    Resource out = resource_of(nodes_.allocatable(node));
    out.scalars.emplace(kPods, static_cast<double>(nodes_.snapshot().nodes()[node].pod_limit));
    return out;
  }

  std::vector<double> scores(const Task& task, const std::vector<NodeIndex>& among) {
    std::vector<double> out(among.size());
    if (rules_.binpack)
      for (std::size_t i = 0; i < among.size(); ++i)
        out[i] = binpack_score(used(among[i]), allocatable(among[i]), task.asked, *rules_.binpack);
    std::vector<double> usual(among.size());
    for (const Profile& profile : profiles_) {
      const auto more = nodes_.scores(task.pod, among, profile);
      for (std::size_t i = 0; i < among.size(); ++i) usual[i] += more[i];
    }
    for (std::size_t i = 0; i < among.size(); ++i) out[i] += usual[i];
    return out;
  }

  /// Queues with pods that the action reclaim may take for the group's next pod.
  std::vector<std::string> givers(std::size_t g) const {
    std::vector<std::string> out;
    const auto waiting =
        std::ranges::find_if(groups_[g].members, [&](PodIndex p) { return nodes_.waits(p); });
    if (!rules_.reclaims || rules_.unlimited || !jobs_[g].valid || waiting == groups_[g].members.end())
      return out;
    const Resource asked = requests_of(nodes_, *waiting);
    const Queue& taker = queues_[jobs_[g].queue];
    if (rules_.by_capacity ? !may_reclaim(taker, asked) : is_overused(taker)) return out;
    for (std::size_t other = 0; other < groups_.size(); ++other) {
      const Job& job = jobs_[other];
      const std::string& name = queues_[job.queue].name;
      if (!job.valid || job.queue == jobs_[g].queue || std::ranges::find(out, name) != out.end()) continue;
      if (rules_.gangs && spare_pods(job.ready, groups_[other].min_member) == 0) continue;
      if (std::ranges::any_of(groups_[other].members, [&](PodIndex p) {
            return nodes_.runs(p) && is_victim(queues_[job.queue], requests_of(nodes_, p), asked);
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
  std::vector<QueuedGroup> groups_;
  const Rules& rules_;
  std::vector<Profile> profiles_;
  Resource total_;
  std::vector<Job> jobs_;
  std::vector<Resource> before_, limits_, inqueue_, elastic_;  ///< by queue
  Resource promised_, idle_;                                   ///< plugin overcommit
};

}  // namespace

bool Rules::orders_by(JobOrder order) const {
  return std::ranges::find(job_order, order) != job_order.end();
}

Result<CycleResult> run_cycle(NodeBook& nodes, std::vector<Queue> queues,
                              const std::vector<QueuedGroup>& groups, const Rules& rules) {
  std::vector<Profile> profiles;
  if (rules.node_order) {
    auto made = profiles_of(*rules.node_order);
    if (!made) return std::unexpected(made.error());
    profiles = std::move(*made);
  }
  return Cycle(nodes, std::move(queues), groups, rules, std::move(profiles)).run();
}

}  // namespace etiage::placement::volcano
