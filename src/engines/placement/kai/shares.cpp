#include "engines/placement/kai/shares.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace etiage::placement::kai {
namespace {

/// What a queue can be given at most.
double wanted(const Queue& q) {
  if (q.limit < 0) return q.requested;
  return std::min(q.requested, q.limit == 0 ? std::max(q.quota, 0.0) : q.limit);
}

class Sharing {
 public:
  Sharing(const std::vector<Queue>& queues, double total, double k)
      : queues_(queues), k_(k), left_(total), out_(queues.size()) {}

  std::vector<double> run() {
    for (std::size_t i = 0; i < queues_.size(); ++i)
      give(i, queues_[i].quota < 0 ? wanted(queues_[i]) : std::min(queues_[i].quota, wanted(queues_[i])));
    std::map<std::int32_t, std::vector<std::size_t>, std::greater<>> tiers;
    for (std::size_t i = 0; i < queues_.size(); ++i) tiers[queues_[i].priority].push_back(i);
    for (const auto& [priority, tier] : tiers) share_out(tier);
    return out_;
  }

 private:
  double missing(std::size_t i) const { return wanted(queues_[i]) - out_[i]; }
  void give(std::size_t i, double amount) {
    out_[i] += amount;
    left_ -= amount;
  }

  /// By weight, less for those that used much before.
  std::vector<double> parts(const std::vector<std::size_t>& open) const {
    double weights = 0, usages = 0;
    for (const std::size_t i : open) weights += queues_[i].over_quota_weight, usages += queues_[i].usage;
    std::vector<double> out;
    for (const std::size_t i : open) {
      const double w = weights > 0 ? queues_[i].over_quota_weight / weights : 0;
      const double u = usages > 0 ? queues_[i].usage / usages : 0;
      out.push_back(std::max(0.0, w + k_ * (w - u)));
    }
    const double sum = std::accumulate(out.begin(), out.end(), 0.0);
    for (double& part : out) part = sum > 0 ? part / sum : 0;
    return out;
  }

  void share_out(const std::vector<std::size_t>& tier) {
    for (bool moved = true; moved && left_ > 0;) {
      std::vector<std::size_t> open;
      for (const std::size_t i : tier)
        if (missing(i) > 0 && queues_[i].over_quota_weight > 0) open.push_back(i);
      const auto part = parts(open);
      const double round = left_;
      std::vector<std::pair<double, std::size_t>> remainders;
      moved = false;
      for (std::size_t n = 0; n < open.size(); ++n) {
        const double fair = round * part[n],
                     amount = fair >= missing(open[n]) ? missing(open[n]) : std::floor(fair);
        if (amount > 0) give(open[n], amount), moved = true;
        if (missing(open[n]) > 0) remainders.emplace_back(fair - std::floor(fair), open[n]);
      }
      if (!moved) hand_out_units(remainders);
    }
  }

  void hand_out_units(std::vector<std::pair<double, std::size_t>>& remainders) {
    std::ranges::stable_sort(remainders, std::ranges::greater{}, &std::pair<double, std::size_t>::first);
    for (const auto& [remainder, i] : remainders)
      if (left_ > 0) give(i, std::min({1.0, left_, missing(i)}));
  }

  const std::vector<Queue>& queues_;
  double k_, left_;
  std::vector<double> out_;
};

}  // namespace

std::vector<double> fair_shares(const std::vector<Queue>& queues, double total, double k) {
  return Sharing(queues, total, k).run();
}

bool may_reclaim(const Queue& queue, double fair_share, double asked, bool preemptible) {
  if (queue.allocated + asked > fair_share) return false;
  return preemptible || queue.quota < 0 || queue.allocated_fixed + asked <= queue.quota;
}

bool may_be_reclaimed(const Queue& victim, double victim_fair_share, const Queue& reclaimer, double asked) {
  if (victim.allocated > victim_fair_share) return true;
  const bool within = reclaimer.quota < 0 || reclaimer.allocated + asked <= reclaimer.quota;
  return within && victim.quota >= 0 && victim.allocated > victim.quota;
}

double binpack_score(double free, double least_free, double most_free) {
  constexpr double kHighest = 9;
  return most_free == least_free ? kHighest : kHighest * (1 - (free - least_free) / (most_free - least_free));
}

}  // namespace etiage::placement::kai
