// The table of commands, in the order of the help.

#include "cli/commands.h"

#include "cli/command.h"

namespace etiage::cli {
namespace {

struct Group {
  const char* heading;
  std::vector<Command> commands;
};

}  // namespace

std::vector<Command> all_commands() {
  const std::vector<Group> groups{
      {"Reading a cluster",
       {scan_command(), cost_command(), waste_command(), why_command(), why_pod_command(),
        why_workload_command(), doctor_command(), inspect_command(), bundle_command()}},
      {"Sizing", {size_command(), calibrate_command(), mig_pack_command(), catalog_command()}},
      {"Deciding as the engines do",
       {lint_command(), dra_match_command(), dra_allocate_command(), dra_explain_command(),
        dra_fleet_command(), queue_admit_command(), queue_convert_command(), schedule_command(),
        place_command()}},
      {"Étiage itself", {version_command(), completion_command(), help_command()}},
  };
  std::vector<Command> out;
  for (const Group& group : groups)
    for (Command command : group.commands) {
      command.group = group.heading;
      out.push_back(std::move(command));
    }
  return out;
}

std::vector<Option> common_options() {
  return {{"help,h", "", "tell how the command is used"},
          {"no-color", "", "no colours, as NO_COLOR asks too"},
          {"quiet,q", "", "no progress on stderr"}};
}

Option output_option() {
  return {"output,o", "FORMAT", "how to print it", false, {"table", "wide", "json", "yaml", "csv", "md"}};
}

}  // namespace etiage::cli
