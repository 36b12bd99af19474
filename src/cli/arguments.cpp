// Command rows to CLI11, the only file that includes it (it costs seconds to compile).

#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <ostream>

namespace etiage::cli {

std::string Arguments::get(std::string_view name, std::string fallback) const {
  const auto it = values_.find(name);
  return it == values_.end() || it->second.empty() ? fallback : it->second.back();
}

std::vector<std::string> Arguments::all(std::string_view name) const {
  const auto it = values_.find(name);
  return it == values_.end() ? std::vector<std::string>{} : it->second;
}

namespace {

/// What CLI11 fills while it parses one command.
struct Bound {
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> flags;
  std::vector<std::string> positional;
};

std::string long_name(const Option& option) {
  return option.name.substr(0, option.name.find(','));
}

std::string dashed(const Option& option) {
  std::string out, name;
  for (std::istringstream parts(option.name); std::getline(parts, name, ',');)
    out += (out.empty() ? "" : ",") + std::string(name.size() == 1 ? "-" : "--") + name;
  return out;
}

void bind(CLI::App& app, const Option& option, Bound& bound) {
  if (option.value.empty()) {
    app.add_flag(dashed(option), bound.flags[long_name(option)], option.help);
    return;
  }
  auto* added = app.add_option(dashed(option), bound.values[long_name(option)], option.help)
                    ->type_name(option.value)
                    ->allow_extra_args(false);
  added->multi_option_policy(option.repeated ? CLI::MultiOptionPolicy::TakeAll
                                             : CLI::MultiOptionPolicy::TakeLast);
  if (!option.choices.empty()) added->check(CLI::IsMember(option.choices))->type_name(option.value);
}

/// `queue admit`: the sub-command `admit` of a group `queue`, made on first use.
CLI::App& place_of(CLI::App& root, const Command& command) {
  const auto space = command.name.find(' ');
  if (space == std::string::npos) return *root.add_subcommand(command.name, command.summary);
  const std::string group = command.name.substr(0, space);
  CLI::App* parent = nullptr;
  for (CLI::App* known : root.get_subcommands([&](CLI::App* app) { return app->get_name() == group; }))
    parent = known;
  if (!parent) parent = root.add_subcommand(group, "see etiage " + group + " --help");
  parent->require_subcommand(0, 1);
  return *parent->add_subcommand(command.name.substr(space + 1), command.summary);
}

Arguments collect(const Bound& bound) {
  Arguments out;
  for (const auto& [name, values] : bound.values)
    for (const auto& v : values) out.add(name, v);
  for (const auto& [name, set] : bound.flags)
    if (set) out.add(name, "");
  for (const auto& p : bound.positional) out.add_positional(p);
  return out;
}

}  // namespace

std::variant<Parsed, int> parse(const std::vector<Command>& commands, int argc, char** argv, Streams& io) {
  CLI::App root{"What each token cost, where the money leaks, what would do better.", "etiage"};
  root.require_subcommand(1);
  std::vector<std::unique_ptr<Bound>> bounds;
  std::vector<CLI::App*> apps;
  for (const Command& command : commands) {
    CLI::App& app = place_of(root, command);
    bounds.push_back(std::make_unique<Bound>());
    app.footer(command.details);
    for (const Option& option : command.options) bind(app, option, *bounds.back());
    bind(app, {"no-color", "", "no colours, as NO_COLOR asks too"}, *bounds.back());
    if (!command.positional.empty()) app.add_option(command.positional, bounds.back()->positional);
    apps.push_back(&app);
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return root.exit(e, io.out, io.err) == 0 ? kDone : kUsage;
  }
  for (std::size_t i = 0; i < commands.size(); ++i)
    if (apps[i]->parsed() && apps[i]->get_parent()->got_subcommand(apps[i]))
      return Parsed{&commands[i], collect(*bounds[i])};
  io.err << root.help();
  return kUsage;
}

}  // namespace etiage::cli
