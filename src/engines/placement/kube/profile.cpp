#include "engines/placement/kube/profile.h"

#include <algorithm>

namespace etiage::placement {
namespace {

PluginSet default_multi_point() {
  PluginSet out;
  for (int i = 0; i < kPluginCount; ++i) {
    const auto plugin = static_cast<Plugin>(i);
    out.enabled.push_back({std::string(to_string(plugin)), default_weight(plugin)});
  }
  return out;
}

bool disables(const PluginSet& set, std::string_view name) {
  return std::ranges::find(set.disabled, name) != set.disabled.end();
}

auto find(const std::vector<PluginReference>& list, std::string_view name) {
  return std::ranges::find(list, name, &PluginReference::name);
}

/// The defaults that are not disabled, in their order, each replaced by what `custom` says of it; then the
/// rest of `custom`.
PluginSet merge(const PluginSet& defaults, const PluginSet& custom) {
  PluginSet out{{}, custom.disabled};
  if (!disables(custom, "*"))
    for (const PluginReference& plugin : defaults.enabled) {
      if (disables(custom, plugin.name)) continue;
      const auto own = find(custom.enabled, plugin.name);
      out.enabled.push_back(own == custom.enabled.end() ? plugin : *own);
    }
  for (const PluginReference& plugin : custom.enabled)
    if (find(out.enabled, plugin.name) == out.enabled.end()) out.enabled.push_back(plugin);
  return out;
}

/// What runs at one extension point: plugins of MultiPoint that are set there too come first, in the order
/// set there; then MultiPoint's others that act there; then the others set there.
std::vector<PluginReference> expand(const PluginSet& multi, const PluginSet& own, Point point) {
  if (disables(own, "*")) return own.enabled;
  std::vector<PluginReference> overriding, added, rest;
  for (const PluginReference& p : own.enabled)
    (find(multi.enabled, p.name) != multi.enabled.end() && !disables(own, p.name) ? overriding : rest)
        .push_back(p);
  for (const PluginReference& p : multi.enabled) {
    const auto known = plugin_named(p.name);
    if (known && acts_at(*known, point) && !disables(own, p.name) &&
        find(own.enabled, p.name) == own.enabled.end())
      added.push_back(p);
  }
  overriding.insert(overriding.end(), added.begin(), added.end());
  overriding.insert(overriding.end(), rest.begin(), rest.end());
  return overriding;
}

PluginSet set_at(const SchedulerProfile& profile, const char* point) {
  const auto it = profile.plugins.find(point);
  return it == profile.plugins.end() ? PluginSet{} : it->second;
}

Result<std::vector<std::pair<Plugin, std::int64_t>>> known(const std::vector<PluginReference>& list,
                                                           const SchedulerProfile& profile) {
  std::vector<std::pair<Plugin, std::int64_t>> out;
  for (const PluginReference& p : list) {
    const auto plugin = plugin_named(p.name);
    if (!plugin)
      return failure("profile " + profile.scheduler_name + ": plugin '" + p.name +
                         "' is not one of kube-scheduler's own",
                     {}, "its decisions cannot be foreseen");
    out.emplace_back(*plugin, p.weight == 0 ? 1 : p.weight);
  }
  return out;
}

}  // namespace

bool Profile::filters_with(Plugin plugin) const {
  return std::ranges::find(filters, plugin) != filters.end();
}

bool Profile::scores_with(Plugin plugin) const {
  return std::ranges::any_of(scores, [&](const auto& s) { return s.first == plugin; });
}

Result<Profile> resolve_profile(const SchedulerProfile& profile) {
  const PluginSet multi = merge(default_multi_point(), set_at(profile, "multiPoint"));
  const auto filters = known(expand(multi, set_at(profile, "filter"), Point::kFilter), profile);
  const auto after = known(expand(multi, set_at(profile, "postFilter"), Point::kPostFilter), profile);
  const auto scores = known(expand(multi, set_at(profile, "score"), Point::kScore), profile);
  if (!filters) return std::unexpected(filters.error());
  if (!after) return std::unexpected(after.error());
  if (!scores) return std::unexpected(scores.error());
  Profile out{profile, {}, *scores, false};
  for (const auto& [plugin, weight] : *filters) out.filters.push_back(plugin);
  for (const auto& [plugin, weight] : *after) out.preempts |= plugin == Plugin::kDefaultPreemption;
  return out;
}

}  // namespace etiage::placement
