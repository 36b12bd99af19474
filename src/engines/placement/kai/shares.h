#pragma once
// KAI's queues: quota, over-quota by weight, and who may reclaim (KAI-Scheduler v0.17).

#include <cstdint>
#include <string>
#include <vector>

namespace etiage::placement::kai {

/// One resource of one queue; -1: no limit.
struct Queue {
  std::string name;
  std::int32_t priority = 100;
  double quota = 0, limit = 0;  ///< limit 0: never more than the quota
  double over_quota_weight = 1;
  double requested = 0;  ///< all that its jobs ask for
  double usage = 0;      ///< of the past, as a share of the cluster, for time-based fairness
  double allocated = 0, allocated_fixed = 0;  ///< held, and of it by jobs that cannot be preempted
};

/// What the queues get of `total`: the quota first, the rest by priority and weight, whole units each round,
/// the last ones by the largest remainder. `k`: how much past usage counts.
std::vector<double> fair_shares(const std::vector<Queue>& queues, double total, double k = 0);

/// The reclaimer stays within its fair share, and with jobs that cannot be preempted within its quota.
bool may_reclaim(const Queue& queue, double fair_share, double asked, bool preemptible);
/// The victim's queue is above its fair share, or above its quota while the reclaimer stays within its own.
bool may_be_reclaimed(const Queue& victim, double victim_fair_share, const Queue& reclaimer, double asked);

/// Plugin nodeplacement, binpack: 0 to 9, relative to the other nodes that fit.
double binpack_score(double free, double least_free, double most_free);

}  // namespace etiage::placement::kai
