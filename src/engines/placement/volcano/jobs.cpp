#include "engines/placement/volcano/jobs.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace etiage::placement::volcano {
namespace {

std::string role_of(const Pod& pod) {
  const auto it = pod.meta.annotations.find("volcano.sh/task-spec");
  return it == pod.meta.annotations.end() ? "" : it->second;
}

/// JOB-TASK-INDEX: the index.
std::optional<int> index_of(const std::string& name) {
  if (std::ranges::count(name, '-') < 2) return {};
  const std::string tail = name.substr(name.rfind('-') + 1);
  int out = 0;
  const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), out);
  return error == std::errc() && end == tail.data() + tail.size() ? std::optional(out) : std::nullopt;
}

struct TaskOrder {
  const Snapshot& snapshot;
  bool by_priority;

  bool operator()(const Task& a, const Task& b) const {
    const Pod &x = snapshot.pod(a.pod), &y = snapshot.pod(b.pod);
    const std::int32_t p = snapshot.shape_of(a.pod).priority, q = snapshot.shape_of(b.pod).priority;
    if (by_priority && p != q) return p > q;
    const auto i = index_of(x.meta.name), j = index_of(y.meta.name);
    if (i && j && *i != *j) return *i < *j;
    if (x.meta.created != y.meta.created)
      return x.meta.created.value_or(Instant::min()) < y.meta.created.value_or(Instant::min());
    if (x.meta.uid != y.meta.uid) return x.meta.uid < y.meta.uid;
    return x.meta.name < y.meta.name;
  }
};

bool has_role_minimums(const QueuedGroup& group) {
  std::int32_t sum = 0;
  for (const auto& [role, least] : group.min_by_role) sum += least;
  return !group.min_by_role.empty() && group.min_member >= sum;
}

/// Pods without requests wait for no node.
std::map<std::string, std::int32_t, std::less<>> ready_by_role(const Job& job) {
  auto out = job.ready_roles;
  for (const Task& t : job.best_effort) ++out[t.role];
  return out;
}

}  // namespace

Resource requests_of(const NodeBook& nodes, PodIndex pod) {
  Resource out = resource_of(nodes.requests(pod));
  out.scalars.emplace(kPods, 1);
  return out;
}

Job load_job(const NodeBook& nodes, const QueuedGroup& group, bool by_priority) {
  Job out;
  const Snapshot& snapshot = nodes.snapshot();
  for (const PodIndex p : group.members) {
    const Pod& pod = snapshot.pod(p);
    Task task{p, requests_of(nodes, p), role_of(pod)};
    ++out.all;
    if (pod.status.phase == "Succeeded") {
      ++out.ready;
      ++out.valid_pods;
      ++out.ready_roles[task.role];
      continue;
    }
    if (pod.status.phase == "Failed" || pod.status.phase == "Unknown" || pod.meta.deleted) continue;
    ++out.valid_pods;
    add(out.request, task.asked);
    if (!pod.spec.node_name.empty()) {
      ++out.ready;
      ++out.ready_roles[task.role];
      add(out.held, task.asked);
    } else if (pod.spec.scheduling_gates.empty()) {
      ++out.waited;
      (is_empty(task.asked) ? out.best_effort : out.pending).push_back(std::move(task));
    }
  }
  std::ranges::sort(out.pending, TaskOrder{snapshot, by_priority});
  std::ranges::sort(out.best_effort, TaskOrder{snapshot, by_priority});
  return out;
}

std::string invalid(const Job& job, const QueuedGroup& group) {
  if (job.valid_pods < group.min_member)
    return fmt::format("{} of minMember {} pods exist", job.valid_pods, group.min_member);
  if (!has_role_minimums(group)) return "";
  auto there = job.ready_roles;
  for (const auto* tasks : {&job.pending, &job.best_effort})
    for (const Task& t : *tasks) ++there[t.role];
  for (const auto& [role, least] : group.min_by_role)
    if (there[role] < least)
      return fmt::format("{} of minTaskMember {} pods of task {} exist", there[role], least, role);
  return "";
}

bool is_ready(const Job& job, const QueuedGroup& group) {
  if (job.ready + static_cast<std::int32_t>(job.best_effort.size()) < group.min_member) return false;
  if (!has_role_minimums(group)) return true;
  const auto there = ready_by_role(job);
  return std::ranges::all_of(group.min_by_role, [&](const auto& r) {
    const auto it = there.find(r.first);
    return (it == there.end() ? 0 : it->second) >= r.second;
  });
}

bool goes_on(const Job& job, const QueuedGroup& group) {
  if (group.min_member >= job.all) return false;
  if (group.min_by_role.empty()) return true;
  if (!has_role_minimums(group)) {
    std::int32_t left = 0;
    for (const auto* tasks : {&job.pending, &job.best_effort})
      for (const Task& t : *tasks) left += !job.failed_roles.contains(t.role);
    return job.ready + left >= group.min_member;
  }
  const auto there = ready_by_role(job);
  return std::ranges::none_of(job.failed_roles, [&](const std::string& role) {
    const auto least = group.min_by_role.find(role);
    const auto now = there.find(role);
    return least != group.min_by_role.end() && (now == there.end() ? 0 : now->second) < least->second;
  });
}

Resource missing_minimum(const Job& job, const QueuedGroup& group) {
  return beyond(resource_of(group.min_resources.value_or(Amounts{})), job.held);
}

Resource elastic(const Job& job, const QueuedGroup& group) {
  return beyond(job.held, resource_of(group.min_resources.value_or(Amounts{})));
}

double dominant_share(const Job& job, const Resource& total) {
  double out = 0;
  for (const std::string& name : names_of(total))
    out = std::max(out, share_of(job.held.of(name), total.of(name)));
  return out;
}

}  // namespace etiage::placement::volcano
