#include "app/volcano_configuration.h"

#include <charconv>
#include <set>
#include <sstream>

#include "formats/document.h"

namespace etiage::app {
namespace {

namespace volcano = placement::volcano;

std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream list(text);
  for (std::string item; std::getline(list, item, ',');) {
    std::erase(item, ' ');
    if (!item.empty()) out.push_back(item);
  }
  return out;
}

double number_of(const Tree& value, double otherwise) {
  double out = otherwise;
  const std::string& text = value.text();
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

volcano::BinpackWeights binpack_of(const Tree& arguments) {
  volcano::BinpackWeights out;
  out.weight = number_of(arguments["binpack.weight"], 1);
  out.resources["cpu"] = number_of(arguments["binpack.cpu"], 1);
  out.resources["memory"] = number_of(arguments["binpack.memory"], 1);
  for (const std::string& name : listed(arguments["binpack.resources"].text()))
    out.resources[name] = number_of(arguments["binpack.resources." + name], 1);
  return out;
}

volcano::NodeOrder node_order_of(const Tree& arguments) {
  volcano::NodeOrder out;
  const std::pair<const char*, std::int32_t*> weights[] = {
      {"leastrequested.weight", &out.least_requested},
      {"mostrequested.weight", &out.most_requested},
      {"balancedresource.weight", &out.balanced_resource},
      {"nodeaffinity.weight", &out.node_affinity},
      {"podaffinity.weight", &out.pod_affinity},
      {"tainttoleration.weight", &out.taint_toleration},
      {"imagelocality.weight", &out.image_locality},
      {"podtopologyspread.weight", &out.pod_topology_spread}};
  for (const auto& [name, weight] : weights)
    *weight = static_cast<std::int32_t>(number_of(arguments[name], *weight));
  return out;
}

/// What a plugin adds to the rules, at its place among the others.
void add_plugin(const std::string& name, const Tree& arguments, volcano::Rules& out) {
  using volcano::Gate;
  using volcano::JobOrder;
  if (name == "priority") out.job_order.push_back(JobOrder::kPriority);
  if (name == "drf") out.job_order.push_back(JobOrder::kDominantShare);
  if (name == "nodeorder") out.node_order = node_order_of(arguments);
  if (name == "binpack") out.binpack = binpack_of(arguments);
  if (name == "gang") {
    out.gangs = true;
    out.job_order.push_back(JobOrder::kGang);
  }
  if (name == "overcommit") {
    constexpr double kUsual = 1.2;  // and where less than the cluster would be given out
    out.overcommit = number_of(arguments["overcommit-factor"], kUsual);
    if (out.overcommit < 1) out.overcommit = kUsual;
    out.gates.back().push_back(Gate::kOvercommit);
  }
  if (name == "capacity" || name == "proportion") {
    out.unlimited = false;
    out.by_capacity |= name == "capacity";
    out.gates.back().push_back(Gate::kQueue);
  }
}

}  // namespace

std::optional<Tree> volcano_configuration(const LocatedObject& object, Diagnostics& diagnostics) {
  if (object.tree["kind"].text() != "ConfigMap") return {};
  for (const auto& [key, text] : object.tree["data"].members()) {
    if (!key.ends_with("volcano-scheduler.conf")) continue;
    auto documents = formats::read_documents(text.text(), object.file, diagnostics);
    if (documents.empty()) continue;
    documents.front().line = text.line;
    return std::move(documents.front());
  }
  return {};
}

volcano::Rules volcano_rules(const Tree& configuration) {
  const auto names = listed(configuration["actions"].text());
  const std::set<std::string> actions(names.begin(), names.end());
  volcano::Rules out{.enqueues = actions.contains("enqueue"),
                     .allocates = actions.contains("allocate"),
                     .backfills = actions.contains("backfill"),
                     .reclaims = actions.contains("reclaim"),
                     .unlimited = true,
                     .gangs = false,
                     .job_order = {},
                     .gates = {},
                     .node_order = {},
                     .binpack = {}};
  for (const Tree& tier : configuration["tiers"].items()) {
    out.gates.emplace_back();
    for (const Tree& plugin : tier["plugins"].items())
      add_plugin(plugin["name"].text(), plugin["arguments"], out);
  }
  return out;
}

}  // namespace etiage::app
