#include "engines/placement/kai/queue_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace etiage::placement::kai {
namespace {

/// What a queue may hold of a resource; nothing: any amount.
std::optional<double> ceiling(const QueueNode& queue, std::size_t resource) {
  const double limit = queue.limit[resource];
  if (limit < 0) return {};
  return limit == 0 ? std::max(queue.quota[resource], 0.0) : limit;
}

}  // namespace

Result<QueueTree> QueueTree::make(const std::vector<QueueNode>& queues) {
  QueueTree out;
  for (const QueueNode& q : queues) out.states_.push_back({.queue = q});
  out.fixed_.resize(queues.size());
  out.children_.resize(queues.size());
  for (std::size_t q = 0; q < queues.size(); ++q) {
    const auto parent = out.find(queues[q].parent);
    if (!parent && !queues[q].parent.empty())
      return failure(
          fmt::format("KAI queue {}: its parent {} does not exist", queues[q].name, queues[q].parent), {},
          "add the parent queue to the input");
    out.parent_.push_back(parent);
    (parent ? out.children_[*parent] : out.top_).push_back(q);
  }
  for (std::size_t q = 0; q < queues.size(); ++q)
    if (out.path(q).size() > queues.size())
      return failure(fmt::format("KAI queue {} is above itself", queues[q].name), {},
                     "end the chain of parentQueue at a queue without one");
  return out;
}

std::optional<std::size_t> QueueTree::find(const std::string& name) const {
  const auto it = std::ranges::find_if(states_, [&](const QueueState& s) { return s.queue.name == name; });
  if (it == states_.end()) return {};
  return static_cast<std::size_t>(it - states_.begin());
}

std::vector<std::size_t> QueueTree::path(std::size_t queue) const {
  std::vector<std::size_t> out{queue};
  while (out.size() <= states_.size() && parent_[out.back()]) out.push_back(*parent_[out.back()]);
  return out;
}

void QueueTree::request(std::size_t queue, const Shares& amounts) {
  for (const std::size_t q : path(queue))
    for (std::size_t r = 0; r < kResources; ++r) states_[q].requested[r] += amounts[r];
}

void QueueTree::hold(std::size_t queue, const Shares& amounts, bool preemptible, double sign) {
  for (const std::size_t q : path(queue))
    for (std::size_t r = 0; r < kResources; ++r) {
      states_[q].allocated[r] += sign * amounts[r];
      if (!preemptible) fixed_[q][r] += sign * amounts[r];
    }
}

void QueueTree::share_out(const Shares& total) {
  for (QueueState& s : states_) s.before = s.allocated;
  share_among(top_, total);
}

void QueueTree::share_among(const std::vector<std::size_t>& siblings, const Shares& total) {
  if (siblings.empty()) return;
  for (std::size_t r = 0; r < kResources; ++r) {
    std::vector<Queue> queues;
    for (const std::size_t q : siblings) queues.push_back(seen(q, r));
    const std::vector<double> shares = fair_shares(queues, total[r]);
    for (std::size_t i = 0; i < siblings.size(); ++i) states_[siblings[i]].fair_share[r] = shares[i];
  }
  for (const std::size_t q : siblings) share_among(children_[q], states_[q].fair_share);
}

Queue QueueTree::seen(std::size_t queue, std::size_t resource) const {
  const QueueState& s = states_[queue];
  return {.name = s.queue.name,
          .priority = s.queue.priority,
          .quota = s.queue.quota[resource],
          .limit = s.queue.limit[resource],
          .over_quota_weight = s.queue.over_quota_weight[resource],
          .requested = s.requested[resource],
          .usage = 0,
          .allocated = s.allocated[resource],
          .allocated_fixed = fixed_[queue][resource]};
}

std::string QueueTree::refuses(std::size_t queue, const Shares& asked, bool preemptible) const {
  for (const std::size_t q : path(queue))
    for (std::size_t r = 0; r < kResources; ++r) {
      if (asked[r] <= 0) continue;
      const QueueState& s = states_[q];
      const auto most = ceiling(s.queue, r);
      if (most && s.allocated[r] + asked[r] > *most)
        return fmt::format("queue {} would hold {:g} {}, more than its limit of {:g}", s.queue.name,
                           s.allocated[r] + asked[r], kResourceNames[r], *most);
      const double quota = s.queue.quota[r];
      if (!preemptible && quota >= 0 && fixed_[q][r] + asked[r] > quota)
        return fmt::format(
            "queue {}: groups that cannot be preempted would hold {:g} {}, more than its "
            "quota of {:g}",
            s.queue.name, fixed_[q][r] + asked[r], kResourceNames[r], quota);
    }
  return "";
}

double QueueTree::allocatable(std::size_t queue, std::size_t resource) const {
  return std::max(states_[queue].fair_share[resource], states_[queue].queue.quota[resource]);
}

double QueueTree::dominant_share(std::size_t queue, const Shares& more) const {
  constexpr double kWithoutShare = 1000;  // what KAI multiplies by where a queue has no share
  double out = 0;
  for (std::size_t r = 0; r < kResources; ++r) {
    const double held = states_[queue].allocated[r] + more[r], of = allocatable(queue, r);
    out = std::max(out, of > 0 ? held / of : held * kWithoutShare);
  }
  return out;
}

bool QueueTree::before(std::size_t a, const Shares& asked_a, std::size_t b, const Shares& asked_b) const {
  const auto rank = [&](std::size_t q, const Shares& asked) {
    const QueueState& s = states_[q];
    bool above_fair_share = false, within_quota = true, without_share = false;
    for (std::size_t r = 0; r < kResources; ++r) {
      above_fair_share |= s.allocated[r] > s.fair_share[r];
      within_quota &= s.queue.quota[r] < 0 || s.allocated[r] + asked[r] <= s.queue.quota[r];
      without_share |= allocatable(q, r) == 0 && s.allocated[r] + asked[r] > 0;
    }
    return std::tuple(above_fair_share, !within_quota, -s.queue.priority, without_share,
                      dominant_share(q, asked), dominant_share(q, {}),
                      s.queue.created.value_or(Instant::max()), s.queue.name);
  };
  return rank(a, asked_a) < rank(b, asked_b);
}

}  // namespace etiage::placement::kai
