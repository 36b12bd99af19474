#pragma once
// Label selectors against labels, as apimachinery's labels.Selector decides.

#include <optional>

#include "model/meta.h"

namespace etiage {

/// All parts must hold; an empty selector takes everything.
bool matches(const LabelSelector& selector, const LabelMap& labels);
/// An absent selector takes nothing.
bool matches(const std::optional<LabelSelector>& selector, const LabelMap& labels);
/// Every pair of `wanted` is among `labels`.
bool contains_all(const LabelMap& labels, const LabelMap& wanted);
bool is_empty(const LabelSelector& selector);

}  // namespace etiage
