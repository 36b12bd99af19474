#pragma once
// What an attempt has taken so far, and how it is given back. Internal to search.

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/capacity.h"
#include "engines/dra/counters.h"
#include "engines/dra/search.h"

namespace etiage::dra {

enum class Taking : std::uint8_t { kTaken, kRefused, kAgainstConstraint, kFault };

class AttemptState {
 public:
  /// What `take` changed; empty until it took something.
  struct Undo {
    std::size_t claim = 0;
    const AskPlan* ask = nullptr;
    Candidate candidate;
    std::size_t constraints_added = 0;
    bool counters_taken = false, marked = false, has_result = false;
    bool capacity_added = false, capacity_entry_existed = false;
  };
  struct Place {
    std::size_t claim;
    std::size_t device_index;  ///< of the request
  };

  AttemptState(const Scene& scene, const std::vector<ClaimPlan>& claims);

  std::size_t results(std::size_t claim) const { return results_[claim].size(); }
  std::vector<std::vector<TakenDevice>> release_results() { return std::move(results_); }

  /// In use for this request: by claims, or in this attempt.
  bool is_taken(std::size_t claim, const AskPlan& ask, const Candidate& candidate) const;
  CapacityCheck check_capacity(const AskPlan& ask, const Candidate& candidate) const;
  std::string capacity_fault(std::size_t claim, const AskPlan& ask, const Candidate& candidate,
                             const CapacityCheck& check) const;
  /// The device must be selectable. Where it is refused, older releases leave traces behind
  /// (Behaviour::leaky_rollback).
  Taking take(Place place, const AskPlan& ask, const Candidate& candidate, Undo& undo);
  void give_back(const Undo& undo);
  const std::string& fault() const { return fault_; }
  /// Marked as taken by any claim of this attempt.
  bool is_marked(const Candidate& candidate) const { return is_marked(identity(candidate)); }

 private:
  std::uint32_t identity(const Candidate& c) const { return scene_.fleet.devices()[c.device].identity; }
  const Device& device(const Candidate& c) const { return *scene_.fleet.devices()[c.device].object; }
  bool is_shareable(const Candidate& c) const {
    return b_.gates.consumable_capacity && device(c).allow_multiple_allocations;
  }
  bool is_marked(std::uint32_t identity) const { return !marks_.empty() && marks_[identity] > 0; }
  bool is_marked_by(std::uint32_t identity, std::size_t claim) const;
  bool is_shared(std::uint32_t identity) const;
  void refuse(const Undo& undo);
  Taking crash(std::string why);
  /// 1.34 looks at the device that stands in the slice where the index of the request points.
  Taking recheck_capacity(Place place, const AskPlan& ask, const Candidate& candidate, Undo& undo);
  void add_share(const Candidate& candidate, TakenDevice& taken, Undo& undo);
  void remove_share(const Undo& undo);
  void unmark(const Undo& undo);

  const Scene& scene_;
  const Behaviour& b_;
  const std::vector<ClaimPlan>& claims_;
  CounterTables counters_;
  std::vector<std::vector<ConstraintState>> constraints_;
  std::vector<std::vector<TakenDevice>> results_;
  std::vector<std::uint8_t> marks_;                               ///< by identity; empty until one is made
  std::vector<std::pair<std::uint32_t, std::size_t>> marked_by_;  ///< identity, claim
  std::unordered_map<std::uint32_t, CapacityMap> shares_;         ///< being taken, by identity
  std::string fault_;
};

}  // namespace etiage::dra
