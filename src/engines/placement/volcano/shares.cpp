#include "engines/placement/volcano/shares.h"

#include <algorithm>
#include <set>

namespace etiage::placement::volcano {
namespace {

/// Below this Volcano takes amounts for equal.
constexpr double kEpsilon = 1e-6;

bool fits(const Amounts& less, const Amounts& more) {
  return std::ranges::all_of(less,
                             [&](const auto& r) { return r.second <= amount_of(more, r.first) + kEpsilon; });
}

/// One round for one queue: its part of what remains, within what it can and wants to have.
Amounts raised(const Queue& queue, const Amounts& limit, const Amounts& remaining, double part) {
  Amounts out = queue.deserved;
  for (const auto& [resource, amount] : remaining) out[resource] += amount * part;
  for (auto& [resource, amount] : out) {
    if (const auto it = limit.find(resource); it != limit.end()) amount = std::min(amount, it->second);
    amount = std::min(amount, amount_of(queue.request, resource));
  }
  for (const auto& [resource, amount] : queue.guarantee) out[resource] = std::max(out[resource], amount);
  return out;
}

bool nearly_equal(const Amounts& a, const Amounts& b) {
  return fits(a, b) && fits(b, a);
}

}  // namespace

Amounts real_capability(const Queue& queue, const std::vector<Queue>& queues, const Amounts& total) {
  Amounts out = total;
  for (const Queue& other : queues)
    if (other.name != queue.name)
      for (const auto& [resource, amount] : other.guarantee) out[resource] -= amount;
  if (queue.capability)
    for (const auto& [resource, amount] : *queue.capability)
      out[resource] = out.contains(resource) ? std::min(out[resource], amount) : amount;
  return out;
}

void water_fill(std::vector<Queue>& queues, const Amounts& total) {
  std::set<std::string> met;
  Amounts remaining = total;
  for (Queue& q : queues) {
    q.deserved.clear();
    if (q.request.empty()) met.insert(q.name);  // queues without jobs take no part
  }
  while (met.size() < queues.size()) {
    double weights = 0;
    for (const Queue& q : queues)
      if (!met.contains(q.name)) weights += q.weight;
    const Amounts before = remaining;
    for (Queue& q : queues) {
      if (met.contains(q.name)) continue;
      const Amounts old = q.deserved;
      q.deserved = raised(q, real_capability(q, queues, total), before, q.weight / weights);
      if (fits(q.request, q.deserved) || nearly_equal(q.deserved, old)) met.insert(q.name);
      for (const auto& [resource, amount] : q.deserved)
        remaining[resource] -= amount - amount_of(old, resource);
    }
    if (nearly_equal(before, remaining)) break;
  }
}

double share(const Queue& queue) {
  if (queue.deserved.empty()) return 1;
  double out = 0;
  for (const auto& [resource, amount] : queue.deserved) {
    const double taken = amount_of(queue.allocated, resource);
    out = std::max(out, amount > 0 ? taken / amount : taken > 0 ? 1.0 : 0.0);
  }
  return out;
}

bool is_overused(const Queue& queue) {
  return fits(queue.deserved, queue.allocated);
}

bool may_enqueue(const Queue& queue, const Amounts& real_capability, const Amounts& minimum,
                 const Amounts& inqueue, const Amounts& elastic) {
  return std::ranges::all_of(minimum, [&](const auto& wanted) {
    const auto limit = real_capability.find(wanted.first);
    const double then = wanted.second + amount_of(queue.allocated, wanted.first) +
                        amount_of(inqueue, wanted.first) - amount_of(elastic, wanted.first);
    return limit == real_capability.end() || then <= limit->second + kEpsilon;
  });
}

bool may_reclaim(const Queue& queue, const Amounts& task) {
  return std::ranges::any_of(task, [&](const auto& asked) {
    return asked.second > 0 && amount_of(queue.allocated, asked.first) + asked.second <=
                                   amount_of(queue.deserved, asked.first) + kEpsilon;
  });
}

bool is_victim(const Queue& queue, const Amounts& task, const Amounts& reclaimer) {
  if (!queue.reclaimable) return false;
  const auto any = [&](auto holds) {
    return std::ranges::any_of(task, [&](const auto& r) { return r.second > 0 && holds(r.first, r.second); });
  };
  if (!any([&](const auto& resource, double) { return amount_of(reclaimer, resource) > 0; })) return false;
  const bool guarded = std::ranges::all_of(queue.guarantee, [&](const auto& g) {
    return amount_of(queue.allocated, g.first) - amount_of(task, g.first) >= g.second - kEpsilon;
  });
  if (!guarded) return false;
  if (!any([&](const auto& resource, double) { return queue.deserved.contains(resource); })) return true;
  return any([&](const auto& resource, double) {
    const auto it = queue.deserved.find(resource);
    return it != queue.deserved.end() && amount_of(queue.allocated, resource) > it->second + kEpsilon;
  });
}

std::int32_t spare_pods(std::int32_t ready, std::int32_t min_available) {
  return std::max(0, ready - min_available);
}

double binpack_score(const Amounts& used, const Amounts& allocatable, const Amounts& task,
                     const BinpackWeights& weights) {
  double sum = 0, of = 0;
  for (const auto& [resource, asked] : task) {
    const double weight = amount_of(weights.resources, resource), all = amount_of(allocatable, resource);
    if (asked <= 0 || weight <= 0) continue;
    const double then = amount_of(used, resource) + asked;
    if (all <= 0 || then > all + kEpsilon) return 0;
    sum += weight * then / all;
    of += weight;
  }
  constexpr double kHighest = 100;
  return of > 0 ? kHighest * weights.weight * sum / of : 0;
}

}  // namespace etiage::placement::volcano
