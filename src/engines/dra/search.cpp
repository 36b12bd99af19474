#include "engines/dra/search.h"

#include <algorithm>

#include "engines/dra/attempt_state.h"
#include "engines/dra/interchange.h"

namespace etiage::dra {
namespace {

constexpr std::int64_t kMaxResults = 32;

/// Which device of which request comes next.
struct Position {
  std::size_t claim = 0, request = 0, alternative = 0;
  std::int64_t device = 0;
  bool alternative_chosen = false;

  Position next_device() const { return {claim, request, alternative, device + 1, alternative_chosen}; }
};

enum class Step { kFound, kNone, kTooMany, kFault };

class Search {
 public:
  Search(const Scene& scene, const std::vector<ClaimPlan>& claims)
      : scene_(scene),
        b_(scene.behaviour),
        claims_(claims),
        candidates_(scene.pools.order),
        state_(scene, claims),
        interchange_(scene, claims) {}

  SearchResult run() {
    const Step step = allocate_one({}, 0);
    SearchResult out;
    out.steps = steps_;
    if (step == Step::kFound) {
      out.outcome = SearchResult::Outcome::kFound;
      out.taken = state_.release_results();
    } else if (step != Step::kNone) {
      out.outcome = SearchResult::Outcome::kFault;
      out.fault = step == Step::kTooMany ? "allocation max size exceeded" : fault_;
    }
    return out;
  }

 private:
  Step fail(std::string why) {
    fault_ = std::move(why);
    return Step::kFault;
  }

  /// `start`: the first candidate to look at, by its place in the order.
  Step allocate_one(Position at, std::uint32_t start) {
    if (++steps_ > kMaxSteps)
      return fail("the search was given up after " + std::to_string(kMaxSteps) +
                  " steps; the scheduler would time out");
    if (at.claim >= claims_.size()) return Step::kFound;
    if (at.request >= claims_[at.claim].requests.size()) {
      const Step step = allocate_one({at.claim + 1}, 0);
      return step == Step::kTooMany ? Step::kNone : step;
    }
    const RequestPlan& request = claims_[at.claim].requests[at.request];
    if (request.is_list && !at.alternative_chosen) return try_alternatives(at, request);
    const AskPlan& ask = request.alternatives[at.alternative];
    if (ask.wants_all && ask.all.empty()) return Step::kNone;
    if (at.device >= ask.count) return allocate_one({at.claim, at.request + 1}, 0);
    const auto room = kMaxResults - static_cast<std::int64_t>(state_.results(at.claim));
    if (ask.count - at.device > room) return b_.limit_prunes ? Step::kTooMany : Step::kNone;
    return ask.wants_all ? take_next_of_all(at, ask) : take_any(at, ask, start);
  }

  Step try_alternatives(Position at, const RequestPlan& request) {
    bool all_too_many = b_.limit_prunes;
    at.alternative_chosen = true;
    for (at.alternative = 0; at.alternative < request.alternatives.size(); ++at.alternative) {
      const Step step = allocate_one(at, 0);
      if (step == Step::kTooMany) continue;
      all_too_many = false;
      if (step != Step::kNone) return step;
    }
    return all_too_many ? Step::kTooMany : Step::kNone;
  }

  /// All: the devices are known, each is tried once.
  Step take_next_of_all(Position at, const AskPlan& ask) {
    const Candidate& candidate = ask.all[static_cast<std::size_t>(at.device)];
    AttemptState::Undo undo;
    const Taking taking = state_.take({at.claim, static_cast<std::size_t>(at.device)}, ask, candidate, undo);
    if (taking == Taking::kFault) return fail(state_.fault());
    if (taking == Taking::kAgainstConstraint)
      return fail("claim " + name_of(*claims_[at.claim].claim) + ", request " + ask.name.name +
                  ": cannot add device " + scene_.fleet.name_of(candidate.device) +
                  " because a claim constraint would not be satisfied");
    if (taking != Taking::kTaken) return Step::kNone;
    Position next = at.next_device();
    if (b_.all_forgets_subrequest) next.alternative = 0;
    const Step step = allocate_one(next, 0);
    if (step != Step::kFound) state_.give_back(undo);
    return step;
  }

