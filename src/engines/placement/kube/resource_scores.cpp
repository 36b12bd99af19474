#include "engines/placement/kube/resource_scores.h"

#include <algorithm>
#include <cmath>

namespace etiage::placement {
namespace {

constexpr std::int64_t kHighest = 100;

/// Piecewise linear in integers; the points' scores go from 0 to 10.
std::int64_t broken_linear(const std::vector<ShapePoint>& shape, std::int64_t utilization) {
  constexpr std::int64_t kScale = kHighest / 10;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (utilization > shape[i].utilization) continue;
    if (i == 0) return shape[0].score * kScale;
    const ShapePoint &a = shape[i - 1], &b = shape[i];
    return a.score * kScale +
           (b.score - a.score) * kScale * (utilization - a.utilization) / (b.utilization - a.utilization);
  }
  return shape.back().score * kScale;
}

/// 100 when all resources are used alike, less by their standard deviation.
std::int64_t evenness(const std::vector<double>& fractions) {
  double deviation = 0;
  if (fractions.size() == 2) {
    deviation = std::fabs((fractions[0] - fractions[1]) / 2);
  } else if (fractions.size() > 2) {
    double total = 0, squares = 0;
    for (const double f : fractions) total += f;
    const double mean = total / static_cast<double>(fractions.size());
    for (const double f : fractions) squares += (f - mean) * (f - mean);
    deviation = std::sqrt(squares / static_cast<double>(fractions.size()));
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kHighest));
}

double fraction(std::int64_t used, std::int64_t capacity) {
  return std::min(static_cast<double>(used) / static_cast<double>(capacity), 1.0);
}

}  // namespace

ResourceScorer ResourceScorer::fit(const NodeResourcesFitArgs& args, const PodSpec& spec,
                                   ResourceNames& names) {
  ResourceScorer out;
  using enum NodeResourcesFitArgs::Strategy;
  out.kind_ = args.strategy == kMostAllocated    ? Kind::kMost
              : args.strategy == kLeastAllocated ? Kind::kLeast
                                                 : Kind::kRatio;
  out.shape_ = args.shape;
  const ResourceList asked = requests_for_scoring(spec);
  for (const ScoredResource& r : args.resources) {
    const ResourceIndex n = names.number(r.name);
    const auto it = asked.find(r.name);
    const std::int64_t amount = it == asked.end() ? 0 : whole_amount(n, it->second);
    out.items_.push_back({n, r.weight, amount, amount == 0 && is_scalar_resource(r.name)});
  }
  return out;
}

ResourceScorer ResourceScorer::balanced(const SchedulerProfile& profile, const PodSpec& spec,
                                        ResourceNames& names) {
  ResourceScorer out;
  out.kind_ = Kind::kBalanced;
  out.by_improvement_ = profile.balance_by_improvement;
  const ResourceList asked = effective_requests(spec);
  for (const ScoredResource& r : profile.balanced_resources) {
    const ResourceIndex n = names.number(r.name);
    const auto it = asked.find(r.name);
    const std::int64_t amount = it == asked.end() ? 0 : whole_amount(n, it->second);
    out.items_.push_back({n, r.weight, amount, amount == 0 && is_scalar_resource(r.name)});
  }
  return out;
}

bool ResourceScorer::asks_for_nothing() const {
  return std::ranges::all_of(items_, [](const Item& i) { return i.asked == 0; });
}

ResourceScorer::Room ResourceScorer::room(const NodeInfo& node, ResourceIndex resource) const {
  Room out{node.allocatable_of(resource), node.requested_of(resource)};
  if (kind_ != Kind::kBalanced && resource == kCpu) out.used = node.scored_cpu;
  if (kind_ != Kind::kBalanced && resource == kMemory) out.used = node.scored_memory;
  if (out.capacity == 0 && devices_)
    if (const dra::DeviceCount devices = devices_->count(resource, node.index); devices.all > 0)
      return {devices.all, devices.taken};
  return out;
}

/// One resource of the Fit strategies. `used` may exceed the capacity: defaults are counted for pods without
/// requests.
std::int64_t ResourceScorer::one(std::int64_t used, std::int64_t capacity) const {
  switch (kind_) {
    case Kind::kLeast:
      return used > capacity ? 0 : (capacity - used) * kHighest / capacity;
    case Kind::kMost:
      return std::min(used, capacity) * kHighest / capacity;
    case Kind::kRatio:
      return broken_linear(shape_, used > capacity ? 100 : used * 100 / capacity);
    case Kind::kBalanced:
      break;
  }
  return 0;
}

/// How much the pod evens out the node: 75 where it changes nothing.
std::int64_t ResourceScorer::balance(const NodeInfo& node) const {
  std::vector<double> with, without;
  for (const Item& i : items_) {
    if (i.skip) continue;
    const auto [capacity, used] = room(node, i.resource);
    if (capacity == 0) continue;
    with.push_back(fraction(used + i.asked, capacity));
    without.push_back(fraction(used, capacity));
  }
  if (!by_improvement_) return evenness(with);
  return kHighest / 2 + (kHighest / 2 + evenness(with) - evenness(without)) / 2;
}

std::int64_t ResourceScorer::score(const NodeInfo& node) const {
  if (kind_ == Kind::kBalanced) return balance(node);
  std::int64_t sum = 0, weights = 0;
  for (const Item& i : items_) {
    if (i.skip) continue;
    const auto [capacity, used] = room(node, i.resource);
    if (capacity == 0) continue;
    const std::int64_t s = one(used + i.asked, capacity);
    if (kind_ == Kind::kRatio && s <= 0) continue;
    sum += s * i.weight;
    weights += i.weight;
  }
  if (weights == 0) return 0;
  if (kind_ == Kind::kRatio)
    return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(weights)));
  return sum / weights;
}

}  // namespace etiage::placement
