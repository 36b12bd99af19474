#include "model/node_selector.h"

#include <algorithm>
#include <charconv>

namespace etiage {
namespace {

using Operator = Requirement::Operator;

std::optional<std::int64_t> whole_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return std::ranges::find(values, value) != values.end();
}

std::optional<std::string> label_fault(const Requirement& r) {
  const bool wants_list = r.op == Operator::kIn || r.op == Operator::kNotIn;
  const bool wants_none = r.op == Operator::kExists || r.op == Operator::kDoesNotExist;
  if (r.key.empty()) return "a requirement without a key";
  if (wants_list && r.values.empty())
    return "key " + r.key +
           ": values must be given with 'In' and 'NotIn'; other operators are 'Exists', 'DoesNotExist', 'Gt' "
           "and "
           "'Lt'";
  if (wants_none && !r.values.empty())
    return "key " + r.key + ": values must be empty with 'Exists' and 'DoesNotExist'";
  if (wants_list || wants_none) return std::nullopt;
  if (r.values.size() != 1) return "key " + r.key + ": exactly one value is needed with 'Gt' and 'Lt'";
  if (!whole_number(r.values[0])) return "key " + r.key + ": with 'Gt' and 'Lt' the value must be an integer";
  return std::nullopt;
}

std::optional<std::string> field_fault(const Requirement& r) {
  if (r.op != Operator::kIn && r.op != Operator::kNotIn) return "field " + r.key + ": only 'In' and 'NotIn'";
  if (r.values.size() != 1) return "field " + r.key + ": must have exactly one value";
  return std::nullopt;
}

bool field_matches(const Requirement& r, std::string_view node_name) {
  const bool same = r.key == "metadata.name" && contains(r.values, node_name);
  return r.op == Operator::kIn ? same : !same;
}

bool is_empty(const NodeSelectorTerm& term) {
  return term.match_expressions.empty() && term.match_fields.empty();
}

}  // namespace

std::optional<std::string> selector_fault(const NodeSelector& selector) {
  for (const NodeSelectorTerm& term : selector) {
    for (const Requirement& r : term.match_expressions)
      if (auto fault = label_fault(r)) return fault;
    for (const Requirement& r : term.match_fields)
      if (auto fault = field_fault(r)) return fault;
  }
  return std::nullopt;
}

bool matches(const Requirement& r, const LabelMap& labels) {
  const auto label = labels.find(r.key);
  const bool there = label != labels.end();
  switch (r.op) {
    case Operator::kIn:
      return there && contains(r.values, label->second);
    case Operator::kNotIn:
      return !there || !contains(r.values, label->second);
    case Operator::kExists:
      return there;
    case Operator::kDoesNotExist:
      return !there;
    case Operator::kGt:
    case Operator::kLt:
      break;
  }
  if (!there || r.values.size() != 1) return false;
  const auto have = whole_number(label->second), want = whole_number(r.values[0]);
  return have && want && (r.op == Operator::kGt ? *have > *want : *have < *want);
}

bool matches(const NodeSelectorTerm& term, const NodeIdentity& node) {
  if (is_empty(term)) return false;
  return std::ranges::all_of(term.match_expressions,
                             [&](const auto& r) { return matches(r, node.labels); }) &&
         std::ranges::all_of(term.match_fields, [&](const auto& r) { return field_matches(r, node.name); });
}

bool matches(const NodeSelector& selector, const NodeIdentity& node) {
  return std::ranges::any_of(selector, [&](const auto& term) { return matches(term, node); });
}

}  // namespace etiage
