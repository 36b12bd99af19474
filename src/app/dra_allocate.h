#pragma once
// Which devices each pending pod would be given.

#include <string>
#include <vector>

#include "app/dra_objects.h"
#include "engines/dra/scheduling.h"
#include "render/table.h"

namespace etiage::app {

dra::Placements allocate_devices(const DraInput& input, const dra::Behaviour& behaviour);

std::string to_json(const dra::Placements& placements, const dra::Behaviour& behaviour);
render::Table to_table(const dra::Placements& placements);

}  // namespace etiage::app
