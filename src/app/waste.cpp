#include "app/waste.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "app/label_query.h"
#include "model/selector.h"

namespace etiage::app {
namespace {

std::set<std::string> words(const std::string& text) {
  std::set<std::string> out;
  std::string word;
  for (std::istringstream in(text); std::getline(in, word, ',');)
    if (!word.empty()) out.insert(word);
  return out;
}

/// Keeps the findings that `wanted` says yes to, and their sum.
template <class F>
void keep(explain::Waste& waste, F wanted) {
  std::erase_if(waste.findings, [&](const explain::Finding& f) { return !wanted(f); });
  waste.per_week = {};
  for (const explain::Finding& f : waste.findings) waste.per_week += f.per_week;
}

}  // namespace

std::string cluster_in(const Evidence& evidence, const std::string& name) {
  std::set<std::string> names;
  for (const PodLife& pod : evidence.pods) names.insert(pod.cluster);
  return !names.contains(name) && names.size() == 1 ? *names.begin() : name;
}

std::vector<explain::ClusterAutoscaler> autoscalers_of(const Loaded& inputs, const Evidence& evidence) {
  std::vector<explain::ClusterAutoscaler> out;
  for (const auto& cluster : inputs.sources.clusters)
    for (const Autoscaler& a : cluster.objects.autoscalers)
      out.push_back({cluster_in(evidence, cluster.name), a});
  return out;
}

Result<void> check_waste_kinds(const std::string& kinds) {
  const auto known = explain::waste_kinds();
  for (const std::string& kind : words(kinds))
    if (std::ranges::find(known, kind) == known.end())
      return failure("'" + kind + "' is no kind of waste", {},
                     fmt::format("one of {}", fmt::join(known, ", ")));
  return {};
}

Result<render::WasteReport> waste(const ReadOptions& options, const std::string& kinds) {
  const auto selector = parse_label_query(options.selector);
  if (!selector) return std::unexpected(selector.error());
  const auto inputs = load_inputs(options);
  if (!inputs) return std::unexpected(inputs.error());
  const auto reading = settle(*inputs, options, options.window);
  if (!reading) return std::unexpected(reading.error());
  const Evidence& evidence = reading->evidence;
  render::WasteReport out{explain::find_waste(evidence, reading->ledger, autoscalers_of(*inputs, evidence)),
                          evidence.window, reading->ledger.currency};
  const auto wanted_kinds = words(kinds);
  if (!wanted_kinds.empty())
    keep(out.waste, [&](const explain::Finding& f) { return wanted_kinds.contains(std::string(f.kind)); });
  if (!options.ns.empty() || !options.selector.empty())
    keep(out.waste, [&](const explain::Finding& f) {
      return std::ranges::any_of(f.pods, [&](PodId id) {
        const PodLife& pod = evidence.pods[id.index()];
        return (options.ns.empty() || pod.ns == options.ns) && matches(*selector, pod.labels);
      });
    });
  return out;
}

}  // namespace etiage::app
