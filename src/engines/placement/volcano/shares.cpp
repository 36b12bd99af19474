#include "engines/placement/volcano/shares.h"

#include <algorithm>
#include <limits>
#include <set>

namespace etiage::placement::volcano {
namespace {

/// One round for one queue: its part of what remains, within what it can and wants to have.
Resource raised(const Queue& queue, const Resource& limit, const Resource& remaining, double part) {
  Resource out = queue.deserved;
  add(out, times(remaining, part));
  cap(out, limit, Unnamed::kInfinite);
  cap(out, queue.request, Unnamed::kZero);
  return highest(out, queue.guarantee);
}

}  // namespace

Resource real_capability(const Queue& queue, const std::vector<Queue>& queues, const Resource& total) {
  Resource guaranteed;
  for (const Queue& q : queues) add(guaranteed, q.guarantee);
  Resource out = beyond(total, guaranteed);
  add(out, queue.guarantee);
  if (!queue.capability) return out;
  Resource limit = *queue.capability;
  if (limit.cpu <= 0) limit.cpu = std::numeric_limits<double>::max();
  if (limit.memory <= 0) limit.memory = std::numeric_limits<double>::max();
  cap(out, limit, Unnamed::kInfinite);
  return out;
}

void water_fill(std::vector<Queue>& queues, const Resource& total) {
  std::set<std::string> met;
  Resource remaining = total;
  for (Queue& q : queues) {
    q.deserved = {};
    if (!q.has_jobs) met.insert(q.name);
  }
  while (met.size() < queues.size()) {
    double weights = 0;
    for (const Queue& q : queues)
      if (!met.contains(q.name)) weights += q.weight;
    if (weights <= 0) break;
    Resource more, less;
    for (Queue& q : queues) {
      if (met.contains(q.name)) continue;
      const Resource old = q.deserved;
      q.deserved = raised(q, real_capability(q, queues, total), remaining, q.weight / weights);
      if (fits(q.request, q.deserved) || q.deserved == old) met.insert(q.name);
      add(more, beyond(q.deserved, old));
      add(less, beyond(old, q.deserved));
    }
    const Resource before = remaining;
    add(remaining, less);
    remaining = beyond(remaining, more);
    if (is_empty(remaining) || remaining == before) break;
  }
}

void bound_deserved(std::vector<Queue>& queues, const Resource& total) {
  for (Queue& q : queues) {
    cap(q.deserved, real_capability(q, queues, total), Unnamed::kInfinite);
    q.deserved = highest(q.deserved, q.guarantee);
  }
}

double share(const Queue& queue) {
  double out = 0;
  for (const std::string& name : names_of(queue.deserved))
    out = std::max(out, share_of(queue.allocated.of(name), queue.deserved.of(name)));
  return out;
}

bool is_overused(const Queue& queue) {
  return fits(queue.deserved, queue.allocated);
}

bool may_reclaim(const Queue& queue, const Resource& task) {
  return std::ranges::any_of(names_of(task), [&](const std::string& name) {
    return name != kPods && queue.allocated.of(name) + task.of(name) < queue.deserved.of(name) + kLeast;
  });
}

bool is_victim(const Queue& queue, const Resource& task, const Resource& reclaimer) {
  if (!queue.reclaimable) return false;
  const auto any = [&](auto holds) {
    return std::ranges::any_of(names_of(task),
                               [&](const std::string& name) { return name != kPods && holds(name); });
  };
  if (!any([&](const std::string& name) { return reclaimer.of(name) > 0; })) return false;
  Resource left = queue.allocated;
  add(left, task, -1);
  if (!fits(queue.guarantee, left)) return false;
  if (!any([&](const std::string& name) { return queue.deserved.of(name) >= kLeast; })) return true;
  return any([&](const std::string& name) {
    return queue.deserved.of(name) >= kLeast && queue.allocated.of(name) > queue.deserved.of(name);
  });
}

std::int32_t spare_pods(std::int32_t ready, std::int32_t min_available) {
  return std::max(0, ready - min_available);
}

}  // namespace etiage::placement::volcano
