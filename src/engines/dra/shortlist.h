#pragma once
// The devices of one node that pass the selectors of one request. Pod after pod asks for the same, so this is
// worked out once, and only as far as the search goes.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engines/dra/pools.h"
#include "engines/dra/selectors.h"

namespace etiage::dra {

struct Scene;
struct AskPlan;

/// Grows as it is read, so it belongs to one thread.
class Shortlist {
 public:
  struct Entry {
    std::uint32_t place = kNone;  ///< in NodePools::order
    bool sure = true;             ///< false: meeting the device aborts the attempt, unless it is taken
  };

  /// Where the first entry at or after that place of the order stands, or will stand.
  std::size_t position(const Scene& scene, const AskPlan& ask, std::uint32_t place);
  /// Null at the end.
  const Entry* at(const Scene& scene, const AskPlan& ask, std::size_t position) {
    while (position >= entries_.size())
      if (!extend(scene, ask)) return nullptr;
    return &entries_[position];
  }

 private:
  bool extend(const Scene& scene, const AskPlan& ask);

  std::vector<Entry> entries_;
  std::uint32_t scanned_ = 0;  ///< places looked at
};

/// By the node's pools and what is asked of them.
class Shortlists {
 public:
  Shortlist& of(const NodePools& pools, const std::vector<SelectorAnswers::Handle>& class_selectors,
                const std::vector<SelectorAnswers::Handle>& selectors);

 private:
  using Handles = std::vector<SelectorAnswers::Handle>;
  std::map<std::pair<Handles, Handles>, std::unordered_map<const NodePools*, Shortlist>> lists_;
};

}  // namespace etiage::dra
