#pragma once
// What a program asks of `device`, so that it is looked up at once, and answers are shared.

#include <optional>
#include <vector>

#include "engines/cel/program.h"

namespace etiage::cel {

/// The last step of every attribute, and which of them are single values of the device.
void link_attributes(Program& program);

/// What the program asks of `device`, where that is single values (or whether they are there).
std::optional<std::vector<DeviceName>> device_reads(const Program& program);

}  // namespace etiage::cel
