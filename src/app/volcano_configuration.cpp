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
                     .reclaims = actions.contains("reclaim"),
                     .overcommit = {},
                     .binpack = {}};
  std::set<std::string> plugins;
  for (const Tree& tier : configuration["tiers"].items())
    for (const Tree& plugin : tier["plugins"].items()) {
      const std::string& name = plugin["name"].text();
      plugins.insert(name);
      if (name == "binpack") out.binpack = binpack_of(plugin["arguments"]);
      if (name == "overcommit") out.overcommit = number_of(plugin["arguments"]["overcommit-factor"], 1.2);
    }
  out.by_capacity = plugins.contains("capacity");
  out.unlimited = !out.by_capacity && !plugins.contains("proportion");
  out.gangs = plugins.contains("gang");
  out.by_priority = plugins.contains("priority");
  out.by_dominant_share = plugins.contains("drf");
  out.orders_nodes = plugins.contains("nodeorder");
  return out;
}

}  // namespace etiage::app
