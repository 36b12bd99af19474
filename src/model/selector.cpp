#include "model/selector.h"

#include <algorithm>

#include "model/node_selector.h"

namespace etiage {

bool contains_all(const LabelMap& labels, const LabelMap& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& pair) {
    const auto it = labels.find(pair.first);
    return it != labels.end() && it->second == pair.second;
  });
}

bool matches(const LabelSelector& selector, const LabelMap& labels) {
  return contains_all(labels, selector.match_labels) &&
         std::ranges::all_of(selector.match_expressions, [&](const auto& r) { return matches(r, labels); });
}

bool matches(const std::optional<LabelSelector>& selector, const LabelMap& labels) {
  return selector && matches(*selector, labels);
}

bool is_empty(const LabelSelector& selector) {
  return selector.match_labels.empty() && selector.match_expressions.empty();
}

}  // namespace etiage
