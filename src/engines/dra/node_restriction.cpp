#include "engines/dra/node_restriction.h"

#include <algorithm>
#include <set>

namespace etiage::dra {
namespace {

bool same(const Requirement& a, const Requirement& b) {
  return a.key == b.key && a.op == b.op &&
         std::set(a.values.begin(), a.values.end()) == std::set(b.values.begin(), b.values.end());
}

void add_new(const std::vector<Requirement>& from, std::vector<Requirement>& to) {
  for (const Requirement& r : from)
    if (std::ranges::none_of(to, [&](const Requirement& have) { return same(have, r); })) to.push_back(r);
}

}  // namespace

void NodeRestriction::add(const ResourceSlice& slice, const Device& device) {
  const NodeReach& reach = slice.per_device_node_selection.value_or(false) ? device.reach : slice.reach;
  one_node_ |= reach.node_name.has_value() || (behaviour_.binds_to_node && device.binds_to_node);
  if (one_node_ || !reach.node_selector) return;
  if (reach.node_selector->size() != 1) {
    fault_ = "unsupported ResourceSlice.NodeSelector with " + std::to_string(reach.node_selector->size()) +
             " terms";
    return;
  }
  add_new(reach.node_selector->front().match_fields, term_.match_fields);
  add_new(reach.node_selector->front().match_expressions, term_.match_expressions);
}

Result<std::optional<NodeSelector>> NodeRestriction::selector() const {
  if (fault_) return failure(*fault_);
  if (one_node_)
    return NodeSelector{{{}, {{"metadata.name", Requirement::Operator::kIn, {std::string(node_.name)}}}}};
  if (term_.match_fields.empty() && term_.match_expressions.empty()) return std::optional<NodeSelector>();
  return NodeSelector{term_};
}

}  // namespace etiage::dra
