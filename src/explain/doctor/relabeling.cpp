#include "explain/doctor/relabeling.h"

#include <algorithm>
#include <optional>

#include "engines/cel/regex.h"

namespace etiage::explain {
namespace {

bool takes_all(std::string_view regex) {
  return regex == "(.*)" || regex == ".*" || regex == "(.+)" || regex == ".+";
}

/// Prometheus anchors every pattern. One that cannot be read matches nothing: the operator refuses it.
class Anchored {
 public:
  explicit Anchored(const std::string& pattern) : regex_("^(?s:" + pattern + ")$") {}
  bool matches(std::string_view text) const { return regex_.error().empty() && regex_.search(text); }

 private:
  cel::Regex regex_;
};

/// The one label whose whole value the rule copies; nothing: values are mixed, or cut.
std::optional<std::string> copied_label(const RelabelRule& rule) {
  const bool whole = rule.replacement == "$1" || rule.replacement == "${1}" || rule.replacement == "$0";
  if (rule.source_labels.size() != 1 || !takes_all(rule.regex) || !whole) return {};
  return rule.source_labels.front();
}

void replace(LabelOrigins& labels, const RelabelRule& rule) {
  if (const auto from = copied_label(rule)) {
    const auto it = labels.find(*from);
    if (it != labels.end()) labels[rule.target_label] = std::string(it->second);
  } else if (rule.source_labels.empty() || takes_all(rule.regex)) {
    // A constant, or a mixture: no longer what it was.
    labels.erase(rule.target_label);
    if (!rule.replacement.empty()) labels[rule.target_label] = "something else";
  }
}

/// `exported_(.+)` to `$1`: the only maps that can be told without captures are those that cut a prefix.
void map_labels(LabelOrigins& labels, const RelabelRule& rule) {
  std::string_view prefix = rule.regex;
  for (std::string_view rest : {"(.+)", "(.*)"})
    if (prefix.ends_with(rest)) prefix.remove_suffix(rest.size());
  if (prefix.size() == rule.regex.size() || prefix.find_first_of("()[]{}.*+?|\\^$") != prefix.npos) return;
  if (rule.replacement != "$1" && rule.replacement != "${1}") return;
  LabelOrigins more;
  for (const auto& [name, origin] : labels)
    if (name.starts_with(prefix) && name.size() > prefix.size()) more[name.substr(prefix.size())] = origin;
  for (auto& [name, origin] : more) labels[name] = origin;
}

void relabel(LabelOrigins& labels, const std::vector<RelabelRule>& rules) {
  for (const RelabelRule& rule : rules) {
    const Anchored names(rule.regex);
    if (rule.action == "labeldrop")
      std::erase_if(labels, [&](const auto& l) { return names.matches(l.first); });
    else if (rule.action == "labelkeep")
      std::erase_if(labels, [&](const auto& l) { return !names.matches(l.first); });
    else if (rule.action == "labelmap")
      map_labels(labels, rule);
    else if (rule.action == "replace")
      replace(labels, rule);
  }
}

}  // namespace

LabelOrigins scraped_labels(LabelOrigins target, const LabelOrigins& sample, const ScrapeEndpoint& endpoint) {
  relabel(target, endpoint.relabelings);
  std::erase_if(target, [](const auto& l) { return l.first.starts_with("__"); });
  LabelOrigins out = target;
  for (const auto& [name, origin] : sample)
    out[!endpoint.honor_labels && target.contains(name) ? "exported_" + name : name] = origin;
  relabel(out, endpoint.metric_relabelings);
  return out;
}

bool drops_metric(const ScrapeEndpoint& endpoint, std::string_view metric) {
  return std::ranges::any_of(endpoint.metric_relabelings, [&](const RelabelRule& rule) {
    if (rule.source_labels != std::vector<std::string>{"__name__"}) return false;
    if (rule.action != "keep" && rule.action != "drop") return false;
    return Anchored(rule.regex).matches(metric) == (rule.action == "drop");
  });
}

}  // namespace etiage::explain
