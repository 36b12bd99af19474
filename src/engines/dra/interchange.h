#pragma once
// Which dead ends need not be walked twice: devices that no request, constraint, counter or capacity can tell
// apart fail alike, and a request with too few devices fails whatever the others take. Internal to search.

#include <string>
#include <unordered_map>
#include <vector>

#include "engines/dra/attempt_state.h"

namespace etiage::dra {

class Interchange {
 public:
  /// Kinds of devices that failed at one node of the search.
  using FailedKinds = std::vector<std::uint32_t>;

  Interchange(const Scene& scene, const std::vector<ClaimPlan>& claims);

  /// False where a failed branch leaves traces that can change a later one (bugs of older releases): then
  /// every branch is walked as the real one walks it.
  bool may_skip() {
    if (!may_skip_) may_skip_ = !leaves_traces();
    return *may_skip_;
  }
  /// With distinctAttribute before 1.37 the first device tried for a place meets other remembered values than
  /// the rest.
  bool first_try_differs() const { return first_try_differs_; }
  void note_failed(FailedKinds& failed, std::size_t place, const AttemptState& state);
  bool has_failed(const FailedKinds& failed, std::size_t place, const AttemptState& state);
  /// Some request has too few devices even where nothing else is taken, and nothing could abort the attempt.
  bool is_hopeless();

 private:
  const Candidate& candidate(std::size_t place) const { return scene_.pools.order[place]; }
  const Device& device(std::size_t place) const {
    return *scene_.fleet.devices()[candidate(place).device].object;
  }
  std::uint32_t kind_of(std::size_t place, const AttemptState& state);
  std::string signature(std::size_t place) const;
  void append_requests(std::string& out, std::size_t place) const;
  void append_constraints(std::string& out, std::size_t place) const;
  void append_amounts(std::string& out, std::size_t place) const;
  bool leaves_traces() const;
  bool lacks_devices() const;
  /// How many devices an ask could take if it were alone; nothing where one of them would abort the attempt.
  std::optional<std::int64_t> takeable(const AskPlan& ask) const;

  const Scene& scene_;
  const std::vector<ClaimPlan>& claims_;
  bool first_try_differs_ = false, has_admin_ = false;
  std::optional<bool> may_skip_;
  std::optional<bool> hopeless_;
  std::vector<std::uint32_t> kinds_;  ///< by place; kNone: not known yet
  std::unordered_map<std::string, std::uint32_t> kind_ids_;
};

}  // namespace etiage::dra
