#include "engines/dra/shortlist.h"

#include <algorithm>

#include "engines/dra/plan.h"

namespace etiage::dra {

std::size_t Shortlist::position(const Scene& scene, const AskPlan& ask, std::uint32_t place) {
  while (scanned_ < place && extend(scene, ask)) {
  }
  return static_cast<std::size_t>(std::ranges::lower_bound(entries_, place, {}, &Entry::place) -
                                  entries_.begin());
}

/// Looks on until one more entry is found; false at the end.
bool Shortlist::extend(const Scene& scene, const AskPlan& ask) {
  const auto& order = scene.pools.order;
  while (scanned_ < order.size()) {
    const std::uint32_t place = scanned_++;
    const auto answer = order[place].device == kNone ? std::nullopt : passes(scene, ask, order[place]);
    if (answer == false) continue;
    entries_.push_back({place, answer.has_value()});
    return true;
  }
  return false;
}

Shortlist& Shortlists::of(const NodePools& pools, const Handles& class_selectors, const Handles& selectors) {
  return lists_[{class_selectors, selectors}][&pools];
}

}  // namespace etiage::dra
