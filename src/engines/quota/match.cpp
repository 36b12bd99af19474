#include "engines/quota/match.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace etiage::quota {

namespace {

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool holds(const Requirement& r, const std::string* value) {
  using Op = Requirement::Operator;
  const auto listed = [&] { return std::find(r.values.begin(), r.values.end(), *value) != r.values.end(); };
  switch (r.op) {
    case Op::kIn:
      return value && listed();
    case Op::kNotIn:
      return !value || !listed();
    case Op::kExists:
      return value;
    case Op::kDoesNotExist:
      return !value;
    case Op::kGt:
    case Op::kLt: {
      if (!value || r.values.size() != 1) return false;
      const auto have = integer(*value), bound = integer(r.values[0]);
      return have && bound && (r.op == Op::kGt ? *have > *bound : *have < *bound);
    }
  }
  return false;
}

const std::string* find(const LabelMap& labels, std::string_view key) {
  const auto it = labels.find(key);
  return it == labels.end() ? nullptr : &it->second;
}

bool contains(const LabelMap& wanted, const LabelMap& labels) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& kv) {
    const std::string* value = find(labels, kv.first);
    return value && *value == kv.second;
  });
}

bool tolerates(const Toleration& t, const Taint& taint) {
  if (t.effect && *t.effect != taint.effect) return false;
  if (!t.key.empty() && t.key != taint.key) return false;
  if (t.op.empty() || t.op == "Equal") return t.value == taint.value;
  if (t.op == "Exists") return true;
  const auto have = integer(taint.value), bound = integer(t.value);
  if (!have || !bound) return false;
  return t.op == "Lt" ? *have < *bound : t.op == "Gt" && *have > *bound;
}

}  // namespace

bool matches(const LabelSelector& selector, const LabelMap& labels) {
  return contains(selector.match_labels, labels) &&
         std::all_of(selector.match_expressions.begin(), selector.match_expressions.end(),
                     [&](const Requirement& r) { return holds(r, find(labels, r.key)); });
}

const Taint* untolerated_taint(std::span<const Taint> taints, std::span<const Toleration> tolerations,
                               std::span<const Toleration> more_tolerations) {
  for (const Taint& taint : taints) {
    if (taint.effect == TaintEffect::kPreferNoSchedule) continue;
    const auto covers = [&](const Toleration& t) { return tolerates(t, taint); };
    if (std::none_of(tolerations.begin(), tolerations.end(), covers) &&
        std::none_of(more_tolerations.begin(), more_tolerations.end(), covers))
      return &taint;
  }
  return nullptr;
}

std::string_view to_string(TaintEffect effect) {
  switch (effect) {
    case TaintEffect::kNoSchedule:
      return "NoSchedule";
    case TaintEffect::kPreferNoSchedule:
      return "PreferNoSchedule";
    case TaintEffect::kNoExecute:
      return "NoExecute";
  }
  return "";
}

std::string to_string(const Taint& taint) {
  std::string out = taint.key;
  if (!taint.value.empty()) out += '=' + taint.value;
  return out.append(":").append(to_string(taint.effect));
}

bool matches(const NodeSelector& selector, const LabelMap& labels, std::string_view name) {
  const std::string own_name(name);
  return std::any_of(selector.begin(), selector.end(), [&](const NodeSelectorTerm& term) {
    if (term.match_expressions.empty() && term.match_fields.empty()) return false;
    return std::all_of(term.match_expressions.begin(), term.match_expressions.end(),
                       [&](const Requirement& r) { return holds(r, find(labels, r.key)); }) &&
           std::all_of(term.match_fields.begin(), term.match_fields.end(), [&](const Requirement& r) {
             return holds(r, r.key == "metadata.name" ? &own_name : nullptr);
           });
  });
}

bool matches_flavor(const PodSpec& pod, const LabelMap& flavor_labels, const LabelMap& allowed) {
  for (const auto& [key, value] : pod.node_selector) {
    if (!allowed.contains(key)) continue;
    const std::string* have = find(flavor_labels, key);
    if (!have || *have != value) return false;
  }
  if (!pod.affinity.node_required) return true;
  NodeSelector terms;
  for (const NodeSelectorTerm& term : *pod.affinity.node_required) {
    NodeSelectorTerm kept;
    for (const Requirement& r : term.match_expressions)
      if (allowed.contains(r.key)) kept.match_expressions.push_back(r);
    if (kept.match_expressions.empty()) return true;
    terms.push_back(std::move(kept));
  }
  return terms.empty() || matches(terms, flavor_labels, "");
}

}  // namespace etiage::quota
