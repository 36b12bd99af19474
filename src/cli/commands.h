#pragma once
// One maker per command; each lives in the file of its name.

#include "cli/command.h"

namespace etiage::cli {

Command bundle_command();
Command calibrate_command();
Command catalog_command();
Command completion_command();
Command cost_command();
Command doctor_command();
Command dra_match_command();
Command help_command();
Command dra_allocate_command();
Command dra_explain_command();
Command dra_fleet_command();
Command inspect_command();
Command scan_command();
Command place_command();
Command mig_pack_command();
Command schedule_command();
Command size_command();
Command lint_command();
Command queue_admit_command();
Command queue_convert_command();
Command version_command();
Command waste_command();
Command why_command();
Command why_pod_command();
Command why_workload_command();

}  // namespace etiage::cli