  Step take_any(Position at, const AskPlan& ask, std::uint32_t start) {
    Interchange::FailedKinds failed;
    bool first_accepted = true;
    if (too_few_left(at, ask, start)) return Step::kNone;
    Shortlist& list = *ask.shortlist;
    const Shortlist::Entry* entry;
    for (std::size_t p = list.position(scene_, ask, start); (entry = list.at(scene_, ask, p)); ++p) {
      const std::uint32_t place = entry->place;
      const Candidate& candidate = candidates_[place];
      if (candidate.device == kNone) return fail_on_invalid_pool(candidate);
      if (state_.is_taken(at.claim, ask, candidate)) continue;
      if (!entry->sure)
        return fail(is_selectable(scene_, *claims_[at.claim].claim, ask, candidate).error().message);
      if (has_failed_ && interchange_.has_failed(failed, place, state_)) continue;
      const CapacityCheck capacity = state_.check_capacity(ask, candidate);
      if (!capacity.fault.empty()) return fail(state_.capacity_fault(at.claim, ask, candidate, capacity));
      if (!capacity.fits()) continue;
      AttemptState::Undo undo;
      const Taking taking =
          state_.take({at.claim, static_cast<std::size_t>(at.device)}, ask, candidate, undo);
      if (taking == Taking::kFault) return fail(state_.fault());
      if (taking != Taking::kTaken) continue;
      const std::uint32_t next = b_.combinations ? place + 1 : 0;
      const Step step = allocate_one(at.next_device(), next);
      if (step == Step::kFound) return step;
      state_.give_back(undo);
      if (step != Step::kNone) return step;
      has_failed_ = true;
      if (interchange_.is_hopeless()) return Step::kNone;
      if (!first_accepted || !interchange_.first_try_differs())
        interchange_.note_failed(failed, place, state_);
      first_accepted = false;
      if (too_few_left(at, ask, next)) return Step::kNone;
    }
    has_failed_ = true;
    return Step::kNone;
  }

  /// Once the search has failed somewhere: whether from `from` on fewer devices could be taken than are
  /// needed. What would abort the attempt counts as takeable, so that it is met.
  bool too_few_left(Position at, const AskPlan& ask, std::uint32_t from) {
    if (!has_failed_ || !interchange_.may_skip()) return false;
    std::int64_t needed = ask.count - at.device;
    Shortlist& list = *ask.shortlist;
    const Shortlist::Entry* entry;
    for (std::size_t p = list.position(scene_, ask, from); (entry = list.at(scene_, ask, p)); ++p) {
      const Candidate& candidate = candidates_[entry->place];
      if (candidate.device == kNone) return false;
      if (state_.is_taken(at.claim, ask, candidate)) continue;
      if (!entry->sure) return false;
      if (const CapacityCheck check = state_.check_capacity(ask, candidate);
          !check.fits() && check.fault.empty())
        continue;
      if (--needed <= 0) return false;
    }
    return true;
  }

  Step fail_on_invalid_pool(const Candidate& candidate) {
    const Pool& pool = scene_.pools.pools[candidate.pool];
    return fail("pool " + scene_.fleet.pools()[pool.id].name + " is invalid: " + pool.reason);
  }

  const Scene& scene_;
  const Behaviour& b_;
  const std::vector<ClaimPlan>& claims_;
  const std::vector<Candidate>& candidates_;
  AttemptState state_;
  Interchange interchange_;
  bool has_failed_ = false;
  std::uint64_t steps_ = 0;
  std::string fault_;
};

}  // namespace

SearchResult search_devices(const Scene& scene, const std::vector<ClaimPlan>& claims) {
  return Search(scene, claims).run();
}

}  // namespace etiage::dra
